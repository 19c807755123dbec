"""Numbers as people write them: with a decimal comma, with signs between groups of digits, and words where none is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.base.errors import ArgumentError
from ordeval.order.columns import Column
from ordeval.order.values import as_number, as_numbers
from ordeval.read.duck import quoted
from ordeval.read.reading import Reading
from ordeval.show._plain import count_text

if TYPE_CHECKING:
    from ordeval.read.strange import Row


def is_plain(reading: Reading) -> bool:
    """Whether numbers are written in the usual way: with a point, and nothing between digits."""
    return reading.decimal == "." and not reading.thousands


def number_pattern(reading: Reading) -> str:
    """What a number looks like, as a pattern for Python and DuckDB alike."""
    decimal, digits = f"[{reading.decimal}]", "[0-9]+"
    if reading.thousands:
        digits = f"(?:[0-9]+|[0-9]{{1,3}}(?:[{reading.thousands}][0-9]{{3}})+)"
    return f"[+-]?(?:{digits}(?:{decimal}[0-9]*)?|{decimal}[0-9]+)(?:[eE][+-]?[0-9]+)?"


def decimal_text(text: str, reading: Reading, *, labels: bool = False) -> str:
    """The number that a text is, with a point and without signs between digits; another text as it is.

    Classes have no signs between digits.
    """
    if labels and reading.thousands:
        reading = Reading(decimal=reading.decimal)
    if is_plain(reading) or not re.fullmatch(number_pattern(reading), text):
        return text
    plain = text.replace(reading.thousands, "") if reading.thousands else text
    return plain.replace(reading.decimal, ".")


def number_in_sql(field: str, reading: Reading) -> str:
    """A field of text as the text of a number that the engine takes; what is none stays none, and no value is nothing."""
    written = field
    if not is_plain(reading):
        plain = f"replace({field}, {quoted(reading.thousands)}, '')" if reading.thousands else field
        plain = f"replace({plain}, ',', '.')" if reading.decimal == "," else plain
        written = f"CASE WHEN regexp_full_match({field}, {quoted(number_pattern(reading))}) THEN {plain} ELSE '?' || {field} END"
    if reading.na:
        written = f"CASE WHEN {field} IN ({', '.join(map(quoted, reading.na))}) THEN NULL ELSE {written} END"
    return written


def is_no_number_in_sql(field: str, reading: Reading) -> str:
    """Whether a field of text is none of the numbers above; true for one that means no value."""
    number = number_in_sql(field, replace(reading, na=()))
    nothing = f" OR {field} IN ({', '.join(map(quoted, reading.na))})" if reading.na else ""
    return f"({field} IS NOT NULL AND (TRY_CAST({number} AS DOUBLE) IS NULL{nothing}))"


def as_read_numbers(column: Column, reading: Reading, file: str, name: str) -> Column:
    """A column of an untyped file as numbers; one that is none, or means no value, is refused with its row."""
    if not column.written:
        return column
    if not column.values:
        return replace(as_numbers(column), written=False)
    plain = tuple(decimal_text(text, reading) for text in column.values)
    strict = None if is_plain(reading) else re.compile(number_pattern(reading))
    bad = [
        i
        for i, (text, number) in enumerate(zip(column.values, plain, strict=True))
        if text in reading.na or as_number(number) is None or (strict is not None and not strict.fullmatch(text))
    ]
    if bad:
        from ordeval.read.strange import Row  # it needs rules of this file

        assert column.codes is not None
        rows = np.flatnonzero(np.isin(column.codes, bad))
        stood = rows if column.rows is None else column.rows[rows]  # a join puts rows in another order
        first = int(np.argmin(stood))
        text, row = column.values[int(column.codes[rows[first]])], Row(0, int(stood[first]) + 1, "")
        raise no_number(file, name, text, rows.size, row, reading)
    return replace(as_numbers(replace(column, values=plain)), written=False)


def no_number(file: str, name: str, text: str, rows: int, row: Row | None, reading: Reading) -> ArgumentError:
    """Why a column of weights or probabilities cannot be read."""
    values: dict[str, Any] = {"where": f"{file}, {name}" if file else name, "text": f'"{text}"'}
    values["rows"] = count_text(rows, "row") + (f", {row.first}" if row is not None else "")
    if text in reading.na:
        return ArgumentError("{where}: {text} means no value, and a number is needed; {rows}", values=values)
    remedy = ""
    if re.fullmatch(r"[+-]?[0-9.' ]*,[0-9]+", text) and reading.decimal == ".":
        remedy = ". If the comma is the decimal sign: {reading:Reading(decimal=',')}"
        if re.fullmatch(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", text):
            remedy += "; if it stands between thousands: {reading:Reading(thousands=',')}"
    elif re.fullmatch(r"[+-]?[0-9]{1,3}([,.' ][0-9]{3})+([.,][0-9]*)?", text) and not reading.thousands:
        sign = next(sign for sign in text if sign in ",.' ")
        values["call"] = f"Reading(thousands={sign!r})"
        remedy = ". If the sign stands between thousands: {reading:{call}}"
    return ArgumentError("{where}: {text} is not a number; {rows}", remedy=remedy, values=values)
