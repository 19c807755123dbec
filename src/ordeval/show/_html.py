"""Blocks as HTML: a fragment for notebooks, and a report as a page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from ordeval.base.version import __version__
from ordeval.show._blocks import Block, Card, Code, Figure, Line, Page, Paragraph, Row, Span, Table
from ordeval.show._plain import printable


def blocks_as_html(blocks: Iterable[Block]) -> str:
    """All of them as a fragment, for a notebook."""
    return "".join(map(_html, blocks))


def page_as_html(page: Page, *, open: bool = False) -> str:
    """One page that needs nothing else: no script, no request, a strict content security policy; `open` unfolds the evidence."""
    try:
        import jinja2
        import markupsafe
    except ModuleNotFoundError:
        raise ModuleNotFoundError('the HTML report needs its extra; install it with  pip install "ordeval[cli]"') from None

    from importlib.resources import files

    folder = files("ordeval.show")
    style = (folder / "report.css").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, finalize=_plain, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((folder / "report.html.jinja").read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    written: str = template.render(
        report=page,
        style=style,
        digest=digest,
        open=open,
        kind=_kind,
        svg=_svg,
        span=_span,
        version=__version__,
        newline=markupsafe.Markup("\n"),
    )
    return written


def _kind(block: Block) -> str:
    return type(block).__name__


def _plain(value: Any) -> Any:
    """Text without control characters and overrides of its direction; markup, which is ours, as it is."""
    return printable(value) if type(value) is str else value


def _svg(figure: Figure) -> Any:
    """The drawing as markup: made by us, with every label escaped in it."""
    import markupsafe

    return markupsafe.Markup(figure.display.to_svg())  # noqa: S704


SPAN = 144.0  # units across a drawn span, and 20 down


def _span(span: Span | None) -> Any:
    """A value and its interval as a small drawing: numbers alone, so there is nothing to escape."""
    import markupsafe

    if span is None or math.isnan(span.value):
        return ""

    def x(value: float) -> str:
        share = (value - span.start) / (span.stop - span.start)
        return f"{4 + (SPAN - 8) * min(max(share, 0.0), 1.0):.1f}"

    colour = 'stroke="currentColor" opacity="0.55"' if span.quiet else 'stroke="currentColor"'
    parts = [f'<line x1="4" x2="{SPAN - 4:g}" y1="10" y2="10" stroke="#8a8a8a" stroke-width="1"/>']
    if span.zero:
        parts.append(f'<line x1="{x(0)}" x2="{x(0)}" y1="2" y2="18" stroke="#8a8a8a" stroke-width="1"/>')
    if not math.isnan(span.low):
        parts.append(f'<line x1="{x(span.low)}" x2="{x(span.high)}" y1="10" y2="10" {colour} stroke-width="4"/>')
    parts.append(f'<circle cx="{x(span.value)}" cy="10" r="4" fill="currentColor"/>')
    box = f'viewBox="0 0 {SPAN:g} 20" preserveAspectRatio="none" aria-hidden="true"'
    return markupsafe.Markup(f"<svg {box}>{''.join(parts)}</svg>")  # noqa: S704


CARD = "display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .3rem 0"  # in a notebook, which has no style of ours


def _escaped(text: str) -> str:
    return html.escape(printable(text))


def _html(block: Block) -> str:
    if isinstance(block, Paragraph | Line):
        return f"<p>{'<br>'.join(map(_escaped, block.text.splitlines()))}</p>"
    if isinstance(block, Code):
        return f"<pre>{'<br>'.join(map(_escaped, block.text.splitlines()))}</pre>"
    if isinstance(block, Row):
        return blocks_as_html(block.figures)
    if isinstance(block, Figure):
        return f"<figure>{block.display.to_svg()}<figcaption>{_escaped(block.display.caption)}</figcaption></figure>"
    if isinstance(block, Card):
        facts = "".join(f"<dt>{_escaped(name)}</dt><dd>{_escaped(said)}</dd>" for name, said in block.facts)
        return (f"<h4>{_escaped(block.title)}</h4>" if block.title else "") + f'<dl style="{CARD}">{facts}</dl>'
    return _table(block)


def _table(table: Table) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        sides = ["left" if i < table.left else "right" for i in range(len(cells))]
        inside = (f'<{tag} style="text-align:{s}">{_escaped(c)}</{tag}>' for c, s in zip(cells, sides, strict=True))
        return f"<tr>{''.join(inside)}</tr>"

    below = " ".join(said for said in (table.caption, *table.notes) if said)
    rows = "".join(row(cells, "td") for cells in table.rows)
    small = f"<p><small>{_escaped(below)}</small></p>" if below else ""
    return f"<table><thead>{row(table.header, 'th')}</thead><tbody>{rows}</tbody></table>{small}"
