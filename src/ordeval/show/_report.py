"""A report: one content, as a self-contained HTML page, as Markdown and as LaTeX.

A report is a headline and sections of blocks; what a block is decides how each format shows it.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Protocol

from ordeval.base.files import write_text
from ordeval.show import _escapes as escape
from ordeval.show import _tables as tables
from ordeval.show._plain import printable


class Display(Protocol):
    """A figure: what it shows in words, and its drawing."""

    @property
    def caption(self) -> str: ...

    def to_svg(self) -> str: ...


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Code:
    """Text to copy as it stands."""

    text: str


@dataclass(frozen=True)
class Figure:
    display: Display


@dataclass(frozen=True)
class Row:
    """Figures to be seen beside each other."""

    figures: Sequence[Figure]


@dataclass(frozen=True)
class Card:
    """Facts about one thing, each with its name."""

    title: str
    facts: Sequence[tuple[str, str]]


Block = Paragraph | Code | Figure | Row | Card | tables.Table


@dataclass(frozen=True)
class Section:
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Report:
    """What a report says, before it has a form."""

    title: str
    headline: str
    sections: Sequence[Section] = field(default_factory=list)

    def to_html(self) -> str:
        """One page that needs nothing else: no script, no request, a strict content security policy."""
        try:
            import jinja2
            import markupsafe
        except ModuleNotFoundError:
            raise ModuleNotFoundError('the HTML report needs its extra; install it with  pip install "ordeval[cli]"') from None

        folder = files("ordeval.show")
        style = (folder / "report.css").read_text(encoding="utf-8")
        environment = jinja2.Environment(
            autoescape=True, finalize=_plain, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        template = environment.from_string((folder / "report.html.jinja").read_text(encoding="utf-8"))
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        from ordeval.base.version import __version__

        page: str = template.render(
            report=self, style=style, digest=digest, kind=_kind, svg=_svg, version=__version__, newline=markupsafe.Markup("\n")
        )
        return page

    def to_markdown(self) -> str:
        lines = [f"# {escape.markdown(self.title)}", "", escape.markdown(self.headline)]
        for section in self.sections:
            lines += ["", f"## {escape.markdown(section.title)}"]
            for block in section.blocks:
                lines += ["", _markdown(block)]
        return "\n".join(lines) + "\n"

    def to_latex(self) -> str:
        """A document for LuaLaTeX or XeLaTeX, which know every sign that a label may have."""
        lines = [f"\\section*{{{escape.latex(self.title)}}}", escape.latex(self.headline)]
        for section in self.sections:
            lines += ["", f"\\subsection*{{{escape.latex(section.title)}}}"]
            for block in section.blocks:
                lines += ["", _latex(block)]
        preamble = [
            r"\documentclass{article}",
            r"\usepackage{booktabs,fontspec,graphicx}",
            r"\usepackage[margin=25mm]{geometry}",
            r"\sloppy",  # wide gaps rather than words beyond the margin
            *escape.latex_signs("\n".join(lines)),
            r"\begin{document}",
        ]
        return "\n".join([*preamble, *lines, "", r"\end{document}", ""])


def write(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """The report in the format that the name of the file ends with; whole or not at all."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    makers = {".html": report.to_html, ".htm": report.to_html, ".md": report.to_markdown, ".tex": report.to_latex}
    if ending not in makers:
        raise ValueError(f"{os.fspath(path)}: a report is HTML, Markdown or LaTeX; let its name end in .html, .md or .tex")
    write_text(path, makers[ending](), force=force)


def _kind(block: Block) -> str:
    return type(block).__name__


def _plain(value: Any) -> Any:
    """Text without control characters and overrides of its direction; markup, which is ours, as it is."""
    return printable(value) if type(value) is str else value


def _svg(figure: Figure) -> Any:
    """The drawing as markup: made by us, with every label escaped in it."""
    import markupsafe

    return markupsafe.Markup(figure.display.to_svg())  # noqa: S704


def _markdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escape.markdown(block.text)
    if isinstance(block, Code):
        longest = max((len(run) for run in block.text.replace("`", " ` ").split() if set(run) == {"`"}), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{block.text}\n{fence}"
    if isinstance(block, Row):
        return "\n\n".join(map(_markdown, block.figures))
    if isinstance(block, Figure):
        return f"*{escape.markdown(block.display.caption)}*"
    if isinstance(block, Card):
        facts = "\n".join(f"- {escape.markdown(name)}: {escape.markdown(said)}" for name, said in block.facts)
        return f"### {escape.markdown(block.title)}\n\n{facts}" if block.title else facts
    return tables.markdown(block)


def _latex(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escape.latex(block.text)
    if isinstance(block, Code):
        return "\n".join(
            [r"{\footnotesize\ttfamily\raggedright", *(f"{escape.latex(line)}\\par" for line in block.text.splitlines()), "}"]
        )
    if isinstance(block, Row):
        return "\n\n".join(map(_latex, block.figures))
    if isinstance(block, Figure):
        return f"\\emph{{{escape.latex(block.display.caption)}}}"
    if isinstance(block, Card):
        facts = [f"  \\item[{{{escape.latex(name)}}}] {escape.latex(said)}" for name, said in block.facts]
        title = [f"\\subsubsection*{{{escape.latex(block.title)}}}"] if block.title else []
        return "\n".join([*title, r"\begin{description}", *facts, r"\end{description}"])
    return tables.latex(block, floating=False)
