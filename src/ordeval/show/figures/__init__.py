"""Figures: each holds data only, draws itself with matplotlib or Altair, and says in a sentence what there is to see."""

from ordeval.show.figures._base import Display, to_svg
from ordeval.show.figures.curves import OciShareDisplay, OpenLengthDisplay
from ordeval.show.figures.errors import CutDisplay, ErrorProfileDisplay
from ordeval.show.figures.matrix import ClosenessDisplay, ConfusionDisplay, CostDisplay
from ordeval.show.figures.models import FlipsDisplay, RankDisplay, RankingsDisplay
from ordeval.show.figures.raters import JudgePanelDisplay, RaterMatrixDisplay, SeverityDisplay
from ordeval.show.figures.scores import DifferenceDisplay, ForestDisplay

__all__ = [
    "ClosenessDisplay",
    "ConfusionDisplay",
    "CostDisplay",
    "CutDisplay",
    "DifferenceDisplay",
    "Display",
    "ErrorProfileDisplay",
    "FlipsDisplay",
    "ForestDisplay",
    "JudgePanelDisplay",
    "OciShareDisplay",
    "OpenLengthDisplay",
    "RankDisplay",
    "RankingsDisplay",
    "RaterMatrixDisplay",
    "SeverityDisplay",
    "to_svg",
]
