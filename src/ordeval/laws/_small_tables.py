"""Complete sets of small cases: every table, every vector, every way to distribute rows over classes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

Stack = npt.NDArray[Any]


@lru_cache
def spread(cells: int, n: int) -> Stack:
    """Every way to put N rows into so many cells, empty cells allowed, (ways, cells)."""
    chosen = np.array(list(combinations_with_replacement(range(cells), n)), int).reshape(ways(cells, n), n)
    rows = np.zeros((len(chosen), cells), np.int64)
    np.add.at(rows, (np.arange(len(chosen))[:, None], chosen), 1)
    return rows


def ways(cells: int, n: int) -> int:
    """How many of them there are."""
    return comb(cells + n - 1, n)


def tables(k: int, n: int) -> Stack:
    """Every K×K table of N rows."""
    return spread(k * k, n).reshape(-1, k, k)


def wrong(stack: Stack) -> Stack:
    """The number of rows off the diagonal of each table."""
    return np.asarray(stack.sum((-2, -1)) - np.trace(stack, axis1=-2, axis2=-1))


def all_small() -> Iterator[Stack]:
    """The 2,126 tables of 2 or 3 classes and 1 to 5 rows, one stack for each K and N."""
    for k, n in product((2, 3), range(1, 6)):
        yield tables(k, n)


ALL_SMALL = "the 2,126 tables of 2 or 3 classes, 1 to 5 rows"


def full_small() -> Iterator[Stack]:
    """Those of them in which every class has a true row."""
    for stack in all_small():
        full = stack[(stack.sum(-1) > 0).all(-1)]
        if len(full):
            yield full


FULL_SMALL = "the 868 tables of 2 or 3 classes, 1 to 5 rows, no true class empty"


def compositions(k: int, n: int) -> Iterator[tuple[int, ...]]:
    """Every way to give N rows to K classes, at least one each."""
    if k == 1:
        yield (n,)
        return
    for first in range(1, n - k + 2):
        for rest in compositions(k - 1, n - first):
            yield (first, *rest)


def vectors(k: int, n: int) -> Stack:
    """Every vector of N classes out of K."""
    return np.array(list(product(range(k), repeat=n)))


def tables_of_pairs(k: int, n: int) -> Stack:
    """The table of every ordered pair of such vectors, (vectors, vectors, K, K)."""
    chosen = np.eye(k, dtype=int)[vectors(k, n)]
    table: Stack = np.einsum("ani,bnj->abij", chosen, chosen)
    return table


def triangles(distance: Stack) -> Stack:
    """Whether d(a, c) <= d(a, b) + d(b, c), for all a, b, c."""
    return np.asarray(distance[:, None, :] <= distance[:, :, None] + distance[None, :, :] + 1e-12)


def one_step_closer(stack: Stack) -> Iterator[tuple[Stack, Stack]]:
    """For every table and every wrong row: the table, and the table with that row one class closer to its truth."""
    k = stack.shape[-1]
    for t, p in product(range(k), repeat=2):
        before = stack[stack[:, t, p] > 0]
        if t == p or not len(before):
            continue
        after = before.copy()
        after[:, t, p] -= 1
        after[:, t, p + (1 if t > p else -1)] += 1
        yield before, after
