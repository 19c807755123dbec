"""Prediction sets: neighbouring classes from lo to hi, given instead of one class.  How often do they hold the truth, how wide are they?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.counts.sets import AXES, check_sets
from ordeval.metrics.core.registry import get_metric, metric
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.core.score import warn_undefined

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


def _score_sets(
    function: Callable[..., float], y_true: Any, sets: Any, *, labels: Any = None, sample_weight: Any = None, **params: Any
) -> float:
    found = get_metric(function).with_params(**params)
    counts = Counts.from_sets(y_true, sets, labels=labels, sample_weight=sample_weight)
    value = found.kernel(counts, **found.params).point()
    warn_undefined(found, value, found.undefined, stacklevel=4)
    return float(value)


def _check_level(level: float) -> None:
    if not (isinstance(level, (int, float)) and 0 < level < 1):
        raise ValueError(f"level={level!r} is not between 0 and 1; 0.9 means that 90 % of the sets are meant to hold the truth")


_SAME = {"reversal": "", "unused_class": ""}


@metric(
    kernel=_set_score(lambda rows: (rows.lo <= rows.true) & (rows.true <= rows.hi)),
    title="Coverage of prediction sets",
    cite="vovk2005",
    bounds=(0, 1),
    direction="level",
    undefined="there are no rows",
    laws=_SAME,
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0])), "perfect": ([0], ([0], [0]))},
    needs=["prediction sets"],
    check=_check_level,
)
def set_coverage(y_true: Any, sets: Any = None, *, labels: Any = None, sample_weight: Any = None, level: float = 0.9) -> float:
    """Share of the rows whose set of classes, from lo to hi, holds the truth.

    Closer to 0.9 is better, or to the ``level`` at which the sets were made: more is caution that was not asked for.

    Ignores how wide the sets are: read it beside set_size.
    Misleads when it is read for all classes together: common classes may be held more often and rare ones hardly ever.

    >>> set_coverage([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 2, 3]))
    0.75
    """
    return _score_sets(set_coverage, y_true, sets, labels=labels, sample_weight=sample_weight, level=level)


@metric(
    kernel=_set_score(lambda rows: rows.hi - rows.lo + 1),
    title="Size of prediction sets",
    cite="vovk2005",
    bounds=(1, "K"),
    direction="lower",
    undefined="there are no rows",
    laws={**_SAME, "perfect": ""},
    broken={"prevalence": ([0, 1], ([0, 0], [0, 1]))},
    needs=["prediction sets"],
)
def set_size(y_true: Any, sets: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean number of classes in a set.

    Lower is better, among sets that hold the truth equally often; 1 is a single class for every row.

    Ignores whether the sets hold the truth: read it beside set_coverage.
    Misleads when sets of different coverage are compared by it.

    >>> set_size([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 2, 3]))
    1.75
    """
    return _score_sets(set_size, y_true, sets, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_set_score(lambda rows: np.maximum(0, np.maximum(rows.lo - rows.true, rows.true - rows.hi))),
    title="Miss distance of prediction sets",
    cite="vovk2005",
    bounds=(0, "K - 1"),
    direction="lower",
    undefined="there are no rows",
    laws={**_SAME, "perfect": ""},
    broken={"prevalence": ([0, 1], ([0, 0], [0, 0]))},
    needs=["prediction sets"],
)
def miss_distance(y_true: Any, sets: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean number of classes between the truth and the nearest class of the set.

    Lower is better; 0 is every truth inside its set.

    Ignores how wide the sets are: the set of all classes never misses.
    Misleads when misses are few: the mean is then made by a handful of rows.

    >>> miss_distance([1, 2, 3, 3], ([1, 1, 1, 3], [2, 2, 1, 3]))
    0.5
    """
    return _score_sets(miss_distance, y_true, sets, labels=labels, sample_weight=sample_weight)
