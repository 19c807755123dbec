"""Groups of options that commands share, and the way from them to rows, settings and files."""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Literal

import numpy as np
import typer

import ordeval as oe
from ordeval.cli.help import given_options
from ordeval.cli.studies import study_of

Source = Annotated[
    str,
    "<FILE> A study (.toml); or CSV, TSV, JSON lines, Parquet, Arrow, ORC, Excel, Stata or SPSS; a glob or a directory; - for stdin.",
]
Metrics = Annotated[list[str] | None, "NAMES: Metrics by name, comma-separated or repeated; all for every one."]
Primary = Annotated[str | None, "METRIC: The score that decides; cem if left out."]
Missing = Annotated[str, "WORD: Rows without a prediction: error, drop, unanswered, wrong, or as=CLASS."]
Unknown = Annotated[Literal["error", "missing"], "WORD: Answers that are not a class: error, or missing (no answer)."]
Strays = Annotated[Literal["error", "drop"], "WORD: Ids that the gold does not have: error, or drop their rows."]
Quote = Annotated[
    Literal["auto", "double", "none"], "WORD: Quotes in CSV and TSV: auto, double (around fields) or none (as text)."
]
MaxRows = Annotated[int | None, "NUMBER: Refuse a file with more rows."]
Method = Literal[
    "auto", "percentile", "basic", "bca", "studentised", "stratified", "jackknife",
    "logit", "delta", "fisher", "wilson", "bayes", "dirichlet",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Classes:
    """The classes, as a command line gives them."""

    labels: Annotated[str | None, "A,B,C: The classes, lowest first: a,b,c or 'a < b < c'; or @file with one on each line."] = (
        None
    )
    edges: Annotated[str | None, "NUMBERS: Interval classes by their edges: 0,30,60,90,inf."] = None

    @property
    def scale(self) -> Any:
        """The classes for `labels=`: of the kind that the columns are, once these are known."""
        if self.edges is not None and self.labels is not None:
            raise oe.ArgumentError("{labels} and {edges} both name the classes", argument="edges", remedy="give one of them")
        try:
            if self.edges is not None:
                return oe.Scale.from_edges([float(edge) for edge in self.edges.split(",")])
            if self.labels is not None and self.labels.startswith("@"):
                with open(self.labels[1:], encoding="utf-8-sig") as file:
                    return oe.types.WrittenLabels([line.rstrip("\r\n") for line in file if line.strip()])
            listed = next(csv.reader([self.labels], skipinitialspace=True)) if self.labels else []
            if len(listed) == 1 and " < " in listed[0]:  # as results print them
                listed = [text.strip() for text in listed[0].split(" < ")]
            return oe.types.WrittenLabels(listed) if listed else self.labels
        except oe.ArgumentError:
            raise
        except UnicodeDecodeError:
            argument, remedy = "labels", "the file is not UTF-8 text; save it as UTF-8, one class on each line"
        except ValueError:  # a number
            argument, remedy = "edges", "edges are numbers, lowest first, such as {edges:[0, 30, 60, 90]}"
        except csv.Error:  # a line break, most often
            argument, remedy = "labels", "this is not a list on one line; give a,b,c, or @file with one class on each line"
        given = {"given": repr(getattr(self, argument))}
        raise oe.ArgumentError(f"{{{argument}:{{given}}}}", argument=argument, remedy=remedy, values=given)


@dataclass(frozen=True, kw_only=True)
class ReadAs:
    """What written values mean, as a command line says it."""

    na: Annotated[list[str] | None, "TEXT: A text that means no value; repeat for several."] = None
    recode: Annotated[list[str] | None, "OLD=NEW: Read one text as another; repeat for several."] = None
    decimal: Annotated[Literal[".", ","], "SIGN: The decimal sign of numbers: . or ,"] = "."
    thousands: Annotated[str, "SIGN: The sign between groups of three digits: , . ' or a space."] = ""
    case: Annotated[Literal["exact", "ignore"], "WORD: Whether capitals matter: exact or ignore."] = "exact"
    space: Annotated[Literal["exact", "trim"], "WORD: Whether spaces at the ends of fields matter: exact or trim."] = "exact"
    encoding: Annotated[str, "NAME: The encoding of text files: utf-8, utf-16, windows-1252 or latin-1."] = "utf-8"
    quote: Quote = "auto"
    sheet: Annotated[str | None, "SHEET: The sheet of an Excel workbook: its name, or its number, counted from 1."] = None

    @property
    def reading(self) -> oe.Reading:
        """All of it as functions take it."""
        pairs: dict[str, Any] = {}
        for text in self.recode or ():
            old, sign, new = text.partition("=")
            if not sign:
                raise typer.BadParameter(f"--recode {text}: write OLD=NEW")
            pairs[old] = new
        same = {one.name: getattr(self, one.name) for one in fields(ReadAs)}
        return oe.Reading(**{**same, "na": self.na or [], "recode": pairs})


@dataclass(frozen=True, kw_only=True)
class Rows(Classes, ReadAs):
    """The rows, and which column is what."""

    source: Source
    true: Annotated[str | None, "COLUMN: The column of true classes."] = None
    pred: Annotated[list[str] | None, "COLUMN: The column of predicted classes; repeat for several models."] = None
    sample_weight: Annotated[str | None, "COLUMN: The column of weights."] = None
    cluster: Annotated[str | None, "COLUMN: The column of rows that belong together, such as a patient."] = None
    gold: Annotated[str | None, "FILE: The file with the true classes, joined by --id."] = None
    id: Annotated[str | None, "COLUMN: The column of ids: joins --gold, or says which answers belong to one row."] = None
    model_column: Annotated[str | None, "COLUMN: With a row for each answer: the column that names the model."] = None
    missing: Missing = "error"
    missing_truth: Annotated[Literal["error", "drop"] | None, "WORD: Rows without a true class: error or drop."] = None
    unknown: Unknown = "error"
    strays: Strays = "error"
    max_rows: MaxRows = None

    @property
    def name(self) -> str:
        return shown(self.source) if self.study is None else self.study.source

    @property
    def study(self) -> oe.Study | None:
        """The study, with what the command line overrides; None where rows are given."""
        kept = vars(self)
        if "_study" not in kept:  # its rows are read once
            kept["_study"] = study_of(self.source)
        found: oe.Study | None = kept["_study"]
        return found

    @property
    def columns(self) -> tuple[str, list[str]]:
        """The column of the truth and those of the answers, which rows must name."""
        for option, given in (("--true", self.true), ("--pred", self.pred)):
            if not given:
                raise typer.BadParameter(f"{option} is missing; name the column, or give a study file (.toml)")
        return str(self.true), list(self.pred or [])

    def counts(self) -> oe.Counts:
        """The counts of these rows; a single model keeps its column's name."""
        if self.study is not None:
            return self.study.counts
        kept = vars(self)
        if "_counts" not in kept:  # the standard input can be read once
            kept["_counts"] = oe.scan(opened(self.source), labels=self.scale, reading=self.reading, **self._asked())
            note_inferred(kept["_counts"])
        found: oe.Counts = kept["_counts"]
        return found

    def _asked(self) -> dict[str, Any]:
        """What is said of the rows, by the names of `scan`; the classes and the reading stand apart."""
        taken = {"source", "labels", "edges", "proba", *(one.name for one in fields(ReadAs))}
        same: dict[str, Any] = {key: value or None for key, value in asdict(self).items() if key not in taken}
        _, answers = self.columns
        if self.model_column is not None and len(answers) == 1:
            same["pred"] = answers[0]
        return {**same, "missing": as_missing(self.missing)}


@dataclass(frozen=True, kw_only=True)
class GroupedRows(Rows):
    """Rows with groups to report on their own."""

    by: Annotated[list[str] | None, "COLUMN: A column of groups; repeat for several."] = None


@dataclass(frozen=True, kw_only=True)
class ExaminedRows(GroupedRows):
    """Rows of one source, or with --gold of a file for each model, to be looked at before they are judged."""

    source: Annotated[list[str], "<FILE> As for other commands; with --gold one file for each model."]  # type: ignore[assignment]

    @property
    def name(self) -> str:
        if self.study is not None:
            return self.study.source
        return (
            shown(self.gold or "")
            if self._are_runs
            else shown(self.source[0])
            if len(self.source) == 1
            else ", ".join(self.source)
        )

    @property
    def study(self) -> oe.Study | None:
        kept = vars(self)
        if "_study" not in kept:
            kept["_study"] = study_of(self.source[0]) if len(self.source) == 1 else None
        found: oe.Study | None = kept["_study"]
        return found

    @property
    def _are_runs(self) -> bool:
        return self.gold is not None and len(self.source) > 1

    def counts(self) -> oe.Counts:
        """The counts of these rows."""
        if self.study is not None:
            return self.study.counts
        counts = oe.scan(self._opened(), labels=self.scale, reading=self.reading, **self._asked())
        note_inferred(counts)
        return counts

    def problems(self) -> oe.types.Problems:
        """All that is wrong with them."""
        asked = {**self._asked(), "labels": self.scale, "reading": self.reading}
        for name in (
            "gold",
            "strays",
            "missing_truth",
            *(["sample_weight", "by", "cluster", "model_column"] if self.gold is not None else []),
        ):
            asked.pop(name)
        if self.gold is None:
            return oe.types.Problems.of_rows(self._opened(), **asked)
        runs = oe.types.Problems.by_file(self.source)
        return oe.types.Problems.of_runs(self.gold, runs, **{**asked, "pred": self.columns[1][0]}, strays=self.strays)

    def _opened(self) -> Any:
        if self._are_runs:
            return oe.types.Problems.by_file(self.source)
        return opened(self.source[0]) if len(self.source) == 1 else self.source

    def _asked(self) -> dict[str, Any]:
        asked = super()._asked()
        _, answers = self.columns
        return {**asked, "pred": answers[0]} if self._are_runs and len(answers) == 1 else asked


@dataclass(frozen=True, kw_only=True)
class ForecastRows(GroupedRows):
    """Rows that may have probabilities, which counts cannot hold."""

    proba: Annotated[list[str] | None, "COLUMNS: The probability of each class, lowest first: p1,p2,p3; for each --pred."] = None

    def evaluations(self, **asked: Any) -> dict[str, oe.Evaluation]:
        """Each model on its own."""
        if self.study is not None:
            return self.study.evaluate(check_intervals=bool(given_options().get("check_intervals")))
        _ = self.columns
        if not self.proba:
            counts = self.counts()
            return {model: oe.evaluate(counts[model], **asked) for model in counts.models}
        y_true, y_pred, proba, same = self._columns(self.proba)
        found = {model: oe.evaluate(y_true, y_pred[model], proba=proba[model], **same, **asked) for model in y_pred}
        note_inferred(next(iter(found.values())).counts)
        return found

    def comparison(self, **asked: Any) -> oe.Comparison:
        """All models on the same rows."""
        if self.study is not None:
            return self.study.compare()
        _ = self.columns
        if not self.proba:
            return oe.compare(self.counts(), **asked)
        y_true, y_pred, proba, same = self._columns(self.proba)
        found = oe.compare(y_true, y_pred, proba=proba, **same, **asked)
        note_inferred(found.counts)
        return found

    def _columns(self, given: list[str]) -> tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any]]:
        """The truth, the predictions and the probabilities of each model, and what else belongs to the rows."""
        if self.gold is not None:
            raise oe.ArgumentError("{proba} and {gold} cannot be used together", argument="proba", remedy="join the files first")
        if self.model_column is not None:
            remedy = "give a column of answers for each model"
            raise oe.ArgumentError("{proba} and {model_column} cannot be used together", argument="proba", remedy=remedy)
        truth, answers = self.columns
        if len(given) != len(answers):
            problem, many = "{proba} is given {n} times, but {pred} {m} times", {"n": len(given), "m": len(answers)}
            raise oe.ArgumentError(problem, argument="proba", remedy="give both for each model", values=many)
        names = {model: [name.strip() for name in one.split(",")] for model, one in zip(answers, given, strict=True)}
        by, labels = self.by or [], self.scale
        numbers = [name for each in names.values() for name in each] + ([self.sample_weight] if self.sample_weight else [])
        classes = [truth, *answers]
        wanted = [*classes, *by, *([self.cluster] if self.cluster else [])]
        columns = oe.types.Columns.read(
            opened(self.source), wanted, numbers=numbers, classes=classes, scale=labels,
            reading=self.reading, unknown=self.unknown, max_rows=self.max_rows,
        )  # fmt: skip
        labels = columns.scale
        true, *pred = (columns[name] for name in (truth, *answers))
        if labels is None:
            labels = oe.Scale.infer(true, *pred, names=[truth, *answers])
        same = {
            "labels": labels.settle([true, *pred]) if isinstance(labels, oe.types.WrittenLabels) else labels,
            "by": {name: columns[name] for name in by} or None,
            "cluster": {self.cluster: columns[self.cluster]} if self.cluster else None,
            "sample_weight": columns[self.sample_weight] if self.sample_weight else None,
            "missing": as_missing(self.missing),
        }
        proba = {model: np.column_stack([columns[name] for name in each]) for model, each in names.items()}
        return true, dict(zip(answers, pred, strict=True)), proba, same


@dataclass(frozen=True, kw_only=True)
class Level:
    """What every interval has."""

    confidence_level: Annotated[float, "SHARE: The confidence level of intervals."] = 0.95
    rng: Annotated[int, "SEED: The seed of the random numbers."] = 0

    def keywords(self) -> dict[str, Any]:
        """The settings by the names that functions have for them; None leaves one to the function."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Resampling(Level):
    """What intervals by resampling have beside it."""

    n_resamples: Annotated[int | None, "NUMBER: Resamples behind an interval; if left out, the method chooses."] = None


@dataclass(frozen=True, kw_only=True)
class Settings(Resampling):
    """How intervals are found."""

    method: Annotated[Method, "METHOD: How intervals are found; auto chooses by the structure of the metric."] = "auto"


@dataclass(frozen=True, kw_only=True)
class Checked(Settings):
    """How the intervals of scores are found, and whether they are checked."""

    check_intervals: Annotated[bool, "Count how often the intervals hold in 400 samples like this one."] = False


@dataclass(frozen=True, kw_only=True)
class Target:
    """A file to write."""

    output: Annotated[str | None, "FILE: Write here instead of to stdout."] = None
    force: Annotated[bool, "Replace an existing file."] = False

    def __post_init__(self) -> None:
        if self.output is not None and not self.force:
            oe.show.check_free(self.output)  # before the work, not after it


@dataclass(frozen=True, kw_only=True)
class Output(Target):
    """The form of a result, and where it goes."""

    format: Annotated[Literal["text", "json", "csv", "md", "latex"], "FORMAT: text, json, csv, md or latex."] = "text"

    def give(self, result: oe.show.Result) -> None:
        """A result to stdout, or to a file that appears whole or not at all."""
        text = oe.show.render(result, self.format)
        if self.output is None:
            typer.echo(text)
        else:
            oe.show.write(text if text.endswith("\n") else f"{text}\n", self.output, force=self.force)
            typer.echo(f"written: {self.output}", err=True)


def give(result: oe.show.Result, output: Output, study: oe.Study | None) -> None:
    """A result, and of a study that names a file for it, its JSON as well."""
    output.give(result)
    place = study.place_of("json") if study is not None else None
    if place is not None:
        oe.show.write(f"{result.to_json()}\n", place, force=output.force)
        note(f"written: {place}")


def as_missing(text: str) -> Any:
    """What --missing means: a word, or as=CLASS (also as:CLASS, and {as = CLASS} as a study file has it)."""
    found = re.fullmatch(r"as\s*[=:](.+)|\{\s*as\s*=(.+)\}", text.strip(), re.DOTALL)
    if found is None:
        return text
    written = (found[1] or found[2]).strip()
    quoted = len(written) > 1 and written[0] == written[-1] and written[0] in "\"'"
    return {"as": oe.types.WrittenLabels([written[1:-1] if quoted else written])}


def opened(source: str) -> Any:
    """What to read: the standard input for -."""
    return sys.stdin.buffer if source == "-" else source


def shown(source: str) -> str:
    return "stdin" if source == "-" else source


def note(text: str) -> None:
    """A remark beside the result: to stderr, so that a result can be piped."""
    typer.echo(f"note: {oe.show.printable(text)}", err=True)


def note_inferred(counts: oe.Counts) -> None:
    """Classes that were taken from the data may not be all there are."""
    if counts.scale.inferred:
        first, last = counts.scale.labels[0], counts.scale.labels[-1]
        note(f"the classes {first} to {last} were taken from the data; if there are others, give all of them with --labels")
