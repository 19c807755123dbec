"""Twenty hostile labels, forty classes, one class, one row: a figure is drawn, labels stay text, no number is hidden."""

import hashlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import altair as alt
import jsonschema
import matplotlib
import numpy as np
import pytest
import vl_convert
from hostile import HOSTILE, MODELS, hostile_counts
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from processes import GUARD

import ordeval as oe
from ordeval.plot._style import LABEL, short_labels
from ordeval.show._numbers import number

NAMES = [
    "ConfusionDisplay",
    "ClosenessDisplay",
    "CostDisplay",
    "ErrorProfileDisplay",
    "CutDisplay",
    "ForestDisplay",
    "DifferenceDisplay",
    "FlipsDisplay",
    "RankDisplay",
    "RankingsDisplay",
    "OciShareDisplay",
    "MatrixDisplay",
    "SeverityDisplay",
    "PanelDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "SetCoverageDisplay",
]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def hostile(every_figure):
    return every_figure(hostile_counts())


def all_displays():
    return {name for room in (oe.plot, oe.raters, oe.papers) for name in room.__all__ if name.endswith("Display")} - {"Display"}


def test_every_public_display_is_tested_here():
    papers = {"OptimalLengthDisplay", "SingleRowDisplay", "TridiagonalDisplay", "SaddleDisplay", "FrequencyDisplay"}
    assert {*NAMES, "OpenLengthDisplay", *papers} == all_displays()  # the others' labels come from numbers


@pytest.mark.parametrize("name", NAMES)
def test_hostile_labels_are_text_in_svg(hostile, name):
    svg = hostile[name].to_svg()
    root = ET.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "defs", "path", "use", "text", "tspan", "clipPath", "rect"}
    words = {"".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")}
    if name in ("ConfusionDisplay", "ClosenessDisplay", "CostDisplay", "ErrorProfileDisplay", "FlipsDisplay"):
        assert set(short_labels(HOSTILE)) <= words
    if name == "CutDisplay":
        *lower, highest = short_labels(HOSTILE[1:])
        assert {*(f"≥ {label}" for label in lower), highest} <= words
    if name == "ReliabilityDisplay":
        assert {f"≤ {label}" for label in short_labels(HOSTILE[:-1])} <= words
    if name == "RocDisplay":
        areas = [number(area) for area in hostile[name].areas]
        assert {f"≥ {label}  {area}" for label, area in zip(short_labels(HOSTILE[1:]), areas, strict=True)} <= words
    if name == "SetCoverageDisplay":
        assert set(short_labels(["all rows", *HOSTILE], LABEL + 12)) <= words
    if name in ("RankDisplay", "RankingsDisplay"):
        assert set(short_labels(MODELS)) <= words
    assert root[0].text == hostile[name].title
    assert root[1].text == hostile[name].caption
    assert root.attrib["role"] == "img"
    assert not re.search(
        r"(?i)<script|javascript:|<style|style=|<image|<foreignObject|<!DOCTYPE|<\?xml|<metadata|<[^>]* on\w+=", svg
    )
    references = re.findall(r'href="([^"]*)"|url\(([^)]*)\)', svg)
    assert all((a or b).startswith("#") for a, b in references)
    assert "\n" not in hostile[name].caption


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_hostile_labels_draw_as_png(hostile, name, tmp_path):
    hostile[name].save(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(PNG)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_hostile_labels_draw_as_pdf(hostile, name, tmp_path):
    hostile[name].save(tmp_path / "figure.pdf")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_mathematics(hostile, name):
    ax = hostile[name].plot().ax_
    found = ax.findobj(Text)
    assert len(found) > 5
    assert not any(text.get_parse_math() or text.get_usetex() for text in found)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_labels_are_data_in_vega_lite(hostile, name):
    spec = hostile[name].to_vega()
    expressions, fields = [], []

    def walk(node, key=""):
        if isinstance(node, dict):
            for inner, value in node.items():
                if inner not in ("datasets", "data"):
                    walk(value, inner)
        elif isinstance(node, list):
            for value in node:
                walk(value, key)
        elif key.lower().endswith("expr") or key in ("calculate", "filter", "test", "expr"):
            expressions.append(node)
        elif key == "field":
            fields.append(node)

    walk(spec)
    assert set(expressions) <= {"format(abs(datum.value), '.0%')", "format(abs(datum.value), ',')"}
    assert fields
    assert all(re.fullmatch(r"[a-z_0-9]+", field) for field in fields)
    svg = vl_convert.vegalite_to_svg(spec)
    assert "<script" not in svg
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg).iter()}
    assert tags <= {"svg", "g", "path", "text", "tspan", "rect", "line", "defs", "clipPath", "style"}
    if name == "ConfusionDisplay":
        assert vl_convert.vegalite_to_png(spec).startswith(PNG)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_altair_reads_every_specification(hostile, name):
    spec = hostile[name].to_vega()
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec  # plain data
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v")
    assert (spec["title"]["text"], spec["description"]) == (hostile[name].title, hostile[name].caption)
    again = alt.Chart.from_dict(spec).to_dict()
    assert (again["width"], again["height"]) == (spec["width"], spec["height"])
    spec["layer"][0]["mrak"] = "rect"  # and would refuse what it does not know
    with pytest.raises(jsonschema.ValidationError):
        alt.Chart.from_dict(spec)


def test_full_labels_stand_in_the_data(hostile):
    rows = hostile["ConfusionDisplay"].to_vega()["data"]["values"]
    assert [row["row_label"] for row in rows[::20]] == HOSTILE


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_the_same_data_give_the_same_bytes(figures, name, tmp_path):
    assert figures[name].to_svg() == figures[name].to_svg()
    figures[name].save(tmp_path / "a.png")
    figures[name].save(tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.slow
def test_bytes_do_not_depend_on_the_process_or_on_settings(figures):
    program = (
        "import matplotlib; matplotlib.rcParams.update({'text.usetex': True, 'font.size': 30, 'svg.fonttype': 'path'});"
        "import ordeval as oe; c = oe.Counts.from_matrix([[5, 1], [2, 9]], labels=['$a_{', 'b']);"
        "import hashlib; print(hashlib.sha256(oe.plot.ConfusionDisplay.from_counts(c).to_svg().encode()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD
    ).stdout.strip()
    counts = oe.Counts.from_matrix([[5, 1], [2, 9]], labels=["$a_{", "b"])
    assert hashlib.sha256(oe.plot.ConfusionDisplay.from_counts(counts).to_svg().encode()).hexdigest() == other


def test_two_figures_on_a_page_share_no_name(figures):
    names = [
        set(re.findall(r' id="([^"]+)"', figures[name].to_svg())) for name in ("ConfusionDisplay", "CutDisplay", "CostDisplay")
    ]
    assert names[0]
    assert not any(a & b for a, b in combinations(names, 2))


@pytest.mark.slow
def test_forty_classes_are_all_there():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 200, (40, 40))
    display = oe.plot.ConfusionDisplay.from_counts(oe.Counts.from_matrix(table), cells="counts").plot()
    shown = {tuple(text.get_position()): text.get_text() for text in display.ax_.texts if not isinstance(text, Annotation)}
    assert [[int(shown[p, t]) for p in range(40)] for t in range(40)] == table.tolist()
    display.figure_.draw_without_rendering()
    boxes = [text.get_window_extent() for text in display.ax_.texts[:40]]  # the numbers of the first row
    assert all(a.x1 < b.x0 for a, b in pairwise(boxes))
    assert boxes[0].height / display.figure_.dpi * 72 > 5  # points
    ticks = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
    assert all(upper.y0 > lower.y1 - 1 for upper, lower in pairwise(ticks))


@pytest.mark.slow
@pytest.mark.parametrize(
    "counts",
    [
        oe.count(["x"] * 5, {"a": ["x"] * 5, "b": ["x"] * 5}, labels=["x"]),
        oe.count(["x"], {"a": ["y"], "b": ["x"]}, labels=["x", "y", "z"]),
    ],
    ids=["one class", "one row"],
)
def test_hardly_any_data_is_drawn_and_said(counts, every_figure):
    for display in every_figure(counts).values():
        assert display.caption.endswith(".")
        assert display.to_svg().startswith("<svg")
        vl_convert.vegalite_to_svg(alt.Chart.from_dict(display.to_vega()).to_json())


def test_no_rows_at_all():
    counts = oe.Counts.from_matrix([[0, 0], [0, 0]])
    for kind in (
        oe.plot.ConfusionDisplay,
        oe.plot.ClosenessDisplay,
        oe.plot.CostDisplay,
        oe.plot.ErrorProfileDisplay,
        oe.plot.CutDisplay,
        oe.plot.OciShareDisplay,
    ):
        display = kind.from_counts(counts)
        assert re.search(r"[Nn]o row|fewer than two", display.caption), display.caption
        assert display.to_svg().startswith("<svg")
        alt.Chart.from_dict(display.to_vega()).to_dict()


def test_one_class_has_no_cut_and_the_figure_says_so():
    display = oe.plot.CutDisplay.from_predictions(["x"], ["x"], labels=["x"]).plot()
    assert display.ax_.texts[0].get_text() == display.caption == "The scale has one class, so there is no cut."


def test_plot_draws_on_given_axes_and_opens_no_window(figures):
    figure = Figure()
    ax = figure.add_subplot()
    display = figures["CutDisplay"].plot(ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert display is figures["CutDisplay"]


@pytest.mark.slow
def test_plot_does_not_load_what_opens_windows():
    program = (
        "import sys, ordeval as oe; oe.plot.ConfusionDisplay.from_predictions([1, 2], [1, 1]).plot();"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD).stdout
        == "False\n"
    )


def test_settings_are_left_as_they_were(figures):
    before = dict(matplotlib.rcParams)
    figures["ForestDisplay"].to_svg()
    assert dict(matplotlib.rcParams) == before


def test_files_appear_whole_or_not_at_all(figures, tmp_path):
    display, path = figures["CostDisplay"], tmp_path / "figure.svg"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="force=True"):
        display.save(path)
    assert path.read_text() == "mine"
    display.save(path, force=True)
    assert path.read_text(encoding="utf-8") == display.to_svg() + "\n"
    with pytest.raises(ValueError, match=r"let the name end in \.png, \.svg, \.pdf"):
        display.save(tmp_path / "figure.gif")
    assert [file.name for file in tmp_path.iterdir()] == ["figure.svg"]


@pytest.mark.slow
def test_without_matplotlib_one_message_names_the_extra_and_vega_lite_needs_nothing():
    program = (
        "import sys; sys.modules['matplotlib'] = sys.modules['altair'] = None; import ordeval as oe\n"
        "display = oe.plot.ConfusionDisplay.from_predictions([1, 2], [1, 1])\n"
        "print(display.caption, display._repr_svg_())\n"
        "print(len(display.to_vega()['data']['values']))\n"
        "try: display.plot()\n"
        "except ImportError as error: print(error)\n"
    )
    lines = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD
    ).stdout.splitlines()
    assert lines[0].endswith("called 1. None")
    assert lines[1:] == ["4", 'this figure needs matplotlib, which is not installed: pip install "ordeval[plot]"']
