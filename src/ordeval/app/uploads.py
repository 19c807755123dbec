"""Rows that a visitor brings: kept in the visitor's own session, on disk only while they are read."""

from __future__ import annotations

import hashlib
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
from ordeval.study import Values

KINDS = ("csv", "tsv", "parquet", "jsonl")
MAX_ROWS = 10_000_000
MOST_CLASSES = 100
MAX_CELLS = 40_000_000  # rows times columns that are held in memory to look inside
LIMITS = f"CSV, TSV, Parquet or JSON lines, up to {UPLOAD_MB} MB and {MAX_ROWS:,} rows.  The file stays on this machine, in this session."
_ELSEWHERE = "score it with the command line: ordeval score FILE ..."


@dataclass(frozen=True)
class Upload:
    """A file as it came."""

    name: str
    data: bytes

    @property
    def digest(self) -> str:
        """The file by what is in it: the same for the same rows, whoever brings them."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def kind(self) -> str:
        return Path(self.name).suffix.lower().removeprefix(".")

    @contextmanager
    def on_disk(self) -> Iterator[oe.types.NamedFile]:
        """The file under a name that is not the visitor's, for as long as it is read; messages call it by the visitor's name."""
        if self.kind not in KINDS:
            raise self._refusal("{file} is not a file that can be read here", f"give {', '.join(KINDS)}")
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
                    f"{{file}} has {{rows}} rows, and the limit here is {MAX_ROWS:,}", _ELSEWHERE, **error.values
                ) from None

    def _refusal(self, problem: str, remedy: str, **values: Any) -> oe.ArgumentError:
        return oe.ArgumentError(problem, argument="source", remedy=remedy, values={**values, "file": self.name})

    def columns(self) -> tuple[str, ...]:
        with self.on_disk() as file:
            return oe.peek(file, max_rows=MAX_ROWS).columns

    def values(self) -> dict[str, Values]:
        """Every column with its different values; none where there are too many rows and columns to hold in memory."""
        names = self.columns()
        with self.on_disk() as file:
            first = oe.types.Columns.read(file, names[:1], max_rows=MAX_ROWS)
            if len(first[names[0]]) * len(names) > MAX_CELLS:
                return {}
            read = oe.types.Columns.read(file, names, max_rows=MAX_ROWS)
        return {name: Values(*read.texts(name)) for name in names}

    def classes(self, true: str, preds: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """The classes that occur in these columns as they are written, and whether they have an order of their own."""
        columns = [true, *preds]
        with self.on_disk() as file:
            read = oe.types.Columns.read(file, columns, max_rows=MAX_ROWS)
            for name in columns:  # before an order is looked for: a scale of a million classes would be made for nothing
                texts, _ = read.texts(name)
                if len(texts) > MOST_CLASSES:
                    raise _too_many(name, len(texts), all(text.lstrip("-").isdigit() for text in texts[:MOST_CLASSES]))
            seen = oe.peek(file, columns, max_rows=MAX_ROWS) if _small_range(read, columns) else None
        if seen is None or len(seen.classes) > MOST_CLASSES:
            raise _too_many(true, None, True)
        return tuple(dict.fromkeys(map(str, seen.classes))), seen.ordered

    def counts(
        self,
        true: str,
        preds: Sequence[str],
        order: Sequence[str],
        missing: Any,
        cluster: str | None,
        by: str | None = None,
    ) -> oe.Counts:
        labels = oe.types.WrittenLabels(order)
        with self.on_disk() as file:
            return oe.scan(
                file, true=true, pred=list(preds), labels=labels, missing=missing, cluster=cluster, by=by, max_rows=MAX_ROWS
            )


def _small_range(read: oe.types.Columns, names: Sequence[str]) -> bool:
    """Whether whole numbers lie close enough together that each between them may be a class."""
    texts = [text for name in names for text in read.texts(name)[0]]
    if not texts or not all(text.lstrip("-").isdigit() for text in texts):
        return True
    numbers = [int(text) for text in texts]
    return max(numbers) - min(numbers) < MOST_CLASSES


def _too_many(column: str, different: int | None, numbers: bool) -> oe.ArgumentError:
    """A column that holds no classes."""
    remedy = "choose another column, or cut it into bands (see Intervals)" if numbers else "choose another column"
    kind = "numbers" if numbers else "values"
    held = (
        f"holds {different:,} different {kind}"
        if different
        else f"and the answers hold whole numbers more than {MOST_CLASSES} apart"
    )
    problem = f"{{column}} {held}, and the limit here is {MOST_CLASSES} classes"
    return oe.ArgumentError(problem, argument="pred", remedy=remedy, values={"column": column})


def example() -> Upload:
    """The bundled visits, as the file they come in."""
    return Upload("triage.csv", (files("ordeval") / "data" / "triage.csv").read_bytes())


EXAMPLE_ORDER = ("green", "yellow", "orange", "red")
