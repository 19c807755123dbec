"""A real server and a real browser: Chromium from the system's packages, driven by Playwright."""

import base64
import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from ordeval.app.server import running

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = "4.14.0"
AXE_SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
WAIT = 60_000  # milliseconds, on a machine that does other things too


@pytest.fixture(scope="session")
def chromium():
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium):
    with running(0) as (address, _):
        yield address


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """axe-core as npm gives it, checked; its licence and size are not ours to carry."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ordeval-tests"
    packed = cache / f"axe-core-{AXE}.tgz"
    if not packed.exists():
        npm = shutil.which("npm")
        folder = tmp_path_factory.mktemp("axe")
        done = npm and subprocess.run([npm, "pack", f"axe-core@{AXE}"], cwd=folder, capture_output=True, check=False, timeout=120)
        if not done or done.returncode:
            if os.environ.get("CI"):
                pytest.fail("axe-core cannot be had: npm is missing, or there is no network")
            pytest.skip("axe-core cannot be had: npm is missing, or there is no network")
        cache.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / packed.name, packed)
    data = packed.read_bytes()
    assert base64.b64encode(hashlib.sha512(data).digest()).decode() == AXE_SHA512
    with tarfile.open(packed) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


SETTLED = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    const drawn = chart => !chart.checkVisibility() || chart.querySelector('svg, canvas');
    return app.getAttribute('data-test-script-state') === 'notRunning' && !document.querySelector('[data-testid=stSkeleton], [data-testid=stSpinner]')
        && [...document.querySelectorAll('[data-testid=stVegaLiteChart]')].every(drawn);
}"""


class Visitor:
    """A person in a browser of their own: what they see, and what must not happen meanwhile."""

    def __init__(self, chromium, address, **options):
        self.address = address
        self.context = chromium.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.page_errors, self.outside = [], []
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("request", self._note)

    def cell(self, true, predicted):
        """A field or a button of a table."""
        return self.page.get_by_label(f"true {true}, predicted {predicted}", exact=False).first

    def _note(self, request):
        if not request.url.startswith((self.address, "data:", "blob:", self.address.replace("http", "ws"))):
            self.outside.append(request.url)

    def go(self, path=""):
        """Open a page and wait until it is whole."""
        self.page.goto(path if path.startswith("http") else f"{self.address}/{path}")
        self.settle()
        return self.page

    def settle(self):
        """Until nothing runs, nothing is still to come, and every chart is drawn."""
        self.page.locator("[data-testid=stHeading] h1").first.wait_for()
        self.page.wait_for_function(SETTLED)

    def codes(self):
        """Python, command and link at the end of the page."""
        end = self.page.locator("details", has_text="The same numbers elsewhere")
        if end.get_attribute("open") is None:
            end.locator("summary").click()
        end.locator("[data-testid=stCode]").nth(2).wait_for()
        return end.locator("[data-testid=stCode]").all_inner_texts()

    def fine(self):
        """Nothing went wrong, and nothing left this machine."""
        assert self.page_errors == []
        assert self.outside == []
        assert self.page.locator("[data-testid=stException]").count() == 0
        assert self.page.evaluate("window.PWNED") is None


@pytest.fixture
def visit(chromium, server):
    visitors = []

    def start(address=server, **options):
        visitor = Visitor(chromium, address, **{"viewport": {"width": 1280, "height": 1600}, **options})
        visitors.append(visitor)
        return visitor

    yield start
    for visitor in visitors:
        visitor.fine()
        visitor.context.close()
