"""Scale: the ordered classes, and for interval classes their edges.  Only here is order decided.

Order is never guessed.  It is given by the caller, carried by the type of a column (ordered Categorical, Enum, ordered
dictionary), or evident (integers, booleans).  Text without an order is refused with a sentence that shows the fix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from ordeval.base import types as t
from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.order.columns import NUMBERS, Column, column_error, integers, read_column, short, spelt
from ordeval.order.edges import checked_edges, integer_edges, interval_text, pandas_classes, pandas_edges
from ordeval.order.orders import is_part
from ordeval.order.refusals import (
    chain,
    contradicting_chunks,
    different_orders,
    no_order,
    refuse_alphabet,
    refuse_different_kinds,
    report_near_duplicates,
    too_many_integers,
)
from ordeval.order.values import CANONICAL, as_number, parse_written, written_forms
from ordeval.show._plain import count_text

MAX_CLASSES = 1_000

Closed: TypeAlias = Literal["left", "right"]


class Scale:
    """The ordered classes, lowest first.

    Parameters
    ----------
    labels : Column | Iterable[Any]
        The classes, lowest first: text, integers, floats or booleans, each once.
    max_classes : int, default 1000
        Refuse longer scales: they are usually a column of numbers given by mistake.

    Examples
    --------
    >>> scale = Scale(["green", "yellow", "orange", "red"])
    >>> scale.K, str(scale)
    (4, 'green < yellow < orange < red')
    >>> scale.encode(["red", "green"])
    array([3, 0], dtype=int8)
    """

    labels: tuple[Any, ...]  #: the classes, lowest first
    edges: tuple[float, ...] | None  #: K + 1 edges of interval classes; None for purely ordinal ones
    closed: Closed  #: which end of an interval belongs to it, "left" or "right"
    whole: bool  #: bins of whole numbers: a number with a fraction is in none of them
    inferred: bool  #: taken from the integers seen, so a class beyond them may be missing

    def __init__(self, labels: t.Column | Iterable[Any], *, max_classes: int = MAX_CLASSES) -> None:
        column = read_column(labels, "labels").whole()
        if column.orders:
            raise contradicting_chunks(column)
        own_order = column.ordered and column.kind != "booleans"  # its type says which classes there are, used or not
        if column.missing is not None and not own_order:
            index = int(np.argmax(column.missing))
            raise column_error("labels", " has a missing value at index {index}", "a class needs a name", index=index)
        if column.kind == "intervals":
            remedy = "use Scale.from_edges, or give the ordered Categorical itself"
            raise column_error("labels", " holds pandas intervals", remedy, ArgumentTypeError)
        names = list(column.values) if own_order else column.listed()
        if not names:
            raise column_error("labels", " is empty", "give the classes, lowest first")
        if len(names) > max_classes:
            raise ArgumentError(
                "{n} classes are more than the limit of {limit}",
                argument="labels",
                remedy="raise it on purpose with Scale(labels, max_classes={k})",
                values={"n": f"{len(names):,}", "limit": f"{max_classes:,}", "k": len(names)},
            )
        if hasattr(labels, "__array__") and not own_order:
            refuse_alphabet(names)
        if not all(math.isfinite(name) for name in names if isinstance(name, float)):
            raise column_error("labels", " holds an infinite value", "a class that is a number must be finite")
        self.labels = tuple(names)
        self.edges = None
        self.closed = "left"
        self.whole = False
        self.inferred = False
        self._kind = column.kind
        self._code = {label: code for code, label in enumerate(names)}
        if len(self._code) < len(names):
            twice = next(label for label in names if names.count(label) > 1)
            raise column_error(
                "labels", " names the class {label} twice", "give each class once, lowest first", label=repr(twice)
            )
        if self._kind == "text":
            report_near_duplicates(names)

    @classmethod
    @documented(
        "The scale, with its edges and lengths.",
        edges="K + 1 numbers that strictly increase; the outer ones may be infinite.",
        closed="Which end of an interval belongs to it.",
        names="What to call the classes; None writes the intervals.",
    )
    def from_edges(cls, edges: Iterable[float], *, closed: Closed = "left", names: Iterable[str] | None = None) -> Self:
        """Interval classes between edges that strictly increase; the outer ones may be infinite.

        Columns may hold numbers, which are binned, or the labels.  An ordered column made by pandas' `cut` or `qcut` carries
        its intervals, but pandas rounds them (``precision=3``), `include_lowest` moves the first edge down by as much as
        that, and ``bins=3`` widens the range by 0.1 %: this cannot be seen afterwards, and it makes the lengths wrong.  Give the
        true edges (``retbins=True``) here, and the numbers themselves or ``pd.cut(..., labels=scale.labels)`` as columns.

        >>> Scale.from_edges([0, 30, 60, float("inf")]).labels
        ('[0, 30)', '[30, 60)', '[60, inf)')
        """
        values = checked_edges(edges)
        if closed not in ("left", "right"):
            remedy = 'an interval is closed on the "left" or on the "right"'
            raise ArgumentError("{closed:{given}} is unknown", argument="closed", remedy=remedy, values={"given": repr(closed)})
        texts = [interval_text(a, b, closed) for a, b in pairwise(values)] if names is None else list(names)
        if len(texts) != len(values) - 1:
            raise ArgumentError(
                "{n} {edges} make {k} classes, but {names} has {given}",
                argument="names",
                values={"n": len(values), "k": len(values) - 1, "given": len(texts)},
            )
        if not all(isinstance(text, str) for text in texts):
            raise ArgumentTypeError(
                "{names} of interval classes are text: a number would be taken for a value to be binned", argument="names"
            )
        scale = cls(texts)
        scale.edges = values
        scale.closed = closed
        return scale

    @classmethod
    @documented(
        "The scale, with its edges and lengths.", bins='The bins, lowest first: "1-2, 3-7, 8-14, >14", or a list of them.'
    )
    def from_integer_bins(cls, bins: str | Iterable[str]) -> Self:
        """Interval classes of whole numbers: a bin is as long as it has integers in it; a number with a fraction is in none.

        >>> Scale.from_integer_bins("1-2, 3-7, 8-14, >14").lengths
        (2.0, 5.0, 7.0, inf)
        """
        names = [str(part).strip() for part in (bins.split(",") if isinstance(bins, str) else bins)]
        scale = cls.from_edges(integer_edges(names), names=names)
        scale.whole = True
        return scale

    @classmethod
    @documented(
        "The scale; ``inferred`` says whether it was taken from the integers seen.",
        columns="Columns of labels on the same scale.",
        names="What messages call the columns.",
    )
    def infer(cls, *columns: t.Column | Column, names: Sequence[str] | None = None) -> Self:
        """The scale that columns carry: by their type, or as the integers from the smallest to the largest seen."""
        names = names or [f"column {i}" for i in range(1, len(columns) + 1)]
        read = [parse_written(read_column(column, name)).whole() for column, name in zip(columns, names, strict=True)]
        if (torn := next((column for column in read if column.orders), None)) is not None:
            raise contradicting_chunks(torn)
        ordered = [column for column in read if column.ordered and column.kind != "booleans"]
        if ordered:
            return cls._from_ordered(ordered)
        read = [column for column in read if len(column.present())]
        if not read:
            where = " and ".join(map(spelt, names)) or "the data"
            raise ArgumentError(f"there are no labels in {where}, so no scale can be inferred", argument="labels")
        refuse_different_kinds(read)
        kind = read[0].kind if all(column.kind == read[0].kind for column in read) else "floats"
        if kind == "booleans":
            return cls([False, True])
        if kind == "integers":
            return cls._from_integers(read)
        raise no_order(read, kind)

    @classmethod
    def _from_ordered(cls, columns: Sequence[Column]) -> Self:
        first = max(columns, key=lambda column: len(column.values))  # of several with as many, the first
        for other in columns:
            same = other.values == first.values
            if not same and ("intervals" in (first.kind, other.kind) or not is_part(other.values, first.values)):
                raise different_orders(*(column for column in columns if column is first or column is other))
        if first.kind != "intervals":
            return cls(first.values)
        return cls.from_edges(pandas_edges(first.values, first.name), closed=first.values[0].closed)

    @classmethod
    def _from_integers(cls, columns: Sequence[Column]) -> Self:
        extremes = [column.extremes() for column in columns]
        low, high = min(low for low, _ in extremes), max(high for _, high in extremes)
        if high - low >= MAX_CLASSES:
            raise too_many_integers(low, high, MAX_CLASSES)
        scale = cls(range(low, high + 1))
        scale.inferred = True
        return scale

    # What a scale is

    @property
    def K(self) -> int:
        """The number of classes, used or not."""
        return len(self.labels)

    @property
    def lengths(self) -> tuple[float, ...] | None:
        """The lengths of interval classes, infinite for an open one; None for purely ordinal classes."""
        return None if self.edges is None else tuple(b - a for a, b in pairwise(self.edges))

    @property
    def offset(self) -> int | None:
        """The first label when the labels are consecutive integers: then code = label - offset."""
        if self._kind == "integers" and self.labels == tuple(range(self.labels[0], self.labels[0] + self.K)):
            return int(self.labels[0])
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scale) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return (self._kind, self.labels, self.edges, self.closed, self.whole)

    def __str__(self) -> str:
        return chain(self.labels)

    def __repr__(self) -> str:
        if self.whole:
            return f"Scale.from_integer_bins({list(self.labels)})"
        if self.edges is not None:
            return f"Scale.from_edges({list(self.edges)}, closed={self.closed!r}, names={list(self.labels)})"
        return f"Scale({list(self.labels)})"

    @documented("Labels, edges, and what is known of them.")
    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; infinite edges as text."""
        edges = None if self.edges is None else [e if math.isfinite(e) else str(e) for e in self.edges]
        plain = {"labels": list(self.labels), "edges": edges, "closed": self.closed, "inferred": self.inferred}
        return {**plain, "whole": True} if self.whole else plain

    @classmethod
    @documented("The same scale.", data="What `to_dict` gave.")
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The scale that `to_dict` wrote."""
        if data.get("whole"):
            return cls.from_integer_bins(data["labels"])
        if data["edges"] is not None:
            return cls.from_edges(map(float, data["edges"]), closed=data["closed"], names=data["labels"])
        scale = cls(data["labels"], max_classes=len(data["labels"]))
        scale.inferred = data["inferred"]
        return scale

    # From labels to codes and back

    @documented(
        "The codes, as small integers.",
        column="Labels, one for each row; for interval classes also numbers.",
        name="What messages call the column.",
        missing="What to do with a missing value: refuse it, or mark it with the code -1.",
    )
    def encode(self, column: t.Column | Column, *, name: str = "column", missing: Literal["error", "mark"] = "error") -> Array:
        """Codes 0..K-1 of a column of labels."""
        if missing not in ("error", "mark"):
            remedy = "choose 'error' or 'mark'"
            raise ArgumentError(
                "{missing:{given}} is unknown", argument="missing", remedy=remedy, values={"given": repr(missing)}
            )
        read = read_column(column, name, measured=self.edges is not None)
        if read.missing is not None and missing == "error":
            found = read.at(np.flatnonzero(read.missing))
            raise column_error(name, " has {many}{first}", many=count_text(found.times, "missing value"), first=found.first)
        if read.written:
            read = self._compared_as_written(read)
        if self.edges is not None and (read.kind in NUMBERS or read.kind == "intervals"):
            return self._bin(read)
        comparable = read.kind == self._kind or (read.kind in NUMBERS and self._kind in NUMBERS)
        if not comparable and len(read.present()):
            example = short(read.present().distinct()[0])
            problem = f" holds {read.kind} ({{example}}, …) but the classes are {self._kind} ({{classes}})"
            raise column_error(name, problem, "convert one of the two", ArgumentTypeError, example=example, classes=str(self))
        if read.numbers is not None:
            return self._look_up_numbers(read)
        assert read.codes is not None
        as_it_stands = read.values == self.labels and read.missing is None
        return read.codes if as_it_stands else self._look_up_values(read)

    def _compared_as_written(self, column: Column) -> Column:
        """A column of an untyped file as the kind of the classes: a field is the class that is written like it."""
        if self.edges is not None:
            numbers = [as_number(value) for value in column.values]
            if set(column.values) <= set(self.labels) or None in numbers:
                return column
            return replace(column, kind="floats", values=tuple(numbers))
        if self._kind == "text":
            return column
        if self._kind == "integers" and (whole := parse_written(column)).kind == "integers":
            return whole
        forms = {form: label for label in self.labels for form in written_forms(label)}
        values = tuple(forms.get(value, value) for value in column.values)
        return replace(column, kind=self._kind, values=values)

    def _look_up_numbers(self, column: Column) -> Array:
        numbers = column.numbers
        assert numbers is not None
        labels = integers(self.labels, "labels") if self._kind == "integers" else np.array(self.labels)
        order = np.argsort(labels)
        # Signed and unsigned integers would meet as floats.  One that wraps around here is not equal to its label below.
        alike = numbers.astype(labels.dtype, copy=False) if column.kind == self._kind == "integers" else numbers
        codes = order[np.searchsorted(labels[order], alike).clip(max=self.K - 1)]
        wrong = labels[codes] != numbers
        if column.missing is not None:
            wrong &= ~column.missing
        if wrong.any():
            self._refuse(column, np.flatnonzero(wrong))
        return self._narrow(codes, column)

    def _look_up_values(self, column: Column) -> Array:
        assert column.codes is not None
        class_of = np.array([self._code.get(value, -1) for value in column.values] + [-1], np.min_scalar_type(-self.K))
        codes: Array = class_of[column.codes]
        if (class_of[:-1] < 0).any() and (wrong := (codes < 0) & (column.codes >= 0)).any():
            self._refuse(column, np.flatnonzero(wrong))
        return self._narrow(codes, column)

    def _narrow(self, codes: Array, column: Column) -> Array:
        codes = codes.astype(np.min_scalar_type(-self.K), copy=False)
        if column.missing is not None:
            codes[column.missing] = -1
        return codes

    def _bin(self, column: Column) -> Array:
        """Numbers, or pandas intervals, into the interval classes."""
        if column.kind == "intervals":
            assert column.codes is not None
            assert self.edges is not None
            codes = np.array([*pandas_classes(column.values, self.edges, column.name), -1])[column.codes]
        else:
            numbers = np.asarray(
                column.numbers if column.numbers is not None else np.array([*column.values, np.nan])[column.codes], float
            )
            codes = self._binned(numbers)
        wrong = codes < 0
        if column.missing is not None:
            wrong &= ~column.missing
        if wrong.any():
            value = column.at(np.flatnonzero(wrong)).value
            self._refuse(column, np.flatnonzero(wrong), f"{value} is in none", self._remedy(value))
        return self._narrow(codes, column)

    def _binned(self, numbers: Array) -> Array:
        """The classes of numbers; -1 for one that is in none of them, or is nan."""
        assert self.edges is not None
        codes = np.searchsorted(self.edges, numbers, side="right" if self.closed == "left" else "left") - 1
        codes[(codes >= self.K) | np.isnan(numbers)] = -1
        if self.whole:
            codes[np.floor(numbers) != numbers] = -1
        return codes

    def _remedy(self, value: Any) -> str:
        if not isinstance(value, (int, float)):
            return "pandas rounds the ends of its intervals: give the numbers themselves, or pd.cut(..., labels=scale.labels)"
        if self.whole and not float(value).is_integer():
            return "the bins hold whole numbers: round the numbers first, or use Scale.from_edges([...])"
        return "widen the edges or correct the rows"

    def _refuse(self, column: Column, positions: Array, what: str = "", remedy: str = "") -> None:
        if column.refuse is not None and not what:
            raise column.refuse(column, positions, self)
        found = column.at(positions)
        hint = near(found.value, self.labels, shown=short) if isinstance(found.value, str) else ""
        others = f" ({count_text(found.all - found.times, 'row')} with other unknown values)" if found.all > found.times else ""
        raise column_error(
            column.name,
            ": {what} of the classes ({classes}); {many} it{where}",
            "{hint}" if hint else remedy or "add it to {labels} or correct the rows",
            what=what or f"{short(found.value)} is not one",
            classes=str(self),
            many=f"{count_text(found.times, 'row')} {'hold' if found.times > 1 else 'holds'}",
            where=found.first + others,
            hint=hint,
        )

    @documented("The labels, in the shape of the codes.", codes="Integers from 0 to K - 1.")
    def decode(self, codes: Sequence[int] | t.HasArray) -> Array:
        """Labels of codes 0..K-1."""
        codes = np.asarray(codes)
        if codes.size and (codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() >= self.K):
            raise ArgumentError(f"{{codes}} must be integers from 0 to {self.K - 1}", argument="codes")
        labels = np.array(self.labels)
        if labels.tolist() != list(self.labels):  # numpy's own text drops a NUL at the end
            labels = np.array(self.labels, object)
        found: Array = labels[codes.astype(int)]
        return found


class WrittenLabels(tuple[str, ...]):
    """Classes as written on a command line: of the kind that the columns are, once these are known."""

    __slots__ = ()

    def settle(self, columns: Iterable[Column]) -> Scale:
        """The scale that these texts mean, given what the columns hold: whole numbers, numbers or text."""
        kinds = {parse_written(column).whole().kind for column in columns}
        if kinds == {"integers"} and all(CANONICAL.fullmatch(text) for text in self):
            return Scale(int(text) for text in self)
        if kinds == {"booleans"} and {text.lower() for text in self} <= {"false", "true"}:
            return Scale(text.lower() == "true" for text in self)
        if kinds <= set(NUMBERS) and None not in (numbers := [as_number(text) for text in self]):
            return Scale(numbers)
        return Scale(self)


def as_answers(column: Column, scale: Scale) -> tuple[Column, dict[str, int]]:
    """A column of free text as classes of the scale: what is none is a gap; and how often each such answer was given."""
    assert column.codes is not None
    forms = {form: code for code, label in enumerate(scale.labels) for form in written_forms(label)}
    found = np.array([*(forms.get(value, forms.get(value.strip(), -1)) for value in column.values), -1])
    if scale.edges is not None:
        numbers = np.array([*(as_number(value) for value in column.values), None], float)  # None becomes nan
        found = np.where(found < 0, scale._binned(numbers), found)
    codes = found[column.codes]
    gaps = codes < 0
    strange = gaps & (column.codes >= 0)
    number = np.zeros(len(column.values), np.int64)
    np.add.at(number, column.codes[strange], 1 if column.times is None else column.times[strange])
    missing = gaps if gaps.any() else None
    answers = replace(column, kind=scale._kind, values=scale.labels, codes=codes, missing=missing, ordered=True, written=False)
    return answers, {value: times for value, times in zip(column.values, number.tolist(), strict=True) if times}


def as_scale(labels: Any) -> Scale:
    """A Scale, or the list of classes it is made from."""
    return labels if isinstance(labels, Scale) else Scale(labels)


Labels: TypeAlias = t.Column | Scale | None  #: what `labels=` takes: the classes, lowest first, or a scale
