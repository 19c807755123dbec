"""Intervals and paired differences of scores of rows: probabilities and prediction sets.

Rows, or whole clusters of rows, are the units.  A replicate is a weight for every row, and every score takes weights, so what serves
tables serves rows: the same methods read the same evidence.  Where tables are nudged to see how fast a score changes, scores of rows
know their influence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.lazy import lazy
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import SIMULATED, Interval, RowIntervals, none
from ordeval.infer._conditions import refusal
from ordeval.infer._evidence import Evidence
from ordeval.infer._units import Statistic, Units, one_cluster, rows_are_lost
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.row_scores import RowScore, points
from ordeval.metrics.families.sets import sets_of

CHUNK_BYTES = 1 << 22  # weights of a chunk of replicates: several arrays of this size are at work at once


class RowScores:
    """Several scores of the same rows as one statistic."""

    def __init__(self, scores: Sequence[RowScore]) -> None:
        self.scores = tuple(scores)

    def __call__(self, weights: Array) -> Array:
        return np.stack([score(weights) for score in self.scores], -1)

    def influences(self, weights: Array) -> Iterator[Array]:
        """The influence of every row on each score in turn, (b, N)."""
        return (score.influence(weights) for score in self.scores)


class RowUnits(Units):
    """Rows, kinds of row, or clusters of rows: how many there are of each, and what weight one of them gives to its rows."""

    def __init__(self, true: Array, weights: Array, *, number: Array | None = None, cluster: Array | None = None) -> None:
        self.clustered = cluster is not None
        self._weights = weights
        if cluster is None:
            self._unit = np.arange(len(weights))
            self.number = np.ones(len(weights)) if number is None else number
            self.stratum = true
        else:
            self._unit = np.unique(cluster, return_inverse=True)[1].reshape(-1)
            self.number = np.ones(int(self._unit.max()) + 1)
            self.stratum = np.zeros(len(self.number), int)
            if len(self.number) < 2:
                raise one_cluster()

    @classmethod
    def of(cls, rows: Forecast | Counts) -> RowUnits:
        """The units of a forecast, or of counts of prediction sets."""
        if isinstance(rows, Forecast):
            return cls(rows.true, rows.weights, cluster=rows.cluster)
        sets = sets_of(rows)
        if rows.cluster is not None:
            return cls(sets.true, sets.weights, cluster=rows.cells[:, rows.axes.index(rows.cluster)])
        if rows.weighted:
            raise rows_are_lost("sets", "counts")
        return cls(sets.true, np.ones(len(sets)), number=sets.weights)

    def stack(self, weights: Array) -> Array:
        """Weights of the rows (b, N) of samples that hold each unit as often as the weights (b, units) say."""
        rows: Array = (weights[:, self._unit] if self.clustered else weights) * self._weights
        return rows

    def chunks(self, size: int) -> Iterator[slice]:
        step = max(1, CHUNK_BYTES // (8 * len(self._weights)))
        return (slice(start, min(start + step, size)) for start in range(0, size, step))

    def draw(self, size: int, rng: np.random.Generator, *, stratified: bool = False) -> Array:
        if stratified or (self.number != 1).any():
            return super().draw(size, rng, stratified=stratified)
        units = len(self.number)  # each occurs once: drawing their numbers is several times faster than a multinomial draw
        drawn = rng.integers(0, units, (size, units)) + units * np.arange(size)[:, None]
        weights: Array = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units)
        return weights

    def influence(self, statistic: Statistic) -> Array:
        rows = self.stack(self.number[None])
        return np.stack([self._of_units(found)[0] for found in _scores(statistic).influences(rows)], -1)

    def _of_units(self, influence: Array) -> Array:
        """What one more unit of each kind changes, (b, units), from what the weight of a row changes, (b, N)."""
        changes: Array = influence * self._weights
        if not self.clustered:
            return changes
        from scipy import sparse

        members = sparse.csr_matrix((np.ones(len(self._unit)), (self._unit, np.arange(len(self._unit)))))
        return np.asarray((members @ changes.T).T)

    def left_out(self, statistic: Statistic) -> Array:
        """The infinitesimal jackknife: leaving out a unit undoes its influence, which is exact for means of equally weighted rows."""
        return self.point(statistic) - self.influence(statistic) * self.total / (self.total - 1)

    def _errors(self, statistic: Statistic, weights: Array) -> Array:
        correction = self.total / (self.total - 1) if self.clustered else 1.0
        errors = []
        for found in _scores(statistic).influences(self.stack(weights)):
            influence = self._of_units(found)
            with np.errstate(invalid="ignore"):
                square = (weights * influence**2).sum(1) - (weights * influence).sum(1) ** 2 / self.total
                errors.append(np.sqrt(np.maximum(square, 0) * correction))
        return np.stack(errors, -1)


def _scores(statistic: Statistic) -> RowScores:
    assert isinstance(statistic, RowScores)
    return statistic


class RowEvidence(Evidence):
    """What an interval of a score of rows may be made from."""

    def __init__(self, rows: Forecast | Counts, metrics: Sequence[Metric], n_resamples: int | None, rng: Rng) -> None:
        self.rows = rows
        scores = [bound(metric, rows) for metric in metrics]
        self._points = np.array(points(scores))
        super().__init__(None, metrics, n_resamples, rng, units=RowUnits.of(rows), statistic=RowScores(scores))

    @property
    def point(self) -> Array:
        return self._points

    @lazy
    def _intervals(self) -> RowIntervals:
        return RowIntervals(self.rows, self._rng, self._asked or SIMULATED)

    @property
    def intervals(self) -> RowIntervals:
        return self._intervals

    def auto(self, m: int, confidence_level: float) -> Interval:
        metric, value = self.metrics[m], float(self.point[m])
        if metric.structure != "slope":
            return self._intervals.interval(metric, value, confidence_level)
        from ordeval.infer._methods import METHODS

        reason = refusal(metric, value, self._intervals.facts)
        return none(reason) if reason else Interval(*METHODS["jackknife"](self, m, 1 - confidence_level), "jackknife")


def bound(metric: Metric, rows: Forecast | Counts) -> RowScore:
    """The metric as a score of these rows, which may be sets."""
    found = metric.bind(rows)
    assert isinstance(found, RowScore)
    return found
