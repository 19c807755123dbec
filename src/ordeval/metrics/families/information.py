"""What the prediction tells about the truth, order left aside.  Natural logarithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ordeval.base.arrays import Array, independence_gap, others, predictions, ratio, total, truths
from ordeval.base.renamed import renamed_keywords
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Answer, EntropyMean, Labels, Truth, Weights

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
    surprise = np.log1p(np.where(margin > 0, ratio(others(margin), margin), 0))
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


@metric(
    kernel=_mutual_information, title="Mutual information", plain="information shared (nats)",
    formula=r"\sum_{tp} \frac{C_{tp}}{N} \log \frac{N C_{tp}}{n_t m_p}",
    formula_text="""I = Σ C[t, p] / N · log( N C[t, p] / (n_t m_p) )

mean divides by the arithmetic or geometric mean, the least or the greatest of the entropies
H_t = −Σ n_t / N log(n_t / N)  and  H_p = −Σ m_p / N log(m_p / N)""",
    direction="higher", bounds=(0, "log(K)"),
    undefined="there are no rows, or (with a mean) truth or prediction is one class throughout",
    ignores="the order of the classes, and even their names: swapped classes lose nothing",
    misleads=["it is taken for quality: a prediction that is always wrong in the same way scores as high as a right one"],
    structure="information", depends="scale", resolve=lambda sample, mean: {"mean": _MEANS[mean]},
    parameters={"mean": Parameter("Divide by this mean of the two entropies, or by the least or the greatest of them; None does not divide.")},
    cite="shannon1948", see=["purity", "inverse_purity"],
    laws={"reversal": "", "transpose": "", "unused_class": "", "perfect": ""}, broken={"prevalence": ((1, 0), (1, 1))},
    variants=[Variant(lambda mean: mean is None, broken={"perfect": ((2, 0), (0, 1))}),
        Variant(lambda mean: mean is not None, bounds=(0, 1))],
)  # fmt: skip
@renamed_keywords
def mutual_information(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, mean: EntropyMean | None = None
) -> float:
    """Mutual information of truth and prediction, in nats; ``mean`` divides by a mean of their entropies.

    A perfect prediction has the entropy of the truth, or 1 when divided by a mean of entropies.

    >>> mutual_information([1, 1, 2, 2], [1, 1, 2, 2], mean="arithmetic")
    1.0
    """
    return score(mutual_information, y_true, y_pred, labels=labels, sample_weight=sample_weight, mean=mean)


def _inverse_purity(counts: Array) -> Array:
    """Share of rows in the most common prediction of their true class."""
    return ratio(counts.max(-1).sum(-1), total(counts))


def _purity(counts: Array) -> Array:
    """Share of rows in the most common true class of their prediction."""
    return _inverse_purity(np.swapaxes(counts, -2, -1))


@metric(
    kernel=_purity, title="Purity", plain="truths alike per prediction", formula=r"\frac{1}{N} \sum_p \max_t C_{tp}",
    formula_text="Σ_p max_t C[t, p] / N", direction="higher", bounds=(0, 1), undefined="there are no rows",
    ignores="the order of the classes, and even their names: swapped classes lose nothing",
    misleads=["one class is common: always predicting it scores its share, and nothing scores less"], structure="information",
    cite="zhao2004", see=["inverse_purity", "mutual_information"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((0, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def purity(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows whose true class is the most common one among the rows with the same prediction.

    >>> purity([1, 1, 2, 2], [3, 3, 3, 4])
    0.75
    """
    return score(purity, y_true, y_pred, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=_inverse_purity, title="Inverse purity", plain="predictions alike per truth",
    formula=r"\frac{1}{N} \sum_t \max_p C_{tp}", formula_text="Σ_t max_p C[t, p] / N", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="the order of the classes, and even their names",
    misleads=["one class is always predicted: it scores 1, whatever the truth"], structure="information", cite="zhao2004",
    see=["purity", "mutual_information"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"transpose": ((0, 1), (0, 1)), "prevalence": ((1, 0), (1, 1))},
)  # fmt: skip
def inverse_purity(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows whose prediction is the most common one among the rows of the same true class.

    >>> inverse_purity([1, 1, 2, 2], [3, 3, 3, 3])
    1.0
    """
    return score(inverse_purity, y_true, y_pred, labels=labels, sample_weight=sample_weight)
