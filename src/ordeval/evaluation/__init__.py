"""Where scores, inference and forms meet: evaluate(), compare(), leaderboard()."""

from ordeval.evaluation._audit import InputAudit
from ordeval.evaluation._compare import Comparison, compare
from ordeval.evaluation._evaluate import Evaluation, Evaluations, evaluate
from ordeval.evaluation._leaderboard import Leaderboard, leaderboard
from ordeval.evaluation._request import DEFAULT_METRICS, chosen_metrics
from ordeval.evaluation._score import ConfidenceInterval, Score, plain_score

__all__ = [
    "DEFAULT_METRICS",
    "Comparison",
    "ConfidenceInterval",
    "Evaluation",
    "Evaluations",
    "InputAudit",
    "Leaderboard",
    "Score",
    "chosen_metrics",
    "compare",
    "evaluate",
    "leaderboard",
    "plain_score",
]
