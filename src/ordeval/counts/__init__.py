"""Rows as counts: distinct rows and how often each occurs, over named axes."""

from ordeval.counts.accumulator import Accumulator
from ordeval.counts.audit import Audit, ReadAs, SourceFile
from ordeval.counts.counting import count
from ordeval.counts.table import Counts, Truth

__all__ = ["Accumulator", "Audit", "Counts", "ReadAs", "SourceFile", "Truth", "count"]
