"""One order of several: where parts of the data each carry their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def common_order(orders: Sequence[tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """The longest order, if every other is a part of it in the same sequence; else None.

    >>> common_order([("low", "high"), ("low", "mid", "high")])
    ('low', 'mid', 'high')
    >>> common_order([("low", "mid", "high"), ("mid", "low")])
    """
    longest = max(orders, key=len)
    return longest if all(is_part(order, longest) for order in orders) else None


def is_part(order: Sequence[Any], whole: Sequence[Any]) -> bool:
    """Whether all of these values stand in the whole, in the same sequence."""
    place = {value: i for i, value in enumerate(whole)}
    places = [place.get(value, -1) for value in order]
    return all(a < b for a, b in zip([-1, *places], places, strict=False))
