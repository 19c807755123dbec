"""Does each metric keep its promises, and are the promises it does not make really broken?"""

import numpy as np
import pytest
from hypothesis import given, settings
from tables import rows_of, same, small_tables, tables, value, variants

from ordeval import LAWS

#: The laws that every metric must either claim or break.  The others are judged in their own time.
JUDGED = ("bounds", "perfect", "reversal", "transpose", "replication", "repetition", "unused_class", "relabelling", "prevalence")
NAMES = ["zero", "Ärger", "mid", "5", "<b>", "last"]


def transformed(law, table):
    """The tables that a law says have the same score as this one."""
    k = len(table)
    if law == "reversal":
        return [table[::-1, ::-1]]
    if law == "transpose":
        return [table.T]
    if law == "replication":
        return [2 * table, 7 * table]
    if law == "unused_class":
        return [np.pad(table, (1, 0)), np.pad(table, (0, 1))]
    if law == "prevalence":
        factors = np.eye(k, dtype=int)[:, :, None]
        return [table * (1 + f * extra) for f in factors for extra in (1, 4)]
    raise KeyError(law)


def breach(metric, law, table):
    """What is wrong with this law on this table; None if nothing is."""
    score = value(metric, table)
    k = len(table)
    if law == "bounds":
        low, high = metric.bounds_for(k)
        return None if np.isnan(score) or low - 1e-12 <= score <= high + 1e-12 else f"{score} is outside {low}..{high}"
    if law == "perfect":
        perfect = value(metric, np.diag(table.sum(1)))
        best = metric.direction if not isinstance(metric.direction, str) else metric.bounds_for(k)[metric.direction == "higher"]
        return None if np.isnan(perfect) or same(perfect, best) else f"{perfect} is not {best}"
    if law in ("repetition", "relabelling"):
        y_true, y_pred = rows_of(table)
        if law == "repetition":
            cells = np.argwhere(table)
            other = call(metric, cells[:, 0], cells[:, 1], labels=range(k), sample_weight=table[table > 0])
        else:
            other = call(metric, [NAMES[t] for t in y_true], [NAMES[p] for p in y_pred], labels=NAMES[:k])
        return None if same(score, other, 0) else f"{score} became {other}"
    for changed in transformed(law, table):
        other = value(metric, changed)
        if not same(score, other):
            return f"{score} became {other} on {changed.tolist()}"
    return None


def call(metric, *args, **kwargs):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric(*args, **kwargs)


CLAIMED = [(m, law) for m in variants() for law in JUDGED if law in m.laws]
BROKEN = [(m, law) for m in variants() for law in JUDGED if law in m.broken]


@pytest.mark.parametrize(("metric", "law"), CLAIMED, ids=lambda x: str(x))
def test_claimed_laws_hold_on_all_small_tables(metric, law):
    breaches = [(table.tolist(), found) for table in small_tables() if (found := breach(metric, law, table))]
    assert breaches == []


@pytest.mark.parametrize(("metric", "law"), CLAIMED, ids=lambda x: str(x))
def test_claimed_laws_hold_on_larger_tables(metric, law):
    @settings(max_examples=40)
    @given(tables())
    def holds(table):
        assert breach(metric, law, table) is None

    holds()


@pytest.mark.parametrize(("metric", "law"), BROKEN, ids=lambda x: str(x))
def test_broken_laws_have_a_witness(metric, law):
    assert breach(metric, law, np.array(metric.broken[law])) is not None


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_every_law_is_claimed_or_broken(metric):
    assert {law for law in JUDGED if law not in metric.laws and law not in metric.broken} == set()
    assert not set(metric.laws) & set(metric.broken)
    assert set(metric.laws) | set(metric.broken) <= set(LAWS)


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_both_bounds_are_numbers_in_order(metric):
    for k in (2, 3, 9):
        low, high = metric.bounds_for(k)
        assert low < high
