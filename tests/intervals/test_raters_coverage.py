"""A slice of the coverage study for raters: intervals hold, and the naive one of a judge does not."""

import pytest
from raters_study import study_items, study_judges, study_raters


def share(outcome):
    held, below, above, _ = outcome
    return held / (held + below + above)


@pytest.mark.slow
def test_intervals_over_items_hold():
    found = study_items("200 items, 5 raters, K 7", 100, 400, 0)["auto"]
    assert all(share(outcome) > 0.93 - 4 * 0.022 for outcome in found.values())
    assert all(outcome[3] == 0 for outcome in found.values())


@pytest.mark.slow
def test_intervals_over_items_and_raters_hold_where_those_over_items_do_not():
    found = study_raters("200 items, 5 raters, K 7", 100, 99, 0)
    assert all(share(outcome) > 0.93 - 4 * 0.022 for outcome in found["crossed jackknife"].values())
    assert all(share(outcome) < 0.85 for outcome in found["items only"].values())


@pytest.mark.slow
def test_the_corrected_interval_covers_and_the_naive_one_does_not():
    found = study_judges("200 of 2000, skewed, generous judge", 100, 400, 0)
    assert all(share(outcome) > 0.93 - 4 * 0.022 for outcome in found["poststratified"].values())
    assert all(share(outcome) < 0.3 for outcome in found["naive"].values())
