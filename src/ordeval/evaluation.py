"""evaluate() and compare(): the scores of one model, of several on the same rows; where scores, infer and show meet."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ordeval._arrays import Array, rank_distance
from ordeval.counts import Audit, Counts, count
from ordeval.infer.cuts import CutWithIntervals, cut_intervals
from ordeval.infer.difference import Difference, differences
from ordeval.infer.dominance import Dominance, dominance
from ordeval.infer.flips import Flips, flips
from ordeval.infer.intervals import Evidence, check_request, interval
from ordeval.infer.ranks import Ranks, rank_sets
from ordeval.infer.rows import RowEvidence, row_differences
from ordeval.scores import Forecast, Metric, catalogue, get_metric
from ordeval.scores.forecasts import Forecasts, read_forecasts

DEFAULT_METRICS = ("accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "cem", "oci")
DEFAULT_WITH_PROBABILITIES = (*DEFAULT_METRICS, "rps_skill")


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
        return self.counts.audit

    @property
    def answered(self) -> float:
        """Share of the rows (their weight) that were answered."""
        silent = float(self.counts.unanswered.sum())
        return float(self.counts.total) / (float(self.counts.total) + silent)

    @cached_property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Each score of hard labels if all unanswered rows had been right, or had got the class furthest from their truth."""
        silent = self.counts.unanswered
        furthest = rank_distance(self.counts.scale.K).argmax(-1)
        right, wrong = np.diag(silent), np.zeros_like(self.counts.matrix)
        wrong[np.arange(len(silent)), furthest] = silent
        found = {}
        for text in (text for text in self.scores if get_metric(text).counted):
            tables = [self.counts.matrix + right, self.counts.matrix + wrong]
            best, worst = (float(_bound(get_metric(text), table, self.counts)) for table in tables)
            found[text] = (best, worst)
        return found

    @cached_property
    def cuts(self) -> list[CutWithIntervals]:
        """Every cut of the scale with Wilson intervals of its sensitivity and specificity."""
        return cut_intervals(self.counts, self.settings["confidence_level"])

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        from ordeval import __version__

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
        from ordeval.show.formats import scores

        return scores({"": self}, "json")

    def to_markdown(self) -> str:
        """A Markdown table of the scores."""
        from ordeval.show.formats import scores

        return scores({"": self}, "md")

    def to_latex(self) -> str:
        """A LaTeX table of the scores, in the manner of booktabs."""
        from ordeval.show.formats import scores

        return scores({"": self}, "latex")

    def to_html(self) -> str:
        """A self-contained page: scores, errors, audit, methods."""
        from ordeval.show.report import evaluation_report

        return evaluation_report({_model_name(self.counts): self}).to_html()

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, as the name ends; whole or not at all."""
        from ordeval.show.report import evaluation_report, write

        write(evaluation_report({_model_name(self.counts): self}), path, force=force)

    def _repr_html_(self) -> str:
        from ordeval.show.notebook import evaluation

        return evaluation(self)

    def __str__(self) -> str:
        from ordeval.show.text import evaluation

        return "\n".join(evaluation(self))


def _bound(metric: Metric, table: Array, counts: Counts) -> Array:
    whole = Counts.from_matrix(table, labels=counts.scale)
    return metric.bind(whole)(table)


def _model_name(counts: Counts) -> str:
    return counts.models[0] if len(counts.models) == 1 else ""


def _plain(value: float) -> float | None:
    """A number for JSON, which knows no nan."""
    return None if math.isnan(value) else value


def _score_dict(score: Score) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": _plain(score.value),
        "low": _plain(score.low),
        "high": _plain(score.high),
        "method": score.method,
    }
    if score.undefined_share:
        data["undefined_share"] = score.undefined_share
    if score.reason:
        data["reason"] = score.reason
    if score.details:
        data["details"] = {key: _plain(v) if isinstance(v, float) else v for key, v in score.details.items()}
    return data


def chosen_metrics(metrics: Any, counts: Counts, *, probabilities: bool = False) -> list[Metric]:
    """The metrics asked for: a few by default, "all" whose needs are met, or a list of texts."""
    if metrics is None:
        return [get_metric(text) for text in (DEFAULT_WITH_PROBABILITIES if probabilities else DEFAULT_METRICS)]
    if isinstance(metrics, str):
        if metrics != "all":
            return [get_metric(metrics)]
        met = {"whole counts": counts.whole, "edges": counts.scale.edges is not None, "probabilities": probabilities}
        offers = {need for need, is_met in met.items() if is_met}
        return [metric for metric in catalogue() if metric.needs <= offers]
    return [get_metric(text) for text in metrics]


def evaluate(
    y_true: Any,
    y_pred: Any = None,
    *,
    proba: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    by: Any = None,
    cluster: Any = None,
    missing: str = "error",
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
    forecasts = _forecasts_of("evaluate", y_true, proba, given, missing)
    counts = _counts_of("evaluate", y_true, given, missing)
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
    whole = _evaluated(counts, found, settings, rng, None if forecasts is None else forecasts.only)
    for axis in groups:
        column = by[axis] if isinstance(by, Mapping) else by
        for value, part in counts.groups(axis).items():
            rows = None if forecasts is None else forecasts.only.rows(forecasts.members(column, value))
            name = value if len(groups) == 1 else f"{axis}={value}"  # two columns may hold the same value
            whole.groups[name] = _evaluated(part, found, settings, rng, rows)
    return whole


def _forecasts_of(caller: str, y_true: Any, proba: Any, given: dict[str, Any], missing: str) -> Forecasts | None:
    """The forecasts where there are some; then the scale is theirs, and without predictions the most probable classes are."""
    if proba is None:
        return None
    if isinstance(y_true, Counts):
        raise TypeError(f"proba= beside Counts: probabilities belong to rows; call {caller} with y_true and proba")
    beside = {"predictions": _columns(given["y_pred"]), "groups": [*_columns(given.get("by")), *_columns(given["cluster"])]}
    same = {key: given[key] for key in ("labels", "sample_weight", "cluster")}
    forecasts = read_forecasts(y_true, proba, **same, **beside, missing=missing)
    answers = forecasts.most_probable
    if given["y_pred"] is None:
        given["y_pred"] = answers if isinstance(proba, Mapping) else next(iter(answers.values()))
    given["labels"] = forecasts.scale
    return forecasts


def _counts_of(caller: str, y_true: Any, given: dict[str, Any], missing: str) -> Counts:
    if not isinstance(y_true, Counts):
        return count(y_true, given.pop("y_pred"), **given, missing=missing)
    for name, value in given.items():
        if value is not None:
            raise TypeError(f"{name}= beside Counts: the counts already hold it; call {caller} with the counts alone")
    return y_true


def _columns(given: Any) -> list[Any]:
    return [] if given is None else list(given.values()) if isinstance(given, Mapping) else [given]


def _evaluated(
    counts: Counts, metrics: Sequence[Metric], settings: dict[str, Any], rng: Any, rows: Forecast | None = None
) -> Evaluation:
    tables = [metric for metric in metrics if metric.counted or rows is None]  # without rows a probability metric is refused
    if counts.weighted and counts.cluster is None:
        scores = {str(metric): _without_interval(metric, counts) for metric in tables}
    else:
        scores = _scores(Evidence(counts, tables, settings["n_resamples"], rng), counts, settings) if tables else {}
    if rows is not None and len(tables) < len(metrics):
        others = [metric for metric in metrics if not metric.counted]
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


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several models on the same rows."""

    counts: Counts
    primary: str  #: the text of the score that decides
    evaluations: dict[str, Evaluation]  #: by model
    differences: dict[tuple[str, str], dict[str, Difference]]  #: by pair of models, then by metric: second less first
    settings: dict[str, Any]

    @cached_property
    def flips(self) -> dict[tuple[str, str], Flips]:
        """For each pair, the rows on which the second came closer to the truth, or went further from it."""
        return {(a, b): flips(self.counts, a, b) for a, b in self.differences}

    @cached_property
    def dominance(self) -> dict[tuple[str, str], Dominance]:
        """For each pair, whether one is at least as good whatever an error costs, and the cost that would turn it around."""
        return {(a, b): dominance(self.counts, a, b, **self._resampling) for a, b in self.differences}

    @cached_property
    def ranks(self) -> Ranks:
        """The ranks that each model may hold by the primary score, all of them together."""
        return rank_sets(self.counts, get_metric(self.primary), **self._resampling)

    @property
    def _resampling(self) -> dict[str, Any]:
        level, size, seed = (self.settings[key] for key in ("confidence_level", "n_resamples", "rng"))
        return {"confidence_level": level, "n_resamples": size, "rng": seed if isinstance(seed, int) else 0}

    @property
    def verdict(self) -> str:
        """What may be said of the models by the primary score, a sentence for each pair."""
        return "  ".join(
            _verdict(get_metric(self.primary), a, b, found[self.primary], self.settings)
            for (a, b), found in self.differences.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the models as in `Evaluation.to_dict`, and every paired difference."""
        return {
            "schema": 1,
            "primary": self.primary,
            "verdict": self.verdict,
            "models": {model: result.to_dict() for model, result in self.evaluations.items()},
            "differences": [
                {"first": a, "second": b, "scores": {text: _difference_dict(d) for text, d in found.items()}}
                for (a, b), found in self.differences.items()
            ],
            "settings": self.settings,
        }

    def to_json(self) -> str:
        """The models and their differences as JSON (docs/json.md)."""
        from ordeval.show.formats import comparison

        return comparison(self, "json")

    def to_markdown(self) -> str:
        """A Markdown table of scores and differences."""
        from ordeval.show.formats import comparison

        return comparison(self, "md")

    def to_latex(self) -> str:
        """A LaTeX table of scores and differences, in the manner of booktabs."""
        from ordeval.show.formats import comparison

        return comparison(self, "latex")

    def to_html(self) -> str:
        """A self-contained page: scores, differences, errors, audit, methods."""
        from ordeval.show.report import comparison_report

        return comparison_report(self).to_html()

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, as the name ends; whole or not at all."""
        from ordeval.show.report import comparison_report, write

        write(comparison_report(self), path, force=force)

    def _repr_html_(self) -> str:
        from ordeval.show.notebook import comparison

        return comparison(self)

    def __str__(self) -> str:
        from ordeval.show.text import comparison

        return "\n".join(comparison(self))


def _difference_dict(difference: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": _plain(difference.value),
        "low": _plain(difference.low),
        "high": _plain(difference.high),
        "p_value": _plain(difference.p_value),
        "band": [_plain(end) for end in difference.band],
    }
    if difference.reason:
        data["reason"] = difference.reason
    if difference.equivalent is not None:
        data |= {"equivalent": difference.equivalent, "not_inferior": difference.not_inferior}
    return data


def _verdict(metric: Metric, a: str, b: str, found: Difference, settings: dict[str, Any]) -> str:
    if found.reason:
        return f"{a} and {b} cannot be compared by {metric.title}: {found.reason}."
    if found.equivalent:
        return f"{a} and {b} are equivalent by {metric.title}, within {settings['margin']:g} ({found})."
    if found.low <= 0 <= found.high:
        return f"{a} and {b} cannot be told apart by {metric.title} ({found})."
    winner, loser = (b, a) if (found.value > 0) == (metric.direction == "higher") else (a, b)
    return f"{winner} is better than {loser} by {metric.title} ({b} less {a}: {found})."


def compare(
    y_true: Any,
    predictions: Any = None,
    *,
    proba: Any = None,
    primary: Any = None,
    margin: float | None = None,
    labels: Any = None,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "error",
    metrics: str | Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 1_999,
    rng: Any = 0,
) -> Comparison:
    """Several models on the same rows: paired differences with intervals and p-values, and a verdict in a sentence.

    ``predictions`` is ``{"a": column, "b": column}``; or give Counts with several models.  One score decides: ``primary``, or
    the first metric; the others get bands that hold together.  With ``proba={"a": columns, "b": columns}`` probability metrics are
    compared too, and without ``predictions`` the most probable classes are the predictions.  With a ``margin`` the primary score is also tested for equivalence.

    >>> truth = [1, 2, 3, 4] * 50
    >>> better, worse = [1, 2, 3, 3] * 50, [1, 3, 3, 2, 1, 2, 4, 4] * 25
    >>> print(compare(truth, {"worse": worse, "better": better}, metrics=["mae"]).verdict)
    better is better than worse by Mean absolute error (better less worse: -0.250 [-0.344, -0.156], p = 0.0005).
    """
    given = {"y_pred": predictions, "labels": labels, "sample_weight": sample_weight, "cluster": cluster}
    if proba is not None and not isinstance(proba, Mapping):
        raise TypeError("a comparison needs the probabilities of two models or more: proba={'a': columns, 'b': columns}")
    forecasts = _forecasts_of("compare", y_true, proba, given, missing)
    counts = _counts_of("compare", y_true, given, missing)
    if len(counts.models) < 2:
        raise ValueError("a comparison needs two models or more: predictions={'a': column, 'b': column}")
    if forecasts is not None and set(forecasts.models) != set(counts.models):
        named = f"{', '.join(forecasts.models)}, and predictions={', '.join(counts.models)}"
        raise ValueError(f"proba= names the models {named}; each model needs both, or leave predictions away")
    if not counts.total:
        raise ValueError("no row was answered by all models; there is nothing to compare")
    decisive = None if primary is None else get_metric(primary)
    found = chosen_metrics(metrics, counts, probabilities=forecasts is not None)
    ordered = list(dict.fromkeys([*([decisive] if decisive else []), *found]))
    if not isinstance(ordered[0].direction, str):
        raise ValueError(f"{ordered[0]} has a target, not a direction, so it cannot decide; name another primary=")
    if margin is not None and not margin > 0:
        raise ValueError(f"margin={margin!r}: the margin of equivalence is a number above 0")
    check_request(method, confidence_level, n_resamples, ordered, counts.cluster is not None)
    settings = {
        "confidence_level": confidence_level,
        "method": method,
        "n_resamples": n_resamples,
        "margin": margin,
        "rng": rng if isinstance(rng, int) else "given",
    }
    rows = forecasts.models if forecasts else dict.fromkeys(counts.models)
    evaluations = {model: _evaluated(counts[model], ordered, settings, rng, rows[model]) for model in counts.models}
    pairs = {(a, b): _differences(counts, rows, a, b, ordered, settings, rng) for a, b in combinations(counts.models, 2)}
    return Comparison(counts, str(ordered[0]), evaluations, pairs, settings)


def _differences(
    counts: Counts,
    rows: Mapping[str, Forecast | None],
    a: str,
    b: str,
    metrics: Sequence[Metric],
    settings: dict[str, Any],
    rng: Any,
) -> dict[str, Difference]:
    """Paired differences of tables and of rows.  Their bands come from two sets of replicates, so they share the error between them."""
    keys = ("margin", "confidence_level", "n_resamples")
    same = {**{key: settings[key] for key in keys}, "rng": rng}
    first, second = rows[a], rows[b]
    found = []
    for of_tables in (True, False):
        part = [metric for metric in metrics if metric.counted == of_tables or first is None]
        others = max(1, len([metric for metric in metrics[1:] if metric in part]))
        level = 1 - (1 - settings["confidence_level"]) * others / max(1, len(metrics) - 1)
        shared = {**same, "primary": metrics[0] in part, "band_level": level if len(metrics) > 1 else None}
        if part and of_tables:
            found += differences(counts, a, b, part, **shared)
        elif part and first is not None and second is not None:
            found += row_differences(first, second, part, **shared)
    by_text = {result.metric: result for result in found}
    return {str(metric): by_text[str(metric)] for metric in metrics}
