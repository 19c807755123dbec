"""How long is an open interval?  The length that makes the largest possible total cost smallest, exactly.

Let x be the length of the open last class, with n rows.  For a true class j below it the largest cost is

    n_j (D_j + n/x) · max(M_j, x e_j(x) / n),        D_j: density of the other known classes,  M_j: the dearest known class,
                                                     e_j(x): the distance from j to the open class,

and for the open class itself n D · max over l of (length_l / n_l) e_l(x).  Each distance is one line in x up to a kink and
another after it, so the sum is made of pieces a x² + b x + c + d/x with a, b, c, d ≥ 0.

It is convex: M_j (D_j + n/x) is, a product of non-negative rising convex functions is, and so are maxima and sums.  With two
other classes present it grows without bound at both ends and is constant nowhere (the first branch and the quadratic one are
strictly convex, the one between them rises), so there is one minimiser: in the piece where the slope changes its sign, found by
bisection over the sorted breakpoints, at the root of 2a x³ + b x² = d or at an end of the piece.

With both ends open the cost is a generalised posynomial, so its logarithm is convex in the logarithms of the two lengths and the
minimum over one of them, found as above, is convex in the other: that one is found by bisection on the slope, to the last digit.
"""

from __future__ import annotations

from math import ceil, log2

import numpy as np

from ordeval.base.arrays import Array, ratio


def separation(gap: Array, a: Array, b: Array, *, midpoint: bool) -> Array:
    """The distance of two intervals of lengths a and b: between their midpoints, or Hausdorff's (the farther pair of ends)."""
    distance: Array = gap + ((a + b) / 2 if midpoint else np.maximum(a, b))
    return distance


def optimal_ends(truths: Array, length: Array, gap: Array, *, midpoint: bool) -> Array:
    """The lengths with each infinite one (the first, the last, or both) at its optimum, (..., K).

    ``truths`` (..., K) are the true rows per class, ``gap`` (K, K) what lies between two classes.  Where only one other class
    is present, every length gives the same standardized cost and the open class gets the length of that other class.  Where
    the open class is empty, or the two open ends are all that is present, no length is better than another: nan.
    """
    truths, length = np.broadcast_arrays(np.asarray(truths, float), length)
    lowest, highest = np.isinf(length[..., :1]), np.isinf(length[..., -1:])
    known = np.where(np.isinf(length), 1.0, length)
    out = np.where(np.isinf(length), np.nan, length)
    if out.shape[-1] == 1:
        return out
    if highest.any() and not lowest.any():
        out[..., -1] = _alone(truths, known, gap, midpoint)
    elif lowest.any() and not highest.any():
        out[..., 0] = _alone(*_flipped(truths, known, gap), midpoint)
    elif lowest.any():
        out[..., [0, -1]] = _both(truths, known, gap, midpoint)
    return out


def _flipped(truths: Array, length: Array, gap: Array) -> tuple[Array, Array, Array]:
    return truths[..., ::-1], length[..., ::-1], gap[::-1, ::-1]


def _alone(truths: Array, length: Array, gap: Array, midpoint: bool) -> Array:
    """The optimal length of the last class, all others known; see `optimal_ends` for the cases without an optimum."""
    others = (truths[..., :-1] > 0).sum(-1)
    best = _OpenRight(truths, length, gap, midpoint).minimiser()
    one = np.max(np.where(truths[..., :-1] > 0, length[..., :-1], 0), -1)
    return np.where((truths[..., -1] == 0) | (others == 0), np.nan, np.where(others == 1, one, best))


class _OpenRight:
    """The largest total cost (times N) as a function of the length x of the last class, whose own entry in ``length`` is not read.

    Whether a piece begins or ends at x is asked of the very numbers at which pieces begin, so no rounding can mix up its sides.
    """

    def __init__(self, truths: Array, length: Array, gap: Array, midpoint: bool) -> None:
        self.truths, self.length, self.gap, self.midpoint = truths, length, gap, midpoint
        self.rows, self.kink = truths[..., :-1], length[..., :-1]
        self.rows_open = np.where(truths[..., -1:] > 0, truths[..., -1:], 1)
        k = self.rows.shape[-1]
        density = self.rows / self.kink
        self.density, self.density_all = density @ (1 - np.eye(k)), density.sum(-1, keepdims=True)
        price = np.where(
            self.rows > 0, self.kink / np.where(self.rows > 0, self.rows, 1), 0
        )  # of a prediction, per unit of distance
        between = separation(gap[:-1, :-1], self.kink[..., :, None], self.kink[..., None, :], midpoint=midpoint)
        cost = np.where(np.eye(k, dtype=bool), 0, between * price[..., None, :])
        self.known, self.dearest = cost.max(-1), cost.argmax(-1)
        # The distance to the open class is base + slope · x: near up to x = length_j, far beyond it.
        reach = gap[:-1, -1]
        self.near: Array = reach + (self.kink / 2 if midpoint else self.kink)
        self.far: Array = self.near if midpoint else reach + 0 * self.kink
        self.near_slope, self.far_slope = (0.5, 0.5) if midpoint else (0.0, 1.0)
        target = self.known * self.rows_open  # beyond the switch the open class is the dearest
        switch = _crossing(self.near_slope, self.near, target)
        self.switch = np.where(switch <= self.kink, switch, _crossing(self.far_slope, self.far, target))
        self.rise = np.concatenate([price * self.near_slope, price * self.far_slope], -1)
        self.corner, self.line = _envelope(self.rise, np.concatenate([price * self.near, price * self.far], -1))

    def coefficients(self, x: Array, right: bool) -> tuple[Array, Array, Array]:
        """a, b, d of the piece a x² + b x + c + d/x to the right, or to the left, of x."""
        open_is_dearest, far = _passed(self.switch, x, right), _passed(self.kink, x, right)
        slope, base = np.where(far, self.far_slope, self.near_slope), np.where(far, self.far, self.near)
        line_rise = np.take_along_axis(self.rise, self._line(x, right), -1)
        a = np.where(open_is_dearest, self.rows * self.density * slope / self.rows_open, 0).sum(-1)
        b = np.where(open_is_dearest, self.rows * (self.density * base / self.rows_open + slope), 0).sum(-1)
        b = b + (self.rows_open * self.density_all * line_rise)[..., 0]
        d = np.where(open_is_dearest, 0, self.rows * self.rows_open * self.known).sum(-1)
        return a, b, d

    def _line(self, x: Array, right: bool) -> Array:
        """Which line is the dearest prediction for the open class itself, (..., 1): class l near is l, far is K - 1 + l."""
        number = _passed(self.corner, x, right).sum(-1, keepdims=True)
        return np.take_along_axis(self.line, number, -1)

    def minimiser(self) -> Array:
        breaks = np.concatenate([self.switch, self.kink, np.where(np.isfinite(self.corner), self.corner, self.kink[..., :1])], -1)
        breaks = np.sort(np.concatenate([0 * breaks[..., :1], breaks], -1), -1)
        low, high = np.zeros(breaks.shape[:-1], int), np.full(breaks.shape[:-1], breaks.shape[-1] - 1)
        for _ in range(ceil(log2(breaks.shape[-1]))):  # the last break to whose right the cost falls
            middle = (low + high + 1) // 2
            x = np.take_along_axis(breaks, middle[..., None], -1)
            a, b, d = self.coefficients(x, right=True)
            falls = (2 * a * x[..., 0] + b) * x[..., 0] ** 2 < d
            low, high = np.where(falls, middle, low), np.where(falls, high, middle - 1)
        ends = np.concatenate([breaks, breaks[..., -1:]], -1)
        start, end = (np.take_along_axis(ends, (low + step)[..., None], -1) for step in (0, 1))
        flat = _stationary(*self.coefficients(start, right=True))
        return np.clip(flat, start[..., 0], end[..., 0])

    def elasticities(self, x: Array, right: bool) -> tuple[Array, Array]:
        """Percent of cost per percent of the last length x, and of the first one, to the right or left of x (times the cost)."""
        k = self.truths.shape[-1]
        j, last = np.arange(k), k - 1
        length = np.concatenate([self.kink, x], -1)
        line = self._line(x, right)
        i = np.concatenate([np.where(_passed(self.switch, x, right), last, self.dearest), line % last], -1)
        far = np.concatenate([_passed(self.kink, x, right), line >= last], -1)  # of the pair of class j and the open one
        of_i = np.take_along_axis(length, i, -1)
        to_last = (i == last) | (j == last)
        to_first = (i == 0) | (j == 0)
        other = np.where(j == 0, of_i, length)
        if self.midpoint:
            by_last, by_first = 0.5 * to_last, 0.5 * to_first
        else:
            by_last = to_last * far
            by_first = to_first * np.where(to_last, ~far, length[..., :1] >= other)
        distance = separation(self.gap[j, i], of_i, length, midpoint=self.midpoint)
        density = self.truths / length
        others = density @ (1 - np.eye(k))
        rows_i = np.take_along_axis(self.truths, i, -1)
        cost = self.truths * others * of_i * distance / np.where(rows_i > 0, rows_i, 1)

        def total(end: int, by: Array) -> Array:
            share = np.where(j == end % k, 0, density[..., [end]]) / others
            percent: Array = (cost * ((i == end % k) + by * length[..., [end]] / distance - share)).sum(-1)
            return percent

        return total(-1, by_last), total(0, by_first)


def _passed(where: Array, x: Array, right: bool) -> Array:
    return where <= x if right else where < x


def _crossing(slope: float, base: Array, target: Array) -> Array:
    """The x > 0 at which x (base + slope · x) reaches the target."""
    below = base + np.sqrt(base**2 + 4 * slope * target)
    return 2 * target / np.where(below > 0, below, 1)


def _stationary(a: Array, b: Array, d: Array) -> Array:
    """The x ≥ 0 at which 2a x³ + b x² = d; inf if a = b = 0.

    Newton's method from above, where either term alone would reach d: at most √2 times the root, and the cubic is convex.
    """
    alone = np.full(d.shape, np.inf)
    x = np.minimum(
        np.sqrt(np.divide(d, b, out=alone.copy(), where=b > 0)), np.cbrt(np.divide(d, 2 * a, out=alone.copy(), where=a > 0))
    )
    moving = np.isfinite(x) & (x > 0)
    at, a, b, d = (np.where(moving, value, 1) for value in (x, a, b, d))
    for _ in range(6):
        at = at - ((2 * a * at + b) * at**2 - d) / ((6 * a * at + 2 * b) * at)
    return np.where(moving, at, x)


def _envelope(rise: Array, start: Array) -> tuple[Array, Array]:
    """The upper envelope for x > 0 of the lines start + rise · x: its corners (inf where there is none), and the lines it follows."""
    top = start.max(-1, keepdims=True)
    line = np.where(start == top, rise, -1).argmax(-1)[..., None]
    lines, corners = [line], []
    for _ in range(rise.shape[-1]):
        at_rise, at_start = (np.take_along_axis(of, line, -1) for of in (rise, start))
        steeper = rise > at_rise
        if not steeper.any():
            break
        meets = np.full(rise.shape, np.inf)
        np.divide(np.maximum(at_start - start, 0), rise - at_rise, out=meets, where=steeper)
        corner = meets.min(-1, keepdims=True)
        steepest = np.where(meets == corner, rise, -1).argmax(-1)[..., None]
        line = np.where(np.isfinite(corner), steepest, line)
        corners.append(corner)
        lines.append(line)
    if not corners:
        return np.full((*rise.shape[:-1], 1), np.inf), np.concatenate([line, line], -1)
    return np.maximum.accumulate(np.concatenate(corners, -1), -1), np.concatenate(lines, -1)


def _both(truths: Array, length: Array, gap: Array, midpoint: bool) -> Array:
    """The optimal lengths of the first and the last class, (..., 2)."""
    first, last = truths[..., 0] > 0, truths[..., -1] > 0
    middle = (truths[..., 1:-1] > 0).any(-1)
    # An end that is alone open among the classes present is the case above; the empty one then has no length.
    of_last = np.where(first, np.nan, _alone(truths, length, gap, midpoint))
    of_first = np.where(last, np.nan, _alone(*_flipped(truths, length, gap), midpoint))
    regular = first & last & middle
    if regular.any():
        pair = _together(np.where(regular[..., None], truths, 1), length, gap, midpoint)
        of_first, of_last = np.where(regular, pair[0], of_first), np.where(regular, pair[1], of_last)
    return np.stack([of_first, of_last], -1)


def _together(truths: Array, length: Array, gap: Array, midpoint: bool) -> tuple[Array, Array]:
    """Both lengths: bisection in the logarithm of the first, with the exact best last one inside."""
    inner = np.where(truths[..., 1:-1] > 0, length[..., 1:-1], np.nan)
    present = np.where(truths > 0, truths, np.nan)
    shortest, longest = np.nanmin(inner, -1), np.nanmax(inner, -1) + gap.max()
    spread = 20 * truths.shape[-1] * longest / shortest * np.nanmax(present, -1) / np.nanmin(present, -1)
    low, high = shortest / spread**2, longest * spread**2  # far wider than any minimiser met

    def with_first(y: Array) -> _OpenRight:
        return _OpenRight(truths, np.concatenate([y[..., None], length[..., 1:]], -1), gap, midpoint)

    for _ in range(ceil(log2(np.log(high / low).max())) + 53):
        y = np.sqrt(low) * np.sqrt(high)
        cost = with_first(y)
        x = cost.minimiser()[..., None]
        (left_x, left_y), (right_x, right_y) = cost.elasticities(x, right=False), cost.elasticities(x, right=True)
        # The slope in y of the minimum over x: of all mixtures of the slopes on both sides of x, the one that is level in x.
        mixture = np.clip(np.nan_to_num(ratio(-left_x, right_x - left_x)), 0, 1)
        rises = left_y + mixture * (right_y - left_y) >= 0
        low, high = np.where(rises, low, y), np.where(rises, y, high)
    y = np.sqrt(low) * np.sqrt(high)
    return y, with_first(y).minimiser()
