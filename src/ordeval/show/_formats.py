"""Data in the format asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

FORMATS = ("text", "json", "csv", "md", "latex")


def chosen(format: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """What the maker of this format makes."""
    if format not in makers:
        raise ValueError(f"--format {format} is unknown; choose one of {', '.join(makers)}")
    return makers[format]()


def plain(value: float) -> float | None:
    """A number for JSON: none where there is no finite one."""
    return float(value) if math.isfinite(value) else None


def as_json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)
