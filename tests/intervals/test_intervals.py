"""How sure are we?  Each ingredient against a second derivation, each method against its definition, each edge with its answer."""

import inspect
import math
import warnings

import numpy as np
import pytest
import scipy.stats
from tables import TABLE_4X4, counted, rows_of

import ordeval as oe
from ordeval.infer._evidence import Evidence
from ordeval.infer._methods import METHODS, fits, wilson
from ordeval.infer._rules import Rule
from ordeval.infer._units import Units

SIX = [[9, 5, 2, 0, 0, 0], [4, 7, 1, 0, 0, 0], [1, 2, 4, 0, 1, 0], [0, 1, 1, 5, 1, 0], [0, 0, 0, 1, 2, 1], [0, 0, 0, 0, 0, 1]]


def evidence(table, *texts, n_resamples=1_999, rng=0):
    return Evidence(oe.Counts.from_matrix(table), [oe.get_metric(t) for t in texts], n_resamples, rng)


class TestIngredients:
    def test_the_large_sample_error_of_kappa_is_fleiss_cohen_and_everitts(self):
        found = evidence(SIX, "cohen_kappa")
        assert found.point[0] == pytest.approx(0.816822430, abs=1e-9)
        assert found.error[0] == pytest.approx(0.053243727, abs=1e-8)

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("cohen_kappa(weights='identity')", 0.06985388870351666),
            ("cohen_kappa(weights='linear')", 0.05707392018570131),
            ("cohen_kappa", 0.04879950603376088),
            ("scott_pi", 0.04882180389071656),
            ("gwet_ac", 0.03754959719859975),
            ("brennan_prediger", 0.038397583947760876),
            ("gwet_ac(weights='ratio')", 0.04610286471941301),
        ],
    )
    def test_errors_of_the_agreement_coefficients_are_those_of_irrcac(self, text, error):
        assert evidence(TABLE_4X4, text).error[0] == pytest.approx(error, rel=1e-7)

    def test_the_acceleration_counts_every_row(self):
        from ordeval.infer._methods import _acceleration

        found = evidence(TABLE_4X4, "cohen_kappa")
        assert _acceleration(found.left_out[:, 0], found.units.number) == pytest.approx(-0.0281743, abs=1e-7)

    def test_the_jackknife_by_cells_is_the_jackknife_by_rows(self):
        table = np.array(TABLE_4X4)
        t, p = rows_of(table)
        by_rows = [oe.mae(t[:i] + t[i + 1 :], p[:i] + p[i + 1 :], labels=range(4)) for i in range(len(t))]
        found = evidence(TABLE_4X4, "mae")
        by_cells = np.repeat(found.left_out[:, 0], found.units.number.astype(int))
        assert np.sort(by_cells) == pytest.approx(np.sort(by_rows), abs=1e-14)

    def test_the_cell_bootstrap_is_the_row_bootstrap(self):
        """The same multinomial: means, variances and covariances of the cells are those of drawing rows."""
        units = Units(oe.Counts.from_matrix(TABLE_4X4))
        draws = units.draw(40_000, np.random.default_rng(1))
        share = units.number / units.total
        assert (draws.sum(1) == 87).all()
        assert draws.mean(0) == pytest.approx(87 * share, abs=4 * np.sqrt(87 / 4 / 40_000))
        covariance = 87 * (np.diag(share) - np.outer(share, share))
        assert np.abs(np.cov(draws.T) - covariance).max() < 0.35
        rows = np.random.default_rng(2).choice(len(share), (4_000, 87), p=share)
        by_rows = np.stack([(rows == u).sum(1) for u in range(len(share))], 1)
        for u in (0, 3, len(share) - 1):
            counts = [np.bincount(sample[:, u], minlength=60)[:60] for sample in (draws[:4_000], by_rows)]
            used = np.sum(counts, 0) >= 10
            pooled = [np.append(c[used], c[~used].sum()) for c in counts]
            keep = np.sum(pooled, 0) > 0
            assert scipy.stats.chi2_contingency([c[keep] for c in pooled]).pvalue > 0.001

    def test_the_cluster_bootstrap_is_drawing_clusters(self):
        rng = np.random.default_rng(0)
        cluster = np.repeat(np.arange(30), rng.integers(1, 6, 30))
        true = rng.integers(0, 3, cluster.size)
        pred = np.clip(true + rng.integers(-1, 2, cluster.size), 0, 2)
        counts = oe.count(true, pred, cluster=cluster)
        units = Units(counts)
        assert units.total == 30
        draws = units.draw(50, rng)
        stack = units.stack(draws)[:, 0]
        for weights, table in zip(draws, stack, strict=True):
            rows = np.repeat(np.arange(cluster.size), weights[cluster])
            assert (table == oe.count(true[rows], pred[rows], labels=[0, 1, 2]).matrix).all()

    def test_stratified_draws_keep_the_true_classes(self):
        units = Units(oe.Counts.from_matrix(TABLE_4X4))
        stack = units.stack(units.draw(200, np.random.default_rng(0), stratified=True))[:, 0]
        assert (stack.sum(-1) == np.sum(TABLE_4X4, 1)).all()

    def test_two_models_are_drawn_together(self):
        rng = np.random.default_rng(0)
        t = rng.integers(0, 3, 200)
        counts = oe.count(t, {"a": rng.integers(0, 3, 200), "b": t})
        units = Units(counts)
        assert units.stack(units.number[None])[0, 0].tolist() == counts["a"].matrix.tolist()
        stack = units.stack(units.draw(20, rng))
        assert (stack[:, 0].sum(-1) == stack[:, 1].sum(-1)).all()

    def test_same_seed_same_bytes_whatever_the_chunks(self, monkeypatch):
        whole = evidence(TABLE_4X4, "mae", "cem")
        _ = whole.replicates, whole.posterior, whole.informed_posterior  # each is made when first asked for
        monkeypatch.setattr("ordeval.infer._units.STACK_BYTES", 8 * 16 * 7)
        parts = evidence(TABLE_4X4, "mae", "cem")
        assert parts.replicates.tobytes() == whole.replicates.tobytes()
        assert parts.posterior.tobytes() == whole.posterior.tobytes()
        assert parts.informed_posterior.tobytes() == whole.informed_posterior.tobytes()
        assert evidence(TABLE_4X4, "mae", "cem", rng=1).replicates.tobytes() != whole.replicates.tobytes()

    def test_asking_for_one_part_does_not_change_another(self):
        a, b = evidence(TABLE_4X4, "mae"), evidence(TABLE_4X4, "mae")
        _ = b.posterior, b.stratified
        assert a.replicates.tobytes() == b.replicates.tobytes()


def test_long_work_shows_how_far_it_is_and_only_on_a_terminal(monkeypatch, capsys):
    import sys

    from ordeval.base import progress as _progress

    chunks = [slice(0, 5), slice(5, 10)]
    monkeypatch.setattr(_progress, "PATIENCE", -1.0)
    assert list(_progress.shown(chunks, 10, "resampling")) == chunks
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(_progress.shown(chunks, 10, "resampling")) == chunks
    assert "resampling: 50%" in capsys.readouterr().err


class TestMethods:
    def test_bca_is_scipys(self):
        """On the same replicates; SciPy takes quantiles a little differently."""
        t, p = map(np.array, rows_of(np.array(TABLE_4X4)))
        away = np.abs(t - p)
        seed = "rng" if "rng" in inspect.signature(scipy.stats.bootstrap).parameters else "random_state"  # before SciPy 1.15
        theirs = scipy.stats.bootstrap((away,), np.mean, n_resamples=20_000, method="BCa", **{seed: 0}).confidence_interval
        found = evidence(TABLE_4X4, "mae", n_resamples=19_999)
        low, high = METHODS["bca"](found, 0, 0.05)
        assert low == pytest.approx(theirs.low, abs=0.012)
        assert high == pytest.approx(theirs.high, abs=0.012)

    def test_wilson_is_scipys(self):
        theirs = scipy.stats.binomtest(56, 87).proportion_ci(method="wilson")
        assert wilson(56 / 87, 87, 0.95) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
        assert METHODS["wilson"](evidence(TABLE_4X4, "accuracy"), 0, 0.05) == pytest.approx((theirs.low, theirs.high), abs=1e-12)

    def test_the_jackknife_of_a_mean_is_students(self):
        t, p = map(np.array, rows_of(np.array(TABLE_4X4)))
        away = np.abs(t - p)
        half = scipy.stats.t.ppf(0.975, 86) * away.std(ddof=1) / math.sqrt(87)
        low, high = METHODS["jackknife"](evidence(TABLE_4X4, "mae"), 0, 0.05)
        assert (high - low) / 2 == pytest.approx(half, rel=1e-9)

    def test_delta_fisher_basic_and_percentile_are_what_they_say(self):
        found = evidence(TABLE_4X4, "cohen_kappa")
        point, error, z = found.point[0], found.error[0], scipy.stats.norm.ppf(0.975)
        assert METHODS["delta"](found, 0, 0.05) == pytest.approx((point - z * error, point + z * error))
        ends = np.tanh(np.arctanh(point) + np.array([-1, 1]) * z * error / (1 - point**2))
        assert METHODS["fisher"](found, 0, 0.05) == pytest.approx(tuple(ends))
        low, high = METHODS["percentile"](found, 0, 0.05)
        ordered = np.sort(found.replicates[:, 0])
        assert (low, high) == pytest.approx((ordered[49], ordered[1949]))
        assert METHODS["basic"](found, 0, 0.05) == pytest.approx((2 * point - high, 2 * point - low))

    def test_bootstrap_t_of_a_mean_is_the_textbooks(self):
        found = evidence(TABLE_4X4, "mae")
        values, errors = found.studentised
        t = np.sort((values[:, 0] - found.point[0]) / errors[:, 0])
        low, high = METHODS["studentised"](found, 0, 0.05)
        assert (low, high) == pytest.approx((found.point[0] - t[1949] * found.error[0], found.point[0] - t[49] * found.error[0]))
        assert errors.mean() == pytest.approx(float(found.error[0]), rel=0.05)

    @pytest.mark.parametrize("method", METHODS)
    def test_every_method_gives_ends_around_the_score(self, method):
        texts = [t for t in ("accuracy", "mae", "cohen_kappa", "cem") if fits(method, oe.get_metric(t))]
        found = evidence(TABLE_4X4, *texts)
        for m in range(len(texts)):
            low, high = METHODS[method](found, m, 0.05)
            assert low < found.point[m] < high
            wide = METHODS[method](found, m, 0.01)
            assert wide[0] < low
            assert wide[1] > high


class TestEvaluate:
    def test_a_perfect_score_does_not_get_a_point_for_an_interval(self):
        result = oe.evaluate([0, 1] * 50, [0, 1] * 50, labels=[0, 1], metrics=["accuracy", "mae", "cohen_kappa"])
        accuracy = result.scores["accuracy"]
        assert (accuracy.value, accuracy.method, accuracy.high) == (1, "mid-P", 1)
        assert accuracy.low < 0.975
        assert result.scores["mae"].low == 0 < result.scores["mae"].high
        assert result.scores["cohen_kappa"].low < 0.95

    def test_three_rows_in_a_class_make_a_wide_interval_and_none_of_a_declared_class_makes_none(self):
        true = [0] * 60 + [1] * 60 + [2] * 3
        pred = [0] * 50 + [1] * 60 + [2] * 10 + [2] * 3
        amae = oe.evaluate(true, pred, metrics=["amae"]).scores["amae"]
        assert amae.low < amae.value < amae.high
        assert amae.high - amae.low > 0.2
        declared = oe.evaluate(true, pred, labels=range(4), metrics=["amae"]).scores["amae"]
        assert declared.method == "none"
        assert declared.reason.startswith("class 3 has no rows, so an average over all classes is not known")

    def test_groups_unanswered_rows_and_cuts(self):
        rng = np.random.default_rng(0)
        true = rng.integers(0, 3, 300)
        pred = [None if i % 10 == 0 else int(x) for i, x in enumerate(np.clip(true + rng.integers(-1, 2, 300), 0, 2))]
        site = np.array(["a", "b"])[np.arange(300) % 2].tolist()
        result = oe.evaluate(true.tolist(), pred, by=site, missing="unanswered", metrics=["accuracy", "mae"])
        assert result.answered == pytest.approx(0.9)
        assert set(result.groups) == {"a", "b"}
        score, (best, worst) = result.scores["accuracy"].value, result.bounds["accuracy"]
        assert worst == pytest.approx(0.9 * score)
        assert best == pytest.approx(0.9 * score + 0.1)
        cut, (low, high), _ = result.cuts[0]
        assert low < cut.sensitivity < high

    def test_json_is_whole(self):
        import json

        result = oe.evaluate([0, 0, 1], [0, 0, 1], metrics=["cohen_kappa", "accuracy"])
        data = json.loads(result.to_json())
        assert data["schema"] == 1
        assert data["scores"]["cohen_kappa"]["value"] == 1
        assert data["scores"]["cohen_kappa"]["low"] is None
        assert data["scores"]["cohen_kappa"]["reason"]
        assert data["rows"] == {"read": 3, "scored": 3, "unanswered": 0, "excluded": {}}
        assert data["signature"].startswith("n:3 k:2 ci:auto")

    def test_weighted_rows_have_an_interval_and_weighted_cells_have_none(self):
        lost = oe.evaluate(oe.count([0, 1, 1] * 30, [0, 1, 0] * 30, sample_weight=[0.5, 1, 2] * 30), metrics=["mae"])
        assert lost.scores["mae"].method == "none"
        assert "cluster=" in lost.scores["mae"].reason
        result = oe.evaluate([0, 1, 1] * 30, [0, 1, 0] * 30, sample_weight=[0.5, 1, 2] * 30, metrics=["mae"])
        assert result.scores["mae"].effective_rows < 90
        assert result.counts.cluster is None
        equal, plain = (
            oe.evaluate([0, 1, 1] * 30, [0, 1, 0] * 30, sample_weight=w, metrics=["mae", "accuracy"]) for w in ([0.25] * 90, None)
        )
        for text in ("mae", "accuracy"):
            ends = [(e[text].low, e[text].high) for e in (equal, plain)]
            assert ends[0] == pytest.approx(ends[1], rel=0.02)
        numbered = oe.evaluate([0, 1, 1] * 30, [0, 1, 0] * 30, sample_weight=[0.5, 1, 2] * 30, cluster=range(90), metrics=["mae"])
        assert numbered.scores["mae"].value == result.scores["mae"].value
        assert numbered.scores["mae"].low < numbered.scores["mae"].value < numbered.scores["mae"].high

    def test_all_metrics_on_ordinal_and_on_interval_scales(self):
        rng = np.random.default_rng(0)
        true = rng.integers(0, 4, 400)
        pred = np.clip(true + rng.integers(-1, 2, 400), 0, 3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = oe.evaluate(true, pred, labels=range(4), metrics="all", n_resamples=499)
        assert len(result.scores) == sum("edges" not in m.needs for m in counted())
        scale = oe.Scale.from_edges([0, 1, 2, 3, np.inf])
        interval = oe.evaluate(true, pred, labels=scale, metrics=["interval_stc"], n_resamples=499)
        assert interval.scores["interval_stc"].details["length"] > 0

    def test_it_prints_what_a_person_wants_to_know(self):
        text = str(oe.evaluate(["lo", "hi"] * 60, ["lo", "hi", "hi", "hi"] * 30, labels=["lo", "hi"]))
        assert text.splitlines()[0] == "rows     120 rows read · 120 judged"
        assert "classes  lo < hi" in text
        assert max(map(len, text.splitlines())) <= 100

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"confidence_level": 1.0}, "not between 0 and 1"),
            ({"confidence_level": 95}, "not between 0 and 1"),
            ({"n_resamples": 99}, "take n_resamples=400 or more"),
            ({"method": "bootstrap"}, "'auto' or one of 'percentile'"),
            ({"method": "wilson", "metrics": ["mae"]}, "not meant for mae"),
            ({"method": "stratified", "cluster": [0, 1, 2, 3]}, "clusters, not rows, are independent"),
            ({"cluster": [1, 1, 1, 1]}, "all rows belong to one cluster"),
        ],
    )
    def test_requests_that_cannot_be_met(self, options, words):
        with pytest.raises(ValueError, match=words):
            oe.evaluate([0, 1, 1, 0], [0, 1, 0, 0], **options)

    def test_several_models_are_to_be_compared(self):
        with pytest.raises(ValueError, match=r"choose one: counts\['a'\]"):
            oe.evaluate([0, 1], {"a": [0, 1], "b": [1, 1]})


def test_cuts_of_weighted_rows_have_no_interval():
    """Wilson's interval needs a number of rows, and twice the weight is not twice the rows."""
    truth, answer = ["a", "b", "b"], ["a", "b", "a"]
    for weights in ([0.5, 1, 1], [2, 2, 2]):
        weighted = oe.evaluate(truth, answer, labels=["a", "b"], sample_weight=weights, metrics=["accuracy"])
        cut, found, kept = weighted.cuts[0]
        assert cut.sensitivity == 0.5
        assert np.isnan([*found, *kept]).all()


def test_cuts_of_clustered_rows_have_no_interval():
    """Wilson's interval is about independent rows, and forty copies of a patient are one."""
    clustered = oe.evaluate([0, 1] * 40, [0, 1, 1, 1] * 20, cluster=[*range(20)] * 4, metrics=["accuracy"])
    cut, found, kept = clustered.cuts[0]
    assert (cut.sensitivity, cut.specificity) == (1, 0.5)
    assert np.isnan([*found, *kept]).all()


def test_all_leaves_out_what_wants_a_parameter_for_this_scale():
    scale = oe.Scale.from_edges([0, 30, 60, math.inf])
    counts = oe.count([1.0, 40.0, 80.0] * 20, [1.0, 40.0, 40.0] * 20, labels=scale)
    scores = oe.evaluate(counts, metrics="all", n_resamples=499).scores
    assert "interval_mae" not in scores
    assert "interval_stc" in scores


@pytest.mark.parametrize("name", ["balanced_accuracy", "amae", "mmae", "min_mae", "macro_f1", "geometric_mean_sensitivity"])
def test_a_replicate_that_loses_a_class_has_no_score_instead_of_another_question(name):
    """Classes present are fixed on the whole sample: without class 2 the mean over three classes has no value."""
    table = np.array([[3, 1, 0], [1, 4, 0], [0, 1, 2]])
    lost = np.array([[3, 1, 0], [1, 4, 0], [0, 0, 0]])
    scores = oe.get_metric(name).bind(oe.Counts.from_matrix(table))(np.stack([table, lost]))
    assert np.isfinite(scores[0])
    assert np.isnan(scores[1])
    assert np.isfinite(oe.get_metric(name).bind(oe.Counts.from_matrix(lost))(lost))


def test_few_clusters_get_no_interval():
    found = oe.evaluate([0, 1, 1] * 10, [0, 1, 0] * 10, cluster=[0, 1, 2, 3, 4] * 6, metrics=["mae"], n_resamples=499).scores[
        "mae"
    ]
    assert found.method == "none"
    assert found.reason == "5 clusters (as good as 5.0 of equal size); 8 are enough, if as good as 4"


def test_a_rule_about_an_interval_asks_for_all_of_it():
    score = oe.Score(0.33, 0.25, 0.42, "bca")
    for text, holds in (("mae < 0.3 ci", False), ("mae < 0.5 ci", True), ("mae > 0.3 ci", False), ("mae > 0.3", True)):
        assert Rule.parse(text).judge(score).holds is holds
    assert not Rule.parse("mae < 0.5 ci").judge(oe.Score(0.33, math.nan, math.nan, "none", reason="too few")).holds


def test_clusters_of_one_row_have_the_error_of_rows_with_the_usual_correction():
    true, pred = np.arange(30) % 3, (np.arange(30) * 7 % 11) % 3
    kernel = oe.get_metric("cem").bind(oe.count(true, pred))
    errors = []
    for cluster in (None, np.arange(30)):
        units = Units(oe.count(true, pred, cluster=cluster))
        errors.append(float(units.standard_error(units.influence(lambda stack: kernel(stack[:, 0])))))
    assert errors[1] == pytest.approx(errors[0] * math.sqrt(30 / 29), rel=1e-6)


def test_cells_that_were_not_drawn_have_no_say_in_the_error():
    counts = oe.Counts.from_matrix([[3, 1, 0], [1, 2, 1], [0, 1, 3]])
    kernel = oe.get_metric("mutual_information").bind(counts)
    values, errors = Units(counts).studentised(lambda stack: kernel(stack[:, :1])[:, :1], 50, np.random.default_rng(0))
    assert np.isfinite(errors[np.isfinite(values)]).all()


def test_the_numbers_of_the_true_classes_are_kept_only_where_it_is_said():
    counts = oe.Counts.from_matrix([[30, 4, 1], [3, 20, 5], [0, 6, 18]])
    units = Units(counts)
    member = units.stratum == np.arange(3)[:, None]
    free, fixed = (units.draw(400, np.random.default_rng(0), **kept) @ member.T for kept in ({}, {"stratified": True}))
    assert (fixed == counts.matrix.sum(1)).all()
    assert (free.sum(1) == counts.total).all()
    shares = counts.matrix.sum(1) / counts.total
    assert free.std(0) == pytest.approx(np.sqrt(counts.total * shares * (1 - shares)), rel=0.15)
