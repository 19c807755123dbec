"""For tests and for the examples in docstrings: what is left out where a library is missing, and which tests are not as quick as they say."""

import os
from importlib.util import find_spec

import pytest

NEEDS = {
    "src/ordeval/integrations/torch.py": "torch",
    "src/ordeval/integrations/torchmetrics.py": "torchmetrics",
    "src/ordeval/integrations/inspect_ai.py": "inspect_ai",
    "src/ordeval/integrations/mlflow.py": "mlflow",
}
#: Seconds of CPU time, of children too, beyond which a test that is not marked slow is named at the end.  No test fails for its
#: time: machines differ, and one that is busy counts more of it.
MOST_CPU = 2.0

collect_ignore = [module for module, library in NEEDS.items() if find_spec(library) is None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        item.user_properties.append(("cpu", sum(os.times()[:4]) - before))


def pytest_terminal_summary(terminalreporter):
    reports = [
        report for report in terminalreporter.getreports("passed") if report.when == "call" and "slow" not in report.keywords
    ]
    spent = sorted(((dict(report.user_properties).get("cpu", 0.0), report.nodeid) for report in reports), reverse=True)
    for seconds, name in spent:
        if seconds > MOST_CPU:
            terminalreporter.write_line(f"{seconds:.1f} s of CPU time: mark it slow, or make it quicker: {name}")
