"""Results in the format asked for: text, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ordeval.show import tables, text

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation

FORMATS = ("text", "json", "csv", "md", "latex")


def scores(results: Mapping[str, Evaluation], format: str, source: str = "") -> str:
    """The evaluations of one or several models."""
    return chosen(
        format,
        {
            "text": lambda: "\n".join(text.evaluations(results, source)),
            "json": lambda: as_json(scores_data(results)),
            "csv": lambda: tables.csv(tables.score_records(results)),
            "md": lambda: "\n\n".join(map(tables.markdown, [tables.score_table(results), *tables.group_tables(results)])),
            "latex": lambda: "\n\n".join(map(tables.latex, [tables.score_table(results), *tables.group_tables(results)])),
        },
    )


def scores_data(results: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Plain data for JSON: one model as it is, several under their names."""
    if len(results) == 1:
        return next(iter(results.values())).to_dict()
    return {"schema": 1, "models": {model: result.to_dict() for model, result in results.items()}}


def comparison(result: Comparison, format: str, source: str = "") -> str:
    """The comparison of several models."""
    return chosen(
        format,
        {
            "text": lambda: "\n".join(text.comparison(result, source)),
            "json": lambda: as_json(result.to_dict()),
            "csv": lambda: tables.csv(tables.difference_records(result)),
            "md": lambda: tables.markdown(tables.comparison_table(result)),
            "latex": lambda: tables.latex(tables.comparison_table(result)),
        },
    )


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
