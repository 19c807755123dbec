"""Do the probabilities mean what they say?  Forecasts of "class k or below" beside how often it came true, cut by cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio, snapped
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.lazy import lazy
from ordeval.base.progress import Share
from ordeval.metrics.core.forecast import Forecast, forecast
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.registry import get_metric, metric
from ordeval.metrics.core.row_scores import RowScore
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Binning, Column, Labels, Proba, Weights
from ordeval.metrics.solvers.logistic import Fit, fit_slopes
from ordeval.show import Block, Line, Result, Table

__all__ = ["calibration_slope", "cumulative_calibration_error"]


BINNINGS = ("width", "mass")
DRAWN = 1 << 20  # numbers drawn at once


@dataclass(frozen=True, eq=False)
class CalibrationTable(Result):
    """For every cut (row) and every bin of the forecast probability of "class k or below" (column): sums over the rows in it."""

    weight: Array  #: (K - 1, bins)
    forecast: Array  #: weight times forecast
    came_true: Array  #: weight of the rows in which it came true
    variance: Array  #: what the variance of `came_true` would be if every forecast were right

    @property
    def error(self) -> float:
        """Mean over the cuts of the weighted mean of |forecast - came true|, bin by bin."""
        return self._mean(np.abs(self.forecast - self.came_true))

    @property
    def error_if_calibrated(self) -> float:
        """What that error would be on average if every forecast were right: chance alone (normal approximation in each bin)."""
        return self._mean(np.sqrt(2 / np.pi * self.variance))

    def _rows(self) -> list[dict[str, Any]]:
        sums = ("weight", "forecast", "came_true")
        cells = [(cut, place) for cut in range(self.weight.shape[0]) for place in range(self.weight.shape[1])]
        return [{"cut": c, "bin": b, **{name: float(getattr(self, name)[c, b]) for name in sums}} for c, b in cells]

    def _blocks(self) -> list[Block]:
        rows = [[str(value) if isinstance(value, int) else f"{value:.3f}" for value in row.values()] for row in self._rows()]
        return [Table(["cut", "bin", "weight", "forecast", "came true"], rows, left=2)]

    def _mean(self, away: Array) -> float:
        cuts = len(self.weight)
        return float(ratio(away.sum(), self.weight.sum())) if cuts else math.nan


def _bin_of(below: Array, grid: float, bins: int, edges: Array | None) -> Array:
    """The bin of each forecast: right-open, the last one closed.  Forecasts and edges are compared on the grid."""
    place = snapped(below, grid)
    if edges is not None:
        return np.searchsorted(edges, place, side="right")
    found = np.clip((place * (bins / grid)).astype(np.intp), 0, bins - 1)
    above = snapped(np.arange(1, bins + 1) / bins, grid)
    found += (place >= above[found]) & (found < bins - 1)  # the product may have been rounded down, never up by a whole step
    return found


def _edges(rows: Forecast, bins: int, binning: str) -> Array | None:
    """Inner edges on the grid of bins that hold equally many rows, (K - 1, bins - 1); None for equally wide ones.

    Equal forecasts stay together, in the bin that the middle of their weight falls into.
    """
    if binning == "width" or rows.scale.K == 1:
        return None
    forecasts = np.concatenate([np.stack([b.copy() for _, b, _ in chunk.cumulative()]) for _, chunk in rows.chunks()], 1)
    inner = np.full((len(forecasts), bins - 1), np.inf)
    for cut, places in enumerate(snapped(forecasts, rows.grid)):
        order = np.argsort(places, kind="stable")
        weight, place = np.cumsum(rows.weights[order]), places[order]
        last = np.flatnonzero(np.r_[place[1:] != place[:-1], True])
        upto = weight[last] / weight[-1]
        middle = snapped((upto + np.r_[0.0, upto[:-1]]) / 2 * bins)
        begins = np.searchsorted(middle, snapped(np.arange(1.0, bins)))  # the first group in bin b or above
        inner[cut, begins < last.size] = place[last][begins[begins < last.size]]
    return inner


def _binned(rows: Forecast, bins: int, binning: str) -> Iterator[tuple[slice, int, Array, Array, Array]]:
    """Chunk by chunk and cut by cut: the rows, the cut, each row's bin, its forecast, whether it came true."""
    edges = _edges(rows, bins, binning)
    for part, chunk in rows.chunks():
        for cut, below, came in chunk.cumulative():
            yield part, cut, _bin_of(below, rows.grid, bins, None if edges is None else edges[cut]), below, came


def _table(rows: Forecast, bins: int, binning: str) -> CalibrationTable:
    sums = np.zeros((4, rows.scale.K - 1, bins))
    for part, cut, place, below, came in _binned(rows, bins, binning):
        w = None if rows.sample_weight is None else rows.weights[part]
        weights = np.ones(place.size) if w is None else w
        sums[0, cut] += np.bincount(place, w, minlength=bins)
        sums[1, cut] += np.bincount(place, weights * below, minlength=bins)
        sums[2, cut] += np.bincount(place, weights * came, minlength=bins)
        sums[3, cut] += np.bincount(place, weights**2 * np.maximum(below * (1 - below), 0), minlength=bins)
    return CalibrationTable(*sums)


@documented(
    "Sums over the rows, for every cut and every bin.",
    bins="The number of bins.",
    binning="Bins of equal width, or of equally many rows; equal forecasts share a bin.",
)
def calibration_table(
    y_true: Column | Forecast,
    proba: Proba = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    bins: int = 10,
    binning: Binning = "width",
) -> CalibrationTable:
    """The forecasts of "class k or below" in bins, beside how often it came true, for every cut of the scale.

    >>> calibration_table([1, 2, 2], [[0.75, 0.25], [0.25, 0.75], [0.25, 0.75]], bins=2).came_true
    array([[0., 1.]])
    """
    get_metric("cumulative_calibration_error").with_params(bins=bins, binning=binning)  # refuses what is no way to bin
    return _table(forecast(y_true, proba, labels=labels, sample_weight=sample_weight), bins, binning)


def calibrated_tables(rows: Forecast, bins: int, binning: str, n_resamples: int, rng: Any) -> Array:
    """What `came_true` would be if every forecast were right, (n_resamples, K - 1, bins): classes drawn from the forecasts themselves.

    One number for each row decides all its cuts, so that a draw is a class and not K - 1 separate events.
    """
    get_metric("cumulative_calibration_error").with_params(bins=bins, binning=binning)  # refuses what is no way to bin
    generator = np.random.default_rng(rng)
    found = np.zeros((n_resamples, rows.scale.K - 1, bins))
    edges = _edges(rows, bins, binning)
    with Share("drawing classes from the forecasts") as share:
        for part, chunk in rows.chunks():
            weights = rows.weights[part]
            cuts = [
                (below.copy(), _bin_of(below, rows.grid, bins, None if edges is None else edges[cut]))
                for cut, below, _ in chunk.cumulative()
            ]
            belongs = [np.where(place[:, None] == np.arange(bins), weights[:, None], 0.0) for _, place in cuts]
            step = max(1, DRAWN // weights.size)
            for start in range(0, n_resamples, step):
                drawn = generator.random((min(step, n_resamples - start), weights.size))
                for cut, (below, _) in enumerate(cuts):
                    found[start : start + step, cut] += (drawn < below).astype(float) @ belongs[cut]
                share.show((part.start + weights.size * start / n_resamples) / len(rows))
    return found


class BinnedError(RowScore):
    """The cumulative calibration error; the bins stay those of the forecasts, whatever the weights."""

    def __init__(self, rows: Forecast, bins: int, binning: str) -> None:
        self.forecast: Forecast = rows
        self.bins: int = bins
        self.binning: str = binning

    def point(self) -> float:
        return _table(self.forecast, self.bins, self.binning).error

    def why_undefined(self) -> str:
        labels = self.forecast.scale.labels
        return f"there is only one class, {labels[0]}" if len(labels) == 1 else ""

    @lazy
    def _away(self) -> Any:
        """Forecast less what came true, (cut and bin, N), sparse: every row is in one bin of each cut."""
        from scipy import sparse

        data, at, row = [], [], []
        for part, cut, place, below, came in _binned(self.forecast, self.bins, self.binning):
            data.append(below - came)
            at.append(cut * self.bins + place)
            row.append(np.arange(part.start, part.stop))
        shape = ((self.forecast.scale.K - 1) * self.bins, len(self.forecast))
        return sparse.csr_matrix((np.concatenate(data), (np.concatenate(at), np.concatenate(row))), shape=shape)

    def __call__(self, weights: Array) -> Array:
        return ratio(np.abs(self._away @ weights.T).sum(0), weights.sum(1) * (self.forecast.scale.K - 1))

    def influence(self, weights: Array) -> Array:
        sign = np.sign(self._away @ weights.T)
        slope = (self._away.T @ sign).T / (self.forecast.scale.K - 1)
        return ratio(slope - self(weights)[:, None], weights.sum(1)[:, None])


def _on_an_edge(bins: int, binning: str) -> Any:
    """A forecast on the edge of a bin belongs to the bin above, also when the scale is turned around."""
    if binning == "mass":  # two rows for each bin, and the two that are alike stand with their middle on an edge
        forecasts = [0.1, 0.3, 0.3, 0.4, *(0.5 + row / (4 * bins) for row in range(2 * bins - 4))]
        return [1, 0, 0, 1, *[0] * (2 * bins - 4)], [[p, 1 - p] for p in forecasts]
    low = 1 / bins
    return [0, 1], [[low, 1 - low], [1.5 * low, 1 - 1.5 * low]]


@metric(
    kernel=BinnedError, title="Cumulative calibration error", plain="forecast against frequency",
    formula=r"\frac{1}{K - 1} \sum_{k=1}^{K-1} \sum_{b} \frac{1}{N} \left| \sum_{i \in b} (F_{ik} - O_{ik}) \right|",
    formula_text="""mean over the cuts k of   Σ over the bins of  | sum of F_k − sum of O_k | / N

the rows are put into bins by F_k""",
    direction="lower", bounds=(0, 1), undefined="there is only one class, so there is no cut",
    ignores="how much the forecasts tell: the class shares, forecast for every row, are calibrated",
    misleads=["it is read as it stands: chance alone makes it larger than 0, the more so the fewer rows there are. An evaluation shows beside it what a calibrated forecast would have scored"],
    structure="binned", needs=["probabilities"],
    details=lambda rows, bins, binning: {"if calibrated": _table(rows, bins, binning).error_if_calibrated},
    parameters={"bins": Parameter("The number of bins.", range="[1, inf)"),
        "binning": Parameter("Bins of equal width, or of equally many rows; equal forecasts share a bin.")},
    cite="naeini2015", see=["calibration_slope", "rps"], laws={"perfect": ""},
    broken={"prevalence": ([0, 1], [[1, 0], [0.5, 0.5]]), "unused_class": ([0], [[0, 1]]), "reversal": _on_an_edge},
)  # fmt: skip
def cumulative_calibration_error(
    y_true: Column | Forecast,
    proba: Proba = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    bins: int = 10,
    binning: Binning = "width",
) -> float:
    """Mean over the cuts of the difference between forecast and frequency of "class k or below", bin by bin.

    0 is calibrated in every bin.

    >>> cumulative_calibration_error([1, 2, 2, 2], [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.0, 1.0]])
    0.125
    """
    return score(
        cumulative_calibration_error, y_true, proba=proba, labels=labels, sample_weight=sample_weight, bins=bins, binning=binning
    )


@dataclass(frozen=True, eq=False)
class CutRows:
    """The rows of one cut that say something about its slope, and those that leave none."""

    logit: Array  #: (N,) log of the odds of the forecast; 0 where it is certain
    came: Array  #: (N,) whether it came true, 1.0 or 0.0
    says: Array  #: (N,) whether the forecast is uncertain, 1.0 or 0.0
    wrong: Array  #: (N,) whether it is certain and wrong
    place: Array  #: (N,) the forecast on the grid, for comparisons


class Slope(RowScore):
    """The mean over the cuts, or that of one cut, of the slope of a logistic regression of what came true on the forecast's logit.

    A row that was certain and right says nothing about a slope and is left out; one that was certain and wrong leaves none.  Otherwise
    there is a slope exactly where the forecasts of what came true and of what did not overlap, and that is looked at, not how the fit ends.
    """

    def __init__(self, rows: Forecast, cut: int | None) -> None:
        k = rows.scale.K
        if cut is not None and not 0 <= cut < k - 1:
            raise ArgumentError(
                "{cut:{given}}: {k} classes ({scale}) have the cuts 0 to {last}",
                argument="cut",
                values={"given": repr(cut), "k": k, "scale": rows.scale, "last": k - 2},
            )
        self.forecast: Forecast = rows
        self.cuts: Sequence[int] = range(k - 1) if cut is None else [cut]

    @lazy
    def _rows(self) -> list[CutRows]:
        """The rows of every cut; certain is what is 0 or 1 on the grid."""
        parts: dict[int, list[tuple[Array, ...]]] = {cut: [] for cut in self.cuts}
        for _, chunk in self.forecast.chunks():
            for cut, below, above, came in chunk.sides():
                if cut in parts:
                    places = snapped(below), snapped(above)
                    certain = (places[0] <= 0) | (places[1] <= 0)
                    low, high = np.where(certain, 1.0, below), np.where(certain, 1.0, above)
                    wrong = certain & (came == (places[0] <= 0))
                    parts[cut].append(
                        (np.log(low) - np.log(high), came.astype(float), (~certain).astype(float), wrong, places[0] - places[1])
                    )
        return [CutRows(*(np.concatenate(column) for column in zip(*parts[cut], strict=True))) for cut in self.cuts]

    def _overlap(self, rows: CutRows, counted: Array) -> Array:
        """(b,) whether some forecast of what came true lies below one of what did not, and the other way round: then there is a slope."""
        yes, no = (rows.came == 1) & (counted > 0), (rows.came == 0) & (counted > 0)
        low_yes, high_yes = np.where(yes, rows.place, np.inf).min(1), np.where(yes, rows.place, -np.inf).max(1)
        low_no, high_no = np.where(no, rows.place, np.inf).min(1), np.where(no, rows.place, -np.inf).max(1)
        found: Array = (low_yes < high_no) & (low_no < high_yes)
        return found

    def _fit(self, cut: int, weights: Array) -> Fit:
        """The fits under weights (b, N); nan where there is none."""
        rows = self._rows[cut]
        counted = np.where(weights > 0, weights * rows.says, 0.0)
        there = self._overlap(rows, counted) & ~((weights > 0) & rows.wrong).any(1)
        return fit_slopes(rows.logit, rows.came, np.where(there[:, None], counted, 0.0), there)

    def __call__(self, weights: Array) -> Array:
        if not self.cuts:
            return np.full(len(weights), np.nan)
        found: Array = np.mean([self._fit(i, weights).slope for i in range(len(self.cuts))], 0)
        return found

    def slopes(self) -> list[float]:
        """The slope of every cut."""
        return [float(self._fit(i, self.forecast.weights[None]).slope[0]) for i in range(len(self.cuts))]

    def why_undefined(self) -> str:
        if not self.cuts:
            return f"there is only one class, {self.forecast.scale.labels[0]}"
        found = ((cut, self._without_slope(rows)) for cut, rows in zip(self.cuts, self._rows, strict=True))
        return next((f"at cut {cut} (up to class {self.forecast.scale.labels[cut]}) {why}" for cut, why in found if why), "")

    def _without_slope(self, rows: CutRows) -> str:
        """The condition that fails at a cut, in words."""
        if rows.wrong.any():
            return f"a forecast was certain and wrong, that of the row at index {int(np.argmax(rows.wrong))}"
        says = rows.says > 0
        if not says.any():
            return "every forecast was certain"
        yes, no = rows.place[says & (rows.came == 1)], rows.place[says & (rows.came == 0)]
        if not yes.size or not no.size:
            return "only one side came true" + ("" if says.all() else " among the forecasts that are not certain")
        if rows.place[says].min() == rows.place[says].max():
            return "all forecasts are the same"
        if no.max() <= yes.min() or yes.max() <= no.min():
            return "the forecasts separate what came true from what did not"
        return ""

    def influence(self, weights: Array) -> Array:
        found = np.zeros_like(weights)
        for i, rows in enumerate(self._rows):
            fit = self._fit(i, weights)
            spread = fit.counted * fit.p * (1 - fit.p)
            h0, h1, h2 = spread.sum(1), spread @ rows.logit, spread @ rows.logit**2
            away = rows.says * (rows.came - fit.p)
            found += ratio(h0[:, None] * away * rows.logit - h1[:, None] * away, (h0 * h2 - h1**2)[:, None])
        return found / len(self.cuts)


@metric(
    kernel=Slope, title="Calibration slope", plain="too sure, or not sure enough",
    formula=r"\mathrm{logit} \, \Pr(O_{ik} = 1) = a_k + b_k \, \mathrm{logit} \, F_{ik}",
    formula_text="mean over the cuts k, or at one, of the slope of O_k on logit F_k in a logistic regression", direction=1.0,
    bounds=("-inf", "inf"),
    undefined="at a cut only one side came true, the forecasts separate the two sides or are all the same, or a certain forecast was wrong",
    ignores="a shift: forecasts whose odds are all too high by the same factor have the slope 1",
    misleads=["rows are few, or when a forecast is certain: a certain forecast that was right says nothing about the slope"],
    structure="slope", needs=["probabilities"],
    details=lambda rows, cut: {} if cut is not None else {"by cut": Slope(rows, None).slopes()},
    parameters={"cut": Parameter("One cut of the scale, from 0; None means the mean over all of them.", range="[0, inf)")},
    cite="cox1958", see=["cumulative_calibration_error"],
    laws={"reversal": "", "perfect": "certain and right, there is no slope"},
    broken={"prevalence": ([0, 1, 0, 1], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.7, 0.3]]),
        "unused_class": ([0, 1, 0, 1], [[0.9, 0.1], [0.1, 0.9], [0.4, 0.6], [0.6, 0.4]])},
)  # fmt: skip
def calibration_slope(
    y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None, cut: int | None = None
) -> float:
    """Slope of what came true on the logit of the forecast of "class k or below": the mean over the cuts, or that of one.

    Below 1 the forecasts are too sure of themselves, above 1 not sure enough.  A forecast within 5e-13 of 0 or 1 is certain.

    >>> round(calibration_slope([1, 2, 1, 2], [[0.9, 0.1], [0.1, 0.9], [0.4, 0.6], [0.6, 0.4]], labels=[1, 2]), 3)
    0.952
    """
    return score(calibration_slope, y_true, proba=proba, labels=labels, sample_weight=sample_weight, cut=cut)


@dataclass(frozen=True)
class Decomposition(Result):
    """The mean ranked probability score in parts: score = reliability - resolution + uncertainty + within bins."""

    score: float
    reliability: float  #: how far forecasts are from the frequencies in their bins; 0 is best
    resolution: float  #: how far the frequencies of the bins are from the overall ones; more is better
    uncertainty: float  #: the score of the class shares themselves
    within: float  #: what differences between forecasts of the same bin add; 0 if each bin holds one forecast

    def _rows(self) -> list[dict[str, Any]]:
        return [{"part": f.name, "value": getattr(self, f.name)} for f in fields(self)]

    def _blocks(self) -> list[Block]:
        parts = f"reliability {self.reliability:.4f} - resolution {self.resolution:.4f} + uncertainty {self.uncertainty:.4f}"
        return [Line(f"rps {self.score:.4f} = {parts} + within bins {self.within:.4f}")]


@documented(
    "The parts of the score.",
    bins="The number of bins.",
    binning="Bins of equal width, or of equally many rows; equal forecasts share a bin.",
)
def rps_decomposition(
    y_true: Column | Forecast,
    proba: Proba = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    bins: int = 10,
    binning: Binning = "width",
) -> Decomposition:
    """The ranked probability score as reliability, resolution and uncertainty (Murphy 1973), cut by cut, summed over the cuts.

    >>> print(rps_decomposition([1, 2, 2, 2], [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]]))
    rps 0.1250 = reliability 0.0000 - resolution 0.0625 + uncertainty 0.1875 + within bins 0.0000
    """
    from ordeval.metrics.core.row_scores import RowMean
    from ordeval.metrics.families.probability import _rps_of

    get_metric("cumulative_calibration_error").with_params(bins=bins, binning=binning)  # refuses what is no way to bin
    rows = forecast(y_true, proba, labels=labels, sample_weight=sample_weight)
    table, score = _table(rows, bins, binning), RowMean(rows, _rps_of).point()
    weight = table.weight.sum(1, keepdims=True)
    meant, came = ratio(table.forecast, table.weight), ratio(table.came_true, table.weight)
    overall = ratio(table.came_true.sum(1, keepdims=True), weight)
    share = ratio(table.weight, weight)
    reliability = float(np.nansum(share * (meant - came) ** 2))
    resolution = float(np.nansum(share * (came - overall) ** 2))
    uncertainty = float((overall * (1 - overall)).sum())
    return Decomposition(score, reliability, resolution, uncertainty, score - reliability + resolution - uncertainty)
