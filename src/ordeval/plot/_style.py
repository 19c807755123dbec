"""How every figure looks, and how a label gets onto it: colours, sizes, short texts that are never interpreted.

Colours differ in lightness as well as in hue, so that they can be told apart by colour-blind readers and in grey print.
No plotting library is needed here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ordeval.base.docs import documented
from ordeval.show._plain import display_width, isolate_bidi, shorten

FONT = "DejaVu Sans"  # ships with matplotlib, so it is everywhere
FALLBACKS = f"'{FONT}', Verdana, Arial, Helvetica, sans-serif"
SIZE = 9.0  # points


class Colour(str):
    """A colour that a page may exchange for its own: as text the light one, and the name of the variable that stands for it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, light: str, name: str = "") -> Colour:
        made = super().__new__(cls, light)
        made.name = name
        return made

    @property
    def variable(self) -> str:
        return f"var(--oe-{self.name})"


#: By name: on a light page, and on a dark one.
_BOTH = {
    "ink": ("#1a1a1a", "#ececec"),
    "quiet": ("#5e5e5e", "#b5b5b5"),
    "faint": ("#d5d5d5", "#4d4d4d"),
    "paper": ("#ffffff", "#1a1a19"),
    "first": ("#0b5fa5", "#6cb4ee"),
    "second": ("#d9730d", "#f2a65a"),
    "third": ("#00734f", "#4cc9a0"),
    "fourth": ("#b8578f", "#e59ac4"),
    "fifth": ("#3fa7dd", "#a6dcf7"),
    "sixth": ("#7a5b00", "#d9b44a"),
    "lower-1": ("#9cc9ea", "#24557d"),
    "lower-2": ("#3f8fcb", "#4d96cf"),
    "lower-3": ("#0a4a86", "#b3daf6"),
    "upper-1": ("#fbc98b", "#7a4a12"),
    "upper-2": ("#e88524", "#e08a35"),
    "upper-3": ("#9c4300", "#ffd3a1"),
    "marked": ("#c2410c", "#ff9a62"),
}
#: What the variables of a figure stand for on a light and on a dark page.
THEMES = {
    "light": {name: light for name, (light, _) in _BOTH.items()},
    "dark": {name: dark for name, (_, dark) in _BOTH.items()},
}


def _colour(name: str) -> Colour:
    return Colour(_BOTH[name][0], name)


INK, MUTED, FAINT = _colour("ink"), _colour("quiet"), _colour("faint")
BLACK, PAPER = "#000000", _colour("paper")
FIRST, SECOND = _colour("first"), _colour("second")  # two things compared; of different lightness
#: The colours of what is drawn, by what they are for.
COLOURS = {"ink": INK, "muted": MUTED, "faint": FAINT, "first": FIRST, "second": SECOND}
LOWER = (_colour("lower-1"), _colour("lower-2"), _colour("lower-3"))  # 1, 2, 3 and more steps below
UPPER = (_colour("upper-1"), _colour("upper-2"), _colour("upper-3"))  # and above
MARKED = _colour("marked")  # what is pointed out over a heat map
RAMP = ("#ffffff", "#d3e3f3", "#85b4db", "#2d76b3", "#0a3866")  # of a heat map, ever darker
#: One colour and one shape for each of several systems; further ones begin again.
SYSTEMS = (
    (FIRST, "o", "circle"),
    (SECOND, "s", "square"),
    (_colour("third"), "^", "triangle-up"),
    (_colour("fourth"), "D", "diamond"),
    (_colour("fifth"), "v", "triangle-down"),
    (_colour("sixth"), "P", "cross"),
    (INK, "X", "cross"),
)
LABEL = 24  # columns of text that a label may take on an axis
NAME = 40  # in a caption
TITLE = 24  # of a name in a title
HEAD = 12  # and in the words above one half of a figure


def short(label: Any, width: int = NAME) -> str:
    """A label as one line of text, visibly shortened where it is long."""
    text = shorten(label, width)
    return isolate_bidi(text) if text.strip() else "(blank)"


@documented("The texts, all different.", labels="The labels.", width="Columns that a text may take.")
def short_labels(labels: Sequence[Any], width: int = LABEL) -> list[str]:
    """The labels, shortened; two that would look the same get their position on the scale behind the ellipsis."""
    texts = [short(label, width) for label in labels]
    seen = Counter(texts)
    return [text if seen[text] == 1 else _numbered(labels[i], i + 1, width) for i, text in enumerate(texts)]


def _numbered(label: Any, position: int, width: int) -> str:
    mark = f"…{position}"
    return isolate_bidi(shorten(label, width - len(mark) + 1).removesuffix("…")) + mark


def widest(texts: Iterable[str]) -> int:
    return max((display_width(text) for text in texts), default=0)


def shade(position: float) -> str:
    """The colour of a heat map at 0 (nothing) to 1 (the most)."""
    place = min(max(position, 0.0), 1.0) * (len(RAMP) - 1)
    i = min(int(place), len(RAMP) - 2)
    pair = zip(_channels(RAMP[i]), _channels(RAMP[i + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (place - i)):02x}" for a, b in pair)


def ink_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour."""
    return max((BLACK, "#ffffff"), key=lambda ink: contrast(ink, colour))


def contrast(a: str, b: str) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def round_up(value: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value * (1 - 1e-12))


def trimmed(value: float) -> str:
    """A number for the end of an axis: as short as it can be."""
    return f"{value:.3g}".replace("-", "\N{MINUS SIGN}")
