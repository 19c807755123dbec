"""Tables of hard labels as spaces: one model, or the difference of two on the same rows; clusters by an effective number of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts
from ordeval.infer._units import rows_are_lost
from ordeval.infer._walk import NORMAL, Space
from ordeval.metrics import Metric

Kernel = Callable[[Array], Array]

NUDGE = 1e-4  # of a cell, up and down, to see how fast a score changes
LEAST_NUDGE = 1e-6  # of all rows, upwards: what a smaller one changes drowns in rounding
UNSEEN = 0.5  # changes of a score that a whole cluster might have brought, beside those that were seen
ALL_CELLS = 12  # classes: with more, slopes are taken at the cells seen, and empty cells at one distance have one slope
WHOLE = 1e12  # rows that the expected table of a metric of whole counts is scaled to, and rounded
DIGITS = 7  # of a share: cells that are equal but for rounding are drawn alike
MANY_CLASSES = 50  # with more, a direction serves for two steps, and half as many samples are drawn
STACK_CELLS = 1 << 20  # cells of a stack of simulated tables
FEWEST_CLUSTERS, FEWEST_EFFECTIVE = 8, 4.0


@dataclass(frozen=True)
class Term:
    """A bound kernel, its sign in a difference, and whether it takes whole counts only."""

    kernel: Kernel
    sign: int = 1
    whole: bool = False

    def at(self, tables: Array) -> Array:
        """The scores of tables that need not be whole."""
        if self.whole:
            tables = np.round(tables * (WHOLE / tables.sum((-1, -2), keepdims=True)))
        return np.asarray(self.kernel(tables))

    def slope(self, table: Array, seen: Array) -> Array:
        """How fast the score changes with each cell of a table (K, K), (K²,), by central differences.

        In a large table the cells in which no row was seen are nudged together, those at one distance from the diagonal at a time,
        and all cells upwards only.
        """
        if self.whole:
            table = table * (WHOLE / table.sum())
        flat, k = table.ravel(), len(table)
        small = k <= ALL_CELLS
        kinds = np.arange(flat.size) if small else _kinds(seen)
        found, order = np.zeros(kinds.max() + 1), np.argsort(kinds, kind="stable")
        ends = np.searchsorted(kinds[order], np.arange(len(found) + 1))
        step, (up, down) = max(1, STACK_CELLS // flat.size), nudges(flat)
        for start in range(0, len(found), step):
            stop = min(start + step, len(found))
            cells = order[ends[start] : ends[stop]]
            column, size = kinds[cells] - start, stop - start
            between = np.bincount(column, up[cells] + small * down[cells], minlength=size)
            if small:
                change = self._nudged(flat, cells, column, up[cells], size) - self._nudged(
                    flat, cells, column, -down[cells], size
                )
            else:
                scores = self._nudged(flat, cells, column, up[cells], size + 1)  # the last one is left as it is
                change = scores[:-1] - scores[-1]
            with np.errstate(invalid="ignore", divide="ignore"):
                found[start:stop] = change / between
        slopes: Array = np.nan_to_num(found, posinf=0.0, neginf=0.0)[kinds]
        return slopes

    def _nudged(self, flat: Array, cells: Array, column: Array, nudge: Array, size: int) -> Array:
        """The scores of so many copies of a table, each with some cells changed; side by side in memory, as kernels like them."""
        stack = np.repeat(flat[:, None], size, 1)
        stack[cells, column] += nudge
        k = math.isqrt(len(flat))
        return self.at(np.moveaxis(stack.reshape(k, k, size), -1, 0))


def nudges(cells: Array) -> tuple[Array, Array]:
    """By how much cells are changed, upwards and downwards; none that is empty."""
    return np.where(cells > 0, np.maximum(NUDGE * cells, LEAST_NUDGE * cells.sum()), 0.0), NUDGE * cells


def _kinds(seen: Array) -> Array:
    """The cells of a large table, numbered: those seen one by one, the others by their distance from the diagonal."""
    k = len(seen)
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).ravel()
    kinds = np.where(seen.ravel(), k + np.arange(k * k), distance)
    return np.unique(kinds, return_inverse=True)[1].reshape(-1)


class TableSpace(Space):
    """Cells of truth × prediction, or of truth × two predictions: each adds a row to one cell of every table."""

    def __init__(
        self, terms: Sequence[Term], places: Array, k: int, number: Array, pseudo: Array, *, stratum: Array | None = None
    ) -> None:
        """``places`` (cells, terms) are the cells of the K × K tables, laid out flat; K² is none of them."""
        self.terms, self.places, self.K = tuple(terms), places, k
        self.number, self.pseudo = number, pseudo
        self.stratum = np.zeros(len(number), int) if stratum is None else stratum
        self.sizes = np.maximum(np.rint(np.bincount(self.stratum, number)), 1).astype(int)
        self.serves = 1 if k <= MANY_CLASSES else 2

    def scaled(self, factor: float | Array) -> TableSpace:
        """The same sample with so many times the rows; or so many times those of each cell."""
        return TableSpace(self.terms, self.places, self.K, self.number * factor, self.pseudo, stratum=self.stratum)

    def table(self, weights: Array, term: int) -> Array:
        """The table (K, K) of one term."""
        found: Array = np.bincount(self.places[:, term], weights, minlength=self.K**2 + 1)
        return found[:-1].reshape(self.K, self.K)

    def tables(self, weights: Array, term: int) -> Array:
        """The tables (b, K, K) of one term in many samples, weights (b, cells)."""
        found = np.asarray(_indicator(self.places[:, term], self.K**2 + 1) @ weights.T)
        return np.moveaxis(found[:-1].reshape(self.K, self.K, -1), -1, 0)

    def scores(self, weights: Array) -> Array:
        """The scores of many samples of whole rows, weights (b, cells)."""
        return np.asarray(sum(t.sign * np.asarray(t.kernel(self.tables(weights, i))) for i, t in enumerate(self.terms)))

    def value(self, weights: Array) -> float:
        return sum(t.sign * float(t.at(self.table(weights, i)[None])[0]) for i, t in enumerate(self.terms))

    def slope(self, weights: Array) -> Array:
        found = np.zeros(len(weights))
        for i, t in enumerate(self.terms):
            slopes = t.slope(self.table(weights, i), self.table(self.number, i) > 0)
            found += t.sign * np.append(slopes, 0.0)[self.places[:, i]]
        return found

    def errors(self, weights: Array) -> Array:
        """The large-sample standard errors of the score in many samples, weights (b, cells), each smoothed."""
        weights = weights + self.pseudo
        totals = np.stack([weights[:, self.stratum == s].sum(1) for s in range(len(self.sizes))], -1)
        found = np.zeros(weights.shape)
        for i, t in enumerate(self.terms):
            stack = self.tables(weights, i).reshape(len(weights), -1)
            for place in np.unique(self.places[:, i][self.places[:, i] < self.K**2]).tolist():
                nudge = NUDGE * stack[:, place]
                ends = []
                for way in (1, -1):
                    moved = stack.copy()
                    moved[:, place] += way * nudge
                    ends.append(t.at(moved.reshape(-1, self.K, self.K)))
                with np.errstate(invalid="ignore", divide="ignore"):
                    slope = np.nan_to_num((ends[0] - ends[1]) / (2 * nudge), posinf=0.0, neginf=0.0)
                found[:, self.places[:, i] == place] += t.sign * slope[:, None]
        share = weights / totals[:, self.stratum]
        for s in range(len(self.sizes)):
            inside = self.stratum == s
            found[:, inside] -= (share[:, inside] * found[:, inside]).sum(1)[:, None]
        return np.asarray(np.sqrt((weights * found**2).sum(1)))

    def simulated(self, share: Array, size: int, rng: np.random.Generator) -> Array:
        step, parts, draws = max(1, STACK_CELLS // self.K**2), [], self._draws(share)
        for start in range(0, size, step):
            stacks = self._drawn(draws, min(step, size - start), rng)
            scores = [t.sign * np.asarray(t.kernel(stack)) for t, stack in zip(self.terms, stacks, strict=True)]
            parts.append(np.sum(scores, 0))
        return np.concatenate(parts)

    def _draws(self, share: Array) -> list[Draw]:
        """How to draw from every stratum: the many cells that hold few rows as one, whose rows are then put into their cells."""
        share = np.where(share > 0, np.exp(np.round(np.log(np.maximum(share, 1e-300)), DIGITS)), 0.0)
        found = []
        for stratum, rows in enumerate(self.sizes.tolist()):
            inside = np.flatnonzero((self.stratum == stratum) & (share > 0))
            order = inside[np.argsort(-share[inside], kind="stable")]
            common = int(np.count_nonzero(share[order] * rows >= 0.5)) if len(order) > 16 else len(order)
            often, seldom = order[:common], order[common:]
            chances = np.append(share[often], share[seldom].sum())
            found.append(Draw(rows, often, chances / chances.sum(), seldom, np.cumsum(share[seldom])))
        return found

    def _drawn(self, draws: Sequence[Draw], size: int, rng: np.random.Generator) -> list[Array]:
        """Simulated tables, (size, K, K) for each term; they lie side by side in memory, so kernels run along them."""
        cells = self.K**2 + 1
        stacks = [np.zeros((cells, size)) for _ in self.terms]
        rare: list[tuple[Array, Array]] = []
        for draw in draws:
            drawn = rng.multinomial(draw.rows, draw.chances, size)
            for stack, places in zip(stacks, self.places.T, strict=True):
                if len(self.terms) == 1:  # every cell of the space is one of the table
                    stack[places[draw.often]] = drawn[:, :-1].T
                else:
                    stack += _indicator(places[draw.often], cells) @ drawn[:, :-1].T.astype(float)
            if len(draw.seldom):
                left = drawn[:, -1]
                at = np.searchsorted(draw.edges, rng.random(int(left.sum())) * draw.edges[-1])
                rare.append((draw.seldom[at.clip(max=len(draw.seldom) - 1)], np.repeat(np.arange(size), left)))
        if rare:
            which, sample = (np.concatenate(parts) for parts in zip(*rare, strict=True))
            for stack, places in zip(stacks, self.places.T, strict=True):
                np.add.at(stack.reshape(-1), places[which] * size + sample, 1.0)
        return [np.moveaxis(stack[:-1].reshape(self.K, self.K, size), -1, 0) for stack in stacks]


@dataclass(frozen=True)
class Draw:
    """How samples of one stratum are drawn."""

    rows: int
    often: Array  #: cells that are drawn each
    chances: Array  #: theirs, and that of all others together
    seldom: Array  #: cells whose rows are drawn one by one
    edges: Array  #: their shares, added up


def _indicator(places: Array, height: int) -> Any:
    """A sparse matrix (height, columns) with a one in each column, in the given row."""
    from scipy import sparse

    return sparse.csr_matrix((np.ones(len(places)), (places, np.arange(len(places)))), shape=(height, len(places)))


@dataclass(frozen=True)
class Clusters:
    """What each cluster adds to the cells of a space, and how large it is; a weighted row is a cluster of its own."""

    adds: Any  #: sparse, (clusters, cells)
    weighted_rows: bool  #: each holds a single row

    @property
    def sizes(self) -> Array:
        return np.asarray(self.adds.sum(1)).ravel()

    @property
    def number(self) -> int:
        """How many have an answered row."""
        return int(np.count_nonzero(self.sizes))

    @property
    def effective(self) -> float:
        """As good as how many of equal size."""
        sizes = self.sizes
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    def rows(self, space: Space, tail: float, *, student: bool = True) -> float:
        """As good as how many independent rows these are for a score: by the design effect at the smoothed sample."""
        influence, _ = space.influence(space.start)
        effect = self.effect(influence, space.number, space.pseudo)
        if self.weighted_rows:
            return self.number / effect
        factor = 1.0
        if student:
            from scipy.special import stdtrit

            factor = (NORMAL.inv_cdf(1 - tail) / float(stdtrit(self.effective - 1, 1 - tail))) ** 2
        return float(space.number.sum()) / effect * factor

    def effect(self, influence: Array, number: Array, pseudo: Array) -> float:
        """The design effect: how much more a score varies than if the rows (so many in each cell) were independent; never less.

        It is seen in the clusters that change the score.  Where there are few of them, or none, it is not known whether such
        changes come row by row or a cluster at a time: then it is nearly that of clusters whose rows are all alike.
        """
        sizes = self.sizes
        change = np.asarray(self.adds @ influence).ravel()[sizes > 0]
        spread = (change - change.mean()) ** 2
        between = len(change) / max(1, len(change) - 1) * float(spread.sum())
        added = float((pseudo * influence**2).sum())
        within = float((number * influence**2).sum()) + added
        if self.weighted_rows:
            floor = len(change) / self.effective
            return max(floor, between / within) if within > 0 else floor
        if not within > 0:
            return 1.0
        seen = max(1.0, between / within)
        total, fourth = float(spread.sum()), float((spread**2).sum())
        beyond = fourth - 3 * total**2 / len(spread)  # of rare changes alike; none where many add up to a normal distribution
        alike = float((sizes**2).sum() / sizes.sum())
        shown = float((spread * np.minimum(sizes[sizes > 0] / alike, 1)).sum())  # a small cluster tells little about large ones
        events = min(total**2 / beyond if beyond > 0 else math.inf, float(number.sum())) * (shown / (total + added)) ** 2
        return max(seen, (events * seen + UNSEEN * alike) / (events + UNSEEN))


class TableSample:
    """The rows of one model, or of two, as cells; what spaces for scores are made from."""

    def __init__(self, counts: Counts, models: Sequence[str] | None = None) -> None:
        self.counts, self.models = counts, tuple(models or counts.models)
        self.K = counts.scale.K
        if counts.weighted and counts.cluster is None:
            raise rows_are_lost("rows", "cells")
        columns = [counts.axes.index(axis) for axis in ("true", *self.models)]
        answered = (counts.cells[:, columns] >= 0).all(1)
        cells, self.weights = counts.cells[answered][:, columns].astype(np.int64), counts.weights[answered].astype(float)
        self.true = cells[:, 0]
        self.pattern = np.ravel_multi_index(tuple(cells.T), (self.K,) * cells.shape[1])
        self.answered = answered
        self._unit = None
        self.weighted_rows = False
        if counts.cluster is not None:
            column = counts.cells[answered, counts.axes.index(counts.cluster)]
            self._unit = np.unique(column, return_inverse=True)[1].reshape(-1)
            rows = counts.row_counts
            self.weighted_rows = rows is not None and bool((np.bincount(self._unit, rows[answered]) == 1).all())
        if self.weighted_rows:  # weights say how much rows count beside each other, not how many there are
            self.weights *= len(self.weights) / self.weights.sum()

    @property
    def rows(self) -> float:
        return float(self.weights.sum())

    @property
    def truths(self) -> Array:
        """(K,) rows of every class of the scale."""
        return np.bincount(self.true, self.weights, minlength=self.K)

    def cells(self) -> Array:
        """The cells of a space, (cells, 1 + models): all of those whose truth occurs; of many classes and two models, fewer."""
        k, models = self.K, len(self.models)
        if models == 1:
            return np.stack(np.unravel_index(np.arange(k * k), (k, k)), -1)
        occurs = np.flatnonzero(self.truths)
        if k <= ALL_CELLS:
            grid = np.stack(np.meshgrid(occurs, np.arange(k), np.arange(k), indexing="ij"), -1)
            return grid.reshape(-1, 3)
        true, other = (part.ravel() for part in np.meshgrid(occurs, np.arange(k), indexing="ij"))
        one_wrong = np.concatenate([np.stack([true, true, other], -1), np.stack([true, other, true], -1)])
        seen = np.stack(np.unravel_index(np.unique(self.pattern), (k,) * 3), -1)
        return np.unique(np.concatenate([seen, one_wrong]), axis=0)

    def space(self, terms: Sequence[Term], pseudo: float, *, by_class: bool = False) -> TableSpace:
        """The space of a score: with class sizes held fixed, or all rows together."""
        cells, k = self.cells(), self.K
        number = np.bincount(self.places(cells), self.weights, minlength=len(cells))
        places = cells[:, :1] * k + cells[:, 1:]
        added = np.full(len(cells), pseudo / len(cells))
        if len(self.models) > 1 and k > ALL_CELLS:
            added = np.where(number > 0, 0.0, pseudo / max(1, int((number == 0).sum())))
        return TableSpace(terms, places, k, number, added, stratum=cells[:, 0] if by_class else None)

    def places(self, cells: Array) -> Array:
        """In which of these cells each row lies."""
        pattern = np.ravel_multi_index(tuple(cells.T), (self.K,) * cells.shape[1])
        order = np.argsort(pattern)
        found: Array = order[np.searchsorted(pattern[order], self.pattern)]
        return found

    def clusters(self, cells: Array | None = None) -> Clusters | None:
        """The clusters over the cells of a space, where there are some."""
        if self._unit is None:
            return None
        from scipy import sparse

        cells = self.cells() if cells is None else cells
        shape = (int(self._unit.max(initial=-1)) + 1, len(cells))
        return Clusters(sparse.csr_matrix((self.weights, (self._unit, self.places(cells))), shape=shape), self.weighted_rows)


def term(metric: Metric, counts: Counts, sign: int = 1) -> Term:
    return Term(metric.bind(counts), sign, "whole counts" in metric.needs)


@dataclass(frozen=True)
class ClassLimits:
    """The least or greatest of class scores: every class by itself."""

    highest: bool  #: the score is the greatest of the classes, not the least
    spaces: tuple[TableSpace, ...]
    values: tuple[float, ...]
    shares: tuple[bool, ...]  #: the class's score is a share of its rows


def class_limits(metric: Metric, sample: TableSample) -> ClassLimits:
    """Each class as a sample of its own: the score of a table with one class is that class's."""
    k, scale = sample.K, sample.counts.scale
    matrix = sample.counts.matrix.astype(float)
    spaces, values, shares = [], [], []
    for t in range(k):
        alone = np.zeros((k, k))
        alone[t] = matrix[t]
        part = Counts.from_matrix(alone, labels=scale)
        one = term(metric, part)
        ones = np.zeros((k, k, k))
        ones[np.arange(k), t, np.arange(k)] = 1
        of_rows = one.at(ones)
        places = (t * k + np.arange(k))[:, None]
        spaces.append(TableSpace([one], places, k, matrix[t], np.full(k, 1.0 / k)))
        values.append(float(one.at(alone[None])[0]))
        shares.append(
            bool(np.isin(of_rows, (0, 1)).all()) and math.isclose(values[-1], float(of_rows @ matrix[t] / matrix[t].sum()))
        )
    if k == 1:
        return ClassLimits(True, tuple(spaces), tuple(values), tuple(shares))
    probe = np.eye(k)
    probe[0] = np.eye(k)[-1]  # one class as wrong as possible, the others right
    whole = float(metric.bind(Counts.from_matrix(probe, labels=scale))(probe[None])[0])
    only = np.zeros((k, k))
    only[0] = probe[0]
    wrong = float(metric.bind(Counts.from_matrix(only, labels=scale))(only[None])[0])
    only = np.zeros((k, k))
    only[1] = probe[1]
    right = float(metric.bind(Counts.from_matrix(only, labels=scale))(only[None])[0])
    return ClassLimits(math.isclose(whole, max(wrong, right)), tuple(spaces), tuple(values), tuple(shares))
