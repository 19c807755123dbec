"""Columns of pandas, Polars and Arrow: by their own codes, with the order that their type carries, and all digits of decimals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.order.columns import Column, column_error, from_array, from_sequence, integers, without
from ordeval.order.numbering import native
from ordeval.order.orders import common_order


def from_series(data: Any, name: str) -> Column:
    """A pandas, Polars or Arrow column: its own codes are used where it has them."""
    import narwhals.stable.v2 as nw

    series = nw.from_native(_as_series(data, name), series_only=True)
    missing = series.is_null().to_numpy()
    if series.dtype == nw.Decimal:
        return from_decimals(from_series(series.cast(nw.String).to_native(), name))
    if series.dtype in (nw.Int128, nw.UInt128):
        return without(Column(name, "integers", numbers=integers(series.fill_null(0).to_list(), name)), missing)
    if series.dtype.is_integer():
        return without(Column(name, "integers", numbers=native(series.fill_null(0).to_numpy())), missing)
    if series.dtype.is_float():
        return without(from_array(np.asarray(series.fill_null(0.0).to_numpy(), float), name), missing)
    if series.dtype == nw.Boolean:
        return without(from_array(np.asarray(series.fill_null(False).to_numpy(), bool), name), missing)
    if _is_arrow_dictionary(series.to_native()):
        return _from_arrow_dictionary(series.to_native(), name)
    if series.dtype in (nw.String, nw.Categorical, nw.Enum):
        codes, values = _series_codes(series.to_native(), series.implementation)
        kind = from_sequence(values, f"the categories of {name}").kind
        # A Categorical of Polars before 1.32 calls the order of appearance its own; only an Enum was given one.
        ordered = series.dtype == nw.Enum if series.implementation.is_polars() else nw.is_ordered_categorical(series)
        column = Column(name, kind, values=tuple(values), codes=codes, ordered=bool(ordered))
        return without(column, missing)
    return from_sequence(series.to_list(), name)


def _is_arrow_dictionary(native: Any) -> bool:
    if not type(native).__module__.startswith("pyarrow"):
        return False
    import pyarrow as pa

    return bool(pa.types.is_dictionary(native.type))


def _from_arrow_dictionary(chunks: Any, name: str) -> Column:
    """A dictionary of Arrow, in chunks that may each have an order of their own: one of all, or none."""
    used = [chunk for chunk in chunks.chunks if len(chunk)]
    orders = tuple(dict.fromkeys(tuple(chunk.dictionary.to_pylist()) for chunk in used))
    order = common_order(orders) if orders and chunks.type.ordered else None
    values = order if order is not None else tuple(dict.fromkeys(value for each in orders for value in each))
    place = {value: i for i, value in enumerate(values)}
    codes = np.full(len(chunks), -1, np.int64)
    start = 0
    for chunk in used:
        renumbered = np.array([*(place[value] for value in chunk.dictionary.to_pylist()), -1])
        own = np.asarray(chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
        codes[start : start + len(chunk)] = renumbered[own]
        start += len(chunk)
    nothing = place.get(None)
    if nothing is not None:  # a dictionary may have an entry for what is missing
        codes[codes == nothing] = -1
    filled = tuple(value for value in values if value is not None)
    if nothing is not None:
        codes = np.where(codes > nothing, codes - 1, codes)
    kind = from_sequence(filled, f"the categories of {name}").kind
    conflict = orders if chunks.type.ordered and order is None else ()
    column = Column(name, kind, values=filled, codes=codes, ordered=order is not None, orders=conflict)
    return without(column, codes < 0)


def from_decimals(column: Column) -> Column:
    """Decimal numbers, read as text, as the integers or floats that they are; one that a float cannot hold is refused."""
    from decimal import Decimal

    numbers = [Decimal(value) for value in column.values]
    whole = all(number == number.to_integral_value() for number in numbers)
    if not whole and (lost := next((n for n in numbers if Decimal(repr(float(n))) != n), None)) is not None:
        problem, remedy = " holds {value}, which a float cannot hold", "convert the column to text, or round it"
        raise column_error(column.name, problem, remedy, value=f"{lost.normalize():f}")
    assert column.codes is not None
    plain = integers([int(n) for n in numbers], column.name) if whole else np.array([float(n) for n in numbers])
    codes = np.where(column.codes < 0, len(numbers), column.codes) if column.missing is not None else column.codes
    filled = np.append(plain, plain.dtype.type(0))[codes]
    return replace(column, kind="integers" if whole else "floats", numbers=filled, values=(), codes=None, written=False)


def _as_series(data: Any, name: str) -> Any:
    """Arrow arrays, pandas indexes and bare pandas arrays stand for the series they would be; so do Arrow's dictionaries in pandas."""
    if getattr(data, "ndim", 1) != 1 or hasattr(data, "columns"):
        raise column_error(name, " is a table with several columns", "give one of them")
    root = type(data).__module__.partition(".")[0]
    if root == "pyarrow":
        import pyarrow as pa

        return data if isinstance(data, pa.ChunkedArray) else pa.chunked_array([data])
    if root == "pandas" and not hasattr(data, "to_frame"):
        import pandas as pd

        data = pd.Series(data)
    if root == "pandas" and str(getattr(data, "dtype", "")).startswith(
        "dictionary<"
    ):  # categories, without what pandas has for them
        import pyarrow as pa

        found = data.array.__arrow_array__()
        return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])
    return data.to_series() if hasattr(data, "to_series") else data


def _series_codes(native: Any, implementation: Any) -> tuple[Array, list[Any]]:
    """Codes of a text or categorical column and the values they stand for, by the column's own library."""
    if implementation.is_polars():
        import polars as pl

        if native.dtype != pl.Enum:
            native = native.cast(pl.String)
            native = native.cast(pl.Enum(native.drop_nulls().unique(maintain_order=True)))
        return native.to_physical().fill_null(0).to_numpy(), native.dtype.categories.to_list()
    if implementation.is_pyarrow():
        joined = native.dictionary_encode().unify_dictionaries().combine_chunks()
        return joined.indices.fill_null(0).to_numpy(zero_copy_only=False), joined.dictionary.to_pylist()
    if hasattr(native, "cat"):
        return native.cat.codes.to_numpy(), native.cat.categories.tolist()
    codes, values = native.factorize()
    return codes, values.tolist()
