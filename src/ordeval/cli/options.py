"""Options that several commands share, and the way from them to Counts.

Each option is one annotated type, so that every command says the same about it.
"""

from __future__ import annotations

import os
import re
import select
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, BinaryIO

import numpy as np
import typer

import ordeval as oe
from ordeval.base.errors import ArgumentError
from ordeval.base.files import write_text
from ordeval.order.scale import Scale, WrittenLabels
from ordeval.show._formats import FORMATS


def _one_of(*words: str) -> Callable[[str], str]:
    def checked(word: str) -> str:
        if word not in words:
            raise typer.BadParameter(f"{word!r} is not one of {', '.join(words)}")
        return word

    return checked


Source = Annotated[
    str, typer.Argument(metavar="FILE", help="CSV, TSV, JSON lines or Parquet; a glob or a directory; - for stdin.")
]
TrueColumn = Annotated[str, typer.Option("--true", help="The column of true classes.")]
PredColumns = Annotated[list[str], typer.Option("--pred", help="The column of predicted classes; repeat for several models.")]
Labels = Annotated[str | None, typer.Option("--labels", help="The classes, lowest first: a,b,c; or @file with one on each line.")]
Edges = Annotated[str | None, typer.Option("--edges", help="Interval classes by their edges: 0,30,60,90,inf.")]
Weight = Annotated[str | None, typer.Option("--weight", help="The column of weights.")]
By = Annotated[list[str] | None, typer.Option("--by", help="A column of groups; repeat for several.")]
Cluster = Annotated[str | None, typer.Option("--cluster", help="The column of rows that belong together, such as a patient.")]
Gold = Annotated[str | None, typer.Option("--gold", help="The file with the true classes, joined by --id.")]
Id = Annotated[str | None, typer.Option("--id", help="The column by which --gold is joined.")]
Missing = Annotated[
    str,
    typer.Option(
        "--missing",
        help="Rows without a prediction: error, drop or unanswered.",
        callback=_one_of("error", "drop", "unanswered"),
    ),
]
Proba = Annotated[
    list[str] | None,
    typer.Option("--proba", help="Columns with the probability of each class, lowest first: p1,p2,p3; once for each --pred."),
]
MaxRows = Annotated[int | None, typer.Option("--max-rows", help="Refuse a file with more rows.", min=1)]
Metrics = Annotated[
    list[str] | None, typer.Option("--metrics", help="Metrics by name, comma-separated or repeated; all for every one.")
]
Method = Annotated[str, typer.Option("--method", help="How intervals are found; auto takes what was measured to hold.")]
Confidence = Annotated[float, typer.Option("--confidence", help="The confidence of intervals.")]
Resamples = Annotated[int | None, typer.Option("--resamples", help="Replicates behind an interval.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of the replicates.", min=0)]
Format = Annotated[str, typer.Option("--format", help="text, json, csv, md or latex.", callback=_one_of(*FORMATS))]
Output = Annotated[str | None, typer.Option("--output", "-o", help="Write here instead of to stdout.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]


@dataclass(frozen=True)
class RowOptions:
    """What the command line says about the rows."""

    source: str
    true: str
    pred: Sequence[str]
    labels: str | None = None
    edges: str | None = None
    weight: str | None = None
    by: Sequence[str] | None = None
    cluster: str | None = None
    gold: str | None = None
    id: str | None = None
    missing: Any = "error"
    max_rows: int | None = None

    def counts(self) -> oe.Counts:
        """The counts of these rows; a single model keeps its column's name."""
        with spooled(self.source) as source:
            counts = oe.scan(
                source,
                true=self.true,
                pred=list(self.pred),
                labels=scale_from(self.labels, self.edges),
                sample_weight=self.weight,
                by=list(self.by) if self.by else None,
                cluster=self.cluster,
                gold=self.gold,
                id=self.id,
                missing=self.missing,
                max_rows=self.max_rows,
            )
        note_inferred(counts)
        return counts

    def evaluated(self, proba: Sequence[str], **settings: Any) -> dict[str, oe.Evaluation]:
        """Evaluations of rows with probabilities, which counts cannot hold; one for each model."""
        if self.gold is not None:
            raise ValueError("--proba and --gold do not go together; join the files first")
        if len(proba) != len(self.pred):
            raise ValueError(f"--proba is given {len(proba)} times and --pred {len(self.pred)} times; each model has both")
        listed = [[name.strip() for name in given.split(",")] for given in proba]
        extra = [*(self.by or []), *([self.cluster] if self.cluster else []), *([self.weight] if self.weight else [])]
        with spooled(self.source) as source:
            probabilities = [name for names in listed for name in names]
            from ordeval.read.values import read_rows

            columns: dict[str, Any] = read_rows(
                source, [self.true, *self.pred, *extra], measured=probabilities, max_rows=self.max_rows
            )
        labelled = [columns[name] for name in (self.true, *self.pred)]
        scale = scale_from(self.labels, self.edges) or Scale.infer(*labelled, names=[column.name for column in labelled])
        if isinstance(scale, WrittenLabels):
            scale = scale.settle(labelled)
        found = {}
        for model, names in zip(self.pred, listed, strict=True):
            found[model] = oe.evaluate(
                columns[self.true],
                columns[model],
                proba=np.column_stack([columns[name] for name in names]),
                labels=scale,
                by={name: columns[name] for name in self.by} if self.by else None,
                cluster={self.cluster: columns[self.cluster]} if self.cluster else None,
                sample_weight=columns[self.weight] if self.weight else None,
                missing=self.missing,
                **settings,
            )
            note_inferred(found[model].counts)
        return found


def note_inferred(counts: oe.Counts) -> None:
    """Classes that were taken from the data may not be all there are."""
    if counts.scale.inferred:
        first, last = counts.scale.labels[0], counts.scale.labels[-1]
        note(f"the classes {first} to {last} were taken from the data; if there are others, give all of them with --labels")


def scale_from(labels: str | None, edges: str | None) -> Scale | WrittenLabels | None:
    """The classes as the command line gives them."""
    if labels is not None and edges is not None:
        raise ValueError("--labels and --edges both name the classes; give one of them")
    if edges is not None:
        try:
            return Scale.from_edges(float(edge) for edge in edges.split(","))
        except TypeError:
            raise ValueError(f"--edges {edges}: edges are numbers, lowest first, such as 0,30,60,inf") from None
    if labels is None:
        return None
    if labels.startswith("@"):
        with open(labels[1:], encoding="utf-8-sig") as file:
            try:
                return WrittenLabels([line.rstrip("\r\n") for line in file if line.strip()])
            except UnicodeDecodeError:
                raise ValueError(
                    f"--labels {labels}: the file is not UTF-8 text; save it as UTF-8, one class on each line"
                ) from None
    import csv

    try:
        return WrittenLabels(next(csv.reader([labels], skipinitialspace=True)))
    except csv.Error:  # a line break, most often
        raise ValueError("--labels cannot be read as one list; give a,b,c, or @file with one class on each line") from None


def metrics_from(given: Sequence[str] | None) -> str | list[str] | None:
    """The metrics as the command line gives them; a comma inside brackets belongs to a metric."""
    if not given:
        return None
    texts = [text.strip() for part in given for text in re.split(r",(?![^()]*\))", part) if text.strip()]
    if not texts:
        raise ValueError("a list of names is given and holds none; name some, or leave the option out")
    return "all" if texts == ["all"] else texts


def settings(confidence: float, seed: int, resamples: int | None, **others: Any) -> dict[str, Any]:
    """What intervals are made with; the number of replicates is each function's own unless it is given."""
    chosen = {} if resamples is None else {"n_resamples": resamples}
    return {"confidence_level": confidence, "rng": seed, **chosen, **others}


def note(text: str) -> None:
    """A remark beside the result: to stderr, so that a result can be piped."""
    typer.echo(f"note: {text}", err=True)


def give(text: str, output: str | None, force: bool) -> None:
    """A result to stdout, or to a file that appears whole or not at all."""
    if output is None:
        typer.echo(text)
    else:
        write_text(output, text if text.endswith("\n") else text + "\n", force=force)
        typer.echo(f"written: {output}", err=True)


def as_option(argument: str, value: str | None = None) -> str:
    """How the command line spells an argument of a function."""
    if argument == "labels" and (value or "").startswith("Scale.from_edges"):
        return "--edges ..."
    option = _SPELT.get(argument) or f"--{argument.replace('_', '-')}"
    if value is None or value == "True":
        return option
    return f"{option} {_words(value[1:-1] if value.startswith('[') else value)}"


_SPELT = {
    "y_true": "--true",
    "y_pred": "--pred",
    "source": "FILE",
    "sample_weight": "--weight",
    "confidence_level": "--confidence",
    "n_resamples": "--resamples",
    "rng": "--seed",
}


def as_options(message: str) -> str:
    """What a function's message says about arguments, said about options."""
    message = re.sub(r"labels=\[([^\]]*)\]", lambda found: f"--labels {_words(found[1])}", message)
    message = re.sub(r'missing="(\w+)"', r"--missing \1", message)
    message = re.sub(rf"\b({'|'.join(_OPTIONS)})=(?=(\S?))", _as_option, message)
    message = message.replace("labels=Scale.from_edges(...)", "--edges").replace("labels=Scale.from_edges([...])", "--edges ...")
    return message.replace("labels=", "--labels")


_OPTIONS = {
    "max_rows": "--max-rows",
    "n_resamples": "--resamples",
    "confidence_level": "--confidence",
    "half_width": "--half-width",
    "difference": "--difference",
}


def _as_option(found: re.Match[str]) -> str:
    return _OPTIONS[found[1]] + (" " if found[2].isalnum() or found[2] == "-" else "")


def _words(listed: str) -> str:
    words = [part.strip() for part in listed.split(", ")]
    return ",".join(word[1:-1] if word[:1] in "'\"" else word for word in words)


@contextmanager
def spooled(source: str) -> Iterator[Any]:
    """The path to read: for - what stdin holds, kept in a temporary file while it is read."""
    if source != "-":
        yield source
        return
    with tempfile.TemporaryDirectory(prefix="ordeval-") as folder:
        path = os.path.join(folder, "stdin")
        with open(path, "wb") as file:
            for piece in _pieces(sys.stdin.buffer):
                file.write(piece)
        try:
            yield path
        except ArgumentError as error:
            error.problem, error.remedy = (part.replace(path, "stdin") for part in (error.problem, error.remedy))
            error.values = {
                name: value.replace(path, "stdin") if isinstance(value, str) else value for name, value in error.values.items()
            }
            raise
        except (ValueError, TypeError) as error:
            raise type(error)(str(error).replace(path, "stdin")) from None


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """What comes in, until the end.  Ctrl-C is heard while nothing comes, which a read that waits for more can miss."""
    try:
        source = stream.fileno()
    except OSError:  # no file of the system
        yield stream.read()
        return
    while True:
        while os.name == "posix" and not select.select([source], [], [], 0.1)[0]:
            pass
        piece = os.read(source, 1 << 20)
        if not piece:
            return
        yield piece
