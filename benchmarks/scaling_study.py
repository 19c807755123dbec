"""Time against rows, from a million to a billion: DuckDB behind `scan`, and Spark on the same two cores beside it.

Writes benchmarks/results/scaling.json and docs/scaling.png.  Takes minutes and 1 GB of disk; Spark needs Java.

python benchmarks/scaling_study.py
"""

import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np
from scanning import AS_INTEGER, write

import ordeval as oe

ROOT = Path(__file__).resolve().parents[1]
RESULTS, PICTURE = ROOT / "benchmarks" / "results" / "scaling.json", ROOT / "docs" / "scaling.png"
SIZES = (10**6, 3 * 10**6, 10**7, 3 * 10**7, 10**8, 3 * 10**8, 10**9)
LONG = 10**8  # from here on Spark has two rounds instead of five


def processor_seconds(processes: list[int]) -> float:
    """What these processes have used of all cores so far.  Unlike the clock, it does not count the work of others."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure() -> dict[str, dict[str, dict[int, float]]]:
    """Least seconds of some rounds for each engine and size, on the clock and of the processors."""
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "2")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with tempfile.TemporaryDirectory(prefix="ordeval-scaling-") as folder:
        # One file each: of a single file DuckDB knows the range of the columns, and takes a shorter way than with several.
        paths = {rows: str(write(Path(folder) / f"{rows}.parquet", rows, AS_INTEGER)) for rows in SIZES}
        spark = builder.getOrCreate()
        processes = [os.getpid(), spark.sparkContext._gateway.proc.pid]
        engines = {
            "scan of Parquet (DuckDB)": lambda rows: oe.scan(paths[rows], true="y", pred="a"),
            "scan of a Spark DataFrame": lambda rows: oe.scan(spark.read.parquet(paths[rows]), true="y", pred="a"),
        }
        taken: dict[str, dict[int, list[tuple[float, float]]]] = {engine: {rows: [] for rows in SIZES} for engine in engines}
        for scan in engines.values():
            scan(SIZES[0])
        for turn in range(5):
            for rows in SIZES:
                for engine, scan in engines.items():
                    if turn >= 2 and rows >= LONG and "Spark" in engine:
                        continue
                    clock, work = time.perf_counter(), processor_seconds(processes)
                    scan(rows)
                    taken[engine][rows].append((time.perf_counter() - clock, processor_seconds(processes) - work))
        spark.stop()
    return {
        engine: {
            what: {rows: min(times[i] for times in rounds) for rows, rounds in found.items()}
            for i, what in enumerate(("clock", "processors"))
        }
        for engine, found in taken.items()
    }


def line(found: dict[int, float]) -> tuple[float, float]:
    """The straight line through the times, each weighed by itself: seconds at no rows, and for each row."""
    rows, times = np.array(list(found), float), np.array(list(found.values()))
    slope, start = np.polyfit(rows, times, 1, w=1 / times)
    return start, slope


def draw(results: dict[str, dict[str, dict[int, float]]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for (engine, measured), mark in zip(results.items(), "os", strict=True):
        found = measured["processors"]
        start, slope = line(found)
        (points,) = axes.loglog(list(found), list(found.values()), mark, label=engine)
        rows = np.geomspace(min(found), max(found), 200)
        label = f"{start:.2g} s + {slope * 1e8:.2g} s for each 100 million rows"
        axes.loglog(rows, start + slope * rows, color=points.get_color(), linewidth=1, label=label)
    axes.set_xlabel("rows (two columns of small integers, Parquet)")
    axes.set_ylabel("processor seconds (two cores: at best half on the clock)")
    axes.grid(which="major", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, dpi=130)


if __name__ == "__main__":
    results = measure()
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    draw(results)
    for engine, measured in results.items():
        print(engine)
        for rows, clock in measured["clock"].items():
            print(f"  {rows:>13,} rows  {clock:8.3g} s on the clock  {measured['processors'][rows]:8.3g} s of the processors")
