"""Looking inside an evaluation: tables side by side, the rows of a cell, slices, own costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, pieces
from ordeval.app.costs import FRACTIONS, as_costs, even_weight, start_costs, total, with_missed, with_too_low
from ordeval.app.escape import escape
from ordeval.app.evaluate_state import Study
from ordeval.app.score_table import value_of
from ordeval.app.verdicts import FEW
from ordeval.study import Values

MOST_SHOWN = 200  # rows of a cell
MOST_ROWS = 2_000_000  # rows of a file that are sliced while the visitor waits
MOST_COSTS = 10  # classes of a table of costs


def tables(models: Sequence[str], counts: oe.Counts, study: Study, values: Mapping[str, Values]) -> None:
    """The tables of the models side by side; a click shows the rows of a cell."""
    st.header("Where the rows are", anchor=False)
    st.markdown("Each line is a true class.  Click a number to see its rows." if values else "Each line is a true class.")
    cell: tuple[str, int, int] | None = st.session_state.get("study_rows_cell")
    for place, model in zip(st.columns(max(len(models), 2) if counts.scale.K <= 6 else 1), models, strict=False):
        with place:
            _table(model, counts, cell, bool(values))
    if counts.scale.K > 6:
        for model in models[1:]:
            _table(model, counts, cell, bool(values))
    if cell is not None and values and cell[0] in models and max(cell[1:]) < counts.scale.K:
        _rows(cell, counts, study, values)


def _table(model: str, counts: oe.Counts, cell: tuple[str, int, int] | None, pressable: bool) -> None:
    def press(sent: Any) -> None:
        if isinstance(sent, list) and len(sent) == 2 and all(isinstance(i, int) and 0 <= i < counts.scale.K for i in sent):
            st.session_state["study_rows_cell"] = (model, *sent)

    pick = cell[1:] if cell is not None and cell[0] == model else None
    frame.confusion(f"table_{model}", counts[model], model, pick=pick, take=press if pressable else None)


def rows_of_cell(study: Study, values: Mapping[str, Values], model: str, truth: str, answer: str) -> Any:
    """Where in the file the rows of a cell stand, by the values that were scored."""

    def at(column: str, text: str) -> Any:
        words = values[column].texts
        return values[column].places == words.index(text) if text in words else np.zeros(len(values[column].places), bool)

    chosen = at(study.true, truth) & at(model, answer)
    if study.missing == "drop":  # a row that lacks one model's answer was left out for all
        for pred in study.preds:
            chosen &= values[pred].places >= 0
    return np.flatnonzero(chosen)


def _rows(cell: tuple[str, int, int], counts: oe.Counts, study: Study, values: Mapping[str, Values]) -> None:
    import pandas as pd

    model, t, p = cell
    truth, answer = (str(counts.scale.labels[i]) for i in (t, p))
    found = rows_of_cell(study, values, model, truth, answer)
    st.markdown(escape(f"{len(found):,} rows: truly {truth}, called {answer} by {model}."))
    first = [study.true, *study.preds]
    names = [*first, *(name for name in values if name not in first)]
    shown = found[:MOST_SHOWN]
    texts = {name: [values[name].texts[i] if i >= 0 else "" for i in values[name].places[shown].tolist()] for name in names}
    st.dataframe(
        pd.DataFrame({"row": shown + 1, **texts}),
        hide_index=True,
        alt=f"The rows that {model} calls {answer} and that are {truth}",
    )
    if len(found) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} are shown.")
    every = {name: [values[name].texts[i] if i >= 0 else "" for i in values[name].places[found].tolist()] for name in names}
    table = pd.DataFrame({"row": found + 1, **every})
    st.download_button("These rows (CSV)", lambda: table.to_csv(index=False), "rows.csv", "text/csv", on_click="ignore")


def slices(
    models: Sequence[str],
    study: Study,
    parts: Mapping[str, oe.Counts],
    choose: Callable[[], None],
    sliced: Callable[[], oe.Counts],
) -> None:
    """The score that decides, in each slice; and, when asked for, each slice against the rest with intervals."""
    if len(parts) < 2:
        return
    import pandas as pd

    st.header("Slice by slice", anchor=False)
    choose()
    metric = oe.get_metric(study.primary)

    def make() -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        for name, counts in parts.items():
            scores = {model: value_of(metric, counts[model]) for model in models}
            ahead = {} if len(models) < 2 else {"difference": scores[models[1]] - scores[models[0]]}
            lines.append(
                {"slice": name, "rows": int(counts.total), **scores, **ahead, "note": "few rows" if counts.total < FEW else ""}
            )
        return lines

    lines = frame.session_cache("slice_lines", (tuple(models), study.primary), make, of=parts)
    number = st.column_config.NumberColumn
    columns = {model: number(model, format="%.3f") for model in models} | {"difference": number(format="%+.3f")}
    st.markdown(escape(f"{metric.title} in each slice."))
    st.dataframe(pd.DataFrame(lines), hide_index=True, column_config=columns, alt="The score that decides in each slice")

    def links() -> list[frame.Way]:
        found = []
        for name, counts in list(parts.items())[:6]:
            table = elsewhere.table_of(counts[models[0]], counts[models[1]] if len(models) > 1 else None)
            found += [] if table is None else [elsewhere.to_playground(table, f"{name} in the playground")]
        return found

    frame.ways(*frame.session_cache("slice_links", tuple(models), links, of=parts), lead="")
    box = st.expander("Does a slice differ from the rest by more than chance?", key="slices_open", on_change="rerun")
    if not box.open:
        return

    def against_the_rest() -> list[dict[str, Any]]:
        counts = sliced()
        return [line for model in models for line in slice_lines(counts[model], model, str(study.by), study)]

    with box:
        asked = (tuple(models), study.primary, study.level, study.cluster)
        found = frame.session_cache("slice_tests", asked, against_the_rest, of=parts)
        signed = {name: number(format="%+.3f") for name in ("difference", "low", "high")}
        st.dataframe(
            pd.DataFrame(found), hide_index=True, column_config=signed | {"score": number(format="%.3f")}, placeholder="–"
        )
        st.caption(
            f"Each slice less the rest.  Simultaneous {100 * study.level:g} % confidence intervals: they hold all at once for a model."
        )


def slice_lines(counts: oe.Counts, model: str, by: str, study: Study) -> list[dict[str, Any]]:
    """Each slice of a model against the rest."""
    found = oe.infer.compare_groups(counts, by, study.primary, confidence_level=study.level)
    return [
        {
            "model": model,
            "slice": str(group.value),
            "rows": int(group.rows),
            "score": group.raw.score,
            "difference": group.raw.difference,
            "low": group.raw.low,
            "high": group.raw.high,
            "note": group.raw.reason,
        }
        for group in found.groups
    ]


# Own costs


def costs(models: Sequence[str], counts: oe.Counts) -> None:
    """A table of costs to edit, what each model costs by it, and where the order of the two turns."""
    k = counts.scale.K
    if k > MOST_COSTS:
        return
    labels = [str(label) for label in counts.scale.labels]
    held = st.session_state.get("costs")
    table = held if held is not None and len(held) == k else start_costs(k)

    def put(new: Any) -> None:
        st.session_state["costs"] = new
        st.session_state["costs_version"] = st.session_state.get("costs_version", 0) + 1

    def take(sent: Any) -> None:
        if (found := as_costs(sent, k)) is not None:
            st.session_state["costs"] = found

    box = st.expander("My costs: what does each error cost you?", key="costs_open", on_change="rerun")
    if not box.open:
        return
    with box:
        st.markdown("A row for each truth, a column for each answer.  It starts with the number of steps; what is right costs 0.")
        given = {"version": st.session_state.get("costs_version", 0), "largest": 1_000_000, "caption": "Cost of each answer"}
        pieces.edit_table(f"costs_{k}", oe.plot.short_labels(labels), table, **given, take=take, fractions=FRACTIONS)
        with st.container(horizontal=True):
            st.button("Twice as bad if too low", on_click=put, args=(with_too_low(table, 2.0),))
            st.button(escape(f"A missed {labels[-1]} counts ×2"), on_click=put, args=(with_missed(table, 2.0),))
            st.button("Start again", on_click=put, args=(start_costs(k),), key="costs_again")
        weight = st.slider(escape(f"Weight of a missed {labels[-1]}, on top of that"), 1.0, 10.0, step=0.1, key="costs_weight")
        totals = {model: total(counts[model].judged.matrix, with_missed(table, weight)) for model in models}
        for place, (model, cost) in zip(st.columns(max(len(models), 2)), totals.items(), strict=False):
            place.metric(f"{model}: total cost", f"{cost:,.10g}", border=True)
        if len(models) == 2:
            even = even_weight(counts[models[0]].judged.matrix, counts[models[1]].judged.matrix, table)
            said = (
                "No weight makes both cost the same."
                if even is None
                else f"Both cost the same where {labels[-1]} weighs {even:.2f}."
            )
            st.markdown(escape(said))
