"""Rows one by one, for what counts cannot hold: probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.order.columns import Column
from ordeval.order.values import as_numbers
from ordeval.read.grouping import all_rows
from ordeval.read.scan import open_table


def read_rows(
    source: Any, names: Sequence[str], *, measured: Sequence[str] = (), max_rows: int | None = None
) -> dict[str, Column | Array]:
    """Columns of a file or a frame in memory, for `evaluate` and `compare` with probabilities.

    Those that are ``measured`` come as numbers, nan where nothing is there; the others as columns of labels.
    """
    table = open_table(source, max_rows)
    every = list(dict.fromkeys([*names, *measured]))
    try:
        columns = dict(zip(every, all_rows(table, every), strict=True))
    finally:
        table.close()
    return {name: _numbers(column) if name in measured else column for name, column in columns.items()}


def _numbers(column: Column) -> Array:
    found = as_numbers(column)
    if found.numbers is None:
        raise TypeError(f"{column.name} holds {column.kind}, and numbers are needed there")
    values = np.asarray(found.numbers, float)
    return values if found.missing is None else np.where(found.missing, np.nan, values)
