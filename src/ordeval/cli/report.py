"""`ordeval report`: one page for people."""

import hashlib
import os
from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command(
    "ordeval report study.toml",
    "ordeval report runs.parquet --true y --pred a --pred b -o report.md",
)
def report(
    rows: o.ForecastRows,
    *,
    output: Annotated[str | None, "FILE: The file to write: .html, .md or .tex; a study may name it instead."] = None,
    metrics: o.Metrics = None,
    primary: o.Primary = None,
    settings: o.Settings,
    open: Annotated[bool, "Unfold the evidence, for browsers that print only what is open."] = False,
    force: Annotated[bool, "Replace an existing file."] = False,
) -> None:
    """One page for people, as HTML, Markdown or LaTeX.

    Scores, errors, comparison, audit, and a paragraph on methods.
    """
    if rows.study is not None:
        typer.echo(f"written: {rows.study.report(output, force=force, open=open)}", err=True)
        return
    if output is None:
        raise typer.BadParameter("--output is missing; name the file to write, which ends in .html, .md or .tex")
    o.Target(output=output, force=force)  # refuses a file that is there
    _ = rows.columns
    result: oe.Comparison | oe.Evaluation
    named = rows.pred or () if rows.model_column is None else rows.counts().models
    if len(named) > 1:
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
