"""Bootstrap replicates: cells against rows, against SciPy, and against the multinomial draw that is their physical limit."""

import numpy as np
import scipy.stats
from timing import interleaved, verdict

import ordeval as oe
from ordeval.infer._evidence import Evidence

K, B = 5, 10_000
FEW = 5  # replicates of the slow rival; its time is proportional to their number
METRICS = [
    "accuracy",
    "accuracy_within",
    "balanced_accuracy",
    "mae",
    "mse",
    "amae",
    "bias",
    "cohen_kappa",
    "kendall_tau",
    "spearman",
    "matthews",
    "cem",
]


def run() -> None:
    metrics = [oe.get_metric(text) for text in METRICS]
    for rows in (10**4, 10**5, 10**6):
        rng = np.random.default_rng(0)
        true = rng.integers(0, K, rows)
        pred = np.where(rng.random(rows) < 0.9, np.clip(true + rng.integers(-1, 2, rows), 0, K - 1), rng.integers(0, K, rows))
        counts = oe.count(true, pred, labels=range(K))
        kernels = [metric.bind(counts) for metric in metrics]
        evidence = Evidence(counts, metrics, B, 0)
        number = evidence.units.number

        def recount(true=true, pred=pred, kernels=kernels, rng=rng, rows=rows) -> None:
            """The honest rival: draw rows, count them anew, score the tables."""
            for _ in range(FEW):
                drawn = rng.integers(0, rows, rows)
                table = oe.count(true[drawn], pred[drawn], labels=range(K)).matrix
                for kernel in kernels:
                    kernel(table)

        times = interleaved(
            {
                "ours": lambda counts=counts: Evidence(counts, metrics, B, 0).replicates,
                "draw": lambda number=number, rng=rng: rng.multinomial(int(number.sum()), number / number.sum(), B),
                "recount": recount,
            },
            rounds=5,
        )
        ours, draw, recounted = times["ours"], times["draw"], times["recount"] / FEW * B
        print(f"\n{B:,} replicates of 12 metrics, {rows:,} rows, K = {K}")
        print(f"  ordeval                          {ours * 1e3:9.1f} ms")
        print(f"  the multinomial draw alone       {draw * 1e3:9.1f} ms")
        print(f"  draw rows and recount            {recounted:9.1f} s, from {FEW} replicates")
        print(f"  against recounting               {verdict(recounted / ours, 300 if rows == 10**5 else 1, at_least=True)}")
        print(f"  against the draw                 {verdict(ours / draw, 2.5, at_least=False)}")
        if rows == 10**5:
            away = np.abs(true - pred)
            peer = interleaved(
                {
                    "scipy": lambda away=away: scipy.stats.bootstrap(
                        (away,), np.mean, n_resamples=1_000, method="percentile", rng=0
                    )
                },
                rounds=2,
            )
            alone = interleaved({"mae": lambda counts=counts: Evidence(counts, metrics[3:4], B, 0).replicates})["mae"]
            print(
                f"  scipy.stats.bootstrap, MAE alone {verdict(peer['scipy'] / 1_000 * B / alone, 1000, at_least=True)}, from 1,000 replicates"
            )
