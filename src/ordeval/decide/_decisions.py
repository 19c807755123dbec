"""From probabilities to classes: the answer that is best for the metric it will be judged by.

A metric that is linear in the counts, once the true classes are fixed, is a sum of costs, one for each pair of truth and answer; the best
answer is the class with the least expected cost, row by row.  The costs are read off the metric itself, by moving rows one cell at a time,
so there is no list of them here.  For the other metrics thresholds of the mean rank are searched on rows whose truth is known.

Equal rows get equal answers, wherever they stand: costs and mean ranks are added up class by class, and mean ranks are compared on the
grid on which the metrics compare them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ordeval.base.arrays import GRID, Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.progress import shown
from ordeval.base.types import Column, Matrix, Weights
from ordeval.counts import Counts
from ordeval.metrics import Metric, forecast, get_metric
from ordeval.metrics.core.forecast import grid_of, ranks_on_grid
from ordeval.metrics.core.probabilities import check_rows, read_probabilities
from ordeval.order.scale import Labels, Scale, as_scale
from ordeval.show import Block, Line, Result, Table, number

Target: TypeAlias = str | Metric | Callable[..., Any] | Matrix  # a metric, or what every answer costs
ClassCounts: TypeAlias = Column | Mapping[Any, float] | None
Prior: TypeAlias = tuple[Column, Column] | None

LINEAR = 1e-9  # how far a metric may be from its costs, relative to the largest of them, and still be linear
TABLES = 25  # random tables on which that is tried
CELLS = 1_000_000  # of tables with one move each that are scored at a time, so that memory stays small
CANDIDATES = 400  # positions that are tried for a threshold at a time
SWEEPS = 50  # over the thresholds, at most
STARTS = 30  # thresholds at random from which the search starts, beside two that make sense


@dataclass(frozen=True, eq=False)
class Decision(Result):
    """A rule from probabilities to classes.  Made by `fit`; `to_json` and `from_json` keep it."""

    scale: Scale
    metric: str  #: the metric's text, or "costs"
    costs: Array | None = None  #: (K, K) what answer p (column) costs where the truth is t (row); least expected cost wins
    thresholds: Array | None = None  #: (K - 1,) of the mean rank, from 1 to K; a mean rank above the threshold goes up
    prior: tuple[Array, Array] | None = None  #: class shares where the model was trained, and where it is used
    fitted: float = math.nan  #: the score on the rows that the thresholds were searched on: too good for new rows

    @documented("A label for each row.")
    def apply(self, proba: Matrix) -> Array:
        """The labels of the classes that are best for these rows."""
        given = _probabilities(proba, self.scale)
        values, grid = shifted(given, self.prior), grid_of(given)
        if self.costs is not None:
            return self.scale.decode(least_cost(values, self.costs, grid))
        assert self.thresholds is not None
        return self.scale.decode(np.searchsorted(self.thresholds, ranks_on_grid(values, grid), side="left"))

    def to_dict(self) -> dict[str, Any]:
        """The rule as plain data."""
        return {"schema": 1, **super().to_dict(), "scale": self.scale.to_dict()}

    def _rows(self) -> list[dict[str, Any]]:
        labels = self.scale.labels
        if self.thresholds is not None:
            return [{"class": label, "threshold": at} for label, at in zip(labels[1:], self.thresholds.tolist(), strict=True)]
        assert self.costs is not None
        return [{"class": label, "cost": row} for label, row in zip(labels, self.costs.tolist(), strict=True)]

    def _blocks(self) -> list[Block]:
        names = [str(label) for label in self.scale.labels]
        if self.costs is not None:
            said = "The class with the least expected cost" + ("." if self.metric == "costs" else f", for {self.metric}.")
            rows = [[name, *(f"{cost:.3g}" for cost in row)] for name, row in zip(names, self.costs.tolist(), strict=True)]
            return [
                Line(said),
                Table(["true", *names], rows, "What each answer (column) costs where the truth is that of the row."),
            ]
        assert self.thresholds is not None
        rows = [[name, number(at)] for name, at in zip(names[1:], self.thresholds.tolist(), strict=True)]
        fitted = f"On the rows that it was searched on it scores {number(self.fitted)}, which is too good for new rows."
        return [
            Line(f"Thresholds of the mean rank, from 1 to {self.scale.K}, for {self.metric}."),
            Table(["class", "above"], rows, notes=[fitted]),
        ]

    @classmethod
    @documented("The rule.", text="What `to_json` wrote.")
    def from_json(cls, text: str) -> Decision:
        """The rule that `to_json` wrote."""

        def array(values: Any) -> Array | None:
            return None if values is None else np.array(values, float)

        try:
            data = json.loads(text)
            if data["schema"] != 1:
                raise ValueError(f"schema {data['schema']!r}, not 1")
            prior = data["prior"]
            return cls(
                Scale.from_dict(data["scale"]),
                data["metric"],
                array(data["costs"]),
                array(data["thresholds"]),
                None if prior is None else (np.array(prior[0], float), np.array(prior[1], float)),
                math.nan if data["fitted"] is None else data["fitted"],
            )
        except (ValueError, TypeError, KeyError, IndexError) as error:
            wrong = f"it has no {error}" if isinstance(error, KeyError) else error
            raise ValueError(f"this is not a decision, or it is one of another version: {wrong}") from None


_PRIOR = "Class shares where the model was trained, and where it is used; the probabilities are first shifted by their ratio."


@documented(
    "A label for each row.",
    metric="A metric (accuracy, mae, mse, amae, cem, stc …), or a K×K matrix of what answer p costs where the truth is t, rows the truth.",
    class_counts="True rows of each class among the rows to be scored, or their expectation; None means what the probabilities add up to.",
    prior=_PRIOR,
)
def decide(
    proba: Matrix, metric: Target = "accuracy", *, labels: Labels = None, class_counts: ClassCounts = None, prior: Prior = None
) -> Array:
    """The class of every row with the least expected cost, for a metric that is linear in the counts, or for a matrix of costs.

    Some metrics count an error by the size of its true class (amae, balanced_accuracy, cem, stc); for them ``class_counts`` matter.
    ``prior`` does something else: it shifts the probabilities.  Among answers that cost the same, the lowest is taken.

    >>> proba = [[0.5, 0.3, 0.2]]
    >>> {m: int(decide(proba, m, labels=[1, 2, 3], class_counts=[80, 15, 5])[0]) for m in ("accuracy", "mae", "amae", "cem", "stc")}
    {'accuracy': 1, 'mae': 1, 'amae': 3, 'cem': 3, 'stc': 1}
    """
    values = _probabilities(proba, None if labels is None else as_scale(labels))
    scale = as_scale(labels) if labels is not None else _scale_of_columns(proba, values.shape[1])
    shares = _checked_prior(prior, scale.K)
    if class_counts is None and not len(values):
        raise ArgumentError(
            "{proba} holds no row, so nothing is known about the class counts",
            argument="proba",
            remedy="give {class_counts}, or rows",
        )
    counted = shifted(values, shares).sum(0, dtype=float) if class_counts is None else checked_counts(class_counts, scale)
    decision = cost_decision(metric, scale, counted, shares)
    if decision is None:
        text = str(_metric(metric))
        raise ArgumentError(
            "{name} is not linear in the counts, so no row has a best answer of its own",
            argument="metric",
            remedy="search thresholds on rows whose truth is known: oe.decide.fit(y_true, proba, {quoted})",
            values={"name": text, "quoted": repr(text)},
        )
    return decision.apply(proba)


@documented(
    "The rule, which `apply` uses on new rows.",
    y_true="The true classes, one entry for each row.",
    metric="A metric, by name, text or function, or a K×K matrix of costs, rows the truth.",
    class_counts="True rows of each class among the rows to be scored; None means those of these rows.",
    prior=_PRIOR,
)
def fit(
    y_true: Column,
    proba: Matrix,
    metric: Target,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    class_counts: ClassCounts = None,
    prior: Prior = None,
) -> Decision:
    """A rule from probabilities to classes that is good for a metric, found on rows whose truth is known and that the model has not seen.

    For a metric that is linear in the counts the rule is its costs.  For the others (cohen_kappa, oci …) thresholds of the mean rank are searched, one at a time, from several starts, until none
    moves; the search finds the best of what it tries, which need not be the best there is.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 3, 300)
    >>> proba = np.full((300, 3), 0.2) + 0.4 * np.eye(3)[np.clip(truth + rng.integers(-1, 2, 300), 0, 2)]
    >>> fit(truth, proba, "cohen_kappa").thresholds.round(2)
    array([1.8, 2.2])
    """
    if np.ndim(y_true) == 2:
        raise ArgumentTypeError(
            "{y_true} has two dimensions", argument="y_true", remedy="the truth comes first: fit({y_true}, {proba}, {metric})"
        )
    rows = forecast(y_true, proba, labels=labels, sample_weight=sample_weight)
    scale, shares = rows.scale, _checked_prior(prior, rows.scale.K)
    values = shifted(rows.probabilities, shares)
    counted = np.bincount(rows.true, rows.weights, minlength=scale.K)
    linear = cost_decision(metric, scale, counted if class_counts is None else checked_counts(class_counts, scale), shares)
    if linear is not None:
        return linear
    found = _metric(metric)
    ranks = ranks_on_grid(values, rows.grid)
    thresholds, score = _search(ranks, rows.true, rows.sample_weight, found, scale)
    return Decision(scale, str(found), None, thresholds, shares, score)


# Linear metrics


def least_cost(proba: Array, costs: Array, grid: float = GRID) -> Array:
    """Codes of the answers with the least expected cost, the lowest among equals: costs within a step of the grid are equal."""
    expected = np.zeros((len(proba), len(costs)))
    for true, column in enumerate(proba.T):
        expected += column.astype(float)[:, None] * costs[true]
    near = expected.min(1, keepdims=True) + max(1e-300, float(np.abs(costs).max())) / grid
    codes: Array = (expected <= near).argmax(1)
    return codes


def cost_decision(metric: Target, scale: Scale, class_counts: Array, prior: tuple[Array, Array] | None = None) -> Decision | None:
    """The decision by least expected cost, for a matrix of costs or a metric; None if the metric is not linear in the counts."""
    if _is_matrix(metric):
        costs = np.asarray(metric, float)
        if costs.shape != (scale.K, scale.K) or not np.isfinite(costs).all():
            raise ArgumentError(
                "a matrix of costs for {k} classes is {k} by {k} finite numbers, rows the truth",
                argument="metric",
                values={"k": scale.K},
            )
        return Decision(scale, "costs", costs, None, prior)
    found = _metric(metric)
    if not found.needs_only_counts:
        raise ArgumentError(
            "{name} needs {needs}, but a decision is scored by the class it takes",
            argument="metric",
            values={"name": found, "needs": " and ".join(sorted(found.needs))},
        )
    if not isinstance(found.direction, str):
        raise ArgumentError(
            "{name} has a target, not a direction, so no answer is best for it", argument="metric", values={"name": found}
        )
    of_metric = _linear_costs(found, class_counts, scale)
    return None if of_metric is None else Decision(scale, str(found), of_metric, None, prior)


def _metric(metric: Target) -> Metric:
    return get_metric(metric)  # type: ignore[arg-type]  # a matrix was dealt with


def _is_matrix(metric: Target) -> bool:
    return not isinstance(metric, (str, Metric)) and not callable(metric) and np.ndim(metric) == 2


def _linear_costs(metric: Metric, class_counts: Array, scale: Scale) -> Array | None:
    """What one row of truth t costs when it is answered p, as the metric itself says; None if the metric is no sum of costs.

    All rows are right at first; then rows of one class are moved to one answer.  Random tables with the same true classes tell whether
    the costs found so add up to the metric.
    """
    k, sign = scale.K, -1.0 if metric.direction == "higher" else 1.0
    right = np.diag(np.asarray(class_counts, float))
    try:
        bound = metric.bind(Counts.from_matrix(right, labels=scale))
    except ValueError:
        if "whole counts" in metric.needs:
            return None  # defined for whole numbers only, and none of those is linear
        raise
    rows, best = np.diag(right), float(bound(right))
    tables = np.random.default_rng(0).dirichlet(np.full(k, 0.5), (TABLES, k)) * rows[:, None]
    with np.errstate(all="ignore"):
        scores = bound(tables)
        halfway = np.abs(bound((tables[1:] + tables[:-1]) / 2) - (scores[1:] + scores[:-1]) / 2)
        if not np.isfinite(best) or not (halfway <= LINEAR * max(1e-300, float(np.abs(scores).max()))).all():
            return None  # known at once, however many classes there are
        costs = np.zeros((k, k))
        true, answer = (codes.ravel() for codes in np.meshgrid(np.flatnonzero(rows > 0), np.arange(k), indexing="ij"))
        step = max(1, CELLS // (k * k))
        chunks = (slice(i, min(i + step, len(true))) for i in range(0, len(true), step))
        for part in shown(chunks, len(true), f"costs of {metric}"):
            t, p = true[part], answer[part]
            moved, each = np.repeat(right[None], len(t), 0), np.arange(len(t))
            moved[each, t, t] -= rows[t] / 2
            moved[each, t, p] += rows[t] / 2
            costs[t, p] = sign * (bound(moved) - best) / (rows[t] / 2)
    away = np.abs(sign * scores - sign * best - (tables * costs).sum((1, 2)))
    largest = max(1e-300, float(np.abs(costs * rows[:, None]).max()))
    return costs if bool((away <= LINEAR * largest).all()) else None


# Other metrics


def _search(ranks: Array, true: Array, weights: Array | None, metric: Metric, scale: Scale) -> tuple[Array, float]:
    """Thresholds of the mean rank with the best score found, and that score; nan if it is undefined wherever they stand."""
    k = scale.K
    order = np.argsort(ranks, kind="stable")
    ordered = ranks[order]
    ends = np.flatnonzero(np.r_[ordered[1:] != ordered[:-1], True]) + 1  # thresholds stand between different mean ranks
    member = (true[order, None] == np.arange(k)) * (1 if weights is None else weights[order, None])
    below = np.concatenate(
        [np.zeros((1, k), member.dtype), np.cumsum(member, 0)[ends - 1]]
    )  # (positions, K): rows below, by class
    table = np.diff(below[[0, -1]], axis=0)[0]
    bound = metric.bind(Counts.from_matrix(np.diag(table), labels=scale))
    sign = 1.0 if metric.direction == "higher" else -1.0

    def score(positions: Array) -> Array:
        """Scores (b,) of thresholds at positions (b, K - 1)."""
        cuts = below[np.pad(positions, ((0, 0), (1, 1)), constant_values=((0, 0), (0, len(below) - 1)))]
        with np.errstate(all="ignore"):
            found = sign * bound(np.moveaxis(np.diff(cuts, axis=1), 1, -1))
        return np.where(np.isnan(found), -np.inf, found)

    best, best_score = None, -np.inf
    for start in _starts(ordered[ends - 1], below, k):
        positions, value = _climb(start, score, len(below))
        if best is None or value > best_score:
            best, best_score = positions, value
    assert best is not None
    distinct = ordered[ends - 1]
    gaps = np.concatenate([[distinct[0] - 1], (distinct[1:] + distinct[:-1]) / 2, [distinct[-1] + 1]])
    return gaps[best], sign * best_score if np.isfinite(best_score) else math.nan


def _starts(distinct: Array, below: Array, k: int) -> Iterator[Array]:
    """Halfway between the ranks, where the answers are as common as the classes, and at random, always the same."""
    yield np.searchsorted(distinct, np.arange(1.5, k), side="right")
    total = below.sum(1)
    yield np.searchsorted(total, np.cumsum(below[-1])[:-1])
    yield from np.sort(np.random.default_rng(0).integers(0, len(below), (STARTS, k - 1)), 1)


def _climb(positions: Array, score: Any, size: int) -> tuple[Array, float]:
    """Move one threshold at a time to where the score is best, until none moves: first in steps, then in the neighbourhood."""
    positions, value = positions.copy(), float(score(positions[None])[0])
    for _ in range(SWEEPS):
        before = value
        for cut in range(len(positions)):
            low = positions[cut - 1] if cut else 0
            high = positions[cut + 1] if cut + 1 < len(positions) else size - 1
            step = max(1, (high - low) // CANDIDATES)
            candidates = np.unique(np.r_[np.arange(low, high + 1, step), high, positions[cut]])
            while True:
                tried = np.repeat(positions[None], len(candidates), 0)
                tried[:, cut] = candidates
                found = score(tried)
                if found.max() > value + 1e-15:
                    positions, value = tried[found.argmax()], float(found.max())
                if step == 1:
                    break
                around = positions[cut]
                candidates = np.arange(max(low, around - step), min(high, around + step) + 1)
                step = 1
        if value <= before:
            break
    return positions, value


# Input


def shifted(values: Array, prior: tuple[Array, Array] | None) -> Array:
    """Probabilities for a place where the classes are as common as `used` says, from those of a model trained where they were `trained`."""
    if prior is None:
        return values
    trained, used = prior
    moved = np.asarray(values, float) * (used / trained)
    total = np.zeros((len(moved), 1))
    for column in moved.T:
        total[:, 0] += column
    if not (total > 0).all():
        row = int(np.argmin(total[:, 0]))
        raise ArgumentError(
            "{proba}: in row {row} every class that is possible has the new share 0; {prior} leaves nothing to choose from",
            argument="prior",
            values={"row": row},
        )
    shares: Array = moved / total
    return shares


def _probabilities(proba: Any, scale: Scale | None) -> Array:
    values = read_probabilities(proba, scale)
    if values.ndim != 2:
        raise ArgumentError("{proba} has one dimension; a decision needs a probability for every class", argument="proba")
    return check_rows(values)


def _scale_of_columns(proba: Any, k: int) -> Scale:
    if hasattr(proba, "columns") and any(isinstance(name, str) for name in proba.columns):
        raise ArgumentError(
            "the columns of {proba} are called {names}",
            argument="labels",
            remedy="give their order, lowest first: {labels:[...]}",
            values={"names": ", ".join(map(str, list(proba.columns)[:8]))},
        )
    return Scale(range(k))


def _checked_prior(prior: Prior, k: int) -> tuple[Array, Array] | None:
    if prior is None:
        return None
    try:
        trained, used = (np.asarray(shares, float) for shares in prior)
    except (TypeError, ValueError):
        raise ArgumentTypeError(
            "{prior} must be a pair: the class shares where the model was trained, and those where it is used", argument="prior"
        ) from None
    for shares, least in ((trained, "above 0"), (used, "not negative")):
        enough = (shares > 0).all() if least == "above 0" else (shares >= 0).all()
        if shares.shape != (k,) or not np.isfinite(shares).all() or not enough or not shares.sum() > 0:
            raise ArgumentError(
                "{prior} must hold two lists of {k} shares: those of the training above 0, the others not negative",
                argument="prior",
                values={"k": k},
            )
    return trained / trained.sum(), used / used.sum()


def checked_counts(class_counts: ClassCounts, scale: Scale) -> Array:
    """A count for each class, from a list in their order or by label."""
    if isinstance(class_counts, dict):
        class_counts = [class_counts.get(label, 0) for label in scale.labels]
    counted = np.asarray(class_counts, float)
    if counted.shape != (scale.K,) or not np.isfinite(counted).all() or (counted < 0).any() or not counted.sum() > 0:
        raise ArgumentError(
            "{class_counts} must hold a count for each of the {k} classes ({classes}), not negative and not all 0",
            argument="class_counts",
            values={"k": scale.K, "classes": scale},
        )
    return counted
