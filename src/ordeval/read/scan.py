"""scan(): rows anywhere become Counts.  One group-by runs where the rows are; only distinct rows and their number come here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ordeval.counts import Counts
from ordeval.counts.counting import check_names, count_columns
from ordeval.counts.table import PRED, TRUE
from ordeval.order.scale import Scale, WrittenLabels, as_scale
from ordeval.read.files import Files, open_files
from ordeval.read.frames import open_frame
from ordeval.read.grouping import ColumnRoles, DistinctRows, Table, distinct_rows
from ordeval.read.join import joined


def scan(
    source: Any,
    *,
    true: str,
    pred: str | Sequence[str],
    gold: Any = None,
    id: str | None = None,
    labels: Any = None,
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    missing: str = "error",
    max_rows: int | None = None,
) -> Counts:
    """Count the distinct rows of truth and prediction where they are: in files, frames, databases, on a cluster.

    ``source`` is a path, a glob, a directory or a list of paths (CSV, TSV, JSON lines, Parquet; also gzip and zstd), a
    frame (pandas, Polars, PyArrow), or a lazy one (Polars, DuckDB, PySpark, Dask, Ibis).  ``true`` and ``pred`` name columns;
    several models are a list.  With ``gold`` the truth is in another source, joined one-to-one by the column ``id``.  ``by``
    names columns of groups, ``cluster`` the column of rows that belong together.  ``max_rows`` refuses longer sources.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"grade": ["lo", "hi", "hi"], "model": ["lo", "lo", "hi"]})
    >>> scan(frame, true="grade", pred="model", labels=["lo", "hi"]).matrix
    array([[1, 0],
           [1, 1]])
    """
    if (gold is None) != (id is None):
        raise TypeError('gold= and id= belong together: scan(predictions, gold=truth, id="...", true="...", pred="...")')
    wanted = _wanted(true, pred, by, cluster, weight)
    scale = labels if isinstance(labels, WrittenLabels) else None if labels is None else as_scale(labels)
    table = open_table(source, max_rows)
    tables = [table]
    try:
        if gold is None:
            distinct = distinct_rows(table, wanted)
            excluded = {"weight zero": distinct.zero} if distinct.zero else {}
        else:
            truth = open_table(gold, max_rows, table.connection if isinstance(table, Files) else None)
            tables.append(truth)
            if truth.shown == table.shown:
                truth = replace(truth, shown=f"{truth.shown} of the gold")
            distinct, excluded = joined(truth, table, str(id), wanted, missing)
        return _counted(distinct, wanted, scale, missing, excluded)
    finally:
        for opened in tables:
            opened.close()


def open_table(source: Any, max_rows: int | None = None, connection: Any = None) -> Table:
    """The table behind a source: files by their path, everything else by the library that holds it."""
    if isinstance(source, (str, os.PathLike)) or (
        isinstance(source, (list, tuple)) and source and all(_is_path(s) for s in source)
    ):
        return open_files(source, max_rows=max_rows, connection=connection)
    if isinstance(source, Mapping):
        raise TypeError("scan reads files, frames and relations; for columns in memory use count(y_true, y_pred)")
    frame = open_frame(source, max_rows=max_rows)
    if frame is None:
        raise TypeError(
            f"scan cannot read a {type(source).__name__}; give a path, a frame, a relation, or use count(y_true, y_pred)"
        )
    return frame


def _is_path(part: Any) -> bool:
    return isinstance(part, (str, os.PathLike))


def _wanted(true: str, pred: Any, by: Any, cluster: str | None, weight: str | None) -> ColumnRoles:
    for name in (true, *([pred] if isinstance(pred, str) or not isinstance(pred, Iterable) else pred)):
        if not isinstance(name, str):
            raise TypeError(f"columns are named by text, not by {name!r}; rename them in the frame")
    several = [] if isinstance(pred, str) else list(pred)
    grouping = [] if by is None else [by] if isinstance(by, str) else list(by)
    if not several and not isinstance(pred, str):
        raise ValueError("pred is empty; name at least one column of predictions")
    check_names([TRUE, *(several or [PRED]), *grouping, *([cluster] if cluster else [])])
    models = {PRED: pred} if isinstance(pred, str) else {name: name for name in several}
    groups = {name: name for name in grouping}
    return ColumnRoles(true, models, {**groups, **({cluster: cluster} if cluster else {})}, cluster, weight)


def _counted(
    distinct: DistinctRows, wanted: ColumnRoles, scale: Scale | WrittenLabels | None, missing: str, excluded: Mapping[str, int]
) -> Counts:
    axes = [TRUE, *wanted.models, *wanted.groups]
    columns = dict(zip(axes, distinct.columns, strict=True))
    labelled = {axis: columns[axis] for axis in (TRUE, *wanted.models)}
    groups = {axis: columns[axis] for axis in wanted.groups}
    return count_columns(
        labelled,
        groups,
        scale=scale,
        weights=distinct.weights,
        times=distinct.times,
        cluster=wanted.cluster,
        missing=missing,
        excluded=excluded,
    )
