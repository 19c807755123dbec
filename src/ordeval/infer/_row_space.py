"""Scores of rows as spaces: probabilities, of which what came true is drawn, and prediction sets.

Smoothing adds what might have been seen instead: the same forecast with another class as truth, the same truth with another set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.infer._tables import Clusters
from ordeval.infer._walk import CLOSE, NORMAL, Space
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.row_scores import RowMean, RowScore
from ordeval.metrics.families.sets import SetRows, sets_of
from ordeval.order.scale import Scale

LARGE = 1_000  # rows: with more, and none of them weighing much, scores have the normal distribution
LARGE_MEAN = 20_000  # the same where the score is a mean, whose distribution is known closely for fewer
SPREAD = 300.0  # as good as how many rows must carry a score that is taken for normal
WITH_ALTERNATIVES = 50_000  # rows: with more, one row of what might have come true changes nothing
MOST_SETS = 20_000  # kinds of row that smoothing adds: with more classes, only every few of them begin or end a set
DRAWN_WEIGHTS = 1 << 21  # weights of a chunk of simulated samples


class RowSpace(Space):
    """Rows, and the same rows with every other class as truth: each is a cell of its own."""

    def __init__(
        self, number: Array, pseudo: Array, rows: float, *, score: RowScore | None = None, values: Array | None = None
    ) -> None:
        """The score of weights of the cells; or, of a mean, the values of the cells."""
        self.number, self.pseudo = number, pseudo
        self.stratum, self.sizes = np.zeros(len(number), int), np.array([max(1, round(rows))])
        self.score, self.values = score, values
        self.simulates = values is None

    def scaled(self, factor: float) -> RowSpace:
        """The same sample with so many times the rows."""
        rows = float(self.number.sum()) * factor
        return RowSpace(self.number * factor, self.pseudo, rows, score=self.score, values=self.values)

    def value(self, weights: Array) -> float:
        if self.values is not None:
            return float(weights @ self.values / weights.sum())
        assert self.score is not None
        return float(self.score(weights[None])[0])

    def slope(self, weights: Array) -> Array:
        if self.values is not None:
            found: Array = (self.values - self.value(weights)) / weights.sum()
            return found
        assert self.score is not None
        return np.asarray(np.nan_to_num(self.score.influence(weights[None])[0]))

    def simulated(self, share: Array, size: int, rng: np.random.Generator) -> Array:
        assert self.score is not None
        rows, cells = int(self.sizes[0]), len(share)
        edges, parts = np.cumsum(share), []
        step = max(1, DRAWN_WEIGHTS // max(rows, cells))
        for start in range(0, size, step):
            drawn = min(step, size - start)
            which = np.searchsorted(edges, rng.random((drawn, rows)) * edges[-1]).clip(max=cells - 1)
            flat = (which + cells * np.arange(drawn)[:, None]).ravel()
            parts.append(self.score(np.bincount(flat, minlength=drawn * cells).reshape(drawn, cells).astype(float)))
        return np.concatenate(parts)

    def tail(self, share: Array, observed: float, sign: int, size: int, rng: np.random.Generator) -> float:
        rows = int(self.sizes[0])
        if rows > (LARGE if self.values is None else LARGE_MEAN):
            influence, error = self.influence(share)
            second, fourth = float((share * influence**2).sum()), float((share * influence**4).sum())
            if rows * second**2 >= SPREAD * fourth:
                return NORMAL.cdf(sign * (observed - self.value(self.expected(share))) / error)
        if self.values is not None:
            return mean_tail(sign * self.values, share, rows, sign * observed)
        return super().tail(share, observed, sign, size, rng)


def mean_tail(values: Array, share: Array, rows: int, mean: float) -> float:
    """P(a mean of so many draws is below this) + half of P(it is this): the saddlepoint approximation of Lugannani and Rice."""
    used = share > 0
    values, share = values[used], share[used]
    close = CLOSE * max(1.0, abs(mean))
    for end, part in ((values.min(), 0.5), (values.max(), -0.5)):
        if abs(mean - end) <= close:  # all draws are at the end
            chance = math.exp(rows * math.log(float(share[np.abs(values - end) <= close].sum())))
            return part * chance if part > 0 else 1 + part * chance
    unit = math.sqrt(float(share @ (values - share @ values) ** 2))
    away = (values - mean) / unit
    spread, tilt, low, high = float(np.abs(away).max()), 0.0, -math.inf, math.inf
    for _ in range(200):  # Newton's method, kept between ends that are known to lie on either side
        level = float((tilt * away).max())
        weight = share * np.exp(tilt * away - level)
        total = float(weight.sum())
        first = float(weight @ away) / total
        second = float(weight @ away**2) / total - first**2
        low, high = (tilt, high) if first < 0 else (low, tilt)
        if abs(first) < 1e-11 * spread or high - low < 1e-15 * abs(tilt):
            break
        step = tilt - first / second if second > 0 else math.nan
        if not low < step < high:  # Newton's step leads away: halve the way, or go on where there is no end yet
            step = (low + high) / 2 if math.isfinite(low + high) else 2 * tilt + math.copysign(1.0, -first)
        tilt = step
    log_mean = math.log(total) + level
    w = math.copysign(math.sqrt(max(0.0, -2 * rows * log_mean)), tilt)
    r = tilt * math.sqrt(rows * max(second, 0.0))
    if abs(w) < 1e-4 or r == 0:
        skew = float(share @ away**3)
        return 0.5 + skew / (6 * math.sqrt(2 * math.pi * rows))
    # the point is above the mean where the tilt is positive
    tail = NORMAL.cdf(w) + math.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / w - 1 / r)
    return min(max(tail, 0.0), 1.0)


class RowSample:
    """The rows of a forecast, and the same rows with another class as truth; what spaces for scores of them are made from."""

    rows: Forecast | SetRows

    def __init__(self, forecast: Forecast) -> None:
        weighted = forecast.cluster is None and forecast.sample_weight is not None
        self._keep(forecast, forecast.scale, np.arange(len(forecast)) if weighted else forecast.cluster, single=weighted)

    def _keep(self, rows: Forecast | SetRows, scale: Scale, column: Array | None, *, single: bool) -> None:
        self.rows, self.labels, self.K, self.true = rows, scale.labels, scale.K, rows.true
        weights = rows.weights.astype(float)
        self.weights = weights * (np.count_nonzero(weights) / weights.sum()) if single else weights
        self.unit = None if column is None else np.unique(column, return_inverse=True)[1].reshape(-1)
        self._single = single

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    @property
    def truths(self) -> Array:
        return np.bincount(self.true, self.weights, minlength=self.K)

    def clusters(self) -> Clusters | None:
        """The clusters over the cells of a space, where there are some."""
        if self.unit is None:
            return None
        from scipy import sparse

        shape = (int(self.unit.max()) + 1, self.cells)
        return Clusters(sparse.csr_matrix((self.weights, (self.unit, self.places)), shape=shape), self._single)

    @property
    def expands(self) -> bool:
        """What might have come true instead stands beside the rows."""
        return len(self.true) <= WITH_ALTERNATIVES

    @property
    def cells(self) -> int:
        return len(self.true) * (self.K if self.expands else 1)

    @property
    def places(self) -> Array:
        """Where each row stands among the cells: classes side by side, rows below each other."""
        n = len(self.true)
        return self.true * n + np.arange(n) if self.expands else np.arange(n)

    def space(self, metrics: Sequence[tuple[Metric, RowSample]], pseudo: float) -> RowSpace:
        """The space of a score; of two, that of the second less the first."""
        number = np.bincount(self.places, self.weights, minlength=self.cells)
        added = pseudo * self._alternatives(number)
        signs = (1,) if len(metrics) == 1 else (-1, 1)
        scores = [_bound(metric, sample._expanded()) for metric, sample in metrics]
        means = [score for score in scores if isinstance(score, RowMean)]
        if len(means) == len(scores):
            values = np.sum([sign * _finite(score.scores) for sign, score in zip(signs, means, strict=True)], 0)
            return RowSpace(number, added, self.total, values=values)
        score = scores[0] if len(scores) == 1 else Contrast(scores[0], scores[1])
        return RowSpace(number, added, self.total, score=score)

    def _alternatives(self, number: Array) -> Array:
        """The shares of one row that might have been seen instead."""
        return np.where(number > 0, 0.0, 1 / max(1, self.cells - len(self.true)))

    def _expanded(self) -> Forecast | SetRows:
        """The rows with every class as truth, class by class."""
        assert isinstance(self.rows, Forecast)
        if not self.expands:
            return self.rows
        n, k, rows = len(self.true), self.K, self.rows
        proba = None if rows.proba is None else np.tile(rows.proba, (k, 1))
        given = None if rows.given_score is None else np.tile(rows.given_score, k)
        true = np.repeat(np.arange(k), n)
        return replace(rows, true=true, proba=proba, given_score=given, sample_weight=None, cluster=None)


class SetSample(RowSample):
    """Rows with prediction sets, and rows of the same truths with any other set.

    The size of a set does not depend on the truth, and a set of all classes misses none: another truth would change nothing.
    """

    rows: SetRows

    def __init__(self, counts: Counts) -> None:
        column = None if counts.cluster is None else counts.cells[:, counts.axes.index(counts.cluster)]
        single = (
            column is not None and counts.row_counts is not None and bool((np.bincount(column, counts.row_counts) == 1).all())
        )
        self._keep(sets_of(counts), counts.scale, column, single=single)
        self._seen = np.unique(self.true)
        ends = min(self.K, int(math.sqrt(2 * MOST_SETS / len(self._seen))))
        grid = np.unique(np.linspace(0, self.K - 1, ends).round().astype(int))
        lo, hi = np.triu_indices(len(grid))
        self._others, self._each = (grid[lo], grid[hi]), len(lo)

    @property
    def cells(self) -> int:
        return len(self.true) + len(self._seen) * self._each

    @property
    def places(self) -> Array:
        """The rows come first, then what might have been seen instead."""
        return np.arange(len(self.true))

    def _alternatives(self, number: Array) -> Array:
        truths = self.truths[self._seen] / self.total
        return np.concatenate([np.zeros(len(self.true)), np.repeat(truths / self._each, self._each)])

    def _expanded(self) -> SetRows:
        rows = self.rows
        lo, hi = (
            np.concatenate([seen, np.tile(other, len(self._seen))])
            for seen, other in zip((rows.lo, rows.hi), self._others, strict=True)
        )
        return SetRows(np.concatenate([rows.true, np.repeat(self._seen, self._each)]), lo, hi, np.ones(self.cells), self.K)


def sample_of(rows: Forecast | Counts) -> RowSample:
    return SetSample(rows) if isinstance(rows, Counts) else RowSample(rows)


class Contrast(RowScore):
    """The score of a second model less that of a first, on the same rows."""

    def __init__(self, first: RowScore, second: RowScore) -> None:
        self.forecast, self.first, self.second = first.forecast, first, second

    def point(self) -> float:
        return self.second.point() - self.first.point()

    def __call__(self, weights: Array) -> Array:
        return self.second(weights) - self.first(weights)

    def influence(self, weights: Array) -> Array:
        return self.second.influence(weights) - self.first.influence(weights)


def _bound(metric: Metric, rows: Forecast | SetRows) -> RowScore:
    found = metric.kernel(rows, **metric.params)
    assert isinstance(found, RowScore)
    return found


def _finite(values: Array) -> Array:
    """An infinite score of what might have come true is taken for the greatest finite one."""
    endless = np.isinf(values)
    return np.where(endless, values[~endless].max(initial=0.0), values) if endless.any() else values


def jackknifed(metric: Metric, first: Forecast, second: Forecast) -> tuple[Array, float]:
    """How fast a difference of two scores changes with each row; and its standard error, by leaving each row, or cluster, out."""
    contrast = Contrast(_bound(metric, first), _bound(metric, second))
    influence = contrast.influence(first.weights[None])[0]
    change = influence * first.weights
    if first.cluster is not None:
        change = np.bincount(np.unique(first.cluster, return_inverse=True)[1].reshape(-1), change)
    return influence, math.sqrt(len(change) / (len(change) - 1) * float(((change - change.mean()) ** 2).sum()))
