"""Files of rows: CSV, TSV, JSON lines and Parquet, alone or many, plain or compressed, read where they are by DuckDB.

Untyped text is taken exactly as written: "NA", "None" and "01" are classes, only an empty field is missing.  JSON values
keep the type they are written with.  What cannot be read is refused in one sentence that names file and place.
"""

from __future__ import annotations

import csv
import glob
import io
import json
import os
import re
import select
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ordeval.base.errors import ArgumentTypeError, near
from ordeval.base.lazy import lazy
from ordeval.order.columns import Column, read_column
from ordeval.order.values import as_text_column
from ordeval.read.duck import connect, named, quoted, run
from ordeval.read.refusals import check_gzip, sentence, too_many_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

T = TypeVar("T")

FORMATS = {
    "csv": "csv", "tsv": "csv", "tab": "csv",
    "jsonl": "json", "ndjson": "json", "json": "json",
    "parquet": "parquet", "pq": "parquet",
}  # fmt: skip
COMPRESSED = ("gz", "zst")
DELIMITERS = (",", "\t", ";", "|")
NO_DELIMITER = "\x1f"  # a sign that no text has, to read lines as they are


@dataclass(frozen=True)
class NamedFile(os.PathLike[str]):
    """A file that messages call by a name of its own, such as an upload that lies in a temporary folder while it is read."""

    path: str
    name: str

    def __fspath__(self) -> str:
        return self.path


@dataclass(frozen=True)
class Files:
    """Files of one format, read as one table in the order of their names."""

    connection: DuckDBPyConnection
    paths: tuple[str, ...]
    format: str  #: "csv", "json" or "parquet"
    shown: str  #: how messages call them
    max_rows: int | None = None
    folder: tempfile.TemporaryDirectory[str] | None = None  #: holds what came from a stream
    names: Mapping[str, str] = field(default_factory=dict)  #: of paths that messages call otherwise

    is_lazy = True

    def name_of(self, path: str) -> str:
        """How messages call one of the files: by a name of its own where it has one, rows from a stream by that of the stream."""
        return self.names.get(path, path) if self.folder is None else self.shown

    # Columns

    @lazy
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, as the first file has them."""
        if self.format == "csv":
            return self._header[1]
        if self.format == "json":
            return self._keys(20_480)
        return tuple(self._ask(lambda: self.connection.sql(f"SELECT * FROM {self._parquet(self.paths)}").columns))

    def all_columns(self) -> tuple[str, ...]:
        """The same after a look at every row, where a column may stand in late rows only."""
        return self._keys(-1) if self.format == "json" else self.columns

    def _keys(self, sample: int) -> tuple[str, ...]:
        query = f"SELECT * FROM read_json({self._list(self.paths)}, format={self._json_format}, sample_size={sample}, union_by_name=true)"
        return tuple(self._ask(lambda: self.connection.sql(query).columns))

    @lazy
    def _header(self) -> tuple[str, tuple[str, ...]]:
        """The delimiter and the names of the columns.  Each file must have the same header: columns are matched by place."""
        delimiter, names = self._header_of(self.paths[0])
        for path in self.paths[1:]:
            if (other := self._header_of(path)[1]) != names:
                raise ValueError(f"{path} has other columns ({', '.join(other)}) than {self.paths[0]} ({', '.join(names)})")
        return delimiter, names

    def _header_of(self, path: str) -> tuple[str, tuple[str, ...]]:
        lines = (
            f"columns={{'line': 'VARCHAR'}}, delim={quoted(NO_DELIMITER)}, quote='', escape='', header=false, strict_mode=false"
        )
        query = f"SELECT line FROM read_csv({quoted(_literal(path))}, auto_detect=false, {lines}) LIMIT 1"
        lines_found = self._ask(lambda: self.connection.execute(query).fetchall())
        if not lines_found or lines_found[0][0] is None:
            raise ValueError(f"{self.name_of(path)} is empty; its first line should name the columns")
        choices = "\t" if _extension(path) in ("tsv", "tab") else DELIMITERS
        try:
            fields = {sign: tuple(next(csv.reader([lines_found[0][0]], delimiter=sign))) for sign in choices}
        except csv.Error as error:
            name = self.name_of(path)
            raise ValueError(f"{name}: its first line should name the columns, and cannot be read: {error}") from None
        delimiter = max(fields, key=lambda sign: len(fields[sign]))  # of two that split it alike, the first
        return delimiter, fields[delimiter]

    # Rows

    def take(self, names: Sequence[str]) -> DuckDBPyRelation:
        """These columns as a relation; they are called c0, c1 … there."""
        return self._ask(lambda: self._relation(self.paths, names))

    def _relation(self, paths: Sequence[str], names: Sequence[str], more: str = "") -> DuckDBPyRelation:
        chosen = ", ".join([f"{self._source_name(name)} AS c{i}" for i, name in enumerate(names)] + ([more] if more else []))
        limit = "" if self.max_rows is None or self.format == "parquet" else f" LIMIT {self.max_rows + 1}"
        return self.connection.sql(f"SELECT {chosen} FROM {self._rows(paths, names)}{limit}")

    def _source_name(self, name: str) -> str:
        """CSV columns are numbered: their own names may repeat, or differ by case alone."""
        if self.format == "csv":
            return f"f{self.columns.index(name)}"
        return named(name) if self.format == "parquet" else f"nullif({named(name)}::VARCHAR, 'null')"

    def _rows(self, paths: Sequence[str], names: Sequence[str]) -> str:
        if self.format == "parquet":
            return self._parquet(paths)
        if self.format == "json":
            columns = ", ".join(f"{quoted(name)}: 'JSON'" for name in dict.fromkeys(names))
            return f"read_json({self._list(paths)}, format={self._json_format}, columns={{{columns}}})"
        columns = ", ".join(f"'f{i}': 'VARCHAR'" for i in range(len(self.columns)))
        signs = f"delim={quoted(self._header[0])}, quote='\"', escape='\"', nullstr='', header=true, strict_mode=true"
        return f"read_csv({self._list(paths)}, auto_detect=false, {signs}, columns={{{columns}}})"

    def _parquet(self, paths: Sequence[str], more: str = "") -> str:
        return f"read_parquet({self._list(paths)}, hive_partitioning=false{more})"

    def _list(self, paths: Sequence[str]) -> str:
        return "[" + ", ".join(quoted(_literal(path)) for path in paths) + "]"

    @property
    def _json_format(self) -> str:
        return "'auto'" if _extension(self.paths[0]) == "json" else "'newline_delimited'"

    def fetch(self, relation: DuckDBPyRelation) -> dict[str, Any]:
        """The rows of a relation as numpy columns."""
        return self._ask(relation.fetchnumpy)

    def check_rows(self) -> None:
        """Refuse more rows than the limit before any is read, where the file tells; other formats stop one row beyond it."""
        if self.max_rows is None or self.format != "parquet":
            return
        query = f"SELECT sum(num_rows) FROM parquet_file_metadata({self._list(self.paths)})"
        ((rows,),) = self._ask(lambda: self.connection.execute(query).fetchall())
        self.refuse_rows(int(rows))

    def refuse_rows(self, rows: int) -> None:
        if self.max_rows is not None and rows > self.max_rows:
            many = f"{rows:,}" if self.format == "parquet" else f"more than {self.max_rows:,}"
            raise too_many_rows(self.shown, many, self.max_rows)

    # Values

    def column(self, fields: Any, name: str, times: Any = None, *, free: bool = False) -> Column:
        """Fetched fields of a column as a Column that knows where its values stand; free ones may be anything."""
        shown = f'{self.shown}, column "{name}"'
        if free:
            values = _plain(fields) if self.format != "json" else [t if t is None else json.loads(t) for t in _plain(fields)]
            return replace(as_text_column(values, shown), times=times)
        if self.format != "json":
            column = read_column(fields, shown)
            written = self.format == "csv" and column.kind == "text"  # its fields have no type
            return replace(column, times=times, place=lambda value: self._first(name, value), written=written)
        texts = [None if text is None else str(text) for text in _plain(fields)]
        values = [None if text is None else json.loads(text) for text in texts]
        first_text = {(type(value).__name__, repr(value)): text for value, text in zip(values, texts, strict=True)}

        def place(value: Any) -> str:
            return self._first(name, first_text.get((type(value).__name__, repr(value))))

        return replace(read_column(values, shown, place=place), times=times, place=place)

    def _first(self, name: str, value: Any) -> str:
        """Where a value stands first; None: a missing one.  Only a refusal asks."""
        try:
            for path in self.paths:
                if (row := self._first_in(path, name, value)) is not None:
                    return f"row {row:,} of {self.name_of(path)}"
        except Exception:  # noqa: S110 - the sentence about the value matters more than its place
            pass
        return ""

    def _first_in(self, path: str, name: str, value: Any) -> int | None:
        source = self._source_name(name)
        field = source if self.format == "parquet" else "field"
        if self.format == "parquet":
            query = f"SELECT min(file_row_number) + 1 FROM {self._parquet([path], ', file_row_number=true')} WHERE "
        else:
            query = f"SELECT min(row) FROM (SELECT {source} AS field, row_number() OVER () AS row FROM {self._rows([path], [name])}) WHERE "
        query += f"{field} IS NULL" if value is None else f"{field} = $value"
        given = {} if value is None else {"value": value}
        ((row,),) = run(self.connection, lambda: self.connection.execute(query, given).fetchall(), "looking for the row")
        return None if row is None else int(row)

    def close(self) -> None:
        self.connection.close()
        if self.folder is not None:
            self.folder.cleanup()

    def _ask(self, question: Callable[[], T]) -> T:
        """The answer, or DuckDB's refusal as one sentence."""
        import duckdb

        try:
            return run(self.connection, question, f"reading {self.shown}")
        except duckdb.OutOfMemoryException:
            raise MemoryError(f"reading {self.shown}") from None
        except duckdb.Error as error:
            raise ValueError(sentence(str(error), self.format, self.paths[0], self.name_of)) from None
        except (RuntimeError, UnicodeDecodeError) as error:
            if isinstance(error, RuntimeError) and "conversion error" not in str(error):
                raise
            # raised where DuckDB hands over text, such as a column's name, that is no text; the second by older versions
            raise ValueError(f"{self.shown} cannot be read: it is damaged, and holds text that is not UTF-8") from None


def open_files(source: Any, *, max_rows: int | None = None, connection: DuckDBPyConnection | None = None) -> Files:
    """The files behind a path, a glob, a directory, or a list of paths."""
    parts = source if isinstance(source, (list, tuple)) else [source]
    names = {part.path: part.name for part in parts if isinstance(part, NamedFile)}
    given = [os.fspath(part) for part in parts]
    paths = [path for part in given for path in _found(part)]
    formats = {_format(path) for path in paths}
    if len(formats) > 1:
        raise ValueError(
            f"{', '.join(given)} has files of different formats ({', '.join(sorted(formats))}); name one with a pattern"
        )
    shown = names.get(paths[0], paths[0]) if len(paths) == 1 else f"{', '.join(given)} ({len(paths):,} files)"
    for path in paths:
        if path.lower().endswith(".gz"):
            check_gzip(path)
    return Files(connection or connect(), tuple(paths), formats.pop(), shown, max_rows, names=names)


def open_stream(stream: io.IOBase, *, max_rows: int | None = None, connection: DuckDBPyConnection | None = None) -> Files:
    """What a binary stream holds, kept in a temporary file while it is read."""
    stream = getattr(stream, "buffer", stream)  # sys.stdin is text over bytes
    if isinstance(stream, io.TextIOBase):
        raise ArgumentTypeError("{source} is a stream of text", argument="source", remedy="open it in binary mode")
    given = getattr(stream, "name", "")
    name = given if isinstance(given, str) else ""
    connection, folder = connection or connect(), tempfile.TemporaryDirectory(prefix="ordeval-")
    try:
        path = os.path.join(folder.name, os.path.basename(name.strip("<>")) or "rows")
        with open(path, "wb") as file:
            for piece in _pieces(stream):
                file.write(piece)
        return replace(
            open_files(path, max_rows=max_rows, connection=connection), shown=name.strip("<>") or "the stream", folder=folder
        )
    except BaseException:
        folder.cleanup()
        raise


def _pieces(stream: Any) -> Iterator[bytes]:
    """What comes in, until the end.  Ctrl-C is heard while nothing comes, which a read that waits for more can miss."""
    waits, read = os.name == "posix" and not stream.seekable(), getattr(stream, "read1", stream.read)
    while True:
        while waits and not select.select([stream], [], [], 0.1)[0]:
            pass
        if not (piece := read(1 << 20)):
            return
        yield piece


def _found(path: str) -> list[str]:
    if os.path.isdir(path):
        inside = (os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files)
        found = sorted(file for file in inside if _extension(file) in FORMATS and os.path.basename(file)[0] not in "._")
        if not found:
            raise ValueError(f"the directory {path} has no file that can be read ({', '.join(f'.{name}' for name in FORMATS)})")
        return found
    if os.path.exists(path):
        if not os.access(path, os.R_OK):
            raise PermissionError(f"{path} cannot be read: permission denied")
        return [path]
    if glob.has_magic(path):
        found = sorted(file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
        if not found:
            raise FileNotFoundError(f"no file matches {path}")
        return found
    if "://" in path:
        raise ValueError(f"{path} is not a file on this machine; nothing is fetched from a network")
    raise FileNotFoundError(f"there is no file {path}{_neighbour(path)}")


def _neighbour(path: str) -> str:
    folder, name = os.path.split(path)
    try:
        hint = near(name, os.listdir(folder or "."), shown=lambda other: os.path.join(folder, other))
    except OSError:
        return ""
    return f"; {hint}" if hint else ""


def _extension(path: str) -> str:
    parts = os.path.basename(path).lower().split(".")
    while len(parts) > 1 and parts[-1] in COMPRESSED:
        parts.pop()
    return parts[-1] if len(parts) > 1 else ""


def _format(path: str) -> str:
    known = FORMATS.get(_extension(path))
    if known is not None:
        return known
    with open(path, "rb") as file:
        start = file.read(64)
    if start.startswith(b"PAR1"):
        return "parquet"
    return "json" if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "csv"


def _literal(path: str) -> str:
    """A path that DuckDB takes as it is: brackets and stars in a name are no pattern, and a name is never a web address."""
    return re.sub(r"([\[*?])", r"[\1]", path) if re.search(r"[\[*?]", path) else path


def _plain(fields: Any) -> list[Any]:
    return fields.tolist() if hasattr(fields, "tolist") else list(fields)  # a masked array gives None where nothing is
