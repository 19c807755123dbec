"""Killed, out of disk, hostile: the old file or the new one, a named error, nothing lost."""

import json
import os
import resource
import subprocess
import sys
import time

import pytest
from processes import GUARD

import ordeval as oe
from ordeval import Counts

COUNTS = oe.count([0, 1, 1], [0, 1, 0], by=["x", "y", "x"])


def test_an_existing_file_needs_force(tmp_path):
    path = tmp_path / "c.json"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="force=True"):
        COUNTS.save(path)
    assert path.read_text() == "mine"
    COUNTS.save(path, force=True)
    assert Counts.load(path) == COUNTS
    assert os.listdir(tmp_path) == ["c.json"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError):
        COUNTS.save(tmp_path / "no" / "c.json")


@pytest.mark.slow
def test_out_of_space_leaves_the_old_file(tmp_path):
    """A file may not grow past 64 bytes here, as on a full disk."""
    path = tmp_path / "c.json"
    path.write_text("old")
    program = (
        "import resource, signal, ordeval as oe; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); oe.count([0, 1], [0, 1]).save({str(path)!r}, force=True)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=GUARD)
    assert "OSError" in done.stderr
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["c.json"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 64


def test_killed_at_any_moment_leaves_a_whole_file(tmp_path, child):
    path = tmp_path / "c.json"
    old = oe.count([0] * 3, [0] * 3, labels=[0, 1])
    old.save(path)
    program = "import sys, ordeval as oe; c = oe.count(list(range(900)), list(range(900)))\nprint('ready', flush=True)\nwhile True: c.save(sys.argv[1], force=True)"
    new_seen = 0
    for i in range(12):
        writer = child("-c", program, path)
        assert writer.stdout.readline() == "ready\n"
        time.sleep(0.003 * i)
        while i == 11 and Counts.load(path).scale.K != 900:  # a slow machine may need longer for its first file
            time.sleep(0.01)
        writer.kill()
        writer.wait(GUARD)
        loaded = Counts.load(path)
        assert loaded == old or loaded.scale.K == 900
        new_seen += loaded.scale.K == 900
    assert new_seen


def test_a_name_like_that_of_a_part_but_of_no_process_is_let_be(tmp_path):
    strange = tmp_path / ".counts.json.99999999999999999999.x.part"
    strange.write_text("")
    COUNTS.save(tmp_path / "counts.json")
    assert strange.exists()
    assert Counts.load(tmp_path / "counts.json") == COUNTS


def edited(tmp_path, **changes):
    COUNTS.save(tmp_path / "good.json", force=True)
    data = json.loads((tmp_path / "good.json").read_text())
    data.update(changes)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"ordeval": "x"},
        {"cells": [[0, 0, 5]], "weights": [1]},
        {"cells": [[-1, 0, 0]], "weights": [1]},
        {"cells": [[0, 0, 0], [0, 0, 0]], "weights": [1, 1]},
        {"cells": [[0, 0]], "weights": [1]},
        {"cells": [[0.9, 0, 0]], "weights": [1]},
        {"weights": [1]},
        {"weights": [1, -1, 1]},
        {"weights": ["1", "1", "1"]},
        {"weights": [1, None, 1]},
        {"axes": ["true", "true", "by"]},
        {"axes": ["pred", "x", "by"]},
        {"values": {"other": ["x"]}},
        {"scale": {"labels": ["a", "a"], "edges": None, "closed": "left", "inferred": False}},
        {"scale": None},
        {"excluded": {"x": "y"}},
    ],
    ids=str,
)
def test_a_file_that_is_not_what_save_wrote_is_refused(tmp_path, changes):
    with pytest.raises(ValueError, match="does not hold counts saved by ordeval"):
        Counts.load(edited(tmp_path, **changes))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"ordeval": "counts"}', "\x00"])
def test_nonsense_is_refused(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="does not hold counts saved by ordeval"):
        Counts.load(path)


@pytest.mark.slow
def test_without_memory_the_command_line_says_so_in_one_line(tmp_path):
    """No thread can be started here, as where the system has no memory left for one."""
    path = tmp_path / "rows.csv"
    path.write_text("y,p\n0,1\n1,1\n")
    program = (
        "import sys, threading\n"
        'def start(self): raise RuntimeError("can\'t start new thread")\n'
        "from ordeval.__main__ import main\n"
        "import duckdb; threading.Thread.start = start\n"
        f"sys.argv[1:] = ['score', {str(path)!r}, '--true', 'y', '--pred', 'p']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=GUARD)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "ordeval: there is not enough memory for this (can't start new thread)\n"


@pytest.mark.parametrize("call", ["connect", "query"])
def test_a_reader_without_memory_says_so(tmp_path, monkeypatch, call):
    import duckdb

    from ordeval.read import files

    def fails(*args, **options):
        raise duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate\n\nPossible solutions: ...")

    path = tmp_path / "rows.csv"
    path.write_text("y,p\n0,1\n")
    if call == "connect":
        monkeypatch.setattr(duckdb, "connect", fails)
    else:
        monkeypatch.setattr(files, "run", lambda connection, work, what: fails())
    with pytest.raises(MemoryError, match="DuckDB could not start|reading .*rows.csv") as caught:
        oe.scan(path, true="y", pred="p")
    assert "\n" not in str(caught.value)


def test_a_cell_below_the_sign_for_unanswered_is_refused(tmp_path):
    counts = oe.count([0, 1], [0, None], labels=[0, 1], missing="unanswered")
    path = tmp_path / "counts.json"
    counts.save(path)
    assert oe.Counts.load(path) == counts
    path.write_text(path.read_text().replace("-1", "-2"))
    with pytest.raises(ValueError, match="a cell is outside the scale"):
        oe.Counts.load(path)
