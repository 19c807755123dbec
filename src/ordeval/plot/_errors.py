"""One model, class by class: how far off and in which direction, and how well every cut of the scale is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array, rank_difference, ratio, truths
from ordeval.counts import Counts
from ordeval.infer._cuts import cut_intervals
from ordeval.metrics.families.error import class_errors
from ordeval.plot._bars import STEPS, Bars
from ordeval.plot._base import OfCounts, OfOnePiece
from ordeval.plot._lines import nominal, say, say_chart, share_axis
from ordeval.plot._matrix import model_name, titled
from ordeval.plot._style import FIRST, MUTED, SECOND, SIZE, short, short_labels, widest
from ordeval.show._formats import plain
from ordeval.show._numbers import amount, number, percent, rows_text

if TYPE_CHECKING:
    from altair.typing import ChartType
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

    _above = 12.0

    @classmethod
    def from_counts(cls, counts: Counts) -> Self:
        """The errors of one model."""
        matrix = counts.matrix
        signed, of_class = rank_difference(counts.scale.K), truths(matrix)

        def share(chosen: Array) -> Array:
            return ratio(np.where(chosen, matrix, 0).sum(1), of_class)

        below = np.stack([share(-signed == 1), share(-signed == 2), share(-signed >= STEPS)], 1)
        above = np.stack([share(signed == 1), share(signed == 2), share(signed >= STEPS)], 1)
        rows = tuple(of_class.tolist())
        return cls(counts.scale.labels, below, above, share(signed == 0), class_errors(matrix), rows, model_name(counts))

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

    @classmethod
    def from_counts(cls, counts: Counts, *, confidence_level: float = 0.95) -> Self:
        """Every cut, with intervals where rows are independent."""
        cuts = cut_intervals(counts, confidence_level)
        return cls(
            tuple(cut.label for cut, _, _ in cuts),
            np.array([cut.sensitivity for cut, _, _ in cuts]),
            np.array([ends for _, ends, _ in cuts]).reshape(-1, 2),
            np.array([cut.specificity for cut, _, _ in cuts]),
            np.array([ends for _, _, ends in cuts]).reshape(-1, 2),
            confidence_level,
            model_name(counts),
        )

    @classmethod
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
        worst = int(known[self.sensitivity[known].argmin()])
        low, high = self.sensitivity_ends[worst]
        sure = "" if np.isnan(low) else f" ({percent(low)} to {percent(high)})"
        kept = self.specificity[worst]
        others = (
            "there are none below it"
            if np.isnan(kept)
            else f"{percent(kept)} of those below {'is' if kept == 1 else 'are'} kept out"
        )
        return f'The weakest cut is "{short(self.labels[worst])} or above": {percent(self.sensitivity[worst])} found{sure}, {others}.'

    @property
    def _ticks(self) -> list[str]:
        return [f"≥ {label}" for label in short_labels(self.labels)]

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
        return max(1.3 + self._step * len(self.labels), 4.2), 3.0 + below

    def _series(self) -> list[tuple[str, str, str, float, Array, Array]]:
        """Name, colour, marker, shift to a side so that both are seen, shares, ends."""
        return [
            ("found (sensitivity)", FIRST, "o", -0.07, self.sensitivity, self.sensitivity_ends),
            ("kept out (specificity)", SECOND, "s", 0.07, self.specificity, self.specificity_ends),
        ]

    def _draw(self, ax: Axes) -> None:
        if not self.labels:
            say(ax, self.caption)
            return
        numbers = len(self.labels) <= 8
        x = np.arange(len(self.labels))
        for name, colour, marker, shift, shares, ends in self._series():
            known = ~np.isnan(ends).any(1)
            ax.vlines(x[known] + shift, *ends[known].T, color=colour, linewidth=1.6)
            ax.plot(
                x + shift,
                shares,
                color=colour,
                marker=marker,
                markersize=5,
                linewidth=0.6,
                linestyle="-" if shift < 0 else (0, (4, 2)),
                label=name,
            )
            for i, share in enumerate(shares.tolist()):
                side = "right" if shift < 0 else "left"
                if np.isnan(share):
                    ax.text(i + shift, 0.02, "none", ha=side, va="bottom", color=colour, fontsize=SIZE - 1)
                elif numbers:
                    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
                    ax.text(
                        i + 1.8 * shift, share, percent(share), ha=side, va="center", color=colour, fontsize=SIZE - 1, bbox=box
                    )
        share_axis(ax, "y", 1.0)
        ax.set_ylabel("share of rows")
        turn: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if self._turned else {}
        ax.set_xticks(x, labels=self._ticks, **turn)
        ax.set_xlim(-0.55, len(self.labels) - 0.45)
        ax.tick_params(axis="x", length=0)
        ax.grid(axis="y")
        ax.set_axisbelow(True)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 0), frameon=True, edgecolor="none", framealpha=0.85, fontsize=SIZE - 1)
        if not np.isnan([self.sensitivity_ends, self.specificity_ends]).all():
            note = f"lines: {100 * self.confidence_level:g} % intervals (Wilson), each cut by itself"
            ax.set_xlabel(note, color=MUTED, fontsize=SIZE - 1)

    def _chart(self) -> ChartType:
        import altair as alt

        if not self.labels:
            return say_chart(self.caption)
        ticks = self._ticks
        values = [
            {
                "cut": ticks[i],
                "label": str(self.labels[i]),
                "rate": name,
                "share": plain(shares[i]),
                "low": plain(ends[i, 0]),
                "high": plain(ends[i, 1]),
            }
            for name, _, _, _, shares, ends in self._series()
            for i in range(len(ticks))
        ]
        names, colours = [s[0] for s in self._series()], [s[1] for s in self._series()]
        base = alt.Chart(alt.InlineData(values=values)).encode(
            x=nominal(alt.X, "cut", ticks, "", labelAngle=-40 if self._turned else 0),
            xOffset=alt.XOffset(field="rate", type="nominal", scale=alt.Scale(domain=names)),
            color=alt.Color(field="rate", type="nominal", title=None, scale=alt.Scale(domain=names, range=colours)),
            tooltip=[
                alt.Tooltip(field="label", type="nominal", title="this class or above"),
                alt.Tooltip(field="rate", type="nominal"),
                *(alt.Tooltip(field=f, type="quantitative", format=".3f") for f in ("share", "low", "high")),
            ],
        )
        scale = alt.Scale(domain=[0, 1])
        rules = base.mark_rule(strokeWidth=2).encode(
            y=alt.Y(field="low", type="quantitative", scale=scale, title="share of rows"), y2=alt.Y2(field="high")
        )
        points = base.mark_point(filled=True, size=55, opacity=1).encode(
            y=alt.Y(field="share", type="quantitative", scale=scale, title="share of rows"),
            shape=alt.Shape(field="rate", type="nominal", title=None, scale=alt.Scale(domain=names, range=["circle", "square"])),
        )
        return alt.layer(rules, points).properties(width=max(self._step * 96 * len(ticks), 200), height=240)
