"""leaderboard(): many systems joined with one truth by id, in the order of the score that decides, with the ranks that each may have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ordeval.base.docs import documented
from ordeval.base.types import Missing, Rng, Strays, Unknown
from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.evaluation._request import MetricLike, chosen_metrics
from ordeval.evaluation._score import finite_or_none
from ordeval.infer._methods import samples
from ordeval.infer._ranks import RankSets, rank_sets
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction, metric_title
from ordeval.order import Labels
from ordeval.read import Reading
from ordeval.read.runs import RunAudit, scan_runs, system_names
from ordeval.read.scan import READING
from ordeval.show import Block, Paragraph, Result, Table
from ordeval.show._numbers import number
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap

SHOWN = 4  # scores that fit beside the names


@dataclass(frozen=True, eq=False)
class Leaderboard(Result):
    """Systems in the order of the score that decides, each with the ranks that it may have."""

    counts: Counts
    audits: Mapping[str, RunAudit]  #: how each run's ids met those of the gold
    ranks: RankSets | None  #: None for a single system
    metrics: tuple[str, ...]  #: the first decides
    settings: dict[str, Any]
    source: str = ""  #: what the gold is called, such as the name of its file

    @property
    def primary(self) -> str:
        """The text of the score that decides."""
        return self.metrics[0]

    @property
    def models(self) -> tuple[str, ...]:
        """The systems, the best first."""
        return tuple(self.counts.models if self.ranks is None else self.ranks.models)

    def scores(self, model: str) -> dict[str, float]:
        """The scores of one system, by the metric's text; nan where there is none."""
        part = self.counts[model]
        return {text: float(get_metric(text).bind(part)(part.matrix)) for text in self.metrics}

    def _ranks_of(self, model: str) -> tuple[int, int]:
        return (1, 1) if self.ranks is None else (self.ranks[model].best, self.ranks[model].worst)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON (docs/json.md)."""
        return {
            "schema": 1,
            "primary": self.primary,
            "labels": list(self.counts.scale.labels),
            "systems": [self._record(model) for model in self.models],
            "settings": self.settings,
        }

    def _record(self, model: str) -> dict[str, Any]:
        scores, audit = self.scores(model), self.audits[model]
        best, worst = self._ranks_of(model)
        reasons = {text: get_metric(text).undefined for text, value in scores.items() if math.isnan(value)}
        return {
            "system": model,
            "best_rank": best,
            "worst_rank": worst,
            "rows": audit.rows,
            "missing": audit.missing,
            "strays": audit.strays,
            "scores": {text: finite_or_none(value) for text, value in scores.items()},
            **({"reasons": reasons} if reasons else {}),
        }

    def _rows(self) -> list[dict[str, Any]]:
        found = []
        for model in self.models:
            (best, worst), audit = self._ranks_of(model), self.audits[model]
            for text, value in self.scores(model).items():
                reason = get_metric(text).undefined if math.isnan(value) else ""
                ends = {"low": math.nan, "high": math.nan, "rank_best": best, "rank_worst": worst}
                counted = {"rows": audit.rows, "missing": audit.missing, "reason": reason}
                found.append({"model": model, "metric": text, "value": value, **ends, **counted})
        return found

    def _blocks(self) -> list[Block]:
        heads = [f"{metric_title(text)} {direction(get_metric(text))}" for text in self.metrics]
        rows = [[self._rank_words(m), m, *map(number, self.scores(m).values()), _gaps(self.audits[m])] for m in self.models]
        table = Table(["ranks", "system", *heads, "missing"], rows, self._together, left=2)
        return [table, *(Paragraph(words) for words in self._alike)]

    def _rank_words(self, model: str) -> str:
        best, worst = self._ranks_of(model)
        return str(best) if best == worst else f"{best}–{worst}"

    @property
    def _together(self) -> str:
        if self.ranks is None:
            return "One system."
        level = f"{100 * self.ranks.settings['confidence_level']:g} %"
        words = f"Ranks by {get_metric(self.primary).title} are simultaneous for all {len(self.models)} systems ({level})."
        return self.ranks.reason or words

    @property
    def _alike(self) -> list[str]:
        alike = [] if self.ranks is None else [group for group in self.ranks.groups if len(group) > 1]
        listed = "; ".join(", ".join(map(printable, group)) for group in alike[:6])
        return [f"Cannot be told apart: {listed}."] if alike else []

    def __str__(self) -> str:
        shown = list(self.metrics[:SHOWN])
        rows = [["ranks", "system", *(shorten(f"{text} {direction(get_metric(text))}", 15) for text in shown), "missing"]]
        for model in self.models:
            scores = self.scores(model)
            values = [number(scores[text]) for text in shown]
            rows.append([self._rank_words(model), shorten(model, 20), *values, _gaps(self.audits[model])])
        lines = [*header(self.counts, self.source), ""]
        lines += [f"  {line}" for line in align(rows, right=range(2, len(shown) + 3))] + [""]
        if self.ranks is not None:
            for words in (self._together, *self._alike):
                lines += wrap(words, WIDTH)
        if len(self.metrics) > SHOWN:
            lines += wrap(f"Further scores with --format csv or json: {', '.join(self.metrics[SHOWN:])}.", WIDTH)
        return "\n".join(lines)


def _gaps(audit: RunAudit) -> str:
    return f"{audit.missing:,}" if audit.missing else "·"


@documented(
    "The systems with their scores and ranks, and `Counts` with an axis for each.",
    gold="The truth: a file or a frame with ids and true classes.",
    runs="The predictions of each system: files or frames with ids and predicted classes; of a list of files, the systems are "
    "called by the names of the files.",
    true="The column of true classes, in the gold.",
    pred="The column of predicted classes, in every run.",
    id="The column of ids, in all of them.",
    missing="What to do with ids of the gold that a run leaves out: refuse, drop the id for all systems, or keep count as unanswered.",
    reading=READING,
    unknown="An answer that is none of the classes: refuse it, or take it for no answer.",
    strays="Ids that the gold does not have: refuse them, or leave their rows out and say so.",
)
def leaderboard(
    gold: Any,
    runs: Mapping[str, Any] | Sequence[str],
    *,
    true: str = "true",
    pred: str = "pred",
    id: str = "id",
    labels: Labels = None,
    missing: Missing = "error",
    reading: Reading | Mapping[str, Any] | None = None,
    unknown: Unknown = "error",
    strays: Strays = "error",
    max_rows: int | None = None,
    metrics: Literal["all"] | MetricLike | Sequence[MetricLike] | None = None,
    primary: MetricLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Leaderboard:
    """Rank many systems, joined with the truth by id; the ranks are simultaneous (they hold for all systems at once).

    An id that stands twice is an error; one that the gold does not have is too, unless ``strays="drop"`` or ``missing="drop"`` leaves it out.
    """
    runs = runs if isinstance(runs, Mapping) else system_names(runs)
    columns: dict[str, Any] = {"true": true, "pred": pred, "id": id}
    asked: dict[str, Any] = {"missing": missing, "reading": reading, "unknown": unknown, "strays": strays, "max_rows": max_rows}
    counts, audits = scan_runs(gold, runs, labels=labels, **columns, **asked)
    found = [str(metric) for metric in chosen_metrics(metrics, counts)]
    decides = str(get_metric(primary)) if primary is not None else "cem" if "cem" in found else found[0]
    settings = {
        "confidence_level": confidence_level,
        "n_resamples": samples("auto", n_resamples),
        "rng": rng if isinstance(rng, int) else "given",
    }
    ranks = None
    if len(runs) > 1:
        ranks = rank_sets(counts, decides, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)
    return Leaderboard(counts, audits, ranks, tuple(dict.fromkeys([decides, *found])), settings)
