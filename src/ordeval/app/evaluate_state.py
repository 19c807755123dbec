"""One evaluation or comparison as a visitor sets it up: columns, order, what is missing, which scores; and its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ordeval as oe
from ordeval.app.recipes import Recipe, shell, written
from ordeval.app.tables import labels_text, names_from
from ordeval.app.uploads import EXAMPLE_ORDER, Upload
from ordeval.evaluation import DEFAULT_METRICS

MISSING = {
    "error": "refuse the file",
    "drop": "leave the row out, and count it",
    "unanswered": "count it as unanswered, and show what it could change",
}
LEVELS = (0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Study:
    """What to score, and how."""

    true: str
    preds: tuple[str, ...]
    order: tuple[str, ...] = ()
    missing: str = "error"
    metrics: tuple[str, ...] = DEFAULT_METRICS
    primary: str = "cem"
    level: float = 0.95
    cluster: str | None = None

    def counts(self, upload: Upload) -> oe.Counts:
        return upload.counts(self.true, self.preds, self.order, self.missing, self.cluster)

    @property
    def scores(self) -> list[str]:
        """The metrics, the one that decides first where models are compared."""
        return list(dict.fromkeys([self.primary, *self.metrics])) if len(self.preds) > 1 else list(self.metrics)

    def evaluate(self, counts: oe.Counts) -> oe.Evaluation:
        return oe.evaluate(counts[self.preds[0]], metrics=self.scores, confidence_level=self.level)

    def compare(self, counts: oe.Counts) -> oe.Comparison:
        return oe.compare(counts, primary=self.primary, metrics=self.scores, confidence_level=self.level)

    def recipe(self, name: str, counts: oe.Counts) -> Recipe:
        """The same numbers from the file of this name."""
        cluster = "" if self.cluster is None else f",\n    cluster={self.cluster!r}"
        scan = [
            "import ordeval as oe",
            "",
            "counts = oe.scan(",
            f"    {name!r},",
            f"    true={self.true!r},",
            f"    pred={list(self.preds)!r},",
            f"    labels={list(counts.scale.labels)!r},",
            f"    missing={self.missing!r}{cluster},",
            ")",
        ]
        level = f", confidence_level={self.level!r}"
        if len(self.preds) > 1:
            run = f"print(oe.compare(counts, primary={self.primary!r}, metrics={self.scores!r}{level}))"
        else:
            run = f"print(oe.evaluate(counts[{self.preds[0]!r}], metrics={self.scores!r}{level}))"
        several = len(self.preds) > 1
        words = [
            "ordeval",
            "compare" if several else "score",
            f"./{name}" if name.startswith("-") else name,
            f"--true={self.true}",
        ]
        words += [f"--pred={pred}" for pred in self.preds]
        words += ["--labels", written(counts.scale.labels), "--missing", self.missing, "--metrics", ",".join(self.scores)]
        words += ["--primary", self.primary] if several else []
        words += ["--confidence", f"{self.level:g}", *([] if self.cluster is None else [f"--cluster={self.cluster}"])]
        return Recipe("\n".join([*scan, run]), shell(*words))


EXAMPLE = Study("grade", ("nurse", "model"), EXAMPLE_ORDER, "drop")


def first_study(columns: tuple[str, ...]) -> Study:
    """A study of a file that nobody has looked at: the first two columns, to be changed."""
    named = {column.lower(): column for column in columns}
    true = next(
        (named[word] for word in ("true", "y_true", "truth", "gold", "label", "target", "grade") if word in named), columns[0]
    )
    rest = [column for column in columns if column != true]
    pred = next(
        (named[word] for word in ("pred", "y_pred", "prediction", "predicted", "model") if word in named and named[word] != true),
        None,
    )
    return Study(true, tuple([pred] if pred else rest[:1]))


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


def to_query(study: Study, source: str) -> dict[str, str]:
    query: dict[str, str] = {
        "source": source,
        "true": study.true,
        "pred": labels_text(study.preds),
        "order": labels_text(study.order),
    }
    query |= {"missing": study.missing, "metrics": ";".join(study.metrics), "primary": study.primary, "level": f"{study.level:g}"}
    return query | ({} if study.cluster is None else {"cluster": study.cluster})


def from_query(query: Mapping[str, str]) -> tuple[str, Study]:
    """The source ("example" or "file") and the study that an address holds."""
    source = query.get("source", "example")
    if source not in ("example", "file"):
        raise ValueError(f"the address names the source {source}; there are example and file")
    if "true" not in query or "pred" not in query:
        return source, EXAMPLE
    missing, primary = query.get("missing", "error"), query.get("primary", "cem")
    if missing not in MISSING:
        raise ValueError(f"the address gives missing={missing}; choose one of {', '.join(MISSING)}")
    metrics = tuple(text for text in query.get("metrics", "").split(";") if text) or DEFAULT_METRICS
    for text in (*metrics, primary):
        if str(oe.get_metric(text)) != text or oe.get_metric(text).needs - {"whole counts"}:
            raise ValueError(f"the address asks for {text}, which is no metric that can be shown here")
    level = _level(query.get("level", "0.95"))
    preds, order = _names(query["pred"]), _names(query.get("order", ""))
    if not preds:
        raise ValueError("the address names no column of predictions")
    return source, Study(query["true"], preds, order, missing, metrics, primary, level, query.get("cluster"))


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names_from(text) if name))


def _level(text: Any) -> float:
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if level not in LEVELS:
        raise ValueError(f"the address gives level={text}; choose one of {', '.join(map(str, LEVELS))}")
    return level


def deciding() -> list[str]:
    """The metrics that can decide a comparison: those with a direction."""
    return [str(metric) for metric in oe.catalogue() if isinstance(metric.direction, str) and metric.needs <= {"whole counts"}]


def offered() -> list[str]:
    return [str(metric) for metric in oe.catalogue() if metric.needs <= {"whole counts"}]
