"""Do rows that are equal score equal, and get equal answers?  Whatever their position, chunk, type or order."""

import itertools

import numpy as np
import pytest
from forecasts import as_forecast, variants
from rational import fits_disagree, forecast_case

import ordeval as oe
from ordeval.metrics.core import forecast as module
from ordeval.metrics.core.forecast import mean_ranks, ranks_on_grid

ORDERED = ["concordance_index", "ordinal_auc", "ordinal_auc(average='pairs')", "ordinal_auc(average='consecutive')"]


def tenths(rng, n, k):
    return rng.multinomial(10, rng.dirichlet(np.ones(k)), n) / 10


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_a_constant_forecast_orders_nothing(k):
    rng = np.random.default_rng(k)
    for n in (k, k + 1, 17, 63, 200):
        true, row = np.r_[np.arange(k), rng.integers(0, k, n - k)], tenths(rng, 1, k)[0]
        rows = as_forecast(true, np.tile(row, (n, 1)))
        for text in ORDERED:
            assert oe.get_metric(text).bind(rows).point() == 0.5
        chance = 1 / np.prod(np.arange(1, k + 1))
        assert oe.get_metric("volume_under_surface").bind(rows).point() == pytest.approx(chance, rel=1e-13)


def test_mean_ranks_of_tenths_tie_where_they_are_equal():
    """Against whole numbers of tenths, which are added up exactly."""
    rng = np.random.default_rng(2)
    for k in (2, 3, 4, 6, 8):
        parts = rng.multinomial(10, rng.dirichlet(np.ones(k)), 400)
        exact = parts @ np.arange(1, k + 1)
        for proba in (parts / 10, (parts / 10).astype(np.float32), np.asfortranarray(parts / 10)):
            ranks = ranks_on_grid(proba)
            assert ((ranks[:, None] == ranks) == (exact[:, None] == exact)).all()
            assert ((ranks[:, None] < ranks) == (exact[:, None] < exact)).all()


def test_the_mean_rank_of_a_row_does_not_depend_on_where_it_stands():
    rng = np.random.default_rng(3)
    row = rng.dirichlet(np.ones(7))
    alone = mean_ranks(row[None])[0]
    for n in (2, 3, 8, 33, module.ROWS + 5):
        many = rng.dirichlet(np.ones(7), n)
        for place in (0, n // 2, n - 1):
            many[place] = row
            for layout in (np.ascontiguousarray, np.asfortranarray):
                assert mean_ranks(layout(many))[place] == alone


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_all_orders_of_small_cases(metric):
    for seed in range(12):
        case = forecast_case(np.random.default_rng([seed, 4]), rows=4)
        values = []
        for order in itertools.permutations(range(len(case.true))):
            order = list(order)
            weights = None if case.weights is None else np.array(case.weights, float)[order]
            values.append(metric.bind(as_forecast(np.array(case.true)[order], case.doubles[order], weights)).point())
        values = np.array(values)
        same = np.isnan(values).all() or np.isinf(values).all()
        assert same or np.abs(values - values[0]).max() <= 1e-13 * max(1, abs(values[0])), (seed, values)


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_single_precision_ties_and_bins_as_double_precision_does(metric):
    """Round forecasts: order and bins are the same; what is added up differs by the digits that single precision lacks."""
    rng = np.random.default_rng(5)
    proba, true = tenths(rng, 60, 4), np.r_[np.arange(4), rng.integers(0, 4, 56)]
    proba[:30] = (proba[:30] + 0.05) / 1.2  # not certain
    double, single = (metric.bind(as_forecast(true, p)).point() for p in (proba, proba.astype(np.float32)))
    if metric.name == "calibration_slope":
        double, single = 0.0, 0.0 if np.isnan(double) == np.isnan(single) else 1.0
    exact = metric.name in ("concordance_index", "ordinal_auc", "volume_under_surface", "unimodality") or "zero_one" in str(
        metric
    )
    assert double == single or abs(double - single) <= (0 if exact else 1e-6), (double, single)


class TestDecisions:
    def test_identical_rows_get_identical_answers(self):
        """Of `decide`, of fitted rules and of the classifier; `python -m battery.run --only twin` tries a thousand."""
        assert [why for seed in range(24) if (why := fits_disagree(np.random.default_rng([seed, 18])))] == []

    def test_a_fitted_rule_reproduces_its_own_value(self):
        rng = np.random.default_rng(7)
        for _ in range(25):
            true, proba = rng.integers(0, 4, 60), tenths(rng, 60, 4)
            rule = oe.decide.fit(true, proba, "cohen_kappa", labels=range(4))
            assert oe.cohen_kappa(true, rule.apply(proba), labels=range(4)) == pytest.approx(rule.fitted, abs=1e-12)
            again = oe.decide.Decision.from_json(rule.to_json())
            order = rng.permutation(60)
            assert (again.apply(proba[order]) == rule.apply(proba)[order]).all()
            for i in (0, 17, 59):
                assert rule.apply(proba[[i]])[0] == rule.apply(proba)[i]

    def test_equal_costs_take_the_lowest_class_in_both_precisions(self):
        """The median of (0.2, 0.3, 0.1, 0.4) is between classes 1 and 2: both cost the same."""
        proba = np.array([[0.2, 0.3, 0.1, 0.4], [0.1, 0.4, 0.2, 0.3], [0.3, 0.2, 0.4, 0.1]])
        for values in (proba, proba.astype(np.float32), np.asfortranarray(proba)):
            assert oe.decide.decide(values, "mae", labels=range(4)).tolist() == [1, 1, 1]
