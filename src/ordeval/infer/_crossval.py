"""Cross-validation: scores over folds overlap in their training rows, and pooled folds count a row once or not at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Column
from ordeval.counts import Counts
from ordeval.infer._common import bad_value
from ordeval.infer._methods import check_level
from ordeval.show import Line, Result
from ordeval.show._numbers import ends, number, p_words
from ordeval.show._result import Record


@dataclass(frozen=True)
class ResampledTest(Result):
    """Two models over the same folds: the mean difference, second minus first, with a t-test corrected for shared training rows."""

    difference: float
    low: float
    high: float
    statistic: float
    p_value: float
    folds: int
    ratio: float  #: test rows per training row
    confidence_level: float
    reason: str = ""  #: why there is no test

    def _rows(self) -> list[Record]:
        return [{name: getattr(self, name) for name in ("difference", "low", "high", "statistic", "p_value", "folds")}]

    def _blocks(self) -> list[Line]:
        what = f"difference {number(self.difference)} {ends(self.low, self.high)}"
        test = f"t = {number(self.statistic)}, {p_words(self.p_value)}" if not self.reason else self.reason
        return [Line(f"{what}, {test} | folds:{self.folds} test/train:{self.ratio:.3g} corrected resampled t-test")]


@documented(
    "The mean difference with its interval, and the test.",
    scores_a="The scores of the first model, one for each fold.",
    scores_b="The scores of the second model on the same folds.",
    n_train="Training rows of a fold.",
    n_test="Test rows of a fold.",
)
def corrected_resampled_test(
    scores_a: Column, scores_b: Column, *, n_train: float, n_test: float, confidence_level: float = 0.95
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
        raise ArgumentError(
            "{scores_a} has {folds} folds and {scores_b} {other}",
            argument="scores_b",
            remedy="the test pairs the scores of the same folds",
            values={"folds": len(a), "other": len(b)},
        )
    if len(a) < 2:
        raise ValueError("one fold shows no variation between folds; give the scores of two folds or more")
    if not (n_train > 0 and math.isfinite(n_test) and n_test > 0):
        raise ArgumentError(
            "{n_train:{train}} and {n_test:{test}} must be numbers of rows in a split",
            argument="n_test" if n_train > 0 else "n_train",
            remedy="give numbers above 0",
            values={"train": repr(n_train), "test": repr(n_test)},
        )
    check_level(confidence_level)
    folds, ratio, away = len(a), n_test / n_train, b - a
    mean, spread = float(away.mean()), float(away.std(ddof=1))
    if spread <= 1e-12 * max(1.0, abs(mean)):
        reason = "the difference is the same in all folds: they cannot show how it varies"
        return ResampledTest(mean, math.nan, math.nan, math.nan, math.nan, folds, ratio, confidence_level, reason)
    error = spread * math.sqrt(1 / folds + ratio)
    statistic, half = mean / error, float(stdtrit(folds - 1, (1 + confidence_level) / 2)) * error
    p_value = 2 * float(stdtr(folds - 1, -abs(statistic)))
    return ResampledTest(mean, mean - half, mean + half, statistic, p_value, folds, ratio, confidence_level)


def _checked(scores: Column, name: str) -> Array:
    values = np.asarray(scores, float)
    if values.ndim != 1:
        raise ArgumentError(
            f"{{{name}}} has the shape {{shape}}", argument=name, remedy="give one score per fold", values={"shape": values.shape}
        )
    if (unknown := np.flatnonzero(~np.isfinite(values))).size:
        raise ArgumentError(
            f"{{{name}}} is {{value}} in fold {{fold}}",
            argument=name,
            remedy="every fold needs a score",
            values={"value": f"{values[unknown[0]]:g}", "fold": unknown[0]},
        )
    return values


@documented("The counts of all folds.", folds="The counts of the test folds.", repeats="How many times each row was tested.")
def pool_folds(folds: Sequence[Counts], *, repeats: int = 1) -> Counts:
    """The counts of all test folds together, each row counted once: as if one model had answered all rows.

    Their intervals are about new rows, not about new training sets.  With ``repeats`` every row is answered several times, and
    counting it several times would promise precision that is not there: the folds must then be counted with the row as ``cluster=``.
    """
    if not isinstance(repeats, int) or isinstance(repeats, bool) or repeats < 1:
        raise bad_value("repeats", repeats, "is not a number of repetitions", "1 means each row was tested once")
    if not len(folds):
        raise ArgumentError("there are no folds to pool", argument="folds", remedy="give a list of the Counts of the test folds")
    if repeats > 1 and any(fold.cluster is None for fold in folds):
        raise ArgumentError(
            "with {times} repeats each row would count {times} times as if it were new",
            argument="repeats",
            remedy="pool one repeat, or number the rows and count every fold with {cluster:that column}",
            values={"times": repeats},
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
        raise ArgumentError(
            "the cluster {label} has {rows} answers, which {times} repeats cannot give",
            argument="repeats",
            remedy="each row is tested once in every repeat",
            values={"label": repr(pooled.values[pooled.cluster][uneven[0]]), "rows": f"{rows[uneven[0]]:g}", "times": repeats},
        )
