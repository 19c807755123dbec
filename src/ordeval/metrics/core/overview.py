"""All metrics at a glance: names, directions and titles, for a terminal and for the README."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ordeval.metrics.core.docs import better, bounds_text, direction
from ordeval.metrics.core.record import Metric
from ordeval.show import Block, Result, Table
from ordeval.show._plain import align
from ordeval.show._result import plain_data


class Catalogue(list[Metric], Result):
    """Metrics, family by family: a list that prints as a table."""

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"metric": m.name, "family": m.family, "title": m.title, "better": better(m), "bounds": bounds_text(m)} for m in self
        ]

    def _blocks(self) -> list[Block]:
        rows = self._rows()
        return [Table(list(rows[0]) if rows else [], [list(row.values()) for row in rows], left=5)]

    def to_dict(self) -> dict[str, Any]:
        """Everything that is recorded of each metric, as plain data."""
        return {"metrics": [plain_data(m.to_dict()) for m in self]}

    def __str__(self) -> str:
        lines = iter(align([[m.name, direction(m), m.title] for m in self]) if self else [])
        out = []
        for family, members in groupby(self, key=lambda m: m.family):
            out += ["", family.upper(), *(f"  {next(lines)}" for _ in members)]
        return "\n".join(out[1:])


def metrics_markdown(metrics: Catalogue) -> list[str]:
    """The same as a Markdown table, for the README."""
    lines = ["| metric | what it is | better | bounds |", "|---|---|---|---|"]
    for m in metrics:
        best = m.direction if isinstance(m.direction, str) else f"near {m.direction:g}"
        lines.append(f"| `{m.name}` | {m.summary.rstrip('.').replace('``', '`')} | {best} | {bounds_text(m)} |")
    return lines
