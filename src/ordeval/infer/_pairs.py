"""Differences between models on the same rows: intervals, p-values and verdicts of all of them from one walk each.

A difference is a score of the joint table of truth, first and second answer (or of rows with two forecasts), so the core serves
it as it serves a score.  The p-value is read where the same walk meets a difference of 0.  Several differences hold at once: their
critical value is a quantile of the largest of them, from the correlation of their influences.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.lazy import lazy
from ordeval.counts import Counts
from ordeval.infer._auto import PSEUDO_SIGNED, Streams
from ordeval.infer._conditions import Facts, refusal
from ordeval.infer._flips import paired
from ordeval.infer._row_space import RowSample, RowSpace, jackknifed
from ordeval.infer._tables import Clusters, TableSample, TableSpace, term
from ordeval.infer._walk import CLOSE, MOST_STEPS, NORMAL, Space, reached
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.stacks import by_place

FOR_P = 5  # times as many samples are simulated for a p-value as for a step
DRAWN_T = 20_000  # draws of the largest of several differences
BY_WALK = 45  # differences: of more, tails are taken as normal at every step instead of being simulated
NO_EXTREMES = "the score is a greatest or least over the classes, and no method was found for the difference of two"


@dataclass(eq=False)
class Problem:
    """One difference, second less first (or a sum of the two): where it starts and how it varies."""

    metric: Metric
    models: tuple[str, str]
    value: float
    reason: str  #: why no interval can be given
    space: TableSpace | RowSpace | None
    clusters: Clusters | None
    places: Array  #: the cells of the space in which rows lie
    weights: Array  #: theirs; of rows counted together, the root of their number
    units: Array  #: numbers of the rows, or of their clusters
    rows: float
    bounds: tuple[float, float]
    jackknife: tuple[Array, float] | None = None  #: of a slope, which has no space: its influence of each row, and its error

    def __post_init__(self) -> None:
        if self.space is not None and self.clusters is not None:
            self.space = self.space.scaled(self.clusters.rows(self.space, 0.025, student=False) / self.rows)

    @property
    def freedom(self) -> float:
        """Degrees of freedom of its error."""
        return max(1.0, (self.clusters.effective if self.clusters is not None and self.clustered else self.rows) - 1)

    @property
    def clustered(self) -> bool:
        return self.clusters is not None and not self.clusters.weighted_rows

    @lazy
    def influence(self) -> tuple[Array, float]:
        """How fast the difference changes with every cell, at the smoothed sample; and its standard error."""
        if self.jackknife is not None:
            return self.jackknife
        assert self.space is not None
        return self.space.influence(self.space.start)

    def per_unit(self, size: int) -> Array:
        """What every row, or cluster, adds to the difference: (size,)."""
        return np.bincount(self.units, self.weights * self.influence[0][self.places], minlength=size)

    def reach(self, tail: float) -> float:
        """How far out one end lies, in standard errors, where a single difference is asked for."""
        if not self.clustered:
            return -NORMAL.inv_cdf(tail)
        from scipy.special import stdtrit

        return float(-stdtrit(self.freedom, tail))


@dataclass(frozen=True)
class Ends:
    """The ends of one difference at several reaches, and its p-value as if it were the only one."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    z: float  #: how far out the observed difference is where there is none, in standard errors of the normal distribution
    floor: bool  #: no simulated sample was as far out


class Solver:
    """Walks from the smoothed sample, both ways, as far as is asked for."""

    def __init__(self, streams: Streams, size: int, *, simulate: bool = True) -> None:
        self.streams, self.size, self.simulate = streams, size, simulate

    def ends(self, problem: Problem, reaches: Sequence[float], *, test: bool = True) -> Ends | None:
        """None where most samples like this one have no score; without a test, the p-value is not looked for."""
        space, value = problem.space, problem.value
        assert space is not None
        walked = space if self.simulate else Normal(space)
        streams = self.streams.both(problem.metric, *problem.models)
        found = reached(walked, value, problem.bounds, reaches, streams, self.size)
        if found is None:
            return None
        low, high = zip(*found, strict=True)
        z, floor = self._at_zero(problem) if test else (math.nan, False)
        return Ends(low, high, z, floor)

    def _at_zero(self, problem: Problem) -> tuple[float, bool]:
        """How far out the observed difference lies in samples of models that do not differ."""
        space, value = problem.space, problem.value
        assert space is not None
        if abs(value) <= CLOSE:
            return 0.0, False
        size = FOR_P * self.size
        farthest = -NORMAL.inv_cdf(1 / (size + 1))
        sign = -1 if value > 0 else 1
        share, before = space.start, None
        for _ in range(MOST_STEPS):
            if sign * space.value(space.expected(share)) >= 0:
                break
            moved = space.moved(share, sign)
            if moved is None:
                return farthest, True
            share, before = moved, share
        else:
            return farthest, True
        if before is not None:
            share = _between(space, before, share, sign)
        if not self.simulate:
            _, error = space.influence(share)
            return (abs(value) / error if error > 0 else math.inf), False
        tail = space.tail(share, value, sign, size, self.streams.of(problem.metric, *problem.models, "p"))
        if math.isnan(tail):
            return math.nan, False
        k = tail * size
        return -NORMAL.inv_cdf(min((k + 1) / (size + 1), 0.5)), k == 0 and not isinstance(space, RowSpace)


def _between(space: TableSpace | RowSpace, before: Array, after: Array, sign: int) -> Array:
    """The shares between two steps at which the difference is 0, by halving the way."""
    low, high = 0.0, 1.0
    share = after
    for _ in range(30):
        part = (low + high) / 2
        share = space.shares(before ** (1 - part) * after**part)
        if sign * space.value(space.expected(share)) >= 0:
            high = part
        else:
            low = part
    return share


class Normal(Space):
    """A space whose scores are taken for normal at every step: for many differences, whose tails are too small to simulate."""

    simulates = False

    def __init__(self, space: TableSpace | RowSpace) -> None:
        self.space, self.stratum, self.sizes = space, space.stratum, space.sizes
        self.number, self.pseudo = space.number, space.pseudo
        self._known: tuple[Array, tuple[Array, float]] | None = None

    def value(self, weights: Array) -> float:
        return self.space.value(weights)

    def influence(self, share: Array) -> tuple[Array, float]:
        if self._known is None or self._known[0] is not share:  # a step asks twice: for its tail and for the next step
            self._known = (share, self.space.influence(share))
        return self._known[1]

    def tail(self, share: Array, observed: float, sign: int, size: int, rng: np.random.Generator) -> float:
        _, error = self.influence(share)
        return NORMAL.cdf(sign * (observed - self.value(self.expected(share))) / error) if error > 0 else 0.0


def critical(problems: Sequence[Problem], level: float, rng: np.random.Generator) -> Largest:
    """The distribution of the largest of several differences, in standard errors; those without an error are left out."""
    used = [p for p in problems if not p.reason and p.influence[1] > 0]
    if not used:
        return Largest(np.zeros(1), level)
    size = 1 + max(int(p.units.max(initial=0)) for p in used)
    adds = np.stack([p.per_unit(size) for p in used], -1)
    cover = adds.T @ adds
    spread = np.sqrt(np.maximum(np.diagonal(cover), 1e-300))
    correlation = cover / spread / spread[:, None]
    values, vectors = np.linalg.eigh(correlation)
    kept = values > 1e-10 * values.max()
    factor = vectors[:, kept] * np.sqrt(values[kept])
    freedom = min(p.freedom for p in used)
    largest = np.empty(DRAWN_T)
    step = max(1, (1 << 22) // len(used))
    for start in range(0, DRAWN_T, step):
        stop = min(start + step, DRAWN_T)
        normal = rng.standard_normal((stop - start, factor.shape[1])) @ factor.T
        largest[start:stop] = np.abs(normal).max(1) / np.sqrt(rng.chisquare(freedom, stop - start) / freedom)
    return Largest(np.sort(largest), level)


@dataclass(frozen=True, eq=False)
class Largest:
    """Draws of the largest of several standardised differences, in order."""

    draws: Array
    level: float

    def reach(self, level: float | None = None) -> float:
        """How far out the ends of all of them lie at once."""
        return float(np.quantile(self.draws, self.level if level is None else level))

    def p_value(self, z: float) -> float:
        """How often the largest is as far out."""
        beyond = len(self.draws) - int(np.searchsorted(self.draws, z))
        return (beyond + 1) / (len(self.draws) + 1)


def table_problems(
    counts: Counts, pairs: Iterable[tuple[str, str]], metrics: Sequence[Metric], *, first: int = -1
) -> dict[tuple[str, str], list[Problem]]:
    """The differences of scores of hard labels, over the rows that both models of a pair answered; with ``first=1``, the sums."""
    found = {}
    if counts.cluster is None:
        units = np.arange(len(counts.cells))
    else:
        units = np.unique(counts.cells[:, counts.axes.index(counts.cluster)], return_inverse=True)[1].reshape(-1)
    placed = by_place(counts, metrics)
    for a, b in pairs:
        problems = {}
        for part, alike in placed:  # the cells of all parts stand in one order, so units have one numbering
            both, sample = paired(part, a, b), TableSample(part, [a, b])
            clusters, places = sample.clusters(), sample.places(sample.cells())
            weights = np.sqrt(sample.weights) if counts.cluster is None else sample.weights
            facts = Facts(sample.rows, sample.truths, counts.scale.labels, clusters)
            for metric in alike:
                scores = tuple(float(metric.bind(both[m])(both[m].matrix)) for m in (a, b))
                reason = _why_not(metric, scores, facts)
                space = None if reason else sample.space([term(metric, both[a], first), term(metric, both[b])], PSEUDO_SIGNED)
                behind = (places, weights, units[sample.answered], sample.rows, _bounds(metric, sample.K, first))
                value = scores[1] + first * scores[0]
                problems[metric] = Problem(metric, (a, b), value, reason, space, clusters, *behind)
        found[a, b] = [problems[metric] for metric in metrics]
    return found


def row_problems(
    forecasts: Mapping[str, Forecast], pairs: Iterable[tuple[str, str]], metrics: Sequence[Metric]
) -> dict[tuple[str, str], list[Problem]]:
    """The differences of scores of rows, which all models have."""
    samples = {model: RowSample(rows) for model, rows in forecasts.items()}
    found = {}
    for a, b in pairs:
        one, other = samples[a], samples[b]
        clusters = one.clusters()
        facts = Facts(one.total, one.truths, one.labels, clusters)
        units = np.arange(len(one.true)) if one.unit is None else one.unit
        problems = []
        for metric in metrics:
            scores = tuple(float(metric.bind(forecasts[m]).point()) for m in (a, b))  # type: ignore[attr-defined]
            reason = _why_not(metric, scores, facts)
            slope = metric.structure == "slope"
            space = None if reason or slope else one.space([(metric, one), (metric, other)], PSEUDO_SIGNED)
            places = np.arange(len(one.true)) if slope else one.places
            by_row = jackknifed(metric, forecasts[a], forecasts[b]) if slope and not reason else None
            behind = (places, one.weights, units, one.total, _bounds(metric, one.K, -1), by_row)
            problems.append(Problem(metric, (a, b), scores[1] - scores[0], reason, space, clusters, *behind))
        found[a, b] = problems
    return found


def _bounds(metric: Metric, k: int, first: int) -> tuple[float, float]:
    """The least and the greatest difference, or sum, of two scores."""
    low, high = metric.bounds_for(k)
    return (low - high, high - low) if first < 0 else (2 * low, 2 * high)


def _why_not(metric: Metric, scores: tuple[float, ...], facts: Facts) -> str:
    reasons = [reason for reason in (refusal(metric, score, facts) for score in scores) if reason]
    return reasons[0] if reasons else NO_EXTREMES if metric.structure == "extreme" else ""
