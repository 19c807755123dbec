"""Excel workbooks, by openpyxl: cells with errors, dates and formulas that were never calculated are told apart from blanks."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from ordeval.base.errors import ArgumentError, near
from ordeval.read.converted import ERRORS, ColumnFacts, Converted, not_whole, write_columns
from ordeval.show._plain import count_text

LARGEST = 1 << 30  # bytes that a workbook may unpack to
DATES = (datetime.date, datetime.time, datetime.datetime, datetime.timedelta)


def read_workbook(path: str, name: str, target: str, sheet: str | int | None) -> Converted:
    """One sheet as a table of texts, its first row with anything in it as names.  Rows with nothing in them are no rows."""
    import openpyxl  # type: ignore[import-untyped,unused-ignore]
    import pyarrow as pa

    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_large(name, sum(member.file_size for member in archive.infolist()))
            if (bad := archive.testzip()) is not None:
                raise zipfile.BadZipFile(bad)
        with open(path, "rb") as file:  # by its content: openpyxl goes by the name
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            chosen = _sheet(book, name, sheet)
            formulas = _has_formulas(path, chosen)
            names, rows = _table(_rows(chosen))
    except (
        zipfile.BadZipFile,
        EOFError,
        KeyError,
        OSError,
        SyntaxError,
        zipfile.LargeZipFile,
        NotImplementedError,
        RuntimeError,
    ):
        raise not_whole(name, "excel") from None
    if not names:
        raise ValueError(f"{name}, sheet {chosen.title!r} is empty; its first row should name the columns")
    waiting = _uncalculated(path, chosen.title, len(names)) if formulas else {}
    columns, facts = [], {}
    for place, called in enumerate(names):
        texts, fact = _column([row[place] if place < len(row) else None for row in rows], f"{name}, {called}")
        if place in waiting:
            problem = f"{name}, {called}: the formula in row {waiting[place]:,} was never calculated; open the workbook, let it calculate, and save it"
            fact = ColumnFacts(refusal=problem)
        facts[called] = fact
        columns.append((called, pa.array(texts, pa.string())))
    write_columns(target, columns)
    return Converted(target, len(rows), "zip crc", True, facts, (f"sheet {chosen.title!r}",) if len(book.worksheets) > 1 else ())


def _refuse_large(name: str, size: int) -> None:
    if size > LARGEST:
        raise ValueError(f"{name} unpacks to {size / (1 << 30):,.1f} GiB, and the limit is 1 GiB; save the sheet as CSV")


def _sheet(book: Any, name: str, wanted: str | int | None) -> Any:
    """The sheet that was asked for, or the only one."""
    titles = [one.title for one in book.worksheets]
    if wanted is None:
        if len(titles) == 1:
            return book.worksheets[0]
        raise ArgumentError(
            "{name} has {many} ({titles})",
            argument="sheet",
            remedy="say which: {reading:{call}}",
            values={"name": name, "many": count_text(len(titles), "sheet"), "titles": ", ".join(titles), "call": f"Reading(sheet={titles[0]!r})"},
        )  # fmt: skip
    if isinstance(wanted, str) and wanted not in titles and wanted.isdecimal():
        wanted = int(wanted)
    if isinstance(wanted, int) and 1 <= wanted <= len(titles):
        return book.worksheets[wanted - 1]
    if wanted in titles:
        return book.worksheets[titles.index(str(wanted))]
    hint = near(wanted, titles, shown=repr) if isinstance(wanted, str) else ""
    raise ArgumentError(
        "{name} has no sheet {wanted}",
        argument="sheet",
        remedy=hint or "it has {titles}",
        values={"name": name, "wanted": repr(wanted), "titles": ", ".join(titles)},
    )


def _rows(sheet: Any) -> Iterator[tuple[Any, ...]]:
    """The cells that are there, whatever the workbook says of its size."""
    sheet.reset_dimensions()
    return iter(sheet.iter_rows())


def _table(rows: Iterator[tuple[Any, ...]]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names in the first row with anything in it, and the rows below that hold anything."""
    filled = [row for row in rows if any(cell.value is not None for cell in row)]
    if not filled:
        return [], []
    header, *rest = filled
    names = ["" if cell.value is None else _text(cell.value) for cell in header]
    while names and not names[-1]:
        names.pop()
    return names, rest


def _column(cells: Sequence[Any], where: str) -> tuple[list[str | None], ColumnFacts]:
    """The cells of a column as texts, nothing where one is empty or holds an error; and what is to be said of them."""
    errors: dict[str, int] = {}
    date = ""
    texts: list[str | None] = []
    for number, cell in enumerate(cells, 1):
        value = None if cell is None else cell.value
        if value is None or value == "":
            texts.append(None)
        elif cell.data_type == "e":
            errors[str(value)] = errors.get(str(value), 0) + 1
            texts.append(None)
        else:
            if isinstance(value, DATES) and not date:
                date = f"{where} holds a date in row {number:,} ({value}), and dates cannot be classes"
            texts.append(_text(value))
    return texts, ColumnFacts(as_labels=date, changes={ERRORS: errors} if errors else {})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return value if isinstance(value, str) else str(value)


def _has_formulas(path: str, sheet: Any) -> bool:
    inside = getattr(sheet, "_worksheet_path", "")
    with zipfile.ZipFile(path) as archive:
        try:
            with archive.open(inside) as file:
                held = b""
                while piece := file.read(1 << 20):
                    if b"<f" in held + piece:
                        return True
                    held = piece[-1:]
        except KeyError:
            return True
    return False


def _uncalculated(path: str, title: str, columns: int) -> dict[int, int]:
    """By place of the column, the first row in which a formula has no value."""
    import openpyxl

    found: dict[int, int] = {}
    with open(path, "rb") as one, open(path, "rb") as other:
        with_values = openpyxl.load_workbook(one, read_only=True, data_only=True)
        with_formulas = openpyxl.load_workbook(other, read_only=True, data_only=False)
        number = -1
        for plain, written in zip(_rows(with_values[title]), _rows(with_formulas[title]), strict=False):
            if all(cell.value is None for cell in written):
                continue
            number += 1
            values = [cell.value for cell in plain]
            for place, cell in enumerate(written[:columns]):
                empty = place >= len(values) or values[place] is None
                if cell.data_type == "f" and empty:
                    found.setdefault(place, number)
    return found
