"""Heavy work in processes of its own: one step after the other, progress, Stop, and at most so many at once."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

import ordeval as oe

MOST = max(1, min(4, (os.cpu_count() or 2) - 1))  # at the same time; the others wait
MANY_CLASSES, MANY_MODELS, MANY_ROWS = 12, 6, 2_000_000
LOOK = 0.1  # seconds between two looks at a process

Step = tuple[Callable[..., Any], tuple[Any, ...]]


def is_heavy(counts: oe.Counts) -> bool:
    """Whether scoring these rows would hold up the others."""
    return counts.scale.K > MANY_CLASSES or len(counts.models) > MANY_MODELS or counts.total > MANY_ROWS


def _context() -> Any:
    """Processes that start quickly and hold none of a server's threads."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(["ordeval.app.jobs"])
    return context


_CONTEXT = _context()
_TURNS = threading.BoundedSemaphore(MOST)


def _work(pipe: Connection, steps: Sequence[Step]) -> None:
    """In the process: every result as soon as it is there."""
    try:
        for function, given in steps:
            pipe.send(("done", function(*given)))
    except Exception as error:  # it is said on the page
        pipe.send(("failed", str(error)))
    finally:
        pipe.close()


class Job:
    """Steps that run one after the other in a process; what is there can be read at any time."""

    def __init__(self, steps: Sequence[Step], turns: threading.Semaphore = _TURNS) -> None:
        self.steps: list[Step] = list(steps)
        self.results: list[Any] = []
        self.state: str = "waiting"  #: then "running", and "done", "failed" or "stopped"
        self.problem: str = ""
        self.process: Any = None
        self._turns = turns
        self._stop = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def share(self) -> float:
        return len(self.results) / len(self.steps)

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "failed", "stopped")

    def stop(self) -> None:
        """End it; its process is killed."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Until it is over and its process is gone."""
        return self._ended.wait(seconds)

    def _watch(self) -> None:
        try:
            while not self._turns.acquire(timeout=LOOK):
                if self._stop.is_set():
                    self.state = "stopped"
                    return
            try:
                self.state = self._run()
            except OSError as error:  # its process could not be started
                self.state, self.problem = "failed", f"no process could be started for it ({error})"
            finally:
                self._turns.release()
        finally:
            self._ended.set()

    def _run(self) -> str:
        if self._stop.is_set():
            return "stopped"
        mine, theirs = _CONTEXT.Pipe(duplex=False)
        self.process = _CONTEXT.Process(target=_work, args=(theirs, self.steps), daemon=True)
        self.process.start()
        theirs.close()
        self.state = "running"
        try:
            return self._listen(mine)
        finally:
            if self.process.is_alive():
                self.process.kill()
            self.process.join()
            mine.close()

    def _listen(self, pipe: Connection) -> str:
        while not self._stop.is_set():
            if not pipe.poll(LOOK):
                continue
            try:
                kind, value = pipe.recv()
            except EOFError:  # the process has ended
                break
            if kind == "failed":
                self.problem = value
                return "failed"
            self.results.append(value)
        if self._stop.is_set():
            return "stopped"
        if len(self.results) == len(self.steps):
            return "done"
        self.problem = "the computation stopped unexpectedly; perhaps there was not enough memory"
        return "failed"
