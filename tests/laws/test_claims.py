"""Does each metric keep its promises, and are the promises it does not make really broken?"""

import numpy as np
import pytest
from tables import counted, variants

import ordeval as oe
from ordeval.laws import LAWS, STATEMENTS
from ordeval.laws import check as check_laws
from ordeval.laws._scoring import judged
from ordeval.laws._search import breaches, first_breach
from ordeval.metrics.core.law_records import records


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_every_law_is_claimed_broken_or_does_not_apply(metric):
    one = judged(metric)
    assert not set(metric.laws) & set(metric.broken)
    assert set(metric.laws) | set(metric.broken) <= set(LAWS)
    silent = {name for name, law in STATEMENTS.items() if name not in metric.laws and name not in metric.broken}
    assert silent == {name for name, law in STATEMENTS.items() if law.needs(one)} - set(metric.laws) - set(metric.broken)


@pytest.mark.parametrize(
    "metric", [pytest.param(m, marks=pytest.mark.slow if "(" in str(m) else ()) for m in variants()], ids=str
)
@pytest.mark.thorough
@pytest.mark.slow
def test_claimed_laws_hold_on_all_small_cases(metric):
    claimed = [law for law in STATEMENTS if law in metric.laws and not STATEMENTS[law].needs(judged(metric))]
    report = check_laws(metric, laws=claimed, max_k=3, max_n=3, beyond=0)
    assert {law: str(report[law]) for law in claimed if not report[law].holds} == {}


@pytest.mark.slow
@pytest.mark.parametrize("metric", counted(), ids=str)
def test_claimed_laws_hold_on_the_whole_range(metric):
    claimed = [law for law in STATEMENTS if law in metric.laws and not STATEMENTS[law].needs(judged(metric))]
    report = check_laws(metric, laws=claimed, max_k=4, max_n=5, beyond=0)
    assert {law: str(report[law]) for law in claimed if not report[law].holds} == {}


def larger(k, rng):
    """Tables of up to nine rows in each cell: spread, with many empty cells, nearly diagonal."""
    stack = rng.integers(0, 10, (30, k, k))
    stack[10:20] *= rng.random((10, k, k)) < 0.4
    stack[20:] *= np.eye(k, dtype=int) + (rng.random((10, k, k)) < 0.15)
    return stack[stack.sum((1, 2)) > 0]


@pytest.mark.parametrize("metric", variants(), ids=str)
@pytest.mark.thorough
@pytest.mark.slow
def test_claimed_laws_hold_on_larger_tables(metric):
    one, rng = judged(metric), np.random.default_rng(0)
    for k in range(1, 6):
        stack = larger(k, rng)
        for name, law in STATEMENTS.items():
            if name in metric.laws and law.random and law.kind.name == "tables" and k >= law.classes and not law.needs(one):
                assert first_breach(one, law, stack) is None, name


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_broken_laws_have_a_witness(metric):
    one = judged(metric)
    for law, witness in metric.broken.items():
        assert breaches(one, STATEMENTS[law], witness) is not None, law


@pytest.mark.parametrize("metric", counted(), ids=str)
def test_what_an_author_lists_is_not_recorded_again(metric):
    found = records()[str(metric)]
    assert not (set(found.keeps) | set(found.breaks)) & (set(metric.laws_of_record) | set(metric.broken_by_author))


def test_every_form_with_a_name_is_recorded():
    assert set(records()) == {str(metric) for metric in variants()}


def test_a_claim_that_is_wrong_is_noticed():
    """CEM keeps imbalance and Kendall's tau breaks it; exchanged, the checks above fail."""
    assert not check_laws("kendall_tau", laws="imbalance", max_k=3, max_n=3, beyond=0)["imbalance"].holds
    assert breaches(judged("cem"), STATEMENTS["imbalance"], judged("kendall_tau").metric.broken["imbalance"]) is None


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_both_bounds_are_numbers_in_order(metric):
    for k in (2, 3, 9):
        low, high = metric.bounds_for(k)
        assert low < high


@pytest.mark.parametrize("name", ["cohen_kappa", "scott_pi"])
@pytest.mark.parametrize("right", [0, 2, 98])
def test_weights_of_ones_own_leave_1_as_the_best_score_and_no_worst(name, right):
    """A cost between the outer classes alone: 2 / (n + 2) is lost where chance loses 2 / (n + 2)², which leaves -(n + 1)."""
    metric = oe.get_metric(name).with_params(weights=((1, 1, 0), (1, 1, 1), (0, 1, 1)))
    assert metric.bounds_for(3) == (-np.inf, 1)
    assert metric(oe.Counts.from_matrix([[0, 0, 1], [0, right, 0], [1, 0, 0]])) == pytest.approx(-(right + 1))
    assert metric(oe.Counts.from_matrix([[1, 0, 0], [0, right, 0], [0, 0, 1]])) == 1
