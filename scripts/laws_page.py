"""Write docs/laws.md and docs/cem-table-2.md, or with --check exit 1 if one of them is not up to date.

The first page shows what is recorded of every metric, each witness scored anew; the second searches.  --docs DIR writes elsewhere.
"""

import sys
from pathlib import Path

from generated import grid, put

import ordeval as oe
from ordeval.laws._scoring import judged
from ordeval.laws._search import number_of_cases
from ordeval.papers import _cem_table2 as cem_table2

DOCS = Path(__file__).resolve().parents[1] / "docs"

LAWS_HEAD = """# Which metric keeps which law?

A law is something a metric may promise. For every metric of the catalogue and every law below, all cases with up to {k} classes and
{n} rows were tried (`scripts/law_claims.py`), and where none of them broke the law, random larger ones. The result is recorded with the
metrics, and the tests check every metric against it, both ways: a law that is kept holds in every case of that range, and a law that is
broken is broken by its witness.

- ✓ no counter-example in that range, which is not a proof; **✓✓** there is a proof, cited below the table;
- [✗](#kendall_tau-imbalance) it fails: the link leads to a counter-example, the smallest there is or the one that the metric's author gives;
- · the law does not apply.

`ordeval laws METRIC` searches again and shows all readings of a law; `ordeval.laws.check` does the same for any function of
`(y_true, y_pred)` or of a table. This page is written by `scripts/laws_page.py`.

## The laws

Each is judged in its first reading.

"""

ROW_LAWS_HEAD = """
Metrics of probabilities and of prediction sets are functions of rows, not of a table. Beside the first laws above, which are tried on
random forecasts (`tests/laws/test_probability_laws.py`), all of them keep three more:

"""

COST = """
## What it costs

Measured on 2026-11-16, in processor time on one core of a virtual machine. All 22 laws of one metric with K ≤ 4, N ≤ 5 ({cases:,} cases on
ranks): 0.8 seconds for `mae`, 0.9 for `cohen_kappa`, 2.4 for `cem`; with the larger random cases 1.7, 1.2 and 6.4. The three laws of the
CEM paper for 29 metrics: 7 seconds together. With K ≤ 5, N ≤ 6 there are 736,280 tables of five classes and 6,123,488 moves of one
answer: the three laws take 12 seconds for `cem`, and half a gigabyte of memory. More than a million tables (K = 5 with N = 7, K = 6 with
N = 6) are refused.
"""

TABLE_2_HEAD = """# The properties of metrics: Table 2 of the CEM paper, cell by cell

Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz (2020), *An effectiveness metric for ordinal classification: formal properties and
experimental results*, judge metrics by three properties: ordinal invariance, ordinal monotonicity and imbalance. Their Table 2 says which
metric has which. It is the idea that this page, and [the table of all laws](laws.md), build on. Here every cell is computed: all
cases of the property with up to 4 classes and 5 rows (imbalance: 12 rows) are tried.

**The main conclusion stands.** Of all metrics in the table CEM at ordinal scale is the only one with the three properties, under the
paper's own condition that no true class is empty. {marks} of the 54 printed marks come out, among them every dash; {lines} ticks do not hold
as they are stated, and each has an entry on [the page about the papers](explanation/errata.md) with its premise, the smallest counter-example inside
it and the authors' own caveat. Below, a line for each metric: {agree} of {cells} cells come out as printed.

## How the properties are read

- *Ordinal invariance*: labels are places on one fixed scale, and the increasing function may skip places, as in the paper's
  examples (1, 2, 2), (1, 2, 3) → (11, 24, 24), (11, 24, 39). If instead the whole set of classes is renamed, the table of counts does not change,
  and no function of it can: every metric would have the property. MAE's dash needs the first reading, the ticks of *Acc with n* and OCI
  the second; Section 4.2 itself says that OCI inherits the lack of invariance of MAE.
- *Ordinal monotonicity*: as printed, one answer moves down, closer to the truth, and the score must become better, not only not worse. No true class
  is empty, as Section 4.2 requires for CEM. The [table of laws](laws.md) has the property on both sides of the truth, which is what the sentence in
  the paper says ([C5](explanation/errata.md#c5)).
- *Imbalance*: as printed, with both orientations of (c₁, c₂, c₃); no class is empty; all other answers are right. The entries take the
  orientation of the scale.
- An undefined score breaks nothing. Errors and the OCI count as better when they are lower.

## The table

Printed / found here. In brackets, for what fails here: cases that break the property, of all cases.

"""

CEM_CONDITIONS = """
## CEM at ordinal scale: the exact conditions

{conditions}

So the condition of the paper is sufficient; it can be weakened to *some true row lies from the old answer to the new*, and
*c₂ is not empty*.

## Rennie and Srebro

Their loss takes real-valued scores and thresholds. Here the score is the number of the class, the cuts lie midway and all thresholds count; with the
0/1, the hinge, the logistic and the squared penalty the marks are –, ✓, –, as printed. Reliability and sensitivity are written from their definition
in the paper's text (average over the rows of the share of order relations that are right).
"""


def anchor(metric, law):
    kept = [c if c.isalnum() or c == "_" else "-" for c in metric]
    return f"{'-'.join(filter(None, ''.join(kept).split('-')))}-{law}"


def laws_page():
    table = oe.laws.table()
    ranks, intervals = (oe.laws.check(metric, beyond=0) for metric in ("mae", "interval_stc"))
    page = LAWS_HEAD.format(k=ranks.max_k, n=ranks.max_n)
    rows = []
    for name, law in oe.laws.STATEMENTS.items():
        readings = "; ".join(filter(None, (reading.words for reading in law.readings)))
        cases = ranks[name].cases or intervals[name].cases
        said = f"{law.statement}<br>`{law.formal}`" + (f"<br>*readings:* {readings}" if readings else "")
        rows.append(
            [f'<a id="{name}"></a>{name}', said, law.source, law.range(ranks.max_k, ranks.max_n), f"{cases:,}" if cases else ""]
        )
    page += grid(["law", "what it says", "source", "tried", "cases"], rows)
    page += ROW_LAWS_HEAD + grid(
        ["law", "what it says"], [[f'<a id="{law}"></a>{law}', s] for law, s in oe.laws.ROW_LAWS.items()]
    )
    page += "\n## The table\n\n"
    rows = []
    for metric, report in table.reports.items():
        cells = []
        for law in table.laws:
            status, sign = report[law].status, report[law].sign
            cells.append(
                f"[{sign}](#{anchor(metric, law)})" if status == "fails" else f"**{sign}{sign}**" if status == "proved" else sign
            )
        rows.append([f"`{metric}`", *cells])
    page += grid(["metric", *(f"[{law.replace('_', ' ')}](#{law})" for law in table.laws)], rows)
    proofs = [
        f"- `{m}`, {law}: {r[law].reason}." for m, r in table.reports.items() for law in table.laws if r[law].status == "proved"
    ]
    page += "\n## Proofs\n\n" + "\n".join(proofs) + "\n"
    page += "\n`oci(beta=β)` with β ≥ 1/(N + 1) is (M + H)/(M + N), and obeys the triangle inequality: [a short proof](explanation/errata.md#o5).\n"
    judge = judged("cem")
    page += COST.format(cases=sum(number_of_cases(law, ranks.max_k, ranks.max_n, judge) for law in oe.laws.STATEMENTS.values()))
    page += (
        "\n## Counter-examples\n\nClasses are numbered from 1. A better score is a higher or a lower one, as the metric says.\n"
    )
    for metric, report in table.reports.items():
        page += f"\n### {metric}\n\n"
        for law in table.laws:
            if report[law].status == "fails":
                page += f'- <a id="{anchor(metric, law)}"></a>**{law}**: {report[law].breach}\n'
    return page


def table_2_page():
    cells = list(cem_table2.cells())
    wrong = [cell for cell in cells if not cell.agrees]
    page = TABLE_2_HEAD.format(
        marks=54 - len(cem_table2.ROOTS),
        lines=NUMBERS[len(cem_table2.ROOTS)].lower(),
        agree=len(cells) - len(wrong),
        cells=len(cells),
    )
    rows = []
    for line, metrics in cem_table2.LINES.items():
        for name, metric in metrics.items():
            texts = []
            for cell in (cell for cell in cells if (cell.line, cell.metric) == (line, metric)):
                text = f"{cell.printed} / {cem_table2.mark(cell.verdict.holds)}"
                if not cell.verdict.holds:
                    text += f" ({cell.verdict.broken:,} of {cell.verdict.cases:,})"
                texts.append(text if cell.agrees else f"[**{text}**](#{anchor(metric, cell.verdict.law)})")
            rows.append([line, f"{name} (`{metric}`)", *texts])
    page += grid(["line of the table", "metric", *cem_table2.PROPERTIES], rows)
    page += "\n## Where the two differ\n"
    for cell in wrong:
        name = cell.verdict.law.replace("_", " ")
        page += f'\n<a id="{anchor(cell.metric, cell.verdict.law)}"></a>**{cell.name}, {name}.** {cell.verdict.breach} It {cell.verdict}. '
        page += f"Entry [{cell.root}](explanation/errata.md#{cell.root.lower()}).\n"
    report = oe.laws.check("cem", laws=("ordinal_monotonicity", "imbalance"), beyond=0)
    conditions = "\n".join(
        f"- {law.replace('_', ' ')}, {verdict.read.words}: {verdict}."
        for law in ("ordinal_monotonicity", "imbalance")
        for verdict in report.readings[law].values()
    )
    return page + CEM_CONDITIONS.format(conditions=conditions)


NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]


def main():
    folder = Path(sys.argv[sys.argv.index("--docs") + 1]) if "--docs" in sys.argv else DOCS
    for name, page in (("laws.md", laws_page()), ("cem-table-2.md", table_2_page())):
        put(folder / name, page, "make laws")


if __name__ == "__main__":
    main()
