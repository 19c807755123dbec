"""score(): what every public function does with what it is given: count, bind, score, and say what has to be said."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentTypeError, UndefinedScore
from ordeval.counts import Counts, count
from ordeval.counts.blanks import judged
from ordeval.metrics.core.forecast import Forecast, forecast
from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.registry import get_metric
from ordeval.metrics.core.row_scores import bound
from ordeval.metrics.core.types import Answer, Labels, Proba, Truth, Weights
from ordeval.order.scale import Scale


@documented(
    "The score; nan, with a warning, where it has no value.",
    params="The metric's own parameters, such as ``weights='linear'`` of ``cohen_kappa``.",
)
def score(
    metric: str | Metric | Callable[..., float],
    y_true: Truth | Forecast,
    y_pred: Answer = None,
    *,
    proba: Proba = None,
    sets: Any = None,
    labels: Labels = None,
    sample_weight: Weights = None,
    **params: Any,
) -> float:
    """The score of any metric, by name, by text or by function.

    The functions of the metrics call it, and so does the body of a metric of your own: it checks parameters and needs, warns where a
    score is undefined, and where it depends on classes that were taken from the data.

    >>> score("cohen_kappa", ["low", "mid", "high"], ["low", "mid", "mid"], labels=["low", "mid", "high"], weights="linear")
    0.5714285714285714
    """
    found, reason, inferred = get_metric(metric).with_params(**params), "", True
    if "probabilities" in found.needs:
        found.check_needs(y_true)
        assert not isinstance(y_true, Counts)
        rows = forecast(y_true, proba if proba is not None else y_pred, labels=labels, sample_weight=sample_weight)
        scored = bound(found, rows)
        value = scored.point()
        reason = scored.why_undefined() if math.isnan(value) else ""
        inferred = rows.proba is None  # columns say how many classes there are
        scale = rows.scale
    elif "prediction sets" in found.needs:
        assert not isinstance(y_true, Forecast)
        counts = Counts.from_sets(y_true, sets if sets is not None else y_pred, labels=labels, sample_weight=sample_weight)
        value, scale = float(found.kernel(counts, **found.params).point()), counts.scale
    else:
        assert not isinstance(y_true, Forecast)
        counts = as_counts(found, y_true, y_pred, labels, sample_weight, metric=found)
        value, scale = float(found.bind(counts)(counts.matrix)), counts.scale
    if inferred and found.uses_unused_classes:
        warn_inferred(found, scale)
    warn_undefined(found, value, reason or found.undefined)
    return value


def warn_inferred(caller: object, scale: Scale) -> None:
    """Warn where a score depends on classes that nobody used and the scale was taken from the data."""
    if scale.inferred:
        warnings.warn(
            f"{caller} depends on classes that nobody used, and the classes {scale.labels[0]}..{scale.labels[-1]} were taken from the "
            "data; if there are others, give all of them, lowest first: labels=[...]",
            UserWarning,
            stacklevel=_outside(),
        )


def warn_undefined(caller: object, value: float, reason: str) -> None:
    """A number that has no value says why."""
    if math.isnan(value):
        warnings.warn(f"{caller} is undefined here: {reason or 'nothing to divide by'}", UndefinedScore, stacklevel=_outside())


def _outside() -> int:
    """How far up the caller is who is no part of this package, for the place that a warning names."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "ordeval":
        level, frame = level + 1, frame.f_back
    return level


def as_counts(
    caller: object,
    y_true: Truth,
    y_pred: Answer,
    labels: Labels,
    sample_weight: Weights,
    *,
    metric: Metric | None = None,
) -> Counts:
    """Counts from whatever a public function was given; blanks that count as wrong are put where the metric has them, or by rank."""
    if isinstance(y_true, Counts):
        for name, given in (("y_pred", y_pred), ("labels", labels), ("sample_weight", sample_weight)):
            if given is not None:
                raise ArgumentTypeError(
                    f"{{{name}}} was given with Counts, which already hold it",
                    argument=name,
                    remedy="call {caller} with the counts alone",
                    values={"caller": str(caller)},
                )
        return judged(y_true) if metric is None else metric.place(y_true)
    if y_pred is None:
        if hasattr(y_true, "columns") or (np.ndim(y_true) == 2 if hasattr(y_true, "__array__") else _is_nested(y_true)):
            raise ArgumentTypeError(
                "a bare table does not say what its rows are",
                argument="y_true",
                remedy="call {caller} with Counts.from_matrix(table), rows the truth",
                values={"caller": str(caller)},
            )
        raise ArgumentTypeError(
            "{caller} needs {y_true} and {y_pred}, or Counts", argument="y_pred", values={"caller": str(caller)}
        )
    return count(y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _is_nested(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and bool(given) and isinstance(given[0], (list, tuple, np.ndarray))
