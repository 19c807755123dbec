"""How good are the probabilities themselves?  Scores that every row has for itself, their means, and skill over a reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array, rank_distance, ratio
from ordeval.metrics.core.forecast import Chunk, Forecast
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.row_scores import RowMean, RowScore, score_rows

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
    return RowMean(rows, lambda chunk: ratio(_rps_of(chunk), cuts))


@metric(
    kernel=_rps,
    title="Ranked probability score",
    cite="epstein1969",
    bounds=(0, "K - 1"),
    direction="lower",
    undefined="there is only one class, and it was asked to be divided by the number of cuts",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0], [1, 0]])},
    needs=["probabilities"],
    aliases={"ranked_probability_score": {}},
    variants=[
        Variant(
            when=lambda normalize: normalize,
            bounds=(0, 1),
            broken={"unused_class": ([0], [[0, 1]])},
        )
    ],
)
def rps(y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None, normalize: bool = False) -> float:
    """Mean over the rows of the squared error of the cumulative probabilities, summed over the cuts of the scale.

    Lower is better; 0 is perfect.  ``normalize=True`` divides by the number of cuts, K - 1.  Proper: honest probabilities are best.

    Ignores how the probability is shared among classes on the same side of every cut that separates them from the truth.
    Misleads when forecasts of scales of different length are compared without ``normalize``: more cuts make a larger sum.

    >>> rps(["low", "high"], [[0.75, 0.25, 0.0], [0.0, 0.5, 0.5]], labels=["low", "mid", "high"])
    0.15625
    """
    return score_rows(rps, y_true, proba, labels=labels, sample_weight=sample_weight, normalize=normalize)


class Skill(RowScore):
    """One less the ratio of the mean score to that of a reference forecast, the same for every row."""

    def __init__(self, rows: Forecast, reference: Array | None) -> None:
        """The reference are the cumulative shares at the cuts; None: those of the rows themselves, under their weights."""
        self.forecast, self.reference = rows, reference
        self.scores = RowMean(rows, _rps_of)
        self.came = (np.arange(rows.scale.K)[:, None] <= np.arange(rows.scale.K - 1)).astype(float)  # (K, K - 1): O of each class

    def point(self) -> float:
        rows = self.forecast
        shares = np.bincount(rows.true, rows.sample_weight, minlength=rows.scale.K)[None]
        return float(self._skill(np.array([self.scores.point() * shares.sum()]), shares)[0])

    def __call__(self, weights: Array) -> Array:
        return self._skill(self.scores.total(weights), self._shares(weights))

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
        raise ValueError("reference= is a share for each class, from 0 to 1, that add up to 1")


@metric(
    kernel=_skill,
    title="Ranked probability skill score",
    cite="weigel2007",
    bounds=("-inf", 1),
    direction="higher",
    undefined="the reference is never wrong: only one class came true",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 0, 1], [[0.6, 0.4], [0.6, 0.4], [0.5, 0.5]])},
    needs=["probabilities"],
    check=_check_reference,
    variants=[
        Variant(
            when=lambda reference: reference == "uniform",
            broken={"unused_class": ([0, 1], [[0.5, 0.5], [0, 1]])},
        )
    ],
)
def rps_skill(
    y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None, reference: Any = "climatology"
) -> float:
    """Share of the reference's ranked probability score that the forecast does away with.

    Higher is better; 1 is perfect, 0 is no better than the reference.  The reference "climatology" are the class shares of the
    scored rows themselves, the best constant in hindsight; "uniform" gives every class the same; or give the shares of another
    sample, such as those the model was trained on.

    Ignores how hard the rows are, other than through their class shares.
    Misleads when rows are few: the shares of the rows themselves are a reference that no forecaster can know, so an honest
    constant scores a little below 0.

    >>> rps_skill([1, 2, 3, 3], [[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0, 0.1, 0.9]])
    0.7942857142857143
    """
    return score_rows(rps_skill, y_true, proba, labels=labels, sample_weight=sample_weight, reference=reference)


def _log_loss_of(chunk: Chunk) -> Array:
    with np.errstate(divide="ignore"):
        found: Array = -np.log(chunk.at_truth)
    return found


@metric(
    kernel=lambda rows: RowMean(rows, _log_loss_of),
    title="Log loss",
    cite="good1952",
    bounds=(0, "inf"),
    direction="lower",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[0.5, 0.5], [0.25, 0.75]])},
    needs=["probabilities"],
    aliases={"logarithmic_score": {}},
)
def log_loss(y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean over the rows of the negative logarithm of the probability of what came true.

    Lower is better; 0 is perfect.  A class that came true with probability 0 costs infinitely much: nothing is clipped.
    Proper: honest probabilities are best.

    Ignores the order of the classes: all the probability that went elsewhere counts the same.
    Misleads when a few rows have probabilities near 0: they decide the mean.

    >>> log_loss([1, 2], [[0.5, 0.5], [0.5, 0.5]])
    0.6931471805599453
    """
    return score_rows(log_loss, y_true, proba, labels=labels, sample_weight=sample_weight)


def _brier_of(chunk: Chunk) -> Array:
    found, square = np.zeros((2, chunk.true.size))
    for away in chunk.away:
        np.multiply(away, away, out=square)
        found += square
    return found


@metric(
    kernel=lambda rows: RowMean(rows, _brier_of),
    title="Brier score",
    cite="brier1950",
    bounds=(0, 2),
    direction="lower",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0], [1, 0]])},
    needs=["probabilities"],
)
def brier(y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Mean over the rows of the squared error of the probabilities, summed over the classes.

    Lower is better; 0 is perfect, 2 is certainty about a wrong class in every row.  Proper: honest probabilities are best.

    Ignores the order of the classes: probability next to the truth costs as much as probability far from it.
    Misleads when it is compared with programs that take half of it for two classes.

    >>> brier([1, 2], [[0.5, 0.5], [0.0, 1.0]])
    0.25
    """
    return score_rows(brier, y_true, proba, labels=labels, sample_weight=sample_weight)


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


def _check_alpha(alpha: float) -> None:
    if not (isinstance(alpha, (int, float)) and 0 <= alpha < np.inf):
        raise ValueError(f"alpha={alpha!r}: the power of the distance is a number from 0 on")


@metric(
    kernel=_ordinal_log_loss,
    title="Ordinal log loss",
    cite="castagnos2022",
    bounds=(0, "inf"),
    direction="lower",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[0.5, 0.5], [0.25, 0.75]])},
    needs=["probabilities"],
    aliases={"ordinal_weighted_ce": {}},
    check=_check_alpha,
)
def ordinal_log_loss(y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None, alpha: float = 1) -> float:
    """Mean over the rows of -log(1 - p) of every wrong class, times its distance from the truth to the power ``alpha``.

    Lower is better; 0 is perfect.  **Not proper** for three classes or more (unless ``alpha`` is 0): honest probabilities are not
    the best answer.  Where three classes are equally likely, it prefers (1/4, 1/2, 1/4) to the truth.

    Ignores how sure the forecast is of the truth itself, other than through the other classes.
    Misleads when models are chosen by it: it rewards probabilities drawn to the middle of the scale.

    >>> ordinal_log_loss([1, 2], [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]], labels=[1, 2, 3])
    0.34657359027997264
    """
    return score_rows(ordinal_log_loss, y_true, proba, labels=labels, sample_weight=sample_weight, alpha=alpha)


def _unimodal(chunk: Chunk) -> Array:
    """1 where no probability rises again after one has fallen."""
    fallen, again = np.zeros(chunk.true.size, bool), np.zeros(chunk.true.size, bool)
    for before, after in zip(chunk.p[:-1], chunk.p[1:], strict=True):
        again |= fallen & (after > before)
        fallen |= after < before
    return (~again).astype(float)


@metric(
    kernel=lambda rows: RowMean(rows, _unimodal),
    title="Unimodality",
    cite="dacosta2008",
    bounds=(0, 1),
    direction="higher",
    undefined="there are no rows",
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0, 0], [0.5, 0, 0.5]])},
    needs=["probabilities"],
)
def unimodality(y_true: Any, proba: Any = None, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Share of rows whose probabilities rise to one peak and fall from there.

    Higher is better; 1 is every row.  Plateaus are allowed, so equal probabilities have one peak; comparison is exact.

    Ignores the truth: it is about the shape of a forecast, not about its quality.
    Misleads when rows truly have two peaks, such as items on which people fall into two camps.

    >>> unimodality([1, 2], [[0.5, 0.3, 0.2], [0.4, 0.1, 0.5]], labels=[1, 2, 3])
    0.5
    """
    return score_rows(unimodality, y_true, proba, labels=labels, sample_weight=sample_weight)
