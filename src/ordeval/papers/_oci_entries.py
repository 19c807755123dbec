"""What is recorded of Cardoso & Sousa (2011) as an entry: for each its premise and its counter-example, computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from ordeval.laws._small_tables import all_small, wrong
from ordeval.papers._claims import Refutation, agrees, value, values
from ordeval.papers._oci import (
    CM5_MEANT,
    COLUMNS,
    MATRICES,
    PRINTED,
    class_shares,
    gives_printed_columns,
    printed_bound,
    printed_table_6,
    single,
    single_formula,
    the_triple,
)


def _comes_out(row: str, table: Any = None) -> list[bool]:
    found = MATRICES[row] if table is None else table
    return [agrees(value(metric, found), text) for metric, text in zip(COLUMNS.values(), PRINTED[row], strict=True)]


def _rest_comes_out(row: str, column: str, same: list[str], meant: str) -> bool:
    return all(ok for name, ok in zip(COLUMNS, _comes_out(row), strict=True) if name != column)


def _cut_off(row: str, column: str, same: list[str], meant: str) -> Refutation:
    printed = PRINTED[row][[*COLUMNS].index(column)]
    here, twin = value(COLUMNS[column], MATRICES[row]), value(COLUMNS[same[1]], MATRICES[same[0]])
    return not agrees(here, printed) and agrees(here, meant) and math.isclose(here, twin), [here, twin]


def _beside_comes_out(row: str, beside: str, cell: list[int], to: list[int]) -> bool:
    return all(_comes_out(beside))


def _one_row_moved(row: str, beside: str, cell: list[int], to: list[int]) -> Refutation:
    printed, mended = np.array(MATRICES[row]), []
    k = len(printed)
    for a, b in product(product(range(k), repeat=2), repeat=2):
        moved = printed.copy()
        moved[a] -= 1
        moved[b] += 1
        if a != b and printed[a] and all(_comes_out(row, moved)):
            mended.append((a, b))
    alone = mended == [tuple(tuple(i - 1 for i in place) for place in (cell, to))]
    seven = [value(metric, CM5_MEANT) for metric in COLUMNS.values()]
    return alone and not any(_comes_out(row)), [value("mze", printed), *seven]


def _one_row(distance: int, beta: float, gamma: float) -> bool:
    return distance >= 0 and beta >= 0 and gamma >= 1


def _power_lost(distance: int, beta: float, gamma: float) -> Refutation:
    here, formula = single(distance, beta, gamma), single_formula(distance, beta)
    right_at_1 = all(abs(single(d, beta) - single_formula(d, beta)) < 1e-12 for d in range(10))
    return abs(here - formula) > 1e-9 and right_at_1, [here, formula]


def _as_captions_say(shares: list[float], columns: list[str], row: str) -> bool:
    place = [[*COLUMNS].index(column) for column in columns]
    return all(
        agrees(value(f"oci(share={share})", table), PRINTED[name][i])
        for name, table in MATRICES.items()
        if name != "CM5"
        for share, i in zip(shares, place, strict=True)
    )


def _second_is_not_first(shares: list[float], columns: list[str], row: str) -> Refutation:
    first, second = (value(f"oci(share={share})", MATRICES[row]) for share in shares)
    printed = PRINTED[row][[*COLUMNS].index(columns[0])]
    return not agrees(second, printed), [second, first]


_METRICS: dict[str, Callable[[int, int], int]] = {
    "hamming": lambda a, b: int(a != b),
    "absolute": lambda a, b: abs(a - b),
    "squared": lambda a, b: (a - b) ** 2,
}


def _metrics_in_order(points: list[int], first: str, second: str) -> bool:
    one, other = _METRICS[first], _METRICS[second]
    return all(
        d(a, c) <= d(a, b) + d(b, c) and d(a, b) == d(b, a) and (d(a, b) == 0) == (a == b)
        for d in (one, other)
        for a, b, c in product(points, repeat=3)
    ) and all(one(a, b) <= other(a, b) for a, b in product(points, repeat=2))


def _no_triangle(points: list[int], first: str, second: str) -> Refutation:
    a, b, c = points

    def d(x: int, y: int) -> float:
        return _METRICS[first](x, y) / (1 + _METRICS[second](x, y))

    return d(a, c) > d(a, b) + d(b, c) and _shorter_proof_holds(), [d(a, c), d(a, b), d(b, c)]


def _shorter_proof_holds(triples: int = 20_000) -> bool:
    """Both steps of the shorter proof, and its conclusion, on random triples of vectors."""
    rng = np.random.default_rng(0)
    n, k = 6, 5
    a, b, c = rng.integers(0, k, (3, triples, n))
    gamma = rng.uniform(1, 3, triples)

    def parts(x: Any, y: Any) -> tuple[Any, Any]:
        return (x != y).sum(1), (np.abs(x - y) ** gamma[:, None]).sum(1) ** (1 / gamma)

    (h1, m1), (h2, m2), (h, m) = parts(a, b), parts(b, c), parts(a, c)
    f1, f2, f = ((m_ + h_) / (m_ + n) for h_, m_ in ((h1, m1), (h2, m2), (h, m)))
    few = h1 + h2 < n
    middle = np.where(few, (m1 + m2 + h1 + h2) / (m1 + m2 + n), 1)
    return bool((f <= middle + 1e-12).all() and (middle <= f1 + f2 + 1e-12).all())


def _below_bound(n: int, gamma: float, beta: float) -> bool:
    return n >= 2 and 1 <= gamma < math.inf and 0 <= beta < printed_bound(n)


def _triangle_kept(n: int, gamma: float, beta: float) -> Refutation:
    through, direct = the_triple(n, beta, gamma)
    mended = all(
        the_triple(rows, 0.999 * bound, g)[0] < the_triple(rows, 0.999 * bound, g)[1]
        and the_triple(rows, 1.001 * bound, g)[0] >= the_triple(rows, 1.001 * bound, g)[1]
        for rows, g in product(range(2, 13), (1, 2, 3))
        for bound in [(1 + 2 ** (1 / g)) / (rows + 2 ** (1 / g)) - 2 / (rows + 1)]
    )
    return through >= direct and mended, [through, direct]


def _compared_in_table_6(data: str, model: str, other: str) -> bool:
    return data in printed_table_6() and (model, other) == ("oSVM", "Frank and Hall")


def _behind_in_both(data: str, model: str, other: str) -> Refutation:
    printed = printed_table_6()
    (mean, deviation), (mean_2, deviation_2) = printed[data][model], printed[data][other]
    elsewhere = all(cells[model][0] <= cells[other][0] for name, cells in printed.items() if name != data)
    return mean > mean_2 and deviation > deviation_2 and elsewhere, [mean, deviation, mean_2, deviation_2]


def _of_the_experiments(gamma: float) -> bool:
    return gives_printed_columns(gamma)


def _holds_at(gamma: float) -> Refutation:
    """Both statements at this exponent: at most 1 and, from beta = 1 on, the error; 0 for a perfect answer alone."""
    tables, so = 0, gamma <= 1
    for stack in all_small():
        tables += len(stack)
        free = values(f"oci_unnormalized(beta=1, gamma={gamma!r})", stack)
        zero = values(f"oci(share=0.75, gamma={gamma!r})", stack) == 0
        so &= bool(np.allclose(free, values("mze", stack), rtol=0, atol=1e-12) and (zero == (wrong(stack) == 0)).all())
    return so, [tables]


def _five_classes(bounds: list[float], matrix: str, noise: float) -> bool:
    return len(bounds) + 1 == len(MATRICES[matrix]) == 5 and noise == 0.125


def _brackets(bounds: list[float], matrix: str, noise: float) -> Refutation:
    printed = np.array(MATRICES[matrix]).sum(1)
    shares = 100 * printed / printed.sum()
    read, meant = (class_shares(bounds, noise, shifted=shifted) for shifted in (False, True))
    expected = printed.sum() * meant / 100
    near = ((printed - expected) ** 2 / expected).sum() < 9.49  # the 95 % point of chi-square, 4 degrees of freedom
    return bool(read[0] > 50 and printed[0] == 0 and near), [read[0], *meant, *shares]


CHECKS: dict[str, tuple[Callable[..., bool], Callable[..., Refutation]]] = {
    "O1": (_rest_comes_out, _cut_off),
    "O2": (_beside_comes_out, _one_row_moved),
    "O3": (_one_row, _power_lost),
    "O4": (_as_captions_say, _second_is_not_first),
    "O5": (_metrics_in_order, _no_triangle),
    "O6": (_below_bound, _triangle_kept),
    "O7": (_compared_in_table_6, _behind_in_both),
    "O8": (_of_the_experiments, _holds_at),
    "X1": (_five_classes, _brackets),
}
