"""Cardoso & Pinto da Costa (2007): all cuts by one binary classifier, on replicated rows (with an SVM: oSVM)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.decide._estimator_input import CutClassifier


class DataReplication(CutClassifier):
    """One binary classifier for all cuts: every row is in it K - 1 times, once for each cut (Cardoso & Pinto da Costa 2007).

    The replica for the q-th cut has K - 2 more features, all 0 but the (q - 1)-th, which is ``height``, and the label "above the
    cut".  A linear classifier then has parallel boundaries, one direction for all cuts; with a support vector machine this is
    the papers' oSVM.  ``span`` keeps, for each cut, only rows of the ``span`` classes on either side of it; all by default.
    A row gets the class that has as many classes below it as its replicas were found above their cuts.
    ``labels`` are the classes, lowest first, or a `Scale`; text has no order without them.

    The extra features are on the scale of ``height``: bring the other features to a similar scale first.

    >>> from sklearn.svm import SVC
    >>> model = DataReplication(SVC(kernel="linear", C=100), labels=["low", "mid", "high"])
    >>> model = model.fit([[1], [2], [3], [4], [5], [6]], ["low", "low", "mid", "mid", "high", "high"])
    >>> model.predict([[0], [3.5], [9]]).tolist()
    ['low', 'mid', 'high']
    """

    def __init__(self, estimator: Any, *, height: float = 1.0, span: int | None = None, labels: Any = None) -> None:
        self.estimator = estimator
        self.height = height
        self.span = span
        self.labels = labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit one clone of the base classifier to the replicas."""
        if not self.height > 0:
            raise ArgumentError(
                "{height:{given}} does not tell the replicas apart",
                argument="height",
                remedy="give a number above 0",
                values={"given": repr(self.height)},
            )
        if self.span is not None and (not isinstance(self.span, (int, np.integer)) or self.span < 1):
            raise ArgumentError(
                "{span:{given}} is not a number of classes",
                argument="span",
                remedy="give a whole number that is 1 or more, or None for all",
                values={"given": repr(self.span)},
            )
        if not hasattr(self.estimator, "predict"):
            raise TypeError(f"DataReplication needs predict, which {type(self.estimator).__name__} does not have")
        X, _ = validate_data(self, X, y, multi_output=True, dtype="numeric", ensure_all_finite=self._finite())
        codes, weight = self._codes(X, y, sample_weight)
        cuts = np.arange(1, len(self.classes_))
        span = len(self.classes_) if self.span is None else self.span
        kept = (codes >= cuts[:, None] - span) & (codes < cuts[:, None] + span)  # (cuts, rows)
        above = (codes >= cuts[:, None])[kept].astype(int)
        weights = {} if weight is None else {"sample_weight": np.broadcast_to(weight, kept.shape)[kept]}
        self.estimator_: Any = clone(self.estimator).fit(self._replicas(X)[kept], above, **weights)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.classifier_tags.poor_score = True  # parallel boundaries cannot part classes that lie in no order
        return tags

    def _finite(self) -> bool | str:
        return "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True

    def _replicas(self, X: Array) -> Array:
        """Every row once for each cut, (cuts, rows, features + cuts - 1)."""
        cuts = len(self.classes_) - 1
        extension = self.height * np.eye(cuts, cuts - 1, k=-1)  # nothing for the first cut, a unit vector for each other
        shape = (cuts, len(X))
        return np.concatenate(
            [np.broadcast_to(X, (*shape, X.shape[1])), np.broadcast_to(extension[:, None], (*shape, cuts - 1))], axis=-1
        )

    def predict(self, X: Any) -> Array:
        """The class of every row."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype="numeric", ensure_all_finite=self._finite())
        replicas = self._replicas(X)
        above = self.estimator_.predict(replicas.reshape(-1, replicas.shape[-1])).reshape(replicas.shape[:2])
        predicted: Array = self.classes_[above.sum(0)]
        return predicted
