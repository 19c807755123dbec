"""How many independent judges is a panel worth?

A panel's mean is better than one judge only as far as the judges' errors differ.  With S the covariance of their errors over items the
panel of J is worth J tr S / 1'S1 independent judges of the same mean quality: Kish's (1965) design effect.  An error measured against
one person is wrong for all judges at once wherever the person is, so the people's own errors are taken out, which needs two of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.counts.table import TRUE
from ordeval.counts.tally import tally
from ordeval.evaluation import Comparison, Score, compare
from ordeval.infer._methods import check_request
from ordeval.raters._intervals import without_interval
from ordeval.raters._ratings import check_rater
from ordeval.raters._text import published, shown
from ordeval.read.judge_log import lower_median
from ordeval.show import Block, Paragraph, Result, Table, number, printable
from ordeval.show._result import Record, plain_data

FEWEST = 100  # complete items for an interval: below, its coverage was not measured
ONE_PERSON = "one person's errors are shared by all judges and cannot be told from theirs; a second person's grades are needed"


@dataclass(frozen=True, eq=False)
class EffectiveJudges(Result):
    """How many independent judges a panel is worth."""

    judges: tuple[str, ...]
    people: tuple[str, ...]
    items: int  #: graded by all of them
    left_out: int  #: items that somebody did not grade
    score: Score  #: the effective number of judges
    lower_bound: float  #: with one person: at least about so many; nan with more people
    correlation: float  #: mean correlation of two judges' errors
    pairs: Array  #: (J, J) correlations of the judges' errors; nan where they cannot be told
    panel: Comparison | None  #: the panel's lower median beside the best single judge, against the people
    settings: dict[str, Any]

    @property
    def value(self) -> float:
        """The effective number; nan with the reason in ``score.reason``."""
        return self.score.value

    @property
    def ceiling(self) -> float:
        """However many judges of this kind are added, they are never worth more; infinite where their errors are not correlated."""
        return 1 / self.correlation if self.correlation > 0 else math.inf if self.correlation <= 0 else math.nan

    @property
    def most_alike(self) -> tuple[str, str] | None:
        """The two judges whose errors go together most."""
        known = [
            (self.pairs[i, j], i, j) for i, j in combinations(range(len(self.judges)), 2) if not math.isnan(self.pairs[i, j])
        ]
        return (lambda found: (self.judges[found[1]], self.judges[found[2]]))(max(known)) if known else None

    @property
    def sentence(self) -> str:
        """What it means."""
        many = len(self.judges)
        if math.isnan(self.value):
            said = f"It cannot be said how many independent judges these {many} are worth: {self.score.reason}."
            return said + (
                "" if math.isnan(self.lower_bound) else f" They are worth at least about {number(self.lower_bound, 2)}."
            )
        said = f"The panel of {many} judges is worth {shown(self.score)} independent ones"
        if self.correlation > 0:
            said += f"; more judges of this kind are never worth more than {number(self.ceiling, 1)}"
        if self.most_alike is not None:
            a, b = self.most_alike
            value = self.pairs[self.judges.index(a), self.judges.index(b)]
            said += f". The errors of {printable(a)} and {printable(b)} are most alike ({number(float(value), 2)})"
        return f"{said}."

    def _rows(self) -> list[Record]:
        parts = ("value", "low", "high", "method", "reason")
        whole = {"first": "", "second": "", "measure": "effective_judges", **{part: getattr(self.score, part) for part in parts}}
        none = {"low": math.nan, "high": math.nan, "method": "none", "reason": ""}
        pairs = combinations(range(len(self.judges)), 2)
        return [whole] + [
            {
                "first": self.judges[i],
                "second": self.judges[j],
                "measure": "error_correlation",
                "value": float(self.pairs[i, j]),
                **none,
            }
            for i, j in pairs
        ]

    def _blocks(self) -> list[Block]:
        rows = [[row["first"], row["second"], number(row["value"], 2)] for row in self._rows()[1:]]
        caption = f"Correlation of the judges' errors, {self.items:,} items graded by all of them and {len(self.people)} people"
        caption += f" ({self.left_out:,} left out: not graded by all)." if self.left_out else "."
        notes = [f"No interval: {self.score.reason}."] if self.score.reason and not math.isnan(self.value) else []
        found: list[Block] = [Paragraph(self.sentence), Table(["judge", "judge", "correlation"], rows, caption, notes, left=2)]
        if self.panel is not None:
            found.append(Paragraph(f"Without these assumptions: {self.panel.verdict}"))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": 1,
            **{part: plain_data(getattr(self, part)) for part in ("judges", "people", "items", "left_out")},
            "effective_judges": published(self.score),
            **{
                part: plain_data(getattr(self, part)) for part in ("lower_bound", "correlation", "ceiling", "pairs", "most_alike")
            },
            "panel": None if self.panel is None else self.panel.to_dict(),
            "settings": self.settings,
        }


@documented(
    "The effective number with its interval, the correlations of the judges' errors, and the panel beside its best judge.",
    counts="The ratings, from `JudgeLog.ratings`, `ratings` or `scan`.",
    judges="The judges: two or more of the raters.",
    people="The people: two or more of the raters; with one there is a lower bound only.",
)
def effective_judges(
    counts: Counts,
    judges: Sequence[str],
    people: Sequence[str],
    *,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> EffectiveJudges:
    """How many independent judges of the same mean quality is the panel's mean worth?

    Errors are measured around each judge's own straight line in the true score, on ranks: a bias and a narrower range are left out,
    and so are the people's own errors.  People are assumed to err independently of each other and of the judges.  The interval is
    a jackknife of the logarithm over items; it needs 100 items that all of them graded (docs/coverage-judges.md says how often it
    holds).  That language models err together is known: Kim et al. (ICML 2025), Kohli (2026, arXiv:2605.29800).

    >>> from ordeval.raters import ratings
    >>> one, two = [1, 2, 3, 4, 3, 2] * 30, [1, 2, 3, 4, 4, 2] * 30
    >>> same = {"ann": one, "bob": two, "gpt": [1, 3, 3, 4, 2, 2] * 30, "copy": [1, 3, 3, 4, 2, 2] * 30}
    >>> round(effective_judges(ratings(same), ["gpt", "copy"], ["ann", "bob"]).value, 6)
    1.0
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    for argument, names, fewest in (("judges", judges, 2), ("people", people, 1)):
        if isinstance(names, str) or len(names) < fewest or len(set(names)) < len(names):
            raise ArgumentError(
                f"{{{argument}}} must be a list of {fewest} or more different raters, not {{given}}",
                argument=argument,
                values={"given": repr(names)},
            )
        for name in names:
            check_rater(counts, name, argument)
    if both := set(judges) & set(people):
        raise ArgumentError(
            "{name} is among both the {judges} and the {people}", argument="people", values={"name": repr(min(both))}
        )
    codes = counts.cells[:, [counts.axes.index(name) for name in (*judges, *people)]]
    complete = (codes >= 0).all(1)
    grades, times = codes[complete].astype(float), counts.weights[complete].astype(float)
    n, j = int(times.sum()), len(judges)
    settings = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng if isinstance(rng, int) else "given"}
    bound = math.nan
    if n < 2:
        few = "no item was" if n == 0 else "only one item was"
        score, errors = without_interval(math.nan, f"{few} graded by all judges and people"), np.full((j, j), np.nan)
    elif len(people) == 1:
        errors = within_classes(grades, times, counts.scale.K)
        score, bound = without_interval(math.nan, ONE_PERSON), float(worth(errors)[0])
        errors = np.full((j, j), np.nan)
    else:
        score, errors = jackknifed_worth(grades, times, j, confidence_level)
    sd = np.sqrt(np.where(np.diagonal(errors) > 0, np.diagonal(errors), np.nan))
    pairs = errors / np.outer(sd, sd)
    off = pairs[~np.eye(j, dtype=bool)]
    mean = float(off.mean()) if not math.isnan(score.value) else math.nan
    panel = _panel(counts, codes, judges, confidence_level, n_resamples, rng) if n > 1 else None
    left_out = int(counts.weights.sum()) - n
    return EffectiveJudges(tuple(judges), tuple(people), n, left_out, score, bound, mean, pairs, panel, settings)


def error_covariance(scatter: Array, j: int) -> tuple[Array, Array]:
    """From the (..., J + m, J + m) scatter of judges and people: that of the judges' errors, and what people have in common."""
    m = scatter.shape[-1] - j
    people = scatter[..., j:, j:]
    common = (people.sum((-2, -1)) - np.trace(people, axis1=-2, axis2=-1)) / (m * (m - 1))
    slope = scatter[..., :j, j:].mean(-1)
    return scatter[..., :j, :j] - slope[..., :, None] * slope[..., None, :] / common[..., None, None], common


def worth(errors: Array) -> tuple[Array, Array, Array]:
    """The effective number of judges from the (..., J, J) covariance of their errors; its trace, and the sum of all."""
    trace, whole = np.trace(errors, axis1=-2, axis2=-1), errors.sum((-2, -1))
    return ratio(errors.shape[-1] * trace, whole), trace, whole


def within_classes(grades: Array, times: Array, k: int) -> Array:
    """The covariance of the judges' grades within the classes that one person, the last column, gave."""
    truth, judged = grades[:, -1].astype(int), grades[:, :-1]
    rows = np.bincount(truth, times, k)
    means = np.stack([ratio(np.bincount(truth, times * column, k), rows) for column in judged.T], 1)
    away = judged - means[truth]
    found: Array = (away * times[:, None]).T @ away
    return found


def jackknifed_worth(grades: Array, times: Array, j: int, confidence_level: float) -> tuple[Score, Array]:
    """The effective number of judges with its interval, and the covariance of the judges' errors; (patterns, judges then people)."""
    from scipy.special import stdtrit

    n = float(times.sum())
    away = grades - (times @ grades) / n
    scatter = (away * times[:, None]).T @ away
    small = 1e-9 * float(np.trace(scatter))
    errors, common = error_covariance(scatter, j)
    value, trace, whole = (float(part) for part in worth(errors))
    if not common > small:
        return without_interval(
            math.nan, "the people's grades are not positively correlated, so there is no common true score"
        ), errors
    if not trace > small:
        return without_interval(math.nan, "the judges' errors are too small to be told from the people's"), errors
    if not whole > small:
        return without_interval(
            math.nan, "the judges' errors cancel in the panel's mean: nothing is left to compare with"
        ), errors
    if n < FEWEST:
        reason = f"{n:,.0f} items graded by all, and {FEWEST} are needed"
        return without_interval(value, reason), errors
    left = scatter - n / (n - 1) * away[:, :, None] * away[:, None, :]
    left_errors, left_common = error_covariance(left, j)
    without, left_trace, left_whole = worth(left_errors)
    if not min(left_common.min(), left_trace.min(), left_whole.min()) > small:
        reason = "without a certain one of the items the effective number is undefined, so the jackknife gives no interval"
        return without_interval(value, reason), errors
    logs = np.log(without)
    spread = logs - (times @ logs) / n
    half = float(stdtrit(n - 1, (1 + confidence_level) / 2)) * math.sqrt((n - 1) / n * float(times @ spread**2))
    ends = value * math.exp(-half), value * math.exp(half)
    return Score(value, *ends, "jackknife", n=n, confidence_level=confidence_level), errors


def _panel(
    counts: Counts, codes: Array, judges: Sequence[str], confidence_level: float, n_resamples: int | None, rng: Rng
) -> Comparison | None:
    """The panel's lower median beside the single judge who is closest to the people's lower median."""
    complete = (codes >= 0).all(1)
    codes, times = codes[complete], counts.weights[complete]
    truth, panel = lower_median(codes[:, len(judges) :]), lower_median(codes[:, : len(judges)])
    away = times @ np.abs(codes[:, : len(judges)] - truth[:, None])
    best = int(away.argmin())
    name = "the panel's median" if judges[best] != "the panel's median" else "the panel's lower median"
    cells, weights = tally([truth, codes[:, best], panel], [counts.scale.K] * 3, times)
    both = Counts(counts.scale, (TRUE, judges[best], name), cells, weights)
    return compare(both, metrics=["cem"], confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)
