"""Commands about several models: compare, leaderboard."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

import ordeval as oe
from ordeval.base.files import write_text
from ordeval.cli import options as o

Primary = Annotated[str | None, typer.Option("--primary", help="The score that decides; the first of --metrics if left out.")]
Margin = Annotated[float | None, typer.Option("--margin", help="Test also whether the models are equivalent within this.")]


def add_commands(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:   ordeval compare visits.csv --true grade --pred nurse --pred model --labels low,mid,high"
        "      ordeval compare runs.parquet --true y --pred a --pred b --primary cem --format latex"
    )(compare)
    app.command(
        epilog="Examples:   ordeval leaderboard gold.csv runs/*.csv --labels low,mid,high"
        "      ordeval leaderboard gold.csv submission.csv --labels @classes.txt --codabench out"
    )(leaderboard)


def compare(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    primary: Primary = None,
    margin: Margin = None,
    labels: o.Labels = None,
    edges: o.Edges = None,
    metrics: o.Metrics = None,
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = None,
    seed: o.Seed = 0,
    cluster: o.Cluster = None,
    weight: o.Weight = None,
    gold: o.Gold = None,
    id: o.Id = None,
    missing: o.Missing = "error",
    max_rows: o.MaxRows = None,
    format: o.Format = "text",
    output: o.Output = None,
    force: o.Force = False,
) -> None:
    """Which model is better: paired differences and a verdict."""
    from ordeval.evaluation._formats import comparison

    counts = o.RowOptions(source, true, pred, labels, edges, weight, None, cluster, gold, id, missing, max_rows).counts()
    settings = o.settings(confidence, seed, resamples, margin=margin)
    result = oe.compare(counts, primary=primary, metrics=o.metrics_from(metrics), **settings)
    o.give(comparison(result, format, source), output, force)


def leaderboard(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The file with ids and true classes.")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Files with ids and predicted classes, one per system.")],
    true: Annotated[str, typer.Option("--true", help="The column of true classes, in GOLD.")] = "true",
    pred: Annotated[str, typer.Option("--pred", help="The column of predicted classes, in each RUN.")] = "pred",
    id: Annotated[str, typer.Option("--id", help="The column of ids, in all files.")] = "id",
    labels: o.Labels = None,
    edges: o.Edges = None,
    metrics: o.Metrics = None,
    primary: Primary = None,
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = None,
    seed: o.Seed = 0,
    missing: o.Missing = "error",
    max_rows: o.MaxRows = None,
    codabench: Annotated[
        str | None, typer.Option("--codabench", help="Write scores.json for a shared-task platform here.")
    ] = None,
    format: o.Format = "text",
    output: o.Output = None,
    force: o.Force = False,
) -> None:
    """Rank many systems, joined with the truth by id.

    The ranks hold for all of them together.
    """
    from ordeval.evaluation import chosen_metrics
    from ordeval.evaluation._leaderboard import board
    from ordeval.read.runs import scan_runs, system_names

    systems = system_names(runs)
    counts, audits = scan_runs(
        gold,
        systems,
        true=true,
        pred=pred,
        id=id,
        labels=o.scale_from(labels, edges),
        missing=cast(Any, missing),
        max_rows=max_rows,
    )
    o.note_inferred(counts)
    texts = o.metrics_from(metrics)
    chosen = [str(m) for m in chosen_metrics(texts, counts)]
    decides = (
        str(oe.get_metric(primary))
        if primary
        else next(t for t in (["cem", *chosen] if texts is None else chosen) if t in chosen)
    )
    chosen = list(dict.fromkeys([decides, *chosen]))
    settings = o.settings(confidence, seed, resamples)
    ranks = oe.rank_sets(counts, decides, **settings) if len(systems) > 1 else None
    if codabench is not None:
        _codabench(counts, chosen, codabench, force)
    o.give(board(counts, audits, ranks, chosen, settings, format, gold), output, force)


def _codabench(counts: oe.Counts, metrics: list[str], folder: str, force: bool) -> None:
    """One scores.json, or one for each system in a folder of its own; a score without a value is left out and named."""
    for model, place in _folders(counts.models).items():
        part = counts[model]
        values = {text: float(oe.get_metric(text).bind(part)(part.matrix)) for text in metrics}
        for text in (text for text, value in values.items() if math.isnan(value)):
            o.note(f"{model} has no {text}: {oe.get_metric(text).undefined}")
        inside = folder if len(counts.models) == 1 else os.path.join(folder, place)
        os.makedirs(inside, exist_ok=True)
        plain = {text: value for text, value in values.items() if not math.isnan(value)}
        write_text(os.path.join(inside, "scores.json"), json.dumps(plain, ensure_ascii=False, indent=2) + "\n", force=force)


def _folders(models: Sequence[str]) -> dict[str, str]:
    """A folder's name, and nothing else, for each system; no two the same, whatever the file system thinks of capitals."""
    names = [re.sub(r"[^\w.-]+", "-", model).strip(".-")[:60] or "system" for model in models]
    folded = [name.casefold() for name in names]
    return {
        m: n if folded.count(f) == 1 else f"{n}-{i}" for i, (m, n, f) in enumerate(zip(models, names, folded, strict=True), 1)
    }
