"""Text for a terminal: columns that line up, labels that are data and nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # control and formatting signs, and the two that end a line


def printable(text: Any) -> str:
    """A label as text for a terminal: one line, no control characters."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in _UNSEEN else c for c in str(text))


def display_width(text: str) -> int:
    """Columns that a text takes: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shorten(text: Any, width: int) -> str:
    """The text, cut with an ellipsis if it is wider than that."""
    line = printable(text)
    if display_width(line) <= width:
        return line
    while display_width(line) > width - 1:
        line = line[:-1]
    return line + "…"


def align(rows: Sequence[Sequence[str]], *, right: Iterable[int] = (), gap: str = "  ") -> list[str]:
    """Lines of a table whose columns line up; columns listed in `right` are flush right."""
    right = set(right)
    widths = [max(display_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - display_width(cell))
            cells.append(space + cell if i in right else cell + space)
        lines.append(gap.join(cells).rstrip())
    return lines
