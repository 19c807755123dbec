"""read_judge_log(): the grades of judges and people, from Inspect, MLflow, lm-evaluation-harness or a plain table.

The content of a file says which of them it is, never its name alone.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.order.scale import Labels
from ordeval.read import log_inspect, log_lm_eval, log_mlflow, log_table
from ordeval.read.judge_log import JudgeLog
from ordeval.read.judge_ratings import RawRatings, as_judge_log

LogFormat: TypeAlias = Literal["auto", "inspect", "mlflow", "lm_eval", "table"]
Epochs: TypeAlias = Literal["auto", "repeats", "items"]


@documented(
    "The ratings, with the ids to look them up.",
    source="A file, or several: a log of Inspect (.eval or .json), traces of MLflow (JSON), samples of lm-evaluation-harness, a CSV, "
    "JSON lines or Parquet table; ``mlflow:ID`` for a run or an experiment of a tracking store; a frame; a list of MLflow's traces.",
    labels="The classes, lowest first, or a `Scale`; None takes the whole numbers that people gave.",
    log_format="The kind of source; by default it is found from the content.",
    score="Which score of Inspect, or which feedback of MLflow, is the grade.",
    filter="Which filter of lm-evaluation-harness to use.",
    parse="A regular expression; its last match in what a judge wrote is the grade.",
    item="The column of items; of lm-evaluation-harness a field of its documents.",
    rater="In a table with a row for each rating: the column of raters.",
    grade="The column of grades, of such a table or of ``human``.",
    repeats="In a table: the column with the number of each repeat by a judge.",
    trace="In a table: the column of ids by which a rating can be looked up.",
    judges="Who is a judge; in a table without ``rater``, the columns of the judges.",
    people="Who is a person; in a table without ``rater``, and in ``human``, the columns of people.",
    epochs='What an epoch of Inspect is: a repeated grade of the same item, or another answer. "auto" is "items" with ``human``.',
    human="A table of people's grades, joined by ``id``.",
    id="The column of ``human`` that holds the items' ids.",
    unfinished="Read a log that did not finish.",
)
def read_judge_log(
    source: Any,
    *,
    labels: Labels = None,
    log_format: LogFormat = "auto",
    score: str | None = None,
    filter: str | None = None,
    parse: str | None = None,
    item: str | None = None,
    rater: str | None = None,
    grade: str | None = None,
    repeats: str | None = None,
    trace: str | None = None,
    judges: Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    epochs: Epochs = "auto",
    human: Any = None,
    id: str | None = None,
    unfinished: bool = False,
) -> JudgeLog:
    """Grades by judges and people, from the tool in which they were made.

    An answer that is not a class counts as unanswered and is never dropped: `JudgeLog.unparsable` says what it was.  A rating
    that is given twice is counted once, and the result says so; different ratings for the same item, rater and repeat are refused.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"id": ["a", "b", "c"], "ann": [1, 2, 3], "gpt": ["1", "3", "no idea"]})
    >>> log = read_judge_log(frame, item="id", judges=["gpt"], people=["ann"], labels=[1, 2, 3])
    >>> log.unparsable, log.disagreements()[0].item
    ({'gpt': {'no idea': 1}}, 'b')
    """
    for argument, given, words in (("log_format", log_format, get_args(LogFormat)), ("epochs", epochs, get_args(Epochs))):
        if given not in words:
            remedy = f"{near(given, words)} choose one of {', '.join(map(repr, words))}".strip()
            raise ArgumentError(
                f"{{{argument}:{{given}}}} is unknown", argument=argument, remedy=remedy, values={"given": repr(given)}
            )
    for argument, names in (("judges", judges), ("people", people)):
        if isinstance(names, str):
            raise ArgumentError(
                f'{{{argument}}} is a list: {{{argument}:["{{name}}"]}}', argument=argument, values={"name": names}
            )
    meant = epochs if epochs != "auto" else "repeats" if human is None else "items"
    tables: dict[str, Any] = {"item": item, "rater": rater, "grade": grade, "repeats": repeats, "trace": trace}
    tables |= {"judges": list(judges or ()), "people": list(people or ()) if human is None else []}
    several = isinstance(source, (list, tuple)) and all(isinstance(one, (str, os.PathLike)) for one in source)
    if several and not source:
        raise ArgumentError("there is no {source} to read", argument="source", remedy="give a log")
    whole: RawRatings | None = None
    for one in source if several else [source]:
        read = _read(
            one,
            log_format,
            score=score,
            filter=filter,
            parse=parse,
            item=item,
            epochs=meant,
            unfinished=unfinished,
            tables=tables,
        )
        if whole is None:
            whole = read
        else:
            whole.join(read)
    assert whole is not None
    if several and len(source) > 1:
        whole.source = f"{os.fspath(source[0])} and {len(source) - 1} more"
    _choose(whole, judges or (), (people or ()) if human is None else ())
    if parse is not None:
        whole.parse(parse, set(whole.raters) - set(whole.people))
    if human is not None:
        named = os.fspath(human) if isinstance(human, (str, os.PathLike)) else "human"
        log_table.add_people(whole, human, named, id=id, grade=grade, people=people or ())
    return as_judge_log(whole, labels)


def _choose(raw: RawRatings, judges: Sequence[str], people: Sequence[str]) -> None:
    """Keep the raters that were named; those who are named as people are people."""
    present = dict.fromkeys(raw.raters)
    for argument, names in (("judges", judges), ("people", people)):
        for name in names:
            if name not in present:
                values = {"name": repr(name), "source": raw.source, "raters": ", ".join(present)}
                remedy = near(name, present) or "the raters are {raters}"
                raise ArgumentError("{source} has no rater {name}", argument=argument, remedy=remedy, values=values)
    raw.people |= dict.fromkeys(people)
    for name in judges:
        raw.people.pop(name, None)
    wanted = {*(judges or [name for name in present if name not in raw.people]), *(people or raw.people)}
    if wanted >= set(present):
        return
    kept = [i for i, name in enumerate(raw.raters) if name in wanted]
    raw.leave_out("by a rater who was not asked for", len(raw.raters) - len(kept))
    for column in ("items", "traces", "raters", "repeats", "grades", "answers"):
        values = getattr(raw, column)
        setattr(raw, column, [values[i] for i in kept])
    raw.people = {name: None for name in raw.people if name in wanted}


def _read(
    source: Any,
    format: str,
    *,
    score: str | None,
    filter: str | None,
    parse: str | None,
    item: str | None,
    epochs: str,
    unfinished: bool,
    tables: dict[str, Any],
) -> RawRatings:
    if isinstance(source, str) and source.startswith(log_mlflow.STORE):
        return log_mlflow.from_traces(source, log_mlflow.from_store(source.removeprefix(log_mlflow.STORE)), score=score)
    if isinstance(source, list) and format in ("auto", "mlflow"):
        return log_mlflow.from_traces("the traces", log_mlflow.as_dicts(source), score=score)
    if not isinstance(source, (str, os.PathLike)):
        return log_table.from_table(source, "the table", **tables)
    path = os.fspath(source)
    kind = kind_of_log(path) if format == "auto" else format
    if kind == "inspect":
        asked: dict[str, Any] = {"score": score, "epochs": epochs, "unfinished": unfinished}
        return (
            log_inspect.from_eval(path, **asked) if zipfile.is_zipfile(path) else log_inspect.from_log(path, load(path), **asked)
        )
    if kind == "mlflow":
        found = load(path)
        traces = found if isinstance(found, list) else found.get("traces", [found])
        return log_mlflow.from_traces(path, traces, score=score)
    if kind == "lm_eval":
        return log_lm_eval.from_samples(path, load(path, lines=True), filter=filter, item=item, parse=parse)
    return log_table.from_table(path, path, **tables)


def kind_of_log(path: str) -> str:
    """What a file is, by its content: "inspect", "mlflow", "lm_eval" or "table"."""
    if os.path.isdir(path) or not os.path.exists(
        path
    ):  # a folder or a pattern of files, or nothing: the reader of tables says so
        return "table"
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
        return "inspect" if any(name == "header.json" or name.startswith("_journal/") for name in names) else "table"
    try:
        with open(path, encoding="utf-8-sig") as file:
            first = next((line for line in file if line.strip()), "")
        if first.lstrip()[:1] not in ("{", "["):
            return "table"
        try:
            found = json.loads(first)
        except ValueError:  # the first line of a document over several lines
            found = load(path)
    except (ValueError, UnicodeDecodeError):
        return "table"
    if isinstance(found, dict) and "traces" in found:
        found = found["traces"]
    head = found[0] if isinstance(found, list) and found else found
    if not isinstance(head, dict):
        return "table"
    if {"eval", "status"} <= head.keys():
        return "inspect"
    if isinstance(head.get("info"), dict) and "trace_id" in head["info"]:
        return "mlflow"
    return "lm_eval" if {"doc", "resps", "filtered_resps"} <= head.keys() else "table"


def load(path: str, *, lines: bool = False) -> Any:
    """The JSON of a file: one document, or a list of what its lines hold."""
    with open(path, encoding="utf-8-sig") as file:
        if not lines:
            text = file.read()
            try:
                return json.loads(text)
            except ValueError:
                rows = [line for line in text.splitlines() if line.strip()]
                if len(rows) < 2:
                    raise ValueError(f"{path} is not a complete JSON document; was it cut off?") from None
        else:
            rows = [line for line in file if line.strip()]
    found = []
    for number, line in enumerate(rows, 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            raise ValueError(f"{path}, line {number:,}: this is not JSON; was the file cut off?") from None
    return found
