"""Meta-evaluation against SciPy and against definitions written out pair by pair, case by case."""

import time
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from tables import random_tables, scale_of, value, variants

import ordeval as oe
from ordeval.choose._campaign import Campaign, CampaignRows, tables_of
from ordeval.choose._meta import (
    REFERENCE,
    coverage_of,
    improvement_ratio,
    meta_evaluate,
    mid_ranks,
    rank_correlation,
    robustness_of,
)
from ordeval.choose._synthetic import simulate
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY
from ordeval.metrics.core.stacks import score_stack

METRICS = ["accuracy", "mae", "amae", "macro_f1", "cem", "kendall_tau", "cohen_kappa"]


@pytest.fixture(scope="module")
def campaign():
    """Twelve systems on seven cases of four classes; one case lacks a class, one system answers one class throughout."""
    rng = np.random.default_rng(5)
    cases = {}
    for i in range(7):
        true = rng.choice(4 - (i == 2), 60)
        answers = {
            f"s{j}": np.where(rng.random(60) < 0.08 * j, rng.integers(0, 4, 60), np.clip(true + (j % 3 == 0) * (true > 1), 0, 3))
            for j in range(1, 12)
        }
        answers["constant"] = np.full(60, 1)
        cases[f"case {i}"] = oe.count(true, answers, labels=[0, 1, 2, 3])
    return cases


@pytest.fixture(scope="module")
def judged(campaign):
    return meta_evaluate(campaign, metrics=METRICS)


def by_hand(campaign, metric):
    found = oe.get_metric(metric)
    return np.array([[float(found.bind(c[s])(c[s].matrix)) for s in c.models] for c in campaign.values()])


def test_mid_ranks_are_those_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 6, (50, 17)) / 3
    assert (mid_ranks(values) + 1 == scipy.stats.rankdata(values, axis=-1)).all()
    rounded = values + rng.choice([0, 1e-15], values.shape)
    assert (mid_ranks(rounded) == mid_ranks(values)).all()


def test_rank_correlation_is_that_of_scipy():
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 9, (2, 30, 12))
    expected = [scipy.stats.spearmanr(a, b).statistic for a, b in zip(one, other, strict=True)]
    assert rank_correlation(one, other) == pytest.approx(expected, abs=1e-13)
    assert np.isnan(rank_correlation(np.ones(5), np.arange(5.0)))


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_a_stack_of_samples_scores_each_as_a_sample_of_its_own(metric):
    """Classes are present in some tables and absent in others, so no one binding serves all of them."""
    for k in (2, 4):
        tables = np.array([t for t in random_tables(240, seed=k, largest=3) if len(t) == k])
        assert len(tables) > 10
        scale = scale_of(metric, k)
        if metric.params.get("empty") == "raise":
            tables = tables[(tables.sum(-1) > 0).all(-1)]
        expected = [value(metric, table, scale) for table in tables]
        found = score_stack(metric, tables.reshape(1, -1, k, k), scale)
        assert found.shape == (1, len(tables))
        assert found[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_users_metric_may_settle_anything_on_its_sample():
    try:

        @oe.metric(
            kernel=lambda counts, most: counts.max((-2, -1)) / most,
            title="Largest cell",
            cite="",
            bounds=(0, 1),
            direction="higher",
            resolve=lambda counts: {"most": counts.matrix.sum(0).max()},
        )
        def largest_cell(y_true, y_pred=None, *, labels=None, sample_weight=None):
            """Largest cell as a share of the largest column."""

        stack = np.array([[[3, 1], [2, 1]], [[3, 1], [0, 3]], [[2, 2], [2, 1]]])  # the first and the last have the same truth
        found = score_stack(oe.get_metric("largest_cell"), stack, oe.Scale([0, 1]))
        assert found.tolist() == [3 / 5, 3 / 4, 2 / 4]
    finally:
        _REGISTRY.pop("largest_cell", None)
        _FOUND_BY.pop("largest_cell", None)


def test_a_users_kernel_that_gives_something_else_is_named():
    try:

        @oe.metric(kernel=lambda counts: [0.5], title="Wrong", cite="", bounds=(0, 1), direction="higher")
        def wrong_shape(y_true, y_pred=None, *, labels=None, sample_weight=None):
            """Not a score per table."""

        with pytest.raises(
            ValueError, match=r"the kernel of wrong_shape gives an array \(1,\) for 2 tables; it must give one score for each"
        ):
            score_stack(oe.get_metric("wrong_shape"), np.ones((2, 3, 3), int), oe.Scale([1, 2, 3]))
    finally:
        _REGISTRY.pop("wrong_shape", None)
        _FOUND_BY.pop("wrong_shape", None)


def test_an_empty_stack_has_no_scores():
    assert score_stack(oe.get_metric("amae"), np.zeros((0, 3, 3), int), oe.Scale([1, 2, 3])).shape == (0,)


def test_scores_of_a_campaign_are_those_of_its_counts(campaign, judged):
    for m, metric in enumerate(METRICS):
        assert judged.scores[m] == pytest.approx(by_hand(campaign, metric), abs=1e-13, nan_ok=True)


def test_improvement_ratio_by_its_definition(campaign, judged):
    scores = [by_hand(campaign, metric) for metric in REFERENCE]
    names = judged.campaign.systems
    for a, b in permutations(range(len(names)), 2):
        up = sum(all(s[t][a] >= s[t][b] - 1e-12 for s in scores) for t in range(7))
        down = sum(all(s[t][b] >= s[t][a] - 1e-12 for s in scores) for t in range(7))
        assert judged.improvement[a, b] == pytest.approx((up - down) / 7)
    assert np.abs(judged.improvement).max() > 0.5


def test_without_a_score_there_is_no_unanimity():
    good = np.array([[[1.0, np.nan, 0.0]]])
    assert improvement_ratio(good).tolist() == [[0, 0, 1], [0, 0, 0], [-1, 0, 0]]


def test_coverage_by_its_definition(campaign, judged):
    found = judged.coverage()
    for metric in METRICS:
        sign = -1 if oe.get_metric(metric).direction == "lower" else 1
        mean = sign * by_hand(campaign, metric).mean(0)
        known = [i for i in range(len(mean)) if not np.isnan(mean[i])]
        assert len(known) == (11 if metric == "kendall_tau" else 12)
        pairs = list(permutations(known, 2))
        differences = [round(mean[a] - mean[b], 12) for a, b in pairs]
        expected = scipy.stats.spearmanr(differences, [round(judged.improvement[p], 12) for p in pairs]).statistic
        assert found[metric] == pytest.approx(expected, abs=1e-12)


def test_coverage_of_some_systems_is_that_of_a_smaller_campaign(campaign, judged):
    few = [name for name in judged.campaign.systems if name not in ("s3", "s6", "constant")]
    smaller = meta_evaluate(Campaign.from_counts(campaign, systems=few), metrics=METRICS)
    assert judged.coverage(few) == pytest.approx(smaller.coverage(), abs=1e-13)
    with pytest.raises(ValueError, match="there is no system 's99' in the campaign"):
        judged.coverage(["s99"])


def test_robustness_by_its_definition(campaign, judged):
    for metric in METRICS:
        scores = by_hand(campaign, metric)
        scores = scores[:, ~np.isnan(scores).any(0)]
        pairs = combinations(scores.round(12), 2)
        expected = np.mean([scipy.stats.spearmanr(a, b).statistic for a, b in pairs])
        assert judged.robustness[metric] == pytest.approx(expected, abs=1e-12)
    assert np.isnan(robustness_of(np.array([[1.0, 2.0], [3.0, 3.0]])))  # one case ranks nobody


def test_agreement_is_kendalls_tau_of_the_means(campaign, judged):
    means = {m: by_hand(campaign, m).mean(0)[:11].round(12) for m in METRICS}  # without the constant system
    found = meta_evaluate(Campaign.from_counts(campaign, systems=[f"s{j}" for j in range(1, 12)]), metrics=METRICS).agreement
    for a, b in combinations(range(len(METRICS)), 2):
        sign = np.prod([-1 if oe.get_metric(METRICS[i]).direction == "lower" else 1 for i in (a, b)])
        expected = sign * scipy.stats.kendalltau(means[METRICS[a]], means[METRICS[b]]).statistic
        assert found.tau[a, b] == pytest.approx(expected, abs=1e-12)


def test_a_metric_is_left_undefined_where_it_is(judged):
    assert (judged["kendall_tau"].cases, judged["kendall_tau"].systems) == (7, 11)
    assert (judged["cem"].cases, judged["cem"].systems) == (7, 12)
    assert "kendall_tau is undefined for 1 system, which its line leaves out." in " ".join(str(judged).split())
    with pytest.raises(KeyError, match="'oci' was not judged"):
        judged["oci"]


def test_cases_without_any_score_are_left_out():
    truths = [[0, 0, 0, 0], [0, 1, 2, 2], [0, 1, 1, 2]]
    cases = {
        str(i): oe.count(t, {"a": t, "b": [0, 1, 2, 0], "c": [1, 1, 2, 0], "d": [2, 1, 0, 0]}, labels=[0, 1, 2])
        for i, t in enumerate(truths)
    }
    found = meta_evaluate(cases, metrics=["stc", "cem"])
    assert (found["stc"].cases, found["stc"].systems) == (2, 4)
    rest = meta_evaluate({key: cases[key] for key in "12"}, metrics=["stc"])
    assert found.robustness["stc"] == rest.robustness["stc"]
    assert found.mean[0] == pytest.approx(rest.mean[0])
    assert not np.isnan(found.by_cases([1 / 3])[1]["stc"])
    assert "stc is undefined for 1 test case, which its line leaves out." in " ".join(str(found).split())


def test_a_value_given_for_undefined_scores(campaign):
    found = meta_evaluate(campaign, metrics=["kendall_tau"], undefined={"kendall_tau": 1.0})
    assert found["kendall_tau"].systems == 12
    assert (found.scores[0][:, -1] == 1).all()


@pytest.mark.parametrize("undefined", [None, -1.0, 0.3, 1.0])
def test_sets_of_rows_agree_as_scipy_says_with_undefined_scores_counted_as_the_number_given(campaign, undefined):
    """The system with one answer throughout has no tau in any set of rows; without a number for it, it is left out."""
    given = None if undefined is None else {"kendall_tau": undefined}
    judged = meta_evaluate(campaign, metrics=["kendall_tau"], undefined=given)
    metric = oe.get_metric("kendall_tau")
    halves = judged.campaign.split(0.5, np.random.default_rng(4))
    one, other = (np.array([[value(metric, table) for table in case] for case in half]) for half in halves)
    assert np.isnan(one[:, -1]).all()
    assert not np.isnan(one[:, :-1] + other[:, :-1]).any()
    if undefined is None:
        one, other = one[:, :-1], other[:, :-1]
    else:
        one[:, -1] = other[:, -1] = undefined
    expected = np.mean([scipy.stats.spearmanr(a, b).statistic for a, b in zip(one.round(12), other.round(12), strict=True)])
    assert judged.by_rows([0.5], rng=4) == {0.5: {"kendall_tau": pytest.approx(expected, abs=1e-12)}}


def test_direction_does_not_matter(campaign):
    found = meta_evaluate(campaign, metrics=["accuracy", "mze"])
    assert found["accuracy"].coverage == pytest.approx(found["mze"].coverage)
    assert found["accuracy"].robustness == pytest.approx(found["mze"].robustness)


def test_a_metric_that_is_the_whole_reference_is_covered_by_its_own_signs():
    """With one test case the ratio is the sign of the difference."""
    good = np.array([1.0, 2.0, 4.0, 4.0])
    ratio = improvement_ratio(good[None, None])
    assert (ratio == np.sign(good[:, None] - good[None])).all()
    assert coverage_of(ratio.mean(1), ratio) == pytest.approx(coverage_of(good, ratio), abs=0.1)


def test_systems_that_are_the_same_are_not_told_apart():
    rng = np.random.default_rng(3)
    cases = {}
    for i in range(30):
        true = rng.integers(0, 3, 40)
        noisy = [np.where(rng.random(40) < 0.3, rng.integers(0, 3, 40), true) for _ in range(3)]
        cases[str(i)] = oe.count(true, {"a": noisy[0], "b": noisy[1], "c": noisy[2], "bad": (true + 1) % 3}, labels=[0, 1, 2])
    share = meta_evaluate(cases, metrics=["accuracy", "cem"]).told_apart()
    assert share == {"accuracy": 0.5, "cem": 0.5}  # only the three pairs with the bad one


def test_a_difference_that_holds_in_every_case_is_found_as_by_a_test_of_scipy():
    found = meta_evaluate(simulate(cases=30), metrics=["cem"])
    share = found.told_apart()["cem"]
    scores, systems = found.scores[0], found.campaign.systems
    p = [scipy.stats.ttest_rel(scores[:, a], scores[:, b]).pvalue for a, b in combinations(range(len(systems)), 2)]
    bonferroni = np.mean(np.array(p) < 0.05 / len(p))
    assert bonferroni - 0.03 < share < np.mean(np.array(p) < 0.05)


def test_fewer_rows_and_fewer_cases_agree_less():
    found = meta_evaluate(simulate(cases=16), metrics=["cem", "amae", "kendall_tau"])
    rows, cases = found.by_rows(), found.by_cases()
    assert list(cases) == [8, 4, 2]
    for metric in found.metrics:
        for by_size in (rows, cases):
            values = [by_size[size][metric] for size in by_size]
            assert values == sorted(values, reverse=True)
            assert 0.6 < values[-1] < values[0] < 1
    assert rows[1 / 8]["amae"] < rows[1 / 8]["cem"]


def test_halves_have_no_common_row(campaign):
    whole = Campaign.from_counts(campaign)
    one, other = whole.split(0.5, np.random.default_rng(0))
    assert (one + other == whole.tables).all()
    assert (one.sum((-2, -1)) == one.sum((-2, -1))[:, :1]).all()  # every system keeps the same rows
    one, other = whole.split(0.25, np.random.default_rng(0))
    assert (whole.tables - one - other >= 0).all()
    assert one.sum() / whole.tables.sum() == pytest.approx(0.25, abs=0.05)


def test_tables_of_rows():
    rows = CampaignRows(np.array([0, 1, 1]), np.array([0, 1, 1]), np.array([[0, 1], [1, 0], [1, 1]]), np.array([2, 3, 4]))
    tables = tables_of(rows, rows.number, 2, 2)
    assert tables[0, 0].tolist() == [[2, 0], [0, 0]]
    assert tables[0, 1].tolist() == [[0, 2], [0, 0]]
    assert tables[1, 0].tolist() == [[0, 0], [0, 7]]
    assert tables[1, 1].tolist() == [[0, 0], [3, 4]]


def test_counts_of_one_system_each_are_the_same_campaign(campaign, judged):
    alone = {case: {name: counts[name] for name in counts.models} for case, counts in campaign.items()}
    found = meta_evaluate(alone, metrics=METRICS)
    assert (found.campaign.tables == judged.campaign.tables).all()
    assert found.coverage() == judged.coverage()
    assert "The rows that the systems share are not known" in " ".join(str(found).split())
    with pytest.raises(ValueError, match="count them together"):
        found.by_rows()


@pytest.mark.parametrize("labels", [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2, 5], [3, 2, 1, 0]], ids=str)
@pytest.mark.parametrize("system", ["a", "b", "c"])
@pytest.mark.parametrize("case", ["east", "north", "west"])
def test_every_system_counted_alone_needs_the_same_classes(case, system, labels):
    truth, usual = [0, 1, 2, 2, 1], [0, 1, 2, 3]
    cases = {name: {one: oe.count(truth, truth, labels=usual) for one in "abc"} for name in ("east", "north", "west")}
    assert Campaign.from_counts(cases).tables.shape == (3, 3, 4, 4)
    cases[case][system] = oe.count(truth, truth, labels=labels)
    with pytest.raises(ValueError, match="different classes") as raised:
        Campaign.from_counts(cases)
    named = "systems of the test case 'east'" if case == "east" else f"the test cases 'east' and {case!r}"
    assert str(raised.value).startswith(f"{named} have different classes")
    for scale in (usual, labels):
        assert " < ".join(map(str, scale)) in str(raised.value)


def test_one_hundred_cases_fifty_systems_29_metrics_on_one_stack():
    started = time.process_time()
    found = meta_evaluate(simulate("literal"))
    found.coverage()
    assert len(found.metrics) == 29
    assert found.scores.shape == (29, 100, 50)
    assert time.process_time() - started < 10  # of CPU time, about half a second; loops over 145,000 tables would take minutes
