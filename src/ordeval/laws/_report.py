"""What the search found: a verdict on each law, with the smallest counter-example where it is broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ordeval.laws._scoring import Edges
from ordeval.laws._small_tables import Stack
from ordeval.laws._statements import Law, Reading, get_law

HOLDS, FAILS, PROVED = "holds", "fails", "proved"
NOT_APPLICABLE, UNDECIDED = "not applicable", "cannot be judged"


@dataclass(frozen=True)
class Breach:
    """An instance of a law on which a metric breaks it."""

    law: str
    reading: str
    base: Stack  #: what the instance was made of; `ordeval.laws._search.breaches` finds it again
    tables: tuple[Stack, ...]  #: one for each side, rows the truth
    edges: tuple[Edges | None, ...]
    forms: tuple[str, ...]
    scores: tuple[float, ...]
    outcome: str  #: what happened instead of what should have
    found: str = "enumerated"  #: or "random", by the search beyond the bounds and made smaller; "recorded", on the metric itself

    @property
    def rows(self) -> int:
        return int(self.base.sum())

    @property
    def classes(self) -> int:
        return int(self.base.shape[-1])


@dataclass(frozen=True)
class LawVerdict:
    """What is known of one law, in one of its readings."""

    law: str
    reading: str
    status: str
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
        return self.status in (HOLDS, PROVED)

    @property
    def definition(self) -> Law:
        return get_law(self.law)

    @property
    def read(self) -> Reading:
        return next(reading for reading in self.definition.readings if reading.name == self.reading)

    def __str__(self) -> str:
        from ordeval.laws._text import verdict_line

        return verdict_line(self)


@dataclass(frozen=True)
class LawReport:
    """The verdicts on one metric.  Printing it shows everything."""

    metric: str
    k: int
    n: int
    verdicts: Mapping[str, LawVerdict]  #: by law, each as it is meant without further words
    readings: Mapping[str, Mapping[str, LawVerdict]] = field(default_factory=dict)  #: by law, all its readings by name

    def __getitem__(self, law: str) -> LawVerdict:
        return self.verdicts[get_law(law).name]

    @property
    def broken(self) -> dict[str, Breach]:
        """The laws that fail, each with its smallest counter-example."""
        return {law: verdict.breach for law, verdict in self.verdicts.items() if verdict.breach is not None}

    def __str__(self) -> str:
        from ordeval.laws._text import law_report

        return "\n".join(law_report(self))


@dataclass(frozen=True)
class LawTable:
    """The verdicts on many metrics.  Printing it shows one line per metric."""

    laws: tuple[str, ...]
    reports: Mapping[str, LawReport]

    def __getitem__(self, cell: tuple[str, str]) -> LawVerdict:
        metric, law = cell
        return self.reports[metric][law]

    def __str__(self) -> str:
        from ordeval.laws._text import law_table

        return "\n".join(law_table(self))
