"""A line for each score, from the least to the most that it is drawn for, with a mark and an interval for each model.

Scores have different ranges, so each line has its own, written at its ends; the numbers stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ordeval.plot._lines import nominal
from ordeval.plot._style import FAINT, INK, LABEL, MUTED, SIZE, SYSTEMS, short_labels, trimmed, widest
from ordeval.show._formats import plain

if TYPE_CHECKING:
    from altair.typing import ChartType
    from matplotlib.axes import Axes

PITCH = 0.23  # inches from one mark to the next


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
            for mark, y in zip(track.marks, heights, strict=True):
                _draw_mark(ax, track, mark, y)
                beside: dict[str, Any] = {
                    "xycoords": "data",
                    "textcoords": "offset points",
                    "va": "center",
                    "annotation_clip": False,
                    "fontsize": SIZE - 0.5,
                }
                colour = MUTED if math.isnan(mark.value) or mark.grey else INK
                ax.annotate(mark.text, (1, y), (38, 0), color=colour, weight=weight, **beside)
                if mark.name:
                    ink = SYSTEMS[mark.style % len(SYSTEMS)][0]
                    ax.annotate(mark.name, (1, y), (38 + (texts + 1.5) * SIZE * 0.58, 0), color=ink, **beside)
        if self.zero:
            ax.axvline(0.5, color=INK, linewidth=0.8, zorder=0)
        above: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom", "fontsize": SIZE - 1}
        for head, (x, side) in zip(self.heads, ((0.0, "left"), (1.0, "right")), strict=True):
            if head:
                ax.annotate(head, (x, 1), (0, 2), ha=side, color=MUTED, **above)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(self._depth - 0.4, -0.35)
        ax.set_yticks([middle for middle, _ in slots], labels=self.labels)
        for tick, track in zip(ax.get_yticklabels(), self.tracks, strict=True):
            tick.set_fontweight("bold" if track.strong else "normal")
        ax.set_xticks([])
        ax.tick_params(axis="y", length=0, pad=30)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_xlabel(self.foot, color=MUTED, fontsize=SIZE - 1)

    def _ends(self, ax: Axes, track: Track, middle: float) -> None:
        for x, value, side, step in ((0.0, track.left, "right", -4), (1.0, track.right, "left", 4)):
            best = value == track.best
            open_here = track.open_end and value == max(track.left, track.right)
            ax.annotate(
                f"{trimmed(value)}{'…' if open_here else ''}",
                (x, middle),
                (step, 0),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=SIZE - 2,
                color=INK if best else MUTED,
                weight="bold" if best else "normal",
                annotation_clip=False,
            )
            ax.plot(
                [x, x], [middle - 0.16, middle + 0.16], color=INK if best else FAINT, linewidth=2.2 if best else 1.2, zorder=0
            )
        if track.has_best_inside and not self.zero:
            x = track.place(track.best)
            ax.plot([x, x], [middle - 0.16, middle + 0.16], color=INK, linewidth=2.2, zorder=0)

    def chart(self) -> ChartType:
        import altair as alt

        labels = self.labels
        values, ends = [], []
        for label, track in zip(labels, self.tracks, strict=True):
            for mark in track.marks:
                colour, _, shape = SYSTEMS[mark.style % len(SYSTEMS)]
                positions = {
                    key: _placed(track, value) for key, value in (("x", mark.value), ("x1", mark.low), ("x2", mark.high))
                }
                numbers = {"value": plain(mark.value), "low": plain(mark.low), "high": plain(mark.high)}
                drawn = {"colour": MUTED if mark.grey else colour, "shape": shape, "filled": not math.isnan(mark.low)}
                values.append({"score": label, "slot": mark.name, "text": mark.text, **positions, **numbers, **drawn})
            places = ((0.0, track.left, "left"), (1.0, track.right, "right"))
            ends += [{"score": label, "x": x, "end": trimmed(v), "side": side, "best": v == track.best} for x, v, side in places]
            if track.has_best_inside and not self.zero:
                ends.append({"score": label, "x": track.place(track.best), "end": "", "side": "", "best": True})
        slots = list(dict.fromkeys(str(row["slot"]) for row in values))
        x_scale = alt.Scale(domain=[0, 1], nice=False)
        y = nominal(alt.Y, "score", labels, None, domain=False, labelPadding=38)
        offset = alt.YOffset(field="slot", type="nominal", sort=None, scale=alt.Scale(domain=slots, paddingOuter=0.4))

        def x_of(field: str) -> Any:
            return alt.X(field=field, type="quantitative", scale=x_scale, axis=None)

        bounds = alt.Chart(alt.InlineData(values=ends)).encode(y=y)
        best = alt.Chart(alt.InlineData(values=[row for row in ends if row["best"]])).encode(y=y)
        ticks = best.mark_tick(color=INK, thickness=2.5, size=10).encode(x=x_of("x"))
        lines = bounds.mark_line(color=FAINT).encode(x=x_of("x"), detail=alt.Detail(field="score", type="nominal"))
        sides: tuple[tuple[str, Any, int], ...] = (("left", "right", -5), ("right", "left", 5))
        texts_at_ends = [
            bounds.transform_filter(alt.FieldEqualPredicate(field="side", equal=side))
            .mark_text(align=align, dx=dx, color=MUTED, fontSize=10)
            .encode(x=x_of("x"), text=alt.Text(field="end", type="nominal"))
            for side, align, dx in sides
        ]
        base = alt.Chart(alt.InlineData(values=values)).encode(
            y=y,
            yOffset=offset,
            color=alt.Color(field="colour", type="nominal", scale=None),
            tooltip=[
                alt.Tooltip(field="score", type="nominal"),
                alt.Tooltip(field="slot", type="nominal", title="model"),
                *(alt.Tooltip(field=f, type="quantitative", format=".4f") for f in ("value", "low", "high")),
            ],
        )
        rules = base.mark_rule(strokeWidth=2).encode(x=x_of("x1"), x2=alt.X2(field="x2"))
        points = base.mark_point(size=50, opacity=1).encode(
            x=x_of("x"),
            shape=alt.Shape(field="shape", type="nominal", scale=None),
            fill=alt.condition(
                alt.FieldEqualPredicate(field="filled", equal=True),
                alt.Fill(field="colour", type="nominal", scale=None),
                alt.value("white"),
            ),
        )
        texts = base.mark_text(align="left", dx=36).encode(x=alt.value("width"), text=alt.Text(field="text", type="nominal"))
        widths = max((widest([str(row["text"])]) for row in values), default=0)
        names = base.mark_text(align="left", dx=48 + 6.5 * widths).encode(
            x=alt.value("width"), text=alt.Text(field="slot", type="nominal")
        )
        layers = [lines, ticks, *texts_at_ends, rules, points, texts, names]
        if self.zero:
            zero = alt.Chart(alt.InlineData(values=[{"x": 0.5}])).mark_rule(color=INK)
            layers.insert(0, zero.encode(x=x_of("x")))
        return alt.layer(*layers).properties(width=260, height=int(24 * self._depth))


def _placed(track: Track, value: float) -> float | None:
    return plain(track.place(value)) if math.isfinite(value) else None


def _draw_mark(ax: Axes, track: Track, mark: Mark, y: float) -> None:
    colour, marker, _ = SYSTEMS[mark.style % len(SYSTEMS)]
    colour = MUTED if mark.grey else colour
    if math.isnan(mark.value):
        return
    sure = not (math.isnan(mark.low) or math.isnan(mark.high))
    if sure:
        ax.plot([track.place(mark.low), track.place(mark.high)], [y, y], color=colour, linewidth=2.6 if track.strong else 1.8)
    ax.plot(
        [track.place(mark.value)],
        [y],
        marker=marker,
        markersize=5.5,
        color=colour,
        markerfacecolor=colour if sure else "white",
        linestyle="none",
        zorder=3,
    )
