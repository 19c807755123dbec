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
INK, MUTED, FAINT = "#1a1a1a", "#5e5e5e", "#d5d5d5"
BLACK, PAPER = "#000000", "#ffffff"
FIRST, SECOND = "#0b5fa5", "#d9730d"  # two things compared; of different lightness
#: The colours of what is drawn, by what they are for.
COLOURS = {"ink": INK, "muted": MUTED, "faint": FAINT, "first": FIRST, "second": SECOND}
LOWER = ("#9cc9ea", "#3f8fcb", "#0a4a86")  # 1, 2, 3 and more steps below
UPPER = ("#fbc98b", "#e88524", "#9c4300")  # and above
MARKED = "#c2410c"  # what is pointed out over a heat map
RAMP = ("#ffffff", "#d3e3f3", "#85b4db", "#2d76b3", "#0a3866")  # of a heat map, ever darker
#: One colour and one shape for each of several systems; further ones begin again.
SYSTEMS = (
    (FIRST, "o", "circle"),
    (SECOND, "s", "square"),
    ("#00734f", "^", "triangle-up"),
    ("#b8578f", "D", "diamond"),
    ("#3fa7dd", "v", "triangle-down"),
    ("#7a5b00", "P", "cross"),
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
    return max((BLACK, PAPER), key=lambda ink: contrast(ink, colour))


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
