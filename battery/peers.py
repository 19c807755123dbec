"""Do independent programs agree?  The comparisons of tests/peers, counted; every disagreement stands with its reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

from battery.rows import ROOT, Row, timed


def rows(slice_: bool) -> Iterator[Row]:
    chosen = ["tests/peers/test_frozen.py"] if slice_ else ["tests/peers"]
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *chosen]
    with timed() as clock:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    made = re.search(r"([\d,]+) comparisons with independent programs: (.*)", done.stdout)
    if made is None and not failed:
        failed = [done.stdout[-500:] + done.stderr[-500:]]
    tried = int(made[1].replace(",", "")) if made else 0
    yield Row(
        "peers",
        "values of independent programs, run here or frozen with their versions",
        tried,
        failed,
        clock.seconds,
        made[2] if made else "",
        _reasons(),
    )


def _reasons() -> list[str]:
    from peers.test_peers import DIFFERENCES

    lines = [f"| `{metric}` | {reason} |" for metric, (reason, _) in DIFFERENCES.items()]
    return ["| metric | where the programs differ, and why |", "|---|---|", *lines]
