"""What was resampled, and how many there are: rows, or the clusters that they belong to."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ordeval.counts import Counts
from ordeval.show._plain import printable, shorten

NAME = 20  # columns of a cluster's name


class Unit(NamedTuple):
    """What is independent, by the name of its column, and how many of them there are."""

    name: str
    number: int

    @property
    def words(self) -> str:
        """ "2,396 rows", "1,304 patients"; a column whose name is no plain word is named: "12 clusters (ward_id)"."""
        many = f"{self.number:,}"
        if not re.fullmatch(r"[a-z]*[a-rt-z]", self.name):
            return f"{many} clusters ({printable(shorten(self.name, NAME))})"
        if self.number == 1:
            return f"1 {self.name}"
        if self.name.endswith("y") and self.name[-2:-1] not in "aeiou":
            return f"{many} {self.name[:-1]}ies"
        return f"{many} {self.name}{'es' if self.name.endswith(('x', 'z', 'ch', 'sh')) else 's'}"

    @property
    def signature(self) -> str:
        """ "unit:patient×1304"."""
        name = re.sub(r"\s+", "_", printable(self.name))
        return f"unit:{name}×{self.number}"


def unit_of(counts: Counts) -> Unit | None:
    """The unit of counts: their clusters that have a row which is judged, else their rows; None where weights hide the rows."""
    judged = counts._judged
    if counts.cluster is not None:
        return Unit(counts.cluster, len(np.unique(counts.cells[judged, counts.axes.index(counts.cluster)])))
    rows = counts.weights if counts.row_counts is None else counts.row_counts
    return Unit("row", int(rows[judged].sum())) if rows.dtype.kind == "i" else None


def resampled(counts: Counts) -> str:
    """What was resampled, after a semicolon; nothing where it is not known."""
    unit = unit_of(counts)
    return "" if unit is None else f"; {unit.words}"


def signed(counts: Counts) -> str:
    """What was resampled, at the end of a signature."""
    unit = unit_of(counts)
    return "" if unit is None else f" {unit.signature}"
