"""Results in the format asked for: text, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ordeval.evaluation import _tables as tables
from ordeval.evaluation import _text as text
from ordeval.show._formats import as_json, chosen
from ordeval.show._tables import csv, latex, markdown

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation


def scores(results: Mapping[str, Evaluation], format: str, source: str = "") -> str:
    """The evaluations of one or several models."""
    return chosen(
        format,
        {
            "text": lambda: "\n".join(text.evaluations(results, source)),
            "json": lambda: as_json(scores_data(results)),
            "csv": lambda: csv(tables.score_records(results)),
            "md": lambda: "\n\n".join(map(markdown, [tables.score_table(results), *tables.group_tables(results)])),
            "latex": lambda: "\n\n".join(map(latex, [tables.score_table(results), *tables.group_tables(results)])),
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
            "csv": lambda: csv(tables.difference_records(result)),
            "md": lambda: markdown(tables.comparison_table(result)),
            "latex": lambda: latex(tables.comparison_table(result)),
        },
    )
