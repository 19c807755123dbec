"""The command that serves the explorer."""

from __future__ import annotations

from typing import Annotated

import typer


def add_commands(app: typer.Typer) -> None:
    app.command("app", epilog="Examples:   ordeval app      ordeval app --port 8600 --no-browser")(explorer)


def explorer(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8501 if it is free, else any.  0 takes any free one.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser where there is a screen.")] = True,
) -> None:
    """Explore scores in the browser: edit a table, compare models, see laws hold and break.

    Served on this machine alone (127.0.0.1), until Ctrl-C.
    """
    from ordeval.app.server import serve

    serve(port, browser=browser)
