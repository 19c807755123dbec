"""`ordeval judge`: how far may a language model that grades be trusted?"""

import dataclasses
from typing import Annotated, Any, Literal

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command

LogFormat = Literal["auto", "inspect", "mlflow", "lm_eval", "table"]
Epochs = Literal["auto", "repeats", "items"]


@command(
    "ordeval judge judge.eval --labels 1,2,3,4,5 --rule 'same_again >= 0.8 ci'",
    "ordeval judge votes.jsonl --item id --rater who --grade score --judge gpt",
)
def judge(
    source: Annotated[list[str], "<LOG> Inspect (.eval, .json), MLflow traces, lm-eval samples, a table; or mlflow:RUN."],
    *,
    human: Annotated[str | None, "FILE: People's grades of the same items, joined by --id."] = None,
    id: Annotated[str | None, "COLUMN: The column of --human that holds the items' ids."] = None,
    item: Annotated[str | None, "COLUMN: In a table: the column of items; in lm-eval samples: a field of the documents."] = None,
    rater: Annotated[str | None, "COLUMN: In a table with a row for each rating: the column that names the rater."] = None,
    grade: Annotated[str | None, "COLUMN: The column of grades, in such a table or in --human."] = None,
    repeats: Annotated[str | None, "COLUMN: In a table: the column with the number of each repeat."] = None,
    trace: Annotated[str | None, "COLUMN: In a table: the column of ids by which a rating can be looked up."] = None,
    judge: Annotated[list[str] | None, "RATER: A judge, or its column; repeat for several."] = None,
    person: Annotated[list[str] | None, "RATER: A person, or the column of one; repeat for several."] = None,
    score: Annotated[str | None, "NAME: Which score of Inspect, or which feedback of MLflow, is the grade."] = None,
    filter: Annotated[str | None, "NAME: Which filter of lm-eval to use."] = None,
    parse: Annotated[str | None, "REGEX: Its last match in what the judge wrote is the grade."] = None,
    epochs: Annotated[Epochs, "WORD: Epochs of Inspect are repeats of a grade, or items (auto: items with --human)."] = "auto",
    log_format: Annotated[LogFormat, "WORD: What the log is: auto (by content), inspect, mlflow, lm_eval, table."] = "auto",
    unfinished: Annotated[bool, "Read a log of Inspect that did not finish."] = False,
    classes: o.Classes,
    junit: Annotated[str | None, "FILE: Write the outcome of the rules as JUnit XML; replaced if it is there."] = None,
    against: Annotated[str | None, "LOG: An earlier log: has the judge changed?  Items are paired by id."] = None,
    metrics: o.Metrics = None,
    rule: Annotated[
        list[str] | None, 'RULE: What must hold: "cem >= 0.7"; also same_again, alpha, drift, effective_judges.'
    ] = None,
    settings: o.Resampling,
    list: Annotated[int, "NUMBER: Disagreements to show."] = 20,
    disagreements: Annotated[str | None, "FILE: Write all disagreements as CSV."] = None,
    report: Annotated[str | None, "FILE: Write a page as well: .html, .md or .tex."] = None,
    output: o.Output,
) -> None:
    """How far a language model that grades may be trusted.

    Agreement, bias, self-consistency, drift.
    Grades of a language model beside those of people, from the log of the tool that made them.  With --rule the exit code is 1 when
    a rule fails.
    """
    for file in (report, disagreements):
        o.Target(output=file, force=output.force)  # refuses a file that is there
    columns: dict[str, Any] = {
        "item": item,
        "rater": rater,
        "grade": grade,
        "repeats": repeats,
        "trace": trace,
        "judges": judge,
        "people": person,
    }
    how: dict[str, Any] = {"score": score, "filter": filter, "parse": parse, "log_format": log_format, "unfinished": unfinished}
    log = oe.raters.read_judge_log(_one(source), labels=classes.scale, epochs=epochs, human=human, id=id, **columns, **how)
    o.note_inferred(log.ratings())
    earlier = None
    if against is not None:
        same: dict[str, Any] = {**columns, "epochs": log.epochs or "auto", "people": None if human is not None else person}
        earlier = oe.raters.read_judge_log(against, labels=log.scale, **same, **how)
    found = oe.raters.validate_judge(log, metrics=metrics, against=earlier, **settings.keywords())
    found = dataclasses.replace(found, listed=list)
    verdicts = found.check(rule) if rule else []
    if junit is not None:
        oe.show.write(found.to_junit(rule or []), junit, force=True)
    if disagreements is not None:
        oe.show.write(log.disagreements().to_csv(), disagreements, force=output.force)
        o.note(f"disagreements written: {disagreements}")
    if report is not None:
        oe.show.write(found.page(), report, force=output.force)
        o.note(f"report written: {report}")
    output.give(found)
    if disagreements is None and len(log.disagreements()) > list:
        o.note("--disagreements FILE writes all disagreements as CSV")
    for name, verdict in verdicts:
        said = f"{name}: {verdict}" if name and len(log.judges) > 1 else str(verdict)
        first = "pass  " if verdict.holds else "FAIL  "
        typer.echo("\n".join(oe.show.wrap(oe.show.printable(said), 80, first=first, then="      ")), err=output.format != "text")
    if not all(verdict.holds for _, verdict in verdicts):
        raise typer.Exit(1)


def _one(sources: "list[str]") -> Any:
    return sources[0] if len(sources) == 1 else sources
