"""Sites, years, subgroups: rows of different groups are different rows, so groups are resampled each on its own.

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
from ordeval.infer._auto import choose
from ordeval.infer._bands import simultaneous
from ordeval.infer._common import bad_value, record
from ordeval.infer._evidence import EQUAL, MOST_UNDEFINED, Evidence
from ordeval.infer._methods import check_request
from ordeval.infer._ranks import goodness
from ordeval.infer._units import STACK_BYTES, Units
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
    answered = (counts.cells >= 0).all(1)
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
    n_resamples: int = 1_999,
    rng: Rng = 0,
) -> GroupComparison:
    """Each group's score less that of the rest (or of all rows: ``against="overall"``), as it is and at one class mix.

    Groups are resampled independently, each with its own number of rows.
    """
    found = get_metric(metric)
    _ = counts.matrix  # several models are refused here, with the choice named
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
    tables = np.stack([part.matrix for part in parts.values()]).astype(float)
    refused = [choose(found, Evidence(part, [found], n_resamples, 0))[1] for part in parts.values()]
    families = [_Family(found, counts, tables, against, None), _Family(found, counts, tables, against, mix)]
    units = [Units(part) for part in parts.values()]
    replicates = _resampled(units, families, n_resamples, rng)
    behind = np.array([unit.total for unit in units])
    standings = [
        _standings(found, family, values, refused, confidence_level, np.minimum(behind, family.units(tables)))
        for family, values in zip(families, replicates, strict=True)
    ]
    groups = tuple(
        Group(value, part.total, raw, standardised)
        for (value, part), raw, standardised in zip(parts.items(), *standings, strict=True)
    )
    settings = {
        "against": against,
        "confidence_level": confidence_level,
        "n_resamples": n_resamples,
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
    """The scores of the groups and of what each is compared with, as functions of a stack (..., groups, K, K)."""

    def __init__(self, metric: Metric, counts: Counts, tables: Array, against: str, shares: Array | None) -> None:
        self.against, self.shares = against, shares
        both = (tables, self._others(tables))
        self.reasons = [self._why_not(metric, counts, own, other) for own, other in zip(*both, strict=True)]
        self.kernels = [
            [None if reason else self._bound(metric, counts, table) for table, reason in zip(side, self.reasons, strict=True)]
            for side in both
        ]
        self.point = self(tables[None])[0]

    def units(self, tables: Array) -> Array:
        """Rows that the error of each group rests on; at a given class mix Satterthwaite's number, for classes that vary alike."""
        rows = truths(tables)
        if self.shares is None:
            return np.asarray(rows.sum(-1))
        part = self.shares**2 / np.maximum(rows, 2)
        return np.asarray(1 + part.sum(-1) ** 2 / (part**2 / (np.maximum(rows, 2) - 1)).sum(-1))

    def _others(self, tables: Array) -> Array:
        pooled = tables.sum(-3, keepdims=True)
        if self.against == "overall":
            return np.broadcast_to(pooled, tables.shape)
        rest = pooled - tables
        rest[rest < EQUAL * pooled] = 0  # fractional weights of clusters leave rounding where nothing is left
        return np.asarray(rest)

    def _why_not(self, metric: Metric, counts: Counts, own: Array, other: Array) -> str:
        if self.shares is None:
            return ""
        if "whole counts" in metric.needs:
            return f"{metric} is defined for whole-number counts, and a changed class mix has fractions"
        for table, who in ((own, "it has"), (other, "the others have")):
            lacking = np.flatnonzero(_factors(truths(table), self.shares)[1])
            if lacking.size:
                return _lacking(counts, lacking.tolist()).replace("it has", who)
        return ""

    def _bound(self, metric: Metric, counts: Counts, table: Array) -> Callable[[Array], Array]:
        """The kernel with the sample's own classes fixed; standardised first where a class mix is asked for."""
        if self.shares is None:
            return metric.bind(Counts.from_matrix(table, labels=counts.scale))
        shares = self.shares
        bound = metric.bind(Counts.from_matrix(table * _factors(truths(table), shares)[0][:, None], labels=counts.scale))

        def standardised(stack: Array) -> Array:
            factor, lost = _factors(truths(stack), shares)
            return np.where(lost.any(-1), np.nan, bound(stack * factor[..., None]))

        return standardised

    def __call__(self, tables: Array) -> Array:
        """Scores (b, 2, groups): the groups' own and those of what they are compared with."""
        sides = (tables, self._others(tables))
        nothing = np.full(len(tables), np.nan)
        return np.stack(
            [
                np.stack([nothing if k is None else k(side[:, g]) for g, k in enumerate(kernels)], -1)
                for side, kernels in zip(sides, self.kernels, strict=True)
            ],
            1,
        )


def _resampled(units: Sequence[Units], families: Sequence[_Family], size: int, rng: Rng) -> list[Array]:
    """Replicates (B, 2, groups) of each family; every group has a stream of its own, whatever the chunks."""
    streams = np.random.default_rng(rng).spawn(len(units))
    step = max(1, STACK_BYTES // (8 * len(units) * units[0].K ** 2))
    parts: list[list[Array]] = [[] for _ in families]
    for start in range(0, size, step):
        drawn = min(step, size - start)
        side_by_side = [
            np.moveaxis(u.stack(u.draw(drawn, stream))[:, 0], 0, -1) for u, stream in zip(units, streams, strict=True)
        ]
        tables = np.moveaxis(np.stack(side_by_side), -1, 0)
        for family, part in zip(families, parts, strict=True):
            part.append(family(tables))
    return [np.concatenate(part) for part in parts]


def _standings(
    metric: Metric, family: _Family, replicates: Array, refused: Sequence[str], level: float, units: Array
) -> list[GroupScore]:
    score, other = family.point
    differences = replicates[:, 0] - replicates[:, 1]
    asked = np.array([not reason for reason in refused])
    bands = simultaneous(score - other, lambda block: differences[:, block], level, units=units, asked=asked)
    undefined = np.isnan(differences).mean(0)
    standings = []
    for g, reason in enumerate(refused):
        if family.reasons[g]:
            standings.append(GroupScore(math.nan, reason=family.reasons[g]))
            continue
        if math.isnan(score[g]) or math.isnan(other[g]):
            why = f"the score is undefined: {metric.undefined}"
        elif reason or math.isfinite(bands.low[g]):
            why = reason
        elif undefined[g] > MOST_UNDEFINED:
            why = f"{undefined[g]:.0%} of the replicates lack a class and have no score"
        else:
            why = "the replicates cannot show how the difference varies"
        ends = (math.nan, math.nan) if why else (float(bands.low[g]), float(bands.high[g]))
        standings.append(GroupScore(float(score[g]), float(score[g] - other[g]), *ends, why))
    return standings
