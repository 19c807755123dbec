"""Is the arithmetic right?  Every metric against its second derivation, small tables completely, large ones to 10**15 rows."""

import math

import pytest
from tables import TABLE_4X4, random_tables, scale_of, small_tables, value, variants

from papers import derivations

LONG = {"interval_stc", "interval_total_cost"}  # seconds, for their searches in 50 digits


def worst_error(metric, tables):
    """The largest error as a share of max(1, |value|), undefined wherever the derivation is."""
    worst = 0.0
    for table in tables:
        expected = derivations.derived(metric, scale_of(metric, len(table)), table)
        got = value(metric, table)
        if expected is None or math.isnan(got):
            assert expected is None, f"{metric} is nan, not {expected}, on {table.tolist()}"
            assert math.isnan(got), f"{metric} is {got}, not undefined, on {table.tolist()}"
            continue
        expected = derivations.real(expected)
        worst = max(worst, float(abs(derivations.mpf(got) - expected) / max(1, abs(expected))))
    return worst


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_all_small_tables(metric):
    assert worst_error(metric, small_tables()) < 1e-14


@pytest.mark.parametrize(
    "metric", [pytest.param(m, marks=pytest.mark.slow if m.name in LONG else ()) for m in variants()], ids=str
)
@pytest.mark.thorough
@pytest.mark.slow
def test_tables_of_all_sizes(metric):
    number = 60 if metric.params.get("unbounded") == "optimal" else 200  # each needs a search in 50 digits
    assert worst_error(metric, random_tables(number)) < 1e-12


def test_every_metric_has_a_derivation():
    assert [m.name for m in variants() if not hasattr(derivations, m.name)] == []


def test_the_derivations_can_disagree():
    """A mistake in either would be seen: the transposed table is not the same for a metric without that law."""
    transposed = [list(row) for row in zip(*TABLE_4X4, strict=True)]
    assert derivations.amae(TABLE_4X4) != derivations.amae(transposed)
