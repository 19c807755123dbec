"""Would the tests notice?  Mistakes drawn from all of src/ordeval, each tried against the fast tests; and known ones, made by hand.

The seed is the commit's own hash, so that nobody can write tests for it beforehand.  The share that was killed is a first look: it is
added to first_look.jsonl before any survivor is opened, and no line there is ever changed.  Tests written afterwards show in the next
line.  Survivors count as alive, explained or not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, replace
from pathlib import Path

from battery.by_hand import CHECK as MADE_BY_HAND
from battery.looks import commit, files, first_looks, look, room_of, write_down
from battery.mutants import Mutant, mutants_of
from battery.mutation_session import Outcome, Session, tried
from battery.plants import replaced
from battery.rows import ROOT, Check, Row, Scope, say, timed
from battery.survivors import CHECK as SURVIVORS_SETTLED
from battery.survivors import explained, put_aside

SAMPLE, LEAST = 460, 15  # mutants in all, and from every room
MINUTES = 25.0  # of a whole run, on two cores
MOST_EQUIVALENT = 0.03  # of all mutants tried
FOUND = ROOT / "build" / "battery"  # survivors of the last run, to be read after the look
CONTROL = "src/ordeval/base/arrays.py"
QUICK = ("tests/papers/test_classical.py", "tests/order/test_scale.py")  # tests for a slice
UNFIT = (  # tests that fail where lines are noted: one looks for code that the notes change, in one Ibis meets pandas' own warning
    "tests/house/test_battery.py::test_a_planted_text_is_there_for_as_long_as_its_block_lasts",
    "tests/house/test_pages.py::test_python_blocks_print_what_they_show[big-data]",
)


# The sample


def shares(possible: dict[str, int], number: int, least: int = LEAST) -> dict[str, int]:
    """How many mutants each room gives: in proportion to those possible in it, and at least so many, or all it has."""
    given: dict[str, int] = {}
    while True:
        rest = {room: n for room, n in possible.items() if room not in given}
        left = number - sum(given.values())
        small = [room for room, n in rest.items() if left * n < least * sum(rest.values()) or n <= least]
        if not small or not rest:
            break
        given |= {room: min(least, rest[room]) for room in small}
    total = sum(rest.values())
    return given | {room: min(n, max(least, round(left * n / total))) for room, n in rest.items()}


def sample(seed: int, number: int = SAMPLE) -> tuple[list[Mutant], dict[str, int]]:
    """Mutants in a random order, and how many are possible in each room."""
    by_room: dict[str, list[Mutant]] = defaultdict(list)
    for file in files():
        by_room[room_of(file)] += mutants_of(ROOT, file)
    possible = {room: len(found) for room, found in by_room.items() if found}
    rng = random.Random(seed)
    drawn = [m for room, n in sorted(shares(possible, number).items()) for m in rng.sample(by_room[room], n)]
    rng.shuffle(drawn)
    return drawn, possible


def controls() -> tuple[Mutant, Mutant]:
    """A mutant that changes nothing, which must live, and one that breaks nearly every score, which must die."""
    deadly = next(m for m in mutants_of(ROOT, CONTROL) if m.operator == "return nothing" and m.before == "rows")
    return replace(deadly, after="(rows, 0)[0]", operator="changes nothing"), deadly


def hard_controls() -> tuple[Mutant, ...]:
    """Deadly ones that were missed once: a function that loses a generator, a lambda at the top of a module, a command, an import."""
    wanted = (
        ("src/ordeval/show/_plain.py", "return nothing", '"".join(sign if is_text(sign)'),
        ("src/ordeval/metrics/families/agreement.py", "swap arguments", "ratio(abs(i - j), k - 1)"),
        ("src/ordeval/cli/validate.py", "comparison", "rows.study is not None"),
        ("src/ordeval/metrics/__init__.py", "arithmetic", "__all__ += agreement.__all__"),
    )
    return tuple(
        next(m for m in mutants_of(ROOT, file) if m.operator == operator and m.before.startswith(before))
        for file, operator, before in wanted
    )


def judged_controls(outcomes: list[Outcome], deadly: tuple[Mutant, ...] = ()) -> list[str]:
    """What is wrong with the looking itself."""
    wrong, by_key = [], {outcome.key: outcome for outcome in outcomes}
    idle, *must_die = (*controls(), *deadly)
    for mutant in (idle, *must_die):
        found = by_key.get(mutant.key)
        if found is None or found.killed is (mutant is idle):
            said = f"{'killed' if found.killed else 'alive'} ({found.by})" if found else "not tried"
            wrong.append(
                f"{'a mutant that changes nothing' if mutant is idle else f'a deadly mutant, {mutant.name},'} is reported {said}"
            )
    return wrong


# The rows


def seeded(scope: Scope) -> Row:
    question = "mistakes drawn from all of src, tried against the fast tests"
    if scope.part != "all":
        return _small(scope, question)
    head = commit()
    seed = int(head[:8], 16) if head else scope.seed
    until = time.monotonic() + 60 * float(os.environ.get("BATTERY_MINUTES") or MINUTES)
    with timed() as clock:
        drawn, possible = sample(seed)
        session = tried(Session(drawn, files(), until, (*controls(), *hard_controls())))
    if not session.outcomes:
        return Row("mutation", question, 0, ["no mutant was tried in the time"], clock.seconds)
    line, wrong = look(head, seed, session.outcomes, possible), judged_controls(session.of_controls, hard_controls())
    said = "source or tests differ from the last commit, so this is no first look"
    if head and not wrong:
        said = "this commit was looked at before"
        if head not in [x["commit"] for x in first_looks()]:
            write_down(line)  # before anything below is looked at
            put_aside(head[:8], [outcome for outcome in session.outcomes if not outcome.killed])
            said = "first look"
    alive = _show(session.outcomes, head or "uncommitted")
    equivalent = sum(explained().get(outcome.key, "").startswith("equivalent") for outcome in alive)
    if equivalent > MOST_EQUIVALENT * len(session.outcomes):
        wrong.append(f"{equivalent} survivors are called equivalent, more than {MOST_EQUIVALENT:.0%} of {len(session.outcomes)}")
    wrong += [f"a fast test fails where nothing is changed: {test}" for test in session.broken if test not in UNFIT]
    note = f"{said}: {line['killed']} killed, {line['share']:.1%} ({line['interval'][0]:.1%} to {line['interval'][1]:.1%}), seed {seed}"
    return Row("mutation", question, len(session.outcomes), wrong, clock.seconds, note)


def _small(scope: Scope, question: str) -> Row:
    """Is the looking itself right?  Two controls, and in a slice a few mutants of one file."""
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        few = random.Random(scope.seed).sample(mutants_of(ROOT, CONTROL), scope.choose(0, 6, 0))
        drawn = [mutant for mutant in few if mutant.inside]
        session = tried(Session(drawn, [CONTROL], controls=controls(), folder=Path(folder)), QUICK)
    tried_ = len(session.outcomes) + len(session.of_controls)
    note = "a few, and two controls; first looks are taken by make battery alone"
    return Row("mutation", question, tried_, judged_controls(session.of_controls), clock.seconds, note)


def _show(outcomes: list[Outcome], name: str) -> list[Outcome]:
    """The survivors, in a file that is opened after the look, with what was tried against each."""
    alive = sorted((o for o in outcomes if not o.killed), key=lambda o: (o.file, o.line, o.operator, o.after))
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / f"survivors-{name[:8]}.json"
    path.write_text(json.dumps([asdict(o) for o in alive], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    say(f"mutation: survivors are in {path}")
    return alive


SESSION = "battery.mutation_session:Session"


def _all_fail(self: Session, tests: list[str], report: Path) -> None:
    report.write_text(tests[0])
    os._exit(1)


CHECKS = (
    MADE_BY_HAND,
    Check(
        "mutation.seeded",
        seeded,
        {
            "every test is said to fail": replaced(SESSION, "_run", lambda good: _all_fail),
            "every test is said to pass": replaced(SESSION, "_run", lambda good: lambda self, tests, report: None),
            "the mistake is not made": replaced(SESSION, "_make", lambda good: lambda self, mutant: True),
        },
        seeded=False,
    ),
    SURVIVORS_SETTLED,
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Try a few mutants.")
    parser.add_argument("--number", type=int, required=True, help="so many of the whole sample; nothing is written down")
    parser.add_argument("--tests", nargs="+", default=["tests", "src"], help="the tests to try them against")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    chosen = parser.parse_args()
    head = commit()
    drawn, possible = sample(int(head[:8], 16) if head else int(time.time()))
    until = time.monotonic() + 60 * chosen.minutes
    with tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        session = Session(drawn[: chosen.number], files(), until, controls(), Path(folder))
        tried(session, chosen.tests)
    print("\n".join(judged_controls(session.of_controls)) or "the controls are right")
    print(json.dumps(look(head, 0, session.outcomes, possible)))


if __name__ == "__main__":
    main()
