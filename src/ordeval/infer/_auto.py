"""method="auto": the interval that follows from the structure of a score."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np

from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._conditions import MOSTLY_UNDEFINED, Facts, refusal
from ordeval.infer._row_space import RowSpace, sample_of
from ordeval.infer._tables import Clusters, TableSample, TableSpace, class_limits, term
from ordeval.infer._walk import Stream, ends, mid_p
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast

SIMULATED = 2_000  # samples at every step
PSEUDO = 1.0  # rows that smoothing adds
PSEUDO_SIGNED = 4.0  # where both signs must be possible: a signed score, a difference


@dataclass(frozen=True)
class Interval:
    """The ends, how they were found, and why there are none where there are none."""

    low: float
    high: float
    method: str
    undefined_share: float = 0.0  #: share of replicates on which the score has no value
    reason: str = ""  #: why no interval can be given; empty where one is
    rows: float = math.nan  #: of clusters or weighted rows: as good as how many independent rows


def none(reason: str) -> Interval:
    return Interval(math.nan, math.nan, "none", reason=reason)


class Streams:
    """Random numbers for each score and end, so that asking for one score does not change another."""

    def __init__(self, rng: Rng) -> None:
        generator = np.random.default_rng(rng).bit_generator
        self._kind = type(generator)
        self._root = generator.seed_seq.spawn(1)[0]  # type: ignore[attr-defined]

    def of(self, *names: object) -> np.random.Generator:
        key = [zlib.crc32(str(name).encode()) for name in names]
        seed = np.random.SeedSequence(self._root.entropy, spawn_key=(*self._root.spawn_key, *key))
        return np.random.Generator(self._kind(seed))

    def steps(self, *names: object) -> Stream:
        """A stream for each step of a walk."""
        return lambda step: self.of(*names, step)

    def both(self, *names: object) -> tuple[Stream, Stream]:
        """The streams of the two ends."""
        return self.steps(*names, "low"), self.steps(*names, "high")


def by_class(metric: Metric) -> bool:
    """The class sizes are held fixed when samples are drawn: the score does not depend on them."""
    return metric.structure == "class_mean" or (metric.structure == "custom" and "prevalence" in metric.laws)


def pseudo_rows(metric: Metric) -> float:
    signed = metric.structure == "signed_mean" or (metric.structure == "custom" and not isinstance(metric.direction, str))
    return PSEUDO_SIGNED if signed else PSEUDO


class TableIntervals:
    """The intervals of the scores of one model's hard labels."""

    def __init__(self, counts: Counts, rng: Rng, size: int = SIMULATED) -> None:
        self.sample, self.streams, self.size = TableSample(counts), Streams(rng), size
        self.clusters = self.sample.clusters()

    @property
    def facts(self) -> Facts:
        return Facts(self.sample.rows, self.sample.truths, self.sample.counts.scale.labels, self.clusters)

    def space(self, metric: Metric) -> TableSpace:
        counts = self.sample.counts
        return self.sample.space([term(metric, counts)], pseudo_rows(metric), by_class=by_class(metric))

    def interval(self, metric: Metric, value: float, confidence_level: float) -> Interval:
        reason = refusal(metric, value, self.facts)
        if reason:
            return none(reason)
        tail = (1 - confidence_level) / 2
        if metric.structure == "extreme":
            return self._of_classes(metric, tail)
        space = self.space(metric)
        if metric.structure == "share":
            rows = self.sample.rows if self.clusters is None else self.clusters.rows(space, tail)
            return Interval(*mid_p(value, rows, tail), "mid-P", rows=math.nan if self.clusters is None else rows)
        return inverted(self, metric, space, value, tail, self.sample.rows)

    def _of_classes(self, metric: Metric, tail: float) -> Interval:
        """A greatest or least over classes: one end needs only the limit of its own class, the other pays for having looked at all."""
        limits, k = class_limits(metric, self.sample), self.sample.K
        tails, bounds = (tail, tail / k), metric.bounds_for(k)
        low, high = np.empty((2, k, 2))
        for t, (space, value, share) in enumerate(zip(limits.spaces, limits.values, limits.shares, strict=True)):
            rows = float(space.number.sum())
            for i, one in enumerate(tails):
                effective = rows if self.clusters is None else _of_class(self.clusters, t, k).rows(space, one)
                if not effective > 0:  # all its rows in one cluster: how clusters differ is not known
                    low[t, i], high[t, i] = bounds
                elif share:
                    low[t, i], high[t, i] = mid_p(value, effective, one)
                else:
                    scaled = space.scaled(effective / rows)
                    found = ends(scaled, value, bounds, (one,), self.streams.both(metric, t, i), self.size)
                    low[t, i], high[t, i] = found[0] if found else bounds
        if limits.highest:
            return Interval(float(low[:, 1].max()), float(high[:, 0].max()), "class limits")
        return Interval(float(low[:, 0].min()), float(high[:, 1].min()), "class limits")


def _of_class(clusters: Clusters, true: int, k: int) -> Clusters:
    """What the clusters add to the cells of one true class."""
    return Clusters(clusters.adds[:, true * k : (true + 1) * k], clusters.weighted_rows)


class RowIntervals:
    """The intervals of scores of rows: probabilities, prediction sets."""

    def __init__(self, rows: Forecast | Counts, rng: Rng, size: int = SIMULATED) -> None:
        self.sample, self.streams, self.size = sample_of(rows), Streams(rng), size
        self.clusters = self.sample.clusters()

    @property
    def facts(self) -> Facts:
        return Facts(self.sample.total, self.sample.truths, self.sample.labels, self.clusters)

    def space(self, metric: Metric) -> RowSpace:
        """Rows, and what might have come true instead."""
        return self.sample.space([(metric, self.sample)], pseudo_rows(metric))

    def interval(self, metric: Metric, value: float, confidence_level: float) -> Interval:
        """By structure; a slope is left to the jackknife, which the caller has."""
        reason = refusal(metric, value, self.facts)
        if reason:
            return none(reason)
        tail, space = (1 - confidence_level) / 2, self.space(metric)
        if metric.structure == "share":
            rows = self.sample.total if self.clusters is None else self.clusters.rows(space, tail)
            return Interval(*mid_p(value, rows, tail), "mid-P", rows=math.nan if self.clusters is None else rows)
        return inverted(self, metric, space, value, tail, self.sample.total)


def inverted(
    intervals: TableIntervals | RowIntervals, metric: Metric, space: TableSpace | RowSpace, value: float, tail: float, rows: float
) -> Interval:
    """The interval by test inversion; of clusters and weighted rows, at their effective number of rows."""
    effective = math.nan
    if intervals.clusters is not None:
        effective = intervals.clusters.rows(space, tail)
        space = space.scaled(effective / rows)
    streams = intervals.streams.both(metric)
    found = ends(space, value, metric.bounds_for(intervals.sample.K), (tail,), streams, intervals.size)
    return none(MOSTLY_UNDEFINED) if found is None else Interval(*found[0], "test inversion", rows=effective)
