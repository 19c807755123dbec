"""The leaderboard: systems in the order of the score that decides, with the ranks that each may have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ordeval.counts import Counts
from ordeval.counts.text import header
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import direction, metric_title
from ordeval.show._formats import as_json, chosen
from ordeval.show._numbers import number
from ordeval.show._plain import WIDTH, align, printable, shorten, wrap
from ordeval.show._tables import Table, csv, latex, markdown

if TYPE_CHECKING:
    from ordeval.infer._ranks import RankSets
    from ordeval.read.runs import RunAudit

SHOWN = 4  # scores that fit beside the names


def board(
    counts: Counts,
    audits: Mapping[str, RunAudit],
    ranks: RankSets | None,
    metrics: Sequence[str],
    settings: Mapping[str, Any],
    format: str,
    source: str,
) -> str:
    """The leaderboard in the format asked for."""
    scores = {model: _scores(counts[model], metrics) for model in counts.models}
    order = list(ranks.models) if ranks is not None else list(counts.models)
    records = [_record(model, ranks, audits[model], scores[model]) for model in order]
    head = {"schema": 1, "primary": metrics[0], "labels": list(counts.scale.labels)}
    flat = [{**{k: v for k, v in r.items() if k not in ("scores", "reasons")}, **r["scores"]} for r in records]
    return chosen(
        format,
        {
            "text": lambda: "\n".join(_text(counts, records, metrics, ranks, source)),
            "json": lambda: as_json({**head, "systems": records, "settings": dict(settings)}),
            "csv": lambda: csv(flat),
            "md": lambda: markdown(_table(records, metrics, ranks)),
            "latex": lambda: latex(_table(records, metrics, ranks)),
        },
    )


def _scores(counts: Counts, metrics: Sequence[str]) -> dict[str, float | None]:
    values = {text: float(get_metric(text).bind(counts)(counts.matrix)) for text in metrics}
    return {text: None if math.isnan(value) else value for text, value in values.items()}


def _record(model: str, ranks: RankSets | None, audit: RunAudit, scores: Mapping[str, float | None]) -> dict[str, Any]:
    place = (
        {"best_rank": ranks[model].best, "worst_rank": ranks[model].worst}
        if ranks is not None
        else {"best_rank": 1, "worst_rank": 1}
    )
    missing = {text: get_metric(text).undefined for text, value in scores.items() if value is None}
    return {
        "system": model,
        **place,
        "rows": audit.rows,
        "missing": audit.missing,
        "strays": audit.strays,
        "scores": dict(scores),
        **({"reasons": missing} if missing else {}),
    }


def _rank_words(record: Mapping[str, Any]) -> str:
    best, worst = record["best_rank"], record["worst_rank"]
    return str(best) if best == worst else f"{best}–{worst}"


def _value(value: float | None) -> str:
    return number(math.nan if value is None else value)


def _table(records: Sequence[Mapping[str, Any]], metrics: Sequence[str], ranks: RankSets | None) -> Table:
    heads = [f"{metric_title(text)} {direction(get_metric(text))}" for text in metrics]
    rows = [[_rank_words(r), r["system"], *(_value(r["scores"][text]) for text in metrics)] for r in records]
    caption = "One system." if ranks is None else _together(ranks, metrics[0])
    return Table(["ranks", "system", *heads], rows, caption, left=2)


def _together(ranks: RankSets, metric: str) -> str:
    level = f"{100 * ranks.settings['confidence_level']:g} %"
    return f"RankSets by {get_metric(metric).title} hold for all {len(ranks.models)} systems together ({level})."


def _text(
    counts: Counts, records: Sequence[Mapping[str, Any]], metrics: Sequence[str], ranks: RankSets | None, source: str
) -> list[str]:
    shown = list(metrics[:SHOWN])
    rows = [["ranks", "system", *(shorten(f"{text} {direction(get_metric(text))}", 15) for text in shown), "missing"]]
    for r in records:
        gaps = f"{r['missing']:,}" if r["missing"] else "·"
        rows.append([_rank_words(r), shorten(r["system"], 20), *(_value(r["scores"][text]) for text in shown), gaps])
    lines = [*header(counts, source), "", *(f"  {line}" for line in align(rows, right=range(2, len(shown) + 3))), ""]
    if ranks is not None:
        lines += wrap(ranks.reason or _together(ranks, metrics[0]), WIDTH)
        alike = [group for group in ranks.groups if len(group) > 1]
        if alike:
            lines += wrap(f"Cannot be told apart: {'; '.join(', '.join(map(printable, group)) for group in alike[:6])}.", WIDTH)
    if len(metrics) > SHOWN:
        lines += wrap(f"Further scores with --format csv or json: {', '.join(metrics[SHOWN:])}.", WIDTH)
    return lines
