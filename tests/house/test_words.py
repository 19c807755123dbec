"""Sentences that stopped a native reader, and must not come back: neither in the source nor on the pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: What was said, and what is said now.
GONE = {
    "hold together": "simultaneous (they hold all at once)",
    "holds together": "simultaneous",
    "second chance": "they explain the verdict and do not replace it",
    "cannot be told apart": "these rows do not show which is better",
    "certainly": "with 95 % confidence",
    "whose it is": "who proposed it",
    "does away with": "removes",
    "has earned its name": "a confidence interval",
    "as far off on the other side": "equally near",
    "careless tool": "what common mistakes in reading would change",
    "worst cut": "weakest at",
    "of them, keeps": "finds 44 of 88, calls 18 of 2,308 others so",
    "as wrong as can be": "had all been wrong",
    "would be as wide as the scale": "15 are enough",
    "cells have lost them": "rows with weights were added up",
    "fixed beforehand": "given with the call",
    "no method was found to hold": "the condition that failed, with its number",
    "missed far too often": "no method tried held",
    "the intervals of the others": "CEM decides. The other scores have simultaneous intervals",
    "for all systems together": "all ranges hold at once",
    "stands under the name it was asked for": "each scorer keeps the name you requested",
}


def texts():
    kinds = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.jinja"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    return [path for path in kinds if "adr" not in path.parts and "_build" not in path.parts]


@pytest.mark.parametrize("fragment", GONE)
def test_it_does_not_come_back(fragment):
    words = re.compile(r"[\s#>|*]+".join(map(re.escape, fragment.split())), re.IGNORECASE)  # also over the end of a line
    found = [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, one.start()) + 1}"
        for path in texts()
        for text in [path.read_text(encoding="utf-8")]
        for one in words.finditer(text)
    ]
    assert found == [], f"say instead: {GONE[fragment]}"


def test_it_looks_at_the_source_and_the_pages():
    names = {path.name for path in texts()}
    assert {"README.md", "tutorial.md", "_verdict.py", "report.html.jinja"} <= names
