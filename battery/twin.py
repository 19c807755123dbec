"""The exact twin of probability, set and rater metrics: random rational cases against fractions, and whether every nan is one.

`python -m battery.run --only twin --seed N` runs it alone; without a seed a fresh one is drawn, and the page names it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator

from battery.rows import Row, in_parallel, timed

CASES = 10_000  # for each metric
FITS = 1_000
PART = 50  # cases of a task
SLICE = 60  # cases for each metric in a slice


def _part(task: tuple[str, int, int, int]) -> tuple[Counter[str], list[str]]:
    what, seed, start, stop = task
    from papers import twin

    found: tuple[Counter[str], list[str]] = getattr(twin, what)(seed, range(start, stop))
    return found


def _fits(task: tuple[int, int, int]) -> list[str]:
    seed, start, stop = task
    import numpy as np
    from rational import fits_disagree

    return [why for i in range(start, stop) if (why := fits_disagree(np.random.default_rng([seed, i, 4])))]


def rows(slice_: bool, seed: int | None = None) -> Iterator[Row]:
    chosen = secrets.randbelow(10**6) if seed is None else seed
    yield _cases("forecasts", "every probability metric on rational forecasts (halves to hundredths, repeated and constant rows, K from 2 to 8, "
        "weights; small cases in all orders of their rows) against fractions or 50 digits, and whether a value exists", slice_, chosen)  # fmt: skip
    yield _cases("sets", "every set metric on random prediction sets against fractions", slice_, chosen)
    yield _cases(
        "ratings",
        "every coefficient of agreement on random ratings against fractions, and whether a value exists",
        slice_,
        chosen,
    )
    yield fits(slice_, chosen)


def _cases(what: str, question: str, slice_: bool, seed: int) -> Row:
    number = SLICE if slice_ else CASES
    tasks = [(what, seed, start, min(start + PART, number)) for start in range(0, number, PART)]
    with timed() as clock:
        found = in_parallel(_part, tasks, f"twin, {what}")
    tried: Counter[str] = sum((part for part, _ in found), Counter())
    note = f"{number:,} cases for each of {len(tried)} metrics and variants, seed {seed}"
    return Row("twin", question, sum(tried.values()), [w for _, wrong in found for w in wrong], clock.seconds, note)


def fits(slice_: bool, seed: int) -> Row:
    number = 30 if slice_ else FITS
    tasks = [(seed, start, min(start + PART // 5, number)) for start in range(0, number, PART // 5)]
    with timed() as clock:
        found = in_parallel(_fits, tasks, "twin, decisions")
    question = "identical rows, identical answers: decide, fit and OrdinalDecision on random fits with repeated rows"
    return Row("twin", question, number, [w for wrong in found for w in wrong], clock.seconds, f"seed {seed}")
