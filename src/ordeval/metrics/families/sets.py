"""Prediction sets: neighbouring classes from lo to hi, given instead of one class.  How often do they hold the truth, how wide are they?

A sample of sets is Counts over truth, lo and hi, so that everything Counts can do (merging, clusters, JSON) works for sets too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts, count
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Labels, Sets, Truth, Weights

__all__ = ["miss_distance", "set_coverage", "set_size"]


AXES = ("lo", "hi")


@dataclass(frozen=True, eq=False)
class SetRows:
    """The distinct rows of a sample of sets."""

    true: Array
    lo: Array
    hi: Array
    weights: Array  #: how often each occurs
    K: int

    def __len__(self) -> int:
        return int(self.true.size)

    @property
    def sample_weight(self) -> Array:
        return self.weights


def sets_of(counts: Counts) -> SetRows:
    """The rows behind counts over truth, lo and hi; an empty set is refused."""
    if counts.models != AXES:
        raise ValueError(
            f"prediction sets are counts of truth, lo and hi, and these are of {', '.join(counts.axes)}; use count_sets"
        )
    true, lo, hi = (counts.cells[:, counts.axes.index(axis)] for axis in ("true", *AXES))
    if (empty := np.flatnonzero(lo > hi)).size:
        first = empty[0]
        low, high = counts.scale.labels[lo[first]], counts.scale.labels[hi[first]]
        raise ValueError(
            f"{float(counts.weights[empty].sum()):g} sets end below where they begin, such as {low!r} to {high!r}; lo is the lower end"
        )
    return SetRows(true, lo, hi, counts.weights.astype(float), counts.scale.K)


def count_sets(y_true: Any, sets: Any, *, labels: Any = None, sample_weight: Any = None, cluster: Any = None) -> Counts:
    """Count prediction sets: ``sets`` is the pair (lo, hi) of columns, the lowest and the highest class of every row's set.

    >>> count_sets([1, 2, 3], ([1, 1, 3], [2, 2, 3])).total
    3
    """
    if isinstance(y_true, Counts):
        for name, given in (("sets", sets), ("labels", labels), ("sample_weight", sample_weight), ("cluster", cluster)):
            if given is not None:
                raise TypeError(f"{name}= beside Counts: the counts already hold it")
        sets_of(y_true)
        return y_true
    if isinstance(sets, Mapping):
        sets = [sets.get(axis) for axis in AXES]
    elif hasattr(sets, "shape") and len(sets.shape) == 2:
        sets = list(np.asarray(sets).T)
    if not isinstance(sets, (list, tuple)) or len(sets) != 2 or any(end is None for end in sets):
        raise TypeError("sets= is the pair (lo, hi): a column with the lowest and one with the highest class of every row's set")
    columns = dict(zip(AXES, sets, strict=True))
    counts = count(y_true, columns, labels=labels, sample_weight=sample_weight, cluster=cluster)
    sets_of(counts)
    return counts


def _set_score(of_rows: Callable[[SetRows], Array]) -> Callable[..., RowScore]:
    def kernel(counts: Counts | SetRows, **_: Any) -> RowScore:
        rows = sets_of(counts) if isinstance(counts, Counts) else counts
        return RowMean(rows, None, scores=of_rows(rows).astype(float))  # type: ignore[arg-type]

    return kernel


_SAME = {"reversal": "", "unused_class": ""}


@metric(
    kernel=_set_score(lambda rows: (rows.lo <= rows.true) & (rows.true <= rows.hi)),
    title="Coverage of prediction sets",
    plain="truths inside their sets",
    formula=r"\frac{1}{N} |\{i : \mathrm{lo}_i \leq y_i \leq \mathrm{hi}_i\}|",
    formula_text="share of the rows with lo ≤ y ≤ hi",
    direction="coverage",
    bounds=(0, 1),
    undefined="there are no rows",
    ignores="how wide the sets are: read it beside set_size",
    misleads=["it is read for all classes together: common classes may be held more often and rare ones hardly ever"],
    structure="share",
    needs=["prediction sets"],
    parameters={
        "coverage": Parameter(
            "The share of truths that the sets were made to hold: more is caution that was not asked for.", range="(0, 1)"
        )
    },
    cite="vovk2005",
    see=["set_size", "miss_distance"],
    laws=_SAME,
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0])), "perfect": ([0], ([0], [0]))},
)
@renamed_keywords
def set_coverage(
    y_true: Truth, sets: Sets = None, *, labels: Labels = None, sample_weight: Weights = None, coverage: float = 0.9
) -> float:
    """Share of the rows whose set of classes, from lo to hi, holds the truth.

    >>> set_coverage([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 2, 3]))
    0.75
    """
    return score(set_coverage, y_true, sets=sets, labels=labels, sample_weight=sample_weight, coverage=coverage)


@metric(
    kernel=_set_score(lambda rows: rows.hi - rows.lo + 1),
    title="Size of prediction sets",
    plain="classes in a set",
    formula=r"\frac{1}{N} \sum_i (\mathrm{hi}_i - \mathrm{lo}_i + 1)",
    formula_text="mean over the rows of hi − lo + 1",
    direction="lower",
    bounds=(1, "K"),
    undefined="there are no rows",
    ignores="whether the sets hold the truth: read it beside set_coverage",
    misleads=["sets of different coverage are compared by it"],
    structure="mean",
    needs=["prediction sets"],
    cite="vovk2005",
    see=["set_coverage"],
    laws={**_SAME, "perfect": ""},
    broken={"prevalence": ([0, 1], ([0, 0], [0, 1]))},
)
def set_size(y_true: Truth, sets: Sets = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean number of classes in a set.

    Among sets that hold the truth equally often; 1 is a single class for every row.

    >>> set_size([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 2, 3]))
    1.75
    """
    return score(set_size, y_true, sets=sets, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_set_score(lambda rows: np.maximum(0, np.maximum(rows.lo - rows.true, rows.true - rows.hi))),
    title="Miss distance of prediction sets",
    plain="steps from truth to set",
    formula=r"\frac{1}{N} \sum_i \max(0, \mathrm{lo}_i - y_i, y_i - \mathrm{hi}_i)",
    formula_text="mean over the rows of max(0, lo − y, y − hi)",
    direction="lower",
    bounds=(0, "K - 1"),
    undefined="there are no rows",
    ignores="how wide the sets are: the set of all classes never misses",
    misleads=["misses are few: the mean is then made by a handful of rows"],
    structure="mean",
    needs=["prediction sets"],
    cite="vovk2005",
    see=["set_coverage", "set_size"],
    laws={**_SAME, "perfect": ""},
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0]))},
)
def miss_distance(y_true: Truth, sets: Sets = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean number of classes between the truth and the nearest class of the set.

    0 is every truth inside its set.

    >>> miss_distance([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 1, 3]))
    0.5
    """
    return score(miss_distance, y_true, sets=sets, labels=labels, sample_weight=sample_weight)
