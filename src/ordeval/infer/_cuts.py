"""How sure the rates at every cut of the scale are: Wilson's interval of each share."""

from __future__ import annotations

import math

from ordeval.counts import Counts
from ordeval.infer._methods import wilson
from ordeval.parts import Cut, cut_table

CutWithIntervals = tuple[Cut, tuple[float, float], tuple[float, float]]


def cut_intervals(counts: Counts, confidence_level: float) -> list[CutWithIntervals]:
    """Every cut with the intervals of its sensitivity and its specificity; nan where there are no rows to have a share of.

    Weighted counts do not hold the number of rows, and the rows of a cluster are not independent: their shares have no interval.
    """
    independent = not counts.weighted and counts.cluster is None

    def ends(share: float, rows: float) -> tuple[float, float]:
        return wilson(share, rows, confidence_level) if rows and independent else (math.nan, math.nan)

    return [
        (
            cut,
            ends(cut.sensitivity, cut.true_positive + cut.false_negative),
            ends(cut.specificity, cut.true_negative + cut.false_positive),
        )
        for cut in cut_table(counts)
    ]
