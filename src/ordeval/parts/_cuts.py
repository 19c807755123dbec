"""The scale cut in two: for every class but the lowest, how the question "this class or above?" was answered."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.metrics.core.score import as_counts
from ordeval.metrics.core.types import Answer, Labels, Truth, Weights
from ordeval.show import ResultList
from ordeval.show._numbers import amount, percent
from ordeval.show._plain import shorten


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
    cuts = np.arange(1, counts.shape[-1])
    positive = at_or_above[..., cuts, cuts]
    true_above, pred_above = at_or_above[..., cuts, 0], at_or_above[..., 0, cuts]
    negative = counts.cumsum(-2).cumsum(-1)[..., cuts - 1, cuts - 1]
    table = np.stack([positive, true_above - positive, pred_above - positive, negative], -1)
    return table.reshape(*table.shape[:-1], 2, 2)


class CutTable(ResultList[Cut]):
    """Every cut of the scale, lowest first."""

    def _rows(self) -> list[dict[str, Any]]:
        return [{"class": cut.label, **{f.name: getattr(cut, f.name) for f in fields(cut) if f.name != "label"}} for cut in self]


@documented("The cuts, one for each class but the lowest.")
def cut_table(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> CutTable:
    """Rates at every cut of the scale: for each class but the lowest, the question "this class or above?".

    >>> [(cut.label, cut.sensitivity) for cut in cut_table([1, 2, 2, 3], [1, 1, 2, 3])]
    [(2, 0.6666666666666666), (3, 1.0)]
    """
    counts = y_true if isinstance(y_true, Counts) else as_counts("cut_table", y_true, y_pred, labels, sample_weight)
    tables = cut_counts(counts.matrix)
    if counts.blanks:  # a row without an answer is on the wrong side of every cut
        below = counts.unanswered.cumsum()
        tables[:, 0, 1] += below[-1] - below[:-1]
        tables[:, 1, 0] += below[:-1]
    (tp, fn), (fp, tn) = np.moveaxis(tables, (-2, -1), (0, 1))
    rates = [ratio(tp, tp + fn), ratio(tn, tn + fp), ratio(tp, tp + fp), ratio(tn, tn + fn), ratio(tp + fn, tp + fn + fp + tn)]
    return CutTable(map(Cut, counts.scale.labels[1:], *(column.tolist() for column in (tp, fn, fp, tn, *rates))))


def cut_name(cut: Cut, counts: Counts) -> str:
    """ "orange or above"; the highest class by itself."""
    return shorten(cut.label, 24) + ("" if cut.label == counts.scale.labels[-1] else " or above")


def cut_words(cut: Cut, counts: Counts) -> str:
    """How a cut is answered, in counts and shares: what it finds, and what else it calls so."""
    name, there, others = cut_name(cut, counts), cut.true_positive + cut.false_negative, cut.false_positive + cut.true_negative
    finds = f"finds {amount(cut.true_positive)} of {amount(there)} ({percent(cut.sensitivity)})"
    if not others:
        return f"weakest at {name}: {finds}; there are no others"
    return f"weakest at {name}: {finds}, calls {amount(cut.false_positive)} of {amount(others)} others {name} ({percent(1 - cut.specificity)})"


def worst_cut(counts: Counts) -> Cut | None:
    """The cut with the smallest sensitivity + specificity − 1; None if no cut has anything to find."""
    found = [cut for cut in cut_table(counts) if not np.isnan(cut.sensitivity)]
    both = [cut for cut in found if not np.isnan(cut.specificity)]
    return min(
        both or found, key=lambda cut: cut.sensitivity + (0 if np.isnan(cut.specificity) else cut.specificity), default=None
    )
