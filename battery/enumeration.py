"""Small cases, all of them: every metric against exact fractions or 50 digits, every claimed law, every form of the same rows."""

from __future__ import annotations

import math
import warnings
from functools import cache
from typing import Any

import numpy as np

from battery.plants import BAD_NUMBERS, replaced, spoiled_tables
from battery.rows import Check, Row, Scope, in_parallel, timed

TOLERANCE = 1e-14  # of small tables: their values are quotients of small numbers
FEW = ("accuracy", "mae", "cohen_kappa", "somers_d", "macro_f1", "stc")  # metrics on which plants are tried


def metrics(scope: Scope) -> list[str]:
    from tables import variants

    return list(FEW) if scope.part == "plant" else [str(metric) for metric in variants()]


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


def exact(scope: Scope) -> Row:
    slice_ = scope.part != "all"
    with timed() as clock:
        found = in_parallel(_exact, [(text, slice_) for text in metrics(scope)], "enumeration, exact")
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


def laws(scope: Scope) -> Row:
    k, n = scope.choose((3, 5), (3, 2), (3, 2))
    with timed() as clock:
        found = in_parallel(_laws, [(text, k, n) for text in metrics(scope)], "enumeration, laws")
    question = f"every claimed law on all cases with K ≤ {k}, N ≤ {n}"
    return Row("enumeration", question, sum(n for n, _ in found), [w for _, wrong in found for w in wrong], clock.seconds)


def _forms(task: tuple[str, int, int]) -> tuple[int, list[str]]:
    """Labels, counts, a slice of a stack, weights as repetition, merged shards, other names: the same score, by hypothesis."""
    text, examples, seed_of_run = task
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st
    from tables import rows_of, same, scale_of, tables

    from ordeval import Counts, count, get_metric

    metric = get_metric(text)
    seen = [0]

    phases = [Phase.explicit, Phase.generate]  # a failing table is found again by its seed, not made smaller for minutes

    @seed(seed_of_run)
    @settings(
        max_examples=examples,
        derandomize=False,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=phases,
    )
    @given(tables(), st.integers(0, 2**32 - 1))
    def agree(table: Any, order: int) -> None:
        seen[0] += 1
        rng, scale = np.random.default_rng(order), scale_of(metric, len(table))
        counts = Counts.from_matrix(table, labels=scale)
        score = float(metric.bind(counts)(table))
        t, p = (np.array(codes) for codes in rows_of(table))
        shuffled = rng.permutation(len(t))
        t, p = t[shuffled], p[shuffled]
        names = scale.decode(np.arange(scale.K))
        assert same(metric(names[t], names[p], labels=scale), score, 0), f"labels of {table.tolist()} score otherwise than counts"
        cells = np.argwhere(table)
        weighted = metric(names[cells[:, 0]], names[cells[:, 1]], labels=scale, sample_weight=table[table > 0])
        assert same(weighted, score, 0), f"weights for rows of {table.tolist()}: {weighted}, not {score}"
        cut = int(rng.integers(1, len(t))) if len(t) > 1 else 0
        if cut:
            merged = count(names[t[:cut]], names[p[:cut]], labels=scale) + count(names[t[cut:]], names[p[cut:]], labels=scale)
            assert merged == counts, f"two shards of {table.tolist()} add up to {merged.matrix.tolist()}"
        stack = np.stack([table[::-1, ::-1], np.ones_like(table), table, table[::-1]])
        sliced = float(metric.bind(counts)(stack)[2])
        assert same(sliced, score, 1e-14), f"{table.tolist()} in a stack: {sliced}, not {score}"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            agree()
        except Exception as error:  # one of the ways of saying the rows was refused, or scored otherwise
            return seen[0], [f"{text}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"]
    return seen[0], []


def forms(scope: Scope) -> Row:
    texts = metrics(scope)
    examples = scope.choose(math.ceil(50_000 / len(texts)) + 10, 10, 10)
    with timed() as clock:
        found = in_parallel(_forms, [(text, examples, scope.seed) for text in texts], "enumeration, forms")
    question = "the same rows as labels, counts, weights, shards and in a stack, tables drawn by hypothesis"
    return Row("enumeration", question, sum(n for n, _ in found), [w for _, wrong in found for w in wrong], clock.seconds)


CHECKS = (
    Check("enumeration.exact", exact, BAD_NUMBERS, seeded=False),
    Check(
        "enumeration.laws",
        laws,
        {
            "a metric that looks at one cell more": spoiled_tables(lambda good, tables: good(tables) + tables[..., 0, -1] / 1e3),
            "a metric that looks at the number of rows": spoiled_tables(
                lambda good, tables: good(tables) + tables.sum((-2, -1)) / 1e3
            ),
            "a metric that counts from the other end": spoiled_tables(
                lambda good, tables: good(tables) + np.triu(tables, 1).sum((-2, -1)) / 1e3
            ),
        },
        seeded=False,
    ),
    Check(
        "enumeration.forms",
        forms,
        {
            "count() drops the last row": replaced(
                "ordeval", "count", lambda good: lambda t, p, **options: good(t[:-1] if len(t) > 1 else t, p[: len(t[:-1]) or 1], **options)
            ),
            "weights are ignored": replaced(
                "ordeval.metrics.core.record:Metric",
                "__call__",
                lambda good: lambda self, *args, sample_weight=None, **options: good(self, *args, **options),
            ),
            "adding shards keeps the first alone": replaced("ordeval:Counts", "__add__", lambda good: lambda self, other: self),
            "a stack is turned around": spoiled_tables(lambda good, tables: good(tables)[::-1] if tables.ndim > 2 else good(tables)),
        },
    ),
)  # fmt: skip
