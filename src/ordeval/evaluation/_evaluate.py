"""evaluate(): the scores of one model, each with its interval."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, rank_distance
from ordeval.base.lazy import lazy
from ordeval.base.types import Missing
from ordeval.counts import Audit, Counts
from ordeval.evaluation._request import chosen_metrics, counts_of, forecasts_of
from ordeval.infer._cuts import CutWithIntervals, cut_intervals
from ordeval.infer._evidence import Evidence, Interval, check_request, interval
from ordeval.infer._row_units import RowEvidence
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import Forecast


@dataclass(frozen=True)
class Score:
    """A score, its interval, and what belongs beside it."""

    value: float
    low: float
    high: float
    method: str  #: how the interval was found; "none" where it cannot be given
    undefined_share: float = 0.0  #: share of replicates without a value
    reason: str = ""  #: why there is no value, or no interval
    details: dict[str, Any] = field(default_factory=dict)  #: such as the length used for an open interval

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"undefined ({self.reason})"
        return (
            f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"
            if self.method != "none"
            else f"{self.value:.3f} (no interval: {self.reason})"
        )


def plain_score(value: float, ends: Interval) -> Score:
    """A score with the interval that was found for it, or the reason why there is none."""
    return Score(value, ends.low, ends.high, ends.method, ends.undefined_share, ends.reason)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of one model."""

    counts: Counts
    scores: dict[str, Score]  #: by the metric's text
    settings: dict[str, Any]
    groups: dict[Any, Evaluation] = field(default_factory=dict)  #: by group; by "column=group" where there are several columns
    forecast: Forecast | None = None  #: the probabilities, where proba= was given

    @property
    def audit(self) -> Audit:
        """What became of the rows."""
        return self.counts.audit

    @property
    def answered(self) -> float:
        """Share of the rows (their weight) that were answered."""
        silent = float(self.counts.unanswered.sum())
        return float(self.counts.total) / (float(self.counts.total) + silent)

    @lazy
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Each score of hard labels if all unanswered rows had been right, or had got the class furthest from their truth."""
        silent = self.counts.unanswered
        furthest = rank_distance(self.counts.scale.K).argmax(-1)
        right, wrong = np.diag(silent), np.zeros_like(self.counts.matrix)
        wrong[np.arange(len(silent)), furthest] = silent
        found = {}
        for text in (text for text in self.scores if get_metric(text).needs_only_counts):
            tables = [self.counts.matrix + right, self.counts.matrix + wrong]
            best, worst = (float(_bound(get_metric(text), table, self.counts)) for table in tables)
            found[text] = (best, worst)
        return found

    @lazy
    def cuts(self) -> list[CutWithIntervals]:
        """Every cut of the scale with Wilson intervals of its sensitivity and specificity."""
        return cut_intervals(self.counts, self.settings["confidence_level"])

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        from ordeval.base.version import __version__

        s = self.settings
        interval = f"ci:{s['method']} level:{s['confidence_level']} b:{s['n_resamples']} seed:{s['rng']}"
        return f"n:{self.counts.total} k:{self.counts.scale.K} {interval} v:{__version__} numpy:{np.__version__}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: undefined is None with a reason."""
        audit = self.audit
        data: dict[str, Any] = {
            "schema": 1,
            "scores": {text: _score_dict(score) for text, score in self.scores.items()},
            "labels": list(self.counts.scale.labels),
            "counts": self.counts.matrix.tolist(),
            "rows": {"read": audit.read, "scored": audit.scored, "unanswered": audit.unanswered, "excluded": audit.excluded},
            "settings": self.settings,
            "signature": self.signature,
        }
        if self.groups:
            data["groups"] = {str(value): group.to_dict() for value, group in self.groups.items()}
        return data

    def to_json(self) -> str:
        """The scores, counts and settings as JSON (docs/json.md)."""
        from ordeval.evaluation._formats import scores

        return scores({"": self}, "json")

    def to_markdown(self) -> str:
        """A Markdown table of the scores."""
        from ordeval.evaluation._formats import scores

        return scores({"": self}, "md")

    def to_latex(self) -> str:
        """A LaTeX table of the scores, in the manner of booktabs."""
        from ordeval.evaluation._formats import scores

        return scores({"": self}, "latex")

    def to_html(self) -> str:
        """A self-contained page: scores, errors, audit, methods."""
        from ordeval.evaluation._report import evaluation_report

        return evaluation_report({_model_name(self.counts): self}).to_html()

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, as the name ends; whole or not at all."""
        from ordeval.evaluation._report import evaluation_report
        from ordeval.show._report import write

        write(evaluation_report({_model_name(self.counts): self}), path, force=force)

    def _repr_html_(self) -> str:
        from ordeval.evaluation._notebook import evaluation

        return evaluation(self)

    def __str__(self) -> str:
        from ordeval.evaluation._text import evaluation

        return "\n".join(evaluation(self))


def _bound(metric: Metric, table: Array, counts: Counts) -> Array:
    whole = Counts.from_matrix(table, labels=counts.scale)
    return metric.bind(whole)(table)


def _model_name(counts: Counts) -> str:
    return counts.models[0] if len(counts.models) == 1 else ""


def finite_or_none(value: float) -> float | None:
    """A number for JSON, which knows neither nan nor infinity."""
    return value if math.isfinite(value) else None


def _score_dict(score: Score) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": finite_or_none(score.value),
        "low": finite_or_none(score.low),
        "high": finite_or_none(score.high),
        "method": score.method,
    }
    if score.undefined_share:
        data["undefined_share"] = score.undefined_share
    if score.reason:
        data["reason"] = score.reason
    if score.details:
        data["details"] = {key: finite_or_none(v) if isinstance(v, float) else v for key, v in score.details.items()}
    return data


def evaluate(
    y_true: Any,
    y_pred: Any = None,
    *,
    proba: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    by: Any = None,
    cluster: Any = None,
    missing: Missing = "error",
    metrics: str | Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 9_999,
    rng: Any = 0,
) -> Evaluation:
    """The scores of one model, each with an interval that has earned its name, or with the reason why there is none.

    Takes labels, or Counts; with ``proba``, a column of probabilities for each class in the order of the scale, probability metrics
    too, and without ``y_pred`` the most probable class is the prediction.  ``metrics`` is a list of names or texts, "all", or None for a few that ask different questions.
    ``method`` is "auto" (docs/coverage.md says what it chooses and why) or one of: "percentile", "basic", "bca" and
    "studentised" bootstrap of rows, or of clusters; "stratified", with the number of rows of each true class held fixed, so it is
    about these truth counts and not about the population; "jackknife" with Student's t, and "logit",
    the same for the log odds of a score between 0 and 1; "delta", the large-sample error, and
    "fisher", the same for artanh of a coefficient; "wilson" for shares of rows; "bayes", the Bayesian bootstrap, and
    "dirichlet", the same with a prior of one row in all, spread over the cells.

    >>> evaluation = evaluate([1, 1, 2, 2, 3, 3] * 20, [1, 1, 2, 3, 3, 3] * 20, metrics=["accuracy"])
    >>> print(evaluation.scores["accuracy"])
    0.833 [0.755, 0.890]
    """
    given = {"y_pred": y_pred, "labels": labels, "sample_weight": sample_weight, "by": by, "cluster": cluster}
    forecasts = forecasts_of("evaluate", y_true, proba, given, missing)
    counts = counts_of("evaluate", y_true, given, missing)
    _ = counts.matrix  # several models are refused here, with the choice named
    found = chosen_metrics(metrics, counts, probabilities=forecasts is not None)
    check_request(method, confidence_level, n_resamples, found, counts.cluster is not None)
    settings = {
        "confidence_level": confidence_level,
        "method": method,
        "n_resamples": n_resamples,
        "rng": rng if isinstance(rng, int) else "given",
    }
    groups = [axis for axis in counts.values if axis != counts.cluster]
    whole = evaluate_counts(counts, found, settings, rng, None if forecasts is None else forecasts.only)
    for axis in groups:
        column = by[axis] if isinstance(by, Mapping) else by
        for value, part in counts.groups(axis).items():
            rows = None if forecasts is None else forecasts.only.rows(forecasts.members(column, value))
            name = value if len(groups) == 1 else f"{axis}={value}"  # two columns may hold the same value
            whole.groups[name] = evaluate_counts(part, found, settings, rng, rows)
    return whole


def evaluate_counts(
    counts: Counts, metrics: Sequence[Metric], settings: dict[str, Any], rng: Any, rows: Forecast | None = None
) -> Evaluation:
    tables = [
        metric for metric in metrics if metric.needs_only_counts or rows is None
    ]  # without rows a probability metric is refused
    if counts.weighted and counts.cluster is None:
        scores = {str(metric): _without_interval(metric, counts) for metric in tables}
    else:
        scores = _scores(Evidence(counts, tables, settings["n_resamples"], rng), counts, settings) if tables else {}
    if rows is not None and len(tables) < len(metrics):
        others = [metric for metric in metrics if not metric.needs_only_counts]
        scores |= _scores(RowEvidence(rows, others, settings["n_resamples"], rng), rows, settings)
    return Evaluation(counts, {str(metric): scores[str(metric)] for metric in metrics}, settings, forecast=rows)


def _scores(evidence: Evidence, sample: Counts | Forecast, settings: dict[str, Any]) -> dict[str, Score]:
    scores = {}
    for m, metric in enumerate(evidence.metrics):
        ends = interval(evidence, m, method=settings["method"], confidence_level=settings["confidence_level"])
        scores[str(metric)] = Score(
            float(evidence.point[m]), ends.low, ends.high, ends.method, ends.undefined_share, ends.reason, metric.details(sample)
        )
    return scores


def _without_interval(metric: Metric, counts: Counts) -> Score:
    reason = "weighted rows: cells have lost them; number the rows and count again with cluster=that column"
    value = float(metric.bind(counts)(counts.matrix))
    return Score(
        value,
        math.nan,
        math.nan,
        "none",
        reason=metric.undefined if math.isnan(value) else reason,
        details=metric.details(counts),
    )
