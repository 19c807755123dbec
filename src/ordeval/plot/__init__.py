"""Figures: each holds data only, draws itself with matplotlib or as Vega-Lite, and says in a sentence what there is to see."""

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
    "RankDisplay",
    "RankingsDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "SetCoverageDisplay",
    "short_labels",
]
