"""README: every block of Python runs and prints what stands below it; every command it names exists."""

import contextlib
import io
import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest
from commands import ordeval
from studies import task

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
    assert as_any_version(out.getvalue()) == as_any_version(shown)


def as_any_version(text):
    """The same but for the versions of the programs, which change with the environment."""
    return re.sub(r"\s+", " ", re.sub(r"numpy:\S+", "numpy", text))


def test_there_are_blocks():
    assert len(BLOCKS) >= 1
    assert all(shown for _, shown in BLOCKS)


def test_commands_named_in_the_readme_exist():
    commands = set(re.findall(r"`ordeval ([a-z]+)", README))
    help_text = ordeval("--help").out
    assert commands
    assert all(f"  {command} " in help_text for command in commands)
    targets = set(re.findall(r"^make ([a-z-]+)", README, re.M))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= targets
    assert all(f"\n{target}:" in makefile for target in targets)


def test_pictures_are_there_and_small():
    pictures = re.findall(r"\]\((docs/[\w/.-]+\.png)\)", README)
    assert "docs/confusion.png" in pictures
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


def test_it_is_short():
    assert len(README.splitlines()) <= 130


COMMANDS = [
    line.split("#")[0].strip()
    for block in re.findall(r"^```\n(ordeval .*?)```", README, re.S | re.M)
    for line in block.splitlines()
]


@pytest.mark.slow
def test_every_command_runs(tmp_path, monkeypatch):
    """In the order of the page, on files as a reader would have them; the open questions of the study are answered between."""
    assert len(COMMANDS) >= 6
    monkeypatch.chdir(tmp_path)
    files_of_a_reader(tmp_path)
    for command in COMMANDS:
        done = ordeval(*shlex.split(command)[1:])
        assert done.code == 0, f"{command}: {done.out} {done.err}"
        if command.startswith("ordeval init"):
            study = tmp_path / "study.toml"
            assert "# ?" in study.read_text(encoding="utf-8")
            study.write_text(answered(study.read_text(encoding="utf-8")), encoding="utf-8")


def files_of_a_reader(folder):
    (folder / "visits.csv").write_bytes((files("ordeval") / "data" / "triage.csv").read_bytes())
    task(folder)
    grades = ["ann,bob,gpt", *(f"{i % 4 + 1},{(i + i // 7) % 4 + 1},{(i + i // 5) % 4 + 1}" for i in range(120))]
    (folder / "essays.csv").write_text("\n".join(grades) + "\n", encoding="utf-8")


def answered(study):
    """The study with its open questions answered, and a rule."""
    study = re.sub(r"labels\s*=\s*\[\].*", 'labels = ["green", "yellow", "orange", "red"]', study)
    study = re.sub(r"answer\s*=.*# \?.*", 'answer = "wrong"', study)
    return study + '\n[[gate]]\nrule = "cem of model >= 0.8 ci"\n[output]\nreport = "report.html"\n'
