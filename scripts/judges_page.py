"""Write docs/coverage-judges.md from benchmarks/results/judges.json, which benchmarks/judges_study.py writes."""

import json
from pathlib import Path

from generated import grid, put

ROOT = Path(__file__).resolve().parents[1]
FOUND = json.loads((ROOT / "benchmarks" / "results" / "judges.json").read_text(encoding="utf-8"))

PAGE = """# How often do the intervals for judges hold?

Data sets were drawn from populations whose true value is known, and every 95 % interval was computed. The tables show how often it held the true
value. This page is written by `python scripts/judges_page.py` from what `python benchmarks/judges_study.py --seed {seed}` found ({minutes:.0f}
minutes of one core). Bold cells are outside 93 to 97 %. The Monte-Carlo error of a coverage of 0.95 is 0.007 with 1,000 data sets, 0.011 with 400 and
0.015 with 200.

An item has a quality on a scale of five classes. A judge sees it with noise (its standard deviation, in classes) and rounds; repeated runs have
fresh noise. True values are those of 400,000 items.

## Self-consistency

`self_consistency(...).same_again`, {consistency_sets:,} data sets each, from 15 items on:

{consistency}
Lowest: {lowest_consistency}. So few items get different grades there that the interval can take only a few values; where two of 30 differ, its upper
end lies just below the true value.

`alpha`, {alpha_sets:,} data sets each, 499 simulated samples a step (the default is 2,000):

{alpha}
## Effective number of judges

`effective_judges(...)`, {independence_sets:,} data sets each. *Even* and *skewed* (60, 20, 10, 6, 4 %) are true classes; *continuous* is a quality
between them, for which no true class exists. The true value is the one that the true classes would give; for a continuous quality it is the number of judges
where their errors are independent, and not defined otherwise. *Limit* is what the estimate tends to with more and more items. In brackets: the share
of the data sets in which an interval could be given.

{independence}
Limits are within {limit_off:.0%} of the true value. Where the errors of nine judges are independent there is little to measure: an interval is
missing in up to {missing:.0%} of the data sets of 100 items, and where it is given it is wide (the upper end {ratio:.0f} times the lower one at the
median) and holds least often, {lowest_independence:.3f}.

## Drift

`judge_drift(...)`, {drift_sets:,} data sets each, noise 0.3; *shift* moves all items, *own change* moves each item by its own amount. The test
permutes runs (199 permutations, {tests:,} data sets): without a change it should reject in 5 %.

{drift}
With 30 items the interval of the drift holds in {few_low:.3f} to {few_high:.3f} and is too narrow; therefore it is given from 100 items on
({many_low:.3f} to {many_high:.3f}). The test needs no such limit. The mean shift, in its own column, is given from 15 items on.

Not measured: grades that are unanswered, items with different numbers of runs, people who err together (the effective number then counts their
common errors as truth), differences between two judges in the paired comparison, and scales of other lengths.
"""


def cell(share: float | None, given: float = 1.0) -> str:
    if share is None:
        return "–"
    text = f"{share:.3f}" if 0.93 <= round(share, 3) <= 0.97 else f"**{share:.3f}**"
    return text if given > 0.995 else f"{text} ({given:.0%})"


def consistency() -> str:
    rows = FOUND["consistency"]
    noises = sorted({row["noise"] for row in rows})
    keys = sorted({(row["items"], row["runs"]) for row in rows})
    true = {noise: next(row["true"] for row in rows if row["noise"] == noise) for noise in noises}
    by = {(row["items"], row["runs"], row["noise"]): cell(row["held"]) for row in rows}
    header = ["items", "runs", *(f"noise {noise} (true {true[noise]:.2f})" for noise in noises)]
    return grid(header, [[str(n), str(runs), *(by[n, runs, noise] for noise in noises)] for n, runs in keys])


def alpha() -> str:
    return grid(
        ["items", "runs", "true", "held"],
        [[str(row["items"]), str(row["runs"]), f"{row['true']:.3f}", cell(row["held"])] for row in FOUND["alpha"]],
    )


def independence() -> str:
    found: dict[tuple[str, ...], list[str]] = {}
    for row in FOUND["independence"]:
        true = "–" if row["true"] is None else f"{row['true']:.2f}"
        names = (
            row["classes"],
            str(row["judges"]),
            str(row["people"]),
            f"{row['noise']} / {row['person']}",
            str(row["correlation"]),
        )
        share = row["held_limit"] if row["held"] is None else row["held"]
        found.setdefault((*names, true, f"{row['limit']:.2f}"), []).append(cell(share, row["given"]))
    header = [
        "classes",
        "judges",
        "people",
        "noise of judges / people",
        "correlation",
        "true",
        "limit",
        "100 items",
        "300",
        "1,000",
    ]
    return grid(header, [[*names, *cells] for names, cells in found.items()])


def drift() -> str:
    header = ["items", "runs", "shift", "own change", "true drift", "drift held", "shift held", "rejected"]
    rows = [
        [
            *(str(row[name]) for name in ("items", "runs", "shift", "own")),
            f"{row['true']:.3f}",
            cell(row["held"]),
            cell(row["held_shift"]),
            f"{row['rejected']:.3f}",
        ]
        for row in FOUND["drift"]
    ]
    return grid(header, rows)


def main() -> None:
    lowest = min(FOUND["consistency"], key=lambda row: row["held"])
    known = [row for row in FOUND["independence"] if row["true"] is not None]
    lone = min(known, key=lambda row: row["held"])
    few, many = ([row["held"] for row in FOUND["drift"] if (row["items"] == 30) == small] for small in (True, False))
    text = PAGE.format(
        seed=FOUND["seed"],
        minutes=sum(FOUND["seconds"].values()) / 60,
        consistency_sets=FOUND["consistency"][0]["data_sets"],
        consistency=consistency(),
        lowest_consistency=f"{lowest['held']:.3f} ({lowest['items']} items, {lowest['runs']} runs, noise {lowest['noise']})",
        alpha_sets=FOUND["alpha"][0]["data_sets"],
        alpha=alpha(),
        independence_sets=FOUND["independence"][0]["data_sets"],
        independence=independence(),
        limit_off=max(abs(row["limit"] / row["true"] - 1) for row in known),
        missing=1 - min(row["given"] for row in FOUND["independence"]),
        ratio=max(row["ratio"] for row in FOUND["independence"]),
        lowest_independence=lone["held"],
        drift_sets=FOUND["drift"][0]["data_sets"],
        tests=FOUND["drift"][0]["tests"],
        drift=drift(),
        few_low=min(few),
        few_high=max(few),
        many_low=min(many),
        many_high=max(many),
    )
    put(ROOT / "docs" / "coverage-judges.md", text, "python scripts/judges_page.py")


if __name__ == "__main__":
    main()
