"""How often the answer is right, or nearly; how often it is too high or too low."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import (
    Array,
    extreme_over,
    independence_gap,
    mean_over,
    others,
    predictions,
    rank_difference,
    rank_distance,
    ratio,
    total,
    truths,
)
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Sample
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Answer, Column, Labels, Truth, Weights

__all__ = [
    "accuracy",
    "accuracy_within",
    "balanced_accuracy",
    "geometric_mean_extreme_sensitivity",
    "geometric_mean_sensitivity",
    "macro_f1",
    "macro_precision",
    "matthews",
    "mean_extreme_sensitivity",
    "minimum_sensitivity",
    "mze",
    "over_rate",
    "under_rate",
]


def _accuracy(counts: Array) -> Array:
    """Share of rows on the diagonal."""
    return ratio(np.trace(counts, axis1=-2, axis2=-1), total(counts))


@metric(
    kernel=_accuracy, title="Accuracy", plain="exact (accuracy)", formula=r"\frac{1}{N} \sum_t C_{tt}",
    formula_text="Σ_t C[t, t] / N", direction="higher", bounds=(0, 1), undefined="there are no rows",
    ignores="how far off an answer is, and how rare its class is",
    misleads=["one class is common: always predicting it scores its share"], structure="share", rowwise=True, cite="stehman1997",
    see=["accuracy_within", "balanced_accuracy"], used_in="NTCIR-7", laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def accuracy(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows whose class is predicted exactly.

    >>> accuracy([1, 1, 2, 3], [1, 2, 2, 1])
    0.5
    """
    return score(accuracy, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _accuracy_within(counts: Array, steps: int) -> Array:
    """Share of rows at most so many steps from the diagonal."""
    near = rank_distance(counts.shape[-1]) <= steps
    return ratio((near * counts).sum((-2, -1)), total(counts))


def _corner(n: int) -> tuple[tuple[int, ...], ...]:
    """A perfect table but for one row of the top class, n + 1 steps too low."""
    table = np.eye(n + 2, dtype=int)
    table[-1, 0], table[-1, -1] = 1, 0
    return tuple(map(tuple, table.tolist()))


@metric(
    kernel=_accuracy_within, title="Accuracy within n steps", plain="exact or one step off",
    formula=r"\frac{1}{N} \sum_{|t - p| \leq s} C_{tp}", formula_text="Σ_{d ≤ steps} C[t, p] / N", direction="higher",
    bounds=(0, 1), undefined="there are no rows",
    ignores="whether the answer is exact, and how far off it is beyond ``steps``",
    misleads=["there are few classes: with three, always predicting the middle one scores 1"], structure="share", rowwise=True,
    parameters={"steps": Parameter("How many classes off an answer may be.", range="[0, inf)")}, cite="gaudette2009",
    see=["accuracy", "mae"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": lambda steps: _corner(steps)},
    aliases={"adjacent_accuracy": {"steps": 1}, "accuracy_off1": {"steps": 1}},
)  # fmt: skip
@renamed_keywords
def accuracy_within(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, steps: int = 1
) -> float:
    """Share of rows predicted at most ``steps`` classes away from the truth.

    >>> accuracy_within([0, 0, 3], [0, 2, 3])
    0.6666666666666666
    """
    return score(accuracy_within, y_true, y_pred, labels=labels, sample_weight=sample_weight, steps=steps)


def _mze(counts: Array) -> Array:
    """Share of rows off the diagonal: counted, not taken from 1, so that a single error in 10**15 rows keeps its digits."""
    wrong = rank_distance(counts.shape[-1]) > 0
    return ratio((wrong * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_mze, title="Mean zero-one error", plain="not exact (MZE)", formula=r"1 - \frac{1}{N} \sum_t C_{tt}",
    formula_text="1 − Σ_t C[t, t] / N", direction="lower", bounds=(0, 1), undefined="there are no rows",
    ignores="how far off an answer is, and how rare its class is",
    misleads=["one class is common: always predicting it errs only on the rest"], structure="share", rowwise=True, cite="gaudette2009",
    see=["accuracy"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))}, aliases={"error_rate": {}},
)  # fmt: skip
def mze(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows whose class is not predicted exactly: 1 - accuracy.

    >>> mze([1, 1, 2, 3], [1, 2, 2, 1])
    0.5
    """
    return score(mze, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def sensitivities(counts: Array) -> Array:
    """Share found of each true class, (..., K); nan for a class without a true row."""
    return ratio(np.diagonal(counts, axis1=-2, axis2=-1), truths(counts))


def _balanced_accuracy(counts: Array, present: Array) -> Array:
    """Mean over the classes present of the share found."""
    return mean_over(sensitivities(counts), present)


@metric(
    kernel=_balanced_accuracy, title="Balanced accuracy", plain="exact, per class",
    formula=r"\frac{1}{|P|} \sum_{t \in P} \frac{C_{tt}}{n_t}", formula_text="mean_t C[t, t] / n_t", direction="higher",
    bounds=(0, 1), undefined="there are no rows", ignores="how far off an answer is",
    misleads=["a class has a handful of rows: each of them then weighs as much as hundreds elsewhere"], structure="class_mean", rowwise=True,
    cite="mosley2013", see=["accuracy", "minimum_sensitivity", "amae"], used_in="SemEval-2017 task 4",
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (0, 1))},
    aliases={"macro_recall": {}, "macro_accuracy": {}},
)  # fmt: skip
def balanced_accuracy(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the classes of the share of each true class that is found.

    A class with no true row is left out.

    >>> balanced_accuracy([1, 1, 1, 2], [1, 1, 1, 1])
    0.5
    """
    return score(balanced_accuracy, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _minimum_sensitivity(counts: Array, present: Array) -> Array:
    """Smallest share found among the classes present."""
    return extreme_over(sensitivities(counts), present, np.minimum)


@metric(
    kernel=_minimum_sensitivity, title="Minimum sensitivity", plain="found of the worst class",
    formula=r"\min_{t \in P} \frac{C_{tt}}{n_t}", formula_text="min_t C[t, t] / n_t, t present", direction="higher",
    bounds=(0, 1), undefined="there are no rows", ignores="every class but the worst, and how far off its answers are",
    misleads=["a class has a handful of rows: the minimum is then mostly luck, and its resampled intervals are unreliable"],
    structure="extreme", rowwise=True, cite="fernandezcaballero2010", see=["balanced_accuracy", "mmae"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (0, 1))},
)  # fmt: skip
def minimum_sensitivity(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share found of the class that is found least.

    A class with no true row is left out.

    >>> minimum_sensitivity([1, 1, 2, 2], [1, 1, 2, 1])
    0.5
    """
    return score(minimum_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _geometric_mean_over(shares: Array, chosen: Array) -> Array:
    """exp(mean log) over the chosen entries of the last axis; 0 if one of them is 0, nan if one is undefined."""
    mean = np.exp(mean_over(np.log(np.where(shares == 0, 1, shares)), chosen))
    found: Array = np.where((shares[..., chosen] == 0).any(-1), 0 * mean, mean)
    return found


def _geometric_mean_sensitivity(counts: Array, present: Array) -> Array:
    """Geometric mean over the classes present of the share found."""
    return _geometric_mean_over(sensitivities(counts), present)


@metric(
    kernel=_geometric_mean_sensitivity, title="Geometric mean of the sensitivities", plain="exact, geometric mean of classes",
    formula=r"\left( \prod_{t \in P} \frac{C_{tt}}{n_t} \right)^{1 / |P|}",
    formula_text="exp( mean_t log(C[t, t] / n_t) ); 0 if some C[t, t] is 0", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="how far off an answer is",
    misleads=["one small class is missed altogether: the score is 0, whatever the others do"], structure="class_mean", rowwise=True,
    cite="kubat1997", see=["balanced_accuracy", "minimum_sensitivity"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (0, 1))},
)  # fmt: skip
def geometric_mean_sensitivity(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None
) -> float:
    """Geometric mean over the classes of the share of each true class that is found.

    A class with no true row is left out.

    >>> geometric_mean_sensitivity([1, 1, 2, 2], [1, 1, 2, 1])
    0.7071067811865476
    """
    return score(geometric_mean_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _extremes(counts: Array) -> Array:
    """The lowest and the highest class of the scale, as a mask."""
    rank = np.arange(counts.shape[-1])
    mask: Array = (rank == 0) | (rank == rank[-1])
    return mask


def _mean_extreme_sensitivity(counts: Array) -> Array:
    """Mean of the shares found of the lowest and the highest class of the scale."""
    return mean_over(sensitivities(counts), _extremes(counts))


@metric(
    kernel=_mean_extreme_sensitivity, title="Extreme sensitivity, mean", plain="found of the two end classes",
    formula=r"\frac{1}{2} \left( \frac{C_{11}}{n_1} + \frac{C_{KK}}{n_K} \right)",
    formula_text="( C[1, 1] / n_1 + C[K, K] / n_K ) / 2", direction="higher", bounds=(0, 1),
    undefined="the lowest or the highest class has no true row", ignores="all classes in between, and how far off an answer is",
    misleads=["the extreme classes are rare, as they often are: it then rests on a few rows"], structure="class_mean", rowwise=True,
    cite="vargas2024", see=["geometric_mean_extreme_sensitivity", "balanced_accuracy"],
    laws={"perfect": "", "reversal": "", "prevalence": ""},
    broken={"transpose": ((2, 1), (0, 1)), "unused_class": ((1, 0), (0, 1))}, aliases={"mes": {}},
)  # fmt: skip
def mean_extreme_sensitivity(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None
) -> float:
    """Mean of the shares found of the lowest and the highest class of the scale.

    >>> mean_extreme_sensitivity([1, 1, 2, 3], [1, 2, 2, 3], labels=[1, 2, 3])
    0.75
    """
    return score(mean_extreme_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _geometric_mean_extreme_sensitivity(counts: Array) -> Array:
    """Geometric mean of the shares found of the lowest and the highest class of the scale."""
    return _geometric_mean_over(sensitivities(counts), _extremes(counts))


@metric(
    kernel=_geometric_mean_extreme_sensitivity, title="Extreme sensitivity, geometric mean", plain="found of both end classes",
    formula=r"\sqrt{\frac{C_{11}}{n_1} \cdot \frac{C_{KK}}{n_K}}", formula_text="√( C[1, 1] / n_1 · C[K, K] / n_K )",
    direction="higher", bounds=(0, 1), undefined="the lowest or the highest class has no true row",
    ignores="all classes in between, and how far off an answer is",
    misleads=["one extreme class is missed altogether: the score is 0, whatever the other does"], structure="class_mean", rowwise=True,
    cite="vargas2024", see=["mean_extreme_sensitivity"], laws={"perfect": "", "reversal": "", "prevalence": ""},
    broken={"transpose": ((2, 1), (0, 1)), "unused_class": ((1, 0), (0, 1))}, aliases={"gmsec": {}},
)  # fmt: skip
def geometric_mean_extreme_sensitivity(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None
) -> float:
    """Geometric mean of the shares found of the lowest and the highest class of the scale.

    >>> geometric_mean_extreme_sensitivity([1, 1, 2, 3], [1, 2, 2, 3], labels=[1, 2, 3])
    0.7071067811865476
    """
    return score(geometric_mean_extreme_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _macro_f1(counts: Array, used: Array, chosen: Array) -> Array:
    """Mean over the classes used, those that were chosen, of twice the hits over true plus predicted rows."""
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    return mean_over(ratio(2 * hits, truths(counts) + predictions(counts)), used & chosen)


def _chosen(sample: Sample, *, classes: tuple[Any, ...] | None) -> dict[str, Array]:
    """Which classes the mean is over."""
    if classes is None:
        return {"chosen": np.ones(sample.scale.K, bool)}
    return {"chosen": np.isin(np.arange(sample.scale.K), sample.scale.encode([*classes], name="classes"))}


def _check_classes(*, classes: Any) -> None:
    if classes is not None and (not isinstance(classes, tuple) or not classes):
        raise ArgumentError(
            "{classes:{given}} names no class",
            argument="classes",
            remedy="give a list of classes",
            values={"given": repr(classes)},
        )


@metric(
    kernel=_macro_f1, resolve=_chosen, check=_check_classes, depends="scale", title="Macro F1", plain="F1, mean over classes",
    formula=r"\frac{1}{|U|} \sum_{k \in U} \frac{2 C_{kk}}{n_k + m_k}, \qquad U = \{k : n_k + m_k > 0\}",
    formula_text="mean over the classes with n_k + m_k > 0 of 2 C[k, k] / (n_k + m_k)", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="how far off an answer is",
    misleads=["a class is predicted once and is never the truth: that single row adds a 0 with the weight of a whole class"],
    structure="class_precision", cite="opitz2019", see=["balanced_accuracy", "macro_precision"], used_in="EVALITA 2016",
    parameters={"classes": Parameter("The classes that the mean is over; None means all of them.")},
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def macro_f1(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, classes: Column | None = None
) -> float:
    """Mean over the classes of the F1 of each: the mean of F1s, not the F1 of means.

    A class that is neither true nor predicted is left out; one that is only predicted counts as 0.  Campaigns on sentiment take
    the mean over the positive and the negative class alone: ``classes=["negative", "positive"]``; rows of the others still count as predictions.

    >>> macro_f1([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1])
    0.26666666666666666
    >>> macro_f1([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], classes=[0, 2])
    0.4
    """
    return score(macro_f1, y_true, y_pred, labels=labels, sample_weight=sample_weight, classes=classes)


def _macro_precision(counts: Array, predicted: Array) -> Array:
    """Mean over the classes predicted of the share of their rows that is right."""
    return mean_over(ratio(np.diagonal(counts, axis1=-2, axis2=-1), predictions(counts)), predicted)


@metric(
    kernel=_macro_precision, title="Macro precision", plain="right when predicted, per class",
    formula=r"\frac{1}{|Q|} \sum_{k \in Q} \frac{C_{kk}}{m_k}, \qquad Q = \{k : m_k > 0\}",
    formula_text="mean over the classes with m_k > 0 of C[k, k] / m_k", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="how far off an answer is, and the rows of classes that are never predicted",
    misleads=["a model avoids the hard classes: what it never predicts cannot lower its score"], structure="class_precision",
    cite="sokolova2009", see=["balanced_accuracy", "macro_f1"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def macro_precision(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the classes predicted of the share of those predictions that is right.

    A class never predicted is left out.

    >>> macro_precision([0, 0, 1, 2], [0, 1, 1, 1])
    0.6666666666666666
    """
    return score(macro_precision, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _matthews(counts: Array) -> Array:
    """Covariance of the class indicators of truth and prediction, over the geometric mean of their variances."""
    agreement = np.trace(independence_gap(counts), axis1=-2, axis2=-1)
    spread = [(margin * others(margin)).sum(-1) for margin in (truths(counts), predictions(counts))]
    return ratio(agreement, np.sqrt(spread[0] * spread[1]))


@metric(
    kernel=_matthews, title="Matthews correlation coefficient", plain="exact beyond chance (MCC)",
    formula=r"\frac{N \sum_k C_{kk} - \sum_k n_k m_k}{\sqrt{(N^2 - \sum_k n_k^2)(N^2 - \sum_k m_k^2)}}",
    formula_text="""(s N − Σ_k n_k m_k) / √( (N² − Σ_k n_k²) · (N² − Σ_k m_k²) )

s = Σ_k C[k, k]""",
    direction="higher", bounds=(-1, 1), undefined="the truth or the prediction is one class throughout",
    ignores="the order of the classes: every error costs the same",
    misleads=["it is compared across data sets: it depends on the class shares"], structure="coefficient", cite="gorodkin2004",
    see=["cohen_kappa", "accuracy"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def matthews(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Correlation of true and predicted class membership, for any number of classes.

    0 is no better than chance.

    >>> matthews([1, 1, 1, -1], [1, -1, 1, 1])
    -0.3333333333333333
    """
    return score(matthews, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _over_rate(counts: Array) -> Array:
    """Share of rows predicted above the truth."""
    return ratio(((rank_difference(counts.shape[-1]) > 0) * counts).sum((-2, -1)), total(counts))


def _highest(sample: Sample) -> Array:
    return np.full(sample.scale.K, sample.scale.K - 1)


def _lowest(sample: Sample) -> Array:
    return np.zeros(sample.scale.K, int)


_ONE_SIDED: dict[str, Any] = {
    "bounds": (0, 1),
    "direction": "lower",
    "undefined": "there are no rows",
    "laws": {"perfect": "", "unused_class": ""},
}


@metric(
    kernel=_over_rate, title="Share predicted too high", plain="predicted too high", formula=r"\frac{1}{N} \sum_{p > t} C_{tp}",
    formula_text="Σ_{p > t} C[t, p] / N", ignores="how far above, and everything predicted below",
    misleads=["it is read alone: a model that always says the lowest class scores 0"], structure="share", worst=_highest, rowwise=True, cite="",
    see=["under_rate", "bias"],
    broken={"reversal": ((1, 1), (0, 1)), "transpose": ((1, 1), (0, 1)), "prevalence": ((0, 1), (0, 1))}, **_ONE_SIDED,
)  # fmt: skip
def over_rate(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows predicted above the truth.

    >>> over_rate([1, 2, 3, 3], [2, 2, 3, 1])
    0.25
    """
    return score(over_rate, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _under_rate(counts: Array) -> Array:
    """Share of rows predicted below the truth."""
    return ratio(((rank_difference(counts.shape[-1]) < 0) * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_under_rate, title="Share predicted too low", plain="predicted too low", formula=r"\frac{1}{N} \sum_{p < t} C_{tp}",
    formula_text="Σ_{p < t} C[t, p] / N", ignores="how far below, and everything predicted above",
    misleads=["it is read alone: a model that always says the highest class scores 0"], structure="share", worst=_lowest, rowwise=True, cite="",
    see=["over_rate", "bias"],
    broken={"reversal": ((1, 1), (0, 1)), "transpose": ((1, 1), (0, 1)), "prevalence": ((1, 0), (1, 0))}, **_ONE_SIDED,
)  # fmt: skip
def under_rate(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows predicted below the truth.

    >>> under_rate([1, 2, 3, 3], [2, 2, 3, 1])
    0.25
    """
    return score(under_rate, y_true, y_pred, labels=labels, sample_weight=sample_weight)
