"""What the explorer says of a file whose columns share no values."""

from __future__ import annotations

from collections.abc import Mapping

from ordeval.study import Values

SHOWN = 5  # values of a column in a message


def no_common_values(columns: Mapping[str, Values]) -> str:
    """Why there is nothing to score: the first values of each column."""
    lines = [
        f"{name}: {', '.join(column.texts[:SHOWN])}{' …' if len(column.texts) > SHOWN else ''}"
        for name, column in columns.items()
    ]
    return (
        "No two columns share their values, so none can be the answers to another.  The first different values of each: "
        + "; ".join(lines)
    )
