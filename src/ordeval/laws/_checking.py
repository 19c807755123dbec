"""Asking for verdicts: one metric and some laws, or a whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any

import numpy as np

from ordeval.laws._bases import TABLES
from ordeval.laws._recorded import recorded_table
from ordeval.laws._report import UNDECIDED, LawReport, LawTable, LawVerdict
from ordeval.laws._scoring import ScoredFunction, ScoredMetric, ScoredRecord, TableStack, judged
from ordeval.laws._search import number_of_cases, search
from ordeval.laws._statements import STATEMENTS, Law, get_law
from ordeval.metrics import Metric, catalogue

#: More tables than this are refused: they would not be enumerated in a time that anyone waits.
MOST_TABLES = 1_000_000


def _chosen(laws: str | Iterable[str] | None) -> list[Law]:
    names = list(STATEMENTS) if laws is None else [laws] if isinstance(laws, str) else list(laws)
    if not names:
        raise ValueError("laws= names no law; leave it out for all of them")
    return [get_law(name) for name in names]


def _check_bounds(k: int, n: int) -> None:
    for name, value, least in (("k", k, 2), ("n", n, 1)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name}={value!r}: the bound is a whole number from {least} on")
    number = comb(k * k + n, n) - 1
    if number > MOST_TABLES:
        raise ValueError(
            f"there are {_rounded(number)} tables with K = {k} and N ≤ {n}, and up to {MOST_TABLES:,} are enumerated; take a smaller k= or n="
        )


def _rounded(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "more than 10¹²"


def check(
    metric: str | Metric | Callable[..., Any],
    *,
    laws: str | Iterable[str] | None = None,
    k: int = 4,
    n: int = 5,
    direction: str | float | None = None,
    bounds: tuple[float, float] | None = None,
    beyond: int | None = None,
    rng: int | np.random.Generator = 0,
    announce: Callable[[str], None] | None = None,
) -> LawReport:
    """Which laws a metric keeps: every case with up to K classes and N rows is tried, and random larger ones.

    ``metric`` is a Metric, its text, or any function of (y_true, y_pred) or of a table (one argument: a K×K array of counts, rows
    the truth).  A function of two columns gets the classes 1..K as integers, and all of them as ``labels=`` if it takes that.  For a
    function say which way is better, ``direction`` ("higher", "lower" or a target value), and, if known, its ``bounds``.  What it
    raises, a value that is no number and answers that change are reported beside the law.

    ``beyond`` is the number of larger random tables to try where no small case breaks a law (2,000; 200 for a function).
    ``announce`` is told the number of cases before any is tried.

    >>> report = check("accuracy", laws=["transpose", "ordinal_monotonicity"], k=3, n=3)
    >>> report["transpose"].holds, report["ordinal_monotonicity"].status
    (True, 'fails')
    """
    chosen = _chosen(laws)
    _check_bounds(k, n)
    one = judged(metric, direction=direction, bounds=bounds)
    if beyond is None:
        beyond = 200 if isinstance(one, ScoredFunction) else 2_000
    if announce is not None:
        cases = sum(number_of_cases(law, k, n, one) for law in chosen if not law.needs(one))
        announce(f"{one.text}: {cases:,} cases of {_laws(len(chosen))}")
    return _report(one, chosen, k, n, beyond, np.random.default_rng(rng))


def _laws(number: int) -> str:
    return "1 law" if number == 1 else f"{number} laws"


def _report(one: ScoredMetric, chosen: list[Law], k: int, n: int, beyond: int, rng: np.random.Generator) -> LawReport:
    one.remember(k, n)
    unsteady = _first_answers_change(one) if isinstance(one, ScoredFunction) else ""
    readings: dict[str, dict[str, LawVerdict]] = {}
    for law in chosen:
        if unsteady:
            readings[law.name] = {r.name: LawVerdict(law.name, r.name, UNDECIDED, reason=unsteady) for r in law.readings}
        else:
            readings[law.name] = search(one, law, k, n, beyond=beyond, rng=rng)
    return LawReport(one.text, k, n, {name: next(iter(found.values())) for name, found in readings.items()}, readings)


def _first_answers_change(one: ScoredFunction) -> str:
    """Ask twice for the smallest tables, and say where the answers differ."""
    for n in (1, 2, 3):
        stack = TABLES.every(2, n)
        first, second = one.again(TableStack(stack)), one.again(TableStack(stack))
        for i in np.flatnonzero(~((first == second) | (np.isnan(first) & np.isnan(second)))):
            return f"it gave {first[i]:.6g} and then {second[i]:.6g} for one and the same table"
    return ""


def table(
    metrics: Iterable[str | Metric | Callable[..., Any]] | None = None,
    *,
    laws: str | Iterable[str] | None = None,
    k: int | None = None,
    n: int | None = None,
    announce: Callable[[str], None] | None = None,
) -> LawTable:
    """The verdicts on many metrics (all of the catalogue, if none are named) as one table.

    Without bounds it is the table of what is recorded of registered metrics, found with K ≤ 4 and N ≤ 5; with ``k`` or ``n`` (the
    other is 4, or 5) every case is tried now, which takes about a second for each metric.

    >>> found = table(["mae", "kendall_tau", "cem"], laws=["ordinal_monotonicity", "imbalance"])
    >>> print(found)
                a b
    mae         ✓ ✗
    kendall_tau ✗ ✗
    cem         ✓ ✓
    <BLANKLINE>
    a ordinal_monotonicity  b imbalance
    <BLANKLINE>
    ✓ no counter-example with K ≤ 4, N ≤ 5 (or proved)   ✗ fails   · not applicable
    ? cannot be judged
    """
    chosen = _chosen(laws)
    members = [judged(metric) for metric in ([m for m in catalogue() if m.needs_only_counts] if metrics is None else metrics)]
    if k is None and n is None and all(isinstance(one, ScoredRecord) for one in members):
        return recorded_table([one.metric for one in members if one.metric is not None], chosen)
    k, n = 4 if k is None else k, 5 if n is None else n
    _check_bounds(k, n)
    if announce is not None:
        cases = sum(number_of_cases(law, k, n, one) for one in members[:1] for law in chosen if not law.needs(one))
        announce(f"{len(members)} metrics, {_laws(len(chosen))}: about {cases * len(members):,} cases")
    rng = np.random.default_rng(0)
    reports = {one.text: _report(one, chosen, k, n, 0, rng) for one in members}
    return LawTable(tuple(law.name for law in chosen), reports)
