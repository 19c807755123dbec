"""Numbers as results print them of themselves."""

from __future__ import annotations

import math


def number(value: float, places: int = 3) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{places}f}"


def ends(low: float, high: float) -> str:
    return "not given" if math.isnan(low) or math.isnan(high) else f"[{low:.3f}, {high:.3f}]"
