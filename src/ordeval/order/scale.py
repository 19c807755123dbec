"""Scale: the ordered classes, and for interval classes their edges.  Only here is order decided.

Order is never guessed.  It is given by the caller, carried by the type of a column (ordered Categorical, Enum, ordered
dictionary), or evident (integers, booleans).  Text without an order is refused with a sentence that shows the fix.
"""

from __future__ import annotations

import math
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self, TypeAlias

import numpy as np

from ordeval.base import types as t
from ordeval.base.arrays import Array
from ordeval.order.columns import NUMBERS, Column, integers, read_column, short
from ordeval.order.edges import checked_edges, integer_edges, interval_text, pandas_classes, pandas_edges
from ordeval.order.values import CANONICAL, as_number, parse_written, written_forms
from ordeval.show._plain import count_text, printable

MAX_CLASSES = 1_000
SHOWN = 12  # classes spelled out in a message before it is cut short


class Scale:
    """The ordered classes, lowest first.

    >>> scale = Scale(["green", "yellow", "orange", "red"])
    >>> scale.K, str(scale)
    (4, 'green < yellow < orange < red')
    >>> scale.encode(["red", "green"])
    array([3, 0], dtype=int8)
    """

    labels: tuple[Any, ...]  #: the classes, lowest first
    edges: tuple[float, ...] | None  #: K + 1 edges of interval classes; None for purely ordinal ones
    closed: str  #: which end of an interval belongs to it, "left" or "right"
    whole: bool  #: bins of whole numbers: a number with a fraction is in none of them
    inferred: bool  #: taken from the integers seen, so a class beyond them may be missing

    def __init__(self, labels: Iterable[Any], *, max_classes: int = MAX_CLASSES) -> None:
        column = read_column(labels, "labels").whole()
        if column.missing is not None:
            raise ValueError(f"labels has a missing value at index {int(np.argmax(column.missing))}; a class needs a name")
        if column.kind == "intervals":
            raise TypeError("labels holds pandas intervals; use Scale.from_edges, or give the ordered Categorical itself")
        if len(column) == 0:
            raise ValueError("labels is empty; give the classes, lowest first")
        if len(column) > max_classes:
            raise ValueError(
                f"{len(column):,} classes are more than the limit of {max_classes:,}; "
                f"raise it on purpose with Scale(labels, max_classes={len(column)})"
            )
        names = column.numbers.tolist() if column.numbers is not None else [column.values[c] for c in column.codes.tolist()]  # type: ignore[union-attr]
        if not all(math.isfinite(name) for name in names if isinstance(name, float)):
            raise ValueError("labels holds an infinite value; a class that is a number is a finite one")
        self.labels = tuple(names)
        self.edges = None
        self.closed = "left"
        self.whole = False
        self.inferred = False
        self._kind = column.kind
        self._code = {label: code for code, label in enumerate(names)}
        if len(self._code) < len(names):
            twice = next(label for label in names if names.count(label) > 1)
            raise ValueError(f"labels names the class {twice!r} twice; each class stands once, lowest first")
        if self._kind == "text":
            _report_near_duplicates(names)

    @classmethod
    def from_edges(cls, edges: Iterable[float], *, closed: str = "left", names: Iterable[str] | None = None) -> Self:
        """Interval classes between edges that strictly increase; the outer ones may be infinite.

        Columns may hold numbers, which are binned, or the labels.  An ordered column made by pandas' `cut` or `qcut` carries
        its intervals, but pandas rounds them (``precision=3``), `include_lowest` moves the first edge down by as much as
        that, and ``bins=3`` widens the range by 0.1 %: nobody can see it afterwards, and lengths are wrong by it.  Give the
        true edges (``retbins=True``) here, and the numbers themselves or ``pd.cut(..., labels=scale.labels)`` as columns.

        >>> Scale.from_edges([0, 30, 60, float("inf")]).labels
        ('[0, 30)', '[30, 60)', '[60, inf)')
        """
        values = checked_edges(edges)
        if closed not in ("left", "right"):
            raise ValueError(f'closed={closed!r} is unknown; an interval is closed on the "left" or on the "right"')
        texts = [interval_text(a, b, closed) for a, b in pairwise(values)] if names is None else list(names)
        if len(texts) != len(values) - 1:
            raise ValueError(f"{len(values)} edges make {len(values) - 1} classes, but names has {len(texts)}")
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("names of interval classes are text: a number would be taken for a value to be binned")
        scale = cls(texts)
        scale.edges = values
        scale.closed = closed
        return scale

    @classmethod
    def from_integer_bins(cls, bins: str | Iterable[str]) -> Self:
        """Interval classes of whole numbers: a bin is as long as it has integers, and a number with a fraction is in none.

        >>> Scale.from_integer_bins("1-2, 3-7, 8-14, >14").lengths
        (2.0, 5.0, 7.0, inf)
        """
        names = [str(part).strip() for part in (bins.split(",") if isinstance(bins, str) else bins)]
        scale = cls.from_edges(integer_edges(names), names=names)
        scale.whole = True
        return scale

    @classmethod
    def infer(cls, *columns: Any, names: Sequence[str] | None = None) -> Self:
        """The scale that columns carry: by their type, or as the integers from the smallest to the largest seen."""
        names = names or [f"column {i}" for i in range(1, len(columns) + 1)]
        read = [parse_written(read_column(column, name)).whole() for column, name in zip(columns, names, strict=True)]
        ordered = [column for column in read if column.ordered and column.kind != "booleans"]
        if ordered:
            return cls._from_ordered(ordered)
        read = [column for column in read if len(column.present())]
        if not read:
            raise ValueError(f"there are no labels in {' and '.join(names) or 'the data'}, so there is no scale to take")
        _refuse_different_kinds(read)
        kind = read[0].kind if all(column.kind == read[0].kind for column in read) else "floats"
        if kind == "booleans":
            return cls([False, True])
        if kind == "integers":
            return cls._from_integers(read)
        seen = sorted({value for column in read for value in column.distinct()})
        where = " and ".join(column.name for column in read)
        if kind == "text":
            more = ["…"] if len(seen) > SHOWN else []
            words = ", ".join([short(value)[1:-1] for value in seen[:SHOWN]] + more)
            texts = ", ".join([short(value) for value in seen[:SHOWN]] + more)
            raise ValueError(
                f"the classes of {where} are text ({words}) and text has no order; "
                f"give it, lowest first, by putting these in order: labels=[{texts}]"
            )
        if kind == "intervals":
            raise ValueError(f"{where} holds intervals without an order; use an ordered Categorical or Scale.from_edges")
        every = [(c.name, value) for c in read for value in c.distinct()]
        where, odd = next((pair for pair in every if not float(pair[1]).is_integer()), max(every, key=lambda pair: abs(pair[1])))
        if float(odd).is_integer():
            raise ValueError(f"{where} holds numbers beyond 64 bits ({odd!r}, …); give the classes, lowest first, as labels=")
        raise ValueError(
            f"{where} holds numbers with fractions ({odd!r}, …), which are not classes by themselves; give the classes, "
            f"lowest first, as labels=, or bin the numbers with labels=Scale.from_edges([...])"
        )

    @classmethod
    def _from_ordered(cls, columns: Sequence[Column]) -> Self:
        first = columns[0]
        for other in columns[1:]:
            if other.values != first.values:
                raise ValueError(
                    f"{first.name} and {other.name} carry different orders ({_chain(first.values)}; {_chain(other.values)}); "
                    f"give one for both, lowest first: labels=[...]"
                )
        if first.kind != "intervals":
            return cls(first.values)
        return cls.from_edges(pandas_edges(first.values, first.name), closed=first.values[0].closed)

    @classmethod
    def _from_integers(cls, columns: Sequence[Column]) -> Self:
        extremes = [column.extremes() for column in columns]
        low, high = min(low for low, _ in extremes), max(high for _, high in extremes)
        if high - low >= MAX_CLASSES:
            raise ValueError(
                f"the integers run from {low:,} to {high:,}: {high - low + 1:,} classes, more than the limit of {MAX_CLASSES:,}; "
                f"give the classes, lowest first, as labels=, or bin the numbers with labels=Scale.from_edges([...])"
            )
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
        return _chain(self.labels)

    def __repr__(self) -> str:
        if self.whole:
            return f"Scale.from_integer_bins({list(self.labels)})"
        if self.edges is not None:
            return f"Scale.from_edges({list(self.edges)}, closed={self.closed!r}, names={list(self.labels)})"
        return f"Scale({list(self.labels)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; infinite edges as text."""
        edges = None if self.edges is None else [e if math.isfinite(e) else str(e) for e in self.edges]
        plain = {"labels": list(self.labels), "edges": edges, "closed": self.closed, "inferred": self.inferred}
        return {**plain, "whole": True} if self.whole else plain

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The scale that `to_dict` has written."""
        if data.get("whole"):
            return cls.from_integer_bins(data["labels"])
        if data["edges"] is not None:
            return cls.from_edges(map(float, data["edges"]), closed=data["closed"], names=data["labels"])
        scale = cls(data["labels"], max_classes=len(data["labels"]))
        scale.inferred = data["inferred"]
        return scale

    # From labels to codes and back

    def encode(self, column: Any, *, name: str = "column", missing: str = "error") -> Array:
        """Codes 0..K-1 of a column of labels.  ``missing="mark"`` gives -1 where nothing is there; else that is an error."""
        if missing not in ("error", "mark"):
            raise ValueError(f"missing={missing!r} is unknown; choose 'error' or 'mark'")
        read = read_column(column, name, measured=self.edges is not None)
        if read.missing is not None and missing == "error":
            found = read.at(np.flatnonzero(read.missing))
            raise ValueError(f"{name} has {count_text(found.times, 'missing value')}{found.first}")
        if read.written:
            read = self._compared_as_written(read)
        if self.edges is not None and (read.kind in NUMBERS or read.kind == "intervals"):
            return self._bin(read)
        comparable = read.kind == self._kind or (read.kind in NUMBERS and self._kind in NUMBERS)
        if not comparable and len(read.present()):
            example = read.present().distinct()[0]
            raise TypeError(
                f"{name} holds {read.kind} ({short(example)}, …) but the classes are {self._kind} ({self}); convert one of the two"
            )
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
            found = column.at(np.flatnonzero(wrong))
            raise ValueError(
                f"{column.name}: {found.value} is in none of the classes ({self}); {count_text(found.times, 'row')} "
                f"{'hold' if found.times > 1 else 'holds'} it{found.first}; {self._remedy(found.value)}"
            )
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
            return "the bins hold whole numbers: round on purpose, or use Scale.from_edges([...])"
        return "widen the edges or correct the rows"

    def _refuse(self, column: Column, positions: Array) -> None:
        found = column.at(positions)
        hint = "add it to labels= or correct the rows"
        if isinstance(found.value, str):
            near = _nearest(found.value, self.labels)
            hint = f"did you mean {short(near)}?" if near else hint
        others = f" ({count_text(found.all - found.times, 'row')} with other unknown values)" if found.all > found.times else ""
        raise ValueError(
            f"{column.name}: {short(found.value)} is not one of the classes ({self}); {count_text(found.times, 'row')} "
            f"{'hold' if found.times > 1 else 'holds'} it{found.first}{others}; {hint}"
        )

    def decode(self, codes: Any) -> Array:
        """Labels of codes 0..K-1."""
        codes = np.asarray(codes)
        if codes.size and (codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() >= self.K):
            raise ValueError(f"codes must be integers from 0 to {self.K - 1}")
        labels = np.array(self.labels)
        if labels.tolist() != list(self.labels):  # numpy's own text drops a NUL at the end
            labels = np.array(self.labels, object)
        found: Array = labels[codes.astype(int)]
        return found


class WrittenLabels(tuple[str, ...]):
    """Classes as written on a command line: of the kind that the columns are, once these are known."""

    __slots__ = ()

    def settle(self, columns: Iterable[Column]) -> Scale:
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


def _refuse_different_kinds(columns: Sequence[Column]) -> None:
    first = columns[0]
    for other in columns[1:]:
        if other.kind != first.kind and not {first.kind, other.kind} <= set(NUMBERS):
            raise TypeError(
                f"{first.name} holds {first.kind} ({_telling(first)}, …) and {other.name} holds {other.kind} "
                f"({_telling(other)}, …), which are never the same label; convert one of the two"
            )


def _telling(column: Column) -> str:
    """A value that shows what the column holds: among texts, one that is no integer."""
    values = column.distinct()
    return short(next((v for v in values if isinstance(v, str) and not CANONICAL.fullmatch(v)), values[0]))


def _chain(labels: Sequence[Any]) -> str:
    texts = [text if len(text := printable(label)) <= 40 else text[:37] + "..." for label in labels]
    if len(texts) > SHOWN:
        texts = [*texts[: SHOWN - 2], "…", texts[-1]]
    return " < ".join(texts)


def _fold(text: str) -> str:
    """What is left of a label when case, spaces and Unicode form are ignored."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _report_near_duplicates(labels: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for label in labels:
        twin = seen.setdefault(_fold(label), label)
        if twin is not label:
            warnings.warn(
                f"the classes {twin!r} and {label!r} differ only by case, spaces or Unicode form, which is likely a mistake; "
                f"they are kept apart",
                UserWarning,
                stacklevel=3,
            )


def _nearest(value: str, labels: Sequence[Any]) -> str | None:
    import difflib  # only a mistake needs it

    texts = [label for label in labels if isinstance(label, str)]
    same = [text for text in texts if _fold(text) == _fold(value)]
    return next(iter(same or difflib.get_close_matches(value, texts, n=1)), None)


Labels: TypeAlias = t.Column | Scale | None  #: what `labels=` takes: the classes, lowest first, or a scale
