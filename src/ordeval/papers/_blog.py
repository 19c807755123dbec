"""The blog on CEM and its demo (hovinh, 2024): what computes the numbers and statements of `record/blog.toml`.

The figures are pictures; their numbers are those that the demo computes from its own files.  Two of its three pairs of files hold
truth and prediction the other way round from the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import all_small, compositions
from ordeval.papers._cem import LEFT, REVIEWS, RIGHT, SYSTEMS, a_mistakes_positive, literal_sum, prox, share_of_two
from ordeval.papers._claims import value, values
from ordeval.papers._record import record_of
from ordeval.parts import closeness_matrix

__all__ = ["a_mistakes_positive", "literal_sum", "share_of_two"]  # the same as in the paper

JOURNALS = {"F": LEFT, "S": RIGHT}


def _figure_1() -> list[tuple[str, str, str, str]]:
    unit = next(unit for unit in record_of("blog")["unit"] if unit.get("where") == "Fig. 1")
    pairs = [(row.partition(", ")[0], *row.partition(", ")[2].split(" – "), bits) for row, bits in unit["rows"].items()]
    return [(journal, start, end, bits) for journal, start, end, bits in pairs]


#: Journal, the pair (from, to) as the demo lists it, the printed bits.
CLOSEST_AND_FURTHEST = _figure_1()


def _table(*rows: tuple[int, int, int]) -> Any:
    """Rows of (true class, predicted class, how often) on the five grades."""
    table = np.zeros((5, 5), int)
    for true, pred, times in rows:
        table[true, pred] = times
    return table


#: As the text describes them: a weak accept called undecided, and called weak reject; a weak reject (of five) called
#: undecided, and a weak accept (of two) called undecided.
DESCRIBED = {
    ("Fig. 3, monotonicity", "first dataset"): _table((1, 1, 3), (2, 2, 3), (3, 3, 2), (3, 2, 1)),
    ("Fig. 3, monotonicity", "second dataset"): _table((1, 1, 3), (2, 2, 3), (3, 3, 2), (3, 1, 1)),
    ("Fig. 4, imbalance", "first dataset"): _table((1, 1, 4), (1, 2, 1), (2, 2, 3), (3, 3, 2)),
    ("Fig. 4, imbalance", "second dataset"): _table((1, 1, 5), (2, 2, 3), (3, 3, 1), (3, 2, 1)),
}
PERFECT = {"first dataset": _table((0, 0, 3), (1, 1, 3), (2, 2, 3)), "second dataset": _table((0, 0, 3), (2, 2, 3), (3, 3, 3))}


def described(row: str, column: str) -> float:
    """CEM of the data that the text describes."""
    if row.startswith("Fig. 2"):
        return value("cem", PERFECT[column])
    return value("cem", DESCRIBED[row, column])


def closeness(row: str, column: str) -> float:
    journal, _, pair = row.partition(", ")
    start, end = pair.split(" – ")
    return prox(JOURNALS[journal], REVIEWS.index(start), REVIEWS.index(end))


def use_case(row: str, column: str) -> float:
    return value("accuracy" if column == "accuracy" else "cem", SYSTEMS[row[-1]])


def _written_out(system: int, truth: int, parts: tuple[float, float, float]) -> Iterator[Any]:
    for total in range(3, 9):
        for n in compositions(3, total):
            yield [abs(prox(n, system, truth) + np.log2(np.dot(parts, n) / total)) < 1e-12]


def written_out_up() -> Iterator[Any]:
    return _written_out(0, 2, (0.5, 1, 1))


def written_out_down() -> Iterator[Any]:
    return _written_out(2, 0, (1, 1, 0.5))


def written_out_same() -> Iterator[Any]:
    return _written_out(0, 0, (0.5, 0, 0))


def _ranked(journal: str) -> list[set[str]]:
    """Pairs of different classes, the furthest first."""
    pairs = [(a, b) for a, b in product(REVIEWS, repeat=2) if a != b]
    return [{*pair} for pair in sorted(pairs, key=lambda pair: closeness(f"{journal}, {pair[0]} – {pair[1]}", ""))]


def furthest() -> Iterator[Any]:
    yield [_ranked(journal)[0] == {"reject", "accept"} == _ranked(journal)[1] for journal in JOURNALS]


def closest() -> Iterator[Any]:
    yield [pair <= {*REVIEWS[1:4]} for pair in _ranked("S")[-3:]]


def not_symmetric() -> Iterator[Any]:
    for gold in JOURNALS.values():
        found = closeness_matrix(Counts.from_matrix(np.diag(gold)))
        yield [not np.allclose(found, found.T)]


def one_point() -> Iterator[Any]:
    """Whether every right answer of the use case earns 1."""
    yield np.isclose(np.diagonal(closeness_matrix(Counts.from_matrix(SYSTEMS["A"]))), 1)


def highest_is_1() -> Iterator[Any]:
    return (values("cem", stack) <= 1 for stack in all_small())


def difference(where: str, *, exchanged: bool = False) -> float:
    first, second = (DESCRIBED[where, name] for name in ("first dataset", "second dataset"))
    return value("cem", second.T if exchanged else second) - value("cem", first.T if exchanged else first)


def monotonicity() -> Iterator[Any]:
    yield [difference("Fig. 3, monotonicity") < 0]


def imbalance() -> Iterator[Any]:
    yield [difference("Fig. 4, imbalance") > 0]


def _extremes(name: str) -> int:
    return int(SYSTEMS[name][0, 2] + SYSTEMS[name][2, 0])


def more_extremes() -> Iterator[Any]:
    yield [_extremes("A") == 7 + 4 > 4 + 2 == _extremes("B")]


def caption() -> Iterator[Any]:
    """Whether the figure captioned "Imbalance" a second time shows the imbalance example."""
    unit = next(unit for unit in record_of("blog")["unit"] if unit["place"] == "figures" and unit["where"] == "Fig. 5")
    shown = {number for line in unit["rows"].values() for number in line.split()}
    yield [f"{described('Fig. 4, imbalance', name):.3f}" in shown for name in ("first dataset", "second dataset")]
