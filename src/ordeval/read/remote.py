"""Files behind a file system that the caller opened, of fsspec: copied here, and then read and proven as files on this machine are.

Nothing is fetched unless code asks for it: there is no such option on the command line, and no address is looked at without a file system.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.read.files import Files
from ordeval.read.folders import FORMATS, UNFINISHED, extension, refuse_table
from ordeval.read.formats import TYPED
from ordeval.read.ledger import Copies
from ordeval.read.opening import NamedFile, open_files
from ordeval.read.reading import USUAL, Reading
from ordeval.read.streams import copy_stream

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

METHODS = ("open", "glob", "find", "isdir", "isfile", "exists", "_strip_protocol")
LOGS = {"_delta_log": "a Delta", ".hoodie": "a Hudi"}


def open_remote(
    source: Any,
    filesystem: Any,
    *,
    max_rows: int | None = None,
    connection: DuckDBPyConnection | None = None,
    reading: Reading = USUAL,
) -> Files:
    """The files that a path, a glob, a directory or a list of paths names there, copied for as long as they are read."""
    _check(filesystem)
    parts = list(source) if isinstance(source, (list, tuple)) else [source]
    if not parts or not all(isinstance(part, (str, os.PathLike)) for part in parts):
        raise ArgumentTypeError(
            "{filesystem} is for paths", argument="filesystem", remedy="give a path, a glob, or a list of paths"
        )
    paths = [path for part in parts for path in _found(filesystem, os.fspath(part))]
    for path in paths:
        _refuse_lake(filesystem, path)
    copies = Copies()
    try:
        named = []
        for path in dict.fromkeys(paths):
            kept = copies.new(os.path.basename(path))
            with filesystem.open(path, "rb") as stream:
                copy_stream(stream, kept)
            named.append(NamedFile(kept, path))
        files = open_files(named, max_rows=max_rows, connection=connection, reading=reading, copies=copies)
    except BaseException:
        copies.remove()
        raise
    called = named[0].name if len(named) == 1 else f"{', '.join(map(os.fspath, parts))} ({len(named):,} files)"
    return replace(files, shown=called, source_notes=tuple(_by_name(note, named) for note in files.source_notes))


def _check(filesystem: Any) -> None:
    if not all(callable(getattr(filesystem, method, None)) for method in METHODS):
        raise ArgumentTypeError(
            "{filesystem} is a {type}",
            argument="filesystem",
            remedy='give a file system of fsspec, such as fsspec.filesystem("s3")',
            values={"type": type(filesystem).__name__},
        )


def _found(filesystem: Any, path: str) -> list[str]:
    if filesystem.isfile(path):
        return [filesystem._strip_protocol(path)]  # as globs and directories name it
    if filesystem.isdir(path):
        return _inside(filesystem, path)
    found = sorted(match for match in filesystem.glob(path) if filesystem.isfile(match))
    if not found:
        raise FileNotFoundError(f"no file of the file system matches {path}")
    return found


def _inside(filesystem: Any, folder: str) -> list[str]:
    inside = sorted(filesystem.find(folder))
    names = [os.path.basename(path) for path in inside]
    half = next((n for n, path in zip(names, inside, strict=True) if _is_unfinished(path)), None)
    if half is not None:
        raise ValueError(f"{folder} holds {half}, which is not fully written yet; wait until it is complete, or name the files")
    known = {*FORMATS, *TYPED}
    read = [path for path, n in zip(inside, names, strict=True) if extension(n) in known and not n.startswith(("_", "."))]
    for path in inside:
        _refuse_lake(filesystem, path)
    if not read:
        raise ArgumentError(f"the directory {folder} has no file that can be read", argument="source")
    return read


def _is_unfinished(path: str) -> bool:
    return "/_temporary/" in path or path.lower().rpartition(".")[2] in UNFINISHED


def _refuse_lake(filesystem: Any, path: str) -> None:
    """Refuse a file of a Delta, Hudi or Iceberg table, as on this machine."""
    folder = os.path.dirname(path)
    while folder:
        for log, kind in LOGS.items():
            if filesystem.exists(f"{folder}/{log}") or os.path.basename(folder) == log:
                refuse_table(folder.removesuffix(f"/{log}"), kind, here=False)
        if filesystem.glob(f"{folder}/metadata/*.metadata.json"):
            refuse_table(folder, "an Iceberg", here=False)
        name = os.path.basename(folder)
        if "=" not in name and name != "data":
            return
        folder = os.path.dirname(folder)


def _by_name(note: str, named: Sequence[NamedFile]) -> str:
    """A note that calls files by their own names and not by those of the copies."""
    for file in named:
        note = note.replace(file.path, file.name)
    return note
