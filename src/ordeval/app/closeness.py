"""Two distributions over the same classes: dots to look at, and how close each answer is to each truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ordeval as oe
from ordeval.app.links import Link, Part, names_from, names_text
from ordeval.app.tables import checked_labels, counts_from, counts_text, labels_from

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


class Pair(NamedTuple):
    """An answer, a truth, and how close they are."""

    answer: str
    truth: str
    bits: float  #: infinite where no row lies from one to the other


def counts_of(labels: Sequence[str], rows: Sequence[int]) -> oe.Counts:
    return oe.Counts.from_matrix(np.diag(np.array(rows, dtype=np.int64)), labels=list(labels))


def pairs(labels: Sequence[str], rows: Sequence[int]) -> list[Pair]:
    """Every answer for every other truth, the closest first; none where there are no rows."""
    if not any(rows):
        return []
    bits = oe.parts.closeness_matrix(counts_of(labels, rows))
    every = [Pair(p, t, float(bits[i, j])) for i, t in enumerate(labels) for j, p in enumerate(labels) if i != j]
    return sorted(every, key=lambda pair: -pair.bits)


def closest_and_furthest(labels: Sequence[str], rows: Sequence[int]) -> tuple[list[Pair], list[Pair]]:
    """The closest pairs, the closest first, and the furthest, the furthest first; no pair stands in both."""
    every = pairs(labels, rows)
    half = min(NAMED, len(every) // 2)
    return every[:half], every[::-1][:half]


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


def sets_from_texts(classes: str, first_name: str, first: str, second_name: str, second: str) -> Sets:
    """The fields of the page as distributions: a number for each class, with commas or spaces between them."""
    labels = labels_from(classes, MOST)
    rows = [_rows(text, len(labels), name) for text, name in ((first, first_name), (second, second_name))]
    return Sets(labels, checked_names([first_name, second_name]), *rows)


def _rows(text: str, k: int, name: str) -> tuple[int, ...]:
    try:
        rows = counts_from(",".join(text.replace(",", " ").split()))
    except oe.ArgumentError:
        raise
    except ValueError:
        remedy = "write whole numbers with commas between them"
        raise oe.ArgumentError(
            "the rows of {name} cannot be read", argument="cells", remedy=remedy, values={"name": name}
        ) from None
    if len(rows) != k:
        problem = f"{{name}} has {len(rows)} number{'s' if len(rows) != 1 else ''} for {k} classes"
        raise oe.ArgumentError(problem, argument="cells", remedy="give one for each class", values={"name": name})
    return rows


def checked_names(names: Sequence[str]) -> tuple[str, str]:
    """The names of the two distributions."""
    first, second = checked_labels([name.strip() for name in names], 2, kind="distribution", argument="names")
    return first, second


def _sets(
    labels: tuple[str, ...], names: tuple[str, str] = FIRST.names, first: tuple[int, ...] = (), second: tuple[int, ...] = ()
) -> Sets:
    for key, rows in (("first", first), ("second", second)):
        if len(rows) != len(labels):
            raise ValueError(f"the address gives {len(rows)} numbers in {key}= for {len(labels)} classes")
    return Sets(labels, names, first, second)


LINK = Link(
    FIRST,
    _sets,
    {
        "classes": Part("labels", lambda text: labels_from(text, MOST), names_text),
        "names": Part("names", lambda text: checked_names(names_from(text)), names_text),
        "first": Part("first", counts_from, counts_text),
        "second": Part("second", counts_from, counts_text),
    },
    lead="classes",
)
