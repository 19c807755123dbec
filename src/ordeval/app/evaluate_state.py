"""One evaluation or comparison as a visitor sets it up: columns, order, what is missing, which scores; and its address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ordeval as oe
from ordeval.app.links import Link, Part, names_from, names_text, one_of
from ordeval.app.recipes import Recipe, names_option, shell
from ordeval.app.score_table import NEEDS
from ordeval.app.uploads import EXAMPLE_ORDER, Upload
from ordeval.study import TRUTHS, Roles

SOURCES = {"example": "the bundled example: 2,400 emergency visits", "file": "a file of mine"}
MISSING = {
    "error": "refuse the file",
    "drop": "leave the row out, and count it",
    "unanswered": "count it as unanswered, and show what it could change",
    "wrong": "count it as wrong: each score takes the class that is worst for it",
}
LEVELS = (0.9, 0.95, 0.99)
PREDICTIONS = ("pred", "y_pred", "prediction", "predicted", "model")


@dataclass(frozen=True)
class Study:
    """What to score, and how."""

    true: str
    preds: tuple[str, ...]
    order: tuple[str, ...] = ()
    missing: str = "error"
    metrics: tuple[str, ...] = oe.DEFAULT_METRICS
    primary: str = oe.DEFAULT_METRICS[0]
    level: float = 0.95
    cluster: str | None = None
    source: str = "file"
    by: str | None = None  #: a column whose values are looked at one by one

    def counts(self, upload: Upload) -> oe.Counts:
        return upload.counts(self.true, self.preds, self.order, self.missing, self.cluster)

    def sliced(self, upload: Upload) -> oe.Counts:
        """The counts with the column to slice by, and the clusters."""
        return upload.counts(self.true, self.preds, self.order, self.missing, self.cluster, self.by)

    def slices(self, upload: Upload) -> dict[str, oe.Counts]:
        """The counts of each value of the column to slice by."""
        if self.by is None:
            return {}
        counts = upload.counts(self.true, self.preds, self.order, self.missing, None, self.by)
        return {str(value): part for value, part in counts.groups(self.by).items() if part.total}

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


def first_study(columns: tuple[str, ...], roles: Roles | None = None) -> Study:
    """A study of a file that nobody has looked at: by what stands in its columns; else by their names; else none."""
    if roles is not None and roles.true:
        return Study(roles.true, roles.preds or roles.offered[:1])
    named = {column.lower(): column for column in columns}
    true = next((named[word] for word in TRUTHS if word in named), "")
    pred = next((named[word] for word in PREDICTIONS if word in named and named[word] != true), "")
    return Study(true, (pred,) if pred and true else ())


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
    try:
        found = oe.get_metric(text)
    except (ValueError, TypeError):
        raise ValueError("there is no such metric") from None
    if str(found) != text or found.needs - set(NEEDS):
        raise ValueError("this metric cannot be shown here")
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
    whole = {"true", "preds"} <= given.keys()
    scores = {name: given[name] for name in ("metrics", "primary") if name in given}
    return Study(source=source, **given) if whole else replace(EXAMPLE, source=source, **scores)


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
        "by": Part("by"),
    },
)
