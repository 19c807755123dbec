"""Fields as they are written, those of untyped files and those that may hold anything, and what they are meant as."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.order.columns import Column, column_error, is_nothing, read_column, short

CANONICAL = re.compile(r"0|-?[1-9][0-9]*")  # the one way to write an integer; "01" is text
WHOLE = re.compile(r"(0|-?[1-9][0-9]*)(\.0+)?")  # the same as a program writes it that takes all numbers for floats


def parse_written(column: Column) -> Column:
    """A column of an untyped file as integers where each field that is there is a whole number, 1 or 1.0; else as it stands."""
    if not column.written:
        return column
    if not column.values or not all(WHOLE.fullmatch(value) for value in column.values):
        return replace(column, written=False)
    numbers = [int(value.partition(".")[0]) for value in column.values]
    place = {number: i for i, number in enumerate(dict.fromkeys(numbers))}
    codes = column.codes
    if len(place) < len(numbers):  # the same number in two ways
        assert codes is not None
        codes = np.array([*(place[number] for number in numbers), -1])[codes]
    return replace(column, kind="integers", values=tuple(place), codes=codes, written=False)


def as_numbers(column: Column) -> Column:
    """A column of an untyped file as the numbers that its fields are written as, for columns that measure or weigh."""
    if not column.written:
        return column
    assert column.codes is not None
    numbers = [as_number(value) for value in column.values]
    if None in numbers:
        found = column.at(np.flatnonzero(np.isin(column.codes, [i for i, n in enumerate(numbers) if n is None])))
        raise column_error(column.name, ": {value} is not a number{first}", value=short(found.value), first=found.first)
    whole = parse_written(column)
    if whole.kind == "integers":
        assert whole.codes is not None
        return replace(column, kind="integers", numbers=np.array([*whole.values, 0])[whole.codes], values=(), codes=None)
    return replace(column, kind="floats", numbers=np.array([*numbers, 0])[column.codes], values=(), codes=None)


def as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def written_forms(label: Any) -> tuple[str, ...]:
    """The ways in which people write a label."""
    if isinstance(label, bool):
        return str(label), str(label).lower(), str(label).upper()
    return (str(label), str(int(label))) if isinstance(label, float) and label.is_integer() else (str(label),)


def as_text_column(values: Any, name: str) -> Column:
    """A column whose fields may be anything, each as text; a column of numbers among them was not text, but is written so."""

    def written(value: Any) -> str | None:
        if is_nothing(value):
            return None
        whole = isinstance(value, (float, np.floating)) and value.is_integer()
        return str(int(value)) if whole else str(value)

    plain = values.to_list() if hasattr(values, "to_list") else values.tolist() if hasattr(values, "tolist") else list(values)
    typed = any(not isinstance(value, str) and not is_nothing(value) for value in plain)
    return replace(read_column([written(value) for value in plain], name), written=typed)
