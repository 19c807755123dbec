"""A metric under judgement: the scores of whole stacks of tables, whatever it is and however it behaves."""

from __future__ import annotations

import inspect
import math
import numbers
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.counts import Counts
from ordeval.laws._small_tables import Stack, tables
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.stacks import groups
from ordeval.order.scale import Scale

Edges = tuple[float, ...]
TOGETHER = 50_000  # tables at most that a kernel gets at once, so that memory stays small
NAMES = ("zero", "Ärger", "mid", "5", "<b>", "last")


@dataclass(frozen=True)
class TableStack:
    """A stack of tables on one scale, and the form in which the metric gets them."""

    tables: Stack
    edges: Edges | None = None
    form: str = "table"  #: or "rows", "weighted" (cells with their counts as weights), "renamed" (rows under other names)


def rows_of(table: Stack) -> tuple[list[int], list[int]]:
    """The classes 0..K-1 behind a table, row by row."""
    cells = np.argwhere(table).repeat(table[table > 0], axis=0)
    return cells[:, 0].tolist(), cells[:, 1].tolist()


def edges_of(metric: Metric, k: int) -> Edges | None:
    """For a metric of intervals those of length 1, 2, 3, …, the last one open where the metric can take it."""
    if "edges" not in metric.needs:
        return None
    edges = [step * (step + 1) / 2 for step in range(k + 1)]
    if metric.params.get("unbounded") is not None:
        edges[-1] = math.inf
    return tuple(edges)


@lru_cache
def scale_of(k: int, edges: Edges | None, names: tuple[str, ...] | None = None) -> Scale:
    if edges is not None:
        return Scale.from_edges(edges, names=names)
    return Scale(range(k)) if names is None else Scale(names)


class ScoredMetric:
    """What the laws need to know of a metric, and its scores.  Whatever it raises or returns is recorded, not passed on."""

    text: str
    direction: str | float
    metric: Metric | None = None

    def __init__(self) -> None:
        self.messages: dict[str, int] = {}  # what went wrong, and how often
        self._known: dict[int, tuple[Array, Array, Array, Array]] = {}
        self._within: tuple[int, int] = (0, 0)

    # What is known of it

    def bounds(self, k: int) -> tuple[float, float] | None:
        raise NotImplementedError

    def best(self, k: int) -> float | None:
        """The best score there can be, if it is known."""
        if not isinstance(self.direction, str):
            return float(self.direction)
        bounds = self.bounds(k)
        return None if bounds is None else bounds[self.direction == "higher"]

    def worst(self, k: int) -> float | None:
        bounds = self.bounds(k)
        return None if bounds is None or not isinstance(self.direction, str) else bounds[self.direction != "higher"]

    def good(self, scores: Array) -> Array:
        """The scores turned so that more is better."""
        if self.direction == "higher":
            return scores
        return -scores if self.direction == "lower" else -np.abs(scores - float(self.direction))

    def edges(self, k: int) -> Edges | None:
        return None

    def takes(self, form: str) -> bool:
        """Whether it can be given rows in this form."""
        return True

    # Its scores

    def scored(self, side: TableStack) -> tuple[Array, Array]:
        """The score of every table, nan where it is undefined, and where there is none because the metric failed."""
        k = side.tables.shape[-1]
        on_its_scale = side.form == "table" and k <= self._within[0] and side.edges == self.edges(k)
        if on_its_scale and len(side.tables) and np.einsum("bij->b", side.tables).max() <= self._within[1]:
            return self._looked_up(side.tables)
        return self.fresh(side)

    def remember(self, k: int, n: int) -> None:
        """Score every table of up to K classes and N rows once, when first asked for; later they are looked up."""
        self._within = (k, n)

    def _looked_up(self, stack: Stack) -> tuple[Array, Array]:
        k = stack.shape[-1]
        if k not in self._known:
            every = np.concatenate([tables(k, n) for n in range(1, self._within[1] + 1)])
            keys = _keys(every)
            order = keys.argsort()
            keys = keys[order]
            if (keys[1:] == keys[:-1]).any():
                raise AssertionError("two tables have one key; choose other weights")
            self._known[k] = (keys, order, *self.fresh(TableStack(every, self.edges(k))))
        keys, order, values, failed = self._known[k]
        at = order[np.searchsorted(keys, _keys(stack))]
        return values[at], failed[at]

    def fresh(self, side: TableStack) -> tuple[Array, Array]:
        """The same, computed now."""
        raise NotImplementedError

    def failure(self, message: str, number: int = 1) -> None:
        self.messages[message] = self.messages.get(message, 0) + number


def _keys(stack: Stack) -> Array:
    """One number per table.  That no two tables within the bounds share one is checked where they are remembered."""
    k = stack.shape[-1]
    weights = np.random.default_rng(k).integers(1, 2**63, k * k, dtype=np.uint64)
    keys: Array = stack.reshape(len(stack), -1).astype(np.uint64) @ weights  # modulo 2⁶⁴
    return keys


class ScoredRecord(ScoredMetric):
    """A registered metric.  Tables that share what binding depends on are scored together."""

    def __init__(self, metric: Metric) -> None:
        super().__init__()
        self.metric: Metric = metric
        self.text, self.direction = str(metric), metric.direction

    def bounds(self, k: int) -> tuple[float, float] | None:
        return self.metric.bounds_for(k)

    def edges(self, k: int) -> Edges | None:
        return edges_of(self.metric, k)

    def fresh(self, side: TableStack) -> tuple[Array, Array]:
        if side.form != "table":
            return self._one_by_one(side)
        stack = np.asarray(side.tables)
        values, failed = np.full(len(stack), np.nan), np.zeros(len(stack), bool)
        k = stack.shape[-1]
        scale = scale_of(k, side.edges)
        for group in self._groups(stack):
            try:
                counts = Counts.from_matrix(stack[group[0]], labels=scale)
                found = np.asarray(self.metric.bind(counts)(stack[group]), float)
                if found.shape != group.shape:
                    raise TypeError(f"the kernel made {found.shape} of a stack of {group.size} tables")
                values[group] = found
            except Exception as error:  # whatever it is, it is the metric's, and is told beside the law
                failed[group] = True
                self.failure(f"raised {type(error).__name__}: {error}", group.size)
        return values, failed

    def _groups(self, stack: Stack) -> list[Array]:
        """Tables that may be bound together, few enough for a kernel to get at once."""
        found = groups(self.metric, stack)
        return [group[start : start + TOGETHER] for group in found for start in range(0, len(group), TOGETHER)]

    def _one_by_one(self, side: TableStack) -> tuple[Array, Array]:
        values, failed = np.full(len(side.tables), np.nan), np.zeros(len(side.tables), bool)
        k = side.tables.shape[-1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for i, table in enumerate(side.tables):
                try:
                    if side.form == "weighted":
                        scale = scale_of(k, side.edges)
                        cells = np.argwhere(table)
                        true, pred = (scale.decode(codes) for codes in cells.T)
                        values[i] = self.metric(true, pred, labels=scale, sample_weight=table[table > 0])
                    else:
                        scale = scale_of(k, side.edges, NAMES[:k] if side.form == "renamed" else None)
                        true, pred = (scale.decode(codes) for codes in rows_of(table))
                        values[i] = self.metric(true, pred, labels=scale)
                except Exception as error:
                    failed[i] = True
                    self.failure(f"raised {type(error).__name__}: {error}")
        return values, failed


class ScoredFunction(ScoredMetric):
    """Any f(y_true, y_pred), which gets the classes 1..K row by row, or any f(table), which gets the K×K table, rows the truth."""

    def __init__(self, function: Callable[..., Any], direction: str | float, bounds: tuple[float, float] | None) -> None:
        super().__init__()
        self.function, self.direction, self._bounds = function, direction, bounds
        self.text = getattr(function, "__name__", type(function).__name__)
        self._scores: dict[Any, tuple[float, bool]] = {}
        try:
            parameters = inspect.signature(function).parameters.values()
        except ValueError:
            raise ArgumentError(
                "{name} does not say what arguments it takes",
                argument="metric",
                remedy="wrap it: lambda y_true, y_pred: {name}(y_true, y_pred)",
                values={"name": self.text},
            ) from None
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        needed = [p for p in parameters if p.kind in positional and p.default is inspect.Parameter.empty]
        self._of_a_table = len(needed) == 1
        self._options = {p.name for p in parameters} & {"labels", "sample_weight"} if not self._of_a_table else set()

    def bounds(self, k: int) -> tuple[float, float] | None:
        return self._bounds

    def takes(self, form: str) -> bool:
        if form == "weighted":
            return "sample_weight" in self._options
        return form != "renamed" or not self._of_a_table

    def scored(self, side: TableStack) -> tuple[Array, Array]:
        return self.fresh(side)  # asked for no table that no law needs: a call may take long

    def fresh(self, side: TableStack) -> tuple[Array, Array]:
        found = [self._score(table, side.form, again=False) for table in side.tables]
        return np.array([value for value, _ in found], float), np.array([failed for _, failed in found], bool)

    def again(self, side: TableStack) -> Array:
        """The scores, computed anew."""
        return np.array([self._score(table, side.form, again=True)[0] for table in side.tables], float)

    def _score(self, table: Stack, form: str, *, again: bool) -> tuple[float, bool]:
        key = (table.astype(np.int64).tobytes(), form)
        if again or key not in self._scores:
            found = self._called(table, form)
            if again:
                return found
            self._scores[key] = found
        return self._scores[key]

    def _called(self, table: Stack, form: str) -> tuple[float, bool]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _as_number(self.function(*self._arguments(table, form), **self._keywords(table, form))), False
        except Exception as error:
            text = str(error) if isinstance(error, _NotANumberError) else f"raised {type(error).__name__}: {error}"
            self.failure(text)
            return math.nan, True

    def _arguments(self, table: Stack, form: str) -> tuple[Any, ...]:
        if self._of_a_table:
            return (table.copy(),)
        if form == "weighted":
            cells = np.argwhere(table)
            return cells[:, 0] + 1, cells[:, 1] + 1
        true, pred = (np.array(codes, int) + 1 for codes in rows_of(table))
        return (_renamed(true), _renamed(pred)) if form == "renamed" else (true, pred)

    def _keywords(self, table: Stack, form: str) -> dict[str, Any]:
        given: dict[str, Any] = {}
        if "labels" in self._options:
            classes = np.arange(1, len(table) + 1)
            given["labels"] = (_renamed(classes) if form == "renamed" else classes).tolist()
        if form == "weighted":
            given["sample_weight"] = table[table > 0]
        return given


def _renamed(classes: Array) -> Array:
    """Other numbers in the same order: the CEM paper's 10 x + x²."""
    return np.asarray(10 * classes + classes**2)


class _NotANumberError(TypeError):
    """What came back is no number."""


def _as_number(found: Any) -> float:
    if isinstance(found, np.ndarray) and found.ndim == 0:
        found = found.item()
    if not isinstance(found, numbers.Real):
        raise _NotANumberError(f"returned a {type(found).__name__}, not a number")
    return float(found)


def judged(
    metric: str | Metric | Callable[..., Any],
    *,
    direction: str | float | None = None,
    bounds: tuple[float, float] | None = None,
) -> ScoredRecord | ScoredFunction:
    """A Metric, its name, its public function, or any function of (y_true, y_pred) or of a table."""
    if callable(metric) and not isinstance(metric, Metric):
        try:
            metric = get_metric(metric)
        except ValueError:
            return ScoredFunction(metric, _checked_direction(direction), _checked_bounds(bounds))
    if direction is not None or bounds is not None:
        raise ArgumentTypeError(
            "{direction} and {bounds} are for functions; a registered metric has its own",
            argument="direction" if bounds is None else "bounds",
        )
    found = get_metric(metric)
    if not found.needs_only_counts:
        raise ArgumentError(
            "{name} needs {needs}, but the laws are about tables of hard labels",
            argument="metric",
            values={"name": found, "needs": " and ".join(sorted(found.needs))},
        )
    return ScoredRecord(found)


def _checked_direction(direction: str | float | None) -> str | float:
    if direction is None:
        return "higher"
    target = isinstance(direction, (int, float)) and not isinstance(direction, bool) and math.isfinite(direction)
    if direction in ("higher", "lower") or target:
        return direction
    raise ArgumentError(
        "{direction:{given}} is unknown",
        argument="direction",
        remedy="it is 'higher', 'lower' or the target value",
        values={"given": repr(direction)},
    )


def _checked_bounds(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    if bounds is None:
        return None
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        low, high = math.nan, math.nan
    if not low <= high:
        raise ArgumentError(
            "{bounds:{given}} are not two numbers, the lower first",
            argument="bounds",
            remedy="give (low, high)",
            values={"given": repr(bounds)},
        )
    return low, high
