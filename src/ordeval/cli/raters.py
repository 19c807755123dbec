"""Commands about raters: raters."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer

import ordeval as oe
from ordeval.cli import options as o


def add_commands(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:   ordeval raters essays.csv --rater ann --rater bob --rater cay --labels 1,2,3,4"
        "      ordeval raters votes.jsonl --item id --by-rater who --grade score --judge gpt"
    )(raters)


def raters(
    source: o.Source,
    rater: Annotated[list[str] | None, typer.Option("--rater", help="A column of ratings; repeat for each rater.")] = None,
    item: Annotated[str | None, typer.Option("--item", help="With a row for each rating: the column of items.")] = None,
    by_rater: Annotated[str | None, typer.Option("--by-rater", help="... the column that names the rater.")] = None,
    grade: Annotated[str | None, typer.Option("--grade", help="... the column of grades.")] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="The rater to compare with the panel of the others.")] = None,
    person: Annotated[
        str | None, typer.Option("--person", help="Correct the judge's grades with those of this rater, who graded some rows.")
    ] = None,
    labels: o.Labels = None,
    coefficients: Annotated[
        list[str] | None, typer.Option("--coefficients", help="Coefficients by name, comma-separated or repeated; or all.")
    ] = None,
    weights: Annotated[
        str, typer.Option("--weights", help="identity, linear, quadratic, ordinal, radical, ratio ...")
    ] = "quadratic",
    crossed: Annotated[bool, typer.Option("--crossed", help="Intervals over other items and other raters.")] = False,
    metric: Annotated[str, typer.Option("--metric", help="The score of a judge against the panel.")] = "cohen_kappa",
    epsilon: Annotated[float, typer.Option("--epsilon", help="Of the alternative annotator test.")] = 0.2,
    method: o.Method = "auto",
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = None,
    seed: o.Seed = 0,
    max_rows: o.MaxRows = None,
    report: Annotated[str | None, typer.Option("--report", help="Write a page as well: .html, .md or .tex.")] = None,
    format: o.Format = "text",
    output: o.Output = None,
    force: o.Force = False,
) -> None:
    """How far raters agree, who stands apart, and whether a judge may stand for them.

    With --judge, agreement is that of the others, and the judge is held against them.  What the judge answers beyond the classes
    counts as unanswered, and is told.
    """
    if not (rater or item or by_rater or grade):
        raise ValueError("no rater is named; give a --rater for each column of ratings, or --item, --by-rater and --grade")
    if person is not None and judge is None:
        raise ValueError("--person corrects the grades of a judge; name the judge with --judge")
    with o.spooled(source) as path:
        counts = oe.raters.scan(
            path,
            raters=rater or None,
            item=item,
            rater=by_rater,
            grade=grade,
            unparsable=[judge] if judge else [],
            labels=o.scale_from(labels, None),
            max_rows=max_rows,
        )
    o.note_inferred(counts)
    for words in oe.raters.RatersReport.notes(counts):
        o.note(words)
    people = [name for name in counts.axes if name != judge]
    panelled = judge is not None and len(people) > 1
    settings = o.settings(confidence, seed, resamples)
    options: dict[str, Any] = {"weights": weights, "resample": "crossed" if crossed else "items", "method": method}
    found = oe.raters.agreement(
        counts.margin(*people) if panelled else counts, o.metrics_from(coefficients), **options, **settings
    )
    panel, corrected = None, None
    if judge is not None and panelled:
        panel = oe.raters.judge_panel(counts, judge, metric=metric, epsilon=epsilon, confidence_level=confidence)
    if judge is not None and person is not None:
        corrected = oe.raters.corrected_grades(counts, person=person, judge=judge, **settings)
    result = oe.raters.RatersReport(found, panel, corrected, source)
    if report is not None:
        oe.show.write(result.page(), report, force=force)
        o.note(f"report written: {report}")
    o.give(oe.show.render(result, cast(Any, format)), output, force)
