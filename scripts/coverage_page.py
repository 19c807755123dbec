"""Write docs/coverage.md and docs/coverage-probability.md from the results of the coverage study; with --check, compare them.

The results lie in benchmarks/results/coverage, one file for each part, written by benchmarks/coverage_study.py.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from generated import grid, put

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from coverage_measure import FLOOR, Cell  # noqa: E402
from coverage_study import DEFAULT, METHODS, PARTS, RESULTS  # noqa: E402

DOCS = ROOT / "docs"
REMEDY = "python scripts/coverage_page.py"
SHOWN = 24  # of the worst cells

NAMES = {
    "rows": "default metrics",
    "others": "all other metrics of hard labels",
    "edges": "metrics of interval classes",
    "clusters": "clusters: few, uneven, near-perfect, rare classes",
    "mixed": "clusters of which some sorts hold the same row again and again",
    "weights": "weighted rows",
    "groups": "groups, each against the rest (all intervals at once)",
    "compare": "paired differences",
    "forecasts": "forecasts: mean scores, skill, slope",
    "pairs": "forecasts: order of pairs",
    "sets": "prediction sets",
    "tuned": "the 14 populations that version 0.1 was tuned on",
}

HEAD = """# How often do 95 % intervals hold?

An interval is only as good as its measured coverage. Populations were drawn with a seed, so as to make the intervals miss: 2 to 8 classes, 15 to
2,000 rows, rare classes, near-perfect, constant, reversed and one-sided predictions, rare errors of large weight. A *cell* is one metric in one
population: data sets are drawn from the population, and its coverage is how often the interval holds the score of the population itself. After the
random populations, a search changes the worst ones and keeps what is worse. The worst cells are **measured again on fresh data sets**, since the
lowest of many figures is partly luck.

The rules were frozen before the populations were drawn; the fingerprint of the files that contain them is listed with every command
[below](#commands). Nothing was tuned on these figures. Runs with different fingerprints are added up: between them the method stayed the same, and
rounding, speed, refusals and the intervals of prediction sets were mended ([the changelog](../CHANGELOG.md) says what).

A figure from n data sets has a Monte-Carlo error of √(0.0475/n): 0.022 for 100. In brackets is what would be expected if every interval held in
exactly 95 %: the lowest of many figures is low by luck, too. *Refused* is the share of data sets in which no interval was given, with the reason.
*Below 0.92* counts cells whose coverage, measured again, is below 0.92 by more than two Monte-Carlo errors. A part with 40 intervals in each cell,
or with few cells, is a first look: there only a cell below about 0.79 would be noticed.

"""

WEAK = """
## Cells below {floor}

Measured again, a cell counts as short if its coverage lies below {floor} by more than two Monte-Carlo errors.

{cells}
"""

KNOWN = """
The known weak spots are what a sample may happen to lack: a rare error of large weight beside many small ones, and large clusters that seldom err, but
then as a whole, beside others that err row by row. No method that sees only the errors of a sample without them can know of them. *Clusters of two
natures* are drawn to show the second one: 346 random cells hold in 0.820 (5 % quantile; median 0.973), and the search finds far worse. There are 20
clusters: about ten of 50 independent rows of which 4 % are wrong, and about ten that hold one row 60 times, 5 % of them a wrong one. Accuracy held in
0.51, because 60 % of the data sets have no such cluster that errs. Score such kinds separately, or sample more clusters. Where all clusters are of one
nature, intervals hold.

A third one is chosen by the sample itself: `macro_f1` needs three rows of every class. Where a class has fewer in most data sets, the few that have
enough are not typical: with 72 rows of three classes, answers turned round, it was given in 17 % of the data sets and held in 0.858 ± 0.022 of them
(seed 111605, 16 November 2026; of 14 cells measured again, the only one below 0.92).
"""


def load(part: str) -> list[dict[str, Any]]:
    path = RESULTS / f"{part}.json"
    return json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else []


def cells_of(part: str, key: str = "cells") -> list[Cell]:
    return [Cell(**cell) for run in load(part) for cell in run[key]]


def judged(cells: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.judged]


def refused(cells: Sequence[Cell]) -> str:
    return f"{1 - sum(c.given for c in cells) / max(1, sum(c.sets for c in cells)):.0%}"


def three(cells: Sequence[Cell]) -> list[str]:
    """Lowest, 5 % quantile and median of the coverage of cells."""
    found = [c.coverage for c in judged(cells)]
    return [f"{q:.3f}" for q in np.quantile(found, [0, 0.05, 0.5])] if found else ["–"] * 3


def lines(cells: Sequence[Cell], key: Callable[[Cell], str], names: Sequence[str] = ()) -> list[list[str]]:
    """One line for each metric, or whatever the key is."""
    order = list(dict.fromkeys([*names, *sorted({key(c) for c in cells})]))
    found = []
    for name in order:
        own = [c for c in cells if key(c) == name]
        if own:
            found.append([name, str(len(judged(own))), *three(own), refused(own)])
    return found


HEADER = ["cells", "lowest", "5 %", "median", "refused"]


def again_line(cell: Cell) -> list[str]:
    held = f"{cell.coverage:.3f} ± {cell.error:.3f}"
    return [
        f"`{cell.metric}`",
        cell.mode,
        cell.kind,
        f"{cell.rows:,}",
        str(cell.k),
        f"{cell.rarest:.1f}",
        f"**{held}**" if cell.short else held,
        f"{cell.given / cell.sets:.0%}",
        f"{cell.too_high / cell.given:.3f}",
        f"{cell.too_low / cell.given:.3f}",
    ]


AGAIN = ["metric", "mode", "predictions", "N", "K", "rarest class", "held", "given", "truth below", "truth above"]


def by_chance(cells: Sequence[Cell]) -> list[str]:
    """Lowest and 5 % quantile to be expected if every interval held in exactly 95 %, with as many data sets."""
    given = np.array([c.given for c in judged(cells)])
    if not len(given):
        return ["–"] * 2
    drawn = np.random.default_rng(0).binomial(given, 0.95, (400, len(given))) / given
    return [f"{q:.3f}" for q in np.quantile(drawn, [0, 0.05], axis=1).mean(1)]


def overview(parts: Sequence[str]) -> str:
    found = []
    for part in parts:
        cells, again = cells_of(part), judged(cells_of(part, "again"))
        if not cells:
            continue
        low, five, middle = three(cells)
        chance_low, chance_five = by_chance(cells)
        lowest = min(again, key=lambda c: c.coverage) if again else None
        worst = f"{lowest.coverage:.3f} ± {lowest.error:.3f} ({lowest.metric})" if lowest else "–"
        sets = f"{np.median([c.given for c in judged(cells)]):.0f}"
        numbers = [str(len(judged(cells))), sets, f"{low} ({chance_low})", f"{five} ({chance_five})", middle, refused(cells)]
        found.append([NAMES[part], *numbers, worst, f"{sum(c.short for c in again)} of {len(again)}"])
    columns = [
        "cells",
        "intervals in each",
        "lowest",
        "5 % quantile",
        "median",
        "refused",
        "lowest, measured again",
        f"below {FLOOR}",
    ]
    return grid(["what", *columns], found)


def weak(parts: Sequence[str]) -> str:
    short = sorted((c for part in parts for c in cells_of(part, "again") if c.short), key=lambda c: c.coverage)
    text = grid(AGAIN, [again_line(c) for c in short]) if short else "None.\n"
    faults = sorted({f"- `{c.metric}` ({c.mode}): {fault}" for part in parts for c in cells_of(part) for fault in c.faults})
    seen = "\nFaults that no interval should have, and some had:\n\n" + "\n".join(faults) + "\n" if faults else ""
    return WEAK.format(floor=FLOOR, cells=text) + seen


def worst(parts: Sequence[str]) -> str:
    found = sorted(judged([c for part in parts for c in cells_of(part, "again")]), key=lambda c: c.coverage)[:SHOWN]
    return "\n## The worst cells, measured again\n\n" + grid(AGAIN, [again_line(c) for c in found])


def bands(cells: Sequence[Cell], metrics: Sequence[str]) -> str:
    """Each metric by rows and by the rarest class: lowest and median, in how many cells, and how much was refused."""
    columns: list[tuple[str, Callable[[Cell], bool]]] = [
        ("N below 50", lambda c: c.rows < 50),
        ("50 to 200", lambda c: 50 <= c.rows <= 200),
        ("N above 200", lambda c: c.rows > 200),
        ("rarest class below 3 rows", lambda c: c.rarest < 3),
        ("3 to 10", lambda c: 3 <= c.rarest < 10),
        ("10 and more", lambda c: c.rarest >= 10),
    ]

    def text(found: list[Cell]) -> str:
        if not found:
            return "–"
        ends = three(found)
        return f"{ends[0]}, {ends[2]} ({len(judged(found))}; {refused(found)})" if judged(found) else f"refused {refused(found)}"

    table = [[f"`{m}`", *(text([c for c in cells if c.metric == m and inside(c)]) for _, inside in columns)] for m in metrics]
    return grid(["metric", *(name for name, _ in columns)], table)


def of_methods() -> str:
    cells, auto = cells_of("methods"), cells_of("rows")
    numbers = {(c.kind, c.rows, c.k) for c in cells} & {(c.kind, c.rows, c.k) for c in auto if not c.searched}
    table = []
    for method in ("auto", *METHODS):
        own = [
            c
            for c in (auto if method == "auto" else cells)
            if c.method == method and (c.kind, c.rows, c.k) in numbers and not c.searched
        ]
        table.append([f"`{method}`", *(" / ".join(three([c for c in own if c.metric == m])) for m in DEFAULT)])
    return grid(["method", *(f"`{m}`" for m in DEFAULT)], table)


def before() -> str:
    """Version 0.1.0 on the random populations that both tried."""
    now, then = [c for c in cells_of("rows") if not c.searched], cells_of("before")
    both = {(c.kind, c.rows, c.k) for c in now} & {(c.kind, c.rows, c.k) for c in then}
    table = []
    for m in DEFAULT:
        sides = [[c for c in side if c.metric == m and (c.kind, c.rows, c.k) in both] for side in (then, now)]
        table.append([f"`{m}`", *(text for side in sides for text in (" / ".join(three(side)), refused(side)))])
    return (
        "\n## Version 0.1.0 on the same populations\n\nIts rules had been tuned on 14 populations. Lowest / 5 % / median over the "
        f"{len(both)} random populations that both tried, with the same seed.\n\n"
        + grid(["metric", "0.1.0", "refused", "now", "refused"], table)
    )


def rate(tallies: Sequence[dict[str, Any]], what: str) -> list[str]:
    given = sum(t.get("given", 0) for t in tallies)
    share = sum(t[what] for t in tallies) / max(given, 1)
    return [f"{given:,}", f"{share:.3f} ± {np.sqrt(max(share * (1 - share), 0.01) / max(given, 1)):.3f}"]


def of_equal() -> str:
    tallies = [t for run in load("equal") for t in run["tallies"]]
    table = [["all", *rate(tallies, "rejected")]]
    table += [
        [f"N = {n}", *rate([t for t in tallies if t["rows"] == n], "rejected")] for n in sorted({t["rows"] for t in tallies})
    ]
    table += [
        [f"`{m}`", *rate([t for t in tallies if t["metric"] == m], "rejected")] for m in sorted({t["metric"] for t in tallies})
    ]
    table += [
        [f"models that err {word}", *rate([t for t in tallies if t["kind"] == kind], "rejected")]
        for kind, word in (("alike", "in the same way"), ("different", "differently, with equal scores"))
    ]
    disagree = sum(t["disagree"] for t in tallies)
    return grid(["", "data sets", "called different at 5 %"], table) + (
        f"\nThe p-value and the interval disagreed in {disagree} of these data sets (p below 0.05 where 0 is inside, or not where it is outside).\n"
    )


def of_family() -> str:
    tallies = [t for run in load("family") for t in run["tallies"]]
    groups = sorted({(t["metric"], t["rows"]) for t in tallies})
    table = [[f"N = {n}", *rate([t for t in tallies if t["rows"] == n], "some")] for n in sorted({n for _, n in groups})]
    table += [[f"`{m}`, N = {n}", *rate([t for t in tallies if (t["metric"], t["rows"]) == (m, n)], "some")] for m, n in groups]
    return grid(["", "data sets", "some model is called better"], table)


def commands(parts: Sequence[str]) -> str:
    found = [[f"`{run['command']}`", run["rules"]] for part in parts for run in load(part)]
    return (
        "\n## Commands\n\n`make coverage-study SEED=…` runs every part with a seed of yours. These ran one part each, with a time limit:\n\n"
        + grid(["command", "rules"], found)
        + "\n`python benchmarks/coverage_study.py --rules` prints the fingerprint of the rules as they are.\n"
    )


TABLES = ("rows", "others", "edges", "clusters", "mixed", "weights", "groups", "compare", "tuned")
ROWS = ("forecasts", "pairs", "sets")


def main_page() -> str:
    page = HEAD + overview((*TABLES[:-1], *ROWS, "tuned")) + weak((*TABLES, *ROWS)) + KNOWN + worst(TABLES)
    rows = cells_of("rows")
    page += "\n## Default metrics\n\n" + grid(["metric", *HEADER], lines(rows, lambda c: c.metric, DEFAULT))
    page += "\nBy rows and by the rarest class: lowest and median coverage (cells; refused).\n\n" + bands(rows, DEFAULT)
    page += before()
    if load("methods"):
        page += (
            "\n## Explicit methods for comparison\n\n`method=` of `evaluate` still takes any of these. Lowest / 5 % / median over the same random populations "
            "wherever the method gives an interval (40 data sets in each; *auto* as above).\n\n" + of_methods()
        )
    page += "\n## All other metrics of hard labels\n\n" + grid(["metric", *HEADER], lines(cells_of("others"), lambda c: c.metric))
    sections = {
        "edges": ("Interval classes", "Lengths of the classes are drawn, too; no class is open."),
        "clusters": (
            "Clusters",
            "8 to 100 clusters of mean size 1 to 60, two to four sorts with tables of their own; in some populations one sort is ten times as large. In "
            "two fifths of the populations the rows of a cluster are all the same, in the others they are independent.",
        ),
        "mixed": (
            "Clusters of two natures",
            "The same, but the rows of a cluster are all the same in every second sort, and independent in the others.",
        ),
        "weights": (
            "Weighted rows",
            "Log-normal weights (σ 0.2 to 1.2), alone or times weights that undo a sampling that favoured some true classes; `evaluate(sample_weight=…)`.",
        ),
        "groups": (
            "Groups",
            "Two to five groups, `compare_groups` against the rest. A data set counts as held only if the intervals of all groups hold at once.",
        ),
        "compare": (
            "Paired differences",
            "Two models that answer alike on a share of the rows; in a third of the populations they err in the same way.",
        ),
    }
    for part, (title, text) in sections.items():
        if load(part):
            page += f"\n## {title}\n\n{text}\n\n" + grid(["metric", *HEADER], lines(cells_of(part), lambda c: c.metric))
    if load("equal"):
        page += "\n## Two equal models\n\nHow often `compare` calls two equally good models different at 5 %.\n\n" + of_equal()
    if load("family"):
        page += (
            "\n## Six equal models\n\nHow often some model is called better than another (ranks follow from the simultaneous intervals), by `cem`, "
            "`accuracy` or `cohen_kappa`.\n\n" + of_family()
        )
    if load("tuned"):
        page += (
            "\n## The populations that version 0.1 was tuned on\n\nThe default metrics, kept for comparison; not part of the figures above.\n\n"
            + grid(["population", *HEADER], lines(cells_of("tuned"), lambda c: c.kind))
        )
    return page + commands([part for part in PARTS if part not in ROWS])


PROBABILITY = """# How often do 95 % intervals of forecasts and prediction sets hold?

As for [hard labels](coverage.md): populations drawn with a seed, a search for the worst, the worst measured again on fresh data
sets. A row has a latent position, its class follows a proportional-odds model, and the forecast is that model's: calibrated, too
sure, too timid, shifted or noisy. Two to six classes, 30 to 300 rows, classes as rare as 0.3 %. Sets reach from one quantile of the
forecast to another; in half of the populations drawn since seed 111601 their rows have weights. The true score is that of 400,000 rows.

Until seed 90318 the sample was smoothed by other truths only, which change neither the size of a set nor whether a set of all classes misses: where
nearly all sets are alike, the interval had no width, and `set_size` held in 0.000 and `miss_distance` in 0.139 of 1,500 data sets (198 and 297 rows,
three classes). Now rows of the same truth with any other set are added. The table on sets is of the runs since then; the first of them (seed 111601)
met one population in which the search for an end stopped with an error, which is mended and did not come back (seed 111608).

`cumulative_calibration_error` never has an interval: by chance alone it is larger than 0, and the value of a calibrated forecast is shown beside it.

"""


def probability_page() -> str:
    page = PROBABILITY + overview(ROWS) + weak(ROWS) + worst(ROWS)
    for part, title in (("forecasts", "Mean scores, skill and slope"), ("pairs", "Order of pairs"), ("sets", "Prediction sets")):
        cells = cells_of(part)
        if cells:
            names = sorted({c.metric for c in cells})
            page += f"\n## {title}\n\n" + grid(["metric", *HEADER], lines(cells, lambda c: c.metric))
            page += "\nBy rows and by the rarest class: lowest and median coverage (cells; refused).\n\n" + bands(cells, names)
    return page + commands(ROWS)


def main() -> None:
    put(DOCS / "coverage.md", main_page(), REMEDY)
    put(DOCS / "coverage-probability.md", probability_page(), REMEDY)


if __name__ == "__main__":
    main()
