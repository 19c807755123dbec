"""Judging metrics and the papers that proposed them."""

from ordeval.lab.campaign import Campaign
from ordeval.lab.meta import MetaEvaluation, meta_evaluate
from ordeval.lab.papers import Claim, Outcome, Report, reproduce
from ordeval.lab.papers.cem_table3 import Table3, table3
from ordeval.lab.synthetic import simulate

__all__ = [
    "Campaign",
    "Claim",
    "MetaEvaluation",
    "Outcome",
    "Report",
    "Table3",
    "meta_evaluate",
    "reproduce",
    "simulate",
    "table3",
]
