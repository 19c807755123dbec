"""Prediction sets with intervals: how often they hold the truth, overall and for every true class, how wide they are, how far they miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.infer._evidence import Interval, check_request, interval
from ordeval.infer._row_units import RowEvidence
from ordeval.metrics import Metric, get_metric
from ordeval.show._plain import align, shorten


@dataclass(frozen=True)
class SetScore:
    """A score of prediction sets and its interval."""

    value: float
    interval: Interval

    def __str__(self) -> str:
        ends = self.interval
        return (
            f"{self.value:.3f} [{ends.low:.3f}, {ends.high:.3f}]"
            if not ends.reason
            else f"{self.value:.3f} (no interval: {ends.reason})"
        )


@dataclass(frozen=True, eq=False)
class SetEvaluation:
    """The scores of prediction sets, overall and for every true class that occurs."""

    counts: Counts
    level: float  #: the share of sets that are meant to hold the truth
    scores: dict[str, SetScore]  #: set_coverage, set_size and miss_distance
    by_class: dict[Any, dict[str, SetScore]]  #: the same for the rows of each true class
    confidence_level: float = 0.95  #: of the intervals

    def __str__(self) -> str:
        names = list(self.scores)
        rows = [["", *names], ["all", *map(str, self.scores.values())]]
        rows += [[shorten(label, 12), *map(str, found.values())] for label, found in self.by_class.items()]
        return "\n".join([f"sets that are meant to hold the truth in {self.level:.0%} of the rows", *align(rows)])


def evaluate_sets(
    y_true: Any,
    sets: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    cluster: Any = None,
    level: float = 0.9,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 9_999,
    rng: Any = 0,
) -> SetEvaluation:
    """Coverage, size and miss distance of prediction sets, overall and by true class.

    ``sets`` is the pair (lo, hi) of columns; or give Counts made by `Counts.from_sets`.  ``level`` is the coverage that was aimed at.

    >>> print(evaluate_sets([1, 2, 3] * 30, ([1, 1, 2] * 30, [2, 2, 2] * 30)).by_class[3]["set_coverage"])
    0.000 [0.000, 0.114]
    """
    counts = Counts.from_sets(y_true, sets, labels=labels, sample_weight=sample_weight, cluster=cluster)
    metrics = [get_metric("set_coverage").with_params(level=level), get_metric("set_size"), get_metric("miss_distance")]
    check_request(method, confidence_level, n_resamples, metrics, counts.cluster is not None)
    how = {"method": method, "confidence_level": confidence_level}
    by_class = {}
    for code, label in enumerate(counts.scale.labels):
        chosen = counts.cells[:, counts.axes.index("true")] == code
        if chosen.any():
            by_class[label] = _scored(_part(counts, chosen), metrics, how, n_resamples, rng)
    return SetEvaluation(counts, level, _scored(counts, metrics, how, n_resamples, rng), by_class, confidence_level)


def _part(counts: Counts, chosen: Any) -> Counts:
    return Counts(
        counts.scale,
        counts.axes,
        counts.cells[chosen].copy(),
        counts.weights[chosen].copy(),
        values=counts.values,
        cluster=counts.cluster,
        rows=None if counts.row_counts is None else counts.row_counts[chosen],
    )


def _scored(counts: Counts, metrics: list[Metric], how: dict[str, Any], n_resamples: int, rng: Any) -> dict[str, SetScore]:
    if counts.weighted and counts.cluster is None:
        lost = "weighted rows: counts have lost them; number the rows and count again with cluster=that column"
        none = Interval(np.nan, np.nan, "none", reason=lost)
        return {metric.name: SetScore(metric.kernel(counts).point(), none) for metric in metrics}
    if counts.cluster is not None and len(np.unique(counts.cells[:, counts.axes.index(counts.cluster)])) < 2:
        none = Interval(np.nan, np.nan, "none", reason="all of these rows belong to one cluster")
        return {metric.name: SetScore(metric.kernel(counts).point(), none) for metric in metrics}
    evidence = RowEvidence(counts, metrics, n_resamples, rng)
    ends = [interval(evidence, m, **how) for m in range(len(metrics))]
    return {metric.name: SetScore(float(evidence.point[m]), ends[m]) for m, metric in enumerate(metrics)}
