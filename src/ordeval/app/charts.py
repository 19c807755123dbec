"""Charts for the page: those of the library, and two of its own, scores as bars from worst to best and rows as dots above their class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ordeval.app.closeness import WIDE, dots
from ordeval.app.score_table import Standing
from ordeval.plot import Display
from ordeval.plot._style import FAINT, FALLBACKS, FIRST, INK, MUTED, SECOND, short, short_labels
from ordeval.show._numbers import number

Spec = dict[str, Any]

LINE = 44  # pixels for one score
PADDING = dict.fromkeys(("left", "right", "top", "bottom"), 10)
AXIS = {"labelLimit": 0, "titleLimit": 0, "labelColor": INK, "titleColor": INK, "titleFontWeight": "normal", "gridColor": FAINT}


def spec_of(display: Display) -> Spec:
    """A figure of the library, as large as it was meant: Streamlit would squeeze it into its own size."""
    return {"padding": PADDING, **display.to_vega(), "autosize": {"type": "pad", "contains": "padding"}}


def _layers(description: str, height: int, layers: list[Spec]) -> Spec:
    config = {"font": FALLBACKS, "view": {"stroke": None}, "axis": AXIS}
    return {
        "description": description,
        "background": "white",
        "padding": PADDING,
        "height": height,
        "layer": layers,
        "config": config,
    }


def _field(name: str, kind: str, **more: Any) -> Spec:
    return {"field": name, "type": kind, **more}


def score_bars(found: Sequence[Standing]) -> tuple[Spec, str]:
    """Each score on a line from its worst to its best, the pinned table's as a mark; and the same in words."""
    rows = [
        {
            "metric": standing.plain,
            "share": 0.0 if math.isnan(standing.share) else standing.share,
            "whole": 1.0,
            "start": 0.0,
            "title": f"{standing.plain} {standing.better}",
            "value": standing.words(),
            "pinned": None if math.isnan(standing.pinned_share) else standing.pinned_share,
            "pinned_value": number(standing.pinned),
        }
        for standing in found
    ]
    said = "; ".join(f"{row['title']} {row['value']}" for row in rows)
    # the axis says what both ends mean, since some scores are better when lower
    ends = {"title": None, "values": [0, 1], "labelExpr": "datum.value ? 'best' : 'worst'", "labelAlign": "center"}
    axis = {**ends, "grid": False, "ticks": False, "domain": False, "labelColor": MUTED}
    y = _field("metric", "nominal", sort=None, axis=None, scale={"domain": [row["metric"] for row in rows]})
    told = [
        _field("title", "nominal"),
        _field("value", "nominal", title="score"),
        _field("pinned_value", "nominal", title="pinned"),
    ]

    def layer(mark: Spec, across: str, **more: Any) -> Spec:
        x = _field(across, "quantitative", scale={"domain": [0, 1], "nice": False}, axis=axis)
        return {"data": {"values": rows}, "mark": mark, "encoding": {"x": x, "y": y, "tooltip": told, **more}}

    text = {"type": "text", "dy": -8, "fontSize": 13, "color": INK}
    layers = [
        layer({"type": "bar", "height": 9, "yOffset": 9, "color": "#e6e6e6"}, "whole"),
        layer({"type": "bar", "height": 9, "yOffset": 9, "color": FIRST}, "share"),
        layer({"type": "tick", "thickness": 3, "size": 17, "yOffset": 9, "color": SECOND}, "pinned"),
        layer({**text, "align": "left"}, "start", text=_field("title", "nominal")),
        layer({**text, "align": "right", "fontWeight": "bold"}, "whole", text=_field("value", "nominal")),
    ]
    return _layers(said, LINE * len(rows), layers), said


def dot_plot(name: str, labels: Sequence[str], rows: Sequence[int]) -> tuple[Spec, str]:
    """A dot for every row, in stacks above the classes, the number above; and the same in words."""
    names = short_labels(labels)
    placed, per_dot = dots(names, rows)
    said = f"{short(name)}: " + ", ".join(f"{short(label)} {times:,}" for label, times in zip(labels, rows, strict=True))
    said += "." if per_dot == 1 else f".  One dot is {per_dot:,} rows."
    tallest = max((dot["level"] for dot in placed), default=0) + 1
    points = [{"class": dot["class"], "place": dot["place"] - (WIDE - 1) / 2, "level": dot["level"] + 0.5} for dot in placed]
    totals = [
        {"class": label, "level": math.ceil(math.ceil(times / per_dot) / WIDE), "text": f"{times:,}"}
        for label, times in zip(names, rows, strict=True)
    ]
    turned = -40 if max(map(len, names)) * len(names) > 60 else 0
    x = _field("class", "nominal", sort=None, scale={"domain": names}, axis={"title": None, "ticks": False, "labelAngle": turned})
    y = _field("level", "quantitative", axis=None, scale={"domain": [0, tallest + 2], "nice": False})
    across = _field("place", "quantitative", scale={"domain": [-WIDE / 2 - 0.5, WIDE / 2 + 0.5]})
    layers: list[Spec] = [
        {
            "data": {"values": points},
            "mark": {"type": "circle", "size": 16, "opacity": 0.9, "color": FIRST},
            "encoding": {"x": x, "y": y, "xOffset": across},
        },
        {
            "data": {"values": totals},
            "mark": {"type": "text", "dy": -12, "fontSize": 12, "color": INK},
            "encoding": {"x": x, "y": y, "text": _field("text", "nominal")},
        },
    ]
    return _layers(said, max(120, min(320, 13 * (tallest + 2))), layers), said
