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
from ordeval.counts import Counts
from ordeval.evaluation import Score
from ordeval.infer._methods import check_request
from ordeval.metrics import Metric, get_metric
from ordeval.raters._alternative import AnnotatorTest, annotator_test, panel_of
from ordeval.raters._intervals import FEWEST_ITEMS, jackknifed, too_few, without_interval
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
    """A judge beside the raters that it is to stand for."""

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
            f"{judge} {words[self.place]} by {get_metric(self.metric).title}: {number(self.judge_mean.value)} with them, they among "
            f"themselves {number(self.human_mean.value)}, difference {signed(found.value)} [{signed(found.low)}, {signed(found.high)}]."
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
                f"{self.judge} left {silent:,} of {int(weights.sum()):,} items unanswered; they are in no score."
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
    metric="A score with a direction: its name, a text, or the function itself; a rater is its truth.",
    epsilon="What the judge's lower price is worth in the alternative annotator test (`annotator_test`).",
)
def judge_panel(
    counts: Counts,
    judge: str,
    *,
    metric: str | Metric | Callable[..., float] = "cohen_kappa",
    epsilon: float = 0.2,
    confidence_level: float = 0.95,
) -> JudgePanel:
    """A model or judge against a panel of raters: is it within the range of the people it is to stand for?

    Intervals are over items, by the jackknife with Student's t.  Items that the judge left unanswered count in no comparison, and how
    many there are stands in the result's text.

    >>> from ordeval.raters import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2] * 20, "bob": [1, 2, 2, 3, 1] * 20, "gpt": [1, 2, 3, 2, 2] * 20}
    >>> panel = judge_panel(ratings(grades), "gpt")
    >>> print(panel.judge_mean, panel.place)
    0.600 [0.513, 0.687] within
    """
    found = get_metric(metric)
    if not isinstance(found.direction, str):
        problem = "{found} has a target, not a direction, so nobody is better by it"
        raise ArgumentError(problem, argument="metric", remedy="name another {metric}", values={"found": str(found)})
    check_request("auto", confidence_level, 1_999, [], False)
    people = panel_of(counts, judge)
    tables = _Tables(counts, judge, people)
    if tables.units.number.sum() < 2:
        raise ValueError(f"{judge!r} and the raters share fewer than two items; there is nothing to compare")
    values = _Values(tables, found, confidence_level)
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
        values.score(lambda v: v.mean("each") - v.mean("pairs")),
        values.score(lambda v: v.mean("each") - v.human(best)),
        values.score(lambda v: v.mean("each") - v.human(worst)),
        {
            reference: Consensus(
                reference,
                values.score(partial(_Scored.of, name=f"{reference} of all", i=0)),
                values.score(partial(_Scored.mean, name=f"{reference}, judge")),
                values.score(partial(_Scored.mean, name=f"{reference}, human")),
                values.score(partial(_Scored.less, name=f"{reference}, judge", other=f"{reference}, human")),
            )
            for reference in REFERENCES
            if not (reference == "soft" and "whole counts" in found.needs)
        },
        prmse(counts, judge, confidence_level=confidence_level),
        annotator_test(counts, judge, epsilon=epsilon),
        {"confidence_level": confidence_level, "epsilon": epsilon, "metric": str(found)},
    )


class _Tables:
    """K×K tables that are linear in the numbers of patterns: the truth is a rater or a consensus, the answer the judge or a rater."""

    def __init__(self, counts: Counts, judge: str, people: tuple[str, ...]) -> None:
        self.scale, self.k, self.people = counts.scale, counts.scale.K, len(people)
        codes = counts.cells[:, [counts.axes.index(name) for name in people]]
        judged = counts.cells[:, counts.axes.index(judge)]
        used = (codes >= 0).any(1) & ((judged >= 0) | ((codes >= 0).sum(1) > 1))
        self._codes, self._judged = codes[used], judged[used]
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
                others = of([h for h in everybody if h != g])
                there = (self._codes[:, g] >= 0) & (self._judged >= 0)  # both are asked about the same items
                self._add(f"{reference}, judge", others, np.where(there, self._judged, -1))
                self._add(f"{reference}, human", others, np.where(there, self._codes[:, g], -1))
        from scipy import sparse

        rows, columns, values = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        shape = (len(self._codes), self._number * self.k**2)
        self.units = Patterns(counts.weights[used], sparse.csr_matrix((values, (rows, columns)), shape=shape))

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

    def __init__(self, tables: _Tables, metric: Metric, confidence_level: float) -> None:
        self.tables, self.metric, self.confidence_level = tables, metric, confidence_level
        whole = tables.units.whole.reshape(-1, tables.k, tables.k)
        self._bound = [metric.bind(Counts.from_matrix(t, labels=tables.scale)) if t.any() else None for t in whole]
        self._point = tables.units.point(self._all)[None]
        self._left_out = tables.units.left_out(self._all)

    def _all(self, stack: Array) -> Array:
        """(b, tables)."""
        by_table = stack.reshape(len(stack), -1, self.tables.k, self.tables.k)
        missing = np.full(len(stack), np.nan)
        return np.stack([missing if f is None else f(by_table[:, i]) for i, f in enumerate(self._bound)], -1)

    def score(self, of: Callable[[_Scored], Array]) -> Score:
        """A score with its jackknife interval."""
        point, left_out = (of(_Scored(self.tables, values)) for values in (self._point, self._left_out))
        undefined = "for some rater, no item can be compared, or the score is undefined on these items"
        return _over_items(self.tables.units, float(point[0]), left_out, undefined, self.confidence_level)


def _over_items(units: Patterns, value: float, left_out: Array, undefined: str, confidence_level: float) -> Score:
    if units.total < FEWEST_ITEMS and not math.isnan(value):
        return without_interval(value, too_few(units.total))
    return jackknifed(units, value, left_out, undefined, confidence_level)


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
def prmse(counts: Counts, judge: str, *, confidence_level: float = 0.95) -> Score:
    """Proportional reduction in mean squared error against the true score, the mean of infinitely many raters (Haberman 2008).

    Needs some items with two ratings or more: they show how much of the variance is raters' error.  Items weigh by their number of
    ratings (Loukina et al. 2020); classes count as their ranks.

    >>> from ordeval.raters import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2] * 20, "bob": [1, 2, 2, 3, 1] * 20, "gpt": [1, 2, 3, 2, 2] * 20}
    >>> print(prmse(ratings(grades), "gpt"))
    0.506 [0.348, 0.664]
    """
    check_request("auto", confidence_level, 1_999, [], False)
    people = panel_of(counts, judge)
    codes = counts.cells[:, [counts.axes.index(name) for name in people]]
    judged = counts.cells[:, counts.axes.index(judge)]
    used = (judged >= 0) & (codes >= 0).any(1)
    grades, here = np.where(codes >= 0, codes, 0)[used].astype(float), (codes >= 0)[used]
    number = here.sum(1).astype(float)
    mean = grades.sum(1) / np.maximum(number, 1)
    within = (np.where(here, grades - mean[:, None], 0) ** 2).sum(1)
    adds = [np.ones(len(mean)), number, number**2, number * mean, number * mean**2, number * (mean - judged[used]) ** 2, within]
    units = Patterns(counts.weights[used], np.column_stack(adds))

    def statistic(stack: Array) -> Array:
        items, ratings, squares, first, second, apart, error = stack.T
        noise = ratio(error, ratings - items)
        spread = ratio(second - ratio(first**2, ratings) - (items - 1) * noise, ratings - ratio(squares, ratings))
        return 1 - ratio(ratio(apart - items * noise, ratings), spread)

    undefined = "no item has two ratings, so the raters' error is not known"
    if not (number > 1).any():
        return without_interval(math.nan, undefined)
    return _over_items(units, float(units.point(statistic)), units.left_out(statistic), undefined, confidence_level)
