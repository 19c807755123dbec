"""Plain text for the terminal: aligned tables, the ordinal confusion matrix, metric cards.  At most 80 columns wide."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ordeval._text import align, display_width, printable, shorten, wrap
from ordeval.counts import Counts
from ordeval.scores import Cut, Metric, catalogue, cut_table, get_metric
from ordeval.scores.error import class_errors
from ordeval.scores.hits import sensitivities
from ordeval.scores.references import reference

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Score

WIDTH = 80
ARROWS = {"higher": "↑", "lower": "↓"}


def number(value: float, places: int = 3) -> str:
    """A number for people: three decimals, a true minus sign, "undefined" for nan."""
    return "undefined" if np.isnan(value) else f"{value:.{places}f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    if np.isnan(share):
        return "undefined"
    if 0.995 <= share < 1:  # not all of them
        return f"{100 * share:.1f} %" if share < 0.9995 else "over 99.9 %"
    return f"{100 * share:.0f} %"


def signed(value: float) -> str:
    """A difference for people: always with its sign."""
    return "undefined" if np.isnan(value) else f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def with_interval(value: float, low: float, high: float, show: Callable[[float], str] = number) -> str:
    """A number and its interval, or what there is of it."""
    if np.isnan(value):
        return "undefined"
    return f"{show(value)} (no interval)" if np.isnan(low) else f"{show(value)} [{show(low)}, {show(high)}]"


def amount(value: float) -> str:
    """A count for people: whole numbers whole, weights with a decimal."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def rows_text(value: float) -> str:
    return f"{amount(value)} row{'' if value == 1 else 's'}"


def listed(parts: Iterable[str]) -> str:
    """a, b and c."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def metric_title(text: str) -> str:
    """What a metric is called: its title, or its text where parameters differ from their defaults."""
    metric = get_metric(text)
    return metric.title if text == metric.name else text


def direction(metric: Metric) -> str:
    if metric.declared_direction in metric.params:
        return "→"  # a target that the caller sets
    return ARROWS[metric.direction] if isinstance(metric.direction, str) else f"→{metric.direction:g}"


def best_in_words(metric: Metric, k: int) -> str:
    """Which value is best, for K classes."""
    ends = dict(zip(("lower", "higher"), metric.bounds_for(k), strict=True))
    best = ends[metric.direction] if isinstance(metric.direction, str) else metric.direction
    return f"{best:.3g} is best"


#: The scores of the default choice as questions, short enough for a line; others go by their title.
PLAIN = {
    "accuracy": "exact (accuracy)",
    "accuracy_within": "exact or one step off",
    "amae": "steps off, per class (AMAE)",
    "mae": "steps off (MAE)",
    "bias": "which way (bias)",
    "cohen_kappa": "beyond chance (QWK)",
    "cem": "how close (CEM)",
    "oci": "off the diagonal (OCI)",
    "rps_skill": "better than guessing (RPS)",
}
BAR = 10  # columns of a bar
EIGHTHS = " ▏▎▍▌▋▊▉█"


def header(counts: Counts, source: str = "rows", *, found: str = "") -> list[str]:
    """Did it read my rows right, did it take my order?  `found` says what was read where that is not the audit of rows."""
    name = shorten(source or "rows", 30)
    width = max(len("classes"), display_width(name)) + 2
    taken = " (taken from the data)" if counts.scale.inferred else ""
    lines = []
    for title, said in ((name, found or str(counts.audit)), ("classes", f"{printable(counts.scale)}{taken}")):
        first = title + " " * (width - display_width(title))
        lines += wrap(said, WIDTH, first=first, then=" " * width)
    return lines


def evaluations(results: Mapping[str, Evaluation], source: str = "rows") -> list[str]:
    """One model, or several one after the other."""
    lines: list[str] = []
    for model, result in results.items():
        title = [*wrap(printable(model), WIDTH), ""] if len(results) > 1 else []
        lines += ["", *title] if lines else title
        lines += evaluation(result, source)
    return lines


def evaluation(result: Evaluation, source: str = "rows") -> list[str]:
    """One model: where the rows went, the classes, the scores with their intervals, where it errs."""
    counts = result.counts
    lines = [*header(counts, source), ""]
    rows = [_score_row(text, score, counts.scale.K) for text, score in result.scores.items()]
    lines += [f"  {line}" for line in align(rows, right=[1])] if rows else ["  no score was asked for"]
    for text, score in result.scores.items():
        if "if calibrated" in score.details:
            lines.append(
                f"  {get_metric(text).title} of a calibrated forecast, by chance alone: {number(score.details['if calibrated'])}"
            )
    if result.counts.unanswered.any():
        lines += ["", *_unanswered(result)]
    cut = worst_cut(counts)
    if cut is not None:
        lines += ["", *(f"  {line}" for line in wrap(cut_words(cut), WIDTH - 2))]
    lines += ["", "  where it errs (columns: predicted)", "", *(f"  {line}" for line in confusion_matrix(counts))]
    if result.groups:
        lines += ["", *(f"  {line}" for line in _groups(result))]
    reasons = dict.fromkeys(score.reason for score in result.scores.values() if score.reason)
    lines += [""] if reasons else []
    for reason in reasons:
        lines += wrap(f"no interval: {reason}", WIDTH, first="  ", then="    ")
    return [*lines, "", *_signed_off(result)]


def _score_row(text: str, score: Score, k: int) -> list[str]:
    metric = get_metric(text)
    title = PLAIN.get(text) or metric_title(text)
    ends = f"{number(score.low)} – {number(score.high)}" if score.method != "none" else "no interval"
    return [shorten(title, 29), number(score.value), ends, bar(score.value, metric.bounds_for(k)), best_in_words(metric, k)]


def bar(value: float, bounds: tuple[float, float]) -> str:
    """Where a score lies between its bounds, as a bar; nothing where a bound is infinite."""
    low, high = bounds
    if not np.isfinite([low, high, value]).all() or low == high:
        return ""
    eighths = round(8 * BAR * (min(max(value, low), high) - low) / (high - low))
    full, rest = divmod(eighths, 8)
    return "▕" + ("█" * full + EIGHTHS[rest] * (rest > 0)).ljust(BAR) + "▏"


def _unanswered(result: Evaluation) -> list[str]:
    silent = result.counts.unanswered
    words = [f"{percent(result.answered)} answered; unanswered: "]
    pairs = zip(result.counts.scale.labels, silent.tolist(), strict=True)
    words.append(", ".join(f"{amount(rows)} {shorten(label, 12)}" for label, rows in pairs if rows) + ".")
    ends = [
        f"{PLAIN.get(text, text)} {number(best)} if all had been right, {number(worst)} if as wrong as can be"
        for text, (best, worst) in list(result.bounds.items())[:3]
    ]
    return [f"  {line}" for sentence in ("".join(words), "; ".join(ends) + ".") for line in wrap(sentence, WIDTH - 2)]


def _groups(result: Evaluation) -> list[str]:
    texts = list(result.scores)[:4]
    rows = [["group", "rows", *(shorten(text, 14) for text in texts)]]
    for value, part in result.groups.items():
        rows.append([shorten(value, 20), amount(part.counts.total), *(number(part.scores[text].value) for text in texts)])
    more = list(result.scores)[len(texts) :]
    rest = wrap(f"Their intervals{', and ' + ', '.join(more) if more else ''}: --format csv or json.", WIDTH - 2)
    return [*align(rows, right=range(1, len(texts) + 2)), *rest]


def _signed_off(result: Evaluation) -> list[str]:
    s = result.settings
    how = f"{100 * s['confidence_level']:g} % intervals ({s['method']}), {s['n_resamples']:,} replicates"
    return wrap(f"{how} · {result.signature}", WIDTH, first="  ", then="  ")


def cut_words(cut: Cut) -> str:
    finds, keeps = percent(cut.sensitivity), percent(cut.specificity)
    return f"worst cut: “{shorten(cut.label, 24)} or above” finds {finds} of them, keeps {keeps} of the others out"


def comparison(result: Comparison, source: str = "rows") -> list[str]:
    """Several models: where the rows went, the classes, scores and paired differences, the verdict."""
    counts = result.counts
    lines = header(counts, source)
    for (a, b), found in result.differences.items():
        rows = [["", "", shorten(a, 10), shorten(b, 10), "difference", ""]]
        for text, difference in found.items():
            low, high = (difference.low, difference.high) if text == result.primary else difference.band
            ends = f"{signed(low)} to {signed(high)}" if math.isfinite(low) else "no interval"
            title = PLAIN.get(text) or metric_title(text)
            scores = [number(result.evaluations[model].scores[text].value) for model in (a, b)]
            rows.append([title, direction(get_metric(text)), *scores, signed(difference.value), ends])
        lines += ["", *(f"  {line}" for line in _fitted(rows))]
    lines += ["", *wrap(printable(result.verdict), WIDTH)]
    for pair in result.differences:
        said = f"{str(result.flips[pair]).splitlines()[0]}  {result.dominance[pair].by_class}"
        lines += wrap(printable(said), WIDTH)
    if len(counts.models) > 2 and get_metric(result.primary).counted:
        lines += ["", *str(result.ranks).splitlines(), ""]
    if len(result.evaluations[counts.models[0]].scores) > 1:
        lines += wrap(
            "The first score decides.  The intervals of the others hold together, so none of them is a second chance.", WIDTH
        )
    return lines


def _fitted(rows: list[list[str]]) -> list[str]:
    """The table with titles as long as the numbers leave room for."""
    others = max(map(display_width, align([row[1:] for row in rows], right=[1, 2, 3])))
    room = min(28, WIDTH - 4 - others)
    return align([[shorten(row[0], room), *row[1:]] for row in rows], right=[2, 3, 4])


def confusion_matrix(counts: Counts, *, width: int = WIDTH - 4) -> list[str]:
    """The ordinal confusion matrix in the order of the scale, with what each true class suffers; labels as long as there is room."""
    for longest in (10, 7, 5) if width // 6 >= counts.scale.K else ():
        lines = _matrix(counts, longest)
        if max(map(display_width, lines)) <= width:
            return lines
    return [f"({counts.scale.K} classes: the matrix is too wide for a terminal; ordeval report shows it)"]


def _matrix(counts: Counts, longest: int) -> list[str]:
    k, matrix = counts.scale.K, counts.matrix
    found, off, rows_of = sensitivities(matrix), class_errors(matrix), matrix.sum(-1)
    labels = [shorten(label, longest) for label in counts.scale.labels]
    rows = [["true", "", *labels, "rows", "exact", "steps off"]]
    for t in range(k):
        cells = ["·" if value == 0 else amount(value) for value in matrix[t].tolist()]
        facts = ["0", "", ""] if rows_of[t] == 0 else [amount(rows_of[t].item()), percent(found[t]), number(off[t], 2)]
        rows.append([labels[t], "│", *cells, *facts])
    return align(rows, right=range(2, k + 5))


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
                lines += wrap(" ".join(sentence.split()), WIDTH, then="  " if "Ignores" in paragraph else "")
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
        lines += wrap(words, WIDTH, first=f"{name:<12}", then=" " * 12)
    return lines
