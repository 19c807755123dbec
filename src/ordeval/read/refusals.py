"""Why a file or a table cannot be read, in one sentence: engines explain themselves at length."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO, cast

from ordeval.base.errors import ArgumentError
from ordeval.order.columns import short


def too_many_rows(table: str, rows: str, limit: int) -> ArgumentError:
    return ArgumentError(
        "{table} has {rows} rows, but {max_rows:{limit}}",
        argument="max_rows",
        remedy="raise the limit if you want them all",
        values={"table": table, "rows": rows, "limit": f"{limit:,}"},
    )


def refusal(message: str, format: str, path: str, name_of: Callable[[str], str] = str) -> ValueError:
    """Why a file cannot be read, from what DuckDB says of it."""
    if is_about_encoding(message):
        path = _file_in(message, path)
        return not_utf_8(path, name_of(path))
    return ValueError(sentence(message, format, path, name_of))


def _file_in(message: str, path: str) -> str:
    """The file that a message is about."""
    name = re.search(r"file = (.+)", message) or re.search(r"file '(.+?)'|file \"(.+?)\"", message)
    return next((found for found in (name.groups() if name else ()) if found), path)


def sentence(message: str, format: str, path: str, name_of: Callable[[str], str] = str) -> str:
    """Why a file cannot be read, from what DuckDB says of it; ``name_of`` says how to call a path."""
    found = _file_in(message, path)
    path = name_of(found)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    where = f"{path}, line {int(line[1]):,}" if line else path
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} has {fields[2]} fields where the header has {fields[1]}; correct the line, or quote fields with the delimiter in them"
    if "unterminated quote" in message:
        return f"{where}: a quote is opened and not closed, or stands in the middle of a field"
    if "state machine" in message:
        return f"{where} cannot be read as CSV: its line ends are mixed (LF and CRLF), or a quote stands in the middle of a field"
    if "Maximum line size" in message:
        return f"{where} has a line of more than two million bytes; a quote may be open"
    if format == "parquet" and re.search(r"magic bytes|too small|footer|metadata|Thrift|Corrupt", message):
        return f"{path} is not a complete Parquet file: it is cut short, or in another format"
    if broken := re.search(r"Malformed JSON.*? in line (\d+)", message):
        return f"{path} has a line that is not JSON, near line {int(broken[1]):,}; each line holds one object"
    if "gzip" in message.lower() or "zstd" in message.lower() or "decompress" in message.lower():
        return f"{path} cannot be decompressed: it is cut short, or not what its name says"
    if number := re.search(r"Could not convert string '(.*?)' to (?:DOUBLE|INT)", message):
        return f"{path} has {short(number[1])} where a number is needed, such as a weight"
    first = message.split("\n")[0].partition("Error: ")[2] or message.split("\n")[0]
    return f"{path} cannot be read: {first.strip().rstrip('.').replace(found, path)}"


LOST = ("Py4JNetworkError", "InterfaceError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError")


def engine_refusal(error: Exception, table: str) -> ValueError | ConnectionError:
    """What an engine says of a query that failed, in one sentence.  A lost connection is told apart: the call can be repeated."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = (lines[0] if lines else type(error).__name__).rstrip(".")
    if _is_lost(error):
        return ConnectionError(f"the connection to {table} was lost ({first}); connect again and repeat the call")
    return ValueError(f"the engine of {table} cannot run the query: {first}")


def _is_lost(error: Exception) -> bool:
    if type(error).__name__ == "OperationalError" and type(error).__module__.startswith("psycopg"):
        return True
    state = getattr(error, "sqlstate", None)  # of PostgreSQL: 08 is a broken connection, 57P a server that shuts down
    return type(error).__name__ in LOST or (isinstance(state, str) and state.startswith(("08", "57P")))


def is_about_encoding(message: str) -> bool:
    return "nicode" in message or "UTF" in message or "utf-8" in message


def not_utf_8(path: str, name: str) -> ArgumentError:
    """Which byte of a file is the first that is not UTF-8, and how the file may be meant."""
    row, what = _first_bad_byte(path)
    where = "in its first line" if row == 0 else f"in row {row:,}"
    return ArgumentError(
        "{name}: its first byte that is not UTF-8 is {what} {where}" if row is not None else "{name} is not UTF-8",
        remedy="if it came from Windows: {reading:Reading(encoding='windows-1252')}",
        values={"name": name, "what": what, "where": where if row is not None else ""},
    )


def _first_bad_byte(path: str) -> tuple[int | None, str]:
    """The row in which a file stops being UTF-8, 0 for its first line, and the byte; only a refusal asks."""
    import codecs

    if path.lower().endswith(".zst"):
        return None, ""
    decoder, lines, held = codecs.getincrementaldecoder("utf-8")(), 0, b""
    with _unzipped(path) if path.lower().endswith(".gz") else open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            whole = held + chunk
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                bad = error.object[error.start]
                before = whole[: len(whole) - len(error.object) + error.start]
                return lines + before.count(b"\n"), f"0x{bad:02x}"
            held = decoder.getstate()[0]
            lines += chunk.count(b"\n")
    return (lines, "a character cut short") if held else (None, "")


def _unzipped(path: str) -> BinaryIO:
    import gzip

    return cast(BinaryIO, gzip.open(path, "rb"))
