"""A differential oracle for readers: tables of known counts, written in many ways, whole and damaged on purpose.

    python -m battery.attack_rows --seconds 300           everything, with a fresh seed
    python -m battery.attack_rows --seed 7 --only zst.cut the cases whose name contains this, again
    python -m battery.attack_rows --self-test             are bad readers noticed?

Every case says what must happen: READ (exactly this table and number of rows), REFUSE (a named error in one line), EITHER (one of the two).
Misreads, false refusals and crashes are counted apart.  A source goes through `scan`, and some also through `ordeval score`.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from battery import attack_damage, attack_files, attack_more, attack_roles  # noqa: F401 - they bring the cases
from battery.attack_tables import CASES, EITHER, READ, REFUSE, Case, Table
from battery.rows import Check, Row, Scope, timed

NAMED = (ValueError, TypeError, OSError)  # what a refusal may be
Reader = Callable[[Case, Any], tuple[Any, Any, Any]]


def sources(scope: Scope) -> Row:
    """For the battery; where plants are tried, the reader at hand is a perfect one until a bad one is planted."""
    seed = str(scope.seed)
    with timed() as clock:
        if scope.part == "all":
            found = run(seed, seconds=400, cli=40)
        else:
            found = run(seed, rounds=1, large=False, reader=scope.choose(honest, honest, _planted))
    question = f"sources of {len(found.by_case)} kinds, whole and damaged: read to the last row, or refused in one line"
    failures = [failure.text(seed) for failure in found.failures]
    if found.tally["exact"] < 30 or found.tally["refused"] < 20:
        failures.append("hardly anything was tried")
    kinds = ("misread", "false refusal", "crash")
    note = ", ".join(f"{kind} {found.tally[kind]:,}" for kind in ("exact", "refused", *kinds))
    return Row("attack_rows", question, found.tally["tried"], failures, clock.seconds, note)


# Readers, good and bad


def honest(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    """The library: matrix, rows in the audit, labels in their order."""
    import ordeval as oe

    if case.reader is not None:
        return *case.reader(oe), None
    source = [str(p) if i % 2 else p for i, p in enumerate(case.source)] if isinstance(case.source, list) else case.source
    counts = oe.scan(source, true="y", pred="p", labels=labels, **case.options)
    return counts.matrix, counts.audit.read, list(counts.scale.labels)


def perfect(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    """Knows the answer: what the oracle must be content with."""
    if case.expect == REFUSE:
        raise ValueError("refused")
    return case.table.matrix, case.table.n, case.table.labels


def _without_the_last(t: Table) -> Any:
    matrix = t.matrix.copy()
    matrix[t.true[-1], t.pred[-1]] -= 1 if t.weights is None else t.weights[-1]
    return matrix


def _refuse_all(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    raise ValueError("cannot be read")


def _two_lines(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    if case.expect == REFUSE:
        raise ValueError("a\nb")
    return perfect(case, labels)


def _crash(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    raise AttributeError("oops")


def _half(case: Case, labels: Any) -> tuple[Any, Any, Any]:
    t = case.table if case.expect != REFUSE else case.table.part(slice(0, case.table.n // 2))
    return t.matrix, t.n, t.labels


def _from_table(change: Callable[[Table], tuple[Any, Any, Any]]) -> Reader:
    """One flaw and no other: what must be refused is refused, so that only whole sources can give the reader away."""

    def reader(case: Case, labels: Any) -> tuple[Any, Any, Any]:
        perfect(case, labels)
        return change(case.table)

    return reader


PLANTED: dict[str, Reader] = {
    "every prediction one class off": _from_table(lambda t: (np.roll(t.matrix, 1, axis=1), t.n, t.labels)),
    "truth and prediction exchanged": _from_table(lambda t: (t.matrix.T, t.n, t.labels)),
    "the last row lost": _from_table(lambda t: (_without_the_last(t), t.n - 1, t.labels)),
    "the last row lost, and not in the audit": _from_table(lambda t: (_without_the_last(t), t.n, t.labels)),
    "weights ignored": _from_table(lambda t: (t.rows, t.n, t.labels)),
    "every row twice": _from_table(lambda t: (2 * t.matrix, 2 * t.n, t.labels)),
    "the audit off by one": _from_table(lambda t: (t.matrix, t.n + 1, t.labels)),
    "the order turned around": _from_table(lambda t: (t.matrix[::-1, ::-1], t.n, t.labels[::-1])),
    "reads damaged files as if they were whole": lambda case, labels: (case.table.matrix, case.table.n, case.table.labels),
    "takes a cut file for a short one": _half,
    "refuses everything": _refuse_all,
    "refuses in two lines": _two_lines,
    "ends with errors of its own": _crash,
}


_planted: Reader = perfect


@contextmanager
def _plant(name: str) -> Iterator[None]:
    global _planted
    good, _planted = _planted, PLANTED[name]
    try:
        yield
    finally:
        _planted = good


CHECKS = (Check("attack_rows.sources", sources, {name: (lambda name=name: _plant(name)) for name in PLANTED}),)


def self_test() -> list[str]:
    """What the oracle did not notice: a perfect reader that is blamed, a bad one that is not."""
    found = run("1", rounds=1, large=False, reader=perfect)
    missed = [failure.text("1") for failure in found.failures]
    if found.tally["exact"] < 30 or found.tally["refused"] < 20:
        missed.append("the perfect reader was hardly tried")
    return missed + [name for name, reader in PLANTED.items() if not run("1", rounds=1, large=False, reader=reader).failures]


# Judging


@dataclass(frozen=True)
class Failure:
    """A source that was not read to the last row, or not refused as it must be."""

    verdict: str
    name: str
    number: int
    door: str
    words: str

    def text(self, seed: str) -> str:
        again = f"python -m battery.attack_rows --seed {seed} --only {self.name!r}"
        return f"{self.verdict}: {self.name}, number {self.number}, by {self.door}: {self.words} (again: {again})"


@dataclass
class Found:
    """What came of all cases."""

    tally: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    by_case: dict[str, Counter[str]] = field(default_factory=dict)


def judge(case: Case, reader: Reader) -> tuple[str, str]:
    """ "exact", "refused", "misread", "false refusal" or "crash", and what was said."""
    labels = None if case.scale else case.table.labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            matrix, read, order = reader(case, labels)
        except NAMED as error:
            if "\n" in str(error):
                return "crash", f"the refusal has more than one line: {str(error)[:120]!r}"
            return "false refusal" if case.expect == READ else "refused", f"{type(error).__name__}: {str(error)[:160]}"
        except Exception as error:
            return "crash", f"{type(error).__name__}: {str(error)[:160]}"
    if case.expect == REFUSE:
        return "misread", f"{read} rows were read where it must refuse"
    if case.scale and order != case.table.labels:
        return "misread", f"the order is {order}, and must be {case.table.labels}"
    if read != case.table.n:
        return "misread", f"{read} rows in the audit, and there are {case.table.n}"
    if not np.array_equal(matrix, case.table.matrix):
        return "misread", f"{np.asarray(matrix).tolist()}, and it must be {case.table.matrix.tolist()}"
    return "exact", ""


def judge_command(case: Case) -> tuple[str, str] | None:
    """The same of `ordeval score`: its rows, its table and its accuracy.  None where a command line cannot say it."""
    labels = [str(label) for label in case.table.labels]
    if case.scale or case.options or any("," in label or '"' in label for label in labels):
        return None
    options = ["--true", "y", "--pred", "p", f"--labels={','.join(labels)}", "--metrics", "accuracy", "--format", "json"]
    command = [sys.executable, "-m", "ordeval", "score", str(case.source), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        if "Traceback" in done.stderr or done.returncode < 0:
            return "crash", done.stderr[-200:]
        return "false refusal" if case.expect == READ else "refused", done.stderr.strip()[-160:]
    if case.expect == REFUSE:
        return "misread", "the command scored what it must refuse"
    found = json.loads(done.stdout)
    accuracy = np.trace(case.table.matrix) / case.table.n
    wrong = found["rows"]["read"] != case.table.n or not np.array_equal(found["counts"], case.table.matrix)
    if wrong or abs(found["scores"]["accuracy"]["value"] - accuracy) > 1e-12:
        return "misread", f"the command says {found['rows']}, {found['counts']}"
    return "exact", ""


def run(
    seed: str,
    *,
    seconds: float = float("inf"),
    rounds: int = 10**9,
    only: str = "",
    reader: Reader = honest,
    cli: int = 0,
    large: bool = True,
) -> Found:
    """Rounds over all cases, until there were so many or the time is over."""
    started, found = time.monotonic(), Found()
    names = [name for name in CASES if only in name and (large or "large" not in name)]
    if not names:
        raise SystemExit(f"no case is called {only!r}")
    for number in range(rounds):
        for name in names:
            for again in range(CASES[name][2] if rounds > 1 else 1):
                if time.monotonic() - started > seconds:
                    return found
                if "large" not in name or number % 4 == 0:
                    cli -= _try(found, name, seed, number * 10 + again, reader, cli > 0 and again == 0)
    return found


def _try(found: Found, name: str, seed: str, number: int, reader: Reader, command: bool) -> int:
    """One case through its doors; how many commands were started."""
    folder = Path(tempfile.mkdtemp(prefix="rows-"))
    made = None
    try:
        made = CASES[name][0](Random(f"{seed} {name} {number}"), folder)
        if made is None:
            return 0
        verdicts = [("scan", judge(made, reader))]
        if command and made.cli and (told := judge_command(made)) is not None:
            verdicts.append(("score", told))
        for door, (verdict, words) in verdicts:
            found.tally.update([verdict, "tried"])
            found.by_case.setdefault(name, Counter())[verdict] += 1
            if verdict not in ("exact", "refused"):
                found.failures.append(Failure(verdict, name, number, door, words))
        return len(verdicts) - 1
    finally:
        if made is not None and made.close is not None:
            os.close(made.close)
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default=str(secrets.randbelow(10**9)))
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rounds", type=int, default=10**9)
    parser.add_argument("--only", default="")
    parser.add_argument("--cli", type=int, default=20, help="how many cases go through the command, too")
    parser.add_argument("--self-test", action="store_true")
    chosen = parser.parse_args()
    if chosen.self_test:
        missed = self_test()
        print("\n".join(missed) or f"caught {len(PLANTED)} of {len(PLANTED)}")
        sys.exit(bool(missed))
    found = run(chosen.seed, seconds=chosen.seconds, rounds=chosen.rounds, only=chosen.only, cli=chosen.cli)
    for failure in found.failures:
        print(failure.text(chosen.seed))
    never = [name for name, seen in found.by_case.items() if CASES[name][1] == EITHER and not seen["exact"]]
    print(f"may be refused, and never read: {', '.join(never) or 'none'}")
    kinds = ("exact", "refused", "misread", "false refusal", "crash")
    print(f"seed {chosen.seed}: tried {found.tally['tried']:,}, " + ", ".join(f"{kind} {found.tally[kind]:,}" for kind in kinds))
    sys.exit(bool(found.failures))


if __name__ == "__main__":
    main()
