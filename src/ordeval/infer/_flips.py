"""Flips: on which rows a second model is closer to the truth than a first, and what each kind of change adds to a difference.

All of it is read off the joint table of truth, first and second answer, over the rows that both models answered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, predictions
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.counts.blanks import judged
from ordeval.metrics import Metric, get_metric
from ordeval.show import Block, Line, Result, Table
from ordeval.show._plain import count_text
from ordeval.show._result import Record

SHOWN = 5  # kinds of change listed when printed
STEPS = 64  # pieces of the path between the two tables
NUDGE = 1e-3  # share of a kind's rows that is moved to and fro to see what they are worth
NEAR = 1e-9  # of the path: so close to its ends is a table that already has the classes of both
STACK_BYTES = 1 << 21  # tables evaluated at once


@dataclass(frozen=True)
class Flip:
    """Rows of one true class whose answer goes from one class to another."""

    true: Any
    a: Any  #: the first model's answer
    b: Any  #: the second model's answer
    rows: float
    steps: int  #: how many steps closer to the truth the second answer is; below 0 it is further off


@dataclass(frozen=True)
class Flips(Result):
    """Rows on which the second model is closer to the truth than the first, further off, and the same."""

    a: str
    b: str
    rows: float  #: answered by both
    closer: float
    further: float
    same: float
    changed: float  #: rows with another class, closer or not
    sideways: float  #: rows with another class as far off, on the other side of the truth; they are among the same
    moves: tuple[Flip, ...]  #: every change of class, by rows times steps, the largest first

    def _rows(self) -> list[Record]:
        return [dict(vars(move)) for move in self.moves]

    def _blocks(self) -> list[Block]:
        first = (
            f"{self.b} is nearer the truth on {amount(self.closer)}, {self.a} on {self.further:,.10g}; "
            f"on {self.same:,.10g} they are equally near."
        )
        shown = [[*_change(move), f"{move.rows:,.10g}", _steps(move.steps)] for move in self.moves[:SHOWN]]
        rest = [f"… and {count_text(len(self.moves) - SHOWN, 'other kind')} of change"] if len(self.moves) > SHOWN else []
        table = Table(["true class", self.a, self.b, "rows", "steps nearer"], shown, notes=rest, left=3)
        return [Line(first), table] if shown else [Line(first)]


@dataclass(frozen=True)
class Contribution:
    """What the rows of one kind of change add to the difference of a score."""

    true: Any
    a: Any
    b: Any
    rows: float
    adds: float


@dataclass(frozen=True)
class Contributions(Result):
    """What each kind of change adds to a score of the second model minus that of the first."""

    metric: str
    a: str
    b: str
    difference: float  #: the sum of all contributions, and of what is settled elsewhere
    method: str  #: "exact": a kind adds the same whichever others came before; "path": its average along the way; "none"
    cells: tuple[Contribution, ...]  #: every kind of change, the largest first; rows whose class stays add nothing
    elsewhere: float = 0.0  #: the part of no row: what the metric settles on each whole sample, such as an open interval's length
    reason: str = ""  #: why there are no contributions; empty where there are

    def _rows(self) -> list[Record]:
        return [dict(vars(cell)) for cell in self.cells]

    def _blocks(self) -> list[Block]:
        if self.reason:
            return [Line(f"{self.metric}, {self.b} minus {self.a}: undefined ({self.reason})")]
        how = {
            "exact": "exact: what a change adds does not depend on the others",
            "path": "averaged along the straight path from one table to the other",
        }
        first = Line(f"{self.metric}, {self.b} minus {self.a}: {_adds(self.difference)} ({how[self.method]})")
        shown = [[*_change(cell), f"{cell.rows:,.10g}", _adds(cell.adds)] for cell in self.cells[:SHOWN]]
        if others := self.cells[SHOWN:]:
            rows, adds = (math.fsum(getattr(cell, name) for cell in others) for name in ("rows", "adds"))
            shown.append([f"the {len(others)} others", "", "", f"{rows:,.10g}", _adds(adds)])
        if self.elsewhere:
            shown.append(["settled on each whole sample", "", "", "", _adds(self.elsewhere)])
        return [first, Table(["true class", self.a, self.b, "rows", "adds"], shown, left=3)] if shown else [first]


def _change(change: Flip | Contribution) -> list[str]:
    return [str(change.true), str(change.a), str(change.b)]


def _steps(steps: int) -> str:
    return f"{steps:+d}".replace("-", "\N{MINUS SIGN}") if steps else "0"


def _adds(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")


def amount(rows: float) -> str:
    return f"{rows:,.10g} row{'' if rows == 1 else 's'}"


def paired(counts: Counts, a: str, b: str) -> Counts:
    """The counts of two models over the rows that both answered; clusters stay."""
    if len(counts.models) < 2:
        raise ArgumentError(
            "these counts hold one model ({model})",
            argument="counts",
            remedy="a comparison needs two on the same rows",
            values={"model": ", ".join(counts.models)},
        )
    for model in (a, b):
        if model not in counts.models:
            raise KeyError(f"there is no model {model!r}; the models are {', '.join(counts.models)}")
    if a == b:
        raise ArgumentError(
            "{model} was named twice",
            argument="b",
            remedy="compare two different models of {models_there}",
            values={"model": repr(a), "models_there": ", ".join(counts.models)},
        )
    both = judged(counts).margin("true", a, b, *([counts.cluster] if counts.cluster else [])).answered(a, b)
    if not both.total:
        raise ValueError(f"no row was answered by both {a!r} and {b!r}; there is nothing to compare")
    return both


def _changes(joint: Array) -> tuple[Array, Array]:
    """The kinds of change, (kinds, 3) codes of truth, first and second answer, and their rows."""
    kinds = np.argwhere(joint)
    kinds = kinds[kinds[:, 1] != kinds[:, 2]]
    return kinds, joint[tuple(kinds.T)]


def _labels(labels: tuple[Any, ...], kind: Array) -> tuple[Any, Any, Any]:
    true, first, second = kind.tolist()
    return labels[true], labels[first], labels[second]


@documented("The numbers of rows, and every kind of change.")
def flips(counts: Counts, a: str, b: str) -> Flips:
    """On which rows model b is closer to the truth than model a, further off, and the same; and from which class to which.

    >>> from ordeval import count
    >>> both = count([0, 1, 2, 2], {"old": [1, 1, 1, 0], "new": [0, 2, 2, 1]})
    >>> print(flips(both, "old", "new"))
    new is nearer the truth on 3 rows, old on 1; on 0 they are equally near.
    <BLANKLINE>
      true class  old  new  rows  steps nearer
      0           1    0       1            +1
      1           1    2       1            −1
      2           0    1       1            +1
      2           1    2       1            +1
    """
    joint, labels = paired(counts, a, b).pair(a, b), counts.scale.labels
    kinds, rows = _changes(joint)
    true, first, second = kinds.T
    steps = np.abs(true - first) - np.abs(true - second)
    order = np.lexsort((-rows, -np.abs(rows * steps)))
    moves = tuple(Flip(*_labels(labels, kinds[i]), rows[i].item(), int(steps[i])) for i in order)
    closer, further, sideways = (rows[chosen].sum().item() for chosen in (steps > 0, steps < 0, steps == 0))
    stayed = joint[:, np.arange(len(labels)), np.arange(len(labels))].sum().item()
    return Flips(a, b, joint.sum().item(), closer, further, stayed + sideways, rows.sum().item(), sideways, moves)


@renamed_keywords
@documented("What each kind of change adds; their sum is the difference.")
def contributions(counts: Counts, a: str, b: str, metric: str | Metric | Callable[..., float]) -> Contributions:
    """How much each kind of change (truth, answer of a, answer of b) adds to metric(b) - metric(a); they add up to exactly that.

    Where moving the rows of a kind first, from a's table, and last, to b's, makes the same change for every kind, that change is
    the contribution: this is so for every score that is linear in the answers, such as accuracy, mae, amae.  For all others a kind's
    contribution is the integral of its influence along the straight path from a's table to b's (Aumann and Shapley 1974): every
    row moves a little at a time, all at the same pace.  In each piece of the path the influences are scaled to the exact change
    of the score, so kinks do no harm.  Where a class is answered by one model only, the score may jump at that end of the
    path; the jump belongs to the rows answered with this class.

    >>> from ordeval import count
    >>> both = count([0, 1, 2, 2], {"old": [1, 1, 1, 0], "new": [0, 2, 2, 1]})
    >>> contributions(both, "old", "new", "mae").cells[0].adds
    -0.25
    """
    found = get_metric(metric)
    both = paired(found.place(counts), a, b)
    joint = both.pair(a, b)
    kinds, rows = _changes(joint)
    tables = [joint.sum(2), joint.sum(1)]
    ends = [float(_bound(found, table, both)(table)) for table in tables]
    difference = ends[1] - ends[0]
    if math.isnan(difference):
        return Contributions(str(found), a, b, math.nan, "none", (), reason=found.undefined)
    path = _Path(found, both, tables, ends, kinds, rows)
    adds, elsewhere, method = path.whole_moves(), 0.0, "exact"
    if adds is None:
        (adds, elsewhere), method = path.integral(), "path"
    labels = both.scale.labels
    cells = [
        Contribution(*_labels(labels, kinds[i]), rows[i].item(), float(adds[i])) for i in np.argsort(-np.abs(adds), kind="stable")
    ]
    return Contributions(str(found), a, b, difference, method, tuple(cells), elsewhere)


def _bound(metric: Metric, table: Array, counts: Counts) -> Callable[[Array], Array]:
    return metric.bind(Counts.from_matrix(table, labels=counts.scale))


class _Path:
    """The straight path from one table to another, and what the rows of each kind of change are worth on it."""

    def __init__(self, metric: Metric, counts: Counts, tables: list[Array], ends: list[float], kinds: Array, rows: Array) -> None:
        self.kernel = _bound(metric, tables[0] + tables[1], counts)  # on the way the classes of both are in use
        self.start, self.way = tables[0].astype(float), (tables[1] - tables[0]).astype(float)
        self.ends, self.kinds, self.rows = ends, kinds, rows.astype(float)
        self.new, self.old = (
            (predictions(tables[model]) == 0)[kinds[:, 2 - model]] if len(kinds) else np.zeros(0, bool) for model in (0, 1)
        )

    def at(self, share: float) -> Array:
        found: Array = self.start + share * self.way
        return found

    def moved(self, table: Array, share: float) -> Array:
        """The score of a table after a share of the rows of each kind, and of no other, was moved."""
        k, size = len(table), len(self.kinds)
        step = max(1, STACK_BYTES // (8 * k * k))
        scores = [np.zeros(0)]
        for begin in range(0, size, step):
            true, first, second = self.kinds[begin : begin + step].T
            rows, here = share * self.rows[begin : begin + step], np.arange(len(true))
            stack = np.repeat(table[None], len(true), 0)
            stack[here, true, first] -= rows
            stack[here, true, second] += rows
            scores.append(self.kernel(stack))
        return np.concatenate(scores)

    def whole_moves(self) -> Array | None:
        """What each kind adds when all of its rows move at once, if it is the same before all other kinds and after them."""
        begin, end = self.at(0), self.at(1)
        first, last = self.moved(begin, 1) - self.ends[0], self.ends[1] - self.moved(end, -1)
        gaps = [*(first - last), first.sum() - (self.ends[1] - self.ends[0])]
        return first if (np.abs(gaps) <= 1e-12 * max(1.0, *map(abs, self.ends)) * max(1, len(first))).all() else None

    def integral(self) -> tuple[Array, float]:
        """The average worth of each kind along the path, and what no row has caused."""
        knots = (1 - np.cos(np.pi * np.arange(STEPS + 1) / STEPS)) / 2  # closer together towards the ends
        knots[0], knots[-1] = NEAR * self.new.any(), 1 - NEAR * self.old.any()
        scores = np.array([float(self.kernel(self.at(knot))) for knot in knots])
        knots, scores = knots[np.isfinite(scores)], scores[np.isfinite(scores)]
        adds, elsewhere = np.zeros(len(self.kinds)), 0.0
        if not len(knots):  # a score at both ends and none on the way
            return self._shared(self.ends[1] - self.ends[0], adds), elsewhere
        for here, there, change in zip(knots[:-1], knots[1:], np.diff(scores), strict=True):
            middle = (here + there) / 2
            nudge = NUDGE * min(middle, 1 - middle)
            slopes = (self.moved(self.at(middle), nudge) - self.moved(self.at(middle), -nudge)) / (2 * nudge)
            adds += self._shared(change, np.nan_to_num(slopes) * (there - here))
        for jump, by in ((scores[0] - self.ends[0], self.new), (self.ends[1] - scores[-1], self.old)):
            if by.any():
                adds += jump * self.rows * by / self.rows[by].sum()
            else:
                elsewhere += float(jump)
        return adds, elsewhere

    def _shared(self, change: float, parts: Array) -> Array:
        """The parts, corrected in proportion to their sizes so that they sum to the change; in proportion to rows where all are 0."""
        sizes = np.abs(parts) if parts.any() else self.rows
        found: Array = parts + sizes / sizes.sum() * (change - parts.sum())
        return found
