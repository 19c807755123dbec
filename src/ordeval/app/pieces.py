"""Pieces of a page that Streamlit does not have: a table to type into, a list to order, people as dots, the address.

Each is a component without a frame.  Their programs stand in `js/`; what a visitor typed goes into them as data and comes back to be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from ordeval.app.programs import joined, source

_component = st.components.v2.component
_ADDRESS = _component("ordeval_address", js=source("address.js"))
_MATRIX = _component("ordeval_matrix", html='<div class="matrix"></div>', css=source("matrix.css"), js=source("matrix.js"))
_ORDER = _component("ordeval_order", html='<div class="order"></div>', css=source("order.css"), js=source("order.js"))
_PEOPLE = _component(
    "ordeval_people",
    html='<div class="learn"><svg></svg><div class="legend"></div><div class="bars"></div><p class="said" role="status"></p></div>',
    css=source("learn.css"),
    js=joined(source("metrics.js"), source("dots.js")) + source("learn.js"),
)

Numbers = Sequence[Sequence[float]]


def address(page: str, query: Mapping[str, str], base: str = "") -> None:
    """Put what a page shows into its address, in place of what stood there: the way back leads to the page before."""
    _ADDRESS(data={"query": urlencode(dict(query)), "page": page, "base": base}, key="address", on_theme_change=lambda: None)


def edit_table(
    key: str,
    labels: Sequence[str],
    cells: Numbers,
    *,
    version: int,
    largest: float,
    caption: str,
    take: Callable[[Any], None],
    fractions: bool = False,
    corner: str = "true ↓ predicted →",
) -> None:
    """A table to type into; `take` gets what stands in it, which nobody has checked."""
    data = {"labels": list(labels), "cells": cells, "mode": "edit", "version": version, "largest": largest}
    more = {"caption": caption, "fractions": fractions, "corner": corner}
    _MATRIX(key=key, data={**data, **more}, on_cells_change=lambda: take(_sent(key, "cells")))


def show_table(
    key: str,
    labels: Sequence[str],
    cells: Numbers,
    *,
    caption: str,
    texts: Sequence[Sequence[str]] | None = None,
    shades: Sequence[Sequence[float | None]] | None = None,
    marked: Sequence[tuple[int, int]] = (),
    notes: Sequence[str] | None = None,
    notes_title: str = "",
    corner: str = "true ↓ predicted →",
    pick: tuple[int, int] | None = None,
    take: Callable[[Any], None] | None = None,
) -> None:
    """A table to look at; with `take` its cells are buttons, and it gets the place of the one that was pressed."""
    data = {"labels": list(labels), "cells": cells, "mode": "show" if take is None else "look", "caption": caption}
    more = {"texts": texts, "shades": shades, "marked": list(marked), "notes": notes, "notes_title": notes_title}
    press = None if take is None else (lambda: take(_sent(key, "cell")))
    _MATRIX(key=key, data={**data, **more, "corner": corner, "pick": pick}, on_cell_change=press or (lambda: None))


def edit_order(key: str, names: Sequence[str], *, version: int, take: Callable[[Any], None]) -> None:
    """Names to put in order; `take` gets the new order."""
    _ORDER(key=key, data={"names": list(names), "version": version}, on_names_change=lambda: take(_sent(key, "names")))


def people(
    key: str,
    labels: Sequence[str],
    table: Sequence[Sequence[int]],
    scores: Sequence[tuple[str, str, float, float]],
    *,
    columns: Sequence[str] | None = None,
    version: int = 0,
    take: Callable[[Any], None] | None = None,
) -> None:
    """People as dots and scores as bars, each with its name, title, worst and best; `take` gets the table when a dot was let go.

    The columns are the classes; where nothing can be moved they may be something else.
    """
    data = {
        "labels": list(labels),
        "columns": columns,
        "table": table,
        "scores": list(scores),
        "version": version,
        "fixed": take is None,
    }
    _PEOPLE(key=key, data=data, on_table_change=lambda: take(_sent(key, "table")) if take is not None else None)


def _sent(key: str, name: str) -> Any:
    """What a component has sent."""
    held = st.session_state.get(key)
    return held.get(name) if isinstance(held, Mapping) else getattr(held, name, None)
