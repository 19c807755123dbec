"""Judge logs: grades with their ids, repeats and answers, from the tools in which they were made.

Counts hold no ids.  A `JudgeLog` keeps the rows, so that a disagreement can be looked up, and makes the counts that scores need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.base.lazy import lazy
from ordeval.counts import Audit, Counts
from ordeval.counts.table import TRUE
from ordeval.counts.tally import tally
from ordeval.order.scale import Scale
from ordeval.show import Block, Line, Paragraph, Result, ResultList, Table
from ordeval.show._plain import shorten
from ordeval.show._result import Record

Repeats: TypeAlias = Literal["rows", "median"]
UNANSWERED, NOT_ASKED = -1, -2
NO_PERSON, NOT_EVERY_JUDGE = "no grade by a person", "not asked of every judge"


@dataclass(frozen=True)
class Disagreement:
    """An item on which a judge and people differ."""

    item: str
    trace: str  #: the id under which the tool shows the rating that is furthest off
    judge: str
    person: Any  #: the grade by people; the lower median of several
    grades: tuple[Any, ...]  #: the judge's grades, one for each repeat; None where it gave none
    steps: int  #: how far the furthest is off
    answer: str  #: what the judge wrote there


class Disagreements(ResultList[Disagreement]):
    """Items on which a judge and people differ, the furthest first."""

    def _rows(self) -> list[Record]:
        names = ("item", "trace", "judge", "person", "grades", "steps", "answer")
        found = [{name: getattr(one, name) for name in names} for one in self.records]
        return [row | {"grades": " ".join("-" if g is None else str(g) for g in row["grades"])} for row in found]

    def _blocks(self) -> list[Block]:
        if not self.records:
            return [Line("there are no disagreements")]
        rows = [[shorten(str(value), 40) for value in row.values()] for row in self._rows()]
        return [Table(["item", "trace", "judge", "person", "grades", "steps", "answer"], rows, left=7)]


@dataclass(frozen=True, eq=False)
class JudgeLog(Result):
    """Grades by judges and people, one row for each rating; made by `read_judge_log`."""

    scale: Scale
    items: tuple[str, ...]  #: the different items, in the order in which they were read
    judges: tuple[str, ...]
    people: tuple[str, ...]
    audit: Audit  #: of ratings: read, with a class, unanswered, left out
    unparsable: dict[str, dict[str, int]]  #: by rater, what was answered that is no class, and how often
    source: str  #: where the ratings are from
    epochs: str  #: what an epoch was taken for: "repeats" or "items"; "" where the log has none
    _item: Array  # for each rating, the place of its item
    _rater: Array  # the place of its rater among the judges and then the people
    _repeat: Array  # from 0 on
    _code: Array  # the class, or UNANSWERED
    _trace: tuple[str, ...]
    _answer: tuple[str, ...]

    @property
    def raters(self) -> tuple[str, ...]:
        """The judges and then the people."""
        return self.judges + self.people

    @documented("The largest number of ratings of any item.", rater="A judge or a person.")
    def runs(self, rater: str) -> int:
        """How often somebody rated the same item."""
        return int(self.codes(rater).shape[1])

    @documented(
        "An array (items, repeats): the class, -1 where it was left unanswered, -2 where nobody asked.",
        rater="A judge or a person.",
    )
    def codes(self, rater: str) -> Array:
        """The classes that somebody gave, one row for each item."""
        return self._grids[self._place(rater)][0]

    def _place(self, rater: str, argument: str = "judge") -> int:
        if rater not in self.raters:
            values = {"name": repr(rater), "raters": ", ".join(self.raters), "hint": near(rater, self.raters)}
            remedy = "{hint} the raters are {raters}" if values["hint"] else "the raters are {raters}"
            raise ArgumentError("there is no rater {name} in this log", argument=argument, remedy=remedy, values=values)
        return self.raters.index(rater)

    @lazy
    def _grids(self) -> list[tuple[Array, Array]]:
        """For each rater (items, repeats): the classes, and the place of the rating in the rows (-1: none)."""
        found = []
        for place in range(len(self.raters)):
            rows = np.flatnonzero(self._rater == place)
            shape = (len(self.items), int(self._repeat[rows].max(initial=0)) + 1)
            codes, places = np.full(shape, NOT_ASKED), np.full(shape, -1)
            codes[self._item[rows], self._repeat[rows]] = self._code[rows]
            places[self._item[rows], self._repeat[rows]] = rows
            found.append((codes, places))
        return found

    @documented(
        "The lower median of the classes that were given to each item; -1 where none was, -2 where nobody asked.",
        raters="Judges or people; without a name, the people.",
    )
    def median(self, *raters: str) -> Array:
        """One class for each item from several people, or from a judge's repeats."""
        given = np.concatenate(
            [self.codes(rater) for rater in raters or self.people] or [np.full((len(self.items), 1), NOT_ASKED)], 1
        )
        return lower_median(given)

    @documented(
        "The counts, for `agreement` and everything else that takes ratings.",
        raters="Whose ratings; without a name, those of all.",
    )
    def ratings(self, *raters: str) -> Counts:
        """One axis for each person, then for each judge: ``gpt``, or ``gpt 1``, ``gpt 2`` where there are repeats."""
        columns: dict[str, Array] = {}
        strange: dict[str, dict[str, int]] = {}
        for rater in sorted(raters or self.raters, key=lambda name: self._place(name) < len(self.judges)):
            codes = self.codes(rater)
            several = codes.shape[1] > 1
            for run in range(codes.shape[1]):
                axis = f"{rater} {run + 1}" if several else rater
                if axis in columns:
                    raise ValueError(f"two raters would be called {axis!r}; rename one of them")
                columns[axis] = np.maximum(codes[:, run], UNANSWERED)
            if rater in self.unparsable and not several:
                strange[rater] = self.unparsable[rater]
        cells, weights = tally(list(columns.values()), [self.scale.K] * len(columns), None)
        counts = Counts(self.scale, tuple(columns), cells, weights)
        counts.unparsable = strange
        return counts

    @documented(
        "The counts, for `evaluate` and `compare`.",
        person="Whose grades are the truth; None is the lower median of all people.",
        judges="The judges; None is all of them.",
        repeats='"rows" counts every repeat as a row, with its item as the cluster; "median" takes an item\'s lower median.',
    )
    def against(self, person: str | None = None, *, judges: Sequence[str] | None = None, repeats: Repeats = "rows") -> Counts:
        """People's grades as the truth, each judge as a model."""
        names = tuple(judges or self.judges)
        if not self.people:
            raise ValueError(
                f"{self.source} holds no grades by people, so there is no truth; give them with human=, or name the people"
            )
        truth = self.median() if person is None else self.median(self.raters[self._place(person, "person")])
        columns = [self.median(name)[:, None] if repeats == "median" else self.codes(name) for name in names]
        width = max(column.shape[1] for column in columns)
        padded = [np.pad(c, [(0, 0), (0, width - c.shape[1])], constant_values=NOT_ASKED) for c in columns]
        asked, anywhere = (test([c > NOT_ASKED for c in padded], 0) for test in (np.all, np.any))
        graded = np.broadcast_to((truth >= 0)[:, None], asked.shape)
        kept, item = asked & graded, np.broadcast_to(np.arange(len(self.items))[:, None], asked.shape)
        excluded = {NO_PERSON: int((anywhere & ~graded).sum()), NOT_EVERY_JUDGE: int((anywhere & graded & ~asked).sum())}
        excluded = {reason: number for reason, number in excluded.items() if number}
        if not kept.any():
            raise ValueError(
                f"no item of {self.source} has both a grade by people and one by {' and '.join(names)}; are the ids the same?"
            )
        units, cluster = np.unique(item[kept], return_inverse=True)
        repeated = len(units) < kept.sum()
        codes = [truth[item[kept]], *(c[kept] for c in padded), *([cluster] if repeated else [])]
        axes = (TRUE, *names, *(["item"] if repeated else []))
        sizes = [self.scale.K] * (1 + len(names)) + ([len(units)] if repeated else [])
        cells, weights = tally(codes, sizes, None)
        values = {"item": tuple(self.items[i] for i in units.tolist())} if repeated else {}
        counts = Counts(self.scale, axes, cells, weights, values=values, cluster="item" if repeated else None, excluded=excluded)
        counts.unparsable = {name: self.unparsable[name] for name in names if name in self.unparsable}
        return counts

    @documented(
        "The items, the furthest first.",
        judge="The judge; None is all of them.",
        at_least="The fewest steps between the judge and the people, in at least one of the repeats.",
    )
    def disagreements(self, judge: str | None = None, *, at_least: int = 1) -> Disagreements:
        """Items on which a judge is at least so many steps from the people, with the ids to look them up."""
        truth, labels, found = self.median(), self.scale.labels, []
        for name in self.judges if judge is None else [judge]:
            codes, places = self._grids[self._place(name)]
            steps = np.where((codes >= 0) & (truth >= 0)[:, None], np.abs(codes - truth[:, None]), -1)
            furthest = steps.argmax(1)
            far = steps.max(1, initial=-1)
            for i in np.flatnonzero(far >= max(at_least, 1)).tolist():
                row = int(places[i, furthest[i]])
                grades = tuple(labels[c] if c >= 0 else None for c in codes[i].tolist() if c > NOT_ASKED)
                facts = (self.items[i], self._trace[row], name, labels[truth[i]], grades, int(far[i]), self._answer[row])
                found.append((-int(far[i]), -float(steps[i][steps[i] >= 0].mean()), i, Disagreement(*facts)))
        return Disagreements(one for *_, one in sorted(found, key=lambda row: row[:3]))

    def _rows(self) -> list[Record]:
        kinds = ["judge"] * len(self.judges) + ["person"] * len(self.people)
        whole = zip(self._item, self._trace, self._rater, self._repeat, self._code, self._answer, strict=True)
        return [
            {
                "item": self.items[i],
                "trace": trace,
                "rater": self.raters[r],
                "repeat": int(repeat) + 1,
                "kind": kinds[r],
                "grade": self.scale.labels[code] if code >= 0 else None,
                "answer": answer,
            }
            for i, trace, r, repeat, code, answer in whole
        ]

    @property
    def head(self) -> str:
        """What was read, in one line."""
        runs = max((self.runs(judge) for judge in self.judges), default=1)
        said = f"{len(self.items):,} items · {len(self.judges)} judge{'s' * (len(self.judges) != 1)} · {len(self.people)} "
        said += "person" if len(self.people) == 1 else "people"
        said += f" · up to {runs} runs of a judge" if runs > 1 else ""
        return said + f" · {self.audit.line.replace('rows', 'ratings').replace('judged', 'with a class')}"

    @property
    def remarks(self) -> list[str]:
        """What else there is to say: what an epoch was taken for, and what the source adds."""
        meant = {"repeats": "repeated grades of the same item", "items": "separate answers, each an item"}.get(self.epochs, "")
        return [*([f"Epochs were taken as {meant}."] if meant else []), *self.audit.notes]

    def _blocks(self) -> list[Block]:
        return [Line(self.head), *(Paragraph(remark) for remark in self.remarks)]

    def _tables(self) -> list[Block]:
        rows = [["" if value is None else shorten(str(value), 40) for value in row.values()] for row in self._rows()]
        return [Table(["item", "trace", "rater", "repeat", "kind", "grade", "answer"], rows, self.head)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: what was read, and the ratings."""
        parts = ("source", "epochs", "judges", "people", "unparsable")
        return {
            "schema": 1,
            **{
                part: getattr(self, part) if not isinstance(getattr(self, part), tuple) else list(getattr(self, part))
                for part in parts
            },
            "labels": list(self.scale.labels),
            "audit": self.audit.to_dict(),
            "ratings": self._rows(),
        }


def lower_median(codes: Array) -> Array:
    """The lower median of each row's classes; UNANSWERED where none is given, NOT_ASKED where nobody asked.

    >>> lower_median(np.array([[2, 0, -1], [1, 2, 2], [-1, -2, -2], [-2, -2, -2]]))
    array([ 0,  2, -1, -2])
    """
    given = (codes >= 0).sum(1)
    order = np.sort(np.where(codes >= 0, codes, np.iinfo(codes.dtype).max), 1)
    middle = order[np.arange(len(codes)), np.maximum(given - 1, 0) // 2]
    silent = np.where((codes == UNANSWERED).any(1), UNANSWERED, NOT_ASKED)
    found: Array = np.where(given > 0, middle, silent)
    return found
