"""What the files of this room share: a refused value, a record of a table."""

from __future__ import annotations

from typing import Any

from ordeval.base.errors import ArgumentError
from ordeval.show._result import Record


def bad_value(argument: str, value: object, problem: str, remedy: str = "", **values: Any) -> ArgumentError:
    """An argument with a value that it cannot have; `values` are the data of the two texts."""
    template = f"{{{argument}:{{given}}}} {problem}"
    return ArgumentError(template, argument=argument, remedy=remedy, values={"given": repr(value), **values})


def record(columns: str, *values: Any) -> Record:
    """A row of a table whose columns are listed with spaces between them."""
    return dict(zip(columns.split(), values, strict=True))
