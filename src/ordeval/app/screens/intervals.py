"""Intervals: when classes are intervals, their lengths decide what an error costs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app.intervals_state import DISTANCES, FIRST, LINK, SHORTEST, Spans, edges_from, edges_text
from ordeval.app.tables import Cells

STATE = "spans"


def page() -> None:
    frame.heading(
        "When classes are intervals, their lengths decide what an error costs",
        "Days in hospital as 1–2, 3–7, 8–14 and more: a wrong class is a wrong number of days.  An open last class has no length, so it "
        "is given the one that makes the largest possible cost smallest.",
    )
    frame.widgets_of(STATE, "edges", "distance", "length")
    spans = frame.open_link(STATE, LINK)
    left, right = st.columns([5, 4], gap="large")
    with left:
        spans = st.session_state[STATE] = _editor(spans)
    counts, values, number = spans.counts, spans.values(), oe.show.number
    with right:
        costs = oe.parts.cost_matrix(counts, metric=spans.metric)
        frame.numbers_table("costs", counts.scale.labels, costs, "What each answer costs, for each truth", digits=3)
    with st.container(horizontal=True):
        for text, value in values.items():
            st.metric(f"{oe.get_metric(text).title} ({frame.best_line(text, counts.scale.K)})", number(value), border=True)
    st.markdown(
        f"With the lengths the standardized cost is {number(values[spans.metric])}; by ranks alone, as if all classes were equally long, "
        f"it is {number(values['stc'])}."
    )
    if spans.open_ends:
        frame.figure(oe.plot.OpenLengthDisplay.from_counts(counts, distance=spans.distance))
        if spans.length is not None:
            st.caption(f"The scores above use the length you gave, {spans.length:g}.")
    frame.cards([spans.metric, "stc"])
    recipe = recipes.intervals(spans.edges, counts.scale.labels, spans.cells, spans.metrics, spans.distance)
    table = elsewhere.table_of(counts)
    by_rank = [] if table is None else [elsewhere.to_playground(table, "The same table by ranks alone")]
    frame.ways(*by_rank, elsewhere.to_laws("interval_stc", "merging", "What the cost promises"))
    frame.ending(recipe, LINK.write(spans))


def _editor(spans: Spans) -> Spans:
    def move() -> None:
        try:
            edges = edges_from(st.session_state["edges"])
        except oe.ArgumentError as error:
            frame.refuse_edit(error)
            return
        st.session_state[STATE] = st.session_state[STATE].with_edges(edges)
        frame.renew(STATE)

    def take(cells: Cells) -> None:
        st.session_state[STATE] = replace(st.session_state[STATE], cells=cells)

    def start_again() -> None:
        st.session_state[STATE] = FIRST
        frame.renew(STATE)

    frame.start_with("edges", edges_text(spans.edges))
    st.text_input("Edges, lowest first (inf and -inf for open ends)", key="edges", on_change=move)
    frame.add_field("edges", "Edges, lowest first")
    frame.edited_cells("spans", [str(label) for label in spans.scale.labels], spans.cells, STATE, take)
    frame.start_with("distance", spans.distance)
    words = {"hausdorff": "between the farther edges (Hausdorff)", "midpoint": "between the midpoints"}
    distance = st.radio("Distance of two intervals", DISTANCES, format_func=words.__getitem__, key="distance", horizontal=True)
    frame.add_field("distance", "Distance of two intervals", words=words)
    length = None
    if spans.open_ends:
        frame.start_with("length", spans.length)
        label = "Length of an open interval"
        length = st.number_input(
            f"{label} (empty: the one that makes the largest cost smallest)", min_value=SHORTEST, key="length", value=None
        )
        frame.add_field("unbounded", label)
    st.button("Back to the example", on_click=start_again)
    return replace(spans, distance=distance, length=length)
