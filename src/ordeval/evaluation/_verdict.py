"""The verdict on a comparison, and what speaks against it, in plain sentences with counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ordeval.counts.blanks import judged
from ordeval.infer._dominance import ErrorTail
from ordeval.infer._ranks import RankSets
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import short_title
from ordeval.show._numbers import amount, listed, number, signed
from ordeval.show._plain import printable

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation

MOST = 3  # lines that speak against a verdict
NAMED = 4  # groups of models among which no order is shown, spelled out

Pair = tuple[str, str]


def winner(result: Comparison, pair: Pair) -> str | None:
    """The better of two by the score that decides; None where these rows do not show it."""
    found = result.differences[pair][result.primary]
    if found.reason or not (found.low > 0 or found.high < 0):
        return None
    return pair[1] if (found.value > 0) == (get_metric(result.primary).direction == "higher") else pair[0]


def pair_verdict(result: Comparison, pair: Pair) -> str:
    """What may be said of two models by the score that decides, in one sentence."""
    a, b = pair
    found, name = result.differences[pair][result.primary], short_title(result.primary)
    if found.reason:
        return f"{a} and {b} cannot be compared by {name}: {found.reason}."
    best, margin = winner(result, pair), result.settings.get("margin")
    values = {model: number(result.evaluations[model].scores[result.primary].value) for model in pair}
    both = f"{name} {values[a]} ({a}) and {values[b]} ({b})"
    if best is None and found.equivalent:
        said = f"{a} and {b} are equivalent (closer than the margin of {margin:g})"
        return f"{said}: {both}, {_difference(result, pair, b)}."
    if best is None:
        so = f"; {b} is non-inferior (not worse by more than the margin of {margin:g})" if found.not_inferior else ""
        return f"These rows do not show which is better{so}: {both}, {_difference(result, pair, b)}."
    loser = a if best == b else b
    small = f", and by less than the margin of {margin:g}" if found.equivalent else ""
    return (
        f"{best} is better than {loser}{small}: {name} {values[best]} against {values[loser]}, {_difference(result, pair, best)}."
    )


def _difference(result: Comparison, pair: Pair, first: str) -> str:
    """The paired difference, `first` less the other, with its interval and p-value."""
    found, turn = result.differences[pair][result.primary], 1 if first == pair[1] else -1
    low, high = sorted((turn * found.low, turn * found.high))
    level = f"{100 * result.settings['confidence_level']:g} %"
    return f"paired difference {signed(turn * found.value)} ({level} interval {signed(low)} to {signed(high)}, {found.p_text})"


def verdict(result: Comparison) -> str:
    """Of two models a sentence; of more what their ranks show; of a reference a sentence for each model compared with it."""
    many = len(result.evaluations) > 2 and result.settings.get("reference") is None
    if many and get_metric(result.primary).needs_only_counts:
        return rank_verdict(result.ranks)
    return "  ".join(pair_verdict(result, pair) for pair in result.differences)


def rank_verdict(ranks: RankSets) -> str:
    """Who is first, or may be, and among whom no order is shown."""
    name, level = short_title(ranks.metric), f"{100 * ranks.settings['confidence_level']:g} %"
    if ranks.reason:
        return f"No ranks by {name}: {ranks.reason}."
    first = [x.model for x in ranks.systems if x.best == 1]
    if len(first) == 1:
        said = f"{first[0]} is first by {name} ({number(ranks[first[0]].score)})"
    else:
        said = f"{len(first)} of {len(ranks.models)} models may be first by {name}"
    alike = (
        no_order(ranks) if sum(len(group) for group in ranks.groups) <= len(ranks.models) else []
    )  # else the picture says it better
    return f"{said}, with {level} confidence.{''.join(f' {one}' for one in alike)}"


def no_order(ranks: RankSets) -> list[str]:
    """The models among which no order is shown, in one sentence; nothing where all are ordered."""
    alike = [listed(map(printable, group)) for group in ranks.groups if len(group) > 1]
    if not alike:
        return []
    more = f"; and {len(alike) - NAMED} more groups" if len(alike) > NAMED else ""
    return [f"No order is shown among {'; nor among '.join(alike[:NAMED])}{more}."]


def against(result: Comparison, pair: Pair) -> list[str]:
    """What speaks against a verdict, each with its counts; nothing where no verdict was given."""
    best = winner(result, pair)
    if best is None:
        return []
    loser = pair[0] if best == pair[1] else pair[1]
    found = [*_classes(result, pair, loser), *_groups(result, pair, loser), *_scores(result, pair, loser)]
    if found:
        return [f"Against it: {line}" for line in found[:MOST]]
    family = result.dominance[pair].by_class
    if family.better == best and family.certain and not family.unjudged:
        return [f"{best} is as good or better in every class and at every distance."]
    looked = ["class"] if family.certain is not None or (family.tails and not math.isnan(family.tails[0].low)) else []
    looked += ["group"] if result.groups else []
    looked += ["other score"] if len(result.differences[pair]) > 1 else []
    if not looked:
        return []
    *first, last = looked
    return [f"No {', '.join(first) + ' or ' if first else ''}{last} points the other way."]


def _classes(result: Comparison, pair: Pair, loser: str) -> list[str]:
    """True classes in which the loser is nearer the truth, with confidence; the highest class first."""
    turn = 1 if loser == pair[0] else -1  # rows of b less rows of a: above 0, a errs less
    clear: dict[object, ErrorTail] = {}
    for tail in result.dominance[pair].by_class.tails:
        low = tail.low if turn > 0 else -tail.high
        if low > 0 and (tail.true not in clear or tail.steps < clear[tail.true].steps):
            clear[tail.true] = tail
    labels, rows = result.counts.scale.labels, judged(result.counts).pair(*pair).sum((1, 2)).tolist()
    best = pair[1] if loser == pair[0] else pair[0]
    said = []
    for label, there in reversed(list(zip(labels, rows, strict=True))):
        if label not in clear:
            continue
        tail = clear[label]
        off = {pair[0]: tail.a, pair[1]: tail.b}
        of = f"of {amount(there)} truly {printable(label)}"
        if tail.steps == 1:
            said.append(f"{of}, {loser} finds {amount(there - off[loser])} and {best} finds {amount(there - off[best])}.")
        else:
            how = f"{tail.steps} steps or more"
            said.append(f"{of}, {loser} is off by {how} on {amount(off[loser])} and {best} on {amount(off[best])}.")
    return said


def _groups(result: Comparison, pair: Pair, loser: str) -> list[str]:
    """Groups in which the difference has the other sign and its interval excludes 0."""
    name, said = short_title(result.primary), []
    for group, part in result.groups.items():
        if winner(part, pair) == loser:
            values = [number(part.evaluations[m].scores[part.primary].value) for m in (loser, *(m for m in pair if m != loser))]
            where = f"in {printable(group)} ({amount(part.counts.total)} rows)"
            said.append(f"{where} {loser} is better: {name} {values[0]} against {values[1]}, {_difference(part, pair, loser)}.")
    return said


def _scores(result: Comparison, pair: Pair, loser: str) -> list[str]:
    """Other scores whose simultaneous interval points the other way."""
    said = []
    for text, found in result.differences[pair].items():
        metric, (low, high) = get_metric(text), found.band
        if text == result.primary or not isinstance(metric.direction, str) or not (low > 0 or high < 0):
            continue
        ahead = pair[1] if (found.value > 0) == (metric.direction == "higher") else pair[0]
        if ahead == loser:
            values = [f"{number(result.evaluations[m].scores[text].value)} ({m})" for m in pair]
            level = f"{100 * result.settings['confidence_level']:g} %"
            ends = f"simultaneous {level} interval {signed(low)} to {signed(high)}"
            said.append(f"{short_title(text)} points the other way: {listed(values)}, difference {signed(found.value)} ({ends}).")
    return said


def weight(result: Comparison, pair: Pair) -> str:
    """The weight of a class that would turn the verdict, where steps off give the same one; nothing otherwise."""
    best, found = winner(result, pair), result.dominance[pair]
    reversal = found.by_class.reversal
    if best is None or found.better != best or reversal is None:
        return ""
    loser = pair[0] if best == pair[1] else pair[1]
    times = f"weighed {reversal.reached:.10g} times errors elsewhere, or more"
    return f"Counted in steps, {loser} would be better if errors on {reversal.raised} {times}."


def decides(result: Comparison) -> str:
    """Which score decides, and what intervals the others have."""
    level, others = f"{100 * result.settings['confidence_level']:g} %", len(next(iter(result.differences.values()))) - 1
    name = short_title(result.primary)
    if not others:
        return f"{name} decides."
    rest = f"simultaneous {level} intervals (they hold all at once): they explain the verdict and do not replace it"
    return f"{name} decides. The other scores have {rest}."


def no_intervals(results: Sequence[Evaluation]) -> list[str]:
    """Which scores have no interval, and why: the condition that failed, with its number."""
    return _by_reason((text, score.reason) for result in results for text, score in result.scores.items())


def no_differences(result: Comparison) -> list[str]:
    """The same of differences of models."""
    return _by_reason((text, d.reason) for found in result.differences.values() for text, d in found.items())


def _by_reason(found: Iterable[tuple[str, str]]) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for text, reason in found:
        if reason and short_title(text) not in reasons.setdefault(reason, []):
            reasons[reason].append(short_title(text))
    return [f"no interval for {listed(names)}: {reason}" for reason, names in reasons.items()]
