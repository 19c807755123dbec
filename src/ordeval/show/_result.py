"""The one protocol of results: a type writes its main table as records and what it says as blocks; all forms come from these."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.base.files import write_text
from ordeval.base.types import Backend, Format
from ordeval.show._blocks import Block, Card, Figure, Page, Row, Table
from ordeval.show._csv import records_as_csv
from ordeval.show._html import blocks_as_html, page_as_html
from ordeval.show._latex import blocks_as_latex, page_as_latex
from ordeval.show._markdown import blocks_as_markdown, page_as_markdown
from ordeval.show._numbers import number
from ordeval.show._text import blocks_as_text

Record: TypeAlias = dict[str, Any]
T = TypeVar("T")


class Result:
    """What every result can do: print itself, and become plain data, a frame or a table for a paper."""

    def _rows(self) -> Sequence[Record]:
        """The main table as flat records, all with the same keys."""
        raise NotImplementedError

    def _blocks(self) -> Sequence[Block]:
        """What it says to people: paragraphs, tables and figures."""
        raise NotImplementedError

    def _tables(self) -> Sequence[Block]:
        """What belongs in a paper: the tables among the blocks, or all of them where there is none."""
        blocks = self._blocks()
        return [block for block in blocks if isinstance(block, Table)] or blocks

    def to_dict(self) -> dict[str, Any]:
        """Plain data: what is undefined or infinite is None."""
        found = plain_data(self)
        assert isinstance(found, dict)
        return found

    def to_json(self) -> str:
        """The same as JSON."""
        return as_json(self.to_dict())

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """The main table as a frame of pandas, Polars or PyArrow."""
        import narwhals.stable.v2 as nw

        if backend not in ("pandas", "polars", "pyarrow"):
            raise ArgumentError(
                "{backend} must be 'pandas', 'polars' or 'pyarrow', not {given}",
                argument="backend",
                values={"given": repr(backend)},
            )
        rows = self._rows()
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
        return nw.from_dict(columns, backend=backend).to_native()

    def to_markdown(self) -> str:
        """A Markdown table."""
        return blocks_as_markdown(self._tables())

    def to_latex(self) -> str:
        """A LaTeX table in the manner of booktabs."""
        return blocks_as_latex(self._tables())

    def to_csv(self) -> str:
        """The main table as CSV."""
        return records_as_csv(self._rows())

    def _repr_html_(self) -> str:
        return blocks_as_html([*(blocks := self._blocks()), *_records_beside(blocks, self)])

    def __str__(self) -> str:
        return blocks_as_text(self._blocks())


class ResultList(Result, Sequence[T]):
    """A result that is a list of records, each a line of its main table."""

    def __init__(self, records: Iterable[T]) -> None:
        self.records: tuple[T, ...] = tuple(records)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.records[index]

    def __len__(self) -> int:
        return len(self.records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResultList) and self.records == other.records

    def __hash__(self) -> int:
        return hash(self.records)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.records)!r})"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the records."""
        return {"records": plain_data(self.records)}

    def _blocks(self) -> Sequence[Block]:
        rows = self._rows()
        return [Table(list(rows[0]) if rows else [], [[_cell(value) for value in row.values()] for row in rows])]


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


SHOWN = 40  # records that a notebook shows


def _records_beside(blocks: Sequence[Block], result: Result) -> list[Block]:
    """For a notebook: the main table of a result that has only sentences for people; of one record a card."""
    if any(isinstance(block, Table | Card | Figure | Row) for block in blocks):
        return []
    rows = result._rows()
    if len(rows) == 1:
        facts = [(name.replace("_", " "), _cell(value)) for name, value in rows[0].items() if not _nothing(value)]
        return [Card("", facts)]
    if not rows:
        return []
    more = [f"… and {len(rows) - SHOWN:,} more"] if len(rows) > SHOWN else []
    header = [name.replace("_", " ") for name in rows[0]]
    return [Table(header, [["" if _nothing(v) else _cell(v) for v in row.values()] for row in rows[:SHOWN]], notes=more)]


def _nothing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def plain_data(value: Any) -> Any:
    """Dataclasses, arrays and mappings as what JSON knows; keys that are no text as their text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain_data(getattr(value, f.name)) for f in dataclasses.fields(value) if not f.name.startswith("_")}
    if hasattr(value, "to_dict"):
        return plain_data(value.to_dict())
    if isinstance(value, np.ndarray):
        return plain_data(value.tolist())
    if isinstance(value, np.generic):
        return plain_data(value.item())
    if isinstance(value, Mapping):
        return {_key(key): plain_data(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_data(inside) for inside in value]
    if isinstance(value, float):
        return finite(value)
    return value if isinstance(value, (str, int)) or value is None else str(value)


def _key(key: Any) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def finite(value: float) -> float | None:
    """A number for JSON: none where there is no finite one."""
    return float(value) if math.isfinite(value) else None


def as_json(data: Mapping[str, Any]) -> str:
    """JSON for people and programs alike: indented, in Unicode, without nan."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)


@documented("The text.", result="Any result of this package.", format="The format to write it in.")
def render(result: Result, format: Format = "text") -> str:
    """A result in the requested format."""
    makers: dict[str, Callable[[], str]] = {
        "text": result.__str__,
        "json": result.to_json,
        "csv": result.to_csv,
        "md": result.to_markdown,
        "latex": result.to_latex,
        "html": result._repr_html_,
    }
    if format not in makers:
        hint = near(format, makers)
        raise ArgumentError(
            "{format:{given}} is unknown",
            argument="format",
            remedy=f"{hint + ' ' if hint else ''}choose one of {', '.join(list(makers)[:-1])}",
            values={"given": format},
        )
    return makers[format]()


@documented(
    "Nothing; either the whole file is written, or an error says why not.",
    page="The page, from ``result.page()``; or a text, which is written unchanged.",
    open="Unfold the evidence of an HTML page, for browsers that print only what is open.",
)
def write(page: Page | str, path: str | os.PathLike[str], *, force: bool = False, open: bool = False) -> None:
    """Write a report in the format that the file name ends with, or a text unchanged; the file is written whole or not at all."""
    if isinstance(page, str):
        write_text(path, page, force=force)
        return

    def opened(page: Page) -> str:
        return page_as_html(page, open=open)

    ending = os.path.splitext(os.fspath(path))[1].lower()
    makers = {".html": opened, ".htm": opened, ".md": page_as_markdown, ".tex": page_as_latex}
    if ending not in makers:
        raise ArgumentError(
            "{path}: a report is HTML, Markdown or LaTeX",
            argument="path",
            remedy="let its name end in .html, .md or .tex",
            values={"path": os.fspath(path)},
        )
    write_text(path, makers[ending](page), force=force)
