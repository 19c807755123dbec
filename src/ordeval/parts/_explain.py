"""The sum behind a score written out: what the rows of every cell earned, and what they lost against right answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.families.closeness import cell_worth
from ordeval.show import Block, Paragraph, Result, Table
from ordeval.show._numbers import number


@dataclass(frozen=True)
class CellSum:
    """The rows of one cell in a sum."""

    true: Any
    pred: Any
    rows: int | float
    each: float  #: what one row earns: bits, or a share without the logarithm
    right: float  #: what the right answer earns

    @property
    def earned(self) -> float:
        """What the rows earned together."""
        return self.rows * self.each

    @property
    def lost(self) -> float:
        """What they lost against right answers."""
        return self.rows * (self.right - self.each)


@dataclass(frozen=True)
class ScoreSum(Result):
    """A score as a sum over cells: what was earned, over the most there was to earn."""

    metric: str
    cells: tuple[CellSum, ...]  #: those with rows, by answer and then by truth, as the CEM paper's Figure 3 has them

    @property
    def earned(self) -> float:
        """What all rows earned."""
        return float(sum(cell.earned for cell in self.cells))

    @property
    def most(self) -> float:
        """What right answers would have earned."""
        return float(sum(cell.rows * cell.right for cell in self.cells))

    @property
    def score(self) -> float:
        """The score."""
        return float(ratio(np.array(self.earned), np.array(self.most)))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"true": c.true, "pred": c.pred, "rows": c.rows, "each": c.each, "earned": c.earned, "lost": c.lost}
            for c in self.cells
        ]

    def _blocks(self) -> list[Block]:
        of_class: dict[Any, list[float]] = {}
        for cell in self.cells:
            found = of_class.setdefault(cell.true, [0, cell.right])
            found[0] += cell.rows
        above = " + ".join(f"{c.rows:g}·{c.each:.2f}" for c in self.cells)
        below = " + ".join(f"{rows:g}·{right:.2f}" for rows, right in of_class.values())
        rows = [
            [str(c.true), str(c.pred), f"{c.rows:g}", f"{c.each:.2f}", f"{c.earned:.2f}", f"{c.lost:.2f}"] for c in self.cells
        ]
        total = ["all", "", f"{sum(c.rows for c in self.cells):g}", "", f"{self.earned:.2f}", f"{self.most - self.earned:.2f}"]
        return [
            Table(["true", "answer", "rows", "each", "earned", "lost"], [*rows, total], left=2),
            Paragraph(f"{self.metric} = ({above}) / ({below}) = {self.earned:.2f} / {self.most:.2f} = {number(self.score)}"),
        ]


@documented("The sum.", counts="Counts of one model.", metric="`cem`, with any of its parameters.")
def explain_score(counts: Counts, metric: str | Metric | Callable[..., float] = "cem") -> ScoreSum:
    """Write out the sum behind a score: the rows of every cell times what each earns, over the most there was to earn.

    What an error earns and what it loses are two things.  In the CEM paper's example a positive called neutral earns less than a
    negative called neutral, and loses less too, because a right answer in the rarer class would have earned more.

    >>> found = explain_score(Counts.from_matrix([[5, 1, 4], [5, 50, 5], [7, 8, 15]], labels=["neg", "neu", "pos"]))
    >>> round(found.score, 2), round(found.earned, 1), round(found.most, 1)
    (0.71, 163.4, 229.5)
    """
    found = get_metric(metric)
    if found.name != "cem":
        raise ArgumentError(
            "{metric:{given}} is not a sum of what cells earn",
            argument="metric",
            remedy="choose cem, with any of its parameters",
            values={"given": repr(str(found))},
        )
    if len(counts.models) != 1:
        raise ArgumentError(
            "{counts} has {many} models",
            argument="counts",
            remedy="choose one: counts[model]",
            values={"many": len(counts.models)},
        )
    counts = found.place(counts)
    table = counts.matrix
    worth = cell_worth(table.astype(float), **found.bind_options(counts))
    labels = counts.scale.labels
    cells = (
        CellSum(labels[t], labels[p], table[t, p].item(), float(worth[t, p]), float(worth[t, t]))
        for p in range(counts.scale.K)
        for t in range(counts.scale.K)
        if table[t, p]
    )
    return ScoreSum(str(found), tuple(cells))
