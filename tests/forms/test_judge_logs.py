"""One set of grades in every form in which tools write it is one judge log."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from judge_files import GRADES, inspect_log, lm_eval_samples, long_rows, mlflow_traces

import ordeval as oe
from ordeval.integrations._answers import class_finder
from ordeval.raters import read_judge_log
from ordeval.read.judge_logs import kind_of_log

LABELS = [1, 2, 3, 4, 5]
ITEMS = tuple(GRADES)
CODES = np.array([[grade - 1 if isinstance(grade, int) else -1 for grade in given] for _, given in GRADES.values()])
PERSON = np.array([person - 1 for person, _ in GRADES.values()])


def as_inspect(folder):
    return read_judge_log(inspect_log(folder / "run.json"), labels=LABELS)


def as_indented_inspect(folder):
    return read_judge_log(inspect_log(folder / "a.log", indent=2), labels=LABELS)


def as_mlflow_file(folder):
    (folder / "traces.json").write_text(json.dumps(mlflow_traces(), indent=1))
    return read_judge_log(folder / "traces.json", labels=LABELS)


def as_mlflow_search(folder):
    (folder / "found.json").write_text(json.dumps({"traces": mlflow_traces()}))
    return read_judge_log(folder / "found.json", labels=LABELS)


def as_mlflow_lines(folder):
    (folder / "traces.jsonl").write_text("\n".join(json.dumps(trace) for trace in mlflow_traces()))
    return read_judge_log(folder / "traces.jsonl", labels=LABELS, log_format="mlflow")


def as_mlflow_objects(folder):
    return read_judge_log(mlflow_traces(), labels=LABELS)


def as_lm_eval(folder):
    path = lm_eval_samples(folder / "samples_essays_2026-03-01T10-20-30.123456.jsonl")
    return read_judge_log(path, labels=LABELS, filter="first", item="qid", parse=r"[1-5]$")


def as_csv(folder):
    rows = long_rows()
    with (folder / "votes.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return read_judge_log(folder / "votes.csv", labels=LABELS, **LONG)


def as_json_lines(folder):
    (folder / "votes.jsonl").write_text("\n".join(json.dumps(row) for row in long_rows()))
    return read_judge_log(folder / "votes.jsonl", labels=LABELS, **LONG)


def as_frame(folder):
    frame = pd.DataFrame(long_rows())
    return read_judge_log(frame.sample(frac=1, random_state=3).sort_values("id", kind="stable"), labels=LABELS, **LONG)


LONG = {"item": "id", "rater": "who", "grade": "score", "repeats": "run", "judges": ["gpt"]}
FORMS = [
    as_inspect,
    as_indented_inspect,
    as_mlflow_file,
    as_mlflow_search,
    as_mlflow_lines,
    as_mlflow_objects,
    as_lm_eval,
    as_csv,
    as_json_lines,
    as_frame,
]


@pytest.mark.parametrize("read", FORMS, ids=lambda f: f.__name__)
def test_every_form_holds_the_same_grades(tmp_path, read):
    log = read(tmp_path)
    (judge,), (person,) = log.judges, log.people
    assert log.items == ITEMS
    assert log.scale.labels == tuple(LABELS)
    assert log.codes(judge).tolist() == CODES.tolist()
    assert log.codes(person)[:, 0].tolist() == PERSON.tolist()
    assert (log.audit.scored, log.audit.unanswered) == (17 + 6, 1)
    assert [text.removeprefix("Grade: ") for text in log.unparsable[judge]] == ["I cannot say"]
    furthest = log.disagreements()
    assert [one.item for one in furthest] == ["e", "f", "b", "a"]  # by the furthest run, then by the mean over the runs
    assert log.audit.excluded == ({"overridden by a later assessment": 6} if "mlflow" in read.__name__ else {})


def test_names_of_judges_and_ids_of_traces_are_those_of_the_tool(tmp_path):
    found = {read.__name__: read(tmp_path) for read in (as_inspect, as_mlflow_file, as_lm_eval)}
    assert {name: log.judges for name, log in found.items()} == {
        "as_inspect": ("mock/judge",),
        "as_mlflow_file": ("gpt",),
        "as_lm_eval": ("essays",),
    }
    assert {name: log.disagreements()[0].trace for name, log in found.items()} == {
        "as_inspect": "e-3",
        "as_mlflow_file": "e",
        "as_lm_eval": "hash-e",
    }


def test_counts_of_a_log(tmp_path):
    log = as_inspect(tmp_path)
    assert log.ratings().axes == ("target", "mock/judge 1", "mock/judge 2", "mock/judge 3")
    counts = log.against()
    assert counts.cluster == "item"
    rows = [(p, g) for p, given in zip(PERSON, CODES, strict=True) for g in given]
    table = np.zeros((5, 5), int)
    np.add.at(table, tuple(np.array([row for row in rows if row[1] >= 0]).T), 1)
    assert counts.matrix.tolist() == table.tolist()
    assert counts.unanswered.sum() == 1
    medians = log.against(repeats="median")
    assert medians.cluster is None
    assert medians.total == 6
    direct = oe.count(
        [p for p, _ in rows],
        [g if g >= 0 else None for _, g in rows],
        labels=range(5),
        missing="unanswered",
        cluster=np.repeat(np.arange(6), 3),
    )
    mine, theirs = (oe.evaluate(c, metrics=["cem", "bias"]) for c in (counts, direct))
    assert [mine[m].confidence_interval for m in ("cem", "bias")] == [theirs[m].confidence_interval for m in ("cem", "bias")]


def test_people_of_a_file_make_every_epoch_an_item(tmp_path):
    path = inspect_log(tmp_path / "run.json")
    human = pd.DataFrame(
        {"answer": [f"{item}#{epoch}" for item in ITEMS for epoch in (1, 2, 3)], "ann": [1, 2, 3] * 6, "bob": [2] * 18}
    )
    log = read_judge_log(path, labels=LABELS, human=human, id="answer", people=["ann", "bob"])
    assert (log.epochs, log.judges, log.people, len(log.items)) == ("items", ("grade",), ("ann", "bob"), 18)
    assert log.median().tolist() == [0] * 6 + [1] * 12  # in the order of the log: epoch by epoch
    same_name = read_judge_log(path, labels=LABELS, human=human.rename(columns={"ann": "grade"}), id="answer", grade="grade")
    assert (same_name.judges, same_name.people) == (("grade",), ("grade by people",))
    by_trace = human.assign(answer=[f"{item}-{epoch}" for item in ITEMS for epoch in (1, 2, 3)])
    again = read_judge_log(path, labels=LABELS, human=by_trace, id="answer", grade="ann")
    assert again.codes("ann").tolist() == log.codes("ann").tolist()


def test_samples_with_errors_and_invalidated_ones_are_left_out_and_counted(tmp_path):
    bad = [{"id": "x", "epoch": 1, "uuid": "x", "target": "1", "scores": {}, "error": {"message": "boom"}}]
    bad += [
        {"id": "y", "epoch": 1, "uuid": "y", "target": "1", "scores": {"grade": {"value": 1}}, "invalidation": {"author": "me"}}
    ]
    path = inspect_log(tmp_path / "run.json", more=bad)
    log = read_judge_log(path, labels=LABELS)
    assert log.audit.excluded == {"the sample ended in an error": 1, "the sample was invalidated": 1}
    assert log.items == ITEMS
    second = inspect_log(tmp_path / "second.json", model="second", more=bad[:1])
    third = inspect_log(tmp_path / "third.json", model="third")
    for order in ([path, second, third], [third, second, path]):
        several = read_judge_log(order, labels=LABELS)
        assert several.audit.excluded == {"the sample ended in an error": 2, "the sample was invalidated": 1}
        assert several.audit.read == several.audit.scored + several.audit.unanswered + 3


@pytest.mark.parametrize(
    ("asked", "lost"), [({}, 2), ({"score": "grade"}, 1), ({"score": "tone"}, 1), ({"score": "grade", "epochs": "repeats"}, 1)]
)
def test_a_sample_that_is_left_out_counts_for_each_judge_of_it(tmp_path, asked, lost):
    """Of two scorers of each answer, each is a judge; a model that grades is one, whatever else scores it."""
    good = {"id": "b", "uuid": "b", "target": "1", "scores": {"grade": {"value": 3}, "tone": {"value": 2}}}
    bad = [{**good, "id": "x", "uuid": "x", "scores": {}, "error": {"message": "boom"}}]
    bad += [{**good, "id": "y", "uuid": "y", "invalidation": {"author": "me"}}]
    path = inspect_log(tmp_path / "run.json", {"a": (1, [1])}, more=[good, *bad])
    log = read_judge_log(path, labels=LABELS, **{"epochs": "items", **asked})
    assert log.audit.excluded == {"the sample ended in an error": lost, "the sample was invalidated": lost}


def test_several_judges_from_several_logs(tmp_path):
    one = inspect_log(tmp_path / "one.json", model="one")
    two = inspect_log(tmp_path / "two.json", {item: (p, [3]) for item, (p, _) in GRADES.items()}, model="two")
    log = read_judge_log([one, two], labels=LABELS)
    assert log.judges == ("one", "two")
    assert log.audit.excluded == {}
    counts = log.against()
    assert (int(counts.weights.sum()), counts.excluded) == (6, {"not asked of every judge": 12})
    assert log.against(judges=["one"]).excluded == {}


@pytest.mark.parametrize(
    ("asked", "judges", "people", "left_out"),
    [
        ({}, ("one", "two"), ("target",), 0),
        ({"judges": ["two"]}, ("two",), ("target",), 18),
        ({"judges": ["two", "one"]}, ("one", "two"), ("target",), 0),
        ({"judges": ["one"], "people": ["two"]}, ("one",), ("two",), 24),
    ],
)
def test_raters_who_were_not_asked_for_are_left_out_and_counted(tmp_path, asked, judges, people, left_out):
    one = inspect_log(tmp_path / "one.json", model="one")
    two = inspect_log(tmp_path / "two.json", {item: (p, [3]) for item, (p, _) in GRADES.items()}, model="two")
    log = read_judge_log([one, two], labels=LABELS, **asked)
    assert (log.judges, log.people) == (judges, people)
    assert log.audit.excluded == ({"by a rater who was not asked for": left_out} if left_out else {})


@pytest.mark.parametrize("epochs", [1, 2, 3])
def test_epochs_that_are_items_have_numbers_where_there_are_several(tmp_path, epochs):
    log = read_judge_log(
        inspect_log(tmp_path / "run.json", {item: (p, given[:epochs]) for item, (p, given) in GRADES.items()}),
        labels=LABELS,
        epochs="items",
    )
    assert log.items == (ITEMS if epochs == 1 else tuple(f"{item}#{e}" for e in range(1, epochs + 1) for item in GRADES))


def test_a_disagreement_shows_every_grade_and_a_line_where_there_is_none(tmp_path):
    log = read_judge_log(inspect_log(tmp_path / "run.json", {"a": (1, [3, "N", 5]), "b": (2, [2, 2, 2])}), labels=LABELS)
    (row,) = log.disagreements("mock/judge").to_frame().to_dict("records")
    assert (row["item"], row["person"], row["grades"], row["steps"]) == ("a", 1, "3 - 5", 4)


@pytest.mark.parametrize(
    ("labels", "answers"),
    [
        (
            ["low", "high", "high risk", "very high risk"],
            {
                "The patient is at high risk.": "high risk",
                "high": "high",
                "very high risk": "very high risk",
                "At very high risk, if not high risk": "high risk",
                "high risk? No: high": "high",
                "not high risk but low": "low",
                "highest risk, a risk": None,
            },
        ),
        ([1, 10, 100], {"Grade: 100": 100, "10 of 100, so 10.": 10, "1": 1, "1000 or 10.5": None}),
        (["3", "5", "5+"], {"Grade: 5+": "5+", "5+ is too much: 5": "5", "5": "5"}),
    ],
)
def test_of_classes_that_begin_alike_an_answer_is_the_longest_that_stands_there(labels, answers):
    for order in (labels, labels[::-1]):
        find = class_finder(oe.Scale(order))
        assert {text: find(text) for text in answers} == answers


def test_classes_are_taken_from_people_where_they_are_whole_numbers(tmp_path):
    log = read_judge_log(mlflow_traces())
    assert log.scale.inferred
    assert log.scale.labels == (1, 2, 3, 4, 5)


def test_the_same_rating_twice_counts_once_and_is_told():
    rows = long_rows()
    log = read_judge_log(pd.DataFrame([*rows, rows[-1], rows[7]]), labels=LABELS, **LONG)
    assert log.audit.excluded == {"the same rating given twice": 2}
    assert log.codes("gpt").tolist() == CODES.tolist()


@pytest.mark.parametrize("number", [str, int, float])
@pytest.mark.parametrize("people_have_one", [True, False])
def test_repeats_with_numbers_are_in_the_order_of_the_numbers(tmp_path, number, people_have_one):
    """Also from the tenth on, whatever the order of the rows, and where the row of a person has no number."""
    given = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 5, 3]
    rows = [{**row, "run": number(row["run"])} for row in long_rows({"a": (3, given)})]
    if not people_have_one:
        rows[0]["run"] = None
    frame = pd.DataFrame(rows[::-1])
    frame.to_csv(tmp_path / "votes.csv", index=False)
    for source in (frame, tmp_path / "votes.csv"):
        log = read_judge_log(source, labels=LABELS, **LONG)
        assert log.codes("gpt").tolist() == [[grade - 1 for grade in given]]
        assert log.codes("ann").tolist() == [[2]]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("id,who\n1,2\n", "table"),
        ('{"id": 1}\n{"id": 2}\n', "table"),
        ('{"eval": {}, "status": "success", "samples": []}', "inspect"),
        ('[{"info": {"trace_id": "t"}}]', "mlflow"),
        ('{"traces": [{"info": {"trace_id": "t"}}]}', "mlflow"),
        ('{"doc": {}, "resps": [], "filtered_resps": []}\n', "lm_eval"),
        ("[1, 2, 3]", "table"),
        ("{cut off", "table"),
        ("", "table"),
    ],
)
def test_the_format_is_found_by_content(tmp_path, text, kind):
    (tmp_path / "log.json").write_text(text)
    assert kind_of_log(str(tmp_path / "log.json")) == kind
    assert kind_of_log(str(tmp_path)) == kind_of_log(str(tmp_path / "none.json")) == "table"


def test_a_pattern_that_finds_several_grades_says_which_counts():
    said = ["**2**/5", "Score: 3", "4, not 1: 4", "I cannot say", "5"]
    frame = pd.DataFrame({"item": range(5), "anna": [2, 3, 4, 1, 5], "judge": said})
    columns = {"item": "item", "judges": ["judge"], "people": ["anna"], "labels": LABELS}
    log = read_judge_log(frame, **columns, parse="[1-5]")
    assert (
        "judge: the pattern finds different grades in 2 answers, and the last counts: '**2**/5' is read as 5" in log.audit.notes
    )
    once = read_judge_log(frame, **columns, parse=r"^\D*([1-5])")
    assert not any("pattern" in note for note in once.audit.notes)
