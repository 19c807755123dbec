"""Rows in files against the raw query of the engine and against pandas; text in memory against scikit-learn and integer codes."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from sklearn.metrics import confusion_matrix
from timing import interleaved, verdict

import ordeval as oe
from ordeval.read.streams import first_bytes, measure, packing_of

ROWS, FEWER, IN_MEMORY = 10**8, 10**7, 10**6
CLASSES = ["mild", "moderate", "severe", "critical", "fatal"]
MOST_MEGABYTES = 400
AS_INTEGER = "CAST(floor(random() * 5) AS TINYINT)"
AS_TEXT = f"{CLASSES}[1 + CAST(floor(random() * 5) AS INTEGER)]"

PEAK = """
import re, sys
import ordeval as oe
oe.scan(sys.argv[1], true="y", pred="a", labels=sys.argv[2].split(",") if sys.argv[2] else None)
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1000)
"""


def write(path: Path, rows: int, drawn: str, models: str = "a") -> Path:
    """A Parquet file of drawn classes: the truth y, and one column a model."""
    columns = ", ".join(f"{drawn} AS {name}" for name in ["y", *models])
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY (SELECT {columns} FROM range({rows})) TO '{path}'")
    return path


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="ordeval-bench-") as folder:
        for kind, drawn, labels in (("small integers", AS_INTEGER, None), ("text", AS_TEXT, CLASSES)):
            _against_the_engine(Path(folder), kind, drawn, labels)
        _several_models(Path(folder))
        _cost_of_the_ledger(Path(folder))
    _text_in_memory()
    _ordered_types()


def _against_the_engine(folder: Path, kind: str, drawn: str, labels: list[str] | None) -> None:
    path, part = write(folder / "rows.parquet", ROWS, drawn), write(folder / "part.parquet", FEWER, drawn)

    def raw() -> object:
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            return connection.execute(f"SELECT y, a, count(*) FROM '{path}' GROUP BY y, a").fetchall()

    times = interleaved({"raw query": raw, "scan": lambda: oe.scan(path, true="y", pred="a", labels=labels)})
    few = labels is not None  # as text, all rows would take tens of gigabytes in pandas
    source, times_as_many = (part, ROWS // FEWER) if few else (path, 1)
    group = {
        "pandas": lambda: pd.read_parquet(source).groupby(["y", "a"]).size(),
        "scan": lambda: oe.scan(path, true="y", pred="a", labels=labels),
    }
    beside = interleaved(group, rounds=3)
    pandas = beside["pandas"] * times_as_many
    how = f"({ROWS // FEWER} times that of {FEWER:,} rows)" if few else ""
    command = [sys.executable, "-c", PEAK, str(path), ",".join(labels or [])]
    peak = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print(f"\nscanning a Parquet file of {ROWS:,} rows, {kind}, {path.stat().st_size / 1e6:,.0f} MB")
    print(f"  DuckDB, the raw query            {times['raw query']:9.2f} s")
    print(f"  ordeval.scan                     {times['scan']:9.2f} s")
    print(f"  pandas read and group            {pandas:9.2f} s   {how}")
    print(f"  against the raw query            {verdict(times['scan'] / times['raw query'], 1.2, at_least=False)}")
    print(f"  against pandas                   {verdict(pandas / beside['scan'], 10, at_least=True)}")
    print(f"  peak memory of a fresh process   {peak:8.0f} MB  aim <= {MOST_MEGABYTES}   {_reached(peak <= MOST_MEGABYTES)}")


def _several_models(folder: Path) -> None:
    path = write(folder / "models.parquet", FEWER, AS_INTEGER, "abcde")
    times = interleaved(
        {
            "one": lambda: oe.scan(path, true="y", pred="a"),
            "five": lambda: oe.scan(path, true="y", pred=list("abcde")),
            "one by one": lambda: [oe.scan(path, true="y", pred=name) for name in "abcde"],
        }
    )
    print(f"\nfive models on {FEWER:,} rows")
    print(f"  one model                        {times['one'] * 1e3:9.0f} ms")
    print(f"  five models, one pass            {times['five'] * 1e3:9.0f} ms   {times['five'] / times['one']:.2f}x one model")
    print(f"  five models, five passes         {times['one by one'] * 1e3:9.0f} ms   without their joint table")


def _cost_of_the_ledger(folder: Path) -> None:
    """The pass that proves the end of each file and counts its lines, as a share of the raw query on the same file; processor time."""
    print(f"\nthe row ledger on {FEWER:,} rows of two columns of text, processor seconds")
    for ending, aim in (("csv", 0.15), ("csv.zst", 0.35), ("csv.gz", 0.4)):
        path = folder / f"ledger.{ending}"
        packing = {"zst": "zstd", "gz": "gzip"}.get(ending.rpartition(".")[2], "none")
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            drawn = f"SELECT {AS_TEXT} AS y, {AS_TEXT} AS a FROM range({FEWER})"
            connection.execute(f"COPY ({drawn}) TO '{path}' (FORMAT csv, HEADER, COMPRESSION {packing})")
        times = interleaved(
            {
                "pass": lambda path=path: measure(str(path), packing_of(str(path), first_bytes(str(path)))),
                "raw query": lambda path=path: _raw_text(path),
                "scan": lambda path=path: oe.scan(path, true="y", pred="a", labels=CLASSES),
            },
            rounds=5,
            clock=time.process_time,
        )
        share = f"{verdict(times['pass'] / times['raw query'], aim, at_least=False)}"
        print(
            f"  {ending:<8} pass {times['pass']:6.2f}, raw query {times['raw query']:6.2f}, scan {times['scan']:6.2f}   {share}"
        )


def _raw_text(path: Path) -> object:
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        columns = "auto_detect=false, header=true, columns={'y': 'VARCHAR', 'a': 'VARCHAR'}"
        return connection.execute(f"SELECT y, a, count(*) FROM read_csv('{path}', {columns}) GROUP BY y, a").fetchall()


def _text_in_memory() -> None:
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, len(CLASSES), IN_MEMORY) for _ in range(2)]
    arrays = [np.array(CLASSES)[code] for code in codes]
    forms = {
        "list": [array.tolist() for array in arrays],
        "list of shared texts": [[CLASSES[i] for i in code] for code in codes],
        "object array": [array.astype(object) for array in arrays],
        "fixed-length array": arrays,
    }
    print(f"\ncounting {IN_MEMORY:,} rows of text in memory, one core")
    for name, (true, pred) in forms.items():
        times = interleaved({"ours": lambda true=true, pred=pred: oe.count(true, pred, labels=CLASSES)}, rounds=9)
        peer = interleaved({"theirs": lambda true=true, pred=pred: confusion_matrix(true, pred, labels=CLASSES)}, rounds=3)
        ratio = peer["theirs"] / times["ours"]
        print(
            f"  {name:<22} {times['ours'] * 1e3:9.1f} ms, scikit-learn {peer['theirs'] * 1e3:8.0f} ms  {verdict(ratio, 30, at_least=True)}"
        )


def _ordered_types() -> None:
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, len(CLASSES), FEWER) for _ in range(2)]
    frames = [pd.Series(pd.Categorical.from_codes(code, CLASSES, ordered=True)) for code in codes]
    enums = [pl.Series(np.array(CLASSES)[code]).cast(pl.Enum(CLASSES)) for code in codes]
    times = interleaved(
        {
            "integer codes": lambda: oe.count(*codes, labels=range(len(CLASSES))),
            "ordered Categorical": lambda: oe.count(*frames),
            "Enum": lambda: oe.count(*enums),
        }
    )
    print(f"\ncounting {FEWER:,} rows whose type carries the order")
    for name, seconds in times.items():
        beside = "" if name == "integer codes" else verdict(seconds / times["integer codes"], 1.5, at_least=False)
        print(f"  {name:<22} {seconds * 1e3:9.1f} ms  {beside}")


def _reached(reached: bool) -> str:
    return "reached" if reached else "MISSED"
