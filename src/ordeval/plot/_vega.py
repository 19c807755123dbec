"""Vega-Lite, written as plain dicts: labels are data in it and in no expression, and all data stand where they are used."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from ordeval.plot._style import FAINT, FALLBACKS, INK, MUTED, SYSTEMS, Colour

Spec: TypeAlias = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
CONFIG: Spec = {
    "font": FALLBACKS,
    "view": {"stroke": None},
    "axis": {
        "labelLimit": 0,
        "titleLimit": 0,
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "gridColor": FAINT,
    },
    "title": {"limit": 0, "color": INK},
    "legend": {"labelColor": INK, "titleColor": INK},
    "text": {"color": INK},
}
AT_RIGHT: Spec = {"value": "width"}  #: the right edge, for what stands beside the drawing


def whole(drawn: Spec, title: str, caption: str) -> Spec:
    """A complete specification."""
    said = {"title": {"text": title, "anchor": "start", "fontSize": 13}, "description": caption}
    return {"$schema": SCHEMA, **said, "background": "white", "config": deepcopy(CONFIG), **drawn}


def with_variables(part: Any) -> Any:
    """The same with every colour of ours as the variable that stands for it; labels are no colours, whatever they say."""
    if isinstance(part, Colour):
        return part.variable
    if isinstance(part, Mapping):
        return {key: with_variables(value) for key, value in part.items()}
    return [with_variables(value) for value in part] if isinstance(part, list | tuple) else part


# Layouts that fit any width: names and numbers stand above what they belong to


def at_height(total: float) -> Spec:
    """A scale of pixels from the top of a figure so high."""
    return {"domain": [total, 0], "nice": False, "zero": False}


def down(field: str, total: float) -> Spec:
    """A place so many pixels from the top."""
    return quantity(field, scale=at_height(total), axis=None)


def line_of_text(field: str, side: str = "left", **look: Any) -> Spec:
    """Words at the left or at the right edge."""
    return mark(
        "text", {"align": side, "baseline": "middle", **look}, x={"value": 0 if side == "left" else "width"}, text=category(field)
    )


def category(field: str, **more: Any) -> Spec:
    """A channel of labels."""
    return {"field": field, "type": "nominal", **more}


def quantity(field: str, **more: Any) -> Spec:
    """A channel of numbers."""
    return {"field": field, "type": "quantitative", **more}


def quantities(fields: Iterable[str], form: str) -> list[Spec]:
    """Numbers that are shown to those who point at something."""
    return [quantity(field, format=form) for field in fields]


def literal(field: str) -> Spec:
    """Colours or shapes as they stand in the data."""
    return category(field, scale=None)


def ordered(field: str, order: Sequence[str], title: str | None, **axis: Any) -> Spec:
    """An axis of labels in the order given."""
    return category(field, sort=None, scale={"domain": list(order)}, axis={"title": title, "ticks": False, **axis})


def colours(field: str, names: Sequence[str]) -> Spec:
    """One of the systems' colours for each name, and a legend."""
    scale = {"domain": list(names), "range": [SYSTEMS[i % len(SYSTEMS)][0] for i in range(len(names))]}
    return category(field, sort=None, scale=scale, legend={"title": None, "symbolOpacity": 1, "labelLimit": 0})


def mark(kind: str, look: Mapping[str, Any] | None = None, /, **channels: Any) -> Spec:
    """One layer: what is drawn, how it looks, and what it shows."""
    return {"mark": {"type": kind, **(look or {})}, "encoding": channels}


def beside(field: str, dx: float = 8, **look: Any) -> Spec:
    """Texts to the right of the drawing."""
    return mark("text", {"align": "left", "dx": dx, **look}, x=AT_RIGHT, text=category(field))


def only(layer: Spec, field: str, value: Any) -> Spec:
    """The layer for those rows of the data in which a field has this value."""
    return {**layer, "transform": [*layer.get("transform", []), {"filter": {"field": field, "equal": value}}]}


def over(values: Sequence[Mapping[str, Any]], *layers: Spec, **shared: Any) -> Spec:
    """Layers of the same data, with channels that all of them have."""
    return {"data": {"values": list(values)}, "layer": [{**one, "encoding": {**shared, **one["encoding"]}} for one in layers]}


def sized(width: float, height: float, *layers: Spec) -> Spec:
    """Layers upon each other."""
    return {"width": width, "height": height, **(layers[0] if len(layers) == 1 else {"layer": list(layers)})}


def sentence(words: str) -> Spec:
    """A sentence in place of a picture."""
    drawn = mark("text", {"color": MUTED, "fontSize": 12}, text=category("words"))
    return {"width": 320, "height": 120, "data": {"values": [{"words": textwrap.wrap(words, 46)}]}, **drawn}
