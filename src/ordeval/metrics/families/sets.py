"""Prediction sets: neighbouring classes from lo to hi, given instead of one class.  How often do they hold the truth, how wide are they?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.counts.sets import AXES, check_sets
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Labels, Sets, Truth, Weights

__all__ = ["miss_distance", "set_coverage", "set_size"]


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
    check_sets(counts)
    true, lo, hi = (counts.cells[:, counts.axes.index(axis)] for axis in ("true", *AXES))
    return SetRows(true, lo, hi, counts.weights.astype(float), counts.scale.K)


def _set_score(of_rows: Callable[[SetRows], Array]) -> Callable[..., RowScore]:
    def kernel(counts: Counts | SetRows, **_: Any) -> RowScore:
        rows = sets_of(counts) if isinstance(counts, Counts) else counts
        return RowMean(rows, None, scores=of_rows(rows).astype(float))  # type: ignore[arg-type]

    return kernel


_SAME = {"reversal": "", "unused_class": ""}


@metric(
    kernel=_set_score(lambda rows: (rows.lo <= rows.true) & (rows.true <= rows.hi)), title="Coverage of prediction sets",
    plain="truths inside their sets", formula=r"\frac{1}{N} |\{i : \mathrm{lo}_i \leq y_i \leq \mathrm{hi}_i\}|",
    formula_text="share of the rows with lo ≤ y ≤ hi", direction="coverage", bounds=(0, 1), undefined="there are no rows",
    ignores="how wide the sets are: read it beside set_size",
    misleads=["it is read for all classes together: sets may hold the truth more often in common classes and hardly ever in rare ones"],
    structure="share", needs=["prediction sets"],
    parameters={"coverage": Parameter("The share of truths that the sets were made to hold: a larger share is more caution than was asked for.", range="(0, 1)")},
    cite="vovk2005", see=["set_size", "miss_distance"], laws=_SAME,
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0])), "perfect": ([0], ([0], [0]))},
)  # fmt: skip
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
    kernel=_set_score(lambda rows: rows.hi - rows.lo + 1), title="Size of prediction sets", plain="classes in a set",
    formula=r"\frac{1}{N} \sum_i (\mathrm{hi}_i - \mathrm{lo}_i + 1)", formula_text="mean over the rows of hi − lo + 1",
    direction="lower", bounds=(1, "K"), undefined="there are no rows",
    ignores="whether the sets hold the truth: read it beside set_coverage",
    misleads=["sets of different coverage are compared by it"], structure="mean", needs=["prediction sets"], cite="vovk2005",
    see=["set_coverage"], laws={**_SAME, "perfect": ""}, broken={"prevalence": ([0, 1], ([0, 0], [0, 1]))},
)  # fmt: skip
def set_size(y_true: Truth, sets: Sets = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean number of classes in a set.

    It compares sets that hold the truth equally often; 1 means a single class for every row.

    >>> set_size([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 2, 3]))
    1.75
    """
    return score(set_size, y_true, sets=sets, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_set_score(lambda rows: np.maximum(0, np.maximum(rows.lo - rows.true, rows.true - rows.hi))),
    title="Miss distance of prediction sets", plain="steps from truth to set",
    formula=r"\frac{1}{N} \sum_i \max(0, \mathrm{lo}_i - y_i, y_i - \mathrm{hi}_i)",
    formula_text="mean over the rows of max(0, lo − y, y − hi)", direction="lower", bounds=(0, "K - 1"),
    undefined="there are no rows", ignores="how wide the sets are: the set of all classes never misses",
    misleads=["misses are few: the mean is then made by a handful of rows"], structure="mean", needs=["prediction sets"],
    cite="vovk2005", see=["set_coverage", "set_size"], laws={**_SAME, "perfect": ""},
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0]))},
)  # fmt: skip
def miss_distance(y_true: Truth, sets: Sets = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean number of steps between the truth and the nearest class of the set.

    0 means that every truth is inside its set.

    >>> miss_distance([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 1, 3]))
    0.5
    """
    return score(miss_distance, y_true, sets=sets, labels=labels, sample_weight=sample_weight)
