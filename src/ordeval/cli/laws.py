"""`ordeval laws`: what a metric promises."""

from functools import partial
from typing import Annotated, Any

import typer

import ordeval as oe
from ordeval.cli.joining import command


@command("ordeval laws cem", "ordeval laws kendall_tau --laws imbalance")
def laws(
    metric: Annotated[str | None, "<METRIC> A metric, an alias, or a metric with its parameters; all if left out."] = None,
    *,
    laws: Annotated[list[str] | None, "NAMES: Only these laws, comma-separated or repeated."] = None,
    max_k: Annotated[int | None, "NUMBER: Try every case with up to so many classes; 4 if left out."] = None,
    max_n: Annotated[int | None, "NUMBER: Try every case with up to so many rows; 5 if left out."] = None,
) -> None:
    """Say which laws a metric keeps, and which it breaks.

    Each broken law comes with its smallest counter-example.
    Without a metric: the table of all metrics, as recorded, or searched anew within --max-k and --max-n.
    """
    bounds: dict[str, Any] = {key: value for key, value in (("max_k", max_k), ("max_n", max_n)) if value is not None}
    ask: Any = oe.laws.table if metric is None else partial(oe.laws.check, metric)
    typer.echo(str(ask(laws=laws, announce=partial(typer.echo, err=True), **bounds)))
