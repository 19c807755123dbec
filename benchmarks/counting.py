"""The counting pass: checked counts of two label columns against reading them once, and against scikit-learn."""

from collections.abc import Callable

import duckdb
import numpy as np
import pyarrow as pa
from sklearn.metrics import confusion_matrix
from timing import interleaved, verdict

import ordeval as oe

N, K = 10**7, 5


def floors(true: np.ndarray, pred: np.ndarray) -> dict[str, Callable[[], object]]:
    """What numpy and DuckDB need for a part of the work: codes that are checked and put together already."""
    packed = np.random.default_rng(0).integers(0, (K * K) ** 3, 1 << 15).astype(np.uint16)  # three rows in one, in the cache
    connection = duckdb.connect(config={"threads": 1})
    connection.register("rows", pa.table({"cell": true * np.int8(K) + pred}))
    connection.execute("CREATE TABLE cells AS FROM rows")
    return {
        "numpy's histogram alone": lambda: [np.bincount(packed, minlength=(K * K) ** 3) for _ in range(N // (3 * packed.size))],
        "DuckDB's grouping alone": lambda: connection.execute("SELECT cell, count(*) FROM cells GROUP BY cell").fetchall(),
    }


def run() -> None:
    rng = np.random.default_rng(0)
    labels = list(range(K))
    for dtype in (np.int64, np.int8):
        true, pred = (rng.integers(0, K, N).astype(dtype) for _ in range(2))
        times = interleaved(
            {
                "read both columns once": lambda true=true, pred=pred: (true.max(), pred.max()),
                "ordeval.count, labels given": lambda true=true, pred=pred: oe.count(true, pred, labels=labels),
                "ordeval.count, labels inferred": lambda true=true, pred=pred: oe.count(true, pred),
            }
        )
        peer = interleaved(
            {"confusion_matrix": lambda true=true, pred=pred: confusion_matrix(true, pred, labels=labels)}, rounds=2
        )
        print(f"\ncounting {N:,} rows, K = {K}, {np.dtype(dtype)}, one core")
        for name, seconds in {**times, **peer}.items():
            print(f"  {name:<32} {seconds * 1e3:9.1f} ms")
        read, ours, _ = times.values()
        if dtype == np.int8:  # one byte a row: counting is bound by computing, not by memory, so there is no aim
            print(f"  against reading once             {ours / read:8.2f}x")
            for name, seconds in interleaved(floors(true, pred)).items():
                print(f"  {name + ', against reading once':<54} {seconds / read:8.2f}x")
            print(f"  against scikit-learn             {peer['confusion_matrix'] / ours:8.2f}x")
        else:
            print(f"  against reading once             {verdict(ours / read, 4, at_least=False)}")
            print(f"  against scikit-learn             {verdict(peer['confusion_matrix'] / ours, 30, at_least=True)}")
