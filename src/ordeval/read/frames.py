"""Frames and relations, through narwhals: pandas, Polars, PyArrow, DuckDB, PySpark, Dask, Ibis, each on its own engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ordeval.base.lazy import lazy
from ordeval.order.columns import Column, read_column
from ordeval.order.series import from_decimals
from ordeval.order.values import as_text_column
from ordeval.read.refusals import engine_refusal, too_many_rows

Rows = Any  # a narwhals frame, lazy or not


@dataclass(frozen=True)
class Frame:
    """A table that some library holds, and how to speak of it."""

    frame: Rows
    shown: str  #: how messages call it
    max_rows: int | None = None

    @property
    def is_lazy(self) -> bool:
        """Its rows are elsewhere: they are grouped there, and only the groups come here."""
        import narwhals.stable.v2 as nw

        return isinstance(self.frame, nw.LazyFrame)

    @lazy
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.collect_schema().names())

    def all_columns(self) -> tuple[str, ...]:
        return self.columns

    def take(self, names: Sequence[str]) -> Rows:
        """These columns; they are called c0, c1 … there, and ordered text is plain text."""
        import narwhals.stable.v2 as nw

        schema = self.frame.collect_schema()
        frame, called = self._by_place()
        chosen = []
        for i, name in enumerate(names):
            column = nw.col(called[name])
            if self.is_lazy and schema[name] == nw.Enum and not self.frame.implementation.is_polars():
                column = column.cast(nw.String)  # its order is known here; engines give Enums back in different shapes
            elif schema[name] in (nw.Int128, nw.UInt128):
                column = column.cast(nw.Int64)
            elif schema[name] == nw.Decimal:
                column = column.cast(nw.String)  # with all its digits; floats have fewer
            elif self.is_lazy and not _holds_labels(schema[name]):
                raise TypeError(
                    f'{self.shown}, column "{name}" holds values of type {schema[name]}; labels are text, integers, floats or booleans'
                )
            chosen.append(column.alias(f"c{i}"))
        return frame.select(*chosen)

    def _by_place(self) -> tuple[Rows, dict[str, str]]:
        """The frame, and how its columns are called there.  Spark takes a dot for a field and ignores case: there by their place."""
        import narwhals.stable.v2 as nw

        if not self.frame.implementation.is_spark_like() or not self.is_lazy:
            return self.frame, {name: name for name in self.columns}
        called = {name: f"f{i}" for i, name in enumerate(self.columns)}
        return nw.from_native(self.frame.to_native().toDF(*(f"f{i}" for i in range(len(self.columns))))), called

    @property
    def rows(self) -> int:
        """The number of rows of a table that is here."""
        return len(self.frame)

    def check_rows(self) -> None:
        self.check_limit()

    def check_limit(self) -> None:
        if self.max_rows is not None and not self.is_lazy:
            self.refuse_rows(self.rows)

    def refuse_rows(self, rows: int) -> None:
        if self.max_rows is not None and rows > self.max_rows:
            raise too_many_rows(self.shown, f"{rows:,}", self.max_rows)

    def close(self) -> None:
        """The library that holds it keeps it."""

    def fetch(self, rows: Rows) -> dict[str, Any]:
        """The rows of a small lazy frame as columns, or the engine's refusal as one sentence."""
        try:
            return _fetched(rows)
        except Exception as error:
            raise engine_refusal(error, self.shown) from error

    def column(self, fields: Any, name: str, times: Any = None, *, free: bool = False) -> Column:
        """Fetched fields of a column as a Column; free ones may be anything and are taken as they are written."""
        import narwhals.stable.v2 as nw

        if free:
            return replace(as_text_column(fields, f'column "{name}"'), times=times)
        column = read_column(fields, f'column "{name}"')
        kind = self.frame.collect_schema()[name]
        if kind == nw.Decimal:
            column = from_decimals(column)
        if kind == nw.Enum and not column.ordered and column.codes is not None:
            column = column.in_order(list(kind.categories))
        return replace(column, times=times)


def open_frame(source: Any, *, max_rows: int | None = None) -> Frame | None:
    """The frame, if narwhals knows its library."""
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(source)
    except TypeError:
        return None
    except nw.exceptions.DuplicateError as error:
        raise ValueError(
            f"two columns of the table have the same name; rename one of them ({' '.join(str(error).split())})"
        ) from None
    return Frame(frame, f"the {frame.implementation.name.replace('_', ' ').lower()} table", max_rows)


def _fetched(rows: Rows) -> dict[str, Any]:
    """By the shortest way from each engine."""
    native, engine = rows.to_native(), rows.implementation
    names = rows.collect_schema().names()
    if engine.is_duckdb():
        return dict(native.fetchnumpy())
    if engine.is_pyspark() or engine.is_pyspark_connect():
        collected = native.collect()
        return {name: [row[i] for row in collected] for i, name in enumerate(names)}
    if engine.is_polars():
        table = native.collect(engine="streaming")
        return {name: table[name] for name in names}
    table = rows.collect()
    return {name: table.get_column(name).to_native() for name in names}


def _holds_labels(kind: Any) -> bool:
    import narwhals.stable.v2 as nw

    return bool(kind.is_numeric()) or kind in (nw.String, nw.Boolean, nw.Categorical, nw.Enum)
