"""Intervals and verdicts worked out by hand: ties, degrees of freedom, factors and levels that a plausible mistake would change."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

import ordeval as oe
from ordeval.infer._auto import Streams
from ordeval.infer._groups import compare_groups
from ordeval.infer._methods import METHODS
from ordeval.infer._pairs import Solver
from ordeval.infer._row_space import RowSpace
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems


def evidence(values, point, left_out):
    """What a method looks at, of one score: its replicates, and what it is without each of its units."""
    units = SimpleNamespace(number=np.ones(len(left_out)), total=float(len(left_out)))
    columns = {"replicates": np.array(values, float)[:, None], "left_out": np.array(left_out, float)[:, None]}
    return SimpleNamespace(point=np.array([point]), units=units, **columns)


class TestMethods:
    def test_bca_counts_replicates_equal_to_the_score_half(self):
        """40 below, 30 equal, 29 above: the bias is that of (40 + 15) / 99; symmetric leave-outs have no skewness."""
        values = np.concatenate([np.linspace(0.1, 0.49, 40), np.full(30, 0.5), np.linspace(0.51, 0.9, 29)])
        found = METHODS["bca"](evidence(values, 0.5, [0.4, 0.5, 0.6]), 0, 0.1)
        bias = scipy.stats.norm.ppf(55 / 99)
        tails = scipy.stats.norm.cdf(2 * bias + scipy.stats.norm.ppf([0.05, 0.95]))
        assert found == pytest.approx(np.quantile(values, tails, method="weibull"), abs=1e-12)

    def test_bca_corrects_for_skewness_of_the_units(self):
        """The acceleration is the sum of cubes over six times the sum of squares to the power 3/2."""
        values, left_out = np.linspace(0, 1, 999), np.array([0.5, 0.5, 0.5, 0.1])
        found = METHODS["bca"](evidence(values, 0.5, left_out), 0, 0.05)
        away = left_out.mean() - left_out
        acceleration = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
        z = scipy.stats.norm.ppf([0.025, 0.975])  # half of the replicates lie below the score
        expected = np.quantile(values, scipy.stats.norm.cdf(z / (1 - acceleration * z)), method="weibull")
        assert found == pytest.approx(expected, abs=1e-9)

    def test_percentiles_are_those_of_one_replicate_more(self):
        """Of 99 replicates the ends of a 90 % interval are the fifth from either side."""
        assert METHODS["percentile"](evidence(np.arange(1, 100), 50, [50]), 0, 0.1) == pytest.approx((5, 95))

    def test_the_jackknife_of_a_mean_is_students_interval(self):
        rows = np.array([1.0, 2, 4, 8, 9, 11])
        left_out = (rows.sum() - rows) / 5
        expected = scipy.stats.t.interval(0.95, 5, rows.mean(), scipy.stats.sem(rows))
        assert METHODS["jackknife"](evidence([0], rows.mean(), left_out), 0, 0.05) == pytest.approx(expected)


RATINGS = np.array([[0, 0, 1], [1, 1, 1], [2, 1, 2], [0, 0, 0], [2, 2, 2], [1, 2, 1], [0, 1, 0], [2, 2, 1], [1, 1, 1], [0, 0, 0]])


def kappa(codes):
    return oe.raters.agreement(oe.raters.ratings(codes, labels=range(3)), ["conger_kappa"]).scores["conger_kappa"].value


class TestRaters:
    def test_crossed_by_hand(self):
        """Variances of leaving out one item, and one rater, added; Satterthwaite's degrees of freedom."""
        counts = oe.raters.ratings(RATINGS, labels=range(3))
        found = oe.raters.agreement(counts, ["conger_kappa"], resample="crossed").scores["conger_kappa"]
        items, raters = (np.array([kappa(np.delete(RATINGS, i, axis)) for i in range(n)]) for axis, n in ((0, 10), (1, 3)))
        of_items, of_raters = 9 / 10 * ((items - items.mean()) ** 2).sum(), 2 / 3 * ((raters - raters.mean()) ** 2).sum()
        freedom = (of_items + of_raters) ** 2 / (of_items**2 / 9 + of_raters**2 / 2)
        half = scipy.stats.t.ppf(0.975, freedom) * np.sqrt(of_items + of_raters)
        assert found.details["degrees_of_freedom"] == pytest.approx(freedom)
        assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half))

    def test_crossed_percentiles_are_those_of_items_and_raters_drawn_by_name(self):
        counts, asked = oe.raters.ratings(RATINGS, labels=range(3)), {"resample": "crossed", "method": "percentile"}
        found = oe.raters.agreement(counts, ["fleiss_kappa"], **asked, n_resamples=2_000).scores["fleiss_kappa"]
        units = RatedItems.of(counts)
        kernel, rng = COEFFICIENTS["fleiss_kappa"].bind("quadratic", None, 3), np.random.default_rng(0)
        items = np.unique(RATINGS, axis=0, return_inverse=True)[1].reshape(-1)[rng.integers(0, 10, (2_000, 10))]
        number = np.array([np.bincount(row, minlength=len(units.number)) for row in items], float)
        times = np.array([np.bincount(row, minlength=3) for row in rng.integers(0, 3, (2_000, 3))], float)
        drawn = kernel(units.with_raters(number, times))
        assert found.method == "crossed percentile"
        assert (found.low, found.high) == pytest.approx(np.nanquantile(drawn, [0.025, 0.975]), abs=0.06)

    def test_pairs_of_a_rater_who_is_drawn_twice_count_twice(self):
        units = RatedItems.of(oe.raters.ratings(RATINGS, labels=range(3)))
        kernel = COEFFICIENTS["pairwise_kappa"].bind("linear", None, 3)
        pairs = [(0, 1), (0, 2), (1, 2)]
        alone = [oe.cohen_kappa(RATINGS[:, a], RATINGS[:, b], labels=range(3), weights="linear") for a, b in pairs]
        times = np.array([[2.0, 1, 1], [1, 1, 1], [0, 1, 3]])
        found = kernel(units.with_raters(np.tile(units.number, (3, 1)), times))
        assert found == pytest.approx([np.average(alone, weights=w) for w in ([2, 2, 1], [1, 1, 1], [0, 0, 3])])


def answers(n=120):
    rng = np.random.default_rng(3)
    true = rng.integers(0, 3, n)
    return true, {name: np.clip(true + (rng.random(n) < 0.3) - (rng.random(n) < 0.2), 0, 2) for name in "abc"}


class TestVerdicts:
    @pytest.mark.parametrize("number", [2, 3])
    def test_equivalence_is_judged_at_the_one_sided_level(self, number):
        """With 95 % confidence: the interval of 90 % lies within the margin, though that of 95 % does not."""
        true, models = answers()
        models = dict(list(models.items())[:number])

        def compared(level, **options):
            found = oe.compare(true, models, labels=range(3), metrics=["accuracy"], confidence_level=level, **options)
            return found.differences["a", "b"]["accuracy"]

        def reach(level):
            ends = compared(level)
            return max(abs(ends.low), abs(ends.high))

        narrow, wide = reach(0.9), reach(0.95)
        assert wide > 1.05 * narrow
        assert compared(0.95, margin=(narrow + wide) / 2).equivalent
        assert not compared(0.95, margin=0.97 * narrow).equivalent

    def test_the_worst_group_is_one_with_a_score(self):
        """Group a has one class, so that no kappa exists there."""
        groups = {"a": ([1] * 6, [1] * 6), "b": ([0, 1, 2] * 6, [0, 1, 2] * 5 + [0, 2, 1]), "c": ([0, 1, 2] * 6, [0, 2, 1] * 6)}
        true, pred, site = (
            [x for part in parts for x in part]
            for parts in zip(*((t, p, [g] * len(t)) for g, (t, p) in groups.items()), strict=True)
        )
        counts = oe.count(true, pred, by={"site": site}, labels=range(3))
        found = compare_groups(counts, "site", "cohen_kappa", n_resamples=400)
        assert np.isnan(found["a"].raw.score)
        assert found.worst.value == "c"

    def test_a_difference_that_no_sample_of_whole_rows_has_gets_no_p_value(self):
        class Mean:
            values = np.array([-1.0, 1.0])

            def __call__(self, weights):
                return np.where((weights % 1 == 0).all(1), np.nan, weights @ self.values / weights.sum(1))

            def influence(self, weights):
                return (self.values - weights @ self.values[:, None] / weights.sum(1)) / weights.sum(1)

        space = RowSpace(np.array([4.0, 6.0]), np.array([0.3, 0.2]), 10, score=Mean())
        z, at_floor = Solver(Streams(0), 20)._at_zero(SimpleNamespace(space=space, value=0.2, metric="mae", models=("a", "b")))
        assert np.isnan(z)
        assert at_floor is False
