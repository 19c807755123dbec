"""The cheapest path through a table, from the first class to the last: penalties, least cost, cost as a line, the cells.

A path steps one class down (truth), right (prediction) or both.  Its cost is the weight of the cells off the path, plus the
weight on it times a penalty that depends on the distance to the diagonal.  Cells off the path are charged where the path
passes them by: entering a row it leaves what stands to the left, entering a column what stands above.  So every cost is a
sum of terms that are not negative: nothing cancels, and a perfect table costs exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ordeval.base.arrays import Array, rank_distance, ratio

_LINE, _CELLS = 20_000, 1 << 22  # numbers in an antidiagonal, and cells, worked on at once: what a cache holds, and 32 MiB
LARGEST = 1e150  # in place of an infinite penalty or rate: dear enough never to be paid, and 0 times it is still 0


def distance_penalty(k: int, share: float, gamma: float, beta: float | None) -> Array:
    """What a row on the path costs at each distance 0..K-1: share · (d / (K-1))**gamma as a share of N, or beta · d**gamma.

    Powers that overflow are taken through logarithms, and nothing is dearer than `LARGEST`.
    """
    distance = np.arange(k, dtype=float)
    if beta is None:
        scaled: Array = share * (distance / max(k - 1, 1)) ** gamma
        return scaled
    if beta == 0:
        return np.zeros(k)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        power = distance**gamma
        cost = np.where(np.isinf(power), np.exp(np.log(beta) + gamma * np.log(distance)), beta * power)
    cost[0] = 0  # the diagonal is free, at an infinite beta too
    return np.minimum(cost, LARGEST)


def total_distance(counts: Array, gamma: float) -> Array:
    """M: the gamma-norm of the distances of all rows, (...).  The largest distance is taken out first, so no power overflows."""
    k = counts.shape[-1]
    if gamma == 1:
        plain: Array = counts.reshape(*counts.shape[:-2], k * k) @ rank_distance(k).ravel().astype(float)
        return plain
    offsets = range(1, k)
    at = [sum(np.trace(counts, offset=o, axis1=-2, axis2=-1) for o in (d, -d)) for d in offsets]
    weight = np.stack(at, -1) if at else np.zeros((*counts.shape[:-2], 1))
    distance = np.arange(1, weight.shape[-1] + 1)
    largest = np.where(weight > 0, distance, 0).max(-1)
    relative = np.minimum(ratio(distance, largest[..., None]), 1)  # beyond the largest there is no weight
    with np.errstate(over="ignore"):
        norm: Array = (weight * relative**gamma).sum(-1) ** (1 / gamma)
        return np.where(largest > 0, largest * norm, 0)


def _antidiagonals(cells: Array) -> Iterator[tuple[slice, Array, Array, Array, slice]]:
    """For every antidiagonal of (K, K, B): its rows, its cells, what stands left of them and above them, and where their
    differences (truth - prediction) stand among -(K-1)..K-1."""
    k, _, tables = cells.shape
    flat = cells.reshape(k * k, tables)
    left, above = np.zeros((2, k, tables))  # running sums by row and by column
    for s in range(2 * k - 1):
        low, high = max(0, s - k + 1), min(s, k - 1)
        first, last = low * (k - 1) + s, high * (k - 1) + s
        here = flat[first : last + 1 : max(k - 1, 1)]
        rows, columns = slice(low, high + 1), slice(s - high, s - low + 1)
        yield rows, here, left[rows], above[columns][::-1], slice(k - 1 + 2 * low - s, k + 2 * high - s, 2)
        left[rows] += here
        above[columns] += here[::-1]


def _chunks(stack: Array) -> Iterator[tuple[slice, Array]]:
    """A stack (B, K, K) in parts (K, K, b), the tables last: each step of the programme is then one pass over them."""
    tables, k, _ = stack.shape
    size = max(1, min(_LINE // k, _CELLS // (k * k)))
    for start in range(0, tables, size):
        part = slice(start, start + size)
        yield part, np.ascontiguousarray(np.moveaxis(stack[part], 0, -1))


def _both_sides(penalty: Array) -> Array:
    """The penalty by difference, -(K-1)..K-1, as a column."""
    return np.concatenate([penalty[:0:-1], penalty])[:, None]


def cheapest_path(stack: Array, penalty: Array, rate: Array) -> Array:
    """Least over all paths of (weight off the path) + rate · (weight on the path × penalty of its distance): (...)."""
    k = stack.shape[-1]
    lead = stack.shape[:-2]
    rates = np.broadcast_to(rate, lead).reshape(-1)
    least = np.empty(rates.shape)
    for part, cells in _chunks(stack.reshape(-1, k, k)):
        least[part] = _cheapest(cells, penalty, rates[part])
    return least.reshape(lead)


def _cheapest(cells: Array, penalty: Array, rate: Array) -> Array:
    k, _, tables = cells.shape
    # the last three antidiagonals by row, below one row that no path comes from
    now, before, older = np.full((3, k + 1, tables), np.inf)
    work = np.empty((k, tables))
    price = rate * _both_sides(penalty)
    older[0] = 0  # where every path comes from
    for rows, here, left, above, differences in _antidiagonals(cells):
        own = slice(rows.start + 1, rows.stop + 1)
        cost, side = now[own], work[rows]
        np.add(older[rows], above, out=cost)  # a step down and right enters a row and a column
        np.minimum(cost, before[rows], out=cost)  # a step down enters a row
        cost += left
        np.add(before[own], above, out=side)  # a step right enters a column
        np.minimum(cost, side, out=cost)
        np.multiply(here, price[differences], out=side)
        cost += side
        older[0] = np.inf
        now, before, older = older, now, before
    end: Array = before[k]
    return end.copy()


def cheapest_line(stack: Array, penalty: Array, rate: Array) -> tuple[Array, Array]:
    """The parts of that cost for the path that attains it, (weight off, penalty): a line in the rate.  A stack (B, K, K)."""
    off, fee = np.empty((2, len(stack)))
    for part, cells in _chunks(stack):
        off[part], fee[part] = _cheapest_parts(cells, penalty, rate[part])
    return off, fee


def _cheapest_parts(cells: Array, penalty: Array, rate: Array) -> tuple[Array, Array]:
    k, _, tables = cells.shape
    now, before, older = np.zeros((3, 2, k + 1, tables))  # as above, each with its two parts
    for parts in (now, before, older):
        parts[0] = np.inf
    older[0, 0] = 0
    price = _both_sides(penalty)
    for rows, here, left, above, differences in _antidiagonals(cells):
        own = slice(rows.start + 1, rows.stop + 1)
        across, down, right = older[:, rows].copy(), before[:, rows].copy(), before[:, own].copy()
        across[0] += left + above
        down[0] += left
        right[0] += above
        best = across
        for other in (down, right):
            best = np.where(other[0] + rate * other[1] < best[0] + rate * best[1], other, best)
        best[1] += here * price[differences]
        now[:, own] = best
        older[0, 0] = np.inf
        now, before, older = older, now, before
    off, fee = before[:, k]
    return off.copy(), fee.copy()


def mean_cheapest(stack: Array, penalty: Array, most: Array) -> Array:
    """Mean of the least cost over all rates from 0 to `most` (...), exactly: the cost is concave and piecewise linear.

    Between two rates whose cheapest paths are known as lines, the cost is their lower envelope unless at the crossing a
    third path is cheaper; then the two halves are open.  All open intervals of all tables take each step together.
    """
    k, lead = stack.shape[-1], stack.shape[:-2]
    tables, most = stack.reshape(-1, k, k), np.broadcast_to(most, lead).reshape(-1)
    area = np.zeros(len(tables))
    table = np.arange(len(tables))
    low, high = np.zeros(len(tables)), most
    first = np.stack(cheapest_line(tables, penalty, low))
    last = np.stack(cheapest_line(tables, penalty, high))
    while table.size:
        crossing = ratio(last[0] - first[0], first[1] - last[1])
        crossing = np.clip(np.where(np.isnan(crossing), low, crossing), low, high)  # parallel: one and the same line
        third = np.stack(cheapest_line(tables[table], penalty, crossing))
        reached, least = first[0] + first[1] * crossing, third[0] + third[1] * crossing
        open_ = (low < crossing) & (crossing < high) & (least < reached * (1 - 1e-15))
        pieces = [
            (line[0] + line[1] * (a + b) / 2) * ratio(b - a, most[table])
            for line, a, b in ((first, low, crossing), (last, crossing, high))
        ]
        np.add.at(area, table[~open_], (pieces[0] + pieces[1])[~open_])
        table, third, crossing = table[open_], third[:, open_], crossing[open_]
        low, high = np.concatenate([low[open_], crossing]), np.concatenate([crossing, high[open_]])
        first, last = np.concatenate([first[:, open_], third], 1), np.concatenate([third, last[:, open_]], 1)
        table = np.concatenate([table, table])
    return area.reshape(lead)


def exact_charges(table: Array, share: float, gamma: float, beta: float | None) -> list[Fraction]:
    """What a row on the path costs at each distance, in rows off it; exact at gamma 1, as ties are a question of equality."""
    k = len(table)
    rows = sum(map(Fraction, table.ravel().tolist()), Fraction(0)) or Fraction(1)
    if gamma == 1 and beta != math.inf:
        distance = sum(Fraction(w) * d for w, d in zip(table.ravel().tolist(), rank_distance(k).ravel().tolist(), strict=True))
        price = Fraction(share) / rows / max(k - 1, 1) if beta is None else Fraction(beta)
        return [price * d * (rows + distance) for d in range(k)]
    moved = min(float(total_distance(table.astype(float), gamma)), LARGEST)
    unit = rows if beta is None else 1
    return [Fraction(x) * (rows + Fraction(moved)) / unit for x in distance_penalty(k, share, gamma, beta).tolist()]


def cells_of_cheapest(table: Array, charges: list[Fraction]) -> list[tuple[int, int]]:
    """The cells of the cheapest path through one table; of several, the one closest to the diagonal.

    ``charges`` are what weight on the path costs at each distance.  Closest is the least sum of distances.  Costs are exact
    integers here, because a tie is a question of equality.
    """
    k = len(table)
    weights = [[Fraction(x) for x in row] for row in table.tolist()]
    unit = _common_denominator(charges)
    grain = _common_denominator([x for row in weights for x in row])
    whole = [[int(x * grain) for x in row] for row in weights]
    price = [int(x * unit) for x in charges]
    distance = rank_distance(k).tolist()
    above = [0] * k
    reached: dict[tuple[int, int], tuple[int, int]] = {(-1, -1): (0, 0)}  # cost, sum of distances
    came: dict[tuple[int, int], tuple[int, int]] = {}
    for r in range(k):
        left = 0
        for c in range(k):
            row, column = left * unit, above[c] * unit
            # where equal paths are equally close, the first of these steps is taken
            steps = (((r - 1, c - 1), row + column), ((r - 1, c), row), ((r, c - 1), column))
            options = [(reached[origin][0] + charge, reached[origin][1], origin) for origin, charge in steps if origin in reached]
            cost, far, came[r, c] = min(options, key=lambda option: option[:2])
            reached[r, c] = cost + whole[r][c] * price[distance[r][c]], far + distance[r][c]
            left += whole[r][c]
            above[c] += whole[r][c]
    path, cell = [], (k - 1, k - 1)
    while cell != (-1, -1):
        path.append(cell)
        cell = came[cell]
    return path[::-1]


def _common_denominator(numbers: list[Fraction]) -> int:
    return math.lcm(*(x.denominator for x in numbers))
