"""The battery: `python -m battery.run` tries everything and writes docs/battery.md; `--slice` tries a part of every row, for CI.

Before a row is tried, bad implementations are planted, and the row must report each of them: `caught 3 of 3`.  `--only NAME` runs one
subject (and leaves the page alone).  `--seed N` repeats the random cases of a run, which every row and every failure names; without it
the seed is the date and the time of day.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from battery.rows import ROOT, Check, Row, Scope, say, timed, try_plants, try_row

SUBJECTS = (
    *("enumeration", "arithmetic", "twin", "peers", "invariances", "intervals"),
    *("hostile", "fuzz", "attack_rows", "faults", "promises", "mutation"),
)
PAGE = ROOT / "docs" / "battery.md"
RESULTS = ROOT / "build" / "battery"  # of the last runs
SHOWN = 20  # failures printed for one row


def fresh_seed() -> int:
    """The date and the time of day, to the second: no two runs have the same."""
    return int(time.strftime("%y%m%d%H%M%S", time.gmtime()))


def checks_of(subject: str) -> tuple[Check, ...]:
    checks: tuple[Check, ...] = importlib.import_module(f"battery.{subject}").CHECKS
    return checks


def run(subjects: list[str], slice_: bool, seed: int, options: Sequence[str] = ()) -> list[Row]:
    """Each subject in a process of its own, so that what one leaves behind does not reach the next."""
    print(f"seed {seed}", flush=True)
    found = []
    for subject in subjects:
        say(f"{subject} …")
        command = [sys.executable, "-m", "battery.run", "--rows", subject, "--seed", str(seed), *options]
        command += ["--slice"] if slice_ else []
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        started = time.monotonic()
        code, said = printed_by(command, cwd=ROOT, env=environment)
        lines = [line for line in said.splitlines() if line.startswith('{"subject"')]
        rows = [Row(**json.loads(line)) for line in lines]
        if code or not rows:
            again = f"python -m battery.run --only {subject}{' --slice' if slice_ else ''} --seed {seed}"
            failure = f"it ended with {code} (again: {again})"
            rows.append(Row(subject, "the battery itself", 1, [failure], time.monotonic() - started))
        for row in rows:
            print(row, flush=True)
            for failure in row.failures[:SHOWN]:
                print(f"    {failure}")
        if not slice_:
            RESULTS.mkdir(parents=True, exist_ok=True)
            (RESULTS / f"{subject}.rows.json").write_text(
                json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )
        found += rows
    return found


def printed_by(command: Sequence[str], **options: Any) -> tuple[int, str]:
    """The exit code of a program and what it printed; when this one is ended, that one is too, with all that it started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, **options) as process:
        try:
            said, _ = process.communicate()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, said


def page(rows: list[Row], slice_: bool) -> str:
    """The table, its date, and how to run it again."""
    from battery.looks import history

    lines = [
        "# The battery",
        "",
        "What was tried to find a wrong number, a lost row or a broken promise, and how often one was found. All figures of the table are of",
        "one run of this version" + (", of a slice of every row: `make battery` tries far more." if slice_ else "."),
        "",
        f"{time.strftime('%Y-%m-%d', time.gmtime())}, ordeval {version()}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "`make battery` runs all of it again and writes this page; continuous integration runs a slice of every row with a fresh seed",
        "(`python -m battery.run --slice`). `python -m battery.run --only NAME --seed N` runs one subject again on the same cases.",
        "",
        "Before a row is tried, bad implementations are planted: a score off by 1e-9, a reader that refuses everything, a writer without its",
        "temporary file, a test that is empty. The row must report each of them; *plants* says how many it caught.",
        "",
        "| subject | what was tried | plants | tried | failed | seconds |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {r.subject} | {r.question}{f' ({r.note})' if r.note else ''} | {r.caught} of {r.planted} | {r.tried:,} | {len(r.failures)} | {r.seconds:,.0f} |"
        for r in rows
    ]
    for row in rows:
        if row.failures:
            lines += ["", f"### {row.subject}: what failed", "", *(f"- {' '.join(failure.split())}" for failure in row.failures)]
    lines += ["", "[Promises](promises.md) lists what is promised, each promise with the test that breaks first."]
    headings = {"arithmetic": "Largest errors", "peers": "Where other programs differ"}
    for row in rows:
        if row.details:
            lines += ["", f"## {headings[row.subject]}", "", *row.details]
    lines += ["", "## First looks at the tests", "", *history()]
    return "\n".join(lines) + "\n"


def version() -> str:
    import ordeval

    return ordeval.__version__


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as with ctrl-c, what was started is ended
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slice", action="store_true", help="a part of every row, in minutes")
    parser.add_argument("--only", choices=SUBJECTS, action="append", help="one subject")
    parser.add_argument("--seed", type=int, help="of the random cases; without it, the date and the time of day")
    parser.add_argument("--minutes", type=float, help="at most so long for the seeded mistakes (mutation)")
    parser.add_argument("--plants", action="store_true", help="the plants alone, those that take minutes too")
    parser.add_argument(
        "--page", action="store_true", help="write the page: after --slice of that slice, else from the last whole runs"
    )
    parser.add_argument("--rows", choices=SUBJECTS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    seed = fresh_seed() if chosen.seed is None else chosen.seed
    if chosen.minutes is not None:
        os.environ["BATTERY_MINUTES"] = str(chosen.minutes)
    if chosen.plants and not chosen.rows:
        rows = run(chosen.only or list(SUBJECTS), True, seed, ["--plants"])
        sys.exit(any(row.failures for row in rows))
    if chosen.rows:
        scope = Scope("slice" if chosen.slice else "all", seed)
        for check in checks_of(chosen.rows):
            if chosen.plants:
                row = plants_alone(check, seed)
            else:
                row = try_row(check, scope, plants=not (chosen.slice and check.costly))
            print("\n" + json.dumps(asdict(row)), flush=True)
        return
    if chosen.page and not chosen.slice:
        kept = [
            Row(**row)
            for s in SUBJECTS
            if (path := RESULTS / f"{s}.rows.json").exists()
            for row in json.loads(path.read_text(encoding="utf-8"))
        ]
        PAGE.write_text(page(kept, False), encoding="utf-8")
        return
    rows = run(chosen.only or list(SUBJECTS), chosen.slice, seed)
    if not chosen.only and (chosen.page or not chosen.slice):
        PAGE.write_text(page(rows, chosen.slice), encoding="utf-8")
        say(f"written: {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
    sys.exit(any(row.failures for row in rows))


def plants_alone(check: Check, seed: int) -> Row:
    with timed() as clock:
        caught, wrong = try_plants(check, seed)
    again = f"python -m battery.run --plants --only {check.subject} --seed {seed}"
    failures = [f"{text} (again: {again})" for text in wrong]
    tried = len(check.planted)
    return Row(
        check.subject, f"planted: {check.name}", tried, failures, clock.seconds, f"seed {seed}", planted=tried, caught=caught
    )


if __name__ == "__main__":
    main()
