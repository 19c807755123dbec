"""Rows one by one, for what counts cannot hold: probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Quote
from ordeval.order.columns import Column
from ordeval.order.values import as_numbers
from ordeval.read.grouping import all_rows
from ordeval.read.scan import QUOTE, open_table


class Columns(dict[str, Any]):
    """Columns by name, for `evaluate` and `compare`."""

    @classmethod
    @documented(
        "The columns by name: numbers as an array, nan where nothing is there; the others as `evaluate` and `compare` take them.",
        source="A file, a frame or a stream; `ordeval.scan` lists them.",
        labels="The columns of classes, groups, clusters and weights.",
        numbers="The columns of probabilities.",
        quote=QUOTE,
    )
    def read(
        cls,
        source: Any,
        labels: Sequence[str],
        *,
        numbers: Sequence[str] = (),
        quote: Quote = "auto",
        max_rows: int | None = None,
    ) -> Self:
        """Columns of a file or a frame in memory, for what counts cannot hold: probabilities."""
        table = open_table(source, max_rows, quote=quote)
        names = list(dict.fromkeys([*labels, *numbers]))
        try:
            columns = dict(zip(names, all_rows(table, names), strict=True))
        finally:
            table.close()
        return cls({name: _numbers(column) if name in numbers else column for name, column in columns.items()})


def _numbers(column: Column) -> Array:
    found = as_numbers(column)
    if found.numbers is None:
        raise TypeError(f"{column.name} holds {column.kind}, and numbers are needed there")
    values = np.asarray(found.numbers, float)
    return values if found.missing is None else np.where(found.missing, np.nan, values)
