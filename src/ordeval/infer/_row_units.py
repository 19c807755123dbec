"""Intervals and paired differences of scores of rows: probabilities and prediction sets.

Rows, or whole clusters of rows, are the units.  A replicate is a weight for every row, and every score takes weights, so what serves
tables serves rows: the same methods read the same evidence.  Where tables are nudged to see how fast a score changes, scores of rows
know their influence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._difference import Difference, difference_result
from ordeval.infer._evidence import Evidence
from ordeval.infer._units import Statistic, Units, one_cluster, rows_are_lost
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.row_scores import RowScore, points
from ordeval.metrics.families.sets import SetRows, sets_of

CHUNK_BYTES = 1 << 22  # weights of a chunk of replicates: several arrays of this size are at work at once
DRAWN_ROWS = 20_000  # beyond so many units replicates are drawn from the normal distribution that they have by then


class RowScores:
    """Several scores of the same rows as one statistic."""

    def __init__(self, scores: Sequence[RowScore]) -> None:
        self.scores = tuple(scores)

    def __call__(self, weights: Array) -> Array:
        return np.stack([score(weights) for score in self.scores], -1)

    def influences(self, weights: Array) -> Iterator[Array]:
        """The influence of every row on each score in turn, (b, N)."""
        return (score.influence(weights) for score in self.scores)


class Contrast(RowScore):
    """The score of a second model less that of a first, on the same rows."""

    def __init__(self, first: RowScore, second: RowScore) -> None:
        self.forecast, self.first, self.second = first.forecast, first, second

    def point(self) -> float:
        return self.second.point() - self.first.point()

    def __call__(self, weights: Array) -> Array:
        return self.second(weights) - self.first(weights)

    def influence(self, weights: Array) -> Array:
        return self.second.influence(weights) - self.first.influence(weights)


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

    def __init__(self, rows: Forecast | Counts, metrics: Sequence[Metric], n_resamples: int, rng: Rng) -> None:
        self.rows = rows
        scores = [bound(metric, rows) for metric in metrics]
        self._points = np.array(points(scores))
        super().__init__(None, metrics, n_resamples, rng, units=RowUnits.of(rows), statistic=RowScores(scores))

    @property
    def point(self) -> Array:
        return self._points

    @property
    def facts(self) -> dict[str, int]:
        """What the rules of `auto` ask about."""
        rows = sets_of(self.rows) if isinstance(self.rows, Counts) else self.rows
        counted = rows.weights if isinstance(rows, SetRows) else None
        per_class = np.bincount(rows.true, counted)
        return {"rows": self.units.total, "class_rows": int(per_class[per_class > 0].min())}


def bound(metric: Metric, rows: Forecast | Counts) -> RowScore:
    """The metric as a score of these rows, which may be sets."""
    found = metric.bind(rows)
    assert isinstance(found, RowScore)
    return found


def row_differences(
    first: Forecast,
    second: Forecast,
    metrics: Sequence[Metric],
    *,
    models: tuple[str, str] = ("", ""),
    primary: bool = True,
    margin: float | None = None,
    confidence_level: float = 0.95,
    band_level: float | None = None,
    n_resamples: int = 1_999,
    rng: Rng = 0,
) -> list[Difference]:
    """The paired differences of several scores of the same rows, second less first; see `differences` for those of hard labels."""
    units = RowUnits.of(first)
    scores = [Contrast(bound(metric, first), bound(metric, second)) for metric in metrics]
    statistic, generator = RowScores(scores), np.random.default_rng(rng)
    point = np.array([score.point() for score in scores])
    influence = units.influence(statistic)
    error = units.standard_error(influence)
    if units.total <= DRAWN_ROWS:
        values, errors = units.studentised(statistic, n_resamples, generator)
    else:
        with np.errstate(invalid="ignore"):
            scaled = np.nan_to_num(influence / np.where(error > 0, error, np.nan))
        values = point + error * generator.multivariate_normal(np.zeros(len(point)), scaled.T @ scaled, n_resamples, method="svd")
        errors = np.broadcast_to(error, values.shape)
    return difference_result(
        metrics,
        point,
        error,
        values,
        errors,
        models=models,
        primary=primary,
        margin=margin,
        confidence_level=confidence_level,
        band_level=band_level or confidence_level,
    )
