"""Each promise broken on purpose: the test that the page of promises names must fail."""

from __future__ import annotations

import ast
import random
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from battery.plants import replaced
from battery.rows import ROOT, Check, Row, Scope, say, timed
from battery.trees import copy_of_tree, first_failure

PAGE = ROOT / "docs" / "promises.md"


def promises() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "battery" / "promises.toml").read_text(encoding="utf-8"))["promise"]
    return found


def noticed(root: Path, entry: dict[str, Any], options: Sequence[str] = ()) -> str:
    """One mistake made in a copy of the tree, and undone again: why its test did not notice, or "" if it did.

    An entry says in which file, what is exchanged for what, and which test must fail.
    """
    source = (root / entry["file"]).read_text(encoding="utf-8")
    if source.count(entry["before"]) != 1:
        return f"{entry['file']} holds what is to be changed {source.count(entry['before'])} times"
    return fails_where(root, entry["file"], source.replace(entry["before"], entry["after"]).encode(), entry["test"], options)


def fails_where(root: Path, file: str, changed: bytes, test: str, options: Sequence[str] = ()) -> str:
    """Why the test does not fail where a file of the copy reads like this; "" if it does."""
    path = root / file
    source = path.read_bytes()
    path.write_bytes(changed)
    try:
        found = first_failure(root, [*options, test])
    finally:
        path.write_bytes(source)
    return "" if found.startswith(test.partition("[")[0]) else f"{test} did not notice ({found or 'it passed'})"


def broken(scope: Scope) -> Row:
    """All of them, or some by the seed; where plants are tried, one."""
    every = promises()
    some = random.Random(f"promises {scope.seed}").sample(every, 4)
    chosen = scope.choose(every, some, [promise for promise in every if promise["says"].startswith("False is below True")])
    wrong = []
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        root = copy_of_tree(Path(folder))
        for i, promise in enumerate(chosen, 1):
            promise = _planted(root, dict(promise))
            if words := noticed(root, promise):
                wrong.append(f"{promise['says']} It was broken, and {words}")
            say(f"promises: {i} of {len(chosen)}")
    return Row("promises", "promises broken on purpose, each noticed by the test it names", len(chosen), wrong, clock.seconds)


# Bad promises


def _as_it_is(root: Path, promise: dict[str, Any]) -> dict[str, Any]:
    return promise


def empty_test(root: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """The test that an entry names does nothing."""
    file, *_, name = entry["test"].partition("[")[0].split("::")
    lines = (root / file).read_text(encoding="utf-8").splitlines(keepends=True)
    tree = ast.parse("".join(lines))
    test = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    first, indent = test.body[0].lineno - 1, " " * test.body[0].col_offset
    (root / file).write_text("".join([*lines[:first], f"{indent}return\n", *lines[first:]]), encoding="utf-8")
    return entry


def idle_change(root: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """The source is written differently and means the same."""
    return {**entry, "after": entry["before"] + "  # the same"}


def gone_test(root: Path, entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "test": entry["test"] + "_no_more"}


_planted: Callable[[Path, dict[str, Any]], dict[str, Any]] = _as_it_is
BAD_ENTRIES = {
    "a test that is empty": empty_test,
    "a change that changes nothing": idle_change,
    "a test that is not there": gone_test,
}
CHECKS = (
    Check(
        "promises.broken",
        broken,
        {name: replaced("battery.promises", "_planted", lambda good, bad=bad: bad) for name, bad in BAD_ENTRIES.items()},
    ),
)


def page() -> str:
    lines = [
        "# Promises",
        "",
        "What the package promises, and for each promise the test that would break first. `make battery` breaks every one of them on",
        "purpose, on a copy of the source, and wants that test to fail (`battery/promises.toml` says how). This page is generated from",
        "that list by `python -m battery.promises`.",
    ]
    part = ""
    for promise in promises():
        if promise["part"] != part:
            part = promise["part"]
            lines += ["", f"## {part}", "", "| promise | the test that breaks first |", "|---|---|"]
        says = promise["says"].replace("|", "\\|")  # a bare one would begin the next cell
        lines.append(f"| {says} | `{promise['test']}` |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(
            None
            if PAGE.read_text(encoding="utf-8") == page()
            else "docs/promises.md is not what python -m battery.promises writes"
        )
    PAGE.write_text(page(), encoding="utf-8")
