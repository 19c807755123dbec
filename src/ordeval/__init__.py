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
    from ordeval.raters.agreement import Agreement, agreement
    from ordeval.raters.alternative import AlternativeAnnotators, alternative_annotator_test
    from ordeval.raters.homogeneity import marginal_homogeneity
    from ordeval.raters.instrument import CorrectedGrades, corrected_grades
    from ordeval.raters.panel import JudgePanel, judge_panel
    from ordeval.raters.ratings import ratings
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
        JudgePanelDisplay,
        OciShareDisplay,
        OpenLengthDisplay,
        RankDisplay,
        RankingsDisplay,
        RaterMatrixDisplay,
        ReliabilityDisplay,
        RocDisplay,
        SetCoverageDisplay,
        SeverityDisplay,
    )

__version__ = "0.1.0"

#: Public names that load on first use, so that importing the package imports numpy and little else.
_LAZY = {
    "Accumulator": "ordeval.read.accumulator",
    "Advice": "ordeval.lab.advise",
    "Agreement": "ordeval.raters.agreement",
    "AlternativeAnnotators": "ordeval.raters.alternative",
    "Campaign": "ordeval.lab.campaign",
    "ClosenessDisplay": "ordeval.show.figures",
    "Comparison": "ordeval.evaluation",
    "ConfusionDisplay": "ordeval.show.figures",
    "CorrectedGrades": "ordeval.raters.instrument",
    "CostDisplay": "ordeval.show.figures",
    "CutDisplay": "ordeval.show.figures",
    "Decision": "ordeval.lab.decide",
    "DifferenceDisplay": "ordeval.show.figures",
    "ErrorProfileDisplay": "ordeval.show.figures",
    "Evaluation": "ordeval.evaluation",
    "FlipsDisplay": "ordeval.show.figures",
    "ForestDisplay": "ordeval.show.figures",
    "JudgePanel": "ordeval.raters.panel",
    "JudgePanelDisplay": "ordeval.show.figures",
    "LawReport": "ordeval.lab.laws",
    "OciShareDisplay": "ordeval.show.figures",
    "OpenLengthDisplay": "ordeval.show.figures",
    "OrdinalDecision": "ordeval.lab.decide_sklearn",
    "RankDisplay": "ordeval.show.figures",
    "RankingsDisplay": "ordeval.show.figures",
    "RaterMatrixDisplay": "ordeval.show.figures",
    "ReliabilityDisplay": "ordeval.show.figures",
    "RocDisplay": "ordeval.show.figures",
    "Rule": "ordeval.infer.rules",
    "Score": "ordeval.evaluation",
    "SetCoverageDisplay": "ordeval.show.figures",
    "SetEvaluation": "ordeval.infer.sets",
    "SeverityDisplay": "ordeval.show.figures",
    "advise": "ordeval.lab.advise",
    "agreement": "ordeval.raters.agreement",
    "alternative_annotator_test": "ordeval.raters.alternative",
    "check_laws": "ordeval.lab.laws",
    "chosen_metrics": "ordeval.evaluation",
    "compare": "ordeval.evaluation",
    "compare_groups": "ordeval.infer.groups",
    "contributions": "ordeval.infer.flips",
    "corrected_grades": "ordeval.raters.instrument",
    "corrected_resampled_test": "ordeval.infer.crossval",
    "decide": "ordeval.lab.decide",
    "dominance": "ordeval.infer.dominance",
    "evaluate": "ordeval.evaluation",
    "evaluate_sets": "ordeval.infer.sets",
    "exchange_test": "ordeval.infer.difference",
    "fit_decision": "ordeval.lab.decide",
    "flips": "ordeval.infer.flips",
    "get_scorer": "ordeval.integrations.sklearn",
    "judge_panel": "ordeval.raters.panel",
    "law_table": "ordeval.lab.laws",
    "load_example": "ordeval.read.examples",
    "marginal_homogeneity": "ordeval.raters.homogeneity",
    "meta_evaluate": "ordeval.lab.meta",
    "pitfalls": "ordeval.lab.pitfalls",
    "plan": "ordeval.infer.plan",
    "pool_folds": "ordeval.infer.crossval",
    "rank_sets": "ordeval.infer.ranks",
    "ranking_agreement": "ordeval.infer.ranks",
    "ratings": "ordeval.raters.ratings",
    "read_rows": "ordeval.read.rows",
    "reproduce": "ordeval.lab.papers",
    "reweight": "ordeval.infer.groups",
    "scan": "ordeval.read.scan",
    "scan_runs": "ordeval.read.runs",
    "scorers": "ordeval.integrations.sklearn",
    "system_names": "ordeval.read.runs",
    "winner_sensitivity": "ordeval.infer.ranks",
}

__all__ = [
    "Accumulator",
    "Advice",
    "Agreement",
    "AlternativeAnnotators",
    "Audit",
    "Campaign",
    "ClosenessDisplay",
    "Comparison",
    "ConfusionDisplay",
    "CorrectedGrades",
    "CostDisplay",
    "Counts",
    "CutDisplay",
    "Decision",
    "DifferenceDisplay",
    "ErrorProfileDisplay",
    "Evaluation",
    "FlipsDisplay",
    "ForestDisplay",
    "JudgePanel",
    "JudgePanelDisplay",
    "LawReport",
    "OciShareDisplay",
    "OpenLengthDisplay",
    "OrdinalDecision",
    "RankDisplay",
    "RankingsDisplay",
    "RaterMatrixDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "Rule",
    "Scale",
    "Score",
    "SetCoverageDisplay",
    "SetEvaluation",
    "SeverityDisplay",
    "advise",
    "agreement",
    "alternative_annotator_test",
    "check_laws",
    "chosen_metrics",
    "compare",
    "compare_groups",
    "contributions",
    "corrected_grades",
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
    "judge_panel",
    "law_table",
    "load_example",
    "marginal_homogeneity",
    "meta_evaluate",
    "pitfalls",
    "plan",
    "pool_folds",
    "rank_sets",
    "ranking_agreement",
    "ratings",
    "read_rows",
    "reproduce",
    "reweight",
    "scan",
    "scan_runs",
    "scorers",
    "system_names",
    "winner_sensitivity",
    *scores.__all__,
]


if not TYPE_CHECKING:  # a type checker is to find the names that do not exist

    def __getattr__(name: str) -> Any:
        if name in _LAZY:
            from importlib import import_module

            return getattr(import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'ordeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
