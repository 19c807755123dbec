"""What was measured of the metrics that `advise` may name: numbers recorded from the synthetic campaign, and small tables scored on the spot."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ordeval.counts import Counts
from ordeval.metrics import get_metric
from ordeval.order.scale import Scale


@dataclass(frozen=True)
class Measurement:
    """From the synthetic campaign of the CEM paper: closest reading, seed 0, 50 systems, 29 metrics."""

    coverage: float
    rank: int  #: by coverage, of 29
    robustness: float


METRICS = 29
RECORDED = {
    "accuracy_within": Measurement(0.80, 20, 0.97),
    "balanced_accuracy": Measurement(0.82, 16, 0.96),
    "mae": Measurement(0.85, 11, 0.96),
    "amae": Measurement(0.89, 3, 0.94),
    "cohen_kappa": Measurement(0.83, 14, 0.97),
    "cohen_kappa(weights='linear')": Measurement(0.90, 1, 0.97),
    "cem": Measurement(0.90, 2, 0.98),
}

#: 90, 6 and 4 true rows, and the answer that is the largest class throughout.
MAJORITY = ((90, 0, 0), (6, 0, 0), (4, 0, 0))
#: Four classes of ten rows each, one row of the lowest wrong: answered as its neighbour, and as the highest.
NEAR = ((9, 1, 0, 0), (0, 10, 0, 0), (0, 0, 10, 0), (0, 0, 0, 10))
FAR = ((9, 0, 0, 1), (0, 10, 0, 0), (0, 0, 10, 0), (0, 0, 0, 10))
#: Three intervals, the last one open, with even true rows and with most of them in the open one.
OPEN = (0.0, 30.0, 60.0, math.inf)
EVEN, MOSTLY_OPEN = (10, 10, 10), (10, 10, 80)


def score(metric: str, table: tuple[tuple[int, ...], ...]) -> float:
    """The score of a small table; interval classes are as long as each other."""
    found = get_metric(metric)
    labels = Scale.from_edges(range(len(table) + 1)) if "edges" in found.needs else None
    counts = Counts.from_matrix(np.array(table), labels=labels)
    return float(found.bind(counts)(counts.matrix))


def open_length(rows: tuple[int, ...]) -> float:
    """The length that an open interval is given where the true rows are these."""
    counts = Counts.from_matrix(np.diag(rows), labels=Scale.from_edges(OPEN))
    length = get_metric("interval_stc").details(counts)["length"]
    return float(length)


def of_probabilities(metric: str) -> tuple[float, float]:
    """The scores of two forecasts of three rows, sure and unsure, that give the most to the right class."""
    sure, unsure = (np.where(np.eye(3, dtype=bool), most, (1 - most) / 2) for most in (0.9, 0.4))
    tables = [np.eye(3, dtype=int)[:, forecast.argmax(1)] for forecast in (sure, unsure)]  # each row's most probable class
    one, other = (score(metric, tuple(map(tuple, table.tolist()))) for table in tables)
    return one, other
