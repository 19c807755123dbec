"""Values that are no classes: which, how often, where first, and how they may be meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, Protocol

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, near
from ordeval.order.columns import Column
from ordeval.order.scale import Scale
from ordeval.read.reading import Reading
from ordeval.show._plain import count_text

FEW = 5  # values spelled out in a sentence
MOST = 40  # values whose first row is looked for
#: Texts that people and programs write where there is no value.
NOTHING = frozenset(
    [
        *[
            "na",
            "n/a",
            "n.a.",
            "nan",
            "null",
            "none",
            "nil",
            "-",
            "--",
            "–",
            "—",
            ".",
            "?",
            "missing",
            "unknown",
            "#n/a",
            "<na>",
            "empty",
        ],
        "no answer",
    ]
)


class Row(NamedTuple):
    """Where something stands: the number of its file, its row from 1 on, and the name of the file if there are several."""

    file: int
    number: int
    name: str
    several: bool = False

    @property
    def text(self) -> str:
        """ "row 4 of b.csv", to go on a sentence with."""
        return f"row {self.number:,} of {self.name}" if self.name else f"row {self.number:,}"

    @property
    def first(self) -> str:
        """ "first row 4", with the file where there are several."""
        return f"first {self.text}" if self.several else f"first row {self.number:,}"


class FindsRows(Protocol):
    """A table that can say where a value stands first."""

    def first_row(self, name: str, value: Any) -> Row | None: ...


@dataclass(frozen=True)
class Finder:
    """Says where a value of a column stands first; of JSON by the text that it is written as."""

    table: FindsRows
    name: str
    texts: Mapping[tuple[str, str], str | None] | None = None

    def __call__(self, value: Any) -> str:
        row = self.row(value)
        return "" if row is None else row.text

    def row(self, value: Any) -> Row | None:
        """The row, or None where it cannot be found."""
        if self.texts is not None:
            value = self.texts.get((type(value).__name__, repr(value)))
        return self.table.first_row(self.name, value)


@dataclass(frozen=True)
class StrangeValue:
    """A value that is no class."""

    text: str  #: as it is written
    times: int
    row: Row | None = None

    @property
    def shown(self) -> str:
        """In quotes and on one line: a line break is \\n, as Python writes it."""
        text = self.text if len(self.text) <= 40 else f"{self.text[:37]}..."
        return '"' + "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text) + '"'


@dataclass(frozen=True)
class Strange:
    """All values of a column that are no classes, in the order of their number."""

    column: str
    values: tuple[StrangeValue, ...]
    scale: Scale
    reading: Reading

    def error(self) -> ArgumentError:
        """The one sentence that refuses the column."""
        problem, values = self.problem()
        remedy = self.remedy(values)
        if not remedy:
            hint = near(self.values[0].text, map(str, self.scale.labels), shown=repr)
            remedy = "{hint}" if hint else f"add {'it' if len(self.values) == 1 else 'them'} to {{labels}} or correct the rows"
            values["hint"] = hint
        return ArgumentError(problem, remedy=remedy, values=values)

    def one_by_one(self) -> Iterator[Strange]:
        """Each value on its own."""
        return (replace(self, values=(value,)) for value in self.values)

    def problem(self, *, id: str = "") -> tuple[str, dict[str, Any]]:
        """What is wrong, as a template with its values."""
        classes = str(self.scale)
        if len(self.values) == 1:
            (one,) = self.values
            first = f", {one.row.first}{id}" if one.row is not None else ""
            told = {"column": self.column, "value": one.shown, "classes": classes, "rows": count_text(one.times, "row") + first}
            return "{column}: {value} is not a class ({classes}); {rows}", told
        first_one, *others = self.values[:FEW]
        shown = [f"{first_one.shown} {count_text(first_one.times, 'row')}", *(f"{one.shown} {one.times:,}" for one in others)]
        if rest := self.values[FEW:]:
            shown.append(f"{len(rest):,} others {sum(one.times for one in rest):,}")
        return "{column}: {shown} are not classes ({classes})", {
            "column": self.column,
            "shown": ", ".join(shown),
            "classes": classes,
        }

    def remedy(self, values: dict[str, Any]) -> str:
        """How they may be meant: what reads them, or nothing; it may need further values of the template."""
        calls, left = self._explained()
        sentences = []
        if calls:
            values["call"] = f"Reading({', '.join(f'{name}={value!r}' for name, value in calls.items())})"
            which = "It is" if len(self.values) == 1 else "All are" if not left else "Some are"
            sentences.append(f"{which} read with {{reading:{{call}}}}")
        empty = [one.text for one in left if is_like_nothing(one.text)]
        if empty:
            values["empty"] = f"Reading(na={empty!r})"
            which = "it means" if len(self.values) == 1 else f"{_listed(empty)} {'means' if len(empty) == 1 else 'mean'}"
            sentences.append(f"If {which.replace('{', '{{').replace('}', '}}')} no answer: {{reading:{{empty}}}}")
        return "".join(f". {sentence}" for sentence in sentences)

    def _explained(self) -> tuple[dict[str, str], list[StrangeValue]]:
        """The fewest rules that read most of them, and what is left."""
        best: tuple[dict[str, str], list[StrangeValue]] = ({}, list(self.values))
        for calls in _choices(self.reading):
            left = [one for one in self.values if not _is_class(one.text, self.scale, replace(self.reading, **calls))]
            if len(left) < len(best[1]):
                best = (calls, left)
        return best


def _choices(reading: Reading) -> Iterator[dict[str, Any]]:
    """Ways to read more, the least first."""
    asked = {"space": "trim", "case": "ignore", "decimal": ","}
    new = {name: value for name, value in asked.items() if getattr(reading, name) != value and value != reading.thousands}
    for many in range(1, len(new) + 1):
        for names in combinations(new, many):
            yield {name: new[name] for name in names}


def _is_class(text: str, scale: Scale, reading: Reading) -> bool:
    from ordeval.read.rules import key_of, whole_number  # they refuse by this file

    if isinstance(label := reading.recode.get(text), str):
        text = label
    text = text.strip() if reading.space == "trim" else text
    if all(isinstance(one, int) and not isinstance(one, bool) for one in scale.labels):
        return whole_number(text, reading) in scale.labels
    keys = [key_of(str(one), reading) for one in scale.labels]
    return len(set(keys)) == len(keys) and key_of(text, reading) in keys


def is_like_nothing(text: str) -> bool:
    """Whether people and programs write this where there is no value."""
    return text.strip().casefold() in NOTHING


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts[:FEW])


@dataclass(frozen=True)
class RefuseStrange:
    """What a column of an untyped file says of values that are no classes; it knows how each was written."""

    name: str
    reading: Reading
    origins: Mapping[Any, Sequence[Any]]

    def __call__(self, column: Column, positions: Array, scale: Any) -> ArgumentError:
        return self.found(column, positions, scale).error()

    def found(self, column: Column, positions: Array, scale: Scale) -> Strange:
        """All such values at these positions."""
        return Strange(self.name, strange_values(column, positions, self.origins), scale, self.reading)


def strange_values(column: Column, positions: Array, origins: Mapping[Any, Sequence[Any]]) -> tuple[StrangeValue, ...]:
    """The different values at these positions, each as it is written, the most frequent first."""
    assert column.codes is not None
    codes = np.asarray(column.codes)[positions]
    times = np.bincount(codes, weights=None if column.times is None else column.times[positions], minlength=len(column.values))
    found = []
    for code in np.unique(codes).tolist():
        value = column.values[code]
        written = [str(text) for text in origins.get(value, [value])]
        found.append((-int(times[code]), written[0], code, value))
    found.sort(key=lambda one: one[:2])
    values = [
        StrangeValue(text, -negative, _row(column, positions, codes == code, value) if i < MOST else None)
        for i, (negative, text, code, value) in enumerate(found)
    ]
    last = Row(1 << 30, 0, "")
    return tuple(sorted(values, key=lambda one: (-one.times, one.row or last, one.text)))


def _row(column: Column, positions: Array, here: Array, value: Any) -> Row | None:
    if column.place is not None:
        finder = getattr(column.place, "row", None)
        found = None if finder is None else finder(value)
        return found if isinstance(found, Row) else None
    if column.times is not None:
        return None
    rows = positions[here] if column.rows is None else column.rows[positions[here]]
    rows = rows[rows >= 0]
    return Row(0, int(rows.min()) + 1, "") if rows.size else None
