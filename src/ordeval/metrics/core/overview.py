"""All metrics at a glance: names, directions and titles, for a terminal and for the README."""

from __future__ import annotations

from itertools import groupby

from ordeval.metrics.core.docs import bounds_text, direction
from ordeval.metrics.core.registry import catalogue
from ordeval.show._plain import align


def metrics_table() -> list[str]:
    """All metrics, family by family: name, direction, title."""
    rows = [[m.name, direction(m), m.title] for m in catalogue()]
    lines = iter(align(rows))
    out = []
    for family, members in groupby(catalogue(), key=lambda m: m.family):
        out += ["", family.upper(), *(f"  {next(lines)}" for _ in members)]
    return out[1:]


def metrics_markdown() -> list[str]:
    """The same as a Markdown table, for the README."""
    lines = ["| metric | what it is | better | bounds |", "|---|---|---|---|"]
    for m in catalogue():
        better = m.direction if isinstance(m.direction, str) else f"near {m.direction:g}"
        lines.append(f"| `{m.name}` | {m.summary.rstrip('.').replace('``', '`')} | {better} | {bounds_text(m)} |")
    return lines
