"""The study file of an evaluation: written for the command line, and read back."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

import ordeval as oe
from ordeval.app.evaluate_state import LEVELS, MISSING, Study
from ordeval.app.score_table import NEEDS


def as_study_file(study: Study, name: str, counts: oe.Counts) -> str:
    """The choices of the page as a study.toml beside the file of this name."""
    columns: dict[str, Any] = {"true": study.true, "models": list(study.preds)}
    columns |= {"cluster": study.cluster} if study.cluster else {}
    columns |= {"by": [study.by]} if study.by else {}
    others = [text for text in study.metrics if text != study.primary]
    data = {
        "study": 1,
        "data": {"files": name},
        "columns": columns,
        "scale": {"labels": [label.item() if hasattr(label, "item") else label for label in counts.scale.labels]},
        "missing": {"answer": study.missing},
        "judge": {"primary": study.primary, "metrics": others, "confidence_level": study.level},
    }
    return oe.Study(data).to_toml()


def from_study_file(raw: bytes) -> Study:
    """The choices that a study.toml makes; what this page cannot show is refused in words."""
    try:
        data = tomllib.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _refused(f"it cannot be read: {error}") from None
    faults = [str(fault) for fault in oe.Study(data).validate() if not fault.of_rows]
    if faults:
        raise _refused("; ".join(faults))
    columns, judge = data.get("columns", {}), data.get("judge", {})
    models, labels = columns.get("models", []), data.get("scale", {}).get("labels", [])
    missing, level = data.get("missing", {}).get("answer", "error"), judge.get("confidence_level", 0.95)
    if data.get("data", {}).get("shape", "wide") != "wide" or isinstance(models, dict) or not labels:
        raise _refused("this page reads studies with a column for each model, named as it is, and labels; use the command line")
    if not isinstance(missing, str) or missing not in MISSING or level not in LEVELS:
        raise _refused(
            "its treatment of missing answers, or its confidence level, is none of those on this page; use the command line"
        )
    primary = judge.get("primary", "cem")
    metrics = judge.get("metrics", list(oe.DEFAULT_METRICS))
    chosen = tuple(dict.fromkeys([primary, *(oe.DEFAULT_METRICS if metrics == "all" else metrics)]))
    if any(oe.get_metric(text).needs - set(NEEDS) for text in chosen):
        raise _refused("one of its scores needs more than this page reads; use the command line")
    held = Study(columns["true"], tuple(models), tuple(map(str, labels)), missing, chosen, primary, level)
    return replace(held, cluster=columns.get("cluster"), by=next(iter(columns.get("by", [])), None))


def _refused(why: str) -> oe.ArgumentError:
    return oe.ArgumentError("this study file cannot be opened here: {why}", argument="study", values={"why": why})
