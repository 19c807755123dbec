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
    assert weighted.scores["set_size"].value == pytest.approx(rows.scores["set_size"].value)
    assert "weighted rows" in weighted.scores["set_size"].interval.reason


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
