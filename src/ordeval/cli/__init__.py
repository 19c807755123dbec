"""The command line.  It only calls public names and prints what `show` makes of them."""

from __future__ import annotations

from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import about, judging, models, raters, rows

app = typer.Typer(
    help="How good are predictions when the classes have an order?",
    epilog="Examples:   ordeval demo      ordeval score FILE --true grade --pred model",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help: it opens faster, and a label is never markup
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ordeval {oe.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    pass


rows.add_commands(app)
models.add_commands(app)
raters.add_commands(app)
judging.add_commands(app)
about.add_commands(app)
