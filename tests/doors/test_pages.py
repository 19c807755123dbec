"""The pages on Inspect and MLflow: every block of Python runs, in order, and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n?^```(?:text)?\n(.*?)^```)?", re.S | re.M)


@pytest.mark.parametrize("page", ["inspect", "mlflow"])
def test_python_blocks_print_what_they_show(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("```python\n") > 2
    space = {}
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page, "exec"), space)
        assert out.getvalue() == shown, code
