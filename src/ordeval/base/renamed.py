"""Where public names went; kept for one minor version."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from ordeval.base.errors import ArgumentTypeError

F = TypeVar("F", bound=Callable[..., Any])

#: Keywords that have another name now, by function.
KEYWORDS: dict[str, dict[str, str]] = {
    "accuracy_within": {"n": "steps"},
    "cem": {"gold_counts": "class_counts"},
    "total_cost": {"gold_counts": "class_counts", "empty": "absent"},
    "stc": {"gold_counts": "class_counts", "empty": "absent"},
    "interval_total_cost": {"empty": "absent"},
    "interval_stc": {"empty": "absent"},
    "interval_mae": {"empty": "absent"},
    "interval_smae": {"empty": "absent"},
    "mutual_information": {"normalize": "mean"},
    "set_coverage": {"level": "coverage"},
    "evaluate_sets": {"level": "coverage"},
    "forecast": {"normalize": "rescale"},
    "contributions": {"of": "metric"},
    "compare": {"predictions": "y_pred"},
    "scan": {"weight": "sample_weight", "raters": "oe.raters.scan(raters=...)", "item": "oe.raters.scan(item=...)"},
    "compare_groups": {"axis": "by"},
    "reweight": {"axis": "by"},
    "corrected_grades": {"method": "estimator"},
    "check": {"k": "max_k", "n": "max_n"},
    "table": {"k": "max_k", "n": "max_n"},
    "meta_evaluate": {"reference": "against"},
    "reproduce": {"keep": "folder"},
    "cost_matrix": {"of": "metric"},
    "cost_contributions": {"of": "metric"},
    "get_scorer": {"scale": "labels", "name": "metric", "gold_counts": "class_counts"},
    "scorers": {"scale": "labels", "names": "metrics", "gold_counts": "class_counts"},
    "CostDisplay.from_counts": {"of": "metric"},
    "FlipsDisplay.from_predictions": {"predictions": "y_pred"},
    "OpenLengthDisplay.from_counts": {"empty": "absent"},
}


def renamed_keywords(function: F) -> F:
    """Let a call that uses an old keyword say what it is called now."""
    renamed = KEYWORDS[function.__qualname__]

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for old in renamed.keys() & kwargs:
            new = renamed[old]
            raise ArgumentTypeError(
                "{old}= is now {new}", values={"old": f"{function.__qualname__}: {old}", "new": new if "(" in new else f"{new}="}
            )
        return function(*args, **kwargs)

    return cast(F, checked)


#: Names that stood at the top: {new place: old names}, an old name followed by its new one where that changed.
_PLACES = {
    "infer": "dominance flips contributions compare_groups reweight exchange_test ranking_agreement winner_sensitivity "
    "corrected_resampled_test pool_folds",
    "parts": "cut_table closeness_matrix cem_floor cost_matrix cost_contributions optimal_length oci_parts oci_path "
    "calibration_table rps_decomposition",
    "plot": "ClosenessDisplay ConfusionDisplay CostDisplay CutDisplay DifferenceDisplay ErrorProfileDisplay FlipsDisplay "
    "ForestDisplay OciShareDisplay OpenLengthDisplay RankDisplay RankingsDisplay ReliabilityDisplay RocDisplay SetCoverageDisplay",
    "raters": "ratings agreement judge_panel corrected_grades alternative_annotator_test:annotator_test marginal_homogeneity "
    "RaterMatrixDisplay:MatrixDisplay SeverityDisplay JudgePanelDisplay:PanelDisplay",
    "laws": "check_laws:check law_table:table LAWS",
    "choose": "advise meta_evaluate Campaign pitfalls",
    "decide": "fit_decision:fit OrdinalDecision Decision",
    "papers": "reproduce",
    "types": "Advice Agreement AlternativeAnnotators:AnnotatorTest Audit CalibrationTable ClassCost CorrectedGrades Cut "
    "Decomposition Forecast JudgePanel LawReport OciParts:PathParts SetEvaluation",
}
_MOVED = {
    old: f"oe.{room}.{new or old}"
    for room, names in _PLACES.items()
    for old, _, new in (name.partition(":") for name in names.split())
}
_MOVED |= {"count_sets": "oe.Counts.from_sets", "scan_runs": "oe.leaderboard(...).counts"}


def moved(name: str) -> str:
    """What to say of a name that is not at the top: where it went, if it was there once."""
    return f"oe.{name} is now {_MOVED[name]}" if name in _MOVED else f"module 'ordeval' has no attribute {name!r}"


def renamed_parameters(function: str, params: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a stored text under the names they have now, with a warning, so that old results stay readable."""
    renamed = KEYWORDS.get(function, {})
    for old in [name for name in params if name in renamed]:
        warnings.warn(f"{function}({old}=...) is now {function}({renamed[old]}=...)", FutureWarning, stacklevel=4)
    return {renamed.get(name, name): value for name, value in params.items()}
