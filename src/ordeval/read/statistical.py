"""Stata and SPSS files, by pyreadstat: codes are the order, labels are their names, and codes that mean no value are counted by name."""

from __future__ import annotations

import datetime
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.counts.audit import BY_NAME
from ordeval.read.converted import ColumnFacts, Converted, not_whole, write_columns
from ordeval.show._plain import count_text

DATES = (datetime.date, datetime.time, datetime.datetime, datetime.timedelta)


def read_statistical(path: str, name: str, target: str, kind: str) -> Converted:
    """All columns: numbers, text, and codes with their names."""
    import pyarrow as pa
    import pyreadstat

    if kind == "stata" and not _stata_ends(path):
        raise not_whole(name, kind)
    read = pyreadstat.read_dta if kind == "stata" else pyreadstat.read_sav
    try:
        data, about = read(path, user_missing=True, apply_value_formats=False, output_format="dict")
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError, ValueError, OSError)):
            raise not_whole(name, kind) from None
        raise
    names = list(about.column_names)
    rows = len(data[names[0]]) if names else 0
    if about.number_rows is not None and about.number_rows not in (-1, rows):
        raise not_whole(name, kind)
    columns, facts = [], {}
    for called in names:
        labels = dict(about.variable_value_labels.get(called, {}))
        ranges = list(about.missing_ranges.get(called, ()))
        values, facts[called] = _column(list(data[called]), labels, ranges, f"{name}, {called}")
        if about.variable_measure.get(called) == "nominal" and kind == "spss" and facts[called].names is not None:
            facts[called] = _without_order(facts[called], 'its measure is "nominal"')
        columns.append((called, pa.array(values)))
    write_columns(target, columns)
    return Converted(target, rows, "stata end" if kind == "stata" else "spss case count", facts=facts)


def _column(values: Sequence[Any], labels: Mapping[Any, str], ranges: Sequence[Any], where: str) -> tuple[list[Any], ColumnFacts]:
    """Plain values, nothing where a code means no value; with the names of the other codes."""
    times = Counter(values)
    if any(isinstance(value, DATES) for value in times):
        told = f"{where} holds dates, which cannot be classes"
        return [None if value is None else str(value) for value in values], ColumnFacts(as_labels=told)
    numeric = any(isinstance(value, (int, float)) for value in times) or any(isinstance(code, (int, float)) for code in labels)
    gone: dict[str, int] = {}
    meant: dict[Any, Any] = {}
    for value, number in times.items():
        nothing = value is None or value == "" or value != value
        if not nothing and ((numeric and isinstance(value, str)) or _is_missing(value, ranges)):
            word = str(labels.get(value, f".{value}" if numeric and isinstance(value, str) else _code(value)))
            gone[word] = gone.get(word, 0) + number
            nothing = True
        meant[value] = None if nothing else value
    plain = list(map(meant.__getitem__, values))
    changes = {BY_NAME: gone} if gone else {}
    codes = {code: str(word) for code, word in labels.items() if isinstance(code, (int, float)) and not _is_missing(code, ranges)}
    if not numeric or not codes:
        return plain, ColumnFacts(changes=changes)
    if not all(float(code).is_integer() for code in codes):
        return plain, ColumnFacts(changes=changes)
    names = {int(code): word for code, word in codes.items()}
    facts = ColumnFacts(changes=changes, names=names)
    bare = sorted(value for value in meant.values() if value is not None and value not in codes)
    if bare:
        listed = ", ".join(_code(value) for value in bare[:5]) + (", …" if len(bare) > 5 else "")
        facts = _without_order(facts, f"{count_text(len(bare), 'code')} without a label ({listed})")
    elif sorted(names) != list(range(min(names), max(names) + 1)):
        facts = _without_order(facts, "there is a gap in its codes")
    elif len(set(names.values())) < len(names):
        facts = _without_order(facts, "two codes have the same label")
    return plain, facts


def _without_order(facts: ColumnFacts, why: str) -> ColumnFacts:
    return ColumnFacts(changes=facts.changes, names=facts.names, no_order=facts.no_order or why)


def _code(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_missing(value: Any, ranges: Sequence[Any]) -> bool:
    for each in ranges:
        low, high = (each["lo"], each["hi"]) if isinstance(each, Mapping) else (each, each)
        if isinstance(value, str) == isinstance(low, str) and low <= value <= high:
            return True
    return False


# How a Stata file ends


def _stata_ends(path: str) -> bool:
    """Whether the file ends where it says: with its last tag, or, in old formats, with a whole table of labels."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"<stata_dta>"):
        return data.rstrip().endswith(b"</stata_dta>")
    try:
        return _old_end(data)
    except (struct.error, IndexError, ValueError):
        return False


def _old_end(data: bytes) -> bool:
    order = ">" if data[1] == 1 else "<"
    columns, rows = struct.unpack_from(f"{order}hi", data, 4)
    widths = {251: 1, 252: 2, 253: 4, 254: 4, 255: 8}
    at = 109
    width = sum(widths.get(kind, kind) for kind in data[at : at + columns])
    at += columns + 33 * columns + 2 * (columns + 1) + (12 if data[0] == 113 else 49) * columns + 33 * columns + 81 * columns
    while True:  # fields that programs add
        kind, length = struct.unpack_from(f"{order}bi", data, at)
        at += 5 + length
        if kind == 0:
            break
    at += rows * width
    while at < len(data):  # tables of labels
        (length,) = struct.unpack_from(f"{order}i", data, at)
        at += 4 + 33 + 3 + length
    return bool(at == len(data))
