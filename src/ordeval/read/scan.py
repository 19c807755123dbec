"""scan(): rows anywhere become Counts.  One group-by runs where the rows are; only distinct rows and their number come here."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Missing, MissingTruth, Quote, Strays, Unknown
from ordeval.counts import Counts
from ordeval.counts.audit import merge_changes
from ordeval.counts.counting import check_names, count_columns
from ordeval.counts.table import PRED, TRUE
from ordeval.order.scale import Labels, Scale, WrittenLabels, as_scale
from ordeval.order.values import parse_written
from ordeval.read.arrow import open_arrow
from ordeval.read.files import Files
from ordeval.read.frames import open_frame
from ordeval.read.grouping import ColumnRoles, Table, changes_of, distinct_rows, ledger_of
from ordeval.read.join import joined
from ordeval.read.lakes import open_lake
from ordeval.read.long import LongRoles, widened
from ordeval.read.opening import open_files, open_stream
from ordeval.read.reading import USUAL, Reading
from ordeval.read.remote import open_remote
from ordeval.read.rules import named_codes, read_labels

QUOTE = (
    "How quotation marks in CSV and TSV are read: ``'double'`` as marks around fields, ``'none'`` as ordinary text; "
    "``'auto'`` finds out, and refuses a file that can be read in both ways."
)
READING = "What written values mean: a `Reading`, or a mapping from names of its parameters to values."


@renamed_keywords
@documented(
    "The counts, from which every score of labels is computed.",
    source="A path, a glob, a directory or a list of paths (CSV, TSV, JSON lines, Parquet, Arrow, ORC, Excel, Stata, SPSS; also "
    "compressed by gzip, zstd, xz or bzip2); a binary stream of one of these, such as ``sys.stdin.buffer``; a frame (pandas, Polars, PyArrow), or a lazy one (Polars, DuckDB, PySpark, Dask, Ibis); "
    "a dataset of pyarrow or Hugging Face, or anything with ``__arrow_c_stream__``; a Delta or Iceberg table, or its folder, of which the live rows are "
    "read. With ``gold`` also a mapping: the file of each model by its name.",
    true="The column of true classes.",
    pred="The column of predicted classes; a list for several models, or a mapping from their names to their columns.",
    gold="Another source, which holds the truth.",
    id="The column by which ``gold`` is joined, one-to-one.",
    sample_weight="The column of weights.",
    by="Columns of groups.",
    quote=QUOTE,
    reading=READING,
    model_column="With a row for each answer: the column that names the model; ``id`` says which answers belong to the same row.",
    missing_truth="What to do with rows without a true class: refuse or drop them; None does as ``missing`` says.",
    unknown="An answer that is none of the classes: refuse it, or take it for no answer.",
    strays="Ids that ``gold`` does not have: refuse them, or leave their rows out and say so.",
    filesystem="A file system of fsspec, opened by you, in which the paths are looked up; the files are copied while they are read.",
)
def scan(
    source: Any,
    *,
    true: str,
    pred: str | Sequence[str] | Mapping[str, str],
    gold: Any = None,
    id: str | None = None,
    labels: Labels = None,
    sample_weight: str | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    missing: Missing = "error",
    quote: Quote = "auto",
    reading: Reading | Mapping[str, Any] | None = None,
    model_column: str | None = None,
    unknown: Unknown = "error",
    strays: Strays = "error",
    missing_truth: MissingTruth = None,
    max_rows: int | None = None,
    filesystem: Any = None,
) -> Counts:
    """Count the distinct rows of truth and prediction where they are: in files, frames, databases, on a cluster.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"grade": ["lo", "hi", "hi"], "model": ["lo", "lo", "hi"]})
    >>> scan(frame, true="grade", pred="model", labels=["lo", "hi"]).matrix
    array([[1, 0],
           [1, 1]])
    """
    if model_column is None and (gold is None) != (id is None):
        raise ArgumentTypeError(
            "{gold} and {id} must be given together",
            argument="gold" if gold is None else "id",
            remedy='give {gold:truth} with {id:"..."}',
        )
    rules = with_quote(Reading.of(reading), quote)
    if isinstance(source, Mapping) and gold is not None and filesystem is None:
        return _scan_runs(
            source,
            gold,
            true,
            pred,
            str(id),
            labels,
            missing,
            missing_truth,
            rules,
            unknown,
            strays,
            max_rows,
            by or cluster or sample_weight,
        )
    scale = labels if isinstance(labels, WrittenLabels) else None if labels is None else as_scale(labels)
    if model_column is not None:
        roles = _long_roles(true, pred, gold, id, model_column, sample_weight, by, cluster)
        return _scan_long(source, roles, scale, rules, missing, unknown, cluster, max_rows, missing_truth, filesystem)
    wanted = _wanted(true, pred, by, cluster, sample_weight)
    table = open_table(source, max_rows, reading=rules, filesystem=filesystem)
    tables = [table]
    try:
        if gold is None:
            distinct = distinct_rows(table, wanted)
            excluded = {"weight zero": distinct.zero} if distinct.zero else {}
        else:
            connection = table.connection if isinstance(table, Files) else None
            truth = open_table(gold, max_rows, connection, reading=rules, filesystem=filesystem)
            tables = [truth, table]
            if truth.shown == table.shown:
                truth = replace(truth, shown=f"{truth.shown} of the gold")
            distinct, excluded = joined(truth, table, str(id), wanted, missing, strays)
        axes = [TRUE, *wanted.models]
        labelled = dict(zip(axes, distinct.columns, strict=False))
        groups = {axis: named_codes(column) for axis, column in zip(wanted.groups, distinct.columns[len(axes) :], strict=True)}
        read = read_labels(labelled, scale, rules, names={TRUE: wanted.true, **wanted.models}, truth=TRUE, unknown=unknown)
        counts = count_columns(
            read.columns,
            groups,
            scale=read.scale,
            weights=distinct.weights,
            times=distinct.times,
            cluster=wanted.cluster,
            missing=missing,
            missing_truth=missing_truth,
            excluded=excluded,
        )
        _close_ledger(counts, tables)
        counts.files, notes = ledger_of(*tables, names=[*([id] if id else []), *wanted.columns])
        counts.notes = (*notes, *read.notes)
        counts.read_as = merge_changes([*changes_of(*tables, names=[wanted.true, *wanted.models.values()]), *read.read_as])
        return counts
    finally:
        for opened in tables:
            opened.close()


def _long_roles(
    true: str, pred: Any, gold: Any, id: str | None, model_column: str, weight: str | None, by: Any, cluster: str | None
) -> LongRoles:
    if gold is not None:
        remedy = "such a table has the truth beside every answer; join the files first"
        raise ArgumentTypeError("{gold} and {model_column} cannot be used together", argument="model_column", remedy=remedy)
    if id is None:
        remedy = 'name the column that says which answers belong to the same row: {id:"..."}'
        raise ArgumentTypeError("{model_column} needs {id}", argument="id", remedy=remedy)
    several = [pred] if isinstance(pred, str) else list(pred)
    if len(several) != 1:
        problem = "{model_column} is for a table with a row for each answer, and {pred} names {n} columns"
        raise ArgumentTypeError(problem, argument="pred", remedy="name the one column of answers", values={"n": len(several)})
    wanted = _wanted(true, several[0], by, cluster, weight)
    return LongRoles(id, model_column, true, several[0], tuple(wanted.groups), weight)


def _scan_runs(
    runs: Mapping[str, Any],
    gold: Any,
    true: str,
    pred: Any,
    id: str,
    labels: Labels,
    missing: Missing,
    missing_truth: MissingTruth,
    reading: Reading,
    unknown: Any,
    strays: Any,
    max_rows: int | None,
    beside: Any,
) -> Counts:
    """A file for each model, joined with the gold."""
    from ordeval.read.runs import scan_runs  # it needs this file

    if beside or not isinstance(pred, str):
        problem = "several runs can have only one column of predictions, {pred}, and neither weights nor groups"
        raise ArgumentTypeError(problem, argument="pred", remedy="join the files first")
    asked: dict[str, Any] = {"missing": missing, "missing_truth": missing_truth, "unknown": unknown, "strays": strays}
    return scan_runs(gold, runs, true=true, pred=pred, id=id, labels=labels, reading=reading, max_rows=max_rows, **asked)[0]


def _scan_long(
    source: Any,
    roles: LongRoles,
    scale: Scale | WrittenLabels | None,
    reading: Reading,
    missing: Missing,
    unknown: str,
    cluster: str | None,
    max_rows: int | None,
    missing_truth: MissingTruth,
    filesystem: Any,
) -> Counts:
    table = open_table(source, max_rows, reading=reading, filesystem=filesystem)
    try:
        wide = widened(table, roles, scale, reading, unknown)
        check_names([*wide.labels.columns, *wide.groups])
        counts = count_columns(
            wide.labels.columns,
            wide.groups,
            scale=wide.labels.scale,
            weights=wide.weights,
            cluster=cluster,
            missing=missing,
            missing_truth=missing_truth,
        )
        counts.files, notes = ledger_of(table, names=roles.columns)
        counts.notes = (*notes, wide.note, *wide.labels.notes)
        counts.read_as = merge_changes([*changes_of(table, names=[roles.true, roles.pred]), *wide.labels.read_as])
        return counts
    finally:
        table.close()


def with_quote(reading: Reading, quote: str | None) -> Reading:
    """The same with what is said of quotes beside it."""
    given: Any = {None: "auto", '"': "double", "": "none"}.get(quote, quote)
    return reading if given == "auto" else replace(reading, quote=given)


class Peek(NamedTuple):
    """What is in a source before anything is counted."""

    columns: tuple[str, ...]  #: all of them
    classes: tuple[Any, ...]  #: those that occur in the columns asked about
    ordered: bool  #: whether they stand in an order of their own; else it is yours to give


@documented(
    "The columns of the source, the classes, and whether they have an order of their own.",
    source="What `scan` takes.",
    columns="Columns of classes to look into; without any, only the names of all columns are read.",
    quote=QUOTE,
    reading=READING,
)
def peek(
    source: Any,
    columns: Sequence[str] = (),
    *,
    quote: Quote = "auto",
    reading: Reading | Mapping[str, Any] | None = None,
    max_rows: int | None = None,
) -> Peek:
    """The columns of a source, and the classes that occur in some of them, before an order is given.

    >>> import pandas as pd
    >>> peek(pd.DataFrame({"grade": [1, 3], "model": [1, 1]}), ["grade", "model"])
    Peek(columns=('grade', 'model'), classes=(1, 2, 3), ordered=True)
    """
    rules = with_quote(Reading.of(reading), quote)
    table = open_table(source, max_rows, reading=rules)
    try:
        names = tuple(dict.fromkeys(table.columns))
        if not columns:
            return Peek(names, (), False)
        rows = distinct_rows(table, ColumnRoles(columns[0], {name: name for name in columns[1:]}, {}, None, None))
    finally:
        table.close()
    meant = read_labels(
        {f"{i}": column for i, column in enumerate(rows.columns)},
        None,
        rules,
        names={f"{i}": name for i, name in enumerate(columns)},
    )
    read = [parse_written(column) for column in meant.columns.values()]
    try:
        return Peek(names, Scale.infer(*read).labels, True)
    except ValueError:  # no order of their own; a TypeError for an argument is one too
        return Peek(names, tuple(dict.fromkeys(value for column in read for value in column.distinct())), False)


def open_table(
    source: Any, max_rows: int | None = None, connection: Any = None, *, reading: Reading = USUAL, filesystem: Any = None
) -> Table:
    """The table behind a source: files by their path, everything else by the library that holds it."""
    if filesystem is not None:
        return open_remote(source, filesystem, max_rows=max_rows, connection=connection, reading=reading)
    if (lake := open_lake(source, max_rows=max_rows)) is not None:
        return lake
    if isinstance(source, (str, os.PathLike)) or (
        isinstance(source, (list, tuple)) and source and all(_is_path(s) for s in source)
    ):
        return open_files(source, max_rows=max_rows, connection=connection, reading=reading)
    if isinstance(source, io.IOBase):
        return open_stream(source, max_rows=max_rows, connection=connection, reading=reading)
    if isinstance(source, Mapping):
        splits = type(source).__module__.startswith("datasets.")
        remedy = "give one of its splits" if splits else "for columns in memory use count(y_true, y_pred)"
        raise ArgumentTypeError("scan reads files, frames and relations", argument="source", remedy=remedy)
    frame = open_arrow(source, max_rows=max_rows) or open_frame(source, max_rows=max_rows)
    if frame is None:
        raise ArgumentTypeError(
            "scan cannot read a {type}",
            argument="source",
            remedy="give a path, a frame, a relation, or use count(y_true, y_pred)",
            values={"type": type(source).__name__},
        )
    return frame


def _is_path(part: Any) -> bool:
    return isinstance(part, (str, os.PathLike))


def _wanted(true: str, pred: Any, by: Any, cluster: str | None, weight: str | None) -> ColumnRoles:
    given = pred.values() if isinstance(pred, Mapping) else pred
    for name in (true, *([pred] if isinstance(pred, str) or not isinstance(pred, Iterable) else given)):
        if not isinstance(name, str):
            problem, remedy = "columns are named by text, not by {name}", "rename them in the frame"
            raise ArgumentTypeError(problem, argument="pred", remedy=remedy, values={"name": repr(name)})
    several = [] if isinstance(pred, str) else list(pred)
    grouping = [] if by is None else [by] if isinstance(by, str) else list(by)
    if not several and not isinstance(pred, str):
        raise ArgumentError("{pred} is empty", argument="pred", remedy="name at least one column of predictions")
    check_names([TRUE, *(several or [PRED]), *grouping, *([cluster] if cluster else [])])
    models = (
        {PRED: pred} if isinstance(pred, str) else dict(pred) if isinstance(pred, Mapping) else {name: name for name in several}
    )
    groups = {name: name for name in grouping}
    return ColumnRoles(true, models, {**groups, **({cluster: cluster} if cluster else {})}, cluster, weight)


def _close_ledger(counts: Counts, tables: Sequence[Table]) -> None:
    """Refuse counts that are not of as many rows as the table has, where one table was read and its rows are known."""
    (table, *others), read = tables, counts.audit.read
    if others or read is None:
        return
    if isinstance(table, Files):
        table.check_total(read)
    elif not table.is_lazy and table.rows != read:
        raise ValueError(f"{table.shown} holds {table.rows:,} rows, but {read:,} were read; it is refused")
