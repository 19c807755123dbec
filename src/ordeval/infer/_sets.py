"""Prediction sets with intervals: how often they hold the truth, overall and for every true class, how wide they are, how far they miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Method, Rng, Weights
from ordeval.counts import Counts
from ordeval.counts.table import Truth
from ordeval.infer._auto import Interval
from ordeval.infer._common import record
from ordeval.infer._methods import check_request, interval
from ordeval.infer._row_units import RowEvidence
from ordeval.infer._units import ROW
from ordeval.metrics import Metric, get_metric
from ordeval.order.columns import read_column
from ordeval.order.scale import Labels
from ordeval.show import Result, Table
from ordeval.show._numbers import number, with_interval
from ordeval.show._result import Record


@dataclass(frozen=True)
class SetScore:
    """A score of prediction sets and its interval."""

    value: float
    interval: Interval

    def __str__(self) -> str:
        ends = self.interval
        if ends.reason:
            return f"{number(self.value)} (no interval: {ends.reason})"
        return with_interval(self.value, ends.low, ends.high)


@dataclass(frozen=True, eq=False)
class SetEvaluation(Result):
    """The scores of prediction sets, overall and for every true class that occurs."""

    counts: Counts
    coverage: float  #: the share of sets that are meant to hold the truth
    scores: dict[str, SetScore]  #: set_coverage, set_size and miss_distance
    by_class: dict[Any, dict[str, SetScore]]  #: the same for the rows of each true class
    confidence_level: float = 0.95  #: of the intervals

    def _rows(self) -> list[Record]:
        columns = "class metric value low high method"
        return [
            record(columns, label, name, score.value, score.interval.low, score.interval.high, score.interval.method)
            for label, found in [(None, self.scores), *self.by_class.items()]
            for name, score in found.items()
        ]

    def _blocks(self) -> list[Table]:
        parts = [("all rows", self.scores), *((str(label), found) for label, found in self.by_class.items())]
        rows = [
            [label, *(with_interval(score.value, score.interval.low, score.interval.high) for score in found.values())]
            for label, found in parts
        ]
        caption = (
            f"Sets that are meant to hold the truth in {100 * self.coverage:g} % of the rows; "
            f"{100 * self.confidence_level:g} % confidence intervals."
        )
        reasons = [
            f"no interval for {name}: {score.interval.reason}"
            for _, found in parts
            for name, score in found.items()
            if score.interval.reason
        ]
        return [Table(["true class", *self.scores], rows, caption, list(dict.fromkeys(reasons)))]


@renamed_keywords
@documented(
    "The scores of the sets, overall and for every true class.",
    y_true="The true classes, one entry for each row; or counts of sets, given alone.",
    coverage="The share of sets that are meant to hold the truth.",
)
def evaluate_sets(
    y_true: Truth,
    sets: tuple[Column, Column] | None = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    cluster: Column | None = None,
    coverage: float = 0.9,
    confidence_level: float = 0.95,
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> SetEvaluation:
    """Coverage, size and miss distance of prediction sets, overall and by true class.

    >>> print(evaluate_sets([1, 2, 3] * 30, ([1, 1, 2] * 30, [2, 2, 2] * 30)).by_class[3]["set_coverage"])
    0.000 [0.000, 0.095]
    """
    counts = behind = Counts.from_sets(y_true, sets, labels=labels, sample_weight=sample_weight, cluster=cluster)
    if sample_weight is not None and cluster is None:  # intervals need the rows, which weighted counts have lost
        rows = {ROW: np.arange(len(read_column(y_true, "y_true")))}
        behind = Counts.from_sets(y_true, sets, labels=labels, sample_weight=sample_weight, cluster=rows)
    metrics = [get_metric("set_coverage").with_params(coverage=coverage), get_metric("set_size"), get_metric("miss_distance")]
    check_request(method, confidence_level, n_resamples, metrics, counts.cluster is not None)
    how = {"method": method, "confidence_level": confidence_level}
    by_class = {}
    for code, label in enumerate(counts.scale.labels):
        chosen = behind.cells[:, behind.axes.index("true")] == code
        if chosen.any():
            by_class[label] = _scored(_part(behind, chosen), metrics, how, n_resamples, rng)
    return SetEvaluation(counts, coverage, _scored(behind, metrics, how, n_resamples, rng), by_class, confidence_level)


def _part(counts: Counts, chosen: Array) -> Counts:
    return Counts(
        counts.scale,
        counts.axes,
        counts.cells[chosen].copy(),
        counts.weights[chosen].copy(),
        values=counts.values,
        cluster=counts.cluster,
        rows=None if counts.row_counts is None else counts.row_counts[chosen],
    )


def _scored(counts: Counts, metrics: list[Metric], how: dict[str, Any], n_resamples: int | None, rng: Rng) -> dict[str, SetScore]:
    if counts.weighted and counts.cluster is None:
        lost = "rows with weights were added up; number the rows and count again with cluster=that column"
        none = Interval(np.nan, np.nan, "none", reason=lost)
        return {metric.name: SetScore(metric.kernel(counts).point(), none) for metric in metrics}
    if counts.cluster is not None and len(np.unique(counts.cells[:, counts.axes.index(counts.cluster)])) < 2:
        alone = "there is one row" if counts.cluster == ROW else "all of these rows belong to one cluster"
        none = Interval(np.nan, np.nan, "none", reason=alone)
        return {metric.name: SetScore(metric.kernel(counts).point(), none) for metric in metrics}
    evidence = RowEvidence(counts, metrics, n_resamples, rng)
    ends = [interval(evidence, m, **how) for m in range(len(metrics))]
    return {metric.name: SetScore(float(evidence.point[m]), ends[m]) for m, metric in enumerate(metrics)}
