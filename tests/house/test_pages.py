"""The pages of the documentation: every block of Python runs, in order, and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from commands import ordeval

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n?^```(?:text)?\n(.*?)^```)?", re.S | re.M)
DOORS = ("inspect.md", "mlflow.md")  # tests/doors runs them, in an environment with the libraries that they are about
PAGES = [
    page for page in sorted(DOCS.rglob("*.md")) if "```python\n" in page.read_text(encoding="utf-8") and page.name not in DOORS
]
SLOW = {"decide", "figures", "llm-judge", "probabilities", "torch", "tutorial"}  # pages whose programs take more than 2 s
NEEDS = {"torch.md": "torch"}  # pages about a library that is not in every environment


@pytest.fixture
def registry(monkeypatch):
    """A metric that a page registers is gone after it."""
    from ordeval.metrics.core import registry

    for name in ("_REGISTRY", "_FOUND_BY"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))


@pytest.mark.usefixtures("registry")
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis sets it, pandas no longer wants it
@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=pytest.mark.slow if p.stem in SLOW else ()) for p in PAGES], ids=lambda p: p.stem
)
def test_python_blocks_print_what_they_show(page, tmp_path, monkeypatch):
    if page.name in NEEDS:
        pytest.importorskip(NEEDS[page.name])
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert len(blocks) == page.read_text(encoding="utf-8").count("```python\n")
    space = {}  # what a reader has who copies the blocks, and nothing more
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(code, page.name, "exec"), space)
            except (ValueError, TypeError) as error:
                if not shown.startswith(type(error).__name__):
                    raise
                print(f"{type(error).__name__}: {error}")
        assert out.getvalue() == shown, code


def test_commands_named_in_the_pages_exist_and_their_page_lists_them_all():
    help_text = ordeval("--help").out
    for page in DOCS.rglob("*.md"):
        for command in re.findall(r"`ordeval ([a-z]+)", page.read_text(encoding="utf-8")):
            assert f"  {command} " in help_text, f"{page.name}: ordeval {command}"
    listed = re.findall(r"^\| `ordeval (\w+)", (DOCS / "command-line.md").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(re.findall(r"^  ([a-z]+)  ", help_text.partition("Start:")[2], re.M))
