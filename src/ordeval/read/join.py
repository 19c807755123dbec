"""Truth and predictions from different places, joined by id: one-to-one, or an error that lists what does not match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Missing
from ordeval.order.columns import Column
from ordeval.read.files import Files
from ordeval.read.frames import Frame
from ordeval.read.grouping import (
    ColumnRoles,
    DistinctRows,
    Table,
    all_rows,
    as_array,
    check_columns,
    fetch_rows,
    grouped,
    in_memory,
    one_if,
    regrouped,
)
from ordeval.read.reading import USUAL
from ordeval.show._plain import count_text

SHOWN = 5  # ids spelled out in a message
STRAY = "id not in the gold"  # the reason for a row of predictions that has no truth


@dataclass(frozen=True)
class Policy:
    """What is done with ids of the gold that have no answer, and with ids that the gold does not have."""

    missing: Missing = "error"
    strays: str = "error"

    def __post_init__(self) -> None:
        if self.strays not in ("error", "drop"):
            raise ArgumentError(
                "{strays:{given}} is unknown",
                argument="strays",
                remedy="choose one of 'error', 'drop'",
                values={"given": repr(self.strays)},
            )

    @property
    def leaves_strays(self) -> bool:
        return self.strays == "drop" or self.missing == "drop"


def joined(
    gold: Table, runs: Table, key: str, wanted: ColumnRoles, missing: Missing, strays: str = "error"
) -> tuple[DistinctRows, dict[str, int]]:
    """Distinct rows of the two tables joined by id, and the rows left out with their reason."""
    policy = Policy(missing, strays)
    homes = _homes(gold, runs, wanted)
    for table in (gold, runs):
        check_columns(table, [key, *(name for name, home in zip(wanted.columns, homes, strict=True) if home is table)])
        table.check_rows()
    if _same_engine(gold, runs):
        return _joined_on_engine(gold, runs, key, wanted, homes, policy)
    for table in (gold, runs):
        if table.is_lazy and not isinstance(table, Files):
            raise TypeError(
                f"{gold.shown} and {runs.shown} are on different engines and cannot be joined; "
                "move one of them to the engine of the other"
            )
    return _joined_in_memory(gold, runs, key, wanted, homes, policy)


def _homes(gold: Table, runs: Table, wanted: ColumnRoles) -> list[Table]:
    """Which table has each column: the truth is in the gold, models in the runs, groups and weight in either."""

    def either(name: str) -> Table:
        return runs if name not in gold.columns and name in runs.columns else gold

    parts: list[Table] = [gold, *([runs] * len(wanted.models)), *(either(name) for name in wanted.groups.values())]
    return parts + ([either(wanted.weight)] if wanted.weight else [])


def _same_engine(gold: Table, runs: Table) -> bool:
    if isinstance(gold, Files) and isinstance(runs, Files):
        return True
    return (
        isinstance(gold, Frame)
        and isinstance(runs, Frame)
        and gold.is_lazy
        and runs.is_lazy
        and gold.frame.implementation is runs.frame.implementation
    )


# On the engine where both tables are


def _joined_on_engine(
    gold: Table, runs: Table, key: str, wanted: ColumnRoles, homes: Sequence[Table], policy: Policy
) -> tuple[DistinctRows, dict[str, int]]:
    import narwhals.stable.v2 as nw

    sides = {id(table): _side(table, key, [n for n, home in zip(wanted.columns, homes, strict=True) if home is table], mark,
                              weighs=wanted.weight is not None and homes[-1] is table)
             for table, mark in ((gold, "g"), (runs, "p"))}  # fmt: skip
    left, right = _comparable(sides[id(gold)], sides[id(runs)])
    problems = [*_repeated_on_engine(gold, left), *_repeated_on_engine(runs, right)]
    if policy.missing == "error":
        problems += _one_sided(gold, left, right)
    if not policy.leaves_strays:
        problems += _one_sided(runs, right, left)
    _refuse(problems, gold, runs, key, policy)
    whole = left.join(right, on="id", how="full")
    places = {id(gold): iter(range(len(homes))), id(runs): iter(range(len(homes)))}
    marks = {id(gold): "g", id(runs): "p"}
    sources = [f"{marks[id(home)]}{next(places[id(home)])}" for home in homes]
    keys, k = sources[: len(wanted.keys)], len(wanted.keys)
    chosen = [nw.col(name).alias(f"c{i}") for i, name in enumerate(keys)]
    chosen += [nw.col("has_g").fill_null(0).alias(f"c{k}")]
    chosen += [nw.col(sources[-1]).alias(f"c{k + 1}")] if wanted.weight else []
    try:
        fields = fetch_rows(runs, grouped(whole.select(*chosen), k + 1, wanted.weight is not None))
    except ValueError:
        if wanted.weight is not None and isinstance(home := homes[-1], Files):
            home.refuse_numbers(wanted.weight)
        raise
    in_gold = as_array(fields[f"c{k}"]) > 0
    only_runs = int(as_array(fields["n"])[~in_gold].sum())
    if isinstance(gold, Files):
        gold.check_total(int(as_array(fields["n"])[in_gold].sum()))
    stray = {STRAY: only_runs} if only_runs else {}
    distinct = regrouped(runs, fields, wanted, homes[: len(wanted.keys)], in_gold)
    return distinct, {**stray, **({"weight zero": distinct.zero} if distinct.zero else {})}


def _side(table: Table, key: str, names: Sequence[str], mark: str, *, weighs: bool = False) -> Any:
    """One table for the join: its id, its columns as g0, g1 … or p0, p1 …, and a mark that says it was there."""
    import narwhals.stable.v2 as nw

    taken = table.take([key, *names], weighs=weighs) if isinstance(table, Files) else table.take([key, *names])
    rows = nw.from_native(taken)
    columns = [nw.col(f"c{i + 1}").alias(f"{mark}{i}") for i in range(len(names))]
    return rows.select(nw.col("c0").alias("id"), *columns, nw.lit(1).alias(f"has_{mark}"))


def _comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Ids of different types are compared as they are written."""
    import narwhals.stable.v2 as nw

    if left.collect_schema()["id"] == right.collect_schema()["id"]:
        return left, right
    as_text = nw.col("id").cast(nw.String)
    return left.with_columns(as_text), right.with_columns(as_text)


def _head(rows: Any) -> Any:
    return rows.select("id").sort("id").head(SHOWN)


def _one_sided(table: Table, rows: Any, others: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    lonely = rows.join(others, on="id", how="anti").filter(~nw.col("id").is_null())  # rows without an id are named elsewhere
    number = int(as_array(fetch_rows(table, lonely.select(nw.len().alias("n")))["n"])[0])
    return [_listing(number, fetch_rows(table, _head(lonely)), f"only in {table.shown}")] if number else []


def _repeated_on_engine(table: Table, rows: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    more = rows.group_by("id").agg(nw.len().alias("n")).filter((nw.col("n") > 1) | nw.col("id").is_null())
    found = fetch_rows(table, more.select(nw.len().alias("n"), one_if(nw.col("id").is_null()).sum().alias("gaps")))
    gaps = int(as_array(found["gaps"])[0])
    twice = int(as_array(found["n"])[0]) - gaps
    problems = [f"rows without an id in {table.shown}"] if gaps else []
    if twice:
        problems.append(
            _listing(twice, fetch_rows(table, _head(more.filter(~nw.col("id").is_null()))), f"more than once in {table.shown}")
        )
    return problems


# In memory


def _joined_in_memory(
    gold: Table, runs: Table, key: str, wanted: ColumnRoles, homes: Sequence[Table], policy: Policy
) -> tuple[DistinctRows, dict[str, int]]:
    found = {
        id(table): all_rows(table, [key, *(n for n, home in zip(wanted.columns, homes, strict=True) if home is table)])
        for table in (gold, runs)
    }
    here, strays = matched(gold, found[id(gold)][0], runs, found[id(runs)][0], key, policy)
    waiting = {name: iter(columns[1:]) for name, columns in found.items()}
    columns = [next(waiting[id(home)]) for home in homes]
    columns = [column if home is gold else column.take(here) for column, home in zip(columns, homes, strict=True)]
    home = homes[-1]
    reading = home.reading if isinstance(home, Files) else USUAL
    return in_memory(columns, wanted, reading, home.shown), {STRAY: strays} if strays else {}


def matched(gold: Table, gold_ids: Column, runs: Table, run_ids: Column, key: str, policy: Policy) -> tuple[Array, int]:
    """For each row of the gold the row of the runs with its id, -1 where there is none; and the number of runs without gold."""
    first, second, texts = _numbered(gold_ids, run_ids)
    problems = [*_repeated(gold, gold_ids, first, texts), *_repeated(runs, run_ids, second, texts)]
    row_of = np.full(len(texts), -1)
    row_of[second] = np.arange(second.size)
    here = row_of[first]
    known = np.zeros(len(texts), bool)
    known[first] = True
    strays, lost = np.flatnonzero(~known[second]), np.flatnonzero(here < 0)
    if lost.size and policy.missing == "error":
        problems.append(_listing(lost.size, [texts[i] for i in first[lost[:SHOWN]]], f"only in {gold.shown}"))
    if strays.size and not policy.leaves_strays:
        problems.append(_listing(strays.size, [texts[i] for i in second[strays[:SHOWN]]], f"only in {runs.shown}"))
    _refuse(problems, gold, runs, key, policy)
    return here, strays.size


def _repeated(table: Table, ids: Column, numbers: Array, texts: Sequence[str]) -> list[str]:
    """What is wrong with the ids of one table: some are not there, some stand more than once."""
    problems = [f"rows without an id in {table.shown}"] if ids.missing is not None else []
    twice = np.flatnonzero(np.bincount(numbers, minlength=len(texts)) > 1)
    if twice.size:
        problems.append(_listing(twice.size, [texts[i] for i in twice[:SHOWN]], f"more than once in {table.shown}"))
    return problems


def _numbered(first: Column, second: Column) -> tuple[Array, Array, list[str]]:
    """The same number for the same id in both columns, and each number's id in words."""
    columns = [column.whole() for column in (first, second)]
    values = [column.numbers.tolist() if column.numbers is not None else list(column.values) for column in columns]
    number = {text: i for i, text in enumerate(dict.fromkeys(map(str, chain(*values))))}
    numbers = [np.array([number[str(value)] for value in each] + [-1], int) for each in values]
    coded = [n[:-1] if c.numbers is not None else n[c.codes] for n, c in zip(numbers, columns, strict=True)]
    kept = [codes if c.missing is None else codes[~c.missing] for codes, c in zip(coded, columns, strict=True)]
    return kept[0], kept[1], list(number)


def _listing(number: int, ids: Any, where: str) -> str:
    if isinstance(ids, dict):
        ids = ids["id"].to_list() if hasattr(ids["id"], "to_list") else list(ids["id"])
    more = ", …" if number > len(ids) else ""
    return f"{count_text(number, 'id')} {where} ({', '.join(map(str, ids))}{more})"


def _refuse(problems: Sequence[str], gold: Table, runs: Table, key: str, policy: Policy) -> None:
    if not problems:
        return
    one_sided = all("only in" in problem for problem in problems)
    only_strays = one_sided and all(f"only in {runs.shown} (" in problem for problem in problems)
    remedy = ""
    if only_strays:
        remedy = '{strays:"drop"} leaves them out and says so'
    elif one_sided and policy.missing == "error":
        remedy = '{missing:"drop"} leaves out ids that only one of them has, and says so'
    raise ArgumentError(
        "{truth} and {predictions} do not match one-to-one by {key}: {problems}",
        argument="id",
        remedy=remedy,
        values={"truth": gold.shown, "predictions": runs.shown, "key": repr(key), "problems": "; ".join(problems)},
    )
