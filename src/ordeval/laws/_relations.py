"""How far the scores of an instance are from breaking a law: below 0 they break it, nan where it says nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ordeval.base.arrays import Array
from ordeval.laws._instances import Instances
from ordeval.laws._scoring import ScoredMetric

#: Two scores closer than this (relative to scores above 1) are the same score.
TOLERANCE = 1e-12

#: From the scores of all sides, the instances and the metric to the slack of each instance.
Slack = Callable[[list[Array], Instances, ScoredMetric], Array]


def _margin(score: Array) -> Array:
    return TOLERANCE * np.where(np.isinf(score), 1, np.maximum(1, np.abs(score)))  # nothing but itself is close to infinity


def equal(a: Array, b: Array) -> Array:
    """Where two scores are the same but for rounding; nowhere where one is undefined."""
    return np.asarray(np.abs(_difference(a, b)) <= _margin(a))


def _difference(a: Array, b: Array) -> Array:
    """a - b, 0 where both are the same infinity."""
    with np.errstate(invalid="ignore"):
        return np.where(a == b, 0, a - b)


def same(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    """Both scores are equal, or both undefined."""
    a, b = scores
    slack = _margin(a) - np.abs(_difference(a, b))
    return np.where(np.isnan(a) & np.isnan(b), TOLERANCE, np.where(np.isnan(a) | np.isnan(b), -np.inf, slack))


def identical(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    """Equal to the last bit."""
    a, b = scores
    return np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, -np.inf)


def same_if_defined(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    a, b = scores
    return _margin(a) - np.abs(_difference(a, b))


def twice(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    a, b = scores
    return _margin(a) - np.abs(_difference(2 * a, b))


def second_better(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    a, b = (judged.good(score) for score in scores)
    return _difference(b, a) - _margin(a)


def second_not_worse(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    a, b = (judged.good(score) for score in scores)
    return _difference(b, a) + _margin(a)


def first_better(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    return second_better(scores[::-1], cases, judged)


def first_not_worse(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    return second_not_worse(scores[::-1], cases, judged)


def within(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    low, high = judged.bounds(cases.sides[0].tables.shape[-1]) or (-np.inf, np.inf)
    return np.minimum(scores[0] - low, high - scores[0]) + TOLERANCE


def perfect_is_best(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    best = judged.best(cases.sides[0].tables.shape[-1])
    if best is None:
        return first_not_worse(scores, cases, judged)
    return _margin(np.asarray(best)) - np.abs(_difference(scores[0], np.asarray(best)))


def not_best(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    best = judged.best(cases.sides[0].tables.shape[-1])
    if best is None:
        return second_better(scores, cases, judged)
    return np.abs(_difference(scores[0], np.asarray(best))) - _margin(np.asarray(best))


def best_if_diagonal(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    table = cases.sides[0].tables
    perfect = np.diagonal(table, axis1=-2, axis2=-1).sum(-1) == table.sum((-2, -1))
    return np.where(perfect, 1, -1) * -not_best(scores, cases, judged)


def worst_of_its_truth(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    """The worst answer to a truth has the worst score there is."""
    good, worst = judged.good(scores[0]), judged.worst(cases.sides[0].tables.shape[-1])
    least = np.nanmin(good) if not np.isnan(good).all() else np.nan
    gap = _margin(np.asarray(worst)) - np.abs(scores[0] - (np.nan if worst is None else worst))
    return np.where(good <= least + TOLERANCE, gap, np.where(np.isnan(good), np.nan, TOLERANCE))


def triangle(scores: list[Array], cases: Instances, judged: ScoredMetric) -> Array:
    best = judged.best(cases.sides[0].tables.shape[-1])
    direct, first, second = (np.abs(score - (0 if best is None else best)) for score in scores)
    return first + second - direct + TOLERANCE
