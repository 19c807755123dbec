"""Every small case in the order of size, so that the first counter-example is a smallest one; beyond them a guided random search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.progress import shown
from ordeval.laws._bases import Size
from ordeval.laws._instances import Instances
from ordeval.laws._relations import equal
from ordeval.laws._report import FAILS, HOLDS, NOT_APPLICABLE, PROVED, UNDECIDED, Breach, LawVerdict
from ordeval.laws._scoring import ScoredFunction, ScoredMetric, TableStack
from ordeval.laws._small_tables import Stack
from ordeval.laws._statements import Law, Reading

CHUNK = 20_000  # bases at a time
POPULATION = 60  # random bases of one size at a time
EQUAL = "they score the same"


@dataclass
class _Tally:
    """What was counted for one reading."""

    cases: int = 0
    broken: int = 0
    equal: int = 0
    undefined: int = 0
    failed: int = 0
    breach: Breach | None = None

    def add(self, judged: ScoredMetric, law: Law, reading: Reading, stack: Stack, found: _Scored) -> None:
        slack, cases = found.slack[reading.name], found.cases
        counted = np.ones(len(cases), bool) if reading.where is None else reading.where(cases)
        broken = counted & (slack < 0) & ~found.failed
        self.cases += int(counted.sum())
        self.undefined += int((counted & found.undefined & ~broken & ~found.failed).sum())
        self.failed += int((counted & found.failed).sum())
        self.broken += int(broken.sum())
        if broken.any():
            if len(found.scores) == 2:
                a, b = (score[broken] for score in found.scores)
                self.equal += int(equal(a, b).sum())
            self._keep(judged, law, reading, stack, found, np.flatnonzero(broken))

    def _keep(self, judged: ScoredMetric, law: Law, reading: Reading, stack: Stack, found: _Scored, broken: Array) -> None:
        """The first breach; but of those of one size, one with different scores says more than one with equal scores."""
        telling = broken
        if len(found.scores) == 2:
            a, b = (score[broken] for score in found.scores)
            telling = broken[~equal(a, b)]
        chosen = telling if telling.size else broken
        at = int(chosen[found.cases.base[chosen].argmin()])
        size = (int(stack[found.cases.base[at]].sum()), stack.shape[-1])
        if self.breach is None or (
            telling.size and self.breach.outcome == EQUAL and size == (self.breach.rows, self.breach.classes)
        ):
            self.breach = _breach(judged, law, reading, stack, found, at)


@dataclass(frozen=True)
class _Scored:
    """Instances with their scores, and for each reading how far the law is from being broken."""

    cases: Instances
    scores: list[Array]
    failed: Array
    undefined: Array
    slack: dict[str, Array] = field(default_factory=dict)


def _scored(judged: ScoredMetric, law: Law, stack: Stack) -> Iterator[_Scored]:
    for cases, pairs in _with_scores(judged, law, stack):
        scores = [values for values, _ in pairs]
        failed = np.logical_or.reduce([failed for _, failed in pairs])
        undefined = np.logical_or.reduce([np.isnan(values) for values in scores])
        with np.errstate(invalid="ignore"):
            slack = {reading.name: reading.slack(scores, cases, judged) for reading in law.readings}
        yield _Scored(cases, scores, failed, undefined, slack)


def _with_scores(judged: ScoredMetric, law: Law, stack: Stack) -> Iterator[tuple[Instances, list[tuple[Array, Array]]]]:
    """The instances of some bases with the scores of their sides; of few bases, all sides on one scale are scored together."""
    every = (cases for cases in law.instances(stack, judged) if len(cases))
    if len(stack) > POPULATION:
        for cases in every:
            yield cases, [judged.scored(side) for side in cases.sides]
        return
    together = list(every)
    scales: dict[tuple[Any, ...], list[TableStack]] = {}
    for side in (side for cases in together for side in cases.sides):
        scales.setdefault((side.edges, side.form, side.tables.shape[-1]), []).append(side)
    found: dict[int, tuple[Array, Array]] = {}
    for (edges, form, _), sides in scales.items():
        values, failed = judged.scored(TableStack(np.concatenate([side.tables for side in sides]), edges, form))
        ends = np.cumsum([len(side.tables) for side in sides])[:-1]
        for side, *pair in zip(sides, np.split(values, ends), np.split(failed, ends), strict=True):
            found[id(side)] = (pair[0], pair[1])
    for cases in together:
        yield cases, [found[id(side)] for side in cases.sides]


def _breach(
    judged: ScoredMetric, law: Law, reading: Reading, stack: Stack, found: _Scored, at: int, how: str = "enumerated"
) -> Breach:
    scores = tuple(float(score[at]) for score in found.scores)
    return Breach(
        law.name,
        reading.name,
        stack[found.cases.base[at]].copy(),
        tuple(side.tables[at].copy() for side in found.cases.sides),
        tuple(side.edges for side in found.cases.sides),
        tuple(side.form for side in found.cases.sides),
        scores,
        _outcome(judged, scores),
        how,
    )


def _outcome(judged: ScoredMetric, scores: tuple[float, ...]) -> str:
    if len(scores) != 2:
        return ""
    a, b = (float(judged.good(np.asarray(score))) for score in scores)
    if np.isnan(a) or np.isnan(b):
        return "one of the two is undefined"
    if equal(np.asarray(a), np.asarray(b)):
        return EQUAL
    return "A scores better" if a > b else "B scores better"


def number_of_cases(law: Law, k: int, n: int, judged: ScoredMetric, *, first_reading: bool = False) -> int:
    """How many instances will be tried, in the widest reading or in the first; nothing is scored for it."""
    where = law.readings[0].where if first_reading else None
    return sum(
        len(cases) if where is None else int(where(cases).sum())
        for size in law.sizes(k, n)
        for stack in _chunks(law, size)
        for cases in law.instances(stack, judged)
    )


def _chunks(law: Law, size: Size) -> Iterator[Stack]:
    every = law.kind.every(*size)
    for start in range(0, len(every), CHUNK):
        yield every[start : start + CHUNK]


def first_breach(judged: ScoredMetric, law: Law, stack: Stack, reading: Reading | None = None) -> Breach | None:
    """An instance made of one of these bases on which the law is broken, in its first reading if none is named."""
    read = law.readings[0] if reading is None else reading
    tally = _Tally()
    for found in _scored(judged, law, stack):
        tally.add(judged, law, read, stack, found)
        if tally.breach is not None:
            return tally.breach
    return None


def breaches(judged: ScoredMetric, law: Law, base: Any, reading: Reading | None = None) -> Breach | None:
    """The same for a single base."""
    return first_breach(judged, law, np.asarray(base)[None], reading)


def search(judged: ScoredMetric, law: Law, k: int, n: int, *, beyond: int, rng: np.random.Generator) -> dict[str, LawVerdict]:
    """The verdicts on a law, by reading."""
    why = law.needs(judged)
    if why:
        return {r.name: LawVerdict(law.name, r.name, NOT_APPLICABLE, reason=why) for r in law.readings}
    judged.messages.clear()
    tallies = {reading.name: _Tally() for reading in law.readings}
    sizes = law.sizes(k, n)
    ends = list(accumulate(law.kind.number(*size) for size in sizes))
    pieces = [slice(end - law.kind.number(*size), end) for size, end in zip(sizes, ends, strict=True)]
    for _, size in zip(shown(pieces, max(ends, default=1), f"{judged.text}, {law.name}"), sizes, strict=True):
        for stack in _chunks(law, size):
            for found in _scored(judged, law, stack):
                for reading in law.readings:
                    tallies[reading.name].add(judged, law, reading, stack, found)
    return {
        reading.name: _verdict(judged, law, reading, tallies[reading.name], law.range(k, n), k, n, beyond, rng)
        for reading in law.readings
    }


def _verdict(
    judged: ScoredMetric,
    law: Law,
    reading: Reading,
    tally: _Tally,
    tried: str,
    k: int,
    n: int,
    beyond: int,
    rng: np.random.Generator,
) -> LawVerdict:
    counted = {name: getattr(tally, name) for name in ("cases", "broken", "equal", "undefined", "failed")}
    verdict = LawVerdict(law.name, reading.name, HOLDS, tried, breach=tally.breach, **counted)
    if tally.failed:
        message = max(judged.messages, key=lambda text: judged.messages[text], default="failed")
        verdict = replace(verdict, reason=f"it {message}")
    if tally.breach is not None:
        if isinstance(judged, ScoredFunction) and (unsteady := _unsteady(judged, tally.breach)):
            return replace(verdict, status=UNDECIDED, breach=None, reason=unsteady)
        return replace(verdict, status=FAILS)
    if tally.failed:
        return replace(verdict, status=UNDECIDED)
    first = reading is law.readings[0]
    metric = judged.metric
    if metric is not None and first and law.name in metric.broken:
        recorded = breaches(judged, law, metric.broken[law.name])
        if recorded is not None:
            return replace(verdict, status=FAILS, breach=replace(recorded, found="recorded"))
    if tally.cases == 0 or tally.undefined == tally.cases:
        why = "no case is this small" if tally.cases == 0 else "a score is undefined in every case"
        return replace(verdict, status=UNDECIDED, reason=why)
    proof = metric.laws.get(law.name, "") if metric is not None and first else ""
    if proof.startswith("proved"):
        return replace(verdict, status=PROVED, reason=proof)
    if beyond and law.random:
        number, breach = _random(judged, law, reading, k, n, beyond, rng)
        verdict = replace(verdict, beyond=number)
        if breach is not None:
            return replace(verdict, status=FAILS, breach=breach)
    return verdict


def _unsteady(judged: ScoredFunction, breach: Breach) -> str:
    """A function that answers differently when asked again has no counter-examples."""
    for table, form, score in zip(breach.tables, breach.forms, breach.scores, strict=True):
        [second] = judged.again(TableStack(table[None], form=form))
        if not (second == score or (np.isnan(second) and np.isnan(score))):
            return f"it gave {score:.6g} and then {second:.6g} for the same table"
    return ""


def _random(
    judged: ScoredMetric, law: Law, reading: Reading, k: int, n: int, beyond: int, rng: np.random.Generator
) -> tuple[int, Breach | None]:
    """Larger bases: those nearest to a breach are kept and changed by one row, again and again.  What is found is made smaller."""
    tried = 0
    classes = range(max(law.classes, 2), k + 4)
    rounds = max(1, beyond // (POPULATION * len(classes)))
    for c in classes:
        stack = law.kind.random(rng, c, _more_rows(rng, c, k, n), POPULATION)
        for _ in range(rounds):
            nearest = np.full(len(stack), np.inf)
            for found in _scored(judged, law, stack):
                slack = found.slack[reading.name]
                open_ = ~found.failed & ~np.isnan(slack)
                open_ &= True if reading.where is None else reading.where(found.cases)
                tried += int(open_.sum())
                broken = np.flatnonzero(open_ & (slack < 0))
                if broken.size:
                    breach = _breach(judged, law, reading, stack, found, int(broken[0]), "random")
                    return tried, shrunk(judged, law, reading, breach, classes.stop - 1)
                np.minimum.at(nearest, found.cases.base[open_], slack[open_])
            kept = stack[nearest.argsort()[: POPULATION // 3]]
            fresh = law.kind.random(rng, c, _more_rows(rng, c, k, n), POPULATION // 3)
            stack = np.concatenate([kept, law.kind.moved(rng, kept), fresh])
    return tried, None


def _more_rows(rng: np.random.Generator, classes: int, k: int, n: int) -> int:
    """A number of rows that makes a table of so many classes larger than all that were enumerated."""
    return int(rng.integers(n + 1 if classes <= k else 2, 3 * n + 3))


def shrunk(judged: ScoredMetric, law: Law, reading: Reading, breach: Breach, most_classes: int) -> Breach:
    """The smallest breach that is reached by taking out rows and classes, one step at a time."""
    while True:
        for base in _smaller(breach.base, most_classes):
            found = breaches(judged, law, base, reading)
            if found is not None:
                breach = replace(found, found=breach.found)
                break
        else:
            return breach


def _smaller(base: Stack, most_classes: int) -> Iterator[Stack]:
    """Without one class, with all cells halved, without one row; and, as fewer rows come before fewer classes, without one row
    and with an empty class more at an end."""
    k = base.shape[-1]
    for out in range(k) if k > 1 else ():
        kept = [i for i in range(k) if i != out]
        fewer = base[np.ix_(*[kept] * base.ndim)]
        if fewer.sum():
            yield fewer
    if (base // 2).sum():
        yield base // 2
    for cell in np.argwhere(base):
        less = base.copy()
        less[tuple(cell)] -= 1
        if less.sum():
            yield less
    for cell in np.argwhere(base) if k < most_classes and base.sum() > 1 else ():
        less = base.copy()
        less[tuple(cell)] -= 1
        for ends in ((0, 1), (1, 0)):
            yield np.pad(less, [ends] * base.ndim)
