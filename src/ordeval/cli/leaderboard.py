"""`ordeval leaderboard`: many systems, one truth."""

import itertools
import json
import math
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.errors import INPUT, as_option
from ordeval.cli.joining import command
from ordeval.cli.studies import study_of


@command(
    "ordeval leaderboard study.toml",
    "ordeval leaderboard gold.csv runs/*.csv --labels low,mid,high",
)
def leaderboard(
    gold: Annotated[str, "<GOLD> A study (.toml); or the file with ids and true classes."],
    runs: Annotated[list[str] | None, "<RUN> Files with ids and predicted classes, one per system."] = None,
    *,
    true: Annotated[str, "COLUMN: The column of true classes, in GOLD."] = "true",
    pred: Annotated[str, "COLUMN: The column of predicted classes, in each RUN."] = "pred",
    id: Annotated[str, "COLUMN: The column of ids, in all files."] = "id",
    classes: o.Classes,
    by: Annotated[list[str] | None, "COLUMN: A column of groups, in GOLD; repeat for several."] = None,
    cluster: Annotated[str | None, "COLUMN: The column of rows that belong together, in GOLD."] = None,
    missing: o.Missing = "error",
    unknown: o.Unknown = "error",
    strays: o.Strays = "error",
    read_as: o.ReadAs,
    max_rows: o.MaxRows = None,
    metrics: o.Metrics = None,
    primary: o.Primary = None,
    settings: o.Resampling,
    codabench: Annotated[str | None, "FOLDER: Write scores.json for a shared-task platform here."] = None,
    report: Annotated[str | None, "FILE: Write a page as well: .html, .md or .tex."] = None,
    output: o.Output,
) -> None:
    """Rank many systems, joined with the truth by id.

    The ranks are simultaneous: they hold all at once.
    """
    study = study_of(gold)
    if study is not None:
        if runs:
            raise typer.BadParameter("RUN beside a study: the study names the files of the systems in data.runs")
        board = study.leaderboard()
        codabench = codabench or study.place_of("codabench")
    elif not runs:
        raise typer.BadParameter("RUN is missing; give the files of the systems, or a study file (.toml)")
    else:
        columns = {"true": true, "pred": pred, "id": id, "by": by or None, "cluster": cluster, "labels": classes.scale}
        rows = {"missing": o.as_missing(missing), "unknown": unknown, "strays": strays, "reading": read_as.reading}
        asked = {**rows, "max_rows": max_rows, "metrics": metrics, "primary": primary, **settings.keywords()}
        board = replace(_board(gold, runs, columns, rows, asked), source=gold)
        o.note_inferred(board.counts)
    if codabench is not None:
        _codabench(board, codabench, output.force)
    if report is not None:
        oe.show.write(board.page(), report, force=output.force)
        o.note(f"report written: {report}")
    o.give(board, output, study)


def _board(
    gold: str, runs: list[str], columns: dict[str, Any], rows: dict[str, Any], asked: dict[str, Any]
) -> "oe.types.Leaderboard":
    """The leaderboard of files; where there are several problems, all of them."""
    try:
        return oe.leaderboard(gold, runs, **columns, **asked)
    except (ValueError, OSError):
        same = {name: columns[name] for name in ("true", "pred", "id", "labels")}
        problems = oe.types.Problems.of_runs(gold, runs, **same, **rows, max_rows=asked["max_rows"])
        if len(problems) < 2:
            raise
        typer.echo(problems.text(as_option), err=True)
        raise typer.Exit(INPUT) from None


def _codabench(board: "oe.types.Leaderboard", folder: str, force: bool) -> None:
    """One scores.json, or one for each system in a folder of its own; a score without a value is left out and named."""
    for model, place in _folders(board.counts.models).items():
        values = board.scores(model)
        for text in (text for text, value in values.items() if math.isnan(value)):
            o.note(f"{model} has no {text}: {oe.get_metric(text).undefined}")
        inside = folder if len(board.models) == 1 else os.path.join(folder, place)
        os.makedirs(inside, exist_ok=True)
        plain = {text: value for text, value in values.items() if not math.isnan(value)}
        data = json.dumps(plain, ensure_ascii=False, indent=2) + "\n"
        oe.show.write(data, os.path.join(inside, "scores.json"), force=force)


def _folders(models: Sequence[str]) -> dict[str, str]:
    """A folder's name, and nothing else, for each system; no two the same, whatever the file system thinks of capitals."""
    names = [re.sub(r"[^\w.-]+", "-", model).strip(".-")[:60] or "system" for model in models]
    folded = Counter(name.casefold() for name in names)
    found, taken = {}, {fold for fold, times in folded.items() if times == 1}
    for i, (model, name) in enumerate(zip(models, names, strict=True), 1):
        numbered = (f"{name}-{n}" for n in itertools.count(i))
        alone = folded[name.casefold()] == 1
        found[model] = name if alone else next(place for place in numbered if place.casefold() not in taken)
        taken.add(found[model].casefold())
    return found
