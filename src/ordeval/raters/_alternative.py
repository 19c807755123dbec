"""The alternative annotator test (Calderon, Reichart & Dror 2025): may a judge take the place of one of the raters?

Each rater in turn is set aside, and item by item the judge and that rater are compared by how close they come to the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.raters._ratings import raters_of

CITE = ("calderon2025", "benjamini2001")
CLOSENESS = ("rmse", "accuracy")
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
class AnnotatorTest:
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

    def __str__(self) -> str:
        verdict = "passes" if self.passed else "does not pass"
        return (
            f"{self.judge} {verdict} the alternative annotator test: it may take the place of {self.winning_rate:.0%} of "
            f"{len(self.against)} raters (epsilon {self.settings['epsilon']:g}), mean advantage probability {self.advantage:.2f}"
        )


def annotator_test(
    counts: Counts, judge: str, *, epsilon: float = 0.2, closeness: str = "rmse", false_discovery: float = 0.05
) -> AnnotatorTest:
    """Set each rater aside and ask who is closer to the others, the judge or that rater; ties count for both.

    ``epsilon`` is what the judge's lower price is worth: its authors advise 0.2 where the raters are experts, 0.15 where they are
    trained, 0.1 for crowd workers.  ``closeness`` is "rmse" on ranks or "accuracy".  The test is one-sided, paired t, and corrected
    for several raters after Benjamini and Yekutieli.
    """
    if closeness not in CLOSENESS:
        raise ValueError(f"closeness={closeness!r} is unknown; choose one of {', '.join(map(repr, CLOSENESS))}")
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon={epsilon!r} is a difference of shares, from 0 to below 1")
    if not 0 < false_discovery < 1:
        raise ValueError(f"false_discovery={false_discovery!r} is not between 0 and 1; 0.05 means 5 %")
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
    raters_of(counts)
    if judge not in counts.axes:
        raise ValueError(f"there is no rater {judge!r}; the raters are {', '.join(counts.axes)}")
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
