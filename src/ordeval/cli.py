"""The command line.  It only calls public names and prints what `show` makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ordeval import Scale, __version__, compare, get_metric, load_example, reproduce
from ordeval.show import text

app = typer.Typer(
    help="How good are predictions when the classes have an order?",
    epilog="Examples:   ordeval demo      ordeval explain amae",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help: it opens faster, and a label is never markup
    pretty_exceptions_enable=False,
)

DEMO_METRICS = ("cem", "oci", "stc", "accuracy", "accuracy_within", "balanced_accuracy", "mae", "amae", "bias", "cohen_kappa")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ordeval {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    pass


@app.command(epilog="Examples:   ordeval demo      ordeval demo | less")
def demo() -> None:
    """Compare two models on bundled data: the whole story, no arguments."""
    data = load_example("triage")
    scale = Scale(["green", "yellow", "orange", "red"])
    predictions = {"nurse": data["nurse"], "model": data["model"]}
    result = compare(data["grade"], predictions, primary="cem", metrics=DEMO_METRICS, labels=scale, missing="drop")
    lines = text.comparison(result)
    for model, evaluation in result.evaluations.items():
        lines += ["", f"  where the {model} errs (columns: predicted)", ""]
        lines += [f"    {line}" for line in text.confusion_matrix(evaluation.counts)]
        cut = text.worst_cut(evaluation.counts)
        if cut is not None:
            lines += ["", f"    worst cut: “{cut.label} or above” finds {text.percent(cut.sensitivity)} of them, "]
            lines[-1] += f"keeps {text.percent(cut.specificity)} of the others out"
    lines += ["", "  next:  ordeval metrics      ordeval explain amae"]
    typer.echo("\n".join(lines))


@app.command(epilog="Examples:   ordeval metrics      ordeval metrics | grep kappa")
def metrics() -> None:
    """List every metric, and which way is better (↑ ↓ → target)."""
    typer.echo("\n".join(text.metrics_table()))


@app.command(epilog="Examples:   ordeval explain amae      ordeval explain \"cohen_kappa(weights='linear')\"")
def explain(name: Annotated[str, typer.Argument(help="A metric, an alias, or a metric with its parameters.")]) -> None:
    """Say what a metric is, whose it is, what it ignores and when it misleads."""
    typer.echo("\n".join(text.card(get_metric(name))))


@app.command("reproduce", epilog="Examples:   ordeval reproduce oci      ordeval reproduce oci --table 6 --quick")
def _reproduce(
    paper: Annotated[str | None, typer.Argument(help="One of oci, cem, stc, blog; all of them if left out.")] = None,
    table: Annotated[int | None, typer.Option(help="Run the experiment behind this table again: 5 or 6 of oci.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Repeat the experiment a few times instead of 50.")] = False,
    keep: Annotated[Path | None, typer.Option(help="A file for what is done; an interrupted run goes on from it.")] = None,
) -> None:
    """Compute again what the papers print, and say where they err.

    Exit code 1 if a verdict is not the recorded one.
    """
    report = reproduce(paper, table=table, quick=quick, keep=keep)
    typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)
