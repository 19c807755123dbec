"""Threads: a lazy value has no lock that others wait for, and an Accumulator that threads share loses no row."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import ordeval as oe
from ordeval.base.lazy import lazy


class Slow:
    """A value whose computation waits until the same value of another instance is being computed too."""

    def __init__(self, meeting):
        self.meeting = meeting

    @lazy
    def value(self):
        """Of an instance."""
        self.meeting.wait(timeout=60)  # only guards against hanging: with one lock for all instances nobody else would come
        return object()


def test_instances_do_not_wait_for_each_other():
    meeting = threading.Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda one: one.value, [Slow(meeting) for _ in range(4)]))
    assert len(set(map(id, found))) == 4


def test_threads_that_both_compute_get_one_result():
    one = Slow(threading.Barrier(4))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: one.value, range(4)))
    assert len(set(map(id, found))) == 1
    assert one.value is found[0]
    assert Slow.value.__doc__ == "Of an instance."


def test_a_shared_accumulator_loses_no_row():
    total = oe.Accumulator(labels=[1, 2, 3])
    parts = [oe.Accumulator(labels=[1, 2, 3]) for _ in range(8)]

    def work(number):
        for step in range(1000):
            total.update([1 + step % 3], [1 + number % 3])
            if step % 100 == 0:
                assert total.counts.total > 0
                parts[number].update([1], [3])
        total.merge(parts[number])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert total.counts.total == total.counts.audit.read == 8 * 1000 + 8 * 10


def test_accumulators_that_merge_each_other_do_not_wait_for_ever():
    a, b = oe.Accumulator(labels=[1, 2]), oe.Accumulator(labels=[1, 2])
    a.update([1], [1])
    b.update([2], [2])
    meeting = threading.Barrier(2)

    def merge(one, other):
        meeting.wait(timeout=60)
        for _ in range(20):
            one.merge(other.counts)

    workers = [threading.Thread(target=merge, args=pair, daemon=True) for pair in ((a, b), (b, a))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert not any(worker.is_alive() for worker in workers)


def test_an_accumulator_travels_to_another_process():
    one = oe.Accumulator(labels=[1, 2])
    one.update([1, 2], [2, 2])
    again = pickle.loads(pickle.dumps(one))
    again.update([1], [1])
    assert again.counts.total == 3
    assert one.counts.total == 2


def test_replicates_are_the_same_however_often_they_are_asked_for():
    from ordeval.infer._evidence import Evidence

    counts = oe.Counts.from_matrix([[5, 2], [1, 4]])
    one = Evidence(counts, [oe.get_metric("mae")], 50, 3)
    first = one.replicates
    del vars(one)["replicates"]
    assert np.array_equal(first, one.replicates)
