"""`ordeval compare`: several models on the same rows."""

from dataclasses import replace
from typing import Annotated

from ordeval.cli import options as o
from ordeval.cli.joining import command


@command(
    "ordeval compare study.toml",
    "ordeval compare runs.csv --true y --pred a --pred b --labels 0,1,2",
)
def compare(
    rows: o.ForecastRows,
    *,
    metrics: o.Metrics = None,
    primary: o.Primary = None,
    reference: Annotated[str | None, "MODEL: Compare the others with this one, not all pairs."] = None,
    margin: Annotated[float | None, "NUMBER: Also test whether the models are equivalent within this margin."] = None,
    settings: o.Settings,
    output: o.Output,
) -> None:
    """Which model is better: paired differences and a verdict."""
    result = rows.comparison(metrics=metrics, primary=primary, reference=reference, margin=margin, **settings.keywords())
    o.give(replace(result, source=rows.name), output, rows.study)
