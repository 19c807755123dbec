"""The table that a visitor edits: named classes, whole counts, perhaps a pinned one beside it; and its form in an address."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ordeval as oe

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
        raise ValueError(f"{value} is no count; give a whole number from 0 to {LARGEST:,}")
    return int(value)


def names_from(text: str, *, typed: bool = False) -> list[str]:
    """Names between commas, in quotes where a name has a comma; where people typed them, spaces after a comma are none of the name."""
    try:
        return next(csv.reader([text], skipinitialspace=typed, strict=True), [])
    except csv.Error as error:
        raise ValueError(f"these names cannot be read ({error}); write a, b, c") from None


def labels_from(text: str, most: int = MOST) -> tuple[str, ...]:
    """Classes as they are typed."""
    return checked_labels([name.strip() for name in names_from(text, typed=True)], most)


def checked_labels(names: Sequence[str], most: int = MOST) -> tuple[str, ...]:
    if not FEWEST <= len(names) <= most:
        raise ValueError(f"there are {len(names)} classes; give {FEWEST} to {most}, lowest first, with commas between them")
    for name in names:
        if not name:
            raise ValueError("a class has no name; write something between the commas")
        if len(name) > LONGEST:
            raise ValueError(f"a class name has {len(name)} signs; {LONGEST} is the most")
        if names.count(name) > 1:
            raise ValueError(f"two classes are called {name}; every class needs a name of its own")
    return tuple(names)


def labels_text(labels: Iterable[str]) -> str:
    """The same classes as text that `labels_from` reads back."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(labels)  # a name with a line end in it gets quotes
    return out.getvalue().removesuffix("\r\n")


# The address


def cells_text(cells: Iterable[Iterable[int]]) -> str:
    return ";".join(",".join(map(str, row)) for row in cells)


def cells_from(text: str, k: int) -> Cells:
    try:
        return as_cells(([int(value) for value in row.split(",")] for row in text.split(";")), k)
    except ValueError as error:
        raise ValueError(f"the table in the address cannot be read: {error}") from None


def to_query(table: Table) -> dict[str, str]:
    pinned = {} if table.pinned is None else {"pinned": cells_text(table.pinned)}
    return {"classes": labels_text(table.labels), "table": cells_text(table.cells), **pinned}


def from_query(query: Mapping[str, str], default: Table) -> Table:
    """The table that an address holds; the default where it holds none."""
    if "table" not in query:
        return default
    labels = labels_from(query["classes"]) if "classes" in query else tuple(map(str, range(1, 1 + query["table"].count(";") + 1)))
    labels = checked_labels(labels)
    pinned = cells_from(query["pinned"], len(labels)) if "pinned" in query else None
    return Table(labels, cells_from(query["table"], len(labels)), pinned)
