"""Table 2 of Amigó et al. (2020): which metric has which of the three properties, mark by mark, as printed and as found here.

Every mark is searched completely: K ≤ 3 and N ≤ 5, imbalance K ≤ 4 and N ≤ 8.  Labels are places on a fixed scale, changes are strict, no
true class is empty, and answers move as Property 2 prints it, down towards the truth.  A line that names several metrics has a
property if all of them have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.laws import LawVerdict
from ordeval.laws import check as check_laws
from ordeval.papers._claims import Finding
from ordeval.papers._record import record_of

PROPERTIES = {"Ord. Inv.": "ordinal_invariance", "Ord. Mon.": "ordinal_monotonicity", "Imb.": "imbalance"}
RENNIE_SREBRO = "Rennie & Srebro loss function"
#: The lines of the table and our metrics for each.
LINES: dict[str, dict[str, str]] = {
    "Acc": {"Accuracy": "accuracy"},
    "Acc with n": {"Accuracy with 1": "accuracy_within"},
    "Macro Avg Acc, Cohen's κ": {
        "Macro average accuracy": "balanced_accuracy",
        "Cohen's κ": "cohen_kappa(weights='identity')",
    },
    "F-measure avg. across classes": {"Macro F": "macro_f1"},
    "MAE, MSE": {"MAE": "mae", "MSE": "mse"},
    "Macro Avg. MAE/MSE": {"Macro MAE": "amae", "Macro MSE": "amse"},
    "Weighted κ": {"Linear κ": "cohen_kappa(weights='linear')", "Quadratic κ": "cohen_kappa"},
    "Cosine similarity": {"Cosine": "cosine"},
    "Linear correlation": {"Pearson": "pearson"},
    "Ordinal: Kendall (tau-b), Spea.": {"Kendall tau-b": "kendall_tau", "Spearman": "spearman"},
    "Kendall-(Tau-a)": {"Kendall tau-a": "kendall_tau(variant='a')"},
    "Reliability and Sensitivity": {
        "Reliability": "order_reliability",
        "Sensitivity": "order_sensitivity",
        "F of both": "order_f",
    },
    "MI, Purity and Inv. Purity": {
        "Mutual information": "mutual_information",
        "Purity": "purity",
        "Inverse purity": "inverse_purity",
    },
    "Ordinal Classification Index": {"OCI, share 0.25": "oci(share=0.25)", "OCI, share 0.75": "oci"},
    "CEM^NOM": {"CEM nominal": "cem(level='nominal')"},
    "CEM^INT": {"CEM interval": "cem(level='interval')"},
    "CEM^ORD": {"CEM ordinal": "cem"},
}
_UNIT: dict[str, Any] = next(unit for unit in record_of("cem")["unit"] if unit["place"] == "Table 2")
PRINTED: dict[str, list[str]] = {line: marks.split() for line, marks in _UNIT["rows"].items()}
ROOTS: dict[str, str] = _UNIT["roots"]


#: How far each property is searched, by classes and rows: to find the marks, and for the page that counts cases.
REACH = {"ordinal_invariance": (3, 5), "ordinal_monotonicity": (3, 5), "imbalance": (4, 3)}


@cache
def verdict(metric: str, column: str, wide: bool = False) -> LawVerdict:
    """What the search found; monotonicity as printed.  ``wide`` searches all cases with K ≤ 4, N ≤ 5 (imbalance: N ≤ 12)."""
    law = PROPERTIES[column]
    k, n = (4, 5) if wide else REACH[law]
    report = check_laws(metric, laws=[law], max_k=k, max_n=n, beyond=0)
    return report.readings[law]["as_printed"] if law == "ordinal_monotonicity" else report[law]


def mark(tick: bool) -> str:
    return "✓" if tick else "–"


def found_mark(line: str, column: str) -> str:
    """The mark that comes out: a tick if all metrics of the line have the property."""
    if line == RENNIE_SREBRO:
        return mark(all(rennie_srebro(penalty)[column] for penalty in PENALTIES))
    return mark(all(verdict(metric, column).holds for metric in LINES[line].values()))


def mark_finding(line: str, column: str, printed: str) -> Finding:
    found = found_mark(line, column)
    return Finding(found, found == printed)


def cem_alone() -> Iterator[Any]:
    for line in PRINTED:
        yield [all(found_mark(line, column) == "✓" for column in PROPERTIES) == (line == "CEM^ORD")]


@dataclass(frozen=True)
class Cell:
    """One metric and one property: the printed mark of its line beside the verdict."""

    line: str
    name: str
    metric: str
    column: str
    printed: str
    verdict: LawVerdict

    @property
    def agrees(self) -> bool:
        return self.printed == mark(self.verdict.holds)

    @property
    def root(self) -> str:
        """The entry on the mark, if there is one."""
        return ROOTS.get(f"{self.line} {self.column}", "")


def cells() -> Iterator[Cell]:
    """The table with a line for each metric; Rennie & Srebro, whose loss takes real-valued scores, is apart."""
    for line, metrics in LINES.items():
        for name, metric in metrics.items():
            for column, printed in zip(PROPERTIES, PRINTED[line], strict=True):
                yield Cell(line, name, metric, column, printed, verdict(metric, column, wide=True))


#: Penalties of a margin, for the loss with all thresholds.
PENALTIES: dict[str, Callable[[Array], Array]] = {
    "0/1": lambda margin: (margin < 0).astype(float),
    "hinge": lambda margin: np.maximum(0, 1 - margin),
    "logistic": lambda margin: np.log1p(np.exp(-margin)),
    "squared": lambda margin: np.maximum(0, 1 - margin) ** 2,
}


def _losses(penalty: str, k: int) -> Array:
    """The loss of every truth (rows) and answer: the answer's score is its number, the cuts lie midway, and all of them count."""
    classes, cuts = np.arange(k), np.arange(k - 1) + 0.5
    side = np.where(cuts < classes[:, None], 1, -1)  # the cuts below the truth are to be passed, the others not
    return np.asarray(PENALTIES[penalty](side[:, None] * (classes[:, None] - cuts)).sum(-1))


def rennie_srebro(penalty: str) -> dict[str, bool]:
    """Which properties the loss has: moves with up to 5 classes, imbalance with 3 and 4 classes of 1 to 3 rows."""
    invariant = bool(_losses(penalty, 3)[0, 1] == _losses(penalty, 3)[0, 2])
    monotonic = all(
        _losses(penalty, k)[true, new] < _losses(penalty, k)[true, old] - 1e-12
        for k in (3, 4, 5)
        for true, new, old in product(range(k), repeat=3)
        if true <= new < old
    )
    imbalance = True
    for k in (3, 4):
        extra = _losses(penalty, k) - np.diag(_losses(penalty, k))[:, None]
        for rows in product((1, 2, 3), repeat=k):
            for middle in range(1, k - 1):
                if rows[middle - 1] > rows[middle + 1]:
                    imbalance &= bool(extra[middle - 1, middle] < extra[middle + 1, middle] - 1e-12)
    return {"Ord. Inv.": invariant, "Ord. Mon.": monotonic, "Imb.": imbalance}
