"""How a score depends on a choice nobody can measure: the length of an open interval, the share in the ordinal index."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.infer._evidence import EQUAL
from ordeval.metrics import get_metric
from ordeval.metrics.families.cost import class_costs
from ordeval.metrics.solvers.geometry import intervals
from ordeval.parts import optimal_length
from ordeval.plot._base import OfCounts
from ordeval.plot._lines import say, say_chart
from ordeval.plot._style import MUTED, SIZE, SYSTEMS, short, short_labels, trimmed, widest
from ordeval.show._formats import plain
from ordeval.show._numbers import listed, number

if TYPE_CHECKING:
    from altair.typing import ChartType
    from matplotlib.axes import Axes

    from ordeval.evaluation import Comparison

POINTS = 201  # of a curve
AROUND = 6.0  # the curve runs from this part of the best length to this many times of it


@dataclass(frozen=True, eq=False)
class OpenLengthDisplay(OfCounts):
    """The largest possible interval total cost against the length given to an open interval, and where it is smallest."""

    ends: tuple[str, ...]  #: the open classes, lowest first
    optimum: tuple[float, ...]  #: the length of each that makes the largest cost smallest; nan where no length is better
    lengths: Array  #: (ends, points)
    largest: Array  #: (ends, points) the largest cost there can be; of two open ends, the other at its optimum
    least: float  #: the largest cost at the optimum
    distance: str

    @classmethod
    def from_counts(cls, counts: Counts, *, distance: str = "hausdorff", absent: str = "keep") -> Self:
        """``distance`` and ``absent`` are those of `optimal_length`."""
        found = optimal_length(counts, distance=distance, absent=absent)
        optimum = found if isinstance(found, tuple) else (found,)
        lengths_of = counts.scale.lengths
        assert lengths_of is not None  # optimal_length has refused scales without edges
        ends = tuple(str(label) for label, length in zip(counts.scale.labels, lengths_of, strict=True) if math.isinf(length))
        lengths = np.array([best * np.geomspace(1 / AROUND, AROUND, POINTS) for best in optimum])

        def largest(*given: float) -> float:
            geometry = intervals(counts, tuple(given) if len(given) == 2 else given[0], distance, absent)
            table = counts.matrix.astype(float)
            return float(class_costs(table, geometry.length, geometry.distance)[1].sum() / table.sum())

        if any(map(math.isnan, optimum)):
            return cls(ends, optimum, lengths, np.full(lengths.shape, math.nan), math.nan, distance)
        curves = [[largest(*optimum[:e], float(x), *optimum[e + 1 :]) for x in lengths[e]] for e in range(len(optimum))]
        return cls(ends, optimum, lengths, np.array(curves), largest(*optimum), distance)

    @property
    def title(self) -> str:
        return "Length of the open interval"

    @property
    def caption(self) -> str:
        if math.isnan(self.least):
            return "No length is better than another: an open class has no true row, or nothing lies between two open ends."
        parts = [f"{short(end)} has length {_length(best)}" for end, best in zip(self.ends, self.optimum, strict=True)]
        return f"The largest possible cost is smallest, {_length(self.least)}, when {listed(parts)} ({self.distance} distance)."

    def _size(self) -> tuple[float, float]:
        return 5.0, 3.0

    def _draw(self, ax: Axes) -> None:
        if math.isnan(self.least):
            say(ax, self.caption)
            return
        for e, (end, best) in enumerate(zip(self.ends, self.optimum, strict=True)):
            colour, marker, _ = SYSTEMS[e]
            ax.plot(self.lengths[e], self.largest[e], color=colour, linestyle="-" if not e else (0, (5, 2)))
            ax.plot([best], [self.least], marker=marker, color=colour, markersize=6, zorder=3)
            ax.plot([best, best], [0, self.least], color=colour, linewidth=0.8, linestyle=":")
            ax.annotate(
                f"{short(end, 18)}: {_length(best)}",
                (best, self.least),
                (0, 9 + 14 * e),
                textcoords="offset points",
                ha="center",
                va="bottom",
                color=colour,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
        _log_axis(ax, self.lengths)
        ax.set_ylim(0, 1.06 * float(self.largest.max()))
        ax.grid(axis="y")
        ax.set_axisbelow(True)
        ax.set_xlabel("length of the open interval (logarithmic)")
        ax.set_ylabel("largest possible total cost")

    def _chart(self) -> ChartType:
        import altair as alt

        if math.isnan(self.least):
            return say_chart(self.caption)
        names = short_labels(self.ends)
        values = [
            {"end": names[e], "length": float(x), "cost": float(y)}
            for e in range(len(names))
            for x, y in zip(self.lengths[e], self.largest[e], strict=True)
        ]
        best = [
            {"end": name, "length": x, "cost": self.least, "text": f"{_length(x)}"}
            for name, x in zip(names, self.optimum, strict=True)
        ]
        x = alt.X(
            field="length", type="quantitative", scale=alt.Scale(type="log", nice=False), title="length of the open interval"
        )
        y = alt.Y(field="cost", type="quantitative", scale=alt.Scale(zero=True), title="largest possible total cost")
        colour = alt.Color(
            field="end", type="nominal", title=None, scale=alt.Scale(domain=names, range=[s[0] for s in SYSTEMS[: len(names)]])
        )
        curve = alt.Chart(alt.InlineData(values=values)).mark_line().encode(x=x, y=y, color=colour)
        at_best = alt.Chart(alt.InlineData(values=best)).encode(x=x, y=y, color=colour)
        texts = at_best.mark_text(dy=-14).encode(text=alt.Text(field="text", type="nominal"))
        return alt.layer(curve, at_best.mark_point(filled=True, size=60, opacity=1), texts).properties(width=380, height=230)


@dataclass(frozen=True, eq=False)
class OciShareDisplay(OfCounts):
    """The ordinal classification index against its share: how much an error that keeps the order is made to cost."""

    models: tuple[str, ...]
    shares: Array  #: (points,) from 0 to 1
    values: Array  #: (models, points)
    default: float  #: the share that `oci` takes
    at_default: tuple[float, ...]

    @classmethod
    def from_counts(cls, counts: Counts, *, gamma: float = 1.0) -> Self:
        """One model, or all that are counted."""
        metric = get_metric("oci").with_params(gamma=gamma)
        shares = np.linspace(0, 1, POINTS)
        own = [counts[model] for model in counts.models]

        def at(share: float) -> list[float]:
            bound = metric.with_params(share=share)
            return [float(bound.bind(part)(part.matrix)) for part in own]

        default = float(metric.defaults["share"])
        names = counts.models if len(own) > 1 or counts.models != ("pred",) else ("",)
        return cls(tuple(names), shares, np.array([at(float(s)) for s in shares]).T, default, tuple(at(default)))

    @classmethod
    def from_comparison(cls, comparison: Comparison) -> Self:
        """A curve for each model."""
        return cls.from_counts(comparison.counts)

    @property
    def title(self) -> str:
        return "Ordinal index against its share"

    @property
    def caption(self) -> str:
        if np.isnan(self.values).all():
            return "There are no rows, so the index is undefined."
        if len(self.models) == 1:
            start, end = number(self.values[0, 0]), number(self.values[0, -1])
            return f"The index goes from {start} at share 0 to {end} at share 1, and is {number(self.at_default[0])} at the default {self.default:g}."
        lowest = (self.values <= np.nanmin(self.values, 0) + EQUAL).all(1)
        always = [short(model) for model, low in zip(self.models, lowest, strict=True) if low]
        if always:
            return f"{listed(always)} {'has' if len(always) == 1 else 'have'} the lowest (best) index at every share."
        best = np.nanargmin(self.values, 0)
        turns = int(np.argmax(best != best[0]))
        return (
            f"Which model is best depends on the share: {short(self.models[best[0]])} below about {self.shares[turns]:.2g}, "
            f"{short(self.models[best[turns]])} from there on."
        )

    def _size(self) -> tuple[float, float]:
        return 4.8 + widest(short_labels(self.models)) * SIZE * 0.6 / 72, 3.0

    def _draw(self, ax: Axes) -> None:
        if np.isnan(self.values).all():
            say(ax, self.caption)
            return
        names = short_labels(self.models) if len(self.models) > 1 else [""]
        top = float(np.nanmax(self.values))
        ends = _spread(self.values[:, -1].tolist(), 0.075 * top * 1.1)
        for m, name in enumerate(names):
            colour, marker, _ = SYSTEMS[m % len(SYSTEMS)]
            ax.plot(self.shares, self.values[m], color=colour, linestyle="-" if m % 2 == 0 else (0, (5, 2)))
            ax.plot([self.default], [self.at_default[m]], marker=marker, color=colour, markersize=5, linestyle="none", zorder=3)
            ax.annotate(
                f"{number(self.at_default[m])}  {name}".rstrip(),
                (1, ends[m]),
                (6, 0),
                textcoords="offset points",
                va="center",
                color=colour,
                annotation_clip=False,
            )
        ax.axvline(self.default, color=MUTED, linewidth=0.8, linestyle=":")
        ax.annotate(
            f"default {self.default:g}",
            (self.default, 0),
            (-3, 4),
            textcoords="offset points",
            ha="right",
            color=MUTED,
            fontsize=SIZE - 1,
        )
        ax.annotate(
            "at default", (1, 1), (6, 2), xycoords="axes fraction", textcoords="offset points", color=MUTED, fontsize=SIZE - 1
        )
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.1 * top if top else 1)
        ax.grid(axis="y")
        ax.set_axisbelow(True)
        ax.set_xlabel("share: what an error that keeps the order is made to cost")
        ax.set_ylabel("index (0 is best)")

    def _chart(self) -> ChartType:
        import altair as alt

        if np.isnan(self.values).all():
            return say_chart(self.caption)
        names = short_labels(self.models) if len(self.models) > 1 else ["index"]
        values = [
            {"model": name, "share": float(s), "oci": plain(v)}
            for name, row in zip(names, self.values, strict=True)
            for s, v in zip(self.shares, row.tolist(), strict=True)
        ]
        marks = [{"model": name, "share": self.default, "oci": plain(v)} for name, v in zip(names, self.at_default, strict=True)]
        x = alt.X(field="share", type="quantitative", title="share")
        y = alt.Y(field="oci", type="quantitative", title="index (0 is best)")
        colours = [SYSTEMS[m % len(SYSTEMS)][0] for m in range(len(names))]
        colour = alt.Color(field="model", type="nominal", title=None, scale=alt.Scale(domain=names, range=colours))
        lines = alt.Chart(alt.InlineData(values=values)).mark_line().encode(x=x, y=y, color=colour)
        at_default = (
            alt.Chart(alt.InlineData(values=marks)).mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y, color=colour)
        )
        return alt.layer(lines, at_default).properties(width=380, height=230)


def _length(value: float) -> str:
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def _spread(heights: list[float], gap: float) -> list[float]:
    """The heights, moved apart upwards just enough that texts do not overlap."""
    placed, last = dict[int, float](), -math.inf
    for i in sorted(range(len(heights)), key=lambda i: (math.isnan(heights[i]), heights[i])):
        last = max(0.0 if math.isnan(heights[i]) else heights[i], last + gap)
        placed[i] = last
    return [placed[i] for i in range(len(heights))]


def _log_axis(ax: Axes, lengths: Array) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    low, high = float(lengths.min()), float(lengths.max())
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**p for p in powers for step in (1, 2, 5) if low <= step * 10.0**p <= high]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: trimmed(value)))
