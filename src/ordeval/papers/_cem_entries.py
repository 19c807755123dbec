"""What is recorded of Amigó et al. (2020) as an entry: for each its premise and its counter-example, computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ordeval.laws._small_tables import Stack, full_small, one_step_closer, tables
from ordeval.papers import _cem as cem
from ordeval.papers import _cem_table3 as table3
from ordeval.papers._claims import Refutation, agrees, scores, values

Classes = Sequence[int]


def _none_empty(truth: Classes) -> bool:
    return set(truth) == set(range(1, max(truth) + 1))


# Closeness


def _system_above(gold: Classes, system: int, truth: int) -> bool:
    return min(gold) > 0 and 1 <= truth < system <= len(gold)


def _empty_sum(gold: Classes, system: int, truth: int) -> Refutation:
    printed = cem.literal(gold, system - 1, truth - 1)
    right, meant = cem.prox(gold, truth - 1, truth - 1), cem.prox(gold, system - 1, truth - 1)
    return printed == right != meant, [printed, right, meant, cem.prox(cem.LEFT, 3, 1)]


def _strictly_increasing(x: int, a: int, b: int, f: Classes) -> bool:
    return list(f) == sorted(set(f)) and {x, a, b} <= set(range(1, len(f) + 1))


def _closer_but_not_between(x: int, a: int, b: int, f: Classes) -> Refutation:
    refuted = abs(f[x - 1] - f[b - 1]) <= abs(f[a - 1] - f[b - 1]) and not cem.between(x, a, b)
    triples = list(product(range(4), repeat=3))
    some, every = (
        sum(cem.closer(x, a, b, cem.increasing(), quantifier) == cem.between(x, a, b) for x, a, b in triples)
        for quantifier in (any, all)
    )
    nominal = [
        sum(cem.closer(x, a, b, cem.PERMUTATIONS, quantifier) == (b == x or b != a) for x, a, b in triples)
        for quantifier in (all, any)
    ]
    return refuted, [len(triples) - some, len(triples), every, *nominal]


def _uniform(gold: Classes) -> bool:
    return min(gold) > 0 and len(set(gold)) == 1


def _ends_of_the_scale(gold: Classes) -> Refutation:
    found = [
        cem.prox(gold, system, truth, level="interval", ties=ties)
        for ties in ("half", "own", "full")
        for system, truth in ((1, 0), (0, 1))
    ]
    return all(abs(one - other) > 1e-9 for one, other in zip(found[::2], found[1::2], strict=True)), found


def _neighbours(golds: Sequence[Classes]) -> bool:
    return all(len(gold) == 2 and min(gold) > 0 for gold in golds)


def _no_constant_factor(golds: Sequence[Classes]) -> Refutation:
    pairs = [cem.change(gold, 0, 1) for gold in golds]
    factors = [here / printed for here, printed in pairs]
    return abs(factors[0] - factors[1]) > 1e-9, [x for pair in pairs for x in pair]


# Properties 1 and 2


def _comes_closer(truth: Classes, before: Classes, after: Classes) -> bool:
    moved = [(t, b, a) for t, b, a in zip(truth, before, after, strict=True) if b != a]
    return bool(moved) and all(abs(a - t) < abs(b - t) and (a - t) * (b - t) >= 0 for t, b, a in moved)


def _all_come_closer(truth: Classes, before: Classes, after: Classes) -> bool:
    return _comes_closer(truth, before, after) and all(a != b for a, b in zip(after, before, strict=True))


def _other_side(truth: Classes, before: Classes, after: Classes) -> Refutation:
    rows = list(zip(truth, before, after, strict=True))
    covered, mended = sum(b > a >= t for t, b, a in rows), sum(b > a >= t or b < a <= t for t, b, a in rows)
    both_sides = all(
        (values("cem", after_) > values("cem", before_) + 1e-12).all()
        for stack in full_small()
        for before_, after_ in one_step_closer(stack)
    )
    return covered < len(rows) == mended and both_sides, [covered, mended]


def _increasing_map(truth: int, answer: int, f: Classes) -> bool:
    return truth < answer and list(f) == sorted(set(f)) and len(f) == 2


def _papers_map(truth: int, answer: int, f: Classes) -> bool:
    return _increasing_map(truth, answer, f) and list(f) == [10 * x + x * x for x in (truth, answer)]


def _margin(truth: int, answer: int, f: Classes) -> Refutation:
    before = scores("accuracy_within", [truth], [answer], k=max(f))[0]
    after = scores("accuracy_within", [f[0]], [f[1]], k=max(f))[0]
    places = scores("accuracy_within", [1], [2], k=2)[0]
    return before != after, [before, after, places]


def _distance_matters(truth: int, answer: int, f: Classes) -> Refutation:
    found = [
        scores(f"oci(share={share})", [one], [other], k=3)[0]
        for share in (0.75, 0.25)
        for one, other in ((truth, answer), (f[0], f[1]))
    ]
    return found[0] != found[1] and found[2] != found[3], found


def _moves_down(truth: Classes, before: Classes, after: Classes) -> bool:
    """Property 2 as printed, and no class empty."""
    rows = list(zip(truth, before, after, strict=True))
    return _none_empty(truth) and any(b != a for _, b, a in rows) and all(b == a or b > a >= t for t, b, a in rows)


def _all_move_down(moves: Sequence[dict[str, Any]]) -> bool:
    return all(_moves_down(one["truth"], one["before"], one["after"]) for one in moves)


def _moves_of_three_classes() -> Iterator[tuple[Stack, Stack]]:
    """Every table of 3 classes and up to 5 rows, none empty, before and after one answer moves as Property 2 prints it."""
    for n in range(3, 6):
        stack = tables(3, n)
        stack = stack[(stack.sum(-1) > 0).all(-1)]
        for t, new, old in product(range(3), repeat=3):
            if t <= new < old:
                before = stack[stack[:, t, old] > 0]
                after = before.copy()
                after[:, t, old] -= 1
                after[:, t, new] += 1
                yield before, after


def _counted(metric: str) -> tuple[int, int, int]:
    """Of all such moves: how many there are, in how many the score is not higher, and in how many it is lower."""
    cases = not_higher = lower = 0
    for before, after in _moves_of_three_classes():
        gain = values(metric, after) - values(metric, before)
        cases, not_higher, lower = (
            cases + len(gain),
            not_higher + int((~(gain > 1e-12)).sum()),
            lower + int((gain < -1e-12).sum()),
        )
    return cases, not_higher, lower


def _kappa_not_higher(moves: Sequence[dict[str, Any]]) -> Refutation:
    found = [
        x for one in moves for x in scores(f"cohen_kappa(weights='{one['weights']}')", one["truth"], one["before"], one["after"])
    ]
    linear, quadratic = (_counted(f"cohen_kappa(weights='{weights}')") for weights in ("linear", "quadratic"))
    refuted = all(after <= before + 1e-12 for before, after in zip(found[::2], found[1::2], strict=True))
    return refuted, [*found, *linear, *quadratic[1:]]


def _cosine_lower(truth: Classes, before: Classes, after: Classes) -> Refutation:
    one, other = scores("cosine", truth, before, after)
    cases, _, lower = _counted("cosine")
    return other < one, [one, other, lower, cases]


# Property 3


def _outer_classes(truth: Classes, classes: Classes, **_: Any) -> bool:
    first, second, third = classes
    return _none_empty(truth) and [second, third] == [first + 1, first + 2] and truth.count(first) > truth.count(third) > 0


def _answers(truth: Classes, classes: Classes) -> list[list[int]]:
    """The truth with its last row of c₁ called c₂, and with its last row of c₃ called c₂."""
    found = []
    for wrong in (classes[0], classes[2]):
        answer = list(truth)
        answer[len(truth) - 1 - list(reversed(truth)).index(wrong)] = classes[1]
        found.append(answer)
    return found


def _pair(metric: str, truth: Classes, classes: Classes) -> list[float]:
    """The scores of an error in the larger and in the smaller class."""
    return scores(metric, truth, *_answers(truth, classes))


def _gain(metric: str, truth: Classes, classes: Classes) -> float:
    """How much higher the error in the larger class scores."""
    one, other = _pair(metric, truth, classes)
    return one - other


def _cases(k: int, most: int) -> Iterator[tuple[list[int], list[int]]]:
    for rows in product(range(1, most + 1), repeat=k):
        truth = [c + 1 for c, n in enumerate(rows) for _ in range(n)]
        for first in range(k - 2):
            if rows[first] > rows[first + 2]:
                yield truth, [first + 1, first + 2, first + 3]


def _kept(metric: str, k: int, most: int) -> tuple[int, int]:
    """In how many cases the error in the larger class scores higher, and how many cases there are."""
    gains = [_gain(metric, truth, classes) for truth, classes in _cases(k, most)]
    return sum(gain > 1e-12 for gain in gains), len(gains)


def _not_higher(metrics: Sequence[str], truth: Classes, classes: Classes) -> tuple[bool, list[float]]:
    pairs = [_pair(metric, truth, classes) for metric in metrics]
    return all(one <= other + 1e-12 for one, other in pairs), [x for pair in pairs for x in pair]


def _kappa_imbalance(truth: Classes, classes: Classes) -> Refutation:
    metrics = ["cohen_kappa(weights='linear')", "cohen_kappa(weights='quadratic')"]
    refuted, found = _not_higher(metrics, truth, classes)
    kept = [_kept(metric, 3, 5) for metric in metrics]
    one, other = _pair("cohen_kappa(weights='identity')", truth, classes)
    return refuted and kept[0] == kept[1] and one > other, [*found, *kept[0]]


def _correlations_reversed(truth: Classes, classes: Classes) -> Refutation:
    refuted, found = _not_higher(["kendall_tau", "spearman"], truth, classes)
    reversed_ = [sum(_gain(m, *case) < -1e-12 for case in _cases(3, 7)) for m in ("kendall_tau", "spearman")]
    return refuted and reversed_[0] == reversed_[1], [*found, reversed_[0], sum(1 for _ in _cases(3, 7))]


def _over_pairs(truth: Classes, answer: Classes) -> tuple[float, float]:
    """Reliability and sensitivity with all order relations of all pairs counted alike."""
    t, a = (np.sign(np.subtract.outer(column, column)) for column in (truth, answer))
    same = int(((t == a) & (t != 0)).sum())
    return same / int((a != 0).sum()), same / int((t != 0).sum())


def _relations_not_higher(truth: Classes, classes: Classes) -> Refutation:
    refuted, found = _not_higher(["order_reliability", "order_sensitivity"], truth, classes)
    one, other = (_over_pairs(truth, answer) for answer in _answers(truth, classes))
    over = [one[0], other[0], one[1], other[1]]
    return refuted and over[0] <= over[1] and over[2] <= over[3], [*found, *over]


def _clusterings_not_higher(truth: Classes, classes: Classes) -> Refutation:
    refuted, found = _not_higher(["mutual_information", "purity", "inverse_purity"], truth, classes)
    always = all(abs(_gain(metric, *case)) < 1e-9 for metric in ("mutual_information", "purity") for case in _cases(3, 4))
    return refuted and always, found


def _interval_not_higher(truth: Classes, classes: Classes) -> Refutation:
    metrics = [f"cem(level='interval', ties='{ties}')" for ties in ("half", "full", "own")]
    refuted, found = _not_higher(metrics, truth, classes)
    four, own, three = _kept(metrics[0], 4, 4), _kept(metrics[2], 4, 4), _kept(metrics[0], 3, 5)
    return refuted, [*found, four[1] - four[0], four[1], own[1] - own[0], three[1] - three[0], three[1]]


# Appendices A and B, Table 3


def _not_all_equal(truth: Classes, before: Classes, after: Classes) -> Refutation:
    pairs = {metric: scores(metric, truth, before, after) for metric in cem.EQUAL_IN_B}
    differ = [metric for metric, (one, other) in pairs.items() if abs(one - other) > 1e-12]
    kappa = "cohen_kappa(weights='identity')"
    near = scores("accuracy_within", [1], [4], [3], k=4)
    return differ == ["accuracy_within", kappa], [*pairs["accuracy_within"], *pairs[kappa], *near]


def _cosine_cut_off(truth: Classes, classes: Classes, printed: list[str], meant: list[str]) -> Refutation:
    found = _pair("cosine", truth, classes)
    cut = [not agrees(x, text) and agrees(x, other) for x, text, other in zip(found, printed, meant, strict=True)]
    return all(cut) and found[1] > found[0], found


def _ninety_percent(gold: Classes) -> bool:
    return len(gold) == 3 and sum(gold[1:]) == 0.9 * sum(gold)


def _earns_and_loses(gold: Classes) -> Refutation:
    earned = [cem.prox(gold, *pair) for pair in ((1, 2), (1, 0), (2, 1), (0, 1))]
    lost = [cem.lost(gold, 1, 2), cem.lost(gold, 1, 0)]
    return earned[0] < earned[1] and earned[2] < earned[3] and not lost[0] > lost[1], [*earned, *lost]


def _none_within(rows: Sequence[str], near: float) -> bool:
    return not any(table3.within(metric, metric).any() for metric in rows)


def _exchange(rows: Sequence[str], near: float) -> Refutation:
    pairs = [(rows[0], rows[1]), (rows[1], rows[0])]  # printed under the first, measured for the second
    distance = [np.abs(table3.printed(one) - table3.measured().mean[other]) for one, other in pairs]
    within = int(sum(table3.within(one, other).sum() for one, other in pairs))
    right = {metric: table3.printed_right(metric) for metric in ("mae", "amae", "mse", "amse")}
    related = [
        np.corrcoef(right[one], right[other])[0, 1]
        for one, other in (("amae", "mae"), ("amae", "amse"), ("mse", "amse"), ("mse", "mae"))
    ]
    close = int((np.concatenate(distance) <= near).sum())
    labelled = int(sum(table3.within(metric, metric).sum() for metric in rows))
    numbers = [labelled, within, close, distance[1].max(), *related, table3.measured().mean["mse"][1]]
    return within > labelled and related[0] > related[1] and related[2] > related[3], numbers


CHECKS: dict[str, tuple[Callable[..., bool], Callable[..., Refutation]]] = {
    "C1": (_system_above, _empty_sum),
    "C2": (_strictly_increasing, _closer_but_not_between),
    "C3": (_uniform, _ends_of_the_scale),
    "C4": (_neighbours, _no_constant_factor),
    "C5": (_comes_closer, _other_side),
    "C6": (_papers_map, _margin),
    "C7": (_increasing_map, _distance_matters),
    "C8": (_all_move_down, _kappa_not_higher),
    "C9": (_outer_classes, _kappa_imbalance),
    "C10": (_moves_down, _cosine_lower),
    "C11": (_outer_classes, _correlations_reversed),
    "C12": (_outer_classes, _relations_not_higher),
    "C13": (_outer_classes, _clusterings_not_higher),
    "C14": (_outer_classes, _interval_not_higher),
    "C15": (_all_come_closer, _not_all_equal),
    "C16": (_outer_classes, _cosine_cut_off),
    "C17": (_ninety_percent, _earns_and_loses),
    "C18": (_none_within, _exchange),
}
