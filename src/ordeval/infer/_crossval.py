"""Cross-validation: scores over folds overlap in their training rows, and pooled folds count a row once or not at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.show._numbers import ends


@dataclass(frozen=True)
class ResampledTest:
    """Two models over the same folds: the mean difference, second less first, with a t-test corrected for shared training rows."""

    difference: float
    low: float
    high: float
    statistic: float
    p_value: float
    folds: int
    ratio: float  #: test rows per training row
    confidence_level: float
    reason: str = ""  #: why there is no test

    def __str__(self) -> str:
        what = f"difference {self.difference:.3f} {ends(self.low, self.high)}"
        test = f"t = {self.statistic:.3f}, p = {self.p_value:.3f}" if not self.reason else self.reason
        return f"{what}, {test} | folds:{self.folds} test/train:{self.ratio:.3g} corrected resampled t-test"


def corrected_resampled_test(
    scores_a: Any, scores_b: Any, *, n_train: float, n_test: float, confidence_level: float = 0.95
) -> ResampledTest:
    """Nadeau and Bengio's corrected resampled t-test for the scores of two models over the same folds or splits.

    Folds share training rows, so their scores vary together and the plain t-test finds differences that are not there: the
    variance s²/J becomes s² (1/J + n_test/n_train).  Derived for random splits; a heuristic for k folds.  ``n_train=math.inf``
    is the plain paired t-test.

    >>> print(corrected_resampled_test([0.70, 0.72, 0.69, 0.74], [0.73, 0.74, 0.73, 0.75], n_train=300, n_test=100))
    difference 0.025 [−0.006, 0.056], t = 2.535, p = 0.085 | folds:4 test/train:0.333 corrected resampled t-test
    """
    from scipy.special import stdtr, stdtrit

    a, b = _checked(scores_a, "scores_a"), _checked(scores_b, "scores_b")
    if len(a) != len(b):
        raise ValueError(f"scores_a has {len(a)} folds and scores_b {len(b)}; the test pairs the scores of the same folds")
    if len(a) < 2:
        raise ValueError("one fold shows no variation between folds; give the scores of two folds or more")
    if not (n_train > 0 and math.isfinite(n_test) and n_test > 0):
        raise ValueError(f"n_train={n_train!r} and n_test={n_test!r} are numbers of rows in a split; both are above 0")
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level={confidence_level!r} is not between 0 and 1; 0.95 means 95 %")
    folds, ratio, away = len(a), n_test / n_train, b - a
    mean, spread = float(away.mean()), float(away.std(ddof=1))
    if spread <= 1e-12 * max(1.0, abs(mean)):
        reason = "the difference is the same in all folds: they cannot show how it varies"
        return ResampledTest(mean, math.nan, math.nan, math.nan, math.nan, folds, ratio, confidence_level, reason)
    error = spread * math.sqrt(1 / folds + ratio)
    statistic, half = mean / error, float(stdtrit(folds - 1, (1 + confidence_level) / 2)) * error
    p_value = 2 * float(stdtr(folds - 1, -abs(statistic)))
    return ResampledTest(mean, mean - half, mean + half, statistic, p_value, folds, ratio, confidence_level)


def _checked(scores: Any, name: str) -> Array:
    values = np.asarray(scores, float)
    if values.ndim != 1:
        raise ValueError(f"{name} has the shape {values.shape}; give one score per fold")
    if (unknown := np.flatnonzero(~np.isfinite(values))).size:
        raise ValueError(f"{name} is {values[unknown[0]]:g} in fold {unknown[0]}; every fold needs a score")
    return values


def pool_folds(folds: Sequence[Counts], *, repeats: int = 1) -> Counts:
    """The counts of all test folds together, each row counted once: as if one model had answered all rows.

    Their intervals are about new rows, not about new training sets.  With ``repeats`` every row is answered several times, and
    counting it several times would promise precision that is not there: the folds must then be counted with ``cluster=`` the row.
    """
    if not isinstance(repeats, int) or isinstance(repeats, bool) or repeats < 1:
        raise ValueError(f"repeats={repeats!r} is not a number of repetitions; 1 means each row was tested once")
    if not len(folds):
        raise ValueError("there are no folds to pool; give a list of the Counts of the test folds")
    if repeats > 1 and any(fold.cluster is None for fold in folds):
        raise ValueError(
            f"with {repeats} repeats each row would count {repeats} times as if it were new; pool one repeat, or number the rows "
            "and count every fold with cluster=that column"
        )
    pooled: Counts = reduce(add, folds)
    if repeats > 1:
        _check_repeats(pooled, repeats)
    return pooled


def _check_repeats(pooled: Counts, repeats: int) -> None:
    """Every cluster was answered in every repeat, or the repeats are not what they are said to be."""
    assert pooled.cluster is not None
    cluster = pooled.cells[:, pooled.axes.index(pooled.cluster)]
    rows = np.bincount(cluster, pooled.weights, minlength=len(pooled.values[pooled.cluster]))
    if not pooled.weighted and (uneven := np.flatnonzero(rows % repeats)).size:
        label = pooled.values[pooled.cluster][uneven[0]]
        raise ValueError(
            f"the cluster {label!r} has {rows[uneven[0]]:g} answers, which {repeats} repeats cannot give; "
            "each row is tested once in every repeat"
        )
