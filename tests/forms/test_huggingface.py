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


@pytest.mark.parametrize("wrong", [-1, -100, 3, 7])
@pytest.mark.parametrize(("name", "place"), [("predictions", 0), ("labels", 1)])
def test_positions_beyond_the_classes_are_refused(wrong, name, place):
    """None is taken for another class, least of all -1 for the last one; only labels may hold the value that is ignored."""
    given = [np.array([0, 1, 2, 0]), np.array([0, 1, 1, 2])]
    given[place][2] = wrong
    scores = compute_metrics(SCALE, ["mae"], ignore_index=-2)
    with pytest.raises(oe.ArgumentError, match=f"the {name} hold {wrong}, but the positions of the classes are 0 to 2"):
        scores(tuple(given))
    if name == "labels":
        assert compute_metrics(SCALE, ["mae"], ignore_index=wrong)(tuple(given)) == {"mae": 2 / 3}


def test_what_is_undefined_is_left_out():
    scores = compute_metrics(SCALE, ["mae", "cohen_kappa"])
    assert scores((np.array([1, 1]), np.array([1, 1]))) == {"mae": 0.0}
