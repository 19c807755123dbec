"""A visitor's own costs of errors: a table, what a model costs by it, and the weight at which two models cost the same."""

from __future__ import annotations

from typing import Any

import numpy as np

FRACTIONS = True  # costs need not be whole
Costs = tuple[tuple[float, ...], ...]


def start_costs(k: int) -> Costs:
    """The number of steps from truth to answer."""
    places = np.arange(k)
    return _costs(np.abs(places[:, None] - places))


def _costs(table: Any) -> Costs:
    return tuple(tuple(float(cost) for cost in row) for row in np.asarray(table).tolist())


def as_costs(sent: Any, k: int) -> Costs | None:
    """What a page sent, if it is a table of costs; what is right costs nothing."""
    try:
        table = np.array(sent, dtype=float)
    except (ValueError, TypeError):
        return None
    if table.shape != (k, k) or not np.isfinite(table).all() or (table < 0).any():
        return None
    np.fill_diagonal(table, 0.0)
    return _costs(table)


def with_too_low(table: Costs, factor: float) -> Costs:
    """Answers below the truth cost so many times as much."""
    found = np.array(table)
    return _costs(np.where(np.tri(len(found), k=-1, dtype=bool), factor * found, found))


def with_missed(table: Costs, factor: float) -> Costs:
    """Errors with the highest class cost so many times as much."""
    found = np.array(table)
    found[-1] *= factor
    return _costs(found)


def total(matrix: Any, table: Costs) -> float:
    return float((np.asarray(matrix) * np.array(table)).sum())


def even_weight(first: Any, second: Any, table: Costs) -> float | None:
    """The weight of the highest class, from 1 on, at which both cost the same; None where there is none."""
    gap = [total(first, with_missed(table, w)) - total(second, with_missed(table, w)) for w in (1.0, 2.0)]  # a line
    if gap[0] == gap[1]:
        return None
    even = 1 + gap[0] / (gap[0] - gap[1])
    return even if even >= 1 else None
