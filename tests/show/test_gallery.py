"""docs/figures.md: its code runs, makes every kind of figure, and every figure has its picture and its words on the page."""

import importlib.util
import re
from pathlib import Path

import pytest

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
