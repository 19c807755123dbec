"""Accumulators that are merged: every batch counts, also those that were not added up yet."""

import pytest

import ordeval as oe
from ordeval.counts.accumulator import WAITING


def test_every_batch_that_waits_is_merged():
    total, other = oe.Accumulator([0, 1, 2]), oe.Accumulator([0, 1, 2])
    total.update([0], [1])
    for true, pred in ((0, 0), (1, 2), (2, 2)):
        other.update([true], [pred])
    total.merge(other)
    assert total.counts == oe.count([0, 0, 1, 2], [1, 0, 2, 2], labels=[0, 1, 2])
    assert other.counts == oe.count([0, 1, 2], [0, 2, 2], labels=[0, 1, 2])


def test_few_batches_wait():
    """What waits to be added up is bounded, however many batches come."""
    total = oe.Accumulator([0, 1, 2])
    for i in range(3 * WAITING):
        total.update([i % 3], [0])
        assert len(total._batches) <= WAITING
    assert total.counts.total == 3 * WAITING


def test_rows_are_still_known_where_all_parts_are_weighted():
    parts = [
        oe.count([0, 1, 1], [0, 1, 0], labels=[0, 1], sample_weight=weights) for weights in ([0.5, 1.5, 2.5], [3.5, 0.25, 1])
    ]
    merged = oe.Counts.sum(parts)
    assert merged.total == pytest.approx(9.25)
    assert merged.row_counts.sum() == 6
