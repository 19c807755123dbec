"""Is it the Closeness Evaluation Measure of Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz (ACL 2020)?

The paper prints two decimals; the ten digits beside them were computed independently.
"""

import math
import warnings
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from tables import TABLE_4X4, all_tables, random_tables, rows_of, same, tables, value

import ordeval as oe
from ordeval import Counts, get_metric
from papers import derivations

#: Figure 3, as printed: rows the system, columns the ground truth (negative, neutral, positive).
SYSTEM_A = np.array([[5, 5, 7], [1, 50, 8], [4, 5, 15]])
SYSTEM_B = np.array([[7, 12, 4], [1, 45, 8], [2, 3, 18]])
A, B = SYSTEM_A.T, SYSTEM_B.T

#: Figure 1: reject, weak reject, undecided, weak accept, accept.
LEFT, RIGHT = [7, 105, 193, 90, 7], [180, 10, 3, 10, 173]
REJECT, WEAK_REJECT, UNDECIDED, WEAK_ACCEPT, ACCEPT = range(5)

ALL = [
    get_metric("cem").with_params(level=level, ties=ties, flat=flat, normalize=normalize)
    for level, ties, flat, normalize in product(
        ("ordinal", "nominal", "interval"), ("half", "own", "full"), (False, True), (False, True)
    )
]


def score(table, text="cem"):
    return value(get_metric(text), np.asarray(table))


def of(system, gold, scale=None, **params):
    """CEM of label tuples, written system first as in the paper."""
    labels = scale or range(min(*system, *gold), max(*system, *gold) + 1)
    return oe.cem(gold, system, labels=labels, **params)


def proximity(gold, **params):
    """The paper's prox(system, gold)."""
    return oe.parts.closeness_matrix(Counts.from_matrix(np.diag(gold)), **params).T


class TestPrinted:
    @pytest.mark.parametrize(
        ("gold", "system", "truth", "printed", "digits"),
        [
            (LEFT, WEAK_ACCEPT, WEAK_REJECT, "0.23", 0.228986925),
            (RIGHT, WEAK_ACCEPT, WEAK_REJECT, "4.38", 4.38466385),
            (LEFT, REJECT, REJECT, "6.84", 6.843696769),
            (LEFT, UNDECIDED, UNDECIDED, "2.06", 2.058594654),
            (LEFT, WEAK_REJECT, WEAK_ACCEPT, "0.26", 0.260882735),  # the other direction: not symmetric
        ],
    )
    def test_section_3_1(self, gold, system, truth, printed, digits):
        prox = proximity(gold)[system, truth]
        assert f"{prox:.2f}" == printed
        assert prox == pytest.approx(digits, rel=1e-9)

    def test_figure_3_proximities(self):
        prox = proximity([10, 60, 30])
        printed = [["4.32", "0.62", "0.07"], ["1.32", "1.74", "0.74"], ["0.23", "0.42", "2.74"]]
        assert [[f"{x:.2f}" for x in row] for row in prox] == printed
        digits = [
            [4.321928095, 0.6214883767, 0.07400058144],
            [1.321928095, 1.736965594, 0.7369655942],
            [0.2344652536, 0.4150374993, 2.736965594],
        ]
        np.testing.assert_allclose(prox, digits, rtol=1e-9)

    def test_appendix_a_sums_in_bits(self):
        bits = oe.parts.closeness_matrix(Counts.from_matrix(A))
        assert (A * bits).sum() == pytest.approx(163.3685514, rel=1e-9)
        assert (B * bits).sum() == pytest.approx(174.3678878, rel=1e-9)
        assert (A.sum(1) * bits.diagonal()).sum() == pytest.approx(229.5461844, rel=1e-9)

    @pytest.mark.parametrize(
        ("text", "of_a", "of_b"),
        [
            ("cem", 0.7117023174, 0.7596200662),  # printed 0.71 and 0.76
            ("cem(ties='own')", 0.7117023174, 0.7596200662),  # ordinal: only the predicted class is tied with itself
            ("cem(ties='full')", 0.6528627896, 0.7413866707),
            ("cem(flat=True)", 0.7824675325, 0.8142857143),
            ("cem(level='nominal')", 0.6137765033, 0.6768422357),
            ("cem(level='nominal', ties='full')", 0.6137765033, 0.6768422357),
            ("cem(level='nominal', ties='half')", 0.7247626158, 0.7517293346),
            ("cem(level='interval')", 0.7031491435, 0.7427430634),
            ("cem(level='interval', ties='half')", 0.7031491435, 0.7427430634),
            ("cem(level='interval', ties='full')", 0.6271354296, 0.690201162),
            ("cem(level='interval', ties='own')", 0.6958436343, 0.7286390664),
        ],
    )
    def test_appendix_a(self, text, of_a, of_b):
        assert score(A, text) == pytest.approx(of_a, rel=2e-10)
        assert score(B, text) == pytest.approx(of_b, rel=2e-10)

    def test_appendix_a_is_not_read_the_wrong_way_round(self):
        assert score(SYSTEM_A) == pytest.approx(0.7068817794, rel=1e-9)
        assert score(SYSTEM_B) == pytest.approx(0.7516655942, rel=1e-9)

    def test_appendix_b_monotonicity(self):
        far, near, gold, scale = (1, 2, 3), (2, 3, 4), (3, 4, 5), range(1, 6)
        expected = {
            "cem": (0.3137323922, 0.4622842691),
            "cem(flat=True)": (0.4666666667, 0.6666666667),
            "cem(level='nominal')": (0, 0),
            "cem(level='nominal', ties='half')": (0.2262943855, 0.2262943855),
            "cem(level='interval')": (0.06783706553, 0.3333333333),
            "cem(level='interval', ties='full')": (0, 0.246046831),
        }
        for text, values in expected.items():
            found = [get_metric(text)(gold, system, labels=scale) for system in (far, near)]
            assert found == pytest.approx(values, rel=1e-9), text

    def test_appendix_b_imbalance(self):
        gold, common, rare = (1, 1, 2, 3), (1, 2, 2, 3), (1, 1, 2, 2)
        expected = {
            "cem": (0.8678071905, 0.8415037499),
            "cem(flat=True)": (0.8846153846, 0.9230769231),  # reversed: the logarithm is needed
            "cem(level='nominal')": (0.8333333333, 0.6666666667),
            "cem(level='nominal', ties='half')": (0.8415037499, 0.7678071905),
            "cem(level='interval')": (0.8678071905, 0.8415037499),
            "cem(level='interval', ties='full')": (0.9025062499, 0.8333333333),
        }
        for text, values in expected.items():
            found = [get_metric(text)(gold, system, labels=[1, 2, 3]) for system in (common, rare)]
            assert found == pytest.approx(values, rel=1e-9), text

    @pytest.mark.parametrize(
        ("level", "system", "gold", "stretch", "before", "after"),
        [
            ("ordinal", (1, 2, 2), (1, 2, 3), lambda x: 10 * x + x * x, 0.7956176024, 0.7956176024),
            ("interval", (1, 2, 2), (1, 2, 3), lambda x: 10 * x + x * x, 0.7956176024, 0.7956176024),
            ("ordinal", (1, 2, 3), (3, 4, 5), lambda x: 10 + x**3, 0.3137323922, 0.3137323922),
            ("interval", (1, 2, 3), (3, 4, 5), lambda x: 10 + x**3, 0.06783706553, 0.3137323922),
        ],
    )
    def test_ordinal_invariance(self, level, system, gold, stretch, before, after):
        """Section 4.1 and Appendix B: at ordinal level, a stretched scale changes nothing."""
        assert of(system, gold, level=level) == pytest.approx(before, rel=1e-9)
        assert of([*map(stretch, system)], [*map(stretch, gold)], level=level) == pytest.approx(after, rel=1e-9)

    @pytest.mark.parametrize(
        ("ties", "slope", "intercept"),
        [("full", 1, 0), ("half", 0.7739760316, 0.2260239684), ("own", 0.935784974, 0.06421502598)],
    )
    def test_proposition_1(self, ties, slope, intercept):
        """On even classes nominal CEM is accuracy; with halved ties it is only a line in it."""
        rng = np.random.default_rng(0)
        for _ in range(20):
            table = np.array([rng.multinomial(10, rng.dirichlet(np.ones(4))) for _ in range(4)])
            expected = slope * score(table, "accuracy") + intercept
            assert score(table, f"cem(level='nominal', ties={ties!r})") == pytest.approx(expected, rel=1e-9)

    def test_proposition_2(self):
        """On even classes the closeness earned in a row or a column of the table is recall or precision, as a share of its most."""
        table = np.array([[6, 3, 1], [2, 8, 0], [1, 4, 5]])
        earned = table * oe.parts.closeness_matrix(Counts.from_matrix(table), level="nominal")
        most = earned.sum() / np.trace(table)  # what a right answer earns
        np.testing.assert_allclose(earned.sum(1) / (most * table.sum(1)), [6 / 10, 8 / 10, 5 / 10], rtol=1e-14)
        np.testing.assert_allclose(earned.sum(0) / (most * table.sum(0)), [6 / 9, 8 / 15, 5 / 6], rtol=1e-14)


class TestOtherSources:
    def test_the_blog_with_its_examples_put_right(self):
        """Its files hold the transpose of what its text describes; the values it shows are those of the transpose."""
        near, far = np.diag([3, 3, 3]), np.diag([3, 3, 3])
        near[2], far[2] = (0, 1, 2), (1, 0, 2)
        assert [score(near), score(far)] == pytest.approx([0.9318725341, 0.9001950665], rel=1e-9)
        assert [score(near.T), score(far.T)] == pytest.approx([0.9419556205, 0.9121822438], rel=1e-9)
        common, rare = [[4, 1, 0], [0, 3, 0], [0, 0, 2]], [[5, 0, 0], [0, 3, 0], [0, 1, 1]]
        assert [score(common), score(rare)] == pytest.approx([0.9445373034, 0.9272833279], rel=1e-9)
        assert [score(np.transpose(t)) for t in (common, rare)] == pytest.approx([0.9371527482, 0.9504471488], rel=1e-9)

    def test_the_blog_closest_and_furthest_classes(self):
        left, right = proximity(LEFT), proximity(RIGHT)
        shown = {
            (WEAK_ACCEPT, ACCEPT): "2.951",
            (WEAK_REJECT, REJECT): "2.756",
            (ACCEPT, WEAK_ACCEPT): "2.104",
            (ACCEPT, REJECT): "0.013",
            (REJECT, ACCEPT): "0.013",
            (ACCEPT, WEAK_REJECT): "0.038",
        }
        assert {pair: f"{left[pair]:.3f}" for pair in shown} == shown
        shown = {
            (WEAK_REJECT, UNDECIDED): "5.555",
            (WEAK_ACCEPT, UNDECIDED): "5.555",
            (UNDECIDED, WEAK_REJECT): "5.031",
            (UNDECIDED, WEAK_ACCEPT): "5.031",
            (ACCEPT, REJECT): "0.377",
            (REJECT, ACCEPT): "0.395",
            (WEAK_ACCEPT, REJECT): "0.925",
        }
        assert {pair: f"{right[pair]:.3f}" for pair in shown} == shown

    @pytest.mark.parametrize(
        ("system", "gold", "right", "wrong"),
        [
            ((2, 2, 2, 2, 1, 1), (1, 1, 1, 1, 2, 3), 0.2402, 0.4134),
            ((1, 2, 2, 2), (1, 1, 1, 2), 0.6626, 0.7966),
            ((1, 1, 1, 1), (1, 1, 1, 2), 0.6795, None),
            ((1, 3, 2, 2), (1, 1, 2, 2), 0.75, 0.8019),
            ((1, 2, 3, 3), (2, 2, 3, 3), 0.875, None),
        ],
    )
    def test_the_half_is_not_taken_off_the_lower_class(self, system, gold, right, wrong):
        """A published program does that; its Appendix A is wrong only in the third decimal."""
        found = of(system, gold)
        assert found == pytest.approx(right, abs=5e-5)
        assert wrong is None or abs(found - wrong) > 0.01

    def test_always_the_small_class(self):
        assert round(oe.cem([0] * 90 + [1] * 10, [1] * 100), 3) == 0.340

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("cem", 0.7955787651767504),
            ("cem(ties='full')", 0.8021167988614777),
            ("cem(flat=True)", 0.8776364882357415),
            ("cem(level='interval')", 0.7633519807083788),
            ("cem(level='nominal')", 0.6443337512196222),
            ("cem(normalize=True)", 0.7635910018972383),
        ],
    )
    def test_the_reference_table(self, text, expected):
        assert score(TABLE_4X4, text) == pytest.approx(expected, rel=1e-14)

    def test_the_floor_of_the_reference_table(self):
        assert oe.parts.cem_floor(Counts.from_matrix(TABLE_4X4)) == pytest.approx(0.1353068772179637, rel=1e-14)


class TestEdges:
    def test_one_row(self):
        assert oe.cem([2], [2]) == 1
        assert oe.cem([2], [3]) == 0
        assert oe.cem([2], [2], labels=[1, 2, 3]) == 1

    def test_one_true_class_is_accuracy(self):
        assert of((1, 1, 2, 3, 2), (1, 1, 1, 1, 1)) == 0.4

    @pytest.mark.parametrize("level", ["ordinal", "nominal", "interval"])
    def test_one_true_class_is_undefined_where_ties_count_in_full(self, level):
        with pytest.warns(oe.UndefinedScore, match="the truth is one class throughout"):
            assert math.isnan(oe.cem([1, 1], [1, 2], ties="full", level=level))

    def test_one_class_alone_cannot_be_normalized(self):
        with pytest.warns(oe.UndefinedScore, match="only one class"):
            assert math.isnan(oe.cem([1, 1], [1, 1], labels=[1], normalize=True))

    def test_a_predicted_class_without_true_rows(self):
        assert of((1, 2, 3, 3), (2, 2, 3, 3)) == pytest.approx(0.875, rel=1e-15)

    def test_beyond_all_rows_every_empty_class_is_as_far(self):
        assert of((4, 1, 1, 1), (1, 1, 1, 1)) == of((3, 1, 1, 1), (1, 1, 1, 1), scale=[1, 2, 3, 4]) == 0.75

    def test_monotone_across_one_empty_class(self):
        gold = (1, 1, 3, 4)
        assert of((1, 1, 3, 1), gold) < of((1, 1, 3, 2), gold) < of((1, 1, 3, 3), gold) < 1

    def test_imbalance_needs_rows_in_between(self):
        assert score([[1, 1, 0], [0, 0, 0], [0, 0, 1]]) == pytest.approx(0.8262, abs=5e-5)
        assert score([[2, 0, 0], [0, 0, 0], [0, 1, 0]]) == pytest.approx(0.8262, abs=5e-5)

    def test_imbalance_at_interval_level_fails_from_four_classes(self):
        tables = [np.diag([1, 1, 2, 2]) for _ in range(2)]
        tables[0][2, [1, 2]], tables[1][0, [0, 1]] = (1, 1), (0, 1)
        assert [score(t, "cem(level='interval')") for t in tables] == pytest.approx([0.8968, 0.9095], abs=5e-5)

    def test_a_class_without_rows_is_infinitely_close_to_itself(self):
        bits = oe.parts.closeness_matrix([1, 1, 3], [1, 2, 3])
        assert bits[1, 1] == math.inf
        assert np.isfinite(bits[[0, 2]]).all()
        assert np.isnan(oe.parts.closeness_matrix(Counts.from_matrix(np.zeros((2, 2), int)))).all()

    def test_a_replicate_that_lost_everything_is_nan_without_a_warning(self):
        bound = get_metric("cem").bind(Counts.from_matrix(TABLE_4X4))
        stack = np.array([TABLE_4X4, np.zeros((4, 4)), np.diag([3, 0, 0, 0])])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isnan(bound(stack)).tolist() == [False, True, False]

    @pytest.mark.slow
    def test_perfect_is_1_and_nothing_is_more_to_the_last_bit(self):
        for table in random_tables(300, seed=3):
            for metric in ALL:
                assert not value(metric, table) > 1
                perfect = value(metric, np.diag(table.sum(1)))
                assert perfect == 1 or math.isnan(perfect)


class TestFloor:
    @pytest.mark.parametrize(
        ("k", "least"), [(2, 0.2075187496), (3, 0.1967880013), (5, 0.1404697794), (10, 0.1021529345), (100, 0.05791357241)]
    )
    def test_even_classes(self, k, least):
        assert oe.parts.cem_floor(Counts.from_matrix(np.eye(k, dtype=int))) == pytest.approx(least, rel=1e-9)

    def test_uneven_classes(self):
        assert oe.parts.cem_floor(Counts.from_matrix(np.diag([99, 1]))) == pytest.approx(0.01574371639, rel=1e-9)
        assert (
            oe.parts.cem_floor(Counts.from_matrix(A))
            == oe.parts.cem_floor(Counts.from_matrix(B))
            == pytest.approx(0.1283703321, rel=1e-9)
        )

    def test_zero_needs_an_empty_class_beyond_all_rows(self):
        assert oe.parts.cem_floor(Counts.from_matrix(np.diag([0, 4, 0]))) == 0
        assert oe.parts.cem_floor(Counts.from_matrix(np.diag([0, 4, 2]))) > 0
        assert oe.parts.cem_floor(Counts.from_matrix(np.diag([0, 4, 2, 0]))) == 0

    @pytest.mark.parametrize("metric", [m for m in ALL if not m.params["normalize"]], ids=str)
    def test_it_is_the_least_of_all_tables_with_these_truths(self, metric):
        params = {name: metric.params[name] for name in ("level", "ties", "flat")}
        found = {}
        for table in all_tables(3, 4):
            found.setdefault(tuple(table.sum(1).tolist()), []).append(value(metric, table))
        for truth, scores in found.items():
            table = np.diag(truth)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", oe.UndefinedScore)
                floor = oe.parts.cem_floor(Counts.from_matrix(table), **params)
            assert same(min(scores), floor, 1e-15), truth

    def test_normalized_is_0_at_the_floor_and_1_at_the_top(self):
        worst = np.zeros((3, 3), int)
        worst[[0, 1, 2], [2, 2, 0]] = A.sum(1)
        assert score(worst) == pytest.approx(0.1283703321, rel=1e-9)
        assert score(worst, "cem(normalize=True)") == 0
        floor = oe.parts.cem_floor(Counts.from_matrix(A))
        assert score(A, "cem(normalize=True)") == pytest.approx((score(A) - floor) / (1 - floor), rel=1e-14)

    def test_it_warns_where_classes_were_taken_from_the_data(self):
        with pytest.warns(UserWarning, match=r"cem_floor depends on classes that nobody used, and the classes 1\.\.2") as caught:
            oe.parts.cem_floor([1, 2], [1, 2])
        assert caught[0].filename == __file__
        oe.parts.cem_floor([1, 2], [1, 2], ties="full")  # an empty class is then no worse than the last one with rows
        with pytest.warns(oe.UndefinedScore, match="cem_floor is undefined here: there are no rows"):
            assert math.isnan(oe.parts.cem_floor(Counts.from_matrix([[0, 0], [0, 0]])))


class TestArithmetic:
    @pytest.mark.parametrize("metric", ALL, ids=str)
    @pytest.mark.thorough
    @pytest.mark.slow
    def test_all_small_tables_item_by_item(self, metric):
        for k, most in ((2, 5), (3, 5)):
            stack = np.array([t for n in range(1, most + 1) for t in all_tables(k, n)])
            got = metric.bind(Counts.from_matrix(stack[-1]))(stack)
            for table, found in zip(stack.tolist(), got.tolist(), strict=True):
                expected = derivations.cem(table, **metric.params)
                assert math.isnan(found) == (expected is None), table
                assert expected is None or abs(found - derivations.real(expected)) < 1e-14, table

    @pytest.mark.parametrize("metric", ALL, ids=str)
    def test_one_class_holds_nearly_everything(self, metric):
        for rare in (1, 3, 10**4, 10**9):
            for where, k in ((0, 2), (0, 3), (1, 3), (2, 4)):
                table = np.full((k, k), rare)
                table[where, where] = 10**15 - table.sum()
                table[0, -1] = 7
                expected = derivations.real(derivations.cem(table.tolist(), **metric.params))
                assert abs(value(metric, table) - expected) < 1e-14
                table[where] = 0
                table[where, k - 1 - where] = 10**15 - table.sum()
                expected = derivations.real(derivations.cem(table.tolist(), **metric.params))
                assert abs(value(metric, table) - expected) < 1e-14

    @pytest.mark.parametrize("level", ["ordinal", "nominal", "interval"])
    @pytest.mark.parametrize("ties", ["half", "own", "full"])
    @pytest.mark.parametrize(
        "gold", [[10**15, 1, 2, 1], [1, 1, 10**15, 10**7], [0.1, 1e15, 0.3, 0.7], [1e14, 0.3, 1e-3, 1e13], [3, 0, 1, 5]]
    )
    def test_every_closeness_keeps_its_digits(self, level, ties, gold):
        """Also those of a rare class beside a common one, and with fractional weights: relative, where they are far below 1."""
        bits = oe.parts.closeness_matrix(Counts.from_matrix(np.diag(gold)), level=level, ties=ties)
        exact = [derivations.Fraction(n) for n in gold]
        for t, p in product(range(4), repeat=2):
            share = sum(n * derivations.halves(level, ties, x, p, t) for x, n in enumerate(exact)) / (2 * sum(exact))
            expected = derivations.bits(share) if share else math.inf
            assert bits[t, p] == expected or abs(bits[t, p] - expected) <= 1e-15 * abs(expected) * 4

    def test_the_largest_counts(self):
        big = 2**61
        assert oe.cem(Counts.from_matrix([[big, big // 4], [big // 8, big]])) == pytest.approx(score([[8, 2], [1, 8]]), rel=1e-15)


class TestLaws:
    @pytest.mark.parametrize("metric", ALL, ids=str)
    def test_mirror(self, metric):
        """Kills the bug that the paper's own example hardly shows: the half taken off the lower class."""
        for table in [A, B, np.array(TABLE_4X4), *random_tables(50, seed=5)]:
            assert same(value(metric, table), value(metric, table[::-1, ::-1]), 1e-14)

    @pytest.mark.parametrize("metric", ALL, ids=str)
    def test_claims_of_every_form(self, metric):
        """Of all forms, not only of those that the law tests go through."""
        padded = [np.pad(t, pad) for t in [A, np.array([[1]]), *all_tables(2, 3)] for pad in ((0, 1), (1, 0))]
        plain = [t for t in [A, np.array([[1]]), *all_tables(2, 3)] for _ in range(2)]
        unchanged = [same(value(metric, t), value(metric, u)) for t, u in zip(plain, padded, strict=True)]
        assert all(unchanged) == ("unused_class" in metric.laws)
        turned = [same(value(metric, t), value(metric, t.T)) for t in all_tables(3, 3)]
        assert all(turned) == ("transpose" in metric.laws)
        assert {law for law in ("transpose", "unused_class") if law in metric.broken} == {
            law for law in ("transpose", "unused_class") if law not in metric.laws
        }

    @given(tables(most_classes=4, most=5))
    def test_a_step_towards_the_truth_is_never_a_loss(self, table):
        """Ordinal monotonicity; a gain unless there is no row from the old answer to the new one."""
        gold = table.sum(1)
        for t, p in np.argwhere(table):
            step = int(np.sign(t - p))
            if step:
                moved = table.copy()
                moved[t, p] -= 1
                moved[t, p + step] += 1
                gain = score(moved) - score(table)
                if gold[p] + gold[p + step]:
                    assert gain > 1e-9
                else:
                    assert gain == pytest.approx(0, abs=1e-14)

    def test_a_stack_is_its_tables(self):
        stack = np.array([t for t in random_tables(200, seed=6) if len(t) == 5])[:8].reshape(4, 2, 5, 5)
        for metric in ALL:
            got = metric.bind(Counts.from_matrix(stack[0, 0]))(stack)
            assert got.shape == (len(stack), 2)
            for i in np.ndindex(got.shape):
                assert same(got[i], value(metric, stack[i]), 1e-15)


class TestGoldCounts:
    TRUE, PRED = [1, 2, 3, 3], [1, 3, 3, 2]

    def test_the_counts_of_the_sample_itself_change_nothing(self):
        for metric in ALL:
            t, p = rows_of(A)
            assert metric.with_params(class_counts=A.sum(1))(t, p, labels=range(3)) == metric(t, p, labels=range(3))
            assert same(
                metric.with_params(class_counts=A.sum(1) / 7)(t, p, labels=range(3)), metric(t, p, labels=range(3)), 1e-14
            )

    @pytest.mark.parametrize(
        "gold",
        [
            (10, 5, 3),
            [10, 5, 3],
            np.array([10, 5, 3]),
            {2: 5, 3: 3, 1: 10},
            {1: np.int64(10), 2: 5.0, 3: 3},
            Counter([1] * 10 + [2] * 5 + [3] * 3),
            pd.Series([2] * 5 + [3] * 3 + [1] * 10).value_counts(),
            pd.Series([3] * 3 + [2] * 5 + [1] * 10).value_counts(sort=False),
        ],
        ids=lambda g: type(g).__name__,
    )
    def test_every_form(self, gold):
        expected = derivations.cem(oe.count(self.TRUE, self.PRED).matrix.tolist(), class_counts=(10, 5, 3))
        assert oe.cem(self.TRUE, self.PRED, class_counts=gold) == pytest.approx(float(expected), rel=1e-15)
        metric = get_metric("cem").with_params(class_counts=gold)
        assert get_metric(str(metric)) == metric
        assert metric(self.TRUE, self.PRED) == oe.cem(self.TRUE, self.PRED, class_counts=gold)
        floor = derivations.cem_floor(oe.count(self.TRUE, self.PRED).matrix.tolist(), class_counts=(10, 5, 3))
        assert oe.parts.cem_floor(self.TRUE, self.PRED, labels=[1, 2, 3], class_counts=gold) == pytest.approx(
            float(floor), rel=1e-15
        )
        bits = oe.parts.closeness_matrix(self.TRUE, self.PRED, class_counts=gold)
        np.testing.assert_array_equal(bits, oe.parts.closeness_matrix(Counts.from_matrix(np.diag([10, 5, 3]))))

    def test_words(self):
        scale = ["lo", "mid", "hi"]
        given = oe.cem(["lo", "hi"], ["lo", "mid"], labels=scale, class_counts={"hi": 3, "lo": 1})  # none of "mid" is needed
        assert given == oe.cem([0, 2], [0, 1], labels=range(3), class_counts=(1, 0, 3))

    def test_it_matters(self):
        assert abs(oe.cem(self.TRUE, self.PRED, class_counts=(10, 5, 3)) - oe.cem(self.TRUE, self.PRED)) > 0.01

    def test_replicates_keep_it(self):
        counts = oe.count(self.TRUE, self.PRED)
        bound = get_metric("cem(class_counts=(10, 5, 3))").bind(counts)
        stack = np.random.default_rng(0).multinomial(4, counts.matrix.ravel() / 4, size=50).reshape(-1, 3, 3)
        expected = [float(derivations.cem(t, class_counts=(10, 5, 3))) for t in stack.tolist()]
        np.testing.assert_allclose(bound(stack), expected, rtol=1e-14)

    @pytest.mark.parametrize(
        ("gold", "error", "words"),
        [
            ({1: 3, 3: 2}, ValueError, "class_counts has no row of the class 2, which is the truth of some rows"),
            ((3, 4, 0), ValueError, "class_counts has no row of the class 3"),
            ({}, ValueError, "no row of the class 1"),
            ((1, 2), ValueError, "holds 2 counts, and there are 3 classes"),
            ((1, 2, 3, 4), ValueError, "holds 4 counts, and there are 3 classes"),
            ((1, -2, 3), ValueError, "class_counts is -2 at 1; counts are finite and not negative"),
            ({1: 1, 2: math.nan, 3: 1}, ValueError, "class_counts is nan at 2"),
            ((math.inf, 1, 1), ValueError, "class_counts is inf at 0"),
            ((10**400, 1, 1), ValueError, "counts are finite"),
            ({1: 1, 2: 1, 3: 1, 4: 1}, ValueError, "class_counts: 4 is not one of the classes"),
            ({"1": 1, "2": 1, "3": 1}, TypeError, "class_counts holds text .* but the classes are integers"),
            ((1, "2", 3), TypeError, "class_counts holds a str at 1; counts are numbers"),
            ([[1, 2, 3]], TypeError, "class_counts holds a tuple at 0"),
            ("123", TypeError, "one count per class, lowest first, or be a mapping"),
            ({1, 2, 3}, TypeError, "one count per class"),
            (6, TypeError, "one count per class"),
        ],
    )
    def test_refused(self, gold, error, words):
        for function in (oe.cem, oe.parts.cem_floor, oe.parts.closeness_matrix):
            with pytest.raises(error, match=words) as caught:
                function(self.TRUE, self.PRED, class_counts=gold)
            assert "\n" not in str(caught.value)
            assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"level": "ratio"}, "level='ratio' is unknown; choose one of 'nominal', 'ordinal', 'interval'"),
        ({"level": None}, "level=None is unknown"),
        ({"ties": "none"}, "ties='none' is unknown; .*'half', 'own', 'full', or None"),
        ({"flat": "yes"}, "flat='yes': it must be True or False"),
        ({"normalize": 1}, "normalize=1: it must be True or False"),
    ],
)
def test_unknown_words_are_refused(params, words):
    with pytest.raises(ValueError, match=words):
        oe.cem([1, 2], [1, 2], **params)
    if "normalize" not in params and "flat" not in params:
        for function in (oe.parts.cem_floor, oe.parts.closeness_matrix):
            with pytest.raises(ValueError, match=words):
                function([1, 2], [1, 2], **params)


def test_tables_take_labels_or_counts_and_nothing_else():
    for function in (oe.parts.cem_floor, oe.parts.closeness_matrix):
        counts = oe.count(["a", "b", "b"], ["b", "b", "b"], labels=["a", "b"])
        np.testing.assert_array_equal(function(counts), function(["a", "b", "b"], ["b", "b", "b"], labels=["a", "b"]))
        weighted = function(["a", "b"], ["b", "b"], labels=["a", "b"], sample_weight=[1, 2])
        np.testing.assert_array_equal(function(counts), weighted)
        with pytest.raises(TypeError, match="Counts.from_matrix"):
            function(np.eye(2))
        with pytest.raises(TypeError, match="labels was given with Counts"):
            function(counts, labels=["a", "b"])
