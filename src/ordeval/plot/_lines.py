"""Small pieces that several figures draw: axes of shares and of labels, and a sentence where there is nothing to draw."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ordeval.plot._style import MUTED, SIZE

if TYPE_CHECKING:
    from altair.typing import ChartType
    from matplotlib.axes import Axes


def say(ax: Axes, words: str) -> None:
    """A sentence in place of a picture."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, textwrap.fill(words, 46), transform=ax.transAxes, ha="center", va="center", color=MUTED, fontsize=SIZE)


def say_chart(words: str) -> ChartType:
    import altair as alt

    values = [{"words": textwrap.wrap(words, 46)}]
    chart: ChartType = (
        alt.Chart(alt.InlineData(values=values))
        .mark_text(color=MUTED, fontSize=12)
        .encode(text=alt.Text(field="words", type="nominal"))
        .properties(width=320, height=120)
    )
    return chart


def share_axis(ax: Axes, which: str, top: float, *, bottom: float = 0.0) -> None:
    """An axis of shares, in percent."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(100 * value):.3g} %"))
    room = 0.03 * (top - bottom)
    (ax.set_xlim if which == "x" else ax.set_ylim)(bottom - (room if bottom else 0), top + room)


def nominal(channel: Any, field: str, order: Sequence[str], title: str | None, **axis: Any) -> Any:
    """An Altair axis of labels in the order given: the labels are the scale's domain, so they are in no expression."""
    import altair as alt

    return channel(
        field=field,
        type="nominal",
        sort=None,
        scale=alt.Scale(domain=list(order)),
        axis=alt.Axis(title=title, ticks=False, **axis),
    )
