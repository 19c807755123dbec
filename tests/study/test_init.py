"""`ordeval init`: every oddity at once, a study that asks what only people can answer, and never an order."""

import csv
import os
import random
import tomllib
from pathlib import Path

import numpy as np
import pytest
from commands import ordeval, triage, write_csv

import ordeval as oe
from ordeval.study._init import look
from ordeval.study._look import look_at

LABELS = ["green", "yellow", "orange", "red"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def messy(path="visits.csv"):
    """600 visits with seven oddities, and how often each was put in."""
    rng = random.Random(3)
    rows = []
    for i in range(600):
        truth = rng.choice(LABELS)
        nurse, model = (truth if rng.random() < share else rng.choice(LABELS) for share in (0.8, 0.85))
        urgency = f"{LABELS.index(truth) + 1}{'.0' if i % 5 < 2 else ''}"
        rows.append([i + 1, rng.randrange(1, 400), rng.choice(["harbour", "hill", "park"]), truth, nurse, model, urgency, "1,5"])
    for i in range(20):
        rows[25 + i * 25][4] += " "
    for i in range(12):
        rows[99 + i * 30][4] = rows[99 + i * 30][4].strip().capitalize()
    for i in range(5):
        rows[36 + i * 50][4] = "N/A"
    for i in range(4):
        rows[152 + i * 60][4] = "-"
    rows[32][5] = ""
    for i in range(0, 600, 3):
        rows[i][7] = "1"
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(
            [["visit", "patient", "site", "grade", "nurse", "model", "urgency", "weight"], *rows]
        )
    return rows


def answered(text, labels=LABELS, answer='"wrong"'):
    """The proposal with the two open questions answered."""
    lines = []
    for line in text.splitlines():
        if "# ?" in line and not line.startswith("#"):
            line = f"labels = {labels}" if line.startswith("labels") else f"answer = {answer}"
        lines.append(line)
    return "\n".join(lines)


def test_all_seven_oddities_at_once():
    rows = messy()
    done = ordeval("init", "visits.csv")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == 'visits.csv   CSV, delimiter ";", UTF-8, 600 rows, 8 columns'
    roles = {line.split()[0]: line.partition("→ ")[2] for line in lines if "→" in line}
    assert roles == {
        "visit": "id",
        "patient": "cluster",
        "site": "by",
        "grade": "true",
        "nurse": "model",
        "model": "model",
        "urgency": "not used",
        "weight": "not used",
    }
    assert "  nurse      4  values  the same, and 32 cells written otherwise  → model" in lines
    at = next(i for i, line in enumerate(lines) if line.startswith("Oddities: 7"))
    assert [" ".join(line.split()) for line in lines[at + 1 : at + 8]] == [
        f'nurse 20 × a space at the end ("{rows[25][4]}") 26 space = "trim"',
        f'nurse 12 × a capital ("{rows[99][4]}") 100 case = "ignore"',
        'nurse 5 × "N/A" 37 na = ["N/A", "-"]',
        'nurse 4 × "-" 153',
        "model 1 × blank 33 missing.answer: your choice",
        "urgency 240 × 2.0 beside 2 1 read as 2, noted",
        'weight 400 × a decimal comma ("1,5") 2 decimal = ",", if used',
    ]
    assert lines[-3:] == [
        'written: study.toml, with 2 open questions (marked "# ?"):',
        "  1  scale.labels: green, orange, red, yellow, which is lowest?",
        "  2  missing.answer: what does a blank count as?",
    ]


def test_the_study_is_valid_once_the_questions_are_answered_and_the_audit_counts_every_changed_cell():
    rows = messy()
    assert ordeval("init", "visits.csv").code == 0
    text = Path("study.toml").read_text(encoding="utf-8")
    assert "labels = []  # ? put in order, lowest first: green, orange, red, yellow" in text
    done = ordeval("validate", "study.toml")
    assert done.code == 2
    assert done.out.splitlines() == [
        "study.toml: 2 problems",
        '  missing.answer = "": choose error, drop, unanswered, wrong, or { as = LABEL }',
        "  scale.labels: empty; put the classes in order, lowest first",
    ]
    Path("study.toml").write_text(answered(text), encoding="utf-8")
    done = ordeval("validate", "study.toml")
    assert done.code == 0, done.out
    study = oe.Study.load("study.toml")
    changed = {one.column: dict(one.reasons) for one in study.counts.audit.read_as}
    spaces = sum(row[4] != row[4].strip() for row in rows)
    capitals = sum(row[4].strip() not in (*LABELS, "N/A", "-") for row in rows)
    assert (spaces, capitals) == (20, 12)
    assert set(changed) == {"nurse"}
    told = {reason: sum(found.values()) if isinstance(found, dict) else found for reason, found in changed["nurse"].items()}
    assert told == {"trimmed": 20, "in another case": 12, "as no answer": 9}
    assert "read as" in done.out
    assert study.counts["nurse"].audit.read == 600
    by_hand = {"N/A": None, "-": None}
    plain = [by_hand.get(row[4].strip(), row[4].strip().lower()) for row in rows]
    expected = oe.count([row[3] for row in rows], plain, labels=LABELS, missing="wrong")
    assert (study.counts["nurse"].matrix == expected.matrix).all()
    assert (study.counts["nurse"].unanswered == expected.unanswered).all()


def test_an_existing_study_is_kept():
    messy()
    Path("study.toml").write_text("mine")
    done = ordeval("init", "visits.csv")
    assert (done.code, done.err) == (2, "ordeval: study.toml exists already; pass --force to replace it\n")
    assert Path("study.toml").read_text() == "mine"
    assert ordeval("init", "visits.csv", "--force").code == 0
    assert ordeval("init", "visits.csv", "-o", "other.toml").code == 0


def test_whole_numbers_have_an_order_and_words_never():
    write_csv("whole.csv", [["id", "true", "pred"], *((i, i % 4, (i + i % 5 // 4) % 4) for i in range(80))])
    study = oe.Study.init("whole.csv")
    assert study.data["scale"] == {"labels": [0, 1, 2, 3]}
    assert study.validate() == oe.Study.init(["whole.csv"]).validate()
    write_csv("words.csv", [["id", "true", "pred"], *((i, ["low", "mid", "high"][i % 3], "low") for i in range(60))])
    assert oe.Study.init("words.csv").data["scale"] == {"labels": []}


def test_variants_that_spaces_and_capitals_do_not_explain_are_recoded():
    rows = [[i, LABELS[i % 4], LABELS[i % 4]] for i in range(80)]
    rows[1][2], rows[2][2], rows[5][2] = "yelow", "Orange", " yellow"
    write_csv("rows.csv", [["id", "true", "pred"], *rows])
    study = oe.Study.init("rows.csv", "study.toml")
    assert study.data["reading"] == {"recode": {"yelow": "yellow", "Orange": "orange", " yellow": "yellow"}}
    assert "green, orange, red, yellow" in study.text
    Path("study.toml").write_text(answered(study.text))
    found = oe.Study.load("study.toml")
    assert not found.validate()
    assert (found.counts.matrix == 20 * np.eye(4)).all()


def test_a_truth_that_cannot_be_told_is_a_question():
    write_csv("rows.csv", [["a", "b"], *((LABELS[i % 4], LABELS[(i + i % 3 // 2) % 4]) for i in range(60))])
    done = ordeval("init", "rows.csv")
    assert "columns.true: a, b, which is the truth?" in done.out
    said = ordeval("validate", "study.toml").out
    assert "columns.true" in said
    assert "columns.models" in said


def test_gold_and_runs(tmp_path):
    triage(tmp_path)
    os.mkdir("runs")
    for name in ("nurse", "model"):
        os.rename(f"{name}.csv", f"runs/{name}.csv")
    done = ordeval("init", "gold.csv", "runs/model.csv", "runs/nurse.csv", "-o", "task.toml")
    assert done.code == 0, done.err
    data = tomllib.loads(Path("task.toml").read_text())
    assert data["data"] == {"shape": "runs", "gold": "gold.csv", "runs": ["runs/model.csv", "runs/nurse.csv"]}
    assert data["columns"] == {"id": "id", "true": "true", "pred": "pred"}
    Path("task.toml").write_text(answered(Path("task.toml").read_text(), answer='"drop"'))
    assert ordeval("validate", "task.toml").code == 0
    assert "model" in ordeval("leaderboard", "task.toml").out


def shared_task(runs=6):
    """Grades of which the lowest is called "none", and runs of which one is in capitals and one has another column."""
    grades = ["none", "mild", "severe"]
    rng = random.Random(8)
    gold = [(f"d{i}", rng.choice(grades)) for i in range(90)]
    write_csv("gold.csv", [["id", "label"], *gold])
    os.mkdir("runs")
    for k in range(runs):
        rows = [(name, truth if rng.random() < 0.7 else rng.choice(grades)) for name, truth in gold]
        rows = [(name, answer.upper()) for name, answer in rows] if k == 2 else rows
        write_csv(f"runs/r{k}.csv", [["doc" if k == 4 else "id", "prediction"], *rows])
    return ["gold.csv", *(f"runs/r{k}.csv" for k in range(runs))]


def test_a_broken_run_is_asked_about_and_runs_alike_are_shown_once():
    done = ordeval("init", *shared_task())
    assert done.code == 0, done.err
    assert "runs/r0.csv and 4 more   CSV" in done.out
    assert "data.runs: runs/r4.csv has no column id, it has doc, prediction: correct it, or leave it out?" in done.out
    text = Path("study.toml").read_text()
    data = tomllib.loads(text)
    assert data["columns"] == {"id": "id", "true": "label", "pred": "prediction"}
    assert data["reading"] == {"case": "ignore"}  # the run in capitals


def test_a_frequent_word_is_a_class_although_it_could_mean_nothing():
    ordeval("init", *shared_task())
    text = Path("study.toml").read_text()
    assert "lowest first: mild, none, severe" in text
    assert "na =" not in text
    rows = [("mild", "mild"), ("severe", "severe"), ("mild", "severe")] * 30
    write_csv("few.csv", [["truth", "model"], *rows, ("mild", "none")])
    ordeval("init", "few.csv", "-o", "few.toml")
    assert tomllib.loads(Path("few.toml").read_text())["reading"]["na"] == ["none"]


def test_a_word_that_one_column_alone_has_does_not_make_it_the_truth():
    rows = [(LABELS[i % 4], LABELS[(i + i % 3 // 2) % 4], "k.A." if i == 7 else LABELS[i % 4]) for i in range(60)]
    write_csv("named.csv", [["Referenz", "Leser 1", "Leser 2"], *rows])
    done = ordeval("init", "named.csv", "-o", "named.toml")
    data = tomllib.loads(Path("named.toml").read_text())
    assert data["columns"] == {"true": "Referenz", "models": ["Leser 1", "Leser 2"]}
    assert 'Leser 2: no row has the truth "k.A."; is that a class, or no answer?' in done.out
    write_csv("unnamed.csv", [["eins", "zwei", "drei"], *rows])
    assert "columns.true: drei, eins, zwei, which is the truth?" in ordeval("init", "unnamed.csv", "-o", "unnamed.toml").out


def test_grades_with_a_decimal_comma_are_whole_numbers():
    rows = [(f"{1 + i % 3},0", f"{1 + (i + i % 4 // 3) % 3}" if i % 2 else f" {1 + i % 3},0") for i in range(60)]
    Path("rows.csv").write_text("truth;model\n" + "".join(f"{a};{b}\n" for a, b in rows))
    assert ordeval("init", "rows.csv").code == 0
    data = tomllib.loads(Path("study.toml").read_text())
    assert data["scale"]["labels"] == [1, 2, 3]
    assert data["reading"] == {"space": "trim", "decimal": ","}
    assert ordeval("validate", "study.toml").code == 0


def test_a_leaderboard_says_everything_that_is_wrong_with_the_runs_at_once():
    gold, *runs = shared_task()
    done = ordeval("leaderboard", gold, *runs, "--true", "label", "--pred", "prediction", "--labels", "none,mild,severe")
    assert done.code == 3
    assert "2 of 6 runs cannot be judged" in done.err
    assert 'r4.csv   no column "id"' in done.err
    assert "--case ignore" in done.err


def test_remedies_are_spelt_as_the_study_spells_them():
    gold, *runs = shared_task()
    ordeval("init", gold, *runs)
    text = answered(Path("study.toml").read_text(), labels=["none", "mild", "severe"]).replace('case = "ignore"', "")
    Path("study.toml").write_text(text)
    said = ordeval("validate", "study.toml").out
    assert 'reading.case = "ignore"' in said
    assert "Reading(" not in said


def test_paths_are_relative_to_the_study():
    os.mkdir("sub")
    messy("sub/visits.csv")
    assert ordeval("init", "sub/visits.csv", "-o", "sub/study.toml").code == 0
    assert tomllib.loads(Path("sub/study.toml").read_text())["data"]["files"] == "visits.csv"
    assert ordeval("init", "sub/visits.csv").code == 0
    assert tomllib.loads(Path("study.toml").read_text())["data"]["files"] == "sub/visits.csv"


def test_how_a_file_is_read_goes_into_the_study(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    rows = [(i, LABELS[i % 4], LABELS[(i + i % 3 // 2) % 4]) for i in range(60)]
    book = openpyxl.Workbook()
    book.active.title = "notes"
    sheet = book.create_sheet("ratings")
    for row in [("case", "panel", "reader"), *rows]:
        sheet.append(row)
    book.save("rows.xlsx")
    done = ordeval("init", "rows.xlsx")
    assert (done.code, "say which: --sheet" in done.err) == (2, True), done.err
    done = ordeval("init", "rows.xlsx", "--sheet", "ratings")
    assert (done.code, "Excel workbook, 60 rows" in done.out) == (0, True), done.err
    text = Path("study.toml").read_text()
    assert tomllib.loads(text)["data"] == {"files": "rows.xlsx", "sheet": "ratings"}
    assert "lowest first: green, orange, red, yellow" in text  # although it is open which column is the truth
    text = text.replace('true = ""', 'true = "panel"').replace("models = []", 'models = ["reader"]')
    Path("study.toml").write_text(
        answered(text.replace('"panel"  # ?', '"panel"  #').replace('["reader"]  # ?', '["reader"]  #'))
    )
    assert ordeval("validate", "study.toml").code == 0
    lines = ["case,panel,reader", *(f"{n},{a},{b}" for n, a, b in rows)]
    Path("latin.csv").write_text("\n".join(lines).replace("r", "ü") + "\n", encoding="latin-1")
    assert ordeval("init", "latin.csv", "-o", "other.toml").code == 3
    assert oe.Study.init("latin.csv", "other.toml", encoding="latin-1").data["data"] == {
        "files": "latin.csv",
        "encoding": "latin-1",
    }


@pytest.mark.parametrize(
    ("text", "code"),
    [("", 3), ("a,b\n", 3), ("a\n1\n2\n", 0), ("a,a\n1,2\n", 3), ("a,b\n1,2\n3\n", 3)],
)
def test_odd_files_end_in_a_sentence(text, code):
    Path("rows.csv").write_text(text)
    done = ordeval("init", "rows.csv")
    assert (done.code, "Traceback" in done.err) == (code, False), done.err
    assert code == 0 or done.err.startswith("ordeval: ")


def test_what_the_rows_hold_stays_inside_strings_and_comments():
    hostile = ['x"\n[output]\nreport = "/etc/x"', "y\x1b[31m # ?", "z\\", "]"]
    rows = [[i, hostile[i % 4], hostile[(i + i % 3 // 2) % 4], f'"{i % 3}"\nstudy = 2'] for i in range(60)]
    write_csv("rows.csv", [["id", "true", 'pr"ed [x]', "site\u202e"], *rows])
    done = ordeval("init", "rows.csv")
    assert done.code == 0, done.err
    data = tomllib.loads(Path("study.toml").read_text(encoding="utf-8"))
    assert set(data) == {"study", "data", "columns", "scale", "judge"}
    assert data["columns"]["models"] == ['pr"ed [x]']
    assert data["columns"]["by"] == ["site\u202e"]
    assert "\x1b" not in done.out


def long_file(path, who="system", seed=0, lost=0):
    """A file with a row for each answer, in no order; and the same answers with a column for each model."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, 90)
    models = {name: np.clip(truth + rng.integers(-1, 2, 90), 1, 5) for name in ("hare", "tortoise", "fox")}
    rows = [[f"q{i}", name, answers[i], truth[i]] for name, answers in models.items() for i in range(90)]
    kept = rng.permutation(len(rows))[lost:]
    write_csv(path, [["question", who, "reply", "truth"], *(rows[i] for i in kept)])
    return truth, models


@pytest.mark.parametrize("seed", range(3))
def test_a_row_for_each_answer_is_seen(seed):
    """Taken for one model, three models would be judged as one with three times the rows."""
    truth, models = long_file("long.csv", seed=seed)
    ordeval("init", "long.csv")
    study = oe.Study.load("study.toml")
    assert tomllib.loads(Path("study.toml").read_text())["columns"] == {
        "true": "truth",
        "pred": "reply",
        "model": "system",
        "id": "question",
    }
    counts = study.counts
    for name, answers in models.items():
        assert (counts.table("true", name) == oe.count(truth, answers, labels=range(1, 6)).matrix).all()


def test_a_few_answers_may_be_lost():
    long_file("long.csv", lost=9)
    found = look(["long.csv"])
    assert 'shape = "long"' in found.toml
    assert "counts as (without a row 9)" in found.toml, "nine rows are missing, and somebody must say what that means"
    long_file("long.csv", lost=60)
    assert 'shape = "long"' not in look(["long.csv"]).toml


def test_who_answered_is_asked_where_no_name_says_it():
    """Three visits of every patient look the same as three models."""
    long_file("long.csv", who="visit_number")
    found = look(["long.csv"])
    assert [question.partition(":")[0] for question in found.questions] == ["data.shape"]
    assert '# long: pred = "reply", model = "visit_number", id = "question"' in found.toml


def test_a_wide_file_with_groups_is_not_taken_for_a_long_one():
    rng = np.random.default_rng(0)
    rows = [
        [f"q{i}", f"team {i % 4}", t, int(np.clip(t + rng.integers(-1, 2), 1, 5))] for i, t in enumerate(rng.integers(1, 6, 80))
    ]
    write_csv("wide.csv", [["question", "team", "truth", "reply"], *rows])
    assert "shape" not in look(["wide.csv"]).toml


def test_names_of_the_table_of_oddities_stand_above_its_columns():
    messy()
    lines = ordeval("init", "visits.csv").out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("Oddities: "))
    for line in lines[at + 1 : at + 4]:
        where = lines[at].index("first in row") + len("first in row")
        assert line[where - 1].isdigit()
        assert line[where : where + 2] == lines[at][where : where + 2] == "  "
        assert line[where + 2] != " " == line[where + 1]
    assert lines[at].endswith("proposed")


def test_an_oddity_of_several_files_is_shown_once_with_all_its_cells_and_where_it_is_first():
    write_csv("gold.csv", [["id", "true"], *((f"d{i}", LABELS[i % 4]) for i in range(40))])
    spaces, capitals, dashes = {"a": [3, 5], "b": [4], "c": [6, 7, 9]}, {"b": [8], "c": [10, 11]}, {"a": [20], "b": [21, 22]}
    for name in "abc":
        answers = [LABELS[i % 4] for i in range(40)]
        for i in spaces.get(name, []):
            answers[i] += " "
        for i in capitals.get(name, []):
            answers[i] = answers[i].upper()
        for i in dashes.get(name, []):
            answers[i] = "-"
        write_csv(f"{name}.csv", [["id", "pred"], *((f"d{i}", answer) for i, answer in enumerate(answers))])
    found = look(["gold.csv", "a.csv", "b.csv", "c.csv"])
    lines = str(found).splitlines()
    at = lines.index(next(line for line in lines if line.startswith("Oddities: 3")))
    assert sorted(" ".join(line.split()) for line in lines[at + 1 : at + 4]) == [
        'pred 3 × "-" 21 of a.csv na = ["-"]',
        'pred 3 × a capital ("GREEN") 9 of b.csv case = "ignore"',
        'pred 6 × a space at the end ("red ") 4 of a.csv space = "trim"',
    ]
    each = [[oddity.times for oddity in one.oddities if oddity.kind == "space"] for one in found.looks]
    assert each == [[], [2], [1], [3]]


def test_columns_without_a_role_are_named():
    rows = [(i, LABELS[i % 4], LABELS[i * 7 % 4], f"a note of its own, {i}.", "x") for i in range(60)]
    write_csv("rows.csv", [["id", "true", "pred", "remark", "batch"], *rows])
    study = oe.Study.init("rows.csv")
    named = {study.data["columns"]["true"], study.data["columns"]["id"], *study.data["columns"]["models"]}
    assert named == {"id", "true", "pred"}
    (line,) = [line for line in study.text.splitlines() if line.startswith("# not used:")]
    assert line == "# not used: remark, batch"


def test_files_with_the_same_columns_are_one_table():
    for name in "abc":
        write_csv(f"{name}.csv", [["id", "true", "pred"], *((f"{name}{i}", i % 4, (i + i % 3 // 2) % 4) for i in range(30))])
    data = oe.Study.init(["a.csv", "b.csv", "c.csv"]).data
    assert data["data"]["files"] == ["a.csv", "b.csv", "c.csv"]
    assert data["columns"] == {"true": "true", "models": ["pred"], "id": "id"}


def test_a_truth_of_which_every_class_occurs_once_is_no_id():
    """Runs that repeat the truth, and a gold so small that its classes are as distinct as its ids."""
    truth = [("d1", 1), ("d2", 2), ("d3", 3)]
    write_csv("gold.csv", [["id", "true"], *truth])
    for name in "ab":
        write_csv(f"{name}.csv", [["id", "true", "pred"], *((id, true, 1 + true % 3) for id, true in truth)])
    assert oe.Study.init(["gold.csv", "a.csv", "b.csv"]).data["columns"]["true"] == "true"


@pytest.mark.parametrize("seed", range(3))
def test_cells_that_mean_nothing_are_in_no_class(seed):
    rng = random.Random(seed)
    cells = [rng.choice([*LABELS, *LABELS, "N/A", "", " red"]) for _ in range(80)]
    write_csv("rows.csv", [["id", "pred"], *enumerate(cells)])
    values = look_at(["rows.csv"], "rows.csv", oe.Reading()).clean["pred"]
    meant = [None if place < 0 else values.texts[place] for place in values.places.tolist()]
    assert meant == [None if cell in ("N/A", "") else cell.strip() for cell in cells]
