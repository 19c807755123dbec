"""Logs of Inspect: JSON by the standard library, .eval by inspect_ai."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ordeval.base.errors import ArgumentError, near
from ordeval.read.judge_ratings import RawRatings

TARGET = "target"  # the person whose grade is the target of a sample
CONVERT = "pip install 'ordeval[inspect]', or convert it: inspect log convert --to json --output-dir DIR LOG"


def from_eval(path: str, **asked: Any) -> RawRatings:
    """An .eval file, by inspect_ai: the summaries of its samples hold all that is needed."""
    try:
        from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("inspect_ai"):
            raise
        raise ModuleNotFoundError(
            f"{path} is a log of Inspect in its own format, and inspect_ai is not installed; {CONVERT}", name=error.name
        ) from None
    header = read_eval_log(path, header_only=True)
    if header.invalidated:  # which samples are, their summaries do not say
        samples = [sample.model_dump() for sample in read_eval_log(path).samples or ()]
    else:
        samples = [summary.model_dump() for summary in read_eval_log_sample_summaries(path)]
    return from_log(path, {"status": header.status, "eval": {"model": header.eval.model}, "samples": samples}, **asked)


def from_log(path: str, log: Mapping[str, Any], *, score: str | None, epochs: str, unfinished: bool) -> RawRatings:
    """The ratings of a log.

    With "repeats" the model is the judge, its epochs are repeats and the target is a person's grade.  With "items" each scorer is a
    judge of the model's answers, and each epoch is another answer.
    """
    raw = RawRatings(path, epochs=epochs)
    status = str(log.get("status"))
    if status != "success":
        if not unfinished:
            raise ArgumentError(
                "{path} has the status {status}: the items that finished are not a random sample of all items",
                argument="unfinished",
                remedy="run it again, or read it as it is with {unfinished:True}",
                values={"path": path, "status": status},
            )
        raw.notes.append(f"{path} did not finish (status {status}): its items are only those that were finished.")
    samples = log.get("samples") or []
    names = list(dict.fromkeys(name for sample in samples for name in sample.get("scores") or {}))
    chosen = _chosen(path, names, score, several=epochs == "items")
    model = str((log.get("eval") or {}).get("model") or "model")
    several = len({sample.get("epoch", 1) for sample in samples}) > 1
    for sample in samples:
        for reason in _reasons(sample):
            raw.leave_out(reason, 1 if epochs == "repeats" else len(chosen))
            break
        else:
            _add(raw, sample, chosen, model, several)
    if epochs == "repeats":
        raw.given_often.add(TARGET)
    return raw


def _add(raw: RawRatings, sample: Mapping[str, Any], chosen: Iterable[str], model: str, several: bool) -> None:
    item, epoch = sample["id"], sample.get("epoch", 1)
    trace = sample.get("uuid") or f"{item}#{epoch}"
    scores = sample.get("scores") or {}
    if raw.epochs == "items" and several:
        item = f"{item}#{epoch}"
    for name in chosen:
        found = scores.get(name) or {}
        value, answer = found.get("value"), found.get("answer")
        repeats = raw.epochs == "repeats"
        raw.add(item, trace, model if repeats else name, epoch if repeats else 1, value, answer)
    if raw.epochs == "repeats":
        target = sample.get("target")
        raw.add_person(item, trace, TARGET, target[0] if isinstance(target, list) and target else target or None)


def _reasons(sample: Mapping[str, Any]) -> Iterable[str]:
    if sample.get("error"):
        yield "the sample ended in an error"
    if sample.get("invalidation"):
        yield "the sample was invalidated"


def _chosen(path: str, names: list[str], score: str | None, *, several: bool) -> list[str]:
    if score is None:
        if len(names) <= 1 or several:
            return names
        problem, values = "{path} holds {n} scores ({names})", {"n": str(len(names))}
        remedy = "choose one with {score:{name}}"
    elif score in names:
        return [score]
    else:
        problem, values = "{path} holds no score {score_given}", {"score_given": repr(score)}
        remedy = near(score, names) or "it holds {names}"
    raise ArgumentError(
        problem,
        argument="score",
        remedy=remedy,
        values={"path": path, "names": ", ".join(names), "name": repr(names[0]) if names else "", **values},
    )
