"""Judging metrics on a campaign: what they capture, how steady they are, how many systems they tell apart.

Unanimous improvement ratio and coverage are those of Amigó et al. (2011, 2020): a metric covers a set of reference metrics if its
differences between systems follow the improvements that all of them see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.base.lazy import lazy
from ordeval.base.progress import shown
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Rng
from ordeval.choose._campaign import Campaign
from ordeval.counts import Counts
from ordeval.infer._bands import simultaneous
from ordeval.infer._evidence import EQUAL
from ordeval.infer._ranks import goodness
from ordeval.infer._winners import RankingAgreement, agreement_of
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.stacks import score_stack
from ordeval.show import Block, Line, Result, Table
from ordeval.show._numbers import listed, percent
from ordeval.show._plain import count_text, shorten
from ordeval.show._result import plain_data

AnyMetric: TypeAlias = str | Metric | Callable[..., Any]

#: Class matching, order, and imbalance: what the CEM paper wants a metric to capture.
REFERENCE = ("accuracy", "kendall_tau(variant='a')", "mutual_information")

#: The metrics of the CEM paper's Table 3, in its order.
PAPER_METRICS = (
    *REFERENCE,
    "macro_f1",
    "balanced_accuracy",
    "cohen_kappa(weights='identity')",
    "accuracy_within",
    "mae",
    "amae",
    "mse",
    "amse",
    "pearson",
    "spearman",
    "cem",
    "cem(flat=True)",
)
#: Those of its Table 2 that are functions of a table, other forms of the same, and STC.
OTHER_METRICS = (
    "cohen_kappa(weights='linear')",
    "cohen_kappa",
    "kendall_tau",
    "goodman_kruskal_gamma",
    "order_f",
    "cosine",
    "mutual_information(mean='geometric')",
    "purity",
    "inverse_purity",
    "cem(level='nominal')",
    "cem(level='interval')",
    "oci",
    "oci(share=0.25)",
    "stc",
)
METRICS = (*PAPER_METRICS, *OTHER_METRICS)

SHARES = (1 / 2, 1 / 4, 1 / 8)
SPLITS = 200  # of the test cases, for each number of them


def mid_ranks(values: Array) -> Array:
    """Ranks from 0 along the last axis; values that are the same but for rounding share the mean of their ranks."""
    size = values.shape[-1]
    order = np.argsort(values, -1, kind="stable")
    ordered = np.take_along_axis(values, order, -1)
    step = np.diff(ordered, axis=-1) > EQUAL
    edge = np.ones((*values.shape[:-1], 1), bool)
    place = np.arange(size)
    first = np.maximum.accumulate(np.where(np.concatenate([edge, step], -1), place, 0), -1)
    last = np.minimum.accumulate(np.where(np.concatenate([step, edge], -1), place, size)[..., ::-1], -1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2, -1)
    return ranks


def rank_correlation(one: Array, other: Array) -> Array:
    """Spearman's correlation along the last axis; nan where one of the two is constant."""
    a, b = (ranks - ranks.mean(-1, keepdims=True) for ranks in (mid_ranks(one), mid_ranks(other)))
    return ratio((a * b).sum(-1), np.sqrt((a * a).sum(-1) * (b * b).sum(-1)))


def improvement_ratio(good: Array) -> Array:
    """Unanimous improvement ratio of every system (rows) over every other (columns), from (metrics, cases, systems), more is better.

    The share of cases in which all metrics find the first at least as good, minus that in which they find the second so.
    Where a metric has no score for one of the two, there is no unanimity.
    """
    at_least = (good[..., :, None] - good[..., None, :] >= -EQUAL).all(0)  # (cases, systems, systems)
    ahead = at_least.mean(0)
    improved: Array = ahead - ahead.T
    return improved


def coverage_of(good: Array, improvement: Array) -> Array:
    """Rank correlation over all pairs of systems between differences of mean scores (..., systems) and improvement ratios."""
    pairs = ~np.eye(len(improvement), dtype=bool)
    differences = (good[..., :, None] - good[..., None, :])[..., pairs]
    return rank_correlation(differences, np.broadcast_to(improvement[pairs], differences.shape))


def robustness_of(good: Array) -> float:
    """Mean over all pairs of cases of the rank correlation between the scores that systems have in them, from (cases, systems).

    Cases in which all systems score the same have no ranking and are left out; nan if fewer than two remain.
    """
    ranks = mid_ranks(good)
    ranks = ranks - ranks.mean(-1, keepdims=True)
    length = np.sqrt((ranks**2).sum(-1, keepdims=True))
    unit = (ranks / np.where(length > 0, length, 1))[length[:, 0] > 0]
    cases = len(unit)
    if cases < 2:
        return math.nan
    together = unit.sum(0)
    return float((together @ together - cases) / (cases * (cases - 1)))


@dataclass(frozen=True)
class Judgement:
    """What a campaign says of one metric."""

    metric: str
    coverage: float
    robustness: float
    cases: int  #: in which it has a score at all
    systems: int  #: for which it has a score in all of these


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Result):
    """Metrics judged on a campaign.  Printing it shows a table; the parts are computed when first asked for."""

    campaign: Campaign
    metrics: tuple[str, ...]
    against: tuple[str, ...]  #: the reference metrics, whose unanimous improvements count
    scores: Array  #: (metrics, cases, systems)
    improvement: Array  #: (systems, systems) unanimous improvement ratio of the row's system over the column's
    settings: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, metric: AnyMetric) -> Judgement:
        return self.judgements[self._position(metric)]

    def _position(self, metric: AnyMetric) -> int:
        text = str(get_metric(metric))
        if text not in self.metrics:
            raise KeyError(f"{text!r} was not judged; these were: {', '.join(self.metrics)}")
        return self.metrics.index(text)

    @lazy
    def found(self) -> list[Metric]:
        """The metrics themselves."""
        return [get_metric(text) for text in self.metrics]

    @lazy
    def good(self) -> Array:
        """The scores as numbers of which more is better, (metrics, cases, systems)."""
        return np.stack([goodness(metric, scores) for metric, scores in zip(self.found, self.scores, strict=True)])

    @lazy
    def defined(self) -> tuple[Array, Array]:
        """For each metric the cases in which some system has a score, and the systems that have one in all of these."""
        unknown = np.isnan(self.scores)
        cases = np.asarray(~unknown.all(-1))
        some = np.asarray(cases.any(-1))[:, None]
        systems = ~(unknown & cases[..., None]).any(1) & some
        return cases, np.asarray(systems)

    @lazy
    def mean(self) -> Array:
        """How good each metric finds each system on the mean over the cases, (metrics, systems); nan where undefined."""
        cases, systems = self.defined
        total = np.where(cases[..., None], self.good, 0).sum(1)
        return np.where(systems, ratio(total, cases.sum(-1)[:, None]), np.nan)

    @documented("{metric: coverage}.", systems="The systems to look at; None means all of them.")
    def coverage(self, systems: Sequence[str] | None = None) -> dict[str, float]:
        """Coverage of the reference metrics by each metric, over all systems or some of them."""
        names = self.campaign.systems
        for name in systems or ():
            if name not in names:
                raise ArgumentError(
                    "there is no system {name} in the campaign",
                    argument="systems",
                    remedy=near(name, names),
                    values={"name": repr(name)},
                )
        chosen = np.array([systems is None or name in systems for name in names])
        kept = self.defined[1] & chosen
        covered = np.full(len(self.metrics), np.nan)
        for mask in np.unique(kept, axis=0):  # nearly always one: metrics that have a score for the same systems
            members = (kept == mask).all(1)
            if mask.sum() > 1:
                covered[members] = coverage_of(self.mean[members][:, mask], self.improvement[np.ix_(mask, mask)])
        return dict(zip(self.metrics, covered.tolist(), strict=True))

    @lazy
    def robustness(self) -> dict[str, float]:
        """How far the test cases agree on the order of the systems, by each metric."""
        return {text: robustness_of(self._compact(m)) for m, text in enumerate(self.metrics)}

    def _compact(self, m: int) -> Array:
        """How good one metric finds the systems it can judge in the cases it can judge, (cases, systems)."""
        cases, systems = self.defined
        return np.asarray(self.good[m][np.ix_(cases[m], systems[m])])

    @lazy
    def judgements(self) -> tuple[Judgement, ...]:
        """What the campaign says of each metric."""
        covered, (cases, systems) = self.coverage(), self.defined
        return tuple(
            Judgement(text, covered[text], self.robustness[text], int(cases[m].sum()), int(systems[m].sum()))
            for m, text in enumerate(self.metrics)
        )

    @lazy
    def agreement(self) -> RankingAgreement:
        """Kendall's tau-b between the rankings by mean score that the metrics give."""
        return agreement_of(self.found, self.mean, self.campaign.systems)

    @documented("{metric: share}.")
    def told_apart(self, *, confidence_level: float = 0.95, n_resamples: int = 999, rng: Rng = 0) -> dict[str, float]:
        """Discriminative power: the share of pairs of systems that each metric tells apart.

        Test cases are resampled; a pair is told apart where the interval of its mean difference leaves out 0, with intervals that
        are simultaneous for all pairs.  nan with fewer than two cases.
        """
        random = np.random.default_rng(rng)
        number = len(self.campaign.cases)
        drawn = random.multinomial(number, np.full(number, 1 / number), n_resamples)
        cases, _ = self.defined
        return {
            self.metrics[m]: _share_apart(self._compact(m), drawn[:, cases[m]], confidence_level)
            for m in self._each("resampling test cases")
        }

    def _each(self, what: str) -> Iterator[int]:
        """The number of each metric; where they take long, how far they are."""
        size = len(self.metrics)
        return (chunk.start for chunk in shown((slice(m, m + 1) for m in range(size)), size, what))

    @documented(
        "{number of cases: {metric: mean rank correlation}}.",
        shares="The share of the test cases that each of the two sets holds, up to 1/2.",
    )
    def by_cases(self, shares: Sequence[float] = SHARES, *, rng: Rng = 0) -> dict[int, dict[str, float]]:
        """For some numbers of test cases: how far two sets of that many, without a common one, agree on the order of the systems."""
        for share in shares:
            if not 0 < share <= 1 / 2:
                raise ArgumentError(
                    "a share of {share} cannot be taken: the two sets have no case in common",
                    argument="shares",
                    remedy="give a share above 0 and at most 1/2",
                    values={"share": repr(share)},
                )
        random, total = np.random.default_rng(rng), len(self.campaign.cases)
        found: dict[int, dict[str, float]] = {}
        for number in dict.fromkeys(int(share * total) for share in shares if int(share * total) >= 1):
            shuffled = random.permuted(np.tile(np.arange(total), (SPLITS, 1)), axis=1)
            halves = np.zeros((2, SPLITS, total))
            for half in (0, 1):
                np.put_along_axis(halves[half], shuffled[:, half * number : (half + 1) * number], 1 / number, 1)
            found[number] = {text: self._halves_agree(m, halves) for m, text in enumerate(self.metrics)}
        return found

    def _halves_agree(self, m: int, halves: Array) -> float:
        """Mean rank correlation of the systems' mean scores between two sets of cases, given as weights (2, splits, cases)."""
        cases, systems = self.defined
        weights, good = halves[..., cases[m]], self._compact(m)
        if systems[m].sum() < 2:
            return math.nan
        one, other = ratio(weights @ good, weights.sum(-1, keepdims=True))
        judged = ~np.isnan(one + other).any(-1)  # a set may hold none of the cases in which the metric has a score
        return _mean(rank_correlation(one[judged], other[judged]))

    @documented(
        "{share: {metric: mean rank correlation}}.",
        shares="The share of the rows of a case that each of the two sets holds, up to 1/2.",
    )
    def by_rows(self, shares: Sequence[float] = SHARES, *, rng: Rng = 0) -> dict[float, dict[str, float]]:
        """For some shares of the rows: how far two sets of rows of each case, without a common one, agree on the order of the systems.

        The mean over the cases; a case in which a metric leaves a system undefined, or finds all alike, is left out.
        """
        random = np.random.default_rng(rng)
        found: dict[float, dict[str, float]] = {}
        for share in shares:
            halves = self.campaign.split(share, random)
            found[share] = {}
            for m in self._each("splitting test cases"):
                metric = self.found[m]
                one, other = (self._filled(metric, score_stack(metric, half, self.campaign.scale)) for half in halves)
                known = ~(np.isnan(one) | np.isnan(other))[:, self.defined[1][m]].any(1)
                one, other = (goodness(metric, half)[np.ix_(known, self.defined[1][m])] for half in (one, other))
                found[share][self.metrics[m]] = _mean(rank_correlation(one, other)) if one.size else math.nan
        return found

    def _filled(self, metric: Metric, scores: Array) -> Array:
        return filled(metric, scores, self.settings.get("undefined", {}))

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(vars(judgement)) for judgement in self.judgements]

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the judgements and what they rest on, without the tables of the campaign."""
        on = {"cases": self.campaign.cases, "systems": self.campaign.systems, "against": self.against}
        return plain_data(on | {"judgements": self.judgements})  # type: ignore[no-any-return]

    def _blocks(self) -> list[Block]:
        """One line for each metric, the best covered first: coverage, robustness, pairs told apart, agreement of halves of the rows."""
        campaign, apart = self.campaign, self.told_apart()
        halves = self.by_rows() if campaign.rows is not None and campaign.rows.number.dtype.kind == "i" else {}
        sizes = [f"{share * campaign.tables[:, 0].sum((-2, -1)).mean():,.0f}" for share in halves]
        order = sorted(self.judgements, key=lambda j: -np.inf if math.isnan(j.coverage) else j.coverage, reverse=True)
        rows = [
            [
                found.metric,
                "*" if found.metric in self.against else "",
                two_decimals(found.coverage),
                two_decimals(found.robustness),
                "—" if math.isnan(apart[found.metric]) else percent(apart[found.metric]),
                *(two_decimals(values[found.metric]) for values in halves.values()),
            ]
            for found in order
        ]
        notes = [
            f"* reference: an improvement counts if {listed(self.against)} all see it.",
            "cover: rank correlation, over pairs of systems, of score differences with the unanimous improvement ratio.",
            "robust: mean rank correlation of the systems' scores between two test cases.",
            "apart: share of pairs of systems told apart by simultaneous 95 % intervals; test cases are resampled.",
            f"{', '.join(sizes)}: mean rank correlation of the systems' scores between two sets of about this many rows of a test case, "
            "without a common row."
            if halves
            else "The rows that the systems share are not known, so nothing can be said about fewer rows.",
        ]
        if len(self.metrics) > 1:
            one, other, tau = self.agreement.least
            notes.append(f"The rankings by {one} and {other} agree least: Kendall's tau-b {two_decimals(tau)}.")
        size = f"{len(campaign.cases):,} test cases × {len(campaign.systems):,} systems"
        return [
            Line(f"{size}, classes {shorten(campaign.scale, 40)}"),
            Table(["metric", "", "cover", "robust", "apart", *sizes], rows, notes[0], [*notes[1:], *self._undefined()], left=2),
        ]

    def _undefined(self) -> list[str]:
        """Which metrics have no score for some systems or cases."""
        missing: dict[str, list[str]] = {}
        for found in self.judgements:
            gone = (len(self.campaign.cases) - found.cases, "test case"), (len(self.campaign.systems) - found.systems, "system")
            said = " and ".join(count_text(number, word) for number, word in gone if number) if found.cases else "all test cases"
            if said:
                missing.setdefault(said, []).append(found.metric)
        return [
            f"{listed(metrics)} {'is' if len(metrics) == 1 else 'are'} undefined for {said}, "
            f"which {'its line leaves' if len(metrics) == 1 else 'their lines leave'} out."
            for said, metrics in missing.items()
        ]


def two_decimals(value: float) -> str:
    """A correlation for people; a dash where there is none."""
    return "—" if math.isnan(value) else f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _share_apart(good: Array, drawn: Array, confidence_level: float) -> float:
    cases, systems = good.shape
    if cases < 2 or systems < 2:
        return math.nan
    drawn = drawn[drawn.sum(1) > 0]
    replicates = drawn @ good / drawn.sum(1, keepdims=True)
    first, second = np.triu_indices(systems, 1)
    point = good.mean(0)
    bands = simultaneous(
        point[first] - point[second],
        lambda block: np.asarray(replicates[:, first[block]] - replicates[:, second[block]]),
        confidence_level,
        units=cases,
    )
    return float(((bands.low > 0) | (bands.high < 0)).mean())


def filled(metric: Metric, scores: Array, undefined: Mapping[str, float]) -> Array:
    """The scores, undefined ones counted as the number given for this metric, if one is."""
    instead = undefined.get(str(metric))
    return scores if instead is None else np.where(np.isnan(scores), instead, scores)


@renamed_keywords
@documented(
    "The judgement on each metric; its parts are computed when they are first asked for.",
    campaign="A `Campaign`, or {case: counts of several models}.",
    metrics="The metrics to judge; None means 29 well-known ones, as far as the counts allow.",
    against="The reference metrics, whose unanimous improvements count; None means accuracy, Kendall's tau-a and mutual information.",
    undefined='What an undefined score counts as, by metric: ``{"spearman": 0.0}``.',
)
def meta_evaluate(
    campaign: Campaign | Mapping[str, Counts | Mapping[str, Counts]],
    *,
    metrics: Sequence[AnyMetric] | None = None,
    against: Sequence[AnyMetric] | None = None,
    undefined: Mapping[str, float] | None = None,
) -> MetaEvaluation:
    """Judge metrics on a campaign: coverage, robustness, agreement, discriminative power, sensitivity to the size of the sample.

    An undefined score is left out, with its system, and the table says so, unless ``undefined`` gives it a value.

    >>> from ordeval.choose._synthetic import simulate
    >>> judged = meta_evaluate(simulate(cases=20), metrics=["cem", "accuracy"])
    >>> round(judged["cem"].coverage, 1), round(judged["accuracy"].coverage, 1)
    (0.9, 0.8)
    """
    if not isinstance(campaign, Campaign):
        campaign = Campaign.from_counts(campaign)
    asked = [get_metric(text) for text in (metrics if metrics is not None else _usable(campaign))]
    base = [get_metric(text) for text in (REFERENCE if against is None else against)]
    for given, what in ((asked, "metrics"), (base, "against")):
        if not given:
            raise ArgumentError(f"{{{what}}} names no metric", argument=what, remedy="give one or more")
        texts = [str(metric) for metric in given]
        if twice := [text for text in texts if texts.count(text) > 1]:
            raise ArgumentError(f"{{{what}}} names {{metric}} twice", argument=what, values={"metric": twice[0]})
    instead = {str(get_metric(text)): float(value) for text, value in (undefined or {}).items()}
    scores = {metric: filled(metric, campaign.scores(metric), instead) for metric in dict.fromkeys([*asked, *base])}
    improvement = improvement_ratio(np.stack([goodness(metric, scores[metric]) for metric in base]))
    return MetaEvaluation(
        campaign,
        tuple(map(str, asked)),
        tuple(map(str, base)),
        np.stack([scores[metric] for metric in asked]),
        improvement,
        {"undefined": instead},
    )


def _usable(campaign: Campaign) -> list[str]:
    """The metrics whose needs these counts meet."""
    whole = campaign.tables.dtype.kind == "i"
    return [text for text in METRICS if whole or "whole counts" not in get_metric(text).needs]
