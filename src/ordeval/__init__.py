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
    from ordeval.lab.papers import reproduce
    from ordeval.read.examples import load_example

__version__ = "0.1.0"

#: Public names that load on first use, so that importing the package imports numpy and little else.
_LAZY = {
    "Comparison": "ordeval.evaluation",
    "Evaluation": "ordeval.evaluation",
    "Score": "ordeval.evaluation",
    "compare": "ordeval.evaluation",
    "evaluate": "ordeval.evaluation",
    "load_example": "ordeval.read.examples",
    "reproduce": "ordeval.lab.papers",
}

__all__ = [
    "Audit",
    "Comparison",
    "Counts",
    "Evaluation",
    "Scale",
    "Score",
    "compare",
    "count",
    "evaluate",
    "load_example",
    "reproduce",
    *scores.__all__,
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ordeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
