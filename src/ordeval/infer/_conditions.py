"""When an interval can be given: one sentence for each condition that a score of this structure has, the same everywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.infer._tables import FEWEST_CLUSTERS, FEWEST_EFFECTIVE, Clusters
from ordeval.metrics import Metric
from ordeval.show._plain import printable

FEWEST_ROWS = {
    "share": 1,
    "row_mean": 30,
    "slope": 100,
    "class_mean": 1,
    "extreme": 1,
    "order": 1,
    "class_precision": 1,
    "cost": 1,
}
OTHERWISE = 15  # rows that a score of any other structure needs
CLASS_ROWS = {"class_mean": 1, "extreme": 1, "class_precision": 3, "cost": 10, "order": 3}  # rows of every class of the scale
AT_A_CUT = 10  # rows on either side of every cut that a slope needs
ROWS_A_CLASS = 20  # rows for each class that a purity needs
BY_CLASSES = ("purity", "inverse_purity")
MOSTLY_UNDEFINED = "in most samples like this one the score has no value"
BINNED = "chance alone raises it; the value of a calibrated forecast stands beside it"


@dataclass(frozen=True)
class Facts:
    """What the conditions ask about."""

    rows: float  #: independent rows, or items
    truths: Array  #: (K,) rows of every class of the scale
    labels: tuple[Any, ...]
    clusters: Clusters | None = None


def refusal(metric: Metric, value: float, facts: Facts) -> str:
    """Why no interval can be given; empty where one can."""
    if math.isnan(value):
        return f"the score is undefined: {metric.undefined}"
    if math.isinf(value):
        return "the score is infinite: what had the probability 0 came true"
    return lacking(metric, facts)


def lacking(metric: Metric, facts: Facts) -> str:
    """Which condition a sample does not meet, whatever its score."""
    structure, rows = metric.structure, facts.rows
    if structure == "binned":
        return BINNED
    if facts.clusters is not None and not facts.clusters.weighted_rows:
        number, effective = facts.clusters.number, facts.clusters.effective
        if number < FEWEST_CLUSTERS or effective < FEWEST_EFFECTIVE:
            return (
                f"{number:,} clusters (as good as {effective:.1f} of equal size); {FEWEST_CLUSTERS} are enough, "
                f"if as good as {FEWEST_EFFECTIVE:g}"
            )
    least = FEWEST_ROWS.get(structure, OTHERWISE)
    if rows < least:
        return f"{_rows(rows)}; {least} are enough"
    classes = CLASS_ROWS.get(structure, 0)
    if classes and not (structure == "cost" and metric.params.get("class_counts") is not None):
        fewest = int(np.argmin(facts.truths))
        label, there = printable(facts.labels[fewest]), facts.truths[fewest]
        if not there:
            return f"class {label} has no rows, so an average over all classes is not known; labels without {label} are enough"
        if there < classes:
            return f"class {label} has {_rows(there)}; {classes} in every class are enough"
    if structure == "slope":
        below = np.cumsum(facts.truths)[:-1]
        least_at = int(np.argmin(np.minimum(below, rows - below)))
        there = min(below[least_at], rows - below[least_at])
        if there < AT_A_CUT:
            label = printable(facts.labels[least_at])
            return f"the cut above {label} has {_rows(there)} on one side; {AT_A_CUT} on either side are enough"
    if metric.name in BY_CLASSES and rows < ROWS_A_CLASS * len(facts.truths):
        return f"{_rows(rows)}; {ROWS_A_CLASS * len(facts.truths):,} are enough, {ROWS_A_CLASS} for each class"
    return ""


def _rows(number: float) -> str:
    return f"{number:,.0f} row{'' if number == 1 else 's'}"


def in_words(metric: Metric) -> str:
    """How an interval of this score is found, and what it needs."""
    structure = metric.structure
    if structure == "binned":
        return f"none: {BINNED}"
    how = {"share": "mid-P", "extreme": "limits of the single classes", "slope": "jackknife with Student's t"}
    least, classes = FEWEST_ROWS.get(structure, OTHERWISE), CLASS_ROWS.get(structure, 0)
    needs = [f"{least} rows"] if least > 1 else []
    needs += [f"{classes} row{'s' * (classes > 1)} of every class of the scale"] if classes else []
    needs += [f"{AT_A_CUT} on either side of every cut"] if structure == "slope" else []
    needs += [f"{ROWS_A_CLASS} for each class"] if metric.name in BY_CLASSES else []
    return how.get(structure, "test inversion") + (f"; needs {' and '.join(needs)}" if needs else "")
