"""Playground: change a number in a confusion matrix and watch the metrics answer."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app.charts import score_bars
from ordeval.app.escape import escape
from ordeval.app.links import names_text
from ordeval.app.presets import FIRST, LINK, PRESETS
from ordeval.app.score_table import SHOWN, ScoreLine, moved_sentence, score_table
from ordeval.app.tables import MOST, Cells, Table, labels_from

STATE = "table"  # shared with the path: the same table on both pages
UNDO = 50  # tables


def page() -> None:
    frame.heading(
        "Change a number and watch every metric answer",
        "Each row of the table is a true class, each column a prediction, the lowest class first.  Start from a question, then edit any cell.",
    )
    table = open_table()
    left, right = st.columns([5, 4], gap="large")
    with left:
        _preset(table)
        table_editor("playground")
        _pinning(table)
    before: Cells | None = st.session_state.get("before")
    if before is not None and len(before) != len(table.labels):
        before = None
    lines = score_table(table.labels, table.cells, before, table.pinned, SHOWN)
    with right:
        _bars(lines, table)
        if moved := moved_sentence(lines, table.labels, before, table.cells):
            st.info("Last edit: " + escape(moved))
    frame.cards(SHOWN)
    _all_metrics(table, before)
    most = max(lines, key=lambda line: abs(line.change) if line.moved else -1)
    frame.ways(
        elsewhere.to_learn(4, "CEM worked on this table", table),
        elsewhere.to_path(table),
        elsewhere.to_closeness(table),
        elsewhere.to_laws(most.metric, "imbalance", f"What {most.title} promises"),
    )
    frame.ending(recipes.playground(table.labels, table.cells, table.pinned), LINK.write(table))


def open_table() -> Table:
    """The table of the address or of the session; one that comes from elsewhere has no question."""
    frame.widgets_of(STATE, "classes", "preset")
    held = st.session_state.get(STATE)
    table = frame.open_link(STATE, LINK)
    if held is not table:
        st.session_state["began_as"] = "cem" if table == FIRST else None
        st.session_state["began_with"] = table
        st.session_state["undo"] = []
        st.session_state.pop("before", None)
    for key, value in (("began_as", None), ("began_with", table), ("undo", [])):
        st.session_state.setdefault(key, value)
    return table


def _preset(table: Table) -> None:
    def choose() -> None:
        name = st.session_state["preset"]
        if name is not None:
            _start(name, PRESETS[name].make(st.session_state[STATE]))

    def reset() -> None:
        change(st.session_state["began_with"])

    st.selectbox(
        "Start from a question",
        list(PRESETS),
        format_func=lambda name: PRESETS[name].asks,
        key="preset",
        index=None,
        placeholder="Which question?",
        on_change=choose,
    )
    began: str | None = st.session_state.get("began_as")
    changed = table != st.session_state["began_with"]
    said = "" if began is None else PRESETS[began].shows
    if changed:
        start = "the table of the link" if began is None else f"“{PRESETS[began].asks}”"
        said = f"You have changed this table; it began as: {start}"
    if said:
        st.caption(escape(said))
    with st.container(horizontal=True):
        st.button("Undo", on_click=_undo, disabled=not st.session_state["undo"])
        st.button("Reset", on_click=reset, disabled=not changed, help="Back to the table that the question began with.")


def _start(name: str, table: Table) -> None:
    change(table)
    st.session_state["began_as"], st.session_state["began_with"] = name, table


def change(table: Table, *, typed: bool = False, keep: bool = True) -> None:
    """Another table; one that was typed stands in the fields already."""
    old: Table = st.session_state[STATE]
    if keep and old != table:
        st.session_state["undo"] = [*st.session_state.get("undo", []), old][-UNDO:]
    st.session_state["before"] = old.cells if len(old.labels) == len(table.labels) else None
    st.session_state[STATE] = table
    st.session_state.pop("gone", None)
    if not typed:
        frame.renew(STATE)


def _undo() -> None:
    *earlier, last = st.session_state["undo"]
    change(last, keep=False)
    st.session_state["undo"] = earlier


def table_editor(name: str) -> None:
    """The classes and the grid; an edit becomes the table of the session."""
    table: Table = st.session_state[STATE]

    def rename() -> None:
        old: Table = st.session_state[STATE]
        try:
            labels = labels_from(st.session_state["classes"])
            if (gone := old.lost(labels)) and old.rows_of(gone):
                st.session_state["gone"] = gone  # it is asked what becomes of the rows
            elif gone:
                change(old.without(gone))
            else:
                change(old.with_classes(labels))
        except oe.ArgumentError as error:
            frame.refuse_edit(error)
            st.session_state.pop("classes")

    frame.start_with("classes", names_text(table.labels))
    st.text_input(f"Classes, lowest first (2 to {MOST}, with commas between them)", key="classes", on_change=rename)
    frame.add_field("labels", "Classes, lowest first")
    if gone := st.session_state.get("gone"):
        _ask(table, gone)
    frame.edited_cells(name, table.labels, table.cells, STATE, lambda cells: change(table.with_cells(cells), typed=True))


def _ask(table: Table, gone: tuple[int, ...]) -> None:
    """What becomes of the rows of classes that are taken away; nothing is dropped without a word."""

    def answer(join: str | None) -> None:
        if join is None:
            st.session_state.pop("gone")
            frame.renew(STATE)
        else:
            change(table.without(gone, join))

    names = ", ".join(table.labels[i] for i in gone)
    rows, few = table.rows_of(gone), len(gone) == 1
    with st.container(border=True):
        st.markdown(
            escape(
                f"{names}: {'its' if few else 'their'} {rows:,} rows: leave them out, or join {'it' if few else 'them'} to a neighbour?"
            )
        )
        with st.container(horizontal=True):
            st.button("Leave the rows out", on_click=answer, args=("",))
            st.button("Join to the class below", on_click=answer, args=("below",), disabled=gone[0] == 0)
            st.button("Join to the class above", on_click=answer, args=("above",), disabled=gone[-1] == len(table.labels) - 1)
            st.button("Keep as it is", on_click=answer, args=(None,))


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
            frame.confusion("pinned_table", oe.Counts.from_matrix(table.pinned, labels=list(table.labels)), "pinned")


def _bars(lines: list[ScoreLine], table: Table) -> None:
    chart, words = score_bars(lines)
    st.markdown("**Five scores, each from its worst to its best**")
    frame.wide_chart(chart, words)
    pinned = "  The orange mark is the pinned table." if table.pinned is not None else ""
    st.caption(
        f"A longer bar is better, also for scores that are better when lower (↓); the numbers are the scores themselves.{pinned}"
    )


def _all_metrics(table: Table, before: Cells | None) -> None:
    """Every metric, those that moved most first; computed only while it is open."""
    box = st.expander("All metrics on this table", key="all_metrics_open", on_change="rerun")
    if not box.open:
        return
    import pandas as pd

    lines = score_table(table.labels, table.cells, before, table.pinned)
    lines = sorted(lines, key=lambda line: -abs(line.change) if line.moved else 0)
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
    with box:
        st.caption("The bar runs from the worst score there can be to the best.  Choose a metric below to read what it is.")
        st.dataframe(
            rows,
            key="all_metrics",
            hide_index=True,
            height=420,
            placeholder="–",
            alt="Every metric with its value, its change since the last edit and its place between worst and best",
            column_config=columns,
        )
        chosen = st.selectbox(
            "Explain a metric", [line.metric for line in lines], index=None, format_func=frame.title_of, key="explained"
        )
        if chosen is not None:
            frame.ways(elsewhere.to_metric(chosen), lead="")
