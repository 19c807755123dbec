"""Write docs/coverage.md from the results of the coverage study.

The results lie in benchmarks/results: coverage.json (the ten main metrics) and coverage_others.json (all the rest, with
--all-metrics), both written by coverage_study.py with --json; size*.txt, what size_study.py printed.
"""

import json
from pathlib import Path

import numpy as np
from generated import coverage, coverage_cell, grid

from ordeval.infer._auto import kind_of, table
from ordeval.metrics import get_metric

ROOT = Path(__file__).resolve().parents[1]
PAGE, RESULTS = ROOT / "docs" / "coverage.md", ROOT / "benchmarks" / "results"

HEAD = """# How often do 95 % intervals hold?

An interval is only as good as its measured coverage. For each population below, {sets:,} data sets were drawn, every interval was
computed, and it was counted how often it held the score of the population itself. The Monte-Carlo error of a cell is about
{error:.3f}. `make coverage-study` runs it again; `src/ordeval/infer/_auto.toml` holds the rules that follow from it, and
`method="auto"` reads them. Each data set had {resamples} replicates.

The rules were set after looking at these populations, so the table says what they achieve here; it is no promise for every other.

A percentage in brackets says how often an interval was given at all; *none* means that `auto` answers *cannot be given*, with the
reason, in (nearly) every data set of that population.

## The principal metrics, by method="auto"

"""

OTHERS = """
Cells outside 93 to 97 %: {outside}.

## All other metrics

The same populations, {sets:,} data sets each (Monte-Carlo error {error:.3f}): lowest and highest coverage of `auto` over the
populations, so that the lowest of a dozen cells is expected near {low:.2f} by chance alone.

"""

TEST = """
## The paired test

How often two models with equal population scores are called different at 5 % (`benchmarks/size_study.py`). "alike": both err in the
same way; "different": one errs by neighbouring classes, the other anywhere, scaled until the scores are equal, so that the models
cannot be exchanged. Column *studentised* is the test of `compare`; the exchange test beside it was not part of these runs (nan). The last
column is the mean number of rows that one model answers otherwise than the other.

```text
{size}
```
"""

METHODS = """
## Each method by itself

Lowest coverage over the populations without clusters, wherever a method gives an interval at all. This is why `auto` takes the method
it takes: no method holds everywhere.

"""


def span(results: dict, method: str, metric: str) -> str:
    found = []
    for name, by_method in results.items():
        outcome = by_method.get(method, {}).get(metric)
        if outcome and sum(outcome) and (method == "auto" or "cluster" not in name):
            share, given = coverage(outcome)
            if given >= 0.05:
                found.append(share)
    return "none" if not found else f"{min(found):.3f} to {max(found):.3f}" if method == "auto" else f"{min(found):.3f}"


def main() -> None:
    main_results, others = (
        json.loads(path.read_text(encoding="utf-8")) for path in (RESULTS / "coverage.json", RESULTS / "coverage_others.json")
    )
    metrics = list(next(iter(main_results.values()))["auto"])
    sets = sum(next(iter(main_results.values()))["auto"][metrics[0]])
    more = list(next(iter(others.values()))["auto"])
    more_sets = sum(next(iter(others.values()))["auto"][more[0]])
    page = HEAD.format(sets=sets, error=np.sqrt(0.0475 / sets), resamples=999)
    page += grid(
        ["population", *metrics], [[name, *(coverage_cell(r["auto"][m]) for m in metrics)] for name, r in main_results.items()]
    )
    outside = [f"{m} at {n}" for n, r in main_results.items() for m in metrics if "**" in coverage_cell(r["auto"][m])]
    page += OTHERS.format(
        outside="; ".join(outside) or "none",
        sets=more_sets,
        error=np.sqrt(0.0475 / more_sets),
        low=0.95 - 2 * np.sqrt(0.0475 / more_sets),
    )
    page += grid(["metric", "kind in auto.toml", "auto"], [[m, kind_of(get_metric(m)), span(others, "auto", m)] for m in more])
    methods = [method for method in next(iter(main_results.values())) if method != "auto"]
    page += METHODS + grid(
        ["method", *metrics], [[method, *(span(main_results, method, m) for m in metrics)] for method in methods]
    )
    size = "\n".join(path.read_text(encoding="utf-8").strip() for path in sorted(RESULTS.glob("size*.txt")))
    limits = table()["clusters"]
    page += f"\nClusters: at least {limits['least']} are needed; below {limits['jackknife_below']} the jackknife with Student's t, from there on BCa.\n"
    page += TEST.format(size=size)
    PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
