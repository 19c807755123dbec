"""Do independent programs agree?  Each known difference stands in DIFFERENCES with its reason, and is checked to be real."""

import warnings

import imblearn.metrics as imb
import numpy as np
import pytest
import scipy.spatial
import scipy.stats
import sklearn.metrics as sk
from sklearn.metrics.cluster import contingency_matrix
from statsmodels.stats.inter_rater import cohens_kappa
from tables import counted, random_tables, rows_of, same, value

from ordeval import get_metric

TABLES = [t for t in random_tables(400, seed=1, largest=3) if 2 <= t.sum() <= 2000]


def table_of(t, p, k):
    table = np.zeros((k, k), int)
    np.add.at(table, (t, p), 1)
    return table


def recall(t, p, label):
    return sk.recall_score(t, p, labels=[label], average=None, zero_division=np.nan)[0]


def class_errors(t, p, error):
    """scikit-learn's error within each true class."""
    t, p = np.array(t), np.array(p)
    return [error(t[t == k], p[t == k]) for k in set(t.tolist())]


def worst_answer(t, k):
    return [0 if x >= k - 1 - x else k - 1 for x in t]


def statsmodels_kappa(t, p, k, cost):
    return cohens_kappa(table_of(t, p, k), weights=np.fromfunction(cost, (k, k)), return_results=False)


PEERS = {
    "accuracy": ("scikit-learn", lambda t, p, k: sk.accuracy_score(t, p)),
    "mze": ("scikit-learn", lambda t, p, k: sk.zero_one_loss(t, p)),
    "accuracy_within": ("NumPy", lambda t, p, k: np.mean(np.abs(np.subtract(t, p)) <= 1)),
    "balanced_accuracy": ("scikit-learn", lambda t, p, k: sk.balanced_accuracy_score(t, p)),
    "macro_recall": ("scikit-learn", lambda t, p, k: sk.recall_score(t, p, average="macro", zero_division=0)),
    "minimum_sensitivity": ("scikit-learn", lambda t, p, k: min(recall(t, p, x) for x in set(t))),
    "geometric_mean_sensitivity": ("imbalanced-learn", lambda t, p, k: imb.geometric_mean_score(t, p, average="multiclass")),
    "mean_extreme_sensitivity": ("scikit-learn", lambda t, p, k: (recall(t, p, 0) + recall(t, p, k - 1)) / 2),
    "geometric_mean_extreme_sensitivity": ("scikit-learn", lambda t, p, k: np.sqrt(recall(t, p, 0) * recall(t, p, k - 1))),
    "macro_f1": ("scikit-learn", lambda t, p, k: sk.f1_score(t, p, average="macro", zero_division=0)),
    "macro_precision": ("scikit-learn", lambda t, p, k: sk.precision_score(t, p, average="macro", zero_division=0)),
    "matthews": ("scikit-learn", lambda t, p, k: sk.matthews_corrcoef(t, p)),
    "over_rate": ("NumPy", lambda t, p, k: np.mean(np.greater(p, t))),
    "under_rate": ("NumPy", lambda t, p, k: np.mean(np.less(p, t))),
    "mae": ("scikit-learn", lambda t, p, k: sk.mean_absolute_error(t, p)),
    "mse": ("scikit-learn", lambda t, p, k: sk.mean_squared_error(t, p)),
    "rmse": ("scikit-learn", lambda t, p, k: sk.root_mean_squared_error(t, p)),
    "bias": ("NumPy", lambda t, p, k: np.mean(np.subtract(p, t))),
    "amae": ("imbalanced-learn", lambda t, p, k: imb.macro_averaged_mean_absolute_error(t, p)),
    "amse": ("scikit-learn", lambda t, p, k: np.mean(class_errors(t, p, sk.mean_squared_error))),
    "mmae": ("scikit-learn", lambda t, p, k: max(class_errors(t, p, sk.mean_absolute_error))),
    "min_mae": ("scikit-learn", lambda t, p, k: min(class_errors(t, p, sk.mean_absolute_error))),
    "smae": ("scikit-learn", lambda t, p, k: sk.mean_absolute_error(t, p) / sk.mean_absolute_error(t, worst_answer(t, k))),
    "cohen_kappa(weights='identity')": ("scikit-learn", lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k))),
    "cohen_kappa(weights='linear')": (
        "scikit-learn",
        lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k), weights="linear"),
    ),
    "cohen_kappa": ("scikit-learn", lambda t, p, k: sk.cohen_kappa_score(t, p, labels=range(k), weights="quadratic")),
    "cohen_kappa(power=2)": ("statsmodels", lambda t, p, k: statsmodels_kappa(t, p, k, lambda i, j: (i - j) ** 2.0)),
    "cohen_kappa(power=1.5)": ("statsmodels", lambda t, p, k: statsmodels_kappa(t, p, k, lambda i, j: abs(i - j) ** 1.5)),
    "cohen_kappa(weights='ordinal')": (
        "statsmodels",
        lambda t, p, k: statsmodels_kappa(t, p, k, lambda i, j: abs(i - j) * (abs(i - j) + 1.0)),
    ),
    "kendall_tau": ("SciPy", lambda t, p, k: scipy.stats.kendalltau(t, p).statistic),
    "kendall_tau(variant='c')": ("SciPy", lambda t, p, k: scipy.stats.kendalltau(t, p, variant="c").statistic),
    "somers_d": ("SciPy", lambda t, p, k: scipy.stats.somersd(t, p).statistic),
    "somers_d(given='pred')": ("SciPy", lambda t, p, k: scipy.stats.somersd(p, t).statistic),
    "spearman": ("SciPy", lambda t, p, k: scipy.stats.spearmanr(t, p).statistic),
    "pearson": ("SciPy", lambda t, p, k: scipy.stats.pearsonr(t, p).statistic),
    "cosine": ("SciPy", lambda t, p, k: 1 - scipy.spatial.distance.cosine(np.add(t, 1), np.add(p, 1))),
    "mutual_information": ("scikit-learn", lambda t, p, k: sk.mutual_info_score(t, p)),
    "purity": ("scikit-learn", lambda t, p, k: contingency_matrix(t, p).max(0).sum() / len(t)),
    "inverse_purity": ("scikit-learn", lambda t, p, k: contingency_matrix(t, p).max(1).sum() / len(t)),
    **{
        f"mutual_information(mean='{mean}')": (
            "scikit-learn",
            lambda t, p, k, mean=mean: sk.normalized_mutual_info_score(t, p, average_method=mean),
        )
        for mean in ("arithmetic", "geometric", "min", "max")
    },
}

#: No other program computes these; they have their second derivation, and r_int the numbers of the OCI paper.
WITHOUT_PEER = {"order_reliability", "order_sensitivity", "order_f", "r_int", "oci_unnormalized", "oci_general"}


def constant(t, p, k):
    return len(set(t)) == 1 or len(set(p)) == 1


def only_predicted(t, p, k):
    return not set(p) <= set(t)


#: metric: (what is different and why, where: a function of the labels)
DIFFERENCES = {
    "macro_recall": ("a class only predicted: left out here, recall 0 in scikit-learn", only_predicted),
    "macro_precision": (
        "a class never predicted: left out here, precision 0 in scikit-learn",
        lambda t, p, k: not set(t) <= set(p),
    ),
    "geometric_mean_sensitivity": ("a class only predicted: left out here, sensitivity 0 in imbalanced-learn", only_predicted),
    "amae": ("a class only predicted: left out here, an error in imbalanced-learn", only_predicted),
    "matthews": ("one class throughout is 0/0: nan here, 0 in scikit-learn", constant),
    "kendall_tau(variant='c')": (
        "m is the number of classes of the scale here, the smaller number of classes seen in SciPy",
        lambda t, p, k: min(len(set(t)), len(set(p))) < k,
    ),
    "somers_d": (
        "truth varies, prediction does not: 0 here and in R's survival, nan in SciPy",
        lambda t, p, k: len(set(t)) > len(set(p)) == 1,
    ),
    "somers_d(given='pred')": (
        "prediction varies, truth does not: 0 here and in R's survival, nan in SciPy",
        lambda t, p, k: len(set(p)) > len(set(t)) == 1,
    ),
    **{
        f"mutual_information(mean='{mean}')": (
            "where an entropy is 0 the share is 0/0: nan here, 0 or 1 in scikit-learn",
            constant,
        )
        for mean in ("arithmetic", "geometric", "min", "max")
    },
}


def theirs(text, t, p, k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers warn where we are nan, too
        try:
            return float(PEERS[text][1](t, p, k))
        except ValueError:
            return None


@pytest.mark.parametrize("text", PEERS)
@pytest.mark.thorough
@pytest.mark.slow
def test_peer_agrees(text, compared):
    metric, program = get_metric(text), PEERS[text][0]
    _, differs = DIFFERENCES.get(text, ("", lambda t, p, k: False))
    number = 0
    for table in TABLES:
        t, p = rows_of(table)
        if differs(t, p, len(table)):
            continue
        ours, other = value(metric, table), theirs(text, t, p, len(table))
        assert other is not None, f"{program} refuses {table.tolist()}"
        assert same(ours, other, 1e-11), f"{text}: {ours} here, {other} in {program}, on {table.tolist()}"
        number += 1
    assert number >= 20
    compared(program, number)


@pytest.mark.parametrize("text", DIFFERENCES)
def test_listed_differences_are_real(text):
    """A difference that no longer exists is to be taken off the list."""
    _, differs = DIFFERENCES[text]
    agree = []
    for table in TABLES:
        t, p = rows_of(table)
        if differs(t, p, len(table)):
            other = theirs(text, t, p, len(table))
            agree.append(other is not None and same(value(get_metric(text), table), other))
    assert agree
    assert not all(agree)


def test_every_metric_has_an_independent_program():
    from peers.test_frozen import FROZEN_METRICS
    from peers.test_frozen_papers import FROZEN_PAPER_METRICS

    covered = {get_metric(text).name for text in PEERS} | FROZEN_METRICS | FROZEN_PAPER_METRICS
    assert {m.name for m in counted()} - covered == WITHOUT_PEER
