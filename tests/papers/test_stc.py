"""Is it the published STC?  Binotto & Delgado's numbers, propositions and properties, their errata, and the open interval.

The papers print tables with the prediction in the rows; `printed` turns them.
"""

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import TABLE_4X4, all_tables, same, tables, value

import ordeval as oe
from ordeval import Counts, Scale, get_metric
from ordeval.metrics.solvers.open_interval import optimal_ends
from papers import derivations

INF = math.inf
ROOT5 = math.sqrt(5)


def printed(table, lengths=None, *, start=0.0):
    """Counts of a table with the prediction in the rows, on ranks or on intervals of these lengths (inf: open)."""
    scale = None if lengths is None else scale_with(lengths, start)
    return Counts.from_matrix(np.array(table).T, labels=scale)


def scale_with(lengths, start=0.0):
    inner = start + np.concatenate([[0], np.cumsum(lengths[1:-1])])
    first = [-INF] if math.isinf(lengths[0]) else [start - lengths[0]]
    last = [] if len(lengths) == 1 else [INF] if math.isinf(lengths[-1]) else [inner[-1] + lengths[-1]]
    return Scale.from_edges([*first, *inner, *last])


def truth(n, lengths=None):
    return printed(np.diag(n), lengths)


def largest(n, lengths=None, of=None):
    """The largest total cost: every row at its dearest answer."""
    counts = truth(n, lengths)
    costs = oe.parts.cost_matrix(counts, metric=of or ("stc" if lengths is None else "interval_stc"))
    return float((np.array(n) * np.max(costs * (np.array(n) > 0), 1)).sum())


def always(n, answer):
    table = np.zeros((len(n), len(n)))
    table[:, answer] = n
    return Counts.from_matrix(table)


# The toy example of section 5

TOY_A, TOY_B = [[3, 2, 1], [2, 2, 2], [0, 1, 2]], [[3, 2, 2], [2, 2, 1], [0, 1, 2]]


def test_toy_example():
    a, b = (printed(table, [1, 1, INF]) for table in (TOY_A, TOY_B))
    assert oe.interval_stc(a) == pytest.approx((73 + 11 / math.sqrt(2)) / 205, abs=1e-15)
    assert oe.interval_stc(b) == pytest.approx((87 + 3 / math.sqrt(2)) / 205, abs=1e-15)
    assert oe.interval_stc(b) - oe.interval_stc(a) == pytest.approx((14 - 8 / math.sqrt(2)) / 205, abs=1e-15)
    assert oe.parts.optimal_length(a) == oe.parts.optimal_length(b) == pytest.approx(1 / math.sqrt(2), rel=1e-15)
    assert get_metric("interval_stc").details(a) == {"length": oe.parts.optimal_length(a)}
    assert oe.interval_total_cost(a) == pytest.approx(1.29093073538, abs=1e-11)
    assert oe.interval_total_cost(b) == pytest.approx(1.42426406871, abs=1e-11)
    assert largest([5, 5, 5], [1, 1, INF]) == pytest.approx((2 * math.sqrt(2) + 7) / 3, abs=1e-14)
    assert oe.stc(printed(TOY_A)) == pytest.approx(0.36, abs=1e-15)
    assert oe.stc(printed(TOY_B)) == pytest.approx(0.40, abs=1e-15)


@pytest.mark.parametrize("x", [0.25, 0.5, 1.0, 1.5, 3.0])
def test_toy_cost_matrix(x):
    far = max(1, x)
    matrix = [[0, 1 + 1 / x, 2 * (1 + far)], [1 + 1 / x, 0, 2 * far], [(1 + x) * (1 + far), (1 + x) * far, 0]]
    counts = printed(TOY_A, [1, 1, INF])
    of = f"interval_stc(unbounded={x})"
    assert np.allclose(15 * oe.parts.cost_matrix(counts, metric=of), np.array(matrix).T, rtol=1e-15)
    assert oe.interval_total_cost(counts, unbounded=x) == pytest.approx((6 + 4 / x + (7 + x) * far) / 15, rel=1e-15)
    difference = oe.interval_stc(printed(TOY_B, [1, 1, INF]), unbounded=x) - oe.interval_stc(counts, unbounded=x)
    assert difference < (14 - 8 / math.sqrt(2)) / 205


# Propositions


def tables_with_truth(n):
    """Every table with these true rows."""
    rows = [[row for row in product(range(total + 1), repeat=len(n)) if sum(row) == total] for total in n]
    return product(*rows)


def brute_force_most(n, lengths, distance="hausdorff", absent="keep"):
    return max(derivations.costs(table, lengths, distance, absent)[0] for table in tables_with_truth(n))


TRUTHS = [n for k in (1, 2, 3) for n in product(range(6), repeat=k) if 0 < sum(n) <= 5]


@pytest.mark.parametrize("lengths", [None, (Fraction(1), Fraction(2), Fraction(1, 2))], ids=["ranks", "intervals"])
def test_propositions_1_and_4_and_every_small_table(lengths):
    """The largest total cost by brute force over all tables with the same truth; the score of each of them, empty classes too."""
    for n in TRUTHS:
        known = [Fraction(1)] * len(n) if lengths is None else lengths[: len(n)]
        most = brute_force_most(n, known)
        assert most == derivations.costs(np.diag(n).tolist(), known)[1]
        metric = get_metric("stc" if lengths is None else "interval_stc")
        scale = Scale(range(len(n))) if lengths is None else scale_with([float(x) for x in known])
        stack = np.array(list(tables_with_truth(n)))
        scores = metric.bind(Counts.from_matrix(np.diag(n), labels=scale))(stack)
        costs = [derivations.costs(table.tolist(), known)[0] for table in stack]
        if most == 0:
            assert np.isnan(scores).all()
            continue
        assert np.allclose(scores, [float(cost / most) for cost in costs], rtol=0, atol=1e-15)
        assert [score == 0 for score in scores] == [cost == 0 for cost in costs]
        assert [score > 1 - 1e-12 for score in scores] == [cost == most for cost in costs]  # minimal agreement


@pytest.mark.parametrize("absent", ["keep", "renumber"])
@pytest.mark.parametrize("distance", ["hausdorff", "midpoint"])
def test_the_maximum_of_the_other_forms(distance, absent):
    lengths = (Fraction(2), Fraction(1), Fraction(3))
    metric = get_metric(f"interval_stc(distance={distance!r}, absent={absent!r})")
    for n in [n for n in TRUTHS if len(n) == 3 and sum(n) <= 4]:
        most = brute_force_most(n, lengths, distance, absent)
        stack = np.array(list(tables_with_truth(n)))
        scores = metric.bind(truth(n, [2, 1, 3]))(stack)
        costs = [derivations.costs(table.tolist(), lengths, distance, absent)[0] for table in stack]
        expected = [float(cost / most) if most else math.nan for cost in costs]
        assert np.allclose(scores, expected, rtol=0, atol=1e-15, equal_nan=True)


@pytest.mark.parametrize(("n1", "n2"), [(1, 1), (1, 3), (7, 2), (1, 10**15)])
def test_propositions_2_and_5_two_classes(n1, n2):
    assert largest([n1, n2]) == pytest.approx(1, abs=1e-15)
    for lengths in ([1.0, 2.5], [3.0, 0.5]):
        assert largest([n1, n2], lengths) == pytest.approx(max(lengths), rel=1e-15)


@given(tables(), st.lists(st.floats(0.1, 9), min_size=5, max_size=5))
def test_with_two_classes_present_it_is_the_error_rate(table, lengths):
    if np.count_nonzero(table.sum(1)) == 2:
        error_rate = 1 - np.trace(table) / table.sum()
        assert value(get_metric("stc"), table) == pytest.approx(error_rate, abs=1e-14)
        for text in ("interval_stc", "interval_stc(distance='midpoint')", "interval_stc(absent='renumber')"):
            assert value(get_metric(text), table, scale_with(lengths[: len(table)])) == pytest.approx(error_rate, abs=1e-14)


def test_proposition_3_and_corollary_1():
    found = [largest([4] * r) for r in range(2, 41)]
    for r, most in enumerate(found, 2):
        h = r // 2 if r % 2 == 0 else r // 2 + 1
        short = Fraction((r - 1) * (3 * r - 2), 4) if r % 2 == 0 else Fraction((r - 1) ** 2 * (3 * r + 1), 4 * r)
        assert short == Fraction((r - 1) ** 2, 2) + Fraction((r - 1) * (r - h) * h, r)
        assert most == pytest.approx(float(short), rel=1e-14)
    assert found[0] == pytest.approx(1)
    assert all(a < b for a, b in pairwise(found))


def proposition_6(length):
    if length <= 1:
        return math.sqrt(length / (length + 1)), (2 * math.sqrt((length + 1) / length) + 2 * length + 4 + 1 / length) / 3
    if length <= (1 + ROOT5) / 2:
        return length / math.sqrt(length + 1), (2 * math.sqrt(length + 1) + 3 * length + 3 + 1 / length) / 3
    if length <= (3 + ROOT5) / 2:
        return length * (ROOT5 - 1) / 2, length / 6 * ((ROOT5 + 1) * length + ROOT5 + 7)
    return math.sqrt(length), length / 3 * (2 * math.sqrt(length) + length + 3)


@pytest.mark.parametrize(
    ("length", "x", "most"),
    [
        (0.25, 0.4472135955, 4.32404531833),
        (1.0, 0.707106781187, 3.27614237492),
        (1.5, 0.948683298051, 3.77631477561),
        (2.0, 1.2360679775, 5.2360679775),
        (2.5, 1.54508497187, 7.21926580052),
        (2.618033988749895, 1.61803398875, 7.7267799625),
        (5.0, 2.2360679775, 20.7868932583),
    ],
)
def test_proposition_6_values(length, x, most):
    assert oe.parts.optimal_length(truth([5, 5, 5], [1, length, INF])) == pytest.approx(x, rel=1e-11)
    assert largest([5, 5, 5], [1, length, INF]) == pytest.approx(most, rel=1e-11)


def test_proposition_6_on_a_fine_grid():
    for length in [*np.geomspace(0.01, 100, 400), 1.0, 2.0, (1 + ROOT5) / 2, (3 + ROOT5) / 2]:
        x, most = proposition_6(length)
        assert oe.parts.optimal_length(truth([2, 2, 2], [1, length, INF])) == pytest.approx(x, rel=1e-14)
        assert largest([2, 2, 2], [1, length, INF]) == pytest.approx(most, rel=1e-14)


def appendix_a(length, x):
    """Three times the largest total cost for lengths 1, L, x and equal counts, piece by piece as Appendix A prints it."""
    L = length
    if L <= 1:
        ends = [L / (L + 1), 1]
        pieces = [(L + 1) / x + L + 4 + 1 / L, (1 + 1 / L) * x + 1 / x + 2 * L + 4 + 1 / L]
        pieces += [(1 + 1 / L) * x**2 + (4 + 1 / L) * x + 2 * L + 1]
    elif L <= (1 + ROOT5) / 2:
        ends = [L**2 / (L + 1), 1, L, L / (L - 1)]
        pieces = [(L**2 + L) / x + 3 * L + 2 + 1 / L, (L + 1) / L * x + L / x + 3 * L + 3 + 1 / L]
        pieces += [x**2 / L + (3 + L + 1 / L) * x + 3 * L + 1, (1 + 1 / L) * x**2 + (4 + 1 / L) * x + 2 * L + 1]
        pieces += [(1 + 1 / L) * x**2 + (4 + L) * x + L]
    else:
        golden = L / 2 * (ROOT5 - 1)
        pieces = [L * (L + 1) / x + L * (L + 3), L * x + L**2 / x + L * (L + 3), x**2 / L + (L + 2) * x + L * (L + 3)]
        if L <= 2:
            ends = [1, golden, L * (L - 1), L, L / (L - 1)]
            pieces += [x**2 / L + (L + 3 + 1 / L) * x + 3 * L + 1, (1 + 1 / L) * x**2 + (4 + 1 / L) * x + 2 * L + 1]
        else:
            ends = [1, golden, L]
        pieces += [(1 + 1 / L) * x**2 + (4 + L) * x + L]
    return pieces[int(np.searchsorted(ends, x))]


@pytest.mark.parametrize("length", [0.3, 1.0, 1.2, 1.6, 1.7, 1.9, 2.0, 2.3, 2.7, 6.0])
def test_appendix_a_pieces(length):
    for x in np.geomspace(0.05, 20, 60):
        assert 3 * largest([1, 1, 1], [1, length, x]) == pytest.approx(appendix_a(length, x), rel=1e-13)


# Reference values

SIX = [
    # table (prediction in the rows), lengths, then: total_cost, its maximum, stc, the same on intervals, optimal right and left length
    # with the largest cost and the score there, the score by midpoints
    (
        [[32, 2, 13], [0, 57, 0], [1, 8, 13]],
        [6.6, 4.0, 7.6],
        [0.854534354534, 4.33088208088, 0.197311849775, 7.11324207956, 38.2731990232, 0.185854390568],
        [3.19433460754, 27.2266578851, 0.209350467028],
        [5.66441657901, 38.1120666652, 0.173898926749],
        0.188763090974,
    ),
    (
        [[31, 6, 0, 13], [0, 19, 7, 12], [0, 12, 16, 10], [12, 10, 5, 29]],
        [6.7, 3.3, 2.4, 3.0],
        [2.42559453010, 7.58778887226, 0.319670798824, 10.7885374213, 52.2239011210, 0.206582373007],
        [5.24244610280, 47.1564877846, 0.260538739890],
        [1.97806309611, 18.4693467605, 0.400310110279],
        0.220267800400,
    ),
    (
        [[20, 10, 8, 3, 14], [15, 58, 13, 10, 1], [15, 5, 45, 0, 0], [13, 5, 12, 25, 7], [0, 14, 10, 14, 21]],
        [3.7, 7.8, 3.5, 2.4, 0.3],
        [4.33709703891, 16.9451117358, 0.255949745657, 41.8618548637, 129.805333205, 0.322497187365],
        [1.71087533156, 60.1376279198, 0.359100211466],
        [3.64136419443, 129.159385323, 0.322573255050],
        0.301877491470,
    ),
    (
        [
            [32, 0, 1, 12, 0, 13],
            [15, 45, 8, 9, 0, 15],
            [7, 9, 16, 0, 11, 11],
            [0, 0, 0, 40, 0, 8],
            [1, 12, 6, 0, 25, 0],
            [5, 0, 0, 0, 3, 49],
        ],
        [6.6, 3.8, 2.3, 6.7, 5.3, 1.4],
        [6.07049336253, 22.2851676637, 0.272400614352, 39.0949115001, 204.587745969, 0.191091168804],
        [7.87637727052, 125.902238818, 0.229922934328],
        [3.63796544814, 164.684839380, 0.209510772884],
        0.182286166685,
    ),
    (
        [[1200, 12, 4], [0, 5, 15], [0, 4, 19]],
        [2.2, 4.9, 4.0],
        [0.812532681983, 5.25806374554, 0.154530778116, 8.47395402741, 38.7684001505, 0.218578894009],
        [4.58201014410, 38.1362005071, 0.225658872081],
        [4.90000000000, 25.8107478784, 0.150768420031],
        0.235575264720,
    ),
    (
        [[660, 0, 0, 2], [0, 40, 3, 4], [220, 12, 47, 5], [240, 15, 11, 6]],
        [4.3, 4.0, 0.8, 0.9],
        [8.40144891783, 34.0359138971, 0.246840703124, 14.2401885868, 57.2825571624, 0.248595546223],
        [0.479580121371, 36.8257746003, 0.273269307837],
        [2.48110976686, 53.2474732312, 0.239745010286],
        0.250665077601,
    ),
]


@pytest.mark.parametrize(("table", "lengths", "known", "right", "left", "midpoint"), SIX)
def test_six_tables(table, lengths, known, right, left, midpoint):
    counts, n = printed(table, lengths), np.sum(table, 0)
    got = [oe.total_cost(counts), largest(n), oe.stc(counts)]
    got += [oe.interval_total_cost(counts), largest(n, lengths), oe.interval_stc(counts)]
    assert got == pytest.approx(known, rel=1e-11)
    assert oe.interval_stc(counts, distance="midpoint") == pytest.approx(midpoint, rel=1e-11)
    for open_lengths, expected in (([*lengths[:-1], INF], right), ([INF, *lengths[1:]], left)):
        counts = printed(table, open_lengths)
        got = [oe.parts.optimal_length(counts), largest(n, open_lengths), oe.interval_stc(counts)]
        assert got == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("n", "known", "x", "most"),
    [
        ([100, 80, 40, 20], [2, 5, 7], 2.04166666667, 70.6693452381),
        ([60, 60, 60, 60], [2, 5, 7], 4.08333333333, 44.1285714286),
        ([100, 100, 100, 1], [1, 1, 1], 0.00666666666667, 6.23145071982),
        ([50, 50, 50, 160], [1, 1, 1], 1.29099444874, 8.70759571221),
        ([3, 1, 4, 1, 5], [1, 2, 0.5, 3], 2.0861717753, 120.188856201),
        ([0.03, 0.01, 0.04, 0.01, 0.05], [1, 2, 0.5, 3], 2.0861717753, 120.188856201),  # beyond the published bracket
    ],
)
def test_one_open_end(n, known, x, most):
    assert oe.parts.optimal_length(truth(n, [*known, INF])) == pytest.approx(x, rel=1e-11)
    assert oe.parts.optimal_length(truth(n[::-1], [INF, *known[::-1]])) == oe.parts.optimal_length(truth(n, [*known, INF]))
    assert largest(n, [*known, INF]) == pytest.approx(most, rel=1e-11)


@pytest.mark.parametrize(
    ("n", "middle", "left", "right", "most"),
    [
        ([5, 5, 5], [1], (ROOT5 - 1) / 2, (ROOT5 - 1) / 2, 2.412022659),
        ([5, 5, 5, 5], [1, 1], math.sqrt(3) - 1, math.sqrt(3) - 1, 6.098076211),
        ([5] * 5, [1] * 3, 2 / 3, 2 / 3, 10.73333333),
        ([10, 80, 40, 20], [5, 7], 0.8724035608, 2.041666667, 37.85396401),
        ([33, 67, 26], [4.0], 1.44682419263, 1.13992209117, 8.67748116957),
        ([43, 47, 28, 64], [3.3, 2.4], 1.93885371327, 3.17593984962, 18.2654055673),
    ],
)
def test_both_ends_open(n, middle, left, right, most):
    counts = truth(n, [INF, *middle, INF])
    assert oe.parts.optimal_length(counts) == pytest.approx((left, right), rel=1e-9)
    for unit in (0.001, 365.25):
        measured = truth(n, [INF, *(unit * length for length in middle), INF])
        assert oe.parts.optimal_length(measured) == pytest.approx((unit * left, unit * right), rel=1e-9)
    assert largest(n, [INF, *middle, INF]) == pytest.approx(most, rel=1e-9)
    assert get_metric("interval_stc").details(counts) == {"length": oe.parts.optimal_length(counts)}


def test_scores_with_both_ends_open():
    for (table, lengths, *_), score in zip(SIX[:2], (0.194130962029, 0.413932652185), strict=True):
        assert oe.interval_stc(printed(table, [INF, *lengths[1:-1], INF])) == pytest.approx(score, rel=1e-11)


def test_george_tables():
    for table, cost, most, score in (
        ([[444, 37, 27, 57], [144, 25, 18, 0], [2, 2, 8, 7], [10, 2, 14, 3]], 1353.38120986, 9051.54206242, 0.149519407912),
        ([[553, 8, 18, 2], [18, 1, 43, 53], [15, 37, 4, 11], [14, 20, 2, 2]], 2965.76976854, 9002.89839572, 0.329423885306),
        ([[539, 53, 33, 52], [19, 3, 24, 0], [42, 2, 3, 0], [0, 8, 7, 15]], 1184.69026685, 9051.54206242, 0.130882700282),
        ([[589, 4, 3, 1], [0, 4, 25, 17], [4, 14, 6, 8], [7, 44, 33, 41]], 2323.6981479, 9051.54206242, 0.256718483091),
    ):
        counts, n = printed(table), np.sum(table, 0)
        got = [oe.total_cost(counts) * n.sum(), largest(n) * n.sum(), oe.stc(counts)]
        assert got == pytest.approx([cost, most, score], rel=1e-11)


def test_weights():
    counts = printed([[3.2, 0.4, 0.1], [0.5, 2.0, 0.3], [0.1, 0.2, 1.7]])
    got = [oe.total_cost(counts), largest([3.8, 2.6, 2.1]), oe.stc(counts)]
    assert got == pytest.approx([0.424673675138, 3.6927023441, 0.115003494884], rel=1e-11)


def test_the_table_of_reference_values():
    counts = Counts.from_matrix(TABLE_4X4)
    got = [oe.stc(counts), oe.total_cost(counts), largest(np.sum(TABLE_4X4, 1))]
    assert got == pytest.approx([0.12751508419378457, 1.21798890764408, 9.551724137931034], rel=1e-14)
    assert oe.stc(printed(TABLE_4X4)) == pytest.approx(0.12939852466770327, rel=1e-14)  # turned: a plausible wrong number


# Properties


@given(tables(), st.lists(st.floats(0.1, 9), min_size=5, max_size=5), st.sampled_from([0.001, 7.0, 365.25]), st.booleans())
def test_scale_invariance(table, lengths, factor, midpoint):
    lengths = [*lengths[: len(table) - 1], INF] if len(table) > 1 else lengths[:1]
    metric = get_metric(f"interval_stc(distance={'midpoint' if midpoint else 'hausdorff'!r})")
    stretched = [length * factor for length in lengths]
    assert same(value(metric, table, scale_with(lengths)), value(metric, table, scale_with(stretched, 40.0)), 1e-10)
    upside_down = value(metric, table[::-1, ::-1], scale_with(stretched[::-1]))
    assert same(value(metric, table, scale_with(lengths)), upside_down, 1e-10)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5), st.lists(st.integers(1, 5), min_size=5, max_size=5))
def test_equal_densities_and_sparse_classes(n, lengths):
    """Properties 2 and 3, on every pair of answers and of truths."""
    k, lengths = len(n), lengths[: len(n)]
    costs = oe.parts.cost_matrix(truth(n, lengths), metric="interval_stc")
    density = [Fraction(rows, length) for rows, length in zip(n, lengths, strict=True)]
    ends = derivations.laid_out([Fraction(length) for length in lengths], "keep", n)
    far = [[derivations.between(a, b, "hausdorff") for b in ends] for a in ends]
    for t, p, q in product(range(k), repeat=3):
        if len({t, p, q}) == 3:
            if density[p] == density[q] and far[t][p] < far[t][q]:
                assert costs[t, p] < costs[t, q]
            if far[t][p] == far[t][q] and density[p] < density[q]:
                assert costs[t, p] > costs[t, q]
            if far[p][t] == far[q][t] and density[p] < density[q]:
                assert costs[p, t] > costs[q, t]
    assert (costs[~np.eye(k, dtype=bool)] > 0).all()
    assert (np.diag(costs) == 0).all()


def test_equal_lengths_multiply_the_cost_on_ranks():
    table = SIX[2][0]
    assert oe.interval_total_cost(printed(table, [3.0] * 5)) == pytest.approx(3 * oe.total_cost(printed(table)), rel=1e-14)
    assert oe.interval_stc(printed(table, [3.0] * 5)) == pytest.approx(oe.stc(printed(table)), rel=1e-14)


# Errata, each with its smallest counter-example


def test_e1_homogeneity_is_of_degree_zero():
    for name in ("stc", "total_cost"):
        metric = get_metric(name)
        witness = np.array(metric.broken["homogeneity"])
        assert value(metric, witness) == value(metric, 2 * witness) == 1
    for metric in map(get_metric, ("interval_stc", "interval_total_cost", "interval_mae", "interval_smae")):
        witness = np.array(metric.broken["homogeneity"])
        assert value(metric, 2 * witness) == pytest.approx(value(metric, witness)) != 0


def test_costs_in_units_of_the_axis_are_not_scale_invariant():
    for metric in map(get_metric, ("interval_total_cost", "interval_mae")):
        witness = np.array(metric.broken["scale_invariance"])
        once, twice = (value(metric, witness, scale_with([s, 2 * s])) for s in (1.0, 2.0))
        assert twice == pytest.approx(2 * once)


def test_e2_two_classes_are_symmetric_without_balance():
    for n, symmetric in (([1, 3], True), ([1, 3, 1], False), ([2, 2, 2], True)):
        costs = oe.parts.cost_matrix(truth(n))
        assert np.allclose(costs, costs.T) == symmetric


def test_e5_one_class_is_undefined():
    for n in ([3], [3, 0], [0, 0, 2]):
        with pytest.warns(oe.UndefinedScore, match="fewer than two classes"):
            assert math.isnan(oe.stc(always(n, 0)))
        assert np.isnan(oe.parts.cost_matrix(always(n, 0))).all()


def test_e6_removing_an_empty_class_would_hide_an_error():
    counts = printed([[1, 0, 0], [1, 0, 0], [0, 0, 1]])
    assert oe.stc(counts) == oe.stc(counts, absent="renumber") == pytest.approx(1 / 3)


def test_e8_the_better_model_depends_on_the_length():
    up, down = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1]]), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1]])
    scores = {}
    for x in (0.25, 0.75):
        metric = get_metric(f"interval_stc(unbounded={x})")
        scores[x] = [value(metric, table, scale_with([1, 1, INF])) for table in (up, down)]
    assert scores[0.25][0] < scores[0.25][1]
    assert scores[0.75][0] > scores[0.75][1]
    best = [value(get_metric("interval_stc"), table, scale_with([1, 1, INF])) for table in (up, down)]
    assert best == pytest.approx([0.347381, 0.245636], abs=1e-6)


def test_e9_the_length_follows_the_counts():
    lengths = [oe.parts.optimal_length(truth([50, 50, 50, n], [1, 1, 1, INF])) for n in (1, 10, 40, 80, 160, 1600)]
    assert lengths == pytest.approx([1 / 75, 10 / 75, 40 / 75, 1, math.sqrt(5 / 3), math.sqrt(5 / 3)], rel=1e-14)
    for r in range(4, 20):
        m = math.ceil(r / 2)
        assert oe.parts.optimal_length(truth([3] * r, [1] * (r - 1) + [INF])) == pytest.approx(m / (m + 1), rel=1e-13)


def test_e11_always_guessing_the_majority():
    assert oe.stc(always([98, 1, 1], 0)) == pytest.approx(0.00513663092356, rel=1e-11)
    assert oe.amae(always([98, 1, 1], 0)) == 1
    assert oe.stc(always([600, 66, 67, 67], 0)) == pytest.approx(0.0541342381171, rel=1e-11)


def test_e12_farther_can_be_cheaper():
    costs = oe.parts.cost_matrix(truth([1, 1, 3]))
    assert costs[0].tolist() == pytest.approx([0, 4 / 5, 8 / 15])


# Empty classes and open ends

EMPTY = [[3, 0, 1, 0], [0, 0, 0, 0], [1, 0, 2, 1], [0, 0, 1, 4]]
INTO_EMPTY = [[3, 0, 1, 0], [1, 0, 0, 2], [1, 0, 2, 1], [0, 0, 1, 4]]


def test_an_empty_class_keeps_its_place():
    counts, into = (printed(table, [1, 2, 1, 3]) for table in (EMPTY, INTO_EMPTY))
    assert oe.interval_stc(counts) == pytest.approx(0.135416666667, rel=1e-11)
    assert oe.stc(counts) == pytest.approx(0.183908045977, rel=1e-11)
    assert oe.stc(into) == pytest.approx(0.361707523246, rel=1e-11)
    assert oe.interval_stc(into) == pytest.approx(0.324603873239, rel=1e-11)
    assert oe.interval_stc(counts, absent="renumber") == pytest.approx(0.140779, abs=1e-6)
    smallest = always([1, 0, 1, 1], 3)
    assert oe.stc(smallest) == pytest.approx(1 / 2)
    assert oe.stc(smallest, absent="renumber") == pytest.approx(3 / 5)


def test_an_empty_interval_may_be_cut_in_two_or_leave():
    table = np.delete(np.delete(EMPTY, 1, 0), 1, 1)
    cut = np.insert(np.insert(EMPTY, 1, 0, 0), 1, 0, 1)
    assert oe.interval_stc(printed(cut, [1, 0.5, 1.5, 1, 3])) == pytest.approx(oe.interval_stc(printed(EMPTY, [1, 2, 1, 3])))
    assert oe.interval_stc(printed(EMPTY, [1, 2, 1, 3]), absent="renumber") == pytest.approx(
        oe.interval_stc(printed(table, [1, 1, 3]))
    )


def test_an_empty_class_is_refused_on_request():
    counts = printed(EMPTY, [1, 2, 1, 3])
    for metric in ("stc", "total_cost", "interval_stc", "interval_total_cost", "interval_mae", "interval_smae"):
        with pytest.raises(ValueError, match=r"the class .* has no true row.*absent='keep'.*absent='renumber'"):
            get_metric(f"{metric}(absent='raise')")(counts)
        assert get_metric(f"{metric}(absent='raise')")(printed([[1, 1], [0, 1]], [1, 2])) > 0


@pytest.mark.parametrize("lengths", [[1, 2, INF], [INF, 2, 1], [INF, 2, INF]])
def test_an_empty_open_class_needs_no_length(lengths):
    table = np.array([[0, 0, 0], [1, 2, 1], [2, 0, 3]]) if lengths[0] == INF else np.array([[3, 0, 2], [1, 2, 1], [0, 0, 0]])
    counts = Counts.from_matrix(table, labels=scale_with(lengths))
    scores = [oe.interval_stc(counts, unbounded=x) for x in ((0.1, 1), (7, 1))] if lengths == [INF, 2, INF] else []
    scores = scores or [oe.interval_stc(counts, unbounded=x) for x in (0.1, 7)]
    assert scores[0] == pytest.approx(scores[1]) == pytest.approx(oe.interval_stc(counts))
    found = oe.parts.optimal_length(counts)
    assert np.isnan(found if isinstance(found, float) else found[0])


def test_open_ends_with_few_classes():
    two = Counts.from_matrix([[3, 1], [2, 4]], labels=scale_with([INF, INF]))
    assert oe.interval_stc(two) == pytest.approx(0.3)
    assert np.isnan(oe.parts.optimal_length(two)).all()
    with pytest.warns(oe.UndefinedScore, match="two open ends"):
        assert math.isnan(oe.interval_total_cost(two))
    for lengths in ([2.5, INF], [INF, 2.5]):
        one = Counts.from_matrix([[3, 1], [2, 4]], labels=scale_with(lengths))
        assert oe.parts.optimal_length(one) == 2.5
        assert oe.interval_total_cost(one) == pytest.approx(0.3 * 2.5)
    alone = Counts.from_matrix([[3]], labels=Scale.from_edges([0, INF]))
    with pytest.warns(oe.UndefinedScore):
        assert math.isnan(oe.interval_stc(alone))


def test_the_length_is_fixed_on_the_whole_sample():
    whole, part = np.array(TOY_A).T, np.array([[3, 0, 0], [2, 2, 0], [0, 0, 1]])
    scale = scale_with([1, 1, INF])
    bound = get_metric("interval_stc").bind(Counts.from_matrix(whole, labels=scale))
    fixed = get_metric(f"interval_stc(unbounded={1 / math.sqrt(2)!r})").bind(Counts.from_matrix(part, labels=scale))
    assert bound(part) == pytest.approx(float(fixed(part)), rel=1e-14)
    assert bound(part) != pytest.approx(oe.interval_stc(Counts.from_matrix(part, labels=scale)), rel=1e-3)


def test_contributions_add_up():
    counts = printed(INTO_EMPTY, [1, 2, 1, INF])
    for of, total in (("stc", oe.total_cost), (oe.interval_stc, oe.interval_total_cost)):
        parts = oe.parts.cost_contributions(counts, metric=of)
        assert sum(part.cost for part in parts) == pytest.approx(total(counts), rel=1e-14)
        assert sum(part.weight for part in parts) == pytest.approx(1, rel=1e-14)
        standardized = sum(part.weight * part.value for part in parts if part.rows)
        assert standardized == pytest.approx(get_metric(of)(counts), rel=1e-14)
        assert [part.rows for part in parts] == [5, 0, 4, 7]
        assert math.isnan(parts[1].value)
        costs = oe.parts.cost_matrix(counts, metric=of)
        assert (costs * counts.matrix).sum() == pytest.approx(total(counts), rel=1e-14)


def test_interval_errors_and_what_they_say():
    counts = printed([[5, 1, 0], [1, 4, 2], [0, 0, 2]], [2, 5, INF])
    assert oe.interval_mae(counts, unbounded=7) == pytest.approx((5 + 5 + 2 * 7) / 15)
    assert oe.interval_mae(counts, unbounded=7, distance="midpoint") == pytest.approx((3.5 + 3.5 + 2 * 6) / 15)
    assert oe.interval_smae(counts, unbounded=7) == pytest.approx((5 + 5 + 2 * 7) / (6 * 12 + 5 * 7 + 4 * 12))
    assert get_metric("interval_mae(unbounded=7)").details(counts) == {"length": 7}
    assert get_metric("interval_stc").details(printed(TOY_A, [1, 1, 1])) == {}
    assert get_metric("stc").details(counts) == {}
    both = printed([[5, 1, 0], [1, 4, 2], [0, 0, 2]], [INF, 5, INF])
    assert oe.interval_mae(both, unbounded=(2, 7)) == oe.interval_mae(counts, unbounded=7)
    assert oe.interval_mae(both, unbounded=5) == 5 * oe.mae(both)


def test_the_largest_interval_error_has_no_best_length():
    """Why interval_mae asks for a length: up to some length it makes no difference, beyond it only hurts."""
    perfect = truth([5, 5, 5], [3, 1, INF])
    worst = [get_metric(f"interval_mae(unbounded={x})").bind(perfect) for x in (0.1, 1.0, 3.0, 4.0)]
    flipped = np.array([[0, 0, 5], [5, 0, 0], [5, 0, 0]])
    assert [float(bound(flipped)) for bound in worst] == pytest.approx([11 / 3, 11 / 3, 11 / 3, 13 / 3])


REFUSED = {
    "no edges": (lambda: oe.interval_stc([1, 2], [1, 1]), r"interval_stc is about interval classes.*Scale.from_edges"),
    "no edges for details": (lambda: get_metric("interval_stc").details(truth([1, 2])), "is about interval classes"),
    "no edges for a length": (lambda: oe.parts.optimal_length([1, 2], [1, 1]), "optimal_length is about interval classes"),
    "no open end": (lambda: oe.parts.optimal_length(truth([1, 2], [1, 2])), "no interval of this scale is open"),
    "unknown empty": (lambda: oe.stc(truth([1, 2]), absent="drop"), "absent='drop' is unknown.*'keep', 'renumber', 'raise'"),
    "unknown distance": (lambda: oe.interval_stc(truth([1, 2], [1, 2]), distance="gap"), "distance='gap' is unknown"),
    "unknown distance for a length": (lambda: oe.parts.optimal_length(truth([1, 2], [1, INF]), distance="x"), "'x' is unknown"),
    "a length of 0": (lambda: oe.interval_stc(truth([1, 2], [1, INF]), unbounded=0), "unbounded=0: .* a finite number above 0"),
    "a negative length": (lambda: oe.interval_mae(truth([1, 2], [1, INF]), unbounded=-1), "finite number above 0"),
    "a NaN length": (lambda: oe.interval_stc(truth([1, 2], [1, INF]), unbounded=math.nan), "unbounded=nan"),
    "an infinite length": (lambda: oe.interval_stc(truth([1, 2], [1, INF]), unbounded=INF), "unbounded=inf"),
    "a word for a length": (lambda: oe.interval_stc(truth([1, 2], [1, INF]), unbounded="max"), "unbounded='max'"),
    "optimal for an error": (lambda: oe.interval_mae(truth([1, 2], [1, INF]), unbounded="optimal"), "unbounded='optimal'"),
    "two lengths for one end": (
        lambda: oe.interval_stc(truth([1, 2], [1, INF]), unbounded=(1, 2)),
        r"unbounded=\(1, 2\) gives 2 lengths, but the scale has one open end",
    ),
    "an open end without a length": (lambda: oe.interval_mae(truth([1, 2], [1, INF])), "one open end.*unbounded=length"),
    "two open ends without": (lambda: oe.interval_smae(truth([1, 2], [INF, INF])), "two open ends.*unbounded=length"),
    "costs of another metric": (
        lambda: oe.parts.cost_matrix(truth([1, 2]), metric="mae"),
        "metric='mae' is not a sum of what each row costs",
    ),
    "costs without edges": (
        lambda: oe.parts.cost_contributions(truth([1, 2]), metric="interval_stc"),
        "is about interval classes",
    ),
    "a bare table": (lambda: oe.parts.cost_matrix(np.eye(3)), "Counts.from_matrix"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case):
    call, words = REFUSED[case]
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


# Arithmetic and the optimum, on many cases


def random_cases(number, seed, *, ends=1, largest=6.0):
    """Counts and lengths for K from 3 to 9: wide and narrow, some classes absent, the last interval (or both ends) open."""
    rng = np.random.default_rng(seed)
    for case in range(number):
        k = int(rng.integers(3, 10))
        n = np.ceil(np.exp(rng.uniform(0, largest, k)))
        lengths = np.exp(rng.uniform(-3, 3, k)) if case % 3 else rng.integers(1, 4, k).astype(float)
        if case % 5 == 0:
            n[:] = n[0]
        if case % 4 == 0 and k > 4:
            n[rng.integers(1, k - 2)] = 0
        yield n, lengths, "midpoint" if case % 2 else "hausdorff"


def most_of(n, lengths, distance):
    """The largest total cost times N, for many last lengths at once: the plain formula."""
    lengths = np.asarray(lengths, float)
    cost = 0.0
    start = np.cumsum(lengths, -1) - lengths
    for j in np.flatnonzero(n):
        dearest = 0.0
        for i in np.flatnonzero(n):
            left, right = start[..., i] - start[..., j], (start + lengths)[..., i] - (start + lengths)[..., j]
            d = np.abs(left + right) / 2 if distance == "midpoint" else np.maximum(np.abs(left), np.abs(right))
            dearest = np.maximum(dearest, lengths[..., i] * d / n[i] if i != j else 0.0)
        cost = cost + n[j] * dearest * sum(n[m] / lengths[..., m] for m in np.flatnonzero(n) if m != j)
    return cost


def gaps_of(lengths):
    edges = np.concatenate([[0], np.cumsum(lengths)])
    gaps = np.triu(edges[None, :-1] - edges[1:, None], 1)
    return gaps + gaps.T


@pytest.mark.slow
def test_one_open_end_is_never_beaten():
    from scipy.optimize import minimize_scalar

    for case, (n, lengths, distance) in enumerate(random_cases(3000, seed=3)):
        open_end = np.where(np.arange(n.size) == n.size - 1, INF, lengths)
        best = optimal_ends(n, open_end, gaps_of(lengths), midpoint=distance == "midpoint")[-1]
        least = most_of(n, [*lengths[:-1], best], distance)

        def at(x, n=n, lengths=lengths, distance=distance):
            x = np.atleast_1d(x)
            return most_of(n, np.concatenate([np.tile(lengths[:-1], (x.size, 1)), x[:, None]], 1), distance)

        grid = best * np.concatenate(
            [np.geomspace(1e-3, 1e3, 300), 1 + np.geomspace(1e-9, 0.1, 40), 1 - np.geomspace(1e-9, 0.1, 40)]
        )
        assert least <= at(grid).min() * (1 + 1e-14)
        if case % 10 == 0:
            found = minimize_scalar(lambda v: float(at(np.exp(v))[0]), bounds=np.log(best) + np.array([-5, 5]), method="bounded")
            assert least <= found.fun * (1 + 1e-14)


@pytest.mark.slow
def test_two_open_ends_are_never_beaten():
    from scipy.optimize import minimize

    for case, (n, lengths, distance) in enumerate(random_cases(300, seed=4)):
        open_ends = np.where(np.isin(np.arange(n.size), (0, n.size - 1)), INF, lengths)
        best = optimal_ends(n, open_ends, gaps_of(lengths), midpoint=distance == "midpoint")
        least = most_of(n, best, distance)
        steps = np.concatenate([-np.geomspace(1e-8, 4, 40), [0], np.geomspace(1e-8, 4, 40)])
        left, right = np.meshgrid(np.exp(steps) * best[0], np.exp(steps) * best[-1])
        around = np.tile(best, (left.size, 1))
        around[:, 0], around[:, -1] = left.ravel(), right.ravel()
        assert least <= most_of(n, around, distance).min() * (1 + 1e-14)
        if case % 8 == 0:
            found = minimize(
                lambda v, n=n, best=best, d=distance: float(most_of(n, [np.exp(v[0]), *best[1:-1], np.exp(v[1])], d)),
                np.log(best[[0, -1]]) + 0.3,
                method="Nelder-Mead",
                options={"xatol": 1e-10, "fatol": 1e-12 * least},
            )
            assert least <= found.fun * (1 + 1e-13)


@pytest.mark.parametrize("distance", ["hausdorff", "midpoint"])
@pytest.mark.parametrize("middle", [[1.3], [8.8, 1.3], [0.1, 3.6]])
def test_two_open_ends_are_not_beaten_nearby(middle, distance):
    truths = np.ceil(np.exp(np.random.default_rng(5).uniform(0, 6, (60, len(middle) + 2))))
    gaps = gaps_of([1.0, *middle, 1.0])
    found = optimal_ends(truths, np.array([INF, *middle, INF]), gaps, midpoint=distance == "midpoint")
    steps = np.concatenate([-np.geomspace(1e-4, 1, 8), [0], np.geomspace(1e-4, 1, 8)])
    for n, best in zip(truths, found, strict=True):
        left, right = np.meshgrid(np.exp(steps) * best[0], np.exp(steps) * best[-1])
        around = np.tile(best, (left.size, 1))
        around[:, 0], around[:, -1] = left.ravel(), right.ravel()
        assert most_of(n, best, distance) <= most_of(n, around, distance).min() * (1 + 1e-12)


@pytest.mark.parametrize("distance", ["hausdorff", "midpoint"])
def test_of_two_open_ends_of_which_one_is_empty_the_other_is_solved_alone(distance):
    """The empty end costs nothing whatever its length, so the other one has the optimum that it has beside a known end."""
    truths = np.random.default_rng(6).integers(1, 60, (20, 4)).astype(float)
    truths[:, 3] = 0
    gaps, same = gaps_of([1.0, 2.0, 5.0, 1.0]), {"midpoint": distance == "midpoint"}
    found = optimal_ends(truths, np.array([INF, 2, 5, INF]), gaps, **same)
    expected = optimal_ends(truths, np.array([INF, 2, 5, 1]), gaps, **same)
    assert np.isfinite(expected).all()
    assert np.isnan(found[:, 3]).all()
    assert (found[:, :3] == expected[:, :3]).all()
    mirrored = optimal_ends(truths[:, ::-1], np.array([INF, 5, 2, INF]), gaps[::-1, ::-1], **same)
    assert np.array_equal(mirrored, found[:, ::-1], equal_nan=True)
    for n, best in zip(truths, found, strict=True):
        around = np.tile([1.0, 2.0, 5.0, 1.0], (41, 1))
        around[:, 0] = best[0] * np.geomspace(0.25, 4, 41)
        costs = most_of(n, around, distance)
        assert costs[20] <= costs.min() * (1 + 1e-12)


@pytest.mark.parametrize(
    ("n", "lengths"),
    [([5, 3, 0], [2, 2, None]), ([0, 3, 5], [None, 2, 2]), ([5, 0, 4], [None, 2, None]), ([0, 3, 0], [None, 2, None])],
)
def test_two_open_ends_beside_one_class_or_none(n, lengths):
    """Beside one other class an end gets its length; where the ends are empty, or all that is present, there is none to get."""
    found = optimal_ends(np.array(n, float), np.array([INF, 2, INF]), gaps_of([1, 2, 1]), midpoint=False)
    assert found.tolist() == pytest.approx([math.nan if x is None else x for x in lengths], nan_ok=True)


def test_a_stack_of_truths_is_solved_at_once():
    rng = np.random.default_rng(0)
    n = rng.integers(0, 6, (500, 4)).astype(float)
    for lengths in ([2.0, 5.0, 7.0, INF], [INF, 5.0, 7.0, 1.0], [INF, 5.0, 7.0, INF]):
        gaps = gaps_of(np.where(np.isinf(lengths), 1, lengths))
        stack = optimal_ends(n.reshape(5, 100, 4), np.array(lengths), gaps, midpoint=False).reshape(-1, 4)
        single = [optimal_ends(row, np.array(lengths), gaps, midpoint=False) for row in n[:50]]
        assert np.allclose(stack[:50], single, rtol=1e-13, atol=0, equal_nan=True)
        assert np.isfinite(stack).all(1).sum() > 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "middle"), [([5, 5, 5], [1]), ([10, 80, 40, 20], [5, 7]), ([3, 1, 4, 1, 5], [2, 0.5, 3]), ([10**15, 7, 3, 90], [1, 4])]
)
def test_both_lengths_to_the_last_digits(n, middle):
    """The least cost over the right length falls up to the left one found, and rises from there: in 120 digits, to 2e-13."""
    left, right = oe.parts.optimal_length(truth(n, [INF, *middle, INF]))
    perfect, middle = np.diag(n).tolist(), [Fraction(x) for x in middle]

    def most(y, x):
        number = float if isinstance(x, float) else derivations.real
        return derivations.costs(perfect, [number(y), *map(number, middle), x])[1]

    def best_right(y):
        return derivations.least(lambda x: most(y, x), lambda x: most(y, x), digits=38)

    with derivations.mp.workdps(120):
        ys = [derivations.mpf(left) * (1 + step * derivations.mpf(10) ** -13) for step in (-2, -1, 1, 2)]
        a, b, c, d = (most(y, best_right(y)) for y in ys)
        assert a > b
        assert c < d
        assert float(abs(best_right(derivations.mpf(left)) - right) / right) < 1e-12


def test_intervals_without_open_ends_and_with_an_open_first_one():
    """The arithmetic test has an open last interval; here are the others, up to 10**15 rows."""
    from tables import random_tables

    metric = get_metric("interval_stc")
    for table in random_tables(60, seed=5):
        k = len(table)
        closed = [step * (step + 1) / 2 for step in range(k + 1)]
        expected = derivations.interval_stc(table.tolist(), closed)
        got = value(metric, table, Scale.from_edges(closed))
        assert math.isnan(got) if expected is None else abs(Fraction(got) - expected) < 1e-13
        mirrored = Scale.from_edges([-INF, *(-edge for edge in closed[-2::-1])])
        first_open = value(metric, table[::-1, ::-1], mirrored)
        assert same(first_open, value(metric, table, Scale.from_edges([*closed[:-1], INF])), 1e-13)


def test_all_tables_of_two_rows_have_a_score_between_0_and_1():
    for table in all_tables(3, 2):
        score = value(get_metric("stc"), table)
        assert math.isnan(score) == (np.count_nonzero(table.sum(1)) < 2)
        assert math.isnan(score) or 0 <= score <= 1


@pytest.mark.parametrize("name", ["total_cost", "stc"])
@pytest.mark.parametrize("absent", ["keep", "renumber"])
@pytest.mark.parametrize("gold", [(5, 3, 8, 1), (5, 0, 8, 1), {0: 2, 3: 7}])
def test_class_counts_from_outside(name, absent, gold):
    metric = get_metric(name).with_params(class_counts=gold, absent=absent)
    assert get_metric(str(metric)) == metric
    plain = tuple(gold.get(k, 0) for k in range(4)) if isinstance(gold, dict) else gold
    rng = np.random.default_rng(0)
    stack = rng.integers(0, 4, (40, 4, 4)) * (rng.random((40, 1, 1)) < rng.random((40, 4, 1)))
    stack = stack[stack.any((1, 2))]
    expected = [float(getattr(derivations, name)(table.tolist(), absent=absent, class_counts=plain)) for table in stack]
    with np.errstate(all="raise"):
        found = [float(metric.bind(Counts.from_matrix(table))(table)) for table in stack]
        at_once = metric.bind(Counts.from_matrix(stack[0]))(stack)
    assert found == pytest.approx(expected, rel=1e-13)
    assert at_once == pytest.approx(expected, rel=1e-13)


def test_class_counts_from_outside_are_the_samples_own_if_equal():
    counts = Counts.from_matrix(TABLE_4X4)
    own = tuple(np.sum(TABLE_4X4, 1).tolist())
    for name in ("total_cost", "stc"):
        assert get_metric(name).with_params(class_counts=own)(counts) == get_metric(name)(counts)
    assert abs(oe.stc(counts, class_counts=(1, 1, 1, 1)) - oe.stc(counts)) > 0.01
    assert (
        oe.parts.cost_matrix(counts, metric=get_metric("stc").with_params(class_counts=own)).tolist()
        == oe.parts.cost_matrix(counts).tolist()
    )
    flat = oe.parts.cost_matrix(counts, metric="stc(class_counts=(1, 1, 1, 1))") * np.sum(TABLE_4X4)
    assert flat == pytest.approx(3 * np.abs(np.subtract.outer(range(4), range(4))))


def test_with_class_counts_from_outside_a_fold_without_a_class_is_scored_alike():
    """Costs of rows add up over folds: the fold that lacks a class weighs its errors as the whole sample does."""
    true, pred = [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 3, 2, 0, 1]
    whole = oe.total_cost(true, pred, labels=range(4), class_counts=(2, 2, 2, 1))
    folds = [
        oe.total_cost(true[a:b], pred[a:b], labels=range(4), class_counts=(2, 2, 2, 1)) * (b - a) for a, b in ((0, 4), (4, 7))
    ]
    assert sum(folds) / 7 == pytest.approx(whole, rel=1e-14)


@pytest.mark.parametrize(
    ("gold", "error", "sentence"),
    [
        ((1, 2), ValueError, "class_counts holds 2 counts, and there are 3 classes"),
        ({4: 1}, ValueError, "class_counts: 4 is not one of the classes"),
        ((1, -2, 3), ValueError, "class_counts is -2 at 1"),
        (3, TypeError, "class_counts must hold one count per class"),
    ],
)
def test_class_counts_that_are_none(gold, error, sentence):
    with pytest.raises(error, match=sentence):
        oe.stc([1, 2, 3], [1, 2, 3], class_counts=gold)
