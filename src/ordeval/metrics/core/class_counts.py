"""Class counts from outside the sample: metrics that price an answer by how common the classes are can be told how common."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.order.columns import short
from ordeval.order.scale import Scale


def check_class_counts(class_counts: Any) -> None:
    """Refuse what is not a class distribution; whether it fits the scale is seen when there is one."""
    if class_counts is None:
        return
    if not isinstance(class_counts, (dict, tuple)):
        raise ArgumentTypeError(
            "{class_counts} must hold one count per class, lowest first, or be a mapping from class to count",
            argument="class_counts",
        )
    for where, number in class_counts.items() if isinstance(class_counts, dict) else enumerate(class_counts):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise ArgumentTypeError(
                "{class_counts} holds a {kind} at {where}",
                argument="class_counts",
                remedy="counts are numbers",
                values={"kind": type(number).__name__, "where": short(where)},
            )
        if not 0 <= number <= sys.float_info.max:
            raise ArgumentError(
                "{class_counts} is {number} at {where}",
                argument="class_counts",
                remedy="counts are finite and not negative",
                values={"number": short(number), "where": short(where)},
            )


def gold_of(scale: Scale, class_counts: Mapping[Any, float] | tuple[float, ...]) -> Array:
    """The external class distribution as one number per class of the scale; a class that a mapping leaves out has none."""
    gold = np.zeros(scale.K)
    if isinstance(class_counts, Mapping):
        np.add.at(gold, scale.encode([*class_counts], name="class_counts"), [*class_counts.values()])
    elif len(class_counts) == scale.K:
        gold[:] = class_counts
    else:
        raise ArgumentError(
            "{class_counts} holds {n} counts, and there are {k} classes ({scale})",
            argument="class_counts",
            remedy="give one count per class, lowest first",
            values={"n": len(class_counts), "k": scale.K, "scale": scale},
        )
    return gold
