"""For tests and for the examples in docstrings: what is left out where a library is missing, and what no quick test may take."""

import os
from importlib.util import find_spec

import pytest

NEEDS = {
    "src/ordeval/integrations/torch.py": "torch",
    "src/ordeval/integrations/torchmetrics.py": "torchmetrics",
    "src/ordeval/integrations/inspect_ai.py": "inspect_ai",
    "src/ordeval/integrations/mlflow.py": "mlflow",
}
#: Seconds of CPU time, of children too, after which a test that is not marked slow fails in continuous integration.
MOST_CPU = 5.0

collect_ignore = [module for module, library in NEEDS.items() if find_spec(library) is None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = sum(os.times()[:4])
    result = yield
    spent = sum(os.times()[:4]) - before
    if spent > MOST_CPU and os.environ.get("CI") == "true" and item.get_closest_marker("slow") is None:
        pytest.fail(f"{spent:.1f} s of CPU time: mark it slow, or make it quicker (quick tests take up to 2 s)", pytrace=False)
    return result
