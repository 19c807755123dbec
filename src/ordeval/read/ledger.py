"""The row ledger: what is known of every file apart from the engine, and the law that the engine's rows must keep.

The engine that counts does not certify itself.  Bytes, lines and the end of each stream come from a pass of their own
(`read/streams.py`) or from a Parquet footer; a file whose rows do not add up with them is refused.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.counts.audit import SourceFile
from ordeval.read.converted import Converted
from ordeval.read.folders import identity_of
from ordeval.read.streams import NO_CHECKSUM, BrokenStreamError, Measured, PlainCopyNeededError, measure
from ordeval.show._plain import count_text

MARKS, TEXT = '"', ""  # quotes around fields, or as signs like others


@dataclass(frozen=True)
class OpenFile:
    """A file that is to be read: how it was called, where the engine reads it, and what the pass found in it."""

    name: str  #: as given, for messages and the audit
    path: str  #: where the engine finds it: the file itself, or a plain copy of its content
    identity: tuple[int, int]
    bytes: int
    measured: Measured | None  #: None: a Parquet file, whose footer knows its rows
    converted: Converted | None = None  #: what a file said beside its rows that is read from a Parquet copy
    encoding: str = ""  #: how its text is encoded, if not as UTF-8

    @property
    def has_quotes(self) -> bool:
        return self.measured is not None and self.measured.quotes > 0


@dataclass(frozen=True)
class Found:
    """What the engine found in one file."""

    rows: int
    breaks: int = 0  #: line ends inside of fields


class Copies:
    """Plain copies for as long as they are read, in a folder of their own that is made for the first of them."""

    def __init__(self) -> None:
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        self.number: int = 0

    def new(self, name: str) -> str:
        """A path that no other copy has."""
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="ordeval-")
        self.number += 1
        folder = os.path.join(self.folder.name, str(self.number))
        os.mkdir(folder)
        return os.path.join(folder, name)

    def remove(self) -> None:
        """Remove all of them."""
        if self.folder is not None:
            self.folder.cleanup()


def open_measured(
    path: str, name: str, packing: str, copies: Copies, ending: str, *, copied: bool = False, encoding: str = "utf-8"
) -> OpenFile:
    """A text file after its pass; one that the engine could not read, or that is to be copied, is read from a plain copy."""
    try:
        try:
            if copied:
                raise PlainCopyNeededError
            measured, read = measure(path, packing, encoding=encoding), path
        except PlainCopyNeededError:
            read = copies.new(f"rows.{ending or 'csv'}")
            measured = measure(path, packing, copy=read, encoding=encoding)
    except BrokenStreamError as error:
        raise ValueError(f"{name} {error}") from None
    return OpenFile(name, os.path.abspath(read), identity_of(path), os.path.getsize(path), measured, encoding=measured.encoding)


def close_file(file: OpenFile, found: Found, format: str, expected: int | None, fields: int, reading: str) -> None:
    """Refuse a file whose rows are not those that the ledger has.

    ``expected`` is the number of rows where the file itself tells it: the length of a JSON array.
    """
    if expected is not None:
        if found.rows != expected:
            raise unequal(file.name, f"holds {count_text(expected, 'row')}", found.rows)
        return
    measured = file.measured
    assert measured is not None
    if format == "json":
        lines = measured.lines - measured.blank
        if found.rows != lines:
            raise unequal(file.name, f"has {count_text(lines, 'line')} that are not empty", found.rows)
        return
    blank = 0 if fields == 1 else measured.blank
    left = measured.lines - 1 - found.rows - found.breaks
    sound = 0 <= left <= blank if measured.quotes and reading == MARKS else left == blank
    if not sound:
        raise unequal(file.name, f"has {count_text(measured.lines - 1 - blank, 'line')} below its header", found.rows)


def unequal(name: str, there: str, rows: int) -> ValueError:
    """Why rows that do not add up are not read."""
    return ValueError(f"{name} {there}, but {count_text(rows, 'row')} {'was' if rows == 1 else 'were'} found; it is refused")


def as_record(file: OpenFile, found: Found, schema: Mapping[str, str]) -> SourceFile:
    """What the audit shows of a file."""
    if file.measured is None:
        ended = "parquet footer" if file.converted is None else file.converted.ended
        return SourceFile(file.name, found.rows, file.bytes, file.bytes, ended, None, None, None, dict(schema), file.identity)
    m = file.measured
    return SourceFile(
        file.name, found.rows, m.size, m.content_bytes, m.ended, m.lines, m.blank, m.quotes, dict(schema), file.identity
    )  # fmt: skip


def file_notes(files: Sequence[OpenFile], readings: Mapping[str, str]) -> list[str]:
    """What a reader of the numbers should know about the files."""
    measured = [(file, file.measured) for file in files if file.measured is not None]
    told = {
        "the last line has no line end": [file for file, m in measured if m.unended],
        "no checksum: a changed byte would not be noticed": [file for file, m in measured if m.ended.endswith(NO_CHECKSUM)],
        "quotes are read as text": [file for file, _ in measured if file.has_quotes and readings.get(file.path) == TEXT],
    }
    for file in files:
        if file.encoding:
            told.setdefault(f"written in {file.encoding}", []).append(file)
        for note in file.converted.notes if file.converted is not None else ():
            told.setdefault(note, []).append(file)
    return [_of(note, which, len(files)) for note, which in told.items() if which]


def _of(note: str, which: Sequence[OpenFile], all_files: int) -> str:
    if all_files == 1:
        return note
    return f"{note} ({which[0].name if len(which) == 1 else count_text(len(which), 'file')})"


def by_file(numbers: Iterable[Any], rows: Iterable[Any], breaks: Iterable[Any] | None, files: int) -> list[Found]:
    """What the engine found in each file, from the entries of a group-by; a file that did not come back has no rows."""
    totals, inside = [0] * files, [0] * files
    gaps = breaks if breaks is not None else iter(lambda: 0, 1)
    for number, n, broken in zip(numbers, rows, gaps, strict=False):
        totals[int(number)] += int(n)
        inside[int(number)] += int(broken)
    return [Found(*each) for each in zip(totals, inside, strict=True)]
