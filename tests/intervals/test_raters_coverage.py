"""A slice of the coverage studies for raters: intervals hold, one that is planted too narrow does not, nor does the naive one of a judge."""

import numpy as np
import pytest
import raters_attack
from raters_attack import coefficients, judges
from raters_study import study_judges, study_raters

LEAST = 0.92


def share(outcome):
    held, high, low, _ = outcome
    return held / (held + high + low)


def error(outcome):
    return np.sqrt(LEAST * (1 - LEAST) / sum(outcome[:3]))


def near_perfect(seed, number):
    """Three raters who agree on 97 % of 30 items: four samples of ten hold no disagreement."""
    codes = np.array([[c, c, c] for c in range(3)] + [[0, 0, 1], [1, 2, 1], [2, 2, 1]])
    return "near-perfect", 30, codes, np.array([0.35, 0.32, 0.30, 0.01, 0.01, 0.01]), 3


def test_near_perfect_raters_are_covered_and_without_smoothing_they_are_not(monkeypatch):
    monkeypatch.setattr(raters_attack, "population", near_perfect)
    _, found = coefficients(1, 0, 40, 400, 0, ("gwet_ac",))
    assert share(found["gwet_ac"]) > LEAST - 3 * error(found["gwet_ac"])
    monkeypatch.setattr(
        "ordeval.raters._intervals.with_alternatives", lambda codes, number, k, pseudo: (codes, number, 0 * number)
    )
    _, planted = coefficients(1, 0, 40, 400, 0, ("gwet_ac",))
    assert share(planted["gwet_ac"]) < LEAST - 3 * error(planted["gwet_ac"])


@pytest.mark.slow
def test_intervals_over_items_hold():
    for number in (2, 5):
        _, found = coefficients(5, number, 100, 1_000, 0, ("alpha_ordinal", "gwet_ac", "conger_kappa"))
        for outcome in found.values():
            assert share(outcome) > LEAST - 3 * error(outcome)


@pytest.mark.slow
def test_intervals_over_items_and_raters_hold_where_those_over_items_do_not():
    found = study_raters("200 items, 5 raters, K 7", 100, 99, 0)
    assert all(share(outcome) > 0.93 - 4 * 0.022 for outcome in found["crossed jackknife"].values())
    assert all(share(outcome) < 0.85 for outcome in found["items only"].values())


@pytest.mark.slow
def test_corrected_grades_hold_for_few_rows_and_a_rare_class():
    for number in (1, 2):
        _, found = judges(5, number, 100, 1_000, 0, ("poststratified",))
        for outcome in found.values():
            assert share(outcome) > LEAST - 3 * error(outcome)


@pytest.mark.slow
def test_the_corrected_interval_covers_and_the_naive_one_does_not():
    found = study_judges("200 of 2000, skewed, generous judge", 50, 400, 0)
    assert all(share(outcome) > LEAST - 3 * error(outcome) for outcome in found["poststratified"].values())
    assert all(share(outcome) < 0.3 for outcome in found["naive"].values())
