"""Probabilities and prediction sets that cannot be scored are refused in one sentence that names the row and the remedy."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe

GOOD = np.array([[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.2, 0.5, 0.3]])
TRUE, NAMES = ["low", "high", "mid"], ["low", "mid", "high"]


def changed(row, column, value):
    proba = GOOD.copy()
    proba[row, column] = value
    return proba


def score(proba, true=TRUE, labels=NAMES, **own):
    return oe.rps(true, proba, labels=labels, **own)


REFUSED = {
    "nan": (
        lambda: score(changed(1, 2, np.nan)),
        ValueError,
        "row 1 holds nan in column 2; probabilities are numbers from 0 to 1",
    ),
    "infinite": (lambda: score(changed(2, 0, np.inf)), ValueError, "row 2 holds inf in column 0"),
    "negative": (lambda: score(changed(0, 1, -0.2)), ValueError, "row 0 holds -0.2 in column 1"),
    "negative in a row that adds up": (
        lambda: oe.rps([0], [[-0.1, 0.6, 0.5]], labels=[0, 1, 2]),
        ValueError,
        "row 0 holds -0.1 in column 0",
    ),
    "a truth beyond the classes": (
        lambda: oe.rps([0, 9], [[1, 0], [0, 1]], labels=[0, 1]),
        ValueError,
        "9 is not one of the classes",
    ),
    "above one": (lambda: score(changed(0, 0, 1.2)), ValueError, "row 0 holds 1.2 in column 0"),
    "unnormalised": (lambda: score(changed(1, 2, 0.6)), ValueError, "row 1 adds up to 1.1, not to 1.*rescale=True"),
    "barely unnormalised": (lambda: score(changed(1, 2, 0.500002)), ValueError, "row 1 adds up to 1.000002"),
    "unnormalised single precision": (lambda: score(changed(1, 2, 0.50001).astype("f4")), ValueError, "row 1 adds up to 1.00001"),
    "too few columns": (lambda: score(GOOD[:, :2]), ValueError, "proba has 2 columns, and there are 3 classes .low < mid < high"),
    "too many columns": (
        lambda: oe.rps([1, 2], [[0.5, 0.5, 0], [0.5, 0.5, 0]]),
        ValueError,
        "3 columns, and there are 2 classes .1 < 2, taken from the data.; give all classes, lowest first",
    ),
    "other names": (
        lambda: score(pd.DataFrame(GOOD, columns=["a", "b", "c"])),
        ValueError,
        "columns of proba are called a, b, c and the classes are low < mid < high",
    ),
    "a name twice": (lambda: score(pa.table([*GOOD.T], names=["low", "mid", "x"])), ValueError, "called low, mid, x"),
    "label outside": (lambda: score(GOOD, true=["low", "hihg", "mid"]), ValueError, "'hihg' is not one of the classes"),
    "no order": (lambda: oe.rps(TRUE, GOOD), (ValueError, TypeError), "labels="),
    "missing truth": (lambda: score(GOOD, true=["low", None, "mid"]), ValueError, "1 missing value, the first at index 1"),
    "too few rows": (lambda: score(GOOD[:2]), ValueError, "y_true has 3 rows and proba has 2"),
    "no rows": (lambda: oe.rps([], np.zeros((0, 3)), labels=NAMES), ValueError, "empty"),
    "one column for a probability metric": (lambda: score([0.1, 0.2, 0.3]), ValueError, "needs a probability for every class"),
    "three dimensions": (lambda: score(GOOD[None]), ValueError, "3 dimensions"),
    "not numbers": (lambda: score([["a"] * 3] * 3), TypeError, "no numbers|type <U1"),
    "objects": (lambda: score(np.full((3, 3), "x", object)), TypeError, "not numbers"),
    "no probabilities": (lambda: oe.rps(TRUE, labels=NAMES), TypeError, "needs y_true and proba"),
    "counts": (lambda: oe.get_metric("rps").bind(oe.count([1, 2], [1, 2])), ValueError, "rps is about probabilities"),
    "infinite score": (lambda: oe.concordance_index([1, 2], [0.1, np.nan]), ValueError, "score is nan at index 1"),
    "weights": (lambda: score(GOOD, sample_weight=[1, -1, 1]), ValueError, "sample_weight is -1 at index 1"),
    "all weights zero": (lambda: score(GOOD, sample_weight=[0, 0, 0]), ValueError, "no row is left to score"),
    "sum of zero": (lambda: oe.forecast([1], [[0.0, 0.0]], labels=[1, 2], rescale=True), ValueError, "row 0 cannot be divided"),
    "negative shares": (
        lambda: oe.forecast([1], [[2, -1]], labels=[1, 2], rescale=True),
        ValueError,
        "row 0 cannot be divided",
    ),
    "beside a forecast": (
        lambda: oe.rps(oe.forecast(TRUE, GOOD, labels=NAMES), GOOD),
        TypeError,
        "proba was given with a forecast, which already holds it",
    ),
    "unknown reference": (lambda: oe.rps_skill([1, 2], GOOD[:2], reference="x"), ValueError, "reference='x' is unknown"),
    "reference": (lambda: score_skill([0.5, 0.2, 0.1]), ValueError, "reference= must be one share for each class"),
    "short reference": (lambda: score_skill([0.5, 0.5]), ValueError, "holds 2 shares, and there are 3 classes"),
    "alpha": (lambda: oe.ordinal_log_loss(TRUE, GOOD, labels=NAMES, alpha=-1), ValueError, "alpha=-1"),
    "bins": (lambda: oe.cumulative_calibration_error(TRUE, GOOD, labels=NAMES, bins=0), ValueError, "bins=0"),
    "binning": (lambda: oe.cumulative_calibration_error(TRUE, GOOD, labels=NAMES, binning="x"), ValueError, "binning='x'"),
    "cut": (
        lambda: oe.calibration_slope(TRUE, GOOD, labels=NAMES, cut=2),
        ValueError,
        "cut=2: 3 classes .* have the cuts 0 to 1",
    ),
    "average": (lambda: oe.ordinal_auc(TRUE, GOOD, labels=NAMES, average="x"), ValueError, "average='x' is unknown"),
    "loss": (lambda: oe.threshold_loss(TRUE, GOOD, labels=NAMES, loss="x"), ValueError, "loss='x' is unknown"),
    "falling thresholds": (
        lambda: oe.threshold_loss(TRUE, GOOD, labels=NAMES, thresholds=[2, 1]),
        ValueError,
        "finite numbers that never decrease",
    ),
    "too many thresholds": (
        lambda: oe.threshold_loss(TRUE, GOOD, labels=NAMES, thresholds=[1, 2, 3]),
        ValueError,
        "holds 3 numbers; 3 classes .* have 2 thresholds",
    ),
    "empty set": (lambda: oe.set_size([1, 2], ([1, 2], [2, 1])), ValueError, "1 sets end below where they begin, such as 2 to 1"),
    "one end": (lambda: oe.set_size([1, 2], [[1, 2]]), TypeError, "the pair .lo, hi."),
    "sets of other counts": (lambda: oe.set_size(oe.count([1, 2], [1, 2])), ValueError, "counts of truth, lo and hi"),
    "coverage": (
        lambda: oe.set_coverage([1], ([1], [1]), labels=[1, 2], coverage=90),
        ValueError,
        "coverage=90: it must be a number in",
    ),
}


def score_skill(reference):
    return oe.rps_skill(TRUE, GOOD, labels=NAMES, reference=reference)


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_first_bad_row_is_named_far_down():
    proba = np.tile(GOOD, (20_000, 1)).astype("f4")
    proba[45_678, 1] = np.nan
    with pytest.raises(ValueError, match="row 45678 holds nan in column 1"):
        oe.forecast(np.tile(TRUE, 20_000), proba, labels=NAMES)


def test_columns_of_a_frame_are_put_in_order_by_name():
    expected = score(GOOD)
    mixed = dict(zip(["high", "low", "mid"], GOOD[:, [2, 0, 1]].T, strict=True))
    for frame in (pd.DataFrame(mixed), pl.DataFrame(mixed), pa.table(mixed)):
        assert score(frame) == expected
    assert score(pd.DataFrame(GOOD)) == expected  # numbered columns stand in the order of the classes
    numbers = pd.DataFrame(GOOD[:, ::-1], columns=[3, 2, 1])
    assert oe.rps([1, 3, 2], numbers) == expected


def test_every_form_of_numbers():
    for form in (GOOD.tolist(), GOOD.astype("f4"), np.asfortranarray(GOOD), GOOD.astype(">f8"), GOOD.astype(object)):
        assert score(form) == pytest.approx(score(GOOD), rel=1e-6)
    assert oe.rps([0, 1], np.eye(2, dtype=int)) == 0.0
    assert oe.rps([0, 1], np.eye(2, dtype=bool)) == 0.0


def test_normalizing_is_a_wish():
    rows = oe.forecast(TRUE, 7 * GOOD, labels=NAMES, rescale=True)
    assert oe.rps(rows) == pytest.approx(score(GOOD))


@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_a_row_that_cannot_be_rescaled_is_named(row, bad):
    proba = 7 * GOOD
    proba[row, 0] = bad
    with pytest.raises(ValueError, match=f"proba: row {row} cannot be divided by its sum"):
        oe.forecast(TRUE, proba, labels=NAMES, rescale=True)


def test_rows_without_weight_do_not_count():
    proba = np.vstack([GOOD, [[1, 0, 0]]])
    assert score(proba, true=[*TRUE, "high"], sample_weight=[1, 1, 1, 0]) == pytest.approx(score(GOOD))


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: oe.rps_skill([1, 1], [[1, 0], [1, 0]], labels=[1, 2]), "only class 1 came true"),
        (lambda: oe.concordance_index([1, 1], [0.1, 0.2], labels=[1, 2]), "no pair"),
        (lambda: oe.ordinal_auc([1, 2], [0.1, 0.2], labels=[1, 2, 3]), "no row is of class 3: the last cut has one side only"),
        (lambda: oe.ordinal_auc([1, 3], [0.1, 0.2], labels=[1, 2, 3], average="pairs"), "has no rows"),
        (lambda: oe.volume_under_surface([1, 3], [0.1, 0.2], labels=[1, 2, 3]), "class 2 has no rows"),
        (lambda: oe.calibration_slope([1, 2], [[0.9, 0.1], [0.2, 0.8]], labels=[1, 2]), "separate"),
        (lambda: oe.calibration_slope([1, 2], [[0.0, 1.0], [0.2, 0.8]], labels=[1, 2]), "certain"),
        (lambda: oe.cumulative_calibration_error([1], [[1.0]], labels=[1]), "only one class"),
    ],
)
def test_undefined_is_nan_and_says_why(call, why):
    with pytest.warns(oe.UndefinedScore, match=why):
        assert math.isnan(call())
