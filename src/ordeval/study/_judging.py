"""What a study asks for: evaluations, a comparison, a leaderboard, the verdicts of its rules, a report."""

from __future__ import annotations

import hashlib
import math
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.evaluation import Comparison, Evaluation, Leaderboard, compare, evaluate
from ordeval.evaluation._leaderboard import board_of
from ordeval.infer._rules import ABOUT_ROWS, BASELINE
from ordeval.metrics import get_metric
from ordeval.read.runs import RunAudit
from ordeval.show import Code, Page, Paragraph, Section
from ordeval.show import write as write_page
from ordeval.study._baseline import Baseline, plain_value, read_baseline, write_baseline
from ordeval.study._rules import BaselineLike, RuleReport, check_rules

if TYPE_CHECKING:
    from ordeval.study._study import Study


def facts(study: Study) -> dict[str, Any]:
    """What every result says of its study."""
    found: dict[str, Any] = {"sha256": study.hash}
    if study.data.get("registered"):
        found["registered"] = study.data["registered"]
    if study.overrides:
        found["overridden"] = list(study.overrides)
    return found


def evaluations(study: Study, check_intervals: bool = False) -> dict[str, Evaluation]:
    """Each model on its own; with its probabilities where a score needs them."""
    counts = study.counts
    asked = {"metrics": study.metrics, "check_intervals": check_intervals, **study.settings()}
    proba = study.data.get("columns", {}).get("proba", {}) if _wants_probabilities(study) else {}
    found = {}
    with_proba = study.rows.forecasts(proba) if proba else None
    for model in counts.models:
        if with_proba is not None and model in proba:
            y_true, y_pred, forecasts, same = with_proba
            found[model] = _named(evaluate(y_true, y_pred[model], proba=forecasts[model], **same, **asked), model, counts)
        else:
            found[model] = evaluate(counts[model], **{**asked, "metrics": _of_labels(asked["metrics"])})
        found[model].settings["study"] = facts(study)
    return found


def _named(result: Evaluation, model: str, counts: Counts) -> Evaluation:
    """The evaluation of columns with the files and notes that the counts know."""
    result.counts.files, result.counts.notes = counts.files, counts.notes
    return result


def _wants_probabilities(study: Study) -> bool:
    metrics = study.metrics
    if metrics is None or metrics == "all":
        return True
    return any("probabilities" in get_metric(text).needs for text in metrics)


def _of_labels(metrics: Any) -> Any:
    """The metrics that labels alone allow."""
    if metrics is None or isinstance(metrics, str):
        return metrics
    return [text for text in metrics if "probabilities" not in get_metric(text).needs]


def comparison(study: Study) -> Comparison:
    """All models on the same rows."""
    counts, judge = study.counts, study.data.get("judge", {})
    asked: dict[str, Any] = {"metrics": study.metrics, "primary": study.primary, **study.settings()}
    asked |= {name: judge[name] for name in ("reference", "margin") if name in judge}
    if "reference" in judge and judge["reference"] not in counts.models:
        asked["reference"] = judge["reference"]  # refused there, with the models named
    proba = study.data.get("columns", {}).get("proba", {})
    if proba and set(proba) == set(counts.models) and _wants_probabilities(study):
        y_true, y_pred, forecasts, same = study.rows.forecasts(proba)
        result = compare(y_true, y_pred, proba=forecasts, **same, **asked)
        result.counts.files, result.counts.notes = counts.files, counts.notes
    else:
        result = compare(counts, **{**asked, "metrics": _of_labels(asked["metrics"])})
    result.settings["study"] = facts(study)
    return replace(result, source=study.source)


def board(study: Study) -> Leaderboard:
    """All models with their ranks."""
    counts, audits = study._counted
    met = {model: audits.get(model) or _audit(counts, model) for model in counts.models}
    drawn = study.settings("confidence_level", "n_resamples", "rng")
    found = board_of(counts, met, _of_labels(study.metrics), study.primary, **drawn)
    found.settings["study"] = facts(study)
    return replace(found, source=study.source)


def _audit(counts: Counts, model: str) -> RunAudit:
    """How a column of answers meets the truth: it has no ids that the truth lacks."""
    silent = int(counts[model].unanswered.sum())
    rows = counts.row_counts if counts.row_counts is not None else counts.weights
    return RunAudit(int(rows.sum()) - silent, silent, 0)


# Rules


def checked(study: Study, accept: bool = False, baseline: BaselineLike = None) -> RuleReport:
    """The verdicts; with `accept` the scores become the new baseline where all rules hold."""
    study._require()
    gates = study.gates
    if not gates:
        remedy = 'write [[gate]] and below it rule = "cem >= 0.7"'
        raise ArgumentError("{name} has no rule", argument="study", remedy=remedy, values={"name": study.name})
    path = study.data.get("output", {}).get("baseline")
    place = study.rows.place(path) if path else ""
    if accept and not place:
        remedy = "name the file in output.baseline"
        raise ArgumentError("{name} has no place for a baseline", argument="study", remedy=remedy, values={"name": study.name})
    counts = study.counts
    if baseline is None and any(gate.rule.against == BASELINE for gate in gates):
        baseline = _kept(study, place, counts)
    report = check_rules(counts, gates, baseline=baseline, **study.settings())
    report.settings["study"] = facts(study)
    report = replace(report, signature=f"{report.signature} {study.signature}".strip(), notes=(*report.notes, *study.overrides))
    if accept and report.holds:
        _accept(study, place, counts, report)
        report = replace(report, notes=(*report.notes, f"new baseline written: {place}"))
    elif accept:
        report = replace(report, notes=(*report.notes, "the baseline stays as it is: not all rules hold"))
    return report


def _conditions(study: Study, counts: Counts) -> dict[str, Any]:
    """Under what conditions scores can be compared with those of another day."""
    data = study.data
    encoding = {name: data["data"][name] for name in ("encoding",) if name in data.get("data", {})}
    return {
        "labels": list(counts.scale.labels),
        "reading": {**data.get("reading", {}), **encoding},
        "missing": {"truth": "error", "answer": "error", "unknown": "error", "strays": "error", **data.get("missing", {})},
    }


def _kept(study: Study, place: str, counts: Counts) -> Baseline | None:
    """The baseline on the disk; None before the first was accepted."""
    if BASELINE in counts.models or not os.path.exists(place):
        return None
    found = read_baseline(place)
    found.check(_conditions(study, counts))
    kept = found.facts.get("counts")
    notes = ("the baseline is of other rows",) if kept not in (None, _digest(counts)) else ()
    return replace(found, notes=notes)


def _digest(counts: Counts) -> str:
    """What identifies the rows: the truth and how often each class is true; answers change from day to day."""
    truth = counts.margin("true")
    return hashlib.sha256(truth.to_json().encode()).hexdigest()


def _accept(study: Study, place: str, counts: Counts, report: RuleReport) -> None:
    """Keep the value of every metric in a rule, for every model, on all rows and in every group."""
    texts = list(dict.fromkeys(verdict.rule.metric for verdict in report.verdicts))
    axes = [axis for axis in counts.values if axis != counts.cluster]
    tables = {"": counts} | {f"{axis}={value}": part for axis in axes for value, part in counts.groups(axis).items()}
    scores: dict[str, dict[str, dict[str, float]]] = {model: {} for model in counts.models}
    for group, table in tables.items():
        for model in counts.models:
            one = table[model]
            values = {text: plain_value(text, one) for text in texts if text not in ABOUT_ROWS}
            scores[model][group] = {text: value for text, value in values.items() if not math.isnan(value)}
    conditions = {**_conditions(study, counts), "counts": _digest(counts)}
    write_baseline(place, scores, conditions, study=study.hash, signature=report.signature)


# Report


def page_of(study: Study) -> Page:
    """The report: of one model, of several, of the runs of a shared task; with the study's text at its end."""
    result: Evaluation | Comparison | Leaderboard
    if study.rows.shape == "runs":
        result = study.leaderboard()
    else:
        result = study.compare() if len(study.counts.models) > 1 else next(iter(study.evaluate().values()))
    facts_of_files = {"study": f"{study.name}, SHA-256 {study.hash}"}
    page = result.page(facts_of_files)
    said = [Paragraph(words) for words in study.overrides]
    return replace(page, sections=[*page.sections, Section("The study file", [*said, Code(study.text.rstrip("\n"))])])


def written_report(study: Study, path: str | None, *, force: bool = False, open: bool = False) -> str:
    """Write the report, whole or not at all; the place comes back."""
    study._require()
    given = study.data.get("output", {}).get("report")
    if path is None and given is None:
        remedy = "give a path, or name the file in output.report"
        raise ArgumentError("{name} has no place for a report", argument="path", remedy=remedy, values={"name": study.name})
    place = path if path is not None else study.rows.place(str(given))
    write_page(page_of(study), place, force=force, open=open)
    return place
