"""Interrupted, out of space: what was there stays, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import time

import duckdb
import pytest

import ordeval as oe


def files_in(*folders):
    return sorted(name for folder in folders for name in os.listdir(folder))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_an_interrupted_read_ends_soon_and_leaves_nothing(tmp_path, format):
    """Every row is its own group, so the query is long and would spill to the folder for temporary files."""
    folder, spill = tmp_path / "rows", tmp_path / "spill"
    folder.mkdir()
    spill.mkdir()
    path = folder / f"long.{format}"
    duckdb.sql(f"COPY (SELECT i % 5 AS y, i % 3 AS p, i AS id FROM range(40_000_000) t(i)) TO '{path}'")
    program = f"import ordeval as oe; print('go', flush=True); oe.scan({str(path)!r}, true='y', pred='p', cluster='id')"  # seconds of work
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(spill)}
    )
    child.stdout.readline()
    time.sleep(1.5)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, errors = child.communicate(timeout=60)
    assert time.monotonic() - sent < 5  # two seconds on an idle machine
    assert child.returncode == -signal.SIGINT  # as a shell expects of an interrupted program
    assert errors.decode().rstrip().endswith("KeyboardInterrupt")
    assert files_in(folder, spill) == [path.name]


def test_out_of_space_leaves_the_accumulators_last_state(tmp_path):
    """No file may grow past 64 bytes here, as on a full disk."""
    path = tmp_path / "state.json"
    total = oe.Accumulator(["lo", "hi"])
    total.update(["lo"], ["hi"])
    total.save(path)
    program = (
        "import resource, signal, sys, ordeval as oe\n"
        "total = oe.Accumulator.load(sys.argv[1]); total.update(['hi'], ['hi'])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
        "try:\n    total.save(sys.argv[1])\n"
        "except OSError as error:\n    print(error.strerror, total.counts.total)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["File", "too", "large", "2"]
    assert oe.Accumulator.load(path).counts == total.counts
    assert os.listdir(tmp_path) == ["state.json"]
