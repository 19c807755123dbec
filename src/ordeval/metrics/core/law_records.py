"""What is recorded of metrics and laws beyond what their authors list: kept on every small case, or broken by a witness.

The records are written by scripts/law_claims.py, which searches; the tests hold every metric to them, both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class LawRecord:
    """The laws that a metric keeps, with a proof where there is one, and those that it breaks, with a witness."""

    keeps: Mapping[str, str] = field(default_factory=dict)
    breaks: Mapping[str, Any] = field(default_factory=dict)


@cache
def records() -> dict[str, LawRecord]:
    """All of them, by the text of the metric."""
    import json  # only those who ask for laws pay for it
    from importlib.resources import files

    found = json.loads((files("ordeval.metrics.core") / "law_records.json").read_text(encoding="utf-8"))
    return {text: LawRecord(entry.get("keeps", {}), entry.get("breaks", {})) for text, entry in found.items()}


def recorded(text: str) -> LawRecord:
    """What is recorded of the metric with this text; nothing, if it was never searched."""
    return records().get(text, LawRecord())
