"""The command line.  It only calls public names and prints what `show` makes of them."""

from __future__ import annotations

from typing import Annotated

import typer

from ordeval import Scale, __version__, check_laws, compare, get_metric, law_table, load_example, reproduce
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


@app.command(epilog="Examples:   ordeval laws cem      ordeval laws kendall_tau --law imbalance")
def laws(
    metric: Annotated[
        str | None, typer.Argument(help="A metric, an alias, or a metric with its parameters; all if left out.")
    ] = None,
    law: Annotated[list[str] | None, typer.Option("--law", help="Only this law; may be given several times.")] = None,
    k: Annotated[int | None, typer.Option("--k", help="Most classes of which every case is tried (4).")] = None,
    n: Annotated[int | None, typer.Option("--n", help="Most rows of which every case is tried (5).")] = None,
) -> None:
    """Say which laws a metric keeps, with the smallest counter-example to each other.

    Without a metric: the table of all metrics, as recorded, or searched anew within --k and --n.
    """
    if metric is None:
        typer.echo(str(law_table(laws=law, k=k, n=n, announce=_note)))
    else:
        typer.echo(str(check_laws(metric, laws=law, k=4 if k is None else k, n=5 if n is None else n, announce=_note)))


def _note(sentence: str) -> None:
    typer.echo(sentence, err=True)
