"""How-to pages: every block of Python runs, after those before it, and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))

pytestmark = [  # Ibis asks pandas 3 for an option that pandas 4 will not have
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated"),
]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_blocks_of_a_page_print_what_they_show(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```\n(?:```\n(.*?)```)?", page.read_text(encoding="utf-8"), re.S)
    assert blocks
    names = {}
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page.name, "exec"), names)
        assert out.getvalue() == shown


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_what_a_page_points_at_is_there(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (page.parent / target).is_file()
    for script in re.findall(r"```text\n(# \w+\.py\n.*?)```", text, re.S):
        compile(script, page.name, "exec")


def test_there_are_pages():
    assert "big-data" in [page.stem for page in PAGES]
