"""Vectors of rows: rational forecasts, prediction sets and ratings with the values of their metrics, from the exact twins of the tests."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from forecasts import variants
from mpmath import inf
from papers import derivations_probability as forecasts
from papers import derivations_raters as raters
from papers.twin import SCHEMES, of_forecast
from rational import forecast_case, rating_case, set_case

from ordeval import get_metric
from ordeval.raters._coefficients import COEFFICIENTS

SECTIONS = {"forecasts": 400, "sets": 200, "ratings": 300}  # vectors of each
Written = Callable[[Any], str]


def text(number: Any, written: Written) -> str | None:
    """Thirty digits, "inf", or None where there is no value."""
    return None if number is None else "inf" if number == inf else written(forecasts.real(number))


def fractions(numbers: list[Fraction] | None) -> list[str] | None:
    return None if numbers is None else [str(number) for number in numbers]


def forecast_vector(number: int, seed: int, written: Written) -> dict[str, Any]:
    case = forecast_case(np.random.default_rng([seed, number, 1]))
    values = {str(metric): text(of_forecast(metric, case), written) for metric in variants()}
    proba = [fractions(row) for row in case.proba]
    return {"classes": case.K, "true": case.true, "proba": proba, "weights": fractions(case.weights), "values": values}


def set_vector(number: int, seed: int, written: Written) -> dict[str, Any]:
    case = set_case(np.random.default_rng([seed, number, 2]))
    weights = case.weights or [Fraction(1)] * len(case.true)
    values = {name: text(raters.set_score(name, case.true, case.lo, case.hi, weights), written) for name in raters.SETS}
    return {
        "classes": case.K,
        "true": case.true,
        "lo": case.lo,
        "hi": case.hi,
        "weights": fractions(case.weights),
        "values": values,
    }


def rating_vector(number: int, seed: int, written: Written) -> dict[str, Any]:
    case, scheme = rating_case(np.random.default_rng([seed, number, 3])), SCHEMES[number % len(SCHEMES)]

    def cost(a: int, b: int) -> Fraction:
        return raters.COSTS[scheme](a, b, case.K)

    values = {name: text(derived(case.items, case.K, cost), written) for name, derived in raters.COEFFICIENTS.items()}
    return {"classes": case.K, "items": case.items, "weights": scheme, "values": values}


VECTORS = {"forecasts": forecast_vector, "sets": set_vector, "ratings": rating_vector}


def described(name: str) -> dict[str, Any]:
    """What the metrics of a section are."""
    if name == "ratings":
        return {record.name: {"title": record.title, "weighted": record.weighted} for record in COEFFICIENTS.values()}
    metrics = variants() if name == "forecasts" else [get_metric(text) for text in raters.SETS]
    return {str(m): {"name": m.name, "parameters": dict(m.params), "title": m.title} for m in metrics}


def section(name: str, seed: int, written: Written) -> dict[str, Any]:
    vectors = [VECTORS[name](i, seed, written) for i in range(SECTIONS[name])]
    return {"metrics": described(name), "vectors": vectors}


def agrees(kept: dict[str, Any], name: str, seed: int, written: Written, step: int) -> bool:
    """Whether a section is what would be written, for one vector in so many."""
    same = all(kept["vectors"][i] == VECTORS[name](i, seed, written) for i in range(0, SECTIONS[name], step))
    return same and len(kept["vectors"]) == SECTIONS[name] and kept["metrics"] == described(name)
