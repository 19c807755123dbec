"""Is one model better than another on the same rows?  Paired differences with intervals and p-values, simultaneous where there are several.

The exchange test, which assumes more, is named for what it tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import SIMULATED, Streams
from ordeval.infer._common import record
from ordeval.infer._conditions import MOSTLY_UNDEFINED
from ordeval.infer._flips import paired
from ordeval.infer._pairs import BY_WALK, Ends, Largest, Problem, Solver, critical, row_problems, table_problems
from ordeval.infer._units import STACK_BYTES, Statistic
from ordeval.infer._walk import CLOSE, NORMAL
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.show import Line, Result
from ordeval.show._numbers import p_words, signed
from ordeval.show._result import Record

ENUMERATED = 200_000  # outcomes of the exchange test that are tried one by one rather than sampled


@dataclass(frozen=True)
class Difference(Result):
    """The score of the second model minus that of the first."""

    metric: str
    value: float
    low: float
    high: float
    p_value: float
    band: tuple[float, float]  #: widened so that those of all scores that do not decide hold at once
    reason: str = ""  #: why there is no interval; empty where there is one
    equivalent: bool | None = None  #: with a margin: with this confidence within it on both sides
    not_inferior: bool | None = None  #: with a margin: with this confidence not worse by more than it
    a: str = ""  #: the first model
    b: str = ""  #: the second
    p_is_bound: bool = False  #: no simulated sample was as far out, so the p-value is at most this

    @property
    def p_text(self) -> str:
        """The p-value as it is printed."""
        return p_words(self.p_value, self.p_is_bound)

    def _rows(self) -> list[Record]:
        columns = "a b metric difference low high band_low band_high p_value equivalent not_inferior reason"
        numbers = (self.value, self.low, self.high, *self.band, self.p_value)
        return [record(columns, self.a, self.b, self.metric, *numbers, self.equivalent, self.not_inferior, self.reason)]

    def _blocks(self) -> list[Line]:
        if self.reason:
            return [Line(f"{signed(self.value)} (no interval: {self.reason})")]
        return [Line(f"{signed(self.value)} [{signed(self.low)}, {signed(self.high)}], {self.p_text}")]


def _statistic(counts: Counts, metrics: Sequence[Metric], a: str, b: str) -> Statistic:
    """Scores of b less scores of a, (b, metrics), each metric bound to its own model's whole sample."""
    bound = [(metric.bind(counts[a]), metric.bind(counts[b])) for metric in metrics]
    return lambda stack: np.stack([second(stack[:, 1]) - first(stack[:, 0]) for first, second in bound], -1)


def differences(
    counts: Counts,
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[Metric],
    *,
    forecasts: Mapping[str, Forecast] | None = None,
    margin: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> dict[tuple[str, str], dict[str, Difference]]:
    """The paired differences of several scores between several pairs of models; the first score decides.

    Of several pairs the intervals of a score are simultaneous, and so are its p-values.  The bands are those of all scores that do
    not decide, together.  Rows that one of the two left unanswered are left out: a difference is between scores of the same rows.
    """
    tables = [metric for metric in metrics if metric.needs_only_counts or forecasts is None]
    others = [metric for metric in metrics if metric not in tables]
    problems = table_problems(counts, pairs, tables)
    if others and forecasts is not None:
        rows = row_problems(forecasts, pairs, others)
        problems = {pair: [*found, *rows[pair]] for pair, found in problems.items()}
    size, streams = n_resamples or SIMULATED, Streams(rng)
    solver = Solver(streams, size, simulate=len(pairs) <= BY_WALK)
    alpha = 1 - confidence_level
    bands: dict[str, Largest] = {}
    for part in (tables, others):  # they have no rows in common, so they share the error between them
        secondary = [metric for metric in part if metric != metrics[0]]
        if secondary:
            level = 1 - alpha * len(secondary) / (len(metrics) - 1)
            family = [p for found in problems.values() for p in found if p.metric in secondary]
            bands |= dict.fromkeys(map(str, secondary), critical(family, level, streams.of("bands", part is tables)))
    results: dict[tuple[str, str], dict[str, Difference]] = {pair: {} for pair in pairs}
    for metric in metrics:
        family = [p for found in problems.values() for p in found if p.metric == metric]
        largest = None if len(pairs) == 1 else critical(family, confidence_level, streams.of("pairs", metric))
        for problem in family:
            if largest is None:
                reaches = [problem.reach(alpha / 2), problem.reach(alpha)]
            else:
                reaches = [largest.reach(), largest.reach(1 - 2 * alpha)]
            reaches.append(bands[str(metric)].reach() if str(metric) in bands else reaches[0])
            found = _solved(solver, problem, reaches)
            p_value = math.nan if found is None else _p_value(problem, found.z, largest)
            decides = margin if metric == metrics[0] else None
            results[problem.models][str(metric)] = _difference(problem, found, p_value, alpha, decides)
    return {pair: {str(metric): found[str(metric)] for metric in metrics} for pair, found in results.items()}


def _solved(solver: Solver, problem: Problem, reaches: Sequence[float]) -> Ends | None:
    if problem.reason:
        return None
    if problem.space is not None:
        return solver.ends(problem, reaches)
    _, error = problem.influence
    half = [reach * error for reach in reaches]
    z = 0.0 if abs(problem.value) <= CLOSE else abs(problem.value) / error if error > 0 else math.inf
    return Ends(tuple(problem.value - h for h in half), tuple(problem.value + h for h in half), z, False)


def _p_value(problem: Problem, z: float, largest: Largest | None) -> float:
    """Two-sided; of several differences, the probability that the largest of them is so far out."""
    if math.isnan(z):
        return math.nan
    if largest is not None:
        return largest.p_value(z)
    if problem.clustered:
        from scipy.special import stdtr

        return min(1.0, 2 * float(stdtr(problem.freedom, -z)))
    return min(1.0, 2 * NORMAL.cdf(-z))


def _difference(problem: Problem, ends: Ends | None, p_value: float, alpha: float, margin: float | None) -> Difference:
    metric, value, none = problem.metric, problem.value, math.nan
    if ends is None:
        reason = problem.reason or MOSTLY_UNDEFINED
        return Difference(str(metric), value, none, none, none, (none, none), reason, None, None, *problem.models)
    low, high = _kept_apart(value, ends.low[0], ends.high[0], p_value < alpha)
    band = (min(ends.low[2], low), max(ends.high[2], high))
    equivalent = not_inferior = None
    if margin is not None:
        equivalent = -margin < ends.low[1] and ends.high[1] < margin
        not_inferior = low > -margin if metric.direction == "higher" else high < margin
    return Difference(
        str(metric), value, low, high, p_value, band, "", equivalent, not_inferior, *problem.models, p_is_bound=ends.floor
    )  # fmt: skip


def _kept_apart(value: float, low: float, high: float, significant: bool) -> tuple[float, float]:
    """Interval and p-value rest on different simulated samples: the end next to 0 follows the p-value."""
    inside = low <= 0 <= high
    if significant and inside:
        least = min(abs(value), 1e-12)
        return (least, high) if value > 0 else (low, -least)
    if not significant and not inside:
        return min(low, 0.0), max(high, 0.0)
    return low, high


@dataclass(frozen=True)
class ExchangeTest(Result):
    """The exchange test: if the two models had swapped their answers on some rows, would such a difference be as likely?"""

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


@documented("The difference, second minus first, and its p-value.")
def exchange_test(
    counts: Counts, a: str, b: str, metric: str | Metric | Callable[..., float], *, n_resamples: int = 9_999, rng: Rng = 0
) -> ExchangeTest:
    """Swap the answers of two models within rows.  Tests exchangeability given the truth, which is more than equal scores."""
    from scipy.stats import binom

    found = get_metric(metric)
    counts = paired(found.place(counts), a, b)
    joint = counts.pair(a, b)
    if counts.weighted:
        raise ValueError(
            "the exchange test swaps answers row by row, and weighted counts no longer hold the rows; count without weights"
        )
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
