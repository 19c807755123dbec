"""Do scores agree about who is best?  Rankings by several scores, and who wins by which."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.infer._common import record
from ordeval.infer._evidence import EQUAL
from ordeval.infer._ranks import Metrics, answering_models, goodness, points
from ordeval.metrics import Metric, get_metric
from ordeval.show import Block, Result, Table
from ordeval.show._numbers import number
from ordeval.show._plain import printable
from ordeval.show._result import Record


@dataclass(frozen=True, eq=False)
class RankingAgreement(Result):
    """Kendall's tau-b between the rankings that metrics give: 1 the same order, −1 the reverse."""

    metrics: tuple[str, ...]
    tau: Array  #: (metrics, metrics); nan where a metric ranks all models equal
    models: tuple[str, ...]

    @property
    def least(self) -> tuple[str, str, float]:
        """The two metrics that agree least."""
        first, second = np.triu_indices(len(self.metrics), 1)
        tau = self.tau[first, second]
        if np.isnan(tau).all():
            return self.metrics[0], self.metrics[-1], math.nan
        worst = int(np.nanargmin(tau))
        return self.metrics[first[worst]], self.metrics[second[worst]], float(tau[worst])

    def _rows(self) -> list[Record]:
        return [
            {"metric": one, "other": other, "tau": float(tau)}
            for one, row in zip(self.metrics, self.tau, strict=True)
            for other, tau in zip(self.metrics, row, strict=True)
        ]

    def _blocks(self) -> list[Block]:
        numbers = [str(i + 1) for i in range(len(self.metrics))]
        rows = [
            [numbers[i], text, *("—" if math.isnan(t) else number(t, 2) for t in self.tau[i])]
            for i, text in enumerate(self.metrics)
        ]
        caption = f"Agreement of the rankings of {len(self.models)} models: Kendall's tau-b."
        return [Table(["", "metric", *numbers], rows, caption, left=2)]


@documented("Kendall's tau-b between all pairs of metrics.")
def ranking_agreement(counts: Counts, metrics: Metrics, *, models: Sequence[str] | None = None) -> RankingAgreement:
    """How far metrics agree on the order of the models; models that a metric leaves undefined are left out of its pairs."""
    found, names = _several(metrics), answering_models(counts, models)
    good = np.stack([goodness(metric, row) for metric, row in zip(found, points(counts, found, names), strict=True)])
    return agreement_of(found, good, names)


def agreement_of(metrics: Sequence[Metric], good: Array, models: tuple[str, ...]) -> RankingAgreement:
    """How far the rankings agree that follow from how good each metric finds each model, (metrics, models)."""
    first, second = np.triu_indices(len(models), 1)
    gap = good[:, first] - good[:, second]
    known = ~np.isnan(gap)
    sign = np.where(known & (np.abs(gap) > EQUAL), np.sign(gap), 0.0)
    untied = sign**2 @ known.T.astype(float)  # pairs that one metric separates, among those that both can judge
    return RankingAgreement(tuple(map(str, metrics)), ratio(sign @ sign.T, np.sqrt(untied * untied.T)), models)


def _several(metrics: Metrics) -> list[Metric]:
    if isinstance(metrics, str) or len(metrics) < 2:
        raise ArgumentError(
            "rankings are compared between two metrics or more",
            argument="metrics",
            remedy="give a list: {metrics:['mae', 'cohen_kappa']}",
        )
    return [get_metric(text) for text in metrics]


@dataclass(frozen=True)
class Winner:
    """Who wins under one metric, by how much, and before whom."""

    metric: str
    models: tuple[str, ...]  #: several where they tie, none where no score is defined
    score: float
    second: tuple[str, ...]
    margin: float  #: how much better than the second; nan where there is none

    def __str__(self) -> str:
        return f"{self.metric}: {_list(self.models)} {number(self.score)}, ahead of {_list(self.second)} by {number(self.margin)}"


@dataclass(frozen=True)
class WinnerSensitivity(Result):
    """Who wins under each metric and each choice of its parameters."""

    winners: tuple[Winner, ...]

    @property
    def wins(self) -> dict[str, int]:
        """Under how many metrics each model wins, ties included; most first."""
        return dict(Counter(model for winner in self.winners for model in winner.models).most_common())

    @property
    def undisputed(self) -> tuple[str, ...]:
        """Models that win, or tie, under every metric."""
        return tuple(model for model, times in self.wins.items() if times == len(self.winners))

    def _rows(self) -> list[Record]:
        columns = "metric models value second margin"
        return [record(columns, w.metric, " = ".join(w.models), w.score, " = ".join(w.second), w.margin) for w in self.winners]

    def _blocks(self) -> list[Block]:
        rows = [[w.metric, _list(w.models), _list(w.second), number(w.score), number(w.margin)] for w in self.winners]
        tally = ", ".join(f"{model} {times}" for model, times in self.wins.items())
        verdict = (
            f"{_list(self.undisputed)} wins under all {len(self.winners)}."
            if self.undisputed
            else f"The winner depends on the metric: {tally or 'none has a winner'} of {len(self.winners)}."
        )
        return [Table(["metric", "winner", "second", "score", "margin"], rows, verdict, left=3)]


@documented("The winner under each metric.")
def winner_sensitivity(counts: Counts, metrics: Metrics, *, models: Sequence[str] | None = None) -> WinnerSensitivity:
    """Who wins under each metric; parameters are varied by their texts: ["oci", "oci(gamma=2.0)", "oci(share=0)"]."""
    found, names = _several(metrics), answering_models(counts, models)
    winners = []
    for metric, scores in zip(found, points(counts, found, names), strict=True):
        good = goodness(metric, scores)
        first, top = _leaders(good, names)
        second, next_best = _leaders(np.where(np.isin(names, first), np.nan, good), names)
        score = float(scores[names.index(first[0])]) if first else math.nan
        winners.append(Winner(str(metric), first, score, second, top - next_best))
    return WinnerSensitivity(tuple(winners))


def _leaders(good: Array, names: tuple[str, ...]) -> tuple[tuple[str, ...], float]:
    """Those with the best score, all of them where they tie, and how good they are."""
    if np.isnan(good).all():
        return (), math.nan
    top = float(np.nanmax(good))
    return tuple(model for model, g in zip(names, good, strict=True) if g >= top - EQUAL), top


def _list(models: Sequence[str]) -> str:
    return " = ".join(map(printable, models)) or "nobody"
