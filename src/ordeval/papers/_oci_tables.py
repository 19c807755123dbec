"""Cardoso & Sousa (2011), Tables 1 to 5: the printed matrices with their seven numbers, and what the text reads from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ordeval.papers._claims import Claim, CounterExample, Writer, agrees, value

_write = Writer("oci")

COLUMNS = {
    "MER": "mze",
    "MAE": "mae",
    "Rs": "spearman",
    "tau_b": "kendall_tau",
    "r_int": "r_int",
    "OC 0.25": "oci(share=0.25)",
    "OC 0.75": "oci(share=0.75)",
}

#: Table of the paper, name of the confusion matrix, the matrix as printed, its seven numbers as printed.
PRINTED: list[tuple[str, str, list[list[int]], str]] = [
    ("Table 1", "A", [[4, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.0 0.0 1.0 1.0 1.0 0.0 0.0"),
    ("Table 1", "B", [[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 0.77 1.0 1.0 1.0 0.50 0.63"),
    ("Table 1", "C", [[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 1.08 0.79 0.75 0.80 0.61 0.78"),
    ("Table 1", "D", [[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 0.77 0.24 0.11 0.53 0.65 0.72"),
    ("Table 2", "CM1", [[2, 0, 1], [1, 1, 0], [2, 1, 2]], "0.50 0.80 0.20 0.19 0.39 0.63 0.69"),
    ("Table 2", "CM2", [[1, 0, 0], [0, 4, 0], [2, 2, 1]], "0.40 0.60 0.10 0.11 0.45 0.53 0.58"),
    ("Table 3", "CM3", [[1, 0, 1], [0, 0, 0], [3, 2, 0]], "0.86 1.43 -0.26 -0.254 0.34 0.79 0.93"),
    ("Table 3", "CM4", [[1, 0, 1], [0, 2, 1], [1, 1, 0]], "0.57 0.85 -0.25 -0.250 0.08 0.71 0.75"),
    ("Table 4", "CM5", [[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 3], [0, 0, 0, 0]], "0.86 1.00 0.89 0.84 0.81 0.58 0.75"),
    ("Table 4", "CM6", [[0, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]], "0.71 1.00 -0.29 -0.26 0.06 0.74 0.79"),
    (
        "Table 5",
        "CM10",
        [[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 11, 39, 0], [0, 0, 0, 5, 30]],
        "0.11 0.11 0.93 0.91 0.91 0.12 0.13",
    ),
    (
        "Table 5",
        "CM11",
        [[0] * 5, [0, 0, 45, 12, 0], [0, 0, 2, 87, 9], [0, 0, 0, 6, 44], [0, 0, 0, 0, 35]],
        "0.82 0.91 0.89 0.85 0.84 0.55 0.66",
    ),
    (
        "Table 5",
        "CM12",
        [[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 21, 29, 0], [0, 0, 0, 29, 6]],
        "0.25 0.25 0.90 0.86 0.86 0.23 0.26",
    ),
]
TABLES = {name: table for _, name, table, _ in PRINTED}

#: CM5 with one row moved from (2, 2) to (2, 3).
CM5_MEANT = [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [0, 0, 0, 0]]


def tables_1_to_5() -> Iterator[Claim]:
    for where, name, table, printed in PRINTED:
        for (column, metric), text in zip(COLUMNS.items(), printed.split(), strict=True):
            explanation, counterexample = "", None
            if name == "CM5":
                explanation = (
                    "The printed matrix is wrong, the seven numbers are right: with one row moved from (2, 2) to (2, 3) all of "
                    "them come out."
                )
                counterexample = CounterExample(
                    "the printed CM5 has two of its seven rows on the diagonal, so its MER is 5/7, not 6/7 = 0.86",
                    lambda metric=metric, text=text: (  # type: ignore[misc]
                        agrees(value(metric, CM5_MEANT), text) and abs(value("mze", TABLES["CM5"]) - 5 / 7) < 1e-12
                    ),
                )
            if (name, column) == ("CM4", "MAE"):
                explanation = "Cut off after two decimals instead of rounded; Table 3 prints the same 6/7 as 0.86 for CM3's MER."
                counterexample = CounterExample(
                    "CM4 errs by 6 steps in 7 rows: 6/7 = 0.857", lambda: abs(value("mae", TABLES["CM4"]) - 6 / 7) < 1e-12
                )
            yield _write.number(
                where,
                name,
                column,
                text,
                lambda metric=metric, table=table: value(metric, table),  # type: ignore[misc]
                how=f"{metric} of {name}",
                explanation=explanation,
                counterexample=counterexample,
            )


def _scores(name: str) -> Any:
    """The seven numbers of a matrix, those that are better when higher with their sign changed."""
    table = CM5_MEANT if name == "CM5" else TABLES[name]
    sign = [1, 1, -1, -1, -1, 1, 1]
    return np.array([s * value(metric, table) for s, metric in zip(sign, COLUMNS.values(), strict=True)])


def _better(one: str, other: str, which: str) -> Iterator[Any]:
    """Whether exactly the coefficients of ``which`` call one matrix better than the other."""
    found = _scores(one) < _scores(other) - 1e-12
    yield found == np.isin([*COLUMNS], which.split(", "))


def what_the_text_reads_from_them() -> Iterator[Claim]:
    seven = "the seven coefficients"
    yield _write.statement(
        "Section 4",
        "The penalty 0.75 / (N (K - 1)) is the one called beta_1.",
        "the matrices of Tables 1 to 5: 0.75 gives what stands under beta_1",
        lambda: ([agrees(value("oci(share=0.75)", table), printed.split()[5])] for _, _, table, printed in PRINTED),
        how="oci(share=0.75)",
        explanation="A misprint: both penalties are called beta_1 here; in the captions of the tables this one is beta_2.",
        counterexample=CounterExample(
            "B: 0.75 gives 0.627, and 0.50 stands under beta_1, 0.63 under beta_2",
            lambda: agrees(value("oci(share=0.75)", TABLES["B"]), "0.63") and not agrees(value("oci", TABLES["B"]), "0.50"),
        ),
    )
    yield _write.statement(
        "Section 2",
        "Rs, tau_b and r_int call B perfect although no row outside the last class is right: 1 minus each is no metric.",
        "these three coefficients",
        lambda: ([value(metric, TABLES["B"]) == 1.0] for metric in ("spearman", "kendall_tau", "r_int")),
        how="spearman, kendall_tau, r_int of B",
    )
    yield _write.statement(
        "Section 4.2",
        "CM2 is better than CM1 by all coefficients but Rs and tau_b.",
        seven,
        lambda: _better("CM2", "CM1", "MER, MAE, r_int, OC 0.25, OC 0.75"),
        how="the metrics of Table 2",
    )
    yield _write.statement(
        "Section 4.2",
        "CM4 is better than CM3 by all coefficients but r_int.",
        seven,
        lambda: _better("CM4", "CM3", "MER, MAE, Rs, tau_b, OC 0.25, OC 0.75"),
        how="the metrics of Table 3",
    )
    yield _write.statement(
        "Section 4.2",
        "CM5 is better than CM6 by all coefficients but MER and MAE.",
        seven,
        lambda: _better("CM5", "CM6", "Rs, tau_b, r_int, OC 0.25, OC 0.75"),
        how="the metrics of Table 4",
        explanation="With CM5 put right; as printed, its MAE also calls it better.",
    )
    for better, worse in (("CM10", "CM12"), ("CM12", "CM11")):
        yield _write.statement(
            "Section 4.3",
            f"{better} is better than {worse} by all coefficients.",
            seven,
            lambda better=better, worse=worse: _better(better, worse, ", ".join(COLUMNS)),  # type: ignore[misc]
            how="the metrics of Table 5",
        )
    yield _write.beyond(
        "Section 4.3",
        "CM10, CM11, CM12",
        "the matrices themselves",
        "",
        why="The random splits, the kernel and the networks behind the three matrices are not stated; the numbers computed "
        "from them are checked in Table 5.",
    )
