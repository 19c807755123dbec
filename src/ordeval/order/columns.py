"""Columns as people bring them, in one plain form.

A list, a numpy array, a pandas, Polars or Arrow column all become a `Column`: either plain numbers, or codes into the
distinct values.  What a column *is* is settled here (its kind, what is missing, whether its type carries an order);
what the order *means* is `scale.py`'s work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.errors import data as as_data
from ordeval.order.numbering import codes_by_hash, few_fixed_texts, few_texts, native

NUMBERS = ("integers", "floats")
GIVE = "give a list or an array of labels"
LABELS = "labels are text, integers, floats or booleans"
#: Columns that are arguments of functions; the others are called by their name in a file or a frame.
ARGUMENTS = ("y_true", "y_pred", "labels", "sample_weight", "by", "cluster", "class_counts", "codes")


@dataclass(frozen=True, eq=False)
class Column:
    """One column of labels.  Either `numbers` is there, or `values` and `codes` are."""

    name: str
    kind: str  # "integers", "floats", "booleans", "text" or "intervals": what the labels are, as a word for messages
    numbers: Array | None = None
    values: tuple[Any, ...] = ()
    codes: Array | None = None  # positions in `values`; -1 where nothing is there
    missing: Array | None = None  # True where nothing is there; None when the column is complete
    ordered: bool = False  # the column's own type says that `values` stand in order
    orders: tuple[tuple[Any, ...], ...] = ()  # of parts that contradict each other, so that the column has none
    rows: Array | None = None  # where these rows stood before some were left out or put in another order; -1: nowhere
    times: Array | None = None  # each entry stands for so many rows, where an engine has grouped them; None: for one
    place: Callable[[Any], str] | None = None  # says where a value (None: a gap) stands first, where an engine has grouped rows
    written: bool = False  # text of an untyped file: "1" may be meant as a number
    facts: Any = None  # what a file says of the column beside its values, such as the names of its codes
    refuse: Callable[[Column, Array, Any], ArgumentError] | None = (
        None  # says of values at positions that they are no classes of a scale
    )

    def __len__(self) -> int:
        return len(self.codes if self.numbers is None else self.numbers)  # type: ignore[arg-type]

    def keep(self, mask: Array) -> Column:
        """The rows where the mask is true; they remember where they stood."""
        return replace(
            self,
            numbers=None if self.numbers is None else self.numbers[mask],
            codes=None if self.codes is None else self.codes[mask],
            missing=None if self.missing is None or not self.missing[mask].any() else self.missing[mask],
            rows=np.flatnonzero(mask) if self.rows is None else self.rows[mask],
            times=None if self.times is None else self.times[mask],
        )

    def take(self, positions: Array) -> Column:
        """The entries at these positions; nothing is there where a position is -1."""
        gaps = positions < 0
        if self.missing is not None:
            gaps = gaps | self.missing[positions]
        numbers = None if self.numbers is None else self.numbers[positions] if len(self) else np.zeros(positions.size, int)
        codes = None if self.codes is None else np.where(gaps, -1, self.codes[positions].astype(np.int64) if len(self) else -1)
        rows = positions if self.rows is None else self.rows[positions]
        return replace(self, numbers=numbers, codes=codes, missing=gaps if gaps.any() else None, rows=rows)

    def at(self, positions: Array) -> BadValue:
        """What stands at the first of these positions, how often among them, and where first."""
        stored = self.numbers if self.numbers is not None else self.codes
        assert stored is not None
        first = positions[0]
        if self.missing is not None and self.missing[first]:
            value, same = None, np.asarray(self.missing[positions])
        else:
            stored_value = stored[first].item()
            value = stored_value if self.numbers is not None else self.values[stored_value]
            same = np.asarray(stored[positions] == stored[first])
        times = np.ones(positions.size, np.int64) if self.times is None else self.times[positions]
        return BadValue(value, int(times[same].sum()), int(times.sum()), self._place(value, positions[same]))

    def _place(self, value: Any, positions: Array) -> str:
        if self.place is not None:
            return self.place(value)
        row = int((positions if self.rows is None else self.rows[positions]).min())
        return "" if self.times is not None or row < 0 else f"index {row}"

    def present(self) -> Column:
        """The rows where something is there."""
        return self if self.missing is None else self.keep(~self.missing)

    def listed(self) -> list[Any]:
        """All values, one for each row, of a column without gaps."""
        if self.numbers is not None:
            return list(self.numbers.tolist())
        assert self.codes is not None
        return [self.values[code] for code in self.codes.tolist()]

    def distinct(self) -> tuple[Any, ...]:
        """The values that occur, as Python objects, in no particular order."""
        column = self.present()
        if column.numbers is not None:
            return tuple(dict.fromkeys(column.numbers.tolist()))
        assert column.codes is not None
        used = np.bincount(column.codes, minlength=len(column.values)) > 0
        return tuple(compress(column.values, used))

    def coded(self) -> tuple[Array, tuple[Any, ...]]:
        """Codes into the distinct values, sorted, for columns that name groups: -1 where nothing is there."""
        column = self.whole()
        codes, values = column.codes, column.values
        if column.numbers is not None:
            codes, values = codes_by_hash(column.numbers.tolist())
        assert codes is not None
        used = np.unique(codes[~column.missing] if column.missing is not None else codes).tolist()
        used.sort(key=values.__getitem__)
        rank = np.full(len(values) + 1, -1)
        rank[used] = np.arange(len(used))
        ranked = rank[codes]
        if column.missing is not None:
            ranked[column.missing] = -1
        return ranked, tuple(values[code] for code in used)

    def in_order(self, categories: Sequence[Any]) -> Column:
        """The same with the order of its type: all categories are there, used or not."""
        codes, values = (self.codes, self.values) if self.numbers is None else codes_by_hash(self.numbers.tolist())
        position = {category: i for i, category in enumerate(categories)}
        assert codes is not None
        placed = np.array([*(position.get(value, -1) for value in values), -1], int)[codes]
        gaps = placed < 0 if self.missing is None else (placed < 0) & ~self.missing
        if gaps.any():  # a value that is none of the categories: then they are not its type's
            return self
        if self.missing is not None:
            placed = np.where(self.missing, -1, placed)
        return replace(self, numbers=None, values=tuple(categories), codes=placed, ordered=True)

    def extremes(self) -> tuple[Any, Any]:
        """The smallest and the largest value that occur, as Python objects."""
        numbers = self.present().numbers
        if numbers is not None:
            return numbers.min().item(), numbers.max().item()
        values = self.distinct()
        return min(values), max(values)

    def whole(self) -> Column:
        """The same column with integral floats as the integers they are; unchanged if any float has a fraction."""
        if self.kind != "floats":
            return self
        if self.numbers is not None:
            filled = self.numbers if self.missing is None else np.where(self.missing, 0, self.numbers)
            if not (np.abs(filled) < np.float64(2.0**63)).all():  # infinities, too; half precision cannot hold the bound
                return self
            integers = filled.astype(np.int64)
            return replace(self, kind="integers", numbers=integers) if (integers == filled).all() else self
        if all(float(value).is_integer() for value in self.values):
            return replace(self, kind="integers", values=tuple(int(value) for value in self.values))
        return self


@dataclass(frozen=True)
class BadValue:
    """A value that cannot stay as it is: what, how often, and where it stands first ("" where rows have no order)."""

    value: Any
    times: int  # rows that hold it
    all: int  # rows that cannot stay, this value or another
    place: str

    @property
    def first(self) -> str:
        """ ", the first at index 7", to go on a sentence with."""
        return f", the first at {self.place}" if self.place else ""


def spelt(name: str) -> str:
    """A column's name in a template: an argument where it is one, which every reader spells in their way, else data."""
    argument, bracket, model = name.partition("[")
    return f"{{{argument}}}{as_data(bracket + model)}" if argument in ARGUMENTS else as_data(name)


def column_error(
    name: str, problem: str, remedy: str = "", kind: type[ArgumentError] = ArgumentError, **values: Any
) -> ArgumentError:
    """What is wrong with a column: a sentence that begins with its name."""
    argument = name.partition("[")[0]
    return kind(spelt(name) + problem, argument=argument if argument in ARGUMENTS else "", remedy=remedy, values=values)


def read_column(data: Any, name: str, *, measured: bool = False, place: Callable[[Any], str] | None = None) -> Column:
    """Bring any one-dimensional thing into the form above; refuse what is not a column of labels.

    In a column of measured numbers, to be binned, 1 and 1.0 are the same; as labels they are not.  ``place`` says where a
    value stands, if not at its index.
    """
    if isinstance(data, Column):
        return data
    if isinstance(data, np.ma.MaskedArray):
        column = from_array(data.filled() if data.dtype.kind != "O" else data.data, name)
        return without(column, np.ma.getmaskarray(data))
    if isinstance(data, np.ndarray):
        return from_array(data, name)
    if isinstance(data, (str, bytes)) or np.isscalar(data) or data is None:
        raise column_error(name, " is a single value ({value}), not a column", GIVE, ArgumentTypeError, value=repr(data))
    if isinstance(data, (Mapping, Set)):
        raise column_error(
            name, " is a {type}, whose rows have no fixed order", GIVE, ArgumentTypeError, type=type(data).__name__
        )
    if measured and isinstance(data, (list, tuple)) and all(_kind_of(type_) in NUMBERS for type_ in set(map(type, data))):
        return from_array(np.array(data, float), name)
    if isinstance(data, (list, tuple, range)):
        return from_sequence(data, name, place)
    root = type(data).__module__.partition(".")[0]
    if root in ("pandas", "polars", "pyarrow", "modin", "cudf"):
        from ordeval.order.series import from_series  # it needs this file

        return from_series(data, name)
    if root == "torch":
        return from_array(_tensor_on_the_host(data, name), name)
    if hasattr(data, "__array__"):
        return from_array(np.asarray(data), name)
    if isinstance(data, Iterable):
        return from_sequence(list(data), name)
    raise column_error(name, " is a {type}, not a column", GIVE, ArgumentTypeError, type=type(data).__name__)


def from_array(array: Array, name: str) -> Column:
    if array.ndim != 1:
        raise column_error(
            name, " has {n} dimensions (shape {shape})", "a column of labels has one", n=array.ndim, shape=array.shape
        )
    kind = array.dtype.kind
    if kind == "b":
        return Column(name, "booleans", values=(False, True), codes=np.ascontiguousarray(array).view(np.int8), ordered=True)
    if kind in "iu":
        return Column(name, "integers", numbers=native(array))
    if kind == "f":
        nan = np.isnan(array)
        return Column(name, "floats", numbers=native(array), missing=nan if nan.any() else None)
    if kind == "U" and (few := few_fixed_texts(array)) is not None:
        return Column(name, "text", values=few[1], codes=few[0])
    if kind in "UTO":
        return from_sequence(array.tolist(), name)
    what = {"c": "complex numbers", "S": "bytes", "M": "dates", "m": "durations"}.get(kind, f"values of type {array.dtype}")
    raise column_error(
        name, " holds {what}", "decode them to text first" if kind == "S" else LABELS, ArgumentTypeError, what=what
    )


def _tensor_on_the_host(tensor: Any, name: str) -> Array:
    """The array that a torch tensor is; one on a device is refused, because copying it there and back is the caller's choice."""
    if tensor.device.type != "cpu":
        remedy = f"count it there with ordeval.integrations.torch.count, or copy it: {spelt(name)}.cpu()"
        raise column_error(name, " is a tensor on {device}", remedy, ArgumentTypeError, device=str(tensor.device))
    tensor = tensor.detach()
    return np.asarray(tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor)  # numpy has no bfloat16


def from_sequence(data: Sequence[Any], name: str, place: Callable[[Any], str] | None = None) -> Column:
    if (text := _from_texts(data, name)) is not None:
        return text
    kinds = {type_: _kind_of(type_) for type_ in set(map(type, data))}
    missing = None
    if "nothing" in kinds.values() or (len(kinds) > 1 and "floats" in kinds.values()):
        missing = np.fromiter(map(is_nothing, data), bool, len(data))
        if missing.any():
            rest = list(compress(data, ~missing))
            return without(_spread(from_sequence(rest, name, place), missing), missing)
    kind = _one_kind(data, kinds, name, place)
    if kind == "integers":
        return Column(name, kind, numbers=integers(data, name))
    if kind == "floats":
        return from_array(np.array(data, float), name)
    if kind == "booleans":
        return from_array(np.array(data, bool), name)
    codes, values = codes_by_hash(data)
    return Column(name, kind, values=values, codes=codes)


def _kind_of(type_: type) -> str:
    if issubclass(type_, str):
        return "text"
    if issubclass(type_, (bool, np.bool_)):
        return "booleans"
    if issubclass(type_, (int, np.integer)):
        return "integers"
    if issubclass(type_, (float, np.floating)):
        return "floats"
    if type_.__name__ == "Interval" and type_.__module__.startswith("pandas"):
        return "intervals"
    if type_ is type(None) or type_.__name__ in ("NAType", "NaTType"):
        return "nothing"
    return type_.__name__


def is_nothing(value: Any) -> bool:
    """None, NaN, or what a library has in their place."""
    return _kind_of(type(value)) == "nothing" or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _one_kind(data: Sequence[Any], kinds: dict[type, str], name: str, place: Callable[[Any], str] | None) -> str:
    """The one kind of label in this column.  1, "1", 1.0 and True are different labels: a column that mixes them is refused."""
    found = set(kinds.values())
    if not found:
        return "text"  # an empty column has no kind of its own
    for kind in found - {"integers", "floats", "booleans", "text", "intervals"}:
        row, value = next((i, x) for i, x in enumerate(data) if kinds[type(x)] == kind)
        if isinstance(value, (list, tuple, np.ndarray)):
            problem = " has two dimensions: row {row} is itself a {type}"
            raise column_error(name, problem, "a column of labels has one", row=row, type=kind)
        where = f"index {row}" if place is None else place(value)
        told = {"type": kind, "where": where, "value": short(value)}
        raise column_error(name, " holds a {type} at {where} ({value})", LABELS, ArgumentTypeError, **told)
    if found == {"integers", "floats"}:
        if not any(kinds[type(x)] == "floats" and float(x).is_integer() for x in data):
            return "floats"  # 0, 0.5, 1: numbers with fractions, written as people write them
    elif len(found) == 1:
        return found.pop()
    first = _first_of_each_kind(data, kinds)
    shown = [f"{short(x)} ({kinds[type(x)]}, {f'index {i}' if place is None else place(x)})" for i, x in first]
    problem = " mixes kinds of label: {shown} are not the same"
    raise column_error(name, problem, "convert the column to one kind", ArgumentTypeError, shown=", ".join(shown))


def _first_of_each_kind(data: Sequence[Any], kinds: dict[type, str]) -> list[tuple[int, Any]]:
    first: dict[str, tuple[int, Any]] = {}
    for i, value in enumerate(data):
        first.setdefault(kinds[type(value)], (i, value))
    return list(first.values())


def short(value: Any) -> str:
    """A value as it is written, for a message; a long one is cut."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 40 else text[:37] + "..."


def integers(data: Sequence[Any], name: str) -> Array:
    """Whole numbers in 64 bits, with a sign where that holds them all; never as floats."""
    for dtype in (np.int64, np.uint64):
        try:
            return np.array(data, dtype)
        except OverflowError:
            continue
    raise column_error(name, " holds integers beyond 64 bits", "give them as text with {labels:[...]}")


def _from_texts(data: Sequence[Any], name: str) -> Column | None:
    """A column of few different texts, perhaps with gaps; None if it is another one."""
    if (found := few_texts(data)) is None:
        return None
    codes, values = found
    missing = codes < 0
    return Column(name, "text", values=values, codes=codes, missing=missing if missing.any() else None)


def _spread(column: Column, missing: Array) -> Column:
    """Put the values of a column back among the rows where nothing is."""

    def spread(array: Array | None, filler: int) -> Array | None:
        if array is None:
            return None
        full = np.full(missing.size, filler, array.dtype)
        full[~missing] = array
        return full

    return replace(column, numbers=spread(column.numbers, 0), codes=spread(column.codes, -1))


def without(column: Column, missing: Array) -> Column:
    """The column with these rows marked as having nothing there, beside those already marked."""
    if column.missing is not None:
        missing = missing | column.missing
    if not missing.any():
        return column
    codes = None if column.codes is None else np.where(missing, -1, column.codes.astype(np.int64))
    return replace(column, codes=codes, missing=missing)
