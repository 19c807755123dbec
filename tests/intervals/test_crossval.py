"""Folds: a t-test that knows that they share training rows, and pooling that counts each row once."""

import math

import numpy as np
import pytest
import scipy.stats

import ordeval as oe
from ordeval.infer._crossval import corrected_resampled_test, pool_folds

A = [0.70, 0.72, 0.69, 0.74, 0.71]
B = [0.73, 0.74, 0.73, 0.75, 0.71]


class TestCorrectedTest:
    def test_without_overlap_it_is_the_paired_t_test(self):
        found = corrected_resampled_test(A, B, n_train=math.inf, n_test=100)
        theirs = scipy.stats.ttest_rel(B, A)
        assert found.statistic == pytest.approx(theirs.statistic, rel=1e-12)
        assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
        interval = theirs.confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-9)

    def test_by_hand(self):
        """Differences 1, 2, 3 with a test set half as large as the training set: t = 2 / sqrt((1/3 + 1/2) · 1)."""
        found = corrected_resampled_test([0, 0, 0], [1, 2, 3], n_train=200, n_test=100)
        assert found.difference == 2
        assert found.statistic == pytest.approx(2 / math.sqrt(5 / 6))
        assert found.p_value == pytest.approx(2 * scipy.stats.t.sf(2 / math.sqrt(5 / 6), 2))
        assert found.ratio == 0.5

    def test_interval_and_p_value_agree(self):
        for shift in np.linspace(0, 0.1, 21):
            found = corrected_resampled_test(A, np.array(B) + shift, n_train=80, n_test=20)
            assert (found.p_value < 0.05) == (found.low > 0)

    def test_exchanging_the_models_turns_the_sign(self):
        one, other = corrected_resampled_test(A, B, n_train=80, n_test=20), corrected_resampled_test(B, A, n_train=80, n_test=20)
        assert (one.statistic, one.low) == pytest.approx((-other.statistic, -other.high))
        assert one.p_value == other.p_value

    def test_the_same_difference_everywhere_cannot_be_tested(self):
        found = corrected_resampled_test([0.5, 0.6], [0.6, 0.7], n_train=80, n_test=20)
        assert found.difference == pytest.approx(0.1)
        assert math.isnan(found.p_value)
        assert "same in all folds" in str(found)

    @pytest.mark.parametrize(
        ("a", "b", "options", "words"),
        [
            ([0.5], [0.6], {}, "one fold shows no variation"),
            ([0.5, 0.6], [0.6], {}, "scores_a has 2 folds and scores_b 1"),
            ([0.5, math.nan], [0.6, 0.7], {}, "scores_a is nan in fold 1"),
            ([[0.5, 0.6]], [0.6, 0.7], {}, r"scores_a has the shape \(1, 2\)"),
            (A, B, {"n_test": 0}, "give numbers above 0"),
            (A, B, {"n_train": -1}, "give numbers above 0"),
            (A, B, {"n_train": math.nan}, "give numbers above 0"),
            (A, B, {"confidence_level": 1}, "not between 0 and 1"),
        ],
    )
    def test_refusals(self, a, b, options, words):
        with pytest.raises(ValueError, match=words):
            corrected_resampled_test(a, b, **{"n_train": 80, "n_test": 20, **options})

    @pytest.mark.slow
    def test_the_size_is_right_where_folds_vary_together(self):
        """Scores with the correlation that the correction assumes, n_test / (n_test + n_train): 5 % of null tests reject."""
        rng = np.random.default_rng(0)
        folds, n_train, n_test, runs = 10, 180, 20, 4_000
        common = n_test / (n_test + n_train)
        gaps = math.sqrt(common) * rng.normal(size=(runs, 1)) + math.sqrt(1 - common) * rng.normal(size=(runs, folds))
        p = [corrected_resampled_test(np.zeros(folds), gap, n_train=n_train, n_test=n_test).p_value for gap in gaps]
        plain = scipy.stats.ttest_1samp(gaps, 0, axis=1).pvalue
        assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.012)
        assert (plain < 0.05).mean() > 0.08


class TestPooling:
    @staticmethod
    def folds(parts=3, **options):
        rng = np.random.default_rng(0)
        true = rng.integers(0, 3, 90)
        pred = np.clip(true + rng.integers(-1, 2, 90), 0, 2)
        return true, pred, [oe.count(true[i::parts], pred[i::parts], labels=[0, 1, 2]) for i in range(parts)]

    def test_pooled_folds_are_the_whole(self):
        true, pred, folds = self.folds()
        assert pool_folds(folds) == oe.count(true, pred, labels=[0, 1, 2])
        assert pool_folds(folds[:1]) == folds[0]

    def test_repeats_are_refused_with_the_alternative(self):
        _, _, folds = self.folds()
        with pytest.raises(ValueError, match="each row would count 2 times as if it were new; .* cluster=that column"):
            pool_folds(folds + folds, repeats=2)

    def test_repeats_by_row_are_clusters(self):
        """The same answers in both repeats: the interval is that of one repeat, up to the draws."""
        true, pred, _ = self.folds()
        row = np.arange(90)
        repeats = [oe.count(true[i::3], pred[i::3], labels=[0, 1, 2], cluster=row[i::3]) for _ in range(2) for i in range(3)]
        pooled = pool_folds(repeats, repeats=2)
        assert pooled.total == 180
        once = oe.evaluate(pool_folds(repeats[:3]), metrics=["mae"]).scores["mae"]
        both = oe.evaluate(pooled, metrics=["mae"]).scores["mae"]
        assert both.value == once.value
        assert (both.low, both.high) == pytest.approx((once.low, once.high), rel=0.05)

    def test_a_row_that_is_missing_in_a_repeat(self):
        true, pred, _ = self.folds()
        repeats = [oe.count(true[:n], pred[:n], labels=[0, 1, 2], cluster=np.arange(n)) for n in (90, 89)]
        with pytest.raises(ValueError, match="the cluster 89 has 1 answers, which 2 repeats cannot give"):
            pool_folds(repeats, repeats=2)

    def test_a_row_that_a_repeat_has_in_two_folds(self):
        """Its three answers are more than two repeats give, though not too few."""
        true, pred, _ = self.folds()
        rows = [np.arange(90), np.arange(45), np.arange(44, 90)]
        repeats = [oe.count(true[row], pred[row], labels=[0, 1, 2], cluster=row) for row in rows]
        with pytest.raises(ValueError, match="the cluster 44 has 3 answers, which 2 repeats cannot give"):
            pool_folds(repeats, repeats=2)

    @pytest.mark.parametrize("repeats", [0, -1, 1.5, True])
    def test_numbers_of_repeats(self, repeats):
        with pytest.raises(ValueError, match="is not a number of repetitions"):
            pool_folds(self.folds()[2], repeats=repeats)

    def test_nothing_to_pool_and_different_scales(self):
        with pytest.raises(ValueError, match="no folds to pool"):
            pool_folds([])
        with pytest.raises(ValueError, match="different scales"):
            pool_folds([oe.count([0, 1], [0, 1]), oe.count([0, 2], [0, 1])])
