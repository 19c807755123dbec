"""Scores with their intervals, of one model or of several; and the differences of two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import metric_title
from ordeval.plot._base import OfOnePiece
from ordeval.plot._matrix import model_name, titled
from ordeval.plot._style import HEAD, TITLE, round_up, short, short_labels
from ordeval.plot._tracks import Mark, Track, Tracks
from ordeval.show._numbers import listed, p_words, signed, with_interval

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation


@dataclass(frozen=True, eq=False)
class ForestDisplay(OfOnePiece):
    """Scores with intervals, each on a line from the least to the most it can be; the better end is bold."""

    metrics: tuple[str, ...]  #: the texts of the metrics
    models: tuple[str, ...]
    value: Array  #: (metrics, models); nan where undefined
    low: Array  #: nan where there is no interval
    high: Array
    reasons: tuple[tuple[str, ...], ...]  #: why there is no value or no interval; "" where there is one
    bounds: Array  #: (metrics, 2) the least and the most each score can be
    confidence_level: float

    @classmethod
    @documented("The figure.", evaluation="What `evaluate` gave.", name="What the model is called; empty for its own name.")
    def from_evaluation(cls, evaluation: Evaluation, *, name: str = "") -> Self:
        """One model."""
        return cls.from_evaluations({name or model_name(evaluation.counts): evaluation})

    @classmethod
    @documented("The figure.", evaluations="What `evaluate` gave for each, by name.")
    def from_evaluations(cls, evaluations: Mapping[Any, Evaluation]) -> Self:
        """Several models, or the groups of one, under the names given; the scores of the first."""
        if not evaluations:
            raise ArgumentError(
                "there is no evaluation to draw", argument="evaluations", remedy="give at least one: {{'model': evaluate(...)}}"
            )
        every = list(evaluations.values())
        metrics = tuple(every[0].scores)
        for name, evaluation in evaluations.items():
            if absent := [text for text in metrics if text not in evaluation.scores]:
                raise ArgumentError(
                    "the evaluation of {name} has no {metric}",
                    argument="evaluations",
                    remedy="evaluate all with the same metrics=",
                    values={"name": repr(name), "metric": absent[0]},
                )
        found = [[evaluation.scores[text] for evaluation in every] for text in metrics]
        ends = np.array([[(score.value, score.low, score.high) for score in row] for row in found])
        value, low, high = np.moveaxis(ends.reshape(len(metrics), len(every), 3), 2, 0)
        reasons = tuple(tuple(score.reason for score in row) for row in found)
        bounds = _bounds(metrics, every[0].counts.scale.K)
        names = tuple(str(name) for name in evaluations)
        return cls(metrics, names, value, low, high, reasons, bounds, every[0].settings["confidence_level"])

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.")
    def from_comparison(cls, comparison: Comparison) -> Self:
        """All models of a comparison."""
        return cls.from_evaluations(comparison.evaluations)

    @property
    def title(self) -> str:
        return titled(self.models[0] if len(self.models) == 1 else "", "scores")

    @property
    def caption(self) -> str:
        if not self.metrics:
            return "No score was asked for."
        undefined, bare = np.isnan(self.value), ~np.isnan(self.value) & np.isnan(self.low)
        if undefined.all():
            return f"No score is defined: {next(r for row in self.reasons for r in row)}."
        m = int(np.flatnonzero(~undefined.all(1))[0])
        names = [f"{short(model, TITLE)} " if model else "" for model in self.models]
        marks = [f"{names[j]}{self._mark(m, j, '').text}" for j in range(len(names))]
        said = f"{metric_title(self.metrics[m])}: {', '.join(marks[:3])}{' …' if len(marks) > 3 else ''}"
        if (~np.isnan(self.low)).any():
            said += f"; lines are {100 * self.confidence_level:g} % intervals, each by itself"
        for state, words in ((undefined, "undefined"), (bare, "without an interval (hollow)")):
            if state.any():
                said += f"; {words}: {listed([metric_title(self.metrics[i]) for i in np.flatnonzero(state.any(1))])}"
        return said + "."

    @property
    def _blank(self) -> bool:
        return not self.metrics

    @property
    def _piece(self) -> Tracks:
        tracks = []
        several = len(self.models) > 1
        names = short_labels(self.models, 20)
        for m, text in enumerate(self.metrics):
            marks = [self._mark(m, j, names[j] if several else "") for j in range(len(self.models))]
            low, high, unbounded = self._range(m)
            direction = get_metric(text).direction
            best = {"higher": float(self.bounds[m, 1]), "lower": float(self.bounds[m, 0])}.get(str(direction), direction)
            tracks.append(Track(metric_title(text), low, high, marks, best=float(best), open_end=unbounded))
        return Tracks(tracks, foot="each score on a line of its own, from and to the numbers at its ends; thick: best")

    def _mark(self, m: int, j: int, name: str) -> Mark:
        value, low, high = (float(array[m, j]) for array in (self.value, self.low, self.high))
        return Mark(value, low, high, with_interval(value, low, high), style=j, name=name)

    def _range(self, m: int) -> tuple[float, float, bool]:
        """The ends of a line, and whether the score has no largest value: the bounds, 0 where nothing is below, a round number."""
        seen = np.concatenate([array[m][np.isfinite(array[m])] for array in (self.value, self.low, self.high)])
        low, high = (float(bound) for bound in self.bounds[m])
        direction = get_metric(self.metrics[m]).direction
        if not isinstance(direction, str):  # as far to both sides of its aim as there is something to see
            aim = float(direction)
            reach = round_up(float(np.abs(seen - aim).max(initial=0.0))) if seen.size else high - aim
            return aim - reach, aim + reach, False
        if low < 0 and (not seen.size or seen.min() >= 0):
            low = 0.0
        if math.isinf(high):
            return low, round_up(float(seen.max(initial=low))), True
        return low, low + 1 if high <= low else high, False  # one class: the bounds meet


@dataclass(frozen=True, eq=False)
class DifferenceDisplay(OfOnePiece):
    """The differences of two models, second less first, with intervals; to the right the second is better."""

    metrics: tuple[str, ...]
    a: str
    b: str
    value: Array  #: (metrics,) score of b less score of a
    low: Array  #: nan where there is no interval
    high: Array
    reasons: tuple[str, ...]
    primary: str  #: the score that decides; those of the others are simultaneous
    p_value: float  #: of the primary score
    bounds: Array  #: (metrics, 2)
    confidence_level: float
    p_is_bound: bool = False  #: the p-value is at most this

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.", pair="The two models; None where there are no others.")
    def from_comparison(cls, comparison: Comparison, pair: tuple[str, str] | None = None) -> Self:
        """Two models of a comparison."""
        a, b = chosen_pair(comparison, pair)
        found = comparison.differences[a, b]
        ends = np.array([(d.low, d.high) if text == comparison.primary else d.band for text, d in found.items()])
        low, high = ends.reshape(-1, 2).T
        value = np.array([d.value for d in found.values()])
        reasons = tuple(d.reason for d in found.values())
        primary, level = comparison.primary, comparison.settings["confidence_level"]
        bounds = _bounds(found, comparison.counts.scale.K)
        return cls(
            tuple(found),
            a,
            b,
            value,
            low,
            high,
            reasons,
            primary,
            found[primary].p_value,
            bounds,
            level,
            found[primary].p_is_bound,
        )

    _above = 12.0

    @property
    def title(self) -> str:
        return f"{short(self.b, TITLE)} less {short(self.a, TITLE)}"

    @property
    def caption(self) -> str:
        m = self.metrics.index(self.primary)
        title, a, b = metric_title(self.primary), short(self.a), short(self.b)
        if math.isnan(self.low[m]):
            return f"{a} and {b} cannot be compared by {title}: {self.reasons[m]}."
        ends = (
            f"{signed(self.value[m])} [{signed(self.low[m])}, {signed(self.high[m])}], {p_words(self.p_value, self.p_is_bound)}"
        )
        if self.low[m] <= 0 <= self.high[m]:
            verdict = f"These rows do not show whether {a} or {b} is better by {title} ({b} less {a}: {ends})"
        else:
            first, second = (b, a) if self._sign(m) * self.value[m] > 0 else (a, b)
            verdict = f"{first} is better than {second} by {title} ({b} less {a}: {ends})"
        others = "; the intervals of the other scores are simultaneous (they hold all at once)" if len(self.metrics) > 1 else ""
        return f"{verdict}{others}, at {100 * self.confidence_level:g} %."

    def _sign(self, m: int) -> int:
        """1 where more is better, -1 where less is, 0 where the score aims at a value."""
        return {"higher": 1, "lower": -1}.get(str(get_metric(self.metrics[m]).direction), 0)

    @property
    def _piece(self) -> Tracks:
        return Tracks(
            [self._track(m) for m in range(len(self.metrics))],
            zero=True,
            heads=(f"← {short(self.a, HEAD)} better", f"{short(self.b, HEAD)} better →"),
            foot="bold: the score that decides; grey: aims at a value, so neither side is better",
        )

    def _track(self, m: int) -> Track:
        value, low, high, sign = float(self.value[m]), float(self.low[m]), float(self.high[m]), self._sign(m)
        reach = self._reach(m)
        ends = (reach, -reach) if sign < 0 else (-reach, reach)
        mark = Mark(value, low, high, with_interval(value, low, high, signed), grey=not sign)
        return Track(metric_title(self.metrics[m]), *ends, [mark], strong=self.metrics[m] == self.primary)

    def _reach(self, m: int) -> float:
        """Half a line's length: the same for scores of the same kind, so that their differences can be compared."""
        alike = [i for i in range(len(self.metrics)) if _kind(self.bounds[i]) == _kind(self.bounds[m])]
        seen = np.abs(np.concatenate([array[alike] for array in (self.value, self.low, self.high)]))
        return round_up(float(np.max(seen[np.isfinite(seen)], initial=0.0)))


def _bounds(metrics: Iterable[str], k: int) -> Array:
    """(metrics, 2) the least and the most each score can be."""
    return np.array([get_metric(text).bounds_for(k) for text in metrics]).reshape(-1, 2)


def _kind(bounds: Array) -> tuple[float, ...]:
    """Shares and coefficients are of one kind; other scores are like those with the same bounds."""
    low, high = bounds.tolist()
    return (0.0, 1.0) if low >= -1 and high <= 1 else (low, high)


def chosen_pair(comparison: Comparison, pair: tuple[str, str] | None) -> tuple[str, str]:
    """The pair asked for, or the only one."""
    pairs = list(comparison.differences)
    if pair is None:
        if len(pairs) > 1:
            raise ArgumentError(
                f"there are {len(pairs)} pairs of models",
                argument="pair",
                remedy="name one: {pair:{first}}",
                values={"first": repr(pairs[0])},
            )
        return pairs[0]
    if pair not in comparison.differences:
        raise ArgumentError(
            "there is no pair {given}",
            argument="pair",
            remedy="choose one of {pairs}",
            values={"given": repr(pair), "pairs": ", ".join(map(repr, pairs))},
        )
    return pair
