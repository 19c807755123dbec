"""What a paper prints, how it is computed here, and the verdict: one record per number or statement."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.metrics import get_metric
from ordeval.show import Block, Card, Line, Paragraph, Result, Table

REPRODUCED = "reproduced"
ERRATUM = "erratum"
NOT_HERE = "not reproducible here"
#: Never recorded: the number differs, or the statement fails, and nothing recorded explains it.
UNEXPLAINED = "unexplained"

VERDICTS = (REPRODUCED, ERRATUM, NOT_HERE)


@dataclass(frozen=True)
class Finding:
    """What came out here, as text, and whether it is what the paper prints."""

    computed: str
    agrees: bool


@dataclass(frozen=True)
class CounterExample:
    """The smallest case found that the paper's words do not survive; `refutes` computes that it is one."""

    text: str
    refutes: Callable[[], bool]


@dataclass(frozen=True)
class Claim:
    """One printed number or one statement, with its place, the way it is computed here, and the recorded verdict."""

    paper: str
    where: str  #: table, figure, section, proposition
    row: str  #: of a table; of a statement, the statement in our words
    column: str  #: of a table; of a statement, the complete set of cases that was tried
    printed: str  #: the number with its printed decimals; "" for a statement
    how: str  #: a metric and a table, or words
    compute: Callable[[], Finding] | None
    verdict: str
    explanation: str = ""  #: of an erratum, and why something is not reproducible here; a remark on what is reproduced
    counterexample: CounterExample | None = None

    @property
    def place(self) -> tuple[str, str, str, str]:
        """Paper, place in it, row and column: unique."""
        return self.paper, self.where, self.row, self.column


@dataclass(frozen=True)
class Outcome:
    """A claim, what was computed for it, and the verdict that follows."""

    claim: Claim
    computed: str
    verdict: str

    @property
    def place(self) -> str:
        """Where in the paper: "Table 1, B, MAE"; of a statement, the statement."""
        claim = self.claim
        return ", ".join(filter(None, claim.place[1:])) if claim.printed else f"{claim.where}: {claim.row}"

    @property
    def as_recorded(self) -> bool:
        """Whether the verdict is the recorded one."""
        return self.verdict == self.claim.verdict


def judge(claim: Claim) -> Outcome:
    """Compute a claim anew: an erratum needs its explanation, and a counter-example that is one.

    What the paper does not specify well enough, and is recorded so with its reason, may differ; if it comes out after all,
    the verdict changes.
    """
    if claim.compute is None:
        return Outcome(claim, "", NOT_HERE)
    finding = claim.compute()
    if finding.agrees:
        return Outcome(claim, finding.computed, REPRODUCED)
    if claim.verdict == NOT_HERE and claim.explanation:
        return Outcome(claim, finding.computed, NOT_HERE)
    shown = claim.explanation and claim.counterexample is not None and claim.counterexample.refutes()
    return Outcome(claim, finding.computed, ERRATUM if shown else UNEXPLAINED)


def agrees(computed: float, printed: str) -> bool:
    """Within half a unit of the last printed decimal.  A number cut off instead of rounded does not agree.

    >>> agrees(0.575, "0.58"), agrees(6 / 7, "0.85")
    (True, False)
    """
    decimals = len(printed.partition(".")[2])
    return bool(abs(computed - float(printed)) <= 0.5 * 10.0**-decimals + 1e-9)


def value(metric: str, table: Any, labels: Any = None) -> float:
    """A metric, found by its text, of a table whose rows are the truth; undefined as nan, without a warning."""
    counts = Counts.from_matrix(np.asarray(table), labels=labels)
    return float(get_metric(metric).bind(counts)(counts.matrix))


def values(metric: str, stack: Any, labels: Any = None) -> Any:
    """The same for a stack of tables, for metrics whose options do not depend on the sample."""
    k = np.shape(stack)[-1]
    return get_metric(metric).bind(Counts.from_matrix(np.ones((k, k), int), labels=labels))(stack)


@dataclass(frozen=True)
class Writer:
    """Writes the claims of one paper."""

    paper: str

    def number(
        self,
        where: str,
        row: str,
        column: str,
        printed: str,
        compute: Callable[[], float],
        *,
        how: str,
        exact: float | None = None,
        within: float | None = None,
        explanation: str = "",
        counterexample: CounterExample | None = None,
        unresolved: bool = False,
    ) -> Claim:
        """A printed decimal, or (with ``exact``) a printed expression and its value.

        Of a simulation nobody can repeat draw by draw, ``within`` says how near is near enough.  ``unresolved`` records that the
        number does not come out, because the paper leaves open how it was made; the explanation says what is open.
        """

        def finding() -> Finding:
            computed = float(compute())
            if within is not None:
                return Finding(f"{computed:.3f}".replace("-", "\N{MINUS SIGN}"), abs(computed - float(printed)) <= within + 1e-9)
            agree = agrees(computed, printed) if exact is None else math.isclose(computed, exact, rel_tol=0, abs_tol=1e-9)
            whole = exact is None and "." not in printed
            return Finding(f"{computed:{'.10g' if whole else '.6f'}}".replace("-", "\N{MINUS SIGN}"), agree)

        verdict = NOT_HERE if unresolved else REPRODUCED if counterexample is None else ERRATUM
        return Claim(self.paper, where, row, column, printed, how, finding, verdict, explanation, counterexample)

    def statement(
        self,
        where: str,
        says: str,
        over: str,
        cases: Callable[[], Iterable[Any]],
        *,
        how: str,
        explanation: str = "",
        counterexample: CounterExample | None = None,
        unresolved: bool = False,
    ) -> Claim:
        """Something said of many cases; ``cases`` yields for all of ``over`` whether it is so, one by one or in arrays."""

        def finding() -> Finding:
            tried = bad = 0
            for case in cases():
                so = np.asarray(case, bool)
                tried, bad = tried + so.size, bad + so.size - int(so.sum())
            if bad:
                return Finding(f"fails in {bad:,} of {tried:,}" if tried > 1 else "fails", False)
            return Finding(f"holds in all {tried:,}" if tried > 1 else "holds" if tried else "no case", tried > 0)

        verdict = NOT_HERE if unresolved else REPRODUCED if counterexample is None else ERRATUM
        return Claim(self.paper, where, says, over, "", how, finding, verdict, explanation, counterexample)

    def beyond(self, where: str, row: str, column: str, printed: str, *, why: str) -> Claim:
        """Something that cannot be computed from what is at hand."""
        return Claim(self.paper, where, row, column, printed, "", None, NOT_HERE, why)


@dataclass(frozen=True)
class Reproduction(Result):
    """All outcomes, in the order of the papers."""

    outcomes: tuple[Outcome, ...]
    titles: dict[str, str]

    @property
    def changed(self) -> tuple[Outcome, ...]:
        """Those whose verdict is not the recorded one."""
        return tuple(outcome for outcome in self.outcomes if not outcome.as_recorded)

    @property
    def ok(self) -> bool:
        """Whether all verdicts are as recorded."""
        return not self.changed

    @documented("{verdict: number}.", paper="One paper; None is all of them.", where="Places in it; none is all of them.")
    def totals(self, paper: str | None = None, where: Sequence[str] = ()) -> dict[str, int]:
        """How many of each verdict, in one paper, in some of its places, or in all."""
        found = [
            outcome.verdict
            for outcome in self.outcomes
            if paper in (None, outcome.claim.paper) and (not where or outcome.claim.where in where)
        ]
        return {verdict: found.count(verdict) for verdict in (*VERDICTS, UNEXPLAINED) if verdict in (*VERDICTS, *found)}

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "paper": one.claim.paper,
                "place": one.place,
                "printed": one.claim.printed,
                "computed": one.computed,
                "verdict": one.verdict,
                "explanation": one.claim.explanation,
            }
            for one in self.outcomes
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data: how many of each verdict, and every outcome."""
        return {"totals": self.totals(), "outcomes": self._rows()}

    def _blocks(self) -> list[Block]:
        """A table for each place of each paper, what explains the differences below them, and one last line of totals."""
        blocks: list[Block] = []
        for paper in dict.fromkeys(one.claim.paper for one in self.outcomes):
            outcomes = [one for one in self.outcomes if one.claim.paper == paper]
            blocks.append(Paragraph(self.titles[paper]))
            for where in dict.fromkeys(one.claim.where for one in outcomes):
                blocks += _place_blocks(where, [one for one in outcomes if one.claim.where == where])
            for title, verdict in (("Errata", ERRATUM), ("Not reproducible here", NOT_HERE), ("Remarks", REPRODUCED)):
                said = _explanations([one for one in outcomes if one.verdict == verdict and one.claim.explanation])
                blocks += [Card(title, [(f"{i}.", text) for i, text in enumerate(said, 1)])] if said else []
            blocks.append(Line(f"{paper}   {_totals_text(self.totals(paper))}"))
        if not self.ok:
            said = [f"{o.claim.paper}, {o.place}: recorded as {o.claim.verdict}, now {o.verdict}" for o in self.changed]
            blocks.append(Card("Changed verdicts", [(f"{i}.", text) for i, text in enumerate(said, 1)]))
        return [*blocks, Line(_totals_text(self.totals()))]


def _place_blocks(where: str, outcomes: list[Outcome]) -> list[Block]:
    """The numbers of one place as a table, what is said there as a list."""
    numbers = [
        [one.claim.row, one.claim.column, one.claim.printed.replace("-", "\N{MINUS SIGN}"), one.computed, _short(one.verdict)]
        for one in outcomes
        if one.claim.printed
    ]
    statements = []
    for one in outcomes:
        if not one.claim.printed:
            tried = ": ".join(filter(None, (one.claim.column, one.computed)))
            statements.append((_short(one.verdict), f"{one.claim.row} ({tried})" if tried else one.claim.row))
    blocks: list[Block] = [Table([where, "", "printed", "computed", "verdict"], numbers, left=2)] if numbers else []
    return [*blocks, Card(where, statements)] if statements else blocks


def _short(verdict: str) -> str:
    return "not here" if verdict == NOT_HERE else verdict


def _explanations(outcomes: list[Outcome]) -> list[str]:
    """The explanations, each once, with the places it is for and the counter-examples."""
    said = []
    for explanation in dict.fromkeys(one.claim.explanation for one in outcomes):
        members = [one.claim for one in outcomes if one.claim.explanation == explanation]
        rows: dict[tuple[str, str], list[str]] = {}  # the places in one row of one table together
        for claim in members:
            row, column = (claim.row, claim.column) if claim.printed else (f"“{claim.row.rstrip('.')}”", "")
            rows.setdefault((claim.where, row), []).append(column)
        places = "; ".join(", ".join(filter(None, (where, row, *columns))) for (where, row), columns in rows.items())
        examples = dict.fromkeys(claim.counterexample.text for claim in members if claim.counterexample)
        said.append(" ".join([f"{places}: {explanation}", *(f"Counter-example: {text}." for text in examples)]))
    return said


def _totals_text(totals: dict[str, int]) -> str:
    """How many of each verdict, in one line."""
    words = [f"{number:,} {'errata' if verdict == ERRATUM and number != 1 else verdict}" for verdict, number in totals.items()]
    return f"{sum(totals.values()):,} checked: {' · '.join(words)}"
