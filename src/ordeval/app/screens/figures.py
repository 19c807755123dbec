"""Figures of the papers, drawn anew as you move a number."""

from __future__ import annotations

import streamlit as st

from ordeval.app import elsewhere, frame
from ordeval.app.figures_state import KINDS, LINK, Figure

STATE = "figure"


def page() -> None:
    frame.heading(
        "The papers' figures, with a number to move",
        "Each is computed here, not copied: the curves pass through the points that the papers print.",
    )
    frame.widgets_of(STATE, "figure_show", "figure_at")
    figure = frame.open_link(STATE, LINK)

    def choose() -> None:
        st.session_state[STATE] = Figure(st.session_state["figure_show"])
        frame.renew(STATE)

    def move() -> None:
        st.session_state[STATE] = Figure(figure.show, float(st.session_state["figure_at"]))

    frame.start_with("figure_show", figure.show)
    st.radio("Figure", list(KINDS), format_func=lambda name: KINDS[name].source, key="figure_show", on_change=choose)
    kind = figure.kind
    st.header(kind.title, anchor=False)
    whole = isinstance(kind.least, int)
    least, most, value = ((int if whole else float)(number) for number in (kind.least, kind.most, figure.value))
    frame.start_with("figure_at", value)
    st.slider(
        kind.slider,
        least,
        most,
        step=1 if whole else (most - least) / 100,
        format=None if whole else "%.3g",
        key="figure_at",
        on_change=move,
    )
    display = frame.session_cache("paper_figure", figure, lambda: frame.drawing(figure.display))
    frame.figure(display)
    st.caption(f"{kind.source}.")
    ways = {
        "single": [elsewhere.to_metric("oci"), frame.Way("The path behind the index", "path")],
        "tridiagonal": [elsewhere.to_metric("cem"), frame.Way("Change a table yourself", "playground")],
        "x-tilde": [elsewhere.to_metric("interval_stc"), frame.Way("Open intervals of your own", "intervals")],
    }
    frame.ways(*ways[figure.show], frame.Way("Closeness, the first figure of the CEM paper", "closeness"))
    frame.ending(figure.recipe, LINK.write(figure))
