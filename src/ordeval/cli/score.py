"""`ordeval score`: scores with intervals."""

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command(
    "ordeval score study.toml",
    "ordeval score visits.csv --true grade --pred model --labels low,mid,high",
)
def score(rows: o.ForecastRows, *, metrics: o.Metrics = None, settings: o.Checked, output: o.Output) -> None:
    """Scores with intervals, of one model or of several."""
    o.give(oe.types.Evaluations(rows.evaluations(metrics=metrics, **settings.keywords()), rows.name), output, rows.study)
