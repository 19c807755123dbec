"""Binotto & Delgado (2023): the definitions, propositions and properties of the standardized total misclassification cost.

The paper's matrices have the prediction in rows and the truth in columns, its costs m_ij likewise: the tables here are their
transposes.  The toy example is in `stc_toy`, the pieces of Appendix A are in
`stc_appendix`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.laws._small_tables import FULL_SMALL, Stack, all_small, compositions, full_small, tables
from ordeval.papers import _stc_appendix as stc_appendix
from ordeval.papers import _stc_toy as stc_toy
from ordeval.papers._claims import Claim, CounterExample, Writer, value, values
from ordeval.papers._stc_appendix import costs, largest, on_axis

_write = Writer("stc")


def _groups(metric: str, stack: Stack, labels: Any = None) -> Iterator[tuple[Any, Stack, float]]:
    """For all true classes in a stack: the classes, the costs of all tables that have them, and the formula's largest."""
    cost = values(metric, stack, labels)
    counts, group = np.unique(stack.sum(-1), axis=0, return_inverse=True)
    for i, n in enumerate(counts):
        yield n, cost[group.ravel() == i], _formula(n, labels)


def _formula(n: Any, labels: Any) -> float:
    """Propositions 1 and 4 as printed."""
    k = len(n)
    length = np.ones(k) if labels is None else np.diff(labels.edges)
    start = np.concatenate([[0], np.cumsum(length)])
    far = [[max(abs(start[i] - start[j]), abs(start[i + 1] - start[j + 1])) for j in range(k)] for i in range(k)]
    density = [c / size for c, size in zip(n, length, strict=True)]
    parts = [n[j] * (sum(density) - density[j]) * max(far[i][j] / density[i] for i in range(k)) for j in range(k)]
    return float(sum(parts) / sum(n))


def _scales(k: int) -> list[Any]:
    return [on_axis(*lengths) for lengths in product((1, 2, 3), repeat=k)]


def _balanced_largest(r: int) -> float:
    return largest((1,) * r)


def _last_line(k: int) -> bool:
    return (4 * k * k < (2 * k + 1) ** 2) == (2 * k + 1 >= 2)


def _propositions() -> Iterator[Claim]:
    yield _write.statement(
        "Proposition 1",
        "The formula is the largest cost of all matrices with the same true classes.",
        "the 20 ways to fill 2 or 3 classes with up to 5 rows, each with all its matrices",
        lambda: ([abs(cost.max() - most) < 1e-12] for stack in full_small() for _, cost, most in _groups("total_cost", stack)),
        how="total_cost",
    )
    yield _write.statement(
        "Proposition 2",
        "With two classes the largest cost is 1.",
        "n_1, n_2 from 1 to 10",
        lambda: ([abs(largest(n) - 1) < 1e-12] for n in product(range(1, 11), repeat=2)),
        how="total_cost / stc",
    )
    forms: list[tuple[str, Callable[[int], float]]] = [
        (
            "(r−1)²/2 + (r−1)(r−h)h/r, h = r/2 rounded up",
            lambda r: (r - 1) ** 2 / 2 + (r - 1) * (r - -(-r // 2)) * -(-r // 2) / r,
        ),
        (
            "(r−1)(3r−2)/4 for even r, (r−1)²(3r+1)/(4r) for odd",
            lambda r: (r - 1) ** 2 * (3 * r + 1) / (4 * r) if r % 2 else (r - 1) * (3 * r - 2) / 4,
        ),
    ]
    for text, form in forms:
        yield _write.statement(
            "Proposition 3",
            f"With balanced classes the largest cost is {text}.",
            "r = 2 to 40",
            lambda form=form: ([math.isclose(_balanced_largest(r), form(r), rel_tol=1e-12)] for r in range(2, 41)),  # type: ignore[misc]
            how="total_cost / stc",
        )
    yield _write.statement(
        "Corollary 1",
        "With balanced classes the largest cost is 1 for r = 2, above 1 for more, and rises with r.",
        "r = 2 to 40",
        lambda: (
            [(_balanced_largest(r) > 1) == (r > 2) or r == 2, _balanced_largest(r + 1) > _balanced_largest(r)]
            for r in range(2, 40)
        ),
        how="total_cost / stc",
    )
    yield _write.statement(
        "Corollary 1, proof",
        "4k² < (2k + 1)² if and only if 2 ≤ 2k + 1.",
        "k = 0 to 100",
        lambda: ([_last_line(k)] for k in range(101)),
        how="arithmetic",
        explanation="A misprint without consequence: the root of 4k² is 2k, and 2k < 2k + 1 is meant; for k from 1 on both are true.",
        counterexample=CounterExample("k = 0: 0 < 1, but 2 is not at most 1", lambda: not _last_line(0)),
    )
    yield _write.statement(
        "Proposition 4",
        "The formula for intervals is the largest cost of all matrices with the same true classes.",
        "the 20 ways of Proposition 1, with all lengths out of 1, 2, 3",
        lambda: (
            [math.isclose(cost.max(), most, rel_tol=1e-12)]
            for stack in full_small()
            for scale in _scales(stack.shape[-1])
            for _, cost, most in _groups("interval_total_cost", stack, scale)
        ),
        how="interval_total_cost",
    )
    yield _write.statement(
        "Proposition 5",
        "With two intervals the largest cost is the longer length.",
        "n_1, n_2 from 1 to 5, lengths 1/2 and from 1 to 3",
        lambda: (
            [abs(largest(n, *lengths) - max(lengths)) < 1e-12]
            for n in product(range(1, 6), repeat=2)
            for lengths in product((0.5, 1, 2, 3), repeat=2)
        ),
        how="interval_total_cost / interval_stc",
    )
    yield from stc_appendix.proposition_6()


def _definitions() -> Iterator[Claim]:
    yield _write.statement(
        "Section 1",
        "A class without true rows is removed, and the matrix of the others has the same N rows.",
        "the matrices of 3 classes and 3 rows with one empty true class",
        lambda: ([_without_empty(t).sum() == 3] for t in _one_empty()),
        how="the rows left when its row and column are deleted",
        explanation="Rows that are predicted into the class go with it, and they are errors: the error rate falls.",
        counterexample=CounterExample(
            "truth 1, 1, 3 answered 1, 2, 3: without class 2 two rows remain, both right, and STC is 0 instead of 1/3",
            lambda: (
                value("stc", _without_empty(EXAMPLE)) == 0
                and abs(value("stc", EXAMPLE) - 1 / 3) < 1e-12
                and value("mze", EXAMPLE) == 1 / 3
            ),
        ),
    )
    yield _write.statement(
        "Section 2, tau_b",
        "tau_b is (Con − Dis) / √((Con + Dis − T_obs)(Con + Dis − T_pred)).",
        "truth = prediction, all vectors of 2 classes and 3 rows; pairs of different rows",
        lambda: ([abs(_printed_tau(y) - 1) < 1e-12] for y in product((1, 2), repeat=3) if len(set(y)) == 2),
        how="the printed formula against 1",
        explanation="The ties have to be taken off all pairs; Con + Dis has lost them already.",
        counterexample=CounterExample(
            "truth and prediction (1, 1, 2): the formula gives 2 over pairs of different rows, 4 over all pairs; tau_b is 1",
            lambda: (
                _printed_tau((1, 1, 2)) == 2
                and _printed_tau((1, 1, 2), same=True) == 4
                and value("kendall_tau", [[2, 0], [0, 1]]) == 1
            ),
        ),
    )
    yield _write.statement(
        "Section 2, tau_b",
        "tau_b = 1 means that there is no error.",
        "the tables of 2 or 3 classes, 1 to 5 rows, for which tau_b is defined",
        lambda: ((values("kendall_tau", s) < 1) | (np.trace(s, axis1=1, axis2=2) == s.sum((1, 2))) for s in _with_pairs()),
        how="kendall_tau",
        explanation="tau_b sees only the order of the rows; answers that are all one class too high have it right.",
        counterexample=CounterExample(
            "truth (1, 2) answered (2, 3): tau_b = 1, and every row is wrong",
            lambda: value("kendall_tau", SHIFTED) == 1 and value("mze", SHIFTED) == 1,
        ),
    )
    yield _write.statement(
        "Section 2, eq. 3",
        "γ_ij is at least 1 for i ≠ j.",
        "true classes of r = 2 to 4, N to 8",
        lambda: ([_gamma(n).min() >= 1 - 1e-12] for n in _truths()),
        how="cost_matrix",
    )
    yield _write.statement(
        "Remark 1",
        "The cost matrix is symmetric if and only if the classes are balanced.",
        "true classes of r = 2 to 4, N to 8",
        lambda: ([_symmetric(costs(n)) == (len(set(n)) == 1)] for n in _truths()),
        how="cost_matrix",
        explanation="With two classes it is always symmetric; from three on the remark holds in every case tried.",
        counterexample=CounterExample(
            "n = (1, 2): both costs are 1/3",
            lambda: (
                np.allclose(costs((1, 2)), [[0, 1 / 3], [1 / 3, 0]])
                and all(_symmetric(costs(n)) == (len(set(n)) == 1) for n in _truths() if len(n) > 2)
            ),
        ),
    )
    yield _write.beyond(
        "Remark 2",
        "George et al. (2016) do not divide by N.",
        "",
        "",
        why="The text of George et al. is not at hand.  STC is the same with and without N.",
    )
    yield _write.statement(
        "Definition 1",
        "STC is between 0 and 1.",
        FULL_SMALL,
        lambda: ((found >= 0) & (found <= 1) for stack in full_small() for found in [values("stc", stack)]),
        how="stc",
    )
    yield _write.statement(
        "Definition 1",
        "STC is between 0 and 1 for every number of classes r from 1 on.",
        "r = 1, N = 1 to 5",
        lambda: ([0 <= value("stc", [[n]]) <= 1] for n in range(1, 6)),
        how="stc",
        explanation="With one class nothing can cost anything: the largest cost is 0, and STC is 0/0.",
        counterexample=CounterExample("one class, one row: 0/0", lambda: math.isnan(value("stc", [[1]]))),
    )
    yield _write.statement(
        "Section 4.1, eq. 9",
        "γ̂_ij is at least 1 for i ≠ j.",
        "true classes of r = 2 and 3, N to 6, lengths from 1 to 3",
        lambda: ([_gamma(n, *lengths).min() >= 1 - 1e-12] for n, lengths in _intervals((1, 2, 3))),
        how="cost_matrix",
    )
    yield _write.statement(
        "Section 4.1",
        "With equal lengths L the interval cost is L times the cost on ranks.",
        f"{FULL_SMALL}, L = 1/2, 2 and 3",
        lambda: (
            np.isclose(
                values("interval_total_cost", stack, on_axis(*[size] * stack.shape[-1])), size * values("total_cost", stack)
            )
            for stack in full_small()
            for size in (0.5, 2, 3)
        ),
        how="interval_total_cost against total_cost",
    )
    yield _write.statement(
        "Remark 4",
        "The interval cost matrix is symmetric if and only if all densities are the same.",
        "true classes of r = 2 and 3, N to 6, lengths from 1 to 3",
        lambda: ([_symmetric(costs(n, *lengths)) == _even(n, lengths)] for n, lengths in _intervals((1, 2, 3))),
        how="cost_matrix(metric='interval_stc')",
        explanation="As for Remark 1: with two intervals it is always symmetric.",
        counterexample=CounterExample(
            "n = (1, 2), lengths 1 and 1: both costs are 1/3",
            lambda: (
                np.allclose(costs((1, 2), 1, 1), [[0, 1 / 3], [1 / 3, 0]])
                and all(_symmetric(costs(n, *x)) == _even(n, x) for n, x in _intervals((1, 2, 3)) if len(n) > 2)
            ),
        ),
    )


#: Truth 1, 1, 3 answered 1, 2, 3; and truth 1, 2 answered 2, 3.
EXAMPLE = [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
SHIFTED = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


def _one_empty() -> Iterator[Stack]:
    stack = tables(3, 3)
    yield from stack[(stack.sum(-1) > 0).sum(-1) == 2]


def _without_empty(table: Any) -> Stack:
    found = np.asarray(table)
    kept = found.sum(1) > 0
    return np.asarray(found[kept][:, kept])


def _with_pairs() -> Iterator[Stack]:
    """Tables whose truth and prediction both vary, so that tau_b is defined."""
    for stack in all_small():
        varied = ((stack.sum(1) > 0).sum(-1) > 1) & ((stack.sum(2) > 0).sum(-1) > 1)
        if varied.any():
            yield stack[varied]


def _printed_tau(y: tuple[int, ...], *, same: bool = False) -> float:
    """The printed formula for a perfect prediction; with ``same`` a row is also paired with itself."""
    rows = range(len(y))
    pairs = [(a, b) for a, b in product(rows, repeat=2) if same or a != b]
    concordant = sum(y[a] != y[b] for a, b in pairs)
    return concordant / math.sqrt((concordant - (len(pairs) - concordant)) ** 2)


def _truths() -> Iterator[tuple[int, ...]]:
    for r in (2, 3, 4):
        for n in range(r, 9):
            yield from compositions(r, n)


def _intervals(lengths: tuple[float, ...], most: int = 6) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    for r in (2, 3):
        for n in range(r, most + 1):
            yield from product(compositions(r, n), product(lengths, repeat=r))


def _distance(*lengths: float) -> Stack:
    edges = np.concatenate([[0], np.cumsum(lengths)])
    low, high = edges[:-1], edges[1:]
    return np.asarray(np.maximum(np.abs(np.subtract.outer(low, low)), np.abs(np.subtract.outer(high, high))))


def _gamma(n: tuple[int, ...], *lengths: float) -> Stack:
    """γ of every wrong answer."""
    distance = _distance(*(lengths or [1] * len(n)))
    off = distance > 0
    return np.asarray(costs(n, *lengths)[off] * sum(n) / distance[off])


def _symmetric(costs: Stack) -> bool:
    return bool(np.allclose(costs, costs.T, rtol=1e-12, atol=0))


def _even(n: tuple[int, ...], lengths: tuple[float, ...]) -> bool:
    return len({c / size for c, size in zip(n, lengths, strict=True)}) == 1


def _on_scales(check: Callable[[Any, Stack, Any], Any]) -> Callable[[], Iterator[Any]]:
    """A check of STC and its tables on every small table, with lengths 1 and 2 in every order."""
    return lambda: (
        check(values("interval_stc", stack, scale), stack, scale)
        for stack in full_small()
        for scale in (on_axis(*lengths) for lengths in product((1, 2), repeat=stack.shape[-1]))
    )


ON_SCALES = f"{FULL_SMALL}, lengths 1 and 2"


def _largest_of_their_kind(stack: Stack, scale: Any) -> Stack:
    """Whether each table has the largest cost among the tables with its true classes."""
    cost = values("interval_total_cost", stack, scale)
    _, group = np.unique(stack.sum(-1), axis=0, return_inverse=True)
    most = np.full(group.max() + 1, -np.inf)
    np.maximum.at(most, group.ravel(), cost)
    return np.asarray(np.isclose(cost, most[group.ravel()], rtol=1e-12, atol=0))


def _properties() -> Iterator[Claim]:
    where = "Section 4.2"
    yield _write.statement(
        where, "Interval STC is never negative.", ON_SCALES, _on_scales(lambda found, *_: found >= 0), how="interval_stc"
    )
    yield _write.statement(
        where,
        "Interval STC of κA is κ times that of A (homogeneity).",
        f"{ON_SCALES}, κ = 2 and 3",
        lambda: (
            case
            for factor in (2, 3)
            for case in _on_scales(
                lambda found, stack, scale, factor=factor: np.isclose(  # type: ignore[misc]
                    values("interval_stc", factor * stack, scale), factor * found, rtol=0, atol=1e-12
                )
            )()
        ),
        how="interval_stc",
        explanation="The cost divides by N and its weights are ratios of counts, so neither the cost nor its largest value changes: "
        "STC of κA is STC of A.  It could not grow, being at most 1.",
        counterexample=CounterExample(
            "A = [[0, 1], [1, 0]]: STC is 1 for A and for 2A; 2 is claimed",
            lambda: value("stc", [[0, 1], [1, 0]]) == value("stc", [[0, 2], [2, 0]]) == 1,
        ),
    )
    yield _write.statement(
        where,
        "Interval STC is 0 for diagonal matrices and for no others (maximal agreement).",
        ON_SCALES,
        _on_scales(lambda found, stack, _: (found == 0) == (np.trace(stack, axis1=1, axis2=2) == stack.sum((1, 2)))),
        how="interval_stc",
    )
    yield _write.statement(
        where,
        "Interval STC is 1 for the matrices with the largest cost and for no others (minimal agreement).",
        ON_SCALES,
        _on_scales(lambda found, stack, scale: (np.abs(found - 1) < 1e-12) == _largest_of_their_kind(stack, scale)),
        how="interval_stc",
    )
    yield _write.statement(
        "Property 1",
        "Changing the unit or the origin of the axis changes nothing (scale invariance).",
        f"{ON_SCALES}, 3x + 5 and x/4 − 2",
        lambda: (
            case
            for c, d in ((3, 5), (0.25, -2))
            for case in _on_scales(
                lambda found, stack, scale, c=c, d=d: np.isclose(  # type: ignore[misc]
                    values("interval_stc", stack, type(scale).from_edges([c * edge + d for edge in scale.edges])),
                    found,
                    rtol=0,
                    atol=1e-12,
                )
            )()
        ),
        how="interval_stc",
    )
    cases = "true classes of r = 3 and 4, N to 6, lengths 1 and 2"
    yield _write.statement(
        "Property 2",
        "Of two wrong answers with the same density the farther costs more (monotonicity).",
        cases,
        lambda: _compared(lambda d, far, i, k, j: d[i] == d[k] and far[k, j] > far[i, j] + 1e-12, by_truth=False),
        how="cost_matrix(metric='interval_stc')",
        explanation="Only with the same density: on ranks, n = (1, 1, 3), a 1 called 3 costs less than a 1 called 2.",
    )
    yield _write.statement(
        "Property 3",
        "A row of a sparser interval costs more, at the same distance from the answer (imbalance).",
        cases,
        lambda: _compared(lambda d, far, i, k, j: d[k] < d[i] - 1e-12 and abs(far[i, j] - far[k, j]) < 1e-12, by_truth=True),
        how="cost_matrix(metric='interval_stc')",
    )
    yield _write.statement(
        "Property 3",
        "An answer in a sparser interval costs more, at the same distance from the truth.",
        cases,
        lambda: _compared(lambda d, far, i, k, j: d[k] < d[i] - 1e-12 and abs(far[i, j] - far[k, j]) < 1e-12, by_truth=False),
        how="cost_matrix(metric='interval_stc')",
    )


def _compared(condition: Callable[..., bool], *, by_truth: bool) -> Iterator[Any]:
    """Whether k costs more than i with j, for all three different classes that meet a condition on densities and distances.

    i and k are answers to the truth j, or (``by_truth``) truths that are answered j.
    """
    for r in (3, 4):
        for n in range(r, 7):
            for counts, lengths in product(compositions(r, n), product((1, 2), repeat=r)):
                density, far = [c / size for c, size in zip(counts, lengths, strict=True)], _distance(*lengths)
                chosen = [
                    (i, k, j)
                    for i, k, j in product(range(r), repeat=3)
                    if len({i, k, j}) == 3 and condition(density, far, i, k, j)
                ]
                if chosen:
                    cost = costs(counts, *lengths).T if by_truth else costs(counts, *lengths)
                    yield [cost[k, j] > cost[i, j] for i, k, j in chosen]


def claims() -> Iterator[Claim]:
    yield from _definitions()
    yield from _propositions()
    yield from _properties()
    yield from stc_toy.toy_example()
    yield from stc_appendix.pieces()
