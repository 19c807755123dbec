"""Playground: change a number in a confusion matrix and watch every metric answer."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.charts import score_bars
from ordeval.app.escape import escape
from ordeval.app.links import names_text
from ordeval.app.presets import FIRST, LINK, PRESETS
from ordeval.app.score_table import SHOWN, ScoreLine, moved_sentence, score_table
from ordeval.app.tables import MOST, Cells, Table, labels_from

STATE = "table"  # shared with the path: the same table on both pages


def page() -> None:
    frame.heading(
        "Change a number and watch every metric answer",
        "Rows are the truth, columns the prediction, the lowest class first.  Start from a question, then edit any cell.",
    )
    table = frame.open_link(STATE, LINK)
    left, right = st.columns([5, 4], gap="large")
    with left:
        _preset(table)
        table = table_editor("playground")
        _pinning(table)
    before: Cells | None = st.session_state.get("before")
    if before is not None and len(before) != len(table.labels):
        before = None
    lines = score_table(table.labels, table.cells, before, table.pinned)
    with right:
        _bars(lines, table)
    if moved := moved_sentence(lines, table.labels, before, table.cells):
        st.info("Last edit: " + escape(moved))
    frame.cards(SHOWN)
    _all_metrics(lines, table)
    frame.ending(recipes.playground(table.labels, table.cells, table.pinned), LINK.write(table), "")


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
        except oe.ArgumentError as error:
            frame.refuse_edit(error)
            st.session_state.pop("classes")
            return
        old: Table = st.session_state[STATE]
        change(old.with_labels(labels))
        st.session_state.pop("preset_shown", None)

    frame.start_with("classes", names_text(table.labels))
    st.text_input(f"Classes, lowest first (2 to {MOST}, with commas between them)", key="classes", on_change=rename)
    frame.add_field("labels", "Classes, lowest first")
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
            rows, names = frame.grid_columns(table.labels, table.pinned)
            st.dataframe(rows, hide_index=True, column_config=names, alt="The pinned table")


def _bars(lines: list[ScoreLine], table: Table) -> None:
    chart, _ = score_bars([line for text in SHOWN for line in lines if line.metric == text])
    st.markdown("**Five scores, each from its worst to its best**")
    frame.wide_chart(chart)
    pinned = "  The orange mark is the pinned table." if table.pinned is not None else ""
    st.caption(
        f"A longer bar is better, also for scores that are better when lower (↓); the numbers are the scores themselves.{pinned}"
    )


def _all_metrics(lines: list[ScoreLine], table: Table) -> None:
    import pandas as pd

    st.subheader(f"All {len(lines)} metrics", anchor=False)
    st.caption(
        "Click a row, or choose a metric below, to read what it is.  The bar runs from the worst score there can be to the best."
    )
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    columns = {
        "title": text("metric", pinned=True, width=210),
        "better": text("better", width="small", help="↑ higher, ↓ lower, → closer to a value"),
        "value": number("score", format="%.3f"),
        "change": number("last edit", format="%+.3f"),
        "pinned": number("pinned", format="%.3f"),
        "ahead": number("less pinned", format="%+.3f"),
        "share": st.column_config.ProgressColumn("worst → best", min_value=0, max_value=1, format="percent"),
        "bounds": text("bounds", width="small"),
        "metric": text("name in Python"),
    }
    left_out = () if table.pinned is not None else ("pinned", "ahead")
    rows = pd.DataFrame({name: [getattr(line, name) for line in lines] for name in columns if name not in left_out})
    rows["share"] = [None if math.isnan(line.share) else line.share for line in lines]
    picked = st.dataframe(
        rows,
        key="all_metrics",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        height=420,
        placeholder="–",
        alt="Every metric with its value, its change since the last edit and its place between worst and best",
        column_config=columns,
    )
    chosen = picked["selection"]["rows"]
    names = [line.metric for line in lines]
    explained = st.selectbox("Explain a metric", names, index=None, format_func=frame.title_of, key="explained")
    if metric := explained or (names[chosen[0]] if chosen else None):
        with st.container(border=True):
            frame.card(oe.get_metric(metric))
