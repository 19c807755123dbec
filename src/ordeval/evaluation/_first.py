"""Page one of a report in words: what was judged, what speaks against the verdict, how the numbers came about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ordeval.counts import Counts
from ordeval.evaluation._text import unit_words
from ordeval.evaluation._verdict import against, weight, winner
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import short_title
from ordeval.parts._cuts import cut_words, worst_cut
from ordeval.show._numbers import amount, listed, number, several
from ordeval.show._plain import count_text, printable

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Leaderboard

SPELLED = 8  # classes that are listed


def judged(counts: Counts, groups: Mapping[Any, object]) -> str:
    """What was judged: rows, clusters, groups and classes."""
    audit, k = counts.audit, counts.scale.K
    if audit.read is None or audit.scored is None:
        parts = ["a table of weights"]
    else:
        some = f" of {audit.read:,}" if audit.scored != audit.read else ""
        parts = [f"{audit.scored:,}{some} row{'' if (audit.read if some else audit.scored) == 1 else 's'} judged"]
    if counts.cluster is not None:
        parts.append(unit_words(counts))
    if groups:
        for axis in (axis for axis in counts.values if axis != counts.cluster):
            parts.append(several(len(counts.groups(axis)), axis, "groups"))
    labels = " < ".join(printable(label) for label in counts.scale.labels) if k <= SPELLED else printable(counts.scale)
    return f"{', '.join(parts)}; {count_text(k, 'class').replace('classs', 'classes')}: {labels}"


def remarks_on_one(result: Evaluation) -> list[str]:
    """Where one model is weakest: at a cut of the scale, in a group, in what it left unanswered."""
    cut, text = worst_cut(result.counts), next(iter(result.scores), "")
    found = []
    if cut is not None:
        said = cut_words(cut, result.counts)
        found.append(f"{said[:1].upper()}{said[1:]}.")
    lowest = _lowest(result, text) if text else ""
    return [*found, *([lowest] if lowest else []), *_answered({"": result})]


def _lowest(result: Evaluation, text: str) -> str:
    """The group with the worst score."""
    metric = get_metric(text)
    known = {g: part for g, part in result.groups.items() if not math.isnan(part.scores[text].value)}
    if len(known) < 2 or not isinstance(metric.direction, str):
        return ""
    sign = 1 if metric.direction == "higher" else -1
    group, part = min(known.items(), key=lambda item: sign * item[1].scores[text].value)
    score = part.scores[text]
    sure = f", {number(score.low)} to {number(score.high)}" if not math.isnan(score.low) else ""
    rows = amount(part.counts.total)
    return f"Weakest group: {printable(group)} with {short_title(text)} {number(score.value)} ({rows} rows{sure})."


def remarks_on_two(result: Comparison, pair: tuple[str, str]) -> list[str]:
    """What speaks against the verdict on two models, each with its counts."""
    found = [*against(result, pair), weight(result, pair), _no_group(result, pair)]
    return [*(said for said in found if said), *_answered(result.evaluations)]


def _no_group(result: Comparison, pair: tuple[str, str]) -> str:
    """Said where something else speaks against it, and no group does."""
    best = winner(result, pair)
    if best is None or not result.groups or not any(said.startswith("Against it") for said in against(result, pair)):
        return ""
    others = [group for group, part in result.groups.items() if winner(part, pair) not in (best, None)]
    return "" if others else f"None of the {len(result.groups)} groups points the other way."


def remarks_on_many(primary: str, values: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Whether the other scores have the same best model."""
    by_score = {text: {model: one[text] for model, one in values.items()} for text in next(iter(values.values()))}
    first = _best(primary, by_score[primary])
    best = {text: _best(text, found, first) for text, found in by_score.items()}
    others = {text: model for text, model in best.items() if text != primary and model is not None}
    if first is None or not others or len(values) < 2:
        return []
    turned: dict[str, list[str]] = {}
    for text, model in others.items():
        if model != first:
            turned.setdefault(model, []).append(short_title(text))
    if not turned:
        return [f"{first} has the best value of every other score too ({len(others)})."]
    said = [f"{model} has the best {listed(texts)}" for model, texts in turned.items()]
    return [f"Against it: {listed(said)}."]


def _best(text: str, values: Mapping[str, float], first: str | None = None) -> str | None:
    """The model with the best value; of several with the same, the first in rank if it is among them."""
    metric = get_metric(text)
    known = {model: value for model, value in values.items() if not math.isnan(value)}
    if not known or not isinstance(metric.direction, str):
        return None
    best = (max if metric.direction == "higher" else min)(known, key=known.__getitem__)
    return first if first in known and math.isclose(known[first], known[best], abs_tol=1e-12) else best


def _answered(results: Mapping[str, Evaluation]) -> list[str]:
    """Models that left rows without an answer."""
    said = []
    for model, result in results.items():
        silent = result.counts.unanswered.sum().item()
        if silent:
            blanks = result.counts.blanks
            total, counted = result.counts.total + (0 if blanks else silent), f" and count as {blanks}" if blanks else ""
            said.append(f"{f'{model}: ' if model else ''}{amount(silent)} of {amount(total)} rows have no answer{counted}.")
    return said


def provenance(result: Evaluation | Comparison) -> str:
    """How the numbers came about: what was left out, which intervals of what, the study, the version."""
    s = result.settings
    what = "simulated samples" if s["method"] == "auto" else f"resamples ({s['method']})"
    unit = unit_words(result.counts)
    how = f"{100 * s['confidence_level']:g} % intervals, {s['n_resamples']:,} {what} of {unit}, seed {s['rng']}"
    return " · ".join([*_left_out(result.counts), how, *_study(s), f"ordeval {_version()}"])


def board_provenance(board: Leaderboard) -> str:
    """The same for many runs."""
    s, unit = board.settings, unit_words(board.counts)
    how = f"{100 * s['confidence_level']:g} % confidence, {s['n_resamples']:,} simulated samples of {unit}, seed {s['rng']}"
    return " · ".join([*_left_out(board.counts), how, *_study(s), f"ordeval {_version()}"])


def _left_out(counts: Counts) -> list[str]:
    return [f"{rows:,} left out: {reason}" for reason, rows in counts.audit.excluded.items()]


def _study(settings: Mapping[str, Any]) -> Sequence[str]:
    """The study file by the first digits of its hash, and how many of its keys were overridden."""
    study = settings.get("study")
    if not study:
        return []
    changed = len(study.get("overridden", ()))
    words = [f"{changed} setting{'s' * (changed > 1)} overridden"] if changed else []
    return [f"study:{study['sha256'][:12]}", *words]


def _version() -> str:
    from ordeval.base.version import __version__

    return __version__
