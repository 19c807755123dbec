"""The 14 populations that the rules of version 0.1 had been tuned on: kept as one row of the study, for comparison."""

import numpy as np
from coverage_populations import Population, steps

SORTS = 400  # clusters differ from each other; so many are drawn once and for all


def errors(k: int, shape: str, size: float) -> np.ndarray:
    """P(prediction | truth)."""
    d, signed = steps(k), np.subtract.outer(np.arange(k), np.arange(k))
    weights = {
        "gaussian": lambda: np.exp(-(d**2) / (2 * size**2)),
        "laplace": lambda: np.exp(-d / size),
        "anywhere": lambda: np.where(d == 0, 1 - size, size / (k - 1)),
        "upwards": lambda: np.where(signed <= 0, np.exp(-d / size), 0.02 * (d == 1) + 1e-9),
        "to the middle": lambda: np.where(d == 0, 1.0, size * np.exp(-np.abs(np.arange(k) - (k - 1) / 2))[None, :]),
    }[shape]()
    return weights / weights.sum(1, keepdims=True)


#: name: (rows, class shares, shape of errors, their size, clusters or None)
POPULATIONS = {
    "N 30, K 3, balanced": (30, [1, 1, 1], "gaussian", 0.7, None),
    "N 100, K 3, one class 10 %": (100, [6, 3, 1], "anywhere", 0.25, None),
    "N 100, K 5, rarest 5 %": (100, [35, 30, 20, 10, 5], "gaussian", 0.7, None),
    "N 100, K 5, near-perfect": (100, [1, 1, 1, 1, 1], "laplace", 0.3, None),
    "N 200, K 4, errors upwards": (200, [4, 3, 2, 1], "upwards", 0.6, None),
    "N 200, K 7, balanced": (200, [1] * 7, "gaussian", 1.0, None),
    "N 300, K 5, to the middle": (300, [3, 2, 2, 2, 1], "to the middle", 0.6, None),
    "N 500, K 3, one class 1 %": (500, [60, 39, 1], "gaussian", 0.6, None),
    "N 1000, K 5, rarest 2 %": (1000, [50, 25, 15, 8, 2], "laplace", 0.5, None),
    "N 1000, K 7, errors anywhere": (1000, [1] * 7, "anywhere", 0.3, None),
    "N 3000, K 5, one class 1 %": (3000, [50, 30, 14, 5, 1], "gaussian", 0.6, None),
    "N 3000, K 4, near-perfect": (3000, [4, 3, 2, 1], "laplace", 0.25, None),
    "20 clusters of 15, K 4": (300, [4, 3, 2, 1], "gaussian", 0.7, 20),
    "40 clusters of 10, K 4": (400, [4, 3, 2, 1], "gaussian", 0.7, 40),
}


def tuned_population(name: str) -> Population:
    rows, shares, shape, size, clusters = POPULATIONS[name]
    share, k = np.array(shares) / np.sum(shares), len(shares)
    if clusters is None:
        return Population("rows", name, rows, share[:, None] * errors(k, shape, size))
    rng = np.random.default_rng(0)
    sizes, tilt = size * np.exp(rng.normal(0, 0.4, SORTS)), np.exp(rng.normal(0, 0.5, (SORTS, k)))
    tables = np.stack([share[:, None] * errors(k, shape, s) for s in sizes]) * tilt[:, :, None]
    tables /= tables.sum((1, 2), keepdims=True)
    extra = {"tables": tables, "weight": np.full(SORTS, 1 / SORTS), "size": np.full(SORTS, rows / clusters)}
    return Population("clusters", name, clusters, tables.mean(0), extra)
