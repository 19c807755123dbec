"""Write docs/explanation/errata.md and the sentence on the papers in docs/reproduction.md; with --check, exit 1 if one of them is not up to date.

Both come from the record (src/ordeval/papers/record), as the last line of `ordeval reproduce` does; tests hold that line to it.
"""

import re
import textwrap
from collections import Counter
from pathlib import Path

from generated import grid, put

from ordeval.papers import PAPERS, claims_of, errata
from ordeval.papers._claims import VERDICTS, Entry
from ordeval.papers._record import record_of

ROOT = Path(__file__).resolve().parents[1]
PAGE, REPRODUCTION = ROOT / "docs/explanation/errata.md", ROOT / "docs/reproduction.md"
START, END = "<!-- papers: written by scripts/papers_page.py -->\n", "<!-- end of papers -->\n"

OPENING = """# Reading the papers: what comes out, and where to read differently

CEM, OCI and STC come from papers that print enough to be computed again, tables, examples and proofs. That is why this page can exist. Most of what
they print comes out to the last digit, and their main conclusions hold: in every case tried CEM alone has the three properties, OCI is a metric from
β = 1/(N + 1) on, and the best length of an open interval is the one given.

Below are the places where a reader who copies a formula or relies on a sentence should read differently: a sign, a rounding, a condition that
goes without saying, or a statement for which there is a small counter-example inside its own premise. Each entry quotes the place, says what comes
out, repeats the authors' own caveat where there is one, and ends with the sentence as we would print it. What we only infer is called suspected;
what our copy does not show is called that. We have been wrong here ourselves: see the [corrections](#corrections) at the end. If you are an author
and we have misread you, open an issue; the entry will be changed and the change noted.

{sentence}

## Five examples

### A sum that is empty on one side

The CEM paper prints closeness as half of the predicted class plus the classes from the next one *up to* the true class. If the true class lies
below, that sum is empty, and a wrong answer is worth as much as a right one. The paper's worked examples add the classes on whichever side, and so
does this library, so that turning the scale upside down changes nothing ([C1](#c1)):

```python
import ordeval as oe

true, pred = [1, 1, 2, 3], [2, 1, 2, 3]
upside_down = {{1: 3, 2: 2, 3: 1}}
print(round(oe.cem(true, pred, labels=[1, 2, 3]), 4))
print(round(oe.cem([upside_down[t] for t in true], [upside_down[p] for p in pred], labels=[1, 2, 3]), 4))
```
```text
0.8678
0.8678
```

### An example of the appendix, for two more metrics

The CEM paper asks that an error in a large class cost less than the same error in a small one, and gives tau-b and Spearman a tick for it. Its own
example of Appendix B, (1, 2, 2, 3) against (1, 1, 2, 2) for (1, 1, 2, 3), has them the other way round ([C11](#c11)):

```python
truth = [1, 1, 2, 3]
for answer in ([1, 2, 2, 3], [1, 1, 2, 2]):
    print(answer, round(oe.kendall_tau(truth, answer), 3), round(oe.spearman(truth, answer), 3))
```
```text
[1, 2, 2, 3] 0.8 0.833
[1, 1, 2, 2] 0.894 0.943
```

### A share does not grow

The paper on interval costs lists homogeneity: a table times κ has κ times the cost. The standardized cost is a share, so it stays what it is
([S3](#s3)):

```python
table = [[0, 1], [1, 0]]
doubled = [[0, 2], [2, 0]]
print(oe.stc(oe.Counts.from_matrix(table)), oe.stc(oe.Counts.from_matrix(doubled)))
```
```text
1.0 1.0
```

### One row in the next cell

Table 4 of the OCI paper prints seven scores of a matrix, and none of the seven comes out of the matrix as printed. Of all ways to move one of its
rows to another cell exactly one gives all seven: the numbers stand, and the matrix is to be read with one row in the next cell ([O2](#o2)).

### A lemma, and a shorter proof

Appendix A of the OCI paper proves that the index is a metric from β = 1/(N + 1) on. One of its lemmas has a counter-example with one row; the
theorem has a shorter proof that does without it ([O5](#o5)), and the [table of laws](../laws.md) may be read with it.
"""

RULES = """## How a verdict is reached

One unit is one thing as printed: a number in a table, figure or worked example; one mark of a table of marks; one formula, proposition or sentence
that can be computed. Inputs, totals, differences of two printed numbers and repeats are no units. A line that names several metrics has one mark
for each property, and the mark holds if it holds for all of them.

| outcome | meaning |
|---|---|
| exact | a number that is not random, within half a unit of its last printed digit; a statement true in every case tried, which is not a proof |
| within simulation error | random in the paper: within 1.96 measured standard deviations of the difference and half a unit |
| erratum | differs, or does not hold, and an entry says why |
| suspected | an entry explains it, inferred from numbers only |
| undetermined | outside simulation error in every reading tried: the text does not fix the procedure |
| extraction | cannot be told from the copy at hand |
| not judged | needs data or texts that do not come with the paper |

`ordeval reproduce` computes all of it, for each entry the premise *and* the counter-example, and fails if one of them does not hold or a verdict
changes. In the OCI copy Greek letters and ≤, ≥, − are lost; the CEM and STC copies were read by machine into formulas. An entry that hangs on one
such sign says so. [Every unit that is not as printed](../reference/errata.md) is listed with what comes out.

"""

CORRECTIONS = """## Corrections

- We had listed STC's sentence on τ_b = +1; under the paper's assumption that no class is empty it is right.
- Two counter-examples to CEM's Table 2 moved answers in a direction that Property 2 does not cover; they were replaced.
- We had called 75 cells of CEM's Table 3 reproduced because they were within 0.04; simulation error is 0.002, and 29 are within it.
- STC: three remarks withdrawn (an empty class that is removed, one class only, and a line of a proof that is a matter of our copy).
- CEM's Table 2: four cells of weighted κ were called errata without the condition that Section 4.2 states; they are two marks, and need it.
"""


def counted(paper: str | None = None) -> Counter[str]:
    return Counter(claim.verdict for name in PAPERS if paper in (None, name) for claim in claims_of(name))


def sentence() -> str:
    """What comes out: all its numbers come from the record."""
    totals, grades = counted(), Counter(entry.grade for entry in errata())
    causes = sum(grades[grade] for grade in ("misprint", "rounding", "needs a condition", "false as stated"))
    return (
        f"Of the {sum(totals.values())} numbers, marks and statements that the papers behind CEM, OCI and STC and a blog on CEM print, "
        f"`ordeval reproduce` finds {totals['exact']} as printed and {totals['within simulation error']} within measured simulation error; "
        f"{totals['erratum']} belong to {causes} errata ({grades['misprint'] + grades['rounding']} misprints or roundings, "
        f"{grades['needs a condition']} missing conditions, {grades['false as stated']} statements with a counter-example), "
        f"{totals['suspected']} to a suspected exchange of two rows, {totals['undetermined']} are not fixed by the text, "
        f"{totals['extraction']} cannot be read in our copy, and {totals['not judged']} need data that do not come with the papers."
    )


def entry_text(entry: Entry) -> str:
    text = (
        f'<a id="{entry.id.lower()}"></a>**{entry.id} · {entry.grade}.** {_inert(entry.where)}: “{_inert(entry.quotation)}”.\n\n'
    )
    text += f"*Premise:* {_inert(entry.premise)}. *Here:* {_inert(entry.finding)}"
    text += f" *Caveat:* {_inert(entry.caveat)}" if entry.caveat else ""
    text += f"\n\n→ {_inert(entry.printed_as)}\n"
    if entry.paper == "stc" and entry.grade != "extraction":
        text += "\nThe journal successor is " + record_of("stc")["successor"] + "; whether this applies to it is not said here.\n"
    return text


def _inert(text: str) -> str:
    """As text, not as Markdown."""
    return re.sub(r"([*_|<\[\]])", r"\\\1", text)


def denominator() -> str:
    """The units of each place, by outcome."""
    rows = []
    for paper in PAPERS:
        places: dict[str, Counter[str]] = {}
        for claim in claims_of(paper):
            places.setdefault(claim.place, Counter())[claim.verdict] += 1
        rows += [[f"{paper}: {place}", *_cells(found)] for place, found in places.items()]
        rows.append([f"**{paper}**", *_cells(counted(paper))])
    rows.append(["**all**", *_cells(counted())])
    return "## The denominator\n\n" + grid(["place", "units", *VERDICTS], rows) + "\n"


def _cells(found: Counter[str]) -> list[str]:
    return [str(sum(found.values())), *(str(found[verdict] or "") for verdict in VERDICTS)]


def page() -> str:
    text = OPENING.format(sentence=textwrap.fill(sentence(), 140))
    for paper, title in PAPERS.items():
        found = [entry for entry in errata(paper) if entry.grade not in ("suspected", "extraction")]
        text += f"\n## {title}\n\n" + "\n".join(map(entry_text, found))
        if paper == "blog":
            text += "\nThe formula of *Information Closeness* is that of [C1](#c1).\n"
    for title, grade in (("Suspected", "suspected"), ("From our copy", "extraction")):
        text += f"\n## {title}\n\n" + "\n".join(entry_text(entry) for entry in errata() if entry.grade == grade)
    return text + "\n" + RULES + denominator() + CORRECTIONS


def reproduction() -> str:
    text = REPRODUCTION.read_text(encoding="utf-8")
    return text[: text.index(START) + len(START)] + textwrap.fill(sentence(), 132) + "\n" + text[text.index(END) :]


if __name__ == "__main__":
    put(PAGE, page(), "python scripts/papers_page.py")
    put(REPRODUCTION, reproduction(), "python scripts/papers_page.py")
