"""The papers' metrics against plain Python programs that do the same, from raw labels."""

import math
from collections import Counter

import numpy as np
from timing import interleaved, verdict

import ordeval as oe

N, K = 10**6, 5


def cem_row_by_row(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    """CEM as a first program does it: for every row, add up the rows between its two classes."""
    gold = Counter(y_true)
    total = len(y_true)

    def proximity(system: int, truth: int) -> float:
        step = 1 if truth > system else -1
        between = 0
        for k in range(system, truth, step):
            between += gold[k + step]
        return -math.log((gold[system] / 2 + between) / total)

    earned = possible = 0.0
    for truth, system in zip(y_true, y_pred, strict=True):
        earned += proximity(system, truth)
        possible += proximity(truth, truth)
    return earned / possible


def run() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, K, N)
    pred = (true + rng.integers(-1, 2, N)).clip(0, K - 1)
    assert math.isclose(oe.cem(true, pred), cem_row_by_row(true, pred), rel_tol=1e-9)
    ours = interleaved({"ordeval.cem": lambda: oe.cem(true, pred), "ordeval.count": lambda: oe.count(true, pred)})
    loop = interleaved({"plain Python, row by row": lambda: cem_row_by_row(true, pred)}, rounds=2)
    print(f"\ncem of {N:,} rows of raw labels, K = {K}, int64, one core")
    for name, seconds in {**ours, **loop}.items():
        print(f"  {name:<32} {seconds * 1e3:9.1f} ms")
    print(
        f"  against the plain loop           {verdict(loop['plain Python, row by row'] / ours['ordeval.cem'], 300, at_least=True)}"
    )
    counts = oe.count(true, pred)
    stack = rng.multinomial(N, counts.matrix.ravel() / N, size=10_000).reshape(-1, K, K)
    kernel = oe.get_metric("cem").bind(counts)
    taken = interleaved({"cem of 10,000 replicates": lambda: kernel(stack)})
    for name, seconds in taken.items():
        print(f"  {name:<32} {seconds * 1e3:9.1f} ms")
