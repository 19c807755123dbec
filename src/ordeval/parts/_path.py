"""What is inside the ordinal classification index: rows left out, distance, and the penalty of rows on the path."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ordeval.base.arrays import rank_distance
from ordeval.base.docs import documented
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.core.score import as_counts
from ordeval.metrics.core.types import Answer, Labels, Truth, Weights
from ordeval.metrics.families.path import oci, oci_path
from ordeval.metrics.solvers.paths import distance_penalty, total_distance
from ordeval.show import Block, Line, Result


@dataclass(frozen=True)
class PathParts(Result):
    """The index as a sum: ``index = dispersion + left_out + penalty``, and ``1 - benefit = dispersion + left_out``."""

    path: tuple[tuple[Any, Any], ...]  #: its cells, as pairs of true and predicted class
    rows: float  #: N
    on_path: float  #: rows on the path
    distance: float  #: M: the distance of all rows from the diagonal
    benefit: float  #: rows on the path / (N + M)
    dispersion: float  #: M / (N + M)
    left_out: float  #: rows off the path / (N + M)
    penalty: float  #: what rows on the path cost that are off the diagonal
    index: float

    def _rows(self) -> list[dict[str, Any]]:
        return [{"part": f.name, "value": getattr(self, f.name)} for f in fields(self) if f.name != "path"]

    def _blocks(self) -> list[Block]:
        parts = f"dispersion {self.dispersion:.4f} + left out {self.left_out:.4f} + penalty {self.penalty:.4f}"
        return [Line(f"oci {self.index:.4f} = {parts}")]


@documented("The parts, which add up to the index.", share="As in `oci`.", gamma="As in `oci`.", beta="As in `oci`.")
def oci_parts(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    share: float = 0.75,
    gamma: float = 1.0,
    beta: float | None = None,
) -> PathParts:
    """What the best path keeps and what each part adds to `oci`; the parameters are those of `oci`.  All nan without rows.

    >>> parts = oci_parts([1, 2, 3, 3], [1, 2, 3, 1], labels=[1, 2, 3])
    >>> [round(part, 4) for part in (parts.dispersion, parts.left_out, parts.penalty, parts.index)]
    [0.3333, 0.1667, 0.0, 0.5]
    """
    found = get_metric(oci).with_params(share=share, gamma=gamma, beta=beta)
    counts = as_counts("oci_parts", y_true, y_pred, labels, sample_weight)
    table = counts.matrix.astype(float)
    index, rows = float(found.bind(counts)(table)), float(table.sum())
    if not rows:
        return PathParts((), 0.0, 0.0, 0.0, *[math.nan] * 5)
    path = oci_path(counts, share=share, gamma=gamma, beta=beta)
    place = {label: i for i, label in enumerate(counts.scale.labels)}
    cells = tuple(np.array([(place[t], place[p]) for t, p in path]).T)
    on = float(table[cells].sum())
    distance = float(total_distance(table, gamma))
    fee = distance_penalty(counts.scale.K, share, gamma, beta)[rank_distance(counts.scale.K)[cells]]
    penalty = float((table[cells] * fee).sum()) / (rows if beta is None else 1)
    whole = rows + distance
    return PathParts(
        tuple(path),
        rows,
        on,
        distance,
        on / whole,
        1 / (1 + rows / distance) if distance else 0.0,
        (rows - on) / whole,
        penalty,
        index,
    )
