"""An adversary for the intervals of raters: populations drawn by a seed, and how often 95 % intervals hold the true coefficient.

    python benchmarks/raters_attack.py [--seed 1] [--populations 26] [--data-sets 200] [--kind coefficients] [--names ...] [--json FILE]

A population is a list of patterns of ratings with their shares, so its true coefficient is known exactly.  Patterns come from raters with
severities and noise of their own, near-perfect raters, one dominant class, or chance; with or without missing ratings; 2 to 6 raters, 2 to
5 classes, 15 to 300 items.  Judges (`corrected_grades`): a table person by judge, drawn likewise.
"""

import argparse
import json
import math
import multiprocessing
import time
from pathlib import Path

import numpy as np

from ordeval.infer._methods import interval
from ordeval.raters._coefficients import COEFFICIENTS, DEFAULT
from ordeval.raters._instrument import ESTIMATORS, _Intervals
from ordeval.raters._intervals import ItemEvidence
from ordeval.raters._sums import RatedItems

KINDS = ("noisy raters", "near-perfect", "one dominant class", "random patterns")
PATTERNS = 3_000


def population(seed, number):
    """Its kind in words, the number of items, patterns (patterns, raters) and their shares."""
    rng = np.random.default_rng([19, seed, number])
    kind = KINDS[number % len(KINDS)]
    k = int(rng.integers(2, 6))
    raters = 2 if number % 3 == 0 else int(rng.integers(3, 7))
    items = int(np.exp(rng.uniform(np.log(15), np.log(300))))
    missing = float(rng.uniform(0.1, 0.5)) if number % 2 else 0.0
    if kind == "random patterns":
        codes = rng.integers(0, k, (int(rng.integers(3, 40)), raters))
    else:
        noise = rng.uniform(0.05, 0.2) if kind == "near-perfect" else rng.uniform(0.3, 1.2)
        cuts = np.sort(rng.normal(0, 1, k - 1))
        if kind == "one dominant class":
            cuts = np.sort(rng.uniform(1.2, 2.5, k - 1))
        quality, severity = rng.normal(size=PATTERNS), rng.normal(0, 0.25, raters)
        noises = noise * np.exp(rng.normal(0, 0.3, raters))
        codes = np.searchsorted(cuts, quality[:, None] + severity + noises * rng.normal(size=(PATTERNS, raters)))
    if missing:
        many = max(1, PATTERNS // len(codes))
        codes = np.repeat(codes, many, 0)
        codes = np.where(rng.random(codes.shape) < missing, -1, codes)
        codes = codes[(codes >= 0).any(1)]
    weights = np.ones(len(codes))
    if kind == "random patterns":
        weights = rng.dirichlet(np.full(len(codes), 0.5)) if not missing else rng.exponential(size=len(codes))
    codes, place = np.unique(codes, axis=0, return_inverse=True)
    share = np.bincount(place.reshape(-1), weights)
    words = f"{kind}, {items} items, {raters} raters, K {k}" + (f", {missing:.0%} missing" if missing else "")
    return words, items, codes, share / share.sum(), k


def true_values(codes, share, k, names):
    units = RatedItems(codes, share * 1e9, k)
    sums = units.sums(units.whole)
    return [float(COEFFICIENTS[name].bind("quadratic", None, k)(sums)[0]) for name in names]


def outcome(found, value):
    """0 held, 1 too high, 2 too low, 3 not given."""
    if math.isnan(found.low) or math.isnan(value):
        return 3
    return 1 if value < found.low - 1e-9 else 2 if value > found.high + 1e-9 else 0


def coefficients(seed, number, sets, size, part, names, method="auto"):
    """What the population is, and by coefficient how often the interval held, was too high, too low, not given."""
    words, items, codes, share, k = population(seed, number)
    truth = true_values(codes, share, k, names)
    rng = np.random.default_rng([20, part, seed, number])
    records = [COEFFICIENTS[name] for name in names]
    kernels = [record.bind("quadratic", None, k) for record in records]
    tally = {name: [0] * 4 for name in names}
    for i in range(sets):
        drawn = rng.multinomial(items, share)
        units = RatedItems(codes[drawn > 0], drawn[drawn > 0], k)
        usable = (units.codes >= 0).any(0).all() and units.comparable > 1
        evidence = ItemEvidence(units, kernels, records, size, i) if usable else None
        for m, name in enumerate(names):
            found = interval(evidence, m, method=method) if evidence else None
            tally[name][3 if found is None else outcome(found, truth[m])] += 1
    return words, tally


def judge_population(seed, number):
    """What it is in words, rows graded by people and by the judge alone, and P(person, judge) (K, K + 1), the last column unparsable."""
    rng = np.random.default_rng([23, seed, number])
    k = int(rng.integers(2, 6))
    people, alone = (int(np.exp(rng.uniform(*np.log(ends)))) for ends in ((15, 300), (100, 5_000)))
    kind = ("noisy judge", "near-perfect judge", "generous judge", "random table")[number % 4]
    shares = rng.dirichlet(np.full(k, 0.7)) if number % 3 == 0 else rng.dirichlet(np.full(k, 3.0))
    step = np.subtract.outer(np.arange(k), np.arange(k)).T
    weight = np.exp(-np.abs(step) * rng.uniform(0.7, 2.0))
    if kind == "near-perfect judge":
        weight = np.exp(-np.abs(step) * rng.uniform(3.0, 5.0))
    if kind == "generous judge":
        weight = np.exp(-np.abs(step - 0.7) * rng.uniform(1.0, 2.0))
    if kind == "random table":
        weight = rng.dirichlet(np.full(k, 0.7), k)
    lost = float(rng.choice([0.0, 0.02, 0.1]))
    table = weight / weight.sum(1, keepdims=True) * (1 - lost)
    joint = shares[:, None] * np.column_stack([table, np.full(k, lost)])
    return f"{kind}, {people} of {people + alone:,}, K {k}, rarest class {shares.min():.1%}", people, alone, joint


def judges(seed, number, sets, size, part, estimators):
    """By estimator: how often the interval of the mean grade, of the rarest and of the commonest class's share held."""
    words, people, alone, joint = judge_population(seed, number)
    k, shares = len(joint), joint.sum(1)
    of = {
        "mean": np.arange(1.0, k + 1),
        "rarest class": np.eye(k)[shares.argmin()],
        "commonest class": np.eye(k)[shares.argmax()],
    }
    rng = np.random.default_rng([24, part, seed, number])
    tally = {f"{estimator}: {what}": [0] * 4 for estimator in estimators for what in of}
    for i in range(sets):
        both = rng.multinomial(people, joint.ravel()).reshape(joint.shape).astype(float)
        only = rng.multinomial(alone, joint.sum(0)).astype(float)
        for estimator in estimators:
            intervals = _Intervals(both, only, ESTIMATORS[estimator], 0.95, size, i)
            for what, numbers in of.items():
                tally[f"{estimator}: {what}"][outcome(intervals.score(numbers, what), float(shares @ numbers))] += 1
    return words, tally


def work(job):
    kind, *rest = job
    return (coefficients if kind == "coefficients" else judges)(*rest)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--populations", type=int, default=26)
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--parts", type=int, nargs="*", default=[0, 1], help="which half of the data sets")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kind", choices=["coefficients", "judges"], default="coefficients")
    parser.add_argument("--names", nargs="*", help="coefficients, or estimators of corrected_grades")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no population after this")
    parser.add_argument("--json", help="results are added to those of the same seed in this file")
    options = parser.parse_args()
    names = tuple(options.names or (DEFAULT if options.kind == "coefficients" else ESTIMATORS))
    jobs = [
        (options.kind, options.seed, number, options.data_sets // 2, options.resamples, part, names)
        for part in options.parts
        for number in range(options.populations)
    ]
    end, found = time.monotonic() + 60 * options.minutes, {}
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        waiting = [(job, pool.apply_async(work, (job,))) for job in jobs]
        for job, result in waiting:
            try:
                words, tally = result.get(max(0.0, end - time.monotonic()))
            except multiprocessing.TimeoutError:
                pool.terminate()
                break
            place = found.setdefault(f"{options.seed}/{job[2]}", {"words": words, "tally": {}})["tally"]
            for name, new in tally.items():
                place[name] = [a + b for a, b in zip(place.get(name, [0] * 4), new, strict=True)]
            print(f"{job[2]:3} {words}: " + ", ".join(f"{name} {told(o)}" for name, o in tally.items()), flush=True)
            if options.json:
                keep(options, found)


def told(counts):
    held, high, low, none = counts
    return f"{held / max(1, held + high + low):.3f}" + (f" ({none} none)" if none else "")


def keep(options, found):
    """Add what was found to the file; populations and coefficients measured now replace what is there."""
    path = Path(options.json)
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"resamples": options.resamples}
    place = stored.setdefault(options.kind, {})
    for key, new in found.items():
        old = place.setdefault(key, {"words": new["words"], "tally": {}})
        old["tally"].update(new["tally"])
    path.write_text(json.dumps(stored, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
