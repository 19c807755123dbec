"""From a stack of bases to the instances of a law: for each law the stacks of tables that it compares, side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from ordeval.base.arrays import Array, predictions, rank_distance, total, truths
from ordeval.laws._bases import answers, diagonal
from ordeval.laws._scoring import Edges, ScoredMetric, TableStack
from ordeval.laws._small_tables import Stack
from ordeval.metrics.solvers.open_interval import separation


@dataclass(frozen=True)
class Instances:
    """Cases of a law: the base of each, the tables to be compared, and facts that a reading may ask for."""

    base: Array  #: (B,) which base each instance comes from
    sides: tuple[TableStack, ...]
    facts: dict[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.base)


def _all(stack: Stack, *sides: TableStack) -> Instances:
    return Instances(np.arange(len(stack)), sides)


def _kept(cases: Instances, kept: Array) -> Instances:
    sides = tuple(replace(side, tables=side.tables[kept]) for side in cases.sides)
    return Instances(cases.base[kept], sides, {name: fact[kept] for name, fact in cases.facts.items()})


def _is_diagonal(stack: Stack) -> Array:
    return np.asarray(np.diagonal(stack, axis1=-2, axis2=-1).sum(-1) == total(stack))


def alone(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Each table by itself."""
    yield _all(stack, TableStack(stack, judged.edges(stack.shape[-1])))


def beside_perfect(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """The perfect answer to each truth; beside every other answer to it, where the best score is not known."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    cases = _all(stack, TableStack(diagonal(truths(stack)), edges), TableStack(stack, edges))
    yield cases if judged.best(k) is None else _kept(cases, _is_diagonal(stack))


def imperfect(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Every answer with an error, beside the perfect one."""
    edges = judged.edges(stack.shape[-1])
    cases = _all(stack, TableStack(stack, edges), TableStack(diagonal(truths(stack)), edges))
    yield _kept(cases, ~_is_diagonal(stack))


def reversed_scale(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    edges = judged.edges(stack.shape[-1])
    turned = None if edges is None else tuple(-edge for edge in reversed(edges))
    yield _all(stack, TableStack(stack, edges), TableStack(stack[:, ::-1, ::-1], turned))


def exchanged(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    edges = judged.edges(stack.shape[-1])
    yield _all(stack, TableStack(stack, edges), TableStack(stack.swapaxes(-1, -2), edges))


def copies(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Two and seven of every row."""
    edges = judged.edges(stack.shape[-1])
    for factor in (2, 7):
        yield _all(stack, TableStack(stack, edges), TableStack(factor * stack, edges))


def doubled(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    edges = judged.edges(stack.shape[-1])
    yield _all(stack, TableStack(stack, edges), TableStack(2 * stack, edges))


def weighted(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    edges = judged.edges(stack.shape[-1])
    yield _all(stack, TableStack(stack, edges, "rows"), TableStack(stack, edges, "weighted"))


def renamed(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    edges = judged.edges(stack.shape[-1])
    yield _all(stack, TableStack(stack, edges, "rows"), TableStack(stack, edges, "renamed"))


def wider(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """One more class below, and one more above: nothing lies above an open interval."""
    edges = judged.edges(stack.shape[-1])
    for below, above in ((1, 0), (0, 1)):
        longer = edges
        if edges is not None:
            if above and math.isinf(edges[-1]):
                continue
            longer = (edges[0] - 3, *edges) if below else (*edges, edges[-1] + 3)
        more = np.pad(stack, ((0, 0), (below, above), (below, above)))
        yield _all(stack, TableStack(stack, edges), TableStack(more, longer))


def commoner(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """One more copy, and four more, of every row of one true class."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    for t, factor in product(range(k), (2, 5)):
        more = stack.copy()
        more[:, t] *= factor
        yield _kept(_all(stack, TableStack(stack, edges), TableStack(more, edges)), stack[:, t].sum(-1) > 0)


def merged(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Each class and the next taken for one."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    for lower in range(k - 1):
        starts = [i for i in range(k) if i != lower + 1]
        fewer = np.add.reduceat(np.add.reduceat(stack, starts, -1), starts, -2)
        shorter = None if edges is None else tuple(edge for i, edge in enumerate(edges) if i != lower + 1)
        yield _all(stack, TableStack(stack, edges), TableStack(fewer, shorter))


def beside_even(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Tables in which prediction and truth are independent, beside the one in which both are even."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    expected = truths(stack)[:, :, None] * predictions(stack)[:, None, :]
    independent = (stack * total(stack)[:, None, None] == expected).all((1, 2))
    cases = _all(stack, TableStack(stack, edges), TableStack(np.ones_like(stack), edges))
    yield _kept(cases, independent)


def three_raters(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """The tables of the first and the third rater, of the first and the second, of the second and the third."""
    edges = judged.edges(stack.shape[-1])
    yield _all(stack, *(TableStack(stack.sum(axis), edges) for axis in (2, 3, 1)))


def shifted(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """A class that nobody uses, once at the end of the scale and once at every other place: all moves on a scale of K classes
    are sequences of such."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    unused = (truths(stack) + predictions(stack))[:, -1] == 0
    for gap in range(k - 1):
        places = [i for i in range(k) if i != gap]
        moved = np.zeros_like(stack)
        moved[:, np.array(places)[:, None], places] = stack[:, :-1, :-1]
        yield _kept(_all(stack, TableStack(stack, edges), TableStack(moved, edges)), unused)


def moved_closer(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """One wrong answer, and the same closer to the truth, on the same side of it."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    rows = truths(stack)
    empty, up_to = (rows == 0).any(-1), np.pad(rows.cumsum(-1), ((0, 0), (1, 0)))
    for t, old in product(range(k), repeat=2):
        chosen = np.flatnonzero(stack[:, t, old] > 0)
        towards = 1 if t > old else -1
        for new in range(old + towards, t + towards, towards) if t != old else ():
            before = stack[chosen]
            after = before.copy()
            after[:, t, old] -= 1
            after[:, t, new] += 1
            between = up_to[chosen, max(old, new) + 1] - up_to[chosen, min(old, new)]
            facts = {"empty": empty[chosen], "between": between, "down": np.full(len(chosen), new < old)}
            yield Instances(chosen, (TableStack(before, edges), TableStack(after, edges)), facts)


def _one_wrong(stack: Stack, true: int, pred: int) -> Stack:
    """The perfect tables with one row of a class answered as another."""
    wrong = stack.copy()
    wrong[:, true, true] -= 1
    wrong[:, true, pred] += 1
    return wrong


def large_and_small(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """An error from the larger, and one from the smaller of two classes, into the class between them; all else is right."""
    k = stack.shape[-1]
    edges = judged.edges(k)
    rows = truths(stack)
    perfect = _is_diagonal(stack)
    for middle, side in product(range(1, k - 1), (-1, 1)):
        large, small = middle + side, middle - side
        chosen = np.flatnonzero(perfect & (rows[:, large] > rows[:, small]) & (rows[:, small] > 0))
        base = stack[chosen]
        facts = {"empty": (rows[chosen] == 0).any(-1), "middle": rows[chosen, middle], "classes": np.full(len(chosen), k)}
        yield Instances(
            chosen,
            (TableStack(_one_wrong(base, large, middle), edges), TableStack(_one_wrong(base, small, middle), edges)),
            facts,
        )


def _geometries(judged: ScoredMetric, k: int) -> Iterator[tuple[Edges | None, Array, Array]]:
    """Scales with their lengths and distances: ranks, or intervals of length 1 and 2, up to four of them in every order."""
    if judged.edges(k) is None:
        yield None, np.ones(k), rank_distance(k)
        return
    midpoint = judged.metric is not None and judged.metric.params.get("distance") == "midpoint"
    orders = (
        list(product((1.0, 2.0), repeat=k)) if k <= 4 else [(1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0)[i : i + k] for i in (0, 1)]
    )
    for lengths in orders:
        length, edges = np.array(lengths), np.concatenate([[0.0], np.cumsum(lengths)])
        inner = np.maximum(
            edges[:-1] - edges[1:, None], edges[:-1, None] - edges[1:]
        )  # what lies between, below 0 on the diagonal
        far = np.where(np.eye(k, dtype=bool), 0, separation(inner, length[:, None], length, midpoint=midpoint))
        yield tuple(edges.tolist()), length, far


def equal_density(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """One error into a farther class, and one into a nearer class of equal density."""
    k = stack.shape[-1]
    rows, full = truths(stack), _is_diagonal(stack) & (truths(stack) > 0).all(-1)
    for edges, length, far in _geometries(judged, k):
        density = rows / length
        for t, near, distant in product(range(k), repeat=3):
            if len({t, near, distant}) == 3 and far[t, near] < far[t, distant]:
                chosen = np.flatnonzero(full & (density[:, near] == density[:, distant]))
                sides = (TableStack(_one_wrong(stack[chosen], t, p), edges) for p in (near, distant))
                yield Instances(chosen, tuple(sides))


def unequal_density(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """One error that concerns a denser class, and one at the same distance that concerns a sparser: as truth, and as answer."""
    k = stack.shape[-1]
    rows, full = truths(stack), _is_diagonal(stack) & (truths(stack) > 0).all(-1)
    for edges, length, far in _geometries(judged, k):
        density = rows / length
        for other, dense, sparse in product(range(k), repeat=3):
            if len({other, dense, sparse}) == 3 and far[other, dense] == far[other, sparse]:
                chosen = np.flatnonzero(full & (density[:, dense] > density[:, sparse]))
                base = stack[chosen]
                from_it = (TableStack(_one_wrong(base, c, other), edges) for c in (dense, sparse))
                yield Instances(chosen, tuple(from_it), {"into": np.zeros(len(chosen), bool)})
                into_it = (TableStack(_one_wrong(base, other, c), edges) for c in (dense, sparse))
                yield Instances(chosen, tuple(into_it), {"into": np.ones(len(chosen), bool)})


def stretched(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """The intervals in another unit and with another origin; a length that was given for an open end would have to be stretched,
    too, so the ends are closed unless their length is found from the counts."""
    edges = judged.edges(stack.shape[-1])
    if edges is None or judged.metric is None:
        return
    if judged.metric.params.get("unbounded") != "optimal" and math.isinf(edges[-1]):
        edges = (*edges[:-1], edges[-2] + len(edges) - 1)
    for unit, origin in ((3.0, 5.0), (0.25, -2.0)):
        other = tuple(unit * edge + origin for edge in edges)
        yield _all(stack, TableStack(stack, edges), TableStack(stack, other))


def all_answers(stack: Stack, judged: ScoredMetric) -> Iterator[Instances]:
    """Every answer to each truth."""
    k = stack.shape[-1]
    for i, rows in enumerate(truths(stack)):
        if _is_diagonal(stack[i]):
            every = answers(rows)
            yield Instances(np.full(len(every), i), (TableStack(every, judged.edges(k)),))
