"""Programs that the tests start: each in a process group of its own, and none outlives its test."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

GUARD = 120  # seconds: only so that a program that hangs does not hang the tests
MARK = "ORDEVAL_TESTS"  # in the environment of everything that a test session starts, so that an orphan is known by it
HAS_PROC = Path("/proc/self/stat").exists()


class Children:
    """Starts this Python with some arguments; at the end of the block what it started is ended, with its whole group."""

    def __enter__(self):
        self.started = []
        return self

    def __call__(self, *arguments, **options):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what is ignored here would be ignored there
        try:
            process = subprocess.Popen([sys.executable, *map(str, arguments)], start_new_session=True, **{**pipes, **options})
        finally:
            signal.signal(signal.SIGINT, before)
        self.started.append(process)
        return process

    def __exit__(self, *error):
        for process in self.started:
            below = descendants(process.pid)
            if process.poll() is None:
                process.terminate()  # a program that has started others ends them
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            end(below)
            for pipe in (process.stdin, process.stdout, process.stderr):
                with suppress(BrokenPipeError):  # what was still to be written
                    if pipe is not None:
                        pipe.close()
            process.wait(GUARD)


def end(processes):
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _parents():
    """The parent of every process that has not ended."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                found[int(entry.name)] = int(parent)
    return found


def descendants(parent):
    """Processes that this one started, and those that they started; none where there is no /proc."""
    parents, found, waiting = _parents(), [], [parent]
    while waiting:
        above = waiting.pop()
        children = [process for process, of in parents.items() if of == above]
        found += children
        waiting += children
    return found


def command_of(process):
    """Its words, or nothing if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


def left_behind(mark):
    """What this process started, or what was started by something that has ended since, and still runs after a while."""

    def is_marked(process):
        with suppress(OSError):  # it has ended, or is somebody else's
            return mark.encode() in Path(f"/proc/{process}/environ").read_bytes()
        return False

    found = set()
    for _ in range(300):  # one that is ending gets half a minute
        found = {*descendants(os.getpid()), *filter(is_marked, _parents())} - {os.getpid()}
        found = {process for process in found if "resource_tracker import main" not in command_of(process)}  # ends with Python
        if not found:
            break
        time.sleep(0.1)
    return sorted(found)


#: Before a program that reads a file: it prints "ready" in the midst of the query, and "stopped" if the query itself was interrupted.
SAYS_HOW_READING_ENDS = """
import duckdb
from ordeval.read import duck, files

show, run, said = duck.Share.show, files.run, []

def show_and_say(self, share):
    if share > 0.05 and not said and self.what.startswith("reading"):
        said.append(share)
        print("ready", flush=True)
    show(self, share)

def run_and_say(connection, work, what):
    def answer():
        try:
            return work()
        except duckdb.InterruptException:
            print("stopped", flush=True)
            raise
    return run(connection, answer, what)

duck.Share.show, files.run = show_and_say, run_and_say
"""


def until(true):
    """Wait for a state; the limit only guards against hanging."""
    end = time.monotonic() + GUARD
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
