"""Raters: who agrees with whom, who is severe, and where a judge stands among them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import metric_title
from ordeval.plot._base import OfOnePiece
from ordeval.plot._heat import Cells
from ordeval.plot._style import TITLE, round_up, short, short_labels
from ordeval.plot._tracks import Mark, Track, Tracks
from ordeval.show._numbers import amount, number, signed
from ordeval.show._result import finite

if TYPE_CHECKING:
    from ordeval.evaluation import Score
    from ordeval.raters._agreement import Agreement
    from ordeval.raters._panel import JudgePanel


@dataclass(frozen=True, eq=False)
class MatrixDisplay(OfOnePiece):
    """Weighted kappa of every two raters; the number of ratings beside each."""

    raters: tuple[str, ...]
    kappas: Array  #: (R, R); nan on the diagonal and where two raters share nothing
    common: Array  #: (R, R) items that both rated; on the diagonal the ratings of each
    weights: str

    @documented("A figure.", agreement="What `agreement` gave.")
    @classmethod
    @documented("The figure.", agreement="What `agreement` gave.")
    def from_agreement(cls, agreement: Agreement) -> Self:
        """From what `agreement` gave."""
        return cls(tuple(agreement.raters), agreement.pairs, agreement.common, str(agreement.settings["weights"]))

    @property
    def title(self) -> str:
        return f"Agreement of every two raters ({self.weights} kappa)"

    @property
    def caption(self) -> str:
        first, second = np.triu_indices(len(self.raters), 1)
        found = self.kappas[first, second]
        known = np.flatnonzero(~np.isnan(found))
        if not known.size:
            return "No two raters can be compared."
        most, least = known[np.argmax(found[known])], known[np.argmin(found[known])]
        names = [short(name, TITLE) for name in self.raters]

        def pair(i: int) -> str:
            return f"{names[first[i]]} and {names[second[i]]} ({number(found[i], 2)})"

        if most == least or len(known) == 1:
            return f"{pair(int(known[0]))} can be compared."
        return f"{pair(int(most))} agree most, {pair(int(least))} least."

    @property
    def _piece(self) -> Cells:
        def text(g: int, h: int) -> str:
            value = self.kappas[g, h]
            return "" if g == h else "–" if math.isnan(value) else number(float(value), 2)

        size = range(len(self.raters))
        pairs = zip(self.kappas.ravel().tolist(), self.common.ravel().tolist(), strict=True)
        return Cells(
            rows=self.raters,
            columns=self.raters,
            texts=[[text(g, h) for h in size] for g in size],
            shades=np.clip(self.kappas, 0, 1),
            row_title="rater",
            column_title="rater",
            notes=[amount(int(n)) for n in np.diag(self.common)],
            notes_title="ratings",
            muted="–",
            numbers=[{"kappa": finite(kappa), "items": items} for kappa, items in pairs],
        )


@dataclass(frozen=True, eq=False)
class SeverityDisplay(OfOnePiece):
    """How many steps each rater gives above or below the others, allowing for items that are not shared evenly."""

    raters: tuple[str, ...]
    value: Array  #: (R,) nan where it is undefined
    low: Array
    high: Array
    confidence_level: float

    @documented("A figure.", agreement="What `agreement` gave.")
    @classmethod
    @documented("The figure.", agreement="What `agreement` gave.")
    def from_agreement(cls, agreement: Agreement) -> Self:
        """From what `agreement` gave; the most severe rater first."""
        order = sorted(agreement.raters.values(), key=lambda r: (math.isnan(r.severity.value), r.severity.value))
        found = [rater.severity for rater in order]
        return cls(
            tuple(rater.name for rater in order),
            np.array([s.value for s in found]),
            np.array([s.low for s in found]),
            np.array([s.high for s in found]),
            agreement.settings["confidence_level"],
        )

    _above = 12.0

    @property
    def title(self) -> str:
        return "Severity of the raters, in steps"

    @property
    def caption(self) -> str:
        known = np.flatnonzero(~np.isnan(self.value))
        if not known.size:
            return "Severity is undefined: the raters share too few items."
        names = [short(name, TITLE) for name in self.raters]
        lowest, highest = int(known[0]), int(known[-1])
        sure = int(np.count_nonzero((self.low > 0) | (self.high < 0)))
        return (
            f"{names[lowest]} is the most severe ({signed(float(self.value[lowest]))} steps), {names[highest]} the most lenient "
            f"({signed(float(self.value[highest]))}); {sure} of {len(names)} differ from the rest "
            f"at the {100 * self.confidence_level:g} % level."
        )

    @property
    def _piece(self) -> Tracks:
        seen = np.abs(np.concatenate([self.value, self.low, self.high]))
        reach = round_up(float(np.max(seen[np.isfinite(seen)], initial=0.0)))
        names = short_labels(self.raters)
        tracks = []
        for name, value, low, high in zip(names, self.value.tolist(), self.low.tolist(), self.high.tolist(), strict=True):
            ends = "" if math.isnan(low) else f" [{signed(low)}, {signed(high)}]"
            text = "undefined" if math.isnan(value) else f"{signed(value)}{ends}"
            tracks.append(Track(name, -reach, reach, [Mark(value, low, high, text)]))
        return Tracks(tracks, zero=True, heads=("← severe", "lenient →"), foot="steps above or below what the others would give")


@dataclass(frozen=True, eq=False)
class PanelDisplay(OfOnePiece):
    """How well a judge predicts the raters, beside how well they predict each other."""

    judge: str
    raters: tuple[str, ...]
    value: Array  #: (R + 2,) the raters, their mean, the judge
    low: Array
    high: Array
    metric: str
    bounds: tuple[float, float]
    verdict: str

    @documented("A figure.", panel="What `judge_panel` gave.")
    @classmethod
    @documented("The figure.", panel="What `judge_panel` gave.")
    def from_panel(cls, panel: JudgePanel) -> Self:
        """From what `judge_panel` gave."""
        metric = get_metric(panel.metric)
        sign = 1 if metric.direction == "higher" else -1
        ranked = sorted(panel.humans, key=lambda name: (math.isnan(panel.humans[name].value), -sign * panel.humans[name].value))
        found: list[Score] = [*(panel.humans[name] for name in ranked), panel.human_mean, panel.judge_mean]
        low, high = metric.bounds_for(panel.counts.scale.K)
        return cls(
            panel.judge,
            tuple(ranked),
            np.array([s.value for s in found]),
            np.array([s.low for s in found]),
            np.array([s.high for s in found]),
            panel.metric,
            (float(low), float(high)),
            panel.verdict,
        )

    @property
    def title(self) -> str:
        return f"{short(self.judge, TITLE)} among the raters, by {metric_title(self.metric)}"

    @property
    def caption(self) -> str:
        return self.verdict

    @property
    def _piece(self) -> Tracks:
        seen = np.concatenate([self.value, self.low, self.high])
        seen = seen[np.isfinite(seen)]
        low, high = self.bounds
        if math.isinf(low) or (low < 0 and (not seen.size or seen.min() >= 0)):
            low = 0.0 if not seen.size or seen.min() >= 0 else -round_up(float(-seen.min()))
        if math.isinf(high):
            high = round_up(float(seen.max(initial=1.0)))
        best = {"higher": high, "lower": low}[str(get_metric(self.metric).direction)]
        names = [*short_labels(self.raters), "raters, mean", short(self.judge, TITLE)]
        tracks = []
        for i, name in enumerate(names):
            value, below, above = (float(array[i]) for array in (self.value, self.low, self.high))
            ends = "" if math.isnan(below) else f" [{number(below)}, {number(above)}]"
            text = "undefined" if math.isnan(value) else f"{number(value)}{ends}"
            last = i == len(names) - 1
            mark = Mark(value, below, above, text, style=1 if last else 0)
            tracks.append(Track(name, low, high if high > low else low + 1, [mark], best=best, strong=last))
        return Tracks(tracks, foot="each rater against the other raters; the judge against all of them; thick: best")
