"""Binotto & Delgado (2023), Section 5: the toy example of two predictions on three intervals, the last of unknown length.

The paper's matrices have the prediction in rows and the truth in columns: the tables here are their transposes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import Stack
from ordeval.papers._claims import Claim, CounterExample, Writer, value
from ordeval.papers._stc_appendix import costs, largest, on_axis
from ordeval.parts import optimal_length

_write = Writer("stc")

#: As printed, the prediction in rows.
PRINTED_A = [[3, 2, 1], [2, 2, 2], [0, 1, 2]]
PRINTED_B = [[3, 2, 2], [2, 2, 1], [0, 1, 2]]
TOY = {"A": np.array(PRINTED_A).T, "B": np.array(PRINTED_B).T}
ROOT = math.sqrt(2)


def _toy(metric: str, name: str, x: float) -> float:
    return value(metric, TOY[name], on_axis(1, 1, x))


def _difference(x: float) -> float:
    return _toy("interval_stc", "B", x) - _toy("interval_stc", "A", x)


def _printed_costs(x: float) -> Stack:
    wide = max(1.0, x)
    rows = [[0, 1 + 1 / x, 2 * (1 + wide)], [1 + 1 / x, 0, 2 * wide], [(1 + x) * (1 + wide), (1 + x) * wide, 0]]
    return np.array(rows) / 15


LENGTHS = (0.25, 0.5, 1 / ROOT, 1.0, 1.5, 2.0, 4.0)
SEVEN = "seven lengths x from 1/4 to 4"


def toy_example() -> Iterator[Claim]:
    where = "Section 5, toy example"
    yield _write.statement(
        where,
        "The cost matrix as a function of the length x.",
        f"its nine cells, {SEVEN}",
        lambda: (np.isclose(costs((5, 5, 5), 1, 1, x), _printed_costs(x), rtol=0, atol=1e-12) for x in LENGTHS),
        how="cost_matrix(metric='interval_stc')",
    )
    yield _write.statement(
        where,
        "The cost of A is (6 + 4/x + (7 + x) max(1, x)) / 15.",
        SEVEN,
        lambda: ([abs(_toy("interval_total_cost", "A", x) - (6 + 4 / x + (7 + x) * max(1, x)) / 15) < 1e-12] for x in LENGTHS),
        how="interval_total_cost of A",
    )
    yield _write.statement(
        where,
        "The cost of B is larger by 2/15, whatever x is.",
        SEVEN,
        lambda: (
            [abs(_toy("interval_total_cost", "B", x) - _toy("interval_total_cost", "A", x) - 2 / 15) < 1e-12] for x in LENGTHS
        ),
        how="interval_total_cost of A and B",
    )
    best = Counts.from_matrix(TOY["A"], labels=on_axis(1, 1, math.inf))
    for row, column, printed, exact, how, compute in (
        ("x", "best length", "1/√2", 1 / ROOT, "optimal_length of A", lambda: optimal_length(best)),
        ("TC max", "at that x", "(2√2+7)/3", (2 * ROOT + 7) / 3, "largest cost", lambda: largest((5, 5, 5), 1, 1, 1 / ROOT)),
        ("STC", "A", "(73+11/√2)/205", (73 + 11 / ROOT) / 205, "interval_stc", lambda: value("interval_stc", TOY["A"], _open())),
        ("STC", "B", "(87+3/√2)/205", (87 + 3 / ROOT) / 205, "interval_stc", lambda: value("interval_stc", TOY["B"], _open())),
        ("STC", "B − A", "(14−8/√2)/205", (14 - 8 / ROOT) / 205, "interval_stc", lambda: _difference(1 / ROOT)),
    ):
        yield _write.number(where, row, column, printed, compute, how=how, exact=exact)  # type: ignore[arg-type]
    yield _write.number(where, "STC", "B − A, rounded", "0.0407", lambda: _difference(1 / ROOT), how="interval_stc")
    yield _write.statement(
        where,
        "Any other length makes the difference of A and B smaller.",
        "x = 0.05, 0.10, ..., 5",
        lambda: ([_difference(i / 20) < _difference(1 / ROOT)] for i in range(1, 101)),
        how="interval_stc of A and B",
    )
    yield _write.statement(
        "Section 5",
        "The length with the smallest largest cost makes any change of the matrix count most.",
        "A perfect, B with one row wrong: every such B of n = (1, 1, 1), x = 0.2, 0.4, ..., 10",
        lambda: (
            [_effect(t, p, i / 5) <= _effect(t, p, 1 / ROOT) + 1e-12]
            for t, p in product(range(3), repeat=2)
            if t != p
            for i in range(1, 51)
        ),
        how="interval_stc",
        explanation="True only of changes whose cost does not depend on the length, as in the toy example; the length makes the "
        "divisor smallest, and nothing else.",
        counterexample=CounterExample(
            "n = (1, 1, 1), lengths 1, 1, x, the row of class 1 called 3: STC rises by 0.347 at the best length 1/√2, by "
            "3/7 at x = 2",
            lambda: abs(_effect(0, 2, 1 / ROOT) - 0.347381) < 1e-6 and abs(_effect(0, 2, 2) - 3 / 7) < 1e-12,
        ),
    )


def _open() -> Any:
    return on_axis(1, 1, math.inf)


def _effect(t: int, p: int, x: float) -> float:
    table = np.eye(3, dtype=int)
    table[t, t], table[t, p] = 0, 1
    return value("interval_stc", table, on_axis(1, 1, x))
