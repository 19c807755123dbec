"""Which rows changed and what it was worth: by hand, row by row, and to the last digit of the difference."""

import math

import numpy as np
import pytest
from tables import counted, variants

import ordeval as oe
from ordeval.infer._flips import Contributions, contributions, flips

LABELS = ["lo", "mid", "hi"]


def random_rows(seed, n=120, k=4):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    return true, *(np.clip(true + rng.integers(-1, 2 + model, n), 0, k - 1) for model in (0, 1))


class TestFlips:
    def test_by_hand(self):
        true = ["lo", "lo", "lo", "mid", "mid", "hi", "hi", "hi", "hi"]
        old_ = ["lo", "mid", "hi", "lo", "mid", "lo", "lo", "mid", "hi"]
        new_ = ["lo", "hi", "lo", "hi", "mid", "mid", "mid", "hi", "lo"]
        found = flips(oe.count(true, {"old": old_, "new": new_}, labels=LABELS), "old", "new")
        assert (found.rows, found.closer, found.further, found.same) == (9, 4, 2, 3)
        assert (found.changed, found.sideways) == (7, 1)
        moves = [(m.true, m.a, m.b, m.rows, m.steps) for m in found.moves]
        assert sorted(moves[:3]) == [("hi", "hi", "lo", 1, -2), ("hi", "lo", "mid", 2, 1), ("lo", "hi", "lo", 1, 2)]
        assert moves[0] == ("hi", "lo", "mid", 2, 1)  # as many rows times steps as the others, and more rows
        assert moves[-1] == ("mid", "lo", "hi", 1, 0)
        assert str(found).splitlines() == [
            "new is nearer the truth on 4 rows, old on 2; on 3 they are equally near.",
            "",
            "  true class  old  new  rows  steps nearer",
            "  hi          lo   mid     2            +1",
            "  lo          hi   lo      1            +2",
            "  hi          hi   lo      1            −2",
            "  lo          mid  hi      1            −1",
            "  hi          mid  hi      1            +1",
            "",
            "… and 1 other kind of change",
        ]

    @pytest.mark.parametrize("seed", range(5))
    def test_against_counting_row_by_row(self, seed):
        true, a, b = random_rows(seed)
        found = flips(oe.count(true, {"a": a, "b": b}), "a", "b")
        rows = list(zip(true.tolist(), a.tolist(), b.tolist(), strict=True))
        assert found.closer == sum(abs(t - q) < abs(t - p) for t, p, q in rows)
        assert found.further == sum(abs(t - q) > abs(t - p) for t, p, q in rows)
        assert found.same == sum(abs(t - q) == abs(t - p) for t, p, q in rows)
        assert found.changed == sum(p != q for _, p, q in rows)
        assert found.sideways == sum(p != q and abs(t - q) == abs(t - p) for t, p, q in rows)
        assert {(m.true, m.a, m.b): m.rows for m in found.moves} == {r: rows.count(r) for r in rows if r[1] != r[2]}
        weight = [abs(m.rows * m.steps) for m in found.moves]
        assert weight == sorted(weight, reverse=True)

    def test_turned_around_closer_is_further(self):
        true, a, b = random_rows(7)
        both = oe.count(true, {"a": a, "b": b})
        there, back = flips(both, "a", "b"), flips(both, "b", "a")
        assert (there.closer, there.further, there.same) == (back.further, back.closer, back.same)

    def test_only_rows_that_both_answered(self):
        both = oe.count([0, 1, 1, 0], {"a": [0, 0, None, 1], "b": [None, 1, 1, 1]}, labels=[0, 1], missing="unanswered")
        found = flips(both, "a", "b")
        assert (found.rows, found.closer, found.further, found.same) == (2, 1, 0, 1)

    def test_weights_are_added_up(self):
        found = flips(oe.count([0, 1, 1], {"a": [0, 0, 1], "b": [1, 1, 1]}, sample_weight=[0.5, 2.5, 1.0]), "a", "b")
        assert (found.closer, found.further, found.same) == (2.5, 0.5, 1.0)

    def test_a_label_stays_on_its_line(self):
        hostile = ["lo\n\x1b[2J", "hi"]
        found = flips(oe.count([hostile[0]], {"a": [hostile[0]], "b": ["hi"]}, labels=hostile), "a", "b")
        assert len(str(found).splitlines()) == 4  # a sentence, a blank line, a header and one row
        assert "\x1b" not in str(found)


@pytest.mark.parametrize("function", [flips, lambda *given: contributions(*given, "mae")])
class TestRefusals:
    def test_unknown_model(self, function):
        with pytest.raises(KeyError, match="no model 'c'; the models are a, b"):
            function(oe.count([0, 1], {"a": [0, 1], "b": [1, 1]}), "a", "c")

    def test_the_truth_is_no_model(self, function):
        with pytest.raises(KeyError, match="no model 'true'"):
            function(oe.count([0, 1], {"a": [0, 1], "b": [1, 1]}), "true", "b")

    def test_the_same_model_twice(self, function):
        with pytest.raises(ValueError, match="named twice; compare two different models of a, b"):
            function(oe.count([0, 1], {"a": [0, 1], "b": [1, 1]}), "a", "a")

    def test_one_model(self, function):
        with pytest.raises(ValueError, match=r"hold one model \(pred\)"):
            function(oe.count([0, 1], [0, 1]), "pred", "pred")

    def test_no_row_in_common(self, function):
        both = oe.count([0, 1], {"a": [0, None], "b": [None, 1]}, labels=[0, 1], missing="unanswered")
        with pytest.raises(ValueError, match="no row was answered by both"):
            function(both, "a", "b")


def difference(metric, both):
    values = [metric.bind(both[model])(both[model].matrix) for model in ("a", "b")]
    return float(values[1] - values[0])


class TestContributions:
    @pytest.mark.parametrize("metric", [m for m in variants() if "edges" not in m.needs], ids=str)
    @pytest.mark.thorough
    @pytest.mark.slow
    def test_they_add_up_to_the_difference(self, metric):
        for seed in range(3):
            true, a, b = random_rows(seed, n=(120, 30, 9)[seed])
            both = oe.count(true, {"a": a, "b": b}, labels=range(4))
            found = contributions(both, "a", "b", metric)
            wanted = difference(metric, both)
            if math.isnan(wanted):
                assert found.method == "none"
                assert found.reason == metric.undefined
                continue
            assert found.difference == pytest.approx(wanted, abs=1e-12)
            assert math.fsum(cell.adds for cell in found.cells) == pytest.approx(wanted, abs=1e-9)
            assert found.elsewhere == pytest.approx(0, abs=1e-12)

    @pytest.mark.parametrize("metric", [m for m in counted() if "edges" not in m.needs], ids=str)
    def test_also_where_a_class_is_answered_by_one_model_only(self, metric):
        both = oe.count([0, 0, 1, 1, 2, 2, 2], {"a": [0, 0, 1, 0, 1, 1, 0], "b": [0, 1, 2, 1, 2, 2, 1]}, labels=range(3))
        for a, b, sign in (("a", "b", 1), ("b", "a", -1)):
            found, wanted = contributions(both, a, b, metric), sign * difference(metric, both)
            if not math.isnan(wanted):
                assert math.fsum(cell.adds for cell in found.cells) + found.elsewhere == pytest.approx(wanted, abs=1e-9)
                assert found.elsewhere == pytest.approx(0, abs=1e-7)

    def test_for_intervals_what_the_sample_settles_stands_apart(self):
        true, a, b = random_rows(3)
        scale = oe.Scale.from_edges([0, 1, 3, 7, math.inf])
        both = oe.count(
            *([scale.labels[i] for i in x] for x in (true,)),
            {"a": [scale.labels[i] for i in a], "b": [scale.labels[i] for i in b]},
            labels=scale,
        )
        found = contributions(both, "a", "b", "interval_stc")
        assert math.fsum(cell.adds for cell in found.cells) + found.elsewhere == pytest.approx(found.difference, abs=1e-9)

    @pytest.mark.parametrize("text", ["mae", "mse", "accuracy", "bias"])
    def test_a_mean_over_rows_is_shared_out_row_by_row(self, text):
        worth = {"mae": lambda e: abs(e), "mse": lambda e: e * e, "accuracy": lambda e: float(e == 0), "bias": lambda e: e}[text]
        true, a, b = random_rows(1)
        found = contributions(oe.count(true, {"a": a, "b": b}), "a", "b", text)
        assert found.method == "exact"
        for cell in found.cells:
            by_hand = cell.rows * (worth(cell.b - cell.true) - worth(cell.a - cell.true)) / len(true)
            assert cell.adds == pytest.approx(by_hand, abs=1e-13)
        assert [abs(c.adds) for c in found.cells] == sorted((abs(c.adds) for c in found.cells), reverse=True)

    def test_class_means_are_exact_and_coefficients_go_along_the_path(self):
        true, a, b = random_rows(2)
        both = oe.count(true, {"a": a, "b": b})
        method = {text: contributions(both, "a", "b", text).method for text in ("amae", "cem", "cohen_kappa", "rmse", "oci")}
        assert method == {"amae": "exact", "cem": "exact", "cohen_kappa": "path", "rmse": "path", "oci": "path"}

    def test_the_path_by_its_closed_form(self):
        """Along the path rmse is the root of a mean square that changes at a steady pace: every share is in closed form."""
        true, a, b = random_rows(4)
        both = oe.count(true, {"a": a, "b": b})
        squares, roots = contributions(both, "a", "b", "mse"), contributions(both, "a", "b", "rmse")
        mean = {(c.true, c.a, c.b): c.adds for c in squares.cells}
        for cell in roots.cells:
            share = mean[cell.true, cell.a, cell.b] / squares.difference
            assert cell.adds == pytest.approx(share * roots.difference, rel=1e-4, abs=1e-9)

    def test_the_way_back_takes_away_what_the_way_there_adds(self):
        true, a, b = random_rows(5)
        both = oe.count(true, {"a": a, "b": b})
        there = {(c.true, c.a, c.b): c.adds for c in contributions(both, "a", "b", "cohen_kappa").cells}
        back = {(c.true, c.b, c.a): -c.adds for c in contributions(both, "b", "a", "cohen_kappa").cells}
        assert there == pytest.approx(back, abs=1e-12)

    def test_two_models_with_the_same_answers(self):
        found = contributions(oe.count([0, 1], {"a": [0, 0], "b": [0, 0]}), "a", "b", "macro_f1")
        assert (found.difference, found.cells) == (0, ())

    def test_undefined_says_why(self):
        found = contributions(oe.count([0, 0], {"a": [0, 1], "b": [0, 0]}, labels=[0, 1]), "a", "b", "kendall_tau")
        assert found.method == "none"
        assert "undefined (" in str(found)

    def test_printed(self):
        true, a, b = random_rows(1)
        found = contributions(oe.count(true, {"a": a, "b": b}), "a", "b", "mae")
        text = str(found).splitlines()
        others = found.cells[5:]
        assert text[-1].split() == [
            "the",
            str(len(others)),
            "others",
            str(sum(c.rows for c in others)),
            f"{sum(c.adds for c in others):+.4f}",
        ]
        assert text[0].startswith("mae, b minus a: +0.")
        assert "exact" in text[0]


def test_what_no_row_has_caused_is_printed():
    text = str(Contributions("interval_stc", "a", "b", 0.5, "path", (), elsewhere=0.25))
    assert text.splitlines()[-1].split("  ") == ["", "settled on each whole sample", *[""] * 6, "+0.2500"]
