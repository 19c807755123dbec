"""`ordeval init`: a study file from rows."""

import os
from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli.joining import command


@command("ordeval init visits.csv", "ordeval init gold.csv runs/*.csv -o task.toml")
def init(
    files: Annotated[list[str], "<FILE> Files with rows; or the file with the truth and those of the runs."],
    *,
    sheet: Annotated[str | None, "SHEET: The sheet of an Excel workbook: its name, or its number, counted from 1."] = None,
    encoding: Annotated[str, "NAME: The encoding of text files: utf-8, utf-16, windows-1252 or latin-1."] = "utf-8",
    output: Annotated[str, "FILE: Where the study goes."] = "study.toml",
    force: Annotated[bool, "Replace an existing file."] = False,
) -> None:
    """Look at every row once and propose a study file.

    Lists everything odd in the rows and guesses which column is what, but never an order.  Questions that only people can answer
    stay open.
    """
    if not force:
        oe.show.check_free(output)
    found = oe.study.look(files, os.path.dirname(output), sheet=sheet, encoding=encoding)  # type: ignore[arg-type]  # checked there
    found.write(output, force=force)
    typer.echo(str(found.at(output)))
