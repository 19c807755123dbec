"""An adversary for intervals: populations drawn with a fresh seed, and bad intervals that it must catch.

A cell fails only if its coverage lies below 0.85 by more than three Monte-Carlo errors, so that chance does not fail it; how often
intervals hold is the subject of the coverage study, whose generator this is.  What no interval may ever do fails at once.
`python -m battery.run --only intervals --seed N` draws the populations of a seed again.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from battery.plants import replaced
from battery.rows import Check, Plant, Row, Scope, in_parallel, timed

LOWEST, ERRORS = 0.85, 3
SLICE_SETS, SETS = 60, 100
Library = Callable[..., np.ndarray]

#: mode: metrics of each population, most classes, populations in a slice, populations
ASKED: dict[str, tuple[Sequence[str], int, int, int]] = {
    "rows": (("cem", "accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci"), 5, 3, 10),
    "clusters": (("cem", "accuracy", "amae", "cohen_kappa"), 4, 2, 6),
    "weights": (("cem", "accuracy", "amae", "cohen_kappa"), 4, 1, 5),
    "compare": (("cem", "accuracy"), 4, 1, 5),
    "groups": (("accuracy",), 4, 1, 4),
    "edges": (("interval_mae", "interval_stc"), 4, 1, 4),
    "forecasts": (("rps", "log_loss", "concordance_index"), 4, 1, 4),
    "sets": (("set_coverage", "set_size", "miss_distance"), 4, 1, 4),
}
TABLES = 40  # random tables for what must hold on every one, in a slice; five times as many in full


def populations(scope: Scope) -> Row:
    question = f"intervals in populations drawn to make them miss: none holds in less than {LOWEST:.0%} beyond {ERRORS} Monte-Carlo errors, leaves its bounds or its estimate outside"
    if scope.part == "plant":
        with timed() as clock:
            library, mode = _planted
            found = (attack(mode, scope.seed, n, SETS, library, ["accuracy"])[1] for n in range(PLANTED_POPULATIONS))
            failures = next((texts for texts in found if texts), [])
        return Row("intervals", question, PLANTED_POPULATIONS, failures, clock.seconds)
    sets = scope.choose(SETS, SLICE_SETS, 0)
    tasks = [(mode, scope.seed, n, sets) for mode, (_, _, few, many) in ASKED.items() for n in range(scope.choose(many, few, 0))]
    with timed() as clock:
        cells = in_parallel(attack_one, tasks, "intervals")
    coverage = [share for _, _, shares in cells for share in shares]
    note = f"lowest {min(coverage):.3f}, median {np.median(coverage):.3f} as first measured" if coverage else ""
    failures = [text for _, texts, _ in cells for text in texts]
    if not coverage:
        failures.append("no interval was judged")
    return Row("intervals", question, sum(number for number, _, _ in cells), failures, clock.seconds, note)


def tables(scope: Scope) -> Row:
    number = scope.choose(5 * TABLES, TABLES, 3)
    with timed() as clock:
        texts = in_parallel(properties, [(scope.seed, n) for n in range(number)], "properties of intervals")
    question = "random tables: the same seed gives the same bytes, whatever else is requested; shares are mid-P; ten times the rows narrow; evaluate and compare refuse alike"
    return Row("intervals", question, number, [text for found in texts for text in found], clock.seconds)


def attack_one(task: tuple[str, int, int, int]) -> tuple[int, list[str], list[float]]:
    """One population: how many cells were judged, what failed, and the coverage of each."""
    mode, seed, number, sets = task
    return attack(mode, seed, number, sets)


def attack(
    mode: str, seed: int, number: int, sets: int, library: Library | None = None, metrics: Sequence[str] = ()
) -> tuple[int, list[str], list[float]]:
    from coverage_measure import measure
    from coverage_populations import intervals, random_population

    asked, most_classes, _, _ = ASKED[mode]
    population = random_population([seed, number], mode, most_classes)
    cells = measure(population, metrics or asked, sets, [seed, number, 1], library=library or intervals)
    return len(cells), [text for cell in cells for text in verdict(cell)], [cell.coverage for cell in cells if cell.judged]


def verdict(cell: Any) -> list[str]:
    """What is wrong with a cell, beyond chance."""
    where = f"{cell.mode}: {cell.metric}, {cell.kind}, N {cell.rows}, K {cell.k}"
    found = [f"{where}: {text}" for text in cell.faults]
    if cell.judged and cell.coverage + ERRORS * cell.error < LOWEST:
        found.append(f"{where}: held in {cell.coverage:.3f} ± {cell.error:.3f} of {cell.given} data sets")
    return found


# What must hold on every table


def properties(task: tuple[int, int]) -> list[str]:
    """A random table, and what is wrong with its intervals."""
    from coverage_populations import random_population

    import ordeval as oe

    seed, number = task
    rng = np.random.default_rng([seed, number, 5])
    population = random_population([seed, number, 5], "rows", 5)
    k, rows = population.k, min(population.rows, 300)
    table = rng.multinomial(rows, population.table.ravel()).reshape(k, k)
    metrics = [
        "accuracy",
        str(rng.choice(["cem", "cohen_kappa", "amae", "bias", "oci", "kendall_tau", "mae", "mutual_information"])),
    ]
    wrong = []

    def scores(counts: np.ndarray, asked: list[str]) -> Any:
        return oe.evaluate(oe.Counts.from_matrix(counts, labels=range(k)), metrics=asked, n_resamples=999, rng=number).scores

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second, alone, more = (
            scores(table, metrics),
            scores(table, metrics),
            scores(table, metrics[1:]),
            scores(10 * table, metrics),
        )
        for m in metrics:
            ends, bounds = (first[m].low, first[m].high), oe.get_metric(m).bounds_for(k)
            if repr(ends) != repr((second[m].low, second[m].high)):
                wrong.append(f"{m}: the same seed gave {ends} and {(second[m].low, second[m].high)}")
            if math.isnan(ends[0]):
                if not first[m].reason:
                    wrong.append(f"{m}: no interval and no reason")
                continue
            if not bounds[0] - 1e-9 <= ends[0] <= first[m].value <= ends[1] <= bounds[1] + 1e-9:
                wrong.append(f"{m}: {ends} around {first[m].value}, bounds {bounds}")
            if not more[m].high - more[m].low < ends[1] - ends[0]:
                wrong.append(f"{m}: ten times the rows do not narrow {ends}: {more[m].low}, {more[m].high}")
        if repr(alone[metrics[1]].low) != repr(first[metrics[1]].low):
            wrong.append(f"{metrics[1]}: another end when asked for alone")
        wrong += _not_mid_p(int(np.trace(table)), rows, first["accuracy"])
        wrong += _refusals_differ(table, metrics[1], first, k)
    return [f"table {table.tolist()}: {text}" for text in wrong]


def _not_mid_p(right: int, rows: int, score: Any) -> list[str]:
    """Each end of a share is where the tail beyond it, the share at hand counted half, is 2.5 %; by SciPy's binomial distribution."""
    from scipy.stats import binom

    wrong = []
    for end, share, tail in ((score.low, right, binom.sf), (score.high, right, lambda x, n, p: binom.cdf(x - 1, n, p))):
        if 0 < end < 1:
            found = tail(share, rows, end) + binom.pmf(share, rows, end) / 2
            if abs(found - 0.025) > 1e-6:
                wrong.append(f"accuracy: {end} leaves a tail of {found}")
    return wrong


def _refusals_differ(table: np.ndarray, metric: str, found: Any, k: int) -> list[str]:
    import ordeval as oe

    true, pred = (np.repeat(index.ravel(), table.ravel()) for index in np.indices((k, k)))
    pair = oe.compare(true, {"a": pred, "b": pred}, labels=range(k), metrics=["accuracy", metric], n_resamples=999)
    difference = next(iter(pair.differences.values()))[metric]
    if bool(difference.reason) != bool(found[metric].reason):
        return [f"{metric}: evaluate says {found[metric].reason!r}, compare {difference.reason!r}"]
    return []


# Bad intervals


def _accuracy(p: Any, rng: np.random.Generator) -> tuple[float, float]:
    """The share of right rows of one data set, and its number of rows; of clusters, all their rows."""
    if p.mode == "rows":
        return rng.binomial(p.rows, np.trace(p.table)) / p.rows, p.rows
    sort = rng.choice(len(p.extra["weight"]), p.rows, p=p.extra["weight"])
    size = rng.poisson(p.extra["size"][sort]) + 1e-300
    right = rng.binomial(size.astype(int), np.einsum("sii->s", p.extra["tables"])[sort])
    return right.sum() / size.sum(), size.sum()


def _wald(p: Any, metrics: Any, rng: np.random.Generator, seed: int, method: str) -> np.ndarray:
    share, rows = _accuracy(p, rng)
    error = 1.96 * math.sqrt(share * (1 - share) / rows)
    return np.array([[share - error, share, share + error]])


def _wald_clipped(p: Any, metrics: Any, rng: np.random.Generator, seed: int, method: str) -> np.ndarray:
    return np.clip(_wald(p, metrics, rng, seed, method), 0, 1)


def _wilson(p: Any, metrics: Any, rng: np.random.Generator, seed: int, method: str) -> np.ndarray:
    """Good for independent rows, whatever cluster they come from."""
    share, rows = _accuracy(p, rng)
    z2 = 1.96**2
    middle, half = (
        (share + z2 / 2 / rows) / (1 + z2 / rows),
        1.96 / (1 + z2 / rows) * math.sqrt(share * (1 - share) / rows + z2 / 4 / rows**2),
    )
    return np.array([[min(middle - half, share), share, max(middle + half, share)]])


def _half_as_wide(p: Any, metrics: Any, rng: np.random.Generator, seed: int, method: str) -> np.ndarray:
    low, share, high = _wilson(p, metrics, rng, seed, method)[0]
    return np.array([[(low + share) / 2, share, (high + share) / 2]])


def _beside(p: Any, metrics: Any, rng: np.random.Generator, seed: int, method: str) -> np.ndarray:
    """Around another number than the estimate, as after a correction of its bias."""
    low, share, high = _wilson(p, metrics, rng, seed, method)[0]
    return np.array([[max(low - 0.01, 0), share, min(share - 0.001, 1)]]) if share > 0.02 else np.array([[low, share, high]])


#: name: the intervals, and the mode in which they are tried
PLANTED: dict[str, tuple[Library, str]] = {
    "Wald": (_wald, "rows"),
    "Wald, clipped to the bounds": (_wald_clipped, "rows"),
    "clusters ignored": (_wilson, "clusters"),
    "half as wide": (_half_as_wide, "rows"),
    "estimate outside": (_beside, "rows"),
}
PLANTED_POPULATIONS = 100
_planted: tuple[Library, str] = (_wilson, "rows")  # what is tried where plants are: a good interval, until one is planted


def caught(name: str, seed: int) -> bool:
    """Whether the adversary notices a planted interval in some population of the seed."""
    library, mode = PLANTED[name]
    return any(attack(mode, seed, n, SETS, library, ["accuracy"])[1] for n in range(PLANTED_POPULATIONS))


def spared(seed: int, populations: int = PLANTED_POPULATIONS) -> bool:
    """Whether it leaves a good interval of the same kind alone: one that is caught too would prove nothing."""
    return not any(attack("rows", seed, n, SETS, _wilson, ["accuracy"])[1] for n in range(populations))


@contextmanager
def _plant(name: str) -> Iterator[None]:
    global _planted
    good, _planted = _planted, PLANTED[name]
    try:
        yield
    finally:
        _planted = good


def _evaluated(spoil: Callable[[Any], Any]) -> Plant:
    """`evaluate` gives what ``spoil`` makes of each of its scores."""

    def change(good: Any) -> Any:
        def bad(*rows: Any, **options: Any) -> Any:
            scores = good(*rows, **options).scores
            return SimpleNamespace(scores={metric: spoil(score) for metric, score in scores.items()})

        return bad

    return replaced("ordeval", "evaluate", change)


_calls = itertools.count(1)

CHECKS = (
    Check("intervals.populations", populations, {name: (lambda name=name: _plant(name)) for name in PLANTED}),
    Check(
        "intervals.tables",
        tables,
        {
            "other ends in every call": _evaluated(lambda score: replace(score, low=score.low - 1e-6 * next(_calls))),
            "ends beyond the bounds": _evaluated(lambda score: replace(score, high=score.high + 5)),
            "as wide for ten times the rows": _evaluated(lambda score: replace(score, low=score.value - 1e-3, high=score.value + 1e-3)),
            "no interval and no reason": _evaluated(lambda score: replace(score, low=math.nan, high=math.nan, reason="")),
        },
    ),
)  # fmt: skip
