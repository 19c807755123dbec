"""Which files a source stands for: each once, none that is half written, none whose rows are dead."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

from ordeval.base.errors import near
from ordeval.read.formats import REFUSED, TYPED
from ordeval.read.streams import ENDS, PIECE
from ordeval.show._plain import count_text

FORMATS = {
    "csv": "csv", "tsv": "csv", "tab": "csv",
    "jsonl": "json", "ndjson": "json", "json": "json",
    "parquet": "parquet", "pq": "parquet",
}  # fmt: skip
COMPRESSED = tuple(packing for packing in ENDS if packing)
UNFINISHED = ("tmp", "part", "partial", "crdownload", "inprogress")
DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__"  # how Hive and Spark write a folder for what is missing
LIVE = ("a Delta", "an Iceberg")  # tables whose live rows are read when the table itself is given, by read/lakes.py
NAMED = 5  # files spelled out in a note


@dataclass(frozen=True)
class FoundFiles:
    """The files behind a source, and what the audit says of the choice."""

    paths: tuple[str, ...]
    notes: tuple[str, ...]


def find_files(given: Sequence[str]) -> FoundFiles:
    """Every file that these paths, patterns and folders name: once, however often it is named."""
    paths, unread = [], []
    for part in given:
        path = local_path(part)
        if os.path.isdir(path):
            inside, others = _inside(path)
            paths += inside
            unread += others
        else:
            paths += _named(path)
    for path in paths:
        _refuse_lake(path)
    once, notes = _each_once(paths)
    return FoundFiles(once, (*notes, *_unread_note(unread), *_alike_notes(once)))


def extension(path: str) -> str:
    """What a file's name says it holds, beneath its compression."""
    parts = os.path.basename(path).lower().split(".")
    while parts and parts[-1] in COMPRESSED:
        parts.pop()
    return parts[-1] if len(parts) > 1 else ""


def hive_values(path: str) -> dict[str, str | None]:
    """What the folders of a file say about all of its rows: ``site=01/`` is a column site of text."""
    found: dict[str, str | None] = {}
    for part in os.path.dirname(os.path.abspath(path)).split(os.sep):
        name, sign, value = part.partition("=")
        if sign and name:
            found[unquote(name)] = None if value == DEFAULT_PARTITION else unquote(value)
    return found


def local_path(path: str) -> str:
    """A path as it is; of a ``file://`` address the path in it."""
    if path.lower().startswith("file://"):
        parts = urlsplit(path)
        if parts.netloc in ("", "localhost"):
            return unquote(parts.path)
    return path


def _inside(folder: str) -> tuple[list[str], list[str]]:
    """The files of a folder that are read, and those that are not; one that is still being written is a reason to refuse."""
    read, unread = [], []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in ("_delta_log",))
        for name in [*(name for name in folders if name == "_temporary"), *sorted(files)]:
            if name == "_temporary" or name.lower().rpartition(".")[2] in UNFINISHED:
                raise ValueError(
                    f"{folder} holds {name}, which is not fully written yet; wait until it is complete, or name the files"
                )
            path = os.path.join(place, name)
            if name.startswith(".") or name.endswith(".crc") or name in ("_SUCCESS", "_metadata", "_common_metadata"):
                continue
            kind = extension(name)
            if (kind in FORMATS or kind in TYPED) and not name.startswith("_"):
                read.append(path)
            else:
                unread.append(path)
    for table, sign in table_kinds(folder):
        refuse_table(table, sign)
    strange = sorted({extension(path) for path in unread} & set(REFUSED))
    formats = sorted({FORMATS.get(extension(path), extension(path)) for path in read}) + strange
    if len(formats) > 1 and (strange or not set(formats) <= set(FORMATS.values())):
        raise ValueError(
            f"{folder} has files of different formats ({', '.join(formats)}); choose one with a pattern such as *.csv"
        )
    if not read:
        raise ValueError(
            f"the directory {folder} has no file that can be read ({', '.join(f'.{name}' for name in [*FORMATS, *TYPED])})"
        )
    return sorted(read), unread


def _named(path: str) -> list[str]:
    """The file of that name, or those that a pattern matches."""
    if os.path.exists(path):
        if not os.access(path, os.R_OK):
            raise PermissionError(f"{path} cannot be read: permission denied")
        return [path]
    if glob.has_magic(path):
        found = sorted(file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
        if not found:
            raise FileNotFoundError(f"no file matches {path}")
        return found
    if "://" in path:
        raise ValueError(f"{path} is not a file on this machine; nothing is fetched from a network")
    raise FileNotFoundError(f"there is no file {path}{_neighbour(path)}")


def _neighbour(path: str) -> str:
    folder, name = os.path.split(path)
    try:
        hint = near(name, os.listdir(folder or "."), shown=lambda other: os.path.join(folder, other))
    except OSError:
        return ""
    return f"; {hint}" if hint else ""


# Tables whose files hold more than their rows


def _refuse_lake(path: str) -> None:
    """Refuse a file of a Delta, Hudi or Iceberg table: some of its rows may be deleted, and only the table's log knows."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        for table, kind in table_kinds(folder):
            refuse_table(table, kind)
        name = os.path.basename(folder)
        if "=" not in name and name != "data":
            return
        folder = os.path.dirname(folder)


def table_kinds(folder: str) -> Iterable[tuple[str, str]]:
    """The folder, if it is a table of some format, and the format's name."""
    if os.path.isdir(os.path.join(folder, "_delta_log")):
        yield folder, "a Delta"
    if os.path.isdir(os.path.join(folder, ".hoodie")):
        yield folder, "a Hudi"
    if glob.glob(os.path.join(glob.escape(folder), "metadata", "*.metadata.json")):
        yield folder, "an Iceberg"


def refuse_table(folder: str, kind: str, *, here: bool = True) -> None:
    """Refuse the files of a table, and say how its live rows are read."""
    how = "read its current rows with its own library and give the frame"
    if here and kind in LIVE:
        how = f"give the table itself, {folder}, to read its live rows"
    raise ValueError(f"{folder} is {kind} table, whose files also hold rows that were deleted or replaced; {how}")


# Each file once


def identity_of(path: str) -> tuple[int, int]:
    """What is the same for two names of one file, links followed."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _each_once(paths: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    first: dict[tuple[int, int], str] = {}
    again: dict[str, str] = {}  # another name, and the one that is read
    times = 0
    for path in paths:
        identity = identity_of(path)
        if identity in first:
            times += 1
            again.setdefault(path, first[identity])
        else:
            first[identity] = path
    if not times:
        return tuple(paths), []
    said = [f"{other} is {kept}" for other, kept in again.items() if other != kept][:NAMED]
    told = f" ({'; '.join(said)})" if said else ""
    return tuple(first.values()), [f"{count_text(times, 'file')} listed twice, read once{told}"]


def _unread_note(unread: Sequence[str]) -> list[str]:
    if not unread:
        return []
    more = ", …" if len(unread) > NAMED else ""
    return [f"not read: {count_text(len(unread), 'file')} ({', '.join(map(os.path.basename, unread[:NAMED]))}{more})"]


def _alike_notes(paths: Sequence[str]) -> list[str]:
    """Shards may be alike; a copy of one is more likely a mistake, so it is said."""
    by_size: dict[int, list[str]] = {}
    for path in paths:
        if os.path.isfile(path) and (size := os.path.getsize(path)):
            by_size.setdefault(size, []).append(path)
    notes = []
    for same in by_size.values():
        if len(same) < 2:
            continue
        by_content: dict[bytes, list[str]] = {}
        for path in same:
            by_content.setdefault(_digest(path), []).append(path)
        notes += [f"{' and '.join(alike)} have the same bytes" for alike in by_content.values() if len(alike) > 1]
    return notes


def _digest(path: str) -> bytes:
    digest = blake2b(digest_size=16)
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.digest()
