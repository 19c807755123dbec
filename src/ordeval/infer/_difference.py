"""Is one model better than another on the same rows?  The paired difference of a score: interval and p-value from one statistic.

The statistic is studentised: difference over its own standard error, both anew in every replicate.  So the interval leaves out 0
exactly when the p-value is small, and no symmetry between the models is assumed.  The exchange test, which assumes it, is named
for what it tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import kind_of
from ordeval.infer._common import record
from ordeval.infer._flips import paired
from ordeval.infer._units import STACK_BYTES, Statistic, Units
from ordeval.metrics import Metric, get_metric
from ordeval.show import Line, Result
from ordeval.show._numbers import signed
from ordeval.show._result import Record

ENUMERATED = 200_000  # outcomes of the exchange test that are tried one by one rather than sampled


@dataclass(frozen=True)
class Difference(Result):
    """The score of the second model less that of the first."""

    metric: str
    value: float
    low: float
    high: float
    p_value: float
    band: tuple[float, float]  #: widened so that those of all scores that do not decide hold at once
    reason: str = ""  #: why there is no interval; empty where there is one
    equivalent: bool | None = None  #: with a margin: certainly within it on both sides
    not_inferior: bool | None = None  #: with a margin: certainly not worse by more than it
    a: str = ""  #: the first model
    b: str = ""  #: the second

    def _rows(self) -> list[Record]:
        columns = "a b metric difference low high band_low band_high p_value equivalent not_inferior reason"
        numbers = (self.value, self.low, self.high, *self.band, self.p_value)
        return [record(columns, self.a, self.b, self.metric, *numbers, self.equivalent, self.not_inferior, self.reason)]

    def _blocks(self) -> list[Line]:
        if self.reason:
            return [Line(f"{self.value:+.3f} (no interval: {self.reason})")]
        return [Line(f"{self.value:+.3f} [{self.low:+.3f}, {self.high:+.3f}], p = {self.p_value:.3g}")]


def _statistic(counts: Counts, metrics: Sequence[Metric], a: str, b: str) -> Statistic:
    """Scores of b less scores of a, (b, metrics), each metric bound to its own model's whole sample."""
    bound = [(metric.bind(counts[a]), metric.bind(counts[b])) for metric in metrics]
    return lambda stack: np.stack([second(stack[:, 1]) - first(stack[:, 0]) for first, second in bound], -1)


def differences(
    counts: Counts,
    a: str,
    b: str,
    metrics: Sequence[Metric],
    *,
    primary: bool = True,
    margin: float | None = None,
    confidence_level: float = 0.95,
    band_level: float | None = None,
    n_resamples: int = 1_999,
    rng: Rng = 0,
) -> list[Difference]:
    """The paired differences of several scores; the first is the primary one, the bands are those of the others together.

    With ``primary=False`` none of them decides, and ``band_level`` is the confidence of the bands where it is not that of the others.
    Rows that one of the two left unanswered are left out: a difference is between scores of the same rows.
    """
    counts = paired(counts, a, b)
    units = Units(counts, [a, b])
    statistic = _statistic(counts, metrics, a, b)
    point = units.point(statistic)
    error = units.standard_error(units.influence(statistic))
    values, errors = units.studentised(statistic, n_resamples, np.random.default_rng(rng))
    return difference_result(
        metrics,
        point,
        error,
        values,
        errors,
        models=(a, b),
        primary=primary,
        margin=margin,
        confidence_level=confidence_level,
        band_level=band_level or confidence_level,
    )


def difference_result(
    metrics: Sequence[Metric],
    point: Array,
    error: Array,
    values: Array,
    errors: Array,
    *,
    models: tuple[str, str],
    primary: bool,
    margin: float | None,
    confidence_level: float,
    band_level: float,
) -> list[Difference]:
    """Differences from their replicates (b, metrics) and the error that each of these would have reported."""
    away = np.abs(_ratio(values - point, errors))
    alpha = 1 - confidence_level
    far = [_quantile(away[:, m], 1 - alpha) for m in range(len(metrics))]
    reasons = [_reason(metric, point[m], error[m], away[:, m], far[m]) for m, metric in enumerate(metrics)]
    others = [
        m for m in range(int(primary), len(metrics)) if not reasons[m]
    ]  # what has no band is in no way of those that have one
    together = _quantile(away[:, others].max(1, initial=0), band_level)
    found = []
    for m, metric in enumerate(metrics):
        reason = reasons[m]
        if reason:
            none = math.nan
            p_of_none = 1.0 if point[m] == 0 else none
            found.append(
                Difference(str(metric), float(point[m]), none, none, p_of_none, (none, none), reason, None, None, *models)
            )
            continue
        half = far[m] * float(error[m])
        p_value = (1 + np.count_nonzero(away[:, m] >= abs(point[m] / error[m]) - 1e-12)) / (1 + len(away))
        decides = primary and m == 0
        wide = half if decides else together * float(error[m]) if math.isfinite(together) else math.nan
        value = float(point[m])
        equivalent, not_inferior = _against_margin(
            metric, value, _quantile(away[:, m], 1 - 2 * alpha) * float(error[m]), margin if decides else None
        )
        found.append(
            Difference(
                str(metric),
                value,
                value - half,
                value + half,
                float(p_value),
                (value - wide, value + wide),
                "",
                equivalent,
                not_inferior,
                *models,
            )
        )
    return found


def _reason(metric: Metric, point: float, error: float, away: Array, far: float) -> str:
    if kind_of(metric) == "kink":
        return "a maximum or minimum over the classes: no method was found to hold"
    if kind_of(metric) == "binned":
        return "biased upwards by chance, the less so the better the forecast: no method was found to hold"
    if np.isnan(point):
        return "a score is undefined"
    if error == 0 or np.isnan(error):
        if point == 0:
            return "the two models never differ in what this score counts"
        return "all rows of a true class changed alike, so resampling cannot show how much the difference varies"
    if np.isnan(away).mean() > 0.05:
        return "too many replicates lack a class and have no score"
    if math.isinf(far):
        return "in too many replicates no row tells the models apart, so they cannot show how much the difference varies"
    return ""


def _against_margin(metric: Metric, value: float, half: float, margin: float | None) -> tuple[bool | None, bool | None]:
    """Two one-sided tests: the interval at twice the error rate lies inside the margin, or beyond its worse end."""
    if margin is None:
        return None, None
    worse = value - half if metric.direction == "higher" else -(value + half)
    return -margin < value - half and value + half < margin, worse > -margin


def _ratio(difference: Array, error: Array) -> Array:
    """Difference over error; without an error, a difference is infinitely far and none is no distance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((error == 0) & (np.abs(difference) < 1e-12), 0, difference / error)


def _quantile(values: Array, share: float) -> float:
    """Infinite where so many values are: between two of them there is no number to interpolate."""
    known = values[~np.isnan(values)]
    if not len(known):
        return math.inf
    with np.errstate(invalid="ignore"):
        found = float(np.quantile(known, share, method="weibull"))
    return math.inf if math.isnan(found) else found


@dataclass(frozen=True)
class ExchangeTest(Result):
    """The exchange test: could the two models have swapped their answers, row by row, with such a difference still as likely?"""

    metric: str
    value: float
    p_value: float
    discordant: int  #: rows on which the models differ
    exact: bool  #: all outcomes were tried

    def _rows(self) -> list[Record]:
        return [dict(vars(self))]

    def _blocks(self) -> list[Line]:
        how = "all outcomes tried" if self.exact else "outcomes drawn at random"
        p_value = "" if math.isnan(self.p_value) else f", p = {self.p_value:.3g}"
        what = f"{self.metric}: difference {signed(self.value)}{p_value}"
        return [Line(f"{what} | exchange test, {self.discordant:,} rows answered differently, {how}")]


@documented("The difference, second less first, and its p-value.")
def exchange_test(
    counts: Counts, a: str, b: str, metric: str | Metric | Callable[..., float], *, n_resamples: int = 9_999, rng: Rng = 0
) -> ExchangeTest:
    """Swap the answers of two models within rows.  Tests exchangeability given the truth, which is more than equal scores."""
    from scipy.stats import binom

    counts, found = paired(counts, a, b), get_metric(metric)
    joint = counts.pair(a, b)
    if counts.weighted:
        raise ValueError("the exchange test swaps rows, and weighted counts have lost them; count without weights")
    k, statistic = counts.scale.K, _statistic(counts, [found], a, b)
    both = joint + joint.swapaxes(1, 2)
    kinds = np.argwhere(np.triu(both, 1))  # a true class and two different answers, the lower one first
    number, observed = both[tuple(kinds.T)], joint[tuple(kinds.T)]
    agreed = np.diagonal(joint, axis1=1, axis2=2)[..., None]  # (truth, answer)
    lower, upper = (_indicator(kinds[:, 0] * k + kinds[:, side], k * k) for side in (1, 2))

    def scores(swapped: Array) -> Array:
        """Differences where a gave the lower answer and b the upper one on `swapped` (b, kinds) rows, and the other way round on the rest."""
        one, other = swapped.T, (number - swapped).T
        tables = [(lower @ x + upper @ y).reshape(k, k, -1) + agreed for x, y in ((one, other), (other, one))]
        return statistic(np.moveaxis(np.stack(tables), -1, 0))[:, 0]

    difference = float(scores(observed[None])[0])
    if math.isnan(difference):
        return ExchangeTest(str(found), math.nan, math.nan, int(number.sum()), False)
    outcomes = math.prod((number + 1).tolist())
    exact = outcomes <= ENUMERATED
    size = outcomes if exact else n_resamples
    generator, step = np.random.default_rng(rng), max(1, STACK_BYTES // (16 * k * k))
    extreme = 0.0
    for start in range(0, size, step):
        chunk = np.arange(start, min(start + step, size))
        if exact:
            swapped = np.array(np.unravel_index(chunk, [1, *(number + 1)]))[1:].T
            weight = binom.pmf(swapped, number, 0.5).prod(-1)
        else:
            swapped, weight = generator.binomial(number, 0.5, (len(chunk), len(number))), np.ones(len(chunk))
        extreme += float(weight[np.abs(scores(swapped)) >= abs(difference) - 1e-12].sum())
    p_value = min(extreme, 1.0) if exact else (1 + extreme) / (1 + size)
    return ExchangeTest(str(found), difference, p_value, int(number.sum()), exact)


def _indicator(rows: Array, height: int) -> Any:
    """A sparse matrix (height, columns) with a one in each column, in the given row."""
    from scipy import sparse

    return sparse.csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(height, len(rows)))
