"""Write the pictures of docs/explorer.md: the pages as a visitor meets them, from a server and a browser of this machine."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from ordeval.app.server import running

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PICTURES = {
    "learn": ("learn?step=1", 620),
    "playground": ("playground", 1060),
    "evaluate": ("evaluate", 1750),
    "closeness": ("closeness", 1290),
    "laws": ("laws", 960),
}

#: Nothing runs, and nothing is still to come.
WHOLE = """() => document.querySelector('[data-testid=stApp]').getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton]')"""


def main(folder: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is not installed (Debian: apt-get install chromium)")
    folder.mkdir(parents=True, exist_ok=True)
    with running(0) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, (path, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1200, "height": height})
            page.set_default_timeout(90_000)
            page.goto(f"{address}/{path}")
            page.locator("[data-testid=stHeading] h1").first.wait_for()
            page.wait_for_timeout(3_000)
            page.wait_for_function(WHOLE)
            page.wait_for_timeout(1_000)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(255, dither=Image.Dither.NONE)
            picture.save(folder / f"{name}.png", optimize=True)
            print(f"{name}.png  {(folder / f'{name}.png').stat().st_size / 1000:.0f} kB")
            page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/explorer"))
