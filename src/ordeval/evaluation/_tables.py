"""Tables for papers and programs: Markdown and LaTeX to read, CSV to compute with.  Everything in a cell is data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ordeval.evaluation._groups import by_column
from ordeval.evaluation._text import independent, independent_pairs
from ordeval.evaluation._units import resampled
from ordeval.evaluation._verdict import no_differences, no_intervals
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction, short_title
from ordeval.show import Span, Table
from ordeval.show._numbers import number, p_text, signed
from ordeval.show._plain import shorten, shorten_apart

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Leaderboard, Score
    from ordeval.infer._difference import Difference
    from ordeval.infer._ranks import RankSets

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
    spans = [_span(text, score, first.counts.scale.K) for text, score in first.scores.items()] if len(results) == 1 else []
    return Table(
        header,
        rows,
        _caption(first, independent(first)),
        [*_reasons(results), *said],
        left=2,
        spans=spans,
        spans_title="between its bounds",
    )


def _span(text: str, score: Score, k: int) -> Span | None:
    """A score between its bounds; nothing where a bound is infinite."""
    metric = get_metric(text)
    low, high = metric.bounds_for(k)
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        return None
    return Span(score.value, score.low, score.high, low, high, zero=low < 0, quiet=not isinstance(metric.direction, str))


def comparison_tables(result: Comparison) -> list[Table]:
    """The differences of each pair in a table; the lines show on which side of 0 they lie, to the right where the second is better."""
    if len(result.differences) > 1:
        return [comparison_table(result)]
    ((pair, found),) = result.differences.items()
    table, spans = comparison_table(result), []
    kinds = {text: get_metric(text).bounds_for(result.counts.scale.K) for text in found}
    for text, d in found.items():
        metric = get_metric(text)
        low, high = (d.low, d.high) if text == result.primary else d.band
        alike = [e for t, o in found.items() if kinds[t] == kinds[text] for e in (o.value, *o.band, o.low, o.high)]
        reach = max((abs(end) for end in alike if math.isfinite(end)), default=1.0) or 1.0
        turn = -1 if metric.direction == "lower" else 1
        spans.append(
            Span(d.value, low, high, -turn * reach, turn * reach, zero=True, quiet=not isinstance(metric.direction, str))
        )
    names = shorten_apart(pair, 12)
    return [replace(table, spans=spans, spans_title=f"← {names[0]} better | {names[1]} better →")]


def _difference_cells(d: Difference) -> list[str]:
    return [signed(d.value), f"[{signed(d.low)}, {signed(d.high)}]" if math.isfinite(d.low) else "no interval"]


def paired_table(result: Comparison) -> Table:
    """The score that decides for every pair of several models, adjusted for all pairs."""
    rows = []
    for (a, b), found in result.differences.items():
        d = found[result.primary]
        values = [number(result.evaluations[model].scores[result.primary].value) for model in (a, b)]
        p = "" if math.isnan(d.p_value) else p_text(d.p_value, d.p_is_bound)
        rows.append([f"{b} − {a}", values[1], values[0], *_difference_cells(d), p])
    level, unit = f"{100 * result.settings['confidence_level']:g} %", independent_pairs(result)
    caption = (
        f"{short_title(result.primary)} of all pairs; simultaneous {level} confidence intervals (they hold all at once){unit}."
    )
    return Table(["models", "first", "second", "difference", "interval", "p"], rows, caption)


def pairs_table(ranks: RankSets) -> Table:
    """By how much each model is better than those below it, adjusted for all pairs."""
    rows = []
    for i, a in enumerate(ranks.models):
        for b in ranks.models[i + 1 :]:
            low, high = ranks.better_by(a, b)
            shown = "no interval" if math.isnan(low) else f"{signed(low)} to {signed(high)}"
            rows.append([a, b, shown, "shown" if low > 0 else "not shown"])
    level = f"{100 * ranks.settings['confidence_level']:g} %"
    caption = (
        f"By how much the first is better by {short_title(ranks.metric)}; simultaneous {level} intervals (they hold all at once)."
    )
    return Table(["first", "second", "better by", "order"], rows, caption, left=2)


def runs_table(board: Leaderboard) -> Table:
    """How the ids of each run met those of the gold."""
    rows = [[m, f"{a.rows:,}", f"{a.missing:,}", f"{a.strays:,}"] for m, a in ((m, board.audits[m]) for m in board.models)]
    return Table(["run", "rows", "ids without an answer", "ids that the gold does not have"], rows, "Every run.")


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
    return _sentences(no_intervals(list(results.values())))


def _sentences(reasons: Sequence[str]) -> list[str]:
    return [f"N{reason[1:]}." for reason in reasons]


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
    notes = [f"{short_title(result.primary)} decides; its interval and p-value come from one paired test.{simultaneous}"]
    if len(first.scores) > 1:
        notes.append(
            f"{TOGETHER} Simultaneous {100 * result.settings['confidence_level']:g} % confidence intervals (they hold all at once)."
        )
    notes += _sentences(no_differences(result))
    notes += dict.fromkeys(f"{note}." for one in result.evaluations.values() for note in one.notes)
    return Table(header, rows, _caption(result, independent_pairs(result)), notes, left=3 if many else 2)


def _caption(result: Evaluation | Comparison, unit: str) -> str:
    rows = result.counts.audit.scored
    level = 100 * result.settings["confidence_level"]
    many = f"{rows:,} rows, " if rows is not None else "weighted rows, "
    start = "" if result.counts.cluster is None and not result.counts.weighted else many  # else what was resampled are these rows
    return f"{start}{result.counts.scale.K} classes; {level:g} % confidence intervals{unit}."


def _interval(score: Score) -> str:
    return f"[{number(score.low)}, {number(score.high)}]" if score.method != "none" else "no interval"


def _with_interval(score: Score) -> str:
    ends = f" {_interval(score)}" if score.method != "none" else ""
    return f"{number(score.value)}{ends}"
