"""Forms of results: blocks of words and tables, and one renderer for each format."""

from ordeval.base.files import check_free
from ordeval.show._blocks import Block, Card, Code, Figure, Line, Page, Paragraph, Row, Section, Span, Table
from ordeval.show._escapes import markdown as escape_markdown
from ordeval.show._numbers import number, signed
from ordeval.show._plain import printable, wrap
from ordeval.show._result import Result, ResultList, render, write

__all__ = [
    "Block",
    "Card",
    "Code",
    "Figure",
    "Line",
    "Page",
    "Paragraph",
    "Result",
    "ResultList",
    "Row",
    "Section",
    "Span",
    "Table",
    "check_free",
    "escape_markdown",
    "number",
    "printable",
    "render",
    "signed",
    "wrap",
    "write",
]
