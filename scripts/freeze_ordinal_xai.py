"""Ask ordinal-xai 0.2.1 about random rows and write what it answers to tests/peers/frozen_ordinal_xai.json.

    python scripts/freeze_ordinal_xai.py path/to/ordinal_xai/utils/evaluation_metrics.py

Only its file of metrics is needed (it imports scikit-learn and SciPy), from the wheel of version 0.2.1.  Only numbers are kept.
"""

import contextlib
import importlib.util
import io
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parents[1] / "tests/peers/frozen_ordinal_xai.json"
CASES = 120


def plain(value):
    return None if isinstance(value, float) and not math.isfinite(value) else float(value)


def main() -> None:
    spec = importlib.util.spec_from_file_location("evaluation_metrics", sys.argv[1])
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    rng = np.random.default_rng(20)
    cases = []
    for case in range(CASES):
        k, n, first = int(rng.integers(2, 6)), int(rng.integers(3, 25)), int(rng.integers(0, 2))
        true = rng.integers(0, k, n) + first
        away = rng.integers(-k, 1 if case % 3 == 0 else k + 1, n) * (
            rng.random(n) < 0.6
        )  # every third never predicts above the truth
        pred = (true + away).clip(first, first + k - 1)
        proba = rng.dirichlet(np.ones(k), n).round(3)
        proba[:, -1] = (1 - proba[:, :-1].sum(1)).round(3).clip(0)
        given = [row.tolist() for row in proba]
        zero_indexed = bool(first == 0 and rng.random() < 0.5)
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = peer.evaluate_ordinal_model(true, pred, proba, zero_indexed=zero_indexed)
        rows = {
            "k": k,
            "first": first,
            "zero_indexed": zero_indexed,
            "true": true.tolist(),
            "pred": pred.tolist(),
            "proba": given,
        }
        cases.append({**rows, "found": {name: plain(value) for name, value in found.items()}})
    lines = ",\n".join(json.dumps(case) for case in cases)
    TARGET.write_text(f'{{"program": "ordinal-xai 0.2.1", "cases": [\n{lines}\n]}}\n', encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
