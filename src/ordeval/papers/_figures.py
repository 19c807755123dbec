"""The papers' figures: the best length of an open interval, curves of the ordinal index, and the data of its experiments.

Binotto & Delgado (2023), Fig. 1; Cardoso & Sousa (2011), Figs. 4 to 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.papers._claims import value
from ordeval.papers._data import Dataset
from ordeval.papers._oci import BETAS, COLUMNS, single, tridiagonal
from ordeval.papers._stc_appendix import BRANCHES, GOLDEN, best_length
from ordeval.plot import Display
from ordeval.plot._lines import grid, note
from ordeval.plot._style import MUTED, SIZE, SYSTEMS
from ordeval.plot._vega import Spec, category, colours, mark, over, quantity, sized
from ordeval.show._numbers import listed, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 201  # of a curve
BREAKS = (1.0, GOLDEN, GOLDEN + 1)  # where Proposition 6 goes from one formula to the next
_DASHES: list[Any] = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5))]


def proposition_6(ratio: float) -> float:
    """The best length of the third of three balanced intervals of lengths 1, L and x."""
    return BRANCHES[sum(ratio > limit for limit in BREAKS)][2](ratio)


def _curve(ax: Axes, i: int, x: Array, y: Array, **look: Any) -> None:
    """One of several curves, told apart by colour and by dashes."""
    ax.plot(x, y, color=SYSTEMS[i % len(SYSTEMS)][0], linestyle=_DASHES[i % len(_DASHES)], **look)


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """The heights, moved apart downwards just enough that texts do not overlap."""
    order = np.argsort(-np.array(heights), kind="stable")
    placed = np.array(heights, float)
    for one, other in pairwise(order):
        placed[other] = min(placed[other], placed[one] - gap)
    return [float(height) for height in placed]


@dataclass(frozen=True, eq=False)
class OptimalLengthDisplay(Display):
    """The best length of the last of three balanced intervals against the ratio of the first two (Binotto & Delgado 2023, Fig. 1)."""

    ratios: Array  #: (points,) L, the length of the second interval in units of the first
    lengths: Array  #: (points,) the best length of the third, by Proposition 6
    found_at: Array  #: ten ratios
    found: Array  #: what `optimal_length` finds there

    @classmethod
    @documented("The figure.", most="The largest ratio that is shown.")
    def from_ratio(cls, most: float = 10.0) -> Self:
        """Ratios from 0 to this one; a second panel shows those up to 2."""
        if not 2 < most < math.inf:
            raise ArgumentError(
                "{most:{given}} leaves nothing to show beside the panel up to 2",
                argument="most",
                remedy="give a number above 2",
                values={"given": repr(most)},
            )
        ratios = np.unique(np.concatenate([np.linspace(0, 2, POINTS)[1:], np.linspace(0, most, POINTS)[1:], BREAKS]).round(12))
        at = np.array([0.25, 0.5, 1, 1.5, 2, *np.linspace(2.5, most, 5)])
        lengths = [proposition_6(float(ratio)) for ratio in ratios]
        return cls(ratios, np.array(lengths), at, np.array([best_length(float(ratio)) for ratio in at]))

    @property
    def title(self) -> str:
        return "Best length of the last interval"

    @property
    def caption(self) -> str:
        return (
            f"Of three intervals with equally many rows, of lengths 1, L and x, the best x rises with L, to {self.lengths[-1]:.3g} at L = "
            f"{self.ratios[-1]:g}; the formula changes at L = 1, 1.618 and 2.618, and is √L from there on."
        )

    def _size(self) -> tuple[float, float]:
        return 6.4, 3.0

    def _draw(self, ax: Axes) -> None:
        ax.set_axis_off()
        for left, most in ((0.0, 2.0), (0.57, float(self.ratios[-1]))):
            panel, inside = ax.inset_axes((left, 0, 0.43, 1)), self.ratios <= most
            panel.plot(self.ratios[inside], self.lengths[inside], color=SYSTEMS[0][0])
            dots = self.found_at <= most
            panel.plot(self.found_at[dots], self.found[dots], "o", color=SYSTEMS[1][0], markersize=4, zorder=3)
            for limit in BREAKS:
                if limit < most:
                    panel.axvline(limit, color=MUTED, linewidth=0.8, linestyle=":")
            top = 1.08 * float(self.lengths[inside].max())
            panel.set(xlim=(0, most), ylim=(0, top))
            panel.set_xlabel("L, length of the second interval")
            panel.set_ylabel("best length of the third")
            grid(panel, "y")
        note(panel, "dots: optimal_length", (1, 0), (-4, 6), "axes fraction", ha="right", color=SYSTEMS[1][0], fontsize=SIZE)

    def _spec(self) -> Spec:
        def panel(most: float) -> Spec:
            shared = {
                "x": quantity("ratio", scale={"domain": [0, most]}, title="L, length of the second interval"),
                "y": quantity("length", title="best length of the third"),
            }
            line = [{"ratio": float(r), "length": float(x)} for r, x in zip(self.ratios, self.lengths, strict=True) if r <= most]
            dots = [{"ratio": float(r), "length": float(x)} for r, x in zip(self.found_at, self.found, strict=True) if r <= most]
            limits = [{"ratio": limit} for limit in BREAKS if limit < most]
            layers = (
                over(line, mark("line", {"color": SYSTEMS[0][0]}), **shared),
                over(limits, mark("rule", {"color": MUTED, "strokeDash": [2, 2]}), x=shared["x"]),
                over(dots, mark("point", {"filled": True, "size": 45, "opacity": 1, "color": SYSTEMS[1][0]}), **shared),
            )
            return sized(230, 210, *layers)

        return {"hconcat": [panel(2.0), panel(float(self.ratios[-1]))]}


@dataclass(frozen=True, eq=False)
class SingleRowDisplay(Display):
    """The ordinal index of one row against its distance from the diagonal (Cardoso & Sousa 2011, Fig. 4)."""

    betas: tuple[float, ...]
    distances: Array  #: (points,) 0, 1, ...
    values: Array  #: (betas, points)

    @classmethod
    @documented("The figure.", betas="Penalties of `oci`, one curve for each.", most="The largest distance.")
    def from_betas(cls, betas: Sequence[float] = BETAS, *, most: int = 9) -> Self:
        """One curve for each penalty."""
        if most < 1 or not betas or min(betas) < 0:
            raise ArgumentError(
                "{betas} and {most} leave nothing to draw",
                argument="most" if betas and min(betas) >= 0 else "betas",
                remedy="give penalties from 0 on and a distance from 1 on",
            )
        found = [[single(d, beta, k=most + 1) for d in range(most + 1)] for beta in betas]
        return cls(tuple(float(beta) for beta in betas), np.arange(most + 1), np.array(found))

    @property
    def title(self) -> str:
        return "Ordinal index of a single row"

    @property
    def caption(self) -> str:
        full = [f"β = {beta:g}" for beta, row in zip(self.betas, self.values, strict=True) if row[-1] > 1 - 1e-12]
        end = int(self.distances[-1])
        reach = f"; it is 1 at distance {end} for {listed(full)}" if full else ""
        return f"The index of one row rises from 0 with its distance from the diagonal{reach}."

    def _size(self) -> tuple[float, float]:
        return 5.2, 3.0

    def _draw(self, ax: Axes) -> None:
        places = _spread(self.values[:, -1].tolist(), 0.085)
        for i, beta in enumerate(self.betas):
            _curve(ax, i, self.distances, self.values[i], marker=SYSTEMS[i % len(SYSTEMS)][1], markersize=3.5)
            look = {"va": "center", "color": SYSTEMS[i % len(SYSTEMS)][0], "fontsize": SIZE}
            note(ax, f"β = {beta:g}", (float(self.distances[-1]), places[i]), (8, 0), **look)
        ax.set(xlim=(0, float(self.distances[-1])), ylim=(0, 1.05), ylabel="index (0 is best)")
        ax.set_xlabel("distance from the diagonal")
        grid(ax, "y")

    def _spec(self) -> Spec:
        names = [f"β = {beta:g}" for beta in self.betas]
        return _lines(names, self.distances, self.values, "distance from the diagonal", "index (0 is best)")


@dataclass(frozen=True, eq=False)
class TridiagonalDisplay(Display):
    """Seven coefficients of tridiagonal tables against the number of classes (Cardoso & Sousa 2011, Fig. 5)."""

    names: tuple[str, ...]  #: of the coefficients, as in the paper
    classes: Array  #: (points,) K
    values: Array  #: (coefficients, points)

    @classmethod
    @documented("The figure.", most="The largest number of classes.")
    def from_classes(cls, most: int = 30) -> Self:
        """Tables with 1 on the diagonal and beside it, of 2 classes to this many."""
        if most < 3:
            raise ArgumentError(
                "{most:{given}} classes do not make a curve",
                argument="most",
                remedy="give a number that is 3 or more",
                values={"given": repr(most)},
            )
        classes = np.arange(2, most + 1)
        found = [[value(metric, tridiagonal(int(k))) for k in classes] for metric in COLUMNS.values()]
        return cls(tuple(COLUMNS), classes, np.array(found))

    @property
    def title(self) -> str:
        return "Tridiagonal tables"

    @property
    def caption(self) -> str:
        ends = [f"{name} {number(row[-1])}" for name, row in zip(self.names, self.values, strict=True)]
        return f"At {self.classes[-1]} classes: {listed(ends)}; MER and MAE are the same."

    def _size(self) -> tuple[float, float]:
        return 6.0, 3.6

    def _draw(self, ax: Axes) -> None:
        places = _spread(self.values[:, -1].tolist(), 0.05)
        for i, name in enumerate(self.names):
            _curve(ax, i, self.classes, self.values[i])
            look = {"va": "center", "color": SYSTEMS[i % len(SYSTEMS)][0], "fontsize": SIZE}
            note(ax, f"{name} {number(self.values[i, -1])}", (float(self.classes[-1]), places[i]), (6, 0), **look)
        ax.set(xlim=(2, float(self.classes[-1])), ylim=(0, 1.05), ylabel="coefficient")
        ax.set_xlabel("classes")
        grid(ax, "y")

    def _spec(self) -> Spec:
        return _lines(list(self.names), self.classes, self.values, "classes", "coefficient")


def _lines(names: list[str], x: Array, rows: Array, across: str, up: str) -> Spec:
    values = [
        {"name": name, "x": float(at), "y": float(y)}
        for name, row in zip(names, rows, strict=True)
        for at, y in zip(x, row, strict=True)
    ]
    shared = {"x": quantity("x", title=across), "y": quantity("y", title=up), "color": colours("name", names)}
    return sized(380, 230, over(values, mark("line", {"point": True}), **shared))


@dataclass(frozen=True, eq=False)
class SaddleDisplay(Display):
    """Points of two features by class (Cardoso & Sousa 2011, Fig. 6)."""

    data: Dataset

    @classmethod
    @documented("The figure.", data="Data of two features, such as ``saddle(100)``.")
    def from_data(cls, data: Dataset) -> Self:
        """One mark for each row."""
        if data.features.shape[1] != 2:
            raise ArgumentError(
                "{data} has {many} features",
                argument="data",
                remedy="give data of two",
                values={"many": data.features.shape[1]},
            )
        return cls(data)

    @property
    def title(self) -> str:
        return "Synthetic data"

    @property
    def caption(self) -> str:
        counts = [f"{n} of class {i}" for i, n in enumerate(self.data.frequencies, 1)]
        return f"{len(self.data.codes)} points: {listed(counts)}."

    def _size(self) -> tuple[float, float]:
        return 4.6, 3.6

    def _draw(self, ax: Axes) -> None:
        for i in range(self.data.k):
            colour, marker, _ = SYSTEMS[i % len(SYSTEMS)]
            x, y = self.data.features[self.data.codes == i].T
            ax.plot(x, y, marker, color=colour, markersize=4, linestyle="none", label=f"class {i + 1}")
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="first feature", ylabel="second feature")
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=SIZE)

    def _spec(self) -> Spec:
        names = [f"class {i + 1}" for i in range(self.data.k)]
        values = [
            {"first": float(x), "second": float(y), "class": names[code]}
            for (x, y), code in zip(self.data.features, self.data.codes, strict=True)
        ]
        shared = {
            "x": quantity("first", title="first feature"),
            "y": quantity("second", title="second feature"),
            "color": colours("class", names),
        }
        return sized(260, 260, over(values, mark("point", {"filled": True, "size": 40, "opacity": 1}), **shared))


@dataclass(frozen=True, eq=False)
class FrequencyDisplay(Display):
    """How many rows each class of some data sets has (Cardoso & Sousa 2011, Fig. 7)."""

    names: tuple[str, ...]
    frequencies: tuple[tuple[int, ...], ...]

    @classmethod
    @documented("The figure.", data="The data sets.")
    def from_data(cls, *data: Dataset) -> Self:
        """One panel for each data set."""
        if not data:
            raise ArgumentError("{data} is empty", argument="data", remedy="give one data set or more")
        return cls(tuple(one.name for one in data), tuple(tuple(one.frequencies.tolist()) for one in data))

    @property
    def title(self) -> str:
        return "Class frequencies"

    @property
    def caption(self) -> str:
        parts = [f"{name} {' '.join(map(str, counts))}" for name, counts in zip(self.names, self.frequencies, strict=True)]
        return f"Rows of each class, lowest first: {'; '.join(parts)}."

    def _size(self) -> tuple[float, float]:
        return 1.2 + 1.7 * len(self.names), 2.4

    def _draw(self, ax: Axes) -> None:
        ax.set_axis_off()
        width = 1 / len(self.names)
        for i, (name, counts) in enumerate(zip(self.names, self.frequencies, strict=True)):
            panel = ax.inset_axes((i * width + 0.05, 0, width - 0.08, 0.9))
            panel.bar(range(1, len(counts) + 1), counts, color=SYSTEMS[0][0])
            panel.set_title(name, fontsize=SIZE)
            panel.set_xticks(range(1, len(counts) + 1))
            panel.set_xlabel("class")
            grid(panel, "y")

    def _spec(self) -> Spec:
        def panel(name: str, counts: tuple[int, ...]) -> Spec:
            values = [{"class": str(i), "rows": n} for i, n in enumerate(counts, 1)]
            bars = mark("bar", {"color": SYSTEMS[0][0]}, x=category("class", sort=None), y=quantity("rows"))
            return {"title": name, **sized(110, 140, over(values, bars))}

        return {"hconcat": [panel(name, counts) for name, counts in zip(self.names, self.frequencies, strict=True)]}
