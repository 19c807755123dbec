"""The three properties of the CEM paper on the blog's examples, with truth and prediction the right way round; and laws at large."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

import ordeval as oe
from ordeval.app.links import Link, Part
from ordeval.app.score_table import value_of

EQUAL = 1e-12
NEEDS = ("whole counts", "edges")  # of the metrics that laws speak of: those of tables


@dataclass(frozen=True)
class Question:
    """What the page asks: does this metric keep this law?"""

    metric: str = "kendall_tau"
    law: str = "imbalance"


@dataclass(frozen=True)
class Example:
    """Two answers, and what a metric that keeps the law says of them."""

    title: str
    first: Any  #: (5, 5), rows the truth
    second: Any
    first_words: str
    second_words: str
    same: bool = False  #: both should score the same; else the first should score better


def _moved() -> tuple[Any, Any]:
    """Nine reviews with one error, on the three lowest grades; and the same with the upper two grades moved up by one."""
    low, high = np.zeros((2, 5, 5), int)
    for truth, answer, rows in ((0, 0, 3), (1, 1, 2), (1, 0, 1), (2, 2, 3)):
        low[truth, answer] = rows
        high[truth + (truth > 0), answer + (answer > 0)] = rows
    return low, high


def _described(figure: str) -> tuple[Any, Any]:
    """Two datasets of the blog."""
    first, second = (oe.papers.examples.DESCRIBED[figure, f"{which} dataset"] for which in ("first", "second"))
    return first, second


#: The blog's own pair for invariance is answered perfectly, so that no metric could fail; here one row is wrong.
EXAMPLES = (
    Example(
        "Only the order matters",
        *_moved(),
        "one weak reject is called reject",
        "the same rows, a grade higher from weak reject on",
        True,
    ),
    Example(
        "Closer is better",
        *_described("Fig. 3, monotonicity"),
        "one weak accept is called undecided",
        "the same row is called weak reject, one step further off",
    ),
    Example(
        "An error in a small class costs more",
        *_described("Fig. 4, imbalance"),
        "one of five weak rejects is called undecided",
        "one of two weak accepts is called undecided",
    ),
)


def example_counts(table: Any) -> oe.Counts:
    return oe.Counts.from_matrix(table, labels=list(oe.papers.examples.REVIEWS))


@dataclass(frozen=True)
class ScoredExample:
    """An example by one metric."""

    example: Example
    first: float
    second: float
    kept: bool

    @property
    def sentence(self) -> str:
        aim = "Both should score the same" if self.example.same else "The first should score better"
        if np.isnan([self.first, self.second]).any():
            return f"{aim}; a score is undefined."
        if self.kept:
            return f"{aim}: {'they do' if self.example.same else 'it does'}."
        if abs(self.first - self.second) <= EQUAL:
            return f"{aim}: they score the same."
        return f"{aim}: {'they differ' if self.example.same else 'the second does'}."


def score_example(example: Example, metric: oe.Metric) -> ScoredExample:
    first, second = (value_of(metric, example_counts(table)) for table in (example.first, example.second))
    same = abs(first - second) <= EQUAL
    if example.same:
        return ScoredExample(example, first, second, bool(same))
    if not isinstance(metric.direction, str):
        ahead = abs(second - metric.direction) - abs(first - metric.direction)
    else:
        ahead = first - second if metric.direction == "higher" else second - first
    return ScoredExample(example, first, second, bool(not same and ahead > 0))


@lru_cache(maxsize=256)
def law_report(metric: str, law: str) -> oe.types.LawReport:
    """The report on one law of one metric: every small case tried.  The same for every visitor."""
    return oe.laws.check(metric, laws=law)


@lru_cache(maxsize=1)
def law_table() -> oe.types.LawTable:
    """Every metric and every law, as recorded."""
    return oe.laws.table()


def breach_counts(breach: oe.laws.Breach) -> list[oe.Counts]:
    """The tables of a counter-example; classes are numbered from 1, or named by their edges."""
    counts = []
    for cells, edges in zip(breach.tables, breach.edges, strict=True):
        scale = oe.Scale(range(1, len(cells) + 1)) if edges is None else oe.Scale.from_edges(list(edges))
        counts.append(oe.Counts.from_matrix(cells, labels=scale))
    return counts


def _metric(text: str) -> str:
    if text not in map(str, oe.catalogue(needs=NEEDS)):
        raise ValueError("it is not a metric of the list")
    return text


LINK = Link(
    Question(), Question, {"metric": Part("metric", _metric), "law": Part("law", lambda text: oe.laws.get_law(text).name)}
)
