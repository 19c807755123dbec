"""Scorers: every metric as scikit-learn wants it, on a scale that no fold and no estimator can change.

One class for all metrics, and none of scikit-learn's `make_scorer`: `LogisticRegressionCV` rebuilds a scorer whose score function takes
``labels`` with the estimator's own classes, which stand in the order of the alphabet.  An `OrdinalScorer` has no such function to rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Self, TypeAlias, TypeVar, cast

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Weights
from ordeval.counts import count
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.probabilities import estimated_probabilities
from ordeval.metrics.core.types import ClassCounts
from ordeval.order.scale import Labels, Scale, as_scale

try:
    from sklearn import get_config
    from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "sklearn":
        raise
    raise ModuleNotFoundError(
        'scorers need scikit-learn; install it with  pip install "ordeval[sklearn]"', name="sklearn"
    ) from None

Asked: TypeAlias = str | Metric | Callable[..., float]
F = TypeVar("F", bound=Callable[..., Any])
NEGATED = "neg_"  # scikit-learn's prefix for what is better when it is lower
FOR_CLASS_COUNTS = "cem, stc and total_cost"


def _metric_first(function: F) -> F:
    """Let a call of old, with the classes before the metric, say how it is written now."""

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1:
            raise ArgumentTypeError(
                "the metric comes first, and the classes are given by keyword: {name}({metric}, {labels:[...]})",
                argument="labels",
                values={"name": function.__name__, "metric": getattr(args[1], "__name__", repr(args[1]))},
            )
        return function(*args, **kwargs)

    return cast(F, checked)


class OrdinalScorer:
    """One metric or several as a scorer: ``scorer(estimator, X, y, sample_weight=None)``; higher is better.

    It predicts once and counts once, for however many metrics there are.  `get_scorer` makes it.
    """

    metrics: Mapping[str, Metric]  #: by the names they were requested by
    scale: Scale

    def __init__(self, metrics: Mapping[str, Metric], scale: Scale, *, several: bool = True) -> None:
        self.metrics, self.scale, self._several = metrics, scale, several
        self._request(None)

    def __call__(self, estimator: Any, X: Any, y_true: Column, *, sample_weight: Weights = None) -> float | dict[str, float]:
        """The score, or of several metrics a dictionary of scores; those whose lower values are better are negated."""
        signed = {name: _sign(self.metrics[name]) * value for name, value in self._scores(estimator, X, y_true, sample_weight)}
        return {name: signed[name] for name in self.metrics} if self._several else next(iter(signed.values()))

    def _scores(self, estimator: Any, X: Any, y_true: Column, sample_weight: Weights) -> Iterable[tuple[str, float]]:
        by_labels = {name: metric for name, metric in self.metrics.items() if metric.needs_only_counts}
        by_proba = {name: metric for name, metric in self.metrics.items() if name not in by_labels}
        if by_labels:
            counts = count(y_true, estimator.predict(X), labels=self.scale, sample_weight=sample_weight)
            yield from ((name, metric(counts)) for name, metric in by_labels.items())
        if by_proba:
            proba = estimated_probabilities(estimator, X, self.scale, needed_by=", ".join(map(str, by_proba.values())))
            for name, metric in by_proba.items():
                yield name, metric(y_true, proba=proba, labels=self.scale, sample_weight=sample_weight)

    def __repr__(self) -> str:
        names = [*map(str, self.metrics.values())]
        return f"get_scorer({names if self._several else names[0]!r}, labels={self.scale!r})"

    # Metadata routing: scikit-learn asks a scorer which metadata it wants

    @documented("The scorer itself.", sample_weight="True, False, None, or the name under which the weights are given.")
    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Request the weights of the rows (True), ignore them (False), refuse them (None), or take them by another name."""
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError("metadata routing is not enabled; enable it with sklearn.set_config(enable_metadata_routing=True)")
        self._request(sample_weight)
        return self

    def _request(self, sample_weight: bool | str | None) -> None:
        self._metadata_request = MetadataRequest(owner=self)
        self._metadata_request.score.add_request(param="sample_weight", alias=sample_weight)

    @documented("A ``MetadataRequest``.")
    def get_metadata_routing(self) -> Any:
        """What scikit-learn's routers read."""
        return get_routing_for_object(self._metadata_request)

    def _accept_sample_weight(self) -> bool:  # asked by those who hand one set of weights to several scorers
        return True


@_metric_first
@renamed_keywords
@documented(
    "``scorer(estimator, X, y)``; higher is better.  Of a list of metrics it gives a dictionary of scores.",
    metric="A metric, by name, text or function; or a list of them.",
    labels="The classes, lowest first, or a `Scale`: the same in every fold.",
)
def get_scorer(metric: Asked | Iterable[Asked], *, labels: Labels, class_counts: ClassCounts = None) -> OrdinalScorer:
    """A metric, or several, as a scorer for scikit-learn.

    The classes hold in every fold, whatever classes the fold has.  A metric whose lower values are better is negated; asked for as
    ``"neg_mae"`` it has a name that says so.  A metric with a target (bias) cannot be maximised and is refused.  A list of metrics
    predicts once and counts once for all of them: ``scoring=get_scorer(["cem", "neg_mae"], labels=...)``.

    Probability metrics take ``predict_proba``, with the columns put in the order of the scale; a class that the model never saw has
    probability 0.  ``sample_weight`` is handed on where it is requested: ``scorer.set_score_request(sample_weight=True)``.

    ``class_counts``, one count per class or a mapping from class to count, fixes for `cem`, `stc` and `total_cost` how common the
    classes are: otherwise each fold uses its own counts, and a fold without a rare class weighs its errors differently.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="constant", constant="mid").fit([[0]] * 3, ["low", "mid", "high"])
    >>> get_scorer("neg_mae", labels=["low", "mid", "high"])(model, [[0]] * 3, ["low", "mid", "high"])
    -0.6666666666666666
    """
    scale = as_scale(labels)
    if _is_one(metric):
        name, found = _asked(cast(Asked, metric))
        if class_counts is not None and "class_counts" not in found.defaults:
            raise ArgumentError(
                f"{{metric}} does not use how common the classes are; {{class_counts}} is for {FOR_CLASS_COUNTS}",
                argument="class_counts",
                values={"metric": found},
            )
        return OrdinalScorer({name: _checked(found, scale, class_counts)}, scale, several=False)
    return OrdinalScorer(_several(cast("Iterable[Asked]", metric), scale, class_counts, "metric"), scale)


@_metric_first
@renamed_keywords
@documented(
    "A scorer for each metric; each keeps the name you requested.",
    metrics="The metrics, by name, text or function.",
    labels="The classes, lowest first, or a `Scale`: the same in every fold.",
)
def scorers(metrics: Asked | Iterable[Asked], *, labels: Labels, class_counts: ClassCounts = None) -> dict[str, OrdinalScorer]:
    """Several scorers by name, for code that needs a dictionary of them.

    Each of them predicts and counts for itself; `get_scorer` with a list does it once for all.  ``class_counts`` goes to the metrics
    that take it.

    >>> sorted(scorers(["cem", "neg_amae", "lwk"], labels=["low", "mid", "high"]))
    ['cem', 'lwk', 'neg_amae']
    """
    scale = as_scale(labels)
    asked = [cast(Asked, metrics)] if _is_one(metrics) else cast("Iterable[Asked]", metrics)
    found = _several(asked, scale, class_counts, "metrics")
    return {name: OrdinalScorer({name: metric}, scale, several=False) for name, metric in found.items()}


def _is_one(metric: Any) -> bool:
    return isinstance(metric, str) or callable(metric)


def _several(asked: Iterable[Asked], scale: Scale, class_counts: ClassCounts, argument: str) -> Mapping[str, Metric]:
    """The metrics by the names they were requested by; the class counts go to those that take them."""
    pairs = [_asked(metric) for metric in asked]
    if not pairs:
        raise ArgumentError(
            f"{{{argument}}} is empty",
            argument=argument,
            remedy="name at least one metric, as in {example}",
            values={"example": f"{'scorers' if argument == 'metrics' else 'get_scorer'}(['cem', 'neg_amae'], labels=scale)"},
        )
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ArgumentError(
            f"{{{argument}}} holds {{twice}} twice; each score has a name of its own",
            argument=argument,
            values={"twice": repr(twice)},
        )
    takes = {name: "class_counts" in metric.defaults for name, metric in pairs}
    if class_counts is not None and not any(takes.values()):
        raise ArgumentError(
            f"{{class_counts}} is for {FOR_CLASS_COUNTS}, and none of them is among the metrics", argument="class_counts"
        )
    return {name: _checked(metric, scale, class_counts if takes[name] else None) for name, metric in pairs}


def _asked(metric: Asked) -> tuple[str, Metric]:
    """A metric and the name it was requested by; "neg_" is taken off where lower values are better."""
    if not isinstance(metric, str) or not metric.startswith(NEGATED):
        found = get_metric(metric)
        return (metric if isinstance(metric, str) else str(found)), found
    plain = metric.removeprefix(NEGATED)
    found = get_metric(plain)
    if found.direction == "higher":
        raise ArgumentError(
            "{metric} is better when it is higher, so {given} would choose the worst model",
            argument="metric",
            remedy="ask for {plain}",
            values={"metric": found, "given": repr(metric), "plain": repr(plain)},
        )
    return metric, found


def _checked(metric: Metric, scale: Scale, class_counts: ClassCounts) -> Metric:
    """The metric with these class counts; what would fail in every fold is refused before the first one."""
    given = {"metric": metric}
    if metric.direction not in ("higher", "lower"):
        raise ArgumentError(
            f"{{metric}} is best at {metric.direction:g}, neither high nor low, so it cannot choose a model",
            argument="metric",
            remedy="choose by another metric, and look at {metric} beside it",
            values=given,
        )
    if "prediction sets" in metric.needs:
        raise ArgumentError(
            "{metric} is about sets of classes, which no method of an estimator gives",
            argument="metric",
            remedy="call it with the sets",
            values=given,
        )
    if "edges" in metric.needs and scale.edges is None:
        raise ArgumentError(
            "{metric} is about interval classes, and these have no edges",
            argument="labels",
            remedy="use Scale.from_edges([...])",
            values=given,
        )
    return metric if class_counts is None else metric.with_params(class_counts=class_counts)


def _sign(metric: Metric) -> int:
    return 1 if metric.direction == "higher" else -1
