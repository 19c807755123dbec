"""Audit: where every row went, and which file it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ordeval.show import Block, Line, Paragraph, Result, Table
from ordeval.show._plain import count_text

SHOWN = 40  # files listed one by one
FEW = 8  # texts that are spelled out
BY_NAME = "as no answer, by the file"  # codes that a file calls missing, told by their names
SPELLED = ("as no", "with an error")  # how reasons begin whose texts are spelled out


def _rows(number: float) -> str:
    """A number of rows; a sum of weights to six digits."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"


@dataclass(frozen=True)
class SourceFile:
    """One file of a source, as the row ledger has it.  None where nothing of the kind is counted in such a file."""

    path: str  #: the name as it was given
    rows: int  #: rows, as the engine counted them; the ledger found the same number in its own way
    bytes: int  #: size on the disk
    content_bytes: int  #: size after decompression
    ended: str  #: how the end is proven: "size", "gzip crc", "zstd frame", "xz check", "bz2 crc" or "parquet footer"
    lines: int | None = None  #: line ends, and one more if the last line has none
    blank: int | None = None  #: lines with nothing in them
    quotes: int | None = None  #: quote signs
    schema: dict[str, str] = field(default_factory=dict)  #: of each column that was read, what it holds
    identity: tuple[int, int] = (0, 0)  #: device and number of the file, the same for all of its names

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, except the identity, which is valid on one machine only."""
        return {name: value for name, value in vars(self).items() if name != "identity" and value is not None}


@dataclass(frozen=True)
class ReadAs:
    """The fields of one column that were read as something other than what is written, by reason."""

    column: str
    reasons: dict[str, dict[str, int]]  #: by reason, such as "trimmed", each text that was written and how often

    @property
    def line(self) -> str:
        """All of it in one line; what was taken for no answer is spelled out."""
        parts = []
        for reason, texts in self.reasons.items():
            told = f"{sum(texts.values()):,} {reason}"
            if reason.startswith(SPELLED):
                several = sorted(texts.items(), key=lambda item: -item[1])
                shown = [f"{text if reason == BY_NAME else _quoted(text)} {times:,}" for text, times in several[:FEW]]
                told += f" ({', '.join(shown)}{', …' if len(several) > FEW else ''})"
            parts.append(told)
        return f"{self.column}: {', '.join(parts)}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"column": self.column, "reasons": {reason: dict(texts) for reason, texts in self.reasons.items()}}


def merge_changes(parts: Iterable[ReadAs]) -> tuple[ReadAs, ...]:
    """One for each column, of several."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for part in parts:
        reasons = found.setdefault(part.column, {})
        for reason, texts in part.reasons.items():
            for text, times in texts.items():
                reasons.setdefault(reason, {})[text] = reasons.get(reason, {}).get(text, 0) + times
    return tuple(ReadAs(column, reasons) for column, reasons in found.items())


def _quoted(text: str) -> str:
    return f'"{text}"'


@dataclass(frozen=True)
class Audit(Result):
    """Where every row went: read = scored + unanswered + excluded.  None where only a weighted table was given."""

    read: int | None
    scored: int | None
    unanswered: int | None
    excluded: dict[str, int] = field(default_factory=dict)
    files: tuple[SourceFile, ...] = field(
        default=(), compare=False
    )  #: the row ledger: each file that was read, with its rows and bytes
    notes: tuple[str, ...] = field(default=(), compare=False)  #: what else there is to say about the source
    read_as: tuple[ReadAs, ...] = field(default=(), compare=False)  #: fields that mean something else than is written
    no_answer: dict[str, dict[str, int | float]] = field(
        default_factory=dict
    )  #: rows scored without an answer: "wrong" or "as LABEL", by model

    @property
    def line(self) -> str:
        """Where every row went, in one line."""
        if self.read is None:
            return " · ".join(["a table of weights; its rows are not known", *self.blanks])
        parts = [f"{count_text(self.read, 'row')} read", f"{self.scored:,} judged"]
        if self.unanswered:
            parts.append(f"{self.unanswered:,} without an answer")
        parts += self.blanks
        parts += [f"{number:,} left out: {reason}" for reason, number in self.excluded.items()]
        return " · ".join(parts)

    @property
    def blanks(self) -> list[str]:
        """What became of rows without an answer that were scored all the same, in words."""
        found = []
        for how, models in self.no_answer.items():
            listed = ", ".join(f"{model} {_rows(number)}" for model, number in models.items() if number)
            beside = f" ({listed})" if len(models) > 1 else ""
            counted = how if how.startswith("as ") else f"as {how}"
            found.append(f"{_rows(sum(models.values()))} without an answer, counted {counted}{beside}")
        return found

    def _rows(self) -> list[dict[str, Any]]:
        outcomes = [("scored", "", self.scored), ("unanswered", "", self.unanswered)]
        outcomes += [("excluded", reason, rows) for reason, rows in self.excluded.items()]
        return [{"outcome": outcome, "reason": reason, "rows": rows} for outcome, reason, rows in outcomes]

    def _blocks(self) -> list[Block]:
        return [Line(self.line), *self.ledger()]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        data = {"read": self.read, "scored": self.scored, "unanswered": self.unanswered, "excluded": dict(self.excluded)}
        beside = {
            "files": [file.to_dict() for file in self.files],
            "notes": list(self.notes),
            "read_as": [one.to_dict() for one in self.read_as],
            "no_answer": self.no_answer,
        }
        return {**data, **{name: value for name, value in beside.items() if value}}

    def ledger(self) -> list[Block]:
        """The files one by one where there are several, and the notes; nothing where there is nothing to say."""
        found: list[Block] = [Paragraph(remark) for remark in [*self.remarks, *(f"read as: {line}" for line in self.changes)]]
        return [*found, self.table_of_files()] if len(self.files) > 1 else found

    @property
    def remarks(self) -> list[str]:
        """The notes, below the number of files where there are several."""
        if len(self.files) < 2:
            return list(self.notes)
        return [f"{len(self.files):,} files, {count_text(sum(file.rows for file in self.files), 'row')}", *self.notes]

    @property
    def changes(self) -> list[str]:
        """What was read as something other than what is written, a line for each column."""
        return [one.line for one in self.read_as]

    def table_of_files(self) -> Table:
        """The row ledger as a table: of each file its rows, its bytes, and how its end is proven."""
        listed = self.files if len(self.files) <= SHOWN else self.files[: SHOWN - 1]
        rows = [[file.path, f"{file.rows:,}", f"{file.bytes:,}", file.ended] for file in listed]
        if len(listed) < len(self.files):
            rest = self.files[len(listed) :]
            sums = [f"{sum(file.rows for file in rest):,}", f"{sum(file.bytes for file in rest):,}"]
            rows.append([f"… and {count_text(len(rest), 'file')} more", *sums, ""])
        return Table(["file", "rows", "bytes", "end proven by"], rows)
