"""One run of the program, with all its commands."""

from collections.abc import Sequence
from importlib import import_module

import typer

from ordeval.cli.joining import app
from ordeval.cli.renamed import translate

#: The files of the commands, in the order of --help; importing one adds it.
FILES = (
    *("demo", "init", "score", "compare", "leaderboard", "raters", "judge", "report", "check", "validate", "plan", "merge"),
    *("metrics", "advise", "laws", "meta", "reproduce", "explorer"),
)
for _file in FILES:
    import_module(f"ordeval.cli.{_file}")


def run(args: Sequence[str]) -> None:
    """Run one command; errors come out as they are."""
    program = typer.main.get_command(app)
    with program.make_context("ordeval", translate(args) or ["--help"]) as context:
        program.invoke(context)
