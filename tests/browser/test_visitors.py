"""Several visitors at once: nobody waits for another's heavy work, and nobody sees another's file."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from processes import until

from ordeval.app.server import running

pytestmark = pytest.mark.slow

MODELS = range(1, 9)  # more than are scored while a visitor waits
HEAVY = "truth," + ",".join(f"m{m}" for m in MODELS) + "\n"
HEAVY += "".join(f"{i % 5 + 1}," + ",".join(str((i + i // (m + 3)) % 5 + 1) for m in MODELS) + "\n" for i in range(5_000))


def stat(pid):
    """Parent and session of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), int(fields[3])


def workers(session):
    """The processes of heavy work: children of the process that makes them."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):  # it may end while we look
            parent, of = stat(pid)
            if of == session and b"forkserver" in Path(f"/proc/{parent}/cmdline").read_bytes():
                found.append(int(pid))
    return found


@pytest.fixture
def own(chromium):
    """A server whose process is known."""
    with running(0) as (address, server):
        yield address, server


def begun(visitor, server):
    """The process of a heavy job that a visitor has begun, held by a signal so that it cannot be over."""
    page = visitor.go("evaluate")
    page.get_by_text("a file of mine").click()
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": "eight-models.csv", "mimeType": "text/csv", "buffer": HEAVY.encode()}
    )
    page.locator("[data-testid=stProgress]", has_text="intervals").wait_for()  # it has all it needs, and much to do
    (worker,) = workers(server.pid)
    os.kill(worker, signal.SIGSTOP)
    return page


def test_nobody_waits_for_a_heavy_job_and_stop_ends_it(own, visit):
    address, server = own
    heavy, *others = (visit(address) for _ in range(10))
    for other in others:
        other.go("evaluate")
    page = begun(heavy, server)
    stop = page.locator(".st-key-stop_job button")  # Streamlit has one of this name, too
    for other in others:
        for place, model in enumerate(("nurse", "model")):
            other.page.get_by_role("button", name="true red, predicted orange").nth(place).click()
            other.page.get_by_text(f"called orange by {model}").wait_for()
        assert "eight-models" not in other.page.inner_text("body")
    assert stop.is_visible()  # it is not over
    stop.click()
    page.get_by_text("Stopped.").wait_for()
    until(lambda: not workers(server.pid))


def test_a_job_ends_with_its_visitor(own, visit):
    address, server = own
    begun(visit(address), server).goto("about:blank")
    until(lambda: not workers(server.pid))
