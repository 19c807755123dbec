"""Long work shows how far it is, on a terminal only, on stderr only, and only when it is long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

PATIENCE = 2.0  # seconds before anything is shown


class Share:
    """A line that says which share of some work is done, from the third second on; it is wiped at the end."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.started: float = time.monotonic()
        self.width: int = 0

    def show(self, share: float) -> None:
        if share < 0 or time.monotonic() - self.started < PATIENCE or not sys.stderr.isatty():
            return
        line = f"{self.what}: {share:.0%}"
        self.width = max(self.width, len(line))
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)


def shown(chunks: Iterable[slice], size: int, what: str) -> Iterator[slice]:
    """The same chunks of a list of this size; from the third second on, the share that is done."""
    with Share(what) as share:
        for chunk in chunks:
            yield chunk
            share.show(chunk.stop / size)
