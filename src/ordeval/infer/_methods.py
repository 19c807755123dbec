"""Intervals: one function per method, from the evidence that a sample gives about a score.

These are the methods that can be asked for by name.  `auto` follows from the structure of the score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, near
from ordeval.infer._auto import SIMULATED, Interval
from ordeval.infer._common import bad_value
from ordeval.infer._evidence import EQUAL, MOST_UNDEFINED, RESAMPLES, Evidence
from ordeval.infer._tables import MANY_CLASSES
from ordeval.metrics import Metric

NORMAL = NormalDist()


def _quantiles(values: Array, low: float, high: float) -> tuple[float, float]:
    """Quantiles at p (B + 1): with 9,999 replicates the ends of a 95 % interval are the 250th from either side."""
    ends = np.quantile(values, [low, high], method="weibull")
    return float(ends[0]), float(ends[1])


def _percentile(evidence: Evidence, m: int, alpha: float, values: Array | None = None) -> tuple[float, float]:
    return _quantiles(_defined(evidence.replicates[:, m] if values is None else values), alpha / 2, 1 - alpha / 2)


def _basic(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    low, high = _percentile(evidence, m, alpha)
    point = float(evidence.point[m])
    return 2 * point - high, 2 * point - low


def _bca(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """Percentiles corrected for bias and for a standard error that changes with the score (Efron 1987)."""
    values, point = _defined(evidence.replicates[:, m]), evidence.point[m]
    less = np.count_nonzero(values < point - EQUAL) + np.count_nonzero(np.abs(values - point) <= EQUAL) / 2
    share = less / len(values)
    if not 0 < share < 1:
        return math.nan, math.nan
    bias = NORMAL.inv_cdf(share)
    acceleration = _acceleration(evidence.left_out[:, m], evidence.units.number)
    ends = []
    for tail in (alpha / 2, 1 - alpha / 2):
        z = bias + NORMAL.inv_cdf(tail)
        if acceleration * z >= 1:
            return math.nan, math.nan
        ends.append(NORMAL.cdf(bias + z / (1 - acceleration * z)))
    return _quantiles(values, ends[0], ends[1])


def _acceleration(left_out: Array, number: Array) -> float:
    """Skewness of the jackknife, every kind of row counted as often as it occurs; 0 where a row cannot be left out."""
    known = np.isfinite(left_out)
    number, left_out = number[known], left_out[known]
    if not number.sum():
        return 0.0
    away = (number * left_out).sum() / number.sum() - left_out
    spread = (number * away**2).sum() ** 1.5
    return float((number * away**3).sum() / (6 * spread)) if spread else 0.0


def _studentised(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """Bootstrap-t: how far replicates lie from the score, in standard errors of their own."""
    values, errors = (part[:, m] for part in evidence.studentised)
    known = errors > 0
    point, error = float(evidence.point[m]), float(evidence.error[m])
    if not known.any() or not error > 0:
        return math.nan, math.nan
    low, high = _quantiles((values[known] - point) / errors[known], alpha / 2, 1 - alpha / 2)
    return point - high * error, point - low * error


def _delta(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    point, half = float(evidence.point[m]), NORMAL.inv_cdf(1 - alpha / 2) * float(evidence.error[m])
    return point - half, point + half


def _fisher(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """The delta method for artanh(score): for coefficients between -1 and 1."""
    point = float(evidence.point[m])
    if abs(point) >= 1:
        return math.nan, math.nan
    half = NORMAL.inv_cdf(1 - alpha / 2) * float(evidence.error[m]) / (1 - point**2)
    return math.tanh(math.atanh(point) - half), math.tanh(math.atanh(point) + half)


def _wilson(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """Wilson's interval for a share of independent rows."""
    return wilson(float(evidence.point[m]), float(evidence.units.total), 1 - alpha)


def wilson(share: float, rows: float, confidence_level: float) -> tuple[float, float]:
    z2 = NORMAL.inv_cdf((1 + confidence_level) / 2) ** 2
    centre = (share + z2 / (2 * rows)) / (1 + z2 / rows)
    half = math.sqrt(z2 * (share * (1 - share) / rows + z2 / (4 * rows**2))) / (1 + z2 / rows)
    return max(0.0, centre - half), min(1.0, centre + half)


def _jackknife(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """Jackknife standard error and Student's t with one degree of freedom less than there are units."""
    from scipy.special import stdtrit

    number, units = evidence.units.number, evidence.units.total
    left_out, point = evidence.left_out[:, m], float(evidence.point[m])
    mean = (number * left_out).sum() / units
    error = math.sqrt((units - 1) / units * float((number * (left_out - mean) ** 2).sum()))
    half = float(stdtrit(units - 1, 1 - alpha / 2)) * error
    return point - half, point + half


def _logit(evidence: Evidence, m: int, alpha: float) -> tuple[float, float]:
    """The jackknife for log(score / (1 - score)): for scores between 0 and 1, never beyond the ends."""
    point = float(evidence.point[m])
    if not 0 < point < 1:
        return math.nan, math.nan
    low, high = _jackknife(evidence, m, alpha)
    half = (high - low) / 2 / (point * (1 - point))
    centre = math.log(point / (1 - point))
    return 1 / (1 + math.exp(half - centre)), 1 / (1 + math.exp(-half - centre))


def _defined(values: Array) -> Array:
    return values[~np.isnan(values)]


#: Every method, by the word that asks for it.
METHODS: Mapping[str, Callable[[Evidence, int, float], tuple[float, float]]] = {
    "percentile": _percentile,
    "basic": _basic,
    "bca": _bca,
    "studentised": _studentised,
    "delta": _delta,
    "fisher": _fisher,
    "wilson": _wilson,
    "jackknife": _jackknife,
    "logit": _logit,
    "stratified": lambda e, m, alpha: _percentile(e, m, alpha, e.stratified[:, m]),
    "bayes": lambda e, m, alpha: _percentile(e, m, alpha, e.posterior[:, m]),
    "dirichlet": lambda e, m, alpha: _percentile(e, m, alpha, e.informed_posterior[:, m]),
}
RESAMPLING = ("percentile", "basic", "bca", "studentised")  # methods whose replicates may lack a class
BY_CELLS = ("stratified", "bayes", "dirichlet", "wilson")  # methods that take rows as independent


def fits(method: str, metric: Metric, clustered: bool = False) -> bool:
    """A method can be asked for this score at all."""
    if method == "wilson":
        return metric.structure == "share" and not clustered
    if method == "fisher":
        return metric.bounds == (-1, 1)
    if method == "logit":
        return metric.bounds == (0, 1)
    if method == "dirichlet" and not metric.needs_only_counts:
        return False  # its prior is spread over the cells of a table
    return not (clustered and method in BY_CELLS)


def interval(evidence: Evidence, m: int, *, method: str = "auto", confidence_level: float = 0.95) -> Interval:
    """The interval of one score by one method; where it cannot be given, the reason."""
    metric = evidence.metrics[m]
    if method == "auto":
        return evidence.auto(m, confidence_level)
    if math.isnan(evidence.point[m]):
        return Interval(math.nan, math.nan, "none", reason=f"the score is undefined: {metric.undefined}")
    if math.isinf(evidence.point[m]):
        return Interval(math.nan, math.nan, "none", reason="the score is infinite: what had the probability 0 came true")
    low, high = METHODS[method](evidence, m, 1 - confidence_level)
    undefined = float(np.isnan(evidence.replicates[:, m]).mean()) if method in RESAMPLING else 0.0
    if not high - low > EQUAL:  # nan among them
        return Interval(
            math.nan,
            math.nan,
            "none",
            undefined,
            "all resamples have the same score: resampling cannot show errors not yet seen",
        )
    if undefined > MOST_UNDEFINED:
        return Interval(math.nan, math.nan, "none", undefined, f"{undefined:.0%} of the resamples lack a class and have no score")
    return Interval(low, high, method, undefined)


def samples(method: str, n_resamples: int | None, classes: int = 0) -> int:
    """How many samples a method draws: its own number, unless asked otherwise."""
    if n_resamples is not None:
        return n_resamples
    return RESAMPLES if method != "auto" else SIMULATED if classes <= MANY_CLASSES else SIMULATED // 2


def check_request(
    method: str, confidence_level: float, n_resamples: int | None, metrics: Sequence[Metric], clustered: bool
) -> None:
    """Refuse what no interval can be made of, before any work."""
    check_level(confidence_level)
    if n_resamples is not None and n_resamples * (1 - confidence_level) < 20:
        raise ArgumentError(
            "{given} resamples leave too few beyond the ends of the interval",
            argument="n_resamples",
            remedy="take {n_resamples:{least}} or more",
            values={"given": f"{n_resamples:,}", "least": math.ceil(20 / (1 - confidence_level))},
        )
    if method == "auto":
        return
    if method not in METHODS:
        hint = near(method, ["auto", *METHODS]) if isinstance(method, str) else ""
        words = f"{hint and hint + ' '}choose 'auto' or one of {', '.join(map(repr, METHODS))}"
        raise bad_value("method", method, "is unknown", words)
    for metric in metrics:
        if not fits(method, metric, clustered):
            why = (
                "clusters, not rows, are independent here"
                if clustered and method in BY_CELLS
                else f"it is not meant for {metric}"
            )
            raise bad_value("method", method, "cannot be used: {why}", "take {method:'auto'}", why=why)


def check_level(confidence_level: float) -> None:
    if not 0 < confidence_level < 1:
        raise bad_value("confidence_level", confidence_level, "is not between 0 and 1", "0.95 means 95 %")
