"""Ratings as Counts: one axis per rater, from a column for each rater or from rows of item, rater and grade."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.counts import Counts
from ordeval.counts.audit import merge_changes
from ordeval.counts.counting import check_names, count_ratings
from ordeval.counts.table import TRUE
from ordeval.order.columns import Column, short
from ordeval.order.scale import Labels, Scale, WrittenLabels, as_answers, as_scale
from ordeval.order.values import parse_written
from ordeval.read.frames import Frame
from ordeval.read.grouping import ColumnRoles, Table, as_array, changes_of, check_columns, distinct_rows, fetch_rows, ledger_of
from ordeval.read.reading import USUAL, Reading
from ordeval.read.rules import read_labels
from ordeval.read.scan import READING, open_table

MAX_RATERS = 500  # in a long table; more are people who rated a little each, and a pattern for each item
TWICE = "the same rating given twice"  # the reason for a row that says again what another said


def counted(
    columns: Mapping[str, Column],
    *,
    scale: Scale | WrittenLabels | None,
    unparsable: Collection[str] = (),
    times: Array | None = None,
    excluded: Mapping[str, int] | None = None,
    reading: Reading = USUAL,
) -> Counts:
    """Counts of the patterns in one column per rater; what an unparsable rater says beyond the scale counts as unanswered."""
    for name in unparsable:
        if name not in columns:
            raise ArgumentError(
                "{unparsable} names {name}, who is not a rater",
                argument="unparsable",
                remedy="the raters are {raters}",
                values={"name": repr(name), "raters": ", ".join(columns)},
            )
    if TRUE in columns:
        raise ValueError(f"a rater cannot be called {TRUE!r}: that is the name of the truth; rename the column")
    meant = read_labels({name: column for name, column in columns.items() if name not in unparsable}, scale, reading)
    strict, scale = meant.columns, meant.scale
    if isinstance(scale, WrittenLabels):
        scale = scale.settle((strict or columns).values())
    elif scale is None and unparsable:
        if not strict:
            problem = "what is {unparsable} depends on the classes"
            raise ArgumentError(problem, argument="labels", remedy="give all of them: {labels:[...]}")
        scale = Scale.infer(*strict.values(), names=[column.name for column in strict.values()])
    found: dict[str, dict[str, int]] = {}
    read = {name: strict.get(name, column) for name, column in columns.items()}
    for name in unparsable:
        assert scale is not None
        read[name], answers = as_answers(columns[name], scale)
        if answers:
            found[name] = answers
    counts = count_ratings(read, scale=scale, times=times, excluded=excluded)
    counts.unparsable = found
    counts.notes, counts.read_as = meant.notes, meant.read_as
    return counts


@documented(
    "Counts whose axes are the raters.",
    source="A file, frame, database table or cluster table; `ordeval.scan` lists them.",
    raters="A column for each rater.",
    item="Instead of ``raters``, for a table with a row for each rating: the column of what was rated.",
    rater="... the column of who rated it.",
    grade="... the column of ratings.",
    unparsable="Raters, such as an LLM judge, whose answers outside the classes count as unanswered; "
    "`Counts.unparsable` keeps them.",
    reading=READING,
)
def scan(
    source: Any,
    *,
    raters: Sequence[str] | None = None,
    item: str | None = None,
    rater: str | None = None,
    grade: str | None = None,
    labels: Labels = None,
    unparsable: Sequence[str] = (),
    reading: Reading | Mapping[str, Any] | None = None,
    max_rows: int | None = None,
) -> Counts:
    """Count rating patterns where they are: in files, frames, databases, on a cluster.

    A field without a value is a missing rating.

    >>> import ordeval as oe, pandas as pd
    >>> frame = pd.DataFrame({"ann": [1, 2, 3], "bob": [1, 2, 2]})
    >>> oe.raters.scan(frame, raters=["ann", "bob"], labels=[1, 2, 3]).axes
    ('ann', 'bob')
    """
    long = {"item": item, "rater": rater, "grade": grade}
    if raters is not None and any(long.values()):
        raise ArgumentTypeError(
            "{raters} names columns of a wide table, {item}, {rater} and {grade} those of a long one",
            argument="raters",
            remedy="give one or the other",
        )
    if raters is None and not all(long.values()):
        raise ArgumentTypeError(
            "name a column for each rater with {raters:[...]}, or the three columns of a table with a row for each rating: "
            '{item:"..."}, {rater:"..."}, {grade:"..."}',
            argument="raters",
        )
    if isinstance(raters, str) or (raters is not None and not raters):
        raise ArgumentTypeError('{raters} is a list of columns: {raters:["ann", "bob"]}', argument="raters")
    scale = labels if isinstance(labels, WrittenLabels) else None if labels is None else as_scale(labels)
    rules = Reading.of(reading)
    table = open_table(source, max_rows, reading=rules)
    try:
        if raters is not None:
            counts = scan_wide(table, raters, scale, unparsable, rules)
        else:
            counts = scan_long(table, str(item), str(rater), str(grade), scale, unparsable, rules)
        own = counts.notes
        counts.read_as = merge_changes([*changes_of(table, names=list(raters) if raters else [str(grade)]), *counts.read_as])
        counts.files, counts.notes = ledger_of(table, names=list(raters) if raters else [str(item), str(rater), str(grade)])
        counts.notes = (*counts.notes, *own)
        return counts
    finally:
        table.close()


def scan_wide(
    table: Table,
    raters: Sequence[str],
    scale: Scale | WrittenLabels | None,
    unparsable: Collection[str],
    reading: Reading = USUAL,
) -> Counts:
    """A column for each rater."""
    check_names(list(raters))
    first, *others = raters
    wanted = ColumnRoles(
        first, {name: name for name in others}, {}, None, None, frozenset(unparsable)
    )  # the first is no truth here
    distinct = distinct_rows(table, wanted)
    columns = dict(zip(raters, distinct.columns, strict=True))
    return counted(columns, scale=scale, unparsable=unparsable, times=distinct.times, reading=reading)


def scan_long(
    table: Table,
    item: str,
    rater: str,
    grade: str,
    scale: Scale | WrittenLabels | None,
    unparsable: Collection[str],
    reading: Reading = USUAL,
) -> Counts:
    """A row for each rating.  Lazy tables are pivoted by their own engine; only distinct patterns come here."""
    check_columns(table, [item, rater, grade])
    table.check_rows()
    if isinstance(table, Frame) and not table.is_lazy:
        rows = table.take([item, rater, grade])
        fields = [rows.get_column(f"c{i}").to_native() for i in range(3)]
        things, people_of = table.column(fields[0], item), table.column(fields[1], rater)
        grades = table.column(fields[2], grade, free=bool(unparsable))
        return from_long(things, people_of, grades, scale=scale, unparsable=unparsable, reading=reading)
    import narwhals.stable.v2 as nw

    rows = nw.from_native(table.take([item, rater, grade]))
    found = fetch_rows(table, rows.group_by("c1").agg(nw.len().alias("n")))
    people = table.column(found["c1"], rater)
    table.refuse_rows(int(as_array(found["n"]).sum()))
    if not len(people):
        raise ValueError(f"{table.shown} has no rows; there are no ratings")
    _refuse_gaps(people, "a rater")
    places, names = _people(people)
    order = np.argsort(places).tolist()
    gaps = fetch_rows(table, rows.filter(nw.col("c0").is_null()).select(nw.len().alias("n")))
    if number := int(as_array(gaps["n"])[0]):
        raise ValueError(f"{table.shown}, column {item!r} is missing in {number:,} rows; every rating needs an item")
    value = nw.col("c2")
    once = rows.group_by("c0", "c1").agg(
        nw.len().alias("n"), value.min().alias("low"), value.max().alias("high"), value.count().alias("given")
    )
    _refuse_contradictions(table, once)
    twice = fetch_rows(table, once.filter(nw.col("n") > 1).select((nw.col("n") - 1).sum().alias("n")))
    raw = found["c1"].tolist() if hasattr(found["c1"], "tolist") else list(found["c1"])
    marks = [nw.when(nw.col("c1") == raw[i]).then(nw.col("low")).alias(f"r{i}") for i in order]
    wide = once.with_columns(*marks).group_by("c0").agg(*(nw.col(f"r{i}").max() for i in order))
    patterns = fetch_rows(table, wide.group_by(*(f"r{i}" for i in order)).agg(nw.len().alias("n")))
    times = as_array(patterns["n"]).astype(np.int64)
    free = set(unparsable)
    columns = {
        name: table.column(patterns[f"r{i}"], grade, times, free=name in free) for name, i in zip(names, order, strict=True)
    }
    again = int(as_array(twice["n"])[0])
    left = {TWICE: again} if again else None
    return counted(columns, scale=scale, unparsable=unparsable, times=times, excluded=left, reading=reading)


def _refuse_contradictions(table: Table, once: Any) -> None:
    import narwhals.stable.v2 as nw

    differ = (nw.col("low") != nw.col("high")) | ((nw.col("given") > 0) & (nw.col("given") < nw.col("n")))
    bad = once.filter(differ)
    number = int(as_array(fetch_rows(table, bad.select(nw.len().alias("n")))["n"])[0])
    if number:
        first = fetch_rows(table, bad.select("c0", "c1", "low", "high").sort("c0", "c1").head(1))
        item, rater, low, high = (first[name][0] for name in ("c0", "c1", "low", "high"))
        raise ValueError(_contradiction(item, rater, low, high, number))


def _contradiction(item: Any, rater: Any, low: Any, high: Any, number: int) -> str:
    given = [one for one in dict.fromkeys((low, high)) if one is not None and one == one]
    grades = " and ".join([*map(short, given), *(["nothing"] if len(given) == 1 else [])])
    more = "" if number == 1 else f" ({number:,} such pairs in all)"
    return f"item {short(item)} has different grades by rater {short(rater)}: {grades}{more}; keep one rating for each item and rater"


def _refuse_gaps(column: Column, what: str) -> None:
    if column.missing is not None:
        found = column.at(np.flatnonzero(column.missing))
        raise ValueError(f"{column.name} has ratings without {what}{found.first}; every rating needs an item and a rater")


def _people(rater: Column) -> tuple[Array, list[str]]:
    """For each row the place of its rater, and the raters in their order, that of numbers where they are numbers."""
    places, values = parse_written(rater).coded()
    if len(values) > MAX_RATERS:
        raise ValueError(f"{rater.name} names {len(values):,} raters, and at most {MAX_RATERS} can be axes of one table")
    return places, [str(value) for value in values]


def from_long(
    item: Column,
    rater: Column,
    grade: Column,
    *,
    scale: Scale | WrittenLabels | None,
    unparsable: Collection[str] = (),
    reading: Reading = USUAL,
) -> Counts:
    """Columns in memory with one row for each rating."""
    lengths = {len(item), len(rater), len(grade)}
    if len(lengths) > 1:
        raise ArgumentError(
            "{item}, {rater} and {grade} have different lengths: {lengths} rows",
            argument="item",
            values={"lengths": f"{len(item):,}, {len(rater):,} and {len(grade):,}"},
        )
    if not len(item):
        raise ArgumentError("{item}, {rater} and {grade} are empty; there are no ratings", argument="item")
    for column, what in ((item, "an item"), (rater, "a rater")):
        _refuse_gaps(column, what)
    things = _numbered(item)
    people, names = _people(rater)
    row_of = np.full((int(things.max()) + 1, len(names)), len(item))
    rows = np.arange(len(item))
    np.minimum.at(row_of, (things, people), rows)  # of several rows about the same, the first stays
    row_of[row_of == len(item)] = -1
    again = rows[row_of[things, people] != rows]
    if again.size:
        first = row_of[things[again], people[again]]
        stored = grade.codes if grade.numbers is None else grade.numbers
        assert stored is not None
        gap = np.zeros(len(grade), bool) if grade.missing is None else grade.missing
        differ = np.flatnonzero((gap[first] != gap[again]) | (~gap[again] & (stored[first] != stored[again])))
        if differ.size:
            one, other = int(first[differ[0]]), int(again[differ[0]])
            thing, name = item.at(np.array([one])).value, rater.at(np.array([one])).value
            low, high = grade.at(np.array([one])).value, grade.at(np.array([other])).value
            raise ValueError(_contradiction(thing, name, low, high, differ.size))
    columns = {name: grade.take(row_of[:, i]) for i, name in enumerate(names)}
    left = {TWICE: again.size} if again.size else None
    return counted(columns, scale=scale, unparsable=unparsable, excluded=left, reading=reading)


def _numbered(column: Column) -> Array:
    """Numbers for the items, without a table of their names where they are numbers already."""
    if column.numbers is None:
        assert column.codes is not None
        return column.codes.astype(np.int64)
    return np.unique(column.numbers, return_inverse=True)[1]
