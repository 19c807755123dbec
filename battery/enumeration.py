"""Small cases, all of them: every metric against exact fractions or 50 digits, every claimed law, every form of the same rows."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from battery.rows import Row, in_parallel, say, timed

TOLERANCE = 1e-14  # of small tables: their values are quotients of small numbers


def rows(slice_: bool) -> Iterator[Row]:
    yield exact(slice_)
    yield laws(slice_)
    yield forms(slice_)


@cache
def tables_to_try(slice_: bool) -> list[Any]:
    from tables import all_tables

    ranges = [(1, 2), (2, 3), (3, 2)] if slice_ else [(1, 3), (2, 12), (3, 6)]
    return [table for k, most in ranges for n in range(1, most + 1) for table in all_tables(k, n)]


def _exact(task: tuple[str, bool]) -> tuple[int, list[str]]:
    text, slice_ = task
    from papers.derivations import derived, mpf, real
    from tables import scale_of, value

    from ordeval import get_metric

    metric, wrong = get_metric(text), []
    for table in tables_to_try(slice_):
        expected, got = derived(metric, scale_of(metric, len(table)), table), value(metric, table)
        if expected is None or math.isnan(got):
            bad = expected is not None or not math.isnan(got)
        else:
            bad = abs(mpf(got) - real(expected)) > TOLERANCE * max(1, abs(real(expected)))
        if bad:
            wrong.append(f"{text} on {table.tolist()}: {got} here, {expected} by its derivation")
    return len(tables_to_try(slice_)), wrong


def exact(slice_: bool) -> Row:
    from tables import variants

    with timed() as clock:
        found = in_parallel(_exact, [(str(metric), slice_) for metric in variants()], "enumeration, exact")
    most = "K ≤ 2, N ≤ 3 and K = 3, N ≤ 2" if slice_ else "K ≤ 3, N ≤ 6 and K = 2, N ≤ 12"
    question = f"every metric on all tables with {most}, against exact fractions or 50 digits"
    return Row(
        "enumeration",
        question,
        sum(n for n, _ in found),
        [w for _, wrong in found for w in wrong],
        clock.seconds,
        f"{len(found)} metrics and variants",
    )


def _laws(task: tuple[str, int, int]) -> tuple[int, list[str]]:
    text, k, n = task
    from ordeval import get_metric
    from ordeval.laws import STATEMENTS
    from ordeval.laws import check as check_laws
    from ordeval.laws._scoring import judged

    metric = get_metric(text)
    claimed = [law for law, statement in STATEMENTS.items() if law in metric.laws and not statement.needs(judged(metric))]
    report = check_laws(metric, laws=claimed, max_k=k, max_n=n, beyond=0)
    return sum(report[law].cases for law in claimed), [f"{text}: {report[law]}" for law in claimed if not report[law].holds]


def laws(slice_: bool) -> Row:
    from tables import variants

    k, n = (3, 2) if slice_ else (3, 5)
    with timed() as clock:
        found = in_parallel(_laws, [(str(metric), k, n) for metric in variants()], "enumeration, laws")
    question = f"every claimed law on all cases with K ≤ {k}, N ≤ {n}"
    return Row("enumeration", question, sum(n for n, _ in found), [w for _, wrong in found for w in wrong], clock.seconds)


def _forms(task: tuple[str, int]) -> tuple[int, list[str]]:
    """Labels, counts, a slice of a stack, weights as repetition, merged shards, other names: the same score, by hypothesis."""
    text, examples = task
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
    from tables import rows_of, same, scale_of, tables

    from ordeval import Counts, count, get_metric

    metric = get_metric(text)
    seen = [0]

    @settings(max_examples=examples, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(tables(), st.integers(0, 2**32 - 1))
    def agree(table: Any, seed: int) -> None:
        seen[0] += 1
        rng, scale = np.random.default_rng(seed), scale_of(metric, len(table))
        counts = Counts.from_matrix(table, labels=scale)
        score = float(metric.bind(counts)(table))
        t, p = (np.array(codes) for codes in rows_of(table))
        order = rng.permutation(len(t))
        t, p = t[order], p[order]
        names = scale.decode(np.arange(scale.K))
        assert metric(names[t], names[p], labels=scale) == score or math.isnan(score)
        cells = np.argwhere(table)
        assert same(metric(names[cells[:, 0]], names[cells[:, 1]], labels=scale, sample_weight=table[table > 0]), score, 0)
        cut = int(rng.integers(1, len(t))) if len(t) > 1 else 0
        if cut:
            merged = count(names[t[:cut]], names[p[:cut]], labels=scale) + count(names[t[cut:]], names[p[cut:]], labels=scale)
            assert merged == counts
        stack = np.stack([table[::-1, ::-1], table, np.ones_like(table)])
        assert same(float(metric.bind(counts)(stack)[1]), score, 1e-14)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            agree()
        except AssertionError as error:
            return seen[0], [f"{text}: {' '.join(str(error).split())[:300]}"]
    return seen[0], []


def forms(slice_: bool) -> Row:
    from tables import variants

    texts = [str(metric) for metric in variants()]
    examples = 10 if slice_ else math.ceil(50_000 / len(texts)) + 10
    with timed() as clock:
        found = in_parallel(_forms, [(text, examples) for text in texts], "enumeration, forms")
    question = "the same rows as labels, counts, weights, shards and in a stack, tables drawn by hypothesis"
    return Row("enumeration", question, sum(n for n, _ in found), [w for _, wrong in found for w in wrong], clock.seconds)


if __name__ == "__main__":
    for row in rows(True):
        say(str(row))
