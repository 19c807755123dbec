"""Labels are data: escapes that keep them so in CSV, Markdown and LaTeX.  (HTML is escaped by its template.)

Control characters and overrides of the writing direction are no text: Markdown shows U+FFFD for each, LaTeX its number.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from ordeval.base.docs import documented
from ordeval.show._plain import INVISIBLE, display_width, is_text, printable

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
    "−": r"$-$",
    "–": "--",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "·": r"\textperiodcentered{}",
    "†": r"\textdagger{}",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "’": "'",
    "²": r"$^2$",
    "∞": r"$\infty$",
}


_LIGATURES = re.compile(r"[-,!?<>][-,`<>]|''")  # two signs that LaTeX would draw as one
_UNBROKEN = 24  # signs without a space, from which on a line may end between any two dozens of them


def latex(text: Any) -> str:
    """Text for LaTeX: every sign stands for itself, and one that is no text stands as its number."""
    signs = str(text)
    if signs and not signs.strip(" "):
        return r"\textvisiblespace{}" * len(signs)
    parts, run = [], 0
    for place, sign in enumerate(signs):
        run = 0 if sign.isspace() else run + 1
        parts.append(_latex_sign(sign))
        following = signs[place + 1 : place + 2]
        if _LIGATURES.match(sign + following):
            parts.append("{}")
        if run >= _UNBROKEN and run % 12 == 0 and following and display_width(following) and sign not in INVISIBLE:
            parts.append(r"\allowbreak{}")
    if signs.startswith("["):
        parts[0] = "{[}"  # at the start of a row it would be an option
    return "".join(parts)


def _latex_sign(sign: str) -> str:
    return _LATEX.get(sign, sign) if is_text(sign) and sign != "\ufffd" else f"\\texttt{{[U+{ord(sign):04X}]}}"


def latex_signs(source: str) -> list[str]:
    """Lines before LaTeX source that holds signs beyond Latin: one that the font lacks is shown by its number, not left out.

    They may stand inside an environment: signs mean this only there, and what they mean is known when a caption is listed.
    """
    rare = sorted({sign for sign in source if ord(sign) > 0xFF})
    if not rare:
        return []
    lines = [r'\gdef\ordevalsign#1#2{\iffontchar\font"#1 \char"#1\relax\else#2\allowbreak\fi}']
    for sign in rare:
        code = f"{ord(sign):X}"
        active = f"^^^^{code.lower():>04}" if len(code) <= 4 else f"^^^^^^{code.lower():>06}"
        instead = "" if sign in INVISIBLE else f"{{\\scriptsize\\texttt{{[U+{code:>04}]}}}}"
        lines.append(f'\\catcode"{code}=13 \\protected\\gdef{active}{{\\ordevalsign{{{code}}}{{{instead}}}}}')
    return lines


#: What may begin something in Markdown: anywhere, in the name of a page, or at the start of a line.
_MARKED = re.compile(r"[\\`*_{}\[<>#|~$:@^]|\.(?=[^\W\d])|^\s*[-+=](?=[-=\s]|$)|^\s*\d+[.)](?=\s|$)")


@documented("The text, escaped.", text="Whatever has a text.")
def markdown(text: Any) -> str:
    """Text for Markdown, also in a cell of a table: every sign stands for itself."""
    escaped = _MARKED.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", printable(text)).replace("&", "&amp;")
    inner = escaped.strip(" ")
    if not inner:
        return "&#32;" * len(escaped)
    start = escaped.index(inner)  # spaces at an end would be trimmed, or mean code
    return "&#32;" * start + inner + "&#32;" * (len(escaped) - start - len(inner))


def csv_field(text: Any) -> str:
    """A field of CSV: quoted where needed, and never a formula to a spreadsheet; numbers stay numbers."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return repr(text)
    plain = "" if text is None else str(text)
    start = plain.lstrip(" ")[:1]
    if start and (start in "=+-@\t\r\n\x00" or unicodedata.normalize("NFKC", start) in "=+-@"):
        plain = "'" + plain
    return '"' + plain.replace('"', '""') + '"' if any(sign in plain for sign in '",\r\n') else plain
