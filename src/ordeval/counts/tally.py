"""How often does each combination of small codes occur?  The only pass over rows in the package.

Rows are never sorted.  Two columns of class codes take the packed pass (chunks that stay in the cache, several rows
per histogram increment); everything else combines its columns code by code and squeezes out the combinations nobody used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordeval.base.arrays import Array

CHUNK = 1 << 15  # rows per histogram call: the codes stay in the second-level cache
PACKED_BINS = 1 << 15  # several rows share one increment while the histogram itself stays in the first-level cache
TABLE_BINS = 1 << 22  # combinations of codes worth a table of their own before unused ones are squeezed out
LARGEST = 2**63 - 1


def count_pairs(first: Array, second: Array, k: int, offsets: tuple[int, int] = (0, 0)) -> Array | None:
    """Count pairs of integer codes into a (K, K) table of int64; None if any code is outside 0..K-1.

    Both columns are arrays of integers; their codes are the values less the offset.  The range is checked while the chunk
    is in the cache: seen as unsigned, a negative code is a huge one, so a single maximum serves both ends.
    """
    cells = k * k
    per_bin = 1
    while per_bin < first.size // CHUNK and cells ** (per_bin + 1) <= PACKED_BINS:
        per_bin += 1
    narrow = np.min_scalar_type(cells - 1)
    packed = np.min_scalar_type(cells**per_bin - 1)
    step = per_bin * CHUNK
    chunk_first, chunk_second = (_ChunkReader(c, o, k, step, narrow) for c, o in zip((first, second), offsets, strict=True))
    bins = np.empty(CHUNK, packed)
    histogram = np.zeros(cells**per_bin, np.int64)
    table = np.zeros(cells, np.int64)
    for start in range(0, first.size, step):
        high, low = chunk_first.read(start), chunk_second.read(start)
        if high is None or low is None:
            return None
        np.multiply(high, k, out=high)
        np.add(high, low, out=high)
        if high.size < step:  # the tail, row by row
            table += np.bincount(high, minlength=cells)
            continue
        np.copyto(bins, high[:CHUNK])
        for i in range(1, per_bin):
            np.multiply(bins, cells, out=bins)
            np.add(bins, high[i * CHUNK : (i + 1) * CHUNK], out=bins)
        histogram += np.bincount(bins, minlength=histogram.size)
    digits = histogram.reshape((cells,) * per_bin)
    for i in range(per_bin):
        table += digits.sum(tuple(j for j in range(per_bin) if j != i))
    return table.reshape(k, k)


class _ChunkReader:
    """Reads an integer column chunk by chunk into narrow codes, checking their range on the way."""

    def __init__(self, column: Array, offset: int, k: int, step: int, narrow: np.dtype[np.generic]) -> None:
        unsigned = np.dtype(f"u{column.dtype.itemsize}")
        self.column = column.view(unsigned)
        self.offset = unsigned.type(offset % (1 << 8 * unsigned.itemsize))  # two's complement: wraps as it should
        self.k, self.step = k, step
        self.shifted = np.empty(min(step, column.size), unsigned)
        self.codes = np.empty(min(step, column.size), narrow)

    def read(self, start: int) -> Array | None:
        chunk = self.column[start : start + self.step]
        if self.offset:
            chunk = np.subtract(chunk, self.offset, out=self.shifted[: chunk.size])
        if chunk.max() >= self.k:
            return None
        codes = self.codes[: chunk.size]
        np.copyto(codes, chunk, casting="unsafe")
        return codes


def tally(columns: Sequence[Array], sizes: Sequence[int], weights: Array | None = None) -> tuple[Array, Array]:
    """Distinct rows of code columns and their weight: (cells, axes) sorted by code, and (cells,) int64 or float64.

    Codes of a column with size s are -1 (nothing there) to s-1.  Integer weights are added as integers.
    """
    n = columns[0].size
    if n == 0:
        empty = np.zeros(0, np.int64 if weights is None else weights.dtype)
        return np.zeros((0, len(columns)), np.int64), empty
    key, size = np.zeros(n, np.int64), 1
    used = np.zeros((1, 0), np.int64)  # the combination of codes behind each value of the key
    for column, codes in zip(columns, sizes, strict=True):
        key = key * (codes + 1) + (column.astype(np.int64) + 1)
        key, distinct = _squeeze(key, size * (codes + 1))
        used = np.column_stack([used[distinct // (codes + 1)], distinct % (codes + 1) - 1])
        size = len(used)
    return used, _add_up(key, size, weights)


def _squeeze(key: Array, size: int) -> tuple[Array, Array]:
    """Renumber the keys that occur as 0, 1, 2 …, in their order; say which they were."""
    if size <= max(TABLE_BINS, 4 * key.size):
        seen = np.zeros(size, bool)
        seen[key] = True
        distinct = np.flatnonzero(seen)
        position = np.cumsum(seen) - 1
        return position[key], distinct
    # Nearly every row is its own combination: a table would be larger than the data, so here sorting is the cheap way.
    distinct, renumbered = np.unique(key, return_inverse=True)
    return renumbered, distinct


def _add_up(key: Array, size: int, weights: Array | None) -> Array:
    if weights is None:
        return np.bincount(key, minlength=size)
    if weights.dtype.kind == "f":
        return np.bincount(key, weights, minlength=size)
    if float(weights.sum(dtype=float)) > LARGEST:
        raise ValueError("the weights add up to more than 2**63 - 1, the largest count that is exact; scale them down")
    sums = np.zeros(size, np.int64)
    np.add.at(sums, key, weights)
    return sums
