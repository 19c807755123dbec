"""Path: the ordinal classification index keeps the rows that agree about the order."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app.links import Link, Part, number_in
from ordeval.app.presets import LINK
from ordeval.app.screens.playground import open_table, table_editor

RANGES = {"share": (0.0, 1.0), "gamma": (0.5, 4.0)}


@dataclass(frozen=True)
class Dials:
    """What the sliders say."""

    share: float = 0.75
    gamma: float = 1.0


DIALS = Link(Dials(), Dials, {name: Part(name, number_in(*ends), "{:g}".format) for name, ends in RANGES.items()})


def page() -> None:
    frame.heading(
        "The best path keeps the rows that agree about the order",
        "A path crosses the table from the lowest class to the highest.  Rows on it agree about the order, right or wrong; rows off it are "
        "lost.  The index is the least loss over all paths: 0 is perfect.",
    )
    table = open_table()
    frame.widgets_of("dials", "dial_share", "dial_gamma")
    for name, value in vars(frame.open_link("dials", DIALS)).items():
        frame.start_with(f"dial_{name}", value)
    left, right = st.columns([5, 4], gap="large")
    with left:
        table_editor("path")
        share = st.slider(
            "share: what an error on the path costs, from nothing to all", *RANGES["share"], step=0.05, key="dial_share"
        )
        gamma = st.slider(
            "gamma: how much more a far error counts than a near one", *RANGES["gamma"], step=0.25, key="dial_gamma"
        )
    dials = st.session_state["dials"] = Dials(share, gamma)
    parts = oe.parts.oci_parts(table.counts, share=share, gamma=gamma)
    place = {label: i for i, label in enumerate(table.labels)}
    with right:
        frame.confusion("path_table", table.counts, "the best path is framed", path=[(place[t], place[p]) for t, p in parts.path])
    number = oe.show.number
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
    frame.ways(
        elsewhere.to_playground(table),
        elsewhere.to_closeness(table),
        elsewhere.to_laws("oci", "triangle", "What the index promises"),
    )
    frame.ending(recipes.path(table.labels, table.cells, share, gamma), LINK.write(table) | DIALS.write(dials))
