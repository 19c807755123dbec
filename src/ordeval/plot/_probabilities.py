"""Probabilities, cut by cut: do they mean what they say, and do higher ones go with higher classes?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.infer._evidence import EQUAL
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.types import Binning
from ordeval.metrics.families.calibration import calibrated_tables, calibration_table
from ordeval.metrics.families.discrimination import roc_curves
from ordeval.plot._base import OfForecast
from ordeval.plot._lines import grid, share_axis
from ordeval.plot._style import MUTED, PAPER, SIZE, SYSTEMS, short, short_labels, widest
from ordeval.plot._vega import Spec, category, colours, literal, mark, over, quantities, quantity, sized
from ordeval.show._numbers import number, percent, rows_text
from ordeval.show._result import finite

if TYPE_CHECKING:
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
    @documented(
        "The figure.",
        rows="What `forecast` gave.",
        bins="The number of bins, as in `cumulative_calibration_error`.",
        binning="Bins of equal width, or of about equally many rows.",
        n_resamples="The number of draws behind the band.",
    )
    def from_forecast(
        cls,
        rows: Forecast,
        *,
        bins: int = 10,
        binning: Binning = "width",
        confidence_level: float = 0.95,
        n_resamples: int = 999,
        rng: Rng = 0,
    ) -> Self:
        """A band for each cut, from classes drawn from the forecasts."""
        if not 0 < confidence_level < 1:
            raise ArgumentError(
                "{confidence_level:{given}} is not between 0 and 1; 0.95 is common",
                argument="confidence_level",
                values={"given": repr(confidence_level)},
            )
        if not (isinstance(n_resamples, int) and n_resamples >= 1):
            raise ArgumentError(
                "{n_resamples:{given}}: the number of draws is a whole number from 1 on",
                argument="n_resamples",
                values={"given": repr(n_resamples)},
            )
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
            f"Of {number_of} point{'' if number_of == 1 else 's'}, {int(outside.sum())} {'is' if outside.sum() == 1 else 'are'} outside the "
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

    def _spec(self) -> Spec:
        names, outside = self._names, self.outside
        values = []
        for cut, b in np.argwhere(self.weight > 0).tolist():
            colour, _, shape = SYSTEMS[cut % len(SYSTEMS)]
            means = {"forecast": float(self.forecast[cut, b]), "came_true": float(self.came_true[cut, b])}
            band = {"low": float(self.low[cut, b]), "high": float(self.high[cut, b]), "rows": float(self.weight[cut, b])}
            drawn = {"fill": colour if outside[cut, b] else PAPER, "shape": shape, "outside": bool(outside[cut, b])}
            values.append({"cut": names[cut], "label": str(self.labels[cut]), **means, **band, **drawn})
        y = _unit("came_true", "came true")
        tooltip = [
            category("label", title="this class or below"),
            *quantities(("forecast", "came_true", "low", "high"), ".3f"),
            quantity("rows", format=","),
        ]
        layers = over(
            values,
            mark("area", {"opacity": 0.16}, y=_unit("low", "came true"), y2={"field": "high"}),
            mark("line", {"strokeWidth": 1}, y=y),
            mark("point", {"size": 50, "opacity": 1}, y=y, fill=literal("fill"), shape=literal("shape"), tooltip=tooltip),
            x=_unit("forecast", "forecast of this class or below"),
            color=colours("cut", names),
        )
        return sized(300, 300, _diagonal("forecast", "came_true"), layers)


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
    @documented("The figure.", rows="What `forecast` gave.")
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
    def _shown(self) -> list[str]:
        """The cuts with the areas."""
        areas = ["no rows on one side" if math.isnan(area) else number(area) for area in self.areas.tolist()]
        return [f"≥ {label}  {area}" for label, area in zip(short_labels(self.labels), areas, strict=True)]

    def _size(self) -> tuple[float, float]:
        return _square(self._shown)

    def _draw(self, ax: Axes) -> None:
        ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=":")
        for cut, name in enumerate(self._shown):
            colour = SYSTEMS[cut % len(SYSTEMS)][0]
            ax.plot(*self.curves[cut].T, color=colour, linestyle=("-", (0, (5, 2)), (0, (1, 1)))[cut % 3], label=name)
        _unit_square(ax, "false alarms: share of those below", "found: share of those above")
        _legend(ax, "area")

    def _spec(self) -> Spec:
        names = self._shown
        values = [
            {
                "cut": names[cut],
                "label": str(self.labels[cut]),
                "order": i,
                "false": x,
                "found": y,
                "area": finite(self.areas[cut]),
            }
            for cut, curve in enumerate(self.curves)
            for i, (x, y) in enumerate(curve.tolist())
        ]
        lines = mark(
            "line",
            x=_unit("false", "false alarms: share of those below"),
            y=_unit("found", "found: share of those above"),
            color=colours("cut", names),
            order=quantity("order"),
            tooltip=[category("label", title="this class or above"), quantity("area", format=".4f")],
        )
        return sized(300, 300, _diagonal("false", "found"), over(values, lines))


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
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), box_aspect=1, xlabel=x, ylabel=y)
    grid(ax)


def _legend(ax: Axes, title: str = "") -> None:
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0, "alignment": "left"}
    ax.legend(frameon=False, fontsize=SIZE - 1, title=title or None, **place)


def _unit(field: str, title: str) -> Spec:
    """An axis of shares."""
    return quantity(field, title=title, scale={"domain": [0, 1]}, axis={"format": ".0%"})


def _diagonal(x: str, y: str) -> Spec:
    line = mark("line", {"color": MUTED, "strokeDash": [2, 3], "strokeWidth": 1}, x=quantity(x), y=quantity(y))
    return over([{x: 0, y: 0}, {x: 1, y: 1}], line)
