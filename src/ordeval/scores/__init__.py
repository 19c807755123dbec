"""The metrics: the registry, and one file per family, each kernel above its public function."""

from ordeval.scores.agreement import cohen_kappa
from ordeval.scores.association import kendall_tau, spearman
from ordeval.scores.error import amae, bias, mae
from ordeval.scores.hits import Cut, accuracy, accuracy_within, balanced_accuracy, cut_table
from ordeval.scores.information import mutual_information
from ordeval.scores.path import auoc, oci, oci_general, oci_path, oci_unnormalized, uoc
from ordeval.scores.registry import LAWS, Metric, UndefinedScore, catalogue, get_metric, metric

__all__ = [
    "LAWS",
    "Cut",
    "Metric",
    "UndefinedScore",
    "accuracy",
    "accuracy_within",
    "amae",
    "auoc",
    "balanced_accuracy",
    "bias",
    "catalogue",
    "cohen_kappa",
    "cut_table",
    "get_metric",
    "kendall_tau",
    "mae",
    "metric",
    "mutual_information",
    "oci",
    "oci_general",
    "oci_path",
    "oci_unnormalized",
    "spearman",
    "uoc",
]
