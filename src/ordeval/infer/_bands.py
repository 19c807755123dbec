"""Simultaneous intervals: one critical value for many differences, from the replicates that they share (max-t)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.infer._evidence import EQUAL, MOST_UNDEFINED
from ordeval.infer._methods import NORMAL

BLOCK_BYTES = 1 << 24  # differences are looked at in blocks, so that all pairs of many systems need not be held at once


@dataclass(frozen=True, eq=False)
class Bands:
    """Ends that hold for all differences together; nan where replicates cannot show how a difference varies."""

    low: Array
    high: Array
    critical: float  #: how many standard errors the worst of the differences is away, at this confidence


def simultaneous(
    point: Array, columns: Callable[[slice], Array], confidence_level: float, *, units: Array | int, asked: Array | None = None
) -> Bands:
    """Intervals point ± critical · error, where the critical value is a quantile of the largest |replicate − point| / error.

    ``columns(slice)`` gives the replicates (B, some differences).  A replicate without a value counts as infinitely far off,
    which can only widen the intervals; a difference with many of them, or that never varies, is left out.  The error is that of
    the replicates, corrected for the number of units behind it as Student's t would.
    """
    size = len(point)
    asked = np.ones(size, bool) if asked is None else asked
    error = np.full(size, np.nan)
    step, start = 1, 0
    worst: Array = np.zeros(1)
    while start < size:  # the first block is one difference wide: only then is the number of replicates known
        block = slice(start, min(start + step, size))
        values = columns(block)
        worst = np.maximum(worst, _farthest(values, point[block], error[block], asked[block]))
        start, step = block.stop, max(1, BLOCK_BYTES // values[:, :1].nbytes)
    position = math.ceil(confidence_level * (len(worst) + 1))
    critical = float(np.sort(worst)[position - 1]) if position <= len(worst) else math.inf
    half = critical * error * small_sample(units, confidence_level) if np.isfinite(critical) else np.full(size, np.nan)
    return Bands(point - half, point + half, critical)


def _farthest(values: Array, point: Array, error: Array, asked: Array) -> Array:
    """The largest |t| of each replicate over the differences asked for; their errors are written down on the way."""
    known = ~np.isnan(values)
    usable = asked & ~np.isnan(point) & (known.mean(0) >= 1 - MOST_UNDEFINED)
    values, known, point = values[:, usable], known[:, usable], point[usable]
    filled = np.where(known, values, point)
    number = known.sum(0)
    away = filled - point
    mean = away.sum(0) / np.maximum(number, 1)
    spread = np.sqrt(np.where(known, (away - mean) ** 2, 0).sum(0) / np.maximum(number - 1, 1))
    moves = spread > EQUAL * np.maximum(1, np.abs(point))
    found = np.full(len(usable), np.nan)
    found[np.flatnonzero(usable)[moves]] = spread[moves]
    error[:] = found
    far = np.where(known[:, moves], np.abs(away[:, moves]) / spread[moves], np.inf)
    largest: Array = far.max(1, initial=0.0)
    return largest


def small_sample(units: Array | int, confidence_level: float) -> Array:
    """How much wider than the normal distribution says an interval must be when its error comes from few units."""
    from scipy.special import stdtrit

    number, tail = np.maximum(np.asarray(units, float), 2), (1 + confidence_level) / 2
    wider: Array = np.sqrt(number / (number - 1)) * stdtrit(number - 1, tail) / NORMAL.inv_cdf(tail)
    return wider
