"""A real server and a real browser: Chromium from the system's packages, driven by Playwright."""

import shutil

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

    def _note(self, request):
        if not request.url.startswith((self.address, "data:", "blob:", self.address.replace("http", "ws"))):
            self.outside.append(request.url)

    def go(self, path=""):
        """Open a page and wait until it is whole: its end is there and nothing runs."""
        self.page.goto(path if path.startswith("http") else f"{self.address}/{path}")
        self.page.get_by_text("The same numbers elsewhere").wait_for()
        self.settle()
        return self.page

    def settle(self):
        self.page.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]').getAttribute('data-test-script-state') === 'notRunning'"
        )

    def codes(self):
        """Python, command and link at the end of the page."""
        return [block.inner_text() for block in self.page.locator("[data-testid=stCode]").all()][-3:]

    def fine(self):
        """Nothing went wrong, and nothing left this machine."""
        assert self.page_errors == []
        assert self.outside == []
        assert self.page.locator("[data-testid=stException]").count() == 0
        assert self.page.evaluate("window.PWNED") is None


@pytest.fixture
def visit(chromium, server):
    visitors = []

    def start(**options):
        visitor = Visitor(chromium, server, **{"viewport": {"width": 1280, "height": 1600}, **options})
        visitors.append(visitor)
        return visitor

    yield start
    for visitor in visitors:
        visitor.fine()
        visitor.context.close()
