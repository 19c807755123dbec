"""Traces of MLflow with their assessments: from a JSON file, from a tracking store, or as objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ordeval.base.errors import ArgumentError, near
from ordeval.read.judge_ratings import RawRatings

STORE = "mlflow:"  # a source that begins so is an experiment or a run of the tracking store
RUN = re.compile(r"[0-9a-f]{32}")
PERSON = "HUMAN"
INSTALL = "pip install 'ordeval[mlflow]', or write the traces to a file: json.dump([t.to_dict() for t in traces], file)"


def from_store(name: str) -> list[dict[str, Any]]:
    """The traces of a run or an experiment, by its id or its name, in the store that MLflow's own settings say."""
    try:
        import mlflow
    except ModuleNotFoundError as error:
        if error.name != "mlflow":
            raise
        raise ModuleNotFoundError(
            f"{STORE}{name} is in a store of MLflow, and mlflow is not installed; {INSTALL}", name="mlflow"
        ) from None
    chosen: dict[str, Any] = {}
    client = mlflow.MlflowClient()
    if RUN.fullmatch(name):
        chosen = {"run_id": name, "locations": [client.get_run(name).info.experiment_id]}
    else:
        experiment = client.get_experiment(name) if name.isdecimal() else client.get_experiment_by_name(name)
        if experiment is None:
            raise ValueError(
                f"{STORE}{name}: the store {mlflow.get_tracking_uri()} has no such experiment; give its id or its name"
            )
        chosen = {"locations": [experiment.experiment_id]}
    return as_dicts(mlflow.search_traces(return_type="list", include_spans=False, **chosen))


def as_dicts(traces: Iterable[Any]) -> list[dict[str, Any]]:
    """Traces as plain data."""
    return [trace if isinstance(trace, dict) else trace.to_dict() for trace in traces]


def from_traces(source: str, traces: Iterable[Mapping[str, Any]], *, score: str | None) -> RawRatings:
    """The ratings: feedback by judges and people, and expectations, which are people's."""
    raw = RawRatings(source)
    found = [(trace["info"]["trace_id"], one) for trace in traces for one in trace["info"].get("assessments") or ()]
    feedback = dict.fromkeys(one["assessment_name"] for _, one in found if "feedback" in one)
    expected = dict.fromkeys(one["assessment_name"] for _, one in found if "expectation" in one)
    name = _chosen(source, list(feedback), score)
    truth = name if name in expected else next(iter(expected)) if len(expected) == 1 else None
    if truth is None and expected:
        raw.notes.append(
            f"{source} holds the expectations {', '.join(expected)}, none of them called {name}; they were not read."
        )
    times: dict[tuple[str, str], int] = {}
    for trace, one in found:
        if one["assessment_name"] != (name if "feedback" in one else truth):
            continue
        if one.get("valid") is False:
            raw.leave_out("overridden by a later assessment")
            continue
        by = one.get("source") or {}
        rater = str(by.get("source_id") or "unknown")
        value = (one.get("feedback") or one.get("expectation") or {}).get("value")
        if "expectation" in one or by.get("source_type") == PERSON:
            raw.add_person(trace, trace, rater, value)
            continue
        times[trace, rater] = times.get((trace, rater), 0) + 1
        error = (one.get("feedback") or {}).get("error") or {}
        raw.add(trace, trace, rater, times[trace, rater], value, error.get("error_message") if value is None else None)
    both = {name for name in raw.people if any(key[1] == name for key in times)}
    if both:
        raise ValueError(
            f"{source}: {sorted(both)[0]!r} is the source of a judge's assessments and of a person's; rename one of them"
        )
    return raw


def _chosen(source: str, names: list[str], score: str | None) -> str:
    if score is None and len(names) == 1:
        return names[0]
    if score in names:
        return str(score)
    if score is None:
        problem = "{source} holds the feedback {names}" if names else "{source} holds no feedback"
        remedy = "choose one with {score:{name}}" if names else "log feedback by a judge first"
    else:
        problem, remedy = "{source} holds no feedback {given}", near(score, names) or "it holds {names}"
    values = {"source": source, "names": ", ".join(names), "given": repr(score), "name": repr(names[0]) if names else ""}
    raise ArgumentError(problem, argument="score", remedy=remedy, values=values)
