"""Plain text for the terminal: aligned tables, the ordinal confusion matrix, metric cards.  At most 80 columns wide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ordeval.counts import Counts
from ordeval.counts.blanks import judged
from ordeval.counts.text import header
from ordeval.evaluation._groups import by_column
from ordeval.evaluation._study import study_lines
from ordeval.evaluation._units import resampled, unit_of
from ordeval.evaluation._verdict import decides, no_differences, no_intervals, weight
from ordeval.infer._check import SUSPECT
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import best_in_words, direction, plain_title, short_title
from ordeval.metrics.families.error import class_errors
from ordeval.metrics.families.hits import sensitivities
from ordeval.parts._cuts import cut_words, worst_cut
from ordeval.show._numbers import amount, number, percent, signed
from ordeval.show._plain import WIDTH, align, display_width, printable, shorten, shorten_apart, wrap

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Score


BAR = 10  # columns of a bar
EIGHTHS = " ▏▎▍▌▋▊▉█"


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
        lines += ["", *(f"  {line}" for line in wrap(cut_words(cut, counts), WIDTH - 2))]
    lines += ["", "  where it errs (columns: predicted)", "", *(f"  {line}" for line in confusion_matrix(counts))]
    if result.groups:
        lines += ["", *(f"  {line}" for line in _groups(result))]
    lacking = no_intervals([result])
    lines += [""] if lacking else []
    for sentence in lacking:
        lines += wrap(sentence, WIDTH, first="  ", then="    ")
    return [*lines, *_held(result), "", *_signed_off(result)]


def _score_row(text: str, score: Score, k: int) -> list[str]:
    metric = get_metric(text)
    title = plain_title(text)
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
    total, none, blanks = result.counts.total, silent.sum().item(), result.counts.blanks
    pairs = zip(result.counts.scale.labels, silent.tolist(), strict=True)
    which = ", ".join(f"{amount(rows)} {shorten(label, 12)}" for label, rows in pairs if rows)
    all_rows = total if blanks else total + none
    counted = f" and count as {blanks}" if blanks else ""
    first = f"{amount(none)} of {amount(all_rows)} have no answer{counted} ({which})."
    ends = [
        f"{short_title(text)}: {number(best)} had all been right, {number(worst)} had all been wrong."
        for text, (best, worst) in list(result.bounds.items())[:3]
        if not blanks
    ]
    sentences = [first, *([" ".join(ends)] if ends else []), *(f"{note}." for note in result.notes)]
    return [f"  {line}" for sentence in sentences for line in wrap(sentence, WIDTH - 2)]


def _groups(result: Evaluation) -> list[str]:
    texts, lines = list(result.scores)[:4], list[str]()
    for axis, parts in by_column(result.counts, result.groups).items():
        rows = [[shorten(axis, 20), "rows", *(shorten(text, 14) for text in texts)]]
        for value, part in parts.items():
            rows.append([shorten(value, 20), amount(part.counts.total), *(number(part.scores[text].value) for text in texts)])
        lines += [*([""] if lines else []), *align(rows, right=range(1, len(texts) + 2))]
    more = list(result.scores)[len(texts) :]
    return [*lines, *wrap(f"Their intervals{', and ' + ', '.join(more) if more else ''}: --format csv or json.", WIDTH - 2)]


def _signed_off(result: Evaluation, start: str = "  ") -> list[str]:
    s = result.settings
    how = f"{100 * s['confidence_level']:g} % confidence intervals{independent(result)}"
    how += "" if s["method"] == "auto" else f" ({s['method']}, {s['n_resamples']:,} resamples)"
    lines = wrap(f"{how} · {result.signature}", WIDTH, first=start, then=start)
    for words in study_lines(s)[1:]:
        lines += wrap(printable(words), WIDTH, first=start, then=f"{start}  ")
    return lines


def independent(result: Evaluation) -> str:
    """What was resampled: rows, or clusters, and as good as how many independent rows they are."""
    counts, rows = result.counts, next((s.effective_rows for s in result.scores.values() if s.effective_rows > 0), math.nan)
    if math.isnan(rows):
        return resampled(counts)
    if counts.cluster is None:
        unit = unit_of(counts)
        return f"; {f'{unit.number:,} ' if unit else ''}weighted rows (as good as {rows:,.0f} of equal weight)"
    return f"{resampled(counts)} (as good as {rows:,.0f} independent rows)"


def independent_pairs(result: Comparison) -> str:
    """The same for differences: where models left rows out, of those that all answered, fewer than the first model's own."""
    first = next(iter(result.evaluations.values()))
    return independent(first) if first.counts.total == result.counts.total else resampled(result.counts)


def unit_words(counts: Counts) -> str:
    """What is resampled: "2,396 rows", "1,304 patients"."""
    unit = unit_of(counts)
    return "rows" if unit is None else unit.words


def _held(result: Evaluation) -> list[str]:
    """How often the intervals held in data sets like this one."""
    rows, left = [], []
    for text, s in result.scores.items():
        if not math.isnan(s.held):
            some = f" (given in {percent(s.held_given)})" if s.held_given < 0.995 else ""
            rows.append([shorten(plain_title(text), 29), f"held in {percent(s.held)} ± {percent(s.held_error)}{some}"])
        elif result.settings.get("check_intervals") and math.isfinite(s.low):
            left.append(plain_title(text))
    if not rows and not left:
        return []
    lines = ["a check of the method on 400 samples drawn from the smoothed table:", "", *align(rows)] if rows else []
    if left:
        lines += wrap(f"not checked, because their intervals are found in other ways: {', '.join(left)}", WIDTH - 2)
    low = [plain_title(text) for text, s in result.scores.items() if s.held < SUSPECT]
    if low:
        lines += wrap(f"{', '.join(low)}: in samples like this one the interval holds less often than it says.", WIDTH - 2)
    return ["", *(f"  {line}" for line in lines)]


def comparison(result: Comparison, source: str = "rows") -> list[str]:
    """Several models: where the rows went, the classes, scores and paired differences, the verdict."""
    counts = result.counts
    lines = header(counts, source)
    for (a, b), found in result.differences.items():
        rows = [["", "", *shorten_apart((a, b), 10), "difference", ""]]
        for text, difference in found.items():
            low, high = (difference.low, difference.high) if text == result.primary else difference.band
            ends = f"{signed(low)} to {signed(high)}" if math.isfinite(low) else "no interval"
            title = plain_title(text)
            scores = [number(result.evaluations[model].scores[text].value) for model in (a, b)]
            rows.append([title, direction(get_metric(text)), *scores, signed(difference.value), ends])
        lines += ["", *(f"  {line}" for line in _fitted(rows))]
    if result.groups:
        lines += ["", *(f"  {line}".rstrip() for line in _compared_groups(result))]
    lines += ["", *wrap(printable(result.verdict), WIDTH)]
    if len(result.differences) == 1:
        (pair,) = result.differences
        for said in (*result.against[pair], weight(result, pair), str(result.flips[pair]).splitlines()[0]):
            lines += wrap(printable(said), WIDTH)
    if len(counts.models) > 2 and get_metric(result.primary).needs_only_counts:
        lines += ["", *str(result.ranks).splitlines(), ""]
    lines += wrap(decides(result), WIDTH)
    for note in (*no_differences(result), *result.notes):
        lines += wrap(f"{printable(note)}.", WIDTH)
    level = f"{100 * result.settings['confidence_level']:g} %"
    lines += ["", *wrap(f"{level} confidence intervals{independent_pairs(result)} · {result.signature}", WIDTH)]
    return [*lines, *(line for words in study_lines(result.settings)[1:] for line in wrap(printable(words), WIDTH))]


def _compared_groups(result: Comparison) -> list[str]:
    """The primary score in each group, for each pair of models."""
    many, lines = len(result.differences) > 1, list[str]()
    names = ["first", "second"] if many else shorten_apart(result.counts.models, 10)
    short = dict(zip(result.counts.models, shorten_apart(result.counts.models, 8), strict=True))
    for axis, parts in by_column(result.counts, result.groups).items():
        rows = [[shorten(axis, 20), *(["models"] if many else []), "rows", *names, "difference", ""]]
        for value, part in parts.items():
            for (a, b), found in part.differences.items():
                d = found[part.primary]
                ends = f"{signed(d.low)} to {signed(d.high)}" if math.isfinite(d.low) else "no interval"
                scores = [number(part.evaluations[model].scores[part.primary].value) for model in (a, b)]
                pair = [f"{short[b]} − {short[a]}"] if many else []
                rows.append([shorten(value, 12), *pair, amount(part.counts.total), *scores, signed(d.value), ends])
        title = f"{plain_title(result.primary)}, by {shorten(axis, 20)}"
        lines += [*([""] if lines else []), title, "", *align(rows, right=range(1 + many, 5 + many))]
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


def error_lines(counts: Counts) -> list[str]:
    """Where a model errs: the matrix, and the cut that finds the smallest share of what it should."""
    cut = worst_cut(counts)
    return [*confusion_matrix(counts), *([] if cut is None else ["", *wrap(cut_words(cut, counts), WIDTH - 4)])]


def _matrix(counts: Counts, longest: int) -> list[str]:
    k, shown = counts.scale.K, counts.matrix
    matrix = judged(counts).matrix
    found, off, rows_of = sensitivities(matrix), class_errors(matrix), matrix.sum(-1)
    labels = [shorten(label, longest) for label in counts.scale.labels]
    silent = ["no answer"] if counts.blanks and counts.unanswered.any() else []
    shown = np.column_stack([shown, counts.unanswered]) if silent else shown
    rows = [["true", "", *labels, *silent, "rows", "exact", "steps off"]]
    for t in range(k):
        cells = ["·" if value == 0 else amount(value) for value in shown[t].tolist()]
        facts = ["0", "", ""] if rows_of[t] == 0 else [amount(rows_of[t].item()), percent(found[t]), number(off[t], 2)]
        rows.append([labels[t], "│", *cells, *facts])
    return align(rows, right=range(2, k + 5 + len(silent)))
