"""README: every block of Python runs and prints what stands below it; every command it names exists."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from commands import ordeval

import ordeval as oe

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:```\n(.*?)```)?", README, re.S)


@pytest.mark.parametrize(("code", "shown"), BLOCKS)
def test_python_blocks_print_what_they_show(code, shown):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(code, {"oe": oe})
        except (ValueError, TypeError) as error:
            print(f"{type(error).__name__}: {error}")
    assert out.getvalue() == shown


def test_there_are_blocks():
    assert len(BLOCKS) >= 2
    assert all(shown for _, shown in BLOCKS)


def test_commands_named_in_the_readme_exist():
    commands = set(re.findall(r"`ordeval ([a-z]+)", README))
    help_text = ordeval("--help").out
    assert commands
    assert all(f"  {command} " in help_text for command in commands)
    targets = set(re.findall(r"`make ([a-z-]+)`", README))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= targets
    assert all(f"\n{target}:" in makefile for target in targets)


def test_pictures_are_there_and_small():
    pictures = re.findall(r"\]\((docs/[\w/.-]+\.png)\)", README)
    assert {"docs/confusion.png", "docs/report.png"} <= set(pictures)
    for picture in pictures:
        data = (ROOT / picture).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert len(data) < (100_000 if "confusion" in picture else 150_000)


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
            if (
                not link.startswith("reference/") and "/reference/" not in link
            ):  # made when the pages are built, and checked there
                assert (page.parent / link).exists(), f"{page.name}: {link}"
