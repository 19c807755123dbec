"""Scores of sums as spaces: every kind of unit adds to some sums, and the score is a function of them.

The items of several raters are such units: an item matters by its pattern of ratings.  So are the rows of two samples that are drawn
apart, each a stratum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.infer._conditions import OTHERWISE
from ordeval.infer._row_space import LARGE, SPREAD
from ordeval.infer._tables import STACK_CELLS, nudges
from ordeval.infer._units import Statistic
from ordeval.infer._walk import NORMAL, Space

FEWEST_ITEMS = OTHERWISE
ALTERNATIVES = 200_000  # with more, so many patterns were seen that one item of others changes nothing
OFTEN = 0.25  # units of a kind in a sample: rarer kinds are drawn as one, and then told apart
GUIDES = 8_192  # places from which a search among shares begins
ONE_BY_ONE = 6  # units for each kind: with fewer, drawing them one by one is faster than drawing their numbers


def too_few(items: float, which: str = "items") -> str:
    """Why there is no interval: the sentence of the conditions, for items."""
    return f"{items:,.0f} {which}; {FEWEST_ITEMS} are enough"


class SumSpace(Space):
    """Kinds of unit that add to sums, and a score of those sums."""

    def __init__(
        self,
        score: Statistic,
        adds: Any,
        number: Array,
        pseudo: Array,
        *,
        stratum: Array | None = None,
        of_mixes: Statistic | None = None,
    ) -> None:
        """``adds`` (cells, sums), sparse, is what a unit of each kind adds; ``score`` is of a stack of sums (b, sums).

        ``of_mixes`` is the same score where the sums need not be those of whole units, if that is another function.
        """
        stratum = np.zeros(len(number), int) if stratum is None else stratum
        first, kind = _alike(adds, stratum)
        self.score, self.adds = score, adds[first].tocsr()
        self._of_mixes = score if of_mixes is None else of_mixes
        self._sums = self.adds.T.tocsr()
        self.number, self.pseudo = (np.bincount(kind, weights) for weights in (number, pseudo))
        self.stratum = stratum[first]
        self.sizes = np.rint(np.bincount(self.stratum, self.number)).astype(int)

    def sums(self, weights: Array) -> Array:
        """(sums,) of a mix."""
        return np.asarray(self._sums @ weights)

    def value(self, weights: Array) -> float:
        return float(self._of_mixes(self.sums(weights)[None])[0])

    def slope(self, weights: Array) -> Array:
        """By the chain rule: how fast the score changes with every sum, by central differences, times what a unit adds to it."""
        sums = self.sums(weights)
        used = np.flatnonzero(sums)
        found, (up, down) = np.zeros(len(sums)), nudges(sums)
        step = max(1, STACK_CELLS // len(sums))
        for start in range(0, len(used), step):
            chosen = used[start : start + step]
            one = np.zeros((len(chosen), len(sums)))
            one[np.arange(len(chosen)), chosen] = 1.0
            with np.errstate(invalid="ignore"):
                change = self._of_mixes(sums + one * up) - self._of_mixes(sums - one * down)
                found[chosen] = change / (up + down)[chosen]
        return np.asarray(self.adds @ np.nan_to_num(found, posinf=0.0, neginf=0.0))

    def simulated(self, share: Array, size: int, rng: np.random.Generator) -> Array:
        step = max(1, STACK_CELLS // self.adds.shape[1])
        return np.concatenate([self.score(self._drawn(share, min(step, size - start), rng)) for start in range(0, size, step)])

    def _drawn(self, share: Array, size: int, rng: np.random.Generator) -> Array:
        """Sums (size, sums) of simulated samples: the many kinds that hold few units are drawn as one, and its units then told apart."""
        from scipy import sparse

        found = np.zeros((self.adds.shape[1], size))
        for stratum, units in enumerate(self.sizes.tolist()):
            inside = np.flatnonzero((self.stratum == stratum) & (share > 0))
            often = inside[share[inside] * units >= OFTEN]
            seldom = inside[share[inside] * units < OFTEN]
            rest = share[seldom].sum()
            left = rng.binomial(units, min(1.0, rest / share[inside].sum()), size) if len(often) else np.full(size, units)
            if len(often):
                found += self._sums[:, often] @ _tallied(share[often], units - left, rng)
            if len(seldom):
                ends = np.concatenate([[0], np.cumsum(left)])
                which = _chosen(share[seldom], int(ends[-1]), rng)
                picked = sparse.csr_matrix((np.ones(len(which)), which, ends), shape=(size, len(seldom)))
                found += (picked @ self.adds[seldom]).toarray().T
        return found.T

    def tail(self, share: Array, observed: float, sign: int, size: int, rng: np.random.Generator) -> float:
        units = int(self.sizes.sum())
        if units > LARGE and len(self.sizes) == 1:
            influence, error = self.influence(share)
            second, fourth = float((share * influence**2).sum()), float((share * influence**4).sum())
            if error > 0 and units * second**2 >= SPREAD * fourth:
                return NORMAL.cdf(sign * (observed - self.value(self.expected(share))) / error)
        return super().tail(share, observed, sign, size, rng)


def _chosen(share: Array, number: int, rng: np.random.Generator) -> Array:
    """So many draws of a kind, one by one: a search among the summed shares that begins near its end."""
    edges = np.cumsum(share / share.sum())
    edges[-1] = 1.0
    at = rng.random(number)
    found: Array = np.searchsorted(edges, np.arange(GUIDES) / GUIDES)[(at * GUIDES).astype(np.intp)]
    late = np.flatnonzero(edges[found] < at)
    while late.size:
        found[late] += 1
        late = late[edges[found[late]] < at[late]]
    return found


def _tallied(share: Array, units: Array, rng: np.random.Generator) -> Array:
    """(kinds, samples): how many of each kind samples hold, of so many units each."""
    size = len(units)
    if units.mean() > ONE_BY_ONE * len(share):
        return rng.multinomial(units, share / share.sum()).T.astype(float)
    which = _chosen(share, int(units.sum()), rng)
    sample = np.repeat(np.arange(size), units)
    return np.bincount(which * size + sample, minlength=len(share) * size).reshape(len(share), size).astype(float)


def _alike(adds: Any, stratum: Array) -> tuple[Array, Array]:
    """One of each kind of unit that adds the same, and the kind of each: for many scores it does not matter who gave which rating."""
    key = np.asarray(
        adds @ np.random.default_rng(0).random(adds.shape[1])
    )  # equal where what is added is equal, and by chance never
    _, first, kind = np.unique(np.stack([stratum, key]), axis=1, return_index=True, return_inverse=True)
    return first, kind.reshape(-1)


def with_alternatives(codes: Array, number: Array, k: int, pseudo: float) -> tuple[Array, Array, Array]:
    """Patterns of ratings, how often each was seen, and what smoothing adds to each.

    Two raters without gaps: the same for every cell of their table.  Otherwise, as in that table, a K-th goes to items on which all are
    agreed, evenly over the classes, and the rest to what one rating otherwise would have made of a seen item.  Gaps stay gaps.
    """
    if codes.shape[1] == 2 and (codes >= 0).all():
        cells = np.stack(np.unravel_index(np.arange(k * k), (k, k)), -1)
        return cells, np.bincount(codes[:, 0] * k + codes[:, 1], number, minlength=k * k), np.full(k * k, pseudo / k**2)
    item, rater = np.nonzero(codes >= 0)
    if len(item) * (k - 1) > ALTERNATIVES or k < 2:
        return codes, number, np.zeros(len(number))
    item, rater = np.repeat(item, k - 1), np.repeat(rater, k - 1)
    moved = codes[item].copy()
    moved[np.arange(len(item)), rater] += np.tile(np.arange(1, k), len(item) // (k - 1))
    moved[np.arange(len(item)), rater] %= k
    alike = np.concatenate([np.where(codes >= 0, c, -1) for c in range(k)])
    cells, place = np.unique(np.concatenate([codes, moved, alike]), axis=0, return_inverse=True)
    seen, one, all_of_them = (
        np.bincount(at, weight / weight.sum(), minlength=len(cells))
        for at, weight in zip(
            np.split(place.reshape(-1), [len(codes), len(codes) + len(moved)]),
            (number, number[item], np.tile(number, k)),
            strict=True,
        )
    )
    return cells, np.rint(seen * number.sum()), pseudo * ((1 - 1 / k) * one + all_of_them / k)
