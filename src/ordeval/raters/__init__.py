"""Several raters and no truth: agreement, judges against panels, corrected grades."""

from ordeval.raters._agreement import agreement
from ordeval.raters._alternative import annotator_test
from ordeval.raters._consistency import self_consistency
from ordeval.raters._drift import judge_drift
from ordeval.raters._figures import MatrixDisplay, PanelDisplay, SeverityDisplay
from ordeval.raters._homogeneity import marginal_homogeneity
from ordeval.raters._independence import effective_judges
from ordeval.raters._instrument import corrected_grades
from ordeval.raters._panel import judge_panel, prmse
from ordeval.raters._ratings import ratings
from ordeval.raters._reading import scan
from ordeval.raters._report import RatersReport
from ordeval.raters._validation import validate_judge
from ordeval.read.judge_logs import read_judge_log

__all__ = [
    "MatrixDisplay",
    "PanelDisplay",
    "RatersReport",
    "SeverityDisplay",
    "agreement",
    "annotator_test",
    "corrected_grades",
    "effective_judges",
    "judge_drift",
    "judge_panel",
    "marginal_homogeneity",
    "prmse",
    "ratings",
    "read_judge_log",
    "scan",
    "self_consistency",
    "validate_judge",
]
