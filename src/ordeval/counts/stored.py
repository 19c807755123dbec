"""Counts as plain data, and back again; what is not counts is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordeval.counts.blanks import WRONG
from ordeval.counts.table import TRUE, Counts, axis_sizes, checked_weights
from ordeval.counts.tally import tally
from ordeval.order.scale import Scale


def as_plain(counts: Counts) -> dict[str, Any]:
    """What a file of counts holds; its schema is 1."""
    return {
        "ordeval": "counts",
        "schema": 1,
        "scale": counts.scale.to_dict(),
        "axes": list(counts.axes),
        "values": {axis: list(values) for axis, values in counts.values.items()},
        "cluster": counts.cluster,
        "cells": counts.cells.tolist(),
        "weights": counts.weights.tolist(),
        "rows": None if counts.row_counts is None else counts.row_counts.tolist(),
        "excluded": dict(counts.excluded),
        **({"unparsable": {axis: dict(answers) for axis, answers in counts.unparsable.items()}} if counts.unparsable else {}),
        **({"blanks": counts.blanks} if counts.blanks else {}),
        **({"filled": {axis: dict(classes) for axis, classes in counts.filled.items()}} if counts.filled else {}),
    }


def read_json(path: str | os.PathLike[str]) -> Counts:
    """The counts in a file."""
    with open(path, encoding="utf-8") as file:
        try:
            data = json.load(file)
            if (data["ordeval"], data["schema"]) != ("counts", 1):
                raise ValueError("its schema is not 1")
            return from_plain(data)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise ValueError(f"{os.fspath(path)} does not hold counts saved by ordeval: {error}") from None


def from_plain(data: Mapping[str, Any]) -> Counts:
    """The counts that `as_plain` wrote, each part checked."""
    scale, axes = Scale.from_dict(data["scale"]), tuple(data["axes"])
    values = {axis: tuple(v) for axis, v in data["values"].items()}
    cells = np.array(data["cells"] or np.zeros(0, int)).reshape(-1, len(axes))
    if cells.dtype.kind != "i":
        raise ValueError("a cell is not made of whole numbers")
    weights = checked_weights(np.array(data["weights"]), len(cells), "weights")
    rows = None if data["rows"] is None else checked_weights(np.array(data["rows"]), len(cells), "rows")
    sizes = axis_sizes(axes, scale, values)
    least = [-1 if axis != TRUE and axis not in values else 0 for axis in axes]
    ratings = TRUE not in axes  # one axis for each rater, and no groups
    if len(set(axes)) < len(axes) or not axes or not set(values) <= set(axes) or (ratings and values):
        raise ValueError("its axes are not those of counts")
    if cells.size and not ((cells >= least) & (cells < sizes)).all():
        raise ValueError("a cell is outside the scale")
    columns = list(cells.T)
    ordered, summed = tally(columns, sizes, weights)
    if len(ordered) < len(cells):
        raise ValueError("a cell occurs twice")
    if rows is not None:
        rows = tally(columns, sizes, rows)[1]
    if data["cluster"] is not None and data["cluster"] not in values:
        raise ValueError("its clusters are not an axis")
    excluded = _numbers(data["excluded"])
    counts = Counts(scale, axes, ordered, summed, values=values, cluster=data["cluster"], rows=rows, excluded=excluded)
    counts.unparsable = {str(axis): _numbers(answers) for axis, answers in data.get("unparsable", {}).items()}
    counts.filled = {str(axis): _numbers(classes) for axis, classes in data.get("filled", {}).items()}
    counts.blanks = data.get("blanks", "")
    if counts.blanks not in ("", WRONG):
        raise ValueError("it does not say what a blank counts as")
    return counts


def _numbers(data: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(number) for name, number in data.items()}
