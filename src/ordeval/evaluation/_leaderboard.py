"""leaderboard(): many models joined with one truth by id, in the order of the score that decides, with the ranks that each may have."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.types import Missing, Rng, Strays, Unknown
from ordeval.base.version import __version__
from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.evaluation._groups import group_axes, group_name, leaderboard_groups
from ordeval.evaluation._request import MetricLike, chosen_metrics, decides
from ordeval.evaluation._score import finite_or_none
from ordeval.evaluation._study import study_lines, study_mark
from ordeval.evaluation._units import Unit, resampled, signed, unit_of
from ordeval.evaluation._verdict import no_order, rank_verdict
from ordeval.infer._methods import samples
from ordeval.infer._ranks import RankSets, rank_sets
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction, metric_title, short_title
from ordeval.metrics.core.stacks import by_place
from ordeval.order import Labels
from ordeval.read import Reading
from ordeval.read.join import STRAY
from ordeval.read.runs import RunAudit, scan_runs, system_names
from ordeval.read.scan import READING
from ordeval.show import Block, Page, Paragraph, Result, Table
from ordeval.show import write as write_page
from ordeval.show._numbers import number
from ordeval.show._plain import WIDTH, align, printable, shorten, shorten_apart, wrap
from ordeval.show._text import blocks_as_text

SHOWN = 4  # scores that fit beside the names
MOST_ANSWER = 0.95  # of the rows: a system that answers fewer is named


@dataclass(frozen=True, eq=False)
class Leaderboard(Result):
    """Models in the order of the score that decides, each with the ranks that it may have."""

    counts: Counts
    audits: Mapping[str, RunAudit]  #: how each run's ids met those of the gold
    ranks: RankSets | None  #: None for a single system
    metrics: tuple[str, ...]  #: the first decides
    settings: dict[str, Any]
    source: str = ""  #: what the gold is called, such as the name of its file
    groups: dict[Any, Leaderboard] = field(default_factory=dict)  #: by group; by "column=group" where there are several columns

    @property
    def unit(self) -> Unit | None:
        """What was resampled, by name, and how many there are: rows, or clusters."""
        return unit_of(self.counts)

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        s, counts = self.settings, self.counts
        blanks = f" missing:{counts.blanks}" if counts.blanks else ""
        drawn = f"level:{s['confidence_level']} b:{s['n_resamples']} seed:{s['rng']}"
        return f"n:{counts.total} k:{counts.scale.K}{blanks} {drawn} v:{__version__} numpy:{np.__version__}{signed(counts)}{study_mark(s)}"

    @property
    def few_answers(self) -> list[str]:
        """A sentence for each model that answered less than 95 % of the rows: what its rank is about."""
        audit, counts = self.counts.audit, self.counts
        of = (audit.read or 0) - audit.excluded.get(STRAY, 0)
        how = f"the others count as {counts.blanks}" if counts.blanks else "its rank is about those"
        found = []
        for model in self.models:
            filled = next(iter(counts.filled.get(model, {})), "")
            answered, about = of - self.audits[model].missing, f"the others count as {filled}" if filled else how
            if answered < MOST_ANSWER * of:
                found.append(f"{printable(model)} answered {answered:,} of {of:,}; {about}.")
        return found

    @property
    def primary(self) -> str:
        """The text of the score that decides."""
        return self.metrics[0]

    @property
    def models(self) -> tuple[str, ...]:
        """The models, the best first."""
        return tuple(self.counts.models if self.ranks is None else self.ranks.models)

    def scores(self, model: str) -> dict[str, float]:
        """The scores of one model, by the metric's text; nan where there is none."""
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
            "signature": self.signature,
            **({"notes": self.few_answers} if self.few_answers else {}),
            **({"groups": {str(value): board.to_dict() for value, board in self.groups.items()}} if self.groups else {}),
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
        own = self._own_rows()
        if not self.groups:
            return own
        rows = [{"group": "", **row} for row in own]
        return rows + [{"group": value, **row} for value, board in self.groups.items() for row in board._own_rows()]

    def _own_rows(self) -> list[dict[str, Any]]:
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

    @documented(
        "The page, for `ordeval.show.write`.", sources="Facts about the files, by name.", study="The text of the study file."
    )
    def page(self, sources: Mapping[str, str] | None = None, study: str | None = None) -> Page:
        """The report as blocks, before it is written in a format."""
        from ordeval.evaluation._report import leaderboard_page

        return leaderboard_page(self, sources, study)

    @documented("Nothing; either the whole file is written, or an error says why not.")
    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, by the ending of the file name; the file is written whole or not at all."""
        write_page(self.page(), path, force=force)

    def _blocks(self) -> list[Block]:
        heads = [f"{metric_title(text)} {direction(get_metric(text))}" for text in self.metrics]
        rows = [[self._rank_words(m), m, *map(number, self.scores(m).values()), _gaps(self.audits[m])] for m in self.models]
        table = Table(["ranks", "system", *heads, "missing"], rows, self._together, self.few_answers, left=2)
        return [table, *(Paragraph(words) for words in self._alike), *leaderboard_groups(self)]

    def _rank_words(self, model: str) -> str:
        best, worst = self._ranks_of(model)
        return str(best) if best == worst else f"{best}–{worst}"

    @property
    def _together(self) -> str:
        if self.ranks is None:
            return f"One system{resampled(self.counts)}."
        level = f"{100 * self.ranks.settings['confidence_level']:g} %"
        words = f"Ranks by {short_title(self.primary)}; with {level} confidence all {len(self.models)} ranges hold at once"
        return self.ranks.reason or f"{words}{resampled(self.counts)}."

    @property
    def _alike(self) -> list[str]:
        return [] if self.ranks is None else no_order(self.ranks)

    def __str__(self) -> str:
        shown = list(self.metrics[:SHOWN])
        rows = [["ranks", "system", *(shorten(f"{text} {direction(get_metric(text))}", 15) for text in shown), "missing"]]
        for model, name in zip(self.models, shorten_apart(self.models, 20), strict=True):
            scores = self.scores(model)
            values = [number(scores[text]) for text in shown]
            rows.append([self._rank_words(model), name, *values, _gaps(self.audits[model])])
        lines = [*header(self.counts, self.source), ""]
        lines += [f"  {line}" for line in align(rows, right=range(2, len(shown) + 3))] + [""]
        if self.ranks is not None:
            for words in (self._together, *self._alike, *self.few_answers):
                lines += wrap(words, WIDTH)
        for table in leaderboard_groups(self):
            lines += ["", *blocks_as_text([table]).split("\n")]
        if len(self.metrics) > SHOWN:
            lines += wrap(f"Further scores with --format csv or json: {', '.join(self.metrics[SHOWN:])}.", WIDTH)
        changed = [line for words in study_lines(self.settings)[1:] for line in wrap(printable(words), WIDTH)]
        return "\n".join([*lines, "", *wrap(self.signature, WIDTH), *changed])


def _gaps(audit: RunAudit) -> str:
    return f"{audit.missing:,}" if audit.missing else "·"


@documented(
    "The models with their scores and ranks, and `Counts` with an axis for each.",
    gold="The truth: a file or a frame with ids and true classes.",
    runs="The predictions of each model: files or frames with ids and predicted classes; in a list of files, each model takes the "
    "name of its file.",
    true="The column of the gold that holds the true classes.",
    pred="The column of every run that holds the predicted classes.",
    id="The column of ids, in the gold and in every run.",
    by="Columns of the gold that name groups: the models are also ranked in every group.",
    cluster="The column of the gold that names the cluster of each row (a patient, a document).",
    missing="What to do with ids of the gold that a run leaves out: refuse them, drop them for all models, keep count of them as "
    "unanswered, count them as wrong, or count them as a class with ``{'as': LABEL}``.",
    reading=READING,
    unknown="What to do with an answer that is not one of the classes: refuse it, or treat it as no answer.",
    strays="What to do with ids that the gold does not have: refuse them, or leave their rows out and report it.",
)
def leaderboard(
    gold: Any,
    runs: Mapping[str, Any] | Sequence[str],
    *,
    true: str = "true",
    pred: str = "pred",
    id: str = "id",
    labels: Labels = None,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
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
    """Rank many models, joined with the truth by id; the ranks are simultaneous (they hold for all models at once).

    An id that occurs twice is an error; so is one that the gold does not have, unless ``strays="drop"`` or ``missing="drop"``
    leaves it out.
    """
    runs = runs if isinstance(runs, Mapping) else system_names(runs)
    columns: dict[str, Any] = {"true": true, "pred": pred, "id": id, "by": by, "cluster": cluster}
    asked: dict[str, Any] = {"missing": missing, "reading": reading, "unknown": unknown, "strays": strays, "max_rows": max_rows}
    counts, audits = scan_runs(gold, runs, labels=labels, **columns, **asked)
    same: dict[str, Any] = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng}
    return board_of(counts, audits, metrics, primary, **same)


def board_of(
    counts: Counts,
    audits: Mapping[str, RunAudit],
    metrics: Any = None,
    primary: MetricLike | None = None,
    *,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Leaderboard:
    """The leaderboard of counts with an axis for each model, and of every group of their rows."""
    found = chosen_metrics(metrics, counts)
    decisive = get_metric(primary) if primary is not None else decides(found)
    settings = {
        "confidence_level": confidence_level,
        "n_resamples": samples("auto", n_resamples),
        "rng": rng if isinstance(rng, int) else "given",
    }
    texts = tuple(dict.fromkeys(map(str, [decisive, *found])))

    def ranked(part: Counts, of: Mapping[str, RunAudit]) -> Leaderboard:
        ranks = None
        if len(audits) > 1:
            ranks = rank_sets(part, decisive, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)
        return Leaderboard(part, of, ranks, texts, settings)

    board, axes = ranked(counts, audits), group_axes(counts)
    for axis in axes:
        for value, part in counts.groups(axis).items():
            if part.total:  # else the table of groups says so
                board.groups[group_name(axis, value, axes)] = ranked(part, _audits_of(part, audits))
    return board


def _audits_of(counts: Counts, audits: Mapping[str, RunAudit]) -> dict[str, RunAudit]:
    """How the runs met the rows of a group: ids that the gold does not have belong to none."""
    silent = {model: counts[model].unanswered.sum().item() for model in audits}
    rows = int(counts.weights.sum())
    return {model: RunAudit(rows - int(missing), int(missing), 0) for model, missing in silent.items()}
