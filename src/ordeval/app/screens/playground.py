"""Playground: change a number in a confusion matrix and watch every metric answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.charts import score_bars
from ordeval.app.inert import inert
from ordeval.app.presets import FIRST, PRESETS
from ordeval.app.score_table import SHOWN, Standing, moved_sentence, standings
from ordeval.app.tables import MOST, Table, from_query, labels_from, labels_text, to_query

STATE = "table"  # shared with the path: the same table on both pages


def read(query: Mapping[str, str]) -> Table:
    return from_query(query, FIRST)


def page() -> None:
    frame.heading(
        "Change a number and watch every metric answer",
        "Rows are the truth, columns the prediction, the lowest class first.  Start from a question, then edit any cell.",
    )
    table = frame.opened(STATE, read)
    left, right = st.columns([5, 4], gap="large")
    with left:
        _preset(table)
        table = table_editor("playground")
        _pinning(table)
    before = st.session_state.get("before")
    found = standings(table.labels, table.cells, before if _comparable(before, table) else None, table.pinned)
    with right:
        _five(found, table)
    if told := moved_sentence(found, table.labels, before if _comparable(before, table) else None, table.cells):
        st.info("Last edit: " + inert(told))
    frame.cards(SHOWN)
    _all(found, table)
    frame.ending(recipes.playground(table.labels, table.cells, table.pinned), to_query(table), "")


def _comparable(before: object, table: Table) -> bool:
    return isinstance(before, tuple) and len(before) == len(table.labels)


def _preset(table: Table) -> None:
    def choose() -> None:
        name = st.session_state["preset"]
        if name is not None:
            change(PRESETS[name].make(st.session_state[STATE]))
            st.session_state["preset_shown"] = name

    st.selectbox(
        "Start from a question",
        list(PRESETS),
        format_func=lambda name: PRESETS[name].asks,
        key="preset",
        index=None,
        placeholder="Which question?",
        on_change=choose,
    )
    if table == FIRST:
        st.session_state.setdefault("preset_shown", "cem")
    if shown := st.session_state.get("preset_shown"):  # it stays while cells are edited, so that the grid does not move
        st.caption(PRESETS[shown].shows)


def change(table: Table) -> None:
    """Another table, not typed into the grid."""
    old: Table = st.session_state[STATE]
    st.session_state["before"] = old.cells if len(old.labels) == len(table.labels) else None
    st.session_state[STATE] = table
    for name in ("playground", "path"):
        frame.restart_grid(name)
    st.session_state.pop("classes", None)


def table_editor(name: str) -> Table:
    """The classes and the grid; an edit becomes the table of the session."""
    table: Table = st.session_state[STATE]

    def rename() -> None:
        try:
            labels = labels_from(st.session_state["classes"])
        except ValueError as error:
            st.session_state["refused"] = str(error)
            st.session_state.pop("classes")
            return
        old: Table = st.session_state[STATE]
        change(old.with_labels(labels))
        st.session_state.pop("preset_shown", None)

    frame.start_with("classes", labels_text(table.labels))
    st.text_input(f"Classes, lowest first (2 to {MOST}, with commas between them)", key="classes", on_change=rename)
    if problem := st.session_state.pop("refused", None):
        frame.refused(ValueError(problem))
    cells = frame.edited_cells(name, table.labels, table.cells)
    if cells != table.cells:
        st.session_state["before"] = table.cells
        table = table.with_cells(cells)
        st.session_state[STATE] = table
    return table


def _pinning(table: Table) -> None:
    def pin() -> None:
        now: Table = st.session_state[STATE]
        st.session_state[STATE] = replace(now, pinned=now.cells)

    def unpin() -> None:
        st.session_state[STATE] = replace(st.session_state[STATE], pinned=None)

    def swap() -> None:
        now: Table = st.session_state[STATE]
        assert now.pinned is not None
        change(replace(now, cells=now.pinned, pinned=now.cells))

    with st.container(horizontal=True):
        st.button("Pin this table", on_click=pin, help="Keep it as the baseline: later tables are compared with it.")
        if table.pinned is not None:
            st.button("Exchange with the pinned one", on_click=swap)
            st.button("Unpin", on_click=unpin)
    if table.pinned is not None and table.pinned != table.cells:
        with st.expander("The pinned table"):
            rows = {"true ↓  predicted →": table.labels} | {
                f"p{p}": [row[p] for row in table.pinned] for p in range(len(table.labels))
            }
            names = {f"p{p}": st.column_config.NumberColumn(label) for p, label in enumerate(table.labels)}
            st.dataframe(rows, hide_index=True, column_config=names, alt="The pinned table")


def _five(found: list[Standing], table: Table) -> None:
    five = [standing for text in SHOWN for standing in found if standing.metric == text]
    chart, _ = score_bars(five)
    st.markdown("**Five scores, each from its worst to its best**")
    frame.wide(chart)
    pinned = "  The orange mark is the pinned table." if table.pinned is not None else ""
    st.caption(
        f"A longer bar is better, also for scores that are better when lower (↓); the numbers are the scores themselves.{pinned}"
    )


def _all(found: list[Standing], table: Table) -> None:
    import pandas as pd

    st.subheader(f"All {len(found)} metrics", anchor=False)
    st.caption(
        "Click a row, or choose a metric below, to read what it is.  The bar runs from the worst score there can be to the best."
    )
    pinned = table.pinned is not None
    rows = pd.DataFrame(
        {
            "title": [s.title for s in found],
            "better": [s.better for s in found],
            "value": [s.value for s in found],
            "change": [s.change for s in found],
            **({"pinned": [s.pinned for s in found], "ahead": [s.ahead for s in found]} if pinned else {}),
            "share": [None if math.isnan(s.share) else s.share for s in found],
            "bounds": [s.bounds for s in found],
            "metric": [s.metric for s in found],
        }
    )
    picked = st.dataframe(
        rows,
        key="all_metrics",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        height=420,
        placeholder="–",
        alt="Every metric with its value, its change since the last edit and its place between worst and best",
        column_config={
            "title": st.column_config.TextColumn("metric", pinned=True, width=210),
            "better": st.column_config.TextColumn("better", width="small", help="↑ higher, ↓ lower, → closer to a value"),
            "value": st.column_config.NumberColumn("score", format="%.3f"),
            "change": st.column_config.NumberColumn("last edit", format="%+.3f"),
            "pinned": st.column_config.NumberColumn("pinned", format="%.3f"),
            "ahead": st.column_config.NumberColumn("less pinned", format="%+.3f"),
            "share": st.column_config.ProgressColumn("worst → best", min_value=0, max_value=1, format="percent"),
            "bounds": st.column_config.TextColumn("bounds", width="small"),
            "metric": st.column_config.TextColumn("name in Python"),
        },
    )
    chosen = picked["selection"]["rows"]
    names = [s.metric for s in found]
    explained = st.selectbox(
        "Explain a metric", names, index=None, format_func=lambda text: oe.get_metric(text).title, key="explained"
    )
    text = explained or (names[chosen[0]] if chosen else None)
    if text:
        with st.container(border=True):
            frame.card(oe.get_metric(text))
