"""Samples of lm-evaluation-harness: JSON lines with every document once for each filter."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ordeval.base.errors import ArgumentError, near
from ordeval.read.judge_ratings import RawRatings, compiled, last_match

TARGET = "target"
DATED = re.compile(r"_\d{4}-\d{2}-\d{2}T[\d.:-]+$")


def judge_of(path: str) -> str:
    """The name of the file without ``samples_`` and the date.

    >>> judge_of("out/samples_essays_2026-03-01T10-20-30.123456.jsonl")
    'essays'
    """
    name = os.path.basename(path)
    return DATED.sub("", name.removesuffix(".gz").removesuffix(".jsonl").removeprefix("samples_"))


def from_samples(
    path: str, rows: Iterable[Mapping[str, Any]], *, filter: str | None, item: str | None, parse: str | None
) -> RawRatings:
    """The ratings of a samples file: the filtered answer, or what a pattern finds in each response."""
    raw, judge, found = RawRatings(path, given_often={TARGET}), judge_of(path), list(rows)
    filters = list(dict.fromkeys(str(row.get("filter")) for row in found))
    if filter is None and len(filters) > 1:
        raise ArgumentError(
            "{path} holds each document {n} times, once for each filter ({filters})",
            argument="filter",
            remedy="choose one with {filter:{name}}",
            values={"path": path, "n": len(filters), "filters": ", ".join(filters), "name": repr(filters[0])},
        )
    if filter is not None and filter not in filters:
        values = {"path": path, "given": repr(filter), "filters": ", ".join(filters)}
        remedy = near(filter, filters) or "it holds {filters}"
        raise ArgumentError("{path} holds no filter {given}", argument="filter", remedy=remedy, values=values)
    pattern = None if parse is None else compiled(parse)
    for row in found:
        if filter is not None and row.get("filter") != filter:
            continue
        thing, trace = _item(path, row, item), row.get("doc_hash") or row.get("doc_id")
        responses = _listed(_listed(row.get("resps"))[0] if _listed(row.get("resps")) else [])
        if pattern is None:
            answer = _listed(row.get("filtered_resps"))
            grade = answer[0] if answer else None
            grade = grade[0] if isinstance(grade, list) and len(grade) == 1 else grade
            raw.add(thing, trace, judge, 1, grade, responses[0] if len(responses) == 1 else None)
        else:
            for i, text in enumerate(responses, 1):
                raw.add(thing, trace, judge, i, last_match(pattern, str(text)), text)
        raw.add_person(thing, trace, TARGET, row.get("target"))
    return raw


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _item(path: str, row: Mapping[str, Any], item: str | None) -> Any:
    given = row.get("doc")
    document: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    if item is None:
        return row.get("doc_id")
    for place in (document, row):
        if item in place:
            return place[item]
    hint = near(item, document) or f"it has {', '.join(document)}"
    values = {"path": path, "given": repr(item), "hint": hint}
    raise ArgumentError("the documents in {path} have no field {given}", argument="item", remedy="{hint}", values=values)
