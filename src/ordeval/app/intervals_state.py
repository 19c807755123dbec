"""Interval classes: edges as a row of numbers, a table over them, and what the lengths do to the scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

import ordeval as oe
from ordeval.app.score_table import value_of
from ordeval.app.tables import FEWEST, MOST, Cells, as_cells, cells_from, cells_text, resized

Distance: TypeAlias = Literal["hausdorff", "midpoint"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)


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
    words = [word.strip().replace("\N{MINUS SIGN}", "-").replace("∞", "inf") for word in text.split(",")]
    edges = []
    for word in words:
        try:
            edges.append(float(word))
        except ValueError:
            raise ValueError(f"{word or 'an empty place'} is no number; write the edges as 0, 30, 60, inf") from None
    if not FEWEST <= len(edges) - 1 <= MOST:
        raise ValueError(f"{len(edges)} edges make {len(edges) - 1} classes; give {FEWEST + 1} to {MOST + 1} edges")
    oe.Scale.from_edges(edges)  # refuses what is no scale
    return tuple(edges)


def edges_text(edges: tuple[float, ...]) -> str:
    return ", ".join(f"{edge:.12g}" for edge in edges)


def to_query(spans: Spans) -> dict[str, str]:
    query = {"edges": edges_text(spans.edges).replace(" ", ""), "table": cells_text(spans.cells), "distance": spans.distance}
    return query | ({} if spans.length is None else {"length": f"{spans.length!r}"})


def from_query(query: Mapping[str, str]) -> Spans:
    if "edges" not in query:
        return FIRST
    edges = edges_from(query["edges"])
    asked = query.get("distance", "hausdorff")
    distance = next((word for word in DISTANCES if word == asked), None)
    if distance is None:
        raise ValueError(f"the address asks for the distance {asked}; there are {' and '.join(DISTANCES)}")
    try:
        length = float(query["length"]) if "length" in query else None
    except ValueError:
        length = -1.0
    if length is not None and not 0 < length < math.inf:
        raise ValueError(f"the address gives length={query['length']}; a number above 0 is needed")
    k = len(edges) - 1
    cells = cells_from(query["table"], k) if "table" in query else as_cells([[0] * k] * k, k)
    return Spans(edges, cells, distance, length)
