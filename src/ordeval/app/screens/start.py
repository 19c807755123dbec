"""Start: one sentence, three doors, and a table to play with."""

from __future__ import annotations

import streamlit as st

from ordeval.app import frame
from ordeval.app.frame import Way
from ordeval.app.presets import LINK
from ordeval.app.screens import playground

DOORS = (
    (
        "I want to understand",
        "Seven short screens: why accuracy is blind, why numbers for grades deceive, and what to count instead.",
        Way("Learn", "learn", {"step": "1"}),
    ),
    (
        "I have a file",
        "True grades and a model's answers.  You get a verdict in words, what speaks against it, and the rows behind every number.",
        Way("Evaluate my file", "evaluate"),
    ),
    (
        "I must name a metric",
        "Six questions about your grades and your readers; two or three metrics, each with its reasons.",
        Way("Choose a metric", "choose"),
    ),
)


def page() -> None:
    """The doors; or the playground, where an old link to a table leads."""
    if frame.entering():
        st.session_state["old_link"] = LINK.is_in(st.query_params.to_dict())
    if st.session_state["old_link"]:
        playground.page()
        return
    frame.heading(
        "When grades have an order, a near miss is not a far one",
        "A patient who is truly *red* and called *orange* is seen a little late; one called *green* is sent home.  Here you can see which scores "
        "know the difference.",
    )
    for place, (title, words, way) in zip(st.columns(3, gap="medium"), DOORS, strict=True):
        with place.container(border=True):
            st.header(title, anchor=False)
            st.markdown(words)
            frame.ways(way, lead="")
    st.markdown("Or just play:")
    frame.ways(
        Way("Change a table and watch the scores", "playground"),
        Way("How close two grades are", "closeness"),
        Way("What a metric promises", "laws"),
        lead="",
    )
    frame.follow({})
