"""Commands about rows in files: score, validate, merge."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import ordeval as oe
from ordeval._files import write_text
from ordeval.cli import options as o


def add_commands(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:   ordeval score visits.csv --true grade --pred model --labels low,mid,high"
        "      ordeval score - --true y --pred p --format json"
    )(score)
    app.command(
        epilog="Examples:   ordeval validate visits.csv --true grade --pred model --labels low,mid,high"
        "      ordeval validate 'runs/*.parquet' --true y --pred p"
    )(validate)
    app.command(epilog="Examples:   ordeval merge monday.json tuesday.json -o week.json      ordeval merge shards/*.json")(merge)


def score(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    labels: o.Labels = None,
    edges: o.Edges = None,
    metrics: o.Metrics = None,
    method: o.Method = "auto",
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = None,
    seed: o.Seed = 0,
    by: o.By = None,
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
    """Scores with intervals, of one model or of several."""
    rows = o.Rows(source, true, pred, labels, edges, weight, by, cluster, gold, id, missing, max_rows)
    counts = rows.counts()
    settings: dict[str, Any] = {"confidence_level": confidence, "method": method, "rng": seed}
    settings |= {} if resamples is None else {"n_resamples": resamples}
    results = {model: oe.evaluate(counts[model], metrics=o.metrics_from(metrics), **settings) for model in counts.models}
    from ordeval.show.formats import scores

    give(scores(results, format, source), output, force)


def validate(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    labels: o.Labels = None,
    edges: o.Edges = None,
    weight: o.Weight = None,
    by: o.By = None,
    cluster: o.Cluster = None,
    gold: o.Gold = None,
    id: o.Id = None,
    missing: o.Missing = "error",
    max_rows: o.MaxRows = None,
) -> None:
    """The audit of the input alone, and what a tool that loses the order would have made of it."""
    counts = o.Rows(source, true, pred, labels, edges, weight, by, cluster, gold, id, missing, max_rows).counts()
    from ordeval.show.audit import audit_lines

    found = [(model, oe.pitfalls(counts[model])) for model in counts.models]
    typer.echo("\n".join(audit_lines(counts, source, found)))


def merge(
    parts: Annotated[list[str], typer.Argument(metavar="COUNTS...", help="Files of counts, as saved by Counts.save.")],
    output: o.Output = None,
    force: o.Force = False,
) -> None:
    """Add up counts that were saved apart: days, shards, workers."""
    total = oe.Counts.sum([oe.Counts.load(part) for part in parts])
    if output is None:
        typer.echo(total.to_json())
    else:
        total.save(output, force=force)
        typer.echo(f"{output}   {total.audit}")


def give(text: str, output: str | None, force: bool) -> None:
    """A result to stdout, or to a file that appears whole or not at all."""
    if output is None:
        typer.echo(text)
    else:
        write_text(output, text if text.endswith("\n") else text + "\n", force=force)
        typer.echo(f"written: {output}", err=True)
