"""The core of the intervals: closed forms, properties on random tables, and the same refusals everywhere."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom, norm
from scipy.stats import t as student

import ordeval as oe
from ordeval.infer._auto import Streams
from ordeval.infer._check import _Drawn, holds
from ordeval.infer._evidence import Evidence
from ordeval.infer._row_space import RowSpace, mean_tail
from ordeval.infer._tables import TableSample, TableSpace, term
from ordeval.infer._walk import Space, ends, log_tail, mid_p
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY

SIMULATED = ["mae", "bias", "amae", "cohen_kappa", "kendall_tau", "cem", "oci", "mutual_information", "macro_f1", "mmae", "auoc"]


@st.composite
def tables(draw):
    k = draw(st.integers(2, 5))
    cells = draw(st.lists(st.integers(0, 12), min_size=k * k, max_size=k * k))
    table = np.array(cells).reshape(k, k)
    table[0, 0] += 15
    return table


class TestShares:
    @pytest.mark.parametrize(("k", "n"), [(0, 15), (1, 15), (92, 100), (60, 60), (299, 300), (5, 7)])
    @pytest.mark.parametrize("tail", [0.025, 0.001])
    def test_mid_p_by_the_binomial_itself(self, k, n, tail):
        low, high = mid_p(k / n, n, tail)
        if k:
            assert binom.sf(k, n, low) + binom.pmf(k, n, low) / 2 == pytest.approx(tail, rel=1e-9)
        else:
            assert low == 0
        if k < n:
            assert binom.cdf(k, n, high) - binom.pmf(k, n, high) / 2 == pytest.approx(tail, rel=1e-9)
        else:
            assert high == 1

    def test_a_share_that_rounding_lifts_above_one(self):
        """As weights may.  All n rows are right with the chance pⁿ, and half of it is the tail at the lower end."""
        low, high = mid_p(math.nextafter(1, 2), 60, 0.025)
        assert low == pytest.approx(0.05 ** (1 / 60), rel=1e-9)
        assert high == pytest.approx(1)

    def test_the_walk_of_a_share_is_mid_p(self):
        """92 right of 100: the core without the closed form comes to the same ends."""
        counts = oe.Counts.from_matrix([[31, 2, 1], [1, 30, 1], [1, 2, 31]])
        space = TableSample(counts).space([term(oe.get_metric("accuracy"), counts)], 1.0)
        (found,) = ends(space, 0.92, (0, 1), (0.025,), Streams(0).both("x"), 20_000)
        assert found == pytest.approx(mid_p(0.92, 100, 0.025), abs=0.004)

    def test_small_tails_are_extended(self):
        counts = oe.Counts.from_matrix([[60, 10], [12, 68]])
        space = TableSample(counts).space([term(oe.get_metric("accuracy"), counts)], 1.0)
        found = ends(space, 128 / 150, (0, 1), (0.0005,), Streams(1).both("x"), 2_000)
        assert found[0] == pytest.approx(mid_p(128 / 150, 150, 0.0005), abs=0.02)


class TestMeans:
    def test_the_saddlepoint_against_simulation(self):
        rng = np.random.default_rng(0)
        values, share = rng.exponential(size=40), rng.dirichlet(np.ones(40))
        drawn = values[np.searchsorted(share.cumsum(), rng.random((100_000, 30))).clip(max=39)].mean(1)
        for point in np.quantile(drawn, [0.01, 0.2, 0.5, 0.9, 0.99]):
            assert mean_tail(values, share, 30, float(point)) == pytest.approx((drawn < point).mean(), abs=0.004)

    def test_at_the_end_of_the_range_it_is_exact(self):
        values, share = np.array([0.0, 1.0]), np.array([0.9, 0.1])
        assert mean_tail(values, share, 30, 0.0) == pytest.approx(0.9**30 / 2, rel=1e-12)
        assert mean_tail(-values, share, 30, 0.0) == pytest.approx(1 - 0.9**30 / 2, rel=1e-12)

    @pytest.mark.parametrize("seed", range(8))
    def test_the_saddlepoint_found_by_another_solver(self, seed):
        """Distributions of which one value holds nearly everything, where Newton's method alone runs away."""
        rng = np.random.default_rng(seed)
        values, share, rows = rng.normal(size=6), rng.dirichlet(np.full(6, 0.2)), int(rng.integers(5, 60))
        for point in np.linspace(values.min(), values.max(), 9)[1:-1]:

            def gain(t, point=point):
                return logsumexp(t * (values - point), b=share)

            def away(t, point=point):
                return float(share @ ((values - point) * np.exp(t * (values - point) - gain(t))))

            tilt = brentq(away, -300, 300, xtol=1e-14, rtol=1e-14)
            spread = float(share @ ((values - point) ** 2 * np.exp(tilt * (values - point) - gain(tilt))))
            w, r = math.copysign(math.sqrt(-2 * rows * gain(tilt)), tilt), tilt * math.sqrt(rows * spread)
            expected = min(max(norm.cdf(w) + norm.pdf(w) * (1 / w - 1 / r), 0), 1)
            assert mean_tail(values, share, rows, float(point)) == pytest.approx(expected, rel=1e-5, abs=1e-12)

    @pytest.mark.parametrize("seed", range(8))
    def test_the_tail_of_sums_of_whole_numbers_is_nearly_exact(self, seed):
        rng = np.random.default_rng(seed)
        most, rows = int(rng.integers(4, 12)), int(rng.integers(20, 50))
        values, share = np.arange(most + 1.0), rng.dirichlet(np.full(most + 1, 2.0))
        sums = np.ones(1)
        for _ in range(rows):
            sums = np.convolve(sums, share)
        for total in range(1, rows * most):
            exact = sums[:total].sum() + sums[total] / 2
            assert mean_tail(values, share, rows, total / rows) == pytest.approx(exact, abs=0.003)

    @pytest.mark.parametrize("seed", range(8))
    def test_at_the_mean_itself_the_tail_is_that_on_either_side(self, seed):
        rng = np.random.default_rng(seed)
        values, share = 10.0 ** rng.uniform(-3, 3) * rng.exponential(size=7), rng.dirichlet(np.ones(7))
        mean = float(share @ values)
        step = 0.01 * math.sqrt(float(share @ (values - mean) ** 2))
        around = [mean_tail(values, share, 20, mean + side * step) for side in (-1, 1)]
        assert mean_tail(values, share, 20, mean) == pytest.approx(np.mean(around), abs=2e-4)
        assert around[0] < mean_tail(values, share, 20, mean) < around[1]

    @pytest.mark.parametrize("seed", range(6))
    def test_the_interval_holds_what_lies_between_its_ends(self, seed):
        """The self-check asks about one score at a time, and never looks for the ends."""
        rng = np.random.default_rng(seed)
        number, values = rng.integers(0, 9, 8) + 1.0, rng.normal(size=8)
        space = RowSpace(number, np.full(8, 1 / 8), number.sum(), values=values)
        observed, bounds = space.value(number), (values.min(), values.max())
        error = space.influence(space.start)[1]
        ((low, high),) = ends(space, observed, bounds, (0.025,), Streams(0).both("x"), 1_000)
        for score in np.arange(observed - 4 * error, observed + 4 * error, error / 20):
            if min(abs(score - low), abs(score - high)) > error / 20 and bounds[0] < score < bounds[1]:
                assert holds(space, observed, score, bounds, 1.959964, rng) == (low <= score <= high)

    def test_a_sample_with_more_rows_is_smoothed_by_as_much(self):
        rng = np.random.default_rng(0)
        number, pseudo, values = rng.integers(1, 9, 5) * 1.0, rng.dirichlet(np.ones(5)), rng.normal(size=5)
        space = RowSpace(number, pseudo, number.sum(), values=values).scaled(3.0)
        assert space.number.tolist() == (3 * number).tolist()
        assert space.pseudo.tolist() == pseudo.tolist()
        assert space.sizes.tolist() == [3 * number.sum()]

    @pytest.mark.parametrize("rare", [1e-2, 1e-3, 1e-4, 5e-5])
    def test_one_rare_value_among_many_equal_ones(self, rare):
        """One row in thirty with the value 1: within a factor of the binomial's mid-P, and rarer values make it less likely."""
        tail = mean_tail(np.array([0.0, -1.0]), np.array([1 - rare, rare]), 30, -1 / 30)
        exact = binom.sf(1, 30, rare) + binom.pmf(1, 30, rare) / 2
        assert 0.2 < tail / exact < 2
        assert tail > mean_tail(np.array([0.0, -1.0]), np.array([1 - rare / 2, rare / 2]), 30, -1 / 30)


def test_an_end_between_two_steps_of_which_the_second_is_next_to_impossible():
    """Where nearly all rows are alike, one step may take the chance of the sample from one in ten to one in 1e40."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(30, 400)), int(rng.integers(3, 7))
        high = np.where(rng.random(n) < 0.01, k - 1, 0)
        weight = np.exp(rng.normal(0, 1, n))
        for score in oe.evaluate_sets(
            np.zeros(n, int), (np.zeros(n, int), high), labels=range(k), sample_weight=weight
        ).scores.values():
            assert score.interval.low <= score.value <= score.interval.high


@pytest.mark.parametrize("z", [-3.0, 0.0, 1.96, 8.0, 20.0, 37.0])
def test_tails_of_the_normal_distribution(z):
    assert log_tail(z) == pytest.approx(float(norm.logsf(z)), rel=1e-12)


class TestProperties:
    @settings(max_examples=25, deadline=None)
    @given(tables(), st.sampled_from(SIMULATED), st.integers(0, 5))
    def test_the_estimate_is_inside_and_the_ends_within_the_bounds(self, table, name, seed):
        counts, metric = oe.Counts.from_matrix(table), oe.get_metric(name)
        found = oe.evaluate(counts, metrics=[metric], n_resamples=400, rng=seed)[metric]
        if found.method == "none":
            assert found.reason
            return
        low, high = metric.bounds_for(len(table))
        assert low - 1e-9 <= found.low <= found.value <= found.high <= high + 1e-9
        assert found == oe.evaluate(counts, metrics=[metric], n_resamples=400, rng=seed)[metric]

    def test_asking_for_one_score_does_not_change_another(self):
        counts = oe.Counts.from_matrix([[30, 4, 1], [3, 20, 5], [0, 6, 18]])
        alone = oe.evaluate(counts, metrics=["cem"])["cem"]
        assert oe.evaluate(counts, metrics=["oci", "cem", "mae"])["cem"] == alone
        assert oe.evaluate(counts, metrics=["cem"], rng=1)["cem"] != alone

    @pytest.mark.parametrize("name", ["mae", "cem", "oci", "cohen_kappa", "amae"])
    def test_ten_times_the_rows_narrow_by_the_root_of_ten(self, name):
        table = np.array([[30, 4, 1], [3, 20, 5], [0, 6, 18]])
        few, many = (oe.evaluate(oe.Counts.from_matrix(t), metrics=[name])[name] for t in (table, 10 * table))
        assert (few.high - few.low) / (many.high - many.low) == pytest.approx(math.sqrt(10), rel=0.2)

    def test_a_scale_turned_round_has_the_same_ends(self):
        table = np.array([[30, 4, 1], [3, 20, 5], [0, 6, 18]])
        for name in ("mae", "cohen_kappa", "oci"):
            one, other = (oe.evaluate(oe.Counts.from_matrix(t), metrics=[name])[name] for t in (table, table[::-1, ::-1]))
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.02)

    def test_large_scales(self):
        """Beyond twelve classes empty cells are nudged together: the slope of those seen is the same."""
        k = 14
        table = np.diag(np.full(k, 9)) + np.diag(np.full(k - 1, 2), 1)
        counts = oe.Counts.from_matrix(table)
        for name in ("cem", "cohen_kappa", "mae"):
            one = term(oe.get_metric(name), counts)
            smooth = table + 1 / k**2
            every = one.slope(smooth, np.ones((k, k), bool)).reshape(k, k)[table > 0]
            assert one.slope(smooth, table > 0).reshape(k, k)[table > 0] == pytest.approx(every, rel=1e-6)
        found = oe.compare(counts_of_two(table, k), metrics=["cem"], n_resamples=400)
        assert math.isfinite(found.differences["a", "b"]["cem"].low)


def test_as_many_rows_of_a_class_are_drawn_as_were_seen():
    number = np.array([1.0, 0, 4, 5, 0, 0])
    space = TableSpace([], np.zeros((6, 1), int), 3, number, np.ones(6), stratum=np.array([0, 0, 1, 1, 2, 2]))
    assert space.sizes.tolist() == [1, 9, 1]  # of a class that nobody saw, one


def means_by_hand(k):
    """What a row in each cell counts in three means."""
    true, pred = np.divmod(np.arange(k * k), k)
    return {"mae": np.abs(pred - true), "accuracy": pred == true, "bias": pred - true}


@pytest.mark.parametrize("k", [3, 12, 13, 30])
@pytest.mark.parametrize("seed", range(3))
def test_slopes_of_cells_that_hold_next_to_nothing(k, seed):
    """As a walk goes on some cells nearly vanish; what rounding makes of them must not send it elsewhere."""
    rng = np.random.default_rng([k, seed])
    table = 10.0 ** rng.uniform(-40, 2, (k, k))
    seen = np.ones((k, k), bool)
    for name, counted in means_by_hand(k).items():
        found = term(oe.get_metric(name), oe.Counts.from_matrix(np.eye(k, dtype=int))).slope(table, seen)
        mean = (counted * table.ravel()).sum() / table.sum()
        assert found * table.sum() == pytest.approx(counted - mean, rel=1e-4, abs=1e-3)


def test_the_ends_of_many_classes_are_found():
    """A row that misses by half of a hundred classes outweighs all others, and one such row is added by smoothing."""
    rng = np.random.default_rng(0)
    true = rng.integers(100, size=2_000)
    pred = np.clip(true + np.where(rng.random(2_000) < 0.6, 0, rng.integers(-2, 3, 2_000)), 0, 99)
    score = oe.evaluate(true, pred, labels=range(100), metrics=["spearman"])["spearman"]
    assert score.value < score.high < 1 - (1 - score.value) / 2


def counts_of_two(table, k):
    true, pred = np.nonzero(table)
    true, pred = np.repeat(true, table[true, pred]), np.repeat(pred, table[true, pred])
    return oe.count(true, {"a": pred, "b": true}, labels=range(k))


def least_near(counts, present):
    k = counts.shape[-1]
    near = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) <= 1
    return ((near * counts).sum(-1)[..., present] / counts.sum(-1)[..., present]).min(-1)


class TestExtremes:
    def test_the_limits_of_one_class_alone(self):
        """With a single class that errs far more than the others, the upper end of the worst class is its own limit."""
        counts = oe.Counts.from_matrix([[40, 0, 0], [0, 40, 0], [12, 0, 28]])
        found = oe.evaluate(counts, metrics=["minimum_sensitivity", "mmae"])
        worst = found["minimum_sensitivity"]
        assert (worst.value, worst.method) == (0.7, "class limits")
        assert worst.low == pytest.approx(mid_p(0.7, 40, 0.025)[0])
        assert worst.high == pytest.approx(mid_p(0.7, 40, 0.025 / 3)[1])
        assert found["mmae"].low < 0.6 < found["mmae"].high

    def test_the_worst_class_by_a_score_of_the_user_that_forgives_one_step(self):
        try:

            @oe.metric(
                kernel=least_near, title="Least near", cite="", bounds=(0, 1), direction="higher", structure="extreme",
                undefined="a class has no rows",
            )  # fmt: skip
            def least_near_share(y_true, y_pred=None, *, labels=None, sample_weight=None) -> float:
                """The smallest share of a class that is at most one step off."""
                return oe.score(least_near_share, y_true, y_pred, labels=labels, sample_weight=sample_weight)

            counts = oe.Counts.from_matrix([[20, 20, 0], [5, 30, 5], [12, 0, 28]])
            found = oe.evaluate(counts, metrics=["least_near_share"])["least_near_share"]
            assert (found.value, found.method) == (0.7, "class limits")
            assert binom.sf(28, 40, found.low) + binom.pmf(28, 40, found.low) / 2 == pytest.approx(0.025, rel=1e-9)
            assert binom.cdf(28, 40, found.high) - binom.pmf(28, 40, found.high) / 2 == pytest.approx(0.025 / 3, rel=1e-9)
        finally:
            _REGISTRY.pop("least_near_share", None)
            _FOUND_BY.pop("least_near_share", None)

    def test_the_worst_class_lies_in_two_clusters(self):
        """At a level of one half Student's t of two clusters is 1, and the variance of clusters of 20 is that of their means.

        Half a change is added that comes as a whole cluster: the effect is nearly the one seen, since two clusters that differ
        by 4 rows show as much as 40 rows could.
        """
        found = self.with_a_rare_class([14, 18])["minimum_sensitivity"]
        near = (32 + 1 / 3) / 41  # smoothed by a row, a third of it in each cell
        within, between = 41 * near * (1 - near), 2 * ((16 - 14) ** 2 + (18 - 16) ** 2)
        shown = (between / 2) / (between / 2 + (1 - near) ** 2 / 3 + near**2 * 2 / 3)
        events = 40 * shown**2
        rows = 40 / ((events * between / within + 0.5 * 20) / (events + 0.5)) * norm.ppf(0.75) ** 2
        assert (found.value, found.method) == (0.8, "class limits")
        assert found.low == pytest.approx(mid_p(0.8, rows, 0.25)[0], rel=1e-6)

    def test_of_a_class_that_lies_in_one_cluster_nothing_is_known(self):
        """How another cluster would differ cannot be seen, so the class may be as bad as can be, and the others set the other end."""
        found = self.with_a_rare_class([32])
        worst, error = found["minimum_sensitivity"], found["mmae"]
        assert (worst.value, worst.low) == (0.8, 0)
        assert 0.8 < worst.high < 1
        assert (error.value, error.high) == (0.2, 2)
        assert 0 < error.low < 0.2

    def with_a_rare_class(self, right):
        """Two classes in 40 clusters of 10 rows, right in nine of ten, and 40 rows of a third in as many clusters as numbers."""
        each = 40 // len(right)
        true = np.concatenate([np.tile([0, 1], 200), np.full(40, 2)])
        pred = np.concatenate([true[:400], *([2] * number + [1] * (each - number) for number in right)])
        wrong = np.arange(400) % 20 < 2
        pred[:400][wrong] = 1 - true[:400][wrong]
        cluster = np.concatenate([np.arange(400) // 10, 40 + np.arange(40) // each])
        scores = ["minimum_sensitivity", "mmae"]
        return oe.evaluate(true, pred, labels=range(3), cluster=cluster, metrics=scores, confidence_level=0.5)


class TestClusters:
    def test_copies_in_a_cluster_say_nothing_new(self):
        rng = np.random.default_rng(0)
        true = rng.integers(0, 3, 100)
        pred = np.clip(true + rng.integers(-1, 2, 100), 0, 2)
        four = oe.evaluate(np.repeat(true, 4), np.repeat(pred, 4), cluster=np.repeat(np.arange(100), 4))
        one = oe.evaluate(true, pred)
        for text in ("cem", "accuracy", "amae", "bias", "cohen_kappa", "oci"):
            wide = (four[text].high - four[text].low) / (one[text].high - one[text].low)
            assert wide == pytest.approx(1, abs=0.12)
            assert four[text].effective_rows == pytest.approx(100, rel=0.12)

    def test_clusters_are_never_surer_than_their_rows(self):
        rng = np.random.default_rng(1)
        true = rng.integers(0, 3, 200)
        pred = np.clip(true + (rng.random(200) < 0.03), 0, 2)
        found = oe.evaluate(true, pred, cluster=np.arange(200) // 10)
        rows = oe.evaluate(true, pred)
        for text, score in found.scores.items():
            assert score.high - score.low >= 0.97 * (rows[text].high - rows[text].low)
            assert score.effective_rows <= 200

    @pytest.mark.parametrize("text", ["accuracy", "mae"])
    @pytest.mark.parametrize("level", [0.8, 0.95])
    def test_uneven_clusters_have_the_degrees_of_freedom_of_what_they_are_worth(self, text, level):
        """Four clusters of 30 rows and 40 of 2 are as good as 200² / 3760 of equal size: Student's t with one less of them."""
        sizes = np.array([30] * 4 + [2] * 40)
        wrong, cluster = (np.arange(44) % 2).repeat(sizes), np.arange(44).repeat(sizes)
        found = oe.evaluate(np.zeros(200, int), wrong, labels=[0, 1], cluster=cluster, metrics=[text], confidence_level=level)
        change = np.bincount(cluster, wrong - 0.5)
        variance = 44 / 43 * (change**2).sum() / 200**2
        tail = (1 + level) / 2
        reach = student.ppf(tail, 200**2 / 3760 - 1) / norm.ppf(tail)
        assert found[text].effective_rows == pytest.approx(0.25 / variance / reach**2, rel=0.01)  # smoothing adds a row

    @pytest.mark.parametrize("text", ["accuracy", "mae"])
    def test_errors_in_single_rows_do_not_tell_that_rows_of_large_clusters_err_alone(self, text):
        """100 clusters of one row and 20 of ten; five rows are wrong: single ones, or one in each of five large clusters."""
        sizes = [1] * 100 + [10] * 20
        cluster, true = np.arange(120).repeat(sizes), np.zeros(300, int)
        first, last = np.arange(300) < 5, np.isin(np.arange(300), np.arange(100, 150, 10))
        single, large = (
            oe.evaluate(true, wrong.astype(int), labels=[0, 1], cluster=cluster, metrics=[text])[text] for wrong in (first, last)
        )
        assert single.value == large.value
        assert single.effective_rows < 75  # nearly all alike: as good as 300 / 7 of them
        assert large.effective_rows > 150


def test_refusals_are_the_same_everywhere():
    true = [0, 0, 1, 1, 2] * 12
    answers = {"a": [0, 1, 1, 2, 2] * 12, "b": [0, 0, 1, 2, 2] * 12}
    counts = oe.count(true, answers, labels=range(4), by={"site": ["x", "y"] * 30})
    for name in ("amae", "stc", "macro_f1"):
        said = oe.evaluate(counts["a"].margin("true", "a"), metrics=[name])[name].reason
        assert said
        assert oe.compare(counts.margin("true", "a", "b"), metrics=[name]).differences["a", "b"][name].reason == said
        assert oe.rank_sets(counts, name).reason == said
        with pytest.raises(ValueError, match="nothing can be planned") as caught:
            oe.plan(counts["a"].margin("true", "a"), name, half_width=0.1)
        assert said in str(caught.value)
        groups = oe.infer.compare_groups(counts["a"], "site", name)
        assert groups["x"].raw.reason == said


def far_off(counts):
    k = counts.shape[-1]
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    return (counts * (distance > 1)).sum((-1, -2)) / counts.sum((-1, -2))


def test_a_metric_of_the_user_gets_an_interval():
    try:

        @oe.metric(kernel=far_off, title="Far off", cite="", bounds=(0, 1), direction="lower", undefined="there are no rows")
        def far_rate(y_true, y_pred=None, *, labels=None, sample_weight=None) -> float:
            """The share of answers two steps off or more."""
            return oe.score(far_rate, y_true, y_pred, labels=labels, sample_weight=sample_weight)

        rng = np.random.default_rng(0)
        true = rng.integers(0, 4, 150)
        pred = np.clip(true + rng.integers(-2, 3, 150), 0, 3)
        found = oe.evaluate(true, pred, metrics=["far_rate"])["far_rate"]
        assert found.method == "test inversion"
        assert (found.low, found.high) == pytest.approx(mid_p(found.value, 150, 0.025), abs=0.01)
        assert oe.evaluate(true[:10], pred[:10], labels=range(4), metrics=["far_rate"])["far_rate"].reason.startswith("10 rows")
    finally:
        _REGISTRY.pop("far_rate", None)
        _FOUND_BY.pop("far_rate", None)


class TestSelfCheck:
    def test_intervals_hold_in_samples_like_this_one(self):
        counts = oe.Counts.from_matrix([[40, 3, 0], [2, 30, 1], [0, 1, 9]])
        found = oe.evaluate(counts, metrics=["accuracy", "cem"], check_intervals=True)
        for score in found.scores.values():
            assert 0.9 <= score.held <= 1
            assert score.held_error == pytest.approx(math.sqrt(score.held * (1 - score.held) / 400))
            assert score.held_given == 1
        assert "held in 9" in str(found)
        assert found.to_dict()["scores"]["cem"]["held"] == found["cem"].held

    def test_it_notices_an_interval_that_is_too_narrow(self, monkeypatch):
        """With half the reach the intervals hold in about two thirds of the samples, and the check says so."""
        plain = Space.widening
        monkeypatch.setattr(Space, "widening", lambda self: 0.5 * plain(self))
        counts = oe.Counts.from_matrix([[40, 8, 2], [6, 30, 9], [2, 7, 29]])
        score = oe.evaluate(counts, metrics=["mae"], check_intervals=True)["mae"]
        assert 0.55 < score.held < 0.8
        assert "holds less often than it says" in " ".join(
            str(oe.evaluate(counts, metrics=["mae"], check_intervals=True)).split()
        )

    def test_every_cluster_is_drawn_as_often_as_any_other(self):
        true = [0, 0, 1, 1, 2, 2] * 4
        pred = [0, 1, 1, 2, 2, 0] * 4
        counts = oe.count(true, pred, labels=range(3), cluster=[0, 1, 2, 3, 4, 5] * 4)
        metric = oe.get_metric("mae")
        intervals = Evidence(counts, [metric], None, 0).intervals
        drawn = _Drawn(intervals, metric, intervals.space(metric))
        rng = np.random.default_rng(5)
        times = sum(np.asarray(drawn.one(rng)[1].adds.sum(0)).ravel() for _ in range(500)) / 4
        assert times.sum() == 6 * 500
        assert (abs(times[times > 0] - 500) < 5 * math.sqrt(500)).all()
        assert (times > 0).sum() == 6

    @pytest.mark.parametrize("metrics", [["mmae"], ["accuracy", "mmae"]])
    def test_an_interval_that_is_not_checked_is_named(self, metrics):
        found = oe.evaluate([0, 1, 2] * 20, [0, 1, 1] * 20, metrics=metrics, check_intervals=True)
        said = " ".join(str(found).split())
        assert "not checked, because their intervals are found in other ways: steps off in the worst class 95 %" in said
        assert "not checked" not in str(oe.evaluate([0, 1, 2] * 20, [0, 1, 1] * 20, metrics=metrics))

    def test_other_methods_are_not_checked(self):
        with pytest.raises(ValueError, match="check_intervals checks the method 'auto'"):
            oe.evaluate([0, 1] * 30, [0, 1] * 30, method="bca", check_intervals=True)


class TestSeveralModels:
    def test_verdict_table_and_ranks_agree(self):
        rng = np.random.default_rng(3)
        true = rng.integers(0, 4, 150)
        models = {f"m{i}": np.clip(true + np.rint(rng.normal(0, 0.5 + i / 6, 150)).astype(int), 0, 3) for i in range(5)}
        found = oe.compare(true, models, metrics=["cem"], n_resamples=499)
        for (a, b), by_metric in found.differences.items():
            d = by_metric["cem"]
            apart = not d.low <= 0 <= d.high
            assert apart == (d.p_value < 0.05)
            assert apart == found.pair_verdicts[a, b].startswith((f"{b} is better than {a}: ", f"{a} is better than {b}: "))
            i, j = found.ranks.models.index(a), found.ranks.models.index(b)
            assert bool(found.ranks.apart[i, j]) == apart

    def test_a_reference_needs_fewer_pairs_and_narrower_intervals(self):
        rng = np.random.default_rng(3)
        true = rng.integers(0, 4, 150)
        models = {f"m{i}": np.clip(true + np.rint(rng.normal(0, 0.7, 150)).astype(int), 0, 3) for i in range(5)}
        every, some = (oe.compare(true, models, metrics=["mae"], reference=r) for r in (None, "m2"))
        assert set(some.differences) == {("m2", f"m{i}") for i in (0, 1, 3, 4)}
        wide, narrow = (r.differences["m2", "m3"]["mae"] for r in (every, some))
        assert narrow.high - narrow.low < wide.high - wide.low
        with pytest.raises(ValueError, match="reference='m9' is not one of the models"):
            oe.compare(true, models, reference="m9")
