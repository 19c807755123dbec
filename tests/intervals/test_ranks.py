"""Many systems: rank sets that hold together, systems that cannot be told apart, metrics that disagree."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats

import ordeval as oe
from ordeval.infer._bands import simultaneous
from ordeval.infer._ranks import RankedModel, RankSets, goodness, rank_sets, rankings
from ordeval.infer._units import Units
from ordeval.infer._winners import agreement_of, ranking_agreement, winner_sensitivity

METRICS = ["accuracy", "mae", "bias", "cohen_kappa", "kendall_tau", "cem"]


def noisy(truth, error, rng, k=4, shift=0.0):
    return np.clip(truth + np.rint(rng.normal(shift, error, truth.size)).astype(int), 0, k - 1)


def systems(n=400, errors=(0.5, 0.7, 0.9, 0.9), seed=0, k=4):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    return oe.count(truth, {f"s{i}": noisy(truth, e, rng, k) for i, e in enumerate(errors)}, labels=range(k))


class TestBands:
    def test_the_critical_value_is_a_quantile_of_the_largest_t(self):
        rng = np.random.default_rng(0)
        values, point = rng.normal(size=(999, 7)) * np.arange(1, 8), np.zeros(7)
        bands = simultaneous(point, lambda block: values[:, block], 0.95, units=10**9)
        error = values.std(0, ddof=1)
        largest = np.sort(np.abs(values / error).max(1))
        assert bands.critical == pytest.approx(largest[949], rel=1e-12)
        assert bands.high == pytest.approx(largest[949] * error, rel=1e-6)

    def test_few_units_widen_as_students_t_does(self):
        values = np.random.default_rng(0).normal(size=(999, 1))
        wide, narrow = (simultaneous(np.zeros(1), lambda b: values[:, b], 0.95, units=n) for n in (20, 10**9))
        aim = math.sqrt(20 / 19) * scipy.stats.t.ppf(0.975, 19) / scipy.stats.norm.ppf(0.975)
        assert wide.high[0] / narrow.high[0] == pytest.approx(aim, rel=1e-6)

    def test_replicates_without_a_value_widen_and_differences_without_most_of_them_are_left_out(self):
        values = np.random.default_rng(0).normal(size=(999, 3))
        whole = simultaneous(np.zeros(3), lambda b: values[:, b], 0.9, units=1000)
        values[:40, 0] = np.nan
        some = simultaneous(np.zeros(3), lambda b: values[:, b], 0.9, units=1000)
        values[:100, 0] = np.nan
        many = simultaneous(np.zeros(3), lambda b: values[:, b], 0.9, units=1000)
        assert some.critical > whole.critical
        assert np.isnan(many.low).tolist() == [True, False, False]

    def test_what_never_varies_has_no_ends_and_does_not_disturb_the_others(self):
        values = np.random.default_rng(0).normal(size=(999, 2))
        values[:, 0] = 0.5
        bands = simultaneous(np.array([0.5, 0.0]), lambda b: values[:, b], 0.95, units=1000)
        alone = simultaneous(np.zeros(1), lambda b: values[:, 1:], 0.95, units=1000)
        assert np.isnan(bands.low[0])
        assert bands.critical == alone.critical


class TestRankSets:
    def test_by_hand(self):
        """Good, good and bad: the bad one is third for certain, the others cannot be told apart."""
        truth = [0, 1, 2] * 60
        counts = oe.count(truth, {"bad": [1] * 180, "x": [*truth[:170], *[1] * 10], "y": [*[1] * 12, *truth[12:]]})
        ranks = rank_sets(counts, "accuracy")
        assert ranks.models[2] == "bad"
        assert [(s.best, s.worst) for s in ranks.systems] == [(1, 2), (1, 2), (3, 3)]
        assert ranks.groups == (("x", "y"), ("bad",)) or ranks.groups == (("y", "x"), ("bad",))
        assert ranks["bad"].score == pytest.approx(1 / 3)
        assert ranks.apart.tolist() == [[False, False, True], [False, False, True], [True, True, False]]

    def test_the_interval_of_a_difference_is_around_it_and_turns_with_the_metric(self):
        counts = systems()
        up, down = (rank_sets(counts, text) for text in ("accuracy", "mze"))
        low, high = up.better_by("s0", "s3")
        difference = oe.accuracy(counts["s0"]) - oe.accuracy(counts["s3"])
        assert (low + high) / 2 == pytest.approx(difference, abs=0.02)
        assert down.better_by("s0", "s3") == pytest.approx((low, high), abs=0.02)
        assert up.better_by("s3", "s0") == pytest.approx((-high, -low))
        assert up.models == down.models

    def test_two_systems_get_the_ordinary_interval(self):
        """One pair: the largest t of all pairs is the only one, about 1.96."""
        counts = systems(2_000, (0.5, 0.6))
        low, high = rank_sets(counts, "accuracy", n_resamples=9_999).better_by("s0", "s1")
        pair = counts.pair("s0", "s1")
        rows = np.repeat(
            [1, -1, 0], [_only_right(pair, 0), _only_right(pair, 1), 2_000 - _only_right(pair, 0) - _only_right(pair, 1)]
        )
        half = 1.96 * rows.std(ddof=1) / math.sqrt(2_000)
        assert (high - low) / 2 == pytest.approx(half, rel=0.05)

    @pytest.mark.parametrize("metric", METRICS)
    def test_identical_systems_are_never_told_apart(self, metric):
        rng = np.random.default_rng(1)
        truth = rng.integers(0, 4, 300)
        good, bad = noisy(truth, 0.4, rng), noisy(truth, 1.2, rng, shift=0.8)
        ranks = rank_sets(oe.count(truth, {"a": good, "b": bad, "c": good, "d": bad}, labels=range(4)), metric)
        assert not ranks.apart[ranks.models.index("a"), ranks.models.index("c")]
        assert not ranks.apart[ranks.models.index("b"), ranks.models.index("d")]
        assert (ranks["a"].best, ranks["a"].worst) == (ranks["c"].best, ranks["c"].worst) == (1, 2)
        assert (ranks["b"].best, ranks["b"].worst) == (3, 4)

    def test_all_identical(self):
        truth = [0, 1, 2] * 40
        guess = [0, 1, 1] * 40
        ranks = rank_sets(oe.count(truth, {"a": guess, "b": guess, "c": guess}), "mae")
        assert {(s.best, s.worst) for s in ranks.systems} == {(1, 3)}
        assert ranks.groups == (("a", "b", "c"),)

    def test_the_first_and_the_last_may_be_told_apart_though_no_neighbours_are(self):
        """The first is wrong on 20 rows, the last on the same and 20 more; the one between on 30, most of them others."""
        row = np.arange(200)
        wrong = {"first": row < 20, "between": (row >= 10) & (row < 40), "last": (row < 20) | ((row >= 40) & (row < 60))}
        ranks = rank_sets(oe.count([0] * 200, {name: x.astype(int) for name, x in wrong.items()}, labels=[0, 1]), "accuracy")
        assert [(s.model, s.best, s.worst) for s in ranks.systems] == [("first", 1, 2), ("between", 1, 3), ("last", 2, 3)]
        assert ranks.groups == (("first", "between"), ("between", "last"))
        assert [line.split()[2] for line in str(ranks).splitlines()[1:4]] == ["a", "ab", "b"]

    @pytest.mark.parametrize("order", list(permutations(["first", "second", "third"])), ids=" ".join)
    def test_the_last_two_may_be_told_apart_though_the_first_is_like_both(self, order):
        """The last is wrong wherever the second is and on 13 rows more; the first is wrong on 30 rows of its own."""
        row = np.arange(200)
        wrong = {"first": row >= 170, "second": row < 33, "third": row < 46}
        ranks = rank_sets(oe.count([0] * 200, {name: wrong[name].astype(int) for name in order}, labels=[0, 1]), "accuracy")
        assert [(s.model, s.best, s.worst) for s in ranks.systems] == [("first", 1, 3), ("second", 1, 2), ("third", 2, 3)]
        assert ranks.groups == (("first", "second"), ("third",))
        assert [line.split()[2] for line in str(ranks).splitlines()[1:4]] == ["a", "a", "b"]

    @pytest.mark.parametrize("seed", range(6))
    def test_models_share_a_letter_where_no_two_from_one_to_the_other_are_told_apart(self, seed):
        rng = np.random.default_rng(seed)
        for size in (2, 3, 4, 5, 8, 30):
            certain = np.triu(rng.random((size, size)) < rng.choice([0.02, 0.1, 0.3]), 1)
            low = np.where(certain, 0.1, -0.2)
            systems = tuple(RankedModel(f"s{i}", 1 - i / size, 1, size) for i in range(size))
            settings = {"confidence_level": 0.95, "n_resamples": 999, "rng": 0, "unit": "row", "units": 100}
            found = RankSets("accuracy", systems, low, low + 0.3, settings)
            alike = {(i, j) for i, j in combinations(range(size), 2) if not certain[i : j + 1, i : j + 1].any()}
            place = {f"s{i}": i for i in range(size)}
            groups = [[place[name] for name in group] for group in found.groups]
            assert all(group == list(range(group[0], group[-1] + 1)) for group in groups)
            assert {pair for group in groups for pair in combinations(group, 2)} == alike
            assert {i for group in groups for i in group} == set(range(size))
            assert not any(set(one) <= set(other) for one, other in permutations(groups, 2))

    def test_a_target_is_approached_from_both_sides(self):
        """Too high by 0.5, too low by 0.5, on target: the first two are as far from it, the last is best."""
        rng = np.random.default_rng(0)
        truth = rng.integers(2, 5, 600)
        counts = oe.count(
            truth,
            {
                "high": truth + rng.integers(0, 2, 600),
                "low": truth - rng.integers(0, 2, 600),
                "on": truth + rng.integers(-1, 2, 600),
            },
            labels=range(7),
        )
        ranks = rank_sets(counts, "bias")
        assert (ranks["on"].best, ranks["on"].worst) == (1, 1)
        assert not ranks.apart[1, 2]
        low, high = ranks.better_by("on", "high")
        assert low < abs(oe.bias(counts["high"])) - abs(oe.bias(counts["on"])) < high
        low, high = ranks.better_by("low", "high")
        assert -0.2 < low < 0 < high < 0.2  # of two biases near ±0.5 only the sizes differ, and by little

    def test_same_seed_same_bytes_whatever_the_chunks(self, monkeypatch):
        counts = systems()
        whole = rank_sets(counts, "cem")
        monkeypatch.setattr("ordeval.infer._units.STACK_BYTES", 8 * 4 * 16 * 13)
        monkeypatch.setattr("ordeval.infer._bands.BLOCK_BYTES", 8 * 1_999 * 2)
        parts = rank_sets(counts, "cem")
        assert whole.low.tobytes() == parts.low.tobytes()
        assert rank_sets(counts, "cem", rng=1).low.tobytes() != whole.low.tobytes()

    @pytest.mark.thorough
    @pytest.mark.slow
    def test_several_metrics_share_one_resampling(self):
        counts = systems()
        together = rankings(counts, METRICS)
        for text in METRICS:
            assert together[text].low.tobytes() == rank_sets(counts, text).low.tobytes()

    def test_a_choice_of_models(self):
        counts = systems()
        assert set(rank_sets(counts, "mae", models=["s3", "s0"]).models) == {"s0", "s3"}

    def test_where_intervals_do_not_hold_no_rank_is_claimed(self):
        ranks = rank_sets(systems(), "mmae")
        assert {(s.best, s.worst) for s in ranks.systems} == {(1, 4)}
        assert "greatest or least over the classes" in ranks.reason
        assert ranks.reason in " ".join(str(ranks).split())

    def test_a_system_without_a_score_may_have_any_rank(self):
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 200)
        counts = oe.count(truth, {"ok": noisy(truth, 0.5, rng, 3), "still": [1] * 200, "worse": noisy(truth, 1.5, rng, 3)})
        ranks = rank_sets(counts, "kendall_tau")
        assert ranks.models == ("ok", "worse", "still")
        assert (ranks["still"].best, ranks["still"].worst) == (1, 3)
        assert "undefined" in ranks["still"].reason
        assert (ranks["ok"].best, ranks["ok"].worst) == (1, 2)

    def test_clusters_are_drawn_whole(self):
        """Every row twice in its cluster says no more than every row once."""
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 300)
        answers = {"a": noisy(truth, 0.5, rng, 3), "b": noisy(truth, 0.7, rng, 3)}
        once = rank_sets(oe.count(truth, answers, cluster=np.arange(300)), "mae")
        twice = oe.count(np.tile(truth, 2), {m: np.tile(p, 2) for m, p in answers.items()}, cluster=np.tile(np.arange(300), 2))
        assert rank_sets(twice, "mae").better_by("a", "b") == pytest.approx(once.better_by("a", "b"), rel=0.15)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("metric", "errors", "shifts"),
        [
            ("mae", (0.7,) * 6, (0.0,) * 6),  # all equal: the hardest case, any certain difference is a mistake
            ("cohen_kappa", (0.7,) * 6, (0.0,) * 6),
            ("bias", (0.5, 0.6, 0.6, 0.8, 1.0, 1.4), (0.1, 0.0, 0.0, -0.3, 0.3, 0.6)),
        ],
    )
    def test_the_true_ranks_lie_in_all_sets(self, metric, errors, shifts):
        """At 95 %, all sets hold at once in at least 93 % of samples."""
        rng = np.random.default_rng(7)
        k, runs, n = 4, 200, 250
        cells = np.arange(k)
        answer = [_answers(k, e, s) for e, s in zip(errors, shifts, strict=True)]
        record = oe.get_metric(metric)
        true = [
            goodness(record, record.bind(oe.Counts.from_matrix(np.rint(table * 1e12).astype(int)))(table)) for table in answer
        ]
        ahead, behind = (np.array([sum(sign * (b - a) > 1e-9 for b in true) for a in true]) for sign in (1, -1))
        held = 0
        for _ in range(runs):
            truth = rng.integers(0, k, n)
            draws = {
                f"s{i}": (rng.random((n, 1)) > np.cumsum(table / table.sum(1, keepdims=True), 1)[truth]).sum(1)
                for i, table in enumerate(answer)
            }
            ranks = rank_sets(oe.count(truth, draws, labels=cells), metric, n_resamples=599, rng=rng)
            held += all(
                ranks[f"s{i}"].best <= 1 + ahead[i] and ranks[f"s{i}"].worst >= len(true) - behind[i] for i in range(len(true))
            )
        assert held / runs >= 0.93

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"models": ["s0"]}, "ranks need two models or more, but the models are: s0"),
            ({"models": ["s0", "s0", "s1"]}, "'s0' is named twice"),
            ({"confidence_level": 2}, "not between 0 and 1"),
            ({"n_resamples": 99}, "take n_resamples=400 or more"),
        ],
    )
    def test_refusals(self, options, words):
        with pytest.raises(ValueError, match=words):
            rank_sets(systems(60), "mae", **options)

    def test_one_model_and_unknown_models(self):
        with pytest.raises(ValueError, match="ranks need two models or more, but the models are: pred"):
            rank_sets(oe.count([0, 1], [0, 1]), "mae")
        with pytest.raises(KeyError, match="there is no model 'x'"):
            rank_sets(systems(60), "mae", models=["s0", "x"])
        with pytest.raises(KeyError, match="there is no model 'x'"):
            rank_sets(systems(60), "mae")["x"]
        with pytest.raises(ValueError, match="cluster="):
            rank_sets(oe.count([0, 1] * 9, {"a": [0, 1] * 9, "b": [0] * 18}, sample_weight=[0.5, 1] * 9), "mae")

    def test_it_prints_an_ordered_table(self):
        lines = str(rank_sets(systems(), "mae")).splitlines()
        assert lines[0].split() == ["ranks", "model", "alike", "score"]
        assert [line.split()[1] for line in lines[1:3]] == ["s0", "s1"]
        assert lines[6] == "Ranks by MAE; with 95 % confidence all 4 ranges hold at once."
        assert str(rank_sets(systems(), "mae")["s0"]).startswith("s0: 0.")


class TestAgreementOfMetrics:
    def test_tau_is_scipys(self):
        counts = systems(300, (0.5, 0.55, 0.6, 0.7, 0.7, 0.9, 1.1), seed=3)
        found = ranking_agreement(counts, METRICS)
        for i, a in enumerate(METRICS):
            for j, b in enumerate(METRICS):
                good = [
                    goodness(oe.get_metric(m), np.array([oe.get_metric(m)(counts[s]) for s in counts.models])) for m in (a, b)
                ]
                assert found.tau[i, j] == pytest.approx(scipy.stats.kendalltau(*good).statistic, abs=1e-12)

    def test_ties_and_directions(self):
        truth = [0, 1, 2, 3] * 5
        counts = oe.count(truth, {"a": truth, "b": truth, "c": [1] * 20, "d": [0] * 20})
        found = ranking_agreement(counts, ["accuracy", "mze", "mae"])
        assert found.tau[0, 1] == pytest.approx(1)
        theirs = scipy.stats.kendalltau([1, 1, 0.25, 0.25], [0, 0, -1, -1.5]).statistic
        assert found.tau[0, 2] == pytest.approx(theirs)

    def test_a_metric_that_ranks_nobody_has_no_agreement(self):
        truth = [0, 1, 2, 3] * 5
        found = ranking_agreement(oe.count(truth, {"c": [1] * 20, "d": [2] * 20}), ["accuracy", "bias", "mae"])
        assert np.isnan(found.tau[0, 1])
        assert math.isnan(found.least[2]) or found.least[2] <= 1
        assert "—" in str(found)

    def test_undefined_systems_are_left_out_of_their_pairs(self):
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 100)
        answers = {f"s{i}": noisy(truth, 0.4 + 0.3 * i, rng, 3) for i in range(4)}
        with_still = oe.count(truth, {**answers, "still": [1] * 100})
        without = oe.count(truth, answers)
        texts = ["kendall_tau", "mae"]
        assert ranking_agreement(with_still, texts).tau[0, 1] == ranking_agreement(without, texts).tau[0, 1]

    def test_one_metric_is_refused(self):
        with pytest.raises(ValueError, match="two metrics or more"):
            ranking_agreement(systems(60), ["mae"])
        with pytest.raises(ValueError, match="two metrics or more"):
            winner_sensitivity(systems(60), "mae")


class TestWinners:
    def test_by_hand(self):
        """Often right and far off when wrong, or never right and never far: accuracy and MAE choose differently."""
        truth = [0, 1, 2, 3] * 5
        counts = oe.count(truth, {"hits": [0, 1, 2, 0] * 5, "near": [1, 1, 1, 2] * 5, "same": [1, 1, 1, 2] * 5})
        found = winner_sensitivity(counts, ["accuracy", "mse", "accuracy_within(steps=1)", "accuracy_within(steps=0)"])
        assert [w.models for w in found.winners] == [("hits",), ("near", "same"), ("near", "same"), ("hits",)]
        assert [w.score for w in found.winners] == pytest.approx([0.75, 0.75, 1, 0.75])
        assert [w.margin for w in found.winners] == pytest.approx([0.5, 9 / 4 - 3 / 4, 0.25, 0.5])
        assert found.wins == {"hits": 2, "near": 2, "same": 2}
        assert found.undisputed == ()
        assert "depends on the metric" in str(found)

    def test_an_undisputed_winner_and_an_undefined_metric(self):
        truth = [0, 1, 2, 3] * 5
        counts = oe.count(truth, {"a": truth, "b": [0] * 20})
        assert winner_sensitivity(counts, ["mae", "accuracy"]).undisputed == ("a",)
        found = winner_sensitivity(oe.count([1, 1], {"a": [1, 1], "b": [1, 1]}, labels=range(3)), ["kendall_tau", "mae"])
        assert found.winners[0].models == ()
        assert math.isnan(found.winners[0].score)
        assert "nobody" in str(found)


def _only_right(pair: np.ndarray, model: int) -> int:
    """Rows that one model has right and the other wrong."""
    k = len(pair)
    t, a, b = np.indices(pair.shape)
    mine, other = (a, b) if model == 0 else (b, a)
    assert k
    return int(pair[(mine == t) & (other != t)].sum())


def _answers(k: int, error: float, shift: float) -> np.ndarray:
    """The population table of a system whose error is a rounded normal one, classes equally frequent."""
    edges = np.concatenate([[-np.inf], np.arange(k - 1) + 0.5, [np.inf]])
    below = scipy.stats.norm.cdf(edges[None] - np.arange(k)[:, None], shift, error)
    return np.diff(below, axis=1) / k


def test_the_stack_of_many_systems_is_that_of_each():
    counts = systems()
    tables = Units(counts).stack(Units(counts).number[None])[0]
    assert all((tables[i] == counts[m].matrix).all() for i, m in enumerate(counts.models))


def test_a_metric_without_a_winner_names_nobody():
    constant = oe.count([0, 0], {"a": [0, 1], "b": [1, 1]}, labels=[0, 1])
    lines = str(oe.infer.winner_sensitivity(constant, ["spearman", "accuracy"])).splitlines()
    assert lines[1].split() == ["spearman", "nobody", "nobody", "undefined", "undefined"]
    assert lines[2].split() == ["accuracy", "a", "b", "0.500", "0.500"]


def test_a_winner_in_a_line():
    counts = oe.count([0, 1, 1, 0], {"a": [0, 1, 1, 1], "b": [1, 1, 0, 1]})
    assert str(oe.infer.winner_sensitivity(counts, ["accuracy", "mae"]).winners[0]) == "accuracy: a 0.750, ahead of b by 0.500"


def test_a_system_that_never_answered_has_a_reason_and_hurts_nobody():
    true = [0, 1] * 30
    answers = {"a": true, "b": [0, 0, 1, 1] * 15, "c": [None] * 60}
    counts = oe.count(true, answers, labels=[0, 1], missing="unanswered")
    ranks = oe.rank_sets(counts, "accuracy", n_resamples=499)
    assert math.isnan(ranks["c"].score)
    assert ranks.models[0] == "a"


def test_rankings_agree_on_the_pairs_that_both_metrics_can_judge():
    good = np.array([[3.0, 2.0, np.nan], [3.0, 2.0, 2.5], [1.0, 2.0, 3.0]])
    metrics = [oe.get_metric(text) for text in ("accuracy", "mae", "cem")]
    found = agreement_of(metrics, good, ("a", "b", "c")).tau
    assert found[0].tolist() == pytest.approx([1, 1, -1])
    assert found[1, 2] == pytest.approx(-1 / 3)
    rounded = np.array([[0.3, 0.1 + 0.2, 0.0], [1.0, 2.0, 0.0], [2.0, 1.0, 0.0]])
    same = agreement_of(metrics, rounded, ("a", "b", "c")).tau
    assert same[0, 1] == same[0, 2]  # a difference of rounding is a tie, which takes no side
