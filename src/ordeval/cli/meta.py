"""`ordeval meta`: metrics judged on systems and test cases."""

from typing import Annotated, Literal

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command


@command("ordeval meta --synthetic", "ordeval meta cases/ --metrics cem,mae")
def meta(
    folder: Annotated[str | None, "<FOLDER> A folder with one file per test case: counts as JSON, or rows as CSV."] = None,
    *,
    synthetic: Annotated[bool, "The synthetic experiment of the CEM paper, Table 3."] = False,
    reading: Annotated[Literal["closest", "literal"], "WORD: How to read that experiment: closest or literal."] = "closest",
    rng: Annotated[int, "SEED: The seed of that experiment."] = 0,
    metrics: Annotated[list[str] | None, "NAMES: The metrics to judge; 29 if left out."] = None,
    against: Annotated[list[str] | None, "NAMES: The metrics whose unanimous improvement counts."] = None,
    systems: Annotated[list[str] | None, "NAME: Judge with these systems only; repeat for several."] = None,
    true: Annotated[str, "COLUMN: In files of rows: the column of true classes."] = "true",
    classes: o.Classes,
) -> None:
    """Judge the metrics themselves on many systems and test cases."""
    if (folder is None) != synthetic:
        raise typer.BadParameter("give a folder of test cases, or --synthetic, and not both")
    if synthetic and (metrics or against or systems or classes != o.Classes()):
        raise typer.BadParameter("--synthetic has metrics, systems and classes of its own; leave out the options about them")
    if folder is None:
        typer.echo(str(oe.papers.table3(reading, rng=rng)))
        return
    campaign = oe.choose.Campaign.load(folder, systems=systems or None, true=true, labels=classes.scale)
    typer.echo(str(oe.choose.meta_evaluate(campaign, metrics=metrics, against=against)))
