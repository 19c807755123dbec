"""Closeness: the fewer rows lie between two classes, the closer they are."""

from __future__ import annotations

import streamlit as st

import ordeval as oe
from ordeval.app import closeness as state
from ordeval.app import elsewhere, frame, recipes
from ordeval.app.charts import dot_plot
from ordeval.app.closeness import FIRST, LINK, Sets
from ordeval.app.escape import escape
from ordeval.app.links import names_text
from ordeval.app.tables import counts_text

STATE = "sets"


def page() -> None:
    frame.heading(
        "The fewer rows lie between two classes, the closer they are",
        "To call a paper *weak accept* instead of *accept* is a small error where reviewers rarely go that high, and a large one where "
        "they often do.  CEM measures this in bits: the rarer the rows from the answer to the truth, the closer the two.",
    )
    frame.widgets_of(STATE, *FIELDS)
    sets = _editor(frame.open_link(STATE, LINK))
    for side, (name, rows) in zip(st.columns(2, gap="large"), sets.both.items(), strict=True):
        with side:
            st.header(escape(name), anchor=False)
            chart, words = dot_plot(name, sets.labels, rows)
            frame.wide_chart(chart, words)
            st.caption(escape(words))
            _pairs(sets, rows)
            bits = oe.parts.closeness_matrix(state.counts_of(sets.labels, rows))
            frame.numbers_table(f"bits_{name}", sets.labels, bits, "Closeness in bits of each answer to each truth")
    st.caption(
        "Half the rows of the answer's own class and all rows from there to the truth, the truth's own included, are counted; their share P "
        "of all rows gives −log₂ P bits.  The direction matters: the answer weak accept for the truth accept is not the answer accept for "
        "the truth weak accept."
    )
    frame.cards(["cem"], "What is made of it?")
    frame.ways(
        elsewhere.to_learn(3, "Why people between decide"),
        elsewhere.to_laws("cem", "ordinal_invariance", "Only the order matters"),
    )
    frame.ending(recipes.closeness(sets.labels, sets.both), LINK.write(sets))


FIELDS = ("classes_text", "name_first", "rows_first", "name_second", "rows_second")


def _editor(sets: Sets) -> Sets:
    def take() -> None:
        held = [st.session_state[key] for key in FIELDS]
        try:
            st.session_state[STATE] = state.sets_from_texts(*held)
        except oe.ArgumentError as error:
            frame.refuse_edit(error)

    def start_again() -> None:
        st.session_state[STATE] = FIRST
        frame.renew(STATE)

    texts = (names_text(sets.labels), sets.names[0], counts_text(sets.first), sets.names[1], counts_text(sets.second))
    for key, text in zip(FIELDS, texts, strict=True):
        frame.start_with(key, text)
    with st.expander("Change the classes and their rows", expanded=True):
        st.text_input("Classes, lowest first, with commas between them", key="classes_text", on_change=take)
        frame.add_field("labels", "Classes, lowest first")
        for place, column in zip(("first", "second"), st.columns(2), strict=True):
            column.text_input(f"Name of the {place}", key=f"name_{place}", on_change=take)
            column.text_input(f"Rows of each class in the {place}", key=f"rows_{place}", on_change=take)
        frame.add_field("names", "Name of the first, name of the second")
        frame.add_field("cells", "Rows of each class")
        st.button("Back to the two journals", on_click=start_again)
    return sets


def _pairs(sets: Sets, rows: tuple[int, ...]) -> None:
    closest, furthest = state.closest_and_furthest(sets.labels, rows)
    for title, named in (("Closest", closest), ("Furthest", furthest)):
        lines = [f"- {escape(pair.answer)} → {escape(pair.truth)}: **{state.bits_text(pair.bits)}**" for pair in named]
        st.markdown("\n".join([f"**{title}** (answer → truth)", "", *(lines or ["- there are no rows"])]))
