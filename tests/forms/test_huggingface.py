"""compute_metrics for a Trainer: the scores of the library, whatever form the predictions have."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.integrations.huggingface import compute_metrics

SCALE = ["low", "mid", "high"]


@pytest.mark.parametrize("form", ["positions", "logits", "a tuple with hidden states", "tokens"])
def test_predictions_of_a_trainer(form):
    rng = np.random.default_rng(1)
    truth, pred = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    labels, logits = truth.copy(), np.eye(3)[pred] + 0.1 * rng.random((60, 3))
    given = {"positions": pred, "logits": logits, "a tuple with hidden states": (logits, rng.random((60, 8)))}.get(form)
    kept = np.ones(60, bool)
    if form == "tokens":
        kept[::4] = False
        labels = np.where(kept, truth, -100).reshape(6, 10)
        given = logits.reshape(6, 10, 3)
    found = compute_metrics(SCALE, ["cem", "cohen_kappa(weights='linear')"])((given, labels))
    by_hand = oe.count(truth[kept], pred[kept], labels=range(3))
    assert found == {"cem": oe.cem(by_hand), "cohen_kappa_weights_linear": oe.cohen_kappa(by_hand, weights="linear")}


def test_positions_beyond_the_classes_are_refused_and_what_is_undefined_is_left_out():
    scores = compute_metrics(SCALE, ["mae", "cohen_kappa"])
    with pytest.raises(oe.ArgumentError, match="the labels hold 3, but the positions of the classes are 0 to 2"):
        scores((np.array([0, 1]), np.array([3, 1])))
    assert scores((np.array([1, 1]), np.array([1, 1]))) == {"mae": 0.0}
