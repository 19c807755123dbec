"""What the fields of columns of classes mean: the rules of a `Reading`, one after the other, for each different text once.

An engine has grouped the rows, or a column has its different values and their codes: rows are never walked here.  Every field that a
rule changes is counted by column and reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.counts.audit import ReadAs
from ordeval.order.columns import Column
from ordeval.order.scale import Scale, WrittenLabels
from ordeval.order.values import CANONICAL, as_number
from ordeval.read.converted import order_refusal
from ordeval.read.numbers import decimal_text
from ordeval.read.reading import Reading
from ordeval.read.strange import RefuseStrange

RECODED, TRIMMED, CASED, FRACTION, COMMA = "recoded", "trimmed", "in another case", "written with .0", "with a decimal comma"
NO_ANSWER, NO_VALUE, OUTSIDE = "as no answer", "as no value", "as no answer, not being a class"


@dataclass(frozen=True)
class LabelColumns:
    """Columns of classes after the rules, and what these have changed."""

    columns: dict[str, Column]
    scale: Scale | WrittenLabels | None
    read_as: tuple[ReadAs, ...] = ()
    notes: tuple[str, ...] = ()


def read_labels(
    columns: Mapping[str, Column],
    scale: Scale | WrittenLabels | None,
    reading: Reading,
    *,
    names: Mapping[str, str] | None = None,
    truth: str | None = None,
    unknown: str = "error",
) -> LabelColumns:
    """Columns of classes as they are meant, by axis.  ``names`` says which column of the source each is, ``truth`` which is no answer."""
    if unknown not in ("error", "missing"):
        remedy = "choose one of 'error', 'missing'"
        raise ArgumentError("{unknown:{given}} is unknown", argument="unknown", remedy=remedy, values={"given": repr(unknown)})
    called = {axis: (names or {}).get(axis, axis) for axis in columns}
    columns, orders = _with_names(columns, called, scale)
    scale = _settled(scale, columns, reading, unknown)
    if isinstance(scale, Scale):
        check_classes(scale, reading)
    rules = {axis: Rules(reading, called[axis], scale, is_truth=axis == truth) for axis in columns}
    found = {axis: rules[axis].apply(column, unknown == "missing" and axis != truth) for axis, column in columns.items()}
    told = [ReadAs(called[axis], rule.counted()) for axis, rule in rules.items()]
    notes = [*orders, *_unused(reading, rules.values(), called.values()), *_not_for_types(reading, columns, called)]
    return LabelColumns(found, scale, tuple(one for one in told if one.reasons), tuple(notes))


def _with_names(
    columns: Mapping[str, Column], called: Mapping[str, str], scale: Scale | WrittenLabels | None
) -> tuple[dict[str, Column], list[str]]:
    """Columns of codes by the names that their file has for them, in the order of the codes; unless the classes are codes."""
    found, notes = dict(columns), []
    codes = scale is not None and all(
        isinstance(x, int) or (isinstance(x, str) and CANONICAL.fullmatch(x)) for x in _labels(scale)
    )
    for axis, column in columns.items():
        if (facts := column.facts) is None:
            continue
        if facts.as_labels:
            raise ValueError(facts.as_labels)
        if facts.names is None or codes:
            continue
        if scale is None:
            if facts.no_order:
                raise order_refusal(called[axis], facts.no_order, facts.names)
            low, high = min(facts.names), max(facts.names)
            notes.append(f"order: the codes of {called[axis]}, {low} to {high}")
        found[axis] = named_codes(column, ordered=scale is None)
    return found, notes


def named_codes(column: Column, *, ordered: bool = False) -> Column:
    """Codes by the names that their file has for them; a code without one as it is."""
    if column.facts is None or column.facts.names is None:
        return column
    coded = _with_values(column)
    names = column.facts.names
    words = [names.get(int(value), _text_of(value)) if float(value).is_integer() else _text_of(value) for value in coded.values]
    values = tuple(dict.fromkeys(words))
    codes = np.array([*(values.index(word) for word in words), -1])[_codes(coded)]
    missing = codes < 0
    found = replace(
        coded, kind="text", values=values, codes=codes, missing=missing if missing.any() else None, facts=None, place=None
    )
    return found.in_order([names[code] for code in sorted(names)]) if ordered else found


def _labels(scale: Scale | WrittenLabels) -> Sequence[Any]:
    return scale if isinstance(scale, WrittenLabels) else scale.labels


def check_classes(scale: Scale, reading: Reading) -> None:
    """Refuse a class that means no value, and classes that a rule would make the same."""
    texts = [str(label) for label in scale.labels]
    for text in reading.na:
        if text in texts:
            raise ArgumentError(
                "{text} is a class, and is said to mean no value",
                argument="na",
                remedy="take it out of {labels} or out of {na}",
                values={"text": f'"{text}"'},
            )
    seen: dict[str, str] = {}
    for text in texts:
        twin = seen.setdefault(key_of(text, reading), text)
        if twin is not text:
            by = " ".join(name for name, on in (("case", reading.case == "ignore"), ("space", reading.space == "trim")) if on)
            raise ArgumentError(
                "the classes {first} and {second} become the same",
                argument=by.split()[0],
                remedy=f"leave out {{{by.split()[0]}}}" if " " not in by else "leave out {case} or {space}",
                values={"first": f'"{twin}"', "second": f'"{text}"'},
            )


def key_of(text: str, reading: Reading) -> str:
    """What is compared of a text: without its ends, and without capitals, where these do not matter."""
    text = text.strip() if reading.space == "trim" else text
    return text.casefold() if reading.case == "ignore" else text


def whole_number(text: str, reading: Reading) -> int | None:
    """The integer that a field is written as, 2 or 2.0, with a decimal comma also 2,0; 01, +1 and 1e0 are none."""
    head, sign, tail = text.partition(".")
    if not sign and reading.decimal == ",":
        head, sign, tail = text.partition(",")
    if not CANONICAL.fullmatch(head) or (sign and not re.fullmatch("0+", tail)):
        return None
    return int(head)


@dataclass
class Rules:
    """The rules for one column, and what they did to it."""

    reading: Reading
    name: str
    scale: Scale | WrittenLabels | None
    is_truth: bool = False
    recode: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  #: texts of `recode` that occur
    totals: dict[str, dict[str, int]] = field(default_factory=dict)  #: by reason, how often each text was changed

    def __post_init__(self) -> None:
        self.recode = self.reading.recoded(self.name)

    def apply(self, column: Column, unknown_is_missing: bool) -> Column:
        """The column as it is meant."""
        typed = not column.written
        asked = bool(self.reading.na or self.recode)
        if typed and not asked and not unknown_is_missing:
            return column
        coded = _with_values(column)
        times = _times(coded)
        meant = [self._plain(value, n, typed) for value, n in zip(coded.values, times.tolist(), strict=True)]
        if not typed:
            meant = self._numbers_and_case(coded.values, meant, times)
        known = None
        if unknown_is_missing and isinstance(self.scale, Scale) and self.scale.edges is None:
            known = set(self.scale.labels)
            for i, value in enumerate(meant):
                if value is not None and value not in known:
                    self._count(OUTSIDE, coded.values[i], int(times[i]))
                    meant[i] = None
        return self._changed(coded, meant, typed)

    def counted(self) -> dict[str, dict[str, int]]:
        """By reason, in the order in which they are told, the texts that were changed and how often."""
        order = (RECODED, TRIMMED, CASED, FRACTION, COMMA, NO_ANSWER, NO_VALUE, OUTSIDE)
        return {reason: self.totals[reason] for reason in order if self.totals.get(reason)}

    def _count(self, reason: str, text: Any, times: int) -> None:
        if times:
            texts = self.totals.setdefault(reason, {})
            texts[str(text)] = texts.get(str(text), 0) + times

    def _plain(self, value: Any, times: int, typed: bool) -> Any:
        """Recode, trim, no value; of a column with a type without trimming."""
        text = _text_of(value)
        meant: Any = value
        if text in self.recode:
            self.used.add(text)
            if (label := self.recode[text]) != text:
                self._count(RECODED, text, times)
                text, meant = label, _as_kind(label, value)
        if not typed and self.reading.space == "trim" and (trimmed := text.strip()) != text:
            self._count(TRIMMED, text, times)
            text, meant = trimmed, trimmed
        if text in self.reading.na:
            self._count(NO_VALUE if self.is_truth else NO_ANSWER, text, times)
            return None
        return None if text == "" and not typed else meant

    def _numbers_and_case(self, raw: Sequence[str], meant: Sequence[Any], times: Array) -> list[Any]:
        """Whole numbers as integers, other numbers with a point, and texts as the class that is written like them."""
        scale, found = self.scale, list(meant)
        kind = None if scale is None else _kind_of(scale)
        if kind == "integers" or (scale is None and _all(meant, lambda text: whole_number(text, self.reading) is not None)):
            for i, text in enumerate(meant):
                number = None if text is None else whole_number(text, self.reading)
                if number is not None:
                    found[i] = number
                    if not CANONICAL.fullmatch(text):
                        self._count(FRACTION if "." in text else COMMA, raw[i], int(times[i]))
            return found
        if kind in ("floats", "edges") or (scale is None and self.reading.decimal == ","):
            plain = [None if text is None else decimal_text(text, self.reading, labels=kind != "edges") for text in meant]
            if kind is not None or _all(plain, lambda text: text is not None and as_number(text) is not None):
                for i, (text, new) in enumerate(zip(meant, plain, strict=True)):
                    if new is not None and new != text:
                        self._count(COMMA, raw[i], int(times[i]))
                        found[i] = new
                    if kind is None and new is not None:
                        found[i] = float(new)
            return found
        if kind == "text" or scale is None:
            return self._cased(raw, found, times)
        return found

    def _cased(self, raw: Sequence[str], meant: Sequence[Any], times: Array) -> list[Any]:
        if self.reading.case == "exact" and self.reading.space == "exact":
            return list(meant)
        labels = self.scale.labels if isinstance(self.scale, Scale) else _spellings(meant, times)
        class_of = {key_of(label, self.reading): label for label in reversed(labels)}
        found = list(meant)
        for i, text in enumerate(meant):
            if text is not None and (label := class_of.get(key_of(text, self.reading))) is not None and label != text:
                if self.reading.case == "ignore" and label.strip() != text.strip():
                    self._count(CASED, raw[i], int(times[i]))
                found[i] = label
        return found

    def _changed(self, column: Column, meant: Sequence[Any], typed: bool) -> Column:
        """The column with other values; it remembers how each was written."""
        place: dict[Any, int] = {}
        for value in meant:
            if value is not None:
                place.setdefault(value, len(place))
        values = tuple(place)
        codes = np.array([*(-1 if value is None else place[value] for value in meant), -1])[_codes(column)]
        gaps = codes < 0
        origins: dict[Any, list[Any]] = {}
        for raw, value in zip(column.values, meant, strict=True):
            origins.setdefault(value, []).append(raw)
        if column.missing is not None:
            origins.setdefault(None, []).append(None)
        whole = bool(values) and all(isinstance(value, int) and not isinstance(value, bool) for value in values)
        integral = whole or (isinstance(self.scale, Scale) and _kind_of(self.scale) == "integers" and bool(values))
        fractions = bool(values) and all(isinstance(value, float) for value in values)
        kind = column.kind if typed else "integers" if integral else "floats" if fractions else "text"
        if typed and column.kind == "floats" and whole:
            kind = "integers"
        return replace(
            column,
            kind=kind,
            values=values,
            numbers=None,
            codes=codes,
            missing=gaps if gaps.any() else None,
            written=not typed and not integral and not fractions,
            place=Origins(column.place, origins) if column.place is not None else None,
            refuse=None if typed else RefuseStrange(self.name, self.reading, origins),
            ordered=column.ordered and values == column.values,
        )


@dataclass(frozen=True)
class Origins:
    """Says where a value stands first, by the texts that it was written as."""

    place: Callable[[Any], str]
    texts: Mapping[Any, Sequence[Any]]

    def __call__(self, value: Any) -> str:
        row = self.row(value)
        return "" if row is None else row.text

    def row(self, value: Any) -> Any:
        """The first of the rows of all these texts; None if nobody knows them."""
        finder = getattr(self.place, "row", None)
        found = [] if finder is None else [row for text in self.texts.get(value, [value]) if (row := finder(text)) is not None]
        return min(found, default=None)


def _settled(
    scale: Scale | WrittenLabels | None, columns: Mapping[str, Column], reading: Reading, unknown: str
) -> Scale | WrittenLabels | None:
    """Classes as written on a command line are integers where they are written so and no column is text by its type."""
    if not isinstance(scale, WrittenLabels):
        return scale
    written = [column for column in columns.values() if column.written]
    if not written:
        return scale.settle(columns.values()) if unknown == "missing" else scale
    others = {column.whole().kind for column in columns.values() if not column.written and len(column.present())}
    if others <= {"integers"} and all(CANONICAL.fullmatch(text) for text in scale):
        return Scale(int(text) for text in scale)
    if others <= {"integers", "floats"} and reading.decimal == ",":
        numbers = [as_number(decimal_text(text, reading, labels=True)) for text in scale]
        if None not in numbers:
            return Scale(numbers)
    return scale.settle(columns.values())


def _kind_of(scale: Any) -> str:
    return "text" if isinstance(scale, WrittenLabels) else "edges" if scale.edges is not None else str(scale._kind)


def _with_values(column: Column) -> Column:
    """The column with its different values and their codes, whatever it was."""
    if column.numbers is None:
        return column
    values, codes = np.unique(column.numbers, return_inverse=True)
    plain = tuple(values.tolist())
    if column.kind == "floats":
        plain = tuple(value for value in plain if value == value)  # nan is missing
    codes = np.where(codes < len(plain), codes, -1)
    if column.missing is not None:
        codes = np.where(column.missing, -1, codes)
    return replace(column, numbers=None, values=plain, codes=codes)


def _codes(column: Column) -> Array:
    assert column.codes is not None
    codes = np.asarray(column.codes, np.int64)
    return codes if column.missing is None else np.where(column.missing, -1, codes)


def _times(column: Column) -> Array:
    """How many rows hold each value."""
    codes = _codes(column)
    there = codes >= 0
    weights = None if column.times is None else column.times[there]
    found = np.bincount(codes[there], weights=weights, minlength=len(column.values))
    return found.astype(np.int64)


def _text_of(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _as_kind(label: str, like: Any) -> Any:
    """A recoded class in a column with a type: a number where the others are."""
    if isinstance(like, (bool, str)):
        return label
    number = as_number(label)
    return label if number is None else int(number) if number.is_integer() else number


def _all(values: Sequence[Any], test: Callable[[Any], bool]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(test(value) for value in there)


def _spellings(meant: Sequence[Any], times: Array) -> list[str]:
    """Without classes: the texts, the most frequent first, so that it stands for those that are like it."""
    there = [(-int(n), text) for text, n in zip(meant, times, strict=True) if text is not None]
    return [text for _, text in sorted(there)]


def _unused(reading: Reading, rules: Any, names: Any) -> list[str]:
    """Texts to be recoded that never occur."""
    every, found = list(rules), []
    for text, label in reading.recode.items():
        if isinstance(label, str):
            if not any(text in rule.used for rule in every):
                found.append(f'recode: "{text}" never occurs')
        elif text not in names:
            found.append(f'recode: no column "{text}" of classes is read')
        else:
            used = {one for rule in every if rule.name == text for one in rule.used}
            found += [f'recode: "{one}" never occurs in {text}' for one in label if one not in used]
    return found


def _not_for_types(reading: Reading, columns: Mapping[str, Column], called: Mapping[str, str]) -> list[str]:
    """Rules that are for fields without a type, where a column of text has one."""
    asked = [
        f"{name}={getattr(reading, name)!r}"
        for name, usual in (("space", "exact"), ("case", "exact"))
        if getattr(reading, name) != usual
    ]
    typed = list(dict.fromkeys(called[axis] for axis, column in columns.items() if not column.written and column.kind == "text"))
    if not asked or not typed:
        return []
    verb = "is" if len(asked) == 1 else "are"
    stays = "stays as it is" if len(typed) == 1 else "stay as they are"
    return [f"{' and '.join(asked)} {verb} for files without types; {', '.join(typed)} {stays}"]
