"""Files of rows: CSV, TSV, JSON lines and Parquet, alone or many, plain or compressed, read where they are by DuckDB.

Untyped text is taken exactly as written: "NA", "None" and "01" are classes, only an empty field is missing.  JSON values
keep the type they are written with.  Each file is measured apart from the engine, and its rows must add up with that
(`read/ledger.py`).  What cannot be read is refused in one sentence that names file and place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ordeval.base.errors import ArgumentError
from ordeval.base.lazy import lazy
from ordeval.counts.audit import ReadAs, SourceFile
from ordeval.order.columns import Column, read_column
from ordeval.order.orders import common_order
from ordeval.order.series import from_decimals
from ordeval.order.values import as_text_column
from ordeval.read import delimited, parquet
from ordeval.read.duck import named, path_list, quoted, run
from ordeval.read.facts import changes_in, refuse_by_facts, with_facts
from ordeval.read.folders import extension, hive_values
from ordeval.read.ledger import MARKS, TEXT, Copies, Found, OpenFile, as_record, by_file, close_file, file_notes, unequal
from ordeval.read.numbers import is_no_number_in_sql, no_number, number_in_sql
from ordeval.read.reading import USUAL, Reading
from ordeval.read.refusals import refusal, too_many_rows
from ordeval.read.strange import Finder, Row
from ordeval.show._plain import count_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

T = TypeVar("T")


@dataclass(frozen=True)
class Files:
    """Files of one format, read as one table in the order of their names."""

    connection: DuckDBPyConnection
    files: tuple[OpenFile, ...]
    format: str  #: "csv", "json" or "parquet"
    shown: str  #: how messages call them
    max_rows: int | None = None
    copies: Copies | None = None  #: what came from a stream, and plain copies of what the engine cannot read
    quote: str | None = None  #: how quotes are meant, if the caller says it
    source_notes: tuple[str, ...] = ()  #: about the choice of files
    readings: dict[str, str] = field(default_factory=dict)  #: by path, how its quotes are read, once that is known
    proven: dict[str, Found] = field(default_factory=dict)  #: by path, the rows that were found and that add up
    reading: Reading = USUAL  #: what written values mean

    is_lazy = True

    @lazy
    def paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files)

    def name_of(self, path: str) -> str:
        """How messages call one of the files."""
        return next((file.name for file in self.files if path == file.path), path)

    # Columns

    @lazy
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, as the first file has them, and those that the names of folders give."""
        first = self._keys(20_480) if self.format == "json" else self._names_in(self.paths[0])
        return (*first, *self._hive)

    def all_columns(self) -> tuple[str, ...]:
        """The same after a look at every row, where a column may stand in late rows only."""
        return (*self._keys(-1), *self._hive) if self.format == "json" else self.columns

    def check_shards(self, names: Iterable[str]) -> None:
        """Refuse a file that lacks one of the columns, has it twice, or cannot give it; names count as they are written."""
        refuse_by_facts(self.files, names)
        if self.format == "json":
            return
        for path in self.paths[1:]:
            here = self._names_in(path)
            for name in names:
                if name in self._hive:
                    continue
                if name not in here:
                    raise ValueError(
                        f'{self.name_of(path)} has no column "{name}"; it has {", ".join(f"{n!r}" for n in here[:12])}'
                    )
                if here.count(name) > 1:
                    raise ValueError(f"{self.name_of(path)} has {here.count(name)} columns called {name!r}; rename one of them")

    def _names_in(self, path: str) -> tuple[str, ...]:
        return self._dialects()[path].names if self.format == "csv" else self._footers[path].names

    def _keys(self, sample: int) -> tuple[str, ...]:
        query = f"SELECT * FROM read_json({path_list(self.paths)}, format={self._json_format}, sample_size={sample}, union_by_name=true)"
        return tuple(self._ask(lambda: self.connection.sql(query).columns))

    @lazy
    def _hive(self) -> dict[str, dict[str, str | None]]:
        """Columns that all folders name (``site=01/``) and no file has, each with its value by path."""
        values = {file.path: hive_values(file.name) for file in self.files}
        shared = [name for name in next(iter(values.values())) if all(name in each for each in values.values())]
        if not shared:
            return {}
        taken = set(self._keys(-1)) if self.format == "json" else {name for path in self.paths for name in self._names_in(path)}
        return {name: {path: each[name] for path, each in values.items()} for name in shared if name not in taken}

    def _dialects(self) -> dict[str, delimited.Dialect]:
        """How each file of CSV is written; its quotes are marks around fields until it turns out otherwise."""
        usual = MARKS if self.quote is None else self.quote
        known = self._known_dialects
        for file in self.files:
            reading = self.readings.get(file.path, usual)
            if file.path not in known or known[file.path].quote != reading:
                known[file.path] = delimited.dialect_of(file, reading)
        return known

    @lazy
    def _known_dialects(self) -> dict[str, delimited.Dialect]:
        return {}

    @lazy
    def _footers(self) -> dict[str, parquet.ParquetFile]:
        return {file.path: file for file in parquet.read_footers(self.paths, self._query)}

    # Rows

    @lazy
    def untyped(self) -> bool:
        """Its fields are text whose meaning nobody has said."""
        return self.format == "csv" or any(file.converted is not None and file.converted.untyped for file in self.files)

    def changes(self, names: Iterable[str]) -> list[ReadAs]:
        """What was written in some columns where nothing is now, by what the files themselves say."""
        return changes_in(self.files, names)

    def take(self, names: Sequence[str], *, ledger: bool = False, weighs: bool = False) -> DuckDBPyRelation:
        """These columns as a relation; they are called c0, c1 … there.  The last may weigh: its fields are numbers.

        For the ledger also the number of the file, where there are several, and how many line ends stand in the fields.
        """
        return self._ask(lambda: self._relation(names, ledger, weighs))

    def _relation(self, names: Sequence[str], ledger: bool, weighs: bool) -> DuckDBPyRelation:
        several = ledger and len(self.files) > 1 and self.format != "parquet"  # there the footers know the rows of each
        breaks = ledger and self._counts_breaks
        parts = []
        for paths, source, field_of, broken in self._parts(names, several):
            fields = [self._value(name, paths, field_of) for name in names]
            if weighs and self.untyped:
                fields[-1] = number_in_sql(fields[-1], self.reading)
            chosen = [f"{field} AS c{i}" for i, field in enumerate(fields)]
            chosen += [f"{self._number(paths)} AS file"] if several else []
            chosen += [f"{broken} AS breaks"] if breaks else []
            parts.append(f"SELECT {', '.join(chosen)} FROM {source}")
        limit = "" if self.max_rows is None or self.format == "parquet" else f" LIMIT {self.max_rows + 1}"
        return self.connection.sql(f"SELECT * FROM ({' UNION ALL '.join(parts)}){limit}")

    def _parts(
        self, names: Sequence[str], filename: bool, only: Sequence[str] | None = None
    ) -> list[tuple[list[str], str, Callable[[str], str], str]]:
        """For files that are written alike: their paths, the table of SQL, how a column is called there, and its line ends."""
        paths = list(self.paths if only is None else only)
        filename = filename or bool(set(names) & set(self._hive) and len(paths) > 1)
        if self.format == "json":
            columns = (
                ", ".join(f"{quoted(name)}: 'JSON'" for name in dict.fromkeys(names) if name not in self._hive) or "'_': 'JSON'"
            )
            more = ", filename=true" if filename else ""
            source = f"read_json({path_list(paths)}, format={self._json_format}, columns={{{columns}}}{more})"
            return [(paths, source, lambda name: f"nullif({named(name)}::VARCHAR, 'null')", "0")]
        if self.format == "csv":
            groups = delimited.groups_of({path: dialect for path, dialect in self._dialects().items() if path in paths})
            return [
                (inside, delimited.rows_of(inside, d, filename=filename), _numbered(d.names), delimited.breaks_in(d))
                for d, inside in groups.items()
            ]
        kinds = self._kinds(names)
        return [
            ([f.path for f in inside], parquet.rows_of(inside, columns, filename=filename), _placed(columns, kinds), "0")
            for columns, inside in parquet.groups_of([self._footers[path] for path in paths]).items()
        ]

    def _value(self, name: str, paths: Sequence[str], field_of: Callable[[str], str]) -> str:
        if name not in self._hive:
            return field_of(name)
        values = [self._hive[name][path] for path in paths]
        listed = ", ".join("NULL" if value is None else quoted(value) for value in values)
        return f"CAST([{listed}][{self._number(paths, paths)} + 1] AS VARCHAR)"

    def _number(self, paths: Sequence[str], among: Sequence[str] | None = None) -> str:
        """The number of the file that a row is from, from 0 on."""
        among = self.paths if among is None else among
        if len(paths) == 1:
            return str(list(among).index(paths[0]))
        listed = ", ".join(map(quoted, among))
        return f"list_position([{listed}], filename) - 1"

    @property
    def _counts_breaks(self) -> bool:
        return self.format == "csv" and any(dialect.breaks for dialect in self._dialects().values())

    def _kinds(self, names: Iterable[str]) -> dict[str, str]:
        """What columns of Parquet are read as, where the files store them in different ways."""
        known = self._known_kinds
        new = [name for name in dict.fromkeys(names) if name not in known and name not in self._hive]
        known.update(parquet.common_kinds([self._footers[path] for path in self.paths], new, self.name_of, self._query))
        return known

    @lazy
    def _known_kinds(self) -> dict[str, str]:
        return {}

    @property
    def _json_format(self) -> str:
        return "'auto'" if extension(self.paths[0]) == "json" else "'newline_delimited'"

    def fetch(self, relation: DuckDBPyRelation) -> dict[str, Any]:
        """The rows of a relation as numpy columns."""
        return self._ask(relation.fetchnumpy)

    # The ledger

    def check_rows(self) -> None:
        """Refuse more rows than the limit, and files whose rows do not add up, before any is used; costs a query of its own."""
        self.check_limit()
        if self.format == "csv":
            self.settle_quotes()
        if len(self.proven) == len(self.files):
            return
        if self.format == "parquet":  # the rows that are read later are held against the footers
            self.prove_total(sum(footer.rows for footer in self._footers.values()))
            return
        query = " UNION ALL ".join(
            f"SELECT {self._number(paths)} AS file, count(*), sum({broken}) FROM {source} GROUP BY file"
            for paths, source, _, broken in self._parts([], True)
        )
        found = by_file(*_transposed(self._query(query)), len(self.files))
        self.refuse_rows(sum(each.rows for each in found))
        self.prove(found)

    def check_limit(self) -> None:
        """Refuse more rows than the limit before any is read, where the file tells; other formats stop one row beyond it."""
        if self.max_rows is not None and self.format == "parquet":
            self.refuse_rows(sum(self._footers[path].rows for path in self.paths))

    def refuse_rows(self, rows: int) -> None:
        if self.max_rows is not None and rows > self.max_rows:
            many = f"{rows:,}" if self.format == "parquet" else f"more than {self.max_rows:,}"
            raise too_many_rows(self.shown, many, self.max_rows)

    def settle_quotes(self) -> bool:
        """Decide how the quotes of each file are meant, by reading it in both ways where one leaves doubt.

        True if one is read otherwise than before.
        """
        if self.quote is not None:
            return False
        before = dict(self.readings)
        for file in self.files:
            if file.has_quotes and file.path not in self.readings:
                marks = self._reading(file, MARKS)
                text = self._reading(file, TEXT) if marks.refusal or marks.breaks else None
                self.readings[file.path] = delimited.decide(file, marks, text)
        return any(reading == TEXT and before.get(path) != TEXT for path, reading in self.readings.items())

    def _reading(self, file: OpenFile, quote: str) -> delimited.Reading:
        """What comes of reading a file in one way, with the line ends inside of its fields; once for each way."""
        if (file.path, quote) not in self._known_readings:
            self._known_readings[file.path, quote] = self._read_so(file, quote)
        return self._known_readings[file.path, quote]

    @lazy
    def _known_readings(self) -> dict[tuple[str, str], delimited.Reading]:
        return {}

    def _read_so(self, file: OpenFile, quote: str) -> delimited.Reading:
        dialect = replace(delimited.dialect_of(file, quote), breaks=quote == MARKS)
        query = f"SELECT count(*), sum({delimited.breaks_in(dialect)}) FROM {delimited.rows_of([file.path], dialect)}"
        try:
            ((rows, breaks),) = self._query(query)
        except ArgumentError:  # of its encoding, which is wrong in both ways
            raise
        except ValueError as error:
            return delimited.Reading(refusal=str(error))
        return delimited.Reading(int(rows), int(breaks or 0))

    def prove(self, found: Sequence[Found]) -> None:
        """Hold what the engine found in each file against the ledger; a file that does not add up is refused."""
        if self.format == "csv":
            found = [self._with_breaks(file, each) for file, each in zip(self.files, found, strict=True)]
            if any(each.breaks for each in found):
                self.settle_quotes()
        for file, each in zip(self.files, found, strict=True):
            fields, reading = 0, MARKS
            if self.format == "csv":
                dialect = self._dialects()[file.path]
                fields, reading = len(dialect.names), dialect.quote
            close_file(file, each, self.format, self._expected(file), fields, reading)
            self.proven[file.path] = each

    def _with_breaks(self, file: OpenFile, found: Found) -> Found:
        """The same with the line ends inside of fields, where they were not counted on the way and lines are left over."""
        dialect, measured = self._dialects()[file.path], file.measured
        if measured is None or dialect.breaks or not file.has_quotes or dialect.quote == TEXT or measured.lines - 1 == found.rows:
            return found
        return Found(found.rows, self._reading(file, MARKS).breaks)

    def prove_total(self, rows: int) -> None:
        """Hold the rows of all files of Parquet against their footers; these also tell the rows of each."""
        there = sum(footer.rows for footer in self._footers.values())
        if rows != there:
            raise unequal(self.shown, f"holds {count_text(there, 'row')}", rows)
        self.proven.update({path: Found(footer.rows) for path, footer in self._footers.items()})

    def _expected(self, file: OpenFile) -> int | None:
        """The number of rows where the file itself says it."""
        if self.format == "json" and file.measured is not None and file.measured.start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
            if file.measured.last != b"]":
                raise ValueError(f"{file.name} is a list of JSON that does not end with ]; it is cut short")
            ((rows,),) = self._query(f"SELECT json_array_length(content) FROM read_text({path_list([file.path])})")
            return int(rows)
        return None

    def check_total(self, rows: int) -> None:
        """Refuse rows that are not as many as were proven."""
        if rows != (there := sum(found.rows for found in self.proven.values())):
            raise ValueError(f"{self.shown} holds {there:,} rows, but {rows:,} were read; it is refused")

    def ledger(self, names: Sequence[str]) -> tuple[SourceFile, ...]:
        """What the audit shows of each file, once its rows are proven."""
        return tuple(as_record(file, self.proven[file.path], self._schema(file, names)) for file in self.files)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say about the files, beside their rows."""
        return (
            *self.source_notes,
            *file_notes(self.files, self.readings if self.quote is None else dict.fromkeys(self.paths, self.quote)),
        )

    def _schema(self, file: OpenFile, names: Sequence[str]) -> dict[str, str]:
        wanted = [name for name in dict.fromkeys(names) if name not in self._hive]
        if self.format == "parquet":
            return {name: self._footers[file.path].column(name).kind for name in wanted}
        return dict.fromkeys(wanted, "written" if self.format == "csv" else "JSON")

    # Values

    def column(self, fields: Any, name: str, times: Any = None, *, free: bool = False) -> Column:
        """Fetched fields of a column as a Column that knows where its values stand; free ones may be anything."""
        shown = f'{self.shown}, column "{name}"'
        if free:
            values = _plain(fields) if self.format != "json" else [t if t is None else json.loads(t) for t in _plain(fields)]
            return replace(as_text_column(values, shown), times=times)
        if self.format != "json" or name in self._hive:
            column = read_column(fields, shown)
            written = (self.untyped or name in self._hive) and column.kind == "text"  # its fields have no type
            if self.format == "parquet" and name not in self._hive:
                column = self._typed(column, name)
            return replace(column, times=times, place=Finder(self, name), written=written)
        texts = [None if text is None else str(text) for text in _plain(fields)]
        values = [None if text is None else json.loads(text) for text in texts]
        first_text = {(type(value).__name__, repr(value)): text for value, text in zip(values, texts, strict=True)}

        place = Finder(self, name, first_text)
        return replace(read_column(values, shown, place=place), times=times, place=place)

    def _typed(self, column: Column, name: str) -> Column:
        """A column of Parquet with what its type says: exact decimals, and the order of its categories."""
        if self._kinds([name])[name] == parquet.DECIMALS:
            return from_decimals(column)
        if any(file.converted is not None for file in self.files):
            return with_facts(column, self.files, name, self.shown)
        if not self._has_arrow_types or column.kind == "booleans" or not (orders := parquet.stored_orders(self.paths, name)):
            return column
        order = common_order(orders)
        if order is None:
            return replace(column, orders=tuple(orders))
        return column.in_order(order)

    @lazy
    def _has_arrow_types(self) -> bool:
        """Every file says how its columns were typed when they were written; only then can categories have an order."""
        query = (
            f"SELECT count(DISTINCT file_name) FROM parquet_kv_metadata({path_list(self.paths)}) WHERE key = 'ARROW:schema'::BLOB"
        )
        ((number,),) = self._query(query)
        return bool(number == len(self.paths))

    def first_row(self, name: str, value: Any) -> Row | None:
        """Where a value stands first; None: a missing one.  Only a refusal asks."""
        try:
            for number, path in enumerate(self.paths):
                if (row := self._first_in(path, name, value)) is not None:
                    return Row(number, row, self.name_of(path), len(self.paths) > 1)
        except Exception:  # noqa: S110 - the sentence about the value matters more than its place
            pass
        return None

    def _first_in(self, path: str, name: str, value: Any) -> int | None:
        query = f"SELECT min(row) FROM {self._rows_with(path, name)} WHERE "
        query += "field IS NULL" if value is None else "field = $value"
        given = {} if value is None else {"value": value}
        ((row,),) = run(self.connection, lambda: self.connection.execute(query, given).fetchall(), "looking for the row")
        return None if row is None else int(row)

    def _rows_with(self, path: str, name: str) -> str:
        """A column of one file beside the number of its row, as a table of SQL."""
        ((_, source, field_of, _),) = self._parts([name], False, [path])
        chosen, number = self._value(name, [path], field_of), "row_number() OVER ()"
        if self.format == "parquet":
            file = self._footers[path]
            source, number = parquet.rows_of([file], file.columns, number=True), "file_row_number + 1"
        return f"(SELECT {chosen} AS field, {number} AS row FROM {source})"

    def refuse_numbers(self, name: str) -> None:
        """Refuse a column of numbers with the field that is none, if there is one; only a refusal asks."""
        if not self.untyped:
            return
        for number, path in enumerate(self.paths):
            bad = is_no_number_in_sql("field", self.reading)
            ((rows, text, row),) = self._query(
                f"SELECT count(*), arg_min(field, row), min(row) FROM {self._rows_with(path, name)} WHERE {bad}"
            )
            if rows:
                found = Row(number, int(row), self.name_of(path))
                raise no_number(self.name_of(path), name, str(text), int(rows), found, self.reading)

    def close(self) -> None:
        self.connection.close()
        if self.copies is not None:
            self.copies.remove()

    def _query(self, query: str) -> list[tuple[Any, ...]]:
        return self._ask(lambda: self.connection.execute(query).fetchall())

    def _ask(self, question: Callable[[], T]) -> T:
        """The answer, or DuckDB's refusal as one sentence."""
        import duckdb

        try:
            return run(self.connection, question, f"reading {self.shown}")
        except duckdb.OutOfMemoryException:
            raise MemoryError(f"reading {self.shown}") from None
        except duckdb.Error as error:
            raise refusal(str(error), self.format, self.paths[0], self.name_of) from None
        except (RuntimeError, UnicodeDecodeError) as error:
            if isinstance(error, RuntimeError) and "conversion error" not in str(error):
                raise
            # raised where DuckDB hands over text, such as a column's name, that is no text; the second by older versions
            raise ValueError(f"{self.shown} cannot be read: it is damaged, and holds text that is not UTF-8") from None


def _numbered(names: Sequence[str]) -> Callable[[str], str]:
    """CSV columns are numbered: their own names may repeat, or differ by case alone."""
    return lambda name: f"f{names.index(name)}"


def _placed(columns: Sequence[parquet.ParquetColumn], kinds: Mapping[str, str]) -> Callable[[str], str]:
    return lambda name: parquet.field_of(columns, name, kinds)


def _transposed(rows: Sequence[tuple[Any, ...]]) -> tuple[list[Any], list[Any], list[Any]]:
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] or 0 for row in rows]


def _plain(fields: Any) -> list[Any]:
    return fields.tolist() if hasattr(fields, "tolist") else list(fields)  # a masked array gives None where nothing is
