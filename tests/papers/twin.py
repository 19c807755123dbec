"""The exact twin: random rational cases scored here and by their derivations, and whether a nan is one.  Each function gives what is wrong.

`python -m battery.run --only twin --seed N` runs ten thousand cases for every metric; tests run a slice.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from forecasts import as_forecast
from forecasts import variants as forecast_variants
from mpmath import isinf
from rational import ForecastCase, RatingCase, SetCase, forecast_case, rating_case, set_case

import ordeval as oe
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems

from . import derivations_probability as derivations
from . import derivations_raters, existence

TOLERANCE = 1e-12  # of max(1, |value|)
ORDERS = 10  # one case in so many is small, and tried in all orders of its rows
SCHEMES = tuple(derivations_raters.COSTS)


def differs(got: float, expected: Any) -> str:
    """What is wrong with a score; "" if nothing is."""
    if expected is None or math.isnan(got):
        return "" if expected is None and math.isnan(got) else f"{got} here, {expected} by the twin"
    exact = derivations.real(expected)
    if isinf(exact) or math.isinf(got):
        return "" if got == exact else f"{got} here, {exact} by the twin"
    error = abs(got - exact) / max(1, abs(exact))
    return "" if error <= TOLERANCE else f"{got!r} here, {float(exact)!r} by the twin, off by {float(error):.2g}"


def number(rng: np.random.Generator, i: int) -> dict[str, int]:
    return {"rows": int(rng.integers(2, 5))} if i % ORDERS == 0 else {}


def of_forecast(metric: oe.Metric, case: ForecastCase) -> Any:
    """The score by its derivation, from the fractions themselves."""
    return getattr(derivations, metric.name)(case.true, case.proba, case.exact_weights, **metric.params)


def forecasts(seed: int, numbers: range, metrics: list[oe.Metric] | None = None) -> tuple[Counter[str], list[str]]:
    """Tried by metric, and what was wrong: another value than the twin's, another order of the rows, a nan without its reason."""
    tried: Counter[str] = Counter()
    wrong = []
    for i in numbers:
        rng = np.random.default_rng([seed, i, 1])
        case = forecast_case(rng, **number(rng, i))
        rows = as_forecast(case.true, case.doubles, case.double_weights, case.K)
        orders = list(itertools.permutations(range(len(case.true)))) if i % ORDERS == 0 else []
        others = [
            as_forecast(
                np.array(case.true)[list(o)],
                case.doubles[list(o)],
                None if case.weights is None else case.double_weights[list(o)],
                case.K,
            )
            for o in orders
        ]
        for metric in metrics or forecast_variants():
            with np.errstate(all="ignore"):
                score = metric.bind(rows)
                got, expected = score.point(), of_forecast(metric, case)
                shuffled = [metric.bind(other).point() for other in others]
            tried[str(metric)] += 1 + len(orders)
            exists, why = existence.FORECASTS[metric.name](case, **metric.params), score.why_undefined()
            found = [
                differs(got, expected),
                *(f"in another order, {problem}" for value in shuffled if (problem := differs(value, expected))),
                ""
                if exists == (expected is not None)
                else f"the twin gives {expected}, and a value {'exists' if exists else 'does not exist'}",
                "" if bool(why) == math.isnan(got) else f"the score is {got}, and the reason against it {why!r}",
            ]
            wrong += [f"{metric}, case {i}: {problem}; {case}" for problem in found if problem]
    return tried, wrong


def sets(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    tried: Counter[str] = Counter()
    wrong = []
    for i in numbers:
        case: SetCase = set_case(np.random.default_rng([seed, i, 2]))
        weights = None if case.weights is None else [float(w) for w in case.weights]
        exact = case.weights or [Fraction(1)] * len(case.true)
        for name in derivations_raters.SETS:
            got = oe.get_metric(name)(case.true, sets=(case.lo, case.hi), labels=range(case.K), sample_weight=weights)
            problem = differs(got, derivations_raters.set_score(name, case.true, case.lo, case.hi, exact))
            tried[name] += 1
            wrong += [f"{name}, case {i}: {problem}; {case}"] if problem else []
    return tried, wrong


def rated(case: RatingCase) -> tuple[RatedItems, tuple[str, ...]]:
    names = tuple(f"r{g}" for g in range(len(case.items[0])))
    columns = {name: list(column) for name, column in zip(names, zip(*case.items, strict=True), strict=True)}
    return RatedItems.of(oe.raters.ratings(columns, labels=range(case.K))), names


def ratings(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """The schemes of weights take turns."""
    tried: Counter[str] = Counter()
    wrong = []
    for i in numbers:
        case = rating_case(np.random.default_rng([seed, i, 3]))
        units, names = rated(case)
        scheme = SCHEMES[i % len(SCHEMES)]
        sums, cost = units.sums(units.whole), derivations_raters.COSTS[scheme]
        matrix = np.array([[float(cost(a, b, case.K)) for b in range(case.K)] for a in range(case.K)])
        for name, record in COEFFICIENTS.items():
            got = float(record.bind(scheme, None, case.K)(sums)[0])
            expected = derivations_raters.COEFFICIENTS[name](case.items, case.K, lambda a, b, k=case.K, f=cost: f(a, b, k))
            exists = existence.RATINGS[name](case.items, case.K)
            problem = differs(got, expected)
            if exists != (expected is not None):
                problem = problem or f"the twin gives {expected}, and a value {'exists' if exists else 'does not exist'}"
            if math.isnan(got) and not record.why(units, matrix, names):
                problem = problem or "no condition is named"
            tried[name] += 1
            wrong += [f"{name} ({scheme}), case {i}: {problem}; {case}"] if problem else []
    return tried, wrong
