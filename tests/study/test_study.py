"""Study files: the two examples of the specification with every command, and what results say of the file."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import ordeval, write_csv
from junitparser import JUnitXml
from studies import TRIAGE, sha256, task, triage

import ordeval as oe
from ordeval.study._judging import _wants_probabilities


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


SMALL = """\
study = 1
[data]
files = "rows.csv"
[columns]
true = "y"
models = { old = "a", new = "b" }
by = ["site"]
[scale]
labels = [0, 1, 2]
[judge]
metrics = ["mae"]
[[gate]]
rule = "cem of new >= 0.5"
name = "good enough"
[[gate]]
rule = "cem of new >= 0.999"
[[gate]]
rule = "mae of new <= baseline + 0.01"
[output]
baseline = "baseline.json"
"""


def small(text=SMALL, n=90, name="small.toml"):
    rows = [(i % 3, min(i % 3 + (i % 4 == 0), 2), min(i % 3 + (i % 9 == 0), 2), "xy"[i % 2]) for i in range(n)]
    write_csv("rows.csv", [["y", "a", "b", "site"], *rows])
    Path(name).write_text(text, encoding="utf-8")
    return name


# The two complete examples


@pytest.mark.slow
def test_two_models_with_sites_and_patients_by_every_command(folder):
    triage(folder)
    mark = f"study:{sha256('study.toml')[:12]}"
    assert subprocess.run(["sha256sum", "study.toml"], capture_output=True, text=True, check=True).stdout.startswith(mark[6:])
    for command in (
        ["validate"],
        ["score"],
        ["compare"],
        ["leaderboard"],
        ["report"],
        ["check"],
        ["plan", "--difference", "0.02"],
    ):
        done = ordeval(command[0], "study.toml", *command[1:])
        assert (done.code, "Traceback" in done.err) == (0, False), (command, done.err)
        if command[0] in ("score", "compare", "leaderboard"):
            assert mark in done.out, command
    page = Path("report.html").read_text(encoding="utf-8")
    assert sha256("study.toml") in page
    assert "were fixed in a study file (SHA-256" in page
    assert "beforehand" not in page
    assert "Triage: nurse or model?" in page  # the text of the study stands in the report
    done = ordeval("check", "study.toml", "--format", "json")
    data = json.loads(done.out)
    assert [rule["outcome"] for rule in data["rules"]] == ["pass"] * 5 + ["skipped"]
    assert data["settings"]["study"] == {"sha256": sha256("study.toml")}
    first = data["rules"][0]
    assert round(first["value"], 3) == 0.876
    assert 0.8 < first["low"] < first["value"] < first["high"]
    assert [round(rule["value"], 3) for rule in data["rules"][2:5]] == [0.879, 0.873, 0.871]
    assert ordeval("check", "study.toml", "--accept").code == 0
    assert [r["outcome"] for r in json.loads(ordeval("check", "study.toml", "--format", "json").out)["rules"]] == ["pass"] * 6


def test_the_example_in_python(folder):
    study = oe.Study.load(triage(folder))
    assert not study.validate()
    assert study.hash == sha256("study.toml")
    assert study.signature == f"study:{study.hash[:12]}"
    assert study.counts.audit.read == 2400
    assert study.counts.models == ("nurse", "model")
    board = study.leaderboard()
    assert board.models == ("model", "nurse")
    assert round(board.scores("model")["cem"], 3) == 0.876
    assert round(board.scores("nurse")["cem"], 3) == 0.855


@pytest.mark.slow
def test_a_shared_task_of_twenty_runs_by_every_command(folder):
    task(folder)
    mark = f"study:{sha256('task.toml')[:12]}"
    for command in (["validate"], ["score"], ["leaderboard"], ["plan", "--half-width", "0.05", "--pred", "pred"]):
        done = ordeval(command[0], "task.toml", *command[1:])
        if command[0] == "plan":  # twenty models are no pair
            assert (done.code, "Traceback" in done.err) == (3, False)
            continue
        assert (done.code, "Traceback" in done.err) == (0, False), (command, done.err)
        assert command[0] == "validate" or mark in done.out
    assert sorted(os.listdir("scores")) == sorted(f"team{i}" for i in range(20))
    data = json.loads(ordeval("leaderboard", "task.toml", "--format", "json", "--force").out)
    systems = {one["system"]: one for one in data["systems"]}
    assert (systems["team1"]["missing"], systems["team2"]["missing"], systems["team2"]["strays"]) == (4, 1, 1)
    assert list(data["systems"][0]["scores"]) == ["cem", "amae", "cohen_kappa"]


# Overrides, frozen, hash


def test_classes_of_a_file_override_those_of_the_study(folder):
    small()
    Path("classes.txt").write_text("\ufeff0\n1\n\n2\n3\n", encoding="utf-8")
    given, listed = (
        json.loads(ordeval("score", "small.toml", "--labels", text, "--format", "json").out)
        for text in ("@classes.txt", "0,1,2,3")
    )
    assert "scale.labels = [0, 1, 2, 3]" in str(given["models"]["new"]["settings"]["study"]["overridden"])
    assert given == listed


def test_an_override_is_said_and_counted_in_the_signature(folder):
    small()
    plain = oe.Study.load("small.toml")
    changed = plain.override({"judge.seed": 3, "missing.answer": "drop"})
    assert changed.overrides == (
        "overridden in the call: judge.seed = 3 (study: not given)",
        'overridden in the call: missing.answer = "drop" (study: not given)',
    )
    assert (changed.hash, changed.signature) == (plain.hash, f"{plain.signature}+2")
    assert changed.evaluate()["new"].signature.endswith(f"{plain.signature}+2")
    assert plain.overrides == ()
    done = ordeval("score", "small.toml", "--missing", "drop")
    assert 'overridden on the command line: missing.answer = "drop" (study: not given)' in done.out
    done = ordeval("score", "small.toml", "--missing", "drop", "--format", "json")
    said = json.loads(done.out)["models"]["new"]["settings"]["study"]
    assert said["overridden"] == ['overridden on the command line: missing.answer = "drop" (study: not given)']
    done = ordeval("report", "small.toml", "--missing", "drop", "-o", "page.md")
    assert done.code == 0
    assert "overridden on the command line: missing.answer" in Path("page.md").read_text().replace("\\", "")


def test_settings_of_the_study_are_those_of_its_intervals(folder):
    judge = "[judge]\nseed = 7\nn_resamples = 499\nconfidence_level = 0.9\n"
    study = oe.Study.load(small(SMALL.replace("[judge]\n", judge)))
    asked = {"confidence_level": 0.9, "n_resamples": 499, "rng": 7}
    assert study.settings() == asked
    assert study.settings("rng", "method") == {"rng": 7}
    assert study.evaluate()["new"].settings.items() >= asked.items()


def test_an_option_with_the_value_of_the_study_is_no_override(folder):
    small(SMALL.replace('metrics = ["mae"]', 'metrics = ["mae"]\nseed = 4'))
    assert "overridden" not in ordeval("score", "small.toml", "--seed", "4").out
    assert "overridden" in ordeval("score", "small.toml", "--seed", "5").out


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("written", ["labels = [0, 1, 2]", "edges = [0, 1, 2, 3]"])
@pytest.mark.parametrize("option", ["--labels 2,0,1", "--edges 0,2,5"])
def test_classes_of_the_command_line_take_the_place_of_those_of_the_study_however_they_are_named(
    folder, command, written, option
):
    write_csv("rows.csv", [["y", "a", "b"], *((i % 3, i * i % 3, (i + i // 4) % 3) for i in range(40))])
    Path("study.toml").write_text(
        'study = 1\n[data]\nfiles = "rows.csv"\n[columns]\ntrue = "y"\nmodels = ["a", "b"]\n'
        f'[scale]\n{written}\n[judge]\nprimary = "mae"\nmetrics = ["mae"]\nn_resamples = 400\n',
        encoding="utf-8",
    )
    words = ["--metrics", "mae", "--n-resamples", "400", *(["--primary", "mae"] if command == "compare" else [])]
    found = ordeval(command, "study.toml", *option.split(), "--format", "csv")
    alone = ordeval(command, "rows.csv", "--true", "y", "--pred", "a", "--pred", "b", *option.split(), *words, "--format", "csv")
    assert (found.code, found.out) == (0, alone.out), found.err


def test_a_frozen_study_refuses_what_changes_the_judgement_and_nothing_else(folder):
    small(f"frozen = true\n{SMALL}")
    done = ordeval("score", "small.toml", "--missing", "drop")
    assert (done.code, done.err) == (
        2,
        "ordeval: small.toml is frozen: missing.answer cannot be overridden; copy the file, change the copy, and give the copy\n",
    )
    assert ordeval("score", "small.toml", "--format", "json", "-o", "out.json").code == 0
    assert ordeval("check", "small.toml", "--rule", "cem >= 0.1").code == 2
    with pytest.raises(oe.ArgumentError, match="is frozen: columns.by cannot be overridden"):
        oe.Study.load("small.toml").override({"columns.by": None})


def test_an_override_of_nothing_known_is_refused(folder):
    small()
    with pytest.raises(oe.ArgumentError, match=r"'missing.anwser' is not a key of a study; did you mean missing.answer"):
        oe.Study.load("small.toml").override({"missing.anwser": "drop"})


def test_methods_say_where_the_classes_come_from(folder):
    small(f'registered = "osf.io/abcde"\n{SMALL}')
    study = oe.Study.load("small.toml")
    page = study.evaluate()["new"].to_html()
    fixed = "The classes, the treatment of missing answers and the deciding score were fixed in a study file (SHA-256 "
    assert f"{fixed}{study.hash}, registered at osf.io/abcde)." in page
    given = oe.evaluate([0, 1, 2] * 20, [0, 1, 1] * 20, labels=[0, 1, 2]).to_html()
    assert "given with the call" in given
    assert "beforehand" not in page + given
    assert "SHA-256 " not in given.replace("counts, SHA-256", "")


def test_the_hash_is_of_the_bytes_and_changes_with_a_comment(folder):
    small()
    before = oe.Study.load("small.toml").hash
    assert before == hashlib.sha256(Path("small.toml").read_bytes()).hexdigest()
    Path("small.toml").write_text(f"{SMALL}# a word\n")
    assert oe.Study.load("small.toml").hash != before
    assert (
        oe.Study(oe.Study.load("small.toml").data).hash
        == hashlib.sha256(oe.Study.load("small.toml").to_toml().encode()).hexdigest()
    )


# Rows


def test_models_have_the_names_that_the_study_gives_them(folder):
    small()
    counts = oe.Study.load("small.toml").counts
    assert counts.models == ("old", "new")
    assert (counts["old"].matrix == oe.scan("rows.csv", true="y", pred="a", labels=[0, 1, 2]).matrix).all()


def test_paths_are_relative_to_the_study(folder):
    os.mkdir("sub")
    os.chdir("sub")
    small()
    os.chdir("..")
    study = oe.Study.load("sub/small.toml")
    assert not study.validate()
    assert study.report("page.md") == "page.md"
    done = ordeval("check", "sub/small.toml", "--rule", "cem >= 0.1", "--accept")
    assert done.code == 0
    assert os.path.exists("sub/baseline.json")


def test_one_file_twice_is_a_problem(folder):
    small(SMALL.replace('"rows.csv"', '["rows.csv", "link.csv"]'))
    os.symlink("rows.csv", "link.csv")
    assert str(oe.Study.load("small.toml").validate()) == (
        "small.toml: 1 problem\n  1 file listed twice (link.csv is rows.csv); name every file once"
    )


def test_an_id_that_stands_twice_is_a_problem(folder):
    small(SMALL.replace('true = "y"', 'true = "y"\nid = "a"'))
    assert str(oe.Study.load("small.toml").validate()) == (
        "small.toml: 1 problem\n  rows.csv: 3 ids occur twice (1, 2, 0), rows 1 and 2"
    )


def test_what_is_wrong_with_rows_names_the_keys_of_the_study(folder):
    small(SMALL.replace("labels = [0, 1, 2]", "labels = [0, 1]"))
    problems = oe.Study.load("small.toml").validate()
    assert problems.of_rows
    assert "scale.labels" in str(problems) or "is not a class" in str(problems)
    assert "labels=" not in str(problems)


def test_a_long_file(folder):
    small()
    long = [["item", "who", "y", "p"]]
    for i in range(90):
        long += [[i, "old", i % 3, min(i % 3 + (i % 4 == 0), 2)], [i, "new", i % 3, min(i % 3 + (i % 9 == 0), 2)]]
    write_csv("long.csv", long)
    data = {
        "study": 1,
        "data": {"shape": "long", "files": "long.csv"},
        "columns": {"true": "y", "pred": "p", "model": "who", "id": "item"},
        "scale": {"labels": [0, 1, 2]},
    }
    found = oe.Study(data).counts
    wide = oe.Study.load("small.toml").counts
    for model in ("old", "new"):
        assert (found[model].matrix == wide[model].matrix).all()


@pytest.mark.parametrize("named", [{}, {"cluster": "doc"}, {"by": "site"}, {"by": ["site", "half"], "cluster": "doc"}])
def test_a_study_of_runs_gives_the_leaderboard_of_the_same_files_and_columns(folder, named):
    rows = [(f"d{i}", i % 3, "xy"[i % 2], i > 60, i // 5) for i in range(120)]
    write_csv("gold.csv", [["id", "true", "site", "half", "doc"], *rows])
    for run, often in (("a", 4), ("b", 9)):
        answers = [(name, min(true + (i // 5 % often == 0), 2)) for i, (name, true, *_) in enumerate(rows)]
        write_csv(f"{run}.csv", [["id", "pred"], *answers])
    data = {
        "study": 1,
        "data": {"shape": "runs", "gold": "gold.csv", "runs": ["a.csv", "b.csv"]},
        "columns": {"id": "id", "true": "true", "pred": "pred", **named},
        "scale": {"labels": [0, 1, 2]},
        "judge": {"metrics": ["mae"], "n_resamples": 400, "seed": 3},
    }
    same = {"labels": [0, 1, 2], "metrics": ["cem", "mae"], "n_resamples": 400, "rng": 3}
    found, wanted = oe.Study(data).leaderboard(), oe.leaderboard("gold.csv", ["a.csv", "b.csv"], **named, **same)
    assert found.counts.cluster == named.get("cluster")
    assert list(found.groups) == list(wanted.groups)
    for mine, theirs in ((found, wanted), *zip(found.groups.values(), wanted.groups.values(), strict=True)):
        assert mine.unit == theirs.unit
        assert mine.ranks.to_dict() == theirs.ranks.to_dict()
        assert mine.to_dict()["systems"] == theirs.to_dict()["systems"]


@pytest.mark.slow
def test_probabilities_are_used_where_a_score_needs_them(folder):
    triage(
        folder,
        TRIAGE.replace("frozen = true", "")
        .replace('"oci"]', '"oci", "rps_skill"]')
        .replace('answer = "wrong"', 'answer = "drop"'),
    )
    found = oe.Study.load("study.toml").override({"columns.cluster": None, "columns.by": None, "gate": None}).evaluate()
    assert "rps_skill" in found["model"].scores
    assert "rps_skill" not in found["nurse"].scores
    data = oe.load_example("triage")
    proba = [[float("nan") if p is None else p for p in row] for row in zip(*(data[f"p_{c}"] for c in ("green", "yellow", "orange", "red")), strict=True)]  # fmt: skip
    same = oe.evaluate(data["grade"], data["model"], proba=proba, labels=["green", "yellow", "orange", "red"], missing="drop", metrics=["rps_skill"])  # fmt: skip
    assert found["model"]["rps_skill"].value == same["rps_skill"].value


@pytest.mark.parametrize("with_proba", [["old"], ["old", "new"], ["old", "new", "third"]])
def test_a_model_without_probabilities_is_compared_all_the_same(folder, with_proba):
    """Then by labels alone; scores of probabilities are there where every model has them."""
    models = {"old": 4, "new": 9, "third": 6}
    columns = {model: [f"{model}_{c}" for c in range(3)] for model in with_proba}
    rows = [["y", *models, *(name for each in columns.values() for name in each)]]
    for i in range(90):
        answers = {model: min(i % 3 + (i % often == 0), 2) for model, often in models.items()}
        proba = [0.8 if c == answers[model] else 0.1 for model in columns for c in range(3)]
        rows.append([i % 3, *answers.values(), *proba])
    write_csv("rows.csv", rows)
    data = {
        "study": 1,
        "data": {"files": "rows.csv"},
        "columns": {"true": "y", "models": list(models), "proba": columns},
        "scale": {"labels": [0, 1, 2]},
        "judge": {"metrics": ["mae", "rps"], "n_resamples": 400},
    }
    found = oe.Study(data).compare()
    assert list(found.evaluations) == list(models)
    scores = ["cem", "mae", *(["rps"] if len(with_proba) == 3 else [])]
    assert {pair: list(differences) for pair, differences in found.differences.items()} == {
        ("old", "new"): scores,
        ("old", "third"): scores,
        ("new", "third"): scores,
    }


def test_costs_of_ones_own(folder):
    small(f"{SMALL}[costs]\ntable = [[0, 1, 4], [1, 0, 1], [9, 1, 0]]\n")
    study = oe.Study.load("small.toml")
    assert study.costs.tolist() == [[0, 1, 4], [1, 0, 1], [9, 1, 0]]
    assert oe.Study({"study": 1}).costs is None


def test_raters_take_a_study(folder):
    write_csv("essays.csv", [["ann", "bob"], *((1 + i % 3, 1 + (i + (i % 5 == 0)) % 3) for i in range(60))])
    Path("raters.toml").write_text(
        'study = 1\n[data]\nfiles = "essays.csv"\n[columns]\nraters = ["ann", "bob"]\n[scale]\nlabels = [1, 2, 3]\n'
    )
    done = ordeval("raters", "raters.toml")
    plain = ordeval("raters", "essays.csv", "--raters", "ann", "--raters", "bob", "--labels", "1,2,3")
    assert (done.code, done.out) == (0, plain.out)
    small()
    assert (
        ordeval("raters", "small.toml").err
        == "ordeval: small.toml names no raters; name them in columns.raters, or columns.item, rater and grade\n"
    )


# Gates


def test_gates_of_a_study_in_junit(folder):
    small()
    done = ordeval("check", "small.toml", "--format", "junit")
    assert done.code == 1
    Path("out.xml").write_text(done.out, encoding="utf-8")
    read = JUnitXml.fromfile("out.xml")
    assert (read.tests, read.failures, read.errors, read.skipped) == (3, 1, 0, 1)
    assert [case.name for suite in read for case in suite] == [
        "good enough",
        "cem of new >= 0.999",
        "mae of new <= baseline + 0.01",
    ]


def test_a_baseline_is_accepted_only_when_all_rules_hold(folder):
    small()
    done = ordeval("check", "small.toml", "--accept")
    assert (done.code, os.path.exists("baseline.json")) == (1, False)
    assert "the baseline stays as it is: not all rules hold" in done.out
    small(SMALL.replace("0.999", "0.1"))
    done = ordeval("check", "small.toml", "--accept")
    assert (done.code, "new baseline written: baseline.json" in done.out) == (0, True)
    kept = json.loads(Path("baseline.json").read_text())
    assert kept["scores"]["new"][""]["mae"] == oe.Study.load("small.toml").evaluate()["new"]["mae"].value
    assert kept["study"] == sha256("small.toml")
    assert "skip" not in ordeval("check", "small.toml").out


KEEPING = (
    SMALL[: SMALL.index("[[gate]]")].replace('by = ["site"]', 'by = ["site", "half"]')
    + """\
n_resamples = 400
[[gate]]
rule = "mae <= baseline"
[[gate]]
rule = "mae <= baseline"
each = "site"
[[gate]]
rule = "cem of new >= baseline"
each = "half"
[[gate]]
rule = "rows >= 1"
[output]
baseline = "baseline.json"
"""
)


@pytest.mark.parametrize("more", ["", 'cluster = "patient"', 'weight = "weight"'], ids=["rows", "patients", "weights"])
def test_an_accepted_baseline_holds_each_group_by_its_own_rows(folder, more):
    rng = np.random.default_rng(9)
    rows = pd.DataFrame({"y": rng.integers(0, 3, 120), "site": rng.choice(["x", "y", "z"], 120), "half": [1, 2] * 60})
    rows = rows.assign(patient=np.arange(120) // 3, weight=rng.integers(1, 4, 120))
    for model, share in (("a", 0.5), ("b", 0.2)):
        rows[model] = np.where(rng.random(120) < share * (1 + (rows.site == "z")), (rows.y + 1) % 3, rows.y)
    rows.to_csv("rows.csv", index=False)
    Path("small.toml").write_text(KEEPING.replace("[scale]", f"{more}\n[scale]"), encoding="utf-8")
    first = oe.Study.load("small.toml").check(accept=True)
    assert {v.outcome for v in first.verdicts} == {"skipped", "pass"}
    kept = json.loads(Path("baseline.json").read_text())["scores"]

    def alone(part, model):
        weights = {"sample_weight": part.weight} if "weight" in more else {}
        return {
            text: oe.score(text, part.y, part[{"old": "a", "new": "b"}[model]], labels=range(3), **weights)
            for text in ("mae", "cem")
        }

    groups = {"": rows} | {f"{axis}={value}": part for axis in ("site", "half") for value, part in rows.groupby(axis)}
    assert {model: set(found) for model, found in kept.items()} == {"old": {*groups}, "new": {*groups}}
    for model, found in kept.items():
        for group, part in groups.items():
            assert found[group] == pytest.approx(alone(part, model), abs=1e-12), (model, group)
    again = [v for v in oe.Study.load("small.toml").check().verdicts if v.rule.metric != "rows"]
    assert len(again) == 2 * (1 + 3) + 2
    for v in again:
        assert (v.outcome, v.baseline["value"]) == ("pass", v.value), (v.model, v.group)
    rows.assign(b=np.where(rows.site == "x", (rows.y + 1) % 3, rows.y)).to_csv("rows.csv", index=False)  # worse in x alone
    worse = oe.Study.load("small.toml").check().verdicts
    assert {v.group for v in worse if v.outcome == "fail" and v.group.startswith("site")} == {"site=x"}


def test_a_worse_run_fails_against_the_baseline(folder):
    small(SMALL.replace("0.999", "0.1"))
    assert ordeval("check", "small.toml", "--accept").code == 0
    rows = [(i % 3, i % 3, min(i % 3 + (i % 3 == 0), 2), "xy"[i % 2]) for i in range(90)]
    write_csv("rows.csv", [["y", "a", "b", "site"], *rows])
    done = ordeval("check", "small.toml")
    assert done.code == 1
    assert "FAIL  new: mae of new <= baseline + 0.01" in done.out


def test_a_baseline_of_other_rows_is_a_note_and_of_other_conditions_an_error(folder):
    small(SMALL.replace("0.999", "0.1"))
    assert ordeval("check", "small.toml", "--accept").code == 0
    small(SMALL.replace("0.999", "0.1"), n=120)
    done = ordeval("check", "small.toml")
    assert (done.code, "the baseline is of other rows" in done.out) == (0, True)
    small(SMALL.replace("0.999", "0.1").replace("[judge]", '[missing]\nanswer = "drop"\n[reading]\nna = ["NA"]\n[judge]'))
    done = ordeval("check", "small.toml")
    assert done.code == 2
    assert done.err.startswith(
        'ordeval: these scores cannot be compared with baseline.json: reading was {} and is {"na": ["NA"]}; missing was {'
    )
    assert done.err.endswith("judge it as it was judged, or remove the file and accept a new baseline\n")


def test_check_writes_where_the_study_says(folder):
    small(SMALL.replace("[output]", '[output]\njunit = "junit.xml"'))
    assert ordeval("check", "small.toml").code == 1
    assert JUnitXml.fromfile("junit.xml").failures == 1


def test_json_is_written_where_the_study_says_and_never_over_another(folder):
    small(SMALL.replace("[output]", '[output]\njson = "scores.json"'))
    done = ordeval("score", "small.toml")
    assert done.code == 0
    assert set(json.loads(Path("scores.json").read_text())["models"]) == {"old", "new"}
    assert ordeval("score", "small.toml").code == 2
    assert ordeval("score", "small.toml", "--force").code == 0


# Exit codes, one by one


@pytest.mark.parametrize("command", ["validate", "score", "compare", "leaderboard", "report", "check", "plan"])
def test_exit_codes_of_commands_with_a_study(command, folder):
    small(SMALL.replace("0.999", "0.1"))
    more = {"report": ["-o", "page.md"], "plan": ["--difference", "0.1"]}.get(command, [])
    assert ordeval(command, "small.toml", *more).code == 0
    assert ordeval(command, "nothing.toml", *more).code == 2
    Path("odd.toml").write_text("study = 1\n[data]\nfile = 3\n")
    assert ordeval(command, "odd.toml", *more).code == 2
    Path("rowless.toml").write_text(SMALL.replace("rows.csv", "nothing.csv"))
    assert ordeval(command, "rowless.toml", *more).code == 3
    done = ordeval(command, "small.toml", "--labels", "0,1", *more)
    assert (done.code, "Traceback" in done.err) == (3, False)
    assert ordeval(command, "small.toml", *more, "--nonsense").code == 2


@pytest.mark.parametrize("command", ["validate", "score", "compare", "report", "check", "plan"])
def test_rows_without_columns_are_wrong_usage(command, folder):
    small()
    more = {"report": ["-o", "page.md"], "plan": ["--difference", "0.1"], "check": ["--rule", "cem > 0"]}.get(command, [])
    done = ordeval(command, "rows.csv", "--pred", "a", *more)
    assert (done.code, done.err) == (
        2,
        "ordeval: Invalid value: --true is missing; name the column, or give a study file (.toml)\n",
    )
    done = ordeval(command, "rows.csv", "--true", "y", *more)
    assert (done.code, done.err) == (
        2,
        "ordeval: Invalid value: --pred is missing; name the column, or give a study file (.toml)\n",
    )


def test_what_commands_lack_without_a_study(folder):
    small()
    same = ["rows.csv", "--true", "y", "--pred", "a", "--labels", "0,1,2"]
    for args, said in (
        (["check", *same], "--rule is missing; say what must hold: --rule 'cem >= 0.7'"),
        (["check", *same, "--rule", "cem > 0", "--accept"], "--accept keeps the baseline of a study; give a study file (.toml)"),
        (["report", *same], "--output is missing; name the file to write, which ends in .html, .md or .tex"),
        (["leaderboard", "rows.csv"], "RUN is missing; give the files of the systems, or a study file (.toml)"),
        (["leaderboard", "small.toml", "rows.csv"], "RUN beside a study: the study names the files of the systems in data.runs"),
    ):
        done = ordeval(*args)
        assert (done.code, done.err) == (2, f"ordeval: Invalid value: {said}\n"), args
    small(SMALL.partition("[[gate]]")[0])
    assert (
        ordeval("check", "small.toml").err == 'ordeval: small.toml has no rule; write [[gate]] and below it rule = "cem >= 0.7"\n'
    )
    assert (
        ordeval("report", "small.toml").err
        == "ordeval: small.toml has no place for a report; give a path, or name the file in output.report\n"
    )
    done = ordeval("check", "small.toml", "--rule", "cem > 0", "--accept")
    assert (done.code, done.err) == (2, "ordeval: small.toml has no place for a baseline; name the file in output.baseline\n")


def test_a_study_that_cannot_be_followed_raises_one_error_with_all_problems(folder):
    import pickle

    study = oe.Study({"study": 1, "data": {"files": "x.csv"}, "judge": {"seed": -1}})
    with pytest.raises(oe.ArgumentError) as error:
        study.evaluate()
    assert len(error.value.problems) == 3
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


@pytest.mark.parametrize(
    ("metrics", "wanted"),
    [(["mae", "rps"], True), (["rps", "mae"], True), (["rps"], True), (["mae", "cem"], False), ("all", True)],
)
def test_one_score_of_probabilities_is_enough_to_read_them(metrics, wanted):
    assert _wants_probabilities(oe.Study({"study": 1, "judge": {"metrics": metrics}})) is wanted
