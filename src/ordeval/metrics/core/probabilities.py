"""Probabilities as they come in: arrays and frames with a column for each class, checked row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.order.scale import Scale

ROWS = 1 << 14  # that are checked together
NEAR_ONE = 1e-6  # how far the probabilities of a row may be from adding up to 1


def read_probabilities(proba: Any, scale: Scale | None) -> Array:
    """A plain float array (N, K), columns in the order of the scale; or (N,) where one number was given for each row."""
    values, names = _plain(proba)
    if values.ndim == 1:
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise ValueError(f"the score is {values[wrong[0]]:g} at index {wrong[0]}; scores are finite numbers")
        return values.astype(float)
    if values.ndim != 2:
        raise ArgumentError(
            "{proba} has {n} dimensions; it needs a row for each row of the truth and a column for each class",
            argument="proba",
            values={"n": values.ndim},
        )
    if scale is None:
        return values
    if values.shape[1] != scale.K:
        taken = ", taken from the data" if scale.inferred else ""
        raise ArgumentError(
            "{proba} has {columns} columns, and there are {k} classes ({scale})",
            argument="proba",
            remedy="give all classes, lowest first: {labels:[...]}" if scale.inferred else "each class needs its column",
            values={"columns": values.shape[1], "k": scale.K, "scale": f"{scale}{taken}"},
        )
    if names is None:
        return values
    wanted = [str(label) for label in scale.labels]
    if sorted(names) != sorted(wanted):
        raise ArgumentError(
            "the columns of {proba} are called {names} and the classes are {scale}",
            argument="proba",
            remedy="name the columns after the classes, or give an array whose columns are in their order",
            values={"names": ", ".join(names[:8]), "scale": scale},
        )
    order = [names.index(name) for name in wanted]
    return values if order == list(range(scale.K)) else values[:, order]


def _plain(proba: Any) -> tuple[Array, list[str] | None]:
    """The numbers, and the names of the columns where a frame gives them."""
    names = None
    if type(proba).__module__.partition(".")[0] in ("pandas", "polars", "pyarrow", "modin", "cudf") and _is_frame(proba):
        import narwhals.stable.v2 as nw

        frame = nw.from_native(proba, eager_only=True)
        plain = getattr(proba, "columns", None)
        unnamed = [str(name) for name in frame.columns] == [str(i) for i in range(len(frame.columns))]
        numbered = unnamed and plain is not None and not any(isinstance(name, str) for name in plain)
        names = None if numbered else [str(name) for name in frame.columns]
        proba = frame.to_numpy()
    values = np.asarray(proba)
    if values.dtype.kind == "O":
        try:
            values = values.astype(float)
        except (TypeError, ValueError):
            raise ArgumentTypeError(
                "{proba} holds values that are not numbers; probabilities are numbers from 0 to 1", argument="proba"
            ) from None
    if values.dtype.kind not in "fiub":
        raise ArgumentTypeError(
            "{proba} holds values of type {kind}; probabilities are numbers from 0 to 1",
            argument="proba",
            values={"kind": values.dtype},
        )
    keep = values.dtype in (np.dtype(np.float32), np.dtype(np.float64))
    return values if keep else values.astype(float), names


def _is_frame(proba: Any) -> bool:
    return hasattr(proba, "columns") or hasattr(proba, "column_names")


def estimated_probabilities(estimator: Any, X: Any, scale: Scale, *, needed_by: str) -> Array:
    """What a fitted classifier forecasts for X, (N, K): columns in the order of the scale, 0 for a class it has never seen."""
    name = type(estimator).__name__
    if not hasattr(estimator, "predict_proba"):
        raise TypeError(f"{needed_by} needs predict_proba, which {name} does not have")
    if not hasattr(estimator, "classes_"):
        raise TypeError(f"{name} does not say which classes its probabilities are for (classes_)")
    given = np.asarray(estimator.predict_proba(X))
    columns = scale.encode(estimator.classes_, name="the estimator's classes_").astype(np.intp)
    if given.shape[1:] != (len(columns),):
        raise ValueError(
            f"predict_proba of {name} has the shape {given.shape}, and the estimator has {len(columns)} "
            f"classes; one column for each class is needed"
        )
    proba: Array = np.zeros((len(given), scale.K), given.dtype)
    proba[:, columns] = given
    return proba


REMEDY = "if every row should be divided by its sum, say so: forecast(y_true, proba, rescale=True)"


def check_rows(
    values: Array,
    *,
    rescale: bool = False,
    numbers: Array | None = None,
    name: str = "proba",
    remedy: str = REMEDY,
) -> Array:
    """The same probabilities if every row is one distribution; the first row that is not is named, by its number among all rows."""
    if rescale:
        values = _normalized(values)
    ones = np.ones(values.shape[1], values.dtype)
    for start in range(0, len(values), ROWS):
        rows = values[start : start + ROWS]
        with np.errstate(invalid="ignore", over="ignore"):
            inside = rows.min() >= 0 and rows.max() <= 1  # nan is neither
            away = np.abs(rows @ ones - 1)
        if inside and not away.max() > NEAR_ONE / 2:
            continue
        wide = rows.astype(float)  # float32 may not be sure about the last of six digits
        with np.errstate(invalid="ignore", over="ignore"):
            total = wide.sum(1)
            bad = ~((wide >= 0) & (wide <= 1)).all(1) | ~(np.abs(total - 1) <= NEAR_ONE)
        if bad.any():
            row = int(np.argmax(bad))
            where = f"{name}: row {start + row if numbers is None else int(numbers[start + row])}"
            _refuse(wide[row], float(total[row]), where, remedy)
    return values


def _refuse(values: Array, total: float, where: str, remedy: str) -> None:
    outside = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if outside.size:
        raise ValueError(f"{where} holds {values[outside[0]]:g} in column {outside[0]}; probabilities are numbers from 0 to 1")
    raise ValueError(f"{where} adds up to {total:.8g}, not to 1; {remedy}")


def _normalized(values: Array) -> Array:
    wide = values.astype(float)
    with np.errstate(invalid="ignore", over="ignore"):
        total = wide.sum(1)
        bad = ~(np.isfinite(total) & (total > 0)) | ~(wide >= 0).all(1)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"proba: row {row} cannot be divided by its sum, {total[row]:g}: its values must be finite and not negative"
        )
    normalized: Array = wide / total[:, None]
    return normalized
