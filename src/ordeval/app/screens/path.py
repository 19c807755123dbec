"""Path: the ordinal classification index keeps the rows that agree about the order."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.screens.playground import STATE, read, table_editor
from ordeval.app.tables import to_query
from ordeval.show._numbers import number

DEFAULTS = {"share": 0.75, "gamma": 1.0}
RANGES = {"share": (0.0, 1.0), "gamma": (0.5, 4.0)}


def dials(query: Mapping[str, str]) -> dict[str, float]:
    """Share and gamma as the address gives them."""
    found = {}
    for name, default in DEFAULTS.items():
        low, high = RANGES[name]
        try:
            value = float(query.get(name, default))
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"the address gives {name}={query[name]}; a number from {low:g} to {high:g} is needed")
        found[name] = value
    return found


def page() -> None:
    frame.heading(
        "The best path keeps the rows that agree about the order",
        "A path crosses the table from the lowest class to the highest.  Rows on it agree about the order, right or wrong; rows off it are "
        "lost.  The index is the least loss over all paths: 0 is perfect.",
    )
    frame.opened(STATE, read)
    found = frame.opened("dials", dials)
    for name, value in found.items():
        frame.start_with(f"dial_{name}", value)
    left, right = st.columns([5, 4], gap="large")
    with left:
        table = table_editor("path")
        share = st.slider(
            "share: what an error on the path costs, from nothing to all", *RANGES["share"], step=0.05, key="dial_share"
        )
        gamma = st.slider(
            "gamma: how much more a far error counts than a near one", *RANGES["gamma"], step=0.25, key="dial_gamma"
        )
        st.session_state["dials"] = {"share": share, "gamma": gamma}
    parts = oe.parts.oci_parts(table.counts, share=share, gamma=gamma)
    with right:
        frame.figure(oe.plot.ConfusionDisplay.from_counts(table.counts, path=True, cells="counts", share=share, gamma=gamma))
    with st.container(horizontal=True):
        st.metric("index (0 is best)", number(parts.index), border=True)
        st.metric("= dispersion: distance", number(parts.dispersion), border=True)
        st.metric("+ rows left out", number(parts.left_out), border=True)
        st.metric("+ penalty on the path", number(parts.penalty), border=True)
    st.markdown(
        f"The path keeps {parts.on_path:,.0f} of {parts.rows:,.0f} rows (benefit {number(parts.benefit)}).  All rows together are "
        f"{parts.distance:,.4g} steps from the diagonal, which adds the dispersion; {parts.rows - parts.on_path:,.0f} rows off the path are left out; "
        f"rows on it that are off the diagonal pay the penalty."
    )
    frame.figure(oe.plot.OciShareDisplay.from_counts(table.counts, gamma=gamma))
    frame.cards(["oci"], "What is it?")
    query = to_query(table) | {"share": f"{share:g}", "gamma": f"{gamma:g}"}
    frame.ending(recipes.path(table.labels, table.cells, share, gamma), query, "path")
