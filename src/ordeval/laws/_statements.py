"""The laws: what each says in one sentence and as a formula, who stated it, how it may be read, and where its instances come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.laws import _instances as instances
from ordeval.laws._bases import INDEPENDENT, MARGIN, SHORTER, TABLES, TRIPLES, TRUTHS, Kind, Size
from ordeval.laws._instances import Instances
from ordeval.laws._relations import (
    Slack,
    best_if_diagonal,
    first_better,
    first_not_worse,
    identical,
    not_best,
    perfect_is_best,
    same,
    same_if_defined,
    second_better,
    second_not_worse,
    triangle,
    twice,
    within,
    worst_of_its_truth,
)
from ordeval.laws._scoring import ScoredMetric
from ordeval.laws._small_tables import Stack
from ordeval.metrics.core.record import LAWS
from ordeval.metrics.core.references import BIBLIOGRAPHY


@dataclass(frozen=True)
class Reading:
    """One way to understand a law: what should happen, and in which of the instances."""

    name: str
    words: str  #: the condition, as it ends a sentence: "where no true class is empty"
    slack: Slack
    should: str  #: what should have happened, of the sides of a counter-example
    where: Callable[[Instances], Array] | None = None  #: the instances it speaks of; all, if None


@dataclass(frozen=True)
class Law:
    """Something a metric may promise."""

    name: str
    formal: str  #: the condition as a formula
    kind: Kind
    instances: Callable[[Stack, ScoredMetric], Iterator[Instances]]
    readings: tuple[Reading, ...]  #: the first is the one that is meant without further words
    sides: tuple[str, ...]  #: what the sides of an instance are called
    notes: tuple[str, ...] = ()  #: what is particular about each side
    classes: int = 1  #: fewest classes it speaks of
    reach: Callable[[int, int], Size] = lambda k, n: (k, n)  #: how far it is enumerated, for bounds K and N
    cap: int | None = None  #: sizes with more bases than this are left out
    random: bool = True  #: whether larger random cases say more than the small ones, and can be tried
    needs: Callable[[ScoredMetric], str] = lambda judged: ""  #: why it does not apply; "" if it does
    cite: str = ""  #: key of the paper in the bibliography; "" where it is common property
    place: str = ""  #: in that paper

    @property
    def statement(self) -> str:
        """The law in one sentence."""
        return LAWS[self.name]

    @property
    def source(self) -> str:
        """Who stated the law: "Amigó et al. 2020, Property 3"; "" where it has no single author."""
        from ordeval.evaluation._prose import authors

        return f"{authors(self.cite)} {BIBLIOGRAPHY[self.cite].year}, {self.place}" if self.cite else ""

    def sizes(self, k: int, n: int) -> list[Size]:
        """The sizes that are enumerated, smallest first: by rows, then by classes."""
        most_k, most_n = self.reach(k, n)
        sizes = [(c, r) for r in range(1, most_n + 1) for c in range(self.classes, most_k + 1)]
        return [size for size in sizes if 0 < self.kind.number(*size) <= (self.cap or 10**12)]

    def range(self, k: int, n: int) -> str:
        """The sizes in words."""
        most: dict[int, int] = {}
        for classes, rows in self.sizes(k, n):
            most[classes] = max(rows, most.get(classes, 0))
        parts: list[str] = []
        for rows in sorted(set(most.values()), reverse=True):
            largest = max(c for c in most if most[c] == rows)
            parts.append(f"K ≤ {largest}, N ≤ {rows}" if not parts else f"K = {largest}, N ≤ {rows}")
        return "; ".join(parts)


def _bounds_known(judged: ScoredMetric) -> str:
    return "" if judged.bounds(2) is not None else "its bounds are not known; give bounds=(low, high)"


def _best_known(judged: ScoredMetric) -> str:
    return "" if judged.best(2) is not None else "its best score is not known; give bounds=(low, high)"


def _a_distance(judged: ScoredMetric) -> str:
    if judged.metric is not None and "perfect" in judged.metric.broken:
        return "a perfect answer does not have the best score, so the score is not a distance"
    return _best_known(judged)


def _worst_known(judged: ScoredMetric) -> str:
    worst = judged.worst(2)
    return "" if worst is not None and np.isfinite(worst) else "there is no worst score"


def _has_edges(judged: ScoredMetric) -> str:
    return "" if judged.edges(2) is not None else "its classes have no lengths"


def _takes(form: str, why: str) -> Callable[[ScoredMetric], str]:
    return lambda judged: "" if judged.takes(form) else why


def _no_empty(cases: Instances) -> Array:
    return np.asarray(~cases.facts["empty"])


def _full_truth(cases: Instances) -> Array:
    return np.asarray((cases.sides[0].tables.sum(-1) > 0).all(-1))


def _one(slack: Slack, should: str) -> tuple[Reading, ...]:
    return (Reading("", "", slack, should),)


_AS_IT_IS = "both should score the same"
_SAME, _IDENTICAL = _one(same, _AS_IT_IS), _one(identical, _AS_IT_IS)
_CALLED = (lambda k, n: (min(k, 3), min(n, 3)), 200)  # row by row, so fewer of them

_STATEMENTS = (
    Law(
        "bounds",
        "low ≤ f(C) ≤ high",
        TABLES,
        instances.alone,
        _one(within, "it should lie within the bounds"),
        ("",),
        needs=_bounds_known,
    ),
    Law(
        "perfect",
        "f(diag(n)) = best",
        TABLES,
        instances.beside_perfect,
        _one(perfect_is_best, "a perfect answer should have the best score"),
        ("perfect", "another"),
    ),
    Law("reversal", "f(C) = f(C turned by 180°)", TABLES, instances.reversed_scale, _SAME, ("as it is", "reversed")),
    Law("transpose", "f(C) = f(Cᵀ)", TABLES, instances.exchanged, _SAME, ("as it is", "exchanged")),
    Law("replication", "f(C) = f(cC), c a whole number", TABLES, instances.copies, _SAME, ("as it is", "copied")),
    Law(
        "repetition",
        "f(rows, weights w) = f(each row w times)",
        TABLES,
        instances.weighted,
        _IDENTICAL,
        ("rows", "weights"),
        reach=_CALLED[0],
        cap=_CALLED[1],
        random=False,
        needs=_takes("weighted", "it takes no sample_weight"),
    ),
    Law(
        "unused_class",
        "f(C) = f(C with an empty row and column at an end)",
        TABLES,
        instances.wider,
        _SAME,
        ("as it is", "wider"),
    ),
    Law(
        "relabelling",
        "f(s, g) = f(h(s), h(g)), h a renaming of the whole scale in its order",
        TABLES,
        instances.renamed,
        _IDENTICAL,
        ("as it is", "renamed"),
        reach=_CALLED[0],
        cap=_CALLED[1],
        random=False,
        needs=_takes("renamed", "it takes a table, which has no names"),
    ),
    Law(
        "prevalence",
        "f(C) = f(C with the row of one true class times c)",
        TABLES,
        instances.commoner,
        _SAME,
        ("as it is", "commoner"),
    ),
    Law(
        "merging",
        "f(C with classes k and k+1 as one) is no worse than f(C)",
        TABLES,
        instances.merged,
        _one(second_not_worse, "merged it should not score worse"),
        ("as it is", "merged"),
        classes=2,
    ),
    Law(
        "chance",
        "f(n mᵀ) does not depend on n and m",
        INDEPENDENT,
        instances.beside_even,
        (
            Reading("no_empty", "where no true class is empty", same_if_defined, _AS_IT_IS, _full_truth),
            Reading("any", "also where true classes are empty", same_if_defined, _AS_IT_IS),
        ),
        ("independent", "even"),
        classes=2,
        reach=lambda k, n: (k, min(n, MARGIN) ** 2),
    ),
    Law(
        "identity",
        "f(C) = best ⇒ C is diagonal",
        TABLES,
        instances.imperfect,
        _one(not_best, "an answer with an error should not have the best score"),
        ("answer A", "answer B"),
        ("with an error", "perfect"),
        classes=2,
    ),
    Law(
        "triangle",
        "d(a, c) ≤ d(a, b) + d(b, c), d = |f − best|",
        TRIPLES,
        instances.three_raters,
        _one(triangle, "the first is farther from the best score than the other two together"),
        ("a and c", "a and b", "b and c"),
        classes=2,
        cap=100_000,
        needs=_a_distance,
        cite="cardoso2011",
        place="Section 3.3",
    ),
    Law(
        "ordinal_invariance",
        "f(s, g) = f(h(s), h(g)), h increasing into the same fixed scale, so that it may leave classes unused",
        SHORTER,
        instances.shifted,
        _SAME,
        ("as it is", "moved"),
        classes=2,
        cite="amigo2020",
        place="Property 1",
    ),
    Law(
        "ordinal_monotonicity",
        "s(d) > s′(d) ≥ g(d), or s(d) < s′(d) ≤ g(d), for one row d, all others alike ⇒ f(s′, g) better than f(s, g)",
        TABLES,
        instances.moved_closer,
        (
            Reading("no_empty", "where no true class is empty", second_better, "B should score better than A", _no_empty),
            Reading(
                "rows_between",
                "where some true row lies from the old answer to the new",
                second_better,
                "B should score better than A",
                lambda cases: cases.facts["between"] > 0,
            ),
            Reading("any", "also where true classes are empty", second_better, "B should score better than A"),
            Reading("weak", "never worse, whatever classes are empty", second_not_worse, "B should not score worse than A"),
            Reading(
                "as_printed",
                "as printed: answers move down only, and no true class is empty",
                second_better,
                "B should score better than A",
                lambda cases: _no_empty(cases) & cases.facts["down"],
            ),
        ),
        ("answer A", "answer B"),
        ("", "one answer is closer"),
        classes=2,
        cite="amigo2020",
        place="Property 2, both sides",
    ),
    Law(
        "imbalance",
        "(c₁, c₂, c₃) neighbours, n₁ > n₃ ⇒ f(g with a row of c₁ called c₂, g) better than f(g with a row of c₃ called c₂, g)",
        TRUTHS,
        instances.large_and_small,
        (
            Reading("no_empty", "where no true class is empty", first_better, "A should score better than B", _no_empty),
            Reading(
                "middle",
                "where the class between them has rows",
                first_better,
                "A should score better than B",
                lambda cases: cases.facts["middle"] > 0,
            ),
            Reading("any", "also where the class between them is empty", first_better, "A should score better than B"),
            Reading("weak", "never the other way round", first_not_worse, "A should not score worse than B"),
            Reading(
                "three_classes",
                "on a scale of three classes, none empty",
                first_better,
                "A should score better than B",
                lambda cases: _no_empty(cases) & (cases.facts["classes"] == 3),
            ),
        ),
        ("answer A", "answer B"),
        ("one row of the larger class is wrong", "one row of the smaller class is wrong"),
        classes=3,
        reach=lambda k, n: (k, 2 * n + 2),
        cap=3_000,
        cite="amigo2020",
        place="Property 3",
    ),
    Law(
        "scale_invariance",
        "f does not change when every edge x becomes ax + b, a > 0",
        TABLES,
        instances.stretched,
        _SAME,
        ("as it is", "stretched"),
        needs=_has_edges,
        cite="binotto2023",
        place="Property 1",
    ),
    Law(
        "density_monotonicity",
        "d(k, j) > d(i, j), n_i / l_i = n_k / l_k ⇒ a row of j called k is worse than one called i",
        TRUTHS,
        instances.equal_density,
        _one(first_better, "A should score better than B"),
        ("answer A", "answer B"),
        ("the nearer class", "the farther class"),
        classes=3,
        reach=lambda k, n: (k, n + 2),
        cite="binotto2023",
        place="Property 2",
    ),
    Law(
        "density_imbalance",
        "d(i, j) = d(i, k), n_j / l_j > n_k / l_k ⇒ a row of k called i is worse than one of j; a row of i called k worse than one called j",
        TRUTHS,
        instances.unequal_density,
        (
            Reading("both", "", first_better, "A should score better than B"),
            Reading(
                "from",
                "of errors out of the class",
                first_better,
                "A should score better than B",
                lambda cases: ~cases.facts["into"],
            ),
            Reading(
                "into",
                "of errors into the class",
                first_better,
                "A should score better than B",
                lambda cases: cases.facts["into"],
            ),
        ),
        ("answer A", "answer B"),
        ("the denser class", "the sparser class"),
        classes=3,
        reach=lambda k, n: (k, n + 2),
        cite="binotto2023",
        place="Property 3",
    ),
    Law(
        "maximal_agreement",
        "f(C) = best ⇔ C is diagonal",
        TABLES,
        instances.alone,
        _one(best_if_diagonal, "diagonal tables, and no others, should have the best score"),
        ("",),
        needs=_best_known,
        cite="binotto2023",
        place="Section 4.2",
    ),
    Law(
        "minimal_agreement",
        "f(C) = worst ⇔ no answer to the same truth is worse",
        TRUTHS,
        instances.all_answers,
        _one(worst_of_its_truth, "no answer to this truth is worse, so it should have the worst score there is"),
        ("",),
        classes=2,
        random=False,
        needs=_worst_known,
        cite="binotto2023",
        place="Section 4.2",
    ),
    Law(
        "homogeneity",
        "f(cC) = c f(C)",
        TABLES,
        instances.doubled,
        _one(twice, "the second should be twice the first"),
        ("as it is", "copied"),
        cite="binotto2023",
        place="Section 4.2",
    ),
)


#: All laws by name, in the order of the registry.
STATEMENTS: Mapping[str, Law] = MappingProxyType({name: next(law for law in _STATEMENTS if law.name == name) for name in LAWS})


@documented("The law.", name="Its name, as in `LAWS`.")
def get_law(name: str) -> Law:
    """The law of this name."""
    if name not in STATEMENTS:
        raise ArgumentError(
            "there is no law called {name}",
            argument="laws",
            remedy=near(str(name), STATEMENTS) or f"choose one of {', '.join(STATEMENTS)}",
            values={"name": repr(name)},
        )
    return STATEMENTS[name]
