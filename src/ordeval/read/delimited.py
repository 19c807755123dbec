"""CSV and TSV: each file with its own delimiter, header and way of quoting; columns are matched by name."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ordeval.base.errors import ArgumentError
from ordeval.read.duck import path_list, quoted
from ordeval.read.folders import extension
from ordeval.read.ledger import MARKS, TEXT, OpenFile
from ordeval.read.refusals import not_utf_8

DELIMITERS = (",", "\t", ";", "|")


@dataclass(frozen=True)
class Dialect:
    """How one file writes its rows."""

    delimiter: str
    names: tuple[str, ...]
    quote: str  #: `MARKS` or `TEXT`
    breaks: bool = False  #: line ends inside of fields are to be counted


def dialect_of(file: OpenFile, quote: str) -> Dialect:
    """The delimiter and the names of the columns, from the first line."""
    assert file.measured is not None
    try:
        line = file.measured.head.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf_8(file.path, file.name) from None
    if not line:
        raise ValueError(f"{file.name} is empty; its first line should name the columns")
    choices = "\t" if extension(file.name) in ("tsv", "tab") or extension(file.path) in ("tsv", "tab") else DELIMITERS
    try:
        if quote == MARKS:
            fields = {sign: tuple(next(csv.reader([line], delimiter=sign))) for sign in choices}
        else:
            fields = {sign: tuple(line.split(sign)) for sign in choices}
    except csv.Error as error:
        raise ValueError(f"{file.name}: the first line, which should name the columns, cannot be read: {error}") from None
    delimiter = max(fields, key=lambda sign: len(fields[sign]))  # of two that split it alike, the first
    # Without empty lines, rows that are as many as lines leave none for fields to hold.
    return Dialect(delimiter, fields[delimiter], quote, file.has_quotes and quote == MARKS and file.measured.blank > 0)


def rows_of(paths: Sequence[str], dialect: Dialect, *, filename: bool = False) -> str:
    """All fields of some files as text, f0, f1 …; with the name of the file if asked."""
    columns = ", ".join(f"'f{i}': 'VARCHAR'" for i in range(len(dialect.names)))
    signs = f"delim={quoted(dialect.delimiter)}, quote={quoted(dialect.quote)}, escape={quoted(dialect.quote)}, nullstr=''"
    more = ", filename=true" if filename else ""
    return f"read_csv({path_list(paths)}, auto_detect=false, {signs}, header=true, strict_mode=true, columns={{{columns}}}{more})"


def breaks_in(dialect: Dialect) -> str:
    """How many line ends the fields of a row hold, all columns together."""
    if not dialect.breaks:
        return "0"
    inside = [f"coalesce(strlen(f{i}) - strlen(replace(f{i}, chr(10), '')), 0)" for i in range(len(dialect.names))]
    return " + ".join(inside)


def groups_of(dialects: Mapping[str, Dialect]) -> dict[Dialect, list[str]]:
    """The files that are written alike, which one query reads."""
    found: dict[Dialect, list[str]] = {}
    for path, dialect in dialects.items():
        found.setdefault(dialect, []).append(path)
    return found


@dataclass(frozen=True)
class Reading:
    """What came of reading a file in one of two ways."""

    rows: int = 0
    breaks: int = 0
    refusal: str = ""  #: the engine's, if it did not take the file so


def decide(file: OpenFile, marks: Reading, text: Reading | None) -> str:
    """How the quotes of a file are meant, where both ways were tried; a file that can be read in two ways is refused."""
    if not marks.refusal:
        if not marks.breaks or text is None or text.refusal or text.rows == marks.rows:
            return MARKS
        raise _two_ways(file.name, marks.rows, text.rows)
    if text is not None and not text.refusal:
        if extension(file.name) in ("tsv", "tab"):
            return TEXT
        raise _perhaps_text(marks.refusal)
    raise ValueError(marks.refusal)


def _two_ways(name: str, marks: int, text: int) -> ValueError:
    return ArgumentError(
        "{name} can be read in two ways: with quotes around fields it has {marks} rows, with quotes as text {text}",
        argument="quote",
        remedy='say which with {quote:"double"} or {quote:"none"}',
        values={"name": name, "marks": f"{marks:,}", "text": f"{text:,}"},
    )


def _perhaps_text(refusal: str) -> ValueError:
    return ArgumentError(
        "{refusal}", argument="quote", remedy='if quotes are plain text here, give {quote:"none"}', values={"refusal": refusal}
    )
