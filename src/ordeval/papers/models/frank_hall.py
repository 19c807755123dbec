"""Frank & Hall (2001): one binary classifier for each cut between neighbouring classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ordeval.base.arrays import Array, ratio
from ordeval.base.errors import ArgumentError
from ordeval.decide._estimator_input import CutClassifier

COMBINATIONS = ("probability", "votes")


def _has_probabilities(model: FrankHall) -> bool:
    if model.combine != "probability":
        raise AttributeError(f"FrankHall(combine={model.combine!r}) has no probabilities; use combine='probability'")
    if not hasattr(model.estimator, "predict_proba"):
        raise AttributeError(f"FrankHall has no probabilities, because {type(model.estimator).__name__} has no predict_proba")
    return True


class FrankHall(CutClassifier):
    """K - 1 binary classifiers, the i-th for "is the class above the i-th one?" (Frank & Hall 2001).

    ``estimator`` is any binary classifier.  ``combine="probability"`` takes differences of neighbouring probabilities as the
    probabilities of the classes and predicts the largest, as the paper does; it needs ``predict_proba``.  ``"votes"`` predicts
    the class that has as many classes below it as there were answers "above", as is done with support vector machines.
    ``labels`` are the classes, lowest first, or a `Scale`; text has no order without them.

    A difference below 0 (neighbouring classifiers may contradict each other) counts as 0, and the rest is scaled to 1.

    >>> from sklearn.linear_model import LogisticRegression
    >>> model = FrankHall(LogisticRegression(), labels=["low", "mid", "high"])
    >>> model = model.fit([[1], [2], [3], [4], [5], [6]], ["low", "low", "mid", "mid", "high", "high"])
    >>> model.predict([[0], [3.5], [9]]).tolist()
    ['low', 'mid', 'high']
    """

    def __init__(self, estimator: Any, *, combine: str = "probability", labels: Any = None) -> None:
        self.estimator = estimator
        self.combine = combine
        self.labels = labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a clone of the base classifier for every cut; X goes to it as it is."""
        if self.combine not in COMBINATIONS:
            raise ArgumentError(
                "{combine:{given}} is unknown",
                argument="combine",
                remedy=f"choose one of {', '.join(map(repr, COMBINATIONS))}",
                values={"given": repr(self.combine)},
            )
        needed = "predict_proba" if self.combine == "probability" else "predict"
        if not hasattr(self.estimator, needed):
            hint = "; combine='votes' needs only predict" if hasattr(self.estimator, "predict") else ""
            raise TypeError(
                f"FrankHall(combine={self.combine!r}) needs {needed}, which {type(self.estimator).__name__} does not have{hint}"
            )
        validate_data(self, X, y, skip_check_array=True)
        codes, weight = self._codes(X, y, sample_weight)
        weights = {} if weight is None else {"sample_weight": weight}
        cuts = range(1, len(self.classes_))
        self.estimators_: list[Any] = [clone(self.estimator).fit(X, (codes >= cut).astype(int), **weights) for cut in cuts]
        return self

    def _above(self, X: Any, method: str) -> Array:
        """For every row and cut the answer of its classifier, (rows, K - 1)."""
        check_is_fitted(self)
        answers = [getattr(estimator, method)(X) for estimator in self.estimators_]
        return np.column_stack([answer[:, 1] if method == "predict_proba" else answer for answer in answers])

    def predict(self, X: Any) -> Array:
        """The class of every row."""
        codes = self.predict_proba(X).argmax(1) if self.combine == "probability" else self._above(X, "predict").sum(1)
        predicted: Array = self.classes_[codes]
        return predicted

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of ``classes_``, lowest first."""
        above = self._above(X, "predict_proba")
        rows = len(above)
        differences = -np.diff(np.hstack([np.ones((rows, 1)), above, np.zeros((rows, 1))]), axis=1)
        differences = differences.clip(min=0)
        return ratio(differences, differences.sum(1, keepdims=True))
