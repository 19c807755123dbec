"""Labels are data on a page too: text in which Streamlit's Markdown finds nothing to do."""

from __future__ import annotations

import re
from typing import Any

import ordeval as oe

JOINER = "\u2060"  # without width; it keeps signs apart that a page would read as one word
_ADDRESS = re.compile(r"(?i)www(?=\\?\.)")


def escape(text: Any) -> str:
    """Text for st.markdown, st.caption, st.error and the labels of widgets: every sign stands for itself.

    Beside the signs of Markdown, addresses would become links and words between colons pictures, after the escapes are gone.
    """
    kept = oe.show.escape_markdown(text).replace("\\:", "\\:" + JOINER).replace("\\@", "\\@" + JOINER)
    return _ADDRESS.sub(lambda found: found[0] + JOINER, kept)
