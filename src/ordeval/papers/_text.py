"""The papers' numbers beside ours, as text: what is printed, what comes out here, and why the two differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ordeval.show._plain import WIDTH, display_width, wrap

if TYPE_CHECKING:
    from ordeval.papers import Outcome, Reproduction

LABEL, PRINTED, COMPUTED, OVER = 36, 14, 12, 37
SHORT = {"not reproducible here": "not here"}
WORDS = {"erratum": ("erratum", "errata")}


def _pad(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - display_width(text))
    return space + text if right else text + space


def _number(outcome: Outcome) -> list[str]:
    """One line: row and column, printed, computed, verdict."""
    claim = outcome.claim
    label = wrap(" · ".join(filter(None, (claim.row, claim.column))), LABEL, then="  ")
    printed = claim.printed.replace("-", "\N{MINUS SIGN}")
    facts = _pad(printed, PRINTED, right=True) + "  " + _pad(outcome.computed, COMPUTED, right=True)
    return [f"  {_pad(label[0], LABEL)}{facts}  {_short(outcome.verdict)}".rstrip(), *(f"  {line}" for line in label[1:])]


def _statement(outcome: Outcome) -> list[str]:
    """What is said; below it the cases tried, what came out, verdict."""
    lines = wrap(outcome.claim.row, WIDTH, first="  ", then="  ")
    first, *more = wrap(outcome.claim.column, OVER) or [""]
    facts = _pad(outcome.computed, 62 - OVER, right=True)
    return [*lines, f"    {_pad(first, OVER)}{facts}  {_short(outcome.verdict)}".rstrip(), *(f"    {line}" for line in more)]


def _short(verdict: str) -> str:
    return SHORT.get(verdict, verdict)


def _place(outcome: Outcome) -> str:
    claim = outcome.claim
    return ", ".join(filter(None, (claim.where, claim.row, claim.column))) if claim.printed else f"{claim.where}: {claim.row}"


def _explained(title: str, outcomes: list[Outcome]) -> list[str]:
    """The explanations, each once, with the places it is for and the counter-examples."""
    if not outcomes:
        return []
    lines = ["", title]
    for explanation in dict.fromkeys(outcome.claim.explanation for outcome in outcomes):
        members = [outcome for outcome in outcomes if outcome.claim.explanation == explanation]
        for place in _joined(members):
            lines += wrap(place, WIDTH, first="  ", then="  ")
        texts = [explanation]
        examples = (member.claim.counterexample for member in members)
        texts += [f"Counter-example: {text}." for text in dict.fromkeys(example.text for example in examples if example)]
        for text in texts:
            lines += wrap(text, WIDTH, first="    ", then="    ")
    return lines


def _joined(members: list[Outcome]) -> list[str]:
    """The places, those in one row of one table together."""
    rows: dict[tuple[str, str], list[str]] = {}
    for member in members:
        if not member.claim.printed:
            rows[_place(member), ""] = []
        else:
            rows.setdefault((member.claim.where, member.claim.row), []).append(member.claim.column)
    return [", ".join(filter(None, (where, row, *columns))) for (where, row), columns in rows.items()]


def totals(counted: dict[str, int]) -> str:
    """How many of each verdict, in one line."""
    words = [f"{number:,} {WORDS.get(verdict, (verdict, verdict))[number != 1]}" for verdict, number in counted.items()]
    return f"{sum(counted.values()):,} checked: {' · '.join(words)}"


def _paper(report: Reproduction, paper: str, outcomes: list[Outcome]) -> Iterable[str]:
    yield from wrap(report.titles[paper], WIDTH)
    header = f"  {'':{LABEL}}{'printed':>{PRINTED}}  {'computed':>{COMPUTED}}  verdict"
    yield from ("", header)
    for where in dict.fromkeys(outcome.claim.where for outcome in outcomes):
        yield where
        for outcome in outcomes:
            if outcome.claim.where == where:
                yield from (_number if outcome.claim.printed else _statement)(outcome)
    for title, verdict in (("Errata", "erratum"), ("Not reproducible here", "not reproducible here"), ("Remarks", "reproduced")):
        yield from _explained(title, [o for o in outcomes if o.verdict == verdict and o.claim.explanation])
    yield from ("", f"{paper}   {totals(report.totals(paper))}", "")


def changed(report: Reproduction) -> list[str]:
    """The verdicts that are not the recorded ones."""
    lines = []
    for outcome in report.changed:
        place = f"{outcome.claim.paper}, {_place(outcome)}: recorded as {outcome.claim.verdict}, now {outcome.verdict}"
        lines += wrap(place, WIDTH, then="  ")
    return lines


def reproduction(report: Reproduction) -> list[str]:
    """The whole report: a table for each paper, what explains the differences below it, and one last line of totals."""
    lines: list[str] = []
    for paper in dict.fromkeys(outcome.claim.paper for outcome in report.outcomes):
        lines += _paper(report, paper, [outcome for outcome in report.outcomes if outcome.claim.paper == paper])
    if not report.ok:
        lines += ["Changed verdicts", *changed(report), ""]
    return [*lines, totals(report.totals())]
