"""Hugging Face's evaluate: batches, compute and combine give the scores of the library."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.integrations.huggingface import Ordinal


def test_a_metric_in_batches_is_the_score_of_all_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    import evaluate

    rng = np.random.default_rng(0)
    truth, pred = rng.integers(0, 3, 90), rng.integers(0, 3, 90)
    metric = Ordinal(["low", "mid", "high"], ["cem", "cohen_kappa(weights='linear')"])
    for part in np.array_split(np.arange(90), 4):
        metric.add_batch(predictions=pred[part], references=truth[part])
    expected = {
        "cem": oe.cem(truth, pred, labels=range(3)),
        "cohen_kappa_weights_linear": oe.cohen_kappa(truth, pred, labels=range(3), weights="linear"),
    }
    assert metric.compute() == pytest.approx(expected)
    both = evaluate.combine([Ordinal(["low", "mid", "high"], ["cem"]), Ordinal(["low", "mid", "high"], ["mae"])])
    found = both.compute(predictions=pred, references=truth)
    assert found["mae"] == pytest.approx(oe.mae(truth, pred, labels=range(3)))
