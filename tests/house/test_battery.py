"""Can the battery fail, and does every row of it still hold on a slice?  `make battery` runs all of it."""

import json
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from processes import GUARD, command_of, descendants, until

from battery import by_hand, looks, mutation, promises, survivors
from battery.mutants import mutants_of
from battery.mutation_session import Outcome, Session
from battery.plants import Edit, edits_of
from battery.rows import Check, Row, Scope, try_plants, try_row
from battery.run import SUBJECTS, checks_of, fresh_seed, printed_by

ROOT = Path(__file__).parents[2]
CHECKS = [check for subject in SUBJECTS for check in checks_of(subject)]


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_slice_of_the_battery_fails_nowhere_and_catches_its_plants(subject, record_property):
    """With a fresh seed in every run, which stands below the tests; what fails is printed with the command that repeats it."""
    command = [sys.executable, "-m", "battery.run", "--slice", "--only", subject]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    record_property("battery", (subject, int(re.match(r"seed (\d+)\n", done.stdout)[1])))
    rows = re.findall(r"tried ([1-9][\d,]*), failed 0; caught (\d+) of (\d+)", done.stdout)
    planted = [len(check.planted) for check in checks_of(subject)]
    assert [(int(caught), int(of)) for _, caught, of in rows] == [(number, number) for number in planted]


# Rows that can fail


def test_every_row_has_two_plants_or_more():
    assert {check.name: len(check.planted) for check in CHECKS if len(check.planted) < 2} == {}
    assert {check.subject for check in CHECKS} == set(SUBJECTS)


def test_every_planted_text_stands_in_the_source_once():
    edits = [edit for check in CHECKS for edit in edits_of(check.planted)]
    assert len(edits) > 20
    for edit in edits:
        changed = edit.source()
        assert changed != (ROOT / edit.file).read_text(encoding="utf-8")
        compile(changed, edit.file, "exec")


def row_that_reports(*failures):
    return lambda scope: Row("house", "a row", 1, list(failures))


def test_a_plant_that_is_not_noticed_fails_the_row():
    blind = Check("house.blind", row_that_reports(), {"a fault": nullcontext})
    caught, wrong = try_plants(blind, 7)
    assert (caught, wrong) == (0, ["planted and not noticed: a fault"])
    assert try_row(blind, Scope("slice", 7), plants=True).failures


def test_a_row_that_fails_without_a_plant_proves_nothing():
    nervous = Check("house.nervous", row_that_reports("always"), {"a fault": nullcontext})
    caught, wrong = try_plants(nervous, 7)
    assert caught == 1
    assert wrong == ["it fails where nothing is planted: always"]


def test_a_row_that_breaks_has_reported_nothing():
    faulty = []

    def run(scope):
        if faulty:
            raise KeyError("y")
        return Row("house", "a row", 1)

    class Plant:
        def __enter__(self):
            faulty.append(1)

        def __exit__(self, *error):
            faulty.clear()

    caught, wrong = try_plants(Check("house.fragile", run, {"a fault": Plant}), 7)
    assert caught == 0
    assert "the row itself broke" in wrong[0]


def test_a_planted_text_is_there_for_as_long_as_its_block_lasts():
    from ordeval.show._escapes import csv_field

    plant = Edit("src/ordeval/show/_escapes.py", 'start = plain.lstrip(" ")[:1]', "start = plain[:1]")
    assert csv_field(" =1") == "' =1"
    with plant.here():
        assert csv_field(" =1") == " =1"
    assert csv_field(" =1") == "' =1"


# Seeds


def test_a_failure_names_the_command_that_repeats_it():
    check = Check("house.row", row_that_reports("off by one"), {})
    row = try_row(check, Scope("slice", 261116), plants=False)
    assert row.failures == ["off by one (again: python -m battery.run --only house --slice --seed 261116)"]
    assert row.note == "seed 261116"


def test_a_seed_is_the_date_and_the_time_of_day(monkeypatch):
    monkeypatch.setattr("battery.run.time.gmtime", lambda: (2026, 11, 16, 7, 8, 9, 0, 0, 0))
    assert fresh_seed() == 261116070809


@pytest.mark.parametrize("name", ["arithmetic.forecasts", "fuzz.columns", "fuzz.texts"])
def test_a_seed_gives_the_same_cases_and_another_one_others(name, monkeypatch):
    """What is reported of a bad implementation tells the cases."""
    monkeypatch.setattr("battery.rows.APART", False)
    check = next(check for check in CHECKS if check.name == name)
    with next(iter(check.planted.values()))():
        first, again, other = (check.run(Scope("plant", seed)).failures for seed in (5, 5, 6))
    assert first == again != other


# Programs


def test_what_a_row_started_ends_with_the_battery(child):
    """Here a row is a program that has started another one and never ends."""
    row = """import subprocess, sys, time
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10**6)"])
print(inner.pid, file=sys.stderr, flush=True)
time.sleep(10**6)"""
    battery = """import signal, sys
from battery.run import printed_by
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
printed_by([sys.executable, "-c", sys.argv[1]])"""
    running = child("-c", battery, row, cwd=ROOT)
    inner = int(running.stderr.readline())
    assert inner in descendants(running.pid)
    running.terminate()
    assert running.wait(GUARD) == 143
    until(lambda: not command_of(inner))


def test_the_exit_code_and_what_was_printed():
    assert printed_by([sys.executable, "-c", "print('a row'); raise SystemExit(3)"]) == (3, "a row\n")


# Promises


def test_the_page_of_promises_is_up_to_date():
    assert (ROOT / "docs" / "promises.md").read_text(encoding="utf-8") == promises.page()


@pytest.mark.parametrize("entry", [*promises.promises(), *by_hand.mistakes()], ids=lambda entry: entry["says"][:60])
def test_every_promise_and_known_mistake_can_be_made_and_names_a_test_that_exists(entry):
    assert (ROOT / entry["file"]).read_text(encoding="utf-8").count(entry["before"]) == 1
    assert ("test" in entry) != ("why" in entry)
    if "test" in entry:
        assert names_a_test(entry["test"]), entry["test"]


def names_a_test(test):
    file, _, name = test.partition("::")
    words = (ROOT / file).read_text(encoding="utf-8")
    return all(part.partition("[")[0] in words for part in name.split("::"))


# Mutation


def test_there_are_ten_known_mistakes():
    assert len([mistake for mistake in by_hand.mistakes() if "look" not in mistake]) >= 10


FUNNEL = """def outer(x):
    if x > 1:
        values = [
            x,
            lambda y: y + 1,
        ]
        return values
    return 0


SIZE = 3
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("y + 1", "y + 2", (5, 3, True)),
        ("    if x > 1:\n        values", "    if x > 1:\n        valued", (3, 3, True)),
        ("def outer(x):\n    if x > 1", "def outer(x):\n    if x > 2", (2, 2, True)),
        ("return 0", "return 0  # or not", (8, 8, True)),
        ("SIZE = 3", "SIZE = 4", (11, 11, False)),
    ],
)
def test_a_mistake_made_by_hand_belongs_to_the_statement_where_the_texts_begin_to_differ(
    before, after, expected, tmp_path, monkeypatch
):
    monkeypatch.setattr(by_hand, "ROOT", tmp_path)
    (tmp_path / "x.py").write_text("é = 1\n" + FUNNEL, encoding="utf-8")
    mutant = by_hand.mutant_of({"says": "", "file": "x.py", "before": before, "after": after})
    line, statement, inside = expected
    assert (mutant.line, mutant.statement, mutant.inside) == (line + 1, statement + 1, inside)
    source = (tmp_path / "x.py").read_bytes()
    assert mutant.apply(source).decode() == source.decode().replace(before, after)


def test_a_mistake_that_cannot_be_made_is_told():
    with pytest.raises(LookupError, match="must hold this once"):
        by_hand.mutant_of({"says": "", "file": "src/ordeval/base/arrays.py", "before": "import", "after": "x"})


def test_mistakes_of_a_look_by_hand_are_kept_with_the_tests_that_noticed_them(tmp_path, monkeypatch):
    monkeypatch.setattr(by_hand, "MISTAKES", tmp_path / "mistakes.toml")
    made = [{"says": f'Says "{i}".', "file": "src/ordeval/read/x.py", "before": f"a\n\tb{i}", "after": "c"} for i in range(3)]
    killers = ("tests/x.py::test_x", "", "time")
    outcomes = [Outcome(m["file"], 1, "", "", m["before"], m["after"], bool(by), by) for m, by in zip(made, killers, strict=True)]
    by_hand.put_aside("ab" * 20, made, outcomes)
    expected = [{"look": "abababab", **mistake} for mistake in made]
    expected[0]["test"] = killers[0]
    assert by_hand.mistakes(tmp_path / "mistakes.toml") == expected
    line = looks.look_by_hand("ab" * 20, outcomes)
    assert (line["tried"], line["killed"], line["rooms"]) == (3, 2, {"read": {"tried": 3, "killed": 2}})


def test_every_survivor_is_still_there_and_is_settled():
    """`python -m battery.survivors --prune` takes out those whose code is gone."""
    known = survivors.entries()
    found = survivors.living(entry["file"] for entry in known)
    assert [entry for entry in known if survivors.key_of(entry) not in found] == []
    assert [entry for entry in known if ("test" in entry) == ("why" in entry)] == []
    for entry in known:
        if "test" in entry:
            assert names_a_test(entry["test"]), entry["test"]


def test_few_survivors_of_a_look_are_called_equivalent():
    for look in looks.first_looks():
        of_look = [entry for entry in survivors.entries() if entry.get("look") == look["commit"][:8]]
        equivalent = [entry for entry in of_look if survivors.standing_of(entry) == "equivalent"]
        assert len(equivalent) <= mutation.MOST_EQUIVALENT * look["tried"]
        assert len(of_look) <= look["tried"] - look["killed"]


def test_survivors_of_a_look_are_written_down_and_told(tmp_path, monkeypatch):
    file = "src/ordeval/base/arrays.py"
    drawn = mutants_of(ROOT, file)[:4]
    monkeypatch.setattr(survivors, "SURVIVORS", tmp_path / "survivors.toml")
    survivors.put_aside("aaaaaaaa", drawn[:3])
    first = survivors.entries()
    assert [survivors.key_of(entry) for entry in first] == [mutant.key for mutant in drawn[:3]]
    first[0]["test"], first[1]["why"], first[2]["why"] = "tests/x.py::test_x", 'equivalent: "it" changes nothing', "a seed"
    survivors.write(first)
    assert survivors.entries() == first
    assert survivors.became("aaaaaaaa", 4) == (
        "Its 4 survivors: 1 noticed by tests named since, 1 without any effect, 1 explained, 1 in code that has changed since "
        "(`battery/survivors.toml`)."
    )
    survivors.put_aside("bbbbbbbb", drawn[2:])
    assert [entry["look"] for entry in survivors.entries()] == ["aaaaaaaa", "aaaaaaaa", "bbbbbbbb", "bbbbbbbb"]
    assert survivors.explained()[drawn[2].key] == "a seed"
    assert survivors.became("bbbbbbbb", 2).startswith("Its 2 survivors: 1 explained, 1 not settled (")
    assert survivors.prune() == 0
    survivors.write([*survivors.entries(), {**first[0], "code": "gone"}])
    assert survivors.prune() == 1
    assert len(survivors.entries()) == 4


def test_the_file_of_survivors_reads_as_it_would_be_written(tmp_path, monkeypatch):
    text, known = survivors.SURVIVORS.read_text(encoding="utf-8"), survivors.entries()
    (tmp_path / "survivors.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(survivors, "SURVIVORS", tmp_path / "survivors.toml")
    survivors.write(known)
    assert survivors.SURVIVORS.read_text(encoding="utf-8") == text


def test_mutants_are_programs_that_differ():
    file = "src/ordeval/metrics/families/error.py"
    source = (ROOT / file).read_bytes()
    found = mutants_of(ROOT, file)
    assert len(found) > 100
    for mutant in found:
        changed = mutant.apply(source)
        assert changed != source
        compile(changed, file, "exec")


def test_what_tests_share_is_made_once():
    """With tests of another file between them, what a file shares would be made again for each."""
    session = Session([], [])
    session.seconds = {f"{file}::{i}": 0.01 * i for file in "abc" for i in range(3)}
    session.shared = {test: {"room": 2.0} if test[0] == "b" else {} for test in session.seconds}
    chosen = session._spread(list(session.seconds), 8.0)
    assert sorted(chosen) == sorted(session.seconds)
    assert chosen[-3:] == ["b::0", "b::1", "b::2"]
    assert chosen[:4] == ["a::0", "c::0", "a::1", "c::1"]
    assert session._spread(list(session.seconds), 1.0) == [test for test in chosen if test[0] != "b"]


def test_every_room_gives_fifteen_mutants_and_the_others_are_in_proportion():
    possible = {"a": 6000, "b": 3000, "c": 900, "d": 60, "e": 9}
    assert mutation.shares(possible, 300) == {"a": 167, "b": 84, "c": 25, "d": 15, "e": 9}


def test_every_file_of_the_package_can_be_drawn_from():
    rooms = {looks.room_of(file) for file in looks.files()}
    folders = {path.name for path in (ROOT / "src" / "ordeval").iterdir() if path.is_dir() and list(path.rglob("*.py"))}
    assert rooms == {*folders, "root"}


def test_controls_are_judged():
    idle, deadly = mutation.controls()

    def outcome(mutant, killed):
        return Outcome(mutant.file, 1, mutant.code, mutant.operator, mutant.before, mutant.after, killed, "a test", mutant.again)

    assert mutation.judged_controls([outcome(idle, False), outcome(deadly, True)]) == []
    assert len(mutation.judged_controls([outcome(idle, True), outcome(deadly, False)])) == 2
    assert len(mutation.judged_controls([])) == 2
    hard = mutation.hard_controls()
    assert {mutant.inside for mutant in hard} == {True, False}
    assert mutation.judged_controls([outcome(idle, False), *(outcome(m, True) for m in (deadly, *hard))], hard) == []
    assert len(mutation.judged_controls([outcome(idle, False), *(outcome(m, False) for m in (deadly, *hard))], hard)) == 1 + len(
        hard
    )


def test_a_first_look_has_its_interval_and_its_rooms():
    """Wilson's interval of 9 of 10: 59.6 % to 98.2 %."""
    outcomes = [
        Outcome(f"src/ordeval/{room}/x.py", 1, "", "", "", "", i > 0, "") for room in ("counts", "read") for i in range(5)
    ]
    outcomes[0].killed = True
    line = looks.look("ab" * 20, 1, outcomes, {"counts": 300, "read": 100})
    assert (line["tried"], line["killed"]) == (10, 9)
    assert line["interval"] == pytest.approx([0.5958, 0.9821], abs=1e-4)
    assert line["in_proportion"] == pytest.approx(0.75 * 1 + 0.25 * 0.8)
    assert line["rooms"]["read"] == {"possible": 100, "tried": 5, "killed": 4}


def chain_is_whole(lines):
    return all(json.loads(line)["above"] == looks.chain(lines[:i]) for i, line in enumerate(lines))


def test_no_first_look_was_changed_and_each_has_the_seed_of_its_commit():
    lines = looks.FIRST_LOOKS.read_text(encoding="utf-8").splitlines()
    assert chain_is_whole(lines)
    drawn, made = looks.first_looks(), looks.first_looks(by_hand=True)
    assert len(drawn) + len(made) == len(lines)
    assert [look["seed"] for look in drawn] == [int(look["commit"][:8], 16) for look in drawn]
    for kind in (drawn, made):
        assert len({look["commit"] for look in kind}) == len(kind)
        for look in kind:
            assert sum(room["killed"] for room in look["rooms"].values()) == look["killed"] <= look["tried"]
            assert sum(room["tried"] for room in look["rooms"].values()) == look["tried"]


def test_a_line_that_is_changed_later_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(looks, "FIRST_LOOKS", tmp_path / "looks.jsonl")
    for killed in (80, 90, 85):
        looks.write_down({"killed": killed})
    lines = looks.FIRST_LOOKS.read_text().splitlines()
    assert chain_is_whole(lines)
    assert not chain_is_whole([lines[0].replace("80", "88"), *lines[1:]])
    assert not chain_is_whole(lines[1:])


# The page


def test_the_page_of_the_battery_names_every_row_its_plants_and_nothing_failed():
    page = (ROOT / "docs" / "battery.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| .* \| (\d+) of (\d+) \| ([\d,]+) \| (\d+) \| [\d,]+ \|$", page, re.MULTILINE)
    assert [row[0] for row in rows] == [check.subject for check in CHECKS]
    assert [int(row[2]) for row in rows] == [len(check.planted) for check in CHECKS]
    assert [row for row in rows if row[1] != row[2] or int(row[4])] == []


def test_the_page_shows_every_first_look():
    page = (ROOT / "docs" / "battery.md").read_text(encoding="utf-8")
    assert "\n".join(looks.history()) in page
