"""Charts for the page: those of the library, and two of its own, scores as bars from worst to best and rows as dots above their class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ordeval as oe
from ordeval.app.closeness import WIDE, dots
from ordeval.app.score_table import ScoreLine

Spec = dict[str, Any]
LINE = 44  # pixels for one score
PADDING = dict.fromkeys(("left", "right", "top", "bottom"), 10)  # a bare number makes Streamlit fail
INK, QUIET, FAINT, FIRST, SECOND = (f"var(--oe-{name})" for name in ("ink", "quiet", "faint", "first", "second"))
CONFIG: Spec = {
    "view": {"stroke": None},
    "axis": {
        "labelLimit": 0,
        "titleLimit": 0,
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "gridColor": FAINT,
    },
}
LETTER = 7.0  # pixels of a letter of a label, at the most usual


def spec_of(display: oe.plot.Display) -> Spec:
    """A figure of the library for a page: its title stands above it as text, its colours are the page's."""
    spec = display.to_vega(layout="stacked", theme="variables")
    spec.pop("title")
    return spec


def fitted(spec: Spec) -> Spec:
    """The chart at whatever width there is.  What is read aloud is the text alternative, so the marks say nothing."""
    legend = {"orient": "bottom", "columns": 2, **spec.get("config", {}).get("legend", {})}
    config = {**spec.get("config", {}), "aria": False, "mark": {"aria": False}, "legend": legend}
    place = {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}, "padding": PADDING}
    turned: Spec = _turned({key: value for key, value in spec.items() if key != "description"})
    return {**turned, **place, "background": "transparent", "config": config}


def _turned(part: Any) -> Any:
    """Labels below columns are slanted where the page is too narrow for them side by side."""
    if isinstance(part, list):
        return [_turned(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: value if key == "data" else _turned(value) for key, value in part.items()}
    axis, names = found.get("axis"), found.get("scale", {}).get("domain") if isinstance(found.get("scale"), dict) else None
    if isinstance(axis, dict) and "labelAngle" in axis and isinstance(names, list):
        narrow = f"width < {LETTER * len(names) * (max(map(len, names)) + 1):.0f}"
        found["axis"] = {
            **axis,
            "labelAngle": {"expr": f"{narrow} ? -40 : 0"},
            "labelAlign": {"expr": f"{narrow} ? 'right' : 'center'"},
        }
    return found


def _layers(description: str, height: int, layers: list[Spec]) -> Spec:
    return {"description": description, "height": height, "layer": layers, "config": CONFIG}


def _field(name: str, kind: str = "nominal", **more: Any) -> Spec:
    return {"field": name, "type": kind, **more}


def score_bars(lines: Sequence[ScoreLine]) -> tuple[Spec, str]:
    """Each score on a line from its worst to its best, the pinned table's as a mark; and the same in words."""
    rows = [
        {
            "metric": line.plain,
            "share": 0.0 if math.isnan(line.share) else line.share,
            "whole": 1.0,
            "start": 0.0,
            "title": f"{line.plain} {line.better}",
            "value": line.words(),
            "pinned": None if math.isnan(line.pinned_share) else line.pinned_share,
            "pinned_value": oe.show.number(line.pinned),
        }
        for line in lines
    ]
    words = "; ".join(f"{row['title']} {row['value']}" for row in rows)
    # the axis says what both ends mean, since some scores are better when lower
    ends = {"title": None, "values": [0, 1], "labelExpr": "datum.value ? 'best' : 'worst'", "labelAlign": "center"}
    axis = {**ends, "grid": False, "ticks": False, "domain": False, "labelColor": QUIET}
    y = _field("metric", sort=None, axis=None, scale={"domain": [row["metric"] for row in rows]})
    tooltip = [_field("title"), _field("value", title="score"), _field("pinned_value", title="pinned")]

    def layer(mark: Spec, across: str, **more: Any) -> Spec:
        x = _field(across, "quantitative", scale={"domain": [0, 1], "nice": False}, axis=axis)
        return {"data": {"values": rows}, "mark": mark, "encoding": {"x": x, "y": y, "tooltip": tooltip, **more}}

    bar, text = {"type": "bar", "height": 9, "yOffset": 9}, {"type": "text", "dy": -8, "fontSize": 13, "color": INK}
    layers = [
        layer({**bar, "color": FAINT}, "whole"),
        layer({**bar, "color": FIRST}, "share"),
        layer({"type": "tick", "thickness": 3, "size": 17, "yOffset": 9, "color": SECOND}, "pinned"),
        layer({**text, "align": "left"}, "start", text=_field("title")),
        layer({**text, "align": "right", "fontWeight": "bold"}, "whole", text=_field("value")),
    ]
    return _layers(words, LINE * len(rows), layers), words


def dot_plot(name: str, labels: Sequence[str], rows: Sequence[int]) -> tuple[Spec, str]:
    """A dot for every row, in stacks above the classes, the number above; and the same in words."""
    names = oe.plot.short_labels(labels)
    placed, per_dot = dots(names, rows)
    (title,), said = oe.plot.short_labels([name], 40), oe.plot.short_labels(labels, 40)
    words = f"{title}: " + ", ".join(f"{label} {times:,}" for label, times in zip(said, rows, strict=True))
    words += "." if per_dot == 1 else f".  One dot is {per_dot:,} rows."
    tallest = max((dot["level"] for dot in placed), default=0) + 1
    points = [{"class": dot["class"], "place": dot["place"] - (WIDE - 1) / 2, "level": dot["level"] + 0.5} for dot in placed]
    totals = [
        {"class": label, "level": math.ceil(math.ceil(times / per_dot) / WIDE), "text": f"{times:,}"}
        for label, times in zip(names, rows, strict=True)
    ]
    x = _field("class", sort=None, scale={"domain": names}, axis={"title": None, "ticks": False, "labelAngle": 0})
    y = _field("level", "quantitative", axis=None, scale={"domain": [0, tallest + 2], "nice": False})
    across = _field("place", "quantitative", scale={"domain": [-WIDE / 2 - 0.5, WIDE / 2 + 0.5]})
    dot = {"type": "circle", "size": 16, "opacity": 0.9, "color": FIRST}
    text = {"type": "text", "dy": -12, "fontSize": 12, "color": INK}
    layers: list[Spec] = [
        {"data": {"values": points}, "mark": dot, "encoding": {"x": x, "y": y, "xOffset": across}},
        {"data": {"values": totals}, "mark": text, "encoding": {"x": x, "y": y, "text": _field("text")}},
    ]
    return _layers(words, max(120, min(320, 13 * (tallest + 2))), layers), words
