"""The table that a visitor edits: named classes, whole counts, perhaps a pinned one beside it; and its form in an address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ordeval as oe
from ordeval.app.links import Link, Part, names_from, names_text

FEWEST, MOST = 2, 10  # classes
LARGEST = 1_000_000_000  # rows in one cell
LONGEST = 60  # signs of a class name

Cells = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Table:
    """What is on the screen: the classes, lowest first, and rows counted by truth (down) and prediction (across)."""

    labels: tuple[str, ...]
    cells: Cells
    pinned: Cells | None = None  #: the table to compare with

    @property
    def counts(self) -> oe.Counts:
        return counts_of(self.labels, self.cells)

    @property
    def truths(self) -> tuple[int, ...]:
        return tuple(sum(row) for row in self.cells)

    def with_cells(self, cells: Iterable[Iterable[Any]]) -> Table:
        return replace(self, cells=as_cells(cells, len(self.labels)))

    def with_labels(self, labels: Sequence[str]) -> Table:
        """Other classes: counts keep their place, new classes start with none, and a pinned table of another size goes."""
        k = len(labels)
        return Table(tuple(labels), resized(self.cells, k), self.pinned if len(self.labels) == k else None)

    def lost(self, labels: Sequence[str]) -> tuple[int, ...]:
        """The places of the classes that these labels leave out, where they take some away and change nothing else."""
        kept = [label for label in self.labels if label in labels]
        return tuple(i for i, label in enumerate(self.labels) if label not in labels) if kept == list(labels) else ()

    def rows_of(self, places: Iterable[int]) -> int:
        """Rows that are truly of one of these classes, or were called so."""
        gone = set(places)
        return sum(n for t, row in enumerate(self.cells) for p, n in enumerate(row) if t in gone or p in gone)

    def with_classes(self, labels: Sequence[str]) -> Table:
        """Other names, or further classes: counts stay with their class where the names say which it is, else in their place."""
        if len(labels) < len(self.labels):
            raise oe.ArgumentError(
                f"{len(self.labels) - len(labels)} of the classes are gone, and others have new names",
                argument="labels",
                remedy="take a class away first, then rename the others",
            )
        if not set(self.labels) <= set(labels):
            return self.with_labels(labels)
        place = {label: i for i, label in enumerate(self.labels)}
        order = [place.get(label, -1) for label in labels]

        def moved(cells: Cells) -> Cells:
            return tuple(tuple(cells[t][p] if t >= 0 and p >= 0 else 0 for p in order) for t in order)

        return Table(tuple(labels), moved(self.cells), None if self.pinned is None else moved(self.pinned))

    def without(self, places: Sequence[int], join: str = "") -> Table:
        """Without these classes; their rows are left out, or joined to the class "below" or "above"."""
        kept = [i for i in range(len(self.labels)) if i not in places]

        def target(i: int) -> int:
            below, above = [j for j in kept if j < i], [j for j in kept if j > i]
            return below[-1] if below and (join == "below" or not above) else above[0]

        def reduced(cells: Cells) -> Cells:
            matrix = np.array(cells, dtype=np.int64)
            for i in places if join else ():
                matrix[target(i)] += matrix[i]
                matrix[:, target(i)] += matrix[:, i]
            return tuple(tuple(row) for row in matrix[np.ix_(kept, kept)].tolist())

        pinned = None if self.pinned is None else reduced(self.pinned)
        return Table(tuple(self.labels[i] for i in kept), reduced(self.cells), pinned)


def counts_of(labels: Sequence[str], cells: Cells) -> oe.Counts:
    return oe.Counts.from_matrix(np.array(cells, dtype=np.int64), labels=list(labels))


def as_cells(cells: Iterable[Iterable[Any]], k: int) -> Cells:
    """Whole counts from 0 on, K by K; an empty cell is 0."""
    table = tuple(tuple(as_count(value) for value in row) for row in cells)
    if len(table) != k or any(len(row) != k for row in table):
        raise ValueError(f"the table needs {k} rows of {k} numbers, one for each class")
    return table


def resized(cells: Cells, k: int) -> Cells:
    """The cells of K classes: counts keep their place, new classes start with none."""
    old = len(cells)
    return tuple(tuple(cells[t][p] if t < old and p < old else 0 for p in range(k)) for t in range(k))


def is_there(value: Any) -> bool:
    """An emptied cell holds None or nan, an emptied name nothing."""
    return value is not None and value == value and value != ""


def as_count(value: Any) -> int:
    """A whole number from 0 on; an empty cell is 0."""
    if not is_there(value):
        return 0
    if not 0 <= value <= LARGEST or value != int(value):
        remedy = f"give a whole number from 0 to {LARGEST:,}"
        raise oe.ArgumentError("{value} is not a count", argument="cells", remedy=remedy, values={"value": value})
    return int(value)


def checked_labels(names: Sequence[str], most: int = MOST, *, kind: str = "class", argument: str = "labels") -> tuple[str, ...]:
    """Names that can be told apart; what is wrong with them is said beside the field of this argument."""
    kinds = f"{kind}es" if kind.endswith("s") else f"{kind}s"

    def refuse(problem: str, **values: object) -> oe.ArgumentError:
        return oe.ArgumentError(problem, argument=argument, values=values)

    if not FEWEST <= len(names) <= most:
        wanted = f"{FEWEST} to {most}, lowest first," if most > FEWEST else f"{most}"
        raise refuse(f"there are {len(names)} {kinds}; give {wanted} with commas between them")
    for name in names:
        if not name:
            raise refuse(f"a {kind} has no name; write something between the commas")
        if len(name) > LONGEST:
            raise refuse(f"the name of a {kind} has {len(name)} signs; {LONGEST} is the most")
        if names.count(name) > 1:
            raise refuse(f"two {kinds} are called {{name}}; every {kind} needs a name of its own", name=name)
    return tuple(names)


def labels_from(text: str, most: int = MOST) -> tuple[str, ...]:
    """Classes as they are typed."""
    return checked_labels([name.strip() for name in names_from(text, typed=True)], most)


# The address


def counts_from(text: str) -> tuple[int, ...]:
    """Counts with commas between them."""
    try:
        numbers = [int(value) for value in text.split(",")]
    except ValueError:
        raise ValueError("whole numbers with commas between them are needed") from None
    return tuple(as_count(number) for number in numbers)


def counts_text(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def cells_from(text: str) -> Cells:
    return tuple(counts_from(row) for row in text.split(";"))


def cells_text(cells: Iterable[Iterable[int]]) -> str:
    return ";".join(counts_text(row) for row in cells)


CELLS = Part("cells", cells_from, cells_text)


def _table(cells: Cells, labels: tuple[str, ...] = (), pinned: Cells | None = None) -> Table:
    labels = labels or checked_labels([str(place) for place in range(1, len(cells) + 1)])
    return Table(labels, as_cells(cells, len(labels)), None if pinned is None else as_cells(pinned, len(labels)))


def table_link(start: Table) -> Link[Table]:
    """The address of a table; the start where it holds none."""
    parts = {"classes": Part("labels", labels_from, names_text), "table": CELLS, "pinned": Part("pinned", cells_from, cells_text)}
    return Link(start, _table, parts, lead="table")
