"""Intervals over items, for any number that is made of their sums; and a number without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.types import Rng
from ordeval.evaluation import Score, plain_score
from ordeval.infer._evidence import Evidence
from ordeval.infer._methods import interval
from ordeval.infer._units import Statistic, Units

FEWEST_ITEMS = 30  # below, no method was found to hold (docs/coverage-raters.md)


class ItemEvidence(Evidence):
    """What intervals over items are made from, for any statistic of the sums."""

    metrics: tuple[Any, ...]  # anything that says when it is undefined

    def __init__(self, units: Units, statistic: Statistic, records: Sequence[Any], n_resamples: int, rng: Rng) -> None:
        super().__init__(None, records, n_resamples, rng, units=units, statistic=statistic)


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


def too_few(items: int, which: str = "items") -> str:
    """Why there is no interval."""
    return f"{items} {which} are too few: below {FEWEST_ITEMS} no method was found to hold"
