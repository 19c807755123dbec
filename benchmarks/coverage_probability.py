"""How often do 95 % intervals of probability metrics hold the true score?  By simulation, for every method and population.

    python benchmarks/coverage_probability.py [--data-sets 500] [--resamples 399] [--populations NAME ...] [--json FILE] [--page FILE]

Without replicates (--resamples 0) only the methods that need none are tried, which takes a minute.

A row has a latent position; its class follows a proportional-odds model, and the forecast is that model's with what the population
does to it.  The true score is that of a million rows of the population.
"""

import argparse
import json
import multiprocessing
import sys
import warnings
from pathlib import Path

import numpy as np

import ordeval as oe
from ordeval.infer._methods import fits, interval
from ordeval.infer._row_units import RowEvidence, row_differences

METRICS = (
    *("rps", "rps_skill", "log_loss", "brier", "ordinal_log_loss", "threshold_loss", "unimodality"),
    *("concordance_index", "ordinal_auc", "ordinal_auc(average='pairs')", "volume_under_surface"),
    *("calibration_slope", "cumulative_calibration_error"),
)
METHODS = ("auto", "jackknife", "logit", "wilson", "percentile", "bca", "studentised")
REPLICATES = ("percentile", "bca", "studentised")  # not tried in 1,000 rows, nor for a slope: they would take hours
LARGE = 1_000_000

#: name: (rows, cuts of the latent scale, strength of the signal, what its logits are multiplied by, or noise, clusters or None)
POPULATIONS = {
    "N 50, K 4, calibrated": (50, [-1.0, 0.3, 1.5], 1.5, 1, None),
    "N 50, K 3, too sure, rare class": (50, [0.5, 3.0], 2.0, 2, None),
    "N 50, K 5, noisy": (50, [-2.0, -0.7, 0.7, 2.0], 2.5, "noise", None),
    "N 100, K 3, too sure, rare class": (100, [0.5, 3.0], 2.0, 2, None),
    "N 100, K 5, noisy": (100, [-2.0, -0.7, 0.7, 2.0], 2.5, "noise", None),
    "N 200, K 4, calibrated": (200, [-1.0, 0.3, 1.5], 1.5, 1, None),
    "N 1000, K 4, calibrated": (1_000, [-1.0, 0.3, 1.5], 1.5, 1, None),
    "N 200, K 3, too sure, rare class": (200, [0.5, 3.0], 2.0, 2, None),
    "N 1000, K 3, too sure, rare class": (1_000, [0.5, 3.0], 2.0, 2, None),
    "N 200, K 5, noisy": (200, [-2.0, -0.7, 0.7, 2.0], 2.5, "noise", None),
    "N 1000, K 5, noisy": (1_000, [-2.0, -0.7, 0.7, 2.0], 2.5, "noise", None),
    "30 clusters of 10, K 4": (300, [-1.0, 0.3, 1.5], 1.5, 1, 30),
}


def sample(name, rng, rows=None):
    """A forecast of some rows of the population."""
    size, cuts, strength, change, clusters = POPULATIONS[name]
    n = rows or size
    groups = None if clusters is None else np.arange(n) // (size // clusters)
    shift = 0.0 if groups is None else rng.normal(0, 0.7, groups[-1] + 1)[groups]
    position = rng.normal(0, 1, n)
    logit = np.array(cuts) - strength * position[:, None]
    came = rng.logistic(0, 1, n) + strength * position + shift
    true = (came[:, None] > cuts).sum(1)
    below = 1 / (1 + np.exp(-logit * (1 if change == "noise" else change)))
    proba = np.diff(below, axis=1, prepend=0, append=1)
    if change == "noise":
        proba = noisy(proba, rng)
    return oe.forecast(true, proba, labels=range(len(cuts) + 1), cluster=groups)


def noisy(proba, rng):
    proba = proba * np.exp(rng.normal(0, 0.7, proba.shape))
    return proba / proba.sum(1, keepdims=True)


PAIRED = ("rps", "rps_skill", "log_loss", "concordance_index")


def paired(task):
    """p-values of two models that are equally good: the same forecast with noise of its own for each."""
    n, seed, resamples = task
    rng = np.random.default_rng([seed, n])
    rows = sample("N 200, K 4, calibrated", rng, n)
    a, b = (oe.forecast(rows.true, noisy(rows.proba, rng), labels=range(4)) for _ in range(2))
    found = row_differences(
        a, b, [oe.get_metric(text) for text in PAIRED[: 3 if n >= 1_000 else 4]], n_resamples=resamples, rng=seed
    )
    return [difference.p_value for difference in found]


def size_study(data_sets, resamples, pool):
    """How often two equally good models are called different at 5 %, as a table."""
    lines = ["| rows | " + " | ".join(PAIRED) + " |", "|" + " --- |" * (len(PAIRED) + 1)]
    for n in (200, 1_000):
        found = np.array(pool.map(paired, [(n, seed, resamples) for seed in range(data_sets)]))
        lines.append(
            f"| {n:,} | "
            + " | ".join([f"{share:.3f}" for share in (found <= 0.05).mean(0)] + [""] * (len(PAIRED) - found.shape[1]))
            + " |"
        )
    return "\n".join(lines)


def truths(name):
    metrics = [oe.get_metric(text) for text in METRICS]
    rows = sample(name, np.random.default_rng(99), LARGE)
    return [metric.bind(rows).point() for metric in metrics]


def one(task):
    """For one data set: the ends of every interval, or None."""
    name, seed, resamples = task
    warnings.simplefilter("ignore")
    rows = sample(name, np.random.default_rng([seed, len(name), ord(name[2])]))
    found = {}
    for text in METRICS:
        metric = oe.get_metric(text)
        evidence = RowEvidence(rows, [metric], max(1, resamples), seed)
        short = text == "calibration_slope" or len(rows) >= 1_000
        for method in METHODS:
            if method in REPLICATES and (short or not resamples):
                continue
            if method != "auto" and not fits(method, metric, rows.cluster is not None):
                continue
            ends = interval(evidence, 0, method=method)
            found[f"{text} | {method}"] = None if ends.method == "none" else (ends.low, ends.high)
    return found


def study(name, data_sets, resamples, pool):
    values = dict(zip(METRICS, truths(name), strict=True))
    outcomes = {}
    for i, found in enumerate(pool.imap_unordered(one, [(name, seed, resamples) for seed in range(data_sets)]), 1):
        for key, ends in found.items():
            held, below, above, none = outcomes.setdefault(key, [0, 0, 0, 0])
            value = values[key.partition(" | ")[0]]
            if ends is None:
                outcomes[key] = [held, below, above, none + 1]
            else:
                outcomes[key] = [
                    held + (ends[0] <= value <= ends[1]),
                    below + (value < ends[0]),
                    above + (value > ends[1]),
                    none,
                ]
        print(f"\r{name}: {i}/{data_sets}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return outcomes


def cell(outcome):
    """Coverage where an interval was given, and how often it was, if not always."""
    held, below, above, none = outcome
    given = held + below + above
    if given < 0.02 * (given + none) or not given:
        return "none"
    return f"{held / given:.3f}" + (f" ({given / (given + none):.0%})" if none else "")


def table(found, method):
    """Rows are populations, columns metrics."""
    lines = [["population", *METRICS]]
    for name, outcomes in found.items():
        lines.append([name, *(cell(outcomes[k]) if (k := f"{m} | {method}") in outcomes else "" for m in METRICS)])
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|" + " --- |" * len(lines[0]), *rest])


PAGE = """# How often do 95 % intervals of probability metrics hold?

For each population below, {data_sets} data sets were drawn, every interval was computed, and it was counted how often it held the
score of the population, which was taken from a million of its rows. The Monte-Carlo error of a cell is about 0.010. Each data set had {resamples}
replicates. `python benchmarks/coverage_probability.py` runs it again; `src/ordeval/infer/_auto.toml` holds the rules that follow from
it, and `method="auto"` reads them. The rules were set after looking at these populations, so the table says what they achieve here; it is
no promise for every other.

A row has a latent position, its class follows a proportional-odds model, and the forecast is that model's: as it is (*calibrated*), with
its logits doubled (*too sure*), or every probability multiplied by a random factor (*noisy*). Clusters share a shift that the forecast does not know.

A percentage in brackets says how often an interval was given at all; *none* means that it *cannot be given*. Cells that are empty were
not tried: the method does not fit the metric, or fitting and sorting anew in every replicate would have taken too long.

## method="auto"

{auto}

{reading}

{others}

## The paired test

How often two equally good models are called different at 5 %: the calibrated forecast with noise of its own for each of them,
{data_sets} data sets, Monte-Carlo error about 0.010.

{size}
"""


def page(found, data_sets, resamples, reading, size):
    others = "\n\n".join(f"## method={m!r}\n\n{table(found, m)}" for m in METHODS if m != "auto")
    text = PAGE.format(
        data_sets=data_sets, resamples=resamples, auto=table(found, "auto"), others=others, reading=reading, size=size
    )
    return text.replace("method='", 'method="').replace("'\n", '"\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-sets", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=399)
    parser.add_argument("--populations", nargs="*", default=list(POPULATIONS))
    parser.add_argument("--json")
    parser.add_argument("--page")
    parser.add_argument("--from-json", nargs="*", help="take the outcomes of earlier runs on the same data sets")
    options = parser.parse_args()
    with multiprocessing.Pool(2) as pool:
        if options.from_json:
            found = {}
            for file in options.from_json:
                for name, outcomes in json.loads(Path(file).read_text(encoding="utf-8")).items():
                    found.setdefault(name, {}).update(outcomes)
            found = {name: found[name] for name in POPULATIONS if name in found}
        else:
            found = {name: study(name, options.data_sets, options.resamples, pool) for name in options.populations}
        size = size_study(options.data_sets, options.resamples, pool) if options.resamples else ""
    for method in METHODS:
        print(f"\n{method}\n{table(found, method)}")
    if options.json:
        Path(options.json).write_text(json.dumps(found), encoding="utf-8")
    if options.page:
        reading = Path(__file__).with_name("coverage_probability_reading.md").read_text(encoding="utf-8").strip()
        Path(options.page).write_text(page(found, options.data_sets, options.resamples, reading, size), encoding="utf-8")


if __name__ == "__main__":
    main()
