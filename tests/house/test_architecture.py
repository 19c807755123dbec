"""docs/architecture.md is true: its rooms are the rooms, and what its walks pass through is there."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
STEPS = re.findall(r"`([\w/]+\.\w+)`(?:\s+`(\w+)`)?", PAGE)


def place(path):
    """The file that a walk names: of the package, or of the repository."""
    return next((file for file in (ROOT / "src" / "ordeval" / path, ROOT / path) if file.is_file()), None)


def test_the_walks_are_long_enough_to_mean_something():
    assert len(STEPS) >= 35


@pytest.mark.parametrize(("path", "function"), sorted(set(STEPS)))
def test_every_step_is_where_the_page_says(path, function):
    if path == "__init__.py":
        return
    file = place(path)
    assert file is not None, f"{path} is not there"
    if function:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        assert function in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, (
            f"{path} has no {function}"
        )


def test_the_rooms_are_those_of_the_import_contract_in_its_order():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    listed = re.findall(r"^\| `(\w+)/?` \|", PAGE, re.M)
    level = {room: number for number, layer in enumerate(reversed(layers)) for room in layer.split(" | ")}
    assert set(listed) == set(level) - {"__main__"}
    assert [level[room] for room in listed] == sorted(level[room] for room in listed)
