"""Settings for all tests: reproducible examples, no process left behind, and in CI no test is skipped without a reason on the list."""

import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import settings
from processes import HAS_PROC, MARK, Children, command_of, end, left_behind

settings.register_profile("ordeval", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("ordeval")

#: Reasons for which a test may be skipped in continuous integration.
ALLOWED_SKIPS: tuple[str, ...] = ()
TESTS = Path(__file__).parent


@pytest.fixture
def child():
    """Call with arguments of Python: a process in a group of its own, which ends with the test."""
    with Children() as start:
        yield start


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left_running():
    mark = f"{MARK}={os.environ.get(MARK, '')}/{os.getpid()}/"
    os.environ[MARK] = mark.partition("=")[2]
    yield
    if HAS_PROC and (left := left_behind(mark)):
        said = [f"{process}: {command_of(process)}" for process in left]
        end(left)
        pytest.fail("the tests left processes behind:\n" + "\n".join(said), pytrace=False)


@pytest.fixture
def compared(record_property):
    """Call with an independent program and the number of comparisons made with it."""
    return lambda program, number: record_property("compared", (program, number))


def pytest_terminal_summary(terminalreporter):
    made = Counter()
    said = defaultdict(list)
    for report in terminalreporter.stats.get("passed", ()):
        for name, value in report.user_properties:
            said[name].append(value)
    for program, number in said["compared"]:
        made[program] += number
    if seeds := ", ".join(f"{subject} {seed}" for subject, seed in sorted(said["battery"])):
        terminalreporter.write_line(f"a slice of the battery, seeds: {seeds}")
    if made:
        parts = ", ".join(f"{program} {number:,}" for program, number in sorted(made.items()))
        terminalreporter.write_line(f"{made.total():,} comparisons with independent programs: {parts}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What starts servers, browsers and other programs is slow."""
    for item in items:
        if item.path.parent in (TESTS / "browser", TESTS / "engines") or {"child", "shell"} & {
            *getattr(item, "fixturenames", ())
        }:
            item.add_marker(pytest.mark.slow)


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
