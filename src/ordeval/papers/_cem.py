"""Amigó et al. (2020): the propositions and properties of the Closeness Evaluation Measure.

The examples, Table 2 (the properties of other metrics) and Table 3 (the meta-evaluation) have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import FULL_SMALL, Stack, all_small, compositions, full_small, one_step_closer, tables
from ordeval.papers import _cem_examples as cem_examples
from ordeval.papers import _cem_table2 as cem_table2
from ordeval.papers import _cem_table3 as cem_table3
from ordeval.papers._cem_examples import bits, golds, prox, table_of
from ordeval.papers._claims import Claim, CounterExample, Writer, values
from ordeval.parts import closeness_matrix

_write = Writer("cem")


def uniform_tables() -> Iterator[Stack]:
    """Every table in which all true classes have the same number of rows: K = 2 to 6 rows, K = 3 to 6, K = 4 to 4."""
    for k, n in ((2, 2), (2, 4), (2, 6), (3, 3), (3, 6), (4, 4)):
        stack = tables(k, n)
        yield stack[(stack.sum(-1) == n // k).all(-1)]


UNIFORM = "all tables with even true classes: K = 2, N to 6; K = 3, N to 6; K = 4, N = 4"


def _shares_of_nominal_bits(axis: int) -> Iterator[Any]:
    """For every class, the bits earned by the items the system (axis 0) or the truth (axis 1) puts there, over the most."""
    for stack in uniform_tables():
        k = stack.shape[-1]
        bits = closeness_matrix(Counts.from_matrix(np.eye(k, dtype=int)), level="nominal")
        items = stack.sum(1 + axis)
        earned = (stack * bits).sum(1 + axis)
        right = np.diagonal(stack, axis1=1, axis2=2)
        with np.errstate(invalid="ignore"):
            share, expected = earned / (items * bits.max()), right / items
        yield np.isclose(share, expected, rtol=0, atol=1e-12)[items > 0]


def _section_3_2() -> Iterator[Claim]:
    yield _write.statement(
        "Proposition 1",
        "With even true classes CEM at nominal scale is proportional to accuracy.",
        UNIFORM,
        lambda: (
            np.isclose(values("cem(level='nominal')", stack), values("accuracy", stack), rtol=0, atol=1e-12)
            for stack in uniform_tables()
        ),
        how="cem(level='nominal') against accuracy",
        explanation="With ties counted in full, where the two are equal; with half of the ties, as at ordinal scale, CEM is only an "
        "affine function of accuracy.",
    )
    for axis, name, whose in (
        (0, "precision", "the items that the system puts into a class"),
        (1, "recall", "those that are in it"),
    ):
        yield _write.statement(
            "Proposition 2",
            f"The {name} of a class is the closeness summed over {whose}, as a share of the most.",
            UNIFORM,
            lambda axis=axis: _shares_of_nominal_bits(axis),  # type: ignore[misc]
            how="closeness_matrix(level='nominal')",
            explanation="With ties counted in full, as for Proposition 1." if axis == 0 else "",
        )
    triples = "all 64 triples of four classes"
    yield _write.statement(
        "Definition 1",
        "At ordinal scale x is closer to b than a, by some increasing map, if and only if x lies between a and b.",
        triples,
        lambda: ([_closer(x, a, b, increasing(), any) == _between(x, a, b)] for x, a, b in product(range(4), repeat=3)),
        how="all increasing maps of four classes with steps of 1 or 10",
        explanation="With the printed “some map”, a class beyond b can be called closer than a; the condition follows with “every "
        "map”, which is what Appendix C proves.",
        counterexample=CounterExample(
            "x = 1, a = 3, b = 2: x is not between, yet (1, 2, 3) → (0, 1, 11) makes it closer",
            lambda: abs(0 - 1) <= abs(11 - 1) and not _between(1, 3, 2) and _closer(0, 2, 1, increasing(), any),
        ),
    )
    yield _write.statement(
        "Appendix C",
        "At ordinal scale x is closer to b than a, by every increasing map, if and only if x lies between a and b.",
        triples,
        lambda: ([_closer(x, a, b, increasing(), all) == _between(x, a, b)] for x, a, b in product(range(4), repeat=3)),
        how="all increasing maps of four classes with steps of 1 or 10",
    )
    yield _write.statement(
        "Section 3.2",
        "At nominal scale x is closer to b than a, by some one-to-one map, if and only if b = x or b ≠ a.",
        triples,
        lambda: ([_closer(x, a, b, list(permutations(range(4))), any) == (b in (x,) or b != a)] for x, a, b in _triples()),
        how="all permutations of four classes",
    )
    yield _write.statement(
        "Section 3.2",
        "With even true classes CEM at interval scale is a logarithmic MAE: closeness depends on the distance alone.",
        "one row in each class, K = 2 to 6",
        lambda: (
            [np.ptp([closeness[t, p] for t, p in product(range(k), repeat=2) if abs(t - p) == d]) < 1e-12]
            for k in range(2, 7)
            for closeness in [closeness_matrix(Counts.from_matrix(np.eye(k, dtype=int)), level="interval")]
            for d in range(k)
        ),
        how="closeness_matrix(level='interval')",
        explanation="It does so only where the classes within that distance do not reach beyond an end of the scale.",
        counterexample=CounterExample(
            "K = 3, one row in each class: 2 for 1 is worth 1 bit, 1 for 2 only 0.585, both one step off",
            lambda: (
                abs(prox((1, 1, 1), 1, 0, level="interval") - 1) < 1e-12
                and abs(prox((1, 1, 1), 0, 1, level="interval") - bits(2 / 3)) < 1e-12
            ),
        ),
    )


def _triples() -> Iterator[tuple[int, ...]]:
    return product(range(4), repeat=3)


def increasing() -> list[tuple[int, ...]]:
    """Maps of the classes 0 to 3 that increase, by 1 or 10 a step: enough to decide which of two sums of steps is larger."""
    return [(0, a, a + b, a + b + c) for a, b, c in product((1, 10), repeat=3)]


def _closer(x: int, a: int, b: int, maps: list[tuple[int, ...]], quantifier: Callable[[Iterator[bool]], bool]) -> bool:
    return quantifier(abs(f[x] - f[b]) <= abs(f[a] - f[b]) for f in maps)


def _between(x: int, a: int, b: int) -> bool:
    return b >= x >= a or a >= x >= b


def embedded(stack: Stack, where: tuple[int, ...], k: int) -> Stack:
    """The same rows on a longer scale, with the classes at these places."""
    longer = np.zeros((len(stack), k, k), int)
    longer[:, np.array(where)[:, None], np.array(where)] = stack
    return longer


def _moves_on_longer_scales() -> Iterator[tuple[Stack, tuple[int, ...], int]]:
    for stack in all_small():
        for where in combinations(range(5), stack.shape[-1]):
            yield stack, where, 5
    yield table_of((1, 2, 2), (1, 2, 3), 3).matrix[None], (10, 23, 38), 39


def _imbalance_cases(metric: str, most: int) -> Iterator[Any]:
    """Whether an error in the larger of two outer classes scores higher, for all true classes of K = 3."""
    for n in range(3, most + 1):
        for n1, n2, n3 in compositions(3, n):
            if n1 > n3:
                large, small = np.diag([n1, n2, n3]), np.diag([n1, n2, n3])
                large[0, 0], large[0, 1] = n1 - 1, 1
                small[2, 2], small[2, 1] = n3 - 1, 1
                for flip in (1, -1):
                    one, other = values(metric, np.array([large[::flip, ::flip], small[::flip, ::flip]]))
                    yield [one > other]


def _properties() -> Iterator[Claim]:
    for x, printed in ((1, "11"), (2, "24"), (3, "39")):
        yield _write.number("Section 4.1", f"f({x})", "10x + x²", printed, lambda x=x: 10 * x + x * x, how="arithmetic")  # type: ignore[misc]
    yield _write.statement(
        "Property 1",
        "CEM does not change when the classes are moved on a longer scale, in the same order.",
        "the 2,126 small tables in every place on 5 classes; (1, 2, 2), (1, 2, 3) on 39",
        lambda: (
            np.isclose(values("cem", embedded(stack, where, classes)), values("cem", stack), rtol=0, atol=1e-12)
            for stack, where, classes in _moves_on_longer_scales()
        ),
        how="cem",
    )
    yield _write.statement(
        "Property 2",
        "CEM rises when an answer moves one class closer to the truth.",
        f"every such move in {FULL_SMALL}",
        lambda: (
            values("cem", after) > values("cem", before) + 1e-12
            for stack in full_small()
            for before, after in one_step_closer(stack)
        ),
        how="cem",
        explanation="As the paper says, not where true classes are empty: one row of class 1 of three scores 0 answered 3 or 2.",
    )
    yield _write.statement(
        "Property 3",
        "CEM falls less by an error in the larger of two classes than by the same error in the smaller.",
        "all true classes of K = 3 without an empty one, N to 12, and their mirror images",
        lambda: _imbalance_cases("cem", 12),
        how="cem",
    )
    yield _write.statement(
        "Appendix C",
        "Moving a row from c_i to its neighbour c_j changes the sum of closeness in proportion to "
        "−log((n_i + n_j/2)/N) + log(n_i/N).",
        "all neighbours in K = 2 and 3, N to 6, no empty class",
        lambda: (
            [abs(moved / printed - _change((1, 1), 0, 1)[0] / _change((1, 1), 0, 1)[1]) < 1e-9]
            for gold in golds()
            for i, j in product(range(len(gold)), repeat=2)
            if abs(i - j) == 1
            for moved, printed in [_change(gold, i, j)]
        ),
        how="closeness_matrix",
        explanation="A right answer is worth −log(n_i/2N), half of the class; the next line of the proof has it so.",
        counterexample=CounterExample(
            "true classes (1, 1) and (2, 1), a row of class 1 moved to 2: the change is 2.7 and 4.1 times the printed expression",
            lambda: [round(a / b, 1) for a, b in (_change((1, 1), 0, 1), _change((2, 1), 0, 1))] == [2.7, 4.1],
        ),
    )
    yield _write.statement(
        "Appendix C",
        "The difference of two such moves into c_2 is positive whenever n_1 is larger than n_3.",
        "n_1, n_2, n_3 from 1 to 12",
        lambda: ([_gap(a, b, c) > 0] for a, b, c in product(range(1, 13), repeat=3) if a > c),
        how="closeness_matrix, 3 classes",
        explanation="With no empty class, as the paper requires; where n_2 is 0 the difference is 0.",
    )


def _change(gold: tuple[int, ...], i: int, j: int) -> tuple[float, float]:
    """What closeness loses when a row of class i is called j, in bits, and as Appendix C prints it."""
    n = sum(gold)
    return prox(gold, j, i) - prox(gold, i, i), bits((gold[i] + gold[j] / 2) / n) - bits(gold[i] / n)


def _gap(n1: int, n2: int, n3: int) -> float:
    bits = closeness_matrix(Counts.from_matrix(np.diag([n1, n2, n3])))
    return float((bits[0, 1] - bits[0, 0]) - (bits[2, 1] - bits[2, 2]))


def _section_5_4() -> Iterator[Claim]:
    for metric, text in (
        ("CEM", "0.57"),
        ("Accuracy", "0.57"),
        ("F-measure", "0.57"),
        ("CEM without logarithm", "0.55"),
        ("Accuracy with 1", "0.49"),
        ("Macro average MAE", "0.49"),
    ):
        yield _write.beyond(
            "Section 5.4",
            metric,
            "robustness",
            text,
            why="The robustness is that of system outputs of six evaluation campaigns, which are not part of this package.",
        )


def claims() -> Iterator[Claim]:
    yield from cem_examples.section_3_1()
    yield from _section_3_2()
    yield from _properties()
    yield from cem_table2.claims()
    yield from cem_table3.claims()
    yield from _section_5_4()
    yield from cem_examples.appendix_a()
    yield from cem_examples.appendix_b()
