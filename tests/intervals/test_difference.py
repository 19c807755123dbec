"""Is one model better?  The paired difference against second derivations; the exchange test against full enumeration."""

import math
from itertools import product

import numpy as np
import pytest
import scipy.stats

import ordeval as oe
from ordeval.infer._difference import _kept_apart, _statistic, exchange_test
from ordeval.infer._difference import differences as all_differences
from ordeval.infer._units import Units


def differences(counts, a, b, metrics, **options):
    return list(all_differences(counts, [(a, b)], metrics, **options)[a, b].values())


def three(n=300, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, n)
    good = np.clip(true + rng.integers(-1, 2, n) * (rng.random(n) < 0.4), 0, 3)
    bad = np.clip(true + rng.integers(-2, 3, n) * (rng.random(n) < 0.6), 0, 3)
    return true, {"bad": bad, "good": good, "same": good.copy()}


TRUE, MODELS = three()
COUNTS = oe.count(TRUE, MODELS)
METRICS = [oe.get_metric(t) for t in ("mae", "cohen_kappa", "cem", "bias")]


def test_the_difference_is_second_less_first():
    for found, metric in zip(differences(COUNTS, "bad", "good", METRICS, n_resamples=499), METRICS, strict=True):
        assert found.value == pytest.approx(metric(COUNTS["good"]) - metric(COUNTS["bad"]), abs=1e-14)
        assert found.low < found.value < found.high


def test_the_error_of_a_mean_is_that_of_paired_rows():
    units = Units(COUNTS, ["bad", "good"])
    a, b = (
        metric_bound for metric_bound in (oe.get_metric("mae").bind(COUNTS["bad"]), oe.get_metric("mae").bind(COUNTS["good"]))
    )
    influence = units.influence(lambda stack: b(stack[:, 1]) - a(stack[:, 0]))
    rows = np.abs(MODELS["good"] - TRUE) - np.abs(MODELS["bad"] - TRUE)
    assert units.standard_error(influence) == pytest.approx(rows.std() / math.sqrt(len(rows)), rel=1e-6)


def test_interval_and_p_value_agree():
    for seed in range(12):
        true, models = three(60, seed)
        found = differences(oe.count(true, models), "bad", "good", METRICS[:3], n_resamples=399, rng=seed)
        for one in found:
            assert (one.p_value < 0.05) == (not one.low <= 0 <= one.high)


def test_near_a_normal_sample_it_is_the_paired_t_test():
    true, models = three(4000)
    found = differences(oe.count(true, models), "bad", "good", [oe.get_metric("mae")])[0]
    rows = np.abs(models["good"] - true) - np.abs(models["bad"] - true)
    theirs = scipy.stats.ttest_1samp(rows, 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)


def test_the_bands_of_the_others_are_wider_and_the_primary_keeps_its_interval():
    primary, *others = differences(COUNTS, "bad", "good", METRICS, n_resamples=999)
    assert primary.band == (primary.low, primary.high)
    assert all(o.band[0] <= o.low and o.band[1] >= o.high for o in others)
    wider = [o.band[1] - o.band[0] > 1.001 * (o.high - o.low) for o in others]
    assert sum(wider) >= len(others) - 1 >= 1  # the one that varies most may have its own interval


def test_models_that_never_differ_have_an_interval_around_0():
    found = differences(COUNTS, "good", "same", METRICS[:1], n_resamples=499)[0]
    assert (found.value, found.p_value) == (0, 1)
    assert found.low < 0 < found.high
    assert found.high < 0.05  # as far as 300 rows without a difference allow


def test_a_difference_is_of_rows_that_both_answered():
    answers = [None if i % 3 == 0 else int(x) for i, x in enumerate(MODELS["bad"])]
    counts = oe.count(TRUE, {"bad": answers, "good": MODELS["good"]}, missing="unanswered")
    kept = np.arange(len(TRUE)) % 3 > 0
    both = oe.count(TRUE[kept], {"bad": MODELS["bad"][kept], "good": MODELS["good"][kept]})
    got, expected = (differences(c, "bad", "good", METRICS[:1], n_resamples=499)[0] for c in (counts, both))
    assert got == expected


def test_a_difference_of_all_rows_of_a_class_has_an_interval():
    true = [0] * 30 + [1] * 30
    found = differences(oe.count(true, {"a": true, "b": [0] * 60}), "a", "b", [oe.get_metric("amae")], n_resamples=499)[0]
    assert found.value == 0.5
    assert 0.3 < found.low < 0.5 < found.high < 0.6


def test_a_p_value_at_its_floor_is_printed_as_a_bound():
    true = [0, 1, 2] * 60
    found = differences(oe.count(true, {"a": [1] * 180, "b": true}), "a", "b", METRICS[:1], n_resamples=999)[0]
    assert found.p_is_bound
    assert found.p_value == pytest.approx(2 / (5 * 999 + 1))
    assert "p ≤ 0.0004" in str(found)


def test_what_one_side_is_refused_the_difference_is():
    true = [0, 0, 1, 1, 2] * 12
    counts = oe.count(true, {"a": [0, 1, 1, 2, 2] * 12, "b": [0, 0, 1, 2, 2] * 12}, labels=range(4))
    metric = oe.get_metric("amae")
    said = differences(counts, "a", "b", [metric], n_resamples=499)[0].reason
    assert said == oe.evaluate(counts["a"], metrics=[metric], n_resamples=499)["amae"].reason
    assert "class 3 has no rows" in said


def test_clusters_are_drawn_together():
    cluster = np.arange(300) // 10
    clustered = oe.count(TRUE, {k: MODELS[k] for k in ("bad", "good")}, cluster=cluster)
    found = differences(clustered, "bad", "good", METRICS[:1], n_resamples=499)[0]
    rows = (np.abs(MODELS["good"] - TRUE) - np.abs(MODELS["bad"] - TRUE)).reshape(30, 10).mean(1)
    assert 0.9 < (found.high - found.low) / 2 / (2.05 * rows.std(ddof=1) / math.sqrt(30)) < 1.5  # never surer than the rows


@pytest.mark.parametrize("clusters", [None, 9])
def test_every_replicate_reports_the_error_that_its_own_rows_would(clusters):
    """The replicate written out as rows and counted anew: its units have the same standard error."""
    rng = np.random.default_rng(5)
    true, a, b = (rng.integers(0, 3, 40) for _ in range(3))
    unit = np.arange(40) if clusters is None else rng.integers(0, clusters, 40)
    metrics = [
        oe.get_metric(text) for text in ("mae", "cem", "kendall_tau(variant='a')")
    ]  # the last changes when every row is copied

    def counted(rows, names):
        return oe.count(true[rows], {"a": a[rows], "b": b[rows]}, labels=range(3), cluster=None if clusters is None else names)

    units = Units(counted(np.arange(40), unit), ["a", "b"])
    values, errors = units.studentised(_statistic(counted(np.arange(40), unit), metrics, "a", "b"), 6, np.random.default_rng(1))
    drawn = units.draw(6, np.random.default_rng(1))
    kinds = unit if clusters is not None else np.unique(np.stack([true, a, b], 1), axis=0, return_inverse=True)[1].reshape(-1)
    for weights, value, error in zip(drawn, values, errors, strict=True):
        where = [np.flatnonzero(kinds == kind) for kind in np.repeat(np.unique(kinds), weights)]
        rows = np.concatenate(where) if clusters is not None else np.array([places[0] for places in where])
        names = np.repeat(np.arange(len(where)), [len(places) for places in where]) if clusters is not None else rows
        again = counted(rows, names)
        new = Units(again, ["a", "b"])
        statistic = _statistic(again, metrics, "a", "b")
        assert value == pytest.approx(new.point(statistic), abs=1e-12)
        assert error == pytest.approx(new.standard_error(new.influence(statistic)), rel=1e-5)


@pytest.mark.parametrize("text", ["mae", "cohen_kappa", "cem", "accuracy"])
def test_the_exchange_test_is_full_enumeration(text):
    metric = oe.get_metric(text)
    rng = np.random.default_rng(3)
    for _ in range(5):
        true, a, b = (rng.integers(0, 3, 8).tolist() for _ in range(3))
        scale = range(3)
        observed = metric(true, b, labels=scale) - metric(true, a, labels=scale)
        as_far = 0
        for swap in product((0, 1), repeat=8):
            first = [y if s else x for s, x, y in zip(swap, a, b, strict=True)]
            second = [x if s else y for s, x, y in zip(swap, a, b, strict=True)]
            as_far += abs(metric(true, second, labels=scale) - metric(true, first, labels=scale)) >= abs(observed) - 1e-12
        found = exchange_test(oe.count(true, {"a": a, "b": b}, labels=scale), "a", "b", metric)
        assert found.exact
        assert found.value == pytest.approx(observed, abs=1e-14)
        assert found.p_value == pytest.approx(as_far / 2**8, abs=1e-12)


def test_the_exchange_test_of_rows_of_one_kind_is_the_sign_test():
    for wins, losses in ((6, 0), (5, 1), (4, 3)):
        answers = {"a": [1] * wins + [0] * losses, "b": [0] * wins + [1] * losses}
        found = exchange_test(oe.count([0] * (wins + losses), answers, labels=[0, 1]), "a", "b", oe.get_metric("mae"))
        assert found.p_value == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue, abs=1e-12)


@pytest.mark.thorough
@pytest.mark.slow
def test_the_exchange_test_of_equal_models_and_of_many_classes():
    same = exchange_test(oe.count([0, 1], {"a": [0, 1], "b": [0, 1]}), "a", "b", "mae")
    assert (same.value, same.p_value, same.discordant, same.exact) == (0, 1, 0, True)
    undefined = exchange_test(oe.count([0, 0], {"a": [0, 1], "b": [1, 0]}, labels=[0, 1]), "a", "b", "spearman")
    assert math.isnan(undefined.value)
    assert math.isnan(undefined.p_value)
    apart = oe.count([0, 1], {"a": [0, None], "b": [None, 1]}, labels=[0, 1], missing="unanswered")
    with pytest.raises(ValueError, match="no row was answered by both"):
        exchange_test(apart, "a", "b", "mae")
    true = list(range(300)) * 2
    answers = {"a": [(x + 1) % 300 for x in true], "b": [(x + 2) % 300 for x in true]}
    found = exchange_test(oe.count(true, answers, labels=range(300)), "a", "b", "accuracy", n_resamples=99)
    assert (found.value, found.p_value, found.discordant) == (0, 1, 600)


def test_a_large_exchange_test_is_sampled():
    found = exchange_test(COUNTS, "bad", "good", oe.get_metric("mae"))
    assert not found.exact
    assert found.p_value < 0.01
    assert found.discordant == int((MODELS["bad"] != MODELS["good"]).sum())


class TestCompare:
    def test_the_verdict_names_the_better_model(self):
        assert oe.compare(TRUE, MODELS, metrics=["mae", "cem"], n_resamples=499).primary == "cem"  # unless another is named
        assert oe.compare(TRUE, MODELS, metrics=["mae", "accuracy"], n_resamples=499).primary == "mae"
        result = oe.compare(TRUE, MODELS, metrics=["mae", "cem"], primary="mae", n_resamples=499)
        assert result.primary == "mae"
        assert set(result.differences) == {("bad", "good"), ("bad", "same"), ("good", "same")}
        assert result.pair_verdicts["bad", "good"].startswith("good is better than bad: MAE ")
        assert result.pair_verdicts["good", "same"].startswith("These rows do not show which is better: MAE ")
        assert result.verdict.startswith("2 of 3 models may be first by MAE, with 95 % confidence. No order is shown among ")
        flipped = oe.compare(TRUE, {"good": MODELS["good"], "bad": MODELS["bad"]}, primary="cem", n_resamples=499)
        assert flipped.verdict.startswith("good is better than bad: CEM ")

    def test_flips_and_dominance_stand_beside_the_differences(self):
        result = oe.compare(TRUE, {"bad": MODELS["bad"], "good": MODELS["good"]}, metrics=["mae"], n_resamples=499)
        found = result.flips["bad", "good"]
        assert found.closer == int((np.abs(MODELS["good"] - TRUE) < np.abs(MODELS["bad"] - TRUE)).sum())
        assert result.dominance["bad", "good"].better == "good"
        assert "good is nearer the truth on" in str(result)
        assert "No class points the other way." in str(result)

    @pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
    def test_what_stands_beside_the_differences_has_their_level_and_their_draws(self, level):
        asked = {"confidence_level": level, "n_resamples": 450, "rng": 3}
        result = oe.compare(COUNTS, metrics=["mae"], reference="good", **asked)
        for pair, found in result.dominance.items():
            assert found.to_dict() == oe.infer.dominance(COUNTS, *pair, **asked).to_dict()
            assert found.confidence_level == level
        assert result.ranks.to_dict() == oe.rank_sets(COUNTS, "mae", **asked).to_dict()
        assert f"with {100 * level:g} % confidence" in str(result.ranks)

    def test_more_than_two_models_get_ranks(self):
        result = oe.compare(TRUE, MODELS, metrics=["mae"], n_resamples=499)
        assert (result.ranks["bad"].best, result.ranks["bad"].worst) == (3, 3)
        assert (result.ranks["good"].best, result.ranks["good"].worst) == (1, 2)
        assert str(result.ranks) in str(result)

    def test_equivalence_and_non_inferiority(self):
        true, models = three(2000)
        almost = models["good"].copy()
        almost[:20] = true[:20]
        found = oe.compare(true, {"a": models["good"], "b": almost}, metrics=["mae"], margin=0.05, n_resamples=499)
        one = found.differences["a", "b"]["mae"]
        assert one.equivalent
        assert one.not_inferior
        assert found.verdict.startswith("a and b are equivalent (closer than the margin of 0.05): MAE ")
        worse = oe.compare(true, {"a": models["good"], "b": models["bad"]}, metrics=["mae"], margin=0.05, n_resamples=499)
        assert worse.differences["a", "b"]["mae"].not_inferior is False
        assert worse.differences["a", "b"]["mae"].equivalent is False

    def test_it_prints_within_80_columns(self):
        visits = oe.load_example("triage")
        both = {name: visits[name] for name in ("nurse", "model")}
        text = str(
            oe.compare(
                visits["grade"], both, labels=["green", "yellow", "orange", "red"], missing="drop", primary="cem", n_resamples=499
            )
        )
        assert max(map(len, text.splitlines())) <= 80
        assert "model is better than nurse: CEM 0.877 against 0.855, paired difference +0.022" in text

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"primary": "bias"}, "has a target, not a direction"),
            ({"margin": -1}, "the margin of equivalence is a number above 0"),
            ({"n_resamples": 50}, "take n_resamples=400 or more"),
        ],
    )
    def test_requests_that_cannot_be_met(self, options, words):
        with pytest.raises(ValueError, match=words):
            oe.compare(TRUE, MODELS, **options)

    def test_one_model_is_no_comparison(self):
        with pytest.raises(ValueError, match="needs two models"):
            oe.compare(TRUE, {"a": MODELS["good"]})
        with pytest.raises(ValueError, match="different lengths"):
            oe.compare(TRUE, {"a": MODELS["good"], "b": MODELS["bad"][:-1]})
        with pytest.raises(TypeError, match="labels was given with Counts"):
            oe.compare(COUNTS, labels=[1, 2])


@pytest.mark.parametrize("missing", ["drop", "unanswered", "wrong"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clusters", [None, 30])
def test_a_group_is_compared_and_evaluated_as_its_rows_alone(clusters, weighted, missing):
    """Weights without clusters keep every row by itself for the intervals, in a group as in the whole."""
    n, rng = 120, np.random.default_rng(2)
    true, site = rng.integers(0, 3, n), np.array(["hill", "park"])[rng.integers(0, 2, n)]
    answers = {name: np.clip(true + rng.integers(-1, 2, n), 0, 2).astype(object) for name in ("a", "b")}
    for column in answers.values():
        column[rng.permutation(n)[:6]] = None
    given = {"sample_weight": rng.integers(1, 5, n) / 2} if weighted else {}
    if clusters:
        given["cluster"] = rng.integers(0, clusters, n)
    same = {"labels": range(3), "missing": missing, "metrics": ["mae", "cem"], "n_resamples": 400}

    def of(rows):
        return (
            true[rows],
            {name: column[rows] for name, column in answers.items()},
            {k: column[rows] for k, column in given.items()},
        )

    truth, models, beside = of(np.ones(n, dtype=bool))
    whole = oe.compare(truth, models, by={"site": site}, **beside, **same)
    alone = {name: oe.evaluate(truth, column, by={"site": site}, **beside, **same) for name, column in models.items()}
    for group in ("hill", "park"):
        truth, models, beside = of(site == group)
        expected, found = oe.compare(truth, models, **beside, **same), whole.groups[group]
        assert found.differences == expected.differences
        assert not any(one.reason for one in found.differences["a", "b"].values())
        for name, column in models.items():
            by_itself = expected.evaluations[name].scores
            assert found.evaluations[name].scores == whole.evaluations[name].groups[group].scores == by_itself
            assert all(score.low < score.value < score.high for score in by_itself.values())
            assert alone[name].groups[group].scores == oe.evaluate(truth, column, **beside, **same).scores


def test_a_score_without_a_band_does_not_touch_the_bands_of_the_others():
    truth = [0, 1, 2] * 40
    answers = {"a": truth[:100] + [0] * 20, "b": truth[:90] + [1] * 30}
    plain = oe.compare(truth, answers, metrics=["mae", "accuracy"], n_resamples=400)
    more = oe.compare(truth, answers, metrics=["mae", "accuracy", "mmae"], n_resamples=400)
    assert more.differences["a", "b"]["mmae"].reason
    assert more.differences["a", "b"]["accuracy"].band == plain.differences["a", "b"]["accuracy"].band


def test_an_undefined_score_leaves_the_others_as_they_are():
    counts = oe.count(["x"] * 60, {"a": ["x"] * 60, "b": ["x"] * 50 + ["y"] * 10}, labels=["x", "y"])
    found = oe.compare(counts, metrics=["accuracy", "mae", "kendall_tau"], n_resamples=400).differences["a", "b"]
    assert found["kendall_tau"].reason.startswith("the score is undefined")
    assert np.isfinite(found["mae"].band).all()


def test_a_handful_of_rows_gets_a_reason_and_no_warning():
    """Shares of four rows have an interval, wide as it is; other scores do not."""
    true, models = [0, 2, 0, 2], {"a": [0, 1, 0, 2], "b": [1, 2, 0, 2]}
    found = oe.compare(true, models, labels=range(3), n_resamples=999)
    for difference in found.differences["a", "b"].values():
        assert difference.reason or math.isfinite(difference.low)
    assert found.differences["a", "b"]["bias"].reason.startswith("4 rows; 15 are enough")
    assert "undefined to" not in str(found)


@pytest.mark.parametrize("seed", range(5))
def test_an_end_next_to_0_follows_the_p_value_and_nothing_else_moves(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        low, value, high = np.sort(rng.normal(rng.normal(), 1, 3)).tolist()
        for significant in (False, True):
            found = _kept_apart(value, low, high, significant)
            assert (found[0] <= 0 <= found[1]) != significant
            assert found[0] <= value <= found[1]
            if (low <= 0 <= high) != significant:
                assert found == (low, high)
            else:
                (moved,) = [end for end, before in zip(found, (low, high), strict=True) if end != before]
                assert abs(moved) <= (1e-12 if significant else 0)
