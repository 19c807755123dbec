"""Units: what is drawn again when a sample is resampled.  Rows of the same kind, or whole clusters of rows.

Removing or repeating any row of the same cell is the same thing, so a sample of N rows has at most as many kinds of unit as
cells, and resampling it is one multinomial draw.  Each unit carries its tables, one per model: weights (B, units) times tables
(units, models · K²) is a stack of replicates.  The same product serves one model, two on the same rows, fifty, and clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.base.progress import shown
from ordeval.counts import Counts

Statistic = Callable[[Array], Array]  # from a stack (b, models, K, K) to values (b, ...)

STACK_BYTES = 1 << 21  # a chunk of replicates stays in the cache
NUDGE = 1e-3  # of a unit, up and down, to see how fast a score changes
ROW = "weighted row"  # the axis that keeps weighted rows apart
DRAW_BYTES = 1 << 26  # and the draws behind it in memory


def rows_are_lost(what: str, where: str) -> ArgumentError:
    return ArgumentError(
        f"an interval from weighted {what} needs the rows themselves, which {where} no longer hold",
        argument="cluster",
        remedy="number the rows and count again with {cluster:that column}",
    )


def one_cluster() -> ArgumentError:
    return ArgumentError(
        "all rows belong to one cluster, and one cluster says nothing about the next",
        argument="cluster",
        remedy="leave {cluster} out",
    )


class Units:
    """The units of a sample: how many of each kind there are, and the tables that one of them adds."""

    number: Array  #: (units,) how many there are of each kind
    stratum: Array  #: (units,) the true class of each kind of row; all 0 for clusters

    def __init__(self, counts: Counts, models: Sequence[str] | None = None) -> None:
        from scipy import sparse

        self.models = tuple(models or counts.models)
        self.K = counts.scale.K
        self.clustered = counts.cluster is not None
        if counts.weighted and not self.clustered:
            raise rows_are_lost("rows", "cells")
        columns = [counts.axes.index(axis) for axis in ("true", *self.models)]
        answered = (counts.cells[:, columns[1:]] >= 0).any(1)
        cells, weights = counts.cells[answered], counts.weights[answered]
        true, answers = cells[:, columns[0]], cells[:, columns[1:]]
        of_unit = [counts.axes.index(counts.cluster)] if counts.cluster else columns
        kinds, kind = np.unique(cells[:, of_unit], axis=0, return_inverse=True)
        kind = kind.reshape(-1)
        self.number = np.ones(len(kinds)) if self.clustered else np.bincount(kind, weights, minlength=len(kinds))
        self.stratum = np.zeros(len(kinds), int) if self.clustered else kinds[:, 0]
        if self.clustered and len(kinds) < 2:
            raise one_cluster()
        adds = weights if self.clustered else weights / self.number[kind]
        cell = np.arange(len(self.models)) * self.K**2 + true[:, None] * self.K + answers
        row, model = np.nonzero(answers >= 0)
        shape = (len(self.models) * self.K**2, len(kinds))
        self._tables = sparse.csr_matrix((adds[row].astype(float), (cell[row, model], kind[row])), shape=shape)

    @property
    def total(self) -> int:
        """How many units there are: rows, or clusters."""
        return int(self.number.sum())

    def stack(self, weights: Array) -> Array:
        """Tables (b, models, K, K) of samples that hold each unit as often as the weights (b, units) say.

        The replicates lie side by side in memory, so kernels run along them and not along the short axes of a table.
        """
        cells = np.asarray(self._tables @ np.ascontiguousarray(weights.T, float))
        return np.moveaxis(cells.reshape(len(self.models), self.K, self.K, -1), -1, 0)

    def chunks(self, size: int) -> Iterator[slice]:
        """Slices of a long list of samples, so small that a stack of them stays in the cache."""
        table, draw = 8 * len(self.models) * self.K**2, 8 * len(self.number)
        step = max(1, min(STACK_BYTES // table, DRAW_BYTES // draw))
        return (slice(start, min(start + step, size)) for start in range(0, size, step))

    def values(self, statistic: Statistic, weights: Callable[[slice], Array], size: int) -> Array:
        """The statistic of `size` samples whose weights are made chunk by chunk."""
        chunks = shown(self.chunks(size), size, "resampling")
        return np.concatenate([statistic(self.stack(weights(chunk))) for chunk in chunks])

    def point(self, statistic: Statistic) -> Array:
        """The statistic of the sample itself."""
        found: Array = statistic(self.stack(self.number[None]))[0]
        return found

    def draw(self, size: int, rng: np.random.Generator, *, stratified: bool = False) -> Array:
        """Samples of the same size drawn with replacement, as weights (size, units); stratified keeps the number of each true class."""
        if not stratified:
            return rng.multinomial(self.total, self.number / self.total, size)
        weights = np.zeros((size, len(self.number)), np.int64)
        for stratum in np.unique(self.stratum):
            inside = self.stratum == stratum
            rows = self.number[inside].sum()
            weights[:, inside] = rng.multinomial(int(rows), self.number[inside] / rows, size)
        return weights

    def resampled(self, statistic: Statistic, size: int, rng: np.random.Generator, *, stratified: bool = False) -> Array:
        """The statistic of samples drawn with replacement: bootstrap replicates, (size, ...)."""
        return self.values(statistic, lambda chunk: self.draw(chunk.stop - chunk.start, rng, stratified=stratified), size)

    def studentised(self, statistic: Statistic, size: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Bootstrap replicates of the statistic, and the standard error that each of them would have reported."""
        parts = []
        for chunk in shown(self.chunks(size), size, "resampling"):
            weights = self.draw(chunk.stop - chunk.start, rng)
            parts.append((statistic(self.stack(weights)), self._errors(statistic, weights)))
        values, errors = zip(*parts, strict=True)
        return np.concatenate(values), np.concatenate(errors)

    def _errors(self, statistic: Statistic, weights: Array) -> Array:
        """Standard errors of the statistic on many samples at once: the delta method of `standard_error`.

        What a unit changes is the sum of what its rows change, cell by cell, and there are fewer cells than clusters, or pairs of cells.
        """
        stack = self.stack(weights)
        used = np.flatnonzero(np.diff(self._tables.indptr))
        tables = self._tables[used]
        slopes = np.stack([self._slope(statistic, stack, cell, tables[[i]].data.min()) for i, cell in enumerate(used.tolist())])
        correction = self.total / (self.total - 1) if self.clustered else 1.0
        errors = []
        for slope in np.moveaxis(slopes.reshape(len(used), len(stack), -1), -1, 0):
            influence = (tables.T @ slope).T
            square = (weights * influence**2).sum(1) - (weights * influence).sum(1) ** 2 / self.total
            errors.append(np.sqrt(np.maximum(square, 0) * correction))
        return np.stack(errors, -1).reshape(slopes.shape[1:])

    def _slope(self, statistic: Statistic, stack: Array, cell: int, least: float) -> Array:
        """How fast the statistic of every sample changes with one cell, in which a unit has no fewer rows than the least."""
        model, true, pred = map(int, np.unravel_index(cell, stack.shape[1:]))
        rows = stack[:, model, true, pred]
        kept, step = rows.copy(), NUDGE * least
        ends = []
        for way in (step, -step):
            rows[:] = kept + way
            with np.errstate(all="ignore"):  # where no row of the cell was drawn the table falls below 0; that slope is not used
                ends.append(statistic(stack))
        rows[:] = kept
        slope = (ends[0] - ends[1]) / (2 * step)
        found: Array = np.where(kept.reshape(-1, *[1] * (slope.ndim - 1)) > 0, slope, 0)
        return found

    def posterior(self, statistic: Statistic, size: int, rng: np.random.Generator) -> Array:
        """The statistic under weights drawn uniformly at random: the Bayesian bootstrap."""

        def draw(chunk: slice) -> Array:
            gamma = rng.standard_gamma(np.broadcast_to(self.number, (chunk.stop - chunk.start, len(self.number))))
            weights: Array = gamma / gamma.sum(1, keepdims=True) * self.total
            return weights

        return self.values(statistic, draw, size)

    def left_out(self, statistic: Statistic) -> Array:
        """The statistic with one unit of each kind left out, (units, ...): the exact jackknife."""
        return self.values(statistic, lambda chunk: self.number - self._one_of_each(chunk), len(self.number))

    def influence(self, statistic: Statistic) -> Array:
        """How fast the statistic changes as units of each kind are added, (units, ...), by central differences."""
        step = 1e-4 * self.number

        def nudged(sign: int) -> Array:
            return self.values(statistic, lambda chunk: self.number + sign * step * self._one_of_each(chunk), len(step))

        change = nudged(1) - nudged(-1)
        slope: Array = change / (2 * step).reshape(-1, *[1] * (change.ndim - 1))
        return slope

    def _one_of_each(self, chunk: slice) -> Array:
        """Rows of the identity matrix: a sample of one unit, for each kind in the chunk."""
        rows = np.zeros((chunk.stop - chunk.start, len(self.number)))
        rows[np.arange(len(rows)), np.arange(chunk.start, chunk.stop)] = 1
        return rows

    def standard_error(self, influence: Array) -> Array:
        """Large-sample standard error from the influence of the units: the delta method; for clusters, corrected for their number."""
        number = self.number.reshape(-1, *[1] * (influence.ndim - 1))
        mean = (number * influence).sum(0) / self.total
        correction = self.total / (self.total - 1) if self.clustered else 1.0
        error: Array = np.sqrt((number * (influence - mean) ** 2).sum(0) * correction)
        return error
