"""What a result says, before it has a form: paragraphs, tables, figures.  Everything in them is data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias


class Drawing(Protocol):
    """A figure: what it shows in words, and its drawing."""

    @property
    def caption(self) -> str: ...

    def to_svg(self) -> str: ...


@dataclass(frozen=True)
class Paragraph:
    """Sentences; a terminal wraps them."""

    text: str


@dataclass(frozen=True)
class Line:
    """One line, such as a signature; a terminal does not break it."""

    text: str


@dataclass(frozen=True)
class Code:
    """Text to copy as it stands."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A drawing with its caption."""

    display: Drawing


@dataclass(frozen=True)
class Row:
    """Figures to be seen beside each other."""

    figures: Sequence[Figure]


@dataclass(frozen=True)
class Card:
    """Facts about one thing, each with its name."""

    title: str
    facts: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Span:
    """A value and its interval as a dot on a line, from one end of a scale to the other."""

    value: float
    low: float  #: nan where there is no interval
    high: float
    start: float  #: the left end of the line; above `stop` where less is better
    stop: float
    zero: bool = False  #: mark 0 on the line
    quiet: bool = False  #: neither side is better


@dataclass(frozen=True)
class Table:
    """Text in rows and columns, what it shows, and remarks below it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Sequence[str] = ()
    left: int = 1  #: columns flush left; the others are flush right
    spans: Sequence[Span | None] = ()  #: drawn in a column of their own where there is room for drawings
    spans_title: str = ""  #: what stands above them


Block: TypeAlias = Paragraph | Line | Code | Figure | Row | Card | Table


@dataclass(frozen=True)
class Section:
    """Blocks under a heading."""

    title: str
    blocks: Sequence[Block]
    printed: bool = True  #: opens when the page is printed; what explains, and is no evidence, does not


@dataclass(frozen=True)
class Page:
    """A report: page one with the answer, and sections of evidence."""

    title: str  #: the question
    headline: str  #: the answer
    sections: Sequence[Section] = field(default_factory=list)
    judged: str = ""  #: what was judged
    remarks: Sequence[str] = ()  #: what speaks against the answer, and what else must be known
    first: Sequence[Block] = ()  #: what page one shows
    provenance: str = ""  #: how the numbers came about, in one line
