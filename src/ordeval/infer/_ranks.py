"""Many models on the same rows: which ranks each may have, and how much the answer depends on the metric.

A rank jumps where two scores cross, so resampled ranks promise too much.  Here a rank follows from differences: a model is behind
all that are shown to be better and ahead of all that are shown to be worse, by simultaneous intervals of all pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, TypeAlias

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.lazy import lazy
from ordeval.base.progress import Share
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import SIMULATED, Streams
from ordeval.infer._common import record
from ordeval.infer._conditions import MOSTLY_UNDEFINED
from ordeval.infer._methods import check_request
from ordeval.infer._pairs import BY_WALK, Solver, critical, table_problems
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.docs import short_title
from ordeval.show import Block, Result, Table
from ordeval.show._numbers import number
from ordeval.show._plain import printable
from ordeval.show._result import Record

Pairs: TypeAlias = dict[tuple[int, int], tuple[float, float] | str]  # ends of how much better the first is, or why there are none
Metrics: TypeAlias = Sequence[str | Metric | Callable[..., float]]


@dataclass(frozen=True)
class RankedModel:
    """A model, its score, and the ranks that it may have."""

    model: str
    score: float
    best: int  #: 1 + the number of models shown to be better
    worst: int  #: the number of models − those shown to be worse
    reason: str = ""  #: why nothing is certain about it, where nothing can be
    rows: float = 0  #: answered
    missing: float = 0  #: rows without an answer

    @property
    def ranks(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"

    def __str__(self) -> str:
        return f"{printable(self.model)}: {number(self.score)}, rank {self.ranks}"


@dataclass(frozen=True, eq=False)
class RankSets(Result):
    """Ranks that hold all at once: with this confidence every model's true rank lies in its set."""

    metric: str
    systems: tuple[RankedModel, ...]  #: best score first
    low: Array  #: (models, models) least amount by which the row's model is better than the column's
    high: Array  #: and the most; nan where it cannot be said
    settings: dict[str, Any]
    reason: str = ""  #: why no difference can be told, where none can

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(system.model for system in self.systems)

    def __getitem__(self, model: str) -> RankedModel:
        return self.systems[self._position(model)]

    @documented("The least and the largest amount.", b="The second model.")
    def better_by(self, a: str, b: str) -> tuple[float, float]:
        """By how much a is better than b, at least and at most, whichever way the metric points."""
        i, j = self._position(a), self._position(b)
        return float(self.low[i, j]), float(self.high[i, j])

    def _position(self, model: str) -> int:
        if model not in self.models:
            raise KeyError(f"there is no model {model!r}; the models are {', '.join(self.models)}")
        return self.models.index(model)

    @lazy
    def apart(self) -> Array:
        """(models, models) whether these rows show which of two is better."""
        certain = self.low > 0
        return np.asarray(certain | certain.T)

    @lazy
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Models among which no order is shown: the longest runs in the order of scores without a difference that these rows show."""
        runs: list[tuple[int, int]] = []
        for first in range(len(self.systems)):
            last = first + 1
            while last < len(self.systems) and not self.apart[first:last, last].any():
                last += 1
            if not runs or last > runs[-1][1]:
                runs.append((first, last))
        return tuple(self.models[first:last] for first, last in runs)

    def _rows(self) -> list[Record]:
        columns = "model metric value low high rank_best rank_worst rows missing reason"
        none = math.nan  # a leaderboard has intervals of the scores; here they are of the differences
        return [
            record(
                columns, x.model, self.metric, x.score, none, none, x.best, x.worst, x.rows, x.missing, x.reason or self.reason
            )
            for x in self.systems
        ]

    def _blocks(self) -> list[Block]:
        s = self.settings
        caption = f"Ranks by {short_title(self.metric)}; with {100 * s['confidence_level']:g} % confidence all {len(self.systems)} ranges hold at once."
        marks = dict.fromkeys(self.models, "")
        for i, group in enumerate(self.groups):
            for model in group:
                marks[model] += _mark(i)
        rows = [[x.ranks, x.model, marks[x.model], number(x.score)] for x in self.systems]
        notes = [self.reason or "No order is shown among models that share a letter."]
        notes += [f"{x.model}: {x.reason}" for x in self.systems if x.reason]
        signature = f"b:{s['n_resamples']} seed:{s['rng']} unit:{s['unit']}×{s['units']}"
        return [Table(["ranks", "model", "alike", "score"], rows, caption, [*notes, signature], left=3)]


def _mark(i: int) -> str:
    """a … z, then a1, b1 …"""
    return chr(ord("a") + i % 26) + (str(i // 26) if i >= 26 else "")


def goodness(metric: Metric, scores: Array) -> Array:
    """The scores as numbers of which more is better; for a target, minus the distance to it."""
    if isinstance(metric.direction, str):
        return scores if metric.direction == "higher" else -scores
    return -np.abs(scores - metric.direction)


@documented("The models, best score first, each with its ranks.")
def rank_sets(
    counts: Counts,
    metric: str | Metric | Callable[..., float],
    *,
    models: Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> RankSets:
    """The ranks that each of several models may have, from simultaneous intervals of all pairwise differences.

    >>> from ordeval import count
    >>> truth = [0, 1, 2] * 40
    >>> print(rank_sets(count(truth, {"a": truth[:110] + [0] * 10, "b": [1] * 120, "c": truth[:108] + [0] * 12}), "mae"))
      ranks  model  alike  score
      1-2    a      a      0.092
      1-2    c      a      0.100
      3      b      b      0.667
    <BLANKLINE>
    Ranks by MAE; with 95 % confidence all 3 ranges hold at once.
    No order is shown among models that share a letter.
    b:2000 seed:0 unit:row×120
    """
    found = get_metric(metric)
    return rankings(counts, [found], models=models, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)[
        str(found)
    ]


def rankings(
    counts: Counts,
    metrics: Metrics,
    *,
    models: Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> dict[str, RankSets]:
    """Rank sets by each of several metrics, from one resampling; each holds for all models at once, not for all metrics."""
    found, names = [get_metric(text) for text in metrics], answering_models(counts, models)
    check_request("auto", confidence_level, n_resamples, found, counts.cluster is not None)
    own = [counts[model] for model in names]
    settings = {
        "confidence_level": confidence_level,
        "n_resamples": n_resamples or SIMULATED,
        "rng": rng if isinstance(rng, int) else "given",
        "units": _units(counts),
        "unit": counts.cluster or "row",
    }
    streams = Streams(rng)
    return {str(metric): _ranks(metric, counts, own, settings, streams) for metric in found}


def _units(counts: Counts) -> int:
    if counts.cluster is None:
        return int(counts.weights.sum())
    return len(np.unique(counts.cells[:, counts.axes.index(counts.cluster)]))


def answering_models(counts: Counts, models: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(counts.models if models is None else models)
    if len(set(names)) < 2:
        raise ArgumentError(
            "ranks need two models or more, but the models are: {names}",
            argument="models",
            remedy="count them together: count(y_true, {{'a': ..., 'b': ...}})",
            values={"names": ", ".join(names) or "none"},
        )
    if len(set(names)) < len(names):
        twice = next(model for model, times in Counter(names).items() if times > 1)
        raise ArgumentError("the model {twice} is named twice", argument="models", values={"twice": repr(twice)})
    return names


def ranks_of(counts: Counts, metric: Metric, differences: Mapping[tuple[str, str], Any], settings: dict[str, Any]) -> RankSets:
    """The ranks that follow from simultaneous differences of all pairs, second minus first, that are already known."""

    def known(names: Sequence[str]) -> Pairs:
        found: Pairs = {}
        for i, j in combinations(range(len(names)), 2):
            turned = (names[i], names[j]) not in differences
            one = differences[names[j], names[i]] if turned else differences[names[i], names[j]]
            low, high = (-one.high, -one.low) if turned else (one.low, one.high)
            found[i, j] = one.reason or ((low, high) if metric.direction == "lower" else (-high, -low))
        return found

    return _ranks(
        metric,
        counts,
        [counts[model] for model in counts.models],
        {**settings, "units": _units(counts), "unit": counts.cluster or "row"},
        None,
        known,
    )


def _ranks(
    metric: Metric,
    counts: Counts,
    own: Sequence[Counts],
    settings: dict[str, Any],
    streams: Streams | None,
    known: Callable[[Sequence[str]], Pairs] | None = None,
) -> RankSets:
    scores = np.array([_point(metric, part) if part.total else math.nan for part in own])
    order = np.argsort(-goodness(metric, scores), kind="stable")  # undefined scores come last
    scores, size = scores[order], len(own)
    names = [own[place].models[0] for place in order]
    found_pairs = _better_by(metric, counts, names, scores, settings, streams or Streams(0)) if known is None else known(names)
    low, high = np.full((2, size, size), np.nan)
    reasons: dict[tuple[int, int], str] = {}
    for (i, j), found in found_pairs.items():
        if isinstance(found, str):
            reasons[i, j] = found
        else:
            low[i, j], high[i, j] = found
            low[j, i], high[j, i] = -found[1], -found[0]
    certain = low > 0
    systems = tuple(
        RankedModel(
            part.models[0],
            float(scores[i]),
            1 + int(certain[:, i].sum()),
            size - int(certain[i].sum()),
            _why_not(metric, float(scores[i]), [reasons.get((min(i, j), max(i, j)), "") for j in range(size) if j != i]),
            part.total,
            part.unanswered.sum().item(),
        )
        for i, part in enumerate(own[place] for place in order)
    )
    everywhere = len(reasons) == size * (size - 1) // 2
    return RankSets(str(metric), systems, low, high, settings, next(iter(reasons.values())) if everywhere else "")


def _why_not(metric: Metric, score: float, reasons: Sequence[str]) -> str:
    """Why nothing can be said of a model: its score is undefined, or none of its differences has an interval."""
    if math.isnan(score):
        return f"the score is undefined: {metric.undefined}"
    return reasons[0] if all(reasons) else ""


def _better_by(
    metric: Metric, counts: Counts, names: Sequence[str], scores: Array, settings: dict[str, Any], streams: Streams
) -> Pairs:
    """Simultaneous ends of how much better the first of each pair is than the second; or the reason why there are none.

    The distance to a target has a kink at the target.  But |x| < |y| where y − x and y + x have the same sign, and those two
    are smooth: |y| − |x| is the smaller of them in size, so its ends are found at the corners of their intervals.
    """
    places = {name: i for i, name in enumerate(names)}
    pairs = [(a, b) for a, b in combinations(names, 2) if not np.isnan(scores[[places[a], places[b]]]).any()]
    found: Pairs = dict.fromkeys(combinations(range(len(names)), 2), f"the score is undefined: {metric.undefined}")
    together = [table_problems(counts, pairs, [metric])]
    target = metric.direction if not isinstance(metric.direction, str) else None
    if target is not None:
        together.append(table_problems(counts, pairs, [metric], first=1))
    problems = [problem for part in together for (problem,) in part.values()]
    solver = Solver(streams, settings["n_resamples"], simulate=len(problems) <= BY_WALK)
    reach = critical(problems, settings["confidence_level"], streams.of("pairs", metric)).reach()
    with Share("differences") as share:
        for number, pair in enumerate(pairs):
            place = (places[pair[0]], places[pair[1]])
            asked = [problem for part in together for problem in part[pair]]
            ends = [None if problem.reason else solver.ends(problem, [reach], test=False) for problem in asked]
            given = [(end.low[0], end.high[0]) for end in ends if end is not None]
            if len(given) < len(asked):
                found[place] = asked[0].reason or MOSTLY_UNDEFINED
            elif target is None:
                low, high = given[0]
                found[place] = (low, high) if metric.direction == "lower" else (-high, -low)
            else:
                sums = tuple(end - 2 * target for end in given[1])
                corners = [math.copysign(min(abs(u), abs(v)), u * v) for u, v in product(given[0], sums)]
                found[place] = (min(corners), max(corners))
            share.show(number / len(pairs))
    return found


def points(counts: Counts, metrics: Sequence[Metric], names: Sequence[str]) -> Array:
    """The scores of every model by every metric, (metrics, models)."""
    own = [counts[model] for model in names]
    return np.array([[_point(metric, part) for part in own] for metric in metrics])


def _point(metric: Metric, counts: Counts) -> float:
    counts = metric.place(counts)
    return float(metric.bind(counts)(counts.matrix))
