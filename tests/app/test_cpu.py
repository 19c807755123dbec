"""What a click costs the server, in CPU time: it does not depend on who else uses the machine."""

import statistics
import time

import pytest
from app_pages import open_page

#: Milliseconds for a rerun; twice as much is too much.
BUDGETS = [("playground", {}, 40), ("evaluate", {}, 60), *(("learn", {"step": str(step)}, 20) for step in (1, 4, 7))]


@pytest.mark.parametrize(("name", "query", "budget"), BUDGETS, ids=lambda given: str(given))
def test_a_rerun_stays_within_its_budget(name, query, budget):
    app = open_page(name, **query)
    assert not app.exception
    spent = []
    for _ in range(5):
        start = time.process_time()
        app.run()
        spent.append(1000 * (time.process_time() - start))
    assert statistics.median(spent) <= 2 * budget
