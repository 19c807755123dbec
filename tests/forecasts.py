"""Forecasts for the tests: random ones of all kinds, with ties, certainty, rare classes and weights."""

import numpy as np

from ordeval import Metric, catalogue, forecast, get_metric

TEXTS = (
    "rps(normalize=True)",
    "rps_skill(reference='uniform')",
    "ordinal_log_loss(alpha=0)",
    "ordinal_log_loss(alpha=2)",
    "ordinal_log_loss(alpha=1.5)",
    "cumulative_calibration_error(bins=3)",
    "cumulative_calibration_error(binning='mass')",
    "ordinal_auc(average='consecutive')",
    "ordinal_auc(average='pairs')",
    *(
        f"threshold_loss(kind='{kind}', loss='{loss}')"
        for kind in ("all", "immediate")
        for loss in ("logistic", "hinge", "zero_one")
    ),
)


def variants() -> list[Metric]:
    """Every probability metric with its default parameters, and other forms of them."""
    found = [m for m in catalogue() if "probabilities" in m.needs]
    return list(dict.fromkeys([*found, *map(get_metric, TEXTS)]))


def random_forecast(seed, n=40, k=4, *, coarse=False, weights=False, dtype=float):
    """Truth, probabilities and weights (or None): forecasts that know something; coarse ones tie often and are sometimes certain."""
    rng = np.random.default_rng(seed)
    true = rng.choice(k, n, p=rng.dirichlet(np.full(k, 5.0)))
    true[:k] = np.arange(k)  # no class is absent
    centre = true + rng.normal(0, 1, n)
    logits = -((np.arange(k) - centre[:, None]) ** 2) / 2
    proba = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    if coarse:
        parts = np.floor(proba * 4)
        parts[np.arange(n), proba.argmax(1)] += 4 - parts.sum(1)
        proba = parts / 4
    return true, proba.astype(dtype), rng.integers(1, 5, n) / 2 if weights else None


def as_forecast(true, proba, weights=None, k=None):
    k = k or np.asarray(proba).shape[1]
    return forecast(true, proba, labels=range(k), sample_weight=weights)
