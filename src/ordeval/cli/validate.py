"""`ordeval validate`: the audit alone, or everything that is wrong."""

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.errors import INPUT, USAGE, as_option
from ordeval.cli.joining import command


@command(
    "ordeval validate study.toml",
    "ordeval validate visits.csv --true grade --pred model --labels low,mid,high",
)
def validate(rows: o.ExaminedRows, output: o.Output) -> None:
    """Check the input: what was read, or all that is wrong with it.

    No score is computed.
    With --gold the files are the runs of a shared task, one for each model.  The output also shows what a tool that sorts labels or
    drops a class would have made of the rows.
    """
    if rows.study is not None and (faults := rows.study.validate()):
        output.give(faults)
        raise typer.Exit(INPUT if faults.of_rows else USAGE)
    try:
        counts = rows.counts()
    except (ValueError, TypeError, OSError):
        if not (problems := rows.problems()):
            raise
        if output.format == "text":
            text = problems.text(as_option)
            if output.output is None:
                typer.echo(text)
            else:
                oe.show.write(f"{text}\n", output.output, force=output.force)
        else:
            output.give(problems)
        raise typer.Exit(INPUT) from None
    pitfalls = {model: list(oe.choose.pitfalls(counts[model])) for model in counts.models}
    output.give(oe.types.InputAudit(counts, pitfalls, rows.name))
