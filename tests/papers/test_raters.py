"""Published numbers on agreement of raters, to their printed decimals; and second derivations row by row."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C; also the raw example of Gwet's irrCAC.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
).T
# Shrout & Fleiss (1979), Table 2 and Table 4.
SHROUT = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])


def value(table, name, k, weights="identity"):
    units = RatedItems.of(oe.raters.ratings(table, labels=range(1, k + 1)))
    return float(COEFFICIENTS[name].bind(weights, None, k)(units.sums(units.whole))[0])


@pytest.mark.parametrize(
    ("name", "printed"),
    [("alpha_nominal", 0.743), ("alpha_ordinal", 0.815), ("alpha_interval", 0.849), ("alpha_ratio", 0.797)],
)
def test_krippendorff_2011(name, printed):
    assert round(value(KRIPPENDORFF, name, 5), 3) == printed


@pytest.mark.parametrize(("name", "printed"), [("gwet_ac", 0.77544), ("fleiss_kappa", 0.76117)])
def test_gwets_example_of_four_raters(name, printed):
    """As printed with the irrCAC program (Gwet 2014) for the same ratings."""
    assert round(value(KRIPPENDORFF, name, 5), 5) == printed


def test_shrout_and_fleiss_1979():
    assert round(value(SHROUT, "icc", 10), 2) == 0.29
    assert round(value(SHROUT, "icc_mean", 10), 2) == 0.62


def test_stuart_1955():
    """Unaided distance vision of 7,477 women: chi-square 11.96 with 3 degrees of freedom."""
    table = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    found = oe.raters.marginal_homogeneity(oe.Counts.from_matrix(table))["true", "pred"]
    assert (round(found.stuart_maxwell, 2), found.degrees) == (11.96, 3)
    assert (round(found.bowker, 2), found.bowker_degrees) == (19.11, 6)


def ratings_with_gaps(seed, items=40, raters=4, k=5):
    rng = np.random.default_rng(seed)
    table = np.clip(np.round(rng.normal(3, 1, (items, 1)) + rng.normal(0, 0.8, (items, raters))), 1, k)
    table[rng.random(table.shape) < 0.25] = np.nan
    return table


def test_severity_is_the_least_squares_fit():
    """grade = item + rater by a design matrix, one row for each rating."""
    table = ratings_with_gaps(1)
    found = oe.raters.agreement(oe.raters.ratings(table, labels=range(1, 6)), ["alpha_ordinal"])
    item, rater = np.nonzero(~np.isnan(table))
    design = np.zeros((len(item), table.shape[0] + table.shape[1]))
    design[np.arange(len(item)), item] = 1
    design[np.arange(len(item)), table.shape[0] + rater] = 1
    fit = np.linalg.lstsq(design, table[item, rater], rcond=None)[0][table.shape[0] :]
    ours = [r.severity.value for r in found.raters.values()]
    assert ours == pytest.approx(fit - fit.mean(), abs=1e-10)


@pytest.mark.parametrize("asked", [{}, {"weights": "linear"}, {"power": 1.0}, {"power": 3.5}], ids=str)
def test_pairs_and_the_kappa_of_a_rater_are_those_of_the_columns_that_two_share(asked):
    """With the costs that the coefficients have, whether by a word or a power."""
    found = oe.raters.agreement(oe.raters.ratings(KRIPPENDORFF, labels=range(1, 6)), ["conger_kappa"], n_resamples=400, **asked)
    expected = np.full((4, 4), np.nan)
    for a, b in zip(*np.triu_indices(4, 1), strict=True):
        both = ~np.isnan(KRIPPENDORFF[:, [a, b]]).any(1)
        columns = KRIPPENDORFF[both][:, [a, b]].astype(int).T
        expected[a, b] = expected[b, a] = oe.cohen_kappa(*columns, labels=range(1, 6), **asked)
    apart = ~np.eye(4, dtype=bool)
    assert found.pairs[apart] == pytest.approx(expected[apart], abs=1e-12)
    assert [rater.kappa for rater in found.raters.values()] == pytest.approx(np.nanmean(expected, 1), abs=1e-12)


def test_bias_and_leaving_a_rater_out():
    table = ratings_with_gaps(2)
    counts = oe.raters.ratings(table, labels=range(1, 6))
    found = oe.raters.agreement(counts, ["gwet_ac"])
    for g, rater in enumerate(found.raters.values()):
        others = np.delete(table, g, 1)
        both = ~np.isnan(table[:, g]) & ~np.isnan(others).all(1)
        assert rater.bias.value == pytest.approx(np.mean(table[both, g] - np.nanmean(others[both], axis=1)))
        fewer = oe.raters.agreement(oe.raters.ratings(others, labels=range(1, 6)), ["gwet_ac"])
        assert rater.without == pytest.approx(fewer.scores["gwet_ac"].value)
        assert rater.ratings + rater.missing == len(table)


def test_the_jackknife_leaves_out_every_item_in_turn():
    table = ratings_with_gaps(3)
    labels = range(1, 6)
    found = oe.raters.agreement(oe.raters.ratings(table, labels=labels), ["alpha_ordinal"], method="jackknife").scores[
        "alpha_ordinal"
    ]
    rated = table[~np.isnan(table).all(1)]
    left = [value(np.delete(rated, i, 0), "alpha_ordinal", 5) for i in range(len(rated))]
    n = len(rated)
    error = np.sqrt((n - 1) / n * ((left - np.mean(left)) ** 2).sum())
    from scipy.stats import t

    assert found.high - found.value == pytest.approx(t.ppf(0.975, n - 1) * error, rel=1e-9)


def test_sums_with_raters_are_those_of_a_table_without_them():
    """Each rater once is the plain sum; a rater not drawn is a rater not there."""
    table = ratings_with_gaps(4)
    units = RatedItems.of(oe.raters.ratings(table, labels=range(1, 6)))
    fewer = units.without(1)
    times = np.array([[1.0, 1, 1, 1], [1, 0, 1, 1]])
    mixed = units.with_raters(np.stack([units.number, units.number]), times)
    for kernel in (COEFFICIENTS[n].bind("linear", None, 5) for n in ("alpha_ordinal", "gwet_ac", "fleiss_kappa", "conger_kappa")):
        both = kernel(mixed)
        assert both[0] == pytest.approx(float(kernel(units.sums(units.whole))[0]))
        assert both[1] == pytest.approx(float(kernel(fewer.sums(fewer.whole))[0]))


def test_prmse_by_hand():
    """The formulas of Loukina et al. (2020), item by item."""
    rng = np.random.default_rng(5)
    table = ratings_with_gaps(5, items=60, raters=3)
    judge = np.clip(np.round(np.nanmean(np.where(np.isnan(table), 3, table), 1) + rng.normal(0, 0.5, 60)), 1, 5)
    counts = oe.raters.ratings({"a": table[:, 0], "b": table[:, 1], "c": table[:, 2], "j": judge}, labels=range(1, 6))
    found = oe.raters.judge_panel(counts, "j").prmse.value
    kept = ~np.isnan(table).all(1)
    human, machine = table[kept], judge[kept]
    number, mean = (~np.isnan(human)).sum(1), np.nanmean(human, 1)
    several = number > 1
    noise = np.average(np.nanvar(human[several], 1, ddof=1), weights=number[several] - 1)
    spread = (number * (mean - np.nanmean(human)) ** 2).sum() - (len(mean) - 1) * noise
    spread /= number.sum() - (number**2).sum() / number.sum()
    error = ((number * (mean - machine) ** 2).sum() - len(mean) * noise) / number.sum()
    assert found == pytest.approx(1 - error / spread)


def test_alternative_annotators_item_by_item():
    """Calderon et al. (2025), written for one item at a time, with scipy's t-test."""
    from scipy.stats import ttest_1samp

    table = ratings_with_gaps(6, items=90, raters=3)
    rng = np.random.default_rng(6)
    judge = np.clip(np.round(np.nanmean(np.where(np.isnan(table), 3, table), 1) + rng.normal(0, 0.7, 90)), 1, 5)
    counts = oe.raters.ratings({"a": table[:, 0], "b": table[:, 1], "c": table[:, 2], "j": judge}, labels=range(1, 6))
    found = oe.raters.annotator_test(counts, "j", epsilon=0.1)
    for g, rater in enumerate("abc"):
        wins, losses = [], []
        for i in range(90):
            others = [table[i, h] for h in range(3) if h != g and not np.isnan(table[i, h])]
            if np.isnan(table[i, g]) or not others:
                continue
            far = [np.sqrt(np.mean([(answer - o) ** 2 for o in others])) for answer in (judge[i], table[i, g])]
            wins.append(far[0] <= far[1] + 1e-12)
            losses.append(far[1] <= far[0] + 1e-12)
        part = found.against[rater]
        assert (part.items, part.judge, part.human) == (len(wins), pytest.approx(np.mean(wins)), pytest.approx(np.mean(losses)))
        difference = np.array(losses, float) - np.array(wins, float)
        assert part.p_value == pytest.approx(ttest_1samp(difference, 0.1, alternative="less").pvalue)


@pytest.mark.parametrize(
    ("judge", "epsilon", "p_value"),
    [
        ([1, 2, 3], 0.2, 0),  # always as close as the rater, who is to be better by 0.2
        ([1, 2, 3], 0, 1),  # and who is not to be better at all
        ([2, 3, 1], 0.2, 1),  # always further away
    ],
)
def test_what_is_the_same_on_every_item_is_certain(judge, epsilon, p_value):
    grades = {"ann": [1, 2, 3] * 10, "bob": [1, 2, 3] * 10, "gpt": judge * 10}
    found = oe.raters.annotator_test(oe.raters.ratings(grades), "gpt", epsilon=epsilon)
    assert [(part.human, part.p_value, part.wins) for part in found.against.values()] == [(1, p_value, p_value == 0)] * 2


def test_a_judge_like_the_raters_passes_and_one_that_guesses_does_not():
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, 90)
    grades = {name: np.clip(truth + rng.integers(-1, 2, 90), 1, 5) for name in ("ann", "bob", "gpt")}
    close = oe.raters.annotator_test(oe.raters.ratings(grades, labels=range(1, 6)), "gpt")
    far = oe.raters.annotator_test(oe.raters.ratings({**grades, "gpt": rng.permutation(truth)}, labels=range(1, 6)), "gpt")
    assert (close.passed, far.passed) == (True, False)
    assert str(close).startswith("gpt passes the alternative annotator test: it may take the place of ")
    assert str(far).startswith("gpt does not pass the alternative annotator test: it may take the place of 0% of 2 raters")


def test_a_panel_on_interval_classes_knows_their_lengths():
    scale = oe.Scale.from_edges([0, 10, 20, 40])
    grades = {"ann": [1, 12, 30] * 12, "bob": [1, 30, 30] * 12, "gpt": [5, 12, 12] * 12}
    panel = oe.raters.judge_panel(oe.raters.ratings(grades, labels=scale), "gpt", metric="interval_mae")
    for rater in ("ann", "bob"):
        assert panel.each[rater].value == pytest.approx(oe.interval_mae(grades[rater], grades["gpt"], labels=scale))


def test_panel_scores_are_those_of_two_columns():
    table = ratings_with_gaps(7, items=120, raters=3)
    judge = np.clip(np.round(np.nan_to_num(table[:, 0], nan=3) + np.random.default_rng(7).normal(0, 0.6, 120)), 1, 5)
    counts = oe.raters.ratings({"a": table[:, 0], "b": table[:, 1], "c": table[:, 2], "j": judge}, labels=range(1, 6))
    for metric in ("cohen_kappa", "amae"):
        found = oe.raters.judge_panel(counts, "j", metric=metric)
        score = oe.get_metric(metric)
        for g, rater in enumerate("abc"):
            both = ~np.isnan(table[:, g])
            assert found.each[rater].value == pytest.approx(score(table[both, g], judge[both], labels=range(1, 6)))
            alone = []
            for h in range(3):
                shared = both & ~np.isnan(table[:, h])
                alone += [score(table[shared, h], table[shared, g], labels=range(1, 6))] if h != g else []
            assert found.humans[rater].value == pytest.approx(np.mean(alone))
        median = [np.sort(row[~np.isnan(row)])[(np.sum(~np.isnan(row)) - 1) // 2] for row in table if not np.isnan(row).all()]
        rated = ~np.isnan(table).all(1)
        assert found.consensus["median"].score.value == pytest.approx(score(median, judge[rated], labels=range(1, 6)))


@pytest.mark.parametrize(("metric", "order"), [("cohen_kappa", "cabj"), ("amae", "bcaj")])
def test_the_best_and_the_worst_rater_are_found_by_their_scores(metric, order):
    rng = np.random.default_rng(8)
    truth = rng.integers(1, 6, 150)
    noise = {"a": 0.4, "b": 0.9, "c": 1.6, "j": 0.7}
    columns = {name: np.clip(np.round(truth + rng.normal(0, spread, 150)), 1, 5) for name, spread in noise.items()}
    counts = oe.raters.ratings({name: columns[name] for name in order}, labels=range(1, 6))
    found = oe.raters.judge_panel(counts, "j", metric=metric, n_resamples=400)
    assert found.against_best.value == pytest.approx(found.judge_mean.value - found.humans["a"].value)
    assert found.against_worst.value == pytest.approx(found.judge_mean.value - found.humans["c"].value)
    assert found.place == "within"


def test_an_item_that_one_person_alone_rated_says_nothing():
    table = ratings_with_gaps(9, items=60, raters=2)
    judge = np.clip(np.nan_to_num(table[:, 0], nan=3) + np.random.default_rng(9).integers(-1, 2, 60), 1, 5)
    alone = np.r_[np.full(30, 2.0), np.full(30, np.nan)]
    columns = {"a": table[:, 0], "b": table[:, 1], "j": judge}
    more = {"a": np.r_[columns["a"], alone], "b": np.r_[columns["b"], alone[::-1]], "j": np.r_[judge, np.full(60, np.nan)]}
    with_them, without = (
        oe.raters.judge_panel(oe.raters.ratings(part, labels=range(1, 6)), "j", n_resamples=400) for part in (more, columns)
    )
    assert with_them.judge_mean == without.judge_mean
    assert with_them.difference == without.difference
    assert with_them.consensus == without.consensus


def test_a_scale_of_falling_numbers_has_the_same_corrected_mean():
    person, judge = [3, 2, 1] * 20 + [None] * 60, [3, 2, 2] * 40
    rising, falling = (
        oe.raters.corrected_grades(oe.raters.ratings({"p": person, "j": judge}, labels=labels), person="p", judge="j").mean
        for labels in ([1, 2, 3], [3, 2, 1])
    )
    assert falling.low < falling.value < falling.high
    assert falling.value == pytest.approx(rising.value)
    assert (falling.low, falling.high) == pytest.approx((rising.low, rising.high), abs=0.03)  # other draws of the same rows


def test_corrected_shares_by_hand():
    """Among rows the judge gave 2 people said 1, 1, 2, 2; and so on, weighed by the judge's grades of all rows."""
    person = [1, 1, 2, 2, 3, 3, 1, 2] * 10 + [None] * 400
    judge = [1, 2, 2, 3, 3, 3, 2, 2] * 10 + [2] * 300 + [3] * 80 + [None] * 20
    found = oe.raters.corrected_grades(oe.raters.ratings({"p": person, "j": judge}, labels=[1, 2, 3]), person="p", judge="j")
    share = {1: 10 / 480, 2: (40 + 300) / 480, 3: (30 + 80) / 480, None: 20 / 480}
    given = {1: (1, 0, 0), 2: (0.5, 0.5, 0), 3: (0, 1 / 3, 2 / 3), None: (3 / 8, 3 / 8, 2 / 8)}
    expected = [sum(share[j] * given[j][c] for j in share) for c in range(3)]
    assert [score.value for score in found.shares.values()] == pytest.approx(expected)
    assert found.mean.value == pytest.approx(np.dot(expected, [1, 2, 3]))
    assert found.rows == {"people": 80, "judge alone": 400, "unanswered": 20}
    assert found.naive_mean.value == pytest.approx((10 + 2 * 340 + 3 * 110) / 460)
