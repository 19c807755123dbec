"""A slice of the coverage study and of the size study: do 95 % intervals hold, and do tests at 5 % err no more than that?"""

import pytest
from coverage_study import METRICS, POPULATIONS, study
from size_study import study as size

SETS = 200


@pytest.mark.slow
@pytest.mark.parametrize("population", ["N 100, K 5, rarest 5 %", "N 300, K 5, to the middle", "40 clusters of 10, K 4"])
def test_auto_holds(population):
    """Within four Monte-Carlo errors of 93 to 97 %, or not given."""
    found = study((population, SETS, 499, 0, METRICS))["auto"]
    error = (0.0475 / SETS) ** 0.5
    for metric, (held, below, above, none) in found.items():
        given = held + below + above
        assert given + none == SETS
        if given > SETS / 10:
            assert held / given > 0.93 - 4 * error * (SETS / given) ** 0.5, (metric, held, given)
    assert sum(sum(outcome[:3]) for outcome in found.values()) > 4 * SETS


@pytest.mark.slow
@pytest.mark.parametrize("equality", ["alike", "different"])
def test_the_paired_test_keeps_its_level(equality):
    rejected, _, discordant = size(("N 300, K 4", equality, "cem", SETS, 399, False))
    assert rejected < 0.05 + 4 * (0.0475 / SETS) ** 0.5
    assert discordant > 100


def test_the_populations_are_those_of_the_documentation():
    assert len(POPULATIONS) >= 12
    assert sum(rows[4] is not None for rows in POPULATIONS.values()) == 2
