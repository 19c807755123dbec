"""`ordeval check`: a gate for scripts."""

import os
from typing import Annotated, Literal

import typer

import ordeval as oe
from ordeval.cli import options as o
from ordeval.cli.joining import command

Rules = Annotated[
    list[str] | None, 'RULE: What must hold: "cem >= 0.7"; with ci the whole interval must.  @FILE: one on each line.'
]
Format = Literal["text", "json", "junit", "md"]


@command(
    "ordeval check study.toml --accept",
    "ordeval check runs.csv --true y --pred p --rule 'cem >= 0.7 ci'",
)
def check(
    rows: o.GroupedRows,
    *,
    rule: Rules = None,
    accept: Annotated[bool, "Keep the scores as the new baseline of the study, where all rules hold."] = False,
    baseline: Annotated[str | None, "FILE: What baseline means in a rule: counts or scores as JSON, or a --pred."] = None,
    settings: o.Settings,
    format: Annotated[Format, "FORMAT: text, json, junit or md."] = "text",
    junit: Annotated[str | None, "FILE: Write JUnit XML here as well; replaced if it is there."] = None,
    summary: Annotated[str | None, "FILE: Append Markdown here, such as $GITHUB_STEP_SUMMARY."] = None,
) -> None:
    """Check rules.  Exit code 1 when one fails, 3 when the rows cannot be judged."""
    if rows.study is not None:
        junit = junit or rows.study.place_of("junit")
    elif not rule:
        raise typer.BadParameter("--rule is missing; say what must hold: --rule 'cem >= 0.7'")
    elif accept:
        raise typer.BadParameter("--accept keeps the baseline of a study; give a study file (.toml)")
    try:
        if rows.study is not None:
            report = _in_groups(rows.study, rows.by or []).check(accept=accept, baseline=baseline)
        else:
            rules = [oe.Rule.parse(text) for text in _texts(rule or [])]
            report = oe.study.check_rules(rows.counts(), rules, baseline=baseline, by=rows.by, **settings.keywords())
    except (ValueError, OSError) as error:
        if junit is not None:
            oe.show.write(oe.study.junit_error(str(error)), junit, force=True)
        raise
    give(report, format, junit, summary)


def _in_groups(study: oe.Study, by: list[str]) -> oe.Study:
    """The study whose rules must also hold in each group of these columns."""
    if not by:
        return study
    each = []
    for gate in study.data.get("gate", []):
        each += [gate, *(gate | {"each": column} for column in by if column != gate.get("each"))]
    return study.override({"gate": each}, where="on the command line")


def _texts(given: list[str]) -> list[str]:
    """The rules, those of files on lines of their own."""
    found = []
    for text in given:
        if text.startswith("@"):
            with open(text[1:], encoding="utf-8-sig") as file:
                found += [line.strip() for line in file if line.strip() and not line.startswith("#")]
        else:
            found.append(text)
    return found


def give(report: "oe.types.RuleReport", format: str, junit: str | None, summary: str | None) -> None:
    """The report in the forms asked for, and exit code 1 where a rule does not hold."""
    makers = {"text": report.__str__, "json": report.to_json, "junit": report.to_junit, "md": report.to_markdown}
    typer.echo(makers[format]().rstrip("\n"))
    if junit is not None:
        oe.show.write(report.to_junit(), junit, force=True)
    if summary is not None:
        with open(os.fspath(summary), "a", encoding="utf-8") as file:
            file.write(f"{report.to_markdown()}\n\n")
    if not report.holds:
        raise typer.Exit(1)
