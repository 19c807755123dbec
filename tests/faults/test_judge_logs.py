"""Judge logs that cannot be read as they are: each is refused in a sentence that says what, where and how to mend it."""

import pandas as pd
import pytest
from judge_files import GRADES, inspect_log, lm_eval_samples, long_rows, mlflow_traces

import ordeval as oe
from ordeval.raters import read_judge_log

LABELS = [1, 2, 3, 4, 5]
LONG = {"item": "id", "rater": "who", "grade": "score", "judges": ["gpt"], "labels": LABELS}


def test_a_log_that_did_not_finish_is_refused_unless_asked_for(tmp_path):
    path = inspect_log(tmp_path / "run.json", status="cancelled")
    with pytest.raises(oe.ArgumentError, match="status cancelled.*not a random sample of all items.*unfinished=True"):
        read_judge_log(path, labels=LABELS)
    assert "did not finish (status cancelled)" in " ".join(read_judge_log(path, labels=LABELS, unfinished=True).remarks)


def test_several_filters_are_named(tmp_path):
    path = lm_eval_samples(tmp_path / "samples_x.jsonl")
    with pytest.raises(oe.ArgumentError, match="each document 2 times.*strict, first.*filter='strict'"):
        read_judge_log(path, labels=LABELS)
    with pytest.raises(oe.ArgumentError, match="did you mean first"):
        read_judge_log(path, labels=LABELS, filter="frist")
    silent = read_judge_log(path, labels=LABELS, filter="strict")
    assert silent.audit.unanswered == 6  # [invalid] is no class


def test_several_scores_are_named(tmp_path):
    path = inspect_log(tmp_path / "run.json", more=[{"id": "z", "uuid": "z", "target": "1", "scores": {"other": {"value": 1}}}])
    with pytest.raises(oe.ArgumentError, match=r"2 scores \(grade, other\).*score='grade'"):
        read_judge_log(path, labels=LABELS)
    with pytest.raises(oe.ArgumentError, match="did you mean grade"):
        read_judge_log(path, labels=LABELS, score="grad")
    with pytest.raises(oe.ArgumentError, match="the feedback grade, tone; choose one with score='grade'"):
        read_judge_log(mlflow_traces() + mlflow_traces(name="tone"), labels=LABELS)


def test_different_grades_for_one_item_rater_and_repeat_are_refused_with_both_traces():
    rows = [*long_rows({"a": (1, [1])}), {"id": "a", "who": "gpt", "run": "1", "score": 2}]
    with pytest.raises(
        ValueError, match="item 'a' has different grades by rater 'gpt': '1' in trace 'a row 2' and '2' in trace 'a row 3'"
    ):
        read_judge_log(pd.DataFrame(rows), **LONG)


def test_two_texts_that_are_no_grades_are_refused_where_they_differ():
    first = long_rows({"a": (1, ["I cannot say"])})
    log = read_judge_log(pd.DataFrame([*first, first[-1]]), **LONG)
    assert log.unparsable == {"gpt": {"I cannot say": 1}}
    with pytest.raises(ValueError, match="item 'a' has different grades by rater 'gpt': 'I cannot say' in .* and 'no idea' in"):
        read_judge_log(pd.DataFrame([*first, {**first[-1], "score": "no idea"}]), **LONG)


def test_a_person_whose_grade_is_no_class_is_refused():
    with pytest.raises(
        oe.ArgumentError, match="'ann' gave item 'd' the grade '4', which is none of the classes 1 < 2 < 3 .2 such grades"
    ):
        read_judge_log(mlflow_traces(), labels=[1, 2, 3])


def test_true_is_no_grade():
    log = read_judge_log(mlflow_traces({"a": (1, [True, 1])}), labels=[1, 2])
    assert log.unparsable == {"gpt": {"True": 1}}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"item": None}, "which does not say which column names the items; give item="),
        ({"judges": None}, "does not say who is a judge"),
        ({"judges": "gpt"}, r'judges is a list: judges=\["gpt"\]'),
        ({"judges": ["gtp"]}, "has no rater 'gtp'"),
        ({"grade": None}, "rater and grade must be given together"),
        ({"log_format": "inspct"}, "did you mean inspect"),
        ({"epochs": "runs"}, "epochs='runs' is unknown"),
        ({"parse": "("}, "is not a regular expression"),
        ({"human": pd.DataFrame({"id": ["q"], "g": [1]}), "id": "id", "grade": "g"}, "'g'"),
    ],
)
def test_what_is_missing_is_named(asked, said):
    given = {name: value for name, value in (LONG | asked).items() if value is not None}
    with pytest.raises(ValueError, match=said):
        read_judge_log(pd.DataFrame(long_rows({"a": (1, [1])})), **given)


def test_ids_of_people_that_meet_no_item_are_shown(tmp_path):
    path = inspect_log(tmp_path / "run.json", {item: (p, given[:1]) for item, (p, given) in GRADES.items()})
    with pytest.raises(ValueError, match="no id of human is an item or a trace of .*: human has 'q', and the log 'a'"):
        read_judge_log(path, labels=LABELS, human=pd.DataFrame({"id": ["q"], "g": [1]}), id="id", grade="g")
    some = read_judge_log(path, labels=LABELS, human=pd.DataFrame({"id": ["q", "a"], "g": [1, 2]}), id="id", grade="g")
    assert "1 of 2 ids in human are not in the log, 'q' among them" in " ".join(some.remarks)


def test_a_log_that_was_cut_off_is_named_with_its_line(tmp_path):
    path = lm_eval_samples(tmp_path / "samples_x.jsonl")
    path.write_text(path.read_text()[:-30])
    with pytest.raises(ValueError, match="line 12: this is not JSON; was the file cut off"):
        read_judge_log(path, labels=LABELS, filter="first")


def test_an_archive_of_inspect_without_inspect_says_how_to_convert_it(tmp_path, monkeypatch):
    import sys
    import zipfile

    with zipfile.ZipFile(tmp_path / "run.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(ModuleNotFoundError, match="inspect log convert --to json"):
        read_judge_log(tmp_path / "run.eval", labels=LABELS)
