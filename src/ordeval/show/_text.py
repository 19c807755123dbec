"""Blocks as plain text for a terminal, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable

from ordeval.show._blocks import Block, Card, Code, Figure, Line, Paragraph, Row, Table
from ordeval.show._plain import WIDTH, align, display_width, printable, shorten, wrap

NAME = 12  # columns that a name in the first column keeps, however wide the table


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
        return [f"    {printable(line)}".rstrip() for line in block.text.splitlines()]
    if isinstance(block, Row):
        return [line for figure in block.figures for line in _lines(figure)]
    if isinstance(block, Figure):
        return wrap(printable(block.display.caption), WIDTH)
    if isinstance(block, Card):
        names = [printable(name) for name, _ in block.facts]
        width = max(map(display_width, names), default=0) + 2
        facts = [
            line
            for name, (_, said) in zip(names, block.facts, strict=True)
            for line in wrap(printable(said), WIDTH, first=name + " " * (width - display_width(name)), then=" " * width)
        ]
        return [*([printable(block.title)] if block.title else []), *facts]
    return _table(block)


def _table(table: Table) -> list[str]:
    rows = [[printable(cell) for cell in row] for row in (table.header, *table.rows)]
    flush = range(table.left, len(table.header))
    drawn = align(rows, right=flush)
    over = max(map(display_width, drawn), default=0) + 2 - WIDTH
    if over > 0 and rows:  # long names give way first, and the numbers stay
        longest = max(display_width(row[0]) for row in rows if row)
        drawn = align([[shorten(row[0], max(NAME, longest - over)), *row[1:]] for row in rows], right=flush)
    below = [line for said in (table.caption, *table.notes) if said for line in wrap(printable(said), WIDTH)]
    return [*(f"  {line}" for line in drawn), *([""] if below else []), *below]
