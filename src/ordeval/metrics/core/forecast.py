"""Forecasts: the truth of every row beside what was forecast for it, checked once, in the order of the scale.

What Counts are for hard labels, a Forecast is for probabilities: every probability metric takes one.  Rows are looked at in
chunks that stay in the cache, class by class, so that numpy works along the rows and not along the short axis of classes.

Sums over the classes are taken in the order of the scale, one class after the other, never as a matrix product: what a row gets does
not depend on where it stands.  Sums that are compared are compared in steps of 1e-12 (1e-6 where the probabilities are in single
precision), so that 0.1 + 0.7 and 0.8 are the same forecast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base import types as t
from ordeval.base.arrays import GRID, SINGLE_GRID, Array, snapped
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.lazy import lazy
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Missing
from ordeval.counts.blanks import class_of_blanks, furthest, read_missing
from ordeval.counts.table import checked_weights
from ordeval.metrics.core.probabilities import check_rows, read_probabilities
from ordeval.order.alignment import check_alignment
from ordeval.order.columns import Column, read_column
from ordeval.order.scale import Labels, Scale, as_scale

ROWS = 1 << 14  # of a chunk, or fewer where there are many classes
CELLS = 1 << 18  # of a chunk: its arrays stay in the cache


class Chunk:
    """A few thousand rows: `p[k]` is the column of class k in double precision, `true` the codes of the truth."""

    def __init__(self, p: Array, true: Array) -> None:
        self.p: Array = p
        self.true: Array = true

    @lazy
    def _truth(self) -> Array:
        """Where the true class of each row stands in an array like `p`, laid out flat."""
        at: Array = self.true * self.true.size + np.arange(self.true.size)
        return at

    def of_truth(self, values: Array) -> Array:
        """What an array like `p` holds at the true class of each row."""
        found: Array = values.ravel().take(self._truth)
        return found

    @lazy
    def at_truth(self) -> Array:
        """The probability of what came true."""
        return self.of_truth(self.p)

    @lazy
    def away(self) -> Array:
        """Probabilities less what came true, (K, n); summed up to a cut, they are F - O."""
        away = self.p.copy()
        away.ravel()[self._truth] -= 1
        return away

    def sides(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """For every cut k < K - 1: k, the probability of class k or below, that of the classes above it, and whether the first came true.

        Each is added up from its own end, so that the smaller of the two has all its digits, and is 0 where its classes are.
        """
        above = np.zeros((len(self.p), self.true.size))
        for k in range(len(self.p) - 1, 0, -1):
            np.add(above[k], self.p[k], out=above[k - 1])
        for k, below, came in self.cumulative():
            yield k, below, above[k], came

    def cumulative(self) -> Iterator[tuple[int, Array, Array]]:
        """For every cut k < K - 1: k, the probability F of class k or below, and whether (O) it came true; F is reused."""
        below = np.zeros(self.true.size)
        for k in range(len(self.p) - 1):
            np.add(below, self.p[k], out=below)
            yield k, below, self.true <= k


@dataclass(frozen=True, eq=False)
class Forecast:
    """The truth and the forecast of every row.  Made by `forecast`."""

    scale: Scale
    true: Array  #: (N,) codes of the truth
    proba: Array | None  #: (N, K), columns in the order of the scale; None where only a score was given
    given_score: Array | None = None  #: (N,) where a score was given instead of probabilities
    sample_weight: Array | None = None  #: (N,); None where every row counts the same
    cluster: Array | None = None  #: (N,) codes of the clusters

    def __len__(self) -> int:
        return int(self.true.size)

    @property
    def probabilities(self) -> Array:
        """The probabilities, where there are some."""
        if self.proba is None:
            raise ValueError("these are scores, one number for each row; this metric needs a probability for every class")
        return self.proba

    @lazy
    def weights(self) -> Array:
        """(N,) the weight of every row."""
        return np.ones(len(self)) if self.sample_weight is None else self.sample_weight.astype(float)

    @lazy
    def score(self) -> Array:
        """(N,) one number for each row, the higher the higher the class: the score given, or the mean rank, from 1 to K."""
        return self.given_score if self.given_score is not None else mean_ranks(self.probabilities)

    @lazy
    def order_score(self) -> Array:
        """(N,) the score by which rows are ordered and tie: a score given as it is, a mean rank on the grid."""
        return self.given_score if self.given_score is not None else ranks_on_grid(self.probabilities)

    @property
    def grid(self) -> float:
        """Steps of a unit in which sums of these probabilities are compared."""
        return grid_of(self.probabilities)

    @lazy
    def most_probable(self) -> Array:
        """(N,) codes of the most probable class, the lowest of several."""
        codes: Array = self.probabilities.argmax(1)
        return codes

    def chunks(self) -> Iterator[tuple[slice, Chunk]]:
        """The rows in order, a few thousand at a time."""
        proba = self.probabilities
        step = max(1, min(ROWS, CELLS // proba.shape[1]))
        for start in range(0, len(self), step):
            rows = slice(start, min(start + step, len(self)))
            p = np.empty((proba.shape[1], rows.stop - start))
            np.copyto(p, proba[rows].T)
            yield rows, Chunk(p, self.true[rows])

    def rows(self, chosen: Array) -> Forecast:
        """The forecast of some rows: a mask, or their positions."""

        def part(column: Array | None) -> Array | None:
            return None if column is None else column[chosen]

        return Forecast(
            self.scale,
            self.true[chosen],
            part(self.proba),
            part(self.given_score),
            part(self.sample_weight),
            part(self.cluster),
        )


def grid_of(proba: Array) -> float:
    """Steps of a unit in which sums of such probabilities are compared."""
    return SINGLE_GRID if proba.dtype == np.float32 else GRID


def mean_ranks(proba: Array) -> Array:
    """(N,) the mean rank of every row, from 1 to K, in double precision; equal rows have equal ones, wherever they stand."""
    found = np.zeros(len(proba))
    for start in range(0, len(proba), ROWS):
        part = found[start : start + ROWS]
        for k, column in enumerate(proba[start : start + ROWS].T):
            part += (k + 1.0) * column.astype(float)
    return found


def ranks_on_grid(proba: Array, grid: float | None = None) -> Array:
    """The mean ranks as they are compared: on the nearest step of the grid."""
    steps = grid_of(proba) if grid is None else grid
    return snapped(mean_ranks(proba), steps) / steps


@renamed_keywords
@documented(
    "The rows, checked.",
    y_true="The true classes, one entry for each row.",
    proba="A column of probabilities for each class, in the order of ``labels``; the columns of a frame are put in order by their names. "
    "Where a metric needs only the order of the rows, one number for each row.",
    rescale="Divide every row by its sum.",
)
def forecast(
    y_true: t.Column | Forecast,
    proba: t.Proba | t.Column = None,
    *,
    labels: Labels = None,
    sample_weight: t.Weights = None,
    cluster: t.Column | None = None,
    rescale: bool = False,
) -> Forecast:
    """Check probabilities against the truth, once, for all metrics that will use them.

    Probabilities are finite, from 0 to 1, and add up to 1 within 1e-6 in every row.

    >>> rows = forecast(["low", "high"], [[0.7, 0.2, 0.1], [0.1, 0.4, 0.5]], labels=["low", "mid", "high"])
    >>> rows.score.round(2)
    array([1.4, 2.4])
    """
    if isinstance(y_true, Forecast):
        for name, given in (("proba", proba), ("labels", labels), ("sample_weight", sample_weight), ("cluster", cluster)):
            if given is not None:
                raise ArgumentTypeError(
                    f"{{{name}}} was given with a forecast, which already holds it; leave it out", argument=name
                )
        return y_true
    if proba is None:
        raise ArgumentTypeError(
            "a probability metric needs {y_true} and {proba}, one column for each class, or a forecast", argument="proba"
        )
    check_alignment({"y_true": y_true, "proba": proba, "sample_weight": sample_weight, "cluster": cluster})
    truth = read_column(y_true, "y_true")
    scale = Scale.infer(truth, names=["y_true"]) if labels is None else as_scale(labels)
    values = read_probabilities(proba, scale)
    n = len(truth)
    if len(values) != n:
        raise _other_length(n, len(values))
    if n == 0:
        raise ArgumentError("{y_true} and {proba} are empty; there is nothing to score", argument="y_true")
    true = _codes(scale, truth)
    weights = None if sample_weight is None else _weights(sample_weight, n)
    clusters = None if cluster is None else _cluster_codes(cluster)
    if clusters is not None and (clusters < 0).any():
        raise ArgumentError(
            "{cluster} is missing at index {row}; every row belongs to a cluster",
            argument="cluster",
            values={"row": int(np.argmax(clusters < 0))},
        )
    if values.ndim == 1:
        found = Forecast(scale, true, None, values, weights, clusters)
    else:
        found = Forecast(scale, true, check_rows(values, rescale=rescale), None, weights, clusters)
    if weights is None or (weights > 0).all():
        return found
    if not (weights > 0).any():
        raise ValueError(f"no row is left to score: all {n:,} have the weight 0")
    return found.rows(weights > 0)


def _other_length(truths: int, forecasts: int) -> ArgumentError:
    return ArgumentError(
        "{y_true} has {n} rows and {proba} has {m}; each row needs its probabilities",
        argument="proba",
        values={"n": f"{truths:,}", "m": f"{forecasts:,}"},
    )


def _codes(scale: Scale, truth: Column) -> Array:
    """Codes of the truth; consecutive integers are shifted, which is much faster than looking them up."""
    plain = truth.whole()
    if scale.offset is not None and plain.kind == "integers" and plain.numbers is not None and plain.missing is None:
        numbers = plain.numbers
        if numbers.size and scale.offset <= int(numbers.min()) and int(numbers.max()) < scale.offset + scale.K:
            codes: Array = numbers.astype(np.intp) - scale.offset
            return codes
    return scale.encode(truth, name="y_true").astype(np.intp)  # names what is outside, if anything is


def _cluster_codes(cluster: Any) -> Array:
    column = next(iter(cluster.values())) if isinstance(cluster, Mapping) else cluster
    return read_column(column, "cluster").coded()[0]


def _weights(given: Any, n: int) -> Array:
    column = read_column(given, "sample_weight", measured=True)
    numbers = column.codes if column.kind == "booleans" else column.numbers
    if numbers is None:
        raise ArgumentTypeError(
            "{sample_weight} holds {kind}; weights are numbers", argument="sample_weight", values={"kind": column.kind}
        )
    return checked_weights(numbers, n, "sample_weight")


@dataclass(frozen=True, eq=False)
class Forecasts:
    """What several models, or one, forecast for the same rows; and the classes that they would answer with."""

    scale: Scale
    models: dict[str, Forecast]
    positions: Array  #: where the rows of the forecasts stand among all rows
    most_probable: dict[str, Array]  #: labels for all rows, by model: the most probable class, the lowest of several

    @property
    def only(self) -> Forecast:
        """The forecast of the one model."""
        if len(self.models) != 1:
            raise ArgumentError(
                "{proba} holds {n} models ({models}); an evaluation takes one",
                argument="proba",
                values={"n": len(self.models), "models": ", ".join(self.models)},
            )
        return next(iter(self.models.values()))

    def members(self, column: Any, value: Any) -> Array:
        """Which rows of the forecasts belong to a group; the column is that of all rows."""
        codes, values = read_column(column, "by").coded()
        found: Array = codes[self.positions] == values.index(value)
        return found


def read_forecasts(
    y_true: Any,
    proba: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    cluster: Any = None,
    predictions: Iterable[Any] = (),
    groups: Iterable[Any] = (),
    missing: Missing = "error",
) -> Forecasts:
    """Forecasts of the rows that are to be scored, for an evaluation that also counts hard labels.

    ``predictions`` and ``groups`` are the other columns of the same rows: with ``missing="drop"`` a row is left out where the truth or
    one of them is not there, and its probabilities may be anything.  With ``missing="wrong"`` a row of which no probability is there
    has a forecast of 1 for the class most steps away from its truth; with ``{"as": LABEL}``, for that class.
    """
    given = dict(proba) if isinstance(proba, Mapping) else {"pred": proba}
    if not given:
        raise ArgumentError("{proba} is an empty mapping; give at least one model's probabilities", argument="proba")
    scale = None if labels is None else as_scale(labels)
    measured = scale is not None and scale.edges is not None
    check_alignment({"y_true": y_true, **{f"proba[{model!r}]": values for model, values in given.items()}})
    truth = read_column(y_true, "y_true", measured=measured)
    answers = [read_column(column, "y_pred", measured=measured) for column in predictions]
    others = [*answers, *(read_column(column, "by") for column in groups)]
    if scale is None:
        scale = Scale.infer(truth, *answers, names=["y_true", *("y_pred" for _ in answers)])
    n = len(truth)
    keep = np.ones(n, bool)
    weights = None if sample_weight is None else _weights(sample_weight, n)
    if weights is not None:
        keep &= weights > 0
    policy = read_missing(missing)
    worst = furthest(scale.K) if policy.word != "as" else np.full(scale.K, class_of_blanks(scale, policy.label))
    if policy.word == "drop":
        for column in (truth, *others):
            if column.missing is not None and len(column) == n:
                keep &= ~column.missing
    positions = np.flatnonzero(keep)
    models, labels_of = {}, {}
    true = _codes(scale, truth.keep(keep) if not keep.all() else truth)
    for model, values in given.items():
        read = read_probabilities(values, scale)
        if read.ndim == 1:
            raise ArgumentError(
                "{proba} of {model}: one number for each row; an evaluation needs a probability for every class",
                argument="proba",
                values={"model": repr(model)},
            )
        if len(read) != n:
            raise _other_length(n, len(read))
        kept = read if keep.all() else read[keep]
        blank = np.isnan(kept).all(1) if policy.word in ("wrong", "as") else np.zeros(len(kept), bool)
        if blank.any():  # no forecast: one of certainty in the class that a blank counts as
            kept = kept.copy()
            kept[blank] = np.eye(scale.K)[worst[true[blank]]]
        kept = check_rows(kept, numbers=positions)
        clusters = None if cluster is None else _cluster_codes(cluster)[keep]
        models[model] = Forecast(scale, true, kept, None, None if weights is None else weights[keep], clusters)
        codes = np.zeros(n, np.intp)  # rows that are left out are left out whatever stands there
        codes[keep] = models[model].most_probable
        labels_of[model] = scale.decode(codes)
        if blank.any():
            labels_of[model] = labels_of[model].astype(object)
            labels_of[model][positions[blank]] = None
    return Forecasts(scale, models, positions, labels_of)
