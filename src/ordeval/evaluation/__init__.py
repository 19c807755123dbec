"""evaluate() and compare(): where scores, infer and show meet."""

from ordeval.evaluation.one_model import Evaluation, Score, evaluate, plain_score
from ordeval.evaluation.request import DEFAULT_METRICS, chosen_metrics
from ordeval.evaluation.several_models import Comparison, compare

__all__ = ["DEFAULT_METRICS", "Comparison", "Evaluation", "Score", "chosen_metrics", "compare", "evaluate", "plain_score"]
