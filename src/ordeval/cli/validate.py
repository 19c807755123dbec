"""`ordeval validate`: the audit alone."""

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command(
    "ordeval validate visits.csv --true grade --pred model --labels low,mid,high",
    "ordeval validate 'runs/*.parquet' --true y --pred p",
)
def validate(rows: o.GroupedRows, output: o.Output) -> None:
    """The audit of the input alone, without scores.

    It also shows what a tool that sorts labels or drops a class would have made of it.
    """
    counts = rows.counts()
    pitfalls = {model: list(oe.choose.pitfalls(counts[model])) for model in counts.models}
    output.give(oe.types.InputAudit(counts, pitfalls, rows.name))
