"""How good are predictions when the classes have an order?

>>> import ordeval as oe
>>> oe.accuracy_within(["low", "mid", "high"], ["low", "high", "low"], labels=["low", "mid", "high"])
0.6666666666666666
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ordeval import scores
from ordeval.counts import Audit, Counts, count
from ordeval.scale import Scale
from ordeval.scores import *  # noqa: F403 - the list of metrics is kept in one place, ordeval.scores

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Score, compare, evaluate
    from ordeval.infer.crossval import corrected_resampled_test, pool_folds
    from ordeval.infer.difference import exchange_test
    from ordeval.infer.dominance import dominance
    from ordeval.infer.flips import contributions, flips
    from ordeval.infer.groups import compare_groups, reweight
    from ordeval.infer.plan import plan
    from ordeval.infer.ranks import rank_sets, ranking_agreement, winner_sensitivity
    from ordeval.infer.sets import SetEvaluation, evaluate_sets
    from ordeval.lab.decide import Decision, decide, fit_decision
    from ordeval.lab.decide_sklearn import OrdinalDecision
    from ordeval.lab.papers import reproduce
    from ordeval.read.examples import load_example

__version__ = "0.1.0"

#: Public names that load on first use, so that importing the package imports numpy and little else.
_LAZY = {
    "Comparison": "ordeval.evaluation",
    "Decision": "ordeval.lab.decide",
    "Evaluation": "ordeval.evaluation",
    "OrdinalDecision": "ordeval.lab.decide_sklearn",
    "Score": "ordeval.evaluation",
    "SetEvaluation": "ordeval.infer.sets",
    "compare": "ordeval.evaluation",
    "compare_groups": "ordeval.infer.groups",
    "contributions": "ordeval.infer.flips",
    "corrected_resampled_test": "ordeval.infer.crossval",
    "decide": "ordeval.lab.decide",
    "dominance": "ordeval.infer.dominance",
    "evaluate": "ordeval.evaluation",
    "evaluate_sets": "ordeval.infer.sets",
    "exchange_test": "ordeval.infer.difference",
    "fit_decision": "ordeval.lab.decide",
    "flips": "ordeval.infer.flips",
    "load_example": "ordeval.read.examples",
    "plan": "ordeval.infer.plan",
    "pool_folds": "ordeval.infer.crossval",
    "rank_sets": "ordeval.infer.ranks",
    "ranking_agreement": "ordeval.infer.ranks",
    "reproduce": "ordeval.lab.papers",
    "reweight": "ordeval.infer.groups",
    "winner_sensitivity": "ordeval.infer.ranks",
}

__all__ = [
    "Audit",
    "Comparison",
    "Counts",
    "Decision",
    "Evaluation",
    "OrdinalDecision",
    "Scale",
    "Score",
    "SetEvaluation",
    "compare",
    "compare_groups",
    "contributions",
    "corrected_resampled_test",
    "count",
    "decide",
    "dominance",
    "evaluate",
    "evaluate_sets",
    "exchange_test",
    "fit_decision",
    "flips",
    "load_example",
    "plan",
    "pool_folds",
    "rank_sets",
    "ranking_agreement",
    "reproduce",
    "reweight",
    "winner_sensitivity",
    *scores.__all__,
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ordeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
