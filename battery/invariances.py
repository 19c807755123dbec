"""What scikit-learn asks of every metric of its own, asked of ours: format, order, weights, one row, no row, NaN, mixed types."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from battery.plants import replaced
from battery.rows import Check, Plant, Row, Scope, in_parallel, timed


def invariances(scope: Scope) -> Row:
    from tables import variants

    from ordeval import get_metric

    few = [get_metric(text) for text in ("mae", "cohen_kappa")]
    chosen = scope.choose(variants(), [metric for metric in variants() if metric.params == metric.defaults], few)
    with timed() as clock:
        found = in_parallel(_invariances, [(str(metric), scope.seed) for metric in chosen], "invariances")
    return Row(
        "invariances",
        f"scikit-learn's common invariances, {len(INVARIANCES)} of them for every metric",
        len(chosen) * len(INVARIANCES),
        [w for words in found for w in words],
        clock.seconds,
        f"{len(chosen)} metrics and variants",
    )


def _invariances(task: tuple[str, int]) -> list[str]:
    from ordeval import get_metric

    text, seed = task
    metric, wrong = get_metric(text), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, check in INVARIANCES.items():
            try:
                kept = check(_Sample(metric, seed))
            except Exception as error:
                kept, name = False, f"{name} ({type(error).__name__}: {error})"
            if kept is False:
                wrong.append(f"{text}: {name}")
    return wrong


class _Sample:
    """A hundred rows of four classes for a metric, and its score of them."""

    def __init__(self, metric: Any, seed: int) -> None:
        from tables import scale_of

        rng = np.random.default_rng([seed, 11])
        self.seed = seed
        self.metric, self.scale = metric, scale_of(metric, 4)
        self.t = np.concatenate([np.arange(4), rng.integers(0, 4, 96)])
        self.p = np.clip(self.t + rng.integers(-1, 2, 100), 0, 3)
        names = np.array(self.scale.labels)
        self.true, self.pred = names[self.t], names[self.p]
        self.score = self(self.true, self.pred)

    def __call__(self, true: Any, pred: Any, **options: Any) -> float:
        return float(self.metric(true, pred, labels=self.scale, **options))

    def equal(self, *args: Any, **options: Any) -> bool:
        return self(*args, **options) == self.score

    @property
    def whole(self) -> bool:
        return "whole counts" in self.metric.needs


def _refused(error: type[Exception] | tuple[type[Exception], ...], call: Callable[[], Any]) -> bool:
    try:
        call()
    except error:
        return True
    return False


def _formats(s: _Sample) -> bool:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    makers: list[Callable[[Any], Any]] = [
        list,
        tuple,
        np.array,
        lambda x: np.array(x, object),
        pd.Series,
        pl.Series,
        pa.array,
        pd.Index,
        iter,
    ]
    return all(s.equal(make(s.true.tolist()), make(s.pred.tolist())) for make in makers)


def _mixed_formats(s: _Sample) -> bool:
    import pandas as pd

    return s.equal(list(s.true), pd.Series(s.pred, index=range(900, 1000))) and s.equal(pd.Series(s.true), s.pred)


def _order(s: _Sample) -> bool:
    """Twenty orders, each of which begins with another row."""
    order = np.random.default_rng([s.seed, 0]).permutation(100)
    return all(s.equal(s.true[turned], s.pred[turned]) for turned in (np.roll(order, 5 * i) for i in range(20)))


def _unweighted(s: _Sample) -> bool:
    return s.equal(s.true, s.pred, sample_weight=np.ones(100)) and s.equal(s.true, s.pred, sample_weight=[1] * 100)


def _repeated(s: _Sample) -> bool:
    weights = np.random.default_rng([s.seed, 1]).integers(1, 5, 100)
    return s(s.true, s.pred, sample_weight=weights) == s(s.true.repeat(weights), s.pred.repeat(weights))


def _scaled(s: _Sample) -> bool:
    if s.whole:
        return _refused(ValueError, lambda: s(s.true, s.pred, sample_weight=np.full(100, 0.37)))
    if "replication" not in s.metric.laws:
        return True
    weights = np.random.default_rng([s.seed, 2]).random(100)
    return math.isclose(
        s(s.true, s.pred, sample_weight=weights), s(s.true, s.pred, sample_weight=weights * 123.4), rel_tol=1e-11, abs_tol=1e-12
    )


def _zero_weight(s: _Sample) -> bool:
    weights = np.ones(100)
    weights[::3] = 0
    return s(s.true, s.pred, sample_weight=weights) == s(s.true[weights > 0], s.pred[weights > 0])


def _one_row(s: _Sample) -> bool:
    return all(isinstance(s(s.true[i : i + 1], s.pred[i : i + 1]), float) for i in range(10))


def _empty(s: _Sample) -> bool:
    return _refused(ValueError, lambda: s([], [])) and _refused(ValueError, lambda: s(s.true[:0], s.pred[:0]))


def _lengths(s: _Sample) -> bool:
    return _refused(ValueError, lambda: s(s.true, s.pred[:-1])) and _refused(
        ValueError, lambda: s(s.true, s.pred, sample_weight=np.ones(99))
    )


def _dimensions(s: _Sample) -> bool:
    return _refused((ValueError, TypeError), lambda: s(s.true.reshape(-1, 1), s.pred)) and _refused(
        (ValueError, TypeError), lambda: s(s.true.reshape(10, 10), s.pred.reshape(10, 10))
    )


def _not_a_number(s: _Sample) -> bool:
    wrong = s.true.astype(object).copy()
    wrong[5] = math.nan
    gone = s.pred.astype(object).copy()
    gone[7] = None
    return (
        _refused(ValueError, lambda: s(wrong, s.pred))
        and _refused(ValueError, lambda: s(s.true, gone))
        and _refused(ValueError, lambda: s(gone, s.pred))
    )


def _infinite(s: _Sample) -> bool:
    numbers = np.array([0.0, math.inf, 2.0])
    return _refused(
        ValueError,
        lambda: s.metric(numbers, numbers, labels=[0, 1, 2]) if s.scale.edges is None else s.metric(["x"], ["x"], labels=s.scale),
    )


def _mixed_types(s: _Sample) -> bool:
    mixed = s.true.astype(object).copy()
    mixed[3] = b"bytes"
    odd = list(s.true)
    odd[4] = 1j
    return _refused(TypeError, lambda: s(mixed, s.pred)) and _refused(TypeError, lambda: s(odd, s.pred))


def _outside(s: _Sample) -> bool:
    return _refused((ValueError, TypeError), lambda: s([*s.true, "no such class"], [*s.pred, "no such class"])) and _refused(
        (ValueError, TypeError), lambda: s(s.true, ["?"] * 100)
    )


def _weights(s: _Sample) -> bool:
    bad = [np.full(100, -1.0), np.full(100, math.nan), np.full(100, math.inf), np.zeros(100), ["1"] * 100, np.ones((100, 1))]
    return all(_refused((ValueError, TypeError), lambda w=w: s(s.true, s.pred, sample_weight=w)) for w in bad)


def _inputs_untouched(s: _Sample) -> bool:
    true, pred, weights = s.true.copy(), s.pred.copy(), np.ones(100)
    for array in (true, pred, weights):
        array.flags.writeable = False
    return s.equal(true, pred, sample_weight=weights)


def _strided(s: _Sample) -> bool:
    both = np.stack([s.true, s.pred], 1)
    return s.equal(both[:, 0], both[:, 1]) and s.equal(s.true[::-1][::-1], s.pred[::-1][::-1])


def _renamed(s: _Sample) -> bool:
    from ordeval import Scale

    names = ["w", "a", "z", "m"]
    scale = Scale(names) if s.scale.edges is None else Scale.from_edges(s.scale.edges, names=names)
    words = np.array(names)
    return float(s.metric(words[s.t], words[s.p], labels=scale)) == s.score


def _integers_and_floats(s: _Sample) -> bool:
    if s.scale.edges is not None:
        inside = [(a + min(b, a + 2)) / 2 for a, b in zip(s.scale.edges[:-1], s.scale.edges[1:], strict=True)]
        return s.equal(np.array(inside)[s.t], np.array(inside)[s.p])
    kinds = ("i1", "u1", "i8", "f4", "f8")
    return all(s.equal(s.t.astype(kind), s.p.astype(kind)) for kind in kinds)


def _counted(s: _Sample) -> bool:
    from ordeval import count

    counts = count(s.true, s.pred, labels=s.scale)
    stack = np.stack([counts.matrix] * 3)
    return float(s.metric(counts)) == s.score and np.allclose(
        s.metric.bind(counts)(stack), s.score, rtol=1e-14, atol=0, equal_nan=True
    )


def _symmetry(s: _Sample) -> bool:
    exchanged = s(s.pred, s.true)
    return "transpose" not in s.metric.laws or math.isclose(exchanged, s.score, rel_tol=1e-12, abs_tol=1e-12)


def _returns_a_float(s: _Sample) -> bool:
    return type(s.metric(s.true, s.pred, labels=s.scale)) is float


def _pickled(s: _Sample) -> bool:
    from ordeval import get_metric

    same = [pickle.loads(pickle.dumps(s.metric)), copy.deepcopy(s.metric), get_metric(str(s.metric))]
    return all(other == s.metric and float(other(s.true, s.pred, labels=s.scale)) == s.score for other in same)


def _twice(s: _Sample) -> bool:
    return s.equal(s.true, s.pred) and s.equal(s.true.copy(), s.pred.copy())


INVARIANCES: dict[str, Callable[[_Sample], Any]] = {
    "lists, tuples, arrays, columns of frames and iterators score the same": _formats,
    "truth and prediction may come in different formats, and an index does not matter": _mixed_formats,
    "the order of rows does not matter": _order,
    "no weights are weights of one": _unweighted,
    "a weight is as many rows": _repeated,
    "all weights times a number change nothing, or fractions are refused": _scaled,
    "a weight of zero is a row that is not there": _zero_weight,
    "one row has a score or none, never an error": _one_row,
    "no rows are refused": _empty,
    "different lengths are refused": _lengths,
    "two dimensions are refused": _dimensions,
    "NaN and None are refused": _not_a_number,
    "infinity is refused": _infinite,
    "labels of different types in one column are refused": _mixed_types,
    "an unknown class is refused": _outside,
    "weights that are negative, infinite, text or all zero are refused": _weights,
    "inputs are read only": _inputs_untouched,
    "views of arrays score as copies do": _strided,
    "other names for the classes change nothing": _renamed,
    "integers and floats of every width score the same": _integers_and_floats,
    "counts and stacks score as labels do": _counted,
    "truth and prediction can be exchanged where that is claimed": _symmetry,
    "the score is a Python float": _returns_a_float,
    "a metric survives pickling, copying and its own text": _pickled,
    "the second call gives what the first gave": _twice,
}


# Bad metrics


def _called(change: Callable[[Callable[..., float]], Callable[..., float]]) -> Plant:
    return replaced("ordeval.metrics.core.record:Metric", "__call__", change)


def _looks_at_the_first_row(good: Callable[..., float]) -> Callable[..., float]:
    def bad(self: Any, true: Any, pred: Any = None, **options: Any) -> float:
        found = good(self, true, pred, **options)
        return found + 1e-6 * float(str(true[0]) == str(pred[0])) if isinstance(true, np.ndarray) and true.size else found

    return bad


def _refuses_iterators(good: Callable[..., float]) -> Callable[..., float]:
    def bad(self: Any, true: Any, *rest: Any, **options: Any) -> float:
        if hasattr(true, "__next__"):
            raise TypeError("an iterator has no length")
        return good(self, true, *rest, **options)

    return bad


def _takes_any_weight(good: Callable[..., float]) -> Callable[..., float]:
    def bad(self: Any, *rows: Any, sample_weight: Any = None, **options: Any) -> float:
        given = None if sample_weight is None else np.abs(np.nan_to_num(np.asarray(sample_weight, float)))
        return good(self, *rows, sample_weight=given, **options)

    return bad


CHECKS = (
    Check(
        "invariances.invariances",
        invariances,
        {
            "a metric that looks at the first row": _called(_looks_at_the_first_row),
            "a metric that ignores weights": _called(
                lambda good: lambda self, *rows, sample_weight=None, **options: good(self, *rows, **options)
            ),
            "a metric that refuses iterators": _called(_refuses_iterators),
            "a metric that takes any weight": _called(_takes_any_weight),
            "a score of numpy's": _called(lambda good: lambda self, *rows, **options: np.float64(good(self, *rows, **options))),
        },
    ),
)
