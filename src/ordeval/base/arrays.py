"""Small pieces that every kernel is built from: the one rule for 0/0, rank distances, cumulative tables.

A *stack* is an array (..., K, K): truth on axis -2, prediction on axis -1, any leading axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

GRID = 1e12  #: steps of a unit: sums of probabilities that fall on the same step are equal
SINGLE_GRID = 1e6  #: the same where the probabilities came in single precision


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Array:
    """Divide; where there is nothing to divide by, the answer is undefined: nan, without a warning."""
    numerator, denominator = np.asarray(numerator, float), np.asarray(denominator, float)
    with np.errstate(all="ignore"):
        quotient = numerator / denominator  # keeps the layout of a stack whose replicates lie side by side
    return np.where(denominator == 0, np.nan, quotient)


def snapped(values: Array, grid: float = GRID) -> Array:
    """The nearest step of the grid, as a whole number of steps: what is compared where rounding must not decide."""
    steps: Array = np.rint(values * grid)
    return steps


def mean_over(values: Array, chosen: Array) -> Array:
    """Mean over the chosen entries of the last axis; nan if one of them is undefined, or none is chosen."""
    return ratio(values[..., chosen].sum(-1), np.count_nonzero(chosen))


def extreme_over(values: Array, chosen: Array, extreme: np.ufunc) -> Array:
    """Largest (np.maximum) or smallest (np.minimum) of the chosen entries; nan if one of them is undefined, or none is chosen."""
    if not chosen.any():
        return np.full(values.shape[:-1], np.nan)
    found: Array = extreme.reduce(values[..., chosen], -1)
    return found


def rank_difference(k: int) -> Array:
    """Signed steps from truth to prediction, (K, K): positive where the prediction is above the truth."""
    rank = np.arange(k)
    difference: Array = rank - rank[:, None]
    return difference


def rank_distance(k: int) -> Array:
    """Steps between truth and prediction, (K, K)."""
    distance: Array = np.abs(rank_difference(k))
    return distance


def total(stack: Array) -> Array:
    """The number of rows in each table."""
    rows: Array = stack.sum((-2, -1))
    return rows


def truths(stack: Array) -> Array:
    """How often each class is the truth, (..., K)."""
    rows: Array = stack.sum(-1)
    return rows


def predictions(stack: Array) -> Array:
    """How often each class is predicted, (..., K)."""
    columns: Array = stack.sum(-2)
    return columns


def below(values: Array, axis: int = -1) -> Array:
    """Sum of the entries before each one along an axis (the entry itself not included)."""
    sums = np.zeros_like(values)
    entries, before = np.moveaxis(values, axis, 0), np.moveaxis(sums, axis, 0)
    for k in range(1, len(entries)):  # K steps over whole stacks: several times faster than cumsum along a short axis
        np.add(before[k - 1], entries[k - 1], out=before[k, ...])
    return sums


def above(values: Array, axis: int = -1) -> Array:
    """Sum of the entries after each one along an axis."""
    sums = np.zeros_like(values)
    entries, after = np.moveaxis(values, axis, 0), np.moveaxis(sums, axis, 0)
    for k in reversed(range(len(entries) - 1)):
        np.add(after[k + 1], entries[k + 1], out=after[k, ...])
    return sums


def others(values: Array, axis: int = -1) -> Array:
    """Sum of all entries but each one along an axis: added up, not subtracted, so that small ones beside large ones are not lost."""
    sums: Array = below(values, axis) + above(values, axis)
    return sums


def independence_gap(counts: Array) -> Array:
    """N·C - n·m for every cell: how far it is from what independence would put there, times N.

    Written as (both) · (neither) - (truth only) · (prediction only), each summed up and none of them a difference, it keeps its
    digits where one class holds nearly everything.
    """
    true_only, pred_only = others(counts, -1), others(counts, -2)
    gap: Array = counts * others(true_only, -2) - true_only * pred_only
    return gap
