"""Results in every form that the command line offers."""

from dataclasses import replace

from ordeval.show import render
from ordeval.show._latex import blocks_as_latex
from ordeval.types import Evaluations

FORMATS = ("text", "json", "csv", "md", "latex")


def scores_in(results, format, source=""):
    """Evaluations of one model or of several."""
    return render(Evaluations(results, source), format)


def comparison_in(result, format, source=""):
    """A comparison of several models."""
    return render(replace(result, source=source), format)


def latex_of(table):
    """A table as it floats in a paper."""
    return blocks_as_latex([table])
