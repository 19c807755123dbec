"""Reading: what written values mean.  Nothing of it holds unless it is asked for, and every field that it changes is counted."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, get_args

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.base.types import Quote

Decimal = Literal[".", ","]
Thousands = Literal["", ",", ".", "'", " "]
Case = Literal["exact", "ignore"]
Space = Literal["exact", "trim"]
Encoding = Literal["utf-8", "utf-16", "windows-1252", "latin-1"]
#: The words that a field of `Reading` may be, where it lists them.
CHOICES: dict[str, tuple[str, ...]] = {
    "decimal": get_args(Decimal),
    "thousands": get_args(Thousands),
    "case": get_args(Case),
    "space": get_args(Space),
    "encoding": get_args(Encoding),
    "quote": get_args(Quote),
}


@dataclass(frozen=True)
class Reading:
    """What written values mean, where a file does not write them in the standard way.

    The rules come in this order, for the columns of classes in files whose fields have no type (CSV, TSV, Excel): an empty field is no
    value; `recode`; `space`; `na`; whole numbers, with the sign of `decimal`; `case`.  Files whose columns have types use `recode` and
    `na` alone.  Weights and probabilities use `decimal`, `thousands` and `na`.

    Parameters
    ----------
    na : tuple of str, default ()
        Texts that mean "no value".
    recode : Mapping, default {}
        Texts and the class that each of them means; or columns, each with such a table of its own.
    decimal : {'.', ','}, default '.'
        The decimal sign of numbers.
    thousands : {'', ',', '.', "'", ' '}, default ''
        The sign between groups of three digits.
    case : {'exact', 'ignore'}, default 'exact'
        Whether capitals matter.
    space : {'exact', 'trim'}, default 'exact'
        Whether spaces at the ends of a field matter.
    encoding : {'utf-8', 'utf-16', 'windows-1252', 'latin-1'}, default 'utf-8'
        How the text of CSV, TSV and JSON lines is encoded.
    quote : {'auto', 'double', 'none'}, default 'auto'
        How quotation marks in CSV and TSV are read, as for `scan`.
    sheet : str, int or None, default None
        The sheet of an Excel workbook: its name, or its number, counted from 1.

    Examples
    --------
    >>> Reading(na=["NA", "-"], space="trim")
    Reading(na=('NA', '-'), space='trim')
    """

    na: tuple[str, ...] = ()
    recode: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    decimal: Decimal = "."
    thousands: Thousands = ""
    case: Case = "exact"
    space: Space = "exact"
    encoding: Encoding = "utf-8"
    quote: Quote = "auto"
    sheet: str | int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "na", _texts(self.na))
        object.__setattr__(self, "recode", _table(self.recode))
        object.__setattr__(self, "encoding", _encoding(self.encoding))
        for name, words in CHOICES.items():
            if getattr(self, name) not in words:
                raise _unknown(name, getattr(self, name), words)
        if self.thousands == self.decimal:
            raise ArgumentError(
                "{decimal} and {thousands} are both {sign}",
                argument="thousands",
                remedy="give two different signs",
                values={"sign": repr(self.decimal)},
            )
        if isinstance(self.sheet, bool) or not isinstance(self.sheet, (str, int, type(None))):
            remedy = "a sheet is given by its name, or by its number, counted from 1"
            raise ArgumentTypeError("{sheet:{given}}", argument="sheet", remedy=remedy, values={"given": repr(self.sheet)})
        if isinstance(self.sheet, int) and self.sheet < 1:
            raise ArgumentError("{sheet:{n}}", argument="sheet", remedy="sheets are numbered from 1", values={"n": self.sheet})

    def __repr__(self) -> str:
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        told = {name: value for name, value in plain.items() if value != getattr(USUAL, name)}
        return f"Reading({', '.join(f'{name}={value!r}' for name, value in told.items())})"

    @classmethod
    @documented("The same as a `Reading`.", given="A `Reading`, a mapping with its names, or None for the usual one.")
    def of(cls, given: Reading | Mapping[str, Any] | None) -> Self:
        """What `reading=` takes, as a `Reading`; a name that it does not have is refused.

        >>> Reading.of({"case": "ignore"}).case
        'ignore'
        """
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            raise ArgumentTypeError(
                "{reading} is a {type}",
                argument="reading",
                remedy="give a Reading, or a mapping such as {reading:{call}}",
                values={"type": type(given).__name__, "call": '{"na": ["NA"]}'},
            )
        known = [one.name for one in fields(cls)]
        for name in given:
            if name not in known:
                remedy = near(str(name), known) or f"it has {', '.join(known)}"
                raise ArgumentError("{reading} has no {name}", argument="reading", remedy=remedy, values={"name": repr(name)})
        return cls(**given)

    @documented("The texts and the classes that they mean.", column="A column of classes.")
    def recoded(self, column: str) -> dict[str, str]:
        """The table of `recode` for one column: what is said of this column overrides what is said of all columns.

        >>> Reading(recode={"L": "low", "nurse": {"L": "least"}}).recoded("nurse")
        {'L': 'least'}
        """
        own = self.recode.get(column)
        same = {text: label for text, label in self.recode.items() if isinstance(label, str)}
        return {**same, **(own if isinstance(own, Mapping) else {})}


def _texts(given: Any) -> tuple[str, ...]:
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ArgumentTypeError(
            "{na:{given}}", argument="na", remedy="give texts that mean no value: {na:['NA', '-']}", values={"given": repr(given)}
        )
    return tuple(dict.fromkeys(texts))


def _table(given: Any) -> dict[str, str | dict[str, str]]:
    if isinstance(given, Mapping):
        found = {key: dict(value) if isinstance(value, Mapping) else value for key, value in given.items()}
        inner = [pair for value in found.values() if isinstance(value, dict) for pair in value.items()]
        outer = [pair for pair in found.items() if not isinstance(pair[1], dict)]
        if all(isinstance(part, str) for part in (*found, *(part for pair in (*outer, *inner) for part in pair))):
            return found
    remedy = "give a text and the class that it means, such as {recode:{call}}"
    values = {"given": repr(given), "call": "{'Yellow': 'yellow'}"}
    raise ArgumentTypeError("{recode:{given}}", argument="recode", remedy=remedy, values=values)


def _encoding(given: Any) -> str:
    """The encoding by the name that is used here; Python knows others for the same."""
    try:
        found = codecs.lookup(given).name
    except (LookupError, TypeError, ValueError):
        raise _unknown("encoding", given, CHOICES["encoding"]) from None
    known = {codecs.lookup(name).name: name for name in CHOICES["encoding"]}
    if found not in known:
        raise _unknown("encoding", given, CHOICES["encoding"])
    return known[found]


def _unknown(name: str, given: Any, words: Iterable[str]) -> ArgumentError:
    choose = f"choose one of {', '.join(map(repr, words))}"
    hint = near(given, words, shown=repr) if isinstance(given, str) else ""
    return ArgumentError(f"{{{name}:{{given}}}} is unknown", argument=name, remedy=hint or choose, values={"given": repr(given)})


USUAL = Reading()
