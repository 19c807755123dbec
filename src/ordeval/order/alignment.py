"""Do columns of pandas speak of the same rows?  Their labels are compared; columns are counted by their place."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ordeval.base.errors import ArgumentError
from ordeval.order.columns import column_error, short, spelt

SHOWN = 3  # labels of rows spelled out in a message


def check_alignment(columns: Mapping[str, Any]) -> None:
    """Refuse columns of one call whose own labels name other rows, or the same rows in another order.

    Where one of two is numbered from 0 on, as predictions of a model are, the place is what people mean.
    """
    indexes: list[tuple[str, Any]] = []
    for name, column in columns.items():
        index = _index_of(column)
        if index is not None and not any(index is other or index.equals(other) for _, other in indexes):
            indexes.append((name, index))
    for (first, one), (second, other) in combinations(indexes, 2):
        if len(one) == len(other):
            _refuse_other_rows(first, one, second, other)


def _index_of(column: Any) -> Any:
    """The labels of a pandas column's or frame's rows; None for everything else."""
    if type(column).__module__.partition(".")[0] != "pandas" or not hasattr(column, "iloc"):
        return None
    return column.index


def _refuse_other_rows(first: str, one: Any, second: str, other: Any) -> None:
    if _fingerprint(one) == _fingerprint(other):
        problem = f" has the same rows as {spelt(first)} in another order"
        raise column_error(second, problem, f"align them: {spelt(second)}.reindex({spelt(first)}.index)")
    if _is_plain(one) or _is_plain(other):
        return
    raise ArgumentError(
        f"{spelt(first)} and {spelt(second)} name different rows ({{one}}; {{other}})",
        argument=second.partition("[")[0],
        remedy="align them, or give .to_numpy()",
        values={"one": _shown(one), "other": _shown(other)},
    )


def _fingerprint(index: Any) -> int:
    """A number that all orders of the same labels share, without sorting them."""
    import pandas as pd

    return int(pd.util.hash_pandas_object(index, index=False).to_numpy().sum())


def _is_plain(index: Any) -> bool:
    import pandas as pd

    return bool(index.equals(pd.RangeIndex(len(index))))


def _shown(index: Any) -> str:
    return ", ".join([*map(short, index[:SHOWN].tolist()), *(["…"] if len(index) > SHOWN else [])])
