"""Is it the published metric?  Printed numbers with their printed decimals and their source, for every classical metric."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tables import TABLE_4X4, counted, value

import ordeval as oe

CHECKED = json.loads((Path(__file__).parent / "table_4x4.json").read_text(encoding="utf-8"))

# Cardoso & Sousa (2011), Tables 1 to 5: MER, MAE, Spearman, tau-b, r_int as printed.
OCI_PAPER = {
    "A": ([[4, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.0 0.0 1.0 1.0 1.0"),
    "B": ([[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 0.77 1.0 1.0 1.0"),
    "C": ([[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 1.08 0.79 0.75 0.80"),
    "D": ([[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]], "0.77 0.77 0.24 0.11 0.53"),
    "CM1": ([[2, 0, 1], [1, 1, 0], [2, 1, 2]], "0.50 0.80 0.20 0.19 0.39"),
    "CM2": ([[1, 0, 0], [0, 4, 0], [2, 2, 1]], "0.40 0.60 0.10 0.11 0.45"),
    "CM3": ([[1, 0, 1], [0, 0, 0], [3, 2, 0]], "0.86 1.43 -0.26 -0.254 0.34"),
    "CM4": ([[1, 0, 1], [0, 2, 1], [1, 1, 0]], "0.57 0.85* -0.25 -0.250 0.08"),
    "CM5": ([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [0, 0, 0, 0]], "0.86 1.00 0.89 0.84 0.81"),
    "CM6": ([[0, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]], "0.71 1.00 -0.29 -0.26 0.06"),
    "CM10": ([[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 11, 39, 0], [0, 0, 0, 5, 30]], "0.11 0.11 0.93 0.91 0.91"),
    "CM11": ([[0] * 5, [0, 0, 45, 12, 0], [0, 0, 2, 87, 9], [0, 0, 0, 6, 44], [0, 0, 0, 0, 35]], "0.82 0.91 0.89 0.85 0.84"),
    "CM12": ([[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 21, 29, 0], [0, 0, 0, 29, 6]], "0.25 0.25 0.90 0.86 0.86"),
}
#: Printed numbers that are wrong: CM4's MAE is 6/7 = 0.857 (the paper prints 0.86 for the same number elsewhere).
#: CM5 stands here with the one row moved, (2, 2) to (2, 3), that makes all of its printed numbers right.
ERRATA = {("CM4", "mae"): 6 / 7}


@pytest.mark.parametrize("name", OCI_PAPER)
def test_tables_of_the_oci_paper(name):
    table, printed = OCI_PAPER[name]
    for text, metric in zip(printed.split(), ("mze", "mae", "spearman", "kendall_tau", "r_int"), strict=True):
        got = value(oe.get_metric(metric), np.array(table))
        if (name, metric) in ERRATA:
            assert got == pytest.approx(ERRATA[name, metric], abs=1e-12)
            continue
        decimals = len(text.partition(".")[2])
        assert abs(got - float(text)) <= 0.5 * 10**-decimals + 1e-9, (name, metric)


# Each: metric, y_true and y_pred or a table, the number, its decimals, the source.
PRINTED = [
    ("cohen_kappa(weights='identity')", [[75, 1, 4], [5, 4, 1], [0, 0, 10]], 0.68, 2, "Fleiss, Levin & Paik (2003), Tables 18.1 and 18.2"),
    ("cohen_kappa", [[9, 5, 2, 0, 0, 0], [4, 7, 1, 0, 0, 0], [1, 2, 4, 0, 1, 0], [0, 1, 1, 5, 1, 0], [0, 0, 0, 1, 2, 1], [0] * 5 + [1]], 0.816822, 6, "Fleiss, Cohen & Everitt's error, checked with R's vcd"),
    ("cohen_kappa(weights='identity')", [[118, 5], [2, 0]], -0.0234, 4, "Gwet (2002), the paradox table"),
    ("scott_pi(weights='identity')", [[118, 5], [2, 0]], -0.0288, 4, "Gwet (2002), the paradox table"),
    ("gwet_ac(weights='identity')", [[118, 5], [2, 0]], 0.9408, 4, "Gwet (2002), the paradox table"),
    ("brennan_prediger(weights='identity')", [[118, 5], [2, 0]], 0.888, 3, "2 Po - 1 with Po = 0.944, the paradox table"),
    ("krippendorff_alpha(level='nominal')", ("0100000010", "1110010000"), 0.095, 3, "Krippendorff (2011), Computing alpha, section A"),
    ("krippendorff_alpha(level='nominal')", ("aabbdcccedda", "babbbcccedda"[:11] + "d"), 0.692, 3, "Krippendorff (2011), Computing alpha, section B"),
    ("goodman_kruskal_gamma", [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]], 0.221, 3, "Agresti (2002), job satisfaction by income, C = 1331, D = 849"),
    ("amae", ("1222", "1212"), 1 / 6, 12, "imbalanced-learn's documentation of its macro-averaged error"),
    ("mae", ("1222", "1212"), 0.25, 12, "imbalanced-learn's documentation"),
    ("balanced_accuracy", ("010010", "010001"), 0.625, 3, "scikit-learn's documentation"),
    ("macro_f1", ("012012", "021001"), 0.2667, 4, "scikit-learn's documentation, 0.26..."),
    ("macro_precision", ("012012", "021001"), 0.22, 2, "scikit-learn's documentation"),
    ("matthews", ("1110", "1011"), -0.33, 2, "scikit-learn's documentation"),
    ("mutual_information", ("112233", "112233"), np.log(3), 12, "Shannon (1948): the entropy of three equal classes"),
    # Amigó et al. (2020), Appendix B: one error in the large class (A), one in the small class (B).
    ("order_f", ("1123", "2123"), 0.7917, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system A"),
    ("order_f", ("1123", "1122"), 0.9091, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("kendall_tau", ("1123", "2123"), 0.8, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system A"),
    ("kendall_tau", ("1123", "1122"), 0.8944, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("spearman", ("1123", "1122"), 0.9428, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("pearson", ("1123", "2123"), 0.8528, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system A"),
    ("cosine", ("1123", "2123"), 0.9737, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system A"),
    ("purity", ("1123", "1122"), 0.75, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("inverse_purity", ("1123", "1122"), 1.0, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("amse", ("1123", "1122"), 1 / 3, 6, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("mse", ("1123", "1122"), 0.25, 6, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
    ("kendall_tau(variant='a')", ("1123", "1122"), 0.6667, 4, "worked out for the example of Amigó et al. (2020), Appendix B, system B"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "data", "printed", "decimals", "source"), PRINTED, ids=lambda x: x if isinstance(x, str) else ""
)
def test_printed_numbers(text, data, printed, decimals, source):
    if isinstance(data, tuple):
        labels = sorted(set("".join(data)))
        counts = oe.count(list(data[0]), list(data[1]), labels=labels)
    else:
        counts = oe.Counts.from_matrix(data)
    got = float(oe.get_metric(text).bind(counts)(counts.matrix))
    assert abs(got - printed) <= 0.5 * 10**-decimals + 1e-12, source


@pytest.mark.parametrize("text", CHECKED["values"])
def test_the_reference_table(text):
    """Checked values of every metric and weight scheme for one table; most of them agree with an independent program."""
    assert CHECKED["table"] == TABLE_4X4
    got = value(oe.get_metric(text), np.array(TABLE_4X4))
    assert got == pytest.approx(CHECKED["values"][text]["value"], rel=1e-12, abs=1e-13)


# A scale of five classes of which one is absent from the truth, from the prediction, from both.
ABSENT = {
    "truth": [[4, 1, 0, 0, 0], [1, 3, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 2, 1], [0, 0, 0, 1, 5]],
    "prediction": [[4, 1, 0, 0, 0], [1, 3, 0, 1, 0], [0, 2, 0, 1, 0], [0, 0, 0, 2, 1], [0, 0, 0, 1, 5]],
    "both": [[4, 1, 0, 0, 0], [1, 3, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 2, 1], [0, 0, 0, 1, 5]],
    "both, at the top": [[4, 1, 0, 0, 0], [1, 3, 1, 0, 0], [0, 1, 2, 1, 0], [0, 0, 1, 2, 0], [0, 0, 0, 0, 0]],
}


class TestAbsentClasses:
    def score(self, text, where):
        return value(oe.get_metric(text), np.array(ABSENT[where]))

    def test_a_class_without_true_rows_is_left_out_of_class_averages(self):
        assert self.score("balanced_accuracy", "truth") == pytest.approx((4 / 5 + 3 / 5 + 2 / 4 + 5 / 6) / 4)
        assert self.score("amae", "truth") == pytest.approx((1 / 5 + 2 / 5 + 2 / 4 + 1 / 6) / 4)
        assert self.score("amae", "both") == pytest.approx(
            (1 / 5 + (1 + 2) / 5 + 1 / 3 + 1 / 6) / 4
        )  # the gap keeps its distance
        assert self.score("amse", "both") == pytest.approx((1 / 5 + (1 + 4) / 5 + 1 / 3 + 1 / 6) / 4)
        assert self.score("mmae", "both") == 3 / 5
        assert self.score("min_mae", "both") == 1 / 6
        assert self.score("minimum_sensitivity", "truth") == 2 / 4
        assert self.score("minimum_sensitivity", "prediction") == 0  # true but never found
        assert self.score("geometric_mean_sensitivity", "prediction") == 0
        assert self.score("geometric_mean_sensitivity", "truth") == pytest.approx((4 / 5 * 3 / 5 * 2 / 4 * 5 / 6) ** 0.25)

    def test_a_class_only_predicted_counts_as_0_in_macro_f1_and_one_used_by_nobody_is_left_out(self):
        f1 = [2 * 4 / 10, 2 * 3 / 9, 0, 2 * 2 / 7, 2 * 5 / 12]
        assert self.score("macro_f1", "truth") == pytest.approx(sum(f1) / 5)
        assert self.score("macro_f1", "both") == pytest.approx((2 * 4 / 10 + 2 * 3 / 9 + 2 * 2 / 7 + 2 * 5 / 12) / 4)
        assert self.score("macro_precision", "prediction") == pytest.approx((4 / 5 + 3 / 6 + 2 / 5 + 5 / 6) / 4)

    def test_the_extremes_of_the_scale_need_true_rows(self):
        assert np.isnan(self.score("mean_extreme_sensitivity", "both, at the top"))
        assert np.isnan(self.score("geometric_mean_extreme_sensitivity", "both, at the top"))
        assert self.score("mean_extreme_sensitivity", "truth") == pytest.approx((4 / 5 + 5 / 6) / 2)

    def test_scores_that_depend_on_the_whole_scale_do(self):
        smaller = np.array(ABSENT["both, at the top"])[:4, :4]
        for text in ("smae", "gwet_ac", "brennan_prediger", "kendall_tau(variant='c')", "cohen_kappa(weights='ratio')"):
            metric = oe.get_metric(text)
            assert metric.uses_unused_classes
        for text in ("smae", "gwet_ac", "brennan_prediger", "kendall_tau(variant='c')"):
            assert self.score(text, "both, at the top") != pytest.approx(value(oe.get_metric(text), smaller))
        for text in ("cohen_kappa", "scott_pi", "krippendorff_alpha", "matthews", "spearman", "r_int", "purity"):
            assert self.score(text, "both, at the top") == pytest.approx(value(oe.get_metric(text), smaller), abs=1e-14)

    @pytest.mark.parametrize("where", ABSENT)
    def test_every_other_metric_has_a_value(self, where):
        undefined = {m.name for m in counted() if np.isnan(value(m, np.array(ABSENT[where])))}
        assert undefined == ({"mean_extreme_sensitivity", "geometric_mean_extreme_sensitivity"} if "top" in where else set())


class TestWeights:
    COUNTS = oe.Counts.from_matrix(TABLE_4X4)

    def test_a_matrix_is_the_scheme_it_spells(self):
        d = np.abs(np.subtract.outer(range(4), range(4)))
        for name in ("cohen_kappa", "scott_pi", "gwet_ac", "brennan_prediger"):
            function = getattr(oe, name)
            assert function(self.COUNTS, weights=1 - d / 3) == pytest.approx(function(self.COUNTS, weights="linear"), abs=1e-15)
            assert function(self.COUNTS, power=2) == pytest.approx(function(self.COUNTS), abs=1e-15)
            assert function(self.COUNTS, power=0.5) == pytest.approx(function(self.COUNTS, weights="radical"), abs=1e-15)

    def test_a_metric_with_a_matrix_prints_and_parses(self):
        metric = oe.get_metric("cohen_kappa").with_params(weights=np.array([[1, 0.5], [0.5, 1]]))
        assert str(metric) == "cohen_kappa(weights=((1.0, 0.5), (0.5, 1.0)))"
        assert oe.get_metric(str(metric)) == metric
        assert metric.bounds_for(2) == (-np.inf, 1)

    def test_concordance_correlation_is_quadratic_kappa(self):
        t, p = np.array([1, 2, 3, 4, 4, 2]), np.array([1, 3, 3, 4, 2, 2])
        moments = 2 * np.mean((t - t.mean()) * (p - p.mean())) / (t.var() + p.var() + (t.mean() - p.mean()) ** 2)
        assert oe.get_metric("concordance_correlation")(t, p) == pytest.approx(moments, abs=1e-15)

    @pytest.mark.parametrize(
        ("weights", "words"),
        [
            ([[1, 0.5], [0.4, 1]], "symmetric, with 1 on its diagonal"),
            ([[0.9, 0.5], [0.5, 1]], "symmetric, with 1 on its diagonal"),
            ([[1, 2], [2, 1]], "no number above 1"),
            ([[1, 1], [1, 1]], "no number above 1 and at least one below 1"),
            ([[1, np.nan], [np.nan, 1]], "finite numbers"),
            ([1, 2], "square matrix"),
            ("cubic", "'identity', 'linear'"),
            (3, "square matrix"),
            ([[1, 0], [0, 1]], "is 2 by 2, but the scale has 4 classes"),
        ],
    )
    def test_weights_that_are_none(self, weights, words):
        with pytest.raises(ValueError, match=words):
            oe.cohen_kappa(self.COUNTS, weights=weights)

    def test_powers_that_are_none(self):
        for power in (0, -1, np.inf, np.nan, True, "2"):
            with pytest.raises(ValueError, match="a number above 0"):
                oe.cohen_kappa(self.COUNTS, power=power)
        with pytest.raises(ValueError, match="leave weights out"):
            oe.cohen_kappa(self.COUNTS, weights="linear", power=2)

    def test_gwets_coefficient_wants_normed_weights(self):
        halved = 1 - 0.5 * np.abs(np.subtract.outer(range(4), range(4))) / 3
        with pytest.raises(ValueError, match="rescale the matrix so that its smallest weight is 0"):
            oe.gwet_ac(self.COUNTS, weights=halved)
        assert oe.cohen_kappa(self.COUNTS, weights=halved) == pytest.approx(oe.cohen_kappa(self.COUNTS, weights="linear"))

    def test_high_powers_fall_below_minus_1(self):
        corner = [[0, 0, 1], [0, 10**6, 0], [1, 0, 0]]
        assert oe.cohen_kappa(oe.Counts.from_matrix(corner), power=4) == pytest.approx(1 - 2**3, rel=1e-3)


@pytest.mark.parametrize("text", ["kendall_tau(variant='a')", "r_int", "krippendorff_alpha"])
def test_frequencies_are_whole(text):
    metric = oe.get_metric(text)
    assert metric([1, 2, 3], [1, 2, 2], labels=[1, 2, 3], sample_weight=[2.0, 1.0, 3.0]) == pytest.approx(
        metric([1, 1, 2, 3, 3, 3], [1, 1, 2, 2, 2, 2], labels=[1, 2, 3]), abs=1e-15
    )
    with pytest.raises(ValueError, match="defined for whole-number counts, and these weights have fractions"):
        metric([1, 2], [1, 2], sample_weight=[0.5, 1])


def test_shared_information_is_never_more_than_either_side_has():
    """Not even by the last digit: on these tables, whose prediction says all about the truth, rounding would say so."""
    perfect = [np.diag(classes) for classes in ([32, 26, 14, 16, 3], [40, 33, 1], [34, 35, 20, 43, 7], [36, 42, 26, 19])]
    finer = [[[26, 0, 0, 0], [0, 0, 0, 0], [0, 19, 16, 0], [0, 0, 0, 21]], [[0, 0, 18], [0, 0, 0], [46, 27, 0]]]
    for table in (*perfect, *finer):
        assert oe.mutual_information(oe.Counts.from_matrix(table), mean="min") <= 1


def weight_by_hand(scheme, i, j, k):
    """Gwet's weights: what it counts when one says class i of 1..k and the other says class j."""
    if scheme == "identity":
        return float(i == j)
    if scheme == "linear":
        return 1 - abs(i - j) / (k - 1)
    if scheme == "quadratic":
        return 1 - (i - j) ** 2 / (k - 1) ** 2
    if scheme == "radical":
        return 1 - math.sqrt(abs(i - j)) / math.sqrt(k - 1)
    if scheme == "ordinal":
        return 1 - math.comb(abs(i - j) + 1, 2) / math.comb(k, 2)
    if scheme == "ratio":
        return 1 - ((i - j) / (i + j)) ** 2 / ((k - 1) / (k + 1)) ** 2
    if scheme == "circular":
        turned = [[math.sin(math.pi * (a - b) / k) ** 2 for b in range(k)] for a in range(k)]
        return 1 - turned[i - 1][j - 1] / max(map(max, turned))
    return float(i == j) or 1 - (i - j) ** 2 / ((i + j - 2) * (2 * k - i - j))


@pytest.mark.parametrize("k", [2, 3, 4, 7])
@pytest.mark.parametrize("scheme", ["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"])
def test_weights_of_a_scheme_are_those_of_its_formula(scheme, k):
    """Gwet's AC depends on how weights are normed, so it tells them apart; the matrix itself is given for comparison."""
    matrix = [[weight_by_hand(scheme, i, j, k) for j in range(1, k + 1)] for i in range(1, k + 1)]
    for table in np.random.default_rng(k).integers(0, 9, (5, k, k)):
        counts = oe.Counts.from_matrix(table)
        for score in (oe.gwet_ac, oe.cohen_kappa, oe.brennan_prediger):
            assert score(counts, weights=scheme) == pytest.approx(score(counts, weights=matrix), abs=1e-12)


@pytest.mark.parametrize("power", [2.1, 2.5, 2.9, 3, 4])
def test_beyond_squares_kappa_may_fall_below_minus_one(power):
    table = np.array([[0, 0, 0, 4], [0, 0, 0, 0], [0, 1, 0, 0], [4, 0, 0, 0]])
    for name in ("cohen_kappa", "scott_pi"):
        metric = oe.get_metric(f"{name}(power={power})")
        lowest, highest = metric.bounds_for(4)
        assert lowest <= value(metric, table) <= highest
    assert value(oe.get_metric(f"cohen_kappa(power={power})"), table) < -1
