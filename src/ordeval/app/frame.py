"""What the screens share: headings, fields and what is wrong with them, figures, metric cards, the table to edit, and every page's end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

import ordeval as oe
from ordeval.app.charts import Spec, spec_of
from ordeval.app.escape import escape
from ordeval.app.links import Link
from ordeval.app.recipes import Recipe
from ordeval.app.tables import LARGEST, Cells, as_cells

T = TypeVar("T")


#: Ours alone, with no word of a visitor in it: charts wider than the screen can be moved, titles stand near the top.
STYLE = """<style>
[data-testid="stVegaLiteChart"] { overflow-x: auto; max-width: 100%; }
[data-testid="stMainBlockContainer"] { padding-top: 4rem; }
[data-testid="stHeading"] h1 { font-size: 2.1rem; }
</style>"""


def heading(title: str, lead: str) -> None:
    """A title that is a sentence, and what one can do here."""
    st.html(STYLE)
    st.title(title, anchor=False)
    st.markdown(lead)


# Fields: what is wrong with an argument is said beside the field that gives it, under the field's own label


@dataclass(frozen=True)
class Field:
    """Where an argument is given on the page."""

    label: str
    beside: Any  #: the place below it
    words: Mapping[str, str] = field(default_factory=dict)  #: what its values are called there


_FIELDS: ContextVar[dict[str, Field]] = ContextVar("fields")
_SAME = {"y_true": "true", "y_pred": "pred", "metrics": "metric"}  # arguments that are given in one field


def guard(page: Callable[[], None]) -> Callable[[], None]:
    """The page; what the library refuses is shown as its sentence."""

    def run() -> None:
        _FIELDS.set({})
        try:
            page()
        except (ValueError, TypeError, OSError) as error:
            show_refusal(error)

    return run


def add_field(argument: str, label: str, place: Any = st, words: Mapping[str, str] | None = None) -> None:
    """A field that was just drawn: from now on messages about its argument stand below it, the one of an edit at once."""
    _FIELDS.get()[argument] = Field(label, place.container(), words or {})
    refused = st.session_state.get("refused")
    if refused is not None and refused.argument == argument:
        show_refusal(st.session_state.pop("refused"))


def refuse_edit(error: oe.ArgumentError) -> None:
    """What is wrong with an edit, to be said when its field is drawn again."""
    st.session_state["refused"] = error


def show_refusal(error: Exception, argument: str = "") -> None:
    """The sentence, beside the field that it is about; where it names none, beside that of the argument given, or here."""
    fields, about = _FIELDS.get({}), []

    def find(argument: str) -> Field | None:
        return fields.get(argument) or fields.get(_SAME.get(argument, ""))

    def spell(argument: str, value: str | None) -> str:
        """As the page calls it: the label of the field, and the choice by its own words."""
        found = find(argument)
        if found is None:
            return argument if value is None else f"{argument} {value}"
        about.append(found)
        choice = "" if value is None else found.words.get(value.strip("\"'"), "")
        return f"“{found.label}: {choice}”" if choice else f"“{found.label}”"

    text = error.text(spell) if isinstance(error, oe.ArgumentError) else str(error)
    own = find(getattr(error, "argument", "")) or find(argument) or next(iter(about), None)
    (st if own is None else own.beside).error(escape(text))


# State: what a page shows lives in the visitor's session under the page's name, and in the address


def open_link(name: str, link: Link[T]) -> T:
    """What the page shows: as it was left, else as the address says, else as it starts."""
    if name not in st.session_state:
        try:
            st.session_state[name] = link.read(st.query_params.to_dict())
        except (ValueError, TypeError) as error:
            st.warning(escape(f"This link cannot be opened as it is, so the page starts afresh: {error}"))
            st.session_state[name] = link.start
    state: T = st.session_state[name]
    return state


def write_link(query: Mapping[str, str]) -> None:
    """Put what the page shows into the address."""
    if st.query_params.to_dict() != dict(query):
        st.query_params.from_dict(dict(query))


def start_with(key: str, value: Any) -> None:
    """The value of a widget when it comes onto the screen; from then on the visitor's."""
    if key not in st.session_state:
        st.session_state[key] = value


def session_cache(slot: str, key: Any, make: Callable[[], T]) -> T:
    """The last result of its kind in this session, made anew when what it depends on changes."""
    memory = st.session_state.setdefault("cache", {})
    if slot not in memory or memory[slot][0] != key:
        memory[slot] = (key, make())
    result: T = memory[slot][1]
    return result


# Figures and cards


def figure(display: oe.plot.Display) -> None:
    """A chart with its caption below it; the caption is also what is read aloud."""
    st.vega_lite_chart(spec=spec_of(display), theme=None, width="content")
    st.caption(escape(display.caption))


def wide_chart(chart: Spec) -> None:
    """A chart that takes the width there is."""
    st.vega_lite_chart(spec=chart, theme=None, width="stretch")


OPENING = ("what it is", "")  # facts that are whole sentences


def card(metric: oe.Metric) -> None:
    """What a metric is: every fact of its record, the formula typeset."""
    facts = metric.facts()
    st.markdown(
        "\n\n".join([f"**{escape(metric.title)}** · `{metric}`", *(_words(said) for name, said in facts if name in OPENING)])
    )
    if metric.formula:
        st.latex(metric.formula)
    for _, formula in (fact for fact in facts if fact[0] == "formula"):
        st.code(formula.strip(), language=None, wrap_lines=True)
    st.markdown("\n".join(f"- {name}: {_words(said)}" for name, said in facts if name not in (*OPENING, "formula")))


def _words(text: str) -> str:
    """A fact as Markdown: code stays code, every other sign stands for itself."""
    return "".join(f"`{part}`" if i % 2 else escape(part) for i, part in enumerate(text.split("`")))


def title_of(text: str) -> str:
    """What a metric is called: its title, or its text where parameters differ from their defaults."""
    metric = oe.get_metric(text)
    return metric.title if text == metric.name else text


def cards(texts: Sequence[str], lead: str = "What do they mean?") -> None:
    """A row of names; each opens its card."""
    st.markdown(lead)
    with st.container(horizontal=True):
        for text in texts:
            with st.popover(escape(title_of(text))):
                card(oe.get_metric(text))


def best_line(text: str, k: int) -> str:
    """Which way is better, and the best score for K classes."""
    metric = oe.get_metric(text)
    low, high = metric.bounds_for(k)
    best = {"higher": high, "lower": low}.get(str(metric.direction), metric.direction)
    return f"{metric.arrow} {best:.3g} is best"


# The table to edit


def grid_columns(labels: Sequence[str], cells: Cells) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """A table of counts for a grid, truth down and prediction across: its columns, and how they are called."""
    rows: dict[str, list[Any]] = {"true": [str(label) for label in labels]}
    columns: dict[str, Any] = {"true": st.column_config.TextColumn("true ↓  predicted →", disabled=True, pinned=True)}
    for p, label in enumerate(labels):
        rows[f"p{p}"] = [row[p] for row in cells]
        columns[f"p{p}"] = st.column_config.NumberColumn(str(label), min_value=0, max_value=LARGEST, step=1, format="%d")
    return rows, columns


def edited_cells(name: str, labels: Sequence[str], cells: Cells) -> Cells:
    """A table of counts to edit in place; numbers can be pasted from a spreadsheet."""
    import pandas as pd

    key, base = grid_start(name, cells)
    rows, columns = grid_columns(labels, base)
    edited = st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        column_config=columns,
        width="stretch",
        alt=f"Table of counts, {len(labels)} true classes down and predicted classes across; cells can be edited",
    )
    add_field("cells", "Table of counts")
    return as_cells(edited.drop(columns="true").to_numpy().tolist(), len(labels))


def grid_start(name: str, now: T) -> tuple[str, T]:
    """The key of a grid, and what it started from: what there is now, if the grid is new on the screen.

    The grid keeps the edits itself, over what it started from; `restart_grid` gives it something else to start from.
    """
    version = st.session_state.setdefault(f"{name}_version", 0)
    key = f"{name}_grid_{version}"
    if key not in st.session_state:
        st.session_state[f"{name}_version"] = version + 1
        key = f"{name}_grid_{version + 1}"
        st.session_state[f"{name}_base"] = now
    base: T = st.session_state[f"{name}_base"]
    return key, base


def restart_grid(name: str) -> None:
    """The table was changed elsewhere: the grid starts from it."""
    st.session_state[f"{name}_version"] = st.session_state.get(f"{name}_version", 0) + 1


# The way every page ends


def ending(recipe: Recipe, query: Mapping[str, str], page: str, note: str = "") -> None:
    """The Python, the command and the link that give this screen again."""
    write_link(query)
    st.divider()
    st.subheader("The same numbers elsewhere", anchor=False)
    if note:
        st.markdown(note)
    st.markdown("**Python**")
    st.code(recipe.python, language="python", wrap_lines=True)
    st.markdown("**Command**")
    if recipe.command:
        st.code(recipe.command, language="bash", wrap_lines=True)
    else:
        st.markdown("There is no command for this table: it has no rows, or a label that no command line can hold.")
    st.markdown("**Link** to this page as it is now, for as long as the explorer runs")
    st.code(f"{_origin()}/{page}?{urlencode(dict(query))}", language=None, wrap_lines=True)


def _origin() -> str:
    address = st.context.url or "http://127.0.0.1"
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"
