"""The audit of an input: where every row went, which classes, and how many rows each has."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.read.strange import is_like_nothing
from ordeval.show import Block, Paragraph, Result, Table
from ordeval.show._plain import WIDTH, align, printable, shorten, shorten_apart, wrap
from ordeval.show._text import blocks_as_text


@dataclass(frozen=True, eq=False)
class InputAudit(Result):
    """What was read: where every row went, the rows of each class, and what common mistakes in reading would change."""

    counts: Counts
    pitfalls: Mapping[str, Sequence[object]] = field(default_factory=dict)  #: of each model, by `ordeval.choose.pitfalls`
    source: str = ""  #: what the rows are called, such as the name of their file

    def _rows(self) -> list[dict[str, Any]]:
        counts = self.counts
        columns = {axis: counts.table(axis).tolist() for axis in ("true", *counts.models)}
        return [
            {"class": label, "column": axis, "rows": rows[code]}
            for code, label in enumerate(counts.scale.labels)
            for axis, rows in columns.items()
        ]

    def _blocks(self) -> list[Block]:
        rows = [[str(row["class"]), row["column"], _rows(row["rows"])] for row in self._rows()]
        said = [Paragraph(f"{model}: {pitfall}") for model, found in self.pitfalls.items() for pitfall in found]
        audit = self.counts.audit
        notes = [Paragraph(remark) for remark in [*audit.remarks, *(f"read as: {line}" for line in audit.changes)]]
        files = [audit.table_of_files()] if audit.files else []
        return [Paragraph(audit.line), *notes, *files, Table(["class", "column", "rows"], rows, left=2), *said]

    def __str__(self) -> str:
        return "\n".join(audit_lines(self.counts, self.source, list(self.pitfalls.items())))


def class_table(counts: Counts, *, most: int = 40) -> list[str]:
    """Rows of each true class and of each predicted one."""
    truth = counts.table("true")
    columns = {"true": truth, **{model: counts.table(model) for model in counts.models}}
    rows = [["", *shorten_apart(columns, 16)]]
    rows += [
        [shorten(label, 24), *(_rows(column[code].item()) for column in columns.values())]
        for code, label in enumerate(counts.scale.labels[:most])
    ]
    lines = align(rows, right=range(1, len(columns) + 1))
    more = counts.scale.K - most
    return lines + ([f"… and {more:,} more classes"] if more > 0 else [])


def _rows(rows: float) -> str:
    """A count to the last row; a sum of weights to ten digits."""
    return f"{rows:,}" if isinstance(rows, int) else f"{rows:,.10g}"


def _ledger(counts: Counts) -> list[str]:
    """The files that were read, their rows and bytes, and how the end of each is proven."""
    audit = counts.audit
    return ["", *blocks_as_text([audit.table_of_files()]).split("\n")] if audit.files else []


def _answers(counts: Counts, label: str) -> str:
    """How many answers are a class; nothing if none is."""
    place = [str(one) for one in counts.scale.labels].index(label)
    number = sum(counts.table(model)[place].item() for model in counts.models)
    return f"{_rows(number)} {'answer' if number == 1 else 'answers'}" if number else ""


def audit_lines(counts: Counts, source: str, pitfalls: Sequence[tuple[str, Sequence[object]]] = ()) -> list[str]:
    """Everything about the input, and for each model what common mistakes in reading would change."""
    lines = [*header(counts, source), *_ledger(counts), "", *(f"  {line}" for line in class_table(counts)), ""]
    unused = [str(label) for label, rows in zip(counts.scale.labels, counts.table("true"), strict=True) if rows == 0]
    empty = {label: answers for label in unused if is_like_nothing(label) and (answers := _answers(counts, label))}
    for label, answers in empty.items():
        told = f"{printable(label)} is a class here: no row is truly {printable(label)}, but {answers} {'is' if answers.startswith('1 ') else 'are'}."
        lines += [*wrap(f"{told} If it means no answer: --na {shlex.quote(label)}", WIDTH), ""]
    if unused := [label for label in unused if label not in empty]:
        lines += [*wrap(f"No row is truly {', '.join(map(printable, unused))}.", WIDTH), ""]
    said = [f"{model}: {pitfall}" if len(pitfalls) > 1 else str(pitfall) for model, found in pitfalls for pitfall in found]
    if said:
        lines.append("What common mistakes in reading would change:")
        for sentence in said:
            lines += wrap(printable(sentence), WIDTH, first="  ", then="    ")
    else:
        lines += wrap("Sorting the labels alphabetically, or taking the classes from the data, would change nothing here.", WIDTH)
    return lines
