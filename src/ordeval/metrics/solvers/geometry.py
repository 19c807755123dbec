"""How long classes are and how far apart: ranks and intervals, absent classes, open ends.

Everything here is settled once, on the whole sample; the kernels get the arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.metrics.core.record import Sample
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.core.score import as_counts
from ordeval.metrics.core.types import Absent, Answer, IntervalDistance, Labels, Truth, Weights
from ordeval.metrics.solvers.open_interval import optimal_ends, separation

EMPTY = ("keep", "renumber", "raise")
DISTANCES = ("hausdorff", "midpoint")


@dataclass(frozen=True)
class Geometry:
    """The classes on their axis."""

    length: Array  #: (K,)
    distance: Array  #: (K, K)
    present: Array  #: (K,) classes with a true row
    opened: tuple[float, ...] = ()  #: the lengths that open ends were given, lowest first; nan where none matters


def ranks(counts: Counts | Sample, absent: str, rows: Array | None = None) -> Geometry:
    """Classes of length 1, one step apart; ``rows`` are those of each class, if not the true ones of the counts."""
    present = _present(counts, absent, rows)
    k = counts.scale.K
    length = np.ones(k)
    return Geometry(length, _distances(length, _gaps(np.arange(k + 1), present, absent), midpoint=False), present)


def intervals(counts: Counts | Sample, unbounded: Any, distance: str, absent: str, *, undecided: float = math.nan) -> Geometry:
    """Interval classes, each open end with the length asked for.

    ``undecided`` stands in where no length is better than another although the open class has rows: any length will do for
    a standardized cost, and none for a cost in units of the axis.
    """
    edges = np.array(counts.scale.edges, float)
    present = _present(counts, absent)
    gaps, midpoint = _gaps(edges, present, absent), distance == "midpoint"
    length = np.diff(edges)
    ends = np.flatnonzero(np.isinf(length))
    if ends.size:
        if unbounded == "optimal":
            length = optimal_ends(true_rows(counts), length, gaps, midpoint=midpoint)
        else:
            length[ends] = _given_lengths(unbounded, ends.size)
    opened = tuple(length[ends].tolist())
    length = np.where(np.isnan(length), np.where(present, undecided, 1.0), length)
    return Geometry(length, _distances(length, gaps, midpoint=midpoint), present, opened)


def _present(counts: Counts | Sample, absent: str, rows: Array | None = None) -> Array:
    present: Array = (true_rows(counts) if rows is None else rows) > 0
    if absent == "raise" and not present.all():
        label = counts.scale.labels[int(np.argmin(present))]
        raise ArgumentError(
            "the class {label} has no true row, so the cost of predicting it is undefined",
            argument="absent",
            remedy="{absent:'keep'} keeps its place on the scale, {absent:'renumber'} closes the gap it leaves",
            values={"label": repr(label)},
        )
    return present


def _gaps(edges: Array, present: Array, absent: str) -> Array:
    """What lies between two classes, (K, K): from the inner edges alone, which are never infinite."""
    inner = np.asarray(edges[1:-1], float)
    if absent == "renumber":  # an absent class has no room between the others
        inner = inner - np.cumsum(np.concatenate([[0.0], np.where(present[1:-1], 0, np.diff(inner))]))[: inner.size]
    k = present.size
    lower, upper = np.triu_indices(k, 1)
    gaps = np.zeros((k, k))
    gaps[lower, upper] = gaps[upper, lower] = inner[upper - 1] - inner[lower]
    return gaps


def _distances(length: Array, gaps: Array, *, midpoint: bool) -> Array:
    distance = separation(gaps, length[:, None], length[None, :], midpoint=midpoint)
    return np.where(np.eye(length.size, dtype=bool), 0, distance)


def _given_lengths(unbounded: Any, ends: int) -> list[float]:
    if unbounded is None:
        raise ArgumentError(
            f"the scale has {_open(ends)}, and this error needs a length for it: {{unbounded:length}}", argument="unbounded"
        )
    lengths = list(unbounded) if isinstance(unbounded, tuple) else [unbounded] * ends
    if len(lengths) != ends:
        raise ArgumentError(
            f"{{unbounded:{{given}}}} gives {len(lengths)} lengths, but the scale has {_open(ends)}",
            argument="unbounded",
            values={"given": repr(unbounded)},
        )
    return lengths


def _open(ends: int) -> str:
    return "one open end" if ends == 1 else "two open ends"


def check_unbounded(unbounded: Any, word: str | None) -> None:
    """The word that stands for no length, a length, or one for each of two open ends."""
    if unbounded == word:
        return
    lengths = unbounded if isinstance(unbounded, tuple) and len(unbounded) == 2 else (unbounded,)
    for length in lengths:
        number = isinstance(length, (int, float)) and not isinstance(length, bool)
        if not number or not 0 < length < math.inf:
            raise ArgumentError(
                "{unbounded:{given}}: the length of an open interval must be a finite number above 0, one for each open end "
                "if there are two, or {word}",
                argument="unbounded",
                values={"given": repr(unbounded), "word": repr(word)},
            )


def true_rows(counts: Counts | Sample) -> Array:
    """(K,) the true rows of each class."""
    return counts.truths if isinstance(counts, Sample) else truths(counts.matrix)


@documented(
    "The length of the open end; two, lowest first, where both are open.",
    distance="The distance between two intervals: that of their farther ends, or of their midpoints.",
    absent="What becomes of a class with no true row, as in `interval_stc`.",
)
def optimal_length(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    distance: IntervalDistance = "hausdorff",
    absent: Absent = "keep",
) -> float | tuple[float, float]:
    """The length of an open interval that makes the largest possible interval total cost smallest, exactly.

    One length for one open end, two (lowest first) for two.  Only the true classes matter, not the predictions.  It is not
    a length in any physical sense: it shrinks with the number of rows in the open class, so it differs between test sets;
    give ``unbounded=length`` to compare scores from different ones.  nan where no length is better than another: the open
    class has no true row, or there is nothing but the two open ends.

    >>> from ordeval import Scale
    >>> short_stay = Scale.from_edges([0, 1, 2, float("inf")])
    >>> optimal_length([0.5, 1.5, 2.5], [0.5, 1.5, 1.5], labels=short_stay)
    0.7071067811865476
    """
    get_metric("interval_stc").with_params(
        distance=distance, absent=absent
    )  # refuses what is no distance, and no way with empty classes
    counts = as_counts("optimal_length", y_true, y_pred, labels, sample_weight)
    if counts.scale.edges is None:
        raise ArgumentError(
            "optimal_length is about interval classes, and these have no edges",
            argument="labels",
            remedy="use {labels:Scale.from_edges([...])}",
        )
    opened = intervals(counts, "optimal", distance, absent).opened
    if not opened:
        raise ArgumentError(
            "no interval of this scale is open ({scale}); every length is known",
            argument="labels",
            values={"scale": counts.scale},
        )
    return opened[0] if len(opened) == 1 else (opened[0], opened[1])
