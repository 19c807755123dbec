"""Do probability, set and rater metrics agree with their exact twins, and is every nan one?  A slice; the battery runs all of it."""

import math

import numpy as np
import pytest
from forecasts import as_forecast, variants
from rational import forecast_case, rating_case, set_case

import ordeval as oe
from ordeval.metrics.core import forecast as forecasts
from ordeval.metrics.families import calibration
from ordeval.metrics.solvers import logistic
from ordeval.raters import _coefficients as coefficients
from papers import derivations_raters, existence, twin

SEED = 18


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_forecasts_agree_with_fractions_in_every_order_and_name_what_is_missing(metric):
    tried, wrong = twin.forecasts(SEED, range(70), [metric])
    assert wrong == []
    assert tried[str(metric)] >= 70


def test_sets_agree_with_fractions():
    assert twin.sets(SEED, range(100))[1] == []


@pytest.mark.parametrize("part", range(4))
def test_ratings_agree_with_fractions(part):
    assert twin.ratings(SEED, range(30 * part, 30 * part + 30))[1] == []


def test_every_metric_has_a_twin_and_a_second_opinion_on_its_existence():
    assert {m.name for m in variants()} == set(existence.FORECASTS)
    assert set(coefficients.COEFFICIENTS) == set(derivations_raters.COEFFICIENTS) == set(existence.RATINGS)
    assert {m.name for m in oe.catalogue(family="sets")} == set(derivations_raters.SETS)


def test_the_cases_are_of_every_kind():
    cases = [forecast_case(np.random.default_rng([SEED, i])) for i in range(400)]
    assert {case.K for case in cases} == set(range(2, 9))
    denominators = {x.denominator for case in cases for row in case.proba for x in row}
    assert {2, 5, 10, 20, 25, 50, 100} <= denominators
    several = [case for case in cases if len(case.true) > 2]
    assert any(all(row == case.proba[0] for row in case.proba) for case in several)  # constant
    assert any(1 < len(set(map(tuple, case.proba))) < len(case.proba) for case in several)  # repeated
    assert {case.weights is None for case in cases} == {True, False}
    assert any(1 in row for case in cases for row in case.proba)  # certain
    assert {set_case(np.random.default_rng([SEED, i])).K for i in range(100)} == set(range(2, 9))
    rated = [rating_case(np.random.default_rng([SEED, i])) for i in range(100)]
    assert {None in item for case in rated for item in case.items} == {True, False}


class TestEveryUndefinedScoreIsClaimed:
    """Thousands of small cases: nan exactly where a program that computes no score finds that there is none."""

    @pytest.mark.parametrize("metric", [m for m in variants() if existence.FORECASTS[m.name] is not existence.always], ids=str)
    def test_of_forecasts(self, metric):
        missing = 0
        for i in range(500):
            case = forecast_case(np.random.default_rng([SEED, i, 9]), classes=2 + i % 3)
            score = metric.bind(as_forecast(case.true, case.doubles, case.double_weights, case.K))
            exists, value, why = existence.FORECASTS[metric.name](case, **metric.params), score.point(), score.why_undefined()
            assert (math.isnan(value), bool(why)) == (not exists, not exists), (case, value, why)
            missing += not exists
        always = ("cumulative_calibration_error", "rps(", "rps_skill(reference='uniform'")  # but for a scale of one class
        assert missing or str(metric).startswith(always) or str(metric) == "rps", "no case without a value was tried"

    def test_of_one_class(self):
        """K = 1: there is no cut, no pair and no skill."""
        one = oe.forecast(["only"] * 3, np.ones((3, 1)), labels=["only"])
        for metric in variants():
            score = metric.bind(one)
            if math.isnan(score.point()):
                assert "only" in score.why_undefined(), metric
        texts = [str(m) for m in variants() if math.isnan(m.bind(one).point())]
        assert {"rps(normalize=True)", "rps_skill", "calibration_slope", "cumulative_calibration_error", "ordinal_auc"} <= set(
            texts
        )


class TestAFaultIsNoticed:
    """Each of the mistakes that once were made, planted again."""

    def wrong(self, *texts, number=60):
        return twin.forecasts(SEED, range(number), [oe.get_metric(text) for text in texts])[1]

    def test_ranks_from_a_matrix_product(self, monkeypatch):
        def product(proba, grid=None):
            return np.asarray(proba, float) @ np.arange(1.0, proba.shape[1] + 1)

        monkeypatch.setattr(forecasts, "ranks_on_grid", product)
        assert self.wrong("concordance_index", "ordinal_auc", number=200)

    def test_bins_of_sums_as_they_come(self, monkeypatch):
        monkeypatch.setattr(calibration, "snapped", lambda values, grid=1e12: values * grid)
        assert self.wrong("cumulative_calibration_error", number=200)

    def test_separation_that_is_not_looked_for(self, monkeypatch):
        monkeypatch.setattr(calibration.Slope, "_overlap", lambda self, rows, counted: counted.any(1))
        monkeypatch.setattr(logistic, "STEPS", 5)
        monkeypatch.setattr(logistic, "_bisected", lambda x, came, counted: (0.0, 0.0))
        assert self.wrong("calibration_slope")

    def test_a_slope_that_is_a_little_off(self, monkeypatch):
        fitted = calibration.fit_slopes

        def shifted(*args):
            fit = fitted(*args)
            return type(fit)(fit.intercept, fit.slope * (1 + 1e-11), fit.p, fit.counted)

        monkeypatch.setattr(calibration, "fit_slopes", shifted)
        assert self.wrong("calibration_slope", number=150)

    def test_a_denominator_that_is_rounding(self, monkeypatch):
        monkeypatch.setattr(coefficients, "_over", lambda numerator, *parts: numerator / (np.sum(parts, 0) + 1e-15))
        assert twin.ratings(SEED, range(60))[1]

    def test_a_reason_where_there_is_a_value(self, monkeypatch):
        monkeypatch.setattr(calibration.BinnedError, "why_undefined", lambda self: "because")
        assert self.wrong("cumulative_calibration_error", number=2)
