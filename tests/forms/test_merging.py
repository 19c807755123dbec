"""Accumulators that are merged: every batch counts, also those that were not added up yet."""

import ordeval as oe


def test_every_batch_that_waits_is_merged():
    total, other = oe.Accumulator([0, 1, 2]), oe.Accumulator([0, 1, 2])
    total.update([0], [1])
    for true, pred in ((0, 0), (1, 2), (2, 2)):
        other.update([true], [pred])
    total.merge(other)
    assert total.counts == oe.count([0, 0, 1, 2], [1, 0, 2, 2], labels=[0, 1, 2])
    assert other.counts == oe.count([0, 1, 2], [0, 2, 2], labels=[0, 1, 2])
