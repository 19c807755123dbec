"""Do independent programs agree?  The comparisons of tests/peers, counted; every disagreement stands with its reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from battery.plants import in_others
from battery.rows import ROOT, Check, Row, Scope, timed


def values(scope: Scope) -> Row:
    chosen = ["tests/peers"] if scope.part == "all" else ["tests/peers/test_frozen.py"]
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *chosen]
    with timed() as clock:
        own = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []  # a planted package comes first
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*own, str(ROOT / "src")])}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    made = re.search(r"([\d,]+) comparisons with independent programs: (.*)", done.stdout)
    if (made is None or done.returncode) and not failed:
        failed = [f"nothing was compared: {done.stdout[-500:]}{done.stderr[-500:]}"]
    tried = int(made[1].replace(",", "")) if made else 0
    question = "values of independent programs, run here or frozen with their versions"
    return Row("peers", question, tried, failed, clock.seconds, made[2] if made else "", _reasons())


def _reasons() -> list[str]:
    from peers.test_peers import DIFFERENCES

    lines = [f"| `{metric}` | {reason} |" for metric, (reason, _) in DIFFERENCES.items()]
    return ["| metric | where the programs differ, and why |", "|---|---|", *lines]


AGREEMENT, ASSOCIATION = (f"src/ordeval/metrics/families/{family}.py" for family in ("agreement", "association"))
CHECKS = (
    Check(
        "peers.values",
        values,
        in_others(
            another_weighting=(AGREEMENT, "ratio(i - j, k - 1) ** 2", "ratio(abs(i - j), k - 1) ** 1.99"),
            ties_are_forgotten=(ASSOCIATION, "np.sqrt((untied + tied_true) * (untied + tied_pred))", "untied"),
            one_row_too_few=(ASSOCIATION, "discordant = (counts * above(lower, -1))", "discordant = (counts * above(lower, -1) * 0.999)"),
        ),
        seeded=False,
    ),
)  # fmt: skip
