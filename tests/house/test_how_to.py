"""The how-to pages: every block of Python runs and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

import ordeval as oe

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [*sorted((DOCS / "how-to").glob("*.md")), *sorted(DOCS.glob("migrate-*.md"))]
BLOCKS = [
    pytest.param(code, shown, id=f"{page.stem}-{i}")
    for page in PAGES
    for i, (code, shown) in enumerate(re.findall(r"```python\n(.*?)```\n```\n(.*?)```", page.read_text(encoding="utf-8"), re.S))
]


@pytest.mark.parametrize(("code", "shown"), BLOCKS)
def test_python_blocks_print_what_they_show(code, shown):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(code, {"oe": oe})
        except (ValueError, TypeError) as error:
            print(f"{type(error).__name__}: {error}")
    assert out.getvalue() == shown


def test_every_block_shows_what_it_prints():
    assert PAGES
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert text.count("```python\n") == len(re.findall(r"```python\n.*?```\n```\n", text, re.S)), page.name
