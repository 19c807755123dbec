"""A scikit-learn classifier whose answers are made for a metric: any classifier with probabilities, and a decision on top of it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.types import Column, Weights
from ordeval.decide._decisions import ClassCounts, Decision, Target, checked_counts, cost_decision
from ordeval.decide._decisions import fit as fit_decision
from ordeval.metrics.core.probabilities import estimated_probabilities
from ordeval.order.scale import Labels, Scale, as_scale

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
    from sklearn.model_selection import check_cv
    from sklearn.utils import _safe_indexing, indexable
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

    from ordeval.decide._estimator_input import class_column, with_input_of
except ImportError as error:
    raise ImportError('OrdinalDecision needs scikit-learn: pip install "ordeval[sklearn]"') from error


class OrdinalDecision(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that answers with the class that is best for a metric, given the probabilities of another classifier.

    ``labels`` are the classes, lowest first; integers carry their order themselves.  For a metric that is linear in the counts the
    least expected cost decides, with the class counts of the training rows unless ``class_counts`` are given.  For the others thresholds are
    searched on probabilities that come from ``cv`` folds, so that no row is judged by a model that has seen it.

    >>> from sklearn.linear_model import LogisticRegression
    >>> model = OrdinalDecision(LogisticRegression(), metric="amae").fit([[0.0], [1.0], [2.0], [3.0]] * 5, [1, 1, 2, 3] * 5)
    >>> model.predict([[0.0], [3.0]]).tolist()
    [1, 3]
    """

    def __init__(
        self, estimator: Any, metric: Target = "mae", *, labels: Labels = None, class_counts: ClassCounts = None, cv: Any = 5
    ) -> None:
        self.estimator: Any = estimator
        self.metric: Target = metric
        self.labels: Labels = labels
        self.class_counts: ClassCounts = class_counts
        self.cv: Any = cv

    @documented("Itself.", X="The features, as the base classifier takes them.", y="The true classes.")
    def fit(self, X: Any, y: Column, sample_weight: Weights = None) -> Self:
        """Fit the estimator; where the decision does not follow from the metric, fit it too, on rows outside of each fold."""
        if not hasattr(self.estimator, "predict_proba"):
            raise ArgumentTypeError(
                "{name} has no predict_proba; a decision needs probabilities",
                argument="estimator",
                remedy="wrap it in CalibratedClassifierCV",
                values={"name": type(self.estimator).__name__},
            )
        validate_data(self, X, y, skip_check_array=True)  # X is the classifier's to check
        X, column = indexable(X, class_column(y))
        self.scale_: Scale = Scale.infer(column, names=["y"]) if self.labels is None else as_scale(self.labels)
        codes = self.scale_.encode(column, name="y").astype(np.intp)
        self.classes_: Array = np.unique(np.asarray(column))
        if len(self.classes_) < 2:
            raise ArgumentError(
                "{y} holds one class only, {label}; a classifier needs two or more",
                argument="y",
                values={"label": repr(self.classes_[0])},
            )
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        counts = np.bincount(codes, weights, minlength=self.scale_.K)
        given = counts if self.class_counts is None else checked_counts(self.class_counts, self.scale_)
        linear = cost_decision(self.metric, self.scale_, given)
        self.estimator_: Any = self._fitted(X, column, weights, slice(None))
        self.decision_: Decision = linear or fit_decision(
            self.scale_.decode(codes),
            self._out_of_fold(X, column, codes, weights),
            self.metric,
            labels=self.scale_,
            sample_weight=weights,
        )
        return self

    def _fitted(self, X: Any, y: Any, weights: Array | None, rows: Any) -> Any:
        whole = isinstance(rows, slice)
        part, truth = (X, y) if whole else (_safe_indexing(X, rows), _safe_indexing(y, rows))
        extra = {} if weights is None else {"sample_weight": weights[rows]}
        return clone(self.estimator).fit(part, truth, **extra)

    def _out_of_fold(self, X: Any, y: Any, codes: Array, weights: Array | None) -> Array:
        proba = np.zeros((len(codes), self.scale_.K))
        for train, test in check_cv(self.cv, codes, classifier=True).split(X, codes):
            if len(np.unique(codes[train])) < 2:
                raise ArgumentError("a fold leaves only one class to train on", argument="cv", remedy="take fewer folds: {cv}")
            proba[test] = self._columns(self._fitted(X, y, weights, train), _safe_indexing(X, test))
        return proba

    def _columns(self, estimator: Any, X: Any) -> Array:
        """The estimator's probabilities in the order of the scale; a class it has never seen has the probability 0."""
        return estimated_probabilities(estimator, X, self.scale_, needed_by="a decision")

    def __sklearn_tags__(self) -> Any:
        return with_input_of(self.estimator, super().__sklearn_tags__())

    @documented("A label for each row.", X="The features, as the base classifier takes them.")
    def predict(self, X: Any) -> Array:
        """The class that is best for the metric, row by row."""
        check_is_fitted(self, "decision_")
        answers = self.decision_.apply(self._columns(self.estimator_, X))
        return answers.astype(np.result_type(self.classes_, answers))  # a class without training rows may have a longer name

    @documented("One row for each row, one column for each class.", X="The features, as the base classifier takes them.")
    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the base classifier, its classes in its own order."""
        check_is_fitted(self, "decision_")
        found: Array = self.estimator_.predict_proba(X)
        return found
