"""One model, class by class: how far off and in which direction, and how well every cut of the scale is found."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array, rank_difference, ratio, truths
from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.counts.blanks import judged
from ordeval.infer._cuts import cut_intervals
from ordeval.metrics.families.error import class_errors
from ordeval.plot._bars import STEPS, Bars
from ordeval.plot._base import OfCounts, OfOnePiece
from ordeval.plot._lines import grid, label_columns, note, share_axis
from ordeval.plot._matrix import model_name, titled
from ordeval.plot._style import FIRST, MUTED, SECOND, SIZE, short, short_labels, widest
from ordeval.plot._vega import Spec, category, mark, ordered, over, quantities, quantity, sized
from ordeval.show._numbers import amount, number, percent, rows_text
from ordeval.show._result import finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ordeval.evaluation import Evaluation


@dataclass(frozen=True, eq=False)
class ErrorProfileDisplay(OfOnePiece, OfCounts):
    """For each true class the shares of its rows that were called too low and too high, by how many steps."""

    labels: tuple[Any, ...]
    below: Array  #: (K, 3) share of the class called 1, 2, 3 or more steps too low; nan for a class without rows
    above: Array  #: (K, 3) the same too high
    exact: Array  #: (K,) share of the class that is right
    steps: Array  #: (K,) mean number of steps off
    rows: tuple[float, ...]  #: true rows of each class
    model: str = ""
    shared_reach: float = 0.0  #: how far the axis reaches to either side, at least

    _above = 12.0

    @classmethod
    @documented("The figure.", reach="How far the axis reaches at least: the same for models that stand side by side.")
    def from_counts(cls, counts: Counts, *, reach: float = 0.0) -> Self:
        """The errors of one model; a row without an answer that counts as wrong is as many steps off as possible."""
        matrix = judged(counts).matrix
        signed, of_class = rank_difference(counts.scale.K), truths(matrix)

        def share(chosen: Array) -> Array:
            return ratio(np.where(chosen, matrix, 0).sum(1), of_class)

        below, above = (np.stack([share(way == 1), share(way == 2), share(way >= STEPS)], 1) for way in (-signed, signed))
        rows = tuple(of_class.tolist())
        return cls(counts.scale.labels, below, above, share(signed == 0), class_errors(matrix), rows, model_name(counts), reach)

    @property
    def reach(self) -> float:
        """The longest bar, to either side."""
        return float(max(np.nan_to_num(side).sum(1).max(initial=0.0) for side in (self.below, self.above)))

    @property
    def title(self) -> str:
        return titled(self.model, "how far off, by true class")

    @property
    def caption(self) -> str:
        known = np.flatnonzero(~np.isnan(self.steps))
        if not known.size:
            return "There are no rows."
        worst = int(known[self.steps[known].argmax()])
        if self.steps[worst] == 0:
            return f"All {rows_text(sum(self.rows))} are right." if sum(self.rows) != 1 else "The one row is right."
        low, high = self.below[worst].sum(), self.above[worst].sum()
        return (
            f"Furthest off is {short(self.labels[worst])}: {number(self.steps[worst], 2)} steps on average, "
            f"{percent(self.exact[worst])} right, {percent(low)} too low and {percent(high)} too high."
        )

    @property
    def _piece(self) -> Bars:
        notes = [
            "no rows" if not n else f"{percent(e):>6} · {number(s, 2)} · {amount(n)}"
            for e, s, n in zip(self.exact.tolist(), self.steps.tolist(), self.rows, strict=True)
        ]
        return Bars(
            self.labels,
            self.below,
            self.above,
            left="called too low",
            right="called too high",
            axis="share of the true class",
            rows="true class",
            show=percent,
            notes=notes,
            notes_title="right · steps off · rows",
            share=True,
            steps=("1 step", "2 steps", "3 or more")[: max(len(self.labels) - 1, 1)],
            nothing="every row is right" if sum(self.rows) else "there are no rows",
            least=self.shared_reach,
            of=self.rows,
        )


@dataclass(frozen=True, eq=False)
class CutDisplay(OfCounts):
    """At every cut "this class or above?", the share of those above that is found and of those below that is kept out."""

    labels: tuple[Any, ...]  #: the lowest class above each cut
    sensitivity: Array  #: (K - 1,)
    sensitivity_ends: Array  #: (K - 1, 2) Wilson's interval; nan where there is none
    specificity: Array
    specificity_ends: Array
    confidence_level: float
    model: str = ""
    highest: bool = True  #: the last label is the highest class, which has none above it
    tables: Array = field(default_factory=lambda: np.zeros((0, 2, 2)))  #: (K - 1, 2, 2) truth by answer, above the cut first

    @classmethod
    @documented("The figure.")
    def from_counts(cls, counts: Counts, *, confidence_level: float = 0.95) -> Self:
        """Every cut, with intervals where rows are independent."""
        cuts = cut_intervals(counts, confidence_level)
        labels = tuple(cut.label for cut, _, _ in cuts)
        found, kept = np.array([(cut.sensitivity, cut.specificity) for cut, _, _ in cuts]).reshape(-1, 2).T
        found_ends, kept_ends = (np.array([row[side] for row in cuts]).reshape(-1, 2) for side in (1, 2))
        four = ("true_positive", "false_negative", "false_positive", "true_negative")
        tables = np.array([[getattr(cut, name) for name in four] for cut, _, _ in cuts]).reshape(-1, 2, 2)
        return cls(labels, found, found_ends, kept, kept_ends, confidence_level, model_name(counts), True, tables)

    @classmethod
    @documented("The figure.", evaluation="What `evaluate` gave.", options="Those of `from_counts`.")
    def from_evaluation(cls, evaluation: Evaluation, **options: Any) -> Self:
        """From what `evaluate` gave, at its confidence level unless another is given."""
        return cls.from_counts(evaluation.counts, **{"confidence_level": evaluation.settings["confidence_level"], **options})

    @property
    def title(self) -> str:
        return titled(self.model, "every cut of the scale")

    @property
    def caption(self) -> str:
        if not self.labels:
            return "The scale has one class, so there is no cut."
        known = np.flatnonzero(~np.isnan(self.sensitivity))
        if not known.size:
            return "No row is above any cut, so there is nothing to find."
        both = known[~np.isnan(self.specificity[known])]
        among = both if both.size else known
        worst = int(among[(self.sensitivity + np.nan_to_num(self.specificity))[among].argmin()])
        (found, missed), (called, _) = self.tables[worst].tolist()
        low, high = self.sensitivity_ends[worst]
        sure = "" if np.isnan(low) else f", {percent(low)} to {percent(high)}"
        name = short(self.labels[worst]) + ("" if self.highest and worst == len(self.labels) - 1 else " or above")
        said = f"Weakest at {name}: finds {amount(found)} of {amount(found + missed)} ({percent(self.sensitivity[worst])}{sure})"
        others = float(self.tables[worst][1].sum())
        if not others:
            return f"{said}; there are no others."
        below = amount(self.tables[worst][1].sum().item())
        return f"{said}, calls {amount(called)} of {below} others so ({percent(1 - self.specificity[worst])})."

    @property
    def _ticks(self) -> list[str]:
        names = short_labels(self.labels)
        return [label if self.highest and i == len(names) - 1 else f"≥ {label}" for i, label in enumerate(names)]

    @property
    def _turned(self) -> bool:
        return widest(self._ticks) * SIZE * 0.62 / 72 > self._step - 0.08

    @property
    def _step(self) -> float:
        """Inches from one cut to the next."""
        k = len(self.labels)
        return 1.25 if k <= 4 else 0.95 if k <= 8 else 0.34 if k <= 16 else 0.22

    def _size(self) -> tuple[float, float]:
        below = widest(self._ticks) * SIZE * 0.62 / 72 * 0.7 if self._turned else 0.0
        return max(1.1 + self._step * len(self.labels), 3.6) + 1.2, 3.0 + below

    def _series(self) -> list[tuple[str, str, str, float, Array, Array]]:
        """Name, colour, marker, shift to a side so that both are seen, shares, ends."""
        return [
            ("found (sensitivity)", FIRST, "o", -0.07, self.sensitivity, self.sensitivity_ends),
            ("kept out (specificity)", SECOND, "s", 0.07, self.specificity, self.specificity_ends),
        ]

    @property
    def _blank(self) -> bool:
        return not self.labels

    def _draw(self, ax: Axes) -> None:
        numbers = len(self.labels) <= 8
        x = np.arange(len(self.labels))
        for _name, colour, marker, shift, shares, ends in self._series():
            known = ~np.isnan(ends).any(1)
            ax.vlines(x[known] + shift, *ends[known].T, color=colour, linewidth=1.6)
            dashed: Any = "-" if shift < 0 else (0, (4, 2))
            ax.plot(x + shift, shares, color=colour, marker=marker, markersize=5, linewidth=0.6, linestyle=dashed)
            other = self.specificity if shift < 0 else self.sensitivity
            for i, share in enumerate(shares.tolist()):
                look: dict[str, Any] = {"ha": "center", "color": colour, "fontsize": SIZE - 1}
                if np.isnan(share):
                    note(ax, "none", (i + shift, 0), (-8 if shift < 0 else 8, 2), va="bottom", **look)
                elif numbers:  # above the upper of the two and below the lower, beyond the ends of its interval
                    upper = share > other[i] or (share == other[i] and shift > 0) or np.isnan(other[i])
                    end = ends[i, 1 if upper else 0]
                    place = share if np.isnan(end) else float(end)
                    note(ax, percent(share), (i + shift, place), (0, 4 if upper else -4), va="bottom" if upper else "top", **look)
        self._name_lines(ax)
        share_axis(ax, "y", 1.0)
        ax.set_ylim(-0.12 if numbers else -0.03, 1.12 if numbers else 1.03)
        ax.set_ylabel("share of rows")
        label_columns(ax, self._ticks, self._turned)
        ax.set_xlim(-0.55, len(self.labels) - 0.45)
        ax.tick_params(axis="x", length=0)
        grid(ax, "y")
        if not np.isnan([self.sensitivity_ends, self.specificity_ends]).all():
            words = f"lines: {100 * self.confidence_level:g} % intervals (Wilson), each cut by itself"
            ax.set_xlabel(words, color=MUTED, fontsize=SIZE - 1)

    def _name_lines(self, ax: Axes) -> None:
        """What each line is, at its right end; two that end close together are pushed apart."""
        last = [
            next((float(s) for s in reversed(shares.tolist()) if not np.isnan(s)), math.nan) for *_, shares, _ in self._series()
        ]
        known = [(end, name, colour) for end, (name, colour, *_) in zip(last, self._series(), strict=True) if not math.isnan(end)]
        places = sorted(known)
        if len(places) == 2 and places[1][0] - places[0][0] < 0.2:
            middle = min(max((places[0][0] + places[1][0]) / 2, 0.1), 0.9)
            places = [(middle - 0.1, *places[0][1:]), (middle + 0.1, *places[1][1:])]
        for y, name, colour in places:
            note(ax, name.replace(" (", "\n("), (1, y), (6, 0), ("axes fraction", "data"), ha="left", va="center", color=colour)

    def _spec(self) -> Spec:
        ticks, series = self._ticks, self._series()
        values = [
            {
                "cut": ticks[i],
                "label": str(self.labels[i]),
                "rate": name,
                "share": finite(shares[i]),
                "low": finite(ends[i, 0]),
                "high": finite(ends[i, 1]),
            }
            for name, _, _, _, shares, ends in series
            for i in range(len(ticks))
        ]
        names: Spec = {"domain": [name for name, *_ in series]}

        def share(field: str) -> Spec:
            return quantity(field, scale={"domain": [0, 1]}, title="share of rows")

        shape = category("rate", title=None, scale={**names, "range": ["circle", "square"]})
        layers = over(
            values,
            mark("rule", {"strokeWidth": 2}, y=share("low"), y2={"field": "high"}),
            mark("point", {"filled": True, "size": 55, "opacity": 1}, y=share("share"), shape=shape),
            x=ordered("cut", ticks, "", labelAngle=-40 if self._turned else 0),
            xOffset=category("rate", scale=names),
            color=category("rate", title=None, scale={**names, "range": [colour for _, colour, *_ in series]}),
            tooltip=[
                *(category("label", title="this class or above"), category("rate")),
                *quantities(("share", "low", "high"), ".3f"),
            ],
        )
        return sized(max(self._step * 96 * len(ticks), 200), 240, layers)
