"""What every coefficient of agreement is made from: sums over items, and the patterns of ratings that add to them.

An item matters only by its pattern of ratings, so a million items are a few thousand patterns and how often each occurs.  The sums
are linear in those numbers: a bootstrap over items is one multinomial draw and one product, leaving an item out is one subtraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.lazy import lazy
from ordeval.counts import Counts
from ordeval.infer._units import DRAW_BYTES, STACK_BYTES, Statistic, Units
from ordeval.raters._ratings import raters_of

CROSSED_BYTES = 1 << 24  # arrays of (replicates, patterns, classes) while raters are resampled


@dataclass(frozen=True)
class Sums:
    """Sums over the items of each sample in a stack; (b, ...) each.  `times` says how often each rater is in the sample."""

    average: Array  #: (b, K, K) ordered pairs of ratings of an item, each item adding 1 in all
    coincidences: Array  #: (b, K, K) the same, each item adding the number of its ratings
    shares: Array  #: (b, K) the classes of an item's ratings, each item adding 1 in all
    rated: Array  #: (b,) items with a rating
    paired: Array  #: (b,) items with two ratings or more
    margins: Array  #: (b, R, K) what each rater gave
    tables: Array  #: (b, pairs, K, K) what two raters gave the same items
    complete: Array  #: (b,) items that everybody rated
    complete_margins: Array  #: (b, R, K) what each rater gave them
    complete_tables: Array  #: (b, pairs, K, K)
    times: Array  #: (b, R)

    @property
    def pair_times(self) -> Array:
        """(b, pairs) how often each pair of different raters is in the sample."""
        first, second = np.triu_indices(self.times.shape[-1], 1)
        pairs: Array = self.times[:, first] * self.times[:, second]
        return pairs

    def mean_over_raters(self, values: Array) -> Array:
        """(b, R) to (b,)."""
        return ratio((self.times * values).sum(-1), self.times.sum(-1))

    def mean_over_pairs(self, values: Array) -> Array:
        """(b, pairs) to (b,); a rater drawn twice makes no pair with itself."""
        return ratio(np.where(self.pair_times > 0, self.pair_times * values, 0).sum(-1), self.pair_times.sum(-1))


PARTS = tuple(part.name for part in fields(Sums))[:-1]  # in the order in which they stand in a stack


class Patterns(Units):
    """Items by their pattern of ratings as units: how often each occurs, and what one of them adds to some sums (patterns, sums)."""

    def __init__(self, number: Array, adds: Any) -> None:
        from scipy import sparse

        self.number, self.clustered, self.models, self.K = number.astype(float), False, (), 0
        self.stratum = np.zeros(len(number), int)
        self.adds = sparse.csr_matrix(adds)
        self._tables = self.adds.T.tocsr()

    def stack(self, weights: Array) -> Array:
        """The sums (b, all of them in a row) of samples that hold each pattern as often as the weights (b, patterns) say."""
        return np.asarray((self._tables @ np.ascontiguousarray(weights.T, float)).T)

    def chunks(self, size: int) -> Iterator[slice]:
        step = max(1, min(4 * STACK_BYTES // (8 * self.adds.shape[1]), DRAW_BYTES // (8 * len(self.number))))
        return (slice(start, min(start + step, size)) for start in range(0, size, step))

    @lazy
    def whole(self) -> Array:
        """The sums of the sample itself, (1, sums)."""
        return self.stack(self.number[None])

    def _shifted(self, statistic: Statistic, by: Array) -> Array:
        """The statistic with each pattern's number changed by an amount of its own: no product over all patterns is needed."""
        parts = [statistic(self.whole + by[chunk, None] * self.adds[chunk].toarray()) for chunk in self.chunks(len(self.number))]
        return np.concatenate(parts)

    def left_out(self, statistic: Statistic) -> Array:
        return self._shifted(statistic, -np.ones(len(self.number)))

    def influence(self, statistic: Statistic) -> Array:
        step = 1e-4 * self.number
        change = self._shifted(statistic, step) - self._shifted(statistic, -step)
        slope: Array = change / (2 * step).reshape(-1, *[1] * (change.ndim - 1))
        return slope


class RatedItems(Patterns):
    """Patterns with the sums that coefficients of agreement are made from."""

    def __init__(self, codes: Array, number: Array, k: int) -> None:
        self.codes, self.R = codes, codes.shape[1]
        pairs = self.R * (self.R - 1) // 2
        sizes = [k * k, k * k, k, 1, 1, self.R * k, pairs * k * k, 1, self.R * k, pairs * k * k]
        self.ends = np.cumsum([0, *sizes])
        super().__init__(number, _what_each_adds(codes, self.R, k, self.ends))
        self.K = k

    @classmethod
    def of(cls, counts: Counts) -> RatedItems:
        """The rated items of some counts, after a look that something can be said about them."""
        raters = raters_of(counts)
        rated = (counts.cells >= 0).any(1)
        codes, number = counts.cells[rated], counts.weights[rated]
        if not rated.any():
            raise ValueError("nobody rated any item; there is nothing to agree on")
        if number.sum() < 2:
            raise ValueError("there is one item, and agreement is measured over items; two or more are needed")
        _refuse_strangers(codes, raters)
        return cls(codes, number, counts.scale.K)

    @property
    def comparable(self) -> int:
        """Items with two ratings or more."""
        return int(self.number[(self.codes >= 0).sum(1) > 1].sum())

    @property
    def complete(self) -> int:
        """Items that everybody rated."""
        return int(self.number[(self.codes >= 0).all(1)].sum())

    def without(self, rater: int) -> RatedItems:
        """The same items, pattern by pattern, when one rater had not been there."""
        return RatedItems(np.delete(self.codes, rater, 1), self.number, self.K)

    def sums(self, stack: Array, times: Array | None = None, only: Sequence[str] = PARTS) -> Sums:
        """The sums by name; where the stack has only some of them, the others are 0."""
        b, k, parts, start = len(stack), self.K, [], 0
        pairs = self.R * (self.R - 1) // 2
        shapes: list[tuple[int, ...]] = [
            *[(b, k, k)] * 2, (b, k), (b,), (b,), (b, self.R, k), (b, pairs, k, k), (b,), (b, self.R, k), (b, pairs, k, k)
        ]  # fmt: skip
        for name, shape, size in zip(PARTS, shapes, np.diff(self.ends).tolist(), strict=True):
            if name in only:
                parts.append(stack[:, start : start + size].reshape(shape))
                start += size
            else:
                parts.append(np.broadcast_to(0.0, shape))
        parts.append(np.ones((b, self.R)) if times is None else times)
        return Sums(*parts)

    def adds_to(self, only: Sequence[str]) -> Any:
        """Sparse (patterns, sums): what one item of each pattern adds to the sums of these names."""
        columns = [np.arange(*self.ends[i : i + 2]) for i, name in enumerate(PARTS) if name in only]
        return self.adds[:, np.concatenate(columns)]

    def with_raters(self, weights: Array, times: Array) -> Sums:
        """The sums of samples of items (b, patterns) and of raters (b, R), chunk by chunk small enough for memory.

        A rater who is in a sample twice counts twice, and makes no pair with itself: raters agree with themselves.
        """
        b, k = len(weights), self.K
        sums = self.sums(self.stack(weights), times)
        step = max(1, CROSSED_BYTES // (8 * len(self.number) * k))
        average, coincidences, shares = np.zeros((b, k, k)), np.zeros((b, k, k)), np.zeros((b, k))
        rated, paired = np.zeros(b), np.zeros(b)
        for start in range(0, b, step):
            part = slice(start, min(start + step, b))
            given, squares = (self._of_classes(t) for t in (times[part], times[part] ** 2))
            ratings = given.sum(-1)
            pairs = ratings**2 - squares.sum(-1)
            one = np.where(ratings > 0, weights[part], 0)
            two = np.where(pairs > 0, weights[part] / np.maximum(pairs, 1), 0)
            for table, weight in ((average, two), (coincidences, two * ratings)):
                table[part] = np.einsum("bp,bpk,bpl->bkl", weight, given, given, optimize=True)
                table[part, np.arange(k), np.arange(k)] -= np.einsum("bp,bpk->bk", weight, squares)
            shares[part] = np.einsum("bp,bpk->bk", one / np.maximum(ratings, 1), given)
            rated[part], paired[part] = one.sum(1), np.where(pairs > 0, weights[part], 0).sum(1)
        return replace(sums, average=average, coincidences=coincidences, shares=shares, rated=rated, paired=paired)

    def _of_classes(self, times: Array) -> Array:
        """(b, patterns, K): how many ratings of each class a pattern has when each rater counts so many times."""
        return np.stack([times @ (self.codes == k).T.astype(float) for k in range(self.K)], -1)


def _what_each_adds(codes: Array, raters: int, k: int, ends: Array) -> Any:
    """Sparse (patterns, sums): what one item of each pattern adds."""
    from scipy import sparse

    rows, columns, values = [], [], []

    def add(column: Array | int, value: Array, at: Array | None = None) -> None:
        """Values of all patterns, or of those at some places, to one column, or to a column each."""
        places = np.flatnonzero(value) if at is None else at
        if places.size:
            rows.append(places)
            columns.append(np.broadcast_to(column, places.shape) if np.ndim(column) == 0 else np.asarray(column))
            values.append(value[places] if at is None else value)

    given = np.stack([(codes == c).sum(1) for c in range(k)], 1)
    number = given.sum(1)
    pairs = number * (number - 1)
    for c in range(k):
        for d in range(k):
            together = given[:, c] * (given[:, d] - (c == d))
            add(ends[0] + c * k + d, np.where(pairs > 0, together / np.maximum(pairs, 1), 0))
            add(ends[1] + c * k + d, np.where(pairs > 0, together / np.maximum(number - 1, 1), 0))
        add(ends[2] + c, given[:, c] / np.maximum(number, 1))
    add(ends[3], (number > 0).astype(float))
    add(ends[4], (number > 1).astype(float))
    everybody = (codes >= 0).all(1)
    add(ends[7], everybody.astype(float))
    for g in range(raters):
        for start, here in ((ends[5], codes[:, g] >= 0), (ends[8], everybody)):
            at = np.flatnonzero(here)
            add(start + g * k + codes[at, g], np.ones(at.size), at)
    for i, (g, h) in enumerate(combinations(range(raters), 2)):
        for start, here in ((ends[6], (codes[:, g] >= 0) & (codes[:, h] >= 0)), (ends[9], everybody)):
            at = np.flatnonzero(here)
            add(start + (i * k + codes[at, g]) * k + codes[at, h], np.ones(at.size), at)
    places = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix((np.concatenate(values), places), shape=(len(codes), int(ends[-1])))


def _refuse_strangers(codes: Array, raters: tuple[str, ...]) -> None:
    """Refuse a rater who gave nothing, or who shares no item with anybody."""
    here = codes >= 0
    several = here.sum(1) > 1
    for g, name in enumerate(raters):
        if not here[:, g].any():
            raise ValueError(f"rater {name!r} gave no rating; leave this rater out")
        if not (here[:, g] & several).any():
            raise ValueError(
                f"rater {name!r} shares no item with any other rater, so nothing can be said about their agreement; "
                "leave this rater away, or have some items rated twice"
            )


Kernel = Callable[[Sums], Array]  # (b,)
