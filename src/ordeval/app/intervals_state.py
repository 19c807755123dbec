"""Interval classes: edges as a row of numbers, a table over them, and what the lengths do to the scores."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

import ordeval as oe
from ordeval.app.links import Link, Part, number_in, one_of
from ordeval.app.score_table import value_of
from ordeval.app.tables import CELLS, FEWEST, MOST, Cells, as_cells, resized

Distance: TypeAlias = Literal["hausdorff", "midpoint"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)
SHORTEST = 1e-9  # length of an open interval


@dataclass(frozen=True)
class Spans:
    """What is on the screen."""

    edges: tuple[float, ...]
    cells: Cells
    distance: Distance = "hausdorff"
    length: float | None = None  #: of an open interval; None: the one that makes the largest cost smallest

    @property
    def scale(self) -> oe.Scale:
        return oe.Scale.from_edges(list(self.edges))

    @property
    def counts(self) -> oe.Counts:
        return oe.Counts.from_matrix(np.array(self.cells, dtype=np.int64), labels=self.scale)

    @property
    def open_ends(self) -> int:
        return sum(map(math.isinf, self.edges))

    @property
    def metric(self) -> str:
        """The standardized cost on these intervals."""
        return str(oe.get_metric("interval_stc").with_params(**self._options))

    @property
    def metrics(self) -> list[str]:
        """The cost on intervals first, then the one that sees ranks, then the mean distance where all lengths are known."""
        known = {**self._options, "unbounded": self.length} if self.open_ends else self._options
        distances = [] if self.open_ends and self.length is None else [str(oe.get_metric("interval_mae").with_params(**known))]
        return [self.metric, "stc", *distances, "mae"]

    @property
    def _options(self) -> dict[str, object]:
        length = {} if self.length is None or not self.open_ends else {"unbounded": self.length}
        return {"distance": self.distance, **length}

    def values(self) -> dict[str, float]:
        return {text: value_of(oe.get_metric(text), self.counts) for text in self.metrics}

    def with_edges(self, edges: tuple[float, ...]) -> Spans:
        """Other edges: counts keep their place, new classes start with none."""
        return replace(self, edges=edges, cells=resized(self.cells, len(edges) - 1))


#: Days in hospital: 1 to 2, 3 to 7, 8 to 14, more.  The bins are the STC paper's; the counts are made up.
FIRST = Spans((1.0, 3.0, 8.0, 15.0, math.inf), ((70, 24, 5, 1), (12, 52, 14, 2), (2, 11, 22, 5), (0, 3, 8, 9)))


def edges_from(text: str) -> tuple[float, ...]:
    """Edges as they are typed: numbers with commas between them; inf and -inf at the ends."""
    edges = []
    for word in (word.strip().replace("\N{MINUS SIGN}", "-").replace("∞", "inf") for word in text.split(",")):
        try:
            edges.append(float(word))
        except ValueError:
            remedy, given = "write the edges as 0, 30, 60, inf", word or "an empty place"
            raise oe.ArgumentError("{word} is not a number", argument="edges", remedy=remedy, values={"word": given}) from None
    if not FEWEST <= len(edges) - 1 <= MOST:
        problem = f"{len(edges)} edges make {len(edges) - 1} classes"
        raise oe.ArgumentError(problem, argument="edges", remedy=f"give {FEWEST + 1} to {MOST + 1} edges")
    oe.Scale.from_edges(edges)  # refuses what is no scale
    return tuple(edges)


def edges_text(edges: tuple[float, ...], comma: str = ", ") -> str:
    return comma.join(f"{edge:.12g}" for edge in edges)


def _spans(
    edges: tuple[float, ...], cells: Cells | None = None, distance: Distance = "hausdorff", length: float | None = None
) -> Spans:
    k = len(edges) - 1
    return Spans(edges, as_cells([[0] * k] * k if cells is None else cells, k), distance, length)


LINK = Link(
    FIRST,
    _spans,
    {
        "edges": Part("edges", edges_from, lambda edges: edges_text(edges, ",")),
        "table": CELLS,
        "distance": Part("distance", one_of(DISTANCES)),
        "length": Part("length", number_in(SHORTEST, sys.float_info.max), repr),
    },
    lead="edges",
)
