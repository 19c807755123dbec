"""Lines of text for results that print themselves: columns that line up, numbers for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Lines whose columns line up; those listed in `right` are flush right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]


def name(value: Any) -> str:
    """A name as one line, no control characters: names are data."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))


def number(value: float, places: int = 3) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{places}f}"


def ends(low: float, high: float) -> str:
    return "not given" if math.isnan(low) or math.isnan(high) else f"[{low:.3f}, {high:.3f}]"
