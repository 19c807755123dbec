"""Figures of probabilities and of prediction sets, and those of a fitted classifier: each number by a second derivation."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.svm import LinearSVC

import ordeval as oe
from ordeval.metrics.families.calibration import calibrated_tables

LABELS = ["low", "mid", "high", "top"]  # alphabetically another order


def drawn_from(proba, rng):
    return (proba.cumsum(1) < rng.random(len(proba))[:, None]).sum(1).clip(max=proba.shape[1] - 1)


@pytest.fixture(scope="module")
def sample():
    """Forecasts, classes drawn from them, weights."""
    rng = np.random.default_rng(4)
    proba = rng.dirichlet([1.5, 1, 1, 0.5], 900)
    return proba, drawn_from(proba, rng), rng.integers(1, 5, 900).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
def test_reliability_points_by_hand(sample, weighted):
    proba, codes, weight = sample
    w = weight if weighted else np.ones(len(codes))
    given = {"sample_weight": weight} if weighted else {}
    display = oe.plot.ReliabilityDisplay.from_predictions(
        np.array(LABELS)[codes], proba, labels=LABELS, bins=5, n_resamples=99, **given
    )
    assert display.labels == tuple(LABELS[:3])
    for cut in range(3):
        below = proba[:, : cut + 1].sum(1)
        for b in range(5):
            rows = (below >= b / 5) & (below < (b + 1) / 5)
            assert display.weight[cut, b] == w[rows].sum() > 0
            assert display.forecast[cut, b] == pytest.approx(np.average(below[rows], weights=w[rows]), rel=1e-12)
            assert display.came_true[cut, b] == pytest.approx(np.average(codes[rows] <= cut, weights=w[rows]), rel=1e-12)
    own = oe.cumulative_calibration_error(np.array(LABELS)[codes], proba, labels=LABELS, bins=5, **given)
    assert display.error == own


def test_the_band_is_that_of_the_binomial_distribution():
    """Where all forecasts of a bin are the same, what comes true is binomial."""
    p, n = np.array([0.15, 0.55, 0.85]), np.array([40, 90, 200])
    below = np.repeat(p, n)
    proba = np.stack([below, 1 - below], 1)
    display = oe.plot.ReliabilityDisplay.from_predictions(
        [0, 1] * 165, proba, labels=[0, 1], n_resamples=20_000, confidence_level=0.9
    )
    known = display.weight[0] > 0
    assert np.flatnonzero(known).tolist() == [1, 5, 8]
    for ends, tail in ((display.low, 0.05), (display.high, 0.95)):
        assert np.abs(ends[0, known] * n - binom.ppf(tail, n, p)).max() <= 1
    assert np.isnan(display.low[0, ~known]).all()
    assert not display.outside[0, ~known].any()


def test_draws_have_the_mean_and_the_variance_of_the_forecasts_and_are_classes(sample):
    proba, codes, weight = sample
    rows = oe.forecast(codes, proba, labels=range(4), sample_weight=weight)
    table = oe.parts.calibration_table(rows, bins=4, binning="mass")
    drawn = calibrated_tables(rows, 4, "mass", 4_000, 0)
    error = np.sqrt(table.variance / 4_000)
    assert (np.abs(drawn.mean(0) - table.forecast) < 4.5 * error).all()
    np.testing.assert_allclose(drawn.var(0), table.variance, rtol=0.15)
    whole = calibrated_tables(rows, 1, "width", 50, 1)[:, :, 0]
    assert (np.diff(whole, axis=1) >= 0).all()  # a class or below is never rarer than a lower one or below
    assert len(np.unique(whole[:, 0])) > 20
    assert (calibrated_tables(rows, 1, "width", 50, 1)[:, :, 0] == whole).all()


def test_calibrated_forecasts_stay_inside_and_others_do_not(sample):
    proba, codes, _ = sample
    honest = oe.plot.ReliabilityDisplay.from_predictions(codes, proba, labels=range(4))
    assert honest.outside.sum() <= 5  # of 30, 1.5 on average
    assert honest.error_ends[0] < honest.error < honest.error_ends[1]
    sure = proba**3 / (proba**3).sum(1, keepdims=True)
    display = oe.plot.ReliabilityDisplay.from_predictions(codes, sure, labels=range(4)).plot()
    assert display.outside.sum() > 12
    assert display.error > 2 * display.error_ends[1]
    assert f"{display.outside.sum()} are outside the 95 % band" in display.caption
    filled = [line for line in display.ax_.lines if line.get_linestyle() == "None" and line.get_markerfacecolor() != "white"]
    points = np.concatenate([line.get_xydata() for line in filled])
    np.testing.assert_array_equal(points, np.stack([display.forecast, display.came_true], -1)[display.outside])


def test_reliability_refuses_what_makes_no_band(sample):
    proba, codes, _ = sample
    for options, sentence in (
        ({"confidence_level": 95}, "confidence_level=95 is not between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples=0: the number of draws"),
        ({"bins": 0}, "bins=0: it must be a whole number"),
        ({"binning": "x"}, "binning='x' is unknown"),
    ):
        with pytest.raises(ValueError, match=sentence):
            oe.plot.ReliabilityDisplay.from_predictions(codes, proba, labels=range(4), **options)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_roc_curves_equal_those_of_scikit_learn(sample, ties, weighted):
    proba, codes, weight = sample
    if ties:
        proba = np.round(proba * 8) / 8
        proba[:, 0] += 1 - proba.sum(1)
        proba = proba.clip(0)
        proba /= proba.sum(1, keepdims=True)
    score = proba @ np.arange(1, 5)
    given = {"sample_weight": weight} if weighted else {}
    display = oe.plot.RocDisplay.from_predictions(codes, np.round(score, 9) if ties else proba, labels=range(4), **given).plot()
    score = np.round(score, 9) if ties else score
    for cut in range(3):
        false, found, _ = roc_curve(codes > cut, score, drop_intermediate=False, **given)
        curve = display.curves[cut]
        assert len(curve) > 20
        assert np.trapezoid(curve[:, 1], curve[:, 0]) == pytest.approx(display.areas[cut], rel=1e-12)  # straight between corners
        on_curve = {(round(x, 9), round(y, 9)) for x, y in zip(false, found, strict=True)}
        assert {(round(x, 9), round(y, 9)) for x, y in curve.tolist()} <= on_curve
        assert display.areas[cut] == pytest.approx(roc_auc_score(codes > cut, score, **given), rel=1e-12)
        np.testing.assert_array_equal(display.ax_.lines[1 + cut].get_xydata(), curve)
    assert display.areas.mean() == pytest.approx(oe.ordinal_auc(codes, score, labels=range(4), **given), rel=1e-12)


def test_a_long_roc_curve_is_thinned_and_keeps_its_area():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 50_000)
    score = codes + rng.normal(size=50_000)
    display = oe.plot.RocDisplay.from_predictions(codes, score, labels=[0, 1])
    (curve,) = display.curves
    assert len(curve) <= 500
    assert curve[[0, -1]].tolist() == [[0, 0], [1, 1]]
    assert np.trapezoid(curve[:, 1], curve[:, 0]) == pytest.approx(display.areas[0], abs=1e-4)
    assert display.areas[0] == pytest.approx(roc_auc_score(codes, score), rel=1e-12)


def test_a_cut_with_rows_on_one_side_has_no_curve():
    display = oe.plot.RocDisplay.from_predictions([1, 2, 2], [0.1, 0.3, 0.2], labels=[1, 2, 3]).plot()
    assert [len(curve) for curve in display.curves] == [3, 0]
    assert np.isnan(display.areas[1])
    assert display.caption.endswith("; 1 without rows on one side.")
    nothing = oe.plot.RocDisplay.from_predictions([2, 2], [0.1, 0.3], labels=[1, 2, 3])
    assert nothing.caption == "Only one class came true, so no cut has rows on both sides."


def test_set_coverage_by_hand():
    true = ["low"] * 20 + ["mid"] * 10 + ["top"] * 10
    lo, hi = ["low"] * 40, ["mid"] * 18 + ["high"] * 12 + ["top"] * 5 + ["high"] * 5
    display = oe.plot.SetCoverageDisplay.from_predictions(true, (lo, hi), labels=LABELS, coverage=0.8, n_resamples=400).plot()
    np.testing.assert_allclose(display.coverage, [35 / 40, 1, 1, np.nan, 0.5])
    np.testing.assert_allclose(display.size, [(18 * 2 + 17 * 3 + 5 * 4) / 40, 2.1, 3, np.nan, 3.5])
    evaluation = oe.evaluate_sets(true, (lo, hi), labels=LABELS, coverage=0.8, n_resamples=400)
    ends = evaluation.by_class["top"]["set_coverage"].interval
    assert (display.low[4], display.high[4]) == (ends.low, ends.high)
    assert display.caption.startswith("The sets hold the truth in 88 % of the rows, aimed at 80 %; least for top (50 %)")
    texts = [text.get_text() for text in display.ax_.texts]
    assert "no rows" in texts
    assert any(text.startswith("0.500 [") and text.endswith("size 3.50") for text in texts)
    thick = [line.get_xdata().tolist() for line in display.ax_.lines if line.get_linewidth() == 2.2]
    assert thick == [[0.8, 0.8]] * 5
    high = oe.evaluate_sets(true, (lo, hi), labels=LABELS, n_resamples=400, confidence_level=0.9)
    assert "lines are 90 % intervals" in oe.plot.SetCoverageDisplay.from_evaluation(high).caption


@pytest.fixture(scope="module")
def fitted():
    """Text classes; the classifier has never seen "high"."""
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 4, 300)
    X = np.column_stack([codes + rng.normal(size=300), rng.normal(size=300)])
    y = np.array(LABELS)[codes]
    seen = y != "high"
    return LogisticRegression().fit(X[seen], y[seen]), X, y


@pytest.mark.parametrize("kind", [oe.plot.ConfusionDisplay, oe.plot.ErrorProfileDisplay, oe.plot.CutDisplay])
def test_from_estimator_takes_the_predictions(fitted, kind):
    model, X, y = fitted
    weight = np.arange(1.0, 301)
    for given in ({}, {"sample_weight": weight}):
        made = kind.from_estimator(model, X, y, labels=LABELS, **given)
        expected = kind.from_predictions(y, model.predict(X), labels=LABELS, **given)
        assert made.caption == expected.caption
        assert made.to_svg() == expected.to_svg()
    with pytest.raises(TypeError, match=f"{kind.__name__} needs predict, which dict does not have"):
        kind.from_estimator({}, X, y, labels=LABELS)
    assert oe.plot.ConfusionDisplay.from_estimator(model, X, y, labels=LABELS, cells="counts").cells == "counts"


@pytest.mark.parametrize("kind", [oe.plot.ReliabilityDisplay, oe.plot.RocDisplay])
def test_from_estimator_takes_the_probabilities_in_the_order_of_the_scale(fitted, kind):
    model, X, y = fitted
    assert model.classes_.tolist() == ["low", "mid", "top"]
    low, mid, top = model.predict_proba(X).T
    ordered = np.stack([low, mid, np.zeros(len(X)), top], 1)
    for labels, columns in ((LABELS, ordered), (LABELS[::-1], ordered[:, ::-1])):
        made = kind.from_estimator(model, X, y, labels=labels, sample_weight=np.arange(1.0, 301))
        expected = kind.from_predictions(y, columns, labels=labels, sample_weight=np.arange(1.0, 301))
        assert made.labels == expected.labels
        assert made.to_svg() == expected.to_svg()
    with pytest.raises(TypeError, match=f"{kind.__name__} needs predict_proba, which LinearSVC does not have"):
        kind.from_estimator(LinearSVC().fit(X, y), X, y, labels=LABELS)
    with pytest.raises(ValueError, match="the estimator's classes_: 'top' is not one of the classes"):
        kind.from_estimator(model, X, y, labels=LABELS[:3])


@pytest.mark.parametrize("kind", [oe.plot.ReliabilityDisplay, oe.plot.RocDisplay])
def test_a_long_legend_is_on_the_figure(kind):
    labels = [f"{i:02} " + "x" * 40 for i in range(20)]
    proba = 0.01 + 0.8 * np.eye(20)
    display = kind.from_predictions(labels, proba, labels=labels).plot()
    display.figure_.draw_without_rendering()
    legend, page = display.ax_.get_legend().get_window_extent(), display.figure_.bbox
    assert len(display.ax_.get_legend().get_texts()) == 19
    assert 0 < legend.x0 < legend.x1 <= page.x1
    assert page.y0 <= legend.y0 < legend.y1 <= page.y1
