"""Populations for the study of intervals: drawn with a seed, by somebody who wants the intervals to miss.

A population is a table of probabilities (truth × prediction), a number of rows, and what its mode adds: a second model, kinds of
cluster, weights, groups, lengths of interval classes, or a latent scale for forecasts and prediction sets.  `truths` gives its own
scores, `intervals` what the library answers on one data set drawn from it.  Only public functions of the library are used.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import ordeval as oe

MODES = ("rows", "clusters", "mixed", "compare", "weights", "edges", "groups", "forecasts", "sets")
RESAMPLES = 999
LARGE = 400_000  # rows that stand for a population that has no table
MOST_FORECASTS = 300  # rows of a data set of forecasts: pairs of them take long
WHOLE = 10**9  # rows of a population that has one
Array = np.ndarray


def steps(k: int) -> Array:
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k)))


def by_row(weights: Array) -> Array:
    return weights / weights.sum(1, keepdims=True)


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


# How predictions err, P(prediction | truth)


def _rare_neighbours(k, rng):
    rate = np.array([log_uniform(rng, 0.002, 0.2) for _ in range(k)])[:, None]
    return (1 - rate) * np.eye(k) + rate * by_row(np.where(steps(k) == 1, rng.uniform(0.2, 1, (k, k)), 0))


def _laplace(k, rng):
    return by_row(np.exp(-steps(k) / rng.uniform(0.2, 1.5)))


def _gauss(k, rng):
    return by_row(np.exp(-(steps(k) ** 2) / (2 * rng.uniform(0.4, 1.6) ** 2)))


def _nearly_constant(k, rng):
    rate = log_uniform(rng, 0.02, 0.4)
    return (1 - rate) * np.eye(k)[rng.integers(k)] + rate * _laplace(k, rng)


def _to_one_side(k, rng):
    rate = rng.uniform(0.1, 0.9)
    return by_row((1 - rate) * np.eye(k) + rate * np.eye(k, k=int(rng.choice([-1, 1]))) + rng.uniform(0.001, 0.03))


def _reversed(k, rng):
    return _laplace(k, rng)[:, ::-1]


def _rare_far(k, rng):
    """Neighbours often, the far end seldom: a rare error of large weight beside many small ones."""
    near, far = log_uniform(rng, 0.003, 0.25), log_uniform(rng, 0.001, 0.05)
    return (1 - near - far) * np.eye(k) + near * by_row((steps(k) == 1) * 1.0) + far * np.eye(k)[np.argmax(steps(k), 1)]


def _two_steps(k, rng):
    rate = log_uniform(rng, 0.01, 0.4)
    target = [t + 2 if t + 2 < k else max(t - 2, 0) for t in range(k)]
    return (1 - rate) * np.eye(k) + rate * np.eye(k)[target]


def _guessing(k, rng):
    share = rng.uniform(0, 0.9)
    return share * np.eye(k) + (1 - share) * rng.dirichlet(np.full(k, 2.0))


def _one_bad_class(k, rng):
    found = by_row(np.exp(-steps(k) / rng.uniform(0.2, 0.6)))
    found[rng.integers(k)] = rng.dirichlet(np.ones(k))
    return found


def _ragged(k, rng):
    return np.stack([rng.dirichlet(np.where(np.arange(k) == t, rng.uniform(0.5, 20), 0.3)) for t in range(k)])


ERRORS: dict[str, Callable[[int, np.random.Generator], Array]] = {
    "rare neighbours": _rare_neighbours,
    "laplace": _laplace,
    "gauss": _gauss,
    "nearly constant": _nearly_constant,
    "to one side": _to_one_side,
    "reversed": _reversed,
    "rare far": _rare_far,
    "two steps": _two_steps,
    "guessing": _guessing,
    "one bad class": _one_bad_class,
    "ragged": _ragged,
}


def class_shares(k: int, rng: np.random.Generator) -> Array:
    """Even, U-shaped or its opposite, geometric, one rare class, or anything."""
    shape = rng.integers(5)
    found = np.ones(k)
    if shape == 1:
        found = (np.abs(np.arange(k) - (k - 1) / 2) + 0.3) ** rng.uniform(-1.5, 2)
    elif shape == 2:
        found = np.exp(-np.arange(k) * rng.uniform(0.3, 1.5))[:: int(rng.choice([-1, 1]))]
    elif shape == 3:
        found[rng.integers(k)] = k * log_uniform(rng, 0.005, 0.1)
    elif shape == 4:
        found = rng.dirichlet(np.full(k, rng.choice([0.5, 1, 4]))) + 0.003
    return found / found.sum()


@dataclass(frozen=True, eq=False)
class Population:
    """What data sets are drawn from."""

    mode: str
    kind: str  #: how predictions err
    rows: int  #: of a data set; clusters: their number
    table: Array  #: (K, K) probabilities
    extra: dict[str, Array] = field(default_factory=dict)  #: what the mode adds

    @property
    def k(self) -> int:
        return len(self.table)

    @property
    def rarest(self) -> float:
        """Rows of the rarest true class in a data set, on average."""
        rows = self.rows * float(self.extra["size"] @ self.extra["weight"]) if self.mode == "clusters" else self.rows
        return float(rows * self.table.sum(1).min())

    def as_dict(self) -> dict[str, Any]:
        extra = {name: np.round(np.asarray(value), 6).tolist() for name, value in self.extra.items()}
        return {**vars(self), "table": np.round(self.table, 6).tolist(), "extra": extra}


def from_dict(record: dict[str, Any]) -> Population:
    table = np.array(record["table"])
    extra = {name: np.array(value) for name, value in record["extra"].items()}
    for name in {"joint", "weight", "share"} & set(extra):  # they were rounded
        extra[name] = extra[name] / extra[name].sum()
    if "tables" in extra:
        extra["tables"] = extra["tables"] / extra["tables"].sum((1, 2), keepdims=True)
    return Population(record["mode"], record["kind"], record["rows"], table / table.sum(), extra)


def random_population(seed: Sequence[int], mode: str, most_classes: int = 8) -> Population:
    """The population of a seed; the same on every machine."""
    rng = np.random.default_rng(list(seed))
    k = int(rng.choice([k for k in (2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10) if k <= most_classes]))
    rows = round(log_uniform(rng, 15, 2_000))
    kind = str(rng.choice(list(ERRORS)))
    shares = class_shares(k, rng)
    found = Population(mode, kind, rows, shares[:, None] * ERRORS[kind](k, rng))
    return _EXTRA[mode](found, rng) if mode in _EXTRA else found


def _with_second(p: Population, rng: np.random.Generator) -> Population:
    """A second model: answers as the first on a share of the rows, and otherwise in a way of its own; or errs in the same way."""
    alike, same = rng.uniform(0, 0.95), rng.random() < 0.34
    first = by_row(p.table)
    second = first if same else ERRORS[str(rng.choice(list(ERRORS)))](p.k, rng)
    both = alike * first[:, :, None] * np.eye(p.k) + (1 - alike) * first[:, :, None] * second[:, None, :]
    return replace(p, rows=max(p.rows, 30), extra={"joint": p.table.sum(1)[:, None, None] * both})


def _with_clusters(p: Population, rng: np.random.Generator, *, mixed: bool = False) -> Population:
    """Sorts of cluster, each with its own table and mean size: few, many, uneven, near-perfect.

    The rows of all clusters are independent, or all those of a cluster are the same; mixed, those of some sorts only.
    """
    sorts, k = int(rng.integers(2, 5)), p.k
    tables = np.stack([class_shares(k, rng)[:, None] * ERRORS[str(rng.choice(list(ERRORS)))](k, rng) for _ in range(sorts)])
    if rng.random() < 0.5:  # mild: all clusters err alike, some more
        worse = rng.uniform(0, 1, sorts)[:, None, None]
        tables = p.table.sum(1)[:, None] * ((1 - worse) * np.eye(k) + worse * by_row(p.table))
    size = np.array([log_uniform(rng, 1, 30) for _ in range(sorts)])
    if rng.random() < 0.3:  # uneven: one sort is ten times as large
        size[0] *= 10
    number = int(rng.choice([8, 12, 20, 30, 60, 100]))
    weight = rng.dirichlet(np.full(sorts, 3.0))
    alike = np.full(sorts, rng.random() < 0.4)
    if mixed:
        alike = np.arange(sorts) % 2 == rng.integers(2)
    return _clustered(p.kind, number, tables, weight, np.minimum(size, 60), alike)


def _clustered(kind: str, number: int, tables: Array, weight: Array, size: Array, alike: Array) -> Population:
    tables = tables / tables.sum((1, 2), keepdims=True)
    whole = np.einsum("s,s,sij->ij", weight, size, tables)
    extra = {"tables": tables, "weight": weight, "size": size, "alike": np.where(alike, 1.0, 0.0)}
    return Population("clusters", kind, number, whole / whole.sum(), extra)


def _with_weights(p: Population, rng: np.random.Generator) -> Population:
    """Weights that have nothing to do with the row, or that undo a sampling which favoured some true classes."""
    spread = rng.uniform(0.2, 1.2)
    favour = np.exp(rng.normal(0, 0.8, p.k)) if rng.random() < 0.5 else np.ones(p.k)
    return replace(p, rows=max(p.rows, 30), extra={"spread": np.array(spread), "favour": favour})


def _with_edges(p: Population, rng: np.random.Generator) -> Population:
    return replace(p, extra={"edges": np.cumsum([0.0, *np.exp(rng.normal(0, 0.7, p.k))])})


def _with_groups(p: Population, rng: np.random.Generator) -> Population:
    """Two to five groups with shares of their own, some with other errors."""
    number = int(rng.integers(2, 6))
    tables = []
    for _ in range(number):
        other = ERRORS[str(rng.choice(list(ERRORS)))](p.k, rng) if rng.random() < 0.3 else by_row(p.table)
        tables.append(p.table.sum(1)[:, None] * other)
    share = rng.dirichlet(np.full(number, 3.0)) + 0.02
    return replace(p, rows=max(p.rows, 100), extra={"tables": np.stack(tables), "share": share / share.sum()})


def _with_forecasts(p: Population, rng: np.random.Generator) -> Population:
    """A latent position decides about class and forecast; the forecast is as it should be, too sure, too timid, shifted or noisy."""
    way = int(rng.integers(5))
    signal = rng.uniform(0.3, 3.5)
    heap = np.sort(rng.normal(0, math.hypot(signal, 1.8), 20_000))
    cuts = np.quantile(heap, np.clip(np.cumsum(p.table.sum(1))[:-1], 0.003, 0.997))
    cuts = cuts + 1e-3 * np.arange(len(cuts))
    amount = [0.0, rng.uniform(1.3, 3), rng.uniform(0.3, 0.8), rng.normal(0, 0.8), rng.uniform(0.2, 1)][way]
    kind = ("calibrated", "too sure", "too timid", "shifted", "noisy")[way]
    rows = int(np.clip(p.rows, 30, MOST_FORECASTS))
    return replace(p, kind=kind, rows=rows, extra={"cuts": cuts, "signal": np.array(signal), "amount": np.array(amount)})


def _with_sets(p: Population, rng: np.random.Generator) -> Population:
    found = _with_forecasts(p, rng)
    mass, spread = rng.uniform(0.3, 0.97), rng.uniform(0.3, 1.0) * (rng.random() < 0.5)
    return replace(found, extra={**found.extra, "mass": np.array(mass), "spread": np.array(spread)})


_EXTRA = {
    "compare": _with_second,
    "clusters": _with_clusters,
    "mixed": functools.partial(_with_clusters, mixed=True),
    "weights": _with_weights,
    "edges": _with_edges,
    "groups": _with_groups,
    "forecasts": _with_forecasts,
    "sets": _with_sets,
}


def _alike(p: Population) -> Array:
    """Of which sorts a cluster has the same row again and again; populations of earlier runs had none."""
    return np.asarray(p.extra.get("alike", np.zeros(len(p.extra["weight"])))) > 0


def neighbour(p: Population, rng: np.random.Generator) -> Population:
    """A population near this one, for the search for the worst."""
    if p.mode == "clusters":
        tables = p.extra["tables"] * np.exp(rng.normal(0, 0.4, p.extra["tables"].shape))
        size = np.minimum(p.extra["size"] * np.exp(rng.normal(0, 0.3, len(p.extra["size"]))), 60)
        return _clustered(p.kind, p.rows, tables, p.extra["weight"], size, _alike(p))
    rows = p.rows if rng.random() < 0.4 else int(np.clip(p.rows * math.exp(rng.normal(0, 0.35)), 15, 2_000))
    extra = dict(p.extra)
    for name in ("joint", "tables"):
        if name in extra:
            changed = extra[name] * np.exp(rng.normal(0, 0.35, extra[name].shape))
            extra[name] = changed / changed.sum() if name == "joint" else changed
    if "cuts" in extra:
        extra["cuts"] = np.sort(extra["cuts"] + rng.normal(0, 0.3, len(extra["cuts"]))) + 1e-3 * np.arange(len(extra["cuts"]))
        extra["signal"] = extra["signal"] * math.exp(rng.normal(0, 0.2))
    table = p.table * np.exp(rng.normal(0, 0.35, p.table.shape))
    if rng.random() < 0.4:
        table *= np.exp(rng.normal(0, 0.5, (p.k, 1)))
    if rng.random() < 0.4:
        table = np.where(np.eye(p.k) > 0, table, table * math.exp(rng.normal(0, 0.6)))
    least = {"compare": 30, "weights": 30, "forecasts": 30, "groups": 100}.get(p.mode, 15)
    most = MOST_FORECASTS if p.mode in ("forecasts", "sets") else 2_000
    return replace(p, rows=int(np.clip(rows, least, most)), table=table / table.sum(), extra=extra)


# Its own scores


def value_of(metric: str, table: Array, labels: Any = None) -> float:
    whole = np.round(table / table.sum() * WHOLE).astype(np.int64)
    return float(oe.get_metric(metric)(oe.Counts.from_matrix(whole, labels=range(len(table)) if labels is None else labels)))


def truths(p: Population, metrics: Sequence[str]) -> dict[str, Any]:
    """The scores of the population itself; of groups, one for each of them."""
    if p.mode == "compare":
        first, second = p.extra["joint"].sum(2), p.extra["joint"].sum(1)
        return {m: value_of(m, second) - value_of(m, first) for m in metrics}
    if p.mode == "groups":
        tables = p.extra["share"][:, None, None] * p.extra["tables"] / p.extra["tables"].sum((1, 2), keepdims=True)
        rest = tables.sum(0) - tables
        return {
            m: np.array([value_of(m, own) - value_of(m, other) for own, other in zip(tables, rest, strict=True)]) for m in metrics
        }
    if p.mode == "forecasts":
        true, proba = _forecast(p, np.random.default_rng(1), LARGE)
        rows = oe.forecast(true, proba, labels=range(p.k))
        return {m: float(oe.get_metric(m)(rows)) for m in metrics}
    if p.mode == "sets":
        true, low, high = _sets(p, np.random.default_rng(1), LARGE)
        return {m: float(getattr(oe, m)(true, (low, high), labels=range(p.k))) for m in metrics}
    return {m: value_of(m, p.table, _scale(p)) for m in metrics}


def _scale(p: Population) -> Any:
    return oe.Scale.from_edges(p.extra["edges"].tolist()) if p.mode == "edges" else range(p.k)


def _forecast(p: Population, rng: np.random.Generator, rows: int) -> tuple[Array, Array]:
    cuts, signal, amount = p.extra["cuts"], float(p.extra["signal"]), float(p.extra["amount"])
    position = signal * rng.normal(0, 1, rows)
    true = (position[:, None] + rng.logistic(0, 1, (rows, 1)) > cuts).sum(1)
    logit = cuts - position[:, None]
    if p.kind in ("too sure", "too timid"):
        logit = amount * logit
    elif p.kind == "shifted":
        logit = logit + amount
    proba = np.diff(1 / (1 + np.exp(-logit)), axis=1, prepend=0, append=1) + 1e-9
    if p.kind == "noisy":
        proba = proba * np.exp(rng.normal(0, amount, proba.shape))
    return true, by_row(proba)


def _sets(p: Population, rng: np.random.Generator, rows: int) -> tuple[Array, Array, Array]:
    """Sets from one quantile of the forecast to another."""
    true, proba = _forecast(p, rng, rows)
    cumulated, outside = np.cumsum(proba, 1), (1 - float(p.extra["mass"])) / 2
    low = np.minimum((cumulated < outside).sum(1), p.k - 1)
    return true, low, np.minimum((cumulated < 1 - outside).sum(1), p.k - 1)


# What the library answers on one data set


def intervals(p: Population, metrics: Sequence[str], rng: np.random.Generator, seed: int, method: str = "auto") -> Array:
    """(metrics, 3): low end, value, high end; nan where none is given.  Of groups (metrics, 3, groups)."""
    found = answer(p, metrics, rng, seed, method)
    if p.mode == "groups":
        return np.array([found[m] for m in metrics])
    ends = [found[m].interval if p.mode == "sets" else found[m] for m in metrics]
    return np.array([(e.low, found[m].value, e.high) for e, m in zip(ends, metrics, strict=True)], float)


def answer(p: Population, metrics: Sequence[str], rng: np.random.Generator, seed: int, method: str = "auto") -> dict[str, Any]:
    options: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": seed}
    k, metrics = p.k, list(metrics)
    if p.mode in ("rows", "edges"):
        counts = oe.Counts.from_matrix(rng.multinomial(p.rows, p.table.ravel()).reshape(k, k), labels=_scale(p))
        return oe.evaluate(counts, metrics=metrics, method=method, **options).scores
    if p.mode == "clusters":
        sort = rng.choice(len(p.extra["weight"]), p.rows, p=p.extra["weight"])
        size = np.maximum(rng.poisson(p.extra["size"][sort]), 0)
        alike = _alike(p)
        cells = np.concatenate(
            [
                np.resize(rng.choice(k * k, min(n, 1) if alike[j] else n, p=p.extra["tables"][j].ravel()), n)
                for j, n in zip(sort, size, strict=True)
            ]
        )
        clusters = np.repeat(np.arange(p.rows), size)
        return oe.evaluate(
            cells // k, cells % k, labels=range(k), cluster=clusters, metrics=metrics, method=method, **options
        ).scores
    if p.mode == "weights":
        drawn = p.table * p.extra["favour"][:, None]
        cells = rng.choice(k * k, p.rows, p=(drawn / drawn.sum()).ravel())
        weight = np.exp(rng.normal(0, float(p.extra["spread"]), p.rows)) / p.extra["favour"][cells // k]
        return oe.evaluate(cells // k, cells % k, labels=range(k), sample_weight=weight, metrics=metrics, **options).scores
    if p.mode == "compare":
        true, a, b = np.unravel_index(rng.choice(k**3, p.rows, p=p.extra["joint"].ravel()), (k, k, k))
        return paired(true, {"a": a, "b": b}, range(k), metrics, options)
    if p.mode == "groups":
        tables = p.extra["share"][:, None, None] * p.extra["tables"] / p.extra["tables"].sum((1, 2), keepdims=True)
        group, cell = np.divmod(rng.choice(tables.size, p.rows, p=tables.ravel()), k * k)
        counts = oe.count(cell // k, cell % k, labels=range(k), by={"group": group})
        scores = {m: oe.infer.compare_groups(counts, "group", m, **options) for m in metrics}
        ends = {m: np.full((3, len(tables)), np.nan) for m in metrics}  # a group that does not occur has no score
        for m, score in scores.items():
            for g in score.groups:
                ends[m][:, g.value] = g.raw.low, g.raw.difference, g.raw.high
        return ends
    if p.mode == "forecasts":
        true, proba = _forecast(p, rng, p.rows)
        return oe.evaluate(true, proba=proba, labels=range(k), metrics=metrics, method=method, **options).scores
    true, low, high = _sets(p, rng, p.rows)
    spread = float(p.extra.get("spread", 0))
    weight = np.exp(rng.normal(0, spread, p.rows)) if spread else None
    return oe.evaluate_sets(true, (low, high), labels=range(k), sample_weight=weight, method=method, **options).scores


def paired(true: Array, answers: dict[str, Array], labels: Any, metrics: list[str], options: dict[str, Any]) -> dict[str, Any]:
    """The differences of two models; a score without a direction cannot decide, so another one does."""
    decides = [] if isinstance(oe.get_metric(metrics[0]).direction, str) else ["accuracy"]
    found = oe.compare(true, answers, labels=labels, metrics=[*decides, *(m for m in metrics if m not in decides)], **options)
    return next(iter(found.differences.values()))
