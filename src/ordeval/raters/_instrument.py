"""A judge as an instrument: what people would have said about all rows, from the judge's grades and a small set that people graded too.

The judge's own distribution is that of people only if it never errs.  Where people graded some rows, its errors are known, and the
distribution can be corrected; the uncertainty comes from both samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Rng
from ordeval.base.version import __version__
from ordeval.counts import Counts
from ordeval.evaluation import Score, plain_score
from ordeval.infer._auto import PSEUDO, Streams
from ordeval.infer._item_space import FEWEST_ITEMS, SumSpace, too_few
from ordeval.infer._methods import NORMAL, check_request, samples, wilson
from ordeval.order.scale import Scale
from ordeval.raters._intervals import inverted, without_interval
from ordeval.raters._ratings import check_rater, check_word
from ordeval.raters._text import published, shown
from ordeval.show import Block, Paragraph, Result, Table, number, printable
from ordeval.show._result import Record, plain_data

Estimator: TypeAlias = Literal["poststratified", "difference", "inverse"]
Estimate: TypeAlias = Callable[[Array, Array], Array]


def _poststratified(both: Array, alone: Array) -> Array:
    """People's grades among the rows that the judge gave each grade, weighed by how often it gave that grade in all rows.

    Where nobody graded a row with some grade of the judge, all rows that people graded stand for those.
    """
    share = ratio(both.sum(-2) + alone, (both.sum((-2, -1)) + alone.sum(-1))[..., None])
    seen = both.sum(-2, keepdims=True)
    overall = ratio(both.sum(-1, keepdims=True), both.sum((-2, -1), keepdims=True))
    given = np.where(seen > 0, ratio(both, seen), overall)
    corrected: Array = (given * share[..., None, :]).sum(-1)
    return corrected


def _difference(both: Array, alone: Array) -> Array:
    """The judge's shares, plus what people said more or less than the judge on the rows that both graded."""
    k, n = both.shape[-2], both.sum((-2, -1))[..., None]
    error = ratio(both.sum(-1) - both.sum(-2)[..., :k], n)
    return ratio(alone[..., :k], alone.sum(-1)[..., None]) + error


def _inverse(both: Array, alone: Array) -> Array:
    """The distribution that, with the judge's errors in each class, would have given the judge's shares: least squares."""
    errors = ratio(both, both.sum(-1, keepdims=True))
    share = ratio(alone, alone.sum(-1)[..., None])
    usable = np.isfinite(errors).all((-2, -1))
    solved = np.full(both.shape[:-1], np.nan)
    solved[usable] = (share[usable][..., None, :] @ np.linalg.pinv(errors[usable], rcond=1e-10))[..., 0, :]
    return ratio(solved, solved.sum(-1, keepdims=True))


#: From the rows that both graded (..., K, K + 1) and the judge's grades of the others (..., K + 1) to people's shares (..., K).
ESTIMATORS: Mapping[Estimator, Estimate] = {
    "poststratified": _poststratified,
    "difference": _difference,
    "inverse": _inverse,
}


@dataclass(frozen=True, eq=False)
class CorrectedGrades(Result):
    """What people would have said about all rows, and what the judge alone would have said."""

    scale: Scale
    person: str
    judge: str
    shares: dict[Any, Score]  #: by class: the corrected share
    mean: Score  #: the corrected mean grade
    naive_shares: dict[Any, Score]  #: the judge's own, with the interval that a program unaware of its errors would give
    naive_mean: Score
    both: Array  #: (K, K + 1) rows that both graded: person by judge, the last column without a usable answer
    alone: Array  #: (K + 1,) rows that only the judge saw
    settings: dict[str, Any]

    @property
    def rows(self) -> dict[str, int]:
        """Graded by people, by the judge alone, and how many of all have no usable answer of the judge."""
        return {
            "people": int(self.both.sum()),
            "judge alone": int(self.alone.sum()),
            "unanswered": int(self.both[:, -1].sum() + self.alone[-1]),
        }

    @property
    def sentence(self) -> str:
        """One sentence for a paper."""
        rows, mean, level = self.rows, self.mean, 100 * self.settings["confidence_level"]
        ends = (
            f"{level:g} % interval {number(mean.low, 2)} to {number(mean.high, 2)}"
            if mean.method != "none"
            else f"no interval: {mean.reason}"
        )
        silent = f", {rows['unanswered']:,} of them without a usable answer," if rows["unanswered"] else ""
        return (
            f"From {rows['people'] + rows['judge alone']:,} rows graded by {printable(self.judge)}{silent} and {rows['people']:,} "
            f"of them graded by {printable(self.person)} as well, the mean grade corrected for the judge's errors "
            f"({self.settings['estimator']}) was {number(mean.value, 2)} ({ends}); the judge's own mean was "
            f"{number(self.naive_mean.value, 2)} (ordeval {__version__})."
        )

    def _rows(self) -> list[Record]:
        return [
            {"class": label, "share": s.value, "low": s.low, "high": s.high, "naive": self.naive_shares[label].value}
            for label, s in self.shares.items()
        ]

    def _blocks(self) -> list[Block]:
        many, mean, naive = self.rows, self.mean, self.naive_mean.value
        rows = [[str(label), shown(score), shown(self.naive_shares[label])] for label, score in self.shares.items()]
        caption = (
            f"What {self.person} would have said, from {many['people']:,} rows that both graded and {many['judge alone']:,} that "
            f"{self.judge} graded alone"
            + (f" ({many['unanswered']:,} of all without a usable answer)." if many["unanswered"] else ".")
        )
        if mean.method == "none":
            said = f"No interval: {mean.reason}."
        elif mean.low <= naive <= mean.high:
            said = f"{self.judge} alone would have said {number(naive, 2)}, which the corrected interval contains."
        else:
            said = f"{self.judge} alone would have said {number(naive, 2)}: too {'high' if naive > mean.high else 'low'}."
        rows.append(["mean grade", shown(mean), shown(self.naive_mean)])
        return [Table(["class", "corrected", "judge alone"], rows, caption, left=3), Paragraph(said)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        both = {"shares": self.shares, "naive_shares": self.naive_shares}
        shares = {
            name: [{"label": plain_data(label), **published(score)} for label, score in found.items()]
            for name, found in both.items()
        }
        return {
            "schema": 1,
            "person": self.person,
            "judge": self.judge,
            "shares": shares["shares"],
            "mean": published(self.mean),
            "naive_shares": shares["naive_shares"],
            "naive_mean": published(self.naive_mean),
            **{part: plain_data(getattr(self, part)) for part in ("both", "alone", "rows")},
            "settings": {{"estimator": "method"}.get(name, name): value for name, value in self.settings.items()},  # as in 0.1
        }


@renamed_keywords
@documented(
    "The corrected shares and mean grade with intervals, and beside them what the judge alone would have said.",
    counts="The ratings, from `ratings` or `scan`, with gaps where the person graded nothing.",
    person="The rater whose grades are taken as right.",
    estimator="How the judge's errors are corrected; see above.",
)
def corrected_grades(
    counts: Counts,
    *,
    person: str,
    judge: str,
    estimator: Estimator = "poststratified",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> CorrectedGrades:
    """The distribution of grades and the mean grade that people would have given, from a judge whose errors were measured.

    A row without a usable answer of the judge is a row like any other: nothing is dropped.  The rows that people graded must have
    been drawn at random from all rows, or at random among rows of the same grade by the judge.  The estimator "poststratified" takes
    people's grades within each grade of the judge; "difference" adds the mean error to the judge's shares (random rows only);
    "inverse" solves for the distribution behind the judge's, for rows that people chose by their true class.  Intervals are by
    test inversion, with both sets of rows drawn, and need 15 rows graded by people.  The mean is of the labels where they are numbers, else of the ranks 1..K.

    >>> from ordeval.raters._ratings import ratings
    >>> person = [1, 1, 2, 2, 2, 3] * 10 + [None] * 600
    >>> judge = [1, 2, 2, 3, 3, 3] * 10 + [1, 2, 2, 3, 3, 3] * 100
    >>> found = corrected_grades(ratings({"person": person, "judge": judge}), person="person", judge="judge")
    >>> print(found.mean, found.naive_mean)
    1.833 [1.718, 1.959] 2.333 [2.276, 2.390]
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    check_word("estimator", estimator, ESTIMATORS)
    both, alone = _tables(counts, person, judge)
    k, values = counts.scale.K, _grades(counts.scale)
    intervals = _Intervals(both, alone, ESTIMATORS[estimator], confidence_level, samples("auto", n_resamples), rng)
    settings = {
        "estimator": estimator,
        "confidence_level": confidence_level,
        "n_resamples": samples("auto", n_resamples),
        "rng": rng if isinstance(rng, int) else "given",
    }
    labels = counts.scale.labels
    naive = (both.sum(0) + alone)[:k]
    return CorrectedGrades(
        counts.scale,
        person,
        judge,
        {label: intervals.score(np.eye(k)[c], f"share {c}") for c, label in enumerate(labels)},
        intervals.score(values, "mean"),
        {label: _naive_share(naive, c, confidence_level) for c, label in enumerate(labels)},
        _naive_mean(naive, values, confidence_level),
        both.astype(int),
        alone.astype(int),
        settings,
    )


def _tables(counts: Counts, person: str, judge: str) -> tuple[Array, Array]:
    """(K, K + 1) rows that both graded, and (K + 1,) the judge's grades of the others."""
    check_rater(counts, person, "person")
    check_rater(counts, judge, "judge")
    if person == judge:
        problem, given = "{person} and {judge} are both {name}", {"name": repr(judge)}
        raise ArgumentError(problem, argument="person", remedy="name two raters", values=given)
    k = counts.scale.K
    people, judged = (counts.cells[:, counts.axes.index(name)] for name in (person, judge))
    table = np.zeros((k + 1, k + 1))
    np.add.at(table, (people, judged), counts.weights)  # the code -1 is the last row or column
    both, alone = table[:k], table[k]
    if not both.sum():
        raise ValueError(f"no row has a grade by {person!r}; without such rows the judge's errors are not known")
    if not both[:, :k].sum():
        raise ValueError(
            f"no row has both a grade by {person!r} and one by {judge!r}; without such rows the judge's errors are not known"
        )
    return both, alone


def _grades(scale: Scale) -> Array:
    """The labels where they are numbers, else the ranks 1..K."""
    numbers = all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in scale.labels)
    return np.array(scale.labels, float) if numbers else np.arange(1.0, scale.K + 1)


class _Intervals:
    """Intervals of what is linear in the corrected shares: the two sets of rows are drawn apart, each as large as it is."""

    def __init__(self, both: Array, alone: Array, estimate: Estimate, confidence_level: float, size: int, rng: Rng) -> None:
        self.both, self.alone, self.estimate = both, alone, estimate
        self.confidence_level, self.size, self.streams = confidence_level, size, Streams(rng)
        self.point = estimate(both, alone)

    def score(self, of_classes: Array, name: str) -> Score:
        """The corrected shares, each times a number for its class, added up."""
        value, people = float(self.point @ of_classes), float(self.both.sum())
        if math.isnan(value):
            reason = "no row was graded by the judge alone, or for some class of the scale no row was graded by people"
            return without_interval(value, reason)
        if people < FEWEST_ITEMS:
            return without_interval(value, too_few(people, "rows graded by people"))
        bounds = float(of_classes.min()), float(of_classes.max())
        found = inverted(self._space(of_classes), value, bounds, self.confidence_level, self.streams.both(name), self.size)
        return plain_score(value, found)

    def _space(self, of_classes: Array) -> SumSpace:
        from scipy import sparse

        shape, cells = self.both.shape, self.both.size

        def corrected(stack: Array) -> Array:
            found: Array = self.estimate(stack[:, :cells].reshape(-1, *shape), stack[:, cells:]) @ of_classes
            return found

        parts = [self.both.ravel(), self.alone] if self.alone.any() else [self.both.ravel()]
        stratum = np.repeat(np.arange(len(parts)), [part.size for part in parts])
        pseudo = np.concatenate([np.full(part.size, PSEUDO / part.size) for part in parts])
        adds = sparse.eye(len(stratum), cells + self.alone.size, format="csr")
        return SumSpace(corrected, adds, np.concatenate(parts), pseudo, stratum=stratum)


def _naive_share(given: Array, c: int, confidence_level: float) -> Score:
    total = float(given.sum())
    share = float(given[c]) / total
    return Score(share, *wilson(share, total, confidence_level), "wilson")


def _naive_mean(given: Array, values: Array, confidence_level: float) -> Score:
    total = float(given.sum())
    mean = float(given @ values) / total
    error = math.sqrt(float(given @ (values - mean) ** 2)) / total
    half = NORMAL.inv_cdf((1 + confidence_level) / 2) * error
    return Score(mean, mean - half, mean + half, "normal")
