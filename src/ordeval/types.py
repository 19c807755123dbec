"""All result types and aliases, for annotations."""

from ordeval.choose._advise import Advice
from ordeval.choose._meta import MetaEvaluation
from ordeval.choose._pitfalls import Pitfalls
from ordeval.choose._questions import Question
from ordeval.counts import Audit, Counts, ReadAs, SourceFile
from ordeval.decide._decisions import Decision
from ordeval.evaluation import Comparison, ConfidenceInterval, Evaluation, Evaluations, InputAudit, Leaderboard, Score
from ordeval.infer._crossval import ResampledTest
from ordeval.infer._difference import Difference, ExchangeTest
from ordeval.infer._dominance import Dominance
from ordeval.infer._flips import Contributions, Flips
from ordeval.infer._groups import GroupComparison
from ordeval.infer._plan import Plan
from ordeval.infer._ranks import RankSets
from ordeval.infer._rules import RuleVerdict
from ordeval.infer._sets import SetEvaluation
from ordeval.infer._winners import RankingAgreement, WinnerSensitivity
from ordeval.laws import LawReport, LawTable
from ordeval.metrics import Metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.metrics.core.overview import Catalogue
from ordeval.order.scale import Scale, WrittenLabels
from ordeval.papers import Reproduction
from ordeval.parts import CalibrationTable, CellSum, ClassCost, CostTable, Cut, CutTable, Decomposition, PathParts, ScoreSum
from ordeval.raters._agreement import Agreement
from ordeval.raters._alternative import AnnotatorTest
from ordeval.raters._consistency import SelfConsistency
from ordeval.raters._drift import Drift
from ordeval.raters._homogeneity import Homogeneity
from ordeval.raters._independence import EffectiveJudges
from ordeval.raters._instrument import CorrectedGrades
from ordeval.raters._panel import JudgePanel
from ordeval.raters._report import RatersReport
from ordeval.raters._validation_result import JudgeFindings, JudgeValidation
from ordeval.read import NamedFile, Peek
from ordeval.read.judge_log import Disagreement, Disagreements, JudgeLog
from ordeval.read.problems import Problem, Problems
from ordeval.read.values import Columns
from ordeval.study._problems import StudyProblem, StudyProblems
from ordeval.study._proposal import Proposal
from ordeval.study._rules import RuleReport

__all__ = [
    "Advice",
    "Agreement",
    "AnnotatorTest",
    "Audit",
    "CalibrationTable",
    "Catalogue",
    "CellSum",
    "ClassCost",
    "Columns",
    "Comparison",
    "ConfidenceInterval",
    "Contributions",
    "CorrectedGrades",
    "CostTable",
    "Counts",
    "Cut",
    "CutTable",
    "Decision",
    "Decomposition",
    "Difference",
    "Disagreement",
    "Disagreements",
    "Dominance",
    "Drift",
    "EffectiveJudges",
    "Evaluation",
    "Evaluations",
    "ExchangeTest",
    "Flips",
    "Forecast",
    "GroupComparison",
    "Homogeneity",
    "InputAudit",
    "JudgeFindings",
    "JudgeLog",
    "JudgePanel",
    "JudgeValidation",
    "LawReport",
    "LawTable",
    "Leaderboard",
    "MetaEvaluation",
    "Metric",
    "NamedFile",
    "PathParts",
    "Peek",
    "Pitfalls",
    "Plan",
    "Problem",
    "Problems",
    "Proposal",
    "Question",
    "RankSets",
    "RankingAgreement",
    "RatersReport",
    "ReadAs",
    "Reproduction",
    "ResampledTest",
    "RuleReport",
    "RuleVerdict",
    "Scale",
    "Score",
    "ScoreSum",
    "SelfConsistency",
    "SetEvaluation",
    "SourceFile",
    "StudyProblem",
    "StudyProblems",
    "WinnerSensitivity",
    "WrittenLabels",
]
