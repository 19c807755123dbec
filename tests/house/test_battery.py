"""Does every row of the battery still hold on a slice of it?  `make battery` runs all of it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from battery import mutation, promises
from battery.mutants import mutants_of
from battery.run import SUBJECTS

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_slice_of_the_battery_fails_nowhere(subject):
    command = [sys.executable, "-m", "battery.run", "--slice", "--only", subject]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert re.search(r"tried [1-9][\d,]*, failed 0", done.stdout)


def test_the_page_of_promises_is_up_to_date():
    assert (ROOT / "docs" / "promises.md").read_text(encoding="utf-8") == promises.page()


def test_every_promise_can_be_broken_and_names_a_test_that_exists():
    for promise in promises.promises():
        assert (ROOT / promise["file"]).read_text(encoding="utf-8").count(promise["before"]) == 1, promise["says"]
        file, _, name = promise["test"].partition("::")
        words = (ROOT / file).read_text(encoding="utf-8")
        assert all(part.partition("[")[0] in words for part in name.split("::")), promise["test"]


def test_every_survivor_that_is_explained_is_still_there():
    found = {mutant.key for file in mutation.files() for mutant in mutants_of(ROOT, file)}
    assert [key for key in mutation.explained() if key not in found] == []


def test_the_page_of_the_battery_names_every_subject_and_nothing_failed_unexplained():
    page = (ROOT / "docs" / "battery.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| .* \| ([\d,]+) \| (\d+) \| [\d,]+ \|$", page, re.MULTILINE)
    assert {subject for subject, _, _ in rows} == set(SUBJECTS)
    assert [row for row in rows if int(row[2])] == []


def test_mutants_are_programs_that_differ():
    file = "src/ordeval/metrics/families/error.py"
    source = (ROOT / file).read_bytes()
    found = mutants_of(ROOT, file)
    assert len(found) > 100
    for mutant in found:
        changed = mutant.apply(source)
        assert changed != source
        compile(changed, file, "exec")
