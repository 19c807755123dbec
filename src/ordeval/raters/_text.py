"""What the results about raters share: scores in words, tables of records, and plain data as the command line publishes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ordeval.counts import Counts
from ordeval.evaluation import Score
from ordeval.read.judge_log import JudgeLog
from ordeval.show import Block, Paragraph, Table, printable
from ordeval.show._numbers import number, with_interval
from ordeval.show._plain import shorten
from ordeval.show._result import Record, finite, plain_data

REPEATED = ("name", "rater", "reference")  # fields that say again the key under which their record stands


def shown(score: Score) -> str:
    return with_interval(score.value, score.low, score.high)


def paragraphs(*texts: str) -> list[Block]:
    """Those that say something."""
    return [Paragraph(text) for text in texts if text]


def records_table(records: Sequence[Record], caption: str) -> Table:
    """Records as a table for people, under the names of their columns."""
    header = [name.replace("_", " ") for name in records[0]]
    return Table(header, [[_cell(*pair) for pair in record.items()] for record in records], caption)


def _cell(column: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}" if column == "p_value" else number(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def unparsable_words(counts: Counts | JudgeLog) -> list[str]:
    """What raters answered that is no class, for each of them a sentence."""
    found = []
    for name, answers in counts.unparsable.items():
        most = sorted(answers.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        said = ", ".join(f"{shorten(answer, 24)!r} ({times:,})" for answer, times in most)
        more = ", …" if len(answers) > 3 else ""
        total = sum(answers.values())
        found.append(
            f"{printable(name)}: {total:,} answer{'' if total == 1 else 's'} outside the classes, "
            f"counted as unanswered: {said}{more}"
        )
    return found


def published(value: Any) -> Any:
    """Plain data for JSON: a score is its value, ends and method, with a reason where one of them is missing."""
    if isinstance(value, Score):
        numbers = {part: finite(getattr(value, part)) for part in ("value", "low", "high")}
        return numbers | {"method": value.method} | ({"reason": value.reason} if value.reason else {})
    if isinstance(value, Mapping):
        return {str(key): published(inside) for key, inside in value.items()}
    if is_dataclass(value):
        return {part.name: published(getattr(value, part.name)) for part in fields(value) if part.name not in REPEATED}
    return plain_data(value)
