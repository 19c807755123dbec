"""The drop-in for ordinal-xai 0.2.1: the same surface, the same values where that one is right, and its 21 defects mended."""

import inspect
import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import ordeval as oe
from ordeval.integrations import ordinal_xai as drop_in

FROZEN = json.loads(Path(__file__).with_name("frozen_ordinal_xai.json").read_text(encoding="utf-8"))["cases"]
PAGE = Path(__file__).resolve().parents[2] / "docs/migrate-ordinal-xai.md"

HARD = (
    *("accuracy", "adjacent_accuracy", "mze", "mae", "mse", "weighted_kappa_quadratic", "weighted_kappa_linear", "cem"),
    *("spearman_correlation", "kendall_tau"),
)
PROBABILITY = ("ranked_probability_score", "ordinal_weighted_ce_linear", "ordinal_weighted_ce_quadratic")

EMPTY = inspect.Parameter.empty
SURFACE = {
    **{
        name: {"y_true": EMPTY, "y_pred": EMPTY}
        for name in ("accuracy", "mze", "mae", "mse", "adjacent_accuracy", "spearman_correlation", "kendall_tau")
    },
    "weighted_kappa": {"y_true": EMPTY, "y_pred": EMPTY, "weights": "quadratic"},
    "cem": {"y_true": EMPTY, "y_pred": EMPTY, "class_counts": None},
    "ranked_probability_score": {"y_true": EMPTY, "y_pred_proba": EMPTY, "zero_indexed": False},
    "ordinal_weighted_ce": {"y_true": EMPTY, "y_pred_proba": EMPTY, "alpha": 1, "zero_indexed": False},
    "evaluate_ordinal_model": {
        "y_true": EMPTY,
        "y_pred": EMPTY,
        "y_pred_proba": None,
        "metrics": None,
        "class_counts": None,
        "zero_indexed": False,
    },
    "print_evaluation_results": {"results": EMPTY},
    "_get_class_counts": {"y": EMPTY},
    "_calculate_proximity": {"c1": EMPTY, "c2": EMPTY, "class_counts": EMPTY, "total_items": EMPTY},
    "_create_one_hot_encoding": {"y_true": EMPTY, "n_classes": None, "zero_indexed": False},
}


@pytest.mark.parametrize("name", SURFACE)
def test_names_parameters_and_defaults_are_the_same(name):
    parameters = inspect.signature(getattr(drop_in, name)).parameters.values()
    positional = {p.name: p.default for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD}
    assert positional == SURFACE[name]
    assert {p.name for p in parameters if p.kind is p.KEYWORD_ONLY} <= {"labels", "normalize"}


def test_keys_and_their_order_are_the_same():
    found = drop_in.evaluate_ordinal_model([1, 2, 3], [1, 3, 2], [[0.8, 0.1, 0.1]] * 3)
    assert tuple(found) == (*HARD, *PROBABILITY)
    assert all(type(value) is float for value in found.values())
    assert tuple(drop_in.evaluate_ordinal_model([1, 2, 3], [1, 3, 2])) == HARD
    assert list(drop_in.evaluate_ordinal_model([1, 2, 3], [1, 3, 2], metrics=["mae", "accuracy"])) == ["accuracy", "mae"]


def test_values_differ_only_where_the_page_says(compared):
    """On 120 random samples: class above the truth (1) or below all gold (2), a class missing inside (10), the lowest missing (11)."""
    equal = dict.fromkeys((*HARD, *PROBABILITY), 0)
    explained = dict.fromkeys(equal, 0)
    for case in FROZEN:
        true, pred = case["true"], case["pred"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", oe.UndefinedScore)
            found = drop_in.evaluate_ordinal_model(true, pred, case["proba"], zero_indexed=case["zero_indexed"])
        between = set(range(min(true + pred), max(true + pred) + 1))
        excuses = {
            "cem": any(t < p for t, p in zip(true, pred, strict=True)) or not set(pred) <= set(true),
            **dict.fromkeys(("weighted_kappa_quadratic", "weighted_kappa_linear"), between != set(true + pred)),
            **dict.fromkeys(PROBABILITY, min(true) != case["first"] and not case["zero_indexed"]),
        }
        for name, value in found.items():
            if name not in case["found"]:
                same = False
            elif (theirs := case["found"][name]) is None:
                same = math.isnan(value)
            else:
                same = value == pytest.approx(theirs, rel=1e-12, abs=1e-12)
            assert same or excuses.get(name), (name, case)
            equal[name] += same
            explained[name] += not same
    compared("ordinal-xai", sum(equal.values()))
    assert min(equal.values()) >= 30
    assert min(explained[name] for name in ("cem", "weighted_kappa_quadratic", *PROBABILITY)) >= 3


def same(found, expected):
    assert found == pytest.approx(expected, abs=5e-5)


# The defects, by the numbers they have on the page


def test_defect_1_cem_takes_half_of_the_answers_class():
    true = np.repeat([1, 2, 3], [3, 7, 3])
    for seed in range(20):
        pred = np.random.default_rng(seed).integers(1, 4, 13)
        same(drop_in.cem(4 - true, 4 - pred), drop_in.cem(true, pred))  # the mirror
        assert drop_in.cem(true, pred) == oe.cem(true, pred)
    same(drop_in.cem([1, 1, 1, 1, 2, 3], [2, 2, 2, 2, 1, 1]), 0.2402)
    same(drop_in.cem([1, 1, 1, 2], [1, 1, 1, 1]), 0.6795)
    same(drop_in.cem([1, 1, 1, 2], [1, 2, 2, 2]), 0.6626)
    assert drop_in.cem([0] * 90 + [1] * 10, [1] * 100) < drop_in.cem([0] * 90 + [1] * 10, [0] * 100)
    # In nats, half of the answer's class and all of the truth's: 4 rows, counts 1, 2, 1.
    counts = {1: 1, 2: 2, 3: 1}
    same(drop_in._calculate_proximity(1, 2, counts, 4), -math.log((0.5 + 2) / 4))
    same(drop_in._calculate_proximity(2, 1, counts, 4), -math.log((1 + 1) / 4))
    same(drop_in._calculate_proximity(3, 1, counts, 4), -math.log((0.5 + 2 + 1) / 4))
    same(drop_in._calculate_proximity(2, 2, counts, 4), -math.log(1 / 4))


def test_defect_2_an_answer_below_all_true_classes_has_a_cem():
    same(drop_in.cem([2, 2, 3, 3], [1, 2, 3, 3]), 0.875)
    same(drop_in.evaluate_ordinal_model([2, 2, 3, 3], [1, 2, 3, 3])["cem"], 0.875)


def test_defect_3_an_answer_above_all_true_classes():
    same(drop_in.cem([1, 1, 2, 2], [1, 3, 2, 2]), 0.75)
    same(drop_in.cem([0, 0, 2, 2], [0, 1, 2, 2]), 0.875)


def test_defect_4_labels_are_floats_or_text():
    assert drop_in.cem([1.0, 2.0, 3.0], [1.0, 3.0, 3.0]) == drop_in.cem([1, 2, 3], [1, 3, 3])
    grades = ["low", "mid", "high"]
    assert drop_in.cem(grades, ["low", "high", "high"], labels=grades) == drop_in.cem([1, 2, 3], [1, 3, 3])
    with pytest.raises(ValueError, match="text has no order; give it, lowest first"):
        drop_in.cem(grades, grades)


def test_defect_5_class_counts_that_lack_a_true_class():
    for counts in ({1: 3}, {1: 3, 2: 0}):
        with pytest.raises(ValueError, match="class_counts has no row of the class 2, which is the truth of some rows"):
            drop_in.cem([1, 2], [1, 1], counts)
        with pytest.warns(UserWarning, match="cem could not be computed: class_counts has no row of the class 2"):
            found = drop_in.evaluate_ordinal_model([1, 2], [1, 1], metrics=["cem"], class_counts=counts)
        assert list(found) == ["cem"]
        assert math.isnan(found["cem"])
    # counts may hold classes that the rows do not: a single row explained with the counts of all
    assert drop_in.cem([2], [3], {1: 5, 2: 3, 3: 1}) == oe.cem([2], [3], labels=[1, 2, 3], class_counts=(5, 3, 1))


@pytest.mark.parametrize("name", [n for n in SURFACE if "y_pred" in SURFACE[n] and n != "evaluate_ordinal_model"])
def test_defects_6_and_7_lengths_and_nothing(name):
    function = getattr(drop_in, name)
    with pytest.raises(ValueError, match="different lengths: y_true has 3 rows, y_pred has 2 rows"):
        function([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="there are no labels|nothing to score"):
        function([], [])


def test_rows_of_different_lengths_are_no_probabilities():
    with pytest.raises(ValueError, match="y_pred_proba is not a table of numbers"):
        drop_in.ranked_probability_score([1, 2], [[1], [0.5, 0.5]])
    with pytest.warns(UserWarning, match="could not be computed: y_pred_proba is not a table of numbers"):
        drop_in.evaluate_ordinal_model([1, 2], [1, 2], [[1], [0.5, 0.5]])


def test_defect_8_the_worst_cem_is_not_0():
    same(drop_in.cem([1, 2], [2, 1]), 0.2075)
    assert "the worst is above 0" in drop_in.cem.__doc__


def test_defect_9_weights_none():
    for weights in ("none", None):
        assert drop_in.weighted_kappa([1, 2, 3, 3], [1, 2, 2, 3], weights) == oe.cohen_kappa(
            [1, 2, 3, 3], [1, 2, 2, 3], weights="identity"
        )
    with pytest.raises(ValueError, match="weights='cubic' is unknown"):
        drop_in.weighted_kappa([1, 2], [1, 2], "cubic")


def test_defect_10_a_class_that_nobody_used_keeps_its_distance():
    same(drop_in.weighted_kappa([1, 2, 4, 4], [1, 4, 2, 4]), 0.4074)
    assert drop_in.weighted_kappa([1, 2, 4, 4], [1, 4, 2, 4], labels=[1, 2, 4]) == pytest.approx(0.6364, abs=5e-5)


THREE = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]]


def test_defect_11_the_lowest_class_is_absent():
    same(drop_in.ranked_probability_score([2, 3, 3], THREE), 0.4733)
    by_hand = -np.mean([math.log(0.3) + math.log(0.9), 2 * math.log(0.9) + math.log(0.2), 2 * math.log(0.9) + math.log(0.8)])
    same(drop_in.ordinal_weighted_ce([2, 3, 3], THREE), by_hand)
    for labels in ([5, 6, 7], ["c", "b", "a"]):
        renamed = [labels[i] for i in (1, 2, 2)]
        same(drop_in.ranked_probability_score(renamed, THREE, labels=labels), 0.4733)
    with pytest.raises(
        ValueError, match="the labels run from 6 to 7, and y_pred_proba has 3 columns: which class is the first column"
    ):
        drop_in.ranked_probability_score([6, 7, 7], THREE)
    same(drop_in.ranked_probability_score([5, 6, 7], THREE), drop_in.ranked_probability_score([1, 2, 3], THREE))
    same(drop_in.ranked_probability_score([2, 3, 3], THREE, normalize=True), 0.4733 / 2)


def test_defect_12_zero_indexed_with_labels_from_1():
    with pytest.raises(ValueError, match=r"zero_indexed=True means the classes 0\.\.2.*the labels run from 1 to 3"):
        drop_in.ranked_probability_score([1, 2, 3], THREE, zero_indexed=True)
    with pytest.raises(ValueError, match=r"the labels run from -1 to 1"):
        drop_in.ordinal_weighted_ce([-1, 0, 1], THREE, zero_indexed=True)
    same(drop_in.ranked_probability_score([1, 2, 2], THREE, zero_indexed=True), 0.4733)
    with pytest.raises(ValueError, match="outside the classes"):
        drop_in._create_one_hot_encoding([-1, 0, 1], zero_indexed=True)


def test_defect_13_ordinal_weighted_ce():
    with pytest.raises(ValueError, match="the labels run from 1 to 9"):
        drop_in.ordinal_weighted_ce([1, 2, 9], THREE)
    certain = np.array([[0, 1], [0, 1]], np.float32)
    same(drop_in.ordinal_weighted_ce([1, 2], certain), -math.log(1 - (1 - 1e-15)) / 2)
    assert drop_in.ordinal_weighted_ce([1, 2], [[1, 0], [0, 1]], alpha=0) == pytest.approx(0, abs=1e-14)
    same(drop_in.ordinal_weighted_ce([1, 2], [[0.9, 0.1], [0.2, 0.8]], alpha=0), -(math.log(0.9) + math.log(0.8)) / 2)
    with pytest.raises(ValueError, match="alpha=-1 is not an exponent"):
        drop_in.ordinal_weighted_ce([1, 2], [[1, 0], [0, 1]], alpha=-1)


def test_defect_14_confidences_count():
    found = drop_in.evaluate_ordinal_model([1, 2, 3], [1, 2, 2], [0.7, 0.8, 0.6])
    spread = [[0.7, 0.15, 0.15], [0.1, 0.8, 0.1], [0.2, 0.6, 0.2]]
    assert found["ranked_probability_score"] == pytest.approx(drop_in.ranked_probability_score([1, 2, 3], spread), rel=1e-14)
    sure = drop_in.evaluate_ordinal_model([1, 2, 3], [1, 2, 2], [1, 1, 1])["ranked_probability_score"]
    same(sure, 1 / 3)
    assert found["ranked_probability_score"] != pytest.approx(sure)
    doubtful = drop_in.evaluate_ordinal_model([1, 2, 3], [1, 2, 2], [0, 0.5, 0.5])["ranked_probability_score"]
    same(doubtful, drop_in.ranked_probability_score([1, 2, 3], [[0, 0.5, 0.5], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]]))


def test_defect_15_confidences_of_classes_that_are_not_among_the_true_ones():
    found = drop_in.evaluate_ordinal_model([2, 3, 4], [1, 3, 4], [1, 1, 1])
    same(found["ranked_probability_score"], 1 / 3)  # one cut off in one of three rows
    above = drop_in.evaluate_ordinal_model([1, 2, 2], [1, 2, 3], [1, 1, 1])
    same(above["ranked_probability_score"], 1 / 3)
    assert list(above) == [*HARD, *PROBABILITY]
    low = drop_in.evaluate_ordinal_model([1, 2], [1, 2], [0.5, 0.5], zero_indexed=True)  # three classes, 0 to 2
    same(low["ranked_probability_score"], drop_in.ranked_probability_score([1, 2], [[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]], True))


def test_defect_16_rows_that_are_no_distributions():
    with pytest.warns(UserWarning, match=r"2 rows do not add up to 1 \(row 0: 2\) and were divided by their sum"):
        found = drop_in.evaluate_ordinal_model([1, 2], [1, 2], [[1.5, 0.5], [0.5, 1.5]])
    same(found["ranked_probability_score"], 0.0625)
    for rows, sentence in (
        ([[0.0, 0.0], [0.5, 0.5]], "row 0 adds up to 0, not to 1"),
        ([[0.5, 0.5], [1.2, -0.2]], "row 1 holds 1.2"),
        ([[math.nan, 1.0], [0.5, 0.5]], "row 0 holds nan"),
        ([[0.5, 0.5], [1.9, -0.1]], "row 1 holds 1.9"),
    ):
        with pytest.warns(UserWarning, match=sentence):
            found = drop_in.evaluate_ordinal_model([1, 2], [1, 2], rows)
        assert all(math.isnan(found[name]) for name in PROBABILITY)
        assert found["accuracy"] == 1
        with pytest.raises(ValueError, match=sentence):
            drop_in.ranked_probability_score([1, 2], rows)
    with pytest.raises(ValueError, match="row 0 adds up to 2, not to 1; divide every row by its sum first"):
        drop_in.ranked_probability_score([1, 2], [[1.0, 1.0], [0.5, 0.5]])


def test_defect_17_adjacent_accuracy():
    assert drop_in.adjacent_accuracy(np.array([0, 3], np.uint8), np.array([1, 3], np.uint8)) == 1
    assert drop_in.adjacent_accuracy([10, 20], [20, 20], labels=[10, 20]) == 1
    assert drop_in.adjacent_accuracy([10, 20], [20, 20]) == 0.5  # without labels= the integers between are classes


def test_defect_18_metrics_by_name():
    assert list(drop_in.evaluate_ordinal_model([1, 2], [1, 2], metrics="weighted_kappa_linear")) == ["weighted_kappa_linear"]
    with pytest.raises(ValueError, match="there is no metric called 'weighted_kappa_linear,accuracy_mae'"):
        drop_in.evaluate_ordinal_model([1, 2], [1, 2], metrics="weighted_kappa_linear,accuracy_mae")
    with pytest.raises(ValueError, match="there is no metric called 'acuracy'; did you mean accuracy"):
        drop_in.evaluate_ordinal_model([1, 2], [1, 2], metrics=["acuracy"])
    with pytest.warns(UserWarning, match="ranked_probability_score: no y_pred_proba was given"):
        found = drop_in.evaluate_ordinal_model([1, 2], [1, 2], metrics=["ranked_probability_score"])
    assert math.isnan(found["ranked_probability_score"])


def test_defect_19_printing(capsys):
    drop_in.print_evaluation_results({"accuracy": 0.5, "cem": math.nan, "ordinal_weighted_ce_linear": 0.25})
    lines = capsys.readouterr().out.splitlines()
    rule = "-" * 50
    assert lines == [
        *("", "Ordinal Regression Evaluation Results:", rule, "Hard Label Metrics:", "  Accuracy: 0.5000", "  Cem: undefined"),
        *("", "Probability-Based Metrics:", "  Ordinal Weighted Ce Linear: 0.2500", rule),
    ]


def test_defect_20_undefined_is_said():
    with pytest.warns(oe.UndefinedScore, match="spearman is undefined here: "):
        assert math.isnan(drop_in.spearman_correlation([1, 2, 3], [2, 2, 2]))
    with pytest.warns(oe.UndefinedScore, match="kendall_tau is undefined here: "):
        assert math.isnan(drop_in.kendall_tau([1, 2, 3], [2, 2, 2]))
    with pytest.warns(oe.UndefinedScore, match="cohen_kappa is undefined here: "):
        assert math.isnan(drop_in.weighted_kappa([2, 2], [2, 2]))


def test_what_is_not_computed_is_nan_and_said():
    with pytest.warns(UserWarning, match="could not be computed"):
        found = drop_in.evaluate_ordinal_model([1, 2, 3], [1, 2], [[0.5, 0.5]] * 3)
    assert tuple(found) == (*HARD, *PROBABILITY)
    assert all(map(math.isnan, found.values()))


@pytest.mark.parametrize("seed", range(3))
def test_proximity_counts_the_rows_between_answer_and_truth(seed):
    """All rows between, the truth's class whole and half of the answer's; a class that nobody has holds none."""
    rng = np.random.default_rng(seed)
    y = rng.choice([1, 2, 4, 5], 30)
    counts = drop_in._get_class_counts(y)
    for answer in range(7):
        for truth in sorted(set(y.tolist())):
            low, high = min(answer, truth), max(answer, truth)
            rows = ((y >= low) & (y <= high)).sum() - (y == answer).sum() / 2
            assert drop_in._calculate_proximity(answer, truth, counts, 30) == pytest.approx(-math.log(rows / 30))


@pytest.mark.parametrize("first", [0, 1, 2])
def test_confidences_of_labels_from_a_number_on_are_on_a_scale_from_0(first):
    rng = np.random.default_rng(first)
    y_true, y_pred, sure = rng.integers(first, first + 3, 40), rng.integers(first, first + 3, 40), rng.uniform(0.4, 1, 40)
    y_true[:3] = first, first + 1, first + 2
    scale, proba = drop_in._from_confidences(y_true, y_pred, sure, True, None)
    assert scale.labels == tuple(range(first + 3))
    assert proba[np.arange(40), y_pred].tolist() == sure.tolist()
    assert proba.sum(1) == pytest.approx(np.ones(40))
    with pytest.raises(ValueError, match="y_pred has 40 rows and y_pred_proba 39; each row needs its probability"):
        drop_in._from_confidences(y_true, y_pred, sure[1:], True, None)


def test_one_hot_and_counts():
    matrix, first, columns = drop_in._create_one_hot_encoding([1, 3, 3])
    assert (matrix.tolist(), first, columns) == ([[1, 0, 0], [0, 0, 1], [0, 0, 1]], 1, 3)
    assert drop_in._get_class_counts([3, 1, 3]) == {1: 1, 3: 2}


def test_the_page_lists_every_defect():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| {number} |" in text for number in range(1, 21))


def test_columns_of_shape_n_by_1():
    """Line 21: taken for columns of n values, whatever holds them."""
    import pandas as pd

    true, pred = [1, 2, 3], [1, 3, 3]
    flat = drop_in.evaluate_ordinal_model(true, pred)
    assert flat["accuracy"] == pytest.approx(2 / 3)
    assert not any(math.isnan(score) for score in flat.values())
    for column in (lambda v: np.array(v)[:, None], lambda v: [[x] for x in v], lambda v: pd.DataFrame({"class": v})):
        assert drop_in.evaluate_ordinal_model(column(true), column(pred)) == flat
        assert drop_in.cem(column(true), y_pred=column(pred)) == flat["cem"]
    proba = np.eye(3)
    assert drop_in.ranked_probability_score(np.array(true)[:, None], proba) == 0
    with pytest.warns(UserWarning, match="could not be computed"):
        drop_in.evaluate_ordinal_model(np.ones((3, 2)), pred, metrics=["accuracy"])
