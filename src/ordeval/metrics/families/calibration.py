"""Do the probabilities mean what they say?  Forecasts of "class k or below" beside how often it came true, cut by cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
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
from ordeval.show import Block, Line, Result, Table

__all__ = ["calibration_slope", "cumulative_calibration_error"]


BINNINGS = ("width", "mass")
STEPS = 25  # of Newton's method, which has converged long before where there is anything to converge to
CONVERGED = 1e-10
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


def _bin_of(below: Array, bins: int, edges: Array | None) -> Array:
    """The bin of each forecast: right-open, the last one closed."""
    if edges is None:
        return np.minimum((below * bins).astype(np.intp), bins - 1)
    return np.minimum(np.searchsorted(edges, below, side="right"), bins - 1)


def _edges(rows: Forecast, bins: int, binning: str) -> Array | None:
    """Inner edges of bins that hold equally many rows, (K - 1, bins - 1); None for equally wide ones."""
    if binning == "width":
        return None
    forecasts = np.concatenate([np.stack([b.copy() for _, b, _ in chunk.cumulative()]) for _, chunk in rows.chunks()], 1)
    inner: Array = np.stack(
        [
            np.quantile(
                cut, np.arange(1, bins) / bins, method="inverted_cdf", weights=rows.weights
            )  # copies of rows move no edge
            for cut in forecasts
        ]
    )
    return inner


def _binned(rows: Forecast, bins: int, binning: str) -> Iterator[tuple[slice, int, Array, Array, Array]]:
    """Chunk by chunk and cut by cut: the rows, the cut, each row's bin, its forecast, whether it came true."""
    edges = _edges(rows, bins, binning)
    for part, chunk in rows.chunks():
        for cut, below, came in chunk.cumulative():
            yield part, cut, _bin_of(below, bins, None if edges is None else edges[cut]), below, came


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
    binning="Bins of equal width, or of equally many rows.",
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
                (below.copy(), _bin_of(below, bins, None if edges is None else edges[cut]))
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
    if binning == "mass":  # one row more than there are bins: which two share one depends on the end from which they are filled
        forecasts = [row / bins for row in range(bins + 1)]
        return [int(row == 1) for row in range(bins + 1)], [[p, 1 - p] for p in forecasts]
    low = 1 / bins
    return [0, 1], [[low, 1 - low], [1.5 * low, 1 - 1.5 * low]]


@metric(
    kernel=BinnedError, title="Cumulative calibration error", plain="forecast against frequency",
    formula=r"\frac{1}{K - 1} \sum_{k=1}^{K-1} \sum_{b} \frac{1}{N} \left| \sum_{i \in b} (F_{ik} - O_{ik}) \right|",
    formula_text="""mean over the cuts k of   Σ over the bins of  | sum of F_k − sum of O_k | / N

the rows are put into bins by F_k""",
    direction="lower", bounds=(0, 1), undefined="there is only one class, so nothing to be right about",
    ignores="how much the forecasts tell: the class shares, forecast for every row, are calibrated",
    misleads=["it is read as it stands: chance alone makes it larger than 0, the more so the fewer rows there are. An evaluation shows beside it what a calibrated forecast would have scored"],
    structure="binned", needs=["probabilities"],
    details=lambda rows, bins, binning: {"if calibrated": _table(rows, bins, binning).error_if_calibrated},
    parameters={"bins": Parameter("The number of bins.", range="[1, inf)"),
        "binning": Parameter("Bins of equal width, or of equally many rows.")},
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


class Slope(RowScore):
    """The mean over the cuts, or that of one cut, of the slope of a logistic regression of what came true on the forecast's logit.

    A row that was certain and right says nothing about a slope and is left out; one that was certain and wrong leaves none.
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
    def _logits(self) -> list[tuple[Array, Array, Array]]:
        """For every cut the logits, what came true, and whether the row says something: 1, 0, or nan where it leaves no slope."""
        chunks = [[(below.copy(), came) for _, below, came in chunk.cumulative()] for _, chunk in self.forecast.chunks()]
        found = []
        for cut in self.cuts:
            below = np.concatenate([chunk[cut][0] for chunk in chunks])
            came = np.concatenate([chunk[cut][1] for chunk in chunks]).astype(float)
            certain = (below <= 0) | (below >= 1)
            inside = np.where(certain, 0.5, below)
            says = np.where(certain, np.where(came == (below >= 1), 0.0, np.nan), 1.0)
            found.append((np.log(inside) - np.log1p(-inside), came, says))
        return found

    def _fit(self, cut: int, weights: Array) -> tuple[Array, Array, Array, Array]:
        """Intercepts, slopes (b,), the probabilities they give (b, N), and the weights that count; Newton's method, all b at once."""
        logit, came, says = self._logits[cut]
        with np.errstate(invalid="ignore"):
            counted = np.where(weights > 0, weights * says, 0.0)
        a, b = np.zeros(len(weights)), np.ones(len(weights))
        live = np.isfinite(counted.sum(1))
        counted = np.where(live[:, None], counted, 0.0)
        for _ in range(STEPS):
            p = 1 / (1 + np.exp(-np.clip(a[:, None] + b[:, None] * logit, -500, 500)))
            away, spread = counted * (came - p), counted * p * (1 - p)
            g0, g1 = away.sum(1), away @ logit
            h0, h1, h2 = spread.sum(1), spread @ logit, spread @ logit**2
            determinant = h0 * h2 - h1**2
            with np.errstate(all="ignore"):
                step_a, step_b = (h2 * g0 - h1 * g1) / determinant, (h0 * g1 - h1 * g0) / determinant
                longest = np.maximum(np.abs(step_a), np.abs(step_b))
                shrink = np.where(longest > 5, 5 / longest, 1.0)
            a, b = a + shrink * step_a, b + shrink * step_b
            if not (longest > CONVERGED * np.maximum(1, np.abs(b))).any():
                break
        settled = live & (longest <= 1e-6 * np.maximum(1, np.abs(b))) & (determinant > 1e-10 * h0 * h2)
        return a, np.where(settled, b, np.nan), p, counted

    def __call__(self, weights: Array) -> Array:
        if not self.cuts:
            return np.full(len(weights), np.nan)
        found: Array = np.mean([self._fit(i, weights)[1] for i in range(len(self.cuts))], 0)
        return found

    def slopes(self) -> list[float]:
        """The slope of every cut."""
        return [float(self._fit(i, self.forecast.weights[None])[1][0]) for i in range(len(self.cuts))]

    def influence(self, weights: Array) -> Array:
        found = np.zeros_like(weights)
        for i in range(len(self.cuts)):
            logit, came, says = self._logits[i]
            _, _, p, counted = self._fit(i, weights)
            spread = counted * p * (1 - p)
            h0, h1, h2 = spread.sum(1), spread @ logit, spread @ logit**2
            away = np.nan_to_num(says) * (came - p)
            found += ratio(h0[:, None] * away * logit - h1[:, None] * away, (h0 * h2 - h1**2)[:, None])
        return found / len(self.cuts)


@metric(
    kernel=Slope, title="Calibration slope", plain="too sure, or not sure enough",
    formula=r"\mathrm{logit} \, \Pr(O_{ik} = 1) = a_k + b_k \, \mathrm{logit} \, F_{ik}",
    formula_text="mean over the cuts k, or at one, of the slope of O_k on logit F_k in a logistic regression", direction=1.0,
    bounds=("-inf", "inf"),
    undefined="at a cut only one side came true, the forecasts separate the two sides, or a certain forecast was wrong",
    ignores="a shift: forecasts that are all too high by the same factor of the odds have the slope 1",
    misleads=["rows are few, or when a forecast is certain: a certain forecast that was right says nothing about the slope"],
    structure="slope", needs=["probabilities"],
    details=lambda rows, cut: {} if cut is not None else {"by cut": Slope(rows, None).slopes()},
    parameters={"cut": Parameter("One cut of the scale, from 0; None is the mean over all of them.", range="[0, inf)")},
    cite="cox1958", see=["cumulative_calibration_error"],
    laws={"reversal": "", "perfect": "certain and right, there is no slope"},
    broken={"prevalence": ([0, 1, 0, 1], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.7, 0.3]]),
        "unused_class": ([0, 1, 0, 1], [[0.9, 0.1], [0.1, 0.9], [0.4, 0.6], [0.6, 0.4]])},
)  # fmt: skip
def calibration_slope(
    y_true: Column, proba: Proba = None, *, labels: Labels = None, sample_weight: Weights = None, cut: int | None = None
) -> float:
    """Slope of what came true on the logit of the forecast of "class k or below": the mean over the cuts, or that of one.

    Below 1 the forecasts are too sure of themselves, above 1 not sure enough.

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


@documented("The parts of the score.", bins="The number of bins.", binning="Bins of equal width, or of equally many rows.")
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
