"""Tables of truth and answer: where the rows fall, how close each answer is, what each answer costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np

from ordeval.base.arrays import Array, rank_distance, ratio, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.metrics import Metric, get_metric
from ordeval.parts import closeness_matrix, cost_matrix, oci_path
from ordeval.plot._base import OfCounts, OfOnePiece
from ordeval.plot._heat import Cells
from ordeval.plot._style import TITLE, short
from ordeval.show._numbers import amount, number, percent, rows_text
from ordeval.show._result import finite

CellText: TypeAlias = Literal["both", "counts", "shares"]
TRUE, PREDICTED = "true class", "predicted class"


@dataclass(frozen=True, eq=False)
class ConfusionDisplay(OfOnePiece, OfCounts):
    """The ordinal confusion matrix: the share of each true class, large and as a shade, and its rows; the order of the scale kept.

    >>> display = ConfusionDisplay.from_predictions([1, 1, 2, 3], [1, 2, 2, 1], labels=[1, 2, 3])
    >>> display.caption
    'On the diagonal are 2 of 4 rows (50 %), within one class of it 3 (75 %); the largest error: 1 row of 1 called 2.'
    """

    labels: tuple[Any, ...]
    counts: Array  #: (K, K), rows the truth
    path: tuple[tuple[int, int], ...] = ()  #: cells of the path behind `oci`, as positions on the scale
    model: str = ""
    cells: CellText = "both"  #: what stands in a cell: "counts", "shares" or "both"
    no_answer: tuple[float, ...] = ()  #: rows of each true class without an answer, where there are some: a column of their own
    counted: bool = False  #: those rows count, so they are part of the shares

    @classmethod
    @documented(
        "The figure.",
        path="Draw a line around the cells of the path behind `oci`.",
        cells="What stands in a cell.",
        options="Those of the path: ``share``, ``gamma``, ``beta``.",
    )
    def from_counts(cls, counts: Counts, *, path: bool = False, cells: CellText = "both", **options: Any) -> Self:
        """The table of truth and answer of one model."""
        if cells not in get_args(CellText):
            words = ", ".join(map(repr, get_args(CellText)))
            raise ArgumentError(
                "{cells:{given}} is unknown", argument="cells", remedy=f"choose one of {words}", values={"given": repr(cells)}
            )
        if options and not path:
            option = next(iter(options))
            raise ArgumentTypeError(
                "{option}= belongs to the path", argument=option, remedy="give {path:True} as well", values={"option": option}
            )
        matrix, labels = counts.matrix, counts.scale.labels
        place = {label: i for i, label in enumerate(labels)}
        found = tuple((place[t], place[p]) for t, p in oci_path(counts, **options)) if path and matrix.any() else ()
        silent = tuple(counts.unanswered.tolist()) if counts.unanswered.any() else ()
        return cls(labels, matrix, found, model_name(counts), cells, silent, bool(counts.blanks))

    @property
    def shares(self) -> Array:
        """Each row as shares of its true class; nan for a class without rows."""
        return ratio(self.counts, self._rows[:, None])

    @property
    def _rows(self) -> Array:
        """Rows of each true class that shares are of."""
        return truths(self.counts) + (np.array(self.no_answer) if self.counted and self.no_answer else 0)

    @property
    def title(self) -> str:
        return titled(self.model, "confusion matrix")

    @property
    def caption(self) -> str:
        total, distance = self._rows.sum().item(), rank_distance(len(self.labels))
        if not total:
            return "There are no rows."
        exact, near = (self.counts[distance <= n].sum().item() for n in (0, 1))
        said = (
            f"On the diagonal are {amount(exact)} of {rows_text(total)} ({percent(exact / total)}), "
            f"within one class of it {amount(near)} ({percent(near / total)})"
        )
        errors = np.where(distance > 0, self.counts, 0)
        if errors.any():
            t, p = divmod(int(errors.argmax()), len(self.labels))
            said += (
                f"; the largest error: {rows_text(errors[t, p].item())} of {short(self.labels[t])} called {short(self.labels[p])}"
            )
        if self.no_answer:
            said += f"; without an answer: {rows_text(sum(self.no_answer))}"
        return said + (
            f"; the line is around the path that the ordinal classification index keeps ({self._kept()})." if self.path else "."
        )

    def _kept(self) -> str:
        on = sum(self.counts[cell].item() for cell in self.path)
        return f"{amount(on)} of {rows_text(self.counts.sum().item())}"

    def _text(self, rows: float, share: float) -> str:
        if not rows:
            return "0"
        if np.isnan(share):
            return amount(rows)
        return {"counts": amount(rows), "shares": _percent(share), "both": f"{_percent(share)}\n{amount(rows)}"}[self.cells]

    @property
    def _piece(self) -> Cells:
        table, shares, columns = self.counts.tolist(), self.shares, [*self.labels]
        if self.no_answer:
            silent = np.array(self.no_answer)
            beside = ratio(silent, self._rows) if self.counted else np.full(len(silent), np.nan)
            table = [[*row, rows] for row, rows in zip(table, self.no_answer, strict=True)]
            shares, columns = np.column_stack([shares, beside]), [*columns, "no answer"]
        pairs = [list(zip(*row, strict=True)) for row in zip(table, shares.tolist(), strict=True)]
        return Cells(
            rows=self.labels,
            columns=columns,
            texts=[[self._text(rows, share) for rows, share in row] for row in pairs],
            shades=shares,
            row_title=TRUE,
            column_title=PREDICTED,
            notes=[amount(rows) for rows in self._rows.tolist()],
            notes_title="rows",
            path=self.path,
            small=self.cells == "both",
            numbers=[{"count": rows, "share": finite(share)} for row in pairs for rows, share in row],
        )


def _percent(share: float) -> str:
    """The share of a cell that is not empty: it does not look like 0."""
    return "<1 %" if share < 0.005 else percent(share)


@dataclass(frozen=True, eq=False)
class ClosenessDisplay(OfOnePiece, OfCounts):
    """How close every answer is to every truth, in bits: what `cem` adds up."""

    labels: tuple[Any, ...]
    bits: Array  #: (K, K), rows the truth; infinite for a class without rows on itself, nan without any rows
    rows: tuple[float, ...]  #: true rows of each class

    @classmethod
    @documented("The figure.", options="Those of `closeness_matrix`: ``level``, ``ties``, ``class_counts``.")
    def from_counts(cls, counts: Counts, **options: Any) -> Self:
        """The closeness that the true rows of these counts give."""
        bits = closeness_matrix(counts, **options)
        return cls(counts.scale.labels, bits, tuple(truths(counts.matrix).tolist()))

    @property
    def title(self) -> str:
        return "Closeness in bits"

    @property
    def caption(self) -> str:
        if np.isnan(self.bits).all():
            return "There are no rows, so no answer is closer than another."
        own = np.diag(self.bits)
        known = np.isfinite(own)
        if not known.any():
            return "No class has rows."
        top, least = int(np.where(known, own, -np.inf).argmax()), int(np.where(known, own, np.inf).argmin())
        if top == least:
            return f"A right answer for {short(self.labels[top])} earns {number(own[top], 2)} bits."
        return (
            f"Finding {short(self.labels[top])} earns the most ({number(own[top], 2)} bits, {rows_text(self.rows[top])}), "
            f"finding {short(self.labels[least])} the least ({number(own[least], 2)} bits, {rows_text(self.rows[least])})."
        )

    @property
    def _piece(self) -> Cells:
        return _of_values("bits", self.labels, self.bits, self.rows)


@dataclass(frozen=True, eq=False)
class CostDisplay(OfOnePiece, OfCounts):
    """What one row costs for every true class and every answer: what `stc` and its relatives add up."""

    labels: tuple[Any, ...]
    costs: Array  #: (K, K), rows the truth; all nan where the truth has fewer than two classes
    rows: tuple[float, ...]  #: true rows of each class
    metric: str  #: the text of the metric whose costs these are

    @classmethod
    @renamed_keywords
    @documented("The figure.", metric="The metric whose costs these are, as in `cost_matrix`.")
    def from_counts(cls, counts: Counts, *, metric: str | Metric | Callable[..., float] = "stc") -> Self:
        """The costs that the true rows of these counts give."""
        chosen = get_metric(metric)
        return cls(counts.scale.labels, cost_matrix(counts, metric=chosen), tuple(truths(counts.matrix).tolist()), str(chosen))

    @property
    def title(self) -> str:
        return f"Cost of one row, by {self.metric}"

    @property
    def caption(self) -> str:
        if np.isnan(self.costs).all():
            return "The truth has fewer than two classes, so no answer can cost anything."
        t, p = divmod(int(np.nanargmax(self.costs)), len(self.labels))
        return (
            f"The costliest answer is {short(self.labels[p])} for {short(self.labels[t])}: {_value(self.costs[t, p], self.costs[t, p])}; "
            f"rare classes are costly to predict and costly to miss."
        )

    @property
    def _piece(self) -> Cells:
        return _of_values("cost", self.labels, self.costs, self.rows)


def _of_values(name: str, labels: tuple[Any, ...], values: Array, rows: Sequence[float]) -> Cells:
    """Cells with a number each, the largest finite one darkest."""
    largest = values[np.isfinite(values)].max(initial=0)
    shades = np.where(np.isfinite(values), ratio(values, largest if largest else 1.0), np.nan)
    return Cells(
        rows=labels,
        columns=labels,
        texts=[[_value(v, largest) for v in row] for row in values.tolist()],
        shades=shades,
        row_title=TRUE,
        column_title=PREDICTED,
        notes=[amount(n) for n in rows],
        notes_title="rows",
        numbers=[{name: finite(value)} for value in values.ravel().tolist()],
    )


def _value(value: float, largest: float) -> str:
    if np.isinf(value):
        return "∞"
    if np.isnan(value):
        return "–"
    if value == 0:
        return "0"
    return f"{value:,.{_places(largest)}f}"


def _places(largest: float) -> int:
    """Decimals that leave three digits of the largest number, and never more than six."""
    return min(max(2 - math.floor(math.log10(largest)), 0), 6)


def model_name(counts: Counts) -> str:
    """The name of the one model; none where nobody gave it one."""
    name = counts.models[0]
    return "" if name == "pred" else name


def titled(model: str, words: str) -> str:
    return f"{short(model, TITLE)}: {words}" if model else words[:1].upper() + words[1:]
