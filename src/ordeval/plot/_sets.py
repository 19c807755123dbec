"""Prediction sets: how often they hold the truth, class by class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Column
from ordeval.infer._sets import SetEvaluation, SetScore, evaluate_sets
from ordeval.order.scale import Labels
from ordeval.plot._base import OfOnePiece
from ordeval.plot._style import short
from ordeval.plot._tracks import Mark, Track, Tracks
from ordeval.show._numbers import listed, number, percent, with_interval


@dataclass(frozen=True, eq=False)
class SetCoverageDisplay(OfOnePiece):
    """The share of the rows of each true class whose prediction set holds the truth, with intervals, beside the share aimed at.

    >>> sets = [1, 1, 2] * 30, [2, 2, 2] * 30
    >>> SetCoverageDisplay.from_predictions([1, 2, 3] * 30, sets).caption
    'The sets hold the truth in 67 % of the rows, aimed at 90 %; least for 3 (0 %); lines are 95 % intervals, each by itself.'
    """

    labels: tuple[Any, ...]
    coverage: Array  #: (K + 1,) of all rows, then of each true class; nan for a class without rows
    low: Array  #: nan where there is no interval
    high: Array
    size: Array  #: (K + 1,) mean number of classes in a set
    level: float  #: the coverage aimed at
    confidence_level: float

    @classmethod
    @documented("The figure.", evaluation="What `evaluate_sets` gave.")
    def from_evaluation(cls, evaluation: SetEvaluation) -> Self:
        """From what `evaluate_sets` gave."""
        scale = evaluation.counts.scale
        found: list[dict[str, SetScore] | None] = [evaluation.scores, *map(evaluation.by_class.get, scale.labels)]

        def column(name: str, of: Any) -> Array:
            return np.array([math.nan if scores is None else of(scores[name]) for scores in found], float)

        return cls(
            scale.labels,
            column("set_coverage", lambda score: score.value),
            column("set_coverage", lambda score: score.interval.low),
            column("set_coverage", lambda score: score.interval.high),
            column("set_size", lambda score: score.value),
            evaluation.coverage,
            evaluation.confidence_level,
        )

    @classmethod
    @documented("The figure.", options="Those of `evaluate_sets`.")
    def from_predictions(cls, y_true: Column, sets: tuple[Column, Column], *, labels: Labels = None, **options: Any) -> Self:
        """From the true classes and the prediction sets."""
        return cls.from_evaluation(evaluate_sets(y_true, sets, labels=labels, **options))

    @property
    def title(self) -> str:
        return "How often the sets hold the truth"

    @property
    def caption(self) -> str:
        of_classes = self.coverage[1:]
        least = float(np.nanmin(of_classes))
        lowest = [short(label, 24) for label, value in zip(self.labels, of_classes.tolist(), strict=True) if value == least]
        who = listed(lowest) if len(lowest) <= 3 else f"{len(lowest)} classes"
        said = f"The sets hold the truth in {percent(self.coverage[0])} of the rows, aimed at {percent(self.level)}; least for {who} ({percent(least)})"
        if (~np.isnan(self.low)).any():
            said += f"; lines are {100 * self.confidence_level:g} % intervals, each by itself"
        return said + "."

    @property
    def _piece(self) -> Tracks:
        names = ["all rows", *map(str, self.labels)]
        tracks = [Track(name, 0.0, 1.0, [self._mark(i)], best=self.level, strong=not i) for i, name in enumerate(names)]
        return Tracks(tracks, foot=f"true class; thick: the share aimed at, {percent(self.level)}")

    def _mark(self, i: int) -> Mark:
        value, low, high, size = (float(array[i]) for array in (self.coverage, self.low, self.high, self.size))
        text = "no rows" if math.isnan(value) else f"{with_interval(value, low, high)} · size {number(size, 2)}"
        return Mark(value, low, high, text)
