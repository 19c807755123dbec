"""Is the arithmetic of the probability metrics right?  Against row-by-row derivations, exact or in 50 digits, and the numbers of statistics."""

import math
from fractions import Fraction
from inspect import signature

import numpy as np
import pytest
from forecasts import as_forecast, random_forecast, variants

import ordeval as oe
from papers import derivations_probability as derivations

SLOW_CHAINS = {"volume_under_surface"}


def derived(metric, true, proba, weights):
    """From the doubles as they are, every digit of them; sums are compared on the grid."""
    weights = [Fraction(1)] * len(true) if weights is None else [Fraction(float(w)) for w in weights]
    rows = [[Fraction(float(x)) for x in p] for p in proba]
    function = getattr(derivations, metric.name)
    compared = {"key": derivations.on_grid} if "key" in signature(function).parameters else {}
    return function([int(y) for y in true], rows, weights, **metric.params, **compared)


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
@pytest.mark.parametrize("metric", variants(), ids=str)
def test_against_fifty_digits(metric, dtype):
    for seed in range(6):
        k, n = (3, 14) if metric.name in SLOW_CHAINS else (2 + seed % 4, 25)
        true, proba, weights = random_forecast(seed, n, k, coarse=seed % 3 == 2, weights=seed % 2 == 1, dtype=dtype)
        with np.errstate(all="ignore"):
            got = metric.bind(as_forecast(true, proba, weights)).point()
        expected = derived(metric, true, proba, weights)
        if expected is None:
            assert math.isnan(got)
        elif math.isinf(expected):
            assert math.isinf(got)
        else:
            expected = derivations.real(expected)
            assert abs(got - expected) <= 1e-12 * max(1, abs(expected)), f"{metric} on seed {seed}: {got} is not {expected}"


def test_aliases_are_found_with_their_parameters():
    true, proba, _ = random_forecast(0)
    for metric in (metric for metric in variants() if metric.params == metric.defaults):
        for alias, params in metric.aliases.items():
            assert oe.get_metric(alias) == metric.with_params(**params)
            assert oe.get_metric(alias)(true, proba) == metric.function(true, proba, **params)


def test_every_metric_has_a_derivation():
    assert {m.name for m in variants()} == set(derivations.__all__)


def test_the_products_of_ordinal_log_loss_are_its_logarithms():
    """One logarithm a row instead of K - 1: up to sixteen classes, with probabilities next to 0 and 1."""
    for k in (2, 3, 9, 16, 17, 40):
        rng = np.random.default_rng(k)
        proba = rng.dirichlet(np.full(k, 0.05), 500)
        proba[:5] = np.eye(k)[0] * (1 - 1e-15) + 1e-15 / k
        true = rng.integers(0, k, 500)
        distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))[true]
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = -np.where(distance, distance * np.log1p(-proba), 0).sum(1).mean()
        assert oe.ordinal_log_loss(true, proba, labels=range(k)) == pytest.approx(expected, rel=1e-12)


def test_certain_and_wrong_costs_infinitely_much():
    assert oe.log_loss([0, 1], [[1, 0], [1, 0]]) == math.inf
    assert oe.ordinal_log_loss([0, 1], [[1, 0], [1, 0]]) == math.inf
    assert oe.brier([0, 1], [[1, 0], [1, 0]]) == 1.0


def test_a_million_single_precision_rows_are_added_up_in_double_precision():
    """In single precision the sum would stop growing near 16.8 million."""
    n = 1 << 20
    proba = np.tile(np.array([0.1, 0.2, 0.7], np.float32), (n, 1))
    one = oe.rps([2], proba[:1].astype(float), labels=range(3))
    assert oe.rps(np.full(n, 2), proba, labels=range(3)) == pytest.approx(one, rel=1e-13)


def test_climatology_is_the_best_constant_in_hindsight():
    true, _, _ = random_forecast(0, 200)
    shares = np.bincount(true, minlength=4) / 200
    assert oe.rps_skill(true, np.tile(shares, (200, 1))) == pytest.approx(0, abs=1e-12)
    cumulative = np.cumsum(shares)[:-1]
    assert oe.rps(true, np.tile(shares, (200, 1))) == pytest.approx((cumulative * (1 - cumulative)).sum(), abs=1e-12)


@pytest.mark.parametrize(("rows", "printed"), [(200, 0.062), (1_000, 0.029), (10_000, 0.009)])
def test_the_error_of_a_calibrated_forecast(rows, printed):
    """Chance alone: the value shown beside the error agrees with simulation, and has the size that is known for four classes."""
    rng = np.random.default_rng(1)
    simulated, shown = [], []
    for _ in range(40 if rows < 10_000 else 6):
        proba = rng.dirichlet(np.ones(4), rows)
        true = (rng.random(rows)[:, None] > np.cumsum(proba, 1)[:, :-1]).sum(1)
        table = oe.parts.calibration_table(true, proba, labels=range(4))
        simulated.append(table.error)
        shown.append(table.error_if_calibrated)
        assert table.error == pytest.approx(oe.cumulative_calibration_error(true, proba, labels=range(4)))
    assert np.mean(shown) == pytest.approx(np.mean(simulated), rel=0.06)
    assert np.mean(simulated) == pytest.approx(printed, rel=0.25)


def test_parts_of_the_score_add_up_and_are_those_of_the_forecasts():
    true, proba, weights = random_forecast(3, 300, weights=True)
    parts = oe.parts.rps_decomposition(true, proba, sample_weight=weights, labels=range(4))
    assert parts.score == pytest.approx(oe.rps(true, proba, sample_weight=weights, labels=range(4)))
    assert parts.score == pytest.approx(parts.reliability - parts.resolution + parts.uncertainty + parts.within)
    coarse_true, coarse, _ = random_forecast(4, 300, k=2, coarse=True)
    assert oe.parts.rps_decomposition(coarse_true, coarse, bins=8).within == pytest.approx(
        0, abs=1e-12
    )  # one forecast in each bin
    shares = np.bincount(true, weights, minlength=4) / weights.sum()
    constant = oe.parts.rps_decomposition(true, np.tile(shares, (300, 1)), sample_weight=weights)
    assert (constant.reliability, constant.resolution) == pytest.approx((0, 0), abs=1e-12)


class TestInfluence:
    """How fast a score changes with the weight of a row, by formula and by nudging."""

    @pytest.mark.parametrize("metric", [m for m in variants() if m.name != "calibration_slope"], ids=str)
    def test_against_nudged_weights(self, metric):
        for seed in range(3):
            true, proba, weights = random_forecast(seed, 30, 4, coarse=False, weights=True)
            score = metric.bind(as_forecast(true, proba, weights))
            self.nudge(score, weights, 1e-5)

    def test_ties(self):
        for text in ("concordance_index", "ordinal_auc", "volume_under_surface", "ordinal_auc(average='pairs')"):
            true, proba, weights = random_forecast(5, 30, 3, coarse=True, weights=True)
            self.nudge(oe.get_metric(text).bind(as_forecast(true, proba, weights)), weights, 1e-5)

    @pytest.mark.parametrize("text", ["calibration_slope", *(f"calibration_slope(cut={cut})" for cut in range(3))])
    def test_of_a_slope(self, text):
        true, proba, weights = random_forecast(7, 200, 4, weights=True)
        self.nudge(oe.get_metric(text).bind(as_forecast(true, proba, weights)), weights, 1e-3)

    def nudge(self, score, weights, size):
        influence = score.influence(weights[None])[0]
        rows = np.arange(0, len(weights), max(1, len(weights) // 30))
        steps = size * np.eye(len(weights))[rows]
        numeric = (score(weights + steps) - score(weights - steps)) / (2 * size)
        assert influence[rows] == pytest.approx(numeric, abs=1e-6, rel=1e-5)
        assert score(weights[None]) == pytest.approx(score.point(), abs=1e-13)


class TestSets:
    TRUE, LO, HI = [0, 1, 2, 3, 3, 0], [0, 0, 3, 3, 1, 1], [1, 0, 3, 3, 2, 2]

    def test_by_hand(self):
        sets = (self.LO, self.HI)
        assert oe.set_coverage(self.TRUE, sets) == pytest.approx(2 / 6)
        assert oe.set_size(self.TRUE, sets) == pytest.approx((2 + 1 + 1 + 1 + 2 + 2) / 6)
        assert oe.miss_distance(self.TRUE, sets) == pytest.approx((0 + 1 + 1 + 0 + 1 + 1) / 6)
        assert oe.set_size(self.TRUE, sets, sample_weight=[1, 0, 0, 0, 0, 3]) == 2
        counts = oe.Counts.from_sets(self.TRUE, np.transpose(sets))
        assert counts.table("true", "lo", "hi").shape == (4, 4, 4)
        assert oe.set_coverage(counts) == oe.set_coverage(self.TRUE, {"lo": self.LO, "hi": self.HI})

    def test_the_target_is_the_level(self):
        assert oe.get_metric("set_coverage").direction == 0.9
        assert oe.get_metric("set_coverage(coverage=0.8)").direction == 0.8
