"""Small pieces that several figures draw with matplotlib: axes of shares, notes beside, a sentence where there is nothing to draw."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Literal

from ordeval.plot._style import MUTED, SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def say(ax: Axes, words: str) -> None:
    """A sentence in place of a picture."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, textwrap.fill(words, 46), transform=ax.transAxes, ha="center", va="center", color=MUTED, fontsize=SIZE)


def note(ax: Axes, words: str, at: tuple[float, float], shift: tuple[float, float], coords: Any = "data", **look: Any) -> None:
    """Words so many points away from a place."""
    ax.annotate(
        words,
        at,
        shift,
        xycoords=coords,
        textcoords="offset points",
        annotation_clip=False,
        **{"color": MUTED, "fontsize": SIZE - 1, **look},
    )


def grid(ax: Axes, axis: Literal["x", "y", "both"] = "both") -> None:
    """Lines behind what is drawn."""
    ax.grid(axis=axis)
    ax.set_axisbelow(True)


def label_columns(ax: Axes, labels: list[str], turned: bool) -> None:
    """Labels below columns, slanted where they do not fit side by side."""
    turn: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if turned else {}
    ax.set_xticks(range(len(labels)), labels=labels, **turn)


def share_axis(ax: Axes, which: Literal["x", "y"], top: float, *, bottom: float = 0.0) -> None:
    """An axis of shares, in percent; it may reach beyond 100 %, where there is room for words and no tick."""
    from matplotlib.ticker import MaxNLocator

    room = 0.03 * (top - bottom)
    low, high = bottom - (room if bottom else 0), top + room
    ticks = [at for at in MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high) if low <= at <= high and abs(at) <= 1]
    words = [f"{abs(100 * at):.3g} %" for at in ticks]
    if which == "x":
        ax.set_xlim(low, high)
        ax.set_xticks(ticks, labels=words)
    else:
        ax.set_ylim(low, high)
        ax.set_yticks(ticks, labels=words)
