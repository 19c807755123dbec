"""Many systems: rank sets of fifty systems by seven metrics, the memory that it takes, and the leaderboard of their files."""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import ordeval as oe
from ordeval.evaluation import DEFAULT_METRICS
from ordeval.infer._ranks import rankings

SYSTEMS, N, K, B = 50, 10_000, 5, 1_000
MOST_SECONDS, MOST_MEGABYTES = 60, 1_000


def run() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, K, N)
    answers = {
        f"system {m:02}": np.clip(truth + np.rint(rng.normal(0, 0.5 + m / 100, N)).astype(int), 0, K - 1) for m in range(SYSTEMS)
    }
    start = time.perf_counter()
    counts = oe.count(truth, answers, labels=range(K))
    counted = time.perf_counter() - start
    start = time.perf_counter()
    ranks = rankings(counts, DEFAULT_METRICS, n_resamples=B)
    ranked = time.perf_counter() - start
    pairs = SYSTEMS * (SYSTEMS - 1)
    print(f"\nrank sets of {SYSTEMS} systems, {N:,} rows, K = {K}, {B:,} replicates, {len(DEFAULT_METRICS)} metrics, one core")
    print(f"  counting                         {counted:8.2f} s")
    print(f"  ranking                          {ranked:8.2f} s   {_within(ranked, MOST_SECONDS)}")
    print(f"  peak memory of the process       {_peak():8.0f} MB  {_within(_peak(), MOST_MEGABYTES)}")
    seconds = _leaderboard(truth, answers)
    print(f"  ordeval leaderboard, from files  {seconds:8.2f} s   {_within(seconds, MOST_SECONDS)}")
    for text, found in ranks.items():
        print(f"  told apart by {text:<18} {found.apart.sum() / pairs:8.0%} of the pairs")


def _leaderboard(truth: np.ndarray, answers: dict[str, np.ndarray]) -> float:
    """Seconds of the command, start of the process and reading of the files included."""
    with tempfile.TemporaryDirectory() as folder:
        for name, column in {"gold": truth, **answers}.items():
            lines = [f"{i},{code}" for i, code in enumerate(column.tolist())]
            Path(folder, f"{name}.csv").write_text("\n".join(["id,true" if name == "gold" else "id,pred", *lines]) + "\n")
        gold, *runs = (str(Path(folder, f"{name}.csv")) for name in ("gold", *answers))
        start = time.perf_counter()
        command = [sys.executable, "-m", "ordeval", "leaderboard", gold, *runs, "--labels", ",".join(map(str, range(K)))]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def _peak() -> float:
    """Largest resident memory of this process so far, in MB; benchmarks that ran before count too."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _within(found: float, aim: float) -> str:
    return f"aim <= {aim:g}   {'reached' if found <= aim else 'MISSED'}"
