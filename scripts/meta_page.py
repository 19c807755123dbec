"""Write docs/meta-evaluation.md from the synthetic experiment; with --check, fail if the page is not what would be written."""

from pathlib import Path

from generated import grid, put

from ordeval.choose import QUESTIONS
from ordeval.papers import Table3, table3
from ordeval.papers._cem_table3 import LINEAR_KAPPA, NAMES, PRINTED, measured, row_of, within

PAGE = Path(__file__).resolve().parents[1] / "docs" / "meta-evaluation.md"

HEAD = """# Which metric can you trust? Metrics judged by evidence

A metric can be judged by what it promises (its laws) and by what it captures. This page is about the second.

## What is measured

Systems are run on test cases, and every metric scores every system in every case.

| name | what it is |
|---|---|
| unanimous improvement ratio | of two systems: the share of test cases in which *all* reference metrics find the first at least as good, minus the share in which they find the second so (Amigó et al. 2011) |
| coverage | of a metric: Spearman's correlation, over all pairs of systems, between its differences of mean scores and the unanimous improvement ratio (Amigó et al. 2020) |
| robustness | the mean over pairs of test cases of Spearman's correlation between the systems' scores in the two |
| pairs told apart | the share of pairs of systems whose mean difference over the cases has an interval without 0, at 95 % simultaneously for all pairs, test cases resampled (discriminative power) |
| agreement | Kendall's tau-b between the rankings of the systems that two metrics give |
| sensitivity to rows, to cases | the correlation of the systems' scores between two sets of rows of a case, or two sets of cases, that have none in common, for smaller and smaller sets |

The reference metrics are those of the CEM paper: accuracy (is the class right?), Kendall's tau-a (is the order right?) and mutual
information (are small classes kept apart?). Give your own with `against=`. Coverage says how well one number follows all of the reference
metrics; it says nothing about what they leave out. An undefined score is left out with its system, or with its case where no system has one,
and the table says so.

## Your own campaign

```python
import ordeval as oe

answers = {"a": [0, 1, 2, 1], "b": [0, 0, 2, 1], "c": [1, 1, 1, 1]}
east, west = (oe.count(truth, answers, labels=[0, 1, 2]) for truth in ([0, 1, 2, 2], [0, 1, 1, 0]))
campaign = oe.choose.Campaign.from_counts({"east": east, "west": west})  # counts of several models each
judged = oe.choose.meta_evaluate(campaign, metrics=["cem", "mae", "cohen_kappa"])
print(judged.metrics)
```

```text
('cem', 'mae', 'cohen_kappa')
```

`ordeval meta DIR` does the same for a folder with one file for each test case: counts saved with `Counts.save`, the models in it the
systems, or rows (CSV, TSV, JSON lines, Parquet) with the truth (`--true`) and one column for each system. All cases need the same classes and the
same systems, and within a case all systems answer the same rows; anything else is refused in one sentence that names the case and the system. The
number of rows may differ between cases.

## The synthetic experiment of the CEM paper

Section 5.3 of Amigó et al. (2020): 100 test cases of 200 rows and 11 classes; the true classes are normal around class 4 with a deviation
that grows from 1 to 3 over the cases. 50 systems make mistakes in 10 % to 100 % of the rows, in five ways: the majority class (maj), a random class
(rand), the next class (tDisp), the class of the row 20 places up (oDisp), a class on the way to a random row (prox). `ordeval meta
--synthetic` runs it; `--reading literal` runs the other reading.

The paper leaves some choices open. In the *literal* reading exactly r · n rows are mistakes, and a displacement beyond the last row takes the
last row's class. In the *closest* one each row is a mistake with probability r, and a displacement beyond the last row keeps the true class.
Common to both: tau-a is (concordant − discordant) / all pairs, mutual information is not normalised, all ordered pairs of systems
count, and a correlation with a constant answer counts as 0. The closest reading was chosen after seeing the printed table, among
those tried, so its nearness is no evidence for it.

One run deviates by 0.001 to 0.0035 in a cell. So a printed number is compared with the mean of many runs (`scripts/measure_table_3.py`): it is *within
simulation error* if it is no further away than 1.96 standard deviations of one run and half a unit. Cells are *mean ± standard deviation (in units of 0.0001)
/ printed*, bold where within; the columns leave out one kind of system. Spearman counts a constant answer as 1 here.

"""


def left_half(table: Table3) -> str:
    known = measured(table.reading)
    rows = []
    for metric, printed in PRINTED.items():
        row, inside = row_of(metric), within(metric, metric, known)
        cells = [
            f"{mean:.3f} ± {1e4 * sd:.0f} / {text}"
            for mean, sd, text in zip(known.mean[row], known.sd[row], printed, strict=True)
        ]
        cells = [f"**{cell}**" if ok else cell for cell, ok in zip(cells, inside, strict=True)]
        rows.append([f"{NAMES[metric]} (`{metric}`)", *cells, str(int(inside.sum()))])
    rows.append(
        [f"not in the paper (`{LINEAR_KAPPA}`)"]
        + [f"{mean:.3f} ± {1e4 * sd:.0f}" for mean, sd in zip(known.mean[LINEAR_KAPPA], known.sd[LINEAR_KAPPA], strict=True)]
        + [""]
    )
    total = sum(int(within(metric, metric, known).sum()) for metric in PRINTED)
    return (
        grid(["row in the paper", *table.columns, "within"], rows)
        + f"\n{total} of 90 cells are within simulation error, of {known.seeds} runs.\n"
    )


def others(table: Table3) -> str:
    rows = [
        [f"`{metric}`", *(f"{value:.2f}" for value in row)]
        for metric, row in table.coverage.items()
        if metric not in table.printed
    ]
    return grid(["metric", *table.columns], rows)


def numbers(values: object) -> str:
    return " ".join(f"{value:.2f}" for value in values)  # type: ignore[attr-defined]


def page() -> str:
    closest, literal = table3("closest"), table3("literal")
    text = HEAD + "### Closest reading\n\n" + left_half(closest) + "\n### Literal reading\n\n" + left_half(literal)
    text += "\nMean distance from the 90 printed numbers:\n\n"
    text += grid(
        ["reading", "as printed", "with notes 1 and 2"],
        [[t.reading, f"{t.deviation():.3f}", f"{t.deviation(documented=True):.3f}"] for t in (literal, closest)],
    )
    ahead, kappa = (", ".join(f"{share:.0%}" for share in of) for of in (measured().cem_ahead, measured().kappa_ahead))
    text += f"""
1. *Suspected: two rows are exchanged in print* ([C18](explanation/errata.md#c18)). Macro average MAE comes out as {numbers(closest.coverage["amae"])}, which is the row printed
   as MSE ({numbers(closest.printed["mse"][1])}); MSE comes out as {numbers(closest.coverage["mse"])}, and the row printed as MAE_m is
   {numbers(closest.printed["amae"][1])}. In the column without random systems the exchange does not help.
2. *An undefined Spearman seems to have counted as 1.* One system answers class 4 throughout, and its correlation is undefined. Counted as 1,
   the row is {numbers(closest.spearman_as_one)}; counted as 0 it is {numbers(closest.coverage["spearman"])}; printed is
   {numbers(closest.printed["spearman"][1])}.

Both are inferences from the numbers. About 200 combinations of choices were tried (how mistakes are drawn, what happens at the ends of the scale, variants of
tau, of mutual information, of the pairs); by single runs none is clearly nearer than the closest reading. So the difference seems to lie in the
procedure, not in chance, and the cells outside simulation error are called *undetermined*. `ordeval reproduce cem` has all 90 cells with a verdict,
and `ordeval reproduce cem --table 3` repeats 200 runs. [How to compute the right half](how-to/campaigns.md) from the campaigns' public outputs.

### Metrics that are not in the paper's table

Closest reading.

{others(closest)}
The paper's statement that CEM improves on all other metrics is true of its printed table, in all six columns. In our runs CEM is ahead of the 14
others in {ahead} of the runs in the six columns; linear weighted kappa, which the paper sets aside, is ahead of CEM in {kappa} of them: which metric
is first depends on what it is compared with and on choices that the paper does not report.

### Steadiness

Closest reading, all systems.

{steadiness(closest)}
The order of metrics by coverage is that of one experiment with mistakes of five kinds; on your own systems it may be another.
Running it takes about half a second on one core: 5,000 tables in one stack of shape (100, 50, 11, 11), 29 metrics.
"""
    return text + advice()


def advice() -> str:
    """The questions of `advise`, from the same data that the command line asks from."""
    rows = [[f"`{q.name}`", q.asks, "; ".join(f"`{c.word}`: {c.means}" for c in q.choices)] for q in QUESTIONS]
    return f"""
## Which one for you?

`ordeval advise` asks these questions (`oe.choose.advise(scale="order", rare="theirs")` answers them in Python; the first choice is assumed where
nobody answers) and names two or three metrics, with reasons, what they miss, and code to copy. Every sentence cites a law that the registry
claims or breaks for the metric, or a measurement: coverage and robustness from this page, or a small table scored on the spot.

{grid(["question", "", "choices"], rows)}"""


def steadiness(table: Table3) -> str:
    judged = table.judged
    apart, rows = judged.told_apart(), judged.by_rows()
    header = ["metric", "coverage", "robustness", "pairs told apart", *(f"{200 * share:.0f} rows" for share in rows)]
    lines = [
        [
            f"`{found.metric}`",
            f"{found.coverage:.2f}",
            f"{found.robustness:.2f}",
            f"{apart[found.metric]:.0%}",
            *(f"{values[found.metric]:.2f}" for values in rows.values()),
        ]
        for found in sorted(judged.judgements, key=lambda found: -found.coverage)
    ]
    return grid(header, lines)


if __name__ == "__main__":
    put(PAGE, page(), "python scripts/meta_page.py")
