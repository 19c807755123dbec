"""Bundled data, so that every example in the documentation can be run."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near

EXAMPLES = ("triage",)


@documented("The columns by name, None where a field is empty.", name="Which example.")
def load_example(name: str = "triage") -> dict[str, list[Any]]:
    """The columns of a bundled example, as text; probabilities (p_…) as numbers.

    "triage": 2,400 emergency visits with the grade that each deserved (green, yellow, orange, red) and the grades that a
    nurse and a model gave; also the site, the patient, and the model's probability of each grade.  Drawn with a fixed seed.

    >>> load_example("triage")["grade"][:3]
    ['green', 'red', 'yellow']
    """
    if name not in EXAMPLES:
        remedy = near(str(name), EXAMPLES) or f"choose one of {', '.join(map(repr, EXAMPLES))}"
        raise ArgumentError("there is no example {given}", argument="name", remedy=remedy, values={"given": repr(name)})
    text = (files("ordeval") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    kinds = {column: float if column.startswith("p_") else str for column in columns}
    return {column: [kinds[column](field) if field else None for field in fields] for column, fields in columns.items()}
