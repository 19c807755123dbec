"""Bars to both sides of a line: for each class, how much is below it and how much above, by steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.plot._lines import grid, note, share_axis
from ordeval.plot._style import INK, LOWER, MUTED, PAPER, SIZE, UPPER, short_labels, widest
from ordeval.plot._vega import Spec, beside, category, down, line_of_text, literal, mark, only, ordered, over, quantity, sized

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 3  # shades: 1, 2, and 3 or more steps
STACKED = 42  # pixels of a class with its numbers above its bar


@dataclass(frozen=True)
class Bars:
    """What is drawn to both sides."""

    labels: Sequence[Any]  #: top first
    below: Array  #: (classes, 3), drawn to the left
    above: Array  #: (classes, 3), drawn to the right
    left: str  #: what a bar to the left means
    right: str
    axis: str  #: what is measured
    rows: str  #: what the labels are
    show: Callable[[float], str]
    notes: Sequence[str]  #: beside each class
    notes_title: str
    share: bool  #: the axis is one of shares
    steps: Sequence[str]  #: what the shades mean, as many as can occur
    nothing: str  #: said where there is no bar at all
    least: float = 0.0  #: how far the axis reaches at least
    of: Sequence[float] = ()  #: rows of each class, where bars are shares of them: the rows of a bar stand behind its share

    @property
    def _pitch(self) -> float:
        """Inches from one class to the next."""
        return 0.42 if len(self.labels) <= 10 else 0.24

    def size(self) -> tuple[float, float]:
        letter = SIZE * 0.6 / 72
        sides = (
            max(widest(short_labels(self.labels)) * letter, 0.5) + max(widest(self.notes), widest([self.notes_title])) * letter
        )
        return 3.8 + sides, 1.45 + self._pitch * len(self.labels)

    @property
    def reach(self) -> float:
        """The longest bar, to either side; both sides get the same room, so that they can be compared."""
        longest = np.nanmax([*np.nan_to_num(self.below).sum(1), *np.nan_to_num(self.above).sum(1), self.least])
        return float(longest) if longest > 0 else 1.0

    def _bars(self) -> list[tuple[int, int, int, float, float, str]]:
        """Class, side, shade, from, to, colour; the bars next to the line come first."""
        found: list[tuple[int, int, int, float, float, str]] = []
        for sign, sides, colours in ((-1, self.below, LOWER), (1, self.above, UPPER)):
            for i, parts in enumerate(np.nan_to_num(sides).tolist()):
                start = 0.0
                for s, part in enumerate(parts):
                    if part > 0:
                        found.append((i, sign, s, sign * start, sign * (start + part), colours[s]))
                    start += part
        return found

    def draw(self, ax: Axes) -> None:
        from matplotlib.legend_handler import HandlerTuple
        from matplotlib.patches import Patch
        from matplotlib.transforms import ScaledTranslation

        size, bars, reach = len(self.labels), self._bars(), self.reach
        for i, _, _, start, end, colour in bars:
            ax.barh(i, end - start, left=start, height=0.66, color=colour, edgecolor="white", linewidth=0.6)
        self._bar_ends(ax)
        ax.axvline(0, color=INK, linewidth=0.8)
        room = reach * (1.6 if self.of else 1.3)
        if self.share:
            share_axis(ax, "x", room, bottom=-room)
        else:
            _count_axis(ax)
        ax.set(xlim=(-room, room), ylim=(size - 0.5, -0.5), xlabel=self.axis, ylabel=self.rows)
        ax.set_yticks(range(size), labels=short_labels(self.labels))
        ax.tick_params(axis="y", length=0)
        grid(ax, "x")
        ax.spines["left"].set_visible(False)
        note(ax, f"← {self.left}", (0, 1), (0, 2), "axes fraction", ha="left", va="bottom", color=LOWER[2])
        note(ax, f"{self.right} →", (1, 1), (0, 2), "axes fraction", ha="right", va="bottom", color=UPPER[2])
        note(ax, self.notes_title, (1, 1), (10, 2), "axes fraction", ha="left", va="bottom")
        for i, words in enumerate(self.notes):
            note(ax, words, (1, i), (10, 0), ("axes fraction", "data"), va="center")
        if not bars:
            ax.text(0, (size - 1) / 2, self.nothing, ha="center", va="center", color=MUTED, backgroundcolor="white")
            return
        below = ax.transAxes + ScaledTranslation(0, -0.42, ax.figure.figure.dpi_scale_trans)
        place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": below, "ncols": 3}
        handles = [(Patch(facecolor=LOWER[s]), Patch(facecolor=UPPER[s])) for s in range(len(self.steps))]
        side_by_side = {tuple: HandlerTuple(ndivide=None, pad=0)}
        ax.legend(handles, list(self.steps), handler_map=side_by_side, frameon=False, fontsize=SIZE - 1, **place)

    def _bar_ends(self, ax: Axes) -> None:
        """The length of each bar in numbers, at its end."""
        for sign, sides in ((-1, self.below), (1, self.above)):
            for i, total in enumerate(np.nan_to_num(sides).sum(1).tolist()):
                if total > 0:
                    side = "left" if sign > 0 else "right"
                    rows = f" ({_rows(total * self.of[i])})" if self.of else ""
                    note(ax, self.show(total) + rows, (sign * total, i), (4 * sign, 0), ha=side, va="center", color=INK)

    def spec(self) -> Spec:
        labels = short_labels(self.labels)
        words = {-1: self.left, 1: self.right}
        values = [
            {
                "class": labels[i],
                "label": str(self.labels[i]),
                "side": words[sign],
                "steps": self.steps[min(s, len(self.steps) - 1)],
                "from": start,
                "to": end,
                "amount": abs(end - start),
                "fill": colour,
            }
            for i, sign, s, start, end, colour in self._bars()
        ]
        notes = [{"class": label, "note": note} for label, note in zip(labels, self.notes, strict=True)]
        y = ordered("class", labels, self.rows, domain=False)
        x_axis = {
            "title": f"← {self.left} · {self.axis} · {self.right} →",
            "labelExpr": "format(abs(datum.value), '.0%')" if self.share else "format(abs(datum.value), ',')",
        }
        room = min(1.3 * self.reach, 1.05) if self.share else 1.3 * self.reach  # no tick beyond 100 %
        bars = mark(
            "bar",
            {"stroke": PAPER, "height": {"band": 0.7}},
            y=y,
            x=quantity("from", scale={"domain": [-room, room], "nice": False}, axis=x_axis),
            x2={"field": "to"},
            fill=literal("fill"),
            tooltip=[
                *(category("label", title=self.rows), category("side"), category("steps")),
                quantity("amount", format=".1%" if self.share else ","),
            ],
        )
        return sized(
            380,
            int(self._pitch * 96 * len(labels)) + 10,
            over(values, bars),
            over([{"x": 0}], mark("rule", {"color": INK}, x=quantity("x"))),
            over([{"note": self.notes_title}], beside("note", color=MUTED), y={"value": -6}),
            over(notes, beside("note", color=MUTED), y=y),
        )

    def stacked(self) -> Spec:
        """Name and numbers of a class above its bar."""
        labels, words = short_labels(self.labels), {-1: self.left, 1: self.right}
        top = 44.0
        height = top + STACKED * len(labels)

        def place(i: int) -> float:
            return top + STACKED * i

        texts = [
            {"text": f"← {self.left}", "side": "left", "y": 9},
            {"text": f"{self.right} →", "side": "right", "y": 9},
            {"text": self.rows, "side": "left", "y": 30, "quiet": True},
            {"text": self.notes_title, "side": "right", "y": 30, "quiet": True},
        ]
        for i, (label, words_beside) in enumerate(zip(labels, self.notes, strict=True)):
            texts += [
                {"text": label, "side": "left", "y": place(i) + 10},
                {"text": words_beside, "side": "right", "y": place(i) + 10},
            ]
        values = [
            {
                "label": str(self.labels[i]),
                "side": words[sign],
                "steps": self.steps[min(s, len(self.steps) - 1)],
                "from": start,
                "to": end,
                "amount": abs(end - start),
                "fill": colour,
                "y": place(i) + 20,
                "y2": place(i) + 36,
            }
            for i, sign, s, start, end, colour in self._bars()
        ]
        y, form = down("y", height), "format(abs(datum.value), '.0%')" if self.share else "format(abs(datum.value), ',')"
        axis = {
            "title": [self.axis, "a stronger shade: more steps"],
            "labelExpr": form,
            "tickCount": 5,
            "labelOverlap": True,
            "grid": False,
        }
        bars = mark(
            "rect",
            {"stroke": PAPER},
            x=quantity("from", scale={"domain": [-1.05 * self.reach, 1.05 * self.reach], "nice": False}, axis=axis),
            x2={"field": "to"},
            y=y,
            y2={"field": "y2"},
            fill=literal("fill"),
            tooltip=[
                *(category("label", title=self.rows), category("side"), category("steps")),
                quantity("amount", format=".1%" if self.share else ","),
            ],
        )
        rows = [{"quiet": False, **one} for one in texts]
        lines = [
            only(only(line_of_text("text", side, fontSize=13, **look), "quiet", quiet), "side", side)
            for side in ("left", "right")
            for quiet, look in ((False, {}), (True, {"color": MUTED}))
        ]
        zero = over(
            [{"x": 0, "y": top + 16, "y2": height}], mark("rule", {"color": INK}, x=quantity("x"), y=y, y2={"field": "y2"})
        )
        return sized(320, height, over(values, bars), zero, over(rows, *lines, y=y))


def _rows(number: float) -> str:
    """Whole rows whole, for shares are ratios of them."""
    return f"{number:,.0f}" if abs(number - round(number)) < 1e-6 else f"{number:,.1f}"


def _count_axis(ax: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):,.10g}"))
