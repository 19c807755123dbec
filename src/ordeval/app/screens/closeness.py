"""Closeness: the fewer rows lie between two classes, the closer they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import closeness as state
from ordeval.app import frame, recipes
from ordeval.app.charts import dot_plot
from ordeval.app.closeness import FIRST, LINK, Sets
from ordeval.app.escape import escape
from ordeval.app.tables import LARGEST

STATE = "sets"


def page() -> None:
    frame.heading(
        "The fewer rows lie between two classes, the closer they are",
        "To call a paper *weak accept* instead of *accept* is a small error where reviewers rarely go that high, and a large one where "
        "they often do.  CEM measures this in bits: the rarer the rows from the answer to the truth, the closer the two.",
    )
    sets = st.session_state[STATE] = _editor(frame.open_link(STATE, LINK))
    for side, (name, rows) in zip(st.columns(2, gap="large"), sets.both.items(), strict=True):
        with side:
            st.subheader(escape(name), anchor=False)
            chart, words = dot_plot(name, sets.labels, rows)
            frame.wide_chart(chart)
            st.caption(escape(words))
            _pairs(sets, rows)
            frame.figure(oe.plot.ClosenessDisplay.from_counts(state.counts_of(sets.labels, rows)))
    st.caption(
        "Half the rows of the answer's own class and all rows from there to the truth, the truth's own included, are counted; their share P "
        "of all rows gives −log₂ P bits.  The direction matters: the answer weak accept for the truth accept is not the answer accept for "
        "the truth weak accept."
    )
    frame.cards(["cem"], "What is made of it?")
    frame.ending(recipes.closeness(sets.labels, sets.both), LINK.write(sets), "closeness")


def _editor(sets: Sets) -> Sets:
    import pandas as pd

    def rename() -> None:
        try:
            names = state.checked_names([st.session_state["name_first"], st.session_state["name_second"]])
            st.session_state[STATE] = replace(st.session_state[STATE], names=names)
        except oe.ArgumentError as error:
            frame.refuse_edit(error)

    def start_again() -> None:
        st.session_state[STATE] = FIRST
        for key in ("name_first", "name_second"):
            st.session_state.pop(key, None)
        frame.restart_grid("sets")

    key, base = frame.grid_start("sets", sets)
    with st.expander("Change the classes and their rows", expanded=True):
        for column, name, value in zip(st.columns(2), ("first", "second"), sets.names, strict=True):
            frame.start_with(f"name_{name}", value)
            column.text_input(f"Name of the {name}", key=f"name_{name}", on_change=rename)
        frame.add_field("names", "Name of the first, name of the second")
        count: dict[str, Any] = {"min_value": 0, "max_value": LARGEST, "step": 1, "default": 0}
        records = st.data_editor(
            pd.DataFrame({"class": base.labels, "first": base.first, "second": base.second}),
            key=key,
            num_rows="dynamic",
            hide_index=True,
            alt="Classes, lowest first, with their rows in both distributions; rows can be added and removed",
            column_config={
                "class": st.column_config.TextColumn("class, lowest first", required=True),
                "first": st.column_config.NumberColumn(sets.names[0], **count),
                "second": st.column_config.NumberColumn(sets.names[1], **count),
            },
        )
        frame.add_field("labels", "class, lowest first")
        st.button("Back to the two journals", on_click=start_again)
    try:
        return state.sets_from_records(records.to_dict("records"), sets.names)
    except ValueError as error:
        frame.show_refusal(error, "labels")
        return sets


def _pairs(sets: Sets, rows: tuple[int, ...]) -> None:
    closest, furthest = state.closest_and_furthest(sets.labels, rows)
    for title, named in (("Closest", closest), ("Furthest", furthest)):
        lines = [f"- {escape(pair.answer)} → {escape(pair.truth)}: **{state.bits_text(pair.bits)}**" for pair in named]
        st.markdown("\n".join([f"**{title}** (answer → truth)", "", *(lines or ["- there are no rows"])]))
