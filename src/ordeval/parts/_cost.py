"""What is inside a total cost: the cost of every answer, and what each true class contributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ordeval.base.arrays import Array, ratio, total, truths
from ordeval.counts import Counts
from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.core.score import as_counts
from ordeval.metrics.families.cost import class_costs, comparable, prices

_TOTAL_COSTS = ("total_cost", "stc", "interval_total_cost", "interval_stc")


def cost_matrix(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    of: str | Metric | Callable[..., float] = "stc",
) -> Array:
    """What one row costs, for every true class (rows) and every answer (columns); times the counts it sums to the total cost.

    ``of`` names the metric whose costs these are, with its parameters: "stc", "interval_stc(distance='midpoint')".
    Only the true classes matter, not the predictions.  All nan if the truth has fewer than two classes.

    >>> cost_matrix([1, 2, 3], [1, 2, 3]).tolist()
    [[0.0, 0.6666666666666666, 1.3333333333333333], [0.6666666666666666, 0.0, 0.6666666666666666], [1.3333333333333333, 0.6666666666666666, 0.0]]
    """
    counts, geometry = _counts_and_geometry("cost_matrix", of, y_true, y_pred, labels, sample_weight)
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
    score: float  #: its cost as a share of the most it could be, 0 to 1: the standardized cost is the sum of weight · score


def cost_contributions(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    of: str | Metric | Callable[..., float] = "stc",
) -> list[ClassCost]:
    """What each true class contributes to a total cost, lowest class first.

    ``of`` names the metric, as in `cost_matrix`.  A class with no true row contributes nothing and has no score (nan).

    >>> [(part.label, round(part.weight, 2), round(part.score, 2)) for part in cost_contributions([1, 1, 2, 3], [1, 2, 2, 1])]
    [(1, 0.57, 0.25), (2, 0.21, 0.0), (3, 0.21, 1.0)]
    """
    counts, geometry = _counts_and_geometry("cost_contributions", of, y_true, y_pred, labels, sample_weight)
    table = counts.matrix.astype(float)
    cost, most = class_costs(table, **geometry)
    rows = truths(counts.matrix)
    rows_of_all = total(table) if comparable(table, geometry.get("gold")) else 0
    columns = ratio(cost, rows_of_all), ratio(most, most.sum()), ratio(cost, most)
    return [ClassCost(*row) for row in zip(counts.scale.labels, rows.tolist(), *(c.tolist() for c in columns), strict=True)]


def _counts_and_geometry(
    caller: str, of: Any, y_true: Any, y_pred: Any, labels: Any, sample_weight: Any
) -> tuple[Counts, dict[str, Array]]:
    found = get_metric(of)
    if found.name not in _TOTAL_COSTS or found.resolve is None:
        raise ValueError(f"of={str(found)!r} is not made of the cost of each row; choose one of {', '.join(_TOTAL_COSTS)}")
    counts = as_counts(caller, y_true, y_pred, labels, sample_weight)
    found.check_needs(counts)
    return counts, dict(found.resolve(counts, **found.params))
