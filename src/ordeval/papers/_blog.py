"""The blog on CEM and its demo (hovinh, 2024): its values, and its examples with truth and prediction put right.

The figures are pictures; their numbers are those that the demo computes from the blog's data.  The demo takes the columns of
the paper's Figure 2, which are the system's classes, for true ones: two of its three pairs of examples are transposed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ordeval.counts import Counts
from ordeval.laws._small_tables import compositions
from ordeval.papers._cem_examples import GOLD, LEFT, REVIEWS, RIGHT, SYSTEMS, literal_sum, prox
from ordeval.papers._claims import Claim, CounterExample, Writer, agrees, value
from ordeval.parts import closeness_matrix

_write = Writer("blog")

JOURNALS = {"F": LEFT, "S": RIGHT}

#: Journal, the pair (from, to) as the demo lists it, the printed bits.
CLOSEST_AND_FURTHEST = [
    ("F", "weak accept", "accept", "2.951"),
    ("F", "weak reject", "reject", "2.756"),
    ("F", "accept", "weak accept", "2.104"),
    ("F", "accept", "reject", "0.013"),
    ("F", "reject", "accept", "0.013"),
    ("F", "accept", "weak reject", "0.038"),
    ("S", "weak reject", "undecided", "5.555"),
    ("S", "weak accept", "undecided", "5.555"),
    ("S", "undecided", "weak reject", "5.031"),
    ("S", "accept", "reject", "0.377"),
    ("S", "reject", "accept", "0.395"),
    ("S", "weak accept", "reject", "0.925"),
]


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
PRINTED = ["0.942", "0.912", "0.937", "0.950"]
DIFFERENCES = {"Fig. 3, monotonicity": "-0.030", "Fig. 4, imbalance": "0.013"}
PERFECT = {"first dataset": _table((0, 0, 3), (1, 1, 3), (2, 2, 3)), "second dataset": _table((0, 0, 3), (2, 2, 3), (3, 3, 3))}


def ic(journal: str, start: str, end: str) -> float:
    return prox(JOURNALS[journal], REVIEWS.index(start), REVIEWS.index(end))


def _ranked(journal: str) -> list[tuple[str, str]]:
    """Pairs of different classes, the furthest first."""
    pairs = [(a, b) for a, b in product(REVIEWS, repeat=2) if a != b]
    return sorted(pairs, key=lambda pair: ic(journal, *pair))


def difference(where: str, *, exchanged: bool = False) -> float:
    first, second = (DESCRIBED[where, name] for name in ("first dataset", "second dataset"))
    return value("cem", second.T if exchanged else second) - value("cem", first.T if exchanged else first)


def _information_closeness() -> Iterator[Claim]:
    yield _write.statement(
        "Information Closeness",
        "IC(c1, c3), IC(c3, c1) and IC(c1, c1) written out, in bits.",
        "all true classes of K = 3 without an empty one, N to 8",
        lambda: (
            [
                abs(prox(n, 0, 2) + np.log2((n[0] / 2 + n[1] + n[2]) / sum(n))) < 1e-12,
                abs(prox(n, 2, 0) + np.log2((n[2] / 2 + n[1] + n[0]) / sum(n))) < 1e-12,
                abs(prox(n, 0, 0) + np.log2(n[0] / 2 / sum(n))) < 1e-12,
            ]
            for total in range(3, 9)
            for n in compositions(3, total)
        ),
        how="closeness_matrix",
    )
    yield literal_sum(_write, "Information Closeness", "IC")
    for journal, start, end, printed in CLOSEST_AND_FURTHEST:
        yield _write.number(
            "Fig. 1",
            f"{journal}, {start} – {end}",
            "IC",
            printed,
            lambda journal=journal, start=start, end=end: ic(journal, start, end),  # type: ignore[misc]
            how="closeness_matrix",
        )
    yield _write.statement(
        "Information Closeness",
        "In both journals reject and accept are the furthest pair.",
        "all 20 pairs of each journal",
        lambda: [[{*_ranked(journal)[0]} == {"reject", "accept"} == {*_ranked(journal)[1]} for journal in JOURNALS]],
        how="closeness_matrix",
    )
    yield _write.statement(
        "Information Closeness",
        "In journal S the closest pairs are among weak reject, undecided and weak accept.",
        "the closest three of 20 pairs",
        lambda: [[{*pair} <= {*REVIEWS[1:4]} for pair in _ranked("S")[-3:]]],
        how="closeness_matrix",
    )
    yield _write.statement(
        "Information Closeness",
        "IC is not symmetric.",
        "the two journals",
        lambda: [[not np.allclose(found, found.T) for found in map(_matrix, JOURNALS.values())]],
        how="closeness_matrix",
    )


def _matrix(gold: tuple[int, ...]) -> Any:
    return closeness_matrix(Counts.from_matrix(np.diag(gold)))


_EXCHANGED = "The demo's file has truth and prediction exchanged; exchanged back it is the data the text describes, and the value is another."


def _properties() -> Iterator[Claim]:
    for name, table in PERFECT.items():
        yield _write.number(
            "Fig. 2, ordinal invariance",
            name,
            "CEM",
            "1.000",
            lambda table=table: value("cem", table),  # type: ignore[misc]
            how="cem",
            explanation="Both datasets are answered perfectly, so that every metric passes." if "first" in name else "",
        )
    for ((where, name), table), printed in zip(DESCRIBED.items(), PRINTED, strict=True):
        yield _write.number(
            where,
            name,
            "CEM",
            printed,
            lambda table=table: value("cem", table),  # type: ignore[misc]
            how="cem of the data described",
            explanation=_EXCHANGED,
            counterexample=CounterExample(
                f"with truth and prediction exchanged CEM is {value('cem', table.T):.4f}, as described {value('cem', table):.4f}",
                lambda table=table, printed=printed: (  # type: ignore[misc]
                    agrees(value("cem", table.T), printed) and not agrees(value("cem", table), printed)
                ),
            ),
        )
    for where, printed in DIFFERENCES.items():
        yield _write.number(
            where,
            "second less first",
            "CEM",
            printed,
            lambda where=where: difference(where),  # type: ignore[misc]
            how="cem of the data described",
            explanation=_EXCHANGED,
            counterexample=CounterExample(
                f"with truth and prediction exchanged the difference is {difference(where, exchanged=True):+.4f}, as described "
                f"{difference(where):+.4f}",
                lambda where=where, printed=printed: (  # type: ignore[misc]
                    agrees(difference(where, exchanged=True), printed) and not agrees(difference(where), printed)
                ),
            ),
        )
    yield _write.statement(
        "Monotonicity",
        "An error of two classes scores lower than one of one class.",
        "the two datasets of Fig. 3, as described",
        lambda: [difference("Fig. 3, monotonicity") < 0],
        how="cem",
    )
    yield _write.statement(
        "Imbalance",
        "An error in a small class costs less than the same error in a frequent one.",
        "the two datasets of Fig. 4, as described",
        lambda: [difference("Fig. 4, imbalance") > 0],
        how="cem",
        explanation="The paper's Property 3 says the opposite, and CEM keeps it; the exchanged files only seemed to show this.",
        counterexample=CounterExample(
            "5, 3 and 2 true rows: a weak reject (of five) called undecided leaves 0.9445, a weak accept (of two) 0.9273",
            lambda: (
                [round(value("cem", DESCRIBED["Fig. 4, imbalance", f"{which} dataset"]), 4) for which in ("first", "second")]
                == [0.9445, 0.9273]
            ),
        ),
    )


def _use_case() -> Iterator[Claim]:
    where = "An Example Usecase"
    for name, cem in (("A", "0.712"), ("B", "0.760")):
        for column, metric, printed in (("accuracy", "accuracy", "0.700"), ("CEM", "cem", cem)):
            yield _write.number(
                where,
                f"model {name}",
                column,
                printed,
                lambda name=name, metric=metric: value(metric, SYSTEMS[name]),  # type: ignore[misc]
                how=metric,
            )
    yield _write.number(
        where, "B less A", "CEM", "0.048", lambda: value("cem", SYSTEMS["B"]) - value("cem", SYSTEMS["A"]), how="cem"
    )
    for name, printed, exact in (("A", "7+4", 11), ("B", "4+2", 6)):
        yield _write.number(
            where,
            f"model {name}",
            "positive–negative errors",
            printed,
            lambda name=name: float(SYSTEMS[name][0, 2] + SYSTEMS[name][2, 0]),  # type: ignore[misc]
            how="sum of two cells",
            exact=exact,
        )
    yield _write.number(
        where, "positive and neutral", "share of the rows, %", "90", lambda: 100 * sum(GOLD[1:]) / sum(GOLD), how="sum"
    )


def claims() -> Iterator[Claim]:
    yield from _information_closeness()
    yield from _properties()
    yield from _use_case()
