"""A worker is killed, a server is lost: the table is exact, or one sentence says what happened."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from processes import command_of, descendants

import ordeval as oe
from engines.postgres import PostgresServer

ROWS = 10**7
CLASSES = ["mild", "moderate", "severe", "critical"]


def executors() -> list[int]:
    return [process for process in descendants(os.getpid()) if "CoarseGrainedExecutorBackend" in command_of(process)]


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


def test_a_lost_server_is_told_in_one_sentence(postgres_programs):
    server = PostgresServer(postgres_programs)
    try:
        slow = server.view("slow", "SELECT i % 3 AS y, i % 2 AS p FROM generate_series(1, 2000000000) AS t(i)")
        over, before = threading.Event(), len(server.log())

        def stop_in_the_midst():
            while not over.wait(0.01):
                if "GROUP BY" in server.log()[before:]:
                    server.stop()
                    break

        stopping = threading.Thread(target=stop_in_the_midst)
        stopping.start()
        try:
            with pytest.raises(
                ConnectionError, match="^the connection to the ibis table was lost \\(.*\\); connect again"
            ) as caught:
                oe.scan(slow, true="y", pred="p")
        finally:
            over.set()
            stopping.join()
        with pytest.raises(ConnectionError, match="^the connection to the ibis table was lost"):
            oe.scan(slow, true="y", pred="p")
        assert "\n" not in str(caught.value)
    finally:
        server.close()


def test_what_an_engine_refuses_is_told_in_one_sentence(postgres):
    table = postgres.view("refused", "SELECT 1 / (i - 5) AS y, 1 AS p FROM generate_series(1, 9) AS t(i)")
    with pytest.raises(ValueError, match="^the engine of the ibis table cannot run the query: division by zero$"):
        oe.scan(table, true="y", pred="p")
