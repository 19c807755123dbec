"""Arrow from anywhere: datasets of pyarrow and of Hugging Face, of which only the columns in use are read, and streams, which are read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordeval.base.lazy import lazy
from ordeval.read.frames import Frame, Rows

BATCH = 10_000  # rows of a Hugging Face dataset at a time

#: Libraries whose tables narwhals knows, though they also offer a stream.
KNOWN = ("pandas", "polars", "duckdb", "ibis", "dask", "pyspark", "sqlframe", "modin", "cudf", "narwhals")


@dataclass(frozen=True)
class ArrowFrame(Frame):
    """A dataset that gives some of its columns as an Arrow table; ``frame`` has all columns and no rows."""

    read: Callable[[Sequence[str]], Any] = field(kw_only=True)
    taken: dict[str, int] = field(default_factory=dict, kw_only=True)  #: how many rows there were, once they are read

    def take(self, names: Sequence[str]) -> Rows:
        import narwhals.stable.v2 as nw

        table = self.read(list(dict.fromkeys(names)))
        self.taken["rows"] = len(table)
        self.refuse_rows(len(table))
        return Frame(nw.from_native(table), self.shown).take(names)

    def check_limit(self) -> None:
        """The number of rows is known when they are read."""

    @lazy
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    @property
    def rows(self) -> int:
        return self.taken["rows"]


def open_arrow(source: Any, *, max_rows: int | None = None) -> Frame | None:
    """The table behind an Arrow dataset or a stream of batches; None for everything else."""
    root = type(source).__module__.partition(".")[0]
    if root == "pyarrow" and hasattr(source, "scanner"):
        return _of_dataset(source, max_rows)
    if root == "pyarrow" and hasattr(source, "to_table"):  # a scanner, whose columns are chosen already
        return _whole(source.to_table(), "the scanner", max_rows)
    if root == "pyarrow" and hasattr(source, "read_all"):
        return _stream(source, max_rows)
    if root == "datasets" and hasattr(source, "select_columns"):
        return _of_hugging_face(source, max_rows)
    if root not in (*KNOWN, "pyarrow") and hasattr(source, "__arrow_c_stream__"):
        return _stream(_pyarrow().RecordBatchReader.from_stream(source), max_rows)
    return None


def _of_dataset(source: Any, max_rows: int | None) -> Frame:
    import pyarrow.compute as pc

    def read(names: Sequence[str]) -> Any:
        return source.to_table(columns={name: pc.field(name) for name in names})

    return _late(source.schema, "the Arrow dataset", max_rows, read)


def _of_hugging_face(source: Any, max_rows: int | None) -> Frame:
    """By its own batches: the table beneath still holds the rows that a selection left out, in their old order."""
    arrow = source.with_format("arrow")
    known = source if source.features is not None else source._resolve_features()  # of what is read on the way: by its first rows
    schema = known.features.arrow_schema

    def read(names: Sequence[str]) -> Any:
        pa = _pyarrow()
        parts = list(arrow.select_columns(list(names)).iter(batch_size=BATCH))
        return pa.concat_tables(parts) if parts else schema.empty_table().select(list(names))

    return _late(schema, "the Hugging Face dataset", max_rows, read)


def _late(schema: Any, shown: str, max_rows: int | None, read: Callable[[Sequence[str]], Any]) -> Frame:
    import narwhals.stable.v2 as nw

    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise ValueError(f"two columns of {shown} have the same name, {twice[0]!r}; rename one of them")
    return ArrowFrame(nw.from_native(schema.empty_table()), shown, max_rows, read=read)


def _stream(reader: Any, max_rows: int | None) -> Frame:
    table = reader.read_all()
    if not len(table):
        raise ValueError(
            "the stream of Arrow batches has no rows; it can be read only once, so make it again if it was read before"
        )
    return _whole(table, "the Arrow stream", max_rows)


def _whole(table: Any, shown: str, max_rows: int | None) -> Frame:
    import narwhals.stable.v2 as nw

    try:
        return Frame(nw.from_native(table), shown, max_rows)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(
            f"two columns of {shown} have the same name; rename one of them ({' '.join(str(error).split())})"
        ) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'reading a stream of Arrow batches needs pyarrow; install it with  pip install "ordeval[files]"'
        ) from None
    return pyarrow
