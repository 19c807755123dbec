"""Edges of interval classes: checking them, naming the intervals, reading bins of whole numbers and the intervals of pandas."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.order.columns import column_error
from ordeval.show._plain import count_text


def checked_edges(edges: Iterable[float]) -> tuple[float, ...]:
    def error(problem: str, remedy: str = "", kind: type[ArgumentError] = ArgumentError) -> ArgumentError:
        return kind(problem, argument="edges", remedy=remedy)

    try:
        values = tuple(float(edge) for edge in edges)
    except (TypeError, ValueError):
        remedy = "only the outer ones may be infinite"
        raise error("{edges} must be numbers, lowest first", remedy, ArgumentTypeError) from None
    except OverflowError:
        raise error("an edge is too large for a floating-point number", "rescale, or use inf") from None
    if len(values) < 2:
        raise error(f"{{edges}} has {count_text(len(values), 'number')}", "interval classes need at least two edges")
    if any(math.isnan(value) for value in values):
        raise error("{edges} holds NaN", "every edge is a number")
    for before, after in pairwise(values):
        if not before < after:
            raise error(f"{{edges}} must strictly increase, but {number(after)} follows {number(before)}")
        if math.isinf(after - before) and math.isfinite(before) and math.isfinite(after):
            raise error(
                f"the interval from {number(before)} to {number(after)} is too long for a floating-point number", "rescale"
            )
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


def integer_edges(bins: Sequence[str]) -> list[float]:
    """The edges of bins of whole numbers that follow one another, as they are written."""
    ranges = [_integer_range(text) for text in bins]
    for (left, right), (before, after) in zip(pairwise(bins), pairwise(ranges), strict=True):
        if before[1] != after[0]:
            what = "a gap" if before[1] < after[0] else "an overlap"
            problem = f"there is {what} between the {{bins}} {{left}} and {{right}}"
            raise _bins_error(problem, "each whole number needs exactly one bin", left=left, right=right)
    return [ranges[0][0], *(end for _, end in ranges)]


def _integer_range(text: str) -> tuple[float, float]:
    for pattern, bounds in _BINS.items():
        if match := re.fullmatch(pattern, text):
            start, end = bounds(*(int(group) for group in match.groups() if group is not None))
            if start >= end:
                raise _bins_error("the bin {text} ends before it starts", text=text)
            return start, end
    raise _bins_error("{text} is not a bin of whole numbers", 'write "3-7", "5", ">14", "15+", "<1" or "<=0"', text=text)


def _bins_error(problem: str, remedy: str = "", **texts: str) -> ArgumentError:
    return ArgumentError(problem, argument="bins", remedy=remedy, values={name: repr(text) for name, text in texts.items()})


def pandas_edges(intervals: Sequence[Any], name: str) -> list[float]:
    """The edges of the intervals that pandas' `cut` or `qcut` made."""
    if intervals[0].closed not in ("left", "right"):
        problem = " holds intervals closed on {closed}, so an edge belongs to two classes or to none"
        raise column_error(name, problem, "close them on one side", closed=intervals[0].closed)
    ends = [_ends(interval, name) for interval in intervals]
    near = _tolerance([end for both in ends for end in both])
    for i, ((_, end), (start, _)) in enumerate(pairwise(ends)):
        if not _touch(end, start, near):
            remedy = "if unused categories were removed, keep them, or give the edges: {labels:Scale.from_edges([...])}"
            problem = ": the intervals {first} and {second} do not touch"
            raise column_error(name, problem, remedy, first=str(intervals[i]), second=str(intervals[i + 1]))
    return [*(start for start, _ in ends), ends[-1][1]]


def pandas_classes(intervals: Sequence[Any], edges: Sequence[float], name: str) -> list[int]:
    """The class that each interval is; -1 if it is none."""
    near = _tolerance(edges)

    def found(left: float, right: float) -> int:
        classes = enumerate(pairwise(edges))
        return next((code for code, (a, b) in classes if _touch(a, left, near) and _touch(b, right, near)), -1)

    return [found(*_ends(interval, name)) for interval in intervals]


def _ends(interval: Any, name: str) -> tuple[float, float]:
    try:
        return float(interval.left), float(interval.right)
    except TypeError:
        problem, remedy = " holds the interval {interval}, whose ends are not numbers", "convert them to numbers, such as days"
        raise column_error(name, problem, remedy, ArgumentTypeError, interval=str(interval)) from None


def _tolerance(edges: Iterable[float]) -> float:
    """How far apart two edges may be that are meant to be one: whole numbers must be equal."""
    finite = [edge for edge in edges if math.isfinite(edge)]
    whole = all(edge.is_integer() for edge in finite)
    return 0.0 if whole or not finite else 1e-9 * (max(finite) - min(finite))


def _touch(a: float, b: float, near: float) -> bool:
    return a == b or abs(a - b) <= near
