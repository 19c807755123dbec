"""Ordinal scores for Hugging Face: ``compute_metrics`` of a Trainer, and a metric of the evaluate library.

Labels are positions 0 .. K-1 there, whatever the classes are called.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, UndefinedScore
from ordeval.counts import Counts
from ordeval.evaluation import DEFAULT_METRICS
from ordeval.evaluation._request import MetricLike
from ordeval.metrics import get_metric, score
from ordeval.order.scale import Labels, Scale, as_scale


@documented(
    "A function from the Trainer's predictions and labels to scores by `Metric.key`.",
    metrics="The metrics, by name or text; None is the usual ones.",
    ignore_index="The label of positions that do not count.",
)
def compute_metrics(
    labels: Labels, metrics: Sequence[MetricLike] | None = None, *, ignore_index: int = -100
) -> Callable[[Any], dict[str, float]]:
    """``Trainer(compute_metrics=compute_metrics(labels))``: the class of the largest logit, against the labels.

    >>> import numpy as np
    >>> scores = compute_metrics(["low", "mid", "high"], ["mae"])
    >>> scores((np.array([[9, 0, 0], [0, 0, 9], [0, 9, 0]]), np.array([0, 1, -100])))
    {'mae': 0.5}
    """
    scale = as_scale(labels)
    asked = [get_metric(name) for name in metrics or DEFAULT_METRICS]

    def compute(eval_pred: Any) -> dict[str, float]:
        predictions, references = eval_pred
        given, truth = (np.asarray(one[0] if isinstance(one, tuple) else one) for one in (predictions, references))
        if given.ndim > truth.ndim:
            given = given.argmax(-1)
        counted = truth != ignore_index
        return _scores(given[counted], truth[counted], scale, asked)

    return compute


@documented(
    "A metric with ``add_batch``, ``compute`` and the rest.", metrics="The metrics, by name or text; None is the usual ones."
)
def Ordinal(labels: Labels, metrics: Sequence[MetricLike] | None = None) -> Any:
    """A metric of the evaluate library, made without a download; predictions and references are positions."""
    import datasets
    import evaluate

    scale = as_scale(labels)
    asked = [get_metric(name) for name in metrics or DEFAULT_METRICS]

    class _Ordinal(evaluate.Metric):  # type: ignore[misc, unused-ignore]
        def _info(self) -> Any:
            features = datasets.Features({"predictions": datasets.Value("int64"), "references": datasets.Value("int64")})
            return evaluate.MetricInfo(description="Ordinal scores", citation="", inputs_description="", features=features)

        def _compute(self, predictions: Any, references: Any) -> dict[str, float]:
            return _scores(np.asarray(predictions), np.asarray(references), scale, asked)

    return _Ordinal()


def _scores(given: Array, truth: Array, scale: Scale, asked: Sequence[Any]) -> dict[str, float]:
    for name, codes in (("predictions", given), ("labels", truth)):
        if codes.size and (codes.min() < 0 or codes.max() >= scale.K):
            wrong = codes.min() if codes.min() < 0 else codes.max()
            values = {"name": name, "wrong": int(wrong), "last": scale.K - 1}
            raise ArgumentError(
                "the {name} hold {wrong}, but the positions of the classes are 0 to {last}", argument="labels", values=values
            )
    table = np.zeros((scale.K, scale.K), np.int64)
    np.add.at(table, (truth.ravel().astype(np.int64), given.ravel().astype(np.int64)), 1)
    counts = Counts.from_matrix(table, labels=scale)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedScore)
        found = {one.key: float(score(one, counts)) for one in asked}
    return {key: value for key, value in found.items() if not math.isnan(value)}
