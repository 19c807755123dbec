"""The core of every interval: invert a test along the direction in which the score changes fastest.

A sample, slightly smoothed, is the start.  From there the shares of its kinds of unit are moved, by small steps, so that the score
rises (or falls) as fast as it can.  At each step samples are simulated; the end of the interval is the score at which a sample as
low (or as high) as the one at hand has become as unlikely as the tail.  What differs between scores is only what a unit is, what is
held fixed when units are drawn, and how many units are added by smoothing: a `Space` says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.lazy import lazy

NORMAL = NormalDist()
STRIDE = 0.4  # standard errors a step
MOST_STEPS = 30
MOST_AHEAD = 4  # steps that are made without looking at the samples between
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
    serves = 1  #: for how many steps of a walk one direction serves: slopes of large tables cost
    simulates = True  #: tails are counted among simulated samples, so small ones are not known

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

    @lazy
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
        return self._at_start if share is self.start else self._influence(share)

    @lazy
    def _at_start(self) -> tuple[Array, float]:
        return self._influence(self.start)

    def _influence(self, share: Array) -> tuple[Array, float]:
        slope = self.slope(self.expected(share))
        mean = np.bincount(self.stratum, share * slope, minlength=len(self.sizes))
        found = slope - mean[self.stratum]
        return found, math.sqrt(float((self.expected(share) * found**2).sum()))

    def moved(self, share: Array, sign: int, stride: float = STRIDE) -> Array | None:
        """The shares one step on; None where the score does not move."""
        tilt = self.tilt(share, sign, stride)
        return None if tilt is None else self.shares(share * tilt)

    def tilt(self, share: Array, sign: int, stride: float = STRIDE) -> Array | None:
        """By what the shares are multiplied in a step; None where the score does not move."""
        influence, error = self.influence(share)
        if not error > 0 or not math.isfinite(error):
            return None
        return np.asarray(np.exp(np.clip(sign * stride * influence / error, -20, 20)))

    def widening(self) -> float:
        """Plug-in variances within strata of n units are too small by (n − 1)/n: by how much tails must lie farther out."""
        if len(self.sizes) == 1:
            return 1.0
        influence, _ = self.influence(self.start)
        variance = np.bincount(self.stratum, self.expected(self.start) * influence**2, minlength=len(self.sizes))
        total = float(variance.sum())
        if not total > 0:
            return 1.0
        return math.sqrt(float((variance * self.sizes / np.maximum(self.sizes - 1, 0.5)).sum()) / total)


Stream = Callable[[int], np.random.Generator]  # the random numbers of each step, so that the order of looking does not matter


class Path:
    """A walk up (sign 1) or down (−1) from the smoothed sample, made and looked at only as far as is asked for."""

    def __init__(self, space: Space, observed: float, sign: int, stream: Stream, size: int) -> None:
        self.space, self.observed, self.sign, self.stream, self.size = space, observed, sign, stream, size
        self.undefined = False  #: most simulated samples had no score
        self._shares = [space.start]
        self._tilt: Array | None = None
        self._z: dict[int, float] = {}

    def _walked(self, step: int) -> int:
        """Walk that far, or as far as the score moves; the last step made."""
        while len(self._shares) <= min(step, MOST_STEPS):
            if (len(self._shares) - 1) % self.space.serves == 0:
                self._tilt = self.space.tilt(self._shares[-1], self.sign)
            if self._tilt is None:
                break
            self._shares.append(self.space.shares(self._shares[-1] * self._tilt))
        return min(step, len(self._shares) - 1)

    def value(self, step: int) -> float:
        """The score after so many steps."""
        return self.observed if step == 0 else self.space.value(self.space.expected(self._shares[step]))

    def z(self, step: int) -> float:
        """How far out in its distribution, after so many steps, the observed score lies."""
        if step < NEVER_BEFORE:
            return 0.0
        if step not in self._z:
            tail = self.space.tail(self._shares[step], self.observed, self.sign, self.size, self.stream(step))
            if math.isnan(tail):
                self.undefined, tail = True, 0.0
            least = 0.25 / self.size if self.space.simulates else 1e-300
            self._z[step] = -NORMAL.inv_cdf(min(max(tail, least), 1 - max(least, 1e-15)))
        return self._z[step]

    def end(self, z: float) -> float:
        """The score at which the observed one lies so far out; the farthest met where none does."""
        if self.space.simulates and NORMAL.cdf(-z) * self.size < RELIABLE:
            return self._extended(z)
        before, step = 0, self._walked(max(NEVER_BEFORE, math.ceil(z / STRIDE)))
        while self.z(step) < z and not self.undefined:  # go on as far as the score should lie, at most a few steps at a time
            rise = (self.z(step) - self.z(before)) / max(step - before, 1)
            ahead = math.ceil((z - self.z(step)) / rise) if rise > 0 else MOST_AHEAD
            before, step = step, self._walked(step + min(max(ahead, 1), MOST_AHEAD))
            if step == before:
                return self.value(step)
        while step > NEVER_BEFORE and self.z(step - 1) >= z:
            step -= 1
        before = step - 1 if step > NEVER_BEFORE else 0
        near, aim, far = (log_tail(found) for found in (self.z(before), z, self.z(step)))
        part = min((near - aim) / max(near - far, 1e-12), 1.0)
        return self.value(before) + part * (self.value(step) - self.value(before))

    def _extended(self, z: float) -> float:
        """Where too few samples would lie beyond to count them: z rises from step to step as along a line."""
        known = -NORMAL.inv_cdf(RELIABLE / self.size)
        step = self._walked(max(NEVER_BEFORE + 1, int(known / STRIDE)))
        while step > NEVER_BEFORE + 1 and self.z(step) > known:
            step -= 1
        steps = [one for one in (step - 2, step - 1, step) if one >= NEVER_BEFORE]
        if len(steps) < 2:
            return self.value(step)
        _, error = self.space.influence(self._shares[0])
        start = self.sign * (self.space.value(self.space.expected(self._shares[0])) - self.observed) / error
        found = np.array([start, *(self.z(one) for one in steps)])
        steps = [0, *steps]
        rise = max(float(np.polyfit(steps, found, 1)[0]), STRIDE / 2)  # lest a walk never end
        aim = float(np.mean(steps)) + (z - float(found.mean())) / rise
        low, high = self._walked(max(0, math.floor(aim))), self._walked(max(0, math.ceil(aim)))
        part = aim - math.floor(aim) if high > low else 0.0
        return self.value(low) + part * (self.value(high) - self.value(low))


def log_tail(z: float) -> float:
    """The logarithm of the chance of a normal number beyond z; known beyond 8, where the distribution function is 1 to the last digit."""
    return math.log(math.erfc(z / math.sqrt(2)) / 2)


def ends(
    space: Space, observed: float, bounds: tuple[float, float], tails: Sequence[float], streams: Sequence[Stream], size: int
) -> list[tuple[float, float]] | None:
    """The two ends for each tail; None where most samples like this one have no score."""
    wider = space.widening()
    return reached(space, observed, bounds, [wider * -NORMAL.inv_cdf(tail) for tail in tails], streams, size)


def reached(
    space: Space, observed: float, bounds: tuple[float, float], reaches: Sequence[float], streams: Sequence[Stream], size: int
) -> list[tuple[float, float]] | None:
    """The two ends at which the observed score lies so many standard deviations out.

    Where the score is as low (or high) as it can be, that bound is the end.  An interval always holds its own estimate.
    """
    sides: list[list[float]] = []
    for sign, bound, stream in zip((-1, 1), bounds, streams, strict=True):
        if abs(observed - bound) <= CLOSE * max(1.0, abs(observed)):
            sides.append([bound] * len(reaches))
            continue
        path = Path(space, observed, sign, stream, size)
        sides.append([path.end(z) for z in reaches])
        if path.undefined:
            return None
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
