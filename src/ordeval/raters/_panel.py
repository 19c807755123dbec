"""A model or judge against a panel: how well it predicts the raters, and how well they predict each other.

Against a consensus a fair comparison takes each rater in turn: the judge and that rater are both scored against the consensus of the
others, on the same items.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.evaluation import Score, plain_score
from ordeval.infer._auto import PSEUDO, PSEUDO_SIGNED, Streams
from ordeval.infer._conditions import Facts, lacking
from ordeval.infer._item_space import FEWEST_ITEMS, SumSpace, too_few, with_alternatives
from ordeval.infer._methods import check_request, samples
from ordeval.infer._tables import Term
from ordeval.metrics import Metric, get_metric
from ordeval.order.scale import Scale
from ordeval.raters._alternative import AnnotatorTest, annotator_test, panel_of
from ordeval.raters._intervals import inverted, without_interval
from ordeval.raters._sums import Patterns
from ordeval.raters._text import paragraphs, published, shown
from ordeval.show import Block, Result, Table, number, printable
from ordeval.show._numbers import signed
from ordeval.show._result import Record

CITE = ("haberman2008", "loukina2020")  # of PRMSE
REFERENCES = ("median", "mean", "soft")


@dataclass(frozen=True)
class Consensus:
    """The judge against what the raters say together."""

    reference: (
        str  #: "median" rating (the lower of two), "mean" rating to the nearest class, or "soft": all their ratings in parts
    )
    score: Score  #: the judge against all raters together
    judge: Score  #: the judge in the place of each rater in turn, against the others: the mean
    human: Score  #: the raters themselves, against the others
    difference: Score  #: judge less human


@dataclass(frozen=True, eq=False)
class JudgePanel(Result):
    """A judge beside the raters that it is meant to stand in for."""

    counts: Counts
    judge: str
    metric: str
    each: dict[str, Score]  #: by rater: the judge against this rater
    humans: dict[str, Score]  #: by rater: this rater against each of the others, the mean
    judge_mean: Score  #: the judge against each rater, the mean
    human_mean: Score  #: the human ceiling: raters against each other, the mean
    difference: Score  #: judge less human, paired by item
    against_best: Score  #: judge less the rater who predicts the others best
    against_worst: Score  #: judge less the rater who predicts the others worst
    consensus: dict[str, Consensus]
    prmse: Score  #: share of the variance of true scores that the judge predicts
    alternative: AnnotatorTest
    settings: dict[str, Any]

    @property
    def _sign(self) -> int:
        return 1 if get_metric(self.metric).direction == "higher" else -1

    @property
    def place(self) -> str:
        """Where the judge stands: "above", "within" or "below" the range of human raters, or "" where nobody can say."""
        best, worst = (
            sorted((self._sign * score.low, self._sign * score.high)) for score in (self.against_best, self.against_worst)
        )
        if math.isnan(best[0]) or math.isnan(worst[0]):
            return ""
        return "above" if best[0] > 0 else "below" if worst[1] < 0 else "within"

    @property
    def verdict(self) -> str:
        """What may be said, in a sentence."""
        judge, found = printable(self.judge), self.difference
        words = {
            "above": "is closer to the raters than any of them is to the others",
            "within": "is within the range of human raters",
            "below": "is below the range of human raters",
        }
        if not self.place:
            why = found.reason or "an interval is missing"
            return f"Whether {judge} is within the range of human raters cannot be said: {why}."
        return (
            f"{judge} {words[self.place]} by {get_metric(self.metric).title}: {number(self.judge_mean.value)} with them, "
            f"{number(self.human_mean.value)} among the raters themselves, "
            f"difference {signed(found.value)} [{signed(found.low)}, {signed(found.high)}]."
        )

    def _rows(self) -> list[Record]:
        """Every rater against the others, and the judge against them all."""
        found = {**self.humans, self.judge: self.judge_mean}
        return [
            {"rater": name, "metric": self.metric, "value": s.value, "low": s.low, "high": s.high} for name, s in found.items()
        ]

    def _blocks(self) -> list[Block]:
        rows = [[name, shown(score), shown(self.humans[name])] for name, score in self.each.items()]
        rows.append(["mean", shown(self.judge_mean), shown(self.human_mean)])
        rows += [[f"{name} of the others", shown(part.judge), shown(part.human)] for name, part in self.consensus.items()]
        caption = f"{self.judge} against {len(self.humans)} raters, by {get_metric(self.metric).title}."
        weights = self.counts.weights
        silent = int(weights[self.counts.cells[:, self.counts.axes.index(self.judge)] < 0].sum())
        return [
            Table(["rater", "judge", "raters among themselves"], rows, caption, left=3),
            *paragraphs(
                self.verdict,
                "" if math.isnan(self.prmse.value) else f"PRMSE against the true score: {shown(self.prmse)}.",
                f"{self.alternative}.",
                f"{self.judge} left {silent:,} of {int(weights.sum()):,} items unanswered; these items count in no score."
                if silent
                else "",
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        means = ("judge_mean", "human_mean", "difference", "against_best", "against_worst", "prmse")
        test = ("winning_rate", "advantage", "passed", "against", "settings")
        return {
            "schema": 1,
            "judge": self.judge,
            "metric": self.metric,
            "verdict": self.verdict,
            "place": self.place or None,
            **{part: published(getattr(self, part)) for part in ("each", "humans", *means, "consensus")},
            "alternative": {part: published(getattr(self.alternative, part)) for part in test},
            "settings": self.settings,
        }


@documented(
    "The judge against each rater and against what they say together, beside the raters against each other.",
    counts="The ratings, from `ratings` or `scan`, those of the judge among them.",
    metric="A score with a direction: its name, a text, or the function itself; a rater is taken as the truth.",
    epsilon="What the judge's lower price is worth in the alternative annotator test (`annotator_test`).",
)
def judge_panel(
    counts: Counts,
    judge: str,
    *,
    metric: str | Metric | Callable[..., float] = "cohen_kappa",
    epsilon: float = 0.2,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> JudgePanel:
    """A model or judge against a panel of raters: is it within the range of the people it is meant to stand in for?

    Intervals are over items, by test inversion.  Items that the judge left unanswered count in no comparison, and how many there are
    stands in the result's text.

    >>> from ordeval.raters import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2] * 20, "bob": [1, 2, 2, 3, 1] * 20, "gpt": [1, 2, 3, 2, 2] * 20}
    >>> panel = judge_panel(ratings(grades), "gpt")
    >>> print(panel.judge_mean, panel.place)
    0.600 [0.505, 0.679] within
    """
    found = get_metric(metric)
    if not isinstance(found.direction, str):
        problem = "{found} has a target, not a direction, so it does not say who is better"
        raise ArgumentError(problem, argument="metric", remedy="name another {metric}", values={"found": str(found)})
    check_request("auto", confidence_level, n_resamples, [], False)
    people = panel_of(counts, judge)
    tables = _Tables.of(counts, judge, people)
    if tables.units.number.sum() < 2:
        raise ValueError(f"{judge!r} and the raters share fewer than two items; there is nothing to compare")
    size = samples("auto", n_resamples)
    values = _Values(tables, found, confidence_level, size, rng)
    humans = {name: values.score(partial(_Scored.human, g=g)) for g, name in enumerate(people)}
    order = sorted(range(len(people)), key=lambda g: humans[people[g]].value * (1 if found.direction == "higher" else -1))
    worst, best = order[0], order[-1]
    return JudgePanel(
        counts,
        judge,
        str(found),
        {name: values.score(partial(_Scored.of, name="each", i=g)) for g, name in enumerate(people)},
        humans,
        values.score(partial(_Scored.mean, name="each")),
        values.score(partial(_Scored.mean, name="pairs")),
        values.score(lambda v: v.mean("each") - v.mean("pairs"), PSEUDO_SIGNED),
        values.score(lambda v: v.mean("each") - v.human(best), PSEUDO_SIGNED),
        values.score(lambda v: v.mean("each") - v.human(worst), PSEUDO_SIGNED),
        {
            reference: Consensus(
                reference,
                values.score(partial(_Scored.of, name=f"{reference} of all", i=0)),
                values.score(partial(_Scored.mean, name=f"{reference}, judge")),
                values.score(partial(_Scored.mean, name=f"{reference}, human")),
                values.score(partial(_Scored.less, name=f"{reference}, judge", other=f"{reference}, human"), PSEUDO_SIGNED),
            )
            for reference in REFERENCES
            if not (reference == "soft" and "whole counts" in found.needs)
        },
        prmse(counts, judge, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng),
        annotator_test(counts, judge, epsilon=epsilon),
        {
            "confidence_level": confidence_level,
            "n_resamples": size,
            "rng": rng if isinstance(rng, int) else "given",
            "epsilon": epsilon,
            "metric": str(found),
        },
    )


class _Tables:
    """K×K tables that are linear in the numbers of patterns: the truth is a rater or a consensus, the answer the judge or a rater."""

    def __init__(self, codes: Array, number: Array, scale: Scale) -> None:
        """``codes`` (patterns, people and, last, the judge)."""
        self.scale, self.k, self.people, self.codes = scale, scale.K, codes.shape[1] - 1, codes
        self._codes, self._judged = codes[:, :-1], codes[:, -1]
        self._parts: list[tuple[Array, Array, Array]] = []  # rows, cells, values
        self.places: dict[str, list[int]] = {}
        self._number = 0
        for g in range(self.people):
            self._add("each", self._soft([g]), self._judged)
        for g, h in permutations(range(self.people), 2):
            self._add("pairs", self._soft([h]), self._codes[:, g])
        everybody = list(range(self.people))
        for reference, of in (("median", self._median), ("mean", self._mean), ("soft", self._soft)):
            self._add(f"{reference} of all", of(everybody), self._judged)
            for g in range(self.people):
                there = (self._codes[:, g] >= 0) & (self._judged >= 0)  # both are asked about the same items
                others = of([h for h in everybody if h != g]) * there[:, None]
                self._add(f"{reference}, judge", others, self._judged)
                self._add(f"{reference}, human", others, self._codes[:, g])
        from scipy import sparse

        rows, columns, values = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        shape = (len(self._codes), self._number * self.k**2)
        self.units = Patterns(number, sparse.csr_matrix((values, (rows, columns)), shape=shape))

    @classmethod
    def of(cls, counts: Counts, judge: str, people: tuple[str, ...]) -> _Tables:
        """Of the items on which something can be compared."""
        codes = counts.cells[:, [counts.axes.index(name) for name in (*people, judge)]]
        given = (codes[:, :-1] >= 0).sum(1)
        used = (given > 0) & ((codes[:, -1] >= 0) | (given > 1))
        return cls(codes[used], counts.weights[used], counts.scale)

    def with_alternatives(self, pseudo: float) -> tuple[_Tables, Array]:
        """With the patterns that smoothing opens, and what it adds to each."""
        cells, number, added = with_alternatives(self.codes, self.units.number, self.k, pseudo)
        return _Tables(cells, number, self.scale), added

    def _add(self, name: str, truth: Array, answer: Array) -> None:
        """A table of a soft truth (patterns, K) and an answer; nothing is counted where one of them is not there."""
        rows, classes = np.nonzero(truth * (answer >= 0)[:, None])
        cells = self._number * self.k**2 + classes * self.k + answer[rows]
        self._parts.append((rows, cells, truth[rows, classes]))
        self.places.setdefault(name, []).append(self._number)
        self._number += 1

    def _soft(self, raters: list[int]) -> Array:
        """Shares of the classes among some raters' ratings; 0 everywhere where nobody rated."""
        chosen = self._codes[:, raters]
        given = np.stack([(chosen == c).sum(1) for c in range(self.k)], 1)
        shares: Array = given / np.maximum(given.sum(1, keepdims=True), 1)
        return shares

    def _median(self, raters: list[int]) -> Array:
        """The lower median: the first class at which half of the ratings are reached."""
        shares = self._soft(raters)
        return self._one_hot(np.argmax(shares.cumsum(1) >= 0.5 - 1e-12, 1), shares)

    def _mean(self, raters: list[int]) -> Array:
        """The class nearest to the mean, the lower one halfway."""
        shares = self._soft(raters)
        return self._one_hot(np.ceil(shares @ np.arange(self.k) - 0.5 - 1e-9).astype(int), shares)

    def _one_hot(self, code: Array, shares: Array) -> Array:
        one: Array = np.eye(self.k)[code] * (shares.sum(1, keepdims=True) > 0)
        return one


class _Values:
    """Scores of all tables of a stack, and intervals of what is made of them."""

    def __init__(self, tables: _Tables, metric: Metric, confidence_level: float, n_resamples: int, rng: Rng) -> None:
        self.tables, self.metric, self.confidence_level, self.n_resamples = tables, metric, confidence_level, n_resamples
        self._whole = tables.units.whole.reshape(-1, tables.k, tables.k)
        bound = (metric.bind(Counts.from_matrix(t, labels=tables.scale)) if t.any() else None for t in self._whole)
        self._terms = [None if kernel is None else Term(kernel, whole="whole counts" in metric.needs) for kernel in bound]
        self._streams, self._made = Streams(rng), 0
        self._smoothed = {pseudo: tables.with_alternatives(pseudo) for pseudo in (PSEUDO, PSEUDO_SIGNED)}

    def score(self, of: Callable[[_Scored], Array], pseudo: float = PSEUDO) -> Score:
        """A score with its interval; ``of`` makes it from the scores of some tables."""
        many, self._made = len(self._terms), self._made + 1
        used = np.flatnonzero(np.isnan(of(_Scored(self.tables, np.where(np.eye(many, dtype=bool), np.nan, 0.0)))))
        value = float(self._of(of, used, False, self._whole[None, used])[0])
        if reason := self._lacking(value, used):
            return without_interval(value, reason)
        smoothed, added = self._smoothed[pseudo]
        cells = self.tables.k**2
        adds = smoothed.units.adds[:, (used[:, None] * cells + np.arange(cells)).ravel()]
        ways = [partial(self._of, of, used, mixes) for mixes in (False, True)]
        space = SumSpace(ways[0], adds, smoothed.units.number, added, of_mixes=ways[1])
        low, high = self.metric.bounds_for(self.tables.k)
        bounds = (low, high) if pseudo == PSEUDO else (low - high, high - low)
        streams = self._streams.both(self._made)
        return plain_score(value, inverted(space, value, bounds, self.confidence_level, streams, self.n_resamples))

    def _of(self, of: Callable[[_Scored], Array], used: Array, mixes: bool, stack: Array) -> Array:
        """What is made of the used tables of a stack."""
        by_table = stack.reshape(len(stack), -1, self.tables.k, self.tables.k)
        values = np.zeros((len(self._terms), len(stack)))
        for i, t in enumerate(used.tolist()):
            term = self._terms[t]
            values[t] = np.nan if term is None else term.at(by_table[:, i]) if mixes else term.kernel(by_table[:, i])
        return of(_Scored(self.tables, values.T))

    def _lacking(self, value: float, used: Array) -> str:
        """Why no interval can be given."""
        if math.isnan(value):
            return "the score is undefined: for some rater, no item can be compared, or the score is undefined on these items"
        fewest = min((self._whole[t] for t in used), key=np.sum)
        if fewest.sum() < FEWEST_ITEMS:
            return too_few(fewest.sum(), "items to compare")
        facts = (Facts(float(t.sum()), t.sum(1), self.tables.scale.labels) for t in self._whole[used])
        return next(filter(None, (lacking(self.metric, fact) for fact in facts)), "")


@dataclass(frozen=True)
class _Scored:
    """The scores (b, tables) by what they are of."""

    tables: _Tables
    values: Array

    def of(self, name: str, i: int) -> Array:
        column: Array = self.values[:, self.tables.places[name][i]]
        return column

    def mean(self, name: str) -> Array:
        mean: Array = self.values[:, self.tables.places[name]].mean(1)
        return mean

    def less(self, name: str, other: str) -> Array:
        return self.mean(name) - self.mean(other)

    def human(self, g: int) -> Array:
        """Rater g as an answer, each of the others as the truth."""
        pairs = [i for i, pair in enumerate(permutations(range(self.tables.people), 2)) if pair[0] == g]
        mean: Array = self.values[:, [self.tables.places["pairs"][i] for i in pairs]].mean(1)
        return mean


@documented(
    "The coefficient with its interval: 1 is best, 0 no better than giving everybody the mean.",
    counts="The ratings, from `ratings` or `scan`, those of the judge among them.",
)
def prmse(counts: Counts, judge: str, *, confidence_level: float = 0.95, n_resamples: int | None = None, rng: Rng = 0) -> Score:
    """Proportional reduction in mean squared error against the true score, the mean of infinitely many raters (Haberman 2008).

    Needs some items with two ratings or more: they show how much of the variance is raters' error.  Items weigh by their number of
    ratings (Loukina et al. 2020); classes count as their ranks.

    >>> from ordeval.raters import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2] * 20, "bob": [1, 2, 2, 3, 1] * 20, "gpt": [1, 2, 3, 2, 2] * 20}
    >>> print(prmse(ratings(grades), "gpt"))
    0.506 [0.320, 0.649]
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    people = panel_of(counts, judge)
    codes = counts.cells[:, [counts.axes.index(name) for name in (*people, judge)]]
    used = (codes[:, -1] >= 0) & (codes[:, :-1] >= 0).any(1)
    codes, number = codes[used], counts.weights[used].astype(float)
    if not ((codes[:, :-1] >= 0).sum(1) > 1).any():
        return without_interval(math.nan, "no item has two ratings, so the raters' error is not known")
    value = float(_prmse((number @ _true_score_sums(codes))[None])[0])
    if math.isnan(value):
        return without_interval(value, "the score is undefined: the items do not differ in their true score")
    if number.sum() < FEWEST_ITEMS:
        return without_interval(value, too_few(number.sum()))
    cells, seen, added = with_alternatives(codes, number, counts.scale.K, PSEUDO)
    from scipy import sparse

    space = SumSpace(_prmse, sparse.csr_matrix(_true_score_sums(cells)), seen, added)
    size, streams = samples("auto", n_resamples), Streams(rng).both("prmse")
    return plain_score(value, inverted(space, value, (-math.inf, math.inf), confidence_level, streams, size))


def _true_score_sums(codes: Array) -> Array:
    """(patterns, 7): what an item adds to the sums behind PRMSE; the last column of the codes is the judge."""
    here, judged = codes[:, :-1] >= 0, codes[:, -1]
    grades, number = np.where(here, codes[:, :-1], 0).astype(float), here.sum(1).astype(float)
    mean = grades.sum(1) / np.maximum(number, 1)
    within = (np.where(here, grades - mean[:, None], 0) ** 2).sum(1)
    adds = [np.ones(len(mean)), number, number**2, number * mean, number * mean**2, number * (mean - judged) ** 2, within]
    return np.column_stack(adds)


def _prmse(stack: Array) -> Array:
    items, ratings, squares, first, second, apart, error = stack.T
    noise = ratio(error, ratings - items)
    spread = ratio(second - ratio(first**2, ratings) - (items - 1) * noise, ratings - ratio(squares, ratings))
    found: Array = 1 - ratio(ratio(apart - items * noise, ratings), spread)
    return found
