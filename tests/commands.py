"""The command line inside this process, and made-up files for it: as in a shell, and faster."""

import contextlib
import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from operator import attrgetter
from unittest import mock

from processes import GUARD

from ordeval.__main__ import main

LABELS = "green,yellow,orange,red"
#: What takes long to load, and is loaded where it is used.
HEAVY_LIBRARIES = (
    *("scipy", "pandas", "sklearn", "duckdb", "matplotlib", "altair"),
    *("polars", "pyarrow", "narwhals", "torch", "jinja2", "rich"),
)


@dataclass
class Done:
    """The end of a command, under our names and under those of a process."""

    code: int
    out: str
    err: str

    returncode = property(attrgetter("code"))
    stdout = property(attrgetter("out"))
    stderr = property(attrgetter("err"))


def ordeval(*args, stdin="", **environment):
    """What `ordeval ARGS` prints, and its exit code."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    given = io.TextIOWrapper(io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode()))
    given.buffer.name = "<stdin>"
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", ["ordeval", *map(str, args)]),
        mock.patch.object(sys, "stdin", given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return Done(code, out.getvalue(), err.getvalue())


def ordeval_process(*args, **environment):
    """The same in a process of its own, for what only a process shows; it takes a hundred times as long."""
    command = [sys.executable, "-m", "ordeval", *map(str, args)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, env=environment, timeout=GUARD)


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def triage(folder):
    """triage.csv as it is bundled, and beside it a gold file and three runs."""
    text = (files("ordeval") / "data" / "triage.csv").read_text(encoding="utf-8")
    (folder / "triage.csv").write_text(text, encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    write_csv(folder / "gold.csv", [["id", "true"], *([i, row["grade"]] for i, row in enumerate(rows))])
    for run in ("nurse", "model"):
        write_csv(folder / f"{run}.csv", [["id", "pred"], *([i, row[run]] for i, row in enumerate(rows))])
    write_csv(folder / "cautious.csv", [["id", "pred"], *([i, "orange"] for i in range(len(rows)))])
