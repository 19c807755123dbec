"""What a click costs the server, in CPU time, on the scale of what this machine takes for plain work at the same moment."""

import statistics
import time

import pytest
from app_pages import open_page

#: Milliseconds for a rerun where the plain work takes `PLAIN`; twice as much is too much.
BUDGETS = [("playground", {}, 40), ("evaluate", {}, 60), *(("learn", {"step": str(step)}, 20) for step in (1, 4, 7))]
PLAIN = 10.0


def milliseconds(work):
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def plain_work():
    return sum(i * i for i in range(150_000))


@pytest.mark.parametrize(("name", "query", "budget"), BUDGETS, ids=lambda given: str(given))
def test_a_rerun_stays_within_its_budget(name, query, budget):
    app = open_page(name, **query)
    assert not app.exception
    spent = [(milliseconds(app.run), milliseconds(plain_work)) for _ in range(7)]
    rerun, plain = map(statistics.median, zip(*spent, strict=True))
    assert rerun <= 2 * budget * max(plain / PLAIN, 1), f"{rerun:.0f} ms beside {plain:.1f} ms of plain work"
