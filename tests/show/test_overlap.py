"""No text on a figure lies over another text, nor leaves the figure: with 2, 5 and 12 classes and with long labels."""

import math
from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest

import ordeval as oe

TOUCH = 1.0  # pixels at 100 dpi by which boxes of letters may run into each other: rounding, and the air around letters


def corners(text, renderer):
    """The corners of a text as it stands, slanted or not: its box keeps its centre when it is turned."""
    around, angle = text.get_window_extent(renderer), math.radians(text.get_rotation())
    text.set_rotation(0)
    flat = text.get_window_extent(renderer)
    text.set_rotation(math.degrees(angle))
    x, y = (around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [flat.width / 2, flat.height / 2]
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return half @ turn + [x, y]


def overlap(a, b):
    """Whether two rectangles share more than their edges: no line separates them."""
    for shape in (a, b):
        for side in (0, 1):
            axis = shape[side + 1] - shape[side]
            length = np.hypot(*axis)
            if not length:
                return False
            one, other = a @ axis / length, b @ axis / length
            if one.max() - TOUCH <= other.min() or other.max() - TOUCH <= one.min():
                return False
    return True


def texts(display):
    """Every text that is seen, with its corners; and the size of the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from ordeval.plot._base import drawing

    with drawing():
        figure = display.plot().figure_
        figure.set_dpi(100)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        hidden = _hidden(figure)
        seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and id(t) not in hidden]
        return [(t.get_text(), corners(t, renderer)) for t in seen], figure.bbox


def _hidden(figure):
    """Labels of ticks beyond the ends of an axis: they exist, and are not drawn."""
    found = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            room = 1e-6 * (high - low)
            for tick in (*axis.majorTicks, *axis.minorTicks):
                if not axes.axison or not low - room <= tick.get_loc() <= high + room:
                    found |= {id(tick.label1), id(tick.label2)}
    return found


def faults(display):
    found, sheet = texts(display)
    said = [f"{a!r} over {b!r}" for (a, x), (b, y) in combinations(found, 2) if overlap(x, y)]
    for words, box in found:
        (left, low), (right, high) = box.min(0), box.max(0)
        if left < sheet.x0 - 2 or right > sheet.x1 + 2 or low < sheet.y0 - 2 or high > sheet.y1 + 2:
            said.append(f"{words!r} leaves the figure")
    return said


SCALES = {
    "2": ["no", "yes"],
    "5": [f"grade number {i} of a long scale" for i in range(5)],
    "12": [f"a label that is much too long {i}" for i in range(12)],
}


@pytest.fixture(scope="module", params=SCALES)
def figures(request, every_figure):
    labels = SCALES[request.param]
    rng = np.random.default_rng(7)
    true = rng.integers(0, len(labels), 900)
    models = {
        "the first of two models": np.clip(true + np.rint(rng.normal(0, 0.6, 900)).astype(int), 0, len(labels) - 1),
        "model": np.clip(true + np.rint(rng.normal(0.2, 0.5, 900)).astype(int), 0, len(labels) - 1),
    }
    decoded = {name: [labels[i] for i in codes] for name, codes in models.items()}
    return every_figure(oe.count([labels[i] for i in true], decoded, labels=labels))


@pytest.mark.slow
def test_no_text_over_text(figures):
    wrong = {name: found for name, display in figures.items() if (found := faults(display))}
    assert wrong == {}, "\n".join(f"{name}: {one}" for name, found in wrong.items() for one in found)


def test_an_overlap_would_be_seen():
    display = oe.plot.CutDisplay.from_predictions([1, 2, 3] * 20, [1, 2, 2] * 20, labels=[1, 2, 3])
    assert faults(display) == []

    class Planted(oe.plot.CutDisplay):
        def _draw(self, ax):
            super()._draw(ax)
            ax.text(0.5, 0.5, "one text", transform=ax.transAxes)
            ax.text(0.52, 0.5, "another", transform=ax.transAxes, rotation=30)

    assert faults(Planted(**{one.name: getattr(display, one.name) for one in fields(display)})) == ["'one text' over 'another'"]
