"""The audit of an input: where every row went, which classes, and how many rows each has."""

from __future__ import annotations

from collections.abc import Sequence

from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap


def class_table(counts: Counts, *, most: int = 40) -> list[str]:
    """Rows of each true class and of each predicted one."""
    truth = counts.table("true")
    columns = {"true": truth, **{model: counts.table(model) for model in counts.models}}
    rows = [["", *(shorten(name, 16) for name in columns)]]
    rows += [
        [shorten(label, 24), *(_rows(column[code].item()) for column in columns.values())]
        for code, label in enumerate(counts.scale.labels[:most])
    ]
    lines = align(rows, right=range(1, len(columns) + 1))
    more = counts.scale.K - most
    return lines + ([f"… and {more:,} classes more"] if more > 0 else [])


def _rows(rows: float) -> str:
    """A count to the last row; a sum of weights to ten digits."""
    return f"{rows:,}" if isinstance(rows, int) else f"{rows:,.10g}"


def audit_lines(counts: Counts, source: str, pitfalls: Sequence[tuple[str, Sequence[object]]] = ()) -> list[str]:
    """Everything about the input, and for each model what a careless tool would have made of it."""
    lines = [*header(counts, source), "", *(f"  {line}" for line in class_table(counts)), ""]
    unused = [str(label) for label, rows in zip(counts.scale.labels, counts.table("true"), strict=True) if rows == 0]
    if unused:
        lines += [*wrap(f"No row is truly {', '.join(map(printable, unused))}.", WIDTH), ""]
    said = [f"{model}: {pitfall}" if len(pitfalls) > 1 else str(pitfall) for model, found in pitfalls for pitfall in found]
    if said:
        lines.append("What a careless tool would have made of it:")
        for sentence in said:
            lines += wrap(printable(sentence), WIDTH, first="  ", then="    ")
    else:
        lines += wrap("Sorting the labels alphabetically, or taking the classes from the data, would change nothing here.", WIDTH)
    return lines
