"""What metrics take, for type checkers: columns, truths, and the words of every parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ordeval.base.types import Answer, Column, HasArray, Matrix, Proba, Weights
from ordeval.counts.table import Truth
from ordeval.order.scale import Labels

__all__ = ["Answer", "Column", "HasArray", "Labels", "Matrix", "Proba", "Truth", "Weights"]

#: How a metric is made of rows: what `method="auto"` goes by.
Structure: TypeAlias = Literal[
    "share", "mean", "signed_mean", "class_mean", "class_precision", "coefficient", "log_ratio", "path",
    "information", "cost", "extreme", "row_mean", "order", "slope", "binned", "custom",
]  # fmt: skip
#: What a metric may look at when its options are bound: the scale, the true classes, or the whole table.
Depends: TypeAlias = Literal["scale", "truths", "all"]
Direction: TypeAlias = Literal["higher", "lower"]
Need: TypeAlias = Literal["whole counts", "edges", "probabilities", "prediction sets"]

# The words of parameters

KappaWeights: TypeAlias = Literal["identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar"]
Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
__all__ += ["Depends", "Direction", "KappaWeights", "Level", "Need", "Structure"]
TauVariant: TypeAlias = Literal["a", "b", "c"]
Side: TypeAlias = Literal["true", "pred"]
EntropyMean: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
ClosenessLevel: TypeAlias = Literal["nominal", "ordinal", "interval"]
Ties: TypeAlias = Literal["half", "own", "full"]
EmptyRows: TypeAlias = Literal["zeros", "uniform", "diagonal"]
Absent: TypeAlias = Literal["keep", "renumber", "raise"]
OptimalLength: TypeAlias = Literal["optimal"] | tuple[float, float]
IntervalDistance: TypeAlias = Literal["hausdorff", "midpoint"]
Reference: TypeAlias = Literal["climatology", "uniform"]
Binning: TypeAlias = Literal["width", "mass"]
AucAverage: TypeAlias = Literal["splits", "consecutive", "pairs"]
Thresholds: TypeAlias = Literal["all", "immediate"]
ThresholdLoss: TypeAlias = Literal["logistic", "hinge", "zero_one"]
#: True rows of each class, known from elsewhere: one number per class, lowest first, or a mapping from class to number.
ClassCounts: TypeAlias = Column | Mapping[Any, float] | None
#: Prediction sets: the lowest and the highest class of every row, as two columns.
Sets: TypeAlias = Sequence[Column] | Mapping[str, Column] | HasArray | None
__all__ += ["Absent", "AucAverage", "Binning", "ClassCounts", "ClosenessLevel", "EmptyRows", "EntropyMean", "IntervalDistance"]
__all__ += ["OptimalLength", "Reference", "Sets", "Side", "TauVariant", "ThresholdLoss", "Thresholds", "Ties"]
