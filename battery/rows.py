"""What every subject of the battery is made of: rows, each with how it is tried and the bad implementations that it must report."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

T, R = TypeVar("T"), TypeVar("R")
ROOT = Path(__file__).resolve().parent.parent
APART = True  # tasks have processes of their own
sys.path[:0] = [path for path in (str(ROOT / "tests"), str(ROOT / "benchmarks")) if path not in sys.path]


@dataclass
class Row:
    """One line of the table."""

    subject: str
    question: str
    tried: int
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0
    note: str = ""
    details: list[str] = field(default_factory=list)  #: Markdown that stands below the table
    planted: int = 0  #: bad implementations that were tried first
    caught: int = 0  #: those of them that the row reported

    def __str__(self) -> str:
        note = f"; {self.note}" if self.note else ""
        plants = f"; caught {self.caught} of {self.planted}" if self.planted else ""
        return f"{self.subject}: {self.question}: tried {self.tried:,}, failed {len(self.failures)}{plants} ({self.seconds:.0f} s{note})"


@dataclass(frozen=True)
class Scope:
    """How much of a row is tried, and the seed of its random cases."""

    part: Literal["all", "slice", "plant"]
    seed: int

    def choose(self, everything: T, slice_: T, plant: T) -> T:
        """One of three, by the part: all of it, a slice for every day, as little as shows a bad implementation."""
        return {"all": everything, "slice": slice_, "plant": plant}[self.part]

    @property
    def seeds(self) -> str:
        return f"seed {self.seed}"


Plant = Callable[[], AbstractContextManager[object]]  # inside, an implementation is bad


@dataclass(frozen=True)
class Check:
    """A row of the battery: how it is tried, and two or more bad implementations that it must report."""

    name: str  #: the subject and a word: "enumeration.exact"
    run: Callable[[Scope], Row]
    planted: dict[str, Plant]
    costly: bool = False  #: its plants take minutes, and wait for `make battery`
    seeded: bool = True  #: its cases are drawn, so that a failure names the seed

    @property
    def subject(self) -> str:
        return self.name.partition(".")[0]


def try_plants(check: Check, seed: int) -> tuple[int, list[str]]:
    """How many plants the row caught, and what is wrong with it: a plant that passed, or a failure where nothing was planted."""
    scope = Scope("plant", seed)
    wrong = [f"it fails where nothing is planted: {failure}" for failure in _failures(check, scope)[:3]]
    caught = 0
    for name, plant in check.planted.items():
        try:
            with plant():
                found = _failures(check, scope)
        except Exception as error:  # a row that breaks has reported nothing
            wrong.append(f"planted, and the row itself broke: {name}: {type(error).__name__}: {error}")
            continue
        say(f"{check.name}: planted: {name}: {'caught' if found else 'NOT NOTICED'}{f' ({found[0][:150]})' if found else ''}")
        caught += bool(found)
        if not found:
            wrong.append(f"planted and not noticed: {name}")
    return caught, wrong


def _failures(check: Check, scope: Scope) -> list[str]:
    return check.run(scope).failures


def try_row(check: Check, scope: Scope, plants: bool) -> Row:
    """The row, its plants first."""
    caught, wrong = try_plants(check, scope.seed) if plants else (0, [])
    row = check.run(scope)
    row.planted, row.caught = (len(check.planted), caught) if plants else (0, 0)
    row.failures = [*wrong, *row.failures]
    if row.failures:
        seed = f" --seed {scope.seed}" if check.seeded or wrong else ""
        again = f"python -m battery.run --only {check.subject}{' --slice' if scope.part == 'slice' else ''}{seed}"
        row.failures = [failure if "(again: " in failure else f"{failure} (again: {again})" for failure in row.failures]
    if check.seeded and scope.seeds not in row.note:
        row.note = f"{row.note}, {scope.seeds}" if row.note else scope.seeds
    return row


class Clock:
    seconds = 0.0


@contextmanager
def timed() -> Iterator[Clock]:
    clock, started = Clock(), time.monotonic()
    try:
        yield clock
    finally:
        clock.seconds = time.monotonic() - started


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def in_parallel(work: Callable[[T], R], tasks: list[T], what: str) -> list[R]:
    """The work done on every task, by as many processes as there are cores, in the order of the tasks.

    Never here: libraries that have started threads would hang in the next fork.
    """
    from multiprocessing import get_context

    if not APART:
        return [work(task) for task in tasks]
    found: list[R] = []
    with get_context("fork").Pool(min(os.cpu_count() or 1, len(tasks))) as pool:
        for i, result in enumerate(pool.imap(work, tasks), 1):
            found.append(result)
            if i % 20 == 0 or i == len(tasks):
                say(f"{what}: {i} of {len(tasks)}")
    return found
