"""How many steps off: mean rank errors, over the rows and over the classes, and which way they point."""

from __future__ import annotations

from typing import Any

from ordeval._arrays import Array, mean_over, rank_difference, rank_distance, ratio, total, truths
from ordeval.scores.registry import metric, score


def _mae(counts: Array) -> Array:
    """Mean number of steps between truth and prediction."""
    return ratio((rank_distance(counts.shape[-1]) * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_mae,
    title="Mean absolute error",
    cite="gaudette2009",
    bounds=(0, "K - 1"),
    direction="lower",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def mae(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean number of classes between truth and prediction.

    Lower is better; 0 is perfect.

    Ignores that a step between two classes may mean more than a step between two others.
    Misleads when one class is common: its errors are nearly all that is counted.

    >>> mae(["low", "mid", "high"], ["low", "high", "low"], labels=["low", "mid", "high"])
    1.0
    """
    return score(mae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def class_errors(counts: Array, power: int = 1) -> Array:
    """Mean of (steps off)^power within each true class, (..., K); nan for a class without a true row."""
    return ratio((rank_distance(counts.shape[-1]) ** power * counts).sum(-1), truths(counts))


def _amae(counts: Array, present: Array) -> Array:
    """Mean over the classes present of the class's mean rank error."""
    return mean_over(class_errors(counts), present)  # nan if a replicate lost a class: said, not hidden


@metric(
    kernel=_amae,
    title="Average mean absolute error",
    cite="baccianella2009",
    bounds=(0, "K - 1"),
    direction="lower",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1))},
    aliases={"macro_mae": {}},
)
def amae(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Average over the classes of the mean rank error within each true class.

    Lower is better; 0 is perfect.  A class with no true row is left out.

    Ignores how common a class is: a class of three rows weighs as much as one of three thousand.
    Misleads when a class has fewer than about twenty rows: its mean is then mostly luck.

    >>> amae([0, 3, 3], [3, 3, 0])
    2.25
    """
    return score(amae, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _bias(counts: Array) -> Array:
    """Mean signed number of steps from truth to prediction."""
    return ratio((rank_difference(counts.shape[-1]) * counts).sum((-2, -1)), total(counts))


@metric(
    kernel=_bias,
    title="Bias",
    cite="bland1986",
    bounds=("1 - K", "K - 1"),
    direction=0.0,
    undefined="there are no rows",
    laws={"perfect": "", "unused_class": ""},
    broken={"reversal": ((1, 1), (0, 1)), "transpose": ((1, 1), (0, 1)), "prevalence": ((0, 1), (0, 1))},
)
def bias(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean signed number of classes from truth to prediction.

    Closer to 0 is better: above 0 the predictions are too high on average, below 0 too low.

    Ignores errors that cancel: half too high and half too low is a bias of 0.
    Misleads when it is read alone; read it beside an error that does not cancel.

    >>> bias([1, 2, 3], [2, 2, 4])
    0.6666666666666666
    """
    return score(bias, y_true, y_pred, labels=labels, sample_weight=sample_weight)
