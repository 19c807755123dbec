"""Settings for all tests: reproducible examples, and in CI no test is skipped without a reason on the list."""

import os

import pytest
from hypothesis import settings

settings.register_profile("ordeval", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("ordeval")

#: Reasons for which a test may be skipped in continuous integration.
ALLOWED_SKIPS: tuple[str, ...] = ()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """A whole file that is skipped counts as a skipped test."""
    report = yield
    if report.outcome == "skipped" and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = str(call.excinfo.value) if call.excinfo else "unknown"
        if not any(allowed in reason for allowed in ALLOWED_SKIPS):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {reason}"
    return report
