"""The ordinal classification index of a stack of tables, against the paper's listing as one writes it in Python, table by table."""

import numpy as np
from timing import interleaved, verdict

import ordeval as oe

SIZES = ((5, 10_000, None), (100, 200, 200))  # classes, tables, aim


def listing(table: np.ndarray) -> float:
    """Appendix B of Cardoso & Sousa (2011): the dynamic programme over the cells of one table, gamma 1, share 0.75."""
    k = len(table)
    rows = table.sum()
    distance = sum(table[r, c] * abs(r - c) for r in range(k) for c in range(k))
    beta = 0.75 / (rows * (k - 1))
    cost = np.zeros((k, k))
    for r in range(k):
        for c in range(k):
            own = -table[r, c] / (rows + distance) + beta * table[r, c] * abs(r - c)
            before = [cost[i, j] for i, j in ((r - 1, c), (r, c - 1), (r - 1, c - 1)) if i >= 0 and j >= 0]
            cost[r, c] = own + min(before, default=1.0)
    return float(cost[-1, -1])


def listing_on_lists(table: np.ndarray) -> float:
    """The same with Python's own lists and numbers, which are faster one by one."""
    rows_of = table.tolist()
    k = len(rows_of)
    rows = sum(map(sum, rows_of))
    distance = sum(x * abs(r - c) for r, row in enumerate(rows_of) for c, x in enumerate(row))
    gain, beta = 1 / (rows + distance), 0.75 / (rows * (k - 1))
    above = [float("inf")] * k
    for r, row in enumerate(rows_of):
        line = []
        left, corner = float("inf"), 1.0 if r == 0 else float("inf")
        for c, x in enumerate(row):
            left = min(above[c], left, corner) + x * (beta * abs(r - c) - gain)
            corner = above[c]
            line.append(left)
        above = line
    return above[-1]


def run() -> None:
    rng = np.random.default_rng(0)
    for k, tables, aim in SIZES:
        near = np.exp(-np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / 2).ravel()
        stack = rng.multinomial(100 * k, near / near.sum(), size=tables).reshape(tables, k, k).astype(float)
        score = oe.get_metric("oci").bind(oe.Counts.from_matrix(stack[0]))
        some = stack[: max(1, 20_000 // (k * k))]  # the loops are timed on a part of the stack
        assert np.allclose(score(some), [listing(table) for table in some], rtol=0, atol=1e-12)
        assert np.allclose(score(some), [listing_on_lists(table) for table in some], rtol=0, atol=1e-12)
        times = interleaved(
            {
                "ordeval, the whole stack": lambda score=score, stack=stack: score(stack),
                "loop over numpy cells": lambda some=some: [listing(table) for table in some],
                "loop over Python lists": lambda some=some: [listing_on_lists(table) for table in some],
            }
        )
        each = [times.pop("ordeval, the whole stack") / tables, *(seconds / len(some) for seconds in times.values())]
        print(f"\nOCI of {tables:,} tables, K = {k}, one core")
        for name, seconds in zip(("ordeval, in the stack", *times), each, strict=True):
            print(f"  {name:<32} {seconds * 1e6:9.2f} µs a table")
        ours, cells, lists = each
        print(
            f"  against numpy cells              {verdict(cells / ours, aim, at_least=True) if aim else f'{cells / ours:8.0f}x'}"
        )
        print(f"  against Python lists             {lists / ours:8.0f}x")
