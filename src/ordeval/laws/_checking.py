"""Asking for verdicts: one metric and some laws, or a whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any, Literal, TypeAlias

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Rng
from ordeval.laws._bases import TABLES
from ordeval.laws._recorded import recorded_table
from ordeval.laws._report import UNDECIDED, LawReport, LawTable, LawVerdict
from ordeval.laws._scoring import ScoredFunction, ScoredMetric, ScoredRecord, TableStack, judged
from ordeval.laws._search import number_of_cases, search
from ordeval.laws._statements import STATEMENTS, Law, get_law
from ordeval.metrics import Metric, catalogue

Direction: TypeAlias = Literal["higher", "lower"]

#: More tables than this are refused: they would not be enumerated in a time that anyone waits.
MOST_TABLES = 1_000_000


def _chosen(laws: str | Iterable[str] | None) -> list[Law]:
    names = list(STATEMENTS) if laws is None else [laws] if isinstance(laws, str) else list(laws)
    if not names:
        raise ArgumentError("{laws} names no law", argument="laws", remedy="leave it out for all of them")
    return [get_law(name) for name in names]


def _check_bounds(max_k: int, max_n: int) -> None:
    for name, value, least in (("max_k", max_k, 2), ("max_n", max_n, 1)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ArgumentError(
                f"{{{name}:{{given}}}}: the bound is a whole number of at least {least}",
                argument=name,
                values={"given": repr(value)},
            )
    number = comb(max_k * max_k + max_n, max_n) - 1
    if number > MOST_TABLES:
        raise ArgumentError(
            f"there are {{number}} tables with K = {{k}} and N ≤ {{n}}, but at most {MOST_TABLES:,} are enumerated",
            argument="max_n",
            remedy="take a smaller {max_k} or {max_n}",
            values={"number": f"{number:,}" if number < 10**12 else "more than 10¹²", "k": max_k, "n": max_n},
        )


@renamed_keywords
@documented(
    "The verdict on every law, with the smallest counter-example to each that fails.",
    metric="A metric, its text, or any function of (y_true, y_pred) or of a table (one argument: a K×K array of counts, rows the truth).",
    laws="The laws to try; None means all of `LAWS`.",
    max_k="Every case with up to this many classes is tried.",
    max_n="Every case with up to this many rows is tried.",
    direction='For a function: which way is better, "higher", "lower" or a target value; None means "higher".',
    bounds="For a function: its lowest and its highest value, if they are known.",
    beyond="Larger random tables to try where no small case breaks a law; None means 2,000, and 200 for a function.",
    announce="Is told the number of cases before any is tried.",
)
def check(
    metric: str | Metric | Callable[..., Any],
    *,
    laws: str | Iterable[str] | None = None,
    max_k: int = 4,
    max_n: int = 5,
    direction: Direction | float | None = None,
    bounds: tuple[float, float] | None = None,
    beyond: int | None = None,
    rng: Rng = 0,
    announce: Callable[[str], None] | None = None,
) -> LawReport:
    """Which laws a metric keeps: every case with up to K classes and N rows is tried, and random larger ones.

    A function of two columns gets the classes 1..K as integers, and all of them as ``labels=`` if it takes that.  What it raises, a
    value that is not a number, and scores that change from call to call, are reported with the law.

    >>> report = check("accuracy", laws=["transpose", "ordinal_monotonicity"], max_k=3, max_n=3)
    >>> report["transpose"].holds, report["ordinal_monotonicity"].status
    (True, 'fails')
    """
    chosen = _chosen(laws)
    _check_bounds(max_k, max_n)
    one = judged(metric, direction=direction, bounds=bounds)
    if beyond is None:
        beyond = 200 if isinstance(one, ScoredFunction) else 2_000
    if announce is not None:
        cases = sum(number_of_cases(law, max_k, max_n, one) for law in chosen if not law.needs(one))
        announce(f"{one.text}: {cases:,} cases of {_laws(len(chosen))}")
    return _report(one, chosen, max_k, max_n, beyond, np.random.default_rng(rng))


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
            return f"it gave {first[i]:.6g} and then {second[i]:.6g} for the same table"
    return ""


@renamed_keywords
@documented(
    "The verdicts, by metric and law.",
    metrics="The metrics, by name, text or function; None means all of the catalogue that are scores of hard labels.",
    laws="The laws to show; None means all of `LAWS`.",
    max_k="Try every case with up to this many classes now.",
    max_n="Try every case with up to this many rows now.",
    announce="Is told the number of cases before any is tried.",
)
def table(
    metrics: Iterable[str | Metric | Callable[..., Any]] | None = None,
    *,
    laws: str | Iterable[str] | None = None,
    max_k: int | None = None,
    max_n: int | None = None,
    announce: Callable[[str], None] | None = None,
) -> LawTable:
    """The verdicts on many metrics (all of the catalogue, if none are named) as one table.

    Without bounds it is the table of what is recorded of registered metrics, found with K ≤ 4 and N ≤ 5; with ``max_k`` or ``max_n``
    (the other is 4, or 5) every case is tried now, which takes about a second for each metric.

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
    if max_k is None and max_n is None and all(isinstance(one, ScoredRecord) for one in members):
        return recorded_table([one.metric for one in members if one.metric is not None], chosen)
    k, n = 4 if max_k is None else max_k, 5 if max_n is None else max_n
    _check_bounds(k, n)
    if announce is not None:
        cases = sum(number_of_cases(law, k, n, one) for one in members[:1] for law in chosen if not law.needs(one))
        announce(f"{len(members)} metrics, {_laws(len(chosen))}: about {cases * len(members):,} cases")
    rng = np.random.default_rng(0)
    reports = {one.text: _report(one, chosen, k, n, 0, rng) for one in members}
    return LawTable(tuple(law.name for law in chosen), reports)
