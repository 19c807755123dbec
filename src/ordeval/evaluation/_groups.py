"""Groups, by the column that they come from: a block for each, and a row for each group in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ordeval.counts import Counts
from ordeval.evaluation._units import resampled
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction
from ordeval.show import Table
from ordeval.show._numbers import amount, number, p_text, signed

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Leaderboard

Part = TypeVar("Part")


def group_axes(counts: Counts) -> list[str]:
    """The columns of groups, in their order."""
    return [axis for axis in counts.values if axis != counts.cluster]


def group_name(axis: str, value: Any, axes: list[str]) -> Any:
    """What a group is called: its value, with its column where there are several and two may hold the same value."""
    return value if len(axes) == 1 else f"{axis}={value}"


def by_column(counts: Counts, groups: Mapping[Any, Part]) -> dict[str, dict[str, Part]]:
    """The groups of each column."""
    axes = group_axes(counts)
    named = {axis: {str(value): group_name(axis, value, axes) for value in counts.values[axis]} for axis in axes}
    found = {axis: {value: groups[name] for value, name in names.items() if name in groups} for axis, names in named.items()}
    return {axis: parts for axis, parts in found.items() if parts}


def comparison_groups(result: Comparison) -> list[Table]:
    """The score that decides in every group: the models, their difference with its interval; a table for each column."""
    many = len(result.differences) > 1
    names = ["first", "second"] if many else list(next(iter(result.differences)))
    metric, level = get_metric(result.primary), f"{100 * result.settings['confidence_level']:g} %"
    tables = []
    for axis, parts in by_column(result.counts, result.groups).items():
        rows, notes = [], []
        for value, part in parts.items():
            for (a, b), found in part.differences.items():
                d = found[part.primary]
                scores = [number(part.evaluations[model].scores[part.primary].value) for model in (a, b)]
                ends = "no interval" if d.reason else f"[{signed(d.low)}, {signed(d.high)}]"
                p = "" if math.isnan(d.p_value) else p_text(d.p_value, d.p_is_bound)
                pair = [f"{b} − {a}"] if many else []
                rows.append([value, *pair, amount(part.counts.total), *scores, signed(d.value), ends, p])
                notes += [f"{value}: no interval: {d.reason}."] if d.reason else []
        notes += [f"{value}: {reason}." for value, reason in empty_groups(result.counts, result.groups).get(axis, {}).items()]
        header = [axis, *(["models"] if many else []), "rows", *names, "difference", "interval", "p"]
        caption = f"{metric.title} {direction(metric)} by {axis}; {level} confidence intervals of each group by itself"
        tables.append(Table(header, rows, f"{caption}{resampled(result.counts)}.", list(dict.fromkeys(notes)), left=1 + many))
    return tables


def empty_groups(counts: Counts, groups: Mapping[Any, Any]) -> dict[str, dict[str, str]]:
    """By column, the groups of which nothing can be said, with the reason."""
    axes = group_axes(counts)
    lost = {axis: [v for v in counts.values[axis] if group_name(axis, v, axes) not in groups] for axis in axes}
    why = "no row was answered by all models; there is nothing to compare"
    return {axis: {str(value): why for value in values} for axis, values in lost.items() if values}


def leaderboard_groups(board: Leaderboard) -> list[Table]:
    """The score that decides in every group, for each system with the ranks that it may have there; a table for each column."""
    metric, tables = get_metric(board.primary), []
    for axis, parts in by_column(board.counts, board.groups).items():
        rows = [
            [value, part._rank_words(model), model, amount(part.counts.total), number(part.scores(model)[board.primary])]
            for value, part in parts.items()
            for model in part.models
        ]
        notes = [f"{value}: {reason}." for value, reason in empty_groups(board.counts, board.groups).get(axis, {}).items()]
        notes += [
            f"{value}: {part.ranks.reason}." for value, part in parts.items() if part.ranks is not None and part.ranks.reason
        ]
        caption = f"{metric.title} {direction(metric)} by {axis}; ranks in each group by itself{resampled(board.counts)}."
        tables.append(Table([axis, "ranks", "system", "rows", str(metric)], rows, caption, notes, left=3))
    return tables
