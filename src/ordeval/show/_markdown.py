"""Blocks as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ordeval.show import _escapes as escape
from ordeval.show._blocks import Block, Card, Code, Figure, Line, Page, Paragraph, Row, Table


def blocks_as_markdown(blocks: Iterable[Block]) -> str:
    """All of them, a blank line between two."""
    return "\n\n".join(map(_markdown, blocks))


def page_as_markdown(page: Page) -> str:
    """A report with its headings."""
    said = [page.judged, page.headline, *page.remarks]
    lines = [f"# {escape.markdown(page.title)}", *(line for text in said if text for line in ("", escape.markdown(text)))]
    if page.first:
        lines += ["", blocks_as_markdown(page.first)]
    if page.provenance:
        lines += ["", escape.markdown(page.provenance)]
    for section in page.sections:
        lines += ["", f"## {escape.markdown(section.title)}", "", blocks_as_markdown(section.blocks)]
    return "\n".join(lines) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, Paragraph | Line):
        return escape.markdown(block.text)
    if isinstance(block, Code):
        longest = max(map(len, re.findall("`+", block.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{block.text}\n{fence}"
    if isinstance(block, Row):
        return blocks_as_markdown(block.figures)
    if isinstance(block, Figure):
        return f"*{escape.markdown(block.display.caption)}*"
    if isinstance(block, Card):
        facts = "\n".join(
            f"- {f'{escape.markdown(name)}: ' if name else ''}{escape.markdown(said)}" for name, said in block.facts
        )
        return f"### {escape.markdown(block.title)}\n\n{facts}" if block.title else facts
    return _table(block)


def _table(table: Table) -> str:
    """A Markdown table; its caption and remarks stand below it."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rules = [":--" if i < table.left else "--:" for i in range(len(table.header))]
    lines = [line([escape.markdown(cell) for cell in table.header]), line(rules)]
    lines += [line([escape.markdown(cell) for cell in row]) for row in table.rows]
    below = [escape.markdown(sentence) for sentence in (table.caption, *table.notes) if sentence]
    return "\n".join([*lines, "", "  \n".join(below)] if below else lines)
