"""Tests that need Inspect, MLflow and Hugging Face's evaluate: an environment of their own (`make test-doors`).

Elsewhere nothing here is collected: their versions of numpy and pyarrow are not those of the other tests.
"""

from importlib.util import find_spec

import pytest

LIBRARIES = ("inspect_ai", "mlflow", "evaluate")
collect_ignore_glob = [] if all(find_spec(name) for name in LIBRARIES) else ["test_*.py"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Warnings of other people's libraries are theirs; each of these tests loads one of them."""
    for item in items:
        if "doors" in item.path.parts:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """No test may reach anything but this machine."""
    import socket

    def refused(self, address, connect=socket.socket.connect):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test wanted to reach {address}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refused)
    for name, value in (
        ("MLFLOW_ENABLE_ASYNC_TRACE_LOGGING", "false"),
        ("MLFLOW_DISABLE_TELEMETRY", "true"),
        ("HF_HUB_OFFLINE", "1"),
        ("MLFLOW_GENAI_EVAL_MAX_WORKERS", "1"),
    ):
        monkeypatch.setenv(name, value)
