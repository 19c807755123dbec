"""Edges of interval classes: checking them, naming the intervals, reading bins of whole numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from itertools import pairwise


def checked_edges(edges: Iterable[float]) -> tuple[float, ...]:
    try:
        values = tuple(float(edge) for edge in edges)
    except (TypeError, ValueError):
        raise TypeError("edges must be numbers, lowest first; only the outer ones may be infinite") from None
    if len(values) < 2:
        raise ValueError(
            f"edges has {len(values):,} number{'' if len(values) == 1 else 's'}; interval classes need at least two edges"
        )
    if any(math.isnan(value) for value in values):
        raise ValueError("edges holds NaN; every edge is a number")
    for before, after in pairwise(values):
        if not before < after:
            raise ValueError(f"edges must strictly increase, but {number(after)} follows {number(before)}")
        if math.isinf(after - before) and math.isfinite(before) and math.isfinite(after):
            raise ValueError(f"the interval from {number(before)} to {number(after)} is longer than a number can say; rescale")
    return values  # increasing, so only the outer edges can be infinite


def interval_text(left: float, right: float, closed: str) -> str:
    opening = "[" if closed == "left" and math.isfinite(left) else "("
    closing = "]" if closed == "right" and math.isfinite(right) else ")"
    return f"{opening}{number(left)}, {number(right)}{closing}"


def number(value: float) -> str:
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e16 else repr(value)


_BINS: dict[str, Callable[..., tuple[float, float]]] = {
    r"(-?\d+)\s*[-–]\s*(-?\d+)": lambda a, b: (a, b + 1),
    r"(-?\d+)": lambda a: (a, a + 1),
    r">\s*(-?\d+)": lambda a: (a + 1, math.inf),
    r"(?:>=|≥)\s*(-?\d+)|(-?\d+)\s*\+": lambda a: (a, math.inf),
    r"<\s*(-?\d+)": lambda a: (-math.inf, a),
    r"(?:<=|≤)\s*(-?\d+)": lambda a: (-math.inf, a + 1),
}


def integer_range(text: str) -> tuple[float, float]:
    for pattern, bounds in _BINS.items():
        if match := re.fullmatch(pattern, text):
            start, end = bounds(*(int(group) for group in match.groups() if group is not None))
            if start >= end:
                raise ValueError(f"the bin {text!r} ends before it starts")
            return start, end
    raise ValueError(f'{text!r} is not a bin of whole numbers; write "3-7", "5", ">14", "15+", "<1" or "<=0"')


def tolerance(edges: Iterable[float]) -> float:
    """How far apart two edges may be that are meant to be one: whole numbers must be equal."""
    finite = [float(edge) for edge in edges if math.isfinite(edge)]
    whole = all(edge.is_integer() for edge in finite)
    return 0.0 if whole or not finite else 1e-9 * (max(finite) - min(finite))


def touch(a: float, b: float, near: float) -> bool:
    return a == b or abs(a - b) <= near
