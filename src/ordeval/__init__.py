"""How good are predictions when the classes have an order?

>>> import ordeval as oe
>>> oe.accuracy_within(["low", "mid", "high"], ["low", "high", "low"], labels=["low", "mid", "high"])
0.6666666666666666
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ordeval.metrics as _metrics
from ordeval.base.errors import ArgumentError, ArgumentTypeError, UndefinedScore
from ordeval.base.version import __version__ as __version__
from ordeval.counts import Accumulator, Counts, count
from ordeval.metrics import Metric, Parameter, catalogue, forecast, get_metric, metric, score
from ordeval.metrics.families.agreement import *  # noqa: F403 - by family, because a type checker does not follow two stars
from ordeval.metrics.families.association import *  # noqa: F403
from ordeval.metrics.families.calibration import *  # noqa: F403
from ordeval.metrics.families.closeness import *  # noqa: F403
from ordeval.metrics.families.cost import *  # noqa: F403
from ordeval.metrics.families.discrimination import *  # noqa: F403
from ordeval.metrics.families.error import *  # noqa: F403
from ordeval.metrics.families.hits import *  # noqa: F403
from ordeval.metrics.families.information import *  # noqa: F403
from ordeval.metrics.families.path import *  # noqa: F403
from ordeval.metrics.families.probability import *  # noqa: F403
from ordeval.metrics.families.sets import *  # noqa: F403
from ordeval.order import Scale

if TYPE_CHECKING:
    from ordeval import choose, decide, infer, integrations, laws, papers, parts, plot, raters, show, study, types
    from ordeval.evaluation import DEFAULT_METRICS, Comparison, Evaluation, Score, compare, evaluate, leaderboard
    from ordeval.infer._plan import plan
    from ordeval.infer._ranks import rank_sets
    from ordeval.infer._rules import Rule
    from ordeval.infer._sets import evaluate_sets
    from ordeval.integrations.sklearn import get_scorer, scorers
    from ordeval.read import Reading, load_example, peek, scan
    from ordeval.study import Study

#: Public names that load on first use, so that importing the package imports numpy and little else.
_LAZY = {
    **dict.fromkeys(["DEFAULT_METRICS", "Comparison", "Evaluation", "Score"], "ordeval.evaluation"),
    **dict.fromkeys(["compare", "evaluate", "leaderboard"], "ordeval.evaluation"),
    "plan": "ordeval.infer._plan",
    "rank_sets": "ordeval.infer._ranks",
    "Rule": "ordeval.infer._rules",
    "Study": "ordeval.study",
    "evaluate_sets": "ordeval.infer._sets",
    **dict.fromkeys(["get_scorer", "scorers"], "ordeval.integrations.sklearn"),
    **dict.fromkeys(["Reading", "load_example", "peek", "scan"], "ordeval.read"),
}
#: Rooms that others may enter, by subject.
_NAMESPACES = ("choose", "decide", "infer", "integrations", "laws", "papers", "parts", "plot", "raters", "show", "study", "types")

__all__ = ["Accumulator", "ArgumentError", "ArgumentTypeError", "Counts", "Scale", "UndefinedScore", "count"]
__all__ += [
    "DEFAULT_METRICS",
    "Comparison",
    "Evaluation",
    "Reading",
    "Rule",
    "Score",
    "Study",
    "compare",
    "evaluate",
    "evaluate_sets",
]
__all__ += ["get_scorer", "leaderboard", "load_example", "peek", "plan", "rank_sets", "scan", "scorers"]
__all__ += ["Metric", "Parameter", "catalogue", "forecast", "get_metric", "metric", "score"]
__all__ += [name for name in _metrics.__all__ if name not in __all__]  # the metrics


if not TYPE_CHECKING:  # a type checker is to find the names that do not exist

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name in _LAZY:
            return getattr(import_module(_LAZY[name]), name)
        if name in _NAMESPACES:
            return import_module(f"ordeval.{name}")
        from ordeval.base.renamed import moved

        raise AttributeError(moved(name))


def __dir__() -> list[str]:
    return sorted([*__all__, *_NAMESPACES])
