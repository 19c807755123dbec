"""Amigó et al. (2020): the examples worked out in Section 3.1 and in Appendices A and B.

Figure 3 prints system classes in rows and true classes in columns: the tables here are its transposes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts, count
from ordeval.laws._small_tables import ALL_SMALL, all_small, compositions, wrong
from ordeval.metrics import get_metric
from ordeval.papers._claims import Claim, CounterExample, Writer, value, values
from ordeval.parts import closeness_matrix

_write = Writer("cem")

#: Reviews from reject to accept.
LEFT, RIGHT = (7, 105, 193, 90, 7), (180, 10, 3, 10, 173)
REVIEWS = ("reject", "weak reject", "undecided", "weak accept", "accept")
GRADES = ("neg", "neu", "pos")
GOLD = (10, 60, 30)

#: As printed, the system in rows.
PRINTED_A = [[5, 5, 7], [1, 50, 8], [4, 5, 15]]
PRINTED_B = [[7, 12, 4], [1, 45, 8], [2, 3, 18]]
SYSTEMS = {"A": np.array(PRINTED_A).T, "B": np.array(PRINTED_B).T}


def prox(gold: Any, system: int, truth: int, **options: Any) -> float:
    """Closeness in bits of a system's class to the true one, for this many true rows in each class."""
    found = closeness_matrix(Counts.from_matrix(np.diag(gold)), **options)
    return float(found[truth, system])


def bits(parts: float) -> float:
    return -math.log2(parts)


def section_3_1() -> Iterator[Claim]:
    for side, gold, total in (("left", LEFT, "402"), ("right", RIGHT, "376")):
        yield _write.number("Figure 1", side, "items", total, lambda gold=gold: sum(gold), how="sum of the classes")  # type: ignore[misc]
    for row, gold, system, truth, printed in (
        ("left, weak accept for weak reject", LEFT, 3, 1, "0.23"),
        ("right, weak accept for weak reject", RIGHT, 3, 1, "4.38"),
        ("left, reject for reject", LEFT, 0, 0, "6.84"),
        ("left, undecided for undecided", LEFT, 2, 2, "2.06"),
    ):
        yield _write.number(
            "Section 3.1",
            row,
            "prox",
            printed,
            lambda gold=gold, system=system, truth=truth: prox(gold, system, truth),  # type: ignore[misc]
            how="closeness_matrix",
        )
    yield literal_sum(_write, "Section 3.1", "prox")
    yield _write.statement(
        "Section 3.1",
        "CEM is 1 for a perfect answer, and for no other.",
        ALL_SMALL,
        lambda: ((values("cem", stack) == 1) == (wrong(stack) == 0) for stack in all_small()),
        how="cem",
    )


def golds(most: int = 6) -> Iterator[tuple[int, ...]]:
    for k in (2, 3):
        for n in range(k, most + 1):
            yield from compositions(k, n)


def _literal(gold: tuple[int, ...], i: int, j: int) -> float:
    return bits((gold[i] / 2 + sum(gold[i + 1 : j + 1])) / sum(gold))


def literal_sum(write: Writer, where: str, name: str) -> Claim:
    """The formula of closeness as it is printed, which the written-out examples beside it contradict."""
    return write.statement(
        where,
        f"{name}(c_i, c_j) takes half of n_i and the sum of n_k over k = i + 1 to j, as printed.",
        "all pairs of classes, K = 2 and 3, N to 6, no empty class",
        lambda: (
            [abs(prox(gold, i, j) - _literal(gold, i, j)) < 1e-12]
            for gold in golds()
            for i, j in product(range(len(gold)), repeat=2)
        ),
        how="closeness_matrix against the printed sum",
        explanation="The sum is empty when the true class lies below, so a wrong answer would be worth as much as a right one; "
        "the examples written out add the classes on whichever side, as is done here.",
        counterexample=CounterExample(
            "true classes (1, 1), the system says 2 for 1: the printed sum gives 2 bits, as for a right answer; the classes "
            "from one to the other give 0.415",
            lambda: _literal((1, 1), 1, 0) == 2 == prox((1, 1), 1, 1) and abs(prox((1, 1), 1, 0) - bits(3 / 4)) < 1e-12,
        ),
    )


def appendix_a() -> Iterator[Claim]:
    where = "Appendix A, Fig. 3"
    printed = ["4.32 0.62 0.07", "1.32 1.74 0.74", "0.23 0.42 2.74"]
    for i, line in enumerate(printed):
        for j, text in enumerate(line.split()):
            yield _write.number(
                where,
                f"prox({GRADES[i]}, {GRADES[j]})",
                "",
                text,
                lambda i=i, j=j: prox(GOLD, i, j),  # type: ignore[misc]
                how="closeness_matrix",
            )
    for name, totals in (("A", "17 59 24"), ("B", "23 54 23")):
        for p, text in enumerate(totals.split()):
            yield _write.number(
                where,
                f"system {name}",
                f"items called {GRADES[p]}",
                text,
                lambda name=name, p=p: SYSTEMS[name][:, p].sum(),  # type: ignore[misc]
                how="sum",
            )
        for t, n in enumerate(GOLD):
            yield _write.number(
                where,
                f"system {name}",
                f"items that are {GRADES[t]}",
                str(n),
                lambda name=name, t=t: SYSTEMS[name][t].sum(),  # type: ignore[misc]
                how="sum",
            )
    for name, cem in (("A", "0.71"), ("B", "0.76")):
        for column, metric, text in (("accuracy", "accuracy", "0.70"), ("CEM", "cem", cem)):
            yield _write.number(
                where,
                f"system {name}",
                column,
                text,
                lambda name=name, metric=metric: value(metric, SYSTEMS[name]),  # type: ignore[misc]
                how=f"{metric} of system {name}",
            )
    yield _write.number(
        "Appendix A", "positive and neutral", "share of the items, %", "90", lambda: 100 * sum(GOLD[1:]) / sum(GOLD), how="sum"
    )
    yield _write.statement(
        "Appendix A",
        "A confuses positive and negative more often than B, and neutral with positive more often than with negative.",
        "the two systems",
        lambda: [[_confused("A", 0, 2) > _confused("B", 0, 2), _confused("A", 1, 2) > _confused("A", 0, 1)]],
        how="sums of cells",
    )


def _confused(name: str, a: int, b: int) -> int:
    table = SYSTEMS[name]
    return int(table[a, b] + table[b, a])


def table_of(system: Any, gold: Any, classes: int = 5) -> Counts:
    return count(list(gold), list(system), labels=list(range(1, classes + 1)))


def scores(metric: str, *pairs: tuple[Any, Any], classes: int = 5) -> list[float]:
    """A metric of several (system, gold), both as printed: the system comes first."""
    found = get_metric(metric)
    counts = [table_of(system, gold, classes) for system, gold in pairs]
    return [float(found.bind(c)(c.matrix)) for c in counts]


MONOTONICITY = (((1, 2, 3), (3, 4, 5)), ((2, 3, 4), (3, 4, 5)))
IMBALANCE = (((1, 2, 2, 3), (1, 1, 2, 3)), ((1, 1, 2, 2), (1, 1, 2, 3)))


def _cube(x: int) -> int:
    return 10 + x**3


def appendix_b() -> Iterator[Claim]:
    where = "App. B, monotonicity"
    for name, metric in (
        ("Accuracy", "accuracy"),
        ("Accuracy with 1", "accuracy_within"),
        ("Macro average accuracy", "balanced_accuracy"),
        ("Cohen's kappa", "cohen_kappa(weights='identity')"),
        ("F-measure", "macro_f1"),
        ("Pearson", "pearson"),
        ("Spearman", "spearman"),
        ("Kendall tau-a", "kendall_tau(variant='a')"),
        ("Kendall tau-b", "kendall_tau"),
        ("Reliability and Sensitivity", "order_f"),
    ):
        explanation, counterexample = "", None
        if metric == "accuracy_within":
            explanation = "The second answer is one class off everywhere, and that is what this accuracy accepts."
            counterexample = CounterExample(
                "the printed pair itself: 0 for (1, 2, 3) and 1 for (2, 3, 4)",
                lambda: scores("accuracy_within", *MONOTONICITY) == [0, 1],
            )
        if metric.startswith("cohen"):
            explanation = "The agreement expected by chance differs, so kappa does, and it falls: the better answer scores lower."
            counterexample = CounterExample(
                "the printed pair itself: −0.125 for (1, 2, 3) and −0.286 for (2, 3, 4)",
                lambda: np.allclose(scores("cohen_kappa(weights='identity')", *MONOTONICITY), [-1 / 8, -2 / 7]),
            )
        yield _write.statement(
            where,
            f"{name} is the same for the answers (1, 2, 3) and (2, 3, 4) to (3, 4, 5).",
            "this pair",
            lambda metric=metric: [_equal(scores(metric, *MONOTONICITY))],  # type: ignore[misc]
            how=metric,
            explanation=explanation,
            counterexample=counterexample,
        )
    for metric in ("pearson", "mae", "mse", "amae", "amse"):
        yield _write.statement(
            "App. B, invariance",
            f"{get_metric(metric).title} changes when the classes of (1, 2, 3), (3, 4, 5) become 10 + x³.",
            "this pair",
            lambda metric=metric: [not _equal(_before_and_after(metric))],  # type: ignore[misc]
            how=f"{metric} on the classes 1 to 135",
        )
    cut = "Cut off after three decimals instead of rounded; that the second is larger remains true."
    for name, metric, printed in (
        ("Accuracy", "accuracy", ("3/4", "3/4")),
        ("Accuracy with 1", "accuracy_within", ("1", "1")),
        ("−MAE", "mae", ("−1/4", "−1/4")),
        ("−MSE", "mse", ("−1/4", "−1/4")),
        ("Cosine similarity", "cosine", ("0.973", "0.979")),
        ("Pearson", "pearson", ("0.85", "0.9")),
    ):
        for i, (text, answer) in enumerate(zip(printed, ("(1, 2, 2, 3)", "(1, 1, 2, 2)"), strict=True)):
            yield _write.number(
                "App. B, imbalance",
                name,
                f"answer {answer}",
                text,
                lambda metric=metric, i=i: (-1 if metric[0] == "m" else 1) * scores(metric, *IMBALANCE)[i],  # type: ignore[misc]
                how=metric,
                exact={"3/4": 0.75, "1": 1.0, "−1/4": -0.25}.get(text),
                explanation=cut if metric == "cosine" else "",
                counterexample=_cosine_example(i) if metric == "cosine" else None,
            )


def _cosine_example(i: int) -> CounterExample:
    product_, squares = ((16, 18), (12, 10))[i]  # of the answer with the truth (1, 1, 2, 3), whose squares sum to 15
    exact = product_ / math.sqrt(15 * squares)
    return CounterExample(
        f"{product_}/√(15·{squares}) = {exact:.5f}", lambda: abs(scores("cosine", *IMBALANCE)[i] - exact) < 1e-12
    )


def _equal(pair: list[float]) -> bool:
    return abs(pair[0] - pair[1]) < 1e-12


def _before_and_after(metric: str) -> list[float]:
    (system, gold), _ = MONOTONICITY
    moved = tuple(map(_cube, system)), tuple(map(_cube, gold))
    return scores(metric, (system, gold), moved, classes=_cube(5))
