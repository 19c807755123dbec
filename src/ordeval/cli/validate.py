"""`ordeval validate`: the audit alone."""

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.errors import INPUT, USAGE
from ordeval.cli.joining import command


@command(
    "ordeval validate study.toml",
    "ordeval validate 'runs/*.parquet' --true y --pred p",
)
def validate(rows: o.GroupedRows, output: o.Output) -> None:
    """The audit of the input alone, without scores.

    It also shows what a tool that sorts labels or drops a class would have made of it.
    """
    if rows.study is not None and (problems := rows.study.validate()):
        output.give(problems)
        raise typer.Exit(INPUT if problems.of_rows else USAGE)
    counts = rows.counts()
    pitfalls = {model: list(oe.choose.pitfalls(counts[model])) for model in counts.models}
    output.give(oe.types.InputAudit(counts, pitfalls, rows.name))
