"""`ordeval metrics` and `ordeval explain`: every metric, and what one is."""

from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command("ordeval metrics", "ordeval metrics | grep kappa")
def metrics(output: o.Output) -> None:
    """List every metric, and which way is better (↑ ↓ → target)."""
    output.give(oe.catalogue())


@command("ordeval explain amae", "ordeval explain \"cohen_kappa(weights='linear')\"")
def explain(metric: Annotated[str, "<NAME> A metric, an alias, or a metric with its parameters."]) -> None:
    """Say what a metric is, what it ignores, when it misleads."""
    typer.echo(oe.get_metric(metric).card())
