"""Mutants tried against the fast tests: collected once, forked for every mutant.

A first run notes which tests pass through which statement.  Then every mutant gets a process of its own: a fork, in which the code of one
function is exchanged and the tests that pass through it are run, the quickest first, until one fails.  What cannot be exchanged in a running
process (constants of a module, arguments of a decorator, default values, what runs while the package is imported) is tried in a
fresh process on a copy of the tree.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import hashlib
import importlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from battery.mutants import Mutant
from battery.plants import functions_of
from battery.rows import ROOT, say
from battery.trees import copy_of_tree, first_failure

TESTS = "not slow or thorough"  # those that run in this process
TOGETHER = 2  # mutants tried at the same time
MOST_SECONDS = 8.0  # of tests for one mutant
MOST_FRESH = 5.0  # the same in a fresh process, which takes seconds to start
DEAR = 0.05  # seconds to make what tests of a file share: those tests are run one after the other
LEAST_LIMIT = 10  # seconds of CPU time that a mutant has at least
UNREACHED = "no fast test passes through it"


@dataclass
class Outcome:
    """What became of a mutant: killed by a test, by a time limit, or alive."""

    file: str
    line: int
    code: str  #: that line, by which the mutant is found again when lines have moved
    operator: str
    before: str
    after: str
    killed: bool
    by: str  #: the first test that failed, or "time"; for a survivor what was tried
    again: int = 0  #: how many mutants above it in the file read the same

    @property
    def key(self) -> tuple[str | int, ...]:
        return self.file, self.code, self.operator, self.before, self.after, self.again


# Exchanging code in a running process


def exchange(file: str, source: bytes | ast.Module) -> bool:
    """Give the living functions of a module the code of another version of it.  False if nothing could be exchanged."""
    path = str(ROOT / file)
    old = list(functions_of(compile((ROOT / file).read_bytes(), path, "exec", dont_inherit=True)))
    new = list(functions_of(compile(source, path, "exec", dont_inherit=True)))
    if [code.co_name for code in old] != [code.co_name for code in new]:
        return False
    functions, caches = living()
    exchanged = 0
    for before, after in ((a, b) for a, b in zip(old, new, strict=True) if a != b):
        for found in functions[path, before.co_firstlineno, before.co_name]:
            if found.__code__ == before and after.co_freevars == before.co_freevars:
                found.__code__ = after
                exchanged += 1
    for cache in caches:
        cache.cache_clear()
    return exchanged > 0


def module_of(file: str) -> str:
    return file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@functools.cache
def living() -> tuple[dict[tuple[str, int, str], list[FunctionType]], list[Any]]:
    """The functions of the package that are in memory, by file, line and name; and its caches, which may hold what they gave."""
    from battery.looks import files

    for file in files():  # what is imported when first used would be missed
        if "/app/entry/" in file or file.endswith("__main__.py"):  # programs, which begin to work when they are imported
            continue
        try:
            importlib.import_module(module_of(file))
        except ImportError as error:
            say(f"mutation: {file} is not imported: {error}")
    functions, caches = defaultdict(list), []
    source = str(ROOT / "src")
    for found in gc.get_objects():
        if type(found) is FunctionType and found.__code__.co_filename.startswith(source):
            functions[found.__code__.co_filename, found.__code__.co_firstlineno, found.__code__.co_name].append(found)
        elif type(found) is functools._lru_cache_wrapper and str(found.__module__).startswith("ordeval"):
            caches.append(found)
    return functions, caches


class _Tracer(ast.NodeTransformer):
    """Puts a call before every statement in a function, and into every lambda, that notes the line of the statement."""

    def __init__(self, number: int) -> None:
        self.number, self.depth, self.line = number, 0, 1

    def visit(self, node: ast.AST) -> ast.AST:
        before = self.line
        if isinstance(node, ast.stmt):
            self.line = node.lineno
        visited: ast.AST = super().visit(node)
        self.line = before
        return visited

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        noted = ast.parse(f"(_ordeval_passed(({self.number}, {self.line})), 0)[1]", mode="eval").body
        assert isinstance(noted, ast.Subscript)
        assert isinstance(noted.value, ast.Tuple)
        for part in ast.walk(noted):
            if isinstance(part, ast.expr):
                ast.copy_location(part, node.body)
        noted.value.elts[1] = node.body
        node.body = noted
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if self.depth or isinstance(node, ast.FunctionDef):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt) and not isinstance(node, ast.ClassDef):
                    setattr(node, field, [part for statement in block for part in (self._note(statement), statement)])
        return node

    def _note(self, statement: ast.stmt) -> ast.stmt:
        call = ast.parse(f"_ordeval_passed(({self.number}, {statement.lineno}))").body[0]
        for part in ast.walk(call):
            if isinstance(part, (ast.expr, ast.stmt)):
                part.lineno = part.end_lineno = statement.lineno
                part.col_offset = part.end_col_offset = 0
        return call


#: Prints which lines of the package's functions run while it is imported, so that exchanging them later shows nothing.
AT_IMPORT = """
import importlib, json, sys
root, modules = sys.argv[1], json.loads(sys.argv[2])
seen = set()
def line(frame, event, arg):
    if event == "line": seen.add((frame.f_code.co_filename, frame.f_lineno))
    return line
def call(frame, event, arg):
    return line if frame.f_code.co_filename.startswith(root) and frame.f_code.co_flags & 1 else None
sys.settrace(call)
for module in modules:
    try: importlib.import_module(module)
    except ImportError: pass
sys.settrace(None)
print(json.dumps(sorted(seen)))
"""


def lines_at_import(names: list[str]) -> set[tuple[str, int]]:
    modules = [module_of(file) for file in names if "/app/entry/" not in file and not file.endswith("__main__.py")]
    command = [sys.executable, "-c", AT_IMPORT, str(ROOT / "src"), json.dumps(modules)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found = json.loads(done.stdout.splitlines()[-1])
    return {(str(Path(file).relative_to(ROOT)), line) for file, line in found}


# The session


class Session:
    """A pytest plugin that runs mutants instead of tests."""

    def __init__(
        self,
        mutants: list[Mutant],
        names: list[str],
        until: float = float("inf"),
        controls: Iterable[Mutant] = (),
        folder: Path | None = None,
    ) -> None:
        self.mutants, self.names, self.until, self.folder = mutants, names, until, folder
        self.controls = list(controls)  # tried first, and no part of the outcomes
        self.of_controls: list[Outcome] = []
        self.outcomes: list[Outcome] = []
        self.broken: list[str] = []
        self.diary: Path | None = None
        self.items: dict[str, pytest.Item] = {}
        self.seen: set[tuple[int, int]] = set()  # lines passed since the last test began
        self.of_fixtures: dict[str, tuple[set[tuple[int, int]], float]] = {}  # lines and seconds of what tests share

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Any:
        """What a shared fixture passes through belongs to every test that uses it, not only to the first."""
        before, started = set(self.seen), time.process_time()
        self.seen.clear()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                lines, cost = self.of_fixtures.get(_name(fixturedef), (set(), 0.0))
                self.of_fixtures[_name(fixturedef)] = lines | self.seen, max(cost, time.process_time() - started)
            self.seen |= before

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise SystemExit("the tests could not be collected")
        self.items = {item.nodeid: item for item in session.items}
        living()
        data = self._baseline(session.items)
        self.seconds, self.shared, self.broken = data["seconds"], data["shared"], data["failed"]
        self.at_import = {(file, line) for file, line in data["imported"]}
        self.through: dict[tuple[str, int], list[str]] = defaultdict(list)
        self.through_file: dict[str, set[str]] = defaultdict(set)
        for test, lines in data["passed"].items():
            for number, line in lines:
                self.through[self.names[number], line].append(test)
                self.through_file[self.names[number]].add(test)
        gc.freeze()  # children share the memory as long as nobody walks through it
        self._try(self.controls)
        self.of_controls, self.outcomes = self.outcomes, []
        if self.folder is None:
            self.diary = self._known(".outcomes")  # an interrupted run goes on where it was
            self.outcomes = _read_outcomes(self.diary)
        done = {(outcome.line, outcome.key) for outcome in self.outcomes}
        self._try([mutant for mutant in self.mutants if (mutant.line, mutant.key) not in done])
        wanted = {(mutant.line, mutant.key) for mutant in self.mutants}
        self.outcomes = [outcome for outcome in self.outcomes if (outcome.line, outcome.key) in wanted]
        return True

    def _try(self, mutants: list[Mutant]) -> None:
        running: dict[int, tuple[Mutant, Path, list[str], int]] = {}
        started = time.monotonic()
        for i, mutant in enumerate(mutants, 1):
            if time.monotonic() > self.until:
                say(f"mutation: the time is over after {i - 1} of {len(mutants)}")
                break
            running.update([self._fork(mutant)])
            while len(running) >= TOGETHER:
                self._collect(running)
            if i % 20 == 0:
                say(f"mutation: {i} of {len(mutants)}, {time.monotonic() - started:.0f} s")
        while running:
            self._collect(running)

    # Which tests pass through what

    def _baseline(self, tests: list[pytest.Item]) -> dict[str, Any]:
        """Which statements each test passes through, and how long it takes; kept until source or tests change."""
        known = self._known(".json")
        if not known.exists():
            say(f"mutation: {len(tests)} tests are run once, to see what each passes through")
            by_file = defaultdict(list)
            for test in tests:
                by_file[test.path].append(test)
            halves: list[list[pytest.Item]] = [[] for _ in range(TOGETHER)]
            for group in sorted(by_file.values(), key=len, reverse=True):
                min(halves, key=len).extend(group)
            children = [
                (self._trace(half, known.with_suffix(f".{n}")), known.with_suffix(f".{n}")) for n, half in enumerate(halves)
            ]
            imported = sorted(lines_at_import(self.names))
            found: dict[str, Any] = {"passed": {}, "seconds": {}, "shared": {}, "failed": [], "imported": imported}
            for child, path in children:
                if (status := os.waitpid(child, 0)[1]) != 0:
                    raise SystemExit(f"the first run of the tests ended with {status}")
                part = json.loads(path.read_text())
                for name in ("passed", "seconds", "shared"):
                    found[name] |= part[name]
                found["failed"] += part["failed"]
                path.unlink()
            _write(known, found)
        data: dict[str, Any] = json.loads(known.read_text())
        return data

    def _trace(self, tests: list[pytest.Item], path: Path) -> int:
        """A child that runs some tests and writes what each passes through."""
        child = os.fork()
        if child:
            return child
        words = os.dup(2)
        _quiet()
        try:
            builtins._ordeval_passed = self.seen.add  # type: ignore[attr-defined]
            for number, file in enumerate(self.names):
                exchange(file, ast.fix_missing_locations(_Tracer(number).visit(ast.parse((ROOT / file).read_bytes()))))
            passed, seconds, shared, failed = {}, {}, {}, []
            for i, test in enumerate(tests):
                self.seen.clear()
                known = set(self.of_fixtures)
                if i % 500 == 499:
                    os.write(
                        words, f"mutation: {i + 1} of {len(tests)} tests, {time.process_time():.0f} s of CPU time\n".encode()
                    )
                started = time.process_time()
                if not _passes(test, tests[i + 1] if i + 1 < len(tests) else None):
                    failed.append(test.nodeid)
                    continue
                used = {name: self.of_fixtures[name] for name in _fixtures_of(test) if name in self.of_fixtures}
                made = sum(cost for name, (_, cost) in used.items() if name not in known)  # by this test, for others too
                seconds[test.nodeid] = max(0.0, time.process_time() - started - made)
                shared[test.nodeid] = {name: cost for name, (_, cost) in used.items()}
                passed[test.nodeid] = sorted(self.seen.union(*(lines for lines, _ in used.values())))
            _write(path, {"passed": passed, "seconds": seconds, "shared": shared, "failed": failed})
            os._exit(0)
        except BaseException as error:
            import traceback

            os.write(words, "".join(traceback.format_exception(error)).encode())
            os._exit(1)

    # One mutant

    def _fork(self, mutant: Mutant) -> tuple[int, Any]:
        tests = self._spread(self.through.get((mutant.file, mutant.statement), []), MOST_SECONDS)
        fresh = self._for_a_fresh_process(mutant, tests)
        shared = {name: cost for test in tests for name, cost in self.shared[test].items()}
        limit = int(LEAST_LIMIT + 6 * (sum(self.seconds[test] for test in tests) + sum(shared.values())))
        report = Path(tempfile.mkstemp(prefix="ordeval-mutant-")[1])
        child = os.fork()
        if child == 0:
            _quiet()
            try:
                if not tests and not fresh:
                    report.write_text(UNREACHED)
                    os._exit(0)
                if mutant.inside and tests:
                    if self._make(mutant):
                        _limit(limit)
                        self._run(tests, report)
                        _limit(None)
                    else:  # a part of it came or went: a generator, a closure
                        fresh = fresh or self._chosen(tests)
                if fresh and (by := _fresh(mutant, fresh)):
                    report.write_text(by)
                    os._exit(1)
                os._exit(0)
            except BaseException as error:
                report.write_text(f"the battery itself: {type(error).__name__}: {error}")
                os._exit(3)
        return child, (mutant, report, tests, limit)

    def _make(self, mutant: Mutant) -> bool:
        return exchange(mutant.file, mutant.apply((ROOT / mutant.file).read_bytes()))

    def _run(self, tests: list[str], report: Path) -> None:
        chosen = [self.items[test] for test in tests]
        for i, item in enumerate(chosen):
            if not _passes(item, chosen[i + 1] if i + 1 < len(chosen) else None):
                report.write_text(item.nodeid)
                os._exit(1)

    def _for_a_fresh_process(self, mutant: Mutant, tests: list[str]) -> list[str]:
        """Tests for what runs at import: constants, decorators, defaults, and functions that are called there."""
        if mutant.inside and tests and (mutant.file, mutant.statement) not in self.at_import:
            return []
        near = tests or sorted(self.through_file.get(mutant.file, ())) or self._named(mutant.file)
        return self._chosen(near or list(self.seconds))  # what breaks the import, any test notices

    def _named(self, file: str) -> list[str]:
        """Tests in whose files the module is named: of code that runs where nothing is noted."""
        word = re.compile(rf"\b{re.escape(Path(file).stem.lstrip('_'))}\b")
        named = {
            str(path.relative_to(ROOT))
            for path in (ROOT / "tests").rglob("test_*.py")
            if word.search(path.read_text(encoding="utf-8"))
        }
        return [test for test in self.seconds if test.partition("::")[0] in named]

    def _chosen(self, near: list[str]) -> list[str]:
        chosen = self._spread(near, MOST_FRESH)
        files = list(dict.fromkeys(test.partition("::")[0] for test in chosen))[:8]  # each file takes a while to collect
        return [test for test in chosen if test.partition("::")[0] in files][:60]

    def _spread(self, tests: list[str], most: float) -> list[str]:
        """Tests of every file in turn, the quickest first, as many as fit into the time; what they share is made once."""
        by_file = defaultdict(list)
        for test in sorted(tests, key=lambda test: self.seconds[test]):
            by_file[test.partition("::")[0]].append(test)
        turns = sorted((turn, self.seconds[test], test) for group in by_file.values() for turn, test in enumerate(group))
        chosen, spent, made = [], 0.0, set[str]()
        for _, own, test in turns:
            cost = own + sum(seconds for name, seconds in self.shared[test].items() if name not in made)
            if spent + cost <= most:
                chosen.append(test)
                spent += cost
                made |= self.shared[test].keys()
        return self._together(chosen)

    def _together(self, tests: list[str]) -> list[str]:
        """Those that share what takes long last, file by file: with another file between them it would be made again for each."""
        dear = {test: max(self.shared[test].values(), default=0.0) > DEAR for test in tests}
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        return sorted(tests, key=lambda test: files.index(test.partition("::")[0]) if dear[test] else -1)

    def _collect(self, running: dict[int, tuple[Mutant, Path, list[str], int]]) -> None:
        child, status = os.wait()
        if child not in running:
            return
        mutant, report, tests, limit = running.pop(child)
        words = report.read_text()
        report.unlink()
        killed = status != 0 and not words.startswith("the battery itself")
        by = words or f"{len(tests)} tests pass"
        if killed and not words:
            by = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit code {os.waitstatus_to_exitcode(status)}"
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL):
                killed, by = self._is_endless(tests, limit)
        outcome = Outcome(
            mutant.file, mutant.line, mutant.code, mutant.operator, mutant.before, mutant.after, killed, by, mutant.again
        )
        self.outcomes.append(outcome)
        if self.diary is not None:
            with self.diary.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")

    def _is_endless(self, tests: list[str], limit: int) -> tuple[bool, str]:
        """A time limit is a kill only if the same tests without a mistake took less than a fifth of it in this run."""
        report = Path(tempfile.mkstemp(prefix="ordeval-mutant-")[1])
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            _quiet()
            _limit(limit)
            self._run(tests, report)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        report.unlink()
        cpu, wall = used.ru_utime + used.ru_stime, time.monotonic() - started
        if status == 0 and cpu < limit / 5 and wall < 10 * limit / 5:
            return True, "time"
        return False, f"undecided: without a mistake the tests took {cpu:.0f} of {limit} s"

    def _known(self, suffix: str) -> Path:
        """Where what was found out about these tests and this source is kept."""
        digest = hashlib.sha256("\n".join([*self.items, *self.names]).encode())
        parts = ((ROOT / folder).rglob(f"*.{ending}") for folder in ("src", "tests") for ending in ("py", "json", "toml"))
        for path in sorted(path for part in parts for path in part):
            digest.update(path.read_bytes())
        return (self.folder or Path(tempfile.gettempdir())) / f"ordeval-battery-{digest.hexdigest()[:16]}{suffix}"


def _limit(seconds: int | None) -> None:
    """Seconds of CPU time from now on, and ten times as many by the clock; None takes both back."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY if seconds is None else spent + seconds, hard))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(0 if seconds is None else 10 * seconds)


def _read_outcomes(diary: Path) -> list[Outcome]:
    lines = diary.read_text(encoding="utf-8").splitlines() if diary.exists() else []
    return [Outcome(**json.loads(line)) for line in lines]


def _name(fixture: pytest.FixtureDef[Any]) -> str:
    return f"{fixture.baseid}::{fixture.argname}"


def _fixtures_of(item: pytest.Item) -> list[str]:
    """What a test uses, directly or through others."""
    info = getattr(item, "_fixtureinfo", None)  # doctests have some of pytest's own
    return [_name(found[-1]) for found in info.name2fixturedefs.values() if found] if info else []


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    return all(report.passed or report.skipped for report in runtestprotocol(item, log=False, nextitem=following))


def _quiet() -> None:
    """The child's words go nowhere, and a hung test is ended from outside."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _write(path: Path, data: Any) -> None:
    beside = path.with_suffix(f"{path.suffix}.part")
    beside.write_text(json.dumps(data))
    beside.replace(path)


def _fresh(mutant: Mutant, tests: list[str]) -> str:
    """The first of the tests that fails on a copy of the tree with this mutant in it; "" if none does, or if there is no end.

    One that fails there without the mutant too has noticed nothing, nor has one that is not found.
    """
    good = (ROOT / mutant.file).read_bytes()
    with tempfile.TemporaryDirectory(prefix="ordeval-mutant-") as folder:
        root = copy_of_tree(Path(folder))
        for _ in range(3):
            (root / mutant.file).write_bytes(mutant.apply(good))
            found = first_failure(root, ["-n", "0", "-m", TESTS, *tests], limit=240)
            if found in ("", "time") or found.startswith("not found"):
                return ""
            (root / mutant.file).write_bytes(good)
            if found.startswith("pytest ended"):  # before a test began, as where the package cannot be imported
                return "" if first_failure(root, ["-n", "0", "--collect-only", *tests], limit=240) else found
            if not first_failure(root, ["-n", "0", *(() if "::" in found else ("--collect-only",)), found], limit=240):
                return found
            tests = [test for test in tests if not test.startswith(found)]
    return ""


def tried(session: Session, paths: Iterable[str] = ("tests", "src")) -> Session:
    arguments = ["-q", "--no-header", "-s", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-m", TESTS, *paths]
    pytest.main([f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"), *arguments], plugins=[session])
    return session
