"""Audit: where every row went."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ordeval.show import Line, Result
from ordeval.show._plain import count_text


@dataclass(frozen=True)
class Audit(Result):
    """Where every row went: read = scored + unanswered + excluded.  None where only a weighted table was given."""

    read: int | None
    scored: int | None
    unanswered: int | None
    excluded: dict[str, int] = field(default_factory=dict)

    def _rows(self) -> list[dict[str, Any]]:
        outcomes = [("scored", "", self.scored), ("unanswered", "", self.unanswered)]
        outcomes += [("excluded", reason, rows) for reason, rows in self.excluded.items()]
        return [{"outcome": outcome, "reason": reason, "rows": rows} for outcome, reason, rows in outcomes]

    def _blocks(self) -> list[Line]:
        if self.read is None:
            return [Line("a table of weights; its rows are not known")]
        parts = [f"{count_text(self.read, 'row')} read", f"{self.scored:,} scored"]
        if self.unanswered:
            parts.append(f"{self.unanswered:,} unanswered")
        parts += [f"{number:,} excluded: {reason}" for reason, number in self.excluded.items()]
        return [Line(" · ".join(parts))]
