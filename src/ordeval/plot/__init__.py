"""Figures: each holds data only, draws itself with matplotlib or as Vega-Lite, and says in a sentence what there is to see."""

from typing import TYPE_CHECKING, Any

from ordeval.plot._base import Display
from ordeval.plot._curves import OciShareDisplay, OpenLengthDisplay
from ordeval.plot._errors import CutDisplay, ErrorProfileDisplay
from ordeval.plot._matrix import ClosenessDisplay, ConfusionDisplay, CostDisplay
from ordeval.plot._models import FlipsDisplay, RankDisplay, RankingsDisplay
from ordeval.plot._probabilities import ReliabilityDisplay, RocDisplay
from ordeval.plot._scores import DifferenceDisplay, ForestDisplay
from ordeval.plot._sets import SetCoverageDisplay
from ordeval.plot._style import COLOURS, THEMES, short_labels
from ordeval.plot._vega import CONFIG

if TYPE_CHECKING:
    from ordeval.papers._figures import OptimalLengthDisplay, SingleRowDisplay, TridiagonalDisplay

#: The papers' figures live with the papers, and load on first use.
_OF_PAPERS = ("OptimalLengthDisplay", "SingleRowDisplay", "TridiagonalDisplay")

__all__ = [
    "COLOURS",
    "CONFIG",
    "THEMES",
    "ClosenessDisplay",
    "ConfusionDisplay",
    "CostDisplay",
    "CutDisplay",
    "DifferenceDisplay",
    "Display",
    "ErrorProfileDisplay",
    "FlipsDisplay",
    "ForestDisplay",
    "OciShareDisplay",
    "OpenLengthDisplay",
    "OptimalLengthDisplay",
    "RankDisplay",
    "RankingsDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "SetCoverageDisplay",
    "SingleRowDisplay",
    "TridiagonalDisplay",
    "short_labels",
]


if not TYPE_CHECKING:  # a type checker is to find the names that do not exist

    def __getattr__(name: str) -> Any:
        if name in _OF_PAPERS:
            from importlib import import_module

            return getattr(import_module("ordeval.papers._figures"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
