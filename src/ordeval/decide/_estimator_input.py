"""What classifiers over other classifiers share: the classes in their order, and the checks of what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_array, check_consistent_length, column_or_1d, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, has_fit_parameter

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.order.scale import Scale, as_scale


class CutClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier that asks a binary one, for each cut between neighbouring classes, on which side of it a row lies."""

    estimator: Any
    labels: Any
    classes_: Array  #: the classes of the training rows, lowest first

    def _codes(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Array | None]:
        """Codes of the training rows among their own classes, and checked weights; sets ``classes_``.

        A class of the scale without a training row cannot be learnt: two cuts would be one and the same question.
        """
        name = type(self).__name__
        check_consistent_length(X, y)
        column = class_column(y)
        scale = Scale.infer(column, names=["y"]) if self.labels is None else as_scale(self.labels)
        codes = scale.encode(column, name="y").astype(int)
        weight = None
        if sample_weight is not None:
            if not has_fit_parameter(self.estimator, "sample_weight"):
                raise ArgumentTypeError(
                    "{model} was given {sample_weight}, but {base} takes none",
                    argument="sample_weight",
                    remedy="leave it out, or use a base classifier whose fit takes sample_weight",
                    values={"model": name, "base": type(self.estimator).__name__},
                )
            weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        learnt = codes if weight is None else codes[weight > 0]
        present = np.unique(learnt)
        if len(present) < 2:
            one = f"one class ({scale.labels[present[0]]!r})" if len(present) else ""
            raise ArgumentError(
                "{y} holds {found} in the training rows, but {model} needs at least two",
                argument="y",
                remedy="use folds that keep the classes together (StratifiedKFold), or more rows",
                values={"model": name, "found": one or "no class (all weights in sample_weight are zero)"},
            )
        self.classes_ = scale.decode(present)
        return np.searchsorted(present, codes), weight

    def __sklearn_tags__(self) -> Any:
        return with_input_of(self.estimator, super().__sklearn_tags__())


def with_input_of(estimator: Any, tags: Any) -> Any:
    """The tags of a classifier that hands X on to another: it takes what that one takes."""
    if hasattr(estimator, "__sklearn_tags__"):
        base = get_tags(estimator).input_tags
        tags.input_tags.allow_nan = base.allow_nan
        tags.input_tags.sparse = base.sparse
    return tags


def class_column(y: Any) -> Any:
    """The classes as one column.  An ordered column stays what it is; anything else becomes an array."""
    if hasattr(y, "dtype") and not isinstance(y.dtype, np.dtype) and np.ndim(y) == 1:
        return y
    column = column_or_1d(y, warn=True)
    if column.dtype.kind == "f":
        check_array(column, ensure_2d=False, dtype=None, input_name="y")
    check_classification_targets(column)
    return column
