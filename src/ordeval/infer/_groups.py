"""Sites, years, subgroups: rows of different groups are different rows, so groups are resampled each on its own.

Most metrics move with the class mix alone: a site that sees more easy cases looks better.  So each score is also given as it
would be at one class mix for all groups (direct standardisation).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio, truths
from ordeval.counts import Counts
from ordeval.infer._auto import choose
from ordeval.infer._bands import simultaneous
from ordeval.infer._evidence import EQUAL, MOST_UNDEFINED, Evidence, check_request
from ordeval.infer._ranks import goodness
from ordeval.infer._units import STACK_BYTES, Units
from ordeval.metrics import Metric, get_metric
from ordeval.show._numbers import ends, number
from ordeval.show._plain import align, printable

AGAINST = ("rest", "overall")


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
class GroupComparison:
    """Groups compared, each with the rest or with all rows, by intervals that hold for all groups together."""

    axis: str
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

    def __str__(self) -> str:
        s = self.settings
        head = f"{self.metric} by {printable(self.axis)}, less that of the {'others' if s['against'] == 'rest' else 'whole'}; "
        head += f"{100 * s['confidence_level']:g} % for all {len(self.groups)} groups together"
        rows = [(printable(self.axis), "rows", "score", "difference", "at one class mix", "difference")]
        for g in self.groups:
            cells = [(number(x.score), f"{number(x.difference)} {ends(x.low, x.high)}") for x in (g.raw, g.standardised)]
            rows.append((printable(g.value), f"{g.rows:,}", *cells[0], *cells[1]))
        notes = list(dict.fromkeys(_note(g, x) for g in self.groups for x in (g.raw, g.standardised) if x.reason))
        foot = [f"worst: {printable(self.worst.value)}; at one class mix: {printable(self.worst_standardised.value)}"]
        return "\n".join([head, *align(rows, right=(1, 2, 4)), *foot, *notes])


def _note(group: Group, standing: GroupScore) -> str:
    return f"{printable(group.value)}: {standing.reason}"


def reweight(counts: Counts, shares: Any = None, *, axis: str | None = None) -> Counts:
    """The counts with the same class mix in every group: rows of a true class weigh more or less, groups keep their total.

    ``shares`` is one number per class, lowest first, or ``{class: share}``; without it, the shares of all groups together.

    >>> reweight(Counts.from_matrix([[6, 2], [0, 2]]), [0.5, 0.5]).matrix
    array([[3.75, 1.25],
           [0.  , 5.  ]])
    """
    axis = _only_axis(counts) if axis is None else axis
    if axis is not None:
        counts._group_axis(axis)
    true = counts.cells[:, counts.axes.index("true")]
    group = np.zeros(len(true), int) if axis is None else counts.cells[:, counts.axes.index(axis)]
    answered = (counts.cells >= 0).all(1)
    found = np.zeros((1 if axis is None else len(counts.values[axis]), counts.scale.K))
    np.add.at(found, (group[answered], true[answered]), counts.weights[answered])
    mix = _checked_shares(shares, counts, found.sum(0))
    factor, lost = _factors(found, mix)
    for g, t in np.argwhere(lost & (found.sum(1) > 0)[:, None]):
        where = "the counts" if axis is None else f"the group {counts.values[axis][g]!r}"
        raise ValueError(f"{where} cannot be given this class mix: {_lacking(counts, [t])}; leave it out or merge classes")
    return counts.scaled(factor[group, true])


def _only_axis(counts: Counts) -> str | None:
    axes = [axis for axis in counts.values if axis != counts.cluster]
    if len(axes) > 1:
        raise ValueError(f"these counts have several axes of groups; choose one: axis={' or axis='.join(map(repr, axes))}")
    return axes[0] if axes else None


def _factors(found: Array, shares: Array) -> tuple[Array, Array]:
    """By how much rows of each true class are scaled, (..., K), and which classes are asked for but not there."""
    lost = (found <= 0) & (shares > 0)
    factor = np.nan_to_num(ratio(shares * found.sum(-1, keepdims=True), found))
    factor[np.abs(factor - 1) <= EQUAL] = 1  # a mix that is asked for as it stands is left as it stands
    return factor, lost


def _checked_shares(shares: Any, counts: Counts, found: Array) -> Array:
    labels = counts.scale.labels
    if shares is None:
        return np.asarray(found / found.sum())
    if isinstance(shares, Mapping):
        unknown = [label for label in shares if label not in labels]
        if unknown:
            raise ValueError(f"shares names {unknown[0]!r}, which is no class; the classes are {', '.join(map(str, labels))}")
        shares = [shares.get(label, 0) for label in labels]
    mix = np.asarray(shares, float)
    if mix.shape != (len(labels),):
        raise ValueError(f"shares has the shape {mix.shape}; {len(labels)} classes need one share each, lowest first")
    if not (np.isfinite(mix).all() and (mix >= 0).all() and mix.sum() > 0):
        raise ValueError(f"shares are finite and not negative, and not all 0; these are {', '.join(f'{x:g}' for x in mix)}")
    return np.asarray(mix / mix.sum())


def _lacking(counts: Counts, classes: Sequence[int]) -> str:
    return f"it has no row of the true class {', '.join(printable(counts.scale.labels[t]) for t in classes)}"


def compare_groups(
    counts: Counts,
    axis: str,
    metric: Any,
    *,
    against: str = "rest",
    shares: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1_999,
    rng: Any = 0,
) -> GroupComparison:
    """Each group's score less that of the rest (or of all rows: ``against="overall"``), as it is and at one class mix.

    Groups are resampled independently, each with its own number of rows.  ``shares`` is the class mix, by default that of all rows.
    """
    found = get_metric(metric)
    _ = counts.matrix  # several models are refused here, with the choice named
    parts = {value: part for value, part in counts.groups(axis).items() if part.total}
    if axis == counts.cluster:
        raise ValueError(f"{axis!r} is the axis of clusters, which are drawn at random; groups are given: count with by=")
    if against not in AGAINST:
        raise ValueError(f"against={against!r} is unknown; choose one of {', '.join(map(repr, AGAINST))}")
    check_request("auto", confidence_level, n_resamples, [found], counts.cluster is not None)
    if len(parts) < 2:
        raise ValueError(f"{axis!r} has one group with answered rows, and a comparison needs two")
    _check_clusters(counts, axis)
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
    return GroupComparison(axis, str(found), groups, dict(zip(counts.scale.labels, mix.tolist(), strict=True)), settings)


def _check_clusters(counts: Counts, axis: str) -> None:
    if counts.cluster is None:
        return
    pairs = np.unique(counts.cells[:, [counts.axes.index(counts.cluster), counts.axes.index(axis)]], axis=0)
    of_cluster, groups = np.unique(pairs[:, 0], return_counts=True)
    if (groups > 1).any():
        shared = counts.values[counts.cluster][of_cluster[groups > 1][0]]
        raise ValueError(
            f"the cluster {shared!r} has rows in several groups of {axis!r}, so the groups are not independent; "
            "count the groups as models of the same rows, or leave cluster= away"
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


def _resampled(units: Sequence[Units], families: Sequence[_Family], size: int, rng: Any) -> list[Array]:
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
