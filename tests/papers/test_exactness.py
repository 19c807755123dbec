"""Is a number right where rounding, size or certainty used to decide?  Slopes, bins, denominators of 0, huge weights."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from mpmath import exp, log, mp, mpf

import ordeval as oe
from ordeval.metrics.families.discrimination import exponents
from ordeval.metrics.solvers.logistic import _bisected, fit_slopes
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems

mp.dps = 50


class TestSlope:
    def test_forecasts_that_are_far_too_sure(self):
        """0.32292 by statsmodels' Logit and by scikit-learn without a penalty."""
        proba = [[0.99, 0.01], [0.99, 0.01], [0.9, 0.1], [0.1, 0.9]]
        assert oe.calibration_slope([0, 1, 0, 1], proba, labels=[0, 1]) == pytest.approx(0.32291947, abs=5e-9)

    def test_statsmodels_agrees_on_forecasts_that_are_six_times_too_sure(self):
        import statsmodels.api as sm

        rng = np.random.default_rng(18)
        for _ in range(40):
            true, below = rng.integers(0, 2, 40), rng.integers(1, 100, 40) / 100
            sure = below**6 / (below**6 + (1 - below) ** 6)
            value = oe.calibration_slope(true, np.c_[sure, 1 - sure], labels=[0, 1])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                peer = sm.Logit(true == 0, sm.add_constant(np.log(sure / (1 - sure)))).fit(disp=0, tol=1e-12)
            assert value == pytest.approx(peer.params[1], abs=1e-8)

    def test_no_data_set_of_the_study_loses_its_slope_but_to_separation(self):
        """The population of docs/coverage-probability.md whose logits are doubled and whose last class is rare."""
        rng, cuts, kept = np.random.default_rng(0), np.array([-1.0, 3.0]), 0
        for _ in range(60):
            position = rng.logistic(size=(100, 1))
            true = (rng.random((100, 1)) > 1 / (1 + np.exp(position - cuts))).sum(1)
            below = 1 / (1 + np.exp(2 * (position - cuts)))
            proba = np.diff(np.c_[np.zeros(100), below, np.ones(100)], axis=1)
            value = oe.get_metric("calibration_slope").bind(oe.forecast(true, proba, labels=range(3))).point()
            sides = [(below[true <= cut, cut], below[true > cut, cut]) for cut in (0, 1)]
            overlap = all(yes.size and no.size and yes.min() < no.max() and no.min() < yes.max() for yes, no in sides)
            assert math.isnan(value) != overlap
            kept += overlap
        assert kept > 40

    @pytest.mark.parametrize("almost", [0.9999999999999999, 1 - 1e-13])
    def test_certain_is_certain_however_it_was_added_up(self, almost):
        others = [[0.9, 0.1], [0.8, 0.2], [0.6, 0.4], [0.7, 0.3]]
        values = [oe.calibration_slope([0, 1, 0, 1, 0], [*others, [p, 1 - p]], labels=[0, 1]) for p in (1.0, almost)]
        assert values[0] == values[1]
        wrong = oe.forecast([0, 1, 0, 1, 1], [*others, [almost, 1 - almost]], labels=[0, 1])
        assert "certain and wrong" in oe.get_metric("calibration_slope").bind(wrong).why_undefined()

    @pytest.mark.parametrize("seed", range(3))
    def test_halving_intervals_leads_to_where_all_pulls_are_in_balance(self, seed):
        rng = np.random.default_rng(seed)
        x, counted = np.linspace(-1, 1, 30), rng.dirichlet(np.full(30, 0.3))
        came = (rng.random(30) < 1 / (1 + np.exp(-3 * x))).astype(int)
        came[[0, 10, 20, 29]] = 0, 1, 0, 1  # the two outcomes overlap
        intercept, slope = _bisected(x, came, counted)
        pull = counted * (came - 1 / (1 + np.exp(-(intercept + slope * x))))
        assert abs(pull.sum()) < 1e-12
        assert abs((pull * x).sum()) < 1e-12
        fit = fit_slopes(x, came, counted[None], np.array([True]))
        assert slope == pytest.approx(fit.slope[0], rel=1e-6)

    def test_weights_so_far_apart_that_steps_lose_their_direction(self):
        """In 50 digits the pulls on intercept and slope are in balance."""
        true, below = [0, 1, 1, 0, 1, 1, 0], np.array([0.15, 0.1, 0.03, 0.91, 0.01, 0.25, 0.91])
        weights = [1e-26, 1, 1e-40, 1e-18, 1e-36, 1e-27, 1e-38]
        rows = oe.forecast(true, np.c_[below, 1 - below], labels=[0, 1], sample_weight=weights)
        fit = oe.get_metric("calibration_slope").bind(rows)._fit(0, np.array([weights]))
        x = [log(mpf(float(p)) / (1 - mpf(float(p)))) for p in below]
        fitted = [1 / (1 + exp(-(float(fit.intercept[0]) + float(fit.slope[0]) * v))) for v in x]
        errors = [mpf(w) * ((t == 0) - p) for w, t, p in zip(weights, true, fitted, strict=True)]
        turns = [e * (v - x[1]) for e, v in zip(errors, x, strict=True)]
        for pulls in (errors, turns):
            assert abs(sum(pulls)) < 1e-9 * sum(map(abs, pulls))

    @pytest.mark.parametrize(
        ("true", "below", "why"),
        [
            ([0, 0, 0], [0.2, 0.5, 0.7], "only one side came true"),
            ([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5], "all forecasts are the same"),
            ([0, 0, 1, 1], [0.9, 0.8, 0.7, 0.6], "separate"),
            ([0, 0, 1, 1], [0.9, 0.8, 0.8, 0.6], "separate"),  # touching is not overlapping
            ([0, 0, 1, 1], [0.6, 0.8, 0.8, 0.9], "separate"),  # nor the other way round
            ([0, 1, 0, 1], [1.0, 0.0, 1.0, 0.0], "every forecast was certain"),
            ([0, 1, 0, 1], [0.0, 0.4, 0.6, 0.5], "certain and wrong, that of the row at index 0"),
        ],
    )
    def test_what_leaves_no_slope_is_named(self, true, below, why):
        proba = np.c_[below, 1 - np.array(below)]
        with pytest.warns(oe.UndefinedScore, match=rf"at cut 0 \(up to class 0\) .*{why}"):
            assert math.isnan(oe.calibration_slope(true, proba, labels=[0, 1]))


class TestBins:
    def test_equal_mass_is_equally_many_rows(self):
        below = np.arange(1, 101) / 101
        for order in (slice(None), np.random.default_rng(1).permutation(100)):
            table = oe.parts.calibration_table(np.arange(100) % 2, np.c_[below, 1 - below][order], labels=[0, 1], binning="mass")
            assert table.weight.tolist() == [[10.0] * 10]

    @pytest.mark.parametrize(("rows", "bins"), [(30, 7), (9, 10), (64, 5)])
    def test_equal_mass_differs_by_one_row_where_it_must(self, rows, bins):
        below = np.linspace(0.01, 0.99, rows)
        weight = oe.parts.calibration_table([0] * rows, np.c_[below, 1 - below], labels=[0, 1], bins=bins, binning="mass").weight[
            0
        ]
        assert weight.max() - weight.min() <= 1

    def test_equal_forecasts_share_a_bin_of_equal_mass(self):
        below = np.repeat([0.1, 0.1 + 0.2, 0.3, 0.9], [3, 2, 2, 5])
        table = oe.parts.calibration_table([0] * 12, np.c_[below, 1 - below], labels=[0, 1], bins=4, binning="mass")
        assert table.weight.tolist() == [[3.0, 4.0, 0.0, 5.0]]

    @pytest.mark.parametrize("dtype", [np.float64, np.float32])
    def test_a_forecast_on_an_edge_belongs_to_the_bin_above_however_it_was_added_up(self, dtype):
        """Every way to write F in hundredths as the sum of three probabilities, ten bins."""
        for hundredths in range(0, 101, 5):
            parts = [(a, b, hundredths - a - b) for a in range(0, hundredths + 1, 7) for b in range(0, hundredths - a + 1, 9)]
            proba = np.array([[a / 100, b / 100, c / 100, (100 - hundredths) / 100] for a, b, c in parts], dtype)
            weight = oe.parts.calibration_table([0] * len(parts), proba, labels=range(4)).weight[2]
            assert weight.argmax() == min(hundredths // 10, 9), hundredths
            assert np.count_nonzero(weight) == 1, hundredths

    def test_thirds_lie_on_the_edges_of_three_bins(self):
        table = oe.parts.calibration_table([0, 0], [[1 / 3, 2 / 3], [2 / 3, 1 / 3]], labels=[0, 1], bins=3)
        assert table.weight.tolist() == [[0.0, 1.0, 1.0]]


def coefficient(name, table, k):
    counts = oe.raters.ratings(np.array(table, float), labels=range(1, k + 1))
    units = RatedItems.of(counts)
    return float(COEFFICIENTS[name].bind("quadratic", None, k)(units.sums(units.whole))[0])


class TestDenominatorsOfZero:
    """Items (1, 2) and (2, 1): all item means are equal, and so are all rater means."""

    @pytest.mark.parametrize(
        "table", [[[1, 2], [2, 1]], [[1, 3, 2], [2, 1, 3], [3, 2, 1]], [[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]]]
    )
    def test_mean_squares_that_cancel_leave_no_icc_of_the_mean(self, table):
        raters, items = np.array(table, float).T, len(table)
        of_items = np.var(raters.mean(0), ddof=1) * len(raters)
        of_raters, rest = (
            np.var(raters.mean(1), ddof=1) * items,
            raters - raters.mean(0) - raters.mean(1)[:, None] + raters.mean(),
        )
        error = (rest**2).sum() / ((items - 1) * (len(raters) - 1))
        assert of_items == pytest.approx(0, abs=1e-12)
        denominator = of_items + (of_raters - error) / items
        value = coefficient("icc_mean", table, 4)
        assert math.isnan(value) if abs(denominator) < 1e-9 else value == pytest.approx((of_items - error) / denominator)

    def test_found_by_trying_all_small_tables(self):
        """No value of all tables of three items and two raters is beyond what fractions allow; the reason is named."""
        from itertools import product

        seen = 0
        for cells in product(range(1, 4), repeat=6):
            table = np.array(cells).reshape(3, 2)
            rows = [[Fraction(int(x)) for x in row] for row in table]
            means, sides, all_ = (
                [sum(r) / 2 for r in rows],
                [sum(r[g] for r in rows) / 3 for g in (0, 1)],
                sum(map(sum, rows)) / 6,
            )
            msr, msc = sum((m - all_) ** 2 for m in means), 3 * sum((s - all_) ** 2 for s in sides)
            mse = sum((rows[i][g] - means[i] - sides[g] + all_) ** 2 for i in range(3) for g in (0, 1)) / 2
            below = msr + (msc - mse) / 3
            value = coefficient("icc_mean", table, 3)
            if below == 0:
                seen += 1
                assert math.isnan(value), table.tolist()
            else:
                assert value == pytest.approx(float((msr - mse) / below), abs=1e-12, rel=1e-12), table.tolist()
        assert seen > 3

    def test_the_reason_is_the_condition_that_fails(self):
        def reason(name, table):
            return oe.raters.agreement(oe.raters.ratings(np.array(table, float), labels=[1, 2, 3]), [name]).scores[name].reason

        assert "cancel in the denominator" in reason("icc", [[1, 2], [2, 1]])
        assert "alike" in reason("icc", [[2, 2], [2, 2]])
        assert "no two items were rated by everybody" in reason("icc_mean", [[1, 2], [2, np.nan], [np.nan, 1]])
        assert "every rater gave" in reason("kendall_w", [[1, 2], [1, 2]])
        assert "one class" in reason("fleiss_kappa", [[2, 2], [2, 2]])
        assert "that can be paired" in reason("alpha_ordinal", [[2, 2], [2, 2], [1, np.nan]])
        assert "to all items that both rated" in reason("pairwise_kappa", [[2, 2, 1], [2, 2, 2]])


class TestSize:
    def test_a_volume_of_many_classes_does_not_overflow(self):
        true = np.repeat(np.arange(160), 100)
        assert oe.volume_under_surface(true, true.astype(float), labels=range(160)) == 1
        assert oe.volume_under_surface(true, np.minimum(true, 158) * 1.0, labels=range(160)) == 0.5
        many = np.repeat(np.arange(200), 2)
        assert oe.volume_under_surface(many, many.astype(float), labels=range(200)) == 1
        assert oe.volume_under_surface(many, np.zeros(400), labels=range(200)) == 0  # 1 / 200!, which no double holds

    def test_a_volume_does_not_depend_on_the_unit_of_the_weights(self):
        rng = np.random.default_rng(3)
        true, score = np.r_[np.arange(7), rng.integers(0, 7, 30)], rng.integers(0, 9, 37).astype(float)
        score[:7] = np.arange(7)
        weights = rng.integers(1, 9, 37).astype(float)
        plain = oe.volume_under_surface(true, score, labels=range(7), sample_weight=weights)
        assert plain > 0
        for unit in (2.0**150, 2.0**-150):  # of about 1e45; a power of two, so that nothing is rounded
            assert oe.volume_under_surface(true, score, labels=range(7), sample_weight=weights * unit) == plain
        assert oe.volume_under_surface(true, score, labels=range(7), sample_weight=weights * 1e45) == pytest.approx(
            plain, rel=1e-13
        )

    @pytest.mark.parametrize("seed", range(5))
    def test_running_products_of_classes_stay_between_a_half_and_one(self, seed):
        rng = np.random.default_rng(seed)
        sizes = 10.0 ** rng.uniform(-40, 40, (4, 30))
        running = np.cumprod(np.ldexp(sizes, -exponents(sizes, running=True)), 1)
        assert ((running >= 0.5) & (running < 1)).all()
        alone = np.ldexp(sizes, -exponents(sizes))
        assert ((alone >= 0.5) & (alone < 1)).all()

    def test_a_class_without_rows_is_named(self):
        with pytest.warns(oe.UndefinedScore, match="class 1 has no rows"):
            assert math.isnan(oe.volume_under_surface([0, 2], [0.0, 1.0], labels=range(3)))

    TABLES = (
        [[1e20, 1], [1, 1e3]],
        [[1e30, 1, 0], [0, 1, 1e-3], [1, 0, 1e5]],
        [[1e18, 0, 0], [0, 1, 0], [0, 0, 1e-5]],
        [[1e17, 3, 1], [2, 1e17, 4], [1, 1, 5]],
        [[1, 1e-20], [1e-25, 1e-22]],
    )

    @pytest.mark.parametrize("table", TABLES)
    def test_weights_that_span_more_than_sixteen_digits(self, table):
        k = len(table)
        true, pred = np.divmod(np.arange(k * k), k)
        weights = np.ravel(table)
        cells = [[Fraction(x) for x in row] for row in table]
        n, rows, columns = sum(map(sum, cells)), [sum(r) for r in cells], [sum(c) for c in zip(*cells, strict=True)]
        gap = sum(cells[i][i] for i in range(k)) * n - sum(a * b for a, b in zip(rows, columns, strict=True))
        spread = [n * n - sum(m * m for m in margin) for margin in (rows, columns)]

        def digits(x):
            return mpf(x.numerator) / x.denominator

        expected = digits(gap) / (digits(spread[0]) * digits(spread[1])) ** mpf("0.5")
        got = oe.matthews(true, pred, sample_weight=weights, labels=range(k))
        assert abs(got - expected) <= 1e-12

        def entropy(margin):
            return -sum(digits(m / n) * log(digits(m / n)) for m in margin if m)

        shared = sum(
            digits(cells[i][j] / n) * log(digits(n * cells[i][j] / (rows[i] * columns[j])))
            for i in range(k)
            for j in range(k)
            if cells[i][j]
        )
        both = entropy(rows), entropy(columns)
        for mean, divisor in (("min", min(both)), ("max", max(both)), ("arithmetic", sum(both) / 2)):
            got = oe.mutual_information(true, pred, sample_weight=weights, labels=range(k), mean=mean)
            assert abs(got - shared / divisor) <= 1e-12, mean


class TestWords:
    def test_zero_one_on_a_threshold_is_what_the_formula_says(self):
        """A score on a threshold is below it: it costs where the truth is above, and nothing where it is below."""
        for true, cost in ((1, 0.0), (2, 1.0)):
            assert oe.threshold_loss([true], [0.3], labels=[1, 2], thresholds=[0.3], loss="zero_one") == cost
        text = oe.get_metric("threshold_loss").formula_text
        assert "on a threshold is below it: x = 0 costs 1 where the truth is above, else 0" in text

    @pytest.mark.parametrize("k", [2, 3, 7, 8, 20])
    def test_what_is_said_of_the_cosine(self, k):
        even = oe.Counts.from_matrix(np.ones((k, k), int))
        assert oe.cosine(even) == pytest.approx(3 * (k + 1) / (4 * k + 2))
        opposite = np.zeros((k, k), int)
        opposite[0, -1] = opposite[-1, 0] = 1
        lowest = oe.cosine(oe.Counts.from_matrix(opposite))
        assert lowest == pytest.approx(2 * k / (k * k + 1))
        tables = np.random.default_rng(k).integers(0, 4, (200, k, k)) * (np.random.default_rng(k).random((200, k, k)) < 0.2)
        scores = [oe.cosine(oe.Counts.from_matrix(table)) for table in tables if table.any()]
        assert min(scores) >= lowest - 1e-12
        metric = oe.get_metric("cosine")
        assert "3 (K + 1) / (4 K + 2)" in metric.misleads[0]
        assert "2 K / (K² + 1)" in (metric.function.__doc__ or "")
