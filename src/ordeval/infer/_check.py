"""The self-check: how often the interval would hold in data sets like the user's own.

Data sets are drawn from the smoothed sample, each gets its interval, and it is counted how often that holds the score of the smoothed
sample.  An interval holds a score where the walk towards it meets it before the tail is reached, so one simulation for each data
set says it.  This checks the method at one population near the sample.  It cannot know of errors that the sample does not show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.progress import Share
from ordeval.infer._auto import RowIntervals, Streams, TableIntervals, by_class, pseudo_rows
from ordeval.infer._conditions import Facts, lacking
from ordeval.infer._row_space import RowSample, RowSpace
from ordeval.infer._tables import Clusters, TableSpace
from ordeval.infer._walk import CLOSE, MOST_STEPS, NEVER_BEFORE, NORMAL, STRIDE, Space, mid_p
from ordeval.metrics import Metric

DATA_SETS = 400
SIMULATED = 600  # samples for each of them
SUSPECT = 0.90  # below, the score says that its interval holds less often than it should


@dataclass(frozen=True)
class Held:
    """In which share of the data sets the interval held, with its Monte-Carlo error, and in which share one could be given."""

    share: float
    error: float
    given: float

    @classmethod
    def of(cls, held: list[bool], drawn: int) -> Held:
        if not held:
            return cls(math.nan, math.nan, 0.0)
        share = sum(held) / len(held)
        return cls(share, math.sqrt(share * (1 - share) / len(held)), len(held) / drawn)


def check(intervals: TableIntervals | RowIntervals, metric: Metric, confidence_level: float, streams: Streams) -> Held:
    """How often the interval of this score holds in data sets drawn from the smoothed sample."""
    tail = (1 - confidence_level) / 2
    k = intervals.sample.K
    whole = intervals.space(metric)
    draw = _Drawn(intervals, metric, whole)
    truth = draw.truth
    rng, held = streams.of("check", metric), []
    with Share(f"checking {metric.name}") as progress:
        for number in range(DATA_SETS):
            space, clusters, facts = draw.one(rng)
            value = math.nan if space is None else draw.score(space)
            if space is not None and not (math.isnan(value) or lacking(metric, facts)):
                if metric.structure == "share":
                    rows = float(space.number.sum()) if clusters is None else clusters.rows(space, tail)
                    low, high = mid_p(value, rows, tail)
                    held.append(low - CLOSE <= truth <= high + CLOSE)
                else:
                    if clusters is not None:
                        space = space.scaled(clusters.rows(space, tail) / float(space.number.sum()))
                    reach = space.widening() * -NORMAL.inv_cdf(tail)
                    held.append(holds(space, value, truth, metric.bounds_for(k), reach, streams.of("check", metric, number)))
            progress.show(number / DATA_SETS)
    return Held.of(held, DATA_SETS)


def holds(
    space: Space, observed: float, score: float, bounds: tuple[float, float], reach: float, rng: np.random.Generator
) -> bool:
    """Whether the interval of an observed score would hold another one."""
    if abs(score - observed) <= CLOSE * max(1.0, abs(observed)):
        return True
    sign = 1 if score > observed else -1
    if abs(observed - bounds[(sign + 1) // 2]) <= CLOSE * max(1.0, abs(observed)):
        return False
    share, before = space.start, observed
    for step in range(1, MOST_STEPS + 1):
        moved = space.moved(share, sign)
        if moved is None:
            return False
        value = space.value(space.expected(moved))
        if sign * (value - score) >= 0:
            if step <= NEVER_BEFORE:
                return True
            part = (score - before) / (value - before) if value != before else 1.0
            between = space.moved(share, sign, STRIDE * min(max(part, 0.0), 1.0))
            tail = space.tail(moved if between is None else between, observed, sign, SIMULATED, rng)
            return not math.isnan(tail) and -NORMAL.inv_cdf(min(max(tail, 0.25 / SIMULATED), 0.5)) <= reach
        share, before = moved, value
    return False


class _Drawn:
    """Data sets like the sample: rows drawn from its smoothed table, or its clusters drawn as they are."""

    def __init__(self, intervals: TableIntervals | RowIntervals, metric: Metric, space: TableSpace | RowSpace) -> None:
        self.intervals, self.metric, self.space = intervals, metric, space
        self.clusters = intervals.clusters
        together = space.number if self.clusters is not None else space.number + space.pseudo
        self.share = together / together.sum()
        self.rows = round(float(space.number.sum()))
        self.truth = space.value(self.rows * self.share)

    def one(self, rng: np.random.Generator) -> tuple[TableSpace | RowSpace | None, Clusters | None, Facts]:
        clusters = None
        if self.clusters is None:
            number = rng.multinomial(self.rows, self.share).astype(float)
        else:
            adds = self.clusters.adds[rng.integers(0, self.clusters.adds.shape[0], self.clusters.adds.shape[0])]
            clusters = Clusters(adds, self.clusters.weighted_rows)
            number = np.asarray(adds.sum(0)).ravel()
        facts = Facts(float(number.sum()), self._truths(number), self.intervals.facts.labels, clusters)
        if not number.any():
            return None, clusters, facts
        return self._space(number), clusters, facts

    def score(self, space: TableSpace | RowSpace) -> float:
        if isinstance(space, TableSpace):
            return float(space.scores(space.number[None])[0])
        return space.value(space.number)

    def _truths(self, number: Array) -> Array:
        k = self.intervals.sample.K
        if isinstance(self.space, TableSpace):
            return np.bincount(self.space.places[:, 0] // k, number, minlength=k)
        sample = self.intervals.sample
        assert isinstance(sample, RowSample)
        return np.asarray(number.reshape(k, -1).sum(1)) if sample.expands else np.bincount(sample.true, number, minlength=k)

    def _space(self, number: Array) -> TableSpace | RowSpace:
        if isinstance(self.space, TableSpace):
            space = self.space
            fixed = space.stratum if by_class(self.metric) else None
            return TableSpace(space.terms, space.places, space.K, number, space.pseudo, stratum=fixed)
        pseudo, sample = self.space.pseudo, self.intervals.sample
        assert isinstance(sample, RowSample)
        if sample.expands:  # what might have come true instead, for the forecasts that were drawn
            table = number.reshape(sample.K, -1)
            others = table.sum(0) - table
            pseudo = (others * (pseudo_rows(self.metric) / others.sum())).ravel()
        return RowSpace(number, pseudo, float(number.sum()), score=self.space.score, values=self.space.values)
