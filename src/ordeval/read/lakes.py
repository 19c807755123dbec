"""Delta and Iceberg tables: the rows that live now.  Their folders also hold files of rows that were deleted or replaced.

Polars reads both from the table's own log, without a network.  A table given by its path is read from this machine alone: one whose log
names files elsewhere is refused.  A table object is the caller's, and so is where it reads.
"""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from ordeval.read.folders import local_path, table_kinds
from ordeval.read.frames import Frame, Rows

METADATA = ".metadata.json"


class LakeFrame(Frame):
    """The live rows of a table, on Polars."""

    def fetch(self, rows: Rows) -> dict[str, Any]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Iceberg scan planning")  # Polars has a faster planner, in a package of its own
            return super().fetch(rows)


def open_lake(source: Any, *, max_rows: int | None = None) -> Frame | None:
    """The live rows of a Delta or Iceberg table, given by its folder, by an Iceberg metadata file, or as a table object; else None."""
    if isinstance(source, (str, os.PathLike)):
        return _open_path(local_path(os.fspath(source)), max_rows)
    module = type(source).__module__
    if module.startswith("deltalake.") and hasattr(source, "file_uris"):
        return _frame(lambda: _polars().scan_delta(source), "the Delta table", max_rows)
    if module.startswith("pyiceberg.") and hasattr(source, "metadata_location"):
        return _frame(lambda: _polars().scan_iceberg(source), "the Iceberg table", max_rows)
    return None


def _open_path(path: str, max_rows: int | None) -> Frame | None:
    if path.endswith(METADATA) and os.path.isfile(path):
        return _iceberg(path, path, max_rows)
    kinds = [kind for _, kind in table_kinds(path)] if os.path.isdir(path) else []
    if kinds == ["a Delta"]:
        return _delta(path, max_rows)
    if kinds == ["an Iceberg"]:
        return _iceberg(path, _current_metadata(path), max_rows)
    return None


def _delta(path: str, max_rows: int | None) -> Frame:
    polars = _polars(path)
    deltalake = _library("deltalake", path, "a Delta")
    table = _asked(lambda: deltalake.DeltaTable(path), path)
    _refuse_elsewhere(path, _asked(table.file_uris, path))
    return _frame(lambda: polars.scan_delta(table), path, max_rows)


def _iceberg(shown: str, metadata: str, max_rows: int | None) -> Frame:
    polars = _polars(shown)
    tables = _library("pyiceberg.table", shown, "an Iceberg")
    table = _asked(lambda: tables.StaticTable.from_metadata(os.path.abspath(metadata)), shown)
    lists = [snapshot.manifest_list for snapshot in table.metadata.snapshots]
    _refuse_elsewhere(shown, [table.metadata.location, *lists])
    tasks = _asked(lambda: list(table.scan().plan_files()), shown)
    _refuse_elsewhere(shown, [file.file_path for task in tasks for file in (task.file, *task.delete_files)])
    return _frame(lambda: polars.scan_iceberg(table), shown, max_rows)


def _current_metadata(folder: str) -> str:
    """The metadata file that is current: the one there is, or the one that the version hint names; only a catalog knows it otherwise."""
    inside = os.path.join(folder, "metadata")
    found = sorted(glob.glob(os.path.join(glob.escape(inside), f"*{METADATA}")))
    if len(found) == 1:
        return found[0]
    hint = os.path.join(inside, "version-hint.text")
    if os.path.isfile(hint):
        with open(hint, encoding="utf-8") as file:
            version = file.read().strip()
        for name in (f"v{version}{METADATA}", f"{version}{METADATA}", version):
            if os.path.join(inside, name) in found:
                return os.path.join(inside, name)
    raise ValueError(
        f"{folder} is an Iceberg table with {len(found)} metadata files, and only its catalog knows which one is current; give the table "
        f"of the catalog, or the file, such as {found[-1]}"
    )


def _frame(scan: Callable[[], Any], shown: str, max_rows: int | None) -> Frame:
    import narwhals.stable.v2 as nw

    return LakeFrame(_asked(lambda: nw.from_native(scan()), shown), shown, max_rows)


def _refuse_elsewhere(shown: str, places: Iterable[str]) -> None:
    """Nothing is fetched: every file of a table that is given by its path lies on this machine."""
    for place in places:
        parts = urlsplit(place)
        windows = re.match(r"[A-Za-z]:", place)
        if parts.scheme not in ("", "file") and not windows:
            raise ValueError(
                f"{shown} names files on another machine ({unquote(place)}), and nothing is fetched from a network; open the table with its "
                "own library and give the table"
            )


def _polars(path: str = "a Delta or Iceberg table") -> Any:
    try:
        import polars
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f'reading {path} needs Polars; install it with  pip install "ordeval[lake]"') from None
    return polars


def _library(name: str, path: str, kind: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError:
        package = name.partition(".")[0]
        raise ModuleNotFoundError(
            f'{path} is {kind} table; reading its live rows needs {package}: pip install "ordeval[lake]"'
        ) from None


def _asked(question: Callable[[], Any], shown: str) -> Any:
    """The answer, or the library's refusal as one sentence."""
    try:
        return question()
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f'reading {shown} needs {error.name}; install it with  pip install "ordeval[lake]"') from None
    except Exception as error:
        said = " ".join(str(error).split())
        raise ValueError(f"{shown} cannot be read as a table: {said[:300]}") from error
