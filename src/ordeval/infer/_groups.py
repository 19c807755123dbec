"""Sites, years, subgroups: rows of different groups are different rows, so each group is drawn on its own.

Most metrics move with the class mix alone: a site that sees more easy cases looks better.  So each score is also given as it
would be at one class mix for all groups (direct standardisation).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ordeval.base.arrays import Array, ratio, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Rng
from ordeval.counts import Counts
from ordeval.infer._auto import PSEUDO_SIGNED, SIMULATED, Streams
from ordeval.infer._common import bad_value, record
from ordeval.infer._conditions import MOSTLY_UNDEFINED, Facts, refusal
from ordeval.infer._evidence import EQUAL
from ordeval.infer._methods import check_request
from ordeval.infer._pairs import BY_WALK, NO_EXTREMES, Problem, Solver, critical
from ordeval.infer._ranks import goodness
from ordeval.infer._tables import Clusters, TableSpace, Term
from ordeval.infer._units import rows_are_lost
from ordeval.metrics import Metric, get_metric
from ordeval.show import Result, Table
from ordeval.show._numbers import ends, number
from ordeval.show._plain import printable
from ordeval.show._result import Record

Against: TypeAlias = Literal["rest", "overall"]
Shares: TypeAlias = Mapping[Any, float] | Column | None  #: a class mix: one number per class, lowest first, or {class: share}


@dataclass(frozen=True)
class GroupScore:
    """A group's score and how far it is from the others."""

    score: float
    difference: float = math.nan  #: the group's score less that of the others
    low: float = math.nan
    high: float = math.nan
    reason: str = ""  #: why there is no score, or no interval

    @property
    def certain(self) -> bool:
        """The difference is not 0, whatever the other groups' differences are."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Group:
    """One group: its score as it is, and at the class mix of all."""

    value: Any
    rows: int | float
    raw: GroupScore
    standardised: GroupScore


@dataclass(frozen=True)
class GroupComparison(Result):
    """Groups compared, each with the rest or with all rows, by simultaneous intervals: they hold for all groups at once."""

    by: str
    metric: str
    groups: tuple[Group, ...]
    shares: dict[Any, float]  #: the class mix of the standardised scores
    settings: dict[str, Any]

    def __getitem__(self, value: Any) -> Group:
        for group in self.groups:
            if group.value == value:
                return group
        raise KeyError(f"there is no group {value!r}; the groups are {', '.join(repr(group.value) for group in self.groups)}")

    @property
    def worst(self) -> Group:
        """The group with the worst score."""
        return self._worst("raw")

    @property
    def worst_standardised(self) -> Group:
        """The group with the worst score at the class mix of all."""
        return self._worst("standardised")

    def _worst(self, which: str) -> Group:
        good = goodness(get_metric(self.metric), np.array([getattr(group, which).score for group in self.groups]))
        return self.groups[int(np.argmin(np.where(np.isnan(good), np.inf, good)))]

    def _rows(self) -> list[Record]:
        columns = "group rows standing value difference low high reason"
        return [
            record(columns, group.value, group.rows, standing, found.score, found.difference, found.low, found.high, found.reason)
            for group in self.groups
            for standing, found in (("raw", group.raw), ("standardised", group.standardised))
        ]

    def _blocks(self) -> list[Table]:
        s = self.settings
        others = "the others" if s["against"] == "rest" else "all rows"
        caption = (
            f"{self.metric} by {self.by}, and how far it is from that of {others}; "
            f"simultaneous {100 * s['confidence_level']:g} % confidence intervals (they hold all at once)"
        )
        rows = []
        for g in self.groups:
            cells = [(number(x.score), f"{number(x.difference)} {ends(x.low, x.high)}") for x in (g.raw, g.standardised)]
            rows.append([str(g.value), f"{g.rows:,}", *cells[0], *cells[1]])
        notes = [f"worst: {self.worst.value}; at one class mix: {self.worst_standardised.value}"]
        notes += [f"{g.value}: {x.reason}" for g in self.groups for x in (g.raw, g.standardised) if x.reason]
        header = [self.by, "rows", "score", "difference", "at one class mix", "difference"]
        return [Table(header, rows, caption, list(dict.fromkeys(notes)))]


_SHARES = "A class mix: one number per class, lowest first, or ``{class: share}``; None is that of all rows."


@renamed_keywords
@documented("Counts with weights.", shares=_SHARES, by="The axis of groups; None is the only one, or none.")
def reweight(counts: Counts, shares: Shares = None, *, by: str | None = None) -> Counts:
    """The counts with the same class mix in every group: rows of a true class weigh more or less, groups keep their total.

    >>> reweight(Counts.from_matrix([[6, 2], [0, 2]]), [0.5, 0.5]).matrix
    array([[3.75, 1.25],
           [0.  , 5.  ]])
    """
    by = _only_axis(counts) if by is None else by
    if by is not None:
        counts._group_axis(by)
    true = counts.cells[:, counts.axes.index("true")]
    group = np.zeros(len(true), int) if by is None else counts.cells[:, counts.axes.index(by)]
    answered = counts._judged
    found = np.zeros((1 if by is None else len(counts.values[by]), counts.scale.K))
    np.add.at(found, (group[answered], true[answered]), counts.weights[answered])
    mix = _checked_shares(shares, counts, found.sum(0))
    factor, lost = _factors(found, mix)
    for g, t in np.argwhere(lost & (found.sum(1) > 0)[:, None]):
        raise ArgumentError(
            "{where} cannot be given this class mix: {lacking}",
            argument="shares",
            remedy="leave it out or merge classes",
            values={
                "where": "the counts" if by is None else f"the group {counts.values[by][g]!r}",
                "lacking": _lacking(counts, [t]),
            },
        )
    return counts.scaled(factor[group, true])


def _only_axis(counts: Counts) -> str | None:
    axes = [axis for axis in counts.values if axis != counts.cluster]
    if len(axes) > 1:
        choices = {f"axis{i}": repr(axis) for i, axis in enumerate(axes)}
        listed = " or ".join(f"{{by:{{{name}}}}}" for name in choices)
        raise ArgumentError(
            "these counts have several axes of groups", argument="by", remedy=f"choose one: {listed}", values=choices
        )
    return axes[0] if axes else None


def _factors(found: Array, shares: Array) -> tuple[Array, Array]:
    """By how much rows of each true class are scaled, (..., K), and which classes are asked for but not there."""
    lost = (found <= 0) & (shares > 0)
    factor = np.nan_to_num(ratio(shares * found.sum(-1, keepdims=True), found))
    factor[np.abs(factor - 1) <= EQUAL] = 1  # a mix that is asked for as it stands is left as it stands
    return factor, lost


def _checked_shares(shares: Shares, counts: Counts, found: Array) -> Array:
    labels = counts.scale.labels
    if shares is None:
        return np.asarray(found / found.sum())
    if isinstance(shares, Mapping):
        unknown = [label for label in shares if label not in labels]
        if unknown:
            raise ArgumentError(
                "{shares} names {label}, which is no class",
                argument="shares",
                remedy="the classes are {classes}",
                values={"label": repr(unknown[0]), "classes": ", ".join(map(str, labels))},
            )
        shares = [shares.get(label, 0) for label in labels]
    mix = np.asarray(shares, float)
    if mix.shape != (len(labels),):
        raise ArgumentError(
            "{shares} has the shape {shape}",
            argument="shares",
            remedy="{classes} classes need one share each, lowest first",
            values={"shape": mix.shape, "classes": len(labels)},
        )
    if not (np.isfinite(mix).all() and (mix >= 0).all() and mix.sum() > 0):
        raise ArgumentError(
            "{shares} are finite and not negative, and not all 0",
            argument="shares",
            remedy="these are {given}",
            values={"given": ", ".join(f"{x:g}" for x in mix)},
        )
    return np.asarray(mix / mix.sum())


def _lacking(counts: Counts, classes: Sequence[int]) -> str:
    return f"it has no row of the true class {', '.join(printable(counts.scale.labels[t]) for t in classes)}"


@renamed_keywords
@documented(
    "Every group with its score, and its difference to the others.",
    by="The axis of groups.",
    against="What a group is compared with: the rest, or all rows.",
    shares=_SHARES,
)
def compare_groups(
    counts: Counts,
    by: str,
    metric: str | Metric | Callable[..., float],
    *,
    against: Against = "rest",
    shares: Shares = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> GroupComparison:
    """Each group's score less that of the rest (or of all rows: ``against="overall"``), as it is and at one class mix.

    Rows of a group and of the rest are drawn apart, each as many as there are.
    """
    found = get_metric(metric)
    _ = counts.matrix  # several models are refused here, with the choice named
    counts = found.place(counts)
    parts = {value: part for value, part in counts.groups(by).items() if part.total}
    if by == counts.cluster:
        raise ArgumentError(
            "{axis} is the axis of clusters, which are drawn at random",
            argument="by",
            remedy="groups are given: count with {by:that column}",
            values={"axis": repr(by)},
        )
    if against not in get_args(Against):
        raise bad_value("against", against, "is unknown", f"choose one of {', '.join(map(repr, get_args(Against)))}")
    check_request("auto", confidence_level, n_resamples, [found], counts.cluster is not None)
    if len(parts) < 2:
        raise ArgumentError(
            "{axis} has one group with answered rows, and a comparison needs two", argument="by", values={"axis": repr(by)}
        )
    _check_clusters(counts, by)
    mix = _checked_shares(shares, counts, truths(counts.matrix).astype(float))
    streams = Streams(rng)
    standings = [
        _standings(_Family(found, counts, by, parts, against, mix_of), confidence_level, n_resamples or SIMULATED, streams)
        for mix_of in (None, mix)
    ]
    groups = tuple(
        Group(value, part.total, raw, standardised)
        for (value, part), raw, standardised in zip(parts.items(), *standings, strict=True)
    )
    settings = {
        "against": against,
        "confidence_level": confidence_level,
        "n_resamples": n_resamples or SIMULATED,
        "rng": rng if isinstance(rng, int) else "given",
    }
    return GroupComparison(by, str(found), groups, dict(zip(counts.scale.labels, mix.tolist(), strict=True)), settings)


def _check_clusters(counts: Counts, by: str) -> None:
    if counts.cluster is None:
        return
    pairs = np.unique(counts.cells[:, [counts.axes.index(counts.cluster), counts.axes.index(by)]], axis=0)
    of_cluster, groups = np.unique(pairs[:, 0], return_counts=True)
    if (groups > 1).any():
        shared = counts.values[counts.cluster][of_cluster[groups > 1][0]]
        raise ArgumentError(
            "the cluster {shared} has rows in several groups of {axis}, so the groups are not independent",
            argument="cluster",
            remedy="count the groups as models of the same rows, or leave {cluster} out",
            values={"shared": repr(shared), "axis": repr(by)},
        )


class _Family:
    """The groups' own scores less those of what each is compared with, as they are or at one class mix."""

    def __init__(
        self, metric: Metric, counts: Counts, by: str, parts: Mapping[Any, Counts], against: str, shares: Array | None
    ) -> None:
        if counts.weighted and counts.cluster is None:
            raise rows_are_lost("rows", "cells")
        self.metric, self.counts, self.against, self.shares = metric, counts, against, shares
        self.tables = np.stack([part.matrix for part in parts.values()]).astype(float)
        answered = (counts.cells >= 0).all(1)
        cells = counts.cells[answered]
        axis = {name: cells[:, counts.axes.index(name)] for name in ("true", counts.models[0], by)}
        values = list(counts.values[by])
        code = np.full(len(values), -1)
        code[[values.index(value) for value in parts]] = np.arange(len(parts))
        self.group, self.cell = code[axis[by]], axis["true"] * counts.scale.K + axis[counts.models[0]]
        self.weights = counts.weights[answered].astype(float)
        column = np.arange(len(cells)) if counts.cluster is None else cells[:, counts.axes.index(counts.cluster)]
        self.unit = np.unique(column, return_inverse=True)[1].reshape(-1)

    def problem(self, g: int) -> tuple[float, Problem]:
        """The group's score, and its difference to the others."""
        own, k = self.tables[g], self.counts.scale.K
        rest = self.tables.sum(0) - own
        rest[rest < EQUAL * self.tables.sum(0)] = 0  # fractional weights of clusters leave rounding where nothing is left
        other = rest if self.against == "rest" else self.tables.sum(0)
        side = (self.group != g).astype(int)
        clusters = [self._clusters(side == s) for s in (0, 1)]
        why = self._lacking_classes(own, other)
        scores: tuple[float, ...] = (math.nan, math.nan)
        space, reason = None, why
        if not why:
            terms = [Term(self._bound(own)), Term(self._bound(other), -1)]
            scores = tuple(float(t.at(table[None])[0]) for t, table in zip(terms, (own, other), strict=True))
            facts = (
                Facts(float(t.sum()), truths(t), self.counts.scale.labels, c) for t, c in zip((own, rest), clusters, strict=True)
            )
            reason = next((r for r in (refusal(self.metric, s, f) for s, f in zip(scores, facts, strict=True)) if r), "")
            if not reason and self.metric.structure == "extreme":
                reason = NO_EXTREMES
            space = None if reason else self._space(terms, own, rest, clusters)
        places = side * k * k + self.cell
        weights = np.sqrt(self.weights) if self.counts.cluster is None else self.weights
        rows = min((c.effective for c in clusters if c is not None), default=float(self.weights.sum()))
        low, high = self.metric.bounds_for(k)
        behind = (places, weights, self.unit, rows, (low - high, high - low))
        return scores[0], Problem(self.metric, ("the others", str(g)), scores[0] - scores[1], reason, space, None, *behind)

    def _space(self, terms: Sequence[Term], own: Array, rest: Array, clusters: Sequence[Clusters | None]) -> TableSpace:
        """Rows of the group and of the rest, drawn apart, each as many as there are."""
        k = self.counts.scale.K
        cell, none = np.arange(k * k), np.full(k * k, k * k)
        second = [none, cell] if self.against == "rest" else [cell, cell]
        places = np.stack([np.concatenate([cell, none]), np.concatenate(second)], -1)
        number, side = np.concatenate([own.ravel(), rest.ravel()]), np.repeat([0, 1], k * k)
        space = TableSpace(terms, places, k, number, np.full(2 * k * k, PSEUDO_SIGNED / k**2), stratum=side)
        if self.counts.cluster is None:
            return space
        influence, _ = space.influence(space.start)
        factors = np.ones(2)
        for s, part in enumerate(clusters):
            assert part is not None
            inside = side == s
            factors[s] = 1 / part.effect(influence[inside], space.number[inside], space.pseudo[inside])
        return space.scaled(factors[side])

    def _clusters(self, inside: Array) -> Clusters | None:
        """What the clusters of one side add to the cells of its table."""
        if self.counts.cluster is None:
            return None
        from scipy import sparse

        unit = np.unique(self.unit[inside], return_inverse=True)[1].reshape(-1)
        shape = (int(unit.max(initial=-1)) + 1, self.counts.scale.K**2)
        return Clusters(sparse.csr_matrix((self.weights[inside], (unit, self.cell[inside])), shape=shape), False)

    def _lacking_classes(self, own: Array, other: Array) -> str:
        if self.shares is None:
            return ""
        if "whole counts" in self.metric.needs:
            return f"{self.metric} is defined for whole-number counts, and a changed class mix has fractions"
        for table, who in ((own, "it has"), (other, "the others have")):
            lacking = np.flatnonzero(_factors(truths(table), self.shares)[1])
            if lacking.size:
                return _lacking(self.counts, lacking.tolist()).replace("it has", who)
        return ""

    def _bound(self, table: Array) -> Callable[[Array], Array]:
        """The kernel with the sample's own classes fixed; standardised first where a class mix is asked for."""
        if self.shares is None:
            return self.metric.bind(Counts.from_matrix(table, labels=self.counts.scale))
        shares = self.shares
        mixed = table * _factors(truths(table), shares)[0][:, None]
        bound = self.metric.bind(Counts.from_matrix(mixed, labels=self.counts.scale))

        def standardised(stack: Array) -> Array:
            factor, lost = _factors(truths(stack), shares)
            return np.where(lost.any(-1), np.nan, bound(stack * factor[..., None]))

        return standardised


def _standings(family: _Family, level: float, size: int, streams: Streams) -> list[GroupScore]:
    found = [family.problem(g) for g in range(len(family.tables))]
    problems = [problem for _, problem in found]
    reach = critical(problems, level, streams.of("groups", family.metric, family.shares is None)).reach()
    solver = Solver(streams, size, simulate=len(problems) <= BY_WALK)
    standings = []
    for score, problem in found:
        ends = None if problem.reason else solver.ends(problem, [reach], test=False)
        if ends is None:
            standings.append(GroupScore(score, problem.value, reason=problem.reason or MOSTLY_UNDEFINED))
        else:
            standings.append(GroupScore(score, problem.value, ends.low[0], ends.high[0]))
    return standings
