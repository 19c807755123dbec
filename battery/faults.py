"""Killed, out of disk, interrupted, out of memory, in another country: the old file or the new one, a named error, the same bytes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from battery.plants import in_others
from battery.rows import ROOT, Check, Plant, Row, Scope, say, timed

#: the steps of writing a file, each with the function of the system that takes it
STEPS = ("tempfile.mkstemp", "os.fsync", "os.chmod", "os.link", "os.replace", "os.unlink")

#: what writes: the program, with PATH for the file; each makes the same file again and again
WRITERS = {
    "Counts.save": "oe.count([0, 1, 1], [0, 1, 0]).save(PATH, force=FORCE)",
    "Accumulator.save": "total = oe.Accumulator([0, 1]); total.update([0, 1], [0, 1]); total.save(PATH, force=FORCE)",
    "report": "oe.evaluate([0, 1, 1] * 9, [0, 1, 0] * 9, metrics=['mae'], n_resamples=499).report(PATH, force=FORCE)",
    "figure": "oe.plot.ErrorProfileDisplay.from_counts(oe.count([0, 1, 1], [0, 1, 0])).save(PATH, force=FORCE)",
}
ENDINGS = {"Counts.save": "json", "Accumulator.save": "json", "report": "html", "figure": "svg"}
KILL = """
import os, signal, sys, tempfile, warnings
warnings.simplefilter("ignore")
import ordeval as oe
PATH, FORCE, MODULE, STEP, WHEN = sys.argv[1], sys.argv[2] == "1", *sys.argv[3].split("."), sys.argv[4]
real = getattr(sys.modules[MODULE], STEP)
def fatal(*args, **kwargs):
    if WHEN == "before": os.kill(os.getpid(), signal.SIGKILL)
    found = real(*args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
    return found
def write():
    {writer}
if WHEN != "never": setattr(sys.modules[MODULE], STEP, fatal)
write()
"""
#: the command line, which says when it has begun
READY = """
import ordeval.__main__ as command_line
begin = command_line._run
def begin_and_say(args):
    print("ready", flush=True)
    begin(args)
command_line._run = begin_and_say
command_line.main()
"""
#: What runs before the command, so that an array cannot be made in the midst of it, wherever the limit of memory would be met.
NO_ARRAY = {
    f"no room for {function}": f"""
import numpy as np
import ordeval.cli.program
def refuse(*args, **options): raise MemoryError("no room")
np.{function} = refuse
"""
    for function in ("zeros", "concatenate")
}
ROWS = "y,p\n" + "a,a\nb,b\nb,c\nc,c\n" * 25


Fault = Callable[[Path, Scope], tuple[int, list[str]]]


def _row(fault: Fault) -> Callable[[Scope], Row]:
    def run(scope: Scope) -> Row:
        with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
            tried, wrong = fault(Path(folder), scope)
        say(f"faults: {fault.__name__}: tried {tried}, failed {len(wrong)}")
        if not tried:
            wrong.append("nothing was tried")
        return Row("faults", (fault.__doc__ or "").partition(".")[0].lower(), tried, wrong, clock.seconds)

    return run


def _python(*args: object, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **options.pop("environment", {})}  # type: ignore[dict-item]
    return subprocess.run(
        [sys.executable, *map(str, args)], capture_output=True, text=True, check=False, env=environment, **options
    )  # type: ignore[call-overload, no-any-return]


def _ordeval(*args: object, **options: object) -> subprocess.CompletedProcess[str]:
    return _python("-m", "ordeval", *args, **options)


def _score(folder: Path) -> list[object]:
    path = folder / "rows.csv"
    if not path.exists():
        path.write_text(ROWS)
    return ["score", path, "--true", "y", "--pred", "p", "--labels", "a,b,c", "--n-resamples", "499"]


def killed(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """Kill -9 before and after every step of writing, over an old file and where there is none."""
    tried, wrong = 0, []
    steps, moments = scope.choose(
        (STEPS, ("before", "after")), (STEPS, ("before", "after")), (("os.fsync", "os.replace"), ("before",))
    )
    for writer, program in list(WRITERS.items())[: scope.choose(None, 1, 1)]:
        whole = folder / f"whole.{ENDINGS[writer]}"
        script = KILL.replace("{writer}", program)
        _python("-c", script, whole, "1", "os.fsync", "never")
        new = whole.read_bytes()
        for step in steps:
            for when in moments:
                for old in (b"the old file", None):
                    target = folder / f"target.{ENDINGS[writer]}"
                    target.unlink(missing_ok=True)
                    if old is not None:
                        target.write_bytes(old)
                    done = _python("-c", script, target, "0" if old is None else "1", step, when)
                    tried += 1
                    if done.returncode not in (-signal.SIGKILL, 0):
                        wrong.append(f"{writer}, {step}, {when}: ended with {done.returncode}: {done.stderr[-300:]}")
                    left = target.read_bytes() if target.exists() else None
                    if left not in (old, new) and not (writer in ("report", "figure") and left and len(left) > 0.9 * len(new)):
                        wrong.append(f"{writer}, {step}, {when}: a part of a file was left")
                    again = _python("-c", script, target, "1", "os.fsync", "never")
                    beside = [name for name in os.listdir(folder) if name.endswith(".part")]
                    if again.returncode or beside:
                        wrong.append(f"{writer}, {step}, {when}: the next writer left {beside} or failed: {again.stderr[-200:]}")
    return tried, wrong


def full_disk(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """A disk that is full after some bytes: the old file stays."""
    tried, wrong = 0, []
    for writer, program in list(WRITERS.items())[: scope.choose(None, None, 1)]:
        for room in scope.choose((0, 1, 60, 200), (0,), (60,)):
            target = folder / f"target.{ENDINGS[writer]}"
            target.write_bytes(b"old")
            script = "import resource, signal, sys, warnings; warnings.simplefilter('ignore'); import ordeval as oe\n"
            script += "PATH, FORCE = sys.argv[1], True\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            script += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\ntry: {program}\nexcept OSError: sys.exit(9)"
            done = _python("-c", script, target)
            tried += 1
            if done.returncode != 9 or target.read_bytes() != b"old" or any(n.endswith(".part") for n in os.listdir(folder)):
                wrong.append(f"{writer} with room for {room} bytes: ended with {done.returncode}, {done.stderr[-200:]}")
    return tried, wrong


def read_only(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """A folder that cannot be written to, is a file, or is not there: one line, exit code 3."""
    wrong = []
    places = ["/proc/ordeval.json", folder / "rows.csv" / "x.json", folder / "no" / "x.json", folder, "/dev/null/x.json"]
    for place in places[: scope.choose(None, None, 2)]:
        done = _ordeval(*_score(folder), "--format", "json", "-o", place)
        if done.returncode not in (2, 3) or done.stderr.count("\n") != 1 or done.stdout:
            wrong.append(f"{place}: ended with {done.returncode}: {done.stderr[-300:]}")
    return len(places[: scope.choose(None, None, 2)]), wrong


def interrupted(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """Ctrl-C at many moments: exit code 130 and no traceback, the whole file or none."""
    from processes import GUARD, Children

    wrong, moments = [], scope.choose([0.1 * i for i in range(30)], [0.0, 0.8, 1.6], [0.4, 0.9])
    for moment in moments:  # seconds after the program has begun; where it is by then depends on the machine
        output = folder / "out.json"
        output.unlink(missing_ok=True)
        args = [*_score(folder), "--format", "json", "-o", output, "--n-resamples", "400000"]
        with Children() as child:
            program = child("-c", READY, *args)
            program.stdout.readline()
            time.sleep(moment)
            program.send_signal(signal.SIGINT)
            _out, err = program.communicate(timeout=GUARD)
        finished = output.exists()  # written, and interrupted after that if at all
        if finished and json.loads(output.read_text())["rows"]["scored"] != 100:
            wrong.append(f"after {moment:.2f} s: a part of a file was left")
        clean = program.returncode in (130, -signal.SIGINT) and "Traceback" not in err  # a shell says 130 to both
        if not finished and not clean:
            wrong.append(f"after {moment:.2f} s: ended with {program.returncode}: {err[-300:]}")
        if left := [name for name in os.listdir(folder) if name.endswith(".part")]:
            wrong.append(f"left behind: {left}")
    return len(moments), wrong


def closed_pipe(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """A reader that goes away: no traceback."""
    from processes import GUARD, Children

    wrong = []
    commands = [["metrics"], ["explain", "cem"], _score(folder), [*_score(folder), "--format", "json"], ["--help"]]
    chosen = commands[: scope.choose(None, 2, 1)]
    for command in chosen:
        with Children() as child:
            program = child("-m", "ordeval", *command)
            program.stdout.close()
            err = program.stderr.read()
            if program.wait(GUARD) not in (0, 1) or "Traceback" in err:
                wrong.append(f"{command}: ended with {program.returncode}: {err[-300:]}")
    return len(chosen), wrong


def worker_death(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """A worker that dies between its shards: what it saved is whole, and starting again gives the same total."""
    program = """
import os, signal, sys, ordeval as oe
path, die = sys.argv[1], int(sys.argv[2])
total = oe.Accumulator.load(path) if os.path.exists(path) else oe.Accumulator([0, 1, 2])
done = total.counts.total if os.path.exists(path) else 0
for shard in range(done // 3, 20):
    total.update([0, 1, 2], [0, shard % 3, 2])
    total.save(path)
    if shard == die: os.kill(os.getpid(), signal.SIGKILL)
"""
    path, tried, wrong = folder / "shards.json", 0, []
    import ordeval as oe

    for die in scope.choose((0, 1, 5, 11, 19), (0, 5), (5,)):
        path.unlink(missing_ok=True)
        first, second = _python("-c", program, path, die), _python("-c", program, path, -1)
        tried += 1
        expected = oe.count([0, 1, 2] * 20, [code for s in range(20) for code in (0, s % 3, 2)], labels=[0, 1, 2])
        if first.returncode != -signal.SIGKILL or second.returncode or oe.Counts.load(path) != expected:
            wrong.append(f"death after shard {die}: {first.returncode}, {second.stderr[-200:]}")
    return tried, wrong


def executor_death(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """Executors of Spark and a server of PostgreSQL killed in mid-query: the exact table, or a named error."""
    whole = scope.part == "all"
    test = "tests/engines/test_lost.py" + ("" if whole else "::test_what_an_engine_refuses_is_told_in_one_sentence")
    done = _python("-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", test, cwd=ROOT)
    passed = re.search(r"(\d+) passed", done.stdout)
    unwanted = ("FAILED", "ERROR", "SKIPPED") if whole else ("FAILED", "ERROR")
    return int(passed[1]) if passed else 0, [line for line in done.stdout.splitlines() if line.startswith(unwanted)]


def little_memory(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """Too little memory: no traceback, and the old file or the whole new one.

    DuckDB's own threads, and the system's loader, may end the process where they get no memory; a file is never half-written by it.
    """
    tried, wrong = 0, []
    many, target = folder / "many.csv", folder / "out.json"
    many.write_text("y,p\n" + "".join(f"{i % 90},{i * 7 % 90}\n" for i in range(60_000)))
    limits = scope.choose((300, 350, 450, 600, 650, 700, 800, 850, 900, 1000, 1200, 1600), (600, 1200), ())
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({},) * 2)\n"
    starts = {f"{megabytes} MB": limited.format(megabytes << 20) for megabytes in limits} | NO_ARRAY
    command = ["score", str(many), "--true", "y", "--pred", "p", "--n-resamples", "499", "--metrics", "mae"]
    command += ["--format", "json", "-o", str(target), "--force"]
    for name, start in starts.items():
        target.write_text("old")
        program = f"{start}from ordeval.__main__ import main; import sys\nsys.argv[1:] = {command!r}\nmain()"
        tried += 1
        try:
            done = _python("-c", program, timeout=300)
        except subprocess.TimeoutExpired:
            wrong.append(f"{name}: no end after five minutes")
            continue
        written = target.read_text()
        try:
            whole = written == "old" if done.returncode else json.loads(written)["rows"]["scored"] == 60_000
        except ValueError:  # not JSON
            whole = False
        told = name not in NO_ARRAY or (done.returncode == 3 and "not enough memory" in done.stderr)
        if "Traceback" in done.stderr or not whole or not told:
            wrong.append(f"{name}: ended with {done.returncode}: {done.stderr[-400:]}")
    return tried, wrong


def elsewhere(folder: Path, scope: Scope) -> tuple[int, list[str]]:
    """Other locales, time zones and hash seeds: the same bytes."""
    places: list[dict[str, str]] = [{"LC_ALL": "C"}, {"PYTHONHASHSEED": "1"}, {"TZ": "Pacific/Kiritimati"}]
    if scope.part == "all":
        places += [
            {"LC_ALL": "tr_TR.UTF-8"},
            {"LC_ALL": "de_DE.UTF-8"},
            {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            {"PYTHONIOENCODING": "latin-1"},
        ]
        places += [{"PYTHONHASHSEED": str(seed)} for seed in (0, 7, 4294967295)]
        places += [
            {"TZ": "Antarctica/Troll"},
            {"TZ": "nowhere/at all"},
            {"COLUMNS": "20"},
            {"PYTHONOPTIMIZE": "1"},
            {"OMP_NUM_THREADS": "1"},
        ]
    args = [*_score(folder), "--format", "json"]
    usual, wrong = _ordeval(*args), []
    for place in places:
        done = _ordeval(*args, environment=place)
        if done.stdout != usual.stdout or done.returncode:
            wrong.append(f"{place}: ended with {done.returncode}, other bytes: {done.stderr[-200:]}")
    return len(places), wrong


# Bad programs, each a copy of the package with one mistake

FILES, ERRORS, MAIN = "src/ordeval/base/files.py", "src/ordeval/cli/errors.py", "src/ordeval/__main__.py"
ACCUMULATOR = "src/ordeval/counts/accumulator.py"
BEGIN = "    run(args)\n\n\nif __name__"
IN_PLACE = """    with _named(target), open(target, "wb") as file:
        file.write(data[: len(data) // 2])
        file.flush()
        os.fsync(file.fileno())
        file.write(data[len(data) // 2 :])
    return
"""
TRACEBACK = (
    ERRORS,
    '    print(f"ordeval: {oe.show.printable(text)}", file=sys.stderr)',
    '    traceback.print_exc()\n    print(f"ordeval: {oe.show.printable(text)}", file=sys.stderr)',
)
WITHOUT_A_TEMPORARY_FILE = (
    FILES,
    "    folder, name = os.path.split(target)\n",
    IN_PLACE + "    folder, name = os.path.split(target)\n",
)


def _before(words: str) -> tuple[str, str, str]:
    """Something that is done before a command."""
    return MAIN, BEGIN, f"    {words}\n{BEGIN}"


PLANTED: dict[Fault, dict[str, Plant]] = {
    killed: in_others(
        a_writer_without_its_temporary_file=WITHOUT_A_TEMPORARY_FILE,
        what_killed_writers_left_is_never_swept=(FILES, "        _sweep(folder, start)\n", ""),
    ),
    full_disk: in_others(
        a_writer_without_its_temporary_file=WITHOUT_A_TEMPORARY_FILE,
        a_writer_that_says_nothing=(FILES, "        if os.path.exists(beside):\n            os.unlink(beside)\n        raise", "        return"),
        a_part_of_a_file_left_beside_it=(FILES, "        if os.path.exists(beside):\n            os.unlink(beside)\n", ""),
    ),
    read_only: in_others(
        exit_code_0_after_an_error=(ERRORS, 'return _say(f"{error.filename}: {error.strerror}", INPUT)', 'return _say(f"{error.filename}: {error.strerror}", DONE)'),
        a_traceback_printed=TRACEBACK,
    ),
    interrupted: in_others(
        a_traceback_printed=(ERRORS, "        return INTERRUPTED\n", "        traceback.print_exception(error)\n        return INTERRUPTED\n"),
        another_exit_code=(ERRORS, "        return INTERRUPTED\n", "        return FAILED\n"),
    ),
    closed_pipe: in_others(
        a_traceback_printed=(ERRORS, "        os.dup2(os.open(os.devnull", "        traceback.print_exception(error)\n        os.dup2(os.open(os.devnull"),
        a_bug_of_ours=(ERRORS, "        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())\n        return DONE", "        return BUG"),
    ),
    worker_death: in_others(
        what_was_saved_is_forgotten=(ACCUMULATOR, "        found._batches = [counts]\n", ""),
        the_first_batch_alone_is_kept=(ACCUMULATOR, "self._batches = [Counts.sum(self._batches)]", "self._batches = self._batches[:1]"),
        an_old_file_is_never_replaced=(ACCUMULATOR, "        self.counts.save(path, force=force)", "        os.path.exists(path) or self.counts.save(path, force=force)"),
    ),
    executor_death: in_others(
        an_engines_own_error_passed_on=("src/ordeval/read/frames.py", "            raise engine_refusal(error, self.shown) from error", "            raise"),
        the_reason_is_lost=("src/ordeval/read/refusals.py", 'first = (lines[0] if lines else type(error).__name__).rstrip(".")', 'first = type(error).__name__'),
    ),
    little_memory: in_others(
        a_traceback_printed=TRACEBACK,
        a_file_emptied_before_the_work=_before('open(args[args.index("-o") + 1], "w").close()'),
    ),
    elsewhere: in_others(
        bytes_that_depend_on_the_hash_seed=_before('print(hash("a"))'),
        bytes_that_depend_on_the_time_zone=_before('print(__import__("time").localtime(0).tm_zone)'),
        bytes_that_depend_on_the_locale=_before("print(sys.flags.utf8_mode, sys.stdout.encoding)"),
    ),
}  # fmt: skip
CHECKS = tuple(Check(f"faults.{fault.__name__}", _row(fault), planted, seeded=False) for fault, planted in PLANTED.items())
