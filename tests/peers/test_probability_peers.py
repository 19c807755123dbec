"""Do independent programs agree on the probability metrics?  Each known difference is listed with its reason."""

import inspect

import numpy as np
import pytest
import scoringrules
from forecasts import random_forecast
from scipy.stats import somersd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as sklearn_log_loss

import ordeval as oe

SEEDS = range(12)
SEVERAL = inspect.signature(brier_score_loss).parameters  # before 1.7 it takes two classes only


def data(seed, coarse=False):
    true, proba, weights = random_forecast(seed, 60, 2 + seed % 5, coarse=coarse, weights=seed % 2 == 1)
    return true, proba, weights, range(proba.shape[1])


def test_rps_is_that_of_scoringrules(compared):
    """Its classes count from 1, and it has no weights."""
    for seed in SEEDS:
        true, proba, _, labels = data(seed)
        theirs = scoringrules.rps_score(true + 1, proba)
        assert oe.get_metric("rps").bind(oe.forecast(true, proba, labels=labels)).scores == pytest.approx(theirs, abs=1e-14)
        assert oe.rps(true, proba, labels=labels) == pytest.approx(theirs.mean(), abs=1e-14)
    compared("scoringrules", len(SEEDS))


def test_log_loss_and_brier_are_those_of_scikit_learn(compared):
    for seed in SEEDS:
        true, proba, weights, labels = data(seed)
        ours, theirs = (
            oe.log_loss(true, proba, labels=labels, sample_weight=weights),
            sklearn_log_loss(true, proba, labels=list(labels), sample_weight=weights),
        )
        assert ours == pytest.approx(theirs, rel=1e-12)
        if proba.shape[1] > 2 and "labels" in SEVERAL:  # for two classes scikit-learn halves it by default
            theirs = brier_score_loss(true, proba, labels=list(labels), sample_weight=weights)
            assert oe.brier(true, proba, labels=labels, sample_weight=weights) == pytest.approx(theirs, rel=1e-12)
    compared("scikit-learn", 2 * len(SEEDS))


def test_scikit_learn_clips_what_is_infinite_here():
    assert oe.log_loss([0, 1], [[1, 0], [1, 0]]) == np.inf
    assert sklearn_log_loss([0, 1], [[1.0, 0.0], [1.0, 0.0]]) == pytest.approx(18.02, abs=0.01)


def test_concordance_is_somers_d_of_scipy(compared):
    for seed in SEEDS:
        true, proba, _, labels = data(seed, coarse=seed % 3 == 0)
        score = oe.forecast(true, proba, labels=labels).score
        theirs = (somersd(true, score).statistic + 1) / 2
        assert oe.concordance_index(true, proba, labels=labels) == pytest.approx(theirs, rel=1e-12)
        assert oe.concordance_index(true, score, labels=labels) == pytest.approx(theirs, rel=1e-12)
    compared("SciPy", len(SEEDS))


def test_areas_are_those_of_scikit_learn(compared):
    for seed in SEEDS:
        true, proba, weights, labels = data(seed, coarse=seed % 3 == 0)
        k, score = proba.shape[1], oe.forecast(true, proba, labels=labels).score

        def area(rows, positive, weights=weights, score=score):
            return roc_auc_score(positive[rows], score[rows], sample_weight=None if weights is None else weights[rows])

        def ours(average, true=true, proba=proba, labels=labels, weights=weights):
            return oe.ordinal_auc(true, proba, labels=labels, sample_weight=weights, average=average)

        everyone = np.ones(len(true), bool)
        splits = [area(everyone, true > cut) for cut in range(k - 1)]
        pairs = {(t, u): area((true == t) | (true == u), true == u) for t in range(k) for u in range(t + 1, k)}
        assert ours("splits") == pytest.approx(np.mean(splits), rel=1e-12)
        assert ours("pairs") == pytest.approx(np.mean(list(pairs.values())), rel=1e-12)
        assert ours("consecutive") == pytest.approx(np.mean([pairs[t, t + 1] for t in range(k - 1)]), rel=1e-12)
    compared("scikit-learn", 3 * len(SEEDS))


def test_slopes_are_those_of_a_logistic_regression(compared):
    for seed in SEEDS:
        true, proba, weights = random_forecast(seed, 300, 3, weights=seed % 2 == 1)
        for cut in range(2):
            below = proba[:, : cut + 1].sum(1)
            logit = np.log(below / (1 - below))[:, None]
            fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(logit, true <= cut, weights)
            ours = oe.calibration_slope(true, proba, labels=range(3), sample_weight=weights, cut=cut)
            assert ours == pytest.approx(fit.coef_[0, 0], rel=1e-4)
    compared("scikit-learn", 2 * len(SEEDS))


def test_threshold_loss_counts_what_mae_and_mze_count():
    rng = np.random.default_rng(0)
    true, score, thresholds = rng.integers(0, 4, 200), rng.integers(0, 9, 200) / 2, [0.5, 1.5, 3.0]
    chosen = (score[:, None] > thresholds).sum(1)
    own = {"labels": range(4), "thresholds": thresholds, "loss": "zero_one"}
    assert oe.threshold_loss(true, score, kind="all", **own) == pytest.approx(oe.mae(true, chosen, labels=range(4)))
    assert oe.threshold_loss(true, score, kind="immediate", **own) == pytest.approx(oe.mze(true, chosen, labels=range(4)))
