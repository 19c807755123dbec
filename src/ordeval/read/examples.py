"""Bundled data, so that every example in the documentation can be run."""

from __future__ import annotations

import csv
from importlib.resources import files

EXAMPLES = ("triage",)


def load_example(name: str = "triage") -> dict[str, list[str | None]]:
    """The columns of a bundled example, as text; None where a field is empty.

    "triage": 2,400 emergency visits with the grade that each deserved (green, yellow, orange, red) and the grades that a
    nurse and a model gave; site and patient beside them.  Drawn from a fixed seed.

    >>> load_example("triage")["grade"][:3]
    ['green', 'red', 'yellow']
    """
    if name not in EXAMPLES:
        raise ValueError(f"there is no example {name!r}; choose one of {', '.join(map(repr, EXAMPLES))}")
    text = (files("ordeval") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    return {column: [field or None for field in fields] for column, fields in zip(header, zip(*rows, strict=True), strict=True)}
