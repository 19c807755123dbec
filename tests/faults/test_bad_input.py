"""Bad input gets one clear sentence that says what, where and how to mend it; nothing is guessed."""

import math
import warnings
from itertools import permutations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tables import counted, counts_of, scale_of

import ordeval as oe
from ordeval import Counts
from ordeval.read.runs import system_names

GOOD = Counts.from_matrix([[3, 1], [1, 2]])

REFUSED = {
    "unequal lengths": (lambda: oe.mae([1, 2], [1]), ValueError, "different lengths: y_true has 2 rows, y_pred has 1 row"),
    "empty": (lambda: oe.mae([], []), ValueError, "empty; there is nothing to score"),
    "empty arrays": (lambda: oe.mae(np.array([]), np.array([])), ValueError, "empty"),
    "nan in the truth": (
        lambda: oe.mae([1, math.nan], [1, 2]),
        ValueError,
        r"y_true has 1 missing value, the first at index 1; missing=\"drop\"",
    ),
    "none in the prediction": (lambda: oe.mae([1, 2], [None, 2]), ValueError, "y_pred has 1 missing value, the first at index 0"),
    "all missing": (
        lambda: oe.count([None], [None], missing="drop"),
        ValueError,
        "no row is left to score: of 1 row, 1 truth missing",
    ),
    "infinite label": (lambda: oe.mae([1, math.inf], [1, 2]), ValueError, "labels="),
    "text outside the scale": (lambda: oe.mae(["a"], ["b"], labels=["a", "c"]), ValueError, "'b' is not one of the classes"),
    "1 and '1'": (lambda: oe.mae([1, "1"], [1, 1]), TypeError, "mixes kinds of label: 1 .*index 0.* '1' .*index 1"),
    "negative weight": (lambda: oe.mae([1, 2], [1, 2], sample_weight=[1, -1]), ValueError, "sample_weight is -1 at index 1"),
    "nan weight": (
        lambda: oe.mae([1, 2], [1, 2], sample_weight=[math.nan, 1]),
        ValueError,
        "sample_weight is missing at index 0",
    ),
    "infinite weight": (lambda: oe.mae([1, 2], [1, 2], sample_weight=[math.inf, 1]), ValueError, "finite and not negative"),
    "complex weight": (lambda: oe.mae([1, 2], [1, 2], sample_weight=[1j, 1]), TypeError, "sample_weight holds a complex"),
    "text weight": (lambda: oe.mae([1, 2], [1, 2], sample_weight=["1", "2"]), TypeError, "weights are numbers"),
    "too few weights": (lambda: oe.mae([1, 2], [1, 2], sample_weight=[1]), ValueError, "2 rows need one weight each"),
    "two-dimensional weights": (
        lambda: oe.mae([1, 2], [1, 2], sample_weight=[[1, 1]]),
        ValueError,
        "sample_weight has two dimensions",
    ),
    "all weights zero": (lambda: oe.mae([1, 2], [1, 2], sample_weight=[0, 0]), ValueError, "no row is left"),
    "weights whose sum is infinite": (
        lambda: oe.mae([1, 2], [1, 1], sample_weight=[1e308, 1e308]),
        ValueError,
        r"the largest weight is 1e\+308, and products of such weights overflow; scale them down",
    ),
    "weights whose products are nothing": (
        lambda: oe.pearson([1, 2, 3], [1, 1, 3], sample_weight=[1e-150, 1e-150, 2e-150]),
        ValueError,
        "the largest weight is 2e-150",
    ),
    "a table with rows of different lengths": (
        lambda: Counts.from_matrix([[1, 2], [3]]),
        ValueError,
        "a table of counts is square, and the rows of this one have different lengths",
    ),
    "a polars table in another order": (
        lambda: Counts.from_matrix(pl.DataFrame({"b": [1, 2], "a": [3, 4]}), labels=["a", "b"]),
        ValueError,
        "not the classes in their order",
    ),
    "no counts to add": (lambda: Counts.sum([]), ValueError, "there are no counts to add"),
    "a margin without axes": (lambda: GOOD.margin(), ValueError, "one axis or more, each once; the axes are true, pred"),
    "a margin with an axis twice": (lambda: GOOD.margin("pred", "pred"), ValueError, "one axis or more, each once"),
    "ratings as a table": (
        lambda: oe.mae(oe.raters.ratings({"ann": [1, 2], "bob": [1, 2]})),
        ValueError,
        r"ratings without a truth \(ann, bob\); use ordeval.raters.agreement",
    ),
    "a rater as a model": (
        lambda: oe.raters.ratings({"ann": [1, 2], "bob": [1, 2]})["ann"],
        ValueError,
        "ratings without a truth",
    ),
    "an edge beyond all numbers": (
        lambda: oe.Scale.from_edges([0, 10**400]),
        ValueError,
        "too large for a floating-point number",
    ),
    "no column to infer from": (lambda: oe.Scale.infer(), ValueError, "there are no labels in the data"),
    "two columns of clusters": (
        lambda: oe.count([1, 2], [1, 2], cluster={"ward": [1, 2], "nurse": [1, 1]}),
        ValueError,
        r"cluster has 2 columns \(ward, nurse\); give one, and the others as by$",
    ),
    "counts taken from other data": (
        lambda: oe.count([1, 2], [1, 2]) + oe.count([1], [3], labels=[1, 3]),
        ValueError,
        "different scales .*; one was taken from the data: count with the same labels=",
    ),
    "two dimensions": (lambda: oe.mae(np.ones((2, 2), int), [1, 2]), ValueError, r"y_true has 2 dimensions \(shape \(2, 2\)\)"),
    "column vector": (lambda: oe.mae([1, 2], np.ones((2, 1), int)), ValueError, "y_pred has 2 dimensions"),
    "nested lists": (lambda: oe.mae([[1], [2]], [1, 2]), ValueError, "y_true has two dimensions: row 0 is itself a list"),
    "a frame": (lambda: oe.mae(pd.DataFrame({"a": [1]}), [1]), ValueError, "several columns"),
    "a polars frame": (lambda: oe.mae([1], pl.DataFrame({"a": [1]})), ValueError, "several columns"),
    "complex labels": (lambda: oe.mae([1j], [1j]), TypeError, "complex"),
    "complex array": (lambda: oe.mae(np.array([1j]), np.array([1j])), TypeError, "complex numbers"),
    "objects": (lambda: oe.mae([{}], [{}]), TypeError, "holds a dict at index 0"),
    "bytes": (lambda: oe.mae(np.array([b"a"]), np.array([b"a"])), TypeError, "bytes; decode them"),
    "dates": (lambda: oe.mae(np.array(["2026-01-01"], "M8[D]"), [1]), TypeError, "dates"),
    "one text": (lambda: oe.mae("abc", "abc"), TypeError, "single value"),
    "one number": (lambda: oe.mae(1, 1), TypeError, "single value"),
    "a set": (lambda: oe.mae({1, 2}, [1, 2]), TypeError, "no fixed order"),
    "integers beyond 64 bits": (lambda: oe.mae([2**70], [2**70]), ValueError, "beyond 64 bits"),
    "floats beyond 64 bits": (lambda: oe.mae([1e300, 1.0], [1.0, 1.0]), ValueError, "y_true holds numbers beyond 64 bits"),
    "wide integers of Polars": (
        lambda: oe.mae(pl.Series([2**70, 1], dtype=pl.Int128), [1, 1]),
        ValueError,
        "y_true holds integers beyond 64 bits",
    ),
    "too many classes": (lambda: oe.mae([0, 5000], [0, 0]), ValueError, "5,001 classes, more than the limit of 1,000"),
    "unknown policy": (lambda: oe.count([1], [1], missing="ignore"), ValueError, "'error', 'drop', 'unanswered'"),
    "no models": (lambda: oe.count([1], {}), ValueError, "empty mapping"),
    "a model called true": (lambda: oe.count([1], {"true": [1]}), ValueError, "'true' is used twice"),
    "a group called like a model": (lambda: oe.count([1], {"a": [1]}, by={"a": [1]}), ValueError, "'a' is used twice"),
    "a model without a name": (lambda: oe.count([1], {1: [1]}), TypeError, "named by text"),
    "missing group": (
        lambda: oe.count([1, 2], [1, 2], by=["x", None]),
        ValueError,
        "by has 1 missing value, the first at index 1",
    ),
    "not square": (lambda: Counts.from_matrix([[1, 2, 3], [1, 2, 3]]), ValueError, r"is square.*\(2, 3\)"),
    "no matrix": (lambda: Counts.from_matrix([1, 2]), ValueError, "is square"),
    "empty matrix": (lambda: Counts.from_matrix(np.zeros((0, 0))), ValueError, "is square"),
    "negative counts": (lambda: Counts.from_matrix([[1, -2], [0, 1]]), ValueError, "row 0, column 1 holds -2"),
    "nan counts": (lambda: Counts.from_matrix([[1, 2], [math.nan, 1]]), ValueError, "row 1, column 0 holds nan"),
    "text counts": (lambda: Counts.from_matrix([["a", "b"], ["c", "d"]]), TypeError, "holds numbers"),
    "wrong number of labels": (
        lambda: Counts.from_matrix([[1, 0], [0, 1]], labels=["a"]),
        ValueError,
        "2 by 2, but labels names 1",
    ),
    "crosstab in another order": (
        lambda: Counts.from_matrix(pd.DataFrame([[1, 0], [0, 1]], ["b", "a"], ["b", "a"]), labels=["a", "b"]),
        ValueError,
        "not the classes in their order",
    ),
    "labels beside counts": (lambda: oe.mae(GOOD, labels=[0, 1]), TypeError, "labels was given with Counts"),
    "weights beside counts": (lambda: oe.mae(GOOD, sample_weight=[1]), TypeError, "sample_weight was given with Counts"),
    "prediction beside counts": (lambda: oe.mae(GOOD, [1]), TypeError, "y_pred was given with Counts"),
    "a bare matrix": (lambda: oe.mae(np.eye(3)), TypeError, r"Counts.from_matrix\(table\), rows the truth"),
    "a bare nested list": (lambda: oe.mae([[1, 2], [3, 4]]), TypeError, "Counts.from_matrix"),
    "a bare crosstab": (lambda: oe.mae(pd.DataFrame([[1, 2], [3, 4]])), TypeError, "Counts.from_matrix"),
    "no prediction": (lambda: oe.mae([1, 2]), TypeError, "needs y_true and y_pred, or Counts"),
    "unknown weights": (lambda: oe.cohen_kappa(GOOD, weights="cubic"), ValueError, "weights='cubic' is unknown; choose one of"),
    "unknown normalization": (lambda: oe.mutual_information(GOOD, mean="x"), ValueError, "mean='x' is unknown"),
    "negative steps": (
        lambda: oe.accuracy_within(GOOD, steps=-1),
        ValueError,
        "steps=-1: it must be a whole number of at least 0",
    ),
    "unknown metric": (
        lambda: oe.get_metric("cohens_kapa"),
        ValueError,
        "no metric called 'cohens_kapa'; did you mean cohen_kappa",
    ),
    "unknown parameter": (lambda: oe.get_metric("mae(n=2)"), TypeError, "mae has no parameter 'n'; it has none"),
    "not a metric text": (lambda: oe.get_metric("__import__('os').getcwd()"), ValueError, "is not the text of a metric"),
    "a bare table of one row": (lambda: oe.mae([[3]]), TypeError, "a bare table does not say what its rows are"),
    "every row dropped": (
        lambda: oe.count([None], [None], labels=[0, 1], missing="drop"),
        ValueError,
        "no row is left to score: of 1 row, 1 truth missing",
    ),
    "fractions where copies of a row change the score": (
        lambda: oe.oci([0, 1], [0, 1], sample_weight=[0.5, 1], gamma=2.0),
        ValueError,
        "oci.gamma=2.0. is defined for whole-number counts",
    ),
    "a metric that is no text": (
        lambda: oe.get_metric([1, 2]),
        TypeError,
        "is not the text of a metric; write a name such as 'cem'",
    ),
    "weights beside a power": (
        lambda: oe.cohen_kappa([0, 1], [0, 1], weights=[[0, 1], [1, 0]], power=1.5),
        ValueError,
        "power=1.5 replaces the scheme of weights",
    ),
    "an unknown word for missing labels": (
        lambda: oe.Scale(["a", "b"]).encode(["a"], missing="drop"),
        ValueError,
        "missing='drop' is unknown; choose 'error' or 'mark'",
    ),
    "a system given twice": (lambda: system_names(["run.csv", "run.csv"]), ValueError, "run.csv is given twice"),
    "code for a value": (lambda: oe.get_metric("accuracy_within(steps=print(1))"), ValueError, "is not the text of a metric"),
    "unknown example": (lambda: oe.load_example("x"), ValueError, "'triage'"),
    "adding different scales": (lambda: GOOD + Counts.from_matrix(np.eye(3)), ValueError, "different scales"),
    "adding inferred scales": (lambda: oe.count([1], [2]) + oe.count([1], [3]), ValueError, r"count with the same labels="),
    "adding different axes": (
        lambda: oe.count([0, 1], {"a": [0, 1]}) + oe.count([0, 1], {"b": [0, 1]}),
        ValueError,
        "different axes",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize("said", [False, True], ids=["its own names", "labels"])
@pytest.mark.parametrize("labels", [(1, 2, 3), ("lo", "mid", "hi")], ids=["numbers", "words"])
def test_a_crosstab_is_taken_only_with_both_rows_and_columns_in_the_order_of_the_classes(labels, said):
    """Whatever the order of the rows and that of the columns: the counts of the rows it was made of, or a refusal."""
    true, pred = ([labels[code] for code in codes] for codes in ([0, 0, 1, 2, 2, 2], [0, 1, 1, 0, 2, 1]))
    crosstab = pd.crosstab(pd.Series(true), pd.Series(pred))
    order = labels if said else None
    for rows, columns in product(permutations(labels), repeat=2):
        table = crosstab.loc[list(rows), list(columns)]
        if rows == columns == labels and (said or labels == (1, 2, 3)):
            assert Counts.from_matrix(table, labels=order) == oe.count(true, pred, labels=labels)
        else:
            with pytest.raises(oe.ArgumentError, match="not the classes in their order|text has no order"):
                Counts.from_matrix(table, labels=order)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("columns", list(permutations("abc")), ids="".join)
def test_a_table_is_taken_only_with_columns_in_the_order_of_the_classes(make, columns):
    """Rows without names stand as they were given."""
    cells = {"a": [4, 1, 0], "b": [2, 5, 1], "c": [0, 3, 6]}
    table = make({name: cells[name] for name in columns})
    if make is pd.DataFrame:
        table.index = list("abc")
    if columns == ("a", "b", "c"):
        assert Counts.from_matrix(table, labels=columns).matrix.T.tolist() == list(cells.values())
    else:
        with pytest.raises(oe.ArgumentError, match="the rows and columns of this table are not the classes in their order"):
            Counts.from_matrix(table, labels=["a", "b", "c"])


def test_an_undefined_score_is_nan_and_says_why_once():
    with pytest.warns(
        oe.UndefinedScore, match="cohen_kappa is undefined here: truth and prediction are the same single class"
    ) as caught:
        score = oe.cohen_kappa([1, 1], [1, 1])
    assert math.isnan(score)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("metric", counted(), ids=str)
def test_an_empty_table_is_undefined_and_silent_in_the_kernel(metric):
    counts = counts_of(metric, np.zeros((3, 3), int))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(metric.bind(counts)(counts.matrix))
    with pytest.warns(oe.UndefinedScore):
        metric(counts)


def test_a_single_row_and_a_single_class_are_scored_or_undefined():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # undefined, or dependent on classes that an inferred scale cannot know
        for metric in counted():
            one, several = (scale_of(metric, 5),) * 2 if "edges" in metric.needs else ([2], [2, 3, 4])
            assert type(metric([2], [2], labels=one)) is float
            assert type(metric([2], [4], labels=several)) is float


def test_fields_that_are_huge_are_cut_in_messages():
    with pytest.raises(ValueError, match="not one of the classes") as caught:
        oe.mae(["x" * 10_000], ["a"], labels=["a", "b"])
    assert len(str(caught.value)) < 500
