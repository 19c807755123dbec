"""Mistakes that no fast test noticed at a first look, and what became of them.

At a look every survivor is written to survivors.toml without a word.  Whoever reads it gives it a ``test`` that notices it now, or
says ``why`` none can or need do so ("equivalent: …" where it changes nothing).  The row makes each mistake again and wants the test
that is named to fail; a survivor with neither is a failure.  In first looks all of them count as alive for ever.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from battery.mutants import Mutant, mutants_of
from battery.plants import replaced
from battery.promises import empty_test, fails_where
from battery.rows import ROOT, Check, Row, Scope, say, timed
from battery.trees import copy_of_tree, first_failure

SURVIVORS = ROOT / "battery" / "survivors.toml"
FIELDS = ("file", "code", "operator", "before", "after", "again")  # by which a mutant is found again
Key = tuple[str | int, ...]
Entry = dict[str, Any]


def entries() -> list[Entry]:
    if not SURVIVORS.exists():
        return []
    found: list[Entry] = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])
    return [{"again": 0} | entry for entry in found]


def key_of(entry: Entry) -> Key:
    return tuple(entry[field] for field in FIELDS)


def explained() -> dict[Key, str]:
    """Survivors that were read, and why no test can or need kill them."""
    return {key_of(entry): entry["why"] for entry in entries() if "why" in entry}


def living(files: Iterable[str]) -> dict[Key, Mutant]:
    """The mutants that these files have today."""
    return {mutant.key: mutant for file in set(files) if (ROOT / file).exists() for mutant in mutants_of(ROOT, file)}


def standing_of(entry: Entry) -> str:
    if "test" in entry:
        return "noticed"
    why = entry.get("why", "")
    return "equivalent" if why.startswith("equivalent") else "explained" if why else "open"


def became(look: str, survived: int) -> str:
    """What became of the survivors of a look, in one line."""
    number = Counter(standing_of(entry) for entry in entries() if entry.get("look") == look)
    gone = survived - number.total()
    parts = [
        (number["noticed"], "noticed by tests named since"),
        (number["equivalent"], "without any effect"),
        (number["explained"], "explained"),
        (number["open"], "not settled"),
        (gone, "in code that has changed since"),
    ]
    told = ", ".join(f"{n} {words}" for n, words in parts if n)
    return f"Its {survived} survivors: {told} (`battery/survivors.toml`)."


# Writing them down


def put_aside(look: str, alive: Sequence[Any]) -> None:
    """The survivors of a look: those that were not known have neither a test nor a reason yet."""
    fresh = [{field: getattr(outcome, field) for field in FIELDS} for outcome in alive]
    keys = {key_of(entry) for entry in fresh}
    known = entries()
    kept = [entry | {"look": look} if key_of(entry) in keys else entry for entry in known]
    old = {key_of(entry) for entry in known}
    write([*kept, *({**entry, "look": look} for entry in fresh if key_of(entry) not in old)])


def write(found: Sequence[Entry]) -> None:
    head = SURVIVORS.read_text(encoding="utf-8").split("[[survivor]]\n")[0] if SURVIVORS.exists() else ""
    SURVIVORS.write_text("\n".join([head.rstrip("\n") + "\n", *map(_written, found)]), encoding="utf-8")


def _written(entry: Entry) -> str:
    wanted = [name for name in (*FIELDS, "look", "test", "why") if name in entry and (name, entry[name]) != ("again", 0)]
    # JSON's strings are TOML's, but for a sign that JSON may leave as it is
    lines = [f"{name} = {json.dumps(entry[name], ensure_ascii=False).replace(chr(127), chr(92) + 'u007f')}" for name in wanted]
    return "\n".join(["[[survivor]]", *lines, ""])


def prune() -> int:
    """Take out survivors whose code is gone; how many there were."""
    known = entries()
    found = living(entry["file"] for entry in known)
    kept = [entry for entry in known if key_of(entry) in found]
    write(kept)
    return len(known) - len(kept)


# The row


def settled(scope: Scope) -> Row:
    """All that a test should notice, or some by the seed; where plants are tried, one."""
    known = _known()
    wrong = [
        f"{entry['file']}: {entry['code']}: nobody has named a test or a reason"
        for entry in known
        if standing_of(entry) == "open"
    ]
    named = [entry for entry in known if "test" in entry]
    chosen = scope.choose(named, random.Random(f"survivors {scope.seed}").sample(named, min(3, len(named))), named[:1])
    found = living(entry["file"] for entry in chosen)
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        root = copy_of_tree(Path(folder))
        if failed := first_failure(root, sorted({entry["test"] for entry in chosen})):
            wrong.append(f"{failed} fails where nothing is changed")
        for i, entry in enumerate(chosen, 1):
            mutant, test = _planted(root, found[key_of(entry)], entry["test"])
            if words := noticed(root, mutant, test):
                wrong.append(f"{mutant.name}: {words}")
            say(f"mutation, survivors: {i} of {len(chosen)}")
    question = "survivors of first looks, each noticed by the test that is named for it since"
    said = Counter(map(standing_of, known))
    note = f"of {len(known)}; the others: {said['equivalent']} without any effect, {said['explained']} explained"
    return Row("mutation", question, len(chosen), wrong, clock.seconds, note)


def noticed(root: Path, mutant: Mutant, test: str) -> str:
    """Why the test does not notice the mutant in a copy of the tree; "" if it does."""
    return fails_where(root, mutant.file, mutant.apply((root / mutant.file).read_bytes()), test)


def _known() -> list[Entry]:
    return entries()


_planted: Callable[[Path, Mutant, str], tuple[Mutant, str]] = lambda root, mutant, test: (mutant, test)  # noqa: E731


def _empty(root: Path, mutant: Mutant, test: str) -> tuple[Mutant, str]:
    empty_test(root, {"test": test})
    return mutant, test


_HERE = "battery.survivors"
CHECK = Check(
    "mutation.survivors",
    settled,
    {
        "a test that is empty": replaced(_HERE, "_planted", lambda good: _empty),
        "a mistake that is not made": replaced(
            _HERE, "_planted", lambda good: lambda root, mutant, test: (replace(mutant, after=mutant.before), test)
        ),
        "a test that is not there": replaced(
            _HERE, "_planted", lambda good: lambda root, mutant, test: (mutant, f"{test}_no_more")
        ),
        "a survivor that nobody has read": replaced(
            _HERE, "_known", lambda good: lambda: [*good(), {field: good()[0][field] for field in FIELDS}]
        ),
    },
    seeded=False,
)


def main() -> None:
    parser = argparse.ArgumentParser(description="List survivors that are not settled, or try a test against one of them.")
    parser.add_argument("--prune", action="store_true", help="take out those whose code is gone")
    parser.add_argument("number", type=int, nargs="?", help="of a survivor in survivors.toml, counted from 1")
    parser.add_argument("test", nargs="?", help="the test that should notice it")
    chosen = parser.parse_args()
    if chosen.prune:
        print(f"{prune()} taken out")
    known = entries()
    if chosen.test:
        entry = known[chosen.number - 1]
        with tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
            mutant = living([entry["file"]])[key_of(entry)]
            words = noticed(copy_of_tree(Path(folder)), mutant, chosen.test)
        print(f"{mutant.name}: {words or 'noticed'}")
        sys.exit(bool(words))
    for number, entry in enumerate(known, 1):
        if standing_of(entry) == "open" or number == chosen.number:
            print(
                f"{number}. {entry['file']}  {entry['operator']}\n    {entry['code']}\n    {entry['before']}  ->  {entry['after']}"
            )


if __name__ == "__main__":
    main()
