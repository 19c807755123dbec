"""Ratings that cannot be used are refused in one sentence that says what, where and what to do."""

import json

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.base.errors import ArgumentError
from ordeval.raters._coefficients import COEFFICIENTS


def refused(message, *args, error=ValueError, call=oe.raters.ratings, **options):
    with pytest.raises(error) as found:
        call(*args, **options)
    assert message in str(found.value), str(found.value)


def test_one_rater():
    counts = oe.raters.ratings({"ann": [1, 2, 3]})
    refused("there is one rater (ann), and agreement needs two or more", counts, call=oe.raters.agreement)


def test_one_item():
    refused("there is one item", oe.raters.ratings({"ann": [2], "bob": [3]}, labels=[1, 2, 3]), call=oe.raters.agreement)


def test_a_rater_who_never_overlaps():
    counts = oe.raters.ratings({"ann": [1, 2, None], "bob": [1, 2, None], "cay": [None, None, 3]}, labels=[1, 2, 3])
    refused("rater 'cay' shares no item with any other rater", counts, call=oe.raters.agreement)


def test_a_rater_without_ratings():
    counts = oe.raters.ratings({"ann": [1, 2], "bob": [1, 2], "cay": [None, None]}, labels=[1, 2])
    refused("rater 'cay' gave no rating", counts, call=oe.raters.agreement)


def test_a_category_outside_the_scale():
    refused(
        "rater 'bob': 9 is not one of the classes (1 < 2 < 3); 1 row holds it, the first at index 1",
        {"ann": [1, 2, 3], "bob": [1, 9, 3]},
        labels=[1, 2, 3],
    )


def test_the_same_item_and_rater_with_different_grades(tmp_path):
    rows = {"item": ["x", "x", "x", "y", "y"], "who": ["ann", "ann", "bob", "ann", "bob"], "grade": [1, 3, 1, 2, 2]}
    said = "item 'x' has different grades by rater 'ann': 1 and 3; keep one rating for each item and rater"
    refused(said, item=rows["item"], rater=rows["who"], grade=rows["grade"])
    pd.DataFrame(rows).to_csv(tmp_path / "votes.csv", index=False)
    for source in (pd.DataFrame(rows), str(tmp_path / "votes.csv")):
        with pytest.raises(ValueError, match="item 'x' has different grades by rater 'ann'"):
            oe.raters.scan(source, item="item", rater="who", grade="grade")


def test_a_grade_and_a_blank_of_the_same_item_and_rater_differ(tmp_path):
    for grades in ([3, None, 1, 2, 2], [None, 3, 1, 2, 2]):
        rows = {"item": ["x", "x", "x", "y", "y"], "who": ["ann", "ann", "bob", "ann", "bob"], "grade": grades}
        pd.DataFrame(rows).to_csv(tmp_path / "votes.csv", index=False)
        for source in (pd.DataFrame(rows), str(tmp_path / "votes.csv")):
            with pytest.raises(ValueError, match=r"item 'x' has different grades by rater 'ann': '?3(\.0)?'? and nothing"):
                oe.raters.scan(source, item="item", rater="who", grade="grade")
        refused("rater 'ann': 3 and nothing", item=rows["item"], rater=rows["who"], grade=grades)


def test_the_same_rating_twice_is_counted_once_and_told():
    counts = oe.raters.ratings(item=["x", "x", "x", "y", "y"], rater=["a", "a", "b", "a", "b"], grade=[1, 1, 2, 2, 2])
    assert counts.weights.sum() == 2
    assert counts.audit.excluded == {"the same rating given twice": 1}


@pytest.mark.parametrize("twice", [0, 1, 3])
def test_a_file_of_ratings_tells_how_many_were_given_twice(tmp_path, twice):
    rows = [(item, rater, 1 + item % 3) for item in range(6) for rater in ("ann", "bob")]
    frame = pd.DataFrame(rows + rows[:twice], columns=["item", "who", "grade"])
    frame.to_csv(tmp_path / "votes.csv", index=False)
    for source in (frame, str(tmp_path / "votes.csv")):
        counts = oe.raters.scan(source, item="item", rater="who", grade="grade")
        assert counts.weights.sum() == 6
        assert counts.audit.excluded == ({"the same rating given twice": twice} if twice else {})


def test_counts_with_a_truth_are_no_ratings():
    refused("these counts have a truth", oe.count([1, 2], [1, 2]), call=oe.raters.agreement)


def test_two_raters_say_nothing_about_others():
    counts = oe.raters.ratings({"a": [1, 2, 3, 1] * 10, "b": [1, 2, 3, 2] * 10})
    with pytest.raises(ValueError, match='resample="crossed" needs three or more'):
        oe.raters.agreement(counts, resample="crossed")


def test_a_panel_needs_two_raters_and_a_judge_who_is_there():
    counts = oe.raters.ratings({"a": [1, 2, 3, 1], "j": [1, 2, 3, 2]})
    refused("beside 'j' there is one rater (a)", counts, "j", call=oe.raters.judge_panel)
    refused("there is no rater 'gpt'; the raters are a, j", counts, "gpt", call=oe.raters.judge_panel)


def test_a_judge_without_labelled_rows():
    counts = oe.raters.ratings({"p": [None, None], "j": [1, 2]}, labels=[1, 2])
    refused("no row has a grade by 'p'", counts, call=oe.raters.corrected_grades, person="p", judge="j")


def test_few_items_get_no_interval_but_a_reason():
    score = oe.raters.agreement(oe.raters.ratings({"a": [1, 2, 3] * 3, "b": [1, 2, 2] * 3})).scores["alpha_ordinal"]
    assert score.method == "none"
    assert score.reason == "9 items with two ratings; 15 are enough"


@pytest.mark.parametrize("complete", [14, 15])
def test_a_coefficient_of_complete_items_needs_15_of_those(complete):
    """20 of 24 items have two ratings, but the third rater graded only some of them."""
    codes = np.random.default_rng(0).integers(0, 3, (24, 3)).astype(float)
    codes[complete:, 2] = codes[20:, 1] = np.nan
    found = oe.raters.agreement(oe.raters.ratings(codes, labels=range(3)), [*COEFFICIENTS], n_resamples=400).scores
    refused = {name: found[name].reason for name in found if found[name].method == "none"}
    said = f"{complete} items rated by everybody; 15 are enough"
    assert refused == (dict.fromkeys(("kendall_w", "icc", "icc_mean"), said) if complete < 15 else {})


def test_every_reason_for_no_interval_is_told_once():
    found = oe.raters.agreement(oe.raters.ratings({"a": [1, 2, 3, 1], "b": [1, 2, 2, 1], "c": [1, 3, 3, 1]}, labels=[1, 2, 3]))
    reasons = {score.reason for score in found.scores.values() if score.reason}
    assert reasons
    text = " ".join(str(found).split())
    assert [text.count(f"No interval: {reason}.") for reason in sorted(reasons)] == [1] * len(reasons)


def test_perfect_agreement_may_be_luck():
    score = oe.raters.agreement(oe.raters.ratings({"a": [1, 2, 3] * 20, "b": [1, 2, 3] * 20}), ["alpha_ordinal"]).scores[
        "alpha_ordinal"
    ]
    assert (score.value, score.high) == (1.0, 1.0)
    assert 0.7 < score.low < 0.99


def test_unparsable_answers_are_unanswered_and_told(tmp_path):
    lines = [{"ann": 1 + i % 3, "gpt": 1 + i % 3 if i % 4 else "Sorry."} for i in range(40)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for counts in (
        oe.raters.scan(str(tmp_path / "v.jsonl"), raters=["ann", "gpt"], unparsable=["gpt"], labels=[1, 2, 3]),
        oe.raters.scan(pd.DataFrame(lines), raters=["ann", "gpt"], unparsable=["gpt"], labels=[1, 2, 3]),
        oe.raters.ratings({k: [line[k] for line in lines] for k in ("ann", "gpt")}, unparsable=["gpt"], labels=[1, 2, 3]),
    ):
        assert counts.unparsable == {"gpt": {"Sorry.": 10}}
        assert counts.weights.sum() == 40
        assert counts.weights[counts.cells[:, 1] < 0].sum() == 10
    with pytest.raises((ValueError, TypeError)):
        oe.raters.scan(str(tmp_path / "v.jsonl"), raters=["ann", "gpt"], labels=[1, 2, 3])
    refused("'bob', who is not a rater", {"ann": [1, 2]}, unparsable=["bob"])


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["?"], "1 answer outside the classes, counted as unanswered: '?' (1)"),
        (["Sorry."] * 10, "10 answers outside the classes, counted as unanswered: 'Sorry.' (10)"),
        (["a", "d", "b", "b", "c", "d"], "6 answers outside the classes, counted as unanswered: 'b' (2), 'd' (2), 'a' (1), …"),
    ],
)
def test_the_sentence_about_unparsable_answers_has_their_number_and_the_most_frequent(answers, said):
    grades = {"ann": [1, 2, 3] * 10, "gpt": [*answers, *([1, 2, 3] * 10)[len(answers) :]]}
    counts = oe.raters.ratings(grades, labels=[1, 2, 3], unparsable=["gpt"])
    assert f"gpt: {said}" in " ".join(str(oe.raters.agreement(counts, ["gwet_ac"], n_resamples=400)).split())


def test_what_an_unparsable_rater_says_is_read_as_people_write_it():
    halves = oe.raters.ratings({"ann": [1.0, 1.5, 2.0], "gpt": [1.0, 1.5, 2.0]}, labels=[1, 1.5, 2], unparsable=["gpt"])
    assert (halves.cells.tolist(), halves.unparsable) == ([[0, 0], [1, 1], [2, 2]], {})
    narrow = oe.raters.ratings({"ann": [1, 2], "gpt": [np.float32(1), " 2 "]}, labels=[1, 2], unparsable=["gpt"])
    assert (narrow.cells.tolist(), narrow.unparsable) == ([[0, 0], [1, 1]], {})
    truths = oe.raters.ratings({"ann": [True, False], "gpt": ["true", "FALSE"]}, labels=[False, True], unparsable=["gpt"])
    assert truths.unparsable == {}
    spans = oe.raters.ratings({"ann": [1, 12], "gpt": [15, 99]}, labels=oe.Scale.from_edges([0, 10, 20]), unparsable=["gpt"])
    assert (spans.cells.tolist(), spans.unparsable) == ([[0, 1], [1, -1]], {"gpt": {"99": 1}})


def test_unparsable_answers_are_kept_when_counts_are_added_and_saved(tmp_path):
    first = oe.raters.ratings({"ann": ["a", "b"], "gpt": ["?", "b"]}, labels=["a", "b"], unparsable=["gpt"])
    second = oe.raters.ratings({"ann": ["a", "b", "b"], "gpt": ["?", "!", "b"]}, labels=["a", "b"], unparsable=["gpt"])
    both = first + second
    assert both.unparsable == {"gpt": {"?": 2, "!": 1}}
    both.save(tmp_path / "counts.json")
    assert oe.Counts.load(tmp_path / "counts.json").unparsable == both.unparsable
    assert both.margin("gpt").unparsable == both.unparsable
    assert both.margin("ann").unparsable == both.answered("gpt").unparsable == {}


def test_a_gap_of_an_unparsable_rater_is_no_answer():
    frame = pd.DataFrame({"ann": ["a", "b"], "gpt": ["a", pd.NA]}, dtype="string")
    for counts in (
        oe.raters.ratings(frame, labels=["a", "b"], unparsable=["gpt"]),
        oe.raters.scan(frame, raters=["ann", "gpt"], labels=["a", "b"], unparsable=["gpt"]),
    ):
        assert (counts.cells.tolist(), counts.unparsable) == ([[0, 0], [1, -1]], {})


def test_an_unparsable_rater_in_a_long_table_of_numbers():
    long = {"item": [1, 1, 2, 2], "rater": ["ann", "gpt"] * 2, "grade": [1, 2, 3, "?"]}
    counts = oe.raters.ratings(**long, labels=[1, 2, 3], unparsable=["gpt"])
    assert (counts.cells.tolist(), counts.unparsable) == ([[0, 1], [2, -1]], {"gpt": {"?": 1}})


def test_weighted_counts_are_no_ratings():
    weighted = oe.raters.ratings({"ann": [1, 2] * 30, "bob": [1, 2] * 30, "gpt": [1, 1] * 30}).scaled(np.array([0.5, 1.5]))
    for call, options in (
        (oe.raters.agreement, {}),
        (oe.raters.judge_panel, {"judge": "gpt"}),
        (oe.raters.annotator_test, {"judge": "gpt"}),
        (oe.raters.corrected_grades, {"judge": "gpt", "person": "ann"}),
    ):
        refused("ratings are counted, not weighted; count again without weights", weighted, call=call, **options)


def test_a_false_discovery_rate_is_a_share():
    counts = oe.raters.ratings({"ann": [1, 2] * 20, "bob": [1, 2] * 20, "gpt": [1, 1] * 20})
    refused("false_discovery=2 is not between 0 and 1", counts, "gpt", call=oe.raters.annotator_test, false_discovery=2)


def test_weights_may_be_an_array():
    counts = oe.raters.ratings({"ann": [1, 2, 3, 3] * 10, "bob": [1, 2, 3, 2] * 10})
    own, linear = np.array([[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]), oe.raters.agreement(counts, "gwet_ac", weights="linear")
    found = oe.raters.agreement(counts, "gwet_ac", weights=own)
    assert found.titles == {"gwet_ac": "Gwet's AC (AC2), own weights"}
    assert found.scores["gwet_ac"] == linear.scores["gwet_ac"]


def test_no_coefficient():
    refused(
        "coefficients is empty; name at least one",
        oe.raters.ratings({"ann": [1, 2], "bob": [1, 2]}),
        [],
        call=oe.raters.agreement,
    )


def test_estimators_that_correct_the_judge_alone_need_rows_of_the_judge_alone():
    counts = oe.raters.ratings({"ann": [1, 2] * 30, "gpt": [1, 2, 2] * 20})
    for estimator in ("difference", "inverse"):
        mean = oe.raters.corrected_grades(counts, person="ann", judge="gpt", estimator=estimator).mean
        assert str(mean).startswith("undefined (no row was graded by the judge alone, or")


def test_an_error_carries_its_argument_and_a_near_word():
    counts = oe.raters.ratings({"ann": [1, 2, 3] * 10, "bob": [1, 2, 2] * 10, "gpt": [1, 3, 3] * 10})
    for call, argument, said in (
        (lambda: oe.raters.agreement(counts, resample="item"), "resample", "resample='item' is unknown; did you mean items?"),
        (lambda: oe.raters.agreement(counts, "alpha_ordnal"), "coefficients", "did you mean alpha_ordinal"),
        (lambda: oe.raters.agreement(counts, method="wilson"), "method", "method='wilson' cannot be used here"),
        (lambda: oe.raters.judge_panel(counts, "gtp"), "judge", "there is no rater 'gtp'; did you mean gpt?"),
        (lambda: oe.raters.judge_panel(counts, "gpt", metric="bias"), "metric", "bias has a target, not a direction"),
        (lambda: oe.raters.annotator_test(counts, "gpt", closeness="x"), "closeness", "choose one of 'rmse', 'accuracy'"),
        (lambda: oe.raters.annotator_test(counts, "gpt", epsilon=1), "epsilon", "epsilon=1 must be a difference of shares"),
        (lambda: oe.raters.corrected_grades(counts, person="gpt", judge="gpt"), "person", "person and judge are both 'gpt'"),
        (lambda: oe.raters.corrected_grades(counts, person="an", judge="gpt"), "person", "did you mean ann?"),
        (
            lambda: oe.raters.corrected_grades(counts, person="ann", judge="gpt", estimator="inverze"),
            "estimator",
            "estimator='inverze' is unknown; did you mean inverse?",
        ),
        (lambda: oe.raters.ratings(item=[1], rater=["a"]), "grade", "grade is missing; give a table"),
        (lambda: oe.raters.scan({}, raters="ann"), "raters", 'raters=["ann", "bob"]'),
    ):
        with pytest.raises(ArgumentError) as found:
            call()
        assert (found.value.argument, said in str(found.value)) == (argument, True), str(found.value)


def test_a_name_with_braces_is_data():
    counts = oe.raters.ratings({"{judge}": [1, 2] * 20, "{0}": [1, 2] * 20})
    refused("there is no rater '{labels:x}'; the raters are {judge}, {0}", counts, "{labels:x}", call=oe.raters.judge_panel)


def test_a_keyword_of_old_says_the_new_one():
    counts = oe.raters.ratings({"ann": [1, 2] * 30, "gpt": [1, 2, 2] * 20})
    with pytest.raises(TypeError, match="method= is now estimator="):
        oe.raters.corrected_grades(counts, person="ann", judge="gpt", method="inverse")
