"""The evaluation functions of ordinal-xai 0.2.1 under the same names, with the same parameters, defaults and result keys.

Change ``from ordinal_xai.utils.evaluation_metrics import ...`` to ``from ordeval.integrations.ordinal_xai import ...``.  Values
differ only where the original is wrong or guesses; docs/migrate-ordinal-xai.md lists every difference.  Every function takes one
more parameter, ``labels=``: the classes, lowest first.  Without it, integers are taken for classes, all from the smallest to the
largest seen; text has no order and needs it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial, wraps
from inspect import signature
from typing import Any, Literal, NoReturn, ParamSpec, TypeVar

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.base.types import Column, Matrix
from ordeval.metrics import get_metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.probabilities import check_rows
from ordeval.order.scale import Labels, Scale, as_scale

__all__ = [
    "accuracy",
    "adjacent_accuracy",
    "cem",
    "evaluate_ordinal_model",
    "kendall_tau",
    "mae",
    "mse",
    "mze",
    "ordinal_weighted_ce",
    "print_evaluation_results",
    "ranked_probability_score",
    "spearman_correlation",
    "weighted_kappa",
]

P = ParamSpec("P")
R = TypeVar("R")

#: Kinds of weights that the original names; it documents "none" and means None.
_KAPPA_WEIGHTS = {"quadratic": "quadratic", "linear": "linear", "none": "identity", None: "identity"}
ROWS = "Numbers of rows by class, where those of the truth are not the ones to use."
COLUMNS = {
    "y_pred_proba": "Probabilities, a column for each class.",
    "zero_indexed": "Whether the columns are the classes 0..K-1, where no classes are given.",
}


def _column(values: Any) -> Any:
    """A column of shape (n, 1) as one of n values, as the original takes it."""
    shape = getattr(values, "shape", None)
    if shape is None:
        nested = (
            isinstance(values, (list, tuple)) and values and all(isinstance(v, (list, tuple)) and len(v) == 1 for v in values)
        )
        return [v[0] for v in values] if nested else values
    if len(shape) != 2 or shape[1] != 1:
        return values
    return values.iloc[:, 0] if hasattr(values, "iloc") else np.asarray(values)[:, 0]


def _flat(function: Callable[P, R]) -> Callable[P, R]:
    """The same function for columns of truth and prediction of shape (n, 1) too."""
    names = list(signature(function).parameters)

    @wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> R:
        columns = ("y_true", "y_pred")
        given = [_column(value) if name in columns else value for name, value in zip(names, args, strict=False)]
        options = {name: _column(value) if name in columns else value for name, value in named.items()}
        return function(*given, *args[len(names) :], **options)  # type: ignore[arg-type]

    return called


@documented("The score.")
@_flat
def accuracy(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Share of rows whose class is predicted exactly.  Higher is better; 1 is perfect."""
    return get_metric("accuracy")(y_true, y_pred, labels=labels)


@documented("The score.")
@_flat
def mze(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Share of rows whose class is not predicted exactly.  Lower is better; 0 is perfect."""
    return get_metric("mze")(y_true, y_pred, labels=labels)


@documented("The score.")
@_flat
def mae(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Mean number of classes between truth and prediction.  Lower is better; 0 is perfect."""
    return get_metric("mae")(y_true, y_pred, labels=labels)


@documented("The score.")
@_flat
def mse(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Mean squared number of classes between truth and prediction.  Lower is better; 0 is perfect."""
    return get_metric("mse")(y_true, y_pred, labels=labels)


@documented("The score.")
@_flat
def adjacent_accuracy(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Share of rows predicted at most one class away from the truth.  Higher is better; 1 is perfect."""
    return get_metric("accuracy_within")(y_true, y_pred, labels=labels)


@documented("The score.", weights="How much a near miss counts.")
@_flat
def weighted_kappa(
    y_true: Column, y_pred: Column, weights: Literal["quadratic", "linear", "none"] | None = "quadratic", *, labels: Labels = None
) -> float:
    """Agreement beyond chance; weights "quadratic", "linear" or "none".  Higher is better; 1 is perfect, 0 is chance."""
    if weights not in _KAPPA_WEIGHTS:
        raise ArgumentError(
            "{weights:{given}} is unknown",
            argument="weights",
            remedy="choose one of 'linear', 'quadratic', 'none'",
            values={"given": repr(weights)},
        )
    return get_metric("cohen_kappa").with_params(weights=_KAPPA_WEIGHTS[weights])(y_true, y_pred, labels=labels)


@documented("The score.", class_counts=ROWS)
@_flat
def cem(y_true: Column, y_pred: Column, class_counts: Mapping[Any, float] | None = None, *, labels: Labels = None) -> float:
    """Closeness Evaluation Measure.  Higher is better; 1 is perfect, and the worst is above 0 (`ordeval.parts.cem_floor` says what it is).

    >>> round(cem([1, 1, 1, 2], [1, 2, 2, 2]), 4)
    0.6626
    """
    if class_counts is None:
        return get_metric("cem")(y_true, y_pred, labels=labels)
    scale = Scale.infer(y_true, y_pred, [*class_counts], names=["y_true", "y_pred", "class_counts"]) if labels is None else labels
    return get_metric("cem").with_params(class_counts=class_counts)(y_true, y_pred, labels=scale)


@documented("The score.")
@_flat
def spearman_correlation(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Correlation of the mid-ranks of truth and prediction.  Higher is better; 1 is the same order, not the same classes."""
    return get_metric("spearman")(y_true, y_pred, labels=labels)


@documented("The score.")
@_flat
def kendall_tau(y_true: Column, y_pred: Column, *, labels: Labels = None) -> float:
    """Kendall's tau-b of truth and prediction.  Higher is better; 1 is the same order, not the same classes."""
    return get_metric("kendall_tau")(y_true, y_pred, labels=labels)


@documented("The score.", **COLUMNS, normalize="Divide by the number of cuts, K - 1.")
@_flat
def ranked_probability_score(
    y_true: Column, y_pred_proba: Matrix, zero_indexed: bool = False, *, labels: Labels = None, normalize: bool = False
) -> float:
    """Mean over the rows of the squared error of the cumulative probabilities, summed over the cuts.  Lower is better; 0 is perfect.

    The columns are the classes of ``labels``; without them 0..K-1 if ``zero_indexed``, else 1..K if all labels are among these.

    >>> round(ranked_probability_score([2, 3, 3], [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]]), 4)
    0.4733
    """
    rows = _forecast(y_true, y_pred_proba, zero_indexed, labels)
    return get_metric("rps").with_params(normalize=normalize)(rows)


@documented("The score.", **COLUMNS, alpha="The power of the distance.")
@_flat
def ordinal_weighted_ce(
    y_true: Column, y_pred_proba: Matrix, alpha: float = 1, zero_indexed: bool = False, *, labels: Labels = None
) -> float:
    """Mean over the rows of -log(1 - p), summed over the wrong classes times their distance to the power ``alpha``.

    Lower is better; 0 is perfect.  Probabilities are kept 1e-15 away from 0 and 1.  It is not proper: with three classes or
    more, honest probabilities are not the best ones.  The columns are those of `ranked_probability_score`.
    """
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float, np.number)) or not 0 <= alpha < math.inf:
        raise ArgumentError(
            "{alpha:{given}} is not an exponent; give a number that is 0 or more", argument="alpha", values={"given": repr(alpha)}
        )
    rows = _forecast(y_true, y_pred_proba, zero_indexed, labels)
    clipped = replace(rows, proba=rows.probabilities.clip(1e-15, 1 - 1e-15))  # as the original; `ordinal_log_loss` does not
    return get_metric("ordinal_log_loss").with_params(alpha=float(alpha))(clipped)


# Which class a column is for, and whether the columns hold probabilities


def _forecast(y_true: Column, y_pred_proba: Matrix, zero_indexed: bool, labels: Labels) -> Forecast:
    """The truth and probabilities in double precision, checked."""
    proba = _table(y_pred_proba)
    scale = _scale_of_columns(proba.shape[1], zero_indexed, labels, y_true)
    codes = scale.encode(y_true, name="y_true").astype(np.intp)
    if len(codes) != len(proba):
        _refuse(f"{{y_true}} has {len(codes):,} rows and {{y_pred_proba}} {len(proba):,}; each row needs its probabilities")
    if not len(codes):
        _refuse("{y_true} and {y_pred_proba} are empty; there is nothing to score")
    checked = check_rows(proba, name="y_pred_proba", remedy="divide every row by its sum first")
    return Forecast(scale, codes, checked)


def _refuse(problem: str, **values: Any) -> NoReturn:
    raise ArgumentError(problem, argument="y_pred_proba", values=values) from None


def _as_floats(y_pred_proba: Any) -> Array:
    try:
        return np.asarray(y_pred_proba, float)  # float32 would round 1 - 1e-15 to 1
    except (ValueError, TypeError):
        _refuse("{y_pred_proba} is not a table of numbers; give a line for each row and a column for each class")


def _table(y_pred_proba: Any) -> Array:
    proba = _as_floats(y_pred_proba)
    if proba.ndim != 2 or not proba.shape[1]:
        _refuse(f"{{y_pred_proba}} has the shape {proba.shape}; give a line for each row and a column for each class")
    return proba


def _scale_of_columns(k: int, zero_indexed: bool, labels: Any, *columns: Any) -> Scale:
    """The K classes that the columns of the probabilities stand for."""
    if labels is not None:
        scale = as_scale(labels)
        if k != scale.K:
            _refuse(
                f"{{y_pred_proba}} has {k} columns, and {{labels}} has {scale.K} classes ({{scale}}); each class has its column",
                scale=scale,
            )
        return scale
    names = ["y_true", "y_pred"][: len(columns)]
    seen = Scale.infer(*columns, names=names)
    if not seen.inferred:  # an ordered column or booleans: all classes are known
        if k != seen.K:
            _refuse(
                f"{{y_pred_proba}} has {k} columns, and there are {seen.K} classes ({{scale}}); each class has its column",
                scale=seen,
            )
        return seen
    low, high = seen.labels[0], seen.labels[-1]
    first = 0 if zero_indexed or low == 0 else 1
    if first <= low and high < first + k:
        return Scale(range(first, first + k))
    if zero_indexed:
        raise ArgumentError(
            f"{{zero_indexed:True}} means the classes 0..{k - 1}, one for each column, and the labels run from {low} to {high}",
            argument="zero_indexed",
            remedy="give the classes, lowest first: {labels:[...]}",
        )
    if high - low + 1 == k:
        return seen
    raise ArgumentError(
        f"the labels run from {low} to {high}, and {{y_pred_proba}} has {k} columns: which class is the first column? Give the "
        "classes, lowest first: {labels:[...]}",
        argument="labels",
    )


# Everything at once

_HARD: dict[str, Callable[..., float]] = {
    "accuracy": accuracy,
    "adjacent_accuracy": adjacent_accuracy,
    "mze": mze,
    "mae": mae,
    "mse": mse,
    "weighted_kappa_quadratic": partial(weighted_kappa, weights="quadratic"),
    "weighted_kappa_linear": partial(weighted_kappa, weights="linear"),
    "cem": cem,
    "spearman_correlation": spearman_correlation,
    "kendall_tau": kendall_tau,
}
_PROBABILITY: dict[str, Callable[..., float]] = {
    "ranked_probability_score": ranked_probability_score,
    "ordinal_weighted_ce_linear": partial(ordinal_weighted_ce, alpha=1),
    "ordinal_weighted_ce_quadratic": partial(ordinal_weighted_ce, alpha=2),
}


@documented(
    "Each score under its name.",
    y_pred_proba="A probability for each class, or one number for each row: that of the predicted class.",
    metrics="The scores to compute, by name; None is all of them.",
    class_counts=ROWS,
    zero_indexed=COLUMNS["zero_indexed"],
)
@_flat
def evaluate_ordinal_model(
    y_true: Column,
    y_pred: Column,
    y_pred_proba: Column | Matrix | None = None,
    metrics: Iterable[str] | None = None,
    class_counts: Mapping[Any, float] | None = None,
    zero_indexed: bool = False,
    *,
    labels: Labels = None,
) -> dict[str, float]:
    """All scores of one model, by name.

    A score that cannot be computed is nan, and a warning says why.  With one number for each row, the rest is shared equally by
    the other classes.  Rows that do not add up to 1 are divided by their sum, with a warning.

    >>> found = evaluate_ordinal_model([1, 2, 3, 3], [1, 2, 2, 3], metrics=["accuracy", "mae"])
    >>> found
    {'accuracy': 0.75, 'mae': 0.25}
    """
    wanted = _wanted(metrics)
    results: dict[str, float] = {}
    for name, function in _HARD.items():
        if name in wanted:
            given = {"class_counts": class_counts} if name == "cem" else {}
            results[name] = _attempt(name, lambda f=function, g=given: f(y_true, y_pred, labels=labels, **g))  # type: ignore[misc]
    asked = [name for name in _PROBABILITY if name in wanted]
    if y_pred_proba is None:
        if metrics is not None and asked:
            warnings.warn(f"{', '.join(asked)}: no y_pred_proba was given", UserWarning, stacklevel=2)
            results.update(dict.fromkeys(asked, math.nan))
        return results
    if not asked:
        return results
    try:
        scale, proba = _probabilities(y_true, y_pred, y_pred_proba, zero_indexed, labels)
    except (ValueError, TypeError) as error:
        warnings.warn(f"{', '.join(asked)} could not be computed: {error}", UserWarning, stacklevel=2)
        return {**results, **dict.fromkeys(asked, math.nan)}
    for name in asked:
        results[name] = _attempt(name, lambda f=_PROBABILITY[name]: f(y_true, proba, labels=scale))  # type: ignore[misc]
    return results


def _wanted(metrics: Iterable[str] | None) -> list[str]:
    """Names of metrics; a single name may stand alone, an unknown one is refused."""
    known = [*_HARD, *_PROBABILITY]
    if metrics is None:
        return known
    wanted = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in wanted:
        if name not in known:
            raise ArgumentError(
                "there is no metric called {name}",
                argument="metrics",
                remedy=near(str(name), known) or f"choose among {', '.join(known)}",
                values={"name": repr(name)},
            )
    return wanted


def _attempt(name: str, compute: Callable[[], float]) -> float:
    try:
        return compute()
    except (ValueError, TypeError) as error:
        warnings.warn(f"{name} could not be computed: {error}", UserWarning, stacklevel=3)
        return math.nan


def _probabilities(y_true: Any, y_pred: Any, given: Any, zero_indexed: bool, labels: Any) -> tuple[Scale, Array]:
    """The classes of the columns, and rows that add up to 1."""
    proba = _as_floats(given)
    if proba.ndim == 1:
        return _from_confidences(y_true, y_pred, proba, zero_indexed, labels)
    proba = _table(proba)
    scale = _scale_of_columns(proba.shape[1], zero_indexed, labels, y_true, y_pred)
    total = proba.sum(1)
    away = ~(np.abs(total - 1) <= 1e-6)
    if away.any() and (proba >= 0).all() and (total > 0).all() and np.isfinite(total).all():
        row = int(np.argmax(away))
        warnings.warn(
            f"y_pred_proba: {away.sum():,} rows do not add up to 1 (row {row}: {total[row]:.8g}) and were divided by their sum",
            UserWarning,
            stacklevel=3,
        )
        proba = proba / total[:, None]
    return scale, proba


def _from_confidences(y_true: Any, y_pred: Any, confidence: Array, zero_indexed: bool, labels: Any) -> tuple[Scale, Array]:
    """The probability of the predicted class alone: the rest is shared equally by the other classes."""
    scale = Scale.infer(y_true, y_pred, names=["y_true", "y_pred"]) if labels is None else as_scale(labels)
    if labels is None and zero_indexed and isinstance(scale.labels[0], int) and scale.labels[0] > 0:
        scale = Scale(range(scale.labels[-1] + 1))
    codes = scale.encode(y_pred, name="y_pred").astype(int)
    if len(codes) != len(confidence):
        _refuse(f"{{y_pred}} has {len(codes):,} rows and {{y_pred_proba}} {len(confidence):,}; each row needs its probability")
    others = (1 - confidence) / max(scale.K - 1, 1)
    proba = np.repeat(others[:, None], scale.K, axis=1)
    proba[np.arange(len(codes)), codes] = confidence
    return scale, proba


@documented("Nothing.", results="What `evaluate_ordinal_model` gave.")
def print_evaluation_results(results: Mapping[str, float]) -> None:
    """Print the scores that `evaluate_ordinal_model` gives, with four decimals; nan as "undefined"."""
    print("\nOrdinal Regression Evaluation Results:")
    print("-" * 50)
    print("Hard Label Metrics:")
    _print_block(results, _HARD)
    if any(name in results for name in _PROBABILITY):
        print("\nProbability-Based Metrics:")
        _print_block(results, _PROBABILITY)
    print("-" * 50)


def _print_block(results: Mapping[str, float], names: Iterable[str]) -> None:
    for name in names:
        if name in results:
            shown = "undefined" if math.isnan(results[name]) else f"{results[name]:.4f}"
            print(f"  {name.replace('_', ' ').title()}: {shown}")


# What the original documents although it is private


def _get_class_counts(y: Any) -> dict[Any, int]:
    """How many rows each class has, for the classes that occur."""
    values, rows = np.unique(np.asarray(y), return_counts=True)
    return dict(zip(values.tolist(), rows.tolist(), strict=True))


def _calculate_proximity(c1: Any, c2: Any, class_counts: Mapping[Any, float], total_items: float) -> float:
    """How close the answer ``c1`` is to the truth ``c2``, in nats: half the rows of the answer's class are between the two."""
    low, high = min(c1, c2), max(c1, c2)
    rows = sum(number for label, number in class_counts.items() if low <= label <= high)
    between = (rows - class_counts.get(c1, 0) / 2) / total_items
    return -math.log(between) if between > 0 else math.inf


def _create_one_hot_encoding(y_true: Any, n_classes: int | None = None, zero_indexed: bool = False) -> tuple[Array, int, int]:
    """One column per class, the first for the smallest label (for 0 if ``zero_indexed``); with that label and the number of columns."""
    labels = np.asarray(y_true).astype(int)
    first = 0 if zero_indexed else int(labels.min())
    columns = int(labels.max()) - first + 1 if n_classes is None else n_classes
    codes = labels - first
    if codes.min() < 0 or codes.max() >= columns:
        raise ValueError(
            f"the labels run from {labels.min()} to {labels.max()}, outside the classes {first}..{first + columns - 1}"
        )
    return np.eye(columns)[codes], first, columns
