"""What a call asks for: its rows, counted, with their probabilities; and its metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ordeval.base.errors import ArgumentTypeError
from ordeval.base.types import Missing
from ordeval.counts import Counts, count
from ordeval.infer._units import ROW
from ordeval.metrics import Metric, catalogue, get_metric
from ordeval.metrics.core.forecast import Forecasts, read_forecasts
from ordeval.order.columns import read_column

#: A metric by name, by text, or the function itself.
MetricLike: TypeAlias = str | Metric | Callable[..., float]
#: The usual ones; the first decides.
DEFAULT_METRICS = ("cem", "accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci")
DEFAULT_WITH_PROBABILITIES = (*DEFAULT_METRICS, "rps_skill")


def decides(metrics: Sequence[Metric]) -> Metric:
    """The one of these metrics that decides unless another is named: the first of the usual ones, else the first of them."""
    usual = get_metric(DEFAULT_METRICS[0])
    return usual if usual in metrics else metrics[0]


def chosen_metrics(metrics: Any, counts: Counts, *, probabilities: bool = False) -> list[Metric]:
    """The metrics asked for: a few by default, "all" whose needs are met, or a list of texts."""
    if metrics is None:
        return [get_metric(text) for text in (DEFAULT_WITH_PROBABILITIES if probabilities else DEFAULT_METRICS)]
    if isinstance(metrics, str):
        if metrics != "all":
            return [get_metric(metrics)]
        met = {"whole counts": counts.is_integral, "edges": counts.scale.edges is not None, "probabilities": probabilities}
        offers = {need for need, is_met in met.items() if is_met}
        return [metric for metric in catalogue() if metric.needs <= offers and _can_be_settled(metric, counts)]
    if isinstance(metrics, Metric) or callable(metrics):
        return [get_metric(metrics)]
    return [get_metric(text) for text in metrics]


def _can_be_settled(metric: Metric, counts: Counts) -> bool:
    """A metric that wants a parameter for this scale, such as the length of its open end, is not among "all"."""
    if not metric.needs_only_counts:
        return True
    try:
        metric.bind_options(counts)
    except ValueError:
        return False
    return True


def forecasts_of(caller: str, y_true: Any, proba: Any, given: dict[str, Any], missing: Missing) -> Forecasts | None:
    """The forecasts where there are some; then the scale is theirs, and without predictions the most probable classes are."""
    if proba is None:
        return None
    if isinstance(y_true, Counts):
        raise ArgumentTypeError(
            f"{{proba}} was given with Counts, but probabilities belong to rows; call {caller} with {{y_true}} and {{proba}}",
            argument="proba",
        )
    beside = {"predictions": _columns(given["y_pred"]), "groups": [*_columns(given.get("by")), *_columns(given["cluster"])]}
    same = {key: given[key] for key in ("labels", "sample_weight", "cluster")}
    forecasts = read_forecasts(y_true, proba, **same, **beside, missing=missing)
    answers = forecasts.most_probable
    if given["y_pred"] is None:
        given["y_pred"] = answers if isinstance(proba, Mapping) else next(iter(answers.values()))
    given["labels"] = forecasts.scale
    return forecasts


def counts_of(caller: str, y_true: Any, given: dict[str, Any], missing: Missing) -> Counts:
    if not isinstance(y_true, Counts):
        return count(y_true, given.pop("y_pred"), **given, missing=missing)
    for name, value in given.items():
        if value is not None:
            raise ArgumentTypeError(
                f"{{{name}}} was given with Counts, which already hold it; call {caller} with the counts alone", argument=name
            )
    return y_true


def counted(caller: str, y_true: Any, given: dict[str, Any], missing: Missing) -> tuple[Counts, Counts]:
    """The counts, and the same with every weighted row by itself: intervals need the rows, which weighted counts have lost."""
    if isinstance(y_true, Counts) or given["sample_weight"] is None or given["cluster"] is not None:
        counts = counts_of(caller, y_true, given, missing)
        return counts, counts
    rows = len(read_column(y_true, "y_true"))
    behind = counts_of(caller, y_true, {**given, "cluster": {ROW: np.arange(rows)}}, missing)
    return behind.margin(*(axis for axis in behind.axes if axis != ROW)), behind


def _columns(given: Any) -> list[Any]:
    return [] if given is None else list(given.values()) if isinstance(given, Mapping) else [given]
