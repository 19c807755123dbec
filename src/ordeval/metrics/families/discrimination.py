"""Do higher scores go with higher classes?  Pairs and chains of rows in the right order, and losses at thresholds of a score.

Rows are sorted by their score once.  Cumulative weights of each class along that order count the pairs, for any weights of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import AucAverage, Column, Labels, Proba, ThresholdLoss, Thresholds, Weights

__all__ = ["concordance_index", "ordinal_auc", "threshold_loss", "volume_under_surface"]


class Ordered(RowScore):
    """A score that depends on the order of the rows by their score, and on which of them tie."""

    def __init__(self, rows: Forecast) -> None:
        self.forecast: Forecast = rows
        self.order: Array = np.argsort(rows.order_score, kind="stable")
        score = rows.order_score[self.order]
        self.first: Array = np.flatnonzero(np.r_[True, score[1:] != score[:-1]])  # where each group of equal scores begins
        self.group: Array = np.cumsum(np.r_[False, score[1:] != score[:-1]])
        self.true: Array = rows.true[self.order]

    def grouped(self, weights: Array, code: int) -> Array:
        """Weights of the rows of one class in each group of equal scores, (b, groups); the weights are sorted."""
        own = np.where(self.true == code, weights, 0.0)
        return own if self.first.size == self.true.size else np.add.reduceat(own, self.first, 1)

    def at_rows(self, groups: Array) -> Array:
        return groups if self.first.size == self.true.size else groups[:, self.group]

    def classes(self, weights: Array) -> Array:
        """Weight of each class, (b, K)."""
        found: Array = weights @ (self.true[:, None] == np.arange(self.forecast.scale.K)).astype(float)
        return found

    def unsorted(self, values: Array) -> Array:
        found = np.empty_like(values)
        found[:, self.order] = values
        return found

    @property
    def seen(self) -> Array:
        """(K,) which classes came true."""
        found: Array = np.bincount(self.true, minlength=self.forecast.scale.K) > 0
        return found

    def first_empty(self) -> str:
        """The lowest class without rows, in words; "" if there is none."""
        empty = np.flatnonzero(~self.seen)
        return f"class {self.forecast.scale.labels[empty[0]]} has no rows" if empty.size else ""


def exponents(sizes: Array, *, running: bool = False) -> Array:
    """Powers of two, (b, K), by which to divide so that every class weighs between 1/2 and 1; or so that the running product does.

    Dividing by them rounds nothing, and products of what they leave neither overflow nor vanish, however large the weights are.
    """
    mantissa, exponent = np.frexp(np.where(sizes > 0, sizes, 1.0))
    product = np.ones(len(sizes))
    for code in range(sizes.shape[1] if running else 0):
        product, shift = np.frexp(product * mantissa[:, code])
        exponent[:, code] += shift
    return np.asarray(exponent)


class Pairs(Ordered):
    """The mean over some groups of pairs of classes of how much of their pairs of rows are in the right order, ties counting half.

    `average` is a word of `GROUPS`.  Weights are taken in units of their class, and classes are put in proportion where a group
    holds several pairs.
    """

    def __init__(self, rows: Forecast, average: str) -> None:
        super().__init__(rows)
        self.average: str = average

    @property
    def _alone(self) -> Array | None:
        """The pairs that count, each for itself; None where groups hold several of them."""
        k = self.forecast.scale.K
        masks = {"consecutive": np.eye(k, k=1, dtype=bool), "pairs": np.triu(np.ones((k, k), bool), 1)}
        return masks.get(self.average)

    @property
    def _together(self) -> list[Array]:
        """The groups of pairs, (K, K) each: all pairs t < u, or those on either side of each cut."""
        code = np.arange(self.forecast.scale.K)
        if self.average == "all":
            return [code[:, None] < code]
        return [(code[:, None] <= cut) & (cut < code) for cut in code[:-1]]

    def _below(self, weights: Array, code: int) -> Array:
        """For every row, the weight of the rows of a class with a lower score, and half of those with the same, (b, N)."""
        own = self.grouped(weights, code)
        return self.at_rows(np.cumsum(own, 1) - own / 2)

    def _right(self, weights: Array) -> Array:
        """Weight of the pairs in the right order, (b, K, K): the lower class first."""
        k = self.forecast.scale.K
        member = (self.true[:, None] == np.arange(k)).astype(float)
        return np.stack([(weights * self._below(weights, code)) @ member for code in range(k)], 1)

    def _units(self, weights: Array) -> tuple[Array, Array, Array, Array]:
        """Weights in units of their class, the sizes of the classes likewise, those units, and what a pair of units counts, (b, K, K)."""
        exponent = exponents(self.classes(weights))
        scaled = np.ldexp(weights, -exponent[:, self.true])
        return scaled, self.classes(scaled), np.ldexp(1.0, -exponent), exponent[:, :, None] + exponent[:, None, :]

    def _shares(self, mask: Array, exponent: Array, sizes: Array) -> tuple[Array, Array]:
        """For a group of pairs: what a pair in units of its classes counts, (b, K, K), and what all of them count, (b,)."""
        there = mask & (sizes[:, :, None] > 0) & (sizes[:, None, :] > 0)
        largest = np.where(there, exponent, -np.inf).max((1, 2), keepdims=True)
        with np.errstate(invalid="ignore", under="ignore"):
            counts = np.where(there, np.exp2(np.where(there, exponent - largest, 0.0)), 0.0)
        return counts, (counts * sizes[:, :, None] * sizes[:, None, :]).sum((1, 2))

    def __call__(self, weights: Array) -> Array:
        scaled, sizes, _, exponent = self._units(weights[:, self.order])
        right, alone = self._right(scaled), self._alone
        if alone is not None:
            areas = ratio(right, sizes[:, :, None] * sizes[:, None, :])[:, alone]
        else:
            parts = [(*self._shares(mask, exponent, sizes),) for mask in self._together]
            areas = np.stack([ratio((counts * right).sum((1, 2)), every) for counts, every in parts] or [sizes[:, 0] * np.nan], 1)
        return ratio(areas.sum(1), areas.shape[1])

    def why_undefined(self) -> str:
        k, labels = self.forecast.scale.K, self.forecast.scale.labels
        if k == 1:
            return f"there is only one class, {labels[0]}"
        if self._alone is not None:
            return self.first_empty()
        seen = np.flatnonzero(self.seen)
        if self.average == "all":
            return f"only class {labels[seen[0]]} came true, so there is no pair" if seen.size == 1 else ""
        if seen[0] > 0:
            return f"no row is of class {labels[0]}: the first cut has one side only"
        return f"no row is of class {labels[-1]}: the last cut has one side only" if seen[-1] < k - 1 else ""

    def influence(self, weights: Array) -> Array:
        scaled, sizes, units, exponent = self._units(weights[:, self.order])
        right = self._right(scaled)
        every = sizes[:, :, None] * sizes[:, None, :]
        alone = self._alone
        # What a pair of units adds to the score, and what a pair more in the denominators takes away, both (b, K, K).
        if alone is not None:
            adds = np.where(alone, ratio(1 / np.count_nonzero(alone), every), 0)
            takes = adds * ratio(right, every)
        else:
            adds, takes = np.zeros_like(right), np.zeros_like(right)
            for mask in self._together:
                counts, total = self._shares(mask, exponent, sizes)
                each = ratio(counts, total[:, None, None]) / len(self._together)
                adds += each
                takes += each * ratio((counts * right).sum((1, 2)), total)[:, None, None]
        found = np.zeros_like(scaled)
        for code in range(sizes.shape[1]):
            below, size = self._below(scaled, code), sizes[:, [code]]
            found += adds[:, code, self.true] * below - takes[:, code, self.true] * size  # rows of the higher classes
            found += adds[:, :, code][:, self.true] * (size - below) - takes[:, :, code][:, self.true] * size  # and of the lower
        return self.unsorted(found * units[:, self.true])


@metric(
    kernel=lambda rows: Pairs(rows, "all"), title="Concordance index", plain="pairs in the right order",
    formula=r"\frac{|\{(i, j) : y_i < y_j, s_i < s_j\}| + \frac{1}{2} |\{(i, j) : y_i < y_j, s_i = s_j\}|}{|\{(i, j) : y_i < y_j\}|}",
    formula_text="share of the pairs of rows with y_i < y_j for which s_i < s_j; s_i = s_j counts half; s the mean rank under p",
    direction="higher", bounds=(0, 1), undefined="only one class came true, so there is no pair",
    ignores="whether the probabilities are right: only the order of the rows matters",
    misleads=["two classes hold most of the rows: nearly all pairs are theirs"], structure="order", needs=["probabilities"],
    cite="harrell1982", see=["ordinal_auc", "volume_under_surface"], laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1, 2], [0.0, 2.0, 1.0])}, aliases={"c_index": {}},
)  # fmt: skip
def concordance_index(y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Share of the pairs of rows with different classes in which the row of the higher class has the higher score.

    1/2 is chance.  The score of a row is its mean rank under ``proba``, or the number given for it;
    pairs with equal scores count half.

    >>> concordance_index([1, 1, 2, 3], [0.1, 0.4, 0.3, 0.9])
    0.8
    """
    return score(concordance_index, y_true, proba=proba, labels=labels, sample_weight=sample_weight)


@metric(
    kernel=Pairs, title="Ordinal area under the ROC curve",
    plain="area under the ROC curves", formula=r"\frac{1}{K - 1} \sum_{k=2}^{K} \mathrm{AUC}(y \geq k)",
    formula_text="""mean of the areas under the ROC curves of the score s:
  splits       of each cut "class k or above"
  consecutive  of each class against the next
  pairs        of each class against each other""",
    direction="higher", bounds=(0, 1), undefined="a class, or one side of a cut, has no rows",
    ignores="whether the probabilities are right: only the order of the rows matters",
    misleads=["its three averages are taken for the same number, or when a class has few rows: it weighs as much as any other"],
    structure="order", needs=["probabilities"],
    parameters={"average": Parameter('Over every cut "class k or above" (``splits``), each class against the next (``consecutive``), or each class against each other, all counting the same (``pairs``).')},
    cite="waegeman2008", see=["concordance_index", "volume_under_surface"],
    laws={"perfect": "", "reversal": "", "prevalence": ""}, broken={"unused_class": ([0, 1], [0.0, 1.0])},
    variants=[Variant(when=lambda average: average == "splits", broken={"prevalence": ([0, 1, 2], [0.0, 2.0, 1.0])})],
)  # fmt: skip
def ordinal_auc(
    y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None, average: AucAverage = "splits"
) -> float:
    """Mean area under the ROC curves of the cuts of the scale, or of pairs of classes.

    1/2 is chance.  Equal scores count half.

    >>> round(ordinal_auc([1, 1, 2, 3], [0.1, 0.4, 0.3, 0.9], labels=[1, 2, 3]), 3)
    0.875
    """
    return score(ordinal_auc, y_true, proba=proba, labels=labels, sample_weight=sample_weight, average=average)


def roc_curves(rows: Forecast) -> list[tuple[Array, float]]:
    """For every cut "the next class or above": the ROC curve, (points, 2) of false and true alarms, and the area under it.

    All cuts share one score, as in `ordinal_auc`, whose mean over the splits is that of these areas.  Equal scores are one
    straight step.  Where one side of a cut has no rows there is no curve: no points, and nan.
    """
    ordered = Ordered(rows)
    k = rows.scale.K
    weights = rows.weights[None, ordered.order]
    by_class = np.stack([ordered.grouped(weights, code)[0] for code in range(k)])[:, ::-1]  # the highest score first
    found = []
    for cut in range(1, k):
        sides = np.stack([by_class[:cut].sum(0), by_class[cut:].sum(0)], 1)
        curve = np.concatenate([np.zeros((1, 2)), np.cumsum(sides, 0)])
        if not (curve[-1] > 0).all():
            found.append((np.empty((0, 2)), math.nan))
            continue
        curve = curve / curve[-1]
        area = float(np.trapezoid(curve[:, 1], curve[:, 0]))
        found.append((curve[_corners(sides)], area))
    return found


def _corners(steps: Array) -> Array:
    """Which points of a path with these steps are its ends or its corners; the others lie on straight lines."""
    turns = steps[:-1, 0] * steps[1:, 1] != steps[:-1, 1] * steps[1:, 0]
    corners: Array = np.r_[True, turns, True]
    return corners


class Chains(Ordered):
    """The share of chains, one row of each class, whose scores rise with the class; r tied classes earn 1/r!.

    `ways[j]` holds, for every group of equal scores, the chains of the classes below j that end before it; a group that supplies
    the classes i..j-1 at once multiplies their weights in it, divided by (j - i)!.  Weights are in units in which there are always
    between 1/2 and 1 chains of the first classes, so nothing overflows, however many rows and classes there are.
    """

    def _ways(self, groups: list[Array]) -> tuple[list[Array], list[Array]]:
        """Chains of classes 0..j-1 before each group, for j = 0..K, and all of them at the end."""
        before, at_end = [np.ones_like(groups[0])], [np.ones(len(groups[0]))]
        for j in range(1, len(groups) + 1):
            added, product = np.zeros_like(groups[0]), np.ones_like(groups[0])
            for i in range(j - 1, -1, -1):
                product = product * groups[i] / (j - i)
                if not product.any():  # no group holds rows of all these classes
                    break
                added += before[i] * product
            sums = np.cumsum(added, 1)
            before.append(sums - added)
            at_end.append(sums[:, -1])
        return before, at_end

    def _units(self, weights: Array) -> tuple[list[Array], Array, Array]:
        """For every class its weight in each group of equal scores, (b, groups), and in all; and the units they are in, (b, K)."""
        exponent = exponents(self.classes(weights), running=True)
        scaled = np.ldexp(weights, -exponent[:, self.true])
        groups = [self.grouped(scaled, code) for code in range(self.forecast.scale.K)]
        return groups, self.classes(scaled), np.ldexp(1.0, -exponent)

    def __call__(self, weights: Array) -> Array:
        groups, sizes, _ = self._units(weights[:, self.order])
        return ratio(self._ways(groups)[1][-1], sizes.prod(1))

    def why_undefined(self) -> str:
        return self.first_empty()

    def influence(self, weights: Array) -> Array:
        groups, sizes, units = self._units(weights[:, self.order])
        k, every = len(groups), sizes.prod(1)[:, None]
        before, at_end = self._ways(groups)
        value = ratio(at_end[-1][:, None], every)
        backwards, _ = self._ways([group[:, ::-1] for group in reversed(groups)])
        after = [ways[:, ::-1] for ways in reversed(backwards)]  # after[j]: chains of classes j..K-1 behind each group
        found = np.zeros_like(weights)
        for code in range(k):
            ways = np.zeros_like(groups[0])
            for i in range(code + 1):
                for j in range(code + 1, k + 1):
                    part = before[i] * after[j]
                    for step, other in enumerate((c for c in range(i, j) if c != code), 2):
                        part = part * groups[other] / step
                    ways += part
            own = ratio(self.at_rows(ways), every) - ratio(value, sizes[:, [code]])
            found = np.where(self.true == code, own * units[:, [code]], found)
        return self.unsorted(found)


@metric(
    kernel=Chains, title="Volume under the ROC surface", plain="one row per class, in order",
    formula=r"\Pr(s_1 < s_2 < \ldots < s_K)",
    formula_text="share of the choices of one row of each class with s_1 < s_2 < … < s_K; r tied classes earn 1 / r!",
    direction="higher", bounds=(0, 1), undefined="a class has no rows",
    ignores="whether the probabilities are right: only the order of the rows matters",
    misleads=["it is compared across scales: its chance value shrinks with every class"], structure="order",
    needs=["probabilities"], cite="nakas2004", see=["concordance_index", "ordinal_auc"],
    laws={"perfect": "", "reversal": "", "prevalence": ""}, broken={"unused_class": ([0, 1], [0.0, 1.0])}, aliases={"vus": {}},
)  # fmt: skip
def volume_under_surface(y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """Probability that rows drawn at random, one from each class, have scores in the order of their classes.

    1/K! is chance.  The score of a row is its mean rank under ``proba``, or the number given for
    it; a tie of r classes earns 1/r!.

    >>> volume_under_surface([1, 1, 2, 3], [0.1, 0.4, 0.3, 0.9], labels=[1, 2, 3])
    0.5
    """
    return score(volume_under_surface, y_true, proba=proba, labels=labels, sample_weight=sample_weight)


LOSSES: dict[str, Callable[[Array], Array]] = {
    "logistic": lambda margin: np.logaddexp(0, -margin),
    "hinge": lambda margin: np.maximum(0, 1 - margin),
    "zero_one": lambda margin: (margin < 0).astype(float),  # off the thresholds; on one, it depends on the side
}
KINDS = ("all", "immediate")


def _threshold_loss(rows: Forecast, thresholds: Any, kind: str, loss: str) -> RowScore:
    k, true = rows.scale.K, rows.true
    score = rows.order_score if loss == "zero_one" else rows.score
    cuts = np.arange(1.5, k) if thresholds is None else np.asarray(thresholds, float)
    if len(cuts) != k - 1:
        raise ValueError(f"thresholds= holds {len(cuts)} numbers; {k} classes ({rows.scale}) have {k - 1} thresholds")
    cost, found = LOSSES[loss], np.zeros(len(rows))
    for cut, threshold in enumerate(cuts):
        above = true > cut
        counted = (true == cut) | (true == cut + 1) if kind == "immediate" else slice(None)
        if loss == "zero_one":  # a score on the threshold belongs to the class below it
            broken = np.where(above, score <= threshold, score > threshold).astype(float)
        else:
            broken = cost(np.where(above, score - threshold, threshold - score))
        found[counted] += broken[counted]
    return RowMean(rows, None, scores=found)


def _check_threshold_loss(thresholds: Any, kind: str, loss: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown; choose 'all' or 'immediate'")
    if loss not in LOSSES:
        raise ValueError(f"loss={loss!r} is unknown; choose one of {', '.join(map(repr, LOSSES))}")
    if thresholds is not None:
        cuts = np.asarray(thresholds, float)
        if cuts.ndim != 1 or not np.isfinite(cuts).all() or (np.diff(cuts) < 0).any():
            raise ValueError(f"thresholds={thresholds!r}: thresholds must be finite numbers that never decrease")


@metric(
    kernel=_threshold_loss,
    title="Threshold loss",
    plain="wrong side of thresholds",
    formula=r"\frac{1}{N} \sum_i \sum_k \ell(z_{ik} (s_i - \theta_k)), \qquad z_{ik} = \pm 1",
    formula_text="""mean over the rows of   Σ_k loss( z_k (s − θ_k) ),   z_k = 1 if the truth is above threshold k, else −1

kind="all": k over all thresholds; "immediate": over the two beside the true class
loss: logistic log(1 + e^−x), hinge max(0, 1 − x), zero_one 1[x < 0];
      with zero_one a score on a threshold is below it: x = 0 costs 1 where the truth is above, else 0""",
    direction="lower",
    bounds=(0, "inf"),
    undefined="there are no rows",
    ignores="how well the score orders rows of the same class",
    misleads=['scores of different scale are compared: all but "zero_one" change when score and thresholds are stretched'],
    structure="row_mean",
    needs=["probabilities"],
    check=_check_threshold_loss,
    parameters={
        "thresholds": Parameter(
            "The thresholds between the classes, never decreasing; None takes those halfway between the ranks, for probabilities."
        ),
        "kind": Parameter("Over all thresholds, or only the two around the truth."),
        "loss": Parameter("The cost of a score's distance to the wrong side."),
    },
    cite="rennie2005",
    see=["ordinal_log_loss", "mae"],
    laws={"perfect": "", "reversal": "", "unused_class": ""},
    broken={"prevalence": ([0, 1], [[1, 0], [1, 0]])},
    variants=[
        Variant(
            when=lambda loss, **_: loss != "zero_one",
            broken={"perfect": ([0, 1], [[1, 0], [0, 1]]), "unused_class": ([0, 1], [[1, 0], [0, 1]])},
        ),
        Variant(
            when=lambda loss, kind, **_: loss == "zero_one" and kind == "all",
            bounds=(0, "K - 1"),
        ),
        Variant(
            when=lambda loss, kind, **_: loss == "zero_one" and kind == "immediate",
            bounds=(0, 1),
        ),
        Variant(  # a score on a threshold belongs to the class below it
            when=lambda loss, **_: loss == "zero_one",
            broken={"reversal": ([0], [[0.5, 0.5]])},
        ),
    ],
)
def threshold_loss(
    y_true: Column,
    proba: Proba = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    thresholds: Column | None = None,
    kind: Thresholds = "all",
    loss: ThresholdLoss = "logistic",
) -> float:
    """Mean over the rows of what a score on the wrong side of the thresholds between the classes costs.

    The score of a row is the number given for it, with ``thresholds`` that never decrease; or its mean rank
    under ``proba``, with thresholds halfway between the ranks.  ``kind`` is "all" thresholds or the "immediate" two around the
    truth; ``loss`` is "logistic", "hinge" or "zero_one".  With "zero_one", "all" is the mean rank error and "immediate" the error rate
    of the class that the thresholds choose; a score on a threshold belongs to the class below it.

    >>> threshold_loss([1, 2, 3], [0.2, 0.9, 0.4], labels=[1, 2, 3], thresholds=[0.3, 0.6], loss="zero_one")
    0.6666666666666666
    """
    return score(
        threshold_loss,
        y_true,
        proba=proba,
        labels=labels,
        sample_weight=sample_weight,
        thresholds=thresholds,
        kind=kind,
        loss=loss,
    )
