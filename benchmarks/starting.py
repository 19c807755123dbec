"""How long a user waits before anything happens: importing the package, the command line's help and its list of metrics; opening a report."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import growth
from timing import interleaved, process, verdict

import ordeval as oe

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run")


def opening() -> None:
    """The report of four models in a browser that is started for it, against an empty page."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("  opening a report: no Chromium here")
        return
    with tempfile.TemporaryDirectory() as folder:
        report, empty = Path(folder, "report.html"), Path(folder, "empty.html")
        true, _ = growth.answers(5, 1_000)
        oe.compare(true, {f"m{i}": growth.answers(5, 1_000, seed=i)[1] for i in range(4)}, labels=range(5)).report(report)
        empty.write_text("<!doctype html><title>empty</title>")

        def opened(page: Path) -> object:
            command = [browser, *FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()]
            return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        times = interleaved({page.stem: lambda page=page: opened(page) for page in (empty, report)})
        print(
            f"  a report of four models, {report.stat().st_size / 1024:.0f} KiB, in a fresh browser: {times['report'] * 1e3:.0f} ms; ",
            end="",
        )
        print(f"an empty page: {times['empty'] * 1e3:.0f} ms; {times['report'] / times['empty']:.2f}x")


def run() -> None:
    times = interleaved(
        {
            "import numpy": process("-c", "import numpy"),
            "import ordeval": process("-c", "import ordeval"),
            "import numpy, typer": process("-c", "import numpy, typer"),
            "ordeval --help": process("-m", "ordeval", "--help"),
            "ordeval metrics": process("-m", "ordeval", "metrics"),
        },
        rounds=11,
    )
    print("\nstarting, fresh processes")
    for name, seconds in times.items():
        print(f"  {name:<32} {seconds * 1e3:9.1f} ms")
    print(f"  import, against numpy            {verdict(times['import ordeval'] / times['import numpy'], 1.5, at_least=False)}")
    for name in ("help", "metrics"):
        ratio = times["ordeval --help" if name == "help" else "ordeval metrics"] / times["import numpy, typer"]
        print(f"  {name + ', against its imports':<32} {verdict(ratio, 2, at_least=False)}")
    opening()
