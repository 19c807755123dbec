"""A logistic regression on one variable, for many weightings of the same rows at once: damped Newton steps, which cannot diverge.

The log-likelihood is concave.  Where the two outcomes overlap along the variable it has one maximum and falls in every direction, so
a step in Newton's direction, halved until the likelihood has risen enough, leads there from anywhere.  Whether they overlap is for
the caller to see: here nothing is concluded from how the steps go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array, ratio

STEPS = (
    500  # of Newton's method; a dozen is usual, and every factor e between the weights of the rows that overlap adds one or two
)
HALVINGS = 60
FARTHEST = 8.0  # a step goes so many times as far as the parameters are, where the curve is too flat to say
LEAST = 1e-300  # of a curvature, where that of all rows has vanished
BALANCED = 1e-8  # what is left of opposite pulls at the top, as a share of them
BISECTIONS = 64
DOUBLINGS = 60  # of the interval that holds the slope
FARTHEST_LOGIT = 700.0  # beyond, the smaller of two probabilities vanishes
CONVERGED = 1e-13  # of a step, in units in which the variable goes from -1 to 1


@dataclass(frozen=True, eq=False)
class Fit:
    """Fits of several weightings: intercept and slope (b,), the probabilities they give (b, N), and the weights that counted."""

    intercept: Array
    slope: Array
    p: Array
    counted: Array


def _likelihood(logits: Array, came: Array, counted: Array) -> Array:
    """(b,) the log-likelihood, from logits (b, N)."""
    with np.errstate(under="ignore"):
        found: Array = -(counted * np.logaddexp(0, np.where(came == 1, -logits, logits))).sum(1)
    return found


def _probabilities(logits: Array) -> tuple[Array, Array]:
    """p and 1 - p, each with all its digits."""
    with np.errstate(under="ignore"):
        small = np.exp(-np.abs(logits))
    near, far = 1 / (1 + small), small / (1 + small)
    return np.where(logits >= 0, near, far), np.where(logits >= 0, far, near)


def _sum(counted: Array, there: Array) -> Array:
    return np.where(there, counted.sum(1), 1.0)


def _at_the_top(a: Array, b: Array, x: Array, came: Array, counted: Array) -> Array:
    """(b,) whether what pulls the line up and what pulls it down are equal, and likewise what turns it."""
    p, rest = _probabilities(a[:, None] + b[:, None] * x)
    error, curve = counted * np.where(came == 1, rest, -p), counted * p * rest
    turn = error * (x - ((curve * x).sum(1) / np.maximum(curve.sum(1), LEAST))[:, None])
    still: Array = np.stack([np.abs(pull.sum(1)) <= BALANCED * np.abs(pull).sum(1) for pull in (error, turn)])
    return np.asarray(still.all(0))


def _bisected(x: Array, came: Array, counted: Array) -> tuple[float, float]:
    """The same maximum for one weighting by halving intervals alone, for weights so far apart that steps lose their direction.

    For a given slope the pull on the intercept falls as the intercept rises; with the intercept in balance, so does the turn of the slope.
    """

    def errors(a: float, b: float) -> Array:
        p, rest = _probabilities(a + b * x)
        found: Array = counted * np.where(came == 1, rest, -p)
        return found

    def zero(falls: Callable[[float], float], reach: float) -> float:
        low, high = -reach, reach
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if falls(middle) > 0 else (low, middle)
        return (low + high) / 2

    def intercept(b: float) -> float:
        return zero(lambda a: float(errors(a, b).sum()), abs(b) + FARTHEST_LOGIT)

    def turn(b: float) -> float:
        found = errors(intercept(b), b)
        heaviest = int(np.abs(found).argmax())  # in balance the others make up for it, and it is left out of the sum
        return float((found * (x - x[heaviest])).sum())

    reach = next(
        reach for reach in np.exp2(np.arange(DOUBLINGS)) if reach == 2.0 ** (DOUBLINGS - 1) or turn(-reach) >= 0 >= turn(reach)
    )
    slope = zero(turn, float(reach))
    return intercept(slope), slope


def fit_slopes(variable: Array, came: Array, weights: Array, there: Array) -> Fit:
    """The slope of `came` (N,) on the variable (N,) under each row of the weights (b, N); nan where `there` (b,) says that there is none."""
    total = weights.sum(1)
    counted = weights / np.where(total > 0, total, 1)[:, None]
    low = np.where(there, np.where(counted > 0, variable, np.inf).min(1), -1.0)
    high = np.where(there, np.where(counted > 0, variable, -np.inf).max(1), 1.0)
    middle, spread = (low + high) / 2, (high - low) / 2
    x = (variable - middle[:, None]) / spread[:, None]  # from -1 to 1 where it counts
    a, b = np.log(_sum(counted * came, there)) - np.log(_sum(counted * (1 - came), there)), np.zeros(len(weights))
    best = _likelihood(a[:, None] + b[:, None] * x, came, counted)
    live = there.copy()
    for _ in range(STEPS):
        if not live.any():
            break
        at = np.flatnonzero(live)
        x_, w_ = x[at], counted[at]
        p, rest = _probabilities(a[at, None] + b[at, None] * x_)
        error, curve = w_ * np.where(came == 1, rest, -p), w_ * p * rest
        g0, h0 = error.sum(1), curve.sum(1)
        centre = (curve * x_).sum(1) / np.maximum(h0, LEAST)
        around = x_ - centre[:, None]  # from where the two parameters do not disturb each other, so that nothing cancels
        g1, h2 = (error * around).sum(1), (curve * around**2).sum(1)
        step_b, rise = g1 / np.maximum(h2, LEAST), g0 / np.maximum(h0, LEAST)
        step_a, gain = rise - centre * step_b, g0 * rise + g1 * step_b
        far = FARTHEST * (1 + np.maximum(np.abs(a[at]), np.abs(b[at])))
        size = far / np.maximum(far, np.maximum(np.abs(step_a), np.abs(step_b)))
        good, new = np.zeros(len(at), bool), best[at]
        for _ in range(HALVINGS):
            ask = np.flatnonzero(~good)
            if not ask.size:
                break
            logits = (a[at] + size * step_a)[ask, None] + (b[at] + size * step_b)[ask, None] * x_[ask]
            value = _likelihood(logits, came, w_[ask])
            # a rise of a tenth of what the slope promises; below the rounding of the likelihood Newton's step is right by itself
            enough = value >= best[at[ask]] + 0.1 * size[ask] * gain[ask] - 1e-14 * np.abs(best[at[ask]])
            good[ask], new[ask[enough]] = enough, value[enough]
            size[ask[~enough]] /= 2
        size[~good] = 0.0  # rounding leaves nothing to gain
        a[at], b[at], best[at] = a[at] + size * step_a, b[at] + size * step_b, new
        longest = size * np.maximum(np.abs(step_a), np.abs(step_b))
        live[at] = longest > CONVERGED * np.maximum(1, np.maximum(np.abs(a[at]), np.abs(b[at])))
    for i in np.flatnonzero(there & ~_at_the_top(a, b, x, came, counted)):
        a[i], b[i] = _bisected(x[i], came, counted[i])
    p, _ = _probabilities(a[:, None] + b[:, None] * x)
    slope = np.where(there, ratio(b, spread), np.nan)
    return Fit(a - np.nan_to_num(slope) * middle, slope, p, weights)
