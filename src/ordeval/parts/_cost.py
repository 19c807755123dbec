"""What is inside a total cost: the cost of every answer, and what each true class contributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ordeval.base.arrays import Array, ratio, total, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.metrics.core.record import Metric, Sample
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.core.score import as_counts
from ordeval.metrics.core.types import Answer, Labels, Truth, Weights
from ordeval.metrics.families.cost import class_costs, comparable, prices
from ordeval.show import ResultList

_TOTAL_COSTS = ("total_cost", "stc", "interval_total_cost", "interval_stc")


@renamed_keywords
@documented(
    "The costs, (K, K).",
    metric="The metric whose costs these are, with its parameters: ``stc``, ``total_cost`` or their interval forms.",
)
def cost_matrix(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    metric: str | Metric | Callable[..., float] = "stc",
) -> Array:
    """What one row costs, for every true class (rows) and every answer (columns); times the counts it sums to the total cost.

    Only the true classes matter, not the predictions.  All nan if the truth has fewer than two classes.

    >>> cost_matrix([1, 2, 3], [1, 2, 3]).tolist()
    [[0.0, 0.6666666666666666, 1.3333333333333333], [0.6666666666666666, 0.0, 0.6666666666666666], [1.3333333333333333, 0.6666666666666666, 0.0]]
    """
    counts, geometry = _counts_and_geometry("cost_matrix", metric, y_true, y_pred, labels, sample_weight)
    table = counts.matrix.astype(float)
    price, _, others = prices(table, **geometry)
    return ratio(others[:, None] * price, total(table) if comparable(table, geometry.get("gold")) else 0)


@dataclass(frozen=True)
class ClassCost:
    """What the rows of one true class contribute to a total cost, and to its standardized form."""

    label: Any
    rows: int | float
    cost: float  #: its part of the total cost: the costs of all classes add up to it
    weight: float  #: its part of the largest total cost: the weights of all classes add up to 1
    value: float  #: its cost as a share of the most it could be, 0 to 1: the standardized cost is the sum of weight · value


class CostTable(ResultList[ClassCost]):
    """What each true class contributes, lowest class first."""

    def _rows(self) -> list[dict[str, Any]]:
        return [{"class": c.label, "rows": c.rows, "cost": c.cost, "weight": c.weight, "value": c.value} for c in self]


@renamed_keywords
@documented(
    "The contributions, one for each class.",
    metric="The metric whose costs these are, with its parameters: ``stc``, ``total_cost`` or their interval forms.",
)
def cost_contributions(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    metric: str | Metric | Callable[..., float] = "stc",
) -> CostTable:
    """What each true class contributes to a total cost, lowest class first.

    A class with no true row contributes nothing and has no value (nan).

    >>> [(part.label, round(part.weight, 2), round(part.value, 2)) for part in cost_contributions([1, 1, 2, 3], [1, 2, 2, 1])]
    [(1, 0.57, 0.25), (2, 0.21, 0.0), (3, 0.21, 1.0)]
    """
    counts, geometry = _counts_and_geometry("cost_contributions", metric, y_true, y_pred, labels, sample_weight)
    table = counts.matrix.astype(float)
    cost, most = class_costs(table, **geometry)
    rows = truths(counts.matrix)
    rows_of_all = total(table) if comparable(table, geometry.get("gold")) else 0
    columns = ratio(cost, rows_of_all), ratio(most, most.sum()), ratio(cost, most)
    return CostTable(
        ClassCost(*row) for row in zip(counts.scale.labels, rows.tolist(), *(c.tolist() for c in columns), strict=True)
    )


def _counts_and_geometry(
    caller: str, metric: Any, y_true: Truth, y_pred: Answer, labels: Labels, sample_weight: Weights
) -> tuple[Counts, dict[str, Array]]:
    found = get_metric(metric)
    if found.name not in _TOTAL_COSTS or found.resolve is None:
        raise ArgumentError(
            "{metric:{given}} is not a sum of what each row costs",
            argument="metric",
            remedy=f"choose one of {', '.join(_TOTAL_COSTS)}",
            values={"given": repr(str(found))},
        )
    counts = as_counts(caller, y_true, y_pred, labels, sample_weight, metric=found)
    found.check_needs(counts)
    return counts, dict(found.resolve(Sample.of(counts), **found.params))
