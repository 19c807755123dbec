"""Connected sets of cells that hold both ends of the diagonal, and the cheapest of them: the general index of the OCI paper.

A walk may turn back, and pays for every pair of its cells that contradict each other (truth up, prediction down).  Cells
visited twice count once, so the cost depends on the set of cells alone; and the sets are those connected by king's moves.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ordeval.base.arrays import Array

ENUMERATED = 4  # classes up to which all sets are tried: 8,276 of them at four
MOST_CLASSES = 10  # classes up to which integer programming takes seconds, not hours
_TABLES = 256  # tables tried at once
_SCALE = 1e6  # of the objective: the solver stops at an absolute gap of 1e-6


def cheapest_walk(off: Array, on: Array, conflict: float) -> Array:
    """Least over all connected sets of (off where not in it) + (on where in it) + conflict · (discordant pairs in it), (B,).

    ``off`` and ``on`` are (B, K, K).  Up to four classes every set is tried, for many tables at once; beyond that the
    search is a program with integers for each table by itself: a loop, because each has a search tree of its own.
    """
    k = off.shape[-1]
    if k > MOST_CLASSES:
        raise ValueError(
            f"beta2={conflict:g} needs an exact search, which is offered up to {MOST_CLASSES} classes, but there are {k}; "
            f"beta2=0 and beta2=1 have no such limit: use one of them"
        )
    if k > ENUMERATED:
        return np.array([_searched(*table, conflict) for table in zip(off, on, strict=True)])
    sets, pairs = connected_sets(k)
    inside = sets.reshape(len(sets), -1).T.astype(float)
    least = [
        ((1 - inside).T @ off[i : i + _TABLES].reshape(-1, k * k).T)
        + inside.T @ on[i : i + _TABLES].reshape(-1, k * k).T
        + conflict * pairs[:, None]
        for i in range(0, len(off), _TABLES)
    ]
    return np.concatenate([part.min(0) for part in least]) if least else np.empty(0)


@cache
def connected_sets(k: int) -> tuple[Array, Array]:
    """All king-connected sets of cells with both ends of the diagonal, (S, K, K), and their numbers of discordant pairs."""
    free = [cell for cell in range(k * k) if cell not in (0, k * k - 1)]
    subsets = np.ones((1 << len(free), k * k), bool)
    subsets[:, free] = (np.arange(1 << len(free))[:, None] >> np.arange(len(free))) & 1
    chosen = subsets.reshape(-1, k, k)
    reached = np.zeros_like(chosen)
    reached[:, 0, 0] = True
    while True:
        wide = np.pad(reached, ((0, 0), (1, 1), (1, 1)))
        grown = np.any([wide[:, r : r + k, c : c + k] for r in range(3) for c in range(3)], axis=0) & chosen
        if (grown == reached).all():
            break
        reached = grown
    sets = chosen[(reached == chosen).all((1, 2))]
    cells = sets.reshape(len(sets), -1).astype(float)
    pairs: Array = ((cells @ _discordant(k)) * cells).sum(1)
    return sets, pairs


def _discordant(k: int) -> Array:
    """For every two cells, each pair once: does the truth rise where the prediction falls?"""
    row, column = np.divmod(np.arange(k * k), k)
    return ((row[:, None] < row) & (column[:, None] > column)).astype(float)


def _searched(off: Array, on: Array, conflict: float) -> float:
    """The cheapest walk of one table by integer programming; what is returned is the cost of the set that was found.

    Every cell is in or out, every discordant pair of cells in costs, and connected means: from the first cell one unit
    flows to each cell that is in, and none through cells that are out.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array, hstack

    k = len(off)
    n = k * k
    first, second = np.nonzero(_discordant(k))
    source, target = _king_moves(k)
    pairs, arcs = len(first), len(source)

    def sparse(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> Any:
        return coo_array((np.broadcast_to(values, np.shape(rows)).astype(float), (rows, columns)), shape=shape)

    each = np.arange(pairs)
    together = hstack(
        [
            sparse([*each, *each], [*first, *second], 1, (pairs, n)),
            sparse(each, each, -1, (pairs, pairs)),
            coo_array((pairs, arcs)),
        ]
    )
    inflow = sparse(target, np.arange(arcs), 1, (n, arcs))
    outflow = sparse(source, np.arange(arcs), 1, (n, arcs))
    cell = np.arange(1, n)
    every = sparse(np.arange(n), np.arange(n), 1, (n, n))
    balance = hstack([-every, coo_array((n, pairs)), inflow - outflow]).tocsr()[cell]
    only_inside = hstack([-(n - 1) * every, coo_array((n, pairs)), inflow]).tocsr()[cell]
    ends = np.zeros(n)
    ends[[0, -1]] = 1
    found = milp(
        _SCALE * np.concatenate([(on - off).ravel(), np.full(pairs, conflict), np.zeros(arcs)]),
        integrality=np.repeat([1, 0, 0], [n, pairs, arcs]),
        bounds=Bounds(np.concatenate([ends, np.zeros(pairs + arcs)]), np.repeat([1, 1, n - 1], [n, pairs, arcs])),
        constraints=[
            LinearConstraint(together, -np.inf, 1),
            LinearConstraint(balance, 0, 0),
            LinearConstraint(only_inside, -np.inf, 0),
        ],
        options={"mip_rel_gap": 0},
    )
    if not found.success:
        raise RuntimeError(f"the search for the cheapest walk did not end: {found.message}")
    inside = found.x[:n] > 0.5
    clashes = (inside[first] & inside[second]).sum()
    return float(np.where(inside, on.ravel(), off.ravel()).sum() + conflict * clashes)


def _king_moves(k: int) -> tuple[Array, Array]:
    """Every two neighbouring cells, both ways."""
    row, column = np.divmod(np.arange(k * k), k)
    steps = np.maximum(np.abs(row[:, None] - row), np.abs(column[:, None] - column))
    source, target = np.nonzero(steps == 1)
    return source, target
