"""Is the arithmetic right at every size?  Every metric on tables of 2 to 50 classes and 1 to 10¹⁵ rows, against 50 digits."""

from __future__ import annotations

import math
from typing import Any

from battery.plants import BAD_NUMBERS, replaced, single, spoiled_points
from battery.rows import Check, Row, Scope, in_parallel, timed
from ordeval import Metric

TOLERANCE = 1e-12  # of max(1, |value|): what the page of promises says
TABLES = 2_000  # for each metric; a variant of its parameters gets a tenth


def _worst(task: tuple[str, Any, int]) -> tuple[str, int, float, list[str]]:
    text, seed, number = task
    from papers.derivations import derived, mpf, real
    from tables import random_tables, scale_of, value

    from ordeval import get_metric

    metric, worst, wrong = get_metric(text), 0.0, []
    for table in random_tables(number, seed=seed, most_classes=12 if _slow(metric) else 50):
        expected, got = derived(metric, scale_of(metric, len(table)), table), value(metric, table)
        if expected is None or math.isnan(got):
            if expected is not None or not math.isnan(got):
                wrong.append(f"{text}: {got} here, {expected} in 50 digits, on {table.tolist()}")
            continue
        error = float(abs(mpf(got) - real(expected)) / max(1, abs(real(expected))))
        worst = max(worst, error)
        if error > TOLERANCE:
            wrong.append(f"{text} is off by {error:.2g} on {table.tolist()}")
    return text, number, worst, wrong


def tables(scope: Scope) -> Row:
    from tables import variants

    from ordeval import get_metric

    part = scope.choose(200, 4, 40)
    few = ("accuracy", "amae", "cohen_kappa", "somers_d")
    tasks = [
        (str(metric), [scope.seed, number], part)
        for metric in (map(get_metric, few) if scope.part == "plant" else variants())
        for number in range(1 if scope.part != "all" or metric.params != metric.defaults else TABLES // part)
    ]
    with timed() as clock:
        found = in_parallel(_worst, tasks, "arithmetic")
    largest: dict[str, float] = {}
    for text, _, worst, _ in found:
        largest[text] = max(largest.get(text, 0.0), worst)
    lines = [f"| `{text}` | {error:.1e} |" for text, error in sorted(largest.items(), key=lambda entry: -entry[1])]
    table = ["| metric | largest error, as a share of max(1, \\|value\\|) |", "|---|---:|", *lines]
    question = (
        "every metric on random tables, K from 2 to 50, N from 1 to 10¹⁵, near-degenerate ones among them, against 50 digits"
    )
    note = f"largest error {max(largest.values()):.1e}; promised {TOLERANCE:.0e}"
    return Row(
        "arithmetic",
        question,
        sum(n for _, n, _, _ in found),
        [w for *_, wrong in found for w in wrong],
        clock.seconds,
        note,
        table,
    )


def _slow(metric: Metric) -> bool:
    """A derivation that searches in 50 digits takes minutes for a table of fifty classes."""
    return metric.name == "auoc" or metric.params.get("unbounded") == "optimal"


def _worst_forecast(task: tuple[str, int, int]) -> tuple[int, float, list[str]]:
    text, number, seed_of_run = task
    import numpy as np
    from forecasts import as_forecast, random_forecast
    from papers.test_probability import SLOW_CHAINS, derived

    from ordeval import get_metric

    metric, worst, wrong = get_metric(text), 0.0, []
    for i in range(number):
        seed = [seed_of_run, i]
        k, n = (3, 12) if metric.name in SLOW_CHAINS else (2 + i % 7, 20)
        true, proba, weights = random_forecast(seed, n, k, coarse=i % 3 == 2, weights=i % 2 == 1)
        with np.errstate(all="ignore"):
            got = float(metric.bind(as_forecast(true, proba, weights)).point())
        expected = derived(metric, true, proba, weights)
        if expected is None or math.isinf(expected):
            if not (math.isnan(got) if expected is None else got == expected):
                wrong.append(f"{text}: {got} here, {expected} in 50 digits, on seed {seed}")
            continue
        error = float(abs(got - expected) / max(1, abs(expected)))
        worst = max(worst, error)
        if not error <= TOLERANCE:
            wrong.append(f"{text} is off by {error:.2g} on seed {seed}")
    return number, worst, wrong


def forecasts(scope: Scope) -> Row:
    from forecasts import variants

    texts = ["rps", "log_loss", "rps_skill"] if scope.part == "plant" else [str(metric) for metric in variants()]
    number = scope.choose(150, 3, 24)
    with timed() as clock:
        found = in_parallel(_worst_forecast, [(text, number, scope.seed) for text in texts], "arithmetic, probabilities")
    question = "every probability metric on random forecasts, K from 2 to 8, with ties and weights, against 50 digits"
    note = f"largest error {max(worst for _, worst, _ in found):.1e}; promised {TOLERANCE:.0e}"
    return Row(
        "arithmetic", question, sum(n for n, _, _ in found), [w for *_, wrong in found for w in wrong], clock.seconds, note
    )


CHECKS = (
    Check("arithmetic.tables", tables, BAD_NUMBERS),
    Check(
        "arithmetic.forecasts",
        forecasts,
        {
            "1e-9 added": spoiled_points(lambda value: value + 1e-9),
            "single precision": spoiled_points(single),
            "weights are ignored": replaced(
                "forecasts", "forecast", lambda good: lambda *rows, sample_weight=None, **options: good(*rows, **options)
            ),
        },
    ),
)  # fmt: skip
