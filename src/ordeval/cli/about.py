"""Commands that need no data: the demo, the metrics, the papers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

import ordeval as oe
from ordeval.evaluation import _text as text
from ordeval.metrics.core.docs import card
from ordeval.metrics.core.overview import metrics_table
from ordeval.parts._cuts import cut_words, worst_cut

DEMO_METRICS = ("cem", "oci", "stc", "accuracy", "accuracy_within", "balanced_accuracy", "mae", "amae", "bias", "cohen_kappa")


def add_commands(app: typer.Typer) -> None:
    app.command(epilog="Examples:   ordeval demo      ordeval demo | less")(demo)
    app.command(epilog="Examples:   ordeval metrics      ordeval metrics | grep kappa")(metrics)
    app.command(epilog="Examples:   ordeval explain amae      ordeval explain \"cohen_kappa(weights='linear')\"")(explain)
    app.command(epilog="Examples:   ordeval reproduce oci      ordeval reproduce oci --table 6 --quick")(reproduce)


def demo(
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the report goes; replaced if it is there.")
    ] = "ordeval-demo.html",
) -> None:
    """The whole story on bundled data: compare, write a report."""
    data = oe.load_example("triage")
    scale = oe.Scale(["green", "yellow", "orange", "red"])
    predictions = {"nurse": data["nurse"], "model": data["model"]}
    result = oe.compare(data["grade"], predictions, primary="cem", metrics=DEMO_METRICS, labels=scale, missing="drop")
    lines = text.comparison(result)
    for model, evaluation in result.evaluations.items():
        lines += ["", f"  where the {model} errs (columns: predicted)", ""]
        lines += [f"    {line}" for line in text.confusion_matrix(evaluation.counts)]
        cut = worst_cut(evaluation.counts)
        if cut is not None:
            lines += ["", f"    {cut_words(cut)}"]
    skill = _skill(data, scale)
    lines += [
        "",
        f"  the model's probabilities: RPS skill {skill}",
        "  (0: no better than the class shares, 1: always certain and right)",
    ]
    result.report(output, force=True)
    lines += ["", f"  report:  {output}", "  next:    ordeval explain cem      ordeval score --help"]
    typer.echo("\n".join(lines))


def _skill(data: dict[str, list[Any]], scale: oe.Scale) -> oe.Score:
    """How much better than the class shares the model's probabilities are."""
    columns = [data[f"p_{label}"] for label in scale.labels]
    proba = [[math.nan if p is None else p for p in row] for row in zip(*columns, strict=True)]
    scores = oe.evaluate(data["grade"], data["model"], proba=proba, labels=scale, missing="drop", metrics=["rps_skill"]).scores
    return scores["rps_skill"]


def metrics() -> None:
    """List every metric, and which way is better (↑ ↓ → target)."""
    typer.echo("\n".join(metrics_table()))


def explain(name: Annotated[str, typer.Argument(help="A metric, an alias, or a metric with its parameters.")]) -> None:
    """Say what a metric is, what it ignores, when it misleads."""
    typer.echo("\n".join(card(oe.get_metric(name))))


def reproduce(
    paper: Annotated[str | None, typer.Argument(help="One of oci, cem, stc, blog; all of them if left out.")] = None,
    table: Annotated[int | None, typer.Option(help="Run the experiment behind this table again: 5 or 6 of oci.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Repeat the experiment a few times instead of 50.")] = False,
    keep: Annotated[Path | None, typer.Option(help="A folder for what is done; an interrupted run goes on from it.")] = None,
) -> None:
    """Compute again what the papers print, and say where they err.

    Exit code 1 if a verdict is not the recorded one.
    """
    report = oe.papers.reproduce(paper, table=table, quick=quick, folder=keep)  # type: ignore[arg-type]  # words are checked there
    typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)
