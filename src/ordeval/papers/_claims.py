"""What a paper prints, what comes out here, and what follows: one claim per printed unit, one entry per root cause."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.lazy import lazy
from ordeval.counts import Counts
from ordeval.metrics import get_metric
from ordeval.show import Block, Card, Line, Paragraph, Result, Table

EXACT = "exact"
WITHIN = "within simulation error"
ERRATUM = "erratum"
SUSPECTED = "suspected"
UNDETERMINED = "undetermined"
EXTRACTION = "extraction"
NOT_JUDGED = "not judged"
#: Never recorded: it differs, and nothing recorded explains it.
UNEXPLAINED = "unexplained"

VERDICTS = (EXACT, WITHIN, ERRATUM, SUSPECTED, UNDETERMINED, EXTRACTION, NOT_JUDGED)
GRADES = ("misprint", "rounding", "needs a condition", "false as stated", SUSPECTED, EXTRACTION)


@dataclass(frozen=True)
class Finding:
    """What came out here, as text, and whether it is what the paper prints."""

    computed: str
    agrees: bool
    problem: str = ""  #: what contradicts the data that are stored with the record


#: Whether a counter-example refutes the quotation, and the numbers that the finding names.
Refutation = tuple[bool, Sequence[float]]


@dataclass(frozen=True)
class Entry:
    """One root cause: the place, what stands there, under which premise, what comes out, and how the sentence would read."""

    paper: str
    id: str
    grade: str  #: misprint, rounding, needs a condition, false as stated, suspected or extraction
    where: str
    quotation: str  #: as the paper prints it
    premise: str  #: what the paper assumes there; the example keeps it
    finding: str  #: what comes out
    caveat: str  #: the authors' own, or what our copy leaves open
    printed_as: str  #: the sentence as it should be printed
    numbers: str  #: those of the finding that are computed, with their decimals
    case: Mapping[str, Any]  #: the example
    outside: Mapping[str, Any]  #: a change of it that leaves the premise
    keeps: Callable[..., bool] = field(repr=False)  #: whether an example is inside the premise
    refutes: Callable[..., Refutation] = field(repr=False)

    @lazy
    def problem(self) -> str:
        """Why this entry does not stand: the example is outside the premise, or is none, or another number comes out."""
        return self.problem_of()

    @documented("What is missing, or an empty text.", change="Parts of the example to be replaced.")
    def problem_of(self, **change: Any) -> str:
        """The same of a changed example."""
        case = {**self.case, **change}
        if not self.keeps(**case):
            return "the example is outside the premise"
        refuted, numbers = self.refutes(**case)
        if not refuted:
            return "the example is not a counter-example"
        said = self.numbers.split()
        differ = [
            f"{text} came out as {float(x):.6g}" for text, x in zip(said, numbers, strict=False) if not agrees(float(x), text)
        ]
        return "; ".join(differ) if differ or len(said) == len(numbers) else f"{len(numbers)} numbers came out, not {len(said)}"


@dataclass(frozen=True)
class Claim:
    """One printed number, mark or statement: its place, how it is computed here, and what is recorded of it."""

    paper: str
    place: str  #: a table, a section or an appendix: what the totals go by
    where: str  #: more closely: a figure, a proposition
    row: str  #: of a table; of a statement, the statement in our words
    column: str  #: of a table; of a statement, the complete set of cases that was tried
    printed: str  #: the number or mark as printed; "" for a statement
    compute: Callable[[], Finding] | None = field(repr=False)
    verdict: str
    root: str = ""  #: the entry that explains a difference
    premise: str = ""  #: under which the paper says it
    reason: str = ""  #: why it is not judged; a remark on what comes out
    random: bool = False  #: a simulation, which nobody can repeat draw by draw
    entry: Entry | None = None

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """Paper, place, where in it, row and column: unique."""
        return self.paper, self.place, self.where, self.row, self.column


@dataclass(frozen=True)
class Outcome:
    """A claim, what was computed for it, and the verdict that follows."""

    claim: Claim
    computed: str
    verdict: str
    problem: str = ""  #: why the entry that should explain it does not stand

    @property
    def place(self) -> str:
        """Where in the paper: "Table 1, B, MAE"; of a statement, the statement."""
        claim = self.claim
        if not claim.printed:
            return f"{claim.where}: {claim.row}"
        return ", ".join(filter(None, (claim.where, claim.row, claim.column)))

    @property
    def explanation(self) -> str:
        """The entry and its finding, or the reason."""
        claim = self.claim
        return f"{claim.root}: {claim.entry.finding}" if claim.entry else claim.reason

    @property
    def as_recorded(self) -> bool:
        """Whether the verdict is the recorded one."""
        return self.verdict == self.claim.verdict


def judge(claim: Claim) -> Outcome:
    """Compute a claim anew; what differs needs an entry whose premise and counter-example are both computed, and both hold."""
    if claim.compute is None:
        return Outcome(claim, "", NOT_JUDGED)
    finding = claim.compute()
    entry = claim.entry
    if finding.problem:
        return Outcome(claim, finding.computed, UNEXPLAINED, finding.problem)
    if finding.agrees and (entry is None or entry.grade != EXTRACTION):
        return Outcome(claim, finding.computed, WITHIN if claim.random else EXACT)
    if entry is not None:
        problem = entry.problem
        explained = entry.grade if entry.grade in (SUSPECTED, EXTRACTION) else ERRATUM
        return Outcome(claim, finding.computed, UNEXPLAINED if problem else explained, problem)
    return Outcome(claim, finding.computed, UNDETERMINED if claim.random else UNEXPLAINED)


def half_unit(printed: str) -> float:
    """Half a unit of the last printed decimal."""
    return float(0.5 * 10.0 ** -len(printed.partition(".")[2]))


def agrees(computed: float, printed: str, simulation: float = 0.0) -> bool:
    """Within half a unit of the last printed decimal, and 1.96 times the measured deviation of a difference of two simulations.

    A number cut off instead of rounded does not agree.

    >>> agrees(0.575, "0.58"), agrees(6 / 7, "0.85"), agrees(0.783, "0.79", 0.0014)
    (True, False, True)
    """
    return bool(abs(computed - float(printed)) <= half_unit(printed) + 1.96 * simulation + 1e-9)


def value(metric: str, table: Any, labels: Any = None) -> float:
    """A metric, found by its text, of a table whose rows are the truth; undefined as nan, without a warning."""
    counts = Counts.from_matrix(np.asarray(table), labels=labels)
    return float(get_metric(metric).bind(counts)(counts.matrix))


def values(metric: str, stack: Any, labels: Any = None) -> Any:
    """The same for a stack of tables, for metrics whose options do not depend on the sample."""
    k = np.shape(stack)[-1]
    return get_metric(metric).bind(Counts.from_matrix(np.ones((k, k), int), labels=labels))(stack)


def table_of(truth: Sequence[int], answer: Sequence[int], k: int = 0) -> Any:
    """The table of classes numbered from 1, the truth in rows."""
    found = np.zeros((2 * [k or max(*truth, *answer)]), int)
    np.add.at(found, (np.array(truth) - 1, np.array(answer) - 1), 1)
    return found


def scores(metric: str, truth: Sequence[int], *answers: Sequence[int], k: int = 0) -> list[float]:
    """A metric of several answers to one truth."""
    k = k or max(map(max, (truth, *answers)))
    return [value(metric, table_of(truth, answer, k)) for answer in answers]


def number(compute: Callable[[], float], printed: str, exact: float | None = None) -> Finding:
    """A printed decimal, or (with ``exact``) a printed expression and its value."""
    computed = float(compute())
    agree = agrees(computed, printed) if exact is None else math.isclose(computed, exact, rel_tol=0, abs_tol=1e-9)
    whole = exact is None and "." not in printed
    return Finding(_minus(f"{computed:{'.10g' if whole else '.6f'}}"), agree)


def statement(cases: Iterable[Any]) -> Finding:
    """Something said of many cases; ``cases`` yields whether it is so, one by one or in arrays."""
    tried = bad = 0
    for case in cases:
        so = np.asarray(case, bool)
        tried, bad = tried + so.size, bad + so.size - int(so.sum())
    if bad:
        return Finding(f"not in {bad:,} of {tried:,}" if tried > 1 else "not so", False)
    return Finding(f"in all {tried:,}" if tried > 1 else "so" if tried else "no case", tried > 0)


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Reproduction(Result):
    """All outcomes, in the order of the papers."""

    outcomes: tuple[Outcome, ...]
    titles: dict[str, str]
    entries: tuple[Entry, ...] = ()  #: those of the papers, also where no printed unit hangs on them

    @property
    def changed(self) -> tuple[Outcome, ...]:
        """Those whose verdict is not the recorded one."""
        return tuple(outcome for outcome in self.outcomes if not outcome.as_recorded)

    @property
    def ok(self) -> bool:
        """Whether all verdicts are as recorded, and all entries stand."""
        return not self.changed and not any(entry.problem for entry in self.roots)

    @property
    def roots(self) -> tuple[Entry, ...]:
        """The entries that explain what differs or cannot be read, each once, in the order of the papers."""
        found = {entry.id: entry for entry in self.entries}
        explained = {one.claim.root: one.claim.entry for one in self.outcomes if one.claim.entry}
        return tuple({**found, **explained, **found}.values())

    @documented("{verdict: number}.", paper="One paper; None is all of them.", place="A place in it; None is all of them.")
    def totals(self, paper: str | None = None, place: str | None = None) -> dict[str, int]:
        """How many of each verdict, in one paper, in one of its places, or in all."""
        found = [one.verdict for one in self.outcomes if paper in (None, one.claim.paper) and place in (None, one.claim.place)]
        return {verdict: found.count(verdict) for verdict in (*VERDICTS, UNEXPLAINED) if verdict in (*VERDICTS, *found)}

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "paper": one.claim.paper,
                "place": one.place,
                "printed": one.claim.printed,
                "computed": one.computed,
                "verdict": one.verdict,
                "explanation": one.explanation,
            }
            for one in self.outcomes
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data: how many of each verdict, and every outcome."""
        return {"totals": self.totals(), "outcomes": self._rows()}

    @property
    def summary(self) -> str:
        """The totals in one line."""
        totals = self.totals()
        causes = len({one.claim.root for one in self.outcomes if one.verdict == ERRATUM})
        words = {
            ERRATUM: f"errata ({causes} causes)" if totals[ERRATUM] != 1 else "erratum",
            EXTRACTION: "not legible",
        }
        parts = [f"{number:,} {words.get(verdict, verdict)}" for verdict, number in totals.items() if number]
        return f"{len(self.outcomes):,} printed: {' · '.join(parts)}"

    def _blocks(self) -> list[Block]:
        """A table for each place of each paper, the entries below them, and one last line of totals."""
        blocks: list[Block] = []
        shown: set[str] = set()
        for paper in dict.fromkeys(one.claim.paper for one in self.outcomes):
            outcomes = [one for one in self.outcomes if one.claim.paper == paper]
            blocks.append(Paragraph(self.titles[paper]))
            for where in dict.fromkeys((one.claim.place, one.claim.where) for one in outcomes):
                blocks += _place_blocks(where, [one for one in outcomes if (one.claim.place, one.claim.where) == where])
            own = {one.claim.root for one in outcomes}
            blocks += [
                entry_card(entry) for entry in self.roots if entry.paper == paper or (entry.id in own and not shown & {entry.id})
            ]
            shown |= own
            reasons = dict.fromkeys(one.claim.reason for one in outcomes if one.claim.reason)
            blocks += [Card("Remarks", [(f"{i}.", text) for i, text in enumerate(reasons, 1)])] if reasons else []
        if not self.ok:
            said = [
                f"{o.claim.paper}, {o.place}: recorded as {o.claim.verdict}, now {o.verdict}"
                + (f" ({o.claim.root}: {o.problem})" if o.problem else "")
                for o in self.changed
            ]
            said += [f"{entry.id}: {entry.problem}" for entry in self.roots if entry.problem]
            blocks.append(Card("Changed verdicts", [(f"{i}.", text) for i, text in enumerate(said, 1)]))
        return [*blocks, Line(self.summary)]


def entry_card(entry: Entry) -> Card:
    """An entry as text: what the paper prints, its premise, what comes out, the caveat, and the sentence as it would read."""
    facts = [
        ("prints", f"“{entry.quotation}”"),
        ("premise", entry.premise),
        ("here", entry.finding),
        ("caveat", entry.caveat),
        ("read", entry.printed_as),
    ]
    return Card(f"{entry.id} · {entry.grade} · {entry.where}", [(name, text) for name, text in facts if text])


def _place_blocks(where: tuple[str, str], outcomes: list[Outcome]) -> list[Block]:
    """The numbers of one place as a table, what is said there as a list."""
    title = where[1]
    numbers = [
        [one.claim.row, one.claim.column, _minus(one.claim.printed), one.computed, _short(one)]
        for one in outcomes
        if one.claim.printed
    ]
    statements = []
    for one in outcomes:
        if not one.claim.printed:
            tried = ": ".join(filter(None, (one.claim.column, one.computed)))
            statements.append((_short(one), f"{one.claim.row} ({tried})" if tried else one.claim.row))
    blocks: list[Block] = [Table([title, "", "printed", "computed", "verdict"], numbers, left=2)] if numbers else []
    return [*blocks, Card(title, statements)] if statements else blocks


_SHORT = {WITHIN: "within", EXTRACTION: "not legible"}


def _short(one: Outcome) -> str:
    return one.claim.root if one.verdict in (ERRATUM, SUSPECTED, EXTRACTION) else _SHORT.get(one.verdict, one.verdict)
