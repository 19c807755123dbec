"""Is it the published index?  Cardoso & Sousa (2011), every printed number; the uniform index of Silva et al. (2018).

The text of Silva et al. was not to be had: its definition is that of the authors' program, its values here are verified by
all paths and not printed ones.
"""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import TABLE_4X4, all_tables, random_tables, same, tables, value

import ordeval as oe
from ordeval import Counts, get_metric
from ordeval.metrics.solvers import paths as _paths
from ordeval.metrics.solvers import walks as _walks
from ordeval.papers._oci import general
from papers import derivations

#: The confusion matrices of Tables 1 to 5, rows the truth; CM5fix is the printed CM5 with one row moved, (2, 2) to (2, 3).
TABLES = {
    "A": [[4, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "B": [[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "C": [[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "D": [[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "CM1": [[2, 0, 1], [1, 1, 0], [2, 1, 2]],
    "CM2": [[1, 0, 0], [0, 4, 0], [2, 2, 1]],
    "CM3": [[1, 0, 1], [0, 0, 0], [3, 2, 0]],
    "CM4": [[1, 0, 1], [0, 2, 1], [1, 1, 0]],
    "CM5": [[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 3], [0, 0, 0, 0]],
    "CM6": [[0, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]],
    "CM10": [[0, 0, 0, 0, 0], [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 11, 39, 0], [0, 0, 0, 5, 30]],
    "CM11": [[0, 0, 0, 0, 0], [0, 0, 45, 12, 0], [0, 0, 2, 87, 9], [0, 0, 0, 6, 44], [0, 0, 0, 0, 35]],
    "CM12": [[0, 0, 0, 0, 0], [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 21, 29, 0], [0, 0, 0, 29, 6]],
    "CM5fix": [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [0, 0, 0, 0]],
}

#: As printed: MER, MAE, Rs, tau_b, r_int, OC with 0.25, OC with 0.75.
PRINTED = {
    "A": "0.0 0.0 1.0 1.0 1.0 0.0 0.0",
    "B": "0.77 0.77 1.0 1.0 1.0 0.50 0.63",
    "C": "0.77 1.08 0.79 0.75 0.80 0.61 0.78",
    "D": "0.77 0.77 0.24 0.11 0.53 0.65 0.72",
    "CM1": "0.50 0.80 0.20 0.19 0.39 0.63 0.69",
    "CM2": "0.40 0.60 0.10 0.11 0.45 0.53 0.58",
    "CM3": "0.86 1.43 -0.26 -0.254 0.34 0.79 0.93",
    "CM4": "0.57 0.85 -0.25 -0.250 0.08 0.71 0.75",
    "CM5": "0.86 1.00 0.89 0.84 0.81 0.58 0.75",
    "CM6": "0.71 1.00 -0.29 -0.26 0.06 0.74 0.79",
    "CM10": "0.11 0.11 0.93 0.91 0.91 0.12 0.13",
    "CM11": "0.82 0.91 0.89 0.85 0.84 0.55 0.66",
    "CM12": "0.25 0.25 0.90 0.86 0.86 0.23 0.26",
}

COLUMNS = ("mer", "mae", "spearman", "tau_b", "r_int", "oc_25", "oc_75")

#: Eight printed numbers that the printed matrices do not have, and why.
ERRATA = {
    **{
        ("CM5", column): "the matrix is misprinted: with (2, 2) moved to (2, 3) all seven numbers are right" for column in COLUMNS
    },
    ("CM4", "mae"): "6/7 = 0.857, cut to 0.85; the same 6/7 is printed as 0.86 for CM3's MER",
}

#: What the verified values below are values of.
TEXTS = (
    "oci(share=0.25)",
    "oci",
    "oci(share=0)",
    "oci(beta=1)",
    "oci_unnormalized(share=0.25)",
    "oci_unnormalized",
    "oci(share=0.25, gamma=2)",
    "oci(gamma=2)",
    "oci(gamma=3)",
    "oci(gamma=inf)",
    "uoc(beta=0)",
    "uoc(beta=0.25)",
    "uoc(beta=0.75)",
    "uoc(beta=1)",
    "auoc",
    "auoc(empty='uniform')",
    "auoc(empty='diagonal')",
)

#: Verified to nine digits by all paths, in the order of TEXTS.
VALUES = {
    "A": "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.31 0",
    "B": "0.498885173 0.627090301 0.434782609 0.869565217 0.064102564 0.192307692 0.217025443 0.259760486 0.163532817 0.071428571 0.4 0.566666667 0.8 0.8 0.68 0.729591837 0.555555556",
    "C": "0.608262108 0.782051282 0.518518519 0.888888889 0.08974359 0.269230769 0.312147356 0.40616445 0.28667149 0.133333333 0.5 0.75 0.833333333 0.833333333 0.770833333 0.7890625 0.653061224",
    "D": "0.647157191 0.724080268 0.608695652 0.869565217 0.346153846 0.423076923 0.455968305 0.481609331 0.418934948 0.357142857 0.6 0.683333333 0.8 0.8 0.74 0.755102041 0.611111111",
    "CM1": "0.630555556 0.686111111 0.555555556 0.722222222 0.275 0.375 0.480328594 0.52810002 0.47873055 0.416666667 0.561290323 0.619623656 0.696774194 0.696774194 0.657440166 0.657440166 0.657440166",
    "CM2": "0.525 0.575 0.5 0.625 0.225 0.275 0.404702459 0.429702459 0.384872817 0.333333333 0.380952381 0.414285714 0.476190476 0.476190476 0.442176871 0.442176871 0.442176871",
    "CM3": "0.789915966 0.930672269 0.647058824 0.941176471 0.285714286 0.571428571 0.591317552 0.786730205 0.733805857 0.654761905 0.673913043 0.854347826 0.891304348 0.891304348 0.858223062 0.836747397 0.713010204",
    "CM4": "0.710164835 0.745879121 0.692307692 0.769230769 0.446428571 0.482142857 0.615316024 0.633173167 0.597624484 0.555555556 0.714285714 0.755952381 0.8 0.8 0.777959184 0.777959184 0.777959184",
    "CM5": "0.532967033 0.675824176 0.461538462 0.846153846 0.071428571 0.214285714 0.319526273 0.383018336 0.294074305 0.222222222 0.454545455 0.662878788 0.818181818 0.818181818 0.731404959 0.7890625 0.609467456",
    "CM6": "0.738095238 0.785714286 0.714285714 0.857142857 0.452380952 0.5 0.620212802 0.636085818 0.594217659 0.555555556 0.75 0.855555556 0.9 0.9 0.87525 0.876595041 0.757655955",
    "CM10": "0.122094452 0.134073619 0.116104869 0.202247191 0.02265625 0.034635417 0.039002684 0.041997476 0.029929631 0.020746888 0.125328457 0.155682467 0.216390487 0.232622448 0.1852152 0.481660769 0.150776305",
    "CM11": "0.550220615 0.65625 0.493449782 0.906113537 0.090104167 0.202083333 0.111117659 0.144971825 0.077551463 0.041322314 0.457165653 0.643308242 0.840768592 0.840768592 0.73771195 0.796845173 0.638569527",
    "CM12": "0.230790594 0.260478094 0.215946844 0.405315615 0.031510417 0.061197917 0.051369377 0.058791252 0.035318298 0.020746888 0.268469846 0.354180999 0.521856597 0.521856597 0.428221108 0.613085585 0.357087348",
    "CM5fix": "0.583333333 0.75 0.5 0.928571429 0.083333333 0.25 0.335714286 0.407142857 0.303031054 0.222222222 0.5 0.75 0.916666667 0.916666667 0.822916667 0.849480969 0.693877551",
}

#: Equation 8 as walks, gamma 1, beta1 of share 0.25 (anti3: 0), by beta2.
GENERAL = {
    "D": {
        0: 0.498885173,
        0.005: 0.503885173,
        0.01: 0.508885173,
        0.02: 0.518885173,
        0.05: 0.548885173,
        0.1: 0.598885173,
        1: 0.647157191,
    },
    "CM1": {0: 0.544444444, 0.005: 0.569444444, 0.01: 0.585, 0.02: 0.595, 0.05: 0.625, 0.1: 0.630555556, 1: 0.630555556},
    "CM3": {
        0: 0.766806723,
        0.005: 0.786806723,
        0.01: 0.789915966,
        0.02: 0.789915966,
        0.05: 0.789915966,
        0.1: 0.789915966,
        1: 0.789915966,
    },
    "CM4": {
        0: 0.568681319,
        0.005: 0.598681319,
        0.01: 0.628681319,
        0.02: 0.66989011,
        0.05: 0.701098901,
        0.1: 0.710164835,
        1: 0.710164835,
    },
    "CM6": {
        0: 0.583333333,
        0.005: 0.618333333,
        0.01: 0.653333333,
        0.02: 0.690952381,
        0.05: 0.728571429,
        0.1: 0.738095238,
        1: 0.738095238,
    },
    "anti3": {0: 0.666666667, 0.01: 0.696666667, 0.02: 0.726666667, 0.05: 0.816666667, 0.1: 0.833333333, 1: 0.833333333},
}
ANTI3 = [[0, 0, 1], [0, 0, 0], [1, 0, 0]]

#: Figure 5, by K: MER, MAE, Rs, tau_b, r_int, OC with 0.25, OC with 0.75; then AUOC.
TRIDIAGONAL = {
    2: "0.5 0.5 0 0 0.25 0.5625 0.666666667 0.611111111",
    3: "0.571428571 0.571428571 0.5 0.4375 0.461538462 0.581168831 0.652597403 0.645408163",
    4: "0.6 0.6 0.722580645 0.621621622 0.58490566 0.5875 0.6375 0.670360111",
    5: "0.615384615 0.615384615 0.825714286 0.71641791 0.662921348 0.590659341 0.629120879 0.684895833",
    10: "0.642857143 0.642857143 0.958287293 0.875 0.826732673 0.595885093 0.613742236 0.713036235",
    30: "0.659090909 0.659090909 0.995495813 0.961517905 0.941236587 0.59873132 0.604413138 0.731138237",
    100: "0.66442953 0.66442953 0.999598427 0.988761744 0.982266718 0.599629249 0.601307101 0.737354468",
}

#: Figure 4, by beta: OC of a single row at distance 0 to 9.
FIGURE_4 = {
    0.5: "0 1 1 1 1 1 1 1 1 1",
    0.125: "0 0.625 0.916667 1 1 1 1 1 1 1",
    0.0313: "0 0.5313 0.729267 0.8439 0.9252 0.989833 1 1 1 1",
    0: "0 0.5 0.666667 0.75 0.8 0.833333 0.857143 0.875 0.888889 0.9",
}


def table_of(cells, k):
    table = np.zeros((k, k), int)
    for (t, p), number in cells.items():
        table[t - 1, p - 1] = number
    return table


def score(text, table):
    return value(get_metric(text), np.asarray(table))


def r_int(table):
    """From pairs of different rows (Pinto da Costa et al. 2008); here only because the tables print it."""
    pairs = derivations.pair_counts(table)
    both = sum(w * (w - 1) // 2 for _, _, w in derivations.cells(table))
    untied = pairs["concordant"] + pairs["discordant"]
    shared = pairs["concordant"] + pairs["tied_true"] + pairs["tied_pred"] + 2 * both
    of_true = untied + pairs["tied_pred"] + 2 * (pairs["tied_true"] + both)
    of_pred = untied + pairs["tied_true"] + 2 * (pairs["tied_pred"] + both)
    return -1 + 2 * shared / math.sqrt(of_true * of_pred)


def computed(table):
    texts = ("mae", "spearman", "kendall_tau", "oci(share=0.25)", "oci")
    mae, rs, tau, low, high = (score(text, table) for text in texts)
    return dict(zip(COLUMNS, (1 - score("accuracy", table), mae, rs, tau, r_int(table), low, high), strict=True))


def as_printed(printed, found):
    """Rounded either way at a half: 0.525 is printed as 0.53."""
    decimals = len(printed.partition(".")[2])
    return abs(float(printed) - found) <= 0.5 * 10**-decimals + 1e-9


class TestTables:
    def test_83_of_91_numbers_are_reproduced_and_8_explained(self):
        numbers = {
            (name, column): text for name, row in PRINTED.items() for column, text in zip(COLUMNS, row.split(), strict=True)
        }
        found = {(name, column): number for name in PRINTED for column, number in computed(TABLES[name]).items()}
        wrong = {place for place, text in numbers.items() if not as_printed(text, found[place])}
        assert len(numbers) == 91
        assert wrong == set(ERRATA)
        assert len(numbers) - len(wrong) == 83

    def test_the_corrected_cm5_has_all_seven_numbers(self):
        found = computed(TABLES["CM5fix"])
        for column, text in zip(COLUMNS, PRINTED["CM5"].split(), strict=True):
            assert as_printed(text, found[column]), column
        assert (np.array(TABLES["CM5fix"]) - TABLES["CM5"]).tolist() == [[0, 0, 0, 0], [0, -1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]

    def test_the_mae_of_cm4_is_six_sevenths(self):
        assert score("mae", TABLES["CM4"]) == pytest.approx(6 / 7, rel=1e-15)
        assert score("accuracy", TABLES["CM3"]) == pytest.approx(1 - 6 / 7, rel=1e-15)

    def test_the_number_of_classes_is_the_declared_one(self):
        """Dropping the class of CM10 that nobody used gives other digits than the printed 0.12 and 0.13."""
        smaller = np.array(TABLES["CM10"])[1:, 1:]
        assert score("oci(share=0.25)", smaller) == pytest.approx(0.124091, abs=1e-6)
        assert score("oci", smaller) == pytest.approx(0.140063, abs=1e-6)

    @pytest.mark.parametrize("name", VALUES)
    def test_verified_values(self, name):
        for text, expected in zip(TEXTS, VALUES[name].split(), strict=True):
            assert score(text, TABLES[name]) == pytest.approx(float(expected), abs=6e-10), text

    def test_values_of_the_4x4_table(self):
        counts = Counts.from_matrix(TABLE_4X4)
        beta = 0.75 / (87 * 3)
        assert oe.oci(counts) == pytest.approx(0.4611362351611079, rel=1e-14)
        assert oe.oci(counts, share=0.25) == pytest.approx(0.43240060297719995, rel=1e-14)
        assert oe.oci(counts, beta=beta) == pytest.approx(oe.oci(counts), rel=1e-14)
        assert oe.oci_unnormalized(counts, beta=beta) == pytest.approx(0.22701149425287356, rel=1e-14)
        assert oe.oci_unnormalized(counts) == pytest.approx(0.22701149425287356, rel=1e-14)
        assert oe.oci_general(counts, beta1=beta, beta2=0) == pytest.approx(0.38745995854531756, rel=1e-14)
        assert oe.uoc(counts, beta=0.25) == pytest.approx(0.4642775888495067, rel=1e-14)
        assert oe.uoc(counts, beta=0.75) == pytest.approx(0.5398505603985055, rel=1e-14)
        assert oe.auoc(counts) == pytest.approx(0.4983793650522863, rel=1e-14)

    def test_the_uniform_index_is_not_symmetric(self):
        assert score("auoc", TABLES["CM2"]) == pytest.approx(0.442177, abs=1e-6)
        assert score("auoc", np.transpose(TABLES["CM2"])) == pytest.approx(0.548469, abs=1e-6)

    def test_the_area_agrees_with_a_fine_grid(self):
        betas = np.linspace(0, 1, 1001)
        for name in ("CM1", "CM6", "CM10"):
            heights = [score(f"uoc(beta={beta})", TABLES[name]) for beta in betas.tolist()]
            assert np.trapezoid(heights, betas) == pytest.approx(score("auoc", TABLES[name]), abs=1e-5)


class TestFigures:
    @pytest.mark.parametrize("beta", FIGURE_4)
    def test_figure_4(self, beta):
        for d, expected in enumerate(FIGURE_4[beta].split()):
            found = score(f"oci(beta={beta})", table_of({(1, 1 + d): 1}, 10))
            assert found == pytest.approx(float(expected), abs=6e-7)
            assert found == pytest.approx(min(1, 1 - 1 / (1 + d) + beta * d), abs=1e-15)

    def test_the_formula_of_section_3_2_is_right_for_gamma_1_only(self):
        """Printed as beta d; for other powers the penalty is beta d**gamma."""
        for gamma, d in ((2, 3), (0.5, 4), (3, 2)):
            assert score(f"oci(beta=0.01, gamma={gamma})", table_of({(1, 1 + d): 1}, 6)) == pytest.approx(
                1 - 1 / (1 + d) + 0.01 * d**gamma, abs=1e-15
            )

    @pytest.mark.parametrize("k", TRIDIAGONAL)
    def test_figure_5(self, k):
        table = sum(np.eye(k, k=offset, dtype=int) for offset in (-1, 0, 1))
        *expected, area = map(float, TRIDIAGONAL[k].split())
        if k <= 10:
            assert list(computed(table.tolist()).values()) == pytest.approx(expected, abs=1e-9)
        assert score("auoc", table) == pytest.approx(area, abs=1e-9)
        for share, printed in zip((0.25, 0.75), expected[-2:], strict=True):
            closed = min(1 - (2 * k - 1) / (5 * k - 4) + share / (3 * k - 2), 1 - k / (5 * k - 4))
            assert score(f"oci(share={share})", table) == pytest.approx(closed, abs=1e-14)
            assert closed == pytest.approx(printed, abs=1e-9)


class TestAppendixA:
    def test_from_1_over_n_plus_1_the_path_is_the_main_diagonal(self):
        for k, n in ((2, 1), (2, 4), (3, 3)):
            for table in all_tables(k, n):
                distance = np.abs(np.subtract.outer(range(k), range(k)))
                moved, wrong = (table * distance).sum(), n - np.trace(table)
                assert score(f"oci(beta={1 / (n + 1)})", table) == pytest.approx((moved + wrong) / (moved + n), abs=1e-15)

    def test_the_bound_is_sharp_at_one_row(self):
        assert score("oci(beta=0.5)", [[0, 1], [0, 0]]) == 1
        assert score("oci(beta=0.4999)", [[0, 1], [0, 0]]) == pytest.approx(0.9999, abs=1e-15)

    def test_it_does_not_hold_for_fractions_which_are_refused(self):
        table = np.array([[0.9, 0.1], [0, 0]])
        options = {"penalty": np.array([0, 0.5]), "relative": False, "gamma": 1.0}
        assert float(get_metric("oci").kernel(table, **options)) == pytest.approx(0.140909, abs=1e-6)
        with pytest.raises(ValueError, match=r"oci\(beta=0.5\) is defined for whole-number counts"):
            oe.oci(Counts.from_matrix(table), beta=0.5)

    @pytest.mark.parametrize("n", [3, 4, 9])
    def test_the_triangle_is_broken_below_the_printed_bound_at_gamma_1(self, n):
        ab, bc, ac = [[n - 1, 0], [1, 0]], [[n - 1, 1], [0, 0]], [[n - 2, 1], [1, 0]]
        bound = (n - 1) / ((n + 1) * (n + 2))
        for beta, broken in ((bound - 1e-6, True), (bound + 1e-6, False)):
            text = f"oci(beta={beta})"
            assert (score(text, ab) + score(text, bc) < score(text, ac)) == broken
        assert score("oci(beta=0.1)", [[1, 1], [1, 0]]) == pytest.approx(0.7, abs=1e-15)

    def test_at_gamma_2_the_printed_bound_is_wrong(self):
        """For that triple it is (1 + G) / (N + G) - 2 / (N + 1) with G = 2**(1 / gamma): 0.0469 at N = 3, not 0.1."""
        text = "oci(beta=0.08, gamma=2)"
        two_sides = score(text, [[2, 0], [1, 0]]) + score(text, [[2, 1], [0, 0]])
        assert two_sides == pytest.approx(0.66, abs=1e-12)
        assert score(text, [[1, 1], [1, 0]]) == pytest.approx(0.626918, abs=1e-6)
        bound = (1 + 2**0.5) / (3 + 2**0.5) - 0.5
        assert bound == pytest.approx(0.046918, abs=1e-6)

    def test_equation_6_is_the_error_rate_from_beta_1_over_n(self):
        for table in all_tables(3, 3):
            assert score("oci_unnormalized(beta=0.3333333333333334)", table) == pytest.approx(1 - np.trace(table) / 3, abs=1e-15)


class TestProperties:
    FALLS = (  # share, classes, before, after: a right answer made wrong, and a better score
        (0, 3, {(1, 3): 1, (2, 2): 1}, {(1, 3): 1, (2, 3): 1}, "3/4", "3/5"),
        (0.25, 3, {(1, 3): 2, (2, 2): 1}, {(1, 3): 2, (2, 3): 1}, "6/7", "5/6"),
        (0.75, 6, {(1, 1): 1, (1, 3): 2, (2, 2): 1}, {(1, 1): 1, (1, 3): 2, (2, 3): 1}, "3/4", "107/144"),
        (0.75, 7, {(1, 3): 2, (2, 2): 1}, {(1, 3): 2, (2, 3): 1}, "6/7", "5/6"),
    )

    @pytest.mark.parametrize("case", FALLS, ids=lambda case: f"share {case[0]}, {case[1]} classes")
    def test_it_can_fall_when_a_right_answer_becomes_wrong(self, case):
        share, k, before, after, high, low = case
        assert score(f"oci(share={share})", table_of(before, k)) == pytest.approx(float(Fraction(high)), abs=1e-15)
        assert score(f"oci(share={share})", table_of(after, k)) == pytest.approx(float(Fraction(low)), abs=1e-15)

    def test_the_docstring_tells_the_smallest_cases(self):
        assert oe.oci([1, 2], [3, 2], labels=[1, 2, 3], share=0) == 3 / 4
        assert oe.oci([1, 2], [3, 3], labels=[1, 2, 3], share=0) == pytest.approx(3 / 5, abs=1e-15)
        assert oe.oci([1, 1, 2], [3, 3, 2], labels=range(1, 8)) == pytest.approx(6 / 7, abs=1e-15)
        assert oe.oci([1, 1, 2], [3, 3, 3], labels=range(1, 8)) == pytest.approx(5 / 6, abs=1e-15)

    def test_above_gamma_1_it_falls_as_rows_are_repeated(self):
        for copies, expected in ((1, 0.217025), (10, 0.092796), (100, 0.045115), (10_000, 0.023794)):
            assert score("oci(share=0.25, gamma=2)", copies * np.array(TABLES["B"])) == pytest.approx(expected, abs=1e-6)

    def test_only_a_perfect_prediction_scores_0(self):
        for text in ("oci", "oci(share=0)", "oci(gamma=0.5)", "oci(gamma=inf)", "oci_general", "uoc", "auoc", "oci_unnormalized"):
            for table in all_tables(3, 3):
                assert (score(text, table) == 0) == (np.trace(table) == 3), (text, table.tolist())
        assert score("oci_unnormalized(share=0)", TABLES["B"]) == 0

    @given(tables(most_classes=6), st.floats(0, 0.6), st.floats(0, 0.6))
    def test_it_rises_with_the_penalty_and_above_the_index_that_is_not_normalized(self, table, a, b):
        low, high = sorted((a, b))
        assert score(f"oci(beta={low})", table) <= score(f"oci(beta={high})", table) + 1e-15
        assert score(f"oci_unnormalized(beta={low})", table) <= score(f"oci(beta={low})", table) + 1e-15


class TestEveryPath:
    """Exact fractions over all paths, on every table with at most three classes and five rows."""

    @pytest.mark.parametrize("text", ["oci", "oci(share=0.25)", "oci_unnormalized", "uoc", "oci(beta=0.1)", "oci(share=0)"])
    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_all_tables_up_to_five_rows(self, text, k):
        metric = get_metric(text)
        derive = getattr(derivations, metric.name)
        for n in range(1, 6):
            stack = np.array(list(all_tables(k, n)))
            if metric.name != "uoc":
                found = metric.bind(Counts.from_matrix(stack[0]))(stack)
            else:  # each has classes present of its own
                found = [value(metric, table) for table in stack]
            exact = [float(derive(table.tolist(), **metric.params)) for table in stack]
            assert np.abs(np.array(found) - exact).max() <= 2e-16 * 2 * k

    @pytest.mark.parametrize("beta2", [0.003, 0.02, 0.1, 0.4])
    def test_all_walks(self, beta2):
        for k, most in ((1, 2), (2, 5), (3, 4)):
            for n in range(1, most + 1):
                stack = np.array(list(all_tables(k, n)))
                found = get_metric(f"oci_general(beta2={beta2})").bind(Counts.from_matrix(stack[0]))(stack)
                exact = [float(derivations.oci_general(table.tolist(), beta2=beta2)) for table in stack]
                assert np.abs(found - exact).max() <= 1e-15

    def test_a_long_stack_of_walks_is_cut_into_pieces(self):
        stack = np.random.default_rng(0).integers(0, 4, (300, 3, 3))
        bound = get_metric("oci_general(beta2=0.1)").bind(Counts.from_matrix(stack.sum(0)))
        assert bound(stack)[[0, 255, 256, 299]].tolist() == [float(bound(stack[i])) for i in (0, 255, 256, 299)]

    def test_the_area_by_halving_is_that_of_all_crossings(self):
        """The two ways of the derivation agree where both can be had."""
        for table in list(all_tables(4, 2))[::7]:
            q, classes = derivations.class_shares(table.tolist(), "zeros")
            divisor = classes + derivations.distance_norm(q, 1)
            lines = {
                (1 - sum(q[t][p] for t, p in path) / divisor, sum(abs(t - p) * q[t][p] for t, p in path) / classes)
                for path in derivations.monotone_paths(4)
            }
            crossings = {(b - a) / (x - y) for a, x in lines for b, y in lines if x != y}
            corners = {0, 1} | {x for x in crossings if 0 < x < 1}
            height = lambda beta, lines=lines: min(a + x * beta for a, x in lines)  # noqa: E731
            assert derivations.auoc(table.tolist()) == derivations.piecewise(height, corners)


class TestGeneral:
    @pytest.mark.parametrize("name", GENERAL)
    def test_verified_values(self, name):
        table = np.array(ANTI3 if name == "anti3" else TABLES[name])
        beta1 = 0 if name == "anti3" else 0.25 / (table.sum() * (len(table) - 1))
        for beta2, expected in GENERAL[name].items():
            assert score(f"oci_general(beta1={beta1}, beta2={beta2})", table) == pytest.approx(expected, abs=6e-10)

    @pytest.mark.parametrize("name", ["CM1", "CM3", "CM4", "anti3"])
    def test_trying_every_set_of_cells_for_the_report_gives_the_verified_values(self, name):
        table = np.array(ANTI3 if name == "anti3" else TABLES[name])
        beta1 = 0 if name == "anti3" else 0.25 / (2 * table.sum())
        for beta2, expected in GENERAL[name].items():
            assert general(table[None], beta1, beta2) == pytest.approx(expected, abs=6e-10)

    def test_as_many_walks_as_counted_by_hand(self):
        assert [len(_walks.connected_sets(k)[0]) for k in (1, 2, 3, 4)] == [1, 4, 88, 8276]
        assert sorted(_walks.connected_sets(3)[1]) == sorted(number for _, number in derivations.WALKS[3])

    def test_without_any_penalty_it_is_a_function_of_the_mae_at_gamma_1(self):
        for name, table in TABLES.items():
            mae = score("mae", table)
            assert score("oci_general(beta1=0)", table) == pytest.approx(mae / (1 + mae), abs=1e-15), name

    @given(tables(most_classes=4), st.sampled_from([1.0, 2.0, 3.0]))
    def test_the_closed_forms_are_reached_from_within(self, table, gamma):
        below, above = (score(f"oci_general(beta2={b}, gamma={gamma})", table) for b in (1e-15, 1 - 1e-12))
        assert same(score(f"oci_general(gamma={gamma})", table), below)
        assert same(score(f"oci(gamma={gamma})", table), above)

    @given(tables(most_classes=4), st.floats(0, 1), st.floats(0, 1))
    def test_it_rises_with_the_price_of_order(self, table, a, b):
        low, high = (score(f"oci_general(beta2={beta2})", table) for beta2 in sorted((a, b)))
        assert low <= high + 1e-15

    @given(tables(most_classes=3), st.floats(0.001, 0.3))
    def test_the_laws_hold_between_the_closed_forms(self, table, beta2):
        text = f"oci_general(beta1=0.01, beta2={beta2})"
        for other in (table.T, table[::-1, ::-1], np.pad(table, (0, 1)), np.pad(table, (1, 0))):
            assert same(score(text, table), score(text, other))
        relative = f"oci_general(beta2={beta2})"
        assert same(score(relative, table), score(relative, 7 * table))

    @pytest.mark.parametrize("share", [0, 0.25])
    def test_integer_programming_finds_what_trying_all_sets_finds(self, share):
        """Dense tables, and sparse ones whose heavy cells lie apart: there the walk has to be connected at a price."""
        rng = np.random.default_rng(5)
        distance = np.abs(np.subtract.outer(range(4), range(4)))
        apart = 0
        for i in range(30):
            table = rng.poisson((2, 10)[i % 2], (4, 4)) * (rng.random((4, 4)) < (0.2, 1)[i % 3 > 0])
            table[0, 3] += 1
            n, moved = table.sum(), (table * distance).sum()
            off, on = table / (n + moved), table * distance * share / (3 * n)
            conflict = 10 ** rng.uniform(-3, -1)
            tried = float(_walks.cheapest_walk(off[None], on[None], conflict)[0])
            assert _walks._searched(off, on, conflict) == pytest.approx(tried, abs=1e-15)
            heavy = [tuple(cell) for cell in np.argwhere(table)]
            loose = np.where(table > 0, on, off).sum() + conflict * derivations.clashes({*heavy, (0, 0), (3, 3)})
            apart += loose < tried - 1e-9
        assert apart >= 5

    def test_six_classes_are_searched_and_lie_between_the_closed_forms(self):
        table = np.random.default_rng(0).poisson(9 * np.exp(-np.abs(np.subtract.outer(range(6), range(6)))))
        least, between, most = (score(f"oci_general(beta2={b})", table) for b in (0, 0.005, 1))
        assert least < between < most
        stack = np.stack([table, table.T, table[::-1, ::-1]])
        found = get_metric("oci_general(beta2=0.005)").bind(Counts.from_matrix(table))(stack)
        assert found == pytest.approx([between] * 3, abs=1e-14)

    def test_beyond_the_limit_there_is_one_sentence(self):
        table = Counts.from_matrix(np.ones((11, 11), int))
        with pytest.raises(ValueError, match=r"beta2=0.01 needs an exact search.*up to 10 classes, but there are 11"):
            oe.oci_general(table, beta2=0.01)
        assert oe.oci_general(table, beta2=1) == oe.oci(table)
        assert oe.oci_general(table) < oe.oci(table)
        assert oe.oci_general(table, beta2=0.9) == oe.oci(table)  # at least N / (N + M): no search


class TestEdges:
    def test_one_class_and_one_row(self):
        for name in ("oci", "oci(beta=0.2)", "oci(gamma=2)", "oci_unnormalized", "oci_general", "uoc", "auoc"):
            assert score(name, [[3]]) == 0
        assert score("oci", [[0, 1], [0, 0]]) == 1
        assert score("oci(beta=0.2)", [[0, 1], [0, 0]]) == 0.7

    def test_no_rows_are_undefined_with_every_option(self):
        nothing = np.zeros((3, 3), int)
        for text in (*TEXTS, "oci_general(beta2=0.01)", "uoc(empty='uniform')", "oci(beta=inf)", "oci_unnormalized(beta=0.1)"):
            assert math.isnan(score(text, nothing)), text
        mixed = get_metric("oci").bind(Counts.from_matrix(TABLES["CM1"]))(np.array([TABLES["CM1"], nothing]))
        assert mixed[0] == score("oci", TABLES["CM1"])
        assert math.isnan(mixed[1])

    def test_nothing_cancels(self):
        n = 10**17
        one = score("oci", [[n, 0], [1, 0]])
        assert one == pytest.approx(1.75e-17, rel=1e-14)
        assert score("oci", [[10**12 - 1, 0], [1, 0]]) == pytest.approx(
            float(derivations.oci([[10**12 - 1, 0], [1, 0]])), rel=1e-14
        )
        assert score("auoc", [[n, 0], [1, n]]) == pytest.approx(7.5e-18, rel=1e-14)
        assert score("oci", np.diag([n, 3, 1])) == 0
        rng = np.random.default_rng(0)
        stack = np.zeros((500, 5, 5))
        stack[:, range(5), range(5)] = rng.random((500, 5))
        assert (get_metric("oci").bind(Counts.from_matrix(stack[0]))(stack) == 0).all()

    @pytest.mark.parametrize("gamma", [0.01, 300.0, 1e5, 1e308, math.inf])
    def test_no_power_overflows(self, gamma):
        table = table_of({(1, 12): 3, (6, 6): 4, (3, 5): 7}, 12)
        for text in (f"oci(gamma={gamma})", f"oci(gamma={gamma}, beta=1e-300)", f"oci_general(gamma={gamma})"):
            assert 0 < score(text, table) <= 1
        expected = {0.01: 1, 300.0: float(derivations.oci(table.tolist(), gamma=300))}.get(gamma, 14 / 25)
        assert score(f"oci(gamma={gamma})", table) == pytest.approx(expected, rel=1e-5 if gamma == 1e5 else 1e-14)
        assert score(f"oci(gamma={gamma}, beta=0)", table) == pytest.approx(expected, rel=1e-5 if gamma == 1e5 else 1e-14)

    def test_at_infinite_gamma_only_the_corners_are_penalized(self):
        assert score("oci(gamma=inf)", [[4, 0, 1], [0, 4, 0], [0, 0, 0]]) == pytest.approx(3 / 11, abs=1e-15)  # 2 + the corner
        assert score("oci(gamma=inf, share=0.25)", [[4, 0, 1], [0, 4, 0], [0, 4, 0]]) == pytest.approx(3 / 15, abs=1e-15)

    @pytest.mark.parametrize("beta", [1e300, math.inf])
    def test_a_huge_penalty_leaves_the_diagonal(self, beta):
        assert score(f"oci(beta={beta})", TABLES["B"]) == pytest.approx(20 / 23, abs=1e-15)
        assert score(f"oci_unnormalized(beta={beta})", TABLES["B"]) == pytest.approx(10 / 13, abs=1e-15)
        assert score(f"oci_general(beta1={beta}, beta2=0.1)", TABLES["B"]) == pytest.approx(20 / 23, abs=1e-15)

    def test_weights_scale_with_the_penalty(self):
        table = np.array(TABLES["CM1"])
        for copies in (2, 7):
            assert score("oci(beta=0.01)", copies * table) == pytest.approx(score(f"oci(beta={0.01 * copies})", table), abs=1e-15)
        assert score("oci", 0.3 * table) == pytest.approx(score("oci", table), abs=1e-15)
        assert score("oci_unnormalized(gamma=2)", 0.3 * table) == pytest.approx(
            score("oci_unnormalized(gamma=2)", table), abs=1e-15
        )

    def test_a_class_lost_from_a_replicate_is_undefined_not_ignored(self):
        counts = Counts.from_matrix([[2, 1], [0, 3]])
        replicate = np.array([[[2, 1], [0, 3]], [[0, 0], [1, 5]]])
        for name in ("uoc", "auoc"):
            whole, lost = get_metric(name).bind(counts)(replicate)
            assert whole == get_metric(name)(counts)
            assert math.isnan(lost)

    def test_stacks_longer_than_a_part_and_of_any_shape(self, monkeypatch):
        rng = np.random.default_rng(0)
        stack = rng.poisson(1.5, (4, 3, 6, 6))
        whole = {
            name: get_metric(name).bind(Counts.from_matrix(stack[0, 0]))
            for name in ("oci", "uoc", "auoc", "oci_general(beta2=0.9)")
        }
        alone = {name: bound(stack) for name, bound in whole.items()}
        monkeypatch.setattr(_paths, "_LINE", 30)
        for name, bound in whole.items():
            assert bound(stack) == pytest.approx(alone[name], abs=1e-15)
            assert bound(stack)[2, 1] == pytest.approx(float(bound(stack[2, 1])), abs=1e-15)
            assert bound(stack[:0]).shape == (0, 3)


class TestPath:
    def cost(self, table, path, share):
        """The index along one path, as equation 7 has it."""
        distance = np.abs(np.subtract.outer(range(len(table)), range(len(table))))
        n, moved = table.sum(), (table * distance).sum()
        on = tuple(np.array(path).T)
        return 1 - table[on].sum() / (n + moved) + share / (n * max(len(table) - 1, 1)) * (table * distance)[on].sum()

    @given(tables(most_classes=6), st.sampled_from([0, 0.25, 0.75, 1]))
    def test_it_has_the_score_and_is_the_closest_to_the_diagonal(self, table, share):
        k = len(table)
        path = oe.parts.oci_path(Counts.from_matrix(table), share=share)
        assert path[0] == (0, 0)
        assert path[-1] == (k - 1, k - 1)
        assert {(t - s, p - q) for (s, q), (t, p) in pairwise(path)} <= {(0, 1), (1, 0), (1, 1)}
        assert self.cost(table, path, share) == pytest.approx(score(f"oci(share={share})", table), abs=1e-14)
        if k <= 4:
            assert sum(abs(t - p) for t, p in path) == self.closest(table, share)

    @pytest.mark.parametrize("share", [0, 0.5, 0.75, 1])
    def test_of_equally_good_paths_it_is_the_closest_to_the_diagonal(self, share):
        """Where rows are few, many paths have the same score: every table of one row or two."""
        for table in (*all_tables(3, 1), *all_tables(3, 2), *all_tables(4, 1)):
            path = oe.parts.oci_path(Counts.from_matrix(table), share=share)
            assert sum(abs(t - p) for t, p in path) == self.closest(table, share), table.tolist()

    def closest(self, table, share):
        """The least sum of distances of the best among all paths."""
        gain = derivations.cell_gains(
            table.tolist(),
            table.sum().item() + derivations.distance_norm(table.tolist(), 1),
            derivations.step_penalties(table.tolist(), share, 1, None),
        )
        every = list(derivations.monotone_paths(len(table)))
        best = max(sum(gain[t][p] for t, p in other) for other in every)
        return min(sum(abs(t - p) for t, p in other) for other in every if sum(gain[t][p] for t, p in other) == best)

    def test_ties_go_to_the_diagonal(self):
        assert oe.parts.oci_path(Counts.from_matrix(np.diag([1, 0, 2, 5]))) == [(0, 0), (1, 1), (2, 2), (3, 3)]
        assert oe.parts.oci_path(Counts.from_matrix([[0, 1], [1, 0]])) == [(0, 0), (1, 1)]  # its two sides pay no less
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]])) == [(0, 0), (1, 1)]  # 1/4 + 1/4 either way
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]]), share=0.7499) == [(0, 0), (0, 1), (1, 1)]
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]]), gamma=math.inf, share=0.7) == [(0, 0), (0, 1), (1, 1)]
        assert oe.parts.oci_path(Counts.from_matrix(np.zeros((2, 2), int))) == [(0, 0), (1, 1)]
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]]), beta=math.inf) == [(0, 0), (1, 1)]
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]]), gamma=2.0, beta=0.2499) == [(0, 0), (0, 1), (1, 1)]
        assert oe.parts.oci_path(Counts.from_matrix([[1, 1], [0, 1]]), gamma=2.0, beta=0.26) == [(0, 0), (1, 1)]

    def test_labels_and_options(self):
        truth, answer = ["lo", "lo", "mid", "hi"], ["lo", "mid", "hi", "hi"]
        path = oe.parts.oci_path(truth, answer, labels=["lo", "mid", "hi"], share=0)
        assert path == [("lo", "lo"), ("lo", "mid"), ("mid", "hi"), ("hi", "hi")]
        assert oe.parts.oci_path(truth, answer, labels=["lo", "mid", "hi"], beta=1) == [
            ("lo", "lo"),
            ("mid", "mid"),
            ("hi", "hi"),
        ]
        with pytest.raises(ValueError, match="share=2: it must be a number from 0 to 1"):
            oe.parts.oci_path(truth, answer, labels=["lo", "mid", "hi"], share=2)
        with pytest.raises(ValueError, match="whole-number counts"):
            oe.parts.oci_path(truth, answer, labels=["lo", "mid", "hi"], sample_weight=[0.5, 1, 1, 1], gamma=2)
        assert oe.parts.oci_path(truth, answer, labels=["lo", "mid", "hi"], sample_weight=[0.5, 1, 1, 1], share=0) == path


REFUSED = {
    "oci(beta=-0.1)": "beta=-0.1: it must be a number of at least 0",
    "oci(beta='x')": "beta='x': it must be a number",
    "oci(beta=True)": "beta=True: it must be a number",
    "oci(gamma=0)": "gamma=0: it must be a number above 0",
    "oci(gamma=-1)": "gamma=-1: it must be a number above 0",
    "oci(gamma='two')": "gamma='two': it must be a number",
    "oci(gamma=None)": "gamma=None: it must be a number",
    "oci(share=1.5)": "share=1.5: it must be a number from 0 to 1",
    "oci(share=-0.1)": "share=-0.1: it must be a number from 0 to 1",
    "oci(share=None)": "share=None: it must be a number",
    "oci_unnormalized(share=2)": "share=2: it must be a number",
    "oci_unnormalized(beta=-1)": "beta=-1: it must be a number",
    "oci_general(beta1=-1)": "beta1=-1: it must be a number of at least 0",
    "oci_general(beta2=-1)": "beta2=-1: it must be a number of at least 0",
    "oci_general(beta2=None)": "beta2=None: it must be a number",
    "oci_general(gamma=0)": "gamma=0: it must be a number",
    "uoc(beta=-0.5)": "beta=-0.5: it must be a number from 0 to 1",
    "uoc(beta=2)": "beta=2: it must be a number from 0 to 1",
    "uoc(empty='none')": "empty='none' is unknown; choose one of 'zeros', 'uniform', 'diagonal'",
    "auoc(empty=0)": "empty=0 is unknown",
}


@pytest.mark.parametrize("text", REFUSED)
def test_bad_parameters_are_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=REFUSED[text]) as caught:
        get_metric(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["share", "gamma", "beta"])
def test_nan_is_no_parameter(name):
    with pytest.raises(ValueError, match=f"{name}=nan: it must be "):
        oe.oci([0, 1], [0, 1], labels=[0, 1], **{name: math.nan})


@pytest.mark.parametrize(
    "options", [{}, {"share": 0.0}, {"share": 0.25, "gamma": 2.0}, {"beta": 0.1}, {"beta": 0.01, "gamma": 0.5}], ids=str
)
def test_the_parts_of_the_index_add_up(options):
    """dispersion + left out + penalty, each from its own definition over the cells of the path, is the index."""
    for table in random_tables(60, seed=11, largest=4):
        counts = oe.Counts.from_matrix(table)
        parts = oe.parts.oci_parts(counts, **options)
        on = sum(table[t, p] for t, p in parts.path)
        assert parts.index == oe.oci(counts, **options)
        assert parts.dispersion + parts.left_out + parts.penalty == pytest.approx(parts.index, abs=1e-12)
        assert 1 - parts.benefit == pytest.approx(parts.dispersion + parts.left_out, abs=1e-12)
        assert (parts.rows, parts.on_path) == (table.sum(), on)
        assert list(parts.path) == oe.parts.oci_path(counts, **options)
        if options == {"share": 0.0}:
            assert parts.penalty == 0
    nothing = oe.parts.oci_parts(oe.Counts.from_matrix([[0, 0], [0, 0]]))
    assert nothing.path == ()
    assert np.isnan([nothing.index, nothing.dispersion, nothing.left_out, nothing.penalty]).all()


def test_no_rows_have_no_path():
    parts = oe.parts.oci_parts(oe.Counts.from_matrix([[0, 0], [0, 0]]))
    assert (parts.path, *(getattr(parts, name) for name in list(parts.__dataclass_fields__)[1:4])) == ((), 0.0, 0.0, 0.0)
