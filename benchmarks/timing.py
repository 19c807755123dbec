"""Fair timing on a noisy machine: candidates take turns, and the median of each is compared inside one run."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping


def interleaved(
    candidates: Mapping[str, Callable[[], object]], rounds: int = 7, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Median seconds of each candidate after one warm-up; in every round each has its turn."""
    for run in candidates.values():
        run()
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            start = clock()
            run()
            taken[name].append(clock() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def process(*args: str) -> Callable[[], object]:
    """A fresh Python process with these arguments; bytecode is kept, as it is for an installed package."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL, env=env)


def verdict(ratio: float, aim: float, *, at_least: bool) -> str:
    """The ratio beside its aim, and whether it was reached."""
    reached = ratio >= aim if at_least else ratio <= aim
    return f"{ratio:8.2f}x   aim {'>=' if at_least else '<='} {aim:g}x   {'reached' if reached else 'MISSED'}"
