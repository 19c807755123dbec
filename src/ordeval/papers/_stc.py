"""Binotto & Delgado (2023): what computes the numbers and statements of `record/stc.toml`; Appendix A is in `_stc_appendix`.

The paper's matrices have the prediction in rows and the truth in columns, its costs m_ij likewise: the tables here are their
transposes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import Stack, compositions, full_small
from ordeval.papers._claims import table_of, value, values
from ordeval.papers._stc_appendix import costs, distance, largest, on_axis
from ordeval.parts import optimal_length

#: The toy example, as printed with the prediction in rows.
TOY = {"A": np.array([[3, 2, 1], [2, 2, 2], [0, 1, 2]]).T, "B": np.array([[3, 2, 2], [2, 2, 1], [0, 1, 2]]).T}
ROOT = math.sqrt(2)


def _truths() -> Iterator[tuple[int, ...]]:
    return (n for r in (2, 3, 4) for rows in range(r, 9) for n in compositions(r, rows))


# Section 2


def mae_is_weighted_mean() -> Iterator[Any]:
    for stack in full_small():
        n = stack.sum(-1)
        steps = np.abs(np.subtract.outer(range(n.shape[-1]), range(n.shape[-1])))
        of_class = (stack * steps).sum(-1) / n
        yield np.isclose((n * of_class).sum(-1) / n.sum(-1), values("mae", stack), rtol=0, atol=1e-12)


def first_tau(truth: Any, pred: Any) -> float:
    """The section's first formula, over all ordered pairs."""
    one, other = (np.sign(np.subtract.outer(column, column)) for column in (truth, pred))
    return float((one * other).sum() / math.sqrt((one**2).sum() * (other**2).sum()))


def second_tau(truth: Any, pred: Any, *, same: bool = True) -> float:
    """The second formula as printed; without ``same`` a row is not paired with itself."""
    one, other = (np.sign(np.subtract.outer(column, column)) for column in (truth, pred))
    pairs = same | ~np.eye(len(truth), dtype=bool)
    con, dis = (int(((one * other == sign) & pairs).sum()) for sign in (1, -1))
    observed, predicted = (con + dis - int(((column == 0) & pairs).sum()) for column in (one, other))
    return (con - dis) / math.sqrt(observed * predicted) if observed * predicted > 0 else math.nan


def _columns(r: int, n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Truth in order with no class empty, and every prediction of it that varies."""
    for rows in compositions(r, n):
        truth = tuple(j for j, m in enumerate(rows, 1) for _ in range(m))
        for pred in product(range(1, r + 1), repeat=n):
            if len(set(pred)) > 1:
                yield truth, pred


def first_formula_is_tau() -> Iterator[Any]:
    for truth, pred in _columns(3, 4):
        yield [abs(first_tau(truth, pred) - value("kendall_tau", table_of(truth, pred, 3))) < 1e-12]


def second_formula_is_tau() -> Iterator[Any]:
    for truth, pred in _columns(2, 3):
        yield [abs(second_tau(truth, pred) - first_tau(truth, pred)) < 1e-12]


def tau_one_is_perfect() -> Iterator[Any]:
    """No class empty: a prediction with tau_b = 1 is an increasing map of r classes into r classes, the identity."""
    for r, n in ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4)):
        for truth, pred in _columns(r, n):
            yield [(first_tau(truth, pred) > 1 - 1e-12) == (truth == pred)]


def conditional_probabilities() -> Iterator[Any]:
    """p_ij = n_i / (N - n_j): they sum to 1 over the wrong answers, and the weight is 1 / p_ij."""
    for n in _truths():
        p = np.array(n)[:, None] / (sum(n) - np.array(n))
        off = ~np.eye(len(n), dtype=bool)
        yield np.isclose((p * off).sum(0), 1, rtol=0, atol=1e-12)
        yield np.isclose(gamma(n), 1 / p[off], rtol=1e-12)


def gamma(n: tuple[int, ...], *lengths: float) -> Stack:
    """γ of every wrong answer."""
    far = distance(*(lengths or [1] * len(n)))
    off = far > 0
    return np.asarray(costs(n, *lengths)[off] * sum(n) / far[off])


def gamma_at_least_1() -> Iterator[Any]:
    return ([gamma(n).min() >= 1 - 1e-12] for n in _truths())


def symmetric(cost: Stack) -> bool:
    return bool(np.allclose(cost, cost.T, rtol=1e-12, atol=0))


def symmetric_if_balanced() -> Iterator[Any]:
    return ([symmetric(costs(n)) == (len(set(n)) == 1)] for n in _truths())


# Section 3


def in_bounds() -> Iterator[Any]:
    for stack in full_small():
        found = values("stc", stack)
        yield (found >= 0) & (found <= 1)


def _formula(n: Any, labels: Any) -> float:
    """Propositions 1 and 4 as printed."""
    k = len(n)
    length = np.ones(k) if labels is None else np.diff(labels.edges)
    far, density = distance(*length), np.array(n) / length
    return float(sum(n[j] * (density.sum() - density[j]) * (far[:, j] / density).max() for j in range(k)) / sum(n))


def _largest_costs(metric: str, stack: Stack, labels: Any = None) -> Iterator[Any]:
    """For all true classes in a stack: whether the formula is the largest cost of the tables that have them."""
    cost = values(metric, stack, labels)
    counts, group = np.unique(stack.sum(-1), axis=0, return_inverse=True)
    for i, n in enumerate(counts):
        yield [math.isclose(cost[group.ravel() == i].max(), _formula(n, labels), rel_tol=1e-12)]


def proposition_1() -> Iterator[Any]:
    return (case for stack in full_small() for case in _largest_costs("total_cost", stack))


def proposition_2() -> Iterator[Any]:
    return ([abs(largest(n) - 1) < 1e-12] for n in product(range(1, 11), repeat=2))


def balanced_largest(r: int) -> float:
    return largest((1,) * r)


def proposition_3() -> Iterator[Any]:
    for r in range(2, 41):
        h = -(-r // 2)
        yield [math.isclose(balanced_largest(r), (r - 1) ** 2 / 2 + (r - 1) * (r - h) * h / r, rel_tol=1e-12)]


def proposition_3_by_parity() -> Iterator[Any]:
    for r in range(2, 41):
        form = (r - 1) ** 2 * (3 * r + 1) / (4 * r) if r % 2 else (r - 1) * (3 * r - 2) / 4
        yield [math.isclose(balanced_largest(r), form, rel_tol=1e-12)]


def odd_blocks() -> Iterator[Any]:
    """With r odd the middle class is as far from both ends: one block may have h - 1 columns instead of h."""
    for r in range(3, 40, 2):
        h = r // 2 + 1
        totals = [sum(r - j for j in range(1, m + 1)) + sum(j - 1 for j in range(m + 1, r + 1)) for m in (h, h - 1)]
        yield [totals[0] == totals[1] and math.isclose((r - 1) * totals[0] / r, balanced_largest(r), rel_tol=1e-12)]


def corollary_1() -> Iterator[Any]:
    for r in range(2, 40):
        yield [(balanced_largest(r) > 1 + 1e-12) == (r > 2), balanced_largest(r + 1) > balanced_largest(r)]


def first_line_of_proof() -> Iterator[Any]:
    for k in range(1, 101):
        yield [(4 * k * k - 1) * (3 * k - 1) < 4 * k * k * (3 * k + 2), 12 * k * k + 3 * k - 1 > 0]


def last_line_of_proof() -> Iterator[Any]:
    yield [4 * k * k < (2 * k + 1) ** 2 and 2 * k + 1 >= 2 for k in range(1, 101)]


# Section 4


def _intervals() -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    for r in (2, 3):
        for n in range(r, 7):
            yield from product(compositions(r, n), product((1, 2, 3), repeat=r))


def interval_gamma_at_least_1() -> Iterator[Any]:
    return ([gamma(n, *lengths).min() >= 1 - 1e-12] for n, lengths in _intervals())


def equal_lengths() -> Iterator[Any]:
    for stack, size in product(full_small(), (0.5, 2, 3)):
        axis = on_axis(*[size] * stack.shape[-1])
        yield np.isclose(values("interval_total_cost", stack, axis), size * values("total_cost", stack))


def even(n: tuple[int, ...], lengths: tuple[float, ...]) -> bool:
    return len({c / size for c, size in zip(n, lengths, strict=True)}) == 1


def symmetric_if_even() -> Iterator[Any]:
    return ([symmetric(costs(n, *lengths)) == even(n, lengths)] for n, lengths in _intervals())


def proposition_4() -> Iterator[Any]:
    for stack in full_small():
        for lengths in product((1, 2, 3), repeat=stack.shape[-1]):
            yield from _largest_costs("interval_total_cost", stack, on_axis(*lengths))


def proposition_5() -> Iterator[Any]:
    for n, lengths in product(product(range(1, 6), repeat=2), product((0.5, 1, 2, 3), repeat=2)):
        yield [abs(largest(n, *lengths) - max(lengths)) < 1e-12]


def _on_scales(check: Callable[[Any, Stack, Any], Any]) -> Iterator[Any]:
    """A check of STC and its tables on every small table, with lengths 1 and 2 in every order."""
    for stack in full_small():
        for lengths in product((1, 2), repeat=stack.shape[-1]):
            axis = on_axis(*lengths)
            yield check(values("interval_stc", stack, axis), stack, axis)


def _is_diagonal(stack: Stack) -> Stack:
    return np.asarray(np.trace(stack, axis1=1, axis2=2) == stack.sum((1, 2)))


def not_negative() -> Iterator[Any]:
    return _on_scales(lambda found, *_: found >= 0)


def homogeneous() -> Iterator[Any]:
    for factor in (2, 3):
        yield from _on_scales(
            lambda found, stack, axis, factor=factor: np.isclose(  # type: ignore[misc]
                values("interval_stc", factor * stack, axis), factor * found, rtol=0, atol=1e-12
            )
        )


def maximal_agreement() -> Iterator[Any]:
    return _on_scales(lambda found, stack, _: (found == 0) == _is_diagonal(stack))


def _largest_of_their_kind(stack: Stack, scale: Any) -> Stack:
    """Whether each table has the largest cost among the tables with its true classes."""
    cost = values("interval_total_cost", stack, scale)
    _, group = np.unique(stack.sum(-1), axis=0, return_inverse=True)
    most = np.full(group.max() + 1, -np.inf)
    np.maximum.at(most, group.ravel(), cost)
    return np.asarray(np.isclose(cost, most[group.ravel()], rtol=1e-12, atol=0))


def minimal_agreement() -> Iterator[Any]:
    return _on_scales(lambda found, stack, axis: (np.abs(found - 1) < 1e-12) == _largest_of_their_kind(stack, axis))


def scale_invariance() -> Iterator[Any]:
    for c, d in ((3, 5), (0.25, -2)):
        yield from _on_scales(
            lambda found, stack, axis, c=c, d=d: np.isclose(  # type: ignore[misc]
                values("interval_stc", stack, type(axis).from_edges([c * edge + d for edge in axis.edges])),
                found,
                rtol=0,
                atol=1e-12,
            )
        )


def _compared(condition: Callable[..., bool], *, by_truth: bool) -> Iterator[Any]:
    """Whether k costs more than i with j, for all three different classes that meet a condition on densities and distances.

    i and k are answers to the truth j, or (``by_truth``) truths that are answered j.
    """
    for r in (3, 4):
        for n in range(r, 7):
            for counts, lengths in product(compositions(r, n), product((1, 2), repeat=r)):
                density, far = [c / size for c, size in zip(counts, lengths, strict=True)], distance(*lengths)
                triples = (triple for triple in product(range(r), repeat=3) if len(set(triple)) == 3)
                chosen = [triple for triple in triples if condition(density, far, *triple)]
                if chosen:
                    cost = costs(counts, *lengths).T if by_truth else costs(counts, *lengths)
                    yield [cost[k, j] > cost[i, j] for i, k, j in chosen]


def monotonicity() -> Iterator[Any]:
    return _compared(lambda d, far, i, k, j: d[i] == d[k] and far[k, j] > far[i, j] + 1e-12, by_truth=False)


def _sparser(d: list[float], far: Stack, i: int, k: int, j: int) -> bool:
    return d[k] < d[i] - 1e-12 and abs(far[i, j] - far[k, j]) < 1e-12


def imbalance_from() -> Iterator[Any]:
    return _compared(_sparser, by_truth=True)


def imbalance_to() -> Iterator[Any]:
    return _compared(_sparser, by_truth=False)


# Section 5

LENGTHS = (0.25, 0.5, 1 / ROOT, 1.0, 1.5, 2.0, 4.0)


def toy(metric: str, name: str, x: float) -> float:
    return value(metric, TOY[name], on_axis(1, 1, x))


def toy_difference(x: float) -> float:
    return toy("interval_stc", "B", x) - toy("interval_stc", "A", x)


def toy_costs() -> Iterator[Any]:
    for x in LENGTHS:
        wide = max(1.0, x)
        rows = [[0, 1 + 1 / x, 2 * (1 + wide)], [1 + 1 / x, 0, 2 * wide], [(1 + x) * (1 + wide), (1 + x) * wide, 0]]
        yield np.isclose(costs((5, 5, 5), 1, 1, x), np.array(rows) / 15, rtol=0, atol=1e-12)


def toy_cost_of_a() -> Iterator[Any]:
    for x in LENGTHS:
        yield [abs(toy("interval_total_cost", "A", x) - (6 + 4 / x + (7 + x) * max(1, x)) / 15) < 1e-12]


def toy_cost_of_b() -> Iterator[Any]:
    for x in LENGTHS:
        yield [abs(toy("interval_total_cost", "B", x) - toy("interval_total_cost", "A", x) - 2 / 15) < 1e-12]


def toy_value(row: str, column: str) -> float:
    if row.startswith("best length"):
        best = optimal_length(Counts.from_matrix(TOY["A"], labels=on_axis(1, 1, math.inf)))
        return best if isinstance(best, float) else math.nan
    if row.startswith("TC max"):
        return largest((5, 5, 5), 1, 1, 1 / ROOT)
    if "less" in row:
        return toy_difference(1 / ROOT)
    return value("interval_stc", TOY[row[-1]], on_axis(1, 1, math.inf))


def toy_difference_is_largest() -> Iterator[Any]:
    return ([toy_difference(i / 20) < toy_difference(1 / ROOT)] for i in range(1, 101))


def effect(truth: int, answer: int, x: float, n: tuple[int, ...] = (1, 1, 1), lengths: tuple[float, ...] = (1, 1)) -> float:
    """What one wrong row adds to STC, classes from 1."""
    table = np.diag(n)
    table[truth - 1, truth - 1] -= 1
    table[truth - 1, answer - 1] += 1
    return value("interval_stc", table, on_axis(*lengths, x))


def any_change_counts_most() -> Iterator[Any]:
    for truth, answer in product((1, 2, 3), repeat=2):
        if truth != answer:
            yield [effect(truth, answer, i / 5) <= effect(truth, answer, 1 / ROOT) + 1e-12 for i in range(1, 51)]
