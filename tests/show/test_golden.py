"""What each command prints in each format, kept in tests/show/golden.

To rewrite the files after a wanted change, and then to read the difference:
    REWRITE_GOLDEN=1 python -m pytest tests/show/test_golden.py; git diff tests/show/golden
"""

import difflib
import json
import os
import re
from pathlib import Path

import pytest
from commands import LABELS, ordeval, triage

GOLDEN = Path(__file__).parent / "golden"
SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
ENDINGS = {"text": "txt", "json": "json", "csv": "csv", "md": "md", "latex": "tex"}
FEW = ("--seed", "7", "--n-resamples", "400")
ROWS = ("triage.csv", "--true", "grade", "--labels", LABELS, "--missing", "drop")
COMMANDS = {
    "score": ("score", *ROWS, "--pred", "model", *FEW),
    "score_groups": ("score", *ROWS, "--pred", "nurse", "--pred", "model", "--by", "site", "--metrics", "cem,amae", *FEW),
    "compare": ("compare", *ROWS, "--pred", "nurse", "--pred", "model", "--primary", "cem", *FEW),
    "leaderboard": ("leaderboard", "gold.csv", "nurse.csv", "model.csv", "cautious.csv", *ROWS[3:], *FEW),
}


@pytest.fixture(autouse=True)
def in_a_folder_with_the_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    triage(tmp_path)


def settled(text):
    """Without versions, and with at most nine digits, 0 within 1e-12: the last ones may differ between processors and builds of numpy."""

    def rounded(number):
        return "0.0" if abs(float(number)) < 1e-12 else f"{float(number):.9g}"

    text = re.sub(r"v:\S+\s+numpy:[\w.]+", "v:V numpy:V", text)
    return re.sub(r"-?\d+\.\d{9,}(?:e-?\d+)?", lambda found: rounded(found[0]), text)


def check(name, text):
    path = GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    lines = (path.read_text(encoding="utf-8").splitlines(), text.splitlines())
    difference = "\n".join(difflib.unified_diff(*lines, f"golden/{name}", "printed now", lineterm=""))
    assert not difference, f"rewrite with REWRITE_GOLDEN=1 if this is wanted:\n{difference}"


@pytest.mark.parametrize("format", ENDINGS)
@pytest.mark.parametrize("command", COMMANDS)
def test_printed(command, format):
    done = ordeval(*COMMANDS[command], "--format", format)
    assert (done.code, done.err) == (0, "")
    check(f"{command}.{ENDINGS[format]}", settled(done.out))


def test_validate():
    done = ordeval("validate", *ROWS, "--pred", "nurse", "--pred", "model")
    assert (done.code, done.err) == (0, "")
    check("validate.txt", done.out)


def test_a_file_gets_what_the_terminal_gets():
    printed = ordeval(*COMMANDS["score"], "--format", "csv").out
    done = ordeval(*COMMANDS["score"], "--format", "csv", "-o", "scores.csv")
    assert (done.out, done.err) == ("", "written: scores.csv\n")
    assert Path("scores.csv").read_text(encoding="utf-8") == printed


def keys(schema, path=""):
    """Every key that a schema allows, with the way to it."""
    for name, part in sorted(schema.get("properties", {}).items()):
        yield f"{path}{name}{'' if name in schema.get('required', []) else '?'}"
        yield from keys(part, f"{path}{name}.")
    for name in ("items", "additionalProperties", "then"):
        if isinstance(schema.get(name), dict):
            yield from keys(schema[name], f"{path}*.")
    for name, part in sorted(schema.get("$defs", {}).items()):
        yield from keys(part, f"{path}{name}/")


def test_the_keys_of_json_do_not_change_silently():
    lines = [f"{file.name} {key}" for file in sorted(SCHEMAS.glob("*.json")) for key in keys(json.loads(file.read_text()))]
    check("json_keys.txt", "\n".join(lines) + "\n")
