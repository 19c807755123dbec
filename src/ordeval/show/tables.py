"""Tables for papers and programs: Markdown and LaTeX to read, CSV to compute with.  Everything in a cell is data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ordeval import _escapes as escape
from ordeval._text import display_width, shorten
from ordeval.scores import get_metric
from ordeval.show.text import direction, number, signed

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Score

LONG = 36  # rows that fit on a printed page
NAME = 32  # columns of a name in a printed table
PAGE = 75  # columns of text on a printed line
TOGETHER = "†"  # marks an interval that holds together with others


@dataclass(frozen=True)
class Table:
    """Text in rows and columns, what it shows, and remarks below it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    notes: Sequence[str] = ()
    left: int = 1  #: columns flush left; the others are flush right


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
    return Table(header, rows, _caption(first), _reasons(results), left=2)


def group_tables(results: Mapping[str, Evaluation]) -> list[Table]:
    """The groups of each model that has them: side by side where they are few, else one below the other."""
    found = []
    for model, result in results.items():
        if not result.groups:
            continue
        parts = {str(value): part for value, part in result.groups.items()}
        of = f" of {shorten(model, NAME)}" if len(results) > 1 else ""
        caption = f"Groups{of}; {100 * result.settings['confidence_level']:g} % intervals."
        if 1 < len(parts) <= 3:
            table = score_table(parts)
            found.append(Table(table.header, table.rows, caption, table.notes, table.left))
            continue
        rows = [[group, *row] for group, part in parts.items() for row in score_table({group: part}).rows]
        notes = _reasons(parts)
        found.append(Table(["group", "metric", "", "score", "interval"], rows, caption, notes, left=3))
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
            p = p_text(difference.p_value) if primary and not math.isnan(difference.p_value) else ""
            rows.append([*([f"{b} − {a}"] if many else []), _title(text), facing, *values, signed(difference.value), ends, p])
    names = ["first", "second"] if many else list(next(iter(result.differences)))
    header = [*(["models"] if many else []), "metric", "", *names, "difference", "interval", "p"]
    first = next(iter(result.evaluations.values()))
    notes = [f"{get_metric(result.primary).title} decides; its interval and p-value come from one paired test."]
    if len(first.scores) > 1:
        notes.append(f"{TOGETHER} These intervals hold together.")
    return Table(header, rows, _caption(first), notes, left=3 if many else 2)


def score_records(results: Mapping[str, Evaluation]) -> list[dict[str, Any]]:
    """One record for each score, with all digits."""
    records = []
    for model, result in results.items():
        for group, part in {"": result, **result.groups}.items():
            for text, score in part.scores.items():
                facts = {
                    "value": score.value,
                    "low": score.low,
                    "high": score.high,
                    "method": score.method,
                    "reason": score.reason,
                }
                records.append({"model": model, "group": group, "metric": text, **facts})
    return records


def difference_records(result: Comparison) -> list[dict[str, Any]]:
    """One record for each paired difference, with all digits."""
    return [
        {
            "first": a,
            "second": b,
            "metric": text,
            "primary": text == result.primary,
            "difference": d.value,
            "low": d.low,
            "high": d.high,
            "band_low": d.band[0],
            "band_high": d.band[1],
            "p_value": d.p_value,
            "reason": d.reason,
        }
        for (a, b), found in result.differences.items()
        for text, d in found.items()
    ]


def _caption(result: Evaluation) -> str:
    rows = result.audit.scored
    level = 100 * result.settings["confidence_level"]
    many = f"{rows:,} rows" if rows is not None else "weighted rows"
    return f"{many}, {result.counts.scale.K} classes; {level:g} % intervals."


def _interval(score: Score) -> str:
    return f"[{number(score.low)}, {number(score.high)}]" if score.method != "none" else "no interval"


def _with_interval(score: Score) -> str:
    ends = f" {_interval(score)}" if score.method != "none" else ""
    return f"{number(score.value)}{ends}"


def p_text(p: float) -> str:
    """A p-value for people: never 0."""
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.01 else f"{p:.3f}"


# How they are written


def markdown(table: Table) -> str:
    """A Markdown table; its caption and remarks stand below it."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rules = [":--" if i < table.left else "--:" for i in range(len(table.header))]
    lines = [line([escape.markdown(cell) for cell in table.header]), line(rules)]
    lines += [line([escape.markdown(cell) for cell in row]) for row in table.rows]
    below = [escape.markdown(sentence) for sentence in (table.caption, *table.notes)]
    return "\n".join([*lines, "", "  \n".join(below)])


def latex(table: Table, *, floating: bool = True) -> str:
    """A LaTeX table in the manner of booktabs: \\usepackage{booktabs}; a wide one is scaled to the line and needs graphicx too.

    Long names are shortened and stand in full below; a table longer than a page goes on in a second one.
    """
    shown, full = _short_names(table)
    parts = [shown.rows[start : start + LONG] for start in range(0, max(len(shown.rows), 1), LONG)]
    pieces = [_latex_part(shown, rows, i, len(parts), floating) for i, rows in enumerate(parts, 1)]
    if full:
        said = escape.latex(" ".join(f"{short}: {text}" for text, short in full.items()))
        signs = escape.latex_signs(said) if floating else []
        pieces.append("\n".join([r"{\footnotesize\sloppy", *signs, said, r"\par}"]))
    return "\n\n".join(pieces)


def _short_names(table: Table) -> tuple[Table, dict[str, str]]:
    """The table with every cell of bearable width, and for each shortened text its short form."""
    full: dict[str, str] = {}

    def cell(text: str) -> str:
        if display_width(text) <= NAME:
            return text
        short = f"{shorten(text, NAME - 4).removesuffix('…')}… ({len(full) + 1})"
        return full.setdefault(text, short)

    header, rows = [cell(text) for text in table.header], [[cell(text) for text in row] for row in table.rows]
    return Table(header, rows, table.caption, table.notes, table.left), full


def _latex_part(table: Table, rows: Sequence[Sequence[str]], part: int, parts: int, floating: bool) -> str:
    def line(cells: Sequence[str]) -> str:
        return "    " + " & ".join(escape.latex(cell) for cell in cells) + r" \\"

    columns = "l" * table.left + "r" * (len(table.header) - table.left)
    caption = escape.latex(table.caption if part == 1 else f"{table.caption} (continued)")
    said = escape.latex(" ".join(table.notes)) if part == parts else ""
    body = [rf"  \begin{{tabular}}{{{columns}}}", r"    \toprule", line(table.header), r"    \midrule"]
    body += [*map(line, rows), r"    \bottomrule", r"  \end{tabular}"]
    if _columns(table) > PAGE:
        fitted = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
        body = [rf"  \resizebox{{{fitted}}}{{!}}{{%", *body[:-1], body[-1] + "}"]
    if floating:
        body = [rf"  \caption{{{caption}}}", *body]
    elif caption:
        said = f"{caption} {said}".rstrip()
    below = [rf"  \par\smallskip{{\footnotesize\sloppy {said}\par}}"] if said else []
    kind = "table" if floating else "center"
    signs = escape.latex_signs("\n".join([*body, *below])) if floating else []
    opening = [rf"\begin{{{kind}}}", *(f"  {line}" for line in signs), *([r"  \centering\sloppy"] if floating else [])]
    return "\n".join([*opening, *body, *below, rf"\end{{{kind}}}"])


def _columns(table: Table) -> int:
    """Columns of text that the table takes; a sign that the font may lack counts for its number."""
    widths = [
        max(sum(1 if ord(s) < 0x250 else 8 for s in row[i]) for row in [table.header, *table.rows])
        for i in range(len(table.header))
    ]
    return sum(widths) + 3 * len(widths)


def csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV; what is not there is an empty field."""
    if not records:
        return ""

    def line(values: Sequence[Any]) -> str:
        return ",".join(escape.csv_field(None if isinstance(v, float) and math.isnan(v) else v) for v in values)

    return "\n".join([line(list(records[0])), *(line(list(record.values())) for record in records)])
