"""What tools that lose the order, or a class, would have made of the very same rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.counts.blanks import judged
from ordeval.metrics import get_metric
from ordeval.show import Block, Paragraph, Result, number

#: What common readers of CSV take for an empty field.
TAKEN_FOR_MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"}
    | {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)
METRIC = "cohen_kappa"


@dataclass(frozen=True)
class Pitfall:
    """A way to read these rows wrongly, and what it does to quadratic kappa (QWK)."""

    what: str  #: what such a tool does
    how: str  #: what becomes of these classes
    value: float  #: quadratic kappa after that; nan: undefined
    right: float  #: quadratic kappa of the rows as they are

    @property
    def harmless(self) -> bool:
        return self.value == self.right or (math.isnan(self.value) and math.isnan(self.right))

    def __str__(self) -> str:
        if self.harmless:
            return f"{self.what} ({self.how}), QWK would be {number(self.right)} all the same."
        return f"{self.what} ({self.how}), QWK would be {number(self.value)} instead of {number(self.right)}."


@dataclass(frozen=True)
class Pitfalls(Result):
    """The ways to lose the order or a class that some labels are open to; it can be looped over like a list."""

    found: tuple[Pitfall, ...]

    def __iter__(self) -> Iterator[Pitfall]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: int) -> Pitfall:
        return self.found[place]

    def _rows(self) -> list[dict[str, Any]]:
        return [{name: getattr(one, name) for name in ("what", "how", "value", "right", "harmless")} for one in self.found]

    def _blocks(self) -> list[Block]:
        if not self.found:
            return [
                Paragraph("Sorting the labels alphabetically, or taking the classes from the data, would change nothing here.")
            ]
        return [Paragraph(str(one)) for one in self.found]


@documented("Each way with what it does to quadratic kappa.")
def pitfalls(counts: Counts) -> Pitfalls:
    """The ways to lose the order or a class that these labels are open to.

    >>> from ordeval import count
    >>> print(pitfalls(count(["low", "mid", "high"], ["low", "mid", "mid"], labels=["low", "mid", "high"])))
    Sorted alphabetically (high, low, mid), QWK would be 0.000 instead of 0.667.
    """
    counts = judged(counts)
    right = _kappa(counts.matrix)
    return Pitfalls(tuple(Pitfall(what, how, _kappa(table), right) for what, how, table in _readings(counts)))


def _readings(counts: Counts) -> Iterator[tuple[str, str, Array]]:
    labels, matrix = [str(label) for label in counts.scale.labels], counts.matrix
    used = matrix.sum(0) + matrix.sum(1) > 0
    order = sorted(range(len(labels)), key=labels.__getitem__)
    if order != sorted(order):
        yield "Sorted alphabetically", ", ".join(labels[i] for i in order), matrix[np.ix_(order, order)]
    gone = [label in TAKEN_FOR_MISSING for label in labels]
    if any(gone):
        kept = np.flatnonzero(~np.array(gone))
        lost = ", ".join(label for label, out in zip(labels, gone, strict=True) if out)
        yield "With classes read as missing and dropped", lost, matrix[np.ix_(kept, kept)]
    if not used.all() and used.any():
        kept = np.flatnonzero(used)
        missing = [label for label, seen in zip(labels, used, strict=True) if not seen]
        yield "With the classes taken from the data", f"nobody used {', '.join(missing)}", matrix[np.ix_(kept, kept)]
    merged = _as_integers(labels)
    if merged is not None and len(set(merged)) < len(merged):
        classes = sorted(set(merged))
        member = np.array([[number == one for number in merged] for one in classes], matrix.dtype)
        yield (
            "With the labels read as numbers",
            f"{', '.join(labels)} become {', '.join(map(str, classes))}",
            member @ matrix @ member.T,
        )


def _as_integers(labels: list[str]) -> list[int] | None:
    try:
        return [int(label) for label in labels]
    except ValueError:
        return None


def _kappa(matrix: Array) -> float:
    if matrix.size == 0:
        return math.nan
    counts = Counts.from_matrix(matrix)
    return float(get_metric(METRIC).bind(counts)(matrix))
