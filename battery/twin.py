"""The exact twin of probability, set and rater metrics: random rational cases against fractions, and whether every nan is one.

`python -m battery.run --only twin --seed N` runs it alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from battery.plants import replaced, single, spoiled_points, zero_for_nan
from battery.rows import Check, Plant, Row, Scope, in_parallel, timed

CASES = 10_000  # for each metric
FITS = 1_000
PART = 50  # cases of a task
SLICE = 60  # cases for each metric in a slice


def _part(task: tuple[str, int, int, int]) -> tuple[Counter[str], list[str]]:
    what, seed, start, stop = task
    from papers import twin

    found: tuple[Counter[str], list[str]] = getattr(twin, what)(seed, range(start, stop))
    return found


def _fits(task: tuple[int, int, int]) -> list[str]:
    seed, start, stop = task
    from rational import fits_disagree

    return [why for i in range(start, stop) if (why := fits_disagree(np.random.default_rng([seed, i, 4])))]


def _cases(what: str, question: str, scope: Scope) -> Row:
    number = scope.choose(CASES, SLICE, 20)
    part = min(PART, max(number // 2, 1))
    tasks = [(what, scope.seed, start, min(start + part, number)) for start in range(0, number, part)]
    with timed() as clock:
        found = in_parallel(_part, tasks, f"twin, {what}")
    tried: Counter[str] = sum((part for part, _ in found), Counter())
    note = f"{number:,} cases for each of {len(tried)} metrics and variants"
    return Row("twin", question, sum(tried.values()), [w for _, wrong in found for w in wrong], clock.seconds, note)


def forecasts(scope: Scope) -> Row:
    question = (
        "every probability metric on rational forecasts (halves to hundredths, repeated and constant rows, K from 2 to 8, "
        "weights; small cases in all orders of their rows) against fractions or 50 digits, and whether a value exists"
    )
    return _cases("forecasts", question, scope)


def sets(scope: Scope) -> Row:
    return _cases("sets", "every set metric on random prediction sets against fractions", scope)


def ratings(scope: Scope) -> Row:
    question = "every coefficient of agreement on random ratings against fractions, and whether a value exists"
    return _cases("ratings", question, scope)


def fits(scope: Scope) -> Row:
    number = scope.choose(FITS, 60, 60)
    tasks = [(scope.seed, start, min(start + PART // 5, number)) for start in range(0, number, PART // 5)]
    with timed() as clock:
        found = in_parallel(_fits, tasks, "twin, decisions")
    question = "identical rows, identical answers: decide, fit and OrdinalDecision on random fits with repeated rows"
    return Row("twin", question, number, [w for wrong in found for w in wrong], clock.seconds)


# Bad implementations


def _called(change: Callable[[Callable[..., float]], Callable[..., float]]) -> Plant:
    return replaced("ordeval.metrics.core.record:Metric", "__call__", change)


def _bound(spoil: Callable[[Any], Any]) -> Plant:
    """Every coefficient of agreement gives what ``spoil`` makes of it."""

    def change(bind: Any) -> Any:
        def bad(self: Any, *settings: Any) -> Any:
            good = bind(self, *settings)
            return lambda sums: spoil(good(sums))

        return bad

    return replaced("ordeval.raters._coefficients:Coefficient", "bind", change)


def _by_place(good: Any) -> Any:
    """Answers that depend on where a row stands."""

    def bad(*args: Any, **options: Any) -> Any:
        found = np.array(good(*args, **options))
        found[len(found) // 2 :] = found[0]
        return found

    return bad


CHECKS = (
    Check(
        "twin.forecasts",
        forecasts,
        {
            "1e-9 added": spoiled_points(lambda value: value + 1e-9),
            "nan given as 0": spoiled_points(zero_for_nan),
            "weights are ignored": replaced(
                "forecasts", "forecast", lambda good: lambda *rows, sample_weight=None, **options: good(*rows, **options)
            ),
            "the last row is left out": replaced(
                "forecasts",
                "forecast",
                lambda good: (
                    lambda true, proba, sample_weight=None, **options: good(
                        true[: len(true) - 1 or 1],
                        proba[: len(true) - 1 or 1],
                        sample_weight=None if sample_weight is None else sample_weight[: len(true) - 1 or 1],
                        **options,
                    )
                ),
            ),
        },
    ),
    Check(
        "twin.sets",
        sets,
        {
            "1e-9 added": _called(lambda good: lambda self, *rows, **options: good(self, *rows, **options) + 1e-9),
            "weights are ignored": _called(
                lambda good: lambda self, *rows, sample_weight=None, **options: good(self, *rows, **options)
            ),
            "single precision": _called(lambda good: lambda self, *rows, **options: float(single(good(self, *rows, **options)))),
        },
    ),
    Check(
        "twin.ratings",
        ratings,
        {
            "1e-9 added": _bound(lambda values: values + 1e-9),
            "nan given as 0": _bound(lambda values: np.atleast_1d(zero_for_nan(values))),
            "the same weights whatever is asked for": replaced(
                "ordeval.raters._coefficients:Coefficient",
                "bind",
                lambda good: lambda self, weights, power, k: good(self, "linear", power, k),
            ),
        },
    ),
    Check(
        "twin.fits",
        fits,
        {
            "a rule that looks at the place of a row": replaced("ordeval.decide._decisions:Decision", "apply", _by_place),
            "a classifier that looks at the place of a row": replaced(
                "ordeval.decide._estimator:OrdinalDecision", "predict", _by_place
            ),
            "decide() that looks at the place of a row": replaced("ordeval.decide", "decide", _by_place),
        },
    ),
)
