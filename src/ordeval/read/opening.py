"""From a path, a pattern, a folder, a pipe or a stream to files that are ready to be read, after a pass over each."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ordeval.base.errors import ArgumentTypeError
from ordeval.read.converted import convert
from ordeval.read.duck import connect
from ordeval.read.files import Files
from ordeval.read.folders import FORMATS, extension, find_files, identity_of
from ordeval.read.formats import TYPED, check_name, content_of
from ordeval.read.ledger import MARKS, TEXT, Copies, OpenFile, open_measured
from ordeval.read.reading import USUAL, Reading
from ordeval.read.streams import copy_stream, first_bytes, packing_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: How quotes are meant: as marks around fields, as text, or as the file itself tells.
QUOTES: dict[str, str | None] = {"auto": None, "double": MARKS, "none": TEXT}


@dataclass(frozen=True)
class NamedFile(os.PathLike[str]):
    """A file that messages call by a name of its own, such as an upload that lies in a temporary folder while it is read."""

    path: str
    name: str

    def __fspath__(self) -> str:
        return self.path


def open_files(
    source: Any,
    *,
    max_rows: int | None = None,
    connection: DuckDBPyConnection | None = None,
    reading: Reading = USUAL,
    shown: str = "",
    copies: Copies | None = None,
) -> Files:
    """The files behind a path, a glob, a directory, or a list of paths, after a pass over each that is not Parquet."""
    parts = source if isinstance(source, (list, tuple)) else [source]
    names: Mapping[str, str] = {part.path: part.name for part in parts if isinstance(part, NamedFile)}
    given = [os.fspath(part) for part in parts]
    found = find_files(given)
    copies = copies or Copies()
    try:
        opened = [_opened(path, shown or names.get(path, path), copies, reading) for path in found.paths]
        formats = {format for _, format in opened}
        if len(formats) > 1:
            raise ValueError(
                f"{', '.join(given)} has files of different formats ({', '.join(sorted(formats))}); "
                "choose one with a pattern such as *.csv"
            )
        files = tuple(file for file, _ in opened)
        called = files[0].name if len(files) == 1 else f"{', '.join(given)} ({len(files):,} files)"
        format = formats.pop()
        return Files(
            connection or connect(),
            files,
            format if format in FORMATS.values() else "parquet",
            called,
            max_rows,
            copies,
            quote=QUOTES[reading.quote],
            source_notes=found.notes,
            reading=reading,
        )
    except BaseException:
        copies.remove()
        raise


def _opened(path: str, name: str, copies: Copies, reading: Reading) -> tuple[OpenFile, str]:
    """A file ready to be read, and its format."""
    identity, kept = identity_of(path), path
    if not os.path.isfile(path):  # a pipe, a device: it can be read once
        kept = copies.new(os.path.basename(path) or "rows")
        with open(path, "rb") as stream:
            copy_stream(stream, kept)
    start, ending = first_bytes(kept), extension(path)
    packing = packing_of(path, start)
    if not packing:
        kind = content_of(kept, start, ending)
        check_name(name, ending, kind)
        if kind in TYPED.values():
            return _converted(kept, name, kind, copies, reading, identity), kind
        if kind == "parquet" or FORMATS.get(ending) == "parquet":
            return OpenFile(name, os.path.abspath(kept), identity, os.path.getsize(kept), None), "parquet"
    typed = FORMATS.get(ending) == "parquet" or ending in TYPED
    unnamed = bool(packing) and not kept.lower().endswith(f".{packing}")  # the engine goes by the name
    measured = open_measured(kept, name, packing, copies, ending, copied=typed or unnamed, encoding=reading.encoding)
    file = replace(measured, identity=identity)
    assert file.measured is not None
    if packing:
        kind = content_of(file.path if typed or unnamed else "", file.measured.start, ending)
        check_name(name, ending, kind)
        if kind in TYPED.values():
            plain = _plain_copy(kept, name, packing, copies, ending)
            return replace(_converted(plain, name, kind, copies, reading, identity), bytes=file.bytes), kind
        if kind == "parquet" or FORMATS.get(ending) == "parquet":
            return replace(file, measured=None), "parquet"
    return file, FORMATS.get(ending) or _format_of(file.measured.start)


def _plain_copy(path: str, name: str, packing: str, copies: Copies, ending: str) -> str:
    return open_measured(path, name, packing, copies, ending, copied=True).path


def _converted(path: str, name: str, kind: str, copies: Copies, reading: Reading, identity: tuple[int, int]) -> OpenFile:
    """A file that is read from a copy in another format."""
    found = convert(path, name, kind, copies.new("rows.parquet"), reading)
    return OpenFile(name, os.path.abspath(found.path), identity, os.path.getsize(path), None, found)


def _format_of(start: bytes) -> str:
    return "json" if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "csv"


def open_stream(
    stream: io.IOBase, *, max_rows: int | None = None, connection: DuckDBPyConnection | None = None, reading: Reading = USUAL
) -> Files:
    """What a binary stream holds, kept in a temporary file while it is read."""
    stream = getattr(stream, "buffer", stream)  # sys.stdin is text over bytes
    if isinstance(stream, io.TextIOBase):
        raise ArgumentTypeError("{source} is a stream of text", argument="source", remedy="open it in binary mode")
    given = getattr(stream, "name", "")
    name = given.strip("<>") if isinstance(given, str) else ""
    copies = Copies()
    try:
        path = copies.new(os.path.basename(name) or "rows")
        copy_stream(stream, path)
    except BaseException:
        copies.remove()
        raise
    return open_files(path, max_rows=max_rows, connection=connection, reading=reading, shown=name or "the stream", copies=copies)
