"""Parquet: columns by their place, so that names count as they are written; one type for all shards, or a refusal.

An order that categories carry is kept in the file and is found again here, where the file really holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.read.duck import path_list

LARGEST_EXACT = 2**53  # beyond, floats leave integers out
INTEGERS, FLOATS, TEXT, BOOLEANS, DECIMALS, NOTHING = "integers", "floats", "text", "booleans", "decimals", "nothing"
CASTS = {INTEGERS: "BIGINT", FLOATS: "DOUBLE", TEXT: "VARCHAR", BOOLEANS: "BOOLEAN", DECIMALS: "VARCHAR"}

Query = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class ParquetColumn:
    """A column at the top of a file's schema."""

    name: str
    kind: str  #: what it holds, as a word for messages
    type: str  #: how it is stored


@dataclass(frozen=True)
class ParquetFile:
    """What the footer of a file says."""

    path: str
    columns: tuple[ParquetColumn, ...]
    rows: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> ParquetColumn:
        return self.columns[self.names.index(name)]


def read_footers(paths: Sequence[str], query: Query) -> list[ParquetFile]:
    """The schema and the number of rows of every file, from their footers alone."""
    listed = path_list(paths)
    rows: dict[str, int] = dict(query(f"SELECT file_name, num_rows FROM parquet_file_metadata({listed})"))
    chosen = "file_name, name, type, num_children, converted_type, logical_type, repetition_type, type_length"
    entries: dict[str, list[tuple[Any, ...]]] = {}
    for path, *entry in query(f"SELECT {chosen} FROM parquet_schema({listed})"):
        entries.setdefault(path, []).append(tuple(entry))
    return [ParquetFile(path, tuple(_top(entries[path])), int(rows[path])) for path in paths]


def _top(entries: Sequence[tuple[Any, ...]]) -> Iterable[ParquetColumn]:
    """The columns; what is nested in one of them is left out."""
    place = 1  # the first entry is the table itself
    while place < len(entries):
        name, stored, children, converted, logical, repeated, length = entries[place]
        nested = bool(children) or repeated == "REPEATED"
        kind = "lists or records" if nested else _kind(stored, converted or "", logical or "")
        yield ParquetColumn(name, kind, f"{stored} {converted} {logical} {length}")
        place = _after(entries, place)


def _after(entries: Sequence[tuple[Any, ...]], place: int) -> int:
    waiting = 1
    while waiting and place < len(entries):
        waiting += (entries[place][2] or 0) - 1
        place += 1
    return place


def _kind(stored: str, converted: str, logical: str) -> str:
    if logical.startswith(("NullType", "Unknown")):
        return NOTHING
    if converted == "DECIMAL" or logical.startswith("Decimal"):
        return DECIMALS
    if stored in ("INT32", "INT64"):
        if converted.startswith(("DATE", "TIME")) or logical.startswith(("Date", "Time")):
            return "dates or times"
        return INTEGERS
    if stored in ("FLOAT", "DOUBLE") or logical.startswith("Float16"):
        return FLOATS
    if stored == "BOOLEAN":
        return BOOLEANS
    if stored == "BYTE_ARRAY" and (converted in ("UTF8", "ENUM", "JSON") or logical.startswith(("String", "Enum", "JSON"))):
        return TEXT
    return {"INT96": "dates or times"}.get(stored, "bytes")


# One type for all shards


def common_kinds(
    files: Sequence[ParquetFile], names: Iterable[str], name_of: Callable[[str], str], query: Query
) -> dict[str, str]:
    """What each column is read as, "" where all files store it alike; shards that cannot be one column are refused."""
    return {name: _common_kind(files, name, name_of, query) for name in dict.fromkeys(names)}


def _common_kind(files: Sequence[ParquetFile], name: str, name_of: Callable[[str], str], query: Query) -> str:
    kinds: dict[str, ParquetFile] = {}  # the first file of each kind
    for file in files:
        kinds.setdefault(file.column(name).kind, file)
    stored = {file.column(name).type for file in files}
    found = set(kinds) - {NOTHING}
    if found == {DECIMALS}:
        return DECIMALS
    if len(found) > 1:
        kinds = {kind: file for kind, file in kinds.items() if kind != NOTHING and not _is_empty(files, name, kind, query)}
        found = set(kinds)
    if not found or (len(stored) == 1 and len(kinds) == 1):
        return ""
    if found == {INTEGERS, FLOATS}:
        _refuse_large_integers(files, name, name_of, query)
        return FLOATS
    if len(found) == 1 and found <= set(CASTS):
        return found.pop()
    if len(found) == 1:
        return ""
    first, other = sorted(kinds.values(), key=files.index)[:2]
    holds = [file.column(name).kind for file in (first, other)]
    raise ValueError(
        f'{name_of(other.path)}: column "{name}" holds {holds[1]}, but {holds[0]} in {name_of(first.path)}; convert one of them'
    )


def _is_empty(files: Sequence[ParquetFile], name: str, kind: str, query: Query) -> bool:
    """Whether a column has nothing at all in any file that stores it so, which then fits every other."""
    having = [file for file in files if file.column(name).kind == kind]
    return not any(
        query(f"SELECT 1 FROM {rows_of([f], f.columns)} WHERE f{f.names.index(name)} IS NOT NULL LIMIT 1") for f in having
    )


def _refuse_large_integers(files: Sequence[ParquetFile], name: str, name_of: Callable[[str], str], query: Query) -> None:
    for file in files:
        if file.column(name).kind == INTEGERS:
            field = f"f{file.names.index(name)}"
            ((low, high),) = query(f"SELECT min({field}), max({field}) FROM {rows_of([file], file.columns)}")
            if low is not None and max(-low, high) > LARGEST_EXACT:
                raise ValueError(
                    f'{name_of(file.path)}: column "{name}" holds integers beyond 2**53, and other files hold floats there; convert one of them'
                )


# Queries


def groups_of(files: Sequence[ParquetFile]) -> dict[tuple[ParquetColumn, ...], list[ParquetFile]]:
    """The files with the same columns in the same places, which one query reads."""
    found: dict[tuple[ParquetColumn, ...], list[ParquetFile]] = {}
    for file in files:
        found.setdefault(file.columns, []).append(file)
    return found


def rows_of(
    files: Sequence[ParquetFile], columns: Sequence[ParquetColumn], *, filename: bool = False, number: bool = False
) -> str:
    """All columns of some files, f0, f1 … by their place."""
    more = [name for name, wanted in (("filename", filename), ("file_row_number", number)) if wanted]
    options = "".join(f", {name}=true" for name in more)
    called = ", ".join([*(f"f{i}" for i in range(len(columns))), *more])
    return f"read_parquet({path_list([file.path for file in files])}, hive_partitioning=false{options}) AS t({called})"


def field_of(columns: Sequence[ParquetColumn], name: str, kinds: Mapping[str, str]) -> str:
    """One column, cast to what it is in all files."""
    place = next(i for i, column in enumerate(columns) if column.name == name)
    kind = kinds.get(name, "")
    return f"CAST(f{place} AS {CASTS[kind]})" if kind else f"f{place}"


# The order of categories


def stored_orders(paths: Sequence[str], name: str) -> list[tuple[Any, ...]]:
    """The orders that ordered categories have in the files; none if a file has none, or does not really hold it.

    The flag alone proves nothing: a file written without dictionary pages keeps it and loses the order.
    """
    try:
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        return []
    orders: dict[tuple[Any, ...], None] = {}
    for path in paths:
        with pq.ParquetFile(path) as file:
            found = _orders_of(file, name)
        if found is None:
            return []
        orders.update(dict.fromkeys(found))
    return list(orders)


def _orders_of(file: Any, name: str) -> list[tuple[Any, ...]] | None:
    import pyarrow as pa

    place = file.schema_arrow.get_field_index(name)
    if place < 0:
        return None
    kind = file.schema_arrow.field(place).type
    if not pa.types.is_dictionary(kind) or not kind.ordered:
        return None
    leaf = [i for i in range(file.metadata.num_columns) if file.metadata.schema.column(i).path == name]
    if len(leaf) != 1:
        return None
    groups = range(file.metadata.num_row_groups)
    if not all(file.metadata.row_group(g).column(leaf[0]).has_dictionary_page for g in groups):
        return None
    number = _number_of_categories(file.schema_arrow.pandas_metadata, name)
    orders = []
    for group in groups:
        batch = next(file.iter_batches(batch_size=1, row_groups=[group], columns=[name]), None)
        if batch is not None:
            order = tuple(batch.column(0).dictionary.to_pylist())
            if number is not None and number != len(order):
                return None
            orders.append(order)
    return orders


def _number_of_categories(metadata: Any, name: str) -> int | None:
    """How many categories pandas wrote down for a column, if pandas wrote the file."""
    for column in (metadata or {}).get("columns", ()):
        if column.get("name") == name and isinstance(column.get("metadata"), dict):
            number = column["metadata"].get("num_categories")
            return None if number is None else int(number)
    return None
