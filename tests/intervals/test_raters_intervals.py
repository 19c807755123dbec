"""Intervals of raters from the core: they hold their estimate, keep to the bounds, repeat themselves, and are refused with a reason."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import binom

import ordeval as oe
from ordeval.infer._item_space import SumSpace, with_alternatives
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._instrument import ESTIMATORS
from ordeval.raters._intervals import ItemEvidence
from ordeval.raters._sums import PARTS, RatedItems

NAMES = ["alpha_ordinal", "gwet_ac", "fleiss_kappa", "conger_kappa", "brennan_prediger", "pairwise_kappa", "kendall_w", "icc"]


def panel(seed, items=40, raters=3, k=3, noise=0.6, missing=0.0):
    rng = np.random.default_rng(seed)
    codes = np.clip(np.round(rng.normal(1, 1, items)[:, None] + noise * rng.normal(size=(items, raters))), 0, k - 1)
    codes[rng.random(codes.shape) < missing] = np.nan
    return oe.raters.ratings(codes[~np.isnan(codes).all(1)], labels=range(k))


@pytest.mark.parametrize(("raters", "missing", "noise"), [(2, 0.0, 0.6), (2, 0.2, 0.1), (4, 0.0, 0.05), (3, 0.3, 3.0)])
def test_an_interval_holds_its_estimate_and_keeps_to_the_bounds(raters, missing, noise):
    found = oe.raters.agreement(panel(1, 30, raters, 3, noise, missing), NAMES, n_resamples=400)
    given = {name: score for name, score in found.scores.items() if score.method != "none"}
    assert len(given) >= 6
    for name, score in given.items():
        low, high = COEFFICIENTS[name].bounds
        assert low <= score.low <= score.value <= score.high <= high
        assert score.high - score.low > 1e-3
        assert score.method == "test inversion"


def test_the_same_seed_gives_the_same_ends_and_one_coefficient_does_not_change_another():
    counts = panel(2, missing=0.1)
    both = oe.raters.agreement(counts, ["alpha_ordinal", "gwet_ac"], n_resamples=400, rng=5).scores
    alone = oe.raters.agreement(counts, ["gwet_ac"], n_resamples=400, rng=5).scores
    other = oe.raters.agreement(counts, ["gwet_ac"], n_resamples=400, rng=6).scores
    assert both["gwet_ac"] == alone["gwet_ac"]
    assert alone["gwet_ac"] != other["gwet_ac"]


def test_two_raters_have_the_interval_of_their_table():
    """Scott's pi of two raters is a score of the K × K table, where the core for tables serves it."""
    counts = panel(3, 60, 2)
    table = oe.Counts.from_matrix(counts.table(*counts.axes), labels=[0, 1, 2])
    by_items = oe.raters.agreement(counts, ["fleiss_kappa"], n_resamples=8_000).scores["fleiss_kappa"]
    by_table = oe.evaluate(table, metrics=["scott_pi(weights='quadratic')"], n_resamples=8_000).scores["scott_pi"]
    assert by_items.value == pytest.approx(by_table.value, abs=1e-12)
    width = by_table.high - by_table.low
    assert by_items.low == pytest.approx(by_table.low, abs=0.03 * width)
    assert by_items.high == pytest.approx(by_table.high, abs=0.03 * width)


def test_ten_times_the_items_narrow_the_interval():
    few = panel(4, 40)
    many = oe.raters.ratings(np.repeat(few.cells, 10 * few.weights.astype(int), 0), labels=range(3))
    narrow, wide = (oe.raters.agreement(c, ["alpha_ordinal"], n_resamples=400).scores["alpha_ordinal"] for c in (many, few))
    assert 2.5 < (wide.high - wide.low) / (narrow.high - narrow.low) < 4


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_a_coefficient_is_made_from_the_sums_that_it_names(name):
    units = RatedItems.of(panel(5, missing=0.1))
    record = COEFFICIENTS[name]
    kernel = record.bind("quadratic", None, units.K)
    assert set(record.sums) <= set(PARTS)
    part = np.asarray(units.adds_to(record.sums).T @ units.number)[None]
    assert kernel(units.sums(part, only=record.sums)) == pytest.approx(kernel(units.sums(units.whole)))


@pytest.mark.parametrize("name", NAMES)
def test_the_slope_of_a_pattern_is_what_one_more_item_changes(name):
    """The chain rule over sums against central differences, pattern by pattern."""
    units = RatedItems.of(panel(6, missing=0.1))
    cells, seen, added = with_alternatives(units.codes, units.number, units.K, 1.0)
    smoothed = RatedItems(cells, seen, units.K)
    kernel = COEFFICIENTS[name].bind("quadratic", None, units.K)
    space = SumSpace(lambda stack: kernel(smoothed.sums(stack)), smoothed.adds, seen, added)
    weights = space.number + space.pseudo
    ways = [weights + sign * 1e-4 * np.eye(len(weights)) for sign in (1, -1)]
    up, down = (np.array([space.value(one) for one in way]) for way in ways)
    assert space.slope(weights) == pytest.approx((up - down) / 2e-4, rel=1e-3, abs=1e-6)


def test_smoothing_adds_one_item_and_leaves_gaps_gaps():
    codes, number = np.array([[0, 0, 0], [0, 1, -1], [1, 1, 1]]), np.array([5, 3, 2])
    cells, seen, added = with_alternatives(codes, number, 2, 1.0)
    assert seen.sum() == 10
    assert added.sum() == pytest.approx(1)
    gap = (cells < 0).any(1)
    assert (cells[gap, 2] == -1).all()
    assert (cells[gap, :2] >= 0).all()
    alike = np.array([len({*row} - {-1}) == 1 for row in cells.tolist()])
    assert added[alike].sum() > 0.5  # a half to items on which all are agreed; the rest is one rating moved


@pytest.mark.parametrize("k", [2, 3, 5])
def test_two_raters_without_gaps_are_smoothed_evenly_over_their_table(k):
    codes, number = np.random.default_rng(k).integers(0, k, (9, 2)), np.arange(1, 10)
    cells, seen, added = with_alternatives(codes, number, k, 1.5)
    assert cells.tolist() == [[i, j] for i in range(k) for j in range(k)]
    assert seen.tolist() == [number[(codes == cell).all(1)].sum() for cell in cells]
    assert added == pytest.approx(np.full(k * k, 1.5 / (k * k)))


def test_simulated_items_have_the_shares_they_are_drawn_from():
    units = RatedItems.of(panel(7, 60, 3, 4, missing=0.2))
    cells, seen, added = with_alternatives(units.codes, units.number, units.K, 1.0)
    smoothed = RatedItems(cells, seen, units.K)
    space = SumSpace(lambda stack: stack[:, 0], smoothed.adds_to(("coincidences",)), seen, added)
    drawn = space._drawn(space.start, 20_000, np.random.default_rng(1))
    expected = space.sums(space.expected(space.start))
    error = drawn.std(0) / math.sqrt(len(drawn))
    assert (np.abs(drawn.mean(0) - expected) < 5 * error + 1e-9).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_hundreds_of_items_are_simulated_however_evenly_they_lie(sign):
    """A power of a share has the tail of the binomial; the normal approximation would give half as much or twice."""
    space = SumSpace(lambda sums: (sums[:, 0] / sums.sum(1)) ** 4, csr_matrix(np.eye(2)), np.array([200, 200]), np.zeros(2))
    exact = binom.cdf(176, 400, 0.5) - binom.pmf(176, 400, 0.5) / 2
    found = space.tail(space.start, ((200 - 24 * sign) / 400) ** 4, sign, 40_000, np.random.default_rng(3))
    assert found == pytest.approx(exact, abs=5 * math.sqrt(exact / 40_000))


def test_a_near_perfect_rater_still_has_a_bias_interval():
    same = [0, 1, 2] * 10
    bias = oe.raters.agreement(oe.raters.ratings({"a": same, "b": same, "c": same}), ["gwet_ac"]).raters["a"].bias
    assert bias.value == 0
    assert -1 < bias.low < 0 < bias.high < 1


def test_few_items_are_refused_with_the_same_sentence_everywhere():
    counts = panel(8, 14)
    sentence = "; 15 are enough"
    agreement = oe.raters.agreement(counts)
    judged = oe.raters.judge_panel(counts, "rater 1")
    corrected = oe.raters.corrected_grades(counts, person="rater 1", judge="rater 2")
    scores = [*agreement.scores.values(), agreement.raters["rater 1"].bias, judged.difference, judged.prmse, corrected.mean]
    assert {score.method for score in scores} == {"none"}
    assert all(score.reason.startswith("14 ") and score.reason.endswith(sentence) for score in scores)
    given = oe.raters.agreement(panel(8, 15), n_resamples=400)
    assert {score.method for score in given.scores.values()} == {"test inversion"}


def test_each_method_has_its_own_number_of_samples():
    counts = panel(9)
    numbers = {m: oe.raters.agreement(counts, ["gwet_ac"], method=m).settings["n_resamples"] for m in ("auto", "percentile")}
    assert numbers == {"auto": 2_000, "percentile": 9_999}


def test_mostly_undefined_samples_get_no_interval():
    """Two of three simulated samples are made to have no score."""
    codes = np.zeros((40, 2))
    codes[0, 0] = 1
    units = RatedItems.of(oe.raters.ratings(codes, labels=[0, 1]))
    record = COEFFICIENTS["pairwise_kappa"]

    def mostly_undefined(sums):
        found = record.bind("quadratic", None, 2)(sums)
        return np.where(np.arange(len(found)) % 3 > 0, np.nan, found)

    found = ItemEvidence(units, [mostly_undefined], [record], 400, 0).auto(0, 0.95)
    assert found.reason == "in most samples like this one the score has no value"


def test_all_rows_of_people_stand_for_a_grade_on_which_there_are_none_in_every_table_of_a_stack():
    """In the first table nobody graded a row that the judge gave a 2, in the second nobody one that it left unanswered."""
    both = np.array([[[3, 0, 1], [2, 0, 4]], [[3, 5, 0], [2, 1, 0]]])
    alone = np.array([[4, 6, 0], [1, 2, 6]])
    rows, first, second = 20, Fraction(4, 10), Fraction(8, 11)  # people's share of the lower class
    low = [
        (Fraction(3, 5) * 9 + first * 6 + Fraction(1, 5) * 5) / rows,
        (Fraction(3, 5) * 6 + Fraction(5, 6) * 8 + second * 6) / rows,
    ]
    expected = [[float(share), float(1 - share)] for share in low]
    assert ESTIMATORS["poststratified"](both, alone) == pytest.approx(np.array(expected), abs=1e-15)


def test_corrected_grades_hold_their_estimate():
    rng = np.random.default_rng(3)
    person = rng.integers(1, 4, 20)
    judge = np.clip(person + rng.integers(0, 2, 20), 1, 3)
    columns = {"p": [*person.tolist(), *[None] * 100], "j": [*judge.tolist(), *rng.integers(1, 4, 100).tolist()]}
    for estimator in ("poststratified", "difference", "inverse"):
        found = oe.raters.corrected_grades(
            oe.raters.ratings(columns, labels=[1, 2, 3]), person="p", judge="j", estimator=estimator, n_resamples=400
        )
        for score, ends in ((found.mean, (1, 3)), *((share, (0, 1)) for share in found.shares.values())):
            assert score.low <= score.value <= score.high
            assert score.method == "test inversion"
            assert min(ends[0], score.value) <= score.low < score.high <= max(ends[1], score.value)
