"""Ordinal scores as torchmetrics: one K×K table of counts is the state, and it adds up over batches and processes.

torchmetrics' order of arguments is ``update(preds, target)``: the prediction first.  Everywhere else in ordeval the truth
comes first.  Most ordinal scores are not symmetric, so exchanging the two gives another number without an error; passing
them by name, ``update(preds=..., target=...)``, is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import ordeval
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.counts import Counts
from ordeval.evaluation import DEFAULT_METRICS
from ordeval.integrations.torch import pair_table, refuse_outside, whole_numbers
from ordeval.metrics import get_metric
from ordeval.order.scale import Labels, Scale, as_scale

try:
    import torch
    import torchmetrics
    from torch import Tensor
except ImportError:
    raise ImportError('torchmetrics is not installed: pip install "ordeval[torch]"') from None


Asked: TypeAlias = str | ordeval.Metric | Callable[..., float]


class OrdinalMetric(torchmetrics.Metric):  # type: ignore[misc]
    """One score as a torchmetrics ``Metric``.  **The prediction comes first: update(preds, target).**

    ``metric`` is a name such as "cem" or "cohen_kappa(weights='linear')".  ``labels`` is the list of classes, lowest first,
    or a `Scale`; tensors hold the classes' positions 0 .. K-1, whatever the classes are called.  ``preds`` are positions of
    the target's shape, or floats (N, K, ...), logits or probabilities, of which the largest is the answer.

    >>> metric = OrdinalMetric("mae", labels=["mild", "severe", "fatal"])
    >>> metric.update(preds=torch.tensor([0, 2, 2]), target=torch.tensor([0, 0, 1]))
    >>> metric.compute()
    tensor(1., dtype=torch.float64)
    >>> metric.counts.matrix
    array([[1, 0, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """

    is_differentiable: bool = False
    full_state_update: bool = False  # the counts of a batch, added, are the counts of all: forward counts once

    score: ordeval.Metric
    scale: Scale
    table: Tensor  #: (K, K) int64, rows the truth; the whole state

    def __init__(self, metric: Asked, labels: Labels, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.score = get_metric(metric)
        self.scale = as_scale(labels)
        self.score.check_needs(Counts.from_matrix([[0] * self.scale.K] * self.scale.K, labels=self.scale))
        zeros = torch.zeros((self.scale.K, self.scale.K), dtype=torch.int64)
        self.add_state("table", default=zeros, dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool | None:
        """None for a score whose best value lies between, as of a bias."""
        return {"higher": True, "lower": False}.get(str(self.score.direction))

    @property
    def counts(self) -> Counts:
        """What has been counted in this process, for `ordeval.evaluate` and all else that takes Counts."""
        return Counts.from_matrix(self.table.cpu().numpy(), labels=self.scale)

    @documented(
        "Nothing.",
        preds="Positions of the predicted classes, or scores of all classes in the second dimension.",
        target="Positions of the true classes.",
    )
    def update(self, preds: Tensor, target: Tensor) -> None:
        """Count a batch: the prediction first, the truth second."""
        columns = {"preds": _positions(preds, target, self.scale), "target": target}
        if target.is_floating_point():
            raise ArgumentTypeError(
                f"{{target}} holds {target.dtype}; it is the true class of each row as an integer from 0 to {self.scale.K - 1}",
                argument="target",
            )
        if columns["preds"].shape != target.shape:
            raise ArgumentError(
                f"{{preds}} has the shape {tuple(preds.shape)} and {{target}} {tuple(target.shape)}",
                argument="preds",
                remedy="give one prediction for each target, "
                f"or scores of the {self.scale.K} classes in the second dimension of {{preds}}",
            )
        if target.numel():
            pred, true = (_checked(column, name, self.scale.K) for name, column in columns.items())
            self.table = self.table + pair_table(true, pred, self.scale.K)

    @documented("One number.")
    def compute(self) -> Tensor:
        """The score of all that was counted, in all processes; nan where it is undefined."""
        dtype = torch.float32 if self.table.device.type == "mps" else torch.float64  # that device has no doubles
        return torch.tensor(self.score(self.counts), dtype=dtype, device=self.table.device)

    def set_dtype(self, dst_type: Any) -> OrdinalMetric:
        """Nothing to do: counts are whole numbers, whatever the model's precision."""
        return self

    def extra_repr(self) -> str:
        return f"{self.score}, {self.scale}"


class OrdinalMetricCollection(torchmetrics.MetricCollection):  # type: ignore[misc]
    """Several scores as a ``MetricCollection`` that counts each batch once.  **The prediction comes first: update(preds, target).**

    All scores are functions of the same K×K table, so they are one compute group: `update` counts for the first of them and
    the others share its state.  ``metrics`` is a list of names, or a mapping from the name to be logged to the metric; without
    it the scores are those of `ordeval.evaluate`.

    >>> metrics = OrdinalMetricCollection(["mae", "cohen_kappa"], labels=range(3), prefix="val_")
    >>> metrics.update(preds=torch.tensor([0, 2, 2]), target=torch.tensor([0, 0, 2]))
    >>> {name: round(value.item(), 3) for name, value in metrics.compute().items()}
    {'val_cohen_kappa': 0.4, 'val_mae': 0.667}
    """

    def __init__(
        self,
        metrics: str | Iterable[Asked] | Mapping[str, Asked] | None = None,
        labels: Labels = None,
        *,
        prefix: str | None = None,
        postfix: str | None = None,
        **kwargs: Any,
    ) -> None:
        if labels is None:
            raise ArgumentTypeError(
                "{labels} is missing", argument="labels", remedy="give the classes, lowest first: {labels:[...]}"
            )
        if isinstance(metrics, str):
            metrics = [metrics]
        chosen = DEFAULT_METRICS if metrics is None else metrics
        named = dict(chosen) if isinstance(chosen, Mapping) else {str(get_metric(metric)): metric for metric in chosen}
        if not named:
            raise ArgumentError("{metrics} is empty", argument="metrics", remedy="name at least one")
        for name in named:
            if "." in name:
                raise ArgumentError(
                    "torch allows no dot in a name, and {name} has one",
                    argument="metrics",
                    remedy='name the score: {{"name": {name}}}',
                    values={"name": repr(name)},
                )
        scale = as_scale(labels)
        members = {name: OrdinalMetric(metric, scale, **kwargs) for name, metric in named.items()}
        super().__init__(members, prefix=prefix, postfix=postfix, compute_groups=[list(members)])

    @property
    def counts(self) -> Counts:
        """What has been counted in this process, for `ordeval.evaluate` and all else that takes Counts."""
        first: OrdinalMetric = next(iter(self.values(copy_state=False)))
        return first.counts


def _positions(preds: Tensor, target: Tensor, scale: Scale) -> Tensor:
    """Positions of the predicted classes: as given, or of the largest score of each row."""
    if not preds.is_floating_point():
        return preds
    if preds.ndim != target.ndim + 1 or preds.shape[1] != scale.K:
        raise ArgumentError(
            f"{{preds}} holds {preds.dtype} of the shape {tuple(preds.shape)} beside a target of {tuple(target.shape)}",
            argument="preds",
            remedy=f"give scores of the {scale.K} classes in the second dimension, "
            f"or the predicted classes as integers from 0 to {scale.K - 1}",
        )
    if bool(preds.isnan().any()):
        row = int(preds.isnan().flatten(1).any(1).nonzero()[0, 0])
        raise ArgumentError(f"{{preds}} is not a number at index {row}; no class has the largest score there", argument="preds")
    return preds.argmax(1)


def _checked(column: Tensor, name: str, k: int) -> Tensor:
    """The positions as one column of integers from 0 to K-1, or an error that says what else is there."""
    column = column.reshape(-1)
    read = whole_numbers(column)
    if read is None:
        raise ArgumentTypeError(f"{{{name}}} holds {column.dtype}; classes are integers from 0 to {k - 1}", argument=name)
    numbers, low, high = read
    if low < 0 or high >= k:
        refuse_outside(Scale(range(k), max_classes=k), range(k), {name: column})
    return numbers
