"""Evidence: what a sample gives an interval to be made from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.lazy import lazy
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import SIMULATED, Interval, RowIntervals, TableIntervals
from ordeval.infer._units import Statistic, Units
from ordeval.metrics import Metric

RESAMPLES = 9_999  # replicates of a bootstrap, unless asked otherwise
MOST_UNDEFINED = 0.05  # share of replicates without a score beyond which the others say too little
EQUAL = 1e-12  # replicates closer than this to the score are the same number


class Evidence:
    """What an interval may be made from: each part is computed when first asked for, once for all metrics.

    Parts with a random element have streams of their own, so that asking for one does not change another.
    """

    counts: Counts  #: the tables, where it is of tables

    def __init__(
        self,
        counts: Counts | None,
        metrics: Sequence[Metric],
        n_resamples: int | None,
        rng: Rng,
        *,
        units: Units | None = None,
        statistic: Statistic | None = None,
    ) -> None:
        """Of counts; or, by keyword, of other units and what is computed from them."""
        if counts is not None:  # blanks that count as wrong have been put into their classes
            self.counts, kernels = counts, [metric.bind(counts) for metric in metrics]

            def of_tables(stack: Array) -> Array:
                return np.stack([kernel(stack[:, 0]) for kernel in kernels], -1)

            units, statistic = Units(counts), of_tables
        assert units is not None
        assert statistic is not None
        self.units: Units = units
        self.statistic: Statistic = statistic
        self.metrics, self._asked, self._rng = tuple(metrics), n_resamples, rng
        generator = np.random.default_rng(rng).bit_generator
        self._kind, self._seeds = type(generator), generator.seed_seq.spawn(5)  # type: ignore[attr-defined]

    def stream(self, number: int) -> np.random.Generator:
        """The numbers that one part draws from: the same whenever it asks, so that threads may ask for it twice."""
        return np.random.Generator(self._kind(self._seeds[number]))

    @property
    def n_resamples(self) -> int:
        """Replicates of the bootstraps."""
        return RESAMPLES if self._asked is None else self._asked

    @lazy
    def _tables(self) -> TableIntervals:
        return TableIntervals(self.counts, self._rng, self._asked or SIMULATED)

    @property
    def intervals(self) -> TableIntervals | RowIntervals:
        """What makes them."""
        return self._tables

    def auto(self, m: int, confidence_level: float) -> Interval:
        """The interval of one score, as its structure has it."""
        return self._tables.interval(self.metrics[m], float(self.point[m]), confidence_level)

    @lazy
    def point(self) -> Array:
        return self.units.point(self.statistic)

    @lazy
    def replicates(self) -> Array:
        return self.units.resampled(self.statistic, self.n_resamples, self.stream(0))

    @lazy
    def stratified(self) -> Array:
        return self.units.resampled(self.statistic, self.n_resamples, self.stream(1), stratified=True)

    @lazy
    def posterior(self) -> Array:
        """Under weights drawn at random: the Bayesian bootstrap."""
        return self.units.posterior(self.statistic, self.n_resamples, self.stream(2))

    @lazy
    def informed_posterior(self) -> Array:
        """Under Dirichlet weights over all K² cells, with a prior of one row in all."""
        matrix, rng = self.counts.matrix.astype(float), self.stream(3)
        shape = (matrix + 1 / matrix.size).ravel()
        parts = []
        for chunk in self.units.chunks(self.n_resamples):
            gamma = rng.standard_gamma(np.broadcast_to(shape, (chunk.stop - chunk.start, shape.size)))
            tables = (gamma / gamma.sum(1, keepdims=True) * matrix.sum()).T.copy().reshape(*matrix.shape, -1)
            parts.append(self.statistic(np.moveaxis(tables, -1, 0)[:, None]))
        return np.concatenate(parts)

    @lazy
    def studentised(self) -> tuple[Array, Array]:
        """Replicates, and the standard error that each of them would have reported."""
        return self.units.studentised(self.statistic, self.n_resamples, self.stream(4))

    @lazy
    def left_out(self) -> Array:
        return self.units.left_out(self.statistic)

    @lazy
    def error(self) -> Array:
        """Large-sample standard errors."""
        return self.units.standard_error(self.units.influence(self.statistic))
