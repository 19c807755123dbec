"""Scores of many tables at once, each table a sample of its own.

A bound kernel answers for tables that share one sample.  Here every table is another sample, so the tables are sorted by what
binding would settle for them (the classes present, most often), and each group goes through the kernel as one stack.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, truths
from ordeval.counts import Counts
from ordeval.metrics.core.record import CLASSES, Metric
from ordeval.order.scale import Scale


def score_stack(metric: Metric, stack: Array, scale: Scale) -> Array:
    """The scores (...) of tables (..., K, K): what the metric says of each of them alone.

    >>> from ordeval import get_metric
    >>> score_stack(get_metric("amae"), np.array([[[2, 0], [1, 1]], [[0, 2], [0, 0]]]), Scale([1, 2]))
    array([0.25, 1.  ])
    """
    tables = stack.reshape(-1, *stack.shape[-2:])
    fractional = np.flatnonzero((tables % 1 != 0).any((-2, -1)))[:1]  # one such table is enough to be refused
    for table in tables[fractional]:
        metric.check_needs(Counts.from_matrix(table, labels=scale))
    # Tables side by side in memory: kernels then run along them and not along the short axes of a table.
    beside = np.moveaxis(np.ascontiguousarray(np.moveaxis(tables, 0, -1), dtype=float), -1, 0)
    scores = np.full(len(tables), np.nan)
    for options, members in _alike(metric, tables, scale):
        found = np.asarray(metric.kernel(beside if members.size == len(tables) else beside[members], **options))
        if found.shape != members.shape:
            raise ValueError(
                f"the kernel of {metric} gives an array {found.shape} for {members.size} tables; it must give one score for each"
            )
        scores[members] = found
    return scores.reshape(stack.shape[:-2])


def _alike(metric: Metric, tables: Array, scale: Scale) -> list[tuple[dict[str, Any], Array]]:
    """Groups of tables for which binding settles the same, and what it settles."""
    found: dict[Hashable, tuple[dict[str, Any], list[Array]]] = {}
    for members in groups(metric, tables):
        options = metric.bind_options(Counts.from_matrix(tables[members[0]], labels=scale))
        found.setdefault(_key(options), (options, []))[1].append(members)
    return [(options, np.sort(np.concatenate(members))) for options, members in found.values()]


def groups(metric: Metric, tables: Array) -> list[Array]:
    """The tables that binding cannot tell apart, group by group: those alike in what the metric says it depends on."""
    if not len(tables):
        return []
    seen = [CLASSES[name](tables) for name in metric.classes]
    if metric.resolve is not None and metric.depends != "scale":
        seen.append(truths(tables) if metric.depends == "truths" else tables.reshape(len(tables), -1))
    if not seen:
        return [np.arange(len(tables))]
    kind = np.unique(np.concatenate(seen, -1), axis=0, return_inverse=True)[1].reshape(-1)
    order = np.argsort(kind, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(kind[order])) + 1)


def by_place(counts: Counts, metrics: Sequence[Metric]) -> list[tuple[Counts, list[Metric]]]:
    """The counts with blanks that count as wrong put into their classes, once for all metrics that have the same worst classes."""
    found: dict[bytes, tuple[Counts, list[Metric]]] = {}
    for metric in metrics:
        key = metric.worst_classes(counts).tobytes() if counts.blanks else b""
        if key not in found:
            found[key] = (metric.place(counts), [])
        found[key][1].append(metric)
    return list(found.values())


def _key(options: Mapping[str, Any]) -> Hashable:
    """Equal for equal options: arrays by their content; what cannot be compared is like nothing else."""
    return tuple((name, _comparable(options[name])) for name in sorted(options))


def _comparable(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    try:
        hash(value)
    except TypeError:
        return object()
    return type(value).__name__, value
