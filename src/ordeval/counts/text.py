"""What was counted: in two lines above other results, and as tables of their own."""

from __future__ import annotations

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts.table import TRUE, Counts
from ordeval.order.refusals import SHOWN
from ordeval.show import Block, Line, Table
from ordeval.show._plain import WIDTH, display_width, printable, shorten, wrap


def header(counts: Counts, source: str = "rows", *, found: str = "") -> list[str]:
    """Did it read my rows right, did it take my order?  `found` says what was read where that is not the audit of rows."""
    name = shorten(source or "rows", 30)
    width = max(len("classes"), display_width(name)) + 2
    taken = " (taken from the data)" if counts.scale.inferred else ""
    lines = []
    read_as = [] if found else [("read as" if i == 0 else "", printable(line)) for i, line in enumerate(counts.audit.changes)]
    told = [(name, found or counts.audit.line), *read_as, ("classes", f"{printable(counts.scale)}{taken}")]
    for title, said in told:
        first = title + " " * (width - display_width(title))
        lines += wrap(said, WIDTH, first=first, then=" " * width)
        if title == name and not found:
            notes = [printable(note) for note in counts.audit.remarks]
            lines += [line for note in notes for line in wrap(note, WIDTH, first=" " * width, then=" " * (width + 2))]
    return lines


def blocks(counts: Counts) -> list[Block]:
    """What was read, and of each model the table of truth and prediction; of raters, how often each gave each class."""
    found: list[Block] = [*counts.audit._blocks(), Line(f"classes: {counts.scale}")]
    if counts.scale.K > SHOWN:
        return found
    labels = [str(label) for label in counts.scale.labels]
    if TRUE not in counts.axes:
        given = [[rater, *_numbers(counts.table(rater))] for rater in counts.axes]
        return [*found, Table(["rater", *labels], given, "Ratings of each class by each rater.")]
    for model in counts.models:
        one = counts[model]
        silent = one.unanswered if one.unanswered.any() else None
        header = [f"{TRUE} / {model}", *labels, *([] if silent is None else ["no answer"])]
        table = one.matrix if silent is None else np.column_stack([one.matrix, silent])
        rows = [[label, *_numbers(row)] for label, row in zip(labels, table, strict=True)]
        found.append(Table(header, rows, f"Rows are the true classes, columns those of {model}."))
    return found


def _numbers(row: Array) -> list[str]:
    return [f"{number:,}" if isinstance(number, int) else f"{number:,.6g}" for number in row.tolist()]
