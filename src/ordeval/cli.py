"""The command line.  It only calls public names and prints what `show` makes of them."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from ordeval import Campaign, Scale, __version__, advise, compare, get_metric, load_example, meta_evaluate, reproduce
from ordeval.lab import QUESTIONS, Question, table3
from ordeval.show import advice, text

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


_ASKED = {question.name: question for question in QUESTIONS}


def _answers_to(name: str) -> str:
    asked = _ASKED[name]
    return f"{asked.asks} {' | '.join(choice.word for choice in asked.choices)}"


@app.command("advise", epilog="Examples:   ordeval advise      ordeval advise --scale order --rare theirs")
def _advise(
    scale: Annotated[str | None, typer.Option(help=_answers_to("scale"))] = None,
    rare: Annotated[str | None, typer.Option(help=_answers_to("rare"))] = None,
    prevalence: Annotated[str | None, typer.Option(help=_answers_to("prevalence"))] = None,
    probabilities: Annotated[str | None, typer.Option(help=_answers_to("probabilities"))] = None,
    open_band: Annotated[str | None, typer.Option(help=_answers_to("open_band"))] = None,
    audience: Annotated[str | None, typer.Option(help=_answers_to("audience"))] = None,
) -> None:
    """Say which two or three metrics fit, why, and what they miss.

    Without options the questions are asked one by one.
    """
    given = {
        "scale": scale,
        "rare": rare,
        "prevalence": prevalence,
        "probabilities": probabilities,
        "open_band": open_band,
        "audience": audience,
    }
    if not any(given.values()):
        if not sys.stdin.isatty():
            raise typer.BadParameter("nobody is here to be asked; answer at least one question, as in --scale order")
        given = {name: _ask(asked, number) for number, (name, asked) in enumerate(_ASKED.items(), 1)}
    typer.echo(str(advise(**given)))


def _ask(asked: Question, number: int) -> str:
    """One question on the terminal; its choices by number."""
    typer.echo("\n".join(advice.question(asked, number, len(_ASKED))), err=True)
    while True:
        typer.echo("  your choice [1]: ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:  # the end of the input, not an empty line
            raise typer.Abort
        said = line.strip() or "1"
        if said.isdecimal() and 1 <= int(said) <= len(asked.choices):
            return asked.choices[int(said) - 1].word
        if said in [choice.word for choice in asked.choices]:
            return said
        typer.echo(f"  a number from 1 to {len(asked.choices)}, or its word", err=True)
