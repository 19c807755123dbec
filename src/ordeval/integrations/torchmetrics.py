"""Ordinal scores as torchmetrics: the state is one K×K table of counts, or one sum of row losses; both add up over batches and processes.

torchmetrics' order of arguments is ``update(preds, target)``: the prediction first.  Everywhere else in ordeval the truth
comes first.  Most ordinal scores are not symmetric, so exchanging the two gives another number without an error; passing
them by name, ``update(preds=..., target=...)``, is safe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

import ordeval
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.types import HasArray
from ordeval.counts import Counts
from ordeval.evaluation import DEFAULT_METRICS
from ordeval.integrations.torch import pair_table, refuse_outside, whole_numbers
from ordeval.metrics import get_metric
from ordeval.metrics.core.probabilities import NEAR_ONE
from ordeval.metrics.core.score import warn_undefined
from ordeval.order.scale import Labels, Scale, as_scale

try:
    import torch
    import torchmetrics
    from torch import Tensor
except ImportError:
    raise ImportError('torchmetrics is not installed: pip install "ordeval[torch]"') from None


Asked: TypeAlias = str | ordeval.Metric | Callable[..., float]
T = TypeVar("T", Tensor, Tensor | None)
#: What `update` takes: tensors, or arrays, which are put on the metric's device.
Batch: TypeAlias = "Tensor | HasArray"
BATCH = {
    "preds": "Positions of the predicted classes, or scores of all classes in the second dimension.",
    "target": "Positions of the true classes.",
    "weight": "The weight of each row.",
}


class _Score(torchmetrics.Metric):  # type: ignore[misc]
    """What all ordinal scores tell torchmetrics about themselves."""

    is_differentiable: bool = False
    full_state_update: bool = False  # the states of batches, added, are the state of all: forward counts once

    score: ordeval.Metric
    scale: Scale
    ignore_index: int | None  #: rows whose target is this are left out

    @property
    def higher_is_better(self) -> bool | None:
        """None for a score that is best at a value between, such as a bias."""
        return {"higher": True, "lower": False}.get(str(self.score.direction))

    @property
    def plot_lower_bound(self) -> float | None:
        """The least value there can be; None where there is none."""
        return self._bound(0)

    @property
    def plot_upper_bound(self) -> float | None:
        """The greatest value there can be; None where there is none."""
        return self._bound(1)

    def _bound(self, end: int) -> float | None:
        bound = self.score.bounds_for(self.scale.K)[end]
        return bound if math.isfinite(bound) else None

    @documented(
        "The figure and its axes.",
        val="A value of `compute`, or a list of them, one for each step; None computes it.",
        ax="Where to draw.",
    )
    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Draw one value, or values by step, between the score's bounds."""
        return self._plot(val, ax)

    def set_dtype(self, dst_type: Any) -> Any:
        """Nothing to do: the state is exact, whatever the model's precision."""
        return self

    def extra_repr(self) -> str:
        return f"{self.score}, {self.scale}"

    def _tensors(self, preds: Batch, target: Batch, weight: Batch | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """The batch on the metric's device; arrays are welcome."""
        given = [None if column is None else torch.as_tensor(column, device=self.device) for column in (preds, target, weight)]
        assert given[0] is not None
        assert given[1] is not None
        if given[1].is_floating_point():
            raise ArgumentTypeError(
                f"{{target}} holds {given[1].dtype}; it is the true class of each row as an integer from 0 to {self.scale.K - 1}",
                argument="target",
            )
        return given[0], given[1], given[2]

    def _weights(self, weight: Tensor, target: Tensor) -> Tensor:
        """One weight for each row, as a column of doubles."""
        if weight.shape != target.shape:
            raise ArgumentError(
                f"{{weight}} has the shape {tuple(weight.shape)} and {{target}} {tuple(target.shape)}",
                argument="weight",
                remedy="give one weight for each target",
            )
        column = weight.detach().reshape(-1).to(torch.float64)
        if not bool(((column >= 0) & column.isfinite()).all()):
            raise ArgumentError("{weight} holds a value that is negative or not finite", argument="weight")
        return column

    def _kept(self, target: Tensor) -> Tensor | None:
        """Which rows, in one column, are not to be ignored; None: all."""
        return None if self.ignore_index is None else target.reshape(-1) != self.ignore_index


class OrdinalMetric(_Score):
    """One score as a torchmetrics ``Metric``.  **The prediction comes first: update(preds, target).**

    ``metric`` is a name such as "cem" or "cohen_kappa(weights='linear')".  ``labels`` is the list of classes, lowest first,
    or a `Scale`; tensors hold the classes' positions 0 .. K-1, whatever the classes are called.  ``preds`` are positions of
    the target's shape, or floats (N, K, ...), logits or probabilities, of which the largest is the answer.  Rows whose target is
    ``ignore_index`` are left out.  ``weighted=True`` lets `update` take a weight for each row; the table is then of doubles.

    >>> metric = OrdinalMetric("mae", labels=["mild", "severe", "fatal"], ignore_index=-100)
    >>> metric.update(preds=torch.tensor([0, 2, 2, 0]), target=torch.tensor([0, 0, 1, -100]))
    >>> metric.compute()
    tensor(1., dtype=torch.float64)
    >>> metric.counts.matrix
    array([[1, 0, 1],
           [0, 0, 1],
           [0, 0, 0]])
    """

    table: Tensor  #: (K, K), rows the truth; int64, or float64 where rows are weighted; the whole state
    weighted: bool

    def __init__(
        self, metric: Asked, labels: Labels, *, ignore_index: int | None = None, weighted: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.score: ordeval.Metric = get_metric(metric)
        self.scale: Scale = as_scale(labels)
        self.ignore_index = ignore_index
        self.weighted = weighted
        self.score.check_needs(Counts.from_matrix([[0] * self.scale.K] * self.scale.K, labels=self.scale))
        if weighted and "whole counts" in self.score.needs:
            raise ArgumentError(
                "{metric} is defined for whole-number counts, and weighted rows have fractions",
                argument="weighted",
                values={"metric": str(self.score)},
            )
        # a state cannot change its type between processes, so it is said at the start
        zeros = torch.zeros((self.scale.K, self.scale.K), dtype=torch.float64 if weighted else torch.int64)
        self.add_state("table", default=zeros, dist_reduce_fx="sum")

    @property
    def counts(self) -> Counts:
        """What has been counted in this process, for `ordeval.evaluate` and all else that takes Counts."""
        return Counts.from_matrix(self.table.cpu().numpy(), labels=self.scale)

    @documented("Nothing.", **BATCH)
    def update(self, preds: Batch, target: Batch, weight: Batch | None = None) -> None:
        """Count a batch: the prediction first, the truth second."""
        preds, target, weight = self._tensors(preds, target, weight)
        if weight is not None and not self.weighted:
            raise ArgumentTypeError(
                "{weight} is given, and this metric counts whole rows",
                argument="weight",
                remedy="make it with {weighted:True}, so that its table holds weights from the start",
            )
        kept = self._kept(target)
        places = _positions(preds, target, self.scale, kept)
        if places.shape != target.shape:
            raise ArgumentError(
                f"{{preds}} has the shape {tuple(preds.shape)} and {{target}} {tuple(target.shape)}",
                argument="preds",
                remedy="give one prediction for each target, "
                f"or scores of the {self.scale.K} classes in the second dimension of {{preds}}",
            )
        weights = None if weight is None else self._weights(weight, target)
        if target.numel():
            pred, true = _checked(places, "preds", self.scale.K, kept), _checked(target, "target", self.scale.K, kept)
            self.table = self.table + self._counted(true, pred, _only(weights, kept))

    def _counted(self, true: Tensor, pred: Tensor, weights: Tensor | None) -> Tensor:
        k = self.scale.K
        if weights is None:
            return pair_table(true, pred, k).to(self.table.dtype)
        return torch.bincount(true.long() * k + pred.long(), weights=weights, minlength=k * k).view(k, k)

    @documented("One number.")
    def compute(self) -> Tensor:
        """The score of all that was counted, in all processes; nan where it is undefined."""
        dtype = torch.float32 if self.table.device.type == "mps" else torch.float64  # that device has no doubles
        return torch.tensor(self.score(self.counts), dtype=dtype, device=self.table.device)


class OrdinalMetricCollection(torchmetrics.MetricCollection):  # type: ignore[misc]
    """Several scores as a ``MetricCollection`` that counts each batch once.  **The prediction comes first: update(preds, target).**

    All scores are functions of the same K×K table, so they are one compute group: `update` counts for the first of them and
    the others share its state.  ``metrics`` is a list of names, or a mapping from the name to be logged to the metric; without
    it the scores are those of `ordeval.evaluate`.  A score of a list is called by its key, as "cohen_kappa_weights_linear".
    ``ignore_index`` and ``weighted`` are those of `OrdinalMetric`.

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
        named = dict(chosen) if isinstance(chosen, Mapping) else _by_key(chosen)
        if not named:
            raise ArgumentError("{metrics} is empty", argument="metrics", remedy="name at least one")
        for name in named:
            if "." in name:
                raise ArgumentError(
                    "torch allows no dot in a name, and {name} has one",
                    argument="metrics",
                    remedy="name it without one",
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


def _by_key(metrics: Iterable[Asked]) -> dict[str, Asked]:
    """Metrics by their keys, which every tool that logs numbers takes for names."""
    found: dict[str, Asked] = {}
    for metric in metrics:
        asked = get_metric(metric)
        if asked.key in found:
            raise ArgumentError(
                "{metrics} holds {given} twice, or two scores that would be called {key}",
                argument="metrics",
                remedy="give a mapping from names to scores",
                values={"given": repr(str(asked)), "key": repr(asked.key)},
            )
        found[asked.key] = asked
    return found


def _rps(p: Tensor, true: Tensor, normalize: bool) -> Tensor:
    came = torch.nn.functional.one_hot(true, p.shape[1])
    loss = ((p - came).cumsum(1)[:, :-1] ** 2).sum(1)
    return loss / (p.shape[1] - 1) if normalize else loss


def _brier(p: Tensor, true: Tensor) -> Tensor:
    return ((p - torch.nn.functional.one_hot(true, p.shape[1])) ** 2).sum(1)


def _log_loss(p: Tensor, true: Tensor) -> Tensor:
    return -p.gather(1, true[:, None])[:, 0].log()


def _ordinal_log_loss(p: Tensor, true: Tensor, alpha: float) -> Tensor:
    steps = (torch.arange(p.shape[1], device=p.device) - true[:, None]).abs()
    others = torch.where(steps > 0, torch.log1p(-p), 0.0)
    return -(torch.where(steps > 0, steps.to(p.dtype) ** alpha, 0.0) * others).sum(1)


#: Scores that are means over the rows of a loss that each row has for itself: the loss, given the metric's own parameters.
LOSSES: dict[str, Callable[..., Tensor]] = {
    "rps": _rps,
    "brier": _brier,
    "log_loss": _log_loss,
    "ordinal_log_loss": _ordinal_log_loss,
}


class OrdinalProbabilityMetric(_Score):
    """The mean of a loss of probabilities as a torchmetrics ``Metric``.  **The prediction comes first: update(preds, target).**

    ``metric`` is one of rps, brier, log_loss and ordinal_log_loss, by name or text.  ``preds`` are of the shape (N, K, ...).
    ``logits=True``: they are logits, and the softmax is taken here; ``logits=False``: they are probabilities, which add up to 1.
    It has no default, because the softmax of probabilities is another forecast, and nothing would say so.  It is not a loss to train
    with: torchmetrics keeps no gradients.

    >>> metric = OrdinalProbabilityMetric("rps", labels=["mild", "severe", "fatal"], logits=False)
    >>> metric.update(preds=torch.tensor([[0.75, 0.25, 0.0], [0.0, 0.5, 0.5]]), target=torch.tensor([0, 2]))
    >>> metric.compute()
    tensor(0.1562, dtype=torch.float64)
    """

    total: Tensor  #: the sum of the losses, float64
    weight: Tensor  #: the sum of the weights, float64
    logits: bool

    def __init__(self, metric: Asked, labels: Labels, *, logits: bool, ignore_index: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.score: ordeval.Metric = get_metric(metric)
        self.scale: Scale = as_scale(labels)
        self.logits: bool = logits
        self.ignore_index: int | None = ignore_index
        if self.score.name not in LOSSES:
            problem = (
                "{metric} is about hard labels"
                if self.score.needs_only_counts
                else "{metric} is not a sum over rows; it needs all rows at once"
            )
            remedy = (
                "use OrdinalMetric"
                if self.score.needs_only_counts
                else f"choose one of {', '.join(LOSSES)}, or score the rows together"
            )
            raise ArgumentError(problem, argument="metric", remedy=remedy, values={"metric": str(self.score)})
        for name in ("total", "weight"):
            self.add_state(name, default=torch.zeros((), dtype=torch.float64), dist_reduce_fx="sum")

    @documented(
        "Nothing.",
        preds="Probabilities or logits, the classes in the second dimension.",
        target="Positions of the true classes.",
        weight="The weight of each row.",
    )
    def update(self, preds: Batch, target: Batch, weight: Batch | None = None) -> None:
        """Add the losses of a batch: the prediction first, the truth second."""
        preds, target, weight = self._tensors(preds, target, weight)
        if not preds.is_floating_point() or preds.ndim != target.ndim + 1 or preds.shape[1] != self.scale.K:
            raise _no_scores(preds, target, self.scale.K, "probabilities or logits")
        kept = self._kept(target)
        p = preds.detach().movedim(1, -1).reshape(-1, self.scale.K).to(torch.float64)
        if p.shape[0] != target.numel():
            raise _no_scores(preds, target, self.scale.K, "probabilities or logits")
        weights = _only(torch.ones_like(p[:, 0]) if weight is None else self._weights(weight, target), kept)
        if not target.numel():
            return
        positions = _checked(target, "target", self.scale.K, kept).long()
        p = self._probabilities(p, kept)
        losses = LOSSES[self.score.name](p, positions, **self.score.params)
        self.total = self.total + torch.where(weights > 0, weights * losses, 0.0).sum()  # an infinite loss of no weight is none
        self.weight = self.weight + weights.sum()

    def _probabilities(self, given: Tensor, kept: Tensor | None) -> Tensor:
        """The probabilities of the rows that are kept, checked."""
        p = given.softmax(1) if self.logits else given
        wrong = ~((p >= 0).all(1) & ((p.sum(1) - 1).abs() <= NEAR_ONE))
        wrong = wrong if kept is None else wrong & kept
        if bool(wrong.any()):
            row = int(wrong.nonzero()[0, 0])
            if self.logits:
                raise ArgumentError(f"{{preds}} holds logits that are not finite at index {row}", argument="preds")
            raise ArgumentError(
                f"{{preds}} are not probabilities in {int(wrong.sum()):,} of the rows, the first at index {row}: "
                f"probabilities are not negative and add up to 1 within {NEAR_ONE:g}",
                argument="preds",
                remedy="give {logits:True} for logits, or divide every row by its sum, in single precision or better",
            )
        return _only(p, kept)

    @documented("One number.")
    def compute(self) -> Tensor:
        """The mean loss of all rows, in all processes; nan where there are none."""
        found = self.total / self.weight
        warn_undefined(self.score, found.item(), self.score.undefined)
        return found


def _no_scores(preds: Tensor, target: Tensor, k: int, what: str) -> ArgumentError:
    return ArgumentError(
        f"{{preds}} holds {preds.dtype} of the shape {tuple(preds.shape)} beside a target of {tuple(target.shape)}",
        argument="preds",
        remedy=f"give {what} of the {k} classes in the second dimension",
    )


def _only(column: T, kept: Tensor | None) -> T:
    """The rows that are kept."""
    return column if kept is None or column is None else column[kept]


def _positions(preds: Tensor, target: Tensor, scale: Scale, kept: Tensor | None) -> Tensor:
    """Positions of the predicted classes: as given, or of the largest score of each row; nan may stand in rows that are ignored."""
    if not preds.is_floating_point():
        return preds
    if preds.ndim != target.ndim + 1 or preds.shape[1] != scale.K:
        error = _no_scores(preds, target, scale.K, "scores")
        raise ArgumentError(
            error.problem,
            argument="preds",
            remedy=f"{error.remedy}, or the predicted classes as integers from 0 to {scale.K - 1}",
        )
    nan = preds.isnan().any(1).reshape(-1)
    if kept is not None and nan.shape == kept.shape:
        nan = nan & kept
    if bool(nan.any()):
        row = int(nan.nonzero()[0, 0])
        raise ArgumentError(f"{{preds}} is not a number at index {row}; no class has the largest score there", argument="preds")
    return preds.argmax(1)


def _checked(column: Tensor, name: str, k: int, kept: Tensor | None) -> Tensor:
    """The positions of the rows that are kept, as one column of integers from 0 to K-1, or an error that says what else is there."""
    column = column.reshape(-1)
    if kept is not None:
        column = torch.where(kept, column, torch.zeros_like(column))  # so that a message names a row by its place in the batch
    read = whole_numbers(column)
    if read is None:
        raise ArgumentTypeError(f"{{{name}}} holds {column.dtype}; classes are integers from 0 to {k - 1}", argument=name)
    numbers, low, high = read
    if low < 0 or high >= k:
        refuse_outside(Scale(range(k), max_classes=k), range(k), {name: column})
    return _only(numbers, kept)
