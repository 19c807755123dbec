"""DuckDB, embedded: the engine behind files.  Nothing is downloaded, a query shows how far it is and can be interrupted."""

from __future__ import annotations

import re
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ordeval.base.progress import Share

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

T = TypeVar("T")

POLL = 0.1  # seconds between two looks at how far a query is


def connect() -> DuckDBPyConnection:
    """A database in memory; what does not fit is spilled to the folder for temporary files, and removed again."""
    try:
        with _undisturbed():
            import duckdb
    except ModuleNotFoundError:
        raise ModuleNotFoundError('reading files needs DuckDB; install it with  pip install "ordeval[cli]"') from None
    try:
        connection = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "temp_directory": tempfile.gettempdir(),
            },
        )
        connection.execute("SET enable_progress_bar = true")  # keeps track of the share that is done ...
        connection.execute("SET enable_progress_bar_print = false")  # ... and leaves the showing to us
    except duckdb.OutOfMemoryException:
        raise MemoryError("DuckDB could not start") from None
    return connection


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits for the end: DuckDB ends the process where it is interrupted while it is loaded."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is None:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        raise KeyboardInterrupt


def run(connection: DuckDBPyConnection, work: Callable[[], T], what: str) -> T:
    """The result of some work on the connection.  Ctrl-C interrupts the query instead of waiting for its end."""
    outcome: list[Any] = []
    begun, done = threading.Event(), threading.Event()  # an interrupted Thread.join takes a running thread for an ended one

    def answer() -> None:
        begun.set()
        try:
            outcome.append((work(), None))
        except BaseException as error:
            outcome.append((None, error))
        finally:
            done.set()

    with Share(what) as share:
        try:
            _start(answer)
            while not done.wait(POLL):
                share.show(connection.query_progress() / 100)
        except BaseException:
            begun.wait(1)  # the thread may be just starting, or not at all
            while begun.is_set() and not done.is_set():
                connection.interrupt()
                done.wait(POLL)
            raise
    result, error = outcome[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _start(work: Callable[[], None]) -> None:
    try:
        threading.Thread(target=work).start()
    except RuntimeError as error:  # Python's word for a system that gives no more memory, or no more threads
        raise MemoryError(str(error)) from None


def quoted(text: str) -> str:
    """Text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def named(name: str) -> str:
    """A column's name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def path_list(paths: Sequence[str]) -> str:
    """Paths as a list of SQL, each taken as it is: brackets and stars in a name are no pattern, and a name is never a web address."""
    return "[" + ", ".join(quoted(re.sub(r"([\[*?])", r"[\1]", path)) for path in paths) + "]"
