"""One evaluation or comparison as a visitor sets it up: columns, order, what is missing, which scores; and its address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ordeval as oe
from ordeval.app.links import Link, Part, names_from, names_text, one_of
from ordeval.app.recipes import Recipe, names_option, shell
from ordeval.app.score_table import NEEDS
from ordeval.app.uploads import EXAMPLE_ORDER, Upload

SOURCES = {"example": "the bundled example: 2,400 emergency visits", "file": "a file of mine"}
MISSING = {
    "error": "refuse the file",
    "drop": "leave the row out, and count it",
    "unanswered": "count it as unanswered, and show what it could change",
}
LEVELS = (0.9, 0.95, 0.99)
TRUTHS = ("true", "y_true", "truth", "gold", "label", "target", "grade")  # names that a column of truths may have
PREDICTIONS = ("pred", "y_pred", "prediction", "predicted", "model")


@dataclass(frozen=True)
class Study:
    """What to score, and how."""

    true: str
    preds: tuple[str, ...]
    order: tuple[str, ...] = ()
    missing: str = "error"
    metrics: tuple[str, ...] = oe.DEFAULT_METRICS
    primary: str = "cem"
    level: float = 0.95
    cluster: str | None = None
    source: str = "file"

    def counts(self, upload: Upload) -> oe.Counts:
        return upload.counts(self.true, self.preds, self.order, self.missing, self.cluster)

    @property
    def several(self) -> bool:
        """Whether models are compared."""
        return len(self.preds) > 1

    @property
    def scores(self) -> list[str]:
        """The metrics, the one that decides first where models are compared."""
        return list(dict.fromkeys([self.primary, *self.metrics])) if self.several else list(self.metrics)

    def evaluate(self, counts: oe.Counts) -> oe.Evaluation:
        return oe.evaluate(counts[self.preds[0]], metrics=self.scores, confidence_level=self.level)

    def compare(self, counts: oe.Counts) -> oe.Comparison:
        return oe.compare(counts, primary=self.primary, metrics=self.scores, confidence_level=self.level)

    def recipe(self, name: str, counts: oe.Counts) -> Recipe:
        """The same numbers from the file of this name."""
        labels, cluster = counts.scale.labels, "" if self.cluster is None else f", cluster={self.cluster!r}"
        call = f"compare(counts, primary={self.primary!r}, " if self.several else f"evaluate(counts[{self.preds[0]!r}], "
        python = [
            "import ordeval as oe",
            "",
            "counts = oe.scan(",
            f"    {name!r},",
            f"    true={self.true!r}, pred={list(self.preds)!r},",
            f"    labels={list(labels)!r},",
            f"    missing={self.missing!r}{cluster},",
            ")",
            f"print(oe.{call}metrics={self.scores!r}, confidence_level={self.level!r}))",
        ]
        words = ["ordeval", "compare" if self.several else "score", f"./{name}" if name.startswith("-") else name]
        words += [f"--true={self.true}", *(f"--pred={pred}" for pred in self.preds)]
        words += ["--labels", names_option(labels), "--missing", self.missing, "--metrics", ",".join(self.scores)]
        words += ["--primary", self.primary] if self.several else []
        words += ["--confidence-level", f"{self.level:g}", *([] if self.cluster is None else [f"--cluster={self.cluster}"])]
        return Recipe("\n".join(python), shell(*words))


EXAMPLE = Study("grade", ("nurse", "model"), EXAMPLE_ORDER, "drop", source="example")


def first_study(columns: tuple[str, ...]) -> Study:
    """A study of a file that nobody has looked at: columns by their names, else the first two, to be changed."""
    named = {column.lower(): column for column in columns}

    def known(words: Iterable[str], other: str, taken: str = "") -> str:
        return next((named[word] for word in words if word in named and named[word] != taken), other)

    true = known(TRUTHS, columns[0])
    return Study(true, (known(PREDICTIONS, next((name for name in columns if name != true), ""), true),))


def ordered(order: tuple[str, ...], classes: tuple[str, ...], known: bool) -> tuple[str, ...]:
    """The order on the screen for these classes: the visitor's, if it still names all of them; else their own; else none."""
    if set(classes) <= set(order):
        return order
    return classes if known else ()


def file_stem(name: str) -> str:
    """A name for a download: letters, digits and hyphens of the file's own."""
    stem = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in Path(name).stem)[:40].strip("-")
    return stem or "rows"


# The address


def _metric(text: str) -> str:
    if str(oe.get_metric(text)) != text or oe.get_metric(text).needs - set(NEEDS):
        raise ValueError(f"{text} is no metric that can be shown here")
    return text


def _metrics(text: str) -> tuple[str, ...]:
    return tuple(_metric(part) for part in text.split(";") if part) or oe.DEFAULT_METRICS


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names_from(text) if name))


def _preds(text: str) -> tuple[str, ...]:
    if not (names := _names(text)):
        raise ValueError("it names no column of predictions")
    return names


def _study(source: str = "example", **given: Any) -> Study:
    return Study(source=source, **given) if {"true", "preds"} <= given.keys() else replace(EXAMPLE, source=source)


LINK = Link(
    EXAMPLE,
    _study,
    {
        "source": Part("source", one_of(SOURCES)),
        "true": Part("true"),
        "pred": Part("preds", _preds, names_text),
        "order": Part("order", _names, names_text),
        "missing": Part("missing", one_of(MISSING)),
        "metrics": Part("metrics", _metrics, ";".join),
        "primary": Part("primary", _metric),
        "level": Part("level", one_of(LEVELS)),
        "cluster": Part("cluster"),
    },
)
