"""Does each metric keep its promises, and are the promises it does not make really broken?"""

import numpy as np
import pytest
from hypothesis import given, settings
from tables import rows_of, same, scale_of, small_tables, tables, value, variants

from ordeval import LAWS, Scale

#: The laws that every metric must either claim or break.  The others are judged in their own time.
JUDGED = ("bounds", "perfect", "reversal", "transpose", "replication", "repetition", "unused_class", "relabelling", "prevalence")
NAMES = ["zero", "Ärger", "mid", "5", "<b>", "last"]


def transformed(law, table, scale):
    """The tables, each with its scale, that a law says have the same score as this one."""
    k = len(table)
    if law == "reversal":
        return [(table[::-1, ::-1], reversed_scale(scale))]
    if law == "transpose":
        return [(table.T, scale)]
    if law == "replication":
        return [(2 * table, scale), (7 * table, scale)]
    if law == "unused_class":
        return [(np.pad(table, place), wider) for place, wider in widened(scale)]
    if law == "prevalence":
        factors = np.eye(k, dtype=int)[:, :, None]
        return [(table * (1 + f * extra), scale) for f in factors for extra in (1, 4)]
    raise KeyError(law)


def reversed_scale(scale):
    return scale if scale.edges is None else Scale.from_edges([-edge for edge in reversed(scale.edges)])


def widened(scale):
    """The scale with one more class below, and with one more above: nothing lies above an open interval."""
    if scale.edges is None:
        return [((1, 0), Scale(range(scale.K + 1))), ((0, 1), Scale(range(scale.K + 1)))]
    first, last = scale.edges[0], scale.edges[-1]
    below, above = ((1, 0), [first - 3, *scale.edges]), ((0, 1), [*scale.edges, last + 3])
    return [(place, Scale.from_edges(edges)) for place, edges in ([below] if np.isinf(last) else [below, above])]


def breach(metric, law, table):
    """What is wrong with this law on this table; None if nothing is."""
    score = value(metric, table)
    k, scale = len(table), scale_of(metric, len(table))
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
            other = call(metric, *map(scale.decode, cells.T), labels=scale, sample_weight=table[table > 0])
        else:
            named = Scale(NAMES[:k]) if scale.edges is None else Scale.from_edges(scale.edges, names=NAMES[:k])
            other = call(metric, named.decode(y_true), named.decode(y_pred), labels=named)
        return None if same(score, other, 0) else f"{score} became {other}"
    for changed, its_scale in transformed(law, table, scale):
        other = value(metric, changed, its_scale)
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
