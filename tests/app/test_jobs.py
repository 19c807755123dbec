"""Heavy work in processes of its own: it can be stopped, it says when it was killed, and a queue ends."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from processes import GUARD, until

import ordeval as oe
from ordeval.app.jobs import Job, is_heavy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def server_of_processes():
    """The process that starts the others would live as long as this one."""
    yield
    from multiprocessing import forkserver

    forkserver._forkserver._stop()


def add(a, b):
    return a + b


def sleep(seconds):
    time.sleep(seconds)


def fail():
    raise ValueError("the rows are upside down")


def gone(process):
    return not process.is_alive()


def test_steps_give_their_results_in_order():
    job = Job([(add, (1, 2)), (add, ("a", "b")), (sum, ([1, 2, 3],))])
    assert job.wait(GUARD)
    assert (job.state, job.results, job.share) == ("done", [3, "ab", 6], 1.0)
    assert gone(job.process)


def test_what_is_finished_is_there_while_the_rest_runs_and_stop_kills_it():
    job = Job([(add, (1, 2)), (sleep, (GUARD,))])
    until(lambda: job.results)
    assert (job.state, job.results, job.share) == ("running", [3], 0.5)
    job.stop()
    assert job.wait(GUARD)
    assert job.state == "stopped"
    assert gone(job.process)


def test_a_step_that_fails_says_why():
    job = Job([(fail, ()), (add, (1, 2))])
    assert job.wait(GUARD)
    assert (job.state, job.problem, job.results) == ("failed", "the rows are upside down", [])


@pytest.mark.parametrize("finished", [0, 1, 2])
def test_a_process_that_is_killed_is_said_and_what_it_has_not_finished_is_not_done(finished):
    job = Job([*[(add, (1, 2))] * finished, (sleep, (GUARD,))])
    until(lambda: job.state == "running" and job.process.pid and len(job.results) == finished)
    os.kill(job.process.pid, signal.SIGKILL)
    assert job.wait(GUARD)
    assert (job.state, job.results) == ("failed", [3] * finished)
    assert "stopped unexpectedly" in job.problem


def test_ten_on_one_turn_all_end_and_one_that_waits_can_be_stopped():
    turns = threading.BoundedSemaphore(1)
    jobs = [Job([(add, (n, n))], turns) for n in range(10)]
    waiting = Job([(sleep, (GUARD,))], turns)
    waiting.stop()
    assert all(job.wait(GUARD) for job in [*jobs, waiting])
    assert [job.results for job in jobs] == [[2 * n] for n in range(10)]
    assert waiting.state == "stopped"
    assert turns.acquire(blocking=False)  # every turn was given back


def test_a_comparison_comes_back_from_its_process():
    from ordeval.app.evaluate_state import Study
    from ordeval.app.screens.waiting import computed, points

    true, first, second = np.random.default_rng(1).integers(0, 3, (3, 60))
    counts = oe.count(true, {"a": first, "b": second}, labels=[0, 1, 2])
    study = Study("t", ("a", "b"), metrics=("accuracy",), primary="accuracy")
    job = Job([(points, ("accuracy", counts)), (computed, (study, counts))])
    assert job.wait(GUARD)
    assert job.problem == ""
    assert job.results[0] == {"a": oe.accuracy(counts["a"]), "b": oe.accuracy(counts["b"])}
    assert job.results[1].to_dict() == computed(study, counts).to_dict()


def test_what_is_heavy():
    def counts(k, models):
        return oe.count([0, 1], {f"m{i}": [0, 1] for i in range(models)}, labels=list(range(k)))

    assert not is_heavy(counts(12, 6))
    assert is_heavy(counts(13, 1))
    assert is_heavy(counts(2, 7))
    assert is_heavy(oe.Counts.from_matrix([[2_000_001, 0], [0, 1]], labels=[0, 1]))
