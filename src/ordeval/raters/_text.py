"""Raters and judges in words: what is printed, the sentences for a paper, and plain data for JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ordeval.counts.text import header
from ordeval.metrics import get_metric
from ordeval.show._formats import as_json, chosen, plain
from ordeval.show._numbers import number, percent, signed, with_interval
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap
from ordeval.show._tables import Table, csv, latex, markdown

if TYPE_CHECKING:
    from ordeval.counts import Counts
    from ordeval.evaluation import Score
    from ordeval.raters._agreement import Agreement, Rater
    from ordeval.raters._instrument import CorrectedGrades
    from ordeval.raters._panel import JudgePanel

MOST_RATERS = 12  # rows of a table of raters before it is cut


def _shown(score: Score) -> str:
    return with_interval(score.value, score.low, score.high)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return wrap(text, WIDTH, first=indent, then=indent)


def _head(counts: Counts, source: str) -> list[str]:
    given = (counts.cells >= 0).sum(1)
    rows = {">1": given > 1, "1": given == 1, "0": given == 0}
    many = {words: int(counts.weights[chosen].sum()) for words, chosen in rows.items()}
    said = f"{int(counts.weights.sum()):,} items · {int((counts.weights * given).sum()):,} ratings by {len(counts.axes)} raters"
    said += f" · {many['>1']:,} items with two or more"
    said += "".join(f" · {many[words]:,} with {told}" for words, told in (("1", "one"), ("0", "none")) if many[words])
    said += "".join(f" · {n:,} excluded: {reason}" for reason, n in counts.audit.excluded.items())
    lines = header(counts, source or "items", found=said)
    return lines + [line for said in unparsable_words(counts) for line in _wrapped(said, "")]


def unparsable_words(counts: Counts) -> list[str]:
    """What raters answered that is no class, for each of them a sentence."""
    found = []
    for name, answers in counts.unparsable.items():
        most = sorted(answers.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        shown = ", ".join(f"{shorten(answer, 24)!r} ({times:,})" for answer, times in most)
        more = ", …" if len(answers) > 3 else ""
        total = sum(answers.values())
        found.append(
            f"{printable(name)}: {total:,} answer{'' if total == 1 else 's'} that {'is' if total == 1 else 'are'} no class, "
            f"counted as unanswered: {shown}{more}"
        )
    return found


# Agreement


def agreement_lines(result: Agreement, source: str = "") -> list[str]:
    """Agreement on a screen: coefficients, raters, who drives it."""
    level = f"{100 * result.settings['confidence_level']:g} %"
    over = {"items": "other items, these raters", "crossed": "other items and other raters"}[result.settings["resample"]]
    lines = [*_head(result.counts, source), "", f"  agreement, {level} intervals over {over}", ""]
    rows = [[result.titles[name], _shown(score)] for name, score in result.scores.items()]
    lines += [f"  {line}" for line in align(rows)]
    reasons = dict.fromkeys(score.reason for score in result.scores.values() if score.reason)
    for reason in reasons:
        lines += _wrapped(f"no interval: {reason}")
    lines += ["", "  raters", "", *(f"  {line}" for line in _rater_table(result)), ""]
    for sentence in (driver_words(result), component_words(result)):
        lines += _wrapped(sentence) if sentence else []
    return [*lines, "", *_wrapped(result.signature)]


def _rater_table(result: Agreement) -> list[str]:
    rows = [["", "ratings", "bias (steps)", "kappa", "without"]]
    rows += [_rater_row(rater) for rater in list(result.raters.values())[:MOST_RATERS]]
    lines = align(rows, right=[1, 2, 3, 4])
    left = len(result.raters) - MOST_RATERS
    return lines + ([f"… and {left} more raters"] if left > 0 else [])


def _rater_row(rater: Rater) -> list[str]:
    bias = rater.bias
    ends = "" if bias.method == "none" else f" [{signed(bias.low)}, {signed(bias.high)}]"
    without = "–" if math.isnan(rater.without) else number(rater.without)
    return [shorten(rater.name, 18), f"{rater.ratings:,}", f"{signed(bias.value)}{ends}", number(rater.kappa), without]


def driver_words(result: Agreement) -> str:
    """Which raters drive the first coefficient."""
    title = result.titles[result.primary]
    if len(result.raters) < 3:
        return ""
    if not result.drivers:
        return f"No rater alone changes {title} beyond what other items would."
    said = [
        f"{printable(rater.name)} ({signed(rater.change.value)} [{signed(rater.change.low)}, {signed(rater.change.high)}])"
        for rater in result.drivers[:3]
    ]
    return f"{title} would change without {', '.join(said)}{' …' if len(result.drivers) > 3 else ''}."


def component_words(result: Agreement) -> str:
    parts = result.components.get(result.primary)
    if parts is None or math.isnan(parts.share_of_raters):
        return ""
    return (
        f"Of its uncertainty over other items and other raters, {percent(parts.share_of_raters)} is that there are only "
        f"{len(result.raters)} raters."
    )


def methods_sentence(result: Agreement) -> str:
    """One sentence for a paper: what was measured, on what, how sure."""
    from ordeval.base.version import __version__

    score, s = result.scores[result.primary], result.settings
    items = result.items
    how = {"items": "over items", "crossed": "over items and raters"}[s["resample"]]
    ends = (
        f"{100 * s['confidence_level']:g} % interval {number(score.low, 2)} to {number(score.high, 2)} ({score.method} {how})"
        if score.method != "none"
        else f"no interval: {score.reason}"
    )
    title = result.titles[result.primary]
    return (
        f"{len(result.raters)} raters gave {int(sum(r.ratings for r in result.raters.values())):,} ratings of "
        f"{items['two or more'] + items['one']:,} items on {result.counts.scale.K} ordered classes; "
        f"{title} was {number(score.value, 2)}, {ends} (ordeval {__version__})."
    )


def agreement_data(result: Agreement) -> dict[str, Any]:
    """Plain data for JSON: undefined is None with a reason."""
    return {
        "schema": 1,
        "scores": {name: _score(score) for name, score in result.scores.items()},
        "titles": result.titles,
        "raters": {
            rater.name: {
                "ratings": rater.ratings,
                "missing": rater.missing,
                "bias": _score(rater.bias),
                "severity": _score(rater.severity),
                "kappa": plain(rater.kappa),
                "without": plain(rater.without),
                "change": _score(rater.change),
            }
            for rater in result.raters.values()
        },
        "pairs": [[plain(value) for value in row] for row in result.pairs.tolist()],
        "common": result.common.tolist(),
        "components": {name: {"items": plain(c.items), "raters": plain(c.raters)} for name, c in result.components.items()},
        "items": result.items,
        "labels": list(result.counts.scale.labels),
        "unparsable": result.counts.unparsable,
        "settings": result.settings,
        "signature": result.signature,
    }


# A judge against a panel


def panel_lines(result: JudgePanel, source: str = "") -> list[str]:
    metric = get_metric(result.metric)
    judge = shorten(result.judge, 24)
    lines = [f"  {judge} against {len(result.humans)} raters, by {metric.title}", ""]
    rows = [["", judge, "raters among themselves"]]
    rows += [[shorten(name, 24), _shown(result.each[name]), _shown(result.humans[name])] for name in result.humans]
    rows += [["mean", _shown(result.judge_mean), _shown(result.human_mean)]]
    for name, found in result.consensus.items():
        rows.append([f"{name} of the others", _shown(found.judge), _shown(found.human)])
    lines += [f"  {line}" for line in align(rows)]
    lines += ["", *_wrapped(result.verdict)]
    if not math.isnan(result.prmse.value):
        lines += _wrapped(f"PRMSE against the true score: {_shown(result.prmse)}.")
    lines += _wrapped(f"{printable(result.alternative)}.")
    axis = result.counts.axes.index(result.judge)
    silent = int(result.counts.weights[result.counts.cells[:, axis] < 0].sum())
    if silent:
        lines += _wrapped(
            f"{judge} left {silent:,} of {int(result.counts.weights.sum()):,} items unanswered; they are in no score."
        )
    return lines


def panel_verdict(result: JudgePanel) -> str:
    judge, metric = printable(result.judge), get_metric(result.metric)
    words = {
        "above": "is closer to the raters than any of them is to the others",
        "within": "is within the range of human raters",
        "below": "is below the range of human raters",
    }
    if not result.place:
        return f"Whether {judge} is within the range of human raters cannot be said: {result.difference.reason or 'an interval is missing'}."
    difference = result.difference
    ends = f"{signed(difference.value)} [{signed(difference.low)}, {signed(difference.high)}]"
    return (
        f"{judge} {words[result.place]} by {metric.title}: {number(result.judge_mean.value)} with them, they among themselves "
        f"{number(result.human_mean.value)}, difference {ends}."
    )


def panel_data(result: JudgePanel) -> dict[str, Any]:
    return {
        "schema": 1,
        "judge": result.judge,
        "metric": result.metric,
        "verdict": result.verdict,
        "place": result.place or None,
        "each": {name: _score(score) for name, score in result.each.items()},
        "humans": {name: _score(score) for name, score in result.humans.items()},
        **{
            name: _score(getattr(result, name))
            for name in ("judge_mean", "human_mean", "difference", "against_best", "against_worst", "prmse")
        },
        "consensus": {
            name: {part: _score(getattr(found, part)) for part in ("score", "judge", "human", "difference")}
            for name, found in result.consensus.items()
        },
        "alternative": {
            "winning_rate": result.alternative.winning_rate,
            "advantage": plain(result.alternative.advantage),
            "passed": result.alternative.passed,
            "against": {
                name: {
                    "items": a.items,
                    "judge": plain(a.judge),
                    "human": plain(a.human),
                    "p_value": plain(a.p_value),
                    "wins": a.wins,
                }
                for name, a in result.alternative.against.items()
            },
            "settings": result.alternative.settings,
        },
        "settings": result.settings,
    }


# A judge as an instrument


def instrument_lines(result: CorrectedGrades, source: str = "") -> list[str]:
    rows_of = result.rows
    lines = _wrapped(
        f"what {printable(result.person)} would have said, from {rows_of['people']:,} rows that both graded and "
        f"{rows_of['judge alone']:,} that {printable(result.judge)} graded alone"
        + (f" ({rows_of['unanswered']:,} of all without a usable answer)" if rows_of["unanswered"] else "")
    )
    rows = [["", "corrected", f"{shorten(result.judge, 18)} alone"]]
    rows += [[shorten(label, 18), _shown(score), _shown(result.naive_shares[label])] for label, score in result.shares.items()]
    rows.append(["mean grade", _shown(result.mean), _shown(result.naive_mean)])
    lines += ["", *(f"  {line}" for line in align(rows)), ""]
    return lines + _wrapped(_difference_words(result))


def _difference_words(result: CorrectedGrades) -> str:
    naive, mean = result.naive_mean.value, result.mean
    if mean.method == "none":
        return f"no interval: {mean.reason}"
    if mean.low <= naive <= mean.high:
        return f"{printable(result.judge)} alone would have said {number(naive, 2)}, which the corrected interval holds."
    way = "too high" if naive > mean.high else "too low"
    return f"{printable(result.judge)} alone would have said {number(naive, 2)}: {way}."


def instrument_sentence(result: CorrectedGrades) -> str:
    """One sentence for a paper."""
    from ordeval.base.version import __version__

    rows, mean, level = result.rows, result.mean, 100 * result.settings["confidence_level"]
    ends = (
        f"{level:g} % interval {number(mean.low, 2)} to {number(mean.high, 2)}"
        if mean.method != "none"
        else f"no interval: {mean.reason}"
    )
    silent = f", {rows['unanswered']:,} of them without a usable answer," if rows["unanswered"] else ""
    return (
        f"From {rows['people'] + rows['judge alone']:,} rows graded by {printable(result.judge)}{silent} and {rows['people']:,} of them "
        f"graded by {printable(result.person)} as well, the mean grade corrected for the judge's errors "
        f"({result.settings['method']}) was {number(mean.value, 2)} ({ends}); the judge's own mean was "
        f"{number(result.naive_mean.value, 2)} (ordeval {__version__})."
    )


def instrument_data(result: CorrectedGrades) -> dict[str, Any]:
    return {
        "schema": 1,
        "person": result.person,
        "judge": result.judge,
        "shares": [{"label": label, **_score(score)} for label, score in result.shares.items()],
        "mean": _score(result.mean),
        "naive_shares": [{"label": label, **_score(score)} for label, score in result.naive_shares.items()],
        "naive_mean": _score(result.naive_mean),
        "both": result.both.tolist(),
        "alone": result.alone.tolist(),
        "rows": result.rows,
        "settings": result.settings,
    }


# All of them in the format asked for


def in_format(
    format: str, agreement: Agreement, panel: JudgePanel | None, corrected: CorrectedGrades | None, source: str = ""
) -> str:
    """What `ordeval raters` prints."""
    return chosen(
        format,
        {
            "text": lambda: "\n".join(_all_lines(agreement, panel, corrected, source)),
            "json": lambda: as_json(_all_data(agreement, panel, corrected)),
            "csv": lambda: csv(_records(agreement)),
            "md": lambda: markdown(coefficient_table(agreement)),
            "latex": lambda: latex(coefficient_table(agreement)),
        },
    )


def _all_lines(agreement: Agreement, panel: Any, corrected: Any, source: str) -> list[str]:
    lines = agreement_lines(agreement, source)
    for part, words in ((panel, panel_lines), (corrected, instrument_lines)):
        lines += ["", *words(part)] if part is not None else []
    sentences = [agreement.sentence, *([corrected.sentence] if corrected is not None else [])]
    return [*lines, "", "  for a paper", "", *(line for sentence in sentences for line in _wrapped(sentence))]


def _all_data(agreement: Agreement, panel: JudgePanel | None, corrected: CorrectedGrades | None) -> dict[str, Any]:
    data = agreement.to_dict()
    data |= {"panel": panel.to_dict()} if panel is not None else {}
    return data | ({"corrected": corrected.to_dict()} if corrected is not None else {})


def _records(result: Agreement) -> list[dict[str, Any]]:
    return [
        {"coefficient": name, "value": s.value, "low": s.low, "high": s.high, "method": s.method, "reason": s.reason}
        for name, s in result.scores.items()
    ]


def coefficient_table(result: Agreement) -> Table:
    rows: Sequence[Sequence[str]] = [[result.titles[name], *_cells(score)] for name, score in result.scores.items()]
    reasons = dict.fromkeys(score.reason for score in result.scores.values() if score.reason)
    return Table(
        ["coefficient", "value", "interval"], rows, methods_sentence(result), [f"No interval: {reason}." for reason in reasons]
    )


def _cells(score: Score) -> list[str]:
    ends = "no interval" if score.method == "none" else f"[{number(score.low)}, {number(score.high)}]"
    return [number(score.value), ends]


def _score(score: Score) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": plain(score.value),
        "low": plain(score.low),
        "high": plain(score.high),
        "method": score.method,
    }
    return data | ({"reason": score.reason} if score.reason else {})
