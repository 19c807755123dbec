"""A square of cells with a number in each: truth from top to bottom, answer from left to right, the lowest class first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.plot._lines import label_columns, note
from ordeval.plot._style import MARKED, MUTED, PAPER, SIZE, ink_on, shade, short_labels, widest
from ordeval.plot._vega import Spec, category, literal, mark, only, ordered, over, quantity, sized

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EMPTY = "#f2f2f2"  # a cell whose row has nothing to compare with
CROWDED = 40  # rows or columns beyond which cells with nothing in them stay blank: each text takes time, and hides the others


@dataclass(frozen=True)
class Cells:
    """What stands where, and how dark."""

    rows: Sequence[Any]  #: labels, top first
    columns: Sequence[Any]
    texts: Sequence[Sequence[str]]
    shades: Array  #: (rows, columns) from 0 to 1; nan for no shade
    row_title: str
    column_title: str
    notes: Sequence[str] = ()  #: beside each row
    notes_title: str = ""
    path: Sequence[tuple[int, int]] = ()  #: cells within a line drawn around all of them
    muted: str = "0"  #: the text that is drawn lightly
    square: bool = True
    small: bool = False  #: of two lines the second is written smaller
    numbers: Sequence[Mapping[str, Any]] = ()  #: of each cell, row by row, under names of their own: for those who point at it

    @property
    def font(self) -> float:
        size = max(len(self.rows), len(self.columns))
        return next(points for most, points in ((8, SIZE), (12, SIZE - 1), (20, SIZE - 2), (10**9, SIZE - 3)) if size <= most)

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height in inches: room for the longest number."""
        lines = [line for row in self.texts for text in row for line in text.split("\n")]
        height = max(text.count("\n") + 1 for row in self.texts for text in row) * self.font * 1.3 / 72 + 0.1
        width = widest(lines) * self.font * 0.64 / 72 + 0.1
        least = 0.62 if max(len(self.rows), len(self.columns)) <= 6 else 0.0
        return (max(width, height, least),) * 2 if self.square else (max(width, 0.34), max(height, 0.26))

    @property
    def turned(self) -> bool:
        """Labels below columns do not fit side by side."""
        return widest(short_labels(self.columns)) * SIZE * 0.62 / 72 > self.cell[0]

    def size(self) -> tuple[float, float]:
        letter = SIZE * 0.62 / 72
        left = widest(short_labels(self.rows)) * letter + 0.45
        right = max(widest(self.notes), widest([self.notes_title])) * letter + 0.25
        below = (widest(short_labels(self.columns)) * letter * 0.75 if self.turned else 0.2) + 0.35
        return (max(left + len(self.columns) * self.cell[0] + right, 3.2), below + len(self.rows) * self.cell[1] + 0.4)

    def draw(self, ax: Axes) -> None:
        from matplotlib.colors import to_rgba_array

        height, width = len(self.rows), len(self.columns)
        colours = [self.colour(i, j) for i in range(height) for j in range(width)]
        mesh = to_rgba_array(colours).reshape(height, width, 4)
        ax.pcolormesh(np.arange(width + 1) - 0.5, np.arange(height + 1) - 0.5, mesh, edgecolor="white", linewidth=0.8)
        ax.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), xlabel=self.column_title, ylabel=self.row_title)
        if self.square:
            ax.set_aspect("equal")
        crowded = max(height, width) > CROWDED
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": self.font, "linespacing": 1.25}
        for i, j in np.ndindex(height, width):
            if crowded and self.texts[i][j] == self.muted:
                continue
            large, _, beneath = self.texts[i][j].partition("\n")
            if self.small and beneath:
                down, ink = self.font * 0.72, self.ink(i, j)
                places = (
                    (large, down - 1, {**look, "fontsize": self.font + 1}),
                    (beneath, -down, {**look, "fontsize": self.font - 1.5}),
                )
                for words, up, size in places:
                    note(ax, words, (j, i), (0, up), color=ink, **size)
            else:
                ax.text(j, i, self.texts[i][j], color=self.ink(i, j), **look)
        for x, y in outline(self.path):
            ax.plot(x, y, color=MARKED, linewidth=2.2, solid_capstyle="projecting", clip_on=False, zorder=3)
        label_columns(ax, short_labels(self.columns), self.turned)
        ax.set_yticks(range(height), labels=short_labels(self.rows))
        ax.tick_params(length=0)
        for side in ax.spines.values():
            side.set_visible(False)
        for i, words in enumerate(self.notes):
            note(ax, words, (width - 0.5, i), (8, 0), va="center", ha="left")
        if self.notes:
            note(ax, self.notes_title, (width - 0.5, -0.5), (8, 4), va="bottom", ha="left")

    def colour(self, i: int, j: int) -> str:
        value = float(self.shades[i, j])
        return EMPTY if value != value else shade(value)

    def ink(self, i: int, j: int) -> str:
        return str(MUTED) if self.texts[i][j] == self.muted else ink_on(self.colour(i, j))

    def spec(self) -> Spec:
        down, across = short_labels(self.rows), short_labels(self.columns)
        values, path_cells = [], set(self.path)
        for place, numbers in enumerate(self.numbers):
            i, j = divmod(place, len(across))
            drawn = {"row": down[i], "column": across[j], "text": self.texts[i][j]}
            colours = {"fill": self.colour(i, j), "ink": self.ink(i, j), "on_path": (i, j) in path_cells}
            whole = {"row_label": str(self.rows[i]), "column_label": str(self.columns[j])}
            values.append({**drawn, **colours, **whole, **numbers})
        font = {"fontSize": self.font * 4 / 3, "lineHeight": self.font * 1.7, "lineBreak": "\n", "baseline": "middle"}
        layers = [
            mark("rect", {"stroke": PAPER}, fill=literal("fill")),
            *([only(mark("rect", {"filled": False, "stroke": MARKED, "strokeWidth": 2}), "on_path", True)] if self.path else []),
            mark("text", font, text=category("text"), color=literal("ink")),
        ]
        shared = {
            "x": ordered("column", across, self.column_title, labelAngle=-40 if self.turned else 0, domain=False),
            "y": ordered("row", down, self.row_title, domain=False),
            "tooltip": [
                category("row_label", title=self.row_title),
                category("column_label", title=self.column_title),
                *map(quantity, self.numbers[0] if self.numbers else ()),
            ],
        }
        width, height = (int(size * 96 * number) for size, number in zip(self.cell, (len(across), len(down)), strict=True))
        return sized(width, height, over(values, *layers, **shared))

    def stacked(self) -> Spec:
        return self.spec()


def outline(cells: Iterable[tuple[int, int]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The edges of cells that no other of these cells shares, as (x from, x to), (y from, y to): a line that covers no number."""
    chosen = set(cells)
    edges = []
    for i, j in sorted(chosen):
        sides = {
            (i - 1, j): ((j - 0.5, j + 0.5), (i - 0.5, i - 0.5)),
            (i + 1, j): ((j - 0.5, j + 0.5), (i + 0.5, i + 0.5)),
            (i, j - 1): ((j - 0.5, j - 0.5), (i - 0.5, i + 0.5)),
            (i, j + 1): ((j + 0.5, j + 0.5), (i - 0.5, i + 0.5)),
        }
        edges += [edge for neighbour, edge in sides.items() if neighbour not in chosen]
    return edges
