"""Rows without an answer: the same counts whether all at once, in chunks, merged, saved or read from a file."""

import numpy as np
import pandas as pd
import pytest
from commands import ordeval, write_csv

import ordeval as oe

LABELS = ["green", "yellow", "red"]


def rows(seed=0, n=90):
    rng = np.random.default_rng(seed)
    truth, one, two = (np.array(LABELS, object)[rng.integers(0, 3, n)] for _ in range(3))
    one[rng.random(n) < 0.2], two[rng.random(n) < 0.05] = None, None
    return truth, one, two, rng.integers(0, 20, n)


@pytest.mark.parametrize("missing", ["wrong", {"as": "yellow"}])
def test_merged_chunked_saved_and_read_alike(tmp_path, missing):
    truth, one, two, doc = rows()
    same = {"labels": LABELS, "missing": missing}
    whole = oe.count(truth, {"one": one, "two": two}, cluster={"doc": doc}, **same)
    parts = [slice(0, 40), slice(40, 41), slice(41, 90)]
    pieces = [oe.count(truth[p], {"one": one[p], "two": two[p]}, cluster={"doc": doc[p]}, **same) for p in parts]
    stream = oe.Accumulator(LABELS, missing=missing)
    for p in parts:
        stream.update(truth[p], {"one": one[p], "two": two[p]}, cluster={"doc": doc[p]})
    whole.save(tmp_path / "counts.json")
    frame = pd.DataFrame({"y": truth, "one": one, "two": two, "doc": doc})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    columns = {"true": "y", "pred": ["one", "two"], "cluster": "doc"}
    found = {
        "sum": oe.Counts.sum(pieces),
        "+": pieces[0] + pieces[1] + pieces[2],
        "accumulator": stream.counts,
        "file of counts": oe.Counts.load(tmp_path / "counts.json"),
        "csv": oe.scan(tmp_path / "rows.csv", **columns, **same),
        "frame": oe.scan(frame, **columns, **same),
    }
    for name, counts in found.items():
        assert counts == whole, name
        assert counts.audit.line == whole.audit.line, name
        assert oe.cem(counts["one"]) == oe.cem(whole["one"]), name
        assert (counts.blanks, counts.filled) == (whole.blanks, whole.filled), name


def test_counts_in_which_a_blank_means_something_else_are_not_added():
    wrong, silent = (oe.count([0, 1], [0, None], labels=[0, 1], missing=missing) for missing in ("wrong", "unanswered"))
    assert wrong != silent
    with pytest.raises(oe.ArgumentError) as error:
        wrong + silent
    assert str(error.value) == (
        "in one of these counts a blank counts as wrong, and in the other it does not; count both with the same missing"
    )
    clean = oe.count([0, 1], [0, 1], labels=[0, 1], missing="wrong")
    assert (clean + wrong).audit.scored == 4


def test_a_stream_goes_on_with_the_policy_of_its_file(tmp_path):
    stream = oe.Accumulator([0, 1], missing="wrong")
    stream.update([0, 1], [0, None])
    stream.save(tmp_path / "state.json")
    later = oe.Accumulator.load(tmp_path / "state.json")
    later.update([1, 1], [None, 1])
    assert later.counts == oe.count([0, 1, 1, 1], [0, None, None, 1], labels=[0, 1], missing="wrong")


def test_a_default_class_is_the_class_put_there_by_hand():
    truth, one, two, _ = rows(1)
    found = oe.count(truth, {"one": one, "two": two}, labels=LABELS, missing={"as": "green"})
    hand = oe.count(truth, {name: [p or "green" for p in column] for name, column in (("one", one), ("two", two))}, labels=LABELS)
    assert found == hand
    silent = [sum(p is None for p in column) for column in (one, two)]
    assert found.audit.line == (
        f"90 rows read · 90 judged · {sum(silent)} without an answer, counted as green (one {silent[0]}, two {silent[1]})"
    )
    assert found.audit.to_dict()["no_answer"] == {"as green": {"one": silent[0], "two": silent[1]}}


def test_the_audit_counts_every_row_once_and_names_the_blanks():
    truth, one, two, _ = rows(2)
    counts = oe.count(truth, {"one": one, "two": two}, labels=LABELS, missing="wrong")
    silent = [sum(p is None for p in column) for column in (one, two)]
    assert counts.audit.line == (
        f"90 rows read · 90 judged · {sum(silent)} without an answer, counted as wrong (one {silent[0]}, two {silent[1]})"
    )
    assert counts.total == counts["one"].total == 90
    assert counts["one"].unanswered.sum() == silent[0]
    assert "no answer" in str(counts)
    plain = oe.count([0, 1], [0, 1], missing="wrong", labels=[0, 1])
    assert plain.audit.line == "2 rows read · 2 judged"


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("wrnog", "missing='wrnog' is unknown; choose one of 'error', 'drop', 'unanswered', 'wrong', or missing={\"as\": LABEL}"),
        ({"as": "blue"}, "a blank cannot count as 'blue', which is not one of the classes (green < yellow < red)"),
        (
            {"as": "gren"},
            "a blank cannot count as 'gren', which is not one of the classes (green < yellow < red); did you mean green?",
        ),
        ({"like": "green"}, "missing={'like': 'green'} is unknown"),
    ],
)
def test_what_a_blank_cannot_be_is_refused(missing, said):
    with pytest.raises(oe.ArgumentError) as error:
        oe.count(LABELS, LABELS, labels=LABELS, missing=missing)
    assert said in str(error.value)


def test_a_truth_that_is_not_there_is_never_wrong():
    with pytest.raises(ValueError, match="1 missing value"):
        oe.count([0, None], [0, 1], labels=[0, 1], missing="wrong")


@pytest.mark.parametrize(("option", "missing"), [
    ("wrong", "wrong"), ("as=2", {"as": 2}), ("as:2", {"as": 2}), ("{as = 2}", {"as": 2}), ('{ as = "2" }', {"as": 2}),
])  # fmt: skip
@pytest.mark.parametrize("command", ["score", "compare", "validate"])
def test_the_command_line_has_the_same_words(tmp_path, monkeypatch, option, missing, command):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = [[t, *("" if rng.random() < 0.2 else int(rng.integers(0, 3)) for _ in range(2))] for t in rng.integers(0, 3, 60)]
    write_csv("rows.csv", [["y", "p", "q"], *table])
    scores = [] if command == "validate" else ["--metrics", "mae"]
    columns = ["rows.csv", "--true", "y", "--pred", "p", "--pred", "q", "--labels", "0,1,2"]
    found = ordeval(command, *columns, "--missing", option, *scores)
    counts = oe.scan("rows.csv", true="y", pred=["p", "q"], labels=[0, 1, 2], missing=missing)
    assert (found.code, found.err) == (0, "")
    said = " ".join(found.out.split())
    for part in (counts["p"], counts["q"]) if command == "score" else (counts,):
        assert part.audit.line in said
    if command == "compare":
        assert oe.compare(counts, metrics=["mae"]).verdict in said


def test_check_notes_scores_for_which_a_blank_is_only_a_rule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv("rows.csv", [["y", "p"], *([i % 3, "" if i % 10 == 0 else i % 3] for i in range(60))])
    same = ["rows.csv", "--true", "y", "--pred", "p", "--labels", "0,1,2"]
    found = ordeval("check", *same, "--missing", "wrong", "--rule", "cohen_kappa > 0.1", "--rule", "cem > 0.1")
    assert found.code == 0
    assert "cohen_kappa: a row without an answer counts as the class most steps away; that" in found.out
    assert ordeval("check", *same, "--missing", "wrong", "--rule", "cem > 0.1").out.count("a row without an answer counts") == 0
    assert ordeval("check", *same, "--missing", "wrnog", "--rule", "cem > 0.1").code == 2
    wrong, silent = (ordeval("check", *same, "--missing", word, "--rule", "accuracy >= 0.95") for word in ("wrong", "unanswered"))
    assert (wrong.code, silent.code) == (1, 0)


def test_a_part_of_the_counts_tells_of_its_own_blanks_alone():
    answers = {"a": [0, None, 2, 1], "b": [0, None, None, 1], "c": [0, 1, 2, 1]}
    counts = oe.count([0, 1, 2, 1], answers, labels=range(3), missing={"as": 1})
    assert counts.filled == {"a": {"1": 1}, "b": {"1": 2}, "c": {"1": 0}}
    assert counts["a"].filled == {"a": {"1": 1}}
    assert counts.margin("true", "b", "c").filled == {"b": {"1": 2}, "c": {"1": 0}}


def test_a_blank_among_intervals_counts_as_one_of_them():
    scale = oe.Scale.from_edges([0, 30, 60, 90])
    for code, label in enumerate(scale.labels):
        counts = oe.count([1.0, 40.0, 70.0], [1.0, None, 70.0], labels=scale, missing={"as": label})
        assert counts.matrix[1].tolist() == [int(code == c) for c in range(3)]
    with pytest.raises(oe.ArgumentError, match="a blank cannot count as '\\[90, 99\\)', which is not one of the classes"):
        oe.count([1.0, 40.0, 70.0], [1.0, None, 70.0], labels=scale, missing={"as": "[90, 99)"})
