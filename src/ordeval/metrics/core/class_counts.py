"""Class counts from outside the sample: metrics that price an answer by how common the classes are can be told how common."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.order.columns import short
from ordeval.order.scale import Scale


def check_gold_counts(gold_counts: Any) -> None:
    """Refuse what is no class distribution; whether it fits the scale is seen when there is one."""
    if gold_counts is None:
        return
    if not isinstance(gold_counts, (dict, tuple)):
        raise TypeError("gold_counts holds one count per class, lowest first, or is a mapping from class to count")
    for where, number in gold_counts.items() if isinstance(gold_counts, dict) else enumerate(gold_counts):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise TypeError(f"gold_counts holds a {type(number).__name__} at {short(where)}; counts are numbers")
        if not 0 <= number <= sys.float_info.max:
            raise ValueError(f"gold_counts is {short(number)} at {short(where)}; counts are finite and not negative")


def gold_of(scale: Scale, gold_counts: Mapping[Any, float] | tuple[float, ...]) -> Array:
    """The external class distribution as one number per class of the scale; a class that a mapping leaves out has none."""
    gold = np.zeros(scale.K)
    if isinstance(gold_counts, Mapping):
        np.add.at(gold, scale.encode([*gold_counts], name="gold_counts"), [*gold_counts.values()])
    elif len(gold_counts) == scale.K:
        gold[:] = gold_counts
    else:
        raise ValueError(
            f"gold_counts holds {len(gold_counts)} counts, and there are {scale.K} classes ({scale}); "
            f"give one count per class, lowest first"
        )
    return gold
