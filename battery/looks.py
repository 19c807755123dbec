"""First looks: how many planted mistakes the fast tests noticed, before anybody read one that they had not.

Each is a line of first_look.jsonl, which says what all lines above it say, so that none is changed unseen.  Mistakes are drawn from all of
src (battery.mutation), or made by hand by people who have not read the tests (battery.by_hand).
"""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

from battery.mutation_session import Outcome
from battery.rows import ROOT
from battery.survivors import became

FIRST_LOOKS = ROOT / "battery" / "first_look.jsonl"


def files() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "src" / "ordeval").rglob("*.py"))]


def room_of(file: str) -> str:
    """The folder below src/ordeval; "root" for files that stand there or beside it."""
    parts = Path(file).relative_to("src").parts[1:]
    return parts[0] if len(parts) > 1 else "root"


def commit() -> str:
    """The commit at hand; "" where there is none, or source or tests differ from it."""
    try:
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--", "src", "tests", "battery/mutants.py"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return "" if changed.strip() else head


def wilson(killed: int, number: int) -> tuple[float, float]:
    z = 1.959964
    share = killed / number
    centre, half = share + z * z / (2 * number), z * math.sqrt(share * (1 - share) / number + z * z / (4 * number**2))
    return (centre - half) / (1 + z * z / number), (centre + half) / (1 + z * z / number)


def _lines() -> list[str]:
    return FIRST_LOOKS.read_text(encoding="utf-8").splitlines() if FIRST_LOOKS.exists() else []


def first_looks(*, by_hand: bool = False) -> list[dict[str, Any]]:
    """The looks at mistakes that were drawn, or at those that were made by hand."""
    return [line for line in map(json.loads, _lines()) if line.get("by_hand", False) is by_hand]


def chain(lines: list[str]) -> str:
    """What a new line says of all above it, so that none of them can be changed unseen."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:16]


def look(head: str, seed: int, outcomes: list[Outcome], possible: dict[str, int]) -> dict[str, Any]:
    """A line of the history, of mistakes that were drawn."""
    line = {"commit": head, "seed": seed, **_result(outcomes)}
    rooms = {room: {"possible": possible[room], **found} for room, found in line["rooms"].items()}
    everything = sum(found["possible"] for found in rooms.values())
    weighted = sum(found["possible"] / everything * found["killed"] / found["tried"] for found in rooms.values())
    return line | {"in_proportion": round(weighted, 4), "rooms": rooms}


def look_by_hand(head: str, outcomes: list[Outcome]) -> dict[str, Any]:
    """The same of mistakes that were made by hand."""
    return {"commit": head, "by_hand": True, **_result(outcomes)}


def _result(outcomes: list[Outcome]) -> dict[str, Any]:
    number, killed = len(outcomes), sum(outcome.killed for outcome in outcomes)
    low, high = wilson(killed, number)
    tried_in, killed_in = Counter(room_of(o.file) for o in outcomes), Counter(room_of(o.file) for o in outcomes if o.killed)
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "tried": number,
        "killed": killed,
        "share": round(killed / number, 4),
        "interval": [round(low, 4), round(high, 4)],
        "rooms": {room: {"tried": tried_in[room], "killed": killed_in[room]} for room in sorted(tried_in)},
    }


def write_down(line: dict[str, Any]) -> None:
    """Add a line below all others."""
    above = chain(_lines())
    with FIRST_LOOKS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, "above": above}) + "\n")


#: What was found out later about looks that stand in the history.
REMARKS = (
    "The look at `e5071d44` counted as unnoticed the mistakes that it could not put in place: a generator or closure added or removed, a lambda at",
    "the top of a module. Since then such mistakes are tried in a process of their own, and two of them are controls that must be noticed. A look at",
    "`a466827` that did so was not recorded, because a third control was left undecided: 308 of 455, 67.7%.",
    "",
    "From `c9568f10` on, a mistake in what several tests share (a fixture) is tried against all of them, and each mistake for 8 seconds of tests",
    "instead of 6: a part of the rise is the instrument's, the rest that of tests written for survivors of the looks before.",
    "",
    "The tests that were written for the survivors of `c9568f10` did not raise the next share: they notice what they were written for. Of the",
    "survivors of `0be14ec1` 19 had been noticed all along, by slow tests or by tests for which a look has no time.",
)

REMARKS_BY_HAND = (
    "The 120 mistakes of `22b94a36` were lost before a survivor was read and before they could be kept: its figure stands, and no test was",
    "written because of it.",
    "",
    "Of the 86 mistakes that nobody noticed at `7189415e`, 83 are noticed by fast tests that are named for them now, and three by tests that start",
    "processes or need an environment of their own. Many of these tests are general: every keyword of every public function and every option of",
    "every command must change an answer, and copies of rows that belong together must change no interval. The mistakes of `84e44d21` were made after",
    "that, by others; a few of them are the same as some of the look before. The tests that were written found faults of the library itself",
    "([the changelog](../CHANGELOG.md) lists them): in several places the code had the very kind of mistake that people had made up.",
)


def history() -> list[str]:
    """The first looks, newest first, and the rooms of the newest, as Markdown."""
    looks = first_looks()[::-1]
    if not looks:
        return ["No look was taken yet."]
    lines = [
        "How many mistakes, drawn with the commit's own hash as the seed, the fast tests noticed at the first look, before any survivor was",
        "read. Lines are added and never changed (`battery/first_look.jsonl`). *In proportion* weighs each room by the mistakes possible in it.",
        "",
        "| date | commit | seed | tried | killed | share | 95 % interval (Wilson) | in proportion |",
        "|---|---|---:|---:|---:|---:|---|---:|",
    ]
    lines += [
        f"| {x['date']} | `{x['commit'][:8]}` | {x['seed']} | {x['tried']} | {x['killed']} | {x['share']:.1%} | "
        f"{x['interval'][0]:.1%} to {x['interval'][1]:.1%} | {x['in_proportion']:.1%} |"
        for x in looks
    ]
    lines += ["", *REMARKS]
    lines += [
        "",
        f"By room, commit `{looks[0]['commit'][:8]}`:",
        "",
        "| room | possible | tried | killed | share |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {room} | {n['possible']:,} | {n['tried']} | {n['killed']} | {n['killed'] / n['tried']:.0%} |"
        for room, n in looks[0]["rooms"].items()
    ]  # fmt: skip
    return [*lines, "", became(looks[0]["commit"][:8], looks[0]["tried"] - looks[0]["killed"]), *history_by_hand()]


def history_by_hand() -> list[str]:
    """The looks at mistakes that people made, newest first, as Markdown."""
    looks = first_looks(by_hand=True)[::-1]
    if not looks:
        return []
    lines = [
        "",
        "### Mistakes made by hand",
        "",
        "The mistakes above change a sign, a number or a branch. These were made by people who had not read the tests, as a hurried engineer makes",
        "them: weights forgotten on one way in, a check of the first file alone, a model compared with itself. How many of them the fast tests",
        "noticed at the first look (`python -m battery.by_hand`); `battery/mistakes.toml` names the test that notices each of them now.",
        "",
        "| date | commit | tried | noticed | share | 95 % interval (Wilson) |",
        "|---|---|---:|---:|---:|---|",
    ]
    lines += [
        f"| {x['date']} | `{x['commit'][:8]}` | {x['tried']} | {x['killed']} | {x['share']:.1%} | "
        f"{x['interval'][0]:.1%} to {x['interval'][1]:.1%} |"
        for x in looks
    ]
    rooms = ", ".join(f"{room} {n['killed']} of {n['tried']}" for room, n in looks[0]["rooms"].items())
    return [*lines, "", *REMARKS_BY_HAND, "", f"By room, commit `{looks[0]['commit'][:8]}`: {rooms}."]
