"""Self-consistency, effective judges and drift: small cases against a second derivation, invariances, and what cannot be said."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.raters import effective_judges, judge_drift, ratings, read_judge_log, self_consistency
from ordeval.raters._alternative import _false_discoveries
from ordeval.raters._consistency import equal_pairs, same_again, wilson
from ordeval.raters._drift import class_counts, energy, permuted
from ordeval.raters._independence import jackknifed_worth
from ordeval.raters._validation_result import JudgeFindings


def judge_log(grid, people=(), labels=range(1, 6), start=0):
    """A log of one judge from (items, runs) grades, 0 where it gave none, −1 where nobody asked; a column for each person."""
    grid = np.asarray(grid)
    rows = [
        (f"i{start + i}", "gpt", run, str(g) if g else "?")
        for i, given in enumerate(grid)
        for run, g in enumerate(given)
        if g >= 0
    ]
    rows += [(f"i{start + i}", f"p{p}", 0, str(g)) for p, column in enumerate(people) for i, g in enumerate(column)]
    frame = pd.DataFrame(rows, columns=["item", "who", "run", "grade"])
    return read_judge_log(frame, item="item", rater="who", grade="grade", repeats="run", judges=["gpt"], labels=labels)


# Self-consistency


@pytest.mark.parametrize("seed", range(5))
def test_equal_pairs_are_those_that_one_can_count(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 4, (40, 5))
    codes[:, 3:] = np.where(rng.random((40, 2)) < 0.5, -2, codes[:, 3:])
    shares, pairs = equal_pairs(codes, 4)
    for row, share, many in zip(codes.tolist(), shares, pairs, strict=True):
        both = list(combinations([c for c in row if c > -2], 2))
        assert share == pytest.approx(float(Fraction(sum(a == b for a, b in both), len(both))), abs=1e-15)
        assert many == len(both)


def test_ends_of_wilson_are_where_the_test_of_the_share_just_holds():
    for share, rows in ((0.0, 20.0), (0.3, 17.5), (0.92, 40.0), (1.0, 100.0)):
        for end in wilson(share, rows, 0.95):
            if 0 < end < 1:
                assert (share - end) ** 2 * rows == pytest.approx(1.959963984540054**2 * end * (1 - end), rel=1e-9)


def test_effective_items_are_neither_fewer_nor_more_than_they_may_be():
    steady = np.zeros((50, 3), int)
    assert same_again(steady, 3, 0.95).effective_rows == 50
    assert same_again(steady, 3, 0.95).high == 1
    alike = np.tile([[0, 0, 1]], (50, 1))  # every item has the same share: no variance, so items count once
    assert same_again(alike, 3, 0.95).value == pytest.approx(1 / 3)
    assert same_again(alike, 3, 0.95).effective_rows == 50
    nearly = np.vstack([alike, [[0, 0, 0]]])  # hardly any variance: at most all pairs
    assert same_again(nearly, 3, 0.95).effective_rows == 51 * 3


def test_self_consistency_of_a_log():
    rng = np.random.default_rng(3)
    grid = np.clip(rng.integers(1, 6, (80, 1)) + rng.integers(-1, 2, (80, 3)) * (rng.random((80, 3)) < 0.3), 1, 5)
    found = self_consistency(judge_log(grid))
    expected = np.mean([np.mean([row[a] == row[b] for a, b in permutations(range(3), 2)]) for row in grid])
    assert found.same_again.value == pytest.approx(expected, abs=1e-15)
    alpha = oe.raters.agreement(ratings({str(i): grid[:, i] for i in range(3)}, labels=range(1, 6)), ["alpha_ordinal"])
    assert found.alpha.value == alpha.scores["alpha_ordinal"].value
    assert found.ceiling == math.sqrt(found.alpha.value)
    unanswered = grid.copy()
    unanswered[:10, 0] = 0
    assert self_consistency(judge_log(unanswered)).same_again.value < found.same_again.value


def test_one_run_says_nothing_and_says_why():
    found = self_consistency(judge_log([[1], [2], [3]]))
    assert math.isnan(found.same_again.value)
    assert "no item was graded twice" in found.sentence
    few = self_consistency(judge_log([[1, 1], [2, 3], [3, 3]]))
    assert few.same_again.value == pytest.approx(2 / 3)
    assert "15 are enough" in few.same_again.reason


@pytest.mark.parametrize(
    ("grid", "items", "runs", "said"),
    [
        ([[1, 2, 3], [2, 2, -1], [3, -1, -1], [-1, -1, -1]], 2, (2, 3), "2 items with 2 to 3 runs"),
        ([[1, 2, -1], [2, 0, -1], [3, -1, -1]], 2, (2, 2), "2 items with 2 runs"),
        ([[1, 1, 1], [-1, -1, -1]], 1, (3, 3), "1 item with 3 runs"),
    ],
)
def test_runs_are_those_of_the_items_that_were_graded_twice(grid, items, runs, said):
    found = self_consistency(judge_log(grid, [[1] * len(grid)]))
    assert (found.items, found.runs) == (items, runs)
    assert f"self-consistency of gpt: {said}" in str(found)


# Drift


def energy_by_hand(old, new):
    """From all pairs of runs, in fractions."""

    def mean(pairs):
        pairs = list(pairs)
        return Fraction(sum(abs(a - b) for a, b in pairs), len(pairs))

    return mean(product(old, new)) - (mean(permutations(old, 2)) + mean(permutations(new, 2))) / 2


@pytest.mark.parametrize("seed", range(5))
def test_energy_is_the_mean_over_all_pairs_of_runs(seed):
    rng = np.random.default_rng(seed)
    old, new = rng.integers(0, 5, (30, 4)), rng.integers(0, 5, (30, 2))
    found = energy(class_counts(old, 5), class_counts(new, 5))
    expected = [float(energy_by_hand(a, b)) for a, b in zip(old.tolist(), new.tolist(), strict=True)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_permutation_test_is_the_share_of_all_deals():
    old, new = [[0, 0], [1, 2], [3, 3], [0, 1]], [[1, 1], [2, 3], [3, 2], [1, 1]]
    observed = sum(energy_by_hand(a, b) for a, b in zip(old, new, strict=True))
    each = []
    for a, b in zip(old, new, strict=True):
        pool = a + b
        each.append(
            [energy_by_hand([pool[i] for i in c], [pool[i] for i in range(4) if i not in c]) for c in combinations(range(4), 2)]
        )
    reached = Fraction(sum(sum(deal) >= observed for deal in product(*each)), 6**4)
    assert 0.02 < reached < 0.6
    draws = 40_000
    p = permuted(class_counts(np.array(old), 4), class_counts(np.array(new), 4), draws, 1)
    error = math.sqrt(reached * (1 - reached) / draws)
    assert abs(p - float(reached)) < 4 * error + 1 / draws


def test_no_deal_is_further_apart_than_runs_that_never_overlap():
    old, new = np.tile([[3, 0, 0]], (20, 1)), np.tile([[0, 0, 3]], (20, 1))
    assert permuted(old, new, 999, 0) == pytest.approx(1 / 1000)


def test_drift_pairs_items_by_id_and_counts_the_others():
    rng = np.random.default_rng(5)
    grid = rng.integers(1, 6, (60, 2))
    old = judge_log(grid[:50])
    order = rng.permutation(60)[:55]
    frame = pd.DataFrame(judge_log(grid)._rows())
    shuffled = pd.concat([frame[frame.item == f"i{i}"] for i in order])
    new = read_judge_log(
        shuffled, item="item", rater="rater", grade="grade", repeats="repeat", judges=["gpt"], labels=range(1, 6)
    )
    found = judge_drift(new, old)
    shared = [i for i in order if i < 50]
    assert found.items == {"both": len(shared), "old": 50 - len(shared), "new": 55 - len(shared)}
    assert found.shift.value == 0  # paired by place it would not be
    assert found.drift.value == pytest.approx(
        np.mean([float(energy_by_hand(grid[i].tolist(), grid[i].tolist())) for i in shared])
    )
    assert found.p_value > 0.9


def test_drift_with_one_run_tests_the_shift_alone():
    grid = np.tile(np.arange(1, 5), 10)[:, None]
    found = judge_drift(judge_log(grid + (np.arange(40) % 4 == 0)[:, None]), judge_log(grid))
    assert math.isnan(found.drift.value)
    assert "two runs or more in both logs are needed" in found.sentence
    assert found.shift.value == 0.25
    assert found.table.sum() == 40


def test_the_table_of_drift_has_the_first_answers_of_the_items_that_both_logs_answer():
    old = judge_log([[2, 0], [1, 1], [0, 0], [2, 3]], labels=range(1, 4))
    new = judge_log([[0, 1], [0, 0], [3, 3], [2, 1]], labels=range(1, 4))
    found = judge_drift(new, old)
    assert found.items["both"] == 4
    assert found.table.tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 0]]


def test_drift_in_json_has_both_tests_of_the_table():
    """With two classes both are McNemar's: (12 - 4)² / (12 + 4) with one degree of freedom."""
    old, new = (np.repeat(classes, [10, 12, 4, 10])[:, None] for classes in ([1, 1, 2, 2], [1, 2, 1, 2]))
    tests = judge_drift(judge_log(new, labels=[1, 2]), judge_log(old, labels=[1, 2])).to_dict()["homogeneity"]
    assert [(row["test"], row["items"], row["degrees"]) for row in tests] == [("Stuart-Maxwell", 36, 1), ("Bowker", 36, 1)]
    assert [row["statistic"] for row in tests] == pytest.approx([4, 4])
    assert [row["p_value"] for row in tests] == pytest.approx([math.erfc(math.sqrt(2))] * 2)


def test_drift_has_no_tests_of_a_table_of_one_item():
    old, new = (judge_log(grid, labels=[1, 2]) for grid in ([[1], [0], [2]], [[1], [2], [0]]))
    found = judge_drift(new, old)
    assert found.table.tolist() == [[1, 0], [0, 0]]
    assert found.homogeneity is None
    assert found.to_dict()["homogeneity"] is None


def test_a_judge_that_gave_the_same_grades_again_has_not_shifted():
    grid = np.tile(np.arange(1, 6), 8)[:, None]
    found = judge_drift(judge_log(grid), judge_log(grid))
    assert (found.shift.low, found.shift.high) == (0, 0)
    assert found.changed is False
    assert found.sentence.startswith("gpt shows no shift since")


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_drift_against_people_is_a_comparison_of_the_runs_that_both_logs_have(seed, runs):
    rng = np.random.default_rng(seed)
    person, old, new = rng.integers(1, 4, 40), *rng.integers(-1, 4, (2, 40, runs))
    (old if seed else new)[:, 0] = person  # every item is in both logs
    logs = [judge_log(grid, [person], range(1, 4)) for grid in (new, old)]
    found = judge_drift(*logs, metrics=["mae"], n_resamples=400)
    runs_of = [zip(*(row[row >= 0].tolist() for row in both), strict=False) for both in zip(old, new, strict=True)]
    rows = [(truth, first or None, then or None) for truth, both in zip(person, runs_of, strict=True) for first, then in both]
    truths, olds, news = zip(*rows, strict=True)
    by_hand = oe.count(truths, {"old": olds, "new": news}, labels=range(1, 4), missing="unanswered")
    counts = found.comparison.counts
    assert counts.margin("true", "old", "new") == by_hand
    assert counts.cluster == (None if runs == 1 else "item")


def test_two_rows_are_compared_and_one_is_not():
    grid, person = np.array([[1], [2], [0], [0]]), [[1, 2, 3, 3]]
    assert judge_drift(judge_log(grid, person), judge_log(grid, person)).comparison.counts.total == 2
    grid[1] = 0
    assert judge_drift(judge_log(grid, person), judge_log(grid, person)).comparison is None


def test_logs_without_a_common_item_are_not_called_a_change_of_the_judge():
    grid, person = np.tile(np.arange(1, 6), 10)[:, None], [np.tile(np.arange(1, 6), 10)]
    found = judge_drift(judge_log(grid, person, start=100), judge_log(np.maximum(grid - 1, 1), person))
    assert "need not be a change of the judge" in found.sentence
    assert set(found.groups) == {"cem", "bias"}
    assert found.groups["bias"]["new"].raw.difference == pytest.approx(0.8)
    assert judge_drift(judge_log(grid, start=100), judge_log(grid)).groups == {}


def test_a_row_for_each_item_in_two_logs_without_a_common_item_is_a_plain_comparison_of_groups():
    person, old, new = np.random.default_rng(4).integers(1, 4, (3, 40))
    logs = [judge_log(grades[:, None], [person], range(1, 4), start) for grades, start in ((new, 100), (old, 0))]
    found = judge_drift(*logs, metrics=["bias"]).groups["bias"]
    rows = oe.count([*person, *person], [*old, *new], labels=range(1, 4), by={"log": [0] * 40 + [1] * 40})
    plain = oe.infer.compare_groups(rows, "log", "bias")
    assert [found["old"].raw, found["new"].raw] == [plain[0].raw, plain[1].raw]


def test_a_single_item_with_repeats_has_a_drift_without_an_interval():
    found = judge_drift(judge_log([[1, 4], [2, -1]]), judge_log([[1, 2], [2, -1]])).drift
    assert found.value == float(energy_by_hand([1, 2], [1, 4]))
    assert (math.isnan(found.low), found.reason) == (True, "1 item with two runs in both logs, and 100 are needed")


def test_unanswered_runs_are_a_share_of_those_that_were_asked():
    old, new = [[1, 0, 2], [2, -1, -1], [3, -1, -1]], [[1, 2, 0], [0, -1, -1], [0, 3, -1]]
    assert judge_drift(judge_log(new), judge_log(old)).unanswered == {"old": 1 / 5, "new": 3 / 6}


def test_shares_of_classes_are_those_of_the_answered_runs_of_each_log_whichever_items_both_have():
    old, new = [[1, 1], [2, 0], [3, -1], [3, 3]], [[3, 3], [1, 2], [1, 0]]  # the last two of the old are the first of the new
    found = judge_drift(judge_log(new, labels=[1, 2, 3], start=2), judge_log(old, labels=[1, 2, 3]))
    assert found.items == {"both": 2, "old": 2, "new": 1}
    assert {name: shares.tolist() for name, shares in found.shares.items()} == {
        "old": [2 / 6, 1 / 6, 3 / 6],
        "new": [2 / 5, 1 / 5, 2 / 5],
    }


def test_logs_of_different_classes_are_refused():
    with pytest.raises(oe.ArgumentError, match="different classes: 1 < 2 < 3 and 1 < 2; read both with the same labels"):
        judge_drift(judge_log([[1, 2]] * 20, labels=[1, 2, 3]), judge_log([[1, 2]] * 20, labels=[1, 2]))


# Effective judges


def panel(n, judges, *, people=2, shared=0.0, noise=0.6, seed=0, k=7):
    """Judges whose errors have a part in common, and people whose errors have none."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    common = math.sqrt(shared) * rng.normal(size=n)
    columns = {f"p{i}": truth + 0.5 * rng.normal(size=n) for i in range(people)}
    columns |= {f"j{i}": truth + noise * (common + math.sqrt(1 - shared) * rng.normal(size=n)) for i in range(judges)}
    return {name: np.clip(np.rint(column), 0, k - 1).astype(int) for name, column in columns.items()}


def effective(columns, k=7, **asked):
    counts = ratings(columns, labels=range(k))
    named = [[name for name in columns if name[0] == kind] for kind in "jp"]
    return effective_judges(counts, *named, **asked)


def by_hand(columns, number=Fraction):
    """The definition with loops, in fractions or, faster, in floating point."""
    n = len(next(iter(columns.values())))
    given = {name: [number(int(grade)) for grade in column] for name, column in columns.items()}
    away = {name: [grade - sum(column) / n for grade in column] for name, column in given.items()}

    def covariance(x, y):
        return sum(a * b for a, b in zip(x, y, strict=True))

    judges, people = ([column for name, column in away.items() if name[0] == kind] for kind in "jp")
    pairs = list(permutations(range(len(people)), 2))
    common = sum(covariance(people[a], people[b]) for a, b in pairs) / len(pairs)
    slopes = [sum(covariance(judge, person) for person in people) / len(people) for judge in judges]
    errors = [
        [covariance(x, y) - a * b / common for y, b in zip(judges, slopes, strict=True)]
        for x, a in zip(judges, slopes, strict=True)
    ]
    return len(judges) * sum(errors[i][i] for i in range(len(judges))) / sum(map(sum, errors))


def test_the_effective_number_is_its_definition_and_the_interval_the_jackknife():
    columns = panel(120, 3, shared=0.4, seed=1)
    found = effective(columns)
    assert found.value == pytest.approx(float(by_hand(columns)), rel=1e-12)
    rows = np.stack([columns[name] for name in ("j0", "j1", "j2", "p0", "p1")], 1)
    names = ("j0", "j1", "j2", "p0", "p1")
    logs = [math.log(by_hand({name: np.delete(rows[:, i], row) for i, name in enumerate(names)}, float)) for row in range(120)]
    se = math.sqrt(119 / 120 * sum((one - np.mean(logs)) ** 2 for one in logs))
    t = 1.9800998764
    assert (found.score.low, found.score.high) == pytest.approx(
        (found.value * math.exp(-t * se), found.value * math.exp(t * se)), rel=1e-8
    )


def test_rows_one_by_one_and_patterns_with_their_number_are_the_same():
    columns = panel(300, 3, shared=0.3, seed=2, k=3)
    rows = np.stack([columns[name] for name in ("j0", "j1", "j2", "p0", "p1")], 1).astype(float)
    one_by_one, _ = jackknifed_worth(rows, np.ones(300), 3, 0.95)
    found = effective(columns, 3).score
    assert (found.value, found.low, found.high) == pytest.approx((one_by_one.value, one_by_one.low, one_by_one.high), rel=1e-10)


@pytest.mark.parametrize("judges", [2, 3, 9])
def test_copies_of_one_judge_are_worth_one(judges):
    columns = panel(200, 1)
    columns |= {f"j{i}": columns["j0"] for i in range(1, judges)}
    found = effective(columns)
    assert found.value == pytest.approx(1, abs=1e-12)
    assert (found.score.low, found.score.high) == pytest.approx((1, 1), abs=1e-9)
    assert found.correlation == pytest.approx(1)


@pytest.mark.parametrize("judges", [2, 4, 8])
def test_independent_judges_are_worth_their_number_within_the_interval(judges):
    found = effective(panel(3_000, judges, seed=judges))
    assert found.score.low <= judges <= found.score.high
    assert found.score.high / found.score.low < 4
    shared = effective(panel(3_000, judges, shared=0.5, seed=judges))
    assert shared.score.high < found.value


def test_a_constant_and_a_reversed_scale_change_nothing():
    columns = panel(300, 3, shared=0.4, k=5)
    plain = effective(columns, 9)
    moved = effective(columns | {"j1": columns["j1"] + 3}, 9)
    turned = effective({name: 8 - column for name, column in columns.items()}, 9)
    for other in (moved, turned):
        assert (other.value, other.score.low, other.score.high) == pytest.approx((plain.value, plain.score.low, plain.score.high))
        assert other.pairs == pytest.approx(plain.pairs)


def test_one_person_gives_no_value_with_the_reason_and_a_lower_bound():
    found = effective(panel(500, 4, people=1))
    assert math.isnan(found.value)
    assert "a second person's grades are needed" in found.score.reason
    assert 1 < found.lower_bound < 4
    two = effective(panel(500, 4, people=2))
    assert found.lower_bound < two.score.high
    assert math.isnan(two.lower_bound)


def test_few_items_give_a_value_without_an_interval_and_gaps_are_counted():
    columns = panel(80, 3, shared=0.4)
    columns["p0"] = np.where(np.arange(80) < 20, np.nan, columns["p0"])
    found = effective(columns)
    assert (found.items, found.left_out) == (60, 20)
    assert "60 items graded by all, and 100 are needed" in found.score.reason
    assert not math.isnan(found.value)


def test_judges_without_errors_and_people_without_agreement_give_no_value():
    columns = panel(200, 2)
    perfect = effective(columns | {"p0": columns["j0"], "p1": columns["j0"], "j1": columns["j0"]})
    assert "too small to be told" in perfect.score.reason
    rng = np.random.default_rng(0)
    strangers = effective(
        {"p0": np.arange(200) % 7, "p1": 6 - np.arange(200) % 7, "j0": rng.integers(0, 7, 200), "j1": rng.integers(0, 7, 200)}
    )
    assert "are not positively correlated" in strangers.score.reason


def test_the_panel_is_compared_with_its_best_judge():
    columns = panel(400, 5, seed=3)
    found = effective(columns)
    best, median = found.panel.counts.models
    away = {
        name: np.abs(columns[name] - np.sort([columns["p0"], columns["p1"]], 0)[0]).sum() for name in columns if name[0] == "j"
    }
    assert best == min(away, key=away.get)
    assert median == "the panel's median"
    assert found.panel.evaluations[median].scores["cem"].value > found.panel.evaluations[best].scores["cem"].value


def test_the_best_judge_is_wrong_on_the_fewest_items_not_in_the_fewest_ways():
    """One is wrong on 20 items in one way, the other on three items in three ways."""
    truth = np.tile([1, 2, 3], 20)
    rare = truth.copy()
    rare[[1, 2, 4]] += [1, 1, 2]
    found = effective({"p0": truth, "p1": truth, "j0": truth + (truth == 1), "j1": rare})
    assert found.panel.counts.models == ("j1", "the panel's median")


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (0, "no item was graded by all judges and people"),
        (1, "only one item was graded by all judges and people"),
        (2, "the judges' errors are too small to be told from the people's"),
    ],
)
def test_with_few_items_it_is_said_why_there_is_no_number(items, said):
    """With two items the errors of all lie on one line, and that of the people is never the smaller."""
    columns = panel(50, 2, seed=3)
    columns["j0"] = [grade if row < items else None for row, grade in enumerate(columns["j0"])]
    found = effective(columns)
    assert found.items == items
    assert math.isnan(found.value)
    assert found.score.reason == said
    assert " ".join(str(found).split()).startswith(f"It cannot be said how many independent judges these 2 are worth: {said}.")


def test_who_is_asked_about_must_be_there():
    columns = panel(50, 2)
    for given, said in (
        ((["j0"], ["p0"]), "judges must be a list of 2 or more"),
        ((["j0", "jx"], ["p0"]), "there is no rater 'jx'"),
        ((["j0", "j1"], ["j0"]), "among both the judges and the people"),
    ):
        with pytest.raises(oe.ArgumentError, match=said):
            effective_judges(ratings(columns, labels=range(7)), *given)


def test_a_judge_that_grades_too_high_is_above_the_people_in_every_class():
    person = [1, 1, 2, 2, 3, 3] * 4
    frame = pd.DataFrame({"item": range(24), "anna": person, "judge": [grade + 1 for grade in person]})
    log = read_judge_log(frame, item="item", judges=["judge"], people=["anna"], labels=[1, 2, 3, 4, 5])
    rows = oe.raters.validate_judge(log, metrics=["bias"], n_resamples=400).judges["judge"].by_class()
    assert rows == [
        ["1", "8", "0", "+1.000"],
        ["2", "8", "0", "+1.000"],
        ["3", "8", "0", "+1.000"],
        ["4", "0", "0", "–"],
        ["5", "0", "0", "–"],
    ]


@pytest.mark.parametrize("level", [0.8, 0.9])
def test_a_validation_holds_its_parts_as_they_are_given_alone(level):
    person, old, new = (np.random.default_rng(4).integers(1, 6, (120, runs)) for runs in (1, 2, 2))
    now, before = (judge_log(grid, person.T) for grid in (new, old))
    asked = {"confidence_level": level, "n_resamples": 450, "rng": 3}
    found = oe.raters.validate_judge(now, metrics=["mae", "bias"], against=before, **asked)["gpt"]
    assert found.drift.to_json() == judge_drift(now, before, **asked).to_json()
    assert found.consistency.to_json() == self_consistency(now, **asked).to_json()
    assert found.evaluation.to_json() == oe.evaluate(now.against()["gpt"], metrics=["mae", "bias"], **asked).to_json()


def test_the_junit_of_several_judges_has_a_suite_for_each():
    person = [1, 2, 3] * 20
    frame = pd.DataFrame({"item": range(60), "anna": person, "right": person, "wrong": [2, 3, 3] * 20})
    log = read_judge_log(frame, item="item", judges=["right", "wrong"], people=["anna"], labels=[1, 2, 3])
    found = oe.raters.validate_judge(log, metrics=["accuracy"], n_resamples=400)
    suites = ElementTree.fromstring(found.to_junit(["accuracy >= 0.9", "rows >= 60"])).findall("testsuite")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in suites] == [
        ("right", "2", "0"),
        ("wrong", "2", "1"),
    ]
    cases = [(case.get("classname"), case.get("name")) for suite in suites for case in suite]
    assert cases == [(judge, rule) for judge in ("right", "wrong") for rule in ("accuracy >= 0.9", "rows >= 60")]


@pytest.mark.parametrize(("people", "named"), [(["anna"], "anna"), (["anna", "bob"], "people")])
def test_corrected_grades_are_those_of_the_one_person_or_of_people(people, named):
    person = [1, 1, 2, 2, 3, 3] * 10 + [None] * 10
    frame = pd.DataFrame({"item": range(70), **dict.fromkeys(people, person), "judge": [2, 3] * 35})
    log = read_judge_log(frame, item="item", judges=["judge"], people=people, labels=[1, 2, 3])
    assert oe.raters.validate_judge(log, metrics=["bias"], n_resamples=400)["judge"].corrected.person == named


@pytest.mark.parametrize(
    ("p_values", "rejected"),
    [
        ([0.012, 0.0125, 0.013], [True, True, True]),  # the second is below its limit of 0.0182, and takes the first along
        ([0.02, 0.5, 0.001], [False, False, True]),
        ([math.nan, 0.001, math.nan], [False, True, False]),
        ([0.5, 0.6], [False, False]),
    ],
)
def test_false_discoveries_step_up(p_values, rejected):
    assert _false_discoveries(np.array(p_values), 0.05).tolist() == rejected


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.1, 0.0, 0.2, "gpt shows no bias (+0.100 [+0.000, +0.200] classes)."),
        (-0.1, -0.2, 0.0, "gpt shows no bias (−0.100 [−0.200, +0.000] classes)."),
        (0.3, 0.1, 0.5, "gpt grades 0.300 [0.100, 0.500] classes too high."),
        (-0.3, -0.5, -0.1, "gpt grades 0.300 [0.100, 0.500] classes too low."),
    ],
)
def test_a_bias_is_one_where_its_interval_leaves_0_out(value, low, high, said):
    nothing = dict.fromkeys(("evaluation", "median", "panel", "corrected", "consistency", "drift"))
    findings = JudgeFindings(judge="gpt", bias=oe.Score(value, low, high, "auto"), lacking={}, **nothing)
    assert findings.words("people") == said
