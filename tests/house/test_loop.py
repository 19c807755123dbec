"""The tests' own rules: a long test that is not marked slow is named, nothing may be left running, and what is started is ended."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import GUARD, HAS_PROC, Children, command_of, descendants, until

TESTS = Path(__file__).parents[1]
BUSY = "    begun = time.process_time()\n    while time.process_time() - begun < 1: pass"
LEFT = "    subprocess.Popen(['sh', '-c', 'sleep 1000 & exit'])"  # its parent ends, so it is nobody's child


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mark", "body", "code", "said", "named"),
    [
        ("", "    pass", 0, "1 passed", False),
        ("", BUSY, 0, "1 passed", True),
        ("@pytest.mark.slow", BUSY, 0, "1 passed", False),
        ("", LEFT, 1, "left processes behind", False),
    ],
    ids=["quick", "long", "long and marked", "leaves a process"],
)
def test_rules_are_kept(tmp_path, mark, body, code, said, named):
    if body is LEFT and not HAS_PROC:
        pytest.skip("needs /proc to see what is left")
    conftest = (TESTS.parent / "conftest.py").read_text(encoding="utf-8")
    assert conftest.count("MOST_CPU = 2.0") == 1
    (tmp_path / "conftest.py").write_text(conftest.replace("MOST_CPU = 2.0", "MOST_CPU = 0.5"), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = tests\nmarkers = slow\n")
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "processes.py"):
        text = (TESTS / name).read_text(encoding="utf-8")
        (tmp_path / "tests" / name).write_text(text.replace("range(300)", "range(5)"), encoding="utf-8")
    program = f"import subprocess, time, pytest\n\n{mark}\ndef test_it():\n{body}\n"
    (tmp_path / "tests" / "test_it.py").write_text(program)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=GUARD)
    assert (done.returncode, said in done.stdout, "mark it slow" in done.stdout) == (code, True, named), done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not HAS_PROC or shutil.which("sh") is None, reason="needs /proc and a shell")
def test_a_child_is_ended_with_what_it_has_started():
    program = "import subprocess, sys; subprocess.Popen(['sleep', '1000'], start_new_session=bool({})); print('ready', flush=True); sys.stdin.read()"
    for alone in (0, 1):  # in the group, and in one of its own
        with Children() as child:
            parent = child("-c", program.format(alone), stdin=subprocess.PIPE)
            assert parent.stdout.readline() == "ready\n"
            until(
                lambda parent=parent: "sleep 1000" in map(command_of, descendants(parent.pid))
            )  # its words come after its start
            (below,) = [process for process in descendants(parent.pid) if command_of(process) == "sleep 1000"]
        for _ in range(100 * GUARD):  # the system may take a moment
            if not command_of(below):
                break
            time.sleep(0.01)
        assert command_of(below) == ""
        assert parent.returncode is not None
