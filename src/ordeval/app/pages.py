"""The pages, in the order in which people meet them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ordeval.app import frame
from ordeval.app.screens import (
    choose,
    closeness,
    evaluate,
    figures,
    intervals,
    laws,
    learn,
    metric,
    path,
    playground,
    probabilities,
    start,
)

#: By the last part of the address: the title and the page.
PAGES: dict[str, tuple[str, Callable[[], None]]] = {
    "": ("Start", start.page),
    "learn": ("Learn", learn.page),
    "evaluate": ("Evaluate", evaluate.page),
    "probabilities": ("Probabilities", probabilities.page),
    "choose": ("Choose", choose.page),
    "playground": ("Playground", playground.page),
    "laws": ("Laws", laws.page),
    "closeness": ("Closeness", closeness.page),
    "path": ("Path", path.page),
    "intervals": ("Intervals", intervals.page),
    "figures": ("Figures", figures.page),
    "metric": ("Metric", metric.page),
}
FIRST = ("", "learn", "evaluate", "probabilities", "choose")
HIDDEN = ("metric",)


def explorer() -> None:
    """The whole app."""
    pages = {
        name: st.Page(
            frame.guard(page, name),
            title=title,
            url_path=name,
            default=not name,
            visibility="hidden" if name in HIDDEN else "visible",
        )
        for name, (title, page) in PAGES.items()
    }
    frame.PAGES.set(pages)
    groups = {"": [pages[name] for name in FIRST], "Look closer": [page for name, page in pages.items() if name not in FIRST]}
    chosen = st.navigation(groups, position="top")
    st.set_page_config(
        page_title=f"{chosen.title} · ordeval", layout="wide", menu_items={"Get help": None, "Report a bug": None, "About": None}
    )
    chosen.run()
