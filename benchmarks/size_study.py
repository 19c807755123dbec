"""The size of the paired test: how often are two models with equal scores called different at 5 %?

    python benchmarks/size_study.py [--data-sets 1000] [--resamples 399] [--metrics mae cem ...] [--exchange]

Two kinds of equality.  "alike": the two models err in the same way, so that they could be exchanged.  "different": one errs by
single steps, the other anywhere, and the second's errors are scaled until the population scores are equal: exchangeability fails.
"""

import argparse
import multiprocessing
import sys
import warnings

import numpy as np
from coverage_study import steps

import ordeval as oe
from ordeval.infer._difference import differences, exchange_test

METRICS = ("accuracy", "mae", "amae", "cohen_kappa", "kendall_tau", "cem", "oci", "stc")
#: name: (rows, class shares)
SETTINGS = {
    "N 100, K 3": (100, [3, 2, 1]),
    "N 300, K 4": (300, [4, 3, 2, 1]),
    "N 1000, K 5, rarest 3 %": (1000, [50, 25, 15, 7, 3]),
}


def score(metric: oe.Metric, shares: np.ndarray, conditional: np.ndarray) -> float:
    counts = oe.Counts.from_matrix(np.round(shares[:, None] * conditional * 10**12).astype(np.int64))
    return float(metric.bind(counts)(counts.matrix))


def equal_errors(metric: oe.Metric, shares: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Errors of another shape with the same population score, by bisection on their size."""
    k, target = len(shares), score(metric, shares, first)
    low, high = 1e-6, 1 - 1 / k
    for _ in range(60):
        middle = (low + high) / 2
        worse = score(metric, shares, steps(k, "anywhere", middle)) < target
        low, high = (low, middle) if worse == (metric.direction == "higher") else (middle, high)
    return steps(k, "anywhere", (low + high) / 2)


def study(job: tuple[str, str, str, int, int, bool]) -> tuple[float, float, float]:
    """Share of data sets with p <= 0.05 for the studentised and for the exchange test, and the mean number of discordant rows."""
    setting, equality, text, data_sets, resamples, exchange = job
    warnings.simplefilter("ignore")
    rows, weights = SETTINGS[setting]
    shares, metric = np.array(weights) / np.sum(weights), oe.get_metric(text)
    k = len(shares)
    first = steps(k, "gaussian", 0.7)
    second = first if equality == "alike" else equal_errors(metric, shares, first)
    joint = shares[:, None, None] * first[:, :, None] * second[:, None, :]
    rng = np.random.default_rng([*map(ord, setting + equality + text)])
    rejected, exchanged, discordant = 0, 0, 0
    for i in range(data_sets):
        cells = np.argwhere(table := rng.multinomial(rows, joint.ravel()).reshape(k, k, k))
        counts = oe.Counts(oe.Scale(range(k)), ("true", "a", "b"), cells, table[tuple(cells.T)])
        rejected += differences(counts, "a", "b", [metric], n_resamples=resamples, rng=i)[0].p_value <= 0.05
        if exchange:
            exchanged += exchange_test(counts, "a", "b", metric, n_resamples=resamples, rng=i).p_value <= 0.05
        discordant += rows - int(np.trace(table.sum(0)))
    return rejected / data_sets, exchanged / data_sets if exchange else np.nan, discordant / data_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=399)
    parser.add_argument("--metrics", nargs="*", default=METRICS)
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS))
    parser.add_argument("--exchange", action="store_true", help="the exchange test beside the studentised one")
    options = parser.parse_args()
    sizes = options.data_sets, options.resamples, options.exchange
    jobs = [(s, e, m, *sizes) for s in options.settings for e in ("alike", "different") for m in options.metrics]
    print(
        f"share of p <= 0.05 in {options.data_sets:,} data sets with equal scores; Monte-Carlo error about {np.sqrt(0.0475 / options.data_sets):.3f}"
    )
    print(f"{'setting':<26}{'models':<11}{'metric':<14}{'studentised':>12}{'exchange':>10}{'discordant rows':>17}")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for job, (ours, exchange, discordant) in zip(jobs, pool.imap(study, jobs), strict=True):
            print(f"{job[0]:<26}{job[1]:<11}{job[2]:<14}{ours:>12.3f}{exchange:>10.3f}{discordant:>17.0f}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
