"""Two distributions over the same classes: dots to look at, and how close each answer is to each truth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import ordeval as oe
from ordeval.app.tables import as_count, checked_labels, is_there, labels_from, labels_text

MOST = 40  # classes
NAMED = 3  # pairs
DOTS = 450  # of one distribution; beyond it a dot is several rows
WIDE = 10  # dots side by side


@dataclass(frozen=True)
class Sets:
    """Two distributions over the same classes, lowest first."""

    labels: tuple[str, ...]
    names: tuple[str, str]
    first: tuple[int, ...]
    second: tuple[int, ...]

    @property
    def both(self) -> dict[str, tuple[int, ...]]:
        return dict(zip(self.names, (self.first, self.second), strict=True))


_JOURNALS = oe.papers.examples.JOURNALS
FIRST = Sets(oe.papers.examples.REVIEWS, ("journal F", "journal S"), _JOURNALS["F"], _JOURNALS["S"])


@dataclass(frozen=True)
class Pair:
    """An answer, a truth, and how close they are."""

    answer: str
    truth: str
    bits: float  #: infinite where no row lies from one to the other


def counts_of(labels: Sequence[str], rows: Sequence[int]) -> oe.Counts:
    return oe.Counts.from_matrix(np.diag(np.array(rows, dtype=np.int64)), labels=list(labels))


def pairs(labels: Sequence[str], rows: Sequence[int]) -> list[Pair]:
    """Every answer for every other truth, the closest first; none where there are no rows."""
    bits = oe.parts.closeness_matrix(counts_of(labels, rows))
    if np.isnan(bits).all():
        return []
    found = [Pair(p, t, float(bits[i, j])) for i, t in enumerate(labels) for j, p in enumerate(labels) if i != j]
    return sorted(found, key=lambda pair: -pair.bits)


def closest_and_furthest(labels: Sequence[str], rows: Sequence[int]) -> tuple[list[Pair], list[Pair]]:
    """The closest pairs, the closest first, and the furthest, the furthest first; no pair stands in both."""
    found = pairs(labels, rows)
    half = min(NAMED, len(found) // 2)
    return found[:half], found[::-1][:half]


def bits_text(bits: float) -> str:
    return "no row lies between" if math.isinf(bits) else f"{bits:.3f} bits"


def dots(labels: Sequence[str], rows: Sequence[int]) -> tuple[list[dict[str, Any]], int]:
    """A dot for every row, in stacks above the classes; and how many rows one dot stands for."""
    per_dot = max(1, math.ceil(sum(rows) / DOTS))
    placed: list[dict[str, Any]] = []
    for label, number in zip(labels, rows, strict=True):
        dots_here = range(math.ceil(number / per_dot))
        placed += [{"class": label, "place": dot % WIDE, "level": dot // WIDE} for dot in dots_here]
    return placed, per_dot


# What a visitor edits, and the address


def edited(records: Sequence[Mapping[str, Any]], names: tuple[str, str]) -> Sets:
    """The rows of the editor as distributions; rows without a name and without numbers are left out."""
    kept = [record for record in records if any(is_there(record.get(key)) for key in ("class", "first", "second"))]
    labels = checked_labels([str(record["class"]).strip() if is_there(record.get("class")) else "" for record in kept], MOST)
    return Sets(labels, names, *(tuple(as_count(record.get(key)) for record in kept) for key in ("first", "second")))


def to_query(sets: Sets) -> dict[str, str]:
    first, second = (",".join(map(str, counts)) for counts in (sets.first, sets.second))
    return {"classes": labels_text(sets.labels), "names": labels_text(sets.names), "first": first, "second": second}


def from_query(query: Mapping[str, str]) -> Sets:
    if "classes" not in query:
        return FIRST
    labels = labels_from(query["classes"], MOST)
    names = labels_from(query.get("names", labels_text(FIRST.names)))
    counts = []
    for key in ("first", "second"):
        try:
            rows = tuple(as_count(int(value)) for value in query.get(key, "").split(","))
        except ValueError:
            raise ValueError(
                f"the address gives {key}={query.get(key, '')}; whole numbers with commas between them are needed"
            ) from None
        if len(rows) != len(labels):
            raise ValueError(f"the address gives {len(rows)} numbers in {key}= for {len(labels)} classes")
        counts.append(rows)
    if len(names) != 2:
        raise ValueError(f"the address names {len(names)} distributions; two are compared")
    return Sets(labels, (names[0], names[1]), *counts)
