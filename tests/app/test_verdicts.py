"""The verdict in words, and what contradicts it; own costs."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.app import costs, verdicts
from ordeval.app import evaluate_state as studies
from ordeval.app.uploads import example


@pytest.fixture(scope="module")
def triage():
    counts = studies.EXAMPLE.counts(example())
    return studies.EXAMPLE.compare(counts)


def test_the_bundled_verdict(triage):
    found = verdicts.two_models(triage, ("nurse", "model"))
    difference = triage.differences["nurse", "model"]["cem"]
    signed = oe.show.signed
    assert found.sentence == (
        f"model is better: how close (CEM) 0.877 against 0.855 ({signed(difference.value)}, 95 %: "
        f"{signed(difference.low)} to {signed(difference.high)})."
    )
    assert found.but[0] == "It finds 44 of 88 red (nurse 69)."
    assert found.but[1].startswith("Steps off, per class (AMAE) points the other way (+0.040")
    assert (
        found.but[2] == "Counted in steps, nurse would be better if errors on red weighed 5.19 times errors elsewhere, or more."
    )
    assert "steps off, per class (AMAE) (+0.040" in found.undecided
    assert "how close" not in found.undecided


def compared(first, second, metrics=("accuracy",)):
    """Two models with these tables over the same truth."""
    truth, a, b = [], [], []
    for t, (row, other) in enumerate(zip(first, second, strict=True)):
        truth += [t] * sum(row)
        a += [p for p, n in enumerate(row) for _ in range(n)]
        b += [p for p, n in enumerate(other) for _ in range(n)]
    return oe.compare(oe.count(truth, {"a": a, "b": b}, labels=[0, 1, 2]), primary="cem", metrics=list(metrics), n_resamples=400)


def test_nothing_contradicts_a_model_that_is_better_everywhere():
    result = compared([[20, 20, 20], [20, 20, 20], [20, 20, 20]], [[60, 0, 0], [0, 60, 0], [0, 0, 60]])
    found = verdicts.two_models(result, ("a", "b"))
    assert found.sentence.startswith("b is better")
    assert found.but == ()
    assert found.against == "Nothing we looked at contradicts it."


def test_models_of_which_neither_is_shown_to_be_better():
    result = compared([[9, 1, 0], [1, 8, 1], [0, 1, 9]], [[8, 2, 0], [1, 9, 0], [0, 1, 9]])
    found = verdicts.two_models(result, ("a", "b"))
    assert not found.clear
    assert "These rows do not show which is better" in found.sentence


def test_a_slice_in_which_it_turns(triage):
    turned = oe.count(
        ["red", "green"] * 20, {"nurse": ["red", "green"] * 20, "model": ["green", "green"] * 20}, labels=["green", "red"]
    )
    few = oe.count(["red", "green"], {"nurse": ["red", "green"], "model": ["green", "green"]}, labels=["green", "red"])
    said = verdicts._slices(triage, "model", "nurse", {"site": {"park": turned, "hill": few}})
    assert said == ["In site park it is the other way round."]  # the other has too few rows


def test_one_model(triage):
    found = verdicts.one_model(triage.evaluations["model"], "model", "cem")
    assert found.sentence.startswith("model: how close (CEM) 0.877 (95 %:")
    assert found.but[0] == "It finds 50% of red (44 of 88), and 92% of green."
    assert found.but[1] == "It errs too low more often (228 of 440 errors)."
    assert found.but[2].startswith("It is better than always saying green (0.513)")


@pytest.mark.parametrize(
    ("missing", "rows"), [("drop", (4, 8)), ("unanswered", (4, 8)), ("wrong", (5, 9)), ({"as": "high"}, (5, 9))]
)
def test_rows_without_an_answer_that_count_are_rows_of_their_class(missing, rows):
    """A blank of each class: three of four, or of five, low ones are found, and six high ones, or seven where a blank is high."""
    truth = ["low"] * 5 + ["high"] * 9
    answers = ["low"] * 3 + ["high", None] + ["high"] * 6 + ["low", "low", None]
    found = verdicts.found_shares(oe.count(truth, answers, labels=["low", "high"], missing=missing))
    assert found == ([3, 6 + (missing == {"as": "high"})], list(rows))


@pytest.mark.parametrize("primary", ["cem", "accuracy", "mae", "cohen_kappa"])
@pytest.mark.parametrize(
    ("matrix", "than"),
    [
        ([[0, 10, 0], [0, 60, 0], [0, 30, 0]], "no better than"),  # it does always say mid: a tie
        ([[10, 0, 0], [0, 60, 0], [0, 0, 30]], "better than"),
        ([[0, 0, 10], [0, 0, 60], [30, 0, 0]], "no better than"),
    ],
    ids=["tie", "perfect", "worse"],
)
def test_one_model_is_better_than_the_most_frequent_class_only_where_it_scores_better(matrix, than, primary):
    result = oe.evaluate(oe.Counts.from_matrix(matrix, labels=["low", "mid", "high"]), metrics=[primary], n_resamples=400)
    said = verdicts.one_model(result, "model", primary).but[-1]
    assert said.startswith(f"It is {than} always saying mid (")


def test_costs():
    start = costs.start_costs(3)
    assert start == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    assert costs.with_too_low(start, 2.0) == ((0, 1, 2), (2, 0, 1), (4, 2, 0))
    assert costs.with_missed(start, 3.0) == ((0, 1, 2), (1, 0, 1), (6, 3, 0))
    counts = studies.EXAMPLE.counts(example())
    assert costs.even_weight(counts["nurse"].matrix, counts["model"].matrix, costs.start_costs(4)) == pytest.approx(171 / 33)
    assert costs.even_weight(np.eye(3), np.eye(3), start) is None
    for sent in (None, "x", [[1, 2], [3, 4]], [[0, -1, 0]] * 3, [[float("nan")] * 3] * 3, [["a"] * 3] * 3):
        assert costs.as_costs(sent, 3) is None
    assert costs.as_costs([[5, 1, 2], [1, 5, 1], [2, 1, 5]], 3) == start


def test_every_pair_is_judged_by_intervals_that_hold_at_once():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 400)
    good, alike, bad = (np.where(rng.random(400) < p, truth, rng.integers(0, 3, 400)) for p in (0.9, 0.9, 0.2))
    result = oe.compare(oe.count(truth, {"good": good, "alike": alike, "bad": bad}, labels=[0, 1, 2]), metrics=["cem"])
    lines = {(line["first"], line["second"]): line for line in verdicts.pairwise(result)}
    assert lines["good", "bad"]["shows"] == "good is better"
    assert lines["alike", "bad"]["shows"] == "alike is better"
    assert lines["good", "alike"]["shows"] == "does not show which is better"
    alone = oe.compare(oe.count(truth, {"good": good, "bad": bad}, labels=[0, 1, 2]), metrics=["cem"]).differences["good", "bad"][
        "cem"
    ]
    assert lines["good", "bad"]["low"] < alone.low  # wider than that of a pair that was the only one
