"""The record: one TOML file per paper, with its entries and its printed units, joined here to what computes them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any

from ordeval.papers._claims import (
    ERRATUM,
    EXACT,
    EXTRACTION,
    NOT_JUDGED,
    SUSPECTED,
    UNDETERMINED,
    WITHIN,
    Claim,
    Entry,
    Finding,
    number,
    statement,
)

ROOM = "ordeval.papers"
PAPERS_IN_ORDER = ("oci", "cem", "stc", "blog")


@cache
def record_of(paper: str) -> dict[str, Any]:
    """A paper's file as it stands."""
    return tomllib.loads(files(ROOM).joinpath("record", f"{paper}.toml").read_text(encoding="utf-8"))


def _module(name: str) -> ModuleType:
    return import_module(f"{ROOM}._{name}")


@cache
def entries_of(paper: str) -> tuple[Entry, ...]:
    """The entries of one paper, each with what computes its premise and its counter-example."""
    checks: Mapping[str, tuple[Callable[..., bool], Callable[..., Any]]] = _module(f"{paper}_entries").CHECKS
    return tuple(
        Entry(paper=paper, keeps=checks[one["id"]][0], refutes=checks[one["id"]][1], **one) for one in record_of(paper)["entry"]
    )


@cache
def entry(root: str) -> Entry:
    """An entry by its name."""
    return next(one for paper in PAPERS_IN_ORDER for one in entries_of(paper) if one.id == root)


def _recorded(root: str, random: bool, open_: bool) -> str:
    if root:
        grade = entry(root).grade
        return grade if grade in (SUSPECTED, EXTRACTION) else ERRATUM
    return (UNDETERMINED if open_ else WITHIN) if random else EXACT


def claims(paper: str) -> Iterator[Claim]:
    """Every printed unit of a paper, in the order of its file."""
    for unit in record_of(paper)["unit"]:
        given: dict[str, Any] = {
            "paper": paper,
            "place": unit["place"],
            "where": unit.get("where", unit["place"]),
            "reason": unit.get("reason", ""),
        }
        if "says" in unit:
            yield _statement(given, unit)
        elif "each" in unit:
            for where, says, over, cases in _function(unit["each"])():
                yield Claim(**{**given, "where": where}, row=says, column=over, printed="", compute=_said(cases), verdict=EXACT)
        else:
            yield from _numbers(given, unit)


def _said(cases: Callable[[], Any]) -> Callable[[], Finding]:
    return lambda: statement(cases())


def _function(name: str) -> Callable[..., Any]:
    """``module.function``, in this room."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(_module(module), function)
    return found


def _statement(given: dict[str, Any], unit: dict[str, Any]) -> Claim:
    root = unit.get("root", "")
    known = entry(root) if root else None
    premise = unit.get("premise", known.premise if known else "")
    if "holds" not in unit:
        return Claim(**given, row=unit["says"], column="", printed="", compute=None, verdict=NOT_JUDGED, premise=premise)
    cases = _function(unit["holds"])
    return Claim(
        **given,
        row=unit["says"],
        column=unit.get("over", ""),
        printed="",
        compute=_said(cases),
        verdict=_recorded(root, False, False),
        root=root,
        premise=premise,
        entry=known,
    )


def _numbers(given: dict[str, Any], unit: dict[str, Any]) -> Iterator[Claim]:
    """A grid: for each row its printed numbers, one for each column; "?" after a number says that the text does not fix it."""
    columns, random = unit.get("columns", [""]), bool(unit.get("random"))
    roots: dict[str, str] = unit.get("roots", {})
    for row, line in unit["rows"].items():
        for column, text in zip(columns, line.split(), strict=True):
            root = roots.get(f"{row} {column}".strip(), roots.get(row, ""))
            printed, open_ = text.removesuffix("?"), text.endswith("?")
            exact = unit.get("exact", {}).get(printed)
            compute = None
            if "value" in unit:
                found = _function(unit["value"])
                compute = (
                    partial(found, row, column, printed)
                    if random or "mark" in unit
                    else _computed(found, row, column, printed, exact)
                )
            known = entry(root) if root else None
            yield Claim(
                **given,
                row=row,
                column=column,
                printed=printed,
                compute=compute,
                verdict=_recorded(root, random, open_) if compute else NOT_JUDGED,
                root=root,
                premise=known.premise if known else "",
                random=random,
                entry=known,
            )


def _computed(found: Callable[..., float], row: str, column: str, printed: str, exact: float | None) -> Callable[[], Finding]:
    return lambda: number(lambda: found(row, column), printed, exact)
