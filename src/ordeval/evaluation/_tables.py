"""Tables for papers and programs: Markdown and LaTeX to read, CSV to compute with.  Everything in a cell is data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ordeval.evaluation._groups import by_column
from ordeval.evaluation._text import independent
from ordeval.evaluation._units import resampled
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction
from ordeval.show import Table
from ordeval.show._numbers import number, p_text, signed
from ordeval.show._plain import shorten

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Score

TOGETHER = "†"  # marks an interval that is simultaneous with others
NAME = 32  # columns of a name in a printed table


# What the tables hold


def score_table(results: Mapping[str, Evaluation]) -> Table:
    """Scores with intervals, one column for each model."""
    first = next(iter(results.values()))
    header = ["metric", "", *results] if len(results) > 1 else ["metric", "", "score", "interval"]
    rows = []
    for text in first.scores:
        cells = [_with_interval(result.scores[text]) for result in results.values()]
        if len(results) == 1:
            cells = [number(first.scores[text].value), _interval(first.scores[text])]
        rows.append([_title(text), direction(get_metric(text)), *cells])
    said = dict.fromkeys(f"{note}." for result in results.values() for note in result.notes)
    return Table(header, rows, _caption(first), [*_reasons(results), *said], left=2)


def group_tables(results: Mapping[str, Evaluation]) -> list[Table]:
    """The groups of each model that has them, a table for each column: side by side where they are few, else one below the other."""
    found = []
    for model, result in results.items():
        for axis, parts in by_column(result.counts, result.groups).items():
            of = f" of {shorten(model, NAME)}" if len(results) > 1 else ""
            level = f"{100 * result.settings['confidence_level']:g} %"
            caption = f"Groups{of} by {shorten(axis, NAME)}; {level} confidence intervals{resampled(result.counts)}."
            if 1 < len(parts) <= 3:
                table = score_table(parts)
                found.append(Table(table.header, table.rows, caption, table.notes, table.left))
                continue
            rows = [[group, *row] for group, part in parts.items() for row in score_table({group: part}).rows]
            found.append(Table([axis, "metric", "", "score", "interval"], rows, caption, _reasons(parts), left=3))
    return found


def _title(text: str) -> str:
    """A metric with room to spell it out: its title, and its text where parameters differ from their defaults."""
    metric = get_metric(text)
    return metric.title if text == metric.name else f"{metric.title}, {text}"


def _reasons(results: Mapping[str, Evaluation]) -> list[str]:
    reasons = dict.fromkeys(s.reason for result in results.values() for s in result.scores.values() if s.reason)
    return [f"No interval: {reason}." for reason in reasons]


def comparison_table(result: Comparison) -> Table:
    """Scores of the models and paired differences; the primary score with its p-value, the others with simultaneous bands."""
    many = len(result.differences) > 1
    rows = []
    for (a, b), found in result.differences.items():
        for text, difference in found.items():
            primary, facing = text == result.primary, direction(get_metric(text))
            low, high = (difference.low, difference.high) if primary else difference.band
            ends = "no interval" if difference.reason else f"[{signed(low)}, {signed(high)}]" + ("" if primary else TOGETHER)
            values = [number(result.evaluations[model].scores[text].value) for model in (a, b)]
            p = p_text(difference.p_value, difference.p_is_bound) if primary and not math.isnan(difference.p_value) else ""
            rows.append([*([f"{b} − {a}"] if many else []), _title(text), facing, *values, signed(difference.value), ends, p])
    names = ["first", "second"] if many else list(next(iter(result.differences)))
    header = [*(["models"] if many else []), "metric", "", *names, "difference", "interval", "p"]
    first = next(iter(result.evaluations.values()))
    simultaneous = " They are simultaneous for all pairs of models." if many else ""
    title = get_metric(result.primary).title
    notes = [f"{title} decides; its interval and p-value come from one paired test.{simultaneous}"]
    if len(first.scores) > 1:
        notes.append(f"{TOGETHER} These intervals are simultaneous (they hold all at once).")
    notes += dict.fromkeys(f"{note}." for one in result.evaluations.values() for note in one.notes)
    return Table(header, rows, _caption(first), notes, left=3 if many else 2)


def _caption(result: Evaluation) -> str:
    rows = result.audit.scored
    level = 100 * result.settings["confidence_level"]
    many = f"{rows:,} rows, " if rows is not None else "weighted rows, "
    start = "" if result.counts.cluster is None and not result.counts.weighted else many  # else what was resampled are these rows
    return f"{start}{result.counts.scale.K} classes; {level:g} % confidence intervals{independent(result)}."


def _interval(score: Score) -> str:
    return f"[{number(score.low)}, {number(score.high)}]" if score.method != "none" else "no interval"


def _with_interval(score: Score) -> str:
    ends = f" {_interval(score)}" if score.method != "none" else ""
    return f"{number(score.value)}{ends}"
