r"""Dominance: is one model at least as good as another under every cost of a family?  The answer that needs no choice of metric.

Three families of cost, each within the next.  A cost is 0 for the right class; the two models share their true classes, so what
a cost gives the right answers would cancel anyway.  Every cost of a family is a sum, with weights from 0 on, of steps "1 from an
error of k steps on", and every such step is itself a cost of the family.  So one model is at least as good under every cost of
the family exactly when its *tails*, the rows that each step counts, are nowhere larger than the other's:

========  ===================================================  =====================================================
family    costs of a row of class t answered with p            tails
========  ===================================================  =====================================================
distance  f(\|t - p\|), f never falling                        rows off by k or more
class     w(t) · f(\|t - p\|), w from 0 on, f never falling    for each true class: rows off by k or more
side      any, growing with distance on each side of each t    for each true class: rows k or more below; k or more above
========  ===================================================  =====================================================

(The costs of the second family are no cone, but each is a sum of its tails with weights w(t) · (f(k) - f(k - 1)), and that is all
the argument needs.)  Where the tails disagree, some cost of the family turns around what \|t - p\| says.  The closest such cost is
the one whose ratio to \|t - p\| varies least: the largest over the smallest ratio is its *factor*.  Scaled so that the smallest
ratio is at least 1, \|t - p\| ≤ c ≤ factor · \|t - p\| is linear in the cost and the factor together: one linear programme, no search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, above, below, rank_difference, rank_distance
from ordeval.base.docs import documented
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._flips import amount, paired
from ordeval.infer._methods import NORMAL, check_request
from ordeval.infer._units import Statistic, Units
from ordeval.order.scale import Scale
from ordeval.show import Line, Result
from ordeval.show._plain import printable
from ordeval.show._result import Record

EQUAL = 1e-12  # of all rows: weighted tails closer than this are the same
NAMED = 3  # kinds of error spelled out in a sentence
FAMILIES = ("distance", "class", "side")
_WORDS = {"distance": "By distance alone", "class": "By distance and true class", "side": "By distance, true class and side"}


@dataclass(frozen=True)
class ErrorTail:
    """The rows off by some steps or more, of one true class or of all, on one side or on both; and the band of their difference."""

    true: Any  #: the true class; None for all
    side: str  #: "below", "above", or "" for both
    steps: int
    a: float  #: rows of the first model
    b: float  #: rows of the second
    low: float = math.nan  #: simultaneous band of the rows of b minus those of a, in samples of this size
    high: float = math.nan


@dataclass(frozen=True, eq=False)
class Reversal:
    """The cost of a family closest to |t - p| that turns its verdict around."""

    factor: float  #: up to this factor between a cost and |t - p| the verdict stands, or is a tie; beyond it some cost turns it
    reached: float  #: the factor, rounded up, at which `cost` does turn it
    cost: Array  #: (K, K), truth by answer; scaled so that it is nowhere below |t - p|
    raised: str  #: what it weighs that many times, in words
    also: int = 0  #: kinds of error that it raises by less, held by a neighbour that must not cost less, or more

    def __str__(self) -> str:
        others = f" (and {self.also} other error{'s' * (self.also > 1)} by less)" if self.also else ""
        return f"a cost that weighs {self.raised} {self.reached:.10g} times{others} reverses that"


@dataclass(frozen=True, eq=False)
class Family:
    """Whether one model is at least as good as the other under every cost of one family."""

    name: str  #: "distance", "class" or "side"
    better: str | None  #: the model at least as good under every cost, and better under some; None where there is none
    equal: bool  #: the models tie under every cost
    certain: bool | None  #: the bands say so as well; None where there are no bands, or nothing to be certain of
    unjudged: int  #: tails in which no row tells the two apart: what is certain is so but for these
    tails: tuple[ErrorTail, ...]  #: every tail with a row in it
    reversal: Reversal | None  #: the closest cost that turns the verdict of |t - p|; for "class" among w(t) · |t - p|
    reason: str = ""  #: why there is no reversal
    leader: str | None = None  #: the better model by |t - p|, whose verdict a reversal turns
    confidence_level: float = 0.95

    def __str__(self) -> str:
        if self.equal:
            return f"{_WORDS[self.name]}: the two tie under every cost."
        sure = f"with {100 * self.confidence_level:g} % confidence" if self.certain else "in this sample"
        if self.better is None:
            ahead = "" if self.leader is None else f"{self.leader} is better by |t − p|, but "
            return f"{_WORDS[self.name]}: {ahead}neither is better under every cost ({sure}); {self.reversal or self.reason}."
        if self.certain and self.unjudged:
            sure += f", but for {self.unjudged} kind{'s' * (self.unjudged > 1)} of error where no row tells the two apart"
        return f"{_WORDS[self.name]}: {self.better} is at least as good under every cost ({sure})."


@dataclass(frozen=True, eq=False)
class Dominance(Result):
    """Whether one model is at least as good as the other whatever an error costs, in three families of cost."""

    a: str
    b: str
    rows: float  #: answered by both
    steps_a: float  #: the sum of |t - p| over the rows of the first model
    steps_b: float
    better: str | None  #: by |t - p|; None for a tie
    distance: Family
    by_class: Family
    side: Family
    confidence_level: float
    n_resamples: int
    reason: str = ""  #: why there are no bands; empty where there are

    @property
    def families(self) -> tuple[Family, Family, Family]:
        """From the narrowest family to the widest: a model dominant in one is so in those before it."""
        return self.distance, self.by_class, self.side

    def _rows(self) -> list[Record]:
        return [
            {"family": family.name, **vars(tail), "certain": family.certain} for family in self.families for tail in family.tails
        ]

    def _blocks(self) -> list[Line]:
        off = f"{self.a} is off by {self.steps_a:,.10g} steps in all, {self.b} by {self.steps_b:,.10g}"
        first = f"By |t − p| {f'{self.better} is better' if self.better else 'the two tie'}: {off} ({amount(self.rows)})."
        last = [f"No bands: {self.reason}."] if self.reason else []
        return [Line(said) for said in (first, *map(str, self.families), *last)]


@documented("What holds in each family of costs.")
def dominance(
    counts: Counts, a: str, b: str, *, confidence_level: float = 0.95, n_resamples: int = 9_999, rng: Rng = 0
) -> Dominance:
    """Whether model a or b is at least as good as the other under every cost of each family, over the rows that both answered.

    What the sample says is a finite check of tails.  Whether it is certain is read from simultaneous bands around the
    differences of the tails of a family: the largest studentised deviation among the replicates of one resampling of the
    joint rows, at least that of a single normal deviate, and one row more because rows are whole (Edwards 1948).  With clusters
    these are resampled, and the bands widened as Student's t asks for their number.  A model's dominance is certain when every
    band of a tail with a row on which the two differ lies on its side of 0, and so does that of each narrower family; that
    neither dominates is certain when one band lies above 0 and another below, here and in each wider family.

    >>> from ordeval import count
    >>> old, new = [1, 1, 1, 1, 2, 2], [0, 1, 2, 2, 2, 0]
    >>> print(dominance(count([0, 1, 2, 2, 2, 2], {"old": old, "new": new}), "old", "new").distance.reversal)
    a cost that weighs errors of 2 steps 1.51 times reverses that
    """
    check_request("auto", confidence_level, n_resamples, (), False)
    both = paired(counts, a, b)
    joint = both.pair(a, b)
    tables = np.stack([joint.sum(2), joint.sum(1)])
    tails = _tails(tables)
    close = 0 if both.is_integral else EQUAL * float(joint.sum())
    steps = [sum(found.tolist()) for found in tails["distance"]]
    gap = steps[1] - steps[0]
    better = None if abs(gap) <= close else b if gap < 0 else a
    bands, reason = None, ""
    if both.weighted and not both.cluster:
        reason = "rows with weights were added up; give cluster=, the column that names what was sampled, or a row number if rows were sampled"
    else:
        bands = _bands(both, (a, b), confidence_level, n_resamples, rng, close)
    found = []
    for family in FAMILIES:
        change = _settled(tails[family][1] - tails[family][0], close)
        dominant = b if (change <= 0).all() else a if (change >= 0).all() else None
        equal = not change.any()
        reversal, why = None, ""
        if better is None:
            why = "|t − p| itself ties, so the smallest change of it decides" * (not equal)
        elif dominant:
            why = f"under no such cost is {a if dominant == b else b} better"
        else:
            adverse = tables[1] - tables[0] if better == b else tables[0] - tables[1]
            reversal = _REVERSALS[family](adverse, both.scale, close)
            why = "" if reversal else f"no weighing of the classes alone reverses |t − p|: {better} is as close or closer in each"
        band = None if bands is None else bands[family]
        listed = _listed(both.scale, family, tails[family], band)
        certain = None if band is None or equal else band.certain(dominant, b)
        unjudged = 0 if band is None else int(np.count_nonzero(~band.judged))
        found.append(
            Family(family, None if equal else dominant, equal, certain, unjudged, listed, reversal, why, better, confidence_level)
        )
    narrow, weighed, wide = _in_line(found)
    return Dominance(
        a, b, joint.sum().item(), steps[0], steps[1], better, narrow, weighed, wide, confidence_level, n_resamples, reason
    )


def _settled(values: Array, close: float) -> Array:
    """The values, with those that weights and rounding cannot tell from 0 made 0."""
    found: Array = np.where(np.abs(values) <= close, 0, values)
    return found


def _in_line(families: Sequence[Family]) -> tuple[Family, Family, Family]:
    """Certain of a dominance only where certain of those it implies, in narrower families; so too of its absence, in wider ones."""
    found = list(families)
    for order, dominant in ((range(3), True), (reversed(range(3)), False)):
        sure = True
        for i in order:
            if found[i].certain is not None and (found[i].better is not None) is dominant:
                sure = sure and bool(found[i].certain)
                found[i] = replace(found[i], certain=sure)
    return found[0], found[1], found[2]


# Tails


def _tails(stack: Array) -> dict[str, Array]:
    """The tails of each family, (..., tails)."""
    k = stack.shape[-1]
    beyond = stack + np.where(rank_difference(k) > 0, above(stack), below(stack))  # answered with p, or further from t
    by_class = np.zeros((*stack.shape[:-1], max(0, k - 1)), stack.dtype)
    for steps in range(1, k):
        by_class[..., : k - steps, steps - 1] += np.diagonal(beyond, steps, -2, -1)
        by_class[..., steps:, steps - 1] += np.diagonal(beyond, -steps, -2, -1)
    (true, less), (truth, answer) = _places(k)
    return {"distance": by_class.sum(-2), "class": by_class[..., true, less], "side": beyond[..., truth, answer]}


def _places(k: int) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Where a class can be off by so many steps, (class, steps - 1); and the wrong answers, (class, answer)."""
    furthest = rank_distance(k).max(-1, initial=0)
    return np.nonzero(np.arange(k - 1) < furthest[:, None]), np.nonzero(rank_distance(k))


def _listed(scale: Scale, family: str, tails: Array, band: _Band | None) -> tuple[ErrorTail, ...]:
    """The tails that hold a row, by name."""
    (classes, less), (true, answer) = _places(scale.K)
    kinds: dict[str, Callable[[int], tuple[Any, str, int]]] = {
        "distance": lambda i: (None, "", i + 1),
        "class": lambda i: (scale.labels[classes[i]], "", int(less[i]) + 1),
        "side": lambda i: (
            scale.labels[true[i]],
            "above" if answer[i] > true[i] else "below",
            abs(int(answer[i]) - int(true[i])),
        ),
    }
    held = np.flatnonzero(tails.any(0)).tolist()
    ends = [() if band is None else (float(band.low[i]), float(band.high[i])) for i in held]
    return tuple(ErrorTail(*kinds[family](i), *tails[:, i].tolist(), *end) for i, end in zip(held, ends, strict=True))


# Bands


@dataclass(frozen=True, eq=False)
class _Band:
    """Simultaneous bands of the differences of one family's tails, and which tails have a row that tells the models apart."""

    low: Array
    high: Array
    judged: Array

    def certain(self, dominant: str | None, b: str) -> bool:
        low, high = self.low[self.judged], self.high[self.judged]
        if dominant is None:
            return bool((low > 0).any() and (high < 0).any())
        return bool((high <= 0).all() if dominant == b else (low >= 0).all())


def _bands(
    counts: Counts, models: Sequence[str], confidence_level: float, n_resamples: int, rng: Rng, close: float
) -> dict[str, _Band]:
    """Bands by the largest studentised deviation (max-t) within each family, from one resampling."""
    units = Units(counts, models)
    sizes = [found.shape[-1] for found in _tails(np.zeros((units.K, units.K))).values()]
    families = [slice(end - size, end) for size, end in zip(sizes, np.cumsum(sizes).tolist(), strict=True)]

    def change(stack: Array) -> Array:
        return np.concatenate(list(_tails(stack[:, 1] - stack[:, 0]).values()), -1)

    point = units.point(change)
    error, judged = _errors(units, change, point, close)
    known = error > 0
    inverse = np.divide(1, error, out=np.zeros_like(error), where=known)

    def largest(stack: Array) -> Array:
        away = np.abs(change(stack) - point) * inverse
        return np.stack([away[:, family].max(-1, initial=0) for family in families], -1)

    reach = np.quantile(
        units.resampled(largest, n_resamples, np.random.default_rng(rng)), confidence_level, axis=0, method="weibull"
    )
    tail = (1 + confidence_level) / 2
    reach, row = np.maximum(reach, NORMAL.inv_cdf(tail)), 1.0  # few rows have few replicates, and quantiles between them
    if units.clustered:
        from scipy.special import stdtrit

        reach, row = reach * float(stdtrit(units.total - 1, tail)) / NORMAL.inv_cdf(tail), 0.0
    bands = {}
    for name_, family, times in zip(FAMILIES, families, reach.tolist(), strict=True):
        half = np.where(judged[family], times * error[family] + row, 0)
        bands[name_] = _Band(point[family] - half, point[family] + half, judged[family])
    return bands


def _errors(units: Units, change: Statistic, point: Array, close: float) -> tuple[Array, Array]:
    """Standard errors of sums over units, exactly; and whether any unit adds to them at all."""
    squares, size = np.zeros_like(point), len(units.number)
    judged = np.zeros(len(point), bool)
    for chunk in units.chunks(size):
        number = units.number[chunk, None]
        each = change(units.stack((np.arange(size)[chunk, None] == np.arange(size)).astype(float)))
        squares += (number * (each - point / units.total) ** 2).sum(0)
        judged |= (np.abs(each) > close).any(0)
    correction = units.total / (units.total - 1) if units.clustered else 1.0
    return np.where(judged, np.sqrt(squares * correction), 0), judged


# The closest cost that reverses |t - p|


def _rounded_up(factor: float) -> float:
    """The next number with three digits, clearly beyond a factor that was itself found with seven."""
    digits = 2 - math.floor(math.log10(factor))
    return round(math.ceil(factor * (1 + 1e-6) * 10.0**digits) / 10.0**digits, max(0, digits))


def _listing(items: Sequence[str], rest: str = "") -> str:
    """a, b and c; the first few, where there are many."""
    shown = list(items) if len(items) <= NAMED + 1 else list(items[:NAMED])
    if len(items) > len(shown):
        shown.append(f"{len(items) - NAMED} other {rest}")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _by_class(adverse: Array, scale: Scale, close: float) -> Reversal | None:
    """Class weights closest to equal: the classes that speak against the verdict weigh the factor, all others 1.

    With weights between 1 and R the verdict moves most against the winner with R on every class where it is further off: by
    R · loss - gain.
    """
    distance = rank_distance(scale.K)
    worse = _settled((adverse * distance).sum(-1), close * scale.K)
    against = worse > 0
    if not against.any():
        return None
    factor = float(-worse[~against].sum() / worse[against].sum())
    reached = _rounded_up(factor)
    order = np.argsort(-worse, kind="stable")[: np.count_nonzero(against)]
    raised = _listing([printable(scale.labels[i]) for i in order], "classes")
    return Reversal(factor, reached, np.where(against, reached, 1.0)[:, None] * distance, raised)


def _by_distance(adverse: Array, scale: Scale, close: float) -> Reversal:
    distance = rank_distance(scale.K)
    rows = np.array([adverse[distance == steps].sum() for steps in range(1, scale.K)])
    factor, reached, (costs,) = _closest([_settled(rows, close)])
    top, also = _raised(costs / np.arange(1, scale.K), reached)
    sizes = [str(i + 1) for i in top]
    onwards = len(top) > 1 and np.array_equal(top, np.arange(top[0], scale.K - 1))
    raised = (
        f"errors of {sizes[0]} or more steps" if onwards else f"errors of {_listing(sizes, 'sizes')} step{'s' * (sizes != ['1'])}"
    )
    return Reversal(factor, reached, np.concatenate([[0.0], costs])[distance], raised, also)


def _by_side(adverse: Array, scale: Scale, close: float) -> Reversal:
    k = scale.K
    sides = [(t, np.arange(t + way, k if way > 0 else -1, way)) for t in range(k) for way in (-1, 1)]
    sides = [(t, answers) for t, answers in sides if adverse[t, answers].any()]
    rows = [_settled(adverse[t, answers], close) for t, answers in sides]
    factor, reached, found = _closest(rows)
    cost = rank_distance(k).astype(float)
    for (t, answers), costs in zip(sides, found, strict=True):
        cost[t, answers] = costs
    places = np.array([(t, p) for t, answers in sides for p in answers])
    ratio = cost[tuple(places.T)] / rank_distance(k)[tuple(places.T)]
    worth = adverse[tuple(places.T)] * cost[tuple(places.T)]
    top, also = _raised(np.where(worth == 0, 1, ratio), reached)  # only errors of which rows tell
    top = top[np.argsort(-worth[top], kind="stable")]
    raised = _listing([f"{printable(scale.labels[t])} taken for {printable(scale.labels[p])}" for t, p in places[top]], "errors")
    return Reversal(factor, reached, cost, raised, also)


def _raised(ratio: Array, reached: float) -> tuple[Array, int]:
    """Which errors are weighed as many times as any, and how many more by less."""
    top = ratio > reached * (1 - 1e-6)
    return np.flatnonzero(top), int(np.count_nonzero(~top & (ratio > 1 + 1e-6)))


def _closest(chains: Sequence[Array]) -> tuple[float, float, list[Array]]:
    """The least factor at which costs along these chains, each growing, tie; that factor rounded up; and costs that reverse there.

    A chain holds how many rows more the winner has with an error of 1, 2, … steps.  Errors that neither has more of need no
    variable: between their neighbours there is always room for a cost.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    held = [np.flatnonzero(rows) for rows in chains]
    steps = np.concatenate([h + 1.0 for h in held])
    worth = steps * np.concatenate([rows[h] for rows, h in zip(chains, held, strict=True)])
    worth = worth / np.abs(worth).max()
    size = len(steps)
    # Unknowns: the ratios cost / |t - p|, and last the factor.  A cost does not fall from one error of a chain to the next:
    last = np.cumsum([len(h) for h in held]) - 1
    links = np.setdiff1d(np.arange(size), last)
    rows = np.arange(len(links))
    grows = sparse.csr_matrix(
        (np.r_[steps[links] / steps[links + 1], -np.ones(len(links))], (np.r_[rows, rows], np.r_[links, links + 1])),
        shape=(len(links), size + 1),
    )
    within = sparse.hstack([sparse.eye(size), -np.ones((size, 1))])  # no ratio exceeds the factor
    ties = sparse.csr_matrix(np.r_[-worth, 0.0])
    least = linprog(
        np.r_[np.zeros(size), 1.0],
        A_ub=sparse.vstack([grows, within, ties]),
        b_ub=np.zeros(len(links) + size + 1),
        bounds=(1, None),
        method="highs",
    )
    factor = float(least.x[-1])
    reached = _rounded_up(factor)
    most = linprog(-worth, A_ub=grows[:, :-1], b_ub=np.zeros(len(links)), bounds=(1, reached), method="highs")
    ratios = np.where(most.x > reached * (1 - 1e-6), reached, np.where(most.x < 1 + 1e-6, 1.0, most.x))
    return (
        factor,
        reached,
        [_filled(len(chain), h, found) for chain, h, found in zip(chains, held, np.split(ratios, last[:-1] + 1), strict=True)],
    )


def _filled(size: int, held: Array, ratios: Array) -> Array:
    """The costs of all errors of a chain: those in between keep the ratio of the one before, as far as the next allows."""
    steps = np.arange(1.0, size + 1)
    before = np.r_[1.0, ratios][np.searchsorted(held, np.arange(size), "right")]
    following = np.r_[(held + 1) * ratios, np.inf][np.searchsorted(held, np.arange(size))]
    found: Array = np.minimum(steps * before, following)
    return found


_REVERSALS: dict[str, Callable[[Array, Scale, float], Reversal | None]] = {
    "distance": _by_distance,
    "class": _by_class,
    "side": _by_side,
}
