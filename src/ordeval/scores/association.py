"""Do truth and prediction rise together?  Pairs of rows, and correlations of ranks.

None of these asks whether the class is right: a model that is always one step too high keeps its score.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval._arrays import Array, above, below, predictions, ratio, truths
from ordeval.scores.registry import metric, score


def pairs(counts: Array) -> tuple[Array, Array, Array, Array]:
    """Pairs of rows: concordant, discordant, tied in truth only, tied in prediction only.

    From cumulative sums of positive terms, never from N² pairs and never as a difference of large numbers.
    """
    lower = below(counts, -2)  # rows with a lower truth, same prediction
    concordant = (counts * below(lower, -1)).sum((-2, -1))
    discordant = (counts * above(lower, -1)).sum((-2, -1))
    tied_true = (counts * below(counts, -1)).sum((-2, -1))
    tied_pred = (counts * lower).sum((-2, -1))
    return concordant, discordant, tied_true, tied_pred


def _kendall_tau_b(counts: Array) -> Array:
    """(concordant - discordant) / geometric mean of the pairs not tied in truth and those not tied in prediction."""
    concordant, discordant, tied_true, tied_pred = pairs(counts)
    untied = concordant + discordant
    return ratio(concordant - discordant, np.sqrt((untied + tied_true) * (untied + tied_pred)))


@metric(
    kernel=_kendall_tau_b,
    title="Kendall's tau-b",
    cite="kendall1945",
    bounds=(-1, 1),
    direction="higher",
    undefined="the truth or the prediction is one class throughout",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def kendall_tau(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Concordant less discordant pairs of rows, as a share of the pairs that are not tied (tau-b).

    Higher is better; 1 is perfect, 0 is no association.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when a model is always one step too high: it scores 1.

    >>> kendall_tau([1, 2, 3, 4], [2, 3, 4, 4])
    0.9128709291752769
    """
    return score(kendall_tau, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _midranks(margin: Array) -> Array:
    """Twice the mid-rank of each class, less its mean: rows below it minus rows above it.  No cancellation."""
    return below(margin) - above(margin)


def _correlation(counts: Array, true: Array, pred: Array) -> Array:
    """Correlation of scores whose weighted mean is 0: (..., K) for the true, (..., K) for the predicted classes."""
    covariance = (counts * true[..., :, None] * pred[..., None, :]).sum((-2, -1))
    spread = (truths(counts) * true**2).sum(-1) * (predictions(counts) * pred**2).sum(-1)
    return ratio(covariance, np.sqrt(spread))


def _spearman(counts: Array) -> Array:
    """Correlation of mid-ranks."""
    return _correlation(counts, _midranks(truths(counts)), _midranks(predictions(counts)))


@metric(
    kernel=_spearman,
    title="Spearman's rank correlation",
    cite="spearman1904",
    bounds=(-1, 1),
    direction="higher",
    undefined="the truth or the prediction is one class throughout",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def spearman(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Correlation of the mid-ranks of truth and prediction among the rows.

    Higher is better; 1 is perfect, 0 is no association.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when a model is always one step too high: it scores 1.

    >>> spearman([1, 2, 3], [2, 3, 4])
    1.0
    """
    return score(spearman, y_true, y_pred, labels=labels, sample_weight=sample_weight)
