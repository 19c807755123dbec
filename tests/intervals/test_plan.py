"""How many rows: the promised half-width and power are met in samples of the planned size."""

import math

import numpy as np
import pytest
import scipy.stats
from tables import TABLE_4X4

import ordeval as oe
from ordeval.infer._evidence import Evidence
from ordeval.infer._plan import plan

PILOT = oe.Counts.from_matrix(TABLE_4X4)


def two_models(n=300, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    return oe.count(
        truth, {m: np.clip(truth + np.rint(rng.normal(0, e, n)).astype(int), 0, 3) for m, e in (("a", 0.6), ("b", 0.7))}
    )


class TestHalfWidth:
    def test_accuracy_by_the_textbook(self):
        found = plan(oe.Counts.from_matrix([[40, 10], [10, 40]]), "accuracy", half_width=0.05)
        textbook = math.ceil(scipy.stats.norm.ppf(0.975) ** 2 * 0.8 * 0.2 / 0.05**2)
        assert 1 <= found.needed / textbook < 1.15  # the textbook's samples are as narrow in half of the cases, these in 80 %
        assert plan(oe.Counts.from_matrix([[40, 10], [10, 40]]), "accuracy", half_width=0.05, assurance=0.5).needed < found.needed
        assert (found.unit, found.pilot, found.pilot_score) == ("rows", 100, 0.8)
        assert found.pilot_error == pytest.approx(0.04, rel=0.01)

    @pytest.mark.parametrize("metric", ["accuracy", "mae", "amae", "cohen_kappa", "kendall_tau", "cem"])
    def test_the_promise_is_kept(self, metric):
        """Samples of the planned size drawn from the pilot: four in five intervals have at most the half-width asked for."""
        found = plan(PILOT, metric, half_width=0.04)
        assert found.simulated <= 0.04
        rng = np.random.default_rng(3)
        share = np.array(TABLE_4X4) / np.sum(TABLE_4X4)
        halves = []
        for _ in range(100):
            sample = oe.Counts.from_matrix(rng.multinomial(found.needed, share.ravel()).reshape(4, 4))
            halves.append(1.959964 * Evidence(sample, [oe.get_metric(metric)], 999, 0).error[0])
        assert np.mean(np.array(halves) <= 0.04) >= 0.65

    def test_half_the_width_takes_four_times_the_rows(self):
        wide, narrow = (plan(PILOT, "mae", half_width=h).needed for h in (0.04, 0.02))
        assert narrow == pytest.approx(4 * wide, rel=0.1)

    def test_more_confidence_takes_more_rows(self):
        assert plan(PILOT, "mae", half_width=0.04, confidence_level=0.99).needed > plan(PILOT, "mae", half_width=0.04).needed

    def test_a_pilot_with_clusters_plans_clusters(self):
        """Every row twice in its cluster: as many clusters as there would be rows."""
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 3, 200)
        pred = np.clip(truth + rng.integers(-1, 2, 200), 0, 2)
        rows = plan(oe.count(truth, pred), "mae", half_width=0.05)
        clusters = plan(oe.count(np.tile(truth, 2), np.tile(pred, 2), cluster=np.tile(np.arange(200), 2)), "mae", half_width=0.05)
        assert clusters.unit == "clusters"
        assert clusters.needed == pytest.approx(rows.needed, rel=0.05)

    def test_clusters_of_the_planned_number_are_as_uneven_as_those_of_the_pilot(self):
        """20 clusters of 20 rows and 100 of 2: the error of a mean is that of the clusters' totals, and shrinks with their root."""
        sizes = [20] * 20 + [2] * 100
        answer, cluster = np.random.default_rng(0).integers(0, 3, 120).repeat(sizes), np.arange(120).repeat(sizes)
        away = np.abs(answer - 1)
        error = math.sqrt(120 / 119 * (np.bincount(cluster, away - away.mean()) ** 2).sum()) / 600
        found = plan(oe.count(np.ones(600, int), answer, cluster=cluster), "mae", half_width=0.05, assurance=0.5)
        assert (found.unit, found.pilot, found.pilot_error) == ("clusters", 120, pytest.approx(error, rel=0.01))
        assert found.needed == pytest.approx(120 * (scipy.stats.norm.ppf(0.975) * error / 0.05) ** 2, rel=0.02)


class TestDifference:
    def test_by_the_textbook(self):
        counts = two_models()
        found = plan(counts, "mae", difference=0.05)
        t, a, b = (np.repeat(x.ravel(), counts.pair("a", "b").ravel()) for x in np.indices((4, 4, 4)))
        gap = np.abs(b - t) - np.abs(a - t)
        z = scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)
        assert found.needed == pytest.approx(gap.var() * (z / 0.05) ** 2, rel=0.1)
        assert found.pilot_score == pytest.approx(gap.mean())
        assert found.models == ("a", "b")

    @pytest.mark.slow
    @pytest.mark.parametrize(("metric", "power"), [("mae", 0.8), ("cohen_kappa", 0.9)])
    def test_the_power_is_there(self, metric, power):
        """The difference that the pilot shows, sought in new samples of the planned size with a paired test."""
        counts = two_models()
        score = oe.get_metric(metric)
        shown = score(counts["b"]) - score(counts["a"])
        found = plan(counts, metric, difference=shown, power=power)
        assert found.simulated == pytest.approx(power, abs=0.03)
        rng = np.random.default_rng(1)
        pair = counts.pair("a", "b").ravel()
        seen, runs = 0, 500
        for _ in range(runs):
            sample = rng.multinomial(found.needed, pair / pair.sum()).reshape(4, 4, 4)
            # jackknife over the cells of the joint table: a second way to the error
            tables = np.stack([sample, *(sample - _one(i) for i in np.flatnonzero(sample))])
            gap = score.bind(counts["b"])(tables.sum(2)) - score.bind(counts["a"])(tables.sum(3))
            number = sample[sample > 0]
            n = number.sum()
            mean = (number * gap[1:]).sum() / n
            error = math.sqrt((n - 1) / n * (number * (gap[1:] - mean) ** 2).sum())
            seen += abs(gap[0]) > scipy.stats.norm.ppf(0.975) * error
        assert power - 0.05 < seen / runs < power + 0.1  # the smoothed pilot varies a little more

    def test_the_sign_does_not_matter(self):
        assert plan(two_models(), "mae", difference=-0.05).needed == plan(two_models(), "mae", difference=0.05).needed

    def test_three_models_need_a_choice(self):
        truth = [0, 1, 2] * 20
        counts = oe.count(truth, {"a": truth[::-1], "b": [1] * 60, "c": truth})
        with pytest.raises(ValueError, match=r"between two models, but there are 3 \(a, b, c\); choose with models=\['a', 'b'\]"):
            plan(counts, "mae", difference=0.1)
        assert plan(counts, "mae", difference=0.1, models=["a", "b"]).models == ("a", "b")


def _one(i):
    table = np.zeros(64, int)
    table[i] = 1
    return table.reshape(4, 4, 4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "neither was given"),
        ({"half_width": 0.1, "difference": 0.1}, "both were given"),
        ({"half_width": 0.0}, "half_width=0.0 cannot be planned for"),
        ({"half_width": -0.1}, "half_width=-0.1 cannot be planned for"),
        ({"half_width": math.inf}, "half_width=inf cannot be planned for"),
        ({"half_width": 1e-9}, "more than anyone can count"),
        ({"difference": 0.0}, "difference=0.0 cannot be planned for"),
        ({"difference": 0.1}, r"between two models, but there is 1 \(pred\); count both on the same rows"),
        ({"half_width": 0.1, "power": 0.0}, "power=0.0 is not between 0 and 1"),
        ({"half_width": 0.1, "power": 1.0}, "power=1.0 is not between 0 and 1"),
        ({"half_width": 0.1, "confidence_level": 95}, "confidence_level=95 is not between 0 and 1"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(ValueError, match=words):
        plan(PILOT, "mae", **options)


def test_pilots_that_say_nothing():
    with pytest.raises(ValueError, match="10 rows; 15 are enough"):
        plan(oe.Counts.from_matrix([[5, 0], [0, 5]]), "mae", half_width=0.1)
    with pytest.raises(ValueError, match="a maximum or a minimum over the classes"):
        plan(PILOT, "mmae", half_width=0.1)
    with pytest.raises(ValueError, match="class 2 has no rows"):
        plan(oe.Counts.from_matrix([[20, 1, 0], [1, 20, 0], [0, 0, 0]]), "amae", half_width=0.1)
    with pytest.raises(ValueError, match="its kendall_tau is undefined"):
        plan(oe.Counts.from_matrix([[5, 0], [0, 0]]), "kendall_tau", half_width=0.1)
    with pytest.raises(ValueError, match=r"one model, but there are 2 \(a, b\); choose with models=\['a'\]"):
        plan(two_models(), "mae", half_width=0.1)
    with pytest.raises(ValueError, match="reached by chance alone"):
        plan(two_models(), "mae", difference=0.1, power=0.01)


def test_a_rare_class_asks_for_more_rows_and_says_why():
    pilot = oe.Counts.from_matrix([[60, 5, 0], [5, 60, 3], [0, 1, 4]])
    found = plan(pilot, "stc", half_width=0.2)
    assert "the true class 2 would have fewer than 10 of them" in str(found)
    assert found.lacking_share <= 0.05
    assert found.needed > 10 / (5 / 138)
    assert not plan(pilot, "mae", half_width=0.1).lacking


def test_it_prints_a_sentence():
    text = str(plan(two_models(), "mae", difference=0.05))
    assert (
        text.split(" rows show an MAE difference of 0.05 four times in five (simulated power: 0.")[0].replace(",", "").isdigit()
    )
    assert text.endswith("), if they are like these 300.")
