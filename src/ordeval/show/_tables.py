"""Tables for papers and programs: Markdown and LaTeX to read, CSV to compute with.  Everything in a cell is data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.show import _escapes as escape
from ordeval.show._plain import display_width, shorten

LONG = 36  # rows that fit on a printed page


NAME = 32  # columns of a name in a printed table


PAGE = 75  # columns of text on a printed line


@dataclass(frozen=True)
class Table:
    """Text in rows and columns, what it shows, and remarks below it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    notes: Sequence[str] = ()
    left: int = 1  #: columns flush left; the others are flush right


def p_text(p: float) -> str:
    """A p-value for people: never 0."""
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.01 else f"{p:.3f}"


def markdown(table: Table) -> str:
    """A Markdown table; its caption and remarks stand below it."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rules = [":--" if i < table.left else "--:" for i in range(len(table.header))]
    lines = [line([escape.markdown(cell) for cell in table.header]), line(rules)]
    lines += [line([escape.markdown(cell) for cell in row]) for row in table.rows]
    below = [escape.markdown(sentence) for sentence in (table.caption, *table.notes)]
    return "\n".join([*lines, "", "  \n".join(below)])


def latex(table: Table, *, floating: bool = True) -> str:
    """A LaTeX table in the manner of booktabs: \\usepackage{booktabs}; a wide one is scaled to the line and needs graphicx too.

    Long names are shortened and stand in full below; a table longer than a page goes on in a second one.
    """
    shown, full = _short_names(table)
    parts = [shown.rows[start : start + LONG] for start in range(0, max(len(shown.rows), 1), LONG)]
    pieces = [_latex_part(shown, rows, i, len(parts), floating) for i, rows in enumerate(parts, 1)]
    if full:
        said = escape.latex(" ".join(f"{short}: {text}" for text, short in full.items()))
        signs = escape.latex_signs(said) if floating else []
        pieces.append("\n".join([r"{\footnotesize\sloppy", *signs, said, r"\par}"]))
    return "\n\n".join(pieces)


def _short_names(table: Table) -> tuple[Table, dict[str, str]]:
    """The table with every cell of bearable width, and for each shortened text its short form."""
    full: dict[str, str] = {}

    def cell(text: str) -> str:
        if display_width(text) <= NAME:
            return text
        short = f"{shorten(text, NAME - 4).removesuffix('…')}… ({len(full) + 1})"
        return full.setdefault(text, short)

    header, rows = [cell(text) for text in table.header], [[cell(text) for text in row] for row in table.rows]
    return Table(header, rows, table.caption, table.notes, table.left), full


def _latex_part(table: Table, rows: Sequence[Sequence[str]], part: int, parts: int, floating: bool) -> str:
    def line(cells: Sequence[str]) -> str:
        return "    " + " & ".join(escape.latex(cell) for cell in cells) + r" \\"

    columns = "l" * table.left + "r" * (len(table.header) - table.left)
    caption = escape.latex(table.caption if part == 1 else f"{table.caption} (continued)")
    said = escape.latex(" ".join(table.notes)) if part == parts else ""
    body = [rf"  \begin{{tabular}}{{{columns}}}", r"    \toprule", line(table.header), r"    \midrule"]
    body += [*map(line, rows), r"    \bottomrule", r"  \end{tabular}"]
    if _columns(table) > PAGE:
        fitted = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
        body = [rf"  \resizebox{{{fitted}}}{{!}}{{%", *body[:-1], body[-1] + "}"]
    if floating:
        body = [rf"  \caption{{{caption}}}", *body]
    elif caption:
        said = f"{caption} {said}".rstrip()
    below = [rf"  \par\smallskip{{\footnotesize\sloppy {said}\par}}"] if said else []
    kind = "table" if floating else "center"
    signs = escape.latex_signs("\n".join([*body, *below])) if floating else []
    opening = [rf"\begin{{{kind}}}", *(f"  {line}" for line in signs), *([r"  \centering\sloppy"] if floating else [])]
    return "\n".join([*opening, *body, *below, rf"\end{{{kind}}}"])


def _columns(table: Table) -> int:
    """Columns of text that the table takes; a sign that the font may lack counts for its number."""
    widths = [
        max(sum(1 if ord(s) < 0x250 else 8 for s in row[i]) for row in [table.header, *table.rows])
        for i in range(len(table.header))
    ]
    return sum(widths) + 3 * len(widths)


def csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV; what is not there is an empty field."""
    if not records:
        return ""

    def line(values: Sequence[Any]) -> str:
        return ",".join(escape.csv_field(None if isinstance(v, float) and math.isnan(v) else v) for v in values)

    return "\n".join([line(list(records[0])), *(line(list(record.values())) for record in records)])
