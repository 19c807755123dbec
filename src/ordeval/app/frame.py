"""What the screens share: headings, fields and what is wrong with them, the address, figures, metric cards, tables, and every page's end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

import ordeval as oe
from ordeval.app import pieces
from ordeval.app.charts import Spec, fitted, spec_of
from ordeval.app.escape import escape
from ordeval.app.links import LONGEST, Link, in_words
from ordeval.app.recipes import Recipe
from ordeval.app.tables import LARGEST, Cells, as_cells

T = TypeVar("T")

#: Ours alone, with no word of a visitor in it.  Streamlit's own grey of captions and code is too faint to read.
_STYLE = """<style>
:root {{ {variables} }}
[data-testid="stMainBlockContainer"] {{ padding-top: 4rem; }}
[data-testid="stHeading"] h1 {{ font-size: 2.1rem; }}
[data-testid="stHeading"] h2 {{ font-size: 1.4rem; padding: 0.5rem 0; }}
[data-testid="stCaptionContainer"] {{ opacity: 1 !important; }}
[data-testid="stCaptionContainer"] p {{ color: {quiet} !important; opacity: 1 !important; }}
[data-testid="stMain"] a[href] p {{ text-decoration: underline; text-underline-offset: 3px; white-space: normal; overflow: visible; }}
@media (max-width: 480px) {{ .katex {{ font-size: 0.8em !important; }} }}
[data-testid="stCode"] .token {{ color: {code} !important; }}
[data-testid="stBaseButton-primary"] p {{ color: {on_primary} !important; }}
</style>"""
_CODE = {"light": "#0a4a86", "dark": "#9cc9ea"}
_ON_PRIMARY = {"light": "#ffffff", "dark": "#10161d"}


def theme() -> str:
    """How the visitor's page looks: light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def style(kind: str) -> str:
    """The style sheet of every page: what the figures' variables stand for, and greys that can be read."""
    colours = oe.plot.THEMES[kind]
    variables = " ".join(f"--oe-{name}: {colour};" for name, colour in colours.items())
    return _STYLE.format(variables=variables, quiet=colours["quiet"], code=_CODE[kind], on_primary=_ON_PRIMARY[kind])


def heading(title: str, lead: str) -> None:
    """A title that is a sentence, and what one can do here."""
    st.html(style(theme()))
    st.title(title, anchor=False)
    st.markdown(lead)


# Where the visitor is


@dataclass(frozen=True)
class Here:
    """The page that is drawn."""

    name: str = ""  #: as in its address
    entering: bool = True  #: whether the visitor was on another page before


_HERE: ContextVar[Here] = ContextVar("here")


def guard(page: Callable[[], None], name: str = "") -> Callable[[], None]:
    """The page under its name; what the library refuses is shown as its sentence."""

    def run() -> None:
        _FIELDS.set({})
        _HERE.set(Here(name, st.session_state.get("page_now") != name))
        st.session_state["page_now"] = name
        try:
            page()
        except (ValueError, TypeError, OSError) as error:
            show_refusal(error)

    return run


def here() -> Here:
    return _HERE.get(Here())


def entering() -> bool:
    """Whether the visitor has just come to this page."""
    return here().entering


# Fields: what is wrong with an argument is said beside the field that gives it, under the field's own label


@dataclass(frozen=True)
class Field:
    """Where an argument is given on the page."""

    label: str
    beside: Any  #: the place below it
    words: Mapping[str, str] = field(default_factory=dict)  #: what its values are called there


_FIELDS: ContextVar[dict[str, Field]] = ContextVar("fields")
_SAME = {"y_true": "true", "y_pred": "pred", "metrics": "metric"}  # arguments that are given in one field


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


# State: what a page shows lives in the visitor's session under the page's name, and in the address.  On entering a page the address
# wins if it says something; without a word in it the page is as it was left; while on the page the address follows.


def open_link(name: str, link: Link[T]) -> T:
    """What the page shows."""
    query = st.query_params.to_dict()
    if name not in st.session_state or (entering() and link.is_in(query)):
        try:
            st.session_state[name] = link.read(query)
        except (ValueError, TypeError) as error:
            st.warning(escape(f"This link cannot be opened as it is, so the page starts afresh: {in_words(error)}"))
            st.session_state[name] = link.start
        renew(name)
    state: T = st.session_state[name]
    return state


def renew(name: str) -> None:
    """What the page shows has changed by itself: its tables and widgets start from it."""
    st.session_state[f"{name}_version"] = version(name) + 1
    for key in st.session_state.get(f"{name}_widgets", ()):
        st.session_state.pop(key, None)


def version(name: str) -> int:
    """How often what a page shows was changed by other means than its own table."""
    number: int = st.session_state.get(f"{name}_version", 0)
    return number


def widgets_of(name: str, *keys: str) -> None:
    """Widgets that start anew with what a page shows."""
    st.session_state[f"{name}_widgets"] = keys


def start_with(key: str, value: Any) -> None:
    """The value of a widget when it comes onto the screen; from then on the visitor's."""
    if key not in st.session_state:
        st.session_state[key] = value


def session_cache(slot: str, key: Any, make: Callable[[], T], *, of: object = None) -> T:
    """The last result of its kind in this session, made anew when what it depends on changes: the key, or the thing it is made of."""
    memory = st.session_state.setdefault("cache", {})
    if slot not in memory or memory[slot][0] is not of or memory[slot][1] != key:
        memory[slot] = (of, key, make())
    result: T = memory[slot][2]
    return result


# Figures and names


@dataclass(frozen=True)
class Drawing:
    """A figure ready for the page: made once, and kept with the result that it belongs to."""

    title: str
    caption: str
    panels: tuple[Spec, ...]


def drawing(display: oe.plot.Display) -> Drawing:
    """Charts at the width there is; panels side by side, or below each other where the page is narrow."""
    spec = spec_of(display)
    shared = {key: value for key, value in spec.items() if key != "hconcat"}
    panels = [{**shared, **panel} for panel in spec.get("hconcat", [{}])]
    return Drawing(display.title, display.caption, tuple(fitted(panel) for panel in panels))


def figure(display: oe.plot.Display | Drawing) -> None:
    """A figure of the library at the width there is, its title above and its caption below; the caption is also what is read aloud."""
    made = display if isinstance(display, Drawing) else drawing(display)
    st.markdown(f"**{escape(made.title)}**")
    places = st.columns(len(made.panels)) if len(made.panels) > 1 else [st.container()]
    for place, spec in zip(places, made.panels, strict=True):
        place.vega_lite_chart(spec=spec, theme=None, width="stretch", alt=made.caption)
    st.caption(escape(made.caption))


def wide_chart(chart: Spec, words: str) -> None:
    """A chart that takes the width there is, and the same in words."""
    st.vega_lite_chart(spec=fitted(chart), theme=None, width="stretch", alt=words)


def title_of(text: str) -> str:
    """What a metric is called: its title, or its text where parameters differ from their defaults."""
    metric = oe.get_metric(text)
    return metric.title if text == metric.name else text


def cards(texts: Sequence[str], lead: str = "What do they mean?") -> None:
    """A row of names; each leads to its card."""
    ways(*(Way(title_of(text), "metric", {"name": text}) for text in dict.fromkeys(texts)), lead=lead)


def best_line(text: str, k: int) -> str:
    """Which way is better, and the best score for K classes."""
    metric = oe.get_metric(text)
    low, high = metric.bounds_for(k)
    best = {"higher": high, "lower": low}.get(str(metric.direction), metric.direction)
    return f"{metric.arrow} {best:.3g} is best"


# Tables


def edited_cells(key: str, labels: Sequence[str], cells: Cells, state: str, take: Callable[[Cells], None]) -> None:
    """A table of counts to type into; numbers can be pasted from a spreadsheet.  An edit is checked, and given to `take`."""

    def check(sent: Any) -> None:
        try:
            take(as_cells(sent or (), len(labels)))
        except (ValueError, TypeError) as error:  # no browser of ours sends it
            refuse_edit(
                error if isinstance(error, oe.ArgumentError) else oe.ArgumentError("{it}", argument="cells", values={"it": error})
            )

    caption = f"{len(labels)} classes: rows are the truth, columns the prediction.  Type, paste, or use ↑ and ↓."
    grid = f"{key}_{len(labels)}"
    pieces.edit_table(grid, labels, cells, version=version(state), largest=LARGEST, caption=caption, take=check)
    add_field("cells", "Table of counts")


def confusion(
    key: str,
    counts: oe.Counts,
    title: str = "",
    *,
    path: Sequence[tuple[int, int]] = (),
    pick: tuple[int, int] | None = None,
    take: Callable[[Any], None] | None = None,
) -> None:
    """A table of counts to look at, shaded by the share of each true class."""
    matrix = counts.matrix
    rows = counts.judged.matrix.sum(1, keepdims=True)  # rows without an answer that count as wrong are in no cell
    shades = (matrix / rows.clip(1)).tolist()
    words = f"{title + ': ' if title else ''}rows of each true class by prediction; darker is a larger share of the class"
    names, notes = oe.plot.short_labels(counts.scale.labels), [f"{total:,.10g}" for total in rows[:, 0].tolist()]
    cells = matrix.tolist()
    texts = [[f"{cell:,.10g}" for cell in row] for row in cells]
    more = {"shades": shades, "marked": path, "notes": notes, "notes_title": "rows"}
    pieces.show_table(key, names, cells, caption=words, texts=texts, **more, pick=pick, take=take)


def numbers_table(
    key: str, labels: Sequence[Any], values: Any, caption: str, *, digits: int = 2, corner: str = "true ↓ predicted →"
) -> None:
    """A number for each truth and answer, darker the larger it is."""
    import numpy as np

    table = np.asarray(values, dtype=float)
    known = table[np.isfinite(table)]
    top = float(known.max()) if known.size else 0.0
    shades = [[None if not np.isfinite(v) else (v / top if top else 0.0) for v in row] for row in table.tolist()]
    texts = [["–" if v != v else "∞" if np.isinf(v) else f"{v:,.{digits}f}" for v in row] for row in table.tolist()]
    cells = np.nan_to_num(table, nan=0.0, posinf=0.0).tolist()
    pieces.show_table(key, oe.plot.short_labels(labels), cells, caption=caption, texts=texts, shades=shades, corner=corner)


# The ways to other pages, and the way every page ends


@dataclass(frozen=True)
class Way:
    """A link to another page, on the object that it is about."""

    label: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict)


PAGES: ContextVar[Mapping[str, Any]] = ContextVar("pages")


def page_of(name: str) -> Any:
    """Streamlit's page of this name."""
    pages = PAGES.get({})
    return pages[name] if name in pages else st.Page(lambda: None, title=name or "Start", url_path=name, default=not name)


def ways(*links: Way, lead: str = "Go on") -> None:
    """Real links: they can be copied, opened elsewhere, and Back returns."""
    short = [way for way in links if len(urlencode(dict(way.query))) <= LONGEST]
    if lead:
        st.markdown(f"**{lead}**")
    with st.container(horizontal=True):
        for way in short:
            st.page_link(page_of(way.page), label=escape(way.label), query_params=dict(way.query))
    if len(short) < len(links):
        st.caption("A table of this size does not fit into a link.")


def follow(query: Mapping[str, str]) -> None:
    """Let the address say what the page shows."""
    pieces.address(
        here().name, query if len(urlencode(dict(query))) <= LONGEST else {}, st.get_option("server.baseUrlPath") or ""
    )


def ending(recipe: Recipe, query: Mapping[str, str], note: str = "") -> None:
    """The Python, the command and the link that give this screen again, folded."""
    follow(query)
    with st.expander("The same numbers elsewhere: Python, command, link"):
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
        st.code(f"{_origin()}/{here().name}?{urlencode(dict(query))}", language=None, wrap_lines=True)


def _origin() -> str:
    """Where the explorer is, without the page."""
    scheme, _, rest = (st.context.url or "http://127.0.0.1").partition("://")
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{rest.partition('/')[0]}{'/' + base if base else ''}"
