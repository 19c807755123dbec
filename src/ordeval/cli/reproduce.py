"""`ordeval reproduce`: what the papers print, computed again."""

from typing import Annotated, Literal

import typer

import ordeval as oe
from ordeval.cli.joining import command

Paper = Literal["oci", "cem", "stc", "blog"]


@command("ordeval reproduce oci", "ordeval reproduce oci --table 6 --quick")
def reproduce(
    paper: Annotated[Paper | None, "<PAPER> One of oci, cem, stc, blog; all of them if left out."] = None,
    *,
    table: Annotated[int | None, "NUMBER: Run the experiment behind this table again: 5 or 6 of oci, 3 of cem."] = None,
    models: Annotated[
        list[str] | None, "NAME: Models of table 5 or 6: oSVM, Frank and Hall, Conventional, oNN; repeat for several."
    ] = None,
    quick: Annotated[bool, "Repeat the experiment a few times only."] = False,
    folder: Annotated[str | None, "PATH: Where finished parts are kept; an interrupted run continues from them."] = None,
) -> None:
    """Compute again what the papers print, and say what comes out.

    Exit code 1 if a verdict is not the recorded one.
    """
    report = oe.papers.reproduce(paper, table=table, models=models, quick=quick, folder=folder)
    typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)
