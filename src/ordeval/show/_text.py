"""Blocks as plain text for a terminal, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable

from ordeval.show._blocks import Block, Card, Code, Figure, Line, Paragraph, Row, Table
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap

NAME = 28  # columns of a name in the first column


def blocks_as_text(blocks: Iterable[Block]) -> str:
    """All of them, tables apart from what stands around them."""
    lines: list[str] = []
    before = False  # whether the block before stands apart
    for block in blocks:
        apart = isinstance(block, Table | Card | Code)
        lines += ([""] if lines and (apart or before) else []) + _lines(block)
        before = apart
    return "\n".join(lines)


def _lines(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        return [line for part in block.text.split("\n") for line in wrap(printable(part), WIDTH)]
    if isinstance(block, Line):
        return [printable(block.text)]
    if isinstance(block, Code):
        return [f"    {printable(line)}" for line in block.text.splitlines()]
    if isinstance(block, Row):
        return [line for figure in block.figures for line in _lines(figure)]
    if isinstance(block, Figure):
        return wrap(printable(block.display.caption), WIDTH)
    if isinstance(block, Card):
        width = max((len(name) for name, _ in block.facts), default=0) + 2
        facts = [
            line
            for name, said in block.facts
            for line in wrap(printable(said), WIDTH, first=f"{name:<{width}}", then=" " * width)
        ]
        return [*([printable(block.title)] if block.title else []), *facts]
    return _table(block)


def _table(table: Table) -> list[str]:
    rows = [
        [shorten(cell, NAME) if i < table.left else printable(cell) for i, cell in enumerate(row)]
        for row in (table.header, *table.rows)
    ]
    drawn = [f"  {line}" for line in align(rows, right=range(table.left, len(table.header)))]
    below = [line for said in (table.caption, *table.notes) if said for line in wrap(printable(said), WIDTH)]
    return [*drawn, *([""] if below else []), *below]
