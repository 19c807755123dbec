"""What results about raters say, and what a panel compares, against counts made by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ordeval as oe
from ordeval.raters._drift import mean_score

GRADES = {
    "ann": [1, 2, 3, 3, 2, 1] * 10,
    "bob": [1, 2, 3, 3, 2, 1] * 9 + [1, 2, 2, 3, 2, 1],
    "cay": [1, 2, 3, 3, 2, 1] * 9 + [2, 2, 3, 3, 2, 1],
    "dan": [3, 1, 2, 1, 3, 2] * 10,
}


def test_only_raters_whose_change_is_sure_are_drivers():
    found = oe.raters.agreement(oe.raters.ratings(GRADES, labels=[1, 2, 3]))
    sure = {name for name, rater in found.raters.items() if not rater.change.low <= 0 <= rater.change.high}
    assert {rater.name for rater in found.drivers} == sure
    assert "dan" in sure
    alike = oe.raters.agreement(oe.raters.ratings({name: GRADES[name] for name in ("ann", "bob", "cay")}, labels=[1, 2, 3]))
    assert alike.drivers == []


def test_classes_that_were_not_given_are_said_to_be_taken_from_the_data():
    assert "(taken from the data)" in str(oe.raters.agreement(oe.raters.ratings(GRADES)))
    assert "(taken from the data)" not in str(oe.raters.agreement(oe.raters.ratings(GRADES, labels=[1, 2, 3])))


@pytest.mark.parametrize(
    "function", [oe.raters.agreement, lambda c, **k: oe.raters.prmse(c, "dan", **k)], ids=["agreement", "prmse"]
)
def test_a_level_that_is_none_is_refused(function):
    with pytest.raises(ValueError, match="confidence_level"):
        function(oe.raters.ratings(GRADES, labels=[1, 2, 3]), confidence_level=1.5)


def test_a_mean_has_students_interval():
    each = np.random.default_rng(4).normal(0.3, 2.0, 17)
    found = mean_score(each, 0.9)
    low, high = stats.t.interval(0.9, len(each) - 1, each.mean(), stats.sem(each))
    assert (found.value, found.low, found.high) == pytest.approx((each.mean(), low, high), abs=1e-12)


def test_a_judge_that_is_asked_twice_is_told_with_its_interval():
    runs = {1: [1, 2, 3, 3, 2, 1] * 10, 2: [1, 2, 3, 2, 2, 1] * 10}
    rows = [{"item": i, "run": run, "grade": grade, "who": "gpt"} for run in runs for i, grade in enumerate(runs[run])]
    log = oe.raters.read_judge_log(
        pd.DataFrame(rows), item="item", rater="who", grade="grade", repeats="run", judges=["gpt"], labels=[1, 2, 3]
    )
    found = oe.raters.self_consistency(log)
    share = found.same_again
    assert share.value == pytest.approx(50 / 60)
    assert f"83 % [{100 * share.low:.0f} %, {100 * share.high:.0f} %]" in found.sentence


def test_a_panel_compares_a_judge_and_a_rater_on_the_items_that_both_graded():
    """The judge against the median of the others, for every rater in turn; who left an item out is not asked about it."""
    rng = np.random.default_rng(8)
    quality = rng.integers(1, 5, 60)
    grades = {name: np.clip(quality + rng.integers(-1, 2, 60), 1, 4).tolist() for name in ("ann", "bob", "cay", "dan", "gpt")}
    for name, gone in (("ann", 5), ("bob", 7), ("gpt", 11)):
        grades[name][gone::9] = [None] * len(grades[name][gone::9])
    people = ["ann", "bob", "cay", "dan"]
    found = oe.raters.judge_panel(oe.raters.ratings(grades, labels=[1, 2, 3, 4]), "gpt", metric="accuracy", n_resamples=400)
    judge, human = [], []
    for name in people:
        others = [other for other in people if other != name]
        right = {"gpt": 0.0, name: 0.0}
        asked = 0
        for i in range(60):
            given = sorted(grades[other][i] for other in others if grades[other][i] is not None)
            if grades[name][i] is None or grades["gpt"][i] is None or not given:
                continue
            asked += 1
            for who in right:
                right[who] += grades[who][i] == given[(len(given) - 1) // 2]  # the lower of two
        judge.append(right["gpt"] / asked)
        human.append(right[name] / asked)
    consensus = found.consensus["median"]
    assert consensus.judge.value == pytest.approx(np.mean(judge), abs=1e-12)
    assert consensus.human.value == pytest.approx(np.mean(human), abs=1e-12)
    assert not math.isnan(consensus.judge.low)


def test_judges_who_err_alike_are_told_how_much_they_can_ever_be_worth():
    rng = np.random.default_rng(2)
    quality = rng.integers(2, 5, 200)
    slip = rng.integers(-1, 2, 200)
    grades = {name: quality + rng.integers(-1, 2, 200) for name in ("ann", "bob")}
    grades |= {name: np.clip(quality + slip + (rng.random(200) < 0.1), 1, 6) for name in ("gpt", "llama", "claude")}
    found = oe.raters.effective_judges(oe.raters.ratings(grades, labels=range(1, 7)), ["gpt", "llama", "claude"], ["ann", "bob"])
    assert found.correlation > 0
    assert f"; more judges of this kind are never worth more than {found.ceiling:.1f}. The errors of " in found.sentence
