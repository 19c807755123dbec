"""How a score depends on a choice nobody can measure: the length of an open interval, the share in the ordinal index."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.counts.blanks import judged
from ordeval.infer._evidence import EQUAL
from ordeval.metrics import get_metric
from ordeval.metrics.core.types import Absent, IntervalDistance
from ordeval.metrics.families.cost import class_costs
from ordeval.metrics.solvers.geometry import intervals
from ordeval.parts import optimal_length
from ordeval.plot._base import OfCounts
from ordeval.plot._lines import grid, note
from ordeval.plot._style import MUTED, SIZE, SYSTEMS, short, short_labels, trimmed, widest
from ordeval.plot._vega import Spec, category, colours, mark, over, quantity, sized
from ordeval.show._numbers import listed, number
from ordeval.show._result import finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ordeval.evaluation import Comparison

POINTS = 201  # of a curve
DOT = {"filled": True, "size": 60, "opacity": 1}
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
    @renamed_keywords
    @documented(
        "The figure.",
        distance="How far two intervals are apart: as in `optimal_length`.",
        absent="What becomes of classes without true rows: as in `optimal_length`.",
    )
    def from_counts(cls, counts: Counts, *, distance: IntervalDistance = "hausdorff", absent: Absent = "keep") -> Self:
        """The costs of interval classes of which one or two are open."""
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
        if self._blank:
            return "No length is better than another: an open class has no true row, or nothing lies between two open ends."
        parts = [f"{short(end)} has length {_length(best)}" for end, best in zip(self.ends, self.optimum, strict=True)]
        return f"The largest possible cost is smallest, {_length(self.least)}, when {listed(parts)} ({self.distance} distance)."

    @property
    def _blank(self) -> bool:
        return math.isnan(self.least)

    def _size(self) -> tuple[float, float]:
        return 5.0, 3.0

    def _draw(self, ax: Axes) -> None:
        for e, (end, best) in enumerate(zip(self.ends, self.optimum, strict=True)):
            colour, marker, _ = SYSTEMS[e]
            ax.plot(self.lengths[e], self.largest[e], color=colour, linestyle="-" if not e else (0, (5, 2)))
            ax.plot([best], [self.least], marker=marker, color=colour, markersize=6, zorder=3)
            ax.plot([best, best], [0, self.least], color=colour, linewidth=0.8, linestyle=":")
            look = {"color": colour, "fontsize": SIZE, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1}}
            words = f"{short(end, 18)}: {_length(best)}"
            note(ax, words, (best, self.least), (0, 9 + 14 * e), ha="center", va="bottom", **look)
        _log_axis(ax, self.lengths)
        ax.set(ylim=(0, 1.06 * float(self.largest.max())), ylabel="largest possible total cost")
        ax.set_xlabel("length of the open interval (logarithmic)")
        grid(ax, "y")

    def _spec(self) -> Spec:
        names = short_labels(self.ends)
        values = [
            {"end": names[e], "length": float(x), "cost": float(y)}
            for e in range(len(names))
            for x, y in zip(self.lengths[e], self.largest[e], strict=True)
        ]
        best = [
            {"end": name, "length": x, "cost": self.least, "text": _length(x)}
            for name, x in zip(names, self.optimum, strict=True)
        ]
        shared = {
            "x": quantity("length", scale={"type": "log", "nice": False}, title="length of the open interval"),
            "y": quantity("cost", scale={"zero": True}, title="largest possible total cost"),
            "color": colours("end", names),
        }
        texts = mark("text", {"dy": -14}, text=category("text"))
        return sized(380, 230, over(values, mark("line"), **shared), over(best, mark("point", DOT), texts, **shared))


@dataclass(frozen=True, eq=False)
class OciShareDisplay(OfCounts):
    """The ordinal classification index against its share: how much an error that keeps the order is made to cost."""

    models: tuple[str, ...]
    shares: Array  #: (points,) from 0 to 1
    values: Array  #: (models, points)
    default: float  #: the share that `oci` takes
    at_default: tuple[float, ...]

    @classmethod
    @documented("The figure.", gamma="The exponent of `oci`.")
    def from_counts(cls, counts: Counts, *, gamma: float = 1.0) -> Self:
        """One model, or all that are counted."""
        metric = get_metric("oci").with_params(gamma=gamma)
        shares = np.linspace(0, 1, POINTS)
        own = [judged(counts[model]) for model in counts.models]

        def at(share: float) -> list[float]:
            bound = metric.with_params(share=share)
            return [float(bound.bind(part)(part.matrix)) for part in own]

        default = float(metric.defaults["share"])
        names = counts.models if len(own) > 1 or counts.models != ("pred",) else ("",)
        return cls(tuple(names), shares, np.array([at(float(s)) for s in shares]).T, default, tuple(at(default)))

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.")
    def from_comparison(cls, comparison: Comparison) -> Self:
        """A curve for each model."""
        return cls.from_counts(comparison.counts)

    @property
    def title(self) -> str:
        return "Ordinal index against its share"

    @property
    def caption(self) -> str:
        if self._blank:
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

    @property
    def _blank(self) -> bool:
        return bool(np.isnan(self.values).all())

    def _size(self) -> tuple[float, float]:
        return 4.8 + widest(short_labels(self.models)) * SIZE * 0.6 / 72, 3.0

    def _draw(self, ax: Axes) -> None:
        names = short_labels(self.models) if len(self.models) > 1 else [""]
        top = float(np.nanmax(self.values))
        ends = _spread(self.values[:, -1].tolist(), 0.075 * top * 1.1)
        for m, name in enumerate(names):
            colour, marker, _ = SYSTEMS[m % len(SYSTEMS)]
            ax.plot(self.shares, self.values[m], color=colour, linestyle="-" if m % 2 == 0 else (0, (5, 2)))
            ax.plot([self.default], [self.at_default[m]], marker=marker, color=colour, markersize=5, linestyle="none", zorder=3)
            words = f"{number(self.at_default[m])}  {name}".rstrip()
            note(ax, words, (1, ends[m]), (6, 0), va="center", color=colour, fontsize=SIZE)
        ax.axvline(self.default, color=MUTED, linewidth=0.8, linestyle=":")
        note(ax, f"default {self.default:g}", (self.default, 0), (-3, 4), ha="right")
        note(ax, "at default", (1, 1), (6, 2), "axes fraction")
        ax.set(xlim=(0, 1), ylim=(0, 1.1 * top if top else 1), ylabel="index (0 is best)")
        ax.set_xlabel("share: what an error that keeps the order is made to cost")
        grid(ax, "y")

    def _spec(self) -> Spec:
        names = short_labels(self.models) if len(self.models) > 1 else ["index"]
        values = [
            {"model": name, "share": float(s), "oci": finite(v)}
            for name, row in zip(names, self.values, strict=True)
            for s, v in zip(self.shares, row.tolist(), strict=True)
        ]
        at_default = [
            {"model": name, "share": self.default, "oci": finite(v)} for name, v in zip(names, self.at_default, strict=True)
        ]
        shared = {
            "x": quantity("share", title="share"),
            "y": quantity("oci", title="index (0 is best)"),
            "color": colours("model", names),
        }
        return sized(380, 230, over(values, mark("line"), **shared), over(at_default, mark("point", DOT), **shared))


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
