"""Intervals, paired differences and ranks of rows without an answer that count as wrong: as if the class had been put there by hand."""

import math

import numpy as np
import pytest

import ordeval as oe

BY_RANK = ["mae", "accuracy", "accuracy_within", "amae", "cohen_kappa", "oci"]
K = 4


def rows(seed=0, n=400, blanks=0.1):
    """Truth, two models, patients and sites; the first model leaves rows blank."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(K, n, p=[0.4, 0.3, 0.2, 0.1])
    one, two = (np.clip(truth + rng.integers(-1, 2, n) * (rng.random(n) < 0.6), 0, K - 1).astype(object) for _ in range(2))
    one[rng.random(n) < blanks] = None
    two[rng.random(n) < blanks / 4] = None
    return truth, {"one": one, "two": two}, rng.integers(0, n // 3, n), np.where(rng.random(n) < 0.4, "hill", "park")


def by_hand(truth, answers, classes):
    return np.array([classes[t] if p is None else p for t, p in zip(truth, answers, strict=True)], int)


def same_scores(found, expected):
    for text, score in found.scores.items():
        other = expected.scores[text]
        assert (score.method, score.reason, score.n) == (other.method, other.reason, other.n)
        for end in ("value", "low", "high"):
            a, b = getattr(score, end), getattr(other, end)
            assert a == pytest.approx(b, abs=1e-12) or (math.isnan(a) and math.isnan(b)), (text, end)


@pytest.mark.parametrize("metric", [*BY_RANK, "cem", "stc", "balanced_accuracy", "over_rate"])
@pytest.mark.parametrize("clustered", [False, True])
def test_an_interval_is_that_of_the_class_put_there_by_hand(metric, clustered):
    truth, models, patient, _ = rows(1)
    same = {"labels": range(K), "cluster": {"patient": patient} if clustered else None}
    counts = oe.count(truth, models["one"], **same, missing="wrong")
    hand = by_hand(truth, models["one"], oe.get_metric(metric).worst_classes(counts))
    found, expected = (oe.evaluate(c, metrics=[metric], n_resamples=400) for c in (counts, oe.count(truth, hand, **same)))
    same_scores(found, expected)


@pytest.mark.parametrize("method", ["bca", "studentised", "stratified", "jackknife", "delta", "bayes", "dirichlet"])
def test_the_methods_by_name_resample_blanks_with_the_others(method):
    truth, models, _, _ = rows(2)
    counts = oe.count(truth, models["one"], labels=range(K), missing="wrong")
    hand = by_hand(truth, models["one"], oe.get_metric("mae").worst_classes(counts))
    settings = {"metrics": ["mae", "cohen_kappa"], "method": method, "n_resamples": 400}
    same_scores(oe.evaluate(counts, **settings), oe.evaluate(oe.count(truth, hand, labels=range(K)), **settings))


@pytest.mark.parametrize("clustered", [False, True])
def test_paired_differences_with_a_common_map_are_those_by_hand(clustered):
    truth, models, patient, _ = rows(3)
    same = {"labels": range(K), "cluster": {"patient": patient} if clustered else None}
    counts = oe.count(truth, models, **same, missing="wrong")
    classes = oe.get_metric("mae").worst_classes(counts)
    hand = oe.count(truth, {name: by_hand(truth, column, classes) for name, column in models.items()}, **same)
    settings = {"metrics": BY_RANK, "primary": "mae", "n_resamples": 400}
    found, expected = oe.compare(counts, **settings), oe.compare(hand, **settings)
    for text, one in found.differences["one", "two"].items():
        other = expected.differences["one", "two"][text]
        numbers = [(d.value, d.low, d.high, d.p_value, *d.band) for d in (one, other)]
        assert numbers[0] == pytest.approx(numbers[1], abs=1e-9), text
    assert found.verdict == expected.verdict
    assert found.flips["one", "two"].closer == expected.flips["one", "two"].closer
    assert str(found.dominance["one", "two"]) == str(expected.dominance["one", "two"])


def test_scores_with_maps_of_their_own_keep_their_simultaneous_bands():
    """Bands rest on the correlation of all scores: a joint table in which every score puts the same blanks elsewhere."""
    truth, models, _, _ = rows(4)
    counts = oe.count(truth, models, labels=range(K), missing="wrong")
    texts = ["cem", "cem(level='nominal')", "stc", "mae", "over_rate"]
    maps = {tuple(oe.get_metric(text).worst_classes(counts)) for text in texts}
    assert len(maps) == 4  # that of cem is that of mae, and not that of its other form
    found = oe.compare(counts, metrics=texts, n_resamples=400).differences["one", "two"]
    for text in texts:
        classes = oe.get_metric(text).worst_classes(counts)
        hand = oe.count(truth, {name: by_hand(truth, column, classes) for name, column in models.items()}, labels=range(K))
        alone = oe.compare(hand, metrics=[text], n_resamples=400).differences["one", "two"][text]
        one = found[text]
        assert (one.value, one.low, one.high, one.p_value) == pytest.approx(
            (alone.value, alone.low, alone.high, alone.p_value), abs=1e-9
        )
        assert one.band[0] <= one.low
        assert one.band[1] >= one.high


def test_weighted_rows_and_groups_keep_their_blanks():
    truth, models, _, site = rows(5)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(truth))
    same = {"labels": range(K), "sample_weight": weight, "by": {"site": site}, "metrics": ["mae", "cem"], "n_resamples": 400}
    found = oe.evaluate(truth, models["one"], **same, missing="wrong")
    for part in (found, *found.groups.values()):
        for text in ("mae", "cem"):
            chosen = np.ones(len(truth), bool) if part is found else site == ("hill" if part is found.groups["hill"] else "park")
            classes = oe.get_metric(text).worst_classes(part.counts)
            hand = by_hand(truth[chosen], models["one"][chosen], classes)
            settings = {**same, "by": None, "sample_weight": weight[chosen], "metrics": [text]}
            alone = oe.evaluate(truth[chosen], hand, **settings)
            numbers = [(s.value, s.low, s.high) for s in (part[text], alone[text])]
            assert numbers[0] == pytest.approx(numbers[1], abs=1e-9)


def test_ranks_and_plans_count_blanks():
    truth, models, _, _ = rows(6)
    counts = oe.count(truth, models, labels=range(K), missing="wrong")
    for metric in ("cem", "mae"):
        classes = oe.get_metric(metric).worst_classes(counts)
        hand = oe.count(truth, {name: by_hand(truth, column, classes) for name, column in models.items()}, labels=range(K))
        one, other = (oe.rank_sets(c, metric, n_resamples=400) for c in (counts, hand))
        assert [(m.model, m.best, m.worst) for m in one.systems] == [(m.model, m.best, m.worst) for m in other.systems]
        assert [m.score for m in one.systems] == pytest.approx([m.score for m in other.systems], abs=1e-12)
        assert {m.model: m.missing for m in one.systems} == {
            name: int(sum(p is None for p in column)) for name, column in models.items()
        }
        plans = [oe.plan(c["one"], metric, half_width=0.05) for c in (counts, hand)]
        assert plans[0].needed == plans[1].needed


def test_bounds_use_the_same_map():
    truth, models, _, _ = rows(7)
    silent = oe.evaluate(truth, models["one"], labels=range(K), missing="unanswered", n_resamples=400)
    wrong = oe.evaluate(truth, models["one"], labels=range(K), missing="wrong", n_resamples=400)
    for text, (best, worst) in silent.bounds.items():
        assert worst == pytest.approx(wrong[text].value, abs=1e-12)
        assert wrong.bounds[text] == pytest.approx((best, worst), abs=1e-12)
    assert silent.answered == wrong.answered == 1 - sum(p is None for p in models["one"]) / len(truth)


def test_a_forecast_that_is_not_there_is_sure_of_the_class_most_steps_away():
    truth = np.array([0, 1, 2, 2] * 20)
    proba = np.full((80, 3), 1 / 3)
    proba[::8] = math.nan
    by_rank = np.array([2, 2, 0])
    hand = proba.copy()
    hand[::8] = np.eye(3)[by_rank[truth[::8]]]
    same = {"labels": range(3), "metrics": ["rps", "accuracy", "log_loss"], "n_resamples": 400}
    found, expected = oe.evaluate(truth, proba=proba, **same, missing="wrong"), oe.evaluate(truth, proba=hand, **same)
    same_scores(found, expected)
    assert math.isinf(found["log_loss"].value)
    assert found.counts.unanswered.tolist() == [10, 0, 0]
    assert (
        "log_loss is infinite: a row without a forecast counts as one that was sure of the class most steps away"
        in found.notes[0]
    )
    named = oe.evaluate(truth, proba=proba, **same, missing={"as": 1})
    sure = proba.copy()
    sure[::8] = [0, 1, 0]
    same_scores(named, oe.evaluate(truth, proba=sure, **same))


def test_a_forecast_of_which_a_part_is_there_is_refused():
    proba = np.full((4, 2), 0.5)
    proba[2, 0] = math.nan
    with pytest.raises(ValueError, match="row 2 holds nan"):
        oe.evaluate([0, 1, 0, 1], proba=proba, labels=range(2), missing="wrong")


def test_groups_are_compared_with_their_blanks():
    truth, models, _, site = rows(8)
    counts = oe.count(truth, models["one"], labels=range(K), by={"site": site}, missing="wrong")
    hand = by_hand(truth, models["one"], oe.get_metric("mae").worst_classes(counts))
    found, expected = (
        oe.infer.compare_groups(c, "site", "mae", n_resamples=400)
        for c in (counts, oe.count(truth, hand, labels=range(K), by={"site": site}))
    )
    assert found.to_dict() == expected.to_dict()


def test_a_blank_is_on_the_wrong_side_of_every_cut():
    counts = oe.count([0, 1, 2, 3], [0, None, None, 3], labels=range(4), missing="wrong")
    cuts = oe.parts.cut_table(counts)
    assert [(c.true_positive, c.false_negative, c.false_positive, c.true_negative) for c in cuts] == [
        (1, 2, 0, 1),
        (1, 1, 1, 1),
        (1, 0, 2, 1),
    ]
