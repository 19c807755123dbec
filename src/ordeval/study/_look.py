"""A first look at rows: every column once, its different values, and everything in them that may be meant otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.order.columns import Column
from ordeval.read import Reading
from ordeval.read.files import Files
from ordeval.read.formats import TYPED, WORDS
from ordeval.read.grouping import all_rows
from ordeval.read.scan import open_table
from ordeval.read.strange import NOTHING
from ordeval.study._roles import Places, Values

MOST_VARIANTS = 200  # different values of a column in which variants of a word are looked for
FORMATS = {"csv": "CSV", "json": "JSON lines", "parquet": "Parquet"}
NAMES = {",": '","', "\t": "tab", ";": '";"', "|": '"|"'}
MAY_BE_CLASSES = frozenset(
    ["none", "nil", "unknown"]
)  #: words for no value that are classes too, and are where they are frequent
FREQUENT = 0.05  # of the cells of a column
SPACE, CASE, NOTHING_HERE, BLANK, FRACTION, COMMA = "space", "case", "na", "blank", "fraction", "comma"


@dataclass(frozen=True)
class Oddity:
    """Something in a column that may be meant otherwise than it is written."""

    column: str
    kind: str  #: "space", "case", "na", "blank", "fraction" or "comma"
    times: int
    row: int  #: the first, from 1 on
    example: str  #: as it is written
    said: str


@dataclass(frozen=True)
class Look:
    """A table: how it is written, its columns as they stand and as they seem to be meant."""

    name: str
    kind: str
    rows: int
    raw: dict[str, Values]
    clean: dict[str, Values]
    oddities: tuple[Oddity, ...]

    def of(self, column: str, kind: str) -> list[Oddity]:
        """The oddities of one kind in a column."""
        return [one for one in self.oddities if (one.column, one.kind) == (column, kind)]


def look_at(paths: Sequence[str], shown: str, reading: Reading, known: frozenset[str] = frozenset()) -> Look:
    """Read every row of a table once, all of its columns; ``known`` are the classes, if they are known."""
    table = open_table(list(paths), reading=reading)
    try:
        names = list(dict.fromkeys(table.all_columns() if isinstance(table, Files) else table.columns))
        columns = all_rows(table, names)
        kind = _kind(table)
    finally:
        table.close()
    raw = {name: _values(column) for name, column in zip(names, columns, strict=True)}
    oddities, clean = [], {}
    classes = frozenset(word.casefold() for word in known).union(*map(_frequent, raw.values()))
    for name, values in raw.items():
        found, clean[name] = _odd(name, values, known, classes)
        oddities += found
    return Look(shown, kind, len(columns[0]) if columns else 0, raw, clean, tuple(oddities))


def _frequent(values: Values) -> frozenset[str]:
    """Words that could mean nothing, and stand in too many cells for it: a grade "none"."""
    filled = values.places[values.places >= 0]
    times = np.bincount(filled, minlength=len(values.texts)).tolist()
    words: dict[str, int] = {}
    for text, number in zip(values.texts, times, strict=True):
        word = text.strip().casefold()
        words[word] = words.get(word, 0) + number
    return frozenset(word for word in MAY_BE_CLASSES & set(words) if words[word] >= FREQUENT * filled.size and len(words) > 1)


def _kind(table: Any) -> str:
    if not isinstance(table, Files):
        return "a table"
    converted = [
        WORDS[TYPED[end]] for file in table.files if file.converted and (end := file.name.rpartition(".")[2].lower()) in TYPED
    ]
    if converted:
        return converted[0].partition(" ")[2]
    if table.format != "csv":
        return FORMATS.get(table.format, table.format)
    signs = dict.fromkeys(NAMES.get(d.delimiter, d.delimiter) for d in table._dialects().values())
    return f"CSV, delimiter {' and '.join(signs)}, {table.reading.encoding.upper()}"


def _values(column: Column) -> Values:
    """A column as it is written: its different values in order of appearance, and which of them stands in each row."""
    if column.numbers is None:
        assert column.codes is not None
        words, places = [str(value) for value in column.values], np.asarray(column.codes, np.int64)
    else:
        different, places = np.unique(column.numbers, return_inverse=True)
        words = [str(value) for value in different.tolist()]
    gone = (places < 0) if column.missing is None else np.asarray(column.missing) | (places < 0)
    return _ordered(words, np.where(gone, -1, places))


def _ordered(words: Sequence[str], places: Places) -> Values:
    """The same with the values in order of appearance, and none that never occurs."""
    seen, first = np.unique(places[places >= 0], return_index=True)
    order = seen[np.argsort(first)]
    ranks = np.full(len(words) + 1, -1)
    ranks[order] = np.arange(len(order))
    return Values(tuple(words[i] for i in order.tolist()), ranks[places])


def _odd(name: str, values: Values, known: frozenset[str], classes: frozenset[str]) -> tuple[list[Oddity], Values]:
    """What is odd in a column, and the column as it seems to be meant."""
    times = np.bincount(values.places[values.places >= 0], minlength=len(values.texts))
    found: list[Oddity] = []

    def note(kind: str, texts: Sequence[str], said: str) -> None:
        codes = [at for at, text in enumerate(values.texts) if text in set(texts)]
        if codes:
            rows = np.flatnonzero(np.isin(values.places, codes))
            first = int(rows[0])
            example = values.texts[int(values.places[first])]
            found.append(Oddity(name, kind, int(times[codes].sum()), first + 1, example, said.format(f'"{example}"')))

    meant = {text: text for text in values.texts}
    nothing = [text for text in values.texts if text.strip().casefold() in NOTHING - classes]
    words = [text for text in values.texts if text not in nothing]
    few = len(words) <= MOST_VARIANTS
    spaced = [text for text in words if text != text.strip()] if few else []
    if spaced:
        ends = {(text != text.lstrip(), text != text.rstrip()) for text in spaced}
        where = "at the end" if ends == {(False, True)} else "at the start" if ends == {(True, False)} else "at an end"
        note(SPACE, spaced, f"a space {where} ({{}})")
    meant |= {text: text.strip() for text in words if few}
    if few:
        cased, said = _other_case(words, times, values.texts, known)
        note(CASE, list(cased), said)
        meant |= {text: cased.get(text, meant[text].strip()) for text in words}
        meant |= {text: cased[text] for text in cased}
    for text in nothing:
        note(NOTHING_HERE, [text], "{}")
        meant[text] = ""
    stripped = [meant[text] for text in words]
    if stripped and all(re.fullmatch(r"-?\d+(\.0+)?", text) for text in stripped):
        whole = [text for text in words if re.search(r"\.0+$", meant[text])]
        if len(whole) < len(words):
            note(FRACTION, whole, f"{meant[whole[0]]} beside {meant[whole[0]].split('.')[0]}" if whole else "")
        meant |= {text: meant[text].partition(".")[0] for text in words}
    elif stripped and all(re.fullmatch(r"[-+]?\d+(,\d+)?", text) for text in stripped):
        note(COMMA, [text for text in words if "," in text], "a decimal comma ({})")
        if all(re.fullmatch(r"-?\d+(,0+)?", text) for text in stripped):  # grades: 3,0 is 3
            meant |= {text: meant[text].partition(",")[0] for text in words}
    blank = np.flatnonzero(values.places < 0)
    if blank.size:
        found.append(Oddity(name, BLANK, int(blank.size), int(blank[0]) + 1, "", "blank"))
    return found, _merged(values, meant)


def _other_case(words: Sequence[str], times: Any, texts: Sequence[str], known: frozenset[str]) -> tuple[dict[str, str], str]:
    """Words that differ from a class, or else from a more frequent one, by capitals alone: {as written: as meant}, and what to call that."""
    count = dict(zip(texts, times.tolist(), strict=True))
    spellings: dict[str, dict[str, int]] = {}
    for text in words:
        forms = spellings.setdefault(text.strip().casefold(), {})
        forms[text.strip()] = forms.get(text.strip(), 0) + count[text]
    best = {key: max(forms, key=lambda form: forms[form]) for key, forms in spellings.items()}
    best |= {word.casefold(): word for word in known}
    found = {text: best[text.strip().casefold()] for text in words if text.strip() != best[text.strip().casefold()]}
    capital = all(
        any(a.isupper() and b.islower() for a, b in zip(text.strip(), form, strict=False)) for text, form in found.items()
    )
    return found, "a capital ({})" if capital else "in another case ({})"


def _merged(values: Values, meant: Mapping[str, str]) -> Values:
    """The column with every value as it is meant; what means nothing is nothing."""
    names = list(dict.fromkeys(text for text in (meant[text] for text in values.texts) if text))
    code = {text: at for at, text in enumerate(names)}
    turned = np.array([code.get(meant[text], -1) for text in values.texts] + [-1])
    return _ordered(names, turned[values.places])
