"""Blocks as LaTeX, tables in the manner of booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ordeval.show import _escapes as escape
from ordeval.show._blocks import Block, Card, Code, Figure, Line, Page, Paragraph, Row, Table
from ordeval.show._plain import display_width, shorten

LONG = 36  # rows that fit on a printed page
NAME = 32  # columns of a name in a printed table
PAGE = 75  # columns of text on a printed line


def blocks_as_latex(blocks: Iterable[Block], *, floating: bool = True) -> str:
    """All of them, for a document of the reader's own; tables float, unless they are part of a report."""
    return "\n\n".join(_latex(block, floating) for block in blocks)


def page_as_latex(page: Page) -> str:
    """A document for LuaLaTeX or XeLaTeX, which know every sign that a label may have."""
    said = [text for text in (page.judged, page.headline, *page.remarks) if text]
    lines = [f"\\section*{{{escape.latex(page.title)}}}", *(line for text in said for line in (escape.latex(text), ""))]
    if page.first:
        lines += [blocks_as_latex(page.first, floating=False), ""]
    lines += [escape.latex(page.provenance)] if page.provenance else []
    for section in page.sections:
        lines += ["", f"\\subsection*{{{escape.latex(section.title)}}}", "", blocks_as_latex(section.blocks, floating=False)]
    preamble = [
        r"\documentclass{article}",
        r"\usepackage{booktabs,fontspec,graphicx}",
        r"\usepackage[margin=25mm]{geometry}",
        r"\sloppy",  # wide gaps rather than words beyond the margin
        *escape.latex_signs("\n".join(lines)),
        r"\begin{document}",
    ]
    return "\n".join([*preamble, *lines, "", r"\end{document}", ""])


def _latex(block: Block, floating: bool) -> str:
    if isinstance(block, Paragraph | Line):
        return escape.latex(block.text)
    if isinstance(block, Code):
        return "\n".join(
            [r"{\footnotesize\ttfamily\raggedright", *(f"{escape.latex(line)}\\par" for line in block.text.splitlines()), "}"]
        )
    if isinstance(block, Row):
        return blocks_as_latex(block.figures, floating=floating)
    if isinstance(block, Figure):
        return f"\\emph{{{escape.latex(block.display.caption)}}}"
    if isinstance(block, Card):
        facts = [f"  \\item[{{{escape.latex(name)}}}] {escape.latex(said)}" for name, said in block.facts]
        title = [f"\\subsubsection*{{{escape.latex(block.title)}}}"] if block.title else []
        return "\n".join([*title, r"\begin{description}", *facts, r"\end{description}"])
    return _table(block, floating=floating)


def _table(table: Table, *, floating: bool) -> str:
    """A LaTeX table in the manner of booktabs: \\usepackage{booktabs}; a wide one is scaled to the line and needs graphicx too.

    Long names are shortened and stand in full below; a table longer than a page goes on in a second one.
    """
    shown, full = _short_names(table)
    parts = [shown.rows[start : start + LONG] for start in range(0, max(len(shown.rows), 1), LONG)]
    pieces = [_part(shown, rows, i, len(parts), floating) for i, rows in enumerate(parts, 1)]
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


def _part(table: Table, rows: Sequence[Sequence[str]], part: int, parts: int, floating: bool) -> str:
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
