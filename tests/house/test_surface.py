"""What a stranger, an editor and a type checker see of the public names."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from numpydoc.docscrape import NumpyDocString
from public_surface import public_names

import ordeval as oe
from ordeval.base.docs import insert_sections, section

ROOT = Path(__file__).parents[2]


def functions():
    """Public functions, and the public methods that our classes define, by their dotted names."""
    found = {}
    for name, value in public_names().items():
        if inspect.isfunction(value):
            found[name] = value
        elif inspect.isclass(value) and value.__module__.startswith("ordeval"):
            for member, given in vars(value).items():
                plain = given.__func__ if isinstance(given, (classmethod, staticmethod)) else given
                if inspect.isfunction(plain) and not member.startswith("_") and plain.__name__ == member:
                    found[f"{name}.{member}"] = plain
    return found


def own_parameters(function):
    return [p.name for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]


@pytest.mark.parametrize("name", [name for name, value in public_names().items() if inspect.isfunction(value)])
def test_every_parameter_is_documented_with_its_type_and_every_function_says_what_it_returns(name):
    function = functions()[name]
    doc = NumpyDocString(inspect.getdoc(function) or "")
    assert " ".join(doc["Summary"]).endswith((".", "?")), "the first line is a sentence"
    assert [p.name.lstrip("*") for p in doc["Parameters"]] == own_parameters(function)
    assert [p.name for p in doc["Parameters"] if not p.type or not " ".join(p.desc).strip()] == []
    assert doc["Returns"]
    assert all((p.type or p.name) and " ".join(p.desc).strip() for p in doc["Returns"])


def test_every_public_method_says_what_it_does():
    assert [name for name, function in functions().items() if not (inspect.getdoc(function) or "").strip()] == []


def test_every_parameter_of_a_public_function_has_a_type():
    bare = [
        f"{name}({p.name})"
        for name, function in functions().items()
        for p in inspect.signature(function).parameters.values()
        if p.name not in ("self", "cls") and p.annotation is p.empty
    ]
    assert bare == []


def test_about_a_hundred_names_stand_at_the_top():
    metrics = {m.name for m in oe.catalogue()}
    assert len(set(oe.__all__) - metrics) <= 32
    assert not {name for name in oe.__all__ if name.endswith("Display")}


def test_an_old_name_says_the_new_one():
    for old, new in (
        ("dominance", "oe.infer.dominance"),
        ("check_laws", "oe.laws.check"),
        ("RaterMatrixDisplay", "oe.raters.MatrixDisplay"),
    ):
        with pytest.raises(AttributeError, match=rf"oe\.{old} is now {new}"):
            getattr(oe, old)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        oe.nonsense  # noqa: B018


MISUSED = """
import ordeval as oe
oe.cohen_kappa([1, 2], [1, 2], weights="quadratik")
oe.evaluate([1, 2], [1, 2], method="bcaa")
oe.count([1, 2], [1, 2], missing="dropp")
"""
USED = """
import numpy as np
import ordeval as oe
counts = oe.count([1, 2], np.array([1, 2]), missing="drop", labels=range(1, 3))
value: float = oe.cohen_kappa(counts, weights="linear") + oe.amae(range(3), (0, 1, 2))
low, high = oe.evaluate([1, 2], [1, 2], method="bca")["cem"].confidence_interval
frame = oe.infer.dominance(counts, "a", "b").to_frame("polars")
display: oe.plot.Display = oe.plot.ConfusionDisplay.from_counts(counts)
"""


@pytest.mark.slow
def test_a_type_checker_refuses_a_misspelt_word_and_accepts_what_is_right(tmp_path):
    (tmp_path / "misused.py").write_text(MISUSED)
    (tmp_path / "used.py").write_text(USED)
    for checker in (
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-error-summary"],
        [sys.executable, "-m", "basedpyright", "--level", "error"],
    ):
        wrong, right = (
            subprocess.run([*checker, str(tmp_path / name)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=600)
            for name in ("misused.py", "used.py")
        )
        told = [line for line in wrong.stdout.splitlines() if "misused.py:" in line and "error" in line]
        assert [line.split(":")[1] for line in told] == ["3", "4", "5"], wrong.stdout + wrong.stderr
        assert right.returncode == 0, right.stdout + right.stderr


def test_collected_arguments_have_their_stars_in_help():
    from ordeval.base.docs import parameter_section

    def function(first, *others, **options):
        """Nothing."""

    entries = parameter_section(function, dict.fromkeys(("first", "others", "options"), "Words."))
    assert [entry.split()[0].rstrip(":") for entry in entries] == ["first", "*others", "**options"]


def test_a_section_without_entries_leaves_no_gap():
    written = insert_sections("What it does.\n\n>>> 1\n1\n", [section("Parameters", []), section("Returns", ["int"])])
    assert written == "What it does.\n\nReturns\n-------\nint\n\nExamples\n--------\n>>> 1\n1\n\n"
