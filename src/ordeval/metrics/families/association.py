"""Do truth and prediction rise together?  Pairs of rows, and correlations of ranks.

None of these asks whether the class is right: a model that is always one step too high keeps its score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ordeval.base.arrays import Array, above, below, others, predictions, rank_difference, ratio, total, truths
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Answer, Labels, Side, TauVariant, Truth, Weights

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


@metric(
    kernel=_kendall_tau, title="Kendall's tau", plain="same order of pairs (tau)",
    formula=r"\frac{c - d}{\sqrt{(c + d + e_t)(c + d + e_p)}}",
    formula_text="""a   (c − D) / ( N (N − 1) / 2 )
b   (c − D) / √( (c + D + e_t) (c + D + e_p) )
c   (c − D) / ( N² (K − 1) / 2K )

c, D    pairs of rows that truth and prediction put in the same, in opposite order
e_t, e_p  pairs tied in truth only, in prediction only""",
    direction="higher", bounds=(-1, 1),
    undefined="the truth or the prediction is one class throughout (variant a: there is one row; c: one class)",
    ignores="whether the class is right: only the order of rows counts",
    misleads=["a model is always one step too high: it scores 1"], structure="coefficient", depends="scale",
    resolve=lambda sample, variant: {"of_pairs": _TAU_PAIRS[variant]},
    parameters={"variant": Parameter("What the difference is divided by: all pairs (a), corrected for ties (b), or for the number of classes of the scale (c, Stuart 1953).")},
    cite="kendall1945", see=["goodman_kruskal_gamma", "somers_d", "spearman"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": ((1, 0), (1, 1))},
    variants=[Variant(lambda variant: variant != "b", broken={"perfect": ((2, 0), (0, 1))}),
        Variant(lambda variant: variant == "a", broken={"replication": ((1, 0), (0, 1))}, needs=frozenset({"whole counts"})),
        Variant(lambda variant: variant == "c", broken={"unused_class": ((1, 0), (0, 1))})],
)  # fmt: skip
def kendall_tau(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, variant: TauVariant = "b"
) -> float:
    """Concordant minus discordant pairs of rows, as a share of all pairs, corrected for ties (tau-b by default).

    1 is perfect for variant b, 0 is no association.  Variants a and c do not reach 1 for a perfect prediction of uneven classes.

    >>> kendall_tau([1, 2, 3, 4], [2, 3, 4, 4])
    0.9128709291752769
    """
    return score(kendall_tau, y_true, y_pred, labels=labels, sample_weight=sample_weight, variant=variant)


def _goodman_kruskal_gamma(counts: Array) -> Array:
    """(concordant - discordant) over the pairs tied in neither."""
    concordant, discordant, _, _ = pairs(counts)
    return ratio(concordant - discordant, concordant + discordant)


@metric(
    kernel=_goodman_kruskal_gamma, title="Goodman and Kruskal's gamma", plain="same order, ties left out",
    formula=r"\frac{c - d}{c + d}",
    formula_text="""(c − D) / (c + D)

c, D  pairs of rows that truth and prediction put in the same, in opposite order""",
    direction="higher", bounds=(-1, 1), undefined="every pair of rows is tied in truth or in prediction",
    ignores="ties altogether, and whether the class is right",
    misleads=["most pairs are tied: a prediction of two classes can score 1 on a truth of ten"], structure="coefficient",
    cite="goodman1954", see=["kendall_tau", "somers_d"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": _ROW_DEPENDENT},
)  # fmt: skip
def goodman_kruskal_gamma(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Concordant minus discordant pairs of rows, as a share of the pairs that are not tied.

    0 is no association.

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


@metric(
    kernel=_somers_d, title="Somers' d", plain="same order, given the truth", formula=r"\frac{c - d}{c + d + e_p}",
    formula_text="""given="true"   (c − D) / (c + D + e_p)
given="pred"   (c − D) / (c + D + e_t)

c, D    pairs of rows that truth and prediction put in the same, in opposite order
e_t, e_p  pairs tied in truth only, in prediction only""",
    direction="higher", bounds=(-1, 1), undefined="the given variable is one class throughout",
    ignores="whether the class is right: only the order of rows counts",
    misleads=["a model is always one step too high: it scores 1"], structure="coefficient", depends="scale",
    resolve=lambda sample, given: {"tied_elsewhere": _TIED_ELSEWHERE[given]},
    parameters={"given": Parameter("Which pairs are counted: those with different truths, or those with different predictions.")},
    cite="somers1962", see=["kendall_tau", "goodman_kruskal_gamma"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": _ROW_DEPENDENT},
)  # fmt: skip
def somers_d(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, given: Side = "true"
) -> float:
    """Concordant minus discordant pairs of rows, among the pairs whose truth differs.

    0 is no association.  With two classes it is 2 AUC - 1; elsewhere it is known as Harrell's Dxy.

    >>> somers_d([1, 1, 2, 2], [1, 2, 2, 2])
    0.5
    """
    return score(somers_d, y_true, y_pred, labels=labels, sample_weight=sample_weight, given=given)


def _midranks(margin: Array) -> Array:
    """Twice the mid-rank of each class, less its mean: rows below it minus rows above it.  No cancellation."""
    return below(margin) - above(margin)


def _correlation(counts: Array, true: Array, pred: Array) -> Array:
    """Correlation of scores whose weighted mean is 0: (..., K) for the true, (..., K) for the predicted classes."""
    covariance = (true * (counts * pred[..., None, :]).sum(-1)).sum(-1)
    spread = (truths(counts) * true**2).sum(-1) * (predictions(counts) * pred**2).sum(-1)
    return ratio(covariance, np.sqrt(spread))


def _spearman(counts: Array) -> Array:
    """Correlation of mid-ranks."""
    return _correlation(counts, _midranks(truths(counts)), _midranks(predictions(counts)))


@metric(
    kernel=_spearman, title="Spearman's rank correlation", plain="correlation of row ranks",
    formula=r"\frac{\sum_{tp} C_{tp} (a_t - \bar{a})(b_p - \bar{b})}{\sqrt{\sum_t n_t (a_t - \bar{a})^2 \sum_p m_p (b_p - \bar{b})^2}}",
    formula_text="Pearson's correlation of the mid-ranks that the rows have by truth and by prediction", direction="higher",
    bounds=(-1, 1), undefined="the truth or the prediction is one class throughout",
    ignores="whether the class is right: only the order of rows counts",
    misleads=["a model is always one step too high: it scores 1"], structure="coefficient", cite="spearman1904",
    see=["kendall_tau", "pearson"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def spearman(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Correlation of the mid-ranks of truth and prediction among the rows.

    0 is no association.

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
    kernel=_pearson, title="Pearson correlation of ranks", plain="correlation of class ranks",
    formula=r"\frac{\sum_{tp} C_{tp} (t - \bar{t})(p - \bar{p})}{\sqrt{\sum_t n_t (t - \bar{t})^2 \sum_p m_p (p - \bar{p})^2}}",
    formula_text="Σ C[t, p] (t − t̄) (p − p̄) / √( Σ_t n_t (t − t̄)² · Σ_p m_p (p − p̄)² )", direction="higher", bounds=(-1, 1),
    undefined="the truth or the prediction is one class throughout",
    ignores="shift and stretch: a model always one step too high scores 1",
    misleads=["the classes are not evenly spaced: it takes ranks for numbers"], structure="coefficient", cite="pearson1895",
    see=["spearman", "cohen_kappa"], used_in="STS 2016", laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def pearson(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Correlation of the class ranks of truth and prediction.

    0 is no linear association.

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
    kernel=_cosine, title="Cosine similarity of ranks", plain="angle between rank columns",
    formula=r"\frac{\sum_{tp} C_{tp} \, t \, p}{\sqrt{\sum_t n_t t^2 \sum_p m_p p^2}}",
    formula_text="Σ C[t, p] t p / √( Σ_t n_t t² · Σ_p m_p p² )", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="proportional errors: ranks doubled throughout score 1",
    misleads=["it is read as a share: where truth and prediction are evenly spread and independent it is 3 (K + 1) / (4 K + 2), 0.9 for two classes and never below 0.75; and it depends on where the scale begins"],
    structure="coefficient", cite="amigo2020", see=["pearson"], laws={"perfect": "", "transpose": ""},
    broken={"reversal": ((2, 1), (0, 1)), "prevalence": ((1, 0), (1, 1)), "unused_class": ((1, 1), (0, 1))},
)  # fmt: skip
def cosine(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Cosine of the angle between truth and prediction, as columns of ranks 1 to K.

    All ranks are positive, so it is never 0; the lowest score that K classes allow is 2 K / (K² + 1).

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
    kernel=_r_int, title="Coefficient r_int", plain="same order, ties included", formula=r"\frac{2 s}{\sqrt{a b}} - 1",
    formula_text="""2 · s / √(a b) − 1

s  ordered pairs (i, j) of different rows in which i is not above j, in truth and in prediction
a, b  the same in truth alone, in prediction alone""",
    direction="higher", bounds=(-1, 1), undefined="there are fewer than two rows",
    ignores="whether the class is right: only the order of rows counts",
    misleads=["sample sizes differ: it depends on the number of rows, so copies of every row change it"],
    structure="coefficient", needs=["whole counts"], cite="pintodacosta2008", see=["kendall_tau"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "replication": ((1, 1), (0, 1))},
)  # fmt: skip
def r_int(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """How similarly truth and prediction order the pairs of rows, ties included.

    >>> r_int([1, 1, 2], [1, 2, 2])
    0.5
    """
    return score(r_int, y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _related(counts: Array) -> Array:
    """For each cell, the rows that stand on the same side of it in truth and in prediction."""
    related: Array = below(below(counts, -2), -1) + above(above(counts, -2), -1)
    return related


def _order_reliability(counts: Array) -> Array:
    """Mean over the rows of the share of the predicted order relations of a row that are true."""
    per_cell = ratio(_related(counts), others(predictions(counts))[..., None, :])
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
    kernel=_order_reliability, title="Order reliability", plain="predicted order that is true",
    formula=r"\frac{1}{N} \sum_i \frac{|S_i|}{|\{j : p_j \neq p_i\}|}",
    formula_text="""mean over the rows i of   |same(i)| / |differs_p(i)|

differs_p(i)  rows with another prediction than i
same(i)       rows that are on the same side of i (above or below) in truth and in prediction""",
    direction="higher", bounds=(0, 1), undefined="the prediction is one class throughout",
    ignores="true relations that the prediction leaves tied, and whether the class is right",
    misleads=["a prediction uses few classes: it then claims few relations, and those are easily true"],
    structure="coefficient", cite="amigo2013", see=["order_sensitivity", "order_f"], used_in="RepLab 2013",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def order_reliability(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the rows of the share of the predicted order relations with other rows that are true.

    >>> order_reliability([1, 1, 2, 3], [2, 1, 2, 3])
    0.7916666666666666
    """
    return score(order_reliability, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_order_sensitivity, title="Order sensitivity", plain="true order that is predicted",
    formula=r"\frac{1}{N} \sum_i \frac{|S_i|}{|\{j : t_j \neq t_i\}|}",
    formula_text="""mean over the rows i of   |same(i)| / |differs_t(i)|

differs_t(i)  rows with another truth than i
same(i)       rows that are on the same side of i (above or below) in truth and in prediction""",
    direction="higher", bounds=(0, 1), undefined="the truth is one class throughout",
    ignores="relations that the prediction invents among rows tied in truth, and whether the class is right",
    misleads=["a model is always one step too high: it scores 1"], structure="coefficient", cite="amigo2013",
    see=["order_reliability", "order_f"], used_in="RepLab 2013", laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((2, 1), (0, 1)), "prevalence": _ROW_DEPENDENT},
)  # fmt: skip
def order_sensitivity(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the rows of the share of the true order relations with other rows that are predicted.

    >>> order_sensitivity([1, 1, 2, 3], [1, 1, 2, 2])
    0.8333333333333333
    """
    return score(order_sensitivity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_order_f, title="F of order reliability and sensitivity", plain="order, both ways", formula=r"\frac{2 R S}{R + S}",
    formula_text="2 R S / (R + S), R = order_reliability, S = order_sensitivity; 0 if both are 0", direction="higher",
    bounds=(0, 1), undefined="the truth or the prediction is one class throughout",
    ignores="whether the class is right: only the order of rows counts",
    misleads=["a model is always one step too high: it scores 1"], structure="coefficient", cite="amigo2013",
    see=["order_reliability", "order_sensitivity"], laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def order_f(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Harmonic mean of order reliability and order sensitivity.

    >>> order_f([1, 1, 2, 3], [1, 1, 2, 2])
    0.9090909090909091
    """
    return score(order_f, y_true, y_pred, labels=labels, sample_weight=sample_weight)
