"""A report over an old one: killed, without space, without permission; the old page or the new one, and one sentence."""

import json
import os
import subprocess
import sys

import pytest
from processes import GUARD

import ordeval as oe

KILLER = """
import json, os, random, signal, sys, time
import ordeval as oe
from ordeval.base.files import write_text

folder = sys.argv[1]
path = os.path.join(folder, "report.html")
pages = [oe.evaluate([0, 1, 2] * 9, [0, 1, last] * 9, labels=range(3), n_resamples=400).to_html() * 15 for last in (2, 1)]
assert pages[0] != pages[1]
write_text(path, pages[0], force=False)
parts = lambda: [name for name in os.listdir(folder) if name.endswith(".part")]
found, torn, left, turn = [0, 0], 0, 0, 0
start = time.perf_counter()
for _ in range(5):
    write_text(path, pages[0], force=True)
one = (time.perf_counter() - start) / 5  # seconds that a file takes here
chance = random.Random(int(sys.argv[2]))
while turn < 200 or (left < 20 and turn < 5000):  # until enough were killed in the midst of writing
    ready, go = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(go, b"x")
        while True:
            write_text(path, pages[turn % 2], force=True)
    os.read(ready, 1)
    time.sleep(chance.uniform(0, min(3 * one, 0.1)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ready), os.close(go)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    whole = [text == page for page in pages]
    torn += not any(whole)
    found[0] += whole[0]
    found[1] += whole[1]
    left += bool(parts())
    turn += 1
write_text(path, pages[0], force=True)
print(json.dumps({"turns": turn, "torn": torn, "found": found, "left": left, "swept": os.listdir(folder) == ["report.html"]}))
"""


@pytest.mark.slow
def test_killed_200_times_at_random_moments(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(tmp_path), "1"], capture_output=True, text=True, check=True, timeout=600
    )
    found = json.loads(done.stdout)
    assert found["torn"] == 0
    assert sum(found["found"]) == found["turns"]
    assert min(found["found"]) > 0
    assert found["left"] >= 20
    assert found["swept"]


def visits(folder):
    path = folder / "visits.csv"
    path.write_text("y,p\n" + "0,0\n1,1\n2,1\n" * 20)
    return path


PROGRAM = """
import os, resource, signal, sys
from ordeval.__main__ import main

source, old, kind = sys.argv[1:]
def report(target):
    sys.argv = ["ordeval", "report", source, "--true", "y", "--pred", "p", "--labels", "0,1,2", "--n-resamples", "400", "-o", target, "--force"]
    main()

try:
    report(f"{source}.html")  # everything is loaded before the trouble begins
except SystemExit as end:
    assert not end.code
if kind == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
elif os.geteuid() == 0:
    os.seteuid(65534)
report(old)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "words"), [("full", "File too large"), ("forbidden", "Permission denied")], ids=["a full disk", "a read-only folder"]
)
def test_an_old_report_stays_whole_and_one_sentence_says_why(tmp_path, kind, words):
    source, folder = visits(tmp_path), tmp_path / "out"
    folder.mkdir()
    for path in (tmp_path, *list(tmp_path.parents)[:3]):  # another user may look in, and no more
        path.chmod(0o755)
    old = folder / "report.html"
    old.write_text("the old page")
    if kind == "forbidden":
        folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(source), str(old), kind], capture_output=True, text=True, check=False, timeout=GUARD
    )
    folder.chmod(0o755)
    assert done.returncode == 3
    assert done.stderr.splitlines()[1:] == [f"ordeval: {old}: cannot be written: {words}"]
    assert old.read_text() == "the old page"
    assert os.listdir(folder) == ["report.html"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cannot be written: No such file or directory: '.*report\.md'"):
        oe.evaluate([0, 1], [0, 1], n_resamples=400).report(tmp_path / "no" / "report.md")


def test_a_very_long_name(tmp_path):
    path = tmp_path / ("é" * 120 + ".md")
    oe.evaluate([0, 1], [0, 1], n_resamples=400).report(path)
    assert os.listdir(tmp_path) == [path.name]
    with pytest.raises(OSError, match="cannot be written: File name too long"):
        oe.evaluate([0, 1], [0, 1], n_resamples=400).report(tmp_path / ("x" * 300 + ".md"))
    assert os.listdir(tmp_path) == [path.name]
