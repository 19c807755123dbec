"""`ordeval raters`: several raters and no truth."""

from typing import Annotated, Any, Literal, get_args

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command
from ordeval.cli.studies import study_of

KappaWeights = Literal["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"]
Resample = Literal["items", "crossed"]


@command(
    "ordeval raters study.toml",
    "ordeval raters votes.jsonl --item id --rater who --grade score --judge gpt",
)
def raters(
    source: o.Source,
    *,
    raters: Annotated[list[str] | None, "COLUMN: A column of ratings; repeat for each rater."] = None,
    item: Annotated[str | None, "COLUMN: With a row for each rating: the column of items."] = None,
    rater: Annotated[str | None, "COLUMN: ... the column that names the rater."] = None,
    grade: Annotated[str | None, "COLUMN: ... the column of grades."] = None,
    judge: Annotated[str | None, "RATER: The rater to compare with the panel of the others."] = None,
    person: Annotated[str | None, "RATER: Correct the judge's grades with those of this rater, who graded some rows."] = None,
    classes: o.Classes,
    read_as: o.ReadAs,
    max_rows: o.MaxRows = None,
    coefficients: Annotated[list[str] | None, "NAMES: Coefficients by name, comma-separated or repeated; or all."] = None,
    weights: Annotated[KappaWeights, f"WORD: How much a near miss counts: {', '.join(get_args(KappaWeights))}."] = "quadratic",
    power: Annotated[float | None, "NUMBER: Instead of weights: a near miss costs its distance to this power."] = None,
    resample: Annotated[Resample, "WORD: Intervals over other items, or (crossed) over other items and other raters."] = "items",
    metric: Annotated[str, "METRIC: The score of a judge against the panel."] = "cohen_kappa",
    epsilon: Annotated[float, "NUMBER: The epsilon of the alternative annotator test."] = 0.2,
    settings: o.Settings,
    report: Annotated[str | None, "FILE: Write a page as well: .html, .md or .tex."] = None,
    output: o.Output,
) -> None:
    """How far raters agree, and who stands apart.

    With --judge, agreement is that of the others, and the judge is compared with them.  Answers of the judge outside the
    classes count as unanswered, and are reported.
    """
    if person is not None and judge is None:
        raise typer.BadParameter("--person corrects the grades of a judge; name the judge with --judge")
    study, same = study_of(source), settings.keywords()
    columns: dict[str, Any] = {"raters": raters or None, "item": item, "rater": rater, "grade": grade}
    asked: dict[str, Any] = {"labels": classes.scale, "max_rows": max_rows, "reading": read_as.reading}
    name: Any = o.shown(source)
    if study is not None:
        columns, asked = study.rating_columns()
        name, same = study.source, same | study.settings()
    files = o.opened(source) if study is None else study.rows.files
    counts = oe.raters.scan(files, **columns, **asked, unparsable=[judge] if judge else [])
    o.note_inferred(counts)
    for words in oe.raters.RatersReport.notes(counts):
        o.note(words)
    people = [name for name in counts.axes if name != judge]
    drawn = {name: value for name, value in same.items() if name != "method"}
    panel, corrected, among = None, None, counts
    if judge is not None and len(people) > 1:
        among = counts.margin(*people)
        panel = oe.raters.judge_panel(counts, judge, metric=metric, epsilon=epsilon, **drawn)
    found = oe.raters.agreement(among, coefficients, weights=weights, power=power, resample=resample, **same)
    if judge is not None and person is not None:
        corrected = oe.raters.corrected_grades(counts, person=person, judge=judge, **drawn)
    result = oe.raters.RatersReport(found, panel, corrected, name)
    if report is not None:
        oe.show.write(result.page(), report, force=output.force)
        o.note(f"report written: {report}")
    output.give(result)
