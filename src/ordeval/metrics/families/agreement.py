"""Agreement beyond chance, with weights for how much a near miss counts.

Every coefficient is 1 - (observed cost) / (cost expected by chance), where cost = 1 - weight: written so, nothing cancels.
They differ only in what they expect by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, above, below, predictions, rank_distance, ratio, total, truths
from ordeval.base.errors import ArgumentError
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Sample, Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Answer, KappaWeights, Labels, Level, Matrix, Truth, Weights

__all__ = ["brennan_prediger", "cohen_kappa", "gwet_ac", "krippendorff_alpha", "scott_pi"]


#: The cost 1 - weight of each named scheme, from the ranks 1..K of the two classes.
_SCHEMES: dict[str, Callable[[Array, Array, int], Array]] = {
    "identity": lambda i, j, k: (i != j).astype(float),
    "linear": lambda i, j, k: ratio(abs(i - j), k - 1),
    "quadratic": lambda i, j, k: ratio(i - j, k - 1) ** 2,
    "radical": lambda i, j, k: np.sqrt(ratio(abs(i - j), k - 1)),
    "ordinal": lambda i, j, k: ratio(abs(i - j) * (abs(i - j) + 1), k * (k - 1)),
    "ratio": lambda i, j, k: ratio((i - j) * (k + 1), (i + j) * (k - 1)) ** 2,
    "circular": lambda i, j, k: ratio(np.sin(np.pi * (i - j) / k) ** 2, np.sin(np.pi * (k // 2) / k) ** 2),
    "bipolar": lambda i, j, k: np.where(i == j, 0, ratio((i - j) ** 2, (i + j - 2) * (2 * k - i - j))),
}
_BY_PLACE = ("ratio", "circular", "bipolar")  # schemes whose costs depend on where in the scale a class stands


def cost_of(weights: Any, power: float | None, k: int) -> Array:
    """The K×K cost (1 - weight) that a scheme, a power or a matrix of weights means."""
    rank = np.arange(1, k + 1)
    if power is not None:
        return ratio(rank_distance(k), k - 1) ** power
    if isinstance(weights, str):
        return _SCHEMES[weights](rank[:, None], rank, k)
    if len(weights) != k:
        raise ArgumentError(
            "the matrix of {weights} is {n} by {n}, but the scale has {k} classes",
            argument="weights",
            values={"n": len(weights), "k": k},
        )
    return 1 - np.array(weights, float)


def resolve_cost(sample: Sample, *, weights: Any, power: float | None) -> dict[str, Array]:
    return {"cost": cost_of(weights, power, sample.scale.K)}


def _dearest(sample: Sample, **words: Any) -> Array:
    """The answer that counts least for each true class, of two the lower."""
    found: Array = resolve_cost(sample, **words)["cost"].argmax(-1)
    return found


def weight_sum(k: int, *, weights: Any, power: float | None) -> dict[str, float]:
    """S, the sum of all weights: the symbol in the bounds of the coefficients that need it."""
    return {"S": k * k - (float(cost_of(weights, power, k).sum()) or np.nan)}  # one class: there is no bound, nor a score


def check_weights(weights: Any, power: Any) -> None:
    """What joins the two parameters, and what a matrix must be; words and ranges are checked by the record."""
    if power is not None and (not isinstance(weights, str) or weights != "quadratic"):
        raise ArgumentError(
            "{power:{given}} replaces the scheme of {weights}",
            argument="power",
            remedy="leave {weights} out",
            values={"given": repr(power)},
        )
    if not isinstance(weights, str):
        _check_matrix(weights)


def _check_matrix(weights: Any) -> None:
    try:
        matrix = np.array(weights, float)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
        raise ArgumentError(
            "{weights} must be the name of a scheme, or a square matrix of finite numbers, one row and column per class",
            argument="weights",
        )
    if not (matrix == matrix.T).all() or not (np.diagonal(matrix) == 1).all():
        raise ArgumentError("a matrix of {weights} must be symmetric, with 1 on its diagonal", argument="weights")
    if not (matrix <= 1).all() or (matrix == 1).all():
        raise ArgumentError("a matrix of {weights} must hold no number above 1 and at least one below 1", argument="weights")


def _check_normed_weights(weights: Any, power: Any) -> None:
    check_weights(weights, power)
    if not isinstance(weights, str) and np.min(weights) != 0:
        raise ArgumentError(
            "gwet_ac depends on how {weights} are normed",
            argument="weights",
            remedy="rescale the matrix so that its smallest weight is 0",
        )


def _is_free(weights: Any, power: float | None) -> bool:
    """No named scheme: its costs may be of any shape."""
    return not isinstance(weights, str) or (power is not None and power > 2)


_ASYMMETRIC = ((2, 1, 0), (0, 1, 0), (0, 0, 1))
_BY_PLACE_VARIANTS = [
    Variant(lambda weights, power: weights == "ratio", broken={"reversal": _ASYMMETRIC}),
    Variant(lambda weights, power: weights in _BY_PLACE, broken={"unused_class": ((1, 1, 0), (0, 1, 1), (1, 0, 2))}),
]
_COMMON: dict[str, Any] = {"direction": "higher", "resolve": resolve_cost}
_MISSING_EXPECTATION = "truth and prediction are the same single class throughout, so chance expects no disagreement"


def _observed(counts: Array, cost: Array) -> Array:
    observed: Array = (cost * counts).sum((-2, -1))
    return observed


def _cohen_kappa(counts: Array, cost: Array) -> Array:
    """Chance: truth and prediction independent, each with its own class shares."""
    expected = ((truths(counts) @ cost) * predictions(counts)).sum(-1)
    return 1 - ratio(_observed(counts, cost) * total(counts), expected)


@metric(
    kernel=_cohen_kappa, title="Cohen's weighted kappa", plain="beyond chance (QWK)",
    formula=r"1 - \frac{\sum_{tp} v_{tp} C_{tp} / N}{\sum_{tp} v_{tp} n_t m_p / N^2}, \qquad v = 1 - \mathrm{weight}",
    formula_text="""1 − Σ v[t, p] C[t, p] / N  /  ( Σ v[t, p] n_t m_p / N² )

v = 1 − weight, the cost of a cell:
  identity   1 off the diagonal           linear     d / (K − 1)
  quadratic  (d / (K − 1))²               radical    √(d / (K − 1))
  ordinal    d (d + 1) / (K (K − 1))      power=x    (d / (K − 1))^x
  ratio      ( ((t − p) / (t + p)) / ((K − 1) / (K + 1)) )²
  circular   sin²(π d / K) / sin²(π ⌊K/2⌋ / K)
  bipolar    (t − p)² / ( (t + p − 2) (2K − t − p) ),  0 on the diagonal
or 1 − W for a matrix W of weights""",
    bounds=(-1, 1), undefined=_MISSING_EXPECTATION, ignores="what an error costs in practice: weights are a convention",
    misleads=["the class shares change: the same errors score lower where one class dominates"], structure="coefficient",
    depends="scale", check=check_weights,
    parameters={"weights": Parameter("How much a near miss counts: a named scheme, or a symmetric K×K matrix with 1 on its diagonal."),
        "power": Parameter("Instead of a scheme: the cost is (distance / (K - 1)) ** power.", range="(0, inf)")},
    cite="cohen1968", see=["scott_pi", "gwet_ac", "krippendorff_alpha"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": ((1, 0), (1, 1))},
    variants=[*_BY_PLACE_VARIANTS, Variant(_is_free, bounds=("-inf", 1))],
    aliases={"weighted_kappa": {}, "qwk": {}, "lwk": {"weights": "linear"}, "concordance_correlation": {}}, **_COMMON,
)  # fmt: skip
def cohen_kappa(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    weights: KappaWeights | Matrix = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance, by default with quadratic weights (unlike scikit-learn).

    0 is what chance would give with these class shares.  With quadratic weights it is Lin's concordance correlation (1989) of the ranks,
    exactly.  "circular" takes the first and the last class for neighbours, so it does not suit ordered classes.

    >>> truth, answer = ["low", "low", "mid", "high"], ["low", "mid", "mid", "mid"]
    >>> cohen_kappa(truth, answer, labels=["low", "mid", "high"], weights="linear")
    0.33333333333333337
    """
    return score(cohen_kappa, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights, power=power)


def _scott_pi(counts: Array, cost: Array) -> Array:
    """Chance: both draw independently from the class shares of truth and prediction pooled."""
    pooled = truths(counts) + predictions(counts)
    return 1 - ratio(4 * _observed(counts, cost) * total(counts), ((pooled @ cost) * pooled).sum(-1))


@metric(
    kernel=_scott_pi, title="Scott's weighted pi", plain="beyond chance, shares pooled",
    formula=r"1 - \frac{\sum_{tp} v_{tp} C_{tp} / N}{\sum_{tp} v_{tp} \pi_t \pi_p}, \qquad \pi_k = \frac{n_k + m_k}{2N}",
    formula_text="""1 − Σ v[t, p] C[t, p] / N  /  Σ v[t, p] π_t π_p

π_k = (n_k + m_k) / 2N;  v = 1 − weight, as for cohen_kappa""",
    bounds=(-1, 1), undefined=_MISSING_EXPECTATION,
    ignores="that truth and prediction may differ in their class shares: a shift counts as disagreement",
    misleads=["one class dominates: near-perfect agreement can score near 0"], structure="coefficient", depends="scale",
    check=check_weights,
    parameters={"weights": Parameter("How much a near miss counts: a named scheme, or a symmetric K×K matrix with 1 on its diagonal."),
        "power": Parameter("Instead of a scheme: the cost is (distance / (K - 1)) ** power.", range="(0, inf)")},
    cite="scott1955", see=["cohen_kappa", "krippendorff_alpha"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""}, broken={"prevalence": ((1, 0), (1, 1))},
    variants=[*_BY_PLACE_VARIANTS, Variant(_is_free, bounds=("-inf", 1))], **_COMMON,
)  # fmt: skip
def scott_pi(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    weights: KappaWeights | Matrix = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance, when both sides are taken to have the same class shares.

    0 is what chance would give with the pooled class shares.  With two raters it is Fleiss' kappa.

    >>> round(scott_pi([0] * 123 + [1] * 2, [0] * 118 + [1] * 5 + [0] * 2, weights="identity"), 4)
    -0.0288
    """
    return score(scott_pi, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights, power=power)


def _gwet_ac(counts: Array, cost: Array) -> Array:
    """Chance: S / (K (K - 1)) · sum of share · (1 - share), with the pooled class shares."""
    k, rows = counts.shape[-1], total(counts)
    pooled = truths(counts) + predictions(counts)
    spread = ratio((pooled * (below(pooled) + above(pooled))).sum(-1), 4 * rows**2)
    by_chance = ratio((1 - cost).sum(), k * (k - 1)) * spread
    return 1 - ratio(ratio(_observed(counts, cost), rows), 1 - by_chance)


@metric(
    kernel=_gwet_ac, title="Gwet's AC", plain="beyond chance (AC2)",
    formula=r"1 - \frac{\sum_{tp} v_{tp} C_{tp} / N}{1 - \frac{S}{K (K - 1)} \sum_k \pi_k (1 - \pi_k)}, \qquad S = \sum_{tp} (1 - v_{tp})",
    formula_text="""1 − Σ v[t, p] C[t, p] / N  /  (1 − P),   P = S / (K (K − 1)) · Σ_k π_k (1 − π_k)

π_k = (n_k + m_k) / 2N;  v = 1 − weight, as for cohen_kappa;  S the sum of all weights""",
    bounds=("-S / (K**2 - S)", 1), undefined="there are no rows, or only one class",
    ignores="what an error costs in practice: weights are a convention",
    misleads=["the scale is not the real one, since a class that nobody used changes it",
        "it is compared with kappa: the two expect different things of chance, and where one class dominates AC is the higher"],
    structure="coefficient", depends="scale", check=_check_normed_weights, symbols=weight_sum,
    parameters={"weights": Parameter("How much a near miss counts: a named scheme, or a symmetric K×K matrix with 1 on its diagonal."),
        "power": Parameter("Instead of a scheme: the cost is (distance / (K - 1)) ** power.", range="(0, inf)")},
    cite="gwet2008", see=["cohen_kappa", "brennan_prediger"], laws={"perfect": "", "reversal": "", "transpose": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "unused_class": ((1, 1), (0, 1))}, variants=_BY_PLACE_VARIANTS[:1], **_COMMON,
)  # fmt: skip
def gwet_ac(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    weights: KappaWeights | Matrix = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance that stays high where one class dominates: AC1 with identity weights, AC2 with others.

    It can fall below -1.  S in the bounds is the sum of all weights.

    >>> round(gwet_ac([0] * 123 + [1] * 2, [0] * 118 + [1] * 5 + [0] * 2, labels=[0, 1], weights="identity"), 4)
    0.9408
    """
    return score(gwet_ac, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights, power=power)


def _brennan_prediger(counts: Array, cost: Array) -> Array:
    """Chance: every pair of classes equally likely."""
    return 1 - ratio(_observed(counts, cost) * cost.size, total(counts) * cost.sum())


@metric(
    kernel=_brennan_prediger, title="Brennan-Prediger coefficient", plain="beyond uniform guessing",
    formula=r"1 - \frac{\sum_{tp} v_{tp} C_{tp} / N}{1 - S / K^2}, \qquad S = \sum_{tp} (1 - v_{tp})",
    formula_text="""1 − Σ v[t, p] C[t, p] / N  /  (1 − S / K²)

v = 1 − weight, as for cohen_kappa;  S the sum of all weights""",
    bounds=("-S / (K**2 - S)", 1), undefined="there are no rows, or only one class",
    ignores="the class shares: always naming the common class counts as skill",
    misleads=["the scale has classes that nobody uses: they make chance look worse, and the score better"],
    structure="coefficient", depends="scale", check=check_weights, symbols=weight_sum, worst=_dearest, rowwise=True,
    parameters={"weights": Parameter("How much a near miss counts: a named scheme, or a symmetric K×K matrix with 1 on its diagonal."),
        "power": Parameter("Instead of a scheme: the cost is (distance / (K - 1)) ** power.", range="(0, inf)")},
    cite="brennan1981", see=["cohen_kappa", "gwet_ac"], laws={"perfect": "", "reversal": "", "transpose": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "unused_class": ((1, 1), (0, 1))},
    variants=[*_BY_PLACE_VARIANTS[:1], Variant(lambda weights, power: not isinstance(weights, str), bounds=("-inf", 1))],
    **_COMMON,
)  # fmt: skip
def brennan_prediger(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    weights: KappaWeights | Matrix = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond guessing every class equally often.

    0 is what guessing every class equally often would give.  S in the bounds is the sum of all weights.

    >>> brennan_prediger([0] * 123 + [1] * 2, [0] * 118 + [1] * 5 + [0] * 2, labels=[0, 1], weights="identity")
    0.888
    """
    return score(brennan_prediger, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights, power=power)


def _rank_sums(pooled: Array) -> Array:
    """Krippendorff's ordinal metric: squared differences of the mid-ranks of the pooled ratings of this very table."""
    middle = below(pooled) + pooled / 2
    squared: Array = (middle[..., :, None] - middle[..., None, :]) ** 2
    return squared


def _fixed(cost: Callable[[Array, Array, int], Array]) -> Callable[[Array], Array]:
    def distance(pooled: Array) -> Array:
        rank = np.arange(1, pooled.shape[-1] + 1)
        return cost(rank[:, None], rank, len(rank))

    return distance


#: Squared distances of Krippendorff's levels, from the pooled ratings of each class.
LEVELS: Mapping[str, Callable[[Array], Array]] = {
    "nominal": _fixed(lambda i, j, k: (i != j).astype(float)),
    "ordinal": _rank_sums,
    "interval": _fixed(lambda i, j, k: (i - j) ** 2.0),
    "ratio": _fixed(lambda i, j, k: ((i - j) / (i + j)) ** 2),
}


def _krippendorff_alpha(counts: Array, distance: Callable[[Array], Array]) -> Array:
    """Chance: both ratings of a row drawn, without putting back, from all ratings pooled."""
    pooled = truths(counts) + predictions(counts)
    squared = distance(pooled)
    expected = (squared * pooled[..., :, None] * pooled[..., None, :]).sum((-2, -1))
    return 1 - ratio((2 * total(counts) - 1) * 2 * (squared * counts).sum((-2, -1)), expected)


@metric(
    kernel=_krippendorff_alpha, title="Krippendorff's alpha", plain="reliability of two raters (alpha)",
    formula=r"1 - (2N - 1) \frac{2 \sum_{tp} \delta^2_{tp} C_{tp}}{\sum_{tp} \delta^2_{tp} r_t r_p}, \qquad r_k = n_k + m_k",
    formula_text="""1 − (2N − 1) · 2 Σ δ²[t, p] C[t, p]  /  Σ δ²[t, p] r_t r_p

r_k = n_k + m_k;  δ² by level:
  nominal    1 off the diagonal
  ordinal    ( r_t / 2 + r_p / 2 + Σ of r_k strictly between t and p )²
  interval   (t − p)²
  ratio      ( (t − p) / (t + p) )²""",
    direction="higher", bounds=(-1, 1), undefined="truth and prediction are the same single class throughout",
    ignores="which side is the truth: both are raters",
    misleads=['it is compared with programs whose "ordinal" means fixed weights: that is another coefficient'],
    structure="coefficient", needs=["whole counts"], depends="scale", resolve=lambda sample, level: {"distance": LEVELS[level]},
    parameters={"level": Parameter("The level of measurement, which sets the distance between two classes; ordinal distances come from the ranks of the ratings in this table, interval and ratio distances from the ranks 1 to K.")},
    cite="hayes2007", see=["cohen_kappa", "scott_pi"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "replication": ((1, 1), (0, 1))},
    variants=[Variant(lambda level: level == "ratio", broken={"reversal": _ASYMMETRIC, "unused_class": ((1, 1, 0), (0, 1, 1), (1, 0, 2))})],
)  # fmt: skip
def krippendorff_alpha(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, level: Level = "ordinal"
) -> float:
    """Agreement of two raters beyond chance, with the small-sample correction; ordinal by default.

    0 is what chance would give with the pooled ratings.

    >>> krippendorff_alpha([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0], level="nominal")
    0.09523809523809523
    """
    return score(krippendorff_alpha, y_true, y_pred, labels=labels, sample_weight=sample_weight, level=level)
