"""Write docs/coverage-raters.md from benchmarks/results/raters.json, which benchmarks/raters_study.py writes with --json."""

import json
from pathlib import Path

import numpy as np
from generated import coverage, coverage_cell, grid

ROOT = Path(__file__).resolve().parents[1]

HEAD = """# How often do intervals for raters hold?

For each population below, {sets} data sets were drawn, every 95 % interval was computed, and it was counted how often it held the true
value. The Monte-Carlo error of a cell is about {error:.3f}; bold cells are outside 93 to 97 %. A percentage in brackets says how often an
interval was given at all. `python benchmarks/raters_study.py` runs it again. The rules for items and judges were set
on other data sets of the same populations, so the tables say what they achieve here; they are no promise for every other.

## Other items, these raters

`agreement(...)` with `method="auto"`: the jackknife over items with Student's t; BCa for Gwet's AC and Kendall's W. No interval is given
below 30 items with two ratings, or, for Kendall's W and the ICC, below 30 items that everybody rated.

"""
METHODS = """
Lowest coverage of each method over the populations with 30 items or more, wherever it gives an interval:

"""
CROSSED = """
## Other items and other raters

`resample="crossed"`: the variances over items and over raters, each by its jackknife, are added; Student's t with Satterthwaite's degrees of
freedom. Adding both counts the part that belongs to item and rater together twice, so with few items the intervals are too wide
rather than too narrow. *Percentile* is the bootstrap of items and raters (a rater drawn twice makes no pair with itself): with three
raters and many items it fails, which is why it is not the default. *Items only* is what an interval over items says about other raters:
it should not be read so. The choice between the two crossed intervals was made on these very data sets.

"""
JUDGES = """
## A judge as an instrument

`corrected_grades`: a judge who errs, mostly upwards, grades all rows; people grade some of them. *poststratified* is the default. The mean
has a percentile interval from both samples drawn again, the shares one from a Dirichlet posterior with a prior of 1/K of a row in each
cell, which is too wide rather than too narrow where the judge hardly errs. *naive* is the interval that the judge's grades alone would
give: it is narrow, and it does not hold. No interval is given below 50 rows graded by people.

"""


def lowest(results, method, what):
    found = [coverage(r[method][what]) for name, r in results.items() if not name.startswith("20 ")]
    shares = [share for share, given in found if given > 0.05]
    return f"{min(shares):.3f}" if shares else "none"


def main():
    results = json.loads((ROOT / "benchmarks" / "results" / "raters.json").read_text(encoding="utf-8"))
    items, raters, judges = (results[kind] for kind in ("items", "raters", "judges"))
    first = next(iter(items.values()))
    sets = sum(next(iter(first["auto"].values())))
    page = HEAD.format(sets=sets, error=np.sqrt(0.0475 / sets))
    names = list(first["auto"])
    page += grid(["population", *names], [[n, *(coverage_cell(r["auto"][c]) for c in names)] for n, r in items.items()])
    methods = [method for method in first if method != "auto"]
    page += METHODS + grid(["method", *names], [[m, *(lowest(items, m, c) for c in names)] for m in methods])
    names = list(next(iter(raters.values()))["crossed jackknife"])
    rows = [[n, m, *(coverage_cell(r[m][c]) for c in names)] for n, r in raters.items() for m in r]
    page += CROSSED + grid(["population", "interval", *names], rows)
    page += JUDGES
    for name, by_method in judges.items():
        names = list(by_method["naive"])
        page += f"\n{name}:\n\n" + grid(["", *names], [[m, *(coverage_cell(o[w]) for w in names)] for m, o in by_method.items()])
    (ROOT / "docs" / "coverage-raters.md").write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
