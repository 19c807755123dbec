"""Would the tests notice?  Seeded mistakes in order/scale.py, counts/, metrics/, parts/ and infer/, each tried against the fast tests.

The tests are collected once.  A first run notes which tests pass through which statement.  Then every mutant gets a process of
its own: a fork, in which the code of one function is exchanged and the tests that pass through it are run, the quickest first, until
one fails.  What cannot be exchanged in a running process (constants of a module, arguments of a decorator, default values)
is tried in a fresh process on a copy of the tree.
"""

from __future__ import annotations

import ast
import functools
import gc
import hashlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from battery.mutants import Mutant, mutants_of
from battery.rows import ROOT, Row, say, timed

SEED, SAMPLE = 20261115, 520
OUTSIDE = 8  # further ones outside of functions, which need a fresh process each
TOGETHER = 2  # mutants tried at the same time
MOST_SECONDS = 6.0  # of tests for one mutant
OUTCOMES = ROOT / "battery" / "outcomes.json"  # of the last run; the slice tries a few of them again
SURVIVORS = ROOT / "battery" / "survivors.toml"
FIELDS = ("file", "code", "operator", "before", "after", "again")  # by which a mutant is found again
OPTIMIZED = 0x1  # the flag of code that is a function's, not a module's or a class's


def files() -> list[str]:
    source = ROOT / "src" / "ordeval"
    found = [source / "order" / "scale.py"]
    found += [path for room in ("counts", "metrics", "parts", "infer") for path in sorted((source / room).rglob("*.py"))]
    return [str(path.relative_to(ROOT)) for path in found]


def sample(number: int, only: Iterable[str] = ()) -> list[Mutant]:
    """A seeded sample, each file in proportion to the mistakes that are possible in it."""
    chosen = [file for file in files() if not only or any(part in file for part in only)]
    found = [mutant for file in chosen for mutant in mutants_of(ROOT, file)]
    inside, outside = ([mutant for mutant in found if mutant.inside is where] for where in (True, False))
    rng = random.Random(SEED)
    return [*rng.sample(inside, min(number, len(inside))), *rng.sample(outside, min(number * OUTSIDE // SAMPLE, len(outside)))]


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
    by: str  #: the first test that failed, or "time"; for a survivor the number of tests that passed
    again: int = 0  #: how many mutants above it in the file read the same

    @property
    def key(self) -> tuple[str | int, ...]:
        return self.file, self.code, self.operator, self.before, self.after, self.again


# Exchanging code in a running process


def functions_of(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module, methods, lambdas and inner ones included, in the order of the source."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & OPTIMIZED:
                yield constant
            yield from functions_of(constant)


def exchange(file: str, source: bytes | ast.Module) -> bool:
    """Give the living functions of a module the code of another version of it.  False if the two versions do not match."""
    path = str(ROOT / file)
    old = list(functions_of(compile((ROOT / file).read_bytes(), path, "exec")))
    new = list(functions_of(compile(source, path, "exec")))
    if [code.co_name for code in old] != [code.co_name for code in new]:
        return False
    changed = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
    functions, caches = living()
    for before, after in changed:
        for found in functions[path, before.co_firstlineno, before.co_name]:
            if found.__code__ == before and after.co_freevars == before.co_freevars:
                found.__code__ = after
    for cache in caches:
        cache.cache_clear()
    return bool(changed)


@functools.cache
def living() -> tuple[dict[tuple[str, int, str], list[FunctionType]], list[Any]]:
    """The functions of the package that are in memory, by file, line and name; and its caches, which may hold what they gave."""
    for file in files():  # what is imported when first used would be missed
        importlib.import_module(file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    functions, caches = defaultdict(list), []
    source = str(ROOT / "src")
    for found in gc.get_objects():
        if type(found) is FunctionType and found.__code__.co_filename.startswith(source):
            functions[found.__code__.co_filename, found.__code__.co_firstlineno, found.__code__.co_name].append(found)
        elif type(found) is functools._lru_cache_wrapper and str(found.__module__).startswith("ordeval"):
            caches.append(found)
    return functions, caches


class _Tracer(ast.NodeTransformer):
    """Puts a call before every statement in a function that notes its line."""

    def __init__(self, number: int) -> None:
        self.number, self.depth = number, 0

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
        call = ast.parse(f"__import__('builtins')._passed.add(({self.number}, {statement.lineno}))").body[0]
        for part in ast.walk(call):
            if isinstance(part, (ast.expr, ast.stmt)):
                part.lineno = part.end_lineno = statement.lineno
                part.col_offset = part.end_col_offset = 0
        return call


# The session: collected once, forked for every mutant


class Session:
    """A pytest plugin that runs mutants instead of tests."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.outcomes: list[Outcome] = []
        self.broken: list[str] = []
        self.diary: Path | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise SystemExit("the tests could not be collected")
        items = {item.nodeid: item for item in session.items}
        passed, seconds, self.broken = self._baseline(session.items)
        through: dict[tuple[str, int], list[str]] = defaultdict(list)
        names = files()
        for test, lines in passed.items():
            for number, line in lines:
                through[names[number], line].append(test)
        running: dict[int, tuple[Mutant, Path, list[str]]] = {}
        self.diary = _known(session.items).with_suffix(".outcomes")  # an interrupted run goes on where it was
        self.outcomes = _read_outcomes(self.diary)
        done = {(outcome.line, outcome.key) for outcome in self.outcomes}
        left = [mutant for mutant in self.mutants if (mutant.line, mutant.key) not in done]
        killers = {outcome.key: outcome.by for outcome in last_outcomes() if outcome.killed}
        started = time.monotonic()
        living()
        gc.freeze()  # children share the memory as long as nobody walks through it
        for i, mutant in enumerate(left):
            tests = _spread(through.get((mutant.file, mutant.statement), []), seconds, MOST_SECONDS)
            tests.sort(key=lambda test: test != killers.get(mutant.key))  # the test that killed it the last time comes first
            limit = sum(seconds[test] for test in tests)
            running.update([self._fork(mutant, tests, items, limit, killers.get(mutant.key, ""))])
            while len(running) >= (TOGETHER if i + 1 < len(left) else 1) and running:
                self._collect(running)
            if i % 20 == 19:
                alive = sum(not outcome.killed for outcome in self.outcomes)
                say(f"mutation: {len(self.outcomes)} of {len(self.mutants)}, {alive} alive, {time.monotonic() - started:.0f} s")
        wanted = {(mutant.line, mutant.key) for mutant in self.mutants}
        self.outcomes = [outcome for outcome in self.outcomes if (outcome.line, outcome.key) in wanted]
        return True

    def _baseline(self, tests: list[pytest.Item]) -> tuple[dict[str, list[tuple[int, int]]], dict[str, float], list[str]]:
        """Which statements each test passes through, and how long it takes; kept until source or tests change."""
        known = _known(tests)
        if not known.exists():
            say(f"mutation: {len(tests)} tests are run once, to see what each passes through")
            child = os.fork()
            if child == 0:
                words = os.dup(2)
                _quiet()
                try:
                    _trace()
                    _write(known, self._traced(tests))
                    os._exit(0)
                except BaseException as error:
                    import traceback

                    os.write(words, "".join(traceback.format_exception(error)).encode())
                    os._exit(1)
            if (status := os.waitpid(child, 0)[1]) != 0:
                raise SystemExit(f"the first run of the tests ended with {status}")
        data = json.loads(known.read_text())
        return data["passed"], data["seconds"], data["failed"]

    def _traced(self, tests: list[pytest.Item]) -> dict[str, Any]:
        import builtins

        passed, seconds, failed = {}, {}, []
        for i, test in enumerate(tests):
            builtins._passed = set()  # type: ignore[attr-defined]
            started = time.process_time()
            if not _passes(test, tests[i + 1] if i + 1 < len(tests) else None):
                failed.append(test.nodeid)
                continue
            seconds[test.nodeid] = time.process_time() - started
            passed[test.nodeid] = sorted(builtins._passed)  # type: ignore[attr-defined]
        return {"passed": passed, "seconds": seconds, "failed": failed}

    def _fork(
        self, mutant: Mutant, tests: list[str], items: dict[str, pytest.Item], seconds: float, killer: str = ""
    ) -> tuple[int, Any]:
        report = Path(tempfile.mkstemp(prefix="ordeval-mutant-")[1])
        child = os.fork()
        if child == 0:
            _quiet()
            limit = int(20 + 5 * seconds) if mutant.inside and tests else 900
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            signal.alarm(10 * limit)
            try:
                if mutant.inside and tests and exchange(mutant.file, mutant.apply((ROOT / mutant.file).read_bytes())):
                    chosen = [items[test] for test in tests]
                    for i, item in enumerate(chosen):
                        if not _passes(item, chosen[i + 1] if i + 1 < len(chosen) else None):
                            report.write_text(item.nodeid)
                            os._exit(1)
                    os._exit(0)
                by = _fresh(mutant, killer)
                report.write_text(by)
                os._exit(1 if by else 0)
            except BaseException as error:
                report.write_text(f"the battery itself: {type(error).__name__}: {error}")
                os._exit(3)
        return child, (mutant, report, tests)

    def _collect(self, running: dict[int, tuple[Mutant, Path, list[str]]]) -> None:
        child, status = os.wait()
        if child not in running:
            return
        mutant, report, tests = running.pop(child)
        words = report.read_text()
        report.unlink()
        killed = status != 0 and not words.startswith("the battery itself")
        by = words if words else "time" if killed else f"{len(tests)} tests pass"
        outcome = Outcome(
            mutant.file, mutant.line, mutant.code, mutant.operator, mutant.before, mutant.after, killed, by, mutant.again
        )
        self.outcomes.append(outcome)
        if self.diary is not None:
            with self.diary.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")


def _known(tests: list[pytest.Item]) -> Path:
    """Where what was found out about these tests and this source is kept."""
    return Path(tempfile.gettempdir()) / f"ordeval-battery-{_fingerprint(tests)}.json"


def _read_outcomes(diary: Path) -> list[Outcome]:
    lines = diary.read_text(encoding="utf-8").splitlines() if diary.exists() else []
    return [Outcome(**json.loads(line)) for line in lines]


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    return all(report.passed or report.skipped for report in runtestprotocol(item, log=False, nextitem=following))


def _quiet() -> None:
    """The child's words go nowhere, and a hung test is ended from outside."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _trace() -> None:
    for number, file in enumerate(files()):
        tree = _Tracer(number).visit(ast.parse((ROOT / file).read_bytes()))
        exchange(file, ast.fix_missing_locations(tree))


def _write(path: Path, data: Any) -> None:
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(data))
    beside.replace(path)


def _spread(tests: list[str], seconds: dict[str, float], most: float) -> list[str]:
    """Tests of every file in turn, the quickest first, as many as fit into the time."""
    by_file = defaultdict(list)
    for test in sorted(tests, key=lambda test: seconds[test]):
        by_file[test.partition("::")[0]].append(test)
    turns = sorted((turn, seconds[test], test) for group in by_file.values() for turn, test in enumerate(group))
    chosen, spent = [], 0.0
    for _, cost, test in turns:
        if spent + cost <= most:
            chosen.append(test)
            spent += cost
    return chosen


def _fresh(mutant: Mutant, killer: str) -> str:
    """The first test that fails on a copy of the tree with this mutant in it, the one that did the last time first; "" if none does."""
    with tempfile.TemporaryDirectory(prefix="ordeval-mutant-") as folder:
        root = copy_of_tree(Path(folder))
        (root / mutant.file).write_bytes(mutant.apply((ROOT / mutant.file).read_bytes()))
        if "::" in killer and first_failure(root, [killer]) == killer:
            return killer
        return first_failure(root, ["-m", "not slow", *_files_for(mutant.file)])


def copy_of_tree(folder: Path) -> Path:
    """Source and tests, to be changed at will."""
    for part in ("src", "tests", "benchmarks", "battery", "docs", "scripts", "README.md", "pyproject.toml", "conftest.py"):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / part).exists():
            shutil.copy(ROOT / part, folder / part)
    return folder


def first_failure(root: Path, arguments: list[str], limit: float = 900) -> str:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1", "CI": ""}
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return "time"
    if done.returncode == 0:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].partition(" ")[2] if failed else f"pytest ended with {done.returncode}"


#: What is asked in a fresh process, by the room that was changed: the quick tests that look at its records and constants.
BELONGING = {
    "order/": ("src/ordeval/order/scale.py", "tests/order", "tests/faults/test_bad_input.py"),
    "counts/": ("src/ordeval/counts", "tests/faults/test_bad_input.py", "tests/forms/test_forms.py"),
    "metrics/": ("src/ordeval/metrics", "tests/house/test_registry.py", "tests/papers/test_classical.py", "tests/papers/test_probability.py", "tests/faults/test_bad_input.py", "tests/laws/test_claims.py"),
    "parts/": ("src/ordeval/parts", "tests/papers", "tests/faults/test_bad_input.py"),
    "infer/": ("src/ordeval/infer", "tests/intervals"),
}  # fmt: skip


def _files_for(file: str) -> list[str]:
    tests = next(tests for part, tests in BELONGING.items() if f"ordeval/{part}" in file)
    return [test for test in tests if (ROOT / test).exists()]


def _fingerprint(tests: list[pytest.Item]) -> str:
    digest = hashlib.sha256("\n".join(test.nodeid for test in tests).encode())
    for path in sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.json")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# The row


def explained() -> dict[tuple[str | int, ...], str]:
    """Survivors that were read, and why no test can or need kill them."""
    if not SURVIVORS.exists():
        return {}
    entries = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])
    return {tuple(({"again": 0} | entry)[field] for field in FIELDS): entry["why"] for entry in entries}


def tried(mutants: list[Mutant], paths: Iterable[str] = ("tests", "src")) -> Session:
    session = Session(mutants)
    arguments = ["-q", "--no-header", "-s", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-m", "not slow", *paths]
    pytest.main([f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"), *arguments], plugins=[session])
    return session


def rows(slice_: bool) -> Iterator[Row]:
    yield replayed() if slice_ else full()


def full(number: int = SAMPLE) -> Row:
    with timed() as clock:
        session = tried(sample(number))
    known = explained()
    alive = [outcome for outcome in session.outcomes if not outcome.killed]
    unread = [outcome for outcome in alive if outcome.key not in known]
    _save(session.outcomes)
    killed = len(session.outcomes) - len(alive)
    share = killed / len(session.outcomes)
    note = f"{killed} killed ({share:.1%}); {len(alive) - len(unread)} survivors explained in battery/survivors.toml"
    details = [f"| `{file}` | {total} | {dead} | {dead / total:.0%} |" for file, total, dead in _by_file(session.outcomes)]
    table = ["| file | mutants | killed | share |", "|---|---:|---:|---:|", *details]
    failures = [f"{o.file}:{o.line} {o.operator}: {o.before} -> {o.after} ({o.by})" for o in unread]
    return Row(
        "mutation", "seeded mistakes that the fast tests must notice", len(session.outcomes), failures, clock.seconds, note, table
    )


def _by_file(outcomes: list[Outcome]) -> list[tuple[str, int, int]]:
    total = Counter(outcome.file for outcome in outcomes)
    dead = Counter(outcome.file for outcome in outcomes if outcome.killed)
    return [(file, total[file], dead[file]) for file in sorted(total)]


def last_outcomes() -> list[Outcome]:
    return [Outcome(**entry) for entry in json.loads(OUTCOMES.read_text(encoding="utf-8"))] if OUTCOMES.exists() else []


def _save(outcomes: list[Outcome]) -> None:
    ordered = sorted(outcomes, key=lambda o: (o.file, o.line, o.operator, o.after))
    lines = ",\n".join(json.dumps(asdict(outcome), ensure_ascii=False) for outcome in ordered)
    OUTCOMES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def replayed(number: int = 25) -> Row:
    """Mutants that a test has killed before, with that test alone: a minute instead of an hour."""
    with timed() as clock:
        found = {mutant.key: mutant for file in files() for mutant in mutants_of(ROOT, file) if mutant.inside}
        kept = [o for o in last_outcomes() if o.killed and o.key in found and o.by.startswith("tests/") and "::" in o.by]
        chosen = random.Random(SEED).sample(kept, min(number, len(kept)))
        failures = _replay([(found[outcome.key], outcome.by) for outcome in chosen])
    return Row(
        "mutation",
        "seeded mistakes that the fast tests must notice",
        len(chosen),
        failures,
        clock.seconds,
        "replayed with the test that killed each",
    )


def _replay(chosen: list[tuple[Mutant, str]]) -> list[str]:
    runner = Session([])
    failures: list[str] = []

    def loop(session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant, test in chosen:
            if test not in items:
                failures.append(f"{mutant.name}: the test {test} is gone")
                continue
            running = dict([runner._fork(mutant, [test], items, 5.0)])
            while running:
                runner._collect(running)
        return True

    runner.pytest_runtestloop = loop  # type: ignore[method-assign]
    paths = sorted({test.partition("::")[0] for _, test in chosen})
    pytest.main(
        [f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"), "-q", "-s", "--no-header", "-p", "no:cacheprovider", *paths],
        plugins=[runner],
    )
    alive = {outcome.key: outcome for outcome in runner.outcomes if not outcome.killed}
    for mutant, test in chosen:  # what ran before the exchange, such as a decorator, shows in a fresh process only
        if mutant.key in alive and _fresh(mutant, test) != test:
            failures.append(f"{mutant.name} is not noticed by {test}")
    return failures
