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
    from ordeval.evaluation import Comparison, Evaluation, Score, chosen_metrics, compare, evaluate
    from ordeval.infer.crossval import corrected_resampled_test, pool_folds
    from ordeval.infer.difference import exchange_test
    from ordeval.infer.dominance import dominance
    from ordeval.infer.flips import contributions, flips
    from ordeval.infer.groups import compare_groups, reweight
    from ordeval.infer.plan import plan
    from ordeval.infer.ranks import rank_sets, ranking_agreement, winner_sensitivity
    from ordeval.infer.rules import Rule
    from ordeval.infer.sets import SetEvaluation, evaluate_sets
    from ordeval.integrations.sklearn import get_scorer, scorers
    from ordeval.lab.advise import Advice, advise
    from ordeval.lab.campaign import Campaign
    from ordeval.lab.decide import Decision, decide, fit_decision
    from ordeval.lab.decide_sklearn import OrdinalDecision
    from ordeval.lab.laws import LawReport, check_laws, law_table
    from ordeval.lab.meta import meta_evaluate
    from ordeval.lab.papers import reproduce
    from ordeval.lab.pitfalls import pitfalls
    from ordeval.read.accumulator import Accumulator
    from ordeval.read.examples import load_example
    from ordeval.read.rows import read_rows
    from ordeval.read.runs import scan_runs, system_names
    from ordeval.read.scan import scan
    from ordeval.show.figures import (
        ClosenessDisplay,
        ConfusionDisplay,
        CostDisplay,
        CutDisplay,
        DifferenceDisplay,
        ErrorProfileDisplay,
        FlipsDisplay,
        ForestDisplay,
        OciShareDisplay,
        OpenLengthDisplay,
        RankDisplay,
        RankingsDisplay,
    )

__version__ = "0.1.0"

#: Public names that load on first use, so that importing the package imports numpy and little else.
_LAZY = {
    "read_rows": "ordeval.read.rows",
    "chosen_metrics": "ordeval.evaluation",
    "system_names": "ordeval.read.runs",
    "scan_runs": "ordeval.read.runs",
    "Rule": "ordeval.infer.rules",
    "Accumulator": "ordeval.read.accumulator",
    "Advice": "ordeval.lab.advise",
    "Campaign": "ordeval.lab.campaign",
    "ClosenessDisplay": "ordeval.show.figures",
    "Comparison": "ordeval.evaluation",
    "ConfusionDisplay": "ordeval.show.figures",
    "CostDisplay": "ordeval.show.figures",
    "CutDisplay": "ordeval.show.figures",
    "DifferenceDisplay": "ordeval.show.figures",
    "ErrorProfileDisplay": "ordeval.show.figures",
    "Evaluation": "ordeval.evaluation",
    "FlipsDisplay": "ordeval.show.figures",
    "ForestDisplay": "ordeval.show.figures",
    "OciShareDisplay": "ordeval.show.figures",
    "OpenLengthDisplay": "ordeval.show.figures",
    "RankDisplay": "ordeval.show.figures",
    "RankingsDisplay": "ordeval.show.figures",
    "Score": "ordeval.evaluation",
    "advise": "ordeval.lab.advise",
    "LawReport": "ordeval.lab.laws",
    "check_laws": "ordeval.lab.laws",
    "Decision": "ordeval.lab.decide",
    "OrdinalDecision": "ordeval.lab.decide_sklearn",
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
    "get_scorer": "ordeval.integrations.sklearn",
    "law_table": "ordeval.lab.laws",
    "load_example": "ordeval.read.examples",
    "pitfalls": "ordeval.lab.pitfalls",
    "meta_evaluate": "ordeval.lab.meta",
    "plan": "ordeval.infer.plan",
    "pool_folds": "ordeval.infer.crossval",
    "rank_sets": "ordeval.infer.ranks",
    "ranking_agreement": "ordeval.infer.ranks",
    "reproduce": "ordeval.lab.papers",
    "reweight": "ordeval.infer.groups",
    "scan": "ordeval.read.scan",
    "scorers": "ordeval.integrations.sklearn",
    "winner_sensitivity": "ordeval.infer.ranks",
}

__all__ = [
    "read_rows",
    "chosen_metrics",
    "system_names",
    "scan_runs",
    "Rule",
    "Accumulator",
    "Advice",
    "Audit",
    "Campaign",
    "ClosenessDisplay",
    "Comparison",
    "ConfusionDisplay",
    "CostDisplay",
    "Counts",
    "CutDisplay",
    "DifferenceDisplay",
    "ErrorProfileDisplay",
    "Evaluation",
    "FlipsDisplay",
    "ForestDisplay",
    "OciShareDisplay",
    "OpenLengthDisplay",
    "RankDisplay",
    "RankingsDisplay",
    "Scale",
    "Score",
    "advise",
    "LawReport",
    "check_laws",
    "Decision",
    "OrdinalDecision",
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
    "get_scorer",
    "law_table",
    "load_example",
    "pitfalls",
    "meta_evaluate",
    "plan",
    "pool_folds",
    "rank_sets",
    "ranking_agreement",
    "reproduce",
    "reweight",
    "scan",
    "scorers",
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
