"""count(): the way from columns to Counts.  Every row is counted, or left out with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ordeval.base import types as t
from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.types import Missing, MissingTruth, Weights
from ordeval.counts.blanks import WRONG, Policy, class_of_blanks, filled_in, read_missing
from ordeval.counts.table import PRED, TRUE, Counts, checked_weights
from ordeval.counts.tally import count_pairs, tally
from ordeval.order.alignment import check_alignment
from ordeval.order.columns import Column, column_error, read_column, spelt
from ordeval.order.scale import MAX_CLASSES, Labels, Scale, WrittenLabels, as_scale
from ordeval.order.values import as_numbers, parse_written
from ordeval.show._plain import count_text

FIRST_ROWS = 1 << 16  # in a long column these usually show every class


@documented(
    "The counts, from which every score of labels is computed.",
    y_true="The true classes, one entry for each row.",
    y_pred='The predicted classes of the same rows; ``{"a": column, "b": column}`` for several models.',
    by='Columns that name groups: one column, or ``{"site": column}`` to name the axis.',
    cluster="The column that names the cluster of each row (a patient, a document); ``{name: column}`` names the axis.",
)
def count(
    y_true: t.Column,
    y_pred: t.Column | Mapping[str, t.Column],
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    by: t.Groups = None,
    cluster: t.Groups = None,
    missing: Missing = "error",
) -> Counts:
    """Count the distinct rows of truth and prediction.

    >>> count(["lo", "hi", "hi"], ["lo", "lo", "hi"], labels=["lo", "hi"]).matrix
    array([[1, 0],
           [1, 1]])
    """
    return count_batch(y_true, y_pred, labels, sample_weight, by, cluster, missing, may_be_empty=False)


def count_batch(
    y_true: Any,
    y_pred: Any,
    labels: Any,
    sample_weight: Any,
    by: Any,
    cluster: Any,
    missing: Missing,
    *,
    may_be_empty: bool = True,
) -> Counts:
    """The same for a part of the rows: there may be none in it, or none that is left."""
    scale = None if labels is None else as_scale(labels)
    measured = scale is not None and scale.edges is not None
    models = _named(y_pred, "y_pred") if isinstance(y_pred, Mapping) else {PRED: y_pred}
    clusters = _named(cluster, "cluster")
    if len(clusters) > 1:
        raise ArgumentError(
            "{cluster} has {n} columns ({names})",
            argument="cluster",
            remedy="give one, and the others as {by}",
            values={"n": len(clusters), "names": ", ".join(map(str, clusters))},
        )
    grouping = [*_named(by, "by").items(), *clusters.items()]
    check_names([TRUE, *models, *(axis for axis, _ in grouping)])
    called = {model: "y_pred" if not isinstance(y_pred, Mapping) else f"y_pred[{model!r}]" for model in models}
    answers = {called[model]: column for model, column in models.items()}
    check_alignment({"y_true": y_true, **answers, **dict(grouping), "sample_weight": sample_weight})
    columns = {TRUE: read_column(y_true, "y_true", measured=measured)}
    for model, column in models.items():
        columns[model] = read_column(column, called[model], measured=measured)
    groups = {axis: read_column(column, axis) for axis, column in grouping}
    n = _common_length({**columns, **groups})
    if not n and not may_be_empty:
        raise ArgumentError("{y_true} and {y_pred} are empty", argument="y_true", remedy="there is nothing to score")
    weights = None if sample_weight is None else checked_weights(as_weights(sample_weight), n, "sample_weight")
    return count_columns(
        columns,
        groups,
        scale=scale,
        weights=weights,
        cluster=next(iter(clusters), None),
        missing=missing,
        may_be_empty=may_be_empty,
    )


def count_columns(
    columns: Mapping[str, Column],
    groups: Mapping[str, Column],
    *,
    scale: Scale | WrittenLabels | None,
    weights: Array | None = None,
    times: Array | None = None,
    cluster: str | None = None,
    missing: Missing = "error",
    missing_truth: MissingTruth = None,
    excluded: Mapping[str, int] | None = None,
    may_be_empty: bool = False,
) -> Counts:
    """Counts from columns already read: truth first, then the models.

    Where an engine has grouped the rows, ``times`` says how many rows each entry stands for, ``weights`` what they weigh
    together, and ``excluded`` which rows were left out before.
    """
    policy = read_missing(missing)
    keep, reasons = _exclusions(columns, groups, weights, times, policy.word, missing_truth)
    excluded = {**(excluded or {}), **reasons}
    if not keep.any() and not may_be_empty:
        told = ", ".join(f"{number:,} {reason}" for reason, number in excluded.items())
        raise ValueError(f"no row is left to score: of {count_text(sum(excluded.values()), 'row')}, {told}")
    if not keep.all():
        columns = {axis: column.keep(keep) for axis, column in columns.items()}
        groups = {axis: column.keep(keep) for axis, column in groups.items()}
        weights = None if weights is None else weights[keep]
        times = None if times is None else times[keep]
    if isinstance(scale, WrittenLabels):
        scale = scale.settle(columns.values())
    complete = all(column.missing is None for column in columns.values())
    if len(columns) == 2 and complete and not groups and weights is None and times is None:
        scale, table = _count_two(scale, *columns.values())
        cells = np.argwhere(table)
        counts = Counts(scale, tuple(columns), cells, table[tuple(cells.T)], excluded=excluded)
        if policy.word == "as":
            class_of_blanks(scale, policy.label)  # refused also where nothing is blank
    else:
        counts = _count_many(scale or _inferred(columns), columns, groups, weights, times, excluded, policy)
        counts.cluster = cluster
    counts.blanks = WRONG if policy.word == WRONG else ""
    return counts


def count_ratings(
    columns: Mapping[str, Column],
    *,
    scale: Scale | None,
    times: Array | None = None,
    excluded: Mapping[str, int] | None = None,
) -> Counts:
    """Counts of rating patterns: one column per rater and no truth.  A missing rating is a gap, never a reason to leave a row out."""
    return _count_many(scale or _inferred(columns), columns, {}, None, times, excluded or {})


def _inferred(columns: Mapping[str, Column]) -> Scale:
    return Scale.infer(*columns.values(), names=[column.name for column in columns.values()])


def _count_many(
    scale: Scale,
    columns: Mapping[str, Column],
    groups: Mapping[str, Column],
    weights: Array | None,
    times: Array | None,
    excluded: Mapping[str, int],
    policy: Policy | None = None,
) -> Counts:
    """Any number of models, groups, weights, gaps: distinct rows are found column by column."""
    codes = [scale.encode(column, name=column.name, missing="mark") for column in columns.values()]
    filled: dict[str, dict[str, int]] = {}
    if policy is not None and policy.word == "as":
        blank, models = class_of_blanks(scale, policy.label), list(columns)[1:]
        codes[1:] = [column.copy() for column in codes[1:]]
        rows_of = filled_in(codes[1:], models, blank, times)
        filled = {model: {str(scale.labels[blank]): rows} for model, rows in rows_of.items()}
    grouped = {axis: parse_written(column).coded() for axis, column in groups.items()}
    codes += [group for group, _ in grouped.values()]
    values = {axis: value for axis, (_, value) in grouped.items()}
    sizes = [scale.K] * len(columns) + [len(value) for value in values.values()]
    cells, weight = tally(codes, sizes, times if weights is None else weights)
    rows = None if weights is None else tally(codes, sizes, times)[1]
    counts = Counts(scale, (*columns, *groups), cells, weight, values=values, rows=rows, excluded=excluded)
    counts.filled = filled
    return counts


def _count_two(scale: Scale | None, true: Column, pred: Column) -> tuple[Scale, Array]:
    """Two complete columns: the scale, and the K×K table in one pass.

    Where no scale is given, that of the first rows is tried: if no row lies outside it, it is the scale of all.
    """
    if scale is None:
        scale = _scale_of_integers_seen_early(true, pred)
        if scale is not None and (table := _integer_table(scale, true, pred)) is not None:
            return scale, table
        scale = _inferred({TRUE: true, PRED: pred})
    table = _integer_table(scale, true, pred)
    if table is None:
        codes = [scale.encode(column, name=column.name) for column in (true, pred)]  # names what is outside, if anything is
        table = count_pairs(codes[0], codes[1], scale.K)
        assert table is not None
    return scale, table


def _integer_table(scale: Scale, true: Column, pred: Column) -> Array | None:
    """Consecutive integers are counted as they stand: no copy, one pass.  None if they are not, or one is outside the scale."""
    if scale.offset is None:
        return None
    true, pred = true.whole(), pred.whole()
    if true.numbers is None or pred.numbers is None or not true.kind == pred.kind == "integers":
        return None
    ranges = [np.iinfo(numbers.dtype) for numbers in (true.numbers, pred.numbers)]
    if any(scale.labels[0] < range_.min or scale.labels[-1] > range_.max for range_ in ranges):
        return None  # a value less the offset could wrap around into the classes
    return count_pairs(true.numbers, pred.numbers, scale.K, (scale.offset, scale.offset))


def _scale_of_integers_seen_early(*columns: Column) -> Scale | None:
    """The scale that the first rows of long columns would have; None if they are short or no plain integers."""
    if len(columns[0]) <= FIRST_ROWS or any(column.kind != "integers" or column.numbers is None for column in columns):
        return None
    heads = [column.numbers[:FIRST_ROWS] for column in columns if column.numbers is not None]
    low, high = min(int(head.min()) for head in heads), max(int(head.max()) for head in heads)
    return Scale.infer(*heads) if high - low < MAX_CLASSES else None


def _named(given: Any, role: str) -> dict[str, Any]:
    """Columns by name: those of a mapping, the one column under the name of its role, or none."""
    if isinstance(given, Mapping):
        if not given:
            raise ArgumentError(f"{{{role}}} is an empty mapping", argument=role, remedy="give at least one column")
        return dict(given)
    return {} if given is None else {role: given}


def check_names(axes: Sequence[str]) -> None:
    for i, axis in enumerate(axes):
        if not isinstance(axis, str) or not axis:
            raise TypeError(f"a model or group is named by text, not by {axis!r}")
        if axis in axes[:i]:
            raise ValueError(f"the name {axis!r} is used twice; {TRUE!r}, the models and the groups need different names")


def _common_length(columns: Mapping[str, Column]) -> int:
    lengths = {column.name: len(column) for column in columns.values()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{spelt(name)} has {count_text(n, 'row')}" for name, n in lengths.items())
        raise ArgumentError(f"the columns have different lengths: {told}", argument="y_pred")
    return next(iter(lengths.values()))


def _exclusions(
    columns: Mapping[str, Column],
    groups: Mapping[str, Column],
    weights: Array | None,
    times: Array | None,
    missing: str,
    missing_truth: MissingTruth = None,
) -> tuple[Array, dict[str, int]]:
    """Which rows stay, and for the others how many left for which reason (the first that applies)."""
    true, *predictions = columns.values()
    models = list(columns)[1:]
    keep = np.ones(len(true), bool)
    excluded: dict[str, int] = {}

    def leave_out(reason: str, rows: Array | None) -> None:
        if rows is not None and (gone := keep & rows).any():
            excluded[reason] = int(gone.sum() if times is None else times[gone].sum())
            keep[rows] = False

    if weights is not None:
        leave_out("weight zero", weights == 0)
    for column in (true, *groups.values()):
        if column is true and missing_truth == "error":
            _refuse_missing(column, keep, '{missing_truth:"drop"} leaves these rows out and says so')
        elif missing != "drop" and not (column is true and missing_truth == "drop"):
            _refuse_missing(column, keep, '{missing:"drop"} leaves these rows out and says so')
        leave_out("truth missing" if column is true else f"{column.name} missing", column.missing)
    for model, column in zip(models, predictions, strict=True):
        if missing == "error":
            _refuse_missing(column, keep, '{missing:"drop"} leaves these rows out, {missing:"unanswered"} keeps count of them')
        if missing == "drop":
            leave_out("prediction missing" if len(predictions) == 1 else f"prediction missing ({model})", column.missing)
    return keep, excluded


def _refuse_missing(column: Column, keep: Array, remedy: str) -> None:
    if column.missing is not None and (rows := np.flatnonzero(column.missing & keep)).size:
        found = column.at(rows)
        many = count_text(found.times, "missing value")
        raise column_error(column.name, " has {many}{first}", remedy, many=many, first=found.first)


def as_weights(given: Any) -> Array:
    column = as_numbers(read_column(given, "sample_weight", measured=True))
    if column.missing is not None:
        place = column.at(np.flatnonzero(column.missing)).place
        problem = f" is missing at {place}" if place else " is missing"
        raise column_error("sample_weight", problem, "weights are finite and not negative")
    numbers = column.codes if column.kind == "booleans" else column.numbers
    if numbers is None:
        raise column_error("sample_weight", f" holds {column.kind}", "weights are numbers", ArgumentTypeError)
    return numbers
