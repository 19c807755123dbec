"""A worker is killed, a server is lost: the table is exact, or one sentence says what happened."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ordeval as oe
from engines.conftest import PostgresServer

ROWS = 10**7
CLASSES = ["mild", "moderate", "severe", "critical"]


def descendants(parent: int) -> list[int]:
    """Processes that this one started, and those that they started."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
    found, waiting = [], [parent]
    while waiting:
        children = [child for child, of in parents.items() if of == waiting[-1]]
        waiting.pop()
        found += children
        waiting += children
    return found


def executors() -> list[int]:
    def is_executor(process: int) -> bool:
        try:
            return b"CoarseGrainedExecutorBackend" in Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            return False

    return [process for process in descendants(os.getpid()) if is_executor(process)]


@pytest.mark.slow
def test_a_killed_executor_loses_no_row(spark):
    """Ten million rows with text classes.  One of the two executors dies while both are at work on the same stage."""
    labels = f"array({', '.join(repr(label) for label in CLASSES)})"
    rows = spark.range(ROWS, numPartitions=40).selectExpr(
        f"{labels}[pmod(id * 7919, 11) % 4] AS y", f"{labels}[pmod(id * 104729, 13) % 4] AS p"
    )
    before, outcome = set(executors()), []
    assert len(before) == 2
    work = threading.Thread(target=lambda: outcome.append(oe.scan(rows, true="y", pred="p", labels=CLASSES)))
    work.start()
    tracker, victim = spark.sparkContext.statusTracker(), next(iter(before))
    while work.is_alive():
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numTasks == 40 and 4 <= stage.numCompletedTasks <= 30 for stage in stages):
            os.kill(victim, signal.SIGKILL)
            break
        time.sleep(0.01)
    else:
        pytest.fail("the stage was over before the executor could be killed")
    work.join()
    i = np.arange(ROWS)
    expected = oe.count(i * 7919 % 11 % 4, i * 104729 % 13 % 4, labels=range(4))
    assert np.array_equal(outcome[0].matrix, expected.matrix)
    assert victim not in executors()


@pytest.mark.slow
def test_a_lost_server_is_told_in_one_sentence(postgres_programs):
    server = PostgresServer(postgres_programs)
    try:
        slow = server.view("slow", "SELECT i % 3 AS y, i % 2 AS p FROM generate_series(1, 2000000000) AS t(i)")
        stop = threading.Timer(1.0, server.stop)
        stop.start()
        with pytest.raises(ConnectionError, match="^the connection to the ibis table was lost \\(.*\\); connect again") as caught:
            oe.scan(slow, true="y", pred="p")
        stop.join()
        with pytest.raises(ConnectionError, match="^the connection to the ibis table was lost"):
            oe.scan(slow, true="y", pred="p")
        assert "\n" not in str(caught.value)
    finally:
        server.close()


def test_what_an_engine_refuses_is_told_in_one_sentence(postgres):
    table = postgres.view("refused", "SELECT 1 / (i - 5) AS y, 1 AS p FROM generate_series(1, 9) AS t(i)")
    with pytest.raises(ValueError, match="^the engine of the ibis table cannot answer: division by zero$"):
        oe.scan(table, true="y", pred="p")
