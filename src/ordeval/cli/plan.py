"""`ordeval plan`: how many rows the next study needs."""

from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.help import given_options
from ordeval.cli.joining import command


@command(
    "ordeval plan study.toml --difference 0.02",
    "ordeval plan pilot.csv --true y --pred a --pred b --difference 0.05",
)
def plan(
    rows: o.Rows,
    *,
    metric: Annotated[str, "METRIC: The score to plan for."] = oe.DEFAULT_METRICS[0],
    half_width: Annotated[float | None, "NUMBER: The half-width that the interval should have."] = None,
    difference: Annotated[float | None, "NUMBER: The difference between two models that should be detected."] = None,
    power: Annotated[float, "SHARE: The power: the chance to detect --difference."] = 0.8,
    assurance: Annotated[float, "SHARE: The share of samples in which the interval should be that narrow."] = 0.8,
    settings: o.Level,
) -> None:
    """How many rows the next study needs, from this one."""
    counts, same = rows.counts(), settings.keywords()
    if rows.study is not None:
        same |= rows.study.settings(*same)
        metric = metric if "metric" in given_options() else rows.study.primary
    found = oe.plan(counts, metric, half_width=half_width, difference=difference, power=power, assurance=assurance, **same)
    typer.echo("\n".join(oe.show.wrap(str(found), 80)))
