"""The core of every interval: invert a test along the direction in which the score changes fastest.

A sample, slightly smoothed, is the start.  From there the shares of its kinds of unit are moved, by small steps, so that the score
rises (or falls) as fast as it can.  At each step samples are simulated; the end of the interval is the score at which a sample as
low (or as high) as the one at hand has become as unlikely as the tail.  What differs between scores is only what a unit is, what is
held fixed when units are drawn, and how many units are added by smoothing: a `Space` says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from ordeval.base.arrays import Array

NORMAL = NormalDist()
STRIDE = 0.4  # standard errors a step
MOST_STEPS = 30
NEVER_BEFORE = 2  # steps: nearer than 0.8 standard errors no score is as unlikely as a tail
CLOSE = 1e-10  # scores nearer than this, relative to 1 or to themselves, are the same number
RELIABLE = 20  # simulated samples beyond the score: with fewer, the tail is extended as that of a normal distribution
FEWEST_DEFINED = 0.5  # share of the simulated samples that must have a score


class Space:
    """Kinds of unit (cells): how many were seen, how many smoothing adds, how many are drawn, and the score of any of their mixes."""

    number: Array  #: (cells,) seen
    pseudo: Array  #: (cells,) added by smoothing
    stratum: Array  #: (cells,) units are drawn within strata; one stratum for all unless class sizes are held fixed
    sizes: Array  #: (strata,) whole numbers of units drawn from each

    def value(self, weights: Array) -> float:
        """The score of a mix, weights (cells,) that need not be whole."""
        raise NotImplementedError

    def slope(self, weights: Array) -> Array:
        """How fast that score changes as units of each kind are added, (cells,)."""
        raise NotImplementedError

    def simulated(self, share: Array, size: int, rng: np.random.Generator) -> Array:
        """The scores of samples drawn with these shares; nan where there is none."""
        raise NotImplementedError

    def tail(self, share: Array, observed: float, sign: int, size: int, rng: np.random.Generator) -> float:
        """How probable a score as low as the observed one is (sign 1), or as high (−1); equal scores count half; nan: mostly undefined."""
        drawn = self.simulated(share, size, rng)
        drawn = drawn[~np.isnan(drawn)]
        if len(drawn) < FEWEST_DEFINED * size:
            return math.nan
        beyond, close = sign * (observed - drawn), CLOSE * max(1.0, abs(observed))
        return float(np.count_nonzero(beyond > close) + np.count_nonzero(np.abs(beyond) <= close) / 2) / len(drawn)

    # What follows from these

    @property
    def start(self) -> Array:
        """The smoothed shares, within strata."""
        return self.shares(self.number + self.pseudo)

    def shares(self, weights: Array) -> Array:
        """Weights as shares of their stratum."""
        total = np.bincount(self.stratum, weights, minlength=len(self.sizes))
        found: Array = weights / np.where(total > 0, total, 1)[self.stratum]
        return found

    def expected(self, share: Array) -> Array:
        """The mix that samples have on average."""
        found: Array = self.sizes[self.stratum] * share
        return found

    def influence(self, share: Array) -> tuple[Array, float]:
        """How fast the score changes with each kind of unit, less the mean of its stratum; and the standard error of the score."""
        slope = self.slope(self.expected(share))
        mean = np.bincount(self.stratum, share * slope, minlength=len(self.sizes))
        found = slope - mean[self.stratum]
        return found, math.sqrt(float((self.expected(share) * found**2).sum()))

    def moved(self, share: Array, sign: int, stride: float = STRIDE) -> Array | None:
        """The shares one step on; None where the score does not move."""
        influence, error = self.influence(share)
        if not error > 0 or not math.isfinite(error):
            return None
        return self.shares(share * np.exp(np.clip(sign * stride * influence / error, -20, 20)))

    def widening(self) -> float:
        """Plug-in variances within strata of n units are too small by (n − 1)/n: by how much tails must lie farther out."""
        if len(self.sizes) == 1:
            return 1.0
        share = self.start
        influence, _ = self.influence(share)
        variance = np.bincount(self.stratum, self.expected(share) * influence**2, minlength=len(self.sizes))
        total = float(variance.sum())
        if not total > 0:
            return 1.0
        return math.sqrt(float((variance * self.sizes / np.maximum(self.sizes - 1, 0.5)).sum()) / total)


@dataclass
class Path:
    """Where a walk went: after each step the score, the shares, and how far out in its distribution the observed score was (z)."""

    values: list[float]
    z: list[float] = field(default_factory=lambda: [0.0])
    shares: list[Array] = field(default_factory=list)
    undefined: bool = False  #: most simulated samples had no score

    def end(self, z: float) -> float:
        """The score at which the observed one lies so far out; the farthest met where none does."""
        place = next((i for i, found in enumerate(self.z) if found >= z), None)
        if place is None or place == 0:
            return self.values[-1] if place is None else self.values[0]
        near, far = (math.log(NORMAL.cdf(-found)) for found in self.z[place - 1 : place + 1])
        part = (near - math.log(NORMAL.cdf(-z))) / max(near - far, 1e-12)
        return self.values[place - 1] + min(part, 1.0) * (self.values[place] - self.values[place - 1])


def walk(space: Space, observed: float, sign: int, z: float, rng: np.random.Generator, size: int) -> Path:
    """Walk up (sign 1) or down (−1) from the smoothed sample until the observed score is z standard deviations out."""
    share, path, steps = space.start, Path([observed]), [0]
    extend: tuple[float, float] | None = None  # the line that z follows where too few samples lie beyond to count them
    for step in range(MOST_STEPS):
        if step >= NEVER_BEFORE:
            if extend is None:
                tail = space.tail(share, observed, sign, size, rng)
                if math.isnan(tail):
                    path.undefined = True
                    return path
                found = -NORMAL.inv_cdf(min(max(tail, 0.25 / size), 1 - 0.25 / size))
                if tail * size < RELIABLE and found < z and len(steps) > 2:
                    extend = _line(steps[1:], path.z[1:])
            if extend is not None:
                found = extend[0] + extend[1] * step
            steps.append(step)
            path.values.append(space.value(space.expected(share)))
            path.z.append(found)
            path.shares.append(share)
            if found >= z:
                return path
        moved = space.moved(share, sign)
        if moved is None:
            return path
        share = moved
    return path


def _line(steps: list[int], z: list[float]) -> tuple[float, float]:
    """The line through z at the steps so far; it rises by the stride at least, lest a walk never end."""
    slope, height = np.polyfit(steps, z, 1)
    slope = max(float(slope), STRIDE / 2)
    return float(np.mean(z) - slope * np.mean(steps)), slope


def ends(
    space: Space,
    observed: float,
    bounds: tuple[float, float],
    tails: tuple[float, ...],
    streams: tuple[np.random.Generator, np.random.Generator],
    size: int,
) -> list[tuple[float, float]] | None:
    """The two ends for each tail; None where most samples like this one have no score.

    Where the score is as low (or high) as it can be, that bound is the end.  An interval always holds its own estimate.
    """
    wider = space.widening()
    far = [wider * -NORMAL.inv_cdf(tail) for tail in tails]
    sides: list[list[float]] = []
    for sign, bound, rng in zip((-1, 1), bounds, streams, strict=True):
        if abs(observed - bound) <= CLOSE * max(1.0, abs(observed)):
            sides.append([bound] * len(tails))
            continue
        path = walk(space, observed, sign, max(far), rng, size)
        if path.undefined:
            return None
        sides.append([path.end(z) for z in far])
    return [(min(low, observed), max(high, observed)) for low, high in zip(*sides, strict=True)]


def mid_p(share: float, rows: float, tail: float) -> tuple[float, float]:
    """The mid-P interval of a share of independent rows; rows may be an effective number and need not be whole."""
    from scipy.special import betainc

    k = share * rows

    def at_most(p: float, number: float) -> float:
        if number < -CLOSE:
            return 0.0
        return 1.0 if number >= rows - CLOSE else 1 - float(betainc(number + 1, rows - number, p))

    def below(p: float) -> float:  # P(X < k) + P(X = k) / 2
        return (at_most(p, k) + at_most(p, k - 1)) / 2

    low = 0.0 if k <= CLOSE else _root(lambda p: 1 - below(p) - tail, 0.0, share)
    high = 1.0 if k >= rows - CLOSE else _root(lambda p: tail - below(p), share, 1.0)
    return min(low, share), max(high, share)


def _root(rising: object, low: float, high: float) -> float:
    """Where a rising function crosses 0, by halving."""
    for _ in range(60):
        middle = (low + high) / 2
        if rising(middle) < 0:  # type: ignore[operator]
            low = middle
        else:
            high = middle
    return (low + high) / 2
