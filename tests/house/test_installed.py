"""The package as it is installed: its data files come with it, a stranger's program type-checks, the demo runs in an empty directory."""

import subprocess
import sys
from importlib.metadata import distribution, version
from importlib.resources import files
from pathlib import Path

import pytest
from processes import GUARD

import ordeval

DATA = (
    "py.typed",
    "data/triage.csv",
    "app/js/address.js",
    "app/js/dots.js",
    "app/js/learn.css",
    "app/js/learn.js",
    "app/js/matrix.css",
    "app/js/matrix.js",
    "app/js/metrics.js",
    "app/js/order.css",
    "app/js/order.js",
    "papers/record/blog.toml",
    "papers/record/cem.toml",
    "papers/record/cem_table_3.json",
    "papers/record/oci.toml",
    "papers/record/oci_table_6.json",
    "papers/record/stc.toml",
    "metrics/core/law_records.json",
    "show/report.html.jinja",
    "show/report.css",
)

PROGRAM = """
import ordeval as oe

scale: oe.Scale = oe.Scale(["low", "mid", "high"])
value: float = oe.cem(["low", "high"], ["low", "mid"], labels=scale)
counts: oe.Counts = oe.count(["low", "high"], ["low", "mid"], labels=scale)
result: oe.Evaluation = oe.evaluate(counts, metrics=["mae"])
score: oe.Score = result.scores["mae"]
low: float = score.low
verdict: str = oe.compare(["low"] * 9, {"a": ["low"] * 9, "b": ["mid"] * 9}, labels=scale).verdict
names: list[str] = [metric.name for metric in oe.catalogue()]
"""
WRONG = {
    "oe.cem([1], [1], level='ordinal', colour='red')": 'Unexpected keyword argument "colour"',
    "number: int = oe.Scale([1, 2])": "Incompatible types in assignment",
    "oe.evaluate([1], [1]).score": '"Evaluation" has no attribute "score"',
    "oe.cmpare": 'has no attribute "cmpare"',
}


@pytest.mark.parametrize("name", DATA)
def test_data_files_are_installed(name):
    found = files("ordeval").joinpath(*name.split("/"))
    assert found.is_file()
    assert name == "py.typed" or found.read_text(encoding="utf-8")


def test_nothing_but_code_and_the_listed_data_is_in_the_package():
    root = Path(ordeval.__file__).parent
    others = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert others == set(DATA)


def test_the_version_is_the_one_of_the_metadata():
    assert version("ordeval") == ordeval.__version__
    assert distribution("ordeval").metadata["Requires-Python"] == ">=3.11"


@pytest.mark.slow
def test_the_demo_runs_in_an_empty_directory(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "ordeval", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=GUARD,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("rows ")
    assert [path.name for path in tmp_path.iterdir()] == ["ordeval-demo.html"]


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy says of two programs outside the repository, (file, line) by (file, line)."""
    folder = tmp_path_factory.mktemp("outside")
    public = "\n".join(f"oe.{name}" for name in ordeval.__all__)
    (folder / "right.py").write_text(f"{PROGRAM}\n{public}\n", encoding="utf-8")
    (folder / "wrong.py").write_text("\n".join(["import ordeval as oe", *WRONG]), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", "right.py", "wrong.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_strangers_program_type_checks(complaints):
    """Every public name among it."""
    assert [line for line in complaints if not line.startswith("wrong.py")] == []


@pytest.mark.slow
def test_a_strangers_mistakes_are_found(complaints):
    for line, message in enumerate(WRONG.values(), start=2):
        found = [text for text in complaints if text.startswith(f"wrong.py:{line}: error:")]
        assert any(message in text for text in found), complaints
