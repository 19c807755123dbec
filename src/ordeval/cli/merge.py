"""`ordeval merge`: adds up counts that were saved apart."""

from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command("ordeval merge monday.json tuesday.json -o week.json", "ordeval merge shards/*.json")
def merge(parts: Annotated[list[str], "<COUNTS> Files of counts, as saved by Counts.save."], target: o.Target) -> None:
    """Add up counts that were saved apart: days, shards, workers."""
    total = oe.Counts.sum([oe.Counts.load(part) for part in parts])
    if target.output is None:
        typer.echo(total.to_json())
    else:
        total.save(target.output, force=target.force)
        typer.echo(f"{target.output}   {total.audit.line}")
