"""Interrupted, out of space: what was there stays, and nothing is left behind."""

import os
import signal
import subprocess
import sys

import duckdb
import pytest
from processes import GUARD, SAYS_HOW_READING_ENDS

import ordeval as oe


def files_in(*folders):
    return sorted(name for folder in folders for name in os.listdir(folder))


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_an_interrupted_read_stops_the_query_and_leaves_nothing(tmp_path, child, format):
    """Every row is its own group, so the query is long and would spill to the folder for temporary files."""
    folder, spill = tmp_path / "rows", tmp_path / "spill"
    folder.mkdir()
    spill.mkdir()
    path = folder / f"long.{format}"
    duckdb.sql(f"COPY (SELECT i % 5 AS y, i % 3 AS p, i AS id FROM range(20_000_000) t(i)) TO '{path}'")
    program = "import sys, ordeval as oe; oe.scan(sys.argv[1], true='y', pred='p', cluster='id')"
    reader = child("-c", SAYS_HOW_READING_ENDS + program, path, env={**os.environ, "TMPDIR": str(spill)})
    assert reader.stdout.readline() == "ready\n"
    reader.send_signal(signal.SIGINT)
    said, errors = reader.communicate(timeout=GUARD)
    assert reader.returncode == -signal.SIGINT  # as a shell expects of an interrupted program
    assert said == "stopped\n"
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert files_in(folder, spill) == [path.name]


def test_ctrl_c_waits_until_duckdb_is_loaded(tmp_path, child):
    """It is pressed as soon as DuckDB is asked for."""
    path = tmp_path / "rows.csv"
    path.write_text("y,p\n1,2\n")
    program = (
        "import signal, sys, ordeval as oe\n"
        "class Press:\n"
        "    def find_spec(name, *_):\n"
        "        if name == 'duckdb':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press)\n"
        "try:\n    oe.scan(sys.argv[1], true='y', pred='p')\n"
        "except KeyboardInterrupt:\n"
        "    print(hasattr(sys.modules.get('duckdb'), 'connect'), signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    said, errors = child("-c", program, path).communicate(timeout=GUARD)
    assert (said, errors) == ("True True\n", "")


@pytest.mark.slow
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
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True, timeout=GUARD)
    assert done.stdout.split() == ["cannot", "be", "written:", "File", "too", "large", "2"]
    assert oe.Accumulator.load(path).counts == total.counts
    assert os.listdir(tmp_path) == ["state.json"]
