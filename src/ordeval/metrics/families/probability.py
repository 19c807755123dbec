"""How good are the probabilities themselves?  Scores that every row has for itself, their means, and skill over a reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array, rank_distance, ratio
from ordeval.metrics.core.forecast import Chunk, Forecast
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Column, Labels, Proba, Reference, Weights

__all__ = ["brier", "log_loss", "ordinal_log_loss", "rps", "rps_skill", "unimodality"]


PRODUCTS = 16  # up to so many classes the powers of 1 - p can be multiplied without leaving the range of a double


def _rps_of(chunk: Chunk) -> Array:
    """Sum over the cuts of the squared difference between the forecast F and what came true, O."""
    found, below, square = np.zeros((3, chunk.true.size))
    for away in chunk.away[:-1]:
        below += away
        np.multiply(below, below, out=square)
        found += square
    return found


def _rps(rows: Forecast, normalize: bool) -> RowScore:
    cuts = rows.scale.K - 1
    if not normalize:
        return RowMean(rows, _rps_of)
    why = "" if cuts else f"there is only one class, {rows.scale.labels[0]}, so there is no cut to divide by"
    return RowMean(rows, lambda chunk: ratio(_rps_of(chunk), cuts), why=why)


@metric(
    kernel=_rps, title="Ranked probability score", plain="error of the forecast (RPS)",
    formula=r"\frac{1}{N} \sum_i \sum_{k=1}^{K-1} (F_{ik} - O_{ik})^2",
    formula_text="mean over the rows of Σ_{k < K} (F_k − O_k)²; normalize=True: divided by K − 1", direction="lower",
    bounds=(0, "K - 1"), undefined="there is only one class, so normalize=True has no cut to divide by",
    ignores="how the probability is shared among classes on the same side of every cut that separates them from the truth",
    misleads=["forecasts of scales of different length are compared without ``normalize``: more cuts make a larger sum"],
    structure="row_mean", needs=["probabilities"], parameters={"normalize": Parameter("Divide by the number of cuts, K - 1.")},
    cite="epstein1969", see=["rps_skill", "log_loss", "brier"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0], [1, 0]])},
    variants=[Variant(when=lambda normalize: normalize, bounds=(0, 1), broken={"unused_class": ([0], [[0, 1]])})],
    aliases={"ranked_probability_score": {}},
)  # fmt: skip
def rps(
    y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None, normalize: bool = False
) -> float:
    """Mean over the rows of the squared error of the cumulative probabilities, summed over the cuts of the scale.

    Proper: honest probabilities are best.

    >>> rps(["low", "high"], [[0.75, 0.25, 0.0], [0.0, 0.5, 0.5]], labels=["low", "mid", "high"])
    0.15625
    """
    return score(rps, y_true, proba=proba, labels=labels, sample_weight=sample_weight, normalize=normalize)


class Skill(RowScore):
    """One less the ratio of the mean score to that of a reference forecast, the same for every row."""

    def __init__(self, rows: Forecast, reference: Array | None) -> None:
        """The reference are the cumulative shares at the cuts; None: those of the rows themselves, under their weights."""
        self.forecast: Forecast = rows
        self.reference: Array | None = reference
        self.scores: RowMean = RowMean(rows, _rps_of)
        self.came: Array = (np.arange(rows.scale.K)[:, None] <= np.arange(rows.scale.K - 1)).astype(
            float
        )  # (K, K - 1): O of each class

    def point(self) -> float:
        rows = self.forecast
        shares = np.bincount(rows.true, rows.sample_weight, minlength=rows.scale.K)[None]
        return float(self._skill(np.array([self.scores.point() * shares.sum()]), shares)[0])

    def __call__(self, weights: Array) -> Array:
        return self._skill(self.scores.total(weights), self._shares(weights))

    def why_undefined(self) -> str:
        seen, labels = np.unique(self.forecast.true), self.forecast.scale.labels
        if self.reference is None:
            return (
                f"only class {labels[seen[0]]} came true, which the class shares of these rows forecast" if seen.size == 1 else ""
            )
        certain = seen.size == 1 and bool((self.came[seen[0]] == self.reference).all())
        return f"only class {labels[seen[0]]} came true, of which the reference is certain" if certain else ""

    def _shares(self, weights: Array) -> Array:
        found: Array = weights @ (self.forecast.true[:, None] == np.arange(self.forecast.scale.K)).astype(float)
        return found

    def _of_classes(self, shares: Array) -> Array:
        """The reference's score for a row of each class, (b, K)."""
        at_cuts = ratio(shares @ self.came, shares.sum(1)[:, None]) if self.reference is None else self.reference[None]
        found: Array = ((self.came - at_cuts[:, None, :]) ** 2).sum(-1)
        return found

    def _skill(self, total: Array, shares: Array) -> Array:
        return 1 - ratio(total, (self._of_classes(shares) * shares).sum(1))

    def influence(self, weights: Array) -> Array:
        # The shares of the rows are the constant with the least score, so moving them changes that score in second order only.
        shares = self._shares(weights)
        classes = self._of_classes(shares)
        reference, total = (classes * shares).sum(1)[:, None], self.scores.total(weights)[:, None]
        return ratio(ratio(total, reference) * classes[:, self.forecast.true] - self.scores.scores, reference)


def _skill(rows: Forecast, reference: Any) -> RowScore:
    k = rows.scale.K
    if isinstance(reference, str):
        return Skill(rows, None if reference == "climatology" else np.arange(1, k) / k)
    if len(reference) != k:
        raise ValueError(f"reference= holds {len(reference)} shares, and there are {k} classes ({rows.scale})")
    return Skill(rows, np.cumsum(reference)[:-1])


def _check_reference(reference: Any) -> None:
    if isinstance(reference, str):
        if reference not in ("climatology", "uniform"):
            raise ValueError(f"reference={reference!r} is unknown; choose 'climatology', 'uniform' or a share for each class")
        return
    shares = np.asarray(reference, float)
    if shares.ndim != 1 or not np.isfinite(shares).all() or (shares < 0).any() or not abs(shares.sum() - 1) <= 1e-6:
        raise ValueError("reference= must be one share for each class, from 0 to 1, which add up to 1")


@metric(
    kernel=_skill, title="Ranked probability skill score", plain="better than guessing (RPSS)",
    formula=r"1 - \frac{\sum_i \mathrm{rps}_i}{\sum_i \mathrm{rps}_i^{\mathrm{reference}}}",
    formula_text="""1 − mean rps / mean rps of the reference

reference: the class shares of the scored rows ("climatology"), 1/K for each class ("uniform"), or shares given""",
    direction="higher", bounds=("-inf", 1), undefined="the reference is never wrong: only one class came true",
    ignores="how hard the rows are, other than through their class shares",
    misleads=["rows are few: the shares of the rows themselves are a reference that no forecaster can know, so an honest constant scores a little below 0"],
    structure="row_mean", needs=["probabilities"], check=_check_reference,
    parameters={"reference": Parameter("What the forecast is compared with: the class shares of the scored rows themselves (``climatology``, the best constant in hindsight), the same for every class (``uniform``), or the shares of another sample, such as the training rows.")},
    cite="weigel2007", see=["rps"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 0, 1], [[0.6, 0.4], [0.6, 0.4], [0.5, 0.5]])},
    variants=[Variant(when=lambda reference: reference == "uniform", broken={"unused_class": ([0, 1], [[0.5, 0.5], [0, 1]])})],
)  # fmt: skip
def rps_skill(
    y_true: Column,
    proba: Proba = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    reference: Reference | Column = "climatology",
) -> float:
    """Share of the reference's ranked probability score that the forecast removes.

    0 is no better than the reference.

    >>> rps_skill([1, 2, 3, 3], [[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0, 0.1, 0.9]])
    0.7942857142857143
    """
    return score(rps_skill, y_true, proba=proba, labels=labels, sample_weight=sample_weight, reference=reference)


def _log_loss_of(chunk: Chunk) -> Array:
    with np.errstate(divide="ignore"):
        found: Array = -np.log(chunk.at_truth)
    return found


@metric(
    kernel=lambda rows: RowMean(rows, _log_loss_of), title="Log loss", plain="surprise at the truth (log loss)",
    formula=r"-\frac{1}{N} \sum_i \log p_{i y_i}", formula_text="mean over the rows of −log p_y, y the true class",
    direction="lower", bounds=(0, "inf"), undefined="there are no rows",
    ignores="the order of the classes: all the probability that went elsewhere counts the same",
    misleads=["a few rows have probabilities near 0: they decide the mean"], structure="row_mean", needs=["probabilities"],
    cite="good1952", see=["brier", "rps"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[0.5, 0.5], [0.25, 0.75]])}, aliases={"logarithmic_score": {}},
)  # fmt: skip
def log_loss(y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the rows of the negative logarithm of the probability of what came true.

    A class that came true with probability 0 costs infinitely much: nothing is clipped.
    Proper: honest probabilities are best.

    >>> log_loss([1, 2], [[0.5, 0.5], [0.5, 0.5]])
    0.6931471805599453
    """
    return score(log_loss, y_true, proba=proba, labels=labels, sample_weight=sample_weight)


def _brier_of(chunk: Chunk) -> Array:
    found, square = np.zeros((2, chunk.true.size))
    for away in chunk.away:
        np.multiply(away, away, out=square)
        found += square
    return found


@metric(
    kernel=lambda rows: RowMean(rows, _brier_of), title="Brier score", plain="squared error of probabilities",
    formula=r"\frac{1}{N} \sum_i \sum_k (p_{ik} - [k = y_i])^2",
    formula_text="mean over the rows of Σ_k (p_k − 1[k = y])², y the true class", direction="lower", bounds=(0, 2),
    undefined="there are no rows",
    ignores="the order of the classes: probability next to the truth costs as much as probability far from it",
    misleads=["it is compared with programs that take half of it for two classes"], structure="row_mean",
    needs=["probabilities"], cite="brier1950", see=["rps", "log_loss"],
    laws={"perfect": "", "reversal": "", "unused_class": ""}, broken={"prevalence": ([0, 1], [[1, 0], [1, 0]])},
)  # fmt: skip
def brier(y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Mean over the rows of the squared error of the probabilities, summed over the classes.

    2 means certainty about a wrong class in every row.  Proper: honest probabilities are best.

    >>> brier([1, 2], [[0.5, 0.5], [0.0, 1.0]])
    0.25
    """
    return score(brier, y_true, proba=proba, labels=labels, sample_weight=sample_weight)


def _products_of(chunk: Chunk) -> Array:
    """The ordinal log loss at alpha = 1 from products: (1 - p)^d is multiplied up from both ends, and one logarithm is taken.

    With P_j the product of 1 - p over the classes beyond j, the product of (1 - p_k)^|k - y| over k > y is that of P_y, P_(y+1), …
    """
    k, n = chunk.p.shape
    rest, powers, product = 1 - chunk.p, np.empty((k, n)), np.ones(n)
    for order in (range(k - 2, -1, -1), range(1, k)):
        step = 1 if order.step < 0 else -1
        beyond = np.ones(n)
        powers[order.start + step] = 1
        for j in order:
            beyond *= rest[j + step]
            np.multiply(powers[j + step], beyond, out=powers[j])
        product *= chunk.of_truth(powers)
    with np.errstate(divide="ignore"):
        found: Array = -np.log(product)
    return found


def _ordinal_log_loss(rows: Forecast, alpha: float) -> RowScore:
    k = rows.scale.K
    if alpha == 1 and k <= PRODUCTS:
        return RowMean(rows, _products_of)
    cost = np.where(rank_distance(k) > 0, rank_distance(k).astype(float) ** alpha, 0)

    def kernel(chunk: Chunk) -> Array:
        found = np.zeros(chunk.true.size)
        with np.errstate(divide="ignore"):
            for j, p in enumerate(chunk.p):
                other = chunk.true != j
                found -= np.log1p(-p, where=other, out=np.zeros(p.size)) * cost[chunk.true, j]
        return found

    return RowMean(rows, kernel)


@metric(
    kernel=_ordinal_log_loss, title="Ordinal log loss", plain="log loss by distance",
    formula=r"-\frac{1}{N} \sum_i \sum_{k \neq y_i} |k - y_i|^\alpha \log(1 - p_{ik})",
    formula_text="mean over the rows of −Σ_{k ≠ y} |k − y|^α log(1 − p_k), y the true class", direction="lower",
    bounds=(0, "inf"), undefined="there are no rows",
    ignores="how sure the forecast is of the truth itself, other than through the other classes",
    misleads=["models are chosen by it: it rewards probabilities drawn to the middle of the scale"], structure="row_mean",
    needs=["probabilities"], parameters={"alpha": Parameter("The power of the distance.", range="[0, inf)")},
    cite="castagnos2022", see=["log_loss", "rps"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[0.5, 0.5], [0.25, 0.75]])}, aliases={"ordinal_weighted_ce": {}},
)  # fmt: skip
def ordinal_log_loss(
    y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None, alpha: float = 1
) -> float:
    """Mean over the rows of -log(1 - p) of every wrong class, times its distance from the truth to the power ``alpha``.

    **Not proper** for three classes or more (unless ``alpha`` is 0): honest probabilities are not
    the best answer.  Where three classes are equally likely, it prefers (1/4, 1/2, 1/4) to the truth.

    >>> ordinal_log_loss([1, 2], [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]], labels=[1, 2, 3])
    0.34657359027997264
    """
    return score(ordinal_log_loss, y_true, proba=proba, labels=labels, sample_weight=sample_weight, alpha=alpha)


def _unimodal(chunk: Chunk) -> Array:
    """1 where no probability rises again after one has fallen."""
    fallen, again = np.zeros(chunk.true.size, bool), np.zeros(chunk.true.size, bool)
    for before, after in zip(chunk.p[:-1], chunk.p[1:], strict=True):
        again |= fallen & (after > before)
        fallen |= after < before
    return (~again).astype(float)


@metric(
    kernel=lambda rows: RowMean(rows, _unimodal), title="Unimodality", plain="forecasts with one peak",
    formula=r"\frac{1}{N} |\{i : p_{i1} \leq \ldots \leq p_{im} \geq \ldots \geq p_{iK}\}|",
    formula_text="share of the rows whose p_1 … p_K never rise again after they have fallen", direction="higher", bounds=(0, 1),
    undefined="there are no rows", ignores="the truth: it is about the shape of a forecast, not about its quality",
    misleads=["rows truly have two peaks, such as items on which people fall into two camps"], structure="share",
    needs=["probabilities"], cite="dacosta2008", see=["rps"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0, 0], [0.5, 0, 0.5]])},
)  # fmt: skip
def unimodality(y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of rows whose probabilities rise to one peak and fall from there.

    Plateaus are allowed, so equal probabilities have one peak; comparison is exact.

    >>> unimodality([1, 2], [[0.5, 0.3, 0.2], [0.4, 0.1, 0.5]], labels=[1, 2, 3])
    0.5
    """
    return score(unimodality, y_true, proba=proba, labels=labels, sample_weight=sample_weight)
