"""What the instances of a law are built from: every small table of some kind, and random larger ones of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.laws._small_tables import Stack, spread, tables, ways

Size = tuple[int, int]  # classes, rows


@dataclass(frozen=True)
class Kind:
    """One kind of base: which cells may hold rows, how many there are of a size, and all of them."""

    name: str
    allowed: Callable[[int], Array]  #: for K classes, the cells that may hold rows
    number: Callable[[int, int], int]  #: how many bases of K classes and N rows there are
    every: Callable[[int, int], Stack]  #: all of them, (number, ...)
    draw: Callable[[np.random.Generator, int, int, int], Stack] | None = None  #: random ones, where cells are not independent

    def random(self, rng: np.random.Generator, k: int, n: int, size: int) -> Stack:
        """Bases of K classes and N rows: from spread out to nearly all rows in one cell."""
        if self.draw is not None:
            return self.draw(rng, k, n, size)
        allowed = self.allowed(k)
        cells = np.flatnonzero(allowed)
        stack = np.zeros((size, allowed.size), np.int64)
        for i, evenness in enumerate(rng.choice([0.1, 0.5, 2.0], size)):
            stack[i, cells] = rng.multinomial(n, rng.dirichlet(np.full(cells.size, evenness)))
        return stack.reshape(size, *allowed.shape)

    def moved(self, rng: np.random.Generator, stack: Stack) -> Stack:
        """The same bases with one row of each in another cell."""
        if self.draw is not None:
            return stack
        flat = stack.reshape(len(stack), -1).copy()
        cells = np.flatnonzero(self.allowed(stack.shape[-1]))
        rows = np.arange(len(flat))
        weight = rng.random(flat.shape) * (flat > 0)
        flat[rows, weight.argmax(1)] -= 1
        flat[rows, rng.choice(cells, len(flat))] += 1
        return flat.reshape(stack.shape)


def diagonal(rows: Stack) -> Stack:
    """Tables in which every row is right, from the rows of each class."""
    return rows[..., None] * np.eye(rows.shape[-1], dtype=np.int64)


def _shorter(k: int) -> Array:
    mask = np.ones((k, k), bool)
    mask[-1] = mask[:, -1] = False
    return mask


def _factors(n: int) -> Iterator[tuple[int, int]]:
    return ((a, n // a) for a in range(1, n + 1) if n % a == 0)


def _independent(k: int, n: int) -> Stack:
    """Tables whose rows are all proportional, as products of two small margins; each once, though 2n mᵀ is n (2m)ᵀ."""
    found = [np.zeros((0, k, k), np.int64)]
    for a, b in _factors(n):
        if max(a, b) <= MARGIN:
            true, pred = spread(k, a), spread(k, b)
            found.append((true[:, None, :, None] * pred[None, :, None, :]).reshape(-1, k, k))
    every = np.concatenate(found)
    first = np.unique(every, axis=0, return_index=True)[1]
    return every[np.sort(first)]


def _draw_independent(rng: np.random.Generator, k: int, n: int, size: int) -> Stack:
    true, pred = rng.integers(0, 5, (2, size, k))
    stack: Stack = true[:, :, None] * pred[:, None, :]
    return np.asarray(stack[stack.sum((1, 2)) > 0])


#: The largest margin of which all products are tried.
MARGIN = 5

TABLES = Kind("tables", lambda k: np.ones((k, k), bool), lambda k, n: ways(k * k, n), tables)
TRUTHS = Kind("truths", lambda k: np.eye(k, dtype=bool), ways, lambda k, n: diagonal(spread(k, n)))
SHORTER = Kind(
    "tables that leave the last class unused",
    _shorter,
    lambda k, n: ways((k - 1) ** 2, n),
    lambda k, n: np.pad(tables(k - 1, n), ((0, 0), (0, 1), (0, 1))),
)
TRIPLES = Kind(
    "three raters",
    lambda k: np.ones((k, k, k), bool),
    lambda k, n: ways(k**3, n),
    lambda k, n: spread(k**3, n).reshape(-1, k, k, k),
)
INDEPENDENT = Kind(
    "independent tables",
    lambda k: np.ones((k, k), bool),
    lambda k, n: len(_independent(k, n)),
    _independent,
    _draw_independent,
)


def answers(truth: Stack) -> Stack:
    """Every table with these true rows, (ways, K, K)."""
    k = len(truth)
    rows = [spread(k, int(n)) for n in truth]
    chosen = np.indices([len(options) for options in rows]).reshape(k, -1)
    return np.stack([options[which] for options, which in zip(rows, chosen, strict=True)], 1)
