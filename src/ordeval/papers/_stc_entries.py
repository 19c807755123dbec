"""What is recorded of Binotto & Delgado (2023) as an entry: for each its premise and its counter-example, computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.papers import _stc as stc
from ordeval.papers._claims import Refutation, value
from ordeval.papers._stc_appendix import CASES, PIECES, balanced, costs, on_axis
from ordeval.parts import optimal_length


def _all_classes_there(truth: Sequence[int], classes: int) -> bool:
    return set(truth) == set(range(1, classes + 1))


def _perfect_above_1(truth: Sequence[int], classes: int) -> Refutation:
    found = [stc.second_tau(truth, truth, same=False), stc.second_tau(truth, truth), stc.first_tau(truth, truth)]
    return found[0] != 1 and found[1] != 1, found


def _no_empty_class(n: Sequence[int], **_: Any) -> bool:
    return len(n) >= 2 and min(n) > 0


def _printed_costs(n: Any, lengths: Any) -> Any:
    """m_ij = sum over k ≠ j of δ_k, over δ_i, times d_ij, over N: for rows of class sizes and lengths at once."""
    edges = np.cumsum(lengths, -1)
    low, high = edges - lengths, edges
    far = np.maximum(np.abs(low[..., :, None] - low[..., None, :]), np.abs(high[..., :, None] - high[..., None, :]))
    density = n / lengths
    others = density.sum(-1, keepdims=True) - density
    return others[..., None, :] / density[..., :, None] * far / n.sum(-1)[..., None, None]


def _exceptions(n: Any, lengths: Any) -> int:
    """In how many cases symmetry and even densities do not go together."""
    cost, density = _printed_costs(n, lengths), n / lengths
    alike = np.isclose(density, density[..., :1], rtol=1e-12).all(-1)
    return int((np.isclose(cost, cost.swapaxes(-1, -2), rtol=1e-12).all((-1, -2)) != alike).sum())


def _always_symmetric(n: Sequence[int]) -> Refutation:
    cost = costs(tuple(n))
    same_formula = np.allclose(_printed_costs(np.array([1, 2, 3]), np.array([1, 2, 1])), costs((1, 2, 3), 1, 2, 1))
    exceptions = cases = 0
    for r, most in ((3, 5), (4, 5), (5, 5)):
        grid = np.array(list(product(range(1, most + 1), repeat=r)))
        exceptions += _exceptions(grid, np.ones(r))
    for r in (3, 4):
        grid = np.array(list(product((1, 2, 3), repeat=r)))
        both = np.array(list(product(range(len(grid)), repeat=2)))
        cases += len(both)
        exceptions += _exceptions(grid[both[:, 0]], grid[both[:, 1]])
    refuted = stc.symmetric(cost) and len(set(n)) > 1 and same_formula
    return bool(refuted), [cost[0, 1], cost[1, 0], exceptions, cases]


def _filled(matrix: Sequence[Sequence[int]], factor: int) -> bool:
    return factor > 0 and len(matrix) >= 2 and bool((np.array(matrix).sum(1) > 0).all())


def _a_share_does_not_grow(matrix: Sequence[Sequence[int]], factor: int) -> Refutation:
    one, other = value("stc", matrix), value("stc", factor * np.array(matrix))
    return other != factor * one, [one, other]


def _effect_grows(n: Sequence[int], lengths: Sequence[float], truth: int, answer: int) -> Refutation:
    best = optimal_length(Counts.from_matrix(np.diag(n), labels=on_axis(*lengths, math.inf)))
    assert isinstance(best, float)
    found = [stc.effect(truth, answer, x, tuple(n), tuple(lengths)) for x in (best, 1, 2, 50)]
    return max(found[1:]) > found[0], [*found, stc.toy_difference(1 / stc.ROOT)]


def _from_one_on(first: int, last: int) -> bool:
    return first >= 1


def _true_as_claimed(first: int, last: int) -> Refutation:
    ks = range(first, last + 1)
    return all(4 * k * k < (2 * k + 1) ** 2 and 2 * k < 2 * k + 1 and 2 * k + 1 >= 2 for k in ks), [len(ks)]


def _case_b(cases: Sequence[str]) -> bool:
    return all(case in CASES and case.startswith("b") for case in cases)


def _read_without_repeats(cases: Sequence[str]) -> Refutation:
    chosen = [piece for piece in PIECES if piece[0] in cases]
    agree = all(
        math.isclose(balanced(s, x), cost(s, x), rel_tol=1e-9)
        for case, _, low, high, cost in chosen
        for s in CASES[case][1]
        for x in [(low(s) + min(high(s), low(s) + 5)) / 2]
    )
    return agree, [len(chosen)]


CHECKS: dict[str, tuple[Callable[..., bool], Callable[..., Refutation]]] = {
    "S1": (_all_classes_there, _perfect_above_1),
    "S2": (_no_empty_class, _always_symmetric),
    "S3": (_filled, _a_share_does_not_grow),
    "S4": (_no_empty_class, _effect_grows),
    "X2": (_from_one_on, _true_as_claimed),
    "X3": (_case_b, _read_without_repeats),
}
