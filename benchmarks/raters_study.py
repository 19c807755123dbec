"""The coverage study for raters: how often does a 95 % interval hold the true coefficient, the true distribution, the true mean?

    python benchmarks/raters_study.py [--data-sets 1000] [--resamples 499] [--workers 2] [--json FILE]

Raters see an item's quality with a severity and a noise of their own, and give it a class.  Over items: these raters, other items;
the true coefficient is that of a million items.  Crossed: other items and other raters; the true coefficient is that of a million items
with two fresh raters each.  Instrument: a judge with a bias of its own, some rows graded by a person.
"""

import argparse
import json
import math
import multiprocessing
import sys
from functools import cache

import numpy as np

import ordeval as oe
from ordeval.infer._methods import interval
from ordeval.raters._agreement import _item_score, crossed_replicates
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._instrument import ESTIMATORS, corrected_grades
from ordeval.raters._intervals import ItemEvidence
from ordeval.raters._sums import RatedItems

SHOWN = (
    "alpha_ordinal",
    "gwet_ac",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "pairwise_kappa",
    "kendall_w",
    "icc",
    "icc_mean",
)
BY_RATERS = ("alpha_ordinal", "gwet_ac", "fleiss_kappa", "conger_kappa", "brennan_prediger", "icc")
ITEM_METHODS = ("auto", "percentile", "bca", "delta", "fisher", "jackknife")

#: name: (items, raters, cuts of the quality, noise, spread of severity, share of ratings missing)
PANELS = {
    "20 items, 3 raters, K 5": (20, 3, [-1.2, -0.4, 0.4, 1.2], 0.6, 0.2, 0.0),
    "30 items, 5 raters, K 4": (30, 5, [-1.0, 0.0, 1.0], 0.8, 0.3, 0.0),
    "50 items, 2 raters, K 5": (50, 2, [-1.2, -0.4, 0.4, 1.2], 0.6, 0.2, 0.0),
    "50 items, 4 raters, K 5, 30 % missing": (50, 4, [-1.2, -0.4, 0.4, 1.2], 0.8, 0.3, 0.3),
    "100 items, 3 raters, K 3, one class 80 %": (100, 3, [0.85, 1.8], 0.5, 0.2, 0.0),
    "100 items, 10 raters, K 5, 60 % missing": (100, 10, [-1.2, -0.4, 0.4, 1.2], 0.8, 0.3, 0.6),
    "200 items, 5 raters, K 7": (200, 5, [-1.6, -1.0, -0.4, 0.2, 0.8, 1.6], 1.0, 0.3, 0.0),
    "1000 items, 3 raters, K 5, near-perfect": (1000, 3, [-1.2, -0.4, 0.4, 1.2], 0.15, 0.05, 0.0),
}


def graded(quality, severity, noise, cuts, rng):
    """Codes (items, raters)."""
    seen = quality[:, None] + severity + noise * rng.normal(size=(len(quality), severity.shape[-1]))
    return np.searchsorted(cuts, seen)


def counted(codes, k):
    columns = {f"r{g}": np.where(codes[:, g] < 0, np.nan, codes[:, g]) for g in range(codes.shape[1])}
    return oe.raters.ratings(columns, labels=range(k))


def panel_raters(name, number, rng):
    *_, noise, spread, _ = PANELS[name]
    return rng.normal(0, spread, number), noise * np.exp(rng.normal(0, 0.3, number))


def sample(name, severity, noise, items, rng):
    """The codes of some items; every item keeps two ratings at least."""
    missing = PANELS[name][5]
    codes = graded(rng.normal(size=items), severity, noise, PANELS[name][2], rng)
    order = rng.random(codes.shape)
    gone = (order < missing) & (order.argsort(1).argsort(1) < codes.shape[1] - 2)
    return np.where(gone, -1, codes)


def values(units, names):
    sums = units.sums(units.whole)
    return {n: float(COEFFICIENTS[n].bind("quadratic", None, units.K)(sums)[0]) for n in names}


@cache
def true_of_items(name):
    """Of these raters and very many items."""
    rng = np.random.default_rng([1, *map(ord, name)])
    severity, noise = panel_raters(name, PANELS[name][1], rng)
    k = len(PANELS[name][2]) + 1
    return (severity, noise), values(RatedItems.of(counted(sample(name, severity, noise, 1_000_000, rng), k)), SHOWN)


@cache
def true_of_raters(name):
    """Of very many raters: a million items with two fresh raters each."""
    rng = np.random.default_rng([2, *map(ord, name)])
    n, (severity, noise) = 1_000_000, panel_raters(name, 2_000_000, rng)
    codes = graded(rng.normal(size=n), severity.reshape(n, 2), noise.reshape(n, 2), PANELS[name][2], rng)
    return values(RatedItems.of(counted(codes, len(PANELS[name][2]) + 1)), BY_RATERS)


def outcome(low, high, value):
    return 3 if math.isnan(low) else 1 if value < low else 2 if value > high else 0


def study_items(name, sets, resamples, seed):
    (severity, noise), truth = true_of_items(name)
    rng = np.random.default_rng([13, seed, *map(ord, name)])
    k = len(PANELS[name][2]) + 1
    tally = {method: {c: [0] * 4 for c in SHOWN} for method in ITEM_METHODS}
    kernels = [COEFFICIENTS[c].bind("quadratic", None, k) for c in SHOWN]
    for i in range(sets):
        units = RatedItems.of(counted(sample(name, severity, noise, PANELS[name][0], rng), k))
        evidence = ItemEvidence(units, kernels, [COEFFICIENTS[c] for c in SHOWN], resamples, i)
        for method in ITEM_METHODS:
            for m, c in enumerate(SHOWN):
                found = _item_score(evidence, m, "auto", 0.95) if method == "auto" else interval(evidence, m, method=method)
                tally[method][c][outcome(found.low, found.high, truth[c])] += 1
    return tally


def study_raters(name, sets, resamples, seed):
    truth = true_of_raters(name)
    rng = np.random.default_rng([4, seed, *map(ord, name)])
    k = len(PANELS[name][2]) + 1
    tally = {method: {c: [0] * 4 for c in BY_RATERS} for method in ("crossed jackknife", "crossed percentile", "items only")}
    for i in range(sets):
        severity, noise = panel_raters(name, PANELS[name][1], rng)
        counts = counted(sample(name, severity, noise, PANELS[name][0], rng), k)
        units = RatedItems.of(counts)
        results = {
            "crossed jackknife": oe.raters.agreement(counts, BY_RATERS, resample="crossed", n_resamples=400).scores,
            "items only": oe.raters.agreement(counts, BY_RATERS, method="jackknife", n_resamples=400).scores,
        }
        for method, scores in results.items():
            for c, score in scores.items():
                tally[method][c][outcome(score.low, score.high, truth[c])] += 1
        kernels = [COEFFICIENTS[c].bind("quadratic", None, k) for c in BY_RATERS]
        drawn = crossed_replicates(
            units, lambda sums, kernels=kernels: np.stack([f(sums) for f in kernels], -1), resamples, np.random.default_rng(i)
        )
        for m, c in enumerate(BY_RATERS):
            known = drawn[:, m][~np.isnan(drawn[:, m])]
            low, high = np.quantile(known, [0.025, 0.975], method="weibull") if known.size else (math.nan, math.nan)
            tally["crossed percentile"][c][outcome(low, high, truth[c])] += 1
    return tally


#: name: (graded by people, by the judge alone, shares of the classes, how far the judge errs upwards, unparsable share)
JUDGES = {
    "50 of 1000, generous judge": (50, 1000, [0.1, 0.2, 0.4, 0.2, 0.1], 0.4, 0.02),
    "100 of 5000, generous judge": (100, 5000, [0.1, 0.2, 0.4, 0.2, 0.1], 0.4, 0.02),
    "200 of 2000, skewed, generous judge": (200, 2000, [0.5, 0.25, 0.15, 0.07, 0.03], 0.4, 0.05),
    "300 of 10000, fair but noisy judge": (300, 10_000, [0.2, 0.3, 0.3, 0.2], 0.0, 0.0),
    "100 of 3000, 7 classes, near-perfect judge": (100, 3000, [0.06, 0.12, 0.2, 0.24, 0.2, 0.12, 0.06], -0.17, 0.01),
    "500 of 50000, mild bias": (500, 50_000, [0.05, 0.15, 0.3, 0.3, 0.2], 0.15, 0.01),
}


def judge_table(name):
    """P(judge | person), (K, K + 1): the last column is an unparsable answer."""
    _, _, shares, up, lost = JUDGES[name]
    k = len(shares)
    step = np.subtract.outer(np.arange(k), np.arange(k)).T
    far = 0.03 if up >= 0 else 0.0
    weight = np.where(step == 0, 1.0, np.where(step == 1, 0.2 + up, np.where(step == -1, 0.2 + min(up, 0), far)))
    table = weight / weight.sum(1, keepdims=True) * (1 - lost)
    return np.column_stack([table, np.full(k, lost)])


def study_judges(name, sets, resamples, seed):
    people, alone, shares, *_ = JUDGES[name]
    shares, errors, k = np.array(shares), judge_table(name), len(shares)
    joint = shares[:, None] * errors
    rng = np.random.default_rng([15, seed, *map(ord, name)])
    what = [*(f"class {c + 1}" for c in range(k)), "mean"]
    truth = [*shares.tolist(), float(shares @ np.arange(1, k + 1))]
    tally = {name: {w: [0] * 4 for w in what} for name in (*ESTIMATORS, "naive")}
    for i in range(sets):
        both = rng.multinomial(people, joint.ravel()).reshape(k, k + 1)
        only = rng.multinomial(alone, joint.sum(0))
        cells = [(h, j if j < k else -1, both[h, j]) for h in range(k) for j in range(k + 1)]
        cells += [(-1, j if j < k else -1, only[j]) for j in range(k + 1)]
        rows = np.array([(h, j) for h, j, n in cells for _ in range(n)], float)
        rows = np.where(rows < 0, np.nan, rows + 1)
        counts = oe.raters.ratings({"person": rows[:, 0], "judge": rows[:, 1]}, labels=range(1, k + 1))
        for estimator in ESTIMATORS:
            found = corrected_grades(counts, person="person", judge="judge", estimator=estimator, n_resamples=resamples, rng=i)
            scores = [*found.shares.values(), found.mean]
            for w, score, value in zip(what, scores, truth, strict=True):
                tally[estimator][w][outcome(score.low, score.high, value)] += 1
        for w, score, value in zip(what, [*found.naive_shares.values(), found.naive_mean], truth, strict=True):
            tally["naive"][w][outcome(score.low, score.high, value)] += 1
    return tally


STUDIES = {"items": (study_items, PANELS), "raters": (study_raters, PANELS), "judges": (study_judges, JUDGES)}


def work(job):
    kind, name, sets, resamples, seed = job
    return STUDIES[kind][0](name, sets, resamples, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=499)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kinds", nargs="*", default=list(STUDIES))
    parser.add_argument("--json")
    options = parser.parse_args()
    parts = 4
    jobs = [
        (kind, name, options.data_sets // parts, options.resamples, part)
        for kind in options.kinds
        for name in STUDIES[kind][1]
        if not (kind == "raters" and PANELS[name][1] < 3)
        for part in range(parts)
    ]
    found = {}
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for done, (job, tally) in enumerate(zip(jobs, pool.imap(work, jobs), strict=True), 1):
            print(f"{done} of {len(jobs)}", file=sys.stderr)
            merged = found.setdefault(job[0], {}).setdefault(job[1], {})
            for method, outcomes in tally.items():
                for what, counts in outcomes.items():
                    old = merged.setdefault(method, {}).get(what, [0] * 4)
                    merged[method][what] = [a + b for a, b in zip(old, counts, strict=True)]
    for kind, by_name in found.items():
        for name, by_method in by_name.items():
            print(f"\n{kind}: {name}")
            for method, outcomes in by_method.items():
                cells = [
                    f"{what} {h / max(h + b + a, 1):.3f}" + (f" ({n} none)" if n else "")
                    for what, (h, b, a, n) in outcomes.items()
                ]
                print(f"  {method:<20}" + ", ".join(cells))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
