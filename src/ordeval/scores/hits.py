"""How often the answer is right, or nearly: accuracies, and the rates at every cut of the scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval._arrays import Array, mean_over, rank_distance, ratio, total, truths
from ordeval.scores.registry import as_counts, metric, score


def _accuracy(counts: Array) -> Array:
    """Share of rows on the diagonal."""
    return ratio(np.trace(counts, axis1=-2, axis2=-1), total(counts))


@metric(
    kernel=_accuracy,
    title="Accuracy",
    cite="stehman1997",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def accuracy(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Share of rows whose class is predicted exactly.

    Higher is better; 1 is perfect.

    Ignores how far off an answer is, and how rare its class is.
    Misleads when one class is common: always predicting it scores its share.

    >>> accuracy([1, 1, 2, 3], [1, 2, 2, 1])
    0.5
    """
    return score(accuracy, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _accuracy_within(counts: Array, n: int) -> Array:
    """Share of rows at most n steps from the diagonal."""
    near = rank_distance(counts.shape[-1]) <= n
    return ratio((near * counts).sum((-2, -1)), total(counts))


def _check_steps(n: Any) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise ValueError(f"n={n!r}: the number of steps is a whole number from 0 on")


def _corner(n: int) -> tuple[tuple[int, ...], ...]:
    """A perfect table but for one row of the top class, n + 1 steps too low."""
    table = np.eye(n + 2, dtype=int)
    table[-1, 0], table[-1, -1] = 1, 0
    return tuple(map(tuple, table.tolist()))


@metric(
    kernel=_accuracy_within,
    title="Accuracy within n steps",
    cite="gaudette2009",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": lambda n: _corner(n)},
    aliases={"adjacent_accuracy": {"n": 1}, "accuracy_off1": {"n": 1}},
    check=_check_steps,
)
def accuracy_within(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, n: int = 1) -> float:
    """Share of rows predicted at most ``n`` classes away from the truth.

    Higher is better; 1 is perfect.

    Ignores whether the answer is exact, and any error beyond ``n`` steps looks the same.
    Misleads when there are few classes: with three, always predicting the middle one scores 1.

    >>> accuracy_within([0, 0, 3], [0, 2, 3])
    0.6666666666666666
    """
    return score(accuracy_within, y_true, y_pred, labels=labels, sample_weight=sample_weight, n=n)


def sensitivities(counts: Array) -> Array:
    """Share found of each true class, (..., K); nan for a class without a true row."""
    return ratio(np.diagonal(counts, axis1=-2, axis2=-1), truths(counts))


def _balanced_accuracy(counts: Array, present: Array) -> Array:
    """Mean over the classes present of the share found."""
    return mean_over(sensitivities(counts), present)


@metric(
    kernel=_balanced_accuracy,
    title="Balanced accuracy",
    cite="mosley2013",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1))},
    aliases={"macro_recall": {}, "macro_accuracy": {}},
)
def balanced_accuracy(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean over the classes of the share of each true class that is found.

    Higher is better; 1 is perfect.  A class with no true row is left out.

    Ignores how far off an answer is.
    Misleads when a class has a handful of rows: each of them then weighs as much as hundreds elsewhere.

    >>> balanced_accuracy([1, 1, 1, 2], [1, 1, 1, 1])
    0.5
    """
    return score(balanced_accuracy, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@dataclass(frozen=True)
class Cut:
    """The binary question "this class or above?": how it was answered, and the rates."""

    label: Any  #: the lowest class that counts as positive
    true_positive: float
    false_negative: float
    false_positive: float
    true_negative: float
    sensitivity: float
    specificity: float
    ppv: float
    npv: float
    prevalence: float


def cut_counts(counts: Array) -> Array:
    """For every cut the 2×2 table of truth and prediction, positive first: (..., K - 1, 2, 2)."""
    at_or_above = np.flip(np.flip(counts, (-2, -1)).cumsum(-2).cumsum(-1), (-2, -1))
    cuts = range(1, counts.shape[-1])
    positive = at_or_above[..., cuts, cuts]
    true_above, pred_above = at_or_above[..., cuts, 0], at_or_above[..., 0, cuts]
    below = counts.cumsum(-2).cumsum(-1)[..., range(counts.shape[-1] - 1), range(counts.shape[-1] - 1)]
    table = np.stack([positive, true_above - positive, pred_above - positive, below], -1)
    return table.reshape(*table.shape[:-1], 2, 2)


def cut_table(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> list[Cut]:
    """Rates at every cut of the scale: for each class but the lowest, the question "this class or above?".

    >>> [(cut.label, cut.sensitivity) for cut in cut_table([1, 2, 2, 3], [1, 1, 2, 3])]
    [(2, 0.6666666666666666), (3, 1.0)]
    """
    counts = as_counts("cut_table", y_true, y_pred, labels, sample_weight)
    tables = cut_counts(counts.matrix)
    (tp, fn), (fp, tn) = np.moveaxis(tables, (-2, -1), (0, 1))
    rates = [ratio(tp, tp + fn), ratio(tn, tn + fp), ratio(tp, tp + fp), ratio(tn, tn + fn), ratio(tp + fn, tp + fn + fp + tn)]
    rows = zip(counts.scale.labels[1:], *(column.tolist() for column in (tp, fn, fp, tn, *rates)), strict=True)
    return [Cut(*row) for row in rows]
