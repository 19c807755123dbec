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
from ordeval.order.scale import WrittenLabels
from ordeval.order.values import parse_written
from ordeval.read.grouping import ColumnRoles, distinct_rows
from ordeval.read.scan import open_table

KINDS = ("csv", "tsv", "parquet", "jsonl")
MAX_ROWS = 10_000_000
MOST_CLASSES = 100
LIMITS = f"CSV, TSV, Parquet or JSON lines, up to {UPLOAD_MB} MB and {MAX_ROWS:,} rows.  The file stays on this machine, in this session."


@dataclass(frozen=True)
class Upload:
    """A file as it came."""

    name: str
    data: bytes

    @property
    def kind(self) -> str:
        return Path(self.name).suffix.lower().removeprefix(".")

    @contextmanager
    def on_disk(self) -> Iterator[str]:
        """The file under a name that is not the visitor's, for as long as it is read.  Messages call it by the visitor's name."""
        if self.kind not in KINDS:
            raise ValueError(f"{self.name} is no file that can be read here; give {', '.join(KINDS)}")
        if len(self.data) > UPLOAD_MB * 2**20:
            raise ValueError(f"{self.name} has more than {UPLOAD_MB} MB; score it with the command line: ordeval score FILE ...")
        with tempfile.TemporaryDirectory(prefix="ordeval-") as folder:
            path = os.path.join(folder, f"rows.{self.kind}")
            with open(path, "wb") as file:
                file.write(self.data)
            try:
                yield path
            except (ValueError, TypeError, OSError) as error:
                raise ValueError(str(error).replace(path, self.name).replace("max_rows=", "the most is ")) from None

    def columns(self) -> tuple[str, ...]:
        with self.on_disk() as path:
            table = open_table(path, MAX_ROWS)
            try:
                return tuple(dict.fromkeys(table.columns))
            finally:
                table.close()

    def classes(self, true: str, preds: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """The classes that occur in these columns as they are written, and whether they stand in an order of their own."""
        with self.on_disk() as path:
            table = open_table(path, MAX_ROWS)
            try:
                found = distinct_rows(table, ColumnRoles(true, {name: name for name in preds}, {}, None, None))
            finally:
                table.close()
            columns = [parse_written(column) for column in found.columns]
            try:
                return tuple(str(label) for label in oe.Scale.infer(*columns).labels), True
            except (ValueError, TypeError):
                texts = {str(value): None for column in columns for value in column.distinct()}
        if len(texts) > MOST_CLASSES:
            raise ValueError(
                f"these columns hold {len(texts):,} different values; {MOST_CLASSES} classes are the most here, so choose others"
            )
        return tuple(texts), False

    def counts(self, true: str, preds: Sequence[str], order: Sequence[str], missing: Any, cluster: str | None) -> oe.Counts:
        with self.on_disk() as path:
            return oe.scan(
                path,
                true=true,
                pred=list(preds),
                labels=WrittenLabels(order),
                missing=missing,
                cluster=cluster,
                max_rows=MAX_ROWS,
            )


def example() -> Upload:
    """The bundled visits, as the file they come in."""
    return Upload("triage.csv", (files("ordeval") / "data" / "triage.csv").read_bytes())


EXAMPLE_ORDER = ("green", "yellow", "orange", "red")
