"""The pages, in the order in which people meet them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ordeval.app import frame
from ordeval.app.screens import choose, closeness, evaluate, intervals, laws, path, playground

PAGES: dict[str, tuple[str, Callable[[], None]]] = {
    "playground": ("Playground", playground.page),
    "evaluate": ("Evaluate", evaluate.page),
    "closeness": ("Closeness", closeness.page),
    "laws": ("Laws", laws.page),
    "path": ("Path", path.page),
    "intervals": ("Intervals", intervals.page),
    "choose": ("Choose", choose.page),
}


def explorer() -> None:
    """The whole app."""
    st.set_page_config(
        page_title="ordeval explorer", layout="wide", menu_items={"Get help": None, "Report a bug": None, "About": None}
    )
    pages = [
        st.Page(frame.guard(page), title=title, url_path=name, default=name == "playground")
        for name, (title, page) in PAGES.items()
    ]
    st.navigation(pages, position="top").run()
