"""Formats that the engine does not read, as Parquet files that it does: Arrow, ORC, Excel, Stata, SPSS.

What such a file says of its columns beside their values is kept: the order of categories, the names of codes, cells with errors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordeval.base.errors import ArgumentError
from ordeval.read.formats import WORDS
from ordeval.read.reading import Reading

EXTRA = 'pip install "ordeval[files]"'
ERRORS = "with an error, as no value"


@dataclass(frozen=True)
class ColumnFacts:
    """What a file says of one column beside its values."""

    refusal: str = ""  #: why it cannot be used at all
    as_labels: str = ""  #: why it cannot be a column of classes
    changes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  #: by reason, what was written where nothing is now
    orders: tuple[tuple[Any, ...], ...] = ()  #: of its categories
    names: Mapping[int, str] | None = None  #: of its codes
    no_order: str = ""  #: why the codes are no order by themselves


@dataclass(frozen=True)
class Converted:
    """A file as Parquet, and what it said beside its rows."""

    path: str
    rows: int
    ended: str  #: how the end of the file is proven
    untyped: bool = False  #: its fields are text whose meaning nobody has said
    facts: Mapping[str, ColumnFacts] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def convert(path: str, name: str, kind: str, target: str, reading: Reading) -> Converted:
    """The file as Parquet at the target; a missing package, and a file that is not whole, are named."""
    try:
        if kind == "excel":
            from ordeval.read.excel import read_workbook

            return read_workbook(path, name, target, reading.sheet)
        if kind in ("stata", "spss"):
            from ordeval.read.statistical import read_statistical

            return read_statistical(path, name, target, kind)
        return _from_arrow(path, name, target, kind)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ordeval"):
            raise
        raise ModuleNotFoundError(f"{name} is {WORDS[kind]}; to read it: {EXTRA}") from None


def not_whole(name: str, kind: str) -> ValueError:
    return ValueError(f"{name} is not a complete {WORDS[kind].partition(' ')[2]}: it is cut short, or damaged")


def write_columns(target: str, columns: Sequence[tuple[str, Any]]) -> None:
    """Arrow columns as Parquet, by their names, which may repeat."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_arrays([column for _, column in columns], names=[name for name, _ in columns])
    pq.write_table(table, target, compression="none")


# Arrow and ORC


def _from_arrow(path: str, name: str, target: str, kind: str) -> Converted:
    import pyarrow as pa

    readers: dict[str, Callable[[], tuple[Any, int]]] = {
        "arrow": lambda: _arrow_file(path),
        "stream": lambda: _arrow_stream(path),
        "orc": lambda: _orc(path),
    }
    try:
        table, rows = readers[kind]()
        table.validate(full=True)
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError, EOFError):
        raise not_whole(name, kind) from None
    if table.num_rows != rows:
        raise not_whole(name, kind)
    facts: dict[str, ColumnFacts] = {}
    columns = []
    for i, called in enumerate(table.column_names):
        plain, facts[called] = _plain_column(table.column(i), name, called)
        columns.append((called, plain))
    write_columns(target, columns)
    ended = {"arrow": "arrow footer", "stream": "arrow end of stream", "orc": "orc footer"}[kind]
    return Converted(target, rows, ended, facts=facts)


def _arrow_file(path: str) -> tuple[Any, int]:
    import pyarrow as pa

    with pa.memory_map(path) as source:
        reader = pa.ipc.open_file(source)
        batches = [reader.get_batch(i) for i in range(reader.num_record_batches)]
        return pa.Table.from_batches(batches, reader.schema), sum(batch.num_rows for batch in batches)


def _arrow_stream(path: str) -> tuple[Any, int]:
    """A stream ends with a sign of its own; without it nobody knows whether more was to come."""
    import pyarrow as pa

    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 8))
        if file.read() != b"\xff\xff\xff\xff\0\0\0\0":
            raise EOFError
    with pa.memory_map(path) as source, pa.ipc.open_stream(source) as reader:
        table = reader.read_all()
        return table, table.num_rows


def _orc(path: str) -> tuple[Any, int]:
    from pyarrow import orc

    file = orc.ORCFile(path)
    return file.read(), file.nrows


def _plain_column(column: Any, file: str, name: str) -> tuple[Any, ColumnFacts]:
    """A column of types that the engine and the readers of columns take, and the orders that it had; else why it cannot be used."""
    import pyarrow as pa

    kind = column.type
    orders: tuple[tuple[Any, ...], ...] = ()
    if pa.types.is_dictionary(kind):
        if kind.ordered:
            used = [chunk for chunk in column.chunks if len(chunk)]
            orders = tuple(dict.fromkeys(tuple(chunk.dictionary.to_pylist()) for chunk in used))
        column, kind = column.cast(kind.value_type), kind.value_type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"
    if text:
        return column.cast(pa.string()), ColumnFacts(orders=orders)
    if pa.types.is_float16(kind):
        return column.cast(pa.float32()), ColumnFacts(orders=orders)
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if number or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return column, ColumnFacts(orders=orders)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return column.cast(pa.string()), ColumnFacts(as_labels=f"{file}, {name} holds dates or times, which cannot be classes")
    refusal = f"{file}, {name} holds values of type {kind}; labels are text, integers, floats or booleans"
    return pa.nulls(len(column)), ColumnFacts(refusal=refusal)


def order_refusal(name: str, problem: str, names: Mapping[int, str]) -> ArgumentError:
    """Why codes with names are no order by themselves."""
    listed = ", ".join(f'{code} "{word}"' for code, word in sorted(names.items()))
    return ArgumentError(
        "{name}: {problem} ({listed})",
        argument="labels",
        remedy="say which are the classes, lowest first: {labels:[{codes}]}",
        values={"name": name, "problem": problem, "listed": listed, "codes": ", ".join(map(str, sorted(names)))},
    )
