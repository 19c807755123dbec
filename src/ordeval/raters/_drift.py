"""Has a judge changed between two logs?

Two runs of one judge differ too, so a change is what exceeds the noise: for each item the energy distance of its old and its new grades
(Székely and Rizzo 2013) on ranks, which is 0 in the mean for a judge that is the same, its noise included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.counts.table import TRUE
from ordeval.counts.tally import tally
from ordeval.evaluation import Comparison, Score, compare
from ordeval.evaluation._request import MetricLike
from ordeval.infer import compare_groups
from ordeval.infer._groups import GroupComparison
from ordeval.infer._item_space import FEWEST_ITEMS, too_few
from ordeval.infer._methods import check_request
from ordeval.raters._consistency import only_judge
from ordeval.raters._homogeneity import Homogeneity, marginal_homogeneity
from ordeval.raters._intervals import without_interval
from ordeval.raters._text import published, shown
from ordeval.read.judge_log import NOT_ASKED, JudgeLog
from ordeval.show import Block, Line, Paragraph, Result, Table, number, printable
from ordeval.show._numbers import p_text, percent, signed
from ordeval.show._plain import count_text
from ordeval.show._result import Record, plain_data

OLD, NEW = "old", "new"
ONE_RUN = "two runs or more in both logs are needed to tell drift from noise"
OTHER_ITEMS = "The items differ too, so a change of the grades need not be a change of the judge."
FEWEST = 100  # items with repeats for the interval of the drift: with 30 it held in 0.855 to 0.939 of the data sets
DRAW_CELLS = 1 << 21  # draws at a time


@dataclass(frozen=True, eq=False)
class Drift(Result):
    """What has changed in a judge's grades between an old and a new log."""

    judge: str
    since: str  #: the old log
    labels: tuple[Any, ...]
    items: dict[str, int]  #: graded in "both" logs, and in the "old" or the "new" one only
    runs: tuple[int, int]  #: of the old log and of the new one
    shift: Score  #: mean change of the grade, new less old, in classes; nan without shared items
    drift: Score  #: the change beyond the noise, from 0 on in the mean; nan without repeats
    p_value: float  #: of no drift, by permuting runs within items; nan without repeats
    table: Array  #: (K, K) the first runs of shared items: old by new; zeros without shared items
    shares: dict[str, Array]  #: of each log the shares of the classes, those of all runs
    unanswered: dict[str, float]  #: of each log the share of runs without a class
    homogeneity: Homogeneity | None  #: Stuart-Maxwell's and Bowker's tests of the first runs
    comparison: Comparison | None  #: paired differences of scores against people
    groups: dict[str, GroupComparison]  #: by metric, where the items differ and both logs have people's grades
    settings: dict[str, Any]

    @property
    def paired(self) -> bool:
        """Items are shared, so the judge is compared with itself."""
        return self.items["both"] > 0

    @property
    def changed(self) -> bool | None:
        """Whether a change was found at the level of the intervals; None where nothing was tested."""
        level = 1 - self.settings["confidence_level"]
        if not math.isnan(self.p_value):
            return bool(self.p_value <= level)
        if self.shift.method != "none":
            return not self.shift.low <= 0 <= self.shift.high
        return None

    @property
    def sentence(self) -> str:
        """What may be said."""
        judge, since = printable(self.judge), printable(self.since)
        if not self.paired:
            return f"No item is in both logs, so {judge} cannot be compared with itself. {OTHER_ITEMS}"
        if not math.isnan(self.p_value):
            found = f"drift {number(self.drift.value)}, p = {p_text(self.p_value)}".replace("p = <", "p <")
            return (
                f"{judge} has changed since {since} ({found})."
                if self.changed
                else f"No change of {judge} since {since} was found ({found})."
            )
        words = {True: "has shifted", False: "shows no shift", None: "was not tested for a shift"}[self.changed]
        return f"{judge} {words} since {since} (mean change {_signed(self.shift)} classes); {ONE_RUN}."

    def _rows(self) -> list[Record]:
        parts = ("value", "low", "high", "method", "reason")
        p_values = {"drift": self.p_value, "shift": math.nan}
        return [
            {"measure": name, **{part: getattr(score, part) for part in parts}, "p_value": p_values[name]}
            for name, score in (("drift", self.drift), ("shift", self.shift))
        ]

    def _blocks(self) -> list[Block]:
        shared, only_old, only_new = (f"{self.items[name]:,}" for name in ("both", OLD, NEW))
        found: list[Block] = [
            Paragraph(self.sentence),
            Line(f"{shared} items in both logs · {only_old} in the old one only · {only_new} in the new one only"),
        ]
        if self.paired:
            found += [Line(f"mean change {_signed(self.shift)} classes · drift {shown(self.drift)}")]
            flips = [
                [str(label), *(f"{cell:,}" for cell in row)] for label, row in zip(self.labels, self.table.tolist(), strict=True)
            ]
            found.append(Table(["old / new", *map(str, self.labels)], flips, "First runs of the items in both logs."))
            found += [Line(str(pair)) for pair in (self.homogeneity or {}).values()]
        rows = [
            [str(label), percent(float(self.shares[OLD][i])), percent(float(self.shares[NEW][i]))]
            for i, label in enumerate(self.labels)
        ]
        rows.append(["unanswered", percent(self.unanswered[OLD]), percent(self.unanswered[NEW])])
        found.append(
            Table(["class", "old", "new"], rows, "Classes: shares of the answered runs.  Unanswered: share of all runs.")
        )
        if self.comparison is not None:
            found.append(Paragraph(self.comparison.verdict))
        for metric, groups in self.groups.items():
            new = groups[NEW].raw
            ends = "" if math.isnan(new.low) else f" [{signed(new.low)}, {signed(new.high)}]"
            found.append(Line(f"{metric}, new less old, on different items: {signed(new.difference)}{ends}"))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": 1,
            **{part: plain_data(getattr(self, part)) for part in ("judge", "since", "labels", "items", "runs")},
            "shift": published(self.shift),
            "drift": published(self.drift),
            **{part: plain_data(getattr(self, part)) for part in ("p_value", "table", "shares", "unanswered")},
            "homogeneity": None if self.homogeneity is None else plain_data(self.homogeneity._rows()),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "groups": {metric: plain_data(groups) for metric, groups in self.groups.items()},
            "settings": self.settings,
        }


def _signed(score: Score) -> str:
    return signed(score.value) + ("" if score.method == "none" else f" [{signed(score.low)}, {signed(score.high)}]")


@documented(
    "The shift and the drift with intervals, and what else can be said of two logs.",
    new="The later log, from `read_judge_log`.",
    old="The earlier log; items are paired by their ids.",
    judge="The judge; None is the only one of the new log. The old log has one of the same name, or only one.",
    metrics="The scores against people to compare; None is ``cem`` and ``bias``.",
)
def judge_drift(
    new: JudgeLog,
    old: JudgeLog,
    judge: str | None = None,
    *,
    metrics: Sequence[MetricLike] | None = None,
    n_resamples: int = 1_999,
    rng: Rng = 0,
    confidence_level: float = 0.95,
) -> Drift:
    """Has the judge changed between two logs?

    Items in both logs are paired.  With two runs or more in both, ``drift`` is the mean over items of E|old - new| less half of
    E|old - old'| + E|new - new'|, in classes; its test permutes the runs of an item between the logs and is exact.  Its
    interval is a jackknife over items and needs 100 of them (docs/coverage-judges.md says how often it holds).  With a single run,
    only the mean shift is tested.  Unanswered runs are left out here; their shares are given separately.

    >>> import pandas as pd
    >>> from ordeval.raters import read_judge_log
    >>> def log(add):
    ...     rows = [(i, run, "gpt", min(5, 1 + (i + run % 2 * (i % 4 == 0)) % 4 + add)) for i in range(80) for run in range(4)]
    ...     frame = pd.DataFrame(rows, columns=["item", "run", "who", "grade"])
    ...     return read_judge_log(frame, item="item", rater="who", grade="grade", repeats="run", judges=["gpt"], labels=range(1, 6))
    >>> print(judge_drift(log(0), log(0)).sentence)
    No change of gpt since the table was found (drift −0.042, p = 1.000).
    >>> print(judge_drift(log(1), log(0)).shift)
    1.000 [1.000, 1.000]
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    judge = only_judge(new, judge)
    before = judge if judge in old.judges else only_judge(old, None)
    if new.scale != old.scale:
        problem, values = (
            "the logs have different classes: {new_scale} and {old_scale}",
            {"new_scale": str(new.scale), "old_scale": str(old.scale)},
        )
        raise ArgumentError(problem, argument="labels", remedy="read both with the same {labels:[...]}", values=values)
    k = new.scale.K
    at = {item: i for i, item in enumerate(old.items)}
    codes, earlier = new.codes(judge), old.codes(before)
    asked = [item for item, row in zip(new.items, codes, strict=True) if (row > NOT_ASKED).any()]
    known = {item for item, row in zip(old.items, earlier, strict=True) if (row > NOT_ASKED).any()}
    shared = [item for item in asked if item in known]
    here = {item: i for i, item in enumerate(new.items)}
    a, b = (source[[where[item] for item in shared]] for source, where in ((earlier, at), (codes, here)))
    before_counts, after_counts = class_counts(a, k), class_counts(b, k)
    settings = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng if isinstance(rng, int) else "given"}
    drift, p_value = _drift(before_counts, after_counts, confidence_level, n_resamples, rng)
    first = [one[np.arange(len(one)), (one >= 0).argmax(1)] if len(one) else np.zeros(0, int) for one in (a, b)]
    answered = (first[0] >= 0) & (first[1] >= 0)
    cells, weights = tally([one[answered] for one in first], [k, k], None)
    pair = Counts(new.scale, (OLD, NEW), cells, weights)
    whole = {name: class_counts(one, k).sum(0) for name, one in ((OLD, earlier), (NEW, codes))}
    silent = {name: float(ratio((one == -1).sum(), (one > NOT_ASKED).sum())) for name, one in ((OLD, earlier), (NEW, codes))}
    same = {"confidence_level": confidence_level, "n_resamples": None, "rng": rng}
    chosen = list(metrics) if metrics is not None else ["cem", "bias"]
    return Drift(
        judge,
        old.source,
        tuple(new.scale.labels),
        {"both": len(shared), OLD: len(known) - len(shared), NEW: len(asked) - len(shared)},
        (earlier.shape[1], codes.shape[1]),
        _shift(before_counts, after_counts, confidence_level),
        drift,
        p_value,
        pair.table(OLD, NEW),
        {name: ratio(given, given.sum()) for name, given in whole.items()},
        silent,
        marginal_homogeneity(pair) if answered.sum() > 1 else None,
        _compared(new, old, shared, a, b, chosen, same) if shared else None,
        {} if shared else _by_log(new, judge, old, before, chosen, same),
        settings,
    )


def class_counts(codes: Array, k: int) -> Array:
    """(items, K): how many runs of an item gave each class."""
    return np.stack([(codes == c).sum(1) for c in range(k)], 1) if len(codes) else np.zeros((0, k), int)


def energy(old: Array, new: Array) -> Array:
    """The unbiased energy distance of each item from its numbers of runs in each class, (..., K) each: nan with fewer than two runs.

    On ranks E|X - Y| is a sum over the cuts of F(1 - G) + G(1 - F), so the distance is that of (F - G)² less what noise adds to it.

    >>> energy(np.array([[2, 0, 0]]), np.array([[0, 1, 1]]))
    array([1.])
    """
    runs, new_runs = old.sum(-1, keepdims=True), new.sum(-1, keepdims=True)
    f, g = ratio(old.cumsum(-1), runs), ratio(new.cumsum(-1), new_runs)
    noise = ratio(f * (1 - f), runs - 1) + ratio(g * (1 - g), new_runs - 1)
    found: Array = ((f - g) ** 2 - noise).sum(-1)
    return found


def _drift(old: Array, new: Array, confidence_level: float, n_resamples: int, rng: Rng) -> tuple[Score, float]:
    """The mean energy distance, its jackknife interval, and the p-value of the permutation of runs within items."""
    often = (old.sum(1) > 1) & (new.sum(1) > 1)
    old, new = old[often], new[often]
    if not len(old):
        return without_interval(math.nan, ONE_RUN), math.nan
    each = energy(old, new)
    if len(each) < FEWEST:
        reason = f"{count_text(len(each), 'item')} with two runs in both logs, and {FEWEST} are needed"
        score = without_interval(float(each.mean()), reason)
    else:
        score = mean_score(each, confidence_level)
    return score, permuted(old, new, n_resamples, rng)


def permuted(old: Array, new: Array, n_resamples: int, rng: Rng) -> float:
    """How often runs that are dealt to the two logs anew, item by item, are as far apart: (1 + so many) / (1 + all)."""
    generator = np.random.default_rng(rng)
    pool = old + new
    mixed = (pool > 0).sum(1) > 1  # where all runs agree, every deal is the same
    pool, runs = pool[mixed], old[mixed].sum(1)
    reached, limit = 0, energy(old[mixed], new[mixed]).sum() - 1e-9
    for start in range(0, n_resamples, step := max(1, DRAW_CELLS // max(1, pool.size))):
        size = (min(step, n_resamples - start), len(pool))
        dealt, wanted, rest = np.zeros((*size, pool.shape[1]), int), np.broadcast_to(runs, size), pool.sum(1)
        for c in range(pool.shape[1] - 1):
            rest = rest - pool[:, c]
            dealt[..., c] = generator.hypergeometric(pool[:, c], rest, wanted)
            wanted = wanted - dealt[..., c]
        dealt[..., -1] = wanted
        reached += int((energy(dealt, pool - dealt).sum(-1) >= limit).sum())
    return (1 + reached) / (1 + n_resamples)


def _shift(old: Array, new: Array, confidence_level: float) -> Score:
    """The mean change of the items' mean ranks."""
    rated = (old.sum(1) > 0) & (new.sum(1) > 0)
    if not rated.any():
        return without_interval(math.nan, "no item was graded in both logs")
    ranks = np.arange(old.shape[1])
    change = new[rated] @ ranks / new[rated].sum(1) - old[rated] @ ranks / old[rated].sum(1)
    if len(change) < FEWEST_ITEMS:
        return without_interval(float(change.mean()), too_few(len(change), "items graded in both logs"))
    return mean_score(change, confidence_level)


def mean_score(each: Array, confidence_level: float) -> Score:
    """A mean over items; for a mean the jackknife is the mean with its standard error and Student's t."""
    from scipy.special import stdtrit

    n, mean = len(each), float(each.mean())
    half = float(stdtrit(n - 1, (1 + confidence_level) / 2)) * float(each.std(ddof=1)) / math.sqrt(n)
    return Score(mean, mean - half, mean + half, "jackknife", n=float(n), confidence_level=confidence_level)


def _compared(
    new: JudgeLog, old: JudgeLog, shared: Sequence[str], a: Array, b: Array, metrics: Sequence[MetricLike], same: dict[str, Any]
) -> Comparison | None:
    """Old and new against the people of either log; a run with a run, its item as the cluster."""
    truths = [log.median()[[{item: i for i, item in enumerate(log.items)}[item] for item in shared]] for log in (new, old)]
    truth = np.where(truths[0] >= 0, truths[0], truths[1])
    width = min(a.shape[1], b.shape[1])
    columns = [np.repeat(truth[:, None], width, 1), a[:, :width], b[:, :width]]
    rows = (columns[0] >= 0) & (columns[1] > NOT_ASKED) & (columns[2] > NOT_ASKED)
    if ((columns[1] >= 0) & (columns[2] >= 0) & rows).sum() < 2:
        return None
    item = np.repeat(np.arange(len(shared))[:, None], width, 1)[rows]
    codes = [column[rows] for column in columns] + ([item] if width > 1 else [])
    axes = (TRUE, OLD, NEW, *(["item"] if width > 1 else []))
    cells, weights = tally(codes, [new.scale.K] * 3 + ([len(shared)] if width > 1 else []), None)
    values = {"item": tuple(shared)} if width > 1 else {}
    counts = Counts(new.scale, axes, cells, weights, values=values, cluster="item" if width > 1 else None)
    return compare(counts, metrics=list(metrics), **same)


def _by_log(
    new: JudgeLog, judge: str, old: JudgeLog, before: str, metrics: Sequence[MetricLike], same: dict[str, Any]
) -> dict[str, GroupComparison]:
    """Each score in the two logs, whose items differ."""
    if not (new.people and old.people):
        return {}
    parts: list[list[Array]] = [[], [], [], []]
    for code, (source, name) in enumerate(((old, before), (new, judge))):
        person, codes = source.median(), source.codes(name)
        rows = (codes >= 0) & (person >= 0)[:, None]
        item = np.flatnonzero(rows.any(1)).repeat(rows.sum(1)[rows.any(1)])
        for part, column in zip(
            parts, (person[item], codes[rows], np.full(item.size, code), item + code * len(old.items)), strict=True
        ):
            part.append(column)
    truth, pred, log, item = (np.concatenate(part) for part in parts)
    if min(map(len, parts[0])) < 2:
        return {}
    items, item = np.unique(item, return_inverse=True)
    repeated = len(items) < item.size
    columns, sizes = [truth, pred, log, item], [new.scale.K, new.scale.K, 2, len(items)]
    axes, values = (TRUE, "pred", "log", "item"), {"log": (OLD, NEW), "item": tuple(range(len(items)))}
    many = 4 if repeated else 3
    cells, weights = tally(columns[:many], sizes[:many], None)
    cluster = "item" if repeated else None
    kept = {axis: value for axis, value in values.items() if axis in axes[:many]}
    counts = Counts(new.scale, axes[:many], cells, weights, values=kept, cluster=cluster)
    return {str(metric): compare_groups(counts, "log", metric, **same) for metric in metrics}
