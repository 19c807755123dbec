"""evaluate() and compare(): where scores, infer and show meet."""

from ordeval.evaluation._compare import Comparison, compare
from ordeval.evaluation._evaluate import Evaluation, Score, evaluate, plain_score
from ordeval.evaluation._request import DEFAULT_METRICS, chosen_metrics

__all__ = ["DEFAULT_METRICS", "Comparison", "Evaluation", "Score", "chosen_metrics", "compare", "evaluate", "plain_score"]
