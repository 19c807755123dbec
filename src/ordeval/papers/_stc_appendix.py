"""Proposition 6 of Binotto & Delgado (2023) and its proof: three balanced intervals of lengths 1, L and x, piece by piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import Stack
from ordeval.metrics.families.cost import class_costs
from ordeval.order.scale import Scale
from ordeval.parts import cost_matrix, optimal_length

INF = math.inf
ROOT5 = math.sqrt(5)
GOLDEN = (1 + ROOT5) / 2

OfL = Callable[[float], float]
OfLX = Callable[[float, float], float]


def on_axis(*lengths: float) -> Scale:
    """Interval classes of these lengths, from 0 on; the last may be infinite."""
    return Scale.from_edges([0.0, *np.cumsum(lengths).tolist()])


def distance(*lengths: float) -> Stack:
    """Hausdorff distances of intervals that follow each other."""
    edges = np.concatenate([[0], np.cumsum(lengths)])
    low, high = edges[:-1], edges[1:]
    return np.asarray(np.maximum(np.abs(np.subtract.outer(low, low)), np.abs(np.subtract.outer(high, high))))


@lru_cache(100_000)
def largest_parts(n: tuple[int, ...], lengths: tuple[float, ...]) -> tuple[float, ...]:
    """The paper's K_j: the most that the rows of each class can cost."""
    return tuple(class_costs(np.diag(n).astype(float), np.array(lengths, float), distance(*lengths))[1].tolist())


def largest(n: tuple[int, ...], *lengths: float) -> float:
    """The largest cost that these true classes allow, on ranks or with these lengths."""
    return sum(largest_parts(n, lengths or (1.0,) * len(n))) / sum(n)


def costs(n: Any, *lengths: float) -> Stack:
    """The paper's M: what a row costs, prediction in rows and truth in columns, for these true rows."""
    if lengths:
        return np.asarray(cost_matrix(Counts.from_matrix(np.diag(n), labels=on_axis(*lengths)), metric="interval_stc")).T
    return np.asarray(cost_matrix(Counts.from_matrix(np.diag(n)))).T


def balanced(size: float, x: float) -> float:
    """The largest cost of three balanced intervals of lengths 1, L and x."""
    return largest((1, 1, 1), 1.0, size, x)


#: Where L lies, and the values of L that are tried there.
CASES: dict[str, tuple[str, tuple[float, ...]]] = {
    "a": ("L ≤ 1", (0.1, 0.25, 0.5, 0.75, 1.0)),
    "b.1": ("1 < L ≤ (1+√5)/2", (1.05, 1.2, 1.4, 1.6, GOLDEN)),
    "b.2": ("(1+√5)/2 < L ≤ 2", (1.65, 1.7, 1.8, 1.9, 2.0)),
    "b.3": ("L > 2", (2.1, 2.5, 2.62, 3.0, 5.0, 10.0)),
}

#: Case, from and to which x, the largest cost there.
PIECES: list[tuple[str, str, OfL, OfL, OfLX]] = [
    ("a", "0 to L/(L+1)", lambda s: 0, lambda s: s / (s + 1), lambda s, x: ((s + 1) / x + s + 4 + 1 / s) / 3),
    ("a", "L/(L+1) to 1", lambda s: s / (s + 1), lambda s: 1, lambda s, x: ((1 + 1 / s) * x + 1 / x + 2 * s + 4 + 1 / s) / 3),
    ("a", "above 1", lambda s: 1, lambda s: INF, lambda s, x: ((1 + 1 / s) * x * x + (4 + 1 / s) * x + 2 * s + 1) / 3),
    ("b.1", "0 to L²/(L+1)", lambda s: 0, lambda s: s * s / (s + 1), lambda s, x: ((s * s + s) / x + 3 * s + 2 + 1 / s) / 3),
    (
        "b.1",
        "L²/(L+1) to 1",
        lambda s: s * s / (s + 1),
        lambda s: 1,
        lambda s, x: ((s + 1) / s * x + s / x + 3 * s + 3 + 1 / s) / 3,
    ),
    ("b.1", "1 to L", lambda s: 1, lambda s: s, lambda s, x: (x * x / s + (3 + s + 1 / s) * x + 3 * s + 1) / 3),
    (
        "b.1",
        "L to L/(L−1)",
        lambda s: s,
        lambda s: s / (s - 1),
        lambda s, x: ((1 + 1 / s) * x * x + (4 + 1 / s) * x + 2 * s + 1) / 3,
    ),
    ("b.1", "above L/(L−1)", lambda s: s / (s - 1), lambda s: INF, lambda s, x: ((1 + 1 / s) * x * x + (4 + s) * x + s) / 3),
    ("b.2", "0 to 1", lambda s: 0, lambda s: 1, lambda s, x: (s * (s + 1) / x + s * (s + 3)) / 3),
    ("b.2", "1 to L(√5−1)/2", lambda s: 1, lambda s: s * (ROOT5 - 1) / 2, lambda s, x: (s * x + s * s / x + s * (s + 3)) / 3),
    (
        "b.2",
        "L(√5−1)/2 to L(L−1)",
        lambda s: s * (ROOT5 - 1) / 2,
        lambda s: s * (s - 1),
        lambda s, x: (x * x / s + (s + 2) * x + s * (s + 3)) / 3,
    ),
    ("b.2", "L(L−1) to L", lambda s: s * (s - 1), lambda s: s, lambda s, x: (x * x / s + (s + 3 + 1 / s) * x + 3 * s + 1) / 3),
    (
        "b.2",
        "L to L/(L−1)",
        lambda s: s,
        lambda s: s / (s - 1),
        lambda s, x: ((1 + 1 / s) * x * x + (4 + 1 / s) * x + 2 * s + 1) / 3,
    ),
    ("b.2", "above L/(L−1)", lambda s: s / (s - 1), lambda s: INF, lambda s, x: ((1 + 1 / s) * x * x + (4 + s) * x + s) / 3),
    ("b.3", "0 to 1", lambda s: 0, lambda s: 1, lambda s, x: (s * (s + 1) / x + s * (s + 3)) / 3),
    ("b.3", "1 to L(√5−1)/2", lambda s: 1, lambda s: s * (ROOT5 - 1) / 2, lambda s, x: (s * x + s * s / x + s * (s + 3)) / 3),
    (
        "b.3",
        "L(√5−1)/2 to L",
        lambda s: s * (ROOT5 - 1) / 2,
        lambda s: s,
        lambda s, x: (x * x / s + (s + 2) * x + s * (s + 3)) / 3,
    ),
    ("b.3", "above L", lambda s: s, lambda s: INF, lambda s, x: ((1 + 1 / s) * x * x + (4 + s) * x + s) / 3),
]


def _golden_minimum(s: float) -> float:
    return s / 6 * ((ROOT5 + 1) * s + ROOT5 + 7)


def _at_end(s: float) -> float:
    return 2 / 3 * s / (s - 1) ** 2 * (s * s + s - 1)


def _second_of_b3(s: float) -> float:
    return _golden_minimum(s) if s <= (3 + ROOT5) / 2 else s / 3 * (2 * math.sqrt(s) + s + 3)


#: Case, from and to which x, the printed minimum there, and where it is reached.
MINIMA: list[tuple[str, str, OfL, OfL, OfL, OfL]] = [
    ("a", "0 to L/(L+1)", lambda s: 0, lambda s: s / (s + 1), lambda s: 2 / 3 * (s + 3 + 1 / s), lambda s: s / (s + 1)),
    (
        "a",
        "L/(L+1) to 1",
        lambda s: s / (s + 1),
        lambda s: 1,
        lambda s: (2 * math.sqrt((s + 1) / s) + 2 * s + 4 + 1 / s) / 3,
        lambda s: math.sqrt(s / (s + 1)),
    ),
    ("a", "above 1", lambda s: 1, lambda s: INF, lambda s: 2 / 3 * (s + 3 + 1 / s), lambda s: 1),
    (
        "b.1",
        "0 to L²/(L+1)",
        lambda s: 0,
        lambda s: s * s / (s + 1),
        lambda s: 2 / 3 * (2 * s + 2 + 1 / s),
        lambda s: s * s / (s + 1),
    ),
    (
        "b.1",
        "L²/(L+1) to 1",
        lambda s: s * s / (s + 1),
        lambda s: 1,
        lambda s: (2 * math.sqrt(s + 1) + 3 * s + 3 + 1 / s) / 3,
        lambda s: s / math.sqrt(s + 1),
    ),
    ("b.1", "1 to L", lambda s: 1, lambda s: s, lambda s: 2 / 3 * (2 * s + 2 + 1 / s), lambda s: 1),
    ("b.1", "L to L/(L−1)", lambda s: s, lambda s: s / (s - 1), lambda s: (s * s + 7 * s + 2) / 3, lambda s: s),
    ("b.1", "above L/(L−1)", lambda s: s / (s - 1), lambda s: INF, _at_end, lambda s: s / (s - 1)),
    ("b.2", "0 to 1", lambda s: 0, lambda s: 1, lambda s: 2 * s / 3 * (s + 2), lambda s: 1),
    ("b.2", "1 to L(L−1)", lambda s: 1, lambda s: s * (s - 1), _golden_minimum, lambda s: s / 2 * (ROOT5 - 1)),
    ("b.2", "L(L−1) to L", lambda s: s * (s - 1), lambda s: s, lambda s: 2 * s / 3 * (s * s + 1), lambda s: s * (s - 1)),
    ("b.2", "L to L/(L−1)", lambda s: s, lambda s: s / (s - 1), lambda s: (s * s + 7 * s + 2) / 3, lambda s: s),
    ("b.2", "above L/(L−1)", lambda s: s / (s - 1), lambda s: INF, _at_end, lambda s: s / (s - 1)),
    ("b.3", "0 to 1", lambda s: 0, lambda s: 1, lambda s: 2 * s / 3 * (s + 2), lambda s: 1),
    (
        "b.3",
        "1 to L(√5−1)/2",
        lambda s: 1,
        lambda s: s / 2 * (ROOT5 - 1),
        _second_of_b3,
        lambda s: s / 2 * (ROOT5 - 1) if s <= (3 + ROOT5) / 2 else math.sqrt(s),
    ),
    ("b.3", "L(√5−1)/2 to L", lambda s: s / 2 * (ROOT5 - 1), lambda s: s, _golden_minimum, lambda s: s / 2 * (ROOT5 - 1)),
    ("b.3", "above L", lambda s: s, lambda s: INF, lambda s: 2 * s / 3 * (s + 3), lambda s: s),
]


def _k1(s: float, x: float) -> float:
    if s <= GOLDEN:
        if x <= s * max(1, s) / (s + 1):
            return max(1, s) * (x + s) / x
        return (x + s) * (s + 1) / s if x <= 1 else (x + s) ** 2 / s
    return s * (x + s) / x if x <= s / 2 * (ROOT5 - 1) else (x + s) ** 2 / s


def _k2(s: float, x: float) -> float:
    if s <= 1:
        return 1 + 1 / x if x <= 1 else x * (x + 1)
    return s * (1 + 1 / x) if x <= 1 else s * (x + 1) if x <= s else x * (x + 1)


def _k3(s: float, x: float) -> float:
    if s <= 1:
        return (s + 1) ** 2 / s if x <= 1 else (x + s) * (s + 1) / s
    if s > 2:
        return s * (s + 1) if x <= s else (s + 1) * x
    if x > s / (s - 1):
        return (s + 1) * x
    if s <= GOLDEN:
        return (s + 1) ** 2 / s if x <= 1 else (s + 1) * (x + s) / s
    return s * (s + 1) if x <= s * (s - 1) else (s + 1) * (x + s) / s


#: The four branches: where L lies, the values tried, the best length, and the largest cost at it.
BRANCHES: list[tuple[str, tuple[float, ...], OfL, OfL]] = [
    (
        "L ≤ 1",
        tuple(i / 20 for i in range(1, 21)),
        lambda s: math.sqrt(s / (s + 1)),
        lambda s: (2 * math.sqrt((s + 1) / s) + 2 * s + 4 + 1 / s) / 3,
    ),
    (
        "1 < L ≤ (1+√5)/2",
        (*(1 + i / 20 for i in range(1, 13)), GOLDEN),
        lambda s: s / math.sqrt(s + 1),
        lambda s: (2 * math.sqrt(s + 1) + 3 * s + 3 + 1 / s) / 3,
    ),
    (
        "(1+√5)/2 < L ≤ (3+√5)/2",
        (*(1.65 + i / 20 for i in range(20)), (3 + ROOT5) / 2),
        lambda s: s * (ROOT5 - 1) / 2,
        _golden_minimum,
    ),
    ("L > (3+√5)/2", tuple(2.65 + i / 2 for i in range(20)), math.sqrt, lambda s: s / 3 * (2 * math.sqrt(s) + s + 3)),
]


def best_length(s: float) -> float:
    found = optimal_length(Counts.from_matrix(np.eye(3, dtype=int), labels=on_axis(1, s, INF)))
    assert isinstance(found, float)
    return found


#: Where it stands, what is said, the cases tried, and whether it is so in each.
Said = tuple[str, str, str, Callable[[], Iterator[Any]]]


def proposition_6() -> Iterator[Said]:
    for where, tried, x, most in BRANCHES:
        over = f"{len(tried)} values of L there"
        yield "Proposition 6", f"The best length of the third interval, {where}.", over, partial(_best_lengths, tried, x)
        yield "Proposition 6", f"The largest cost at that length, {where}.", over, partial(_costs_there, tried, x, most)


def _best_lengths(tried: tuple[float, ...], x: OfL) -> Iterator[Any]:
    return ([math.isclose(best_length(s), x(s), rel_tol=1e-9)] for s in tried)


def _costs_there(tried: tuple[float, ...], x: OfL, most: OfL) -> Iterator[Any]:
    return ([math.isclose(balanced(s, x(s)), most(s), rel_tol=1e-12)] for s in tried)


def golden(row: str, column: str) -> float:
    return (3 + ROOT5) / 2


def _inside(low: float, high: float, points: int) -> list[float]:
    """Points above low, up to high and including it."""
    end = high if high < INF else low + 5
    return [low + (end - low) * i / points for i in range(1, points + 1)]


def pieces() -> Iterator[Said]:
    """The 47 pieces of the proof."""
    for j, (name, part) in enumerate((("K_1", _k1), ("K_2", _k2), ("K_3", _k3))):
        for case, (where, sizes) in CASES.items():
            says = f"{name}, the largest cost of the rows of class {j + 1}, {where}."
            over = f"{len(sizes)} values of L, 24 lengths x up to 12"
            yield f"Appendix A, case {case}", says, over, partial(_parts_agree, j, part, sizes)
    for case, text, low, high, cost in PIECES:
        sizes = CASES[case][1]
        says, over = f"The largest cost for x {_from(text)}.", f"{len(sizes)} values of L, 5 lengths x there"
        yield f"Appendix A, case {case}", says, over, partial(_costs_agree, sizes, low, high, cost)
    for case, text, low, high, least, at in MINIMA:
        sizes = CASES[case][1]
        says, over = f"The least of it for x {_from(text)}, and where.", f"{len(sizes)} values of L, 20 lengths x there"
        yield f"Appendix A, case {case}", says, over, partial(_least_agree, sizes, low, high, least, at)


def _from(text: str) -> str:
    return text if "above" in text else f"from {text}"


def _parts_agree(j: int, part: OfLX, sizes: tuple[float, ...]) -> Iterator[Any]:
    return (
        [math.isclose(largest_parts((1, 1, 1), (1.0, s, i / 2))[j], part(s, i / 2), rel_tol=1e-9)]
        for s in sizes
        for i in range(1, 25)
    )


def _costs_agree(sizes: tuple[float, ...], low: OfL, high: OfL, cost: OfLX) -> Iterator[Any]:
    return ([math.isclose(balanced(s, x), cost(s, x), rel_tol=1e-9)] for s in sizes for x in _inside(low(s), high(s), 5))


def _least_agree(sizes: tuple[float, ...], low: OfL, high: OfL, least: OfL, at: OfL) -> Iterator[Any]:
    for s in sizes:
        here = low(s) - 1e-12 <= at(s) <= high(s) + 1e-12
        smallest = all(balanced(s, x) >= least(s) - 1e-9 for x in _inside(low(s), high(s), 20))
        yield [math.isclose(balanced(s, at(s)), least(s), rel_tol=1e-9) and here and smallest]


def case_a_holds_always() -> Iterator[Any]:
    """That the least of the middle piece is below the least of the two others, for every L up to 1."""
    (_, _, _, _, first, _), (_, _, _, _, middle, _) = MINIMA[:2]
    yield [middle(i / 1000) < first(i / 1000) for i in range(1, 1001)]
