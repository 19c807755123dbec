"""Mistakes made by hand, as an engineer in a hurry makes them: weights forgotten on one way in, a check of the first file alone.

`python -m battery.by_hand FILE` takes a first look.  FILE lists mistakes as mistakes.toml does, without tests, by people who have not read
the tests.  Each is tried against the fast tests; the share is added to first_look.jsonl, and then every mistake to mistakes.toml: one that
was noticed with its test, any other without, until somebody names a ``test`` that notices it or says ``why`` none can.  The row makes
the mistakes again and wants the tests that are named to fail.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from battery.looks import commit, files, look_by_hand, write_down
from battery.mutants import Mutant
from battery.mutation_session import TESTS, Outcome, Session, tried
from battery.plants import replaced
from battery.promises import BAD_ENTRIES, noticed
from battery.rows import ROOT, Check, Row, Scope, say, timed
from battery.trees import copy_of_tree

MISTAKES = ROOT / "battery" / "mistakes.toml"
DAILY = 5  # mistakes that a slice tries, others every day
Mistake = dict[str, Any]


def mistakes(path: Path = MISTAKES) -> list[Mistake]:
    found: list[Mistake] = tomllib.loads(path.read_text(encoding="utf-8"))["mistake"]
    return found


def mutant_of(mistake: Mistake) -> Mutant:
    """The mistake as a replacement of one stretch of source, which belongs to the innermost statement where the texts begin to differ."""
    source = (ROOT / mistake["file"]).read_text(encoding="utf-8")
    before, after = mistake["before"], mistake["after"]
    if source.count(before) != 1 or before == after:
        raise LookupError(f"{mistake['file']} must hold this once, and another text must follow: {before!r}")
    at = source.index(before)
    alike = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    line = source.count("\n", 0, at + min(alike, len(before) - 1)) + 1
    statement, inside = _statement(ast.parse(source), line)
    start = len(source[:at].encode())
    code = source.splitlines()[line - 1].strip()
    return Mutant(
        mistake["file"], line, code, mistake["says"], before, after, start, start + len(before.encode()), statement, inside
    )


def _statement(tree: ast.Module, line: int) -> tuple[int, bool]:
    """On which line the innermost statement around a line begins, and whether it is in the body of a function."""
    found, inside, node = line, False, next(_around(tree, line), None)
    within = False
    while node is not None:
        if isinstance(node, ast.stmt):
            found, inside = node.lineno, within
        within = within or isinstance(node, (ast.FunctionDef, ast.Lambda))
        node = next(_around(node, line), None)
    return found, inside


def _around(node: ast.AST, line: int) -> Any:
    """The parts of a piece of syntax that stand on a line; arguments and the like have no place of their own."""
    for child in ast.iter_child_nodes(node):
        if not hasattr(child, "lineno"):
            yield from _around(child, line)
        elif child.lineno <= line <= child.end_lineno:  # type: ignore[attr-defined]
            yield child


# The row


def by_hand(scope: Scope) -> Row:
    known = _known()
    wrong = [f"{mistake['says']} Nobody has named a test or a reason." for mistake in known if not {"test", "why"} & set(mistake)]
    named = [mistake for mistake in known if "test" in mistake]
    chosen = scope.choose(named, random.Random(scope.seed).sample(named, DAILY), named[:1])
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        root = copy_of_tree(Path(folder))
        for i, mistake in enumerate(chosen, 1):
            if words := noticed(root, _planted(root, dict(mistake)), ["-m", TESTS]):
                wrong.append(f"{mistake['says']} {words}")
            say(f"mutation, by hand: {i} of {len(chosen)}")
    question = "known mistakes made by hand, each noticed by the fast test it names"
    return Row("mutation", question, len(chosen), wrong, clock.seconds, f"of {len(known)}")


def _planted(root: Path, mistake: Mistake) -> Mistake:
    """As it is, until a bad one is planted."""
    return mistake


def _known() -> list[Mistake]:
    return mistakes()


_HERE = "battery.by_hand"
CHECK = Check(
    "mutation.by_hand",
    by_hand,
    {
        **{name: replaced(_HERE, "_planted", lambda good, bad=bad: bad) for name, bad in BAD_ENTRIES.items()},
        "a mistake that nobody has settled": replaced(_HERE, "_known", lambda good: lambda: [*good(), {"says": "A mistake."}]),
    },
    seeded=False,
)


# A look


def put_aside(head: str, made: Sequence[Mistake], outcomes: Sequence[Outcome]) -> None:
    """Every mistake of a look, with the test that noticed it at once."""
    by_change = {(outcome.file, outcome.before, outcome.after): outcome for outcome in outcomes}
    with MISTAKES.open("a", encoding="utf-8") as file:
        for mistake in made:
            outcome = by_change[mistake["file"], mistake["before"], mistake["after"]]
            test = {"test": outcome.by} if outcome.killed and "::" in outcome.by else {}
            file.write(_written({"look": head[:8], **mistake, **test}))


def _written(mistake: Mistake) -> str:
    wanted = [name for name in ("says", "look", "test", "why", "file", "before", "after") if name in mistake]
    lines = [f"{name} = {json.dumps(mistake[name], ensure_ascii=False)}" for name in wanted]  # JSON's strings are TOML's
    return "\n".join(["", "[[mistake]]", *lines, ""])


def main() -> None:
    from battery.mutation import controls, hard_controls, judged_controls

    parser = argparse.ArgumentParser(description="Take a first look at mistakes that were made by hand.")
    parser.add_argument("files", nargs="+", type=Path, help="TOML: tables [[mistake]] with says, file, before, after")
    chosen = parser.parse_args()
    head = commit()
    if not head:
        sys.exit("source or tests differ from the last commit, so this would be no first look")
    made = [mistake for path in chosen.files for mistake in mistakes(path)]
    session = tried(Session([mutant_of(mistake) for mistake in made], files(), controls=(*controls(), *hard_controls())))
    if wrong := judged_controls(session.of_controls, hard_controls()):
        sys.exit("\n".join(wrong))
    write_down(look_by_hand(head, session.outcomes))  # before anything below is looked at
    put_aside(head, made, session.outcomes)
    say(
        f"{sum(outcome.killed for outcome in session.outcomes)} of {len(session.outcomes)} noticed; see {MISTAKES.relative_to(ROOT)}"
    )


if __name__ == "__main__":
    main()
