"""Long work shows how far it is, on a terminal only, on stderr only, and only when it is long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

PATIENCE = 2.0  # seconds before anything is shown


def shown(chunks: Iterable[slice], size: int, what: str) -> Iterator[slice]:
    """The same chunks of a list of this size; from the third second on, the share that is done."""
    started, visible = time.monotonic(), False
    for chunk in chunks:
        yield chunk
        if time.monotonic() - started > PATIENCE and sys.stderr.isatty():
            visible = True
            print(f"\r{what}: {chunk.stop / size:.0%}", end="", file=sys.stderr, flush=True)
    if visible:
        print("\r" + " " * (len(what) + 6) + "\r", end="", file=sys.stderr, flush=True)
