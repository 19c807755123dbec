"""Scorers: every metric as scikit-learn wants it, on a scale that no fold can change.

For labels these are scikit-learn's own scorers (`make_scorer`).  Its machinery for probabilities does not fit ordered classes
(of two classes it keeps one column, and it hands on no order of the columns), so those have a small scorer of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import estimated_probabilities
from ordeval.order.scale import Scale, as_scale

try:
    from sklearn import get_config
    from sklearn.metrics import make_scorer
    from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "sklearn":
        raise
    raise ModuleNotFoundError(
        'scorers need scikit-learn; install it with  pip install "ordeval[sklearn]"', name="sklearn"
    ) from None

Name = str | Metric


def get_scorer(scale: Any, name: Name, *, gold_counts: Any = None) -> Any:
    """A metric as a scorer for scikit-learn: ``scorer(estimator, X, y)``, higher is better.

    ``scale`` is the `Scale` or the list of classes, lowest first; it holds in every fold, whatever classes the fold has.  A metric
    whose lower values are better is negated.  A metric with a target (bias) cannot be maximised and is refused.  Probability
    metrics take ``predict_proba``, with the columns put in the order of the scale; a class that the model never saw has
    probability 0.  ``sample_weight`` is handed on where it is requested: ``scorer.set_score_request(sample_weight=True)``.

    ``gold_counts``, one count per class or a mapping from class to count, fixes for `cem`, `stc` and `total_cost` how common the
    classes are: otherwise each fold uses its own counts, and a fold without a rare class weighs its errors differently.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="constant", constant="mid").fit([[0]] * 3, ["low", "mid", "high"])
    >>> get_scorer(["low", "mid", "high"], "mae")(model, [[0]] * 3, ["low", "mid", "high"])
    -0.6666666666666666
    """
    metric = get_metric(name)
    fixed = as_scale(scale)
    if gold_counts is not None:
        if "gold_counts" not in metric.defaults:
            raise ValueError(f"{metric} does not ask how common the classes are; gold_counts= is for cem, stc and total_cost")
        metric = metric.with_params(gold_counts=gold_counts)
    if metric.direction not in ("higher", "lower"):
        raise ValueError(
            f"{metric} is best at {metric.direction:g}, neither high nor low, so it cannot choose a model; "
            f"choose by another metric, and look at {metric} beside it"
        )
    if "prediction sets" in metric.needs:
        raise ValueError(f"{metric} is about sets of classes, which no method of an estimator gives; call it with the sets")
    _check_edges(metric, fixed)
    if "probabilities" in metric.needs:
        return ProbabilityScorer(metric, fixed)
    return make_scorer(metric.function, greater_is_better=metric.direction == "higher", labels=fixed, **metric.params)


def scorers(scale: Any, names: Iterable[Name], *, gold_counts: Any = None) -> dict[str, Any]:
    """Several scorers for ``scoring=``, each under the name by which it was asked for.

    ``scale`` and ``gold_counts`` are those of `get_scorer`; ``gold_counts`` goes to the metrics that take it.

    >>> sorted(scorers(["low", "mid", "high"], ["cem", "amae", "lwk"]))
    ['amae', 'cem', 'lwk']
    """
    asked = [names] if isinstance(names, (str, Metric)) else list(names)
    if not asked:
        raise ValueError("names is empty; name at least one metric, as in scorers(scale, ['cem', 'amae'])")
    takes = {str(name): "gold_counts" in get_metric(name).defaults for name in asked}
    if len(takes) < len(asked):
        twice = next(str(name) for i, name in enumerate(asked) if name in asked[:i])
        raise ValueError(f"names holds {twice!r} twice; each scorer has a name of its own")
    if gold_counts is not None and not any(takes.values()):
        raise ValueError("gold_counts= is for cem, stc and total_cost, and none of them is among the names")
    fixed = as_scale(scale)
    return {str(name): get_scorer(fixed, name, gold_counts=gold_counts if takes[str(name)] else None) for name in asked}


def _check_edges(metric: Metric, scale: Scale) -> None:
    """What would fail in every fold is refused before the first one."""
    if "edges" in metric.needs and scale.edges is None:
        raise ValueError(f"{metric} is about interval classes, and these have no edges; use Scale.from_edges([...])")


class ProbabilityScorer:
    """A probability metric as a scorer: ``scorer(estimator, X, y, sample_weight=None)``, higher is better."""

    def __init__(self, metric: Metric, scale: Scale) -> None:
        self.metric = metric
        self.scale = scale
        self.sign = 1 if metric.direction == "higher" else -1
        self._metadata_request = MetadataRequest(owner=self)
        self._metadata_request.score.add_request(param="sample_weight", alias=None)

    def __call__(self, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None) -> float:
        proba = estimated_probabilities(estimator, X, self.scale, needed_by=str(self.metric))
        return self.sign * self.metric(y, proba, labels=self.scale, sample_weight=sample_weight)

    def __repr__(self) -> str:
        return f"get_scorer({self.scale!r}, {str(self.metric)!r})"

    # Metadata routing: scikit-learn asks a scorer which metadata it wants

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Request the weights of the rows (True), leave them (False), refuse them (None), or take them from another name."""
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError("metadata routing is not enabled; enable it with sklearn.set_config(enable_metadata_routing=True)")
        self._metadata_request = MetadataRequest(owner=self)
        self._metadata_request.score.add_request(param="sample_weight", alias=sample_weight)
        return self

    def get_metadata_routing(self) -> Any:
        """What scikit-learn's routers read."""
        return get_routing_for_object(self._metadata_request)
