"""Cardoso & Sousa (2011): what computes the numbers and statements of `record/oci.toml`.

Tables are printed with the truth in rows, as here.  OC with beta = p / (N (K - 1)) is ``oci(share=p)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np

from ordeval.laws._small_tables import Stack, all_small, tables_of_pairs, triangles, vectors, wrong
from ordeval.papers._claims import agrees, value, values
from ordeval.papers._record import record_of

MATRICES: dict[str, list[list[int]]] = record_of("oci")["matrices"]
COLUMNS: dict[str, str] = record_of("oci")["columns"]
#: The printed seven numbers of each matrix.
PRINTED: dict[str, list[str]] = {
    row: line.split()
    for unit in record_of("oci")["unit"]
    if unit.get("value") == "oci.coefficient"
    for row, line in unit["rows"].items()
}
#: CM5 with one row moved from (2, 2) to (2, 3).
CM5_MEANT = [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [0, 0, 0, 0]]
BETAS = (0.5, 0.125, 0.0313, 0.0)  # of Figure 4


def coefficient(row: str, column: str) -> float:
    return value(COLUMNS[column], MATRICES[row])


def oc(stack: Any, beta: float, gamma: float = 1) -> Any:
    return values(f"oci(beta={beta!r}, gamma={gamma!r})", stack)


def printed_table_6() -> dict[str, dict[str, tuple[float, float]]]:
    """Means and standard deviations as printed: {data: {model: (mean, deviation)}}."""
    found: dict[str, dict[str, list[float]]] = {}
    for unit in record_of("oci")["unit"]:
        if unit["place"].startswith("Table 6"):
            for row, line in unit["rows"].items():
                for model, text in zip(unit["columns"], line.split(), strict=True):
                    found.setdefault(row, {}).setdefault(model, []).append(float(text.rstrip("?")))
    return {row: {model: (pair[0], pair[1]) for model, pair in cells.items()} for row, cells in found.items()}


# Section 2


def order_alone() -> Iterator[Any]:
    yield [abs(coefficient("A", name) - coefficient("B", name)) < 1e-12 for name in ("Rs", "tau_b", "r_int")]


def no_metrics() -> Iterator[Any]:
    yield [coefficient("B", name) == 1 and wrong(np.array(MATRICES["B"])) > 0 for name in ("Rs", "tau_b", "r_int")]


def mer_alike() -> Iterator[Any]:
    yield [coefficient("B", "MER") == coefficient("C", "MER")]


def mae_alike() -> Iterator[Any]:
    yield [value(metric, MATRICES["B"]) == value(metric, MATRICES["D"]) for metric in ("mae", "mse")]


def only_c_and_d_change_places() -> Iterator[Any]:
    low, high = ({name: coefficient(name, f"OC {share}") for name in "ABCD"} for share in (0.25, 0.75))
    for one, other in combinations("ABCD", 2):
        yield [((low[one] < low[other]) != (high[one] < high[other])) == ({one, other} == {"C", "D"})]


# Section 3


def unnormalized_in_bounds() -> Iterator[Any]:
    for stack in all_small():
        for found in (values("oci_unnormalized(beta=0)", stack), values("oci_unnormalized(share=0.75)", stack)):
            yield (found >= 0) & (found <= 1)


def beta_one_is_error() -> Iterator[Any]:
    for stack in all_small():
        yield np.isclose(values("oci_unnormalized(beta=1)", stack), values("mze", stack), rtol=0, atol=1e-12)


def gamma_covers_experiments() -> Iterator[Any]:
    experiments = [gamma for gamma in (1, 2) if gives_printed_columns(gamma)]
    yield [gamma > 1 for gamma in experiments]


def gives_printed_columns(gamma: float) -> bool:
    """Whether the index with this exponent gives the columns of OC in Tables 1 to 5 (CM5 apart)."""
    return all(
        agrees(value(f"oci(share={share}, gamma={gamma!r})", table), PRINTED[name][5 + i])
        for name, table in MATRICES.items()
        if name != "CM5"
        for i, share in enumerate((0.25, 0.75))
    )


@lru_cache
def _connected_sets(k: int) -> Stack:
    """Every set of cells that a walk from corner to corner, neighbour to neighbour, can visit: (sets, K, K)."""
    found = []
    for bits in product((0, 1), repeat=k * k):
        chosen = np.array(bits).reshape(k, k)
        if not (chosen[0, 0] and chosen[-1, -1]):
            continue
        reached = np.zeros_like(chosen)
        reached[0, 0] = 1
        for _ in range(k * k):
            spread = np.pad(reached, 1)
            near = sum(spread[1 + i : 1 + i + k, 1 + j : 1 + j + k] for i in (-1, 0, 1) for j in (-1, 0, 1))
            reached = chosen * (np.asarray(near) > 0)
        if (reached == chosen).all():
            found.append(chosen)
    return np.array(found)


def _crossings(sets: Stack, k: int) -> tuple[Stack, Stack, Stack]:
    """The sets as rows of cells, the pairs of cells in each that contradict each other, and the distance of every cell."""
    r, c = np.divmod(np.arange(k * k), k)
    flat = sets.reshape(-1, k * k)
    crossing = np.triu((r[:, None] - r) * (c[:, None] - c) < 0)
    return flat, np.einsum("si,ij,sj->s", flat, crossing, flat), np.abs(r - c)


def general(stack: Stack, beta1: float, beta2: float) -> Stack:
    """Equation 8 with gamma 1, by trying every set of cells that a walk can visit."""
    k = stack.shape[-1]
    sets, pairs, distance = _crossings(_connected_sets(k), k)
    flat = stack.reshape(-1, k * k)
    n, m = flat.sum(1), flat @ distance
    cost = 1 - flat @ sets.T / (n + m)[:, None] + beta1 * (flat * distance) @ sets.T + beta2 * pairs
    return np.asarray(cost.min(1))


def _general_cases(beta2: float, expected: Callable[[Stack], Any]) -> Iterator[Any]:
    return (np.isclose(general(stack, 0.0, beta2), expected(stack), rtol=0, atol=1e-12) for stack in all_small())


def general_is_index() -> Iterator[Any]:
    return _general_cases(1.0, lambda stack: oc(stack, 0.0))


def general_is_mae() -> Iterator[Any]:
    return _general_cases(0.0, lambda stack: values("mae", stack) / (1 + values("mae", stack)))


def single(d: int, beta: float, gamma: float = 1, k: int = 20) -> float:
    """The index of one row at distance d, by equation 7."""
    table = np.zeros((k, k), int)
    table[0, d] = 1
    return float(oc(table[None], beta, gamma)[0])


def single_formula(d: int, beta: float) -> float:
    """The same as Section 3.2 prints it."""
    return min(1, 1 - 1 / (1 + d) + beta * d)


def single_row_formula() -> Iterator[Any]:
    for d, beta, gamma in product(range(10), BETAS, (1, 2, 3)):
        yield [abs(single(d, beta, gamma) - single_formula(d, beta)) < 1e-12]


def single_row_rises() -> Iterator[Any]:
    for beta in BETAS:
        found = np.array([single(d, beta) for d in range(20)])
        yield [found[0] == 0, *(np.diff(found) >= -1e-12)]


def single_row_is_error() -> Iterator[Any]:
    yield [abs(single(d, 0.5) - (d > 0)) < 1e-12 for d in range(10)]


def _with_betas(check: Callable[[Any, Stack], Any], gammas: tuple[int, ...] = (1,)) -> Iterator[Any]:
    """A check of an index and its tables, at no penalty, the paper's two, the bound of Appendix A, and 1."""
    for stack, gamma in product(all_small(), gammas):
        bound = 1 / (int(stack[0].sum()) + 1)
        for penalty in ("beta=0", "share=0.25", "share=0.75", f"beta={bound!r}", "beta=1"):
            yield check(values(f"oci({penalty}, gamma={gamma})", stack), stack)


def zero_if_perfect() -> Iterator[Any]:
    return _with_betas(lambda found, stack: (found == 0) == (wrong(stack) == 0), (1, 2))


def in_bounds() -> Iterator[Any]:
    return _with_betas(lambda found, stack: (found >= 0) & (found <= 1))


def symmetric() -> Iterator[Any]:
    for stack, metric in product(all_small(), ("oci(share=0.25)", "oci(share=0.75)")):
        yield np.isclose(values(metric, stack), values(metric, stack.swapaxes(1, 2)), rtol=0, atol=1e-12)


@lru_cache
def _consistent_sets(k: int) -> Stack:
    sets = _connected_sets(k)
    return np.asarray(sets[_crossings(sets, k)[1] == 0])


def recursion_is_enumeration() -> Iterator[Any]:
    for stack in all_small():
        k, n = stack.shape[-1], int(stack[0].sum())
        sets, _, distance = _crossings(_consistent_sets(k), k)
        flat = stack.reshape(-1, k * k)
        beta = 0.75 / (n * (k - 1))
        cost = 1 - flat @ sets.T / (n + flat @ distance)[:, None] + beta * (flat * distance) @ sets.T
        yield np.isclose(values("oci(share=0.75)", stack), cost.min(1), rtol=0, atol=1e-12)


def largest_penalty() -> Iterator[Any]:
    for stack, gamma in product(all_small(), (1, 2)):
        k, n = stack.shape[-1], int(stack[0].sum())
        sets, _, distance = _crossings(_consistent_sets(k), k)
        penalty = (stack.reshape(-1, k * k) * distance**gamma) @ sets.T
        yield [penalty.max() == n * (k - 1) ** gamma]


# Section 4


def both_are_beta_1() -> Iterator[Any]:
    for share in (0.25, 0.75):
        yield [agrees(value(f"oci(share={share})", table), PRINTED[name][5]) for name, table in MATRICES.items() if name != "CM5"]


def tridiagonal(k: int) -> Stack:
    return np.asarray(np.eye(k, dtype=int) + np.eye(k, k=1, dtype=int) + np.eye(k, k=-1, dtype=int))


def correlations_tend_to_1() -> Iterator[Any]:
    for metric in ("spearman", "kendall_tau", "r_int"):
        gap = np.array([1 - value(metric, tridiagonal(k)) for k in (4, 8, 16, 32, 64, 128)])
        yield gap[1:] <= gap[:-1] * 2 / 3


def errors_tend_to_two_thirds() -> Iterator[Any]:
    for k in range(2, 61):
        yield [abs(value(metric, tridiagonal(k)) - (2 * k - 2) / (3 * k - 2)) < 1e-12 for metric in ("mze", "mae")]


def index_tends_to_six_tenths() -> Iterator[Any]:
    for k, share in product(range(2, 61), (0.25, 0.75)):
        expected = min(1 - (2 * k - 1) / (5 * k - 4) + share / (3 * k - 2), 1 - k / (5 * k - 4))
        yield [abs(value(f"oci(share={share})", tridiagonal(k)) - expected) < 1e-12]


def index_falls() -> Iterator[Any]:
    yield np.diff([value("oci(share=0.75)", tridiagonal(k)) for k in range(2, 61)]) < 0


def _losses(name: str) -> Any:
    """The seven numbers of a matrix, those that are better when higher with their sign changed."""
    table = CM5_MEANT if name == "CM5" else MATRICES[name]
    sign = [1, 1, -1, -1, -1, 1, 1]
    return np.array([s * value(metric, table) for s, metric in zip(sign, COLUMNS.values(), strict=True)])


def _better(one: str, other: str, but: str = "") -> Iterator[Any]:
    """Whether all coefficients but these call one matrix better than the other."""
    yield (_losses(one) < _losses(other) - 1e-12) != np.isin([*COLUMNS], but.split())


def cm2_beats_cm1() -> Iterator[Any]:
    return _better("CM2", "CM1", "Rs tau_b")


def cm4_beats_cm3() -> Iterator[Any]:
    return _better("CM4", "CM3", "r_int")


def cm5_beats_cm6() -> Iterator[Any]:
    return _better("CM5", "CM6", "MER MAE")


def all_place_cm10_first() -> Iterator[Any]:
    yield from (*_better("CM10", "CM12"), *_better("CM12", "CM11"))


def almost_alike() -> Iterator[Any]:
    gap = dict(zip(COLUMNS, np.abs(_losses("CM11") - _losses("CM12")), strict=True))
    yield [*(gap[name] <= 0.02 for name in ("Rs", "tau_b", "r_int")), gap["OC 0.25"] > 0.3, gap["OC 0.75"] > 0.3]


def class_shares(bounds: list[float], noise: float, *, shifted: bool) -> Any:
    """Shares of the classes in percent, of 10 (x₁ x₂ − 0.5) + ε or, ``shifted``, of 10 (x₁ − 0.5)(x₂ − 0.5) + ε, by integration."""
    steps = (np.arange(1000) + 0.5) / 1000
    heights = 10 * (np.multiply.outer(steps - 0.5, steps - 0.5) if shifted else np.multiply.outer(steps, steps) - 0.5)
    found, edges = np.histogram(heights, bins=np.linspace(-5.5, 5.5, 2201))
    middle = (edges[1:] + edges[:-1]) / 2
    below = np.array([[1 + math.erf((bound - at) / (noise * math.sqrt(2))) for at in middle] for bound in bounds]) / 2
    return 100 * np.diff(np.concatenate([[0.0], below @ found / found.sum(), [1.0]]))


def generator_as_read() -> Iterator[Any]:
    """Class 1 would have two rows in three; none of 240 is there."""
    yield [class_shares([-2, -0.5, 0.25, 1], 0.125, shifted=False)[0] < 100 * 3 / 240]


def ordinal_never_worse() -> Iterator[Any]:
    for cells in printed_table_6().values():
        yield [cells[model][0] <= cells["Conventional"][0] for model in ("oSVM", "Frank and Hall")]


def never_losing() -> Iterator[Any]:
    for cells in printed_table_6().values():
        yield [one <= other for one, other in zip(cells["oSVM"], cells["Frank and Hall"], strict=True)]


# Appendix A

_TRIPLES = [(2, n) for n in range(1, 6)] + [(3, n) for n in range(1, 5)] + [(4, 1), (4, 2), (5, 1), (5, 2)]


def _power_sum(stack: Stack, gamma: float) -> Stack:
    k = stack.shape[-1]
    return np.asarray((stack * np.abs(np.subtract.outer(range(k), range(k))) ** gamma).sum((-2, -1)) ** (1 / gamma))


def _distances(k: int, n: int) -> tuple[Stack, Stack]:
    """Hamming and Manhattan distance between all vectors."""
    found = vectors(k, n)
    return (found[:, None] != found).sum(-1), np.abs(found[:, None] - found).sum(-1)


def the_triple(n: int, beta: float, gamma: float = 1) -> tuple[float, float]:
    """OC(a, b) + OC(b, c) and OC(a, c) of the vectors with which Appendix A breaks the triangle inequality."""
    ab, bc, ac = ([n - 1, 0], [1, 0]), ([n - 1, 1], [0, 0]), ([n - 2, 1], [1, 0])
    one, two, direct = oc(np.array([ab, bc, ac]), beta, gamma).tolist()
    return one + two, direct


def printed_bound(n: int) -> float:
    return (n - 1) / ((n + 1) * (n + 2))


def diagonal_from_bound_on() -> Iterator[Any]:
    for stack, gamma in product(all_small(), (1, 2)):
        n, m = int(stack[0].sum()), _power_sum(stack, gamma)
        yield np.isclose(oc(stack, 1 / (n + 1), gamma), (m + wrong(stack)) / (m + n), rtol=0, atol=1e-12)


def _lemma(distance: Callable[[Stack, Stack], Stack]) -> Iterator[Any]:
    return (triangles(distance(*_distances(k, n))) for k, n in _TRIPLES)


def lemma_1() -> Iterator[Any]:
    return _lemma(lambda h, m: m / (1 + m))


def lemma_2() -> Iterator[Any]:
    return _lemma(lambda h, m: h / (1 + m))


def lemma_3() -> Iterator[Any]:
    return _lemma(lambda h, m: h + m)


def triangle_from_bound_on() -> Iterator[Any]:
    return (triangles(oc(tables_of_pairs(k, n), 1 / (n + 1))) for k, n in _TRIPLES)


def triple_breaks_it() -> Iterator[Any]:
    for n, share, gamma in product(range(2, 13), (0.0, 0.5, 0.9, 0.999), (1, 2, 3)):
        through, direct = the_triple(n, share * printed_bound(n), gamma)
        yield [through < direct]
