"""Amigó et al. (2020): what computes the numbers and statements of `record/cem.toml`; Tables 2 and 3 have modules of their own.

Figure 3 prints system classes in rows and true classes in columns: the tables here are its transposes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import Stack, all_small, compositions, full_small, one_step_closer, tables, wrong
from ordeval.papers._claims import agrees, scores, table_of, value, values
from ordeval.parts import closeness_matrix

#: Reviews from reject to accept.
LEFT, RIGHT = (7, 105, 193, 90, 7), (180, 10, 3, 10, 173)
REVIEWS = ("reject", "weak reject", "undecided", "weak accept", "accept")
GRADES = ("neg", "neu", "pos")
GOLD = (10, 60, 30)
#: Figure 3, as printed with the system in rows.
SYSTEMS = {"A": np.array([[5, 5, 7], [1, 50, 8], [4, 5, 15]]).T, "B": np.array([[7, 12, 4], [1, 45, 8], [2, 3, 18]]).T}
#: Appendix B: the truth and two answers to it.
MONOTONICITY = ((3, 4, 5), (1, 2, 3), (2, 3, 4))
IMBALANCE = ((1, 1, 2, 3), (1, 2, 2, 3), (1, 1, 2, 2))


def prox(gold: Any, system: int, truth: int, **options: Any) -> float:
    """Closeness in bits of a system's class to the true one, classes from 0, for this many true rows in each class."""
    found = closeness_matrix(Counts.from_matrix(np.diag(gold)), **options)
    return float(found[truth, system])


def lost(gold: Any, system: int, truth: int) -> float:
    """What an answer loses against the right one, in bits."""
    return prox(gold, truth, truth) - prox(gold, system, truth)


def bits(share: float) -> float:
    return -math.log2(share)


def golds(most: int = 6) -> Iterator[tuple[int, ...]]:
    """Every way to fill 2 or 3 classes, none empty."""
    return (gold for k in (2, 3) for n in range(k, most + 1) for gold in compositions(k, n))


# Section 3.1


def proximity(row: str, column: str) -> float:
    side, _, answer = row.partition(", ")
    system, _, truth = answer.partition(" for ")
    return prox({"left": LEFT, "right": RIGHT}[side], REVIEWS.index(system), REVIEWS.index(truth))


def literal(gold: Any, i: int, j: int) -> float:
    """The printed sum: half of n_i and n_k for k = i + 1 to j, classes from 0."""
    return bits((gold[i] / 2 + sum(gold[i + 1 : j + 1])) / sum(gold))


def literal_sum() -> Iterator[Any]:
    for gold in golds():
        yield [abs(prox(gold, i, j) - literal(gold, i, j)) < 1e-12 for i, j in product(range(len(gold)), repeat=2)]


def one_if_perfect() -> Iterator[Any]:
    return ((values("cem", stack) == 1) == (wrong(stack) == 0) for stack in all_small())


def dearer_in_the_left() -> Iterator[Any]:
    left, right = (lost(gold, 3, 1) for gold in (LEFT, RIGHT))
    yield [left > right and agrees(left, "2.71") and agrees(right, "1.85")]


# Section 3.2


def increasing() -> list[tuple[int, ...]]:
    """Maps of the classes 0 to 3 that increase, by 1 or 10 a step: enough to decide which of two sums of steps is larger."""
    return [(0, a, a + b, a + b + c) for a, b, c in product((1, 10), repeat=3)]


PERMUTATIONS = list(permutations(range(4)))
LINES = [tuple(c * x + d for x in range(4)) for c, d in product((-3, -1, 2), (0, 5))]


def closer(x: int, a: int, b: int, maps: list[tuple[int, ...]], quantifier: Callable[[Iterator[bool]], bool]) -> bool:
    """Whether x is closer to b than a is, by some map or by every map."""
    return quantifier(abs(f[x] - f[b]) <= abs(f[a] - f[b]) for f in maps)


def between(x: int, a: int, b: int) -> bool:
    return b >= x >= a or a >= x >= b


def _all_triples(check: Callable[[int, int, int], bool]) -> Iterator[Any]:
    return ([check(x, a, b)] for x, a, b in product(range(4), repeat=3))


def between_by_some() -> Iterator[Any]:
    return _all_triples(lambda x, a, b: closer(x, a, b, increasing(), any) == between(x, a, b))


def between_by_every() -> Iterator[Any]:
    return _all_triples(lambda x, a, b: closer(x, a, b, increasing(), all) == between(x, a, b))


def nominal_condition() -> Iterator[Any]:
    return _all_triples(lambda x, a, b: closer(x, a, b, PERMUTATIONS, any) == (b == x or b != a))


def interval_condition() -> Iterator[Any]:
    return _all_triples(lambda x, a, b: closer(x, a, b, LINES, any) == closer(x, a, b, LINES, all) == (abs(b - x) <= abs(b - a)))


def uniform_tables() -> Iterator[Stack]:
    """Every table in which all true classes have the same number of rows: K = 2 to 6 rows, K = 3 to 6, K = 4 to 4."""
    for k, n in ((2, 2), (2, 4), (2, 6), (3, 3), (3, 6), (4, 4)):
        stack = tables(k, n)
        yield stack[(stack.sum(-1) == n // k).all(-1)]


def proposition_1() -> Iterator[Any]:
    for stack in uniform_tables():
        yield np.isclose(values("cem(level='nominal')", stack), values("accuracy", stack), rtol=0, atol=1e-12)


def _shares_of_nominal_bits(axis: int) -> Iterator[Any]:
    """For every class, the bits earned by the items the system (axis 0) or the truth (axis 1) puts there, over the most."""
    for stack in uniform_tables():
        k = stack.shape[-1]
        worth = closeness_matrix(Counts.from_matrix(np.eye(k, dtype=int)), level="nominal")
        items, earned = stack.sum(1 + axis), (stack * worth).sum(1 + axis)
        right = np.diagonal(stack, axis1=1, axis2=2)
        with np.errstate(invalid="ignore"):
            share, expected = earned / (items * worth.max()), right / items
        yield np.isclose(share, expected, rtol=0, atol=1e-12)[items > 0]


def precision_as_closeness() -> Iterator[Any]:
    return _shares_of_nominal_bits(0)


def recall_as_closeness() -> Iterator[Any]:
    return _shares_of_nominal_bits(1)


def nominal_weights() -> Iterator[Any]:
    for n in range(3, 9):
        for gold in compositions(3, n):
            worth = [prox(gold, t, t, level="nominal") - prox(gold, (t + 1) % 3, t, level="nominal") for t in range(3)]
            yield np.isclose(worth, -np.log2(np.array(gold) / n), rtol=0, atol=1e-12)
            yield [worth[i] > worth[j] for i, j in permutations(range(3), 2) if gold[i] < gold[j]]


def interval_is_log_mae() -> Iterator[Any]:
    for k in range(2, 7):
        worth = closeness_matrix(Counts.from_matrix(np.eye(k, dtype=int)), level="interval")
        yield [np.ptp([worth[t, p] for t, p in product(range(k), repeat=2) if abs(t - p) == d]) < 1e-12 for d in range(k)]


# Section 4.1


def stretched(row: str, column: str) -> float:
    x = int(row[2])
    return 10 * x + x * x


def embedded(stack: Stack, where: tuple[int, ...], k: int) -> Stack:
    """The same rows on a longer scale, with the classes at these places."""
    longer = np.zeros((len(stack), k, k), int)
    longer[:, np.array(where)[:, None], np.array(where)] = stack
    return longer


def _unmoved(stack: Stack, where: tuple[int, ...], k: int) -> Any:
    return np.isclose(values("cem", embedded(stack, where, k)), values("cem", stack), rtol=0, atol=1e-12)


def invariant_example() -> Iterator[Any]:
    yield _unmoved(table_of((1, 2, 3), (1, 2, 2), 3)[None], (10, 23, 38), 39)


def invariance() -> Iterator[Any]:
    return (_unmoved(stack, where, 5) for stack in all_small() for where in combinations(range(5), stack.shape[-1]))


def formula_covers_example() -> Iterator[Any]:
    yield [before > after >= truth for truth, before, after in zip(*MONOTONICITY, strict=True)]


def monotonicity() -> Iterator[Any]:
    for stack in full_small():
        for before, after in one_step_closer(stack):
            yield values("cem", after) > values("cem", before) + 1e-12


def imbalance() -> Iterator[Any]:
    for n in range(3, 13):
        for n1, n2, n3 in compositions(3, n):
            if n1 > n3:
                large, small = np.diag([n1, n2, n3]), np.diag([n1, n2, n3])
                large[0, :2] = n1 - 1, 1
                small[2, 1:] = 1, n3 - 1
                stack = np.array([large, small])
                for one, other in (values("cem", stack), values("cem", stack[:, ::-1, ::-1])):
                    yield [one > other]


# Appendices


def figure_3(row: str, column: str) -> float:
    return prox(GOLD, GRADES.index(row[5:8]), GRADES.index(column))


def system_score(row: str, column: str) -> float:
    if row.startswith("CEM"):
        return value("cem", SYSTEMS[row[-1]])
    one, other = (value("accuracy", table) for table in SYSTEMS.values())
    return one if one == other else math.nan


def share_of_two(row: str, column: str) -> float:
    return 100 * sum(GOLD[1:]) / sum(GOLD)


def lowest_between_extremes() -> Iterator[Any]:
    worth = closeness_matrix(Counts.from_matrix(np.diag(GOLD)))
    yield [worth.min() == min(worth[0, 2], worth[2, 0]), sorted(worth.ravel())[1] == max(worth[0, 2], worth[2, 0])]


def _confused(name: str, a: int, b: int) -> int:
    table = SYSTEMS[name]
    return int(table[a, b] + table[b, a])


def a_mistakes_extremes() -> Iterator[Any]:
    yield [_confused("A", 0, 2) > _confused("B", 0, 2)]


def a_mistakes_positive() -> Iterator[Any]:
    yield [_confused("A", 1, 2) > _confused("A", 0, 1)]


def more_penalized() -> Iterator[Any]:
    yield [lost(GOLD, 1, 2) > lost(GOLD, 1, 0), lost(GOLD, 2, 1) > lost(GOLD, 0, 1)]


EQUAL_IN_B = (
    "accuracy", "accuracy_within", "balanced_accuracy", "cohen_kappa(weights='identity')", "macro_f1", "pearson", "spearman",
    "kendall_tau(variant='a')", "kendall_tau", "order_f",
)  # fmt: skip


def all_equal() -> Iterator[Any]:
    yield [np.ptp(scores(metric, *MONOTONICITY)) < 1e-12 for metric in EQUAL_IN_B]


def none_invariant() -> Iterator[Any]:
    truth, answer, _ = MONOTONICITY
    cubed = [[10 + x**3 for x in column] for column in (truth, answer)]
    for metric in ("pearson", "mae", "mse", "amae", "amse"):
        yield [abs(scores(metric, truth, answer, k=135)[0] - scores(metric, *cubed, k=135)[0]) > 1e-12]


def imbalance_score(row: str, column: str) -> float:
    answer = IMBALANCE[1 if column == "(1, 2, 2, 3)" else 2]
    if row.startswith("−"):
        mae, mse = (scores(metric, IMBALANCE[0], answer)[0] for metric in ("mae", "mse"))
        return -mae if mae == mse else math.nan
    return scores(row, IMBALANCE[0], answer)[0]


def none_imbalance() -> Iterator[Any]:
    for metric, sign in (("accuracy", 1), ("accuracy_within", 1), ("mae", -1), ("mse", -1), ("cosine", 1), ("pearson", 1)):
        one, other = scores(metric, *IMBALANCE)
        yield [not sign * one > sign * other + 1e-12]


def change(gold: Any, i: int, j: int) -> tuple[float, float]:
    """What closeness loses when a row of class i is called j, in bits, and as Appendix C prints it."""
    return -lost(gold, j, i), bits((gold[i] + gold[j] / 2) / sum(gold)) - bits(gold[i] / sum(gold))


def proportional_change() -> Iterator[Any]:
    first = np.divide(*change((1, 1), 0, 1))
    for gold in golds():
        yield [abs(np.divide(*change(gold, i, i + 1)) - first) < 1e-9 for i in range(len(gold) - 1)]


def gap_positive() -> Iterator[Any]:
    for rows in product(range(1, 13), repeat=2):
        for last in range(1, rows[0]):
            worth = closeness_matrix(Counts.from_matrix(np.diag([*rows, last])))
            yield [worth[2, 2] - worth[2, 1] > worth[0, 0] - worth[0, 1]]
