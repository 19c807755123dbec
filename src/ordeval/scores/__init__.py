"""The metrics: the registry, and one file per family, each kernel above its public function."""

from ordeval.scores.agreement import cohen_kappa
from ordeval.scores.association import kendall_tau, spearman
from ordeval.scores.cost import interval_mae, interval_smae, interval_stc, interval_total_cost, stc, total_cost
from ordeval.scores.cost_parts import ClassCost, cost_contributions, cost_matrix
from ordeval.scores.error import amae, bias, mae
from ordeval.scores.hits import Cut, accuracy, accuracy_within, balanced_accuracy, cut_table
from ordeval.scores.information import mutual_information
from ordeval.scores.intervals import optimal_length
from ordeval.scores.registry import LAWS, Metric, UndefinedScore, catalogue, get_metric, metric

__all__ = [
    "LAWS",
    "ClassCost",
    "Cut",
    "Metric",
    "UndefinedScore",
    "accuracy",
    "accuracy_within",
    "amae",
    "balanced_accuracy",
    "bias",
    "catalogue",
    "cohen_kappa",
    "cost_contributions",
    "cost_matrix",
    "cut_table",
    "get_metric",
    "interval_mae",
    "interval_smae",
    "interval_stc",
    "interval_total_cost",
    "kendall_tau",
    "mae",
    "metric",
    "mutual_information",
    "optimal_length",
    "spearman",
    "stc",
    "total_cost",
]
