"""The command line.  It only calls public names and prints what `show` makes of them."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ordeval import Campaign, Scale, __version__, compare, get_metric, load_example, meta_evaluate, reproduce
from ordeval.lab import table3
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


@app.command("reproduce", epilog="Examples:   ordeval reproduce      ordeval reproduce oci")
def _reproduce(
    paper: Annotated[str | None, typer.Argument(help="One of oci, cem, stc, blog; all of them if left out.")] = None,
) -> None:
    """Compute again what the papers print, and say where they err.

    Exit code 1 if a verdict is not the recorded one.
    """
    report = reproduce(paper)
    typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)


def _texts(given: list[str] | None) -> list[str] | None:
    """Metrics named in one option with commas, or in several; a comma between parentheses belongs to a metric."""
    return None if not given else [text.strip() for part in given for text in re.split(r",(?![^(]*\))", part) if text.strip()]


@app.command("meta", epilog="Examples:   ordeval meta --synthetic      ordeval meta cases/ --metrics cem,mae")
def _meta(
    folder: Annotated[
        str | None, typer.Argument(help="A folder of counts saved as JSON, one file per test case; models are the systems.")
    ] = None,
    synthetic: Annotated[bool, typer.Option("--synthetic", help="The synthetic experiment of the CEM paper, Table 3.")] = False,
    reading: Annotated[str, typer.Option(help="How to read that experiment: closest or literal.")] = "closest",
    metrics: Annotated[list[str] | None, typer.Option(help="The metrics to judge; 29 if left out.")] = None,
    reference: Annotated[list[str] | None, typer.Option(help="Those whose unanimous improvement counts.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="Judge with these systems only; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of the synthetic experiment.")] = 0,
) -> None:
    """Judge the metrics themselves on many systems and test cases."""
    if (folder is None) != synthetic:
        raise typer.BadParameter("give a folder of test cases, or --synthetic, and not both")
    if folder is None:
        typer.echo(str(table3(reading, rng=seed)))
        return
    campaign = Campaign.load(folder, systems=system or None)
    typer.echo(str(meta_evaluate(campaign, metrics=_texts(metrics), reference=_texts(reference))))
