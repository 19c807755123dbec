"""What public functions take, for type checkers: columns, matrices, and the words that several functions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np


class HasArray(Protocol):
    """Arrays, pandas and Polars columns, Arrow arrays, tensors."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


Column: TypeAlias = Sequence[Any] | HasArray
Answer: TypeAlias = Column | None
Weights: TypeAlias = Column | None
Matrix: TypeAlias = Sequence[Sequence[float]] | HasArray
Proba: TypeAlias = Matrix | None

Groups: TypeAlias = Column | Mapping[str, Column] | None  #: a column of groups, or several by the name of their axis
Sets: TypeAlias = Sequence[Column] | Mapping[str, Column] | HasArray | None  #: the columns lo and hi, or an array of the two

#: What to do with a row that has no answer: a word, or ``{"as": LABEL}`` for the class that it counts as.
Missing: TypeAlias = Literal["error", "drop", "unanswered", "wrong"] | Mapping[str, Any]
#: What to do with a row that has no true class; None: what `missing` says.
MissingTruth: TypeAlias = Literal["error", "drop"] | None
Unknown: TypeAlias = Literal["error", "missing"]
Strays: TypeAlias = Literal["error", "drop"]
Quote: TypeAlias = Literal["auto", "double", "none"]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]
Format: TypeAlias = Literal["text", "json", "csv", "md", "latex", "html"]
Method: TypeAlias = Literal[
    "auto", "percentile", "basic", "bca", "studentised", "stratified", "jackknife",
    "logit", "delta", "fisher", "wilson", "bayes", "dirichlet",
]  # fmt: skip
Rng: TypeAlias = "int | np.random.Generator"  # as text: numpy loads its generators only when they are asked for
