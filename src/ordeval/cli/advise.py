"""`ordeval advise`: which metrics fit."""

import sys
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import typer

import ordeval as oe
from ordeval.cli.joining import command

YesNo = Literal["no", "yes"]
Scale = Literal["order", "steps", "interval"]
Rare = Literal["no", "theirs", "everyone"]
Audience = Literal["ourselves", "papers", "public"]


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The six questions of `oe.choose.QUESTIONS`."""

    scale: Annotated[Scale | None, "WORD: What do the classes say besides their names? order | steps | interval"] = None
    rare: Annotated[Rare | None, "WORD: Is a class rare, and who is harmed by errors there? no | theirs | everyone"] = None
    prevalence: Annotated[YesNo | None, "WORD: Must the score ignore how frequent the classes are? no | yes"] = None
    probabilities: Annotated[YesNo | None, "WORD: Does the model give a probability for each class? no | yes"] = None
    open_band: Annotated[YesNo | None, "WORD: Is the lowest or the highest class open, as in “90 or more”? no | yes"] = None
    audience: Annotated[Audience | None, "WORD: Who will read the score? ourselves | papers | public"] = None


@command("ordeval advise", "ordeval advise --scale order --rare theirs")
def advise(answers: Answers) -> None:
    """Say which two or three metrics fit, why, and what they miss.

    Without options the questions are asked one by one.
    """
    given = asdict(answers)
    if answers == Answers():
        if not sys.stdin.isatty():
            raise typer.BadParameter(
                "the questions cannot be asked without a terminal; answer at least one of them, as in --scale order"
            )
        given = {question.name: _ask(question, number) for number, question in enumerate(oe.choose.QUESTIONS, 1)}
    typer.echo(str(oe.choose.advise(**given)))


def _ask(question: Any, number: int) -> str:
    """One question on the terminal; its choices by number."""
    typer.echo("\n".join(question.lines(number, len(oe.choose.QUESTIONS))), err=True)
    words = [choice.word for choice in question.choices]
    while True:
        typer.echo("  your choice [1]: ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:  # the end of the input, not an empty line
            raise typer.Abort
        said = line.strip() or "1"
        if said.isdecimal() and 1 <= int(said) <= len(words):
            return str(words[int(said) - 1])
        if said in words:
            return said
        typer.echo(f"  a number from 1 to {len(words)}, or its word", err=True)
