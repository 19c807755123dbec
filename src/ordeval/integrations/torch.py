"""Counts from torch tensors, counted where they lie: K×K numbers leave the device.

The rows are read in slices, as the narrowest codes that K allows.  A GPU's histogram is fast while its bins fit the memory
that a block of threads shares, and slow while few bins make the threads wait for each other; so where K is small two rows
share one increment, in base 256 or K², and their table is the sum of the histogram's two margins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ordeval.base import types as t
from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.counts import count as count_on_host
from ordeval.counts.blanks import WRONG, read_missing
from ordeval.counts.table import PRED, TRUE
from ordeval.order.columns import Column
from ordeval.order.scale import MAX_CLASSES, Labels, Scale, as_scale

try:
    import torch
    from torch import Tensor
except ImportError:
    raise ImportError('torch is not installed: pip install "ordeval[torch]"') from None

SLICE = 1 << 28  # rows of bytes at a time, in about 1 GiB of working memory; each histogram has its fixed cost
SEARCH_SLICE = 1 << 24  # the same where rows are looked up one by one, in 64 bits, to say which are wrong
SHARED_BINS = 12_000  # 32-bit bins that fit the 48 KiB which every CUDA device offers to a block of threads


@documented("The counts.", y_pred="The predicted classes, in the same rows; of several models, by name.")
def count(
    y_true: t.Column | Tensor,
    y_pred: t.Column | Tensor | Mapping[str, t.Column | Tensor],
    *,
    labels: Labels = None,
    sample_weight: t.Weights | Tensor = None,
    by: t.Column | Mapping[str, t.Column] | Tensor | None = None,
    cluster: t.Column | Tensor | None = None,
    missing: t.Missing = "error",
) -> Counts:
    """The same as `ordeval.count`, for tensors on any device.

    Two tensors of integers, booleans or whole floats on a device are counted there, and K×K numbers come back.  All else
    (weights, groups, several models, gaps, classes that are not integers) is copied to the host and counted there.
    Tensors on the host are counted as they stand, without a copy.

    >>> import torch
    >>> count(torch.tensor([0, 1, 1]), torch.tensor([0, 0, 1])).matrix
    array([[1, 0],
           [1, 1]])
    """
    word = read_missing(missing).word
    plain = sample_weight is None and by is None and cluster is None and word != "as"
    if plain and _lie_on_one_device(y_true, y_pred):
        counts = count_on_device(cast(Tensor, y_true), cast(Tensor, y_pred), labels)
        if counts is not None:
            counts.blanks = WRONG if word == WRONG else ""
            return counts
    true, pred, weight, groups, clusters = map(_copied_to_host, (y_true, y_pred, sample_weight, by, cluster))
    return count_on_host(true, pred, labels=labels, sample_weight=weight, by=groups, cluster=clusters, missing=missing)


def count_on_device(y_true: Tensor, y_pred: Tensor, labels: Labels = None) -> Counts | None:
    """Counts of two columns of whole numbers by torch operations; None for what only `ordeval.count` can count or refuse."""
    scale = None if labels is None else as_scale(labels)
    columns = [whole_numbers(column) for column in (y_true, y_pred)]
    if columns[0] is None or columns[1] is None or len(y_true) != len(y_pred):
        return None
    (true, low_true, high_true), (pred, low_pred, high_pred) = columns[0], columns[1]
    kind, kind_pred = _kind(y_true), _kind(y_pred)
    if "booleans" in (kind, kind_pred) and kind != kind_pred:
        return None
    if scale is None:
        low, high = min(low_true, low_pred), max(high_true, high_pred)
        if high - low >= MAX_CLASSES:
            return None
        scale = Scale([False, True]) if kind == "booleans" else Scale.infer(np.array([low, high]))
    if not all(isinstance(label, int) and isinstance(label, bool) == (kind == "booleans") for label in scale.labels):
        return None
    low, high = int(min(scale.labels)), int(max(scale.labels))
    if high - low >= max(MAX_CLASSES, scale.K):
        return None
    ranks = [label - low for label in scale.labels]
    if low <= min(low_true, low_pred) and max(high_true, high_pred) <= high:
        table = pair_table(true, pred, high - low + 1, low).cpu().numpy()[np.ix_(ranks, ranks)]
        if table.sum() == len(true):  # no row holds a number between the labels
            cells = np.argwhere(table)
            return Counts(scale, (TRUE, PRED), cells, table[tuple(cells.T)])
    refuse_outside(scale, scale.labels, {"y_true": y_true, "y_pred": y_pred})
    return None


def pair_table(true: Tensor, pred: Tensor, k: int, low: int = 0) -> Tensor:
    """How often each pair occurs in two columns of whole numbers from `low` to `low` + K - 1: (K, K) int64, on their device.

    The range has been checked: a number outside it would be counted as another or not at all.
    """
    factor = torch.full((1,), k, dtype=torch.int32, device=true.device)  # a tensor of one number makes the product 32 bits wide
    table = torch.zeros(k * k, dtype=torch.int64, device=true.device)
    narrow = k <= 256 and true.element_size() == pred.element_size() == 1
    step = SLICE if narrow else SLICE // 8
    for start in range(0, len(true), step):
        t, p = (_codes(column[start : start + step], k, low) for column in (true, pred))
        table += _histogram(torch.add(p, t, alpha=k) if k * k <= 256 else torch.addcmul(p, t, factor), k * k)
    return table.view(k, k)


def _codes(numbers: Tensor, k: int, low: int) -> Tensor:
    """The numbers less the lowest, in 8 bits where K allows: their difference is small, so arithmetic modulo 256 is exact."""
    if k > 256:
        return (numbers.to(torch.int64) - low).to(torch.int32)
    if numbers.is_floating_point():
        numbers = numbers.to(torch.int64)  # where 8 bits would be exceeded, floats do not wrap around
    codes = numbers.view(torch.uint8) if numbers.element_size() == 1 else numbers.to(torch.uint8)
    return codes - low % 256 if low % 256 else codes


def _histogram(cells: Tensor, size: int) -> Tensor:
    """How often each of 0 .. size-1 occurs, int64; cells of 8 bits are counted two at a time where the bins suffice."""
    base = 256 if 256 * size <= SHARED_BINS else size
    half = len(cells) // 2 if cells.dtype == torch.uint8 and base * size <= SHARED_BINS else 0
    if not half:
        return _bins(cells.to(torch.int32), size)
    if base == 256:  # as they lie side by side
        pairs = cells[: 2 * half].view(torch.int16).to(torch.int32)
    else:
        pairs = torch.addcmul(cells[:half], cells[half : 2 * half], torch.full_like(cells[:1], size, dtype=torch.int32))
    table = _bins(pairs, size * base).view(size, base)[:, :size]
    both = table.sum(0) + table.sum(1)
    return both + _bins(cells[2 * half :].to(torch.int32), size) if len(cells) % 2 else both


def _bins(codes: Tensor, size: int) -> Tensor:
    if codes.is_cuda and size <= SHARED_BINS:  # integers are their own bins, exactly; bincount takes 1.5 to 5 times as long
        return torch.histc(codes, size, 0, size).to(torch.int64)
    return torch.bincount(codes, minlength=size)


def refuse_outside(scale: Scale, numbers: Sequence[int], columns: Mapping[str, Tensor]) -> None:
    """Say in the scale's words which values are none of these numbers: only they leave the device."""
    low, high = int(min(numbers)), int(max(numbers))
    for name, column in columns.items():
        unknown = torch.ones(high - low + 2, dtype=torch.bool, device=column.device)
        unknown[torch.tensor([number - low for number in numbers], device=column.device)] = False
        wrong = []
        for start, part in _slices(column):
            part = part.to(torch.int64)
            place = torch.where((low <= part) & (part <= high), part - low, high - low + 1)
            wrong.append(start + unknown[place].nonzero()[:, 0])
        rows = torch.cat(wrong)
        if len(rows):
            found = _copied_to_host(column[rows])
            scale.encode(Column(name, _kind(column), numbers=np.asarray(found), rows=rows.cpu().numpy()), name=name)


def _slices(column: Tensor) -> Iterator[tuple[int, Tensor]]:
    return ((start, column[start : start + SEARCH_SLICE]) for start in range(0, len(column), SEARCH_SLICE))


def whole_numbers(column: Tensor) -> tuple[Tensor, int, int] | None:
    """A column of whole numbers, the least and the greatest of them; None if it is none."""
    wider = {torch.uint16: torch.int32, torch.uint32: torch.int64}  # torch can compute little with these
    refused = column.is_complex() or column.is_quantized or column.dtype == torch.uint64 or column.layout != torch.strided
    if refused or column.ndim != 1 or not len(column):
        return None
    numbers = column.detach()
    numbers = numbers.view(torch.uint8) if column.dtype == torch.bool else numbers.to(wider.get(column.dtype, column.dtype))
    low, high = _extremes(numbers)
    if numbers.is_floating_point():
        if not (abs(low) < 2.0**63 and abs(high) < 2.0**63):  # infinite, or nan
            return None
        if not all(bool((part == part.floor()).all()) for _, part in _slices(numbers)):
            return None
    return numbers, int(low), int(high)


def _extremes(numbers: Tensor) -> tuple[float, float]:
    """The least and the greatest; bytes are compared faster without a sign, and the sign matters only where a byte is negative."""
    unsigned = numbers.view(torch.uint8) if numbers.dtype == torch.int8 else numbers
    low, high = torch.stack(torch.aminmax(unsigned)).tolist()  # one wait for the device
    if unsigned is not numbers and high > 127:
        low, high = torch.stack(torch.aminmax(numbers)).tolist()
    return low, high


def _kind(column: Tensor) -> str:
    return "floats" if column.is_floating_point() else "booleans" if column.dtype == torch.bool else "integers"


def _lie_on_one_device(*columns: Any) -> bool:
    """All are tensors on the same device, and that is not the host."""
    devices = {column.device if isinstance(column, torch.Tensor) else None for column in columns}
    return len(devices) == 1 and all(device is not None and device.type != "cpu" for device in devices)


def _copied_to_host(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {name: _copied_to_host(column) for name, column in given.items()}
    return given.detach().cpu() if isinstance(given, torch.Tensor) else given
