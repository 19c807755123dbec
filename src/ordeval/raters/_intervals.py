"""Intervals over items, for any number that is made of their sums; and a number without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.lazy import lazy
from ordeval.base.types import Rng
from ordeval.evaluation import Score, plain_score
from ordeval.infer._auto import PSEUDO, SIMULATED, Interval, Streams, none
from ordeval.infer._conditions import MOSTLY_UNDEFINED
from ordeval.infer._evidence import Evidence
from ordeval.infer._item_space import FEWEST_ITEMS, SumSpace, too_few, with_alternatives
from ordeval.infer._methods import interval
from ordeval.infer._units import Units
from ordeval.infer._walk import Stream, ends
from ordeval.raters._coefficients import Coefficient
from ordeval.raters._sums import Kernel, RatedItems


class ItemEvidence(Evidence):
    """What intervals over items are made from: coefficients of the sums."""

    metrics: tuple[Any, ...]
    units: RatedItems

    def __init__(
        self, units: RatedItems, kernels: Sequence[Kernel], records: Sequence[Coefficient], n_resamples: int | None, rng: Rng
    ) -> None:
        def statistic(stack: Array) -> Array:
            sums = units.sums(stack)
            return np.stack([kernel(sums) for kernel in kernels], -1)

        super().__init__(None, records, n_resamples, rng, units=units, statistic=statistic)  # type: ignore[arg-type]
        self.kernels = kernels

    @lazy
    def _streams(self) -> Streams:
        return Streams(self._rng)

    @lazy
    def _smoothed(self) -> tuple[RatedItems, Array]:
        """The patterns with those that smoothing opens, and what it adds to each."""
        units = self.units
        cells, number, pseudo = with_alternatives(units.codes, units.number, units.K, PSEUDO)
        return RatedItems(cells, number, units.K), pseudo

    def auto(self, m: int, confidence_level: float) -> Interval:
        """By test inversion: items are drawn, the raters stay."""
        record, value = self.metrics[m], float(self.point[m])
        if math.isnan(value):
            return none(f"the score is undefined: {record.undefined}")
        items, words = (
            (self.units.complete, "rated by everybody") if record.complete else (self.units.comparable, "with two ratings")
        )
        if items < FEWEST_ITEMS:
            return none(too_few(items, f"items {words}"))
        smoothed, pseudo = self._smoothed
        score = partial(_score, self.kernels[m], smoothed, record.sums)
        space = SumSpace(score, smoothed.adds_to(record.sums), smoothed.number, pseudo)
        return self.of_space(space, value, record.bounds, confidence_level, record.name)

    def of_space(
        self, space: SumSpace, value: float, bounds: tuple[float, float], confidence_level: float, name: str
    ) -> Interval:
        """The interval of a number that is not among the coefficients; its name gives it random numbers of its own."""
        return inverted(space, value, bounds, confidence_level, self._streams.both(name), self._asked or SIMULATED)


def _score(kernel: Kernel, units: RatedItems, names: Sequence[str], stack: Array) -> Array:
    return kernel(units.sums(stack, only=names))


def inverted(
    space: SumSpace,
    value: float,
    bounds: tuple[float, float],
    confidence_level: float,
    streams: Sequence[Stream],
    size: int,
) -> Interval:
    """The interval that the core finds, or that most samples have no score."""
    found = ends(space, value, bounds, ((1 - confidence_level) / 2,), streams, size)
    if found is None:
        return none(MOSTLY_UNDEFINED)
    (low, high) = found[0]
    return Interval(max(low, min(bounds[0], value)), min(high, max(bounds[1], value)), "test inversion")


class _Jackknife(Evidence):
    """A number and what it is without each of the items, both known."""

    def __init__(self, units: Units, point: float, left_out: Array, undefined: str) -> None:
        self.units, self.metrics = units, (_Undefined(undefined),)  # type: ignore[assignment]
        self.point, self.left_out = np.array([point]), left_out[:, None]


@dataclass(frozen=True)
class _Undefined:
    undefined: str  # when


def jackknifed(units: Units, point: float, left_out: Array, undefined: str, confidence_level: float) -> Score:
    """A number with its jackknife interval, from what it is when each item is left out; ``undefined`` says when there is none."""
    evidence = _Jackknife(units, point, left_out, undefined)
    return plain_score(point, interval(evidence, 0, method="jackknife", confidence_level=confidence_level))


def without_interval(value: float, reason: str, undefined_share: float = 0.0) -> Score:
    return Score(value, math.nan, math.nan, "none", undefined_share, reason)
