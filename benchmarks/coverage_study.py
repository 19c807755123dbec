"""The coverage study: how often does a 95 % interval hold the true score?  By simulation, for every method and population.

    python benchmarks/coverage_study.py [--data-sets 2000] [--resamples 999] [--populations NAME ...] [--json FILE]

Populations differ in size, number of classes, class shares and the shape of their errors.  The true score is that of the
population's own table.  An interval that cannot be given is counted apart.
"""

import argparse
import json
import math
import multiprocessing
import sys
import warnings

import numpy as np

import ordeval as oe
from ordeval.infer._evidence import Evidence
from ordeval.infer._methods import METHODS, fits, interval

METRICS = ("accuracy", "mae", "amae", "balanced_accuracy", "cohen_kappa", "kendall_tau", "cem", "oci", "stc", "mmae")
COMPARED = tuple(method for method in METHODS if method != "studentised")  # that one takes an error for every replicate
SLOW = ("oci_general", "auoc")  # relatives of oci that take long on stacks


def steps(k: int, shape: str, size: float) -> np.ndarray:
    """P(prediction | truth): the shape of the errors."""
    d = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    signed = np.subtract.outer(np.arange(k), np.arange(k))
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


def table_of(name: str, size: float | None = None) -> np.ndarray:
    _, shares, shape, usual, _ = POPULATIONS[name]
    return np.array(shares)[:, None] / np.sum(shares) * steps(len(shares), shape, usual if size is None else size)


def cluster_tables(name: str, number: int, rng: np.random.Generator) -> np.ndarray:
    """Probabilities of each cluster: clusters differ in how large their errors are and in their class shares."""
    k = len(table_of(name))
    sizes = POPULATIONS[name][3] * np.exp(rng.normal(0, 0.4, number))
    tilt = np.exp(rng.normal(0, 0.5, (number, k)))
    tables = np.stack([table_of(name, size) for size in sizes]) * tilt[:, :, None]
    return tables / tables.sum((1, 2), keepdims=True)


def sample(name: str, rng: np.random.Generator) -> oe.Counts:
    rows, shares, _, _, clusters = POPULATIONS[name]
    k = len(shares)
    if clusters is None:
        return oe.Counts.from_matrix(rng.multinomial(rows, table_of(name).ravel()).reshape(k, k))
    cells = np.concatenate([rng.multinomial(rows // clusters, t.ravel())[None] for t in cluster_tables(name, clusters, rng)])
    cluster, cell = np.nonzero(cells)
    repeats = cells[cluster, cell]
    true, pred = np.divmod(np.repeat(cell, repeats), k)
    return oe.count(true, pred, labels=range(k), cluster=np.repeat(cluster, repeats))


def population(name: str) -> oe.Counts:
    """The whole population, as counts so large that rounding does not matter."""
    table = table_of(name)
    if POPULATIONS[name][4] is not None:
        table = cluster_tables(name, 20_000, np.random.default_rng(0)).mean(0)
    return oe.Counts.from_matrix(np.round(table * 10**12).astype(np.int64))


def study(job: tuple[str, int, int, int, tuple[str, ...]]) -> dict[str, dict[str, list[int]]]:
    """For each method and metric: how often the true score was held, missed below, missed above, not given."""
    name, data_sets, resamples, seed, texts = job
    warnings.simplefilter("ignore")
    metrics = [oe.get_metric(text) for text in texts]
    whole, clustered = population(name), POPULATIONS[name][4] is not None
    truth = {str(m): float(m.bind(whole)(whole.matrix)) for m in metrics}
    rng = np.random.default_rng([seed, *map(ord, name)])
    tally = {method: {str(m): [0, 0, 0, 0] for m in metrics} for method in ("auto", *COMPARED)}
    for i in range(data_sets):
        evidence = Evidence(sample(name, rng), metrics, resamples, i)
        for method in tally:
            for m, metric in enumerate(metrics):
                if method != "auto" and not fits(method, metric, clustered):
                    continue
                found = interval(evidence, m, method=method)
                value = truth[str(metric)]
                outcome = 3 if math.isnan(found.low) else 1 if value < found.low else 2 if value > found.high else 0
                tally[method][str(metric)][outcome] += 1
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument("--populations", nargs="*", default=list(POPULATIONS))
    parser.add_argument("--all-metrics", action="store_true", help="not the ten main ones, but all others of ordinal classes")
    parser.add_argument("--json")
    options = parser.parse_args()
    parts = 4
    others = tuple(
        m.name for m in oe.catalogue() if m.needs_only_counts and "edges" not in m.needs and m.name not in METRICS + SLOW
    )
    texts = others if options.all_metrics else METRICS
    jobs = [
        (name, options.data_sets // parts, options.resamples, part, texts)
        for name in options.populations
        for part in range(parts)
    ]
    found: dict[str, dict] = {}
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for done, (job, tally) in enumerate(zip(jobs, pool.imap(study, jobs), strict=True), 1):
            if sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)}", end="", file=sys.stderr)
            merged = found.setdefault(job[0], {})
            for method, by_metric in tally.items():
                for metric, outcome in by_metric.items():
                    old = merged.setdefault(method, {}).get(metric, [0, 0, 0, 0])
                    merged[method][metric] = [a + b for a, b in zip(old, outcome, strict=True)]
    for name, by_method in found.items():
        print(f"\n{name}")
        print("\n".join(table(by_method)))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file)


def cell(outcome: list[int]) -> str:
    """Coverage where an interval was given, and how often it was, if not always."""
    held, below, above, none = outcome
    given = held + below + above
    if given < 0.02 * (given + none) or not given:
        return "none"
    return f"{held / given:.3f}" + (f" ({given / (given + none):.0%})" if none else "")


def table(by_method: dict[str, dict[str, list[int]]]) -> list[str]:
    metrics = list(next(iter(by_method.values())))
    lines = [f"  {'':<12}" + "".join(f"{metric[:13]:>14}" for metric in metrics)]
    return lines + [f"  {method:<12}" + "".join(f"{cell(found[m]):>14}" for m in metrics) for method, found in by_method.items()]


if __name__ == "__main__":
    main()
