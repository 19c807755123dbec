"""The coverage study and its adversary: do they count rightly, and do they catch intervals that do not hold?"""

import json

import coverage_study
import numpy as np
import pytest
from coverage_measure import Cell, measure
from coverage_populations import MODES, Population, from_dict, intervals, neighbour, random_population, truths
from coverage_tuned import POPULATIONS, tuned_population

import ordeval as oe
from battery import intervals as adversary
from ordeval.base.errors import ArgumentError

SEED = 20
COIN = Population("rows", "by hand", 50, np.array([[0.3, 0.1], [0.2, 0.4]]))


class TestPopulations:
    @pytest.mark.parametrize("mode", MODES)
    def test_a_seed_gives_the_same_population_and_it_survives_being_written_down(self, mode):
        for number in range(8):
            one, other = (random_population([SEED, number], mode) for _ in range(2))
            again = from_dict(json.loads(json.dumps(one.as_dict())))
            assert np.array_equal(one.table, other.table)
            assert one.table.sum() == pytest.approx(1)
            assert np.allclose(again.table, one.table, atol=1e-5)
            assert (again.rows, again.kind, sorted(again.extra)) == (one.rows, one.kind, sorted(one.extra))

    @pytest.mark.parametrize("mode", ["rows", "clusters", "mixed", "compare"])
    def test_data_sets_can_be_drawn_from_a_population_that_was_written_down(self, mode):
        for number in range(2):
            again = from_dict(json.loads(json.dumps(random_population([SEED, number], mode, 3).as_dict())))
            assert np.isfinite(intervals(again, ["accuracy"], np.random.default_rng(0), 0)[0, 1])

    def test_other_seeds_give_other_populations(self):
        assert len({random_population([SEED, number], "rows").table.tobytes() for number in range(30)}) == 30

    @pytest.mark.parametrize("mode", MODES)
    def test_a_neighbour_is_near(self, mode):
        start = random_population([SEED, 1], mode)
        near = neighbour(start, np.random.default_rng(0))
        assert near.mode == start.mode
        assert near.k == start.k
        assert not np.array_equal(near.table, start.table)

    def test_the_rarest_class_is_counted_in_rows(self):
        assert COIN.rarest == pytest.approx(20)
        assert tuned_population("N 500, K 3, one class 1 %").rarest == pytest.approx(5)

    def test_the_tuned_populations_are_all_there(self):
        assert len(POPULATIONS) == 14
        assert sum(rows[4] is not None for rows in POPULATIONS.values()) == 2


class TestTruths:
    def test_of_one_model(self):
        assert truths(COIN, ["accuracy", "bias"]) == {"accuracy": pytest.approx(0.7), "bias": pytest.approx(-0.1)}

    def test_of_a_difference_it_is_the_second_less_the_first(self):
        joint = np.zeros((2, 2, 2))
        joint[0, 0, 1], joint[1, 1, 1] = 0.25, 0.75  # the first is always right, the second never in class 0
        population = Population("compare", "by hand", 50, joint.sum(2), {"joint": joint})
        assert truths(population, ["accuracy"])["accuracy"] == pytest.approx(-0.25)
        assert intervals(population, ["accuracy"], np.random.default_rng(0), 0)[0, 1] < 0

    def test_of_groups_it_is_each_less_the_rest(self):
        tables = np.stack([np.diag([0.5, 0.5]), np.array([[0.25, 0.25], [0.25, 0.25]])])
        extra = {"tables": tables, "share": np.array([0.5, 0.5])}
        population = Population("groups", "by hand", 100, tables.mean(0), extra)
        assert truths(population, ["accuracy"])["accuracy"] == pytest.approx([0.5, -0.5])

    @pytest.mark.parametrize("metric", ["cem", "accuracy", "cohen_kappa", "mae"])
    def test_equal_models_are_equally_good(self, metric):
        kinds = set()
        for number in range(12):
            population = coverage_study.equal_models([SEED, number], 2, 50, metric)
            share = population.table.sum(1, keepdims=True)
            table = share * population.extra["second"]
            kinds.add(population.kind)
            values = [_value(metric, t) for t in (population.table, table)]
            assert values[0] == pytest.approx(values[1], abs=1e-6)
        assert kinds == {"alike", "different"}


def _value(metric, table):
    whole = np.round(table * 10**9).astype(np.int64)
    return float(oe.get_metric(metric)(oe.Counts.from_matrix(whole, labels=range(len(table)))))


class TestMeasure:
    """By intervals whose coverage is known."""

    @staticmethod
    def cell(ends, metric="accuracy"):
        def library(p, metrics, rng, seed, method):
            return np.array([ends(seed)], float)

        return measure(COIN, [metric], 100, [SEED], library=library)[0]

    def test_an_interval_above_the_truth_is_too_high_and_below_it_too_low(self):
        cell = self.cell(lambda i: (0.8, 0.85, 0.9) if i % 4 == 0 else (0.1, 0.2, 0.3) if i % 4 == 1 else (0.6, 0.7, 0.8))
        assert (cell.held, cell.too_high, cell.too_low, cell.sets) == (50, 25, 25, 100)
        assert cell.coverage == 0.5
        assert cell.short

    def test_a_refusal_does_not_count_against_coverage(self):
        cell = self.cell(lambda i: (np.nan, 0.7, np.nan) if i % 2 else (0.6, 0.7, 0.8))
        assert (cell.given, cell.coverage, cell.short) == (50, 1.0, False)

    def test_a_cell_with_few_intervals_is_not_judged(self):
        assert not self.cell(lambda i: (np.nan, 0.7, np.nan) if i % 10 else (0.8, 0.85, 0.9)).judged

    def test_of_intervals_that_hold_at_once_one_miss_is_a_miss(self):
        population = random_population([SEED, 0], "groups")
        truth = truths(population, ["accuracy"])["accuracy"]
        ends = np.stack([truth - 0.1, truth, truth + 0.1])
        ends[0, 0], ends[2, 0] = truth[0] + 0.05, truth[0] + 0.1  # the first group's misses
        cell = measure(population, ["accuracy"], 40, [SEED], library=lambda *_: ends[None])[0]
        assert (cell.held, cell.too_high) == (0, 40)

    def test_what_no_interval_may_do_is_named(self):
        assert self.cell(lambda i: (0.6, 0.5, 0.8)).faults == ["its own estimate is outside"]
        assert self.cell(lambda i: (0.6, 0.7, 1.1)).faults == ["an end is outside the bounds 0 to 1"]
        assert self.cell(lambda i: (0.6, 0.7, 0.8)).faults == []

    def test_an_error_on_good_rows_is_a_fault_and_a_refusal_is_none(self):
        def broken(*_):
            raise ZeroDivisionError("by zero")

        def refusing(*_):
            raise ArgumentError("too few rows", argument="y_true")

        cell, refused = (measure(COIN, ["accuracy"], 40, [SEED], library=library)[0] for library in (broken, refusing))
        assert cell.faults == ["raised ZeroDivisionError: by zero"]
        assert adversary.verdict(cell)
        assert (refused.faults, refused.given) == ([], 0)

    def test_the_floor_allows_for_two_errors(self):
        facts = ("accuracy", "rows", "by hand", 50, 2, 20.0, 0.7)
        assert not Cell(*facts, 100, 89, 11, 0, 0.1).short
        assert Cell(*facts, 1000, 890, 110, 0, 0.1).short


class TestAdversary:
    @pytest.mark.parametrize("name", list(adversary.PLANTED))
    def test_a_planted_interval_is_caught(self, name):
        assert adversary.caught(name, SEED)

    def test_a_good_interval_is_left_alone(self):
        assert adversary.spared(SEED, 30)

    def test_properties_hold_on_random_tables(self):
        assert [text for number in range(2) for text in adversary.properties((SEED, number))] == []

    def test_a_share_that_is_not_mid_p_is_noticed(self):
        score = oe.evaluate(oe.Counts.from_matrix([[46, 4], [4, 46]]), metrics=["accuracy"]).scores["accuracy"]
        wilson = oe.evaluate(oe.Counts.from_matrix([[46, 4], [4, 46]]), metrics=["accuracy"], method="wilson").scores["accuracy"]
        assert adversary._not_mid_p(92, 100, score) == []
        assert len(adversary._not_mid_p(92, 100, wilson)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["rows", "clusters", "compare", "forecasts", "sets"])
def test_auto_is_not_short_beyond_chance(mode):
    number, failures, _ = adversary.attack(mode, SEED, 0, adversary.SLICE_SETS)
    assert number
    assert failures == []


@pytest.mark.slow
def test_a_part_of_the_study_is_written_once_for_each_seed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(coverage_study, "RESULTS", tmp_path)
    for seed in (2, 1, 2):
        coverage_study.run("sets", seed, 0.05, 40)
    runs = json.loads((tmp_path / "sets.json").read_text(encoding="utf-8"))["runs"]
    assert [run["seed"] for run in runs] == [1, 2]
    assert all(run["rules"] == coverage_study.rules() and run["cells"] for run in runs)
    assert "first measured" in capsys.readouterr().out


class TestPromises:
    """What the page of promises says about intervals."""

    def test_an_interval_is_given_where_its_conditions_hold_and_otherwise_the_reason(self):
        def kappa(rows):
            table = np.array([[rows - 10, 2], [3, 5]])
            return oe.evaluate(oe.Counts.from_matrix(table), metrics=["cohen_kappa"], n_resamples=499).scores["cohen_kappa"]

        assert (kappa(14).method, kappa(14).reason.startswith("14 rows; 15 are enough")) == ("none", True)
        assert kappa(15).low < kappa(15).value < kappa(15).high

    def test_zero_is_outside_the_interval_exactly_where_p_is_below_the_level(self):
        rng = np.random.default_rng(7)  # the simulated samples of the end and of the p-value disagree here
        true = rng.integers(0, 3, 40)
        a, b = (np.where(rng.random(40) < right, true, rng.integers(0, 3, 40)) for right in (0.55, 0.8))
        found = oe.compare(true, {"a": a, "b": b}, labels=range(3), metrics=["accuracy"], n_resamples=400, rng=7)
        difference = found.differences["a", "b"]["accuracy"]
        assert (difference.p_value < 0.05) == (difference.low > 0 or difference.high < 0)

    def test_the_scores_that_do_not_decide_have_wider_intervals_that_hold_at_once(self):
        rng = np.random.default_rng(3)
        true = rng.integers(0, 3, 80)
        a, b = (np.where(rng.random(80) < right, true, rng.integers(0, 3, 80)) for right in (0.6, 0.8))
        metrics = ["accuracy", "cem", "bias", "cohen_kappa"]
        decides, *others = (
            oe.compare(true, {"a": a, "b": b}, labels=range(3), metrics=metrics, n_resamples=999).differences["a", "b"].values()
        )
        assert decides.band == (decides.low, decides.high)
        assert all(one.band[1] - one.band[0] > 1.05 * (one.high - one.low) for one in others)

    def test_uneven_weights_make_rows_count_for_fewer_even_where_all_are_right(self):
        true, uneven = np.arange(60) % 3, np.where(np.arange(60) < 6, 20.0, 1.0)
        even, weighted = (
            oe.evaluate(true, true, labels=range(3), sample_weight=w, metrics=["accuracy"]).scores["accuracy"]
            for w in (None, uneven)
        )
        assert weighted.low < even.low - 0.05
