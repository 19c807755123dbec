"""Laws as text: what each says, the verdict, and the smallest counter-example as rows that a person can check by hand."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.evaluation._prose import authors
from ordeval.metrics import get_metric
from ordeval.metrics.core.references import BIBLIOGRAPHY
from ordeval.show._plain import WIDTH, align, shorten

if TYPE_CHECKING:
    from ordeval.laws import Breach, Law, LawReport, LawTable, LawVerdict

SIGNS = {"holds": "✓", "proved": "✓", "fails": "✗", "not applicable": "·", "cannot be judged": "?"}
MOST_ROWS = 14  # rows that are written out one by one; more are shown as a table


def source(law: Law) -> str:
    """Whose law it is: "Amigó et al. 2020, Property 3"; "" where it is common property."""
    if not law.cite:
        return ""
    return f"{authors(law.cite)} {BIBLIOGRAPHY[law.cite].year}, {law.place}"


def verdict_line(verdict: LawVerdict) -> str:
    """The verdict in one sentence.  A search that found nothing is never worded as a proof."""
    if verdict.status in ("not applicable", "cannot be judged"):
        share = f" ({verdict.failed:,} of {verdict.cases:,} cases)" if verdict.failed else ""
        return f"{verdict.status}: {verdict.reason}{share}"
    undefined = f", {verdict.undefined:,} of them undefined" if verdict.undefined else ""
    if verdict.status == "fails":
        assert verdict.breach is not None
        if not verdict.broken:
            if not verdict.cases:  # the witness alone was looked at
                return "fails; the counter-example is recorded with the metric"
            where = {"random": "found by random search and made smaller", "recorded": "recorded with the metric"}
            return f"fails, though in none of the {verdict.cases:,} cases with {verdict.range}; {where[verdict.breach.found]}"
        ties = f", {verdict.equal:,} by equal scores" if 0 < verdict.equal < verdict.broken else ""
        ties = ", all by equal scores" if verdict.equal == verdict.broken and len(verdict.breach.scores) == 2 else ties
        return f"fails in {verdict.broken:,} of {verdict.cases:,} cases with {verdict.range}{ties}"
    tried = f"holds for all {verdict.cases:,} cases with {verdict.range}{undefined}"
    if verdict.status == "proved":
        return f"{verdict.reason}; {tried}"
    return f"{tried}, and for {verdict.beyond:,} larger random ones" if verdict.beyond else tried


def _rows(table: Any) -> tuple[list[int], list[int]]:
    cells = np.argwhere(table).repeat(table[table > 0], axis=0) + 1
    return cells[:, 0].tolist(), cells[:, 1].tolist()


def _answers(tables: tuple[Any, ...]) -> tuple[list[int], list[list[int]]]:
    """The truth, and for each table the answers in the order that makes them differ in as few places as possible."""
    common = np.minimum.reduce(tables)
    truth = np.repeat(np.arange(len(common)), tables[0].sum(1)) + 1
    every = []
    for table in tables:
        line: list[int] = []
        for own, shared in zip(table - common, common, strict=True):
            for part in (own, shared):
                line += np.repeat(np.arange(len(part)) + 1, part).tolist()
        every.append(line)
    return truth.tolist(), every


def _spaced(classes: list[int]) -> str:
    return " ".join(map(str, classes))


def scores_of(breach: Breach) -> list[str]:
    """The scores with as many decimals as it takes to tell different ones apart, at least three."""
    for places in range(3, 13):
        texts = [f"{score:.{places}f}".replace("-", "\N{MINUS SIGN}") for score in breach.scores]
        different = {round(score, 12) for score in breach.scores if score == score}
        if len({text for text, score in zip(texts, breach.scores, strict=True) if score == score}) == len(different):
            break
    return ["undefined" if score != score else text for score, text in zip(breach.scores, texts, strict=True)]


def _names(law: Law, breach: Breach) -> list[str]:
    return list(law.sides) if len(breach.tables) > 1 else ["answer"]


def _share_a_truth(breach: Breach) -> bool:
    first = breach.tables[0]
    return all(t.shape == first.shape and (t.sum(1) == first.sum(1)).all() for t in breach.tables) and len(set(breach.edges)) == 1


def _classes(table: Any) -> str:
    return "1 class" if len(table) == 1 else f"{len(table)} classes"


def _scale(breach: Breach) -> str:
    edges, classes = breach.edges[0], _classes(breach.tables[0])
    return classes if edges is None else f"{classes} with edges {', '.join(f'{edge:g}' for edge in edges)}"


def _should(verdict: LawVerdict, breach: Breach) -> str:
    """What should have happened, and of two answers what happened instead."""
    sentence = verdict.read.should
    instead = f"; {breach.outcome}" if sentence.startswith(("A should", "B should")) else ""
    return f"{sentence[0].upper()}{sentence[1:]}{instead}."


def breach_lines(verdict: LawVerdict) -> list[str]:
    """The counter-example: truth and answers row by row, their scores, and what should have happened."""
    breach, law = verdict.breach, verdict.definition
    if breach is None:
        return []
    scores, names = scores_of(breach), _names(law, breach)
    notes = list(law.notes) or [""] * len(names)
    if max(int(t.sum()) for t in breach.tables) > MOST_ROWS:
        body = [
            [name, str(table.tolist()), score, note]
            for name, table, score, note in zip(names, breach.tables, scores, notes, strict=False)
        ]
    elif _share_a_truth(breach) and len(breach.tables) <= 2:
        truth, answers = _answers(breach.tables)
        body = [["truth", _spaced(truth), "", _scale(breach)]]
        body += [
            [name, _spaced(line), score, note] for name, line, score, note in zip(names, answers, scores, notes, strict=False)
        ]
    else:
        body = []
        for name, table, score in zip(names, breach.tables, scores, strict=True):
            truth, answer = _rows(table)
            body.append([name, f"truth {_spaced(truth)}", f"answer {_spaced(answer)}", f"of {len(table)}", score])
    lines = align(body)
    return [*lines, *textwrap.wrap(_should(verdict, breach), WIDTH - 6)]


def breach_sentence(verdict: LawVerdict) -> str:
    """The same in one line, for a page."""
    breach, law = verdict.breach, verdict.definition
    if breach is None:
        return ""
    scores = scores_of(breach)
    if max(int(t.sum()) for t in breach.tables) > MOST_ROWS:
        parts = [
            f"{name} `{table.tolist()}` scores {score}"
            for name, table, score in zip(_names(law, breach), breach.tables, scores, strict=True)
        ]
        return f"{'; '.join(parts)}. {_should(verdict, breach)}"
    if _share_a_truth(breach) and len(breach.tables) <= 2:
        truth, answers = _answers(breach.tables)
        parts = [
            f"{name} `{_spaced(line)}` scores {score}"
            for name, line, score in zip(_names(law, breach), answers, scores, strict=True)
        ]
        return f"{_scale(breach)}, truth `{_spaced(truth)}`: {', '.join(parts)}. {_should(verdict, breach)}"
    parts = []
    for name, table, score in zip(_names(law, breach), breach.tables, scores, strict=True):
        truth, answer = _rows(table)
        parts.append(f"{name}: truth `{_spaced(truth)}`, answer `{_spaced(answer)}`, {_classes(table)}, scores {score}")
    return f"{'; '.join(parts)}. {_should(verdict, breach)}"


def _block(verdicts: list[LawVerdict]) -> list[str]:
    """One law: what it says and whose it is, the verdict, the counter-example, and the other ways to read it."""
    first = verdicts[0]
    law = first.definition
    said = f"{law.statement}   ({source(law)})" if law.cite else law.statement
    lines = textwrap.wrap(said, WIDTH, initial_indent=f"{law.name:<22}", subsequent_indent=" " * 22)
    for verdict in verdicts:
        words = f"{verdict.read.words}: " if verdict.read.words and (verdict.holds or verdict.breach is not None) else ""
        sentence = f"{words}{verdict_line(verdict)}"
        lines += textwrap.wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")
        if verdict.breach is not None and (verdict is first or not _same_tables(verdict, first)):
            lines += [f"      {line}" for line in breach_lines(verdict)]
    return lines


def _same_tables(verdict: LawVerdict, first: LawVerdict) -> bool:
    return first.breach is not None and verdict.breach is not None and np.array_equal(verdict.breach.base, first.breach.base)


def law_report(report: LawReport) -> list[str]:
    """One metric: every law with its verdict."""
    try:
        title = f"{report.metric}   {get_metric(report.metric).title}"
    except ValueError:
        title = report.metric
    lines = [title, ""]
    for law in report.verdicts:
        verdicts = list(report.readings[law].values())
        if verdicts[0].status in ("not applicable", "cannot be judged"):
            verdicts = verdicts[:1]
        lines += [*_block(verdicts), ""]
    return lines[:-1]


def law_table(table: LawTable) -> list[str]:
    """Many metrics: one line each, a letter for each law."""
    letters = [chr(ord("a") + i) for i in range(len(table.laws))]
    rows = [["", *letters]]
    for metric, report in table.reports.items():
        rows.append([shorten(metric, 34), *(SIGNS[report[law].status] for law in table.laws)])
    legend = [f"{letter} {law}" for letter, law in zip(letters, table.laws, strict=True)]
    width = max(map(len, legend)) + 2
    per_line = max(1, WIDTH // width)
    lines = align(rows, gap=" ")
    ranges = {f"K ≤ {report.k}, N ≤ {report.n}" for report in table.reports.values()}
    lines += [
        "",
        *("".join(f"{cell:<{width}}" for cell in legend[i : i + per_line]).rstrip() for i in range(0, len(legend), per_line)),
    ]
    tried = (
        f"✓ no counter-example with {' or '.join(sorted(ranges))} (or proved)   ✗ fails   · not applicable   ? cannot be judged"
    )
    return [*lines, "", *textwrap.wrap(tried, WIDTH)]
