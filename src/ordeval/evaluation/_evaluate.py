"""evaluate(): the scores of one model, each with its interval."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.lazy import lazy
from ordeval.base.types import Answer, Column, Method, Missing, Proba, Rng, Weights
from ordeval.base.version import __version__
from ordeval.counts import Audit, Counts, Truth
from ordeval.counts.blanks import put
from ordeval.evaluation._groups import group_axes, group_name
from ordeval.evaluation._request import MetricLike, chosen_metrics, counted, forecasts_of
from ordeval.evaluation._score import Score, score_data
from ordeval.evaluation._study import study_mark
from ordeval.evaluation._units import Unit, signed, unit_of
from ordeval.infer._check import check
from ordeval.infer._cuts import CutWithIntervals, cut_intervals
from ordeval.infer._evidence import Evidence
from ordeval.infer._methods import check_request, interval, samples
from ordeval.infer._row_units import RowEvidence
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.stacks import by_place
from ordeval.order import Labels
from ordeval.show import Block, Page, Result
from ordeval.show import write as write_page
from ordeval.show._plain import safe_names

LOST = (
    "rows with weights were added up; give cluster=, the column that names what was sampled, or a row number if rows were sampled"
)
ONE = "all rows belong to one cluster, and one cluster says nothing about the next"


@dataclass(frozen=True, eq=False)
class Evaluation(Result):
    """The scores of one model."""

    counts: Counts
    scores: dict[str, Score]  #: by the metric's text
    settings: dict[str, Any]
    groups: dict[Any, Evaluation] = field(default_factory=dict)  #: by group; by "column=group" where there are several columns
    forecast: Forecast | None = None  #: the probabilities, where proba= was given

    def __getitem__(self, metric: MetricLike) -> Score:
        return self.scores[str(get_metric(metric))]

    @property
    def audit(self) -> Audit:
        """Where every row went."""
        return self.counts.audit

    @property
    def answered(self) -> float:
        """Share of the rows (their weight) that were answered."""
        answered, silent = float(self.counts.matrix.sum()), float(self.counts.unanswered.sum())
        return answered / (answered + silent)

    @lazy
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Each score of hard labels if all unanswered rows had been right, or had received the worst class for it (`Metric.worst_classes`)."""
        silent, found = self.counts.unanswered, {}
        for metric in (get_metric(text) for text in self.scores):
            if metric.needs_only_counts:
                right, wrong = np.diag(silent), np.zeros_like(self.counts.matrix)
                wrong[np.arange(len(silent)), metric.worst_classes(self.counts)] = silent
                tables = [self.counts.matrix + right, self.counts.matrix + wrong]
                best, worst = (float(_bound(metric, table, self.counts)) for table in tables)
                found[str(metric)] = (best, worst)
        return found

    @property
    def notes(self) -> list[str]:
        """What must be said beside the scores: those for which a blank counts by a rule, and another answer may score worse."""
        if not self.counts.blanks:
            return []
        hard = [text for text in self.scores if get_metric(text).needs_only_counts]
        rules = [text for text in hard if not get_metric(text).rowwise] if self.counts.unanswered.any() else []
        endless = [text for text, score in self.scores.items() if math.isinf(score.value)]
        rule = "a row without an answer counts as the class most steps away; that is a rule, and another answer may score worse"
        forecast = "a row without a forecast counts as one that was sure of the class most steps away, which did not come true"
        said = [f"{', '.join(rules)}: {rule}"] if rules else []
        return [*said, *([f"{', '.join(endless)} is infinite: {forecast}"] if endless else [])]

    @lazy
    def cuts(self) -> list[CutWithIntervals]:
        """Every cut of the scale with Wilson intervals of its sensitivity and specificity."""
        return cut_intervals(self.counts, self.settings["confidence_level"])

    @property
    def errors_text(self) -> str:
        """Where the model errs, for a terminal: the matrix of truth and prediction in the order of the scale, and the weakest cut."""
        from ordeval.evaluation._text import error_lines

        return "\n".join(error_lines(self.counts))

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        s = self.settings
        interval = f"ci:{s['method']} level:{s['confidence_level']} b:{s['n_resamples']} seed:{s['rng']}"
        blanks = f" missing:{self.counts.blanks}" if self.counts.blanks else ""
        return f"n:{self.counts.total} k:{self.counts.scale.K}{blanks} {interval} v:{__version__} numpy:{np.__version__}{signed(self.counts)}{study_mark(s)}"

    @property
    def unit(self) -> Unit | None:
        """What was resampled, by name, and how many there are: rows, or clusters; None where the rows behind weights are not known."""
        return unit_of(self.counts)

    @documented(
        "The scores by `Metric.key`, each with its interval where there is one, as ``key``, ``key_low`` and ``key_high``; beside them "
        "``rows`` and ``answered``, and those of groups as ``site/a/key``. What is undefined is left out.",
        prefix="What every name begins with, such as the name of a run.",
        separator="What separates the prefix from the name.",
    )
    def flat(self, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """The scores as a flat mapping, for tools that log numbers by name."""
        start = f"{prefix}{separator}" if prefix else ""
        audit = self.counts.audit
        found = {f"{start}answered": self.answered}
        if audit.scored is not None and audit.unanswered is not None:
            found = {f"{start}rows": float(audit.scored + audit.unanswered), **found}
        for text, score in self.scores.items():
            key = start + get_metric(text).key
            ends = {key: score.value, f"{key}_low": score.low, f"{key}_high": score.high}
            found |= {name: value for name, value in ends.items() if math.isfinite(value)}
        axes = [axis for axis in self.counts.values if axis != self.counts.cluster]
        several = safe_names(self.groups)
        for value, group in self.groups.items():
            name = several[value] if len(axes) > 1 else separator.join([*safe_names(axes).values(), several[value]])
            found |= group.flat(f"{start}{name}", separator)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON (docs/json.md): undefined is None with a reason."""
        audit = self.audit
        data: dict[str, Any] = {
            "schema": 1,
            "scores": {text: score_data(score) for text, score in self.scores.items()},
            "labels": list(self.counts.scale.labels),
            "counts": self.counts.matrix.tolist(),
            "rows": audit.to_dict(),
            "settings": self.settings,
            "signature": self.signature,
        }
        if self.counts.blanks:
            data["no_answer"] = {"counts_as": self.counts.blanks, "rows": self.counts.unanswered.tolist()}
        if self.groups:
            data["groups"] = {str(value): group.to_dict() for value, group in self.groups.items()}
        return data

    def _rows(self) -> list[dict[str, Any]]:
        found = []
        for group, part in {"": self, **self.groups}.items():
            for score in part.scores.values():
                found += [{**row, "group": group} for row in score._rows()]
        return found

    def _blocks(self) -> list[Block]:
        return Evaluations({_model_name(self.counts): self})._blocks()

    def __str__(self) -> str:
        return str(Evaluations({_model_name(self.counts): self}))

    @documented(
        "The page, for `ordeval.show.write`.", sources="Facts about the files, by name.", study="The text of the study file."
    )
    def page(self, sources: Mapping[str, str] | None = None, study: str | None = None) -> Page:
        """The report as blocks, before it is written in a format."""
        return Evaluations({_model_name(self.counts): self}).page(sources, study)

    def to_html(self) -> str:
        """A self-contained page: scores, errors, audit, methods."""
        from ordeval.show._html import page_as_html

        return page_as_html(self.page())

    @documented("Nothing; either the whole file is written, or an error says why not.")
    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, by the ending of the file name; the file is written whole or not at all."""
        write_page(self.page(), path, force=force)


@dataclass(frozen=True, eq=False)
class Evaluations(Result):
    """One model or several, each evaluated on its own."""

    evaluations: Mapping[str, Evaluation]
    source: str = ""  #: what the rows are called, such as the name of their file

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON (docs/json.md): one model as it is, several under their names."""
        if len(self.evaluations) == 1:
            return next(iter(self.evaluations.values())).to_dict()
        return {"schema": 1, "models": {model: result.to_dict() for model, result in self.evaluations.items()}}

    def _rows(self) -> list[dict[str, Any]]:
        return [{"model": model, **row} for model, result in self.evaluations.items() for row in result._rows()]

    def _blocks(self) -> list[Block]:
        from ordeval.evaluation._tables import group_tables, score_table

        return [score_table(self.evaluations), *group_tables(self.evaluations)]

    def __str__(self) -> str:
        from ordeval.evaluation._text import evaluations

        return "\n".join(evaluations(self.evaluations, self.source))

    @documented(
        "The page, for `ordeval.show.write`.", sources="Facts about the files, by name.", study="The text of the study file."
    )
    def page(self, sources: Mapping[str, str] | None = None, study: str | None = None) -> Page:
        """The report as blocks, before it is written in a format."""
        from ordeval.evaluation._report import evaluation_page

        return evaluation_page(self.evaluations, sources, study)


def _bound(metric: Metric, table: Array, counts: Counts) -> Array:
    whole = Counts.from_matrix(table, labels=counts.scale)
    return metric.bind(whole)(table)


def _model_name(counts: Counts) -> str:
    return counts.models[0] if len(counts.models) == 1 else ""


@documented(
    "The scores with their intervals, the groups, the counts behind them.",
    y_pred="The predicted classes of the same rows; without them the most probable class of ``proba`` is the prediction.",
    check_intervals="Also count how often these intervals hold in 400 data sets simulated from the smoothed sample; this takes seconds.",
)
def evaluate(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    proba: Proba = None,
    labels: Labels = None,
    sample_weight: Weights = None,
    by: Column | Mapping[str, Column] | None = None,
    cluster: Column | Mapping[str, Column] | None = None,
    missing: Missing = "error",
    metrics: Literal["all"] | MetricLike | Sequence[MetricLike] | None = None,
    method: Method = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    check_intervals: bool = False,
    rng: Rng = 0,
) -> Evaluation:
    """The scores of one model, each with a confidence interval, or with the reason why there is none.

    "auto" inverts a test: an end is the score at which a sample like this one has become as unlikely as the tail
    (docs/explanation/intervals.md says how, docs/coverage.md how often it holds).  Other methods can be asked for: "percentile",
    "basic", "bca" and "studentised" bootstrap of rows, or of clusters; "stratified", with the number of rows of each true class
    held fixed; "jackknife" with Student's t, and "logit", the same for the log odds of a score between 0 and 1; "delta", the
    large-sample error, and "fisher", the same for artanh of a coefficient; "wilson" for shares of rows; "bayes", the Bayesian
    bootstrap, and "dirichlet", the same with a prior worth one row in total, spread over the cells.

    >>> evaluation = evaluate([1, 1, 2, 2, 3, 3] * 20, [1, 1, 2, 3, 3, 3] * 20, metrics=["accuracy"])
    >>> print(evaluation.scores["accuracy"])
    0.833 [0.759, 0.892]
    """
    given = {"y_pred": y_pred, "labels": labels, "sample_weight": sample_weight, "by": by, "cluster": cluster}
    forecasts = forecasts_of("evaluate", y_true, proba, given, missing)
    counts, behind = counted("evaluate", y_true, given, missing)
    _ = counts.matrix  # several models are refused here, with the choice named
    found = chosen_metrics(metrics, counts, probabilities=forecasts is not None)
    check_request(method, confidence_level, n_resamples, found, counts.cluster is not None)
    settings = {
        "confidence_level": confidence_level,
        "method": method,
        "n_resamples": samples(method, n_resamples, counts.scale.K),
        "check_intervals": check_intervals,
        "rng": rng if isinstance(rng, int) else "given",
    }
    if check_intervals and method != "auto":
        raise ArgumentError(
            "{check_intervals} checks the method 'auto', but {method:{given}} was requested",
            argument="check_intervals",
            remedy="leave one of the two out",
            values={"given": repr(method)},
        )
    groups = group_axes(counts)
    whole = evaluate_counts(counts, found, settings, rng, None if forecasts is None else forecasts.only, behind)
    for axis in groups:
        column = by[axis] if isinstance(by, Mapping) else by
        rows_of = behind.groups(axis)
        for value, part in counts.groups(axis).items():
            rows = None if forecasts is None else forecasts.only.rows(forecasts.members(column, value))
            name = group_name(axis, value, groups)
            whole.groups[name] = evaluate_counts(part, found, settings, rng, rows, rows_of[value], group=True)
    return whole


def evaluate_counts(
    counts: Counts,
    metrics: Sequence[Metric],
    settings: dict[str, Any],
    rng: Any,
    rows: Forecast | None = None,
    behind: Counts | None = None,
    *,
    group: bool = False,
) -> Evaluation:
    """The scores of one model's counts; ``behind`` are the same with weighted rows apart.  A group of one cluster has no intervals."""
    behind = counts if behind is None else behind
    tables = [
        metric for metric in metrics if metric.needs_only_counts or rows is None
    ]  # without rows a probability metric is refused
    scores: dict[str, Score] = {}
    why, unit = "", unit_of(behind)
    if behind.cluster is None:
        why = LOST if behind.weighted else ""
    elif group and unit is not None and unit.number < 2:
        why = ONE
    for placed, alike in by_place(counts, tables):
        if why:
            scores |= {str(metric): _without_interval(metric, placed, why) for metric in alike}
        else:
            rows_of = placed if behind is counts else put(behind, alike[0].worst_classes(counts)) if counts.blanks else behind
            scores |= _scores(Evidence(rows_of, alike, settings["n_resamples"], rng), placed, settings)
    if rows is not None and len(tables) < len(metrics):
        others = [metric for metric in metrics if not metric.needs_only_counts]
        scores |= _scores(RowEvidence(rows, others, settings["n_resamples"], rng), rows, settings)
    return Evaluation(counts, {str(metric): scores[str(metric)] for metric in metrics}, settings, forecast=rows)


def _scores(evidence: Evidence, sample: Counts | Forecast, settings: dict[str, Any]) -> dict[str, Score]:
    scores = {}
    for m, metric in enumerate(evidence.metrics):
        ends = interval(evidence, m, method=settings["method"], confidence_level=settings["confidence_level"])
        held = None
        if settings.get("check_intervals") and ends.method in ("mid-P", "test inversion"):
            held = check(evidence.intervals, metric, settings["confidence_level"], evidence.intervals.streams)
        scores[str(metric)] = Score(
            float(evidence.point[m]),
            ends.low,
            ends.high,
            ends.method,
            ends.undefined_share,
            ends.reason,
            metric.details(sample),
            metric=str(metric),
            confidence_level=settings["confidence_level"],
            n=sample.total if isinstance(sample, Counts) else len(sample),
            effective_rows=ends.rows,
            **({} if held is None else {"held": held.share, "held_error": held.error, "held_given": held.given}),
        )
    return scores


def _without_interval(metric: Metric, counts: Counts, reason: str) -> Score:
    value = float(metric.bind(counts)(counts.matrix))
    return Score(
        value,
        math.nan,
        math.nan,
        "none",
        reason=metric.undefined if math.isnan(value) else reason,
        details=metric.details(counts),
    )
