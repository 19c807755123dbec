"""What the screens share: headings, sentences, figures, metric cards, the table to edit, and the way every page ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

import ordeval as oe
from ordeval.app.charts import Spec, spec_of
from ordeval.app.inert import inert
from ordeval.app.recipes import Recipe
from ordeval.app.tables import LARGEST, Cells, as_cells
from ordeval.metrics.core.docs import best_in_words, bounds_text, direction
from ordeval.metrics.core.references import reference
from ordeval.plot import Display

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


def said(text: str) -> None:
    """A sentence with labels in it, as it is."""
    if text:
        st.markdown(inert(text))


def refused(error: Exception) -> None:
    st.error(inert(str(error)))


# State: what a page shows lives in the visitor's session under the page's name, and in the address


def opened(name: str, read: Callable[[Mapping[str, str]], T]) -> T:
    """What the page shows: as it was left, else as the address says, else as it starts."""
    if name not in st.session_state:
        try:
            st.session_state[name] = read(st.query_params.to_dict())
        except (ValueError, TypeError) as error:
            st.warning(inert(f"This link cannot be opened as it is, so the page starts afresh: {error}"))
            st.session_state[name] = read({})
    found: T = st.session_state[name]
    return found


def linked(query: Mapping[str, str]) -> None:
    """Put what the page shows into the address."""
    if st.query_params.to_dict() != dict(query):
        st.query_params.from_dict(dict(query))


def start_with(key: str, value: Any) -> None:
    """The value of a widget when it comes onto the screen; from then on the visitor's."""
    if key not in st.session_state:
        st.session_state[key] = value


def remembered(slot: str, key: Any, make: Callable[[], T]) -> T:
    """The last result of its kind in this session, made anew when what it depends on changes."""
    memory = st.session_state.setdefault("remembered", {})
    if slot not in memory or memory[slot][0] != key:
        memory[slot] = (key, make())
    found: T = memory[slot][1]
    return found


# Figures and cards


def figure(display: Display) -> None:
    """A chart with its caption below it; the caption is also what is read aloud."""
    st.vega_lite_chart(spec=spec_of(display), theme=None, width="content")
    st.caption(inert(display.caption))


def wide(chart: Spec) -> None:
    """A chart that takes the width there is."""
    st.vega_lite_chart(spec=chart, theme=None, width="stretch")


def card(metric: oe.Metric) -> None:
    """What a metric is: its own words, its facts, its paper."""
    st.markdown(card_text(str(metric)))


@lru_cache(maxsize=512)
def card_text(text: str) -> str:
    """The card as Markdown."""
    metric = oe.get_metric(text)
    parts = [f"**{inert(metric.title)}** · `{metric}`"]
    for paragraph in metric.doc.split("\n\n"):
        if not paragraph.lstrip().startswith(">>>"):
            lines = paragraph.replace("\nMisleads", "\n\nMisleads").split("\n\n")
            parts += [_own_words(" ".join(line.split())) for line in lines]
    aim = f"{metric.direction} ({direction(metric)})" if isinstance(metric.direction, str) else f"closer to {metric.direction:g}"
    facts = [("better", aim), ("bounds", bounds_text(metric))]
    facts += [("undefined", f"when {metric.undefined}")] if metric.undefined else []
    facts += [("keeps", ", ".join(metric.laws) or "none of the laws judged")]
    facts += [("breaks", ", ".join(metric.broken))] if metric.broken else []
    facts += [("paper", reference(metric.cite))] if metric.cite else []
    return "\n\n".join([*parts, "\n".join(f"- {name}: {inert(words)}" for name, words in facts)])


def _own_words(text: str) -> str:
    """A docstring as Markdown: code stays code, every other sign stands for itself."""
    parts = text.replace("``", "`").split("`")
    return "".join(f"`{part}`" if i % 2 else inert(part) for i, part in enumerate(parts))


def cards(texts: Sequence[str], lead: str = "What do they mean?") -> None:
    """A row of names; each opens its card."""
    st.markdown(lead)
    with st.container(horizontal=True):
        for text in texts:
            metric = oe.get_metric(text)
            with st.popover(inert(metric.title if text == metric.name else text)):
                card(metric)


def best_line(text: str, k: int) -> str:
    metric = oe.get_metric(text)
    return f"{direction(metric)} {best_in_words(metric, k)}"


# The table to edit


def edited_cells(name: str, labels: Sequence[str], cells: Cells) -> Cells:
    """A table of counts to edit in place, truth down and prediction across; numbers can be pasted from a spreadsheet."""
    import pandas as pd

    key, base = grid_start(name, cells)
    frame = pd.DataFrame(
        {"true": [str(label) for label in labels], **{f"p{p}": [row[p] for row in base] for p in range(len(labels))}}
    )
    columns: dict[str, Any] = {"true": st.column_config.TextColumn("true ↓  predicted →", disabled=True, pinned=True)}
    for p, label in enumerate(labels):
        columns[f"p{p}"] = st.column_config.NumberColumn(str(label), min_value=0, max_value=LARGEST, step=1, format="%d")
    result = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        column_config=columns,
        width="stretch",
        alt=f"Table of counts, {len(labels)} true classes down and predicted classes across; cells can be edited",
    )
    return as_cells(result[[f"p{p}" for p in range(len(labels))]].to_numpy().tolist(), len(labels))


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
    linked(query)
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
