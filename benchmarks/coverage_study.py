"""The coverage study: how often does a 95 % interval hold the true score, in populations drawn to make it miss?

    python benchmarks/coverage_study.py [--part NAME ...] [--minutes 5] [--seed 1]

Each part draws random populations, searches around the worst of them, and measures the worst cells again on fresh data sets, so
that their figures are not the luck of the search.  Results are added to benchmarks/results/coverage/NAME.json with the seed, the
command and the fingerprint of the rules, which were fixed before any population of the seed was drawn; a second run with one seed
replaces the first.  scripts/coverage_page.py writes the pages.  One process; `nice` it if others share the machine.
"""

import argparse
import ast
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from coverage_measure import FLOOR, Cell, measure
from coverage_populations import RESAMPLES, Population, by_row, from_dict, neighbour, paired, random_population, value_of

import ordeval as oe

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "coverage"
RULES = ("_walk", "_tables", "_row_space", "_auto", "_conditions", "_pairs", "_groups")
DEFAULT = ("cem", "accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci")
PAIRED = ("cem", "accuracy", "cohen_kappa", "bias", "oci", "amae", "kendall_tau", "mae")
METHODS = ("percentile", "basic", "bca", "delta", "fisher", "wilson", "jackknife", "dirichlet")
FORECASTS = ("rps", "rps_skill", "brier", "log_loss", "ordinal_log_loss", "threshold_loss", "unimodality", "calibration_slope")
PAIRS = ("concordance_index", "ordinal_auc", "volume_under_surface")
AGAIN = 10  # cells that are measured again
SETS = ("set_coverage", "set_size", "miss_distance")


def others() -> tuple[str, ...]:
    """The metrics of hard labels that are no default."""
    return tuple(m.name for m in oe.catalogue() if m.needs_only_counts and "edges" not in m.needs and m.name not in DEFAULT)


def edged() -> tuple[str, ...]:
    return tuple(m.name for m in oe.catalogue() if "edges" in m.needs)


def rules() -> str:
    """A fingerprint of the code that decides about an interval; comments, docstrings, types and layout do not count."""
    digest = hashlib.sha256()
    for name in RULES:
        tree = ast.parse((ROOT / "src" / "ordeval" / "infer" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                del node.body[0]
            if isinstance(node, ast.FunctionDef):
                node.returns = None
            if isinstance(node, ast.arg):
                node.annotation = None
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:12]


class Clock:
    def __init__(self, minutes: float) -> None:
        self.began, self.length = time.monotonic(), 60 * minutes

    @property
    def spent(self) -> float:
        return (time.monotonic() - self.began) / self.length


#: part: mode, metrics, how many of them each population is asked for, most classes
SEARCHED: dict[str, tuple[str, Sequence[str], int, int]] = {
    "rows": ("rows", DEFAULT, 7, 8),
    "others": ("rows", (), 10, 6),
    "clusters": ("clusters", DEFAULT, 7, 6),
    "mixed": ("mixed", DEFAULT, 7, 6),
    "compare": ("compare", PAIRED, 3, 5),
    "weights": ("weights", DEFAULT, 7, 6),
    "edges": ("edges", (), 4, 6),
    "groups": ("groups", ("accuracy", "cem", "cohen_kappa", "amae", "bias"), 2, 5),
    "forecasts": ("forecasts", FORECASTS, 8, 6),
    "pairs": ("forecasts", PAIRS, 3, 4),
    "sets": ("sets", SETS, 3, 6),
}


def study(part: str, seed: int, minutes: float, sets: int) -> dict[str, Any]:
    """Random populations, a search around the worst, and the worst measured again."""
    mode, metrics, at_once, most_classes = SEARCHED[part]
    metrics = metrics or (others() if part == "others" else edged())
    clock, rng = Clock(minutes), np.random.default_rng(seed)
    each = max(3.0, 0.5 * clock.length / 12)  # seconds for a population: a dozen are tried, whatever they cost
    cells: list[Cell] = []
    turns = [metrics[i :: -(-len(metrics) // at_once)] for i in range(-(-len(metrics) // at_once))]
    for number in count():
        if clock.spent > 0.5:
            break
        population = random_population([seed, number], mode, most_classes)
        cells += measure(population, turns[number % len(turns)], sets, [seed, number, 1], each)
        _say(part, clock, cells)
    for number in count():
        worst = sorted((c for c in cells if c.judged), key=_promising)[: 2 * len(metrics)]
        if clock.spent > 0.7 or not worst:
            break
        start = worst[int(rng.integers(len(worst)))]
        near = neighbour(from_dict(start.population or {}), rng)
        found = measure(near, [start.metric], sets, [seed, 10**6 + number], each / 2)
        cells += [_searched(cell) for cell in found]
        _say(part, clock, cells)
    chosen = _two_of_each(cells)[:AGAIN]
    again: list[Cell] = []
    for number, cell in enumerate(chosen):
        if clock.spent > 1.1:  # a busy machine: what was measured again by now
            break
        share = (1 - clock.spent) * clock.length / (len(chosen) - number)
        again += measure(from_dict(cell.population or {}), [cell.metric], 10 * sets, [seed, 2 * 10**6 + number], max(share, 2.0))
        again[-1].searched = cell.searched
        _say(part, clock, cells)
    return {"cells": [_bare(cell) for cell in cells], "again": [cell.as_dict() for cell in again]}


def _promising(cell: Cell) -> float:
    """Coverage plus one Monte-Carlo error, so that a cell seen seldom is not taken for a bad one."""
    return cell.coverage + cell.error


def _two_of_each(cells: Sequence[Cell]) -> list[Cell]:
    """The two lowest cells of every metric, the lowest first."""
    ordered = sorted((c for c in cells if c.judged), key=lambda c: c.coverage)
    return [c for i, c in enumerate(ordered) if sum(other.metric == c.metric for other in ordered[:i]) < 2]


def _searched(cell: Cell) -> Cell:
    cell.searched = True
    return cell


def _bare(cell: Cell) -> dict[str, Any]:
    cell.population = None
    return cell.as_dict()


def _say(part: str, clock: Clock, cells: Sequence[Cell]) -> None:
    if sys.stderr.isatty():
        print(f"\r{part}: {min(clock.spent, 1):.0%}, {len(cells)} cells", end="", file=sys.stderr, flush=True)


# Parts of another kind


def methods(part: str, seed: int, minutes: float, sets: int) -> dict[str, Any]:
    """Explicit methods on the random populations of the part `rows` with the same seed, default metrics."""
    from ordeval.infer._methods import fits

    clock, cells = Clock(minutes), []
    for number in count():
        if clock.spent > 0.9:
            break
        population = random_population([seed, number], "rows", SEARCHED["rows"][3])
        for method in METHODS:
            fitting = [m for m in DEFAULT if fits(method, oe.get_metric(m), False)]
            if fitting:
                cells += measure(population, fitting, sets, [seed, number, 1], clock.length / 60, method=method)
        _say(part, clock, cells)
    return {"cells": [_bare(cell) for cell in cells], "again": []}


def tuned(part: str, seed: int, minutes: float, sets: int) -> dict[str, Any]:
    """The populations on which the rules of version 0.1 had been set, as they were."""
    from coverage_tuned import POPULATIONS, tuned_population

    clock, cells = Clock(minutes), []
    for number, name in enumerate(POPULATIONS):
        share = (1 - clock.spent) * clock.length / (len(POPULATIONS) - number)
        cells += measure(tuned_population(name), DEFAULT, sets, [seed, number, 1], max(share, 2.0))
        _say(part, clock, cells)
    return {"cells": [_bare(cell) for cell in cells], "again": []}


def equal(part: str, seed: int, minutes: float, sets: int) -> dict[str, Any]:
    """Two equally good models: how often are they called different, and do interval and p-value agree?"""
    clock, found = Clock(minutes), []
    for number in count():
        if clock.spent > 0.98:
            break
        metric = PAIRED[number % len(PAIRED)]
        rng = np.random.default_rng([seed, number])
        population = equal_models([seed, number], 2, (30, 40, 60, 150, 400)[number // len(PAIRED) % 5], metric)
        tally = {
            "metric": metric,
            "rows": population.rows,
            "k": population.k,
            "kind": population.kind,
            "sets": 0,
            "rejected": 0,
            "disagree": 0,
        }
        while tally["sets"] < sets and (tally["sets"] < 10 or clock.spent < 1):
            true, answers = drawn_models(population, 2, rng)
            options = {"n_resamples": RESAMPLES, "rng": tally["sets"]}
            tally["sets"] += 1
            difference = paired(true, answers, range(population.k), [metric], options)[metric]
            if difference.reason:
                continue
            outside = difference.low > 0 or difference.high < 0
            tally["rejected"] += outside
            tally["disagree"] += outside != (difference.p_value < 0.05)
            tally["given"] = tally.get("given", 0) + 1
        found.append(tally)
        _say(part, clock, [])
    return {"tallies": found}


def family(part: str, seed: int, minutes: float, sets: int) -> dict[str, Any]:
    """Six equally good models: how often is one called better than another, by ranks and by the simultaneous intervals?"""
    clock, found = Clock(minutes), []
    sizes = (40, 150, 400)
    for number in count():
        if clock.spent > 0.98:
            break
        rng, rows = np.random.default_rng([seed, number]), sizes[number % len(sizes)]
        metric = ("cem", "accuracy", "cohen_kappa")[number // len(sizes) % 3]
        population = equal_models([seed, number], 6, rows)
        tally = {"metric": metric, "rows": rows, "k": population.k, "kind": population.kind, "sets": 0, "some": 0, "given": 0}
        while tally["sets"] < max(sets // 10, 10) and clock.spent < 1:
            true, answers = drawn_models(population, 6, rng)
            ranks = oe.rank_sets(
                oe.count(true, answers, labels=range(population.k)), metric, n_resamples=RESAMPLES, rng=tally["sets"]
            )
            tally["sets"] += 1
            tally["given"] += not ranks.reason
            tally["some"] += bool(np.any(ranks.apart))
        found.append(tally)
        _say(part, clock, [])
    return {"tallies": found}


def equal_models(seed: Sequence[int], models: int, rows: int, metric: str = "") -> Population:
    """Models with equal scores, which answer alike on a share of the rows.

    They err in the same way, so they could be exchanged; with a metric, every second time the second model guesses anywhere, just
    so often that its score is the same.
    """
    found = random_population([*seed, models], "rows", 5)
    rng = np.random.default_rng([*seed, 7])
    alike, second = rng.uniform(0, 0.9), by_row(found.table)
    if metric and rng.random() < 0.5:
        guessing = _as_good(metric, found.table)
        second = second if guessing is None else guessing
        alike = alike if guessing is None else 0.0
    kind = "alike" if np.allclose(second, by_row(found.table)) else "different"
    return Population("equal", kind, rows, found.table, {"alike": np.array(alike), "second": second})


def _as_good(metric: str, table: np.ndarray) -> np.ndarray | None:
    """Answers that err anywhere, with the score of this table: by halving how often they err."""
    k, share, target = len(table), table.sum(1)[:, None], value_of(metric, table)

    def guessing(rate: float) -> np.ndarray:
        return np.where(np.eye(k) > 0, 1 - rate, rate / (k - 1))

    ends = [value_of(metric, share * guessing(rate)) - target for rate in (1e-6, 1 - 1 / k)]
    if not ends[0] * ends[1] < 0:
        return None
    low, high = 1e-6, 1 - 1 / k
    for _ in range(50):
        middle = (low + high) / 2
        same_side = (value_of(metric, share * guessing(middle)) - target) * ends[0] > 0
        low, high = (middle, high) if same_side else (low, middle)
    return guessing(middle)


def drawn_models(p: Population, models: int, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    true = rng.choice(p.k, p.rows, p=p.table.sum(1))
    first, second = (np.cumsum(by_row(table), 1)[true] for table in (p.table, p.extra["second"]))

    def answers(number: int, given: np.ndarray) -> np.ndarray:
        return np.minimum((rng.random((number, p.rows, 1)) > given).sum(-1), p.k - 1)

    own = np.concatenate([answers(models - 1, first), answers(1, second)])
    found = np.where(rng.random((models, p.rows)) < float(p.extra["alike"]), answers(1, first), own)
    return true, {f"model {i}": one for i, one in enumerate(found)}


PARTS: dict[str, Callable[[str, int, float, int], dict[str, Any]]] = {
    **dict.fromkeys(SEARCHED, study),
    "methods": methods,
    "tuned": tuned,
    "equal": equal,
    "family": family,
}


def run(part: str, seed: int, minutes: float, sets: int) -> None:
    """One part, added to its file."""
    fingerprint = rules()  # before anything is drawn
    found = PARTS[part](part, seed, minutes, sets)
    command = f"python benchmarks/coverage_study.py --part {part} --seed {seed} --minutes {minutes:g} --sets {sets}"
    record = {"seed": seed, "command": command, "rules": fingerprint, "version": oe.__version__, **found}
    path = RESULTS / f"{part}.json"
    runs = [] if not path.exists() else [r for r in json.loads(path.read_text(encoding="utf-8"))["runs"] if r["seed"] != seed]
    RESULTS.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(_one_line_each(r) for r in sorted([*runs, record], key=lambda r: r["seed"]))
    path.write_text(f'{{"part": "{part}", "runs": [\n{lines}\n]}}\n', encoding="utf-8", newline="\n")
    for line in summary(record):
        print(line, flush=True)


def _one_line_each(run: dict[str, Any]) -> str:
    """A run as JSON, one line for each cell."""
    parts = []
    for name, value in run.items():
        if isinstance(value, list) and value:
            parts.append(f'"{name}": [\n' + ",\n".join(json.dumps(one) for one in value) + "\n]")
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(value)}")
    return "{" + ",\n".join(parts) + "}"


def summary(record: dict[str, Any]) -> Iterator[str]:
    yield record["command"]
    if "tallies" in record:
        for tally in record["tallies"]:
            yield f"  {tally}"
        return
    cells = [c for c in map(of_dict, record["cells"]) if c.judged]
    faults = sorted({f"{c.metric}: {text}" for c in map(of_dict, record["cells"]) for text in c.faults})
    if cells:
        low, five, middle = np.quantile([c.coverage for c in cells], [0, 0.05, 0.5])
        yield f"  {len(cells)} cells as first measured: lowest {low:.3f}, 5 % quantile {five:.3f}, median {middle:.3f}"
    for cell in sorted(map(of_dict, record["again"]), key=lambda c: c.coverage):
        mark = f"   below {FLOOR}" if cell.short else ""
        yield (
            f"  {cell.metric:26} {cell.kind:16} N {cell.rows:5} K {cell.k:2} rarest {cell.rarest:7.1f}  held {cell.coverage:.3f} ± {cell.error:.3f}"
            f"  given {cell.given / cell.sets:4.0%}  too high {cell.too_high} too low {cell.too_low}{mark}"
        )
    yield from (f"  FAULT {text}" for text in faults)


def of_dict(record: dict[str, Any]) -> Cell:
    return Cell(**record)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--minutes", type=float, default=5, help="for each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=150, help="data sets of a cell while searching")
    parser.add_argument("--rules", action="store_true", help="print the fingerprint of the rules and end")
    options = parser.parse_args()
    if options.rules:
        print(rules())
        return
    for part in options.part:
        run(part, options.seed, options.minutes, options.sets)


if __name__ == "__main__":
    main()
