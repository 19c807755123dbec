"""Study files where commands take rows: an option overrides its key."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import typer

import ordeval as oe
from ordeval.cli.help import given_options


def _labels(given: str) -> list[Any]:
    """Classes as the command line writes them; whole numbers where all of them are."""
    if given.startswith("@"):
        with open(given[1:], encoding="utf-8-sig") as file:
            words = [line.rstrip("\r\n") for line in file if line.strip()]
    else:
        words = next(csv.reader([given], skipinitialspace=True), [])
    try:
        return [int(word) for word in words]
    except ValueError:
        return words


def _edges(given: str) -> list[float]:
    try:
        return [float(edge) for edge in given.split(",")]
    except ValueError:
        raise typer.BadParameter("--edges are numbers, lowest first, such as 0,30,60,90") from None


def _missing(given: str) -> Any:
    word, equals, label = given.partition("=")
    return {"as": label} if word == "as" and equals else given


def _pairs(given: list[str]) -> dict[str, str]:
    for text in given:
        if "=" not in text:
            raise typer.BadParameter(f"--recode {text} is not a pair; write OLD=NEW")
    return {text.partition("=")[0]: text.partition("=")[2] for text in given}


def _same(given: Any) -> Any:
    return list(given) if isinstance(given, tuple) else given


#: The key of each option, and how its value is written there.
KEYS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **{name: (f"columns.{name}", _same) for name in ("true", "id", "cluster", "by", "raters", "item", "rater", "grade")},
    "sample_weight": ("columns.weight", _same),
    "model_column": ("columns.model", _same),
    "labels": ("scale.labels", _labels),
    "edges": ("scale.edges", _edges),
    "gold": ("data.gold", _same),
    **{name: (f"data.{name}", _same) for name in ("encoding", "sheet", "max_rows")},
    **{name: (f"reading.{name}", _same) for name in ("na", "decimal", "thousands", "case", "space", "quote")},
    "recode": ("reading.recode", _pairs),
    "missing": ("missing.answer", _missing),
    "missing_truth": ("missing.truth", _same),
    **{name: (f"missing.{name}", _same) for name in ("unknown", "strays")},
    **{name: (f"judge.{name}", _same) for name in ("metrics", "primary", "reference", "margin")},
    **{name: (f"judge.{name}", _same) for name in ("confidence_level", "n_resamples", "method")},
    "rng": ("judge.seed", _same),
}


def is_study(source: str) -> bool:
    """A source whose name ends in .toml is a study."""
    return source.lower().endswith(".toml")


def study_of(source: str) -> oe.Study | None:
    """The study of a command, with what the command line overrides; None where rows are given."""
    if not is_study(source):
        return None
    try:
        study = oe.Study.load(source)
    except OSError as error:
        said = {"path": source, "why": error.strerror or str(error)}
        raise oe.ArgumentError("{path}: {why}", argument="study", values=said) from None
    return _overridden(study)


def _overridden(study: oe.Study) -> oe.Study:
    given = given_options()
    changes = {KEYS[name][0]: KEYS[name][1](value) for name, value in given.items() if name in KEYS}
    if "edges" in given and "labels" not in given and "labels" in study.data.get("scale", {}):
        changes["scale.labels"] = None
    if "labels" in given and "edges" not in given and "edges" in study.data.get("scale", {}):
        changes["scale.edges"] = None
    answer = changes.get("missing.answer")
    labels = changes.get("scale.labels") or study.data.get("scale", {}).get("labels", [])
    if isinstance(answer, dict):  # a class of the kind that the classes are
        changes["missing.answer"] = {"as": next((label for label in labels if str(label) == answer["as"]), answer["as"])}
    if "pred" in given:
        wide = study.data.get("data", {}).get("shape", "wide") == "wide"
        names = [given["pred"]] if isinstance(given["pred"], str) else list(given["pred"])
        changes["columns.models" if wide else "columns.pred"] = names if wide else names[0]
    if "proba" in given:
        models = study.data.get("columns", {}).get("models", [])
        names = changes.get("columns.models") or list(models)
        each = [[name.strip() for name in one.split(",")] for one in given["proba"]]
        changes["columns.proba"] = dict(zip(names, each, strict=False))
    if "rule" in given:
        changes["gate"] = [{"rule": text} for text in given["rule"]]
    return study.override(changes, where="on the command line") if changes else study
