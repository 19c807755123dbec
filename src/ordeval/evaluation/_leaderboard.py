"""leaderboard(): many systems joined with one truth by id, in the order of the score that decides, with the ranks that each may have."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ordeval.base.docs import documented
from ordeval.base.types import Missing, Rng
from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.evaluation._request import MetricLike, chosen_metrics
from ordeval.evaluation._score import finite_or_none
from ordeval.evaluation._verdict import no_order, rank_verdict
from ordeval.infer._methods import samples
from ordeval.infer._ranks import RankSets, rank_sets
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction, metric_title, short_title
from ordeval.metrics.core.stacks import by_place
from ordeval.order import Labels
from ordeval.read.runs import RunAudit, scan_runs, system_names
from ordeval.show import Block, Page, Paragraph, Result, Table
from ordeval.show import write as write_page
from ordeval.show._numbers import number
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap

SHOWN = 4  # scores that fit beside the names
FEW = 0.95  # of the rows answered, below which a rank is about fewer rows


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
        placed = by_place(self.counts[model], [get_metric(text) for text in self.metrics])
        found = {str(metric): float(metric.bind(part)(part.matrix)) for part, alike in placed for metric in alike}
        return {text: found[text] for text in self.metrics}

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

    @property
    def verdict(self) -> str:
        """Who is first, or may be, and among whom no order is shown."""
        if self.ranks is not None:
            return rank_verdict(self.ranks)
        model, text = self.models[0], self.primary
        return f"{model}: {short_title(text)} {number(self.scores(model)[text])}."

    @property
    def few_answers(self) -> list[str]:
        """Runs that answer less than 95 % of the rows, and what their rank is about."""
        said: list[str] = []
        all_rows = self.counts.audit.read
        if all_rows is None:
            return said
        about = {"wrong": "; the others count as wrong"}.get(str(self.counts.blanks), "; its rank is about those")
        for model in self.models:
            answered = all_rows - self.audits[model].missing
            if answered < FEW * all_rows:
                said.append(f"{printable(model)} answered {answered:,} of {all_rows:,}{about}.")
        return said

    @documented(
        "The page, for `ordeval.show.write`.", sources="Facts about the files, by name.", study="The text of the study file."
    )
    def page(self, sources: Mapping[str, str] | None = None, study: str | None = None) -> Page:
        """The report, before it has a form."""
        from ordeval.evaluation._report import leaderboard_page

        return leaderboard_page(self, sources, study)

    @documented("Nothing; the file is there, whole, or an error says why not.")
    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, as the name ends; whole or not at all."""
        write_page(self.page(), path, force=force)

    def _blocks(self) -> list[Block]:
        heads = [f"{metric_title(text)} {direction(get_metric(text))}" for text in self.metrics]
        rows = [[self._rank_words(m), m, *map(number, self.scores(m).values()), _gaps(self.audits[m])] for m in self.models]
        table = Table(["ranks", "system", *heads, "missing"], rows, self._together, left=2)
        return [table, *(Paragraph(words) for words in (*self._alike, *self.few_answers))]

    def _rank_words(self, model: str) -> str:
        best, worst = self._ranks_of(model)
        return str(best) if best == worst else f"{best}–{worst}"

    @property
    def _together(self) -> str:
        if self.ranks is None:
            return "One system."
        level = f"{100 * self.ranks.settings['confidence_level']:g} %"
        words = f"Ranks by {short_title(self.primary)}; with {level} confidence all {len(self.models)} ranges hold at once."
        return self.ranks.reason or words

    @property
    def _alike(self) -> list[str]:
        return [] if self.ranks is None else no_order(self.ranks)

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
            for words in (self._together, *self._alike, *self.few_answers):
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
    max_rows: int | None = None,
    metrics: Literal["all"] | MetricLike | Sequence[MetricLike] | None = None,
    primary: MetricLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Leaderboard:
    """Rank many systems, joined with the truth by id; the ranks are simultaneous (they hold for all systems at once).

    An id that stands twice is an error; one that the gold does not have is too, unless ``missing="drop"`` leaves it out.
    """
    runs = runs if isinstance(runs, Mapping) else system_names(runs)
    counts, audits = scan_runs(gold, runs, true=true, pred=pred, id=id, labels=labels, missing=missing, max_rows=max_rows)
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
