"""Counts the comparisons with independent programs and prints how many were made."""

import pytest

COMPARED = pytest.StashKey[dict[str, int]]()


@pytest.fixture
def compared(request):
    """Call with a program and a number of comparisons made with it."""

    def add(program: str, number: int) -> None:
        made = request.config.stash.setdefault(COMPARED, {})
        made[program] = made.get(program, 0) + number

    return add


def pytest_terminal_summary(terminalreporter, config):
    made = config.stash.get(COMPARED, {})
    if made:
        parts = ", ".join(f"{program} {number:,}" for program, number in sorted(made.items()))
        terminalreporter.write_line(f"{sum(made.values()):,} comparisons with independent programs: {parts}")
