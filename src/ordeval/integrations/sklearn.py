"""Scorers: every metric as scikit-learn wants it, on a scale that no fold can change.

For labels these are scikit-learn's own scorers (`make_scorer`).  Its machinery for probabilities does not fit ordered classes
(of two classes it keeps one column, and it hands on no order of the columns), so those have a small scorer of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Self, TypeAlias, TypeVar, cast

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Weights
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import estimated_probabilities
from ordeval.metrics.core.types import ClassCounts
from ordeval.order.scale import Labels, Scale, as_scale

try:
    from sklearn import get_config
    from sklearn.metrics import make_scorer
    from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "sklearn":
        raise
    raise ModuleNotFoundError(
        'scorers need scikit-learn; install it with  pip install "ordeval[sklearn]"', name="sklearn"
    ) from None

Asked: TypeAlias = str | Metric | Callable[..., float]
F = TypeVar("F", bound=Callable[..., Any])


def _metric_first(function: F) -> F:
    """Let a call of old, with the classes before the metric, say how it is written now."""

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1:
            raise ArgumentTypeError(
                "{name} takes the metric first and the classes by name: {name}({metric}, {labels:[...]})",
                argument="labels",
                values={"name": function.__name__, "metric": getattr(args[1], "__name__", repr(args[1]))},
            )
        return function(*args, **kwargs)

    return cast(F, checked)


@_metric_first
@renamed_keywords
@documented("``scorer(estimator, X, y)``; higher is better.", labels="The classes, lowest first, or a `Scale`: in every fold.")
def get_scorer(metric: Asked, *, labels: Labels, class_counts: ClassCounts = None) -> Any:
    """A metric as a scorer for scikit-learn.

    The classes hold in every fold, whatever classes the fold has.  A metric whose lower values are better is negated.  A metric with
    a target (bias) cannot be maximised and is refused.  Probability metrics take ``predict_proba``, with the columns put in the order
    of the scale; a class that the model never saw has probability 0.  ``sample_weight`` is handed on where it is requested:
    ``scorer.set_score_request(sample_weight=True)``.

    ``class_counts``, one count per class or a mapping from class to count, fixes for `cem`, `stc` and `total_cost` how common the
    classes are: otherwise each fold uses its own counts, and a fold without a rare class weighs its errors differently.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="constant", constant="mid").fit([[0]] * 3, ["low", "mid", "high"])
    >>> get_scorer("mae", labels=["low", "mid", "high"])(model, [[0]] * 3, ["low", "mid", "high"])
    -0.6666666666666666
    """
    found = get_metric(metric)
    scale = as_scale(labels)
    given = {"metric": found}
    if class_counts is not None:
        if "class_counts" not in found.defaults:
            raise ArgumentError(
                "{metric} does not ask how common the classes are; {class_counts} is for cem, stc and total_cost",
                argument="class_counts",
                values=given,
            )
        found = found.with_params(class_counts=class_counts)
    if found.direction not in ("higher", "lower"):
        raise ArgumentError(
            f"{{metric}} is best at {found.direction:g}, neither high nor low, so it cannot choose a model",
            argument="metric",
            remedy="choose by another metric, and look at {metric} beside it",
            values=given,
        )
    if "prediction sets" in found.needs:
        raise ArgumentError(
            "{metric} is about sets of classes, which no method of an estimator gives",
            argument="metric",
            remedy="call it with the sets",
            values=given,
        )
    if "edges" in found.needs and scale.edges is None:  # what would fail in every fold is refused before the first one
        raise ArgumentError(
            "{metric} is about interval classes, and these have no edges",
            argument="labels",
            remedy="use Scale.from_edges([...])",
            values=given,
        )
    if "probabilities" in found.needs:
        return ProbabilityScorer(found, scale)
    return make_scorer(found.function, greater_is_better=found.direction == "higher", labels=scale, **found.params)


@_metric_first
@renamed_keywords
@documented(
    "A scorer for each metric; each keeps the name you requested.",
    metrics="The metrics, by name, text or function.",
    labels="The classes, lowest first, or a `Scale`: in every fold.",
)
def scorers(metrics: Asked | Iterable[Asked], *, labels: Labels, class_counts: ClassCounts = None) -> dict[str, Any]:
    """Several scorers for ``scoring=``, as `get_scorer` gives them.

    ``class_counts`` goes to the metrics that take it.

    >>> sorted(scorers(["cem", "amae", "lwk"], labels=["low", "mid", "high"]))
    ['amae', 'cem', 'lwk']
    """
    asked = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    if not asked:
        raise ArgumentError(
            "{metrics} is empty",
            argument="metrics",
            remedy="name at least one metric, as in {example}",
            values={"example": "scorers(['cem', 'amae'], labels=scale)"},
        )
    named = {_name(metric): metric for metric in asked}
    if len(named) < len(asked):
        names = [*map(_name, asked)]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ArgumentError(
            "{metrics} holds {twice} twice; each scorer has a name of its own", argument="metrics", values={"twice": repr(twice)}
        )
    takes = {name: "class_counts" in get_metric(metric).defaults for name, metric in named.items()}
    if class_counts is not None and not any(takes.values()):
        raise ArgumentError(
            "{class_counts} is for cem, stc and total_cost, and none of them is among the metrics", argument="class_counts"
        )
    scale = as_scale(labels)
    return {
        name: get_scorer(metric, labels=scale, class_counts=class_counts if takes[name] else None)
        for name, metric in named.items()
    }


def _name(metric: Asked) -> str:
    return metric if isinstance(metric, str) else str(get_metric(metric))


class ProbabilityScorer:
    """A probability metric as a scorer: ``scorer(estimator, X, y, sample_weight=None)``, higher is better."""

    metric: Metric
    scale: Scale
    sign: int  #: -1 where lower values of the metric are better

    def __init__(self, metric: Metric, scale: Scale) -> None:
        self.metric, self.scale = metric, scale
        self.sign = 1 if metric.direction == "higher" else -1
        self._metadata_request = MetadataRequest(owner=self)
        self._metadata_request.score.add_request(param="sample_weight", alias=None)

    def __call__(self, estimator: Any, X: Any, y: Column, *, sample_weight: Weights = None) -> float:
        proba = estimated_probabilities(estimator, X, self.scale, needed_by=str(self.metric))
        return self.sign * self.metric(y, proba, labels=self.scale, sample_weight=sample_weight)

    def __repr__(self) -> str:
        return f"get_scorer({str(self.metric)!r}, labels={self.scale!r})"

    # Metadata routing: scikit-learn asks a scorer which metadata it wants

    @documented("The scorer itself.", sample_weight="True, False, None, or the name under which the weights are given.")
    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Request the weights of the rows (True), leave them (False), refuse them (None), or take them from another name."""
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError("metadata routing is not enabled; enable it with sklearn.set_config(enable_metadata_routing=True)")
        self._metadata_request = MetadataRequest(owner=self)
        self._metadata_request.score.add_request(param="sample_weight", alias=sample_weight)
        return self

    @documented("A ``MetadataRequest``.")
    def get_metadata_routing(self) -> Any:
        """What scikit-learn's routers read."""
        return get_routing_for_object(self._metadata_request)
