"""Baselines: scores that were accepted, which later ones are held against."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ordeval.base.errors import ArgumentError, UndefinedScore
from ordeval.base.files import write_text
from ordeval.counts import Counts
from ordeval.infer._rules import ABOUT_ROWS, BASELINE
from ordeval.metrics import get_metric, score

KIND = "ordeval baseline"


@dataclass(frozen=True)
class Baseline:
    """Scores by model, group and metric; or the model on the same rows that is the baseline."""

    scores: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)  #: model, then group, then metric
    facts: Mapping[str, Any] = field(default_factory=dict)  #: what they were computed with: labels, reading, missing
    model: str = ""  #: a model of the same counts instead
    shown: str = "the baseline"
    counts: Counts | None = None  #: other counts, scored when asked
    notes: tuple[str, ...] = ()

    def score(self, model: str, metric: str, group: str = "") -> float | None:
        """The value that was kept, or None."""
        if self.counts is not None:
            return self._counted(model, metric, group)
        only = next(iter(self.scores.values())) if len(self.scores) == 1 and model not in self.scores else {}
        kept = self.scores.get(model, only if model == "pred" or set(self.scores) <= {"", "pred"} else {}).get(group, {})
        if metric in kept:
            return kept[metric]
        same = [text for text in kept if metric not in ABOUT_ROWS and text.partition("(")[0] == get_metric(metric).name]
        if same:
            problem, values = "{shown} was kept with {old}, and the rule asks for {new}", {"old": same[0], "new": metric}
            remedy = "write the rule as it was, or accept a new baseline"
            raise ArgumentError(problem, argument="baseline", remedy=remedy, values={"shown": self.shown, **values})
        return None

    def _counted(self, model: str, metric: str, group: str) -> float | None:
        assert self.counts is not None
        found = self.counts
        if group:
            axis, _, value = group.partition("=")
            parts = found.groups(axis) if axis in found.values else {}
            named = [part for name, part in parts.items() if str(name) == value]
            if not named:
                return None
            found = named[0]
        if len(found.models) > 1 and model not in found.models:
            return None
        one = found[model if model in found.models else found.models[0]]
        if metric in ABOUT_ROWS:
            return None
        value_of = plain_value(metric, one)
        return None if math.isnan(value_of) else value_of

    def check(self, facts: Mapping[str, Any]) -> None:
        """Refuse a baseline that was kept under other conditions; all that differs is listed."""
        differs = [name for name in facts if name in self.facts and _plain(self.facts[name]) != _plain(facts[name])]
        if differs:
            said = "; ".join(f"{name} was {_shown(self.facts[name])} and is {_shown(facts[name])}" for name in differs)
            remedy = "judge it as it was judged, or remove the file and accept a new baseline"
            values = {"shown": self.shown, "said": said}
            raise ArgumentError(
                "these scores cannot be compared with {shown}: {said}", argument="baseline", remedy=remedy, values=values
            )


def plain_value(metric: str, counts: Counts) -> float:
    """A score without its interval; nan where there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedScore)
        return score(metric, counts)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def as_baseline(given: Any, counts: Counts) -> Baseline | None:
    """What the word baseline means in a call: see `check_rules`."""
    if given is None:
        return Baseline(model=BASELINE) if BASELINE in counts.models else None
    if isinstance(given, Baseline):
        return given
    if isinstance(given, Counts):
        return _of_counts(given, counts, "the baseline")
    if isinstance(given, str) and given in counts.models:
        return Baseline(model=given)
    if isinstance(given, (str, os.PathLike)):
        return read_baseline(os.fspath(given), counts)
    if isinstance(given, Mapping):
        return _of_scores(given, "the baseline")
    raise _no_baseline("the baseline", type(given).__name__)


def read_baseline(path: str, counts: Counts | None = None) -> Baseline:
    """A file of accepted scores, of counts, or what `score --format json` wrote."""
    with open(path, encoding="utf-8") as file:
        try:
            data = json.load(file)
        except (ValueError, RecursionError):
            raise _no_baseline(path, "no JSON") from None
    if not isinstance(data, dict):
        raise _no_baseline(path, "no object")
    if data.get("kind") == KIND:
        return _of_file(data, path)
    if "axes" in data:
        return _of_counts(Counts.load(path), counts, path)
    if "models" in data or "scores" in data:
        models = data.get("models") or {"": data}
        try:
            scores = {
                model: {"": {text: one["value"] for text, one in part["scores"].items() if one["value"] is not None}}
                for model, part in models.items()
            }
            labels = next(iter(models.values()))["labels"]
        except (KeyError, TypeError, AttributeError):
            raise _no_baseline(path, "no scores") from None
        found = Baseline(scores, {"labels": labels}, shown=path)
        if counts is not None:
            found.check({"labels": list(counts.scale.labels)})
        return found
    raise _no_baseline(path, "neither scores nor counts")


def _of_file(data: Mapping[str, Any], path: str) -> Baseline:
    scores = data.get("scores")
    if data.get("schema") != 1 or not isinstance(scores, dict) or not isinstance(data.get("facts"), dict):
        raise _no_baseline(path, "written for another ordeval")
    return Baseline(scores, data["facts"], shown=path)


def _of_counts(given: Counts, counts: Counts | None, shown: str) -> Baseline:
    found = Baseline(counts=given, facts={"labels": list(given.scale.labels)}, shown=shown)
    if counts is not None:
        found.check({"labels": list(counts.scale.labels)})
    return Baseline(counts=given, shown=shown, notes=("the baseline is of other rows: the difference is not paired",))


def _of_scores(given: Mapping[str, Any], shown: str) -> Baseline:
    nested = {name: value for name, value in given.items() if isinstance(value, Mapping)}
    parts = nested if nested and len(nested) == len(given) else {"": given}
    try:
        scores = {model: {"": {str(get_metric(text)): float(v) for text, v in part.items()}} for model, part in parts.items()}
    except (TypeError, ValueError):
        raise _no_baseline(shown, "no scores by the name of their metric") from None
    return Baseline(scores, shown=shown)


def _no_baseline(shown: str, what: str) -> ArgumentError:
    remedy = "give counts, scores as `ordeval score --format json` writes them, or what `ordeval check --accept` wrote"
    return ArgumentError(
        "{shown} is not a baseline ({what})", argument="baseline", remedy=remedy, values={"shown": shown, "what": what}
    )


def write_baseline(path: str, scores: Mapping[str, Any], facts: Mapping[str, Any], **beside: Any) -> None:
    """Keep scores as the new baseline; the file is replaced whole."""
    data = {"kind": KIND, "schema": 1, "facts": dict(facts), **beside, "scores": dict(scores)}
    write_text(path, json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n", force=True)
