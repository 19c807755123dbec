"""Each promise broken on purpose: the test that the page of promises names must fail."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from battery.mutation import copy_of_tree, first_failure
from battery.rows import ROOT, Row, say, timed

PAGE = ROOT / "docs" / "promises.md"


def promises() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "battery" / "promises.toml").read_text(encoding="utf-8"))["promise"]
    return found


def rows(slice_: bool) -> Iterator[Row]:
    chosen = promises()[::15] if slice_ else promises()
    wrong = []
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        root = copy_of_tree(Path(folder))
        for i, promise in enumerate(chosen, 1):
            path = root / promise["file"]
            source = path.read_text(encoding="utf-8")
            if source.count(promise["before"]) != 1:
                wrong.append(
                    f"{promise['says']}: {promise['file']} holds what is to be changed {source.count(promise['before'])} times"
                )
                continue
            path.write_text(source.replace(promise["before"], promise["after"]), encoding="utf-8")
            if not first_failure(root, [promise["test"]]).startswith(promise["test"].partition("[")[0]):
                wrong.append(f"{promise['says']} It was broken, and {promise['test']} did not notice")
            path.write_text(source, encoding="utf-8")
            say(f"promises: {i} of {len(chosen)}")
    yield Row("promises", "promises broken on purpose, each noticed by the test it names", len(chosen), wrong, clock.seconds)


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
