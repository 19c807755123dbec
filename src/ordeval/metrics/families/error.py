"""How many steps off: mean rank errors, over the rows and over the classes, and which way they point."""

from __future__ import annotations

import numpy as np

from ordeval.base.arrays import Array, extreme_over, mean_over, rank_difference, rank_distance, ratio, total, truths
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Answer, Labels, Truth, Weights

__all__ = ["amae", "amse", "bias", "mae", "min_mae", "mmae", "mse", "rmse", "smae"]


def _mae(counts: Array) -> Array:
    """Mean number of steps between truth and prediction."""
    return ratio((rank_distance(counts.shape[-1]) * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_mae, title="Mean absolute error", plain="steps off (MAE)", formula=r"\frac{1}{N} \sum_{t,p} |t - p| \, C_{tp}",
    formula_text="Σ C[t, p] d / N", direction="lower", bounds=(0, "K - 1"), undefined="there are no rows",
    ignores="that a step between two classes may mean more than a step between two others",
    misleads=["one class is common: its errors are nearly all that is counted"], structure="mean", rowwise=True, cite="gaudette2009",
    see=["amae", "mse", "smae"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def mae(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean number of steps between truth and prediction.

    >>> mae(["low", "mid", "high"], ["low", "high", "low"], labels=["low", "mid", "high"])
    1.0
    """
    return score(mae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _mse(counts: Array) -> Array:
    """Mean squared number of steps."""
    return ratio((rank_distance(counts.shape[-1]) ** 2 * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_mse, title="Mean squared error", plain="squared steps off (MSE)",
    formula=r"\frac{1}{N} \sum_{t,p} (t - p)^2 \, C_{tp}", formula_text="Σ C[t, p] d² / N", direction="lower",
    bounds=(0, "(K - 1)**2"), undefined="there are no rows",
    ignores="that a step between two classes may mean more than a step between two others",
    misleads=["a few rows are far off: one error of four steps weighs as much as sixteen of one"], structure="mean", rowwise=True,
    cite="gaudette2009", see=["mae", "rmse"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    used_in="SemEval-2015 task 11", broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def mse(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean squared number of steps between truth and prediction.

    >>> mse([1, 2, 3, 4], [1, 2, 3, 1])
    2.25
    """
    return score(mse, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _rmse(counts: Array) -> Array:
    """Root of the mean squared number of steps."""
    return np.sqrt(_mse(counts))


@metric(
    kernel=_rmse, title="Root mean squared error", plain="root of squared steps (RMSE)",
    formula=r"\sqrt{\frac{1}{N} \sum_{t,p} (t - p)^2 \, C_{tp}}", formula_text="√( Σ C[t, p] d² / N )", direction="lower",
    bounds=(0, "K - 1"), undefined="there are no rows",
    ignores="that a step between two classes may mean more than a step between two others",
    misleads=["it is compared across sample sizes or error shapes: it mixes the size of errors with their spread"],
    structure="mean", rowwise=True, cite="willmott2005", see=["mse", "mae"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def rmse(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Root of the mean squared number of steps between truth and prediction.

    >>> rmse([1, 2, 3, 4], [1, 2, 3, 1])
    1.5
    """
    return score(rmse, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def class_errors(counts: Array, power: int = 1) -> Array:
    """Mean of (steps off)^power within each true class, (..., K); nan for a class without a true row."""
    return ratio((rank_distance(counts.shape[-1]) ** power * counts).sum(-1), truths(counts))


def _amae(counts: Array, present: Array) -> Array:
    """Mean over the classes present of the class's mean rank error."""
    return mean_over(class_errors(counts), present)  # nan if a replicate lost a class: said, not hidden


@metric(
    kernel=_amae, title="Average mean absolute error", plain="steps off, per class (AMAE)",
    formula=r"\frac{1}{|P|} \sum_{t \in P} \frac{1}{n_t} \sum_p |t - p| \, C_{tp}", formula_text="mean_t Σ_p C[t, p] d / n_t",
    direction="lower", bounds=(0, "K - 1"), undefined="there are no rows",
    ignores="how common a class is: a class of three rows weighs as much as one of three thousand",
    misleads=["a class has fewer than about twenty rows: its mean is then mostly luck"], structure="class_mean", rowwise=True,
    cite="baccianella2009", see=["mae", "mmae"], laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""},
    used_in="SemEval-2017 task 4",
    broken={"transpose": ((2, 1), (0, 1))}, aliases={"macro_mae": {}},
)  # fmt: skip
def amae(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Average over the classes of the mean rank error within each true class.

    A class with no true row is left out.

    >>> amae([0, 3, 3], [3, 3, 0])
    2.25
    """
    return score(amae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _amse(counts: Array, present: Array) -> Array:
    """Mean over the classes present of the class's mean squared rank error."""
    return mean_over(class_errors(counts, 2), present)


@metric(
    kernel=_amse, title="Average mean squared error", plain="squared steps, per class (AMSE)",
    formula=r"\frac{1}{|P|} \sum_{t \in P} \frac{1}{n_t} \sum_p (t - p)^2 \, C_{tp}",
    formula_text="mean_t Σ_p C[t, p] d² / n_t", direction="lower", bounds=(0, "(K - 1)**2"), undefined="there are no rows",
    ignores="how common a class is", misleads=["a class has fewer than about twenty rows: its mean is then mostly luck"],
    structure="class_mean", rowwise=True, cite="baccianella2009", see=["amae", "mse"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (0, 1))},
    aliases={"macro_mse": {}},
)  # fmt: skip
def amse(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Average over the classes of the mean squared rank error within each true class.

    A class with no true row is left out.

    >>> amse([0, 3, 3], [3, 3, 0])
    6.75
    """
    return score(amse, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _mmae(counts: Array, present: Array) -> Array:
    """Largest of the classes' mean rank errors."""
    return extreme_over(class_errors(counts), present, np.maximum)


@metric(
    kernel=_mmae, title="Maximum mean absolute error", plain="steps off in the worst class",
    formula=r"\max_{t \in P} \frac{1}{n_t} \sum_p |t - p| \, C_{tp}", formula_text="max_t Σ_p C[t, p] d / n_t, t present",
    direction="lower", bounds=(0, "K - 1"), undefined="there are no rows", ignores="every class but the worst",
    misleads=["classes are small: the maximum of noisy means is biased upwards, and its resampled intervals are unreliable"],
    structure="extreme", rowwise=True, cite="cruzramirez2014", see=["amae", "min_mae"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (0, 1))},
)  # fmt: skip
def mmae(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean rank error of the true class that has the largest.

    A class with no true row is left out.

    >>> mmae([0, 3, 3], [3, 3, 0])
    3.0
    """
    return score(mmae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _min_mae(counts: Array, present: Array) -> Array:
    """Smallest of the classes' mean rank errors."""
    return extreme_over(class_errors(counts), present, np.minimum)


@metric(
    kernel=_min_mae, title="Minimum mean absolute error", plain="steps off in the best class",
    formula=r"\min_{t \in P} \frac{1}{n_t} \sum_p |t - p| \, C_{tp}", formula_text="min_t Σ_p C[t, p] d / n_t, t present",
    direction="lower", bounds=(0, "K - 1"), undefined="there are no rows",
    ignores="every class but the best: read it beside mmae", misleads=["it is read alone: one easy class makes it 0"],
    structure="extreme", rowwise=True, cite="cruzramirez2014", see=["mmae", "amae"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""}, broken={"transpose": ((2, 1), (2, 1))},
)  # fmt: skip
def min_mae(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean rank error of the true class that has the smallest.

    A class with no true row is left out.

    >>> min_mae([0, 3, 3], [3, 3, 0])
    1.5
    """
    return score(min_mae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _smae(counts: Array) -> Array:
    """Mean absolute error over the largest that these true classes allow."""
    k = counts.shape[-1]
    distance = rank_distance(k)
    return ratio((distance * counts).sum((-2, -1)), (truths(counts) * distance.max(-1)).sum(-1))


@metric(
    kernel=_smae, title="Standardized mean absolute error", plain="steps off, of the most possible",
    formula=r"\frac{\sum_{t,p} |t - p| \, C_{tp}}{\sum_t n_t \max(t - 1, K - t)}",
    formula_text="Σ C[t, p] d / Σ_t n_t max(t − 1, K − t)", direction="lower", bounds=(0, 1),
    undefined="there are no rows, or only one class",
    ignores="that a step between two classes may mean more than a step between two others",
    misleads=["it is compared across class shares: rows in the middle of the scale cannot be as far off as those at its ends"],
    structure="mean", rowwise=True, cite="binotto2025", see=["mae", "stc"], laws={"perfect": "", "reversal": ""},
    broken={"transpose": ((0, 1, 0), (0, 0, 0), (0, 0, 0)), "prevalence": ((0, 1, 0), (0, 1, 0), (0, 0, 0)),
        "unused_class": ((0, 1), (0, 0))},
)  # fmt: skip
def smae(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean rank error as a share of the largest that these true classes allow.

    1 means that every row is as far off as it can be.

    >>> smae([1, 2, 3], [3, 2, 1], labels=[1, 2, 3])
    0.8
    """
    return score(smae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _bias(counts: Array) -> Array:
    """Mean signed number of steps from truth to prediction."""
    return ratio((rank_difference(counts.shape[-1]) * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_bias, title="Bias", plain="which way (bias)", formula=r"\frac{1}{N} \sum_{t,p} (p - t) \, C_{tp}",
    formula_text="Σ C[t, p] (p − t) / N", direction=0.0, bounds=("1 - K", "K - 1"), undefined="there are no rows",
    ignores="errors that cancel: half too high and half too low is a bias of 0",
    misleads=["it is read alone; read it beside an error that does not cancel"], structure="signed_mean", cite="bland1986",
    see=["over_rate", "under_rate", "mae"], laws={"perfect": "", "unused_class": ""},
    broken={"reversal": ((1, 1), (0, 1)), "transpose": ((1, 1), (0, 1)), "prevalence": ((0, 1), (0, 1))},
)  # fmt: skip
def bias(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean signed number of steps from truth to prediction.

    Above 0 the predictions are too high on average, below 0 too low.

    >>> bias([1, 2, 3], [2, 2, 4])
    0.6666666666666666
    """
    return score(bias, y_true, y_pred, labels=labels, sample_weight=sample_weight)
