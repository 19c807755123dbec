"""Self-consistency: would a judge give an item the same grade again?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Rng
from ordeval.evaluation import Score
from ordeval.infer._item_space import FEWEST_ITEMS, too_few
from ordeval.infer._methods import check_request
from ordeval.raters._agreement import agreement
from ordeval.raters._intervals import without_interval
from ordeval.raters._text import published, shown
from ordeval.read.judge_log import NOT_ASKED, JudgeLog
from ordeval.show import Block, Card, Paragraph, Result, number, printable
from ordeval.show._numbers import percent
from ordeval.show._plain import count_text
from ordeval.show._result import Record

ROUNDING = 1e-12  # a variance below it is that of equal shares
ONCE = "no item was graded twice; run the judge again on the same items"


@dataclass(frozen=True, eq=False)
class SelfConsistency(Result):
    """How far a judge agrees with itself."""

    judge: str
    items: int  #: items with two runs or more
    runs: tuple[int, int]  #: the fewest and the most runs of such an item
    same_again: Score  #: the probability that two runs give an item the same grade
    alpha: Score  #: Krippendorff's ordinal alpha with the runs as raters
    settings: dict[str, Any]

    @property
    def ceiling(self) -> float:
        """On ranks, no correlation of one run with anybody can exceed this (attenuation); nan where alpha is not positive."""
        return math.sqrt(self.alpha.value) if self.alpha.value >= 0 else math.nan

    @property
    def sentence(self) -> str:
        """What it means."""
        if math.isnan(self.same_again.value):
            return f"Whether {printable(self.judge)} would give the same grade again is not known: {self.same_again.reason}."
        ends = "" if self.same_again.method == "none" else f" [{percent(self.same_again.low)}, {percent(self.same_again.high)}]"
        said = f"{printable(self.judge)} gives the same grade again in {percent(self.same_again.value)}{ends} of the items"
        if not math.isnan(self.ceiling):
            said += f"; one run cannot correlate with anybody by more than {number(self.ceiling, 2)}"
        return f"{said}."

    def _rows(self) -> list[Record]:
        parts = ("value", "low", "high", "method", "reason")
        both = {"same_again": self.same_again, "alpha_ordinal": self.alpha}
        return [{"measure": name, **{part: getattr(score, part) for part in parts}} for name, score in both.items()]

    def _blocks(self) -> list[Block]:
        low, high = self.runs
        runs = f"{low}" if low == high else f"{low} to {high}"
        facts = [("same grade again", shown(self.same_again)), ("alpha, ordinal", shown(self.alpha))]
        title = (
            f"self-consistency of {self.judge}: {count_text(self.items, 'item')} with {runs} runs"
            if self.items
            else "self-consistency"
        )
        return [Card(title, facts), Paragraph(self.sentence)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": 1,
            "judge": self.judge,
            "items": self.items,
            "runs": list(self.runs),
            "same_again": published(self.same_again),
            "alpha": published(self.alpha),
            "ceiling": None if math.isnan(self.ceiling) else self.ceiling,
            "settings": self.settings,
        }


@documented(
    "The probability of the same grade, and Krippendorff's alpha of the runs, both with intervals.",
    log="The grades, from `read_judge_log`.",
    judge="The judge; None is the only one.",
)
def self_consistency(
    log: JudgeLog, judge: str | None = None, *, confidence_level: float = 0.95, n_resamples: int | None = None, rng: Rng = 0
) -> SelfConsistency:
    """Would the judge give an item the same grade again?

    ``same_again`` is the mean over items of the share of equal pairs of runs; an unanswered run equals only another unanswered one.
    Its interval is Wilson's with the effective number of items.  ``alpha`` has the runs as raters: runs are exchangeable, so
    the right coefficient is one without a margin for each rater, and unanswered runs are missing ratings.  How often the
    intervals hold was measured: docs/coverage-judges.md.

    >>> import pandas as pd
    >>> from ordeval.raters import read_judge_log
    >>> rows = [(i, run, 1 + (i + (run == 2 and i % 8 == 0)) % 3) for i in range(60) for run in (1, 2)]
    >>> frame = pd.DataFrame(rows, columns=["item", "run", "grade"]).assign(who="gpt")
    >>> log = read_judge_log(frame, item="item", rater="who", grade="grade", repeats="run", judges=["gpt"])
    >>> print(self_consistency(log).same_again)
    0.867 [0.757, 0.931]
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    judge = only_judge(log, judge)
    codes = log.codes(judge)
    runs = (codes > NOT_ASKED).sum(1)
    often = codes[runs > 1]
    settings = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng if isinstance(rng, int) else "given"}
    if not len(often):
        missing = without_interval(math.nan, ONCE)
        return SelfConsistency(judge, 0, (0, 0), missing, missing, settings)
    return SelfConsistency(
        judge,
        len(often),
        (int(runs[runs > 1].min()), int(runs.max())),
        same_again(often, log.scale.K, confidence_level),
        _alpha(log, judge, confidence_level, n_resamples, rng),
        settings,
    )


def only_judge(log: JudgeLog, judge: str | None) -> str:
    """The judge that is meant: the one that is named, or the only one."""
    if judge is not None:
        log._place(judge)
        return judge
    if len(log.judges) > 1:
        raise ValueError(f"{log.source} holds {len(log.judges)} judges ({', '.join(log.judges)}); name one")
    return log.judges[0]


def same_again(codes: Array, k: int, confidence_level: float) -> Score:
    """The share of equal pairs of runs, with Wilson's interval for the effective number of items; every item has two runs."""
    shares, pairs = equal_pairs(codes, k)
    n, mean = len(shares), float(shares.mean())
    if n < FEWEST_ITEMS:
        return without_interval(mean, too_few(n, "items graded twice"))
    variance = float(shares.var(ddof=1))
    effective = min(n * mean * (1 - mean) / variance, float(pairs.sum())) if variance > ROUNDING else float(n)
    low, high = wilson(mean, effective, confidence_level)
    return Score(mean, low, high, "wilson", n=float(n), effective_rows=effective, confidence_level=confidence_level)


def equal_pairs(codes: Array, k: int) -> tuple[Array, Array]:
    """For each item the share of its pairs of runs that are equal, and how many pairs there are.

    >>> equal_pairs(np.array([[0, 0, 1], [2, -1, -1], [1, 1, -2]]), 3)
    (array([0.33333333, 0.33333333, 1.        ]), array([3., 3., 1.]))
    """
    given = np.stack([(codes == c).sum(1) for c in range(-1, k)], 1)
    runs = given.sum(1)
    ordered = runs * (runs - 1)
    return (given * (given - 1)).sum(1) / ordered, ordered / 2


def wilson(share: float, rows: float, confidence_level: float) -> tuple[float, float]:
    """Wilson's interval of a share of so many rows, which need not be a whole number."""
    z2 = NormalDist().inv_cdf((1 + confidence_level) / 2) ** 2
    middle = (share + z2 / (2 * rows)) / (1 + z2 / rows)
    half = math.sqrt(z2 * (share * (1 - share) / rows + z2 / (4 * rows**2))) / (1 + z2 / rows)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def _alpha(log: JudgeLog, judge: str, confidence_level: float, n_resamples: int | None, rng: Rng) -> Score:
    counts = log.ratings(judge)
    answered = np.asarray((counts.cells >= 0).any(0))
    axes = [axis for axis, given in zip(counts.axes, answered.tolist(), strict=True) if given]
    if len(axes) < 2:
        return without_interval(math.nan, "fewer than two runs were answered")
    try:
        found = agreement(
            counts.margin(*axes), ["alpha_ordinal"], confidence_level=confidence_level, n_resamples=n_resamples, rng=rng
        )
    except ValueError as error:  # a run that shares no item with another, or a single item
        return without_interval(math.nan, str(error))
    return found.scores["alpha_ordinal"]
