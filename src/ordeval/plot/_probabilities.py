"""Probabilities, cut by cut: do they mean what they say, and do higher ones go with higher classes?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.infer._evidence import EQUAL
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.families.calibration import calibrated_tables, calibration_table
from ordeval.metrics.families.discrimination import roc_curves
from ordeval.plot._base import OfForecast
from ordeval.plot._lines import say, say_chart, share_axis
from ordeval.plot._style import MUTED, SIZE, SYSTEMS, short, short_labels, widest
from ordeval.show._formats import plain
from ordeval.show._numbers import number, percent, rows_text

if TYPE_CHECKING:
    from altair.typing import ChartType
    from matplotlib.axes import Axes

SIDE = 3.1  # inches of the square that both figures draw in
MOST = 500  # points of a curve that are drawn
NO_CUT = "The scale has one class, so there is no cut."


@dataclass(frozen=True, eq=False)
class ReliabilityDisplay(OfForecast):
    """For every cut, forecasts of "this class or below" in bins, beside how often it came true.

    The bands say where the points would be if every forecast were right: chance alone, from classes drawn from the forecasts
    themselves.  They hold for each point by itself.

    >>> forecasts = [[0.2, 0.8]] * 10 + [[0.8, 0.2]] * 10
    >>> ReliabilityDisplay.from_predictions([1, 1] + [2] * 10 + [1] * 8, forecasts, labels=[1, 2]).caption
    'Of 2 points, 0 are outside the 95 % band of a calibrated forecast (5 % are by chance); the calibration error is 0.000 (calibrated: 0.000 to 0.200).'
    """

    labels: tuple[Any, ...]  #: the highest class below each cut
    forecast: Array  #: (K - 1, bins) mean forecast; nan for a bin without rows
    came_true: Array  #: (K - 1, bins) share in which it came true
    low: Array  #: (K - 1, bins) the ends of the band
    high: Array
    weight: Array  #: (K - 1, bins) rows
    error: float  #: the cumulative calibration error
    error_ends: tuple[float, float]  #: where it would be if every forecast were right
    confidence_level: float

    @classmethod
    def from_forecast(
        cls,
        rows: Forecast,
        *,
        bins: int = 10,
        binning: str = "width",
        confidence_level: float = 0.95,
        n_resamples: int = 999,
        rng: Any = 0,
    ) -> Self:
        """``bins`` and ``binning`` are those of `cumulative_calibration_error`; ``n_resamples`` draws make the band."""
        if not 0 < confidence_level < 1:
            raise ValueError(f"confidence_level={confidence_level!r} is not between 0 and 1; 0.95 is common")
        if not (isinstance(n_resamples, int) and n_resamples >= 1):
            raise ValueError(f"n_resamples={n_resamples!r}: the number of draws is a whole number from 1 on")
        table = calibration_table(rows, bins=bins, binning=binning)
        drawn = calibrated_tables(rows, bins, binning, n_resamples, rng)
        tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        low, high = np.quantile(ratio(drawn, table.weight), tails, axis=0)
        errors = ratio(np.abs(table.forecast - drawn).sum((1, 2)), table.weight.sum())
        ends = np.quantile(errors, tails).tolist()
        return cls(
            rows.scale.labels[:-1],
            ratio(table.forecast, table.weight),
            ratio(table.came_true, table.weight),
            low,
            high,
            table.weight,
            table.error,
            (ends[0], ends[1]),
            confidence_level,
        )

    @property
    def outside(self) -> Array:
        """(K - 1, bins) where chance alone does not explain the point."""
        found: Array = (self.came_true < self.low - EQUAL) | (self.came_true > self.high + EQUAL)
        return found

    @property
    def title(self) -> str:
        return "Forecast and frequency of each class or below"

    @property
    def caption(self) -> str:
        if not self.labels:
            return NO_CUT
        outside = self.outside
        number_of = int((self.weight > 0).sum())
        said = (
            f"Of {number_of} point{'' if number_of == 1 else 's'}, {int(outside.sum())} are outside the "
            f"{100 * self.confidence_level:g} % band of a calibrated forecast ({_share_by_chance(self.confidence_level)} are by chance)"
        )
        if outside.any():
            away = np.where(outside, np.abs(self.came_true - self.forecast) * self.weight, -1)
            cut, place = np.unravel_index(int(away.argmax()), away.shape)
            rows = float(self.weight[cut, place])
            said += (
                f', the largest: "{short(self.labels[cut])} or below" was forecast at {percent(self.forecast[cut, place])} '
                f"and came true in {percent(self.came_true[cut, place])} of {rows_text(int(rows) if rows.is_integer() else rows)}"
            )
        low, high = self.error_ends
        return f"{said}; the calibration error is {number(self.error)} (calibrated: {number(low)} to {number(high)})."

    @property
    def _names(self) -> list[str]:
        return [f"≤ {label}" for label in short_labels(self.labels)]

    def _size(self) -> tuple[float, float]:
        return _square(self._names)

    def _draw(self, ax: Axes) -> None:
        if not self.labels:
            say(ax, self.caption)
            return
        ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=":")
        for cut, name in enumerate(self._names):
            colour, marker, _ = SYSTEMS[cut % len(SYSTEMS)]
            known = self.weight[cut] > 0
            x, y, out = self.forecast[cut, known], self.came_true[cut, known], self.outside[cut, known]
            ax.fill_between(x, self.low[cut, known], self.high[cut, known], color=colour, alpha=0.16, linewidth=0)
            ax.vlines(x, self.low[cut, known], self.high[cut, known], color=colour, alpha=0.3, linewidth=1)
            ax.plot(x, y, color=colour, linewidth=0.8, linestyle="-" if cut % 2 == 0 else (0, (5, 2)))
            points: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 5, "linestyle": "none", "zorder": 3}
            ax.plot(x[~out], y[~out], markerfacecolor="white", **points)
            ax.plot(x[out], y[out], **points)
            ax.plot([], [], color=colour, marker=marker, markersize=5, label=name)
        note = f"filled: outside the {100 * self.confidence_level:g} % band of a calibrated forecast"
        _unit_square(ax, f"forecast of this class or below\n{note}", "came true")
        _legend(ax)

    def _chart(self) -> ChartType:
        import altair as alt

        if not self.labels:
            return say_chart(self.caption)
        names = self._names
        values = [
            {
                "cut": names[cut],
                "label": str(self.labels[cut]),
                "forecast": float(self.forecast[cut, b]),
                "came_true": float(self.came_true[cut, b]),
                "low": float(self.low[cut, b]),
                "high": float(self.high[cut, b]),
                "rows": float(self.weight[cut, b]),
                "outside": bool(self.outside[cut, b]),
                "fill": SYSTEMS[cut % len(SYSTEMS)][0] if self.outside[cut, b] else "white",
                "shape": SYSTEMS[cut % len(SYSTEMS)][2],
            }
            for cut, b in np.argwhere(self.weight > 0).tolist()
        ]
        base = alt.Chart(alt.InlineData(values=values)).encode(
            x=_unit(alt.X, "forecast", "forecast of this class or below"), color=_colours(names)
        )
        band = base.mark_area(opacity=0.16).encode(y=_unit(alt.Y, "low", "came true"), y2=alt.Y2(field="high"))
        y = _unit(alt.Y, "came_true", "came true")
        lines = base.mark_line(strokeWidth=1).encode(y=y)
        points = base.mark_point(size=50, opacity=1).encode(
            y=y,
            fill=alt.Fill(field="fill", type="nominal", scale=None),
            shape=alt.Shape(field="shape", type="nominal", scale=None),
            tooltip=[
                alt.Tooltip(field="label", type="nominal", title="this class or below"),
                *(alt.Tooltip(field=f, type="quantitative", format=".3f") for f in ("forecast", "came_true", "low", "high")),
                alt.Tooltip(field="rows", type="quantitative", format=","),
            ],
        )
        return alt.layer(_diagonal("forecast", "came_true"), band, lines, points).properties(width=300, height=300)


@dataclass(frozen=True, eq=False)
class RocDisplay(OfForecast):
    """For every cut "this class or above?", which share is found as the share of false alarms grows.

    All cuts share one score, the mean rank that a row's probabilities give it (or the score given), as in `ordinal_auc`.

    >>> RocDisplay.from_predictions([1, 1, 2, 3], [0.1, 0.4, 0.3, 0.9], labels=[1, 2, 3]).caption
    'The cuts are told apart with a mean area of 0.875 (1/2 is chance): best "3 or above" (1.000), least "2 or above" (0.750).'
    """

    labels: tuple[Any, ...]  #: the lowest class above each cut
    curves: tuple[Array, ...]  #: for each cut (points, 2): shares of false and of true alarms; no points where a side has no rows
    areas: Array  #: (K - 1,) under the curves; their mean is `ordinal_auc`

    @classmethod
    def from_forecast(cls, rows: Forecast) -> Self:
        """One curve for each cut."""
        found = roc_curves(rows)
        return cls(rows.scale.labels[1:], tuple(_thinned(curve) for curve, _ in found), np.array([area for _, area in found]))

    @property
    def title(self) -> str:
        return "ROC curve of every cut"

    @property
    def caption(self) -> str:
        if not self.labels:
            return NO_CUT
        known = np.flatnonzero(~np.isnan(self.areas))
        if not known.size:
            return "Only one class came true, so no cut has rows on both sides."
        best, least = (int(known[pick(self.areas[known])]) for pick in (np.argmax, np.argmin))

        def of(cut: int) -> str:
            return f'"{short(self.labels[cut])} or above" ({number(self.areas[cut])})'

        if len(known) == 1:
            said = f"The area under the curve of {of(best)} is the only one (1/2 is chance)"
        else:
            mean = number(float(self.areas[known].mean()))
            said = f"The cuts are told apart with a mean area of {mean} (1/2 is chance): best {of(best)}, least {of(least)}"
        lost = len(self.labels) - len(known)
        return said + (f"; {lost} without rows on one side." if lost else ".")

    @property
    def _names(self) -> list[str]:
        return [f"≥ {label}" for label in short_labels(self.labels)]

    @property
    def _shown(self) -> list[str]:
        """The names with the areas."""
        areas = ["no rows on one side" if math.isnan(area) else number(area) for area in self.areas.tolist()]
        return [f"{name}  {area}" for name, area in zip(self._names, areas, strict=True)]

    def _size(self) -> tuple[float, float]:
        return _square(self._shown)

    def _draw(self, ax: Axes) -> None:
        if not self.labels:
            say(ax, self.caption)
            return
        ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=":")
        for cut, name in enumerate(self._shown):
            colour = SYSTEMS[cut % len(SYSTEMS)][0]
            ax.plot(*self.curves[cut].T, color=colour, linestyle=("-", (0, (5, 2)), (0, (1, 1)))[cut % 3], label=name)
        _unit_square(ax, "false alarms: share of those below", "found: share of those above")
        _legend(ax, "area")

    def _chart(self) -> ChartType:
        import altair as alt

        if not self.labels:
            return say_chart(self.caption)
        names = self._shown
        values = [
            {
                "cut": names[cut],
                "label": str(self.labels[cut]),
                "order": i,
                "false": x,
                "found": y,
                "area": plain(self.areas[cut]),
            }
            for cut, curve in enumerate(self.curves)
            for i, (x, y) in enumerate(curve.tolist())
        ]
        lines = (
            alt.Chart(alt.InlineData(values=values))
            .mark_line()
            .encode(
                x=_unit(alt.X, "false", "false alarms: share of those below"),
                y=_unit(alt.Y, "found", "found: share of those above"),
                color=_colours(names),
                order=alt.Order(field="order", type="quantitative"),
                tooltip=[
                    alt.Tooltip(field="label", type="nominal", title="this class or above"),
                    alt.Tooltip(field="area", type="quantitative", format=".4f"),
                ],
            )
        )
        return alt.layer(_diagonal("false", "found"), lines).properties(width=300, height=300)


def _share_by_chance(confidence_level: float) -> str:
    return f"{100 * (1 - confidence_level):.3g} %"


def _thinned(curve: Array) -> Array:
    """The points of a curve, or so many of them, evenly along it, that a drawing looks the same."""
    if len(curve) <= MOST:
        return curve
    along = curve.sum(1)  # both shares only grow
    chosen = np.unique(np.searchsorted(along, np.linspace(along[0], along[-1], MOST)))
    thinned: Array = curve[chosen.clip(0, len(curve) - 1)]
    return thinned


def _square(names: list[str]) -> tuple[float, float]:
    """The size of a square with a legend beside it; the square grows with the legend."""
    side = max(SIDE, 0.45 + 0.185 * len(names))
    return side + 1.5 + widest(names) * SIZE * 0.6 / 72, side + 0.75


def _unit_square(ax: Axes, x: str, y: str) -> None:
    share_axis(ax, "x", 1.0, bottom=0.0)
    share_axis(ax, "y", 1.0, bottom=0.0)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    ax.set_box_aspect(1)
    ax.grid()
    ax.set_axisbelow(True)
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def _legend(ax: Axes, title: str = "") -> None:
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        borderaxespad=0,
        frameon=False,
        fontsize=SIZE - 1,
        title=title or None,
        alignment="left",
    )


def _unit(channel: Any, field: str, title: str) -> Any:
    """An Altair axis of shares."""
    import altair as alt

    return channel(field=field, type="quantitative", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%"))


def _colours(names: list[str]) -> Any:
    import altair as alt

    colours = [SYSTEMS[i % len(SYSTEMS)][0] for i in range(len(names))]
    scale, legend = alt.Scale(domain=names, range=colours), alt.Legend(title=None, symbolOpacity=1, labelLimit=0)
    return alt.Color(field="cut", type="nominal", sort=None, scale=scale, legend=legend)


def _diagonal(x: str, y: str) -> ChartType:
    import altair as alt

    ends = alt.InlineData(values=[{x: 0, y: 0}, {x: 1, y: 1}])
    chart: ChartType = (
        alt.Chart(ends)
        .mark_line(color=MUTED, strokeDash=[2, 3], strokeWidth=1)
        .encode(x=alt.X(field=x, type="quantitative"), y=alt.Y(field=y, type="quantitative"))
    )
    return chart
