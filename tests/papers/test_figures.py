"""The papers' figures hold the fixed points that can be computed by hand, and draw them."""

import math

import altair as alt
import numpy as np
import pytest

import ordeval as oe
from ordeval.papers._figures import proposition_6


@pytest.fixture(scope="module")
def optimal():
    return oe.plot.OptimalLengthDisplay.from_ratio(10)


def test_fixed_points_of_the_best_length(optimal):
    fixed = {0.5: 0.577, 1: 0.707, 2: 1.236, 5: 2.236, 10: 3.162}
    at = {float(ratio): float(x) for ratio, x in zip(optimal.ratios, optimal.lengths, strict=True)}
    assert {ratio: round(at[ratio], 3) for ratio in fixed} == fixed
    assert at[1.0] == pytest.approx(math.sqrt(1 / 2))
    for limit in (1, (1 + math.sqrt(5)) / 2, (3 + math.sqrt(5)) / 2):  # the formulas meet
        assert proposition_6(limit) == pytest.approx(proposition_6(limit + 1e-12))
    assert (np.diff(optimal.lengths) > 0).all()


def test_the_best_length_is_what_the_library_finds(optimal):
    assert len(optimal.found) == 10
    for ratio, found in zip(optimal.found_at, optimal.found, strict=True):
        edges = [0, 1, 1 + float(ratio), math.inf]
        counts = oe.Counts.from_matrix(np.eye(3, dtype=int), labels=oe.Scale.from_edges(edges))
        assert oe.parts.optimal_length(counts) == pytest.approx(found, abs=5e-5)
        assert proposition_6(float(ratio)) == pytest.approx(found, abs=5e-5)


def test_two_panels_and_the_break_points(optimal):
    panels = optimal.plot().ax_.child_axes
    assert [panel.get_xlim() for panel in panels] == [(0, 2), (0, 10)]
    dotted = [[line.get_xdata()[0] for line in panel.lines if line.get_linestyle() == ":"] for panel in panels]
    assert [np.round(lines, 3).tolist() for lines in dotted] == [[1, 1.618], [1, 1.618, 2.618]]
    assert len(optimal.to_vega()["hconcat"]) == 2


def test_fixed_points_of_one_row():
    display = oe.plot.SingleRowDisplay.from_betas()
    assert display.betas == (0.5, 0.125, 0.0313, 0.0)
    assert display.distances.tolist() == list(range(10))
    rows = dict(zip(display.betas, display.values, strict=True))
    assert rows[0.125].round(3).tolist() == [0, 0.625, 0.917, *[1] * 7]
    assert rows[0.0] == pytest.approx([d / (1 + d) for d in range(10)])
    assert rows[0.0][[1, 2, 9]].round(3).tolist() == [0.5, 0.667, 0.9]
    assert rows[0.5] == pytest.approx([0] + [1] * 9)


def test_fixed_points_of_tridiagonal_tables():
    display = oe.plot.TridiagonalDisplay.from_classes(30)
    last = dict(zip(display.names, display.values[:, -1].round(3), strict=True))
    fixed = {"MER": 0.659, "MAE": 0.659, "Rs": 0.995, "tau_b": 0.962, "r_int": 0.941, "OC 0.25": 0.599, "OC 0.75": 0.604}
    assert last == fixed
    assert display.classes.tolist() == list(range(2, 31))
    for name, number in fixed.items():
        assert f"{name} {number}" in display.caption


def test_data_as_pictures():
    points = oe.papers.SaddleDisplay.from_data(oe.papers.saddle(100))
    assert sum(len(line.get_xdata()) for line in points.plot().ax_.lines) == 100
    bars = oe.papers.FrequencyDisplay.from_data(oe.papers.balance())
    assert bars.frequencies == ((288, 49, 288),)
    assert "Balance 288 49 288" in bars.caption
    (panel,) = bars.plot().ax_.child_axes
    places = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in panel.patches}
    assert places == {1: 288, 2: 49, 3: 288}
    assert panel.get_xticks().tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="data has 4 features; give data of two"):
        oe.papers.SaddleDisplay.from_data(oe.papers.balance())
    with pytest.raises(ValueError, match="data is empty"):
        oe.papers.FrequencyDisplay.from_data()


@pytest.mark.parametrize(
    "make",
    [
        lambda: oe.plot.OptimalLengthDisplay.from_ratio(4),
        oe.plot.SingleRowDisplay.from_betas,
        lambda: oe.plot.TridiagonalDisplay.from_classes(5),
        lambda: oe.papers.SaddleDisplay.from_data(oe.papers.saddle(20)),
        lambda: oe.papers.FrequencyDisplay.from_data(oe.papers.balance(), oe.papers.saddle(20)),
    ],
)
@pytest.mark.slow
def test_every_form_of_a_figure(make, tmp_path):
    display = make()
    display.save(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert display.to_svg() == make().to_svg()
    assert alt.Chart.from_dict(display.to_vega()).to_dict()


def test_what_cannot_be_drawn_is_one_sentence():
    with pytest.raises(ValueError, match="most=2 leaves nothing to show beside the panel up to 2; give a number above 2"):
        oe.plot.OptimalLengthDisplay.from_ratio(2)
    with pytest.raises(ValueError, match="leave nothing to draw; give penalties from 0 on and a distance from 1 on"):
        oe.plot.SingleRowDisplay.from_betas([-1])
    with pytest.raises(ValueError, match="most=2 classes do not make a curve"):
        oe.plot.TridiagonalDisplay.from_classes(2)
    with pytest.raises(AttributeError, match="has no attribute 'SingleDisplay'"):
        _ = oe.plot.SingleDisplay
