"""Cases whose numbers are fractions: forecasts in halves, tenths, twentieths and hundredths, prediction sets, ratings; all seeded.

A case knows its exact numbers and the doubles that a program gets in their place.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

PARTS = (2, 10, 20, 100)  # a forecast is a whole number of such parts of 1
WEIGHTS = tuple(map(Fraction, ("1", "2", "3", "1/2", "1/10", "7/3", "12")))
MOST_CLASSES = 8


@dataclass(frozen=True)
class ForecastCase:
    """Truths, the forecast of every row as fractions, and weights, or None."""

    K: int
    true: list[int]
    proba: list[list[Fraction]]
    weights: list[Fraction] | None

    @property
    def doubles(self) -> np.ndarray:
        return np.array([[float(x) for x in row] for row in self.proba])

    @property
    def exact_weights(self) -> list[Fraction]:
        return self.weights or [Fraction(1)] * len(self.true)

    @property
    def double_weights(self) -> np.ndarray | None:
        return None if self.weights is None else np.array([float(w) for w in self.weights])

    def __str__(self) -> str:
        shown = [" ".join(map(str, row)) for row in self.proba]
        weights = "" if self.weights is None else f", weights {' '.join(map(str, self.weights))}"
        return f"truths {self.true}, forecasts {shown}{weights}"


def weights_of(rng: np.random.Generator, n: int) -> list[Fraction] | None:
    return None if rng.random() < 0.5 else [WEIGHTS[i] for i in rng.integers(0, len(WEIGHTS), n)]


def forecast_case(rng: np.random.Generator, *, rows: int | None = None, classes: int | None = None) -> ForecastCase:
    """Rows that are spread out, repeated, all the same, or sometimes certain; every class present or not."""
    k = int(rng.integers(2, MOST_CLASSES + 1)) if classes is None else classes
    n = int(rng.integers(1, 9)) if rows is None else rows
    parts = int(rng.choice(PARTS))
    evenness = float(rng.choice([0.2, 1.0, 5.0]))
    distinct = rng.multinomial(parts, rng.dirichlet(np.full(k, evenness)), int(rng.choice([1, 2, n, n, n])))
    chosen = distinct[rng.integers(0, len(distinct), n)] if len(distinct) < n else distinct[:n]
    kind = rng.random()
    if kind < 0.3 and n >= k:
        true = rng.permutation(np.r_[np.arange(k), rng.integers(0, k, n - k)])
    elif kind < 0.4:
        true = np.full(n, rng.integers(0, k))
    else:
        true = rng.integers(0, k, n)
    proba = [[Fraction(int(x), parts) for x in row] for row in chosen]
    return ForecastCase(k, true.tolist(), proba, weights_of(rng, n))


@dataclass(frozen=True)
class SetCase:
    """Truths, the lowest and the highest class of each row's set, and weights, or None."""

    K: int
    true: list[int]
    lo: list[int]
    hi: list[int]
    weights: list[Fraction] | None

    def __str__(self) -> str:
        return f"truths {self.true}, sets {list(zip(self.lo, self.hi, strict=True))}, weights {self.weights}"


def set_case(rng: np.random.Generator) -> SetCase:
    k, n = int(rng.integers(2, MOST_CLASSES + 1)), int(rng.integers(1, 13))
    ends = np.sort(rng.integers(0, k, (n, 2)), 1)
    if rng.random() < 0.3:
        ends[:] = ends[0]
    return SetCase(k, rng.integers(0, k, n).tolist(), ends[:, 0].tolist(), ends[:, 1].tolist(), weights_of(rng, n))


@dataclass(frozen=True)
class RatingCase:
    """Ratings of items (rows) by raters (columns), codes from 0; None is missing."""

    K: int
    items: list[list[int | None]]

    def __str__(self) -> str:
        return f"{self.K} classes, items {self.items}"


def rating_case(rng: np.random.Generator) -> RatingCase:
    """Ratings that somebody can compare: nobody is alone, and nobody silent."""
    while True:
        k, n, r = int(rng.integers(2, MOST_CLASSES + 1)), int(rng.integers(2, 9)), int(rng.integers(2, 5))
        used = k if rng.random() < 0.7 else int(rng.integers(1, k + 1))
        middle = rng.integers(0, used, (n, 1))
        table = np.clip(middle + rng.integers(-1, 2, (n, r)) * (rng.random((n, r)) < rng.choice([0.0, 0.4, 1.0])), 0, used - 1)
        if rng.random() < 0.25:
            table = np.array([rng.permutation(table[0]) for _ in range(n)])
        missing = rng.random((n, r)) < rng.choice([0.0, 0.0, 0.3])
        given = ~missing
        several = given.sum(1) > 1
        if given.any(0).all() and (given & several[:, None]).any(0).all() and given.any(1).sum() > 1:
            items = [
                [None if gap else int(x) for x, gap in zip(row, gaps, strict=True)]
                for row, gaps in zip(table, missing, strict=True)
            ]
            return RatingCase(k, [item for item in items if any(x is not None for x in item)])


METRICS = ("cohen_kappa", "oci", "macro_f1", "kendall_tau", "mae", "amae", "cem", "accuracy")


def fits_disagree(rng: np.random.Generator) -> str:
    """Rules fitted on rows that repeat: what was wrong, or "".  Equal rows must get equal answers, alone and among others."""
    import ordeval as oe

    k, distinct, n = int(rng.integers(2, 9)), int(rng.integers(2, 25)), int(rng.integers(20, 90))
    parts, metric = int(rng.choice([10, 20, 100, 0])), str(rng.choice(METRICS))
    shapes = rng.dirichlet(np.ones(k), distinct)
    if parts:
        shapes = np.array([rng.multinomial(parts, shape) for shape in shapes]) / parts
    which = rng.integers(0, distinct, n)
    proba = shapes[which].astype(rng.choice([np.float64, np.float32]))
    if rng.random() < 0.3:
        proba = np.asfortranarray(proba)
    true = np.r_[np.arange(k), rng.integers(0, k, n - k)]
    prior = (np.full(k, 1.0), np.arange(1.0, k + 1)) if rng.random() < 0.3 else None
    what = f"{metric}, {k} classes, {n} rows in parts of {parts}"
    rule = oe.decide.fit(true, proba, metric, labels=range(k), prior=prior)
    answers = {"fit": rule.apply(proba), "fit, one row at a time": np.concatenate([rule.apply(proba[[i]]) for i in range(n)])}
    if rule.costs is not None:
        answers["decide"] = oe.decide.decide(
            proba, metric, labels=range(k), prior=prior, class_counts=np.bincount(true, minlength=k)
        )
    elif not np.isnan(rule.fitted):
        applied = oe.get_metric(metric)(true, answers["fit"], labels=range(k))
        if not abs(applied - rule.fitted) <= 1e-12:
            return f"{what}: {rule.fitted} fitted, {applied} applied"
    if (answers["fit"] != answers["fit, one row at a time"]).any():
        return f"{what}: other answers one row at a time"
    answers["the classifier"] = _classified(rng, metric, k, which, true)
    for name, given in answers.items():
        for shape in range(distinct):
            if len(set(given[which == shape].tolist())) > 1:
                return f"{what}: {name} gives the same row {sorted(set(given[which == shape].tolist()))}"
    return ""


def _classified(rng: np.random.Generator, metric: str, k: int, which: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Answers of a classifier to rows that repeat."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    import ordeval as oe

    features = np.round(rng.normal(size=(which.max() + 1, 3)), int(rng.integers(0, 6)))[which]
    makers = (LogisticRegression, GaussianNB, lambda: DecisionTreeClassifier(max_depth=2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = oe.decide.OrdinalDecision(makers[int(rng.integers(0, 3))](), metric, labels=range(k), cv=2)
        found: Any = model.fit(features, true).predict(features)
    return np.asarray(found)
