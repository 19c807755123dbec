"""What a file is: its content decides, and a name that says otherwise is an error."""

from __future__ import annotations

import os
import re
import zipfile

#: What files are called, and how the names of those that are read end.
WORDS = {
    "parquet": "a Parquet file",
    "excel": "an Excel workbook",
    "arrow": "an Arrow file",
    "stream": "an Arrow stream",
    "orc": "an ORC file",
    "stata": "a Stata file",
    "spss": "an SPSS file",
}
ENDINGS = {
    "parquet": ("parquet", "pq"),
    "excel": ("xlsx", "xlsm"),
    "arrow": ("arrow", "feather", "ipc"),
    "stream": ("arrows", "arrow", "ipc"),
    "orc": ("orc",),
    "stata": ("dta",),
    "spss": ("sav", "zsav"),
}
#: Kinds that are turned into another file before the engine reads them, by the endings of their names.
TYPED = {ending: kind for kind in ("stream", "excel", "arrow", "orc", "stata", "spss") for ending in ENDINGS[kind]}
#: What is not read, and how to go on.
REFUSED = {
    "xlsb": "an Excel workbook in the binary format .xlsb; save it as .xlsx or CSV",
    "xls": "an Excel workbook in the old format .xls, or one with a password; save it as .xlsx or CSV",
    "ods": "an OpenDocument spreadsheet; save it as .xlsx or CSV",
    "zip": "a ZIP archive; unpack it",
    "feather 1": "a Feather file of version 1; write it as Feather 2",
    "avro": "an Avro file; write it as Parquet or JSON lines",
    "sqlite": "an SQLite database; use DuckDB or Ibis",
    "pickle": "a pickle, which is never opened because it can run code",
    "markup": "HTML or XML, not a table",
    "pdf": "a PDF, not a table",
}
SIGNS = {
    b"ARROW1\0\0": "arrow",
    b"\xff\xff\xff\xff": "stream",
    b"<stata_dta>": "stata",
    b"$FL2@(#)": "spss",
    b"$FL3@(#)": "spss",
    b"\xd0\xcf\x11\xe0": "xls",
    b"Obj\x01": "avro",
    b"SQLite format 3\0": "sqlite",
    b"%PDF-": "pdf",
}
#: Signs that could also be the first letters of text: such a file ends with them too.
AT_BOTH_ENDS = {b"PAR1": ("parquet", b"PAR1"), b"FEA1": ("feather 1", b"FEA1"), b"ORC": ("orc", b"ORC")}
OLD_STATA = re.compile(rb"[\x71-\x73][\x01\x02]\x01\x00", re.DOTALL)
PICKLE = re.compile(rb"\x80[\x02-\x05]", re.DOTALL)
#: Pages and documents; a tag of another name may also be the first column of a text file.
MARKUP = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype|!--|\?xml|html|head|body|table|script|svg)[\s>/-]?", re.IGNORECASE)
ANY_TAG = re.compile(rb"(\xef\xbb\xbf)?\s*<[A-Za-z!?]")


def content_of(path: str, start: bytes, ending: str = "") -> str:
    """The kind of a file that is not compressed, by its first bytes and, where these could be text, its last; "" is text."""
    if start.startswith(b"PK\x03\x04"):
        return _zip_kind(path)
    for sign, kind in SIGNS.items():
        if start.startswith(sign):
            return kind
    for sign, (kind, end) in AT_BOTH_ENDS.items():
        if start.startswith(sign) and end in _end(path):
            return kind
    if OLD_STATA.match(start):
        return "stata"
    if PICKLE.match(start):
        return "pickle"
    return "markup" if MARKUP.match(start) or (ending not in TEXTS and ANY_TAG.match(start)) else ""


def check_name(name: str, ending: str, kind: str) -> None:
    """Refuse a kind that is not read, and a name that says another kind than the content is."""
    if kind in REFUSED:
        raise ValueError(f"{name} is {REFUSED[kind]}")
    if ending in REFUSED:
        raise ValueError(f"{name} is {REFUSED[ending]}")
    said = next((one for one, endings in ENDINGS.items() if ending in endings), "text" if ending in TEXTS else "")
    if kind and said and ending not in ENDINGS[kind]:
        raise ValueError(f"{name} is {WORDS[kind]}; its name should end in .{ENDINGS[kind][0]}")
    if not kind and said not in ("", "text", "parquet"):  # of Parquet its own reader says what is wrong
        raise ValueError(f"{name} is not {WORDS[said]}, although its name says so: it is cut short, or in another format")


TEXTS = ("csv", "tsv", "tab", "jsonl", "ndjson", "json")


def _end(path: str) -> bytes:
    if not path:  # inside of a stream
        return b""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 8))
        return file.read()


def _zip_kind(path: str) -> str:
    """What a ZIP archive is: the names inside of it say it."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            kind = archive.read("mimetype")[:80] if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        return "excel" if path.lower().endswith((".xlsx", ".xlsm")) else "zip"  # its own reader says what is wrong
    if "xl/workbook.xml" in names:
        return "excel"
    if "xl/workbook.bin" in names:
        return "xlsb"
    return "ods" if b"opendocument.spreadsheet" in kind else "zip"
