"""Plain text for the terminal: aligned tables, the ordinal confusion matrix, metric cards.  At most 80 columns wide."""

from __future__ import annotations

import re
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ordeval._text import align, shorten
from ordeval.counts import Counts
from ordeval.scores import Cut, Metric, catalogue, cut_table, get_metric
from ordeval.scores.error import class_errors
from ordeval.scores.hits import sensitivities
from ordeval.scores.references import reference

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation

WIDTH = 80
ARROWS = {"higher": "↑", "lower": "↓"}


def number(value: float, places: int = 3) -> str:
    """A number for people: three decimals, a true minus sign, "undefined" for nan."""
    return "undefined" if np.isnan(value) else f"{value:.{places}f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    return "undefined" if np.isnan(share) else f"{100 * share:.0f} %"


def direction(metric: Metric) -> str:
    if metric.declared_direction in metric.params:
        return "→"  # a target that the caller sets
    return ARROWS[metric.direction] if isinstance(metric.direction, str) else f"→{metric.direction:g}"


def best_in_words(metric: Metric) -> str:
    return f"{metric.best:g} is best" if not isinstance(metric.best, str) else f"{metric.best} is best"


def evaluation(result: Evaluation) -> list[str]:
    """One model: where the rows went, the classes, the scores with their intervals, where it errs."""
    counts = result.counts
    taken = ", taken from the data" if counts.scale.inferred else ""
    lines = [f"rows     {counts.audit}", f"classes  {counts.scale}{taken}", ""]
    rows = []
    for text, score in result.scores.items():
        metric = get_metric(text)
        ends = f"{number(score.low)} to {number(score.high)}" if score.method != "none" else "no interval"
        rows.append(
            [metric.title if text == metric.name else text, direction(metric), number(score.value), ends, best_in_words(metric)]
        )
    lines += [f"  {line}" for line in align(rows, right=[2])]
    expected = [
        (get_metric(text).title, s.details["if calibrated"]) for text, s in result.scores.items() if "if calibrated" in s.details
    ]
    lines += [f"  {title} of a calibrated forecast, by chance alone: {number(value)}" for title, value in expected]
    lines += ["", *(f"  {line}" for line in confusion_matrix(counts)), ""]
    reasons = dict.fromkeys(score.reason for score in result.scores.values() if score.reason)
    lines += [wrapped for reason in reasons for wrapped in textwrap.wrap(f"no interval: {reason}", WIDTH, subsequent_indent="  ")]
    return [*lines, result.signature]


def comparison(result: Comparison) -> list[str]:
    """Several models: where the rows went, the classes, scores and paired differences, the verdict."""
    counts = result.counts
    lines = [f"rows     {counts.audit}", f"classes  {counts.scale}"]
    for (a, b), found in result.differences.items():
        rows = [["", "", shorten(a, 12), shorten(b, 12), "difference", ""]]
        for text, difference in found.items():
            metric = get_metric(text)
            low, high = (difference.low, difference.high) if text == result.primary else difference.band
            ends = f"{signed(low)} to {signed(high)}" if not difference.reason else "no interval"
            title = metric.title if text == metric.name else text
            scores = [number(result.evaluations[model].scores[text].value) for model in (a, b)]
            rows.append([shorten(title, 28), direction(metric), *scores, signed(difference.value), ends])
        lines += ["", *(f"  {line}" for line in align(rows, right=[2, 3, 4]))]
    lines += ["", *textwrap.wrap(result.verdict, WIDTH)]
    for pair in result.differences:
        said = f"{str(result.flips[pair]).splitlines()[0]}  {result.dominance[pair].by_class}"
        lines += textwrap.wrap(said, WIDTH)
    if len(counts.models) > 2 and get_metric(result.primary).counted:
        lines += ["", *str(result.ranks).splitlines(), ""]
    if len(result.evaluations[counts.models[0]].scores) > 1:
        lines += textwrap.wrap(
            "The first score decides.  The intervals of the others hold together, so none of them is a second chance.", WIDTH
        )
    return lines


def signed(value: float) -> str:
    """A difference for people: always with its sign."""
    return "undefined" if np.isnan(value) else f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def confusion_matrix(counts: Counts, *, most: int = 8) -> list[str]:
    """The ordinal confusion matrix in the order of the scale, with what each true class suffers."""
    k = counts.scale.K
    if k > most:
        return [f"({k} classes: the matrix is too wide to print)"]
    matrix = counts.matrix
    found, off, rows_of = sensitivities(matrix), class_errors(matrix), matrix.sum(-1)
    labels = [shorten(label, 10) for label in counts.scale.labels]
    rows = [["true", "", *labels, "rows", "exact", "steps off"]]
    for t in range(k):
        cells = ["·" if value == 0 else _count(value) for value in matrix[t].tolist()]
        facts = ["0", "", ""] if rows_of[t] == 0 else [_count(rows_of[t].item()), percent(found[t]), number(off[t], 2)]
        rows.append([labels[t], "│", *cells, *facts])
    return align(rows, right=range(2, k + 5))


def _count(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def cuts(counts: Counts) -> list[str]:
    """The rates at every cut of the scale."""
    header = ["this class or above", "finds", "keeps out", "right if yes", "right if no"]
    rows = [header]
    for cut in cut_table(counts):
        rates = (cut.sensitivity, cut.specificity, cut.ppv, cut.npv)
        rows.append([shorten(cut.label, 20), *(percent(rate) for rate in rates)])
    return align(rows, right=range(1, 5))


def worst_cut(counts: Counts) -> Cut | None:
    """The cut that finds the smallest share of what it should; None if no cut has anything to find."""
    return min((cut for cut in cut_table(counts) if not np.isnan(cut.sensitivity)), key=lambda cut: cut.sensitivity, default=None)


def bounds_text(metric: Metric) -> str:
    signs = {"**2": "²", "inf": "∞", "-": "\N{MINUS SIGN}"}
    low, high = (str(bound) for bound in metric.bounds)
    for plain, sign in signs.items():
        low, high = low.replace(plain, sign), high.replace(plain, sign)
    return f"{low} to {high}"


def metrics_table() -> list[str]:
    """All metrics, family by family: name, direction, title."""
    rows = [[m.name, direction(m), m.title] for m in catalogue()]
    lines = iter(align(rows))
    out = []
    for family, members in groupby(catalogue(), key=lambda m: m.family):
        out += ["", family.upper(), *(f"  {next(lines)}" for _ in members)]
    return out[1:]


def metrics_markdown() -> list[str]:
    """The same as a Markdown table, for the README."""
    lines = ["| metric | what it is | better | bounds |", "|---|---|---|---|"]
    for m in catalogue():
        better = m.direction if isinstance(m.direction, str) else f"near {m.direction:g}"
        lines.append(f"| `{m.name}` | {m.summary.rstrip('.').replace('``', '`')} | {better} | {bounds_text(m)} |")
    return lines


def card(metric: Metric) -> list[str]:
    """Everything a user should know about one metric, in a screen."""
    lines = [f"{metric}   {metric.title}", ""]
    for paragraph in metric.doc.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            lines += ["Example", *(f"    {line}" for line in paragraph.splitlines()), ""]
        else:
            for sentence in re.split(r"\n(?=Misleads when )", paragraph):
                lines += textwrap.wrap(
                    " ".join(sentence.split()), WIDTH, subsequent_indent="  " if "Ignores" in paragraph else ""
                )
            lines.append("")
    facts = [["better", f"{metric.direction}" if isinstance(metric.direction, str) else f"closer to {metric.direction:g}"]]
    facts.append(["bounds", bounds_text(metric)])
    if metric.params:
        facts.append(["parameters", ", ".join(f"{key}={value!r}" for key, value in metric.params.items())])
    if metric.undefined:
        facts.append(["undefined", f"when {metric.undefined}"])
    if metric.needs:
        facts.append(["needs", ", ".join(sorted(metric.needs))])
    if metric.aliases:
        facts.append(["also called", ", ".join(metric.aliases)])
    facts.append(["keeps", ", ".join(metric.laws)])
    if metric.broken:
        facts.append(["breaks", ", ".join(metric.broken)])
    if metric.cite:
        facts.append(["paper", reference(metric.cite)])
    for name, words in facts:
        lines += textwrap.wrap(words, WIDTH, initial_indent=f"{name:<12}", subsequent_indent=" " * 12)
    return lines
