"""Intervals: when classes are intervals, their lengths decide what an error costs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.intervals_state import DISTANCES, FIRST, Spans, edges_from, edges_text, from_query, to_query
from ordeval.show._numbers import number

STATE = "spans"


def page() -> None:
    frame.heading(
        "When classes are intervals, their lengths decide what an error costs",
        "Days in hospital as 1–2, 3–7, 8–14 and more: a wrong class is a wrong number of days.  An open last class has no length, so the "
        "one is taken that makes the largest possible cost smallest.",
    )
    spans = frame.opened(STATE, from_query)
    left, right = st.columns([5, 4], gap="large")
    with left:
        spans = _edited(spans)
    counts = spans.counts
    with right:
        frame.figure(oe.plot.CostDisplay.from_counts(counts, metric=spans.metric))
    values = spans.values()
    with st.container(horizontal=True):
        for text, value in values.items():
            metric = oe.get_metric(text)
            st.metric(f"{metric.title} ({frame.best_line(text, counts.scale.K)})", number(value), border=True)
    with_lengths, by_rank = values[spans.metric], values["stc"]
    frame.said(
        f"With the lengths the standardized cost is {number(with_lengths)}; by ranks alone, as if all classes were equally long, it is {number(by_rank)}."
    )
    if spans.open_ends:
        frame.figure(oe.plot.OpenLengthDisplay.from_counts(counts, distance=spans.distance))
        if spans.length is not None:
            st.caption(f"The scores above use the length you gave, {spans.length:g}.")
    frame.cards([spans.metric, "stc"])
    frame.ending(
        recipes.intervals(spans.edges, counts.scale.labels, spans.cells, spans.metrics, spans.distance),
        to_query(spans),
        "intervals",
    )


def _edited(spans: Spans) -> Spans:
    def move() -> None:
        try:
            edges = edges_from(st.session_state["edges"])
        except (ValueError, TypeError) as error:
            st.session_state["refused"] = str(error)
            return
        st.session_state[STATE] = st.session_state[STATE].with_edges(edges)
        frame.restart_grid("spans")

    def again() -> None:
        st.session_state[STATE] = FIRST
        for key in ("edges", "length", "distance"):
            st.session_state.pop(key, None)
        frame.restart_grid("spans")

    frame.start_with("edges", edges_text(spans.edges))
    st.text_input("Edges, lowest first (inf and -inf for open ends)", key="edges", on_change=move)
    if problem := st.session_state.pop("refused", None):
        frame.refused(ValueError(problem))
    cells = frame.edited_cells("spans", [str(label) for label in spans.scale.labels], spans.cells)
    frame.start_with("distance", spans.distance)
    words = {"hausdorff": "between the farther edges (Hausdorff)", "midpoint": "between the midpoints"}
    distance = st.radio("Distance of two intervals", DISTANCES, format_func=words.__getitem__, key="distance", horizontal=True)
    length = None
    if spans.open_ends:
        frame.start_with("length", spans.length)
        length = st.number_input(
            "Length of an open interval (empty: the one that makes the largest cost smallest)",
            min_value=1e-9,
            key="length",
            value=None,
        )
    st.button("Back to the example", on_click=again)
    spans = replace(spans, cells=cells, distance=distance, length=length)
    st.session_state[STATE] = spans
    return spans
