"""Write docs/coverage-raters.md from benchmarks/results: raters_attack.json and raters.json, which raters_attack.py and raters_study.py write."""

import json
from pathlib import Path

import numpy as np
from generated import coverage, coverage_cell, grid

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"

HEAD = """# How often do intervals for raters hold?

Data sets were drawn from populations whose true value is known, and every 95 % interval was computed. The tables show how often it held the true
value. The populations of the first tables were drawn with a seed, not chosen by hand. This page is written by `python scripts/raters_page.py`.

## Agreement: other items, these raters

`agreement(...)` with `method="auto"` inverts a test along the direction in which the coefficient changes fastest
([intervals](explanation/intervals.md)). The unit is the item. Smoothing adds one item in all: with two raters and no gaps, the same to every cell of
their table; otherwise a share of 1/K to items on which all raters agree, and the rest to observed items with one rating moved to another class. Gaps
stay gaps. At least 15 items with two ratings are needed (for Kendall's W and the ICC, items that everybody rated).

Populations: seed {seeds}; 2 to 6 raters, 2 to 5 classes, 15 to 300 items; raters with severity and noise of their own, near-perfect raters, one
dominant class, random patterns; every second with 10 to 50 % of the ratings missing. {sets} data sets each, {resamples:,} simulated samples a
step (the default is 2,000), Monte-Carlo error about {error:.3f}. `python benchmarks/raters_attack.py --seed {seed} --data-sets {most} --json
benchmarks/results/raters_attack.json` runs it again, `--names` for some coefficients only. ICC(2,k) is a rising function of ICC(2,1) and
holds as often. A population counts where an interval was given in at least a tenth of its data sets.

"""
GROUPS = """
Lowest / median coverage by the shape of the data:

"""
LOWEST = """
The lowest cells:

"""
CHOSEN = """
How the share 1/K was chosen: with all of the added item spread over single moved ratings, ordinal alpha held in 0.846 (5 raters, 17 items,
K 3, 31 % missing) and 0.835 (6 raters, 20 items, one dominant class) of 200 data sets (seed 7), since an unseen class on which all agree
was impossible; with 1/K, in 1.000 and 0.965 (200 and 300 simulated samples a step). The tables above are of another seed.

Measured only a little: the difference of `judge_panel` by Cohen's kappa, three noisy raters and a judge (four items added, 100 data sets of 1,000
simulated samples): 0.99 with 25 items, 0.97 with 120. Not measured: a rater's bias (the same core, four items added), `prmse`, the panel by
other metrics, more than six raters. By the jackknife with Student's t: a rater's severity and what the first coefficient would be without
a rater.
"""
JUDGES = """
## A judge as an instrument

`corrected_grades`: a judge grades all rows, people grade some of them. Intervals are found by test inversion with both sets of rows drawn, each
as large as it is; smoothing adds one row to either set, spread evenly. Given from 15 rows graded by people on. Populations: seed {seeds};
2 to 5 classes, 15 to 300 rows graded by people, 100 to 5,000 by the judge alone; noisy, near-perfect and generous judges, random tables; up to
10 % unusable answers. {sets} data sets each. `python benchmarks/raters_attack.py --kind judges --seed {seed} --json ...` runs it again. *inverse* was not measured
with these intervals.

"""
BEFORE = """
Version 0.1 had a percentile interval for the mean and one from a Dirichlet posterior for shares, from 50 rows graded by people on. In six
populations on which that was set, lowest coverage of those and of the interval that the judge's own grades would give (400 data sets):

"""
TUNED = """
## Populations on which earlier rules were set

What `auto` was in version 0.1, the jackknife over items with Student's t, and BCa for Gwet's AC and Kendall's W, with no interval below 30
items; eight populations, 400 data sets each, Monte-Carlo error 0.011, `python benchmarks/raters_study.py`. Bold cells are outside 93 to 97 %;
a percentage in brackets says how often an interval was given.

"""
METHODS = """
Methods that can still be requested by name: lowest coverage over the populations with 30 items or more, wherever an interval is given:

"""
CROSSED = """
## Other items and other raters

`resample="crossed"`: the variances over items and over raters, each by its jackknife, are added; Student's t with Satterthwaite's degrees of
freedom. Adding both counts the part that belongs to item and rater together twice, so with few items the intervals are too wide
rather than too narrow. *Percentile* is the bootstrap of items and raters (a rater drawn twice makes no pair with itself): with three
raters and many items it fails, which is why it is not the default. *Items only* is what a jackknife over items says about other raters:
it should not be read that way. The choice between the two crossed intervals was made on these very data sets.

"""


def lowest(results, method, what):
    found = [coverage(r[method][what]) for name, r in results.items() if not name.startswith("20 ")]
    shares = [share for share, given in found if given > 0.05]
    return f"{min(shares):.3f}" if shares else "none"


def cells_of(results):
    """(what, population, outcome) of every cell, in the order of the file."""
    return [(what, cell["words"], outcome) for cell in results.values() for what, outcome in cell["tally"].items()]


def shares_of(cells, what):
    """Coverage wherever an interval was given in one data set of ten or more, and the share of data sets without."""
    outcomes = [outcome for name, _, outcome in cells if name == what]
    found = [coverage(outcome) for outcome in outcomes]
    refused = 1 - np.mean([given for _, given in found]) if found else np.nan
    return [share for share, given in found if given >= 0.1], refused


def summary(cells, header):
    rows = []
    for what in dict.fromkeys(name for name, _, _ in cells):
        shares, refused = shares_of(cells, what)
        low, fifth, median = (f"{value:.3f}" for value in np.quantile(shares, [0, 0.05, 0.5]))
        rows.append([what, str(len(shares)), low, fifth, median, f"{refused:.1%}"])
    return grid([header, "populations", "lowest", "5 % quantile", "median", "refused"], rows)


def by_shape(cells):
    shapes = {
        "2 raters": lambda words: "2 raters" in words and "missing" not in words,
        "2 raters, gaps": lambda words: "2 raters" in words and "missing" in words,
        "3 to 6 raters": lambda words: "2 raters" not in words and "missing" not in words,
        "3 to 6 raters, gaps": lambda words: "2 raters" not in words and "missing" in words,
        "fewer than 40 items": lambda words: int(words.split(" items")[0].split(", ")[-1]) < 40,
        **{kind: lambda words, kind=kind: words.startswith(kind) for kind in dict.fromkeys(w.split(",")[0] for _, w, _ in cells)},
    }
    names, rows = list(dict.fromkeys(name for name, _, _ in cells)), []
    for shape, fits in shapes.items():
        row = [shape]
        for name in names:
            shares, _ = shares_of([cell for cell in cells if fits(cell[1])], name)
            row.append(f"{min(shares):.3f} / {np.median(shares):.3f}" if shares else "none")
        rows.append(row)
    return grid(["populations", *names], rows)


def worst(cells, number):
    given = [(*coverage(outcome), what, words, outcome) for what, words, outcome in cells if coverage(outcome)[1] >= 0.1]
    rows = [
        [what, words, f"{share:.3f}", str(outcome[1]), str(outcome[2]), f"{1 - there:.1%}"]
        for share, there, what, words, outcome in sorted(given, key=lambda cell: cell[0])[:number]
    ]
    return grid(["", "population", "held", "too high", "too low", "refused"], rows)


def facts(results):
    """Seeds and data sets, as the pages name them."""
    seeds = sorted({int(key.split("/")[0]) for key in results})
    sets = {sum(outcome) for cell in results.values() for outcome in cell["tally"].values()}
    said = f"{min(sets)}" if len(sets) == 1 else f"{min(sets)} or {max(sets)}"
    return {
        "seeds": ", ".join(map(str, seeds)),
        "seed": seeds[0],
        "sets": said,
        "most": max(sets),
        "error": np.sqrt(0.0475 / min(sets)),
    }


def main():
    attack = json.loads((RESULTS / "raters_attack.json").read_text(encoding="utf-8"))
    results = json.loads((RESULTS / "raters.json").read_text(encoding="utf-8"))
    items, raters, judges = (results[kind] for kind in ("items", "raters", "judges"))
    cells = cells_of(attack["coefficients"])
    page = HEAD.format(resamples=attack["resamples"], **facts(attack["coefficients"])) + summary(cells, "coefficient")
    page += GROUPS + by_shape(cells) + LOWEST + worst(cells, 8)
    page += CHOSEN
    cells = cells_of(attack["judges"])
    page += JUDGES.format(**facts(attack["judges"])) + summary(cells, "estimator and what") + LOWEST + worst(cells, 6)
    rows = []
    for method in next(iter(judges.values())):
        found = [(what, coverage(outcome)) for by_method in judges.values() for what, outcome in by_method[method].items()]
        for words, wanted in (("shares", False), ("mean", True)):
            shares = [share for what, (share, given) in found if (what == "mean") == wanted and given > 0.05]
            rows.append([f"{method}: {words}", f"{min(shares):.3f}"])
    page += BEFORE + grid(["", "lowest"], rows)
    first = next(iter(items.values()))
    names = list(first["auto"])
    page += TUNED
    page += grid(["population", *names], [[n, *(coverage_cell(r["auto"][c]) for c in names)] for n, r in items.items()])
    methods = [method for method in first if method != "auto"]
    page += METHODS + grid(["method", *names], [[m, *(lowest(items, m, c) for c in names)] for m in methods])
    names = list(next(iter(raters.values()))["crossed jackknife"])
    rows = [[n, m, *(coverage_cell(r[m][c]) for c in names)] for n, r in raters.items() for m in r]
    page += CROSSED + grid(["population", "interval", *names], rows)
    (ROOT / "docs" / "coverage-raters.md").write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
