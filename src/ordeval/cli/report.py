"""`ordeval report`: one page for people."""

import hashlib
import os
from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command(
    "ordeval report runs.csv --true y --pred p -o report.html",
    "ordeval report runs.parquet --true y --pred a --pred b -o report.md",
)
def report(
    rows: o.ForecastRows,
    output: Annotated[str, "FILE: The file to write: .html, .md or .tex."],
    *,
    metrics: o.Metrics = None,
    primary: o.Primary = None,
    settings: o.Settings,
    open: Annotated[bool, "Unfold the evidence, for browsers that print only what is open."] = False,
    force: Annotated[bool, "Replace an existing file."] = False,
) -> None:
    """One page for people, as HTML, Markdown or LaTeX.

    Scores, errors, comparison, audit, and a paragraph on methods.
    """
    o.Target(output=output, force=force)  # refuses a file that is there
    result: oe.Comparison | oe.Evaluation
    if len(rows.pred) > 1:
        result = rows.comparison(metrics=metrics, primary=primary, **settings.keywords())
    else:
        (result,) = rows.evaluations(metrics=metrics, **settings.keywords()).values()
    files = {"file scored": rows.name, "file gold": rows.gold}
    oe.show.write(result.page({what: _fingerprint(path) for what, path in files.items() if path}), output, force=force, open=open)
    typer.echo(f"written: {output}", err=True)


def _fingerprint(path: str) -> str:
    """What identifies a file: its name, its size and its hash; of many files, and of stdin, the name alone."""
    if not os.path.isfile(path):
        return path
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{path}, {os.path.getsize(path):,} bytes, SHA-256 {digest}"
