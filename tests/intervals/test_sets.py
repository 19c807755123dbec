"""Prediction sets with intervals: known formulas, classes, clusters."""

import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.infer._walk import mid_p

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 4, 300)
LO = np.clip(TRUE + RNG.integers(-2, 2, 300), 0, 3)
HI = np.clip(LO + RNG.integers(0, 3, 300), 0, 3)


def test_coverage_has_the_mid_p_interval_and_size_one_as_wide_as_students():
    found = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4))
    inside = (LO <= TRUE) & (TRUE <= HI)
    coverage, size = found.scores["set_coverage"], found.scores["set_size"]
    assert coverage.value == inside.mean()
    assert (coverage.interval.low, coverage.interval.high) == pytest.approx(mid_p(inside.mean(), 300, 0.025))
    width = (HI - LO + 1).astype(float)
    assert size.value == pytest.approx(width.mean())
    assert size.interval.high - size.interval.low == pytest.approx(2 * 1.968 * width.std(ddof=1) / math.sqrt(300), rel=0.05)


def test_by_class():
    found = oe.evaluate_sets(oe.Counts.from_sets(TRUE, (LO, HI), labels=range(5)))
    assert list(found.by_class) == [0, 1, 2, 3]
    for label, scores in found.by_class.items():
        rows = label == TRUE
        inside = (LO <= TRUE) & (TRUE <= HI)
        assert scores["set_coverage"].value == pytest.approx(inside[rows].mean())
        assert (scores["set_coverage"].interval.low, scores["set_coverage"].interval.high) == pytest.approx(
            mid_p(inside[rows].mean(), rows.sum(), 0.025)
        )
    assert "set_coverage" in str(found)


def test_clusters_and_weights():
    single = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4), cluster=np.arange(300), method="jackknife")
    rows = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4), method="jackknife")
    for name in ("set_size", "miss_distance"):
        a, b = (found.scores[name].interval for found in (single, rows))
        assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-9)
    weighted = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4), sample_weight=np.full(300, 0.5))
    plain = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4))
    for name, score in weighted.scores.items():
        assert score.value == pytest.approx(plain.scores[name].value)
        ends = score.interval, plain.scores[name].interval
        assert (ends[0].low, ends[0].high) == pytest.approx((ends[1].low, ends[1].high), rel=1e-9), "equal weights change nothing"
    uneven = oe.evaluate_sets(TRUE, (LO, HI), labels=range(4), sample_weight=RNG.exponential(1, 300)).scores["set_size"].interval
    assert 100 < uneven.rows < 200, "weights like these are worth about half of the rows"
    lost = oe.evaluate_sets(oe.Counts.from_sets(TRUE, (LO, HI), labels=range(4), sample_weight=np.full(300, 0.5)))
    assert "rows with weights were added up" in lost.scores["set_size"].interval.reason


def test_a_class_with_one_weighted_row_has_no_interval():
    found = oe.evaluate_sets([0] * 40 + [1], ([0] * 41, [0] * 20 + [1] * 21), sample_weight=[1.0, 2.0] * 20 + [3.0])
    assert found.by_class[1]["set_size"].interval.reason == "there is one row"
    assert found.by_class[0]["set_size"].interval.reason == ""


@pytest.mark.parametrize("seed", range(5))
def test_an_interval_has_a_width_where_all_sets_are_alike(seed):
    """What was not seen in these rows may be in the next: one row in a hundred with another set is easily missed."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 8)), int(rng.integers(15, 400))
    low = int(rng.integers(k))
    high = int(rng.integers(low, k))
    true = rng.integers(low, high + 1, n)
    size, far = (
        oe.evaluate_sets(true, ([low] * n, [high] * n), labels=range(k)).scores[m] for m in ("set_size", "miss_distance")
    )
    assert size.interval.low <= high - low + 1 <= size.interval.high
    assert size.interval.low == 1 or size.interval.low < size.value, "smaller sets might have been given"
    assert size.interval.high == k or size.interval.high > size.value, "larger sets might have been given"
    assert 0 == far.interval.low == far.value < far.interval.high < k - 1


@pytest.mark.parametrize("k", [34, 35, 127, 300])
def test_many_classes_have_intervals_with_a_width(k):
    true = np.arange(2_000) % k
    size, far = (oe.evaluate_sets(true, (np.zeros(2_000, int), np.full(2_000, k - 1)), labels=range(k)).scores[m].interval
                 for m in ("set_size", "miss_distance"))  # fmt: skip
    assert size.low < size.high == k
    assert far.low == 0 < far.high


def test_intervals_that_cannot_be_given_say_why():
    found = oe.evaluate_sets([0, 1] * 40, ([0, 1] * 40, [0, 1] * 40))
    distance = found.scores["miss_distance"].interval
    assert distance.low == 0 < distance.high < 0.1
    assert found.scores["set_coverage"].interval.low == pytest.approx(mid_p(1.0, 80, 0.025)[0])
    few = oe.evaluate_sets([0, 1] * 5, ([0, 1] * 5, [0, 1] * 5))
    assert "10 rows; 15 are enough" in few.scores["miss_distance"].interval.reason
    assert "no interval" in str(few)


def test_what_cannot_be_asked_of_sets_is_refused():
    with pytest.raises(ValueError, match="confidence_level=2 is not between 0 and 1"):
        oe.evaluate_sets([0, 1], ([0, 1], [1, 1]), labels=[0, 1], confidence_level=2)


def test_counts_of_weighted_rows_have_scores_and_say_why_they_have_no_interval():
    rng = np.random.default_rng(0)
    true, weight = rng.integers(0, 4, 50), rng.random(50)
    lo = np.clip(true - rng.integers(0, 2, 50), 0, 3)
    hi = np.clip(lo + rng.integers(0, 3, 50), 0, 3)
    found = oe.evaluate_sets(oe.Counts.from_sets(true, (lo, hi), labels=range(4), sample_weight=weight))
    held = (lo <= true) & (true <= hi)
    assert found.scores["set_coverage"].value == pytest.approx(weight[held].sum() / weight.sum())
    assert found.scores["set_size"].value == pytest.approx(np.average(hi - lo + 1, weights=weight))
    assert "number the rows and count again" in found.scores["set_size"].interval.reason
