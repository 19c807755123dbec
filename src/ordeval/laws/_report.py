"""What the search found: a verdict on each law, with the smallest counter-example where it is broken, as rows to check by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from ordeval.laws._scoring import Edges, rows_of
from ordeval.laws._small_tables import Stack
from ordeval.laws._statements import Law, Reading, get_law
from ordeval.metrics import get_metric
from ordeval.show import Block, Card, Code, Line, Result, Table
from ordeval.show._plain import WIDTH, align, shorten, wrap

Status: TypeAlias = Literal["holds", "fails", "proved", "not applicable", "cannot be judged"]
HOLDS: Status = "holds"
FAILS: Status = "fails"
PROVED: Status = "proved"
NOT_APPLICABLE: Status = "not applicable"
UNDECIDED: Status = "cannot be judged"

SIGNS: Mapping[str, str] = {HOLDS: "✓", PROVED: "✓", FAILS: "✗", NOT_APPLICABLE: "·", UNDECIDED: "?"}
MOST_ROWS = 14  # rows that are written out one by one; more are shown as a table


@dataclass(frozen=True)
class _OfALaw:
    """Something about one law, in one of its readings."""

    law: str
    reading: str

    @property
    def definition(self) -> Law:
        """The law itself."""
        return get_law(self.law)

    @property
    def read(self) -> Reading:
        """The reading itself."""
        return next(reading for reading in self.definition.readings if reading.name == self.reading)


@dataclass(frozen=True)
class Breach(_OfALaw):
    """An instance of a law on which a metric breaks it."""

    base: Stack  #: what the instance was made of; `ordeval.laws._search.breaches` finds it again
    tables: tuple[Stack, ...]  #: one for each side, rows the truth
    edges: tuple[Edges | None, ...]
    forms: tuple[str, ...]
    scores: tuple[float, ...]
    outcome: str  #: what happened instead of what should have
    found: str = "enumerated"  #: or "random", by the search beyond the bounds and made smaller; "recorded", on the metric itself

    @property
    def rows(self) -> int:
        """The rows of the smallest table."""
        return int(self.base.sum())

    @property
    def classes(self) -> int:
        """The classes of the smallest table."""
        return int(self.base.shape[-1])

    @property
    def names(self) -> tuple[str, ...]:
        """What each side is called."""
        return self.definition.sides if len(self.tables) > 1 else ("answer",)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is particular about each side."""
        return self.definition.notes or ("",) * len(self.names)

    @property
    def score_texts(self) -> list[str]:
        """The scores with as many decimals as it takes to tell different ones apart, at least three."""
        for places in range(3, 13):
            texts = [f"{score:.{places}f}".replace("-", "\N{MINUS SIGN}") for score in self.scores]
            different = {round(score, 12) for score in self.scores if score == score}
            if len({text for text, score in zip(texts, self.scores, strict=True) if score == score}) == len(different):
                break
        return ["undefined" if score != score else text for score, text in zip(self.scores, texts, strict=True)]

    @property
    def should(self) -> str:
        """What should have happened, and of two answers what happened instead."""
        sentence = self.read.should
        instead = f"; {self.outcome}" if sentence.startswith(("A should", "B should")) else ""
        return f"{sentence[0].upper()}{sentence[1:]}{instead}."

    @property
    def lines(self) -> list[str]:
        """Truth and answers row by row, their scores, and what should have happened."""
        if self._large:
            body = [
                [name, str(table.tolist()), score, note]
                for name, table, score, note in zip(self.names, self.tables, self.score_texts, self.notes, strict=False)
            ]
        elif self._shares_a_truth:
            truth, answers = _answers(self.tables)
            body = [["truth", _spaced(truth), "", self._scale]]
            body += [
                [name, _spaced(line), score, note]
                for name, line, score, note in zip(self.names, answers, self.score_texts, self.notes, strict=False)
            ]
        else:
            body = [
                [name, f"truth {truth}", f"answer {answer}", f"of {k}", score] for name, truth, answer, k, score in self._apart()
            ]
        return [*align(body), *wrap(self.should, WIDTH - 6)]

    @property
    def sentence(self) -> str:
        """The same in one sentence of Markdown, for a page."""
        if self._large:
            sides = zip(self.names, self.tables, self.score_texts, strict=True)
            said = "; ".join(f"{name} `{table.tolist()}` scores {score}" for name, table, score in sides)
        elif self._shares_a_truth:
            truth, answers = _answers(self.tables)
            lines = zip(self.names, answers, self.score_texts, strict=True)
            said = f"{self._scale}, truth `{_spaced(truth)}`: "
            said += ", ".join(f"{name} `{_spaced(line)}` scores {score}" for name, line, score in lines)
        else:
            said = "; ".join(
                f"{name}: truth `{truth}`, answer `{answer}`, {_classes(k)}, scores {score}"
                for name, truth, answer, k, score in self._apart()
            )
        return f"{said}. {self.should}"

    def __str__(self) -> str:
        return self.sentence

    @property
    def _large(self) -> bool:
        return max(int(table.sum()) for table in self.tables) > MOST_ROWS

    @property
    def _shares_a_truth(self) -> bool:
        first = self.tables[0]
        alike = all(t.shape == first.shape and (t.sum(1) == first.sum(1)).all() for t in self.tables)
        return alike and len(set(self.edges)) == 1 and len(self.tables) <= 2

    @property
    def _scale(self) -> str:
        edges, classes = self.edges[0], _classes(len(self.tables[0]))
        return classes if edges is None else f"{classes} with edges {', '.join(f'{edge:g}' for edge in edges)}"

    def _apart(self) -> Iterator[tuple[str, str, str, int, str]]:
        """Each side with a truth of its own: name, truth, answer, number of classes, score."""
        for name, table, score in zip(self.names, self.tables, self.score_texts, strict=True):
            truth, answer = (_spaced(code + 1 for code in codes) for codes in rows_of(table))
            yield name, truth, answer, len(table), score


def _answers(tables: tuple[Stack, ...]) -> tuple[list[int], list[list[int]]]:
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


def _spaced(classes: Iterable[int]) -> str:
    return " ".join(map(str, classes))


def _classes(k: int) -> str:
    return "1 class" if k == 1 else f"{k} classes"


@dataclass(frozen=True)
class LawVerdict(_OfALaw):
    """What is known of one law, in one of its readings."""

    status: Status
    range: str = ""  #: the sizes of which every case was tried
    cases: int = 0
    equal: int = 0  #: of the cases that break it, those in which the scores are the same
    broken: int = 0  #: cases that break it
    undefined: int = 0  #: cases in which a score is undefined; they break no comparison
    failed: int = 0  #: cases in which the metric raised an error or returned no number
    beyond: int = 0  #: larger random cases that were tried as well
    breach: Breach | None = None
    reason: str = ""  #: why it does not apply or cannot be judged; of a proved law, by whom

    @property
    def holds(self) -> bool:
        """Whether it is proved, or no case breaks it."""
        return self.status in (HOLDS, PROVED)

    @property
    def sign(self) -> str:
        """The verdict in one sign: ✓ holds, ✗ fails, · not applicable, ? cannot be judged."""
        return SIGNS[self.status]

    @property
    def sentence(self) -> str:
        """The verdict in one sentence.  A search that found nothing is never worded as a proof."""
        if self.status in (NOT_APPLICABLE, UNDECIDED):
            share = f" ({self.failed:,} of {self.cases:,} cases)" if self.failed else ""
            return f"{self.status}: {self.reason}{share}"
        if self.status == FAILS:
            assert self.breach is not None
            if not self.broken:
                if not self.cases:  # the witness alone was looked at
                    return "fails; the counter-example is recorded with the metric"
                where = {"random": "found by random search and made smaller", "recorded": "recorded with the metric"}
                return f"fails, though in none of the {self.cases:,} cases with {self.range}; {where[self.breach.found]}"
            ties = f", {self.equal:,} by equal scores" if 0 < self.equal < self.broken else ""
            ties = ", all by equal scores" if self.equal == self.broken and len(self.breach.scores) == 2 else ties
            return f"fails in {self.broken:,} of {self.cases:,} cases with {self.range}{ties}"
        undefined = f", {self.undefined:,} of them undefined" if self.undefined else ""
        tried = f"holds for all {self.cases:,} cases with {self.range}{undefined}"
        if self.status == PROVED:
            return f"{self.reason}; {tried}"
        return f"{tried}, and for {self.beyond:,} larger random ones" if self.beyond else tried

    def __str__(self) -> str:
        return self.sentence

    def _same_breach(self, other: LawVerdict) -> bool:
        return self.breach is not None and other.breach is not None and np.array_equal(self.breach.base, other.breach.base)


@dataclass(frozen=True)
class LawReport(Result):
    """The verdicts on one metric.  Printing it shows everything."""

    metric: str
    max_k: int  #: every case with up to so many classes
    max_n: int  #: and so many rows was tried
    verdicts: Mapping[str, LawVerdict]  #: by law, each as it is meant without further words
    readings: Mapping[str, Mapping[str, LawVerdict]] = field(default_factory=dict)  #: by law, all its readings by name

    def __getitem__(self, law: str) -> LawVerdict:
        return self.verdicts[get_law(law).name]

    @property
    def broken(self) -> dict[str, Breach]:
        """The laws that fail, each with its smallest counter-example."""
        return {law: verdict.breach for law, verdict in self.verdicts.items() if verdict.breach is not None}

    def _rows(self) -> list[dict[str, Any]]:
        counted = ("law", "reading", "status", "cases", "broken", "undefined", "failed")
        return [
            {name: getattr(verdict, name) for name in counted} | {"proof": verdict.reason if verdict.status == PROVED else ""}
            for readings in self.readings.values()
            for verdict in readings.values()
        ]

    def _blocks(self) -> list[Block]:
        try:
            title = f"{self.metric}   {get_metric(self.metric).title}"
        except ValueError:
            title = self.metric
        return [Line(title), *(block for law in self.verdicts for block in self._of_law(law))]

    def _of_law(self, name: str) -> Iterator[Block]:
        """One law: what it says and who stated it, the verdict, the counter-example, and the other ways to read it."""
        first, *others = self.readings[name].values()
        law = first.definition
        facts = [(name, f"{law.statement}   ({law.source})" if law.cite else law.statement)]
        for verdict in [first] if first.status in (NOT_APPLICABLE, UNDECIDED) else [first, *others]:
            words = f"{verdict.read.words}: " if verdict.read.words and (verdict.holds or verdict.breach is not None) else ""
            facts.append((verdict.sign, f"{words}{verdict.sentence}"))
            if verdict.breach is not None and (verdict is first or not verdict._same_breach(first)):
                yield Card("", facts)
                yield Code("\n".join(verdict.breach.lines))
                facts = []
        if facts:
            yield Card("", facts)


@dataclass(frozen=True)
class LawTable(Result):
    """The verdicts on many metrics.  Printing it shows one line per metric."""

    laws: tuple[str, ...]
    reports: Mapping[str, LawReport]

    def __getitem__(self, cell: tuple[str, str]) -> LawVerdict:
        metric, law = cell
        return self.reports[metric][law]

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"metric": metric, "law": law, "status": report[law].status}
            for metric, report in self.reports.items()
            for law in self.laws
        ]

    def _signs(self) -> list[list[str]]:
        return [[metric, *(report[law].sign for law in self.laws)] for metric, report in self.reports.items()]

    @property
    def _legend(self) -> str:
        ranges = " or ".join(sorted({f"K ≤ {report.max_k}, N ≤ {report.max_n}" for report in self.reports.values()}))
        return f"✓ no counter-example with {ranges} (or proved)   ✗ fails   · not applicable   ? cannot be judged"

    def _blocks(self) -> list[Block]:
        return [Table(["metric", *self.laws], self._signs(), self._legend)]

    def __str__(self) -> str:
        """For a terminal: a letter for each law, since their names are wider than a line."""
        letters = [chr(ord("a") + i) for i in range(len(self.laws))]
        legend = [f"{letter} {law}" for letter, law in zip(letters, self.laws, strict=True)]
        width = max(map(len, legend)) + 2
        per_line = max(1, WIDTH // width)
        named = [
            "".join(f"{cell:<{width}}" for cell in legend[i : i + per_line]).rstrip() for i in range(0, len(legend), per_line)
        ]
        rows = [["", *letters], *([shorten(metric, 34), *signs] for metric, *signs in self._signs())]
        return "\n".join([*align(rows, gap=" "), "", *named, "", *wrap(self._legend, WIDTH)])
