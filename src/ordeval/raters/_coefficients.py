"""Agreement of many raters: each coefficient as a function of the sums, with its title, paper and what it leaves out.

Every chance-corrected coefficient is 1 - (observed cost) / (cost expected by chance), cost = 1 - weight; they differ in what they
expect by chance.  With missing ratings an item's pairs of ratings count one item in all (alpha: as many as it has ratings).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from ordeval.base.arrays import Array, above, below, ratio
from ordeval.base.errors import ArgumentError, near
from ordeval.base.types import Matrix
from ordeval.metrics import get_metric
from ordeval.metrics.families.agreement import LEVELS, check_weights, cost_of
from ordeval.raters._sums import Kernel, RatedItems, Sums

KappaWeights: TypeAlias = Literal["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement: what it is called, who proposed it, and how it is computed."""

    name: str
    title: str
    cite: str
    chance: str  #: what it expects by chance, or what it measures, in words
    kernel: Callable[[Sums, Array], Array]  #: of the sums and the cost
    why: Callable[[RatedItems, Array, Sequence[str]], str]  #: which condition fails where there is no value
    weighted: bool = True  #: depends on weights=
    undefined: str = "all ratings are of one class, so no disagreement is to be expected"
    complete: bool = False  #: made from the items that everybody rated
    sums: tuple[str, ...] = ()  #: the names of the sums that it is made from
    bounds: tuple[float, float] = (-math.inf, 1.0)

    def bind(self, weights: KappaWeights | Matrix, power: float | None, k: int) -> Kernel:
        """The kernel with the cost that a scheme of weights means for K classes."""
        return partial(_bound, self.kernel, cost_of(weights, power, k))

    def on(self, units: RatedItems, cost: Array, names: Sequence[str]) -> Coefficient:
        """The same coefficient, with the condition that these ratings fail where it has no value for them."""
        missing = bool(np.isnan(self.kernel(units.sums(units.whole), cost))[0])
        return replace(self, undefined=self.why(units, cost, names) or self.undefined) if missing else self

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


def _moments(sums: Sums) -> tuple[Array, Array, Array, Array]:
    """Variance, covariance of two raters and error of the mean, all times one number, and the sum of what the error is made of.

    Complete items only.  They are whole numbers where the items are counted, so that a sum that is 0 is 0 here too.
    """
    k, n = sums.shares.shape[-1], sums.complete
    rank = 2.0 * np.arange(k) - (k - 1)  # twice the steps from the middle of the scale
    first, second = np.triu_indices(sums.times.shape[-1], 1)
    added = sums.complete_margins @ rank
    squares = n[:, None] * (sums.complete_margins @ rank**2) - added**2
    products = n[:, None] * ((sums.complete_tables @ rank) @ rank) - added[:, first] * added[:, second]
    apart = (added[:, first] - added[:, second]) ** 2
    raters, pairs = sums.times.sum(-1), sums.pair_times.sum(-1)
    variance = 2 * pairs * (sums.times * squares).sum(-1)
    covariance, apart = (raters * (sums.pair_times * each).sum(-1) for each in (2 * products, apart))
    return n * variance, n * covariance, (n - 1) * apart, variance - covariance


def _over(numerator: Array, *parts: Array) -> Array:
    """A quotient whose denominator is a sum of parts; one that is 0 but for rounding is 0, and there is no value."""
    denominator = np.sum(parts, 0)
    return ratio(numerator, np.where(np.abs(denominator) <= ROUNDING * np.sum(np.abs(parts), 0), 0.0, denominator))


def _icc(sums: Sums, cost: Array) -> Array:
    variance, covariance, apart, rest = _moments(sums)
    return _over(covariance, variance, apart, -rest)


def _icc_mean(sums: Sums, cost: Array) -> Array:
    variance, covariance, apart, rest = _moments(sums)
    r = sums.times.shape[-1]
    return _over(r * covariance, variance, (r - 1) * covariance, apart, -rest)


# Why there is no value: looked for among the ratings, not in the score


def _one_class(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    """All ratings are of one class, or of classes whose confusion costs nothing."""
    seen = np.unique(units.codes[units.codes >= 0])
    if seen.size == 1:
        return "all ratings are of one class, so no disagreement is to be expected"
    return "" if cost[np.ix_(seen, seen)].any() else "confusing the classes that were given costs nothing"


def _one_pairable(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    """The same among the items with two ratings or more."""
    given = units.codes >= 0
    pairable = given & (given.sum(1) > 1)[:, None]
    alike = np.unique(units.codes[pairable]).size == 1
    return "all ratings that can be paired are of one class, so no disagreement is to be expected" if alike else ""


def _one_on_the_scale(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    return "there is one class" if units.K == 1 else ""


def _one_pair(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    """Two raters whose common ratings leave no disagreement to be expected."""
    for g, h in combinations(range(units.R), 2):
        both = (units.codes[:, g] >= 0) & (units.codes[:, h] >= 0)
        first, second = (np.unique(units.codes[both, rater]) for rater in (g, h))
        if both.any() and not cost[np.ix_(first, second)].any():
            return f"raters {names[g]} and {names[h]} gave one and the same class to all items that both rated"
    return ""


def _no_spread(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    complete = units.codes[(units.codes >= 0).all(1)]
    if units.complete < 2:
        return "no two items were rated by everybody"
    return "every rater gave all items that everybody rated the same class" if (complete == complete[0]).all() else ""


def _no_variance(units: RatedItems, cost: Array, names: Sequence[str]) -> str:
    complete = units.codes[(units.codes >= 0).all(1)]
    if units.complete < 2:
        return "no two items were rated by everybody"
    if (complete == complete[0, 0]).all():
        return "all ratings of the items that everybody rated are alike"
    return "the mean squares of items, raters and error cancel in the denominator"


_SHARES = ("average", "paired", "shares", "rated")
_COMPLETE_SUMS = ("complete", "complete_margins", "complete_tables")
_COMPLETE = "no two items were rated by everybody, or every rater gave all of those the same class"
_COMPLETE_MEAN = (
    "no two items were rated by everybody, all ratings of those are alike, or their mean squares cancel in the denominator"
)
ROUNDING = 1e-15  # of a sum, as a share of its parts
_ALL = [
    *(
        Coefficient(
            f"alpha_{level}",
            f"Krippendorff's alpha, {level}",
            "hayes2007",
            f"two ratings drawn without replacement from all that can be paired; distances of the {level} level",
            partial(_alpha, level),
            _one_pairable,
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
        _one_on_the_scale,
        undefined="there is one class",
        sums=_SHARES,
    ),
    Coefficient(
        "fleiss_kappa",
        "Fleiss' kappa",
        "fleiss1971",
        "all raters draw from the same shares of classes",
        _fleiss,
        _one_class,
        sums=_SHARES,
    ),
    Coefficient(
        "conger_kappa",
        "Conger's kappa",
        "conger1980",
        "each rater draws from shares of their own",
        _conger,
        _one_class,
        sums=("average", "paired", "margins"),
    ),
    Coefficient(
        "brennan_prediger",
        "Brennan-Prediger",
        "brennan1981",
        "every class is as likely as any other",
        _brennan_prediger,
        _one_on_the_scale,
        undefined="there is one class",
        sums=("average", "paired"),
    ),
    Coefficient(
        "pairwise_kappa",
        "mean pairwise kappa",
        "light1971",
        "the mean of Cohen's kappa over the pairs of raters that share items",
        _pairwise,
        _one_pair,
        undefined="for some pair of raters all common ratings are of one class",
        sums=("tables",),
    ),
    Coefficient(
        "kendall_w",
        "Kendall's W, with ties",
        "kendall1939",
        "whether raters order the items alike, on items that everybody rated; blind to severity",
        _kendall_w,
        _no_spread,
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
        _no_variance,
        weighted=False,
        undefined=_COMPLETE_MEAN,
        complete=True,
        sums=_COMPLETE_SUMS,
    ),
    Coefficient(
        "icc_mean",
        "ICC(2,k), mean rating",
        "shrout1979",
        "the same for the mean of as many raters as there are",
        _icc_mean,
        _no_variance,
        weighted=False,
        undefined=_COMPLETE_MEAN,
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
            "gwet_ac depends on how {weights} are scaled",
            argument="weights",
            remedy="rescale the matrix so that its smallest weight is 0",
        )
    return [COEFFICIENTS[name] for name in names]
