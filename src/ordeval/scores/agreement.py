"""Agreement beyond chance, with weights for how much a near miss counts.

Every coefficient is 1 - (observed cost) / (cost expected by chance), where cost = 1 - weight: written so, nothing cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ordeval._arrays import Array, predictions, rank_distance, ratio, total, truths
from ordeval.counts import Counts
from ordeval.scores.registry import metric, score

_SCHEMES: dict[str, Callable[[Array, int], Array]] = {
    "identity": lambda d, k: (d > 0).astype(float),
    "linear": lambda d, k: ratio(d, k - 1),
    "quadratic": lambda d, k: ratio(d, k - 1) ** 2,
}


def resolve_cost(counts: Counts, *, weights: Any) -> dict[str, Array]:
    """The K×K cost (1 - weight) that a scheme means on this scale."""
    k = counts.scale.K
    return {"cost": _SCHEMES[weights](rank_distance(k), k)}


def check_weights(weights: Any) -> None:
    if weights not in _SCHEMES:
        raise ValueError(f"weights={weights!r} is unknown; choose one of {', '.join(map(repr, _SCHEMES))}")


def _cohen_kappa(counts: Array, cost: Array) -> Array:
    """1 - observed cost / cost expected if truth and prediction were independent."""
    observed = (cost * counts).sum((-2, -1))
    expected = ((truths(counts) @ cost) * predictions(counts)).sum(-1)
    return 1 - ratio(observed * total(counts), expected)


@metric(
    kernel=_cohen_kappa,
    title="Cohen's weighted kappa",
    cite="cohen1968",
    bounds=(-1, 1),
    direction="higher",
    undefined="truth and prediction are one and the same class throughout, so no disagreement is to be expected",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
    aliases={"weighted_kappa": {}, "qwk": {}, "lwk": {"weights": "linear"}},
    resolve=resolve_cost,
    check=check_weights,
)
def cohen_kappa(
    y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, weights: Any = "quadratic"
) -> float:
    """Agreement beyond chance, by default with quadratic weights (unlike scikit-learn).

    Higher is better; 1 is perfect, 0 is what chance would give with these class shares.

    Ignores a shift only in part, and what an error costs in practice: weights are a convention.
    Misleads when the class shares change: the same errors score lower where one class dominates.

    >>> truth, answer = ["low", "low", "mid", "high"], ["low", "mid", "mid", "mid"]
    >>> cohen_kappa(truth, answer, labels=["low", "mid", "high"], weights="linear")
    0.33333333333333337
    """
    return score(cohen_kappa, y_true, y_pred, labels=labels, sample_weight=sample_weight, weights=weights)
