"""Write the pictures of docs/how-to/report.md: page one of a report on two models, on six, and on a phone, with a browser of this machine."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from playwright.sync_api import sync_playwright

import ordeval as oe

DOCS = Path(__file__).resolve().parents[1] / "docs"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
GRADES = ["green", "yellow", "orange", "red"]
TEAMS = {"team1": 0.86, "team2": 0.8, "team3": 0.74, "team4": 0.66}  # how often each is right; else it is a step off
LOOKS = {  # report, width and height, colours
    "report": ("two", (1040, 900), "light"),
    "report-six": ("six", (1040, 760), "light"),
    "report-phone": ("two", (390, 1560), "dark"),
}


def rows() -> pd.DataFrame:
    """The bundled visits, and four models that are made up (seed 1)."""
    visits, rng = pd.DataFrame(oe.load_example("triage")), np.random.default_rng(1)
    truth = np.array([GRADES.index(grade) for grade in visits["grade"]])
    for name, right in TEAMS.items():
        step = np.where(rng.random(len(truth)) < right, 0, rng.choice([-1, 1], len(truth)))
        visits[name] = np.array(GRADES)[np.clip(truth + step, 0, 3)]
    return visits


def write_report(folder: Path, name: str, models: list[str]) -> None:
    command = [sys.executable, "-m", "ordeval", "report", "visits.csv", "--true", "grade", "--labels", ",".join(GRADES)]
    command += [word for model in models for word in ("--pred", model)]
    command += ["--missing", "drop", "--cluster", "patient", "--by", "site", "-o", f"{name}.html"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is not installed (Debian: apt-get install chromium)")
    with tempfile.TemporaryDirectory() as where, sync_playwright() as playwright:
        folder = Path(where)
        rows().to_csv(folder / "visits.csv", index=False)
        write_report(folder, "two", ["nurse", "model"])
        write_report(folder, "six", ["nurse", "model", *TEAMS])
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for picture, (report, (width, height), colours) in LOOKS.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)  # type: ignore[arg-type]
            page.goto((folder / f"{report}.html").as_uri())
            if picture == "report-phone":  # a table is to be seen
                page.locator("details").first.evaluate("part => part.open = true")
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(128)
            shot.save(DOCS / f"{picture}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
