"""Agreement of many raters: each coefficient as a function of the sums, with its title, paper and what it leaves out.

Every chance-corrected coefficient is 1 - (observed cost) / (cost expected by chance), cost = 1 - weight; they differ in what they
expect by chance.  With missing ratings an item's pairs of ratings count one item in all (alpha: as many as it has ratings).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from ordeval.base.arrays import Array, above, below, ratio
from ordeval.base.errors import ArgumentError, near
from ordeval.base.types import Matrix
from ordeval.metrics import get_metric
from ordeval.metrics.families.agreement import LEVELS, check_weights, cost_of
from ordeval.raters._sums import Kernel, Sums

KappaWeights: TypeAlias = Literal["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement: what it is called, whose it is, and how it is computed."""

    name: str
    title: str
    cite: str
    chance: str  #: what it expects by chance, or what it measures, in words
    kernel: Callable[[Sums, Array], Array]  #: of the sums and the cost
    weighted: bool = True  #: depends on weights=
    undefined: str = "all ratings are of one class, so no disagreement is to be expected"
    complete: bool = False  #: made from the items that everybody rated
    sums: tuple[str, ...] = ()  #: the names of the sums that it is made from
    bounds: tuple[float, float] = (-math.inf, 1.0)

    def bind(self, weights: KappaWeights | Matrix, power: float | None, k: int) -> Kernel:
        """The kernel with the cost that a scheme of weights means for K classes."""
        return partial(_bound, self.kernel, cost_of(weights, power, k))

    def shown(self, weights: KappaWeights | Matrix, power: float | None) -> str:
        """The title with the scheme of weights, where it has one."""
        if not self.weighted:
            return self.title
        scheme = f"power {power:g}" if power is not None else weights if isinstance(weights, str) else "own"
        short = {"gwet_ac": " (AC1)" if scheme == "identity" else " (AC2)"}.get(self.name, "")
        return f"{self.title}{short}, {scheme} weights"


def _bound(kernel: Callable[[Sums, Array], Array], cost: Array, sums: Sums) -> Array:
    return kernel(sums, cost)


def _observed(sums: Sums, cost: Array) -> Array:
    return ratio((cost * sums.average).sum((-2, -1)), sums.paired)


def _fleiss(sums: Sums, cost: Array) -> Array:
    share = ratio(sums.shares, sums.rated[:, None])
    return 1 - ratio(_observed(sums, cost), ((share @ cost) * share).sum(-1))


def _conger(sums: Sums, cost: Array) -> Array:
    """Every rater with shares of their own; two different raters meet."""
    own = ratio(sums.margins, sums.margins.sum(-1, keepdims=True))
    first, second = np.triu_indices(own.shape[1], 1)
    expected = ((own[:, first] @ cost) * own[:, second]).sum(-1)
    return 1 - ratio(_observed(sums, cost), sums.mean_over_pairs(expected))


def _gwet(sums: Sums, cost: Array) -> Array:
    k = len(cost)
    share = ratio(sums.shares, sums.rated[:, None])
    spread = (share * (below(share) + above(share))).sum(-1)
    return 1 - ratio(_observed(sums, cost), 1 - ratio((1 - cost).sum(), k * (k - 1)) * spread)


def _brennan_prediger(sums: Sums, cost: Array) -> Array:
    return 1 - ratio(_observed(sums, cost) * cost.size, cost.sum())


def _alpha(level: str, sums: Sums, cost: Array) -> Array:
    pooled = sums.coincidences.sum(-1)
    squared = LEVELS[level](pooled)
    expected = (squared * pooled[..., :, None] * pooled[..., None, :]).sum((-2, -1))
    return 1 - ratio((pooled.sum(-1) - 1) * (squared * sums.coincidences).sum((-2, -1)), expected)


def pair_kappas(sums: Sums, cost: Array) -> Array:
    """(b, pairs) Cohen's weighted kappa of every two raters on the items that both rated."""
    kappas: Array = get_metric("cohen_kappa").kernel(sums.tables, cost)
    return kappas


def _pairwise(sums: Sums, cost: Array) -> Array:
    kappas = pair_kappas(sums, cost)
    met = sums.tables.sum((-2, -1)) > 0  # two raters without a common item have no kappa to average
    weight = np.where(met, sums.pair_times, 0)
    return ratio(np.where(weight > 0, weight * kappas, 0).sum(-1), weight.sum(-1))


def _kendall_w(sums: Sums, cost: Array) -> Array:
    """Kendall's W with ties, as the mean correlation of mid-ranks: (1 + (R - 1) · mean covariance / mean variance) / R."""
    own, r = sums.complete_margins, sums.times.shape[-1]
    middle = below(own) + own / 2 - sums.complete[:, None, None] / 2
    first, second = np.triu_indices(r, 1)
    spread = sums.mean_over_raters((own * middle**2).sum(-1))
    together = sums.mean_over_pairs((middle[:, first, :, None] * middle[:, second, None, :] * sums.complete_tables).sum((-2, -1)))
    concordance: Array = (1 + (r - 1) * ratio(together, spread)) / r
    return concordance


def _moments(sums: Sums) -> tuple[Array, Array, Array]:
    """Mean variance of a rater, mean covariance of two, mean squared difference of their means: complete items only."""
    rank, n = np.arange(sums.shares.shape[-1]), sums.complete
    means = ratio(sums.complete_margins @ rank, n[:, None])
    first, second = np.triu_indices(sums.times.shape[-1], 1)
    squares = (sums.complete_margins * (rank - means[..., None]) ** 2).sum(-1)
    away = rank - means[..., None]
    products = (away[:, first, :, None] * away[:, second, None, :] * sums.complete_tables).sum((-2, -1))
    variance = ratio(sums.mean_over_raters(squares), n - 1)
    covariance = ratio(sums.mean_over_pairs(products), n - 1)
    return variance, covariance, sums.mean_over_pairs((means[:, first] - means[:, second]) ** 2)


def _icc(sums: Sums, cost: Array) -> Array:
    variance, covariance, apart = _moments(sums)
    return ratio(covariance, variance + apart / 2 - ratio(variance - covariance, sums.complete))


def _icc_mean(sums: Sums, cost: Array) -> Array:
    variance, covariance, apart = _moments(sums)
    r = sums.times.shape[-1]
    error = apart / 2 - ratio(variance - covariance, sums.complete)
    return ratio(r * covariance, variance + (r - 1) * covariance + error)


_SHARES = ("average", "paired", "shares", "rated")
_COMPLETE_SUMS = ("complete", "complete_margins", "complete_tables")
_COMPLETE = "no two items were rated by everybody, or all ratings of those are alike"
_ALL = [
    *(
        Coefficient(
            f"alpha_{level}",
            f"Krippendorff's alpha, {level}",
            "hayes2007",
            f"two ratings drawn without putting back from all that can be paired; distances of the {level} level",
            partial(_alpha, level),
            weighted=False,
            sums=("coincidences",),
        )
        for level in LEVELS
    ),
    Coefficient(
        "gwet_ac",
        "Gwet's AC",
        "gwet2008",
        "chance grows with how evenly the classes are used; stays high where one class dominates",
        _gwet,
        undefined="there is one class",
        sums=_SHARES,
    ),
    Coefficient(
        "fleiss_kappa", "Fleiss' kappa", "fleiss1971", "all raters draw from the same shares of classes", _fleiss, sums=_SHARES
    ),
    Coefficient(
        "conger_kappa",
        "Conger's kappa",
        "conger1980",
        "each rater draws from shares of their own",
        _conger,
        sums=("average", "paired", "margins"),
    ),
    Coefficient(
        "brennan_prediger",
        "Brennan-Prediger",
        "brennan1981",
        "every class is as likely as any other",
        _brennan_prediger,
        undefined="there is one class",
        sums=("average", "paired"),
    ),
    Coefficient(
        "pairwise_kappa",
        "mean pairwise kappa",
        "light1971",
        "the mean of Cohen's kappa over the pairs of raters that share items",
        _pairwise,
        undefined="for some pair of raters all common ratings are of one class",
        sums=("tables",),
    ),
    Coefficient(
        "kendall_w",
        "Kendall's W, with ties",
        "kendall1939",
        "whether raters order the items alike, on items that everybody rated; blind to severity",
        _kendall_w,
        weighted=False,
        undefined=_COMPLETE,
        complete=True,
        sums=_COMPLETE_SUMS,
        bounds=(0.0, 1.0),
    ),
    Coefficient(
        "icc",
        "ICC(2,1), one rater",
        "shrout1979",
        "absolute agreement of single ratings, raters a random sample, on items that everybody rated; classes as numbers",
        _icc,
        weighted=False,
        undefined=_COMPLETE,
        complete=True,
        sums=_COMPLETE_SUMS,
    ),
    Coefficient(
        "icc_mean",
        "ICC(2,k), mean rating",
        "shrout1979",
        "the same for the mean of as many raters as there are",
        _icc_mean,
        weighted=False,
        undefined=_COMPLETE,
        complete=True,
        sums=_COMPLETE_SUMS,
    ),
]
COEFFICIENTS = {coefficient.name: coefficient for coefficient in _ALL}
DEFAULT = ("alpha_ordinal", "gwet_ac", "fleiss_kappa", "conger_kappa", "brennan_prediger", "pairwise_kappa", "kendall_w", "icc", "icc_mean")  # fmt: skip


def choose(names: str | Sequence[str] | None, weights: KappaWeights | Matrix, power: float | None) -> list[Coefficient]:
    """The coefficients asked for, after a look at the weights."""
    check_weights(weights, power)
    if names is None:
        names = DEFAULT
    elif isinstance(names, str):
        names = list(COEFFICIENTS) if names == "all" else [names]
    if not names:
        raise ArgumentError("{coefficients} is empty", argument="coefficients", remedy="name at least one, or leave it out")
    for name in names:
        if name not in COEFFICIENTS:
            hint = near(str(name), COEFFICIENTS)
            raise ArgumentError(
                "there is no coefficient called {name}",
                argument="coefficients",
                remedy=f"{hint + ' ' if hint else ''}choose from {', '.join(COEFFICIENTS)}",
                values={"name": repr(name)},
            )
    if not isinstance(weights, str) and "gwet_ac" in names and np.min(weights) != 0:
        raise ArgumentError(
            "gwet_ac depends on how {weights} are normed",
            argument="weights",
            remedy="rescale the matrix so that its smallest weight is 0",
        )
    return [COEFFICIENTS[name] for name in names]
