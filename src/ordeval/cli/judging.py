"""Commands that judge the metrics themselves: laws, meta, advise."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

import ordeval as oe
from ordeval.cli import options as o

_ASKED = {question.name: question for question in oe.choose.QUESTIONS}


def add_commands(app: typer.Typer) -> None:
    app.command(epilog="Examples:   ordeval laws cem      ordeval laws kendall_tau --law imbalance")(laws)
    app.command(epilog="Examples:   ordeval meta --synthetic      ordeval meta cases/ --metrics cem,mae")(meta)
    app.command(epilog="Examples:   ordeval advise      ordeval advise --scale order --rare theirs")(advise)


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
        typer.echo(str(oe.laws.table(laws=law, max_k=k, max_n=n, announce=_say)))
    else:
        typer.echo(str(oe.laws.check(metric, laws=law, max_k=4 if k is None else k, max_n=5 if n is None else n, announce=_say)))


def _say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def meta(
    folder: Annotated[
        str | None, typer.Argument(help="A folder with one file per test case: counts as JSON, or rows as CSV.")
    ] = None,
    synthetic: Annotated[bool, typer.Option("--synthetic", help="The synthetic experiment of the CEM paper, Table 3.")] = False,
    reading: Annotated[str, typer.Option(help="How to read that experiment: closest or literal.")] = "closest",
    metrics: Annotated[list[str] | None, typer.Option(help="The metrics to judge; 29 if left out.")] = None,
    reference: Annotated[list[str] | None, typer.Option(help="Those whose unanimous improvement counts.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="Judge with these systems only; may be repeated.")] = None,
    true: Annotated[str, typer.Option("--true", help="In files of rows: the column of true classes.")] = "true",
    labels: o.Labels = None,
    seed: Annotated[int, typer.Option(help="The seed of the synthetic experiment.", min=0)] = 0,
) -> None:
    """Judge the metrics themselves on many systems and test cases."""
    if (folder is None) != synthetic:
        raise typer.BadParameter("give a folder of test cases, or --synthetic, and not both")
    if synthetic and (metrics or reference or system or labels):
        raise typer.BadParameter("--synthetic has metrics, systems and classes of its own; leave out the options about them")
    if folder is None:
        typer.echo(str(oe.papers.table3(reading, rng=seed)))  # type: ignore[arg-type]  # words are checked there
        return
    campaign = oe.choose.Campaign.load(folder, systems=system or None, true=true, labels=o.scale_from(labels, None))
    typer.echo(str(oe.choose.meta_evaluate(campaign, metrics=o.metrics_from(metrics), against=o.metrics_from(reference))))


def _answers_to(name: str) -> str:
    asked = _ASKED[name]
    return f"{asked.asks} {' | '.join(choice.word for choice in asked.choices)}"


def advise(
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
    given: dict[str, Any] = {
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
    typer.echo(str(oe.choose.advise(**given)))


def _ask(asked: oe.types.Question, number: int) -> str:
    """One question on the terminal; its choices by number."""
    typer.echo("\n".join(asked.lines(number, len(_ASKED))), err=True)
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
