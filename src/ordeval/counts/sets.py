"""Prediction sets: neighbouring classes from lo to hi, given instead of one class.

A sample of sets is Counts over truth, lo and hi, so that everything Counts can do (merging, clusters, JSON) works for sets too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ordeval.base import types as t
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.counts.counting import count
from ordeval.counts.table import Counts, Truth
from ordeval.order.scale import Labels

AXES = ("lo", "hi")


def count_sets(y_true: Truth, sets: t.Sets, labels: Labels, sample_weight: t.Weights, cluster: t.Groups) -> Counts:
    """Counts from the columns of lowest and highest classes; counts of sets as they are."""
    if isinstance(y_true, Counts):
        for name, given in (("sets", sets), ("labels", labels), ("sample_weight", sample_weight), ("cluster", cluster)):
            if given is not None:
                raise ArgumentTypeError(f"{{{name}}} was given with Counts, which already hold it; leave it out", argument=name)
        check_sets(y_true)
        return y_true
    columns = dict(zip(AXES, _both_ends(sets), strict=True))
    counts = count(y_true, columns, labels=labels, sample_weight=sample_weight, cluster=cluster)
    check_sets(counts)
    return counts


def _both_ends(sets: Any) -> list[Any]:
    if isinstance(sets, Mapping):
        sets = [sets.get(axis) for axis in AXES]
    elif hasattr(sets, "shape") and len(sets.shape) == 2:
        sets = list(np.asarray(sets).T)
    if not isinstance(sets, (list, tuple)) or len(sets) != 2 or any(end is None for end in sets):
        raise ArgumentTypeError(
            "{sets} is the pair (lo, hi): a column with the lowest and one with the highest class of every row's set",
            argument="sets",
        )
    return list(sets)


def check_sets(counts: Counts) -> None:
    """Refuse counts that are not of sets, and sets that end below where they begin."""
    if counts.models != AXES:
        raise ArgumentError(
            "prediction sets are counts of truth, lo and hi, but these counts are of {axes}",
            argument="y_true",
            remedy="use Counts.from_sets",
            values={"axes": ", ".join(counts.axes)},
        )
    lo, hi = (counts.cells[:, counts.axes.index(axis)] for axis in AXES)
    if (empty := np.flatnonzero(lo > hi)).size:
        first = empty[0]
        low, high = counts.scale.labels[lo[first]], counts.scale.labels[hi[first]]
        raise ArgumentError(
            f"{float(counts.weights[empty].sum()):g} {{sets}} end below where they begin, such as {{low}} to {{high}}",
            argument="sets",
            remedy="lo is the lower end",
            values={"low": repr(low), "high": repr(high)},
        )
