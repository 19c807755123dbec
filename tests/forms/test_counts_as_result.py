"""Counts and their audit in every form of a result."""

import json

import numpy as np
import pytest

import ordeval as oe
from ordeval.base.docs import SHARED

TRUE, A, B = ["lo", "hi", "hi", "hi"], ["lo", "lo", "hi", "hi"], ["lo", None, "lo", "hi"]
SITE = [1, 2, 2, 2]


@pytest.fixture
def counts():
    return oe.count(TRUE, {"a": A, "b": B}, labels=["lo", "hi"], by={"site": SITE}, missing="unanswered")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_the_frame_has_a_column_for_each_axis_and_n(counts, backend):
    pytest.importorskip(backend)
    frame = counts.to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == ["true", "a", "b", "site", "n"]


def test_the_rows_of_the_frame_count_to_the_same(counts):
    frame = counts.to_frame()
    rows = {name: frame[name].tolist() for name in ("true", "a", "b", "site")}
    again = oe.count(
        rows["true"],
        {"a": rows["a"], "b": [None if b != b else b for b in rows["b"]]},
        labels=["lo", "hi"],
        by={"site": rows["site"]},
        sample_weight=frame["n"].tolist(),
        missing="unanswered",
    )
    assert again == counts


def test_a_model_called_n_keeps_its_column():
    frame = oe.count([0, 1], {"n": [1, 1]}).to_frame()
    assert frame["n"].tolist() == [1, 1]
    assert frame["n (rows)"].tolist() == [1, 1]


def test_the_table_is_printed_with_what_was_not_answered(counts):
    lines = str(counts).splitlines()
    assert lines[:2] == ["4 rows read · 3 judged · 1 without an answer", "classes: lo < hi"]
    assert "  true / a  lo  hi" in lines
    assert "  true / b  lo  hi  no answer" in lines
    assert ["hi", "1", "1", "1"] in [line.split() for line in lines]


def test_ratings_are_printed_by_rater():
    ratings = oe.raters.ratings({"ann": [1, 2, None], "bob": [2, 2, 1]}, labels=[1, 2])
    assert [line.split() for line in str(ratings).splitlines()][3:6] == [
        ["rater", "1", "2"],
        ["ann", "1", "1"],
        ["bob", "1", "2"],
    ]


def test_a_long_scale_has_no_table():
    assert "|" not in oe.count(range(40), range(40)).to_markdown()


def test_plain_data_are_what_a_file_holds(counts, tmp_path):
    counts.save(tmp_path / "counts.json")
    assert json.loads(counts.to_json()) == counts.to_dict() == json.loads((tmp_path / "counts.json").read_text(encoding="utf-8"))
    counts.to_dict()["excluded"]["planted"] = 1
    assert "planted" not in counts.excluded


def test_the_audit_adds_up_to_the_rows_read():
    audit = oe.count([0, 1, 1, None], [0, 1, None, 1], missing="drop").audit
    frame = audit.to_frame()
    assert list(frame.columns) == ["outcome", "reason", "rows"]
    assert frame["rows"].sum() == audit.read == 4
    assert audit.to_dict() == {
        "read": 4,
        "scored": 2,
        "unanswered": 0,
        "excluded": {"truth missing": 1, "prediction missing": 1},
    }
    assert str(audit) == "4 rows read · 2 judged · 1 left out: truth missing · 1 left out: prediction missing"


def test_hostile_names_stay_inert():
    name = "<script>alert(1)</script>"
    counts = oe.count([name, "b"], {name: ["b", name]}, labels=[name, "b"])
    assert "<script" not in counts._repr_html_()
    shown = counts.to_markdown()
    assert shown.count("<script") == shown.count(r"\<script") == 4


def test_sets_come_as_a_pair_a_mapping_or_an_array():
    lo, hi = [1, 1, 3], [2, 2, 3]
    pair = oe.Counts.from_sets([1, 2, 3], (lo, hi))
    assert (
        pair == oe.Counts.from_sets([1, 2, 3], {"lo": lo, "hi": hi}) == oe.Counts.from_sets([1, 2, 3], np.column_stack([lo, hi]))
    )
    assert oe.Counts.from_sets(pair, None) is pair
    for sets, words in (
        ((hi, lo), "end below where they begin, such as 2 to 1"),
        ((lo,), "the pair"),
        ({"lo": lo}, "the pair"),
        ((None, hi), "the pair"),
    ):
        with pytest.raises(ValueError, match=words):
            oe.Counts.from_sets([1, 2, 3], sets)
    with pytest.raises(TypeError, match="sets was given with Counts"):
        oe.Counts.from_sets(pair, (lo, hi))
    with pytest.raises(ValueError, match=r"of true, pred; use Counts\.from_sets"):
        oe.Counts.from_sets(oe.count(lo, hi), None)


COUNTING = [oe.count, oe.scan, oe.load_example, oe.Accumulator.update, oe.Accumulator.load, oe.Counts.load]
MAKING = [oe.Scale.from_edges, oe.Scale.infer, oe.Scale.encode, oe.Counts.from_matrix, oe.Counts.from_sets, oe.Counts.groups]


@pytest.mark.parametrize("function", [*COUNTING, *MAKING])
def test_parameters_are_documented_without_the_house_prefix(function):
    assert "Parameters\n----------\n" in function.__doc__
    assert "Returns\n-------\n" in function.__doc__
    assert " t." not in function.__doc__


def test_shared_words_are_used():
    assert SHARED["missing"] in oe.count.__doc__
    assert "missing : {'error', 'drop', 'unanswered', 'wrong'}, default 'error'" in oe.count.__doc__
