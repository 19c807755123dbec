"""Distinct rows of a table: one group-by where the rows are, and what came back as columns."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import near
from ordeval.counts.audit import ReadAs, SourceFile
from ordeval.counts.counting import as_weights
from ordeval.counts.table import checked_weights
from ordeval.order.columns import Column
from ordeval.read.files import Files
from ordeval.read.frames import Frame
from ordeval.read.ledger import by_file
from ordeval.read.numbers import as_read_numbers
from ordeval.read.reading import USUAL, Reading
from ordeval.show._plain import count_text

Table = Frame | Files

ROOM = float(2**62)  # sums of integer weights up to here are exact on every engine, with room for rounding


@dataclass(frozen=True)
class ColumnRoles:
    """Which columns play which part: the truth, each model, groups, clusters, the weight."""

    true: str
    models: dict[str, str]  #: axis to column
    groups: dict[str, str]
    cluster: str | None
    weight: str | None
    free: frozenset[str] = frozenset()  #: columns whose fields may be anything, read as they are written

    @property
    def keys(self) -> list[str]:
        """The columns whose distinct rows are counted, in the order of the axes."""
        return [self.true, *self.models.values(), *self.groups.values()]

    @property
    def columns(self) -> list[str]:
        return [*self.keys, *([self.weight] if self.weight else [])]


@dataclass(frozen=True)
class DistinctRows:
    """Distinct rows of some columns: the columns, how many rows each entry stands for, and what they weigh."""

    columns: list[Column]
    times: Array | None  #: None: every row is here
    weights: Array | None
    zero: int = 0  #: rows left out because they weigh nothing


def check_columns(table: Table, names: Sequence[str]) -> None:
    """Refuse a column that is not there, offering those with a near name; or one that stands there twice."""
    columns = table.columns
    if not set(names) <= set(columns):
        columns = table.all_columns()
    for name in names:
        if name not in columns:
            offer = near(name, columns, shown=repr) or f"it has {', '.join(map(repr, columns[:12]))}"
            raise ValueError(f"{table.shown} has no column {name!r}; {offer}")
        if columns.count(name) > 1:
            raise ValueError(f"{table.shown} has {columns.count(name)} columns called {name!r}; rename one of them")
    if isinstance(table, Files):
        table.check_shards(names)


def distinct_rows(table: Table, wanted: ColumnRoles) -> DistinctRows:
    check_columns(table, wanted.columns)
    table.check_limit()
    if isinstance(table, Frame) and not table.is_lazy:
        rows = table.take(wanted.columns)
        columns = [
            table.column(rows.get_column(f"c{i}").to_native(), name, free=name in wanted.free)
            for i, name in enumerate(wanted.columns)
        ]
        return in_memory(columns, wanted)
    fields = _proven_groups(table, wanted) if isinstance(table, Files) else _groups(table, table.take(wanted.columns), wanted)
    return regrouped(table, fields, wanted, [table] * len(wanted.keys))


def _groups(table: Table, rows: Any, wanted: ColumnRoles) -> dict[str, Any]:
    import narwhals.stable.v2 as nw

    return fetch_rows(table, grouped(nw.from_native(rows), len(wanted.keys), wanted.weight is not None))


def _proven_groups(table: Files, wanted: ColumnRoles) -> dict[str, Any]:
    """The distinct rows of files, once the rows of each file add up with its ledger.

    Quotes are taken for marks around fields.  Where the engine does not read the file so, it is settled how they are meant.
    """
    weighs = wanted.weight is not None
    try:
        fields = _groups(table, table.take(wanted.columns, ledger=True, weighs=weighs), wanted)
    except ValueError:
        if not table.settle_quotes():
            if wanted.weight is not None:
                table.refuse_numbers(wanted.weight)
            raise
        fields = _groups(table, table.take(wanted.columns, ledger=True, weighs=weighs), wanted)
    rows = as_array(fields["n"])
    table.refuse_rows(int(rows.sum()))
    numbers = as_array(fields["file"]) if "file" in fields else np.zeros(rows.size, int)
    breaks = as_array(fields["breaks"]) if "breaks" in fields else None
    found = by_file(numbers, rows, breaks, len(table.files))
    if table.format == "parquet":
        table.prove_total(sum(each.rows for each in found))
    else:
        table.prove(found)
    return fields


def ledger_of(*tables: Table, names: Sequence[str]) -> tuple[tuple[SourceFile, ...], tuple[str, ...]]:
    """The row ledger of tables that were read, and what there is to say about them."""
    files: list[SourceFile] = []
    notes: list[str] = []
    for table in tables:
        if isinstance(table, Files):
            files += table.ledger([name for name in names if name in table.columns])
            notes += table.notes
        elif table.is_lazy:
            notes.append("rows counted by the engine alone")
    return tuple(files), tuple(dict.fromkeys(notes))


def changes_of(*tables: Table, names: Sequence[str]) -> list[ReadAs]:
    """What was written in columns where nothing is now, by what the files themselves say."""
    return [one for table in tables if isinstance(table, Files) for one in table.changes(names)]


def regrouped(
    table: Table, fields: dict[str, Any], wanted: ColumnRoles, homes: Sequence[Table], keep: Array | None = None
) -> DistinctRows:
    """What a group-by brought, as columns, each of the table that is its home; only the entries to keep."""
    times = as_array(fields["n"]).astype(np.int64)
    table.refuse_rows(int(times.sum()))
    if not times.size:
        raise ValueError(f"{table.shown} has no rows; there is nothing to score")
    zeros = np.zeros_like(times)
    if wanted.weight:
        _refuse_weights(as_array(fields["bad"]) if keep is None else as_array(fields["bad"])[keep], table, wanted.weight)
        zeros = as_array(fields["zero"]).astype(np.int64)
        times = times - zeros
    kept = times > 0 if keep is None else keep & (times > 0)
    named = enumerate(zip(homes, wanted.keys, strict=True))
    columns = [home.column(fields[f"c{i}"], name, times, free=name in wanted.free).keep(kept) for i, (home, name) in named]
    if not wanted.weight:
        return DistinctRows(columns, times[kept], None)
    if as_array(fields["w"]).dtype.kind in "iu":
        _refuse_heavy(as_array(fields["about"])[kept])
    weights = checked_weights(as_array(fields["w"])[kept], int(kept.sum()), f'column "{wanted.weight}"')
    return DistinctRows(columns, times[kept], weights, int(zeros[keep].sum() if keep is not None else zeros.sum()))


def all_rows(table: Table, names: Sequence[str], free: Collection[str] = ()) -> list[Column]:
    """Columns of a table with every row in them, for what cannot be grouped: ids, probabilities; free ones may hold anything."""
    check_columns(table, names)
    table.check_rows()
    if isinstance(table, Files):
        fields = table.fetch(table.take(names))
        table.check_total(len(fields["c0"]))
        return [replace(table.column(fields[f"c{i}"], name, free=name in free), place=None) for i, name in enumerate(names)]
    if table.is_lazy:
        raise TypeError(f"{table.shown} is not in memory, and its rows are needed one by one; collect them first")
    rows = table.take(names)
    return [table.column(rows.get_column(f"c{i}").to_native(), name, free=name in free) for i, name in enumerate(names)]


def in_memory(columns: list[Column], wanted: ColumnRoles, reading: Reading = USUAL, shown: str = "rows") -> DistinctRows:
    """Columns with every row in them, the weight last."""
    if not len(columns[0]):
        raise ValueError("there are no rows; there is nothing to score")
    if wanted.weight is None:
        return DistinctRows(columns, None, None)
    *columns, weight = columns
    numbers = as_weights(as_read_numbers(weight, reading, shown, wanted.weight))
    return DistinctRows(columns, None, checked_weights(numbers, len(weight), f'column "{wanted.weight}"', weight.rows))


def fetch_rows(table: Table, rows: Any) -> dict[str, Any]:
    """The rows of a small lazy frame, fetched by the table's engine."""
    return table.fetch(rows.to_native()) if isinstance(table, Files) else table.fetch(rows)


def grouped(rows: Any, keys: int, weighted: bool) -> Any:
    """Distinct rows of c0, c1 … and how often each occurs, n; of files also by the number of the file, with their line ends.

    Of the weights in the next column also their sum w, how many are zero, and how many are bad.
    """
    import narwhals.stable.v2 as nw

    there = rows.collect_schema()
    names = [f"c{i}" for i in range(keys)] + (["file"] if "file" in there.names() else [])
    sums, whole_sums = [nw.len().alias("n")], []
    if "breaks" in there.names():
        sums, whole_sums = [*sums, nw.col("breaks").sum()], ["breaks"]
    if not weighted:
        found = rows.group_by(*names).agg(*sums)
        return found.with_columns(*(nw.col(name).cast(nw.Int64) for name in whole_sums)) if whole_sums else found
    weight = nw.col(f"c{keys}")
    whole = there[f"c{keys}"].is_integer()
    rows = rows.with_columns(weight.cast(nw.Int64 if whole else nw.Float64))
    bad = weight.is_null() | (weight < 0)
    if not whole:
        bad = bad | ~(weight <= sys.float_info.max)  # infinite; or NaN, which an engine puts above all numbers or beside them
    rows = rows.with_columns(one_if(weight == 0).alias("zero"), one_if(bad).alias("bad"), weight.cast(nw.Float64).alias("about"))
    found = rows.group_by(*names).agg(*sums, weight.sum().alias("w"), nw.col("zero", "bad", "about").sum())
    if whole:  # the exact sum where 64 bits hold it; some engines wrap around beyond, some widen it
        exact = nw.when(nw.col("about") <= ROOM).then(nw.col("w")).otherwise(nw.lit(0)).cast(nw.Int64)
        found = found.with_columns(exact.alias("w"))
    return found.with_columns(*(nw.col(name).cast(nw.Int64) for name in [*whole_sums, "zero", "bad"]))


def one_if(condition: Any) -> Any:
    """1 where the condition holds, else 0, to be added up: not every engine turns a truth value into a number."""
    import narwhals.stable.v2 as nw

    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def as_array(fields: Any) -> Array:
    """Sums as numbers, whatever the engine gives; a sum of nothing is 0."""
    plain = fields.to_numpy() if hasattr(fields, "to_numpy") else fields
    if isinstance(plain, list):
        plain = [0 if value is None else value for value in plain]
    return np.ma.filled(np.ma.asarray(plain), 0)


def _refuse_heavy(sums: Array) -> None:
    """Refuse weights whose sum is beyond what an engine adds up exactly; floats are weighed elsewhere."""
    if sums.size and float(sums.sum()) > ROOM:
        raise ValueError("the counts add up to more than 2**63 - 1, the largest count that is exact")


def _refuse_weights(bad_rows: Array, table: Table, name: str) -> None:
    if bad := int(bad_rows.sum()):
        if isinstance(table, Files):
            table.refuse_numbers(name)
        raise ValueError(
            f'{table.shown}, column "{name}": {count_text(bad, "row")} with a weight that is missing, negative or not finite'
        )
