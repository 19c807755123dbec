"""Agreement beyond chance, with weights for how much a near miss counts.

Every coefficient is 1 - (observed cost) / (cost expected by chance), where cost = 1 - weight: written so, nothing cancels.
They differ only in what they expect by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, above, below, predictions, rank_distance, ratio, total, truths
from ordeval.counts import Counts
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score

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
        raise ValueError(f"the matrix of weights is {len(weights)} by {len(weights)}, but the scale has {k} classes")
    return 1 - np.array(weights, float)


def resolve_cost(counts: Counts, *, weights: Any, power: float | None) -> dict[str, Array]:
    return {"cost": cost_of(weights, power, counts.scale.K)}


def weight_sum(k: int, *, weights: Any, power: float | None) -> dict[str, float]:
    """S, the sum of all weights: the symbol in the bounds of the coefficients that need it."""
    return {"S": k * k - (float(cost_of(weights, power, k).sum()) or np.nan)}  # one class: there is no bound, nor a score


def check_weights(weights: Any, power: Any) -> None:
    if power is not None:
        if not isinstance(weights, str) or weights != "quadratic":
            raise ValueError(f"power={power!r} is a scheme of its own; leave weights= away")
        if isinstance(power, bool) or not isinstance(power, (int, float)) or not 0 < power < np.inf:
            raise ValueError(f"power={power!r}: the power of the distance is a number above 0")
    elif isinstance(weights, str):
        if weights not in _SCHEMES:
            raise ValueError(f"weights={weights!r} is unknown; choose one of {', '.join(map(repr, _SCHEMES))}, or a K×K matrix")
    else:
        _check_matrix(weights)


def _check_matrix(weights: Any) -> None:
    try:
        matrix = np.array(weights, float)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
        raise ValueError("weights= is the name of a scheme or a square matrix of finite numbers, one row and column per class")
    if not (matrix == matrix.T).all() or not (np.diagonal(matrix) == 1).all():
        raise ValueError("a matrix of weights is symmetric and has 1 on its diagonal")
    if not (matrix <= 1).all() or (matrix == 1).all():
        raise ValueError("a matrix of weights holds no number above 1, and some below")


def _check_normed_weights(weights: Any, power: Any) -> None:
    check_weights(weights, power)
    if not isinstance(weights, str) and np.min(weights) != 0:
        raise ValueError("gwet_ac depends on how weights are normed: rescale the matrix so that its smallest weight is 0")


def _is_free(weights: Any, power: float | None) -> bool:
    """No named scheme: its costs may be of any shape."""
    return not isinstance(weights, str) or (power is not None and power > 2)


_ASYMMETRIC = ((2, 1, 0), (0, 1, 0), (0, 0, 1))
_BY_PLACE_VARIANTS = [
    Variant(lambda weights, power: weights == "ratio", broken={"reversal": _ASYMMETRIC}),
    Variant(lambda weights, power: weights in _BY_PLACE, broken={"unused_class": ((1, 1, 0), (0, 1, 1), (1, 0, 2))}),
]
_COMMON: dict[str, Any] = {"direction": "higher", "resolve": resolve_cost}
_MISSING_EXPECTATION = "truth and prediction are one and the same class throughout, so no disagreement is to be expected"


def _observed(counts: Array, cost: Array) -> Array:
    observed: Array = (cost * counts).sum((-2, -1))
    return observed


def _cohen_kappa(counts: Array, cost: Array) -> Array:
    """Chance: truth and prediction independent, each with its own class shares."""
    expected = ((truths(counts) @ cost) * predictions(counts)).sum(-1)
    return 1 - ratio(_observed(counts, cost) * total(counts), expected)


@metric(
    kernel=_cohen_kappa,
    title="Cohen's weighted kappa",
    cite="cohen1968",
    bounds=(-1, 1),
    undefined=_MISSING_EXPECTATION,
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
    aliases={"weighted_kappa": {}, "qwk": {}, "lwk": {"weights": "linear"}, "concordance_correlation": {}},
    variants=[*_BY_PLACE_VARIANTS, Variant(_is_free, bounds=("-inf", 1))],
    check=check_weights,
    **_COMMON,
)
def cohen_kappa(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    weights: Any = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance, by default with quadratic weights (unlike scikit-learn).

    Higher is better; 1 is perfect, 0 is what chance would give with these class shares.

    With quadratic weights it is Lin's concordance correlation (1989) of the ranks, exactly.
    ``weights`` is "identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular" or "bipolar", or a symmetric
    K×K matrix with 1 on its diagonal; ``power=x`` makes the cost (distance / (K - 1))**x.  "circular" takes the first and
    the last class for neighbours, so it is no scheme for ordered classes.

    Ignores what an error costs in practice: weights are a convention.
    Misleads when the class shares change: the same errors score lower where one class dominates.

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
    kernel=_scott_pi,
    title="Scott's weighted pi",
    cite="scott1955",
    bounds=(-1, 1),
    undefined=_MISSING_EXPECTATION,
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
    variants=[*_BY_PLACE_VARIANTS, Variant(_is_free, bounds=("-inf", 1))],
    check=check_weights,
    **_COMMON,
)
def scott_pi(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    weights: Any = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance, when both sides are taken to have the same class shares.

    Higher is better; 1 is perfect, 0 is what chance would give with the pooled class shares.

    ``weights`` and ``power`` as for `cohen_kappa`, quadratic by default.  With two raters it is Fleiss' kappa.

    Ignores that truth and prediction may differ in their class shares: a shift counts as disagreement.
    Misleads when one class dominates: near-perfect agreement can score near 0.

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
    kernel=_gwet_ac,
    title="Gwet's AC",
    cite="gwet2008",
    bounds=("-S / (K**2 - S)", 1),
    undefined="there are no rows, or only one class",
    laws={"perfect": "", "reversal": "", "transpose": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "unused_class": ((1, 1), (0, 1))},
    variants=_BY_PLACE_VARIANTS[:1],
    check=_check_normed_weights,
    symbols=weight_sum,
    **_COMMON,
)
def gwet_ac(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    weights: Any = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond chance that stays high where one class dominates: AC1 with identity weights, AC2 with others.

    Higher is better; 1 is perfect, and it can fall below -1.

    ``weights`` and ``power`` as for `cohen_kappa`, quadratic by default.  S in the bounds is the sum of all weights.

    Ignores what an error costs in practice: weights are a convention.
    Misleads when the scale is not the real one, since a class that nobody used changes it; and when it is compared with
    kappa: the two expect different things of chance, and where one class dominates AC is the higher.

    >>> round(gwet_ac([0] * 123 + [1] * 2, [0] * 118 + [1] * 5 + [0] * 2, labels=[0, 1], weights="identity"), 4)
    0.9408
    """
    return score(gwet_ac, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights, power=power)


def _brennan_prediger(counts: Array, cost: Array) -> Array:
    """Chance: every pair of classes equally likely."""
    return 1 - ratio(_observed(counts, cost) * cost.size, total(counts) * cost.sum())


@metric(
    kernel=_brennan_prediger,
    title="Brennan-Prediger coefficient",
    cite="brennan1981",
    bounds=("-S / (K**2 - S)", 1),
    undefined="there are no rows, or only one class",
    laws={"perfect": "", "reversal": "", "transpose": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "unused_class": ((1, 1), (0, 1))},
    variants=[*_BY_PLACE_VARIANTS[:1], Variant(lambda weights, power: not isinstance(weights, str), bounds=("-inf", 1))],
    check=check_weights,
    symbols=weight_sum,
    **_COMMON,
)
def brennan_prediger(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    weights: Any = "quadratic",
    power: float | None = None,
) -> float:
    """Agreement beyond guessing all classes alike.

    Higher is better; 1 is perfect, 0 is what guessing all classes alike would give.

    ``weights`` and ``power`` as for `cohen_kappa`, quadratic by default.  S in the bounds is the sum of all weights.

    Ignores the class shares: always naming the common class counts as skill.
    Misleads when the scale has classes that nobody uses: they make chance look worse, and the score better.

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


def _check_level(level: Any) -> None:
    if level not in LEVELS:
        raise ValueError(f"level={level!r} is unknown; choose one of {', '.join(map(repr, LEVELS))}")


def _krippendorff_alpha(counts: Array, distance: Callable[[Array], Array]) -> Array:
    """Chance: both ratings of a row drawn, without putting back, from all ratings pooled."""
    pooled = truths(counts) + predictions(counts)
    squared = distance(pooled)
    expected = (squared * pooled[..., :, None] * pooled[..., None, :]).sum((-2, -1))
    return 1 - ratio((2 * total(counts) - 1) * 2 * (squared * counts).sum((-2, -1)), expected)


@metric(
    kernel=_krippendorff_alpha,
    title="Krippendorff's alpha",
    cite="hayes2007",
    bounds=(-1, 1),
    direction="higher",
    undefined="truth and prediction are one and the same class throughout",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "replication": ((1, 1), (0, 1))},
    needs=["whole counts"],
    resolve=lambda counts, level: {"distance": LEVELS[level]},
    check=_check_level,
    variants=[
        Variant(
            lambda level: level == "ratio", broken={"reversal": _ASYMMETRIC, "unused_class": ((1, 1, 0), (0, 1, 1), (1, 0, 2))}
        )
    ],
)
def krippendorff_alpha(
    y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, level: str = "ordinal"
) -> float:
    """Agreement of two raters beyond chance, with the small-sample correction; ordinal by default.

    Higher is better; 1 is perfect, 0 is what chance would give with the pooled ratings.

    ``level`` is "nominal", "ordinal" (distances are rank sums of this very table), "interval" or "ratio" (of the ranks 1..K).

    Ignores which side is the truth: both are raters.
    Misleads when it is compared with programs whose "ordinal" means fixed weights: that is another coefficient.

    >>> krippendorff_alpha([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0], level="nominal")
    0.09523809523809523
    """
    return score(krippendorff_alpha, y_true, y_pred, labels=labels, sample_weight=sample_weight, level=level)
