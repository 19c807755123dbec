"""Do independent programs agree?  Each known difference stands in DIFFERENCES with its reason."""

import warnings

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics as sk
from tables import random_tables, rows_of, same, value

from ordeval import get_metric

TABLES = [t for t in random_tables(400, seed=1, largest=3) if 2 <= t.sum() <= 2000]

PEERS = {
    "accuracy": ("scikit-learn", lambda t, p, k: sk.accuracy_score(t, p)),
    "balanced_accuracy": ("scikit-learn", lambda t, p, k: sk.balanced_accuracy_score(t, p)),
    "mae": ("scikit-learn", lambda t, p, k: sk.mean_absolute_error(t, p)),
    "cohen_kappa(weights='identity')": ("scikit-learn", lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k))),
    "cohen_kappa(weights='linear')": (
        "scikit-learn",
        lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k), weights="linear"),
    ),
    "cohen_kappa": ("scikit-learn", lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k), weights="quadratic")),
    "kendall_tau": ("SciPy", lambda t, p, k: scipy.stats.kendalltau(t, p).statistic),
    "spearman": ("SciPy", lambda t, p, k: scipy.stats.spearmanr(t, p).statistic),
    "mutual_information": ("scikit-learn", lambda t, p, k: sk.mutual_info_score(t, p)),
    **{
        f"mutual_information(normalize='{mean}')": (
            "scikit-learn",
            lambda t, p, k, mean=mean: sk.normalized_mutual_info_score(t, p, average_method=mean),
        )
        for mean in ("arithmetic", "geometric", "min", "max")
    },
}

#: metric -> (what is different, a function of the labels that is true where it is)
DIFFERENCES = {
    f"mutual_information(normalize='{mean}')": (
        "where an entropy is 0 the share is 0/0: nan here, 0 or 1 in scikit-learn",
        lambda t, p: len(set(t)) == 1 or len(set(p)) == 1,
    )
    for mean in ("arithmetic", "geometric", "min", "max")
}

made = {}


@pytest.mark.parametrize("text", PEERS)
def test_peer_agrees(text):
    program, compute = PEERS[text]
    _, differs = DIFFERENCES.get(text, ("", lambda t, p: False))
    compared = 0
    for table in TABLES:
        t, p = rows_of(table)
        if differs(t, p):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # peers warn where we are nan, too
            theirs = float(compute(t, p, len(table)))
        ours = value(get_metric(text), table)
        assert same(ours, theirs, 1e-11), f"{text}: {ours} here, {theirs} in {program}, on {table.tolist()}"
        compared += 1
    assert compared >= 200
    made[text, program] = compared


@pytest.mark.parametrize("text", DIFFERENCES)
def test_listed_differences_are_real(text):
    """A difference that no longer exists is removed from the list."""
    _, compute = PEERS[text]
    _, differs = DIFFERENCES[text]
    found = []
    for table in [*TABLES, np.array([[3, 0], [0, 0]])]:
        t, p = rows_of(table)
        if differs(t, p):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append(same(value(get_metric(text), table), float(compute(t, p, len(table)))))
    assert found
    assert not all(found)
