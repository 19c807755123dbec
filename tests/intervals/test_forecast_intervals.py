"""Intervals, evaluations and comparisons of probabilities: the same numbers by another way, and what cannot be given."""

import json
import math
import warnings
from itertools import product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from forecasts import as_forecast, random_forecast

import ordeval as oe
from ordeval.infer._methods import METHODS, fits, interval
from ordeval.infer._row_space import Contrast, jackknifed
from ordeval.infer._row_units import RowEvidence, RowScores, RowUnits

TRUE, PROBA, WEIGHTS = random_forecast(1, 240, 4, weights=True)
ALL = [m for m in oe.catalogue() if "probabilities" in m.needs]
NAMES = ["none", "mild", "severe", "fatal"]


def evidence(text, rows=None, size=999):
    return RowEvidence(rows or as_forecast(TRUE, PROBA), [oe.get_metric(text)], size, 0)


class TestMethods:
    def test_the_jackknife_of_a_mean_is_students_interval(self):
        from scipy.stats import t

        scores = oe.get_metric("rps").bind(as_forecast(TRUE, PROBA)).scores
        low, high = t.interval(0.95, 239, scores.mean(), scores.std(ddof=1) / math.sqrt(240))
        found = interval(evidence("rps"), 0, method="jackknife")
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)

    def test_the_logit_interval_is_the_jackknife_of_the_log_odds(self):
        e = evidence("concordance_index")
        plain, found = (interval(e, 0, method=method) for method in ("jackknife", "logit"))
        value, half = e.point[0], (plain.high - plain.low) / 2

        def odds(share):
            return math.log(share / (1 - share))

        assert odds(found.high) - odds(value) == pytest.approx(half / (value * (1 - value)))
        assert odds(value) - odds(found.low) == pytest.approx(half / (value * (1 - value)))
        assert not fits("logit", oe.get_metric("rps"))
        perfect = as_forecast([0, 1] * 30, [[0.9, 0.1], [0.1, 0.9]] * 30)
        assert interval(evidence("concordance_index", perfect), 0, method="logit").method == "none"

    def test_a_weight_in_every_replicate_is_a_row_in_every_replicate(self):
        """Replicates from weights equal the score of the repeated rows, for every metric."""
        units = RowUnits.of(as_forecast(TRUE, PROBA))
        drawn = units.draw(3, np.random.default_rng(0))
        assert (drawn.sum(1) == 240).all()
        for metric in ALL:
            score = metric.bind(as_forecast(TRUE, PROBA))
            for weights in drawn:
                rows = np.repeat(np.arange(240), weights)
                again = metric.bind(as_forecast(TRUE[rows], PROBA[rows])).point()
                assert score(weights[None].astype(float))[0] == pytest.approx(again, rel=1e-9)

    def test_replicates_have_the_distribution_of_a_bootstrap_of_rows(self):
        rng, found = np.random.default_rng(3), evidence("rps_skill", size=4_000)
        loop = []
        for _ in range(1_000):
            rows = rng.integers(0, 240, 240)
            loop.append(oe.rps_skill(TRUE[rows], PROBA[rows], labels=range(4)))
        assert found.replicates[:, 0].mean() == pytest.approx(np.mean(loop), abs=4 * np.std(loop) / math.sqrt(1_000))
        assert found.replicates[:, 0].std() == pytest.approx(np.std(loop), rel=0.1)
        assert found.error[0] == pytest.approx(np.std(loop), rel=0.12)

    def test_clusters_of_one_row_are_rows(self):
        alone = oe.forecast(TRUE, PROBA, labels=range(4), cluster=np.arange(240))
        for metric in ALL:
            a, b = (RowEvidence(rows, [metric], 999, 0) for rows in (alone, as_forecast(TRUE, PROBA)))
            assert a.units.influence(a.statistic) == pytest.approx(b.units.influence(b.statistic), abs=1e-12)

    def test_rows_that_are_copies_in_a_cluster_say_nothing_new(self):
        twice = oe.forecast(np.repeat(TRUE, 2), np.repeat(PROBA, 2, 0), labels=range(4), cluster=np.repeat(np.arange(240), 2))
        for text in ("rps", "rps_skill", "concordance_index"):
            copied, single = (interval(evidence(text, rows), 0, method="jackknife") for rows in (twice, None))
            assert (copied.low, copied.high) == pytest.approx((single.low, single.high), rel=1e-9)

    def test_scaling_all_weights_changes_nothing(self):
        for text in ("rps", "rps_skill", "concordance_index", "calibration_slope"):
            a, b = (interval(evidence(text, as_forecast(TRUE, PROBA, WEIGHTS * f)), 0, method="jackknife") for f in (2, 14))
            assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-9)

    def test_every_method_gives_similar_ends(self):
        ends = {}
        for text in ("rps", "rps_skill", "concordance_index", "volume_under_surface"):
            e = evidence(text)
            for method in METHODS:
                if fits(method, oe.get_metric(text)) and method != "stratified":
                    ends[method] = interval(e, 0, method=method)
                    assert ends[method].low < e.point[0] < ends[method].high
            widths = [found.high - found.low for found in ends.values()]
            assert max(widths) < 1.4 * min(widths)

    def test_errors_of_replicates_are_those_that_they_would_report(self):
        e = evidence("rps_skill", size=5)
        drawn = e.units.draw(3, np.random.default_rng(2))
        errors = e.units._errors(e.statistic, drawn)
        for weights, error in zip(drawn, errors, strict=True):
            rows = np.repeat(np.arange(240), weights)
            again = RowEvidence(as_forecast(TRUE[rows], PROBA[rows]), e.metrics, 999, 0)
            assert error[0] == pytest.approx(again.error[0], rel=1e-9)

    def test_same_seed_same_bytes(self):
        first, second = (interval(evidence("rps_skill"), 0, method="bca") for _ in range(2))
        assert first == second


class TestEvaluate:
    def test_probabilities_beside_labels(self):
        result = oe.evaluate(TRUE, PROBA.argmax(1), proba=PROBA, labels=range(4))
        assert list(result.scores) == [
            *("cem", "accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci"),
            "rps_skill",
        ]
        skill = result.scores["rps_skill"]
        assert skill.value == oe.rps_skill(TRUE, PROBA, labels=range(4))
        assert skill.low < skill.value < skill.high
        assert "better than guessing (RPSS)" in str(result)
        assert result.to_dict()["scores"]["rps_skill"]["value"] == skill.value
        alone = oe.evaluate(TRUE, PROBA.argmax(1), labels=range(4))
        assert {text: score for text, score in result.scores.items() if text != "rps_skill"} == alone.scores

    def test_without_predictions_the_most_probable_class_is_taken(self):
        named = oe.Scale(NAMES)
        both = oe.evaluate(named.decode(TRUE), named.decode(PROBA.argmax(1)), proba=PROBA, labels=NAMES)
        alone = oe.evaluate(named.decode(TRUE), proba=pd.DataFrame(PROBA[:, ::-1], columns=NAMES[::-1]), labels=NAMES)
        assert alone.scores == both.scores
        assert (alone.counts.matrix == both.counts.matrix).all()

    @pytest.mark.thorough
    @pytest.mark.slow
    def test_all_metrics_whose_needs_are_met(self):
        result = oe.evaluate(TRUE, proba=PROBA, labels=range(4), metrics="all")
        assert {m.name for m in ALL} <= set(result.scores)
        error = result.scores["cumulative_calibration_error"]
        assert (error.method, error.details["if calibrated"] > 0) == ("none", True)
        assert "calibrated forecast" in error.reason
        assert len(result.scores["calibration_slope"].details["by cut"]) == 3
        assert "by chance alone" in str(result)
        result.to_json()

    def test_weighted_rows_have_intervals_of_their_own(self):
        result = oe.evaluate(TRUE, proba=PROBA, labels=range(4), sample_weight=WEIGHTS, metrics=["mae", "rps"])
        assert result.scores["mae"].method == "test inversion"
        assert result.scores["rps"].value == oe.rps(TRUE, PROBA, labels=range(4), sample_weight=WEIGHTS)
        assert result.scores["rps"].method != "none"

    def test_groups_and_clusters(self):
        site, person = np.where(np.arange(240) % 3 == 0, "b", "a"), np.arange(240) // 4
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = oe.evaluate(TRUE, proba=PROBA, labels=range(4), by={"site": site}, cluster=person, metrics=["rps", "mae"])
        rows = site == "b"
        assert result.groups["b"].scores["rps"].value == pytest.approx(oe.rps(TRUE[rows], PROBA[rows], labels=range(4)))
        assert result.scores["rps"].method == "test inversion"
        assert result.scores["rps"].effective_rows <= 240

    def test_dropped_rows_are_dropped_on_both_sides(self):
        holes = [None if i % 7 == 0 else int(y) for i, y in enumerate(TRUE)]
        broken = PROBA.copy()
        broken[::7] = np.nan
        result = oe.evaluate(holes, proba=broken, labels=range(4), missing="drop", metrics=["rps", "accuracy"])
        keep = np.arange(240) % 7 != 0
        assert result.scores["rps"].value == pytest.approx(oe.rps(TRUE[keep], PROBA[keep], labels=range(4)))
        assert result.audit.excluded == {"truth missing": 35}
        broken[100] = np.nan
        with pytest.raises(ValueError, match="row 100 holds nan"):
            oe.evaluate(holes, proba=broken, labels=range(4), missing="drop")

    @pytest.mark.parametrize("left_out", ["truth missing", "answer missing", "group missing", "weight 0"])
    @pytest.mark.parametrize("models", [["one"], ["one", "two"]], ids=len)
    def test_a_group_holds_its_own_rows_where_others_are_left_out(self, left_out, models):
        """The rows that stay stand elsewhere among the forecasts than among all rows."""
        keep, site = np.arange(240) % 7 > 1, np.where(np.arange(240) % 3 == 0, "b", "a").astype(object)
        probas = dict(zip(models, (PROBA, TestCompare.WORSE), strict=False))
        truth, answers = TRUE.astype(object), {name: proba.argmax(1).astype(object) for name, proba in probas.items()}
        holes = {"truth missing": [truth], "answer missing": answers.values(), "group missing": [site], "weight 0": []}
        for column in holes[left_out]:
            column[~keep] = None
        same = {"labels": range(4), "by": {"site": site}, "missing": "drop", "metrics": ["rps"], "n_resamples": 400}
        same["sample_weight"] = keep.astype(int) if left_out == "weight 0" else None
        if len(models) == 1:
            found = {"one": oe.evaluate(truth, answers["one"], proba=PROBA, **same)}
        else:
            found = oe.compare(truth, answers, proba=probas, **same).evaluations
        for model, value in product(models, "ab"):
            rows = keep & (site == value)
            expected = oe.rps(TRUE[rows], probas[model][rows], labels=range(4))
            assert found[model].groups[value].scores["rps"].value == pytest.approx(expected, rel=1e-12)

    def test_unanswered_rows_keep_their_probabilities(self):
        holes = [None if i % 7 == 0 else int(y) for i, y in enumerate(PROBA.argmax(1))]
        result = oe.evaluate(TRUE, holes, proba=PROBA, labels=range(4), missing="unanswered", metrics=["rps", "accuracy"])
        assert result.scores["rps"].value == pytest.approx(oe.rps(TRUE, PROBA, labels=range(4)))
        assert set(result.bounds) == {"accuracy"}

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ((9, 60, 60, 60), "the cut above none has 9 rows on one side; 10 on either side are enough"),
            ((60, 60, 60, 9), "the cut above severe has 9 rows on one side; 10 on either side are enough"),
            ((6, 60, 60, 1), "the cut above severe has 1 row on one side; 10 on either side are enough"),
            ((10, 60, 60, 10), ""),
        ],
    )
    def test_a_slope_needs_rows_on_either_side_of_every_cut(self, rows, said):
        true = np.repeat(np.arange(4), rows)
        logits = -((np.arange(4) - np.random.default_rng(0).normal(true, 1)[:, None]) ** 2) / 2
        proba = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        named = np.array(NAMES)[true]
        score = oe.evaluate(named, proba=proba, labels=NAMES, metrics=["calibration_slope"]).scores["calibration_slope"]
        assert (score.reason, math.isnan(score.low)) == (said, bool(said))

    def test_an_infinite_score_has_no_interval(self):
        proba = PROBA.copy()
        proba[0] = np.eye(4)[(TRUE[0] + 1) % 4]
        score = oe.evaluate(TRUE, proba=proba, labels=range(4), metrics=["log_loss"]).scores["log_loss"]
        assert (score.value, score.method) == (math.inf, "none")
        assert "infinite" in score.reason

    @pytest.mark.parametrize(
        ("call", "error", "words"),
        [
            (lambda: oe.evaluate(TRUE, TRUE, metrics=["rps"]), ValueError, "rps is about probabilities.*proba="),
            (lambda: oe.evaluate(oe.count(TRUE, TRUE), proba=PROBA), TypeError, "proba was given with Counts"),
            (lambda: oe.evaluate(TRUE, proba={"a": PROBA, "b": PROBA}), ValueError, "2 models"),
            (lambda: oe.evaluate(TRUE, proba=PROBA[:, 0]), ValueError, "needs a probability for every class"),
            (lambda: oe.compare(TRUE, {"a": TRUE, "b": TRUE}, proba=PROBA), TypeError, "two models or more: proba="),
            (
                lambda: oe.compare(TRUE, {"a": TRUE, "b": TRUE}, proba={"a": PROBA, "c": PROBA}),
                ValueError,
                "each model needs both",
            ),
            (lambda: oe.compare(TRUE, proba={"a": PROBA}), ValueError, "needs two models"),
            (lambda: oe.evaluate(TRUE, proba={}), ValueError, "empty mapping"),
            (lambda: oe.evaluate(TRUE, proba=PROBA[:5]), ValueError, "y_true has 240 rows and proba has 5"),
        ],
    )
    def test_refused_in_one_sentence(self, call, error, words):
        with pytest.raises(error, match=words):
            call()


class TestCompare:
    WORSE = 0.6 * PROBA + 0.4 / 4

    @pytest.mark.thorough
    @pytest.mark.slow
    def test_paired_differences(self):
        found = oe.compare(
            TRUE, proba={"a": self.WORSE, "b": PROBA}, primary="rps", metrics=["rps", "rps_skill", "mae"], labels=range(4)
        )
        difference = found.differences["a", "b"]["rps"]
        assert difference.value == pytest.approx(oe.rps(TRUE, PROBA) - oe.rps(TRUE, self.WORSE))
        rows = [oe.get_metric("rps").bind(as_forecast(TRUE, p)).scores for p in (self.WORSE, PROBA)]
        away = rows[1] - rows[0]
        assert (difference.high - difference.low) / 2 == pytest.approx(1.96 * away.std() / math.sqrt(240), rel=0.1)
        assert "b is better than a: RPS" in found.verdict
        assert list(found.differences["a", "b"]) == ["rps", "rps_skill", "mae"]
        assert "RPS" in str(found)
        with pytest.raises(ValueError, match="ranks need a score of hard labels, but rps decides here"):
            _ = found.ranks

    def test_p_value_and_interval_agree(self):
        for seed in range(3):
            rng = np.random.default_rng(seed)
            other = PROBA * np.exp(rng.normal(0, 0.3, PROBA.shape))
            other /= other.sum(1, keepdims=True)
            options = {"metrics": ["rps", "brier"], "labels": range(4), "n_resamples": 499}
            both = oe.compare(TRUE, proba={"a": PROBA, "b": other}, **options).differences["a", "b"]
            for found in both.values():
                assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)

    @pytest.mark.thorough
    @pytest.mark.slow
    def test_many_rows_are_not_drawn_and_agree_with_drawing(self, monkeypatch):
        options = {"metrics": ["rps_skill", "concordance_index"], "labels": range(4), "primary": "rps_skill"}
        drawn = oe.compare(TRUE, proba={"a": self.WORSE, "b": PROBA}, **options).differences["a", "b"]
        monkeypatch.setattr("ordeval.infer._row_space.LARGE", 100)
        monkeypatch.setattr("ordeval.infer._row_space.SPREAD", 10)
        normal = oe.compare(TRUE, proba={"a": self.WORSE, "b": PROBA}, **options).differences["a", "b"]
        for text, found in drawn.items():
            assert found.value == normal[text].value
            assert found.band[1] - found.band[0] == pytest.approx(normal[text].band[1] - normal[text].band[0], rel=0.15)

    def test_the_same_forecast_twice_never_differs(self):
        both = oe.compare(TRUE, proba={"a": PROBA, "b": PROBA}, metrics=["rps", "calibration_slope"], labels=range(4))
        for found in both.differences["a", "b"].values():
            assert (found.value, found.p_value) == (0, 1)
            assert found.low <= 0 <= found.high

    def test_three_models(self):
        third = 0.9 * PROBA + 0.1 / 4
        metrics = ["rps", "mae", "calibration_slope"]
        found = oe.compare(TRUE, proba={"a": self.WORSE, "b": PROBA, "c": third}, metrics=metrics, labels=range(4))
        assert len(found.differences) == 3
        for pair in found.differences.values():
            assert all(one.low < one.value < one.high for one in pair.values())
        str(found)

    @pytest.mark.parametrize("others", [[], ["accuracy"], ["accuracy", "bias"]])
    def test_bands_of_tables_and_of_rows_share_the_error(self, others):
        """The slope's share is that of one of the scores that do not decide; its ends lie as many standard errors out."""
        metrics = ["mae", *others, "calibration_slope"]
        found = oe.compare(TRUE, proba={"a": self.WORSE, "b": PROBA}, metrics=metrics, labels=range(4), n_resamples=400)
        slope = found.differences["a", "b"]["calibration_slope"]
        wider = NormalDist().inv_cdf(1 - 0.025 / (len(metrics) - 1)) / NormalDist().inv_cdf(0.975)
        # the quantile of 20,000 draws has an error of 0.8 %
        assert (slope.band[1] - slope.band[0]) / (slope.high - slope.low) == pytest.approx(wider, rel=0.03)

    @pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
    @pytest.mark.parametrize("text", ["calibration_slope", *(f"calibration_slope(cut={cut})" for cut in range(3))])
    @pytest.mark.parametrize("clusters", [None, 240, 80, 12])
    def test_the_error_of_a_difference_of_slopes_adds_up_what_every_cluster_changes(self, clusters, text, weights):
        """By giving the rows of each cluster a little more and a little less weight, one cluster after the other."""
        metric, once = oe.get_metric(text), np.ones(240) if weights is None else weights.astype(float)
        column = None if clusters is None else np.random.default_rng(4).permutation(np.arange(240) % clusters)
        given = {"labels": range(4), "sample_weight": weights, "cluster": column}
        one, other = (oe.forecast(TRUE, proba, **given) for proba in (self.WORSE, PROBA))
        units = np.arange(240) if column is None else column
        step = 1e-4 * (units == np.unique(units)[:, None])
        more, less = (metric.bind(other)(w) - metric.bind(one)(w) for w in (once * (1 + step), once * (1 - step)))
        change = (more - less) / 2e-4
        influence, error = jackknifed(metric, one, other)
        assert np.bincount(units, influence * once) == pytest.approx(change, rel=1e-5, abs=1e-7)
        assert error == pytest.approx(math.sqrt(len(change)) * change.std(ddof=1), rel=1e-5)

    @pytest.mark.parametrize("copies", [1, 2, 6])
    @pytest.mark.parametrize("text", ["calibration_slope", "calibration_slope(cut=1)"])
    def test_copies_in_a_cluster_say_nothing_new_of_a_difference_of_slopes(self, text, copies):
        rows = np.random.default_rng(5).permutation(np.repeat(np.arange(240), copies))
        options = {"metrics": ["mae", text], "labels": range(4), "n_resamples": 400}

        def difference(rows):
            proba = {"a": 0.9 * PROBA[rows] + 0.1 / 4, "b": PROBA[rows]}
            return oe.compare(TRUE[rows], proba=proba, cluster=rows, **options).differences["a", "b"][text]

        alone, copied = difference(np.arange(240)), difference(rows)
        for end in ("value", "low", "high", "p_value"):
            assert getattr(copied, end) == pytest.approx(getattr(alone, end), rel=1e-6)

    def test_a_difference_of_calibration_errors_has_no_interval(self):
        found = oe.compare(TRUE, proba={"a": self.WORSE, "b": PROBA}, metrics=["cumulative_calibration_error"], labels=range(4))
        assert "chance alone raises it" in found.differences["a", "b"]["cumulative_calibration_error"].reason


def test_a_contrast_is_the_difference_of_its_scores():
    metric = oe.get_metric("rps_skill")
    contrast = Contrast(metric.bind(as_forecast(TRUE, TestCompare.WORSE)), metric.bind(as_forecast(TRUE, PROBA)))
    assert RowScores([contrast])(np.ones((1, 240)))[0, 0] == pytest.approx(contrast.point())


def test_an_infinite_score_is_none_in_json():
    certain = np.eye(2)[[0, 1, 1, 0] * 10]
    found = oe.evaluate([0, 1, 1, 1] * 10, proba=certain, labels=[0, 1], metrics=["log_loss"], n_resamples=499)
    score = json.loads(found.to_json())["scores"]["log_loss"]
    assert (score["value"], score["method"]) == (None, "none")
    assert score["reason"].startswith("the score is infinite")


def test_a_replicate_without_the_impossible_row_is_finite():
    rows = as_forecast([0, 1, 1], np.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]))
    scores = oe.get_metric("log_loss").bind(rows)(np.array([[1.0, 1, 1], [2, 0, 1], [0, 0, 3]]))
    assert scores.tolist() == [math.inf, pytest.approx(math.log(2) / 3), pytest.approx(math.log(2))]


def test_every_replicate_of_rows_reports_the_error_of_its_rows():
    rows = as_forecast(TRUE, PROBA)
    units, metric = RowUnits.of(rows), oe.get_metric("rps")
    values, errors = units.studentised(RowScores([metric.bind(rows)]), 5, np.random.default_rng(3))
    own = metric.bind(rows).scores
    for times, value, error in zip(units.draw(5, np.random.default_rng(3)), values[:, 0], errors[:, 0], strict=True):
        drawn = np.repeat(own, times)
        assert value == pytest.approx(drawn.mean())
        assert error == pytest.approx(drawn.std() / math.sqrt(len(drawn)))


def test_leaving_out_a_row_of_a_mean_is_exact():
    rows = as_forecast(TRUE, PROBA)
    units, score = RowUnits.of(rows), oe.get_metric("rps").bind(rows)
    left = units.left_out(RowScores([score]))[:, 0]
    n = len(score.scores)
    assert left == pytest.approx((score.scores.sum() - score.scores) / (n - 1))
