"""docs/figures.md: its code runs, makes every kind of figure, and every figure has its picture and its words on the page.

What each figure draws is kept in tests/show/drawn.  To rewrite it after a wanted change, and then to look at the figures and to read
the difference:
    REWRITE_GOLDEN=1 python -m pytest tests/show/test_gallery.py; git diff tests/show/drawn
"""

import difflib
import importlib.util
import json
import os
import re
from copy import copy
from pathlib import Path

import pytest
from drawings import described

import ordeval as oe

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def gallery():
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "scripts" / "gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(gallery):
    return gallery.displays()


def test_every_kind_of_figure_is_on_the_page(made):
    every = {name for room in (oe.plot, oe.raters, oe.papers) for name in room.__all__ if name.endswith("Display")} - {"Display"}
    assert {type(display).__name__ for display in made.values()} == every


def test_every_figure_has_its_picture_and_its_caption(made):
    assert re.findall(r"!\[[^\]]*\]\(figures/(\w+)\.png\)", PAGE) == list(made)
    assert sorted(file.stem for file in (ROOT / "docs" / "figures").iterdir()) == sorted(made)
    for name, display in made.items():
        picture = (ROOT / "docs" / "figures" / f"{name}.png").read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 100_000
        assert f"figures/{name}.png)\n\n*{display.caption}*\n" in PAGE, f"{name}: {display.caption}"


def test_the_script_draws_into_a_folder(gallery, tmp_path, capsys, monkeypatch, made):
    monkeypatch.setattr(gallery, "displays", lambda: {"cuts": made["cuts"]})
    gallery.main([str(tmp_path / "new")])
    assert (tmp_path / "new" / "cuts.png").stat().st_size > 5_000
    assert made["cuts"].caption in capsys.readouterr().out
    with pytest.raises(SystemExit, match="one folder"):
        gallery.main([])


# What is drawn


def counts_of(table, labels, second):
    """One model with this confusion matrix, and another that answers for each true class what is said."""
    k = range(len(table))
    true, pred = zip(*((labels[t], labels[p]) for t in k for p in k for _ in range(table[t][p])), strict=True)
    other = [labels[second(labels.index(t))] for t in true]
    return oe.count(true, {"system one": pred, "system two, whose name is too long for every figure": other}, labels=labels)


ODD = {  # no truth in one class and no answer in another; all right and alike; two classes, all wrong; few rows, and no class in the middle
    "odd": ([[9, 2, 0, 0, 1], [0] * 5, [3, 4, 0, 6, 0], [0, 0, 0, 40, 2], [1, 0, 0, 5, 3]], lambda t: (t + 1) % 5),
    "alike": ([[8, 0, 0], [0, 5, 0], [0, 0, 7]], lambda t: t),
    "wrong": ([[0, 7], [9, 0]], lambda t: 1 - t),
    "few": ([[1, 0, 1], [0, 0, 0], [0, 1, 2]], lambda t: 2),
}
NAMES = ["none", "a little more than none", "some", "much", "all"]


def rounded(value):
    """A specification with no more digits than a drawing shows."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def flat(value, path=""):
    """A line for each part of a specification that fits on one, with the way to it; of many rows of data some."""
    line = f"{path} {json.dumps(value, ensure_ascii=False)}"
    if len(line) <= 140 or not value or not isinstance(value, (dict, list)):
        return [line]
    if path.endswith(".values"):
        return [f"{path} {len(value)}", *(f"  {json.dumps(row, ensure_ascii=False)}" for row in value[:: len(value) // 20 + 1])]
    named = value.items() if isinstance(value, dict) else enumerate(value)
    return [line for name, part in named for line in flat(part, f"{path}.{name}" if path else str(name))]


def drawing(display):
    return "\n".join([display.title, display.caption, "", *described(copy(display).plot().figure_), ""])


def specification(display):
    """In both layouts; of the second only what differs from the first."""
    beside, stacked = (flat(rounded(display.to_vega(layout=layout))) for layout in ("beside", "stacked"))
    return "\n".join([*beside, *([""] if stacked != beside else []), *(line for line in stacked if line not in set(beside)), ""])


def check(name, text):
    path = Path(__file__).parent / "drawn" / f"{name}.txt"
    if os.environ.get("REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = (path.read_text(encoding="utf-8").splitlines(), text.splitlines())
    difference = "\n".join(difflib.unified_diff(*lines, f"drawn/{name}.txt", "drawn now", lineterm="", n=0))
    assert not difference, f"rewrite with REWRITE_GOLDEN=1 if this is wanted:\n{difference}"


@pytest.mark.parametrize("name", re.findall(r"\(figures/(\w+)\.png\)", PAGE))
def test_what_is_drawn_on_the_page(made, name):
    check(name, f"{drawing(made[name])}\n{specification(made[name])}")


@pytest.mark.parametrize("case", ODD)
def test_what_is_drawn_of_odd_counts(every_figure, case):
    table, second = ODD[case]
    displays = every_figure(counts_of(table, NAMES[: len(table)], second))
    check(f"{case}-counts", "\n".join(f"# {name}\n{drawing(display)}" for name, display in displays.items()))
