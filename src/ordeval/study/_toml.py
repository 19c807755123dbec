"""TOML for people: values as a study file writes them, and a whole study."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from ordeval.show._plain import is_text

ORDER = ("data", "columns", "scale", "reading", "missing", "judge", "costs", "gate", "output")


def written(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return ("nan" if math.isnan(value) else "inf" if value > 0 else "-inf") if not math.isfinite(value) else repr(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key_text(key)} = {written(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's; what does not stand for itself is escaped too."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(sign if is_text(sign) or sign == " " else f"\\U{ord(sign):08x}" for sign in quoted)


def key_text(key: str) -> str:
    """A key, in quotes where it must be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def as_toml(data: Mapping[str, Any]) -> str:
    """A study as a file: the keys of its own, then the tables in their order."""
    lines = [f"{key_text(key)} = {written(value)}" for key, value in data.items() if not _is_table(key, value)]
    tables = sorted((key for key, value in data.items() if _is_table(key, value)), key=_place)
    for name in tables:
        for table in data[name] if isinstance(data[name], list) else [data[name]]:
            lines += ["", f"[[{key_text(name)}]]" if isinstance(data[name], list) else f"[{key_text(name)}]"]
            lines += [f"{key_text(key)} = {written(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _is_table(key: str, value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)
    )


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)
