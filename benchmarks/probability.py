"""Probability metrics: four in one pass against plain numpy and against one logarithm of every probability; RPS against a loop.

ORDEVAL_BENCH_ROWS sets the number of rows (10,000,000).
"""

import os

import numpy as np
from timing import interleaved, verdict

import ordeval as oe
from ordeval.metrics.core.row_scores import forecast_scores

K = 10
ROWS = int(os.environ.get("ORDEVAL_BENCH_ROWS", 10**7))
LOOP = 20_000  # rows of the loop, whose time is multiplied up
FOUR = ("rps", "log_loss", "brier", "ordinal_log_loss")


def data(n):
    rng = np.random.default_rng(0)
    true = rng.integers(0, K, n).astype(np.int8)
    proba = np.empty((n, K), np.float32)
    for start in range(0, n, 1 << 18):
        part = slice(start, min(start + (1 << 18), n))
        weights = np.exp(rng.normal(0, 1, (part.stop - start, K)).astype(np.float32))
        proba[part] = weights / weights.sum(1, keepdims=True)
    return true, proba


def plain_numpy(true, proba):
    """The four metrics as their formulas are written with whole arrays."""
    classes = np.arange(K)
    came = true[:, None] <= classes[:-1]
    rps = ((np.cumsum(proba, 1, dtype=float)[:, :-1] - came) ** 2).sum(1).mean()
    log_loss = -np.log(proba[np.arange(len(true)), true].astype(float)).mean()
    brier = ((proba - np.eye(K)[true]) ** 2).sum(1).mean()
    distance = np.abs(classes - true[:, None])
    ordinal = -(np.log1p(-proba.astype(float)) * distance).sum(1).mean()
    return rps, log_loss, brier, ordinal


def rps_in_a_loop(true, proba):
    """Row by row, as programs for ordinal classification write it: a one-hot row, two cumulative sums, their squared difference."""
    total = 0.0
    for label, row in zip(true, proba, strict=True):
        came = np.zeros(K)
        came[label] = 1
        total += np.sum((np.cumsum(row) - np.cumsum(came)) ** 2)
    return total / len(true)


def rps_in_two_loops(true, proba):
    """Row by row and class by class, in Python's own numbers."""
    total = 0.0
    for label, row in zip(true.tolist(), proba.tolist(), strict=True):
        below = 0.0
        for k, p in enumerate(row):
            below += p
            total += (below - (label <= k)) ** 2
    return total / len(true)


def run() -> None:
    true, proba = data(ROWS)
    labels = list(range(K))
    few_true, few = true[:LOOP], proba[:LOOP]
    ours = list(forecast_scores(oe.forecast(true, proba, labels=labels), FOUR).values())
    assert np.allclose(ours, plain_numpy(true[: 1 << 16], proba[: 1 << 16]), rtol=0.05)
    same = forecast_scores(oe.forecast(few_true, few, labels=labels), FOUR)
    assert np.allclose(list(same.values()), plain_numpy(few_true, few), rtol=1e-6)
    assert np.isclose(same["rps"], rps_in_a_loop(few_true, few.astype(float)))
    assert np.isclose(same["rps"], rps_in_two_loops(few_true, few))
    rows = oe.forecast(true, proba, labels=labels)
    rounds = 5 if ROWS <= 10**6 else 3
    times = interleaved(
        {
            "np.log of every probability": lambda: np.log(proba),
            "four metrics, rows checked": lambda: forecast_scores(oe.forecast(true, proba, labels=labels), FOUR),
            "four metrics, checked before": lambda: forecast_scores(rows, FOUR),
            "rps alone, rows checked": lambda: oe.rps(true, proba, labels=labels),
            "calibration error, rows checked": lambda: oe.cumulative_calibration_error(true, proba, labels=labels),
            "concordance index, rows checked": lambda: oe.concordance_index(true, proba, labels=labels),
        },
        rounds,
    )
    times |= interleaved({"four metrics, plain numpy": lambda: plain_numpy(true, proba)}, 1)
    loops = interleaved({"one": lambda: rps_in_a_loop(few_true, few), "two": lambda: rps_in_two_loops(few_true, few)}, 3)
    print(f"\nProbabilities: {ROWS:,} rows of float32, K = {K}")
    for name, seconds in times.items():
        print(f"  {name:<34} {seconds * 1e3:10.1f} ms")
    log, four, checked, rps = (times[name] for name in list(times)[:4])
    one, two = (seconds * ROWS / LOOP for seconds in loops.values())
    print(f"  rps in a loop over rows (from {LOOP:,})   {one * 1e3:10.0f} ms; over rows and classes {two * 1e3:.0f} ms")
    print(f"  four against plain numpy           {verdict(times['four metrics, plain numpy'] / four, 7, at_least=True)}")
    print(f"  four in units of np.log            {verdict(four / log, 3, at_least=False)}")
    print(f"  four, checked before, likewise     {verdict(checked / log, 3, at_least=False)}")
    print(f"  rps against a loop over rows       {verdict(one / rps, 100, at_least=True)}")
    print(f"  rps against a loop over Python's own numbers, without numpy: {two / rps:.0f}x")
