"""Rows that a visitor brings: kept in the visitor's own session, on disk only while they are read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import ordeval as oe
from ordeval.app.server import UPLOAD_MB

KINDS = ("csv", "tsv", "parquet", "jsonl")
MAX_ROWS = 10_000_000
MOST_CLASSES = 100
LIMITS = f"CSV, TSV, Parquet or JSON lines, up to {UPLOAD_MB} MB and {MAX_ROWS:,} rows.  The file stays on this machine, in this session."
_ELSEWHERE = "score it with the command line: ordeval score FILE ..."


@dataclass(frozen=True)
class Upload:
    """A file as it came."""

    name: str
    data: bytes

    @property
    def kind(self) -> str:
        return Path(self.name).suffix.lower().removeprefix(".")

    @contextmanager
    def on_disk(self) -> Iterator[oe.types.NamedFile]:
        """The file under a name that is not the visitor's, for as long as it is read; messages call it by the visitor's name."""
        if self.kind not in KINDS:
            raise self._refusal("{file} is no file that can be read here", f"give {', '.join(KINDS)}")
        if len(self.data) > UPLOAD_MB * 2**20:
            raise self._refusal(f"{{file}} has more than {UPLOAD_MB} MB", _ELSEWHERE)
        with tempfile.TemporaryDirectory(prefix="ordeval-") as folder:
            path = os.path.join(folder, f"rows.{self.kind}")
            with open(path, "wb") as file:
                file.write(self.data)
            try:
                yield oe.types.NamedFile(path, self.name)
            except oe.ArgumentError as error:
                if error.argument != "max_rows":
                    raise
                raise self._refusal(
                    f"{{file}} has {{rows}} rows, and {MAX_ROWS:,} are the most here", _ELSEWHERE, **error.values
                ) from None

    def _refusal(self, problem: str, remedy: str, **values: Any) -> oe.ArgumentError:
        return oe.ArgumentError(problem, argument="source", remedy=remedy, values={**values, "file": self.name})

    def columns(self) -> tuple[str, ...]:
        with self.on_disk() as file:
            return oe.peek(file, max_rows=MAX_ROWS).columns

    def classes(self, true: str, preds: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """The classes that occur in these columns as they are written, and whether they stand in an order of their own."""
        with self.on_disk() as file:
            seen = oe.peek(file, [true, *preds], max_rows=MAX_ROWS)
        texts = tuple(dict.fromkeys(map(str, seen.classes)))
        if len(texts) > MOST_CLASSES and not seen.ordered:
            raise oe.ArgumentError(
                f"these columns hold {len(texts):,} different values; {MOST_CLASSES} classes are the most here, so choose others",
                argument="pred",
            )
        return texts, seen.ordered

    def counts(self, true: str, preds: Sequence[str], order: Sequence[str], missing: Any, cluster: str | None) -> oe.Counts:
        labels = oe.types.WrittenLabels(order)
        with self.on_disk() as file:
            return oe.scan(file, true=true, pred=list(preds), labels=labels, missing=missing, cluster=cluster, max_rows=MAX_ROWS)


def example() -> Upload:
    """The bundled visits, as the file they come in."""
    return Upload("triage.csv", (files("ordeval") / "data" / "triage.csv").read_bytes())


EXAMPLE_ORDER = ("green", "yellow", "orange", "red")
