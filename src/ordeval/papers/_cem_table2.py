"""Table 2 of Amigó et al. (2020): which metric has which of the three properties, cell by cell, as printed and as found here.

Every cell is searched completely within K ≤ 4 and N ≤ 5 (imbalance: N ≤ 12), in the first reading of each law: labels are places
on a fixed scale, changes are strict, no true class is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from ordeval.laws import LawReport, LawVerdict
from ordeval.laws import check as check_laws
from ordeval.laws._bases import TABLES
from ordeval.laws._instances import moved_closer
from ordeval.laws._scoring import judged
from ordeval.papers._claims import ERRATUM, REPRODUCED, Claim, CounterExample, Finding, Writer, value

_write = Writer("cem")

PROPERTIES = {"Ord. Inv.": "ordinal_invariance", "Ord. Mon.": "ordinal_monotonicity", "Imb.": "imbalance"}


@dataclass(frozen=True)
class Row:
    """A metric of the table: its family and printed line, our metric, and the printed marks."""

    family: str
    line: str
    name: str
    metric: str
    marks: str  #: for the three properties, "+" is a tick


ROWS = (
    Row("Classification", "Acc", "Accuracy", "accuracy", "+--"),
    Row("Classification", "Acc with n", "Accuracy with 1", "accuracy_within", "+--"),
    Row("Classification", "Macro Avg Acc, Cohen's κ", "Macro average accuracy", "balanced_accuracy", "+-+"),
    Row("Classification", "Macro Avg Acc, Cohen's κ", "Cohen's κ", "cohen_kappa(weights='identity')", "+-+"),
    Row("Classification", "F-measure avg. across classes", "Macro F", "macro_f1", "+-+"),
    Row("Value prediction", "MAE, MSE", "MAE", "mae", "-+-"),
    Row("Value prediction", "MAE, MSE", "MSE", "mse", "-+-"),
    Row("Value prediction", "Macro Avg. MAE/MSE", "Macro MAE", "amae", "-++"),
    Row("Value prediction", "Macro Avg. MAE/MSE", "Macro MSE", "amse", "-++"),
    Row("Value prediction", "Weighted κ", "Linear κ", "cohen_kappa(weights='linear')", "-++"),
    Row("Value prediction", "Weighted κ", "Quadratic κ", "cohen_kappa", "-++"),
    Row("Value prediction", "Cosine similarity", "Cosine", "cosine", "-+-"),
    Row("Correlation", "Linear correlation", "Pearson", "pearson", "---"),
    Row("Correlation", "Ordinal: Kendall (tau-b), Spea.", "Kendall tau-b", "kendall_tau", "+-+"),
    Row("Correlation", "Ordinal: Kendall (tau-b), Spea.", "Spearman", "spearman", "+-+"),
    Row("Correlation", "Kendall-(Tau-a)", "Kendall tau-a", "kendall_tau(variant='a')", "+--"),
    Row("Correlation", "Reliability and Sensitivity", "Reliability", "order_reliability", "+-+"),
    Row("Correlation", "Reliability and Sensitivity", "Sensitivity", "order_sensitivity", "+-+"),
    Row("Correlation", "Reliability and Sensitivity", "F of both", "order_f", "+-+"),
    Row("Clustering", "MI, Purity and Inv. Purity", "Mutual information", "mutual_information", "+-+"),
    Row("Clustering", "MI, Purity and Inv. Purity", "Purity", "purity", "+-+"),
    Row("Clustering", "MI, Purity and Inv. Purity", "Inverse purity", "inverse_purity", "+-+"),
    Row("Path based", "Ordinal Classification Index", "OCI, share 0.25", "oci(share=0.25)", "+--"),
    Row("Path based", "Ordinal Classification Index", "OCI, share 0.75", "oci", "+--"),
    Row("CEM", "CEM^NOM", "CEM nominal", "cem(level='nominal')", "+-+"),
    Row("CEM", "CEM^INT", "CEM interval", "cem(level='interval')", "-++"),
    Row("CEM", "CEM^ORD", "CEM ordinal", "cem", "+++"),
)

#: A line of the table whose metric takes real-valued scores, not classes.
OUTSIDE = ("Value prediction", "Rennie & Srebro loss function", "-+-")


@cache
def searched(metric: str) -> LawReport:
    """The three laws of one metric, in all readings."""
    return check_laws(metric, laws=PROPERTIES.values(), beyond=0)


@dataclass(frozen=True)
class Defence:
    """The reading under which a printed tick holds, or why there is none; `check` computes that it is so."""

    words: str
    check: Callable[[], bool]
    holds: bool = True  #: there is such a reading


def _reading(metric: str, law: str, reading: str) -> Callable[[], bool]:
    return lambda: searched(metric).readings[law][reading].holds


def _relabelled(metric: str) -> Defence:
    return Defence(
        "It holds if the whole class set is renamed together with the answers, so that no class between two others can stay unused; "
        "then every function of the table is invariant, MAE too.",
        lambda: (
            check_laws(metric, laws="relabelling").verdicts["relabelling"].holds
            and check_laws("mae", laws="relabelling")["relabelling"].holds
        ),
    )


def _three_classes(metric: str) -> Defence:
    return Defence("It holds on a scale of three classes.", _reading(metric, "imbalance", "three_classes"))


def _always_reversed(metric: str) -> Defence:
    return Defence(
        "The difference always has the other sign; the tick would hold if c₁ were the smaller class, and then none of macro average "
        "accuracy, κ, macro F and CEM would have it.",
        lambda: (
            all(v.broken == v.cases and v.equal == 0 for v in [searched(metric)["imbalance"]])
            and all(
                searched(other)["imbalance"].holds
                for other in ("balanced_accuracy", "cohen_kappa(weights='identity')", "macro_f1", "cem")
            )
        ),
        holds=False,
    )


def _weak(metric: str) -> Defence:
    return Defence(
        "It holds with “not lower” in place of “higher”: both scores are always equal.", _reading(metric, "imbalance", "weak")
    )


def _no_weak(metric: str, law: str, words: str) -> Defence:
    return Defence(words, lambda: not searched(metric).readings[law]["weak"].holds, holds=False)


def positive_moves() -> Iterator[tuple[float, float]]:
    """Linear κ before and after every move closer from a κ above 0 (K = 2 to 4, N to 5)."""
    one = judged("cohen_kappa(weights='linear')")
    one.remember(4, 5)
    for n in range(1, 6):
        for k in (2, 3, 4):
            for cases in moved_closer(TABLES.every(k, n), one):
                if len(cases):
                    before, after = (one.scored(side)[0] for side in cases.sides)
                    yield from zip(before[before > 1e-12].tolist(), after[before > 1e-12].tolist(), strict=True)


def _falls_above_zero() -> bool:
    before, after = np.zeros((2, 3, 3), int)
    for truth, old, new in zip((0, 1, 2, 2), (0, 0, 0, 1), (0, 1, 0, 1), strict=True):
        before[truth, old] += 1
        after[truth, new] += 1
    return abs(value("cohen_kappa", before) - 0.2) < 1e-12 and abs(value("cohen_kappa", after) - 1 / 6) < 1e-12


SAVINGS: dict[tuple[str, str], Defence] = {
    ("accuracy_within", "ordinal_invariance"): _relabelled("accuracy_within"),
    ("oci(share=0.25)", "ordinal_invariance"): _relabelled("oci(share=0.25)"),
    ("oci", "ordinal_invariance"): _relabelled("oci"),
    ("cohen_kappa(weights='linear')", "ordinal_monotonicity"): Defence(
        "It holds for every move from an answer whose κ is above 0: of the observed and the expected disagreement the observed falls by "
        "more, in proportion.",
        lambda: all(after > before for before, after in positive_moves()),
    ),
    ("cohen_kappa", "ordinal_monotonicity"): Defence(
        "No reading was found under which it holds: also from a κ above 0 it can fall (truth 1 2 3 3, answer 1 1 1 2 to 1 2 1 2: 0.200 "
        "to 0.167).",
        _falls_above_zero,
        holds=False,
    ),
    ("cohen_kappa(weights='linear')", "imbalance"): _three_classes("cohen_kappa(weights='linear')"),
    ("cohen_kappa", "imbalance"): _three_classes("cohen_kappa"),
    ("cosine", "ordinal_monotonicity"): _no_weak(
        "cosine",
        "ordinal_monotonicity",
        "No reading was found under which it holds: an answer closer to the truth can turn the vector of answers away from that of the truth.",
    ),
    **{
        (metric, "imbalance"): _always_reversed(metric)
        for metric in ("kendall_tau", "spearman", "order_reliability", "order_sensitivity", "order_f")
    },
    ("mutual_information", "imbalance"): _weak("mutual_information"),
    ("purity", "imbalance"): _weak("purity"),
    ("inverse_purity", "imbalance"): _no_weak(
        "inverse_purity", "imbalance", "No reading was found under which it holds: the scores are equal or have the other order."
    ),
    ("cem(level='interval')", "imbalance"): _three_classes("cem(level='interval')"),
}


@dataclass(frozen=True)
class Cell:
    """One mark of the table beside the verdict."""

    row: Row
    column: str
    printed: bool
    verdict: LawVerdict

    @property
    def agrees(self) -> bool:
        return self.printed == self.verdict.holds

    @property
    def saving(self) -> Defence:
        return SAVINGS[self.row.metric, self.verdict.law]


def cells() -> Iterator[Cell]:
    """The table, line by line."""
    for row in ROWS:
        for (name, law), mark in zip(PROPERTIES.items(), row.marks, strict=True):
            yield Cell(row, name, mark == "+", searched(row.metric)[law])


def mark(tick: bool) -> str:
    return "✓" if tick else "–"


def claims() -> Iterator[Claim]:
    """The cells as claims."""
    for row in ROWS:
        for (name, law), sign in zip(PROPERTIES.items(), row.marks, strict=True):
            saving = SAVINGS.get((row.metric, law))
            yield Claim(
                _write.paper,
                "Table 2",
                row.name,
                name,
                mark(sign == "+"),
                f"check_laws({row.metric!r}, laws={law!r})",
                lambda row=row, law=law, sign=sign: _finding(row, law, sign == "+"),  # type: ignore[misc]
                REPRODUCED if saving is None else ERRATUM,
                "" if saving is None else saving.words,
                None if saving is None else CounterExample(_shown(row, law), _refutes(row, law, saving)),
            )
    _, line, marks = OUTSIDE
    for name, sign in zip(PROPERTIES, marks, strict=True):
        yield _write.beyond(
            "Table 2", line, name, mark(sign == "+"), why="This loss takes real-valued scores and thresholds, not classes."
        )


def _finding(row: Row, law: str, printed: bool) -> Finding:
    verdict = searched(row.metric)[law]
    return Finding(mark(verdict.holds), verdict.holds == printed)


def _shown(row: Row, law: str) -> str:
    return str(searched(row.metric)[law].breach).replace("`", "").rstrip(".")


def _refutes(row: Row, law: str, saving: Defence) -> Callable[[], bool]:
    """The search has its counter-example, and what is said of other readings is so."""
    return lambda: searched(row.metric)[law].breach is not None and saving.check()
