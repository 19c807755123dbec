"""`ordeval check`: a gate for scripts."""

from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command

Rules = Annotated[list[str], 'RULE: What must hold: "cem >= 0.7"; with ci the whole interval must.']


@command(
    "ordeval check runs.csv --true y --pred p --rule 'cem >= 0.7'",
    "ordeval check runs.csv --true y --pred p --rule 'accuracy_within > 0.95 ci'",
)
def check(rows: o.Rows, rule: Rules, *, settings: o.Settings) -> None:
    """A gate: exit code 1 when a rule fails."""
    rules, failed = [oe.Rule.parse(text) for text in rule], 0
    counts = rows.counts()
    for model in counts.models:
        result = oe.evaluate(counts[model], metrics=list(dict.fromkeys(one.metric for one in rules)), **settings.keywords())
        for said in result.notes:
            o.note(f"{model}: {said}" if len(counts.models) > 1 else said)
        for one in rules:
            verdict = one.judge(result.scores[one.metric])
            failed += not verdict.holds
            said, first = oe.show.printable(f"{model}: {verdict}"), "pass  " if verdict.holds else "FAIL  "
            typer.echo("\n".join(oe.show.wrap(said, 80, first=first, then="      ")))
    if failed:
        raise typer.Exit(1)
