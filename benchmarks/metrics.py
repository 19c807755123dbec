"""All classical metrics at once: from labels against one score of scikit-learn, and from one small table."""

import numpy as np
from sklearn.metrics import cohen_kappa_score
from timing import interleaved, verdict

import ordeval as oe

N, K = 10**6, 5


CLASSICAL = ("hits", "error", "agreement", "association", "information")


def all_scores(counts: oe.Counts) -> list[float]:
    return [float(metric.bind(counts)(counts.matrix)) for metric in oe.catalogue() if metric.family in CLASSICAL]


def run() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, K, N)
    pred = np.clip(true + rng.integers(-1, 2, N), 0, K - 1)
    labels = list(range(K))
    counts = oe.count(true, pred, labels=labels)
    times = interleaved(
        {
            "every metric, from labels": lambda: all_scores(oe.count(true, pred, labels=labels)),
            "every metric, from one table": lambda: all_scores(counts),
            "cohen_kappa_score, quadratic": lambda: cohen_kappa_score(true, pred, labels=labels, weights="quadratic"),
        }
    )
    print(f"\n{len(all_scores(counts))} classical metrics, {N:,} rows of int64, K = {K}")
    for name, seconds in times.items():
        print(f"  {name:<32} {seconds * 1e3:9.2f} ms")
    from_labels, from_table, peer = times.values()
    print(f"  against one kappa of sklearn     {verdict(peer / from_labels, 10, at_least=True)}")
    print(f"  from one table, in units of 2 ms {verdict(from_table / 2e-3, 1, at_least=False)}")
