"""Commands about rows in files: score, report, check, validate, plan, merge."""

from __future__ import annotations

import os
from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.show._plain import printable, wrap


def add_commands(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:   ordeval score visits.csv --true grade --pred model --labels low,mid,high"
        "      ordeval score - --true y --pred p --format json"
    )(score)
    app.command(
        epilog="Examples:   ordeval validate visits.csv --true grade --pred model --labels low,mid,high"
        "      ordeval validate 'runs/*.parquet' --true y --pred p"
    )(validate)
    app.command(
        epilog="Examples:   ordeval report visits.csv --true grade --pred model --labels low,mid,high -o report.html"
        "      ordeval report visits.csv --true grade --pred nurse --pred model --labels @classes.txt -o report.md"
    )(report)
    app.command(
        epilog="Examples:   ordeval check runs.csv --true y --pred p --rule 'cem >= 0.7'"
        "      ordeval check runs.csv --true y --pred p --rule 'accuracy_within > 0.95 ci'"
    )(check)
    app.command(
        epilog="Examples:   ordeval plan pilot.csv --true y --pred p --half-width 0.02"
        "      ordeval plan pilot.csv --true y --pred a --pred b --metric mae --difference 0.05"
    )(plan)
    app.command(epilog="Examples:   ordeval merge monday.json tuesday.json -o week.json      ordeval merge shards/*.json")(merge)


def score(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    labels: o.Labels = None,
    edges: o.Edges = None,
    proba: o.Proba = None,
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
    rows = o.RowOptions(source, true, pred, labels, edges, weight, by, cluster, gold, id, missing, max_rows)
    settings = o.settings(confidence, seed, resamples, method=method, metrics=o.metrics_from(metrics))
    if proba:
        results = rows.evaluated(proba, **settings)
    else:
        counts = rows.counts()
        results = {model: oe.evaluate(counts[model], **settings) for model in counts.models}
    from ordeval.evaluation._formats import scores

    o.give(scores(results, format, source), output, force)


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
    """The audit of the input alone, without scores.

    It also shows what a tool that sorts labels or drops a class would have made of it.
    """
    counts = o.RowOptions(source, true, pred, labels, edges, weight, by, cluster, gold, id, missing, max_rows).counts()
    from ordeval.evaluation._audit import audit_lines

    found = [(model, list(oe.choose.pitfalls(counts[model]))) for model in counts.models]
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


def report(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write: .html, .md or .tex.")],
    labels: o.Labels = None,
    edges: o.Edges = None,
    metrics: o.Metrics = None,
    primary: Annotated[str | None, typer.Option("--primary", help="With several models: the score that decides.")] = None,
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
    force: o.Force = False,
) -> None:
    """One page for people, as HTML, Markdown or LaTeX.

    Scores, errors, comparison, audit, and a paragraph on methods.
    """
    from ordeval.base.files import check_free
    from ordeval.evaluation._report import comparison_report, evaluation_report
    from ordeval.show._report import write

    if not force:
        check_free(output)
    counts = o.RowOptions(source, true, pred, labels, edges, weight, by, cluster, gold, id, missing, max_rows).counts()
    settings = o.settings(confidence, seed, resamples)
    chosen = o.metrics_from(metrics)
    sources = {f"file {name}": _fingerprint(path) for name, path in (("scored", source), ("gold", gold)) if path}
    if len(counts.models) > 1:
        page = comparison_report(oe.compare(counts, primary=primary, metrics=chosen, **settings), sources)
    else:
        (model,) = counts.models
        page = evaluation_report({model: oe.evaluate(counts, metrics=chosen, **settings)}, sources)
    write(page, output, force=force)
    typer.echo(f"written: {output}", err=True)


def _fingerprint(path: str) -> str:
    """What identifies a file: its name, its size and its hash; of many files, and of stdin, the name alone."""
    if not os.path.isfile(path):
        return path
    import hashlib

    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{path}, {os.path.getsize(path):,} bytes, SHA-256 {digest}"


def check(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    rule: Annotated[list[str], typer.Option("--rule", help='What must hold: "cem >= 0.7"; with ci the whole interval must.')],
    labels: o.Labels = None,
    edges: o.Edges = None,
    method: o.Method = "auto",
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = None,
    seed: o.Seed = 0,
    cluster: o.Cluster = None,
    weight: o.Weight = None,
    gold: o.Gold = None,
    id: o.Id = None,
    missing: o.Missing = "error",
    max_rows: o.MaxRows = None,
) -> None:
    """A gate: exit code 1 when a rule fails."""
    try:
        rules = [oe.Rule.parse(text) for text in rule]
    except ValueError as error:  # a rule that cannot be read is wrong usage, not a rule that fails
        raise typer.BadParameter(str(error), param_hint="--rule") from None
    counts = o.RowOptions(source, true, pred, labels, edges, weight, None, cluster, gold, id, missing, max_rows).counts()
    settings = o.settings(confidence, seed, resamples, method=method)
    failed = 0
    for model in counts.models:
        result = oe.evaluate(counts[model], metrics=list(dict.fromkeys(r.metric for r in rules)), **settings)
        for one in rules:
            verdict = one.judge(result.scores[one.metric])
            failed += not verdict.holds
            typer.echo(
                "\n".join(
                    wrap(f"{printable(model)}: {verdict}", 80, first="pass  " if verdict.holds else "FAIL  ", then="      ")
                )
            )
    if failed:
        raise typer.Exit(1)


def plan(
    source: o.Source,
    true: o.TrueColumn,
    pred: o.PredColumns,
    metric: Annotated[str, typer.Option("--metric", help="The score to plan for.")] = "cem",
    half_width: Annotated[
        float | None, typer.Option("--half-width", help="The half-width that the interval should have.")
    ] = None,
    difference: Annotated[float | None, typer.Option("--difference", help="The difference of two models to be seen.")] = None,
    power: Annotated[float, typer.Option("--power", help="The chance to see it.")] = 0.8,
    labels: o.Labels = None,
    edges: o.Edges = None,
    cluster: o.Cluster = None,
    gold: o.Gold = None,
    id: o.Id = None,
    missing: o.Missing = "error",
) -> None:
    """How many rows the next study needs, from this one."""
    counts = o.RowOptions(source, true, pred, labels, edges, None, None, cluster, gold, id, missing).counts()
    found = oe.plan(counts, metric, half_width=half_width, difference=difference, power=power)
    typer.echo("\n".join(wrap(printable(found), 80)))
