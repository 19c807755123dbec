"""What every subject of the battery hands back: how much was tried, what failed, how long it took."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

T, R = TypeVar("T"), TypeVar("R")
ROOT = Path(__file__).resolve().parent.parent
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

    def __str__(self) -> str:
        note = f"; {self.note}" if self.note else ""
        return f"{self.subject}: {self.question}: tried {self.tried:,}, failed {len(self.failures)} ({self.seconds:.0f} s{note})"


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
    """The work done on every task, by as many processes as there are cores, in the order of the tasks."""
    from multiprocessing import get_context

    found: list[R] = []
    with get_context("fork").Pool(min(os.cpu_count() or 1, len(tasks))) as pool:
        for i, result in enumerate(pool.imap(work, tasks), 1):
            found.append(result)
            if i % 20 == 0 or i == len(tasks):
                say(f"{what}: {i} of {len(tasks)}")
    return found
