"""Is the search complete, is its first counter-example a smallest one, and is what it says so?"""

import itertools
import math

import numpy as np
import pytest
from law_counts import IMBALANCE, MONOTONICITY

import ordeval as oe
from ordeval.laws import LAWS, STATEMENTS, get_law
from ordeval.laws import check as check_laws
from ordeval.laws import table as law_table
from ordeval.laws._bases import INDEPENDENT, SHORTER, TABLES, TRIPLES, TRUTHS, answers
from ordeval.laws._instances import commoner, wider
from ordeval.laws._recorded import recorded_report
from ordeval.laws._report import Breach
from ordeval.laws._scoring import judged
from ordeval.laws._search import _smaller, breaches, number_of_cases, shrunk
from ordeval.metrics.core.references import BIBLIOGRAPHY


def score(metric, system, gold, k):
    counts = oe.count(list(gold), list(system), labels=list(range(1, k + 1)))
    found = oe.get_metric(metric)
    return float(found.bind(counts)(counts.matrix))


# The laws


def test_all_laws_are_there_and_say_what_they_are():
    assert list(STATEMENTS) == list(LAWS)
    for name, law in STATEMENTS.items():
        assert law.statement == LAWS[name]
        assert law.formal
        assert not law.cite or law.cite in BIBLIOGRAPHY
        assert bool(law.cite) == bool(law.place)
        assert len({reading.name for reading in law.readings}) == len(law.readings)
        assert all(reading.should for reading in law.readings)


@pytest.mark.parametrize("law", STATEMENTS.values(), ids=lambda law: law.name)
def test_every_law_has_instances_in_every_reading(law):
    one = judged("interval_stc" if law.name == "scale_invariance" else "stc")
    every = [cases for size in law.sizes(4, 4) for cases in law.instances(law.kind.every(*size), one)]
    assert sum(map(len, every)) == number_of_cases(law, 4, 4, one) > 0
    for reading in law.readings:
        assert reading.where is None or sum(int(reading.where(cases).sum()) for cases in every) > 0


@pytest.mark.parametrize("kind", [TABLES, TRUTHS, SHORTER, TRIPLES, INDEPENDENT], ids=lambda kind: kind.name)
def test_as_many_bases_as_are_counted_are_there_and_all_differ(kind):
    for k, n in ((2, 1), (2, 3), (3, 2)):
        every = kind.every(k, n)
        assert len(every) == kind.number(k, n) == len(np.unique(every.reshape(len(every), -1), axis=0))
        assert (every.reshape(len(every), -1).sum(1) == n).all()
        assert not every[:, ~kind.allowed(k)].any()


def test_sizes_come_in_order():
    assert STATEMENTS["bounds"].sizes(3, 2) == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]
    assert STATEMENTS["triangle"].range(4, 5) == "K ≤ 2, N ≤ 5; K = 3, N ≤ 4; K = 4, N ≤ 3"


# Against numbers that were found independently


@pytest.mark.parametrize(("metric", "expected"), MONOTONICITY.items())
def test_moves_closer_that_reverse_or_change_nothing(metric, expected):
    verdict = check_laws(metric, laws="ordinal_monotonicity", beyond=0)["ordinal_monotonicity"]
    assert verdict.cases == 18_750
    assert (verdict.broken - verdict.equal, verdict.equal) == expected


@pytest.mark.parametrize(("metric", "expected"), IMBALANCE.items())
@pytest.mark.thorough
@pytest.mark.slow
def test_truths_on_which_imbalance_holds(metric, expected):
    three = check_laws(metric, laws="imbalance", max_k=3, beyond=0)["imbalance"]
    four = check_laws(metric, laws="imbalance", max_k=4, beyond=0)["imbalance"]
    assert (three.cases, four.cases) == (190, 190 + 800)
    assert (three.cases - three.broken, four.cases - four.broken) == (expected[0], sum(expected))


def test_all_moves_of_one_answer_are_tried():
    verdicts = check_laws("mae", laws="ordinal_monotonicity", beyond=0).readings["ordinal_monotonicity"]
    assert (verdicts["any"].cases, verdicts["any"].broken) == (102_760, 0)


# Against loops over vectors


@pytest.mark.parametrize("metric", ["cohen_kappa", "kendall_tau", "cem", "oci(share=0.25)", "mutual_information", "stc"])
def test_monotonicity_agrees_with_a_search_over_vectors(metric):
    k, n = 3, 3
    sign = -1 if oe.get_metric(metric).direction == "lower" else 1
    broken = set()
    for gold in itertools.combinations_with_replacement(range(1, k + 1), n):
        for system in itertools.product(range(1, k + 1), repeat=n):
            for d, closer in itertools.product(range(n), range(1, k + 1)):
                if not (system[d] > closer >= gold[d] or system[d] < closer <= gold[d]):
                    continue
                other = (*system[:d], closer, *system[d + 1 :])
                before, after = (sign * score(metric, answer, gold, k) for answer in (system, other))
                if after <= before + 1e-12:
                    broken.add((tuple(sorted(zip(gold, system, strict=True))), tuple(sorted(zip(gold, other, strict=True)))))
    law, one = STATEMENTS["ordinal_monotonicity"], judged(metric)
    found = 0
    for cases in law.instances(TABLES.every(k, n), one):
        if len(cases):
            values = [one.scored(side)[0] for side in cases.sides]
            found += int((law.readings[2].slack(values, cases, one) < 0).sum())
    assert found == len(broken)


@pytest.mark.parametrize("metric", ["accuracy_within", "spearman", "cem", "cem(level='interval')", "oci", "macro_f1"])
def test_invariance_agrees_with_all_embeddings(metric):
    """One empty class moved at a time finds what all increasing maps into four places find."""
    kept = True
    for n, j in itertools.product((1, 2, 3), (1, 2, 3)):
        for cells in itertools.combinations_with_replacement(itertools.product(range(j), repeat=2), n):
            values = {
                round(score(metric, [where[p] for _, p in cells], [where[t] for t, _ in cells], 4), 9)
                for where in itertools.combinations(range(1, 5), j)
            }
            kept &= len({v for v in values if not math.isnan(v)}) <= 1
    assert check_laws(metric, laws="ordinal_invariance", max_n=3, beyond=0)["ordinal_invariance"].holds == kept


@pytest.mark.slow
def test_triangle_agrees_with_all_triples_of_vectors():
    vectors = list(itertools.product(range(1, 4), repeat=3))
    for metric in ("mae", "mze", "oci(share=0.25)"):
        kept = all(
            score(metric, c, a, 3) <= score(metric, b, a, 3) + score(metric, c, b, 3) + 1e-12
            for a, b, c in itertools.product(vectors[:9:4], vectors, vectors)
        )
        assert check_laws(metric, laws="triangle", max_k=3, max_n=3, beyond=0)["triangle"].holds == kept


def test_all_answers_to_a_truth():
    every = answers(np.array([2, 0, 1]))
    assert len(every) == len({table.tobytes() for table in every}) == 6 * 3
    assert (every.sum(-1) == [2, 0, 1]).all()


# What is found, and how it is said


@pytest.mark.thorough
@pytest.mark.slow
def test_cem_keeps_the_three_laws_under_their_conditions():
    report = check_laws("cem", laws=["ordinal_invariance", "ordinal_monotonicity", "imbalance"])
    assert [report[law].status for law in report.verdicts] == ["proved"] * 3
    monotonicity, imbalance = report.readings["ordinal_monotonicity"], report.readings["imbalance"]
    assert {name: v.holds for name, v in monotonicity.items()} == {
        "no_empty": True,
        "rows_between": True,
        "any": False,
        "weak": True,
        "as_printed": True,
    }
    assert 2 * monotonicity["as_printed"].cases == monotonicity["no_empty"].cases  # the printed side is one of two
    assert {name: v.holds for name, v in imbalance.items()} == {
        "no_empty": True, "middle": True, "any": False, "weak": True, "three_classes": True
    }  # fmt: skip
    assert monotonicity["any"].breach.base.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert imbalance["any"].breach.base.tolist() == [[2, 0, 0], [0, 0, 0], [0, 0, 1]]
    # strict exactly where a true row lies in between
    assert monotonicity["any"].cases - monotonicity["any"].broken == monotonicity["rows_between"].cases


def test_kendall_breaks_imbalance_on_the_papers_own_example():
    verdict = check_laws("kendall_tau", laws="imbalance")["imbalance"]
    assert verdict.breach.base.tolist() == np.diag([2, 1, 1]).tolist()
    assert verdict.breach.scores == pytest.approx((0.8, math.sqrt(0.8)))
    assert verdict.breach.lines == [
        "truth     1 1 2 3         3 classes",
        "answer A  2 1 2 3  0.800  one row of the larger class is wrong",
        "answer B  1 1 2 2  0.894  one row of the smaller class is wrong",
        "A should score better than B; B scores better.",
    ]


def test_quadratic_kappa_falls_by_an_improvement_of_three_rows():
    breach = check_laws("qwk", laws="ordinal_monotonicity", beyond=0)["ordinal_monotonicity"].breach
    assert (breach.rows, breach.classes) == (3, 3)
    assert breach.scores == pytest.approx((-1 / 2, -2 / 3))


def test_oci_changes_the_wrong_way_on_tables_as_small_as_known():
    quarter, of_three = (
        check_laws("oci(share=0.25)", laws="ordinal_monotonicity", max_k=k, beyond=0)
        .readings["ordinal_monotonicity"]["weak"]
        .breach
        for k in (4, 3)
    )
    assert (quarter.rows, quarter.classes) == (2, 4)
    assert (of_three.rows, of_three.classes) == (3, 3)
    assert of_three.scores == pytest.approx((5 / 6, 6 / 7))
    verdicts = check_laws("oci", laws="ordinal_monotonicity").readings["ordinal_monotonicity"]
    assert (verdicts["no_empty"].broken, verdicts["no_empty"].equal) == (26, 26)
    weak = verdicts["weak"]
    assert weak.status == "fails"
    assert weak.broken == 0  # not within K ≤ 4, N ≤ 5
    assert weak.breach.found == "random"
    assert (weak.breach.rows, weak.breach.classes) <= (4, 7)
    assert "though in none of the 102,760 cases" in str(weak)


def test_what_the_random_search_finds_cannot_be_made_smaller():
    law, one = STATEMENTS["ordinal_monotonicity"], judged("oci")
    (weak,) = (reading for reading in law.readings if reading.name == "weak")
    base = np.zeros((6, 6), int)
    base[0, 0], base[0, 2], base[1, 2] = 1, 2, 1  # 3/4 for the worse answer, 107/144 … after one step further
    start = breaches(one, law, base, weak)
    assert sorted(start.scores) == pytest.approx([107 / 144, 3 / 4])
    least = shrunk(one, law, weak, start, 7)
    assert all(breaches(one, law, smaller, weak) is None for smaller in _smaller(least.base, 7))


def test_the_first_counterexample_is_a_smallest_one():
    for metric, law in (("lwk", "ordinal_monotonicity"), ("cosine", "imbalance"), ("amae", "transpose"), ("oci", "triangle")):
        found = check_laws(metric, laws=law, beyond=0)[law].breach
        statement = STATEMENTS[law]
        for k, n in statement.sizes(4, 5):
            if (n, k) < (found.rows, found.classes):
                assert all(breaches(judged(metric), statement, base) is None for base in statement.kind.every(k, n)[::25])


@pytest.mark.thorough
@pytest.mark.slow
def test_a_bounded_search_is_never_worded_as_a_proof():
    report = check_laws("mae", laws=["perfect", "transpose"], max_k=3, max_n=3)
    for verdict in report.verdicts.values():
        assert verdict.status == "holds"
        assert str(verdict).startswith(f"holds for all {verdict.cases:,} cases with K ≤ 3, N ≤ 3")
        assert "prove" not in str(verdict)
    proved = check_laws("cem", laws="imbalance")["imbalance"]
    assert str(proved).startswith("proved")
    assert "Amigó" in str(proved)


def test_the_order_of_the_search_does_not_depend_on_the_seed_where_it_is_complete():
    one, two = (check_laws("spearman", laws=["identity", "merging"], max_k=3, max_n=3, rng=seed) for seed in (0, 1))
    assert str(one) == str(two)


# Functions of one's own


def cem_with_sorted_classes(y_true, y_pred):
    """As one package has it: half is taken off the lower of the two classes, whichever was predicted."""
    rows = {c: int(np.sum(y_true == c)) for c in range(1, 6)}

    def closeness(a, b):
        low, high = sorted((a, b))
        between = rows[low] / 2 + sum(rows[c] for c in range(low + 1, high + 1))
        return -math.log(between / len(y_true))

    earned = sum(closeness(p, t) for t, p in zip(y_true, y_pred, strict=True))
    return earned / sum(closeness(t, t) for t in y_true)


@pytest.mark.thorough
@pytest.mark.slow
def test_cem_with_sorted_classes_is_caught():
    report = check_laws(cem_with_sorted_classes, max_k=3, max_n=4)
    assert report["reversal"].status == "fails"
    assert report.broken["imbalance"].base.tolist() == np.diag([2, 1, 3]).tolist()
    assert check_laws("cem", laws=["reversal", "imbalance"], max_k=3, max_n=4).broken == {}


def test_a_function_of_columns_is_judged_like_the_metric_it_is():
    def mean_error(y_true, y_pred):
        return float(np.abs(y_true - y_pred).mean())

    names = ["reversal", "transpose", "ordinal_monotonicity", "imbalance", "ordinal_invariance", "identity", "perfect", "merging"]
    mine = check_laws(mean_error, laws=names, max_k=3, max_n=3, direction="lower", bounds=(0, math.inf), beyond=0)
    ours = check_laws("mae", laws=names, max_k=3, max_n=3, beyond=0)
    for law in names:
        assert (mine[law].status, mine[law].broken, mine[law].cases) == (ours[law].status, ours[law].broken, ours[law].cases)
    assert (
        check_laws(mean_error, laws="relabelling", direction="lower")["relabelling"].status == "fails"
    )  # takes labels as numbers


def test_a_function_of_a_table_and_one_with_labels():
    def trace(table):
        return np.trace(table) / table.sum()

    report = check_laws(trace, laws=["transpose", "prevalence", "relabelling"], max_k=3, max_n=3)
    assert [report[law].status for law in report.verdicts] == ["holds", "fails", "not applicable"]
    seen = []

    def with_labels(y_true, y_pred, *, labels, sample_weight=None):
        seen.append(tuple(labels))
        assert {*y_true.tolist(), *y_pred.tolist()} <= set(labels)
        return np.average(y_true == y_pred, weights=sample_weight)

    report = check_laws(with_labels, laws=["repetition", "relabelling"], max_k=3, max_n=2)
    assert [report[law].status for law in report.verdicts] == ["holds", "holds"]
    assert {(1, 2, 3), (11, 24, 39)} <= set(seen)


def test_a_worst_score_that_is_not_zero():
    """Steps off as a share of the most that this truth allows keep the law; as a share of all steps of the scale they do not."""

    def of_its_truth(table):
        k = np.arange(len(table))
        return (np.abs(k[:, None] - k) * table).sum() / (np.maximum(k, k[::-1]) * table.sum(1)).sum()

    def of_the_scale(table):
        k = np.arange(len(table))
        return (np.abs(k[:, None] - k) * table).sum() / ((len(table) - 1) * table.sum())

    given = {"laws": "minimal_agreement", "direction": "lower", "bounds": (0, 1), "max_k": 3, "max_n": 3}
    assert check_laws(of_its_truth, **given)["minimal_agreement"].status == "holds"
    assert check_laws(of_the_scale, **given)["minimal_agreement"].status == "fails"


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("high", [1 / 2, 2 / 3, 1, math.inf])
@pytest.mark.parametrize("low", [-math.inf, 0, 1 / 3, 1 / 2])
def test_a_users_function_may_leave_its_bounds_on_neither_side(low, high, sign):
    """Every table is scored, and those below and those above are counted."""

    def share_right(table):
        return sign * float(np.trace(table) / table.sum())

    low, high = sorted((sign * low, sign * high))
    direction = "higher" if sign > 0 else "lower"
    found = check_laws(share_right, laws="bounds", max_k=3, max_n=3, direction=direction, bounds=(low, high), beyond=0)["bounds"]
    scores = []
    for k, n in itertools.product((1, 2, 3), repeat=2):
        cells = itertools.combinations_with_replacement(itertools.product(range(k), repeat=2), n)
        scores += [sign * sum(true == answer for true, answer in rows) / n for rows in cells]
    outside = sum(not low <= score <= high for score in scores)
    assert (found.status, found.broken, found.cases) == ("fails" if outside else "holds", outside, len(scores))


def test_chance_is_read_apart_where_true_classes_are_empty():
    """A mean over all classes in which an empty one counts 0: of independent answers it is 1/K, but for those tables."""

    def mean_found(table):
        return np.mean(np.diag(table) / np.maximum(table.sum(1), 1))

    found = check_laws(mean_found, laws="chance", max_k=3, max_n=3).readings["chance"]
    assert (found["no_empty"].status, found["any"].status) == ("holds", "fails")


@pytest.mark.thorough
@pytest.mark.slow
def test_law_table_of_records_and_of_a_search_agree():
    metrics = ["accuracy", "amae", "kendall_tau", "cem"]
    recorded, searched = law_table(metrics), law_table(metrics, max_k=4, max_n=3)
    assert recorded.laws == searched.laws == tuple(LAWS)
    for metric, law in itertools.product(metrics, LAWS):
        assert recorded[metric, law].status == searched[metric, law].status, (metric, law)


@pytest.mark.parametrize("metric", ["mae", "cem", "oci", "interval_stc", "cohen_kappa", "bias"])
def test_what_is_recorded_stands_under_its_law_and_reading(metric):
    report = recorded_report(oe.get_metric(metric))
    assert set(report.verdicts) == set(STATEMENTS)
    for name, verdict in report.verdicts.items():
        assert (verdict.law, verdict.reading) == (name, STATEMENTS[name].readings[0].name)


def number_of_tables(k, n):
    """So many rows fall into the K² cells of a table in as many ways as stars among bars."""
    return sum(math.comb(rows + classes**2 - 1, rows) for classes in range(1, k + 1) for rows in range(1, n + 1))


@pytest.mark.parametrize(("metric", "law", "of_each"), [
    ("mae", "transpose", 1),
    ("mae", "unused_class", 2),  # one more at either end
    ("interval_mae", "unused_class", 2),
    ("interval_stc", "unused_class", 1),  # none above an open interval
    ("interval_stc", "scale_invariance", 2),
])  # fmt: skip
def test_what_is_recorded_tells_how_far_was_searched(metric, law, of_each):
    verdict = recorded_report(oe.get_metric(metric))[law]
    assert verdict.cases == of_each * number_of_tables(4, 5)
    if verdict.status == "holds":
        assert str(verdict) == f"holds for all {verdict.cases:,} cases with K ≤ 4, N ≤ 5"


@pytest.mark.parametrize(("bounds", "k", "n"), [({"max_k": 2}, 2, 5), ({"max_n": 2}, 4, 2), ({"max_k": 3, "max_n": 1}, 3, 1)])
def test_a_table_with_a_bound_is_searched_now(bounds, k, n):
    """The other bound is that of the records, which are shown where none is given."""
    found, recorded = law_table(["mae"], laws="transpose", **bounds), law_table(["mae"], laws="transpose")
    assert found["mae", "transpose"].cases == number_of_tables(k, n)
    assert recorded["mae", "transpose"].cases == number_of_tables(4, 5)
    assert f"K ≤ {k}, N ≤ {n}" in str(found)


@pytest.mark.parametrize("text", ["over_rate", "amae", "rmse", "interval_mae", "bias", "accuracy", "kendall_tau"])
def test_the_words_beside_a_counterexample_name_the_side_that_scores_better(text):
    metric = oe.get_metric(text)
    told = [breach for breach in recorded_report(metric).broken.values() if breach.outcome.endswith("better")]
    assert told
    for breach in told:
        a, b = breach.scores
        first = {"higher": a > b, "lower": a < b}.get(metric.direction)
        if first is None:
            first = abs(a - metric.direction) < abs(b - metric.direction)
        assert breach.outcome == f"{'A' if first else 'B'} scores better"
        for side in "AB":  # or there would be nothing wrong
            assert not (f"{side} should score better" in breach.lines[-1] and breach.outcome.startswith(side))


@pytest.mark.parametrize("seed", range(4))
def test_smaller_bases_hold_whole_rows_and_fewer_of_something(seed):
    rng = np.random.default_rng(seed)
    for dimensions in (1, 2, 3):
        base = rng.integers(0, 4, [int(rng.integers(2, 5))] * dimensions)
        for smaller in _smaller(base, 6):
            assert smaller.dtype.kind == "i"
            assert 0 < smaller.sum() <= base.sum()
            assert set(smaller.shape) in ({len(base) - 1}, {len(base)}, {len(base) + 1})
            assert smaller.sum() < base.sum() or len(smaller) < len(base)


def test_rows_of_a_class_that_is_not_there_are_not_made_commoner():
    stack = np.random.default_rng(0).integers(0, 2, (50, 3, 3))
    for cases in commoner(stack, judged("mae")):
        before, after = (side.tables for side in cases.sides)
        assert (before != after).any((1, 2)).all()


@pytest.mark.parametrize("metric", ["mae", "interval_stc"])
def test_one_class_more_is_one_class_more(metric):
    """Nothing lies above an open interval."""
    stack = np.random.default_rng(1).integers(0, 3, (5, 3, 3))
    places = (slice(1, None), slice(None, -1))[: 2 if metric == "mae" else 1]
    for cases, inside in zip(wider(stack, judged(metric)), places, strict=True):
        before, after = cases.sides
        assert after.tables.shape == (5, 4, 4)
        assert (after.tables[:, inside, inside] == before.tables).all()
        assert (after.tables.sum((1, 2)) == stack.sum((1, 2))).all()
        assert (after.edges is None) == (before.edges is None) == (metric == "mae")
        assert after.edges is None or (len(after.edges) == 5 and after.edges[inside] == before.edges)


def test_tables_with_one_row_alike_do_not_share_their_truth():
    """Then each side is told with a truth of its own."""

    law = get_law("transpose")

    def told(*tables):
        tables = tuple(np.array(table) for table in tables)
        breach = Breach(law.name, law.readings[0].name, tables[0], tables, (None, None), ("", ""), (0.5, 0.25), "other")
        return [line.split() for line in breach.lines[: len(tables) + 1]]

    alike = told([[1, 0], [1, 0]], [[1, 0], [0, 1]])
    assert alike[0][0] == "truth"
    apart = told([[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [0, 1, 0]])
    assert [line.count("truth") for line in apart[:2]] == [1, 1]


def test_get_law_offers_near_names():
    assert get_law("imbalance").name == "imbalance"
    with pytest.raises(ValueError, match="there is no law called 'inbalance'; did you mean imbalance"):
        get_law("inbalance")
