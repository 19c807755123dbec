"""A line for each score, from the least to the most that it is drawn for, with a mark and an interval for each model.

Scores have different ranges, so each line has its own, written at its ends; the numbers stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ordeval.plot._lines import note
from ordeval.plot._style import FAINT, INK, LABEL, MUTED, PAPER, SIZE, SYSTEMS, short_labels, trimmed, widest
from ordeval.plot._vega import (
    Spec,
    beside,
    category,
    down,
    line_of_text,
    literal,
    mark,
    only,
    ordered,
    over,
    quantities,
    quantity,
    sized,
)
from ordeval.show._result import finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.23  # inches from one mark to the next
STACKED = 36  # pixels of a mark with its numbers above it
SIDES = ("left", "right")


@dataclass(frozen=True)
class Mark:
    """One value on a line."""

    value: float  #: nan where it is undefined
    low: float  #: nan where there is no interval
    high: float
    text: str  #: the numbers, or why there are none
    style: int = 0  #: which of the systems' colours and shapes
    name: str = ""
    grey: bool = False  #: neither end is the better one


@dataclass(frozen=True)
class Track:
    """One line with its marks."""

    label: str
    left: float
    right: float  #: below `left` where the line runs from high to low
    marks: Sequence[Mark]
    best: float = math.nan  #: the best value, where it lies on the line
    strong: bool = False
    open_end: bool = False  #: the score has no largest value

    @property
    def has_best_inside(self) -> bool:
        return min(self.left, self.right) < self.best < max(self.left, self.right)

    def place(self, value: float) -> float:
        """Where a value is drawn, 0 at the left end and 1 at the right."""
        return (value - self.left) / (self.right - self.left)


@dataclass(frozen=True)
class Tracks:
    """All lines of a figure, top first."""

    tracks: Sequence[Track]
    zero: bool = False  #: a line through the middle of all
    heads: tuple[str, str] = ("", "")  #: above the left and the right half
    foot: str = ""

    @property
    def labels(self) -> list[str]:
        return short_labels([track.label for track in self.tracks], LABEL + 12)

    def _slots(self) -> list[tuple[float, list[float]]]:
        """For each line, its height and those of its marks, in units of marks from the top."""
        found, top = [], 0.0
        for track in self.tracks:
            number = max(len(track.marks), 1)
            heights = [top + 0.5 + m for m in range(number)]
            found.append((top + number / 2, heights))
            top += number + 0.75
        return found

    @property
    def _depth(self) -> float:
        return sum(max(len(track.marks), 1) + 0.75 for track in self.tracks)

    def size(self) -> tuple[float, float]:
        letter = SIZE * 0.58 / 72
        texts = [mark.text for track in self.tracks for mark in track.marks]
        names = [mark.name for track in self.tracks for mark in track.marks]
        beside = (widest(texts) + widest(names) + 4) * letter
        return 3.7 + widest(self.labels) * letter + beside, 0.95 + PITCH * self._depth

    def draw(self, ax: Axes) -> None:
        slots = self._slots()
        texts = widest(mark.text for track in self.tracks for mark in track.marks)
        for track, (middle, heights) in zip(self.tracks, slots, strict=True):
            weight = "bold" if track.strong else "normal"
            ax.plot([0, 1], [middle, middle], color=FAINT, linewidth=1.2, zorder=0)
            self._ends(ax, track, middle)
            for one, y in zip(track.marks, heights, strict=True):
                _draw_mark(ax, track, one, y)
                look = {"va": "center", "fontsize": SIZE - 0.5}
                colour = MUTED if math.isnan(one.value) or one.grey else INK
                note(ax, one.text, (1, y), (38, 0), color=colour, weight=weight, **look)
                if one.name:
                    ink = SYSTEMS[one.style % len(SYSTEMS)][0]
                    note(ax, one.name, (1, y), (38 + (texts + 1.5) * SIZE * 0.58, 0), color=ink, **look)
        if self.zero:
            ax.axvline(0.5, color=INK, linewidth=0.8, zorder=0)
        for head, (x, side) in zip(self.heads, ((0.0, "left"), (1.0, "right")), strict=True):
            if head:
                note(ax, head, (x, 1), (0, 2), "axes fraction", ha=side, va="bottom")
        ax.set(xlim=(-0.02, 1.02), ylim=(self._depth - 0.4, -0.35), xticks=[])
        ax.set_yticks([middle for middle, _ in slots], labels=self.labels)
        for tick, track in zip(ax.get_yticklabels(), self.tracks, strict=True):
            tick.set_fontweight("bold" if track.strong else "normal")
        ax.tick_params(axis="y", length=0, pad=30)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_xlabel(self.foot, color=MUTED, fontsize=SIZE - 1)

    def _ends(self, ax: Axes, track: Track, middle: float) -> None:
        for x, value, side, step in ((0.0, track.left, "right", -4), (1.0, track.right, "left", 4)):
            best = value == track.best
            open_here = track.open_end and value == max(track.left, track.right)
            look = {"color": INK, "weight": "bold"} if best else {"color": MUTED, "weight": "normal"}
            words = f"{trimmed(value)}{'…' if open_here else ''}"
            note(ax, words, (x, middle), (step, 0), ha=side, va="center", fontsize=SIZE - 2, **look)
            thick: dict[str, Any] = {"color": INK, "linewidth": 2.2} if best else {"color": FAINT, "linewidth": 1.2}
            ax.plot([x, x], [middle - 0.16, middle + 0.16], zorder=0, **thick)
        if track.has_best_inside and not self.zero:
            x = track.place(track.best)
            ax.plot([x, x], [middle - 0.16, middle + 0.16], color=INK, linewidth=2.2, zorder=0)

    def spec(self) -> Spec:
        labels = self.labels
        values: list[Spec] = []
        ends: list[Spec] = []
        for label, track in zip(labels, self.tracks, strict=True):
            for one in track.marks:
                colour, _, shape = SYSTEMS[one.style % len(SYSTEMS)]
                colour = MUTED if one.grey else colour
                places = {key: _placed(track, at) for key, at in (("x", one.value), ("x1", one.low), ("x2", one.high))}
                numbers = {"value": finite(one.value), "low": finite(one.low), "high": finite(one.high)}
                drawn = {"colour": colour, "shape": shape, "fill": PAPER if math.isnan(one.low) else colour}
                values.append({"score": label, "slot": one.name, "text": one.text, **places, **numbers, **drawn})
            sides = ((0.0, track.left, "left"), (1.0, track.right, "right"))
            ends += [{"score": label, "x": x, "end": trimmed(v), "side": side, "best": v == track.best} for x, v, side in sides]
            if track.has_best_inside and not self.zero:
                ends.append({"score": label, "x": track.place(track.best), "end": "", "side": "", "best": True})
        slots = list(dict.fromkeys(str(row["slot"]) for row in values))
        room = max((widest([str(row["text"])]) for row in values), default=0)
        y = ordered("score", labels, None, domain=False, labelPadding=38)
        end: Spec = {"color": MUTED, "fontSize": 10}
        lines = over(
            ends,
            mark("line", {"color": FAINT}, detail=category("score")),
            only(mark("tick", {"color": INK, "thickness": 2.5, "size": 10}), "best", True),
            only(mark("text", {"align": "right", "dx": -5, **end}, text=category("end")), "side", "left"),
            only(mark("text", {"align": "left", "dx": 5, **end}, text=category("end")), "side", "right"),
            x=_along("x"),
            y=y,
        )
        marks = over(
            values,
            mark("rule", {"strokeWidth": 2}, x=_along("x1"), x2={"field": "x2"}),
            mark("point", {"size": 50, "opacity": 1}, x=_along("x"), shape=literal("shape"), fill=literal("fill")),
            beside("text", 36),
            beside("slot", 48 + 6.5 * room),
            y=y,
            yOffset=category("slot", sort=None, scale={"domain": slots, "paddingOuter": 0.4}),
            color=literal("colour"),
            tooltip=[category("score"), category("slot", title="model"), *quantities(("value", "low", "high"), ".4f")],
        )
        zero = [over([{"x": 0.5}], mark("rule", {"color": INK}, x=_along("x")))] if self.zero else []
        return sized(260, int(24 * self._depth), *zero, lines, marks)

    def stacked(self) -> Spec:
        """Name and numbers of a mark above its line, at both edges, whatever the width."""
        texts: list[Spec] = []
        marks: list[Spec] = []
        ends: list[Spec] = []
        top = 0.0
        if any(self.heads):
            texts += [{"text": head, "side": side, "y": 9, "strong": False} for head, side in zip(self.heads, SIDES, strict=True)]
            top = 20.0
        for label, track in zip(self.labels, self.tracks, strict=True):
            texts.append({"text": label, "side": "left", "y": top + 11, "strong": track.strong})
            top += 20
            for one in track.marks:
                colour, _, shape = SYSTEMS[one.style % len(SYSTEMS)]
                colour = MUTED if one.grey else colour
                line = {"score": label, "y": top + 26}
                texts += [{"text": one.name, "side": "left", "y": top + 11, "strong": False}] if one.name else []
                texts.append({"text": one.text, "side": "right", "y": top + 11, "strong": track.strong})
                places = {key: _placed(track, at) for key, at in (("x", one.value), ("x1", one.low), ("x2", one.high))}
                numbers = {"model": one.name, "value": finite(one.value), "low": finite(one.low), "high": finite(one.high)}
                fill = PAPER if math.isnan(one.low) else colour
                marks.append({**line, **places, **numbers, "colour": colour, "shape": shape, "fill": fill})
                sides = zip((0.0, 1.0), (track.left, track.right), SIDES, strict=True)
                ends += [{**line, "x": x, "end": trimmed(v), "side": side, "best": v == track.best} for x, v, side in sides]
                if track.has_best_inside and not self.zero:
                    ends.append({**line, "x": track.place(track.best), "end": "", "side": "", "best": True})
                if self.zero:
                    ends.append({**line, "x": 0.5, "end": "", "side": "", "best": True})
                top += STACKED
            top += 8
        y, end = down("y", top), {"color": MUTED, "fontSize": 10}
        words = [
            only(only(line_of_text("text", side, fontSize=13, **look), "strong", strong), "side", side)
            for side in SIDES
            for strong, look in ((False, {}), (True, {"fontWeight": "bold"}))
        ]
        lines = over(
            ends,
            mark("line", {"color": FAINT}, detail=category("y")),
            only(mark("tick", {"color": INK, "thickness": 2.5, "size": 10, "orient": "vertical"}), "best", True),
            only(mark("text", {"align": "right", "dx": -5, **end}, text=category("end")), "side", "left"),
            only(mark("text", {"align": "left", "dx": 5, **end}, text=category("end")), "side", "right"),
            x=_within("x"),
            y=y,
        )
        drawn = over(
            marks,
            mark("rule", {"strokeWidth": 2}, x=_within("x1"), x2={"field": "x2"}),
            mark("point", {"size": 50, "opacity": 1}, x=_within("x"), shape=literal("shape"), fill=literal("fill")),
            y=y,
            color=literal("colour"),
            tooltip=[category("score"), category("model"), *quantities(("value", "low", "high"), ".4f")],
        )
        return sized(320, top, lines, drawn, over(texts, *words, y=y))


def _within(field: str) -> Spec:
    """Places on a line that leaves room for the numbers at its ends."""
    scale = {"domain": [0, 1], "nice": False, "range": [42, {"expr": "width - 42"}]}
    return quantity(field, scale=scale, axis=None)


def _along(field: str) -> Spec:
    """Places on a line; its ends are written, so it has no axis."""
    return quantity(field, scale={"domain": [0, 1], "nice": False}, axis=None)


def _placed(track: Track, value: float) -> float | None:
    return finite(track.place(value)) if math.isfinite(value) else None


def _draw_mark(ax: Axes, track: Track, one: Mark, y: float) -> None:
    colour, marker, _ = SYSTEMS[one.style % len(SYSTEMS)]
    colour = MUTED if one.grey else colour
    if math.isnan(one.value):
        return
    sure = not (math.isnan(one.low) or math.isnan(one.high))
    if sure:
        ax.plot([track.place(one.low), track.place(one.high)], [y, y], color=colour, linewidth=2.6 if track.strong else 1.8)
    look: dict[str, Any] = {"marker": marker, "markersize": 5.5, "markerfacecolor": colour if sure else "white"}
    ax.plot([track.place(one.value)], [y], color=colour, linestyle="none", zorder=3, **look)
