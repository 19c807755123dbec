"""Plain tables of grades: a column for each rater, or a row for each rating; and files of people's grades."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.order.columns import Column
from ordeval.order.values import parse_written
from ordeval.read.grouping import all_rows
from ordeval.read.judge_ratings import RawRatings, written
from ordeval.read.scan import open_table


def from_table(
    source: Any,
    shown: str,
    *,
    item: str | None,
    rater: str | None,
    grade: str | None,
    repeats: str | None,
    trace: str | None,
    judges: Sequence[str],
    people: Sequence[str],
) -> RawRatings:
    """With ``rater`` a row for each rating; else ``judges`` and ``people`` name a column each."""
    if item is None:
        raise ArgumentTypeError(
            "{source} is a plain table, which does not say which column names the items",
            argument="item",
            remedy='give {item:"..."}',
            values={"source": shown},
        )
    if rater is not None and grade is None:
        raise ArgumentTypeError("{rater} and {grade} must be given together", argument="grade", remedy='give {grade:"..."}')
    if not (judges or people) or (rater is None and not judges):
        remedy = 'name the judges: {judges:["gpt"]}'
        raise ArgumentTypeError("a plain table does not say who is a judge", argument="judges", remedy=remedy)
    raters = [rater, grade] if rater is not None else [*judges, *people]
    names = [item, *(name for name in (repeats, trace) if name), *(name for name in raters if name)]
    texts = read_texts(source, names, free=judges if rater is None else [str(grade)])
    things = texts[item]
    if None in things:
        raise ValueError(f"{shown}, column {item!r} is missing in {things.count(None):,} rows; every rating needs an item")
    runs: list[Any] = list(texts[repeats]) if repeats else [1] * len(things)
    traces = texts[trace] if trace else [f"{thing} row {i}" for i, thing in enumerate(things, 1)]
    raw = RawRatings(shown)
    if rater is None:
        for name in judges:
            _extend(raw, things, traces, [name] * len(things), runs, texts[name])
        for name in people:
            raw.people.setdefault(name)
            there = [i for i, text in enumerate(texts[name]) if text is not None]
            _extend(
                raw,
                *(
                    [column[i] for i in there]
                    for column in (things, traces, [name] * len(things), [1] * len(things), texts[name])
                ),
            )
            raw.given_often.add(name)
        return raw
    assert grade is not None
    who = texts[rater]
    if None in who:
        raise ValueError(f"{shown}, column {rater!r} is missing in {who.count(None):,} rows; every rating needs a rater")
    present = dict.fromkeys(who)
    for argument, given in (("judges", judges), ("people", people)):
        for name in given:
            if name not in present:
                values = {"name": repr(name), "source": shown, "raters": ", ".join(map(str, list(present)[:12]))}
                raise ArgumentError(
                    "{source} has no rater {name}", argument=argument, remedy="the raters are {raters}", values=values
                )
    persons = people or [str(name) for name in present if name not in judges]
    chosen = {*persons, *(judges or [str(name) for name in present if name not in people])}
    asked = [i for i, name in enumerate(who) if name in chosen and (name not in persons or texts[grade][i] is not None)]
    _extend(raw, *([column[i] for i in asked] for column in (things, traces, who, runs, texts[grade])))
    raw.people |= dict.fromkeys(persons)
    raw.leave_out("by a rater who was not asked for", sum(name not in chosen for name in who))
    return raw


def _extend(raw: RawRatings, items: Any, traces: Any, raters: Any, repeats: Any, grades: Any) -> None:
    raw.items += items
    raw.traces += traces
    raw.raters += raters
    raw.repeats += repeats
    raw.grades += grades
    raw.answers += [grade or "" for grade in grades]


def read_texts(source: Any, names: Sequence[str], free: Collection[str]) -> dict[str, list[str | None]]:
    """Columns as text, None where nothing is there; free ones may hold anything."""
    wanted = list(dict.fromkeys(names))
    table = open_table(source, None)
    try:
        columns = all_rows(table, wanted, free)
    finally:
        table.close()
    return {name: _texts(column) for name, column in zip(wanted, columns, strict=True)}


def _texts(column: Column) -> list[str | None]:
    column = parse_written(column)
    if column.numbers is None:
        assert column.codes is not None
        words, codes = [*map(written, column.values), None], column.codes.tolist()
        return [words[code] for code in codes]
    there = [True] * len(column) if column.missing is None else (~column.missing).tolist()
    return [written(value) if here else None for value, here in zip(column.numbers.tolist(), there, strict=True)]


def add_people(raw: RawRatings, human: Any, shown: str, *, id: str | None, grade: str | None, people: Sequence[str]) -> None:
    """Add the grades by people from a file of their own, by the items' ids, or by the ids of their traces."""
    if id is None or not (grade or people):
        raise ArgumentTypeError(
            "{human} needs the column of ids, and the column of grades or one for each person",
            argument="id" if id is None else "grade",
            remedy='give {id:"..."} and {grade:"..."}, or {people:["ann", "bob"]}',
        )
    names = list(people) or [str(grade)]
    texts = read_texts(human, [id, *names], free=())
    ids = texts[id]
    judges = set(raw.raters)
    items, by_trace = set(raw.items), dict(zip(raw.traces, raw.items, strict=True))
    where = [one if one in items else by_trace.get(str(one)) for one in ids]
    lost = [str(one) for one, item in zip(ids, where, strict=True) if item is None]
    if len(lost) == len(ids):
        example, wanted = repr(lost[0]) if lost else "nothing", repr(raw.items[0]) if raw.items else "nothing"
        raise ValueError(f"no id of {shown} is an item or a trace of {raw.source}: {shown} has {example}, and the log {wanted}")
    for name in names:
        person = f"{name} by people" if name in judges else name
        for item, one, text in zip(where, ids, texts[name], strict=True):
            if item is not None:
                raw.add_person(item, one, person, text)
    if lost:
        raw.notes.append(
            f"{len(lost):,} of {len(ids):,} ids in {shown} are not in the log, {lost[0]!r} among them; they were not used."
        )
