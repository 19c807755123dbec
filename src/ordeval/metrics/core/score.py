"""What every public function does with what it is given: count, bind, score, and say what has to be said."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ordeval.counts import Counts, count
from ordeval.metrics.core.registry import get_metric


class UndefinedScore(UserWarning):
    """A score has no value for these counts; nan was returned."""


def score(
    function: Callable[..., float],
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    **params: Any,
) -> float:
    """What every public function does: find the record, count, bind, score; nan is said once."""
    found = get_metric(function).with_params(**params)
    counts = as_counts(found, y_true, y_pred, labels, sample_weight)
    value = float(found.bind(counts)(counts.matrix))
    if found.uses_unused_classes:
        warn_inferred(found, counts, stacklevel=4)
    warn_undefined(found, value, found.undefined, stacklevel=4)
    return value


def warn_inferred(caller: object, counts: Any, *, stacklevel: int = 3) -> None:
    """What depends on classes that nobody used says so where the scale was taken from the data."""
    if counts.scale.inferred:
        first, last = counts.scale.labels[0], counts.scale.labels[-1]
        warnings.warn(
            f"{caller} depends on classes that nobody used, and the classes {first}..{last} were taken from the data; "
            f"if there are others, give all of them, lowest first: labels=[...]",
            UserWarning,
            stacklevel=stacklevel,
        )


def warn_undefined(caller: object, value: float, reason: str, *, stacklevel: int = 3) -> None:
    """A number that has no value says why."""
    if math.isnan(value):
        warnings.warn(f"{caller} is undefined here: {reason or 'nothing to divide by'}", UndefinedScore, stacklevel=stacklevel)


def as_counts(caller: object, y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> Counts:
    """Counts from whatever a public function was given."""
    if isinstance(y_true, Counts):
        for name, given in (("y_pred", y_pred), ("labels", labels), ("sample_weight", sample_weight)):
            if given is not None:
                raise TypeError(f"{name}= beside Counts: the counts already hold it; call {caller} with the counts alone")
        return y_true
    if y_pred is None:
        if hasattr(y_true, "columns") or (np.ndim(y_true) == 2 if hasattr(y_true, "__array__") else _is_nested(y_true)):
            raise TypeError(
                f"a bare table does not say what its rows are; call {caller} with Counts.from_matrix(table), rows the truth"
            )
        raise TypeError(f"{caller} needs y_true and y_pred, or Counts")
    return count(y_true, y_pred, labels=labels, sample_weight=sample_weight)


def _is_nested(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and bool(given) and isinstance(given[0], (list, tuple, np.ndarray))
