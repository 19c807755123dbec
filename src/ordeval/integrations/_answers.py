"""What a language model wrote, as one of the classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ordeval.order.scale import Scale
from ordeval.read.judge_ratings import compiled, last_match, written


def class_finder(scale: Scale, pattern: str | None = None) -> Callable[[str], Any]:
    """A function from a text to the class that it ends with, or None.

    Without a pattern it is the last of the classes that stands in the text as a word of its own: 4, but not the 4 of 4.5 or of 40.

    >>> find = class_finder(Scale([1, 2, 3, 4, 5]))
    >>> find("Not a 5. Grade: 4."), find("4.5"), find("none")
    (4, None, None)
    """
    classes = {str(written(label)): label for label in scale.labels}
    if pattern is None:
        words = "|".join(re.escape(word) for word in sorted(classes, key=len, reverse=True))
        pattern = rf"(?<!\w)(?<!\d\.)(?:{words})(?!\w)(?!\.\d)"
    matcher = compiled(pattern)

    def find(text: str) -> Any:
        found = last_match(matcher, text)
        return None if found is None else classes.get(str(written(found)))

    return find


def class_of(scale: Scale, value: Any) -> Any:
    """The class that a value is, or None: 4, 4.0 and "4" are the class 4, and true is none."""
    text = None if isinstance(value, bool) else written(value)
    return {written(label): label for label in scale.labels}.get(text) if text is not None else None
