"""How-to pages: every block of Python runs, in the order of the page, and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs" / "how-to").glob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_print_what_they_show(page):
    blocks = re.findall(r"```python\n(.*?)```\n```\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert blocks
    names: dict = {}
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        assert out.getvalue() == shown
