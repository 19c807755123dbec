"""What the prediction tells about the truth, order left aside.  Natural logarithms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, independence_gap, predictions, ratio, total, truths
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score

__all__ = ["inverse_purity", "mutual_information", "purity"]


_MEANS: dict[str | None, Callable[[Array, Array], Array]] = {
    None: lambda a, b: np.ones_like(a),
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: np.sqrt(a * b),
    "min": np.minimum,
    "max": np.maximum,
}


def _entropy(margin: Array) -> Array:
    """Entropy of class shares, from counts, (...).  log1p of the rest keeps its digits where one class holds nearly everything."""
    rows = margin.sum(-1, keepdims=True)
    surprise = np.log1p(np.where(margin > 0, ratio(rows - margin, margin), 0))
    return ratio((margin * surprise).sum(-1), rows[..., 0])


#: Coefficients of x², x³ … in (1 + x) log(1 + x) - x, highest first: enough for |x| < 0.1.
_SERIES = [(-1) ** k / (k * (k - 1)) for k in range(16, 1, -1)]


def _divergence(x: Array) -> Array:
    """(1 + x) log(1 + x) - x, which is never negative, to full relative precision; 1 at x = -1."""
    near = np.abs(x) < 0.1
    small = np.where(near, x, 0)
    large = np.where(near | (x <= -1), 1, x)
    return np.where(near, small**2 * np.polyval(_SERIES, small), np.where(x <= -1, 1, (1 + large) * np.log1p(large) - large))


def _mutual_information(counts: Array, mean: Callable[[Array, Array], Array]) -> Array:
    """Divergence of the table from independence, divided by a mean of the two entropies if asked."""
    rows = total(counts)
    true, pred = truths(counts), predictions(counts)
    independent = true[..., :, None] * pred[..., None, :]
    divergence = _divergence(np.where(independent > 0, ratio(independence_gap(counts), independent), 0))
    shared = ratio((independent * divergence).sum((-2, -1)), rows**2)
    of_true, of_pred = _entropy(true), _entropy(pred)
    shared = np.minimum(shared, np.minimum(of_true, of_pred))  # true of the numbers; rounding may say otherwise by one digit
    return ratio(shared, mean(of_true, of_pred))


def _check_normalize(normalize: Any) -> None:
    if normalize not in _MEANS:
        raise ValueError(f"normalize={normalize!r} is unknown; choose one of {', '.join(map(repr, _MEANS))}")


@metric(
    kernel=_mutual_information,
    title="Mutual information",
    cite="shannon1948",
    bounds=(0, "log(K)"),
    direction="higher",
    undefined="there are no rows, or (normalized) truth or prediction is one class throughout",
    laws={"reversal": "", "transpose": "", "unused_class": "", "perfect": ""},
    broken={"prevalence": ((1, 0), (1, 1))},
    variants=[
        Variant(lambda normalize: normalize is None, broken={"perfect": ((2, 0), (0, 1))}),
        Variant(lambda normalize: normalize is not None, bounds=(0, 1)),
    ],
    resolve=lambda counts, normalize: {"mean": _MEANS[normalize]},
    check=_check_normalize,
)
def mutual_information(
    y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None, normalize: str | None = None
) -> float:
    """Mutual information of truth and prediction, in nats; ``normalize`` divides by a mean of their entropies.

    Higher is better; a perfect prediction has the entropy of the truth, or 1 when normalized.

    Ignores the order of the classes, and even their names: swapped classes lose nothing.
    Misleads when it is taken for quality: a prediction that is always wrong in the same way scores as high as a right one.

    >>> mutual_information([1, 1, 2, 2], [1, 1, 2, 2], normalize="arithmetic")
    1.0
    """
    return score(mutual_information, y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize)


def _inverse_purity(counts: Array) -> Array:
    """Share of rows in the most common prediction of their true class."""
    return ratio(counts.max(-1).sum(-1), total(counts))


def _purity(counts: Array) -> Array:
    """Share of rows in the most common true class of their prediction."""
    return _inverse_purity(np.swapaxes(counts, -2, -1))


@metric(
    kernel=_purity,
    title="Purity",
    cite="zhao2004",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((0, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)
def purity(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Share of rows whose true class is the most common one among the rows with the same prediction.

    Higher is better; 1 is perfect.

    Ignores the order of the classes, and even their names: swapped classes lose nothing.
    Misleads when one class is common: always predicting it scores its share, and nothing scores less.

    >>> purity([1, 1, 2, 2], [3, 3, 3, 4])
    0.75
    """
    return score(purity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_inverse_purity,
    title="Inverse purity",
    cite="zhao2004",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((0, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)
def inverse_purity(y_true: Any, y_pred: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Share of rows whose prediction is the most common one among the rows of the same true class.

    Higher is better; 1 is perfect.

    Ignores the order of the classes, and even their names.
    Misleads when one class is always predicted: it scores 1, whatever the truth.

    >>> inverse_purity([1, 1, 2, 2], [3, 3, 3, 3])
    1.0
    """
    return score(inverse_purity, y_true, y_pred, labels=labels, sample_weight=sample_weight)
