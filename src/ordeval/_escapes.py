"""Labels are data: escapes that keep them so in CSV, Markdown and LaTeX.  (HTML is escaped by its template.)"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from ordeval._text import printable

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "−": r"\ensuremath{-}",
    "–": "--",
    "↑": r"\ensuremath{\uparrow}",
    "↓": r"\ensuremath{\downarrow}",
    "→": r"\ensuremath{\rightarrow}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "×": r"\ensuremath{\times}",
    "·": r"\textperiodcentered{}",
    "†": r"\textdagger{}",
    "[": "{[}",  # at the start of a row it would be an option
    "]": "{]}",
}


_LIGATURES = re.compile(r"(?<=([-,!?<>]))(?=[-,`<>])")  # two signs that LaTeX would draw as one


def latex(text: Any) -> str:
    """Text for LaTeX: every sign stands for itself."""
    parts = (_signs(part) for part in _LIGATURES.sub("\x00", printable(text)).split("\x00"))
    return "{}".join(parts)


def _signs(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


def markdown(text: Any) -> str:
    """Text for a cell of a Markdown table: every sign stands for itself."""
    escaped = "".join(f"\\{sign}" if sign in "\\`*_{}[]()<>#+-.!|~$:@^=" else sign for sign in printable(text))
    return escaped.replace("&", "&amp;")


def csv_field(text: Any) -> str:
    """A field of CSV: quoted where needed, and never a formula to a spreadsheet; numbers stay numbers."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return repr(text)
    plain = "" if text is None else str(text)
    start = plain.lstrip(" ")[:1]
    if start and (start in "=+-@\t\r\n\x00" or unicodedata.normalize("NFKC", start) in "=+-@"):
        plain = "'" + plain
    return '"' + plain.replace('"', '""') + '"' if any(sign in plain for sign in '",\r\n') else plain
