"""The battery: `python -m battery.run` tries everything and writes docs/battery.md; `--slice` tries a part of every row, for CI.

`--only NAME` runs one subject (and leaves the page alone); what was tried and failed is printed, one line for each row.  `--seed N`
repeats random cases that a run has named; without it every run draws new ones.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from battery.rows import ROOT, Row, say

SUBJECTS = (
    *("enumeration", "arithmetic", "twin", "peers", "invariances", "intervals"),
    *("hostile", "fuzz", "attack_rows", "faults", "promises", "mutation"),
)
PAGE = ROOT / "docs" / "battery.md"
RESULTS = ROOT / "build" / "battery"  # of the last runs
SHOWN = 20  # failures printed for one row
SEEDED = ("twin",)  # subjects whose random cases are drawn anew, unless a seed is given


def run(subjects: list[str], slice_: bool, seed: int | None = None) -> list[Row]:
    """Each subject in a process of its own, so that what one leaves behind does not reach the next."""
    found = []
    for subject in subjects:
        say(f"{subject} …")
        command = [sys.executable, "-m", "battery.run", "--rows", subject, *(["--slice"] if slice_ else [])]
        command += [] if seed is None else ["--seed", str(seed)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        started = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith('{"subject"')]
        rows = [Row(**json.loads(line)) for line in lines]
        if done.returncode or not rows:
            rows.append(Row(subject, "the battery itself", 1, [f"it ended with {done.returncode}"], time.monotonic() - started))
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


def page(rows: list[Row]) -> str:
    """The table, its date, and how to run it again."""
    lines = [
        "# The battery",
        "",
        "What was tried to find a wrong number, a lost row or a broken promise, and how often it was found.",
        "",
        f"{time.strftime('%Y-%m-%d', time.gmtime())}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "`make battery` runs all of it again and writes this page; continuous integration runs a slice of every row",
        "(`python -m battery.run --slice`). `python -m battery.run --only NAME` runs one subject; `--seed N` repeats the cases of the twin.",
        "",
        "| subject | what was tried | tried | failed | seconds |",
        "|---|---|---:|---:|---:|",
    ]
    lines += [
        f"| {r.subject} | {r.question}{f' ({r.note})' if r.note else ''} | {r.tried:,} | {len(r.failures)} | {r.seconds:,.0f} |"
        for r in rows
    ]
    for row in rows:
        if row.failures:
            lines += ["", f"### {row.subject}: what failed", "", *(f"- {' '.join(failure.split())}" for failure in row.failures)]
    lines += ["", "[Promises](promises.md) lists what is promised, each promise with the test that breaks first."]
    headings = {
        "arithmetic": "Largest errors",
        "peers": "Where other programs differ",
        "mutation": "Mistakes noticed, by file",
    }
    for row in rows:
        if row.details:
            lines += ["", f"## {headings[row.subject]}", "", *row.details]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slice", action="store_true", help="a part of every row, in minutes")
    parser.add_argument("--only", choices=SUBJECTS, action="append", help="one subject")
    parser.add_argument("--seed", type=int, help="of the random cases; without it, a fresh one")
    parser.add_argument("--page", action="store_true", help="write the page from the results of the last runs")
    parser.add_argument("--rows", choices=SUBJECTS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.seed is not None:
        os.environ["BATTERY_SEED"] = str(chosen.seed)
    if chosen.rows:
        subject = importlib.import_module(f"battery.{chosen.rows}")
        seeded = {"seed": chosen.seed} if chosen.rows in SEEDED else {}
        for row in subject.rows(chosen.slice, **seeded):
            print("\n" + json.dumps(asdict(row)), flush=True)
        return
    if chosen.page:
        kept = [
            Row(**row)
            for s in SUBJECTS
            if (path := RESULTS / f"{s}.rows.json").exists()
            for row in json.loads(path.read_text(encoding="utf-8"))
        ]
        PAGE.write_text(page(kept), encoding="utf-8")
        return
    rows = run(chosen.only or list(SUBJECTS), chosen.slice, chosen.seed)
    if not chosen.slice and not chosen.only:
        PAGE.write_text(page(rows), encoding="utf-8")
        say(f"written: {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
    sys.exit(any(row.failures for row in rows))


if __name__ == "__main__":
    main()
