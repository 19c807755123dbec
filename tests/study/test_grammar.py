"""The grammar of study files: every fault has its place and its sentence, all of them at once, and nothing is a traceback."""

import copy
import os
import random
import re
import tomllib

import pytest
from commands import ordeval
from studies import TASK, TRIAGE

import ordeval as oe
from ordeval.study._grammar import GATE, KEYS

SAMPLE = """\
study = 1
[data]
shape = "broad"
[missing]
anwser = "drop"
[judge]
seed = "7"
[ouput]
report = "x.html"
"""


def problems(change):
    """The lines for the first example with something changed in it."""
    data = tomllib.loads(TRIAGE)
    change(data)
    return [str(problem) for problem in oe.Study(data)._faults]


def test_all_problems_of_a_file_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(SAMPLE)
    said = """\
study.toml: 4 problems
  data.shape = "broad": choose wide, long, runs
  missing.anwser: no such key; did you mean answer?
  judge.seed: "7" is text; a whole number from 0 on is needed
  [ouput]: no such table; did you mean [output]?"""
    assert str(oe.Study.load("study.toml").validate()) == said
    done = ordeval("validate", "study.toml")
    assert (done.code, done.out) == (2, f"{said}\n")
    done = ordeval("score", "study.toml")
    assert (done.code, done.out, done.err) == (2, "", f"{said}\n")


def test_the_two_examples_pass():
    for text in (TRIAGE, TASK):
        assert oe.Study(tomllib.loads(text))._faults == ()


def put(place, value):
    def change(data):
        table, _, key = place.rpartition(".")
        (data.setdefault(table, {}) if table else data)[key] = value

    return change


def drop(place):
    def change(data):
        table, _, key = place.rpartition(".")
        del (data[table] if table else data)[key]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (drop("study"), ["study: missing; write study = 1, the format of this file"]),
        (put("study", 2), ["study = 2: written for a later ordeval; this one reads study = 1"]),
        (put("study", "1"), ['study: "1" is text; the number 1 is needed']),
        (put("frozen", 1), ["frozen: 1 is a whole number; true or false is needed"]),
        (put("titel", "x"), ["titel: no such key; did you mean title?"]),
        (put("files", "x.csv"), ["files: outside its table; write it below [data]"]),
        (put("data", "x.csv"), ['data: "x.csv" is text; a table is needed: [data]', "data.files: missing: the files with the rows"]),
        (put("gate", {"rule": "cem > 1"}), ['gate: { rule = "cem > 1" } is a table; write [[gate]] with a rule below it']),
        (drop("data.files"), ["data.files: missing: the files with the rows"]),
        (put("data.gold", "g.csv"), ['data.gold: only with shape = "runs"']),
        (put("data.max_rows", 0), ["data.max_rows: 0 is a whole number; a whole number from 1 on is needed"]),
        (put("data.encoding", "utf8"), ['data.encoding = "utf8": choose utf-8, utf-16, windows-1252, latin-1']),
        (drop("columns.true"), ["columns.true: missing: the column of true classes"]),
        (drop("columns.models"), ["columns.models: missing: the columns of answers, one for each model"]),
        (put("columns.true", ""), ["columns.true: empty; the name of a column is needed"]),
        (put("columns.models", []), ['columns.models: empty; a list of columns, or a table { name = "column" }, is needed']),
        (put("columns.models", ["nurse", "model", "nurse"]), ['columns.models: "nurse" is listed twice']),
        (put("columns.true", "nurse"), ['columns.models: "nurse" is the truth; a model has a column of its own']),
        (put("columns.by", ["site", "patient"]), ['columns: "patient" has two roles; each column has one']),
        (put("columns.pred", "p"), ["columns.pred: with a column for each model, list them in columns.models"]),
        (put("columns.proba", {"modell": ["a", "b", "c", "d"]}), ['columns.proba: "modell" is none of the models; did you mean model?']),
        (put("columns.proba", {"model": ["a", "b"]}), ['columns.proba: "model" has 2 columns, and there are 4 classes']),
        (put("columns.item", "i"), ["columns.rater: missing: item, rater and grade must be given together"]),
        (put("scale.labels", []), ["scale.labels: empty; put the classes in order, lowest first"]),
        (put("scale.edges", [0, 1]), ["scale.edges: cannot be given with scale.labels; give one of them"]),
        (put("scale.names", ["a"]), ["scale.names: 1 names for 4 classes"]),
        (put("reading.na", ["red"]), ['reading.na: "red" is also a class']),
        (put("reading.na", "NA"), ['reading.na: "NA" is text; a list of texts is needed']),
        (put("reading.decimal", ";"), ['reading.decimal = ";": choose ., ","']),
        (put("reading", {"decimal": ",", "thousands": ","}), ['reading.thousands: "," is the decimal sign too; give two different signs']),
        (put("reading.recode", {"Yelow": "yelow"}), ['reading.recode: "Yelow" = "yelow", which is not a class; did you mean yellow?']),
        (put("missing.answer", "wrnog"), ['missing.answer = "wrnog": choose error, drop, unanswered, wrong, or { as = LABEL }']),
        (put("missing.answer", ""), ['missing.answer = "": choose error, drop, unanswered, wrong, or { as = LABEL }']),
        (put("missing.answer", {"as": "gren"}), ['missing.answer: "gren" is not a class; did you mean green?']),
        (put("missing.answer", {"by": 1}), ["missing.answer: { by = 1 } is a table; { as = LABEL } is needed"]),
        (put("missing.truth", "wrong"), ['missing.truth = "wrong": choose error, drop']),
        (put("judge.primary", "bias"), ["judge.primary: bias has a target, not a direction, so it cannot decide; name another score"]),
        (put("judge.reference", "nures"), ['judge.reference: "nures" is none of the models; did you mean nurse?']),
        (put("judge.margin", -0.1), ["judge.margin: -0.1 is a decimal number; a number above 0 is needed"]),
        (put("judge.confidence_level", 95), ["judge.confidence_level: 95 is a whole number; a number between 0 and 1 is needed"]),
        (put("costs.table", [[0, 1], [1, 0]]), ["costs.table: 2 rows, and there are 4 classes"]),
        (put("costs.table", [[0, 1], [1]]), ["costs.table: 2 rows, and not as many numbers in each; a square table is needed, with the truth in rows",
                                             "costs.table: 2 rows, and there are 4 classes"]),
        *((put("costs.table", [[0, 1, 1, 1], [1, 0, 1, cost], [1, 1, 0, 1], [1, 1, 1, 0]]),
           ["costs.table: a cost below 0; costs are numbers from 0 on"]) for cost in (-1, -0.5, float("nan"), float("-inf"))),
        (put("costs.table", [[0, 1, 1, 1]] * 4), ["costs.table: a right answer costs 0: the diagonal must be zero"]),
        (put("output.report", "../r.html"), ['output.report: "../r.html" leaves the study\'s folder; name a place below it']),
        (put("output.report", "/tmp/r.html"), ['output.report: "/tmp/r.html" leaves the study\'s folder; name a place below it']),
        (put("output.report", "r.pdf"), ['output.report: "r.pdf": a report is HTML, Markdown or LaTeX; let its name end in .html, .md or .tex']),
        (put("output.force", True), ["output.force: no such key; there are report, json, junit, baseline, codabench"]),
        (drop("output.baseline"), ["gate 4: the baseline has no file; name one in output.baseline"]),
        (put("gate", [{}]), ['gate 1: no rule; write rule = "cem >= 0.7"']),
        (put("gate", [{"rule": "cem of modle > 0"}]), ['gate 1: "modle" is none of the models; did you mean model?']),
        (put("gate", [{"rule": "cem >= modle - 0.1"}]), ['gate 1: "modle" is none of the models; did you mean model?']),
        (put("gate", [{"rule": "cem > 0"}, {"rule": "cem of nures >= modle"}]),
         ['gate 2: "nures" is none of the models; did you mean nurse?', 'gate 2: "modle" is none of the models; did you mean model?']),
        (put("gate", [{"rule": "cem > 0", "each": "sites"}]), ['gate 1: each: "sites" is not in columns.by; did you mean site?']),
        (put("gate", [{"rule": "cem > 0", "models": ["modle"]}]),
         ['gate 1: models: "modle" is none of the models; did you mean model?']),
        (put("gate", [{"rule": "cem"}]), ["gate 1: rule: 'cem' is not a rule; write a score, a sign and a number: cem >= 0.7, or mae < 0.5 ci"]),
        (put("gate", [{"rule": "rps < 1"}]), ["gate 1: rps needs probabilities, and a rule is about classes; name another score"]),
    ],
)  # fmt: skip
def test_each_fault_has_its_place_and_its_sentence(change, said):
    assert problems(change) == said


def test_a_misspelt_metric_has_the_nearest_name():
    (said,) = problems(put("judge.metrics", ["acuracy"]))
    assert said.startswith("judge.metrics: ")
    assert "did you mean accuracy" in said


def test_labels_that_become_the_same_are_refused():
    data = tomllib.loads(TRIAGE)
    data["scale"]["labels"] = ["Low", "low", "low "]
    data["columns"].pop("proba")
    data["reading"] = {"case": "ignore", "space": "trim"}
    assert [str(p) for p in oe.Study(data)._faults] == [
        'reading.case: the classes "Low" and "low" become the same',
        'reading.space: the classes "low" and "low " become the same',
    ]


def test_long_and_runs_name_what_they_need():
    data = {"study": 1, "data": {"shape": "long"}, "columns": {"models": ["a"]}}
    assert [str(p) for p in oe.Study(data)._faults] == [
        "data.files: missing: the files with the rows",
        "columns.pred: missing: the column of answers",
        "columns.model: missing: the column that names the model",
        "columns.id: missing: the column of what is answered",
        "columns.true: missing: the column of true classes",
        'columns.models: only with shape = "wide"; name the column of models in columns.model',
    ]
    data = {"study": 1, "data": {"shape": "runs", "files": "a.csv"}}
    assert [str(p) for p in oe.Study(data)._faults] == [
        "data.gold: missing: the file with the true classes",
        "data.runs: missing: a file for each model",
        "columns.pred: missing: the column of answers, in every run",
        "columns.id: missing: the column by which runs and gold are joined",
        "columns.true: missing: the column of true classes",
        "data.files: a study of runs has data.gold and data.runs",
    ]


def test_a_study_of_raters_alone_needs_no_truth():
    assert oe.Study({"study": 1, "data": {"files": "e.csv"}, "columns": {"raters": ["ann", "bob"]}})._faults == ()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"study = 1\nstudy = 2\n", "study.toml: 1 problem\n  not TOML: Cannot overwrite a value (at line 2, column 10)"),
        (b"study = \n", "study.toml: 1 problem\n  not TOML: Invalid value (at line 1, column 9)"),
        (b"study = 1 # \xff", "study.toml: 1 problem\n  byte 13 is not UTF-8; save the file as UTF-8"),
        (b"", "study.toml: 4 problems\n  study: missing; write study = 1, the format of this file\n  "
              "data.files: missing: the files with the rows\n  columns.true: missing: the column of true classes\n  "
              "columns.models: missing: the columns of answers, one for each model"),
    ],
)  # fmt: skip
def test_what_is_no_toml_is_one_problem(raw, said, tmp_path):
    (tmp_path / "study.toml").write_bytes(raw)
    assert str(oe.Study.load(tmp_path / "study.toml").validate()) == said


def test_only_a_file_that_cannot_be_opened_raises(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        oe.Study.load("nothing.toml")
    done = ordeval("score", "nothing.toml")
    assert (done.code, done.err) == (2, "ordeval: nothing.toml: No such file or directory\n")


def test_what_is_written_is_read_again():
    for text in (TRIAGE, TASK):
        study = oe.Study(tomllib.loads(text))
        assert tomllib.loads(study.to_toml()) == study.data
    odd = {"study": 1, "title": 'a "b" \\ \n \x7f é', "scale": {"labels": [1.5, True, "x"], "edges": [0.0, float("inf")]},
           "reading": {"recode": {"ä b": "c", "nurse": {"x.y": "z"}}}}  # fmt: skip
    assert tomllib.loads(oe.Study(odd).to_toml()) == odd


# Fuzzed

ODD = [0, -1, 3.5, float("nan"), "", "x", "é\x00", True, [], [[]], [1, "a"], {}, {"a": {}}, ["a", "a"], 10**30, "cem >= 0.7",
       {"as": "red"}, [{}], [{"rule": 3}], "all", ["all"], "../x", "wide", "long", "runs"]  # fmt: skip


def misspelt(word, rng):
    at = rng.randrange(len(word))
    return word[:at] + rng.choice("xqz_") + word[at + 1 :] if rng.random() < 0.5 else word[:at] + word[at + 1 :] or "q"


def broken(rng):
    """An example with faults of known kinds, and the places that must be named."""
    data = copy.deepcopy(tomllib.loads(rng.choice([TRIAGE, TASK])))
    named = []
    for _ in range(rng.randrange(1, 6)):
        tables = [name for name in data if isinstance(data[name], dict) and data[name]]
        kind = rng.randrange(4)
        if kind == 0 or not tables:
            word = misspelt(rng.choice([*KEYS, *KEYS[""]][1:]), rng)
            if word not in data and word not in (*KEYS, *KEYS[""], "gate") and not any(word in keys for keys in KEYS.values()):
                data[word] = rng.choice([{"a": 1}, 1, "x"])
                named.append(word)
            continue
        table = rng.choice(tables)
        if kind == 1:
            word = misspelt(rng.choice(list(KEYS.get(table) or GATE)), rng)
            if table in KEYS and word not in KEYS[table] and word not in data[table]:
                data[table][word] = rng.choice(ODD)
                named.append(f"{table}.{word}")
        elif kind == 2:
            del data[table][rng.choice(list(data[table]))]
        else:
            data[table][rng.choice(list(data[table]))] = rng.choice(ODD)
    kept = [place for place in named if "." not in place or place.partition(".")[2] in data.get(place.partition(".")[0], {})]
    return data, kept


@pytest.mark.parametrize("part", range(4))
def test_broken_studies_name_every_fault_and_never_end_in_a_traceback(part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seed = int.from_bytes(os.urandom(4), "big")
    rng = random.Random(seed)
    for case in range(250):
        data, named = broken(rng)
        at = f"seed {seed}, case {case}: {data}"
        study = oe.Study(data)
        found = [problem.place for problem in study._faults]
        for place in named:
            assert any(place in one for one in found), f"{at}\n{place} is not named in {found}"
        assert len(set(study._faults)) == len(study._faults), at
        if found and case % 25 == 0:
            (tmp_path / "study.toml").write_text(study.to_toml(), encoding="utf-8")
            done = ordeval(rng.choice(["validate", "score", "check"]), "study.toml")
            assert (done.code, "Traceback" in done.err) == (2, False), f"{at}\n{done.err}"
            assert re.match(r"study.toml: \d+ problems?\n", done.out + done.err), at
        if not found:
            study.validate()  # the rows are not there, and that is a problem, not an error


def test_broken_text_is_a_problem_and_no_traceback(tmp_path):
    seed = int.from_bytes(os.urandom(4), "big")
    rng = random.Random(seed)
    for case in range(300):
        raw = bytearray(rng.choice([TRIAGE, TASK]).encode())
        for _ in range(rng.randrange(1, 8)):
            at = rng.randrange(len(raw))
            raw[at : at + rng.randrange(3)] = bytes(rng.randrange(256) for _ in range(rng.randrange(3)))
        (tmp_path / "study.toml").write_bytes(raw)
        try:
            study = oe.Study.load(tmp_path / "study.toml")
            str(study.validate())
        except Exception as error:
            raise AssertionError(f"seed {seed}, case {case}: {bytes(raw)!r}") from error
