"""What a score is made of: cuts, costs, paths, tables of calibration."""

from ordeval.metrics.families.calibration import CalibrationTable, Decomposition, calibration_table, rps_decomposition
from ordeval.metrics.families.closeness import cem_floor, closeness_matrix
from ordeval.metrics.families.path import oci_path
from ordeval.metrics.solvers.geometry import optimal_length
from ordeval.parts._cost import ClassCost, CostTable, cost_contributions, cost_matrix
from ordeval.parts._cuts import Cut, CutTable, cut_table
from ordeval.parts._explain import CellSum, ScoreSum, explain_score
from ordeval.parts._path import PathParts, oci_parts

__all__ = [
    "CalibrationTable",
    "CellSum",
    "ClassCost",
    "CostTable",
    "Cut",
    "CutTable",
    "Decomposition",
    "PathParts",
    "ScoreSum",
    "calibration_table",
    "cem_floor",
    "closeness_matrix",
    "cost_contributions",
    "cost_matrix",
    "cut_table",
    "explain_score",
    "oci_parts",
    "oci_path",
    "optimal_length",
    "rps_decomposition",
]
