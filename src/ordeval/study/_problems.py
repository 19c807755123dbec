"""What is wrong with a study: everything at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ordeval.base.errors import ArgumentError, data
from ordeval.show import Block, Paragraph, ResultList, Table
from ordeval.show._plain import count_text, printable
from ordeval.show._result import Record


@dataclass(frozen=True)
class StudyProblem:
    """One fault: where, and what."""

    place: str  #: a key such as ``missing.answer``, a table such as ``[output]``, a gate by its number, or a file
    said: str
    of_rows: bool = False  #: about the rows, and not about the study file

    def __str__(self) -> str:
        return f"{self.place}: {self.said}" if self.place else self.said


class StudyProblems(ResultList[StudyProblem]):
    """Every problem of a study file, or of the rows that it names; empty, and so false, when there is none."""

    def __init__(self, records: Iterable[StudyProblem], source: str = "study") -> None:
        super().__init__(records)
        self.source = source

    @property
    def of_rows(self) -> bool:
        """Whether they are about the rows; a study file with problems of its own is mended first."""
        return any(problem.of_rows for problem in self)

    def _rows(self) -> list[Record]:
        return [{"place": problem.place, "problem": problem.said} for problem in self]

    def _blocks(self) -> list[Block]:
        rows = [[problem.place, problem.said] for problem in self]
        return [Paragraph(self._title), *([Table(["place", "problem"], rows, left=2)] if rows else [])]

    @property
    def _title(self) -> str:
        return f"{self.source}: {count_text(len(self), 'problem') if len(self) else 'no problem'}"

    def __str__(self) -> str:
        return "\n".join([printable(self._title), *(f"  {printable(str(problem))}" for problem in self)])


class StudyError(ArgumentError):
    """A study that cannot be followed, with all of its problems."""

    def __init__(self, problems: StudyProblems) -> None:
        super().__init__(data(str(problems)), argument="source" if problems.of_rows else "study")
        self.problems = problems

    def __reduce__(self) -> tuple[type[StudyError], tuple[StudyProblems]]:
        return StudyError, (self.problems,)
