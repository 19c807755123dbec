"""Where public names went; kept for one minor version."""

from __future__ import annotations

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
    "Decomposition Forecast JudgePanel LawReport OciParts SetEvaluation",
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
