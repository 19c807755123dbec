"""Text for a terminal: columns that line up, labels that are data and nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from ordeval.base.docs import documented

WIDTH = 80  # columns of a terminal

#: Signs without ink that scripts and emoji are written with: joiners and the marks of direction.  Overrides are not among them.
INVISIBLE = "\u200c\u200d\u200e\u200f"
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"


@documented("The text, on one line.", text="Whatever has a text.")
def printable(text: Any) -> str:
    """A label as text for a terminal: one line, no control characters."""
    return "".join(sign if is_text(sign) else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


def count_text(number: int, what: str) -> str:
    """ "1 row", "2,000 rows"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def safe_names(names: Iterable[Any]) -> dict[Any, str]:
    """Names that every tool takes: letters, digits and underscores, numbered where two become one.

    >>> safe_names(["a b", "a-b", "c"])
    {'a b': 'a_b', 'a-b': 'a_b_2', 'c': 'c'}
    """
    found: dict[Any, str] = {}
    for name in names:
        plain = safe = re.sub(r"\W+", "_", str(name)) or "_"
        number = 1
        while safe in found.values():
            number += 1
            safe = f"{plain}_{number}"
        found[name] = safe
    return found


def is_text(sign: str) -> bool:
    """Whether a sign stands for itself; control characters, line ends and overrides of the direction do not."""
    kind = unicodedata.category(sign)
    return sign in INVISIBLE or not (kind.startswith("C") or kind in ("Zl", "Zp"))


def display_width(text: str) -> int:
    """Columns that a text takes: wide characters take two, combining and invisible ones none."""
    return sum(map(_sign_width, text))


def _sign_width(sign: str) -> int:
    if sign in INVISIBLE or unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def shorten(text: Any, width: int) -> str:
    """The text, cut with an ellipsis if it is wider than that."""
    line = printable(text)
    if display_width(line) <= width:
        return line
    return line[: _fitting(line, width - 1)] + "…"


def shorten_apart(texts: Iterable[Any], width: int) -> list[str]:
    """Each text in that width; those that would then look the same lose their common start instead of their end."""
    given = [printable(text) for text in texts]
    short = [shorten(text, width) for text in given]
    alike = {cut for cut in short if len({text for text, other in zip(given, short, strict=True) if other == cut}) > 1}
    return [_without_start(text, width) if cut in alike else cut for text, cut in zip(given, short, strict=True)]


def _without_start(text: str, width: int) -> str:
    turned = text[::-1]
    return text if display_width(text) <= width else "…" + turned[: _fitting(turned, width - 1)][::-1]


def isolate_bidi(text: str) -> str:
    """Text with right-to-left letters between marks, so that it leaves the order of the words around it alone."""
    strong = [kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")]
    if set(strong) <= {"L"}:
        return text
    own_end = LEFT_TO_RIGHT if strong[0] == "L" else RIGHT_TO_LEFT + LEFT_TO_RIGHT  # the ellipsis stays with its own text
    return LEFT_TO_RIGHT + text + own_end


def _fitting(text: str, width: int) -> int:
    """How many signs of the text fit into so many columns; a combining sign stays with its letter."""
    taken = 0
    for place, sign in enumerate(text):
        taken += _sign_width(sign)
        if taken > width:
            return place
    return len(text)


@documented(
    "The lines.",
    text="The text.",
    width="Columns of a line.",
    first="What the first line begins with.",
    then="What the others begin with.",
)
def wrap(text: str, width: int, *, first: str = "", then: str = "") -> list[str]:
    """Lines of at most so many columns, broken at spaces, and inside a word that is wider than a line."""
    lines: list[str] = []
    parts, empty, taken = [first], True, display_width(first)  # of the line at hand; nothing but its beginning stands in it
    gap, after = "", display_width(then)
    for token in re.findall(r"\s+|\S+", text):
        if token.isspace():
            gap = token
            continue
        wide = display_width(token)
        if not empty and taken + display_width(gap) + wide > width:
            lines.append("".join(parts))
            parts, empty, taken = [then], True, after
        if not empty:
            parts.append(gap)
            taken += display_width(gap)
        if taken + wide <= width:
            parts.append(token)
            taken, empty = taken + wide, False
        else:
            parts, taken = _cut_word(lines, parts, taken, token, width, then)
            empty = False
    return lines if empty else [*lines, "".join(parts)]


def _cut_word(lines: list[str], parts: list[str], taken: int, word: str, width: int, then: str) -> tuple[list[str], int]:
    """A word that is wider than a line, over as many lines as it takes, in one walk; what is left of it stands in the last."""
    start, after = 0, display_width(then)
    for place, sign in enumerate(word):
        sign_width = _sign_width(sign)
        if taken + sign_width > width and place > start:
            lines.append("".join([*parts, word[start:place]]))
            parts, taken, start = [then], after, place
        taken += sign_width
    return [*parts, word[start:]], taken


def align(rows: Sequence[Sequence[str]], *, right: Iterable[int] = (), gap: str = "  ") -> list[str]:
    """Lines of a table whose columns line up; columns listed in `right` are flush right.

    Right-to-left words stay in their cell, also on a terminal that turns them around.
    """
    right, rows = set(right), [[isolate_bidi(cell) for cell in row] for row in rows]
    widths = [max(display_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - display_width(cell))
            cells.append(space + cell if i in right else cell + space)
        lines.append(gap.join(cells).rstrip())
    return lines
