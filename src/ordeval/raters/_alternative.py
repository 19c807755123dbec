"""The alternative annotator test (Calderon, Reichart & Dror 2025): may a judge take the place of one of the raters?

Each rater in turn is set aside, and item by item the judge and that rater are compared by how close they come to the others.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.raters._ratings import check_rater, check_word
from ordeval.raters._text import records_table
from ordeval.show import Block, Line, Result
from ordeval.show._result import Record

CITE = ("calderon2025", "benjamini2001")
Closeness: TypeAlias = Literal["rmse", "accuracy"]
FEWEST = 30  # items with which the test's t distribution is taken to hold


@dataclass(frozen=True)
class Against:
    """The judge in the place of one rater."""

    rater: str
    items: int
    judge: float  #: share of items on which the judge is at least as close to the others
    human: float  #: the same for the rater
    p_value: float  #: of the rater being better by epsilon or more; nan with fewer than 30 items
    wins: bool  #: rejected, all raters together at the false discovery rate


@dataclass(frozen=True)
class AnnotatorTest(Result):
    """May the judge take a rater's place?"""

    judge: str
    against: dict[str, Against]
    winning_rate: float  #: share of raters whose place the judge may take
    advantage: float  #: mean over raters of the share of items on which the judge is at least as close
    settings: dict[str, Any]

    @property
    def passed(self) -> bool:
        """In half of the places or more."""
        return self.winning_rate >= 0.5

    def _rows(self) -> list[Record]:
        return [asdict(part) for part in self.against.values()]

    def _blocks(self) -> list[Block]:
        verdict = "passes" if self.passed else "does not pass"
        said = (
            f"{self.judge} {verdict} the alternative annotator test: it may take the place of {self.winning_rate:.0%} of "
            f"{len(self.against)} raters (epsilon {self.settings['epsilon']:g}), mean advantage probability {self.advantage:.2f}"
        )
        return [Line(said)]

    def _tables(self) -> list[Block]:
        return [records_table(self._rows(), f"{self}.")]


@documented(
    "For each rater, whether the judge or that rater is closer to the others, with the p-value; "
    "and the share of raters whose place the judge may take.",
    counts="The ratings, from `ratings` or `scan`, those of the judge among them.",
    epsilon="What the judge's lower price is worth; the authors of the test advise 0.2 for experts, "
    "0.15 for trained raters, 0.1 for crowd workers.",
    closeness="What is compared: the root mean squared error on ranks, or the share of equal grades.",
    false_discovery="The false discovery rate over all raters, after Benjamini and Yekutieli.",
)
def annotator_test(
    counts: Counts, judge: str, *, epsilon: float = 0.2, closeness: Closeness = "rmse", false_discovery: float = 0.05
) -> AnnotatorTest:
    """Set each rater aside and ask who is closer to the others, the judge or that rater; ties count for both.

    The test is a one-sided paired t-test.

    >>> from ordeval.raters import ratings
    >>> grades = {"ann": [1, 2, 3, 3] * 20, "bob": [1, 2, 2, 3] * 20, "gpt": [1, 2, 3, 2] * 20}
    >>> annotator_test(ratings(grades), "gpt").winning_rate
    0.5
    """
    check_word("closeness", closeness, get_args(Closeness))
    if not 0 <= epsilon < 1:
        problem = "{epsilon:{given}} must be a difference of shares, from 0 to below 1"
        raise ArgumentError(problem, argument="epsilon", values={"given": repr(epsilon)})
    if not 0 < false_discovery < 1:
        problem, given = "{false_discovery:{given}} is not between 0 and 1", {"given": repr(false_discovery)}
        raise ArgumentError(problem, argument="false_discovery", remedy="0.05 means 5 %", values=given)
    people = panel_of(counts, judge)
    codes = counts.cells[:, [counts.axes.index(name) for name in people]]
    judged = counts.cells[:, counts.axes.index(judge)]
    found = [_against(codes, judged, counts.weights, g, epsilon, closeness) for g in range(len(people))]
    wins = _false_discoveries(np.array([p for *_, p in found]), false_discovery)
    against = {name: Against(name, *parts, bool(won)) for name, parts, won in zip(people, found, wins.tolist(), strict=True)}
    settings = {"epsilon": epsilon, "closeness": closeness, "false_discovery": false_discovery}
    advantages = [part.judge for part in against.values()]
    return AnnotatorTest(judge, against, float(wins.mean()), float(np.mean(advantages)), settings)


def panel_of(counts: Counts, judge: str) -> tuple[str, ...]:
    """The raters beside the judge: two or more."""
    check_rater(counts, judge, "judge")
    people = tuple(name for name in counts.axes if name != judge)
    if len(people) < 2:
        raise ValueError(f"beside {judge!r} there is one rater ({people[0]}); a panel has two or more")
    return people


def _against(
    codes: Array, judged: Array, number: Array, g: int, epsilon: float, closeness: str
) -> tuple[int, float, float, float]:
    from scipy.special import stdtr

    others = np.delete(codes, g, 1)
    used = (judged >= 0) & (codes[:, g] >= 0) & (others >= 0).any(1)
    n = int(number[used].sum())
    if not n:
        return 0, math.nan, math.nan, math.nan
    here = others[used] >= 0

    def distance(answer: Array) -> Array:
        """Exact whole numbers, so that ties are ties: both answers are compared with the same ratings."""
        steps = others[used] - answer[used][:, None]
        cost = steps**2 if closeness == "rmse" else steps != 0
        total: Array = np.where(here, cost, 0).sum(1)
        return total

    by_judge, by_rater, weight = distance(judged), distance(codes[:, g]), number[used]
    judge_wins, rater_wins = (by_judge <= by_rater).astype(float), (by_rater <= by_judge).astype(float)
    judge, human = float(weight @ judge_wins) / n, float(weight @ rater_wins) / n
    apart = rater_wins - judge_wins
    mean = human - judge
    variance = float(weight @ (apart - mean) ** 2) / max(n - 1, 1)
    if n < FEWEST:
        return n, judge, human, math.nan
    if variance == 0:
        return n, judge, human, 0.0 if mean < epsilon else 1.0
    return n, judge, human, float(stdtr(n - 1, (mean - epsilon) / math.sqrt(variance / n)))


def _false_discoveries(p_values: Array, rate: float) -> Array:
    """Which are rejected after Benjamini and Yekutieli (2001); nan never is."""
    m = len(p_values)
    limit = rate / (m * sum(1 / i for i in range(1, m + 1)))
    order = np.argsort(p_values, kind="stable")  # nan last
    below = np.flatnonzero(p_values[order] <= limit * np.arange(1, m + 1))
    rejected = np.zeros(m, bool)
    rejected[order[: below.max() + 1 if below.size else 0]] = True
    return rejected
