"""Fields of untyped files: text as written, and what it is meant as."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval._columns import Column, short

CANONICAL = re.compile(r"0|-?[1-9][0-9]*")  # the one way to write an integer; "01" is text


def as_meant(column: Column) -> Column:
    """A column of an untyped file as integers where each field that is there is written as one; else as it stands."""
    if not column.written:
        return column
    if not column.values or not all(CANONICAL.fullmatch(value) for value in column.values):
        return replace(column, written=False)
    return replace(column, kind="integers", values=tuple(int(value) for value in column.values), written=False)


def as_numbers(column: Column) -> Column:
    """A column of an untyped file as the numbers that its fields are written as, for columns that measure or weigh."""
    if not column.written:
        return column
    assert column.codes is not None
    numbers = [as_number(value) for value in column.values]
    if None in numbers:
        found = column.at(np.flatnonzero(np.isin(column.codes, [i for i, n in enumerate(numbers) if n is None])))
        raise ValueError(f"{column.name}: {short(found.value)} is not a number{found.first}")
    whole = as_meant(column)
    values = np.array([*(whole.values if whole.kind == "integers" else numbers), 0])
    return replace(
        column, kind=whole.kind if whole.kind == "integers" else "floats", numbers=values[column.codes], values=(), codes=None
    )


def as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def written_forms(label: Any) -> tuple[str, ...]:
    return (str(label), str(label).lower(), str(label).upper()) if isinstance(label, bool) else (str(label),)
