"""Records as CSV."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.show import _escapes as escape


def records_as_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV; what is not there is an empty field."""
    if not records:
        return ""

    def line(values: Sequence[Any]) -> str:
        return ",".join(escape.csv_field(None if isinstance(v, float) and math.isnan(v) else v) for v in values)

    return "\n".join([line(list(records[0])), *(line(list(record.values())) for record in records)])
