"""The verdict in words, and what contradicts it: from a comparison, or from one evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import ordeval as oe
from ordeval.app.score_table import value_of

FALLS = 0.05  # of a class's share found
MOST = 3  # contradictions that are said
FLIP = 10.0  # a weight that is still worth a thought
FEW = 30  # rows of a slice: too few to say much


@dataclass(frozen=True)
class Verdict:
    """A sentence, what speaks against it, and what is undecided."""

    sentence: str
    but: tuple[str, ...] = ()
    undecided: str = ""
    clear: bool = True  #: whether the score that decides tells the models apart

    @property
    def against(self) -> str:
        return "  ".join(self.but) if self.but else "Nothing we looked at contradicts it."


def found_shares(counts: oe.Counts) -> tuple[list[int], list[int]]:
    """Of each class, the rows that are called so, and all."""
    matrix = counts.judged.matrix
    return [int(n) for n in np.diagonal(matrix)], [int(n) for n in matrix.sum(1)]


def _sign(text: str) -> int:
    return {"higher": 1, "lower": -1}.get(str(oe.get_metric(text).direction), 0)


def _plain(text: str) -> str:
    metric = oe.get_metric(text)
    return metric.plain or metric.title


def two_models(
    result: oe.Comparison, pair: tuple[str, str], slices: Mapping[str, Mapping[str, oe.Counts]] | None = None
) -> Verdict:
    """Which of two is better by the score that decides, what contradicts it, and which scores are undecided."""
    first, second = pair
    decided = result.differences[pair][result.primary]
    level, number, signed = 100 * result.settings["confidence_level"], oe.show.number, oe.show.signed
    title = _plain(result.primary)
    if decided.reason and math.isnan(decided.low):
        return Verdict(f"{first} and {second} cannot be compared by {title}: {decided.reason}.", clear=False)
    ahead = _sign(result.primary) * decided.value
    best, other = (second, first) if ahead > 0 else (first, second)
    turned = 1 if best == second else -1
    low, high = sorted((turned * decided.low, turned * decided.high))
    values = {name: number(result.evaluations[name].scores[result.primary].value) for name in pair}
    ends = f"{signed(turned * decided.value)}, {level:g} %: {signed(low)} to {signed(high)}"
    clear = not low <= 0 <= high
    if clear:
        sentence = f"{best} is better: {title} {values[best]} against {values[other]} ({ends})."
    else:
        sentence = (
            f"These rows do not show which is better: {title} {values[first]} ({first}) and {values[second]} ({second}), {ends}."
        )
    but = [
        *_classes(result, best, other),
        *_scores(result, pair, best),
        *_flip(result, pair, best, other),
        *_slices(result, best, other, slices),
    ]
    return Verdict(sentence, tuple(but[:MOST]), _undecided(result, pair, turned), clear)


def pairwise(result: oe.Comparison) -> list[dict[str, str | float]]:
    """Every pair of models by the score that decides: the difference, its simultaneous interval, and what it shows."""
    sign = _sign(result.primary)
    lines: list[dict[str, str | float]] = []
    for (first, second), scores in result.differences.items():
        found = scores[result.primary]
        if found.reason:
            shows = f"no interval: {found.reason}"
        elif found.low <= 0 <= found.high:
            shows = "does not show which is better"
        else:
            shows = f"{second if sign * found.value > 0 else first} is better"
        ends = {"difference": found.value, "low": found.low, "high": found.high}
        lines.append({"first": first, "second": second, **ends, "shows": shows})
    return lines


def _classes(result: oe.Comparison, best: str, other: str) -> list[str]:
    """Classes of which the better model finds clearly less, the highest first."""
    mine, rows = found_shares(result.counts[best])
    theirs, all_rows = found_shares(result.counts[other])
    labels = result.counts.scale.labels
    fallen = [
        i for i in range(len(labels)) if rows[i] and all_rows[i] and theirs[i] / all_rows[i] - mine[i] / rows[i] >= FALLS - 1e-12
    ][::-1]
    if not fallen:
        return []
    parts = [f"{mine[i]:,} of {rows[i]:,} {labels[i]} ({other} {theirs[i]:,})" for i in fallen]
    return [f"It finds {', '.join(parts)}."]


def _scores(result: oe.Comparison, pair: tuple[str, str], best: str) -> list[str]:
    """Chosen scores that point the other way."""
    said = []
    for text, found in result.differences[pair].items():
        sign = _sign(text) * (1 if best == pair[1] else -1)
        if text == result.primary or not sign or math.isnan(found.value) or sign * found.value >= 0:
            continue
        low, high = found.band
        sure = (
            ""
            if math.isnan(low)
            else ", and chance does not explain it"
            if not low <= 0 <= high
            else ", which chance could explain"
        )
        said.append(f"{_plain(text)[:1].upper()}{_plain(text)[1:]} points the other way ({oe.show.signed(found.value)}{sure}).")
    return said


def _flip(result: oe.Comparison, pair: tuple[str, str], best: str, other: str) -> list[str]:
    """The weight of one class's errors that turns the order of total costs around."""
    dominance = result.dominance[pair]
    reversal = dominance.by_class.reversal
    if dominance.better != best or reversal is None or reversal.reached > FLIP:
        return []
    return [
        f"Counted in steps, {other} would be better if errors on {reversal.raised} weighed {reversal.reached:.10g} times errors elsewhere, or more."
    ]


def _slices(result: oe.Comparison, best: str, other: str, slices: Mapping[str, Mapping[str, oe.Counts]] | None) -> list[str]:
    """Slices in which the score that decides says the opposite."""
    metric, sign = oe.get_metric(result.primary), _sign(result.primary)
    turned = []
    for column, parts in (slices or {}).items():
        for name, counts in parts.items():
            ahead = sign * (value_of(metric, counts[best]) - value_of(metric, counts[other]))
            if counts.total >= FEW and ahead < 0:
                turned.append(f"{column} {name}")
    return [f"In {', '.join(turned)} it is the other way round."] if turned else []


def _undecided(result: oe.Comparison, pair: tuple[str, str], turned: int) -> str:
    """Scores whose interval holds 0."""
    signed, parts = oe.show.signed, []
    for text, found in result.differences[pair].items():
        low, high = sorted(turned * end for end in found.band)
        if text != result.primary and not math.isnan(low) and low <= 0 <= high:
            parts.append(f"{_plain(text)} ({signed(turned * found.value)}, {signed(low)} to {signed(high)})")
    return f"Undecided: {', '.join(parts)}." if parts else ""


def one_model(result: oe.Evaluation, name: str, primary: str) -> Verdict:
    """Where one model is good and where it is not, which way it errs, and whether it beats the most frequent class."""
    counts, number = result.counts, oe.show.number
    labels = counts.scale.labels
    found, rows = found_shares(counts)
    shares = {i: found[i] / rows[i] for i in range(len(labels)) if rows[i]}
    score = result.scores[primary] if primary in result.scores else next(iter(result.scores.values()))
    text = primary if primary in result.scores else next(iter(result.scores))
    if not shares or math.isnan(score.value):
        return Verdict(f"{name} has no score: {score.reason or 'there are no rows'}.", clear=False)
    best, worst = max(shares, key=lambda i: shares[i]), min(shares, key=lambda i: shares[i])
    ends = (
        ""
        if math.isnan(score.low)
        else f" ({100 * result.settings['confidence_level']:g} %: {number(score.low)} to {number(score.high)})"
    )
    sentence = f"{name}: {_plain(text)} {number(score.value)}{ends}."
    but = [
        f"It finds {shares[worst]:.0%} of {labels[worst]} ({found[worst]:,} of {rows[worst]:,}), and {shares[best]:.0%} of {labels[best]}."
    ]
    matrix = counts.judged.matrix
    low, high = float(np.tril(matrix, -1).sum()), float(np.triu(matrix, 1).sum())
    if low + high:
        way = (
            "too low as often as too high"
            if low == high
            else f"too {'low' if low > high else 'high'} more often ({max(low, high):,.10g} of {low + high:,.10g} errors)"
        )
        but.append(f"It errs {way}.")
    always = np.zeros_like(matrix)
    always[:, int(np.argmax(rows))] = rows
    base = value_of(oe.get_metric(text), oe.Counts.from_matrix(always, labels=list(map(str, labels))))
    ahead = _sign(text) * (score.value - base)
    than = "better than" if ahead > 0 else "no better than"
    if not math.isnan(base) and _sign(text):
        but.append(f"It is {than} always saying {labels[int(np.argmax(rows))]} ({number(base)}).")
    return Verdict(sentence, tuple(but))
