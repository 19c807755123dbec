"""Values into codes: the distinct values of a column in the order in which they come, and which of them each row holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array

FEW = 128  # different texts that fit a byte with a sign
CHUNK = 1 << 13  # rows of fixed-length texts that stay in the cache


class _Numbering(dict[Any, int]):
    """Gives each new key the next number."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


def codes_by_hash(data: Sequence[Any]) -> tuple[Array, tuple[Any, ...]]:
    """Codes of any values that can be hashed."""
    numbering = _Numbering()
    codes = np.fromiter(map(numbering.__getitem__, data), np.int32, len(data))
    return codes, tuple(str(key) if isinstance(key, str) else key for key in numbering)


class _Bail(Exception):  # noqa: N818 - it never leaves this file
    """A column is not what the short way takes; the long way looks at it."""


class _TextNumbering(_Numbering):
    """Gives each new text, and None, the next number.  No other label equals a text, so all others come by here and are refused."""

    def __missing__(self, key: Any) -> int:
        if (not isinstance(key, str) and key is not None) or len(self) == FEW:
            raise _Bail
        return super().__missing__(key)


def few_texts(data: Sequence[Any]) -> tuple[Array, tuple[str, ...]] | None:
    """Codes of texts and gaps in a single pass, -1 for a gap, if the texts are few; None if anything else is among them."""
    if not len(data) or not isinstance(data[0], (str, type(None))):
        return None
    numbering = _TextNumbering()
    try:
        codes = np.frombuffer(bytes(map(numbering.__getitem__, data)), np.int8)
    except (_Bail, TypeError):  # also what cannot be hashed
        return None
    gap = numbering.pop(None, None)
    values = tuple(map(str, numbering))
    return (codes if gap is None else np.insert(np.arange(len(values)), gap, -1)[codes]), values


def few_fixed_texts(array: Array) -> tuple[Array, tuple[str, ...]] | None:
    """Codes of an array of fixed-length texts and their values, if they are few; no text becomes a Python object.

    A row is as many machine words as it is long.  They are mixed to one number a row, which is compared with those of the
    values found so far; then each row is compared with its value, so that two values with one number are noticed.
    """
    width = array.dtype.itemsize
    if not array.size or not width or len(set(array[:1_000].tolist())) > FEW:
        return None
    word = np.dtype(np.uint64 if width % 8 == 0 else np.uint32)
    rows = native(array).view(word).reshape(array.size, width // word.itemsize)
    factors = np.random.default_rng(0).integers(1 << 63, size=(rows.shape[1], 1), dtype=np.uint64) | np.uint64(1)
    codes = np.full(array.size, -1, np.int8)
    first: list[int] = []  # where each value stands first
    numbers: list[Any] = []
    for start in range(0, array.size, CHUNK):
        words, here = np.ascontiguousarray(rows[start : start + CHUNK].T), codes[start : start + CHUNK]
        mixed = (words * factors).sum(0)
        for code, number in enumerate(numbers):
            np.copyto(here, code, where=mixed == number)
        while (unknown := here < 0).any():
            if len(first) == FEW:
                return None
            row = int(unknown.argmax())
            np.copyto(here, len(first), where=mixed == mixed[row])
            first.append(start + row)
            numbers.append(mixed[row])
        if not np.array_equal(words, rows[first].T[:, here]):
            return None
    return codes, tuple(array[first].tolist())


def native(array: Array) -> Array:
    """Contiguous and in this machine's byte order, so that the counting pass can look at it as unsigned."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))
