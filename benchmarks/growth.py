"""How the cost grows: with classes, rows, models and clusters.  Processor time of one call, and the power of the size that it follows."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

import ordeval as oe

TWELVE = (*oe.DEFAULT_METRICS, "mae", "kendall_tau", "spearman", "macro_f1", "balanced_accuracy")


def answers(k: int, rows: int, right: float = 0.6, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Truths of K classes, and answers that are right or up to two steps off."""
    rng = np.random.default_rng([seed, k, rows])
    true = rng.integers(k, size=rows)
    off = np.where(rng.random(rows) < right, 0, rng.integers(-2, 3, size=rows))
    return true, np.clip(true + off, 0, k - 1)


def cost(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def grows(what: str, sizes: list[int], call: Callable[[int], Callable[[], object]]) -> None:
    """The cost at every size, and the power between the last two."""
    spent = [cost(call(size)) for size in sizes]
    power = math.log(spent[-1] / spent[-2]) / math.log(sizes[-1] / sizes[-2])
    print(f"  {what}: " + ", ".join(f"{size:,}: {seconds:.2g} s" for size, seconds in zip(sizes, spent, strict=True)))
    print(f"    from {sizes[-2]:,} to {sizes[-1]:,} like the size to the power of {power:.1f}")


def of_classes(k: int) -> Callable[[], object]:
    true, pred = answers(k, 2_000)
    return lambda: oe.evaluate(true, pred, labels=range(k), metrics=TWELVE)


def of_rows(rows: int) -> Callable[[], object]:
    true, pred = answers(5, rows)
    return lambda: oe.evaluate(true, pred, labels=range(5))


def of_models(number: int) -> Callable[[], object]:
    true, _ = answers(5, 1_000)
    models = {f"m{i}": answers(5, 1_000, seed=i)[1] for i in range(number)}
    counts = oe.count(true, models, labels=range(5))
    return lambda: oe.compare(counts, metrics=["cem"])


def of_clusters(number: int) -> Callable[[], object]:
    true, pred = answers(5, 5 * number)
    cluster = np.repeat(np.arange(number), 5)
    return lambda: oe.evaluate(true, pred, labels=range(5), cluster=cluster)


def of_paired_clusters(number: int) -> Callable[[], object]:
    true, pred = answers(5, 5 * number)
    models = {"a": pred, "b": answers(5, 5 * number, seed=1)[1]}
    cluster = np.repeat(np.arange(number), 5)
    return lambda: oe.compare(true, models, labels=range(5), cluster=cluster)


def of_laws(k: int) -> Callable[[], object]:
    def largest_error(y_true: Sequence[int], y_pred: Sequence[int]) -> float:
        return float(np.abs(np.subtract(y_true, y_pred)).max())

    return lambda: oe.laws.check(largest_error, direction="lower", max_k=k)


def of_reports(number: int) -> Callable[[], object]:
    true, _ = answers(5, 1_000)
    models = {f"m{i}": answers(5, 1_000, seed=i)[1] for i in range(number)}
    comparison = oe.compare(true, models, labels=range(5))
    return lambda: comparison.to_html()


def run() -> None:
    of_rows(1_000)()  # modules are loaded
    print("growth, processor time of one call")
    grows("12 metrics with intervals, 2,000 rows, classes", [5, 10, 30, 100], of_classes)
    grows("the default metrics with intervals, 5 classes, rows", [1_000, 100_000, 10_000_000], of_rows)
    grows("compare by cem, 5 classes, 1,000 rows, models", [2, 5, 10, 20], of_models)
    grows("the default metrics, 5 classes, clusters of 5 rows", [20, 200, 2_000, 20_000], of_clusters)
    grows("compare two models, 5 classes, clusters of 5 rows", [20, 200, 2_000], of_paired_clusters)
    grows("all laws of a user's function, classes", [2, 3, 4], of_laws)
    grows("the report, 5 classes, 1,000 rows, models", [2, 4, 8], of_reports)
