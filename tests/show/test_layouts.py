"""Figures for pages: stacked so that they fit any width, and with colours that the page sets."""

import json
import re

import numpy as np
import pytest

import ordeval as oe

#: What looks like a colour of ours, and is a label.
LABELS = ["var(--oe-ink)", "#1a1a1a", "#0b5fa5"]
NAMES = (
    "ForestDisplay",
    "DifferenceDisplay",
    "FlipsDisplay",
    "ErrorProfileDisplay",
    "RankDisplay",
    "CutDisplay",
    "OciShareDisplay",
)


@pytest.fixture(scope="module")
def figures(every_figure):
    codes = np.random.default_rng(5).integers(0, 3, (3, 120))
    true, first, second = ([LABELS[c] for c in row] for row in codes.tolist())
    return every_figure(oe.count(true, {"#1a1a1a": first, "second": second}, labels=LABELS))


def drawn(spec):
    """Everything in a specification that is no label: colours of marks, axes and data."""
    found = []

    def walk(node, key=""):
        if isinstance(node, dict):
            for inner, value in node.items():
                walk(value, inner)
        elif isinstance(node, list):
            for value in node:
                walk(value, key)
        elif isinstance(node, str) and key in (
            "color",
            "colour",
            "fill",
            "stroke",
            "labelColor",
            "titleColor",
            "gridColor",
            "range",
        ):
            found.append(node)

    walk(spec)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layout", ["beside", "stacked"])
def test_a_page_sets_every_colour_and_labels_stay_what_they_are(figures, name, layout):
    light = figures[name].to_vega(layout=layout)
    varied = figures[name].to_vega(layout=layout, theme="variables")
    assert not [colour for colour in drawn(light) if colour.startswith("var(")]
    own = set(oe.plot.THEMES["light"].values())
    assert not set(drawn(varied)) & own
    names = {match for colour in drawn(varied) for match in re.findall(r"var\(--oe-([\w-]+)\)", colour)}
    assert {"ink"} <= names <= set(oe.plot.THEMES["dark"])
    texts = json.dumps(varied)
    assert "#1a1a1a" in texts or name in ("OciShareDisplay",)  # a label, which no theme may change
    json.loads(texts)


@pytest.mark.parametrize("name", ["ForestDisplay", "DifferenceDisplay", "FlipsDisplay", "ErrorProfileDisplay", "RankDisplay"])
def test_stacked_figures_have_nothing_beside_them(figures, name):
    """What stands to the right of a drawing is cut where the drawing takes the whole width."""

    def outside(spec):
        """Texts that begin at the right edge."""
        layers = [inner for layer in spec["layer"] for inner in layer.get("layer", [layer])] if "layer" in spec else [spec]
        at_edge = [layer for layer in layers if layer["encoding"].get("x") == {"value": "width"}]
        assert at_edge
        return [layer for layer in at_edge if layer["mark"]["align"] == "left"]

    assert outside(figures[name].to_vega(layout="beside"))
    assert not outside(figures[name].to_vega(layout="stacked"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [340, 1200])
def test_stacked_figures_are_drawn_with_the_same_numbers(figures, name, width):
    import vl_convert

    spec = figures[name].to_vega(layout="stacked")
    assert "<svg" in vl_convert.vegalite_to_svg({**spec, "width": width, "autosize": {"type": "fit-x", "contains": "padding"}})

    def numbers(of):
        return set(re.findall(r"0\.\d{3} \[[^\]]*\]", json.dumps(of, ensure_ascii=False)))

    assert numbers(spec) == numbers(figures[name].to_vega())


def test_themes_can_be_read():
    """Texts have at least 4.5 to 1, marks 3 to 1 against the page, on both themes."""
    from ordeval.plot._style import contrast

    for theme, page in (("light", "#ffffff"), ("dark", "#1a1a19")):
        colours = oe.plot.THEMES[theme]
        assert min(contrast(colours[name], page) for name in ("ink", "quiet")) >= 4.5
        assert min(contrast(colours[name], page) for name in ("first", "third", "fourth", "sixth", "marked")) >= 3
    assert oe.plot.THEMES["light"].keys() == oe.plot.THEMES["dark"].keys()


@pytest.mark.parametrize(
    ("given", "said"), [({"layout": "wide"}, "'beside' or 'stacked'"), ({"theme": "dark"}, "'light' or 'variables'")]
)
def test_other_words_are_refused(figures, given, said):
    with pytest.raises(oe.ArgumentError, match=said):
        figures["ForestDisplay"].to_vega(**given)
