"""What was counted, in two lines."""

from __future__ import annotations

from ordeval.counts.table import Counts
from ordeval.show._plain import WIDTH, display_width, printable, shorten, wrap


def header(counts: Counts, source: str = "rows", *, found: str = "") -> list[str]:
    """Did it read my rows right, did it take my order?  `found` says what was read where that is not the audit of rows."""
    name = shorten(source or "rows", 30)
    width = max(len("classes"), display_width(name)) + 2
    taken = " (taken from the data)" if counts.scale.inferred else ""
    lines = []
    for title, said in ((name, found or str(counts.audit)), ("classes", f"{printable(counts.scale)}{taken}")):
        first = title + " " * (width - display_width(title))
        lines += wrap(said, WIDTH, first=first, then=" " * width)
    return lines
