"""Cardoso & Sousa (2011): the figures and properties of the ordinal classification index; its tables are in `oci_tables`.

Tables are printed with the truth in rows, as here.  OC with beta = p / (N (K - 1)) is ``oci(share=p)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from ordeval.laws._small_tables import ALL_SMALL, Stack, all_small, tables_of_pairs, triangles, vectors, wrong
from ordeval.papers import _oci_tables as oci_tables
from ordeval.papers._claims import Claim, CounterExample, Writer, value, values
from ordeval.papers._oci_tables import COLUMNS

_write = Writer("oci")


def oc(stack: Any, beta: float, gamma: float = 1) -> Any:
    return values(f"oci(beta={beta!r}, gamma={gamma!r})", stack)


def _with_betas(check: Callable[[Any, Stack], Any]) -> Callable[[], Iterator[Any]]:
    """A check of an index and its tables, at no penalty, the paper's two, the bound of Appendix A, and 1."""

    def cases() -> Iterator[Any]:
        for stack in all_small():
            n = int(stack[0].sum())
            for metric in ("oci(beta=0)", "oci(share=0.25)", "oci(share=0.75)", f"oci(beta={1 / (n + 1)!r})", "oci(beta=1)"):
                yield check(values(metric, stack), stack)

    return cases


FIVE = f"{ALL_SMALL}, five values of beta each"


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


def _general(stack: Stack, beta1: float, beta2: float) -> Stack:
    """Equation 8 with gamma 1, by trying every set of cells that a walk can visit."""
    k = stack.shape[-1]
    sets = _connected_sets(k).reshape(-1, k * k)
    r, c = np.divmod(np.arange(k * k), k)
    crossing = np.triu((r[:, None] - r) * (c[:, None] - c) < 0)
    pairs = np.einsum("si,ij,sj->s", sets, crossing, sets)
    flat, distance = stack.reshape(-1, k * k), np.abs(r - c)
    n, m = flat.sum(1), flat @ distance
    cost = 1 - flat @ sets.T / (n + m)[:, None] + beta1 * (flat * distance) @ sets.T + beta2 * pairs
    return np.asarray(cost.min(1))


def _general_cases(beta2: float, expected: Callable[[Stack], Any]) -> Callable[[], Iterator[Any]]:
    return lambda: (np.isclose(_general(stack, 0.0, beta2), expected(stack), rtol=0, atol=1e-12) for stack in all_small())


def _single(d: int, beta: float, gamma: float = 1, k: int = 10) -> float:
    table = np.zeros((k, k), int)
    table[0, d] = 1
    return float(oc(table[None], beta, gamma)[0])


BETAS = (0.5, 0.125, 0.0313, 0.0)


def _formula(d: int, beta: float) -> float:
    return min(1, 1 - 1 / (1 + d) + beta * d)


def _section_3() -> Iterator[Claim]:
    yield _write.statement(
        "Section 3, eq. 6",
        "The index that is not normalized is between 0 and 1.",
        f"{ALL_SMALL}, two values of beta each",
        lambda: (
            (found >= 0) & (found <= 1)
            for stack in all_small()
            for found in (values("oci_unnormalized(beta=0)", stack), values("oci_unnormalized(share=0.75)", stack))
        ),
        how="oci_unnormalized",
    )
    yield _write.statement(
        "Section 3, eq. 6",
        "From beta = 1 on it is the misclassification error rate.",
        ALL_SMALL,
        lambda: (
            np.isclose(values("oci_unnormalized(beta=1)", stack), values("mze", stack), rtol=0, atol=1e-12)
            for stack in all_small()
        ),
        how="oci_unnormalized(beta=1) against mze",
    )
    yield _write.statement(
        "Section 3.1, eq. 8",
        "With beta_2 = 1 the general index is the index.",
        ALL_SMALL,
        _general_cases(1.0, lambda stack: oc(stack, 0.0)),
        how="all sets of cells that a walk can visit, against oci(beta=0)",
    )
    yield _write.statement(
        "Section 3.1, eq. 8",
        "Without penalties the general index is MAE / (1 + MAE).",
        ALL_SMALL,
        _general_cases(0.0, lambda stack: values("mae", stack) / (1 + values("mae", stack))),
        how="all sets of cells that a walk can visit, against mae",
    )
    yield _write.statement(
        "Section 3.2",
        "One row at distance d scores min(1, 1 - 1/(1 + d) + beta d), gamma = 1.",
        "d = 0 to 9 and the four beta of Figure 4",
        lambda: ([abs(_single(d, beta) - _formula(d, beta)) < 1e-12] for d in range(10) for beta in BETAS),
        how="oci(beta=...) of one row",
    )
    yield _write.statement(
        "Section 3.2",
        "The same formula for every gamma.",
        "d = 0 to 9 and the four beta of Figure 4, gamma = 1, 2 and 3",
        lambda: ([abs(_single(d, b, g) - _formula(d, b)) < 1e-12] for d in range(10) for b in BETAS for g in (1, 2, 3)),
        how="oci(beta=..., gamma=...) of one row",
        explanation="The penalty of equation 7 is beta d ** gamma; the section prints it without the power.",
        counterexample=CounterExample(
            "one row at distance 2, beta = 0.125, gamma = 2: equation 7 gives 1, the formula 0.917",
            lambda: _single(2, 0.125, 2, k=3) == 1 and abs(_formula(2, 0.125) - 0.917) < 5e-4,
        ),
    )
    yield _write.statement(
        "Figure 4",
        "The score of one row never falls as it moves away from the diagonal.",
        "d = 0 to 19, the four beta of Figure 4",
        lambda: ([_single(d + 1, beta, k=20) >= _single(d, beta, k=20) - 1e-12] for d in range(19) for beta in BETAS),
        how="oci(beta=...) of one row",
    )
    yield _write.statement(
        "Figure 4",
        "At beta = 0.5 the score of one row is already its error, 0 or 1.",
        "d = 0 to 9",
        lambda: ([abs(_single(d, 0.5) - (d > 0)) < 1e-12] for d in range(10)),
        how="oci(beta=0.5) of one row",
    )
    yield _write.statement(
        "Section 3.3",
        "The index is 0 for a perfect prediction and for no other.",
        FIVE,
        _with_betas(lambda found, stack: (found == 0) == (wrong(stack) == 0)),
        how="oci",
        explanation="Said for beta above 0 and gamma above 1; it also holds without a penalty and at gamma = 1.",
    )
    yield _write.statement(
        "Section 3.3",
        "The index is between 0 and 1.",
        FIVE,
        _with_betas(lambda found, stack: (found >= 0) & (found <= 1)),
        how="oci",
    )
    yield _write.statement(
        "Section 3.3",
        "Exchanging truth and prediction changes nothing.",
        f"{ALL_SMALL}, two values of beta each",
        lambda: (
            np.isclose(values(metric, stack), values(metric, stack.swapaxes(1, 2)), rtol=0, atol=1e-12)
            for stack in all_small()
            for metric in ("oci(share=0.25)", "oci(share=0.75)")
        ),
        how="oci",
    )


def tridiagonal(k: int) -> Stack:
    return np.asarray(np.eye(k, dtype=int) + np.eye(k, k=1, dtype=int) + np.eye(k, k=-1, dtype=int))


def _figure_5() -> Iterator[Claim]:
    to_60 = "K = 2 to 60"
    yield _write.statement(
        "Figure 5",
        "MER and MAE of the tridiagonal matrices are (2K - 2) / (3K - 2), which tends to 2/3.",
        to_60,
        lambda: (
            [abs(value(metric, tridiagonal(k)) - (2 * k - 2) / (3 * k - 2)) < 1e-12 for metric in ("mze", "mae")]
            for k in range(2, 61)
        ),
        how="mze, mae",
    )
    for column, metric in list(COLUMNS.items())[2:5]:
        yield _write.statement(
            "Figure 5",
            f"{column} of the tridiagonal matrices tends to 1.",
            "K = 4, 8, ..., 256: each time K doubles, the distance to 1 shrinks by a third or more",
            lambda metric=metric: (  # type: ignore[misc]
                [1 - value(metric, tridiagonal(2 * k)) <= (1 - value(metric, tridiagonal(k))) * 2 / 3]
                for k in (4, 8, 16, 32, 64, 128)
            ),
            how=metric,
        )
    for share in (0.25, 0.75):
        yield _write.statement(
            "Figure 5",
            f"OC {share} of the tridiagonal matrices is "
            f"min(1 - (2K - 1)/(5K - 4) + {share}/(3K - 2), 1 - K/(5K - 4)), which tends to 0.6.",
            to_60,
            lambda share=share: (  # type: ignore[misc]
                [
                    abs(
                        value(f"oci(share={share})", tridiagonal(k))
                        - min(1 - (2 * k - 1) / (5 * k - 4) + share / (3 * k - 2), 1 - k / (5 * k - 4))
                    )
                    < 1e-12
                ]
                for k in range(2, 61)
            ),
            how=f"oci(share={share})",
        )
    yield _write.statement(
        "Section 4.1",
        "With K growing OC 0.75 of these matrices falls, and OC 0.25 rises.",
        to_60,
        lambda: (
            [
                sign * (value(f"oci(share={share})", tridiagonal(k + 1)) - value(f"oci(share={share})", tridiagonal(k))) > 0
                for share, sign in ((0.25, 1), (0.75, -1))
            ]
            for k in range(2, 60)
        ),
        how="oci(share=0.25), oci(share=0.75)",
    )


def _power_sum(stack: Stack, gamma: float) -> Stack:
    k = stack.shape[-1]
    return np.asarray((stack * np.abs(np.subtract.outer(range(k), range(k))) ** gamma).sum((-2, -1)) ** (1 / gamma))


def _distances(k: int, n: int) -> tuple[Stack, Stack]:
    """Hamming and Manhattan distance between all vectors."""
    found = vectors(k, n)
    return (found[:, None] != found).sum(-1), np.abs(found[:, None] - found).sum(-1)


_TRIPLES = [(2, n) for n in range(1, 6)] + [(3, n) for n in range(1, 5)] + [(4, 1), (4, 2), (5, 1), (5, 2)]
_OF_TRIPLES = "all triples of vectors: K = 2, N to 5; K = 3, N to 4; K = 4 and 5, N to 2"


def the_triple(n: int, beta: float, gamma: float = 1) -> tuple[float, float]:
    """OC(a, b) + OC(b, c) and OC(a, c) of the vectors with which Appendix A breaks the triangle inequality."""
    ab, bc, ac = ([n - 1, 0], [1, 0]), ([n - 1, 1], [0, 0]), ([n - 2, 1], [1, 0])
    one, two, direct = oc(np.array([ab, bc, ac]), beta, gamma).tolist()
    return one + two, direct


def _bound(n: int) -> float:
    return (n - 1) / ((n + 1) * (n + 2))


def _appendix_a() -> Iterator[Claim]:
    yield _write.statement(
        "Appendix A",
        "From beta = 1 / (N + 1) on, the path is the main diagonal and the index (M + H) / (M + N).",
        f"{ALL_SMALL}, gamma = 1 and 2",
        lambda: (
            np.isclose(
                oc(stack, 1 / (n + 1), gamma),
                (_power_sum(stack, gamma) + wrong(stack)) / (_power_sum(stack, gamma) + n),
                rtol=0,
                atol=1e-12,
            )
            for stack in all_small()
            for n in [int(stack[0].sum())]
            for gamma in (1, 2)
        ),
        how="oci(beta=1/(N+1))",
        explanation="Of whole counts, as the paper has them; with weights it takes beta from 1 / (N + M) on.",
    )
    yield _write.statement(
        "Appendix A, (1)",
        "With a metric d_2, d_2 / (1 + d_2) is one.",
        f"{_OF_TRIPLES}; d_2 = M",
        lambda: (triangles(m / (1 + m)) for k, n in _TRIPLES for _, m in [_distances(k, n)]),
        how="the triangle inequality",
    )
    yield _write.statement(
        "Appendix A, (2)",
        "With metrics d_1 <= d_2, d_1 / (1 + d_2) is one.",
        f"{_OF_TRIPLES}; d_1 = H, d_2 = M",
        lambda: (triangles(h / (1 + m)) for k, n in _TRIPLES for h, m in [_distances(k, n)]),
        how="the triangle inequality",
        explanation="A larger d_2 makes the quotient smaller, and a detour can have the larger d_2.  What the lemma is used for, "
        "that the index is a metric from beta = 1 / (N + 1) on, holds nevertheless in every case tried.",
        counterexample=CounterExample(
            "one row, a = 1, b = 5, c = 2: d(a, c) = 1/2, while d(a, b) + d(b, c) = 1/5 + 1/4",
            lambda: (
                (1 / (1 + 1)) > 1 / (1 + 4) + 1 / (1 + 3)
                and all(triangles(h / (1 + m)).all() for k, n in _TRIPLES if k < 5 and n < 2 for h, m in [_distances(k, n)])
            ),
        ),
    )
    yield _write.statement(
        "Appendix A, (3)",
        "The sum of two metrics is one.",
        f"{_OF_TRIPLES}; H + M",
        lambda: (triangles(h + m) for k, n in _TRIPLES for h, m in [_distances(k, n)]),
        how="the triangle inequality",
    )
    yield _write.statement(
        "Appendix A",
        "From beta = 1 / (N + 1) on, the index obeys the triangle inequality.",
        _OF_TRIPLES,
        lambda: (triangles(oc(tables_of_pairs(k, n), 1 / (n + 1))) for k, n in _TRIPLES),
        how="oci(beta=1/(N+1))",
        explanation="The paper's proof rests on (2), which is false; the inequality itself holds in every case tried.",
    )
    below = (0.0, 0.5, 0.9, 0.999)
    yield _write.statement(
        "Appendix A",
        "For beta below (N - 1) / ((N + 1)(N + 2)) the triple a, b, c breaks the triangle inequality, gamma = 1.",
        "N = 2 to 12, beta at 0, 50, 90 and 99.9 % of the bound",
        lambda: ([through < direct] for n in range(2, 13) for s in below for through, direct in [the_triple(n, s * _bound(n))]),
        how="oci(beta=...)",
    )
    yield _write.statement(
        "Appendix A",
        "The same bound for every gamma.",
        "N = 2 to 12, beta at 0, 50, 90 and 99.9 % of the bound, gamma = 1, 2 and 3",
        lambda: (
            [through < direct]
            for n in range(2, 13)
            for s in below
            for gamma in (1, 2, 3)
            for through, direct in [the_triple(n, s * _bound(n), gamma)]
        ),
        how="oci(beta=..., gamma=...)",
        explanation="With G = 2 ** (1 / gamma) this triple's bound is (1 + G)/(N + G) - 2/(N + 1), which is the printed one only "
        "for gamma = 1.",
        counterexample=CounterExample(
            "N = 2, gamma = 2, beta = 0.05, below the printed 1/12: 0.767 through b is not less than 0.757 directly",
            lambda: (
                the_triple(2, 0.05, 2)[0] > the_triple(2, 0.05, 2)[1]
                and _bound(2) > 0.05
                and abs(the_triple(2, 0.05, 2)[1] - (1 - 1 / (2 + math.sqrt(2)) + 0.05)) < 1e-12
            ),
        ),
    )


def claims() -> Iterator[Claim]:
    yield from oci_tables.tables_1_to_5()
    yield from _section_3()
    yield from _figure_5()
    yield from oci_tables.what_the_text_reads_from_them()
    yield from _appendix_a()
