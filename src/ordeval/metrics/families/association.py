"""Do truth and prediction rise together?  Pairs of rows, and correlations of ranks.

None of these asks whether the class is right: a model that is always one step too high keeps its score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, above, below, predictions, rank_difference, ratio, total, truths
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score

__all__ = [
    "cosine",
    "goodman_kruskal_gamma",
    "kendall_tau",
    "order_f",
    "order_reliability",
    "order_sensitivity",
    "pearson",
    "r_int",
    "somers_d",
    "spearman",
]


#: A table on which coefficients of pairs change when a true class becomes more common; with two classes they do not.
_ROW_DEPENDENT = ((1, 0, 0), (0, 1, 0), (1, 0, 1))


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


_TAU_PAIRS: Mapping[str, Callable[..., Array]] = {
    "a": lambda untied, tied_true, tied_pred, rows, k: rows * (rows - 1) / 2,
    "b": lambda untied, tied_true, tied_pred, rows, k: np.sqrt((untied + tied_true) * (untied + tied_pred)),
    "c": lambda untied, tied_true, tied_pred, rows, k: rows**2 * ratio(k - 1, 2 * k),
}


def _kendall_tau(counts: Array, of_pairs: Callable[..., Array]) -> Array:
    """(concordant - discordant) as a share of the pairs that the variant counts."""
    concordant, discordant, tied_true, tied_pred = pairs(counts)
    whole = of_pairs(concordant + discordant, tied_true, tied_pred, total(counts), counts.shape[-1])
    return ratio(concordant - discordant, whole)


def _check_variant(variant: Any) -> None:
    if variant not in _TAU_PAIRS:
        raise ValueError(f"variant={variant!r} is unknown; choose one of {', '.join(map(repr, _TAU_PAIRS))}")


@metric(
    kernel=_kendall_tau,
    title="Kendall's tau",
    cite="kendall1945",
    bounds=(-1, 1),
    direction="higher",
    undefined="the truth or the prediction is one class throughout (variant a: there is one row; c: one class)",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
    resolve=lambda counts, variant: {"of_pairs": _TAU_PAIRS[variant]},
    check=_check_variant,
    variants=[
        Variant(lambda variant: variant != "b", broken={"perfect": ((2, 0), (0, 1))}),
        Variant(lambda variant: variant == "a", broken={"replication": ((1, 0), (0, 1))}, needs=frozenset({"whole counts"})),
        Variant(lambda variant: variant == "c", broken={"unused_class": ((1, 0), (0, 1))}),
    ],
)
def kendall_tau(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, variant: str = "b") -> float:
    """Concordant less discordant pairs of rows, as a share of all pairs, corrected for ties (tau-b by default).

    Higher is better; 1 is perfect for variant "b", 0 is no association.

    ``variant`` "a" divides by all pairs, "b" corrects for ties, "c" (Stuart 1953) for the number of classes of the scale.
    "a" and "c" do not reach 1 for a perfect prediction of uneven classes.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when a model is always one step too high: it scores 1.

    >>> kendall_tau([1, 2, 3, 4], [2, 3, 4, 4])
    0.9128709291752769
    """
    return score(kendall_tau, y_true, y_pred, labels=labels, sample_weight=sample_weight, variant=variant)


def _goodman_kruskal_gamma(counts: Array) -> Array:
    """(concordant - discordant) over the pairs tied in neither."""
    concordant, discordant, _, _ = pairs(counts)
    return ratio(concordant - discordant, concordant + discordant)


@metric(
    kernel=_goodman_kruskal_gamma,
    title="Goodman and Kruskal's gamma",
    cite="goodman1954",
    bounds=(-1, 1),
    direction="higher",
    undefined="every pair of rows is tied in truth or in prediction",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": _ROW_DEPENDENT},
)
def goodman_kruskal_gamma(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Concordant less discordant pairs of rows, as a share of the pairs that are not tied.

    Higher is better; 1 is perfect, 0 is no association.

    Ignores ties altogether, and whether the class is right.
    Misleads when most pairs are tied: a prediction of two classes can score 1 on a truth of ten.

    >>> goodman_kruskal_gamma([1, 2, 3, 4], [1, 1, 2, 2])
    1.0
    """
    return score(goodman_kruskal_gamma, y_true, y_pred, labels=labels, sample_weight=sample_weight)


_TIED_ELSEWHERE: Mapping[str, Callable[[Array, Array], Array]] = {
    "true": lambda tied_true, tied_pred: tied_pred,
    "pred": lambda tied_true, tied_pred: tied_true,
}


def _somers_d(counts: Array, tied_elsewhere: Callable[[Array, Array], Array]) -> Array:
    """(concordant - discordant) over the pairs not tied in the given variable."""
    concordant, discordant, tied_true, tied_pred = pairs(counts)
    return ratio(concordant - discordant, concordant + discordant + tied_elsewhere(tied_true, tied_pred))


def _check_given(given: Any) -> None:
    if given not in _TIED_ELSEWHERE:
        raise ValueError(f"given={given!r} is unknown; choose 'true' or 'pred'")


@metric(
    kernel=_somers_d,
    title="Somers' d",
    cite="somers1962",
    bounds=(-1, 1),
    direction="higher",
    undefined="the given variable is one class throughout",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": _ROW_DEPENDENT},
    resolve=lambda counts, given: {"tied_elsewhere": _TIED_ELSEWHERE[given]},
    check=_check_given,
)
def somers_d(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, given: str = "true") -> float:
    """Concordant less discordant pairs of rows, among the pairs whose truth differs.

    Higher is better; 1 is perfect, 0 is no association.

    ``given="pred"`` takes the pairs whose prediction differs instead.  With two classes it is 2 AUC - 1; elsewhere it is
    known as Harrell's Dxy.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when a model is always one step too high: it scores 1.

    >>> somers_d([1, 1, 2, 2], [1, 2, 2, 2])
    0.5
    """
    return score(somers_d, y_true, y_pred, labels=labels, sample_weight=sample_weight, given=given)


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


def _from_mean(margin: Array) -> Array:
    """N times the rank of each class less its mean: the sum of the steps from every row.  No cancellation."""
    steps: Array = margin @ rank_difference(margin.shape[-1])
    return steps


def _pearson(counts: Array) -> Array:
    """Correlation of ranks."""
    return _correlation(counts, _from_mean(truths(counts)), _from_mean(predictions(counts)))


@metric(
    kernel=_pearson,
    title="Pearson correlation of ranks",
    cite="pearson1895",
    bounds=(-1, 1),
    direction="higher",
    undefined="the truth or the prediction is one class throughout",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def pearson(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Correlation of the class ranks of truth and prediction.

    Higher is better; 1 is perfect, 0 is no linear association.

    Ignores shift and stretch: a model always one step too high scores 1.
    Misleads when the classes are not evenly spaced: it takes ranks for numbers.

    >>> pearson([1, 2, 3], [2, 3, 4])
    1.0
    """
    return score(pearson, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _cosine(counts: Array) -> Array:
    """Cosine of the angle between the two columns of ranks 1..K."""
    rank = np.arange(1, counts.shape[-1] + 1)
    product = (counts * rank[:, None] * rank).sum((-2, -1))
    return ratio(product, np.sqrt((truths(counts) * rank**2).sum(-1) * (predictions(counts) * rank**2).sum(-1)))


@metric(
    kernel=_cosine,
    title="Cosine similarity of ranks",
    cite="amigo2020",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "transpose": ""},
    broken={
        "reversal": ((2, 1), (0, 1)),
        "prevalence": ((1, 0), (1, 1)),
        "unused_class": ((1, 1), (0, 1)),
    },
)
def cosine(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Cosine of the angle between truth and prediction, as columns of ranks 1 to K.

    Higher is better; 1 is perfect, and it stays far from 0 for any prediction.

    Ignores proportional errors: ranks doubled throughout score 1.
    Misleads when it is read as a share: a random prediction scores above 0.8, and it depends on where the scale begins.

    >>> cosine([1, 2, 3], [3, 2, 1], labels=[1, 2, 3])
    0.7142857142857143
    """
    return score(cosine, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _r_int(counts: Array) -> Array:
    """Cosine of the two relations "not above" over ordered pairs of different rows, stretched to -1..1."""
    concordant, discordant, tied_true, tied_pred = pairs(counts)
    tied_both = (counts * (counts - 1)).sum((-2, -1)) / 2
    shared = concordant + tied_true + tied_pred + 2 * tied_both
    of_true = concordant + discordant + tied_pred + 2 * (tied_true + tied_both)
    of_pred = concordant + discordant + tied_true + 2 * (tied_pred + tied_both)
    return 2 * ratio(shared, np.sqrt(of_true * of_pred)) - 1


@metric(
    kernel=_r_int,
    title="Coefficient r_int",
    cite="pintodacosta2008",
    bounds=(-1, 1),
    direction="higher",
    undefined="there are fewer than two rows",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "replication": ((1, 1), (0, 1))},
    needs=["whole counts"],
)
def r_int(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """How alike truth and prediction order the pairs of rows, ties included.

    Higher is better; 1 is perfect.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when sample sizes differ: it depends on the number of rows, so copies of every row change it.

    >>> r_int([1, 1, 2], [1, 2, 2])
    0.5
    """
    return score(r_int, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _related(counts: Array) -> Array:
    """For each cell, the rows that stand on the same side of it in truth and in prediction."""
    related: Array = below(below(counts, -2), -1) + above(above(counts, -2), -1)
    return related


def _others(margin: Array) -> Array:
    """For each class, the rows of all others."""
    others: Array = below(margin) + above(margin)
    return others


def _order_reliability(counts: Array) -> Array:
    """Mean over the rows of the share of the predicted order relations of a row that are true."""
    per_cell = ratio(_related(counts), _others(predictions(counts))[..., None, :])
    return ratio(np.where(counts > 0, counts * per_cell, 0).sum((-2, -1)), total(counts))


def _order_sensitivity(counts: Array) -> Array:
    """Mean over the rows of the share of the true order relations of a row that are predicted."""
    return _order_reliability(np.swapaxes(counts, -2, -1))


def _order_f(counts: Array) -> Array:
    """Harmonic mean of order reliability and order sensitivity; both 0 is 0."""
    reliability, sensitivity = _order_reliability(counts), _order_sensitivity(counts)
    both = reliability + sensitivity
    return np.where(both == 0, 0, ratio(2 * reliability * sensitivity, both))


@metric(
    kernel=_order_reliability,
    title="Order reliability",
    cite="amigo2013",
    bounds=(0, 1),
    direction="higher",
    undefined="the prediction is one class throughout",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)
def order_reliability(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean over the rows of the share of the predicted order relations with other rows that are true.

    Higher is better; 1 is perfect.

    Ignores true relations that the prediction leaves tied, and whether the class is right.
    Misleads when a prediction uses few classes: it then claims few relations, and those are easily true.

    >>> order_reliability([1, 1, 2, 3], [2, 1, 2, 3])
    0.7916666666666666
    """
    return score(order_reliability, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_order_sensitivity,
    title="Order sensitivity",
    cite="amigo2013",
    bounds=(0, 1),
    direction="higher",
    undefined="the truth is one class throughout",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": _ROW_DEPENDENT},
)
def order_sensitivity(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean over the rows of the share of the true order relations with other rows that are predicted.

    Higher is better; 1 is perfect.

    Ignores relations that the prediction invents among rows tied in truth, and whether the class is right.
    Misleads when a model is always one step too high: it scores 1.

    >>> order_sensitivity([1, 1, 2, 3], [1, 1, 2, 2])
    0.8333333333333333
    """
    return score(order_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_order_f,
    title="F of order reliability and sensitivity",
    cite="amigo2013",
    bounds=(0, 1),
    direction="higher",
    undefined="the truth or the prediction is one class throughout",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)
def order_f(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Harmonic mean of order reliability and order sensitivity.

    Higher is better; 1 is perfect.

    Ignores whether the class is right: only the order of rows counts.
    Misleads when a model is always one step too high: it scores 1.

    >>> order_f([1, 1, 2, 3], [1, 1, 2, 2])
    0.9090909090909091
    """
    return score(order_f, y_true, y_pred, labels=labels, sample_weight=sample_weight)
