"""Scores of rows: what a probability metric is once it is bound to a forecast.

Each is a function of weights, one for every row, so that resampling is a matter of weights and never a loop over replicates.
Each also knows its influence: how fast the score changes as the weight of a row grows, which is all that a standard error needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.metrics.core.forecast import Chunk, Forecast
from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.registry import get_metric

RowKernel = Callable[[Chunk], Array]  # from a chunk of rows to the score of each


class RowScore:
    """A score of the rows of a forecast under any weights."""

    forecast: Forecast

    def point(self) -> float:
        """The score under the forecast's own weights."""
        return float(self(self.forecast.weights[None])[0])

    def __call__(self, weights: Array) -> Array:
        """The scores (b,) under weights (b, N)."""
        raise NotImplementedError

    def why_undefined(self) -> str:
        """Which condition fails under the forecast's own weights, so that there is no value; "" where there is one.

        It looks at the rows themselves, not at the score.
        """
        return ""

    def influence(self, weights: Array) -> Array:
        """How fast each score changes as the weight of a row grows, (b, N)."""
        raise NotImplementedError


class RowMean(RowScore):
    """The weighted mean of a score that every row has for itself."""

    def __init__(self, forecast: Forecast, kernel: RowKernel | None, *, scores: Array | None = None, why: str = "") -> None:
        self.forecast: Forecast = forecast
        self.why: str = why
        self.kernel: RowKernel | None = kernel
        self._scores: Array | None = scores

    @property
    def scores(self) -> Array:
        """(N,) the score of every row, computed when first asked for."""
        if self._scores is None:
            assert self.kernel is not None
            kernel = self.kernel
            self._scores = np.concatenate([kernel(chunk) for _, chunk in self.forecast.chunks()])
        return self._scores

    def point(self) -> float:
        return points([self])[0]

    def why_undefined(self) -> str:
        return self.why

    def __call__(self, weights: Array) -> Array:
        return ratio(self.total(weights), weights.sum(1))

    def total(self, weights: Array) -> Array:
        """Weighted sums of the scores; an infinite score counts wherever its row does."""
        endless = np.isinf(self.scores)
        if not endless.any():
            found: Array = weights @ self.scores
            return found
        return np.where((weights[:, endless] > 0).any(1), np.inf, weights @ np.where(endless, 0, self.scores))

    def influence(self, weights: Array) -> Array:
        with np.errstate(invalid="ignore"):
            found: Array = (self.scores - self(weights)[:, None]) / weights.sum(1)[:, None]
        return found


def points(scores: Iterable[RowScore]) -> list[float]:
    """The scores under their forecasts' own weights; means over the same rows are taken in one pass over them."""
    wanted = list(scores)
    found = [math.nan] * len(wanted)
    passes: dict[int, list[int]] = {}
    for i, score in enumerate(wanted):
        if isinstance(score, RowMean) and score._scores is None:
            passes.setdefault(id(score.forecast), []).append(i)
        elif isinstance(score, RowMean):
            found[i] = float(score(score.forecast.weights[None])[0])
        else:
            found[i] = score.point()
    for members in passes.values():
        rows = wanted[members[0]].forecast
        weights, totals = rows.sample_weight, dict.fromkeys(members, 0.0)
        for part, chunk in rows.chunks():
            for i in members:
                kernel = wanted[i].kernel  # type: ignore[attr-defined]
                values = kernel(chunk)
                totals[i] += float(values.sum() if weights is None else weights[part] @ values)
        weight = float(len(rows)) if weights is None else float(weights.sum())
        for i in members:
            found[i] = totals[i] / weight
    return found


def bound(metric: Metric, rows: Forecast) -> RowScore:
    """The metric as a score of these rows."""
    found = metric.bind(rows)
    assert isinstance(found, RowScore)
    return found


def forecast_scores(rows: Forecast, metrics: Iterable[Any]) -> dict[str, float]:
    """Several scores of one forecast, those that are means over its rows in one pass.

    >>> from ordeval import forecast
    >>> rows = forecast([1, 2, 2], [[0.8, 0.2], [0.4, 0.6], [0.1, 0.9]])
    >>> {text: round(value, 4) for text, value in forecast_scores(rows, ["rps", "log_loss"]).items()}
    {'rps': 0.07, 'log_loss': 0.2798}
    """
    found = [get_metric(metric) for metric in metrics]
    return dict(zip(map(str, found), points(bound(metric, rows) for metric in found), strict=True))
